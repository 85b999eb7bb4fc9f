/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Cells that ask a question of the registry: any column of any row of any table of its answer. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/core/number.h"
#include "src/core/print.h"
#include "src/question/ask.h"
#include "src/report/note.h"
#include "src/study/job.h"

/* ---- values of the answer ---- */

/* What a cell of a table says, as text. */
static void print_cell(const hf_column *column, const hf_cell *c, char *text, size_t size) {
    const bool is_count = column->kind == HF_COLUMN_COUNT || column->kind == HF_COLUMN_BIG_COUNT;
    if (!c->is_known) {
        (void)snprintf(text, size, "-");
    } else if (is_count && c->word) {
        (void)snprintf(text, size, "%.15g", c->value);
    } else if (is_count) {
        (void)snprintf(text, size, "%" PRIu64, (uint64_t)c->count);
    } else if (column->kind == HF_COLUMN_FLAG) {
        (void)snprintf(text, size, c->count ? "yes" : "no");
    } else if (column->kind == HF_COLUMN_WORD || column->kind == HF_COLUMN_NAMES) {
        (void)snprintf(text, size, "%s", c->word);
    } else {
        (void)snprintf(text, size, "%.15g", c->value);
    }
}

static hf_status refuse_column(hf_context *cx, const hf_study_cell *cell, const char *name, size_t size) {
    HF_FAIL(cx, HF_EINVAL, "question \"%s\" has no column \"%.*s\"; docs/json.md names those of its rows", cell->question->name,
            (int)size, name);
}

/* Is the text as said? A "..." at the end stands for whatever follows. */
static bool is_as_said(hf_slice said, const char *text) {
    static const char rest[] = "...";
    const size_t tail = sizeof rest - 1;
    const bool begins = said.size >= tail && memcmp(said.text + said.size - tail, rest, tail) == 0;
    return begins ? strncmp(text, said.text, said.size - tail) == 0 : hf_slice_is(said, text);
}

/* Where the next KEY=VALUE begins, behind a comma and a blank; a comma with something else behind it is of the value. NULL:
 * none. */
static const char *next_condition(const char *at) {
    while ((at = strstr(at, ", "))) {
        const size_t key = strspn(at + 2, "abcdefghijklmnopqrstuvwxyz0123456789_");
        if (key > 0 && at[2 + key] == '=') {
            return at + 2;
        }
        at += 2;
    }
    return NULL;
}

/* Has a row what the cell says, one KEY=VALUE or several with a comma and a blank between? */
static hf_status fits_row(hf_context *cx, const hf_study_cell *cell, const hf_report_table *t, size_t row, bool *out) {
    const char *at = cell->row;
    for (*out = true; *out && at;) {
        const char *next = next_condition(at);
        const size_t size = next ? (size_t)(next - at) - 2 : strlen(at), name = strcspn(at, "=");
        const hf_column *key = hf_column_find(t->column, t->n_column, at, name);
        char text[256];
        if (!key || name >= size) {
            return refuse_column(cx, cell, at, name < size ? name : size);
        }
        print_cell(key, &t->cell[row * t->n_column + (size_t)(key - t->column)], text, sizeof text);
        *out = is_as_said((hf_slice){at + name + 1, size - name - 1}, text);
        at = next;
    }
    return HF_OK;
}

/* "803/1560" in 64 bits each. */
static bool read_fraction(const char *text, hf_study_value *out) {
    hf_slice at = hf_slice_of(text ? text : "");
    uint64_t p, q;
    if (!hf_take_number(&at, &p) || !hf_take_text(&at, "/") || !hf_slice_number(at, 10, &q) || q == 0) {
        return false;
    }
    *out = hf_study_exact(p, q);
    return true;
}

/* A row of the answer. */
typedef struct shown {
    const hf_study_cell *cell;
    const hf_report_table *table;
    size_t row;
    const size_t *chosen; /* the rows that the cell shows */
    size_t n_chosen;
    const char *seed; /* of samples and traffic; NULL: the question takes none */
    hf_study_end end;
} shown;

