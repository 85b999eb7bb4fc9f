/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Every allocation under the kernel fails in turn: measured loads under all switching modes, with output queues, reorder
 *  buffers and bursts; the search for saturation; deadlocks found and put in place; faults at given cycles; traces read, written,
 *  generated and played; tasks with barriers, passed on by terminals; programs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/protocol.h>

#include "tests/oracle/fixture.h"
#include "tests/support/failing.h"

enum { STEP = 512, FAULTS = 2 };

/** What is only read, made by a context of its own. */
typedef struct scene {
    fixture fx;
    hf_fault_set none, set[FAULTS];
    hf_plan plan, after[FAULTS];
    hf_traffic *traffic;
    hf_simulation simulation;
    const char *text; /* of a trace */
} scene;

static void open_scene(scene *s, const char *topo, const char *rule, const char *faults, const char *pattern) {
    fixture_open(&s->fx, topo, NULL, rule);
    fixture_plan(&s->fx, faults, &s->none, &s->plan);
    fixture_ok(&s->fx, hf_traffic_new(s->fx.cx, s->fx.topo, pattern, &s->traffic));
    s->simulation = (hf_simulation){.plan = &s->plan,
                                    .traffic = s->traffic,
                                    .kernel = hf_kernel_usual(),
                                    .seed = 1,
                                    .window = 40,
                                    .batches = 2,
                                    .warm_up_most = 8,
                                    .threads = 1};
}

static void close_scene(scene *s) {
    hf_traffic_free(s->traffic);
    fixture_close(&s->fx);
}

/* ---- loads ---- */

static hf_status measure(hf_context *cx, void *user) {
    const scene *s = user;
    static const double load[] = {0.3, 3};
    hf_point point[2];
    return hf_simulate(cx, &s->simulation, load, 2, point);
}

typedef struct variant {
    const char *name, *topo, *rule;
    hf_kernel_options o; /* 0: as usual */
    hf_burst burst;
    uint32_t threads;
} variant;

static const variant variants[] = {
    {"wormhole", "ring:n=6", "dor:vcs=2,dateline=yes", {.reuse_early = true, .one_routing_unit = true}, {0, 0, false}, 1},
    {"two threads", "ring:n=5", "dor:vcs=2,dateline=yes", {0}, {0, 0, false}, 2},
    {"bursts", "ring:n=5", "dor:vcs=2,dateline=yes", {.switching = HF_SWITCHING_SAF}, {20, 3.5, false}, 1},
    {"bubble", "torus:dims=3x3", "dor", {.switching = HF_SWITCHING_VCT, .bubble = true, .output_queue = 8}, {0, 0, false}, 1},
    {"output queues", "torus:dims=3x3", "dor:vcs=2,dateline=yes", {.output_queue = 5, .speedup = 2}, {0, 0, false}, 1},
    {"reorder", "kary-tree:k=2,n=3", "updown", {.switching = HF_SWITCHING_VCT, .reorder = 5}, {0, 0, false}, 1},
    {"drop", "ring:n=6", "dor", {.contention = HF_CONTENTION_DROP}, {0, 0, false}, 1},
    {"circuit", "kary-tree:k=2,n=3", "updown", {.contention = HF_CONTENTION_CIRCUIT}, {9, 4, true}, 1},
    {"booksim-iq",
     "torus:dims=3x3",
     "dor:vcs=2,dateline=yes",
     {.vc_stage = true, .outputs_first = true, .terminal_vcs = HF_TERMINAL_VCS_ANY},
     {0, 0, false},
     1},
};

static hf_kernel_options filled(hf_kernel_options o) {
    const hf_kernel_options usual = hf_kernel_usual();
    o.packet_length = usual.packet_length;
    o.buffer = usual.buffer;
    o.routing_delay = o.crossbar_delay = o.link_delay = o.fly_delay = o.credit_delay = 1;
    o.outstanding = 3;
    o.backoff_cycles = 4;
    return o;
}

static void loads(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        const variant *v = &variants[i];
        scene s = {0};
        open_scene(&s, v->topo, v->rule, "", "uniform");
        s.simulation.kernel = filled(v->o);
        s.simulation.burst = v->burst;
        s.simulation.threads = v->threads;
        assert_true(failing_sweep(v->name, measure, &s) > 4);
        failing_sweep_pieces(v->name, STEP, measure, &s);
        close_scene(&s);
    }
}

