/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The context: messages, the stop flag, heap memory, and the arena, whose blocks are counted by an allocator of the test. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/context.h>
#include <holdfast/core/random.h>

#include "tests/support/failing.h"

static hf_context *context(void) {
    hf_context *cx = hf_context_new(NULL);
    assert_non_null(cx);
    return cx;
}

/* ---- messages ---- */

static hf_status fail_here(hf_context *cx, int *line) {
    *line = __LINE__ + 1;
    HF_FAIL(cx, HF_ERANGE, "k=%d, need k >= %s", 1, "2");
}

static void messages(void **state) {
    (void)state;
    hf_context *cx = context();
    int want, line = 4711;
    assert_string_equal(hf_context_message(cx), "");
    assert_string_equal(hf_context_place(cx, &line), "");
    assert_int_equal(line, 0);
    assert_int_equal(fail_here(cx, &want), HF_ERANGE);
    assert_string_equal(hf_context_message(cx), "k=1, need k >= 2");
    assert_string_equal(hf_context_place(cx, &line), __FILE__);
    assert_int_equal(line, want);
    hf_context_fail(cx, HF_EIO, "a.c", 3, "before: %s", hf_context_message(cx)); /* the old message as an argument */
    assert_string_equal(hf_context_message(cx), "before: k=1, need k >= 2");
    hf_context_clear(cx);
    assert_string_equal(hf_context_message(cx), "");
    assert_string_equal(hf_context_place(cx, &line), "");
    hf_context_free(cx);
}

/** A text of `size` letters; the letter tells the place. */
static char *letters(size_t size, char *text) {
    for (size_t i = 0; i < size; i++) {
        text[i] = (char)('a' + i % 26);
    }
    text[size] = 0;
    return text;
}

/** Of a message too long, the first 1023 bytes stay, whether it came at once or by prefixes. */
static void long_messages(void **state) {
    (void)state;
    char text[3000], other[3000], want[6001];
    hf_context *cx = context();
    static const size_t sizes[] = {0, 1, 1000, 1022, 1023, 1024, 1025, 2047, 2048, 2999};
    enum { N = sizeof sizes / sizeof *sizes };
    for (size_t i = 0; i < N; i++) {
        hf_context_fail(cx, HF_EIO, "a.c", 3, "%s", letters(sizes[i], text));
        memcpy(want, text, sizeof text);
        want[1023] = 0;
        assert_string_equal(hf_context_message(cx), want);
        for (size_t j = 0; j < N; j++) {
            hf_context_fail(cx, HF_EIO, "a.c", 3, "%s", letters(sizes[i], text));
            hf_context_prefix(cx, "%s|", letters(sizes[j], other));
            snprintf(want, sizeof want, "%s|%s", other, text);
            want[1023] = 0;
            assert_string_equal(hf_context_message(cx), want);
        }
    }
    hf_context_free(cx);
}

static void prefixes(void **state) {
    (void)state;
    hf_context *cx = context();
    int want, line;
    fail_here(cx, &want);
    hf_context_prefix(cx, "file \"%s\", line %d: ", "a.yaml", 3);
    hf_context_prefix(cx, "study: ");
    assert_string_equal(hf_context_message(cx), "study: file \"a.yaml\", line 3: k=1, need k >= 2");
    assert_string_equal(hf_context_place(cx, &line), __FILE__); /* where it was noticed first */
    assert_int_equal(line, want);
    hf_context_free(cx);
}

static void copies_of_failures(void **state) {
    (void)state;
    hf_context *cx = context(), *worker = context();
    int want, line;
    fail_here(worker, &want);
    hf_context_copy_failure(cx, worker);
    hf_context_free(worker);
    assert_string_equal(hf_context_message(cx), "k=1, need k >= 2");
    assert_string_equal(hf_context_place(cx, &line), __FILE__);
    assert_int_equal(line, want);
    hf_context_copy_failure(cx, cx); /* of itself: nothing changes */
    assert_string_equal(hf_context_message(cx), "k=1, need k >= 2");
    hf_context_free(cx);
}

static void stop_flag(void **state) {
    (void)state;
    volatile sig_atomic_t flag = 0;
    hf_context *cx = context();
    assert_false(hf_context_stopped(cx));
    assert_null(hf_context_stop_flag(cx));
    hf_context_set_stop(cx, &flag);
    assert_ptr_equal(hf_context_stop_flag(cx), &flag);
    assert_false(hf_context_stopped(cx));
    flag = 1;
    assert_true(hf_context_stopped(cx));
    hf_context_set_stop(cx, NULL);
    assert_false(hf_context_stopped(cx));
    hf_context_free(cx);
}

