/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Stages of equally many switches. */
#include "src/topology/multistage/stages.h"

#include "src/topology/uniform.h"

uint32_t hf_power(uint32_t k, uint32_t e) {
    uint32_t value = 1;
    for (; e; e--) {
        value *= k;
    }
    return value;
}

uint64_t hf_power64(uint64_t k, uint64_t e) {
    uint64_t value = 1;
    for (; e && value != UINT64_MAX; e--) {
        value = hf_times(value, k);
    }
    return value;
}

hf_status hf_stages_mark(hf_context *cx, hf_topology *topo, uint32_t width, const char *help) {
    uint32_t *of_switch, *of_link;
    HF_TRY(hf_topology_add_attribute(cx, topo, "stage", help, &of_switch, &of_link));
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        of_switch[v] = v / width;
    }
    for (uint32_t l = 0; l < topo->n_switch_link; l++) {
        of_link[l] = of_switch[topo->from[l]];
    }
    return HF_OK;
}

hf_position hf_stages_place(const hf_topology *topo, uint32_t k, uint32_t node) {
    const uint32_t width = topo->n_terminal / k;
    if (hf_topology_is_terminal(topo, node)) {
        return (hf_position){.x = node - topo->n_switch, .y = 0};
    }
    const uint32_t stage = node / width;
    return (hf_position){.x = node % width * k + (k - 1) / 2.0, .y = 1.0 + stage};
}

double hf_stages_mean_turning(uint32_t k, uint32_t n) {
    double terminals = 1, sum = 0;
    for (uint32_t t = 0; t < n; t++, terminals *= k) {
        sum += (k - 1) * terminals * 2 * (t + 1);
    }
    return sum / (terminals - 1);
}
