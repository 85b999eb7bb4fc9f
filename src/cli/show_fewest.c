/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  holdfast show --sacrifice: how few nodes of a mesh have to be given up for the faults to be covered. */
#include "src/cli/show_fewest.h"

#include <inttypes.h>

#include <holdfast/core/bitset.h>

enum { LIMIT_S = 60 };

hf_status show_fewest_find(const cli *c, const hf_fault_set *faults, hf_sacrifice *out) {
    return hf_sacrifice_find(c->cx, faults, LIMIT_S, out);
}

void show_fewest_print(const hf_fault_set *faults, const hf_sacrifice *found, hf_text *out) {
    const uint32_t n = faults->topo->n_switch;
    if (!found->is_exact) {
        hf_text_print(out, "fewest nodes to sacrifice: at least %" PRIu32 ", not decided in %d s\n", found->nodes, LIMIT_S);
        return;
    }
    if (!found->is_possible) {
        hf_text_print(out, "fewest nodes to sacrifice: no choice makes the faults valid\n");
        return;
    }
    hf_text_print(out, "fewest nodes to sacrifice: %" PRIu32, found->nodes);
    for (size_t v = hf_bits_next(found->node, n, 0); v < n; v = hf_bits_next(found->node, n, v + 1)) {
        hf_text_print(out, " s%zu", v);
    }
    hf_text_print(out, "\n");
}

hf_json *show_fewest_json(const hf_fault_set *faults, const hf_sacrifice *found) {
    hf_json *o = hf_json_object(), *list = hf_json_array();
    const uint32_t n = faults->topo->n_switch;
    const bool is_found = found->is_exact && found->is_possible;
    hf_json_set(o, "exact", hf_json_boolean(found->is_exact));
    hf_json_set(o, "possible", found->is_exact ? hf_json_boolean(found->is_possible) : hf_json_null());
    hf_json_set(o, "nodes", is_found || !found->is_exact ? hf_json_integer(found->nodes) : hf_json_null());
    for (size_t v = hf_bits_next(found->node, n, 0); is_found && v < n; v = hf_bits_next(found->node, n, v + 1)) {
        char name[HF_NAME_SIZE];
        hf_topology_node_name(faults->topo, (uint32_t)v, name, sizeof name);
        hf_json_push(list, hf_json_text(name));
    }
    hf_json_set(o, "switches", list);
    return o;
}
