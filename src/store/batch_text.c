/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A tally as one line of text. */
#include "src/store/batch_text.h"

#include <inttypes.h>

#include "src/core/number.h"
#include "src/core/print.h"

void hf_batch_print(const hf_tally *t, uint32_t f, hf_text *out) {
    char victims[40], lost[40];
    hf_print_decimal(t->victims_sum, victims);
    hf_print_decimal(t->lost_paths_sum, lost);
    hf_text_print(out, "%" PRIu64 " %" PRIu64 " %s %s %" PRIu64 " %" PRIu64 " %" PRIu64 " |", t->sets, t->not_tolerated, victims,
                  lost, t->victims_max, t->lost_paths_max, t->lost_paths_sets);
    for (unsigned i = 0; i < HF_HISTOGRAM_BINS; i++) {
        if (t->victims_histogram[i]) {
            hf_text_print(out, " %u:%" PRIu64, i, t->victims_histogram[i]);
        }
    }
    for (unsigned i = 0; i < HF_OUTCOMES; i++) {
        if (t->outcome[i]) {
            hf_text_print(out, " o%u:%" PRIu64, i, t->outcome[i]);
        }
    }
    for (unsigned i = 0; i < HF_EXTRAS; i++) {
        if (t->extra_sum[i]) {
            char sum[40], squares[40];
            hf_print_decimal(t->extra_sum[i], sum);
            hf_print_decimal(t->extra_squares[i], squares);
            hf_text_print(out, " e%u:%s m%u:%" PRIu64 " q%u:%s", i, sum, i, t->extra_max[i], i, squares);
        }
    }
    hf_text_print(out, " |");
    for (uint32_t i = 0; i < f && t->has_witness; i++) {
        hf_text_print(out, " %" PRIu32, t->witness[i]);
    }
    hf_text_print(out, t->has_witness ? " ." : "");
    hf_text_print(out, t->has_noted ? " ~" : "");
    for (uint32_t i = 0; i < f && t->has_noted; i++) {
        hf_text_print(out, " %" PRIu32, t->noted[i]);
    }
    hf_text_print(out, t->has_noted ? " ." : "");
}

static void skip_blanks(hf_slice *at) {
    while (hf_take_text(at, " ")) {
    }
}

static bool read_number(hf_slice *at, hf_u128 *out) {
    skip_blanks(at);
    return hf_take_wide(at, out);
}

static bool read_u64(hf_slice *at, uint64_t *out) {
    skip_blanks(at);
    return hf_take_number(at, out);
}

static bool read_mark(hf_slice *at, const char *mark) {
    skip_blanks(at);
    return hf_take_text(at, mark);
}

/* Bins "7:12", classes "o1:34", sums "e0:56", maxima "m0:7" and sums of squares "q0:200" of further measures. */
static bool read_item(hf_slice *at, hf_tally *t) {
    static const char *const letters[] = {"o", "e", "m", "q"};
    static const uint64_t bound[] = {HF_OUTCOMES, HF_EXTRAS, HF_EXTRAS, HF_EXTRAS, HF_HISTOGRAM_BINS};
    size_t kind = 0;
    while (kind < 4 && !read_mark(at, letters[kind])) {
        kind++;
    }
    uint64_t i;
    hf_u128 value;
    if (!read_u64(at, &i) || i >= bound[kind] || !read_mark(at, ":") || !read_number(at, &value) ||
        (kind != 1 && kind != 3 && value > UINT64_MAX)) {
        return false;
    }
    switch (kind) {
    case 0:
        t->outcome[i] = (uint64_t)value;
        break;
    case 1:
        t->extra_sum[i] = value;
        break;
    case 2:
        t->extra_max[i] = (uint64_t)value;
        break;
    case 3:
        t->extra_squares[i] = value;
        break;
    default:
        t->victims_histogram[i] = (uint64_t)value;
        break;
    }
    return true;
}

static bool read_histogram(hf_slice *at, hf_tally *t) {
    while (!read_mark(at, "|")) {
        if (!read_item(at, t)) {
            return false;
        }
    }
    return true;
}

/* \param[out] set NULL: read over */
static bool read_set(hf_slice *at, uint32_t f, uint32_t *set, bool *has) {
    for (uint32_t i = 0; i < f; i++) {
        uint64_t component;
        if (!read_u64(at, &component) || component >= HF_NONE) {
            return false;
        }
        if (set) {
            set[i] = (uint32_t)component;
        }
    }
    const bool ok = read_mark(at, ".");
    *has = ok && set;
    return ok;
}

static bool read_witnesses(hf_slice *at, uint32_t f, hf_tally *t) {
    hf_slice mark = *at;
    bool ok = true;
    if (at->size > 0 && !read_mark(&mark, "~")) {
        ok = read_set(at, f, t->witness, &t->has_witness);
    }
    if (ok && at->size > 0) {
        ok = read_mark(at, "~") && read_set(at, f, t->noted, &t->has_noted);
    }
    return ok && at->size == 0;
}

hf_status hf_batch_parse(hf_context *cx, const char *text, uint32_t f, hf_tally *t) {
    hf_slice at = hf_slice_of(text);
    const bool ok = read_u64(&at, &t->sets) && read_u64(&at, &t->not_tolerated) && read_number(&at, &t->victims_sum) &&
                    read_number(&at, &t->lost_paths_sum) && read_u64(&at, &t->victims_max) && read_u64(&at, &t->lost_paths_max) &&
                    read_u64(&at, &t->lost_paths_sets) && t->lost_paths_sets <= t->sets && read_mark(&at, "|") &&
                    read_histogram(&at, t) && read_witnesses(&at, f, t);
    if (!ok) {
        HF_FAIL(cx, HF_ESTORE, "a stored tally is damaged; run `holdfast store verify`");
    }
    return HF_OK;
}
