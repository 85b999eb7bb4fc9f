/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Campaigns and their journal: what is kept is not computed again, and whatever happened in between does not show. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

#include <holdfast/store.h>

#include "src/bridge/sqlite.h"
#include "tests/support/folder.h"
#include "tests/support/rows.h"

typedef struct place {
    fixture fx;
    char folder[256], file[300];
    hf_store *store;
} place;

static int open_place(void **state) {
    place *p = calloc(1, sizeof *p);
    fixture_open(&p->fx, "kary-tree:k=2,n=3", "channels", "ft2ei:intervals=1");
    folder_open(p->folder, sizeof p->folder);
    folder_file(p->folder, "store.db", p->file, sizeof p->file);
    fixture_ok(&p->fx, hf_store_open(p->fx.cx, p->file, HF_STORE_WRITE, &p->store));
    *state = p;
    return 0;
}

static int close_place(void **state) {
    place *p = *state;
    hf_store_close(p->store);
    folder_close(p->folder);
    fixture_close(&p->fx);
    free(p);
    return 0;
}

static const uint32_t faults[] = {0, 2, 4, 5};

static hf_campaign campaign(place *p) { return rows_campaign(&p->fx, "all-pairs", faults, 4); }

/* The rows without a store. */
static char *expected(place *p, hf_campaign c) {
    hf_result *result = rows_run(&p->fx, &c);
    char *text = rows_text(result);
    hf_result_free(result);
    return text;
}

/* Run with the journal. \param[out] resumed sets that came from the store */
static hf_status run(place *p, hf_campaign c, uint64_t *resumed, char **text) {
    hf_journal *journal;
    fixture_ok(&p->fx, hf_store_journal_new(p->fx.cx, p->store, &c, &journal));
    c.journal = journal;
    hf_result *result = NULL;
    const hf_status status = hf_campaign_run(p->fx.cx, &c, &result);
    hf_store_journal_free(journal);
    *resumed = 0;
    *text = NULL;
    for (size_t i = 0; result && i < result->n_row; i++) {
        *resumed += result->row[i].resumed_sets;
    }
    if (result) {
        *text = rows_text(result);
    }
    hf_result_free(result);
    return status;
}

static void expect_sound(place *p) {
    uint64_t problems = 1;
    fixture_ok(&p->fx, hf_store_verify(p->fx.cx, p->store, &problems, NULL, NULL));
    assert_int_equal(problems, 0);
}

static void expect_run(place *p, hf_campaign c, uint64_t resumed_sets, const char *rows) {
    uint64_t resumed;
    char *text;
    fixture_ok(&p->fx, run(p, c, &resumed, &text));
    assert_string_equal(text, rows);
    assert_int_equal(resumed, resumed_sets);
    free(text);
    expect_sound(p);
}

enum { ALL = 1 + 496 + 35960 + 201376 };

static void the_second_run_computes_nothing(void **state) {
    place *p = *state;
    char *rows = expected(p, campaign(p));
    expect_run(p, campaign(p), 0, rows);
    expect_run(p, campaign(p), ALL, rows);
    hf_store_close(p->store);
    fixture_ok(&p->fx, hf_store_open(p->fx.cx, p->file, HF_STORE_READ, &p->store));
    expect_run(p, campaign(p), ALL, rows);
    free(rows);
}

static void parts_make_a_whole(void **state) {
    place *p = *state;
    char *rows = expected(p, campaign(p)), *text;
    uint64_t resumed;
    for (uint32_t part = 1; part <= 3; part++) {
        hf_campaign c = campaign(p);
        c.part = part;
        c.n_part = 3;
        fixture_ok(&p->fx, run(p, c, &resumed, &text));
        assert_int_equal(resumed, 0);
        free(text);
    }
    expect_run(p, campaign(p), ALL, rows);
    free(rows);
}

/* Raises the stop flag at the n-th call. */
typedef struct stopper {
    volatile sig_atomic_t stop;
    uint64_t calls, at;
} stopper;

