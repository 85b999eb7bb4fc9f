/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The dependency relation that is followed for many destinations at once, against the slow twin: rules of the registry with and
 *  without faults, and random relations that treat packets alike as they say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/bitset.h>
#include <holdfast/core/random.h>

#include "src/analysis/deadlock/flood.h"
#include "src/analysis/deadlock/stretch.h"
#include "tests/conformance/specs.h"
#include "tests/oracle/situations.h"
#include "tests/support/share.h"

static bool has_many_slots(const hf_plan *plan) {
    const hf_topology *topo = plan->topo;
    for (uint32_t v = 0; v < topo->n_node; v++) {
        if ((topo->out_begin[v + 1] - topo->out_begin[v]) * plan->n_vc > 64) {
            return true;
        }
    }
    return false;
}

/* With what the rule says of itself, and without. */
static void compare(fixture *fx, const hf_plan *plan, const char *what) {
    static const uint32_t threads[] = {1, 2, 3};
    hf_routing silent = *plan->routing;
    hf_plan again = *plan;
    situations slow;
    situations_find(plan, &slow);
    silent.likeness = NULL;
    again.routing = &silent;
    for (int i = 0; i < 3; i++) {
        const hf_mark mark = hf_scratch_mark(fx->cx);
        hf_dependency d;
        fixture_ok(fx, hf_dependency_make(fx->cx, i == 1 ? &again : plan, threads[i], &d));
        situations_compare(&slow, &d, what);
        hf_dependency unions;
        fixture_ok(fx, hf_dependency_unions(fx->cx, i == 1 ? &again : plan, threads[i], &unions));
        situations_compare_unions(&slow, &unions, what);
        assert_memory_equal(unions.used, d.used, hf_words(d.n_resource) * sizeof *d.used);
        hf_scratch_reset(fx->cx, mark);
    }
    free(slow.item);
}

/* ---- rules ---- */

enum { SETS = 3 };

static void compare_sets(fixture *fx, const char *what) {
    for (uint32_t i = 0; i < SETS; i++) {
        const hf_mark mark = hf_scratch_mark(fx->cx);
        hf_fault_set set;
        hf_plan plan;
        char text[200];
        fixture_plan_drawn(fx, i, 31, i, &set, &plan);
        snprintf(text, sizeof text, "%s, seed %u", what, i);
        if (!has_many_slots(&plan)) {
            compare(fx, &plan, text);
        }
        hf_scratch_reset(fx->cx, mark);
    }
}

static void follows_rules_as_the_slow_twin(void **state) {
    (void)state;
    uint32_t n_compared = 0;
    for (size_t i = 0; i < N_TOPOLOGY_SPEC; i++) {
        fixture fx;
        fixture_open(&fx, topology_specs[i], i % 2 || i == 4 ? "terminal-links" : "links+switches", NULL);
        for (size_t r = 0; r < hf_routing_count(); r++) {
            char text[160];
            if (hf_rule_init(fx.cx, hf_routing_at(r)->name, fx.topo, &fx.rule) != HF_OK) {
                continue;
            }
            snprintf(text, sizeof text, "%s on %s", fx.rule.spec, topology_specs[i]);
            compare_sets(&fx, text);
            hf_rule_free(&fx.rule);
            n_compared++;
        }
        fixture_close(&fx);
    }
    assert_true(n_compared > 100);
}

static void assert_by_stretches(fixture *fx) {
    const hf_mark mark = hf_scratch_mark(fx->cx);
    hf_fault_set none;
    hf_plan plan;
    hf_destinations to;
    hf_stretches x;
    fixture_plan(fx, "", &none, &plan);
    fixture_ok(fx, hf_destinations_make(fx->cx, &plan, true, &to));
    fixture_ok(fx, hf_stretches_make(fx->cx, &plan, &to, &x));
    assert_true(x.n_block > 1);
    hf_scratch_reset(fx->cx, mark);
}

