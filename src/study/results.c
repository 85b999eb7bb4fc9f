/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What a study gave, as a report, and read back from its CSV. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "src/core/grow.h"
#include "src/core/number.h"
#include "src/report/csv.h"
#include "src/report/note.h"
#include "src/report/said.h"
#include "src/study/job.h"

/* ---- as a report ---- */

static const hf_column columns[] = {{"cell", "cell", NULL, HF_COLUMN_WORD, 6, 0},
                                    {"f", "f", NULL, HF_COLUMN_COUNT, 6, HF_COLUMN_ASKED},
                                    {"published", "published", NULL, HF_COLUMN_WORD, 6, HF_COLUMN_RIGHT},
                                    {"computed", "computed", NULL, HF_COLUMN_WORD, 6, HF_COLUMN_RIGHT},
                                    {"low", "low", NULL, HF_COLUMN_WORD, 6, HF_COLUMN_JSON},
                                    {"high", "high", NULL, HF_COLUMN_WORD, 6, HF_COLUMN_JSON},
                                    {"interval", "95% interval", NULL, HF_COLUMN_WORD, 6, HF_COLUMN_PEOPLE | HF_COLUMN_RIGHT},
                                    {"value", "value", NULL, HF_COLUMN_REAL, 6, HF_COLUMN_ASKED},
                                    {"value_low", "low", NULL, HF_COLUMN_REAL, 6, HF_COLUMN_ASKED},
                                    {"value_high", "high", NULL, HF_COLUMN_REAL, 6, HF_COLUMN_ASKED},
                                    {"method", "method", NULL, HF_COLUMN_WORD, 6, 0},
                                    {"verdict", "verdict", NULL, HF_COLUMN_WORD, 6, 0},
                                    {"remark", "remark", NULL, HF_COLUMN_WORD, 6, 0},
                                    {"citation", "source", NULL, HF_COLUMN_WORD, 6, 0},
                                    {"deviation", "deviation %", "%", HF_COLUMN_REAL, 3, HF_COLUMN_NAMED}};
enum { COLUMNS = sizeof columns / sizeof *columns };

/* A text of cells that a line can be asked for: under a key, or of a name. */
typedef struct detail {
    hf_study_key key; /* HF_KEY_COUNT: of a name */
    const char *name;
} detail;
typedef struct details {
    hf_column *column; /* COLUMNS, then n */
    detail *list;
    size_t n, room, column_room;
} details;

/* Unless a column has the name already. */
static hf_status add_detail(hf_context *cx, details *d, hf_study_key key, const char *name) {
    char *own;
    HF_TRY(hf_scratch_print(cx, &own, "%s", name));
    for (char *c = own; *c; c++) {
        *c = *c == '-' ? '_' : *c;
    }
    if (hf_column_find(d->column, COLUMNS + d->n, own, strlen(own))) {
        return HF_OK;
    }
    size_t n = COLUMNS + d->n;
    HF_GROW_SCRATCH(cx, d->column, n, d->column_room);
    HF_GROW_SCRATCH(cx, d->list, d->n, d->room);
    d->column[n] = (hf_column){own, own, NULL, HF_COLUMN_WORD, 6, HF_COLUMN_NAMED};
    d->list[d->n++] = (detail){key, name};
    return HF_OK;
}

static const char *detail_of(const hf_study_texts *texts, const detail *d) {
    const hf_study_variable *v = texts->variable;
    if (d->key < HF_KEY_COUNT) {
        return texts->value[d->key];
    }
    while (v && strcmp(v->name, d->name) != 0) {
        v = v->before;
    }
    return v ? v->value : NULL;
}

/* Values that all are numbers stand as numbers do. */
static void align(const hf_study *study, details *d) {
    for (size_t k = 0; k < d->n; k++) {
        bool is_number = true;
        double number;
        for (size_t i = 0; i < study->n_cell && is_number; i++) {
            const char *value = detail_of(&study->document.cell[i], &d->list[k]);
            is_number = !value || hf_read_real(value, &number);
        }
        d->column[COLUMNS + k].flags |= is_number ? HF_COLUMN_RIGHT : 0;
    }
}

