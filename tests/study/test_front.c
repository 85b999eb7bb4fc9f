/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Fronts of studies: what no other beats, by an obvious twin on random points; what a file refuses; any question and its
 *  limits; threads and a store change nothing; and what was taken over from other code is said of designs, and of claims too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/build.h>
#include <holdfast/core/random.h>
#include <holdfast/question.h>

#include "src/report/note.h"
#include "src/study/study.h"
#include "tests/support/folder.h"
#include "tests/support/studies.h"

static void ok(hf_context *cx, hf_status status) {
    if (status != HF_OK) {
        fail_msg("%s: %s", hf_status_text(status), hf_context_message(cx));
    }
}

/* ---- dominance ---- */

/** On the front is exactly what is kept while no kept point is at least as good everywhere and better somewhere. */
static void marks(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 400; seed++) {
        enum { N = 12, AXES = 4 };
        hf_random random;
        double value[N * AXES];
        bool kept[N], on_front[N];
        hf_random_init(&random, seed, HF_PURPOSE_TEST, 0);
        const size_t n = hf_random_below(&random, N + 1), n_axis = 1 + hf_random_below(&random, AXES);
        for (size_t i = 0; i < n; i++) {
            kept[i] = hf_random_below(&random, 4) > 0;
            for (size_t a = 0; a < n_axis; a++) {
                value[i * n_axis + a] = (double)hf_random_below(&random, 4) - 1.5;
            }
        }
        hf_front_mark(value, n, n_axis, kept, on_front);
        for (size_t i = 0; i < n; i++) {
            bool want = kept[i];
            for (size_t k = 0; k < n; k++) {
                size_t better = 0, worse = 0;
                for (size_t a = 0; a < n_axis; a++) {
                    better += value[k * n_axis + a] < value[i * n_axis + a];
                    worse += value[k * n_axis + a] > value[i * n_axis + a];
                }
                want &= !(kept[k] && better && !worse);
            }
            if (want != on_front[i]) {
                fail_msg("seed %d, point %d", (int)seed, (int)i);
            }
        }
    }
}

/* ---- files ---- */

#define TOP "schema: 2\nname: small\ntitle: Small\n"
#define FRONT TOP "front: {least: cost, most: [throughput, tolerance], limits: {terminals: 4..9, cost: ..3}}\n"
#define CELLS                                                                                                                    \
    "defaults: {ask: \"design reference=kary-tree:k=2,n=2\"}\ncells:\n"                                                          \
    "  - grid: {k: [2, 3], rule: [updown, destro]}\n    topology: \"kary-tree:k={k},n=2\"\n    routing: \"{rule}\"\n"            \
    "  - {grid: {n: 3..10}, topology: \"ring:n={n}\", routing: updown-graph}\n"

static void refusals(void **state) {
    static const struct {
        const char *text, *says;
    } refusal[] = {
        {TOP CELLS, "key \"source\" is missing"}, /* no front: a study */
        {TOP "front: cost\n" CELLS, "line 4, key \"front\": need what is least or most"},
        {TOP "front: {limits: {cost: ..2}}\n" CELLS, "line 4, key \"front\": need columns"},
        {TOP "front: {last: cost}\n" CELLS, "\"last\" is no key of a front; did you mean \"least\"?"},
        {TOP "front: {least: costs}\n" CELLS, "line 4, key \"least\": \"costs\" is no column with numbers"},
        {TOP "front: {least: deadlock}\n" CELLS, "line 4, key \"least\": \"deadlock\" is no column with numbers"},
        {TOP "front: {least: cost, most: cost}\n" CELLS, "line 4, key \"most\": column \"cost\" stands in the front twice"},
        {TOP "front: {least: cost, limits: {terminals: 9..4}}\n" CELLS, "terminals=9..4 is not right; need LOW..HIGH"},
        {TOP "front: {least: cost, limits: {weight: 4..}}\n" CELLS, "no column is called \"weight\"; there are: topology"},
        {TOP "front: {least: cost, limits: [4]}\n" CELLS, "line 4, key \"limits\": limit \"4\" is not right"},
        {FRONT CELLS "  - {topology: \"ring:n=4\", routing: dor, ask: load, traffic: uniform}\n",
         "other columns than the designs before"},
        {FRONT CELLS "  - {topology: \"ring:n=4\", routing: dor, published: \"1\"}\n",
         "line 11, key \"published\": it goes with"},
        {FRONT "cells: []\n", "no cells"},
        {FRONT "cells:\n  - {label: a, ask: availability, mtbf-hours: 1, down-cycles: 1, clock-mhz: 1, column: availability}\n",
         "key \"front\": the study has no designs"},
    };
    hf_context *cx = *state;
    for (size_t i = 0; i < sizeof refusal / sizeof *refusal; i++) {
        hf_study *study = NULL;
        const hf_status status = hf_study_parse(cx, "in.yaml", refusal[i].text, strlen(refusal[i].text), &study);
        if (status != HF_EINVAL || !strstr(hf_context_message(cx), refusal[i].says)) {
            fail_msg("refusal %zu: %s: %s", i, hf_status_text(status), hf_context_message(cx));
        }
    }
}

