/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Rows of tables of distances. */
#include "src/routing/any/goals.h"

#include <string.h>

#include "src/core/machine.h"
#include "src/topology/search.h"

static const double memory_limit = 4294967296.0;
const char hf_goals_doing[] = "making the table of distances";

static uint32_t in_degree(const hf_topology *topo, uint32_t node) { return topo->in_begin[node + 1] - topo->in_begin[node]; }

/** \return the switch that alone leads to terminal t, else the terminal's own node */
static uint32_t goal_of(const hf_topology *topo, uint32_t t) {
    const uint32_t node = topo->n_switch + t;
    return in_degree(topo, node) == 1 ? topo->from[topo->in_list[topo->in_begin[node]]] : node;
}

/* Terminals by their own nodes, and switches by the first terminal that is left to them. */
uint32_t hf_goals_count(const hf_topology *topo) {
    uint32_t n = 0;
    for (uint32_t v = 0; v < topo->n_node; v++) {
        bool is_goal = hf_topology_is_terminal(topo, v) && in_degree(topo, v) != 1;
        for (uint32_t i = topo->out_begin[v]; i < topo->out_begin[v + 1] && !is_goal; i++) {
            const uint32_t to = topo->to[topo->out_list[i]];
            is_goal = hf_topology_is_terminal(topo, to) && goal_of(topo, to - topo->n_switch) == v;
        }
        n += is_goal;
    }
    return n;
}

static hf_status lay_out(hf_context *cx, hf_goals *goals) {
    const hf_topology *topo = goals->topo;
    uint32_t *row_of_node;
    HF_TRY(hf_scratch(cx, topo->n_node, sizeof *row_of_node, (void **)&row_of_node));
    for (uint32_t t = 0; t < topo->n_terminal; t++) {
        const uint32_t goal = goal_of(topo, t);
        if (row_of_node[goal] == 0) {
            goals->goal[goals->n_row++] = goal;
            row_of_node[goal] = goals->n_row;
        }
        goals->row[t] = row_of_node[goal] - 1;
    }
    return HF_OK;
}

hf_status hf_goals_init(hf_context *cx, const hf_plan *plan, size_t per_row, hf_goals *goals) {
    const hf_topology *topo = plan->topo;
    *goals = (hf_goals){.topo = topo, .failed = plan->faults->channel_set};
    HF_TRY(hf_scratch(cx, topo->n_terminal, sizeof *goals->row, (void **)&goals->row));
    HF_TRY(hf_scratch(cx, topo->n_terminal, sizeof *goals->goal, (void **)&goals->goal));
    HF_TRY(hf_scratch(cx, 2 * (size_t)topo->n_switch + 1, sizeof *goals->queue, (void **)&goals->queue));
    HF_TRY(lay_out(cx, goals));
    const double bytes = (double)goals->n_row * topo->n_switch * (double)per_row;
    return hf_machine_fits(cx, bytes, memory_limit, "the table of routing \"%s\" on \"%s\"", plan->routing->name, topo->spec);
}

uint32_t hf_goals_seeds(const hf_goals *goals, uint32_t row) {
    const hf_topology *topo = goals->topo;
    const uint32_t goal = goals->goal[row];
    uint32_t n = 0;
    if (!hf_topology_is_terminal(topo, goal)) {
        goals->queue[0] = goal;
        return 1;
    }
    for (uint32_t i = topo->in_begin[goal]; i < topo->in_begin[goal + 1]; i++) {
        const uint32_t c = topo->in_list[i];
        bool is_new = !hf_goals_is_failed(goals, c);
        for (uint32_t j = 0; j < n; j++) {
            is_new &= goals->queue[j] != topo->from[c];
        }
        if (is_new) {
            goals->queue[n++] = topo->from[c];
        }
    }
    return n;
}

typedef struct search {
    const hf_goals *goals;
    uint16_t *distance;
} search;

static hf_step enter(void *user, uint32_t from, uint32_t arc, uint32_t to) {
    const search *s = user;
    if (to >= s->goals->topo->n_switch || s->distance[to] != HF_FAR || hf_goals_is_failed(s->goals, arc)) {
        return HF_STEP_PASS;
    }
    s->distance[to] = (uint16_t)(s->distance[from] + 1);
    return HF_STEP_ENTER;
}

