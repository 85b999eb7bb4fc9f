/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Routing tables of our own, comma-separated:
 *
 *      switch,in-port,in-vc,destination,out-port,out-vc
 *      s0,*,*,t5,3,0
 *
 *  All rows that fit a packet are hops that it may take. "*" is any port or VC. The first column may name a terminal; a terminal
 *  without rows injects on VC 0, and a switch without rows for a terminal of its own delivers on VC 0. # starts a comment.
 *
 *  Further columns, in any order, that the header names: "source", a terminal or "*"; "in-tag", the tag that the packet's header
 *  carries, or "*"; "out-tag", the tag that it carries from here on, "*": as it is. Headers begin with tag 0.
 *
 *  Or next hops alone:
 *
 *      switch,destination,next-hop
 *      s0,s7,s3
 *
 *  Every link to the next hop is taken, on VC 0. A destination that is a switch stands for all its terminals. */
#include <string.h>

#include "src/core/number.h"
#include "src/routing/table/table.h"

#include "src/core/grow.h"
#include "src/core/rows.h"

enum { N_COLUMN = 6, SOURCE = N_COLUMN, IN_TAG, OUT_TAG, COLUMN_END };
static const char *const column_names[COLUMN_END] = {"switch", "in-port", "in-vc",  "destination", "out-port",
                                                     "out-vc", "source",  "in-tag", "out-tag"};
static const char header[] = "switch,in-port,in-vc,destination,out-port,out-vc";

enum { N_HOP_COLUMN = 3 };
static const char *const hop_columns[N_HOP_COLUMN] = {"switch", "destination", "next-hop"};

/* Where each column stands in a line; COLUMN_END: nowhere. */
typedef struct columns {
    size_t n, place[COLUMN_END];
} columns;

/* Up to the next comma that is not in quotes. \return whether there is one; it is skipped */
static bool take_field(hf_lines *r, hf_slice *out) {
    const char *start = r->at;
    bool is_quoted = false;
    while (r->at < r->end && (is_quoted || *r->at != ',')) {
        is_quoted ^= *r->at++ == '"';
    }
    *out = (hf_slice){start, (size_t)(r->at - start)};
    const bool is_more = r->at < r->end;
    r->at += is_more;
    return is_more;
}

/* Fields between commas, without blanks around them. \return how many there are */
static size_t split(hf_lines *r, hf_slice *field) {
    size_t n = 0;
    for (bool is_more = true; is_more; n++) {
        hf_slice f;
        is_more = take_field(r, &f);
        while (f.size && (*f.text == ' ' || *f.text == '\t')) {
            f = (hf_slice){f.text + 1, f.size - 1};
        }
        while (f.size && (f.text[f.size - 1] == ' ' || f.text[f.size - 1] == '\t')) {
            f.size--;
        }
        if (n < COLUMN_END) {
            field[n] = f;
        }
    }
    return n;
}

static size_t column_of(hf_slice name) {
    size_t c = 0;
    while (c < COLUMN_END && !hf_slice_is(name, column_names[c])) {
        c++;
    }
    return c;
}

static bool is_of_hops(const hf_slice *field, size_t n) {
    for (size_t i = 0; i < N_HOP_COLUMN; i++) {
        if (n != N_HOP_COLUMN || !hf_slice_is(field[i], hop_columns[i])) {
            return false;
        }
    }
    return true;
}

/* The six columns in their order, and further ones; or those of next hops. */
static hf_status read_header(hf_lines *r, columns *out) {
    hf_slice field[COLUMN_END];
    out->n = split(r, field);
    if (is_of_hops(field, out->n)) {
        return HF_OK;
    }
    for (size_t c = 0; c < COLUMN_END; c++) {
        out->place[c] = COLUMN_END;
    }
    for (size_t i = 0; i < out->n || i < N_COLUMN; i++) {
        const size_t c = i < out->n && i < COLUMN_END ? column_of(field[i]) : COLUMN_END;
        if (c == COLUMN_END || (i < N_COLUMN && c != i) || out->place[c] != COLUMN_END) {
            HF_LINE_FAIL(r, HF_EINVAL,
                         "the first line must be the header %s, which source, in-tag and out-tag may follow, or "
                         "switch,destination,next-hop",
                         header);
        }
        out->place[c] = i;
    }
    return HF_OK;
}

/* A node by its name. \param[out] node its id */
static hf_status read_node(hf_lines *r, const hf_topology *topo, hf_slice name, uint32_t *node) {
    char type;
    const hf_status status = hf_topology_parse_name(r->cx, topo, name.text, name.size, &type, node);
    if (status != HF_OK) {
        return hf_lines_prefix(r, status);
    }
    if (type != 's' && type != 't') {
        HF_LINE_FAIL(r, HF_EINVAL, "\"%.*s\" is not a node; write a switch as s8, a terminal as t5", HF_SLICE(name));
    }
    *node += type == 't' ? topo->n_switch : 0;
    return HF_OK;
}