/* What some cell says, keys before names. */
static hf_status find_details(hf_context *cx, const hf_study *study, details *d) {
    *d = (details){.column_room = COLUMNS};
    HF_TRY(hf_scratch(cx, COLUMNS, sizeof *d->column, (void **)&d->column));
    memcpy(d->column, columns, sizeof columns);
    for (size_t i = 0; i < study->n_cell; i++) {
        for (uint32_t key = 0; key < HF_KEY_COUNT; key++) {
            const bool is_said = study->document.cell[i].value[key] != NULL;
            HF_TRY(is_said ? add_detail(cx, d, (hf_study_key)key, hf_study_key_name((hf_study_key)key)) : HF_OK);
        }
    }
    for (size_t i = 0; i < study->n_cell; i++) {
        for (const hf_study_variable *v = study->document.cell[i].variable; v; v = v->before) {
            HF_TRY(add_detail(cx, d, HF_KEY_COUNT, v->name));
        }
    }
    align(study, d);
    return HF_OK;
}

static double deviation_of(const hf_study_cell *cell, double value) {
    const double published = *cell->published ? hf_published_value(&cell->printed) : 0;
    return published > 0 || published < 0 ? 100 * (value / published - 1) : NAN;
}

/* ---- numbers for people ---- */

enum { DIGITS_LEAST = 3, DIGITS_MOST = 15 };

/* Is what was computed a number? */
static bool is_number(const hf_study_line *l) {
    hf_slice at = hf_slice_of(l->computed);
    double x;
    return hf_take_real(&at, &x) && (at.size == 0 || hf_slice_is(at, "%")) && isfinite(l->value);
}

static bool is_judged_as(const hf_study_cell *cell, const hf_study_line *l, int digits) {
    const double unit = l->is_percent ? 100 : 1;
    return hf_study_judge_exact(cell, hf_said_round(l->value * unit, digits) / unit) == hf_study_judge_exact(cell, l->value);
}

/* Digits of an exact number: as many as were published, three at least, and more where it would be judged otherwise. */
static int digits_of(const hf_study_cell *cell, const hf_study_line *l) {
    if (!cell->claim.is_made && !*cell->published) {
        return cell->digits;
    }
    int digits = 0;
    for (uint64_t left = cell->claim.is_made ? 0 : cell->printed.digits; left > 0; left /= 10) {
        digits++;
    }
    digits = digits < DIGITS_LEAST ? DIGITS_LEAST : digits;
    while (digits < DIGITS_MOST && !is_judged_as(cell, l, digits)) {
        digits++;
    }
    return digits;
}

static hf_cell computed_cell(const hf_study_cell *cell, const hf_study_line *l) {
    const double unit = l->is_percent ? 100 : 1;
    return is_number(l)
               ? hf_cell_said(l->computed, unit * l->value, unit * l->value_low, unit * l->value_high, digits_of(cell, l))
               : hf_cell_word(*l->computed ? l->computed : NULL);
}

hf_status hf_study_say(hf_context *cx, const hf_study_cell *cell, const hf_study_line *l, char **computed, char **interval) {
    const hf_cell c = computed_cell(cell, l);
    *interval = NULL;
    if (!c.said) {
        return hf_scratch_print(cx, computed, "%s", l->computed);
    }
    const hf_said_number number = hf_said_of(&c, 0);
    HF_TRY(hf_said_value(cx, &number, computed));
    return *l->low ? hf_said_interval(cx, &number, interval) : HF_OK;
}

static hf_cell word_or_none(const char *text) { return hf_cell_word(*text ? text : NULL); }

static hf_status add_line(hf_context *cx, const hf_study *study, const details *d, const hf_study_line *l, hf_report *out) {
    const bool has_interval = *l->low;
    hf_cell computed = computed_cell(&study->cell[l->cell], l), interval = hf_cell_none();
    if (has_interval) {
        char *ends;
        HF_TRY(hf_scratch_print(cx, &ends, "%s to %s", l->low, l->high));
        interval = hf_cell_said_interval(ends, computed.value, computed.low, computed.high, computed.digits);
    }
    hf_report_cell(out, hf_cell_word(l->label));
    hf_report_cell(out, l->f == HF_NONE ? hf_cell_none() : hf_cell_count(l->f));
    hf_report_cell(out, word_or_none(l->published));
    hf_report_cell(out, computed);
    hf_report_cell(out, word_or_none(l->low));
    hf_report_cell(out, word_or_none(l->high));
    hf_report_cell(out, interval);
    hf_report_cell(out, hf_cell_real(l->value));
    hf_report_cell(out, has_interval ? hf_cell_real(l->value_low) : hf_cell_none());
    hf_report_cell(out, has_interval ? hf_cell_real(l->value_high) : hf_cell_none());
    hf_report_cell(out, word_or_none(l->method));
    hf_report_cell(out, hf_cell_word(hf_study_verdict_name(l->verdict)));
    hf_report_cell(out, word_or_none(l->remark));
    hf_report_cell(out, word_or_none(l->citation));
    hf_report_cell(out, hf_cell_real(deviation_of(&study->cell[l->cell], l->value)));
    for (size_t i = 0; i < d->n; i++) {
        hf_report_cell(out, hf_cell_word(detail_of(&study->document.cell[l->cell], &d->list[i])));
    }
    return HF_OK;
}

