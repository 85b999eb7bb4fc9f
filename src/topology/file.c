/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  A network from a file: GraphML, JSON, edge list, anynet, HPCC, htsim, ibnetdiscover or ibsim. Switches and terminals are
 *  numbered in the order of the file (where all names are numbers, by number); the file's own names are kept as labels, its
 *  port numbers as they are. */
#include <math.h>
#include <string.h>

#include "src/topology/multistage/draft.h"
#include "src/topology/read/from_file.h"

enum {
    FORMAT_AUTO,
    FORMAT_GRAPHML,
    FORMAT_EDGES,
    FORMAT_ANYNET,
    FORMAT_IBNET,
    FORMAT_HPCC,
    FORMAT_IBSIM,
    FORMAT_NODE_LINK,
    FORMAT_HTSIM,
    FORMAT_MESHES
};

static const char *const headers[] = {"auto", "yes", "no", NULL};
static const char *const formats[] = {"auto",      "graphml", "edges",  "anynet", "ibnetdiscover", "hpcc", "ibsim",
                                      "node-link", "htsim",   "meshes", NULL};

/* The format by the first line that says something. */
static unsigned guess_format(hf_context *cx, const char *path, const char *data, size_t size) {
    hf_lines lines;
    hf_slice word;
    hf_lines_start(cx, path, data, size, &lines);
    while (hf_lines_next(&lines)) {
        if (!hf_lines_word(&lines, &word) || *word.text == '#' || *word.text == '%') {
            continue;
        }
        if (*word.text == '<') {
            return FORMAT_GRAPHML;
        }
        if (*word.text == '{') {
            return FORMAT_NODE_LINK;
        }
        if (hf_slice_is(word, "router") || hf_slice_is(word, "node")) {
            return FORMAT_ANYNET;
        }
        if (hf_is_meshes(word)) {
            return FORMAT_MESHES;
        }
        if (hf_is_hpcc(lines)) {
            return FORMAT_HPCC;
        }
        hf_slice value, more;
        if (hf_is_htsim(word) && hf_lines_word(&lines, &value) && *value.text >= '0' && *value.text <= '9' &&
            (!hf_lines_word(&lines, &more) || *more.text == '#')) {
            return FORMAT_HTSIM;
        }
        const bool is_key = hf_slice_begins(word, "vendid=") || hf_slice_begins(word, "switchguid=") ||
                            hf_slice_begins(word, "caguid=") || hf_slice_begins(word, "sysimgguid=") ||
                            hf_slice_begins(word, "devid=");
        return is_key || hf_slice_is(word, "Switch") || hf_slice_is(word, "Ca") || hf_slice_is(word, "Hca") ? FORMAT_IBNET
                                                                                                            : FORMAT_EDGES;
    }
    return FORMAT_EDGES;
}

hf_status hf_draft_read(hf_context *cx, const char *data, size_t size, unsigned format, hf_draft *draft) {
    format = format == FORMAT_AUTO ? guess_format(cx, draft->file, data, size) : format;
    if (draft->header != HF_HEADER_AUTO && format != FORMAT_EDGES) {
        HF_FAIL(cx, HF_EINVAL, "%s: header=%s is for edge lists; this file is read as %s", draft->file, headers[draft->header],
                formats[format]);
    }
    draft->format = formats[format];
    switch (format) {
    case FORMAT_GRAPHML:
        return hf_read_graphml(cx, data, size, draft);
    case FORMAT_ANYNET:
        return hf_read_anynet(cx, data, size, draft);
    case FORMAT_IBNET:
    case FORMAT_IBSIM:
        return hf_read_ibnet(cx, data, size, draft);
    case FORMAT_NODE_LINK:
        return hf_read_node_link(cx, data, size, draft);
    case FORMAT_HTSIM:
        return hf_read_htsim(cx, data, size, draft);
    case FORMAT_MESHES:
        return hf_read_meshes(cx, data, size, draft);
    case FORMAT_HPCC:
        return hf_read_hpcc(cx, data, size, draft);
    default:
        return hf_read_edges(cx, data, size, draft);
    }
}