/* What a column of the row says; NULL: there is none such, or it says nothing. */
static const hf_cell *said_by(const shown *s, const char *key, hf_column_kind kind) {
    const hf_column *column = hf_column_find(s->table->column, s->table->n_column, key, strlen(key));
    return column && column->kind == kind ? hf_study_table_value(s->table, s->row, key) : NULL;
}

/* What the column KEY_tail of the row says of the one that is shown; of NAME_mean that is NAME_tail. */
static const hf_cell *said_beside(const shown *s, const char *tail, hf_column_kind kind) {
    static const char mean[] = "_mean";
    char key[96];
    const size_t size = strlen(s->cell->column), end = sizeof mean - 1;
    const bool is_mean = size > end && strcmp(s->cell->column + size - end, mean) == 0;
    (void)snprintf(key, sizeof key, "%.*s%s", (int)(size - (is_mean ? end : 0)), s->cell->column, tail);
    return said_by(s, key, kind);
}

/* A row of a sample says so. */
static bool is_sampled(const shown *s) {
    const hf_cell *c = said_by(s, "exact", HF_COLUMN_FLAG);
    return c && c->count == 0;
}

/* A number, with the bounds or the half width that stand beside it. One of a sample that has neither decides nothing. */
static hf_study_value value_of_real(const shown *s, double unit, double x) {
    const hf_cell *low = said_beside(s, "_low", HF_COLUMN_REAL), *high = said_beside(s, "_high", HF_COLUMN_REAL),
                  *half = said_beside(s, "_half", HF_COLUMN_REAL);
    hf_study_value v = {.is_real = true, .real = unit * x, .low = unit * x, .high = unit * x};
    v.is_exact = !is_sampled(s) && !half;
    if (low && high) {
        v.low = unit * low->value;
        v.high = unit * high->value;
    } else if (half) {
        v.low = unit * (x - half->value);
        v.high = unit * (x + half->value);
    } else if (!v.is_exact) {
        v.low = -INFINITY;
        v.high = INFINITY;
    }
    return v;
}

static hf_study_value value_of_count(const shown *s, const hf_cell *c) {
    hf_study_value v = hf_study_exact(c->count, 1);
    if (c->word) { /* more digits than a count has */
        v = (hf_study_value){.is_exact = true, .is_real = true, .real = c->value};
    }
    if (is_sampled(s)) {
        v.is_exact = false;
        v.low = -INFINITY;
        v.high = INFINITY;
    }
    return v;
}

static void add_word(hf_study_value *value, const char *before, const char *word, const char *behind) {
    const size_t size = strlen(value->method);
    if (word) {
        (void)snprintf(value->method + size, sizeof value->method - size, ", %s%s%s", before, word, behind);
    }
}

/* Cycles that were measured, of a mean of a run; 0: it is none such. */
static double measured_cycles(const shown *s) {
    const hf_cell *measured = said_by(s, "measured_cycles", HF_COLUMN_BIG_COUNT),
                  *cycles = measured ? measured : said_by(s, "cycles", HF_COLUMN_BIG_COUNT);
    return said_beside(s, "_steady", HF_COLUMN_FLAG) && cycles ? (double)cycles->count : 0;
}

/* Work that is made, and is no walk, says whether it came to its end; NULL: it is none such. */
static const hf_cell *came_to_end(const shown *s) {
    const hf_cell *ended = said_by(s, "ended", HF_COLUMN_FLAG);
    return ended ? ended : said_by(s, "exact", HF_COLUMN_FLAG) ? NULL : said_by(s, "complete", HF_COLUMN_FLAG);
}

