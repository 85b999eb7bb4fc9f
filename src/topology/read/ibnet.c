/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The output of ibnetdiscover(8), and the nets that ibsim simulates. A block a node:
 *
 *      switchguid=0x200003(200003)
 *      Switch  4 "S-0000000000200003"    # "S3" base port 0 lid 6 lmc 0
 *      [1]     "H-000000000010000c"[1](10000d)     # "H6" lid 19 4xSDR
 *
 *      caguid=0x10000c
 *      Ca      1 "H-000000000010000c"    # "H6"
 *      [1](10000d)     "S-0000000000200003"[1]     # lid 19 lmc 0 "S3" lid 6 4xSDR
 *
 *  Every connected port of an adapter (or router) is a terminal with its own LIDs; of an adapter with several connected ports
 *  the terminals are called NAME/P1, NAME/P2. A node without a description has the name in the first quotes. Port numbers are
 *  those of the file. A link stands in the blocks of both its ends, and the two must agree.
 *
 *  A net of ibsim is written by hand: an adapter may be called Hca, names are any text, a link may stand in the block of one end
 *  alone, and the port behind a name is 1 where it is left out. A file is one if it says Hca, or has no GUID. */
#include <string.h>

#include "src/core/number.h"
#include "src/topology/multistage/draft.h"

#include "src/core/grow.h"

enum { PORTS_MAX = 254, LID_MAX = 0xFFFF, LMC_MAX = 7 };

/* One port line, or a terminal that is made of it. */
typedef struct port {
    uint32_t number, peer_port, line;
    uint32_t peer; /* number of the peer's block name */
    uint32_t lid;
    uint8_t lmc;
    uint64_t guid;
} port;

/* One block: its ports are port[first .. first + count - 1]. */
typedef struct block {
    bool is_seen, is_switch;
    hf_slice label;
    uint64_t guid;
    uint32_t lid, line, n_port, first, count;
    uint8_t lmc;
    uint32_t node;    /* first node of the draft */
    uint32_t missing; /* 1 + the last missing port of it, 0: none */
} block;

typedef struct ibnet {
    hf_context *cx;
    hf_lines lines;
    hf_draft *draft;
    hf_names names; /* "S-0000000000200003" -> block */
    block *blocks;
    port *ports;
    uint32_t block_capacity, n_port;
    size_t port_capacity;
    uint32_t *order; /* blocks in the order of the file */
    uint32_t n_order;
    size_t order_capacity;
    uint64_t guid; /* of the last switchguid= or caguid= line */
    bool has_guid, has_hca;
    uint32_t no_port; /* the first line without the port of the peer, 0: none */
    uint32_t at;      /* present block, HF_NONE: none */
} ibnet;

/* ---- pieces ---- */

static hf_status refuse_line(const ibnet *r, hf_slice line) {
    HF_LINE_FAIL(
        &r->lines, HF_EINVAL,
        "\"%.*s\" is not of ibnetdiscover or ibsim; lines are key=value, Switch PORTS \"S-GUID\" # ..., Ca PORTS \"H-GUID\" # "
        "..., or [PORT] \"PEER\"[PORT] # ...",
        HF_SLICE(line));
}

/* "[12]" */
static bool read_port_number(hf_lines *r, uint32_t *out) {
    hf_slice digits;
    uint64_t value;
    if (!hf_lines_skip(r, '[') || !hf_lines_until(r, ']', &digits) || !hf_slice_number(digits, 10, &value) || value > PORTS_MAX) {
        return false;
    }
    *out = (uint32_t)value;
    return true;
}

/* "[ext 12]", the number printed on the box, if it is there. */
static bool skip_printed_number(hf_lines *r) {
    hf_slice printed;
    return !hf_slice_begins(hf_lines_rest(r), "[ext ") || hf_lines_until(r, ']', &printed);
}

/* "(10000d)", if it is there. */
static bool read_port_guid(hf_lines *r, uint64_t *out) {
    hf_slice digits;
    if (!hf_lines_skip(r, '(')) {
        return true;
    }
    return hf_lines_until(r, ')', &digits) && hf_slice_number(digits, 16, out);
}

static bool read_quoted(hf_lines *r, hf_slice *out) { return hf_lines_skip(r, '"') && hf_lines_until(r, '"', out); }

