/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Lines of the comparison: values as texts, verdicts, the table. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/core/print.h"
#include "src/study/job.h"

const char *hf_study_verdict_name(hf_study_verdict verdict) {
    static const char *const names[] = {[HF_STUDY_REPRODUCED] = "reproduced",
                                        [HF_STUDY_DIFFERS] = "differs",
                                        [HF_STUDY_NOT_COMPUTABLE] = "not computable here",
                                        [HF_STUDY_NO_PUBLISHED] = "no published value",
                                        [HF_STUDY_HOLDS] = "holds",
                                        [HF_STUDY_DOES_NOT_HOLD] = "does not hold",
                                        [HF_STUDY_OPEN] = "open",
                                        [HF_STUDY_NOT_STEADY] = "open: not steady"};
    return names[verdict];
}

/* Open: the interval lies on both sides of what was claimed. */
static hf_study_verdict judge_claim(const hf_study_claim *claim, const hf_study_value *value) {
    const double x = hf_study_number(value), low = value->is_exact ? x : value->low, high = value->is_exact ? x : value->high;
    const bool is_above = claim->excludes_low ? low > claim->low : low >= claim->low;
    const bool is_below = claim->excludes_high ? high < claim->high : high <= claim->high;
    if (is_above && is_below) {
        return HF_STUDY_HOLDS;
    }
    const bool is_under = claim->excludes_low ? high <= claim->low : high < claim->low;
    const bool is_over = claim->excludes_high ? low >= claim->high : low > claim->high;
    return is_under || is_over ? HF_STUDY_DOES_NOT_HOLD : HF_STUDY_OPEN;
}

/* A sampled value agrees if some value of its interval would be printed so. An interval of more than a tenth of what is printed,
 * either way, decides nothing for it. */
static hf_study_verdict judge_sampled(const hf_study_cell *cell, const hf_study_value *value) {
    if (!hf_published_overlaps(&cell->printed, value->low, value->high)) {
        return HF_STUDY_DIFFERS;
    }
    const double widest = 0.1 * hf_published_value(&cell->printed);
    return (value->high - value->low) / 2 <= widest ? HF_STUDY_REPRODUCED : HF_STUDY_OPEN;
}

/* A flag is published as a word or as a number. */
static bool agrees_as_word(const hf_study_cell *cell, const hf_study_value *value) {
    return strcmp(cell->published, value->word) == 0 ||
           (!value->is_real && !cell->printed.is_text && hf_published_agrees(&cell->printed, value->num, value->den));
}

static hf_study_verdict judge(const hf_study_cell *cell, const hf_study_value *value) {
    if (!value) {
        return HF_STUDY_NOT_COMPUTABLE;
    }
    if (value->is_unsteady && (cell->claim.is_made || *cell->published)) {
        return HF_STUDY_NOT_STEADY;
    }
    if (cell->claim.is_made) {
        return judge_claim(&cell->claim, value);
    }
    if (!*cell->published) {
        return HF_STUDY_NO_PUBLISHED;
    }
    if (value->word) {
        return agrees_as_word(cell, value) ? HF_STUDY_REPRODUCED : HF_STUDY_DIFFERS;
    }
    if (!value->is_exact) {
        return judge_sampled(cell, value);
    }
    const bool agrees = value->is_real ? hf_published_agrees_real(&cell->printed, value->real)
                                       : hf_published_agrees(&cell->printed, value->num, value->den);
    return agrees ? HF_STUDY_REPRODUCED : HF_STUDY_DIFFERS;
}

hf_study_verdict hf_study_judge_exact(const hf_study_cell *cell, double value) {
    return judge(cell, &(hf_study_value){.is_exact = true, .is_real = true, .real = value});
}

/* ---- values as texts ---- */

void hf_study_print_real(const hf_study_cell *cell, double value, char text[HF_STUDY_NUMBER_SIZE]) {
    if (hf_study_show_is_percent(cell->show)) {
        snprintf(text, HF_STUDY_NUMBER_SIZE, "%.*g%%", cell->digits, 100 * value);
    } else {
        snprintf(text, HF_STUDY_NUMBER_SIZE, "%.*g", cell->digits, value);
    }
}

/* A whole number that is exact has all its digits. */
static void print_value(const hf_study_cell *cell, const hf_study_value *value, char *text) {
    const bool is_percent = hf_study_show_is_percent(cell->show);
    if (!value->is_real && value->is_exact && value->den == 1 && !is_percent) {
        hf_print_decimal(value->num, text);
    } else if (value->is_real && value->is_exact && value->real == rint(value->real) && fabs(value->real) < 1e15 && !is_percent) {
        snprintf(text, HF_STUDY_NUMBER_SIZE, "%.0f", value->real + 0.0); /* no sign before 0 */
    } else {
        hf_study_print_real(cell, hf_study_number(value), text);
    }
}

/* ---- lines ---- */

static hf_status make_label(hf_context *cx, const hf_study_cell *cell, uint32_t f, const char *what, char **out) {
    char faults[24] = "";
    if (f != HF_NONE) {
        snprintf(faults, sizeof faults, ", f=%" PRIu32, f);
    }
    const hf_mark mark = hf_scratch_mark(cx);
    char *text;
    hf_status status = hf_scratch_print(cx, &text, "%s%s%s%s", cell->label, faults, *what ? ", " : "", what);
    status = status == HF_OK ? hf_duplicate(cx, text, out) : status;
    hf_scratch_reset(cx, mark);
    return status;
}

