/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Plots of a study: which lines are on which series of which panel, and where. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/core/number.h"
#include "src/study/read.h"

/* ---- what a line says ---- */

typedef struct drawing {
    hf_context *cx;
    const hf_study *study;
    const hf_study_outcome *outcome;
    const hf_study_plot *plot;
    const char **series, **panel;     /* by line; NULL: it is on none */
    const char **x_series, **x_panel; /* the same of those that say x */
    const char **name;                /* of x, where some is no number */
    size_t n_name;
    hf_plot_series *out;
    size_t n_out;
    hf_status *status; /* of what lines say */
} drawing;

/* What a line says of several rows behind the label of its cell: "..., load=0.1". NULL: nothing under that key */
static const char *said_behind(const hf_study_line *line, const hf_study_cell *cell, hf_slice key) {
    const size_t size = strlen(cell->label);
    const char *at = strlen(line->label) > size ? line->label + size : "";
    while ((at = strstr(at, ", "))) {
        at += 2;
        if (strncmp(at, key.text, key.size) == 0 && at[key.size] == '=') {
            return at + key.size + 1;
        }
    }
    return NULL;
}

/* What a line says under a key: of itself, else its cell by a key or a name of its grids. NULL: nothing */
static const char *said_whole(const drawing *d, const hf_study_line *line, hf_slice key) {
    const hf_study_texts *t = &d->study->document.cell[line->cell];
    const char *behind = said_behind(line, &d->study->cell[line->cell], key);
    const hf_study_variable *v = t->variable;
    if (behind) {
        return behind;
    }
    for (uint32_t k = 0; k < HF_KEY_COUNT; k++) {
        if (t->value[k] && hf_slice_is(key, hf_study_key_name((hf_study_key)k))) {
            return t->value[k];
        }
    }
    while (v && !hf_slice_is(key, v->name)) {
        v = v->before;
    }
    return v ? v->value : NULL;
}

/* The value of an argument of a spec, in the arena. NULL: it has none of that name */
static const char *argument_of(const drawing *d, const char *spec, hf_slice name) {
    char *value = NULL;
    for (const char *at = strchr(spec, ':'); at; at = strchr(at + 1, ',')) {
        if (strncmp(at + 1, name.text, name.size) == 0 && at[1 + name.size] == '=') {
            const char *from = at + 2 + name.size;
            const hf_status status = hf_scratch_print(d->cx, &value, "%.*s", (int)strcspn(from, ","), from);
            *d->status = status == HF_OK ? *d->status : status;
            return status == HF_OK ? value : NULL;
        }
    }
    return NULL;
}

/* The same; "topology.k" is an argument of what it says under "topology". */
static const char *said(const drawing *d, const hf_study_line *line, hf_slice key) {
    const char *whole = said_whole(d, line, key), *dot = whole ? NULL : memchr(key.text, '.', key.size);
    if (!dot) {
        return whole;
    }
    const size_t size = (size_t)(dot - key.text);
    whole = said_whole(d, line, (hf_slice){key.text, size});
    return whole ? argument_of(d, whole, (hf_slice){dot + 1, key.size - size - 1}) : NULL;
}

/* The next of several with commas; in a condition a comma with a blank behind it. \return false: there are no more */
static bool take_part(const char **at, hf_slice *out) {
    if (!*at) {
        return false;
    }
    *at += strspn(*at, " ");
    size_t size = strcspn(*at, ",");
    while (memchr(*at, '=', size) && (*at)[size] == ',' && (*at)[size + 1] != ' ') {
        size += 1 + strcspn(*at + size + 1, ",");
    }
    *out = (hf_slice){*at, size};
    *at = (*at)[size] ? *at + size + 1 : NULL;
    return true;
}

static bool is_condition(hf_slice part) { return memchr(part.text, '=', part.size); }

static hf_slice key_of(hf_slice part) {
    const char *end = memchr(part.text, '=', part.size);
    return (hf_slice){part.text, end ? (size_t)(end - part.text) : part.size};
}

/* Is it the text, where a * stands for any, a ? for a character? */
static bool is_like(const char *text, hf_slice like) {
    const char *at = like.text, *end = at + like.size, *star = NULL, *from = NULL;
    for (; *text; text++) {
        if (at < end && *at == '*') {
            star = ++at;
            from = text--;
        } else if (at < end && (*at == *text || *at == '?')) {
            at++;
        } else if (star) {
            at = star;
            text = from++;
        } else {
            return false;
        }
    }
    return at == end || (at + 1 == end && *at == '*');
}

