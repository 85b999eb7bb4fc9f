/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Work with an end: closed forms of lone messages, chains and barriers; everything ends; terminals that pass messages on. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/random.h>
#include <holdfast/protocol.h>

#include "tests/oracle/fixture.h"

typedef struct bench {
    fixture fx;
    hf_fault_set faults;
    hf_plan plan;
    hf_play play;
    hf_play_result r;
} bench;

static void open_bench(bench *b, const char *topo, const char *rule, const char *faults) {
    fixture_open(&b->fx, topo, NULL, rule);
    fixture_plan(&b->fx, faults, &b->faults, &b->plan);
    b->play = (hf_play){.plan = &b->plan, .kernel = hf_kernel_usual()};
}

static void play(bench *b, const hf_message *list, size_t n) {
    hf_messages m = {.n = n};
    m.item = (hf_message *)list; /* read only */
    fixture_ok(&b->fx, hf_play_messages(b->fx.cx, &b->play, &m, &b->r));
    assert_true(b->r.is_complete);
    assert_int_equal(b->r.delivered + b->r.lost, b->r.messages);
    assert_int_equal(b->r.messages, n);
}

/* Zero load (docs/kernel.md): T = 2 + (h - 1) + 2 h + L - 1 with all delays 1. */
static uint64_t alone(uint64_t h, uint64_t flits) { return 2 + (h - 1) + 2 * h + flits - 1; }

/* In packets of 4 flits behind each other: a source sends a flit in each cycle, and headers follow each other when the switch has
 * routed the one before. In one packet the closed form holds. */
static void lone_messages(void **state) {
    (void)state;
    bench b;
    open_bench(&b, "mesh:dims=5", "dor", "");
    b.play.kernel.packet_length = 64;
    for (uint32_t d = 1; d < 5; d++) {
        for (uint32_t flits = 1; flits <= 60; flits += 7) {
            const hf_message m = {1000000000 * (uint64_t)d, 0, d, flits};
            play(&b, &m, 1);
            assert_int_equal(b.r.cycles, m.cycle + alone(d + 1, flits));
            assert_true(b.r.latency == (double)alone(d + 1, flits) && b.r.latency == b.r.network_latency);
            assert_int_equal(b.r.packets, 1);
        }
    }
    b.play.kernel.packet_length = 4;
    const hf_message long_one = {3, 0, 1, 10};
    play(&b, &long_one, 1);
    assert_int_equal(b.r.packets, 3);
    assert_int_equal(b.r.flits, 10);
    assert_true(b.r.latency >= (double)alone(2, 10));
    fixture_close(&b.fx);
}

/* Two messages of one source: the second leaves when the first has left. Without time for routing it need not wait again. */
static void a_queue(void **state) {
    (void)state;
    bench b;
    open_bench(&b, "complete:n=4", "minimal", "");
    b.play.kernel.routing_delay = 0;
    b.play.kernel.reuse_early = true;
    const hf_message m[] = {{0, 0, 1, 4}, {0, 0, 2, 4}, {1, 3, 0, 1}};
    play(&b, m, 3);
    assert_int_equal(b.r.flits, 9);
    assert_int_equal(b.r.latency_max, alone(2, 4) - 2 + 4);
    assert_int_equal(b.r.network_latency_max, alone(2, 4) - 2);
    fixture_close(&b.fx);
}

/* Messages of terminals that are not live are lost, and nothing waits for them. */
static void not_live(void **state) {
    (void)state;
    bench b;
    open_bench(&b, "multibutterfly:radix=2,dilation=2,stages=4", "multipath:live=io-isolation", "s0,s4");
    uint32_t dead = HF_NONE, live[2], n = 0;
    for (uint32_t t = 0; t < b.fx.topo->n_terminal; t++) {
        if (!hf_plan_is_live(&b.plan, t)) {
            dead = t;
        } else if (n < 2) {
            live[n++] = t;
        }
    }
    if (dead != HF_NONE) {
        const hf_message m[] = {{0, dead, live[0], 3}, {0, live[0], live[1], 3}, {5, live[1], dead, 3}};
        play(&b, m, 3);
        assert_int_equal(b.r.lost, 2);
        assert_int_equal(b.r.delivered, 1);
    }
    fixture_close(&b.fx);
}

/* ---- barriers ---- */

