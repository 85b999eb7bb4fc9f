/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Finite fields by tables of powers. Multiplication by x is a shift of digits and a reduction by a polynomial of degree e, which
 *  is searched for until x has the order q - 1: then x is a primitive element, and the polynomial is irreducible. For e = 1 the
 *  polynomial is x - r, and r is a primitive root. */
#include "src/topology/field.h"

uint32_t hf_field_prime(uint32_t q, uint32_t *e) {
    uint32_t p = 2, rest = q, n = 0;
    while (p * (uint64_t)p <= q && q % p) {
        p++;
    }
    p = q % p ? q : p;
    for (; p > 1 && rest % p == 0; rest /= p) {
        n++;
    }
    if (e) {
        *e = n;
    }
    return p > 1 && rest == 1 ? p : 0;
}

uint32_t hf_field_subtract(const hf_field *field, uint32_t a, uint32_t b) {
    const uint32_t p = field->p;
    uint32_t difference = 0;
    for (uint32_t weight = 1; weight < field->q; weight *= p, a /= p, b /= p) {
        difference += (a % p + p - b % p) % p * weight;
    }
    return difference;
}

uint32_t hf_field_multiply(const hf_field *field, uint32_t a, uint32_t b) {
    return a && b ? field->power[(field->log[a] + field->log[b]) % (field->q - 1)] : 0;
}

/** x * a modulo x^e + (the polynomial with the digits of `low`). */
static uint32_t times_x(const hf_field *f, uint32_t a, uint32_t low) {
    const uint32_t top = a / (f->q / f->p);
    uint32_t value = a % (f->q / f->p) * f->p;
    for (uint32_t i = 0; i < top; i++) {
        value = hf_field_subtract(f, value, low);
    }
    return value;
}

/** Fill in the powers of x. \return whether they are all elements but 0 */
static bool take_powers(hf_field *f, uint32_t low) {
    uint32_t value = 1;
    for (uint32_t i = 0; i < f->q - 1; i++) {
        if (value == 0 || (value == 1 && i > 0)) {
            return false;
        }
        f->power[i] = value;
        f->log[value] = i;
        value = times_x(f, value, low);
    }
    return value == 1;
}

hf_status hf_field_init(hf_context *cx, uint32_t q, hf_field *field) {
    *field = (hf_field){.q = q};
    field->p = hf_field_prime(q, &field->e);
    HF_TRY(hf_scratch(cx, q, sizeof *field->power, (void **)&field->power));
    HF_TRY(hf_scratch(cx, q, sizeof *field->log, (void **)&field->log));
    uint32_t low = 1;
    while (low < q && !take_powers(field, low)) {
        low++;
    }
    return HF_OK;
}