static void status_texts(void **state) {
    (void)state;
    for (int i = 0; i < HF_STATUS_COUNT; i++) {
        assert_true(strlen(hf_status_text((hf_status)i)) > 3);
        for (int j = 0; j < i; j++) {
            assert_string_not_equal(hf_status_text((hf_status)i), hf_status_text((hf_status)j));
        }
    }
    assert_non_null(hf_status_text(HF_STATUS_COUNT)); /* none of ours, and yet a text */
    assert_non_null(hf_status_text((hf_status)4711));
}

/* ---- heap ---- */

static void heap(void **state) {
    (void)state;
    failing account;
    const hf_allocator allocator = failing_allocator(&account, SIZE_MAX);
    hf_context *cx = hf_context_new(&allocator);
    assert_ptr_equal(hf_context_allocator(cx)->user, &account);
    unsigned char *block = NULL;
    assert_int_equal(hf_allocate(cx, 100, 10, (void **)&block), HF_OK);
    for (size_t i = 0; i < 1000; i++) {
        assert_int_equal(block[i], 0);
        block[i] = (unsigned char)i;
    }
    assert_int_equal(hf_resize(cx, 200, 100, (void **)&block), HF_OK);
    for (size_t i = 0; i < 1000; i++) {
        assert_int_equal(block[i], i & 255);
    }
    char *text = NULL;
    assert_int_equal(hf_duplicate(cx, "a text", &text), HF_OK);
    assert_string_equal(text, "a text");
    void *nothing = NULL;
    assert_int_equal(hf_allocate(cx, 0, 8, &nothing), HF_OK); /* a block all the same */
    assert_non_null(nothing);
    assert_int_equal(account.live, 4);
    hf_release(&allocator, block);
    hf_release(&allocator, text);
    hf_release(&allocator, nothing);
    hf_release(&allocator, NULL);
    hf_context_free(cx);
    hf_context_free(NULL);
    assert_int_equal(account.live, 0);
}

static void *strict_resize(void *user, void *old, size_t size) {
    *(size_t *)user += size == 0;
    return realloc(old, size ? size : 1);
}

static void strict_release(void *user, void *old) {
    (void)user;
    free(old);
}

/** An allocator is never asked for nothing: realloc may answer that with NULL. */
static void no_empty_requests(void **state) {
    (void)state;
    size_t empty = 0;
    const hf_allocator allocator = {strict_resize, strict_release, &empty};
    hf_context *cx = hf_context_new(&allocator);
    void *block = NULL, *piece = NULL;
    assert_int_equal(hf_allocate(cx, 0, 0, &block), HF_OK);
    assert_int_equal(hf_resize(cx, 10, 0, &block), HF_OK);
    assert_int_equal(hf_resize(cx, 0, 10, &block), HF_OK);
    assert_int_equal(hf_scratch(cx, 0, 10, &piece), HF_OK);
    assert_true(block && piece);
    hf_release(&allocator, block);
    hf_context_free(cx);
    assert_int_equal(empty, 0);
}

/** What cannot be had is refused with its size; what was there stays. */
static void too_much(void **state) {
    (void)state;
    static const struct {
        size_t count, size;
    } row[] = {{SIZE_MAX, 1}, {SIZE_MAX, SIZE_MAX}, {SIZE_MAX / 2, 4}, {(size_t)1 << 33, (size_t)1 << 33}, {3, SIZE_MAX / 2}};
    failing account;
    const hf_allocator allocator = failing_allocator(&account, SIZE_MAX);
    hf_context *cx = hf_context_new(&allocator);
    void *block = NULL;
    assert_int_equal(hf_allocate(cx, 5, 1, &block), HF_OK);
    memcpy(block, "1234", 5);
    const size_t before = account.requests;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char figures[80];
        void *out = cx;
        snprintf(figures, sizeof figures, "out of memory: %zu objects of %zu bytes", row[i].count, row[i].size);
        assert_int_equal(hf_resize(cx, row[i].count, row[i].size, &block), HF_ENOMEM);
        assert_non_null(strstr(hf_context_message(cx), figures));
        assert_string_equal(block, "1234");
        assert_int_equal(hf_allocate(cx, row[i].count, row[i].size, &out), HF_ENOMEM);
        assert_int_equal(hf_scratch(cx, row[i].count, row[i].size, &out), HF_ENOMEM);
        assert_ptr_equal(out, cx);
    }
    assert_int_equal(account.requests, before); /* nobody was asked for a product that wrapped */
    hf_release(&allocator, block);
    hf_context_free(cx);
    assert_int_equal(account.live, 0);
}

