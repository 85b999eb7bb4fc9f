/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Routers with random options under relations without cycles: all switching modes, output queues, delays, allocators, reorder
 *  buffers together. The books add up, a trace comes through whole and over ways of the right length, it is the run of the load
 *  that it was generated from, and threads do not show; faults at given cycles leave the books right. A failure prints the
 *  seed of its router. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/random.h>
#include <holdfast/kernel.h>

#include "src/analysis/paths/walk.h"
#include "src/kernel/kernel.h"
#include "src/topology/search.h"
#include "tests/oracle/fixture.h"
#include "tests/oracle/router.h"
#include "tests/support/kernel_books.h"
#include "tests/support/share.h"

enum { ROUTERS = 240 };

/* Minimal, and free of cycles but for the last one, whose rings need bubbles, or nothing that waits. */
static const char *const networks[][2] = {
    {"mesh:dims=3x3", "dor"},
    {"hypercube:n=3", "dor:vcs=2"},
    {"kary-tree:k=2,n=3", "updown"},
    {"kary-tree:k=3,n=2", "destro"},
    {"torus:dims=3x4", "dor:vcs=2,dateline=yes"},
    {"mesh:dims=3x3", "west-first"},
    {"dragonfly:p=1,a=2,h=1", "dragonfly-min"},
    {"hyperx:dims=2x3,terminals=2", "dor"},
    {"xgft:h=2,m=2x3,w=1x2", "updown-graph"},
    {"torus:dims=4x3", "dor"},
};
enum { N_NETWORK = sizeof networks / sizeof *networks, RINGS = N_NETWORK - 1 };

typedef struct run {
    fixture fx;
    hf_fault_set none;
    hf_plan plan;
    hf_traffic *traffic;
    hf_kernel_options o;
    hf_messages messages; /* that the load of 0.7 generates in 300 cycles */
    uint64_t seed;
} run;

enum { CYCLES = 300 };
static const double load = 0.7;

static void open_run(run *r, uint64_t seed) {
    hf_random random;
    hf_random_init(&random, seed, HF_PURPOSE_TEST, 0);
    const uint32_t network = oracle_between(&random, 0, N_NETWORK - 1);
    *r = (run){.seed = seed, .o = oracle_router_draw(&random, network >= RINGS, strncmp(networks[network][0], "kary", 4) == 0)};
    fixture_open(&r->fx, networks[network][0], NULL, networks[network][1]);
    fixture_plan(&r->fx, "", &r->none, &r->plan);
    fixture_ok(&r->fx, hf_traffic_new(r->fx.cx, r->fx.topo, "uniform", &r->traffic));
    const hf_generation g = {.plan = &r->plan,
                             .traffic = r->traffic,
                             .load = load,
                             .packet_length = r->o.packet_length,
                             .seed = seed,
                             .cycles = CYCLES};
    fixture_ok(&r->fx, hf_messages_generate(r->fx.cx, &g, &r->messages));
}

static void close_run(run *r) {
    hf_messages_free(&r->messages);
    hf_traffic_free(r->traffic);
    fixture_close(&r->fx);
}

static void expect(const run *r, bool holds, const char *claim) {
    if (!holds) {
        fail_msg("router %u, %s, %s, %s: not %s", (unsigned)r->seed, r->fx.topo->spec, r->fx.rule.spec,
                 hf_kernel_switching_name(&r->o), claim);
    }
}
#define EXPECT(r, claim) expect((r), (claim), #claim)

static hf_kernel *loaded(run *r) {
    hf_kernel *k;
    fixture_ok(&r->fx, hf_kernel_new(r->fx.cx, &r->plan, &r->o, &k));
    fixture_ok(&r->fx, hf_kernel_offer(k, r->traffic, load, r->seed));
    return k;
}

static void books(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= ROUTERS; seed += share_step()) {
        run r;
        open_run(&r, seed);
        hf_kernel *k = loaded(&r);
        for (int i = 0; i < 60; i++) {
            bool is_whole = false;
            fixture_ok(&r.fx, hf_kernel_run(k, 20 + i % 3));
            fixture_ok(&r.fx, kernel_is_whole(k, &is_whole));
            EXPECT(&r, is_whole);
        }
        EXPECT(&r, hf_kernel_read(k)->delivered > 0);
        close_run(&r);
    }
}

/* Flits times hops of a trace over minimal ways. */
static uint64_t hops_of(run *r) {
    const hf_topology *topo = r->fx.topo;
    uint32_t *queue, *distance;
    uint64_t sum = 0;
    fixture_ok(&r->fx, hf_scratch(r->fx.cx, topo->n_node, sizeof *queue, (void **)&queue));
    fixture_ok(&r->fx, hf_scratch(r->fx.cx, topo->n_node, sizeof *distance, (void **)&distance));
    for (uint32_t d = 0; d < topo->n_terminal; d++) {
        hf_distances(topo, NULL, topo->n_switch + d, true, queue, distance);
        for (size_t i = 0; i < r->messages.n; i++) {
            const hf_message *m = &r->messages.item[i];
            sum += m->destination == d ? (uint64_t)distance[topo->n_switch + m->source] * m->flits : 0;
        }
    }
    return sum;
}

