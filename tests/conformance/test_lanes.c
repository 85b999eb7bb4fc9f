/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Every rule with twice and with three times its virtual channels, as lanes: its hops are those of the rule, each on the lanes
 *  of its class; what is tolerated and lost is what the rule loses; the verdict about deadlock is the rule's, its certificate
 *  holds, and a search over configurations of packets says the same; packets of a loaded network arrive. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/bitset.h>
#include <holdfast/kernel.h>
#include <holdfast/store.h>

#include "src/analysis/deadlock/claim.h"
#include "src/analysis/paths/walk.h"
#include "src/check/check.h"
#include "src/routing/lanes.h"
#include "tests/conformance/variants.h"
#include "tests/oracle/fixture.h"
#include "tests/oracle/packets.h"
#include "tests/support/share.h"

enum {
    SMALLEST = 2,
    SETS = 4,
    F_MAX = 3,
    VC_MAX = 64,
    ROOM = 4096,
    CONFIGURATIONS = 3000,
    CYCLES = 600,
    RELATIONS = 60,
    MORE_CONFIGURATIONS = 20000
};

typedef struct pair {
    fixture fx[2]; /* the rule, and with lanes */
    hf_fault_set set[2];
    hf_plan plan[2];
    uint32_t class_of[VC_MAX], first[VC_MAX + 1]; /* by virtual channel; by class, where its lanes begin */
    uint32_t n_tag;
} pair;

static uint32_t n_free, n_found, n_searched, n_confirmed;

static void differ(const pair *x, const char *what) { fail_msg("%s on %s: %s", x->fx[1].rule.spec, x->fx[1].topo->spec, what); }

/* ---- the relation ---- */

/* Lanes dealt out to classes one by one; those of a class lie together. */
static void deal(pair *x) {
    const uint32_t n_class = x->plan[0].n_vc, n_vc = x->plan[1].n_vc;
    uint32_t n[VC_MAX] = {0}, vc = 0;
    for (uint32_t i = 0; i < n_vc; i++) {
        n[i % n_class]++;
    }
    for (uint32_t c = 0; c < n_class; c++) {
        x->first[c] = vc;
        for (uint32_t i = 0; i < n[c]; i++) {
            x->class_of[vc++] = c;
        }
    }
    x->first[n_class] = vc;
}

static uint32_t ring_of(const hf_plan *plan, hf_hop hop) {
    return hop.channel != HF_NONE && hf_plan_has_rings(plan) ? plan->routing->ring(plan, hop.channel, hop.vc) : HF_NONE;
}

/* What lanes mean, a lane at a time. */
static bool may_take(const pair *x, hf_hop in, hf_hop came, hf_hop hop, uint32_t vc) {
    const hf_topology *topo = x->plan[0].topo;
    const uint32_t class = x->class_of[vc], ring = ring_of(&x->plan[0], came);
    if (class != hop.vc) {
        return false;
    }
    if (topo->link[hop.channel] >= topo->n_switch_link) {
        return vc == x->first[class];
    }
    return ring == HF_NONE || ring != ring_of(&x->plan[0], hop) || vc - x->first[class] == in.vc - x->first[came.vc];
}

