/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Edge lists: a line a link, the names of its two switches between blanks or with one comma; # and % start comments. What
 * follows the second name (a weight) is not read. If all names are numbers the switches are ordered by them, otherwise as they
 * appear. */
#include <stdlib.h>

#include "src/topology/draft.h"

typedef struct edges {
    hf_context *cx;
    hf_lines lines;
    hf_names names;
    hf_draft *draft;
} edges;

/* A name ends at a blank, or at a comma. */
static bool read_name(hf_lines *r, hf_slice *out) {
    const char *start;
    hf_lines_blanks(r);
    start = r->at;
    while (r->at < r->end && *r->at != ' ' && *r->at != '\t' && *r->at != ',') {
        r->at++;
    }
    *out = (hf_slice){start, (size_t)(r->at - start)};
    (void)hf_lines_skip(r, ',');
    return out->size > 0;
}

static hf_status read_line(edges *e) {
    hf_slice from, to;
    if (e->lines.at == e->lines.end || *e->lines.at == '#' || *e->lines.at == '%') {
        return HF_OK;
    }
    const hf_slice line = hf_lines_rest(&e->lines);
    if (!read_name(&e->lines, &from) || !read_name(&e->lines, &to)) {
        HF_LINE_FAIL(&e->lines, HF_EINVAL, "\"%.*s\" is not a link; write the names of two switches", HF_SLICE(line));
    }
    hf_draft_link link = {.a_port = HF_NONE, .b_port = HF_NONE, .latency = HF_NONE, .line = e->lines.line, .both_ways = true};
    HF_TRY(hf_names_add(e->cx, &e->names, from, &link.a));
    HF_TRY(hf_names_add(e->cx, &e->names, to, &link.b));
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
    while (hf_lines_next(&e->lines)) {
        HF_TRY(read_line(e));
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
