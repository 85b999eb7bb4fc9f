/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The networks of [brown2002, 4.2] as topologies and routings of the house, or any others of them; and links that have failed
 *  for good, as if they had been found and the plan made anew before the program starts. */
#include "src/protocol/network.h"

#include <inttypes.h>

#include <holdfast/core/bitset.h>
#include <holdfast/core/random.h>

#include "src/topology/search.h"

const char *hf_network_kind_name(hf_network_kind kind) {
    static const char *const name[] = {"grid2d", "grid3d", "fat-tree"};
    return name[kind];
}

/* ---- as specs ---- */

/* Sides that differ by a factor of 2 at most, the longer ones first: mesh:dims=16x8x8. */
static void print_grid(uint32_t n_node, uint32_t n_dimension, hf_text *spec) {
    uint32_t size[3] = {1, 1, 1};
    for (uint32_t rest = n_node, d = 0; rest > 1; rest /= 2, d = d + 1 < n_dimension ? d + 1 : 0) {
        size[d] *= 2;
    }
    hf_text_print(spec, "mesh:dims=%" PRIu32 "x%" PRIu32, size[0], size[1]);
    if (n_dimension > 2) {
        hf_text_print(spec, "x%" PRIu32, size[2]);
    }
}

/* A list of one number a level: 1, then first, first * factor and so on. */
static void print_levels(hf_text *spec, const char *name, uint32_t n, uint64_t first, uint64_t factor) {
    hf_text_print(spec, "%s=1", name);
    for (uint32_t l = 1; l < n; l++, first *= factor) {
        hf_text_print(spec, "x%" PRIu64, first);
    }
}

/* A switch for each node, and four children at each of the others. */
static hf_status print_tree(hf_context *cx, const hf_network_spec *s, uint32_t n_node, hf_text *spec) {
    uint32_t h = 1;
    for (uint32_t below = n_node; below > 1; below /= 4, h++) {
        if (below % 4 != 0) {
            HF_FAIL(cx, HF_ERANGE, "fat-tree: %" PRIu32 " nodes; need a power of 4", n_node);
        }
    }
    hf_text_print(spec, "xgft:h=%" PRIu32 ",", h);
    print_levels(spec, "m", h, 4, 1);
    print_levels(spec, ",w", h, 1, 1);
    print_levels(spec, ",p", h, s->leaf_width, s->growth);
    return HF_OK;
}

static hf_status print_kind(hf_context *cx, const hf_network_spec *s, uint32_t n_node, hf_text *spec) {
    if (n_node < 4 || n_node > 65536 || (n_node & (n_node - 1)) != 0) {
        HF_FAIL(cx, HF_ERANGE, "network of %" PRIu32 " nodes; need a power of 2 from 4 to 65536", n_node);
    }
    if (s->kind == HF_NETWORK_FAT_TREE) {
        return print_tree(cx, s, n_node, spec);
    }
    print_grid(n_node, s->kind == HF_NETWORK_GRID_2D ? 2 : 3, spec);
    return HF_OK;
}

static hf_status open_topology(hf_context *cx, const hf_network_spec *s, uint32_t n_node, hf_network *n) {
    hf_text spec;
    hf_text_init(cx, &spec);
    hf_status status = s->topology ? HF_OK : print_kind(cx, s, n_node, &spec);
    status = status == HF_OK ? hf_text_check(cx, &spec) : status;
    status = status == HF_OK ? hf_topology_new(cx, s->topology ? s->topology : spec.data, &n->topo) : status;
    hf_text_free(&spec);
    if (status == HF_OK && n_node > n->topo->n_terminal) {
        HF_FAIL(cx, HF_EINVAL, "the program runs on %" PRIu32 " nodes, %s has %" PRIu32 " terminals", n_node, n->topo->spec,
                n->topo->n_terminal);
    }
    return status;
}

/* Grids go by any productive channel; without losses in dimension order, which does not deadlock. */
static hf_status open_rules(hf_context *cx, const hf_network_spec *s, hf_network *n) {
    const bool is_grid = !s->topology && s->kind != HF_NETWORK_FAT_TREE;
    const char *lossy = s->routing ? s->routing : "minimal";
    const char *perfect = s->perfect_routing ? s->perfect_routing : is_grid ? "dor" : lossy;
    HF_TRY(hf_rule_init(cx, lossy, n->topo, &n->rule[0]));
    return hf_rule_init(cx, perfect, n->topo, &n->rule[1]);
}

