/** \file
 *  Numbers in ascending order. */
#ifndef HOLDFAST_SRC_CORE_SORT_H
#define HOLDFAST_SRC_CORE_SORT_H

#include <stdint.h>
#include <stdlib.h>

static inline int hf_compare_numbers(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static inline void hf_sort_numbers(uint32_t *list, size_t n) { qsort(list, n, sizeof *list, hf_compare_numbers); }

#endif
