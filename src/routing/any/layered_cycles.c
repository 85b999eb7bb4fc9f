/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Layers by breaking cycles: all ways start on the first layer; where its dependencies have a cycle, all ways with the one
 *  dependency of it that has the fewest go on to the next layer. Source: [domke2011]. */
#include <string.h>

#include "src/core/layers.h"
#include "src/core/machine.h"
#include "src/routing/any/layered.h"

static const double memory_limit = 8589934592.0;
enum { NEW, HELD, DONE }; /* of a channel in the search */

/* One layer while its cycles are broken. A dependency of channel c on the i-th that leaves its end is begin[c] + i. */
typedef struct breaking {
    hf_layered *ways;
    const uint8_t *is_source; /* by switch: ways begin there */
    uint32_t layer;
    uint32_t *begin, *slot; /* by channel; which of those it is that leave its switch */
    uint32_t n_edge;
    uint32_t *left;                /* by dependency: ways of the layer that have it */
    uint64_t *used;                /* by channel: rows of which it is on a way */
    uint8_t *state;                /* by channel */
    uint32_t *stack, n_stack, *at; /* channels; by channel: dependencies that are looked at */
    uint32_t *passing;             /* n_row rows of n_switch: ways of the layer through the switch, or from it */
    uint32_t *list;                /* of a row: switches */
    uint32_t *first;               /* by distance */
    bool has_moved;
} breaking;

static uint32_t edge_of(const breaking *b, uint32_t c, uint32_t after) { return b->begin[c] + b->slot[after]; }

/* ---- the ways of a layer ---- */

/* A row of the tables. */
typedef struct row_view {
    const hf_topology *topo;
    const uint32_t *next;
    const uint16_t *distance;
    uint8_t *vc;
    uint32_t *passing;
} row_view;

static row_view view_of(const breaking *b, uint32_t row) {
    const hf_topology *topo = b->ways->goals.topo;
    const size_t first = (size_t)row * topo->n_switch;
    return (row_view){topo, b->ways->next + first, b->ways->distance + first, b->ways->vc + first, b->passing + first};
}

static bool is_on(const breaking *b, const row_view *r, uint32_t v) {
    return r->vc[v] == b->layer && b->is_source[v] && r->next[v] != HF_NONE;
}

/* The dependency of the way at `v`; HF_NONE: it ends there. */
static uint32_t edge_at(const breaking *b, const row_view *r, uint32_t v) {
    const uint32_t c = r->next[v], after = r->next[r->topo->to[c]];
    return after == HF_NONE ? HF_NONE : edge_of(b, c, after);
}

/* So many ways come to `v` more than before, or fewer. */
static void add_along(breaking *b, const row_view *r, uint32_t v, int64_t more) {
    for (;;) {
        const uint32_t c = r->next[v], e = edge_at(b, r, v);
        r->passing[v] = (uint32_t)(r->passing[v] + more);
        if (e == HF_NONE) {
            return;
        }
        b->left[e] = (uint32_t)(b->left[e] + more);
        v = r->topo->to[c];
    }
}

/* Switches with a way, nearest first. \return how many */
static uint32_t sort_row(breaking *b, const row_view *r) {
    const uint32_t n = r->topo->n_switch;
    uint32_t farthest = 0;
    for (uint32_t v = 0; v < n; v++) {
        farthest = r->next[v] != HF_NONE && r->distance[v] > farthest ? r->distance[v] : farthest;
    }
    memset(b->first, 0, ((size_t)farthest + 2) * sizeof *b->first);
    for (uint32_t v = 0; v < n; v++) {
        b->first[r->next[v] == HF_NONE ? 0 : r->distance[v] + 1]++;
    }
    b->first[0] = 0;
    for (uint32_t d = 0; d <= farthest; d++) {
        b->first[d + 1] += b->first[d];
    }
    for (uint32_t v = 0; v < n; v++) {
        if (r->next[v] != HF_NONE) {
            b->list[b->first[r->distance[v]]++] = v;
        }
    }
    return b->first[farthest];
}

/* Count ways by the tree that they are, from its leaves. */
static void count_tree(breaking *b, const row_view *r) {
    for (uint32_t i = sort_row(b, r); i-- > 0;) {
        const uint32_t v = b->list[i], e = edge_at(b, r, v);
        r->passing[v] += is_on(b, r, v);
        if (e != HF_NONE) {
            r->passing[r->topo->to[r->next[v]]] += r->passing[v];
            b->left[e] += r->passing[v];
        }
    }
}

