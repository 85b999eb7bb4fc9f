/** \file
 *  A set of names, numbered in the order in which they were added. */
#ifndef HOLDFAST_SRC_CORE_NAMES_H
#define HOLDFAST_SRC_CORE_NAMES_H

#include "src/core/lines.h"

typedef struct hf_names {
    hf_allocator allocator;
    hf_slice *name; /**< by number; borrowed from whoever added it */
    uint32_t count, capacity;
    uint32_t *slot; /**< hash table of numbers, HF_NONE where free */
    size_t n_slot;  /**< 0 or a power of two */
} hf_names;

void hf_names_init(hf_context *cx, hf_names *names);
void hf_names_free(hf_names *names);
/** The number of a name, HF_NONE if it is not there. Time O(1). */
uint32_t hf_names_find(const hf_names *names, hf_slice name);
/** Add a name unless it is there. \param[out] id its number */
hf_status hf_names_add(hf_context *cx, hf_names *names, hf_slice name, uint32_t *id);

#endif
