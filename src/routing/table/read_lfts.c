/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Linear forwarding tables of InfiniBand switches, as OpenSM and the diagnostic tools print them:
 *
 *     Unicast lids [0-32] of switch Lid 2 guid 0x0000000000200000 ('S0'):
 *     0x0001 005 # Channel Adapter portguid 0x0000000000100001: 'H0'
 *
 * (opensm-lfts.dump, dump_fts, ibroute), and with hops (opensm.fdbs):
 *
 *     dump_ucast_routes: Switch 0x0000000000200000
 *     LID    : Port : Hops : Optimal
 *     0x0001 : 005  : 01   : yes
 *
 * The switch goes by its GUID. LIDs of switches carry management alone and are passed over. */
#include "src/core/number.h"
#include "src/routing/table/table.h"

typedef struct reader {
    hf_lines lines;
    hf_forwarding *table;
    uint32_t at;      /* switch, HF_NONE: none yet */
    bool is_skipping; /* a multicast table */
} reader;

/* A GUID that is told: the switch. */
static hf_status begin_switch(reader *r, hf_slice text) {
    uint64_t guid;
    if (!hf_slice_number(text, 16, &guid)) {
        HF_LINE_FAIL(&r->lines, HF_EINVAL, "\"%.*s\" is not a GUID; need 0x and up to 16 hexadecimal digits", HF_SLICE(text));
    }
    r->at = hf_forwarding_switch(r->table->topo, guid);
    r->is_skipping = false;
    if (r->at == HF_NONE) {
        HF_LINE_FAIL(&r->lines, HF_ENOENT, "the switch with GUID 0x%" PRIx64 " is not in the topology", guid);
    }
    return HF_OK;
}

static hf_status set_port(reader *r, uint64_t lid, uint64_t port) {
    hf_forwarding *t = r->table;
    if (r->at == HF_NONE) {
        HF_LINE_FAIL(&r->lines, HF_EINVAL, "LID 0x%04" PRIx64 " stands before the name of any switch", lid);
    }
    const uint32_t slot = t->slot_of_lid[lid];
    if (slot == HF_NONE && !t->is_switch_lid[lid]) {
        HF_LINE_FAIL(&r->lines, HF_ENOENT, "LID 0x%04" PRIx64 " is not in the topology; table and topology must be of one fabric",
                     lid);
    }
    if (slot == HF_NONE) {
        return HF_OK;
    }
    uint8_t *entry = &t->port[(size_t)r->at * t->n_slot + slot];
    if (*entry != HF_PORT_NONE && *entry != port) {
        HF_LINE_FAIL(&r->lines, HF_EINVAL, "LID 0x%04" PRIx64 " has port %u already in this switch, and now port %" PRIu64, lid,
                     *entry, port);
    }
    *entry = (uint8_t)port;
    return HF_OK;
}

static hf_status read_lid(reader *r, hf_slice word, uint64_t *lid) {
    if (!hf_slice_number(word, 16, lid) || *lid >= HF_LID_COUNT) {
        HF_LINE_FAIL(&r->lines, HF_EINVAL, "\"%.*s\" is not a LID; need 0x0000 to 0xffff", HF_SLICE(word));
    }
    return HF_OK;
}

static hf_status read_switch_name(reader *r, const char *before) {
    hf_slice word;
    while (hf_lines_word(&r->lines, &word)) {
        if (hf_slice_is(word, before) && hf_lines_word(&r->lines, &word)) {
            return begin_switch(r, word);
        }
    }
    HF_LINE_FAIL(&r->lines, HF_EINVAL, "no GUID of a switch behind \"%s\"", before);
}

/* ---- opensm-lfts.dump ---- */

/* "32 lids dumped", "32 valid lids dumped" */
static bool ends_in_dumped(hf_slice line) {
    return line.size > 6 && hf_slice_begins((hf_slice){line.text + line.size - 6, 6}, "dumped");
}

