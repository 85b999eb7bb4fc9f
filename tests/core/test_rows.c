/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Compressed rows and breadth-first walks against lists by hand and matrices. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/random.h>

#include "src/core/breadth.h"
#include "tests/support/failing.h"

enum { N_MAX = 12, ARCS_MAX = 40 };

static void assert_row(const hf_rows *rows, size_t r, const uint32_t *want, uint32_t n) {
    assert_int_equal(rows->begin[r + 1] - rows->begin[r], n);
    for (uint32_t i = 0; i < n; i++) {
        assert_int_equal(rows->item[rows->begin[r] + i], want[i]);
    }
}

static void sorts_numbers(void **state) {
    hf_context *cx = *state;
    const uint32_t row[] = {2, 0, HF_NONE, 2, 0, 2}, some[] = {5, 3, 2, 0, 3};
    hf_rows rows;
    assert_int_equal(hf_rows_of(cx, 4, NULL, 6, row, &rows), HF_OK);
    assert_row(&rows, 0, (uint32_t[]){1, 4}, 2);
    assert_row(&rows, 1, NULL, 0);
    assert_row(&rows, 2, (uint32_t[]){0, 3, 5}, 3);
    assert_row(&rows, 3, NULL, 0);
    assert_int_equal(hf_rows_of(cx, 4, some, 5, row, &rows), HF_OK); /* in the order given, twice if given twice */
    assert_row(&rows, 0, NULL, 0);
    assert_row(&rows, 2, (uint32_t[]){5, 3, 0, 3}, 4);
}

static void empty_ones(void **state) {
    hf_context *cx = *state;
    hf_rows rows, turned;
    assert_int_equal(hf_rows_of(cx, 0, NULL, 0, NULL, &rows), HF_OK);
    assert_int_equal(rows.begin[0], 0);
    assert_int_equal(hf_rows_turn(cx, &rows, 2, &turned), HF_OK);
    assert_row(&turned, 0, NULL, 0);
    assert_row(&turned, 1, NULL, 0);
    assert_int_equal(hf_rows_start(cx, 1, &rows), HF_OK);
    assert_int_equal(hf_rows_lay(cx, &rows), HF_OK);
    assert_row(&rows, 0, NULL, 0);
}

static void turns_round(void **state) {
    hf_context *cx = *state;
    hf_rows rows, turned;
    const uint32_t from[] = {1, 0, 1, 2, 1}, to[] = {2, 2, 2, HF_NONE, 0};
    assert_int_equal(hf_rows_start(cx, 3, &rows), HF_OK);
    for (size_t i = 0; i < 5; i++) {
        hf_rows_count(&rows, from[i]);
    }
    assert_int_equal(hf_rows_lay(cx, &rows), HF_OK);
    for (size_t i = 0; i < 5; i++) {
        hf_rows_put(&rows, from[i], to[i]);
    }
    assert_row(&rows, 1, (uint32_t[]){2, 2, 0}, 3);
    assert_int_equal(hf_rows_turn(cx, &rows, 3, &turned), HF_OK);
    assert_row(&turned, 0, (uint32_t[]){1}, 1);
    assert_row(&turned, 1, NULL, 0);
    assert_row(&turned, 2, (uint32_t[]){0, 1, 1}, 3); /* parallel arcs stay two */
    assert_int_equal(hf_rows_turn(cx, &rows, 1, &turned), HF_OK);
    assert_row(&turned, 0, (uint32_t[]){1}, 1);
}

static hf_status use_rows(hf_context *cx, void *user) {
    static const uint32_t row[5000] = {4999, 17};
    const hf_mark mark = hf_scratch_mark(cx);
    hf_rows rows, turned;
    (void)user;
    HF_TRY(hf_rows_of(cx, 5000, NULL, 5000, row, &rows));
    HF_TRY(hf_rows_turn(cx, &rows, 5000, &turned));
    HF_TRY(hf_rows_start(cx, 20000, &rows));
    hf_rows_count(&rows, 0);
    HF_TRY(hf_rows_lay(cx, &rows));
    hf_scratch_reset(cx, mark);
    return HF_OK;
}

static void without_memory(void **state) {
    (void)state;
    assert_true(failing_sweep("rows", use_rows, NULL) > 2);
    failing_sweep_pieces("rows", 4096, use_rows, NULL);
}

/* ---- walks ---- */

typedef struct tour {
    uint32_t distance[N_MAX], parent[N_MAX], goal, n_arc;
    const bool *closed; /* by arc */
} tour;