static void traces_come_through(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= ROUTERS; seed += share_step()) {
        run r;
        hf_play_result p;
        open_run(&r, seed);
        const hf_play play = {.plan = &r.plan, .kernel = r.o, .cycle_limit = 1000000};
        fixture_ok(&r.fx, hf_play_messages(r.fx.cx, &play, &r.messages, &p));
        EXPECT(&r, p.is_complete && p.lost == 0 && p.relayed == 0);
        EXPECT(&r, p.delivered == r.messages.n && p.packets == r.messages.n);
        EXPECT(&r, p.flits == r.messages.n * r.o.packet_length);
        const uint64_t hops = hops_of(&r);
        EXPECT(&r, r.o.contention == HF_CONTENTION_WAIT ? p.flit_hops == hops : p.flit_hops >= hops);
        close_run(&r);
    }
}

static void a_trace_is_its_load(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= ROUTERS; seed += share_step()) {
        run r;
        hf_play_result p;
        open_run(&r, seed);
        const hf_play play = {.plan = &r.plan, .kernel = r.o, .cycle_limit = CYCLES};
        /* else a load draws waits or virtual channels from its seed too */
        if (r.o.contention == HF_CONTENTION_WAIT && r.o.terminal_vcs != HF_TERMINAL_VCS_ONE) {
            hf_kernel *k = loaded(&r);
            fixture_ok(&r.fx, hf_kernel_run(k, CYCLES));
            fixture_ok(&r.fx, hf_play_messages(r.fx.cx, &play, &r.messages, &p));
            const hf_kernel_counts *c = hf_kernel_read(k);
            EXPECT(&r, p.delivered == c->delivered && p.flit_hops == c->flit_hops);
            EXPECT(&r, memcmp(p.histogram, c->histogram, sizeof p.histogram) == 0);
        }
        close_run(&r);
    }
}

static bool are_same(const hf_point *a, const hf_point *b) {
    return a->load == b->load && a->accepted.mean == b->accepted.mean && a->accepted.half == b->accepted.half &&
           a->latency.mean == b->latency.mean && a->network_latency.half == b->network_latency.half &&
           a->network_latency_max == b->network_latency_max && a->least_share == b->least_share && a->packets == b->packets &&
           a->reordered == b->reordered && a->retries == b->retries && a->flit_hops == b->flit_hops &&
           memcmp(a->histogram, b->histogram, sizeof a->histogram) == 0;
}

static void threads_do_not_show(void **state) {
    (void)state;
    static const double loads[] = {0.2, 0.4, 0.6, 0.8};
    static const uint32_t threads[] = {1, 2, 4};
    for (uint64_t seed = 1; seed <= ROUTERS; seed += 3) {
        run r;
        hf_point p[3][4];
        open_run(&r, seed);
        hf_simulation s = {.plan = &r.plan,
                           .traffic = r.traffic,
                           .burst = seed % 2 ? (hf_burst){30, r.o.packet_length, false} : (hf_burst){0, 0, false},
                           .kernel = r.o,
                           .seed = seed,
                           .window = 100,
                           .batches = 3,
                           .warm_up_most = 8};
        for (int i = 0; i < 3; i++) {
            s.threads = threads[i];
            fixture_ok(&r.fx, hf_simulate(r.fx.cx, &s, loads, 4, p[i]));
        }
        for (int i = 0; i < 4; i++) {
            EXPECT(&r, p[0][i].packets > 0 && are_same(&p[0][i], &p[1][i]) && are_same(&p[0][i], &p[2][i]));
        }
        close_run(&r);
    }
}

/* When nothing is on its way, nothing is held: no owner, every credit at home. */
static void nothing_stays(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= ROUTERS; seed += share_step()) {
        run r;
        hf_kernel *k;
        open_run(&r, seed);
        fixture_ok(&r.fx, hf_kernel_new(r.fx.cx, &r.plan, &r.o, &k));
        const uint32_t n = r.fx.topo->n_terminal;
        for (uint32_t t = 0; t < n; t++) {
            fixture_ok(&r.fx, hf_kernel_send(k, t, (t + 1 + (uint32_t)seed % (n - 1)) % n));
        }
        for (int i = 0; hf_kernel_present(k) > 0 && i < 100000; i++) {
            fixture_ok(&r.fx, hf_kernel_run(k, 1));
        }
        fixture_ok(&r.fx, hf_kernel_run(k, 200));
        EXPECT(&r, hf_kernel_read(k)->delivered == n);
        for (uint32_t q = 0; q < k->n_resource; q++) {
            const bool is_sink = hf_topology_is_terminal(k->topo, k->lane[q].node);
            EXPECT(&r, k->owner[q] == HF_NONE && k->lane[q].count == 0);
            EXPECT(&r, is_sink || k->credit[q] == r.o.buffer);
        }
        close_run(&r);
    }
}

/* ---- faults at given cycles ---- */

enum { FAULTS = 3, EVERY = 400, FAULTY = 120 };

