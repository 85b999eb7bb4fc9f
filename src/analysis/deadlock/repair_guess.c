/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  A repair that is good but not proved the best: dependencies are allowed one by one as long as they close no cycle, those first
 *  that some pair needs. A dependency that would close a cycle now would do so ever after, so it is forbidden for good; the next
 *  best path of the pair takes its place. Near pairs have the fewest paths and come first. Source of the idea: paths one by one
 *  into an acyclic graph [skeie2002]; here the paths may come from any routing and all into one layer. */
#include <string.h>

#include <holdfast/core/bitset.h>

#include "src/analysis/deadlock/repair_states.h"
#include "src/bridge/igraph.h"
#include "src/topology/search.h"

typedef struct guess {
    hf_repair_work *r;
    uint64_t *is_out;          /* n_edge bits: forbidden for good; what is neither out nor shut is allowed */
    uint32_t *seen, n_seen;    /* by state: the search that met it last */
    uint32_t *came;            /* by state: the hop by which it was met */
    uint32_t *near, *distance; /* by node: channels to the destination; scratch */
} guess;

/* Allow a dependency unless it closes a cycle of allowed ones. \return false: it is forbidden for good */
static bool allow(guess *g, uint32_t from, uint32_t e) {
    hf_repair_work *r = g->r;
    const uint32_t to = r->g.out.item[e];
    if (!hf_bit_test(r->is_shut, e) || hf_bit_test(g->is_out, e)) {
        return !hf_bit_test(g->is_out, e);
    }
    if (from == to || hf_repair_has_way(r, to, from)) {
        hf_bit_set(g->is_out, e);
        return false;
    }
    hf_bit_clear(r->is_shut, e);
    return true;
}

/* Dependencies on no cycle are free; those that no repair forbids come first. */
static void start(guess *g) {
    hf_repair_work *r = g->r;
    memset(r->is_shut, 0, hf_words(r->g.n_edge) * sizeof *r->is_shut);
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t v = 0; v < r->g.n; v++) {
            for (uint32_t e = r->g.out.begin[v]; e < r->g.out.begin[v + 1]; e++) {
                const bool is_free = r->level[v] != HF_NONE || r->level[r->g.out.item[e]] != HF_NONE;
                if (pass == 0 && !is_free) {
                    hf_bit_set(r->is_shut, e);
                } else if (pass == 1 && r->column_of[e] == HF_NONE) {
                    (void)allow(g, v, e);
                }
            }
        }
    }
}

/* ---- one pair ---- */

/* A way with few open dependencies and none forbidden. \return its last hop, HF_NONE: there is none */
static uint32_t find_way(guess *g, uint32_t root) {
    const hf_repair_states *s = &g->r->s;
    uint32_t *queue = g->r->queue, head = 2 * s->n + s->n_hop, tail = head;
    g->seen[root] = ++g->n_seen;
    queue[tail++] = root;
    while (head < tail) {
        const uint32_t v = queue[head++];
        for (uint32_t h = s->begin[v]; h < s->begin[v + 1]; h++) {
            const uint32_t e = s->edge[h], to = s->to[h];
            if (e != HF_NONE && hf_bit_test(g->is_out, e)) {
                continue;
            }
            if (to == HF_REPAIR_DELIVERED) {
                return h;
            }
            if (g->seen[to] == g->n_seen) {
                continue;
            }
            g->seen[to] = g->n_seen;
            g->came[to] = h;
            if (e != HF_NONE && hf_bit_test(g->r->is_shut, e)) {
                queue[tail++] = to;
            } else {
                queue[--head] = to;
            }
        }
    }
    return HF_NONE;
}

/* Allow the dependencies of some way of a pair. \return false: none is left */
static bool serve(guess *g, uint32_t root) {
    const hf_repair_states *s = &g->r->s;
    for (;;) {
        uint32_t h = find_way(g, root);
        bool ok = h != HF_NONE;
        if (!ok) {
            return false;
        }
        while (ok) {
            const uint32_t v = s->of[h];
            ok = s->edge[h] == HF_NONE || allow(g, hf_dependency_resource(&g->r->d, s->in[v]), s->edge[h]);
            if (v == root) {
                break;
            }
            h = g->came[v];
        }
        if (ok) {
            return true;
        }
    }
}

/* ---- all pairs ---- */

/* Pairs that are `length` channels apart. \param[in,out] most channels of any pair \return false: a pair cannot be served, or
 * time is over */
static bool serve_length(guess *g, uint32_t length, uint32_t *most) {
    const hf_plan *plan = g->r->plan;
    const hf_topology *topo = plan->topo;
    for (uint32_t d = 0; d < topo->n_terminal; d++) {
        if (!hf_plan_is_live(plan, d)) {
            continue;
        }
        hf_distances(topo, plan->faults->channel_set, topo->n_switch + d, true, g->distance, g->near);
        for (uint32_t s = 0; s < topo->n_terminal; s++) {
            const uint32_t near = !hf_plan_sends(plan, s, d) ? 0 : g->near[topo->n_switch + s];
            if (near == HF_NONE || (near == length && !serve(g, g->r->s.first[d] + s))) {
                return false;
            }
            *most = near > *most ? near : *most;
        }
        if (hf_clock_s() >= g->r->end_s) {
            return false;
        }
    }
    return true;
}