hf_status hf_goals_search(hf_context *cx, const hf_goals *goals, uint32_t row, uint16_t *distance) {
    HF_TRY(hf_context_go_on(cx, hf_goals_doing));
    search s = {goals, distance};
    const uint32_t n = hf_goals_seeds(goals, row);
    memset(distance, 0xff, goals->topo->n_switch * sizeof *distance); /* HF_FAR */
    for (uint32_t i = 0; i < n; i++) {
        distance[goals->queue[i]] = 0;
    }
    (void)hf_breadth_first(hf_channels(goals->topo, true), goals->queue, n, enter, &s);
    return HF_OK;
}

/* ---- all rows ---- */

/* A walk of sixty-four rows: bits of rows that have come to a switch, that come in this step, in the next. */
typedef struct waves {
    const hf_goals *goals;
    uint16_t *distance;
    uint64_t *seen, *now, *then;
    uint32_t *front, *next, n_front, n_next; /* switches with bits */
} waves;

static void reach(waves *w, uint32_t sw, uint64_t rows) {
    rows &= ~w->seen[sw];
    if (rows && !w->then[sw]) {
        w->next[w->n_next++] = sw;
    }
    w->then[sw] |= rows;
}

/* What came in the last step is there, at this distance. */
static void step(waves *w, uint32_t first, uint32_t distance) {
    uint64_t *const now = w->then;
    uint32_t *const front = w->next;
    w->then = w->now;
    w->next = w->front;
    w->now = now;
    w->front = front;
    w->n_front = w->n_next;
    w->n_next = 0;
    for (uint32_t i = 0; i < w->n_front; i++) {
        const uint32_t v = front[i];
        w->seen[v] |= now[v];
        for (uint64_t left = now[v]; left; left &= left - 1) {
            const uint32_t row = first + (uint32_t)__builtin_ctzll(left);
            w->distance[(size_t)v * w->goals->n_row + row] = (uint16_t)distance;
        }
    }
}

static void go_back(waves *w) {
    const hf_topology *topo = w->goals->topo;
    for (uint32_t i = 0; i < w->n_front; i++) {
        const uint32_t v = w->front[i];
        for (uint32_t k = topo->in_begin[v]; k < topo->in_begin[v + 1]; k++) {
            const uint32_t c = topo->in_list[k];
            if (topo->from[c] < topo->n_switch && !hf_goals_is_failed(w->goals, c)) {
                reach(w, topo->from[c], w->now[v]);
            }
        }
    }
    for (uint32_t i = 0; i < w->n_front; i++) {
        w->now[w->front[i]] = 0;
    }
}

static void walk(waves *w, uint32_t first) {
    const uint32_t n_row = w->goals->n_row;
    memset(w->seen, 0, w->goals->topo->n_switch * sizeof *w->seen);
    for (uint32_t row = first; row < n_row && row < first + 64; row++) {
        const uint32_t n = hf_goals_seeds(w->goals, row);
        for (uint32_t i = 0; i < n; i++) {
            reach(w, w->goals->queue[i], UINT64_C(1) << (row - first));
        }
    }
    for (uint32_t distance = 0; w->n_next; distance++) {
        step(w, first, distance);
        go_back(w);
    }
}

hf_status hf_goals_search_all(hf_context *cx, const hf_goals *goals, uint16_t *distance) {
    const uint32_t n = goals->topo->n_switch;
    waves w = {.goals = goals, .distance = distance};
    HF_TRY(hf_scratch(cx, n, sizeof *w.seen, (void **)&w.seen));
    HF_TRY(hf_scratch(cx, n, sizeof *w.now, (void **)&w.now));
    HF_TRY(hf_scratch(cx, n, sizeof *w.then, (void **)&w.then));
    HF_TRY(hf_scratch(cx, n, sizeof *w.front, (void **)&w.front));
    HF_TRY(hf_scratch(cx, n, sizeof *w.next, (void **)&w.next));
    memset(distance, 0xff, (size_t)n * goals->n_row * sizeof *distance); /* HF_FAR */
    for (uint32_t row = 0; row < goals->n_row; row += 64) {
        HF_TRY(hf_context_go_on(cx, hf_goals_doing));
        walk(&w, row);
    }
    return HF_OK;
}

bool hf_goals_is_cut_off(const hf_goals *goals, uint32_t destination) {
    const hf_topology *topo = goals->topo;
    const uint32_t node = topo->n_switch + destination;
    return in_degree(topo, node) == 1 && hf_goals_is_failed(goals, topo->in_list[topo->in_begin[node]]);
}

uint32_t hf_goals_degree(const hf_topology *topo) {
    uint32_t most = 1;
    for (uint32_t v = 0; v < topo->n_node; v++) {
        const uint32_t degree = topo->out_begin[v + 1] - topo->out_begin[v];
        most = degree > most ? degree : most;
    }
    return most;
}
