/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The graph of which BLISS finds the symmetries. It has a node for each component, switch and terminal. A link of which both
 *  directions fail together is a node between its ends; where one component is that link and nothing else, the component is this
 *  node. Other channels are two nodes each, the one at its tail and the one at its head. A terminal with one link that no
 *  component takes down is left out and counted in the colour of its switch. An attribute that symmetries keep has a node for
 *  each value, next to the links that have it. */
#include "src/campaign/orbits.h"

#include <string.h>

/* Switches have this colour and those above, by the number of terminals that were left out. */
enum { PLAIN, GENERAL, TERMINAL, LINK, TAIL, HEAD, SWITCH };

typedef struct builder {
    hf_context *cx;
    const hf_universe *universe;
    uint32_t *begin, *component; /* of each channel, ascending */
    bool *is_plain;              /* a component: one link, both directions, and nothing else */
    uint32_t *node;              /* of a switch or terminal; HF_NONE: left out */
    uint32_t *left_out;          /* terminals of a switch */
    bool fixes_terminals;
    const uint32_t *kept;          /* the value of each link that is kept; NULL: none is */
    uint32_t n_value, first_value; /* values are below; the node of the first */
    hf_orbits_graph *out;
    uint32_t *ends, n_edge;
} builder;

static uint32_t length(const builder *b, uint32_t channel) { return b->begin[channel + 1] - b->begin[channel]; }

static bool are_same(const builder *b, uint32_t c, uint32_t d) {
    const uint32_t n = length(b, c);
    return n == length(b, d) &&
           (n == 0 || memcmp(b->component + b->begin[c], b->component + b->begin[d], n * sizeof *b->component) == 0);
}

static hf_status list_components(builder *b) {
    const hf_universe *u = b->universe;
    const uint32_t n = u->topo->n_channel, all = u->channel_begin[u->n_component];
    uint32_t *at;
    HF_TRY(hf_scratch(b->cx, n + 2, sizeof *at, (void **)&at));
    HF_TRY(hf_scratch(b->cx, all + 1, sizeof *b->component, (void **)&b->component));
    for (uint32_t i = 0; i < all; i++) {
        at[u->channel[i] + 2]++;
    }
    for (uint32_t c = 0; c < n; c++) {
        at[c + 2] += at[c + 1];
    }
    for (uint32_t i = 0; i < u->n_component; i++) {
        for (uint32_t j = u->channel_begin[i]; j < u->channel_begin[i + 1]; j++) {
            b->component[at[u->channel[j] + 1]++] = i;
        }
    }
    b->begin = at;
    return HF_OK;
}

static hf_status find_plain(builder *b) {
    const hf_universe *u = b->universe;
    const hf_topology *topo = u->topo;
    HF_TRY(hf_scratch(b->cx, u->n_component, sizeof *b->is_plain, (void **)&b->is_plain));
    for (uint32_t i = 0; i < u->n_component; i++) {
        const uint32_t first = u->channel_begin[i], n = u->channel_begin[i + 1] - first;
        const bool has_two = n == 2 && u->switch_begin[i] == u->switch_begin[i + 1];
        b->is_plain[i] = has_two && topo->reverse[u->channel[first]] == u->channel[first + 1] &&
                         length(b, u->channel[first]) == 1 && length(b, u->channel[first + 1]) == 1;
    }
    return HF_OK;
}

static void find_values(builder *b, const char *name) {
    const hf_topology *topo = b->universe->topo;
    const hf_attribute *a = name ? hf_topology_attribute(topo, name) : NULL;
    b->kept = a ? a->of_link : NULL;
    for (uint32_t l = 0; b->kept && l < topo->n_link; l++) {
        b->n_value = b->kept[l] != HF_NONE && b->kept[l] >= b->n_value ? b->kept[l] + 1 : b->n_value;
    }
}

/* ---- nodes and edges ---- */

static uint32_t add_node(builder *b, uint32_t colour) {
    b->out->colour[b->out->n_node] = colour;
    b->out->n_colour = colour >= b->out->n_colour ? colour + 1 : b->out->n_colour;
    return b->out->n_node++;
}

static void add_edge(builder *b, uint32_t x, uint32_t y) {
    b->ends[2 * (size_t)b->n_edge] = x;
    b->ends[2 * (size_t)b->n_edge + 1] = y;
    b->n_edge++;
}

static bool can_leave_out(const builder *b, uint32_t terminal) {
    const hf_topology *topo = b->universe->topo;
    if (topo->out_begin[terminal + 1] - topo->out_begin[terminal] != 1 ||
        topo->in_begin[terminal + 1] - topo->in_begin[terminal] != 1) {
        return false;
    }
    const uint32_t out = topo->out_list[topo->out_begin[terminal]], in = topo->in_list[topo->in_begin[terminal]];
    return topo->reverse[out] == in && topo->to[out] < topo->n_switch && length(b, out) == 0 && length(b, in) == 0;
}

/* A colour of its own for every switch or terminal. */
static uint32_t own_colour(const builder *b, uint32_t v) { return SWITCH + b->universe->topo->n_terminal + 1 + v; }

