/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  How many virtual channels let paths be layered: every path stays in one layer, and no layer has a cycle of dependencies. The
 *  paths are those of the first hop that the relation offers everywhere. They go into the first layer that takes them, longest
 *  first, which is the usual heuristic [skeie2002]; one layer is enough if and only if all of them together have no cycle. */
#include <stdlib.h>
#include <string.h>

#include <holdfast/core/bitset.h>

#include "src/analysis/deadlock/routes.h"
#include "src/core/layers.h"
#include "src/core/machine.h"

/* At least, for a path: it is followed twice. */
static const double path_s = 1e-6;

typedef struct layering {
    hf_context *cx;
    const hf_plan *plan;
    hf_layer_set layers;
    hf_hop *hops;
    uint32_t *path; /* resources of one path, then its dependencies */
} layering;

typedef struct pair {
    uint32_t source, destination, length;
} pair;

/* ---- paths ---- */

static hf_status follow(layering *l, uint32_t source, uint32_t destination, uint32_t *length) {
    return hf_route_follow(l->cx, l->plan, source, destination, l->hops, l->path, length, NULL);
}

/* The dependencies of the path by number, in place of its resources. */
static hf_status number(layering *l, uint32_t length) {
    for (uint32_t i = 0; i + 1 < length; i++) {
        HF_TRY(hf_layers_edge(l->cx, &l->layers, l->path[i], l->path[i + 1], &l->path[i]));
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
        HF_TRY(hf_context_go_on(l->cx, "layering paths"));
        for (uint32_t d = 0; d < n; d++) {
            if (hf_plan_sends(l->plan, s, d)) {
                uint32_t length;
                HF_TRY(follow(l, s, d, &length));
                HF_TRY(number(l, length));
                if (length > 0) {
                    (*out)[(*count)++] = (pair){s, d, length};
                }
            }
        }
    }
    qsort(*out, *count, sizeof **out, longest_first);
    return HF_OK;
}

/* Do all paths together have a cycle? Their dependencies are those that were numbered. */
static hf_status is_cyclic(layering *l, bool *out) {
    const hf_layer_set *layers = &l->layers;
    uint32_t *from, *to, *level, levelled;
    hf_digraph g;
    HF_TRY(hf_scratch(l->cx, layers->n_edge, sizeof *from, (void **)&from));
    HF_TRY(hf_scratch(l->cx, layers->n_edge, sizeof *to, (void **)&to));
    HF_TRY(hf_scratch(l->cx, layers->n_vertex, sizeof *level, (void **)&level));
    for (uint32_t e = 0; e < layers->n_edge; e++) {
        from[e] = layers->edge[e].from;
        to[e] = layers->edge[e].to;
    }
    HF_TRY(hf_digraph_of_edges(l->cx, layers->n_vertex, layers->n_edge, from, to, &g));
    HF_TRY(hf_digraph_levels(l->cx, &g, level, &levelled));
    *out = levelled < layers->n_vertex;
    return HF_OK;
}

/* Keep a way with its layer for a tag: which virtual channels that makes is known when all have one. */
static hf_status keep(layering *l, const pair *p, hf_route *out) {
    *out = (hf_route){.source = p->source, .destination = p->destination, .n = p->length};
    HF_TRY(hf_scratch(l->cx, p->length, sizeof *out->resource, (void **)&out->resource));
    memcpy(out->resource, l->path, p->length * sizeof *out->resource);
    return HF_OK;
}

static int by_ends(const void *a, const void *b) {
    const hf_route *x = a, *y = b;
    const uint32_t i[] = {x->source, x->destination}, j[] = {y->source, y->destination};
    const int at = i[0] == j[0];
    return (i[at] > j[at]) - (i[at] < j[at]);
}

/* Virtual channels of layer i lie behind those of the layers below it. */
static void put_on_layers(layering *l, const uint32_t *layer, hf_routes *routes) {
    routes->n_vc = l->layers.n_layer * l->plan->n_vc;
    for (uint32_t p = 0; p < routes->n; p++) {
        for (uint32_t i = 0; i < routes->of[p].n; i++) {
            uint32_t *r = &routes->of[p].resource[i];
            *r = *r / l->plan->n_vc * routes->n_vc + layer[p] * l->plan->n_vc + *r % l->plan->n_vc;
        }
    }
    if (routes->n) {
        qsort(routes->of, routes->n, sizeof *routes->of, by_ends);
    }
}

static hf_status place_all(layering *l, const pair *pairs, uint32_t count, hf_routes *routes, uint32_t *upper) {
    uint32_t *layers;
    HF_TRY(hf_scratch(l->cx, routes ? count : 0, sizeof *layers, (void **)&layers));
    HF_TRY(routes ? hf_scratch(l->cx, count, sizeof *routes->of, (void **)&routes->of) : HF_OK);
    for (uint32_t p = 0; p < count; p++) {
        uint32_t length, layer;
        HF_TRY(hf_context_go_on(l->cx, "layering paths"));
        HF_TRY(follow(l, pairs[p].source, pairs[p].destination, &length));
        HF_TRY(routes ? keep(l, &pairs[p], &routes->of[p]) : HF_OK);
        HF_TRY(number(l, length));
        HF_TRY(hf_layers_put(l->cx, &l->layers, l->path, length - 1, &layer));
        if (layer == HF_NONE) {
            *upper = HF_NONE;
            return HF_OK;
        }
        if (routes) {
            layers[routes->n++] = layer;
        }
    }
    *upper = l->layers.n_layer;
    if (routes) {
        put_on_layers(l, layers, routes);
    }
    return HF_OK;
}

hf_status hf_deadlock_layers(hf_context *cx, const hf_plan *plan, bool want_routes, hf_layers *out) {
    layering l = {.cx = cx, .plan = plan};
    pair *pairs;
    uint32_t count;
    bool cyclic;
    HF_TRY(hf_layers_init(cx, plan->topo->n_channel * plan->n_vc, &l.layers));
    HF_TRY(hf_scratch(cx, hf_plan_room(plan), sizeof *l.hops, (void **)&l.hops));
    HF_TRY(hf_scratch(cx, HF_ROUTE_HOPS, sizeof *l.path, (void **)&l.path));
    HF_TRY(list_pairs(&l, &pairs, &count));
    HF_TRY(is_cyclic(&l, &cyclic));
    *out = (hf_layers){.n_path = count, .lower = count ? cyclic ? 2 : 1 : 0};
    return place_all(&l, pairs, count, want_routes ? &out->routes : NULL, &out->upper);
}
