/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Tables for people: numbers with the same significant digits in a column, intervals, headings. */
#include "src/report/view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/core/print.h"
#include "src/report/said.h"

static size_t width_of(const hf_view_column *s) {
    return s->column && (s->column->kind == HF_COLUMN_ESTIMATE || s->column->kind == HF_COLUMN_RANGE) ? 2 : 1;
}

static hf_status count_text(hf_context *cx, const hf_cell *c, char **out) {
    char small[40];
    hf_print_decimal(c->count, small);
    return hf_scratch_print(cx, out, "%s", c->word ? c->word : small);
}

static hf_status word_text(hf_context *cx, const hf_cell *c, int told, char **out) {
    const hf_said_number number = hf_said_of(c, told);
    return c->said == HF_SAID_VALUE      ? hf_said_value(cx, &number, out)
           : c->said == HF_SAID_INTERVAL ? hf_said_interval(cx, &number, out)
                                         : hf_scratch_print(cx, out, "%s", c->word);
}

/* ---- digits ---- */

/* A row that is wider than a terminal stands upright. */
enum { WIDEST = 132 };

enum { NUMBER_SIZE = 64 };
static const double largest_whole = 1e15; /* what is larger has a power of ten */

/* Significant digits: at most, and as many as the numbers of the column show, which are filled up with zeros unless all are
 * whole. */
typedef struct digits {
    int most, shown;
    bool is_whole;
} digits;
typedef struct precision {
    digits value;
    int told; /* by --digits; 0: nothing */
} precision;

/* With `most` digits; those before the point always stand. */
static void print_digits(double x, int most, char text[NUMBER_SIZE]) {
    const bool is_large = fabs(x) >= pow(10, most) && fabs(x) < largest_whole;
    if (is_large) {
        (void)snprintf(text, NUMBER_SIZE, "%.0f", x);
    } else {
        (void)snprintf(text, NUMBER_SIZE, "%.*g", most, x);
    }
}

/* How many a number shows without zeros at its end; 0: it is none, or has an exponent and stays as it is. */
static int count_digits(double x, int most, bool *is_whole) {
    char text[NUMBER_SIZE];
    int n = 0;
    print_digits(x, most, text);
    *is_whole = !strchr(text, '.');
    if (!isfinite(x) || strchr(text, 'e')) {
        return 0;
    }
    for (const char *c = text + strspn(text, "-0."); *c; c++) {
        n += *c != '.';
    }
    return n < most ? n : most;
}

static void widen(digits *d, double x) {
    bool is_whole;
    const int n = count_digits(x, d->most, &is_whole);
    d->shown = n > d->shown ? n : d->shown;
    d->is_whole &= is_whole || n == 0;
}

/* An estimate whose interval is told by its ends. */
static bool has_ends(const hf_column *column, const hf_cell *c) {
    return column->kind == HF_COLUMN_ESTIMATE && !c->word && c->high > c->low && isfinite(c->high);
}

static precision precision_of(const hf_view *v, const hf_view_column *s) {
    const int own = s->column ? s->column->digits : 0, told = v->style->digits;
    precision p = {.value = {told ? told : own, 0, true}, .told = told};
    for (size_t r = 0; s->column && s->column->kind >= HF_COLUMN_REAL && r < hf_view_rows(v->table); r++) {
        const hf_cell *c = hf_view_cell(v, r, s);
        const bool is_range = s->column->kind == HF_COLUMN_RANGE;
        if (c->is_known && !is_range && !has_ends(s->column, c)) {
            widen(&p.value, c->value);
        }
        if (c->is_known && is_range) {
            widen(&p.value, c->low);
            widen(&p.value, c->high);
        }
    }
    return p;
}

/* 0 is exact, and stays "0". */
static const char *print_number(double x, const digits *d, char *text) {
    bool is_whole;
    const int n = count_digits(x, d->most, &is_whole);
    const bool fills = n && n < d->shown && !d->is_whole;
    if (fills) {
        (void)snprintf(text, NUMBER_SIZE, "%#.*g", d->shown, x);
    } else {
        print_digits(x, d->most, text);
    }
    const size_t size = strlen(text);
    if (n && size && text[size - 1] == '.') {
        text[size - 1] = 0;
    }
    return text;
}

