/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Faults at run time: nothing goes astray, nothing is lost once a network is reconfigured, control packets cost what the closed
 *  form says, and in the end every switch works by the plan with all faults. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/bitset.h>

#include "src/kernel/kernel.h"
#include "src/routing/tree/plan.h"
#include "tests/oracle/fixture.h"
#include "tests/support/kernel_books.h"
#include "tests/support/share.h"

enum { FAULTS = 3, EVERY = 1500, LENGTH = 9000, HOPS_MOST = 64 };

typedef struct network {
    const char *topo, *rule, *universe;
    hf_switching switching;
    bool bubble;
    uint32_t output_queue; /* of a crossbar twice as fast; 0: none */
} network;

static const network networks[] = {
    {"kary-tree:k=4,n=3", "ft2ei", "links", HF_SWITCHING_WORMHOLE, false, 0},
    {"kary-tree:k=3,n=3", "ft2ei:intervals=2", "channels", HF_SWITCHING_VCT, false, 0},
    {"kary-tree:k=4,n=2", "ft2ei", "links", HF_SWITCHING_SAF, false, 0},
    {"kary-tree:k=3,n=3", "updown", "switches:stage=2", HF_SWITCHING_VCT, false, 0},
    {"torus:dims=4x4", "immunet", "links", HF_SWITCHING_VCT, true, 0},
    {"mesh:dims=4x4", "immunet", "switches", HF_SWITCHING_SAF, true, 0},
    {"mesh:dims=4x4", "updown-graph", "links", HF_SWITCHING_WORMHOLE, false, 0},
    {"torus:dims=4x4", "updown-graph", "switches", HF_SWITCHING_VCT, false, 0},
    {"kary-tree:k=4,n=3", "ft2ei:vcs=2", "links", HF_SWITCHING_WORMHOLE, false, 3},
    {"kary-tree:k=3,n=3", "ft2ei:intervals=2,vcs=3", "channels", HF_SWITCHING_VCT, false, 8},
    {"torus:dims=4x4", "immunet", "links", HF_SWITCHING_VCT, true, 8},
    {"mesh:dims=4x4", "updown-graph", "switches", HF_SWITCHING_SAF, false, 5},
    {"torus:dims=4x4", "immunet:vcs=4", "links", HF_SWITCHING_VCT, true, 0}, /* lanes of each class */
    {"mesh:dims=4x4", "immunet:vcs=6", "switches", HF_SWITCHING_SAF, true, 0},
    {"ring:n=6", "dfsssp:vcs=5", "links", HF_SWITCHING_VCT, false, 0},
};

/* A kernel with faults to come, one after the other. */
typedef struct run {
    fixture fx;
    hf_traffic *traffic;
    hf_kernel *k;
    uint32_t component[FAULTS], n;
    hf_fault_set none, set[FAULTS];
    hf_plan start, plan[FAULTS];
    hf_kernel_fault fault[FAULTS];
    hf_kernel_reconfiguration repair[FAULTS];
} run;

static void open_run(run *r, const network *n, double load, const hf_reconfiguration_options *o, uint32_t n_fault,
                     uint64_t seed) {
    fixture_open(&r->fx, n->topo, n->universe, n->rule);
    fixture_plan_set(&r->fx, NULL, 0, &r->none, &r->start);
    hf_kernel_options options = hf_kernel_usual();
    options.switching = n->switching;
    options.bubble = n->bubble;
    options.output_queue = n->output_queue;
    options.speedup = n->output_queue ? 2 : 1;
    fixture_ok(&r->fx, hf_kernel_new(r->fx.cx, &r->start, &options, &r->k));
    fixture_ok(&r->fx, hf_traffic_new(r->fx.cx, r->fx.topo, "uniform", &r->traffic));
    fixture_ok(&r->fx, hf_kernel_offer(r->k, r->traffic, load, seed));
    hf_random random;
    hf_random_init(&random, seed, HF_PURPOSE_TEST, 0);
    r->n = n_fault;
    hf_random_subset(&random, r->fx.universe->n_component, n_fault, r->component);
    for (uint32_t i = 0; i < n_fault; i++) {
        fixture_plan_set(&r->fx, r->component, i + 1, &r->set[i], &r->plan[i]);
        r->fault[i] = (hf_kernel_fault){1000 + (uint64_t)i * EVERY, &r->set[i], &r->plan[i]};
    }
    fixture_ok(&r->fx, hf_kernel_schedule(r->k, r->fault, n_fault, o));
}

