/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  One call of a rule. Where its answers are kept, the network is asked first what the calls before asked of it. */
#include "src/routing/lua/ask.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- one call ---- */

/* "route(at = s3, in_channel = 7 (s2:1>s3:0), in_vc = 0, destination = t5)" */
static hf_status about_call(const hf_lua_asker *a, uint64_t state, uint32_t destination, char **out) {
    const hf_topology *topo = a->states.topo;
    const hf_lua_arrival w = hf_lua_arrival_of(&a->states, state);
    char name[HF_NAME_SIZE], tag[32] = "", source[32] = "";
    if (w.in.channel == HF_NONE) {
        return hf_scratch_print(a->cx, out, "inject(terminal = t%" PRIu32 ", destination = t%" PRIu32 ")", w.source, destination);
    }
    hf_topology_channel_name(topo, w.in.channel, name, sizeof name);
    if (a->states.sees_tag) {
        (void)snprintf(tag, sizeof tag, ", tag = %" PRIu32, w.in.tag);
    }
    if (a->states.sees_source) {
        (void)snprintf(source, sizeof source, ", source = %" PRIu32, w.source);
    }
    return hf_scratch_print(
        a->cx, out, "route(at = %" PRIu32 ", in_channel = %" PRIu32 " (%s), in_vc = %" PRIu32 ", destination = %" PRIu32 "%s%s)",
        w.at, w.in.channel, name, w.in.vc, destination, tag, source);
}

/* Say in which call something failed. */
static hf_status in_call(const hf_lua_asker *a, uint64_t state, uint32_t destination, hf_status status) {
    char *call, *why;
    if (status == HF_ESTOP || status == HF_ENOMEM) {
        return status;
    }
    HF_TRY(hf_scratch_print(a->cx, &why, "%s", hf_context_message(a->cx)));
    HF_TRY(about_call(a, state, destination, &call));
    HF_FAIL(a->cx, status, "%s, in %s", why, call);
}

static hf_status refuse_hop(const hf_lua_asker *a, uint64_t state, uint32_t destination, const hf_call_hop *hop,
                            const char *why) {
    char *call;
    HF_TRY(about_call(a, state, destination, &call));
    HF_FAIL(a->cx, HF_EINVAL, "%s: the hop {channel = %" PRIu32 ", vc = %" PRIu32 "} %s, in %s", a->rule->file, hop->channel,
            hop->vc, why, call);
}

static hf_status check_hop(const hf_lua_asker *a, uint64_t state, uint32_t at, uint32_t destination, const hf_call_hop *hop) {
    const hf_topology *topo = a->states.topo;
    char why[HF_NAME_SIZE + 48], name[HF_NAME_SIZE];
    if (hop->channel >= topo->n_channel) {
        (void)snprintf(why, sizeof why, "does not exist; channels are 0 to %" PRIu32, topo->n_channel - 1);
        return refuse_hop(a, state, destination, hop, why);
    }
    if (topo->from[hop->channel] != at) {
        hf_topology_channel_name(topo, hop->channel, name, sizeof name);
        (void)snprintf(why, sizeof why, "does not leave from here, it is %s", name);
        return refuse_hop(a, state, destination, hop, why);
    }
    if (hop->vc >= a->states.n_vc) {
        (void)snprintf(why, sizeof why, "has a virtual channel that does not exist; vcs = %" PRIu32, a->states.n_vc);
        return refuse_hop(a, state, destination, hop, why);
    }
    if (hop->tag != HF_NONE && hop->tag >= a->states.n_tag) {
        (void)snprintf(why, sizeof why, "has tag = %" PRIu32 ", which is out of range; tags = %" PRIu32, hop->tag,
                       a->states.n_tag);
        return refuse_hop(a, state, destination, hop, why);
    }
    const uint32_t to = topo->to[hop->channel];
    if (hf_topology_is_terminal(topo, to) && to != topo->n_switch + destination) {
        (void)snprintf(why, sizeof why, "leads to terminal t%" PRIu32 ", which does not forward", to - topo->n_switch);
        return refuse_hop(a, state, destination, hop, why);
    }
    return HF_OK;
}

/* ---- the hops of a state ---- */

static int compare(const void *x, const void *y) {
    const hf_lua_hop *a = x, *b = y;
    if (a->channel != b->channel) {
        return a->channel < b->channel ? -1 : 1;
    }
    if (a->vc != b->vc) {
        return (int)a->vc - (int)b->vc;
    }
    return (a->header > b->header) - (a->header < b->header);
}

static hf_status reserve(hf_lua_asker *a, size_t n) {
    if (n > a->room) {
        HF_TRY(hf_resize(a->cx, 2 * n + 16, sizeof *a->hops, (void **)&a->hops));
        a->room = 2 * n + 16;
    }
    return HF_OK;
}

static uint32_t header_of(const hf_lua_states *s, uint32_t source, uint32_t tag) {
    return (s->sees_source ? source * s->n_tag : 0) + tag;
}

