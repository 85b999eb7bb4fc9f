/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  One network on several threads: over all topologies and routings that go together, with random routers, the counts after some
 *  cycles, what waits at the sources and the deadlocks are those of one thread, and the books add up. Faults at given cycles with
 *  their reconfigurations; what cannot be cut; a rule that breaks its contract. One thread asks the rule for all hops, several
 *  remember them. A failure prints the seed of its router. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/random.h>
#include <holdfast/kernel.h>

#include "src/kernel/kernel.h"
#include "tests/conformance/specs.h"
#include "tests/oracle/fixture.h"
#include "tests/oracle/router.h"
#include "tests/support/kernel_books.h"
#include "tests/support/share.h"

enum { STOPS = 6, EVERY = 40, MOST = 4, FAULTS = 2 };

typedef struct scene {
    fixture *fx;
    const hf_plan *plan;
    const hf_traffic *traffic;
    hf_kernel_options o;
    hf_burst burst;
    double load;
    uint64_t seed;
    const hf_kernel_fault *fault; /* FAULTS; NULL: none */
    hf_reconfiguration_options repair;
} scene;

/* What one run shows. */
typedef struct shown {
    hf_kernel_counts counts[STOPS];
    uint64_t present[STOPS], waited[STOPS];
    uint32_t n_blocked[STOPS], first_held[STOPS];
    hf_kernel_reconfiguration repair[FAULTS];
    uint32_t n_part;
} shown;

static void look(const scene *s, hf_kernel *k, int stop, shown *out) {
    hf_blocked *blocked;
    bool is_whole = false;
    fixture_ok(s->fx, kernel_is_whole(k, &is_whole));
    if (!is_whole) {
        fail_msg("seed %u, %s, %s: the books do not add up", (unsigned)s->seed, s->fx->topo->spec, s->fx->rule.spec);
    }
    out->counts[stop] = *hf_kernel_read(k);
    out->present[stop] = hf_kernel_present(k);
    for (uint32_t t = 0; t < s->fx->topo->n_terminal; t++) {
        out->waited[stop] = out->waited[stop] * 31 + hf_kernel_waited(k, t);
    }
    fixture_ok(s->fx, hf_kernel_deadlock(k, &blocked, &out->n_blocked[stop]));
    out->first_held[stop] = out->n_blocked[stop] ? blocked[0].hold[0] : 0;
}

static void run(const scene *s, uint32_t threads, shown *out) {
    hf_kernel *k;
    const hf_mark mark = hf_scratch_mark(s->fx->cx);
    memset(out, 0, sizeof *out);
    fixture_ok(s->fx, hf_kernel_new(s->fx->cx, s->plan, &s->o, &k));
    hf_kernel_threads(k, threads);
    k->known = threads > 1 ? k->known : NULL;
    hf_kernel_bursts(k, s->burst);
    fixture_ok(s->fx, hf_kernel_offer(k, s->traffic, s->load, s->seed));
    if (s->fault) {
        fixture_ok(s->fx, hf_kernel_schedule(k, s->fault, FAULTS, &s->repair));
    }
    for (int i = 0; i < STOPS; i++) {
        fixture_ok(s->fx, hf_kernel_run(k, EVERY));
        look(s, k, i, out);
    }
    hf_kernel_reconfigurations(k, out->repair);
    out->n_part = k->n_part;
    hf_scratch_reset(s->fx->cx, mark);
}

/* Seldom what has one part. */
static hf_kernel_options draw_router(hf_random *random, uint64_t seed, bool has_rings, bool is_tree) {
    hf_kernel_options o;
    do {
        o = oracle_router_draw(random, has_rings, is_tree);
    } while (seed % 10 && o.contention != HF_CONTENTION_WAIT);
    o.reorder = seed % 10 ? 0 : o.reorder;
    o.one_routing_unit = seed % 10 == 0 && o.one_routing_unit;
    return o;
}