/* ---- links that have failed ---- */

typedef struct drawing {
    const hf_topology *topo;
    const hf_universe *links;
    uint64_t *failed;
    uint32_t *order, *queue, *distance;
    bool is_two_way; /* every link leads both ways */
} drawing;

static void set_link(const drawing *d, uint32_t link, bool is_failed) {
    for (uint32_t i = d->links->channel_begin[link]; i < d->links->channel_begin[link + 1]; i++) {
        (is_failed ? hf_bit_set : hf_bit_clear)(d->failed, d->links->channel[i]);
    }
}

/* With links that lead both ways one cuts off nothing where its ends still have a way to each other. */
static bool cuts_off(const drawing *d, uint32_t link) {
    const hf_topology *topo = d->topo;
    const uint32_t c = d->links->channel[d->links->channel_begin[link]];
    if (d->is_two_way) {
        hf_switch_distances(topo, d->failed, topo->from[c], false, d->queue, d->distance);
        return d->distance[topo->to[c]] == HF_NONE;
    }
    bool is_whole = true;
    for (uint32_t t = 0; t < topo->n_terminal && is_whole; t++) {
        hf_distances(topo, d->failed, topo->n_switch + t, false, d->queue, d->distance);
        for (uint32_t v = topo->n_switch; v < topo->n_node; v++) {
            is_whole &= d->distance[v] != HF_NONE;
        }
    }
    return !is_whole;
}

/* One after the other in a random order, but for those that cut off something. \return how many, up to n, in `chosen` */
static uint32_t draw(const drawing *d, uint64_t seed, uint32_t n, uint32_t *chosen) {
    const uint32_t n_link = d->links->n_component;
    hf_random random;
    uint32_t count = 0;
    for (uint32_t i = 0; i < n_link; i++) {
        d->order[i] = i;
    }
    hf_random_init(&random, seed, HF_PURPOSE_SAMPLE, 0);
    hf_random_shuffle(&random, d->order, n_link);
    for (uint32_t i = 0; i < n_link && count < n; i++) {
        set_link(d, d->order[i], true);
        if (cuts_off(d, d->order[i])) {
            set_link(d, d->order[i], false);
        } else {
            chosen[count++] = d->order[i];
        }
    }
    return count;
}

static hf_status fail_links(hf_context *cx, hf_network *n, uint32_t n_failed, uint64_t seed) {
    const hf_topology *topo = n->topo;
    drawing d = {.topo = topo, .links = n->links, .is_two_way = true};
    uint32_t *chosen;
    HF_TRY(hf_scratch(cx, hf_words(topo->n_channel), sizeof *d.failed, (void **)&d.failed));
    HF_TRY(hf_scratch(cx, n->links->n_component, sizeof *d.order, (void **)&d.order));
    HF_TRY(hf_scratch(cx, topo->n_node, sizeof *d.queue, (void **)&d.queue));
    HF_TRY(hf_scratch(cx, topo->n_node, sizeof *d.distance, (void **)&d.distance));
    HF_TRY(hf_scratch(cx, n->links->n_component, sizeof *chosen, (void **)&chosen));
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        d.is_two_way &= topo->reverse[c] != HF_NONE;
    }
    const uint32_t count = draw(&d, seed, n_failed, chosen);
    if (count < n_failed) {
        HF_FAIL(cx, HF_ERANGE, "%" PRIu32 " failed links of %" PRIu32 " would cut off nodes; need at most %" PRIu32, n_failed,
                n->links->n_component, count);
    }
    return hf_fault_set_make(cx, n->links, chosen, count, &n->failed);
}

/* ---- the whole ---- */

static hf_status make_plans(hf_context *cx, const hf_network_spec *s, uint64_t seed, hf_network *n) {
    HF_TRY(hf_fault_set_parse(cx, n->topo, NULL, "", &n->none));
    n->failed = n->none;
    if (s->n_failed > 0) {
        HF_TRY(hf_universe_new(cx, n->topo, "links", NULL, &n->links));
        HF_TRY(fail_links(cx, n, s->n_failed, seed));
    }
    HF_TRY(hf_plan_make_plain(cx, &n->rule[0], &n->failed, &n->lossy));
    HF_TRY(hf_plan_make_plain(cx, &n->rule[1], &n->none, &n->perfect));
    HF_TRY(hf_scratch(cx, n->lossy.max_runs, sizeof *n->run, (void **)&n->run));
    return hf_scratch(cx, hf_plan_room(&n->lossy), sizeof *n->hops, (void **)&n->hops);
}