/* "lid 6 lmc 0" in what is left of the line, up to the next quotation mark; what is not there stays as it is. */
static hf_status read_address(ibnet *r, uint32_t *lid, uint8_t *lmc) {
    hf_lines part = r->lines;
    hf_slice before, word;
    uint64_t value;
    if (hf_lines_until(&part, '"', &before)) {
        part.end = part.at - 1;
    }
    part.at = r->lines.at;
    while (hf_lines_word(&part, &word)) {
        if (hf_slice_is(word, "lid")) {
            HF_TRY(hf_lines_number(&part, "a LID", 0, LID_MAX, &value));
            *lid = (uint32_t)value;
        } else if (hf_slice_is(word, "lmc")) {
            HF_TRY(hf_lines_number(&part, "an LMC", 0, LMC_MAX, &value));
            *lmc = (uint8_t)value;
        }
    }
    return HF_OK;
}

/* The block of a name, made if it is new. */
static hf_status find_block(ibnet *r, hf_slice name, uint32_t *out) {
    const uint32_t before = r->names.count;
    if (before == r->block_capacity) {
        const uint32_t capacity = 2 * before + 64;
        HF_TRY(hf_resize(r->cx, capacity, sizeof *r->blocks, (void **)&r->blocks));
        r->block_capacity = capacity;
    }
    HF_TRY(hf_names_add(r->cx, &r->names, name, out));
    if (r->names.count > before) {
        r->blocks[*out] = (block){.line = r->lines.line};
    }
    return HF_OK;
}

/* ---- lines ---- */

/* Switch PORTS "S-GUID" # "NAME" base port 0 lid 6 lmc 0 */
static hf_status read_head(ibnet *r, bool is_switch, hf_slice line) {
    uint64_t n_port;
    hf_slice name, label = {0};
    HF_TRY(hf_lines_number(&r->lines, "the number of ports", 1, PORTS_MAX, &n_port));
    if (!read_quoted(&r->lines, &name)) {
        return refuse_line(r, line);
    }
    HF_TRY(find_block(r, name, &r->at));
    block *b = &r->blocks[r->at];
    if (b->is_seen) {
        HF_LINE_FAIL(&r->lines, HF_EINVAL, "\"%.*s\" is described twice, first on line %" PRIu32, HF_SLICE(name), b->line);
    }
    if (hf_lines_skip(&r->lines, '#')) {
        (void)read_quoted(&r->lines, &label);
    }
    label = label.size ? label : name;
    *b = (block){.is_seen = true,
                 .is_switch = is_switch,
                 .label = label,
                 .guid = r->guid,
                 .line = r->lines.line,
                 .n_port = (uint32_t)n_port,
                 .first = r->n_port};
    HF_TRY(read_address(r, &b->lid, &b->lmc));
    HF_GROW(r->cx, r->order, r->n_order, r->order_capacity);
    r->order[r->n_order++] = r->at;
    return HF_OK;
}

static hf_status check_number(const ibnet *r, const port *p) {
    const block *b = &r->blocks[r->at];
    if (p->number == 0 || p->number > b->n_port) {
        HF_LINE_FAIL(&r->lines, HF_EINVAL, "there is no port %" PRIu32 "; the node has the ports 1 to %" PRIu32, p->number,
                     b->n_port);
    }
    for (uint32_t i = b->first; i < b->first + b->count; i++) {
        if (r->ports[i].number == p->number) {
            HF_LINE_FAIL(&r->lines, HF_EINVAL, "port %" PRIu32 " is there already, on line %" PRIu32, p->number,
                         r->ports[i].line);
        }
    }
    return HF_OK;
}

static hf_status add_port(ibnet *r, const port *p) {
    HF_GROW(r->cx, r->ports, r->n_port, r->port_capacity);
    r->ports[r->n_port++] = *p;
    r->blocks[r->at].count++;
    return HF_OK;
}

/* [1](10000d) "S-0000000000200003"[1] # lid 19 lmc 0 "S3" lid 6 4xSDR */
static hf_status read_port(ibnet *r, hf_slice line) {
    port p = {.line = r->lines.line};
    hf_slice peer;
    if (r->at == HF_NONE) {
        HF_LINE_FAIL(&r->lines, HF_EINVAL, "\"%.*s\": a port before any Switch or Ca line", HF_SLICE(line));
    }
    if (!read_port_number(&r->lines, &p.number) || !skip_printed_number(&r->lines) || !read_port_guid(&r->lines, &p.guid) ||
        !read_quoted(&r->lines, &peer)) {
        return refuse_line(r, line);
    }
    const bool has_port = hf_lines_skip(&r->lines, '[');
    r->lines.at -= has_port;
    if (has_port && (!read_port_number(&r->lines, &p.peer_port) || p.peer_port == 0)) {
        return refuse_line(r, line);
    }
    r->no_port = has_port || r->no_port ? r->no_port : p.line;
    HF_TRY(check_number(r, &p));
    HF_TRY(find_block(r, peer, &p.peer));
    uint64_t peer_guid;
    if (!read_port_guid(&r->lines, &peer_guid)) {
        return refuse_line(r, line);
    }
    if (hf_lines_skip(&r->lines, '#') && !r->blocks[r->at].is_switch) {
        HF_TRY(read_address(r, &p.lid, &p.lmc));
    }
    return add_port(r, &p);
}

