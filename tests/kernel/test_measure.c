/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Measurement: low load gives the mean of the closed form, high load saturates, threads do not show, deadlocks are told. */
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/kernel.h>

#include "src/kernel/kernel.h"
#include "tests/oracle/fixture.h"
#include "tests/support/kernel_books.h"

typedef struct bench {
    fixture fx;
    hf_fault_set none;
    hf_plan plan;
    hf_simulation s;
    hf_traffic *traffic;
} bench;

static void open_bench(bench *b, const char *topo, const char *rule, const char *pattern) {
    fixture_open(&b->fx, topo, NULL, rule);
    fixture_plan(&b->fx, "", &b->none, &b->plan);
    fixture_ok(&b->fx, hf_traffic_new(b->fx.cx, b->fx.topo, pattern, &b->traffic));
    b->s = (hf_simulation){.plan = &b->plan, .traffic = b->traffic, .kernel = hf_kernel_usual(), .seed = 1};
}

static void close_bench(bench *b) {
    hf_traffic_free(b->traffic);
    fixture_close(&b->fx);
}

/* Mean packet latency of an 8 x 8 mesh, dimension order, uniform, beside that of BookSim 2 with the same router: as it is, and
 * with the packets that its terminals send to themselves, one of 64, which take 9 cycles here and are no load to others. */
static void beside_booksim(void **state) {
    (void)state;
    static const double loads[] = {0.1, 0.3, 0.1 * 63 / 64, 0.3 * 63 / 64}, theirs[] = {31.4, 40.4}, within[] = {0.03, 0.08};
    bench b;
    hf_point p[4];
    open_bench(&b, "mesh:dims=8x8", "dor:vcs=4", "uniform");
    b.s.kernel = hf_kernel_booksim_iq();
    b.s.window = 2000;
    fixture_ok(&b.fx, hf_simulate(b.fx.cx, &b.s, loads, 4, p));
    for (int i = 0; i < 2; i++) {
        const double with_own = (63 * p[i + 2].latency.mean + 9) / 64;
        assert_true(p[i].is_steady && p[i].n_blocked == 0);
        assert_true(fabs(p[i].latency.mean / theirs[i] - 1) < within[i]);
        assert_true(fabs(with_own / theirs[i] - 1) < 0.01);
    }
    close_bench(&b);
}

/* All terminals send to their neighbours: packets wait for nobody, but now and then for the one before. */
static void low_load(void **state) {
    (void)state;
    bench b;
    const double load = 0.001;
    hf_point p;
    open_bench(&b, "ring:n=8", "dor:vcs=2,dateline=yes", "neighbour");
    b.s.window = 20000;
    fixture_ok(&b.fx, hf_simulate(b.fx.cx, &b.s, &load, 1, &p));
    /* two switches: 2 ways of terminals, 1 link, 2 routings, 2 crossbars, 3 flits behind the header */
    assert_true(p.network_latency.mean >= 10 && p.network_latency.mean < 10.05);
    assert_true(p.is_steady && !p.is_saturated);
    assert_true(fabs(p.accepted.mean - load) < 4 * p.accepted.half);
    assert_true(p.histogram[4] >= p.packets - p.packets / 50); /* 8 to 15 cycles */
    close_bench(&b);
}

static void high_load(void **state) {
    (void)state;
    bench b;
    const double loads[] = {0.05, 0.2, 1};
    hf_point p[3];
    open_bench(&b, "mesh:dims=4x4", "dor", "complement");
    fixture_ok(&b.fx, hf_simulate(b.fx.cx, &b.s, loads, 3, p));
    assert_true(!p[0].is_saturated && !p[1].is_saturated && p[2].is_saturated);
    assert_true(p[0].latency.mean < p[1].latency.mean && p[1].latency.mean < p[2].latency.mean);
    assert_true(p[2].accepted.mean < 0.95);
    for (int i = 0; i < 3; i++) {
        assert_true(p[i].latency.mean >= p[i].network_latency.mean);
        assert_int_equal(p[i].n_blocked, 0);
        uint64_t packets = 0;
        for (int bin = 0; bin < 65; bin++) {
            packets += p[i].histogram[bin];
        }
        assert_int_equal(packets, p[i].packets);
    }
    close_bench(&b);
}

