/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Flow control by link: mixtures against explicit search, on random relations with rings; and what is asked of real networks,
 *  where the two ends of a cable do not agree about bubbles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <holdfast/core/bitset.h>
#include <holdfast/core/random.h>

#include "src/analysis/paths/walk.h"
#include "tests/oracle/bubbles.h"
#include "tests/oracle/fixture.h"

/* ---- random mixtures ---- */

static const struct network {
    const char *topo;
    uint32_t n_vc, hops_max, cases;
    bool one_way;
} networks[] = {
    {"ring:n=3", 1, 1, 600, true}, {"ring:n=3", 1, 1, 200, false},      {"ring:n=3", 1, 2, 100, false},
    {"ring:n=4", 1, 1, 200, true}, {"mesh:dims=2x2", 1, 1, 200, false}, {"ring:n=3", 2, 2, 200, true},
    {"ring:n=3", 2, 1, 200, true}, {"complete:n=4", 1, 1, 100, false},
};
enum { LIMIT = 10000 };

/* Rings: one way round the switches 0, 1, ... in their order, and the other way, on VC 0. */
static uint32_t ring_of(const hf_plan *plan, uint32_t channel, uint32_t vc) {
    const hf_topology *topo = plan->topo;
    const uint32_t a = topo->from[channel], b = topo->to[channel], n = topo->n_switch;
    const bool is_grid = topo->kind->name[0] == 'm'; /* 2x2: 0 1 3 2 */
    static const uint32_t round[] = {0, 1, 3, 2};
    if (vc > 0 || a >= n || b >= n) {
        return HF_NONE;
    }
    const uint32_t from = is_grid ? round[a] : a, to = is_grid ? round[b] : b;
    return (from + 1) % n == to ? 0 : (to + 1) % n == from ? 1 : HF_NONE;
}

typedef struct tally {
    uint32_t compared, deadlocks, free_mixed, apart;
} tally;

static void draw_plain(hf_random *random, const hf_topology *topo, uint64_t *plain) {
    const uint64_t share = hf_random_below(random, 4); /* none, and up to all */
    memset(plain, 0, hf_words(topo->n_channel) * sizeof *plain);
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        if (share == 3 || hf_random_below(random, 8) < share) {
            hf_bit_set(plain, c);
        }
    }
}

/* Every packet waits for held channels alone; on a ring that nobody comes onto without a bubble one does not go on along it. */
static bool is_deadlock(const hf_deadlock *d) {
    uint64_t held[8] = {0};
    for (uint32_t i = 0; i < d->n_blocked; i++) {
        hf_bit_set(held, d->blocked[i].hold[0]);
    }
    for (uint32_t i = 0; i < d->n_blocked; i++) {
        const uint32_t ring = d->ring_of ? d->ring_of[d->blocked[i].hold[0]] : HF_NONE;
        bool has_apart = ring == HF_NONE;
        for (uint32_t k = 0; k < d->blocked[i].n_wait; k++) {
            if (!hf_bit_test(held, d->blocked[i].wait[k])) {
                return false;
            }
        }
        for (uint32_t j = 0; j < d->n_blocked && !has_apart; j++) {
            bool is_along = d->ring_of[d->blocked[j].hold[0]] != ring;
            for (uint32_t k = 0; k < d->blocked[j].n_wait; k++) {
                is_along |= d->ring_of[d->blocked[j].wait[k]] == ring;
            }
            has_apart = !is_along;
        }
        if (!has_apart) {
            return false;
        }
    }
    return d->n_blocked > 0;
}

static void judge(const struct network *net, uint64_t seed, fixture *fx, const hf_plan *plan, const uint64_t *plain, tally *all) {
    uint32_t ring[256];
    for (uint32_t r = 0; r < fx->topo->n_channel * net->n_vc; r++) {
        ring[r] = ring_of(plan, r / net->n_vc, r % net->n_vc);
    }
    const hf_deadlock_options options = {
        .switching = HF_SWITCHING_VCT, .bubble = true, .plain = plain, .threads = 1, .want_witness = true};
    const packets_answer expected = bubbles_search(plan, ring, plain, LIMIT);
    hf_deadlock d;
    fixture_ok(fx, hf_deadlock_decide(fx->cx, plan, &options, &d));
    const bool is_found = d.answer == HF_DEADLOCK_FOUND;
    bool is_right = d.answer != HF_DEADLOCK_UNKNOWN && (!is_found || is_deadlock(&d));
    if (expected != PACKETS_TOO_MANY) {
        all->compared++;
        all->deadlocks += expected == PACKETS_DEADLOCK;
        all->free_mixed += expected == PACKETS_FREE && d.method == HF_METHOD_FIXPOINT && d.ring_of;
        all->apart += is_found && expected == PACKETS_FREE;
        is_right &= is_found || expected == PACKETS_FREE;
    }
    if (!is_right) {
        print_error("%s, %u VCs, up to %u hops, seed %llu: %s, but the search says %s\n", net->topo, net->n_vc, net->hops_max,
                    (unsigned long long)seed, hf_deadlock_answer_name(d.answer), expected == PACKETS_FREE ? "free" : "deadlock");
    }
    assert_true(is_right);
}

