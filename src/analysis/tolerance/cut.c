/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The components that end at one switch with terminals: what cuts it off when all of them fail. And who is cut off by what has
 *  failed. */
#include <holdfast/analysis/tolerance.h>

#include <holdfast/core/bitset.h>

/* How many components end at each node; one that takes both channels of a link counts as two, at all nodes alike. */
static hf_status count_ends(hf_context *cx, const hf_universe *u, uint32_t **out) {
    HF_TRY(hf_scratch(cx, u->topo->n_node, sizeof **out, (void **)out));
    for (uint32_t i = 0; i < u->channel_begin[u->n_component]; i++) {
        (*out)[u->topo->from[u->channel[i]]]++;
        (*out)[u->topo->to[u->channel[i]]]++;
    }
    return HF_OK;
}

static bool ends_at(const hf_universe *u, uint32_t component, uint32_t sw) {
    for (uint32_t i = u->channel_begin[component]; i < u->channel_begin[component + 1]; i++) {
        if (u->topo->from[u->channel[i]] == sw || u->topo->to[u->channel[i]] == sw) {
            return u->component[component].type != HF_COMPONENT_SWITCH;
        }
    }
    return false;
}

hf_status hf_cut_find(hf_context *cx, const hf_universe *universe, uint32_t *set, uint32_t *n) {
    const hf_topology *topo = universe->topo;
    uint32_t *ends, fewest = HF_NONE;
    HF_TRY(count_ends(cx, universe, &ends));
    for (uint32_t t = topo->n_switch; t < topo->n_node; t++) {
        const uint32_t sw = topo->to[topo->out_list[topo->out_begin[t]]];
        fewest = ends[sw] && (fewest == HF_NONE || ends[sw] < ends[fewest]) ? sw : fewest;
    }
    *n = 0;
    for (uint32_t i = 0; i < universe->n_component && fewest != HF_NONE; i++) {
        if (ends_at(universe, i, fewest)) {
            set[(*n)++] = i;
        }
    }
    return HF_OK;
}

/* ---- who is cut off ---- */

typedef struct pairs {
    uint32_t n;
    const uint64_t *bad;
    uint32_t *sent, *received; /* n: bad pairs with terminals that are left */
} pairs;

static bool is_bad(const pairs *p, uint32_t from, uint32_t to) { return hf_bit_test(p->bad, (size_t)from * p->n + to); }

static void count_pairs(const pairs *p) {
    for (uint32_t a = 0; a < p->n; a++) {
        for (uint32_t b = 0; b < p->n; b++) {
            p->sent[a] += is_bad(p, a, b);
            p->received[b] += is_bad(p, a, b);
        }
    }
}

/* The next one, the lowest of several; HF_NONE: nobody. \param[in] others that are left beside it */
static uint32_t worst(const pairs *p, const uint64_t *cut, uint32_t others) {
    uint32_t most = 0, at = HF_NONE;
    for (uint32_t t = 0; t < p->n; t++) {
        const uint32_t lost = p->sent[t] + p->received[t];
        const bool is_most = p->sent[t] > others / 2 || p->received[t] > others / 2;
        if (!hf_bit_test(cut, t) && is_most && lost > most) {
            most = lost;
            at = t;
        }
    }
    return at;
}

hf_status hf_cut_off(hf_context *cx, uint32_t n, const uint64_t *bad_pair, uint64_t *cut, uint32_t *count) {
    pairs p = {.n = n, .bad = bad_pair};
    const hf_mark mark = hf_scratch_mark(cx);
    *count = 0;
    HF_TRY(hf_scratch(cx, n, sizeof *p.sent, (void **)&p.sent));
    HF_TRY(hf_scratch(cx, n, sizeof *p.received, (void **)&p.received));
    count_pairs(&p);
    for (uint32_t others = n ? n - 1 : 0, t; (t = worst(&p, cut, others)) != HF_NONE; others--, (*count)++) {
        hf_bit_set(cut, t);
        for (uint32_t b = 0; b < n; b++) {
            p.received[b] -= is_bad(&p, t, b);
            p.sent[b] -= is_bad(&p, b, t);
        }
    }
    hf_scratch_reset(cx, mark);
    return HF_OK;
}
