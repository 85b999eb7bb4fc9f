/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What method orbits takes: rules that claim to go by the network alone, and numbers that it can count to. */
#include "src/campaign/orbits.h"

#include <inttypes.h>

enum { COMPONENTS_MOST = 4096 };

static hf_status refuse_flows(hf_context *cx, const hf_rule *rule) {
    HF_FAIL(cx, HF_ENOTSUP, "method orbits takes all terminals for senders and receivers; \"%s\" has flows; use exhaustive",
            rule->spec);
}

static hf_status refuse_rule(hf_context *cx, const hf_rule *rule, bool has_criterion) {
    HF_FAIL(cx, HF_ENOTSUP,
            "method orbits needs a rule that goes by the network alone in what is asked; \"%s\" goes by numbers, ports, names or "
            "time "
            "as well; use exhaustive%s",
            rule->spec, has_criterion ? ", or criterion connected or switches-connected" : "");
}

/* In the order of their channels. */
static bool has_single_links(const hf_universe *u) {
    bool holds = true;
    for (uint32_t i = 0; i < u->n_component && holds; i++) {
        const uint32_t first = u->channel_begin[i], n = u->channel_begin[i + 1] - first;
        holds = u->switch_begin[i] == u->switch_begin[i + 1] && n > 0 &&
                u->topo->link[u->channel[first]] < u->topo->n_switch_link &&
                (i == 0 || u->channel[first] > u->channel[u->channel_begin[i - 1]]);
        for (uint32_t j = 1; j < n && holds; j++) {
            holds = u->topo->link[u->channel[first + j]] == u->topo->link[u->channel[first]];
        }
    }
    return holds;
}

static hf_status check_claim(hf_context *cx, const hf_universe *universe, const hf_rule *rule, const hf_symmetric *claim,
                             uint32_t f_most) {
    if (f_most > claim->f_most) {
        HF_FAIL(cx, HF_ENOTSUP,
                "method orbits takes \"%s\" on \"%s\" up to f=%" PRIu32 ", as beyond %s; use exhaustive or sampled", rule->spec,
                universe->topo->spec, claim->f_most, claim->beyond);
    }
    if (claim->by_links && !has_single_links(universe)) {
        HF_FAIL(cx, HF_ENOTSUP,
                "method orbits takes \"%s\" only where every component is a link or a channel between switches, in the order of "
                "these, "
                "not universe \"%s\"",
                rule->spec, universe->spec);
    }
    return HF_OK;
}

/* The numbers that are kept reach f C(m, f). */
static hf_status check_size(hf_context *cx, uint32_t m, uint32_t f) {
    hf_big *all;
    hf_u128 number;
    if (m > COMPONENTS_MOST) {
        HF_FAIL(cx, HF_ENOTSUP, "method orbits takes at most %d components; the universe has %" PRIu32, COMPONENTS_MOST, m);
    }
    HF_TRY(hf_big_new(cx, &all));
    bool fits = true;
    for (uint32_t k = 0; k <= f && fits; k++) {
        hf_big_binomial(all, m, k);
        hf_big_mul_u64(all, k + 1);
        fits = hf_big_get_u128(all, &number);
    }
    hf_big_free(all);
    if (!fits) {
        HF_FAIL(cx, HF_ERANGE, "method orbits counts up to 2^128; C(%" PRIu32 ", %" PRIu32 ") is more", m, f);
    }
    return HF_OK;
}

static hf_symmetric claim_of(const hf_universe *universe, const hf_rule *rule, unsigned needs) {
    const hf_routing *routing = rule->routing;
    hf_symmetric (*const symmetric)(const hf_topology *, const hf_args *) =
        needs & HF_SYMMETRIC_EFFORT && routing->efforts ? routing->efforts->symmetric : routing->symmetric;
    return symmetric ? symmetric(universe->topo, &rule->args) : (hf_symmetric){0};
}

hf_status hf_orbits_claim(hf_context *cx, const hf_universe *universe, const hf_rule *rule, const hf_criterion *criterion,
                          unsigned needs, uint32_t f_most, hf_symmetric *out) {
    const unsigned asks_network = HF_CRITERION_CONNECTED | HF_CRITERION_SWITCHES;
    hf_symmetric claim = {.of = needs, .f_most = UINT32_MAX};
    HF_TRY(rule->flows ? refuse_flows(cx, rule) : HF_OK);
    if (!criterion || !(criterion->flags & asks_network)) {
        claim = claim_of(universe, rule, needs);
    }
    if (!(claim.of & needs)) {
        return refuse_rule(cx, rule, criterion);
    }
    HF_TRY(check_claim(cx, universe, rule, &claim, f_most));
    *out = claim;
    return check_size(cx, universe->n_component, f_most);
}
