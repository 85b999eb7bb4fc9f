/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Service levels of paths and the tables from service levels to virtual lanes, in the forms that OpenSM writes and that ibdmchk
 *  (parsePSLFile and parseSLVLFile of ibutils 1.5.7) reads. Service levels: "0xGUID DLID SL" with a decimal LID, or
 *
 *      Channel Adapter 0x0002c902004050f8, base LID 13, "H0"
 *      0x000e : 1
 *
 *  SL to VL: "0xGUID IN OUT 0x01 0x23 0x45 0x67 0x89 0xab 0xcd 0xef", a hexadecimal digit a level, or
 *
 *      Switch 0x0002c902004050f8, base LID 13, "S0"
 *      3   1   : 0  1  2  3  4  5  6  7  8  9  10 11 12 13 14 15
 *
 *  # starts a comment. What is not told: service level 0, and the lane with the number of the level. */
#include <string.h>

#include "src/core/number.h"
#include "src/routing/table/table.h"

enum { VL_BYTES = HF_SL_COUNT / 2 };

typedef struct reader {
    hf_lines lines;
    hf_forwarding *table;
    bool has_node;
    uint64_t guid;
    uint32_t sw;        /* the switch behind the GUID, HF_NONE: none */
    uint32_t *terminal; /* the terminals behind it */
    uint32_t n_terminal;
} reader;

/* Does terminal t stand behind the GUID, that of its port or of its adapter? */
static bool is_terminal_of(const hf_topology *topo, uint32_t t, uint64_t guid) {
    const uint32_t v = topo->n_switch + t;
    return topo->port_guid[v] == guid || topo->node_guid[v] == guid;
}

/* Look up the nodes behind a GUID, unless they are those of the line before. */
static hf_status find_nodes(reader *r, uint64_t guid) {
    const hf_topology *topo = r->table->topo;
    if (r->has_node && guid == r->guid) {
        return HF_OK;
    }
    r->has_node = true;
    r->guid = guid;
    r->sw = hf_forwarding_switch(topo, guid);
    r->n_terminal = 0;
    for (uint32_t t = 0; t < topo->n_terminal; t++) {
        if (is_terminal_of(topo, t, guid)) {
            r->terminal[r->n_terminal++] = t;
        }
    }
    if (r->sw == HF_NONE && r->n_terminal == 0) {
        HF_LINE_FAIL(&r->lines, HF_ENOENT, "GUID 0x%" PRIx64 " is not in the topology", guid);
    }
    return HF_OK;
}

static hf_status read_guid(reader *r, hf_slice text) {
    uint64_t guid;
    if (text.size && text.text[text.size - 1] == ',') {
        text.size--;
    }
    if (!hf_slice_begins(text, "0x") || !hf_slice_number(text, 16, &guid)) {
        HF_LINE_FAIL(&r->lines, HF_EINVAL, "\"%.*s\" is not a GUID; need 0x and up to 16 hexadecimal digits", HF_SLICE(text));
    }
    return find_nodes(r, guid);
}

/* A line "Channel Adapter 0xGUID, ..." or "Switch 0xGUID, ..." \param[out] is_head whether it is one */
static hf_status read_head(reader *r, bool *is_head) {
    const hf_slice line = hf_lines_rest(&r->lines);
    hf_slice word;
    *is_head = hf_slice_begins(line, "Switch ") || hf_slice_begins(line, "Channel Adapter ") || hf_slice_begins(line, "Router ");
    if (!*is_head) {
        return HF_OK;
    }
    while (hf_lines_word(&r->lines, &word)) {
        if (hf_slice_begins(word, "0x")) {
            return read_guid(r, word);
        }
    }
    HF_LINE_FAIL(&r->lines, HF_EINVAL, "\"%.*s\" names no GUID", HF_SLICE(line));
}

/* ---- service levels ---- */

static hf_status set_sl(reader *r, uint64_t lid, uint64_t sl) {
    const hf_forwarding *t = r->table;
    const uint32_t slot = t->slot_of_lid[lid];
    if (slot == HF_NONE && !t->is_switch_lid[lid]) {
        HF_LINE_FAIL(&r->lines, HF_ENOENT, "LID %" PRIu64 " is not in the topology", lid);
    }
    for (uint32_t i = 0; i < r->n_terminal && slot != HF_NONE; i++) {
        t->sl[(size_t)r->terminal[i] * t->n_slot + slot] = (uint8_t)sl;
    }
    return HF_OK;
}

/* "0xGUID DLID SL", or "0xLID : SL" behind a head */
static hf_status read_sl_line(reader *r) {
    hf_slice word;
    uint64_t lid, sl;
    (void)hf_lines_word(&r->lines, &word);
    hf_lines ahead = r->lines;
    if (hf_lines_skip(&ahead, ':')) {
        if (!r->has_node) {
            HF_LINE_FAIL(&r->lines, HF_EINVAL, "a service level for \"%.*s\" before any source", HF_SLICE(word));
        }
        if (!hf_slice_number(word, 16, &lid) || lid >= HF_LID_COUNT) {
            HF_LINE_FAIL(&r->lines, HF_EINVAL, "\"%.*s\" is not a LID; need 0x0000 to 0xffff", HF_SLICE(word));
        }
        r->lines = ahead;
    } else {
        HF_TRY(read_guid(r, word));
        HF_TRY(hf_lines_number(&r->lines, "a LID", 0, HF_LID_COUNT - 1, &lid));
    }
    HF_TRY(hf_lines_number(&r->lines, "a service level", 0, HF_SL_COUNT - 1, &sl));
    return set_sl(r, lid, sl);
}

