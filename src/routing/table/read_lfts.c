/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Forwarding tables of InfiniBand switches, as OpenSM and the diagnostic tools print them:
 *
 *     Unicast lids [0-32] of switch Lid 2 guid 0x0000000000200000 ('S0'):
 *     0x0001 005 # Channel Adapter portguid 0x0000000000100001: 'H0'
 *
 *  (opensm-lfts.dump, dump_fts, ibroute); with hops (opensm.fdbs, ibdiagnet2.fdbs):
 *
 *     dump_ucast_routes: Switch 0x0000000000200000
 *     PLFT_NUM: 0
 *     LID    : Port : Hops : Optimal
 *     0x0001 : 005  : 01   : yes
 *
 *  with groups of ports that adaptive routing chooses from (ibdiagnet2.far), Lid State Static, Free or HBF, hashed:
 *
 *     Switch 0x0000000000200000
 *     Groups Definition:
 *     Group   Sub Group   WHBF   Ports
 *     --------------------------------
 *     1       0           0      3,4,
 *     LFT Definition:
 *     PLFT_NUM: 0, top: 0xbfff
 *     LID      Static Port   Lid State   Group
 *     ----------------------------------------
 *     0x0001   3             Free        1
 *
 *  The switch goes by its GUID. LIDs of switches carry management alone and are passed over. A switch may have several tables, by
 *  planes (PLFT): one of them is read. */
#include <holdfast/core/bitset.h>

#include "src/core/grow.h"
#include "src/core/number.h"
#include "src/routing/table/table.h"

enum { GROUPS = 65536, SUB_GROUPS = 256 };

typedef struct reader {
    hf_lines lines;
    hf_forwarding *table;
    uint32_t at;                                /* switch, HF_NONE: none yet */
    bool is_skipping;                           /* a multicast table, or one of another plane */
    enum { HEAD, IN_GROUPS, IN_TABLE } section; /* of .far */
    uint32_t *set_of;                           /* GROUPS, of .far: 1 and the set of a group */
    size_t first_set;                           /* of the switch; smaller sets are those of others */
} reader;