/* switchguid=0x200003(200003) */
static hf_status read_guid(ibnet *r, hf_slice value) {
    hf_lines part = r->lines;
    hf_slice digits;
    part.at = value.text;
    part.end = value.text + value.size;
    if (!hf_lines_until(&part, '(', &digits)) {
        digits = value;
    }
    if (!hf_slice_number(digits, 16, &r->guid)) {
        HF_LINE_FAIL(&r->lines, HF_EINVAL, "\"%.*s\" is not a GUID; need up to 16 hexadecimal digits", HF_SLICE(digits));
    }
    return HF_OK;
}

static hf_status read_line(ibnet *r) {
    const hf_slice line = hf_lines_rest(&r->lines);
    hf_slice word;
    if (line.size == 0 || *line.text == '#') {
        return HF_OK;
    }
    if (*line.text == '[') {
        return read_port(r, line);
    }
    (void)hf_lines_word(&r->lines, &word);
    const bool is_hca = hf_slice_is(word, "Hca");
    r->has_hca |= is_hca;
    if (is_hca || hf_slice_is(word, "Switch") || hf_slice_is(word, "Ca") || hf_slice_is(word, "Rt")) {
        return read_head(r, hf_slice_is(word, "Switch"), line);
    }
    const char *equals = memchr(word.text, '=', word.size);
    if (!equals) {
        return refuse_line(r, line);
    }
    const hf_slice key = {word.text, (size_t)(equals - word.text)}, value = {equals + 1, word.size - key.size - 1};
    if (hf_slice_is(key, "switchguid") || hf_slice_is(key, "caguid") || hf_slice_is(key, "rtguid")) {
        r->has_guid = true;
        return read_guid(r, value);
    }
    return HF_OK; /* vendid, devid, sysimgguid */
}

/* ---- ports that one end alone tells ---- */

/* A port that its own block does not list. */
typedef struct missing {
    port port;
    uint32_t block, before; /* 1 + the one before it of this block, 0: none */
} missing;

typedef struct missings {
    missing *list;
    uint32_t n;
    size_t capacity;
} missings;

static bool lists_port(const ibnet *r, const missings *m, const block *b, uint32_t number) {
    for (uint32_t i = b->first; i < b->first + b->count; i++) {
        if (r->ports[i].number == number) {
            return true;
        }
    }
    for (uint32_t i = m->n > 0 ? b->missing : 0; i; i = m->list[i - 1].before) {
        if (m->list[i - 1].port.number == number) {
            return true;
        }
    }
    return false;
}

static hf_status find_missing(ibnet *r, missings *m) {
    for (uint32_t n = 0; n < r->n_order; n++) {
        const uint32_t at = r->order[n];
        for (uint32_t i = r->blocks[at].first; i < r->blocks[at].first + r->blocks[at].count; i++) {
            const port *p = &r->ports[i];
            block *peer = &r->blocks[p->peer];
            if (!peer->is_seen || p->peer_port > peer->n_port || lists_port(r, m, peer, p->peer_port)) {
                continue;
            }
            HF_GROW(r->cx, m->list, m->n, m->capacity);
            m->list[m->n++] =
                (missing){{.number = p->peer_port, .peer_port = p->number, .line = p->line, .peer = at}, p->peer, peer->missing};
            peer->missing = m->n;
        }
    }
    return HF_OK;
}

/* Each block lists its missing ports too. */
static hf_status add_missing(ibnet *r, const missings *m) {
    port *all;
    uint32_t n = 0;
    HF_TRY(hf_allocate(r->cx, (size_t)r->n_port + m->n + 1, sizeof *all, (void **)&all));
    for (uint32_t k = 0; k < r->n_order; k++) {
        block *b = &r->blocks[r->order[k]];
        const uint32_t first = n;
        for (uint32_t i = b->first; i < b->first + b->count; i++) {
            all[n++] = r->ports[i];
        }
        for (uint32_t i = b->missing; i; i = m->list[i - 1].before) {
            all[n++] = m->list[i - 1].port;
        }
        b->first = first;
        b->count = n - first;
    }
    hf_release(hf_context_allocator(r->cx), r->ports);
    r->ports = all;
    r->n_port = n;
    return HF_OK;
}