/* "tolerance, sampled, 20000 sets, wilson, seed 1"; "simulate, 20000 cycles, batch-means, seed 1". */
static void describe(const shown *s, const hf_cell *c, hf_study_value *value) {
    const hf_cell *exact = said_by(s, "exact", HF_COLUMN_FLAG), *by = said_beside(s, "_interval", HF_COLUMN_WORD);
    const hf_cell *small = said_by(s, "sets", HF_COLUMN_COUNT), *sets = small ? small : said_by(s, "sets", HF_COLUMN_BIG_COUNT);
    char number[40];
    (void)snprintf(value->method, sizeof value->method, "%s", s->cell->question->name);
    const hf_cell *found = said_by(s, "found_by", HF_COLUMN_WORD);
    add_word(value, "", !exact || came_to_end(s) ? NULL : found ? found->word : exact->count ? "exhaustive" : "sampled", "");
    if (sets) {
        hf_print_decimal(sets->count, number);
        add_word(value, "", number, sets->count == 1 ? " set" : " sets");
    }
    const hf_cell *known = said_by(s, "known", HF_COLUMN_COUNT);
    if (known && sets && known->count < sets->count) {
        hf_print_decimal(known->count, number);
        add_word(value, "known for ", number, "");
    }
    const double cycles = measured_cycles(s);
    if (cycles > 0) {
        (void)snprintf(number, sizeof number, "%.0f", cycles);
        add_word(value, "", number, " cycles");
    }
    if (!value->is_exact) {
        add_word(value, "", c->by ? c->by : by ? by->word : NULL, "");
    }
    if (!value->is_exact || came_to_end(s)) { /* work that is made has a seed, too */
        add_word(value, "seed ", s->seed, "");
        const hf_cell *steady = said_beside(s, "_steady", HF_COLUMN_FLAG);
        add_word(value, "", steady && steady->count == 0 ? "not steady" : NULL, "");
    }
}

static void value_of(const shown *s, const hf_column *column, const hf_cell *c, hf_study_value *out) {
    const double unit = s->cell->show == HF_SHOW_ASKED_PERCENT ? 0.01 : 1;
    switch (column->kind) {
    case HF_COLUMN_FLAG:
        *out = hf_study_exact(c->count, 1);
        out->word = c->count ? "yes" : "no";
        break;
    case HF_COLUMN_COUNT:
    case HF_COLUMN_BIG_COUNT:
        *out = value_of_count(s, c);
        break;
    case HF_COLUMN_EXACT:
        if (!read_fraction(c->word, out)) {
            *out = value_of_real(s, unit, c->value);
        }
        break;
    case HF_COLUMN_REAL:
        *out = value_of_real(s, unit, c->value);
        break;
    case HF_COLUMN_RANGE:
    case HF_COLUMN_ESTIMATE:
        *out = (hf_study_value){.is_exact =
                                    c->by ? strcmp(c->by, hf_interval_method_name(HF_INTERVAL_EXACT)) == 0 : c->low == c->high,
                                .is_real = true,
                                .real = unit * c->value,
                                .low = unit * c->low,
                                .high = unit * c->high};
        if (s->end != HF_STUDY_WHOLE) {
            out->real = out->low = out->high = s->end == HF_STUDY_LOW ? out->low : out->high;
        }
        break;
    case HF_COLUMN_WORD:
    case HF_COLUMN_NAMES:
    case HF_COLUMN_TREE:
        *out = (hf_study_value){.is_exact = true, .is_real = true, .real = NAN, .word = c->word};
    }
    describe(s, c, out);
}

/* ---- lines ---- */

/* Do the chosen rows differ in that column? */
static bool tells_apart(const shown *s, const hf_column *column) {
    const hf_report_table *t = s->table;
    const size_t at = (size_t)(column - t->column);
    char first[256], text[256];
    bool differs = false;
    for (size_t i = 0; i < s->n_chosen; i++) {
        print_cell(column, &t->cell[s->chosen[i] * t->n_column + at], i ? text : first, sizeof text);
        differs |= i > 0 && strcmp(first, text) != 0;
    }
    return differs;
}

static void name_by(const shown *s, const hf_column *column, hf_study_value *value) {
    const int n = snprintf(value->what, sizeof value->what, "%s=", column->key);
    print_cell(column, &s->table->cell[s->row * s->table->n_column + (size_t)(column - s->table->column)], value->what + n,
               sizeof value->what - (size_t)n);
}

