/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Graphviz DOT: boxes and circles, the rows of the usual drawing as ranks, port numbers as the edge attributes tailport_number
 *  and headport_number (Graphviz keeps attributes that it does not know). Names are letters, digits, and : - > between
 *  quotes, so nothing needs escaping. */
#include "src/format/drawing.h"

#include <inttypes.h>

#include <holdfast/core/bitset.h>

static bool has(const uint64_t *set, uint32_t i) { return set && i != HF_NONE && hf_bit_test(set, i); }

/** Attributes of a node, each behind a comma. */
static void write_node_marks(const hf_topology *topo, const hf_marks *marks, uint32_t v, hf_text *out) {
    if (marks->faults && !hf_topology_is_terminal(topo, v) && hf_bit_test(marks->faults->switch_set, v)) {
        hf_text_print(out, ", color=red, style=dashed");
    } else if (has(marks->path_node, v)) {
        hf_text_print(out, ", style=bold, penwidth=3");
    }
}

static void write_edge_marks(const hf_topology *topo, const hf_marks *marks, uint32_t link, hf_text *out) {
    const uint32_t f = topo->forward[link], b = topo->backward[link];
    const uint64_t *failed = marks->faults ? marks->faults->channel_set : NULL;
    if (has(marks->path_channel, f) || has(marks->path_channel, b)) {
        hf_text_print(out, ", style=bold, penwidth=3");
    } else if (has(failed, f) || has(failed, b)) {
        hf_text_print(out, ", color=red, style=dashed");
    }
}

/** Ids are numbers, whatever a file calls a node. */
static void write_id(const hf_topology *topo, uint32_t v, hf_text *out) {
    const bool is_terminal = hf_topology_is_terminal(topo, v);
    hf_text_print(out, "%c%" PRIu32, is_terminal ? 't' : 's', is_terminal ? v - topo->n_switch : v);
}

/** The name of a link; labels have no backslash. */
static void write_link_name(const hf_topology *topo, uint32_t link, hf_text *out) {
    char name[HF_NAME_SIZE];
    hf_topology_link_name(topo, link, name, sizeof name);
    for (const char *at = name; *at; at++) {
        hf_text_print(out, "%s%c", *at == '"' ? "\\" : "", *at);
    }
}

static void write_node(const hf_topology *topo, const hf_marks *marks, uint32_t v, bool is_wide, hf_text *out) {
    char name[HF_NAME_SIZE], label[HF_LABEL_SIZE];
    hf_topology_node_text(topo, v, name, sizeof name);
    hf_text_print(out, "  ");
    write_id(topo, v, out);
    if (hf_topology_is_terminal(topo, v)) {
        hf_text_print(out, " [shape=circle");
        if (topo->naming) {
            hf_text_print(out, ", label=\"%s\"", name);
        }
        write_node_marks(topo, marks, v, out);
        hf_text_print(out, "];\n");
        return;
    }
    hf_switch_label(topo, v, is_wide, label, sizeof label);
    hf_text_print(out, " [shape=box, label=\"%s%s%s\"", name, label[0] ? "\\n" : "", label);
    for (size_t i = 0; i < topo->n_attribute; i++) {
        if (topo->attribute[i].of_switch[v] != HF_NONE) {
            hf_text_print(out, ", %s=%" PRIu32, topo->attribute[i].name, topo->attribute[i].of_switch[v]);
        }
    }
    write_node_marks(topo, marks, v, out);
    hf_text_print(out, "];\n");
}

/** Nodes of one height, in one rank. Neighbours in the order of ids share a height; a rank may be written in pieces. */
static void write_ranks(const hf_topology *topo, hf_text *out) {
    for (uint32_t v = 0; v < topo->n_node;) {
        const double y = topo->kind->place(topo, v).y;
        hf_text_print(out, "  { rank=same;");
        do {
            hf_text_print(out, " ");
            write_id(topo, v++, out);
            hf_text_print(out, ";");
        } while (v < topo->n_node && topo->kind->place(topo, v).y == y);
        hf_text_print(out, " }\n");
    }
}

static void write_edge(const hf_topology *topo, const hf_marks *marks, uint32_t link, const char *joint, hf_text *out) {
    const uint32_t c = topo->forward[link];
    hf_text_print(out, "  ");
    write_id(topo, topo->from[c], out);
    hf_text_print(out, " %s ", joint);
    write_id(topo, topo->to[c], out);
    hf_text_print(out, " [id=\"");
    write_link_name(topo, link, out);
    hf_text_print(out, "\", tailport_number=%" PRIu32 ", headport_number=%" PRIu32, topo->from_port[c], topo->to_port[c]);
    if (!hf_topology_is_bidirectional(topo) && topo->backward[link] != HF_NONE) {
        hf_text_print(out, ", dir=both");
    }
    write_edge_marks(topo, marks, link, out);
    hf_text_print(out, "];\n");
}

hf_status hf_format_dot_marked(hf_context *cx, const hf_topology *topo, const hf_marks *given, hf_text *out) {
    const hf_marks none = {0}, *marks = given ? given : &none;
    HF_TRY(hf_drawing_agrees(cx, topo, marks));
    const bool both = hf_topology_is_bidirectional(topo), is_wide = hf_switch_label_is_wide(topo);
    hf_text_print(out, "%s \"%s\" {\n  rankdir=BT;\n  splines=line;\n  node [fontsize=10];\n", both ? "graph" : "digraph",
                  topo->spec);
    for (uint32_t v = 0; v < topo->n_node; v++) {
        write_node(topo, marks, v, is_wide, out);
    }
    write_ranks(topo, out);
    for (uint32_t l = 0; l < topo->n_link; l++) {
        write_edge(topo, marks, l, both ? "--" : "->", out);
    }
    hf_text_print(out, "}\n");
    return hf_text_check(cx, out);
}

hf_status hf_format_dot(hf_context *cx, const hf_topology *topo, hf_text *out) {
    return hf_format_dot_marked(cx, topo, NULL, out);
}
