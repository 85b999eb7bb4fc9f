/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  A binary heap of timers. */
#include "src/kernel/timers.h"

#include "src/core/grow.h"
#include "src/core/heap.h"

static bool is_before(const void *user, const hf_timer *a, const hf_timer *b) {
    (void)user;
    return a->at != b->at ? a->at < b->at : a->number < b->number;
}

HF_HEAP_DEFINE(heap, hf_timer, const void *, is_before);

hf_status hf_timers_add(hf_context *cx, hf_timers *t, hf_timer timer) {
    HF_GROW_SCRATCH(cx, t->heap, t->n, t->room);
    timer.number = t->made++;
    heap_push(NULL, t->heap, t->n++, timer);
    return HF_OK;
}

hf_timer hf_timers_take(hf_timers *t) { return heap_pop(NULL, t->heap, t->n--); }