/* Is one of the values, with | between, what the line says? */
static bool is_one_of(const char *text, hf_slice values) {
    const char *at = values.text, *end = at + values.size;
    while (text && at < end) {
        const char *bar = memchr(at, '|', (size_t)(end - at));
        const hf_slice value = {at, (size_t)((bar ? bar : end) - at)};
        if (is_like(text, value)) {
            return true;
        }
        at = bar ? bar + 1 : end;
    }
    return false;
}

/* Does some condition name that key? */
static bool names(const char *conditions, hf_slice key) {
    hf_slice part;
    while (take_part(&conditions, &part)) {
        const hf_slice own = key_of(part);
        if (is_condition(part) && own.size == key.size && memcmp(own.text, key.text, key.size) == 0) {
            return true;
        }
    }
    return false;
}

/* Does the line fit the conditions, but for those whose keys others name instead? */
static bool fits(const drawing *d, const hf_study_line *line, const char *conditions, const char *instead) {
    hf_slice part;
    while (take_part(&conditions, &part)) {
        const hf_slice key = key_of(part);
        if (is_condition(part) && !names(instead, key) &&
            !is_one_of(said(d, line, key), (hf_slice){key.text + key.size + 1, part.size - key.size - 1})) {
            return false;
        }
    }
    return true;
}

static hf_status refuse_key(const drawing *d, const char *what, hf_slice key) {
    HF_FAIL(d->cx, HF_EINVAL, "study \"%s\": a plot has %s \"%.*s\", which no line of it says", d->study->name, what,
            (int)key.size, key.text);
}

/* "updown", "f = 3"; within braces the value alone. \param[in,out] text NULL from where a key says nothing on */
static hf_status add_value(const drawing *d, const hf_study_line *line, hf_slice key, bool is_named, const char **text) {
    const char *value = said(d, line, key);
    char digits[16], *more;
    double number;
    if (hf_slice_is(key, "f") && line->f != HF_NONE) {
        (void)snprintf(digits, sizeof digits, "%" PRIu32, line->f);
        value = digits;
    }
    const bool has_name = is_named && value && hf_read_real(value, &number);
    HF_TRY(hf_scratch_print(d->cx, &more, "%s%.*s%s%s", *text, has_name ? (int)key.size : 0, key.text, has_name ? " = " : "",
                            value ? value : ""));
    *text = value ? more : NULL;
    return HF_OK;
}

/* A text with keys in braces: "{k}-ary {n}-tree". */
static hf_status fill(const drawing *d, const hf_study_line *line, const char *at, const char **out) {
    for (*out = ""; *at && *out;) {
        const size_t plain = strcspn(at, "{"), size = at[plain] ? strcspn(at + plain + 1, "}") : 0;
        char *text;
        HF_TRY(hf_scratch_print(d->cx, &text, "%s%.*s", *out, (int)plain, at));
        *out = text;
        at += plain;
        HF_TRY(*at ? add_value(d, line, (hf_slice){at + 1, size}, false, out) : HF_OK);
        at += *at ? 1 + size + (at[1 + size] == '}') : 0;
    }
    return HF_OK;
}

/* What a line says under some keys: "updown, f = 3". \param[out] out NULL: not all of them */
static hf_status join(const drawing *d, const hf_study_line *line, const char *keys, const char **out) {
    hf_slice key;
    if (keys && strchr(keys, '{')) {
        return fill(d, line, keys, out);
    }
    for (*out = ""; *out && take_part(&keys, &key);) {
        char *text = "";
        HF_TRY(**out ? hf_scratch_print(d->cx, &text, "%s, ", *out) : HF_OK);
        *out = text;
        HF_TRY(add_value(d, line, key, true, out));
    }
    return HF_OK;
}

/* ---- where a line stands ---- */

static bool is_measured(const drawing *d) { return strchr(d->plot->x, '=') != NULL; }

/* A number; a percentage is a fraction, as in the key x of cells. */
static bool read_place(const char *text, double *out) {
    hf_slice at = hf_slice_of(text);
    const bool is_number = hf_take_real(&at, out), is_percent = is_number && hf_slice_is(at, "%");
    *out = is_percent ? *out / 100 : *out;
    return is_number && (is_percent || at.size == 0);
}

