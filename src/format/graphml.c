/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  GraphML with declared keys. A node has its name, its kind, its position in the usual drawing, its attributes and its
 *  coordinates; an edge is a link, from the source of its forward channel to its destination, with its name, the port numbers
 *  at both ends and its attributes. A network with unidirectional links is written as a directed graph, a bidirectional
 *  link of it as one edge with both_ways = true. */
#include "src/format/drawing.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void declare(hf_text *out, const char *id, const char *on, const char *name, const char *type) {
    hf_text_print(out, "  <key id=\"%s\" for=\"%s\" attr.name=\"", id, on);
    hf_text_any_xml(out, name);
    hf_text_print(out, "\" attr.type=\"%s\"/>\n", type);
}

/** Names of grids' coordinates are those of the position in the drawing. */
static bool is_taken(const hf_topology *topo) {
    for (uint32_t i = 0; i < topo->n_coord; i++) {
        if (strcmp(topo->coord_name[i], "x") == 0) {
            return true;
        }
    }
    return false;
}

static bool is_of_switches(const hf_topology *topo, const hf_attribute *attribute) {
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        if (attribute->of_switch[v] != HF_NONE) {
            return true;
        }
    }
    return false;
}

static void declare_numbers(const hf_topology *topo, hf_text *out) {
    char id[48], name[48];
    for (uint32_t i = 0; i < topo->n_coord; i++) {
        (void)snprintf(id, sizeof id, "coordinate%" PRIu32, i);
        (void)snprintf(name, sizeof name, "%s%s", is_taken(topo) ? "coordinate_" : "", topo->coord_name[i]);
        declare(out, id, "node", name, "int");
    }
    for (size_t i = 0; i < topo->n_attribute; i++) {
        (void)snprintf(id, sizeof id, "node_attribute%zu", i);
        if (is_of_switches(topo, &topo->attribute[i])) {
            declare(out, id, "node", topo->attribute[i].name, "int");
        }
        (void)snprintf(id, sizeof id, "edge_attribute%zu", i);
        declare(out, id, "edge", topo->attribute[i].name, "int");
    }
}

static void declare_all(const hf_topology *topo, hf_text *out) {
    declare(out, "name", "node", "name", "string");
    declare(out, "kind", "node", "kind", "string");
    declare(out, "x", "node", "x", "double");
    declare(out, "y", "node", "y", "double");
    declare(out, "link", "edge", "name", "string");
    declare(out, "source_port", "edge", "source_port", "int");
    declare(out, "target_port", "edge", "target_port", "int");
    declare(out, "both_ways", "edge", "both_ways", "boolean");
    declare_numbers(topo, out);
}

static void write_switch_data(const hf_topology *topo, uint32_t v, hf_text *out) {
    for (uint32_t i = 0; i < topo->n_coord; i++) {
        hf_text_print(out, "      <data key=\"coordinate%" PRIu32 "\">%" PRIu32 "</data>\n", i,
                      topo->coord[(size_t)v * topo->n_coord + i]);
    }
    for (size_t i = 0; i < topo->n_attribute; i++) {
        if (topo->attribute[i].of_switch[v] != HF_NONE) {
            hf_text_print(out, "      <data key=\"node_attribute%zu\">%" PRIu32 "</data>\n", i, topo->attribute[i].of_switch[v]);
        }
    }
}

static void write_node(const hf_topology *topo, uint32_t v, hf_text *out) {
    const bool is_terminal = hf_topology_is_terminal(topo, v);
    const hf_position p = topo->kind->place(topo, v);
    char name[HF_NAME_SIZE];
    hf_topology_node_text(topo, v, name, sizeof name);
    hf_text_print(out, "    <node id=\"");
    hf_text_any_xml(out, name);
    hf_text_print(out, "\">\n      <data key=\"name\">");
    hf_text_any_xml(out, name);
    hf_text_print(out,
                  "</data>\n      <data key=\"kind\">%s</data>\n"
                  "      <data key=\"x\">%s</data>\n      <data key=\"y\">%s</data>\n",
                  is_terminal ? "terminal" : "switch", HF_DECIMAL(p.x), HF_DECIMAL(p.y));
    if (!is_terminal) {
        write_switch_data(topo, v, out);
    }
    hf_text_print(out, "    </node>\n");
}

static void write_edge(const hf_topology *topo, uint32_t link, hf_text *out) {
    const uint32_t c = topo->forward[link];
    char name[HF_NAME_SIZE];
    hf_text_print(out, "    <edge id=\"e%" PRIu32 "\" source=\"", link);
    hf_topology_node_text(topo, topo->from[c], name, sizeof name);
    hf_text_any_xml(out, name);
    hf_text_print(out, "\" target=\"");
    hf_topology_node_text(topo, topo->to[c], name, sizeof name);
    hf_text_any_xml(out, name);
    hf_text_print(out, "\">\n      <data key=\"link\">");
    hf_topology_link_name(topo, link, name, sizeof name);
    hf_text_any_xml(out, name);
    hf_text_print(out,
                  "</data>\n      <data key=\"source_port\">%" PRIu32 "</data>\n      <data key=\"target_port\">%" PRIu32
                  "</data>\n"
                  "      <data key=\"both_ways\">%s</data>\n",
                  topo->from_port[c], topo->to_port[c], topo->backward[link] == HF_NONE ? "false" : "true");
    for (size_t i = 0; i < topo->n_attribute; i++) {
        if (topo->attribute[i].of_link[link] != HF_NONE) {
            hf_text_print(out, "      <data key=\"edge_attribute%zu\">%" PRIu32 "</data>\n", i, topo->attribute[i].of_link[link]);
        }
    }
    hf_text_print(out, "    </edge>\n");
}

hf_status hf_format_graphml(hf_context *cx, const hf_topology *topo, hf_text *out) {
    hf_text_print(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                       "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n");
    declare_all(topo, out);
    hf_text_print(out, "  <graph id=\"G\" edgedefault=\"%s\">\n    <desc>",
                  hf_topology_is_bidirectional(topo) ? "undirected" : "directed");
    hf_text_any_xml(out, topo->spec);
    hf_text_print(out, "</desc>\n");
    for (uint32_t v = 0; v < topo->n_node; v++) {
        write_node(topo, v, out);
    }
    for (uint32_t l = 0; l < topo->n_link; l++) {
        write_edge(topo, l, out);
    }
    hf_text_print(out, "  </graph>\n</graphml>\n");
    return hf_text_check(cx, out);
}