static hf_status build_source(hf_context *cx, const hf_args *named, const hf_source *source, hf_topology **out) {
    hf_draft draft;
    hf_status status;
    const uint32_t terminals = (uint32_t)hf_args_get(named, "terminals")->number;
    hf_draft_init(cx, source->path, &draft);
    draft.header = (hf_header)hf_args_get(named, "header")->number;
    HF_TRY_DONE(hf_draft_read(cx, source->text.data, source->text.size, (unsigned)hf_args_get(named, "format")->number, &draft));
    HF_TRY_DONE(hf_draft_add_terminals(cx, &draft, terminals));
    HF_TRY_DONE(hf_draft_build(cx, &draft, &hf_topology_file, named, out));
done:
    hf_draft_free(&draft);
    return status;
}

static hf_status build(hf_context *cx, const hf_args *args, hf_topology **out) {
    return hf_topology_from_file(cx, args, build_source, out);
}

/* ---- drawing ---- */

static hf_position on_circle(double radius, double turn) {
    const double angle = 2 * 3.14159265358979323846 * turn;
    return (hf_position){radius * (1 + sin(angle)), radius * (1 + cos(angle))};
}

/* The how-manieth terminal of its switch a terminal is, and of how many. */
static void rank_terminal(const hf_topology *topo, uint32_t terminal, uint32_t *rank, uint32_t *count) {
    const uint32_t sw = topo->terminal_switch[terminal];
    *rank = *count = 0;
    for (uint32_t i = topo->in_begin[sw]; i < topo->in_begin[sw + 1]; i++) {
        const uint32_t from = topo->from[topo->in_list[i]];
        if (hf_topology_is_terminal(topo, from)) {
            *rank += from < topo->n_switch + terminal;
            *count += 1;
        }
    }
}

/* Switches on a circle, terminals on a wider one, each near its switch. */
static hf_position place(const hf_topology *topo, uint32_t node) {
    const double radius = (topo->n_switch + (double)topo->n_terminal) / 4 + 1, n = topo->n_switch;
    if (!hf_topology_is_terminal(topo, node)) {
        const hf_position p = on_circle(radius, node / n);
        return (hf_position){p.x + 1.5, p.y + 1.5};
    }
    uint32_t rank, count;
    const uint32_t terminal = node - topo->n_switch;
    rank_terminal(topo, terminal, &rank, &count);
    return on_circle(radius + 1.5, (topo->terminal_switch[terminal] + (rank + 0.5) / count - 0.5) / n);
}

static uint32_t diameter(const hf_topology *topo) {
    (void)topo;
    return HF_NONE;
}

static const hf_param params[] = {
    HF_SOURCE_PARAM,
    {.name = "format",
     .type = HF_PARAM_WORD,
     .fallback = "auto",
     .words = formats,
     .help = "format of the file; auto goes by its content"},
    {.name = "terminals",
     .type = HF_PARAM_UINT,
     .fallback = "1",
     .low = 1,
     .high = 1000,
     .help = "terminals of every switch, where the file has none"},
    {.name = "header",
     .type = HF_PARAM_WORD,
     .fallback = "auto",
     .words = headers,
     .help = "does an edge list begin with names of columns; auto: if they say so, or if all names but these are numbers"},
    {0},
};

const hf_topology_kind hf_topology_file = {
    .name = "file",
    .summary = "a network from a file: GraphML, JSON, an edge list, anynet, HPCC or SimAI, htsim, mesh descriptors, "
               "ibnetdiscover, ibsim",
    .source = "file formats: GraphML; node-link JSON; edge lists; BookSim's anynet; HPCC and SimAI; htsim; TT-Metal's mesh "
              "descriptors; ibnetdiscover(8); ibsim",
    .claims = "numbers as in the file",
    .params = params,
    .build = build,
    .place = place,
    .diameter = diameter,
};
