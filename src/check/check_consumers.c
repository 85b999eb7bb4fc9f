/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Packets that have arrived and wait until they can be answered, in certificates of freedom from deadlock: a terminal after the
 *  other, and there those together whose answers may be injected on the same hops. */
#include <string.h>

#include "src/check/check.h"

/* Answers at one terminal. */
typedef struct counter {
    check *c;
    const hf_class_answer *rule;
    uint32_t at;
    place *answer; /* by terminal that it is for: its hops */
    bool *from;    /* by terminal: packets from there are looked at */
    bool *is_done; /* by terminal: its answer was looked at */
} counter;

static bool has_answer(const counter *k, uint32_t t) {
    const hf_plan *asked = &k->c->whole.of_class[k->rule->of], *answer = &k->c->whole.of_class[k->rule->with];
    return k->rule->to_any ? hf_plan_sends(answer, k->at, t) : hf_plan_sends(asked, t, k->at);
}

static hf_status read_answers(counter *k) {
    check *c = k->c;
    check_class(c, k->rule->with);
    for (uint32_t t = 0; t < c->net.topo->n_terminal; t++) {
        k->answer[t] = (place){0};
        k->is_done[t] = !has_answer(k, t);
        if (!k->is_done[t]) {
            HF_TRY(hf_scratch(c->cx, c->net.plan.max_hops, sizeof *k->answer[t].hop, (void **)&k->answer[t].hop));
            HF_TRY(check_hops(c, c->net.topo->n_switch + k->at, HF_HOP_INJECTION, t, k->answer[t].hop, &k->answer[t].n_hop));
        }
    }
    return HF_OK;
}

static bool are_same(const place *a, const place *b) {
    bool same = a->n_hop == b->n_hop;
    for (size_t i = 0; i < a->n_hop && same; i++) {
        same = hf_hops_hold(b->hop, b->n_hop, a->hop[i]);
    }
    return same;
}

/* All answers that may go as the one to `first`; packets whose answer is one of them. */
static void gather(counter *k, uint32_t first) {
    for (uint32_t t = 0; t < k->c->net.topo->n_terminal; t++) {
        const bool is_one = !k->is_done[t] && are_same(&k->answer[first], &k->answer[t]);
        k->from[t] = is_one || k->rule->to_any;
        k->is_done[t] |= is_one;
    }
}

/* Packets that arrive there from `from` wait for the answer to `first`. */
static hf_status check_arrivals(counter *k, uint32_t first, books *b) {
    check *c = k->c;
    place *places;
    size_t count;
    check_class(c, k->rule->of);
    c->only = k->from;
    const hf_status status = check_places(c, k->at, &places, &count);
    c->only = NULL;
    HF_TRY(status);
    for (size_t i = 0; i < count && !check_is_refuted(c); i++) {
        if (places[i].in.channel == HF_NONE || places[i].at != c->net.topo->n_switch + k->at) {
            continue;
        }
        const place p = {places[i].in, places[i].at, k->answer[first].n_hop, k->answer[first].hop};
        if (c->is.method == HF_METHOD_FIXPOINT) {
            check_sinking(c, &p, k->at, b);
        } else {
            check_rising(c, &p, k->at, b);
        }
    }
    return HF_OK;
}

static hf_status check_at(counter *k, books *b) {
    HF_TRY(read_answers(k));
    for (uint32_t t = 0; t < k->c->net.topo->n_terminal && !check_is_refuted(k->c); t++) {
        if (!k->is_done[t]) {
            gather(k, t);
            HF_TRY(check_arrivals(k, t, b));
        }
    }
    return HF_OK;
}

hf_status check_consumers(check *c, books *b) {
    const uint32_t n = c->net.topo->n_terminal;
    counter k = {.c = c};
    HF_TRY(hf_scratch(c->cx, n, sizeof *k.answer, (void **)&k.answer));
    HF_TRY(hf_scratch(c->cx, n, sizeof *k.from, (void **)&k.from));
    HF_TRY(hf_scratch(c->cx, n, sizeof *k.is_done, (void **)&k.is_done));
    for (uint32_t i = 0; i < c->whole.classes->n_answer; i++) {
        k.rule = &c->whole.classes->answer[i];
        for (k.at = 0; k.at < n && !check_is_refuted(c); k.at++) {
            const hf_mark mark = hf_scratch_mark(c->cx);
            HF_TRY(hf_plan_is_live(&c->whole, k.at) ? check_at(&k, b) : HF_OK);
            hf_scratch_reset(c->cx, mark);
        }
    }
    return HF_OK;
}
