/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Cells of work with an end: the figures are those of the kernel asked directly, over fault sets their mean. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/kernel.h>
#include <holdfast/protocol.h>
#include <holdfast/study.h>

#include "tests/oracle/fixture.h"
#include "tests/support/folder.h"
#include "tests/support/studies.h"

#define TOP                                                                                                                      \
    "schema: 1\nname: x\ntitle: t\nsource: s\ndefaults:\n  topology: kary-tree:k=2,n=2\n  routing: ft2ei\n  universe: links\n"   \
    "  seed: 7\n  samples: 100\ncells:\n"
#define LATENCY "ask: simulate, column: latency, traffic: uniform, barrier: \"messages=30,flits=8,interval=9,outstanding=2,tasks="
#define TASK "ask: simulate, column: task, traffic: uniform, barrier: \"messages=30,flits=8,interval=9,outstanding=2,tasks="

static const char text[] =
    TOP "  - {label: task, id: t, " TASK "5\"}\n"
        "  - {label: once, id: o, " TASK "1\"}\n"
        "  - {label: all, " TASK "1\", faults: \"0..2\"}\n"
        "  - {label: failed, " LATENCY "1\", failed: \"s0:2-s2:0\"}\n"
        "  - {label: given up, " TASK "1\", measure: cycles=20}\n"
        "  - {label: nobody left, topology: \"maximal-fanout:radix=2,stages=2\", routing: \"multipath:live="
        "fault-propagation\", universe: switches, faults: \"6\", " TASK "1\"}\n"
        "  - {label: generated, ask: simulate generate=300, column: cycles, traffic: complement, "
        "burst: \"20,1\", load: \"0.1,0.4\"}\n"
        "  - {label: given, id: g, ask: simulate generate=300 message=8, column: latency, traffic: complement, "
        "load: \"0.2\"}\n"
        "  - {label: exact, kind: combine, of: g, against: g, show: ratio, published: \"1.0\"}\n"
        "  - {label: program, ask: simulate, column: cycles, program: add, published: \"1\"}\n"
        "  - {label: ratio, kind: claim, of: t, against: t, show: ratio, holds: \"..2\"}\n"
        "  - {label: no interval, kind: claim, of: o, against: t, show: ratio, holds: \"..2\"}\n";

static hf_study_outcome *run_text(hf_context *cx, const char *yaml, hf_store *store, uint32_t threads) {
    const hf_study_options options = {.store = store, .threads = threads};
    return study_run(cx, yaml, &options);
}

static void expect(const hf_study_outcome *o, const char *label, double value) {
    char computed[64];
    snprintf(computed, sizeof computed, "%.6g", value);
    assert_string_equal(study_find(o, label)->computed, computed);
}

/* ---- the kernel by itself ---- */

static hf_play_result play_tasks(fixture *fx, const hf_fault_set *faults, uint32_t tasks, double *mean, double *half) {
    const hf_barrier barrier = {
        .messages = 30, .flits = 8, .interval = 9, .outstanding = 2, .tasks = tasks, .redistribute = true};
    hf_plan plan;
    hf_traffic *traffic;
    hf_play_result result;
    hf_batch_mean task;
    double cycles[8];
    fixture_ok(fx, hf_plan_make(fx->cx, &fx->rule, faults, &plan));
    fixture_ok(fx, hf_traffic_new(fx->cx, fx->topo, "uniform", &traffic));
    const hf_play play = {.plan = &plan, .kernel = hf_kernel_usual()};
    fixture_ok(fx, hf_play_barrier(fx->cx, &play, traffic, &barrier, 7, &result, cycles, &task));
    hf_traffic_free(traffic);
    *mean = task.mean;
    *half = task.half;
    return result;
}

