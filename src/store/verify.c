/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Is a store sound? SQLite looks at the file; then every row of every table that is there, whatever it is called, must have the
 *  checksum that it ends in; then batches and rows must fit each other. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "src/store/batch_text.h"
#include "src/store/schema.h"

typedef struct verifier {
    hf_context *cx;
    hf_store *store;
    uint64_t damaged, unfinished;
    void (*tell)(void *user, const char *problem);
    void *user;
    int64_t campaign, f, at; /* where the last batch of the row ended */
} verifier;

__attribute__((format(printf, 3, 4))) static void complain(verifier *v, uint64_t *count, const char *format, ...) {
    char text[512];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    for (char *c = text; *c; c++) {
        *c = *c >= ' ' && *c <= '~' ? *c : '?'; /* what is damaged may hold anything */
    }
    ++*count;
    if (v->tell) {
        v->tell(v->user, text);
    }
}

/* Hand each row of a query without parameters to `each`. */
static hf_status each_row(verifier *v, const char *sql, hf_status (*each)(verifier *v, hf_sql_statement *row)) {
    hf_sql_statement *s;
    bool row = false;
    hf_status status;
    HF_TRY(hf_sql_prepare(v->cx, v->store->sql, sql, &s));
    while ((status = hf_sql_step(v->cx, s, &row)) == HF_OK && row && (status = each(v, s)) == HF_OK) {
    }
    hf_sql_finalize(s);
    return status;
}

/* ---- the file ---- */

static hf_status see_file(verifier *v, hf_sql_statement *row) {
    if (strcmp(hf_sql_text(row, 0), "ok") != 0) {
        complain(v, &v->damaged, "SQLite: %s", hf_sql_text(row, 0));
    }
    return HF_OK;
}

static hf_status see_reference(verifier *v, hf_sql_statement *row) {
    complain(v, &v->damaged, "table %s: a row names a %s that is not there", hf_sql_text(row, 0), hf_sql_text(row, 2));
    return HF_OK;
}

/* ---- the checksum of every row ---- */

static hf_status see_checksum(verifier *v, hf_sql_statement *row) {
    complain(v, &v->damaged, "%.400s: checksum differs", hf_sql_text(row, 0));
    return HF_OK;
}

/* Columns of a table: all but the checksum, and for a name "table key=value, ...". */
static hf_status list_columns(verifier *v, const char *table, hf_text *columns, hf_text *name, bool *has_checksum) {
    hf_sql_statement *s;
    bool row = false;
    hf_status status;
    *has_checksum = false;
    HF_TRY(hf_sql_prepare(v->cx, v->store->sql, "SELECT name, pk FROM pragma_table_info(?1) ORDER BY cid", &s));
    hf_sql_bind_text(s, 1, table);
    while ((status = hf_sql_step(v->cx, s, &row)) == HF_OK && row) {
        const char *column = hf_sql_text(s, 0);
        if (strcmp(column, "checksum") == 0) {
            *has_checksum = true;
            continue;
        }
        hf_text_print(columns, ", \"%s\"", column);
        if (hf_sql_int(s, 1) > 0) {
            hf_text_print(name, "||'%s%s='||quote(\"%s\")", name->size ? ", " : " ", column, column);
        }
    }
    hf_sql_finalize(s);
    HF_TRY(status);
    HF_TRY(hf_text_check(v->cx, columns));
    return hf_text_check(v->cx, name);
}

static hf_status check_table(verifier *v, const char *table, hf_text *columns, hf_text *name) {
    bool has_checksum;
    char *sql;
    HF_TRY(list_columns(v, table, columns, name, &has_checksum));
    if (!has_checksum || columns->size == 0) {
        complain(v, &v->damaged, "table %s: there is no checksum", table);
        return HF_OK;
    }
    HF_TRY(hf_scratch_print(v->cx, &sql,
                            "SELECT '%s'%s FROM \"%s\" NOT INDEXED WHERE \"checksum\" IS NOT holdfast_checksum('%s'%s)", table,
                            name->data ? name->data : "", table, table, columns->data));
    return each_row(v, sql, see_checksum);
}

static hf_status see_table(verifier *v, hf_sql_statement *row) {
    const hf_mark mark = hf_scratch_mark(v->cx);
    hf_text columns, name;
    hf_text_init(v->cx, &columns);
    hf_text_init(v->cx, &name);
    const hf_status status = check_table(v, hf_sql_text(row, 0), &columns, &name);
    hf_text_free(&columns);
    hf_text_free(&name);
    hf_scratch_reset(v->cx, mark);
    return status;
}

/* ---- batches and rows ---- */

