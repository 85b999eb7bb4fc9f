/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The net of a universe: what has to hang together under a criterion of connectivity, and which components take down what. Where
 *  every link fails in both directions at once, the network is strongly connected exactly if it is connected, so edges have no
 *  direction. What cannot fail is drawn together into one vertex first. */
#include "src/campaign/counted.h"

#include <string.h>

#include <holdfast/analysis/tolerance.h>

typedef struct builder {
    hf_context *cx;
    const hf_universe *universe;
    hf_counted_list channel, gone; /* components of every channel and of every switch */
    uint32_t *vertex_of;           /* of a node: its vertex; while they are drawn together: the next one of its vertex */
    hf_counted_net *net;
} builder;

/* Turn the lists of a universe, by component, into lists by what is taken down. */
static hf_status turn(const builder *b, uint32_t n, const uint32_t *begin, const uint32_t *what, hf_counted_list *out) {
    const uint32_t n_component = b->universe->n_component, all = begin[n_component];
    uint32_t *fill;
    uint32_t *sums, *component;
    HF_TRY(hf_scratch(b->cx, n + 1, sizeof *sums, (void **)&sums));
    HF_TRY(hf_scratch(b->cx, n + 1, sizeof *fill, (void **)&fill));
    HF_TRY(hf_scratch(b->cx, all + 1, sizeof *component, (void **)&component));
    for (uint32_t i = 0; i < all; i++) {
        sums[what[i] + 1]++;
    }
    for (uint32_t i = 0; i < n; i++) {
        sums[i + 1] += sums[i];
    }
    for (uint32_t c = 0; c < n_component; c++) {
        for (uint32_t i = begin[c]; i < begin[c + 1]; i++) {
            component[sums[what[i]] + fill[what[i]]++] = c;
        }
    }
    *out = (hf_counted_list){.begin = sums, .component = component};
    return HF_OK;
}

static uint32_t length(const hf_counted_list *list, uint32_t i) { return list->begin ? list->begin[i + 1] - list->begin[i] : 0; }

static bool are_same(const hf_counted_list *list, uint32_t i, uint32_t j) {
    const uint32_t n = length(list, i);
    return n == length(list, j) && (n == 0 || memcmp(list->component + list->begin[i], list->component + list->begin[j],
                                                     n * sizeof *list->component) == 0);
}

static hf_status check_links(const builder *b) {
    const hf_topology *topo = b->universe->topo;
    for (uint32_t l = 0; l < topo->n_link; l++) {
        const uint32_t back = topo->backward[l];
        if (back == HF_NONE || !are_same(&b->channel, topo->forward[l], back)) {
            char name[HF_NAME_SIZE];
            hf_topology_link_name(topo, l, name, sizeof name);
            HF_FAIL(b->cx, HF_ENOTSUP,
                    "method counted needs links whose two directions fail together; %s of \"%s\" is not one in universe \"%s\"",
                    name, topo->spec, b->universe->spec);
        }
    }
    return HF_OK;
}

static hf_status check_terminals(const builder *b) {
    const hf_topology *topo = b->universe->topo;
    for (uint32_t v = topo->n_switch; v < topo->n_node; v++) {
        if (topo->out_begin[v + 1] - topo->out_begin[v] > 1) {
            char name[HF_NAME_SIZE];
            hf_topology_node_name(topo, v, name, sizeof name);
            HF_FAIL(b->cx, HF_ENOTSUP, "method counted needs terminals of one link; %s of \"%s\" has %u", name, topo->spec,
                    (unsigned)(topo->out_begin[v + 1] - topo->out_begin[v]));
        }
    }
    return HF_OK;
}

/* ---- drawing together ---- */

static uint32_t root_of(const builder *b, uint32_t node) {
    while (b->vertex_of[node] != node) {
        node = b->vertex_of[node];
    }
    return node;
}

/* \param[in] n nodes that are vertices: switches come first */
static hf_status draw_together(builder *b, uint32_t n) {
    const hf_topology *topo = b->universe->topo;
    uint32_t *number;
    HF_TRY(hf_scratch(b->cx, n + 1, sizeof *b->vertex_of, (void **)&b->vertex_of));
    HF_TRY(hf_scratch(b->cx, n + 1, sizeof *number, (void **)&number));
    for (uint32_t v = 0; v < n; v++) {
        b->vertex_of[v] = v;
    }
    for (uint32_t l = 0; l < topo->n_link; l++) {
        const uint32_t c = topo->forward[l], from = topo->from[c], to = topo->to[c];
        if (from < n && to < n && length(&b->channel, c) == 0) {
            const uint32_t x = root_of(b, from), y = root_of(b, to);
            b->vertex_of[x < y ? y : x] = x < y ? x : y;
        }
    }
    for (uint32_t v = 0; v < n; v++) {
        const uint32_t root = root_of(b, v);
        number[v] = root == v ? b->net->n_vertex++ : number[root];
    }
    memcpy(b->vertex_of, number, n * sizeof *number);
    return HF_OK;
}

/* ---- lists ---- */