/* Parts whose ends lie inside of what a whole run has kept: nothing is kept twice, and the whole still comes out. */
static void parts_after_a_whole(void **state) {
    place *p = *state;
    const hf_campaign whole = campaign(p);
    char *want = expected(p, whole);
    uint64_t resumed;
    char *text;
    expect_run(p, whole, 0, want);
    for (uint32_t part = 1; part <= 7; part++) {
        hf_campaign c = whole;
        c.part = part;
        c.n_part = 7;
        char *part_want = expected(p, c);
        assert_int_equal(run(p, c, &resumed, &text), HF_OK);
        assert_string_equal(text, part_want);
        free(text);
        free(part_want);
        expect_sound(p);
    }
    assert_int_equal(run(p, whole, &resumed, &text), HF_OK);
    assert_string_equal(text, want);
    free(text);
    free(want);
}

static void count_down(void *user, const hf_progress *progress) {
    (void)progress;
    stopper *s = user;
    if (++s->calls == s->at) {
        __atomic_store_n(&s->stop, 1, __ATOMIC_RELAXED);
    }
}

static void a_stopped_run_goes_on(void **state) {
    place *p = *state;
    static const uint32_t f[] = {3, 4};
    hf_campaign c = rows_campaign(&p->fx, "all-pairs", f, 2);
    c.use_relation = true; /* slow enough to be stopped */
    char *rows = expected(p, c);
    stopper s = {.at = 1};
    uint64_t resumed = 0, stops = 0;
    char *text = NULL;
    hf_context_set_stop(p->fx.cx, &s.stop);
    c.progress = count_down;
    c.progress_user = &s;
    c.threads = 2;
    hf_status status;
    while ((status = run(p, c, &resumed, &text)) == HF_ESTOP) {
        free(text);
        expect_sound(p);
        s = (stopper){.at = 3 + stops++};
        assert_true(stops < 1000);
    }
    fixture_ok(&p->fx, status);
    assert_true(stops > 0);
    assert_true(resumed > 0);
    assert_string_equal(text, rows);
    free(text);
    free(rows);
    hf_context_set_stop(p->fx.cx, NULL);
    expect_sound(p);
}

static void campaigns_are_kept_apart(void **state) {
    place *p = *state;
    uint64_t resumed;
    char *text;
    fixture_ok(&p->fx, run(p, campaign(p), &resumed, &text));
    free(text);
    hf_campaign c = campaign(p);
    c.criterion = fixture_criterion(&p->fx, "surviving");
    fixture_ok(&p->fx, run(p, c, &resumed, &text));
    assert_int_equal(resumed, 0);
    free(text);
    c = campaign(p);
    c.method = HF_METHOD_SAMPLED;
    c.samples = 100;
    c.seed = 5;
    fixture_ok(&p->fx, run(p, c, &resumed, &text));
    assert_int_equal(resumed, 0);
    free(text);
    c.seed = 6;
    fixture_ok(&p->fx, run(p, c, &resumed, &text));
    assert_int_equal(resumed, 0);
    free(text);
    fixture_rule(&p->fx, "ft2ei:intervals=2");
    fixture_ok(&p->fx, run(p, campaign(p), &resumed, &text));
    assert_int_equal(resumed, 0);
    free(text);
}

/* What a program of other code has kept stays where it is and counts for nothing. */
static void answers_of_other_code_are_not_taken(void **state) {
    place *p = *state;
    uint64_t resumed;
    char *text, *key, sql[400];
    hf_sql *db;
    const hf_campaign c = campaign(p);
    fixture_ok(&p->fx, hf_store_key(p->fx.cx, &c, &key));
    assert_non_null(strstr(key, hf_build_code()));
    hf_release(hf_context_allocator(p->fx.cx), key);
    fixture_ok(&p->fx, run(p, campaign(p), &resumed, &text));
    free(text);
    fixture_ok(&p->fx, hf_sql_open(p->fx.cx, p->file, true, &db));
    snprintf(sql, sizeof sql,
             "UPDATE campaign SET key=replace(key, '%s', '0123'), code='0123';"
             "UPDATE campaign SET checksum=holdfast_checksum('campaign', id, key, topology, routing, universe, criterion, method,"
             " ord, samples, seed, version, code); UPDATE batch SET tally=replace(tally, ' ', '  ')",
             hf_build_code());
    fixture_ok(&p->fx, hf_sql_exec(p->fx.cx, db, sql));
    hf_sql_close(db);
    fixture_ok(&p->fx, run(p, campaign(p), &resumed, &text));
    assert_int_equal(resumed, 0);
    free(text);
}

