/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Flows from a file. Lines are read as they come and sorted at the end. */
#include "src/routing/flows.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/grow.h"
#include "src/core/number.h"
#include "src/core/rows.h"
#include "src/core/source.h"

enum { FILE_LIMIT = 1 << 30, N_COLUMN = 4, RATE_PLACES = 6, N_CLASS = 64 };

typedef struct flow {
    uint32_t source, destination, line, class;
    uint64_t rate;
} flow;

/* While the file is read. */
typedef struct reader {
    const hf_topology *topo;
    bool has_begun;
    size_t n_column, class_at, rate_at; /* columns; 0: there is none of classes, of rates */
    char *class[N_CLASS];
    uint32_t n_class;
    flow *flow;
    uint32_t n;
    size_t room;
} reader;

/* ---- lines ---- */

/* Words between blanks or commas. \return how many there are; N_COLUMN of them are kept */
static size_t split(hf_lines *r, hf_slice *field) {
    size_t n = 0;
    hf_slice f;
    for (; hf_lines_item(r, ',', &f); n++) {
        if (n < N_COLUMN) {
            field[n] = f;
        }
    }
    return n;
}

static hf_status read_terminal(hf_lines *r, const hf_topology *topo, hf_slice name, uint32_t *terminal) {
    char type;
    const hf_status status = hf_topology_parse_name(r->cx, topo, name.text, name.size, &type, terminal);
    if (status != HF_OK) {
        return hf_lines_prefix(r, status);
    }
    if (type != 't') {
        HF_LINE_FAIL(r, HF_EINVAL, "\"%.*s\" is no terminal; write flows as t0 t5", HF_SLICE(name));
    }
    return HF_OK;
}

/* Flits per cycle, exactly. */
static hf_status read_rate(hf_lines *r, hf_slice text, uint64_t *rate) {
    hf_slice rest = text;
    if (!hf_take_scaled(&rest, RATE_PLACES, rate) || rest.size > 0 || *rate > HF_FLOW_RATE_UNIT || *rate == 0) {
        HF_LINE_FAIL(r, HF_EINVAL, "\"%.*s\" is not a rate; need flits per cycle above 0, 1 at most, with %d decimals at most",
                     HF_SLICE(text), RATE_PLACES);
    }
    return HF_OK;
}

/* Is the first line a header? Then it says whether there are rates. */
static hf_status read_header(hf_lines *r, reader *all, const hf_slice *field, size_t n, bool *is_header) {
    *is_header = n > 0 && hf_slice_is(field[0], "source");
    if (!*is_header) {
        return HF_OK;
    }
    for (size_t i = 2; i < n && i < N_COLUMN; i++) {
        all->rate_at = hf_slice_is(field[i], "rate") ? i : all->rate_at;
        all->class_at = hf_slice_is(field[i], "class") ? i : all->class_at;
    }
    all->n_column = 2 + (all->rate_at > 0) + (all->class_at > 0);
    if (n != all->n_column || !hf_slice_is(field[1], "destination")) {
        HF_LINE_FAIL(r, HF_EINVAL,
                     "a header of flows is source,destination, and class and rate may stand behind, not \"%.*s ...\"",
                     HF_SLICE(field[0]));
    }
    return HF_OK;
}

/* The number of a class, as it was or new. */
static hf_status read_class(hf_lines *r, reader *all, hf_slice name, uint32_t *class) {
    for (*class = 0; *class < all->n_class; ++*class) {
        if (hf_slice_is(name, all->class[*class])) {
            return HF_OK;
        }
    }
    if (all->n_class == N_CLASS) {
        HF_LINE_FAIL(r, HF_EINVAL, "\"%.*s\" is one class too many; need %d at most", HF_SLICE(name), N_CLASS);
    }
    HF_TRY(hf_allocate(r->cx, name.size + 1, 1, (void **)&all->class[all->n_class]));
    memcpy(all->class[all->n_class++], name.text, name.size);
    return HF_OK;
}

