/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Routing round solid faults [chalasani1996]: the way of figure 4 with its virtual channels, sums of lengths over all valid
 *  sets, lemma 1 over them, the reading of rule 4 that fails, planes and virtual channels of three dimensions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/analysis/deadlock.h>
#include <holdfast/core/combination.h>
#include <holdfast/core/random.h>
#include <holdfast/format.h>

#include "src/analysis/tolerance/sacrifice.h"
#include "src/routing/solid/route.h"
#include "tests/oracle/fixture.h"
#include "tests/support/failing.h"
#include "tests/support/share.h"

enum { HOPS = 256 };

/* Virtual channels offered on the way from `from` to `to`, and the hop taken on the lowest of them. */
static unsigned offered(const hf_plan *plan, uint32_t from, uint32_t to, uint32_t destination, hf_hop *in) {
    hf_hop hops[HOPS], taken = HF_HOP_INJECTION;
    unsigned vcs = 0;
    assert_true(plan->max_hops <= HOPS);
    const size_t n = hf_plan_route(plan, from, *in, destination, hops);
    for (size_t i = n; i-- > 0;) {
        if (plan->topo->to[hops[i].channel] == to) {
            vcs |= 1u << hops[i].vc;
            taken = hops[i];
        }
    }
    *in = taken;
    return vcs;
}

/* A way of n switches; \param[in] vcs sets of virtual channels, one a hop */
static void check_way(const char *rule, const char *faults, const uint32_t *way, uint32_t n, const unsigned *vcs) {
    fixture fx;
    hf_fault_set set;
    hf_plan plan;
    fixture_open(&fx, "mesh:dims=6x6", NULL, rule);
    fixture_plan(&fx, faults, &set, &plan);
    hf_hop in = HF_HOP_INJECTION;
    const uint32_t destination = way[n - 1];
    assert_int_not_equal(offered(&plan, fx.topo->n_switch + way[0], way[0], destination, &in), 0);
    for (uint32_t i = 0; i + 1 < n; i++) {
        assert_int_equal(offered(&plan, way[i], way[i + 1], destination, &in), vcs[i]);
    }
    fixture_close(&fx);
}

/* Figure 4's faults are not listed; these fit every remark of the text. */
static void figure_4(void **state) {
    (void)state;
    static const uint32_t way[] = {18, 19, 25, 26, 27, 28, 22, 23, 29};
    static const unsigned vcs[] = {2, 2, 2, 2, 0xf, 2, 2, 4}, own[] = {2, 2, 2, 2, 2, 2, 2, 4};
    static const unsigned adaptive[] = {2, 2, 2, 2, 0xf, 2, 2, 4};
    const char *faults = "s13:2,s20,s28:0";
    check_way("solid-fault", faults, way, 9, vcs);
    check_way("solid-fault:rule4=no-u-turn", faults, way, 9, vcs);
    check_way("solid-fault:rule4=sticky", faults, way, 9, vcs);
    check_way("solid-fault:base-vc=own", faults, way, 9, own);
    check_way("solid-fault-adaptive", faults, way, 9, adaptive);
}

/* Figure 7's faults are not listed either; two links fit its channels: a message from (1,1) to (4,5) has specific ones on
 * (1,1)-(1,2), (3,4)-(3,5) and (3,5)-(4,5), for its other hops those of the adaptive algorithm. */
static void figure_7(void **state) {
    (void)state;
    static const uint32_t way[] = {7, 8, 9, 15, 21, 22, 23, 29};
    static const unsigned vcs[] = {2, 0xf, 0xe, 0xe, 0xf, 2, 4};
    check_way("solid-fault-adaptive", "s7:2,s28:0", way, 8, vcs);
}

