/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Speed of the kernel, as CSV on standard output: flits sent over channels per second on one core, with the router of BookSim 2
 *  (4 virtual channels of 8 flits, packets of 4 flits), after a warm-up. `stopped` runs far beyond saturation, for a million
 *  cycles where `long` is given, and tells whether packets came to wait for each other for ever; the relations are proved free of
 *  deadlock. `threads` runs one network by turns on one thread and on two: the least wall time of as many cycles, and their
 *  ratio; beside it the ratio of the CPU times of the first thread, waits for the other one included, which other programs on the
 *  cores spoil less. Rows `usual` have the router that `simulate` has, whose parts meet every cycle. Usage:
 * bench_kernel [long | threads] [CASE...]; CASE is a prefix of a case's name. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <holdfast/holdfast.h>

#include "bench/bench.h"

typedef enum router {
    BOOKSIM,
    USUAL,
    LONG /* packets of 256 flits, queues of two at inputs and outputs, a routing unit a switch [gomez2010, 4.3.3] */
} router;

typedef struct kernel_case {
    const char *name, *topology, *routing;
    hf_switching switching;
    bool bubble;
    router router;
    bool is_overload;    /* with the usual router */
    double load, target; /* flits per cycle and terminal; flit hops per second */
} kernel_case;

#define WORMHOLE HF_SWITCHING_WORMHOLE, false, BOOKSIM
#define WORMHOLE_USUAL HF_SWITCHING_WORMHOLE, false, USUAL
#define VCT HF_SWITCHING_VCT, false, BOOKSIM
#define VCT_LONG HF_SWITCHING_VCT, false, LONG
#define SAF HF_SWITCHING_SAF, false, BOOKSIM
#define BUBBLE HF_SWITCHING_VCT, true, BOOKSIM

static const kernel_case cases[] = {
    {"torus-8x8-0.1", "torus:dims=8x8", "dor:vcs=4,dateline=yes", WORMHOLE, false, 0.1, 0},
    {"torus-8x8-0.3", "torus:dims=8x8", "dor:vcs=4,dateline=yes", WORMHOLE, false, 0.3, 15e6},
    {"torus-16x16-0.3", "torus:dims=16x16", "dor:vcs=4,dateline=yes", WORMHOLE, false, 0.3, 7e6},
    {"mesh-8x8-0.1", "mesh:dims=8x8", "dor:vcs=4", WORMHOLE, false, 0.1, 0},
    {"mesh-8x8-0.3", "mesh:dims=8x8", "dor:vcs=4", WORMHOLE, false, 0.3, 15e6},
    {"tree-4-3-0.3", "kary-tree:k=4,n=3", "updown", WORMHOLE, false, 0.3, 0},
    {"tree-4-3-vcs-0.3", "kary-tree:k=4,n=3", "updown:vcs=4", WORMHOLE, false, 0.3, 15e6},
    {"flatfly-4x4-0.3", "hyperx:dims=4x4,terminals=4", "dor:vcs=4", WORMHOLE, false, 0.3, 15e6},
    {"dragonfly-0.3", "dragonfly:p=2,a=4,h=2", "dragonfly-min", WORMHOLE, false, 0.3, 15e6},
    {"tree-4-4-long-1", "kary-tree:k=4,n=4", "updown", VCT_LONG, false, 1, 0},
    {"tree-8-4-long-1", "kary-tree:k=8,n=4", "updown", VCT_LONG, false, 1, 0},
    {"torus-64x64-0.001", "torus:dims=64x64", "dor:vcs=4,dateline=yes", WORMHOLE, false, 0.001, 0},
    {"idle-8x8", "torus:dims=8x8", "dor:vcs=4,dateline=yes", WORMHOLE, false, 1e-12, 0}, /* what an empty cycle costs */
    {"idle-64x64", "torus:dims=64x64", "dor:vcs=4,dateline=yes", WORMHOLE, false, 1e-12, 0},
    {"stopped-mesh-dor", "mesh:dims=8x8", "dor", WORMHOLE, true, 3, 0},
    {"stopped-torus-dateline", "torus:dims=8x8", "dor:vcs=2,dateline=yes", WORMHOLE, true, 3, 0},
    {"stopped-torus-dateline-saf", "torus:dims=8x8", "dor:vcs=2,dateline=yes", SAF, true, 3, 0},
    {"stopped-torus-bubble", "torus:dims=8x8", "dor", BUBBLE, true, 3, 0},
    {"stopped-torus-duato", "torus:dims=8x8", "duato", WORMHOLE, true, 3, 0},
    {"stopped-mesh-duato-vct", "mesh:dims=8x8", "duato", VCT, true, 3, 0},
    {"stopped-mesh-odd-even", "mesh:dims=8x8", "odd-even", WORMHOLE, true, 3, 0},
    {"stopped-mesh-planar", "mesh:dims=4x4x4", "planar-adaptive", WORMHOLE, true, 3, 0},
    {"stopped-tree", "kary-tree:k=4,n=3", "updown", WORMHOLE, true, 3, 0},
    {"stopped-dragonfly", "dragonfly:p=2,a=4,h=2", "dragonfly-min", WORMHOLE, true, 3, 0},
    {"stopped-updown-graph", "slimfly:q=5", "updown-graph", WORMHOLE, true, 3, 0},
};
/* Large enough for a part a thread. */
static const kernel_case large[] = {
    {"torus-32x32-0.1", "torus:dims=32x32", "dor:vcs=4,dateline=yes", WORMHOLE, false, 0.1, 0},
    {"torus-32x32-0.3", "torus:dims=32x32", "dor:vcs=4,dateline=yes", WORMHOLE, false, 0.3, 0},
    {"mesh-32x32-1", "mesh:dims=32x32", "dor:vcs=4", WORMHOLE, false, 1, 0},
    {"torus-64x64-1", "torus:dims=64x64", "dor:vcs=4,dateline=yes", WORMHOLE, false, 1, 0},
    {"flatfly-16x16-0.3", "hyperx:dims=16x16,terminals=16", "dor:vcs=4", WORMHOLE, false, 0.3, 0},
    {"dragonfly-1056-0.3", "dragonfly:p=4,a=8,h=4", "dragonfly-min", WORMHOLE, false, 0.3, 0},
    {"torus-32x32-usual-0.1", "torus:dims=32x32", "dor:vcs=4,dateline=yes", WORMHOLE_USUAL, false, 0.1, 0},
    {"dragonfly-1056-usual-0.1", "dragonfly:p=4,a=8,h=4", "dragonfly-min", WORMHOLE_USUAL, false, 0.1, 0},
};
enum {
    N_CASE = sizeof cases / sizeof *cases,
    N_LARGE = sizeof large / sizeof *large,
    TURNS = 15,
    TURN = 100, /* cycles */
    WARM_UP = 2000,
    SHORT_OVERLOAD = 20000,
    LONG_OVERLOAD = 1000000,
    LOOK_EVERY = 1000
};
static const double enough_s = 1;

