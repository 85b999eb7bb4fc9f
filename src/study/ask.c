/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cells that ask a question of the registry: any column of any row of any table of its answer. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/core/number.h"
#include "src/core/print.h"
#include "src/question/ask.h"
#include "src/report/note.h"
#include "src/study/job.h"
#include "src/study/read.h"

/* ---- reading ---- */

/* Keys of a cell that asks which are never arguments. */
static const hf_study_key own_keys[] = {HF_KEY_ASK,       HF_KEY_COLUMN,   HF_KEY_TABLE,  HF_KEY_ROW,   HF_KEY_LABEL,  HF_KEY_ID,
                                        HF_KEY_PUBLISHED, HF_KEY_CITATION, HF_KEY_REMARK, HF_KEY_CURVE, HF_KEY_CURVE_X};

static bool is_own(uint32_t key) {
    bool found = false;
    for (size_t i = 0; i < sizeof own_keys / sizeof *own_keys; i++) {
        found |= own_keys[i] == key;
    }
    return found;
}

static bool is_argument(const hf_study_cell *cell, uint32_t key) {
    return !is_own(key) && hf_question_param_named(cell->question, hf_study_key_name((hf_study_key)key));
}

/* One NAME=VALUE; the text is cut at the equals sign. */
static hf_status take_argument(hf_context *cx, char *word, hf_argument *out, size_t *n) {
    char *equals = strchr(word, '=');
    if (!equals || equals == word || !equals[1]) {
        HF_FAIL(cx, HF_EINVAL, "\"%s\" is not right; need NAME=VALUE behind the name of the question", word);
    }
    if (*n == HF_STUDY_ARGUMENTS - HF_KEY_COUNT) {
        HF_FAIL(cx, HF_EINVAL, "more than %d arguments", (int)HF_STUDY_ARGUMENTS - HF_KEY_COUNT);
    }
    *equals = 0;
    out[(*n)++] = (hf_argument){word, equals + 1};
    return HF_OK;
}

/* What a group around the cell says of those that take it, such as samples, is passed over where it belongs to nothing. */
static hf_status drop_strangers(hf_context *cx, const hf_study_cell *cell, size_t first, hf_argument *list, size_t *n) {
    size_t kept = first;
    for (size_t i = first; i < *n; i++) {
        bool fits = false;
        HF_TRY(hf_asked_has_company(cx, cell->question, list[i].name, list, *n, &fits));
        for (uint32_t key = 0; key < HF_KEY_COUNT && !fits; key++) {
            fits =
                strcmp(hf_study_key_name((hf_study_key)key), list[i].name) == 0 && hf_study_says(cell->texts, (hf_study_key)key);
        }
        list[kept] = list[i];
        kept += fits;
    }
    *n = kept;
    return HF_OK;
}

hf_status hf_study_arguments(hf_context *cx, const hf_study_cell *cell, hf_argument *out, size_t *n) {
    char *at;
    *n = 0;
    HF_TRY(hf_scratch_print(cx, &at, "%s", cell->ask + strlen(cell->question->name)));
    for (at += strspn(at, " "); *at; at += strspn(at, " ")) {
        char *word = at;
        at += strcspn(at, " ");
        if (*at) {
            *at++ = 0;
        }
        HF_TRY(take_argument(cx, word, out, n));
    }
    const size_t n_behind = *n;
    for (uint32_t key = 0; key < HF_KEY_COUNT; key++) {
        const char *name = hf_study_key_name((hf_study_key)key), *value = cell->texts->value[key];
        if (value && is_argument(cell, key) && !hf_asked_value(out, n_behind, name)) {
            out[(*n)++] = (hf_argument){name, value};
        }
    }
    return drop_strangers(cx, cell, n_behind, out, n);
}

static hf_status find_question(const hf_study_reader *r, hf_study_cell *cell) {
    const size_t size = strcspn(cell->ask, " ");
    char *name;
    HF_TRY(hf_scratch_print(r->cx, &name, "%.*s", (int)size, cell->ask));
    return hf_question_find(r->cx, name, &cell->question);
}