static void close_run(run *r) {
    hf_traffic_free(r->traffic);
    fixture_close(&r->fx);
}

static void check_books(const run *r) {
    bool is_whole = false;
    fixture_ok(&r->fx, kernel_is_whole(r->k, &is_whole));
    assert_true(is_whole);
}

static void play(run *r) {
    for (int i = 0; i < LENGTH / 50; i++) {
        fixture_ok(&r->fx, hf_kernel_run(r->k, 50));
        check_books(r);
    }
    hf_kernel_reconfigurations(r->k, r->repair);
}

/* Every switch works by the last plan. */
static void check_tables(const run *r) {
    const hf_hop *is = r->k->route_hops;
    hf_hop should[HOPS_MOST];
    const hf_topology *topo = r->fx.topo;
    for (uint32_t at = 0; at < topo->n_switch; at++) {
        if (hf_bit_test(r->set[r->n - 1].switch_set, at)) {
            continue;
        }
        for (uint32_t i = topo->in_begin[at]; i < topo->in_begin[at + 1]; i++) {
            for (uint32_t d = 0; d < topo->n_terminal; d++) {
                const hf_hop in = {topo->in_list[i], 0, 0};
                size_t n;
                fixture_ok(&r->fx, hf_kernel_route(r->k, at, in, d, &n));
                const size_t m = hf_plan_route(&r->plan[r->n - 1], at, in, d, should);
                assert_int_equal(n, m);
                for (size_t h = 0; h < n; h++) {
                    assert_int_equal(is[h].channel, should[h].channel);
                    assert_int_equal(is[h].vc, should[h].vc);
                }
            }
        }
    }
}

static void nothing_astray(void **state) {
    (void)state;
    hf_reconfiguration_options o = hf_reconfiguration_usual();
    o.swap_cycles = 200;
    o.hop_cycles = 20;
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        for (uint64_t seed = share_step() > 1 ? 1 + i % 3 : 1; seed <= 3; seed += share_step()) {
            run r;
            hf_blocked *blocked;
            uint32_t count;
            o.control = (hf_control)(seed % 3);
            o.is_in_turn = seed == 2;
            open_run(&r, &networks[i], seed == 3 ? 2 : 0.2, &o, FAULTS, seed);
            play(&r);
            for (uint32_t f = 0; f < FAULTS; f++) {
                if (!r.repair[f].is_finished || r.repair[f].lost_late) {
                    fail_msg("%s, %s, seed %u, fault %u: %s, %u lost late", networks[i].topo, networks[i].rule, (unsigned)seed, f,
                             r.repair[f].is_finished ? "finished" : "not finished", (unsigned)r.repair[f].lost_late);
                }
            }
            check_tables(&r);
            fixture_ok(&r.fx, hf_kernel_deadlock(r.k, &blocked, &count));
            assert_int_equal(count, 0);
            close_run(&r);
        }
    }
}

/* \return whether all switches work on fault f alone, so that the rings have to be those of its plan */
static bool check_rings(const run *r, uint32_t f) {
    const hf_topology *topo = r->fx.topo;
    if (r->repair[f].changed != topo->n_switch || (f + 1 < r->n && r->repair[f + 1].changed > 0)) {
        return false;
    }
    for (uint32_t q = 0; q < r->k->n_resource; q++) {
        const uint32_t channel = q / r->k->n_vc;
        if (topo->from[channel] < topo->n_switch) {
            assert_int_equal(r->k->ring[q], hf_plan_ring(&r->plan[f], channel, q % r->k->n_vc));
        }
    }
    return true;
}

/* The next fault comes while the tables are made: what belongs to an earlier one is thrown away, its rings do not come back. */
static void nested(void **state) {
    (void)state;
    hf_reconfiguration_options o = hf_reconfiguration_usual();
    o.hop_cycles = 20;
    o.manage_cycles = 1000;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        const network n = {"torus:dims=4x4", seed < 4 ? "immunet" : "immunet:vcs=4", "links", HF_SWITCHING_VCT, true, 0};
        run r;
        hf_blocked *blocked;
        uint32_t count, looks[FAULTS] = {0};
        open_run(&r, &n, 0.4, &o, FAULTS, seed);
        for (int step = 0; step < 2 * LENGTH / 10; step++) {
            fixture_ok(&r.fx, hf_kernel_run(r.k, 10));
            hf_kernel_reconfigurations(r.k, r.repair);
            for (uint32_t f = 0; f < FAULTS; f++) {
                looks[f] += check_rings(&r, f);
            }
        }
        assert_true(looks[0] > 50 && looks[1] > 50 && looks[2] > 50);
        assert_true(r.repair[0].is_finished && r.repair[1].is_finished && r.repair[2].is_finished);
        assert_true(r.repair[0].messages < r.repair[2].messages && r.repair[1].messages < r.repair[2].messages);
        check_tables(&r);
        check_books(&r);
        fixture_ok(&r.fx, hf_kernel_deadlock(r.k, &blocked, &count));
        assert_int_equal(count, 0);
        close_run(&r);
    }
}

