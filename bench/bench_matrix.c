/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Speed of campaigns for every pair of a topology of about 64 terminals and a routing that accepts it, as CSV on standard
 *  output: whole campaigns of verdicts on one thread, what is made once included, and beside each the relation, set by set, in
 *  the same run. Usage: bench_matrix [TOPOLOGY...]; TOPOLOGY is a prefix of a spec. Rules that read files are found from the
 *  source's folder. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <holdfast/core/combination.h>
#include <holdfast/holdfast.h>

#include "bench/bench.h"

static const char *const topologies[] = {
    "baseline:k=4,n=3",
    "benes:k=4,n=2",
    "bmin:k=4,n=3",
    "butterfly:k=4,n=3",
    "complete:n=16,terminals=4",
    "dragonfly:p=2,a=4,h=2",
    "file:tests/fixtures/opensm/mesh-8x8.dor/ibnetdiscover.txt",
    "hypercube:n=6",
    "hyperx:dims=4x4,terminals=4",
    "kary-tree:k=4,n=3",
    "kary-tree:k=8,n=2",
    "maximal-fanout:radix=2,dilation=2,stages=6",
    "mesh:dims=4x4x4",
    "mesh:dims=8x8",
    "multibutterfly:radix=4,dilation=2,stages=3",
    "omega:k=4,n=3",
    "random-regular:n=64,degree=4",
    "ring:n=64",
    "ruft:k=4,n=3",
    "slimfly:q=5",
    "torus:dims=4x4x4",
    "torus:dims=8x8",
    "xgft:h=2,m=8x8,w=1x4",
};
/* Beside each listed routing as it is without arguments. */
static const char *const more_rules[] = {
    "dor:vcs=2,dateline=yes",
    "lua:studies/examples/xy.lua",
    "lua:studies/examples/west-first.lua",
    "lua:studies/examples/adaptive-escape.lua",
    "lua:bench/detour.lua",
    "table:tests/fixtures/opensm/mesh-8x8.dor/opensm-lfts.dump",
};
enum { N_MORE = sizeof more_rules / sizeof *more_rules, SAMPLES_LEAST = 4, F_MOST = 4 };
static const double long_s = 0.3; /* a row that lasts so long says enough */

typedef struct pair {
    hf_context *cx;
    hf_universe *universe;
    hf_rule *rule;
    hf_criterion criterion;
} pair;

/* CPU seconds of one campaign. \param[in] samples 0: exhaustive */
static double run(const pair *p, uint32_t f, uint64_t samples, bool use_relation, uint64_t *sets) {
    hf_result *result;
    hf_campaign campaign = {.universe = p->universe,
                            .rule = p->rule,
                            .criterion = &p->criterion,
                            .f = &f,
                            .n_f = 1,
                            .method = samples ? HF_METHOD_SAMPLED : HF_METHOD_EXHAUSTIVE,
                            .samples = samples,
                            .seed = 1,
                            .threads = 1,
                            .verdicts = true,
                            .use_relation = use_relation};
    const double start = cpu_now_s();
    must_in(p->cx, hf_campaign_run(p->cx, &campaign, &result), p->rule->spec);
    const double seconds = cpu_now_s() - start;
    *sets = result->row[0].tally.sets;
    hf_result_free(result);
    return seconds;
}

/* More and more samples until they last long enough, beside what is made once, too. */
static double sample_rate(const pair *p, bool use_relation, uint64_t *sets) {
    double seconds = 0, least = 0;
    for (uint64_t n = SAMPLES_LEAST; seconds < long_s / 4 || seconds < 2 * least; n *= 4) {
        seconds = run(p, 2, n, use_relation, sets);
        least = n == SAMPLES_LEAST ? seconds : least;
        if (*sets < n) {
            break;
        }
    }
    return (double)*sets / seconds;
}

/* The whole row of the most faults whose sets a judge of that speed does in about the time. */
static uint32_t choose_f(const pair *p, double rate) {
    uint32_t f = 1;
    uint64_t all;
    while (f < F_MOST && hf_binomial(p->universe->n_component, f + 1, &all) && (double)all < 100 * rate * long_s &&
           (double)all < 2e7) {
        f++;
    }
    return f;
}

static void measure(pair *p, const char *topo, uint32_t n_terminal) {
    uint64_t sets = 0, slow_sets = 0;
    double rate = sample_rate(p, false, &sets), seconds = (double)sets / rate;
    const char *method = "sampled";
    uint32_t f = choose_f(p, rate);
    uint64_t all;
    if (f >= 2 && hf_binomial(p->universe->n_component, f, &all) && (double)all / rate < 100 * long_s) {
        seconds = run(p, f, 0, false, &sets);
        rate = (double)sets / seconds;
        method = "exhaustive";
    } else {
        f = 2;
    }
    const double slow = sample_rate(p, true, &slow_sets);
    printf("\"%s\",\"%s\",%s,%" PRIu32 ",%" PRIu32 ",%s,%" PRIu64 ",%.3f,%.0f,%.0f,%.3g,%s,%s,%s\n", topo, p->rule->spec,
           p->universe->spec, n_terminal, f, method, sets, seconds, rate, slow, rate / slow, hf_simd_name(hf_simd_level()),
           hf_build_version(), hf_build_commit());
    fflush(stdout);
}

static void try_rule(hf_context *cx, const char *spec, hf_topology *topo, const char *topo_spec) {
    hf_rule rule;
    pair p = {.cx = cx, .rule = &rule};
    if (hf_rule_init(cx, spec, topo, &rule) != HF_OK) {
        hf_context_clear(cx);
        return;
    }
    must(cx, hf_criterion_init(cx, "all-pairs", &p.criterion));
    must_in(cx, hf_universe_new(cx, topo, "links", NULL, &p.universe), topo_spec);
    measure(&p, topo_spec, topo->n_terminal);
    hf_universe_free(p.universe);
    hf_rule_free(&rule);
}

int main(int argc, char **argv) {
    hf_context *cx = hf_context_new(NULL);
    if (!cx) {
        return 2;
    }
    printf(
        "topology,routing,universe,terminals,f,method,sets,cpu_s,sets_per_cpu_s,relation_per_cpu_s,ratio,simd,version,commit\n");
    for (size_t i = 0; i < sizeof topologies / sizeof *topologies; i++) {
        hf_topology *topo;
        if (!is_asked(topologies[i], argc, argv, 1)) {
            continue;
        }
        must_in(cx, hf_topology_new(cx, topologies[i], &topo), topologies[i]);
        for (size_t r = 0; r < hf_routing_count(); r++) {
            try_rule(cx, hf_routing_at(r)->name, topo, topologies[i]);
        }
        for (size_t r = 0; r < N_MORE; r++) {
            try_rule(cx, more_rules[r], topo, topologies[i]);
        }
        hf_topology_free(topo);
    }
    hf_context_free(cx);
    return 0;
}
