/** \file
 *  Binary heaps in an array of the caller's. Source: [J. W. J. Williams, Algorithm 232: Heapsort, CACM 7(6), 1964]. */
#ifndef HOLDFAST_SRC_CORE_HEAP_H
#define HOLDFAST_SRC_CORE_HEAP_H

#include <stddef.h>

/** Define static NAME_push() and NAME_pop() for heaps of `type`. is_before(user, const type *a, const type *b) tells whether a
 *  comes out before b; `user` is a pointer of type `user_type`, what it needs to tell.
 *  NAME_push(): `heap` has room for one more behind its n. NAME_pop(): n > 0; the first, taken out. Both leave n to the caller.
 *  Time O(log n). */
#define HF_HEAP_DEFINE(name, type, user_type, is_before)                                                                         \
    static void name##_push(user_type user, type *heap, size_t n, type e) {                                                      \
        size_t i = n;                                                                                                            \
        for (; i > 0 && is_before(user, &e, &heap[(i - 1) / 2]); i = (i - 1) / 2) {                                              \
            heap[i] = heap[(i - 1) / 2];                                                                                         \
        }                                                                                                                        \
        heap[i] = e;                                                                                                             \
    }                                                                                                                            \
    static type name##_pop(user_type user, type *heap, size_t n) {                                                               \
        const type first = heap[0], last = heap[--n];                                                                            \
        size_t i = 0;                                                                                                            \
        for (size_t child; (child = 2 * i + 1) < n; i = child) {                                                                 \
            child += child + 1 < n && is_before(user, &heap[child + 1], &heap[child]);                                           \
            if (!is_before(user, &heap[child], &last)) {                                                                         \
                break;                                                                                                           \
            }                                                                                                                    \
            heap[i] = heap[child];                                                                                               \
        }                                                                                                                        \
        heap[i] = last;                                                                                                          \
        return first;                                                                                                            \
    }                                                                                                                            \
    struct name##_needs_a_semicolon

#endif