static hf_status read_flow(hf_lines *r, reader *all) {
    hf_slice field[N_COLUMN] = {{0}};
    const size_t n = split(r, field);
    bool is_header = false;
    all->n_column = all->has_begun ? all->n_column : 2;
    HF_TRY(all->has_begun ? HF_OK : read_header(r, all, field, n, &is_header));
    all->has_begun = true;
    if (is_header) {
        return HF_OK;
    }
    flow f = {.line = r->line};
    if (n != all->n_column) {
        HF_LINE_FAIL(r, HF_EINVAL, "the line has %zu fields; need source%s destination%s%s", n, all->n_column > 2 ? "," : " and",
                     !all->class_at ? ""
                     : all->rate_at ? ", class"
                                    : " and class",
                     all->rate_at ? " and rate" : "");
    }
    HF_TRY(read_terminal(r, all->topo, field[0], &f.source));
    HF_TRY(read_terminal(r, all->topo, field[1], &f.destination));
    HF_TRY(all->rate_at ? read_rate(r, field[all->rate_at], &f.rate) : HF_OK);
    HF_TRY(all->class_at ? read_class(r, all, field[all->class_at], &f.class) : HF_OK);
    if (f.source == f.destination) {
        HF_LINE_FAIL(r, HF_EINVAL, "t%" PRIu32 " sends to itself; such a flow never enters the network", f.source);
    }
    HF_GROW(r->cx, all->flow, all->n, all->room);
    all->flow[all->n++] = f;
    return HF_OK;
}

/* ---- the list ---- */

static int compare(const void *x, const void *y) {
    const flow *a = x, *b = y;
    if (a->destination != b->destination) {
        return a->destination < b->destination ? -1 : 1;
    }
    if (a->source != b->source) {
        return a->source < b->source ? -1 : 1;
    }
    if (a->class != b->class) {
        return a->class < b->class ? -1 : 1;
    }
    return a->line < b->line ? -1 : 1;
}

/* Several flows of one pair are one, with all their rates. */
static void drop_repeated(reader *all) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < all->n; i++) {
        const flow f = all->flow[i];
        flow *before = kept ? &all->flow[kept - 1] : NULL;
        if (before && before->source == f.source && before->destination == f.destination) {
            before->rate += f.rate;
        } else {
            all->flow[kept++] = f;
        }
    }
    all->n = kept;
}

static hf_status check_twice(hf_lines *r, const reader *all) {
    for (uint32_t i = 1; i < all->n; i++) {
        const flow *a = &all->flow[i - 1], *b = &all->flow[i];
        if (a->source == b->source && a->destination == b->destination && a->class == b->class) {
            HF_FAIL(r->cx, HF_EINVAL,
                    "%s, line %" PRIu32 ": the flow from t%" PRIu32 " to t%" PRIu32 " is there already, at line %" PRIu32,
                    r->file, b->line, b->source, b->destination, a->line);
        }
    }
    return HF_OK;
}

static hf_status lay_down(hf_context *cx, const reader *all, hf_flow_list *out) {
    out->n = all->n;
    HF_TRY(hf_allocate(cx, (size_t)out->n_terminal + 1, sizeof *out->begin, (void **)&out->begin));
    HF_TRY(hf_allocate(cx, all->n, sizeof *out->source, (void **)&out->source));
    if (all->rate_at) {
        HF_TRY(hf_allocate(cx, all->n, sizeof *out->rate, (void **)&out->rate));
    }
    for (uint32_t i = 0; i < all->n; i++) {
        out->begin[all->flow[i].destination + 1] = i + 1;
        out->source[i] = all->flow[i].source;
        if (out->rate) {
            out->rate[i] = all->flow[i].rate;
        }
    }
    for (uint32_t d = 0; d < out->n_terminal; d++) {
        out->begin[d + 1] = out->begin[d + 1] > out->begin[d] ? out->begin[d + 1] : out->begin[d];
    }
    return HF_OK;
}

static hf_status make(hf_context *cx, uint32_t n_terminal, hf_flow_list **out) {
    HF_TRY(hf_allocate(cx, 1, sizeof **out, (void **)out));
    (*out)->allocator = *hf_context_allocator(cx);
    (*out)->n_terminal = n_terminal;
    return HF_OK;
}

/* The flows of one class, which are in order. */
static hf_status lay_down_class(hf_context *cx, const reader *all, uint32_t class, hf_flow_list **out) {
    reader some = {.rate_at = all->rate_at};
    HF_TRY(make(cx, all->topo->n_terminal, out));
    HF_TRY(hf_allocate(cx, all->n, sizeof *some.flow, (void **)&some.flow));
    for (uint32_t i = 0; i < all->n; i++) {
        if (all->flow[i].class == class) {
            some.flow[some.n++] = all->flow[i];
        }
    }
    const hf_status status = lay_down(cx, &some, *out);
    hf_release(hf_context_allocator(cx), some.flow);
    return status;
}

static hf_status lay_down_classes(hf_context *cx, reader *all, hf_flow_list *out) {
    HF_TRY(hf_allocate(cx, all->n_class, sizeof *out->class_name, (void **)&out->class_name));
    HF_TRY(hf_allocate(cx, all->n_class, sizeof *out->of_class, (void **)&out->of_class));
    for (; out->n_class < all->n_class; out->n_class++) {
        out->class_name[out->n_class] = all->class[out->n_class];
        all->class[out->n_class] = NULL;
        const hf_status status = lay_down_class(cx, all, out->n_class, &out->of_class[out->n_class]);
        if (status != HF_OK) {
            out->n_class++; /* what is there is freed with the rest */
            return status;
        }
    }
    return HF_OK;
}

