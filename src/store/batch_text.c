/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  A tally as one line of text. */
#include "src/store/batch_text.h"

#include <inttypes.h>
#include <string.h>

#include "src/core/number.h"
#include "src/core/print.h"

/* What stands before the sets of each note. */
static const char *const note_mark[HF_NOTES] = {"~", "^", "!", "$"};

static void print_set(const uint32_t *set, uint32_t f, hf_text *out) {
    for (uint32_t i = 0; i < f; i++) {
        hf_text_print(out, " %" PRIu32, set[i]);
    }
    hf_text_print(out, " .");
}

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
    for (uint32_t i = 0; i < t->n_quantity; i++) {
        const hf_quantity *q = &t->quantity[i];
        char sum[40];
        if (q->sets) {
            hf_print_decimal(q->sum, sum);
            hf_text_print(out, " n%u:%" PRIu64 " s%u:%s l%u:%" PRIu64 " h%u:%" PRIu64, i, q->sets, i, sum, i, q->lowest, i,
                          q->highest);
        }
    }
    hf_text_print(out, " |");
    if (t->has_witness) {
        print_set(t->witness, f, out);
    }
    for (uint32_t n = 0; n < HF_NOTES; n++) {
        if (t->has_noted >> n & 1) {
            hf_text_print(out, " %s", note_mark[n]);
            print_set(t->noted + n * (size_t)f, f, out);
        }
    }
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

/* A quantity; of those that nobody keeps one to read over. */
static hf_quantity *quantity_at(const hf_tally *t, uint64_t i, hf_quantity *none) {
    return i < t->n_quantity ? &t->quantity[i] : none;
}

/* Bins "7:12", classes "o1:34", sums "e0:56", maxima "m0:7" and sums of squares "q0:200" of further measures; sets "n0:12", sums
 * "s0:56", least "l0:1" and largest values "h0:9" of quantities. */
static bool read_item(hf_slice *at, hf_tally *t) {
    static const char letters[][2] = {"o", "e", "m", "q", "n", "s", "l", "h"};
    enum { BIN = sizeof letters / sizeof *letters };
    const uint64_t bound = t->n_quantity ? t->n_quantity : HF_NONE;
    const uint64_t bounds[] = {HF_OUTCOMES, HF_EXTRAS, HF_EXTRAS, HF_EXTRAS, bound, bound, bound, bound, HF_HISTOGRAM_BINS};
    hf_quantity none;
    size_t kind = 0;
    while (kind < BIN && !read_mark(at, letters[kind])) {
        kind++;
    }
    uint64_t i;
    hf_u128 value;
    if (!read_u64(at, &i) || i >= bounds[kind] || !read_mark(at, ":") || !read_number(at, &value)) {
        return false;
    }
    hf_quantity *const q = quantity_at(t, i, &none);
    uint64_t *const narrow[] = {&t->outcome[i % HF_OUTCOMES],
                                NULL,
                                &t->extra_max[i % HF_EXTRAS],
                                NULL,
                                &q->sets,
                                NULL,
                                &q->lowest,
                                &q->highest,
                                &t->victims_histogram[i % HF_HISTOGRAM_BINS]};
    hf_u128 *const wide[] = {
        NULL, &t->extra_sum[i % HF_EXTRAS], NULL, &t->extra_squares[i % HF_EXTRAS], NULL, &q->sum, NULL, NULL, NULL};
    if (narrow[kind] && value <= UINT64_MAX) {
        *narrow[kind] = (uint64_t)value;
    } else if (wide[kind]) {
        *wide[kind] = value;
    }
    return wide[kind] || value <= UINT64_MAX;
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

/* Does a note stand there? */
static bool is_marked(hf_slice at) {
    for (uint32_t n = 0; n < HF_NOTES; n++) {
        hf_slice mark = at;
        if (read_mark(&mark, note_mark[n])) {
            return true;
        }
    }
    return false;
}

static bool read_witnesses(hf_slice *at, uint32_t f, hf_tally *t) {
    bool ok = true, has = false;
    if (at->size > 0 && !is_marked(*at)) {
        ok = read_set(at, f, t->witness, &t->has_witness);
    }
    for (uint32_t n = 0; n < HF_NOTES; n++) {
        hf_slice mark = *at;
        if (ok && read_mark(&mark, note_mark[n])) {
            *at = mark;
            ok = read_set(at, f, t->noted ? t->noted + n * (size_t)f : NULL, &has);
            t->has_noted |= (uint8_t)(has << n);
        }
    }
    return ok && at->size == 0;
}

hf_status hf_batch_parse(hf_context *cx, const char *text, uint32_t f, hf_tally *t) {
    hf_slice at = hf_slice_of(text);
    if (t->n_quantity) {
        memset(t->quantity, 0, t->n_quantity * sizeof *t->quantity);
    }
    const bool ok = read_u64(&at, &t->sets) && read_u64(&at, &t->not_tolerated) && read_number(&at, &t->victims_sum) &&
                    read_number(&at, &t->lost_paths_sum) && read_u64(&at, &t->victims_max) && read_u64(&at, &t->lost_paths_max) &&
                    read_u64(&at, &t->lost_paths_sets) && t->lost_paths_sets <= t->sets && read_mark(&at, "|") &&
                    read_histogram(&at, t) && read_witnesses(&at, f, t);
    if (!ok) {
        HF_FAIL(cx, HF_ESTORE, "a stored tally is damaged; run `holdfast store verify`");
    }
    return HF_OK;
}
