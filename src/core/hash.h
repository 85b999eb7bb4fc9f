/** \file
 *  FNV-1a, 64 bits. Source: [G. Fowler, L. C. Noll, K.-P. Vo, D. Eastlake, The FNV Non-Cryptographic Hash Algorithm, 2012]. Of
 *  short things: names and keys. Files go by src/core/content.h. */
#ifndef HOLDFAST_SRC_CORE_HASH_H
#define HOLDFAST_SRC_CORE_HASH_H

#include <stddef.h>
#include <stdint.h>

/** The hash of nothing. */
#define HF_HASH_START UINT64_C(0xcbf29ce484222325)

/** Go on with `size` bytes. */
static inline uint64_t hf_hash_more(uint64_t hash, const void *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

/** Go on with the lowest `size` bytes of a number, the lowest first. */
static inline uint64_t hf_hash_number(uint64_t hash, uint64_t number, size_t size) {
    for (size_t i = 0; i < size; i++) {
        const unsigned char byte = (unsigned char)(number >> 8 * i);
        hash = hf_hash_more(hash, &byte, 1);
    }
    return hash;
}

static inline uint64_t hf_hash_bytes(const void *bytes, size_t size) { return hf_hash_more(HF_HASH_START, bytes, size); }

#endif
