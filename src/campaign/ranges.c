/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Ranges of ranks: what is left of a row, and its cutting into batches for the threads. */
#include "src/campaign/ranges.h"

#include <inttypes.h>
#include <stdlib.h>

#include "src/core/grow.h"

/* A batch is this part of a thread's share of what is left. */
enum { SHARE = 8 };

hf_status hf_range_add(hf_context *cx, hf_range_list *list, uint64_t lo, uint64_t hi) {
    HF_GROW(cx, list->item, list->count, list->capacity);
    list->item[list->count++] = (hf_range){lo, hi};
    return HF_OK;
}

static int compare(const void *a, const void *b) {
    const hf_range *x = a, *y = b;
    return (x->lo > y->lo) - (x->lo < y->lo);
}

hf_status hf_range_gaps(hf_context *cx, hf_range_list *done, uint64_t lo, uint64_t hi, hf_range_list *out) {
    if (done->count > 1) {
        qsort(done->item, done->count, sizeof *done->item, compare);
    }
    for (size_t i = 0; i < done->count; i++) {
        const hf_range r = done->item[i];
        if (r.lo < lo) {
            HF_FAIL(cx, HF_ESTORE, "stored ranges of ranks overlap at %" PRIu64 "; run `holdfast store verify`", r.lo);
        }
        if (lo < r.lo) {
            HF_TRY(hf_range_add(cx, out, lo, r.lo));
        }
        lo = r.hi;
    }
    return lo < hi ? hf_range_add(cx, out, lo, hi) : HF_OK;
}

uint64_t hf_range_total(const hf_range_list *list) {
    uint64_t sum = 0;
    for (size_t i = 0; i < list->count; i++) {
        sum += list->item[i].hi - list->item[i].lo;
    }
    return sum;
}

void hf_range_queue_init(hf_range_queue *queue, const hf_range_list *list, uint64_t unit, uint32_t threads) {
    *queue = (hf_range_queue){.list = list, .left = hf_range_total(list), .unit = unit, .threads = threads};
    queue->from = list->count ? list->item[0].lo : 0;
}

bool hf_range_take(hf_range_queue *queue, hf_range *out) {
    if (queue->at == queue->list->count) {
        return false;
    }
    const hf_range *from = &queue->list->item[queue->at];
    const uint64_t wanted = queue->left / SHARE / queue->threads, end = queue->from + wanted;
    const uint64_t line = end - end % queue->unit + queue->unit;
    *out = (hf_range){queue->from, line < from->hi ? line : from->hi};
    queue->left -= out->hi - out->lo;
    queue->from = out->hi;
    if (out->hi == from->hi && ++queue->at < queue->list->count) {
        queue->from = queue->list->item[queue->at].lo;
    }
    return true;
}
