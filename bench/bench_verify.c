/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Speed of the decision about deadlock, as CSV on standard output: one plan from the specs to the verdict with its certificate,
 *  or the plans of all fault sets of a size. Each case is a process of its own, so that peak_mib is the case's. The slow twin
 *  follows every ordered pair of terminals apart, hop by hop, on a sample of destinations scaled up; `ratio_to_pairs` is its time
 *  over that of the decision, which is what to compare between versions and machines. `ratio_to_first` is the time for an ordered
 *  pair over that in the first case of the same group: how cost grows. Usage: bench_verify [CASE...]; CASE is a prefix of a
 *  case's name. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <holdfast/holdfast.h>

#include "bench/bench.h"

typedef struct verify_case {
    const char *name, *group, *topology, *routing;
    uint32_t f; /* faults; 0: one plan */
    double target_s;
} verify_case;

static const verify_case cases[] = {
    {"verify-torus-64x64", "", "torus:dims=64x64", "dor:vcs=2,dateline=yes", 0, 5},
    {"verify-mesh-64x64", "", "mesh:dims=64x64", "dor", 0, 2},
    {"verify-torus-16x16x16", "", "torus:dims=16x16x16", "dor:vcs=2,dateline=yes", 0, 10},
    {"growth-8", "growth", "torus:dims=8x8", "dor:vcs=2,dateline=yes", 0, 0},
    {"growth-16", "growth", "torus:dims=16x16", "dor:vcs=2,dateline=yes", 0, 0},
    {"growth-32", "growth", "torus:dims=32x32", "dor:vcs=2,dateline=yes", 0, 0},
    {"growth-64", "growth", "torus:dims=64x64", "dor:vcs=2,dateline=yes", 0, 0},
    {"large-torus-128x128", "", "torus:dims=128x128", "dor", 0, 3},
    {"large-torus-128x128-datelines", "", "torus:dims=128x128", "dor:vcs=2,dateline=yes", 0, 3},
    {"large-tree-65536", "", "kary-tree:k=16,n=4", "updown", 0, 20},
    {"large-dragonfly-16512", "", "dragonfly:p=8,a=16,h=8", "dragonfly-min", 0, 2},
    {"large-dragonfly-83232", "", "dragonfly:p=12,a=24,h=12", "dragonfly-min", 0, 30},
    {"large-random-regular-10000", "", "random-regular:n=10000,degree=8", "updown-graph", 0, 120},
    {"large-tree-262144", "", "kary-tree:k=64,n=3", "updown", 0, 60},
    {"large-clos-32768-ecmp", "", "clos:tiers=3,radix=64,pods=32", "ecmp", 0, 5},
    {"large-clos-32768-updown", "", "clos:tiers=3,radix=64,pods=32", "updown", 0, 5},
    {"large-clos-32768-two-tiers", "", "clos:tiers=2,radix=256", "ecmp", 0, 5},
    {"escape-duato-64x64", "", "mesh:dims=64x64", "duato", 0, 30},
    {"escape-duato-13x13", "", "torus:dims=13x13", "duato", 0, 1},
    {"smallest-minimal-12x12", "", "torus:dims=12x12", "minimal", 0, 60},
    {"fabric-kary-4-3", "", "file:tests/fixtures/opensm/kary-4-3.ftree/ibnetdiscover.txt",
     "table:tests/fixtures/opensm/kary-4-3.ftree/opensm-lfts.dump", 0, 0.1},
    {"faults-mesh-8x8-f2", "", "mesh:dims=8x8", "updown-graph", 2, 10},
    {"faults-clos-256-f2", "", "clos:tiers=2,radix=32,pods=16", "ecmp", 2, 101}, /* 3.1 ms a set */
};
enum { N_CASE = sizeof cases / sizeof *cases, REPEAT = 3, TWIN_DESTINATIONS = 64, TWIN_PAIRS = 1 << 19 };
static const double enough_s = 0.5, long_s = 5; /* small cases are repeated for so long, and long ones no more */

typedef struct figures {
    uint64_t pairs, sets;                    /* ordered pairs of live terminals; plans decided */
    double seconds, cpu_s, twin_s, peak_mib; /* seconds and cpu_s are each the best; cpu_s is of all threads */
    uint32_t n_resource, blocked, threads;
    hf_deadlock_answer answer;
    hf_deadlock_method method;
    bool is_smallest;
} figures;