/* Of several rows: what tells this one from the others, the number of faults, the load, or else the first column; of a list below
 * one head the first of the list. \return the number of faults, or HF_NONE */
static uint32_t name_row(const shown *s, const hf_column *column, hf_study_value *value) {
    const hf_report_table *t = s->table;
    const hf_column *first = &t->column[(size_t)(column - t->column) < t->n_head ? 0 : t->n_head],
                    *f = hf_column_find(t->column, t->n_column, "f", 1),
                    *load = hf_column_find(t->column, t->n_column, "load", 4);
    f = f ? f : strcmp(first->key, "faults") == 0 ? first : NULL;
    const bool by_faults = f && f->kind == HF_COLUMN_COUNT && tells_apart(s, f), by_load = load && tells_apart(s, load);
    if (by_load || !by_faults) {
        name_by(s, by_load ? load : first, value);
    }
    return by_faults ? (uint32_t)t->cell[s->row * t->n_column + (size_t)(f - t->column)].count : HF_NONE;
}

/* Of work that did not end there is no figure. */
static const char *why_none(const shown *s, const hf_cell *c) {
    const hf_cell *ended = came_to_end(s), *sets = said_by(s, "sets", HF_COLUMN_COUNT);
    const bool is_work = said_by(s, "ended", HF_COLUMN_FLAG);
    return is_work && ended->count == 0 ? "no figure: the work did not end, for a deadlock or the cycles that it has"
           : !c->is_known && ended && ended->count == 0
               ? "no figure: the run is not complete, for a lost message or the cycles that it has"
           : !c->is_known && sets && sets->count == 0 ? "no set that is tolerated was found"
           : !c->is_known                             ? "the answer has no value there"
                                                      : NULL;
}

static hf_status add_row(hf_study_job *job, const shown *s, const hf_column *column, bool is_one) {
    const hf_study_answer *a = &job->answer[job->answer_of[job->cell]];
    const hf_cell *c = &s->table->cell[s->row * s->table->n_column + (size_t)(column - s->table->column)];
    hf_study_value value = {0};
    const char *why = why_none(s, c);
    if (why) {
        return hf_study_add_line(job, is_one ? HF_NONE : name_row(s, column, &value), NULL, why);
    }
    value_of(s, column, c, &value);
    if (s->cell->printed.is_text && !value.word) {
        HF_FAIL(job->cx, HF_EINVAL, "column \"%s\" is a number, but \"published\" is \"%s\"; need a number as printed",
                column->key, s->cell->published);
    }
    value.from_store = a->from_store;
    value.is_accepted = a->is_accepted;
    const hf_cell *steady = said_beside(s, "_steady", HF_COLUMN_FLAG);
    value.is_unsteady = steady && steady->count == 0; /* no steadier than its run, and as long */
    value.cycles = measured_cycles(s);
    return hf_study_add_line(job, is_one ? HF_NONE : name_row(s, column, &value), &value, NULL);
}

static hf_status find_said(hf_context *cx, const hf_study_cell *cell, shown *s) {
    const hf_param *p = hf_question_param_named(cell->question, "seed");
    hf_argument arguments[HF_STUDY_ARGUMENTS];
    size_t n;
    HF_TRY(hf_study_arguments(cx, cell, arguments, &n));
    s->seed = hf_asked_value(arguments, n, "seed");
    s->seed = s->seed ? s->seed : p ? p->fallback : NULL;
    return HF_OK;
}

/* The rows that the cell names, or all; of those that a list below one head makes, the first where the head is shown.
 * \param[out] row in the arena, n */
