/** \file
 *  Exact big integers (GMP by src/bridge/gmp.c): counts of fault sets and sums of measures. */
#ifndef HOLDFAST_BIG_H
#define HOLDFAST_BIG_H

#include <stdbool.h>
#include <stdint.h>

#include <holdfast/core/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A non-negative 128-bit integer in two words, for sums that are hot. */
__extension__ typedef unsigned __int128 hf_u128;

typedef struct hf_big hf_big;
/** A big integer with the value 0. Free with hf_big_free(). */
hf_status hf_big_new(hf_context *cx, hf_big **out);
void hf_big_free(hf_big *a);
void hf_big_set(hf_big *a, hf_u128 value);
/** From 64-bit words, the lowest first. */
void hf_big_set_words(hf_big *a, const uint64_t *word, size_t n);
/** a / b, to the precision of a double; b is not 0. */
double hf_big_share(const hf_big *a, const hf_big *b);
/** to = a b, all of them 64-bit words, the lowest first. \param[out] to n_a + n_b words */
void hf_words_multiply(uint64_t *to, const uint64_t *a, size_t n_a, const uint64_t *b, size_t n_b);
void hf_big_copy(hf_big *to, const hf_big *from);
void hf_big_add(hf_big *to, const hf_big *b);
void hf_big_sub(hf_big *to, const hf_big *b);
void hf_big_add_u128(hf_big *to, hf_u128 b);
void hf_big_mul_u64(hf_big *to, uint64_t b);
/** to = to b. */
void hf_big_mul(hf_big *to, const hf_big *b);
/** quotient = rest / b, rounded down, and rest = what is left. b is not 0. */
void hf_big_divide(hf_big *quotient, hf_big *rest, const hf_big *b);
/** to = C(n, k); 0 if k > n. */
void hf_big_binomial(hf_big *to, uint64_t n, uint64_t k);
int hf_big_compare(const hf_big *a, const hf_big *b);
/** The value if it fits. \return false (and *out unchanged) if it does not. */
bool hf_big_get_u128(const hf_big *a, hf_u128 *out);
/** Decimal digits. Heap, free with hf_release(). */
hf_status hf_big_text(hf_context *cx, const hf_big *a, char **out);

#ifdef __cplusplus
}
#endif
#endif
