/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Unidirectional multistage networks of k x k switches. */
#include "src/topology/multistage/fly.h"

#include <assert.h>

#include "src/topology/uniform.h"

static const char *const coord_name[] = {"index"};

const hf_param hf_fly_params[] = {
    {.name = "k",
     .type = HF_PARAM_UINT,
     .low = 2,
     .high = 64,
     .flags = HF_PARAM_SHOWN,
     .help = "inputs, and outputs, of a switch"},
    {.name = "n",
     .type = HF_PARAM_UINT,
     .low = 1,
     .high = 31,
     .flags = HF_PARAM_SHOWN,
     .help = "digits of a terminal's number: k^n terminals"},
    {0},
};

bool hf_fly_of(const hf_topology *topo, hf_fly *fly) {
    if (topo->kind->place != hf_fly_place) {
        return false;
    }
    fly->k = (uint32_t)hf_args_get(&topo->args, "k")->number;
    fly->n = (uint32_t)hf_args_get(&topo->args, "n")->number;
    fly->n_line = topo->n_terminal;
    fly->n_stage = topo->n_switch / (fly->n_line / fly->k);
    return true;
}

static uint32_t switch_of(const hf_fly *fly, uint32_t s, uint32_t line) { return s * (fly->n_line / fly->k) + line / fly->k; }

static hf_status add_links(hf_context *cx, hf_topology *topo, const hf_fly *fly, hf_fly_wire *wire) {
    uint32_t *line_to; /* the last line that leads to a terminal */
    HF_TRY(hf_scratch(cx, fly->n_line, sizeof *line_to, (void **)&line_to));
    for (uint32_t s = 1; s < fly->n_stage; s++) {
        for (uint32_t y = 0; y < fly->n_line; y++) {
            const uint32_t z = wire(fly, s, y);
            hf_topology_add_link(topo, switch_of(fly, s - 1, y), fly->k + y % fly->k, switch_of(fly, s, z), z % fly->k, false);
        }
    }
    for (uint32_t t = 0; t < fly->n_line; t++) {
        const uint32_t z = wire(fly, 0, t);
        hf_topology_add_link(topo, topo->n_switch + t, 0, switch_of(fly, 0, z), z % fly->k, false);
        line_to[wire(fly, fly->n_stage, t)] = t;
    }
    for (uint32_t t = 0; t < fly->n_line; t++) {
        const uint32_t y = line_to[t];
        hf_topology_add_link(topo, switch_of(fly, fly->n_stage - 1, y), fly->k + y % fly->k, topo->n_switch + t, 1, false);
    }
    return HF_OK;
}

static hf_status set_stages(hf_context *cx, hf_topology *topo, const hf_fly *fly) {
    assert(fly->k > 0);
    const uint32_t width = fly->n_line / fly->k;
    assert(width > 0);
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        topo->coord[v] = v % width;
    }
    return hf_stages_mark(cx, topo, width, "stage of a switch, 0 takes from the terminals; of a link: of its start");
}

static hf_status fill(hf_context *cx, hf_topology *topo, const hf_fly *fly, hf_fly_wire *wire) {
    const hf_mark mark = hf_scratch_mark(cx);
    const hf_status status = add_links(cx, topo, fly, wire);
    hf_scratch_reset(cx, mark);
    HF_TRY(status);
    HF_TRY(set_stages(cx, topo, fly));
    return hf_topology_finish(cx, topo);
}

void hf_fly_count(const hf_args *args, uint64_t n_stage, hf_topology_counts *out) {
    const uint64_t k = hf_args_get(args, "k")->number, n = hf_args_get(args, "n")->number, n_line = hf_power64(k, n);
    *out = (hf_topology_counts){.n_switch = hf_times(n_stage, hf_power64(k, n - 1)),
                                .n_terminal = n_line,
                                .n_switch_link = hf_times(n_stage - 1, n_line),
                                .n_terminal_link = hf_times(2, n_line),
                                .n_channel = hf_times(n_stage + 1, n_line),
                                .ends_most = 2 * k};
}

hf_status hf_fly_build(hf_context *cx, const hf_topology_kind *kind, const hf_args *args, uint64_t n_stage, hf_fly_wire *wire,
                       hf_topology **out) {
    const uint64_t k = hf_args_get(args, "k")->number, n = hf_args_get(args, "n")->number;
    hf_topology_counts c;
    hf_topology *topo;
    hf_fly_count(args, n_stage, &c);
    HF_TRY(hf_topology_start(cx, kind, args, c.n_switch, c.n_terminal, c.n_switch_link, c.n_terminal_link, 1, coord_name, &topo));
    const hf_fly fly = {.k = (uint32_t)k, .n = (uint32_t)n, .n_stage = (uint32_t)n_stage, .n_line = topo->n_terminal};
    return hf_topology_give(fill(cx, topo, &fly, wire), topo, out);
}

hf_position hf_fly_place(const hf_topology *topo, uint32_t node) {
    return hf_stages_place(topo, (uint32_t)hf_args_get(&topo->args, "k")->number, node);
}

uint32_t hf_fly_diameter(const hf_topology *topo) {
    const uint32_t k = (uint32_t)hf_args_get(&topo->args, "k")->number;
    return topo->n_switch / (topo->n_terminal / k) + 1;
}

double hf_fly_mean_distance(const hf_topology *topo) { return hf_fly_diameter(topo); }