/* What it says for x: under a key, or with keys in braces. \param[out] out NULL: nothing */
static hf_status find_x(const drawing *d, const hf_study_line *line, const char **out) {
    *out = said(d, line, hf_slice_of(d->plot->x));
    return strchr(d->plot->x, '{') ? fill(d, line, d->plot->x, out) : HF_OK;
}

/* A number, or else the place of its name. */
static double place_of(drawing *d, const hf_study_line *line) {
    const hf_slice key = hf_slice_of(d->plot->x);
    const char *text;
    double x = NAN;
    if (find_x(d, line, &text) != HF_OK) {
        return x;
    }
    if (hf_slice_is(key, "x")) {
        return line->x;
    }
    if (hf_slice_is(key, "f") && (line->f != HF_NONE || !text)) {
        return line->f != HF_NONE ? (double)line->f : NAN;
    }
    if (!text || (d->n_name == 0 && read_place(text, &x))) {
        return x;
    }
    for (size_t i = 0; i < d->n_name; i++) {
        x = strcmp(d->name[i], text) == 0 ? (double)i : x;
    }
    return x;
}

/* Where x says words, they are the names of the axis, in the order of the lines. */
static hf_status find_names(drawing *d) {
    const hf_slice key = hf_slice_of(d->plot->x);
    bool is_words = false;
    double number;
    HF_TRY(hf_scratch(d->cx, d->outcome->n_line + 1, sizeof *d->name, (void **)&d->name));
    size_t n = 0;
    for (size_t i = 0; i < d->outcome->n_line && !hf_slice_is(key, "x") && !hf_slice_is(key, "f"); i++) {
        const char *text = NULL;
        size_t k = 0;
        HF_TRY(d->series[i] ? find_x(d, &d->outcome->line[i], &text) : HF_OK);
        while (text && k < n && strcmp(d->name[k], text) != 0) {
            k++;
        }
        is_words |= text && !read_place(text, &number);
        if (text && k == n) {
            d->name[n++] = text;
        }
    }
    d->n_name = is_words ? n : 0;
    return HF_OK;
}

/* The line that says x for this one: of those that do, the one with as many before it on the same series. NULL: none */
static const hf_study_line *partner_of(const drawing *d, size_t line) {
    const char *series = d->series[line], *panel = d->panel[line];
    size_t before = 0;
    for (size_t i = 0; i < line; i++) {
        before += d->series[i] == series && d->panel[i] == panel;
    }
    for (size_t i = 0; i < d->outcome->n_line; i++) {
        if (d->x_series[i] == series && d->x_panel[i] == panel && before-- == 0) {
            return &d->outcome->line[i];
        }
    }
    return NULL;
}

static double share_of(double whole, double value) { return whole > 0 ? 100 * value / whole : value; }
static double scaled(const hf_study_line *line, double value) { return line->is_percent ? 100 * value : value; }

static hf_status x_of(drawing *d, size_t line, double *out) {
    if (!is_measured(d)) {
        *out = share_of(d->n_name ? 0 : d->plot->x_of, place_of(d, &d->outcome->line[line]));
        return HF_OK;
    }
    const hf_study_line *partner = partner_of(d, line);
    if (!partner) {
        return refuse_key(d, "for x", hf_slice_of(d->plot->x));
    }
    *out = share_of(d->plot->x_of, scaled(partner, partner->value));
    return HF_OK;
}

/* ---- series ---- */

/* Equal texts are one text from here on. */
static const char *own_text(const char **text, size_t n, const char *value) {
    for (size_t i = 0; i < n && value; i++) {
        if (text[i] && strcmp(text[i], value) == 0) {
            return text[i];
        }
    }
    return value;
}

/* Is it one of those that are drawn? Claims are where they say themselves that they are on a curve, or y asks for them. */
static bool is_wanted(const drawing *d, const hf_study_line *line) {
    const hf_study_cell *cell = &d->study->cell[line->cell];
    const bool is_default = !d->study->document.n_plot;
    if (is_default && !d->plot->x_label) {
        return line->is_percent && line->f != HF_NONE && line->verdict != HF_STUDY_NOT_COMPUTABLE;
    }
    if (is_default) {
        return cell->curve && !isnan(line->x);
    }
    return (cell->kind == HF_STUDY_ASK || names(d->plot->y, hf_slice_of("kind"))) && fits(d, line, d->plot->y, NULL);
}