/* Half of the work comes from another program, which is said; without leave none of it is taken, and it stays that one's. */
static void answers_of_other_code_are_taken_where_accepted(void **state) {
    place *p = *state;
    uint64_t resumed, n;
    char *rows = expected(p, campaign(p)), *text, *value, key[64], sql[600];
    bool is_accepted;
    hf_sql *db;
    hf_campaign half = campaign(p);
    half.part = 1;
    half.n_part = 2;
    snprintf(key, sizeof key, "simulation|%s|a", hf_build_code());
    fixture_ok(&p->fx, run(p, half, &resumed, &text));
    free(text);
    fixture_ok(&p->fx, hf_store_note(p->fx.cx, p->store, key, "7"));
    fixture_ok(&p->fx, hf_sql_open(p->fx.cx, p->file, true, &db));
    snprintf(sql, sizeof sql,
             "UPDATE campaign SET key=replace(key, '%s', '0123456789abcdef'), code='0123456789abcdef';"
             "UPDATE campaign SET checksum=holdfast_checksum('campaign', id, key, topology, routing, universe, criterion, method,"
             " ord, samples, seed, version, code); UPDATE note SET key=replace(key, '%s', '0123456789abcdef');"
             "UPDATE note SET checksum=holdfast_checksum('note', key, value, commit_id, compiler, finished)",
             hf_build_code(), hf_build_code());
    fixture_ok(&p->fx, hf_sql_exec(p->fx.cx, db, sql));
    hf_sql_close(db);
    fixture_ok(&p->fx, hf_store_recall(p->fx.cx, p->store, key, &value, &is_accepted));
    assert_null(value);

    assert_int_equal(hf_store_accept(p->fx.cx, p->store, "0123456789ABCDEF"), HF_EINVAL);
    fixture_ok(&p->fx, hf_store_accept(p->fx.cx, p->store, "ffffffffffffffff,0123456789abcdef"));
    assert_null(hf_store_accepted(p->store, &n));
    expect_run(p, campaign(p), 0 + 248 + 17980 + 100688, rows);
    fixture_ok(&p->fx, hf_store_recall(p->fx.cx, p->store, key, &value, &is_accepted));
    assert_string_equal(value, "7");
    assert_true(is_accepted);
    assert_string_equal(hf_store_accepted(p->store, &n), "ffffffffffffffff,0123456789abcdef");
    assert_true(n > 1);
    expect_run(p, campaign(p), ALL, rows);

    hf_store_close(p->store);
    fixture_ok(&p->fx, hf_store_open(p->fx.cx, p->file, HF_STORE_WRITE, &p->store));
    expect_run(p, campaign(p), ALL - (248 + 17980 + 100688), rows);
    expect_run(p, campaign(p), ALL, rows);
    free(rows);
}

static void told(void *user, const char *problem) { snprintf(user, 256, "%s", problem); }

static void a_damaged_batch_is_found(void **state) {
    place *p = *state;
    uint64_t resumed, problems;
    char *text, problem[256] = "";
    fixture_ok(&p->fx, run(p, campaign(p), &resumed, &text));
    free(text);
    hf_sql *db;
    fixture_ok(&p->fx, hf_sql_open(p->fx.cx, p->file, true, &db));
    fixture_ok(&p->fx, hf_sql_exec(p->fx.cx, db, "UPDATE batch SET tally='1'||tally WHERE f=4 AND lo=0"));
    hf_sql_close(db);
    fixture_ok(&p->fx, hf_store_verify(p->fx.cx, p->store, &problems, told, problem));
    assert_int_equal(problems, 1);
    assert_non_null(strstr(problem, "f=4"));
    assert_int_equal(run(p, campaign(p), &resumed, &text), HF_ESTORE);
    assert_non_null(strstr(hf_context_message(p->fx.cx), "store verify"));
    free(text);
}

