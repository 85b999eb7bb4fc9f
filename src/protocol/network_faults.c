/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Links that have failed for good. A grid routes around them by tables of distances, as if they had been found and the tables
 *  rebuilt before the program starts: every pair keeps one distance, so packets still do not overtake each other. The bundles of
 * a tree get narrower. */
#include <inttypes.h>
#include <string.h>

#include <holdfast/core/random.h>

#include "src/protocol/network.h"

typedef struct link {
    uint32_t forth, back; /* channels */
    uint32_t a, b;        /* grid: its nodes; tree: the first channel and the width of the bundle of `forth` */
} link;

/* ---- which links there are ---- */

static uint32_t grid_links(const hf_network *n, link *out) {
    uint32_t count = 0, channel, next, back, self;
    for (uint32_t at = 0; at < n->n_node; at++) {
        for (uint32_t way = 1; way < 2 * n->n_dimension; way += 2) {
            if (hf_network_step(n, at, way, &channel, &next) && hf_network_step(n, next, way - 1, &back, &self)) {
                out[count++] = (link){channel, back, at, next};
            }
        }
    }
    return count;
}

static uint32_t tree_links(const hf_network *n, link *out) {
    uint32_t count = 0;
    for (uint32_t level = 0; level < n->n_level; level++) {
        const uint32_t width = n->width[level];
        for (uint32_t subtree = 0; subtree < n->n_node >> (2 * level); subtree++) {
            const uint32_t up = n->base[level] + 2 * subtree * width;
            for (uint32_t i = 0; i < width; i++) {
                out[count++] = (link){up + i, up + width + i, up, width};
            }
        }
    }
    return count;
}

/* ---- what they cut off ---- */

/* Hops from all nodes to `to` over what has not failed; UINT16_MAX: cut off. \return nodes that reach it */
static uint32_t measure(const hf_network *n, const uint8_t *is_failed, uint32_t to, uint32_t *queue, uint16_t *distance) {
    uint32_t n_queue = 0, channel, next;
    memset(distance, 0xff, n->n_node * sizeof *distance);
    distance[to] = 0;
    queue[n_queue++] = to;
    for (uint32_t i = 0; i < n_queue; i++) {
        for (uint32_t way = 0; way < 2 * n->n_dimension; way++) {
            /* links fail in both directions */
            if (hf_network_step(n, queue[i], way, &channel, &next) && !is_failed[channel] && distance[next] == UINT16_MAX) {
                distance[next] = (uint16_t)(distance[queue[i]] + 1);
                queue[n_queue++] = next;
            }
        }
    }
    return n_queue;
}

static bool bundle_is_gone(const uint8_t *is_failed, const link *l) {
    bool is_gone = true;
    for (uint32_t i = 0; i < l->b; i++) {
        is_gone &= is_failed[l->a + i];
    }
    return is_gone;
}

typedef struct drawing {
    hf_network *net;
    const hf_network_spec *spec;
    uint8_t *is_failed;
    uint16_t *distance; /* of one node, for trying */
    uint32_t *queue, *order;
    link *link;
    uint32_t n_link;
} drawing;

static bool cuts_off(const drawing *d, const link *l) {
    return d->net->kind == HF_NETWORK_FAT_TREE ? bundle_is_gone(d->is_failed, l)
                                               : measure(d->net, d->is_failed, 0, d->queue, d->distance) < d->net->n_node;
}

static uint32_t draw(const drawing *d, uint64_t seed) {
    hf_random random;
    uint32_t n_failed = 0;
    for (uint32_t i = 0; i < d->n_link; i++) {
        d->order[i] = i;
    }
    hf_random_init(&random, seed, HF_PURPOSE_SAMPLE, 0);
    hf_random_shuffle(&random, d->order, d->n_link);
    for (uint32_t i = 0; i < d->n_link && n_failed < d->spec->n_failed; i++) {
        const link *l = &d->link[d->order[i]];
        d->is_failed[l->forth] = d->is_failed[l->back] = 1;
        if (cuts_off(d, l)) {
            d->is_failed[l->forth] = d->is_failed[l->back] = 0;
        } else {
            n_failed++;
        }
    }
    return n_failed;
}

static hf_status fill_distances(hf_context *cx, const drawing *d, uint16_t **out) {
    const uint32_t n = d->net->n_node;
    HF_TRY(hf_allocate(cx, (size_t)n * n, sizeof **out, (void **)out));
    for (uint32_t to = 0; to < n; to++) {
        measure(d->net, d->is_failed, to, d->queue, *out + (size_t)to * n);
    }
    d->net->distance = *out;
    return HF_OK;
}

static hf_status draw_and_measure(hf_context *cx, drawing *d, uint64_t seed, uint16_t **distance) {
    const bool is_tree = d->net->kind == HF_NETWORK_FAT_TREE;
    HF_TRY(hf_scratch(cx, d->net->n_channel, sizeof *d->link, (void **)&d->link));
    HF_TRY(hf_scratch(cx, d->net->n_channel, sizeof *d->order, (void **)&d->order));
    HF_TRY(hf_scratch(cx, d->net->n_node, sizeof *d->queue, (void **)&d->queue));
    HF_TRY(hf_scratch(cx, d->net->n_node, sizeof *d->distance, (void **)&d->distance));
    d->n_link = is_tree ? tree_links(d->net, d->link) : grid_links(d->net, d->link);
    const uint32_t n_failed = draw(d, seed);
    if (n_failed < d->spec->n_failed) {
        HF_FAIL(cx, HF_ERANGE, "%" PRIu32 " failed links of %" PRIu32 " would cut off nodes; need at most %" PRIu32,
                d->spec->n_failed, d->n_link, n_failed);
    }
    return is_tree ? HF_OK : fill_distances(cx, d, distance);
}

hf_status hf_network_fail_links(hf_context *cx, hf_network *n, const hf_network_spec *spec, uint64_t seed, uint8_t *is_failed,
                                uint16_t **distance) {
    drawing d = {.net = n, .spec = spec, .is_failed = is_failed};
    *distance = NULL;
    if (spec->n_failed == 0) {
        return HF_OK;
    }
    if (n->kind != HF_NETWORK_FAT_TREE && n->n_node > HF_NETWORK_FAULTY_MAX) {
        HF_FAIL(cx, HF_ERANGE, "failed links in a grid of %" PRIu32 " nodes; need at most %d nodes", n->n_node,
                HF_NETWORK_FAULTY_MAX);
    }
    const hf_mark mark = hf_scratch_mark(cx);
    const hf_status status = draw_and_measure(cx, &d, seed, distance);
    hf_scratch_reset(cx, mark);
    return status;
}
