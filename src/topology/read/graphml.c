/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  GraphML, read by igraph. All that is looked at:
 *
 *  - of a node: "kind", terminal or switch (the default), and "name", otherwise its id in the file;
 *  - of an edge: "source_port" and "target_port", "latency" in cycles, "rate" in Mbit/s, "delay" in ns,
 *    "flow" (control), and "both_ways".
 *
 *  An edge is a bidirectional link; of a directed graph it is one channel, unless both_ways is true or an edge the other way
 *  with the same ports stands beside it. What holdfast writes as GraphML comes back as the same network. */
#include <string.h>

#include "src/bridge/igraph.h"
#include "src/topology/multistage/draft.h"

enum { PORT_MAX = 65535, NUMBER_MAX = 1000000000 };

typedef struct graphml {
    hf_context *cx;
    hf_draft *draft;
    hf_igraph *graph;
} graphml;

/* Texts of the graph go with it; keep a copy in the arena. */
static hf_status keep(hf_context *cx, const char *text, hf_slice *out) {
    char *copy;
    HF_TRY(hf_scratch(cx, strlen(text) + 1, 1, (void **)&copy));
    memcpy(copy, text, strlen(text));
    *out = (hf_slice){copy, strlen(text)};
    return HF_OK;
}

static hf_status add_node(const graphml *g, uint32_t v) {
    hf_draft_node node = {0};
    const char *kind = hf_igraph_node_text(g->graph, "kind", v), *name = hf_igraph_node_text(g->graph, "name", v);
    name = name && *name ? name : hf_igraph_node_text(g->graph, "id", v);
    node.is_terminal = kind && strcmp(kind, "terminal") == 0;
    if (kind && *kind && !node.is_terminal && strcmp(kind, "switch") != 0) {
        HF_FAIL(g->cx, HF_EINVAL, "%s: node \"%.60s\" is of kind \"%.60s\"; need switch or terminal", g->draft->file,
                name ? name : "", kind);
    }
    if (name && *name) {
        HF_TRY(keep(g->cx, name, &node.label));
    }
    return hf_draft_add_node(g->cx, g->draft, &node);
}

/* A whole number of an edge; HF_NONE where it has none. */
static hf_status read_number(const graphml *g, uint32_t edge, const char *name, uint32_t high, uint32_t *out) {
    double value;
    *out = HF_NONE;
    if (!hf_igraph_edge_number(g->graph, name, edge, &value)) {
        return HF_OK;
    }
    if (!(value >= 0 && value <= high) || value != (uint32_t)value) {
        HF_FAIL(g->cx, HF_EINVAL, "%s: edge %" PRIu32 " has %s = %g; need a whole number from 0 to %" PRIu32, g->draft->file,
                edge, name, value, high);
    }
    *out = (uint32_t)value;
    return HF_OK;
}

/* Words, or the number that holdfast writes. */
static hf_status read_flow(const graphml *g, uint32_t edge, uint32_t *out) {
    const char *text = hf_igraph_edge_text(g->graph, "flow", edge);
    if (!text) {
        HF_TRY(read_number(g, edge, "flow", 3, out));
        *out = *out == HF_NONE ? 0 : *out;
        return HF_OK;
    }
    if (*text && !hf_draft_read_flow(hf_slice_of(text), out)) {
        HF_FAIL(g->cx, HF_EINVAL,
                "%s: edge %" PRIu32 " has flow = \"%.60s\"; need credit, bubble, or both as in bubble/credit, source first",
                g->draft->file, edge, text);
    }
    return HF_OK;
}

static hf_status add_edge(const graphml *g, uint32_t edge) {
    hf_draft_link link = {0};
    double both_ways;
    hf_igraph_edge(g->graph, edge, &link.a, &link.b);
    HF_TRY(read_number(g, edge, "source_port", PORT_MAX, &link.a_port));
    HF_TRY(read_number(g, edge, "target_port", PORT_MAX, &link.b_port));
    HF_TRY(read_number(g, edge, "latency", NUMBER_MAX, &link.latency));
    HF_TRY(read_number(g, edge, "rate", UINT32_MAX - 1, &link.rate_mbps));
    HF_TRY(read_number(g, edge, "delay", UINT32_MAX - 1, &link.delay_ns));
    HF_TRY(read_flow(g, edge, &link.flow));
    link.rate_mbps = link.rate_mbps == HF_NONE ? 0 : link.rate_mbps;
    link.both_ways = !hf_igraph_is_directed(g->graph);
    if (hf_igraph_edge_number(g->graph, "both_ways", edge, &both_ways)) {
        link.both_ways = both_ways != 0;
    }
    return hf_draft_add_link(g->cx, g->draft, &link);
}

static hf_status read_all(const graphml *g) {
    for (uint32_t v = 0; v < hf_igraph_n_node(g->graph); v++) {
        HF_TRY(add_node(g, v));
    }
    for (uint32_t e = 0; e < hf_igraph_n_edge(g->graph); e++) {
        HF_TRY(add_edge(g, e));
    }
    return hf_draft_join_opposites(g->cx, g->draft);
}

/* Nodes that are declared: tags called node, with a prefix or without. Comments may add to them. */
static uint32_t count_declared(const char *data, size_t size) {
    uint32_t count = 0;
    for (size_t i = 1; i + 5 <= size; i++) {
        const bool is_name = memcmp(data + i, "node", 4) == 0 && (data[i - 1] == '<' || data[i - 1] == ':');
        count += is_name && strchr(" \t\r\n/>", data[i + 4]) != NULL;
    }
    return count;
}

/* igraph makes a node of every name that an edge mentions. In other encodings than those with ASCII in them nothing is
 * counted. */
static hf_status check_declared(const graphml *g, const char *data, size_t size) {
    const uint32_t declared = count_declared(data, size), mentioned = hf_igraph_n_node(g->graph);
    if (declared < mentioned && !memchr(data, 0, size)) {
        HF_FAIL(g->cx, HF_EINVAL,
                "%s: edges join %" PRIu32 " nodes, but only %" PRIu32 " are declared; need <node id=...> for each",
                g->draft->file, mentioned, declared);
    }
    return HF_OK;
}

hf_status hf_read_graphml(hf_context *cx, const char *data, size_t size, hf_draft *draft) {
    graphml g = {.cx = cx, .draft = draft};
    HF_TRY(hf_igraph_read_graphml(cx, draft->file, data, size, &g.graph));
    hf_status status = check_declared(&g, data, size);
    status = status == HF_OK ? read_all(&g) : status;
    hf_igraph_free(g.graph);
    return status;
}
