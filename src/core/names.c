/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Numbered names: a hash table with open addressing, at most half full. */
#include "src/core/names.h"

#include <string.h>

#include "src/core/hash.h"
#include "src/core/source.h"

void hf_names_init(hf_context *cx, hf_names *names) { *names = (hf_names){.allocator = *hf_context_allocator(cx)}; }

void hf_names_free(hf_names *names) {
    hf_release(&names->allocator, names->name);
    hf_release(&names->allocator, names->slot);
    *names = (hf_names){.allocator = names->allocator};
}

/* The slot of a name, or the free one where it would be. */
static uint32_t *slot_of(const hf_names *names, hf_slice name) {
    size_t i = hf_hash_bytes(name.text, name.size) & (names->n_slot - 1);
    while (names->slot[i] != HF_NONE && !hf_slice_same(names->name[names->slot[i]], name)) {
        i = (i + 1) & (names->n_slot - 1);
    }
    return &names->slot[i];
}

uint32_t hf_names_find(const hf_names *names, hf_slice name) { return names->n_slot ? *slot_of(names, name) : HF_NONE; }

/* Room for one more name. */
static hf_status reserve(hf_context *cx, hf_names *names) {
    if (names->count < names->capacity) {
        return HF_OK;
    }
    const uint32_t capacity = 2 * names->capacity + 16;
    uint32_t *slot;
    size_t n_slot = 64;
    while (n_slot < 2 * (size_t)capacity) {
        n_slot *= 2;
    }
    HF_TRY(hf_resize(cx, capacity, sizeof *names->name, (void **)&names->name));
    HF_TRY(hf_allocate(cx, n_slot, sizeof *slot, (void **)&slot));
    memset(slot, 0xff, n_slot * sizeof *slot); /* HF_NONE */
    hf_release(&names->allocator, names->slot);
    names->slot = slot;
    names->n_slot = n_slot;
    names->capacity = capacity;
    for (uint32_t i = 0; i < names->count; i++) {
        *slot_of(names, names->name[i]) = i;
    }
    return HF_OK;
}

hf_status hf_names_add(hf_context *cx, hf_names *names, hf_slice name, uint32_t *id) {
    *id = hf_names_find(names, name);
    if (*id != HF_NONE) {
        return HF_OK;
    }
    HF_TRY(reserve(cx, names));
    *id = names->count++;
    names->name[*id] = name;
    *slot_of(names, name) = *id;
    return HF_OK;
}
