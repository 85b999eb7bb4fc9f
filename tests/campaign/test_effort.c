/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Bounds of reconfiguration against the figures of the readings, and the limit of connectivity against exact counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/campaign.h>

#include "tests/oracle/fixture.h"

/* A quantity of a routing, named by the start of its assumption. */
static const hf_quantity *value_of(const fixture *fx, const hf_result *result, const char *phase, const char *quantity,
                                   const char *assumption) {
    for (uint32_t i = 0; i < hf_effort_count(fx->rule.routing); i++) {
        const hf_effort *e = &fx->rule.routing->efforts->quantities[i];
        if (strcmp(e->phase, phase) == 0 && strcmp(e->quantity, quantity) == 0 &&
            strncmp(e->assumption, assumption, strlen(assumption)) == 0) {
            return &result->row[0].tally.quantity[i];
        }
    }
    print_error("no %s of %s, %s\n", quantity, phase, assumption);
    fail();
    return NULL;
}

static hf_status effort_judge(hf_context *cx, void *user, const hf_universe *universe, const hf_rule *rule, hf_judge **out) {
    const hf_effort_asked asked = {.costs = {.hop_cycles = 100, .packet_cycles = 1000}, .simulated = 1};
    (void)user;
    return hf_effort_judge_new(cx, universe, rule, &asked, out);
}

static hf_result *run(fixture *fx, uint32_t f, uint64_t samples) {
    hf_result *result;
    const hf_inquiry inquiry = {.n_quantity = hf_effort_count(fx->rule.routing), .judge = effort_judge};
    const hf_campaign campaign = {.universe = fx->universe,
                                  .rule = &fx->rule,
                                  .inquiry = &inquiry,
                                  .f = &f,
                                  .n_f = 1,
                                  .method = HF_METHOD_SAMPLED,
                                  .samples = samples,
                                  .seed = 1};
    fixture_ok(fx, hf_campaign_run(fx->cx, &campaign, &result));
    return result;
}

static hf_status limit_judge(hf_context *cx, void *user, const hf_universe *universe, const hf_rule *rule, hf_judge **out) {
    (void)user;
    (void)rule;
    return hf_limit_judge_new(cx, universe, out);
}

static hf_limit limit_of(fixture *fx, uint64_t orders) {
    hf_result *result;
    hf_limit limit;
    const hf_inquiry inquiry = {.n_quantity = fx->universe->n_component + 2, .orders = true, .judge = limit_judge};
    const hf_campaign campaign = {.universe = fx->universe,
                                  .inquiry = &inquiry,
                                  .f = &fx->universe->n_component,
                                  .n_f = 1,
                                  .method = HF_METHOD_SAMPLED,
                                  .samples = orders,
                                  .seed = 7,
                                  .threads = 2};
    fixture_ok(fx, hf_campaign_run(fx->cx, &campaign, &result));
    fixture_ok(fx, hf_limit_of_tally(fx->cx, &result->row[0].tally, &limit));
    hf_result_free(result);
    return limit;
}

static void same_for_all(const hf_quantity *v, uint64_t want) {
    assert_true(v->sets > 0);
    assert_int_equal(v->lowest, want);
    assert_int_equal(v->highest, want);
}

static void table_1_of_immunet(void **state) {
    (void)state;
    static const struct {
        const char *topo;
        uint64_t switches, once, equal, emergency, parallel, in_turn;
    } cases[] = {{"torus:dims=8x8", 64, 12224, 178350, 800, 8800, 16800},
                 {"torus:dims=16x16", 256, 196352, 144899510, 1600, 17600, 33600}};
    for (size_t i = 0; i < 2; i++) {
        fixture fx;
        fixture_open(&fx, cases[i].topo, "links:dimension=0", "immunet");
        hf_result *r = run(&fx, 1, 1000);
        assert_true(r->row[0].is_exact);
        same_for_all(value_of(&fx, r, "safe tables", "messages", "one of every switch but"), cases[i].switches - 1);
        same_for_all(value_of(&fx, r, "adaptive tables", "messages", "every switch passes on each flood once"), cases[i].once);
        same_for_all(value_of(&fx, r, "adaptive tables", "messages", "passed on when nearer; packets side"), cases[i].once);
        same_for_all(value_of(&fx, r, "adaptive tables", "messages", "passed on when as near"), cases[i].equal);
        same_for_all(value_of(&fx, r, "emergency", "cycles", ""), cases[i].emergency);
        same_for_all(value_of(&fx, r, "all", "cycles", "both tables at once, until the last change"), cases[i].parallel);
        same_for_all(value_of(&fx, r, "all", "cycles", "both tables at once, until the last disc"), cases[i].parallel + 1000);
        same_for_all(value_of(&fx, r, "all", "cycles", "safe tables first, until the last change"), cases[i].in_turn);
        same_for_all(value_of(&fx, r, "all", "cycles", "safe tables first, until the last disc"), cases[i].in_turn + 1000);
        hf_result_free(r);
        fixture_close(&fx);
    }
}