/* What `holdfast bounds` says of a reconfiguration: of all phases, the first such quantity that is known. */
static uint64_t effort(const run *r, const char *quantity, const hf_effort_costs *costs) {
    uint64_t value[64];
    const hf_routing *routing = r->plan[0].routing;
    fixture_ok(&r->fx, routing->efforts->effort(r->fx.cx, &r->plan[0], costs, value));
    for (size_t i = 0; routing->efforts->quantities[i].phase; i++) {
        if (strcmp(routing->efforts->quantities[i].phase, "all") == 0 &&
            strcmp(routing->efforts->quantities[i].quantity, quantity) == 0) {
            return value[i];
        }
    }
    fail();
    return 0;
}

/* Packets that go before the last one that counts, in a k-ary 3-tree whose switches send one after the other. From the top each
 * switch sends k copies, but for the one at the fault, which sends k - 1: so one packet fewer where it hears last. */
static uint32_t before_last(const run *r) {
    const hf_universe *u = r->fx.universe;
    const uint32_t forward = u->channel[u->channel_begin[r->component[0]]], upper = r->fx.topo->to[forward];
    hf_tree tree;
    assert_true(hf_tree_of(r->fx.topo, &tree));
    if (hf_tree_stage(&tree, upper) == tree.n - 1) {
        return tree.k - 2;
    }
    const bool hears_last = hf_tree_digit(&tree, upper % tree.width, tree.n - 2) == tree.k - 1;
    return 2 * (tree.k - 1) - hears_last;
}

/* Without other traffic the news of a fault take, a hop, the packet, its way, and the work of the switch on it; messages are
 * those of `holdfast bounds`. */
static void control_alone(void **state) {
    (void)state;
    static const network n = {"kary-tree:k=4,n=3", "ft2ei", "links", HF_SWITCHING_VCT, false, 0};
    hf_reconfiguration_options o = hf_reconfiguration_usual();
    o.manage_cycles = 3;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        run r;
        const hf_effort_costs costs = {.packet_cycles = 1};
        o.is_in_turn = seed > 6;
        open_run(&r, &n, 1e-9, &o, 1, seed);
        play(&r);
        const uint64_t hops = effort(&r, "hops", &costs), messages = effort(&r, "messages", &costs);
        const uint64_t hop = o.message_length - 1 + 2 + o.manage_cycles, copies = o.is_in_turn ? before_last(&r) : 0;
        assert_true(r.repair[0].is_finished);
        assert_int_equal(r.repair[0].messages, messages);
        assert_int_equal(r.repair[0].finished - r.fault[0].cycle,
                         o.detection_cycles + 1 + hops * hop + copies * o.message_length);
        close_run(&r);
    }
}

/* Packets that would be lost go round; only what the fault itself breaks is lost. */
static void emergency_paths(void **state) {
    (void)state;
    uint64_t lost[2] = {0, 0}, deviated = 0;
    for (int has_paths = 0; has_paths < 2; has_paths++) {
        hf_reconfiguration_options o = hf_reconfiguration_usual();
        o.has_emergency_paths = has_paths;
        o.manage_cycles = 100; /* slow, so that packets meet the fault */
        for (uint64_t seed = 1; seed <= 4; seed++) {
            run r;
            open_run(&r, &networks[0], 0.3, &o, 1, seed);
            play(&r);
            lost[has_paths] += hf_kernel_read(r.k)->lost - r.repair[0].hit;
            deviated += has_paths ? hf_kernel_read(r.k)->deviated : 0;
            assert_int_equal(r.repair[0].lost_late, 0);
            close_run(&r);
        }
    }
    assert_true(lost[0] > 0 && deviated > 0);
    assert_int_equal(lost[1], 0);
}