/* Few ways are followed one by one. */
static void count_row(breaking *b, uint32_t row) {
    const row_view r = view_of(b, row);
    const uint32_t n = r.topo->n_switch;
    uint32_t n_on = 0;
    const uint8_t *on = r.vc;
    memset(r.passing, 0, n * sizeof *r.passing);
    while ((on = memchr(on, (int)b->layer, (size_t)(r.vc + n - on)))) {
        const uint32_t v = (uint32_t)(on++ - r.vc);
        if (is_on(b, &r, v)) {
            b->list[n_on++] = v;
        }
    }
    if (n_on > n / 8) {
        count_tree(b, &r);
        return;
    }
    for (uint32_t i = 0; i < n_on; i++) {
        add_along(b, &r, b->list[i], 1);
    }
}

/* Ways of a row that come to `v`, and so go on together, go on to the next layer. */
static void move_row(breaking *b, const row_view *r, uint32_t v) {
    uint32_t n = 1;
    b->list[0] = v;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t u = b->list[i];
        r->vc[u] = (uint8_t)(r->vc[u] + is_on(b, r, u));
        for (uint32_t k = r->topo->in_begin[u]; k < r->topo->in_begin[u + 1]; k++) {
            const uint32_t c = r->topo->in_list[k], from = r->topo->from[c];
            if (from < r->topo->n_switch && r->passing[from] > 0 && r->next[from] == c) {
                b->list[n++] = from;
                b->left[edge_at(b, r, from)] -= r->passing[from];
                r->passing[from] = 0;
            }
        }
    }
    add_along(b, r, v, -(int64_t)r->passing[v]);
}

/* All ways with the dependency of `after` on `c` go on to the next layer. */
static void move_ways(breaking *b, uint32_t c, uint32_t after) {
    const uint32_t n_row = b->ways->goals.n_row, v = b->ways->goals.topo->from[c], e = edge_of(b, c, after);
    const uint64_t *used = b->used + c * hf_words(n_row);
    for (size_t row = hf_bits_next(used, n_row, 0); row < n_row && b->left[e] > 0; row = hf_bits_next(used, n_row, row + 1)) {
        const row_view r = view_of(b, (uint32_t)row);
        if (r.passing[v] > 0 && edge_at(b, &r, v) == e) {
            move_row(b, &r, v);
        }
    }
    b->has_moved = true;
}

/* ---- cycles ---- */

static uint32_t edge_on_stack(const breaking *b, uint32_t i) { return edge_of(b, b->stack[i], b->stack[i + 1]); }

/* Dependency `back` of the top of the stack leads to what is on it: the one with the fewest ways breaks the cycle. The search
 * goes on where the stack is still joined. */
static void break_cycle(breaking *b, uint32_t back, uint32_t to) {
    uint32_t i = b->n_stack - 1, weakest = back, first = b->stack[i], second = to;
    for (; b->stack[i] != to; i--) {
        const uint32_t e = edge_on_stack(b, i - 1);
        if (b->left[e] < b->left[weakest]) {
            weakest = e;
            first = b->stack[i - 1];
            second = b->stack[i];
        }
    }
    move_ways(b, first, second);
    uint32_t joined = 1;
    while (joined < b->n_stack && b->left[edge_on_stack(b, joined - 1)] > 0) {
        joined++;
    }
    while (b->n_stack > joined) {
        const uint32_t c = b->stack[--b->n_stack];
        b->state[c] = NEW;
        b->at[c] = 0;
    }
}

static void search_from(breaking *b, uint32_t root) {
    const hf_topology *topo = b->ways->goals.topo;
    b->stack[0] = root;
    b->n_stack = 1;
    b->state[root] = HELD;
    while (b->n_stack > 0) {
        const uint32_t c = b->stack[b->n_stack - 1], first = topo->out_begin[topo->to[c]];
        if (b->begin[c] + b->at[c] == b->begin[c + 1]) {
            b->state[c] = DONE;
            b->n_stack--;
            continue;
        }
        const uint32_t e = b->begin[c] + b->at[c], after = topo->out_list[first + b->at[c]];
        if (b->left[e] == 0 || b->state[after] == DONE) {
            b->at[c]++;
        } else if (b->state[after] == HELD) {
            break_cycle(b, e, after);
        } else {
            b->state[after] = HELD;
            b->stack[b->n_stack++] = after;
        }
    }
}

/* ---- all layers ---- */

static hf_status find_used(hf_context *cx, breaking *b) {
    const hf_topology *topo = b->ways->goals.topo;
    const size_t words = hf_words(b->ways->goals.n_row);
    HF_TRY(hf_scratch(cx, topo->n_channel * words, sizeof *b->used, (void **)&b->used));
    for (uint32_t row = 0; row < b->ways->goals.n_row; row++) {
        const row_view r = view_of(b, row);
        for (uint32_t v = 0; v < topo->n_switch; v++) {
            if (r.next[v] != HF_NONE) {
                hf_bit_set(b->used + r.next[v] * words, row);
            }
        }
    }
    return HF_OK;
}