static const hf_column *find_column(const hf_column *list, size_t n, const char *key, size_t size) {
    for (size_t i = 0; i < n; i++) {
        if (strlen(list[i].key) == size && memcmp(list[i].key, key, size) == 0) {
            return &list[i];
        }
    }
    return NULL;
}

/* All that is required, and values that parameters take; what the scene names is opened when the study is run. */
static hf_status read_arguments(hf_context *cx, const hf_question *question, const hf_argument *arguments, size_t n) {
    const hf_param *p;
    size_t i;
    char *args;
    bool *given;
    HF_TRY(hf_question_check(cx, question, "question", arguments, n));
    for (i = 0; (p = hf_question_param(question, i)); i++) {
        const bool is_there = hf_asked_value(arguments, n, p->name) || hf_asked_is_replaced(question, arguments, n);
        HF_TRY(is_there || !hf_question_requires(question, i) ? HF_OK
                                                              : hf_asked_refuse_missing(cx, question, "question", p->name));
    }
    HF_TRY(hf_scratch(cx, question->args_size, 1, (void **)&args));
    HF_TRY(hf_scratch(cx, i, sizeof *given, (void **)&given));
    return hf_asked_read(cx, question, "question", arguments, n, given, args);
}

/* \param[out] columns of the answer, static  \param[out] key that is wrong */
static hf_status check_arguments(hf_context *cx, const hf_study_cell *cell, const hf_column **columns, hf_study_key *wrong) {
    hf_argument arguments[HF_STUDY_ARGUMENTS];
    size_t n;
    *wrong = HF_KEY_ASK;
    HF_TRY(hf_study_arguments(cx, cell, arguments, &n));
    *columns = hf_question_columns(cell->question, arguments, n, NULL, NULL);
    const hf_status status = read_arguments(cx, cell->question, arguments, n);
    for (uint32_t key = 0; key < HF_KEY_COUNT && status != HF_OK; key++) {
        const bool is_it = cell->texts->value[key] && is_argument(cell, key);
        *wrong = is_it && strstr(hf_context_message(cx), hf_study_key_name((hf_study_key)key)) ? (hf_study_key)key : *wrong;
    }
    return status;
}

/* A key of the cell that has no meaning for it. */
static hf_status refuse_others(const hf_study_reader *r, const hf_study_cell *cell) {
    for (uint32_t key = 0; key < HF_KEY_COUNT; key++) {
        if (hf_study_says(r->texts, key) && !is_own(key) && !is_argument(cell, key)) {
            HF_STUDY_FAIL_AT(r, (hf_study_key)key, "a cell that asks \"%s\" takes none", cell->question->name);
        }
    }
    return HF_OK;
}

/* Unit and digits of what is shown, as its column says; where only the answer has the column, its name. */
static void take_form(const hf_column *columns, hf_study_cell *cell) {
    static const char tail[] = "_percent";
    const size_t size = strlen(cell->column), end = sizeof tail - 1;
    size_t n = 0;
    while (columns[n].key) {
        n++;
    }
    const hf_column *column = cell->table ? NULL : find_column(columns, n, cell->column, size);
    const bool is_percent =
        column ? column->unit && strcmp(column->unit, "%") == 0 : size > end && strcmp(cell->column + size - end, tail) == 0;
    cell->show = is_percent ? HF_SHOW_ASKED_PERCENT : HF_SHOW_ASKED;
    cell->digits = column && column->digits > cell->digits ? column->digits : cell->digits;
}

/* A line for each number of faults, as far as the cell says: shares of a universe are not known here. */
static hf_status count_lines(const hf_study_reader *r, hf_study_cell *cell) {
    const char *faults = r->texts->value[HF_KEY_FAULTS];
    uint32_t *f = NULL;
    const bool says_f = cell->row && (strncmp(cell->row, "f=", 2) == 0 || strstr(cell->row, ", f="));
    cell->n_line = 1;
    if (faults && !says_f && !strchr(faults, '%') && is_argument(cell, HF_KEY_FAULTS)) {
        HF_TRY(hf_study_at_key(r, HF_KEY_FAULTS, hf_campaign_parse_faults(r->cx, faults, &f, &cell->n_line)));
    }
    hf_release(hf_context_allocator(r->cx), f);
    return HF_OK;
}

