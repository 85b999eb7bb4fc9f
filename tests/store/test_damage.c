/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Damage: in every column of every table that the file has, and in its raw bytes. What is damaged is named, and no answer
 *  changes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/random.h>
#include <holdfast/store.h>

#include "src/bridge/sqlite.h"
#include "tests/support/folder.h"
#include "tests/support/rows.h"

typedef struct place {
    fixture fx;
    char folder[256], file[300];
    char *bytes; /* of the sound file */
    size_t size;
} place;

static const uint32_t faults[] = {0, 1, 2};

static hf_campaign campaign(place *p, bool is_sampled) {
    hf_campaign c = rows_campaign(&p->fx, "all-pairs", faults, 3);
    if (is_sampled) {
        c.method = HF_METHOD_SAMPLED;
        c.samples = 20;
        c.seed = 7;
    }
    return c;
}

/* \param[out] text of the rows, free() it; NULL where it fails */
static hf_status run(place *p, hf_campaign c, char **text) {
    hf_store *store = NULL;
    hf_journal *journal = NULL;
    hf_result *result = NULL;
    hf_status status;
    *text = NULL;
    HF_TRY_DONE(hf_store_open(p->fx.cx, p->file, HF_STORE_WRITE, &store));
    HF_TRY_DONE(hf_store_journal_new(p->fx.cx, store, &c, &journal));
    c.journal = journal;
    HF_TRY_DONE(hf_campaign_run(p->fx.cx, &c, &result));
    *text = rows_text(result);
done:
    hf_result_free(result);
    hf_store_journal_free(journal);
    hf_store_close(store);
    return status;
}

static void fill(place *p) {
    hf_store *store;
    for (int is_sampled = 0; is_sampled < 2; is_sampled++) {
        char *text;
        fixture_ok(&p->fx, run(p, campaign(p, is_sampled), &text));
        free(text);
    }
    fixture_ok(&p->fx, hf_store_open(p->fx.cx, p->file, HF_STORE_WRITE, &store));
    fixture_ok(&p->fx, hf_store_note(p->fx.cx, store, "simulation|a", "1 2 3"));
    fixture_ok(&p->fx, hf_store_note(p->fx.cx, store, "simulation|b", "4"));
    hf_store_close(store);
}

static int open_place(void **state) {
    place *p = calloc(1, sizeof *p);
    fixture_open(&p->fx, "kary-tree:k=2,n=2", "channels", "updown");
    folder_open(p->folder, sizeof p->folder);
    folder_file(p->folder, "store.db", p->file, sizeof p->file);
    fill(p);
    p->bytes = folder_read(p->file, &p->size);
    *state = p;
    return 0;
}

static int close_place(void **state) {
    place *p = *state;
    folder_close(p->folder);
    fixture_close(&p->fx);
    free(p->bytes);
    free(p);
    return 0;
}

/* ---- what the store says ---- */

static hf_status print_row(hf_context *cx, void *user, const hf_store_row *r) {
    (void)cx;
    hf_text_print(user, "%s %s %s %s %s %s %d %d %u %s %s %s %s %d %s %d %s %s %s %s %u %a %s %s\n", r->topology, r->routing,
                  r->universe, r->criterion, r->method, r->order, (int)r->samples, (int)r->seed, r->f, r->sets, r->not_tolerated,
                  r->victims_sum, r->lost_paths_sum, (int)r->victims_max, r->population, r->is_complete, r->witness, r->version,
                  r->commit, r->compiler, r->threads, r->wall_s, r->finished, r->code);
    return HF_OK;
}

static hf_status list(place *p, hf_text *out) {
    hf_store *store = NULL;
    hf_text_init(p->fx.cx, out);
    hf_status status;
    HF_TRY_DONE(hf_store_open(p->fx.cx, p->file, HF_STORE_READ, &store));
    HF_TRY_DONE(hf_store_each(p->fx.cx, store, print_row, out));
done:
    hf_store_close(store);
    return status;
}