/* Neither a load at which hardly a packet comes along, nor packets that the plan does not let in, are saturation. */
static void not_saturated(void **state) {
    (void)state;
    static const double loads[] = {1e-9, 1e-5, 0.1};
    bench b;
    hf_point p[3];
    hf_fault_set failed;
    hf_plan parted;
    open_bench(&b, "mesh:dims=4x2", "minimal", "uniform");
    fixture_ok(&b.fx, hf_simulate(b.fx.cx, &b.s, loads, 3, p));
    for (int i = 0; i < 3; i++) {
        assert_false(p[i].is_saturated);
    }
    fixture_plan(&b.fx, "s0:0,s0:2", &failed, &parted); /* t0 is cut off */
    b.s.plan = &parted;
    fixture_ok(&b.fx, hf_simulate(b.fx.cx, &b.s, loads, 3, p));
    assert_true(p[2].refused + p[2].lost > p[2].packets / 20);
    for (int i = 0; i < 3; i++) {
        assert_false(p[i].is_saturated);
    }
    b.s.batches = 3;
    for (b.s.seed = 1; b.s.seed <= 20; b.s.seed++) { /* whatever happens to wait at the sources in the end */
        fixture_ok(&b.fx, hf_simulate(b.fx.cx, &b.s, loads + 2, 1, p));
        assert_true(p->lost + p->refused > 0 && !p->is_saturated);
    }
    close_bench(&b);
}

static void saturation(void **state) {
    (void)state;
    bench b;
    hf_point p[HF_SATURATION_POINTS], q[HF_SATURATION_POINTS];
    uint32_t best, other;
    open_bench(&b, "ring:n=4", "dor:vcs=2,dateline=yes", "uniform");
    b.s.threads = 1;
    fixture_ok(&b.fx, hf_simulate_saturation(b.fx.cx, &b.s, p, &best));
    b.s.threads = 3;
    fixture_ok(&b.fx, hf_simulate_saturation(b.fx.cx, &b.s, q, &other));
    assert_int_equal(best, other);
    for (int i = 0; i < HF_SATURATION_POINTS; i++) {
        assert_true(p[i].load == q[i].load && p[i].latency.mean == q[i].latency.mean && p[i].flit_hops == q[i].flit_hops);
    }
    assert_true(best != HF_NONE && !p[best].is_saturated);
    assert_true(best + 1 < HF_SATURATION_POINTS && p[best + 1].is_saturated && p[best + 1].load - p[best].load <= 1.0 / 1024);
    close_bench(&b);
}

static void deadlock(void **state) {
    (void)state;
    bench b;
    const double load = 1;
    hf_point p;
    open_bench(&b, "ring:n=8", "dor", "tornado");
    fixture_ok(&b.fx, hf_simulate(b.fx.cx, &b.s, &load, 1, &p));
    assert_int_equal(p.n_blocked, 8);
    assert_true(p.is_saturated && p.deadlock_cycle > 0);
    for (int i = 0; i < 8; i++) {
        assert_int_equal(p.blocked[i].n_wait, 1);
        assert_int_equal(p.blocked[i].wait[0], p.blocked[(i + 1) % 8].hold[0]);
    }
    close_bench(&b);
}

/* Counts after 20000 cycles at load 1, every 100 of which the books are checked. */
static hf_kernel_counts counts_of(const char *topo, const char *rule, const hf_kernel_options *o) {
    fixture fx;
    hf_fault_set none;
    hf_plan plan;
    hf_kernel *k;
    hf_traffic *traffic;
    fixture_open(&fx, topo, NULL, rule);
    fixture_plan(&fx, "", &none, &plan);
    fixture_ok(&fx, hf_traffic_new(fx.cx, fx.topo, "uniform", &traffic));
    fixture_ok(&fx, hf_kernel_new(fx.cx, &plan, o, &k));
    fixture_ok(&fx, hf_kernel_offer(k, traffic, 1, 1));
    for (int i = 0; i < 200; i++) {
        bool is_whole = false;
        fixture_ok(&fx, hf_kernel_run(k, 100));
        fixture_ok(&fx, kernel_is_whole(k, &is_whole));
        assert_true(is_whole);
    }
    const hf_kernel_counts counts = *hf_kernel_read(k);
    hf_traffic_free(traffic);
    fixture_close(&fx);
    return counts;
}

