/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Relations whose dependency graph has a cycle, made for one decider each: an escape that nobody declares, long worms that
 *  deadlock where single buffers do not, and neither. And relations with hops taken away. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include <holdfast/core/random.h>

#include "src/analysis/paths/walk.h"
#include "tests/oracle/fixture.h"
#include "tests/oracle/packets.h"
#include "tests/oracle/worms.h"

/* ---- an escape to be found ---- */

static void decide(fixture *fx, const hf_plan *plan, hf_switching switching, hf_deadlock *out) {
    const hf_deadlock_options options = {.switching = switching, .threads = 1, .want_witness = true};
    fixture_ok(fx, hf_deadlock_decide(fx->cx, plan, &options, out));
}

/* Duato's protocol, its escape kept secret: the virtual channels of dimension order are found. */
static void finds_escape(void **state) {
    (void)state;
    static const struct {
        const char *topo, *rule;
        uint64_t vcs;
    } row[] = {{"mesh:dims=4x4", "duato", 1},
               {"mesh:dims=3x3x3", "duato:adaptive-vcs=2", 1},
               {"torus:dims=5x5", "duato", 3},
               {"torus:dims=4x3", "duato:adaptive-vcs=2", 3}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        fixture fx;
        hf_fault_set none;
        hf_plan plan;
        hf_deadlock d;
        fixture_open(&fx, row[i].topo, NULL, row[i].rule);
        fixture_plan(&fx, "", &none, &plan);
        hf_routing secret = *plan.routing;
        secret.escape = NULL;
        plan.routing = &secret;
        decide(&fx, &plan, HF_SWITCHING_WORMHOLE, &d);
        assert_int_equal(d.answer, HF_DEADLOCK_FREE);
        assert_int_equal(d.method, HF_METHOD_ESCAPE);
        assert_false(d.escape.is_declared);
        assert_int_equal(d.escape.vcs, row[i].vcs);
        fixture_close(&fx);
    }
}

/* ---- relations by hand, on a ring of three switches 0, 1, 2 whose terminals 0, 1, 2 are nodes 3, 4, 5 ---- */

typedef struct step {
    uint32_t destination, from, at, to;
} step;

/* Whoever comes to the destination's switch is delivered. */
static const step arrivals[] = {{0, 1, 0, 3}, {0, 2, 0, 3}, {1, 0, 1, 4}, {1, 2, 1, 4}, {2, 0, 2, 5}, {2, 1, 2, 5}};

/* Packets for 0 go the long way 1, 2, 1, 0; packets for 2 come to 0, from where they may go straight on, or over 1. */
static const step long_worms[] = {{0, 4, 1, 2}, {0, 5, 2, 1}, {0, 1, 2, 1}, {0, 2, 1, 0}, {1, 3, 0, 1}, {1, 5, 2, 0},
                                  {1, 2, 0, 1}, {2, 3, 0, 2}, {2, 4, 1, 0}, {2, 1, 0, 1}, {2, 1, 0, 2}, {2, 0, 1, 2}};

/* A packet for 0 that came to 1 may go back to 2, where only 1 is offered: it waits for its own tail. */
static const step own_tail[] = {{0, 4, 1, 0}, {0, 5, 2, 1}, {0, 2, 1, 2}, {0, 2, 1, 0}, {0, 1, 2, 1},
                                {1, 3, 0, 1}, {1, 5, 2, 1}, {2, 3, 0, 2}, {2, 4, 1, 2}};

/* All go one way round; but a packet for 2 that comes to 1 may turn back and go the other way. */
static const step turn_back[] = {{0, 4, 1, 2}, {0, 1, 2, 0}, {0, 5, 2, 0}, {1, 5, 2, 0}, {1, 2, 0, 1}, {1, 3, 0, 1},
                                 {2, 3, 0, 1}, {2, 0, 1, 2}, {2, 0, 1, 0}, {2, 1, 0, 2}, {2, 4, 1, 0}};

static const struct hand {
    const step *steps;
    size_t count;
    hf_deadlock_answer wormhole;
    uint32_t packets, held;
} hands[] = {
    {long_worms, sizeof long_worms / sizeof *long_worms, HF_DEADLOCK_FOUND, 2, 4},
    {own_tail, sizeof own_tail / sizeof *own_tail, HF_DEADLOCK_FOUND, 1, 2},
    {turn_back, sizeof turn_back / sizeof *turn_back, HF_DEADLOCK_FREE, 0, 0},
};