typedef struct problems {
    char text[4096];
} problems;

static void add_problem(void *user, const char *problem) {
    problems *all = user;
    const size_t used = strlen(all->text);
    snprintf(all->text + used, sizeof all->text - used, "%s\n", problem);
}

static uint64_t verify(place *p, problems *all) {
    hf_store *store;
    uint64_t n = 0;
    all->text[0] = 0;
    fixture_ok(&p->fx, hf_store_open(p->fx.cx, p->file, HF_STORE_READ, &store));
    fixture_ok(&p->fx, hf_store_verify(p->fx.cx, store, &n, add_problem, all));
    hf_store_close(store);
    return n;
}

static void expect_listing(place *p, const char *want) {
    hf_text now;
    fixture_ok(&p->fx, list(p, &now));
    assert_string_equal(now.data, want);
    hf_text_free(&now);
}

/* ---- every column of every table ---- */

/* What a value may turn into. */
static const char *const damages[] = {"substr(%s, 2)",
                                      "'Z' || substr(%s, 2)",
                                      "substr(%s, 1, length(%s) - 1) || '~'",
                                      "%s || ' '",
                                      "''",
                                      "CAST(%s AS BLOB)",
                                      "%s + 1",
                                      "-%s - 1",
                                      "%s + 4294967296",
                                      "%s + 0.5",
                                      "upper(%s)",
                                      "hex(%s)",
                                      "%s || char(0) || 'x'"};
enum { N_DAMAGE = sizeof damages / sizeof *damages, AT_MOST = 300 };

typedef struct names {
    char name[AT_MOST][40];
    size_t n;
} names;

static void read_names(place *p, hf_sql *db, const char *sql, names *out) {
    hf_sql_statement *s;
    bool row;
    out->n = 0;
    fixture_ok(&p->fx, hf_sql_prepare(p->fx.cx, db, sql, &s));
    for (;;) {
        fixture_ok(&p->fx, hf_sql_step(p->fx.cx, s, &row));
        if (!row) {
            break;
        }
        assert_true(out->n < AT_MOST);
        snprintf(out->name[out->n++], sizeof *out->name, "%s", hf_sql_text(s, 0));
    }
    hf_sql_finalize(s);
}

/* Damage the column in the last row of a table. \return did anything change? */
static bool damage(place *p, const char *table, const char *column, const char *how) {
    char value[160], sql[600];
    hf_sql *db;
    int64_t differs = 0;
    int at = 0;
    for (const char *c = how; *c; c++) {
        at += snprintf(value + at, sizeof value - (size_t)at, "%.*s", *c == '%' ? 40 : 1, *c == '%' ? column : c);
        c += *c == '%';
    }
    fixture_ok(&p->fx, hf_sql_open(p->fx.cx, p->file, true, &db));
    fixture_ok(&p->fx, hf_sql_exec(p->fx.cx, db, "PRAGMA synchronous=OFF; PRAGMA journal_mode=OFF"));
    snprintf(sql, sizeof sql, "CREATE TEMP TABLE before AS SELECT * FROM \"%s\"; UPDATE \"%s\" SET %s=%s", table, table, column,
             value);
    const bool is_taken = hf_sql_exec(p->fx.cx, db, sql) == HF_OK; /* keys are unique, ids are whole numbers */
    if (is_taken) {
        snprintf(sql, sizeof sql,
                 "SELECT count(*) FROM (SELECT %s AS x, typeof(%s) FROM \"%s\" EXCEPT SELECT %s, typeof(%s) FROM temp.before)",
                 column, column, table, column, column);
        fixture_ok(&p->fx, hf_sql_query_int(p->fx.cx, db, sql, &differs));
    }
    hf_sql_close(db);
    return differs > 0;
}

