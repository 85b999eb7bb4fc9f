/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The keys of cells that ask a question of the registry, and what they say to it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/core/number.h"
#include "src/question/ask.h"
#include "src/study/job.h"
#include "src/study/read.h"

enum { LOADS_MOST = 1000 };

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

/* The parameter of that name, where it lists others of its group; NULL: it does not. */
static const hf_param *list_of(const hf_study_cell *cell, uint32_t key) {
    const hf_param *p = hf_question_param_named(cell->question, hf_study_key_name((hf_study_key)key));
    return p && p->lists ? p : NULL;
}

static bool is_argument(const hf_study_cell *cell, uint32_t key) {
    return !is_own(key) && hf_question_param_named(cell->question, hf_study_key_name((hf_study_key)key));
}

/* One NAME=VALUE; the text is cut at the equals sign. */
static hf_status take_argument(hf_context *cx, char *word, hf_argument *out, size_t *n) {
    char *equals = strchr(word, '=');
    if (!equals || equals == word || !equals[1]) {
        HF_FAIL(cx, HF_EINVAL, "\"%s\" is not right; need NAME=VALUE", word);
    }
    if (*n == HF_STUDY_ARGUMENTS - HF_KEY_COUNT) {
        HF_FAIL(cx, HF_EINVAL, "more than %d arguments", (int)HF_STUDY_ARGUMENTS - HF_KEY_COUNT);
    }
    *equals = 0;
    out[(*n)++] = (hf_argument){word, equals + 1};
    return HF_OK;
}

