/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The lowest set of each kind, out of orbits. Every orbit of sets that are not tolerated, or are noted, is remembered by its
 * form: a hash of the network with the set marked, relabelled canonically, so that sets of one orbit have the same. Then sets are
 * walked in lexicographic order until each kind was met. Left out are those that are not the lowest of their orbit: its first
 * component is the lowest that symmetries take any of its components to, its next one the lowest under symmetries that keep those
 * before. A set of a form that is remembered is judged, so that no hash has to be trusted. */
#include "src/campaign/orbits_walk.h"

#include <stdlib.h>
#include <string.h>

#include "src/campaign/work.h"
#include "src/core/grow.h"

/* ---- forms ---- */

enum { WITNESS = 1u << HF_NOTES }; /* behind the bits of hf_measure.noted */

static unsigned kinds_of(const hf_measure *measure) { return measure->noted | (measure->tolerated ? 0 : WITNESS); }

/* Sums over nodes and edges do not hang on their order. */
static hf_status form_of(hf_orbits_walk *w, uint32_t k, uint64_t *out) {
    const uint64_t n = w->net.n_node;
    uint64_t sum = k;
    memcpy(w->colour, w->net.colour, w->net.n_node * sizeof *w->colour);
    for (uint32_t i = 0; i < k; i++) {
        w->colour[w->set[i]] += w->net.n_colour;
    }
    HF_TRY(hf_igraph_canonical(w->cx, w->net.graph, w->colour, w->label));
    for (uint32_t v = 0; v < n; v++) {
        sum += hf_orbits_mix(w->label[v] * n + w->colour[v] + 1);
    }
    for (uint32_t e = 0; e < hf_igraph_n_edge(w->net.graph); e++) {
        uint32_t a, b;
        hf_igraph_edge(w->net.graph, e, &a, &b);
        const uint64_t x = w->label[a], y = w->label[b];
        sum += hf_orbits_mix(hf_orbits_mix(x < y ? x * n + y : y * n + x));
    }
    *out = sum;
    return HF_OK;
}

hf_status hf_orbits_remember(hf_orbits_walk *w, uint32_t k, const hf_measure *measure) {
    if (!kinds_of(measure)) {
        return HF_OK;
    }
    HF_GROW(w->cx, w->form, w->n_form, w->form_room);
    w->kinds[k] |= kinds_of(measure);
    return form_of(w, k, &w->form[w->n_form++]);
}

static int by_number(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* ---- the walk ---- */

/* Judge the set of f, and keep it for the kinds that it is the first of. */
static hf_status judge(hf_orbits_walk *w, uint32_t f, unsigned *wanted) {
    const hf_judge_ops *ops = w->judge->ops;
    hf_measure measure = {0};
    hf_status status = HF_OK;
    uint32_t n = 0;
    while (n < f && status == HF_OK) {
        status = ops->push(w->cx, w->judge, w->set[n]);
        n += status == HF_OK;
    }
    status = status == HF_OK ? ops->read(w->cx, w->judge, &measure) : status;
    while (n-- > 0) {
        ops->pop(w->judge);
    }
    HF_TRY(status);
    hf_tally_offer(w->tally[f], &measure, w->set, f);
    *wanted &= ~kinds_of(&measure);
    return HF_OK;
}

static hf_status walk(hf_orbits_walk *w, uint32_t k, uint32_t f, unsigned *wanted);

/* Each component that may come next, lowest first. */
static hf_status extend(hf_orbits_walk *w, uint32_t k, uint32_t f, unsigned *wanted) {
    const uint32_t *root = w->root + (size_t)k * w->m;
    HF_TRY(hf_orbits_find_each(w, k));
    for (uint32_t i = k ? w->set[k - 1] + 1 : 0; i < w->m && *wanted; i++) {
        bool may_be_lowest = root[i] == i;
        for (uint32_t j = 0; j < k && may_be_lowest; j++) {
            may_be_lowest = w->root[(size_t)j * w->m + i] >= w->set[j];
        }
        if (may_be_lowest) {
            w->set[k] = i;
            HF_TRY(walk(w, k + 1, f, wanted));
        }
    }
    return HF_OK;
}

static hf_status walk(hf_orbits_walk *w, uint32_t k, uint32_t f, unsigned *wanted) {
    uint64_t form;
    HF_TRY(hf_context_go_on(w->cx, "the lowest sets are found"));
    if (k < f) {
        return extend(w, k, f, wanted);
    }
    HF_TRY(form_of(w, k, &form));
    return bsearch(&form, w->form, w->n_form, sizeof *w->form, by_number) ? judge(w, f, wanted) : HF_OK;
}

hf_status hf_orbits_find_lowest(hf_orbits_walk *w) {
    if (w->n_form > 0) {
        qsort(w->form, w->n_form, sizeof *w->form, by_number);
    }
    for (uint32_t f = 0; f <= w->f_most; f++) {
        unsigned wanted = w->kinds[f];
        HF_TRY(wanted ? walk(w, 0, f, &wanted) : HF_OK);
    }
    return HF_OK;
}