/* Whatever the faults, models lie within their bounds. */
static void models_lie_within_bounds(void **state) {
    (void)state;
    static const char *const topologies[] = {"torus:dims=4x4", "mesh:dims=3x4", "random-regular:n=10,degree=3"};
    for (size_t i = 0; i < 3; i++) {
        fixture fx;
        fixture_open(&fx, topologies[i], "links+switches", "immunet");
        for (uint32_t f = 1; f < 5; f++) {
            hf_result *r = run(&fx, f, 1); /* one set a row: lowest and highest belong to one another */
            const char *const tables = "adaptive tables";
            const hf_quantity *low = value_of(&fx, r, tables, "messages", "every"),
                              *high = value_of(&fx, r, tables, "messages", "passed on when nearer; any"),
                              *side = value_of(&fx, r, tables, "messages", "passed on when nearer; packets"),
                              *one = value_of(&fx, r, tables, "messages", "passed on when nearer; a switch");
            assert_int_equal(side->highest, low->lowest);
            assert_true(one->highest >= low->lowest && one->highest <= high->highest);
            const hf_quantity *notices = value_of(&fx, r, "emergency", "messages", "notices of all");
            assert_true(notices->highest >= value_of(&fx, r, "emergency", "messages", "notices of the root")->lowest);
            hf_result_free(r);
        }
        fixture_close(&fx);
    }
}

