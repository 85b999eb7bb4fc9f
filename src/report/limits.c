/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Limits on columns. */
#include "src/report/limits.h"

#include <math.h>

#include "src/core/number.h"

bool hf_column_is_number(const hf_column *column) { return column->kind > HF_COLUMN_TREE; }

bool hf_column_can_say(const hf_column *column, hf_slice word) {
    const char *at = column->kind == HF_COLUMN_WORD ? column->unit : NULL;
    while (at) {
        const size_t size = strcspn(at, "|");
        if (hf_slice_same((hf_slice){at, size}, word)) {
            return true;
        }
        at = at[size] ? at + size + 1 : NULL;
        if (!at) {
            return false;
        }
    }
    return true;
}

double hf_cell_number(const hf_column *column, const hf_cell *cell) {
    const bool counts = column->kind == HF_COLUMN_FLAG || column->kind == HF_COLUMN_COUNT || column->kind == HF_COLUMN_BIG_COUNT;
    return counts && !cell->word ? (double)cell->count : cell->value;
}

/* ---- reading ---- */

static hf_slice trim(hf_slice a) {
    while (a.size > 0 && *a.text == ' ') {
        a.text++;
        a.size--;
    }
    while (a.size > 0 && a.text[a.size - 1] == ' ') {
        a.size--;
    }
    return a;
}

/* "1000..1100", "1..", "..2". \return false if it is no range */
static bool read_range(hf_slice text, double *low, double *high) {
    *low = -INFINITY;
    *high = INFINITY;
    const bool has_low = hf_take_real(&text, low);
    const bool has_dots = hf_take_text(&text, "..");
    const bool has_high = has_dots && hf_take_real(&text, high);
    return has_dots && (has_low || has_high) && text.size == 0 && *low <= *high;
}

static hf_status add(hf_context *cx, hf_slice text, hf_limits *out) {
    const char *equals = memchr(text.text, '=', text.size);
    if (out->n == HF_LIMITS_MOST) {
        HF_FAIL(cx, HF_EINVAL, "more than %d limits", HF_LIMITS_MOST);
    }
    hf_column_limit *l = &out->limit[out->n++];
    if (equals) {
        l->key = trim((hf_slice){text.text, (size_t)(equals - text.text)});
        l->said = trim((hf_slice){equals + 1, text.size - (size_t)(equals + 1 - text.text)});
    }
    if (!equals || l->key.size == 0 || l->said.size == 0) {
        HF_FAIL(cx, HF_EINVAL, "limit \"%.*s\" is not right; need KEY=LOW..HIGH, of which one may be left out, or KEY=WORD",
                HF_SLICE(text));
    }
    for (size_t i = 0; i + 1 < out->n; i++) {
        if (hf_slice_same(out->limit[i].key, l->key)) {
            HF_FAIL(cx, HF_EINVAL, "column \"%.*s\" has two limits; need one", HF_SLICE(l->key));
        }
    }
    l->is_range = read_range(l->said, &l->low, &l->high);
    return HF_OK;
}

/* Where the next limit begins, behind a comma: a comma that no KEY= follows is of the value. NULL: there is no other */
static const char *next_limit(const char *at) {
    while ((at = strchr(at, ','))) {
        at += 1 + strspn(at + 1, " ");
        const size_t key = strspn(at, "abcdefghijklmnopqrstuvwxyz0123456789_");
        if (at[key + strspn(at + key, " ")] == '=' || !*at) {
            return at;
        }
    }
    return NULL;
}

hf_status hf_limits_read(hf_context *cx, const char *text, hf_limits *out) {
    *out = (hf_limits){.n = 0};
    while (text && *text) {
        const char *next = next_limit(text);
        hf_slice one = trim((hf_slice){text, next ? (size_t)(next - text) : strlen(text)});
        one.size -= next && one.size > 0 && one.text[one.size - 1] == ',';
        HF_TRY(add(cx, one, out));
        text = next;
    }
    return HF_OK;
}

/* ---- columns ---- */

static hf_status refuse_key(hf_context *cx, const hf_column_limit *limit, const hf_column *columns, size_t n) {
    char *keys = NULL;
    for (size_t i = 0; i < n; i++) {
        HF_TRY(hf_scratch_print(cx, &keys, "%s%s%s", keys ? keys : "", keys ? ", " : "", columns[i].key));
    }
    HF_FAIL(cx, HF_EINVAL, "no column is called \"%.*s\"; there are: %s", HF_SLICE(limit->key), keys);
}

hf_status hf_limits_check(hf_context *cx, const hf_limits *limits, const hf_column *columns, size_t n) {
    for (const hf_column_limit *l = limits->limit; l < limits->limit + limits->n; l++) {
        const hf_column *column = hf_column_find(columns, n, l->key.text, l->key.size);
        if (!column) {
            return refuse_key(cx, l, columns, n);
        }
        double x;
        hf_slice rest = l->said;
        const bool is_word = column->kind == HF_COLUMN_WORD;
        const bool is_right = column->kind == HF_COLUMN_FLAG ? hf_slice_is(l->said, "yes") || hf_slice_is(l->said, "no")
                              : hf_column_is_number(column)  ? l->is_range || (hf_take_real(&rest, &x) && rest.size == 0)
                                                             : is_word && hf_column_can_say(column, l->said);
        if (!is_right) {
            HF_FAIL(cx, HF_EINVAL, "limit %.*s=%.*s is not right; need %s", HF_SLICE(l->key), HF_SLICE(l->said),
                    column->kind == HF_COLUMN_FLAG ? "yes or no"
                    : is_word                      ? column->unit
                    : hf_column_is_number(column)  ? "LOW..HIGH, of which one may be left out, or a number"
                                                   : "a column with a word or a number");
        }
    }
    return HF_OK;
}

bool hf_limits_keep(const hf_limits *limits, const hf_column *column, const hf_cell *cell) {
    const hf_column_limit *l = limits->limit, *end = l + limits->n;
    while (l < end && !hf_slice_is(l->key, column->key)) {
        l++;
    }
    if (l == end || !cell->is_known) {
        return l == end;
    }
    double x;
    hf_slice rest = l->said;
    if (column->kind == HF_COLUMN_FLAG) {
        return hf_slice_is(l->said, cell->count ? "yes" : "no");
    }
    if (!hf_column_is_number(column)) {
        return hf_slice_is(l->said, cell->word);
    }
    const double value = hf_cell_number(column, cell);
    return l->is_range ? value >= l->low && value <= l->high : hf_take_real(&rest, &x) && value == x;
}
