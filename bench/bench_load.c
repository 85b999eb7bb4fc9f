/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Time of the load of large networks, from the specs on, as CSV on standard output: the best of three runs. `walk_s` is the time
 *  of the twin that walks the relation destination by destination, `ratio` that time over the other. The worst permutation comes
 *  first, as `peak_mib` is the most memory so far; its ratio is the room for the shares of all pairs in all channels over that.
 *  A word on the command line picks the cases whose name holds it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <holdfast/holdfast.h>

#include "bench/bench.h"

typedef struct load_case {
    const char *name, *topology, *routing, *traffic;
    double target_s;
    bool has_walk; /**< the twin is no matter of minutes */
} load_case;

static const load_case cases[] = {
    {"load-updown-8-4-uniform", "kary-tree:k=8,n=4", "updown", "uniform", 2, true},
    {"load-updown-4-5-uniform", "kary-tree:k=4,n=5", "updown", "uniform", 0, true},
    {"load-updown-8-4-bit-reversal", "kary-tree:k=8,n=4", "updown", "bit-reversal", 0, true},
    {"load-destro-8-4-uniform", "kary-tree:k=8,n=4", "destro", "uniform", 0, false},
    {"load-dor-64x64-uniform", "torus:dims=64x64", "dor:vcs=2,dateline=yes", "uniform", 0, false},
    {"load-layered-500-uniform", "random-regular:n=500,degree=8", "layered-shortest", "uniform", 2, false},
};

typedef hf_status finder(hf_context *cx, const hf_plan *plan, const hf_traffic *traffic, hf_split split, hf_load **out);

/* From the specs to the loads. \param[out] max_load to see that both find the same */
static double once(hf_context *cx, const load_case *c, finder *find, double *max_load) {
    const hf_mark mark = hf_scratch_mark(cx);
    const double start = wall_now_s();
    hf_topology *topo;
    hf_rule rule;
    hf_traffic *traffic;
    hf_fault_set none;
    hf_plan plan;
    hf_load *load;
    must(cx, hf_topology_new(cx, c->topology, &topo));
    must(cx, hf_rule_init(cx, c->routing, topo, &rule));
    must(cx, hf_traffic_new(cx, topo, c->traffic, &traffic));
    must(cx, hf_fault_set_parse(cx, topo, NULL, "", &none));
    must(cx, hf_plan_make(cx, &rule, &none, &plan));
    must(cx, find(cx, &plan, traffic, HF_SPLIT_EVEN, &load));
    const double wall_s = wall_now_s() - start;
    *max_load = load->max_load;
    hf_load_free(load);
    hf_traffic_free(traffic);
    hf_rule_free(&rule);
    hf_topology_free(topo);
    hf_scratch_reset(cx, mark);
    return wall_s;
}

static double peak_mib(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024;
}

static void run_worst(hf_context *cx) {
    static const char name[] = "worst-dor-16x16", topology[] = "torus:dims=16x16", routing[] = "dor:vcs=2,dateline=yes";
    hf_topology *topo;
    hf_rule rule;
    hf_fault_set none;
    hf_plan plan;
    hf_worst worst;
    const double start = wall_now_s();
    must(cx, hf_topology_new(cx, topology, &topo));
    must(cx, hf_rule_init(cx, routing, topo, &rule));
    must(cx, hf_fault_set_parse(cx, topo, NULL, "", &none));
    must(cx, hf_plan_make(cx, &rule, &none, &plan));
    must(cx, hf_load_worst(cx, &plan, HF_SPLIT_EVEN, &worst));
    const double wall_s = wall_now_s() - start, n = topo->n_terminal;
    printf("%s,\"%s\",\"%s\",,%.4f,0,,%.1f,%.6g,%.1f,%s\n", name, topology, routing, wall_s,
           2.0 * topo->n_switch_link * n * n * sizeof(uint64_t) / 1048576 / peak_mib(), worst.load, peak_mib(),
           hf_build_commit());
    hf_rule_free(&rule);
    hf_topology_free(topo);
}

static void run_case(hf_context *cx, const load_case *c) {
    double best = HUGE_VAL, max_load, walked;
    for (int i = 0; i < 3; i++) {
        best = fmin(best, once(cx, c, hf_load_find, &max_load));
    }
    printf("%s,\"%s\",\"%s\",%s,%.4f,%g", c->name, c->topology, c->routing, c->traffic, best, c->target_s);
    if (c->has_walk) {
        const double walk_s = once(cx, c, hf_load_walk, &walked);
        if (fabs(walked - max_load) > 1e-9) {
            fprintf(stderr, "bench: %s: %.12g, walked %.12g\n", c->name, max_load, walked);
            exit(1);
        }
        printf(",%.4f,%.1f", walk_s, walk_s / best);
    } else {
        printf(",,");
    }
    printf(",%.6g,%.1f,%s\n", max_load, peak_mib(), hf_build_commit());
}

int main(int argc, char **argv) {
    hf_context *cx = hf_context_new(NULL);
    if (!cx) {
        return 2;
    }
    printf("name,topology,routing,traffic,wall_s,target_s,walk_s,ratio,max_load,peak_mib,commit\n");
    if (argc < 2 || strstr("worst-dor-16x16", argv[1])) {
        run_worst(cx);
    }
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (argc < 2 || strstr(cases[i].name, argv[1])) {
            run_case(cx, &cases[i]);
        }
    }
    hf_context_free(cx);
    return 0;
}
