/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cells that ask a question of the registry: any column of any row of its first table. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/core/number.h"
#include "src/question/ask.h"
#include "src/study/job.h"
#include "src/study/read.h"

enum { ARGUMENTS_MAX = 64 };

/* ---- reading ---- */

static const hf_study_key said_by[HF_STUDY_SAID] = {HF_KEY_TOPOLOGY,  HF_KEY_ROUTING, HF_KEY_UNIVERSE,
                                                    HF_KEY_CRITERION, HF_KEY_TRAFFIC, HF_KEY_FAILED,
                                                    HF_KEY_METHOD,    HF_KEY_SAMPLES, HF_KEY_SEED};

/* One NAME=VALUE; the text is cut at the equals sign. */
static hf_status take_argument(hf_context *cx, char *word, hf_argument *out, size_t *n) {
    char *equals = strchr(word, '=');
    if (!equals || equals == word || !equals[1]) {
        HF_FAIL(cx, HF_EINVAL, "\"%s\" is not right; need NAME=VALUE behind the name of the question", word);
    }
    if (*n == ARGUMENTS_MAX) {
        HF_FAIL(cx, HF_EINVAL, "more than %d arguments", ARGUMENTS_MAX);
    }
    *equals = 0;
    out[(*n)++] = (hf_argument){word, equals + 1};
    return HF_OK;
}

/* "cost traffic=uniform": the arguments behind the name, and what other keys say that the question takes. Texts are in the arena.
 */