static hf_status search(hf_context *cx, void *user) {
    const scene *s = user;
    hf_point points[HF_SATURATION_POINTS];
    uint32_t best;
    return hf_simulate_saturation(cx, &s->simulation, points, &best);
}

static void saturation(void **state) {
    (void)state;
    scene s = {0};
    open_scene(&s, "ring:n=4", "dor:vcs=2,dateline=yes", "", "neighbour");
    assert_true(failing_sweep("saturation", search, &s) > 15);
    close_scene(&s);
}

/* ---- deadlocks ---- */

/* Found under load, shown, and put in place again. */
static hf_status stop_and_place(hf_context *cx, void *user) {
    const scene *s = user;
    const double load = 3;
    hf_point point;
    hf_kernel *k;
    hf_blocked *found;
    uint32_t count;
    HF_TRY(hf_simulate(cx, &s->simulation, &load, 1, &point));
    assert_true(point.n_blocked > 0);
    HF_TRY(hf_kernel_new(cx, &s->plan, &s->simulation.kernel, &k));
    HF_TRY(hf_kernel_place(k, point.blocked, point.n_blocked));
    HF_TRY(hf_kernel_run(k, 50));
    HF_TRY(hf_kernel_deadlock(k, &found, &count));
    assert_true(count > 0 && hf_kernel_read(k)->flit_hops == 0);
    return HF_OK;
}

static void deadlocks(void **state) {
    (void)state;
    for (uint32_t queue = 0; queue < 10; queue += 9) {
        for (unsigned switching = HF_SWITCHING_WORMHOLE; switching <= HF_SWITCHING_VCT; switching++) {
            scene s = {0};
            open_scene(&s, "ring:n=8", "dor", "", "tornado");
            s.simulation.window = 500;
            s.simulation.warm_up_most = 50;
            s.simulation.kernel.switching = (hf_switching)switching;
            s.simulation.kernel.output_queue = queue;
            failing_sweep_pieces("deadlock", STEP, stop_and_place, &s);
            close_scene(&s);
        }
    }
}

/* ---- faults at given cycles ---- */

static hf_status go_through_faults(hf_context *cx, void *user) {
    const scene *s = user;
    const hf_kernel_fault fault[FAULTS] = {{30, &s->set[0], &s->after[0]}, {90, &s->set[1], &s->after[1]}};
    hf_history h = {.simulation = &s->simulation,
                    .load = 2,
                    .fault = fault,
                    .n_fault = FAULTS,
                    .options = hf_reconfiguration_usual(),
                    .cycles = 400};
    h.options.hop_cycles = 3;
    h.options.swap_cycles = 20;
    h.options.has_emergency_paths = true;
    HF_TRY(hf_history_run(cx, &h));
    assert_true(h.reconfiguration[0].changed > 0);
    return HF_OK;
}

static void faults(void **state) {
    (void)state;
    static const struct {
        const char *topo, *rule, *first, *both;
        hf_kernel_options o;
    } row[] = {
        {"kary-tree:k=2,n=3", "ft2ei", "s0:2", "s0:2,s5:2", {.contention = HF_CONTENTION_CIRCUIT}},
        {"kary-tree:k=2,n=3", "ft2ei", "s0:2", "s0:2,s5:2", {.output_queue = 6}},
        {"kary-tree:k=2,n=3", "ft2ei", "s0:2", "s0:2,s5:2", {.switching = HF_SWITCHING_SAF}},
        {"torus:dims=3x3", "immunet", "s0:0", "s0:0,s4", {.switching = HF_SWITCHING_VCT, .bubble = true}},
        {"mesh:dims=3x3", "updown-graph", "s0:0", "s0:0,s8", {.switching = HF_SWITCHING_VCT, .reorder = 4}},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        scene s = {0};
        open_scene(&s, row[i].topo, row[i].rule, "", "uniform");
        s.simulation.kernel = filled(row[i].o);
        s.simulation.kernel.buffer = 500; /* so that all of it does not fit a block of the arena */
        fixture_plan(&s.fx, row[i].first, &s.set[0], &s.after[0]);
        fixture_plan(&s.fx, row[i].both, &s.set[1], &s.after[1]);
        failing_sweep_pieces(row[i].rule, STEP, go_through_faults, &s);
        close_scene(&s);
    }
}

