/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Files that the store must not use or must not harm. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include <holdfast/store.h>

#include "src/bridge/sqlite.h"
#include "tests/support/folder.h"

typedef struct place {
    hf_context *cx;
    char folder[256], file[300];
} place;

static int open_place(void **state) {
    place *p = calloc(1, sizeof *p);
    p->cx = hf_context_new(NULL);
    folder_open(p->folder, sizeof p->folder);
    folder_file(p->folder, "store.db", p->file, sizeof p->file);
    *state = p;
    return 0;
}

static int close_place(void **state) {
    place *p = *state;
    folder_close(p->folder);
    hf_context_free(p->cx);
    free(p);
    return 0;
}

static void ok(place *p, hf_status status) {
    if (status != HF_OK) {
        print_error("%s: %s\n", hf_status_text(status), hf_context_message(p->cx));
        fail();
    }
}

/* Run SQL on the file beside the store's own code. */
static void make_with(place *p, const char *sql) {
    hf_sql *db;
    ok(p, hf_sql_open(p->cx, p->file, true, &db));
    ok(p, hf_sql_exec(p->cx, db, sql));
    hf_sql_close(db);
}

/* Opening fails both ways, says the file's name and `words`, and leaves every byte alone. */
static void expect_refusal(place *p, const char *words) {
    static const hf_store_mode modes[] = {HF_STORE_WRITE, HF_STORE_READ};
    size_t size;
    char *before = folder_read(p->file, &size);
    for (size_t i = 0; i < 2; i++) {
        hf_store *store = NULL;
        hf_context_clear(p->cx);
        assert_int_equal(hf_store_open(p->cx, p->file, modes[i], &store), HF_ESTORE);
        assert_null(store);
        if (!strstr(hf_context_message(p->cx), words) || !strstr(hf_context_message(p->cx), p->file)) {
            print_error("\"%s\" does not say \"%s\"\n", hf_context_message(p->cx), words);
            fail();
        }
        assert_true(folder_same(p->file, before, size));
    }
    free(before);
}

static void other_schemas(void **state) {
    place *p = *state;
    hf_store *store;
    ok(p, hf_store_open(p->cx, p->file, HF_STORE_WRITE, &store));
    hf_store_close(store);
    make_with(p, "PRAGMA user_version=1000");
    expect_refusal(p, "schema 1000, of a newer holdfast");
    make_with(p, "PRAGMA user_version=3");
    expect_refusal(p, "schema 3, of an older holdfast");
}

static void foreign_sqlite_file(void **state) {
    place *p = *state;
    make_with(p, "CREATE TABLE birds (name TEXT); INSERT INTO birds VALUES ('wren')");
    expect_refusal(p, "another program");
}

static void text_file(void **state) {
    place *p = *state;
    static const char text[] =
        "This is a letter, and no database at all. It has to be long enough to hold a header, and a hundred "
        "bytes are what SQLite wants to see before it looks at anything else.\n";
    folder_write(p->file, text, sizeof text - 1);
    expect_refusal(p, "not a holdfast store");
    folder_write(p->file, "short", 5);
    expect_refusal(p, "not a holdfast store");
}

static void read_only_file(void **state) {
    place *p = *state;
    hf_store *store = NULL;
    ok(p, hf_store_open(p->cx, p->file, HF_STORE_WRITE, &store));
    hf_store_close(store);
    store = NULL;
    assert_int_equal(chmod(p->file, 0444), 0);
    assert_int_equal(hf_store_open(p->cx, p->file, HF_STORE_WRITE, &store), HF_ESTORE);
    assert_non_null(strstr(hf_context_message(p->cx), "read-only"));
    assert_null(store);
    ok(p, hf_store_open(p->cx, p->file, HF_STORE_READ, &store));
    hf_store_close(store);
}

static void folder_in_its_place(void **state) {
    place *p = *state;
    hf_store *store = NULL;
    assert_int_equal(hf_store_open(p->cx, p->folder, HF_STORE_WRITE, &store), HF_ESTORE);
    assert_non_null(strstr(hf_context_message(p->cx), "not a plain file"));
    assert_int_equal(hf_store_open(p->cx, p->folder, HF_STORE_READ, &store), HF_ESTORE);
    assert_null(store);
}

static void missing_file(void **state) {
    place *p = *state;
    struct stat about;
    hf_store *store = NULL;
    assert_int_equal(hf_store_open(p->cx, p->file, HF_STORE_READ, &store), HF_ESTORE);
    assert_int_not_equal(stat(p->file, &about), 0);
    /* A file stands where a folder would have to be. */
    char below[400];
    folder_write(p->file, "x", 1);
    snprintf(below, sizeof below, "%s/deeper/store.db", p->file);
    assert_int_equal(hf_store_open(p->cx, below, HF_STORE_WRITE, &store), HF_ESTORE);
    assert_null(store);
}

static void empty_file_becomes_a_store(void **state) {
    place *p = *state;
    hf_store *store = NULL;
    folder_write(p->file, "", 0);
    ok(p, hf_store_open(p->cx, p->file, HF_STORE_WRITE, &store));
    hf_store_close(store);
    ok(p, hf_store_open(p->cx, p->file, HF_STORE_READ, &store));
    hf_store_close(store);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_place, close_place)
    const struct CMUnitTest tests[] = {
        TEST(other_schemas), TEST(foreign_sqlite_file),       TEST(text_file), TEST(read_only_file), TEST(folder_in_its_place),
        TEST(missing_file),  TEST(empty_file_becomes_a_store)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
