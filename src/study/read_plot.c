/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Reading of a study's plots, and of what cells say of curves. */
#include <math.h>

#include "src/core/number.h"
#include "src/core/registry.h"
#include "src/study/read.h"

static hf_status read_axes(const hf_study_reader *r, hf_study_plot *out) {
    static const char *const axes[] = {"auto", "linear", "log-x", "log-y", "log-log", NULL};
    const char *text = r->texts->value[HF_KEY_AXES];
    size_t i = 0;
    if (text && hf_words_need(r->cx, "kind of axes", axes, hf_slice_of(text), &i) != HF_OK) {
        return hf_study_at_key(r, HF_KEY_AXES, HF_EINVAL);
    }
    out->title = r->texts->value[HF_KEY_TITLE];
    out->x_label = r->texts->value[HF_KEY_X_AXIS];
    out->y_label = r->texts->value[HF_KEY_Y_AXIS];
    out->is_free = i == 0;
    out->is_log_x = i == 2 || i == 4;
    out->is_log_y = i >= 3;
    return HF_OK;
}

/* Of what an axis is a share. */
static hf_status read_whole(const hf_study_reader *r, hf_study_key key, double *out) {
    const char *text = r->texts->value[key];
    if (text && (!hf_read_real(text, out) || !(*out > 0))) {
        HF_STUDY_FAIL_AT(r, key, "\"%s\" is not a number above 0, of which the axis shows per cent", text);
    }
    return HF_OK;
}

static hf_status read_plot(const hf_study_reader *r, hf_study_plot *out) {
    const char *need;
    HF_TRY(read_whole(r, HF_KEY_X_OF, &out->x_of));
    HF_TRY(read_whole(r, HF_KEY_Y_OF, &out->y_of));
    HF_TRY(hf_study_need(r, HF_KEY_CURVE_X, &out->x));
    HF_TRY(hf_study_need(r, HF_KEY_X_AXIS, &need));
    HF_TRY(hf_study_need(r, HF_KEY_Y_AXIS, &need));
    out->y = r->texts->value[HF_KEY_PLOT_Y];
    out->series = r->texts->value[HF_KEY_SERIES];
    out->panel = r->texts->value[HF_KEY_PANEL];
    return read_axes(r, out);
}

/* Of a study that describes no plot: the curves that cells name; without axes, shares over the number of faults. */
static hf_status read_default(const hf_study_reader *r, hf_study_plot *out) {
    HF_TRY(read_axes(r, out));
    out->x = out->x_label ? "x" : "f";
    out->series = out->x_label ? "curve" : "label";
    out->title = NULL;
    return HF_OK;
}

hf_status hf_study_read_plots(const hf_study_reader *r) {
    hf_study *s = r->study;
    const hf_study_document *d = &s->document;
    s->n_plot = d->n_plot ? d->n_plot : 1;
    HF_TRY(hf_scratch(d->memory, s->n_plot, sizeof *s->plot, (void **)&s->plot));
    for (size_t i = 0; i < d->n_plot; i++) {
        const hf_study_reader of_plot = {.cx = r->cx, .study = s, .texts = &d->plot[i]};
        HF_TRY(read_plot(&of_plot, &s->plot[i]));
    }
    return d->n_plot ? HF_OK : read_default(r, &s->plot[0]);
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
    const hf_study_plot *plot = &r->study->plot[0];
    if (!plot->x_label || !plot->y_label) {
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
