/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Tables in memory: numbers of LIDs, formats, and the relation that they are. */
#include "src/routing/table/table.h"

#include <string.h>

#include <holdfast/core/bitset.h>

/* The tag of a hop: which LID of the destination the packet goes to, and its service level. */
enum { TAG_LID_BITS = 8, TAG_LID_MASK = (1 << TAG_LID_BITS) - 1 };

void hf_forwarding_init(hf_context *cx, const hf_topology *topo, hf_forwarding *table) {
    *table = (hf_forwarding){.allocator = *hf_context_allocator(cx), .topo = topo, .n_vc = 1, .max_hops = 1, .n_tag = 1};
}

void hf_forwarding_release(hf_forwarding *t) {
    void *const blocks[] = {t->named[0],    t->named[1],      t->named[2], t->named[3], t->ring,      t->slot_begin,
                            t->slot_of_lid, t->is_switch_lid, t->port,     t->sl,       t->switch_vl, t->terminal_vl,
                            t->row,         t->row_begin,     t->group,    t->set};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        hf_release(&t->allocator, blocks[i]);
    }
}

/* ---- LIDs ---- */

/* The LIDs of a terminal become slots. */
static hf_status number_lids(hf_context *cx, const char *file, hf_forwarding *t, uint32_t terminal) {
    const hf_topology *topo = t->topo;
    const uint32_t v = topo->n_switch + terminal, lid = topo->lid_base[v], n = 1u << topo->lmc[v];
    if (lid == 0 || lid + n > HF_LID_COUNT) {
        HF_FAIL(cx, HF_EINVAL, "%s: terminal t%" PRIu32 " has the LIDs %" PRIu32 " to %" PRIu32 "; need 1 to 65535", file,
                terminal, lid, lid + n - 1);
    }
    t->slot_begin[terminal] = t->n_slot;
    for (uint32_t i = 0; i < n; i++) {
        if (t->slot_of_lid[lid + i] != HF_NONE || t->is_switch_lid[lid + i]) {
            HF_FAIL(cx, HF_EINVAL, "%s: LID %" PRIu32 " belongs to two nodes of the topology, one of them t%" PRIu32, file,
                    lid + i, terminal);
        }
        t->slot_of_lid[lid + i] = t->n_slot++;
    }
    t->slot_begin[terminal + 1] = t->n_slot;
    return HF_OK;
}

hf_status hf_forwarding_start_lids(hf_context *cx, const char *file, hf_forwarding *t) {
    const hf_topology *topo = t->topo;
    if (!topo->lid_base) {
        HF_FAIL(cx, HF_EINVAL, "%s: a table by LID needs a topology with LIDs, file:PATH of ibnetdiscover's output, not \"%s\"",
                file, topo->spec);
    }
    HF_TRY(hf_allocate(cx, (size_t)topo->n_terminal + 1, sizeof *t->slot_begin, (void **)&t->slot_begin));
    HF_TRY(hf_allocate(cx, HF_LID_COUNT, sizeof *t->slot_of_lid, (void **)&t->slot_of_lid));
    HF_TRY(hf_allocate(cx, HF_LID_COUNT, 1, (void **)&t->is_switch_lid));
    memset(t->slot_of_lid, 0xff, HF_LID_COUNT * sizeof *t->slot_of_lid); /* HF_NONE */
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        t->is_switch_lid[topo->lid_base[v]] = topo->lid_base[v] != 0;
    }
    for (uint32_t i = 0; i < topo->n_terminal; i++) {
        HF_TRY(number_lids(cx, file, t, i));
    }
    HF_TRY(hf_allocate(cx, (size_t)topo->n_switch * t->n_slot + 1, 1, (void **)&t->port));
    memset(t->port, HF_PORT_NONE, (size_t)topo->n_switch * t->n_slot);
    return HF_OK;
}

