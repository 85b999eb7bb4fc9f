/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Topology files of the HPCC simulator (ns-3), and of SimAI: counts, the numbers of the switches, and a link a line with data
 *  rate, delay and error rate. Hosts come before switches, unless all nodes are called by the numbers from 0 on. */
#include <inttypes.h>
#include <string.h>

#include <holdfast/core/bitset.h>
#include <holdfast/format.h>

#include "src/core/number.h"
#include "src/format/hosts.h"

typedef struct net {
    const hf_topology *topo;
    hf_hosts hosts;
    uint32_t *number;    /* of a switch, then of a host */
    uint32_t *at, n_all; /* the switch, or n_switch and a host, with a number */
} net;

/* ---- numbers ---- */

/* Do the names number all nodes from 0 on? */
static hf_status take_names(hf_context *cx, net *n, bool *out) {
    char text[HF_NAME_SIZE];
    uint64_t *seen, number;
    HF_TRY(hf_scratch(cx, hf_words(n->n_all), sizeof *seen, (void **)&seen));
    *out = n->topo->naming != NULL;
    for (uint32_t i = 0; i < n->n_all && *out; i++) {
        if (i < n->topo->n_switch) {
            hf_topology_node_text(n->topo, i, text, sizeof text);
        } else {
            hf_hosts_name(n->topo, &n->hosts, i - n->topo->n_switch, text);
        }
        *out = hf_slice_number(hf_slice_of(text), 10, &number) && number < n->n_all && !hf_bit_test(seen, number);
        if (*out) {
            hf_bit_set(seen, number);
            n->number[i] = (uint32_t)number;
        }
    }
    return HF_OK;
}

static hf_status number_nodes(hf_context *cx, net *n) {
    bool has_names;
    HF_TRY(hf_hosts_make(cx, n->topo, &n->hosts));
    n->n_all = n->topo->n_switch + n->hosts.n;
    HF_TRY(hf_scratch(cx, n->n_all, sizeof *n->number, (void **)&n->number));
    HF_TRY(hf_scratch(cx, n->n_all, sizeof *n->at, (void **)&n->at));
    HF_TRY(take_names(cx, n, &has_names));
    for (uint32_t i = 0; i < n->n_all; i++) {
        if (!has_names) {
            n->number[i] = i < n->topo->n_switch ? n->hosts.n + i : i - n->topo->n_switch;
        }
        n->at[n->number[i]] = i;
    }
    return HF_OK;
}

/* ---- the text ---- */

static uint32_t number_of(const net *n, uint32_t node) {
    const uint32_t n_switch = n->topo->n_switch;
    return n->number[node < n_switch ? node : n_switch + n->hosts.of[node - n_switch]];
}

static void write_switches(const net *n, hf_text *out) {
    const char *blank = "";
    for (uint32_t i = 0; i < n->n_all; i++) {
        if (n->at[i] < n->topo->n_switch) {
            hf_text_print(out, "%s%" PRIu32, blank, i);
            blank = " ";
        }
    }
    hf_text_print(out, "\n");
}

static void write_links(const net *n, hf_text *out) {
    for (uint32_t l = 0; l < n->topo->n_link; l++) {
        const uint32_t c = n->topo->forward[l], mbps = hf_hosts_rate_mbps(n->topo, l), ns = hf_hosts_delay_ns(n->topo, l);
        const bool is_ns = ns == 0 || ns % 1000 != 0;
        hf_text_print(out, "%" PRIu32 " %" PRIu32 " %" PRIu32 "%s %" PRIu32 "%s 0\n", number_of(n, n->topo->from[c]),
                      number_of(n, n->topo->to[c]), mbps % 1000 ? mbps : mbps / 1000, mbps % 1000 ? "Mbps" : "Gbps",
                      is_ns ? ns : ns / 1000, is_ns ? "ns" : "us");
    }
}

/* ---- HPCC ---- */

static hf_status open_net(hf_context *cx, const hf_topology *topo, const char *files, net *n) {
    *n = (net){.topo = topo};
    HF_TRY(hf_hosts_both_ways(cx, topo, files));
    return number_nodes(cx, n);
}

hf_status hf_format_hpcc(hf_context *cx, const hf_topology *topo, hf_text *out) {
    net n;
    HF_TRY(open_net(cx, topo, "files of HPCC", &n));
    hf_text_print(out, "%" PRIu32 " %" PRIu32 " %" PRIu32 "\n", n.n_all, topo->n_switch, topo->n_link);
    write_switches(&n, out);
    write_links(&n, out);
    return hf_text_check(cx, out);
}

/* ---- SimAI ---- */

/* Hosts that a switch leads to, and to nothing else: `n` ones from `first` on, each with a link to another switch. */
typedef struct block {
    uint32_t first, n;
} block;

