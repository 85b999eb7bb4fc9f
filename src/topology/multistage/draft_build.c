/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  From a draft to a topology: numbers for nodes and free ports, links in order, labels and addresses. */
#include <stdlib.h>
#include <string.h>

#include "src/topology/multistage/draft.h"

enum { PORT_MAX = 65535 };

/* A draft while it is built. */
typedef struct build {
    hf_context *cx;
    hf_draft *draft;
    uint32_t *id; /* node of the draft -> node of the topology */
    uint32_t n_switch, n_terminal, n_switch_link;
    bool has_latency, has_rate, has_delay, has_flow, has_label, has_lid;
} build;

static hf_status number_nodes(build *b) {
    const hf_draft *d = b->draft;
    HF_TRY(hf_scratch(b->cx, d->n_node + 1, sizeof *b->id, (void **)&b->id));
    for (uint32_t v = 0; v < d->n_node; v++) {
        b->n_switch += !d->node[v].is_terminal;
        b->has_label |= d->node[v].label.size > 0;
        b->has_lid |= d->node[v].lid > 0;
    }
    if (b->n_switch == 0) {
        HF_FAIL(b->cx, HF_EINVAL, "%s: there is no switch in it", d->file);
    }
    for (uint32_t v = 0, next = 0; v < d->n_node; v++) {
        b->id[v] = d->node[v].is_terminal ? b->n_switch + b->n_terminal++ : next++;
    }
    return HF_OK;
}

/* "FILE, line 3", or "FILE" where the line is not known; in the arena. */
static hf_status place_of(const build *b, uint32_t line, char **out) {
    if (line == 0) {
        return hf_scratch_print(b->cx, out, "%s", b->draft->file);
    }
    return hf_scratch_print(b->cx, out, "%s, line %" PRIu32, b->draft->file, line);
}

/* How the file calls a node, or what it will be called; in the arena. */
static hf_status name_of(const build *b, uint32_t node, char **out) {
    const hf_draft_node *n = &b->draft->node[node];
    if (n->label.size > 0) {
        return hf_scratch_print(b->cx, out, "\"%.*s\"", HF_SLICE(n->label));
    }
    return hf_scratch_print(b->cx, out, "%c%" PRIu32, n->is_terminal ? 't' : 's',
                            n->is_terminal ? b->id[node] - b->n_switch : b->id[node]);
}

static hf_status refuse_link(const build *b, const hf_draft_link *link, const char *why) {
    char *place, *from, *to;
    HF_TRY(place_of(b, link->line, &place));
    HF_TRY(name_of(b, link->a, &from));
    HF_TRY(name_of(b, link->b, &to));
    HF_FAIL(b->cx, HF_EINVAL, "%s: the link from %s to %s %s", place, from, to, why);
}

/* Of a link whose ends change places. */
static uint32_t turned_flow(uint32_t flow) {
    return (flow & HF_LINK_BUBBLE_FORWARD ? HF_LINK_BUBBLE_BACKWARD : 0U) |
           (flow & HF_LINK_BUBBLE_BACKWARD ? HF_LINK_BUBBLE_FORWARD : 0U);
}

/* Terminal links go from the terminal to the switch. */
static hf_status check_links(build *b) {
    for (uint32_t l = 0; l < b->draft->n_link; l++) {
        hf_draft_link *link = &b->draft->link[l];
        const bool a_is_terminal = b->draft->node[link->a].is_terminal, b_is_terminal = b->draft->node[link->b].is_terminal;
        if (a_is_terminal && b_is_terminal) {
            return refuse_link(b, link, "joins two terminals; a terminal hangs on a switch");
        }
        if ((a_is_terminal || b_is_terminal) && !link->both_ways) {
            return refuse_link(b, link, "has one direction; a terminal needs both");
        }
        if (b_is_terminal) {
            const hf_draft_link turned = *link;
            link->a = turned.b;
            link->a_port = turned.b_port;
            link->b = turned.a;
            link->b_port = turned.a_port;
            link->flow = turned_flow(turned.flow);
        }
        b->n_switch_link += !a_is_terminal && !b_is_terminal;
        b->has_latency |= link->latency != HF_NONE;
        b->has_rate |= link->rate_mbps > 0;
        b->has_delay |= link->delay_ns != HF_NONE;
        b->has_flow |= link->flow != 0;
    }
    return HF_OK;
}

/* ---- ports ---- */

/* One end of a link. */
typedef struct end {
    uint32_t node, port, link;
    unsigned roles; /* 1: a channel leaves here, 2: one comes in */
} end;

