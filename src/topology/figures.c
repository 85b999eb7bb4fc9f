/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Degree, diameter and mean distance: breadth-first search between switches that carry terminals, 64 sources at a time, one bit
 * each. */
#include <string.h>

#include <holdfast/bitset.h>
#include <holdfast/topology.h>

enum { LANES = 64 };

typedef struct search {
    uint64_t *seen, *front, *next; /* per switch, a bit a source */
    uint32_t *n_terminal_at;       /* per switch */
    double sum;                    /* channels over ordered pairs */
    uint32_t longest;
    uint64_t pairs;
} search;

/* A terminal on several switches is counted at its first one. Distances add the two terminal channels. */
static void take(search *s, const hf_topology *topo, uint32_t first, uint32_t n, uint32_t hops) {
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        const uint32_t here = s->n_terminal_at[v];
        for (uint64_t left = here ? s->front[v] : 0; left; left &= left - 1) {
            const uint32_t source = first + (uint32_t)__builtin_ctzll(left);
            if (source - first >= n) {
                break;
            }
            const uint64_t there = s->n_terminal_at[source], pairs = v == source ? there * (there - 1) : there * here;
            s->pairs += pairs;
            s->sum += (double)pairs * (hops + 2);
            s->longest = pairs && hops + 2 > s->longest ? hops + 2 : s->longest;
        }
    }
}

static bool step(search *s, const hf_topology *topo) {
    memset(s->next, 0, topo->n_switch * sizeof *s->next);
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        if (topo->from[c] < topo->n_switch && topo->to[c] < topo->n_switch) {
            s->next[topo->to[c]] |= s->front[topo->from[c]];
        }
    }
    uint64_t any = 0;
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        s->next[v] &= ~s->seen[v];
        s->seen[v] |= s->next[v];
        any |= s->next[v];
    }
    uint64_t *swap = s->front;
    s->front = s->next;
    s->next = swap;
    return any != 0;
}

static void search_from(search *s, const hf_topology *topo, uint32_t first, uint32_t n) {
    memset(s->seen, 0, topo->n_switch * sizeof *s->seen);
    memset(s->front, 0, topo->n_switch * sizeof *s->front);
    for (uint32_t i = 0; i < n; i++) {
        if (s->n_terminal_at[first + i]) {
            s->seen[first + i] = s->front[first + i] |= UINT64_C(1) << i;
        }
    }
    uint32_t hops = 0;
    do {
        take(s, topo, first, n, hops++);
    } while (step(s, topo));
}

static void measure_degree(const hf_topology *topo, hf_topology_figures *out) {
    out->degree_min = topo->n_switch ? UINT32_MAX : 0;
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        const uint32_t outs = topo->out_begin[v + 1] - topo->out_begin[v], ins = topo->in_begin[v + 1] - topo->in_begin[v];
        const uint32_t degree = outs > ins ? outs : ins;
        out->degree_min = degree < out->degree_min ? degree : out->degree_min;
        out->degree_max = degree > out->degree_max ? degree : out->degree_max;
    }
    out->is_bidirectional = true;
    for (uint32_t l = 0; l < topo->n_link; l++) {
        out->is_bidirectional &= topo->backward[l] != HF_NONE;
    }
}

hf_status hf_topology_measure(hf_context *cx, const hf_topology *topo, hf_topology_figures *out) {
    *out = (hf_topology_figures){0};
    measure_degree(topo, out);
    const hf_mark mark = hf_scratch_mark(cx);
    search s = {0};
    hf_status status;
    HF_TRY_DONE(hf_scratch(cx, topo->n_switch, sizeof *s.seen, (void **)&s.seen));
    HF_TRY_DONE(hf_scratch(cx, topo->n_switch, sizeof *s.front, (void **)&s.front));
    HF_TRY_DONE(hf_scratch(cx, topo->n_switch, sizeof *s.next, (void **)&s.next));
    HF_TRY_DONE(hf_scratch(cx, topo->n_switch, sizeof *s.n_terminal_at, (void **)&s.n_terminal_at));
    for (uint32_t t = 0; t < topo->n_terminal; t++) {
        s.n_terminal_at[topo->terminal_switch[t]]++;
    }
    for (uint32_t first = 0; first < topo->n_switch; first += LANES) {
        search_from(&s, topo, first, topo->n_switch - first < LANES ? topo->n_switch - first : LANES);
    }
    const uint64_t all = (uint64_t)topo->n_terminal * (topo->n_terminal ? topo->n_terminal - 1 : 0);
    out->is_strongly_connected = s.pairs == all;
    out->diameter = s.longest;
    out->mean_distance = s.pairs ? s.sum / (double)s.pairs : 0;
done:
    hf_scratch_reset(cx, mark);
    return status;
}
