/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Time and memory to build a large topology and to plan one fault set, as CSV on standard output.
 *  `ratio_to_build` is planning time over the time to build the topology in the same run. */
#include <inttypes.h>
#include <stdio.h>
#include <sys/resource.h>

#include <holdfast/holdfast.h>

#include "bench/bench.h"

typedef struct plan_case {
    const char *name, *topology, *routing;
    uint32_t f;
    double target_s;
} plan_case;

static const plan_case cases[] = {
    {"plan-ft2ei-8-5-f1", "kary-tree:k=8,n=5", "ft2ei:intervals=1", 1, 0.2},
    {"plan-ft2ei-8-5-f10", "kary-tree:k=8,n=5", "ft2ei:intervals=1", 10, 0.2},
    {"plan-ft2ei2-8-5-f10", "kary-tree:k=8,n=5", "ft2ei:intervals=2", 10, 0.2},
    {"plan-updown-8-5-f10", "kary-tree:k=8,n=5", "updown", 10, 0},
    {"plan-immunet-64x64-f1", "torus:dims=64x64", "immunet", 1, 1},
    {"plan-immunet-64x64-f10", "torus:dims=64x64", "immunet", 10, 1},
    {"plan-updown-graph-1000-f1", "random-regular:n=1000,degree=8", "updown-graph", 1, 0},
    {"plan-layered-200-f1", "random-regular:n=200,degree=8", "layered-shortest", 1, 0},
    {"plan-ft2ei-4-3-f20", "kary-tree:k=4,n=3", "ft2ei:intervals=1", 20, 0},
};

static void run_case(hf_context *cx, const plan_case *c) {
    hf_topology *topo;
    hf_universe *universe;
    hf_rule rule;
    const double start = wall_now_s();
    must(cx, hf_topology_new(cx, c->topology, &topo));
    const double build = wall_now_s() - start;
    must(cx, hf_universe_new(cx, topo, "channels", NULL, &universe));
    must(cx, hf_rule_init(cx, c->routing, topo, &rule));
    double worst = 0, sum = 0;
    enum { SETS = 20 };
    for (uint64_t i = 0; i < SETS; i++) {
        const hf_mark mark = hf_scratch_mark(cx);
        uint32_t set[32];
        hf_random r;
        hf_random_init(&r, 1, HF_PURPOSE_SAMPLE, i);
        hf_random_subset(&r, universe->n_component, c->f, set);
        const double t0 = wall_now_s();
        hf_fault_set faults;
        hf_plan plan;
        must(cx, hf_fault_set_make(cx, universe, set, c->f, &faults));
        must(cx, hf_plan_make(cx, &rule, &faults, &plan));
        const double t = wall_now_s() - t0;
        worst = t > worst ? t : worst;
        sum += t;
        hf_scratch_reset(cx, mark);
    }
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%s,plan,\"%s\",%s,%" PRIu32 ",%d,%.4f,%.5f,%.5f,%.3g,%.3g,%.1f,%s,%s\n", c->name, c->topology, c->routing, c->f, SETS,
           build, sum / SETS, worst, c->target_s, sum / SETS / build, (double)usage.ru_maxrss / 1024, hf_build_version(),
           hf_build_commit());
    fflush(stdout);
    hf_rule_free(&rule);
    hf_universe_free(universe);
    hf_topology_free(topo);
}

int main(void) {
    hf_context *cx = hf_context_new(NULL);
    if (!cx) {
        return 2;
    }
    printf("name,bench,topology,routing,f,sets,build_s,plan_mean_s,plan_max_s,target_s,ratio_to_build,peak_mib,version,commit\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run_case(cx, &cases[i]);
    }
    hf_context_free(cx);
    return 0;
}