/* Series and panel of a line; both NULL where it has not both. */
static hf_status name_line(drawing *d, size_t i, const char **series, const char **panel) {
    const size_t n = d->outcome->n_line;
    HF_TRY(join(d, &d->outcome->line[i], d->plot->series, &series[i]));
    HF_TRY(join(d, &d->outcome->line[i], d->plot->panel, &panel[i]));
    const bool is_there = series[i] && panel[i];
    series[i] = is_there ? own_text(d->series, n, series[i]) : NULL;
    panel[i] = is_there ? own_text(d->panel, n, panel[i]) : NULL;
    return HF_OK;
}

static hf_status name_lines(drawing *d) {
    const size_t n = d->outcome->n_line;
    HF_TRY(hf_scratch(d->cx, n + 1, sizeof *d->series, (void **)&d->series));
    HF_TRY(hf_scratch(d->cx, n + 1, sizeof *d->panel, (void **)&d->panel));
    HF_TRY(hf_scratch(d->cx, n + 1, sizeof *d->x_series, (void **)&d->x_series));
    HF_TRY(hf_scratch(d->cx, n + 1, sizeof *d->x_panel, (void **)&d->x_panel));
    for (size_t i = 0; i < n; i++) {
        HF_TRY(is_wanted(d, &d->outcome->line[i]) ? name_line(d, i, d->series, d->panel) : HF_OK);
    }
    for (size_t i = 0; i < n && is_measured(d); i++) {
        const hf_study_line *line = &d->outcome->line[i];
        const bool is_x = fits(d, line, d->plot->x, NULL) && fits(d, line, d->plot->y, d->plot->x);
        HF_TRY(is_x ? name_line(d, i, d->x_series, d->x_panel) : HF_OK);
    }
    return HF_OK;
}

static hf_plot_point point_of(const drawing *d, const hf_study_line *line, double x, bool is_published) {
    const hf_study_cell *cell = &d->study->cell[line->cell];
    const double all = d->plot->y_of;
    const double published = is_published ? share_of(all, scaled(line, hf_published_value(&cell->printed))) : 0;
    return is_published ? (hf_plot_point){.x = x, .y = published, .low = published, .high = published}
                        : (hf_plot_point){.x = x,
                                          .y = share_of(all, scaled(line, line->value)),
                                          .low = share_of(all, scaled(line, line->value_low)),
                                          .high = share_of(all, scaled(line, line->value_high))};
}

/* By ascending x; what is measured stays in the order of the lines. */
static void insert(const drawing *d, hf_plot_series *s, hf_plot_point *list, hf_plot_point point) {
    size_t at = s->n_point++;
    for (; at > 0 && !is_measured(d) && list[at - 1].x > point.x; at--) {
        list[at] = list[at - 1];
    }
    list[at] = point;
}

/* The series of a line, and the points of all lines that are on it: computed, then published. */
static hf_status gather(drawing *d, size_t first) {
    hf_plot_series computed = {
        .name = *d->series[first] ? d->series[first] : NULL, .panel = d->panel[first], .is_joined = d->n_name == 0};
    hf_plot_series published = computed;
    hf_plot_point *point, *printed;
    published.is_joined = false;
    published.is_published = true;
    HF_TRY(hf_scratch(d->cx, d->outcome->n_line, sizeof *point, (void **)&point));
    HF_TRY(hf_scratch(d->cx, d->outcome->n_line, sizeof *printed, (void **)&printed));
    for (size_t i = first; i < d->outcome->n_line; i++) {
        const hf_study_line *line = &d->outcome->line[i];
        double x = NAN;
        if (d->series[i] != d->series[first] || d->panel[i] != d->panel[first]) {
            continue;
        }
        HF_TRY(x_of(d, i, &x));
        if (!isnan(x)) {
            insert(d, &computed, point, point_of(d, line, x, false));
        }
        if (!isnan(x) && *d->study->cell[line->cell].published) {
            insert(d, &published, printed, point_of(d, line, x, true));
        }
    }
    computed.point = point;
    published.point = printed;
    const bool is_curve = d->study->document.n_plot || d->plot->x_label || computed.n_point > 1;
    if (is_curve && computed.n_point) {
        d->out[d->n_out++] = computed;
    }
    if (is_curve && published.n_point) {
        d->out[d->n_out++] = published;
    }
    return HF_OK;
}