/* ---- work with an end ---- */

/* A trace that a load generates is written, read again, and played. */
static hf_status play_trace(hf_context *cx, void *user) {
    const scene *s = user;
    const hf_generation g = {.plan = &s->plan,
                             .traffic = s->traffic,
                             .load = 1,
                             .burst = s->simulation.burst,
                             .packet_length = 4,
                             .seed = 1,
                             .cycles = 200};
    const hf_play play = {.plan = &s->plan, .kernel = s->simulation.kernel};
    hf_messages generated = {0}, read = {0};
    hf_play_result result;
    hf_text text;
    hf_status status;
    hf_text_init(cx, &text);
    HF_TRY_DONE(hf_messages_generate(cx, &g, &generated));
    HF_TRY_DONE(hf_messages_print(cx, &generated, &text));
    HF_TRY_DONE(hf_messages_parse(cx, "t", text.data, text.size, s->fx.topo->n_terminal, &read));
    HF_TRY_DONE(hf_play_messages(cx, &play, &read, &result));
    assert_true(result.is_complete && result.messages == generated.n);
done:
    hf_messages_free(&read);
    hf_messages_free(&generated);
    hf_text_free(&text);
    return status;
}

static hf_status play_tasks(hf_context *cx, void *user) {
    const scene *s = user;
    const hf_play play = {.plan = &s->plan, .kernel = s->simulation.kernel};
    const hf_barrier barrier = {.messages = 5, .flits = 10, .interval = 3, .outstanding = 20, .tasks = 2, .redistribute = true};
    hf_play_result result;
    hf_batch_mean mean;
    double cycles[2];
    return hf_play_barrier(cx, &play, s->traffic, &barrier, 1, &result, cycles, &mean);
}

static hf_status play_program(hf_context *cx, void *user) {
    const scene *s = user;
    const hf_benchmark_options options = {.benchmark = HF_BENCHMARK_REVERSE, .n_node = s->fx.topo->n_terminal, .seed = 1};
    const hf_play play = {.plan = &s->plan, .kernel = s->simulation.kernel};
    hf_play_result result;
    hf_program program = {0};
    hf_status status;
    HF_TRY_DONE(hf_benchmark_program(cx, &options, &program));
    HF_TRY_DONE(hf_play_program(cx, &play, &program, &result));
    assert_true(result.is_complete);
done:
    hf_program_free(&program);
    return status;
}

static void work(void **state) {
    (void)state;
    for (int contention = HF_CONTENTION_WAIT; contention <= HF_CONTENTION_CIRCUIT; contention++) {
        scene s = {0};
        open_scene(&s, "mesh:dims=2x2", "dor", "", "uniform");
        s.simulation.kernel = filled((hf_kernel_options){.contention = (hf_contention)contention});
        s.simulation.kernel.buffer = 1500;
        s.simulation.burst = (hf_burst){30, 2, false};
        assert_true(failing_sweep("trace", play_trace, &s) > 4);
        failing_sweep_pieces("trace", STEP, play_trace, &s);
        failing_sweep_pieces("tasks", STEP, play_tasks, &s);
        assert_true(failing_sweep("program", play_program, &s) > 4);
        failing_sweep_pieces("program", STEP, play_program, &s);
        close_scene(&s);
    }
}

static void passed_on(void **state) {
    (void)state;
    scene s = {0};
    open_scene(&s, "multibutterfly:radix=2,dilation=2,stages=4", "multipath:live=multi-hop", "s30,s17,s33,s22,s9,s24,s0,s23,s39",
               "uniform");
    failing_sweep_pieces("tasks passed on", STEP, play_tasks, &s);
    close_scene(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads),  cmocka_unit_test(saturation), cmocka_unit_test(deadlocks),
        cmocka_unit_test(faults), cmocka_unit_test(work),       cmocka_unit_test(passed_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