/* Few pairs, so that configurations are few; every third time all. */
static hf_flow_list *draw_flows(fixture *fx, hf_random *random) {
    const uint32_t count = 2 + (uint32_t)hf_random_below(random, 4);
    return hf_random_below(random, 3) ? fixture_flows(fx, random, count) : NULL;
}

static void compare(const struct network *net, uint32_t number, tally *all) {
    static hf_routing routing;
    fixture fx;
    fixture_open(&fx, net->topo, NULL, NULL);
    for (uint64_t seed = 1; seed <= net->cases; seed++) {
        packets_relation relation;
        hf_fault_set faults;
        hf_random random;
        uint64_t plain[8];
        const hf_mark mark = hf_scratch_mark(fx.cx);
        hf_random_init(&random, seed + 1000 * number, HF_PURPOSE_TEST, 17);
        packets_relation_make(fx.topo, net->n_vc, seed + 1000 * number, net->hops_max, net->one_way, &relation);
        fixture_ok(&fx, hf_no_faults(fx.cx, fx.topo, &faults));
        hf_plan plan = packets_plan(&relation, &faults);
        routing = *plan.routing;
        routing.ring = ring_of;
        plan.routing = &routing;
        hf_flow_list *flows = draw_flows(&fx, &random);
        plan.flows = flows;
        draw_plain(&random, fx.topo, plain);
        judge(net, seed, &fx, &plan, plain, all);
        packets_relation_free(&relation);
        hf_flow_list_free(flows);
        hf_scratch_reset(fx.cx, mark);
    }
    fixture_close(&fx);
}

static void mixtures_equal_search(void **state) {
    (void)state;
    tally all = {0};
    for (uint32_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        const tally before = all;
        compare(&networks[i], i, &all);
        if (getenv("HOLDFAST_TEST_SHOW")) {
            print_message("%s: %u compared, %u deadlocks, %u free with rings, %u apart\n", networks[i].topo,
                          all.compared - before.compared, all.deadlocks - before.deadlocks, all.free_mixed - before.free_mixed,
                          all.apart - before.apart);
        }
    }
    assert_true(all.compared > 1000);
    assert_true(all.deadlocks > 200);
    assert_true(all.free_mixed > 20);
    assert_true(all.apart <= 2); /* packets in the way of others, see docs/deadlock.md */
}

/* ---- cables of a ring ---- */

static void decide(fixture *fx, const hf_plan *plan, const char *flow, hf_deadlock *out) {
    hf_flow_control control;
    fixture_ok(fx, hf_flow_control_read(fx->cx, fx->topo, flow, &control));
    const hf_deadlock_options options = {
        .switching = HF_SWITCHING_VCT, .bubble = control.bubble, .plain = control.plain, .threads = 1, .want_witness = true};
    fixture_ok(fx, hf_deadlock_decide(fx->cx, plan, &options, out));
}

/* All packets go the same way round a ring of four, two hops far. Each set of channels may keep no bubbles; one is enough for a
 * deadlock, and the search gets into it from the empty network. */
static void one_cable_is_enough(void **state) {
    (void)state;
    fixture fx;
    hf_fault_set none;
    hf_plan plan;
    hf_flow_list *flows;
    uint32_t ring[32], source[] = {0, 1, 2, 3}, destination[] = {2, 3, 0, 1};
    fixture_open(&fx, "ring:n=4", NULL, "dor:ties=plus");
    fixture_plan(&fx, "", &none, &plan);
    fixture_ok(&fx, hf_flow_list_of(fx.cx, 4, source, destination, 4, &flows));
    plan.flows = flows;
    fixture_ok(&fx, hf_plan_read_rings(fx.cx, &plan, ring));
    for (uint64_t plain = 0; plain < 16; plain++) { /* forward channels are 0 to 3 */
        const hf_deadlock_options options = {.switching = HF_SWITCHING_VCT, .bubble = true, .plain = &plain, .threads = 1};
        hf_deadlock d;
        fixture_ok(&fx, hf_deadlock_decide(fx.cx, &plan, &options, &d));
        const packets_answer expected = bubbles_search(&plan, ring, &plain, 1000000);
        assert_int_equal(expected, plain ? PACKETS_DEADLOCK : PACKETS_FREE);
        assert_int_equal(d.answer, plain ? HF_DEADLOCK_FOUND : HF_DEADLOCK_FREE);
        assert_int_equal(d.n_gap, __builtin_popcountll(plain));
    }
    hf_flow_list_free(flows);
    fixture_close(&fx);
}

