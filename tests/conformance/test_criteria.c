/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Whatever the rule, the criterion decides. Every listed routing with every value of its parameters, on every small listed
 *  network that it accepts, every criterion with several least numbers of terminals in service, every universe; sets of few
 *  components, random ones, all but one, and all: what campaigns use, the judge made of the relation, what `show` uses, and an
 *  oracle made of the definitions give one verdict, and what is measured twice is equal. Of some, terminal links also where few
 *  pairs are flows. */
#include <stdlib.h>

#include "tests/conformance/variants.h"

#include <holdfast/analysis/tolerance.h>
#include <holdfast/core/random.h>

#include "tests/oracle/criteria.h"
#include "tests/oracle/fixture.h"
#include "tests/support/share.h"

typedef struct asked {
    const char *spec;
    criteria_name name;
    uint32_t count, percent;
} asked;

static const asked criteria[] = {{"all-pairs", CRITERIA_ALL_PAIRS, 2, 0},
                                 {"connected:live=80%", CRITERIA_CONNECTED, 0, 80},
                                 {"surviving", CRITERIA_SURVIVING, 2, 0},
                                 {"switches-connected", CRITERIA_SWITCHES, 2, 0},
                                 {"all-pairs:live=50%", CRITERIA_ALL_PAIRS, 0, 50},
                                 {"surviving:live=70%", CRITERIA_SURVIVING, 0, 70},
                                 {"switches-connected:live=60%", CRITERIA_SWITCHES, 0, 60}};
enum { N_ASKED = sizeof criteria / sizeof *criteria };

static const char *const universes[] = {"channels", "links", "switches", "terminal-links", "switches+terminal-links"};
enum { N_UNIVERSE = sizeof universes / sizeof *universes, TERMINALS_MAX = 9, FEW = 3, RANDOM = 3, SETS = FEW + RANDOM + 2 };
enum { FLOWS_EVERY = 8 }; /* of so many pairs of network and rule one has flows, too */

typedef struct trial {
    fixture fx;
    const char *universe;
    const hf_criterion *criterion[N_ASKED];
    hf_judge *fast[N_ASKED], *slow[N_ASKED];
    uint32_t *component, f;
    size_t asked;
    uint64_t verdicts[2];
} trial;

static void claim(const trial *t, bool holds, const char *what) {
    if (!holds) {
        print_error("%s on %s, %s, %s, failed:", t->fx.rule.spec, t->fx.topo->spec, t->universe, criteria[t->asked].spec);
        for (uint32_t i = 0; i < t->f; i++) {
            char name[HF_NAME_SIZE];
            hf_universe_name(t->fx.universe, t->component[i], name, sizeof name);
            print_error(" %s", name);
        }
        print_error(": %s\n", what);
        fail();
    }
}

/* Push something else first and take it back, so that a judge cannot live on a fresh stack. */
static void read_along(const trial *t, hf_judge *judge, hf_random *random, hf_measure *out) {
    const uint32_t m = t->fx.universe->n_component;
    uint32_t others = (uint32_t)hf_random_below(random, m < 2 ? m + 1 : 3);
    for (uint32_t i = 0; i < others; i++) {
        fixture_ok(&t->fx, judge->ops->push(t->fx.cx, judge, (t->component[0] + i) % m));
        if (i == 0) {
            fixture_ok(&t->fx, judge->ops->read(t->fx.cx, judge, out));
        }
    }
    while (others-- > 0) {
        judge->ops->pop(judge);
    }
    for (uint32_t i = 0; i < t->f; i++) {
        fixture_ok(&t->fx, judge->ops->push(t->fx.cx, judge, t->component[i]));
    }
    hf_measure alone = {0};
    fixture_ok(&t->fx, judge->ops->verdict ? judge->ops->verdict(t->fx.cx, judge, &alone) : HF_OK);
    fixture_ok(&t->fx, judge->ops->read(t->fx.cx, judge, out));
    claim(t, !judge->ops->verdict || alone.tolerated == out->tolerated, "the verdict alone differs from the one measured");
    for (uint32_t i = 0; i < t->f; i++) {
        judge->ops->pop(judge);
    }
}

static void compare_measures(const trial *t, const hf_measure *have, const hf_measure *want) {
    const hf_routing *routing = t->fx.rule.routing;
    claim(t, want->has_victims, "the relation does not measure victims");
    claim(t, routing->judge || have->has_victims, "no judge of its own, and victims are not measured");
    claim(t, routing->judge || have->has_lost_paths == want->has_lost_paths, "one measures lost paths, the other does not");
    claim(t, !have->has_victims || have->victims == want->victims, "victims differ");
    claim(t, !have->has_lost_paths || !want->has_lost_paths || have->lost_paths == want->lost_paths, "lost paths differ");
    claim(t, have->outcome == want->outcome, "classes differ");
    for (size_t i = 0; hf_measures_of(routing)->extras && hf_measures_of(routing)->extras[i]; i++) {
        claim(t, have->extra[i] == want->extra[i], hf_measures_of(routing)->extras[i]);
    }
}