static bool is_same_repair(const hf_kernel_reconfiguration *a, const hf_kernel_reconfiguration *b) {
    return a->is_finished == b->is_finished && a->finished == b->finished && a->messages == b->messages && a->hit == b->hit &&
           a->lost_late == b->lost_late && a->changed == b->changed;
}

/* But for the number of parts. */
static bool is_same(const shown *a, const shown *b) {
    bool is_right =
        memcmp(a->counts, b->counts, sizeof a->counts) == 0 && memcmp(a->present, b->present, sizeof a->present) == 0 &&
        memcmp(a->waited, b->waited, sizeof a->waited) == 0 && memcmp(a->n_blocked, b->n_blocked, sizeof a->n_blocked) == 0 &&
        memcmp(a->first_held, b->first_held, sizeof a->first_held) == 0;
    for (int i = 0; i < FAULTS; i++) {
        is_right &= is_same_repair(&a->repair[i], &b->repair[i]);
    }
    return is_right;
}

/* With the least number of threads and more. \return parts of the last run */
static uint32_t compare(const scene *s, uint32_t least, uint32_t most) {
    static shown one, several;
    uint32_t n_part = 1;
    run(s, 1, &one);
    for (uint32_t threads = least; threads <= most; threads++) {
        run(s, threads, &several);
        n_part = several.n_part;
        if (!is_same(&one, &several)) {
            fail_msg("seed %u, %s, %s, %s: %u threads show", (unsigned)s->seed, s->fx->topo->spec, s->fx->rule.spec,
                     hf_kernel_switching_name(&s->o), threads);
        }
    }
    return n_part;
}

/* ---- over the registries ---- */

typedef struct tally {
    uint32_t relations, in_parts;
    uint64_t seed;
} tally;

/* One in four relations has a channel that has failed, where the rule has a plan for it. */
static void plan_scene(fixture *fx, uint64_t seed, hf_random *random, hf_fault_set *set, hf_plan *plan) {
    char name[HF_NAME_SIZE];
    if (seed % 4 == 1) {
        hf_topology_channel_name(fx->topo, (uint32_t)hf_random_below(random, fx->topo->n_channel), name, sizeof name);
        fixture_plan(fx, name, set, plan);
    }
    if (seed % 4 != 1 || hf_plan_is_empty(plan)) {
        fixture_plan(fx, "", set, plan);
    }
}

static void check_rule(fixture *fx, const char *spec, tally *t) {
    hf_fault_set set;
    hf_plan plan;
    hf_traffic *traffic;
    hf_random random;
    if (hf_rule_init(fx->cx, spec, fx->topo, &fx->rule) != HF_OK) {
        return;
    }
    if (++t->seed % share_step() != 0) {
        hf_rule_free(&fx->rule);
        return;
    }
    const hf_mark mark = hf_scratch_mark(fx->cx);
    hf_random_init(&random, t->seed, HF_PURPOSE_TEST, 7);
    plan_scene(fx, t->seed, &random, &set, &plan);
    fixture_ok(fx, hf_traffic_new(fx->cx, fx->topo, "uniform", &traffic));
    scene s = {.fx = fx,
               .plan = &plan,
               .traffic = traffic,
               .o = draw_router(&random, t->seed, false, strncmp(fx->topo->spec, "kary", 4) == 0),
               .load = t->seed % 3 ? 0.9 : 0.3,
               .seed = t->seed};
    s.burst = t->seed % 4 ? (hf_burst){0, 0, false} : (hf_burst){20, s.o.packet_length, t->seed % 8 == 0};
    const uint32_t threads = 2 + (uint32_t)t->seed % (MOST - 1);
    t->in_parts += compare(&s, threads, threads) > 1;
    t->relations++;
    hf_traffic_free(traffic);
    hf_scratch_reset(fx->cx, mark);
    hf_rule_free(&fx->rule);
}

