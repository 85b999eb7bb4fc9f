/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Joining stores: parts make the whole, what does not fit is refused with both names, and a killed merge harms nothing. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include <holdfast/store.h>

#include "src/bridge/sqlite.h"
#include "tests/support/folder.h"
#include "tests/support/rows.h"

enum { PARTS = 3 };

typedef struct place {
    fixture fx;
    char folder[256], part[PARTS][300], into[300];
    const char *path[PARTS];
} place;

static const uint32_t faults[] = {0, 1, 2, 4};
enum { ALL = 1 + 32 + 496 + 35960 };

static hf_campaign campaign(place *p) { return rows_campaign(&p->fx, "all-pairs", faults, 4); }

/* Run with a store. \param[out] text of the rows, free() it; NULL: do not tell. \return sets taken from the store */
static uint64_t run(place *p, hf_campaign c, const char *file, char **text) {
    hf_store *store;
    hf_journal *journal;
    hf_result *result;
    uint64_t resumed = 0;
    fixture_ok(&p->fx, hf_store_open(p->fx.cx, file, HF_STORE_WRITE, &store));
    fixture_ok(&p->fx, hf_store_journal_new(p->fx.cx, store, &c, &journal));
    c.journal = journal;
    fixture_ok(&p->fx, hf_campaign_run(p->fx.cx, &c, &result));
    for (size_t i = 0; i < result->n_row; i++) {
        resumed += result->row[i].resumed_sets;
    }
    if (text) {
        *text = rows_text(result);
    }
    hf_result_free(result);
    hf_store_journal_free(journal);
    hf_store_close(store);
    return resumed;
}

static int open_place(void **state) {
    place *p = calloc(1, sizeof *p);
    fixture_open(&p->fx, "kary-tree:k=2,n=3", "channels", "ft2ei:intervals=1");
    folder_open(p->folder, sizeof p->folder);
    folder_file(p->folder, "all.db", p->into, sizeof p->into);
    for (uint32_t i = 0; i < PARTS; i++) {
        char name[20];
        snprintf(name, sizeof name, "part%u.db", i + 1);
        p->path[i] = folder_file(p->folder, name, p->part[i], sizeof p->part[i]);
        hf_campaign c = campaign(p);
        c.part = i + 1;
        c.n_part = PARTS;
        assert_int_equal(run(p, c, p->part[i], NULL), 0);
    }
    *state = p;
    return 0;
}

static int close_place(void **state) {
    place *p = *state;
    folder_close(p->folder);
    fixture_close(&p->fx);
    free(p);
    return 0;
}

static void change(place *p, const char *file, const char *sql) {
    hf_sql *db;
    fixture_ok(&p->fx, hf_sql_open(p->fx.cx, file, true, &db));
    fixture_ok(&p->fx, hf_sql_exec(p->fx.cx, db, sql));
    hf_sql_close(db);
}

static void note(place *p, const char *file, const char *key, const char *value) {
    hf_store *store;
    fixture_ok(&p->fx, hf_store_open(p->fx.cx, file, HF_STORE_WRITE, &store));
    fixture_ok(&p->fx, hf_store_note(p->fx.cx, store, key, value));
    hf_store_close(store);
}

static hf_store_merged merge(place *p, const char *accept) {
    hf_store_merged merged;
    fixture_ok(&p->fx, hf_store_merge(p->fx.cx, p->path, PARTS, accept, p->into, &merged));
    return merged;
}

static void expect_sound(place *p, const char *file) {
    hf_store *store;
    uint64_t problems = 1;
    fixture_ok(&p->fx, hf_store_open(p->fx.cx, file, HF_STORE_READ, &store));
    fixture_ok(&p->fx, hf_store_verify(p->fx.cx, store, &problems, NULL, NULL));
    assert_int_equal(problems, 0);
    hf_store_close(store);
}