/* A torus of four by four: one end of a cable without bubbles, both, a dimension, the other VC of a rule with an escape. */
static void cables_of_a_torus(void **state) {
    (void)state;
    static const struct {
        const char *rule, *flow;
        hf_deadlock_answer answer;
        uint32_t n_gap;
    } row[] = {
        {"dor", "bubble", HF_DEADLOCK_FREE, 0},
        {"dor", "credit", HF_DEADLOCK_FOUND, 0},
        {"dor", "credit:s0:0>s1:1", HF_DEADLOCK_FOUND, 1},
        {"dor", "credit:s0:0-s1:1", HF_DEADLOCK_FOUND, 2},
        {"dor", "bubble:x", HF_DEADLOCK_FREE, 32}, /* ties take packets of a line of y half-way round one way alone */
        {"dor:ties=plus", "bubble:x", HF_DEADLOCK_FOUND, 32},
        {"dor:ties=plus", "bubble:x,y+", HF_DEADLOCK_FREE, 16}, /* nobody goes two hops in -y */
        {"dor:ties=plus", "bubble:x+,y+", HF_DEADLOCK_FREE, 32},
        {"dor:ties=plus", "bubble:x-,y-", HF_DEADLOCK_FOUND, 32},
        {"dor:ties=plus", "credit:links:dimension=1", HF_DEADLOCK_FOUND, 32},
        {"adaptive-bubble", "bubble", HF_DEADLOCK_FREE, 0},
        {"adaptive-bubble", "credit:s5", HF_DEADLOCK_FREE, 4},
        {"adaptive-bubble:ties=plus", "credit:s5", HF_DEADLOCK_FOUND, 4},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        fixture fx;
        hf_fault_set none;
        hf_plan plan;
        hf_deadlock d;
        fixture_open(&fx, "torus:dims=4x4", NULL, row[i].rule);
        fixture_plan(&fx, "", &none, &plan);
        decide(&fx, &plan, row[i].flow, &d);
        if (d.answer != row[i].answer || d.n_gap != row[i].n_gap) {
            print_error("%s, %s: %s, %u gaps\n", row[i].rule, row[i].flow, hf_deadlock_answer_name(d.answer), d.n_gap);
        }
        assert_int_equal(d.answer, row[i].answer);
        assert_int_equal(d.n_gap, row[i].n_gap);
        fixture_close(&fx);
    }
}

/* Without bubbles the escape has a cycle, a ring; with them on all but one dimension it has one in another. */
static void cycle_of_an_escape(void **state) {
    (void)state;
    static const char *const flow[] = {"credit", "bubble:x", "bubble"};
    fixture fx;
    hf_fault_set none;
    hf_plan plan;
    uint32_t ring[256];
    fixture_open(&fx, "torus:dims=4x4", NULL, "adaptive-bubble:ties=plus");
    fixture_plan(&fx, "", &none, &plan);
    fixture_ok(&fx, hf_plan_read_rings(fx.cx, &plan, ring));
    const uint32_t *dimension = hf_topology_attribute(fx.topo, "dimension")->of_link;
    for (size_t i = 0; i < 3; i++) {
        hf_deadlock d;
        decide(&fx, &plan, flow[i], &d);
        assert_int_equal(d.answer, i < 2 ? HF_DEADLOCK_FOUND : HF_DEADLOCK_FREE);
        if (i == 2) {
            assert_null(d.escape_fault);
            continue;
        }
        const hf_escape_fault *fault = d.escape_fault;
        assert_non_null(fault);
        assert_false(fault->is_missing);
        assert_int_equal(fault->n_cycle, 4);
        for (uint32_t k = 0; k < 4; k++) {
            assert_int_not_equal(ring[fault->cycle[k]], HF_NONE);
            assert_int_equal(ring[fault->cycle[k]], ring[fault->cycle[0]]);
            assert_true(i == 0 || dimension[fx.topo->link[fault->cycle[k] / plan.n_vc]] == 1);
        }
    }
    fixture_close(&fx);
}

/* ---- how it is written ---- */

static void refuses(const char *topo, const char *flow, const char *message) {
    fixture fx;
    hf_flow_control control;
    fixture_open(&fx, topo, NULL, NULL);
    assert_true(hf_flow_control_read(fx.cx, fx.topo, flow, &control) == HF_EINVAL ||
                hf_flow_control_read(fx.cx, fx.topo, flow, &control) == HF_ENOENT);
    if (!strstr(hf_context_message(fx.cx), message)) {
        print_error("%s\n", hf_context_message(fx.cx));
    }
    assert_non_null(strstr(hf_context_message(fx.cx), message));
    fixture_close(&fx);
}