static void all_relations(void **state) {
    (void)state;
    tally t = {0};
    for (size_t i = 0; i < N_TOPOLOGY_SPEC; i++) {
        fixture fx = {0};
        fixture_open(&fx, topology_specs[i], NULL, NULL);
        for (size_t r = 0; r < hf_routing_count() && fx.topo->n_terminal > 1; r++) {
            check_rule(&fx, hf_routing_at(r)->name, &t);
        }
        for (size_t r = 0; r < N_RULE_SPEC && fx.topo->n_terminal > 1; r++) {
            check_rule(&fx, rule_specs[r], &t);
        }
        fixture_close(&fx);
    }
    print_message("%u relations, %u of them in parts\n", t.relations, t.in_parts);
    assert_true(t.in_parts > t.relations / 3);
}

/* ---- faults ---- */

static const struct {
    const char *topo, *rule, *universe;
    bool has_rings;
} faulty[] = {
    {"kary-tree:k=2,n=3", "ft2ei", "links", false},
    {"kary-tree:k=3,n=2", "ft2ei:intervals=2", "channels", false},
    {"mesh:dims=3x3", "updown-graph", "links+switches", false},
    {"torus:dims=3x3", "immunet", "links+switches", true},
};

static void faults(void **state) {
    (void)state;
    uint32_t in_parts = 0;
    uint64_t hit = 0;
    for (uint64_t seed = 1; seed <= 60; seed += share_step()) {
        const size_t row = seed % (sizeof faulty / sizeof *faulty);
        fixture fx;
        hf_fault_set none, set[FAULTS];
        hf_plan start, plan[FAULTS];
        hf_kernel_fault fault[FAULTS];
        hf_traffic *traffic;
        hf_random random;
        uint32_t component[FAULTS];
        hf_random_init(&random, seed, HF_PURPOSE_TEST, 8);
        fixture_open(&fx, faulty[row].topo, faulty[row].universe, faulty[row].rule);
        fixture_plan_set(&fx, NULL, 0, &none, &start);
        hf_random_subset(&random, fx.universe->n_component, FAULTS, component);
        for (uint32_t i = 0; i < FAULTS; i++) {
            fixture_plan_set(&fx, component, i + 1, &set[i], &plan[i]);
            fault[i] = (hf_kernel_fault){50 + 80 * (uint64_t)i, &set[i], &plan[i]};
        }
        fixture_ok(&fx, hf_traffic_new(fx.cx, fx.topo, "uniform", &traffic));
        scene s = {.fx = &fx,
                   .plan = &start,
                   .traffic = traffic,
                   .o = draw_router(&random, seed, faulty[row].has_rings, strncmp(faulty[row].topo, "kary", 4) == 0),
                   .load = seed % 2 ? 0.5 : 1,
                   .seed = seed,
                   .fault = fault,
                   .repair = hf_reconfiguration_usual()};
        s.repair.message_length = oracle_between(&random, 1, 6);
        s.repair.hop_cycles = oracle_between(&random, 1, 20);
        s.repair.swap_cycles = oracle_between(&random, 0, 40);
        s.repair.control = (hf_control)oracle_between(&random, 0, 2);
        s.repair.is_in_turn = oracle_toss(&random);
        s.repair.has_emergency_paths = oracle_toss(&random);
        const uint32_t threads = 2 + (uint32_t)(seed % (MOST - 1));
        in_parts += compare(&s, threads, threads) > 1;
        static shown one;
        run(&s, 1, &one);
        hit += one.repair[0].hit + one.repair[1].hit;
        hf_traffic_free(traffic);
        fixture_close(&fx);
    }
    assert_true(in_parts > 20 / share_step() && hit > 20 / share_step());
}

/* ---- what one part has ---- */

static uint32_t parts_of(const hf_kernel_options *o, bool has_messages) {
    fixture fx;
    hf_fault_set none;
    hf_plan plan;
    hf_kernel *k;
    static const hf_client client = {0};
    fixture_open(&fx, "mesh:dims=4x4", NULL, "dor");
    fixture_plan(&fx, "", &none, &plan);
    fixture_ok(&fx, hf_kernel_new(fx.cx, &plan, o, &k));
    hf_kernel_threads(k, 3);
    if (has_messages) {
        k->client = &client;
    }
    fixture_ok(&fx, hf_kernel_divide(k));
    const uint32_t n = k->n_part;
    fixture_close(&fx);
    return n;
}