/* Adaptive hops leave out the rings, and c0 is for the e-cube hop: around node (2,2) of a 6x6 mesh, from (0,0). */
static void adaptive_hops(void **state) {
    (void)state;
    static const uint32_t straight[] = {0, 1, 2, 3, 4, 10}, aside[] = {0, 6};
    static const unsigned vcs[] = {0xf, 0xf, 0xf, 0xf, 0xe};
    check_way("solid-fault-adaptive", "s14", straight, 5, vcs);
    fixture fx;
    hf_fault_set set;
    hf_plan plan;
    fixture_open(&fx, "mesh:dims=6x6", NULL, "solid-fault-adaptive");
    fixture_plan(&fx, "s14", &set, &plan);
    hf_hop in = HF_HOP_INJECTION;
    (void)offered(&plan, 36, 0, 35, &in);
    assert_int_equal(offered(&plan, aside[0], aside[1], 35, &in), 0xe);
    assert_int_equal(offered(&plan, 6, 7, 35, &in), 0xf);
    hf_hop at_ring = in;
    assert_int_equal(offered(&plan, 7, 13, 35, &at_ring), 0); /* (1,1) to (2,1) is on the ring */
    assert_int_equal(offered(&plan, 7, 8, 35, &in), 2);       /* so is its e-cube hop */
    fixture_close(&fx);
}

typedef struct sums {
    uint64_t covered, pairs, shortest, longest, longest_path, bad, cyclic;
} sums;

static void add_set(fixture *fx, const uint32_t *component, uint32_t f, sums *out) {
    hf_fault_set set;
    hf_plan plan;
    hf_measure measure = {0};
    hf_deadlock found;
    const hf_deadlock_options options = {.threads = 1};
    fixture_plan_set(fx, component, f, &set, &plan);
    fixture_ok(fx, hf_measures_of(plan.routing)->measure(fx->cx, &plan, &measure));
    if (measure.outcome != HF_SOLID_COVERED) {
        assert_true(hf_plan_is_empty(&plan));
        return;
    }
    const uint64_t live = hf_plan_live(&plan);
    fixture_ok(fx, hf_deadlock_decide(fx->cx, &plan, &options, &found));
    out->covered++;
    out->bad += measure.extra[3] != live * (live - 1) || !found.is_connected; /* a pair that is not delivered */
    out->cyclic += found.answer != HF_DEADLOCK_FREE || (found.method != HF_METHOD_ACYCLIC && !plan.routing->escape);
    out->pairs += measure.extra[3];
    out->shortest += measure.extra[5];
    out->longest += measure.extra[6];
    out->longest_path = measure.extra[7] > out->longest_path ? measure.extra[7] : out->longest_path;
}

static sums over_all(const char *topo, const char *universe, const char *rule, uint32_t f) {
    fixture fx;
    uint32_t component[8];
    sums out = {0};
    fixture_open(&fx, topo, universe, rule);
    const uint32_t m = fx.universe->n_component;
    hf_lex_unrank(m, f, 0, component);
    for (bool more = true; more; more = hf_lex_next(m, f, component, NULL)) {
        const hf_mark mark = hf_scratch_mark(fx.cx);
        add_set(&fx, component, f, &out);
        hf_scratch_reset(fx.cx, mark);
    }
    fixture_close(&fx);
    return out;
}

static void lengths(void **state) {
    (void)state;
    static const struct {
        const char *universe;
        uint32_t f;
        uint64_t pairs, shortest, longest, longest_path;
    } rows[] = {
        {"switches", 2, 11132, 42512, 43696, 12},
        {"switches", 3, 21840, 92728, 97200, 15},
        {"links", 2, 106800, 378564, 380732, 11},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const sums found = over_all("mesh:dims=5x5", rows[i].universe, "solid-fault", rows[i].f);
        assert_int_equal(found.pairs, rows[i].pairs);
        assert_int_equal(found.shortest, rows[i].shortest);
        assert_int_equal(found.longest, rows[i].longest);
        assert_int_equal(found.longest_path, rows[i].longest_path);
    }
}

