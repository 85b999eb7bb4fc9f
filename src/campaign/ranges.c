/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ranges of ranks: the batch grid and what is left of it. */
#include "src/campaign/ranges.h"

#include <stdlib.h>

hf_status hf_range_add(hf_context *cx, hf_range_list *list, uint64_t lo, uint64_t hi) {
    if (list->count == list->capacity) {
        const size_t capacity = 2 * list->capacity + 64;
        HF_TRY(hf_resize(cx, capacity, sizeof *list->item, (void **)&list->item));
        list->capacity = capacity;
    }
    list->item[list->count++] = (hf_range){lo, hi};
    return HF_OK;
}

static int compare(const void *a, const void *b) {
    const hf_range *x = a, *y = b;
    return (x->lo > y->lo) - (x->lo < y->lo);
}

void hf_range_sort(hf_range_list *list) {
    if (list->count > 1) {
        qsort(list->item, list->count, sizeof *list->item, compare);
    }
}

/* Cut [lo, hi) at the lines of the grid. */
static hf_status add_cells(hf_context *cx, hf_range_list *out, uint64_t lo, uint64_t hi, uint64_t step) {
    while (lo < hi) {
        const uint64_t line = lo - lo % step + step, end = line < hi ? line : hi;
        HF_TRY(hf_range_add(cx, out, lo, end));
        lo = end;
    }
    return HF_OK;
}

hf_status hf_range_gaps(hf_context *cx, const hf_range_list *done, uint64_t lo, uint64_t hi, uint64_t step, hf_range_list *out) {
    uint64_t at = lo;
    for (size_t i = 0; i < done->count; i++) {
        const hf_range r = done->item[i];
        if (r.lo < at) {
            HF_FAIL(cx, HF_ESTORE, "stored ranges of ranks overlap at %llu; run `holdfast store verify`",
                    (unsigned long long)r.lo);
        }
        HF_TRY(add_cells(cx, out, at, r.lo, step));
        at = r.hi;
    }
    return add_cells(cx, out, at, hi, step);
}