/* A fault of a down link above stage s: n - 2 - s packets up; k + k^2 + ... + k^(n-1-s) down, less the failed link. */
static void control_packets_of_ft2ei(void **state) {
    (void)state;
    static const struct {
        const char *topo, *universe;
        uint64_t up, down, hops;
    } cases[] = {
        {"kary-tree:k=2,n=4", "links:stage=0", 2, 2 + 4 + 8 - 1, 5}, {"kary-tree:k=2,n=4", "links:stage=1", 1, 2 + 4 - 1, 3},
        {"kary-tree:k=2,n=4", "links:stage=2", 0, 2 - 1, 1},         {"kary-tree:k=4,n=3", "links:stage=0", 1, 4 + 16 - 1, 3},
        {"kary-tree:k=4,n=3", "links:stage=1", 0, 4 - 1, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture fx;
        fixture_open(&fx, cases[i].topo, cases[i].universe, "ft2ei");
        hf_result *r = run(&fx, 1, 1000);
        same_for_all(value_of(&fx, r, "upwards", "messages", ""), cases[i].up);
        same_for_all(value_of(&fx, r, "downwards", "messages", ""), cases[i].down);
        same_for_all(value_of(&fx, r, "all", "hops", ""), cases[i].hops);
        same_for_all(value_of(&fx, r, "all", "cycles", ""), 1000 * cases[i].hops);
        assert_true(value_of(&fx, r, "all", "messages", "fault")->highest <= value_of(&fx, r, "all", "messages", "half")->lowest);
        hf_result_free(r);
        fixture_close(&fx);
    }
}

/* Of the 28 pairs of links above stage 1 of the 2-ary 3-tree eight make two switches lose the other half, and each tells two:
 * both links of a switch (which loses it itself, and its twin, which cannot reach it), or one link each of twins to different
 * tops. */
static void cascades_of_ft2ei(void **state) {
    (void)state;
    fixture fx;
    fixture_open(&fx, "kary-tree:k=2,n=3", "links:stage=1", "ft2ei");
    hf_result *r = run(&fx, 2, 1000);
    const hf_quantity *v = value_of(&fx, r, "cascades", "messages", "");
    assert_int_equal(v->sets, 28);
    assert_int_equal(v->lowest, 0);
    assert_int_equal(v->highest, 4);
    assert_int_equal(v->sum, 32);
    hf_result_free(r);
    fixture_close(&fx);
}

/* s8 excludes 4..7 over s16 and 8..15 over s18, so its packet takes both; s18, which has lost 8..15, sends over both of its
 * ports. By the second fault of s22 s18 tells two switches, s22 too; what these told makes s10, whose other link has failed, and
 * s12 and s14, which cannot reach 4..7 by their other port, tell two each. */
static void packets_over_several_ports(void **state) {
    (void)state;
    fixture fx;
    hf_fault_set set;
    hf_plan plan;
    uint64_t value[16];
    const hf_effort_costs costs = {.packet_cycles = 10};
    static const char *const names[] = {"s10:2-s16:1", "s22:2-s26:1", "s22:3-s30:1", "s1:2-s8:1"};
    static const uint32_t component[] = {20, 44, 45, 2}; /* in this order */
    fixture_open(&fx, "kary-tree:k=2,n=4", "links", "ft2ei");
    for (size_t i = 0; i < 4; i++) {
        char name[80];
        hf_universe_name(fx.universe, component[i], name, sizeof name);
        assert_string_equal(name, names[i]);
    }
    fixture_plan_set(&fx, component, 4, &set, &plan);
    fixture_ok(&fx, plan.routing->efforts->effort(fx.cx, &plan, &costs, value));
    for (size_t i = 0; plan.routing->efforts->quantities[i].phase; i++) {
        const hf_effort *e = &plan.routing->efforts->quantities[i];
        if (strcmp(e->phase, "upwards") == 0) {
            assert_int_equal(value[i], 1 + 0 + 0 + (2 + 1 + 2));
        } else if (strcmp(e->phase, "cascades") == 0) {
            assert_int_equal(value[i], 2 + 2 + 3 * 2);
        }
    }
    fixture_close(&fx);
}

/* ---- a manager and sources, slowly ---- */

enum { REGISTERS_MOST = 16, FAULTS_MOST = 4, NODES_MOST = 64 };

/* Does an up port of `sw` exclude the terminal? */
static bool excludes(const hf_plan *plan, uint32_t sw, uint32_t port, uint32_t terminal) {
    hf_register reg[REGISTERS_MOST];
    const size_t n = plan->routing->registers(plan, sw, port, reg, REGISTERS_MOST);
    bool does = false;
    assert_true(n <= REGISTERS_MOST);
    for (size_t i = 0; i < n; i++) {
        does |= strcmp(reg[i].name, "exclusion") == 0 && hf_interval_has(reg[i].value, terminal);
    }
    return does;
}

static bool differs(const hf_plan *a, const hf_plan *b, uint32_t sw) {
    bool does = false;
    for (uint32_t port = 0; port < a->topo->out_begin[sw + 1] - a->topo->out_begin[sw]; port++) {
        for (uint32_t t = 0; t < a->topo->n_terminal; t++) {
            does |= excludes(a, sw, port, t) != excludes(b, sw, port, t);
        }
    }
    return does;
}

/* Hops from `from` to everybody, over all channels. */
static void flood(const hf_topology *topo, uint32_t from, uint32_t *hops) {
    for (uint32_t v = 0; v < topo->n_node; v++) {
        hops[v] = v == from ? 0 : HF_NONE;
    }
    for (uint32_t round = 0; round < topo->n_node; round++) {
        for (uint32_t c = 0; c < topo->n_channel; c++) {
            if (hops[topo->from[c]] == round && hops[topo->to[c]] == HF_NONE) {
                hops[topo->to[c]] = round + 1;
            }
        }
    }
}

/* Does a packet that the plan offers its hops meet the channel? */
static bool meets(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, uint32_t channel) {
    hf_hop hops[16];
    const size_t n = at == plan->topo->n_switch + destination ? 0 : hf_plan_route(plan, at, in, destination, hops);
    bool does = false;
    for (size_t i = 0; i < n && !does; i++) {
        does = hops[i].channel == channel || meets(plan, plan->topo->to[hops[i].channel], hops[i], destination, channel);
    }
    return does;
}

typedef struct scheme {
    uint64_t messages, hops;
} scheme;

static int farther(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x < y) - (x > y);
}