static hf_status number_text(hf_context *cx, double x, const digits *d, char **out) {
    char text[NUMBER_SIZE];
    return hf_scratch_print(cx, out, "%s", print_number(x, d, text));
}

/* ---- cells ---- */

static hf_said_number number_of(const precision *p, const hf_cell *c) {
    return (hf_said_number){c->value, c->low, c->high, p->value.most, p->told, ""};
}

static hf_status interval_text(hf_context *cx, const hf_cell *c, const precision *p, char **out) {
    const bool is_seen = strcmp(c->by, hf_interval_method_name(HF_INTERVAL_BERNSTEIN_SEEN)) == 0;
    const hf_said_number number = number_of(p, c), low = {c->low, c->low, c->low, p->value.most, p->told, ""};
    if (c->word || isnan(c->low)) {
        return hf_scratch_print(cx, out, "%s", c->word ? c->word : "not known");
    }
    if (c->said == HF_SAID_HALF) {
        return hf_said_half(cx, &number, out);
    }
    HF_TRY(isinf(c->high) ? hf_said_value(cx, &low, out) : hf_said_interval(cx, &number, out));
    return hf_scratch_print(cx, out, "%s%s%s", isinf(c->high) ? "at least " : "", *out, is_seen ? " (range not known)" : "");
}

/* With ends as far as they go, else with the digits of its column. */
static hf_status estimate_text(hf_context *cx, const hf_column *column, const hf_cell *c, const precision *p, char **out) {
    const hf_said_number number = number_of(p, c);
    return has_ends(column, c) && !p->told ? hf_said_value(cx, &number, out) : number_text(cx, c->value, &p->value, out);
}

/* A bound that is infinite is no number: what it bounds is infinite where the lower one is. */
static hf_status bound_text(hf_context *cx, const hf_cell *c, double bound, const digits *d, const char **out) {
    char *made = NULL;
    if (isinf(bound)) {
        *out = isinf(c->low) ? "infinite" : "not bounded";
        return HF_OK;
    }
    HF_TRY(number_text(cx, bound, d, &made));
    *out = made;
    return HF_OK;
}

/* One text, of an estimate and a range two. */
static hf_status make_texts(hf_context *cx, const hf_view *v, const hf_view_column *s, const precision *p, const hf_cell *c,
                            const char **text) {
    const char *none = s->column->flags & HF_COLUMN_TOLD ? "none" : v->style->form == HF_FORM_TEXT ? "-" : "";
    char *made = NULL;
    text[0] = none;
    if (width_of(s) == 2) {
        text[1] = none;
    }
    if (!c->is_known) {
        return HF_OK;
    }
    switch (s->column->kind) {
    case HF_COLUMN_COUNT:
    case HF_COLUMN_BIG_COUNT:
        HF_TRY(count_text(cx, c, &made));
        break;
    case HF_COLUMN_FLAG:
        text[0] = c->count ? "yes" : "no";
        return HF_OK;
    case HF_COLUMN_NAMES:
    case HF_COLUMN_TREE:
    case HF_COLUMN_WORD:
        if (!*c->word) { /* of names: there are none */
            return HF_OK;
        }
        HF_TRY(word_text(cx, c, p->told, &made));
        break;
    case HF_COLUMN_ESTIMATE:
        HF_TRY(interval_text(cx, c, p, &made));
        text[1] = made;
        HF_TRY(estimate_text(cx, s->column, c, p, &made));
        break;
    case HF_COLUMN_EXACT:
    case HF_COLUMN_REAL:
        HF_TRY(number_text(cx, c->value, &p->value, &made));
        break;
    case HF_COLUMN_RANGE:
        HF_TRY(bound_text(cx, c, c->low, &p->value, &text[0]));
        return bound_text(cx, c, c->high, &p->value, &text[1]);
    }
    text[0] = made;
    return HF_OK;
}

static hf_status put_texts(hf_context *cx, const hf_view *v, const hf_view_column *s, const precision *p, const hf_cell *c,
                           const char **text) {
    const bool is_number = s->column->kind > HF_COLUMN_TREE || s->column->flags & HF_COLUMN_RIGHT;
    HF_TRY(make_texts(cx, v, s, p, c, text));
    for (size_t i = 0; i < width_of(s) && is_number; i++) {
        HF_TRY(v->style->form == HF_FORM_LATEX ? hf_said_grouped(cx, text[i], &text[i]) : HF_OK);
    }
    return HF_OK;
}