/* A number, or HF_NONE for "*" where that may be. */
static hf_status read_number(hf_lines *r, const char *what, hf_slice text, uint32_t high, bool may_be_any, uint32_t *out) {
    uint64_t value;
    if (may_be_any && hf_slice_is(text, "*")) {
        *out = HF_NONE;
        return HF_OK;
    }
    if (!hf_slice_number(text, 10, &value) || value > high) {
        HF_LINE_FAIL(r, HF_EINVAL, "\"%.*s\" is not %s; need a number from 0 to %" PRIu32 "%s", HF_SLICE(text), what, high,
                     may_be_any ? " or *" : "");
    }
    *out = (uint32_t)value;
    return HF_OK;
}

static bool has_in_port(const hf_topology *topo, uint32_t node, uint32_t port) {
    for (uint32_t i = topo->in_begin[node]; i < topo->in_begin[node + 1]; i++) {
        if (topo->to_port[topo->in_list[i]] == port) {
            return true;
        }
    }
    return false;
}

static hf_status read_ports(hf_lines *r, const hf_topology *topo, const hf_slice *field, hf_forwarding_row *row) {
    uint32_t port;
    HF_TRY(read_number(r, "an input port", field[1], HF_NONE - 1, true, &row->in_port));
    if (row->in_port != HF_NONE && !has_in_port(topo, row->node, row->in_port)) {
        HF_LINE_FAIL(r, HF_ENOENT, "nothing comes in at port %" PRIu32 " of %.*s", row->in_port, HF_SLICE(field[0]));
    }
    HF_TRY(read_number(r, "an output port", field[4], HF_NONE - 1, false, &port));
    row->channel = hf_topology_channel_at(topo, row->node, port);
    if (row->channel == HF_NONE) {
        HF_LINE_FAIL(r, HF_ENOENT, "nothing goes out at port %" PRIu32 " of %.*s", port, HF_SLICE(field[0]));
    }
    return HF_OK;
}

static hf_status add_row(hf_context *cx, hf_forwarding *table, const hf_forwarding_row *row) {
    HF_GROW(cx, table->row, table->n_row, table->row_capacity);
    table->row[table->n_row++] = *row;
    return HF_OK;
}

/* A terminal; `what` it is for. */
static hf_status read_terminal(hf_lines *r, const hf_topology *topo, hf_slice name, const char *what, uint32_t *terminal) {
    HF_TRY(read_node(r, topo, name, terminal));
    if (!hf_topology_is_terminal(topo, *terminal)) {
        HF_LINE_FAIL(r, HF_EINVAL, "the %s \"%.*s\" is a switch; packets go from terminals to terminals", what, HF_SLICE(name));
    }
    *terminal -= topo->n_switch;
    return HF_OK;
}

static hf_status read_state(hf_lines *r, hf_forwarding *table, const columns *where, const hf_slice *field,
                            hf_forwarding_row *row) {
    const size_t *place = where->place;
    row->source = row->in_tag = row->out_tag = HF_NONE;
    if (place[SOURCE] < COLUMN_END && !hf_slice_is(field[place[SOURCE]], "*")) {
        HF_TRY(read_terminal(r, table->topo, field[place[SOURCE]], "source", &row->source));
    }
    if (place[IN_TAG] < COLUMN_END) {
        HF_TRY(read_number(r, "a tag", field[place[IN_TAG]], HF_CSV_TAG_MAX, true, &row->in_tag));
    }
    if (place[OUT_TAG] < COLUMN_END) {
        HF_TRY(read_number(r, "a tag", field[place[OUT_TAG]], HF_CSV_TAG_MAX, true, &row->out_tag));
    }
    table->sees_source |= row->source != HF_NONE;
    for (uint32_t i = 0, tag = row->in_tag; i < 2; i++, tag = row->out_tag) {
        table->n_tag = tag != HF_NONE && tag >= table->n_tag ? tag + 1 : table->n_tag;
    }
    return HF_OK;
}

static hf_status read_row(hf_lines *r, const columns *where, hf_forwarding *table) {
    const hf_topology *topo = table->topo;
    hf_slice field[COLUMN_END] = {{0}};
    hf_forwarding_row row;
    const size_t n = split(r, field);
    if (n != where->n) {
        HF_LINE_FAIL(r, HF_EINVAL, "the line has %zu fields; need %zu, as the header has", n, where->n);
    }
    HF_TRY(read_node(r, topo, field[0], &row.node));
    HF_TRY(read_terminal(r, topo, field[3], "destination", &row.destination));
    HF_TRY(read_state(r, table, where, field, &row));
    HF_TRY(read_ports(r, topo, field, &row));
    HF_TRY(read_number(r, "a virtual channel", field[2], HF_CSV_VC_MAX, true, &row.in_vc));
    HF_TRY(read_number(r, "a virtual channel", field[5], HF_CSV_VC_MAX, false, &row.vc));
    return add_row(r->cx, table, &row);
}

