/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Texts in drawings: numbers that no locale changes, labels of switches, and text of any origin made fit for XML. */
#include "src/format/drawing.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *hf_decimal(char *text, double value) {
    const long long hundredths = llround(value * 100), size = hundredths < 0 ? -hundredths : hundredths;
    int used = snprintf(text, HF_DECIMAL_SIZE, "%s%lld.%02lld", hundredths < 0 ? "-" : "", size / 100, size % 100);
    while (text[used - 1] == '0') {
        text[--used] = 0;
    }
    if (text[used - 1] == '.') {
        text[--used] = 0;
    }
    return text;
}

/* ---- labels ---- */

/** snprintf at the end of a text; what does not fit is cut. */
__attribute__((format(printf, 3, 4))) static void add(char *text, size_t size, const char *format, ...) {
    const size_t used = strlen(text);
    va_list list;
    va_start(list, format);
    vsnprintf(text + used, size - used, format, list);
    va_end(list);
}

bool hf_switch_label_is_wide(const hf_topology *topo) {
    for (size_t i = 0; i < (size_t)topo->n_coord * topo->n_switch; i++) {
        if (topo->coord[i] > 9) {
            return true;
        }
    }
    return false;
}

void hf_switch_label(const hf_topology *topo, uint32_t sw, bool is_wide, char *text, size_t size) {
    const hf_attribute *stage = hf_topology_attribute(topo, "stage");
    const char *between = !stage ? "," : is_wide ? "." : "";
    text[0] = 0;
    if (!stage && topo->n_coord == 0) {
        return;
    }
    add(text, size, "<");
    if (stage) {
        add(text, size, "%" PRIu32 "%s", stage->of_switch[sw], topo->n_coord ? "," : "");
    }
    for (uint32_t i = 0; i < topo->n_coord; i++) {
        add(text, size, "%s%" PRIu32, i ? between : "", topo->coord[(size_t)sw * topo->n_coord + i]);
    }
    add(text, size, ">");
}

/* ---- XML ---- */

/** Size in bytes of the UTF-8 sequence at `s` and its code point. \return 0 if it is none. */
static size_t utf8_decode(const unsigned char *s, uint32_t *code) {
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    const size_t size = s[0] < 0x80 ? 1 : s[0] < 0xc0 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : s[0] < 0xf8 ? 4 : 0;
    *code = size == 1 ? s[0] : s[0] & (0xffu >> (size + 1));
    for (size_t i = 1; i < size; i++) {
        if ((s[i] & 0xc0) != 0x80) {
            return 0;
        }
        *code = *code << 6 | (s[i] & 0x3f);
    }
    return *code < least[size] ? 0 : size;
}

/** The characters of XML 1.0, but for the line breaks, which make no sense in a label. */
static bool is_xml(uint32_t code) {
    return (code >= 0x20 && code < 0x7f) || (code >= 0xa0 && code < 0xd800) || (code >= 0xe000 && code < 0xfffe) ||
           (code >= 0x10000 && code < 0x110000);
}

void hf_text_any_xml(hf_text *text, const char *data) {
    for (const unsigned char *at = (const unsigned char *)data; *at;) {
        char piece[5] = {0};
        uint32_t code;
        const size_t size = utf8_decode(at, &code);
        if (size && is_xml(code)) {
            memcpy(piece, at, size);
        } else {
            piece[0] = size ? ' ' : '?';
        }
        hf_text_xml(text, piece);
        at += size ? size : 1;
    }
}
