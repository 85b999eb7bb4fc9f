/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Cyclic intervals and exclusion registers [gomez2010, 3.2.2]. */
#include <holdfast/core/interval.h>

#include <string.h>

#include "src/core/grow.h"

bool hf_interval_meets(hf_interval a, hf_interval b) { return hf_interval_has(a, b.lo) || hf_interval_has(b, a.lo); }

static uint64_t size_of(hf_interval a, uint32_t n) { return hf_interval_size(a, n); }

bool hf_interval_covers(hf_interval a, hf_interval b, uint32_t n) {
    const uint64_t offset = b.lo >= a.lo ? b.lo - a.lo : (uint64_t)n - a.lo + b.lo;
    return size_of(a, n) == n || offset + size_of(b, n) <= size_of(a, n);
}

static hf_interval normal(hf_interval a, uint32_t n) { return size_of(a, n) == n ? (hf_interval){0, n - 1} : a; }

hf_interval hf_interval_unite(hf_interval a, hf_interval b, uint32_t n) {
    if (!hf_interval_has(a, b.lo)) {
        const hf_interval swap = a;
        a = b;
        b = swap;
    }
    /* b begins inside a: count from the start of a; past a whole turn they close
     * the circle. */
    const uint64_t offset = b.lo >= a.lo ? b.lo - a.lo : (uint64_t)n - a.lo + b.lo;
    const uint64_t reach = offset + size_of(b, n);
    if (reach <= size_of(a, n)) {
        return normal(a, n);
    }
    return reach >= n ? (hf_interval){0, n - 1} : (hf_interval){a.lo, b.hi};
}

hf_interval hf_interval_enclose(hf_interval a, hf_interval b, uint32_t n) {
    const uint32_t low = a.lo < b.lo ? a.lo : b.lo, high = a.lo < b.lo ? b.lo : a.lo;
    const uint32_t end_low = a.hi < b.hi ? a.hi : b.hi, end_high = a.hi < b.hi ? b.hi : a.hi;
    const bool is_plain = a.lo <= a.hi && b.lo <= b.hi;
    const hf_interval first = {low, is_plain ? end_high : end_low}, second = {high, is_plain ? end_low : end_high};
    return normal(size_of(first, n) <= size_of(second, n) ? first : second, n);
}

bool hf_interval_list_has(const hf_interval_list *list, uint32_t x) {
    for (uint32_t i = 0; i < list->count; i++) {
        if (hf_interval_has(list->item[i], x)) {
            return true;
        }
    }
    return false;
}

/* Does the list as a whole hold all of `add`? Walk from its start through
 * whatever covers the next element. */
static bool list_covers(const hf_interval_list *list, uint32_t n, hf_interval add) {
    uint64_t left = size_of(add, n);
    uint32_t at = add.lo;
    while (left > 0) {
        uint64_t step = 0;
        for (uint32_t i = 0; i < list->count; i++) {
            const hf_interval a = list->item[i];
            if (hf_interval_has(a, at)) {
                const uint64_t run = size_of(a, n) == n ? n : size_of((hf_interval){at, a.hi}, n);
                step = run > step ? run : step;
            }
        }
        if (step == 0) {
            return false;
        }
        left = step >= left ? 0 : left - step;
        at = (uint32_t)((at + step) % n);
    }
    return true;
}

static void remove_at(hf_interval_list *list, uint32_t at) {
    memmove(list->item + at, list->item + at + 1, (list->count - at - 1) * sizeof *list->item);
    list->count--;
}

/* Unite register `at` with all that it meets; the result stands in the lowest
 * of their places. */
static void coalesce(hf_interval_list *list, uint32_t n, uint32_t at) {
    for (uint32_t i = 0; i < list->count;) {
        if (i == at || !hf_interval_meets(list->item[i], list->item[at])) {
            i++;
            continue;
        }
        const uint32_t keep = i < at ? i : at, drop = i < at ? at : i;
        list->item[keep] = hf_interval_unite(list->item[keep], list->item[drop], n);
        remove_at(list, drop);
        at = keep;
        i = 0;
    }
}

static void merge_cheapest(hf_interval_list *list, uint32_t n, hf_interval add) {
    uint32_t best = 0;
    uint64_t best_cost = UINT64_MAX;
    for (uint32_t i = 0; i < list->count; i++) {
        const uint64_t cost = size_of(hf_interval_enclose(list->item[i], add, n), n) - size_of(list->item[i], n);
        if (cost < best_cost) {
            best = i;
            best_cost = cost;
        }
    }
    list->item[best] = hf_interval_enclose(list->item[best], add, n);
    coalesce(list, n, best);
}

static hf_status append(hf_context *cx, hf_interval_list *list, hf_interval add) {
    HF_GROW_SCRATCH(cx, list->item, list->count, list->capacity);
    list->item[list->count++] = add;
    return HF_OK;
}

hf_status hf_interval_list_insert(hf_context *cx, hf_interval_list *list, uint32_t n, uint32_t limit, hf_interval add,
                                  bool *changed) {
    add = normal(add, n);
    if (changed) {
        *changed = !list_covers(list, n, add);
    }
    for (uint32_t i = 0; i < list->count; i++) {
        if (hf_interval_meets(list->item[i], add)) {
            list->item[i] = hf_interval_unite(list->item[i], add, n);
            coalesce(list, n, i);
            return HF_OK;
        }
    }
    if (list->count < limit) {
        return append(cx, list, add);
    }
    merge_cheapest(list, n, add);
    return HF_OK;
}
