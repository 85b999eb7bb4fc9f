/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Hungarian algorithm with prices: rows enter one by one, each by a shortest augmenting path. Costs are negative weights. */
#include "src/analysis/deadlock/assignment.h"

#include <string.h>

hf_status hf_assignment_init(hf_context *cx, uint32_t n, hf_assignment *out) {
    const size_t room = (size_t)n + 1;
    *out = (hf_assignment){.n = n};
    HF_TRY(hf_scratch(cx, room, sizeof(int64_t), (void **)&out->row_price));
    HF_TRY(hf_scratch(cx, room, sizeof(int64_t), (void **)&out->column_price));
    HF_TRY(hf_scratch(cx, room, sizeof(int64_t), (void **)&out->slack));
    HF_TRY(hf_scratch(cx, room, sizeof(uint32_t), (void **)&out->row_of));
    HF_TRY(hf_scratch(cx, room, sizeof(uint32_t), (void **)&out->before));
    return hf_scratch(cx, room, sizeof(bool), (void **)&out->used);
}

/* Look on from the row at column `at`: smaller slacks, and the nearest column that is not used. */
static uint32_t nearest(hf_assignment *a, const uint64_t *weight, uint32_t at, int64_t *step) {
    const uint32_t row = a->row_of[at];
    const uint64_t *cost = weight + (size_t)(row - 1) * a->n;
    uint32_t best = 0;
    *step = INT64_MAX;
    for (uint32_t j = 1; j <= a->n; j++) {
        if (a->used[j]) {
            continue;
        }
        const int64_t rest = -(int64_t)cost[j - 1] - a->row_price[row] - a->column_price[j];
        if (rest < a->slack[j]) {
            a->slack[j] = rest;
            a->before[j] = at;
        }
        if (a->slack[j] < *step) {
            *step = a->slack[j];
            best = j;
        }
    }
    return best;
}

static void move_prices(hf_assignment *a, int64_t step) {
    for (uint32_t j = 0; j <= a->n; j++) {
        if (a->used[j]) {
            a->row_price[a->row_of[j]] += step;
            a->column_price[j] -= step;
        } else {
            a->slack[j] -= step;
        }
    }
}

/* Column 0 stands for the row that enters. */
static void enter(hf_assignment *a, const uint64_t *weight, uint32_t row) {
    uint32_t at = 0;
    a->row_of[0] = row;
    memset(a->used, 0, ((size_t)a->n + 1) * sizeof *a->used);
    for (uint32_t j = 0; j <= a->n; j++) {
        a->slack[j] = INT64_MAX;
    }
    do {
        int64_t step;
        a->used[at] = true;
        const uint32_t next = nearest(a, weight, at, &step);
        move_prices(a, step);
        at = next;
    } while (a->row_of[at]);
    while (at) {
        a->row_of[at] = a->row_of[a->before[at]];
        at = a->before[at];
    }
}

uint64_t hf_assignment_solve(hf_assignment *a, const uint64_t *weight, uint32_t *to) {
    const size_t room = (size_t)a->n + 1;
    uint64_t sum = 0;
    memset(a->row_price, 0, room * sizeof *a->row_price);
    memset(a->column_price, 0, room * sizeof *a->column_price);
    memset(a->row_of, 0, room * sizeof *a->row_of);
    for (uint32_t row = 1; row <= a->n; row++) {
        enter(a, weight, row);
    }
    for (uint32_t j = 1; j <= a->n; j++) {
        to[a->row_of[j] - 1] = j - 1;
        sum += weight[(size_t)(a->row_of[j] - 1) * a->n + j - 1];
    }
    return sum;
}
