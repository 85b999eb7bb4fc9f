/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The fast path of campaigns with layered-shortest: the ways of each set, of which only those that the faults touch are made
 *  anew (layered_change.c), against those without faults. There is one way a pair; it is kept if every channel is the same and
 *  the layer, too. Where terminals have one channel each way the touched ways are counted, and those of what is cut off; else
 *  the rows are compared. */
#include <string.h>

#include "src/routing/any/layered_count.h"
#include "src/routing/any/layered_judge.h"

typedef struct shortest_judge {
    hf_layered_judge base;
    hf_layered free;
    hf_laying laying;
    hf_layered_change change;
    uint64_t *used;    /* by channel: rows of which it is on a way */
    uint64_t *touched; /* rows, of one set */
    bool counts;       /* touched ways are counted */
    hf_layered_count count;
} shortest_judge;

/* ---- sets ---- */

/* Find the rows that faults may touch, and their ways. */
static void change_rows(shortest_judge *j, const hf_fault_set *faults) {
    const uint32_t n_row = j->free.goals.n_row;
    const size_t words = hf_words(n_row);
    memset(j->touched, 0, words * sizeof *j->touched);
    for (uint32_t i = 0; i < faults->n_channel; i++) {
        (void)hf_bits_or(j->touched, j->used + faults->channel[i] * words, words);
    }
    hf_layered_change_begin(&j->change, faults);
    for (size_t row = hf_bits_next(j->touched, n_row, 0); row < n_row; row = hf_bits_next(j->touched, n_row, row + 1)) {
        hf_layered_change_row(&j->change, (uint32_t)row);
    }
}

static hf_status change(hf_context *cx, hf_layered_judge *base, const hf_fault_set *faults, bool is_laid,
                        const hf_layered **now) {
    shortest_judge *j = (shortest_judge *)base;
    change_rows(j, faults);
    *now = &j->change.now;
    return is_laid ? hf_layered_judge_pass(cx, base, hf_layered_change_lay(cx, base->cx, &j->change)) : HF_OK;
}

static void read(hf_layered_judge *base, bool cuts, hf_layered_reading *r) {
    shortest_judge *j = (shortest_judge *)base;
    const bool all_differ = r->is_closed || j->change.is_laid_anew;
    if (j->counts && !all_differ) {
        r->lost = hf_layered_count_lost(&j->count, &j->change, &r->serves_all);
    } else if (cuts || all_differ) {
        hf_layered_judge_read_all(base, r);
    } else {
        for (uint32_t i = 0; i < j->change.n_row; i++) {
            hf_layered_compare_row(&base->compare, r, j->change.row[i]);
        }
    }
}

/* Sources are looked at only where distances have changed. */
static void serve(hf_layered_judge *base, bool cuts, hf_layered_reading *r) {
    shortest_judge *j = (shortest_judge *)base;
    if (j->counts) {
        (void)hf_layered_count_lost(&j->count, &j->change, &r->serves_all);
    } else if (cuts) {
        hf_layered_judge_serve_all(base, r);
    } else {
        for (uint32_t i = 0; i < j->change.n_row && r->serves_all; i++) {
            r->serves_all = !j->change.is_farther[i] || hf_layered_compare_serves(&base->compare, r->now, j->change.row[i]);
        }
    }
}

static void measure(const hf_layered_judge *base, hf_measure *out) {
    hf_layered_change_measure(&((const shortest_judge *)base)->change, out);
}

static void undo(hf_layered_judge *base) { hf_layered_change_undo(&((shortest_judge *)base)->change); }

/* ---- making ---- */

/* The channels to a terminal on several switches are on ways of its row, too. */
static hf_status find_used(shortest_judge *j) {
    const hf_topology *topo = j->base.universe->topo;
    const size_t words = hf_words(j->free.goals.n_row);
    HF_TRY(hf_scratch(j->base.cx, words, sizeof *j->touched, (void **)&j->touched));
    HF_TRY(hf_scratch(j->base.cx, topo->n_channel * words, sizeof *j->used, (void **)&j->used));
    for (uint32_t row = 0; row < j->free.goals.n_row; row++) {
        const uint32_t *next = j->free.next + (size_t)row * topo->n_switch, goal = j->free.goals.goal[row];
        for (uint32_t v = 0; v < topo->n_switch; v++) {
            if (next[v] != HF_NONE) {
                hf_bit_set(j->used + next[v] * words, row);
            }
        }
        for (uint32_t i = topo->in_begin[goal]; hf_topology_is_terminal(topo, goal) && i < topo->in_begin[goal + 1]; i++) {
            hf_bit_set(j->used + topo->in_list[i] * words, row);
        }
    }
    return HF_OK;
}

static hf_status fill(hf_layered_judge *base) {
    shortest_judge *j = (shortest_judge *)base;
    const hf_plan plan = hf_layered_judge_plan(base, &base->no_faults);
    const uint32_t n_table = 3; /* those of the set, and what is compared with */
    HF_TRY(hf_layered_whole(base->cx, &plan, n_table, &j->free, &j->laying));
    HF_TRY(hf_layered_change_init(base->cx, &j->free, &j->laying, base->args, &j->change));
    if (hf_layered_judge_refuses(base, &j->free)) {
        HF_FAIL(base->cx, HF_ENOTSUP, "the ways without faults need more layers than there are");
    }
    HF_TRY(find_used(j));
    HF_TRY(hf_layered_compare_init(base->cx, &j->free, &base->compare));
    j->counts = hf_layered_count_fits(plan.topo);
    return j->counts ? hf_layered_count_init(base->cx, &j->free, &base->compare.members, &j->count) : HF_OK;
}

static const hf_layered_judging how = {.size = sizeof(shortest_judge),
                                       .fill = fill,
                                       .change = change,
                                       .read = read,
                                       .serve = serve,
                                       .measure = measure,
                                       .undo = undo};

hf_status hf_layered_shortest_judge_new(hf_context *cx, const hf_universe *universe, const hf_rule *rule, hf_judge **out) {
    return hf_layered_judge_make(cx, universe, rule, &how, out);
}
