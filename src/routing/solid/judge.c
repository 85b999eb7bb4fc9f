/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The judge of campaigns over solid faults: every set is planned and measured; the measure finds out whether every pair in
 *  service is delivered, so the relation need not be walked a second time. For the verdict alone messages are followed only where
 *  a fault lies on a plain way: e-cube's, of adaptive rules every shortest one. */
#include <string.h>

#include <holdfast/core/bitset.h>

#include "src/routing/grid/route.h"
#include "src/routing/set_judge.h"
#include "src/routing/solid/clusters.h"

enum { BLOCKS_MIB = 16 };

typedef struct judge {
    hf_set_judge set;
    const hf_routing *routing;
    const hf_args *args;
    hf_solid_clusters *clusters; /* NULL: every set is looked at */
    hf_solid_blocks blocks;
    uint64_t row[];
} judge;

/* ---- plain ways ---- */

/* Steps from digit to digit of dimension d, in + direction or in the other. */
static uint32_t steps(const hf_grid *grid, uint32_t d, bool is_plus, uint32_t from, uint32_t to) {
    const uint32_t a = is_plus ? from : to, b = is_plus ? to : from;
    return b >= a ? b - a : b + grid->size[d] - a;
}

/* Is a digit between those of two nodes, their own or not? */
static bool is_between(uint32_t a, uint32_t b, uint32_t x) { return a < b ? a <= x && x <= b : b <= x && x <= a; }

/* Does the part of a plain way along dimension i pass digit x, and as `is_link` the next one, too? */
static bool passes(const hf_solid *s, uint32_t i, uint32_t x, uint32_t from, uint32_t goal, bool is_link) {
    const uint32_t a = hf_solid_digit(s, from, i), b = hf_solid_digit(s, goal, i);
    if (!s->grid.wraps[i]) {
        return is_between(a, b, x) && (!is_link || is_between(a, b, x + 1));
    }
    const bool is_plus = hf_grid_way_round(&s->grid, HF_GRID_TIES_BALANCED, from, goal, i) >= 0;
    const uint32_t all = steps(&s->grid, i, is_plus, a, b), done = steps(&s->grid, i, is_plus, a, x);
    if (!is_link || is_plus) {
        return is_link ? done < all : done <= all;
    }
    return done > 0 && done <= all && steps(&s->grid, i, false, a, (x + 1) % s->grid.size[i]) < all;
}

/* What holds of a way to one goal and a digit of a dimension. A link lies on a plain way if something of each of its digits does.
 */
enum { PASSES, PASSES_LINK, BEGINS, ENDS, THINGS };
typedef struct ways {
    const hf_solid_plan *plan;
    uint32_t goal, size_max;
    size_t words;
    uint64_t *row; /* by dimension, digit and thing: switches from which it holds */
} ways;

static uint64_t *row_at(const ways *w, uint32_t i, uint32_t x, uint32_t thing) {
    return w->row + (((size_t)i * w->size_max + x) * THINGS + thing) * w->words;
}

static bool holds(const hf_solid *s, uint32_t i, uint32_t x, uint32_t from, uint32_t goal, uint32_t thing) {
    return thing == BEGINS ? hf_solid_digit(s, from, i) == x
           : thing == ENDS ? hf_solid_digit(s, goal, i) == x
                           : passes(s, i, x, from, goal, thing == PASSES_LINK);
}

static void find_ways(ways *w, uint32_t goal) {
    const hf_solid *s = &w->plan->solid;
    w->goal = goal;
    memset(w->row, 0, s->grid.n * w->size_max * THINGS * w->words * sizeof *w->row);
    for (uint32_t i = 0; i < s->grid.n; i++) {
        for (uint32_t at = 0; at < s->grid.size[i] * THINGS; at++) {
            for (uint32_t from = 0; from < s->topo->n_switch; from++) {
                if (holds(s, i, at / THINGS, from, goal, at % THINGS)) {
                    hf_bit_set(row_at(w, i, at / THINGS, at % THINGS), from);
                }
            }
        }
    }
}

/* The switches from which the link in + direction of dimension d at `node` lies on a plain way to the goal. */
static void meet_ways(const ways *w, uint32_t d, uint32_t node, uint64_t *row) {
    const hf_solid *s = &w->plan->solid;
    memcpy(row, row_at(w, d, hf_solid_digit(s, node, d), PASSES_LINK), w->words * sizeof *row);
    for (uint32_t i = 0; i < s->grid.n; i++) {
        const uint32_t thing = w->plan->options.is_adaptive ? PASSES : i < d ? ENDS : BEGINS;
        const uint64_t *other = row_at(w, i, hf_solid_digit(s, node, i), thing);
        for (size_t k = 0; i != d && k < w->words; k++) {
            row[k] &= other[k];
        }
    }
}

