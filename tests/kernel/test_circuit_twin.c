/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Networks without buffers against the slow twin of tests/oracle/circuits.c: all counts after every cycle, on random networks'
 *  plans with and without failed components, at loads at which most headers wait. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/random.h>

#include "tests/oracle/circuits.h"
#include "tests/oracle/fixture.h"

extern const hf_routing hf_routing_dor;

typedef struct draw {
    hf_random random;
    hf_kernel_options o;
    uint32_t percent; /* of the idle sources, that send in a cycle */
} draw;

static uint32_t below(draw *d, uint32_t n) { return (uint32_t)hf_random_below(&d->random, n); }

static draw draw_options(uint64_t seed) {
    draw d = {.o = hf_kernel_usual()};
    hf_random_init(&d.random, seed, HF_PURPOSE_TEST, 0);
    d.o.contention = below(&d, 2) ? HF_CONTENTION_CIRCUIT : HF_CONTENTION_DROP;
    d.o.selection = below(&d, 3) ? HF_SELECT_CYCLIC : HF_SELECT_FIRST;
    d.o.backoff = (hf_backoff)below(&d, 4);
    d.o.backoff_cycles = below(&d, 3) * 4;
    d.o.outstanding = 1 + below(&d, 5);
    d.o.packet_length = 1 + below(&d, 8);
    d.o.routing_delay = 1 + below(&d, 2);
    d.o.crossbar_delay = below(&d, 2);
    d.o.link_delay = 1 + below(&d, 3);
    d.o.fly_delay = 1 + below(&d, 2);
    d.percent = 1 + below(&d, 60);
    d.o.forward_after = below(&d, 2) * (1 + below(&d, 4));
    return d;
}

/* dor, but a destination has its own lane of the terminal's channel. */
static size_t route_by_lanes(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    const size_t n = hf_routing_dor.route(plan, at, in, destination, hops);
    if (!hf_topology_is_terminal(plan->topo, at)) {
        return n;
    }
    hops[0].vc = destination % plan->n_vc;
    return 1;
}

/* Idle sources send, in the one program and in the other. */
static void send_some(fixture *fx, draw *d, const hf_plan *plan, hf_kernel *k, oracle_circuits *twin) {
    const uint32_t n = fx->topo->n_terminal;
    for (uint32_t t = 0; t < n; t++) {
        const uint32_t to = (t + 1 + below(d, n - 1)) % n;
        const bool is_asked = hf_plan_is_live(plan, t) && hf_plan_is_live(plan, to) && below(d, 100) < d->percent;
        if (is_asked && oracle_circuits_is_idle(twin, t)) {
            fixture_ok(fx, hf_kernel_send(k, t, to));
            oracle_circuits_send(twin, t, to);
        }
    }
}

static bool is_equal(const hf_kernel *k, const oracle_circuits *twin) {
    const hf_kernel_counts *a = hf_kernel_read(k);
    const oracle_circuit_counts *b = oracle_circuits_read(twin);
    return a->injected == b->injected && a->delivered == b->delivered && a->refused == b->refused && a->retries == b->retries &&
           a->flit_hops == b->flit_hops && a->lost == b->lost;
}

/* \return what the twin counted */
static oracle_circuit_counts compare(const char *topo, const char *rule, const char *faults, uint64_t seed) {
    enum { CYCLES = 400 };
    fixture fx;
    hf_fault_set set;
    hf_plan plan;
    hf_kernel *k;
    draw d = draw_options(seed);
    fixture_open(&fx, topo, NULL, rule);
    fixture_plan(&fx, faults, &set, &plan);
    d.o.selection = plan.routing->direction && below(&d, 2) ? HF_SELECT_UNBLOCKED : d.o.selection;
    hf_routing by_lanes = hf_routing_dor;
    by_lanes.route = route_by_lanes;
    plan.routing = plan.routing == &hf_routing_dor && seed % 2 ? &by_lanes : plan.routing;
    fixture_ok(&fx, hf_kernel_new(fx.cx, &plan, &d.o, &k));
    oracle_circuits *twin = oracle_circuits_new(&plan, &d.o);
    for (int cycle = 0; cycle < CYCLES; cycle++) {
        send_some(&fx, &d, &plan, k, twin);
        fixture_ok(&fx, hf_kernel_run(k, 1));
        oracle_circuits_step(twin);
        if (!is_equal(k, twin)) {
            fail_msg("%s, %s, faults \"%s\", seed %u: other counts after cycle %d", topo, rule, faults, (unsigned)seed, cycle);
        }
    }
    const oracle_circuit_counts counts = *oracle_circuits_read(twin);
    oracle_circuits_free(twin);
    fixture_close(&fx);
    assert_true(counts.delivered > 0);
    return counts;
}

static void same_counts(void **state) {
    (void)state;
    static const char *const rows[][3] = {
        {"mesh:dims=4x4", "dor:vcs=2", ""},
        {"torus:dims=4x4", "minimal", ""},
        {"torus:dims=4x4", "duato", ""},
        {"mesh:dims=4x4", "solid-fault", "s5"},
        {"mesh:dims=4x4", "solid-fault-adaptive", "s5"},
        {"kary-tree:k=4,n=2", "updown", "s0:4-s4:0"},
        {"ring:n=7", "minimal", ""},
        {"hypercube:n=4", "minimal", ""},
        {"multibutterfly:radix=2,stages=4,seed=2", "multipath", ""},
        {"multibutterfly:radix=2,stages=4,seed=2", "multipath:live=io-isolation", "s0,s9"},
        {"maximal-fanout:radix=2,stages=4,wiring=random,seed=2", "multipath:live=fault-propagation", "s1,s12,s20"},
        {"maximal-fanout:radix=2,stages=4", "multipath:live=fault-propagation,spread=once,relays=yes", "s9,s13,s18,s22"},
        {"multibutterfly:radix=2,stages=4,seed=2", "multipath:live=multi-hop", "s30,s17,s33,s22,s9,s24,s0,s23,s39"},
        {"multibutterfly:radix=2,stages=4,seed=2", "multipath:live=multi-hop", "s8,s9,s12,s17,s20,s33"},
        {"multibutterfly:radix=3,stages=2,dilation=3,seed=1", "multipath:live=io-isolation", "s0,s4,s7"},
        {"maximal-fanout:radix=2,stages=4", "multipath", "s0,s4"},
        {"complete:n=2", "minimal", ""},
        {"clos:tiers=2,radix=4,bundle=2", "ecmp:tables=stale", "s0:2-s2:0"}, /* failed channels are chosen */
        {"torus:dims=2x3,double=yes", "ecmp:tables=stale,vcs=2", "s0:0>s1:1,t3:0-s3:4"},
        {"dragonfly:p=1,a=3,h=1", "par", "s0:0-s1:0"},
    };
    enum { SEEDS = 60 };
    uint64_t looks = 0, forwarded = 0, lost = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            const oracle_circuit_counts counts = compare(rows[i][0], rows[i][1], rows[i][2], seed);
            looks += counts.looks;
            forwarded += counts.forwarded;
            lost += counts.lost;
        }
    }
    if (looks < 1000000 || forwarded < 10000 || lost < 100) {
        fail_msg("too little is looked at: %llu looks, %llu forwarded, %llu lost", (unsigned long long)looks,
                 (unsigned long long)forwarded, (unsigned long long)lost);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_counts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