static const struct {
    const char *topo, *rule, *universe;
    bool has_rings;
} faulty[] = {
    {"kary-tree:k=2,n=3", "ft2ei", "links", false},
    {"kary-tree:k=3,n=2", "ft2ei:intervals=2", "channels", false},
    {"mesh:dims=3x3", "updown-graph", "links+switches", false},
    {"torus:dims=3x3", "immunet", "links+switches", true},
};

typedef struct faulty_run {
    fixture fx;
    hf_fault_set none, set[FAULTS];
    hf_plan start, plan[FAULTS];
    hf_kernel_fault fault[FAULTS];
    hf_traffic *traffic;
    hf_kernel_options o;
    hf_reconfiguration_options repair;
} faulty_run;

static void open_faulty(faulty_run *r, uint64_t seed) {
    hf_random random;
    uint32_t component[FAULTS];
    hf_random_init(&random, seed, HF_PURPOSE_TEST, 1);
    const uint32_t row = oracle_between(&random, 0, sizeof faulty / sizeof *faulty - 1);
    *r = (faulty_run){.repair = hf_reconfiguration_usual()};
    r->o = oracle_router_draw(&random, faulty[row].has_rings, strncmp(faulty[row].topo, "kary", 4) == 0);
    r->o.drain_after = r->o.bubble && oracle_toss(&random) ? oracle_between(&random, 5, 100) : 0;
    r->repair.message_length = oracle_between(&random, 1, 6);
    r->repair.manage_cycles = oracle_between(&random, 0, 9);
    r->repair.hop_cycles = oracle_between(&random, 1, 20);
    r->repair.swap_cycles = oracle_between(&random, 0, 100);
    r->repair.control = (hf_control)oracle_between(&random, 0, 2);
    r->repair.control_every = oracle_toss(&random) ? oracle_between(&random, 1, 30) : 0;
    r->repair.newest_first = oracle_toss(&random);
    r->repair.uses_input_queue =
        oracle_toss(&random) && r->repair.message_length <= r->o.buffer && r->o.contention == HF_CONTENTION_WAIT;
    r->repair.has_emergency_paths = oracle_toss(&random);
    fixture_open(&r->fx, faulty[row].topo, faulty[row].universe, faulty[row].rule);
    fixture_plan_set(&r->fx, NULL, 0, &r->none, &r->start);
    hf_random_subset(&random, r->fx.universe->n_component, FAULTS, component);
    for (uint32_t i = 0; i < FAULTS; i++) {
        fixture_plan_set(&r->fx, component, i + 1, &r->set[i], &r->plan[i]);
        r->fault[i] = (hf_kernel_fault){EVERY * (uint64_t)(i + 1), &r->set[i], &r->plan[i]};
    }
    fixture_ok(&r->fx, hf_traffic_new(r->fx.cx, r->fx.topo, "uniform", &r->traffic));
}

/* Counts at the end, with the books looked at every so many cycles. */
static hf_kernel_counts run_faulty(faulty_run *r, uint64_t seed, uint64_t every, hf_kernel_reconfiguration *repair) {
    hf_kernel *k;
    fixture_ok(&r->fx, hf_kernel_new(r->fx.cx, &r->start, &r->o, &k));
    fixture_ok(&r->fx, hf_kernel_offer(k, r->traffic, seed % 2 ? 0.4 : 1, seed));
    fixture_ok(&r->fx, hf_kernel_schedule(k, r->fault, FAULTS, &r->repair));
    for (uint64_t done = 0; done < (FAULTS + 2) * EVERY; done += every) {
        bool is_whole = false;
        fixture_ok(&r->fx, hf_kernel_run(k, every));
        fixture_ok(&r->fx, kernel_is_whole(k, &is_whole));
        if (!is_whole) {
            fail_msg("router %u, %s, %s, %s: the books do not add up at cycle %u", (unsigned)seed, r->fx.topo->spec,
                     r->fx.rule.spec, hf_kernel_switching_name(&r->o), (unsigned)done);
        }
    }
    hf_kernel_reconfigurations(k, repair);
    return *hf_kernel_read(k);
}

static void faults_keep_the_books(void **state) {
    (void)state;
    uint64_t hit = 0;
    for (uint64_t seed = 1; seed <= FAULTY; seed += share_step()) {
        faulty_run r;
        hf_kernel_reconfiguration fine[FAULTS], coarse[FAULTS];
        open_faulty(&r, seed);
        const hf_kernel_counts a = run_faulty(&r, seed, 10, fine), b = run_faulty(&r, seed, EVERY, coarse);
        assert_memory_equal(&a, &b, sizeof a);
        for (int f = 0; f < FAULTS; f++) {
            assert_true(fine[f].finished == coarse[f].finished && fine[f].messages == coarse[f].messages);
            hit += fine[f].hit;
        }
        hf_traffic_free(r.traffic);
        fixture_close(&r.fx);
    }
    assert_true(hit > 100 / share_step());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(books),
        cmocka_unit_test(traces_come_through),
        cmocka_unit_test(a_trace_is_its_load),
        cmocka_unit_test(threads_do_not_show),
        cmocka_unit_test(nothing_stays),
        cmocka_unit_test(faults_keep_the_books),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