static void compare_state(const pair *x, uint32_t at, hf_hop in, uint32_t destination, bool is_escape) {
    static hf_hop own[ROOM], have[ROOM];
    const hf_hop came = in.channel == HF_NONE ? in : (hf_hop){in.channel, x->class_of[in.vc], in.tag};
    size_t n_own, n, want = 0;
    if (is_escape) {
        fixture_ok(&x->fx[0], hf_plan_read_escape(x->fx[0].cx, &x->plan[0], at, came, destination, own, &n_own));
        fixture_ok(&x->fx[1], hf_plan_read_escape(x->fx[1].cx, &x->plan[1], at, in, destination, have, &n));
    } else {
        fixture_ok(&x->fx[0], hf_plan_read(x->fx[0].cx, &x->plan[0], at, came, destination, own, &n_own));
        fixture_ok(&x->fx[1], hf_plan_read(x->fx[1].cx, &x->plan[1], at, in, destination, have, &n));
    }
    for (size_t i = 0; i < n_own; i++) {
        for (uint32_t vc = 0; vc < x->plan[1].n_vc; vc++) {
            const bool is_right = may_take(x, in, came, own[i], vc);
            want += is_right;
            if (is_right && !hf_hops_hold(have, n, (hf_hop){own[i].channel, vc, own[i].tag})) {
                differ(x, "a lane is not offered");
            }
        }
    }
    if (n != want || n > x->plan[1].max_hops) {
        differ(x, "other hops are offered");
    }
}

static void compare_relations(pair *x) {
    hf_walk w;
    fixture_ok(&x->fx[1], hf_walk_init(x->fx[1].cx, x->fx[1].topo, &w));
    for (uint32_t d = 0; d < x->fx[1].topo->n_terminal; d++) {
        fixture_ok(&x->fx[1], hf_walk_explore(x->fx[1].cx, &w, &x->plan[1], d));
        for (uint32_t s = 0; s < w.n_state; s++) {
            x->n_tag = w.in[s].tag >= x->n_tag ? w.in[s].tag + 1 : x->n_tag;
            compare_state(x, w.at[s], w.in[s], d, false);
            compare_state(x, w.at[s], w.in[s], d, true);
        }
    }
}

/* Packets that the plan calls alike are offered the same. */
static void check_likeness(const pair *x) {
    static hf_hop one[ROOM], other[ROOM];
    const hf_plan *plan = &x->plan[1];
    hf_walk w;
    if (!hf_likeness_of(plan)->arrival) {
        return;
    }
    fixture_ok(&x->fx[1], hf_walk_init(x->fx[1].cx, x->fx[1].topo, &w));
    for (uint32_t d = 0; d < x->fx[1].topo->n_terminal; d++) {
        fixture_ok(&x->fx[1], hf_walk_explore(x->fx[1].cx, &w, plan, d));
        for (uint32_t s = x->fx[1].topo->n_terminal; s < w.n_state; s++) {
            for (uint32_t r = x->fx[1].topo->n_terminal; r < s; r++) {
                const bool is_alike = w.at[r] == w.at[s] && hf_plan_arrival(plan, w.in[r]) == hf_plan_arrival(plan, w.in[s]);
                if (!is_alike || w.at[s] >= x->fx[1].topo->n_switch) {
                    continue;
                }
                const size_t n = hf_plan_route(plan, w.at[r], w.in[r], d, one);
                bool same = n == hf_plan_route(plan, w.at[s], w.in[s], d, other);
                for (size_t i = 0; i < n && same; i++) {
                    same = hf_hops_hold(other, n, one[i]);
                }
                if (!same) {
                    differ(x, "arrivals of one number are offered different hops");
                }
            }
        }
    }
}

/* ---- deadlock ---- */

static void confirm(const pair *x, const hf_deadlock_options *how, const hf_deadlock *found) {
    const hf_fault_set *none = &x->set[1];
    hf_condition condition[HF_CONDITIONS];
    hf_text text;
    check c = {.cx = x->fx[1].cx, .file = "lanes"};
    if (found->method == HF_METHOD_BUBBLE_ESCAPE) {
        fixture_ok(&x->fx[1], hf_deadlock_conditions(x->fx[1].cx, &x->plan[1], found->ring_of, condition));
    }
    const hf_claim claim = {.command = "verify",
                            .faults = none,
                            .classes = x->plan[1].classes,
                            .topology = x->fx[1].topo->spec,
                            .routing = x->fx[1].rule.spec,
                            .topo = x->fx[1].topo,
                            .switching = how->switching,
                            .flow = how->bubble ? "bubble" : "credit",
                            .method = hf_deadlock_method_name(found->method),
                            .found = found,
                            .condition = found->method == HF_METHOD_BUBBLE_ESCAPE ? condition : NULL};
    hf_text_init(x->fx[1].cx, &text);
    fixture_ok(&x->fx[1], hf_claim_print(x->fx[1].cx, &claim, &text));
    fixture_ok(&x->fx[1], check_certificate(&c, text.data, text.size));
    if (c.outcome != CHECK_CONFIRMED) {
        fail_msg("%s on %s: %s", x->fx[1].rule.spec, x->fx[1].topo->spec, c.why);
    }
    hf_text_free(&text);
    n_confirmed++;
}