/* One more channel has failed, from switch `at` on. */
static void add_manager(const hf_plan *before, const hf_plan *after, uint32_t at, scheme *out) {
    const hf_topology *topo = after->topo;
    uint32_t hops[NODES_MOST] = {0}, of_changed[NODES_MOST] = {0}, n = 0, last = 0;
    assert_true(topo->n_node <= NODES_MOST);
    flood(topo, 0, hops);
    for (uint32_t sw = 1; sw < topo->n_switch; sw++) {
        if (sw != at && differs(before, after, sw)) {
            of_changed[n++] = hops[sw];
        }
    }
    qsort(of_changed, n, sizeof *of_changed, farther);
    for (uint32_t i = 0; i < n; i++) {
        last = i + of_changed[i] > last ? i + of_changed[i] : last;
    }
    out->messages += 1 + n;
    out->hops += n ? hops[at] + last : 0;
}

static void add_sources(const hf_plan *whole, uint32_t channel, scheme *out) {
    const hf_topology *topo = whole->topo;
    uint32_t hops[NODES_MOST], last = 0;
    flood(topo, topo->from[channel], hops);
    for (uint32_t s = 0; s < topo->n_terminal; s++) {
        bool does = false;
        for (uint32_t d = 0; d < topo->n_terminal && !does; d++) {
            does = d != s && meets(whole, topo->n_switch + s, HF_HOP_INJECTION, d, channel);
        }
        out->messages += does;
        last = does && hops[topo->n_switch + s] > last ? hops[topo->n_switch + s] : last;
    }
    out->hops += last;
}

static void same_effort(const hf_plan *plan, const uint64_t *value, const char *phase, scheme slow, uint64_t seed) {
    for (size_t i = 0; plan->routing->efforts->quantities[i].phase; i++) {
        const hf_effort *e = &plan->routing->efforts->quantities[i];
        const uint64_t want = strcmp(e->quantity, "messages") == 0 ? slow.messages : slow.hops;
        if (strcmp(e->phase, phase) == 0 && value[i] != want) {
            print_error("%s, %s: %u, slowly %u, seed %u\n", phase, e->quantity, (unsigned)value[i], (unsigned)want,
                        (unsigned)seed);
            fail();
        }
    }
}

/* What a manager and the sources of whole ways would take, against registers of plans, floods and walks. */
static void manager_and_sources(void **state) {
    (void)state;
    static const char *const topo[] = {"kary-tree:k=2,n=3", "kary-tree:k=2,n=4", "kary-tree:k=3,n=2", "kary-tree:k=3,n=3"};
    static const char *const rules[] = {"ft2ei", "ft2ei:intervals=2,own=yes", "ft2ei:intervals=unlimited"};
    for (uint64_t seed = 0; seed < 72; seed++) {
        fixture fx, plain;
        hf_random random;
        hf_fault_set set[FAULTS_MOST + 1], none;
        hf_plan plan[FAULTS_MOST + 1], whole;
        uint32_t component[FAULTS_MOST];
        uint64_t value[32];
        scheme manager = {0}, sources = {0};
        fixture_open(&fx, topo[seed % 4], "channels", rules[seed / 4 % 3]);
        fixture_open(&plain, topo[seed % 4], NULL, "updown");
        fixture_plan(&plain, "", &none, &whole);
        hf_random_init(&random, seed, HF_PURPOSE_TEST, 0);
        const uint32_t f = 1 + (uint32_t)hf_random_below(&random, FAULTS_MOST);
        hf_random_subset(&random, fx.universe->n_component, f, component);
        fixture_plan_set(&fx, component, 0, &set[0], &plan[0]);
        for (uint32_t i = 0; i < f; i++) {
            const uint32_t channel = fx.universe->channel[component[i]];
            fixture_plan_set(&fx, component, i + 1, &set[i + 1], &plan[i + 1]);
            add_manager(&plan[i], &plan[i + 1], fx.topo->from[channel], &manager);
            add_sources(&whole, channel, &sources);
        }
        fixture_ok(&fx, plan[f].routing->efforts->effort(fx.cx, &plan[f], &(hf_effort_costs){.packet_cycles = 1}, value));
        same_effort(&plan[f], value, "manager", manager, seed);
        same_effort(&plan[f], value, "sources", sources, seed);
        fixture_close(&plain);
        fixture_close(&fx);
    }
}