/* Every valid set is delivered without a cycle of dependencies, whatever the paper leaves open, but for one reading. */
static void lemma_1(void **state) {
    (void)state;
    static const char *const rules[] = {"solid-fault",
                                        "solid-fault:reset=yes",
                                        "solid-fault:base-vc=own",
                                        "solid-fault:rule4=no-u-turn",
                                        "solid-fault:rule4=no-u-turn,reset=yes",
                                        "solid-fault-adaptive",
                                        "solid-fault-adaptive:rule4=no-u-turn,reset=yes"};
    static const uint64_t nodes[] = {9, 22, 48}, links[] = {24, 178};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i += share_step()) {
        for (uint32_t f = 1; f <= 3; f++) {
            const sums found = over_all("mesh:dims=5x5", "switches", rules[i], f);
            assert_int_equal(found.covered, nodes[f - 1]);
            assert_int_equal(found.bad + found.cyclic, 0);
        }
        for (uint32_t f = 1; f <= 2; f++) {
            const sums found = over_all("mesh:dims=5x5", "links", rules[i], f);
            assert_int_equal(found.covered, links[f - 1]);
            assert_int_equal(found.bad + found.cyclic, 0);
        }
    }
}

static void sticky_fails_at_concave_corners(void **state) {
    (void)state;
    static const uint64_t wrong[] = {0, 8, 42};
    for (uint32_t f = 1; f <= 3; f++) {
        const sums found = over_all("mesh:dims=5x5", "switches", "solid-fault:rule4=sticky", f);
        assert_int_equal(found.bad, wrong[f - 1]);
        assert_int_equal(found.cyclic, wrong[f - 1]);
    }
    const sums blocks = over_all("mesh:dims=5x5", "switches", "block-fault", 3);
    assert_int_equal(blocks.covered, 6);
    assert_int_equal(blocks.bad + blocks.cyclic, 0);
}

static void three_dimensions(void **state) {
    (void)state;
    static const char *const rules[] = {"solid-fault", "solid-fault-adaptive", "solid-fault:rule4=no-u-turn", "block-fault"};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i += share_step()) {
        const sums nodes = over_all("mesh:dims=4x4x4", "switches", rules[i], 1);
        assert_int_equal(nodes.covered, 8);
        assert_int_equal(nodes.bad + nodes.cyclic, 0);
        const sums links = over_all("mesh:dims=4x4x4", "links", rules[i], 1);
        assert_int_equal(links.covered, 36);
        assert_int_equal(links.bad + links.cyclic, 0);
    }
}

/* All sets of the nodes `inside`, each made of bits. */
static sums over_inside(const char *topo, const char *rule, const uint32_t *inside, uint32_t n) {
    fixture fx;
    sums out = {0};
    fixture_open(&fx, topo, "switches", rule);
    for (uint32_t bits = 1; bits < 1u << n; bits++) {
        const hf_mark mark = hf_scratch_mark(fx.cx);
        uint32_t component[16], f = 0;
        for (uint32_t i = 0; i < n; i++) {
            component[f] = inside[i];
            f += bits >> i & 1;
        }
        add_set(&fx, component, f, &out);
        hf_scratch_reset(fx.cx, mark);
    }
    fixture_close(&fx);
    return out;
}

/* Every covered set of nodes of two meshes, of whatever size: a node on the boundary is covered in none, so it is made of those
 * inside. */
static void every_covered_set(void **state) {
    (void)state;
    static const uint32_t flat[] = {6, 7, 8, 11, 12, 13, 16, 17, 18}, solid[] = {21, 22, 25, 26, 37, 38, 41, 42};
    static const char *const rules[] = {"solid-fault", "solid-fault-adaptive"};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i += share_step()) {
        const sums two = over_inside("mesh:dims=5x5", rules[i], flat, 9),
                   three = over_inside("mesh:dims=4x4x4", rules[i], solid, 8);
        assert_int_equal(two.covered, 390);
        assert_int_equal(two.bad + two.cyclic, 0);
        assert_int_equal(three.covered, 255);
        assert_int_equal(three.bad + three.cyclic, 0);
    }
    assert_int_equal(over_all("mesh:dims=5x5", "switches", "solid-fault", 1).covered, 9);
    assert_int_equal(over_all("mesh:dims=4x4x4", "switches", "solid-fault", 1).covered, 8);
}