/* ---- the slow twin ---- */

/* One packet, by the first hop offered. */
static void follow(const hf_plan *plan, uint32_t source, uint32_t destination, hf_hop *hops) {
    uint32_t at = plan->topo->n_switch + source;
    hf_hop in = HF_HOP_INJECTION;
    for (uint32_t steps = 0; at != plan->topo->n_switch + destination && steps <= plan->topo->n_node; steps++) {
        if (hf_plan_route(plan, at, in, destination, hops) == 0) {
            return;
        }
        in = hops[0];
        at = plan->topo->to[in.channel];
    }
}

static double time_pairs(hf_context *cx, const hf_plan *plan) {
    const uint32_t n = plan->topo->n_terminal, most = TWIN_PAIRS / n + 1;
    const uint32_t step = n / (most < TWIN_DESTINATIONS ? most : TWIN_DESTINATIONS) + 1;
    hf_hop *hops;
    uint32_t looked = 0;
    must_in(cx, hf_scratch(cx, plan->max_hops, sizeof *hops, (void **)&hops), "twin");
    const clock_t begun = clock();
    for (uint32_t d = 0; d < n; d += step, looked++) {
        for (uint32_t s = 0; s < n; s++) {
            follow(plan, s, d, hops);
        }
    }
    return (double)(clock() - begun) / CLOCKS_PER_SEC * n / looked;
}

/* ---- the decision ---- */

static const hf_deadlock_options options = {.switching = HF_SWITCHING_WORMHOLE, .time_limit_s = 300, .want_witness = true};

typedef struct subject {
    hf_topology *topo;
    hf_universe *universe;
    hf_rule rule;
} subject;

static void open_subject(hf_context *cx, const verify_case *c, subject *s) {
    must_in(cx, hf_topology_new(cx, c->topology, &s->topo), c->name);
    must_in(cx, hf_universe_new(cx, s->topo, "links", NULL, &s->universe), c->name);
    must_in(cx, hf_rule_init(cx, c->routing, s->topo, &s->rule), c->name);
}

static void close_subject(subject *s) {
    hf_rule_free(&s->rule);
    hf_universe_free(s->universe);
    hf_topology_free(s->topo);
}

static void decide_one(hf_context *cx, const subject *s, figures *out) {
    hf_fault_set none;
    hf_plan plan;
    hf_deadlock found;
    must_in(cx, hf_fault_set_parse(cx, s->topo, s->universe, "", &none), "no faults");
    must_in(cx, hf_plan_make(cx, &s->rule, &none, &plan), "plan");
    must_in(cx, hf_deadlock_decide(cx, &plan, &options, &found), "decide");
    out->sets = 1;
    out->n_resource = found.n_resource;
    out->blocked = found.n_blocked;
    out->answer = found.answer;
    out->method = found.method;
    out->is_smallest = found.is_smallest;
}

static hf_status inquiry_judge(hf_context *cx, void *user, const hf_universe *universe, const hf_rule *rule, hf_judge **out) {
    return hf_deadlock_judge_new(cx, universe, rule, user, out);
}

static void decide_all(hf_context *cx, const subject *s, const verify_case *c, figures *out) {
    hf_deadlock_options mine = options;
    const hf_inquiry inquiry = {.key = "bench", .user = &mine, .judge = inquiry_judge};
    const hf_campaign campaign = {
        .universe = s->universe, .rule = &s->rule, .inquiry = &inquiry, .f = &c->f, .n_f = 1, .method = HF_METHOD_EXHAUSTIVE};
    hf_result *result;
    must_in(cx, hf_campaign_run(cx, &campaign, &result), c->name);
    out->sets = result->row[0].tally.sets;
    out->answer = result->row[0].tally.not_tolerated ? HF_DEADLOCK_FOUND : HF_DEADLOCK_FREE;
    out->method = HF_METHOD_NONE;
    out->threads = result->threads;
    hf_result_free(result);
}

static double peak_mib(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024;
}

