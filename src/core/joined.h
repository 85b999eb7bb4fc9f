/** \file
 *  Sets that are joined, as a forest: `root[v]` leads from a member towards the lowest of its set; at first everybody is a set of
 *  its own. */
#ifndef HOLDFAST_SRC_CORE_JOINED_H
#define HOLDFAST_SRC_CORE_JOINED_H

#include <stdbool.h>
#include <stdint.h>

/** Sets of one member each. */
static inline void hf_joined_start(uint32_t *root, uint32_t n) {
    for (uint32_t v = 0; v < n; v++) {
        root[v] = v;
    }
}

/** The lowest of the set of v. Time O(log n) over many calls: ways are halved. */
static inline uint32_t hf_joined_find(uint32_t *root, uint32_t v) {
    while (root[v] != v) {
        root[v] = root[root[v]];
        v = root[v];
    }
    return v;
}

/** The sets of a and b become one. \return false: they were */
static inline bool hf_joined_join(uint32_t *root, uint32_t a, uint32_t b) {
    const uint32_t x = hf_joined_find(root, a), y = hf_joined_find(root, b);
    root[x < y ? y : x] = x < y ? x : y;
    return x != y;
}

#endif