static hf_status take_pairs(hf_context *cx, const uint32_t *source, const uint32_t *destination, uint32_t n, reader *all,
                            hf_flow_list *flows) {
    HF_TRY(hf_allocate(cx, n, sizeof *all->flow, (void **)&all->flow));
    all->n = n;
    for (uint32_t i = 0; i < n; i++) {
        all->flow[i] = (flow){.source = source[i], .destination = destination[i], .line = i};
    }
    qsort(all->flow, n, sizeof *all->flow, compare);
    drop_repeated(all);
    return lay_down(cx, all, flows);
}

hf_status hf_flow_list_of(hf_context *cx, uint32_t n_terminal, const uint32_t *source, const uint32_t *destination, uint32_t n,
                          hf_flow_list **out) {
    hf_flow_list *flows;
    reader all = {0};
    HF_TRY(make(cx, n_terminal, &flows));
    const hf_status status = take_pairs(cx, source, destination, n, &all, flows);
    hf_release(&flows->allocator, all.flow);
    if (status != HF_OK) {
        hf_flow_list_free(flows);
        return status;
    }
    *out = flows;
    return HF_OK;
}

static hf_status read_all(hf_lines *r, reader *all, hf_flow_list *flows) {
    while (hf_lines_next_text(r)) {
        HF_TRY(read_flow(r, all));
    }
    if (all->n == 0) {
        HF_FAIL(r->cx, HF_EINVAL, "%s: no flow in it; write lines SOURCE DESTINATION, as t0 t5", r->file);
    }
    qsort(all->flow, all->n, sizeof *all->flow, compare);
    HF_TRY(check_twice(r, all));
    HF_TRY(all->class_at ? lay_down_classes(r->cx, all, flows) : HF_OK);
    drop_repeated(all);
    return lay_down(r->cx, all, flows);
}

hf_status hf_flow_list_read(hf_lines *lines, const hf_topology *topo, hf_flow_list **out) {
    hf_flow_list *flows;
    reader all = {.topo = topo};
    HF_TRY(make(lines->cx, topo->n_terminal, &flows));
    const hf_status status = read_all(lines, &all, flows);
    hf_release(&flows->allocator, all.flow);
    for (uint32_t i = 0; i < all.n_class; i++) {
        hf_release(&flows->allocator, all.class[i]);
    }
    if (status != HF_OK) {
        hf_flow_list_free(flows);
        return status;
    }
    *out = flows;
    return HF_OK;
}

typedef struct task {
    const hf_topology *topo;
    hf_flow_list *flows;
} task;

static hf_status read_lines(hf_lines *r, void *user) {
    task *t = user;
    return hf_flow_list_read(r, t->topo, &t->flows);
}

hf_status hf_flow_list_new(hf_context *cx, const hf_topology *topo, const char *path, hf_flow_list **out) {
    task t = {topo, NULL};
    char *named;
    const hf_status status = hf_source_read(cx, path, FILE_LIMIT, read_lines, &t, &named);
    if (status != HF_OK) {
        hf_flow_list_free(t.flows);
        return status;
    }
    t.flows->named = named;
    *out = t.flows;
    return HF_OK;
}

void hf_flow_list_free(hf_flow_list *flows) {
    if (flows) {
        const hf_allocator allocator = flows->allocator;
        hf_release(&allocator, flows->named);
        hf_release(&allocator, flows->begin);
        hf_release(&allocator, flows->source);
        hf_release(&allocator, flows->rate);
        for (uint32_t i = 0; i < flows->n_class; i++) {
            hf_release(&allocator, flows->class_name[i]);
            hf_flow_list_free(flows->of_class[i]);
        }
        hf_release(&allocator, flows->class_name);
        hf_release(&allocator, flows->of_class);
        hf_release(&allocator, flows);
    }
}

uint32_t hf_flow_list_find(const hf_flow_list *flows, uint32_t source, uint32_t destination) {
    uint32_t lo = flows->begin[destination], hi = flows->begin[destination + 1];
    while (lo < hi) {
        const uint32_t middle = lo + (hi - lo) / 2;
        if (flows->source[middle] < source) {
            lo = middle + 1;
        } else {
            hi = middle;
        }
    }
    return lo < flows->begin[destination + 1] && flows->source[lo] == source ? lo : HF_NONE;
}