hf_status hf_study_read_ask(const hf_study_reader *r, hf_study_cell *cell) {
    HF_TRY(hf_study_need(r, HF_KEY_ASK, &cell->ask));
    HF_TRY(hf_study_need(r, HF_KEY_COLUMN, &cell->column));
    cell->texts = r->texts;
    HF_TRY(hf_study_at_key(r, HF_KEY_ASK, find_question(r, cell)));
    HF_TRY(refuse_others(r, cell));
    cell->table = r->texts->value[HF_KEY_TABLE];
    cell->row = r->texts->value[HF_KEY_ROW];
    if (cell->row && !strchr(cell->row, '=')) {
        HF_STUDY_FAIL_AT(r, HF_KEY_ROW, "\"%s\" is not right; need KEY=VALUE, such as f=2", cell->row);
    }
    const hf_mark mark = hf_scratch_mark(r->cx);
    static const hf_column none[] = {{0}};
    const hf_column *columns = none;
    hf_study_key wrong;
    const hf_status status = check_arguments(r->cx, cell, &columns, &wrong);
    hf_scratch_reset(r->cx, mark);
    HF_TRY(hf_study_at_key(r, wrong, status));
    take_form(columns, cell);
    return count_lines(r, cell);
}

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

/* Where the next KEY=VALUE begins, behind a comma and a blank; a comma with something else behind it is of the value. NULL: none.
 */
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
        const hf_column *key = find_column(t->column, t->n_column, at, name);
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
    const char *seed;   /* of samples and traffic; NULL: the question takes none */
    const char *method; /* of walks; NULL: as by default */
} shown;