/* Do the table's rows, by the name of the table, show up? */
static void expect_named(place *p, const char *table, const char *column, const char *how, const char *listing) {
    problems all;
    hf_text now;
    const uint64_t n = verify(p, &all);
    const char *line = all.text;
    while (line && strncmp(line, table, strlen(table)) != 0) {
        line = strchr(line, '\n');
        line = line ? line + 1 : NULL;
    }
    const hf_status status = list(p, &now);
    if (n == 0 || !line || !strstr(line, "checksum differs") || status != HF_ESTORE ||
        !strstr(hf_context_message(p->fx.cx), "damaged")) {
        print_error("%s.%s damaged by %s: %d problems\n%s\nlisted, status %d: %s\n%s", table, column, how, (int)n, all.text,
                    (int)status, hf_context_message(p->fx.cx), listing);
        fail();
    }
    hf_text_free(&now);
}

static void every_column_of_every_table(void **state) {
    place *p = *state;
    static names tables, columns;
    hf_text listing;
    size_t n_damage = 0;
    hf_sql *db;
    fixture_ok(&p->fx, list(p, &listing));
    fixture_ok(&p->fx, hf_sql_open(p->fx.cx, p->file, false, &db));
    read_names(p, db, "SELECT name FROM sqlite_master WHERE type='table' AND name NOT LIKE 'sqlite_%'", &tables);
    hf_sql_close(db);
    assert_true(tables.n >= 5);
    for (size_t t = 0; t < tables.n; t++) {
        char sql[100];
        snprintf(sql, sizeof sql, "SELECT name FROM pragma_table_info('%s')", tables.name[t]);
        fixture_ok(&p->fx, hf_sql_open(p->fx.cx, p->file, false, &db));
        read_names(p, db, sql, &columns);
        hf_sql_close(db);
        for (size_t i = 0; i < columns.n * N_DAMAGE; i++) {
            const char *column = columns.name[i / N_DAMAGE], *how = damages[i % N_DAMAGE];
            if (damage(p, tables.name[t], column, how)) {
                n_damage++;
                expect_named(p, tables.name[t], column, how, listing.data);
            }
            folder_write(p->file, p->bytes, p->size);
        }
    }
    assert_true(n_damage > 4 * 35);
    expect_listing(p, listing.data);
    hf_text_free(&listing);
}

/* ---- raw bytes ---- */

static void expect_same_or_told(place *p, hf_status status, const char *now, const char *want, uint64_t at, unsigned flip) {
    const bool is_same = status == HF_OK && now && strcmp(now, want) == 0;
    const bool is_told = status == HF_ESTORE && strstr(hf_context_message(p->fx.cx), "store.db");
    if (!is_same && !is_told) {
        print_error("byte %d, flip %u: status %d, %s\nnow:\n%s\nwanted:\n%s\n", (int)at, flip, (int)status,
                    hf_context_message(p->fx.cx), now ? now : "", want);
        fail();
    }
}

static void expect_note(place *p, uint64_t at, unsigned flip) {
    hf_store *store = NULL;
    char *value = NULL;
    bool is_accepted;
    hf_status status = hf_store_open(p->fx.cx, p->file, HF_STORE_READ, &store);
    if (status == HF_OK) {
        status = hf_store_recall(p->fx.cx, store, "simulation|a", &value, &is_accepted);
    }
    if (status != HF_OK || value) { /* where it is not found it is made anew */
        expect_same_or_told(p, status, value, "1 2 3", at, flip);
    }
    hf_store_close(store);
}