static void tasks_are_those_of_the_kernel(void **state) {
    (void)state;
    fixture fx;
    hf_fault_set faults;
    char low[64];
    double mean, half;
    fixture_open(&fx, "kary-tree:k=2,n=2", "links", "ft2ei");
    hf_study_outcome *o = run_text(fx.cx, text, NULL, 1);
    fixture_ok(&fx, hf_fault_set_parse(fx.cx, fx.topo, NULL, "", &faults));
    play_tasks(&fx, &faults, 5, &mean, &half);
    expect(o, "task", mean);
    snprintf(low, sizeof low, "%.6g", mean - half);
    assert_string_equal(study_find(o, "task")->low, low);
    play_tasks(&fx, &faults, 1, &mean, &half);
    expect(o, "once", mean);
    expect(o, "all, f=0", mean);
    assert_string_equal(study_find(o, "once")->low, "");
    fixture_ok(&fx, hf_fault_set_parse(fx.cx, fx.topo, NULL, "s0:2-s2:0", &faults));
    expect(o, "failed", play_tasks(&fx, &faults, 1, &mean, &half).latency);
    assert_int_equal(study_find(o, "given up")->verdict, HF_STUDY_NOT_COMPUTABLE);
    assert_int_equal(study_find(o, "nobody left")->verdict, HF_STUDY_NOT_COMPUTABLE);
    assert_int_equal(study_find(o, "ratio")->verdict, HF_STUDY_HOLDS);
    assert_int_equal(study_find(o, "no interval")->verdict, HF_STUDY_NOT_COMPUTABLE);
    assert_int_equal(study_find(o, "exact")->verdict, HF_STUDY_REPRODUCED);
    assert_string_equal(study_find(o, "exact")->low, "");
    hf_study_outcome_free(o);
    fixture_close(&fx);
}

/* 4 links between switches: every pair of them is looked at, those that are tolerated are run. */
static void sets_are_all_that_are_tolerated(void **state) {
    (void)state;
    fixture fx;
    uint32_t n = 0;
    double sum = 0;
    char method[64];
    fixture_open(&fx, "kary-tree:k=2,n=2", "links", "ft2ei");
    assert_int_equal(fx.universe->n_component, 4);
    for (uint32_t a = 0; a < 4; a++) {
        for (uint32_t b = a + 1; b < 4; b++) {
            hf_fault_set faults;
            hf_plan plan;
            hf_verdict verdict;
            double mean, half;
            fixture_plan_set(&fx, (uint32_t[]){a, b}, 2, &faults, &plan);
            fixture_ok(&fx, hf_tolerance_judge(fx.cx, &plan, fixture_criterion(&fx, "all-pairs"), false, &verdict));
            if (verdict.tolerated) {
                play_tasks(&fx, &faults, 1, &mean, &half);
                sum += mean;
                n++;
            }
        }
    }
    assert_in_range(n, 1, 5);
    hf_study_outcome *o = run_text(fx.cx, text, NULL, 2);
    expect(o, "all, f=2", sum / n);
    snprintf(method, sizeof method, "simulate, exhaustive, %u sets, student-t, seed 7", n);
    assert_string_equal(study_find(o, "all, f=2")->method, method);
    hf_study_outcome_free(o);
    fixture_close(&fx);
}