static void compare_verdicts(const pair *x, hf_switching switching, bool bubble) {
    const hf_deadlock_options how = {
        .switching = switching, .bubble = bubble, .threads = 1, .want_witness = !x->plan[1].classes, .time_limit_s = 60};
    hf_deadlock found[2];
    for (int i = 0; i < 2; i++) {
        fixture_ok(&x->fx[i], hf_deadlock_decide(x->fx[i].cx, &x->plan[i], &how, &found[i]));
    }
    if (found[0].answer != found[1].answer || found[0].is_connected != found[1].is_connected ||
        (found[0].answer == HF_DEADLOCK_FREE && found[0].method != found[1].method)) {
        fail_msg("%s on %s: %s by %s, with one lane %s by %s", x->fx[1].rule.spec, x->fx[1].topo->spec,
                 hf_deadlock_answer_name(found[1].answer), hf_deadlock_method_name(found[1].method),
                 hf_deadlock_answer_name(found[0].answer), hf_deadlock_method_name(found[0].method));
    }
    n_free += found[1].answer == HF_DEADLOCK_FREE;
    n_found += found[1].answer == HF_DEADLOCK_FOUND;
    const bool is_proved = found[1].answer == HF_DEADLOCK_FREE || (found[1].answer == HF_DEADLOCK_FOUND && how.want_witness);
    if (is_proved && found[1].method != HF_METHOD_WORMS) {
        confirm(x, &how, &found[1]);
    }
    if (switching == HF_SWITCHING_VCT && !bubble && !x->plan[1].classes && !(hf_plan_traits(&x->plan[1]) & HF_ROUTING_COMMITS)) {
        const packets_answer slow = packets_search(&x->plan[1], x->n_tag, CONFIGURATIONS);
        n_searched += slow != PACKETS_TOO_MANY;
        if (slow != PACKETS_TOO_MANY && (slow == PACKETS_FREE) != (found[1].answer == HF_DEADLOCK_FREE)) {
            differ(x, "a search over configurations of packets says otherwise");
        }
    }
}

/* ---- tolerance ---- */

