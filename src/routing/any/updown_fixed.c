/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Verdicts of up* / down* where faults do not change the levels: a bit for each switch with terminals, from the lowest switches
 *  up what can be reached by going down, from the highest down what can be reached at all. Measures come from the plan, and
 *  verdicts, too, where channels of terminals fail. */
#include <stdlib.h>
#include <string.h>

#include "src/routing/any/updown.h"

typedef struct fixed_judge {
    hf_judge base;
    hf_allocator allocator;
    hf_context *cx; /* its arena holds what all sets share */
    const hf_universe *universe;
    hf_fault_stack failed;
    size_t words;
    uint32_t *arc[2], n_arc[2]; /* HF_UP, HF_DOWN: channels between switches, those that others lead to before them */
    uint64_t *own, *reach[2];   /* n_switch rows: the switch itself, if it has terminals; what it reaches so */
    uint64_t *all;              /* a row */
} fixed_judge;

static hf_status push(hf_context *cx, hf_judge *base, uint32_t component) {
    return hf_fault_stack_push(cx, &((fixed_judge *)base)->failed, component);
}

static void pop(hf_judge *base) { (void)hf_fault_stack_pop(&((fixed_judge *)base)->failed); }

/* What each switch reaches by channels of one kind, and from there as it is in `reach` already. */
static void follow(fixed_judge *j, const hf_fault_set *faults, int kind) {
    const hf_topology *topo = faults->topo;
    for (uint32_t i = 0; i < j->n_arc[kind]; i++) {
        const uint32_t c = j->arc[kind][i];
        if (!hf_bit_test(faults->channel_set, c)) {
            (void)hf_bits_or(j->reach[kind] + topo->from[c] * j->words, j->reach[kind] + topo->to[c] * j->words, j->words);
        }
    }
}

static bool serves_all(const fixed_judge *j, const hf_topology *topo) {
    bool serves = true;
    for (uint32_t v = 0; v < topo->n_switch && serves; v++) {
        const uint64_t *own = j->own + v * j->words;
        serves =
            hf_bits_count(own, j->words) == 0 || memcmp(j->reach[HF_UP] + v * j->words, j->all, j->words * sizeof *j->all) == 0;
    }
    return serves;
}

static hf_status judge_set(hf_context *cx, fixed_judge *j, hf_measure *out) {
    hf_fault_set faults;
    HF_TRY(hf_fault_set_make(cx, j->universe, j->failed.component, j->failed.depth, &faults));
    const hf_topology *topo = faults.topo;
    for (uint32_t i = 0; i < faults.n_channel; i++) {
        if (topo->link[faults.channel[i]] >= topo->n_switch_link) {
            HF_FAIL(cx, HF_ENOTSUP, "the rule is asked set by set");
        }
    }
    const size_t size = topo->n_switch * j->words * sizeof *j->own;
    memcpy(j->reach[HF_DOWN], j->own, size);
    follow(j, &faults, HF_DOWN);
    memcpy(j->reach[HF_UP], j->reach[HF_DOWN], size);
    follow(j, &faults, HF_UP);
    *out = (hf_measure){.tolerated = serves_all(j, topo), .live = topo->n_terminal};
    return HF_OK;
}

static hf_status verdict(hf_context *cx, hf_judge *base, hf_measure *out) {
    const hf_mark mark = hf_scratch_mark(cx);
    const hf_status status = judge_set(cx, (fixed_judge *)base, out);
    hf_scratch_reset(cx, mark);
    return status;
}

static void release(hf_judge *base) {
    fixed_judge *j = (fixed_judge *)base;
    const hf_allocator allocator = j->allocator;
    hf_release(&allocator, j->failed.component);
    hf_context_free(j->cx);
    hf_release(&allocator, j);
}

static const hf_judge_ops ops = {.push = push, .pop = pop, .verdict = verdict, .free = release};

/* ---- making ---- */

