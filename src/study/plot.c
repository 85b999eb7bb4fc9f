/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shares over the number of faults as curves. */
#include <string.h>

#include <holdfast/format.h>

#include "src/study/job.h"

typedef struct curves {
    const hf_study *study;
    const hf_study_outcome *outcome;
    hf_plot_series *series;
    size_t n_series;
    hf_plot_point *point; /* as many as lines; a series holds its own one after the other */
} curves;

static bool is_on_curve(const hf_study_line *line) {
    return line->is_percent && line->f != HF_NONE && line->verdict != HF_STUDY_NOT_COMPUTABLE;
}

static const char *label_of(const curves *c, const hf_study_line *line) { return c->study->cell[line->cell].label; }

static bool is_drawn(const curves *c, const char *label) {
    bool is = false;
    for (size_t s = 0; s < c->n_series && !is; s++) {
        is = strcmp(c->series[s].name, label) == 0;
    }
    return is;
}

/* All points of one label, by ascending number of faults; cells may come in any order. */
static size_t collect(const curves *c, const char *label, hf_plot_point *point) {
    size_t n = 0;
    for (size_t i = 0; i < c->outcome->n_line; i++) {
        const hf_study_line *line = &c->outcome->line[i];
        if (!is_on_curve(line) || strcmp(label_of(c, line), label) != 0) {
            continue;
        }
        size_t at = n++;
        for (; at > 0 && point[at - 1].x > line->f; at--) {
            point[at] = point[at - 1];
        }
        point[at] =
            (hf_plot_point){.x = line->f, .y = 100 * line->value, .low = 100 * line->value_low, .high = 100 * line->value_high};
    }
    return n;
}

static hf_status fill(hf_context *cx, curves *c) {
    size_t used = 0;
    HF_TRY(hf_scratch(cx, c->outcome->n_line, sizeof *c->series, (void **)&c->series));
    HF_TRY(hf_scratch(cx, c->outcome->n_line, sizeof *c->point, (void **)&c->point));
    for (size_t i = 0; i < c->outcome->n_line; i++) {
        const hf_study_line *line = &c->outcome->line[i];
        if (!is_on_curve(line) || is_drawn(c, label_of(c, line))) {
            continue;
        }
        const size_t n = collect(c, label_of(c, line), c->point + used);
        if (n > 1) {
            c->series[c->n_series++] =
                (hf_plot_series){.name = label_of(c, line), .point = c->point + used, .n_point = n, .is_joined = true};
            used += n;
        }
    }
    return HF_OK;
}

static hf_status draw(hf_context *cx, curves *c, bool *any, hf_text *out) {
    HF_TRY(fill(cx, c));
    *any = c->n_series > 0;
    if (!*any) {
        return HF_OK;
    }
    const hf_plot plot = {.title = c->study->title,
                          .x = {.label = "number of faults f"},
                          .y = {.label = "share (%)", .has_zero = true},
                          .series = c->series,
                          .n_series = c->n_series};
    return hf_format_plot(cx, &plot, out);
}

hf_status hf_study_outcome_plot(hf_context *cx, const hf_study *study, const hf_study_outcome *outcome, bool *any, hf_text *out) {
    if (study->front.is_there) {
        return hf_study_front_plot(cx, study, outcome, any, out);
    }
    if (study->axes.x) {
        return hf_study_curves_plot(cx, study, outcome, any, out);
    }
    curves c = {.study = study, .outcome = outcome};
    const hf_mark mark = hf_scratch_mark(cx);
    const hf_status status = draw(cx, &c, any, out);
    hf_scratch_reset(cx, mark);
    return status;
}