static bool leads_on(const net *n, uint32_t host, uint32_t sw) {
    const hf_topology *topo = n->topo;
    for (uint32_t v = topo->n_switch + n->hosts.first[host]; v < topo->n_switch + n->hosts.first[host + 1]; v++) {
        for (uint32_t i = topo->out_begin[v]; i < topo->out_begin[v + 1]; i++) {
            if (topo->to[topo->out_list[i]] != sw) {
                return true;
            }
        }
    }
    return false;
}

/* \return n = 0: it is no such switch. Ports lead to hosts in ascending order */
static block block_of(const net *n, uint32_t sw) {
    const hf_topology *topo = n->topo;
    block b = {0, 0};
    for (uint32_t i = topo->out_begin[sw]; i < topo->out_begin[sw + 1]; i++) {
        const uint32_t v = topo->to[topo->out_list[i]], host = v < topo->n_switch ? HF_NONE : n->hosts.of[v - topo->n_switch];
        b.first = b.n ? b.first : host;
        if (host == HF_NONE || host != b.first + b.n || !leads_on(n, host, sw)) {
            return (block){0, 0};
        }
        b.n++;
    }
    return b;
}

static hf_status refuse_servers(hf_context *cx, const hf_topology *topo, const char *name, const char *why) {
    HF_FAIL(cx, HF_EINVAL,
            "\"%s\" is not made of servers: %s %s; SimAI takes equal groups of hosts, one behind the other, each with one inner "
            "switch that leads to them alone, as rails with relay=no",
            topo->spec, name, why);
}

static hf_status refuse_host(hf_context *cx, const net *n, uint32_t host, const char *why) {
    char name[HF_NAME_SIZE];
    hf_hosts_name(n->topo, &n->hosts, host, name);
    return refuse_servers(cx, n->topo, name, why);
}

static hf_status refuse_switch(hf_context *cx, const net *n, uint32_t sw, const char *why) {
    char name[HF_NAME_SIZE];
    hf_topology_node_name(n->topo, sw, name, sizeof name);
    return refuse_servers(cx, n->topo, name, why);
}

/* Accelerators of a server, by the inner switch of host 0. */
static hf_status find_size(hf_context *cx, const net *n, uint32_t *accelerators) {
    uint32_t g = 0;
    for (uint32_t v = 0; v < n->topo->n_switch; v++) {
        const block b = block_of(n, v);
        g = b.first == 0 && b.n > 1 && (g == 0 || b.n < g) ? b.n : g;
    }
    *accelerators = g;
    return n->hosts.n == 0  ? refuse_servers(cx, n->topo, "it", "has no hosts")
           : g == 0         ? refuse_host(cx, n, 0, "has no inner switch")
           : n->hosts.n % g ? refuse_host(cx, n, n->hosts.n / g * g, "is of a smaller group than the first host")
                            : HF_OK;
}

/* Accelerators of a server, and the switches in SimAI's order: inner ones by server first.
 * \param[out] order n_switch and a place for each host */
static hf_status find_servers(hf_context *cx, const net *n, uint32_t *accelerators, uint32_t *order) {
    const hf_topology *topo = n->topo;
    HF_TRY(find_size(cx, n, accelerators));
    const uint32_t g = *accelerators, servers = n->hosts.n / g;
    memset(order, 0xff, ((size_t)topo->n_switch + servers) * sizeof *order); /* HF_NONE */
    for (uint32_t v = 0, others = servers; v < topo->n_switch; v++) {
        const block b = block_of(n, v);
        const bool is_inner = b.n == g && b.first % g == 0;
        const uint32_t place = is_inner ? b.first / g : others++;
        if (is_inner && order[place] != HF_NONE) {
            return refuse_switch(cx, n, v, "is a second inner switch of its hosts");
        }
        order[place] = v;
    }
    for (uint32_t s = 0; s < servers; s++) {
        if (order[s] == HF_NONE) {
            return refuse_host(cx, n, s * g, "has no inner switch");
        }
    }
    return HF_OK;
}

/* SimAI counts on it: hosts, then the inner switch of each server, then the others. */
hf_status hf_format_simai(hf_context *cx, const hf_topology *topo, hf_text *out) {
    net n;
    uint32_t g, *order;
    HF_TRY(open_net(cx, topo, "files of SimAI", &n));
    HF_TRY(hf_scratch(cx, (size_t)topo->n_switch + n.hosts.n, sizeof *order, (void **)&order));
    HF_TRY(find_servers(cx, &n, &g, order));
    for (uint32_t i = 0; i < n.n_all; i++) {
        const uint32_t at = i < n.hosts.n ? topo->n_switch + i : order[i - n.hosts.n];
        n.at[i] = at;
        n.number[at] = i;
    }
    const uint32_t servers = n.hosts.n / g;
    hf_text_print(out, "%" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32 " NONE\n", n.n_all, g, servers,
                  topo->n_switch - servers, topo->n_link);
    write_switches(&n, out);
    write_links(&n, out);
    return hf_text_check(cx, out);
}
