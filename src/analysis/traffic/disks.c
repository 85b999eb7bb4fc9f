/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Traffic between processing nodes and few disks at random terminals, some of which are asked more than others. A stand-in for
 *  traces of disks where these are not at hand: [gomez2010, 4.3.2] has 23 disks at random leaves of a 2-ary 7-tree. */
#include <holdfast/core/random.h>

#include "src/analysis/traffic/traffic.h"

/* 1 / i is exact up to i = 16, and off by less than 1e-4 up to the largest number of disks. */
enum { DISKS_MOST = 64, PARTS = 720720 };

static const hf_param params[] = {{.name = "count",
                                   .type = HF_PARAM_UINT,
                                   .fallback = "23",
                                   .low = 1,
                                   .high = DISKS_MOST,
                                   .flags = HF_PARAM_SHOWN,
                                   .help = "disks; all other terminals are processing nodes"},
                                  {.name = "skew",
                                   .type = HF_PARAM_BOOL,
                                   .fallback = "yes",
                                   .flags = HF_PARAM_SHOWN,
                                   .help = "disk i is asked 1/i as often as the first; no: all alike"},
                                  {.name = "seed",
                                   .type = HF_PARAM_UINT,
                                   .fallback = "1",
                                   .high = UINT64_MAX - 1,
                                   .flags = HF_PARAM_SHOWN,
                                   .help = "draws which terminals have the disks"},
                                  {0}};

/* The terminals in random order: the first `count` have the disks. */
static hf_status draw(hf_context *cx, const hf_traffic *t, uint32_t **out) {
    hf_random r;
    HF_TRY(hf_scratch(cx, t->n_terminal, sizeof **out, (void **)out));
    for (uint32_t i = 0; i < t->n_terminal; i++) {
        (*out)[i] = i;
    }
    hf_random_init(&r, hf_args_get(&t->args, "seed")->number, HF_PURPOSE_TRAFFIC, HF_NONE);
    hf_random_shuffle(&r, *out, t->n_terminal);
    return HF_OK;
}

/* A node sends weight[i] of `sum` to disk i, a disk sends to all nodes alike; the rows come to a common denominator. */
static void fill_matrix(hf_traffic *t, const uint32_t *order, uint32_t count, const uint64_t *weight, uint64_t sum) {
    const uint64_t nodes = t->n_terminal - count;
    t->denominator = sum * nodes;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = count; k < t->n_terminal; k++) {
            t->matrix[(size_t)order[k] * t->n_terminal + order[i]] = weight[i] * nodes;
            t->matrix[(size_t)order[i] * t->n_terminal + order[k]] = sum;
        }
    }
}

static hf_status fill_disks(hf_context *cx, const hf_topology *topo, hf_traffic *t) {
    const uint32_t count = (uint32_t)hf_args_get(&t->args, "count")->number;
    const bool is_skewed = hf_args_get(&t->args, "skew")->number != 0;
    uint64_t weight[DISKS_MOST], sum = 0;
    uint32_t *order;
    if (count >= topo->n_terminal) {
        HF_FAIL(cx, HF_ERANGE, "traffic \"disks\": count=%u leaves no processing node; %s has %u terminals", count, topo->spec,
                topo->n_terminal);
    }
    for (uint32_t i = 0; i < count; i++) {
        weight[i] = is_skewed ? (PARTS + (i + 1) / 2) / (i + 1) : 1;
        sum += weight[i];
    }
    HF_TRY(draw(cx, t, &order));
    HF_TRY(hf_allocate(cx, (size_t)t->n_terminal * t->n_terminal, sizeof *t->matrix, (void **)&t->matrix));
    fill_matrix(t, order, count, weight, sum);
    return HF_OK;
}

const hf_traffic_kind hf_traffic_disks = {
    .name = "disks",
    .summary = "Processing nodes send to few disks at random terminals, disks to the processing nodes",
    .source = "gomez2010, 4.3.2",
    .params = params,
    .fill = fill_disks,
};