static hf_status complete_ports(ibnet *r) {
    missings m = {NULL, 0, 0};
    for (uint32_t i = 0; i < r->n_port; i++) {
        r->ports[i].peer_port += r->ports[i].peer_port == 0;
    }
    hf_status status = find_missing(r, &m);
    status = status == HF_OK && m.n > 0 ? add_missing(r, &m) : status;
    hf_release(hf_context_allocator(r->cx), m.list);
    return status;
}

/* Of ibsim, where links are told as one likes; else both ends have told all. */
static hf_status check_ports(ibnet *r) {
    if (r->has_hca || !r->has_guid) {
        r->draft->format = "ibsim";
        return complete_ports(r);
    }
    if (r->no_port) {
        HF_FAIL(r->cx, HF_EINVAL, "%s, line %" PRIu32 ": the name of the peer has no port; need \"S-GUID\"[PORT]", r->lines.file,
                r->no_port);
    }
    return HF_OK;
}

/* ---- nodes and links ---- */

static hf_status add_terminals(ibnet *r, block *b) {
    for (uint32_t i = b->first; i < b->first + b->count; i++) {
        const port *p = &r->ports[i];
        hf_draft_node node = {b->label, true, p->lmc, p->lid, b->guid, p->guid};
        if (b->count > 1) {
            char *label;
            HF_TRY(hf_scratch_print(r->cx, &label, "%.*s/P%" PRIu32, HF_SLICE(b->label), p->number));
            node.label = (hf_slice){label, strlen(label)};
        }
        HF_TRY(hf_draft_add_node(r->cx, r->draft, &node));
    }
    return HF_OK;
}

static hf_status add_nodes(ibnet *r) {
    for (uint32_t i = 0; i < r->n_order; i++) {
        block *b = &r->blocks[r->order[i]];
        b->node = r->draft->n_node;
        if (b->is_switch) {
            const hf_draft_node node = {b->label, false, b->lmc, b->lid, b->guid, b->guid};
            HF_TRY(hf_draft_add_node(r->cx, r->draft, &node));
        } else {
            HF_TRY(add_terminals(r, b));
        }
    }
    return HF_OK;
}

/* The line of the other end of a link, which must lead back to port p of block `at`. */
static hf_status find_other_end(ibnet *r, uint32_t at, const port *p, uint32_t *other) {
    const block *peer = &r->blocks[p->peer];
    for (uint32_t i = peer->first; peer->is_seen && i < peer->first + peer->count; i++) {
        const port *q = &r->ports[i];
        if (q->number == p->peer_port && q->peer == at && q->peer_port == p->number) {
            *other = i;
            return HF_OK;
        }
    }
    HF_FAIL(r->cx, HF_EINVAL,
            "%s, line %" PRIu32 ": port %" PRIu32 " leads to port %" PRIu32
            " of \"%.*s\", but nothing leads back from there; a link stands in the blocks of both its ends",
            r->lines.file, p->line, p->number, p->peer_port, HF_SLICE(r->names.name[p->peer]));
}

static uint32_t node_of(const block *b, uint32_t port_index) {
    return b->is_switch ? b->node : b->node + (port_index - b->first);
}

static hf_status add_links(ibnet *r) {
    for (uint32_t n = 0; n < r->n_order; n++) {
        const uint32_t at = r->order[n];
        const block *b = &r->blocks[at];
        for (uint32_t i = b->first; i < b->first + b->count; i++) {
            const port *p = &r->ports[i];
            uint32_t other;
            HF_TRY(find_other_end(r, at, p, &other));
            if (other >= i) { /* each link once, from the end that comes first in the file */
                const hf_draft_link link = {.a = node_of(b, i),
                                            .a_port = p->number,
                                            .b = node_of(&r->blocks[p->peer], other),
                                            .b_port = p->peer_port,
                                            .latency = HF_NONE,
                                            .delay_ns = HF_NONE,
                                            .line = p->line,
                                            .both_ways = true};
                HF_TRY(hf_draft_add_link(r->cx, r->draft, &link));
            }
        }
    }
    return HF_OK;
}

static hf_status read_all(ibnet *r) {
    while (hf_lines_next(&r->lines)) {
        HF_TRY(read_line(r));
    }
    HF_TRY(check_ports(r));
    HF_TRY(add_nodes(r));
    return add_links(r);
}

hf_status hf_read_ibnet(hf_context *cx, const char *data, size_t size, hf_draft *draft) {
    ibnet r = {.cx = cx, .draft = draft, .at = HF_NONE};
    hf_lines_start(cx, draft->file, data, size, &r.lines);
    hf_names_init(cx, &r.names);
    const hf_status status = read_all(&r);
    hf_names_free(&r.names);
    hf_release(hf_context_allocator(cx), r.blocks);
    hf_release(hf_context_allocator(cx), r.ports);
    hf_release(hf_context_allocator(cx), r.order);
    return status;
}