/* Two rings of a torus that has fallen apart: what each takes is added, the time is that of the slower. */
static void every_part_counts(void **state) {
    (void)state;
    fixture fx;
    hf_fault_set set;
    hf_plan plan;
    uint64_t value[32];
    const hf_effort_costs costs = {.hop_cycles = 100, .packet_cycles = 1000, .simulates = true};
    fixture_open(&fx, "mesh:dims=6", NULL, "immunet");
    fixture_plan(&fx, "s1:0-s2:1", &set, &plan);
    fixture_ok(&fx, plan.routing->efforts->effort(fx.cx, &plan, &costs, value));
    for (size_t i = 0; plan.routing->efforts->quantities[i].phase; i++) {
        const hf_effort *e = &plan.routing->efforts->quantities[i];
        if (strcmp(e->phase, "safe tables") == 0 && strcmp(e->quantity, "messages") == 0) {
            assert_int_equal(value[i], strcmp(e->kind, "lower bound") == 0 ? 1 + 3 : 2 + 4);
        } else if (strcmp(e->phase, "adaptive tables") == 0 && strcmp(e->quantity, "messages") == 0 &&
                   strcmp(e->kind, "upper bound") != 0) {
            assert_int_equal(value[i], 2 * 1 + 4 * 3); /* in a line everything is passed on once */
        } else if (strcmp(e->phase, "emergency") == 0 && strcmp(e->quantity, "cycles") == 0) {
            assert_int_equal(value[i], 300);
        }
    }
    fixture_close(&fx);
}

/* 16 of the C(32, 4) sets of four links part the 4x4 torus, none of three: by order statistics the share parted by the fourth
 * fault is 16 / 35960. */
static void limit_agrees_with_exact_counts(void **state) {
    (void)state;
    fixture fx;
    hf_limit limit;
    fixture_open(&fx, "torus:dims=4x4", "links", NULL);
    limit = limit_of(&fx, 400000);
    assert_int_equal(limit.below[3], 0);
    const double want = 400000 * 16.0 / 35960;
    assert_true((double)limit.below[4] > want - 80 && (double)limit.below[4] < want + 80);
    assert_int_equal(limit.below[limit.n + 1], 400000);
    fixture_close(&fx);
    fixture_open(&fx, "ring:n=6", "links", NULL);
    limit = limit_of(&fx, 100);
    assert_int_equal(limit.parted[2], 100);
    fixture_close(&fx);
    fixture_open(&fx, "complete:n=5", "switches", NULL);
    limit = limit_of(&fx, 100);
    assert_int_equal(limit.parted[4], 100); /* never in two parts, but one terminal is left */
    fixture_close(&fx);
}

/* Channels fail in one direction: counts of tolerance --criterion switches-connected. One-way networks never hang together. */
static void limit_knows_directions(void **state) {
    (void)state;
    fixture fx;
    hf_limit limit;
    enum { ORDERS = 20000 };
    static const double want[] = {0, 0, 12.0 / 28, 48.0 / 56, 68.0 / 70, 1};
    fixture_open(&fx, "mesh:dims=2x2", "channels", NULL);
    limit = limit_of(&fx, ORDERS);
    for (size_t f = 0; f < sizeof want / sizeof *want; f++) {
        const double share = (double)limit.below[f] / ORDERS;
        assert_true(share > want[f] - 0.02 && share < want[f] + 0.02);
    }
    fixture_close(&fx);
    fixture_open(&fx, "butterfly:k=2,n=3", "links", NULL);
    limit = limit_of(&fx, 10);
    assert_int_equal(limit.parted[1], 10);
    fixture_close(&fx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_1_of_immunet),         cmocka_unit_test(models_lie_within_bounds),
        cmocka_unit_test(control_packets_of_ft2ei),   cmocka_unit_test(cascades_of_ft2ei),
        cmocka_unit_test(packets_over_several_ports), cmocka_unit_test(manager_and_sources),
        cmocka_unit_test(every_part_counts),          cmocka_unit_test(limit_agrees_with_exact_counts),
        cmocka_unit_test(limit_knows_directions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