static void append(hf_counted_list *to, uint32_t i, const hf_counted_list *from, uint32_t j) {
    to->begin[i + 1] = to->begin[i];
    for (uint32_t k = from->begin[j]; k < from->begin[j + 1]; k++) {
        to->component[to->begin[i + 1]++] = from->component[k];
    }
}

static hf_status make_list(const builder *b, uint32_t n, size_t room, hf_counted_list *out) {
    HF_TRY(hf_scratch(b->cx, (size_t)n + 1, sizeof *out->begin, (void **)&out->begin));
    return hf_scratch(b->cx, room + 1, sizeof *out->component, (void **)&out->component);
}

static hf_status add_edges(const builder *b, uint32_t n) {
    const hf_topology *topo = b->universe->topo;
    hf_counted_net *net = b->net;
    HF_TRY(make_list(b, topo->n_link, b->channel.begin[topo->n_channel], &net->edge));
    HF_TRY(hf_scratch(b->cx, (size_t)topo->n_link + 1, sizeof *net->a, (void **)&net->a));
    HF_TRY(hf_scratch(b->cx, (size_t)topo->n_link + 1, sizeof *net->b, (void **)&net->b));
    for (uint32_t l = 0; l < topo->n_link; l++) {
        const uint32_t c = topo->forward[l], from = topo->from[c], to = topo->to[c];
        if (from < n && to < n && length(&b->channel, c) > 0) {
            net->a[net->n_edge] = b->vertex_of[from];
            net->b[net->n_edge] = b->vertex_of[to];
            append(&net->edge, net->n_edge++, &b->channel, c);
        }
    }
    return HF_OK;
}

/* Terminals have to be connected, each by its link. */
static hf_status make_connected(builder *b) {
    const hf_topology *topo = b->universe->topo;
    hf_counted_net *net = b->net;
    HF_TRY(draw_together(b, topo->n_node));
    HF_TRY(add_edges(b, topo->n_node));
    HF_TRY(make_list(b, net->n_vertex, 0, &net->vertex));
    HF_TRY(make_list(b, 0, 0, &net->item));
    HF_TRY(hf_scratch(b->cx, net->n_vertex + 1, sizeof *net->is_goal, (void **)&net->is_goal));
    for (uint32_t v = topo->n_switch; v < topo->n_node && topo->n_terminal > 1; v++) {
        net->is_goal[b->vertex_of[v]] = true;
    }
    return HF_OK;
}

/* Switches that have not failed have to be connected. A vertex of several switches has none that can fail. */
static hf_status make_switches(builder *b) {
    const hf_topology *topo = b->universe->topo;
    hf_counted_net *net = b->net;
    const bool by_switches = topo->n_terminal < 2;
    const uint32_t n = by_switches ? topo->n_switch : topo->n_terminal;
    HF_TRY(draw_together(b, topo->n_switch));
    HF_TRY(add_edges(b, topo->n_switch));
    HF_TRY(make_list(b, net->n_vertex, b->gone.begin[topo->n_switch], &net->vertex));
    HF_TRY(make_list(b, n, b->gone.begin[topo->n_switch] + b->channel.begin[topo->n_channel], &net->item));
    HF_TRY(hf_scratch(b->cx, net->n_vertex + 1, sizeof *net->is_goal, (void **)&net->is_goal));
    HF_TRY(hf_scratch(b->cx, n + 1, sizeof *net->item_at, (void **)&net->item_at));
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        const uint32_t x = b->vertex_of[v];
        if (!net->is_goal[x]) {
            append(&net->vertex, x, &b->gone, v);
        }
        net->is_goal[x] = true;
    }
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t node = by_switches ? i : topo->n_switch + i;
        if (by_switches) {
            append(&net->item, net->n_item, &b->gone, i);
        } else if (topo->out_begin[node] < topo->out_begin[node + 1]) {
            append(&net->item, net->n_item, &b->channel, topo->out_list[topo->out_begin[node]]);
        } else {
            continue;
        }
        net->item_at[net->n_item++] = b->vertex_of[by_switches ? i : topo->to[topo->out_list[topo->out_begin[node]]]];
    }
    return HF_OK;
}

hf_status hf_counted_net_make(hf_context *cx, const hf_universe *universe, const hf_criterion *criterion, hf_counted_net *out) {
    builder b = {.cx = cx, .universe = universe, .net = out};
    uint32_t least;
    *out = (hf_counted_net){.n_component = universe->n_component};
    HF_TRY(hf_criterion_least(cx, criterion, universe->topo, &least));
    HF_TRY(turn(&b, universe->topo->n_channel, universe->channel_begin, universe->channel, &b.channel));
    HF_TRY(turn(&b, universe->topo->n_switch, universe->switch_begin, universe->switch_list, &b.gone));
    HF_TRY(check_links(&b));
    HF_TRY(check_terminals(&b));
    if (criterion->flags & HF_CRITERION_CONNECTED) {
        return make_connected(&b);
    }
    out->least = least;
    if (least > UINT16_MAX) {
        HF_FAIL(cx, HF_ENOTSUP, "method counted takes at most %u terminals that have to stay in service", (unsigned)UINT16_MAX);
    }
    return make_switches(&b);
}