static hf_batch_mean run_barrier(bench *b, const hf_barrier *barrier, uint64_t seed, double *task_cycles) {
    hf_traffic *traffic;
    hf_batch_mean mean;
    fixture_ok(&b->fx, hf_traffic_new(b->fx.cx, b->fx.topo, "uniform", &traffic));
    fixture_ok(&b->fx, hf_play_barrier(b->fx.cx, &b->play, traffic, barrier, seed, &b->r, task_cycles, &mean));
    hf_traffic_free(traffic);
    return mean;
}

/* One message in every active cycle, one under way: a terminal of two sends the next a cycle after the last has come. */
static void a_strict_task(void **state) {
    (void)state;
    bench b;
    double cycles[2];
    const hf_barrier barrier = {.messages = 7, .flits = 4, .interval = 1, .outstanding = 1, .tasks = 2};
    open_bench(&b, "ring:n=2", "dor", "");
    const hf_batch_mean mean = run_barrier(&b, &barrier, 1, cycles);
    assert_true(b.r.is_complete);
    assert_int_equal(b.r.delivered, 2 * 2 * 7);
    assert_true(cycles[0] == (double)(7 * (alone(2, 4) + 1)) && cycles[1] == cycles[0]);
    assert_true(mean.mean == cycles[0] && mean.half == 0);
    fixture_close(&b.fx);
}

/* A task takes as long as the slowest terminal; rare messages wait for nobody, so it is the largest of sums of geometric
 * waits. */
static void a_slow_task(void **state) {
    (void)state;
    bench b;
    enum { TASKS = 30, MESSAGES = 50, INTERVAL = 400 };
    double cycles[TASKS];
    const hf_barrier barrier = {.messages = MESSAGES, .flits = 4, .interval = INTERVAL, .outstanding = 8, .tasks = TASKS};
    open_bench(&b, "mesh:dims=4x4", "dor", "");
    const hf_batch_mean mean = run_barrier(&b, &barrier, 5, cycles);
    /* 16 sums of 50 waits, mean 20,000, deviation 2,828: the largest is about 1.77 deviations above the mean */
    assert_true(fabs(mean.mean - (MESSAGES * INTERVAL + 1.77 * 2828)) < 1000);
    assert_int_equal(b.r.delivered, 16 * MESSAGES * TASKS);
    fixture_close(&b.fx);
}

/* Half of the messages under way, never more; all the work is done, by those that are live. */
static void work_is_shared(void **state) {
    (void)state;
    bench b;
    double cycles[3];
    hf_barrier barrier = {.messages = 9, .flits = 24, .interval = 5, .outstanding = 4, .tasks = 3, .redistribute = true};
    open_bench(&b, "multibutterfly:radix=2,dilation=2,stages=4", "multipath:live=fault-propagation", "s32,s33,s36");
    uint32_t live = 0;
    for (uint32_t t = 0; t < 16; t++) {
        live += hf_plan_is_live(&b.plan, t);
    }
    b.play.kernel.packet_length = 24;
    run_barrier(&b, &barrier, 5, cycles);
    assert_true(b.r.is_complete && live < 16 && live > 1);
    assert_int_equal(b.r.delivered, 3 * 16 * 9);
    barrier.redistribute = false;
    run_barrier(&b, &barrier, 5, cycles);
    assert_int_equal(b.r.delivered, 3 * live * 9);
    fixture_close(&b.fx);
}

/* Fewest legs by breadth-first search over live terminals, pair by pair. */
static uint32_t fewest_legs(bench *b, uint32_t s, uint32_t d) {
    uint32_t distance[64], queue[64], n = 0;
    hf_hop hops[16];
    memset(distance, 0xff, sizeof distance);
    distance[s] = 0;
    queue[n++] = s;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t t = 0; t < b->fx.topo->n_terminal; t++) {
            const bool is_new = distance[t] == HF_NONE && hf_plan_is_live(&b->plan, t);
            if (is_new && hf_plan_route(&b->plan, b->fx.topo->n_switch + queue[i], HF_HOP_INJECTION, t, hops) > 0) {
                distance[t] = distance[queue[i]] + 1;
                queue[n++] = t;
            }
        }
    }
    return distance[d];
}

