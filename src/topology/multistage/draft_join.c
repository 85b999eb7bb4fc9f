/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Directed graphs: two channels side by side, one each way between the same ports, are one link. */
#include <stdlib.h>

#include "src/topology/multistage/draft.h"

/* A one-way link: its two ends, lower node first. */
typedef struct oneway {
    uint32_t low, low_port, high, high_port, link;
    bool is_up; /* goes from low to high */
} oneway;

static int compare_cables(const oneway *a, const oneway *b) {
    const uint32_t x[4] = {a->low, a->high, a->low_port, a->high_port}, y[4] = {b->low, b->high, b->low_port, b->high_port};
    for (int i = 0; i < 4; i++) {
        if (x[i] != y[i]) {
            return x[i] < y[i] ? -1 : 1;
        }
    }
    return 0;
}

static int compare(const void *x, const void *y) {
    const oneway *a = x, *b = y;
    const int order = compare_cables(a, b);
    if (order != 0 || a->is_up != b->is_up) {
        return order != 0 ? order : b->is_up - a->is_up;
    }
    return (a->link > b->link) - (a->link < b->link);
}

/* Of `n` links between the same ports, those up first: join the i-th up with the i-th down, and mark one of the two. */
static void join_run(hf_draft *draft, const oneway *list, uint32_t n, bool *is_gone) {
    uint32_t n_up = 0;
    while (n_up < n && list[n_up].is_up) {
        n_up++;
    }
    for (uint32_t i = 0; i < n_up && n_up + i < n; i++) {
        const uint32_t a = list[i].link, b = list[n_up + i].link;
        hf_draft_link *kept = &draft->link[a < b ? a : b];
        kept->both_ways = true;
        kept->flow = (kept->flow & HF_LINK_BUBBLE_FORWARD) |
                     (draft->link[a < b ? b : a].flow & HF_LINK_BUBBLE_FORWARD ? HF_LINK_BUBBLE_BACKWARD : 0U);
        is_gone[a < b ? b : a] = true;
    }
}

static uint32_t list_oneways(const hf_draft *draft, oneway *list) {
    uint32_t n = 0;
    for (uint32_t l = 0; l < draft->n_link; l++) {
        const hf_draft_link *k = &draft->link[l];
        if (!k->both_ways) {
            list[n++] = k->a < k->b ? (oneway){k->a, k->a_port, k->b, k->b_port, l, true}
                                    : (oneway){k->b, k->b_port, k->a, k->a_port, l, false};
        }
    }
    return n;
}

/* Two channels that lie side by side are one link. */
hf_status hf_draft_join_opposites(hf_context *cx, hf_draft *draft) {
    oneway *list;
    bool *is_gone;
    HF_TRY(hf_scratch(cx, draft->n_link + 1, sizeof *list, (void **)&list));
    HF_TRY(hf_scratch(cx, draft->n_link + 1, sizeof *is_gone, (void **)&is_gone));
    const uint32_t n = list_oneways(draft, list);
    qsort(list, n, sizeof *list, compare);
    for (uint32_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && compare_cables(&list[i], &list[end]) == 0;) {
            end++;
        }
        join_run(draft, list + i, end - i, is_gone);
    }
    uint32_t kept = 0;
    for (uint32_t l = 0; l < draft->n_link; l++) {
        draft->link[kept] = draft->link[l];
        kept += !is_gone[l];
    }
    draft->n_link = kept;
    return HF_OK;
}