/* From the specs to the verdict. \return seconds */
static double run_once(const verify_case *c, figures *out, bool twin, double *cpu_s) {
    hf_context *cx = hf_context_new(NULL);
    subject s;
    const double start = wall_now_s();
    const clock_t begun = clock();
    if (!cx) {
        exit(2);
    }
    open_subject(cx, c, &s);
    if (c->f) {
        decide_all(cx, &s, c, out);
    } else {
        decide_one(cx, &s, out);
    }
    const double wall = wall_now_s() - start;
    *cpu_s = (double)(clock() - begun) / CLOCKS_PER_SEC;
    out->peak_mib = twin ? peak_mib() : out->peak_mib; /* the twin has a plan of its own */
    out->pairs = (uint64_t)s.topo->n_terminal * (s.topo->n_terminal - 1);
    if (twin) {
        hf_fault_set none;
        hf_plan plan;
        must_in(cx, hf_fault_set_parse(cx, s.topo, s.universe, "", &none), "no faults");
        must_in(cx, hf_plan_make(cx, &s.rule, &none, &plan), "plan");
        out->twin_s = time_pairs(cx, &plan) * (double)out->sets;
    }
    close_subject(&s);
    hf_context_free(cx);
    return wall;
}

static void run_case(const verify_case *c, figures *out) {
    out->threads = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
    double spent = 0;
    for (int i = 0; (i < REPEAT && spent < long_s) || spent < enough_s; i++) {
        double cpu_s;
        const double wall = run_once(c, out, i == 0, &cpu_s);
        out->cpu_s = i == 0 || cpu_s < out->cpu_s ? cpu_s : out->cpu_s;
        out->seconds = i == 0 || wall < out->seconds ? wall : out->seconds;
        spent += wall;
    }
}

/* ---- a process per case ---- */

static bool run_apart(const verify_case *c, figures *out) {
    int pipes[2], status;
    if (pipe(pipes) != 0) {
        return false;
    }
    const pid_t child = fork();
    if (child == 0) {
        figures mine = {0};
        run_case(c, &mine);
        _exit(write(pipes[1], &mine, sizeof mine) == (ssize_t)sizeof mine ? 0 : 2);
    }
    close(pipes[1]);
    const bool ok = child > 0 && read(pipes[0], out, sizeof *out) == (ssize_t)sizeof *out;
    close(pipes[0]);
    return child > 0 && waitpid(child, &status, 0) == child && ok && status == 0;
}

/* Of CPU time, which other programs do not lengthen. */
static double pair_ns_of(const figures *x) { return 1e9 * x->cpu_s / (double)x->pairs / (double)x->sets; }

static void print_case(const verify_case *c, const figures *x, double first) {
    const double pair_ns = pair_ns_of(x);
    printf("%s,verify,\"%s\",\"%s\",%" PRIu32 ",%" PRIu64 ",%" PRIu32 ",%s,%s,%" PRIu32 ",%s,%" PRIu32
           ",%.4f,%.4f,%.3g,%.2f,%.3g,%.3g,%.1f,%s,%s\n",
           c->name, c->topology, c->routing, c->f, x->sets, x->n_resource, hf_deadlock_answer_name(x->answer),
           hf_deadlock_method_name(x->method), x->blocked, x->is_smallest ? "yes" : "no", x->threads, x->seconds, x->cpu_s,
           c->target_s, pair_ns, x->twin_s / x->cpu_s, first > 0 ? pair_ns / first : 1, x->peak_mib, hf_build_version(),
           hf_build_commit());
    fflush(stdout);
}

int main(int argc, char **argv) {
    double first = 0;
    const char *group = "";
    printf(
        "name,bench,topology,routing,f,sets,resources,answer,method,packets,smallest,threads,seconds,cpu_s,target_s,ns_per_pair,"
        "ratio_to_pairs,ratio_to_first,peak_mib,version,commit\n");
    fflush(stdout);
    for (size_t i = 0; i < N_CASE; i++) {
        figures x = {0};
        if (!is_asked(cases[i].name, argc, argv, 1)) {
            continue;
        }
        if (!run_apart(&cases[i], &x)) {
            fprintf(stderr, "bench: %s did not end well\n", cases[i].name);
            return 2;
        }
        first = strcmp(cases[i].group, group) == 0 && *group ? first : 0;
        print_case(&cases[i], &x, first);
        group = cases[i].group;
        first = first > 0 ? first : pair_ns_of(&x);
    }
    return 0;
}