double hf_study_place(const hf_study_cell *cell, uint32_t f) {
    return !cell->curve ? NAN : isnan(cell->x) && f != HF_NONE ? f : cell->x;
}

hf_status hf_study_remark(hf_context *cx, const hf_store *store, const char *remark, bool is_accepted, char **out) {
    uint64_t n;
    const char *codes = is_accepted ? hf_store_accepted(store, &n) : NULL;
    if (!codes) {
        return hf_duplicate(cx, remark, out);
    }
    const hf_mark mark = hf_scratch_mark(cx);
    char *text;
    hf_status status = hf_scratch_print(cx, &text, "%s%staken over from programs of code %s", remark, *remark ? "; " : "", codes);
    status = status == HF_OK ? hf_duplicate(cx, text, out) : status;
    hf_scratch_reset(cx, mark);
    return status;
}

static hf_status fill_line(hf_context *cx, const hf_store *store, const hf_study_cell *cell, uint32_t f,
                           const hf_study_value *value, const char *why, hf_study_line *line) {
    char computed[HF_STUDY_NUMBER_SIZE] = "", low[HF_STUDY_NUMBER_SIZE] = "", high[HF_STUDY_NUMBER_SIZE] = "";
    if (value) {
        print_value(cell, value, computed);
        line->from_store = value->from_store;
        line->is_accepted = value->is_accepted;
    }
    const bool has_interval = value && !value->is_exact && isfinite(value->low) && isfinite(value->high);
    if (has_interval) {
        hf_study_print_real(cell, value->low, low);
        hf_study_print_real(cell, value->high, high);
    }
    line->f = f;
    line->is_percent = hf_study_show_is_percent(cell->show);
    line->is_exact = value && value->is_exact;
    line->is_unsteady = value && value->is_unsteady;
    line->cycles = value ? value->cycles : 0;
    line->value = value ? hf_study_number(value) : NAN;
    line->value_low = has_interval ? value->low : line->value;
    line->value_high = has_interval ? value->high : line->value;
    line->verdict = judge(cell, value);
    HF_TRY(make_label(cx, cell, f, value ? value->what : "", &line->label));
    HF_TRY(hf_duplicate(cx, cell->published, &line->published));
    HF_TRY(hf_duplicate(cx, value && value->word ? value->word : computed, &line->computed));
    HF_TRY(hf_duplicate(cx, low, &line->low));
    HF_TRY(hf_duplicate(cx, high, &line->high));
    HF_TRY(hf_duplicate(cx, value ? value->method : "", &line->method));
    HF_TRY(hf_duplicate(cx, cell->citation, &line->citation));
    return hf_study_remark(cx, store, why ? why : cell->remark, line->is_accepted, &line->remark);
}

void hf_study_count(hf_study_outcome *o, hf_study_verdict verdict) {
    o->reproduced += verdict == HF_STUDY_REPRODUCED;
    o->differing += verdict == HF_STUDY_DIFFERS;
    o->not_computable += verdict == HF_STUDY_NOT_COMPUTABLE;
    o->holding += verdict == HF_STUDY_HOLDS;
    o->not_holding += verdict == HF_STUDY_DOES_NOT_HOLD;
    o->open += verdict == HF_STUDY_OPEN || verdict == HF_STUDY_NOT_STEADY;
    o->not_steady += verdict == HF_STUDY_NOT_STEADY;
}

hf_status hf_study_add_line(hf_study_job *job, uint32_t f, const hf_study_value *value, const char *why) {
    hf_study_outcome *o = job->outcome;
    HF_TRY(hf_resize(job->cx, o->n_line + 1, sizeof *o->line, (void **)&o->line));
    hf_study_line *line = &o->line[o->n_line++];
    memset(line, 0, sizeof *line);
    line->cell = job->cell;
    line->x = hf_study_place(&job->study->cell[job->cell], f);
    HF_TRY(fill_line(job->cx, job->options->store, &job->study->cell[job->cell], f, value, why, line));
    if (value) {
        job->told[job->cell] = *value;
    }
    job->n_told[job->cell] = job->n_told[job->cell] || !value ? 2 : 1;
    hf_study_count(o, line->verdict);
    return HF_OK;
}

void hf_study_outcome_free(hf_study_outcome *outcome) {
    if (!outcome) {
        return;
    }
    const hf_allocator allocator = outcome->allocator;
    for (size_t i = 0; i < outcome->n_line; i++) {
        const hf_study_line *l = &outcome->line[i];
        void *const text[] = {l->label, l->published, l->computed, l->low, l->high, l->method, l->citation, l->remark};
        for (size_t t = 0; t < sizeof text / sizeof *text; t++) {
            hf_release(&allocator, text[t]);
        }
    }
    for (size_t i = 0; i < outcome->n_design; i++) {
        hf_release(&allocator, outcome->design[i].note);
        hf_release(&allocator, outcome->design[i].remark);
    }
    hf_release(&allocator, outcome->line);
    hf_release(&allocator, outcome->design);
    hf_release(&allocator, outcome);
}