uint32_t hf_forwarding_switch(const hf_topology *topo, uint64_t guid) {
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        if (topo->node_guid[v] == guid) {
            return v;
        }
    }
    return HF_NONE;
}

/* ---- the relation ---- */

static uint32_t lane_at_terminal(const hf_forwarding *t, uint32_t terminal, uint32_t sl) {
    return t->terminal_vl ? t->terminal_vl[(size_t)terminal * HF_SL_COUNT + sl] : sl;
}

static uint32_t lane_at_switch(const hf_forwarding *t, uint32_t sw, uint32_t in, uint32_t out, uint32_t sl) {
    if (!t->switch_vl || in >= t->n_port || out >= t->n_port) {
        return sl;
    }
    return t->switch_vl[(((size_t)sw * t->n_port + in) * t->n_port + out) * HF_SL_COUNT + sl];
}

/* One hop for every LID of the destination. */
static size_t inject_by_lid(const hf_forwarding *t, uint32_t source, uint32_t destination, hf_hop *hops) {
    const hf_topology *topo = t->topo;
    const uint32_t v = topo->n_switch + source;
    size_t n = 0;
    for (uint32_t s = t->slot_begin[destination]; s < t->slot_begin[destination + 1]; s++) {
        const uint32_t sl = t->sl ? t->sl[(size_t)source * t->n_slot + s] : 0, vl = lane_at_terminal(t, source, sl);
        if (vl != HF_VL_DROP) {
            hops[n++] = (hf_hop){topo->out_list[topo->out_begin[v]], vl, (s - t->slot_begin[destination]) | sl << TAG_LID_BITS};
        }
    }
    return n;
}

/* The hop by a port, if there is a channel and a lane. \return 0 or 1 */
static size_t leave_by(const hf_forwarding *t, uint32_t at, hf_hop in, uint32_t port, hf_hop *hop) {
    const uint32_t channel = port == HF_PORT_NONE ? HF_NONE : hf_topology_channel_at(t->topo, at, port);
    if (channel == HF_NONE) {
        return 0;
    }
    const uint32_t vl = lane_at_switch(t, at, t->topo->to_port[in.channel], port, in.tag >> TAG_LID_BITS);
    *hop = (hf_hop){channel, vl, in.tag};
    return vl != HF_VL_DROP;
}

static size_t route_by_lid(const hf_forwarding *t, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    const hf_topology *topo = t->topo;
    if (hf_topology_is_terminal(topo, at)) {
        return inject_by_lid(t, at - topo->n_switch, destination, hops);
    }
    const size_t at_slot = (size_t)at * t->n_slot + t->slot_begin[destination] + (in.tag & TAG_LID_MASK);
    if (!t->group || !t->group[at_slot]) {
        return leave_by(t, at, in, t->port[at_slot], hops);
    }
    const uint64_t *ports = t->set[t->group[at_slot] - 1].bit;
    size_t n = 0;
    for (size_t p = hf_bits_next(ports, HF_PORT_NONE, 0); p < HF_PORT_NONE; p = hf_bits_next(ports, HF_PORT_NONE, p + 1)) {
        n += leave_by(t, at, in, (uint32_t)p, &hops[n]);
    }
    return n;
}

/* Without rows: a terminal injects, and the switch of the destination delivers, on VC 0. */
static size_t route_plainly(const hf_forwarding *t, uint32_t at, uint32_t destination, uint32_t tag, hf_hop *hops) {
    const hf_topology *topo = t->topo;
    size_t n = 0;
    for (uint32_t i = topo->out_begin[at]; i < topo->out_begin[at + 1]; i++) {
        const uint32_t c = topo->out_list[i];
        if (hf_topology_is_terminal(topo, at) || topo->to[c] == topo->n_switch + destination) {
            hops[n++] = (hf_hop){c, 0, tag};
        }
    }
    return n;
}