static void compare_sets(pair *x) {
    hf_judge *judge[2][2]; /* by the rule's judge and by the relation */
    hf_measure m[2][2];
    if (x->fx[0].topo->n_switch_link == 0) {
        return;
    }
    for (int i = 0; i < 2; i++) {
        fixture *fx = &x->fx[i];
        fixture_ok(fx, hf_universe_new(fx->cx, fx->topo, "links", NULL, &fx->universe));
        const hf_criterion *all = fixture_criterion(fx, "all-pairs");
        fixture_ok(fx, hf_judge_new(fx->cx, fx->universe, &fx->rule, all, &judge[i][0]));
        fixture_ok(fx, hf_judge_new_relation(fx->cx, fx->universe, &fx->rule, all, &judge[i][1]));
    }
    for (uint64_t seed = 0; seed < SETS; seed++) {
        uint32_t component[F_MAX];
        const uint32_t all = x->fx[0].universe->n_component, f = all < F_MAX ? all : F_MAX;
        hf_random random;
        hf_random_init(&random, seed, HF_PURPOSE_TEST, 1);
        hf_random_subset(&random, all, f, component);
        for (int i = 0; i < 4; i++) {
            hf_judge *j = judge[i / 2][i % 2];
            for (uint32_t k = 0; k < f; k++) {
                fixture_ok(&x->fx[i / 2], j->ops->push(x->fx[i / 2].cx, j, component[k]));
            }
            m[i / 2][i % 2] = (hf_measure){0};
            fixture_ok(&x->fx[i / 2], j->ops->read(x->fx[i / 2].cx, j, &m[i / 2][i % 2]));
            for (uint32_t k = 0; k < f; k++) {
                j->ops->pop(j);
            }
        }
        for (int k = 0; k < 2; k++) {
            if (m[0][k].tolerated != m[1][k].tolerated || m[0][k].victims != m[1][k].victims ||
                m[0][k].lost_paths != m[1][k].lost_paths || memcmp(m[0][k].extra, m[1][k].extra, sizeof m[0][k].extra) != 0) {
                differ(x, "lanes change what is tolerated or lost");
            }
        }
    }
    for (int i = 0; i < 4; i++) {
        hf_judge_free(judge[i / 2][i % 2]);
    }
}

/* ---- packets ---- */

static void send(const pair *x) {
    const fixture *fx = &x->fx[1];
    hf_kernel_options o = hf_kernel_usual();
    hf_deadlock found;
    hf_kernel *k;
    hf_traffic *traffic;
    hf_blocked *blocked;
    uint32_t count = 0;
    o.switching = HF_SWITCHING_VCT;
    o.bubble = hf_plan_has_rings(&x->plan[1]);
    o.buffer = 2 * o.packet_length;
    const hf_deadlock_options how = {.switching = o.switching, .bubble = o.bubble, .threads = 1};
    fixture_ok(fx, hf_deadlock_decide(fx->cx, &x->plan[1], &how, &found));
    if (found.answer != HF_DEADLOCK_FREE || fx->topo->n_terminal < 2 || x->plan[1].flows) {
        return;
    }
    fixture_ok(fx, hf_traffic_new(fx->cx, fx->topo, "uniform", &traffic));
    fixture_ok(fx, hf_kernel_new(fx->cx, &x->plan[1], &o, &k));
    fixture_ok(fx, hf_kernel_offer(k, traffic, 3, 1));
    fixture_ok(fx, hf_kernel_run(k, CYCLES));
    fixture_ok(fx, hf_kernel_deadlock(k, &blocked, &count));
    if (count > 0 || hf_kernel_read(k)->delivered == 0) {
        differ(x, "packets do not arrive, and are proved to");
    }
    hf_traffic_free(traffic);
}

/* ---- all rules ---- */

static bool has_vcs(const char *rule) { return strstr(rule, "vcs=") != NULL; }

/* \param[in] classes "", or words behind the rule \return whether the rule takes the topology, and has lanes there */
static bool open_pair(pair *x, const char *topo, const char *rule, uint32_t times, const char *classes) {
    char spec[SPEC_SIZE + 64];
    hf_rule tried;
    memset(x, 0, sizeof *x);
    fixture_open(&x->fx[0], topo, NULL, NULL);
    (void)snprintf(spec, sizeof spec, "%s%s", rule, classes);
    if (hf_rule_init(x->fx[0].cx, spec, x->fx[0].topo, &tried) != HF_OK) {
        fixture_close(&x->fx[0]);
        return false;
    }
    x->fx[0].rule = tried;
    fixture_plan(&x->fx[0], "", &x->set[0], &x->plan[0]);
    const uint32_t n_set = x->plan[0].classes ? x->plan[0].classes->n_set : 1;
    (void)snprintf(spec, sizeof spec, "%s%cvcs=%u%s", rule, strchr(rule, ':') ? ',' : ':', times * x->plan[0].n_vc / n_set,
                   classes);
    fixture_open(&x->fx[1], topo, NULL, spec);
    fixture_plan(&x->fx[1], "", &x->set[1], &x->plan[1]);
    assert_int_equal(x->plan[1].n_vc, times * x->plan[0].n_vc);
    if (!x->plan[1].classes && !x->plan[1].lanes) { /* any number is the rule's own */
        fixture_close(&x->fx[0]);
        fixture_close(&x->fx[1]);
        return false;
    }
    return true;
}

