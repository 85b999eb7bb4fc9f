/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A binary heap of timers. */
#include "src/kernel/timers.h"

#include <string.h>

#include <holdfast/context.h>

static bool is_before(const hf_timer *a, const hf_timer *b) { return a->at != b->at ? a->at < b->at : a->number < b->number; }

hf_status hf_timers_add(hf_context *cx, hf_timers *t, hf_timer timer) {
    if (t->n == t->room) {
        hf_timer *larger;
        const uint32_t room = 2 * t->room + 64;
        HF_TRY(hf_scratch(cx, room, sizeof *larger, (void **)&larger));
        if (t->n) {
            memcpy(larger, t->heap, t->n * sizeof *larger);
        }
        t->heap = larger;
        t->room = room;
    }
    uint32_t i = t->n++;
    timer.number = t->made++;
    for (; i > 0 && is_before(&timer, &t->heap[(i - 1) / 2]); i = (i - 1) / 2) {
        t->heap[i] = t->heap[(i - 1) / 2];
    }
    t->heap[i] = timer;
    return HF_OK;
}

hf_timer hf_timers_take(hf_timers *t) {
    const hf_timer first = t->heap[0], last = t->heap[--t->n];
    uint32_t i = 0;
    for (uint32_t child; (child = 2 * i + 1) < t->n; i = child) {
        child += child + 1 < t->n && is_before(&t->heap[child + 1], &t->heap[child]);
        if (!is_before(&t->heap[child], &last)) {
            break;
        }
        t->heap[i] = t->heap[child];
    }
    t->heap[i] = last;
    return first;
}