/* Two figures of the same four runs: variances and covariance, and Student's t with three degrees of freedom. */
static void sets_are_compared_one_by_one(void **state) {
    (void)state;
    static const char yaml[] = TOP "  - {label: a, id: a, faults: \"1\", " TASK "1\"}\n"
                                   "  - {label: b, id: b, faults: \"1\", " LATENCY "1\"}\n"
                                   "  - {label: c, id: c, faults: \"2\", " TASK "1\"}\n"
                                   "  - {label: ratio, kind: combine, of: a, against: b, show: ratio}\n"
                                   "  - {label: difference, kind: claim, of: a, against: b, show: difference, holds: \"0..\"}\n"
                                   "  - {label: itself, kind: claim, of: a, against: a, holds: \"0%..0%\"}\n"
                                   "  - {label: others, kind: combine, of: a, against: c, show: ratio}\n";
    fixture fx;
    double a[4], b[4], x = 0, y = 0, vx = 0, vy = 0, both = 0, half;
    fixture_open(&fx, "kary-tree:k=2,n=2", "links", "ft2ei");
    for (uint32_t i = 0; i < 4; i++) {
        hf_fault_set faults;
        hf_plan plan;
        fixture_plan_set(&fx, &i, 1, &faults, &plan);
        b[i] = play_tasks(&fx, &faults, 1, &a[i], &half).latency;
        x += a[i] / 4;
        y += b[i] / 4;
    }
    for (uint32_t i = 0; i < 4; i++) {
        vx += (a[i] - x) * (a[i] - x) / 3;
        vy += (b[i] - y) * (b[i] - y) / 3;
        both += (a[i] - x) * (b[i] - y) / 3;
    }
    const double r = x / y, t = 3.182446305284263;
    hf_study_outcome *o = run_text(fx.cx, yaml, NULL, 2);
    const hf_study_line *ratio = study_find(o, "ratio"), *difference = study_find(o, "difference");
    assert_true(fabs(ratio->value - r) < 1e-9);
    assert_true(fabs(ratio->value_high - r - t * sqrt((vx + r * r * vy - 2 * r * both) / 4) / y) < 1e-6);
    assert_true(fabs(difference->value - (x - y)) < 1e-9);
    assert_true(fabs(difference->value_low - (x - y) + t * sqrt((vx + vy - 2 * both) / 4)) < 1e-6);
    assert_string_equal(ratio->method, "A / B, 4 sets");
    assert_string_equal(difference->method, "holds in 0.., 4 sets");
    assert_int_equal(study_find(o, "itself")->verdict, HF_STUDY_HOLDS);
    assert_string_equal(study_find(o, "others")->method, "A / B");
    hf_study_outcome_free(o);
    fixture_close(&fx);
}

static double play_generated(fixture *fx, double load) {
    hf_fault_set faults;
    hf_plan plan;
    hf_traffic *traffic;
    hf_messages messages;
    hf_play_result result;
    fixture_plan(fx, "", &faults, &plan);
    fixture_ok(fx, hf_traffic_new(fx->cx, fx->topo, "complement", &traffic));
    const hf_generation g = {
        .plan = &plan, .traffic = traffic, .load = load, .burst = {20, 1, false}, .packet_length = 4, .seed = 7, .cycles = 300};
    fixture_ok(fx, hf_messages_generate(fx->cx, &g, &messages));
    const hf_play play = {.plan = &plan, .kernel = hf_kernel_usual()};
    fixture_ok(fx, hf_play_messages(fx->cx, &play, &messages, &result));
    hf_messages_free(&messages);
    hf_traffic_free(traffic);
    return (double)result.cycles;
}

static double play_program(fixture *fx) {
    const hf_benchmark_options program = {.benchmark = HF_BENCHMARK_ADD, .n_node = fx->topo->n_terminal, .seed = 7};
    hf_fault_set faults;
    hf_plan plan;
    hf_program trace;
    hf_play_result result;
    fixture_plan(fx, "", &faults, &plan);
    fixture_ok(fx, hf_benchmark_program(fx->cx, &program, &trace));
    const hf_play play = {.plan = &plan, .kernel = hf_kernel_usual()};
    fixture_ok(fx, hf_play_program(fx->cx, &play, &trace, &result));
    hf_program_free(&trace);
    return (double)result.cycles;
}

static void traces_and_programs_are_those_of_the_kernel(void **state) {
    (void)state;
    fixture fx;
    char yaml[4096];
    fixture_open(&fx, "kary-tree:k=2,n=2", "links", "ft2ei");
    const double program = play_program(&fx);
    hf_study_outcome *o = run_text(fx.cx, text, NULL, 2);
    expect(o, "generated, load=0.1", play_generated(&fx, 0.1));
    expect(o, "generated, load=0.4", play_generated(&fx, 0.4));
    expect(o, "program", program);
    assert_int_equal(study_find(o, "program")->verdict, HF_STUDY_DIFFERS);
    hf_study_outcome_free(o);
    snprintf(yaml, sizeof yaml, TOP "  - {label: program, ask: simulate, column: cycles, program: add, published: \"%.0f\"}\n",
             program);
    o = run_text(fx.cx, yaml, NULL, 2);
    assert_int_equal(study_find(o, "program")->verdict, HF_STUDY_REPRODUCED);
    hf_study_outcome_free(o);
    fixture_close(&fx);
}