static hf_status open(hf_context *cx, breaking *b) {
    const hf_topology *topo = b->ways->goals.topo;
    HF_TRY(hf_scratch(cx, (size_t)topo->n_channel + 1, sizeof *b->begin, (void **)&b->begin));
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        b->begin[c] = b->n_edge;
        b->n_edge += topo->out_begin[topo->to[c] + 1] - topo->out_begin[topo->to[c]];
    }
    b->begin[topo->n_channel] = b->n_edge;
    HF_TRY(hf_scratch(cx, b->n_edge, sizeof *b->left, (void **)&b->left));
    HF_TRY(hf_scratch(cx, topo->n_switch, sizeof *b->list, (void **)&b->list));
    const size_t size = (size_t)b->ways->goals.n_row * topo->n_switch;
    HF_TRY(hf_machine_fits(cx, (double)size * sizeof *b->passing, memory_limit, "the ways through all switches of \"%s\"",
                           topo->spec));
    HF_TRY(hf_scratch(cx, size, sizeof *b->passing, (void **)&b->passing));
    HF_TRY(hf_scratch(cx, (size_t)topo->n_switch + 2, sizeof *b->first, (void **)&b->first));
    HF_TRY(hf_scratch(cx, topo->n_channel, sizeof *b->slot, (void **)&b->slot));
    for (uint32_t v = 0; v < topo->n_node; v++) {
        for (uint32_t i = topo->out_begin[v]; i < topo->out_begin[v + 1]; i++) {
            b->slot[topo->out_list[i]] = i - topo->out_begin[v];
        }
    }
    HF_TRY(find_used(cx, b));
    HF_TRY(hf_scratch(cx, topo->n_channel, sizeof *b->state, (void **)&b->state));
    HF_TRY(hf_scratch(cx, (size_t)topo->n_channel + 1, sizeof *b->stack, (void **)&b->stack));
    return hf_scratch(cx, topo->n_channel, sizeof *b->at, (void **)&b->at);
}

static hf_status break_layer(hf_context *cx, breaking *b) {
    const hf_topology *topo = b->ways->goals.topo;
    HF_TRY(hf_context_go_on(cx, "putting ways on layers"));
    memset(b->left, 0, b->n_edge * sizeof *b->left);
    for (uint32_t row = 0; row < b->ways->goals.n_row; row++) {
        count_row(b, row);
    }
    b->has_moved = false;
    memset(b->state, 0, topo->n_channel * sizeof *b->state);
    memset(b->at, 0, topo->n_channel * sizeof *b->at);
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        if (b->state[c] == NEW) {
            search_from(b, c);
        }
    }
    return HF_OK;
}

static hf_status find_sources(hf_context *cx, const hf_topology *topo, const uint8_t **out) {
    uint8_t *is_source;
    HF_TRY(hf_scratch(cx, topo->n_switch, sizeof *is_source, (void **)&is_source));
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        if (hf_topology_is_terminal(topo, topo->from[c]) && topo->to[c] < topo->n_switch) {
            is_source[topo->to[c]] = 1;
        }
    }
    *out = is_source;
    return HF_OK;
}

/* Every hop leads nearer to the goal, so ways to one goal close no cycle. */
static hf_status lay_apart(hf_context *cx, hf_layered *ways) {
    const hf_topology *topo = ways->goals.topo;
    uint32_t *number; /* by goal: its layer + 1 */
    HF_TRY(hf_scratch(cx, topo->n_node, sizeof *number, (void **)&number));
    ways->n_vc = 0;
    for (uint32_t row = 0; row < ways->goals.n_row; row++) {
        uint32_t *layer = &number[ways->goals.goal[row]];
        if (*layer == 0 && ways->n_vc == HF_LAYERS_MAX) {
            ways->needs_more = true;
            return HF_OK;
        }
        *layer = *layer ? *layer : ++ways->n_vc;
        memset(ways->vc + (size_t)row * topo->n_switch, (int)*layer - 1, topo->n_switch * sizeof *ways->vc);
    }
    return HF_OK;
}

hf_status hf_layered_break_cycles(hf_context *cx, hf_layered *ways, uint32_t most) {
    breaking b = {.ways = ways};
    HF_TRY(find_sources(cx, ways->goals.topo, &b.is_source));
    HF_TRY(open(cx, &b));
    do {
        if (b.layer == most) {
            return lay_apart(cx, ways);
        }
        HF_TRY(break_layer(cx, &b));
        b.layer++;
    } while (b.has_moved);
    ways->n_vc = b.layer;
    return HF_OK;
}
