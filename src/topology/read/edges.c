/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Edge lists: a line a link, the names of its two switches between blanks, commas or semicolons, in quotes where they hold one
 *  of these; # and % start comments. What follows the second name (a weight) is not read, but for a column that a header calls
 *  "flow". The first line may name columns instead (src/topology/read/edges_header.c). If all names are numbers the switches are
 *  ordered by them, otherwise as they appear. */
#include <stdlib.h>

#include "src/core/number.h"
#include "src/topology/read/edges_header.h"

typedef struct edges {
    hf_context *cx;
    hf_lines lines;
    hf_names names;
    hf_draft *draft;
    hf_edges_header header;
} edges;

static hf_status read_line(edges *e) {
    hf_slice end[2], flow;
    const hf_slice line = hf_lines_rest(&e->lines);
    hf_draft_link link = {
        .a_port = HF_NONE, .b_port = HF_NONE, .latency = HF_NONE, .delay_ns = HF_NONE, .line = e->lines.line, .both_ways = true};
    HF_TRY(hf_edges_ends(&e->lines, &e->header, end, &flow));
    if (!end[0].size || !end[1].size) {
        HF_LINE_FAIL(&e->lines, HF_EINVAL, "\"%.*s\" is not a link; write the names of two switches", HF_SLICE(line));
    }
    if (flow.size && !hf_draft_read_flow(flow, &link.flow)) {
        HF_LINE_FAIL(&e->lines, HF_EINVAL, "\"%.*s\" is no flow control; need credit, bubble, or both as in bubble/credit",
                     HF_SLICE(flow));
    }
    HF_TRY(hf_names_add(e->cx, &e->names, end[0], &link.a));
    HF_TRY(hf_names_add(e->cx, &e->names, end[1], &link.b));
    return hf_draft_add_link(e->cx, e->draft, &link);
}

/* A number with its place in the file's order. */
typedef struct numbered {
    uint64_t number;
    uint32_t id;
} numbered;

static int compare(const void *x, const void *y) {
    const numbered *a = x, *b = y;
    if (a->number != b->number) {
        return a->number < b->number ? -1 : 1;
    }
    return (a->id > b->id) - (a->id < b->id);
}

/* Names in the order that the switches get; false in `by_number` where they keep that of the file. */
static hf_status order_names(const edges *e, numbered **out) {
    const uint32_t n = e->names.count;
    bool by_number = true;
    HF_TRY(hf_scratch(e->cx, n + 1, sizeof **out, (void **)out));
    for (uint32_t i = 0; i < n; i++) {
        (*out)[i].id = i;
        by_number = by_number && hf_slice_number(e->names.name[i], 10, &(*out)[i].number);
    }
    if (by_number) {
        qsort(*out, n, sizeof **out, compare);
    }
    return HF_OK;
}

static hf_status add_nodes(const edges *e) {
    const uint32_t n = e->names.count;
    numbered *order;
    uint32_t *place;
    HF_TRY(order_names(e, &order));
    HF_TRY(hf_scratch(e->cx, n + 1, sizeof *place, (void **)&place));
    for (uint32_t i = 0; i < n; i++) {
        place[order[i].id] = i;
        HF_TRY(hf_draft_add_node(e->cx, e->draft, &(hf_draft_node){.label = e->names.name[order[i].id]}));
    }
    for (uint32_t l = 0; l < e->draft->n_link; l++) {
        hf_draft_link *link = &e->draft->link[l];
        link->a = place[link->a];
        link->b = place[link->b];
    }
    return HF_OK;
}

static hf_status read_all(edges *e) {
    HF_TRY(hf_edges_find_header(&e->lines, e->draft, &e->header));
    while (hf_edges_next(&e->lines)) {
        if (e->lines.line != e->header.line) {
            HF_TRY(read_line(e));
        }
    }
    return add_nodes(e);
}

hf_status hf_read_edges(hf_context *cx, const char *data, size_t size, hf_draft *draft) {
    edges e = {.cx = cx, .draft = draft};
    hf_lines_start(cx, draft->file, data, size, &e.lines);
    hf_names_init(cx, &e.names);
    const hf_status status = read_all(&e);
    hf_names_free(&e.names);
    return status;
}