static hf_status see_tally(verifier *v, hf_sql_statement *s, int64_t f, int64_t lo, int64_t hi) {
    const hf_mark mark = hf_scratch_mark(v->cx);
    hf_tally tally = {0};
    HF_TRY(hf_scratch(v->cx, (size_t)f, sizeof *tally.witness, (void **)&tally.witness));
    const bool is_read = hf_batch_parse(v->cx, hf_sql_text(s, 5), (uint32_t)f, &tally) == HF_OK;
    hf_scratch_reset(v->cx, mark);
    if (!is_read || tally.sets != (uint64_t)(hi - lo) || tally.not_tolerated > tally.sets ||
        (int64_t)tally.sets != hf_sql_int(s, 4)) {
        complain(v, &v->damaged, "batch campaign=%" PRId64 ", f=%" PRId64 ", lo=%" PRId64 ": the tally does not fit its range",
                 hf_sql_int(s, 0), f, lo);
    }
    return HF_OK;
}

/* Of sound batches only: the figures of others may ask for any amount of memory. */
static hf_status see_batch(verifier *v, hf_sql_statement *s) {
    const int64_t campaign = hf_sql_int(s, 0), f = hf_sql_int(s, 1), lo = hf_sql_int(s, 2), hi = hf_sql_int(s, 3);
    const bool same_row = campaign == v->campaign && f == v->f;
    if (f < 0 || f >= HF_NONE || hi <= lo || (same_row && lo < v->at)) {
        complain(v, &v->damaged, "batch campaign=%" PRId64 ", f=%" PRId64 ": ranks %" PRId64 "..%" PRId64 " are empty or overlap",
                 campaign, f, lo, hi);
    } else {
        HF_TRY(see_tally(v, s, f, lo, hi));
    }
    v->campaign = campaign;
    v->f = f;
    v->at = hi;
    return HF_OK;
}

static hf_status see_too_many(verifier *v, hf_sql_statement *s) {
    complain(v, &v->damaged, "row campaign=%" PRId64 ", f=%" PRId64 ": more sets than the row has", hf_sql_int(s, 0),
             hf_sql_int(s, 1));
    return HF_OK;
}

static hf_status see_unfinished(verifier *v, hf_sql_statement *s) {
    complain(v, &v->unfinished,
             "row campaign=%" PRId64 ", f=%" PRId64
             ": all its sets are there, but its run was killed before it ended the row; run the"
             " campaign again, which takes no time",
             hf_sql_int(s, 0), hf_sql_int(s, 1));
    return HF_OK;
}

#define ROWS_AND_SETS                                                                                                            \
    "SELECT r.campaign, r.f FROM row r JOIN batch b ON b.campaign = r.campaign AND b.f = r.f GROUP BY r.campaign, r.f"           \
    " HAVING sum(b.sets) "

static hf_status find_damage(verifier *v) {
    HF_TRY(each_row(v, "PRAGMA integrity_check", see_file));
    HF_TRY(each_row(v, "PRAGMA foreign_key_check", see_reference));
    HF_TRY(each_row(v, "SELECT name FROM sqlite_master WHERE type='table' AND name NOT LIKE 'sqlite_%'", see_table));
    HF_TRY(each_row(
        v, "SELECT " HF_STORE_BATCH " FROM batch WHERE " HF_STORE_IS_SOUND("batch", HF_STORE_BATCH) " ORDER BY campaign, f, lo",
        see_batch));
    HF_TRY(each_row(v, ROWS_AND_SETS "> r.total", see_too_many));
    hf_context_clear(v->cx);
    return HF_OK;
}

hf_status hf_store_verify(hf_context *cx, hf_store *store, uint64_t *problems, void (*tell)(void *user, const char *problem),
                          void *user) {
    verifier v = {.cx = cx, .store = store, .tell = tell, .user = user, .campaign = -1, .f = -1};
    HF_TRY(find_damage(&v));
    HF_TRY(each_row(&v, ROWS_AND_SETS "= r.total AND r.finished = ''", see_unfinished));
    *problems = v.damaged + v.unfinished;
    return HF_OK;
}

/* ---- for those who read all of it ---- */

typedef struct first_problem {
    char text[512];
} first_problem;

static void keep_first(void *user, const char *problem) {
    first_problem *first = user;
    if (!*first->text) {
        snprintf(first->text, sizeof first->text, "%s", problem);
    }
}

hf_status hf_store_expect_sound(hf_context *cx, hf_store *store) {
    int64_t now;
    first_problem first = {""};
    verifier v = {.cx = cx, .store = store, .tell = keep_first, .user = &first, .campaign = -1, .f = -1};
    HF_TRY(hf_sql_query_int(cx, store->sql, "PRAGMA data_version", &now));
    if (store->sound_at == now && !store->is_writable) {
        return HF_OK;
    }
    HF_TRY(find_damage(&v));
    if (v.damaged > 0) {
        HF_FAIL(cx, HF_ESTORE,
                "store \"%s\" is damaged: %s; `holdfast store verify` tells all; restore a copy or name another file"
                " with --store",
                store->path, first.text);
    }
    store->sound_at = now;
    return HF_OK;
}
