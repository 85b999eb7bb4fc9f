/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Speed of networks without buffers, as CSV on standard output: the barrier task of chong1992, section 5, on its machine of
 *  1,024 endpoints, with and without failed chips. The best of three runs. Usage: bench_circuit [whole] [CASE...]; `whole`: 400
 *  messages an endpoint, as published, else 100; CASE is a prefix of a case's name. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <holdfast/holdfast.h>

#include "bench/bench.h"

#define MACHINE "multibutterfly:radix=4,dilation=2,stages=5,seed=1"
#define PROPAGATION "multipath:live=fault-propagation,spread=once,relays=yes"

typedef struct circuit_case {
    const char *name, *topology, *routing;
    hf_contention contention;
    uint32_t failed; /* chips, of 1,280 */
    uint32_t set;    /* number in a sampled campaign of seed 1: the first that is tolerated */
} circuit_case;

static const circuit_case cases[] = {
    {"none-failed", MACHINE, "multipath:live=multi-hop", HF_CONTENTION_CIRCUIT, 0, 0},
    {"none-failed-drop", MACHINE, "multipath:live=multi-hop", HF_CONTENTION_DROP, 0, 0},
    {"multi-hop-5", MACHINE, "multipath:live=multi-hop", HF_CONTENTION_CIRCUIT, 64, 0},
    {"multi-hop-15", MACHINE, "multipath:live=multi-hop", HF_CONTENTION_CIRCUIT, 192, 0},
    {"multi-hop-30", MACHINE, "multipath:live=multi-hop", HF_CONTENTION_CIRCUIT, 384, 2},
    {"propagation-15", MACHINE, PROPAGATION, HF_CONTENTION_CIRCUIT, 192, 0},
    {"propagation-30", MACHINE, PROPAGATION, HF_CONTENTION_CIRCUIT, 384, 2},
};
enum { N_CASE = sizeof cases / sizeof *cases, REPEAT = 3, CUT = 100, CHIPS = 1280 };

static void draw_set(hf_context *cx, const hf_universe *universe, const circuit_case *w, hf_fault_set *out) {
    uint32_t component[CHIPS];
    hf_random r;
    hf_random_init(&r, 1, (hf_purpose)((uint32_t)HF_PURPOSE_SAMPLE | w->failed << 8), w->set);
    hf_random_subset(&r, universe->n_component, w->failed, component);
    must(cx, hf_fault_set_make(cx, universe, component, w->failed, out));
}

static double play_once(hf_context *cx, const hf_play *play, const hf_traffic *traffic, const hf_barrier *barrier,
                        hf_play_result *result) {
    double cycles;
    hf_batch_mean mean;
    const double start = cpu_now_s();
    must(cx, hf_play_barrier(cx, play, traffic, barrier, 1, result, &cycles, &mean));
    return cpu_now_s() - start;
}

static void run(hf_context *cx, const circuit_case *w, const hf_plan *plan, const hf_traffic *traffic, bool is_whole) {
    hf_barrier barrier = hf_barrier_usual();
    hf_play play = {.plan = plan, .kernel = hf_kernel_usual()};
    hf_play_result result;
    double best = 1e9;
    barrier.tasks = 1;
    barrier.messages = is_whole ? barrier.messages : CUT;
    play.kernel.contention = w->contention;
    play.kernel.packet_length = barrier.flits;
    play.kernel.outstanding = barrier.outstanding;
    for (int i = 0; i < REPEAT; i++) {
        const hf_mark mark = hf_scratch_mark(cx);
        const double seconds = play_once(cx, &play, traffic, &barrier, &result);
        best = seconds < best ? seconds : best;
        hf_scratch_reset(cx, mark);
    }
    printf("%s,\"%s\",\"%s\",%s,%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%.3f,%.1f,%.2f\n", w->name, w->topology,
           w->routing, hf_kernel_switching_name(&play.kernel), w->failed, result.messages, result.lost, result.cycles, best,
           1e-3 * (double)result.messages / best, 1e6 * best / (double)result.cycles);
    fflush(stdout);
}

static void bench(const circuit_case *w, bool is_whole) {
    hf_context *cx = hf_context_new(NULL);
    hf_topology *topo;
    hf_universe *universe;
    hf_traffic *traffic;
    hf_rule rule;
    hf_fault_set faults;
    hf_plan plan;
    must(cx, hf_topology_new(cx, w->topology, &topo));
    must(cx, hf_universe_new(cx, topo, "chips", NULL, &universe));
    must(cx, hf_rule_init(cx, w->routing, topo, &rule));
    must(cx, hf_traffic_new(cx, topo, "uniform", &traffic));
    draw_set(cx, universe, w, &faults);
    must(cx, hf_plan_make(cx, &rule, &faults, &plan));
    run(cx, w, &plan, traffic, is_whole);
    hf_traffic_free(traffic);
    hf_rule_free(&rule);
    hf_universe_free(universe);
    hf_topology_free(topo);
    hf_context_free(cx);
}

int main(int n_word, char **word) {
    const bool is_whole = n_word > 1 && strcmp(word[1], "whole") == 0;
    printf("case,topology,routing,switching,failed,messages,lost,cycles,cpu_s,thousand_messages_per_s,us_per_cycle\n");
    for (size_t i = 0; i < N_CASE; i++) {
        if (is_asked(cases[i].name, n_word, word, 1 + is_whole)) {
            bench(&cases[i], is_whole);
        }
    }
    return 0;
}