static int compare_ends(const void *x, const void *y) {
    const end *a = x, *b = y;
    if (a->node != b->node) {
        return a->node < b->node ? -1 : 1;
    }
    if (a->port != b->port) {
        return a->port < b->port ? -1 : 1;
    }
    return (a->link > b->link) - (a->link < b->link);
}

static hf_status refuse_port(const build *b, const end *e, const end *before) {
    char *place, *other, *name;
    HF_TRY(place_of(b, b->draft->link[e->link].line, &place));
    HF_TRY(place_of(b, b->draft->link[before->link].line, &other));
    HF_TRY(name_of(b, e->node, &name));
    HF_FAIL(b->cx, HF_EINVAL, "%s: port %" PRIu32 " of %s has a link already (%s)", place, e->port, name, other);
}

/* Ends with a port, sorted: a port has one channel each way. Ends without one get the numbers above the last one of their
 * node. */
static hf_status number_ports(build *b) {
    hf_draft *d = b->draft;
    const size_t n = 2 * (size_t)d->n_link;
    end *list;
    uint32_t *next;
    HF_TRY(hf_scratch(b->cx, n + 1, sizeof *list, (void **)&list));
    HF_TRY(hf_scratch(b->cx, d->n_node + 1, sizeof *next, (void **)&next));
    for (uint32_t l = 0; l < d->n_link; l++) {
        list[2 * (size_t)l] = (end){d->link[l].a, d->link[l].a_port, l, d->link[l].both_ways ? 3 : 1};
        list[2 * (size_t)l + 1] = (end){d->link[l].b, d->link[l].b_port, l, d->link[l].both_ways ? 3 : 2};
    }
    qsort(list, n, sizeof *list, compare_ends);
    for (size_t i = 0; i < n; i++) {
        end *e = &list[i];
        if (e->port == HF_NONE) {
            hf_draft_link *link = &d->link[e->link];
            *(link->a == e->node ? &link->a_port : &link->b_port) = e->port = next[e->node];
        }
        if (i > 0 && list[i - 1].node == e->node && list[i - 1].port == e->port) {
            if (list[i - 1].roles & e->roles) {
                return refuse_port(b, e, &list[i - 1]);
            }
            e->roles |= list[i - 1].roles;
        }
        if (e->port > PORT_MAX) {
            return refuse_link(b, &d->link[e->link], "has a port number above 65535");
        }
        next[e->node] = e->port + 1;
    }
    return HF_OK;
}

/* ---- the topology ---- */

static hf_status check_terminals(const build *b) {
    uint8_t *has_link;
    HF_TRY(hf_scratch(b->cx, b->draft->n_node + 1, 1, (void **)&has_link));
    for (uint32_t l = 0; l < b->draft->n_link; l++) {
        has_link[b->draft->link[l].a] = 1;
    }
    for (uint32_t v = 0; v < b->draft->n_node; v++) {
        if (b->draft->node[v].is_terminal && !has_link[v]) {
            char *name;
            HF_TRY(name_of(b, v, &name));
            HF_FAIL(b->cx, HF_EINVAL, "%s: terminal %s hangs on no switch", b->draft->file, name);
        }
    }
    return HF_OK;
}

/* Position of each link of the draft in the topology: between switches in their order, then by terminal. */
static hf_status order_links(const build *b, end **out) {
    const hf_draft *d = b->draft;
    HF_TRY(hf_scratch(b->cx, d->n_link + 1, sizeof **out, (void **)out));
    for (uint32_t l = 0; l < d->n_link; l++) {
        const uint32_t a = d->link[l].a;
        (*out)[l] = (end){d->node[a].is_terminal ? b->id[a] : 0, 0, l, 0};
    }
    qsort(*out, d->n_link, sizeof **out, compare_ends);
    return HF_OK;
}

/* What the file says of links. */
typedef struct columns {
    uint32_t *latency, *rate, *delay, *flow; /* NULL where no link has one */
} columns;

static hf_status add_columns(const build *b, hf_topology *topo, columns *out) {
    uint32_t *of_switch;
    if (b->has_latency) {
        HF_TRY(hf_topology_add_attribute(b->cx, topo, "latency", "latency of a link as the file gives it, cycles", &of_switch,
                                         &out->latency));
    }
    if (b->has_rate) {
        HF_TRY(hf_topology_add_rates(b->cx, topo, &out->rate));
    }
    if (b->has_delay) {
        HF_TRY(
            hf_topology_add_attribute(b->cx, topo, "delay", "delay of a link as the file gives it, ns", &of_switch, &out->delay));
    }
    if (b->has_flow) {
        HF_TRY(hf_topology_add_attribute(b->cx, topo, "flow", "bubbles as the file gives them: 1 forward, 2 backward, 3 both",
                                         &of_switch, &out->flow));
    }
    return HF_OK;
}

