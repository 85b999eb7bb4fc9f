/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Limits on columns: what is read, what is refused, and which cells are within. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/report/limits.h"

static const hf_column columns[] = {
    {"n", "n", NULL, HF_COLUMN_COUNT, 6, 0},         {"cost", "cost", NULL, HF_COLUMN_REAL, 6, 0},
    {"safe", "safe", NULL, HF_COLUMN_FLAG, 6, 0},    {"name", "name", NULL, HF_COLUMN_WORD, 6, 0},
    {"names", "names", NULL, HF_COLUMN_NAMES, 6, 0}, {"state", "state", "steady|saturated, not steady", HF_COLUMN_WORD, 6, 0}};
enum { N, COST, SAFE, NAME, NAMES, STATE, COLUMNS };

static void keeps(void **state) {
    static const struct {
        const char *limits;
        size_t column;
        hf_cell cell;
        bool want;
    } cases[] = {{"", N, {0}, true},
                 {"n=4..9", N, {.is_known = true, .count = 4}, true},
                 {"n=4..9", N, {.is_known = true, .count = 9}, true},
                 {"n=4..9", N, {.is_known = true, .count = 10}, false},
                 {"n=4..9", N, {0}, false},
                 {"n=4..9", COST, {0}, true},
                 {"n=4..", N, {.is_known = true, .count = 3}, false},
                 {"n=4..", N, {.is_known = true, .count = 1000000}, true},
                 {"n=4", N, {.is_known = true, .count = 4}, true},
                 {"n=4", N, {.is_known = true, .count = 5}, false},
                 {" cost = ..2.5 , n=1", COST, {.is_known = true, .value = 2.5}, true},
                 {"n=1,cost=..2.5", COST, {.is_known = true, .value = 2.6}, false},
                 {"cost=-1..0", COST, {.is_known = true, .value = -0.5}, true},
                 {"safe=yes", SAFE, {.is_known = true, .count = 1}, true},
                 {"safe=no", SAFE, {.is_known = true, .count = 1}, false},
                 {"name=torus:dims=4x4", NAME, {.is_known = true, .word = "torus:dims=4x4"}, true},
                 {"name=kary-tree:k=2, n=3", NAME, {.is_known = true, .word = "kary-tree:k=2"}, true},
                 {"name=x", NAME, {.is_known = true, .word = "y"}, false},
                 {"name=a,b", NAME, {.is_known = true, .word = "a,b"}, true},
                 {"n=1, state=saturated, not steady", STATE, {.is_known = true, .word = "saturated, not steady"}, true},
                 {"state=steady", STATE, {.is_known = true, .word = "saturated, not steady"}, false}};
    hf_context *cx = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hf_limits limits;
        if (hf_limits_read(cx, cases[i].limits, &limits) != HF_OK || hf_limits_check(cx, &limits, columns, COLUMNS) != HF_OK) {
            fail_msg("%s: %s", cases[i].limits, hf_context_message(cx));
        }
        if (hf_limits_keep(&limits, &columns[cases[i].column], &cases[i].cell) != cases[i].want) {
            fail_msg("case %zu: %s", i, cases[i].limits);
        }
    }
}

static void refuses(void **state) {
    static const struct {
        const char *limits, *says;
    } cases[] = {{"n", "limit \"n\" is not right"},
                 {"n=", "limit \"n=\" is not right"},
                 {"=4", "limit \"=4\" is not right"},
                 {"n=1..2,n=3", "column \"n\" has two limits"},
                 {"m=1", "no column is called \"m\""},
                 {"n=two", "limit n=two is not right; need LOW..HIGH"},
                 {"n=..", "limit n=.. is not right"},
                 {"n=9..4", "limit n=9..4 is not right"},
                 {"safe=1", "need yes or no"},
                 {"names=a", "need a column with a word or a number"},
                 {"n=1..2..3", "n=1..2..3 is not right"},
                 {"state=saturated", "limit state=saturated is not right; need steady|saturated, not steady"},
                 {"state=1..2", "need steady|"}};
    hf_context *cx = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hf_limits limits;
        hf_status status = hf_limits_read(cx, cases[i].limits, &limits);
        status = status == HF_OK ? hf_limits_check(cx, &limits, columns, COLUMNS) : status;
        if (status != HF_EINVAL || !strstr(hf_context_message(cx), cases[i].says)) {
            fail_msg("%s: %s", cases[i].limits, status == HF_OK ? "taken" : hf_context_message(cx));
        }
    }
}

static int start(void **state) {
    *state = hf_context_new(NULL);
    return *state == NULL;
}
static int stop(void **state) {
    hf_context_free(*state);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(keeps), cmocka_unit_test(refuses)};
    return cmocka_run_group_tests(tests, start, stop);
}
