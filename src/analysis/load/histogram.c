/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Histogram of loads by stage and direction. */
#include <math.h>
#include <stdlib.h>

#include "src/analysis/load/load.h"

/** Loads that are not exact are the same up to the rounding of sums. */
static const double same = 1e-9;

typedef struct entry {
    hf_load_bin bin;
    hf_u128 part;
} entry;

static int order(double a, double b) { return a < b ? -1 : a > b; }

static int by_place(const hf_load_bin *a, const hf_load_bin *b) {
    if (a->is_terminal != b->is_terminal) {
        return a->is_terminal ? 1 : -1;
    }
    if (a->stage != b->stage) {
        return a->stage < b->stage ? -1 : 1;
    }
    return a->is_forward == b->is_forward ? 0 : a->is_forward ? -1 : 1;
}

static int compare(const void *x, const void *y) {
    const entry *a = x, *b = y;
    const int place = by_place(&a->bin, &b->bin);
    if (place != 0) {
        return place;
    }
    return a->part != b->part ? (a->part < b->part ? -1 : 1) : order(a->bin.load, b->bin.load);
}

static bool is_same(const hf_load *load, const entry *a, const entry *b) {
    if (by_place(&a->bin, &b->bin) != 0) {
        return false;
    }
    return load->part ? a->part == b->part : fabs(a->bin.load - b->bin.load) <= same * (1 + fabs(a->bin.load));
}

static const hf_attribute *attribute_of(const hf_topology *topo) {
    const hf_attribute *stage = hf_topology_attribute(topo, "stage");
    return stage ? stage : hf_topology_attribute(topo, "dimension");
}

static void fill(const hf_load *load, const hf_attribute *attribute, entry *list) {
    const hf_topology *topo = load->topo;
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        const uint32_t link = topo->link[c];
        const bool is_terminal = link >= topo->n_switch_link;
        list[c] = (entry){.bin = {.stage = attribute && !is_terminal ? attribute->of_link[link] : HF_NONE,
                                  .is_forward = topo->forward[link] == c,
                                  .is_terminal = is_terminal,
                                  .load = load->load[c],
                                  .n_channel = 1},
                          .part = load->part ? load->part[c] : 0};
    }
}

hf_status hf_load_histogram(hf_context *cx, const hf_load *load, const char **attribute, hf_load_bin **out, size_t *n) {
    const hf_attribute *by = attribute_of(load->topo);
    const uint32_t n_channel = load->topo->n_channel;
    entry *list;
    HF_TRY(hf_scratch(cx, n_channel, sizeof **out, (void **)out));
    HF_TRY(hf_scratch(cx, n_channel, sizeof *list, (void **)&list));
    fill(load, by, list);
    qsort(list, n_channel, sizeof *list, compare);
    *attribute = by ? by->name : NULL;
    *n = 0;
    for (uint32_t i = 0; i < n_channel; i++) {
        if (i > 0 && is_same(load, &list[i - 1], &list[i])) {
            (*out)[*n - 1].n_channel++;
            continue;
        }
        (*out)[*n] = list[i].bin;
        (*out)[(*n)++].exact = load->part ? hf_fraction_of(list[i].part, load->denominator) : (hf_fraction){0, 0};
    }
    return HF_OK;
}
