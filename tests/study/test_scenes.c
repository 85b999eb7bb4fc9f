/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Questions that are asked of the same share a scene: what is the same and what is not, by the text that names it; and cells
 *  on shared scenes, in any number of threads, show what each shows alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/question/ask.h"
#include "tests/support/studies.h"

static const char *key_of(hf_context *cx, const char *question, const hf_argument *arguments, size_t n) {
    const hf_question *q;
    char *key;
    assert_int_equal(hf_question_find(cx, question, &q), HF_OK);
    assert_int_equal(hf_scene_key(cx, q, arguments, n, &key), HF_OK);
    return key;
}

#define SCENE                                                                                                                    \
    {"topology", "ring:n=5"}, { "routing", "updown-graph" }
#define KEY(question, ...)                                                                                                       \
    key_of(cx, question, (const hf_argument[]){SCENE, __VA_ARGS__},                                                              \
           sizeof((const hf_argument[]){SCENE, __VA_ARGS__}) / sizeof(hf_argument))

static void keys(void **state) {
    hf_context *cx = *state;
    const char *load = KEY("load", {"traffic", "uniform"});
    assert_string_equal(load, KEY("load", {"traffic", "uniform"}, {"split", "even"}));
    assert_string_not_equal(load, KEY("load", {"traffic", "complement"}));
    assert_string_not_equal(load, KEY("load", {"traffic", "uniform"}, {"failed", "s0:0-s1:0"}));
    assert_string_not_equal(load, KEY("load", {"traffic", "uniform"}, {"faults", "1"}));
    const char *two = KEY("tolerance", {"faults", "2"});
    assert_string_equal(two, KEY("tolerance", {"faults", "3"}, {"method", "sampled"}));
    assert_string_equal(two, KEY("tolerance", {"faults", "2"}, {"universe", "channels"}, {"criterion", "all-pairs"}));
    assert_string_not_equal(two, KEY("tolerance", {"faults", "2"}, {"universe", "links"}));
    assert_string_not_equal(two, KEY("tolerance", {"faults", "2"}, {"only", "stage=1"}));
    assert_string_not_equal(two, KEY("tolerance", {"faults", "2"}, {"criterion", "connected"}));
    assert_string_equal(KEY("design", {"samples", "9"}), KEY("design", {"traffic", "uniform"}, {"universe", "links"}));
}

#define TOP "schema: 2\nname: x\ntitle: t\nsource: s\ncells:\n"
#define LOAD "ask: load, column: max_load, topology: \"torus:dims=3x3\", routing: updown-graph, traffic: "
#define WALK "ask: tolerance, column: not_tolerated, topology: \"torus:dims=3x3\", routing: updown-graph, universe: links"

static void cells(void **state) {
    hf_context *cx = *state;
    static const char *const cell[] = {"  - {label: a, " LOAD "uniform}\n",
                                       "  - {label: b, " LOAD "uniform, failed: \"s0:0-s1:1\"}\n",
                                       "  - {label: c, " LOAD "complement}\n",
                                       "  - {label: d, ask: load worst-case=yes, column: max_load, topology: \"torus:dims=3x3\", "
                                       "routing: updown-graph, traffic: uniform}\n",
                                       "  - {label: e, " WALK ", faults: 2}\n",
                                       "  - {label: f, " WALK ", faults: 3}\n",
                                       "  - {label: g, " WALK ", faults: 3, method: sampled, samples: 50}\n",
                                       "  - {label: h, ask: topology, column: diameter, topology: \"torus:dims=3x3\"}\n"};
    enum { N = sizeof cell / sizeof *cell };
    char text[4096] = TOP;
    for (size_t i = 0; i < N; i++) {
        strcat(text, cell[i]);
    }
    for (uint32_t threads = 1; threads < 4; threads++) {
        const hf_study_options options = {.threads = threads};
        hf_study_outcome *all = study_run(cx, text, &options);
        assert_int_equal(all->n_line, N);
        for (size_t i = 0; i < N; i++) {
            char one[1024] = TOP;
            strcat(one, cell[i]);
            hf_study_outcome *alone = study_run(cx, one, &options);
            assert_string_equal(all->line[i].label, alone->line[0].label);
            assert_string_equal(all->line[i].computed, alone->line[0].computed);
            assert_string_equal(all->line[i].method, alone->line[0].method);
            assert_true(*alone->line[0].computed);
            hf_study_outcome_free(alone);
        }
        hf_study_outcome_free(all);
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(keys), cmocka_unit_test(cells)};
    return cmocka_run_group_tests(tests, start, stop);
}