static hf_status list_arguments(hf_context *cx, const hf_study_cell *cell, hf_argument *out, size_t *n) {
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
    for (size_t i = 0; i < HF_STUDY_SAID; i++) {
        const char *name = hf_study_key_name(said_by[i]);
        if (cell->said[i] && hf_question_param_named(cell->question, name) && !hf_asked_value(out, n_behind, name)) {
            out[(*n)++] = (hf_argument){name, cell->said[i]};
        }
    }
    return HF_OK;
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

/* \param[out] columns of the answer, static */
static hf_status check_arguments(hf_context *cx, const hf_study_cell *cell, const hf_column **columns) {
    hf_argument arguments[ARGUMENTS_MAX + 8];
    size_t n;
    HF_TRY(list_arguments(cx, cell, arguments, &n));
    *columns = hf_question_columns(cell->question, arguments, n, NULL, NULL);
    return hf_question_check(cx, cell->question, "question", arguments, n);
}

/* A key of the cell that has no meaning for it. */
static hf_status refuse_others(const hf_study_reader *r, const hf_study_cell *cell) {
    static const hf_study_key fit[] = {HF_KEY_ASK,       HF_KEY_COLUMN,   HF_KEY_ROW,    HF_KEY_LABEL, HF_KEY_ID,
                                       HF_KEY_PUBLISHED, HF_KEY_CITATION, HF_KEY_REMARK, HF_KEY_CURVE, HF_KEY_CURVE_X};
    for (uint32_t key = 0; key < HF_KEY_COUNT; key++) {
        bool fits =
            !hf_study_says(r->texts, key) || hf_question_param_named(cell->question, hf_study_key_name((hf_study_key)key));
        for (size_t i = 0; i < sizeof fit / sizeof *fit && !fits; i++) {
            fits = fit[i] == key;
        }
        if (!fits) {
            HF_STUDY_FAIL_AT(r, (hf_study_key)key, "a cell that asks \"%s\" takes none", cell->question->name);
        }
    }
    return HF_OK;
}

hf_status hf_study_read_ask(const hf_study_reader *r, hf_study_cell *cell) {
    HF_TRY(hf_study_need(r, HF_KEY_ASK, &cell->ask));
    HF_TRY(hf_study_need(r, HF_KEY_COLUMN, &cell->column));
    HF_TRY(hf_study_at_key(r, HF_KEY_ASK, find_question(r, cell)));
    HF_TRY(refuse_others(r, cell));
    for (size_t i = 0; i < HF_STUDY_SAID; i++) {
        cell->said[i] = r->texts->value[said_by[i]];
    }
    cell->row = r->texts->value[HF_KEY_ROW];
    if (cell->row && !strchr(cell->row, '=')) {
        HF_STUDY_FAIL_AT(r, HF_KEY_ROW, "\"%s\" is not right; need KEY=VALUE, such as f=2", cell->row);
    }
    const hf_mark mark = hf_scratch_mark(r->cx);
    const hf_column *columns = NULL;
    const hf_status status = check_arguments(r->cx, cell, &columns);
    hf_scratch_reset(r->cx, mark);
    HF_TRY(hf_study_at_key(r, HF_KEY_ASK, status));
    size_t n = 0;
    while (columns[n].key) {
        n++;
    }
    const hf_column *column = find_column(columns, n, cell->column, strlen(cell->column));
    const bool is_percent = column && column->unit && strcmp(column->unit, "%") == 0;
    cell->show = is_percent ? HF_SHOW_ASKED_PERCENT : HF_SHOW_ASKED;
    return HF_OK;
}

/* ---- asking ---- */

typedef struct asking {
    hf_study_job *job;
    hf_journal *journal;
} asking;

static hf_status keep(hf_context *cx, void *user, hf_campaign *campaign) {
    asking *a = user;
    if (!a->job->options->store) {
        return HF_OK;
    }
    HF_TRY(hf_store_journal_new(cx, a->job->options->store, campaign, &a->journal));
    if (a->job->options->again) {
        a->journal->load = NULL;
    }
    campaign->journal = a->journal;
    return HF_OK;
}

/* What a cell of a table says, as text. */
static void print_cell(const hf_column *column, const hf_cell *c, char *text, size_t size) {
    const bool is_count = column->kind == HF_COLUMN_COUNT || column->kind == HF_COLUMN_BIG_COUNT;
    if (!c->is_known) {
        (void)snprintf(text, size, "-");
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

/* Has a row what the cell says, one KEY=VALUE or several with a comma and a blank between? */
static hf_status fits_row(hf_context *cx, const hf_study_cell *cell, const hf_report_table *t, size_t row, bool *out) {
    const char *at = cell->row;
    for (*out = true; *out && at;) {
        const char *end = strstr(at, ", ");
        const size_t size = end ? (size_t)(end - at) : strlen(at), name = strcspn(at, "=");
        const hf_column *key = find_column(t->column, t->n_column, at, name);
        char text[128];
        if (!key || name >= size) {
            return refuse_column(cx, cell, at, name < size ? name : size);
        }
        print_cell(key, &t->cell[row * t->n_column + (size_t)(key - t->column)], text, sizeof text);
        *out = hf_slice_is((hf_slice){at + name + 1, size - name - 1}, text);
        at = end ? end + 2 : NULL;
    }
    return HF_OK;
}

/* The row that the cell names, or the only one. */
static hf_status find_row(hf_context *cx, const hf_study_cell *cell, const hf_report_table *t, size_t *out) {
    const size_t n_row = t->n_cell / t->n_column;
    bool fits = !cell->row && n_row == 1;
    if (!cell->row && !fits) {
        HF_FAIL(cx, HF_EINVAL, "the answer has %zu rows; need \"row\": KEY=VALUE, such as %s=...", n_row, t->column[0].key);
    }
    for (*out = 0; !fits && *out < n_row; *out += !fits) {
        HF_TRY(fits_row(cx, cell, t, *out, &fits));
    }
    if (!fits) {
        HF_FAIL(cx, HF_EINVAL, "no row of the answer has %s", cell->row);
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

static hf_status value_of(hf_context *cx, const hf_study_cell *cell, const hf_column *column, const hf_cell *c,
                          hf_study_value *out) {
    const double unit = cell->show == HF_SHOW_ASKED_PERCENT ? 0.01 : 1;
    switch (column->kind) {
    case HF_COLUMN_COUNT:
    case HF_COLUMN_BIG_COUNT:
    case HF_COLUMN_FLAG:
        *out = hf_study_exact(c->count, 1);
        break;
    case HF_COLUMN_EXACT:
        if (read_fraction(c->word, out)) {
            break;
        }
        *out = (hf_study_value){.is_exact = true, .is_real = true, .real = c->value};
        break;
    case HF_COLUMN_REAL:
        *out = (hf_study_value){.is_exact = true, .is_real = true, .real = unit * c->value};
        break;
    case HF_COLUMN_RANGE:
        *out = (hf_study_value){.is_exact = c->low == c->high, .is_real = true, .real = c->value, .low = c->low, .high = c->high};
        break;
    case HF_COLUMN_ESTIMATE:
        *out = (hf_study_value){.is_exact = strcmp(c->by, hf_interval_method_name(HF_INTERVAL_EXACT)) == 0,
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
    (void)snprintf(out->method, sizeof out->method, "%s, %s%s%s", cell->question->name, column->key, c->by ? ", " : "",
                   c->by ? c->by : "");
    return HF_OK;
}

/* Of a value KEY that is a mean of a run, KEY_steady says whether the run was steady. */
static void rest_on(const hf_study_cell *cell, const hf_report *answer, size_t row, hf_study_value *value) {
    char key[96];
    (void)snprintf(key, sizeof key, "%s_steady", cell->column);
    const hf_cell *c = hf_report_value(answer, NULL, row, key);
    if (c && c->is_known) {
        hf_study_rest_on(value, c->count == 0, 0);
    }
}

static hf_status add_answer(hf_study_job *job, const hf_study_cell *cell, const hf_report *answer) {
    const hf_report_table *t = &answer->table[0];
    const size_t size = strlen(cell->column);
    const hf_column *column = find_column(t->column, t->n_column, cell->column, size);
    hf_study_value value;
    size_t row;
    if (!column) {
        return refuse_column(job->cx, cell, cell->column, size);
    }
    HF_TRY(find_row(job->cx, cell, t, &row));
    const hf_cell *c = &t->cell[row * t->n_column + (size_t)(column - t->column)];
    if (!c->is_known) {
        return hf_study_add_line(job, HF_NONE, NULL, "the answer has no value there");
    }
    HF_TRY(value_of(job->cx, cell, column, c, &value));
    rest_on(cell, answer, row, &value);
    return hf_study_add_line(job, HF_NONE, &value, NULL);
}

static hf_status ask(asking *a, const hf_study_cell *cell) {
    const hf_conduct conduct = {.threads = a->job->options->threads, .keep = keep, .keep_user = a};
    hf_argument arguments[ARGUMENTS_MAX + 8];
    hf_report answer;
    size_t n;
    HF_TRY(list_arguments(a->job->cx, cell, arguments, &n));
    HF_TRY(hf_question_ask(a->job->cx, cell->question, "question", NULL, arguments, n, &conduct, &answer));
    return add_answer(a->job, cell, &answer);
}

hf_status hf_study_do_ask(hf_study_job *job, const hf_study_cell *cell) {
    asking a = {.job = job};
    const hf_mark mark = hf_scratch_mark(job->cx);
    const hf_status status = ask(&a, cell);
    hf_scratch_reset(job->cx, mark);
    hf_store_journal_free(a.journal);
    return status;
}