static void what_is_cut(void **state) {
    (void)state;
    hf_kernel_options o = hf_kernel_usual();
    assert_int_equal(parts_of(&o, false), 3);
    assert_int_equal(parts_of(&o, true), 1);
    o.reorder = 3;
    assert_int_equal(parts_of(&o, false), 1);
    o.reorder = 0;
    o.one_routing_unit = true;
    assert_int_equal(parts_of(&o, false), 1);
    o.one_routing_unit = false;
    o.contention = HF_CONTENTION_DROP;
    assert_int_equal(parts_of(&o, false), 1);
}

/* A packet that somebody sends by hand, before the first run. */
static void sent_by_hand(void **state) {
    (void)state;
    for (uint32_t threads = 1; threads <= MOST; threads++) {
        fixture fx;
        hf_fault_set none;
        hf_plan plan;
        hf_kernel *k;
        const hf_kernel_options o = hf_kernel_usual();
        fixture_open(&fx, "mesh:dims=4x4", NULL, "dor");
        fixture_plan(&fx, "", &none, &plan);
        fixture_ok(&fx, hf_kernel_new(fx.cx, &plan, &o, &k));
        hf_kernel_threads(k, threads);
        fixture_ok(&fx, hf_kernel_send(k, 0, 15));
        fixture_ok(&fx, hf_kernel_send(k, 15, 0));
        fixture_ok(&fx, hf_kernel_run(k, 10));
        fixture_ok(&fx, hf_kernel_send(k, 7, 8));
        fixture_ok(&fx, hf_kernel_run(k, 90));
        assert_int_equal(hf_kernel_read(k)->delivered, 3);
        assert_int_equal(hf_kernel_present(k), 0);
        fixture_close(&fx);
    }
}

/* From some cycle on the rule offers a channel that does not leave the switch: the message is that of one thread. */
static size_t wrong(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    const size_t n = hf_plan_route(plan->state, at, in, destination, hops);
    if (destination % 5 == 3 && at < plan->topo->n_switch && at % 4 == 2) {
        hops[0].channel = 0;
    }
    return n;
}

static void broken_contract(void **state) {
    (void)state;
    char said[2][256];
    for (uint32_t threads = 1; threads <= MOST; threads++) {
        fixture fx;
        hf_fault_set none;
        hf_plan plan, bad;
        hf_traffic *traffic;
        hf_kernel *k;
        const hf_kernel_options o = hf_kernel_booksim_iq();
        fixture_open(&fx, "torus:dims=4x4", NULL, "dor:vcs=2,dateline=yes");
        fixture_plan(&fx, "", &none, &plan);
        hf_routing routing = *plan.routing;
        routing.route = wrong;
        bad = plan;
        bad.routing = &routing;
        bad.state = &plan;
        fixture_ok(&fx, hf_traffic_new(fx.cx, fx.topo, "uniform", &traffic));
        fixture_ok(&fx, hf_kernel_new(fx.cx, &bad, &o, &k));
        hf_kernel_threads(k, threads);
        fixture_ok(&fx, hf_kernel_offer(k, traffic, 0.2, 5));
        assert_int_equal(hf_kernel_run(k, 500), HF_EINVAL);
        snprintf(said[threads > 1], sizeof *said, "%s", hf_context_message(fx.cx));
        if (threads > 1) {
            assert_string_equal(said[0], said[1]);
        }
        hf_traffic_free(traffic);
        fixture_close(&fx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_relations), cmocka_unit_test(faults),          cmocka_unit_test(what_is_cut),
        cmocka_unit_test(sent_by_hand),  cmocka_unit_test(broken_contract),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