/* All pairs of live terminals under a fault set. \return how many messages were passed on */
static uint32_t check_pairs(const char *faults) {
    bench b;
    uint32_t relayed = 0;
    open_bench(&b, "multibutterfly:radix=2,dilation=2,stages=4", "multipath:live=multi-hop", faults);
    for (uint32_t i = 0; i < 16 * 16; i++) {
        const uint32_t s = i / 16, d = i % 16;
        if (s == d || !hf_plan_is_live(&b.plan, s) || !hf_plan_is_live(&b.plan, d)) {
            continue;
        }
        const hf_message m = {0, s, d, 4};
        const uint32_t legs = fewest_legs(&b, s, d);
        play(&b, &m, 1);
        assert_int_equal(b.r.delivered, legs != HF_NONE);
        assert_int_equal(b.r.relayed, legs != HF_NONE && legs > 1);
        assert_true(legs == HF_NONE || b.r.packets == legs);
        relayed += legs != HF_NONE && legs > 1;
    }
    fixture_close(&b.fx);
    return relayed;
}

/* Where there is no way at all messages are lost; the others come through, and the task ends. */
static void no_way(void **state) {
    (void)state;
    bench b;
    double cycles[2];
    const hf_barrier barrier = {.messages = 30, .flits = 10, .interval = 2, .outstanding = 4, .tasks = 2};
    open_bench(&b, "multibutterfly:radix=2,dilation=2,stages=4", "multipath:live=multi-hop", "s30,s17,s33,s22,s9,s24,s0,s23,s39");
    b.play.cycle_limit = 1000000;
    (void)run_barrier(&b, &barrier, 1, cycles);
    assert_true(b.r.is_complete && b.r.lost > 0);
    assert_int_equal(b.r.messages, b.r.delivered + b.r.lost);
    fixture_close(&b.fx);
}

/* The same by terminals drawn after one attempt: whatever a chain joins comes through, in two legs or more where there is no
 * direct way, and is told as passed on. */
static uint32_t forward_pairs(const char *faults) {
    bench b;
    uint32_t indirect = 0;
    open_bench(&b, "multibutterfly:radix=2,dilation=2,stages=4", "multipath:live=multi-hop", faults);
    b.play.kernel.contention = HF_CONTENTION_CIRCUIT;
    b.play.kernel.forward_after = 1;
    for (uint32_t i = 0; i < 16 * 16; i++) {
        const hf_message m = {0, i / 16, i % 16, 4}; /* one packet, which nobody blocks */
        if (m.source == m.destination || !hf_plan_is_live(&b.plan, m.source) || !hf_plan_is_live(&b.plan, m.destination)) {
            continue;
        }
        const uint32_t legs = fewest_legs(&b, m.source, m.destination);
        play(&b, &m, 1);
        assert_true(legs == HF_NONE ? b.r.lost == 1 : b.r.delivered + b.r.lost == 1);
        assert_int_equal(b.r.relayed, legs != HF_NONE && legs > 1);
        indirect += legs != HF_NONE && legs > 1;
    }
    fixture_close(&b.fx);
    return indirect;
}

static void passed_on(void **state) {
    (void)state;
    uint32_t relayed = 0, indirect = 0;
    for (uint64_t seed = 0; seed < 12; seed++) {
        char faults[80] = "";
        uint32_t set[9];
        hf_random random;
        hf_random_init(&random, seed, HF_PURPOSE_TEST, 0);
        hf_random_subset(&random, 40, 9, set);
        for (size_t i = 0; i < 9; i++) {
            const size_t size = strlen(faults);
            (void)snprintf(faults + size, sizeof faults - size, "%ss%u", i ? "," : "", set[i]);
        }
        relayed += check_pairs(faults);
        indirect += forward_pairs(faults);
    }
    assert_true(relayed > 0 && indirect > 0);
}

/* ---- programs ---- */

/* Loads one after the other: each takes a request and a reply alone in the network, and nothing else takes time. */
static void loads(void **state) {
    (void)state;
    bench b;
    hf_program t;
    int64_t word = 5;
    open_bench(&b, "mesh:dims=4", "dor", "");
    b.play.kernel.packet_length = 8;
    fixture_ok(&b.fx, hf_program_init(b.fx.cx, 4, &t));
    uint64_t want = 0;
    for (uint32_t node = 1; node < 4; node++) {
        hf_program_work(&t, 100);
        assert_int_equal(hf_program_load(&t, node, &word), 5);
        want += 100 + alone(node + 1, t.request_size) + alone(node + 1, t.reply_size);
    }
    hf_program_work(&t, 17);
    fixture_ok(&b.fx, hf_program_finish(&t));
    fixture_ok(&b.fx, hf_play_program(b.fx.cx, &b.play, &t, &b.r));
    assert_true(b.r.is_complete);
    assert_int_equal(b.r.cycles, want + 17);
    assert_int_equal(b.r.messages, 6);
    hf_program_free(&t);
    fixture_close(&b.fx);
}

