/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Distances over channels that have not failed. */
#include "src/topology/search.h"

#include <string.h>

#include <holdfast/core/bitset.h>

typedef struct search {
    const uint64_t *failed;
    uint32_t n_switch, n_node; /* only switches forward; nodes that count */
    uint32_t *distance;
} search;

static hf_step enter(void *user, uint32_t from, uint32_t arc, uint32_t to) {
    const search *s = user;
    if (to >= s->n_node || s->distance[to] != HF_NONE || (s->failed && hf_bit_test(s->failed, arc))) {
        return HF_STEP_PASS;
    }
    s->distance[to] = s->distance[from] + 1;
    return to < s->n_switch;
}

static void find(const hf_topology *topo, search s, uint32_t start, bool backwards, uint32_t *queue) {
    memset(s.distance, 0xff, s.n_node * sizeof *s.distance); /* HF_NONE */
    s.distance[start] = 0;
    queue[0] = start;
    (void)hf_breadth_first(hf_channels(topo, backwards), queue, 1, enter, &s);
}

void hf_distances(const hf_topology *topo, const uint64_t *failed, uint32_t start, bool backwards, uint32_t *queue,
                  uint32_t *distance) {
    find(topo, (search){failed, topo->n_switch, topo->n_node, distance}, start, backwards, queue);
}

void hf_switch_distances(const hf_topology *topo, const uint64_t *failed, uint32_t start, bool backwards, uint32_t *queue,
                         uint32_t *distance) {
    find(topo, (search){failed, topo->n_switch, topo->n_switch, distance}, start, backwards, queue);
}
