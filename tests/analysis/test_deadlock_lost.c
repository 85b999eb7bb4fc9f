/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What becomes of fault sets: a network that is parted and packets that are lost though it is not, against the closure of its
 *  healthy channels and all places that a packet can get to; the lowest set of each kind, against all sets in turn; and what the
 *  kernel loses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/analysis/deadlock.h>
#include <holdfast/campaign.h>
#include <holdfast/core/bitset.h>
#include <holdfast/core/random.h>
#include <holdfast/kernel.h>

#include "tests/oracle/fixture.h"

enum { NODES = 40, SIZE = 3 };

/* ---- the slow way ---- */

/* Which nodes lead to which, over healthy channels and through no terminal. */
static void close_over(const hf_plan *plan, bool reach[NODES][NODES]) {
    const hf_topology *topo = plan->topo;
    memset(reach, 0, sizeof(bool[NODES][NODES]));
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        reach[topo->from[c]][topo->to[c]] |= !plan->faults->channel_set || !hf_bit_test(plan->faults->channel_set, c);
    }
    for (uint32_t k = 0; k < topo->n_switch; k++) {
        for (uint32_t a = 0; a < topo->n_node; a++) {
            for (uint32_t b = 0; b < topo->n_node; b++) {
                reach[a][b] |= reach[a][k] && reach[k][b];
            }
        }
    }
}

static bool is_parted(const hf_plan *plan) {
    static bool reach[NODES][NODES];
    const uint32_t n = plan->topo->n_switch;
    close_over(plan, reach);
    for (uint32_t a = 0; a < plan->topo->n_terminal; a++) {
        for (uint32_t b = 0; b < plan->topo->n_terminal; b++) {
            if (hf_plan_sends(plan, a, b) && !reach[n + a][n + b]) {
                return true;
            }
        }
    }
    return false;
}

enum { STATES = 20000 };
typedef struct place {
    uint32_t at;
    hf_hop in;
} place;

static bool add_place(place *list, uint32_t *n, place p) {
    for (uint32_t i = 0; i < *n; i++) {
        if (list[i].at == p.at && hf_hop_is(list[i].in, p.in)) {
            return false;
        }
    }
    assert_true(*n < STATES);
    list[(*n)++] = p;
    return true;
}

typedef struct fate {
    bool loses, arrives;
} fate;

/* Can a packet get to where it has no healthy hop, or, of a rule that commits packets, chooses a failed one; and where it should
 * get to? */
static fate fate_of(const fixture *fx, const hf_plan *plan, uint32_t source, uint32_t destination) {
    static place list[STATES];
    static hf_hop hops[1024];
    const hf_topology *topo = plan->topo;
    const bool commits = hf_plan_traits(plan) & HF_ROUTING_COMMITS;
    uint32_t n = 0;
    fate f = {false, false};
    assert_true(hf_plan_room(plan) <= 1024);
    add_place(list, &n, (place){topo->n_switch + source, HF_HOP_INJECTION});
    for (uint32_t i = 0; i < n; i++) {
        size_t count = 0, healthy = 0;
        if (list[i].at == topo->n_switch + destination) {
            f.arrives = true;
            continue;
        }
        if (i == 0 || list[i].at < topo->n_switch) {
            fixture_ok(fx, hf_plan_read(fx->cx, plan, list[i].at, list[i].in, destination, hops, &count));
        }
        for (size_t h = 0; h < count; h++) {
            if (!plan->faults->channel_set || !hf_bit_test(plan->faults->channel_set, hops[h].channel)) {
                healthy++;
                add_place(list, &n, (place){topo->to[hops[h].channel], hops[h]});
            }
        }
        f.loses |= healthy == 0 || (commits && healthy < count);
    }
    return f;
}

static fate fate_of_any(const fixture *fx, const hf_plan *plan) {
    fate f = {false, false};
    for (uint32_t a = 0; a < plan->topo->n_terminal; a++) {
        for (uint32_t b = 0; b < plan->topo->n_terminal; b++) {
            const fate one = hf_plan_sends(plan, a, b) ? fate_of(fx, plan, a, b) : (fate){false, false};
            f.loses |= one.loses;
            f.arrives |= one.arrives;
        }
    }
    return f;
}

static uint8_t outcome_of(fixture *fx, const uint32_t *set, uint32_t f) {
    const hf_deadlock_options options = {.switching = HF_SWITCHING_WORMHOLE, .threads = 1};
    hf_fault_set faults;
    hf_plan plan;
    hf_deadlock d;
    fixture_plan_set(fx, set, f, &faults, &plan);
    fixture_ok(fx, hf_deadlock_decide(fx->cx, &plan, &options, &d));
    const fate want = fate_of_any(fx, &plan);
    assert_int_equal(d.is_connected, !want.loses);
    assert_int_equal(d.serves, want.arrives);
    if (d.is_connected) {
        assert_false(d.is_parted);
    } else {
        assert_int_equal(d.is_parted, is_parted(&plan));
    }
    return hf_plan_is_empty(&plan)          ? HF_OUTCOME_NOT_COVERED
           : d.answer == HF_DEADLOCK_FOUND  ? HF_OUTCOME_DEADLOCK
           : d.is_connected && want.arrives ? HF_OUTCOME_FREE
           : d.is_connected                 ? HF_OUTCOME_IDLE
           : is_parted(&plan)               ? HF_OUTCOME_DISCONNECTED
                                            : HF_OUTCOME_LOST;
}