static void bad_words(void **state) {
    (void)state;
    refuses("torus:dims=4x4", "bubbles", "need credit, bubble, bubble:LINKS");
    refuses("torus:dims=4x4", "bubble:", "empty word");
    refuses("torus:dims=4x4", "bubble:x+,,y", "empty word");
    refuses("torus:dims=4x4", "bubble:z+", "has no direction z+; need one of x, x+ and x-, y, y+ and y-, or links or channels");
    refuses("ring:n=4", "credit:y", "has no direction y; need one of x, x+ and x-, or links");
    refuses("complete:n=4", "bubble:z+", "is not a name");
    refuses("torus:dims=4x4", "credit:s0:9", "s0:9");
    refuses("torus:dims=4x4", "credit:links:stage=1", "stage");
    refuses("torus:dims=4x4", "file", "attribute flow");
}

/* A network of a file: words of both ends, source first; they come back as numbers. */
static void attribute_of_a_file(void **state) {
    (void)state;
    static const char *const files[] = {
        "source,target,flow\na,b,bubble\nb,c,bubble/credit\nc,a,credit/bubble\na,d,credit\nb,d,\n",
        "{\"nodes\":[{\"id\":\"a\"},{\"id\":\"b\"},{\"id\":\"c\"},{\"id\":\"d\"}],\"links\":[{\"source\":\"a\",\"target\":\"b\","
        "\"flow\":\"bubble\"},{\"source\":\"b\",\"target\":\"c\",\"flow\":\"bubble/credit\"},{\"source\":\"c\",\"target\":\"a\","
        "\"flow\":2},{\"source\":\"a\",\"target\":\"d\"},{\"source\":\"b\",\"target\":\"d\",\"flow\":\"credit\"}]}",
        "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\"><key id=\"f\" for=\"edge\" attr.name=\"flow\" "
        "attr.type=\"string\"/><graph edgedefault=\"directed\"><node id=\"a\"/><node id=\"b\"/><node id=\"c\"/><node "
        "id=\"d\"/><edge source=\"a\" target=\"b\"><data key=\"f\">bubble</data></edge><edge source=\"b\" target=\"a\"><data "
        "key=\"f\">bubble</data></edge><edge source=\"b\" target=\"c\"><data key=\"f\">bubble</data></edge><edge source=\"c\" "
        "target=\"b\"/><edge source=\"c\" target=\"a\"/><edge source=\"a\" target=\"c\"><data "
        "key=\"f\">bubble</data></edge><edge source=\"a\" target=\"d\"/><edge source=\"d\" target=\"a\"/><edge source=\"b\" "
        "target=\"d\"/><edge source=\"d\" target=\"b\"/></graph></graphml>"};
    for (size_t i = 0; i < 3; i++) {
        char path[] = "/tmp/holdfast-flow-XXXXXX", spec[64];
        const int handle = mkstemp(path);
        assert_true(handle >= 0 && write(handle, files[i], strlen(files[i])) == (ssize_t)strlen(files[i]));
        close(handle);
        (void)snprintf(spec, sizeof spec, "file:%s", path);
        fixture fx;
        hf_flow_control control;
        fixture_open(&fx, spec, NULL, NULL);
        unlink(path);
        const hf_attribute *flow = hf_topology_attribute(fx.topo, "flow");
        assert_non_null(flow);
        static const uint32_t bits[] = {3, 1, 2, 0, 0};
        for (uint32_t l = 0; l < 5; l++) {
            assert_int_equal(flow->of_link[l], bits[l]);
        }
        fixture_ok(&fx, hf_flow_control_read(fx.cx, fx.topo, "file", &control));
        assert_true(control.bubble);
        assert_true(hf_flow_control_keeps(control.plain, fx.topo->backward[0]));
        assert_true(hf_flow_control_keeps(control.plain, fx.topo->forward[1]));
        assert_false(hf_flow_control_keeps(control.plain, fx.topo->backward[1]));
        assert_true(hf_flow_control_keeps(control.plain, fx.topo->backward[2]));
        assert_false(hf_flow_control_keeps(control.plain, fx.topo->forward[3]));
        fixture_close(&fx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mixtures_equal_search), cmocka_unit_test(one_cable_is_enough), cmocka_unit_test(cables_of_a_torus),
        cmocka_unit_test(cycle_of_an_escape),    cmocka_unit_test(bad_words),           cmocka_unit_test(attribute_of_a_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