/* Repaired sets are covered, and routed in what is left of the mesh. */
static void repaired_sets(void **state) {
    (void)state;
    const sums a = over_all("mesh:dims=5x5", "switches", "solid-fault:repair=appendix-a", 2);
    assert_int_equal(a.covered, 300);
    assert_int_equal(a.bad + a.cyclic, 0);
    const sums b = over_all("mesh:dims=5x5", "links", "solid-fault:repair=completed", 2);
    assert_int_equal(b.covered, 780);
    assert_int_equal(b.bad + b.cyclic, 0);
    const sums c = over_all("mesh:dims=4x4x4", "switches", "solid-fault:repair=appendix-a", 1);
    assert_int_equal(c.covered, 64);
    assert_int_equal(c.bad + c.cyclic, 0);
    const sums d = over_all("mesh:dims=4x4x4", "links", "solid-fault:repair=completed", 1);
    assert_int_equal(d.covered, 144);
    assert_int_equal(d.bad + d.cyclic, 0);
}

/* Section 5: every covered set of a torus, too; with overlapping f-rings, and f-chains at the boundary of a mesh. */
static void section_5(void **state) {
    (void)state;
    static const struct {
        const char *topo, *universe, *rule;
        uint32_t f;
        uint64_t covered;
    } rows[] = {
        {"torus:dims=5x5", "switches", "solid-fault", 1, 25},
        {"torus:dims=5x5", "switches", "solid-fault", 2, 150},
        {"torus:dims=5x5", "switches", "solid-fault", 3, 650},
        {"torus:dims=5x5", "links", "solid-fault", 2, 825},
        {"torus:dims=5x5", "switches", "solid-fault:rule4=no-u-turn,reset=yes,base-vc=own", 3, 650},
        {"torus:dims=5x5", "switches", "solid-fault-adaptive", 2, 150},
        {"torus:dims=5x5", "links", "solid-fault-adaptive", 1, 50},
        {"torus:dims=5x5", "links", "block-fault", 2, 725},
        {"torus:dims=4x6", "switches", "solid-fault", 2, 168},
        {"torus:dims=3x3", "links+switches", "solid-fault-adaptive", 2, 81},
        {"torus:dims=2x6", "links+switches", "solid-fault", 2, 9},
        {"torus:dims=3x5x4", "switches", "solid-fault", 1, 60},
        {"torus:dims=5x5", "switches", "solid-fault:rings=overlapping", 2, 300},
        {"mesh:dims=6x6", "switches", "solid-fault:rings=overlapping", 2, 120},
        {"mesh:dims=5x5", "switches", "solid-fault:rings=any", 1, 25},
        {"mesh:dims=5x5", "switches", "solid-fault:rings=any", 2, 300},
        {"mesh:dims=5x5", "switches", "solid-fault:rings=any", 3, 2288}, /* 12 leave two parts */
        {"mesh:dims=5x5", "links", "solid-fault:rings=any", 1, 40},
        {"mesh:dims=5x5", "links", "solid-fault:rings=any", 2, 780},
        {"mesh:dims=5x5", "switches", "solid-fault:rings=any,rule4=no-u-turn,reset=yes,base-vc=own", 2, 300},
        {"mesh:dims=5x5", "switches", "solid-fault:rings=chains", 2, 242},
        {"mesh:dims=5x5", "switches", "block-fault:rings=any", 2, 264},
        {"mesh:dims=5x5", "links", "block-fault:rings=any", 2, 744},
        {"mesh:dims=5x5", "switches", "solid-fault-adaptive:rings=any", 1, 25},
        {"mesh:dims=4x4", "links+switches", "solid-fault-adaptive:rings=any", 2, 780},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i += share_step()) {
        const sums found = over_all(rows[i].topo, rows[i].universe, rows[i].rule, rows[i].f);
        if (found.covered != rows[i].covered || found.bad + found.cyclic > 0) {
            print_error("%s, %s, f=%u\n", rows[i].topo, rows[i].rule, rows[i].f);
        }
        assert_int_equal(found.covered, rows[i].covered);
        assert_int_equal(found.bad + found.cyclic, 0);
    }
}

/* With the channels of others, messages that turn at the end of an f-chain wait for each other; where both ends are at one side
 * of the mesh, also as rule 4 forbids to turn back. */
