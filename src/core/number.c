/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Numbers in texts. A decimal is kept as a whole number and a power of ten as long as that is exact, so that steps of ranges are
 *  the numbers that one would write. */
#include "src/core/number.h"

#include <math.h>
#include <stdlib.h>

enum { DIGITS_MOST = 15 /* a whole number of so many is exact */, TEXT_MOST = 400 };

typedef struct decimal {
    double value;
    double whole; /* value = whole / 10^places where is_exact */
    unsigned places;
    bool is_exact;
} decimal;

/* ---- at the front ---- */

/* A slice of nothing may be NULL, to which C adds nothing. */
static void skip(hf_slice *at, size_t n) { *at = n ? (hf_slice){at->text + n, at->size - n} : *at; }

static unsigned digit_of(char c) {
    if (c >= '0' && c <= '9') {
        return (unsigned)(c - '0');
    }
    if (c >= 'a' && c <= 'f') {
        return (unsigned)(c - 'a') + 10;
    }
    return c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10 : 255;
}

bool hf_take_digits(hf_slice *at, unsigned base, uint64_t *out, bool *fits) {
    uint64_t value = 0;
    size_t n = 0;
    *fits = true;
    for (; n < at->size && digit_of(at->text[n]) < base; n++) {
        const unsigned digit = digit_of(at->text[n]);
        *fits &= !__builtin_mul_overflow(value, base, &value);
        *fits &= !__builtin_add_overflow(value, digit, &value);
    }
    *out = *fits ? value : UINT64_MAX;
    skip(at, n);
    return n > 0;
}

bool hf_take_number(hf_slice *at, uint64_t *out) {
    const hf_slice before = *at;
    bool fits;
    if (hf_take_digits(at, 10, out, &fits) && fits) {
        return true;
    }
    *at = before;
    return false;
}

static size_t count_digits(hf_slice a, size_t from) {
    size_t i = from;
    while (i < a.size && a.text[i] >= '0' && a.text[i] <= '9') {
        i++;
    }
    return i - from;
}

bool hf_take_wide(hf_slice *at, hf_u128 *out) {
    const size_t digits = count_digits(*at, 0);
    hf_u128 value = 0;
    for (size_t i = 0; i < digits; i++) {
        const unsigned digit = digit_of(at->text[i]);
        if (value > (~(hf_u128)0 - digit) / 10) {
            return false;
        }
        value = value * 10 + digit;
    }
    *out = value;
    skip(at, digits);
    return digits > 0;
}

bool hf_take_fixed(hf_slice *at, uint64_t *out, unsigned *places) {
    const hf_slice before = *at;
    const bool is_there = hf_take_number(at, out);
    const size_t behind = is_there && hf_slice_begins(*at, ".") ? count_digits(*at, 1) : 0;
    for (size_t i = 1; i <= behind; i++) {
        const unsigned digit = digit_of(at->text[i]);
        if (*out > (UINT64_MAX - digit) / 10) {
            *at = before;
            return false;
        }
        *out = *out * 10 + digit;
    }
    *places = (unsigned)behind;
    skip(at, behind ? 1 + behind : 0);
    return is_there;
}

bool hf_take_scaled(hf_slice *at, unsigned places, uint64_t *out) {
    const hf_slice before = *at;
    unsigned n;
    bool fits = hf_take_fixed(at, out, &n) && n <= places;
    for (; fits && n < places; n++) {
        fits = *out <= UINT64_MAX / 10;
        *out *= 10;
    }
    *at = fits ? *at : before;
    return fits;
}

/* Bytes of the decimal at the front: [+-]digits[.digits][e[+-]digits], digits on one side of the point at least. Two points are
 * not of a number: 0..4. */
static size_t decimal_size(hf_slice a, decimal *out) {
    const size_t sign = a.size > 0 && (*a.text == '-' || *a.text == '+'), digits = count_digits(a, sign);
    size_t n = sign + digits;
    const bool has_point = n < a.size && a.text[n] == '.' && !(n + 1 < a.size && a.text[n + 1] == '.');
    out->places = has_point ? (unsigned)count_digits(a, n + 1) : 0;
    if (digits + out->places == 0) {
        return 0;
    }
    n += has_point ? 1 + out->places : 0;
    out->is_exact = n <= DIGITS_MOST;
    if (n < a.size && (a.text[n] == 'e' || a.text[n] == 'E')) {
        const size_t signed_by = n + 1 < a.size && (a.text[n + 1] == '-' || a.text[n + 1] == '+');
        const size_t exponent = count_digits(a, n + 1 + signed_by);
        out->is_exact &= exponent == 0;
        n += exponent > 0 ? 1 + signed_by + exponent : 0;
    }
    return n;
}

static bool convert(const char *text, size_t size, double *out) {
    char copy[TEXT_MOST], *end;
    if (size == 0 || size >= sizeof copy) {
        return false;
    }
    memcpy(copy, text, size);
    copy[size] = 0;
    *out = strtod(copy, &end);
    return *end == 0;
}

static bool take_decimal(hf_slice *at, decimal *out) {
    const size_t size = decimal_size(*at, out);
    if (!convert(at->text, size, &out->value) || !isfinite(out->value)) {
        return false;
    }
    out->whole = out->is_exact ? round(out->value * pow(10, out->places)) : 0;
    skip(at, size);
    return true;
}

