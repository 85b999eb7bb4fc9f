/** \file
 *  Numbers in texts, wherever they come from: specs, options, files, notes. Who reads puts place and value into the message; what
 *  is a number is said here once: decimal digits, or a plain decimal such as 0.25, -3 or 1e-9. */
#ifndef HOLDFAST_SRC_CORE_NUMBER_H
#define HOLDFAST_SRC_CORE_NUMBER_H

#include <holdfast/core/big.h>

#include "src/core/lines.h"

/** A unit that may stand behind a number, and what one of it is; arrays end with {0}. The name "" stands for no unit. */
typedef struct hf_unit {
    const char *name;
    double size;
} hf_unit;

/* ---- at the front of a text: what is taken is cut off; if it is not there, false, and the text stays as it is ---- */

/** Digits. \param[in] base 10 or 16  \param[out] fits false: the number has more than 64 bits, and `out` is UINT64_MAX */
bool hf_take_digits(hf_slice *at, unsigned base, uint64_t *out, bool *fits);
/** Digits of a decimal number of at most 64 bits. */
bool hf_take_number(hf_slice *at, uint64_t *out);
/** Digits of a decimal number of at most 128 bits. */
bool hf_take_wide(hf_slice *at, hf_u128 *out);
/** A decimal without sign or exponent, exactly: 11.90 is 1190 with 2 places. \param[out] out below 2^64, or it is not there */
bool hf_take_fixed(hf_slice *at, uint64_t *out, unsigned *places);
/** The same in units of 10^-places; more places are not taken. */
bool hf_take_scaled(hf_slice *at, unsigned places, uint64_t *out);
/** A plain decimal: no infinity, no "nan", no hexadecimal digits. */
bool hf_take_real(hf_slice *at, double *out);
/** What "%a" or "%g" wrote, NaN and infinities too. */
bool hf_take_noted(hf_slice *at, double *out);
/** The word itself. */
bool hf_take_text(hf_slice *at, const char *word);

/* ---- a text as a whole ---- */

/** All of the slice is a number in base 10 or 16 that fits. In base 16 "0x" may stand before it. */
bool hf_slice_number(hf_slice a, unsigned base, uint64_t *out);
/** All of the text is a number in [low, high]. */
bool hf_read_number(const char *text, uint64_t low, uint64_t high, uint64_t *out);
bool hf_read_real(const char *text, double *out);
/** A plain decimal that is not negative, with one of the units. \param[out] out in units of size 1 */
bool hf_read_quantity(hf_slice text, const hf_unit *units, double *out);

/** What a list may hold. */
typedef struct hf_list_form {
    double low, high;
    bool is_whole;        /**< whole numbers only */
    bool ascends;         /**< each is larger than the one before */
    const hf_unit *units; /**< NULL: none; with units no number is negative */
} hf_list_form;
/** Numbers and ranges, between commas: "0.1,0.2", "0..4,8", "0.1..0.5/0.1" in steps; a step is 1 unless told, and then the range
 * ends on one: 0.1..0.5 is no list. Steps of decimals are exact: the third number of 0.1..0.5/0.1 is 0.3. \param[out] list room
 * for `most`  \return false if it is no such list */
bool hf_read_list(const char *text, const hf_list_form *form, size_t most, double *list, size_t *n);

#endif