static void priority(void **state) {
    (void)state;
    uint64_t cycles[2] = {0, 0};
    for (int has_priority = 0; has_priority < 2; has_priority++) {
        hf_reconfiguration_options o = hf_reconfiguration_usual();
        o.control = has_priority ? HF_CONTROL_PRIORITY : HF_CONTROL_EQUAL;
        for (uint64_t seed = 1; seed <= 6; seed++) {
            run r;
            open_run(&r, &networks[0], 2, &o, 1, seed);
            play(&r);
            cycles[has_priority] += r.repair[0].finished - r.fault[0].cycle;
            close_run(&r);
        }
    }
    assert_true(cycles[1] < cycles[0]);
}

/* The tables of Immunet are not ready before the bounds say, and with their costs not long after. */
static void immunet(void **state) {
    (void)state;
    static const network n = {"torus:dims=4x4", "immunet", "links", HF_SWITCHING_VCT, true, 0};
    hf_reconfiguration_options o = hf_reconfiguration_usual();
    o.detection_cycles = 0;
    o.manage_cycles = 500;
    o.hop_cycles = 50;
    run r;
    const hf_effort_costs costs = {.hop_cycles = 50, .packet_cycles = 500};
    open_run(&r, &n, 0.01, &o, 1, 1);
    play(&r);
    const uint64_t low = effort(&r, "cycles", &costs),
                   took = r.repair[0].finished - r.fault[0].cycle; /* both tables at once, the last change */
    assert_true(r.repair[0].is_finished && r.repair[0].changed == 16);
    assert_true(took >= low && took < low + low / 2);
    close_run(&r);
}

/* A deadlock that comes about after a fault is one of the plan with the fault: put in place under that, it cannot move. */
static void a_deadlock_afterwards(void **state) {
    (void)state;
    static const network n = {"torus:dims=4x4", "minimal", "links", HF_SWITCHING_VCT, false, 0};
    hf_reconfiguration_options o = hf_reconfiguration_usual();
    hf_kernel_options tight = hf_kernel_usual();
    run r;
    hf_kernel *k;
    hf_blocked *blocked;
    uint32_t count = 0;
    o.swap_cycles = 50;
    open_run(&r, &n, 0.1, &o, 1, 1);
    tight.switching = HF_SWITCHING_VCT;
    tight.buffer = tight.packet_length;
    fixture_ok(&r.fx, hf_kernel_new(r.fx.cx, &r.start, &tight, &k));
    fixture_ok(&r.fx, hf_kernel_offer(k, r.traffic, 3, 1));
    fixture_ok(&r.fx, hf_kernel_schedule(k, r.fault, 1, &o));
    fixture_ok(&r.fx, hf_kernel_run(k, 1100));
    fixture_ok(&r.fx, hf_kernel_deadlock(k, &blocked, &count));
    assert_int_equal(count, 0);
    for (int i = 0; i < 400 && count == 0; i++) {
        fixture_ok(&r.fx, hf_kernel_run(k, 100));
        fixture_ok(&r.fx, hf_kernel_deadlock(k, &blocked, &count));
    }
    assert_true(count > 0);
    fixture_ok(&r.fx, hf_kernel_new(r.fx.cx, &r.plan[0], &tight, &k));
    fixture_ok(&r.fx, hf_kernel_place(k, blocked, count));
    fixture_ok(&r.fx, hf_kernel_run(k, 300));
    assert_int_equal(hf_kernel_read(k)->flit_hops, 0);
    close_run(&r);
}

static void refusals(void **state) {
    (void)state;
    const hf_reconfiguration_options o = hf_reconfiguration_usual();
    run r;
    open_run(&r, &networks[0], 0.1, &o, 2, 1);
    hf_kernel *k;
    const hf_kernel_options options = hf_kernel_usual();
    assert_int_equal(hf_kernel_schedule(r.k, r.fault, 2, &o), HF_EINVAL); /* twice */
    fixture_ok(&r.fx, hf_kernel_new(r.fx.cx, &r.start, &options, &k));
    const hf_kernel_fault back[] = {r.fault[1], r.fault[0]};
    assert_int_equal(hf_kernel_schedule(k, back, 2, &o), HF_EINVAL);
    const hf_kernel_fault fewer[] = {{10, &r.set[1], &r.plan[1]}, {20, &r.set[0], &r.plan[0]}};
    assert_int_equal(hf_kernel_schedule(k, fewer, 2, &o), HF_EINVAL);
    close_run(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nested),        cmocka_unit_test(nothing_astray),
        cmocka_unit_test(control_alone), cmocka_unit_test(emergency_paths),
        cmocka_unit_test(priority),      cmocka_unit_test(immunet),
        cmocka_unit_test(refusals),      cmocka_unit_test(a_deadlock_afterwards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