/* The published programs end, on several networks, and not before their longest chain of messages alone would. */
static void programs(void **state) {
    (void)state;
    static const struct {
        const char *topo, *rule;
    } nets[] = {{"mesh:dims=4x4", "dor"}, {"kary-tree:k=4,n=2", "updown"}, {"torus:dims=4x4", "duato"}};
    for (size_t i = 0; i < sizeof nets / sizeof *nets; i++) {
        for (int program = HF_BENCHMARK_ADD; program <= HF_BENCHMARK_NBODY; program++) {
            bench b;
            hf_program t;
            open_bench(&b, nets[i].topo, nets[i].rule, "");
            const hf_benchmark_options what = {.benchmark = (hf_benchmark)program, .n_node = 16, .seed = 3};
            fixture_ok(&b.fx, hf_benchmark_program(b.fx.cx, &what, &t));
            fixture_ok(&b.fx, hf_play_program(b.fx.cx, &b.play, &t, &b.r));
            assert_true(b.r.is_complete);
            uint64_t remote = 0, flits = 0;
            for (uint32_t block = 0; block < t.n_block; block++) {
                for (uint32_t m = t.blocks[block].first; m != HF_NONE; m = t.messages[m].next) {
                    const bool is_remote = t.messages[m].destination != t.blocks[block].node;
                    remote += is_remote;
                    flits += is_remote ? t.messages[m].size : 0;
                }
            }
            assert_int_equal(b.r.delivered, remote);
            assert_int_equal(b.r.flits, flits);
            const uint64_t cycles = b.r.cycles;
            fixture_ok(&b.fx, hf_play_program(b.fx.cx, &b.play, &t, &b.r));
            assert_int_equal(b.r.cycles, cycles); /* same bytes */
            b.play.kernel.link_delay = 50;
            fixture_ok(&b.fx, hf_play_program(b.fx.cx, &b.play, &t, &b.r));
            assert_true(b.r.cycles > cycles);
            hf_program_free(&t);
            fixture_close(&b.fx);
        }
    }
}

static void too_many_nodes(void **state) {
    (void)state;
    bench b;
    hf_program t;
    open_bench(&b, "mesh:dims=4", "dor", "");
    fixture_ok(&b.fx, hf_program_init(b.fx.cx, 5, &t));
    fixture_ok(&b.fx, hf_program_finish(&t));
    assert_int_equal(hf_play_program(b.fx.cx, &b.play, &t, &b.r), HF_EINVAL);
    assert_string_equal(hf_context_message(b.fx.cx), "the program runs on 5 nodes, mesh:dims=4 has 4 terminals");
    hf_program_free(&t);
    fixture_close(&b.fx);
}

/* Four long messages round a ring without a cure stop each other. */
static void a_deadlock(void **state) {
    (void)state;
    bench b;
    hf_message m[8];
    open_bench(&b, "ring:n=8", "dor", "");
    b.play.kernel.packet_length = 64;
    for (uint32_t i = 0; i < 8; i++) {
        m[i] = (hf_message){0, i, (i + 3) % 8, 64};
    }
    hf_messages list = {.item = m, .n = 8};
    fixture_ok(&b.fx, hf_play_messages(b.fx.cx, &b.play, &list, &b.r));
    assert_false(b.r.is_complete);
    assert_int_equal(b.r.n_blocked, 8);
    fixture_close(&b.fx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lone_messages), cmocka_unit_test(a_queue),        cmocka_unit_test(not_live),
        cmocka_unit_test(a_strict_task), cmocka_unit_test(a_slow_task),    cmocka_unit_test(work_is_shared),
        cmocka_unit_test(passed_on),     cmocka_unit_test(no_way),         cmocka_unit_test(loads),
        cmocka_unit_test(programs),      cmocka_unit_test(too_many_nodes), cmocka_unit_test(a_deadlock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
