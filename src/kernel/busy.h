/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Marks of ports or channels, for walks that take as long as there are marks and not as the network is large: bits, and a bit
 *  for each word of them that has any. */
#ifndef HOLDFAST_SRC_KERNEL_BUSY_H
#define HOLDFAST_SRC_KERNEL_BUSY_H

#include <holdfast/core/bitset.h>
#include <holdfast/core/context.h>

/** Numbers below 64 * n_word, each marked or not. All of it lives in the context's scratch. */
typedef struct hf_busy {
    uint64_t *word; /* n_word */
    uint64_t *some; /* a bit for each word: it has marks */
    size_t n_word;
} hf_busy;

/** Room for marks of 0 to n - 1, none marked. \return HF_OK or HF_ENOMEM */
static inline hf_status hf_busy_new(hf_context *cx, uint32_t n, hf_busy *m) {
    m->n_word = hf_words(n);
    HF_TRY(hf_scratch(cx, m->n_word, sizeof *m->word, (void **)&m->word));
    return hf_scratch(cx, hf_words(m->n_word), sizeof *m->some, (void **)&m->some);
}

static inline void hf_busy_mark(hf_busy *m, uint32_t i) {
    hf_bit_set(m->word, i);
    hf_bit_set(m->some, i / 64);
}

static inline void hf_busy_clear(hf_busy *m, uint32_t i) {
    hf_bit_clear(m->word, i);
    if (!m->word[i / 64]) {
        hf_bit_clear(m->some, i / 64);
    }
}

/** hf_busy_clear() where nobody can foretell whether `is_over`. */
static inline void hf_busy_clear_if(hf_busy *m, uint32_t i, bool is_over) {
    uint64_t *word = &m->word[i / 64];
    *word &= ~((uint64_t)is_over << i % 64);
    if (!*word) {
        hf_bit_clear(m->some, i / 64);
    }
}

/** \return the first word from `w` on that has marks now; n_word: none. Marks set while one walks are met if they lie ahead. */
static inline size_t hf_busy_next(const hf_busy *m, size_t w) {
    for (size_t s = w / 64; s * 64 < m->n_word; s++) {
        const uint64_t some = s == w / 64 ? m->some[s] >> w % 64 << w % 64 : m->some[s];
        if (some) {
            return s * 64 + (size_t)__builtin_ctzll(some);
        }
    }
    return m->n_word;
}

/** All that are marked, from the least on. \param[out] list has room for the n of hf_busy_new() \return how many there are */
static inline uint32_t hf_busy_list(const hf_busy *m, uint32_t *list) {
    uint32_t n = 0;
    for (size_t w = hf_busy_next(m, 0); w < m->n_word; w = hf_busy_next(m, w + 1)) {
        for (uint64_t bits = m->word[w]; bits; bits &= bits - 1) {
            list[n++] = (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(bits);
        }
    }
    return n;
}

#endif
