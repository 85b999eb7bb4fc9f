/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The wiring of a multipath network as text; the form is described in src/topology/multistage/multipath_wiring.h. */
#include <inttypes.h>

#include <holdfast/format.h>

#include "src/topology/multistage/multipath.h"

/** The family: that of the topology, or what its own file said. */
static const char *family_of(const hf_topology *topo) {
    if (topo->kind != &hf_topology_multipath_wiring) {
        return topo->kind->name;
    }
    const hf_value *value = hf_args_get(&topo->args, "family");
    return topo->args.params[value - topo->args.value].words[value->number];
}

/** Outputs of a node in the order of ports. */
static void write_outputs(const hf_topology *topo, uint32_t node, hf_text *out) {
    const bool is_terminal = hf_topology_is_terminal(topo, node);
    hf_text_print(out, "%c%" PRIu32 ":", is_terminal ? 't' : 's', is_terminal ? node - topo->n_switch : node);
    for (uint32_t i = topo->out_begin[node]; i < topo->out_begin[node + 1]; i++) {
        const uint32_t c = topo->out_list[i];
        hf_text_print(out, " s%" PRIu32 ":%" PRIu32, topo->to[c], topo->to_port[c]);
    }
    hf_text_print(out, "\n");
}

hf_status hf_format_wiring(hf_context *cx, const hf_topology *topo, hf_text *out) {
    hf_multipath net;
    if (!hf_multipath_of(topo, &net)) {
        HF_FAIL(cx, HF_EINVAL, "topology \"%s\" is no multipath network; need multibutterfly, maximal-fanout or multipath-wiring",
                topo->spec);
    }
    hf_text_print(out, "multipath-wiring %s radix %" PRIu32 " dilation %" PRIu32 " stages %" PRIu32 "\n", family_of(topo),
                  net.radix, net.dilation, net.n_stage);
    for (uint32_t v = 0; v < (net.n_stage - 1) * net.width; v++) {
        write_outputs(topo, v, out);
    }
    for (uint32_t t = 0; t < topo->n_terminal; t++) {
        write_outputs(topo, topo->n_switch + t, out);
    }
    return hf_text_check(cx, out);
}