/* A bit for each switch with terminals. */
static hf_status number_goals(fixed_judge *j) {
    const hf_topology *topo = j->universe->topo;
    const size_t words = j->words = hf_words(topo->n_switch);
    HF_TRY(hf_scratch(j->cx, words, sizeof *j->all, (void **)&j->all));
    HF_TRY(hf_scratch(j->cx, topo->n_switch * words, sizeof *j->own, (void **)&j->own));
    HF_TRY(hf_scratch(j->cx, topo->n_switch * words, sizeof **j->reach, (void **)&j->reach[HF_UP]));
    HF_TRY(hf_scratch(j->cx, topo->n_switch * words, sizeof **j->reach, (void **)&j->reach[HF_DOWN]));
    for (uint32_t t = 0; t < topo->n_terminal; t++) {
        hf_bit_set(j->own + topo->terminal_switch[t] * words, topo->terminal_switch[t]);
        hf_bit_set(j->all, topo->terminal_switch[t]);
    }
    return HF_OK;
}

typedef struct keyed {
    uint32_t key, channel;
} keyed;

static int by_key(const void *a, const void *b) {
    const keyed *x = a, *y = b;
    return x->key != y->key ? (x->key < y->key ? -1 : 1) : (x->channel > y->channel) - (x->channel < y->channel);
}

/* Ways down are known from the lowest switches on, ways up from the highest. Switches in the order of levels have places. */
static hf_status sort_arcs(fixed_judge *j, const uint32_t *level, int kind) {
    const hf_topology *topo = j->universe->topo;
    keyed *arc;
    HF_TRY(hf_scratch(j->cx, topo->n_channel, sizeof *arc, (void **)&arc));
    HF_TRY(hf_scratch(j->cx, topo->n_channel, sizeof **j->arc, (void **)&j->arc[kind]));
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        const uint32_t from = topo->from[c], to = topo->to[c];
        if (from < topo->n_switch && to < topo->n_switch && hf_updown_is_up(topo, level, c) == (kind == HF_UP)) {
            arc[j->n_arc[kind]++] = (keyed){kind == HF_UP ? level[from] : HF_NONE - level[from], c};
        }
    }
    qsort(arc, j->n_arc[kind], sizeof *arc, by_key);
    for (uint32_t i = 0; i < j->n_arc[kind]; i++) {
        j->arc[kind][i] = arc[i].channel;
    }
    return HF_OK;
}

static hf_status fill(fixed_judge *j, hf_updown_levels_of *find_levels) {
    const hf_topology *topo = j->universe->topo;
    hf_plan plan = {.topo = topo};
    uint32_t *queue, *level;
    HF_TRY(hf_scratch(j->cx, topo->n_node, sizeof *queue, (void **)&queue));
    HF_TRY(hf_scratch(j->cx, topo->n_switch, sizeof *level, (void **)&level));
    HF_TRY(find_levels(j->cx, &plan, queue, level));
    HF_TRY(number_goals(j));
    HF_TRY(sort_arcs(j, level, HF_UP));
    return sort_arcs(j, level, HF_DOWN);
}

hf_status hf_updown_fixed_judge_new(hf_context *cx, const hf_universe *universe, hf_updown_levels_of *find_levels,
                                    hf_judge **out) {
    fixed_judge *j;
    if (!hf_topology_has_plain_terminals(universe->topo)) {
        HF_FAIL(cx, HF_ENOTSUP, "terminals on several switches");
    }
    HF_TRY(hf_allocate(cx, 1, sizeof *j, (void **)&j));
    *j = (fixed_judge){.base = {.ops = &ops}, .allocator = *hf_context_allocator(cx), .universe = universe};
    j->cx = hf_context_new(&j->allocator);
    if (j->cx && fill(j, find_levels) == HF_OK) {
        *out = &j->base;
        return HF_OK;
    }
    release(&j->base);
    HF_FAIL(cx, HF_ENOMEM, "out of memory: the ways of a judge cannot be had");
}