/* Cycles to run: for overload so many, else as many as fill some time. */
static void run(hf_context *cx, const kernel_case *w, hf_kernel *k, bool is_long) {
    hf_blocked *blocked;
    uint32_t count = 0;
    must(cx, hf_kernel_run(k, WARM_UP));
    const hf_kernel_counts before = *hf_kernel_read(k);
    const uint64_t most = !w->is_overload ? UINT64_MAX : is_long ? LONG_OVERLOAD : SHORT_OVERLOAD;
    const double start = cpu_now_s();
    double seconds = 0;
    uint64_t cycles = 0;
    while (cycles < most && count == 0 && (w->is_overload || seconds < enough_s)) {
        must(cx, hf_kernel_run(k, LOOK_EVERY));
        cycles += LOOK_EVERY;
        if (w->is_overload) {
            must(cx, hf_kernel_deadlock(k, &blocked, &count));
        }
        seconds = cpu_now_s() - start;
    }
    const double hops = (double)(hf_kernel_read(k)->flit_hops - before.flit_hops);
    printf("%s,\"%s\",\"%s\",%s,%g,%" PRIu64 ",%.0f,%.3f,%.2f,%.2f,%.1f,%s\n", w->name, w->topology, w->routing,
           hf_switching_name(w->switching), w->load, cycles, hops, seconds, 1e-6 * hops / seconds, 1e-6 * w->target,
           1e9 * seconds / (double)cycles, count ? "yes" : "no");
    fflush(stdout);
}

typedef struct scene {
    hf_context *cx;
    hf_topology *topo;
    hf_traffic *traffic;
    hf_rule rule;
    hf_fault_set none;
    hf_plan plan;
    hf_kernel *k;
} scene;