/* Dimension order gives an order of its own, in which long stretches are followed by the ends of runs. */
static void follows_dimension_order_with_its_options(void **state) {
    (void)state;
    static const struct {
        const char *spec;
        size_t n_rule; /* of the first of them it takes so many */
    } grids[] = {{"torus:dims=4x4,terminals=2", 6},
                 {"torus:dims=6x3", 6},
                 {"torus:dims=4x4x4", 6},
                 {"torus:dims=10x8", 6},
                 {"mesh:dims=5x4", 6},
                 {"ring:n=12,terminals=3", 6},
                 {"hypercube:n=4", 6},
                 {"hyperx:dims=4x3x2", 2}};
    static const char *const rules[] = {"dor:ties=both",
                                        "dor:ties=plus,vcs=3",
                                        "dor:vcs=2,dateline=yes",
                                        "dor:vcs=2,dateline=yes,classes=plain",
                                        "dor:vcs=2,dateline=yes,classes=crossing,ties=both",
                                        "dor:vcs=4,dateline=yes,ties=plus"};
    for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
        fixture fx;
        fixture_open(&fx, grids[i].spec, i % 2 ? "terminal-links" : "links+switches", NULL);
        for (size_t r = 0; r < sizeof rules / sizeof *rules; r += share_step()) {
            const bool takes = hf_rule_init(fx.cx, rules[r], fx.topo, &fx.rule) == HF_OK;
            assert_int_equal(takes, r < grids[i].n_rule);
            if (takes) {
                assert_by_stretches(&fx);
                compare_sets(&fx, fx.rule.spec);
                hf_rule_free(&fx.rule);
            }
        }
        fixture_close(&fx);
    }
}

/* Rules that give their relation in bits: with several blocks of rows, several terminals on a switch and on several switches. */
static void follows_bits_as_lanes(void **state) {
    (void)state;
    static const char *const specs[] = {"random-regular:n=600,degree=5", "mesh:dims=5x5,terminals=3", "kary-tree:k=3,n=3",
                                        "rails:hosts=3,accelerators=3,planes=2,spines=2"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        fixture fx;
        fixture_open(&fx, specs[i], "links", "updown-graph");
        for (uint32_t f = 0; f < 4; f++) {
            const hf_mark mark = hf_scratch_mark(fx.cx);
            hf_fault_set set;
            hf_plan plan;
            hf_destinations to;
            hf_dependency bits, lanes;
            fixture_plan_drawn(&fx, f, 33, f, &set, &plan);
            fixture_ok(&fx, hf_destinations_make(fx.cx, &plan, true, &to));
            assert_true(hf_flood_applies(&plan, &to));
            hf_likeness mute = *hf_likeness_of(&plan);
            mute.offered = NULL;
            fixture_ok(&fx, hf_dependency_unions(fx.cx, &plan, 1 + f % 3, &bits));
            plan.likeness = &mute;
            fixture_ok(&fx, hf_dependency_unions(fx.cx, &plan, 1, &lanes));
            assert_memory_equal(bits.all, lanes.all, (size_t)bits.n_resource * bits.words * sizeof *bits.all);
            assert_memory_equal(bits.used, lanes.used, hf_words(bits.n_resource) * sizeof *bits.used);
            assert_int_equal(bits.stuck.destination, lanes.stuck.destination);
            assert_int_equal(bits.stuck.source, lanes.stuck.source);
            hf_scratch_reset(fx.cx, mark);
        }
        fixture_close(&fx);
    }
}

/* ---- random relations ---- */

typedef struct dice {
    uint64_t seed;
    uint32_t arrivals, runs, tags, odds; /* kinds of arrivals; lengths of runs; tags; one hop in so many */
    uint32_t unit, step; /* terminals that stay together; 0, or units stand so far apart in an order of the rule's own */
    bool by_switch;
} dice;