/* "20 reproduced, 1 differ, 0 not computable here." and the claims, if there are any. */
static hf_status make_note(hf_context *cx, const hf_study_outcome *o, char **out) {
    char *steady = "", *claims = "";
    if (o->not_steady) {
        HF_TRY(hf_scratch_print(cx, &steady, ", %zu of them as a run is not steady", o->not_steady));
    }
    if (o->holding + o->not_holding + o->open) {
        HF_TRY(hf_scratch_print(cx, &claims, "\nClaims: %zu hold, %zu do not, %zu are open%s.", o->holding, o->not_holding,
                                o->open, steady));
    }
    return hf_scratch_print(cx, out, "%zu reproduced, %zu differ, %zu not computable here.%s", o->reproduced, o->differing,
                            o->not_computable, claims);
}

static hf_status add_lines(hf_context *cx, const hf_study *study, const hf_study_outcome *outcome, hf_report *out) {
    char *note;
    details d;
    HF_TRY(find_details(cx, study, &d));
    hf_report_table_begin(out, "lines", d.column, COLUMNS + d.n);
    for (size_t i = 0; outcome && i < outcome->n_line; i++) {
        HF_TRY(add_line(cx, study, &d, &outcome->line[i], out));
    }
    HF_TRY(outcome ? make_note(cx, outcome, &note) : HF_OK);
    hf_report_note(out, outcome ? note : NULL);
    return HF_OK;
}

/* What the study says of itself, in lines, before the note of the first table. */
static hf_status tell_about(hf_context *cx, const char *about, hf_report *out) {
    enum { WIDEST = 110 };
    const char *note = out->table[0].note;
    char *text, *begin, *blank = NULL;
    HF_TRY(hf_scratch_print(cx, &text, "%s%s%s", about, note ? "\n" : "", note ? note : ""));
    begin = text;
    for (char *at = text; at < text + strlen(about); at++) {
        begin = *at == '\n' ? at + 1 : begin;
        blank = *at == ' ' ? at : blank;
        if (at - begin >= WIDEST && blank && blank > begin) {
            *blank = '\n';
            begin = blank + 1;
        }
    }
    out->table[0].note = text;
    return HF_OK;
}

static hf_status report(hf_context *cx, const hf_study *study, const hf_study_outcome *outcome, bool is_short, hf_report *out) {
    const bool has_front = study->front.is_there;
    char *caption;
    HF_TRY(hf_study_caption(cx, study, study->title, "", &caption));
    hf_report_begin(cx, study->title, has_front ? "explore" : "study", out);
    out->caption = caption;
    out->reference = study->name;
    hf_report_argument(out, has_front ? "exploration" : "study", study->name);
    hf_report_argument(out, "title", study->title);
    hf_report_argument(out, "about", study->about);
    HF_TRY(has_front ? hf_study_front_table(cx, study, outcome, is_short, out) : HF_OK);
    HF_TRY(hf_study_has_lines(study) ? add_lines(cx, study, outcome, out) : HF_OK);
    return study->about ? tell_about(cx, study->about, out) : HF_OK;
}

hf_status hf_study_outcome_report(hf_context *cx, const hf_study *study, const hf_study_outcome *outcome, hf_report *out) {
    return report(cx, study, outcome, false, out);
}

hf_status hf_study_outcome_report_short(hf_context *cx, const hf_study *study, const hf_study_outcome *outcome, hf_report *out) {
    return report(cx, study, outcome, true, out);
}