/* A GUID that is told: the switch. */
static hf_status begin_switch(reader *r, hf_slice text) {
    uint64_t guid;
    if (!hf_slice_number(text, 16, &guid)) {
        HF_LINE_FAIL(&r->lines, HF_EINVAL, "\"%.*s\" is not a GUID; need 0x and up to 16 hexadecimal digits", HF_SLICE(text));
    }
    r->at = hf_forwarding_switch(r->table->topo, guid);
    r->is_skipping = r->table->plane != 0; /* unless a plane is told */
    r->section = HEAD;
    r->first_set = r->table->n_set;
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

/* "PLFT_NUM: 0", "PLFT_NUM: 0, top: 0xbfff" */
static hf_status read_plane(reader *r) {
    hf_slice word;
    uint64_t plane;
    (void)hf_lines_item(&r->lines, ':', &word);
    if (!hf_lines_skip(&r->lines, ':') || !hf_lines_item(&r->lines, ',', &word) || !hf_slice_number(word, 10, &plane) ||
        plane >= HF_PLANES) {
        HF_LINE_FAIL(&r->lines, HF_EINVAL, "PLFT_NUM needs a number from 0 to %d, as in \"PLFT_NUM: 0\"", HF_PLANES - 1);
    }
    r->is_skipping = plane != r->table->plane;
    return HF_OK;
}

static hf_status read_fdbs_line(reader *r) {
    const hf_slice line = hf_lines_rest(&r->lines);
    if (line.size == 0 || *line.text == '#' || hf_slice_begins(line, "LID ")) {
        return HF_OK;
    }
    if (hf_slice_begins(line, "PLFT_NUM")) {
        return read_plane(r);
    }
    if (hf_slice_begins(line, "dump_ucast_routes:") || hf_slice_begins(line, "osm_ucast_mgr_dump_ucast_routes:")) {
        return read_switch_name(r, "Switch");
    }
    if (hf_slice_begins(line, "0x")) {
        return r->is_skipping ? HF_OK : read_fdbs_entry(r);
    }
    HF_LINE_FAIL(&r->lines, HF_EINVAL, "\"%.*s\" is not of opensm.fdbs; entries are 0xLID : PORT : HOPS : yes", HF_SLICE(line));
}

/* ---- ibdiagnet2.far ---- */

static hf_status add_ports(reader *r, hf_port_set *set) {
    hf_slice word;
    uint64_t port;
    while (hf_lines_item(&r->lines, ',', &word)) {
        if (!hf_slice_number(word, 10, &port) || port == 0 || port >= HF_PORT_NONE) {
            HF_LINE_FAIL(&r->lines, HF_EINVAL, "\"%.*s\" is not a port; need 1 to %d, with commas between", HF_SLICE(word),
                         HF_PORT_NONE - 1);
        }
        hf_bit_set(set->bit, (size_t)port);
    }
    return HF_OK;
}

/* "1 0 0 3,4,": group, sub group, weights, ports. Sub groups of a group add up: a packet may take any of them. */
static hf_status read_group(reader *r) {
    hf_forwarding *t = r->table;
    uint64_t group, sub;
    hf_slice weights;
    HF_TRY(hf_lines_number(&r->lines, "a group", 0, GROUPS - 1, &group));
    HF_TRY(hf_lines_number(&r->lines, "a sub group", 0, SUB_GROUPS - 1, &sub));
    if (!hf_lines_word(&r->lines, &weights)) {
        HF_LINE_FAIL(&r->lines, HF_EINVAL, "group %" PRIu64 " ends here; need group, sub group, WHBF and ports", group);
    }
    if (r->set_of[group] <= r->first_set) {
        HF_GROW(r->lines.cx, t->set, t->n_set, t->set_room);
        t->set[t->n_set++] = (hf_port_set){{0}};
        r->set_of[group] = (uint32_t)t->n_set;
    }
    return add_ports(r, &t->set[r->set_of[group] - 1]);
}

/* The ports of a group that a LID is free to take. */
static hf_status set_group(reader *r, uint64_t lid, uint64_t port, uint64_t group) {
    hf_forwarding *t = r->table;
    if (r->set_of[group] <= r->first_set) {
        HF_LINE_FAIL(&r->lines, HF_EINVAL, "group %" PRIu64 " of LID 0x%04" PRIx64 " is not among the groups of this switch",
                     group, lid);
    }
    const size_t lowest = hf_bits_next(t->set[r->set_of[group] - 1].bit, HF_PORT_NONE, 0);
    const bool is_empty = lowest == HF_PORT_NONE;
    HF_TRY(set_port(r, lid, port != HF_PORT_NONE || is_empty ? port : lowest));
    if (t->slot_of_lid[lid] != HF_NONE && !is_empty) {
        t->group[(size_t)r->at * t->n_slot + t->slot_of_lid[lid]] = r->set_of[group];
    }
    return HF_OK;
}

/* "0x0001 3 Free 1": LID, port, state, group */
static hf_status read_far_entry(reader *r) {
    hf_slice word, state;
    uint64_t lid, port, group;
    (void)hf_lines_word(&r->lines, &word);
    HF_TRY(read_lid(r, word, &lid));
    HF_TRY(hf_lines_number(&r->lines, "a static port", 0, HF_PORT_NONE, &port));
    const bool has_state = hf_lines_word(&r->lines, &state);
    const bool is_static = has_state && hf_slice_is(state, "Static");
    if (!is_static &&
        !(has_state && (hf_slice_is(state, "Free") || hf_slice_is(state, "Bounded") || hf_slice_is(state, "HBF")))) {
        HF_LINE_FAIL(&r->lines, HF_EINVAL, "LID 0x%04" PRIx64 " has no state behind its port; need Static, Free, Bounded or HBF",
                     lid);
    }
    if (is_static) {
        return set_port(r, lid, port);
    }
    HF_TRY(hf_lines_number(&r->lines, "a group", 0, GROUPS - 1, &group));
    return set_group(r, lid, port, group);
}

static bool is_far_heading(hf_slice line) {
    static const char *const headings[] = {"#", "-", "File version", "Group ", "Group\t", "LID ", "LID\t"};
    bool is_heading = line.size == 0;
    for (size_t i = 0; i < sizeof headings / sizeof *headings && !is_heading; i++) {
        is_heading = hf_slice_begins(line, headings[i]);
    }
    return is_heading;
}

static hf_status read_far_line(reader *r) {
    const hf_slice line = hf_lines_rest(&r->lines);
    if (hf_slice_begins(line, "Switch")) {
        return read_switch_name(r, "Switch");
    }
    if (hf_slice_begins(line, "Groups Definition")) {
        r->section = IN_GROUPS;
        return HF_OK;
    }
    if (hf_slice_begins(line, "LFT Definition")) {
        r->section = IN_TABLE;
        return HF_OK;
    }
    if (r->section == IN_TABLE && hf_slice_begins(line, "PLFT_NUM")) {
        return read_plane(r);
    }
    if (r->section == HEAD ? r->at != HF_NONE || is_far_heading(line) : is_far_heading(line)) {
        return HF_OK; /* what a switch can do stands before its groups */
    }
    if (r->section == IN_GROUPS && *line.text >= '0' && *line.text <= '9') {
        return read_group(r);
    }
    if (r->section == IN_TABLE && hf_slice_begins(line, "0x")) {
        return r->is_skipping ? HF_OK : read_far_entry(r);
    }
    HF_LINE_FAIL(&r->lines, HF_EINVAL,
                 "\"%.*s\" is not of ibdiagnet2.far; need Switch 0xGUID, Groups Definition:, LFT Definition:, groups or entries",
                 HF_SLICE(line));
}

/* ---- all ---- */

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
                    ")%s; table and topology must be of one fabric",
                    r->lines.file, v, t->topo->node_guid[v], t->plane ? " in the plane that is asked for" : "");
        }
    }
    return HF_OK;
}

static hf_status read_lines(hf_lines *lines, hf_forwarding *table, hf_status (*read_line)(reader *)) {
    reader r = {.lines = *lines, .table = table, .at = HF_NONE};
    HF_TRY(hf_forwarding_start_lids(lines->cx, lines->file, table));
    if (read_line == read_far_line) {
        const size_t n = (size_t)table->topo->n_switch * table->n_slot + 1;
        HF_TRY(hf_allocate(lines->cx, n, sizeof *table->group, (void **)&table->group));
        HF_TRY(hf_scratch(lines->cx, GROUPS, sizeof *r.set_of, (void **)&r.set_of));
    }
    while (hf_lines_next(&r.lines)) {
        HF_TRY(read_line(&r));
    }
    return check_complete(&r);
}

hf_status hf_read_lfts(hf_lines *lines, hf_forwarding *table) { return read_lines(lines, table, read_lfts_line); }

hf_status hf_read_fdbs(hf_lines *lines, hf_forwarding *table) { return read_lines(lines, table, read_fdbs_line); }

hf_status hf_read_far(hf_lines *lines, hf_forwarding *table) { return read_lines(lines, table, read_far_line); }