static void turned_messages_need_channels(void **state) {
    (void)state;
    assert_int_equal(over_all("mesh:dims=5x5", "switches", "solid-fault:rings=any,turned-vcs=no", 2).cyclic, 4);
    static const char *const rules[] = {"solid-fault:rings=any,rule4=no-u-turn,turned-vcs=no",
                                        "solid-fault:rings=any,rule4=no-u-turn"};
    for (size_t i = 0; i < 2; i++) {
        fixture fx;
        hf_fault_set set;
        hf_plan plan;
        hf_deadlock found;
        const hf_deadlock_options options = {.threads = 1};
        fixture_open(&fx, "mesh:dims=5x5", NULL, rules[i]);
        fixture_plan(&fx, "s2,s7,s11,s13", &set, &plan);
        fixture_ok(&fx, hf_deadlock_decide(fx.cx, &plan, &options, &found));
        assert_int_equal(found.answer, i ? HF_DEADLOCK_FREE : HF_DEADLOCK_FOUND);
        assert_int_equal(plan.n_vc, i ? 8 : 4);
        fixture_close(&fx);
    }
}

/* The classes along a ring of six: before the link that closes it c0..c3, then c4..c7, which others take all the way; on an
 * f-ring the channel of the type in its class. \param[in] way of four switches */
static void check_classes(const char *faults, const uint32_t way[4], unsigned a, unsigned b, unsigned c) {
    fixture fx;
    hf_fault_set set;
    hf_plan plan;
    hf_hop in = HF_HOP_INJECTION;
    fixture_open(&fx, "torus:dims=6x6", NULL, "solid-fault");
    fixture_plan(&fx, faults, &set, &plan);
    assert_int_equal(plan.n_vc, 8);
    (void)offered(&plan, 36 + way[0], way[0], way[3], &in);
    assert_int_equal(offered(&plan, way[0], way[1], way[3], &in), a);
    assert_int_equal(offered(&plan, way[1], way[2], way[3], &in), b);
    assert_int_equal(offered(&plan, way[2], way[3], way[3], &in), c);
    fixture_close(&fx);
}

static void classes_of_tori(void **state) {
    (void)state;
    check_classes("", (uint32_t[]){10, 11, 6, 7}, 0xf, 0xf, 0xf0);
    check_classes("", (uint32_t[]){0, 1, 2, 8}, 0xf0, 0xf0, 0xf0);
    check_classes("", (uint32_t[]){1, 0, 5, 35}, 0xf, 0xf, 0xf);
    check_classes("s12", (uint32_t[]){10, 11, 6, 7}, 0xf, 2, 0x20);  /* over the ring of (2,0), East across the dateline */
    check_classes("s6", (uint32_t[]){25, 31, 1, 7}, 0xf, 0xf, 0x40); /* South, then beside the ring of (1,0) */
}

/* Regions that are closed by the torus into a circle of one above the next, each solid and their rings apart, let column messages
 * wait in a circle: the order of f-rings that lemma 1 has in meshes is none in tori. */
static void tori_can_deadlock(void **state) {
    (void)state;
    static const char two[] = "s1:2,s2:2,s3:2,s10:0,s20:0,s28:2,s29:2,s20:2,s6:2,s7:2,s8:2,s15:0,s25:0,s23:2,s24:2,s25:2";
    static const char one[] = "s1:2,s2:2,s3:2,s10:0,s20:0,s28:2,s29:2,s20:2";
    static const char *const rules[] = {"solid-fault", "solid-fault-adaptive",
                                        "solid-fault:rule4=no-u-turn,reset=yes,base-vc=own"};
    for (size_t i = 0; i < 6; i++) {
        fixture fx;
        hf_fault_set set;
        hf_plan plan;
        hf_deadlock found;
        const hf_deadlock_options options = {.threads = 1};
        fixture_open(&fx, "torus:dims=6x10", NULL, rules[i / 2]);
        fixture_plan(&fx, i % 2 ? two : one, &set, &plan);
        assert_int_equal(hf_plan_live(&plan), 60);
        fixture_ok(&fx, hf_deadlock_decide(fx.cx, &plan, &options, &found));
        assert_true(found.is_connected);
        assert_int_equal(found.answer, i % 2 ? HF_DEADLOCK_FOUND : HF_DEADLOCK_FREE);
        fixture_close(&fx);
    }
}

