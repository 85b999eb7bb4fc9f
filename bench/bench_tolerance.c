/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Speed of campaigns, as CSV on standard output. Each case is run on all cores and on its slow twin (the relation, on fewer
 *  sets) in the same run; in those whose name begins with `verdicts` nothing is measured. `ratio` is the one rate over the other,
 *  which is what to compare between versions and machines. Usage: bench_tolerance [--repeat N] [CASE...]; CASE is a prefix of a
 *  case's name. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <holdfast/holdfast.h>

#include "bench/bench.h"

typedef struct bench_case {
    const char *name, *topology, *routing, *universe, *criterion;
    uint32_t f;
    uint64_t samples;      /* 0: exhaustive */
    uint64_t twin_samples; /* sampled sets for the slow twin; 0: it takes too long */
    double target;         /* sets/s/core asked for; 0: none */
} bench_case;

/* Rules that read files are found from the source's folder. The machine of chong1992: 1,024 endpoints, 1,280 chips. */
#define MULTIBUTTERFLY "multibutterfly:radix=4,dilation=2,stages=5"

static const bench_case cases[] = {
    {"updown-links-4-3-f4", "kary-tree:k=4,n=3", "updown", "links", "all-pairs", 4, 0, 2000, 0},
    {"updown-links-4-3-f5", "kary-tree:k=4,n=3", "updown", "links", "all-pairs", 5, 0, 2000, 300e6},
    {"updown-links-4-3-f6", "kary-tree:k=4,n=3", "updown", "links", "all-pairs", 6, 0, 2000, 0},
    {"updown-channels-4-3-f4", "kary-tree:k=4,n=3", "updown", "channels", "all-pairs", 4, 0, 2000, 0},
    {"updown-links-9-3-f3", "kary-tree:k=9,n=3", "updown", "links", "all-pairs", 3, 0, 20, 0},
    {"updown-links-3-5-f3", "kary-tree:k=3,n=5", "updown", "links", "all-pairs", 3, 0, 100, 0},
    {"updown-links-8-5-f2", "kary-tree:k=8,n=5", "updown", "links", "all-pairs", 2, 0, 0, 0},
    {"updown-surviving-channels-4-3-f4", "kary-tree:k=4,n=3", "updown", "channels", "surviving", 4, 0, 2000, 0},
    {"updown-connected-channels-4-3-f4", "kary-tree:k=4,n=3", "updown", "channels", "connected", 4, 0, 2000, 0},
    {"updown-surviving-switches-4-3-f3", "kary-tree:k=4,n=3", "updown", "switches", "surviving", 3, 0, 2000, 0},
    {"switches-connected-links-8-5-f2", "kary-tree:k=8,n=5", "updown", "links", "switches-connected", 2, 0, 0, 0},
    {"verdicts-updown-8-3-f20", "kary-tree:k=8,n=3", "updown", "links", "all-pairs", 20, 1000000, 20, 0},
    {"verdicts-updown-8-4-f20", "kary-tree:k=8,n=4", "updown", "links", "all-pairs", 20, 1000000, 0, 0},
    {"verdicts-updown-8-5-f20", "kary-tree:k=8,n=5", "updown", "links", "all-pairs", 20, 1000000, 0, 0},
    {"verdicts-ft2ei-4-3-f20", "kary-tree:k=4,n=3", "ft2ei:intervals=1", "channels", "all-pairs", 20, 1000000, 1000, 0},
    {"verdicts-ft2ei-8-4-f20", "kary-tree:k=8,n=4", "ft2ei:intervals=1", "links", "all-pairs", 20, 1000000, 0, 0},
    {"verdicts-immunet-8x8-f2", "torus:dims=8x8", "immunet", "links", "all-pairs", 2, 0, 100, 0},
    {"verdicts-immunet-16x16-f10", "torus:dims=16x16", "immunet", "links", "all-pairs", 10, 100000, 20, 0},
    {"updown-links-8-3-f3", "kary-tree:k=8,n=3", "updown", "links", "all-pairs", 3, 0, 20, 0},
    {"ft2ei-channels-4-3-f4", "kary-tree:k=4,n=3", "ft2ei:intervals=1", "channels", "all-pairs", 4, 0, 2000, 174792640 / 80.0},
    {"ft2ei-sampled-4-3-f20", "kary-tree:k=4,n=3", "ft2ei:intervals=1", "channels", "all-pairs", 20, 2000000, 1000, 200e3},
    {"ft2ei2-sampled-4-3-f20", "kary-tree:k=4,n=3", "ft2ei:intervals=2", "channels", "all-pairs", 20, 1000000, 1000, 0},
    {"ft2ei-sampled-8-3-f10", "kary-tree:k=8,n=3", "ft2ei:intervals=1", "channels", "all-pairs", 10, 200000, 20, 5e3},
    {"ft2ei-exact-2-3-f10", "kary-tree:k=2,n=3", "ft2ei:intervals=1", "channels", "all-pairs", 10, 0, 5000, 0},
    {"immunet-16x16-f10", "torus:dims=16x16", "immunet", "links", "all-pairs", 10, 20000, 20, 2e3},
    {"immunet-surviving-16x16-f10", "torus:dims=16x16", "immunet", "switches", "surviving", 10, 20000, 20, 0},
    {"multipath-propagation-15%", MULTIBUTTERFLY, "multipath:live=fault-propagation", "chips", "all-pairs", 192, 100000, 10,
     20e3},
    {"multipath-propagation-30%", MULTIBUTTERFLY, "multipath:live=fault-propagation", "chips", "all-pairs", 384, 100000, 10, 0},
    {"multipath-multi-hop-15%", MULTIBUTTERFLY, "multipath:live=multi-hop", "chips", "all-pairs", 192, 20000, 4, 500},
    {"multipath-multi-hop-30%", MULTIBUTTERFLY, "multipath:live=multi-hop", "chips", "all-pairs", 384, 20000, 4, 500},
    {"multipath-none-5%", MULTIBUTTERFLY, "multipath", "chips", "all-pairs", 64, 20000, 4, 0},
    {"multipath-multi-hop-16-f4", "maximal-fanout:radix=2,dilation=2,stages=4", "multipath:live=multi-hop", "switches",
     "all-pairs", 4, 0, 2000, 0},
    {"blind-dor-8x8-f4", "mesh:dims=8x8", "dor", "links", "all-pairs", 4, 0, 200, 10e6},
    {"blind-dor-8x8-sampled", "mesh:dims=8x8", "dor", "links", "all-pairs", 4, 1000000, 200, 0},
    {"blind-duato-8x8-f3", "mesh:dims=8x8", "duato", "links", "all-pairs", 3, 0, 100, 1e6},
    {"blind-duato-8x8-switches-f3", "mesh:dims=8x8", "duato", "switches", "surviving", 3, 0, 100, 0},
    {"blind-odd-even-8x8-f3", "mesh:dims=8x8", "odd-even", "links", "all-pairs", 3, 0, 100, 1e6},
    {"blind-valiant-8x8-f3", "mesh:dims=8x8", "valiant", "links", "all-pairs", 3, 0, 4, 0},
    {"blind-table-8x8-f4", "file:tests/fixtures/opensm/mesh-8x8.dor/ibnetdiscover.txt",
     "table:tests/fixtures/opensm/mesh-8x8.dor/opensm-lfts.dump", "links", "all-pairs", 4, 0, 200, 10e6},
    {"blind-lua-xy-8x8-f4", "mesh:dims=8x8", "lua:studies/examples/xy.lua", "links", "all-pairs", 4, 0, 20, 10e6},
    {"blind-lua-west-first-8x8-f3", "mesh:dims=8x8", "lua:studies/examples/west-first.lua", "links", "all-pairs", 3, 0, 20, 1e6},
    {"blind-destro-4-3-f3", "kary-tree:k=4,n=3", "destro", "links", "all-pairs", 3, 0, 100, 10e6},
    {"blind-dragonfly-72-f3", "dragonfly:p=2,a=4,h=2", "dragonfly-min", "links", "all-pairs", 3, 0, 100, 10e6},
    {"blind-dor-32x32-f2", "mesh:dims=32x32", "dor", "links", "all-pairs", 2, 0, 2, 10e3},
    {"blind-dor-32x32-sampled", "mesh:dims=32x32", "dor", "links", "all-pairs", 2, 100000, 2, 10e3},
    {"blind-odd-even-32x32-f2", "mesh:dims=32x32", "odd-even", "links", "all-pairs", 2, 0, 2, 10e3},
    {"verdicts-dor-8x8-sampled", "mesh:dims=8x8", "dor", "links", "all-pairs", 4, 4000000, 200, 10e6},
    {"verdicts-valiant-8x8-f4", "mesh:dims=8x8", "valiant", "links", "all-pairs", 4, 0, 4, 1e6},
    {"verdicts-dor-32x32-sampled", "mesh:dims=32x32", "dor", "links", "all-pairs", 2, 1000000, 2, 10e3},
    {"verdicts-duato-32x32-sampled", "mesh:dims=32x32", "duato", "links", "all-pairs", 2, 1000000, 2, 10e3},
    {"verdicts-minimal-1024-sampled", "random-regular:n=1024,degree=4", "minimal", "links", "all-pairs", 2, 100000, 2, 10e3},
    {"graph-minimal-64-f3", "random-regular:n=64,degree=4", "minimal", "links", "all-pairs", 3, 0, 100, 0},
    {"graph-updown-64-f2", "random-regular:n=64,degree=4", "updown-graph", "links", "all-pairs", 2, 0, 100, 0},
    {"graph-layered-64-f2", "random-regular:n=64,degree=4", "layered-shortest", "links", "all-pairs", 2, 0, 100, 0},
    {"graph-layered-8x8-f2", "torus:dims=8x8", "layered-shortest", "links", "all-pairs", 2, 0, 100, 0},
    {"graph-layered-4-3-f2", "kary-tree:k=4,n=3", "layered-shortest", "links", "all-pairs", 2, 0, 100, 0},
    {"graph-layered-32x32-sampled", "torus:dims=32x32", "layered-shortest", "links", "all-pairs", 2, 2000, 3, 0},
    {"graph-dfsssp-64-f2", "random-regular:n=64,degree=4", "dfsssp", "links", "all-pairs", 2, 0, 100, 0},
    {"graph-dfsssp-32x32-sampled", "torus:dims=32x32", "dfsssp", "links", "all-pairs", 2, 10, 1, 0},
    {"verdicts-updown-graph-64-f4", "random-regular:n=64,degree=4", "updown-graph", "links", "all-pairs", 4, 0, 100, 0},
    {"verdicts-layered-64-f4", "random-regular:n=64,degree=4", "layered-shortest", "links", "all-pairs", 4, 0, 100, 0},
    {"verdicts-layered-16x16-sampled", "mesh:dims=16x16", "layered-shortest", "links", "all-pairs", 2, 500, 3, 0},
    {"verdicts-solid-8x8-f3", "mesh:dims=8x8", "solid-fault", "links", "all-pairs", 3, 0, 100, 100e3},
    {"verdicts-solid-torus-8x8-f3", "torus:dims=8x8", "solid-fault", "links", "all-pairs", 3, 0, 100, 100e3},
    {"verdicts-solid-adaptive-torus-4x4x4-f3", "torus:dims=4x4x4", "solid-fault-adaptive", "links", "all-pairs", 3, 0, 100,
     100e3},
    {"verdicts-solid-32x32-f10", "mesh:dims=32x32", "solid-fault", "links", "all-pairs", 10, 100000, 0, 10e3},
    {"verdicts-solid-torus-32x32-f10", "torus:dims=32x32", "solid-fault", "links", "all-pairs", 10, 100000, 0, 10e3},
    {"destro-ft-4-3-f2", "kary-tree:k=4,n=3", "destro-ft", "links", "all-pairs", 2, 0, 100, 0},
    {"verdicts-destro-ft-4-3-f5", "kary-tree:k=4,n=3", "destro-ft", "links", "all-pairs", 5, 0, 100, 0},
};

