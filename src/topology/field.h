/** \file
 *  Finite fields GF(q), q a prime power. Elements are 0 .. q-1: the digits in base p are the coefficients of a polynomial. */
#ifndef HOLDFAST_SRC_TOPOLOGY_FIELD_H
#define HOLDFAST_SRC_TOPOLOGY_FIELD_H

#include <holdfast/core/context.h>

typedef struct hf_field {
    uint32_t q, p, e; /**< q = p^e */
    uint32_t *power;  /**< power[i] = xi^i for a primitive element xi, q - 1 entries */
    uint32_t *log;    /**< of the elements but 0 */
} hf_field;

/** The prime p of q = p^e, 0 if q is no prime power. \param[out] e may be NULL */
uint32_t hf_field_prime(uint32_t q, uint32_t *e);
/** Make GF(q); q must be a prime power. The tables live in the arena. */
hf_status hf_field_init(hf_context *cx, uint32_t q, hf_field *field);
uint32_t hf_field_subtract(const hf_field *field, uint32_t a, uint32_t b);
uint32_t hf_field_multiply(const hf_field *field, uint32_t a, uint32_t b);

#endif
