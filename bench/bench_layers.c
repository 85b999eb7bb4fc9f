/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  CPU time to lay the ways of layered-shortest on layers without cycles, from the specs to the plan, as CSV on standard output:
 *  the best of three plans. `by_cycles` are the layers that breaking cycles [domke2011] takes for the same ways, `dfsssp` those
 * of the rule of that name, which has ways of its own. The twin lays the same ways and searches each layer whole for each new
 *  dependency; `ratio` is its time over that of the plan. Usage: bench_layers [CASE...]; CASE is a prefix of a case's name. */
#include <math.h>

#include <holdfast/holdfast.h>

#include "bench/bench.h"
#include "src/core/layers.h"
#include "src/routing/any/layered.h"

typedef struct layers_case {
    const char *name, *topology;
    double target_s;
    bool has_twin; /**< it is no matter of minutes */
} layers_case;

static const layers_case cases[] = {
    {"layers-200-8", "random-regular:n=200,degree=8", 0, true},
    {"layers-400-8", "random-regular:n=400,degree=8", 0, true},
    {"layers-500-8", "random-regular:n=500,degree=8", 0, false},
    {"layers-500-16", "random-regular:n=500,degree=16", 0, false},
    {"layers-500-24", "random-regular:n=500,degree=24", 0, false},
    {"layers-1000-8", "random-regular:n=1000,degree=8", 20, false},
    {"layers-1000-16", "random-regular:n=1000,degree=16", 20, false},
    {"layers-torus-5x5x5", "torus:dims=5x5x5", 0, true},
    {"layers-torus-8x8x8", "torus:dims=8x8x8", 0, false},
    {"layers-torus-16x16x2", "torus:dims=16x16x2", 0, false},
    {"layers-torus-16x16x4", "torus:dims=16x16x4", 20, false},
};

/* ---- the slow twin ---- */

typedef struct twin {
    const hf_topology *topo;
    uint32_t n_layer, *seen, now, *stack;
    bool *edge[64]; /**< a layer's: n_channel rows of `width`, by place among the channels that leave the end */
    uint32_t width;
} twin;

static bool *edge_of(const twin *t, uint32_t layer, uint32_t from, uint32_t to) {
    const uint32_t first = t->topo->out_begin[t->topo->from[to]];
    uint32_t place = 0;
    while (t->topo->out_list[first + place] != to) {
        place++;
    }
    return &t->edge[layer][(size_t)from * t->width + place];
}

static bool leads(twin *t, uint32_t layer, uint32_t from, uint32_t to) {
    const hf_topology *topo = t->topo;
    uint32_t depth = 1;
    t->stack[0] = from;
    t->seen[from] = ++t->now;
    while (depth > 0) {
        const uint32_t c = t->stack[--depth], begin = topo->out_begin[topo->to[c]], end = topo->out_begin[topo->to[c] + 1];
        if (c == to) {
            return true;
        }
        for (uint32_t i = begin; i < end; i++) {
            const uint32_t next = topo->out_list[i];
            if (t->edge[layer][(size_t)c * t->width + i - begin] && t->seen[next] != t->now) {
                t->seen[next] = t->now;
                t->stack[depth++] = next;
            }
        }
    }
    return false;
}

static bool try_layer(twin *t, uint32_t layer, const uint32_t *way, uint32_t n) {
    bool *own[256];
    uint32_t n_own = 0;
    for (uint32_t i = 1; i < n; i++) {
        bool *edge = edge_of(t, layer, way[i - 1], way[i]);
        if (*edge) {
            continue;
        }
        if (leads(t, layer, way[i], way[i - 1])) {
            while (n_own > 0) {
                *own[--n_own] = false;
            }
            return false;
        }
        *edge = true;
        own[n_own++] = edge;
    }
    return true;
}

static uint32_t put(hf_context *cx, twin *t, const uint32_t *way, uint32_t n) {
    for (uint32_t l = 0;; l++) {
        if (l == t->n_layer) {
            must(cx, hf_scratch(cx, (size_t)t->topo->n_channel * t->width, sizeof(bool), (void **)&t->edge[t->n_layer++]));
        }
        if (try_layer(t, l, way, n)) {
            return l;
        }
    }
}

