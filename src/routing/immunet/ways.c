/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The switch network under Immunet, and what has failed of it. */
#include "src/routing/immunet/tree.h"

const char *const hf_ties_names[] = {"port", "last-port", "low-id", "high-id", NULL};

static bool is_way(const hf_topology *topo, uint32_t channel) {
    return topo->link[channel] < topo->n_switch_link && topo->reverse[channel] != HF_NONE;
}

static hf_status allocate(hf_context *cx, hf_ways *out) {
    const size_t room = 2 * (size_t)out->topo->n_switch_link;
    HF_TRY(hf_scratch(cx, (size_t)out->n + 1, sizeof *out->begin, (void **)&out->begin));
    HF_TRY(hf_scratch(cx, room, sizeof *out->from, (void **)&out->from));
    HF_TRY(hf_scratch(cx, room, sizeof *out->to, (void **)&out->to));
    HF_TRY(hf_scratch(cx, room, sizeof *out->channel, (void **)&out->channel));
    HF_TRY(hf_scratch(cx, room, sizeof *out->back, (void **)&out->back));
    return hf_scratch(cx, out->topo->n_channel, sizeof *out->of, (void **)&out->of);
}

hf_status hf_ways_make(hf_context *cx, const hf_topology *topo, hf_ways *out) {
    *out = (hf_ways){.topo = topo, .n = topo->n_switch};
    HF_TRY(allocate(cx, out));
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        out->of[c] = HF_NONE;
    }
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        out->begin[v] = out->n_way;
        for (uint32_t i = topo->out_begin[v]; i < topo->out_begin[v + 1]; i++) {
            const uint32_t c = topo->out_list[i];
            if (is_way(topo, c)) {
                out->from[out->n_way] = v;
                out->to[out->n_way] = topo->to[c];
                out->channel[out->n_way] = c;
                out->of[c] = out->n_way++;
            }
        }
    }
    out->begin[topo->n_switch] = out->n_way;
    for (uint32_t w = 0; w < out->n_way; w++) {
        out->back[w] = out->of[topo->reverse[out->channel[w]]];
    }
    return HF_OK;
}

typedef struct spreading {
    const hf_ways *ways;
    const uint64_t *dead;
    uint16_t *distance;
} spreading;

static hf_step enter(void *user, uint32_t from, uint32_t way, uint32_t to) {
    const spreading *s = user;
    if (s->distance[to] != UINT16_MAX || !hf_ways_is_alive(s->ways, s->dead, way)) {
        return HF_STEP_PASS;
    }
    s->distance[to] = (uint16_t)(s->distance[from] + 1);
    return HF_STEP_ENTER;
}

void hf_ways_spread(const hf_ways *ways, const uint64_t *dead, uint32_t *queue, uint32_t n_start, uint16_t *distance) {
    spreading s = {ways, dead, distance};
    (void)hf_breadth_first(hf_ways_arcs(ways), queue, n_start, enter, &s);
}

void hf_emergency_dead(const hf_fault_set *faults, uint64_t *dead) {
    for (uint32_t i = 0; i < faults->n_channel; i++) {
        const uint32_t link = faults->topo->link[faults->channel[i]];
        if (link < faults->topo->n_switch_link) {
            hf_bit_set(dead, link);
        }
    }
}

hf_status hf_emergency_room(hf_context *cx, const hf_ways *ways, hf_emergency *out) {
    *out = (hf_emergency){0};
    HF_TRY(hf_scratch(cx, ways->n, sizeof *out->priority, (void **)&out->priority));
    HF_TRY(hf_scratch(cx, ways->n, sizeof *out->times, (void **)&out->times));
    HF_TRY(hf_scratch(cx, ways->n, sizeof *out->parent, (void **)&out->parent));
    HF_TRY(hf_scratch(cx, ways->n, sizeof *out->root, (void **)&out->root));
    return hf_scratch(cx, ways->n, sizeof *out->level, (void **)&out->level);
}
