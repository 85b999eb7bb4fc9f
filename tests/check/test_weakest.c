/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  holdfast-check against certificates of the fewest components: it confirms those that the program writes, and none in which the
 *  number, the set or the proof was changed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/question.h>

#include "src/check/check.h"

static const struct {
    const char *topo, *rule, *universe, *criterion, *proof;
} cases[] = {{"kary-tree:k=3,n=3", "ft2ei", "links", "all-pairs", "classes"},
             {"torus:dims=4x4", "minimal", "links", "all-pairs", "paths"},
             {"torus:dims=4x4", "immunet", "links+switches", "connected", "paths"},
             {"omega:k=2,n=3", "minimal", "channels", "all-pairs", "paths"},
             {"hypercube:n=4", "updown-graph", "links", "switches-connected", "paths"},
             {"kary-tree:k=3,n=2", "destro-ft", "channels", "all-pairs", "sets"},
             {"kary-tree:k=2,n=4", "destro-ft", "links", "all-pairs", "sets"},
             {"mesh:dims=3x3", "minimal", "links", "surviving", "supports"},
             {"maximal-fanout:radix=2,stages=3", "multipath:live=multi-hop", "switches", "all-pairs", "sets"}};
enum { N_CASE = sizeof cases / sizeof *cases };

/* The certificate of case i, heap. */
static char *make(size_t i) {
    hf_context *cx = hf_context_new(NULL);
    const hf_question *q;
    hf_report report;
    const hf_argument arguments[] = {{"topology", cases[i].topo},
                                     {"routing", cases[i].rule},
                                     {"universe", cases[i].universe},
                                     {"criterion", cases[i].criterion}};
    const char *const wanted[] = {"certificate", NULL};
    assert_int_equal(hf_question_find(cx, "weakest", &q), HF_OK);
    assert_int_equal(hf_question_ask(cx, q, NULL, NULL, arguments, 4, &(hf_conduct){.attachments = wanted}, &report), HF_OK);
    const char *text = hf_report_attachment(&report, "certificate");
    assert_non_null(text);
    assert_non_null(strstr(text, cases[i].proof));
    char *copy = malloc(strlen(text) + 1);
    memcpy(copy, text, strlen(text) + 1);
    hf_context_free(cx);
    return copy;
}

static int outcome_of(const char *text, char *why, size_t size) {
    hf_context *cx = hf_context_new(NULL);
    check c = {.cx = cx, .file = "test"};
    const hf_status status = check_certificate(&c, text, strlen(text));
    (void)snprintf(why, size, "%s", status == HF_OK ? c.why : hf_context_message(cx));
    hf_context_free(cx);
    return status == HF_OK ? (int)c.outcome : -1;
}

static void confirms(void **state) {
    (void)state;
    for (size_t i = 0; i < N_CASE; i++) {
        char *text = make(i), why[600];
        if (outcome_of(text, why, sizeof why) != CHECK_CONFIRMED) {
            fail_msg("case %zu: %s\n%s", i, why, text);
        }
        free(text);
    }
}

/* The end of a list, from its bracket on. */
static char *find_end(char *from) {
    int depth = 0;
    do {
        depth += *from == '[';
        depth -= *from == ']';
        from++;
    } while (depth > 0);
    return from;
}

/* Leave the last entry of the first list behind a key out. */
static void shorten(char *text, const char *key) {
    char *list = strchr(strstr(text, key), '['), *end = find_end(list) - 1, *last = end;
    int depth = 0;
    while (last > list && !(depth == 0 && *last == ',')) {
        last--;
        depth += *last == ']';
        depth -= *last == '[';
    }
    last = last > list ? last : list + 1;
    memmove(last, end, strlen(end) + 1);
}

static void never_confirms(const char *text, size_t i, const char *what) {
    char why[600];
    if (outcome_of(text, why, sizeof why) == CHECK_CONFIRMED) {
        fail_msg("case %zu confirmed: %s\n%s", i, what, text);
    }
}

/* A smaller set is no witness, fewer paths or supports no proof; and so on for every number of a path. */
static void refutes(void **state) {
    (void)state;
    for (size_t i = 0; i < N_CASE; i++) {
        char *text = make(i);
        if (strstr(text, "\"witness\": [")) {
            char *less = malloc(strlen(text) + 1);
            memcpy(less, text, strlen(text) + 1);
            shorten(less, "\"witness\"");
            never_confirms(less, i, "a smaller set");
            free(less);
        }
        if (strcmp(cases[i].proof, "paths") == 0) {
            shorten(text, "\"paths\"");
            never_confirms(text, i, "without a path");
        }
        free(text);
    }
}

/* Every number of the paths of a torus, changed. */
static void refutes_other_paths(void **state) {
    (void)state;
    char *text = make(1), *from = strstr(text, "\"paths\""), *end = find_end(strchr(from, '['));
    for (char *at = from; at < end; at++) {
        if (*at >= '0' && *at <= '9') {
            const char was = *at;
            *at = was == '9' ? '8' : (char)(was + 1);
            never_confirms(text, 1, "another number in a path");
            *at = was;
        }
    }
    free(text);
}

/* Words and numbers that contradict each other are no certificate, and the proof of another question proves nothing. */
static void refuses(void **state) {
    (void)state;
    static const char *const pairs[][2] = {{"\"proof\": \"paths\"", "\"proof\": \"sets\""},
                                           {"\"proof\": \"paths\"", "\"proof\": \"guess\""},
                                           {"minimal:vcs=1", "minimal"},
                                           {"\"all-pairs\"", "\"surviving\""},
                                           {"\"schema\": 1", "\"schema\": 2"},
                                           {"minimal:vcs=1", "dor:order=xy"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char *text = make(1), *at = strstr(text, pairs[i][0]), other[8192];
        assert_non_null(at);
        (void)snprintf(other, sizeof other, "%.*s%s%s", (int)(at - text), text, pairs[i][1], at + strlen(pairs[i][0]));
        never_confirms(other, i, pairs[i][1]);
        free(text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(confirms), cmocka_unit_test(refutes),
                                       cmocka_unit_test(refutes_other_paths), cmocka_unit_test(refuses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