/* The merge fails, says both texts, leaves the stores as they are, and nothing else in the folder. */
static void expect_refusal(place *p, const char *one, const char *other) {
    char *bytes[PARTS];
    size_t size[PARTS];
    struct stat about;
    hf_store_merged merged;
    for (size_t i = 0; i < PARTS; i++) {
        bytes[i] = folder_read(p->part[i], &size[i]);
    }
    assert_int_equal(hf_store_merge(p->fx.cx, p->path, PARTS, NULL, p->into, &merged), HF_ESTORE);
    const char *said = hf_context_message(p->fx.cx);
    if (!strstr(said, one) || !strstr(said, other)) {
        print_error("\"%s\" does not say \"%s\" and \"%s\"\n", said, one, other);
        fail();
    }
    for (size_t i = 0; i < PARTS; i++) {
        assert_true(folder_same(p->part[i], bytes[i], size[i]));
        free(bytes[i]);
    }
    assert_int_not_equal(stat(p->into, &about), 0);
}

/* ---- what fits ---- */

static void parts_make_a_whole(void **state) {
    place *p = *state;
    hf_campaign c = campaign(p);
    hf_result *result = rows_run(&p->fx, &c);
    char *whole = rows_text(result), *text;
    hf_result_free(result);
    note(p, p->part[0], "simulation|a", "1");
    note(p, p->part[2], "simulation|a", "1");
    note(p, p->part[2], "simulation|b", "2");
    const hf_store_merged merged = merge(p, NULL);
    assert_int_equal(merged.n_campaign, 1);
    assert_int_equal(merged.n_row, 4);
    assert_int_equal(merged.n_complete, 4);
    assert_int_equal(merged.n_note, 2);
    expect_sound(p, p->into);
    assert_int_equal(run(p, c, p->into, &text), ALL);
    assert_string_equal(text, whole);
    expect_sound(p, p->into);
    free(text);
    free(whole);
}

/* Other seeds are other campaigns; what they hold stands beside the rest. */
static void other_campaigns_stand_beside(void **state) {
    place *p = *state;
    hf_campaign c = campaign(p);
    c.method = HF_METHOD_SAMPLED;
    c.samples = 50;
    for (uint32_t seed = 1; seed <= 3; seed++) {
        c.seed = seed;
        assert_int_equal(run(p, c, p->part[seed - 1], NULL), 0);
    }
    assert_int_equal(merge(p, NULL).n_campaign, 4);
    for (uint32_t seed = 1; seed <= 3; seed++) {
        c.seed = seed;
        assert_int_equal(run(p, c, p->into, NULL), 1 + 32 + 50 + 50);
    }
}

/* The second store has the whole, in other batches than the first: no set counts twice, and what lacks is computed. */
static void batches_that_cut_each_other(void **state) {
    place *p = *state;
    hf_campaign half = campaign(p);
    half.part = 1;
    half.n_part = 2;
    assert_int_equal(unlink(p->part[1]), 0);
    assert_int_equal(run(p, half, p->part[1], NULL), 0);
    assert_int_equal(merge(p, NULL).n_complete, 1); /* f=0 */
    expect_sound(p, p->into);
    char *text, *whole;
    hf_campaign c = campaign(p);
    hf_result *result = rows_run(&p->fx, &c);
    whole = rows_text(result);
    hf_result_free(result);
    const uint64_t resumed = run(p, c, p->into, &text);
    assert_true(resumed > ALL / 2 && resumed < ALL);
    assert_string_equal(text, whole);
    free(text);
    free(whole);
}

/* ---- what does not ---- */

static void damaged_and_foreign(void **state) {
    place *p = *state;
    change(p, p->part[1], "UPDATE batch SET tally='1'||tally WHERE f=4");
    expect_refusal(p, "part2.db", "damaged");
    folder_write(p->part[1], "a letter, not a store", 21);
    expect_refusal(p, "part2.db", "not a holdfast store");
    assert_int_equal(unlink(p->part[1]), 0);
    change(p, p->part[1], "CREATE TABLE birds (name TEXT)");
    expect_refusal(p, "part2.db", "another program");
    change(p, p->part[0], "PRAGMA user_version=3");
    expect_refusal(p, "part1.db", "schema 3, of an older holdfast");
}

#define SOUND_AGAIN(table, columns) "; UPDATE " table " SET checksum=holdfast_checksum('" table "', " columns ")"

