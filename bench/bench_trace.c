/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Reading and playing a large trace, as CSV on standard output: a trace of uniform traffic on an 8 x 8 mesh is generated,
 *  written as text, read back, and its first messages are played. Usage: bench_trace [MESSAGES]; default 2,000,000. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <holdfast/holdfast.h>

#include "bench/bench.h"

enum { PLAYED = 200000, TERMINALS = 64, PACKET = 4 };
static const double load = 0.1; /* flits per cycle and terminal */

static void report(const char *name, size_t messages, size_t bytes, double seconds) {
    printf("%s,%zu,%zu,%.3f,%.3f,%.1f\n", name, messages, bytes, seconds, 1e-6 * (double)messages / seconds,
           1e-6 * (double)bytes / seconds);
    fflush(stdout);
}

static void run(hf_context *cx, const hf_plan *plan, const hf_traffic *traffic, double wanted) {
    hf_messages written, read;
    hf_play_result result;
    hf_text text;
    const hf_generation g = {.plan = plan,
                             .traffic = traffic,
                             .load = load,
                             .packet_length = PACKET,
                             .seed = 1,
                             .cycles = (uint64_t)(wanted * PACKET / load / TERMINALS)};
    double start = cpu_now_s();
    must(cx, hf_messages_generate(cx, &g, &written));
    report("generate", written.n, 0, cpu_now_s() - start);
    hf_text_init(cx, &text);
    start = cpu_now_s();
    must(cx, hf_messages_print(cx, &written, &text));
    report("write", written.n, text.size, cpu_now_s() - start);
    start = cpu_now_s();
    must(cx, hf_messages_parse(cx, "trace", text.data, text.size, TERMINALS, &read));
    report("read", read.n, text.size, cpu_now_s() - start);
    read.n = read.n < PLAYED ? read.n : PLAYED;
    const hf_play play = {.plan = plan, .kernel = hf_kernel_usual()};
    start = cpu_now_s();
    must(cx, hf_play_messages(cx, &play, &read, &result));
    report("play", read.n, 0, cpu_now_s() - start);
    hf_text_free(&text);
    hf_messages_free(&written);
    hf_messages_free(&read);
}

int main(int n_argument, char **argument) {
    hf_context *cx = hf_context_new(NULL);
    hf_topology *topo;
    hf_rule rule;
    hf_fault_set none;
    hf_plan plan;
    hf_traffic *traffic;
    if (!cx) {
        return 2;
    }
    must(cx, hf_topology_new(cx, "mesh:dims=8x8", &topo));
    must(cx, hf_rule_init(cx, "dor", topo, &rule));
    must(cx, hf_fault_set_parse(cx, topo, NULL, "", &none));
    must(cx, hf_plan_make(cx, &rule, &none, &plan));
    must(cx, hf_traffic_new(cx, topo, "uniform", &traffic));
    printf("case,messages,bytes,cpu_s,million_messages_per_s,megabytes_per_s\n");
    run(cx, &plan, traffic, n_argument > 1 ? strtod(argument[1], NULL) : 2e6);
    hf_traffic_free(traffic);
    hf_rule_free(&rule);
    hf_topology_free(topo);
    hf_context_free(cx);
    return 0;
}