/* ---- read back ---- */

typedef struct reader {
    hf_context *cx;
    const hf_study *study;
    hf_csv csv;
    size_t column[COLUMNS]; /* of the file, by ours; those that are read */
    size_t cell, in_cell;   /* of the study: the cell at work, and the lines that it has so far */
    hf_study_outcome *out;
} reader;

/* Our columns by name, as far as they are read. */
enum { CELL, F, PUBLISHED, COMPUTED, VALUE = 7, VALUE_LOW, VALUE_HIGH, METHOD, VERDICT, REMARK, CITATION };

static const char *field(const reader *r, size_t row, size_t column) {
    return r->csv.cell[row * r->csv.n_column + r->column[column]];
}

bool hf_study_is_line_of(const hf_study_cell *cell, const char *label) {
    const size_t size = strlen(cell->label);
    return strncmp(label, cell->label, size) == 0 && (!label[size] || label[size] == ',');
}

/* A line for each row of an answer, as far as the cell says. */
size_t hf_study_lines_of(const hf_study_cell *cell) {
    return cell->kind == HF_STUDY_ASK && !cell->not_computable ? cell->n_line : 1;
}

/* The first cell from there on that is a design, or that is none. */
static size_t next_cell(const hf_study *s, size_t cell, bool is_design) {
    while (cell < s->n_cell && hf_study_is_design(&s->cell[cell]) != is_design) {
        cell++;
    }
    return cell;
}

/* Cells come in the order of the study. What a cell is known to have comes first; kinds that give more lines go on. */
static hf_status find_cell(reader *r, size_t row) {
    const hf_study *s = r->study;
    const char *label = field(r, row, CELL);
    const size_t behind = next_cell(s, r->cell + 1, false);
    const bool fits = r->cell < s->n_cell && hf_study_is_line_of(&s->cell[r->cell], label);
    const bool fits_next = behind < s->n_cell && hf_study_is_line_of(&s->cell[behind], label);
    if (r->in_cell > 0 && fits_next && (!fits || r->in_cell >= hf_study_lines_of(&s->cell[r->cell]))) {
        r->cell = behind;
        r->in_cell = 0;
    } else if (!fits) {
        const size_t next = r->in_cell > 0 ? behind : r->cell;
        HF_FAIL(r->cx, HF_EINVAL, "%s:%" PRIu32 ": \"%s\" is no line of study \"%s\", which goes on with \"%s\"; run it anew",
                r->csv.file, r->csv.line[row], label, s->name, next < s->n_cell ? s->cell[next].label : "nothing");
    }
    r->in_cell++;
    return HF_OK;
}

static hf_status take_real(const reader *r, size_t row, size_t column, double *out) {
    hf_cell cell;
    HF_TRY(hf_csv_cell(r->cx, &r->csv, row, &columns[column], &cell));
    *out = cell.is_known ? cell.value : NAN;
    return HF_OK;
}

static hf_status take_f(const reader *r, size_t row, uint32_t *out) {
    hf_cell cell;
    HF_TRY(hf_csv_cell(r->cx, &r->csv, row, &columns[F], &cell));
    if (cell.is_known && (cell.word || cell.count >= HF_NONE)) {
        HF_FAIL(r->cx, HF_EINVAL, "%s:%" PRIu32 ": f=%s is too large for a number of faults", r->csv.file, r->csv.line[row],
                field(r, row, F));
    }
    *out = cell.is_known ? (uint32_t)cell.count : HF_NONE;
    return HF_OK;
}

static hf_status take_verdict(const reader *r, size_t row, hf_study_verdict *out) {
    const char *text = field(r, row, VERDICT);
    for (int v = 0; v <= HF_STUDY_NOT_STEADY; v++) {
        if (strcmp(text, hf_study_verdict_name((hf_study_verdict)v)) == 0) {
            *out = (hf_study_verdict)v;
            return HF_OK;
        }
    }
    HF_FAIL(r->cx, HF_EINVAL, "%s:%" PRIu32 ": verdict=%s is not right; need one such as \"%s\" or \"%s\"", r->csv.file,
            r->csv.line[row], text, hf_study_verdict_name(HF_STUDY_REPRODUCED), hf_study_verdict_name(HF_STUDY_HOLDS));
}