static void threads_and_the_store_do_not_show(void **state) {
    (void)state;
    hf_context *cx = hf_context_new(NULL);
    char folder[256], path[512];
    hf_store *store;
    folder_open(folder, sizeof folder);
    assert_int_equal(hf_store_open(cx, folder_file(folder, "s.sqlite", path, sizeof path), HF_STORE_WRITE, &store), HF_OK);
    hf_study_outcome *const o[] = {run_text(cx, text, NULL, 1), run_text(cx, text, store, 3), run_text(cx, text, store, 1)};
    for (size_t k = 1; k < 3; k++) {
        assert_int_equal(o[k]->n_line, o[0]->n_line);
        for (size_t i = 0; i < o[0]->n_line; i++) {
            assert_string_equal(o[k]->line[i].computed, o[0]->line[i].computed);
            assert_string_equal(o[k]->line[i].low, o[0]->line[i].low);
            assert_string_equal(o[k]->line[i].method, o[0]->line[i].method);
        }
    }
    assert_false(study_find(o[1], "all, f=1")->from_store);
    assert_true(study_find(o[2], "all, f=1")->from_store && study_find(o[2], "program")->from_store &&
                study_find(o[2], "task")->from_store);
    for (size_t k = 0; k < 3; k++) {
        hf_study_outcome_free(o[k]);
    }
    hf_store_close(store);
    folder_close(folder);
    hf_context_free(cx);
}

/* A file is known by what is in it, not by its name. */
static void a_trace_that_changed_is_played_again(void **state) {
    (void)state;
    static const char *const traces[] = {"cycle source destination flits\n0 0 3 4\n",
                                         "cycle source destination flits\n0 0 3 9\n"};
    hf_context *cx = hf_context_new(NULL);
    char folder[256], path[512], trace[512], yaml[2048];
    hf_store *store;
    folder_open(folder, sizeof folder);
    assert_int_equal(hf_store_open(cx, folder_file(folder, "s.sqlite", path, sizeof path), HF_STORE_WRITE, &store), HF_OK);
    folder_file(folder, "trace.txt", trace, sizeof trace);
    snprintf(yaml, sizeof yaml,
             TOP "  - {label: trace, ask: simulate, column: cycles, trace: \"%s\", router: packet-length=16}\n", trace);
    for (size_t i = 0; i < 2; i++) {
        folder_write(trace, traces[i], strlen(traces[i]));
        hf_study_outcome *o = run_text(cx, yaml, store, 1);
        /* 2 terminal links, 2 links, 3 switches of routing and crossbar, and the flits behind the first */
        expect(o, "trace", i == 0 ? 13 : 18);
        assert_false(study_find(o, "trace")->from_store);
        hf_study_outcome_free(o);
    }
    hf_study_outcome *o = run_text(cx, yaml, store, 1);
    assert_true(study_find(o, "trace")->from_store);
    hf_study_outcome_free(o);
    folder_write(trace, "cycle\n", 6);
    hf_study *study = NULL;
    const hf_study_options options = {.threads = 1};
    assert_int_equal(hf_study_parse(cx, "in.yaml", yaml, strlen(yaml), &study), HF_OK);
    assert_int_equal(hf_study_run(cx, study, &options, &o), HF_EINVAL);
    assert_non_null(strstr(hf_context_message(cx), "in.yaml, line 12, cell \"trace\": "));
    assert_non_null(strstr(hf_context_message(cx), "line 1, column 6"));
    hf_study_free(study);
    hf_store_close(store);
    folder_close(folder);
    hf_context_free(cx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tasks_are_those_of_the_kernel),     cmocka_unit_test(sets_are_all_that_are_tolerated),
        cmocka_unit_test(sets_are_compared_one_by_one),      cmocka_unit_test(traces_and_programs_are_those_of_the_kernel),
        cmocka_unit_test(threads_and_the_store_do_not_show), cmocka_unit_test(a_trace_that_changed_is_played_again)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
