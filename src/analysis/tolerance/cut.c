/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The components that end at one switch with terminals: what cuts it off when all of them fail. */
#include <holdfast/analysis/tolerance.h>

/* How many components end at each node; one that takes both channels of a link counts as two, at all nodes alike. */
static hf_status count_ends(hf_context *cx, const hf_universe *u, uint32_t **out) {
    HF_TRY(hf_scratch(cx, u->topo->n_node, sizeof **out, (void **)out));
    for (uint32_t i = 0; i < u->channel_begin[u->n_component]; i++) {
        (*out)[u->topo->from[u->channel[i]]]++;
        (*out)[u->topo->to[u->channel[i]]]++;
    }
    return HF_OK;
}

static bool ends_at(const hf_universe *u, uint32_t component, uint32_t sw) {
    for (uint32_t i = u->channel_begin[component]; i < u->channel_begin[component + 1]; i++) {
        if (u->topo->from[u->channel[i]] == sw || u->topo->to[u->channel[i]] == sw) {
            return u->component[component].type != HF_COMPONENT_SWITCH;
        }
    }
    return false;
}

hf_status hf_cut_find(hf_context *cx, const hf_universe *universe, uint32_t *set, uint32_t *n) {
    const hf_topology *topo = universe->topo;
    uint32_t *ends, fewest = HF_NONE;
    HF_TRY(count_ends(cx, universe, &ends));
    for (uint32_t t = topo->n_switch; t < topo->n_node; t++) {
        const uint32_t sw = topo->to[topo->out_list[topo->out_begin[t]]];
        fewest = ends[sw] && (fewest == HF_NONE || ends[sw] < ends[fewest]) ? sw : fewest;
    }
    *n = 0;
    for (uint32_t i = 0; i < universe->n_component && fewest != HF_NONE; i++) {
        if (ends_at(universe, i, fewest)) {
            set[(*n)++] = i;
        }
    }
    return HF_OK;
}