static hf_status take_texts(const reader *r, size_t row, hf_study_line *l) {
    char low[HF_STUDY_NUMBER_SIZE] = "", high[HF_STUDY_NUMBER_SIZE] = "";
    const hf_study_cell *cell = &r->study->cell[r->cell];
    if (!isnan(l->value_low) && !isnan(l->value_high)) {
        hf_study_print_real(cell, l->value_low, low);
        hf_study_print_real(cell, l->value_high, high);
    }
    HF_TRY(hf_duplicate(r->cx, low, &l->low));
    HF_TRY(hf_duplicate(r->cx, high, &l->high));
    HF_TRY(hf_duplicate(r->cx, field(r, row, CELL), &l->label));
    HF_TRY(hf_duplicate(r->cx, field(r, row, PUBLISHED), &l->published));
    HF_TRY(hf_duplicate(r->cx, field(r, row, COMPUTED), &l->computed));
    HF_TRY(hf_duplicate(r->cx, field(r, row, METHOD), &l->method));
    HF_TRY(hf_duplicate(r->cx, field(r, row, REMARK), &l->remark));
    return hf_duplicate(r->cx, field(r, row, CITATION), &l->citation);
}

static hf_status take_line(reader *r, size_t row) {
    hf_study_line *l = &r->out->line[r->out->n_line++];
    memset(l, 0, sizeof *l);
    HF_TRY(find_cell(r, row));
    HF_TRY(take_f(r, row, &l->f));
    HF_TRY(take_real(r, row, VALUE, &l->value));
    HF_TRY(take_real(r, row, VALUE_LOW, &l->value_low));
    HF_TRY(take_real(r, row, VALUE_HIGH, &l->value_high));
    HF_TRY(take_verdict(r, row, &l->verdict));
    HF_TRY(take_texts(r, row, l));
    const hf_study_cell *cell = &r->study->cell[r->cell];
    l->cell = r->cell;
    l->x = hf_study_place(cell, l->f);
    l->is_percent = hf_study_show_is_percent(cell->show);
    l->is_exact = *l->computed && !*l->low;
    l->value_low = *l->low ? l->value_low : l->value;
    l->value_high = *l->low ? l->value_high : l->value;
    hf_study_count(r->out, l->verdict);
    return HF_OK;
}

static hf_status refuse_end(const reader *r, size_t cell) {
    HF_FAIL(r->cx, HF_EINVAL, "%s ends before \"%s\" of study \"%s\"; run it anew", r->csv.file, r->study->cell[cell].label,
            r->study->name);
}

static hf_status take_lines(reader *r) {
    static const size_t read[] = {CELL, F, PUBLISHED, COMPUTED, VALUE, VALUE_LOW, VALUE_HIGH, METHOD, VERDICT, REMARK, CITATION};
    for (size_t i = 0; i < sizeof read / sizeof *read; i++) {
        HF_TRY(hf_csv_column(r->cx, &r->csv, columns[read[i]].key, &r->column[read[i]]));
    }
    HF_TRY(hf_resize(r->cx, r->csv.n_row + 1, sizeof *r->out->line, (void **)&r->out->line));
    for (size_t row = 0; row < r->csv.n_row; row++) {
        HF_TRY(take_line(r, row));
    }
    const size_t left = r->csv.n_row > 0 ? next_cell(r->study, r->cell + 1, false) : r->cell;
    return left < r->study->n_cell ? refuse_end(r, left) : HF_OK;
}

/* ---- designs read back ---- */

/* Its answer, as far as the front shows it. */
static hf_status take_answer(const reader *r, size_t row, char **note) {
    const hf_study_front *front = &r->study->front;
    hf_report answer;
    hf_text text;
    hf_report_begin(r->cx, "", "", &answer);
    hf_report_table_begin(&answer, "designs", front->column, front->n_column);
    for (size_t c = 0; c < front->n_column; c++) {
        hf_cell cell;
        HF_TRY(hf_csv_cell(r->cx, &r->csv, row, &front->column[c], &cell));
        hf_report_cell(&answer, cell);
    }
    hf_text_init(r->cx, &text);
    hf_status status = hf_report_to_note(&answer, &text);
    status = status == HF_OK ? hf_duplicate(r->cx, text.data, note) : status;
    hf_text_free(&text);
    return status;
}

