/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The order of the switches. */
#include "src/routing/any/updown.h"

/** Levels of what `root` reaches over links with a healthy channel. */
static void find_levels(const hf_topology *topo, const uint64_t *failed, uint32_t root, uint32_t *queue, uint32_t *level) {
    uint32_t tail = 0;
    level[root] = 0;
    queue[tail++] = root;
    for (uint32_t head = 0; head < tail; head++) {
        const uint32_t v = queue[head];
        const uint32_t n_out = topo->out_begin[v + 1] - topo->out_begin[v], n_in = topo->in_begin[v + 1] - topo->in_begin[v];
        for (uint32_t i = 0; i < n_out + n_in; i++) {
            const uint32_t c = i < n_out ? topo->out_list[topo->out_begin[v] + i] : topo->in_list[topo->in_begin[v] + i - n_out];
            const uint32_t other = i < n_out ? topo->to[c] : topo->from[c];
            if (other < topo->n_switch && level[other] == HF_NONE && !(failed && hf_bit_test(failed, c))) {
                level[other] = level[v] + 1;
                queue[tail++] = other;
            }
        }
    }
}

void hf_updown_levels(const hf_topology *topo, const uint64_t *failed, uint32_t root, uint32_t *queue, uint32_t *level) {
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        level[v] = HF_NONE;
    }
    if (root != HF_NONE) {
        find_levels(topo, failed, root, queue, level);
    }
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        if (level[v] == HF_NONE) {
            find_levels(topo, failed, v, queue, level);
        }
    }
}