size_t hf_solid_blocks_size(const hf_topology *topo, uint32_t n_dim) {
    return (size_t)n_dim * topo->n_switch * topo->n_switch * hf_words(topo->n_switch);
}

hf_status hf_solid_blocks_fill(hf_context *cx, const hf_solid_plan *plan, hf_solid_blocks *blocks) {
    const hf_grid *grid = &plan->solid.grid;
    const uint32_t n = plan->solid.topo->n_switch;
    ways w = {.plan = plan, .words = blocks->words};
    for (uint32_t d = 0; d < grid->n; d++) {
        w.size_max = grid->size[d] > w.size_max ? grid->size[d] : w.size_max;
    }
    HF_TRY(hf_scratch(cx, (size_t)grid->n * w.size_max * THINGS * w.words, sizeof *w.row, (void **)&w.row));
    for (uint32_t goal = 0; goal < n; goal++) {
        find_ways(&w, goal);
        for (uint32_t link = 0; link < grid->n * n; link++) {
            meet_ways(&w, link / n, link % n, blocks->row + ((size_t)link * n + goal) * blocks->words);
        }
    }
    return HF_OK;
}

/* ---- sets ---- */

static hf_plan plan_of(const judge *j, const hf_fault_set *faults) {
    return (hf_plan){.routing = j->routing, .topo = faults->topo, .faults = faults, .args = j->args};
}

static uint32_t count_live(const hf_plan *plan) { return (uint32_t)hf_bits_count(plan->live, hf_words(plan->topo->n_terminal)); }

static hf_status decide(hf_context *cx, const hf_set_judge *set, const hf_fault_set *faults, hf_measure *out) {
    const judge *j = (const judge *)set;
    hf_plan plan = plan_of(j, faults);
    HF_TRY(j->routing->plan(cx, &plan));
    *out = (hf_measure){.live = count_live(&plan)};
    return hf_solid_serves(cx, &plan, &j->blocks, &out->tolerated);
}

static hf_status recall(hf_context *cx, const hf_set_judge *set, bool *knows, hf_measure *out) {
    const judge *j = (const judge *)set;
    return j->clusters ? hf_solid_clusters_decide(cx, j->clusters, &set->failed, knows, out) : HF_OK;
}

static hf_status measure(hf_context *cx, const hf_set_judge *set, const hf_fault_set *faults, hf_measure *out) {
    const judge *j = (const judge *)set;
    hf_plan plan = plan_of(j, faults);
    HF_TRY(j->routing->plan(cx, &plan));
    *out = (hf_measure){.live = count_live(&plan)};
    return hf_solid_survey(cx, &plan, out, &out->tolerated);
}

/* ---- making ---- */

static void drop(hf_set_judge *set) { hf_solid_clusters_free(((judge *)set)->clusters); }

static hf_status find_blocks(hf_context *cx, judge *j) {
    const hf_mark mark = hf_scratch_mark(cx);
    hf_fault_set none;
    HF_TRY(hf_fault_set_make(cx, j->set.universe, NULL, 0, &none));
    hf_plan plan = plan_of(j, &none);
    HF_TRY(j->routing->plan(cx, &plan));
    j->blocks = (hf_solid_blocks){hf_words(none.topo->n_switch), j->row};
    HF_TRY(hf_solid_blocks_fill(cx, plan.state, &j->blocks));
    j->set.decide = decide;
    hf_scratch_reset(cx, mark);
    return HF_OK;
}

hf_status hf_solid_judge_new(hf_context *cx, const hf_routing *routing, const hf_universe *universe, const hf_args *args,
                             hf_judge **out) {
    judge *j;
    hf_grid grid;
    const bool is_grid = hf_grid_of(universe->topo, &grid);
    const size_t size = is_grid ? hf_solid_blocks_size(universe->topo, grid.n) * sizeof *j->row : 0;
    const bool fits = is_grid && size <= (size_t)BLOCKS_MIB << 20;
    HF_TRY(hf_set_judge_new(cx, universe, measure, sizeof *j + (fits ? size : 0), (void **)&j));
    j->set.recall = recall;
    j->set.drop = drop;
    j->routing = routing;
    j->args = args;
    hf_status status = fits ? find_blocks(cx, j) : HF_OK;
    status = status == HF_OK ? hf_solid_clusters_new(cx, routing, universe, args, &j->clusters) : status;
    if (status != HF_OK) {
        j->set.base.ops->free(&j->set.base);
        return status;
    }
    *out = &j->set.base;
    return HF_OK;
}