static hf_status take_design(reader *r, size_t row, const char *label, const char *verdict, const char *remark) {
    hf_study_design *d = &r->out->design[r->out->n_design++];
    *d = (hf_study_design){.cell = r->cell};
    if (r->cell == r->study->n_cell || strcmp(label, r->study->cell[r->cell].label) != 0) {
        HF_FAIL(r->cx, HF_EINVAL, "%s:%" PRIu32 ": \"%s\" is no design of study \"%s\", which goes on with \"%s\"; run it anew",
                r->csv.file, r->csv.line[row], label, r->study->name,
                r->cell < r->study->n_cell ? r->study->cell[r->cell].label : "nothing");
    }
    r->cell = next_cell(r->study, r->cell + 1, true);
    HF_TRY(hf_duplicate(r->cx, remark, &d->remark));
    return strcmp(verdict, hf_front_no_verdict) == 0 ? HF_OK : take_answer(r, row, &d->note);
}

/* The front that the rows come to is the one that the file has. */
static hf_status check_front(const reader *r, size_t verdict, size_t front) {
    hf_report again;
    hf_report_begin(r->cx, "", "", &again);
    HF_TRY(hf_study_front_table(r->cx, r->study, r->out, false, &again));
    for (size_t row = 0; row < r->csv.n_row; row++) {
        const char *const *said = (const char *const *)&r->csv.cell[row * r->csv.n_column];
        const hf_cell *word = hf_study_table_value(&again.table[0], row, "verdict"),
                      *is_on = hf_study_table_value(&again.table[0], row, "front");
        if (strcmp(said[verdict], word->word) != 0 || strcmp(said[front], is_on->count ? "true" : "false") != 0) {
            HF_FAIL(r->cx, HF_EINVAL,
                    "%s:%" PRIu32 ": verdict=%s, front=%s is not right; by study \"%s\" it is %s, %s; run it anew", r->csv.file,
                    r->csv.line[row], said[verdict], said[front], r->study->name, word->word, is_on->count ? "true" : "false");
        }
    }
    return HF_OK;
}

static hf_status take_designs(reader *r) {
    size_t label, verdict, remark, front;
    HF_TRY(hf_csv_column(r->cx, &r->csv, "design", &label));
    HF_TRY(hf_csv_column(r->cx, &r->csv, "verdict", &verdict));
    HF_TRY(hf_csv_column(r->cx, &r->csv, "remark", &remark));
    HF_TRY(hf_csv_column(r->cx, &r->csv, "front", &front));
    HF_TRY(hf_allocate(r->cx, r->csv.n_row + 1, sizeof *r->out->design, (void **)&r->out->design));
    r->cell = next_cell(r->study, 0, true);
    for (size_t row = 0; row < r->csv.n_row; row++) {
        char **said = &r->csv.cell[row * r->csv.n_column];
        HF_TRY(take_design(r, row, said[label], said[verdict], said[remark]));
    }
    HF_TRY(r->cell < r->study->n_cell ? refuse_end(r, r->cell) : HF_OK);
    return check_front(r, verdict, front);
}

static hf_status read_as(hf_context *cx, const hf_study *study, const char *file, const char *data, size_t size,
                         hf_status (*take)(reader *r), hf_study_outcome *out) {
    reader r = {.cx = cx, .study = study, .cell = next_cell(study, 0, false), .out = out};
    const hf_mark mark = hf_scratch_mark(cx);
    hf_status status = hf_csv_read(cx, file, data, size, &r.csv);
    status = status == HF_OK ? take(&r) : status;
    hf_scratch_reset(cx, mark);
    return status;
}

hf_status hf_study_outcome_read_lines(hf_context *cx, const hf_study *study, const char *file, const char *data, size_t size,
                                      hf_study_outcome *outcome) {
    return read_as(cx, study, file, data, size, take_lines, outcome);
}

hf_status hf_study_outcome_read(hf_context *cx, const hf_study *study, const char *file, const char *data, size_t size,
                                hf_study_outcome **out) {
    *out = NULL;
    HF_TRY(hf_allocate(cx, 1, sizeof **out, (void **)out));
    (*out)->allocator = *hf_context_allocator(cx);
    const hf_status status = read_as(cx, study, file, data, size, study->front.is_there ? take_designs : take_lines, *out);
    if (status != HF_OK) {
        hf_study_outcome_free(*out);
        *out = NULL;
    }
    return status;
}
