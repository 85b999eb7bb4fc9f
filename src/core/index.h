/** \file
 *  Open hashing of numbered things: who has the things keeps them in arrays, the index finds their numbers again. */
#ifndef HOLDFAST_SRC_CORE_INDEX_H
#define HOLDFAST_SRC_CORE_INDEX_H

#include <string.h>

#include <holdfast/core/context.h>

typedef struct hf_index_slot {
    uint32_t hash, item; /**< number of the thing + 1; 0: free */
} hf_index_slot;

/** Zeroed: empty. On the heap; release with hf_index_close(). */
typedef struct hf_index {
    hf_index_slot *slot;
    uint32_t room, used; /**< room is a power of two, or 0 */
} hf_index;

/** A hash of 64 bits; its upper half is the better one. */
static inline uint32_t hf_index_hash(uint64_t x) {
    x *= UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)((x ^ x >> 32) * UINT64_C(0xd6e8feb86659fd93) >> 32);
}

/** Things of one hash, one after the other: for (at = hash; (i = hf_index_next(x, hash, &at)) != UINT32_MAX;) if i is the one. */
static inline uint32_t hf_index_next(const hf_index *x, uint32_t hash, uint32_t *at) {
    if (!x->room) {
        return UINT32_MAX;
    }
    for (uint32_t i = *at & (x->room - 1); x->slot[i].item; i = (i + 1) & (x->room - 1)) {
        if (x->slot[i].hash == hash) {
            *at = i + 1;
            return x->slot[i].item - 1;
        }
    }
    return UINT32_MAX;
}

static inline void hf_index_put(hf_index *x, hf_index_slot slot) {
    uint32_t i = slot.hash & (x->room - 1);
    while (x->slot[i].item) {
        i = (i + 1) & (x->room - 1);
    }
    x->slot[i] = slot;
}

/** Twice the room. \return false: no memory, the index is as it was */
static inline bool hf_index_grow(const hf_allocator *a, hf_index *x) {
    hf_index more = {.room = x->room ? 2 * x->room : 64, .used = x->used};
    more.slot = a->resize(a->user, NULL, more.room * sizeof *more.slot);
    if (!more.slot) {
        return false;
    }
    memset(more.slot, 0, more.room * sizeof *more.slot);
    for (uint32_t i = 0; i < x->room; i++) {
        if (x->slot[i].item) {
            hf_index_put(&more, x->slot[i]);
        }
    }
    a->release(a->user, x->slot);
    *x = more;
    return true;
}

/** A thing that is not in it yet. \return false: no memory */
static inline bool hf_index_add(const hf_allocator *a, hf_index *x, uint32_t hash, uint32_t item) {
    if (2 * (x->used + 1) > x->room && !hf_index_grow(a, x)) {
        return false;
    }
    hf_index_put(x, (hf_index_slot){hash, item + 1});
    x->used++;
    return true;
}

static inline void hf_index_clear(hf_index *x) {
    if (x->used) {
        memset(x->slot, 0, x->room * sizeof *x->slot);
        x->used = 0;
    }
}

static inline void hf_index_close(const hf_allocator *a, hf_index *x) {
    a->release(a->user, x->slot);
    *x = (hf_index){0};
}

#endif