/* Sound stores, of which one holds another figure for the same. */
static void contradictions(void **state) {
    place *p = *state;
    size_t size;
    char *sound = folder_read(p->part[0], &size);
    assert_int_equal(unlink(p->part[2]), 0);
    folder_write(p->part[2], sound, size);
    change(p, p->part[2],
           "UPDATE batch SET witness='s0:2>s2:0' WHERE f=1" SOUND_AGAIN("batch", "campaign, f, lo, hi, sets, tally, witness"));
    expect_sound(p, p->part[2]);
    expect_refusal(p, "part1.db\" and",
                   "part3.db\" contradict each other: they hold different figures for batch f=1, ranks 0 to");

    folder_write(p->part[2], sound, size);
    change(p, p->part[2],
           "UPDATE row SET population='33' WHERE f=1" SOUND_AGAIN(
               "row", "campaign, f, total, population, lost_paths, run, wall_s, finished"));
    expect_refusal(p, "part1.db\" and", "for row f=1 of tolerance|kary-tree:k=2,n=3|");

    folder_write(p->part[2], sound, size);
    note(p, p->part[1], "simulation|a", "1");
    note(p, p->part[2], "simulation|a", "2");
    expect_refusal(p, "part2.db\" and", "part3.db\" contradict each other: they hold different figures for note simulation|a");
    free(sound);
}

static void other_code(void **state) {
    place *p = *state;
    char sql[700];
    snprintf(sql, sizeof sql,
             "UPDATE campaign SET key=replace(key, '%s', '0123456789abcdef'),"
             " code='0123456789abcdef'" SOUND_AGAIN(
                 "campaign", "id, key, topology, routing, universe, criterion, method, ord, samples, seed, version, code"),
             hf_build_code());
    change(p, p->part[1], sql);
    expect_refusal(p, "part1.db\" and", "part2.db\" do not join: programs of code ");
    const hf_store_merged merged = merge(p, "0123456789abcdef");
    assert_int_equal(merged.n_campaign, 2);
    assert_int_equal(merged.n_complete, 1); /* f=0 */
    expect_sound(p, p->into);
}

static void a_file_in_its_place(void **state) {
    place *p = *state;
    hf_store_merged merged;
    folder_write(p->into, "mine", 4);
    assert_int_equal(hf_store_merge(p->fx.cx, p->path, PARTS, NULL, p->into, &merged), HF_ESTORE);
    assert_non_null(strstr(hf_context_message(p->fx.cx), "is there already"));
    assert_true(folder_same(p->into, "mine", 4));
}

/* ---- killed ---- */

static void killed_at_any_time(void **state) {
    place *p = *state;
    enum { TIMES = 40 };
    char *bytes[PARTS];
    size_t size[PARTS];
    struct stat about;
    int n_before = 0;
    for (size_t i = 0; i < PARTS; i++) {
        bytes[i] = folder_read(p->part[i], &size[i]);
    }
    for (long t = 0; t < TIMES; t++) {
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            hf_store_merged merged;
            _exit(hf_store_merge(p->fx.cx, p->path, PARTS, NULL, p->into, &merged) != HF_OK);
        }
        nanosleep(&(struct timespec){.tv_nsec = t * 1000000}, NULL);
        kill(child, SIGKILL);
        assert_int_equal(waitpid(child, NULL, 0), child);
        for (size_t i = 0; i < PARTS; i++) {
            assert_true(folder_same(p->part[i], bytes[i], size[i]));
        }
        if (stat(p->into, &about) == 0) {
            expect_sound(p, p->into);
            assert_int_equal(unlink(p->into), 0);
        } else {
            n_before++;
        }
    }
    assert_true(n_before > 0);
    assert_int_equal(merge(p, NULL).n_complete, 4);
    for (size_t i = 0; i < PARTS; i++) {
        free(bytes[i]);
    }
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_place, close_place)
    const struct CMUnitTest tests[] = {TEST(parts_make_a_whole),
                                       TEST(other_campaigns_stand_beside),
                                       TEST(batches_that_cut_each_other),
                                       TEST(damaged_and_foreign),
                                       TEST(contradictions),
                                       TEST(other_code),
                                       TEST(a_file_in_its_place),
                                       TEST(killed_at_any_time)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