/* The words of a text, which is cut at `separator`. */
static hf_status take_arguments(hf_context *cx, const char *text, const char *separator, hf_argument *out, size_t *n) {
    char *at;
    HF_TRY(hf_scratch_print(cx, &at, "%s", text));
    for (at += strspn(at, separator); *at; at += strspn(at, separator)) {
        char *word = at;
        at += strcspn(at, separator);
        if (*at) {
            *at++ = 0;
        }
        HF_TRY(take_argument(cx, word, out, n));
    }
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

/* Each parameter by its own name. */
static hf_status without_lists(hf_context *cx, const hf_study_cell *cell, hf_argument *out, size_t *n) {
    const hf_argument *all = out;
    HF_TRY(hf_asked_unlist(cx, cell->question, "question", &all, n));
    if (*n > HF_STUDY_ARGUMENTS) {
        HF_FAIL(cx, HF_ERANGE, "more than %d arguments", (int)HF_STUDY_ARGUMENTS);
    }
    memcpy(out, all, *n * sizeof *out);
    return HF_OK;
}

hf_status hf_study_arguments(hf_context *cx, const hf_study_cell *cell, hf_argument *out, size_t *n) {
    *n = 0;
    HF_TRY(take_arguments(cx, cell->ask + strlen(cell->question->name), " ", out, n));
    const size_t n_behind = *n;
    for (uint32_t key = 0; key < HF_KEY_COUNT; key++) {
        const char *name = hf_study_key_name((hf_study_key)key), *value = cell->texts->value[key];
        if (value && is_argument(cell, key) && !hf_asked_value(out, n_behind, name)) {
            out[(*n)++] = (hf_argument){name, value};
        }
    }
    HF_TRY(drop_strangers(cx, cell, n_behind, out, n));
    if (hf_asked_value(out, *n, "part")) {
        HF_FAIL(cx, HF_EINVAL, "a cell is about all fault sets; leave part=%s out", hf_asked_value(out, *n, "part"));
    }
    if (cell->limits && hf_question_param_named(cell->question, "limits") && !hf_asked_value(out, *n, "limits")) {
        out[(*n)++] = (hf_argument){"limits", cell->limits};
    }
    return without_lists(cx, cell, out, n);
}

static hf_status find_question(const hf_study_reader *r, hf_study_cell *cell) {
    const size_t size = strcspn(cell->ask, " ");
    char *name;
    HF_TRY(hf_scratch_print(r->cx, &name, "%.*s", (int)size, cell->ask));
    return hf_question_find(r->cx, name, &cell->question);
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

/* What a key lists; nothing where it is no list. */
static hf_status read_list(hf_context *cx, const hf_study_cell *cell, uint32_t key, hf_argument *out, size_t *n) {
    const hf_param *p = list_of(cell, key);
    const char *text = p ? cell->texts->value[key] : NULL;
    *n = 0;
    return text ? hf_asked_read_list(cx, cell->question, "question", p, text, out, HF_STUDY_ARGUMENTS, n) : HF_OK;
}

/* Does the message name the key, or a parameter of its list, before it tells what would be right? */
static bool is_named(hf_context *cx, const hf_study_cell *cell, hf_study_key key) {
    char said[512];
    (void)snprintf(said, sizeof said, "%s", hf_context_message(cx));
    char *right = strstr(said, "; there are: ");
    if (right) {
        *right = 0;
    }
    hf_argument list[HF_STUDY_ARGUMENTS];
    size_t n = 0;
    bool found = strstr(said, hf_study_key_name(key));
    if (read_list(cx, cell, key, list, &n) == HF_OK) {
        for (size_t i = 0; i < n; i++) {
            found |= strstr(said, list[i].name) != NULL;
        }
    }
    return found;
}

/* \param[out] columns of the answer, static  \param[out] key that is wrong */
static hf_status check_arguments(hf_context *cx, const hf_study_cell *cell, const hf_column **columns, hf_study_key *wrong) {
    hf_argument arguments[HF_STUDY_ARGUMENTS];
    size_t n;
    for (uint32_t key = 0; key < HF_KEY_COUNT; key++) {
        *wrong = (hf_study_key)key;
        HF_TRY(read_list(cx, cell, key, arguments, &n));
    }
    *wrong = HF_KEY_ASK;
    HF_TRY(hf_study_arguments(cx, cell, arguments, &n));
    *columns = hf_question_columns(cell->question, arguments, n, NULL, NULL);
    const hf_status status = read_arguments(cx, cell->question, arguments, n);
    for (uint32_t key = 0; key < HF_KEY_COUNT && status != HF_OK; key++) {
        const bool is_it = cell->texts->value[key] && is_argument(cell, key);
        *wrong = is_it && is_named(cx, cell, (hf_study_key)key) ? (hf_study_key)key : *wrong;
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

const hf_column *hf_study_find_column(const hf_column *column, size_t n, const char *name, hf_study_end *end) {
    static const char *const ends[] = {[HF_STUDY_LOW] = "_low", [HF_STUDY_HIGH] = "_high"};
    const size_t size = strlen(name);
    const hf_column *found = hf_column_find(column, n, name, size);
    *end = HF_STUDY_WHOLE;
    for (int e = HF_STUDY_LOW; e <= HF_STUDY_HIGH && !found; e++) {
        const size_t tail = strlen(ends[e]);
        if (size > tail && strcmp(name + size - tail, ends[e]) == 0) {
            *end = (hf_study_end)e;
            found = hf_column_find(column, n, name, size - tail);
            found = found && (found->kind == HF_COLUMN_ESTIMATE || found->kind == HF_COLUMN_RANGE) ? found : NULL;
        }
    }
    return found;
}

/* Unit and digits of what is shown, as its column says; where only the answer has the column, its name. */
static void take_form(const hf_column *columns, hf_study_cell *cell) {
    static const char tail[] = "_percent";
    const size_t size = strlen(cell->column), end = sizeof tail - 1;
    size_t n = 0;
    while (columns[n].key) {
        n++;
    }
    hf_study_end whole;
    const hf_column *column = cell->table ? NULL : hf_study_find_column(columns, n, cell->column, &whole);
    cell->shown = column;
    const bool is_percent =
        column ? column->unit && strcmp(column->unit, "%") == 0 : size > end && strcmp(cell->column + size - end, tail) == 0;
    cell->show = is_percent ? HF_SHOW_ASKED_PERCENT : HF_SHOW_ASKED;
    cell->digits = column && column->digits > cell->digits ? column->digits : cell->digits;
}

/* Does the cell name rows by that column? */
static bool names_rows(const hf_study_cell *cell, const char *column) {
    const size_t size = strlen(column);
    for (const char *at = cell->row; at; at = strstr(at, ", ") ? strstr(at, ", ") + 2 : NULL) {
        if (strncmp(at, column, size) == 0 && at[size] == '=') {
            return true;
        }
    }
    return false;
}

/* Loads of a simulation, a row each, unless only the peak of them is asked for. */
static size_t count_loads(const hf_study_cell *cell, const hf_argument *arguments, size_t n) {
    const hf_param *p = hf_question_param_named(cell->question, "load");
    const char *load = p && p->unit && strcmp(p->unit, "list") == 0 ? hf_asked_value(arguments, n, "load") : NULL,
               *peak = hf_asked_value(arguments, n, "peak");
    const hf_list_form form = {.low = 0, .high = INFINITY};
    double list[LOADS_MOST];
    size_t n_load = 0;
    const bool is_list = load && !cell->table && !names_rows(cell, "load") && !(peak && strcmp(peak, "yes") == 0);
    return is_list && hf_read_list(load, &form, LOADS_MOST, list, &n_load) && n_load > 0 ? n_load : 1;
}

/* A line for each number of faults and load, as far as the cell says: shares of a universe are not known here. */
static hf_status count_lines(const hf_study_reader *r, hf_study_cell *cell) {
    hf_argument arguments[HF_STUDY_ARGUMENTS];
    size_t n;
    uint32_t *f = NULL;
    HF_TRY(hf_study_arguments(r->cx, cell, arguments, &n));
    const char *faults = hf_asked_value(arguments, n, "faults");
    cell->n_line = 1;
    if (faults && !names_rows(cell, "f") && !strchr(faults, '%')) {
        HF_TRY(hf_study_at_key(r, HF_KEY_FAULTS, hf_campaign_parse_faults(r->cx, faults, &f, &cell->n_line)));
    }
    hf_release(hf_context_allocator(r->cx), f);
    cell->n_line *= count_loads(cell, arguments, n);
    return HF_OK;
}

hf_status hf_study_read_ask(const hf_study_reader *r, hf_study_cell *cell) {
    HF_TRY(hf_study_need(r, HF_KEY_ASK, &cell->ask));
    if (!r->study->front.is_there || r->texts->value[HF_KEY_COLUMN]) {
        HF_TRY(hf_study_need(r, HF_KEY_COLUMN, &cell->column));
    }
    cell->texts = r->texts;
    cell->limits = cell->column ? NULL : r->study->document.top.value[HF_KEY_LIMITS];
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
    if (!cell->column) {
        cell->n_line = 0;
        return hf_study_read_design(r, columns);
    }
    take_form(columns, cell);
    return count_lines(r, cell);
}