static bool compare(const char *topo, const char *rule, uint32_t times) {
    pair x;
    if (!open_pair(&x, topo, rule, times, "")) {
        return false;
    }
    deal(&x);
    compare_relations(&x);
    check_likeness(&x);
    compare_verdicts(&x, HF_SWITCHING_WORMHOLE, false);
    compare_verdicts(&x, HF_SWITCHING_VCT, false);
    if (hf_plan_has_rings(&x.plan[1])) {
        compare_verdicts(&x, HF_SWITCHING_VCT, true);
    }
    compare_sets(&x);
    send(&x);
    fixture_close(&x.fx[0]);
    fixture_close(&x.fx[1]);
    return true;
}

/* Lanes of each set of virtual channels that the classes have. */
static void compare_with_classes(const char *topo, const char *rule, uint32_t times) {
    static const char *const classes[] = {" with a>b", " with a=0>b=0", " with a=0>>b=0,c"};
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        pair x;
        if (open_pair(&x, topo, rule, times, classes[i])) {
            compare_verdicts(&x, i == 0 ? HF_SWITCHING_WORMHOLE : HF_SWITCHING_VCT, false);
            fixture_close(&x.fx[0]);
            fixture_close(&x.fx[1]);
        }
    }
}

static void lanes_are_alike(void **state) {
    (void)state;
    static char rule[VARIANTS_MAX][SPEC_SIZE];
    uint32_t n_rule = 0;
    for (size_t r = 0; r < hf_routing_count(); r++) {
        const size_t n = list_variants(hf_routing_at(r), rule);
        for (size_t v = 0; v < n; v += share_step()) {
            uint32_t done = 0;
            for (size_t t = 0; t < N_TOPOLOGY_SPEC && done < SMALLEST && !has_vcs(rule[v]); t++) {
                const bool is_one = compare(topology_specs[t], rule[v], 2 + (v + t) % 2);
                if (is_one && done == 0) {
                    compare_with_classes(topology_specs[t], rule[v], 2);
                }
                done += is_one;
            }
            n_rule += done > 0;
        }
    }
    print_message("%u rules, %u free, %u not, %u confirmed, %u searched\n", n_rule, n_free, n_found, n_confirmed, n_searched);
    assert_true(n_rule > 40 / share_step() && n_free > 100 / share_step() && n_found > 1 && n_searched > 10 / share_step());
}

/* ---- random relations ---- */

/* Two lanes of a relation. \param[in] args vcs, as the rule's arguments have it */
static hf_plan with_lanes(const fixture *fx, const hf_plan *plan, const hf_args *args) {
    hf_plan out = *plan;
    out.args = args;
    fixture_ok(fx, hf_lanes_plan(fx->cx, &out));
    assert_non_null(out.lanes);
    return out;
}