hf_status hf_network_open(hf_context *cx, const hf_network_spec *spec, uint32_t n_node, uint64_t seed, hf_network **out) {
    hf_network *n;
    HF_TRY(hf_scratch(cx, 1, sizeof *n, (void **)&n));
    hf_status status = open_topology(cx, spec, n_node, n);
    status = status == HF_OK ? open_rules(cx, spec, n) : status;
    status = status == HF_OK ? make_plans(cx, spec, seed, n) : status;
    if (status != HF_OK) {
        hf_network_close(n);
        return status;
    }
    *out = n;
    return HF_OK;
}

void hf_network_close(hf_network *n) {
    hf_rule_free(&n->rule[0]);
    hf_rule_free(&n->rule[1]);
    hf_universe_free(n->links);
    hf_topology_free(n->topo);
}

const hf_topology *hf_network_topology(const hf_network *n) { return n->topo; }

/* ---- distances ---- */

/* The first channel that is left at a node; HF_NONE: there is none. */
static hf_status next_channel(hf_context *cx, const hf_network *n, uint32_t node, hf_hop *in, uint32_t to) {
    const hf_plan *plan = &n->lossy;
    size_t count;
    if (!plan->runs) {
        HF_TRY(hf_plan_read(cx, plan, node, *in, to, n->hops, &count));
        *in = count ? n->hops[0] : HF_HOP_INJECTION;
        return HF_OK;
    }
    count = plan->runs(plan, node, to, n->run);
    *in = HF_HOP_INJECTION;
    for (size_t i = 0; i < count; i++) {
        for (uint32_t c = n->run[i].first; c < n->run[i].first + n->run[i].n; c++) {
            if (!hf_bit_test(n->failed.channel_set, c)) {
                in->channel = c;
                return HF_OK;
            }
        }
    }
    return HF_OK;
}

hf_status hf_network_distance(hf_context *cx, const hf_network *n, uint32_t from, uint32_t to, uint32_t *out) {
    const hf_topology *topo = n->topo;
    uint32_t node = topo->n_switch + from;
    hf_hop in = HF_HOP_INJECTION;
    *out = 0;
    if (n->lossy.distance) {
        const uint32_t count = n->lossy.distance(&n->lossy, from, to);
        *out = count ? count - 1 : 0;
        return HF_OK;
    }
    for (uint32_t count = 0; count <= topo->n_channel; count++) {
        if (node == topo->n_switch + to) {
            *out = count ? count - 1 : 0;
            return HF_OK;
        }
        HF_TRY(next_channel(cx, n, node, &in, to));
        if (in.channel == HF_NONE) {
            return HF_OK;
        }
        node = topo->to[in.channel];
    }
    return HF_OK;
}

/* A way from one node to any other is no longer than one by way of terminal 0. */
hf_status hf_network_longest(hf_context *cx, const hf_network *n, uint64_t *out) {
    const hf_topology *topo = n->topo;
    const bool is_whole = n->failed.n_component == 0 && topo->kind && topo->kind->diameter;
    uint32_t *queue, *distance;
    *out = 0;
    if (!(hf_plan_traits(&n->lossy) & (HF_ROUTING_MINIMAL | HF_ROUTING_SHORTEST))) {
        HF_FAIL(cx, HF_EINVAL,
                "the ways of \"%s\" may be longer than shortest, so how far packets slip is not known; need a retention",
                n->rule[0].spec);
    }
    if (is_whole) {
        *out = topo->kind->diameter(topo);
        return HF_OK;
    }
    HF_TRY(hf_scratch(cx, topo->n_node, sizeof *queue, (void **)&queue));
    HF_TRY(hf_scratch(cx, topo->n_node, sizeof *distance, (void **)&distance));
    for (int backwards = 0; backwards < 2; backwards++) {
        uint64_t most = 0;
        hf_distances(topo, n->failed.channel_set, topo->n_switch, backwards, queue, distance);
        for (uint32_t v = topo->n_switch; v < topo->n_node; v++) {
            most = distance[v] != HF_NONE && distance[v] > most ? distance[v] : most;
        }
        *out += most;
    }
    return HF_OK;
}
