/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Printing in the C locale, and a look at UTF-8. */
#include "src/core/print.h"

#include <locale.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

int hf_print_list(char *text, size_t size, const char *format, va_list list) {
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const locale_t before = plain ? uselocale(plain) : (locale_t)0;
    const int length = vsnprintf(text, size, format, list);
    if (plain) {
        uselocale(before);
        freelocale(plain);
    }
    return length;
}

void hf_print_decimal(hf_u128 value, char *text) {
    char digits[40];
    size_t n = 0;
    do {
        digits[n++] = (char)('0' + (int)(value % 10));
        value /= 10;
    } while (value);
    for (size_t i = 0; i < n; i++) {
        text[i] = digits[n - 1 - i];
    }
    text[n] = 0;
}

/* The Unicode Standard, table 3-7: the second byte rules out overlong forms, surrogates and what lies above U+10FFFF. */
size_t hf_utf8_length(const char *text) {
    static const struct {
        uint8_t first_low, first_high, second_low, second_high;
        size_t length;
    } form[] = {{0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3}, {0xE1, 0xEC, 0x80, 0xBF, 3},
                {0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3}, {0xF0, 0xF0, 0x90, 0xBF, 4},
                {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4}};
    const uint8_t *byte = (const uint8_t *)text;
    if (byte[0] < 0x80) {
        return byte[0] != 0;
    }
    for (size_t i = 0; i < sizeof form / sizeof *form; i++) {
        if (byte[0] < form[i].first_low || byte[0] > form[i].first_high) {
            continue;
        }
        bool is_good = byte[1] >= form[i].second_low && byte[1] <= form[i].second_high;
        for (size_t j = 2; is_good && j < form[i].length; j++) {
            is_good = byte[j] >= 0x80 && byte[j] <= 0xBF;
        }
        return is_good ? form[i].length : 0;
    }
    return 0;
}