/* Free or not, the search through configurations of packets says so of the lanes, and the one through worms. */
static void random_relations(void **state) {
    (void)state;
    static const char *const topologies[] = {"ring:n=3", "complete:n=3", "mesh:dims=4"};
    uint32_t n[3][3] = {{0}};
    for (size_t t = 0; t < sizeof topologies / sizeof *topologies; t++) {
        fixture fx;
        hf_args args;
        hf_fault_set none;
        fixture_open(&fx, topologies[t], NULL, NULL);
        fixture_ok(&fx, hf_no_faults(fx.cx, fx.topo, &none));
        fixture_ok(&fx, hf_args_parse(fx.cx, "routing", "random", hf_lanes_params, "vcs=2", &args));
        for (uint64_t seed = 0; seed < RELATIONS; seed += share_step()) {
            const hf_mark mark = hf_scratch_mark(fx.cx);
            packets_relation relation;
            hf_deadlock found[2];
            packets_relation_make(fx.topo, 1, seed, 1 + seed % 2, t == 0 && seed % 3 == 0, &relation);
            const hf_plan own = packets_plan(&relation, &none), plan = with_lanes(&fx, &own, &args);
            for (int s = HF_SWITCHING_WORMHOLE; s <= HF_SWITCHING_VCT; s++) {
                const hf_deadlock_options how = {.switching = (hf_switching)s, .threads = 1, .time_limit_s = 60};
                fixture_ok(&fx, hf_deadlock_decide(fx.cx, &own, &how, &found[0]));
                fixture_ok(&fx, hf_deadlock_decide(fx.cx, &plan, &how, &found[1]));
                if (found[0].answer != found[1].answer) {
                    fail_msg("seed %llu on %s, %s: %s, with one lane %s", (unsigned long long)seed, topologies[t],
                             hf_switching_name(how.switching), hf_deadlock_answer_name(found[1].answer),
                             hf_deadlock_answer_name(found[0].answer));
                }
            }
            const packets_answer slow = packets_search(&plan, 1, MORE_CONFIGURATIONS);
            n[slow][found[1].answer]++;
            if (slow != PACKETS_TOO_MANY && (slow == PACKETS_FREE) != (found[1].answer == HF_DEADLOCK_FREE)) {
                fail_msg("seed %llu on %s: a search over configurations of packets says otherwise", (unsigned long long)seed,
                         topologies[t]);
            }
            packets_relation_free(&relation);
            hf_scratch_reset(fx.cx, mark);
        }
        hf_args_free(&args);
        fixture_close(&fx);
    }
    print_message("%u relations free, %u not, %u given up\n", n[PACKETS_FREE][HF_DEADLOCK_FREE],
                  n[PACKETS_DEADLOCK][HF_DEADLOCK_FOUND], n[PACKETS_TOO_MANY][0] + n[PACKETS_TOO_MANY][1]);
    assert_true(n[PACKETS_DEADLOCK][HF_DEADLOCK_FOUND] > 5 / share_step());
}

static bool is_parameter(const hf_routing *routing, const char *name) {
    for (const hf_param *p = routing->params; p->name; p++) {
        if (strcmp(p->name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* Each takes as many as a channel has. */
static void every_rule_takes_vcs(void **state) {
    (void)state;
    for (size_t r = 0; r < hf_routing_count(); r++) {
        const hf_routing *routing = hf_routing_at(r);
        if (!is_parameter(routing, "vcs")) {
            fail_msg("%s has no parameter vcs", routing->name);
        }
        assert_true(!(routing->traits & HF_ROUTING_UNEVEN) || !routing->ring);
    }
}

static void refusals(void **state) {
    (void)state;
    fixture_refuses("torus:dims=4x4", "valiant:vcs=3", "vcs=3 is too few; it has 4 virtual channels here");
    fixture_refuses("torus:dims=4x4", "valiant:vcs=6", "vcs=6 is no multiple of the 4 virtual channels");
    fixture_refuses("mesh:dims=3x3", "o1turn:vcs=3", "vcs=3 is no multiple of the 2 virtual channels");
    fixture_refuses("dragonfly:p=1,a=2,h=1", "dragonfly-valiant:vcs=4", "vcs=4 is no multiple of the 3 virtual channels");
    fixture_refuses("mesh:dims=3x3", "solid-fault:vcs=6", "vcs=6 is no multiple of the 4 virtual channels");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lanes_are_alike),

                                       cmocka_unit_test(random_relations), cmocka_unit_test(every_rule_takes_vcs),
                                       cmocka_unit_test(refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