static uint64_t mix(uint64_t x) {
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static uint32_t dice_arrival(const hf_plan *plan, hf_hop in) {
    const dice *d = plan->state;
    return (uint32_t)(mix(d->seed + in.channel * 64u + in.vc * 8u + in.tag) % d->arrivals);
}

/* The end of the run of a destination: those that may not be alike are each by itself. */
static uint32_t dice_run(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination) {
    const dice *d = plan->state;
    (void)in;
    return at % 2 || d->step ? destination + 1 : (destination / d->runs + 1) * d->runs;
}

/* Place of a terminal in the rule's order. */
static uint32_t dice_place(const hf_plan *plan, uint32_t t) {
    const dice *d = plan->state;
    return d->step ? t / d->unit * d->step % (plan->topo->n_terminal / d->unit) * d->unit + t % d->unit : t;
}

static void dice_order(const hf_plan *plan, uint32_t *terminals) {
    for (uint32_t t = 0; t < plan->topo->n_terminal; t++) {
        terminals[dice_place(plan, t)] = t;
    }
}

static uint32_t dice_along(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination) {
    const dice *d = plan->state;
    (void)in;
    return at % 2 ? 1 : d->runs - dice_place(plan, destination) % d->runs;
}

static uint32_t divisor(uint32_t a, uint32_t b) { return b ? divisor(b, a % b) : a; }

/* So far apart that every place is taken once. */
static uint32_t draw_step(hf_random *random, uint32_t units) {
    uint32_t step;
    do {
        step = 1 + (uint32_t)hf_random_below(random, units);
    } while (divisor(step, units) != 1);
    return step;
}

static bool is_near(const hf_topology *topo, uint32_t at, uint32_t sw) {
    return at == sw || (hf_topology_is_terminal(topo, at) && topo->terminal_switch[at - topo->n_switch] == sw);
}

/* What stands for a destination: the first of its run, and where rules go by switches, the first of its switch. */
static uint32_t stand_in(const hf_plan *plan, uint32_t at, uint32_t destination) {
    const dice *d = plan->state;
    const hf_topology *topo = plan->topo;
    const uint32_t place = dice_place(plan, destination);
    uint32_t first = at % 2 ? place : place / d->runs * d->runs;
    if (d->by_switch && !is_near(topo, at, topo->from[topo->in_list[topo->in_begin[topo->n_switch + destination]]])) {
        const uint32_t p = topo->n_terminal / topo->n_switch;
        first = p ? destination / p * p : destination;
    }
    return first;
}

static size_t dice_route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    const dice *d = plan->state;
    const hf_topology *topo = plan->topo;
    const uint64_t from = in.channel == HF_NONE ? 99 : dice_arrival(plan, in);
    uint64_t x = mix(d->seed ^ mix(at * UINT64_C(1000003) + stand_in(plan, at, destination)) ^ from << 40);
    size_t n = 0;
    for (uint32_t i = topo->out_begin[at]; i < topo->out_begin[at + 1]; i++) {
        for (uint32_t vc = 0; vc < plan->n_vc; vc++) {
            x = mix(x + i * 7u + vc);
            if (x % d->odds == 0) {
                hops[n++] = (hf_hop){topo->out_list[i], vc, (uint32_t)(x >> 20) % d->tags};
            }
        }
    }
    return n;
}

/* With terminals by switch, runs are single where they would cross what a switch has in common. */
static void compare_dice(fixture *fx, uint64_t seed, hf_random *random) {
    hf_fault_set set;
    hf_plan plan;
    char text[200];
    uint32_t component[3];
    const uint32_t m = fx->universe->n_component, f = (uint32_t)hf_random_below(random, m < 3 ? m + 1 : 4);
    const uint32_t p = fx->topo->n_terminal / fx->topo->n_switch;
    const bool by_switch = p > 0 && hf_random_below(random, 2);
    dice d = {.seed = mix(seed),
              .arrivals = 1 + (uint32_t)hf_random_below(random, 4),
              .runs = by_switch ? 1 : 1 + (uint32_t)hf_random_below(random, 5),
              .tags = 1 + (uint32_t)hf_random_below(random, 3),
              .odds = 1 + (uint32_t)hf_random_below(random, 4),
              .by_switch = by_switch};
    d.unit = p ? p : 1;
    d.step = hf_random_below(random, 2) ? draw_step(random, fx->topo->n_terminal / d.unit) : 0;
    const hf_likeness likeness = {.by_switch = by_switch,
                                  .arrival = dice_arrival,
                                  .run = dice_run,
                                  .order = d.step ? dice_order : NULL,
                                  .along = d.step ? dice_along : NULL};
    uint64_t live[8] = {0};
    hf_random_subset(random, m, f, component);
    fixture_plan_set(fx, component, f, &set, &plan);
    hf_routing routing = *plan.routing;
    routing.route = dice_route;
    routing.likeness = &likeness;
    plan.routing = &routing;
    plan.state = &d;
    plan.n_vc = 1 + (uint32_t)hf_random_below(random, 2);
    plan.max_hops = 64;
    for (uint32_t t = 0; t < fx->topo->n_terminal; t++) {
        live[t / 64] |= (uint64_t)(hf_random_below(random, 8) > 0) << t % 64;
    }
    plan.live = hf_random_below(random, 2) ? live : NULL;
    snprintf(text, sizeof text, "dice on %s, seed %llu", fx->topo->spec, (unsigned long long)seed);
    if (!has_many_slots(&plan)) {
        compare(fx, &plan, text);
    }
}

