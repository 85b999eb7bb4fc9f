/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Arrays that grow. */
#include "src/core/grow.h"

#include <string.h>

/* Of an array in the arena, many of which stay small, and of one on the heap. */
enum { FIRST_SCRATCH = 4, FIRST_HEAP = 64 };

static size_t more(size_t room, size_t first) { return room ? 2 * room : first; }

hf_status hf_reserve_heap(hf_context *cx, size_t n, size_t size, void **array, size_t *room) {
    if (n <= *room) {
        return HF_OK;
    }
    const size_t doubled = more(*room, FIRST_HEAP), larger = doubled < n ? n : doubled;
    HF_TRY(hf_resize(cx, larger, size, array));
    *room = larger;
    return HF_OK;
}

hf_status hf_grow_scratch(hf_context *cx, size_t n, size_t size, void **array, size_t *room) {
    const size_t larger_room = more(*room, FIRST_SCRATCH);
    void *larger;
    HF_TRY(hf_scratch(cx, larger_room, size, &larger));
    if (n > 0) {
        memcpy(larger, *array, n * size);
    }
    *array = larger;
    *room = larger_room;
    return HF_OK;
}
