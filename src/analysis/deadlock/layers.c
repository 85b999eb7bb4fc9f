/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many virtual channels let paths be layered: every path stays in one layer, and no layer has a cycle of dependencies.
 * The paths are those of the first hop that the relation offers everywhere. They go into the first layer that takes them, longest
 * first, which is the usual heuristic [skeie2002]; one layer is enough if and only if all of them together have no cycle. */
#include <stdlib.h>
#include <string.h>

#include <holdfast/core/bitset.h>

#include "src/analysis/deadlock/decide.h"

#include "src/core/grow.h"
#include "src/core/machine.h"

enum { LAYERS_MAX = 64, HOPS_MAX = 4096 };
/* At least, for a path: it is followed three times. */
static const double path_s = 1e-6;

/* A layer: edges as lists of successors, and an order of the resources that they keep. */
typedef struct layer {
    uint32_t *head;      /* n_resource: newest edge + 1 */
    uint32_t *next, *to; /* edges */
    uint32_t n_edge;
    size_t room;
} layer;

typedef struct layering {
    hf_context *cx;
    const hf_plan *plan;
    uint32_t n_resource;
    layer layer[LAYERS_MAX];
    uint32_t n_layer;
    uint32_t *stamp, n_stamp, *queue;
    hf_hop *hops;
    uint32_t *path; /* resources of one path */
} layering;

typedef struct pair {
    uint32_t source, destination, length;
} pair;

/* ---- paths ---- */

/* \param[out] length channels, 0: the packet does not arrive */
static hf_status follow(layering *l, uint32_t source, uint32_t destination, uint32_t *length) {
    const hf_topology *topo = l->plan->topo;
    hf_hop in = HF_HOP_INJECTION;
    uint32_t at = topo->n_switch + source, n = 0;
    *length = 0;
    while (at != topo->n_switch + destination && n < HOPS_MAX) {
        size_t count, i = 0;
        HF_TRY(hf_plan_read(l->cx, l->plan, at, in, destination, l->hops, &count));
        while (i < count && hf_bit_test(l->plan->faults->channel_set, l->hops[i].channel)) {
            i++;
        }
        if (i == count) {
            return HF_OK;
        }
        in = l->hops[i];
        at = topo->to[in.channel];
        l->path[n++] = in.channel * l->plan->n_vc + in.vc;
    }
    *length = at == topo->n_switch + destination ? n : 0;
    return HF_OK;
}

/* ---- layers ---- */

static bool has_edge(const layer *a, uint32_t from, uint32_t to) {
    for (uint32_t e = a->head[from]; e; e = a->next[e - 1]) {
        if (a->to[e - 1] == to) {
            return true;
        }
    }
    return false;
}

static hf_status add_edge(layering *l, layer *a, uint32_t from, uint32_t to) {
    size_t next_room = a->room;
    HF_GROW(l->cx, a->next, a->n_edge, next_room);
    HF_GROW(l->cx, a->to, a->n_edge, a->room);
    a->to[a->n_edge] = to;
    a->next[a->n_edge] = a->head[from];
    a->head[from] = ++a->n_edge;
    return HF_OK;
}

/* Does some way lead from `from` to `to` in the layer? */
static bool leads(layering *l, const layer *a, uint32_t from, uint32_t to) {
    uint32_t tail = 0;
    l->n_stamp++;
    l->queue[tail++] = from;
    l->stamp[from] = l->n_stamp;
    for (uint32_t head = 0; head < tail; head++) {
        if (l->queue[head] == to) {
            return true;
        }
        for (uint32_t e = a->head[l->queue[head]]; e; e = a->next[e - 1]) {
            if (l->stamp[a->to[e - 1]] != l->n_stamp) {
                l->stamp[a->to[e - 1]] = l->n_stamp;
                l->queue[tail++] = a->to[e - 1];
            }
        }
    }
    return false;
}

/* Put a path into a layer if no cycle comes of it; else leave the layer as it was. */
static hf_status try_layer(layering *l, layer *a, uint32_t length, bool *fits) {
    const uint32_t before = a->n_edge;
    *fits = true;
    for (uint32_t i = 0; i + 1 < length && *fits; i++) {
        const uint32_t from = l->path[i], to = l->path[i + 1];
        if (has_edge(a, from, to)) {
            continue;
        }
        *fits = !leads(l, a, to, from);
        if (*fits) {
            HF_TRY(add_edge(l, a, from, to));
        }
    }
    for (uint32_t i = length; !*fits && i-- > 0;) { /* newest edges first: heads lead back to what was before */
        uint32_t *head = &a->head[l->path[i]];
        while (*head > before) {
            *head = a->next[*head - 1];
        }
    }
    a->n_edge = *fits ? a->n_edge : before;
    return HF_OK;
}

static hf_status place(layering *l, uint32_t length, bool *placed) {
    *placed = false;
    for (uint32_t i = 0; i < LAYERS_MAX && !*placed; i++) {
        if (i == l->n_layer) {
            HF_TRY(hf_scratch(l->cx, l->n_resource, sizeof *l->layer[i].head, (void **)&l->layer[i].head));
            l->n_layer++;
        }
        HF_TRY(try_layer(l, &l->layer[i], length, placed));
    }
    return HF_OK;
}

/* ---- all pairs ---- */