static hf_step enter(void *user, uint32_t from, uint32_t arc, uint32_t to) {
    tour *t = user;
    t->n_arc++;
    if (t->closed[arc] || t->distance[to] != HF_NONE) {
        return HF_STEP_PASS;
    }
    t->distance[to] = t->distance[from] + 1;
    t->parent[to] = from;
    return to == t->goal ? HF_STEP_HALT : HF_STEP_ENTER;
}

/** Shortest distances by rounds over all arcs, until nothing changes. */
static void settle(uint32_t n_arc, const uint32_t *from, const uint32_t *to, const bool *closed, uint32_t *distance) {
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t a = 0; a < n_arc; a++) {
            if (!closed[a] && distance[from[a]] != HF_NONE && distance[from[a]] + 1 < distance[to[a]]) {
                distance[to[a]] = distance[from[a]] + 1;
                changed = true;
            }
        }
    }
}

/** Random graphs with loops, parallel arcs, nodes without arcs; one or more starts, some arcs closed. */
static void walks_as_rounds_do(void **state) {
    hf_context *cx = *state;
    hf_random random;
    const hf_mark mark = hf_scratch_mark(cx);
    hf_random_init(&random, 12, HF_PURPOSE_TEST, 0);
    for (int run = 0; run < 2000; run++) {
        const uint32_t n = 1 + (uint32_t)hf_random_below(&random, N_MAX), n_arc = (uint32_t)hf_random_below(&random, ARCS_MAX);
        uint32_t from[ARCS_MAX], to[ARCS_MAX], want[N_MAX], queue[N_MAX], tail = 0;
        bool closed[ARCS_MAX];
        tour t = {.goal = HF_NONE, .closed = closed};
        hf_rows rows;
        for (uint32_t a = 0; a < n_arc; a++) {
            from[a] = (uint32_t)hf_random_below(&random, n);
            to[a] = (uint32_t)hf_random_below(&random, n);
            closed[a] = hf_random_below(&random, 4) == 0;
        }
        memset(t.distance, 0xff, sizeof t.distance);
        for (uint32_t v = (uint32_t)hf_random_below(&random, n); v < n; v += 1 + (uint32_t)hf_random_below(&random, n)) {
            t.distance[v] = 0;
            queue[tail++] = v;
        }
        memcpy(want, t.distance, sizeof want);
        settle(n_arc, from, to, closed, want);
        assert_int_equal(hf_rows_of(cx, n, NULL, n_arc, from, &rows), HF_OK);
        const uint32_t starts = tail;
        tail = hf_breadth_first((hf_arcs){rows.begin, rows.item, to}, queue, tail, enter, &t);
        assert_memory_equal(t.distance, want, n * sizeof *want);
        for (uint32_t i = 1; i < tail; i++) {
            assert_true(t.distance[queue[i - 1]] <= t.distance[queue[i]]);
            assert_true(i < starts || t.distance[t.parent[queue[i]]] + 1 == t.distance[queue[i]]);
        }
        uint32_t reached = 0;
        for (uint32_t v = 0; v < n; v++) {
            reached += want[v] != HF_NONE;
        }
        assert_int_equal(tail, reached);
        hf_scratch_reset(cx, mark);
    }
}

static void halts(void **state) {
    (void)state;
    const uint32_t begin[] = {0, 2, 3, 4, 4}, to[] = {1, 2, 3, 3};
    const bool closed[4] = {false};
    uint32_t queue[4] = {0};
    tour t = {.distance = {0, HF_NONE, HF_NONE, HF_NONE}, .goal = 2, .closed = closed};
    assert_int_equal(hf_breadth_first((hf_arcs){.begin = begin, .to = to}, queue, 1, enter, &t), 2);
    assert_int_equal(t.n_arc, 2);
    assert_int_equal(t.distance[2], 1);
    assert_int_equal(t.distance[3], HF_NONE);
    assert_int_equal(hf_breadth_first((hf_arcs){.begin = begin, .to = to}, queue, 0, enter, &t), 0); /* from nowhere */
    assert_int_equal(t.n_arc, 2);
}

static int setup(void **state) { return (*state = hf_context_new(NULL)) ? 0 : -1; }
static int teardown(void **state) {
    hf_context_free(*state);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorts_numbers),  cmocka_unit_test(empty_ones),         cmocka_unit_test(turns_round),
        cmocka_unit_test(without_memory), cmocka_unit_test(walks_as_rounds_do), cmocka_unit_test(halts),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