/* Above the first table; in LaTeX, where tables float, and in HTML each says what it is of. */
static hf_status title_of(hf_context *cx, const hf_view *v, bool is_first, const char **out) {
    const bool is_apart = v->style->form == HF_FORM_LATEX || v->style->form == HF_FORM_HTML;
    const bool has_caption = v->style->form == HF_FORM_LATEX && v->report->caption;
    const char *title = has_caption ? v->report->caption : v->report->title;
    char *text = NULL;
    if (is_first && title) {
        HF_TRY(hf_scratch_print(cx, &text, "%s%s", title, v->style->form == HF_FORM_TEXT ? "\n" : ""));
    } else if (is_apart) {
        HF_TRY(hf_scratch_print(cx, &text, "%s: %s", title, v->table->name));
    }
    *out = text;
    return HF_OK;
}

static hf_status put_headings(hf_context *cx, const hf_view *v, const hf_view_column *s, const char **heading) {
    char *least, *most;
    heading[0] = s->column ? s->column->heading : v->report->argument[s->at].name;
    if (s->column && s->column->kind == HF_COLUMN_RANGE) {
        HF_TRY(hf_scratch_print(cx, &least, "%s least", s->column->heading));
        HF_TRY(hf_scratch_print(cx, &most, "%s most", s->column->heading));
        heading[0] = least;
        heading[1] = most;
    } else if (width_of(s) == 2) {
        heading[1] = "95% interval";
    }
    return HF_OK;
}

static hf_status make_table(hf_context *cx, const hf_view *v, bool is_first, hf_table *out) {
    const char **header, **cell;
    bool *is_number;
    *out = (hf_table){.n_row = hf_view_rows(v->table), .note = v->table->note, .widest = v->table->is_upright ? 1 : WIDEST};
    HF_TRY(title_of(cx, v, is_first, &out->title));
    for (size_t i = 0; i < v->n; i++) {
        out->n_column += width_of(&v->column[i]);
    }
    HF_TRY(hf_scratch(cx, out->n_column, sizeof *header, (void **)&header));
    HF_TRY(hf_scratch(cx, out->n_column, sizeof *is_number, (void **)&is_number));
    HF_TRY(hf_scratch(cx, out->n_column * out->n_row, sizeof *cell, (void **)&cell));
    for (size_t i = 0, at = 0; i < v->n; at += width_of(&v->column[i]), i++) {
        const hf_view_column *s = &v->column[i];
        const precision p = precision_of(v, s);
        HF_TRY(put_headings(cx, v, s, &header[at]));
        is_number[at] = s->column && (s->column->kind >= HF_COLUMN_COUNT || s->column->flags & HF_COLUMN_RIGHT);
        if (s->column && s->column->kind == HF_COLUMN_RANGE) {
            is_number[at + 1] = true;
        }
        for (size_t r = 0; r < out->n_row; r++) {
            const char **text = &cell[r * out->n_column + at];
            if (s->column) {
                HF_TRY(put_texts(cx, v, s, &p, hf_view_cell(v, r, s), text));
            } else {
                *text = v->report->argument[s->at].value ? v->report->argument[s->at].value : "";
            }
        }
    }
    out->header = header;
    out->cell = cell;
    out->is_number = is_number;
    return HF_OK;
}

hf_status hf_view_put(hf_context *cx, const hf_view *v, bool is_first, hf_text *out) {
    hf_table t;
    HF_TRY(make_table(cx, v, is_first, &t));
    if (!is_first) {
        hf_text_append(out, "\n", 1);
    }
    const bool is_latex = v->style->form == HF_FORM_LATEX;
    if (is_latex || v->style->form == HF_FORM_HTML) {
        char *label;
        const char *own = v->report->reference ? v->report->reference : v->report->label;
        const char *name = v->style->label ? v->style->label : own;
        HF_TRY(hf_scratch_print(cx, &label, is_first ? "%s" : "%s-%s", name, v->table->name));
        t.label = label;
        return is_latex ? hf_table_latex(cx, &t, out) : hf_table_html(cx, &t, out);
    }
    return v->style->form == HF_FORM_TEXT ? hf_table_text(cx, &t, out) : hf_table_markdown(cx, &t, out);
}