static void check_hand(fixture *fx, const struct hand *hand, const hf_plan *plan) {
    hf_deadlock d;
    decide(fx, plan, HF_SWITCHING_SAF, &d);
    assert_int_equal(d.answer, HF_DEADLOCK_FREE);
    assert_int_equal(d.method, HF_METHOD_FIXPOINT);
    decide(fx, plan, HF_SWITCHING_WORMHOLE, &d);
    assert_int_equal(d.answer, hand->wormhole);
    assert_int_equal(d.method, HF_METHOD_WORMS);
    assert_true(d.is_connected);
    assert_int_equal(d.n_blocked, hand->packets);
    assert_int_equal(worms_held(d.blocked, d.n_blocked), hand->held);
    const worms_answer expected = worms_search(plan, 1000000);
    assert_true(expected.is_known);
    assert_int_equal(expected.least, hand->held);
    if (d.answer == HF_DEADLOCK_FOUND) {
        assert_true(d.is_smallest);
        assert_null(worms_refute(plan, d.blocked, d.n_blocked));
    }
}

static void add_steps(packets_relation *relation, const step *steps, size_t count) {
    for (size_t i = 0; i < count; i++) {
        packets_relation_add(relation, steps[i].destination, steps[i].from, steps[i].at, steps[i].to);
    }
}

static void long_worms_by_hand(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof hands / sizeof *hands; i++) {
        fixture fx;
        hf_fault_set none;
        packets_relation relation;
        fixture_open(&fx, "ring:n=3", NULL, NULL);
        fixture_ok(&fx, hf_no_faults(fx.cx, fx.topo, &none));
        packets_relation_empty(fx.topo, 1, &relation);
        add_steps(&relation, arrivals, sizeof arrivals / sizeof *arrivals);
        add_steps(&relation, hands[i].steps, hands[i].count);
        const hf_plan plan = packets_plan(&relation, &none);
        check_hand(&fx, &hands[i], &plan);
        packets_relation_free(&relation);
        fixture_close(&fx);
    }
}

/* ---- fewer hops ---- */

/* Take hops away from a random relation with up to `hops_max` in one place. \return whether that made a free one deadlock */
static bool loses_freedom(fixture *fx, uint64_t seed, uint32_t hops_max, hf_switching switching, uint32_t *n_free) {
    packets_relation relation;
    hf_fault_set none;
    hf_deadlock before, after;
    hf_random random;
    hf_random_init(&random, seed, HF_PURPOSE_TEST, 1);
    fixture_ok(fx, hf_no_faults(fx->cx, fx->topo, &none));
    packets_relation_make(fx->topo, 1, seed, hops_max, false, &relation);
    const hf_plan plan = packets_plan(&relation, &none);
    decide(fx, &plan, switching, &before);
    const uint64_t share = 2 + hf_random_below(&random, 8);
    for (size_t i = 0; i < (size_t)fx->topo->n_channel * fx->topo->n_terminal; i++) {
        const uint64_t mask = relation.mask[i];
        relation.mask[i] = hf_random_below(&random, share) ? mask : mask & (mask - 1); /* the lowest goes */
    }
    decide(fx, &plan, switching, &after);
    packets_relation_free(&relation);
    assert_int_not_equal(before.answer, HF_DEADLOCK_UNKNOWN);
    assert_int_not_equal(after.answer, HF_DEADLOCK_UNKNOWN);
    *n_free += before.answer == HF_DEADLOCK_FREE;
    return before.answer == HF_DEADLOCK_FREE && after.answer == HF_DEADLOCK_FOUND;
}

static uint32_t count_losses(const char *topo, uint32_t hops_max, uint32_t *n_free) {
    uint32_t losses = 0;
    fixture fx;
    fixture_open(&fx, topo, NULL, NULL);
    for (uint64_t seed = 1; seed <= 300; seed++) {
        const hf_mark mark = hf_scratch_mark(fx.cx);
        const hf_switching switching = seed % 2 ? HF_SWITCHING_WORMHOLE : HF_SWITCHING_VCT;
        const bool loses = loses_freedom(&fx, seed, hops_max, switching, n_free);
        if (loses && hops_max == 1) {
            print_error("%s, seed %llu: fewer hops deadlock\n", topo, (unsigned long long)seed);
        }
        losses += loses;
        hf_scratch_reset(fx.cx, mark);
    }
    fixture_close(&fx);
    return losses;
}

/* Leaving out hops of a rule with one hop in each place, so that some pairs are not served, never makes a deadlock. Of an
 * adaptive rule it may. */
static void fewer_hops(void **state) {
    (void)state;
    static const char *const topos[] = {"ring:n=3", "mesh:dims=2x2", "ring:n=5", "mesh:dims=3x2", "complete:n=4"};
    uint32_t n_free = 0, adaptive = 0, ignored = 0;
    for (size_t i = 0; i < sizeof topos / sizeof *topos; i++) {
        assert_int_equal(count_losses(topos[i], 1, &n_free), 0);
        adaptive += count_losses(topos[i], 2, &ignored);
    }
    assert_true(n_free > 100);
    assert_true(adaptive > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_escape),
        cmocka_unit_test(long_worms_by_hand),
        cmocka_unit_test(fewer_hops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
