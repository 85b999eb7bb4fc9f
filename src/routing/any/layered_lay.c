/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Ways on layers, one after the other on the first that takes it. */
#include <string.h>

#include "src/routing/any/layered.h"

/* In `after`, by switch: the dependency of the channel behind its own on its own. */
static const uint32_t unknown = HF_NONE - 1, last = HF_NONE;

hf_status hf_laying_init(hf_context *cx, const hf_topology *topo, hf_laying *out) {
    *out = (hf_laying){0};
    HF_TRY(hf_scratch(cx, topo->n_switch, sizeof *out->way, (void **)&out->way));
    HF_TRY(hf_scratch(cx, topo->n_switch, sizeof *out->after, (void **)&out->after));
    return hf_layers_init(cx, topo->n_channel, &out->layers);
}

static hf_status find_after(hf_context *cx, hf_laying *l, const hf_topology *topo, const uint32_t *next, uint32_t v) {
    if (l->after[v] != unknown) {
        return HF_OK;
    }
    const uint32_t behind = next[v] == HF_NONE ? HF_NONE : next[topo->to[next[v]]];
    l->after[v] = last;
    return behind == HF_NONE ? HF_OK : hf_layers_edge(cx, &l->layers, next[v], behind, &l->after[v]);
}

/* Ways of a row run together: behind a switch whose way is put, a way is put already. What lies behind on the way of one on layer
 * 0 is on layer 0, too. */
static hf_status put_way(hf_context *cx, hf_laying *l, hf_layered *ways, uint32_t row, uint32_t v) {
    const hf_topology *topo = ways->goals.topo;
    const uint32_t *next = ways->next + (size_t)row * topo->n_switch;
    uint8_t *vc = ways->vc + (size_t)row * topo->n_switch;
    uint32_t n_new = 0, n, u = v, layer;
    HF_TRY(find_after(cx, l, topo, next, u));
    for (; vc[u] == HF_LAYER_NOT_YET && l->after[u] != last; u = topo->to[next[u]]) {
        l->way[n_new++] = l->after[u];
        HF_TRY(find_after(cx, l, topo, next, topo->to[next[u]]));
    }
    const uint32_t least = vc[u] == HF_LAYER_NOT_YET ? 0 : vc[u];
    for (n = n_new; l->after[u] != last; u = topo->to[next[u]]) {
        l->way[n++] = l->after[u];
        HF_TRY(find_after(cx, l, topo, next, topo->to[next[u]]));
    }
    HF_TRY(hf_layers_extend(cx, &l->layers, l->way, n, n_new, least, &layer));
    layer = layer == HF_NONE ? HF_LAYERS_MAX : layer;
    l->n_layer = layer < l->n_layer ? l->n_layer : layer + 1;
    vc[v] = (uint8_t)layer;
    for (u = v; layer == 0 && n_new-- > 0; u = topo->to[next[u]]) {
        vc[u] = 0;
    }
    return HF_OK;
}

hf_status hf_laying_row(hf_context *cx, hf_laying *laying, hf_layered *ways, uint32_t row) {
    const uint32_t n = ways->goals.topo->n_switch;
    const uint8_t *vc = ways->vc + (size_t)row * n, *left = vc;
    for (uint32_t v = 0; v < n; v++) {
        laying->after[v] = unknown;
    }
    while (laying->n_layer <= HF_LAYERS_MAX && (left = memchr(left, HF_LAYER_NOT_YET, (size_t)(vc + n - left)))) {
        HF_TRY(put_way(cx, laying, ways, row, (uint32_t)(left - vc)));
    }
    return HF_OK;
}

hf_status hf_laying_all(hf_context *cx, hf_laying *laying, hf_layered *ways) {
    memset(ways->vc, HF_LAYER_NOT_YET, (size_t)ways->goals.n_row * ways->goals.topo->n_switch);
    for (uint32_t row = 0; row < ways->goals.n_row && laying->n_layer <= HF_LAYERS_MAX; row++) {
        HF_TRY(hf_context_go_on(cx, "putting ways on layers"));
        HF_TRY(hf_laying_row(cx, laying, ways, row));
    }
    ways->needs_more = laying->n_layer > HF_LAYERS_MAX;
    ways->n_vc = laying->n_layer > 0 ? laying->n_layer : 1;
    return HF_OK;
}
