/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Grids and trees for the simulation of idempotent messaging. Source: [brown2002, 4.2]. */
#include "src/protocol/network.h"

#include <inttypes.h>

const char *hf_network_kind_name(hf_network_kind kind) {
    static const char *const name[] = {"grid2d", "grid3d", "fat-tree"};
    return name[kind];
}

/* ---- making ---- */

/* Sides that differ by a factor of 2 at most, shorter ones first: 8x8x16. */
static void make_grid(hf_network *n, uint32_t n_dimension) {
    n->n_dimension = n_dimension;
    for (uint32_t d = 0; d < n_dimension; d++) {
        n->size[d] = 1;
    }
    for (uint32_t rest = n->n_node, d = n_dimension; rest > 1; rest /= 2) {
        d = d ? d - 1 : n_dimension - 1;
        n->size[d] *= 2;
    }
    for (uint32_t d = 1; d < n_dimension; d++) {
        n->shift[d] = n->shift[d - 1] + (uint32_t)__builtin_ctz(n->size[d - 1]);
    }
    n->n_channel = 2 * n->n_node * (1 + n_dimension);
}

static hf_status make_tree(hf_context *cx, const hf_network_spec *spec, hf_network *n) {
    uint64_t channel = 2 * (uint64_t)n->n_node, width = spec->leaf_width;
    for (uint32_t below = n->n_node; below > 1; below /= 4) {
        if (below % 4 != 0) {
            HF_FAIL(cx, HF_ERANGE, "fat-tree: %" PRIu32 " nodes; need a power of 4", n->n_node);
        }
        n->width[n->n_level] = (uint32_t)width;
        n->base[n->n_level] = (uint32_t)channel;
        n->n_level++;
        channel += 2 * width * below;
        width *= spec->growth;
        if (channel > HF_NONE / 2) {
            HF_FAIL(cx, HF_ERANGE, "fat-tree: more channels than 2^31; need a smaller growth");
        }
    }
    n->n_channel = (uint32_t)channel;
    return HF_OK;
}

hf_status hf_network_make(hf_context *cx, const hf_network_spec *spec, uint32_t n_node, hf_network *out) {
    *out = (hf_network){.kind = spec->kind, .n_node = n_node};
    if (n_node < 4 || n_node > 65536 || (n_node & (n_node - 1)) != 0) {
        HF_FAIL(cx, HF_ERANGE, "network of %" PRIu32 " nodes; need a power of 2 from 4 to 65536", n_node);
    }
    if (spec->kind == HF_NETWORK_FAT_TREE) {
        return make_tree(cx, spec, out);
    }
    make_grid(out, spec->kind == HF_NETWORK_GRID_2D ? 2 : 3);
    return HF_OK;
}

/* ---- grids: node = x + size[0] (y + size[1] z) ---- */

static uint32_t grid_channel(const hf_network *n, uint32_t at, uint32_t d, bool is_up) {
    return 2 * n->n_node + (at * n->n_dimension + d) * 2 + is_up;
}

static uint32_t grid_hops(const hf_network *n, uint32_t at, uint32_t to, uint32_t most, hf_network_bundle *bundle,
                          hf_place *next) {
    uint32_t count = 0;
    for (uint32_t d = 0; d < n->n_dimension && count < most; d++) {
        const uint32_t mask = (n->size[d] - 1) << n->shift[d], here = at & mask, there = to & mask;
        if (here != there) {
            const bool is_up = there > here;
            bundle[count] = (hf_network_bundle){grid_channel(n, at, d, is_up), 1};
            next[count++] = (hf_place){.at = is_up ? at + (1U << n->shift[d]) : at - (1U << n->shift[d])};
        }
    }
    return count;
}

bool hf_network_step(const hf_network *n, uint32_t at, uint32_t way, uint32_t *channel, uint32_t *next) {
    const uint32_t d = way / 2, here = at >> n->shift[d] & (n->size[d] - 1);
    const bool is_up = way % 2;
    if (here == (is_up ? n->size[d] - 1 : 0)) {
        return false;
    }
    *channel = grid_channel(n, at, d, is_up);
    *next = is_up ? at + (1U << n->shift[d]) : at - (1U << n->shift[d]);
    return true;
}

/* Ways that are shortest around the failed links; the lowest dimension first. A failed channel is never free, so it may be named
 * here where the other end is nearer by another way. */
static uint32_t detour_hops(const hf_network *n, uint32_t at, uint32_t to, hf_network_bundle *bundle, hf_place *next) {
    const uint16_t *distance = n->distance + (size_t)to * n->n_node;
    uint32_t count = 0, channel, neighbour;
    for (uint32_t way = 0; way < 2 * n->n_dimension; way++) {
        if (hf_network_step(n, at, way, &channel, &neighbour) && distance[neighbour] + 1 == distance[at]) {
            bundle[count] = (hf_network_bundle){channel, 1};
            next[count++] = (hf_place){.at = neighbour};
        }
    }
    return count;
}

static uint32_t grid_distance(const hf_network *n, uint32_t from, uint32_t to) {
    uint32_t distance = 0;
    for (uint32_t d = 0; d < n->n_dimension; d++) {
        const uint32_t mask = n->size[d] - 1, a = from >> n->shift[d] & mask, b = to >> n->shift[d] & mask;
        distance += a > b ? a - b : b - a;
    }
    return distance;
}

/* ---- trees ---- */

/* The bundle between the subtrees of 4^level and 4^(level + 1) nodes that hold `node`. */
static hf_network_bundle tree_bundle(const hf_network *n, uint32_t node, uint32_t level, bool is_down) {
    const uint32_t w = n->width[level], subtree = node >> (2 * level);
    return (hf_network_bundle){n->base[level] + (2 * subtree + is_down) * w, w};
}

static uint32_t tree_hops(const hf_network *n, hf_place p, uint32_t to, hf_network_bundle *bundle, hf_place *next) {
    if (p.level == 0 && p.at == to) {
        return 0;
    }
    const bool is_down = p.at >> (2 * p.level) == to >> (2 * p.level);
    if (is_down) {
        *bundle = tree_bundle(n, to, p.level - 1, true);
        *next = (hf_place){.at = to, .level = p.level - 1, .is_down = true};
    } else {
        *bundle = tree_bundle(n, p.at, p.level, false);
        *next = (hf_place){.at = p.at, .level = p.level + 1};
    }
    return 1;
}

static uint32_t tree_distance(uint32_t from, uint32_t to) {
    uint32_t level = 0;
    while (from >> (2 * level) != to >> (2 * level)) {
        level++;
    }
    return 2 * level;
}

uint32_t hf_network_distance(const hf_network *n, uint32_t from, uint32_t to) {
    if (n->distance) {
        return n->distance[(size_t)to * n->n_node + from];
    }
    return n->kind == HF_NETWORK_FAT_TREE ? tree_distance(from, to) : grid_distance(n, from, to);
}

uint32_t hf_network_hops(const hf_network *n, hf_place place, uint32_t to, bool adaptive, hf_network_bundle *bundle,
                         hf_place *next) {
    if (n->distance) {
        return detour_hops(n, place.at, to, bundle, next);
    }
    return n->kind == HF_NETWORK_FAT_TREE ? tree_hops(n, place, to, bundle, next)
                                          : grid_hops(n, place.at, to, adaptive ? n->n_dimension : 1, bundle, next);
}
