/** \file
 *  Cyclic intervals of [0, n) and short lists of them, as interval routing uses them.
 *  Source: [gomez2010, 3.1 and 3.2.2]; the case of one-node intervals is mended (lo <= hi is not cyclic). */
#ifndef HOLDFAST_INTERVAL_H
#define HOLDFAST_INTERVAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <holdfast/core/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/** [lo..hi] with both ends included; lo > hi is cyclic: lo..n-1 and 0..hi. The full circle is always {0, n-1}. Never empty. */
typedef struct hf_interval {
    uint32_t lo, hi;
} hf_interval;

/** Is x in it? */
static inline bool hf_interval_has(hf_interval a, uint32_t x) {
    return a.lo <= a.hi ? a.lo <= x && x <= a.hi : x >= a.lo || x <= a.hi;
}
/** Number of elements, 1..n. */
static inline uint64_t hf_interval_size(hf_interval a, uint32_t n) {
    return a.lo <= a.hi ? (uint64_t)a.hi - a.lo + 1 : (uint64_t)n - a.lo + a.hi + 1;
}
bool hf_interval_meets(hf_interval a, hf_interval b);
/** Does `a` hold all of `b`? */
bool hf_interval_covers(hf_interval a, hf_interval b, uint32_t n);
/** The union of two intervals that meet; full circle normalised to {0, n-1}. */
hf_interval hf_interval_unite(hf_interval a, hf_interval b, uint32_t n);
/** The smaller of the two intervals that enclose two disjoint ones; ties take the first that the paper's pseudo-code builds
 *  (not cyclic before cyclic; with one cyclic argument, [min LIB..min UIB] before [max LIB..max UIB]).
 *  Source: [gomez2010, 3.2.2]. */
hf_interval hf_interval_enclose(hf_interval a, hf_interval b, uint32_t n);

/** An exclusion register file: at most `limit` intervals (HF_NONE: unlimited), in register order. */
typedef struct hf_interval_list {
    hf_interval *item;
    uint32_t count;
    size_t capacity;
} hf_interval_list;

/** Insert `add` as the paper does: unite with all stored ones that it meets (result in the lowest of their registers, the
 *  others move up to close the gaps); else take a free register; else merge with the stored one that adds the fewest
 *  elements, lowest index first, and coalesce whatever the result then meets. Item memory is from the arena of `cx`.
 *  \param[in] n size of the circle   \param[in] limit registers, >= 1
 *  \param[out] changed (may be NULL) whether the set of excluded elements grew
 *  \return HF_OK; HF_ENOMEM. Time O(count). Source: [gomez2010, 3.2.2]. */
hf_status hf_interval_list_insert(hf_context *cx, hf_interval_list *list, uint32_t n, uint32_t limit, hf_interval add,
                                  bool *changed);
bool hf_interval_list_has(const hf_interval_list *list, uint32_t x);

#ifdef __cplusplus
}
#endif
#endif
