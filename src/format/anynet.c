/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Networks for the BookSim simulator's "anynet": a line a router, with its nodes and the links that it begins. */
#include <inttypes.h>

#include <holdfast/format.h>

#include "src/format/hosts.h"

static void write_latency(const hf_attribute *latency, uint32_t link, hf_text *out) {
    if (latency && latency->of_link[link] != HF_NONE) {
        hf_text_print(out, " %" PRIu32, latency->of_link[link]);
    }
}

/* All links of two routers are told by the lower one, as those told by both are the same; terminals are higher than any. */
static bool begins_any(const hf_topology *topo, uint32_t v) {
    for (uint32_t i = topo->out_begin[v]; i < topo->out_begin[v + 1]; i++) {
        if (topo->to[topo->out_list[i]] > v) {
            return true;
        }
    }
    return false;
}

/* Links in the order of ports. */
static void write_router(const hf_topology *topo, const hf_attribute *latency, uint32_t v, hf_text *out) {
    if (!begins_any(topo, v)) {
        return;
    }
    hf_text_print(out, "router %" PRIu32, v);
    for (uint32_t i = topo->out_begin[v]; i < topo->out_begin[v + 1]; i++) {
        const uint32_t c = topo->out_list[i], to = topo->to[c], link = topo->link[c];
        if (hf_topology_is_terminal(topo, to)) {
            hf_text_print(out, " node %" PRIu32, to - topo->n_switch);
            write_latency(latency, link, out);
        } else if (to > v) {
            hf_text_print(out, " router %" PRIu32, to);
            write_latency(latency, link, out);
        }
    }
    hf_text_print(out, "\n");
}

static hf_status check(hf_context *cx, const hf_topology *topo) {
    HF_TRY(hf_hosts_both_ways(cx, topo, "anynet files"));
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        if (topo->out_begin[v + 1] == topo->out_begin[v]) {
            char name[HF_NAME_SIZE];
            hf_topology_node_name(topo, v, name, sizeof name);
            HF_FAIL(cx, HF_EINVAL, "switch %s of \"%s\" has no link; anynet files name a router by its links", name, topo->spec);
        }
    }
    for (uint32_t t = 0; t < topo->n_terminal; t++) {
        const uint32_t v = topo->n_switch + t;
        if (topo->out_begin[v + 1] - topo->out_begin[v] > 1) {
            char name[HF_NAME_SIZE];
            hf_topology_node_name(topo, v, name, sizeof name);
            HF_FAIL(cx, HF_EINVAL, "terminal %s of \"%s\" has several links; a node of anynet files hangs on one router", name,
                    topo->spec);
        }
    }
    return HF_OK;
}

hf_status hf_format_anynet(hf_context *cx, const hf_topology *topo, hf_text *out) {
    const hf_attribute *latency = hf_topology_attribute(topo, "latency");
    HF_TRY(check(cx, topo));
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        write_router(topo, latency, v, out);
    }
    return hf_text_check(cx, out);
}
