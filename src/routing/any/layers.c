/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Layers of ways without cycles. A new dependency is tried by a search from its end for its beginning. */
#include "src/routing/any/layers.h"

static hf_status add_layer(hf_context *cx, hf_layer_set *layers) {
    if (layers->n_layer == HF_LAYERS_MAX) {
        HF_FAIL(cx, HF_ERANGE, "the ways on \"%s\" need more than %d layers", layers->topo->spec, HF_LAYERS_MAX);
    }
    uint8_t **edge = &layers->edge[layers->n_layer++];
    return hf_scratch(cx, (size_t)layers->topo->n_channel * layers->degree, sizeof **edge, (void **)edge);
}

hf_status hf_layers_init(hf_context *cx, const hf_topology *topo, hf_layer_set *out) {
    *out = (hf_layer_set){.topo = topo, .degree = hf_goals_degree(topo)};
    HF_TRY(hf_scratch(cx, topo->n_channel, sizeof *out->place, (void **)&out->place));
    HF_TRY(hf_scratch(cx, topo->n_channel, sizeof *out->stamp, (void **)&out->stamp));
    HF_TRY(hf_scratch(cx, topo->n_channel, sizeof *out->stack, (void **)&out->stack));
    for (uint32_t v = 0; v < topo->n_node; v++) {
        for (uint32_t i = topo->out_begin[v]; i < topo->out_begin[v + 1]; i++) {
            out->place[topo->out_list[i]] = i - topo->out_begin[v];
        }
    }
    return HF_OK;
}

static uint8_t *edge_of(const hf_layer_set *layers, uint32_t layer, uint32_t from, uint32_t to) {
    return &layers->edge[layer][(size_t)from * layers->degree + layers->place[to]];
}

/* Is there a way of dependencies from channel `from` to channel `goal`? */
static bool leads_to(hf_layer_set *layers, uint32_t layer, uint32_t from, uint32_t goal) {
    const hf_topology *topo = layers->topo;
    uint32_t depth = 0;
    layers->now++;
    layers->stack[depth++] = from;
    layers->stamp[from] = layers->now;
    while (depth > 0) {
        const uint32_t c = layers->stack[--depth];
        if (c == goal) {
            return true;
        }
        for (uint32_t i = topo->out_begin[topo->to[c]]; i < topo->out_begin[topo->to[c] + 1]; i++) {
            const uint32_t next = topo->out_list[i];
            if (*edge_of(layers, layer, c, next) && layers->stamp[next] != layers->now) {
                layers->stamp[next] = layers->now;
                layers->stack[depth++] = next;
            }
        }
    }
    return false;
}

/* Put the way on the layer, or take back what was put and say no. */
static bool try_layer(hf_layer_set *layers, uint32_t layer, const uint32_t *way, uint32_t n) {
    enum { OLD = 1, NEW = 2 };
    uint32_t i = 1;
    for (; i < n; i++) {
        uint8_t *edge = edge_of(layers, layer, way[i - 1], way[i]);
        if (*edge) {
            continue;
        }
        if (leads_to(layers, layer, way[i], way[i - 1])) {
            break;
        }
        *edge = NEW;
    }
    const bool ok = i >= n;
    for (uint32_t k = 1; k < i; k++) {
        uint8_t *edge = edge_of(layers, layer, way[k - 1], way[k]);
        *edge = *edge == NEW ? (ok ? OLD : 0) : *edge;
    }
    return ok;
}

hf_status hf_layers_put(hf_context *cx, hf_layer_set *layers, const uint32_t *way, uint32_t n, uint32_t *layer) {
    *layer = 0;
    while (*layer < layers->n_layer && !try_layer(layers, *layer, way, n)) {
        ++*layer;
    }
    if (*layer < layers->n_layer) {
        return HF_OK;
    }
    HF_TRY(add_layer(cx, layers));
    (void)try_layer(layers, *layer, way, n); /* a shortest way meets no channel twice */
    return HF_OK;
}