static void compare_criterion(trial *t, const hf_plan *plan, hf_random *random) {
    const asked *a = &criteria[t->asked];
    hf_verdict verdict;
    hf_measure fast, slow, shown;
    const bool want = criteria_tolerates(plan, a->name, criteria_least(t->fx.topo, a->name, a->count, a->percent));
    fixture_ok(&t->fx, hf_tolerance_judge(t->fx.cx, plan, t->criterion[t->asked], false, &verdict));
    read_along(t, t->fast[t->asked], random, &fast);
    t->verdicts[want]++;
    claim(t, verdict.tolerated == want, want ? "show: not tolerated, but it is" : "show: tolerated, but it is not");
    claim(t, fast.tolerated == want, want ? "tolerance: not tolerated, but it is" : "tolerance: tolerated, but it is not");
    if (hf_random_below(random, 3) == 0) {
        read_along(t, t->slow[t->asked], random, &slow);
        fixture_ok(&t->fx, hf_tolerance_measure(t->fx.cx, &t->fx.rule, plan, t->criterion[t->asked], &shown));
        claim(t, slow.tolerated == want, "the judge of the relation differs");
        if (a->name != CRITERIA_SWITCHES) {
            compare_measures(t, &slow, &shown);
            compare_measures(t, &fast, &slow);
        }
    }
}

/* The sets to look at: single ones and pairs, random ones, all but one, all. */
static void draw_set(trial *t, uint32_t i, hf_random *random) {
    const uint32_t m = t->fx.universe->n_component, few = i < 2 ? 1 : 2;
    t->f = i < FEW ? few : i < FEW + RANDOM ? (uint32_t)hf_random_below(random, m + 1) : i == SETS - 1 ? m : m - 1;
    t->f = t->f < m ? t->f : m;
    hf_random_subset(random, m, t->f, t->component);
}

/* Where only a share of them is made, every kind is made in some universe. */
static void compare_sets(trial *t, uint32_t seed) {
    for (uint32_t i = seed % share_step(); i < SETS; i += share_step()) {
        const hf_mark mark = hf_scratch_mark(t->fx.cx);
        hf_random random;
        hf_fault_set set;
        hf_plan plan;
        hf_random_init(&random, i, HF_PURPOSE_TEST, seed);
        draw_set(t, i, &random);
        fixture_plan_set(&t->fx, t->component, t->f, &set, &plan);
        for (t->asked = 0; t->asked < N_ASKED; t->asked++) {
            compare_criterion(t, &plan, &random);
        }
        hf_scratch_reset(t->fx.cx, mark);
    }
}

static void compare_universe(trial *t, uint32_t seed) {
    t->component = calloc(t->fx.universe->n_component + 1, sizeof *t->component);
    for (size_t i = 0; i < N_ASKED; i++) {
        t->criterion[i] = fixture_criterion(&t->fx, criteria[i].spec);
        fixture_ok(&t->fx, hf_judge_new(t->fx.cx, t->fx.universe, &t->fx.rule, t->criterion[i], &t->fast[i]));
        fixture_ok(&t->fx, hf_judge_new_relation(t->fx.cx, t->fx.universe, &t->fx.rule, t->criterion[i], &t->slow[i]));
    }
    compare_sets(t, seed);
    for (size_t i = 0; i < N_ASKED; i++) {
        hf_judge_free(t->fast[i]);
        hf_judge_free(t->slow[i]);
    }
    free(t->component);
}

/* A terminal may then be cut off that nobody sends to. */
static void give_flows(trial *t) {
    enum { FLOWS = 2 };
    hf_random random;
    hf_random_init(&random, 0, HF_PURPOSE_TEST, t->fx.topo->n_terminal);
    hf_flow_list_free(t->fx.rule.flows); /* the rule's own */
    t->fx.rule.flows = fixture_flows(&t->fx, &random, FLOWS);
}

static void try_rule(const char *topo, const char *rule, bool try_flows, uint64_t verdicts[2]) {
    for (uint32_t u = 0; u < (uint32_t)N_UNIVERSE + try_flows; u++) {
        const bool has_flows = u == N_UNIVERSE;
        trial t = {.universe = has_flows ? "terminal-links" : universes[u]};
        fixture_open(&t.fx, topo, NULL, NULL);
        const bool fits = t.fx.topo->n_terminal <= TERMINALS_MAX && hf_rule_init(t.fx.cx, rule, t.fx.topo, &t.fx.rule) == HF_OK;
        if (fits && has_flows && t.fx.topo->n_terminal > 1) {
            give_flows(&t);
        }
        if (fits && hf_universe_new(t.fx.cx, t.fx.topo, t.universe, NULL, &t.fx.universe) == HF_OK) {
            compare_universe(&t, has_flows ? 0 : u);
        }
        verdicts[0] += t.verdicts[0];
        verdicts[1] += t.verdicts[1];
        fixture_close(&t.fx);
        if (!fits) {
            return;
        }
    }
}

static void the_criterion_decides(void **state) {
    (void)state;
    static char rule[VARIANTS_MAX][SPEC_SIZE];
    uint64_t verdicts[2] = {0};
    for (size_t r = 0; r < hf_routing_count(); r++) {
        const size_t n_rule = list_variants(hf_routing_at(r), rule);
        for (size_t v = 0; v < n_rule; v++) {
            for (size_t i = 0; i < N_TOPOLOGY_SPEC; i++) {
                try_rule(topology_specs[i], rule[v], (v + i) % FLOWS_EVERY == 0, verdicts);
            }
        }
    }
    print_message("%llu verdicts: tolerated, %llu: not\n", (unsigned long long)verdicts[1], (unsigned long long)verdicts[0]);
    assert_true(verdicts[0] > 1000 && verdicts[1] > 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_criterion_decides)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