static int longest_first(const void *a, const void *b) {
    const pair *x = a, *y = b;
    if (x->length != y->length) {
        return x->length > y->length ? -1 : 1;
    }
    if (x->source != y->source) {
        return x->source < y->source ? -1 : 1;
    }
    return (x->destination > y->destination) - (x->destination < y->destination);
}

hf_status hf_deadlock_layers_check(hf_context *cx, const hf_topology *topo) {
    const double all = (double)topo->n_terminal * topo->n_terminal, bytes = all * sizeof(pair);
    HF_TRY(hf_machine_fits(cx, bytes, HF_NONE * (double)sizeof(pair), "layering the paths of all pairs of \"%s\"", topo->spec));
    return hf_machine_lasts(cx, all * path_s, "layering the paths of all pairs of \"%s\"", topo->spec);
}

static hf_status list_pairs(layering *l, pair **out, uint32_t *count) {
    const uint32_t n = l->plan->topo->n_terminal;
    *count = 0;
    HF_TRY(hf_deadlock_layers_check(l->cx, l->plan->topo));
    HF_TRY(hf_scratch(l->cx, (size_t)n * n, sizeof **out, (void **)out));
    for (uint32_t s = 0; s < n; s++) {
        if (hf_context_stopped(l->cx)) {
            HF_FAIL(l->cx, HF_ESTOP, "stopped while layering paths");
        }
        for (uint32_t d = 0; d < n; d++) {
            if (s != d && hf_plan_is_live(l->plan, s) && hf_plan_is_live(l->plan, d)) {
                uint32_t length;
                HF_TRY(follow(l, s, d, &length));
                if (length > 0) {
                    (*out)[(*count)++] = (pair){s, d, length};
                }
            }
        }
    }
    qsort(*out, *count, sizeof **out, longest_first);
    return HF_OK;
}

/* Do all paths together have a cycle? */
static hf_status is_cyclic(layering *l, const pair *pairs, uint32_t count, bool *out) {
    layer all = {0};
    uint32_t *from, *level, levelled, n = 0;
    HF_TRY(hf_scratch(l->cx, l->n_resource, sizeof *all.head, (void **)&all.head));
    hf_status status = HF_OK;
    for (uint32_t p = 0; p < count && status == HF_OK; p++) {
        uint32_t length;
        HF_TRY_DONE(follow(l, pairs[p].source, pairs[p].destination, &length));
        for (uint32_t i = 0; i + 1 < length && status == HF_OK; i++) {
            status = has_edge(&all, l->path[i], l->path[i + 1]) ? HF_OK : add_edge(l, &all, l->path[i], l->path[i + 1]);
        }
    }
    HF_TRY_DONE(status);
    HF_TRY_DONE(hf_scratch(l->cx, all.n_edge, sizeof *from, (void **)&from));
    HF_TRY_DONE(hf_scratch(l->cx, l->n_resource, sizeof *level, (void **)&level));
    for (uint32_t r = 0; r < l->n_resource; r++) {
        for (uint32_t e = all.head[r]; e; e = all.next[e - 1]) {
            from[e - 1] = r;
            n++;
        }
    }
    hf_digraph g;
    HF_TRY_DONE(hf_digraph_of_edges(l->cx, l->n_resource, n, from, all.to, &g));
    HF_TRY_DONE(hf_digraph_levels(l->cx, &g, level, &levelled));
    *out = levelled < l->n_resource;
done:
    hf_release(hf_context_allocator(l->cx), all.next);
    hf_release(hf_context_allocator(l->cx), all.to);
    return status;
}

static hf_status run(layering *l, hf_layers *out) {
    pair *pairs;
    uint32_t count;
    bool cyclic;
    HF_TRY(hf_scratch(l->cx, l->n_resource, sizeof *l->stamp, (void **)&l->stamp));
    HF_TRY(hf_scratch(l->cx, l->n_resource, sizeof *l->queue, (void **)&l->queue));
    HF_TRY(hf_scratch(l->cx, hf_plan_room(l->plan), sizeof *l->hops, (void **)&l->hops));
    HF_TRY(hf_scratch(l->cx, HOPS_MAX, sizeof *l->path, (void **)&l->path));
    HF_TRY(list_pairs(l, &pairs, &count));
    HF_TRY(is_cyclic(l, pairs, count, &cyclic));
    *out = (hf_layers){.n_path = count, .lower = count ? cyclic ? 2 : 1 : 0};
    for (uint32_t p = 0; p < count; p++) {
        uint32_t length;
        bool placed;
        if (hf_context_stopped(l->cx)) {
            HF_FAIL(l->cx, HF_ESTOP, "stopped while layering paths");
        }
        HF_TRY(follow(l, pairs[p].source, pairs[p].destination, &length));
        HF_TRY(place(l, length, &placed));
        if (!placed) {
            out->upper = HF_NONE;
            return HF_OK;
        }
    }
    out->upper = l->n_layer;
    return HF_OK;
}

hf_status hf_deadlock_layers(hf_context *cx, const hf_plan *plan, hf_layers *out) {
    layering l = {.cx = cx, .plan = plan, .n_resource = plan->topo->n_channel * plan->n_vc};
    const hf_status status = run(&l, out);
    for (uint32_t i = 0; i < l.n_layer; i++) {
        hf_release(hf_context_allocator(cx), l.layer[i].next);
        hf_release(hf_context_allocator(cx), l.layer[i].to);
    }
    return status;
}