/* One run. \param[out] cpu_s seconds of all threads, which other work on the machine does not lengthen much \return seconds. */
static double run_once(hf_context *cx, hf_campaign *campaign, uint64_t *sets, uint32_t *threads, uint64_t *bad, double *cpu_s) {
    hf_result *result;
    const double start = wall_now_s();
    const clock_t cpu_start = clock();
    must_in(cx, hf_campaign_run(cx, campaign, &result), "campaign");
    const double wall = wall_now_s() - start;
    *cpu_s = (double)(clock() - cpu_start) / CLOCKS_PER_SEC;
    *sets = result->row[0].tally.sets;
    *bad = result->row[0].tally.not_tolerated;
    *threads = result->threads;
    hf_result_free(result);
    return wall;
}

static void run_case(hf_context *cx, const bench_case *c, int repeat) {
    hf_topology *topo;
    hf_universe *universe;
    hf_rule rule;
    hf_criterion criterion;
    must_in(cx, hf_topology_new(cx, c->topology, &topo), c->name);
    must_in(cx, hf_universe_new(cx, topo, c->universe, NULL, &universe), c->name);
    must_in(cx, hf_rule_init(cx, c->routing, topo, &rule), c->name);
    must_in(cx, hf_criterion_init(cx, c->criterion, &criterion), c->name);
    hf_campaign campaign = {.universe = universe, .rule = &rule, .criterion = &criterion, .f = &c->f, .n_f = 1, .seed = 1};
    campaign.method = c->samples ? HF_METHOD_SAMPLED : HF_METHOD_EXHAUSTIVE;
    campaign.samples = c->samples;
    campaign.verdicts = strncmp(c->name, "verdicts-", 9) == 0;
    uint64_t sets = 0, bad = 0, twin_sets = 0, twin_bad = 0;
    uint32_t threads = 1, twin_threads = 1;
    double best = 0, cpu = 0, cpu_s = 0;
    for (int i = 0; i < repeat; i++) {
        const double wall = run_once(cx, &campaign, &sets, &threads, &bad, &cpu_s);
        best = i == 0 || wall < best ? wall : best;
        cpu = i == 0 || cpu_s < cpu ? cpu_s : cpu;
    }
    const double rate = (double)sets / best / threads;
    char ratio[32] = ""; /* of a case without a twin: none */
    if (c->twin_samples > 0) {
        campaign.method = HF_METHOD_SAMPLED;
        campaign.samples = c->twin_samples;
        campaign.use_relation = true;
        const double twin = run_once(cx, &campaign, &twin_sets, &twin_threads, &twin_bad, &cpu_s);
        (void)snprintf(ratio, sizeof ratio, "%.3g", rate * twin * twin_threads / (double)twin_sets);
    }
    printf("%s,%s,\"%s\",%s,%s,%" PRIu32 ",%s,%" PRIu64 ",%" PRIu64 ",%" PRIu32 ",%.3f,%.0f,%.0f,%s,%s,%s,%s,%.0f\n", c->name,
           "tolerance", c->topology, c->routing, c->universe, c->f, c->samples ? "sampled" : "exhaustive", sets, bad, threads,
           best, rate, c->target, ratio, hf_simd_name(hf_simd_level()), hf_build_version(), hf_build_commit(),
           (double)sets / cpu);
    fflush(stdout);
    hf_rule_free(&rule);
    hf_universe_free(universe);
    hf_topology_free(topo);
}

int main(int argc, char **argv) {
    int repeat = 3, first = 1;
    if (argc > 2 && strcmp(argv[1], "--repeat") == 0) {
        repeat = atoi(argv[2]) > 0 ? atoi(argv[2]) : 1;
        first = 3;
    }
    hf_context *cx = hf_context_new(NULL);
    if (!cx) {
        return 2;
    }
    printf("name,bench,topology,routing,universe,f,method,sets,not_tolerated,threads,seconds,sets_per_s_per_core,target,"
           "ratio_to_relation,simd,version,commit,sets_per_cpu_s\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (is_asked(cases[i].name, argc, argv, first)) {
            run_case(cx, &cases[i], repeat);
        }
    }
    hf_context_free(cx);
    return 0;
}
