/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  JSON of nodes and links, as node_link_graph() of networkx reads it and topology "file" reads it back: what
 *  src/format/graphml.c writes, as a multigraph with "links". Of a directed graph a link of both ways is one entry with
 *  both_ways. */
#include <holdfast/format.h>

#include "src/bridge/json.h"
#include "src/format/drawing.h"

static void set_number(hf_json *object, const char *key, uint32_t value) {
    if (value != HF_NONE) {
        hf_json_set(object, key, hf_json_integer(value));
    }
}

static hf_json *node_of(const hf_topology *topo, uint32_t v) {
    const hf_position p = topo->kind->place(topo, v);
    hf_json *node = hf_json_object();
    char name[HF_NAME_SIZE];
    hf_topology_node_text(topo, v, name, sizeof name);
    hf_json_set(node, "id", hf_json_text(name));
    hf_json_set(node, "kind", hf_json_text(hf_topology_is_terminal(topo, v) ? "terminal" : "switch"));
    hf_json_set(node, "pos", hf_json_array());
    hf_json_push(hf_json_entry(node, "pos"), hf_json_real(p.x));
    hf_json_push(hf_json_entry(node, "pos"), hf_json_real(p.y));
    for (uint32_t i = 0; !hf_topology_is_terminal(topo, v) && i < topo->n_coord; i++) {
        hf_json_set(node, topo->coord_name[i], hf_json_integer(topo->coord[(size_t)v * topo->n_coord + i]));
    }
    for (size_t i = 0; !hf_topology_is_terminal(topo, v) && i < topo->n_attribute; i++) {
        set_number(node, topo->attribute[i].name, topo->attribute[i].of_switch[v]);
    }
    return node;
}

static hf_json *link_of(const hf_topology *topo, uint32_t l, bool is_directed) {
    const uint32_t c = topo->forward[l];
    hf_json *link = hf_json_object();
    char name[HF_NAME_SIZE];
    hf_topology_node_text(topo, topo->from[c], name, sizeof name);
    hf_json_set(link, "source", hf_json_text(name));
    hf_topology_node_text(topo, topo->to[c], name, sizeof name);
    hf_json_set(link, "target", hf_json_text(name));
    hf_json_set(link, "key", hf_json_integer(l));
    hf_json_set(link, "source_port", hf_json_integer(topo->from_port[c]));
    hf_json_set(link, "target_port", hf_json_integer(topo->to_port[c]));
    if (is_directed) {
        hf_json_set(link, "both_ways", hf_json_boolean(topo->backward[l] != HF_NONE));
    }
    for (size_t i = 0; i < topo->n_attribute; i++) {
        set_number(link, topo->attribute[i].name, topo->attribute[i].of_link[l]);
    }
    return link;
}

hf_status hf_format_node_link(hf_context *cx, const hf_topology *topo, hf_text *out) {
    const bool is_directed = !hf_topology_is_bidirectional(topo);
    hf_json *root = hf_json_object(), *graph = hf_json_object(), *nodes = hf_json_array(), *links = hf_json_array();
    hf_json_set(graph, "name", hf_json_text(topo->spec));
    hf_json_set(root, "directed", hf_json_boolean(is_directed));
    hf_json_set(root, "multigraph", hf_json_boolean(true));
    hf_json_set(root, "graph", graph);
    for (uint32_t v = 0; v < topo->n_node; v++) {
        hf_json_push(nodes, node_of(topo, v));
    }
    for (uint32_t l = 0; l < topo->n_link; l++) {
        hf_json_push(links, link_of(topo, l, is_directed));
    }
    hf_json_set(root, "nodes", nodes);
    hf_json_set(root, "links", links);
    const hf_status status = hf_json_print(cx, root, out);
    hf_json_free(root);
    return status;
}
