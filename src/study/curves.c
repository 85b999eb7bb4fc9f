/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Curves of a study: which cells are on which, and the drawing. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "src/core/number.h"
#include "src/core/registry.h"
#include "src/study/read.h"

/* ---- reading ---- */

hf_status hf_study_read_axes(const hf_study_reader *r) {
    static const char *const axes[] = {"linear", "log-x", "log-y", "log-log", NULL};
    const char *text = r->texts->value[HF_KEY_AXES];
    hf_study_axes *out = &r->study->axes;
    size_t i = 0; /* linear */
    out->x = r->texts->value[HF_KEY_X_AXIS];
    out->y = r->texts->value[HF_KEY_Y_AXIS];
    if (text && hf_words_need(r->cx, "kind of axes", axes, hf_slice_of(text), &i) != HF_OK) {
        return hf_study_at_key(r, HF_KEY_AXES, HF_EINVAL);
    }
    out->is_log_x = i == 1 || i == 3;
    out->is_log_y = i >= 2;
    return HF_OK;
}

hf_status hf_study_read_curve(const hf_study_reader *r, hf_study_cell *cell) {
    const char *x = r->texts->value[HF_KEY_CURVE_X];
    hf_published number;
    cell->curve = r->texts->value[HF_KEY_CURVE];
    cell->x = NAN;
    if (x && !cell->curve) {
        HF_STUDY_FAIL_AT(r, HF_KEY_CURVE_X, "it says where on a curve, but the cell has no key \"curve\"");
    }
    if (!cell->curve) {
        return HF_OK;
    }
    if (!r->study->axes.x || !r->study->axes.y) {
        HF_STUDY_FAIL_AT(r, HF_KEY_CURVE, "a curve needs the keys \"x-axis\" and \"y-axis\" at the top of the study");
    }
    const char *faults = cell->kind == HF_STUDY_ASK ? r->texts->value[HF_KEY_FAULTS] : NULL;
    uint64_t f;
    if (!x && faults && hf_read_number(faults, 0, UINT32_MAX, &f)) {
        cell->x = (double)f;
    }
    if (!x && !faults) {
        HF_STUDY_FAIL_AT(r, HF_KEY_CURVE, "the cell needs the key \"x\", as it has no number of faults");
    }
    if (x) {
        HF_TRY(hf_study_at_key(r, HF_KEY_CURVE_X, hf_published_parse(r->cx, x, &number)));
        cell->x = hf_published_value(&number);
    }
    return HF_OK;
}

/* ---- drawing ---- */

static bool is_on(const hf_study *study, const hf_study_line *line, const char *curve) {
    const char *own = study->cell[line->cell].curve;
    return own && !isnan(line->x) && strcmp(own, curve) == 0;
}

/* Has an earlier line named this curve? */
static bool is_first(const hf_study *study, const hf_study_outcome *outcome, size_t i) {
    for (size_t k = 0; k < i; k++) {
        if (is_on(study, &outcome->line[k], study->cell[outcome->line[i].cell].curve)) {
            return false;
        }
    }
    return true;
}

/* The points of a curve: computed, or as published. */
static hf_status gather(hf_context *cx, const hf_study *study, const hf_study_outcome *outcome, const char *curve,
                        bool is_published, hf_plot_series *out) {
    hf_plot_point *point;
    *out = (hf_plot_series){.name = curve, .is_joined = !is_published, .is_pale = is_published};
    HF_TRY(hf_scratch(cx, outcome->n_line + 1, sizeof *point, (void **)&point));
    for (size_t i = 0; i < outcome->n_line; i++) {
        const hf_study_line *line = &outcome->line[i];
        const hf_study_cell *cell = &study->cell[line->cell];
        if (!is_on(study, line, curve) || (is_published && !*cell->published)) {
            continue;
        }
        const double value = is_published ? hf_published_value(&cell->printed) : line->value;
        point[out->n_point++] = (hf_plot_point){.x = line->x,
                                                .y = value,
                                                .low = is_published ? value : line->value_low,
                                                .high = is_published ? value : line->value_high};
    }
    out->point = point;
    if (is_published) {
        char *name;
        HF_TRY(hf_scratch_print(cx, &name, "%s, published", curve));
        out->name = name;
    }
    return HF_OK;
}

static hf_status gather_all(hf_context *cx, const hf_study *study, const hf_study_outcome *outcome, hf_plot_series *series,
                            size_t *n) {
    for (size_t i = 0; i < outcome->n_line; i++) {
        const char *curve = study->cell[outcome->line[i].cell].curve;
        if (!curve || isnan(outcome->line[i].x) || !is_first(study, outcome, i)) {
            continue;
        }
        HF_TRY(gather(cx, study, outcome, curve, false, &series[(*n)++]));
        HF_TRY(gather(cx, study, outcome, curve, true, &series[*n]));
        *n += series[*n].n_point > 0;
    }
    return HF_OK;
}

hf_status hf_study_curves_plot(hf_context *cx, const hf_study *study, const hf_study_outcome *outcome, bool *any, hf_text *out) {
    hf_plot_series *series;
    size_t n = 0;
    const hf_mark mark = hf_scratch_mark(cx);
    HF_TRY(hf_scratch(cx, 2 * outcome->n_line + 1, sizeof *series, (void **)&series));
    HF_TRY(gather_all(cx, study, outcome, series, &n));
    const hf_plot plot = {.title = study->title,
                          .x = {.label = study->axes.x, .is_log = study->axes.is_log_x},
                          .y = {.label = study->axes.y, .is_log = study->axes.is_log_y},
                          .series = series,
                          .n_series = n};
    *any = n > 0;
    const hf_status status = n ? hf_format_plot(cx, &plot, out) : HF_OK;
    hf_scratch_reset(cx, mark);
    return status;
}