/* What no pair needs is allowed too, as far as it goes. \return whether all that is forbidden can be, in time */
static bool finish(guess *g) {
    hf_repair_work *r = g->r;
    for (uint32_t v = 0; v < r->g.n && hf_clock_s() < r->end_s; v++) {
        for (uint32_t e = r->g.out.begin[v]; e < r->g.out.begin[v + 1]; e++) {
            if (allow(g, v, e)) {
                continue;
            }
            if (r->column_of[e] == HF_NONE) {
                return false;
            }
            hf_bit_set(r->forbidden, r->column_of[e]);
        }
    }
    return hf_clock_s() < r->end_s;
}

/* Dependencies to forbid so that no cycle is left and every pair keeps a path, where packets look ahead; none of which could be
 * allowed again. \param[out] is_found and the columns in r->forbidden, or not found before r->end_s.
 * Time O(pairs * states + dependencies^2) */
static hf_status allow_all(hf_repair_work *r, bool *is_found) {
    guess g = {.r = r};
    HF_TRY(hf_scratch(r->cx, hf_words(r->g.n_edge), sizeof *g.is_out, (void **)&g.is_out));
    HF_TRY(hf_scratch(r->cx, r->s.n, sizeof *g.seen, (void **)&g.seen));
    HF_TRY(hf_scratch(r->cx, r->s.n, sizeof *g.came, (void **)&g.came));
    HF_TRY(hf_scratch(r->cx, r->plan->topo->n_node, sizeof *g.near, (void **)&g.near));
    HF_TRY(hf_scratch(r->cx, r->plan->topo->n_node, sizeof *g.distance, (void **)&g.distance));
    start(&g);
    uint32_t most = 1;
    *is_found = true;
    for (uint32_t length = 1; length <= most && *is_found; length++) {
        *is_found = serve_length(&g, length, &most);
    }
    *is_found = *is_found && finish(&g);
    return HF_OK;
}

/* ---- other ways to one, and the best of them ---- */

/* Is what is forbidden a repair? */
static bool is_repair(hf_repair_work *r) {
    hf_repair_look(r);
    for (uint32_t v = 0; v < r->s.n; v++) {
        if (r->by[v] != HF_NONE && !hf_repair_has_hops(r, v)) {
            return false;
        }
    }
    hf_repair_shut_unused(r);
    for (uint32_t root = 0; root < r->g.n; root++) {
        if (r->level[root] == HF_NONE && hf_repair_has_way(r, root, root)) {
            return false;
        }
    }
    return true;
}

/* A feedback arc set by igraph's heuristic instead, if it is smaller and a repair. */
static hf_status try_feedback(hf_repair_work *r, bool *is_found) {
    const uint32_t n = r->n_column;
    uint32_t *from, *to, n_back = 0;
    uint64_t *before;
    uint8_t *is_back;
    HF_TRY(hf_scratch(r->cx, n, sizeof *from, (void **)&from));
    HF_TRY(hf_scratch(r->cx, n, sizeof *to, (void **)&to));
    HF_TRY(hf_scratch(r->cx, n, sizeof *is_back, (void **)&is_back));
    HF_TRY(hf_scratch(r->cx, hf_words(n), sizeof *before, (void **)&before));
    for (uint32_t c = 0; c < n; c++) {
        from[c] = hf_repair_tail(r, r->first_edge[c]);
        to[c] = r->g.out.item[r->first_edge[c]];
    }
    HF_TRY(hf_igraph_feedback(r->cx, r->g.n, n, from, to, is_back));
    memcpy(before, r->forbidden, hf_words(n) * sizeof *before);
    memset(r->forbidden, 0, hf_words(n) * sizeof *before);
    for (uint32_t i = 0; i < n; i++) {
        if (is_back[i]) {
            hf_bit_set(r->forbidden, i);
            n_back++;
        }
    }
    const bool is_less = !*is_found || n_back < hf_bits_count(before, hf_words(n));
    if (is_less && is_repair(r)) {
        *is_found = true;
    } else {
        memcpy(r->forbidden, before, hf_words(n) * sizeof *before);
    }
    return HF_OK;
}

/* From a repair for packets that look ahead: forbid also, for all, what leads to where a packet is stuck. \return false: that is
 * an injection, or never ends in time */
static bool close_ends(hf_repair_work *r) {
    bool is_stuck = true;
    while (is_stuck && hf_clock_s() < r->end_s) {
        is_stuck = false;
        hf_repair_look(r);
        for (uint32_t v = 0; v < r->s.n; v++) {
            if (r->by[v] == HF_NONE || hf_repair_has_hops(r, v)) {
                continue;
            }
            const uint32_t e = r->by[v] == HF_NONE - 1 ? HF_NONE : r->s.edge[r->by[v]];
            if (e == HF_NONE || r->column_of[e] == HF_NONE) {
                return false;
            }
            hf_bit_set(r->forbidden, r->column_of[e]);
            is_stuck = true;
        }
    }
    return !is_stuck;
}

hf_status hf_repair_guess(hf_repair_work *r, hf_repair *out) {
    const bool looks_ahead = r->looks_ahead;
    bool is_found = false;
    r->end_s = hf_clock_s() + r->limit_s;
    memset(r->forbidden, 0, hf_words(r->n_column) * sizeof *r->forbidden);
    HF_TRY(allow_all(r, &is_found));
    r->looks_ahead = true;
    is_found &= is_repair(r);
    HF_TRY(try_feedback(r, &is_found));
    r->looks_ahead = looks_ahead;
    out->is_found = is_found && (looks_ahead || (close_ends(r) && is_repair(r)));
    out->n_forbidden = (uint32_t)hf_bits_count(r->forbidden, hf_words(r->n_column));
    return HF_OK;
}