bool hf_take_real(hf_slice *at, double *out) {
    decimal d;
    const bool is_there = take_decimal(at, &d);
    *out = is_there ? d.value : *out;
    return is_there;
}

bool hf_take_noted(hf_slice *at, double *out) {
    size_t size = 0;
    while (size < at->size && !strchr(" ,|", at->text[size])) {
        size++;
    }
    const bool is_there = size > 0 && *at->text > ' ' && convert(at->text, size, out);
    skip(at, is_there ? size : 0);
    return is_there;
}

bool hf_take_text(hf_slice *at, const char *word) {
    const bool is_there = hf_slice_begins(*at, word);
    skip(at, is_there ? strlen(word) : 0);
    return is_there;
}

/* ---- as a whole ---- */

bool hf_slice_number(hf_slice a, unsigned base, uint64_t *out) {
    bool fits;
    if (base == 16 && !hf_take_text(&a, "0x")) {
        hf_take_text(&a, "0X");
    }
    return hf_take_digits(&a, base, out, &fits) && fits && a.size == 0;
}

bool hf_read_number(const char *text, uint64_t low, uint64_t high, uint64_t *out) {
    return hf_slice_number(hf_slice_of(text), 10, out) && *out >= low && *out <= high;
}

bool hf_read_real(const char *text, double *out) {
    hf_slice a = hf_slice_of(text);
    return hf_take_real(&a, out) && a.size == 0;
}

/* The unit at the front; the longest name counts, as "s" begins "sec". */
static const hf_unit *take_unit(hf_slice *at, const hf_unit *units) {
    const hf_unit *best = NULL;
    for (const hf_unit *u = units; u->name; u++) {
        best = hf_slice_begins(*at, u->name) && (!best || strlen(u->name) > strlen(best->name)) ? u : best;
    }
    skip(at, best ? strlen(best->name) : 0);
    return best;
}

/* A number of a list, with its unit. */
static bool take_item(hf_slice *at, const hf_list_form *form, decimal *out, double *unit) {
    static const hf_unit none[] = {{"", 1}, {0}};
    const size_t size = at->size, digits = count_digits(*at, 0);
    if (!take_decimal(at, out) || (form->is_whole && (size - at->size != digits || !out->is_exact))) {
        return false;
    }
    const hf_unit *found = take_unit(at, form->units ? form->units : none);
    *unit = found ? found->size : 0;
    return found && !(form->units && signbit(out->value));
}

bool hf_read_quantity(hf_slice text, const hf_unit *units, double *out) {
    const hf_list_form form = {.units = units};
    decimal d;
    double unit;
    if (!take_item(&text, &form, &d, &unit) || text.size > 0) {
        return false;
    }
    *out = d.value * unit;
    return true;
}

/* ---- lists ---- */

typedef struct range {
    decimal low, high, step;
    double low_unit, high_unit, step_unit;
    bool has_step; /**< the text says it */
} range;

static double point_of(const range *r, size_t i) {
    if (i == 0) {
        return r->low.value * r->low_unit;
    }
    if (!r->low.is_exact || !r->step.is_exact || r->low_unit != r->step_unit) {
        return r->low.value * r->low_unit + (double)i * (r->step.value * r->step_unit);
    }
    const unsigned places = r->low.places > r->step.places ? r->low.places : r->step.places;
    const double low = r->low.whole * pow(10, places - r->low.places), step = r->step.whole * pow(10, places - r->step.places);
    return (low + (double)i * step) / pow(10, places) * r->low_unit;
}

static bool take_range(hf_slice *at, const hf_list_form *form, range *out) {
    if (!take_item(at, form, &out->low, &out->low_unit)) {
        return false;
    }
    out->high = out->low;
    out->high_unit = out->low_unit;
    out->step = (decimal){1, 1, 0, true};
    out->step_unit = out->low_unit;
    out->has_step = false;
    if (!hf_take_text(at, "..")) {
        return true;
    }
    if (!take_item(at, form, &out->high, &out->high_unit)) {
        return false;
    }
    out->step_unit = out->high_unit;
    out->has_step = hf_take_text(at, "/");
    return !out->has_step || take_item(at, form, &out->step, &out->step_unit);
}

static bool add_range(const range *r, const hf_list_form *form, size_t most, double *list, size_t *n) {
    const double low = r->low.value * r->low_unit, high = r->high.value * r->high_unit, step = r->step.value * r->step_unit;
    if (!(step > 0) || !(low <= high) || !(low >= form->low) || !(high <= form->high)) {
        return false;
    }
    const double steps = floor((high - low) / step * (1 + 1e-12) + 1e-12);
    if (!(steps < (double)(most - *n)) || (!r->has_step && fabs(low + steps * step - high) > 1e-9 * step)) {
        return false;
    }
    for (size_t i = 0; i <= (size_t)steps; i++) {
        const double value = point_of(r, i);
        if (form->ascends && *n > 0 && value <= list[*n - 1]) {
            return false;
        }
        list[(*n)++] = value;
    }
    return true;
}

bool hf_read_list(const char *text, const hf_list_form *form, size_t most, double *list, size_t *n) {
    hf_slice at = hf_slice_of(text);
    *n = 0;
    do {
        range r;
        while (!form->is_whole && hf_take_text(&at, " ")) {
        }
        if (!take_range(&at, form, &r) || !add_range(&r, form, most, list, n)) {
            return false;
        }
    } while (hf_take_text(&at, ","));
    return at.size == 0;
}
