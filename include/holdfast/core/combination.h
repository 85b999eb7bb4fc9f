/** \file
 *  Sets of f out of m components: rank, unrank, successor in the lexicographic order of the ascending tuples, which is that of
 *  campaigns. Neighbours differ by pops and pushes at the end, a prefix is a contiguous range of ranks, and components are always
 *  inserted in ascending order. */
#ifndef HOLDFAST_COMBINATION_H
#define HOLDFAST_COMBINATION_H

#include <stdbool.h>
#include <stdint.h>

#include <holdfast/core/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** C(m, f) in 64 bits. \return false if it does not fit (*out is then UINT64_MAX). */
bool hf_binomial(uint64_t m, uint64_t f, uint64_t *out);

/** Lexicographic rank of the ascending set c[0..f-1] of [0, m); C(m, f) must fit in 64 bits. */
uint64_t hf_lex_rank(uint32_t m, uint32_t f, const uint32_t *c);
/** The set with that rank, rank < C(m, f). */
void hf_lex_unrank(uint32_t m, uint32_t f, uint64_t rank, uint32_t *c);
/** Step to the next set. \param[out] keep (may be NULL) number of leading elements that stayed. \return false after the last. */
bool hf_lex_next(uint32_t m, uint32_t f, uint32_t *c, uint32_t *keep);

#ifdef __cplusplus
}
#endif
#endif