/* A limit on the size of files stands for a full disk. */
static void a_full_disk_harms_nothing(void **state) {
    place *p = *state;
    uint64_t resumed;
    char *text;
    static const uint32_t first[] = {2};
    fixture_ok(&p->fx, run(p, rows_campaign(&p->fx, "all-pairs", first, 1), &resumed, &text));
    free(text);
    size_t size;
    char *before = folder_read(p->file, &size);
    struct rlimit old, now;
    getrlimit(RLIMIT_FSIZE, &old);
    now = (struct rlimit){size, old.rlim_max};
    void (*const handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &now), 0);
    hf_status status = HF_OK;
    for (uint32_t m = 1; m <= 40 && status == HF_OK; m++) { /* until the file has to grow */
        hf_campaign c = rows_campaign(&p->fx, "all-pairs", first, 1);
        c.method = HF_METHOD_SAMPLED;
        c.samples = 10;
        c.seed = m;
        status = run(p, c, &resumed, &text);
        free(text);
    }
    setrlimit(RLIMIT_FSIZE, &old);
    signal(SIGXFSZ, handler);
    assert_int_equal(status, HF_ESTORE);
    assert_non_null(strstr(hf_context_message(p->fx.cx), p->file));
    free(before);
    expect_sound(p);
    fixture_ok(&p->fx, run(p, rows_campaign(&p->fx, "all-pairs", first, 1), &resumed, &text));
    assert_int_equal(resumed, 496);
    free(text);
}

static hf_status see_row(hf_context *cx, void *user, const hf_store_row *row) {
    (void)cx;
    hf_store_row *out = user;
    assert_string_equal(row->topology, "kary-tree:k=2,n=3");
    assert_string_equal(row->version, hf_build_version());
    assert_string_equal(row->code, hf_build_code());
    assert_true(row->is_complete);
    if (row->f == 4) {
        *out = *row;
        assert_string_equal(row->sets, "35960");
        assert_string_equal(row->not_tolerated, "12610");
        assert_string_equal(row->victims_sum, "2992");
        assert_int_equal(strncmp(row->witness, "s0:2>s4:0 s0:3>s5:0", 19), 0);
        assert_int_not_equal(strlen(row->finished), 0);
    }
    return HF_OK;
}

static void rows_are_listed(void **state) {
    place *p = *state;
    uint64_t resumed;
    char *text;
    fixture_ok(&p->fx, run(p, campaign(p), &resumed, &text));
    free(text);
    hf_store_row row = {0};
    fixture_ok(&p->fx, hf_store_each(p->fx.cx, p->store, see_row, &row));
    assert_int_equal(row.f, 4);
    assert_int_equal(row.threads, 1);
}

static void notes_are_kept_and_checked(void **state) {
    place *p = *state;
    hf_context *cx = p->fx.cx;
    char *value;
    bool is_accepted;
    uint64_t problems;
    fixture_ok(&p->fx, hf_store_recall(cx, p->store, "simulation|a", &value, &is_accepted));
    assert_null(value);
    fixture_ok(&p->fx, hf_store_note(cx, p->store, "simulation|a", "1"));
    fixture_ok(&p->fx, hf_store_note(cx, p->store, "simulation|b", "2"));
    fixture_ok(&p->fx, hf_store_note(cx, p->store, "simulation|a", "3"));
    hf_store_close(p->store);
    p->store = NULL;
    fixture_ok(&p->fx, hf_store_open(cx, p->file, HF_STORE_WRITE, &p->store));
    fixture_ok(&p->fx, hf_store_recall(cx, p->store, "simulation|a", &value, &is_accepted));
    assert_string_equal(value, "3");
    hf_sql *db;
    fixture_ok(&p->fx, hf_sql_open(cx, p->file, true, &db));
    fixture_ok(&p->fx, hf_sql_exec(cx, db, "UPDATE note SET value='4' WHERE key='simulation|b'"));
    hf_sql_close(db);
    assert_int_equal(hf_store_recall(cx, p->store, "simulation|b", &value, &is_accepted), HF_ESTORE);
    assert_non_null(strstr(hf_context_message(cx), "simulation|b"));
    fixture_ok(&p->fx, hf_store_verify(cx, p->store, &problems, NULL, NULL));
    assert_int_equal(problems, 1);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_place, close_place)
    const struct CMUnitTest tests[] = {TEST(the_second_run_computes_nothing),
                                       TEST(parts_make_a_whole),
                                       TEST(parts_after_a_whole),
                                       TEST(a_stopped_run_goes_on),
                                       TEST(campaigns_are_kept_apart),
                                       TEST(answers_of_other_code_are_not_taken),
                                       TEST(a_damaged_batch_is_found),
                                       TEST(a_full_disk_harms_nothing),
                                       TEST(rows_are_listed),
                                       TEST(notes_are_kept_and_checked),
                                       TEST(answers_of_other_code_are_taken_where_accepted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