/* Where the rule leaves it to us: every injection channel, or delivery without a header, on VC 0. */
static hf_status find_plain(hf_lua_asker *a, const hf_lua_arrival *w, uint32_t destination, uint32_t *n) {
    const hf_topology *topo = a->states.topo;
    const bool is_first = w->in.channel == HF_NONE;
    const uint32_t at = w->at, header = is_first ? header_of(&a->states, w->source, 0) : 0;
    HF_TRY(reserve(a, topo->out_begin[at + 1] - topo->out_begin[at]));
    for (uint32_t i = topo->out_begin[at]; i < topo->out_begin[at + 1]; i++) {
        const uint32_t c = topo->out_list[i];
        if (is_first || topo->to[c] == topo->n_switch + destination) {
            a->hops[(*n)++] = (hf_lua_hop){c, 0, 0, header};
        }
    }
    return HF_OK;
}

static hf_status take_hops(hf_lua_asker *a, uint64_t state, uint32_t destination, const hf_call_hop *hops, uint32_t n) {
    const hf_lua_arrival w = hf_lua_arrival_of(&a->states, state);
    hf_lua_hop *list;
    HF_TRY(reserve(a, n));
    list = a->hops;
    for (uint32_t i = 0; i < n; i++) {
        HF_TRY(check_hop(a, state, w.at, destination, &hops[i]));
        const uint32_t tag = hops[i].tag == HF_NONE ? w.in.tag : hops[i].tag;
        list[i] = (hf_lua_hop){hops[i].channel, (uint16_t)hops[i].vc, hops[i].is_escape, header_of(&a->states, w.source, tag)};
    }
    if (n > 1) {
        qsort(list, n, sizeof *list, compare); /* the order in which the rule names them says nothing */
    }
    for (uint32_t i = 1; i < n; i++) {
        if (compare(&list[i - 1], &list[i]) == 0) {
            const hf_call_hop twice = {list[i].channel, list[i].vc, HF_NONE, false};
            return refuse_hop(a, state, destination, &twice, "is there twice");
        }
    }
    return HF_OK;
}

static hf_status call_rule(const hf_lua_asker *a, const hf_lua_arrival *w, uint32_t destination, const hf_call_hop **hops,
                           size_t *n) {
    const hf_lua_rule *r = a->rule;
    if (w->in.channel == HF_NONE) {
        return r->hops(a->cx, r->user, "inject", (const uint32_t[]){w->source, destination}, 2, hops, n, a->trace);
    }
    const uint32_t tag = a->states.sees_tag ? w->in.tag : HF_NONE;
    const uint32_t arguments[] = {w->at, w->in.channel, w->in.vc, destination, tag, w->source};
    return r->hops(a->cx, r->user, "route", arguments, 6, hops, n, a->trace);
}

/* The hops of a state, in a->hops. */
static hf_status find_hops(hf_lua_asker *a, uint64_t state, uint32_t destination, uint32_t *n_hop) {
    const hf_lua_arrival w = hf_lua_arrival_of(&a->states, state);
    const hf_call_hop *hops = NULL;
    size_t n = 0;
    if (w.in.channel != HF_NONE || a->rule->has_inject) {
        const hf_status status = call_rule(a, &w, destination, &hops, &n);
        if (status != HF_OK) {
            return in_call(a, state, destination, status);
        }
    }
    *n_hop = (uint32_t)n;
    return hops ? take_hops(a, state, destination, hops, *n_hop) : find_plain(a, &w, destination, n_hop);
}

static hf_status keep(hf_lua_asker *a, uint64_t key, uint32_t list) {
    bool differs = false;
    if (a->trace && !a->trace->is_over) {
        HF_TRY(hf_answers_keep(a->cx, a->answers, key, a->trace, list, &differs));
        a->differs |= differs;
    }
    return HF_OK;
}

hf_status hf_lua_ask(hf_lua_asker *a, uint64_t state, uint32_t destination, uint32_t *list) {
    const uint64_t key = destination * a->states.n_state + state;
    uint32_t n = 0;
    if (a->trace && !a->rule->asks_again) {
        *list = hf_answers_follow(a->answers, hf_answers_root(a->answers, key), a->rule->net);
        HF_TRY(a->rule->net->failure);
        if (*list) {
            return HF_OK;
        }
    }
    if (a->trace) {
        a->trace->n = 0;
        a->trace->is_over = false;
    }
    HF_TRY(find_hops(a, state, destination, &n));
    const hf_status status = hf_answers_list(a->cx, a->answers, a->hops, n, list);
    if (status == HF_ERANGE) {
        HF_FAIL(a->cx, HF_ERANGE, "%s: the relation has more than 2^31 hops", a->rule->file);
    }
    HF_TRY(status);
    return keep(a, key, *list);
}

/* ---- opening ---- */

const char *const hf_lua_dependencies[] = {"switch", "destination", "source", "tag", NULL};

hf_status hf_lua_asker_open(hf_context *cx, const hf_topology *topo, const hf_lua_rule *rule, hf_lua_asker *out) {
    *out = (hf_lua_asker){.cx = cx, .rule = rule, .own.allocator = *hf_context_allocator(cx), .answers = rule->known};
    out->answers = rule->known ? rule->known : &out->own;
    HF_TRY(rule->known ? hf_scratch(cx, 1, sizeof *out->trace, (void **)&out->trace) : HF_OK);
    return hf_lua_states_init(cx, rule->file, topo, rule->n_vc, rule->n_tag, rule->depends, &out->states);
}

void hf_lua_asker_close(hf_lua_asker *asker) {
    hf_answers_free(&asker->own);
    hf_release(hf_context_allocator(asker->cx), asker->hops);
    asker->hops = NULL;
}