/* The way between the switches of two terminals. \return its channels */
static uint32_t way_of(const hf_plan *plan, uint32_t from, uint32_t destination, uint32_t *way, uint32_t *vc) {
    const hf_topology *topo = plan->topo;
    hf_hop hop = HF_HOP_INJECTION;
    uint32_t n = 0;
    *vc = 0;
    for (uint32_t at = from; hf_plan_route(plan, at, hop, destination, &hop) > 0 && topo->to[hop.channel] < topo->n_switch;
         at = topo->to[hop.channel]) {
        way[n++] = hop.channel;
        *vc = hop.vc;
    }
    return n;
}

/* One terminal hangs on each switch of these networks, so terminal t is the row of switch t. */
static double time_twin(hf_context *cx, const hf_plan *plan) {
    const hf_topology *topo = plan->topo;
    twin t = {.topo = topo};
    uint32_t way[256], vc;
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        const uint32_t degree = topo->out_begin[v + 1] - topo->out_begin[v];
        t.width = degree > t.width ? degree : t.width;
    }
    must(cx, hf_scratch(cx, topo->n_channel, sizeof *t.seen, (void **)&t.seen));
    must(cx, hf_scratch(cx, topo->n_channel, sizeof *t.stack, (void **)&t.stack));
    const double start = cpu_now_s();
    for (uint32_t d = 0; d < topo->n_terminal; d++) {
        for (uint32_t v = 0; v < topo->n_switch; v++) {
            const uint32_t n = way_of(plan, v, d, way, &vc);
            if (put(cx, &t, way, n) != vc) {
                fprintf(stderr, "bench: the twin puts the way from s%u to t%u on another layer than %u\n", v, d, vc);
                exit(1);
            }
        }
    }
    return cpu_now_s() - start;
}

/* Layers of the same ways by breaking cycles. */
static uint32_t layers_by_cycles(hf_context *cx, const hf_plan *plan) {
    hf_layered ways = *(const hf_layered *)plan->state;
    must(cx, hf_scratch(cx, (size_t)ways.goals.n_row * plan->topo->n_switch, sizeof *ways.vc, (void **)&ways.vc));
    must(cx, hf_layered_break_cycles(cx, &ways, HF_LAYERS_MAX));
    return ways.n_vc;
}

static uint32_t layers_of_dfsssp(hf_context *cx, const hf_topology *topo, const hf_fault_set *none) {
    hf_rule rule;
    hf_plan plan;
    must(cx, hf_rule_init(cx, "dfsssp", topo, &rule));
    must(cx, hf_plan_make(cx, &rule, none, &plan));
    hf_rule_free(&rule);
    return plan.n_vc;
}

static void run_case(hf_context *cx, const layers_case *c) {
    double best = HUGE_VAL;
    for (int i = 0; i < 3; i++) {
        const hf_mark mark = hf_scratch_mark(cx);
        const double start = cpu_now_s();
        hf_topology *topo;
        hf_rule rule;
        hf_fault_set none;
        hf_plan plan;
        must_in(cx, hf_topology_new(cx, c->topology, &topo), c->name);
        must_in(cx, hf_rule_init(cx, "layered-shortest", topo, &rule), c->name);
        must_in(cx, hf_fault_set_parse(cx, topo, NULL, "", &none), c->name);
        must_in(cx, hf_plan_make(cx, &rule, &none, &plan), c->name);
        best = fmin(best, cpu_now_s() - start);
        if (i == 2) {
            printf("%s,\"%s\",%u,%u,%u,%u,%.4f,%g", c->name, c->topology, topo->n_channel, plan.n_vc, layers_by_cycles(cx, &plan),
                   layers_of_dfsssp(cx, topo, &none), best, c->target_s);
            if (c->has_twin) {
                const double twin_s = time_twin(cx, &plan);
                printf(",%.3f,%.1f,%s\n", twin_s, twin_s / best, hf_build_commit());
            } else {
                printf(",,,%s\n", hf_build_commit());
            }
        }
        hf_rule_free(&rule);
        hf_topology_free(topo);
        hf_scratch_reset(cx, mark);
    }
    fflush(stdout);
}

int main(int argc, char **argv) {
    hf_context *cx = hf_context_new(NULL);
    if (!cx) {
        return 2;
    }
    printf("name,topology,channels,layers,by_cycles,dfsssp,cpu_s,target_s,twin_s,ratio,commit\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (is_asked(cases[i].name, argc, argv, 1)) {
            run_case(cx, &cases[i]);
        }
    }
    hf_context_free(cx);
    return 0;
}