static void add_nodes(builder *b) {
    const hf_topology *topo = b->universe->topo;
    for (uint32_t i = 0; i < b->universe->n_component; i++) {
        (void)add_node(b, b->is_plain[i] ? PLAIN : GENERAL);
    }
    for (uint32_t v = topo->n_switch; v < topo->n_node; v++) {
        const bool is_out = can_leave_out(b, v);
        b->node[v] = is_out ? HF_NONE : add_node(b, b->fixes_terminals ? own_colour(b, v) : TERMINAL);
        if (is_out) {
            b->left_out[topo->to[topo->out_list[topo->out_begin[v]]]]++;
        }
    }
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        const bool is_fixed = b->fixes_terminals && b->left_out[v] > 0;
        b->node[v] = add_node(b, is_fixed ? own_colour(b, v) : SWITCH + b->left_out[v]);
    }
    b->first_value = b->out->n_node;
    for (uint32_t i = 0; i < b->n_value; i++) {
        (void)add_node(b, b->out->n_colour); /* of its own */
    }
}

/* The node of what is kept of a channel's link, which has one. */
static void add_value(builder *b, uint32_t node, uint32_t channel) {
    const uint32_t value = b->kept ? b->kept[b->universe->topo->link[channel]] : HF_NONE;
    if (value != HF_NONE) {
        add_edge(b, node, b->first_value + value);
    }
}

static void add_components(builder *b, uint32_t node, uint32_t channel) {
    for (uint32_t i = b->begin[channel]; i < b->begin[channel + 1]; i++) {
        add_edge(b, node, b->component[i]);
    }
}

/* Of a link from a switch to itself there is one end. */
static void add_whole_link(builder *b, uint32_t c) {
    const hf_topology *topo = b->universe->topo;
    const uint32_t from = b->node[topo->from[c]], to = b->node[topo->to[c]];
    const bool is_plain = length(b, c) == 1 && b->is_plain[b->component[b->begin[c]]];
    if (from == HF_NONE || to == HF_NONE) {
        return;
    }
    const uint32_t node = is_plain ? b->component[b->begin[c]] : add_node(b, LINK);
    add_edge(b, node, from);
    if (from != to) {
        add_edge(b, node, to);
    }
    add_value(b, node, c);
    if (!is_plain) {
        add_components(b, node, c);
    }
}

/* \return the node at its tail */
static uint32_t add_channel(builder *b, uint32_t c) {
    const hf_topology *topo = b->universe->topo;
    const uint32_t tail = add_node(b, TAIL), head = add_node(b, HEAD);
    add_edge(b, tail, head);
    add_edge(b, tail, b->node[topo->from[c]]);
    add_edge(b, head, b->node[topo->to[c]]);
    add_components(b, tail, c);
    add_value(b, tail, c);
    return tail;
}

static void add_link(builder *b, uint32_t link) {
    const uint32_t there = b->universe->topo->forward[link], back = b->universe->topo->backward[link];
    if (back != HF_NONE && are_same(b, there, back)) {
        add_whole_link(b, there);
        return;
    }
    const uint32_t tail = add_channel(b, there);
    if (back != HF_NONE) {
        add_edge(b, tail, add_channel(b, back));
    }
}

static void add_switches(builder *b) {
    const hf_universe *u = b->universe;
    for (uint32_t i = 0; i < u->n_component; i++) {
        for (uint32_t j = u->switch_begin[i]; j < u->switch_begin[i + 1]; j++) {
            add_edge(b, i, b->node[u->switch_list[j]]);
        }
    }
}

hf_status hf_orbits_graph_make(hf_context *cx, const hf_universe *universe, const hf_symmetric *claim, hf_orbits_graph *out) {
    const hf_topology *topo = universe->topo;
    const uint32_t m = universe->n_component, channels = universe->channel_begin[m], switches = universe->switch_begin[m];
    builder b = {.cx = cx, .universe = universe, .fixes_terminals = claim->fixes_terminals, .out = out};
    *out = (hf_orbits_graph){0};
    HF_TRY(list_components(&b));
    HF_TRY(find_plain(&b));
    find_values(&b, claim->keeps);
    HF_TRY(hf_scratch(cx, topo->n_node, sizeof *b.node, (void **)&b.node));
    HF_TRY(hf_scratch(cx, topo->n_switch + 1, sizeof *b.left_out, (void **)&b.left_out));
    HF_TRY(hf_scratch(cx, (size_t)m + topo->n_node + 2 * (size_t)topo->n_channel + b.n_value, sizeof *out->colour,
                      (void **)&out->colour));
    HF_TRY(hf_scratch(cx, 2 * (5 * (size_t)topo->n_channel + channels + switches + 1), sizeof *b.ends, (void **)&b.ends));
    add_nodes(&b);
    for (uint32_t l = 0; l < topo->n_link; l++) {
        add_link(&b, l);
    }
    add_switches(&b);
    return hf_igraph_new(cx, out->n_node, b.n_edge, b.ends, &out->graph);
}