static const char *const tables[] = {"mesh:dims=3x3",
                                     "mesh:dims=2x3,terminals=3",
                                     "ring:n=2,terminals=4",
                                     "torus:dims=3x3",
                                     "hypercube:n=3,terminals=2",
                                     "butterfly:k=2,n=3",
                                     "omega:k=2,n=3",
                                     "complete:n=1,terminals=4",
                                     "ring:n=70",
                                     "complete:n=3,terminals=2",
                                     "mesh:dims=12x12"};

static void follows_random_relations_as_the_slow_twin(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        fixture fx;
        fixture_open(&fx, tables[i], i % 2 ? "links+switches" : "terminal-links", "minimal");
        const uint64_t n = fx.topo->n_terminal > 60 ? 4 : 60;
        for (uint64_t seed = 0; seed < n; seed += share_step()) {
            const hf_mark mark = hf_scratch_mark(fx.cx);
            hf_random random;
            hf_random_init(&random, seed, HF_PURPOSE_TEST, 32 + i);
            compare_dice(&fx, seed, &random);
            hf_scratch_reset(fx.cx, mark);
        }
        fixture_close(&fx);
    }
}

/* ---- a rule that breaks its contract ---- */

/* Straight round the ring; wrong for t66 at switch 3, and for t5 and t9 next to them. */
static size_t broken_route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    const hf_topology *topo = plan->topo;
    const uint32_t goal = topo->n_switch + destination;
    const bool is_wrong = at == 3 ? destination == 66 : at == destination + 1 && (destination == 5 || destination == 9);
    const bool is_there = hf_topology_is_terminal(topo, at) || at == topo->terminal_switch[destination];
    (void)in;
    for (uint32_t i = topo->out_begin[at]; i < topo->out_begin[at + 1]; i++) {
        const uint32_t c = topo->out_list[i], to = topo->to[c];
        if (is_there ? to == goal || hf_topology_is_terminal(topo, at) : to == (at + topo->n_switch - 1) % topo->n_switch) {
            hops[0] = (hf_hop){c, is_wrong ? 7 : 0, 0};
            return 1;
        }
    }
    return 0;
}

static void last_first(const hf_plan *plan, uint32_t *terminals) {
    for (uint32_t t = 0; t < plan->topo->n_terminal; t++) {
        terminals[t] = plan->topo->n_terminal - 1 - t;
    }
}

static uint32_t each_alone(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination) {
    (void)plan, (void)at, (void)in, (void)destination;
    return 1;
}

static void names_the_lowest_breach(void **state) {
    (void)state;
    static const hf_likeness ordered = {.order = last_first, .along = each_alone};
    for (uint32_t i = 0; i < 6; i++) {
        const uint32_t threads = 1 + i / 2;
        fixture fx;
        hf_fault_set none;
        hf_plan plan;
        hf_dependency d;
        fixture_open(&fx, "ring:n=140", NULL, "dor");
        fixture_plan(&fx, "", &none, &plan);
        hf_routing broken = *plan.routing;
        broken.route = broken_route;
        broken.likeness = i % 2 ? &ordered : NULL;
        plan.routing = &broken;
        for (int unions = 0; unions < 2; unions++) {
            hf_status (*const make)(hf_context *, const hf_plan *, uint32_t, hf_dependency *) =
                unions ? hf_dependency_unions : hf_dependency_make;
            assert_int_equal(make(fx.cx, &plan, threads, &d), HF_EINVAL);
            assert_non_null(strstr(hf_context_message(fx.cx), "route() at s6"));
            assert_non_null(strstr(hf_context_message(fx.cx), "for t5"));
        }
        fixture_close(&fx);
    }
}

/* Of many destinations the first do for a cycle: what is decided is what all of them give. A rule that claims to have none has
 * all of them followed. */