static void bad_input(void **state) {
    (void)state;
    static const struct {
        const char *topo, *rule, *says;
    } cases[] = {
        {"hypercube:n=4", "solid-fault", "meshes and tori of two or more dimensions"},
        {"complete:n=4", "solid-fault-adaptive", "meshes and tori of two or more dimensions"},
        {"torus:dims=7", "block-fault", "meshes and tori of two or more dimensions"},
        {"torus:dims=4x4", "solid-fault:rings=chains", "f-chains are at the boundary of a mesh"},
        {"torus:dims=4x4x4", "solid-fault-adaptive:rings=any,sidesteps=yes", "is for meshes, not for"},
        {"torus:dims=4x4", "block-fault:rings=any", "f-chains are at the boundary of a mesh"},
        {"torus:dims=4x4", "solid-fault-adaptive:repair=completed", "is for meshes"},
        {"torus:dims=4x4x4", "solid-fault:repair=appendix-a", "is for meshes, as appendix A is"},
        {"mesh:dims=4x4", "solid-fault:rule4=clockwise", "last-hop"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture fx;
        hf_rule rule;
        fixture_open(&fx, cases[i].topo, NULL, NULL);
        assert_int_equal(hf_rule_init(fx.cx, cases[i].rule, fx.topo, &rule), HF_EINVAL);
        if (!strstr(hf_context_message(fx.cx), cases[i].says)) {
            print_error("%s\n", hf_context_message(fx.cx));
            fail();
        }
        fixture_close(&fx);
    }
}

static hf_status use_rule(hf_context *cx, void *user) {
    const char *spec = user;
    hf_topology *topo = NULL;
    hf_universe *universe = NULL;
    hf_rule rule = {0};
    hf_judge *judge = NULL;
    hf_fault_set set;
    hf_plan plan;
    hf_measure measure;
    hf_sacrifice fewest;
    hf_text text;
    hf_marks marks = {0};
    hf_status status;
    hf_text_init(cx, &text);
    HF_TRY_DONE(hf_topology_new(cx, "mesh:dims=5x5", &topo));
    HF_TRY_DONE(hf_universe_new(cx, topo, "switches", NULL, &universe));
    HF_TRY_DONE(hf_rule_init(cx, spec, topo, &rule));
    HF_TRY_DONE(hf_fault_set_parse(cx, topo, universe, "s6,s12", &set));
    HF_TRY_DONE(hf_plan_make(cx, &rule, &set, &plan));
    HF_TRY_DONE(hf_drawing_of(plan.routing)->describe_faults(cx, &plan, &text));
    HF_TRY_DONE(hf_drawing_of(plan.routing)->mark(cx, &plan, &marks));
    HF_TRY_DONE(hf_sacrifice_find(cx, &set, 60, &fewest));
    HF_TRY_DONE(rule.routing->judge(cx, universe, &rule, &judge));
    HF_TRY_DONE(judge->ops->push(cx, judge, 6));
    HF_TRY_DONE(judge->ops->push(cx, judge, 12));
    HF_TRY_DONE(judge->ops->read(cx, judge, &measure));
done:
    hf_judge_free(judge);
    hf_rule_free(&rule);
    hf_universe_free(universe);
    hf_topology_free(topo);
    hf_text_free(&text);
    return status;
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    static char *const rules[] = {"solid-fault:repair=completed", "solid-fault-adaptive", "block-fault"};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        failing_sweep_pieces(rules[i], 4096, use_rule, rules[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figure_4),
        cmocka_unit_test(figure_7),
        cmocka_unit_test(adaptive_hops),
        cmocka_unit_test(lengths),
        cmocka_unit_test(lemma_1),
        cmocka_unit_test(sticky_fails_at_concave_corners),
        cmocka_unit_test(three_dimensions),
        cmocka_unit_test(every_covered_set),
        cmocka_unit_test(section_5),
        cmocka_unit_test(turned_messages_need_channels),
        cmocka_unit_test(classes_of_tori),
        cmocka_unit_test(tori_can_deadlock),
        cmocka_unit_test(repaired_sets),
        cmocka_unit_test(bad_input),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