static hf_status find_rows(hf_context *cx, const hf_study_cell *cell, const hf_report_table *t, size_t column, size_t *row,
                           size_t *n) {
    char last[256] = "", first[256];
    *n = 0;
    for (size_t i = 0; i < t->n_cell / t->n_column; i++) {
        bool fits;
        HF_TRY(fits_row(cx, cell, t, i, &fits));
        print_cell(&t->column[0], &t->cell[i * t->n_column], first, sizeof first);
        if (fits && !(*n > 0 && column < t->n_head && strcmp(first, last) == 0)) {
            row[(*n)++] = i;
        }
        memcpy(last, first, sizeof last);
    }
    if (*n == 0) {
        HF_FAIL(cx, HF_EINVAL, "no row of the answer has %s", cell->row ? cell->row : "anything");
    }
    if (*n > 1 && *cell->published) {
        HF_FAIL(cx, HF_EINVAL,
                "a published value belongs to one row, but the answer has %zu%s%s; need \"row\": KEY=VALUE, such as %s=...", *n,
                cell->row ? " with " : "", cell->row ? cell->row : "", t->column[0].key);
    }
    return HF_OK;
}

/* A line for each. */
static hf_status add_rows(hf_study_job *job, const hf_study_cell *cell, const hf_report_table *t) {
    shown s = {.cell = cell, .table = t};
    const hf_column *column = hf_study_find_column(t->column, t->n_column, cell->column, &s.end);
    size_t *row, n;
    if (!column) {
        return refuse_column(job->cx, cell, cell->column, strlen(cell->column));
    }
    HF_TRY(find_said(job->cx, cell, &s));
    HF_TRY(hf_scratch(job->cx, t->n_cell / t->n_column, sizeof *row, (void **)&row));
    HF_TRY(find_rows(job->cx, cell, t, (size_t)(column - t->column), row, &n));
    s.chosen = row;
    s.n_chosen = n;
    for (size_t i = 0; i < n; i++) {
        s.row = row[i];
        HF_TRY(add_row(job, &s, column, n == 1));
    }
    return HF_OK;
}

hf_status hf_study_answer_of(hf_study_job *job, size_t cell, const hf_report **out) {
    const hf_study_cell *c = &job->study->cell[cell];
    const hf_study_answer *a = c->kind == HF_STUDY_ASK && !c->not_computable ? &job->answer[job->answer_of[cell]] : NULL;
    hf_report *answer;
    bool is_whole;
    *out = NULL;
    if (!a || !a->note) {
        return HF_OK;
    }
    HF_TRY(hf_scratch(job->cx, 1, sizeof *answer, (void **)&answer));
    HF_TRY(hf_report_of_note(job->cx, a->note, answer, &is_whole));
    *out = is_whole ? answer : NULL;
    return HF_OK;
}

const hf_report_table *hf_study_table(const hf_report *answer, const char *name) {
    for (size_t i = 0; answer && i < answer->n_table; i++) {
        if (!name || strcmp(answer->table[i].name, name) == 0) {
            return &answer->table[i];
        }
    }
    return NULL;
}

const hf_cell *hf_study_table_value(const hf_report_table *table, size_t row, const char *key) {
    const hf_column *column = hf_column_find(table->column, table->n_column, key, strlen(key));
    const hf_cell *c = column ? &table->cell[row * table->n_column + (size_t)(column - table->column)] : NULL;
    return c && c->is_known ? c : NULL;
}

static hf_status add_answer(hf_study_job *job, const hf_study_cell *cell) {
    const hf_report *answer;
    HF_TRY(hf_study_answer_of(job, job->cell, &answer));
    const hf_report_table *table = hf_study_table(answer, cell->table);
    if (!table) {
        HF_FAIL(job->cx, HF_EINVAL, "the answer of question \"%s\" has no table \"%s\"", cell->question->name, cell->table);
    }
    return add_rows(job, cell, table);
}

hf_status hf_study_do_ask(hf_study_job *job, const hf_study_cell *cell) {
    const hf_study_answer *a = &job->answer[job->answer_of[job->cell]];
    const hf_mark mark = hf_scratch_mark(job->cx);
    const hf_status status = a->why ? hf_study_add_line(job, HF_NONE, NULL, a->why) : add_answer(job, cell);
    hf_scratch_reset(job->cx, mark);
    return status;
}
