/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Words that are numbers, for people: places behind the point as an interval or what is published supports them. Two digits of
 *  the uncertainty are kept [JCGM 100:2008, 7.2.6]. */
#include "src/report/said.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NUMBER_SIZE = 64, PLACES_MOST = 17, INTERVAL_DIGITS = 2, DIGITS_MOST = 6 };
static const double smallest_plain = 1e-4; /* what is smaller has a power of ten */

/* Of the first digit: 2 of 314, -3 of 0.00314. */
static int power_of(double x) { return x > 0 || x < 0 ? (int)floor(log10(fabs(x))) : 0; }

/* Behind the point, where x has so many digits. */
static int places_for(double x, int digits) {
    const int places = digits - 1 - power_of(x);
    return places < 0 ? 0 : places;
}

static int places_of(const hf_said_number *n) {
    const double half = (n->high - n->low) / 2;
    if (n->told || !(half > 0)) {
        return places_for(n->value, n->told ? n->told : n->digits);
    }
    const int by_half = places_for(half, INTERVAL_DIGITS),
              most = places_for(n->value, n->digits > DIGITS_MOST ? n->digits : DIGITS_MOST);
    return n->value == 0 || by_half < most ? by_half : most; /* an interval of what rounding made says nothing */
}

double hf_said_round(double value, int digits) {
    const double unit = pow(10, places_for(value, digits));
    return rint(value * unit) / unit;
}

/* Zeros at the end of a number that is no longer, 0.25 and not 0.250; where it goes on, they say so. */
static void drop_zeros(double x, int places, char *text) {
    const double unit = pow(10, places);
    size_t size = strlen(text);
    if (!strchr(text, '.') || strchr(text, 'e') || fabs(x * unit - rint(x * unit)) > 8 * DBL_EPSILON * fabs(x * unit)) {
        return;
    }
    while (text[size - 1] == '0') {
        size--;
    }
    text[size - (text[size - 1] == '.')] = 0;
}

static void print_number(double x, int places, char text[NUMBER_SIZE]) {
    const int power = power_of(x);
    if (fabs(x) >= smallest_plain || x == 0 || places + power < 0) {
        (void)snprintf(text, NUMBER_SIZE, "%.*f", places < PLACES_MOST ? places : PLACES_MOST, x);
    } else {
        (void)snprintf(text, NUMBER_SIZE, "%.*e", places + power, x);
    }
}

/* The last place below or above x; what rounding of x itself made is no reason to go on to the next. */
static double round_outwards(double x, int places, bool is_up) {
    const double unit = pow(10, places), scaled = x * unit, near = rint(scaled);
    const bool is_there = fabs(scaled - near) <= 1e-9 * fmax(1, fabs(scaled));
    return (is_there ? near : is_up ? ceil(scaled) : floor(scaled)) / unit + 0.0; /* no sign before 0 */
}

static void print_end(double x, int places, bool is_up, char text[NUMBER_SIZE]) {
    const double rounded = round_outwards(x, places, is_up);
    print_number(rounded, rounded == 0 ? 0 : places, text);
}

static void print_exact(const hf_said_number *n, int places, char text[NUMBER_SIZE]) {
    print_number(n->value, n->value == 0 ? 0 : places, text);
    drop_zeros(n->value, places, text);
}

hf_status hf_said_value(hf_context *cx, const hf_said_number *n, char **out) {
    const int places = places_of(n);
    char text[NUMBER_SIZE];
    if (n->high > n->low) {
        print_number(n->value, n->value == 0 ? 0 : places, text);
    } else {
        print_exact(n, places, text);
    }
    return hf_scratch_print(cx, out, "%s%s", text, n->unit);
}

hf_status hf_said_interval(hf_context *cx, const hf_said_number *n, char **out) {
    const int places = places_of(n);
    char low[NUMBER_SIZE], high[NUMBER_SIZE];
    if (n->high > n->low) {
        print_end(n->low, places, false, low);
        print_end(n->high, places, true, high);
    } else {
        print_exact(n, places, low);
        memcpy(high, low, sizeof high);
    }
    return hf_scratch_print(cx, out, "%s%s to %s%s", low, n->unit, high, n->unit);
}

hf_status hf_said_half(hf_context *cx, const hf_said_number *n, char **out) {
    const int places = places_of(n);
    const double unit = pow(10, places), said = rint(n->value * unit) / unit;
    char half[NUMBER_SIZE];
    print_end(fmax(said - n->low, n->high - said), places, true, half);
    return hf_scratch_print(cx, out, "+- %s%s", half, n->unit);
}

hf_status hf_said_grouped(hf_context *cx, const char *text, const char **grouped) {
    size_t put = 0, left = 0;
    bool is_behind = false; /* a point, or the e of a power */
    char *out;
    HF_TRY(hf_scratch(cx, 2 * strlen(text) + 1, 1, (void **)&out));
    for (const char *c = text; *c; c++) {
        const bool is_digit = *c >= '0' && *c <= '9';
        left = !is_digit ? 0 : left ? left - 1 : strspn(c, "0123456789") - 1;
        is_behind = is_digit ? is_behind : *c == '.' || *c == 'e' || (*c == '-' && is_behind);
        out[put++] = *c;
        if (is_digit && !is_behind && left && left % 3 == 0) {
            out[put++] = ',';
        }
    }
    out[put] = 0;
    *grouped = out;
    return HF_OK;
}
