/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What symmetries do to the components of a set: their orbits, and which of them is the canonical one. */
#include "src/campaign/orbits_walk.h"

#include <string.h>

#include "src/core/joined.h"

/* ---- orbits ---- */

static void flatten(uint32_t *root, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        root[i] = hf_joined_find(root, i);
    }
}

/* A generator takes the pairs of `i` to others. */
static void unite_pairs(hf_orbits_walk *w, const uint32_t *to, uint32_t i) {
    const uint32_t m = w->m;
    for (uint32_t j = 0; j < m; j++) {
        hf_joined_join(w->pair, i * m + j, to[i] * m + to[j]);
        hf_joined_join(w->pair, j * m + i, to[j] * m + to[i]);
    }
}

/* The orbits of ordered pairs, from generators of the group; these move few components each. */
static void find_pairs(hf_orbits_walk *w, const uint32_t *generator, size_t n) {
    const uint32_t m = w->m;
    hf_joined_start(w->pair, m * m);
    for (size_t g = 0; g < n; g++) {
        const uint32_t *to = generator + g * w->net.n_node;
        for (uint32_t i = 0; i < m; i++) {
            if (to[i] != i) {
                unite_pairs(w, to, i);
            }
        }
    }
    flatten(w->pair, m * m);
}

/* \param[in] apart each of the set keeps its place */
static hf_status find(hf_orbits_walk *w, uint32_t k, bool apart, char **order, bool finds_pairs) {
    const hf_mark mark = hf_scratch_mark(w->cx);
    uint32_t *generator, *root = w->root + (size_t)k * w->m;
    size_t n;
    memcpy(w->colour, w->net.colour, w->net.n_node * sizeof *w->colour);
    for (uint32_t i = 0; i < k; i++) {
        w->colour[w->set[i]] += w->net.n_colour * (apart ? i + 1 : 1);
    }
    HF_TRY(hf_igraph_automorphisms(w->cx, w->net.graph, w->colour, &generator, &n, order));
    hf_joined_start(root, w->m);
    for (size_t g = 0; g < n; g++) {
        for (uint32_t i = 0; i < w->m; i++) {
            hf_joined_join(root, i, generator[g * w->net.n_node + i]);
        }
    }
    flatten(root, w->m);
    if (finds_pairs) {
        find_pairs(w, generator, n);
    }
    hf_scratch_reset(w->cx, mark);
    return HF_OK;
}

hf_status hf_orbits_find(hf_orbits_walk *w, uint32_t k, char **order) { return find(w, k, false, order, k == 0); }
hf_status hf_orbits_find_each(hf_orbits_walk *w, uint32_t k) { return find(w, k, true, NULL, false); }

/* ---- the canonical component ---- */

/* A value of each of the k components that symmetries keep: from its pairs with the others, and from their values. */
static const uint64_t *find_values(hf_orbits_walk *w, uint32_t k) {
    uint64_t *first = w->value, *second = w->value + w->f_most + 1;
    for (uint32_t i = 0; i < k; i++) {
        first[i] = 0;
        for (uint32_t j = 0; j < k; j++) {
            first[i] += hf_orbits_mix(w->pair[(size_t)w->set[i] * w->m + w->set[j]] + UINT64_C(0x9e3779b97f4a7c15));
        }
    }
    for (uint32_t i = 0; i < k; i++) {
        second[i] = hf_orbits_mix(first[i]);
        for (uint32_t j = 0; j < k; j++) {
            second[i] += hf_orbits_mix(first[j] ^ hf_orbits_mix(w->pair[(size_t)w->set[i] * w->m + w->set[j]] + 1));
        }
    }
    return second;
}

/* Of those with the largest value the one with the lowest canonical label. All of them are in the orbit of the last, or not.
 * \param[out] is_canonical is the last of the k components in the orbit of the canonical one? */
static hf_status settle_tie(hf_orbits_walk *w, uint32_t k, const uint64_t *value, bool *is_canonical) {
    const uint32_t *root = w->root + (size_t)k * w->m;
    const uint32_t last = w->set[k - 1];
    uint32_t best = last;
    bool is_one_orbit = true;
    for (uint32_t i = 0; i < k; i++) {
        is_one_orbit = is_one_orbit && (value[i] != value[k - 1] || root[w->set[i]] == root[last]);
    }
    *is_canonical = true;
    if (is_one_orbit) {
        return HF_OK;
    }
    HF_TRY(hf_igraph_canonical(w->cx, w->net.graph, w->colour, w->label));
    for (uint32_t i = 0; i < k; i++) {
        const uint32_t c = w->set[i];
        best = value[i] == value[k - 1] && w->label[c] < w->label[best] ? c : best;
    }
    *is_canonical = root[best] == root[last];
    return HF_OK;
}

hf_status hf_orbits_is_kept(hf_orbits_walk *w, uint32_t k, bool *out) {
    const uint64_t *value = find_values(w, k);
    for (uint32_t i = 0; i < k; i++) {
        if (value[i] > value[k - 1]) {
            *out = false;
            return HF_OK;
        }
    }
    HF_TRY(hf_orbits_find(w, k, NULL));
    return settle_tie(w, k, value, out);
}
