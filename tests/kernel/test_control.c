/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Control packets: how they share channels, queue and are taken in, against a slow twin, closed forms and each other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "src/kernel/reconfigure.h"
#include "tests/oracle/control_oracle.h"
#include "tests/oracle/fixture.h"
#include "tests/oracle/router.h"
#include "tests/support/kernel_books.h"

enum { CASES = 60, FAULTS_MOST = 3, FAULT_CYCLE = 10 };

static const char *const topologies[] = {"torus:dims=3x3", "mesh:dims=3x4", "ring:n=6", "random-regular:n=10,degree=3",
                                         "torus:dims=4x3"};

typedef struct run {
    fixture fx;
    hf_fault_set none, set;
    hf_plan start, plan;
    hf_kernel_fault fault;
    hf_kernel_options kernel;
    hf_reconfiguration_options o;
    hf_kernel *k;
    hf_kernel_reconfiguration done;
} run;

/* A network with some links to fail; the router and what a reconfiguration costs are drawn. */
static void open_run(run *r, const char *topo, const char *rule, uint32_t f, hf_random *random) {
    uint32_t component[FAULTS_MOST];
    *r = (run){.kernel = hf_kernel_usual(), .o = hf_reconfiguration_usual()};
    r->kernel.switching = HF_SWITCHING_VCT;
    fixture_open(&r->fx, topo, "links", rule);
    fixture_plan_set(&r->fx, NULL, 0, &r->none, &r->start);
    hf_random_subset(random, r->fx.universe->n_component, f, component);
    fixture_plan_set(&r->fx, component, f, &r->set, &r->plan);
    r->fault = (hf_kernel_fault){FAULT_CYCLE, &r->set, &r->plan};
    r->o.detection_cycles = oracle_between(random, 0, 5);
    r->o.manage_cycles = oracle_between(random, 0, 9);
    r->o.hop_cycles = oracle_between(random, 1, 20);
    r->o.message_length = oracle_between(random, 1, 6);
    r->o.is_in_turn = oracle_toss(random);
    r->o.newest_first = oracle_toss(random);
    r->kernel.link_delay = oracle_between(random, 1, 4);
}

static void start(run *r, double load, uint64_t seed, hf_traffic **traffic) {
    fixture_ok(&r->fx, hf_kernel_new(r->fx.cx, &r->start, &r->kernel, &r->k));
    fixture_ok(&r->fx, hf_traffic_new(r->fx.cx, r->fx.topo, "uniform", traffic));
    fixture_ok(&r->fx, hf_kernel_offer(r->k, *traffic, load, seed));
    fixture_ok(&r->fx, hf_kernel_schedule(r->k, &r->fault, 1, &r->o));
}

/* Through a reconfiguration, with the books looked at on the way. */
static void play(run *r, double load, uint64_t seed) {
    hf_traffic *traffic;
    start(r, load, seed, &traffic);
    for (int i = 0; i < 2000 && !r->done.is_finished; i++) {
        bool is_whole = false;
        fixture_ok(&r->fx, hf_kernel_run(r->k, 20));
        fixture_ok(&r->fx, kernel_is_whole(r->k, &is_whole));
        assert_true(is_whole);
        hf_kernel_reconfigurations(r->k, &r->done);
    }
    assert_true(r->done.is_finished);
    hf_traffic_free(traffic);
}

static void floods_are_those_of_the_twin(void **state) {
    (void)state;
    uint64_t repeated = 0, differ = 0;
    for (uint64_t seed = 1; seed <= CASES; seed++) {
        run r;
        hf_random random;
        hf_random_init(&random, seed, HF_PURPOSE_TEST, 3);
        open_run(&r, topologies[seed % 5], "immunet", oracle_between(&random, 1, FAULTS_MOST), &random);
        const hf_immunet *s = r.plan.state;
        const hf_effort_costs costs = {.hop_cycles = oracle_between(&random, 1, 20),
                                       .packet_cycles = oracle_between(&random, 1, 60)};
        const hf_flood_service service = {oracle_between(&random, 0, 15), oracle_toss(&random)},
                               other = {service.every, !service.newest_first};
        for (uint32_t v = 0; v < s->ways.n; v++) {
            hf_flood_run is, reversed;
            if (s->emergency.root[v] != v) {
                continue;
            }
            const hf_flood_run want = control_oracle_floods(s, v, &costs, &service);
            fixture_ok(&r.fx, hf_flood_simulate(r.fx.cx, s, v, &costs, &service, &is));
            fixture_ok(&r.fx, hf_flood_simulate(r.fx.cx, s, v, &costs, &other, &reversed));
            if (memcmp(&is, &want, sizeof is) != 0) {
                fail_msg("seed %u: %u messages, the twin has %u; %u cycles, %u", (unsigned)seed, (unsigned)is.messages,
                         (unsigned)want.messages, (unsigned)is.arrived_cycles, (unsigned)want.arrived_cycles);
            }
            hf_flood_effort least;
            fixture_ok(&r.fx, hf_flood_count(r.fx.cx, s, v, &costs, &least));
            assert_true(is.messages >= least.once);
            repeated += is.messages > least.once;
            differ += reversed.messages != is.messages;
        }
        fixture_close(&r.fx);
    }
    assert_true(repeated > 5 && differ > 5);
}

