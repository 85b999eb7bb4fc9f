/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Nets of ibsim: a block a node, with a line for each port in use. Nodes are called by their numbers, as ibsim keeps @ and # for
 *  itself, and described by their names. GUIDs and LIDs that are known are written, too. Ports of
 *  InfiniBand count from 1: where a network has a port 0, all are one higher. */
#include <inttypes.h>

#include <holdfast/format.h>

#include "src/format/hosts.h"

enum { PORTS_MAX = 254 };

typedef struct net {
    const hf_topology *topo;
    hf_hosts hosts;
    uint32_t switch_shift, host_shift;
} net;

static uint32_t shift_of(const hf_topology *topo, uint32_t begin, uint32_t end) {
    for (uint32_t v = begin; v < end; v++) {
        const uint32_t i = topo->out_begin[v];
        if (i < topo->out_begin[v + 1] && topo->from_port[topo->out_list[i]] == 0) {
            return 1;
        }
    }
    return 0;
}

/* The port of ibsim that channel c leaves by. */
static uint32_t port_of(const net *n, uint32_t c) {
    const uint32_t from = n->topo->from[c], port = n->topo->from_port[c];
    if (from < n->topo->n_switch) {
        return port + n->switch_shift;
    }
    const uint32_t t = from - n->topo->n_switch, host = n->hosts.of[t];
    const bool is_part = n->hosts.first[host + 1] > n->hosts.first[host] + 1;
    return is_part ? hf_hosts_port(n->topo, t) : port + n->host_shift;
}

static void write_id(const net *n, uint32_t node, hf_text *out) {
    const uint32_t n_switch = n->topo->n_switch;
    if (node < n_switch) {
        hf_text_print(out, "\"s%" PRIu32 "\"", node);
    } else {
        hf_text_print(out, "\"t%" PRIu32 "\"", n->hosts.first[n->hosts.of[node - n_switch]]);
    }
}

/* The addresses that a subnet manager gave it, in the comment of a line. */
static void write_lid(const net *n, uint32_t node, const char *before, hf_text *out) {
    if (n->topo->lid_base && n->topo->lid_base[node]) {
        hf_text_print(out, "%s lid %" PRIu32 " lmc %u", before, n->topo->lid_base[node], n->topo->lmc[node]);
    }
}

static void write_ports(const net *n, uint32_t node, hf_text *out) {
    const hf_topology *topo = n->topo;
    for (uint32_t i = topo->out_begin[node]; i < topo->out_begin[node + 1]; i++) {
        const uint32_t c = topo->out_list[i];
        hf_text_print(out, "[%" PRIu32 "]\t", port_of(n, c));
        write_id(n, topo->to[c], out);
        hf_text_print(out, "[%" PRIu32 "]", port_of(n, topo->reverse[c]));
        if (node >= topo->n_switch) {
            write_lid(n, node, "\t#", out);
        }
        hf_text_print(out, "\n");
    }
}

static uint32_t highest_port(const net *n, uint32_t begin, uint32_t end) {
    uint32_t highest = 1;
    for (uint32_t v = begin; v < end; v++) {
        for (uint32_t i = n->topo->out_begin[v]; i < n->topo->out_begin[v + 1]; i++) {
            const uint32_t port = port_of(n, n->topo->out_list[i]);
            highest = port > highest ? port : highest;
        }
    }
    return highest;
}

/* Of all nodes, before the first is written. */
static hf_status check_ports(hf_context *cx, const net *n) {
    for (uint32_t v = 0; v < n->topo->n_node; v++) {
        const uint32_t port = highest_port(n, v, v + 1);
        if (port > PORTS_MAX) {
            char name[HF_NAME_SIZE];
            hf_topology_node_name(n->topo, v, name, sizeof name);
            HF_FAIL(cx, HF_EINVAL, "%s of \"%s\" would have port %" PRIu32 "; nets of ibsim have ports up to %d", name,
                    n->topo->spec, port, PORTS_MAX);
        }
    }
    return HF_OK;
}

/* Nodes begin .. end - 1, which are one. */
static void write_node(const net *n, const char *kind, uint32_t begin, uint32_t end, const char *name, hf_text *out) {
    const hf_topology *topo = n->topo;
    const bool is_switch = begin < topo->n_switch;
    if (topo->node_guid && topo->node_guid[begin]) {
        hf_text_print(out, "%s=0x%" PRIx64 "\n", is_switch ? "switchguid" : "caguid", topo->node_guid[begin]);
    }
    hf_text_print(out, "%s\t%" PRIu32 " ", kind, highest_port(n, begin, end));
    write_id(n, begin, out);
    if (topo->naming) {
        hf_text_print(out, "\t# \"%s\"", name);
    }
    if (is_switch) {
        write_lid(n, begin, topo->naming ? "" : "\t#", out);
    }
    hf_text_print(out, "\n");
    for (uint32_t v = begin; v < end; v++) {
        write_ports(n, v, out);
    }
    hf_text_print(out, "\n");
}

hf_status hf_format_ibsim(hf_context *cx, const hf_topology *topo, hf_text *out) {
    char name[HF_NAME_SIZE];
    net n = {.topo = topo,
             .switch_shift = shift_of(topo, 0, topo->n_switch),
             .host_shift = shift_of(topo, topo->n_switch, topo->n_node)};
    HF_TRY(hf_hosts_both_ways(cx, topo, "nets of ibsim"));
    HF_TRY(hf_hosts_make(cx, topo, &n.hosts));
    HF_TRY(check_ports(cx, &n));
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        hf_topology_node_text(topo, v, name, sizeof name);
        write_node(&n, "Switch", v, v + 1, name, out);
    }
    for (uint32_t h = 0; h < n.hosts.n; h++) {
        hf_hosts_name(topo, &n.hosts, h, name);
        write_node(&n, "Hca", topo->n_switch + n.hosts.first[h], topo->n_switch + n.hosts.first[h + 1], name, out);
    }
    return hf_text_check(cx, out);
}
