/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Patterns that are no permutation: uniform, and with a hot spot. */
#include "src/analysis/traffic/traffic.h"

static hf_status fill_uniform(hf_context *cx, const hf_topology *topo, hf_traffic *t) {
    (void)cx;
    t->base = 1;
    t->denominator = topo->n_terminal - 1;
    return HF_OK;
}

const hf_traffic_kind hf_traffic_uniform = {
    .name = "uniform",
    .summary = "Every terminal sends to all the others alike",
    .source = "gomez2010, 4.3.2",
    .params = hf_no_params,
    .fill = fill_uniform,
};

static const hf_param hot_params[] = {{.name = "percent",
                                       .type = HF_PARAM_UINT,
                                       .fallback = "5",
                                       .high = 100,
                                       .flags = HF_PARAM_SHOWN,
                                       .help = "share of the traffic that goes to the hot terminal, percent"},
                                      {.name = "node",
                                       .type = HF_PARAM_UINT,
                                       .fallback = "0",
                                       .high = HF_NONE - 1,
                                       .flags = HF_PARAM_SHOWN,
                                       .help = "the hot terminal; its own traffic is uniform"},
                                      {0}};

/* Of 100 (N - 1) parts the hot terminal gets `percent` (N - 1) and besides, as every other, 100 - percent. */
static hf_status fill_hot_spot(hf_context *cx, const hf_topology *topo, hf_traffic *t) {
    const uint64_t percent = hf_args_get(&t->args, "percent")->number, node = hf_args_get(&t->args, "node")->number;
    if (node >= topo->n_terminal) {
        HF_FAIL(cx, HF_ERANGE, "traffic \"hot-spot\": node=%u is out of range; %s has terminals 0 to %u", (uint32_t)node,
                topo->spec, topo->n_terminal - 1);
    }
    t->hot = (uint32_t)node;
    t->denominator = (uint64_t)100 * (topo->n_terminal - 1);
    t->base = 100 - percent;
    t->hot_weight = percent * (topo->n_terminal - 1);
    t->hot_own = percent;
    return HF_OK;
}

const hf_traffic_kind hf_traffic_hot_spot = {
    .name = "hot-spot",
    .summary = "A fixed share of the traffic goes to one terminal, the rest is uniform",
    .source = "gomez2010, 4.3.2",
    .params = hot_params,
    .fill = fill_hot_spot,
};