static hf_status read_lfts_line(reader *r) {
    const hf_slice line = hf_lines_rest(&r->lines);
    hf_slice word;
    uint64_t lid, port;
    if (line.size == 0 || *line.text == '#') {
        return HF_OK;
    }
    if (hf_slice_begins(line, "Unicast lids")) {
        return read_switch_name(r, "guid");
    }
    if (hf_slice_begins(line, "Multicast mlids")) {
        r->is_skipping = true;
        return HF_OK;
    }
    if (hf_slice_begins(line, "0x")) {
        if (r->is_skipping) {
            return HF_OK;
        }
        (void)hf_lines_word(&r->lines, &word);
        HF_TRY(read_lid(r, word, &lid));
        HF_TRY(hf_lines_number(&r->lines, "an output port", 0, HF_PORT_NONE, &port));
        return set_port(r, lid, port);
    }
    (void)hf_lines_word(&r->lines, &word);
    const bool is_heading = hf_slice_is(word, "Lid") || hf_slice_is(word, "Port") || hf_slice_is(word, "MLid") || r->is_skipping;
    if (!is_heading && !(hf_slice_number(word, 10, &port) && ends_in_dumped(line))) {
        HF_LINE_FAIL(&r->lines, HF_EINVAL, "\"%.*s\" is not of a forwarding table; entries are 0xLID PORT", HF_SLICE(line));
    }
    return HF_OK;
}

/* ---- opensm.fdbs ---- */

/* "0x0001 : 005  : 01   : yes", "0x0001 : UNREACHABLE" */
static hf_status read_fdbs_entry(reader *r) {
    hf_slice word;
    uint64_t lid, port;
    (void)hf_lines_word(&r->lines, &word);
    HF_TRY(read_lid(r, word, &lid));
    if (!hf_lines_skip(&r->lines, ':')) {
        HF_LINE_FAIL(&r->lines, HF_EINVAL, "no \":\" behind LID 0x%04" PRIx64, lid);
    }
    hf_lines ahead = r->lines;
    if (hf_lines_word(&ahead, &word) && hf_slice_is(word, "UNREACHABLE")) {
        return HF_OK;
    }
    HF_TRY(hf_lines_number(&r->lines, "an output port", 0, HF_PORT_NONE, &port));
    return set_port(r, lid, port);
}

static hf_status read_fdbs_line(reader *r) {
    const hf_slice line = hf_lines_rest(&r->lines);
    if (line.size == 0 || *line.text == '#' || hf_slice_begins(line, "LID ")) {
        return HF_OK;
    }
    if (hf_slice_begins(line, "dump_ucast_routes:") || hf_slice_begins(line, "osm_ucast_mgr_dump_ucast_routes:")) {
        return read_switch_name(r, "Switch");
    }
    if (hf_slice_begins(line, "0x")) {
        return read_fdbs_entry(r);
    }
    HF_LINE_FAIL(&r->lines, HF_EINVAL, "\"%.*s\" is not of opensm.fdbs; entries are 0xLID : PORT : HOPS : yes", HF_SLICE(line));
}

/* ---- both ---- */

static hf_status check_complete(const reader *r) {
    const hf_forwarding *t = r->table;
    for (uint32_t v = 0; v < t->topo->n_switch; v++) {
        bool is_empty = true;
        for (uint32_t s = 0; s < t->n_slot && is_empty; s++) {
            is_empty = t->port[(size_t)v * t->n_slot + s] == HF_PORT_NONE;
        }
        if (is_empty) {
            HF_FAIL(r->lines.cx, HF_EINVAL,
                    "%s: there is no table for switch s%" PRIu32 " (GUID 0x%" PRIx64
                    "); table and topology must be of one fabric",
                    r->lines.file, v, t->topo->node_guid[v]);
        }
    }
    return HF_OK;
}

static hf_status read_lines(hf_lines *lines, hf_forwarding *table, hf_status (*read_line)(reader *)) {
    reader r = {.lines = *lines, .table = table, .at = HF_NONE};
    HF_TRY(hf_forwarding_start_lids(lines->cx, lines->file, table));
    while (hf_lines_next(&r.lines)) {
        HF_TRY(read_line(&r));
    }
    return check_complete(&r);
}

hf_status hf_read_lfts(hf_lines *lines, hf_forwarding *table) { return read_lines(lines, table, read_lfts_line); }

hf_status hf_read_fdbs(hf_lines *lines, hf_forwarding *table) { return read_lines(lines, table, read_fdbs_line); }