/* Output queues do not take throughput away, and a faster crossbar adds some. */
static void output_queues(void **state) {
    (void)state;
    static const char *const networks[][2] = {{"torus:dims=4x4", "dor:vcs=2,dateline=yes"}, {"kary-tree:k=4,n=2", "updown"}};
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        for (unsigned switching = HF_SWITCHING_WORMHOLE; switching <= HF_SWITCHING_SAF; switching++) {
            hf_kernel_options o = hf_kernel_usual();
            o.switching = (hf_switching)switching;
            const uint64_t without = counts_of(networks[i][0], networks[i][1], &o).delivered_flits;
            o.output_queue = 8;
            const uint64_t with = counts_of(networks[i][0], networks[i][1], &o).delivered_flits;
            o.speedup = 2;
            const uint64_t fast = counts_of(networks[i][0], networks[i][1], &o).delivered_flits;
            if (with * 100 < without * 99 || fast <= without || fast * 100 < with * 99) {
                fail_msg("%s, %s: %u flits without queues, %u with, %u with speed-up 2", networks[i][0],
                         hf_switching_name(o.switching), (unsigned)without, (unsigned)with, (unsigned)fast);
            }
        }
    }
}

/* Two switches, each terminal a queue of one server: a packet comes in a cycle with probability p and takes L cycles. The mean
 * wait is p L (L - 1) / (2 (1 - p L)) [Geo/D/1, by Lindley's equation], and an interval holds the mean about 19 times of 20. */
static void queue(void **state) {
    (void)state;
    enum { SEEDS = 30, LENGTH = 4 };
    static const double loads[] = {0.3, 0.8};
    bench b;
    open_bench(&b, "mesh:dims=2", "dor", "complement");
    b.s.kernel.switching = HF_SWITCHING_VCT;
    b.s.kernel.routing_delay = 0; /* packet follows packet */
    b.s.window = 5000;
    for (int i = 0; i < 2; i++) {
        const double p = loads[i] / LENGTH, alone = 2 + 1 + 2 + LENGTH - 1;
        const double expected = alone + p * LENGTH * (LENGTH - 1) / (2 * (1 - p * LENGTH));
        double sum = 0;
        int n_held = 0, n_accepted = 0;
        for (b.s.seed = 1; b.s.seed <= SEEDS; b.s.seed++) {
            hf_point point;
            fixture_ok(&b.fx, hf_simulate(b.fx.cx, &b.s, &loads[i], 1, &point));
            sum += point.latency.mean;
            n_held += fabs(point.latency.mean - expected) <= point.latency.half;
            n_accepted += fabs(point.accepted.mean - loads[i]) <= point.accepted.half;
        }
        assert_true(fabs(sum / SEEDS / expected - 1) < 0.01);
        assert_true(n_held >= SEEDS * 5 / 6 && n_accepted >= SEEDS * 5 / 6);
        assert_true(n_held < SEEDS || n_accepted < SEEDS); /* nor are they too wide */
    }
    close_bench(&b);
}

/* A wish to stop is heard in the midst of short windows too. */
static void stops(void **state) {
    (void)state;
    static const double loads[] = {0.2, 0.4};
    static const volatile sig_atomic_t stop = 1;
    bench b;
    hf_point points[HF_SATURATION_POINTS];
    uint32_t best;
    hf_messages messages;
    open_bench(&b, "mesh:dims=3x3", "dor", "uniform");
    hf_fault_set failed;
    hf_plan after;
    fixture_plan(&b.fx, "s4", &failed, &after);
    const hf_kernel_fault fault = {500, &failed, &after};
    hf_history h = {
        .simulation = &b.s, .load = 0.3, .fault = &fault, .n_fault = 1, .options = hf_reconfiguration_usual(), .cycles = 10000};
    const hf_generation g = {
        .plan = &b.plan, .traffic = b.traffic, .load = 0.5, .packet_length = 4, .seed = 1, .cycles = 1000000};
    b.s.window = 100;
    hf_context_set_stop(b.fx.cx, &stop);
    assert_int_equal(hf_simulate(b.fx.cx, &b.s, loads, 2, points), HF_ESTOP);
    assert_int_equal(hf_simulate_saturation(b.fx.cx, &b.s, points, &best), HF_ESTOP);
    assert_int_equal(hf_history_run(b.fx.cx, &h), HF_ESTOP);
    assert_int_equal(hf_messages_generate(b.fx.cx, &g, &messages), HF_ESTOP);
    close_bench(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(beside_booksim), cmocka_unit_test(low_load),  cmocka_unit_test(queue),
        cmocka_unit_test(stops),          cmocka_unit_test(high_load), cmocka_unit_test(not_saturated),
        cmocka_unit_test(saturation),     cmocka_unit_test(deadlock),  cmocka_unit_test(output_queues),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