/** The n-th request fails: the status says so, what was there stays usable, and nothing leaks. */
static hf_status play(hf_context *cx, void *user) {
    (void)user;
    const hf_mark mark = hf_scratch_mark(cx);
    void *piece, *block = NULL;
    char *text = NULL;
    hf_status status;
    HF_TRY(hf_scratch(cx, 100000, 1, &piece));
    HF_TRY(hf_scratch(cx, 100000, 1, &piece));
    hf_scratch_reset(cx, mark);
    HF_TRY(hf_scratch_print(cx, &text, "%0200000d", 1));
    HF_TRY_DONE(hf_resize(cx, 10, 1, &block));
    HF_TRY_DONE(hf_resize(cx, 1000, 1, &block));
done:
    hf_release(hf_context_allocator(cx), block);
    return status;
}

static void failing_requests(void **state) {
    (void)state;
    /* the context; three blocks of the arena, as the print needs a larger one than the two that are kept; two on the heap */
    assert_int_equal(failing_sweep("context", play, NULL), 6);
}

/* ---- arena ---- */

/** Pieces of all sizes: zeroed although dirtied before, aligned, apart from each other; later rounds ask for no memory. */
static void arena(void **state) {
    (void)state;
    enum { PIECES = 200 };
    failing account;
    const hf_allocator allocator = failing_allocator(&account, SIZE_MAX);
    hf_context *cx = hf_context_new(&allocator);
    const hf_mark mark = hf_scratch_mark(cx);
    size_t requests = 0;
    for (int round = 0; round < 4; round++) {
        unsigned char *piece[PIECES];
        size_t size[PIECES];
        hf_random r;
        hf_random_init(&r, 1, HF_PURPOSE_TEST, 0); /* the same needs each time */
        for (size_t i = 0; i < PIECES; i++) {
            size[i] = hf_random_below(&r, i % 20 == 7 ? 300000 : 300);
            assert_int_equal(hf_scratch(cx, size[i], 1, (void **)&piece[i]), HF_OK);
            assert_int_equal((uintptr_t)piece[i] % 64, 0);
            for (size_t b = 0; b < size[i]; b++) {
                assert_int_equal(piece[i][b], 0);
            }
            memset(piece[i], (int)(i + 1), size[i]);
        }
        for (size_t i = 0; i < PIECES; i++) {
            for (size_t b = 0; b < size[i]; b++) {
                assert_int_equal(piece[i][b], (unsigned char)(i + 1));
            }
        }
        assert_true(round == 0 || account.requests == requests);
        requests = account.requests;
        hf_scratch_reset(cx, mark);
    }
    hf_context_free(cx);
    assert_int_equal(account.live, 0);
}

/** What was taken before a mark survives the reset to it, what was taken after is taken anew. */
static void marks(void **state) {
    (void)state;
    hf_context *cx = context();
    char *kept[12], *first, *again, *big;
    hf_mark mark[12];
    for (int i = 0; i < 12; i++) { /* 12 times 20 kB: several blocks of 64 KiB */
        assert_int_equal(hf_scratch(cx, 20000, 1, (void **)&kept[i]), HF_OK);
        memset(kept[i], 'a' + i, 20000);
        mark[i] = hf_scratch_mark(cx);
    }
    for (int i = 11; i >= 0; i--) {
        hf_scratch_reset(cx, mark[i]);
        assert_int_equal(hf_scratch(cx, 100, 1, (void **)&first), HF_OK);
        assert_int_equal(hf_scratch(cx, 500000, 1, (void **)&big), HF_OK);
        memset(first, 'z', 100);
        hf_scratch_reset(cx, mark[i]);
        assert_int_equal(hf_scratch(cx, 100, 1, (void **)&again), HF_OK);
        assert_ptr_equal(again, first);
        assert_int_equal(again[0], 0);
        for (int j = 0; j <= i; j++) {
            assert_true(kept[j][0] == 'a' + j && kept[j][19999] == 'a' + j);
        }
    }
    hf_context_free(cx);
}

static void texts_in_the_arena(void **state) {
    (void)state;
    hf_context *cx = context();
    char *text = NULL, *empty = NULL, longer[3000];
    assert_int_equal(hf_scratch_print(cx, &text, "%s-%d", letters(2999, longer), 42), HF_OK);
    assert_int_equal(hf_scratch_print(cx, &empty, "%s", ""), HF_OK);
    assert_int_equal(strlen(text), 3002);
    assert_memory_equal(text, longer, 2999);
    assert_string_equal(text + 2999, "-42");
    assert_string_equal(empty, "");
    hf_context_free(cx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages),
        cmocka_unit_test(long_messages),
        cmocka_unit_test(prefixes),
        cmocka_unit_test(copies_of_failures),
        cmocka_unit_test(stop_flag),
        cmocka_unit_test(status_texts),
        cmocka_unit_test(heap),
        cmocka_unit_test(no_empty_requests),
        cmocka_unit_test(too_much),
        cmocka_unit_test(failing_requests),
        cmocka_unit_test(arena),
        cmocka_unit_test(marks),
        cmocka_unit_test(texts_in_the_arena),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
