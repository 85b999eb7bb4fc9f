/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A repair that is good but not proved the best: dependencies are allowed one by one as long as they close no cycle, those first
 * that some pair needs. A dependency that would close a cycle now would do so ever after, so it is forbidden for good; the next
 * best path of the pair takes its place. Near pairs have the fewest paths and come first. Source of the idea: paths one by one
 * into an acyclic graph [skeie2002]; here the paths may come from any routing and all into one layer. */
#include <string.h>

#include <holdfast/bitset.h>

#include "src/analysis/deadlock/repair.h"
#include "src/topology/search.h"

typedef enum choice { OPEN, ALLOWED, FORBIDDEN } choice;

typedef struct guess {
    hf_repair_work *r;
    uint8_t *choice;           /* by edge of r->g */
    uint32_t *seen, n_seen;    /* by state: the search that met it last */
    uint32_t *came;            /* by state: the hop by which it was met */
    uint32_t *near, *distance; /* by node: channels to the destination; scratch */
} guess;

typedef struct closing {
    guess *g;
    uint32_t goal;
    bool is_met;
} closing;

static hf_step follow(void *user, uint32_t from, uint32_t e, uint32_t to) {
    (void)from;
    closing *c = user;
    hf_repair_work *r = c->g->r;
    if (c->g->choice[e] != ALLOWED || r->stamp[to] == r->n_stamp) {
        return HF_STEP_PASS;
    }
    r->stamp[to] = r->n_stamp;
    c->is_met = to == c->goal;
    return c->is_met ? HF_STEP_HALT : HF_STEP_ENTER;
}

/* Would a dependency close a cycle of allowed ones? */
static bool closes_cycle(guess *g, uint32_t from, uint32_t to) {
    hf_repair_work *r = g->r;
    closing c = {.g = g, .goal = from, .is_met = from == to};
    r->n_stamp++;
    r->stack[0] = to;
    r->stamp[to] = r->n_stamp;
    if (!c.is_met) {
        (void)hf_breadth_first(hf_rows_arcs(&r->g.out), r->stack, 1, follow, &c);
    }
    return c.is_met;
}

/* \return false: it is forbidden now */
static bool allow(guess *g, uint32_t from, uint32_t e) {
    if (g->choice[e] == OPEN) {
        g->choice[e] = closes_cycle(g, from, g->r->g.out.item[e]) ? FORBIDDEN : ALLOWED;
    }
    return g->choice[e] == ALLOWED;
}

/* Dependencies on no cycle are free; those that no repair forbids come first. */
static void start(guess *g) {
    hf_repair_work *r = g->r;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t v = 0; v < r->g.n; v++) {
            for (uint32_t e = r->g.out.begin[v]; e < r->g.out.begin[v + 1]; e++) {
                const bool is_free = r->level[v] != HF_NONE || r->level[r->g.out.item[e]] != HF_NONE;
                if (pass == 0) {
                    g->choice[e] = is_free ? ALLOWED : OPEN;
                } else if (r->column_of[e] == HF_NONE) {
                    (void)allow(g, v, e);
                }
            }
        }
    }
}

/* ---- one pair ---- */

static uint32_t resource_of(const guess *g, uint32_t state) {
    const hf_hop in = g->r->s.in[state];
    return in.channel * g->r->d.n_vc + in.vc;
}

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
            if (e != HF_NONE && g->choice[e] == FORBIDDEN) {
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
            if (e != HF_NONE && g->choice[e] == OPEN) {
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
            ok = s->edge[h] == HF_NONE || allow(g, resource_of(g, v), s->edge[h]);
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
            const uint32_t near = s == d || !hf_plan_is_live(plan, s) ? 0 : g->near[topo->n_switch + s];
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

hf_status hf_repair_guess(hf_repair_work *r, bool *is_found) {
    guess g = {.r = r};
    HF_TRY(hf_scratch(r->cx, r->g.n_edge, sizeof *g.choice, (void **)&g.choice));
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
