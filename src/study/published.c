/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Published values: exact comparison of a fraction with a decimal number as printed. */
#include "src/study/published.h"

#include <string.h>

#include "src/core/number.h"

enum { DIGITS_MAX = 18 };

hf_status hf_published_parse(hf_context *cx, const char *text, hf_published *out) {
    hf_slice at = hf_slice_of(text);
    unsigned places = 0;
    *out = (hf_published){0};
    const bool is_there = hf_take_fixed(&at, &out->digits, &places);
    const size_t digits = strlen(text) - at.size - (places > 0);
    out->decimals = places;
    out->is_percent = hf_take_text(&at, "%");
    if (!is_there || digits > DIGITS_MAX || at.size > 0) {
        HF_FAIL(cx, HF_EINVAL, "\"%s\" is not right; need a number as printed, such as 16, 1.46 or 11.90%%, of at most %d digits",
                text, DIGITS_MAX);
    }
    return HF_OK;
}

double hf_published_value(const hf_published *p) {
    double value = (double)p->digits;
    for (uint32_t i = 0; i < p->decimals + (p->is_percent ? 2 : 0); i++) {
        value /= 10;
    }
    return value;
}

bool hf_published_agrees(const hf_published *p, hf_u128 num, hf_u128 den) {
    /* num * 10^decimals is walked digit by digit, so that nothing overflows: long division. */
    const uint32_t places = p->decimals + (p->is_percent ? 2 : 0);
    const hf_u128 most = (hf_u128)1 << 120;
    hf_u128 quotient = num / den, rest = num % den;
    for (uint32_t i = 0; i < places; i++) {
        if (quotient > p->digits) {
            return false;
        }
        while (rest > most / 10) { /* more than 36 digits: the last bits do not matter */
            rest /= 2;
            den /= 2;
        }
        quotient = quotient * 10 + rest * 10 / den;
        rest = rest * 10 % den;
    }
    const bool goes_up = rest >= den - rest;
    return quotient == p->digits || (goes_up && quotient + 1 == p->digits);
}

/* How far a value is above what is printed, in units of the last digit. */
static double off_by(const hf_published *p, double value) {
    double scaled = value;
    for (uint32_t i = 0; i < p->decimals + (p->is_percent ? 2 : 0); i++) {
        scaled *= 10;
    }
    return scaled - (double)p->digits;
}

bool hf_published_overlaps(const hf_published *p, double low, double high) {
    return off_by(p, high) >= -0.5 && off_by(p, low) < 1;
}

bool hf_published_agrees_real(const hf_published *p, double value) { return hf_published_overlaps(p, value, value); }
