/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Speed of idempotent messaging, as CSV on standard output: states of the explicit check, and packets of the simulation, by the
 *  second of one core's time. `states` are those found, in full or reduced; the best of three. Usage: bench_protocol [CASE...];
 *  CASE is a prefix of a case's name. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <holdfast/holdfast.h>

#include "bench/bench.h"

typedef struct check_case {
    const char *name;
    uint32_t messages, capacity, table, slip, ids;
    unsigned reduction;
    double target; /* states a second */
} check_case;

static const check_case checks[] = {
    {"check-4-messages", 4, 4, 4, 0, 0, HF_REDUCE_ALL, 1e6},
    {"check-in-full", 3, 3, 3, 0, 0, 0, 1e6},
    {"check-ids-used-again", 4, 3, 4, 0, 4, HF_REDUCE_ALL, 1e6},
    {"check-slip-2", 2, 3, 2, 2, 0, HF_REDUCE_ALL, 1e6},
};

typedef struct run_case {
    const char *name;
    hf_benchmark benchmark;
    hf_network_kind network;
    bool is_buffered;
} run_case;

static const run_case runs[] = {
    {"run-add-2d", HF_BENCHMARK_ADD, HF_NETWORK_GRID_2D, false},
    {"run-reverse-2d", HF_BENCHMARK_REVERSE, HF_NETWORK_GRID_2D, false},
    {"run-reverse-3d", HF_BENCHMARK_REVERSE, HF_NETWORK_GRID_3D, false},
    {"run-reverse-tree", HF_BENCHMARK_REVERSE, HF_NETWORK_FAT_TREE, false},
    {"run-reverse-2d-perfect", HF_BENCHMARK_REVERSE, HF_NETWORK_GRID_2D, true},
};
enum { N_CHECK = sizeof checks / sizeof *checks, N_RUN = sizeof runs / sizeof *runs, REPEAT = 3 };

static void print(const char *name, const char *unit, uint64_t count, double seconds, double target) {
    printf("%s,%s,%" PRIu64 ",%.3f,%.3g,%.3g\n", name, unit, count, seconds, (double)count / seconds, target);
    fflush(stdout);
}

static void bench_check(const check_case *c) {
    hf_context *cx = hf_context_new(NULL);
    hf_check check = {.protocol = hf_protocol_default(),
                      .n_message = c->messages,
                      .capacity = c->capacity,
                      .has_loss = true,
                      .has_duplication = true,
                      .slip = c->slip,
                      .reduction = c->reduction,
                      .state_limit = 1U << 26};
    hf_check_result result;
    double best = 1e9;
    check.protocol.send_capacity = check.protocol.receive_capacity = c->table;
    check.protocol.retention = c->slip;
    check.protocol.n_id = c->ids;
    for (int i = 0; i < REPEAT; i++) {
        const double start = cpu_now_s();
        must_in(cx, hf_protocol_check(cx, &check, &result), c->name);
        const double seconds = cpu_now_s() - start;
        best = seconds < best ? seconds : best;
    }
    print(c->name, "states", result.n_state, best, c->target);
    hf_context_free(cx);
}

static void bench_run(const run_case *c) {
    hf_context *cx = hf_context_new(NULL);
    hf_program program;
    hf_messaging_result result;
    hf_messaging m = hf_messaging_default(c->network);
    m.is_buffered = c->is_buffered;
    double best = 1e9;
    const hf_benchmark_options options = {.benchmark = c->benchmark, .n_node = hf_benchmark_nodes(c->benchmark), .seed = 1};
    must_in(cx, hf_benchmark_program(cx, &options, &program), c->name);
    for (int i = 0; i < REPEAT; i++) {
        const double start = cpu_now_s();
        must_in(cx, hf_messaging_run(cx, &m, &program, &result), c->name);
        const double seconds = cpu_now_s() - start;
        best = seconds < best ? seconds : best;
    }
    print(c->name, "packets", result.n_packet[0] + result.n_packet[1] + result.n_packet[2], best, 0);
    hf_program_free(&program);
    hf_context_free(cx);
}

int main(int n_word, char **word) {
    printf("case,unit,count,cpu_seconds,per_second,target\n");
    for (size_t i = 0; i < N_CHECK; i++) {
        if (is_asked(checks[i].name, n_word, word, 1)) {
            bench_check(&checks[i]);
        }
    }
    for (size_t i = 0; i < N_RUN; i++) {
        if (is_asked(runs[i].name, n_word, word, 1)) {
            bench_run(&runs[i]);
        }
    }
    return 0;
}
