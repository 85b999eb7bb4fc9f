/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Plots in any form; and as data, for who draws them himself, as the page does (docs/json.md). */
#include "src/format/plot.h"
#include "src/bridge/json.h"

static hf_json *text_of(const char *text) { return text ? hf_json_text(text) : hf_json_null(); }

static hf_json *axis_of(const hf_plot_axis *axis, bool is_log) {
    hf_json *out = hf_json_object(), *names = axis->n_name ? hf_json_array() : hf_json_null();
    for (size_t i = 0; i < axis->n_name; i++) {
        hf_json_push(names, hf_json_text(axis->name[i]));
    }
    hf_json_set(out, "label", text_of(axis->label));
    hf_json_set(out, "log", hf_json_boolean(is_log));
    hf_json_set(out, "names", names);
    return out;
}

/* x, y, and where there is an interval its ends. */
static hf_json *point_of(const hf_plot_layout *l, const hf_plot_point *point) {
    hf_json *out = hf_json_array();
    hf_json_push(out, hf_json_real(point->x));
    hf_json_push(out, hf_json_real(point->y));
    if (hf_plot_has_interval(l, point)) {
        hf_json_push(out, hf_json_real(point->low));
        hf_json_push(out, hf_json_real(point->high));
    }
    return out;
}

static hf_json *series_of(const hf_plot_layout *l, const hf_plot_series *series) {
    hf_json *out = hf_json_object(), *points = hf_json_array();
    for (size_t i = 0; i < series->n_point; i++) {
        if (hf_plot_is_drawn(l, &series->point[i])) {
            hf_json_push(points, point_of(l, &series->point[i]));
        }
    }
    hf_json_set(out, "name", text_of(series->name));
    hf_json_set(out, "panel", text_of(series->panel));
    hf_json_set(out, "joined", hf_json_boolean(series->is_joined));
    hf_json_set(out, "steps", hf_json_boolean(series->is_steps));
    hf_json_set(out, "pale", hf_json_boolean(series->is_pale));
    hf_json_set(out, "published", hf_json_boolean(series->is_published));
    hf_json_set(out, "points", points);
    return out;
}

static hf_status write_json(hf_context *cx, const hf_plot *plot, hf_text *out) {
    hf_plot_layout l;
    HF_TRY(hf_plot_lay_out(cx, plot, 6, 6, 0, &l));
    hf_json *root = hf_json_object(), *series = hf_json_array();
    for (size_t i = 0; i < plot->n_series; i++) {
        hf_json_push(series, series_of(&l, &plot->series[i]));
    }
    hf_json_set(root, "title", text_of(plot->title));
    hf_json_set(root, "x", axis_of(&plot->x, l.x[0].is_log));
    hf_json_set(root, "y", axis_of(&plot->y, l.y[0].is_log));
    hf_json_set(root, "series", series);
    const hf_status status = hf_json_print(cx, root, out);
    hf_json_free(root);
    return status;
}

/* ---- all forms ---- */

hf_status hf_format_plot(hf_context *cx, const hf_plot *plot, hf_plot_form form, hf_text *out) {
    hf_status (*const write[])(hf_context *, const hf_plot *, hf_text *) = {[HF_PLOT_SVG] = hf_plot_write_svg,
                                                                            [HF_PLOT_JSON] = write_json,
                                                                            [HF_PLOT_TEX] = hf_plot_write_tex,
                                                                            [HF_PLOT_TEXT] = hf_plot_write_text};
    const hf_mark mark = hf_scratch_mark(cx);
    const hf_status status = write[form](cx, plot, out);
    hf_scratch_reset(cx, mark);
    return status == HF_OK ? hf_text_check(cx, out) : status;
}