static hf_kernel_options long_packets(void) {
    hf_kernel_options o = hf_kernel_usual();
    o.switching = HF_SWITCHING_VCT;
    o.packet_length = 256;
    o.buffer = o.output_queue = 2 * o.packet_length;
    o.routing_delay = 20;
    o.link_delay = o.fly_delay = 8;
    o.one_routing_unit = o.choose_once = true;
    o.selection = HF_SELECT_SADP;
    return o;
}

static void open_scene(scene *s, const kernel_case *w) {
    hf_kernel_options o = hf_kernel_usual();
    o.switching = w->switching;
    o.bubble = w->bubble;
    if (!w->is_overload && w->router != USUAL) {
        o = w->router == LONG ? long_packets() : hf_kernel_booksim_iq();
    }
    s->cx = hf_context_new(NULL);
    must(s->cx, hf_topology_new(s->cx, w->topology, &s->topo));
    must(s->cx, hf_rule_init(s->cx, w->routing, s->topo, &s->rule));
    must(s->cx, hf_traffic_new(s->cx, s->topo, "uniform", &s->traffic));
    must(s->cx, hf_fault_set_parse(s->cx, s->topo, NULL, "", &s->none));
    must(s->cx, hf_plan_make(s->cx, &s->rule, &s->none, &s->plan));
    must(s->cx, hf_kernel_new(s->cx, &s->plan, &o, &s->k));
    must(s->cx, hf_kernel_offer(s->k, s->traffic, w->load, 1));
}

static void close_scene(scene *s) {
    hf_traffic_free(s->traffic);
    hf_rule_free(&s->rule);
    hf_topology_free(s->topo);
    hf_context_free(s->cx);
}

static void bench(const kernel_case *w, bool is_long) {
    scene s;
    open_scene(&s, w);
    run(s.cx, w, s.k, is_long);
    close_scene(&s);
}

/* The least of several turns. */
typedef struct least {
    double wall_s, cpu_s; /* cpu_s: of the first thread */
} least;

static double lesser(double a, double b) { return a < b ? a : b; }

static void turn(scene *s, least *l) {
    const double wall = wall_now_s(), cpu = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    must(s->cx, hf_kernel_run(s->k, TURN));
    l->cpu_s = lesser(l->cpu_s, seconds_of(CLOCK_THREAD_CPUTIME_ID) - cpu);
    l->wall_s = lesser(l->wall_s, wall_now_s() - wall);
}

static void compare(const kernel_case *w) {
    scene one, two;
    least of_one = {1e9, 1e9}, of_two = {1e9, 1e9};
    open_scene(&one, w);
    open_scene(&two, w);
    hf_kernel_threads(two.k, 2);
    must(one.cx, hf_kernel_run(one.k, WARM_UP));
    must(two.cx, hf_kernel_run(two.k, WARM_UP));
    for (int i = 0; i < TURNS; i++) {
        turn(&one, &of_one);
        turn(&two, &of_two);
    }
    const bool is_same = memcmp(hf_kernel_read(one.k), hf_kernel_read(two.k), sizeof(hf_kernel_counts)) == 0;
    printf("%s,\"%s\",\"%s\",%g,%d,%.2f,%.2f,%.2f,%.2f,%s\n", w->name, w->topology, w->routing, w->load, TURN,
           1e3 * of_one.wall_s, 1e3 * of_two.wall_s, of_one.wall_s / of_two.wall_s, of_one.cpu_s / of_two.cpu_s,
           is_same ? "yes" : "no");
    fflush(stdout);
    close_scene(&one);
    close_scene(&two);
}

static int compare_threads(int n_word, char **word) {
    printf("case,topology,routing,load,cycles,one_thread_ms,two_threads_ms,ratio,cpu_ratio,same\n");
    for (size_t i = 0; i < N_LARGE; i++) {
        if (is_asked(large[i].name, n_word, word, 2)) {
            compare(&large[i]);
        }
    }
    return 0;
}

int main(int n_word, char **word) {
    const bool is_long = n_word > 1 && strcmp(word[1], "long") == 0;
    if (n_word > 1 && strcmp(word[1], "threads") == 0) {
        return compare_threads(n_word, word);
    }
    printf("case,topology,routing,switching,load,cycles,flit_hops,seconds,mega_hops_per_s,target,ns_per_cycle,stopped\n");
    for (size_t i = 0; i < N_CASE; i++) {
        if (is_asked(cases[i].name, n_word, word, 1 + is_long)) {
            bench(&cases[i], is_long);
        }
    }
    return 0;
}