/* A design that cannot be built is found before the first is asked about. */
static void mistakes_come_first(void **state) {
    hf_context *cx = *state;
    hf_study *study;
    hf_study_outcome *o = NULL;
    static const char text[] = FRONT CELLS "  - {topology: \"ring:n=0\", routing: updown-graph}\n";
    const hf_study_options options = {.threads = 1};
    ok(cx, hf_study_parse(cx, "in.yaml", text, sizeof text - 1, &study));
    assert_int_equal(hf_study_run(cx, study, &options, &o), HF_ERANGE);
    assert_non_null(strstr(hf_context_message(cx), "in.yaml, line 11, cell \"ring:n=0, updown-graph\": topology \"ring\": n=0"));
    hf_study_free(study);
}

/* ---- running ---- */

static char *as_csv(hf_context *cx, const hf_study *study, const hf_study_options *options, size_t *from_store) {
    static const hf_report_style csv = {.form = HF_FORM_CSV};
    hf_study_outcome *o;
    hf_report report;
    hf_text text;
    ok(cx, hf_study_run(cx, study, options, &o));
    assert_int_equal(o->n_design, 12);
    *from_store = 0;
    for (size_t i = 0; i < o->n_design; i++) {
        *from_store += o->design[i].from_store;
    }
    ok(cx, hf_study_outcome_report(cx, study, o, &report));
    hf_text_init(cx, &text);
    ok(cx, hf_report_print(&report, &csv, &text));
    hf_study_outcome_free(o);
    return text.data;
}

static void threads_and_store(void **state) {
    hf_context *cx = *state;
    static const char text[] = FRONT CELLS;
    hf_study *study;
    hf_store *store;
    char folder[256], file[300], *csv[3];
    size_t stored;
    folder_open(folder, sizeof folder);
    folder_file(folder, "store.db", file, sizeof file);
    ok(cx, hf_study_parse(cx, "small", text, sizeof text - 1, &study));
    assert_true(hf_study_has_front(study));
    ok(cx, hf_store_open(cx, file, HF_STORE_WRITE, &store));
    csv[0] = as_csv(cx, study, &(hf_study_options){.threads = 1}, &stored);
    csv[1] = as_csv(cx, study, &(hf_study_options){.threads = 3, .store = store}, &stored);
    assert_int_equal(stored, 0);
    csv[2] = as_csv(cx, study, &(hf_study_options){.threads = 2, .store = store}, &stored);
    assert_int_equal(stored, 12);
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(csv[0], csv[i]);
    }
    for (size_t i = 0; i < 3; i++) {
        hf_release(hf_context_allocator(cx), csv[i]);
    }
    hf_store_close(store);
    hf_study_free(study);
    folder_close(folder);
}

/* Any question has a front over its columns; lines and claims stand beside it, and a design without a value is out. */
static void any_question(void **state) {
    hf_context *cx = *state;
    static const char text[] =
        TOP "source: here\nfront: {most: [saturation], least: max_load, limits: {terminal_load: ..1}}\n"
            "defaults: {traffic: uniform}\ncells:\n"
            "  - {grid: {n: [4, 8]}, ask: load, topology: \"ring:n={n}\", routing: updown-graph, remark: \"of {n}\"}\n"
            "  - {label: four, id: a, ask: load, column: saturation, topology: \"ring:n=4\", routing: updown-graph}\n"
            "  - {label: eight, id: b, ask: load, column: saturation, topology: \"ring:n=8\", routing: updown-graph}\n"
            "  - {label: more, kind: claim, of: a, against: b, holds: \"0%<..\"}\n";
    const hf_study_options options = {.threads = 1};
    hf_study *study;
    hf_study_outcome *o;
    hf_report report;
    ok(cx, hf_study_parse(cx, "in", text, sizeof text - 1, &study));
    ok(cx, hf_study_run(cx, study, &options, &o));
    ok(cx, hf_study_outcome_report(cx, study, o, &report));
    assert_int_equal(hf_report_rows(&report, "designs"), 2);
    assert_int_equal(hf_report_rows(&report, "lines"), 3);
    assert_int_equal(o->holding, 1);
    assert_string_equal(hf_report_value(&report, "designs", 0, "design")->word, "ring:n=4, updown-graph");
    assert_string_equal(hf_report_value(&report, "designs", 1, "remark")->word, "of 8");
    assert_int_equal(hf_report_value(&report, "designs", 0, "front")->count, 1);
    assert_int_equal(hf_report_value(&report, "designs", 1, "front")->count, 0);
    assert_true(hf_report_value(&report, "designs", 0, "saturation")->value ==
                hf_report_value(&report, "lines", 0, "value")->value);
    ok(cx, hf_study_outcome_report_short(cx, study, o, &report));
    assert_int_equal(hf_report_rows(&report, "designs"), 1);
    hf_study_outcome_free(o);
    hf_study_free(study);
}