static hf_status gather_all(drawing *d) {
    HF_TRY(hf_scratch(d->cx, 2 * d->outcome->n_line + 1, sizeof *d->out, (void **)&d->out));
    for (size_t i = 0; i < d->outcome->n_line; i++) {
        bool is_first = d->series[i] != NULL;
        for (size_t k = 0; k < i && is_first; k++) {
            is_first = d->series[k] != d->series[i] || d->panel[k] != d->panel[i];
        }
        HF_TRY(is_first ? gather(d, i) : HF_OK);
    }
    return HF_OK;
}

/* The next key of a list, of conditions or of braces. */
static bool take_key(const char **at, hf_slice *out) {
    const char *brace = *at ? strchr(*at, '{') : NULL;
    if (!brace) {
        return take_part(at, out);
    }
    *out = (hf_slice){brace + 1, strcspn(brace + 1, "}")};
    *at = strchr(brace + 1 + out->size, '{');
    return true;
}

static bool says(const drawing *d, const hf_study_line *line, hf_slice key) {
    return said(d, line, key) || (hf_slice_is(key, "f") && line->f != HF_NONE);
}

/* Each key must be said by some line, lest a slip of the pen give an empty picture. \param[in] is_of_points a line that is drawn
 */
static hf_status check_keys(const drawing *d, const char *what, const char *keys, bool is_of_points) {
    hf_slice part;
    while (take_key(&keys, &part)) {
        const hf_slice key = key_of(part);
        bool is_said = false, has_lines = !is_of_points;
        for (size_t i = 0; i < d->outcome->n_line && !is_said; i++) {
            const hf_study_line *line = &d->outcome->line[i];
            const bool counts = !is_of_points || is_wanted(d, line);
            has_lines |= counts;
            is_said = counts && says(d, line, key);
        }
        if (has_lines && !is_said) {
            return refuse_key(d, what, key);
        }
    }
    return HF_OK;
}

static hf_status make_plot(drawing *d, hf_plot *out) {
    const hf_study_plot *p = d->plot;
    if (d->study->document.n_plot) {
        HF_TRY(check_keys(d, "for x", p->x, !is_measured(d)));
        HF_TRY(check_keys(d, "for y", p->y, false));
        HF_TRY(check_keys(d, "for its series", p->series, true));
        HF_TRY(check_keys(d, "for its panels", p->panel, true));
    }
    HF_TRY(name_lines(d));
    HF_TRY(is_measured(d) ? HF_OK : find_names(d));
    HF_TRY(gather_all(d));
    HF_TRY(*d->status);
    *out = (hf_plot){.title = p->title ? p->title : d->study->title,
                     .x = {.label = p->x_label ? p->x_label : "number of faults f",
                           .is_log = p->is_log_x,
                           .is_free = p->is_free,
                           .name = d->name,
                           .n_name = d->n_name},
                     .y = {.label = p->y_label ? p->y_label : "share (%)",
                           .is_log = p->is_log_y,
                           .is_free = p->is_free,
                           .has_zero = !p->y_label},
                     .series = d->out,
                     .n_series = d->n_out};
    return HF_OK;
}

size_t hf_study_plot_count(const hf_study *study) { return study->front.is_there ? study->front.n_axis > 1 : study->n_plot; }

static hf_status draw(hf_context *cx, const hf_study *study, const hf_study_outcome *outcome, size_t which, hf_plot_form form,
                      bool *any, hf_text *out) {
    hf_plot plot;
    hf_status status = HF_OK;
    drawing d = {.cx = cx, .study = study, .outcome = outcome, .plot = &study->plot[which], .status = &status};
    HF_TRY(study->front.is_there ? hf_study_front_plot(cx, study, outcome, &plot) : make_plot(&d, &plot));
    *any = plot.n_series > 0;
    return *any ? hf_format_plot(cx, &plot, form, out) : HF_OK;
}

hf_status hf_study_outcome_plot(hf_context *cx, const hf_study *study, const hf_study_outcome *outcome, size_t which,
                                hf_plot_form form, bool *any, hf_text *out) {
    *any = false;
    if (which >= hf_study_plot_count(study)) {
        return HF_OK;
    }
    const hf_mark mark = hf_scratch_mark(cx);
    const hf_status status = draw(cx, study, outcome, which, form, any, out);
    hf_scratch_reset(cx, mark);
    return status;
}