/* ---- the tests ---- */

static const struct scene {
    const char *topo, *universe, *rule;
} scenes[] = {{"mesh:dims=3x3", "links", "minimal"},
              {"torus:dims=3x3", "channels", "dor:vcs=2,dateline=yes"},
              {"kary-tree:k=2,n=3", "links", "ecmp:tables=stale"},
              {"kary-tree:k=2,n=3", "switches", "ecmp"},
              {"ring:n=6", "links", "ecmp:tables=local"},
              {"mesh:dims=3x2,terminals=2", "terminal-links", "updown-graph"},
              {"omega:k=2,n=3", "channels", "minimal"},
              {"complete:n=5", "channels", "minimal"},
              {"clos:tiers=2,radix=4,bundle=2", "links", "ecmp:tables=stale"}, /* a healthy channel beside the failed one */
              {"clos:tiers=2,radix=4,bundle=2", "channels", "ecmp:tables=local"},
              {"torus:dims=2x3,double=yes", "links", "ecmp:tables=stale,vcs=2"},
              {"hyperx:dims=2x3", "links", "ugal"},
              {"dragonfly:p=1,a=3,h=1", "channels", "par"}};

/* Random sets of any size, all components among them; with flows of some pairs in every third trial. */
static void parted_as_its_closure(void **state) {
    (void)state;
    uint32_t met[HF_OUTCOME_COUNT] = {0};
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        fixture fx;
        fixture_open(&fx, scenes[i].topo, scenes[i].universe, scenes[i].rule);
        assert_true(fx.topo->n_node <= NODES);
        for (uint32_t trial = 0; trial < 60; trial++) {
            hf_random random;
            hf_random_init(&random, trial, HF_PURPOSE_TEST, i);
            const uint32_t n = fx.universe->n_component,
                           f = trial == 0 ? n : 1 + (uint32_t)hf_random_below(&random, trial % 4 && n > 6 ? 6 : n);
            uint32_t set[256];
            assert_true(n <= sizeof set / sizeof *set);
            hf_random_subset(&random, n, f, set);
            fx.rule.flows = trial % 3 == 1 ? fixture_flows(&fx, &random, 3) : NULL;
            const hf_mark mark = hf_scratch_mark(fx.cx);
            met[outcome_of(&fx, set, f)]++;
            hf_scratch_reset(fx.cx, mark);
            hf_flow_list_free(fx.rule.flows);
            fx.rule.flows = NULL;
        }
        fixture_close(&fx);
    }
    assert_true(met[HF_OUTCOME_FREE] > 0 && met[HF_OUTCOME_DEADLOCK] > 0);
    assert_true(met[HF_OUTCOME_DISCONNECTED] > 0 && met[HF_OUTCOME_LOST] > 0);
}

static hf_status judge_new(hf_context *cx, void *user, const hf_universe *universe, const hf_rule *rule, hf_judge **out) {
    return hf_deadlock_judge_new(cx, universe, rule, user, out);
}

/* The first set of each class among all of a size, one after the other. */
static void look_at_all(fixture *fx, uint32_t f, uint32_t first[HF_OUTCOME_COUNT][SIZE], uint64_t *sets) {
    const hf_sets all = hf_sets_of(fx->universe->n_component, f, UINT64_MAX, 0);
    memset(sets, 0, HF_OUTCOME_COUNT * sizeof *sets);
    for (uint64_t i = 0; i < all.n; i++) {
        uint32_t set[SIZE];
        const hf_mark mark = hf_scratch_mark(fx->cx);
        hf_sets_get(&all, i, set);
        const uint8_t outcome = outcome_of(fx, set, f);
        if (sets[outcome]++ == 0) {
            memcpy(first[outcome], set, f * sizeof *set);
        }
        hf_scratch_reset(fx->cx, mark);
    }
}

static void same_lowest(bool has, const uint32_t *set, uint64_t sets, const uint32_t *first, uint32_t f) {
    assert_int_equal(has, sets > 0);
    if (has) {
        assert_memory_equal(set, first, f * sizeof *set);
    }
}