static void flips_of_raw_bytes(void **state) {
    place *p = *state;
    enum { TIMES = 400 };
    char *flipped = malloc(p->size), *want[2], *now;
    hf_text listing, again;
    hf_random random;
    hf_random_init(&random, 1, HF_PURPOSE_TEST, 0);
    fixture_ok(&p->fx, list(p, &listing));
    fixture_ok(&p->fx, run(p, campaign(p, false), &want[0]));
    fixture_ok(&p->fx, run(p, campaign(p, true), &want[1]));
    for (int i = 0; i < TIMES; i++) {
        /* a third of them in the first pages' heads, where the structure is */
        const uint64_t at = hf_random_below(&random, i % 3 == 0 ? 200 : p->size);
        const unsigned flip = i % 2 ? 1u << hf_random_below(&random, 8) : 1 + (unsigned)hf_random_below(&random, 255);
        memcpy(flipped, p->bytes, p->size);
        flipped[at] = (char)(flipped[at] ^ flip);
        folder_write(p->file, flipped, p->size);
        hf_status status = list(p, &again);
        expect_same_or_told(p, status, again.data, listing.data, at, flip);
        hf_text_free(&again);
        expect_note(p, at, flip);
        status = run(p, campaign(p, i % 4 == 3), &now);
        expect_same_or_told(p, status, now, want[i % 4 == 3], at, flip);
        free(now);
    }
    hf_text_free(&listing);
    free(want[0]);
    free(want[1]);
    free(flipped);
}

/* ---- runs that were killed ---- */

/* A copy of a file and its journal in the middle of a transaction is what a killed program leaves. */
static void half_written_work_is_taken_back(void **state) {
    place *p = *state;
    char journal[320], *bytes[2];
    size_t size[2];
    hf_text listing;
    hf_sql *db;
    problems all;
    fixture_ok(&p->fx, list(p, &listing));
    fixture_ok(&p->fx, hf_sql_open(p->fx.cx, p->file, true, &db));
    fixture_ok(&p->fx, hf_sql_exec(p->fx.cx, db,
                                   "PRAGMA cache_size=2; PRAGMA cache_spill=1; BEGIN IMMEDIATE;"
                                   "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 300)"
                                   " INSERT INTO note SELECT 'a'||i, hex(randomblob(200)), '', '', '', 0 FROM n;"
                                   "DELETE FROM row; DELETE FROM batch"));
    snprintf(journal, sizeof journal, "%s-journal", p->file);
    bytes[0] = folder_read(p->file, &size[0]);
    bytes[1] = folder_read(journal, &size[1]);
    assert_true(size[0] != p->size || memcmp(bytes[0], p->bytes, p->size) != 0);
    assert_true(size[1] > 512);
    hf_sql_close(db);
    for (int i = 0; i < 2; i++) {
        folder_write(p->file, bytes[0], size[0]);
        folder_write(journal, bytes[1], size[1]);
        if (i == 0) {
            assert_int_equal(verify(p, &all), 0);
        }
        expect_listing(p, listing.data);
    }
    assert_true(folder_same(p->file, p->bytes, p->size));
    hf_text_free(&listing);
    free(bytes[0]);
    free(bytes[1]);
}

/* All batches are there, but not the end of the row: verify names it, and the next run ends it. */
static void a_row_without_its_end(void **state) {
    place *p = *state;
    problems all;
    char *text;
    hf_sql *db;
    fixture_ok(&p->fx, hf_sql_open(p->fx.cx, p->file, true, &db));
    fixture_ok(&p->fx,
               hf_sql_exec(p->fx.cx, db,
                           "UPDATE row SET finished='', lost_paths='', checksum=holdfast_checksum('row', campaign, f, total,"
                           " population, '', run, wall_s, '') WHERE campaign=1 AND f=2"));
    hf_sql_close(db);
    assert_int_equal(verify(p, &all), 1);
    assert_non_null(strstr(all.text, "row campaign=1, f=2: all its sets are there"));
    fixture_ok(&p->fx, run(p, campaign(p, false), &text));
    free(text);
    assert_int_equal(verify(p, &all), 0);
    hf_text listing;
    fixture_ok(&p->fx, list(p, &listing));
    assert_non_null(strstr(listing.data, "component 0 0 2 28 8 0 208 0 28 1 s0:2>s2:0"));
    hf_text_free(&listing);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_place, close_place)
    const struct CMUnitTest tests[] = {TEST(every_column_of_every_table), TEST(flips_of_raw_bytes),
                                       TEST(half_written_work_is_taken_back), TEST(a_row_without_its_end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