/* What a column of the row says; NULL: there is none such, or it says nothing. */
static const hf_cell *said_by(const shown *s, const char *key, hf_column_kind kind) {
    const hf_column *column = find_column(s->table->column, s->table->n_column, key, strlen(key));
    const hf_cell *c = column && column->kind == kind
                           ? &s->table->cell[s->row * s->table->n_column + (size_t)(column - s->table->column)]
                           : NULL;
    return c && c->is_known ? c : NULL;
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

/* "tolerance, sampled, 20000 sets, wilson, seed 1". */
static void describe(const shown *s, const hf_cell *c, hf_study_value *value) {
    const hf_cell *exact = said_by(s, "exact", HF_COLUMN_FLAG), *by = said_beside(s, "_interval", HF_COLUMN_WORD);
    const hf_cell *small = said_by(s, "sets", HF_COLUMN_COUNT), *sets = small ? small : said_by(s, "sets", HF_COLUMN_BIG_COUNT);
    char number[40];
    (void)snprintf(value->method, sizeof value->method, "%s", s->cell->question->name);
    const bool is_counted = s->method && strcmp(s->method, hf_method_name(HF_METHOD_COUNTED)) == 0;
    add_word(value, "", !exact ? NULL : is_counted ? s->method : exact->count ? "exhaustive" : "sampled", "");
    if (sets) {
        hf_print_decimal(sets->count, number);
        add_word(value, "", number, " sets");
    }
    const hf_cell *known = said_by(s, "known", HF_COLUMN_COUNT);
    if (known && sets && known->count < sets->count) {
        hf_print_decimal(known->count, number);
        add_word(value, "known for ", number, "");
    }
    if (!value->is_exact) {
        add_word(value, "", c->by ? c->by : by ? by->word : NULL, "");
        add_word(value, "seed ", s->seed, "");
    }
}

static hf_status value_of(hf_context *cx, const shown *s, const hf_column *column, const hf_cell *c, hf_study_value *out) {
    const double unit = s->cell->show == HF_SHOW_ASKED_PERCENT ? 0.01 : 1;
    switch (column->kind) {
    case HF_COLUMN_COUNT:
    case HF_COLUMN_BIG_COUNT:
    case HF_COLUMN_FLAG:
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
        break;
    case HF_COLUMN_WORD:
    case HF_COLUMN_NAMES:
    case HF_COLUMN_TREE:
        HF_FAIL(cx, HF_EINVAL, "column \"%s\" is words; a cell shows numbers", column->key);
    }
    describe(s, c, out);
    return HF_OK;
}

/* ---- lines ---- */

/* Of several rows: what tells this one from the others, the number of faults or else the first column; of a list below one head
 * the first of the list. */
static uint32_t name_row(const shown *s, const hf_column *column, hf_study_value *value) {
    const hf_report_table *t = s->table;
    const size_t i = (size_t)(column - t->column) < t->n_head ? 0 : t->n_head;
    const hf_column *f = find_column(t->column, t->n_column, "f", 1), *first = f ? f : &t->column[i];
    const hf_cell *c = &t->cell[s->row * t->n_column + (size_t)(first - t->column)];
    const bool is_faults = strcmp(first->key, "f") == 0 || strcmp(first->key, "faults") == 0;
    if (is_faults && first->kind == HF_COLUMN_COUNT && c->is_known) {
        return (uint32_t)c->count;
    }
    const int n = snprintf(value->what, sizeof value->what, "%s=", first->key);
    print_cell(first, c, value->what + n, sizeof value->what - (size_t)n);
    return HF_NONE;
}

static hf_status add_row(hf_study_job *job, const shown *s, const hf_column *column, bool is_one) {
    const hf_study_answer *a = &job->answer[job->answer_of[job->cell]];
    const hf_cell *c = &s->table->cell[s->row * s->table->n_column + (size_t)(column - s->table->column)];
    hf_study_value value = {0};
    if (!c->is_known) {
        return hf_study_add_line(job, is_one ? HF_NONE : name_row(s, column, &value), NULL, "the answer has no value there");
    }
    HF_TRY(value_of(job->cx, s, column, c, &value));
    value.from_store = a->from_store;
    value.is_accepted = a->is_accepted;
    const hf_cell *steady = said_beside(s, "_steady", HF_COLUMN_FLAG);
    hf_study_rest_on(&value, steady && steady->count == 0, 0); /* of a mean of a run */
    return hf_study_add_line(job, is_one ? HF_NONE : name_row(s, column, &value), &value, NULL);
}

static hf_status find_said(hf_context *cx, const hf_study_cell *cell, shown *s) {
    const hf_param *p = hf_question_param_named(cell->question, "seed");
    hf_argument arguments[HF_STUDY_ARGUMENTS];
    size_t n;
    HF_TRY(hf_study_arguments(cx, cell, arguments, &n));
    s->method = hf_asked_value(arguments, n, "method");
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
    const hf_column *column = find_column(t->column, t->n_column, cell->column, strlen(cell->column));
    shown s = {.cell = cell, .table = t};
    size_t *row, n;
    if (!column) {
        return refuse_column(job->cx, cell, cell->column, strlen(cell->column));
    }
    HF_TRY(find_said(job->cx, cell, &s));
    HF_TRY(hf_scratch(job->cx, t->n_cell / t->n_column, sizeof *row, (void **)&row));
    HF_TRY(find_rows(job->cx, cell, t, (size_t)(column - t->column), row, &n));
    for (size_t i = 0; i < n; i++) {
        s.row = row[i];
        HF_TRY(add_row(job, &s, column, n == 1));
    }
    return HF_OK;
}

static hf_status add_answer(hf_study_job *job, const hf_study_cell *cell, const char *note) {
    hf_report answer;
    bool is_whole;
    size_t i = 0;
    HF_TRY(hf_report_of_note(job->cx, note, &answer, &is_whole));
    while (cell->table && i < answer.n_table && strcmp(answer.table[i].name, cell->table) != 0) {
        i++;
    }
    if (!is_whole || i == answer.n_table) {
        HF_FAIL(job->cx, HF_EINVAL, "the answer of question \"%s\" has no table \"%s\"", cell->question->name, cell->table);
    }
    return add_rows(job, cell, &answer.table[i]);
}

hf_status hf_study_do_ask(hf_study_job *job, const hf_study_cell *cell) {
    const hf_study_answer *a = &job->answer[job->answer_of[job->cell]];
    const hf_mark mark = hf_scratch_mark(job->cx);
    const hf_status status = a->why ? hf_study_add_line(job, HF_NONE, NULL, a->why) : add_answer(job, cell, a->note);
    hf_scratch_reset(job->cx, mark);
    return status;
}