/* A campaign on two threads counts the classes and keeps the lowest set of each. */
static void same_campaign(fixture *fx, uint32_t f, uint64_t *sets) {
    static const uint32_t noted[HF_NOTES] = {HF_OUTCOME_DISCONNECTED, HF_OUTCOME_LOST, HF_OUTCOME_NOT_COVERED, HF_OUTCOME_IDLE};
    static uint32_t first[HF_OUTCOME_COUNT][SIZE];
    hf_deadlock_options options = {.switching = HF_SWITCHING_WORMHOLE, .threads = 1};
    const hf_inquiry inquiry = {.key = "lost", .user = &options, .judge = judge_new};
    const hf_campaign campaign = {
        .universe = fx->universe, .rule = &fx->rule, .inquiry = &inquiry, .f = &f, .n_f = 1, .threads = 2};
    hf_result *result;
    look_at_all(fx, f, first, sets);
    fixture_ok(fx, hf_campaign_run(fx->cx, &campaign, &result));
    const hf_tally *t = &result->row[0].tally;
    assert_memory_equal(t->outcome, sets, HF_OUTCOME_COUNT * sizeof *sets);
    same_lowest(t->has_witness, t->witness, sets[HF_OUTCOME_DEADLOCK], first[HF_OUTCOME_DEADLOCK], f);
    for (uint32_t n = 0; n < HF_NOTES; n++) {
        const uint32_t outcome = noted[n];
        same_lowest(t->has_noted >> n & 1, t->noted + n * (size_t)f, sets[outcome], first[outcome], f);
    }
    hf_result_free(result);
}

static void lowest_of_each(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        uint64_t sets[HF_OUTCOME_COUNT];
        fixture fx;
        fixture_open(&fx, scenes[i].topo, scenes[i].universe, scenes[i].rule);
        same_campaign(&fx, fx.universe->n_component < 30 ? SIZE - 1 : 1, sets);
        fixture_close(&fx);
    }
}

/* Who sends is out of service, or whom they send to: that is not counted as deadlock-free. */
static void nobody_sends(void **state) {
    (void)state;
    const uint32_t source = 5, destination = 6;
    uint64_t sets[HF_OUTCOME_COUNT];
    fixture fx;
    fixture_open(&fx, "mesh:dims=4x4", "switches", "solid-fault");
    fixture_ok(&fx, hf_flow_list_of(fx.cx, fx.topo->n_terminal, &source, &destination, 1, &fx.rule.flows));
    same_campaign(&fx, 1, sets);
    assert_int_equal(sets[HF_OUTCOME_IDLE], 2);
    assert_int_equal(sets[HF_OUTCOME_FREE], 2);
    assert_int_equal(sets[HF_OUTCOME_NOT_COVERED], 12);
    hf_flow_list_free(fx.rule.flows);
    fx.rule.flows = NULL;
    fixture_close(&fx);
}

static hf_kernel_counts run_kernel(const fixture *fx, const hf_plan *plan, hf_contention contention) {
    hf_kernel_options o = hf_kernel_usual();
    hf_kernel *k;
    hf_traffic *traffic;
    o.contention = contention;
    o.selection = contention < HF_CONTENTION_LOSE ? HF_SELECT_CYCLIC : HF_SELECT_FIRST;
    fixture_ok(fx, hf_traffic_new(fx->cx, fx->topo, "uniform", &traffic));
    fixture_ok(fx, hf_kernel_new(fx->cx, plan, &o, &k));
    fixture_ok(fx, hf_kernel_offer(k, traffic, 0.2, 1));
    fixture_ok(fx, hf_kernel_run(k, 1000));
    hf_traffic_free(traffic);
    return *hf_kernel_read(k);
}

/* However packets are moved, they are lost only where the verdict says so, and under stale tables they are. */
static void kernel_loses_the_same(void **state) {
    (void)state;
    static const char *const rules[] = {"ecmp:tables=stale", "ecmp:tables=local", "ecmp"};
    static const hf_contention ways[] = {HF_CONTENTION_WAIT, HF_CONTENTION_DROP, HF_CONTENTION_CIRCUIT, HF_CONTENTION_STORE};
    for (size_t r = 0; r < sizeof rules / sizeof *rules; r++) {
        fixture fx;
        fixture_open(&fx, "clos:tiers=2,radix=4,bundle=2", "links", rules[r]);
        for (uint32_t c = 0; c < fx.universe->n_component; c++) {
            hf_fault_set faults;
            hf_plan plan;
            fixture_plan_set(&fx, &c, 1, &faults, &plan);
            assert_int_equal(fate_of_any(&fx, &plan).loses, r == 0);
            for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
                const hf_kernel_counts counts = run_kernel(&fx, &plan, ways[w]);
                assert_int_equal(counts.lost > 0, r == 0);
                assert_true(counts.delivered > 50);
            }
        }
        fixture_close(&fx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(parted_as_its_closure), cmocka_unit_test(lowest_of_each),
                                       cmocka_unit_test(nobody_sends), cmocka_unit_test(kernel_loses_the_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