static void fill_columns(const columns *to, uint32_t l, const hf_draft_link *link) {
    if (to->latency) {
        to->latency[l] = link->latency;
    }
    if (to->rate && link->rate_mbps > 0) {
        to->rate[l] = link->rate_mbps;
    }
    if (to->delay) {
        to->delay[l] = link->delay_ns;
    }
    if (to->flow) {
        to->flow[l] = link->flow;
    }
}

static hf_status add_links(const build *b, hf_topology *topo) {
    const hf_draft *d = b->draft;
    end *order;
    columns of_link = {NULL, NULL, NULL, NULL};
    HF_TRY(order_links(b, &order));
    HF_TRY(add_columns(b, topo, &of_link));
    for (uint32_t l = 0; l < d->n_link; l++) {
        const hf_draft_link *link = &d->link[order[l].link];
        hf_topology_add_link(topo, b->id[link->a], link->a_port, b->id[link->b], link->b_port, link->both_ways);
        fill_columns(&of_link, l, link);
    }
    return HF_OK;
}

/* A text of the topology's own, NULL where the slice is empty. */
static hf_status copy(const build *b, hf_slice from, char **to) {
    if (from.size > 0) {
        HF_TRY(hf_allocate(b->cx, from.size + 1, 1, (void **)to));
        memcpy(*to, from.text, from.size);
    }
    return HF_OK;
}

static hf_status add_labels(const build *b, hf_topology *topo) {
    if (!b->has_label) {
        return HF_OK;
    }
    HF_TRY(hf_allocate(b->cx, topo->n_node, sizeof *topo->label, (void **)&topo->label));
    for (uint32_t v = 0; v < b->draft->n_node; v++) {
        HF_TRY(copy(b, b->draft->node[v].label, &topo->label[b->id[v]]));
    }
    return hf_topology_index_labels(b->cx, topo);
}

static hf_status add_addresses(const build *b, hf_topology *topo) {
    if (!b->has_lid) {
        return HF_OK;
    }
    HF_TRY(hf_allocate(b->cx, topo->n_node, sizeof *topo->lid_base, (void **)&topo->lid_base));
    HF_TRY(hf_allocate(b->cx, topo->n_node, sizeof *topo->lmc, (void **)&topo->lmc));
    HF_TRY(hf_allocate(b->cx, topo->n_node, sizeof *topo->node_guid, (void **)&topo->node_guid));
    HF_TRY(hf_allocate(b->cx, topo->n_node, sizeof *topo->port_guid, (void **)&topo->port_guid));
    for (uint32_t v = 0; v < b->draft->n_node; v++) {
        const hf_draft_node *n = &b->draft->node[v];
        topo->lid_base[b->id[v]] = n->lid;
        topo->lmc[b->id[v]] = n->lmc;
        topo->node_guid[b->id[v]] = n->node_guid;
        topo->port_guid[b->id[v]] = n->port_guid;
    }
    return HF_OK;
}

static hf_status fill(const build *b, hf_topology *topo) {
    HF_TRY(add_links(b, topo));
    HF_TRY(add_labels(b, topo));
    HF_TRY(add_addresses(b, topo));
    topo->format = b->draft->format;
    HF_TRY(copy(b, b->draft->header_line, &topo->header));
    topo->n_self_loop = b->draft->n_self_loop;
    topo->self_loop = b->draft->self_loop;
    return hf_topology_finish(b->cx, topo);
}

hf_status hf_draft_build(hf_context *cx, hf_draft *draft, const hf_topology_kind *kind, const hf_args *args, hf_topology **out) {
    build b = {.cx = cx, .draft = draft};
    hf_topology *topo;
    HF_TRY(number_nodes(&b));
    HF_TRY(check_links(&b));
    HF_TRY(check_terminals(&b));
    HF_TRY(number_ports(&b));
    HF_TRY(hf_topology_start(cx, kind, args, b.n_switch, b.n_terminal, b.n_switch_link, draft->n_link - b.n_switch_link, 0, NULL,
                             &topo));
    return hf_topology_give(fill(&b, topo), topo, out);
}