/* Without traffic a reconfiguration is that of the twin, to the cycle and the message. */
static void reconfigurations_are_those_of_the_twin(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= CASES; seed++) {
        run r;
        hf_random random;
        hf_random_init(&random, seed, HF_PURPOSE_TEST, 4);
        open_run(&r, topologies[seed % 5], seed % 3 ? "immunet" : "immunet:vcs=4", oracle_between(&random, 1, FAULTS_MOST),
                 &random);
        r.o.control = (hf_control)oracle_between(&random, 0, 2);
        r.o.control_every = oracle_between(&random, 1, 15);
        r.o.uses_input_queue = oracle_toss(&random);
        r.kernel.buffer = 64; /* room enough that none waits for it */
        play(&r, 1e-9, seed);
        const hf_immunet *s = r.plan.state;
        const control_oracle_run want = control_oracle_reconfigure(s, &r.o, r.k->output[s->ways.channel[0]].delay);
        const uint64_t finished = r.done.finished - FAULT_CYCLE - r.o.detection_cycles;
        if (r.done.messages != want.messages || finished != want.finished) {
            fail_msg("seed %u, %s: %u messages, the twin has %u; %u cycles, %u", (unsigned)seed, r.fx.topo->spec,
                     (unsigned)r.done.messages, (unsigned)want.messages, (unsigned)finished, (unsigned)want.finished);
        }
        fixture_close(&r.fx);
    }
}

/* Apart from traffic: the same time under any load, and packets that never notice. */
static void apart_is_apart(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        uint64_t finished[3], delivered[2];
        for (int i = 0; i < 3; i++) {
            run r;
            hf_random random;
            hf_random_init(&random, seed, HF_PURPOSE_TEST, 5);
            open_run(&r, "kary-tree:k=3,n=3", "ft2ei", 1, &random);
            r.o.control = HF_CONTROL_APART;
            r.o.message_length *= 1 + (i == 2);
            play(&r, i == 0 ? 1e-9 : 0.9, seed);
            finished[i] = r.done.finished;
            delivered[i > 0] = hf_kernel_read(r.k)->delivered;
            fixture_close(&r.fx);
        }
        assert_int_equal(finished[0], finished[1]);
        assert_true(finished[2] > finished[1]);
        assert_true(delivered[1] > delivered[0]);
    }
}

/* Who stands in the queues of the traffic comes later, and nobody gets lost in them. */
static void queues_take_time(void **state) {
    (void)state;
    uint64_t own = 0, input = 0, low = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        for (int i = 0; i < 3; i++) {
            run r;
            hf_random random;
            hf_random_init(&random, seed, HF_PURPOSE_TEST, 6);
            open_run(&r, "kary-tree:k=4,n=3", "ft2ei", 1, &random);
            r.o.message_length = r.kernel.packet_length;
            r.o.control = seed % 2 ? HF_CONTROL_PRIORITY : HF_CONTROL_EQUAL;
            r.o.uses_input_queue = i > 0;
            r.kernel.output_queue = seed % 3 == 0 ? 8 : 0;
            play(&r, i == 2 ? 0.05 : 0.6, seed);
            *(i == 0 ? &own : i == 1 ? &input : &low) += r.done.finished - FAULT_CYCLE;
            for (uint32_t q = 0; i > 0 && q < r.k->n_resource; q++) {
                assert_true(r.k->layers->controls.held[q] == 0);
            }
            fixture_close(&r.fx);
        }
    }
    assert_true(input > own && low < input);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floods_are_those_of_the_twin),
        cmocka_unit_test(reconfigurations_are_those_of_the_twin),
        cmocka_unit_test(apart_is_apart),
        cmocka_unit_test(queues_take_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
