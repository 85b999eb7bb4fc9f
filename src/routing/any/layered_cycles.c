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

/* One layer while its cycles are broken. A way is the place row * n_switch + switch; a dependency of channel c on the i-th that
 * leaves its end is begin[c] + i. */
typedef struct breaking {
    hf_layered *ways;
    const uint8_t *is_source; /* by switch: ways begin there */
    uint32_t layer;
    uint32_t *begin; /* by channel */
    uint32_t n_edge;
    uint32_t *left;                /* by dependency: ways of the layer that have it */
    size_t *ways_begin, n_item;    /* by dependency */
    uint32_t *way;                 /* n_item: its ways */
    uint8_t *state;                /* by channel */
    uint32_t *stack, n_stack, *at; /* channels; by channel: dependencies that are looked at */
    bool has_moved;
} breaking;

static uint32_t edge_of(const breaking *b, uint32_t c, uint32_t after) {
    const hf_topology *topo = b->ways->goals.topo;
    uint32_t i = topo->out_begin[topo->to[c]];
    while (topo->out_list[i] != after) {
        i++;
    }
    return b->begin[c] + i - topo->out_begin[topo->to[c]];
}

/* The dependency of the way of a row at `v`; HF_NONE: it ends there. \param[in,out] v the next switch */
static uint32_t step(const breaking *b, const uint32_t *next, uint32_t *v) {
    const uint32_t c = next[*v], to = b->ways->goals.topo->to[c];
    if (next[to] == HF_NONE) {
        return HF_NONE;
    }
    *v = to;
    return edge_of(b, c, next[to]);
}

/* ---- the ways of a layer ---- */

static bool is_on(const breaking *b, size_t place) {
    return b->is_source[place % b->ways->goals.topo->n_switch] && b->ways->next[place] != HF_NONE &&
           b->ways->vc[place] == b->layer;
}

/* Go over the dependencies of all ways of the layer. \param[in] fill put the ways down; else count them */
static void go_over(breaking *b, bool fill) {
    const uint32_t n = b->ways->goals.topo->n_switch;
    for (size_t place = 0; place < (size_t)b->ways->goals.n_row * n; place++) {
        uint32_t v = (uint32_t)(place % n), e;
        while (is_on(b, place) && (e = step(b, b->ways->next + place / n * n, &v)) != HF_NONE) {
            if (fill) {
                b->way[b->ways_begin[e] + b->left[e]] = (uint32_t)place;
            }
            b->left[e]++;
        }
    }
}

static hf_status list_ways(hf_context *cx, breaking *b) {
    memset(b->left, 0, b->n_edge * sizeof *b->left);
    go_over(b, false);
    b->n_item = 0;
    for (uint32_t e = 0; e < b->n_edge; e++) {
        b->ways_begin[e] = b->n_item;
        b->n_item += b->left[e];
    }
    b->ways_begin[b->n_edge] = b->n_item;
    HF_TRY(hf_machine_fits(cx, (double)b->n_item * sizeof *b->way, memory_limit, "the dependencies of all ways on \"%s\"",
                           b->ways->goals.topo->spec));
    HF_TRY(hf_scratch(cx, b->n_item, sizeof *b->way, (void **)&b->way));
    memset(b->left, 0, b->n_edge * sizeof *b->left);
    go_over(b, true);
    return HF_OK;
}

/* All ways with a dependency go on to the next layer. */
static void move_ways(breaking *b, uint32_t edge) {
    const uint32_t n = b->ways->goals.topo->n_switch;
    for (size_t i = b->ways_begin[edge]; i < b->ways_begin[edge + 1]; i++) {
        const size_t place = b->way[i];
        uint32_t v = (uint32_t)(place % n), e;
        if (b->ways->vc[place] != b->layer) {
            continue;
        }
        b->ways->vc[place]++;
        while ((e = step(b, b->ways->next + place / n * n, &v)) != HF_NONE) {
            b->left[e]--;
        }
    }
    b->has_moved = true;
}

/* ---- cycles ---- */

static uint32_t edge_on_stack(const breaking *b, uint32_t i) { return edge_of(b, b->stack[i], b->stack[i + 1]); }

/* Dependency `back` of the top of the stack leads to what is on it: the one with the fewest ways breaks the cycle. The search
 * goes on where the stack is still joined. */
static void break_cycle(breaking *b, uint32_t back, uint32_t to) {
    uint32_t weakest = back, i = b->n_stack - 1;
    for (; b->stack[i] != to; i--) {
        const uint32_t e = edge_on_stack(b, i - 1);
        weakest = b->left[e] < b->left[weakest] ? e : weakest;
    }
    move_ways(b, weakest);
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

static hf_status open(hf_context *cx, breaking *b) {
    const hf_topology *topo = b->ways->goals.topo;
    HF_TRY(hf_scratch(cx, (size_t)topo->n_channel + 1, sizeof *b->begin, (void **)&b->begin));
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        b->begin[c] = b->n_edge;
        b->n_edge += topo->out_begin[topo->to[c] + 1] - topo->out_begin[topo->to[c]];
    }
    b->begin[topo->n_channel] = b->n_edge;
    HF_TRY(hf_scratch(cx, b->n_edge, sizeof *b->left, (void **)&b->left));
    HF_TRY(hf_scratch(cx, (size_t)b->n_edge + 1, sizeof *b->ways_begin, (void **)&b->ways_begin));
    HF_TRY(hf_scratch(cx, topo->n_channel, sizeof *b->state, (void **)&b->state));
    HF_TRY(hf_scratch(cx, (size_t)topo->n_channel + 1, sizeof *b->stack, (void **)&b->stack));
    return hf_scratch(cx, topo->n_channel, sizeof *b->at, (void **)&b->at);
}

static hf_status break_layer(hf_context *cx, breaking *b) {
    const hf_topology *topo = b->ways->goals.topo;
    const hf_mark mark = hf_scratch_mark(cx);
    HF_TRY(hf_context_go_on(cx, "putting ways on layers"));
    HF_TRY(list_ways(cx, b));
    b->has_moved = false;
    memset(b->state, 0, topo->n_channel * sizeof *b->state);
    memset(b->at, 0, topo->n_channel * sizeof *b->at);
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        if (b->state[c] == NEW) {
            search_from(b, c);
        }
    }
    hf_scratch_reset(cx, mark);
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