/* ---- next hops ---- */

/* All links of a node to the next, for one terminal. */
static hf_status add_hops(hf_lines *r, hf_forwarding *table, uint32_t node, uint32_t terminal, uint32_t next) {
    const hf_topology *topo = table->topo;
    hf_forwarding_row row = {.node = node,
                             .destination = terminal,
                             .in_port = HF_NONE,
                             .in_vc = HF_NONE,
                             .source = HF_NONE,
                             .in_tag = HF_NONE,
                             .out_tag = HF_NONE};
    for (uint32_t i = topo->out_begin[node]; i < topo->out_begin[node + 1]; i++) {
        if (topo->to[topo->out_list[i]] == next) {
            row.channel = topo->out_list[i];
            HF_TRY(add_row(r->cx, table, &row));
        }
    }
    return HF_OK;
}

static bool has_link(const hf_topology *topo, uint32_t node, uint32_t next) {
    for (uint32_t i = topo->out_begin[node]; i < topo->out_begin[node + 1]; i++) {
        if (topo->to[topo->out_list[i]] == next) {
            return true;
        }
    }
    return false;
}

static hf_status read_hops(hf_lines *r, hf_forwarding *table) {
    const hf_topology *topo = table->topo;
    hf_slice field[COLUMN_END] = {{0}};
    uint32_t node[N_HOP_COLUMN];
    const size_t n = split(r, field);
    if (n != N_HOP_COLUMN) {
        HF_LINE_FAIL(r, HF_EINVAL, "the line has %zu fields; need %d, as the header has", n, N_HOP_COLUMN);
    }
    for (size_t i = 0; i < N_HOP_COLUMN; i++) {
        HF_TRY(read_node(r, topo, field[i], &node[i]));
    }
    if (!has_link(topo, node[0], node[2])) {
        HF_LINE_FAIL(r, HF_ENOENT, "no link leads from %.*s to %.*s; need a neighbour as next hop", HF_SLICE(field[0]),
                     HF_SLICE(field[2]));
    }
    if (hf_topology_is_terminal(topo, node[1])) {
        return add_hops(r, table, node[0], node[1] - topo->n_switch, node[2]);
    }
    for (uint32_t i = topo->out_begin[node[1]]; node[0] != node[1] && i < topo->out_begin[node[1] + 1]; i++) {
        const uint32_t to = topo->to[topo->out_list[i]];
        HF_TRY(hf_topology_is_terminal(topo, to) ? add_hops(r, table, node[0], to - topo->n_switch, node[2]) : HF_OK);
    }
    return HF_OK;
}

/* ---- the file ---- */

static size_t key_of(const hf_forwarding *t, uint32_t row) {
    return (size_t)t->row[row].destination * t->topo->n_node + t->row[row].node;
}

/* Rows in the order of destination and node; rows of one kind keep the order of the file. */
static hf_status sort_rows(hf_context *cx, hf_forwarding *t) {
    hf_rows rows = {.n = (size_t)t->topo->n_terminal * t->topo->n_node};
    hf_forwarding_row *sorted;
    HF_TRY(hf_allocate(cx, rows.n + 2, sizeof *t->row_begin, (void **)&t->row_begin));
    HF_TRY(hf_allocate(cx, t->n_row, sizeof *sorted, (void **)&sorted));
    rows.begin = t->row_begin;
    for (uint32_t i = 0; i < t->n_row; i++) {
        hf_rows_count(&rows, key_of(t, i));
    }
    (void)hf_rows_sum(&rows);
    for (uint32_t i = 0; i < t->n_row; i++) {
        sorted[hf_rows_take(&rows, key_of(t, i))] = t->row[i];
    }
    hf_release(&t->allocator, t->row);
    t->row = sorted;
    t->row_capacity = t->n_row;
    return HF_OK;
}

hf_status hf_read_csv(hf_lines *r, hf_forwarding *table) {
    columns where = {0};
    while (hf_lines_next_text(r)) {
        HF_TRY(where.n == N_HOP_COLUMN ? read_hops(r, table) : where.n ? read_row(r, &where, table) : read_header(r, &where));
    }
    if (table->n_row == 0) {
        HF_FAIL(r->cx, HF_EINVAL, "%s: no row in it; need the header %s and rows", r->file, header);
    }
    if ((uint64_t)table->n_tag * (table->sees_source ? table->topo->n_terminal : 1) >= HF_TAG_END) {
        HF_FAIL(r->cx, HF_ERANGE,
                "%s: %" PRIu32 " tags of packets from %" PRIu32 " terminals are too many; need a product below 2^31", r->file,
                table->n_tag, table->topo->n_terminal);
    }
    return sort_rows(r->cx, table);
}