static void first_bits_are_some_of_all(void **state) {
    (void)state;
    fixture fx;
    hf_fault_set none;
    hf_plan plan;
    hf_dependency some, all;
    bool any;
    uint64_t fewer = 0;
    fixture_open(&fx, "random-regular:n=2100,degree=4", NULL, "updown-graph");
    fixture_plan(&fx, "", &none, &plan);
    hf_likeness mute = *hf_likeness_of(&plan);
    fixture_ok(&fx, hf_dependency_first_unions(fx.cx, &plan, 2, &some, &any));
    fixture_ok(&fx, hf_dependency_unions(fx.cx, &plan, 2, &all));
    assert_true(any);
    for (size_t i = 0; i < (size_t)all.n_resource * all.words; i++) {
        assert_int_equal(some.all[i] & ~all.all[i], 0);
        fewer += some.all[i] != all.all[i];
    }
    assert_true(fewer > 0);
    mute.offered = NULL;
    plan.likeness = &mute;
    fixture_ok(&fx, hf_dependency_first_unions(fx.cx, &plan, 2, &all, &any));
    assert_memory_equal(some.all, all.all, (size_t)all.n_resource * all.words * sizeof *all.all);
    assert_memory_equal(some.used, all.used, hf_words(all.n_resource) * sizeof *all.used);
    fixture_close(&fx);
}

static void decides_alike_from_the_first_destinations(void **state) {
    (void)state;
    fixture fx;
    hf_fault_set none;
    hf_plan plan;
    hf_dependency some, all;
    hf_deadlock early, late;
    bool any;
    fixture_open(&fx, "torus:dims=46x46", NULL, "dor");
    fixture_plan(&fx, "", &none, &plan);
    fixture_ok(&fx, hf_dependency_first_unions(fx.cx, &plan, 2, &some, &any));
    fixture_ok(&fx, hf_dependency_unions(fx.cx, &plan, 2, &all));
    assert_true(any);
    uint64_t fewer = 0;
    for (size_t i = 0; i < (size_t)all.n_resource * all.words; i++) {
        assert_int_equal(some.all[i] & ~all.all[i], 0);
        fewer += some.all[i] != all.all[i];
    }
    assert_true(fewer > 0);
    const hf_deadlock_options options = {.want_witness = true};
    hf_routing boastful = *plan.routing;
    boastful.traits |= HF_ROUTING_ACYCLIC;
    fixture_ok(&fx, hf_deadlock_decide(fx.cx, &plan, &options, &early));
    plan.routing = &boastful;
    fixture_ok(&fx, hf_deadlock_decide(fx.cx, &plan, &options, &late));
    assert_int_equal(early.answer, HF_DEADLOCK_FOUND);
    assert_int_equal(early.answer, late.answer);
    assert_int_equal(early.n_used, late.n_used);
    assert_int_equal(early.n_dependency, late.n_dependency);
    assert_int_equal(early.girth, late.girth);
    assert_memory_equal(early.number, late.number, early.n_resource * sizeof *early.number);
    assert_int_equal(early.n_blocked, late.n_blocked);
    for (uint32_t i = 0; i < early.n_blocked; i++) {
        assert_int_equal(early.blocked[i].hold[0], late.blocked[i].hold[0]);
        assert_int_equal(early.blocked[i].source, late.blocked[i].source);
        assert_int_equal(early.blocked[i].destination, late.blocked[i].destination);
        assert_int_equal(early.blocked[i].n_path, late.blocked[i].n_path);
        assert_memory_equal(early.blocked[i].path, late.blocked[i].path, early.blocked[i].n_path * sizeof *early.blocked[i].path);
        assert_int_equal(early.blocked[i].n_wait, late.blocked[i].n_wait);
        assert_memory_equal(early.blocked[i].wait, late.blocked[i].wait, early.blocked[i].n_wait * sizeof *early.blocked[i].wait);
    }
    fixture_close(&fx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(follows_rules_as_the_slow_twin),
        cmocka_unit_test(follows_dimension_order_with_its_options),
        cmocka_unit_test(follows_bits_as_lanes),
        cmocka_unit_test(first_bits_are_some_of_all),
        cmocka_unit_test(follows_random_relations_as_the_slow_twin),
        cmocka_unit_test(names_the_lowest_breach),
        cmocka_unit_test(decides_alike_from_the_first_destinations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