/* ---- what was taken over ---- */

static const hf_argument ten[] = {{"mtbf-hours", "10"}, {"down-cycles", "760"}, {"clock-mhz", "250"}};

/* Keep an answer as a program of another code would. */
static void keep_as_other(hf_context *cx, hf_store *store, const char *code) {
    hf_report answer;
    hf_text note;
    char *key, *text;
    ok(cx, hf_ask(cx, "availability", ten, 3, &answer));
    hf_text_init(cx, &note);
    ok(cx, hf_report_to_note(&answer, &note));
    ok(cx, hf_scratch_print(cx, &key, "answer|availability|mtbf-hours=10|down-cycles=760|clock-mhz=250|%s", code));
    ok(cx, hf_scratch_print(cx, &text, "\n%s", note.data));
    ok(cx, hf_store_note(cx, store, key, text));
    hf_text_free(&note);
}

static void says_what_it_took_over(void **state) {
    hf_context *cx = *state;
    static const char code[] = "0123456789abcdef", remark[] = "taken over from programs of code 0123456789abcdef",
                      text[] = TOP "source: here\nfront: {most: availability}\n"
                                   "defaults: {ask: availability, down-cycles: 760, clock-mhz: 250}\ncells:\n"
                                   "  - {label: design, mtbf-hours: 10}\n"
                                   "  - {label: a, id: a, column: availability, mtbf-hours: 10, curve: c, x: 1}\n"
                                   "  - {label: b, id: b, column: availability, mtbf-hours: 5, curve: c, x: 2}\n"
                                   "  - {label: own, id: own, column: availability, mtbf-hours: 4, curve: c, x: 3}\n"
                                   "  - {label: claim, kind: claim, of: a, against: b, holds: \"0%<..\"}\n"
                                   "  - {label: group, kind: combine, of: \"*\", take: most, show: value}\n"
                                   "  - {label: slope, kind: line, show: slope, of: c}\n"
                                   "  - {label: none, kind: claim, of: b, against: own, holds: \"0%<..\"}\n";
    hf_study *study;
    hf_study_outcome *o;
    hf_store *store;
    char folder[256], file[300];
    folder_open(folder, sizeof folder);
    folder_file(folder, "store.db", file, sizeof file);
    ok(cx, hf_store_open(cx, file, HF_STORE_WRITE, &store));
    keep_as_other(cx, store, code);
    ok(cx, hf_store_accept(cx, store, code));
    const char *axes = strstr(text, "source: here");
    char *whole;
    ok(cx, hf_scratch_print(cx, &whole, TOP "x-axis: x\ny-axis: y\n%s", axes));
    ok(cx, hf_study_parse(cx, "in", whole, strlen(whole), &study));
    ok(cx, hf_study_run(cx, study, &(hf_study_options){.threads = 1, .store = store}, &o));
    assert_true(o->design[0].is_accepted);
    assert_string_equal(o->design[0].remark, remark);
    static const char *const others[] = {"a", "claim", "group, a", "slope"}, *const ours[] = {"b", "own", "none"};
    for (size_t i = 0; i < 4; i++) {
        assert_true(study_find(o, others[i])->is_accepted);
        assert_string_equal(study_find(o, others[i])->remark, remark);
    }
    for (size_t i = 0; i < 3; i++) {
        assert_false(study_find(o, ours[i])->is_accepted);
        assert_string_equal(study_find(o, ours[i])->remark, "");
    }
    hf_study_outcome_free(o);
    hf_study_free(study);
    hf_store_close(store);
    folder_close(folder);
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(marks),
                                       cmocka_unit_test(refusals),
                                       cmocka_unit_test(mistakes_come_first),
                                       cmocka_unit_test(threads_and_store),
                                       cmocka_unit_test(any_question),
                                       cmocka_unit_test(says_what_it_took_over)};
    return cmocka_run_group_tests(tests, start, stop);
}