static bool fits(const hf_forwarding *t, const hf_forwarding_row *row, hf_hop in, uint32_t tag) {
    const uint32_t in_port = in.channel == HF_NONE ? HF_NONE : t->topo->to_port[in.channel];
    return (row->in_port == HF_NONE || row->in_port == in_port) && (row->in_vc == HF_NONE || row->in_vc == in.vc) &&
           (row->source == HF_NONE || row->source == tag / t->n_tag) && (row->in_tag == HF_NONE || row->in_tag == tag % t->n_tag);
}

static size_t route_by_row(const hf_forwarding *t, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    const size_t key = (size_t)destination * t->topo->n_node + at;
    const bool is_first = in.channel == HF_NONE;
    const uint32_t tag = is_first && t->sees_source ? (at - t->topo->n_switch) * t->n_tag : in.tag;
    size_t n = 0;
    if (t->row_begin[key] == t->row_begin[key + 1]) {
        return route_plainly(t, at, destination, tag, hops);
    }
    for (uint32_t i = t->row_begin[key]; i < t->row_begin[key + 1]; i++) {
        const hf_forwarding_row *row = &t->row[i];
        const hf_hop hop = {row->channel, row->vc, row->out_tag == HF_NONE ? tag : tag - tag % t->n_tag + row->out_tag};
        if (fits(t, row, in, tag) && !hf_hops_hold(hops, n, hop)) {
            hops[n++] = hop;
        }
    }
    return n;
}

size_t hf_forwarding_route(const hf_forwarding *table, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    return table->row_begin ? route_by_row(table, at, in, destination, hops) : route_by_lid(table, at, in, destination, hops);
}

/* ---- sizes ---- */

static void raise_to(uint32_t *value, uint32_t to) { *value = to > *value ? to : *value; }

/* Lanes that the service levels in use may have. */
static void count_lanes(hf_forwarding *t) {
    bool is_used[HF_SL_COUNT] = {!t->sl};
    const hf_topology *topo = t->topo;
    for (size_t i = 0; t->sl && i < (size_t)topo->n_terminal * t->n_slot; i++) {
        is_used[t->sl[i]] = true;
    }
    const size_t n_switch = t->switch_vl ? (size_t)topo->n_switch * t->n_port * t->n_port * HF_SL_COUNT : 0;
    const size_t n_terminal = t->terminal_vl ? (size_t)topo->n_terminal * HF_SL_COUNT : 0;
    for (size_t i = 0; i < n_switch + n_terminal; i++) {
        const uint8_t vl = i < n_switch ? t->switch_vl[i] : t->terminal_vl[i - n_switch];
        if (is_used[i % HF_SL_COUNT] && vl != HF_VL_DROP) {
            raise_to(&t->n_vc, vl + 1u);
        }
    }
    for (uint32_t sl = 0; sl < HF_SL_COUNT && !t->switch_vl; sl++) {
        raise_to(&t->n_vc, is_used[sl] ? sl + 1 : 1);
    }
}

void hf_forwarding_finish(hf_forwarding *t) {
    const hf_topology *topo = t->topo;
    if (t->row_begin) {
        for (uint32_t i = 0; i < t->n_row; i++) {
            raise_to(&t->n_vc, t->row[i].vc + 1);
        }
        for (size_t k = 0; k < (size_t)topo->n_terminal * topo->n_node; k++) {
            raise_to(&t->max_hops, t->row_begin[k + 1] - t->row_begin[k]);
        }
        for (uint32_t v = 0; v < topo->n_node; v++) {
            raise_to(&t->max_hops, topo->out_begin[v + 1] - topo->out_begin[v]);
        }
        return;
    }
    count_lanes(t);
    for (uint32_t d = 0; d < topo->n_terminal; d++) {
        raise_to(&t->max_hops, t->slot_begin[d + 1] - t->slot_begin[d]);
    }
    for (uint32_t v = 0; t->group && v < topo->n_switch; v++) {
        raise_to(&t->max_hops, topo->out_begin[v + 1] - topo->out_begin[v]);
    }
}