/* ---- SL to VL ---- */

static void set_vl(const reader *r, uint32_t in, uint32_t out, const uint8_t *vl) {
    const hf_forwarding *t = r->table;
    if (r->sw != HF_NONE && in < t->n_port && out < t->n_port) {
        memcpy(&t->switch_vl[(((size_t)r->sw * t->n_port + in) * t->n_port + out) * HF_SL_COUNT], vl, HF_SL_COUNT);
    }
    for (uint32_t i = 0; i < r->n_terminal; i++) {
        memcpy(&t->terminal_vl[(size_t)r->terminal[i] * HF_SL_COUNT], vl, HF_SL_COUNT);
    }
}

/* Eight bytes, two lanes each. */
static hf_status read_packed(reader *r, uint8_t *vl) {
    hf_slice word;
    uint64_t pair;
    for (unsigned i = 0; i < VL_BYTES; i++) {
        if (!hf_lines_word(&r->lines, &word) || word.size != 4 || !hf_slice_begins(word, "0x") ||
            !hf_slice_number(word, 16, &pair)) {
            HF_LINE_FAIL(&r->lines, HF_EINVAL, "need eight bytes like 0x01, two virtual lanes each, and byte %u is \"%.*s\"",
                         i + 1, HF_SLICE(word));
        }
        vl[2 * i] = (uint8_t)(pair >> 4);
        vl[2 * i + 1] = (uint8_t)(pair & 15);
    }
    return HF_OK;
}

/* "0xGUID IN OUT 0x01 ...", or "IN OUT : 0 1 2 ..." behind a head */
static hf_status read_vl_line(reader *r) {
    hf_lines ahead = r->lines;
    hf_slice word;
    uint64_t in, out, lane;
    uint8_t vl[HF_SL_COUNT];
    const bool is_packed = hf_lines_word(&ahead, &word) && hf_slice_begins(word, "0x");
    if (is_packed) {
        r->lines = ahead;
        HF_TRY(read_guid(r, word));
    } else if (!r->has_node) {
        HF_LINE_FAIL(&r->lines, HF_EINVAL, "\"%.*s\" before any switch or adapter", HF_SLICE(hf_lines_rest(&r->lines)));
    }
    HF_TRY(hf_lines_number(&r->lines, "an input port", 0, HF_PORT_NONE, &in));
    HF_TRY(hf_lines_number(&r->lines, "an output port", 0, HF_PORT_NONE, &out));
    if (is_packed) {
        HF_TRY(read_packed(r, vl));
        set_vl(r, (uint32_t)in, (uint32_t)out, vl);
        return HF_OK;
    }
    if (!hf_lines_skip(&r->lines, ':')) {
        HF_LINE_FAIL(&r->lines, HF_EINVAL, "no \":\" behind the ports %" PRIu64 " and %" PRIu64, in, out);
    }
    for (unsigned i = 0; i < HF_SL_COUNT; i++) {
        HF_TRY(hf_lines_number(&r->lines, "a virtual lane", 0, HF_VL_DROP, &lane));
        vl[i] = (uint8_t)lane;
    }
    set_vl(r, (uint32_t)in, (uint32_t)out, vl);
    return HF_OK;
}

/* ---- both ---- */

static hf_status read_lines(hf_lines *lines, hf_forwarding *table, hf_status (*read_line)(reader *)) {
    reader r = {.lines = *lines, .table = table};
    if (!table->port) {
        HF_FAIL(lines->cx, HF_EINVAL, "%s: service levels go with tables by LID (lfts, fdbs); a csv table names the VCs itself",
                lines->file);
    }
    HF_TRY(hf_scratch(lines->cx, table->topo->n_terminal, sizeof *r.terminal, (void **)&r.terminal));
    while (hf_lines_next(&r.lines)) {
        bool is_head;
        if (r.lines.at == r.lines.end || *r.lines.at == '#') {
            continue;
        }
        HF_TRY(read_head(&r, &is_head));
        if (!is_head) {
            HF_TRY(read_line(&r));
        }
    }
    return HF_OK;
}

hf_status hf_read_sl(hf_lines *lines, hf_forwarding *table) {
    HF_TRY(hf_allocate(lines->cx, (size_t)table->topo->n_terminal * table->n_slot + 1, 1, (void **)&table->sl));
    return read_lines(lines, table, read_sl_line);
}

hf_status hf_read_sl2vl(hf_lines *lines, hf_forwarding *table) {
    const hf_topology *topo = table->topo;
    table->n_port = topo->n_port_max;
    const size_t n_switch_row = (size_t)topo->n_switch * table->n_port * table->n_port;
    HF_TRY(hf_allocate(lines->cx, n_switch_row + 1, HF_SL_COUNT, (void **)&table->switch_vl));
    HF_TRY(hf_allocate(lines->cx, (size_t)topo->n_terminal + 1, HF_SL_COUNT, (void **)&table->terminal_vl));
    for (size_t i = 0; i < n_switch_row * HF_SL_COUNT; i++) {
        table->switch_vl[i] = (uint8_t)(i % HF_SL_COUNT);
    }
    for (size_t i = 0; i < (size_t)topo->n_terminal * HF_SL_COUNT; i++) {
        table->terminal_vl[i] = (uint8_t)(i % HF_SL_COUNT);
    }
    return read_lines(lines, table, read_vl_line);
}
