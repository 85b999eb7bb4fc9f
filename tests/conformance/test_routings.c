/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Every listed routing, with every value of its parameters taken one at a time, on small instances of every listed topology
 *  that it accepts, is held to what its descriptor claims: under no fault and under random fault sets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/analysis/cost.h>
#include <holdfast/core/bitset.h>
#include <holdfast/core/combination.h>
#include <holdfast/core/random.h>

#include "src/analysis/paths/walk.h"
#include "src/topology/search.h"
#include "tests/conformance/variants.h"
#include "tests/oracle/dependencies.h"
#include "tests/oracle/fixture.h"
#include "tests/oracle/order.h"
#include "tests/support/share.h"

static const char *const universes[] = {"channels", "links", "switches", "terminal-links", "links+switches"};
enum { N_UNIVERSE = sizeof universes / sizeof *universes, SETS = 5, F_MAX = 8, CRITERIA_MAX = 8 };

/* Does it need another parameter beside? Then a line of rule_specs has both. */
static bool is_incomplete(const char *rule) {
    bool holds = false;
    for (size_t i = 0; i < N_INCOMPLETE_RULE; i++) {
        holds |= strcmp(rule, incomplete_rules[i]) == 0;
    }
    return holds;
}

/* ---- one plan ---- */

/* A rule on a topology, and where we are. */
typedef struct trial {
    fixture fx;
    const char *universe;
    uint64_t seed;
    const hf_plan *plan;
    hf_walk walk;
    hf_hop *hops, *again;
    uint32_t *distance, *healthy, *queue;
    hf_judge *fast[CRITERIA_MAX], *slow[CRITERIA_MAX]; /* of the universe, by criterion */
} trial;

static void claim(const trial *t, bool holds, const char *what) {
    if (!holds) {
        print_error("%s on %s, %s, seed %llu: %s\n", t->fx.rule.spec, t->fx.topo->spec, t->universe, (unsigned long long)t->seed,
                    what);
        fail();
    }
}

static void *scratch(trial *t, size_t count, size_t size) {
    void *block;
    fixture_ok(&t->fx, hf_scratch(t->fx.cx, count, size, &block));
    return block;
}

static void begin(trial *t, const hf_plan *plan) {
    t->plan = plan;
    t->hops = scratch(t, plan->max_hops, sizeof *t->hops);
    t->again = scratch(t, plan->max_hops, sizeof *t->again);
    t->distance = scratch(t, t->fx.topo->n_node, sizeof *t->distance);
    t->healthy = scratch(t, t->fx.topo->n_node, sizeof *t->healthy);
    t->queue = scratch(t, t->fx.topo->n_node, sizeof *t->queue);
    fixture_ok(&t->fx, hf_walk_init(t->fx.cx, t->fx.topo, &t->walk));
}

static size_t hops_at(const trial *t, const hf_plan *plan, uint32_t state, hf_hop *hops) {
    return hf_plan_route(plan, t->walk.at[state], t->walk.in[state], t->walk.destination, hops);
}

static void check_hops(const trial *t, uint32_t state) {
    const hf_topology *topo = t->fx.topo;
    const unsigned traits = hf_plan_traits(t->plan);
    const uint32_t at = t->walk.at[state];
    const size_t count = hops_at(t, t->plan, state, t->hops);
    claim(t, count <= t->plan->max_hops, "more hops than max_hops");
    claim(t, count <= 1 || (traits & HF_ROUTING_ADAPTIVE), "several hops, but not adaptive");
    for (size_t i = 0; i < count; i++) {
        const hf_hop hop = t->hops[i];
        claim(t, hop.channel < topo->n_channel && topo->from[hop.channel] == at, "a hop that does not start here");
        claim(t, hop.vc < t->plan->n_vc, "a virtual channel that does not exist");
        claim(t, !(traits & HF_ROUTING_FAULT_AWARE) || !hf_bit_test(t->plan->faults->channel_set, hop.channel),
              "a hop over a failed channel, but fault-aware");
        claim(t, !(traits & HF_ROUTING_MINIMAL) || t->distance[topo->to[hop.channel]] + 1 == t->distance[at],
              "a hop that does not lead nearer, but minimal");
        for (size_t j = 0; j < i; j++) {
            claim(t, !hf_hop_is(t->hops[j], hop), "the same hop twice");
        }
    }
}

/* ALL_MINIMAL: exactly the hops on healthy ways that are as short as without faults. SHORTEST: as short as they can be now.
 *  \param[in] least of every node */
static void check_all_minimal(const trial *t, uint32_t state, const uint32_t *least) {
    const hf_topology *topo = t->fx.topo;
    const uint32_t at = t->walk.at[state];
    const size_t count = hops_at(t, t->plan, state, t->hops);
    for (uint32_t i = topo->out_begin[at]; i < topo->out_begin[at + 1]; i++) {
        const uint32_t c = topo->out_list[i], to = topo->to[c];
        const bool wanted =
            !hf_bit_test(t->plan->faults->channel_set, c) && t->healthy[to] != HF_NONE && t->healthy[to] + 1 == least[at];
        bool offered = false;
        for (size_t h = 0; h < count; h++) {
            offered |= t->hops[h].channel == c;
        }
        claim(t, offered == wanted, "not exactly the healthy minimal paths");
    }
}

static void note_dependencies(const trial *t, uint64_t *next, uint32_t n) {
    for (uint32_t s = t->fx.topo->n_terminal; s < t->walk.n_state; s++) {
        const hf_hop in = t->walk.in[s];
        const size_t count = hops_at(t, t->plan, s, t->hops);
        for (size_t i = 0; i < count; i++) {
            const uint32_t a = in.channel * t->plan->n_vc + in.vc, b = t->hops[i].channel * t->plan->n_vc + t->hops[i].vc;
            hf_bit_set(next, (size_t)a * n + b);
        }
    }
}

static bool same_hops(const hf_hop *a, size_t n, const hf_hop *b, size_t m) {
    bool is_same = n == m;
    for (size_t i = 0; i < n && is_same; i++) {
        is_same = hf_hops_hold(b, m, a[i]);
    }
    return is_same;
}

/* Are packets for two destinations, at a place or at two, offered the same, and the same as escape? */
static bool are_alike(const trial *t, uint32_t at, hf_hop in, uint32_t d, hf_hop other_in, uint32_t other) {
    const hf_routing *routing = t->plan->routing;
    size_t n = hf_plan_route(t->plan, at, in, d, t->hops), m = hf_plan_route(t->plan, at, other_in, other, t->again);
    bool is_same = same_hops(t->hops, n, t->again, m);
    if (routing->escape && is_same) {
        n = routing->escape(t->plan, at, in, d, t->hops);
        m = routing->escape(t->plan, at, other_in, other, t->again);
        is_same = same_hops(t->hops, n, t->again, m);
    }
    return is_same;
}

/* What a rule says that packets for one destination share: arrivals at one switch with one number. */
static void check_arrivals(const trial *t) {
    const hf_likeness *like = hf_likeness_of(t->plan);
    for (uint32_t s = t->fx.topo->n_terminal; s < t->walk.n_state && like->arrival; s++) {
        const uint32_t number = like->arrival(t->plan, t->walk.in[s]);
        const uint32_t d = t->walk.destination;
        claim(t, number != HF_NONE, "an arrival without a number");
        for (uint32_t r = t->fx.topo->n_terminal; r < s; r++) {
            if (t->walk.at[r] == t->walk.at[s] && like->arrival(t->plan, t->walk.in[r]) == number) {
                claim(t, are_alike(t, t->walk.at[s], t->walk.in[s], d, t->walk.in[r], d), "arrivals alike are not treated so");
                break;
            }
        }
    }
}

static bool is_of_switch(const hf_topology *topo, uint32_t node, uint32_t sw) {
    return node == sw || (hf_topology_is_terminal(topo, node) && topo->terminal_switch[node - topo->n_switch] == sw);
}

/* The switch that alone leads to a terminal, over one healthy channel; HF_NONE: there is none. */
static uint32_t only_switch(const trial *t, uint32_t terminal) {
    const hf_topology *topo = t->fx.topo;
    const uint32_t v = topo->n_switch + terminal, c = topo->in_begin[v];
    const bool is_one = topo->in_begin[v + 1] - c == 1 && !hf_bit_test(t->plan->faults->channel_set, topo->in_list[c]) &&
                        !hf_topology_is_terminal(topo, topo->from[topo->in_list[c]]);
    return is_one ? topo->from[topo->in_list[c]] : HF_NONE;
}

/* What it says that two destinations share, at places where packets for both can be: those of one switch, and of one run. */
static void check_likeness(trial *t, uint32_t d, uint32_t other) {
    const hf_topology *topo = t->fx.topo;
    const hf_likeness *like = hf_likeness_of(t->plan);
    const uint32_t low = d < other ? d : other, high = d < other ? other : d, sw = only_switch(t, d);
    const bool shares = like->by_switch && sw != HF_NONE && sw == only_switch(t, other);
    const uint32_t *place = order_places(&t->fx, t->plan);
    hf_walk far;
    if (d == other || (!shares && !like->run && !place) || !hf_plan_is_live(t->plan, other)) {
        return;
    }
    fixture_ok(&t->fx, hf_walk_init(t->fx.cx, topo, &far));
    fixture_ok(&t->fx, hf_walk_explore(t->fx.cx, &far, t->plan, other));
    for (uint32_t s = 0; s < t->walk.n_state; s++) {
        const uint32_t at = t->walk.at[s];
        const hf_hop in = t->walk.in[s];
        const bool is_source = s < topo->n_terminal;
        if (is_source ? s == d || s == other || !hf_plan_is_live(t->plan, s) : !hf_walk_has(&far, in)) {
            continue;
        }
        const uint32_t end = like->run ? like->run(t->plan, at, in, low) : low + 1;
        claim(t, end > low, "a run that does not end above its destination");
        if (end > high || (shares && !is_of_switch(topo, at, sw)) || (place && order_joins(t->plan, place, at, in, d, other))) {
            claim(t, are_alike(t, at, in, d, in, other), "destinations alike are not treated so");
        }
    }
}

static void check_plan(trial *t) {
    const hf_topology *topo = t->fx.topo;
    const unsigned traits = hf_plan_traits(t->plan);
    const uint32_t n = topo->n_channel * t->plan->n_vc;
    uint64_t *next = scratch(t, hf_words((size_t)n * n), sizeof *next);
    for (uint32_t d = 0; d < topo->n_terminal; d++) {
        hf_distances(topo, NULL, topo->n_switch + d, true, t->queue, t->distance);
        hf_distances(topo, t->plan->faults->channel_set, topo->n_switch + d, true, t->queue, t->healthy);
        fixture_ok(&t->fx, hf_walk_explore(t->fx.cx, &t->walk, t->plan, d));
        for (uint32_t s = 0; s < t->walk.n_state; s++) {
            if (s == d) {
                continue;
            }
            check_hops(t, s);
            if (traits & HF_ROUTING_ALL_MINIMAL) {
                check_all_minimal(t, s, t->distance);
            }
            if (traits & HF_ROUTING_SHORTEST) {
                check_all_minimal(t, s, t->healthy);
            }
        }
        note_dependencies(t, next, n);
        check_arrivals(t);
        check_likeness(t, d, (d + 1 + (uint32_t)(t->seed + d) % 5) % topo->n_terminal);
        if (hf_likeness_of(t->plan)->order) {
            check_likeness(t, d, (d + topo->n_terminal / 2) % topo->n_terminal);
        }
    }
    claim(t, !(traits & HF_ROUTING_ACYCLIC) || !dependencies_have_cycle(next, n), "a cycle of channel dependencies, but acyclic");
}

/* ---- several plans ---- */

static bool tolerates(trial *t, const uint32_t *component, uint32_t f) {
    hf_fault_set set;
    hf_plan plan;
    hf_verdict verdict;
    const hf_mark mark = hf_scratch_mark(t->fx.cx);
    fixture_plan_set(&t->fx, component, f, &set, &plan);
    fixture_ok(&t->fx, hf_tolerance_judge(t->fx.cx, &plan, fixture_criterion(&t->fx, "all-pairs"), false, &verdict));
    hf_scratch_reset(t->fx.cx, mark);
    return verdict.tolerated;
}

static void check_chain(trial *t, hf_random *random) {
    uint32_t component[F_MAX];
    const uint32_t m = t->fx.universe->n_component, f = m < F_MAX ? m : F_MAX;
    if (!(hf_rule_traits(&t->fx.rule) & HF_ROUTING_MONOTONE)) {
        return;
    }
    hf_random_subset(random, m, f, component);
    hf_random_shuffle(random, component, f);
    bool before = true;
    for (uint32_t i = 0; i <= f; i++) {
        const bool now = tolerates(t, component, i);
        claim(t, before || !now, "a superset of a not tolerated set is tolerated, but monotone");
        before = now;
    }
}

static void check_order(trial *t, const uint32_t *component, uint32_t f, hf_random *random) {
    uint32_t shuffled[F_MAX];
    hf_fault_set set;
    hf_plan other;
    if (!(hf_rule_traits(&t->fx.rule) & HF_ROUTING_ORDER_FREE)) {
        return;
    }
    memcpy(shuffled, component, f * sizeof *shuffled);
    hf_random_shuffle(random, shuffled, f);
    fixture_plan_set(&t->fx, shuffled, f, &set, &other);
    claim(t, !other.uses_order, "the plan uses the order, but is order-free");
    for (uint32_t d = 0; d < t->fx.topo->n_terminal; d++) {
        fixture_ok(&t->fx, hf_walk_explore(t->fx.cx, &t->walk, t->plan, d));
        for (uint32_t s = 0; s < t->walk.n_state; s++) {
            const size_t count = hops_at(t, t->plan, s, t->hops);
            bool same = count == hops_at(t, &other, s, t->again);
            for (size_t i = 0; i < count && same; i++) {
                same = hf_hop_is(t->hops[i], t->again[i]);
            }
            claim(t, same, "another order gives other hops, but order-free");
        }
    }
}

/* The plan under faults says at every state, failed or not, what the plan without faults says there; a third of the destinations
 * in each trial, as its number falls. */
static void check_blind(trial *t) {
    hf_fault_set none;
    hf_plan freely;
    if (!(hf_rule_traits(&t->fx.rule) & HF_ROUTING_BLIND)) {
        return;
    }
    claim(t, !(hf_rule_traits(&t->fx.rule) & (HF_ROUTING_FAULT_AWARE | HF_ROUTING_REACHED)), "blind, and yet it avoids faults");
    fixture_ok(&t->fx, hf_no_faults(t->fx.cx, t->fx.topo, &none));
    fixture_ok(&t->fx, hf_plan_make(t->fx.cx, &t->fx.rule, &none, &freely));
    claim(t, !t->plan->live && !t->plan->relays, "blind, and yet its plans take terminals out of service");
    for (uint32_t d = (uint32_t)(t->seed % 3); d < t->fx.topo->n_terminal; d += 3) {
        fixture_ok(&t->fx, hf_walk_explore(t->fx.cx, &t->walk, &freely, d));
        for (uint32_t s = 0; s < t->walk.n_state; s++) {
            const size_t count = hops_at(t, t->plan, s, t->hops);
            bool same = count == hops_at(t, &freely, s, t->again);
            for (size_t i = 0; i < count && same; i++) {
                same = hf_hop_is(t->hops[i], t->again[i]);
            }
            claim(t, same, "faults change the hops, but blind");
        }
    }
}

static void read_along(const trial *t, hf_judge *judge, const uint32_t *component, uint32_t f, hf_measure *out) {
    for (uint32_t i = 0; i < f; i++) {
        fixture_ok(&t->fx, judge->ops->push(t->fx.cx, judge, component[i]));
    }
    hf_measure alone = {0};
    fixture_ok(&t->fx, judge->ops->verdict ? judge->ops->verdict(t->fx.cx, judge, &alone) : HF_OK);
    fixture_ok(&t->fx, judge->ops->read(t->fx.cx, judge, out));
    claim(t, !judge->ops->verdict || alone.tolerated == out->tolerated, "the verdict alone differs from the one measured");
    for (uint32_t i = 0; i < f; i++) {
        judge->ops->pop(judge);
    }
}

/* Intervals of sampled means rest on it. */
static void check_bounds_of_measures(const trial *t, const hf_measure *m) {
    const hf_routing *routing = t->fx.rule.routing;
    for (size_t i = 0; hf_measures_of(routing)->extras && hf_measures_of(routing)->extras[i]; i++) {
        claim(t, (double)m->extra[i] <= hf_extra_most(&hf_measures_of(routing)->notes[i], t->fx.topo),
              "a measure is above its bound");
    }
}

/* The judges that campaigns use against those made of the relation. They live on from set to set, as in campaigns. */
static void check_judges(trial *t, const uint32_t *component, uint32_t f) {
    for (size_t i = 0; i < hf_criterion_count(); i++) {
        hf_measure have, want;
        read_along(t, t->fast[i], component, f, &have);
        read_along(t, t->slow[i], component, f, &want);
        claim(t, have.tolerated == want.tolerated, "judge and relation differ in the verdict");
        claim(t, !t->fast[i]->ops->tolerates || t->fast[i]->ops->tolerates(t->fast[i], component, f) == have.tolerated,
              "the verdict without the stack differs");
        claim(t, !have.has_victims || !want.has_victims || have.victims == want.victims, "judge and relation: victims");
        claim(t, !have.has_lost_paths || !want.has_lost_paths || have.lost_paths == want.lost_paths, "judged lost paths differ");
        check_bounds_of_measures(t, &have);
    }
}

/* The components that the set with index `rank` adds to the present one, of those with r more from `above` on. */
static void unrank(const trial *t, uint32_t above, uint32_t r, uint64_t rank, uint32_t *more) {
    hf_lex_unrank(t->fx.universe->n_component - above, r, rank, more);
    for (uint32_t i = 0; i < r; i++) {
        more[i] += above;
    }
}

/* Verdicts of all sets present + r components above the last pushed, one after the other by reading. */
static void count_by_reading(const trial *t, hf_judge *judge, uint32_t above, uint32_t r, uint64_t lo, uint64_t hi, uint64_t *bad,
                             uint64_t *first) {
    uint32_t more[2];
    *bad = 0;
    *first = UINT64_MAX;
    for (uint64_t rank = lo; rank < hi; rank++) {
        hf_measure measure;
        unrank(t, above, r, rank, more);
        read_along(t, judge, more, r, &measure);
        *bad += !measure.tolerated;
        *first = !measure.tolerated && rank < *first ? rank : *first;
    }
}

/* What the judge adds up against its own readings. */
static void check_sum(const trial *t, hf_judge *judge, uint32_t above, hf_random *random) {
    enum { MOST = 4, LOOK_AT = 60 };
    const uint32_t m = t->fx.universe->n_component;
    const uint32_t r = 1 + (uint32_t)hf_random_below(random, judge->ops->sum_most);
    uint32_t more[MOST];
    uint64_t histogram[2][65] = {{0}}, all = 0;
    assert_true(r <= MOST && hf_binomial(m - above, r, &all));
    const uint64_t lo = hf_random_below(random, all + 1), most = all - lo < LOOK_AT ? all - lo : LOOK_AT,
                   hi = lo + hf_random_below(random, most + 1);
    hf_judge_sum have = {.first = UINT64_MAX, .victims_histogram = histogram[0]}, want = {.first = UINT64_MAX};
    for (uint64_t i = lo; i < hi; i++) {
        hf_measure one;
        unrank(t, above, r, i, more);
        read_along(t, judge, more, r, &one);
        want.first = !one.tolerated && want.first == UINT64_MAX ? i : want.first;
        want.not_tolerated += !one.tolerated;
        want.lost_paths_sets += one.has_lost_paths;
        want.lost_paths += one.lost_paths;
        want.lost_paths_max = one.lost_paths > want.lost_paths_max ? one.lost_paths : want.lost_paths_max;
        want.victims += one.victims;
        want.victims_max = one.victims > want.victims_max ? one.victims : want.victims_max;
        histogram[1][one.victims ? 64 - __builtin_clzll(one.victims) : 0]++;
        claim(t, one.has_victims && one.outcome == 0, "a judge that adds up measures no victims, or has classes");
    }
    fixture_ok(&t->fx, judge->ops->sum(t->fx.cx, judge, r, lo, hi, &have));
    claim(t, have.victims == want.victims && have.victims_max == want.victims_max, "victims added up and read differ");
    claim(t, !have.has_victims || memcmp(histogram[0], histogram[1], sizeof *histogram) == 0,
          "a histogram added up and read differ");
    claim(t, have.first == want.first && have.not_tolerated == want.not_tolerated, "verdicts added up and read differ");
    claim(t,
          have.lost_paths_sets == want.lost_paths_sets && have.lost_paths_max == want.lost_paths_max &&
              have.lost_paths == want.lost_paths,
          "lost paths added up and read differ");
}

/* The lanes and the safe subtrees of the judge against its own readings, on a prefix of an ascending set. */
static void check_lanes(trial *t, const uint32_t *component, uint32_t f, hf_random *random) {
    hf_judge *judge = t->fast[hf_random_below(random, hf_criterion_count())];
    const uint32_t prefix = f < 4 ? f / 2 : 2;
    for (uint32_t i = 0; i < prefix; i++) {
        fixture_ok(&t->fx, judge->ops->push(t->fx.cx, judge, component[i]));
    }
    const uint32_t above = prefix > 0 ? component[prefix - 1] + 1 : 0;
    if (judge->ops->sum) {
        check_sum(t, judge, above, random);
    }
    for (uint32_t r = 1; r <= 2; r++) {
        uint64_t all, bad, first;
        assert_true(hf_binomial(t->fx.universe->n_component - above, r, &all));
        if (judge->ops->count) {
            const uint64_t lo = hf_random_below(random, all + 1), hi = lo + hf_random_below(random, all - lo + 1);
            uint64_t have_bad = 0, have_first = 0;
            count_by_reading(t, judge, above, r, lo, hi, &bad, &first);
            fixture_ok(&t->fx, judge->ops->count(t->fx.cx, judge, r, lo, hi, &have_bad, &have_first));
            claim(t, have_bad == bad && have_first == first, "lanes and readings of the judge differ");
        }
        if (judge->ops->safe && judge->ops->safe(judge, r)) {
            count_by_reading(t, judge, above, r, 0, all, &bad, &first);
            claim(t, bad == 0, "a safe subtree holds a set that is not tolerated");
        }
    }
    for (uint32_t i = 0; i < prefix; i++) {
        judge->ops->pop(judge);
    }
}

static bool is_register(const hf_register *reg) {
    static const char *const names[] = {"inclusion", "exclusion", "LIB..UIB", "MR"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(reg->name, names[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* Bits of ports, not an interval of terminals. */
static bool is_port_mask(const hf_topology *topo, const hf_register *reg) {
    return strcmp(reg->name, "RRR") == 0 && (topo->n_port_max >= 32 || reg->value.lo >> topo->n_port_max == 0);
}

static void check_registers(const trial *t) {
    const hf_topology *topo = t->fx.topo;
    for (uint32_t sw = 0; sw < topo->n_switch && t->plan->routing->registers; sw++) {
        for (uint32_t port = 0; port < topo->n_port_max; port++) {
            hf_register reg[8];
            const size_t all = t->plan->routing->registers(t->plan, sw, port, NULL, 0);
            const size_t some = t->plan->routing->registers(t->plan, sw, port, reg, 8);
            claim(t, all == some, "the number of registers depends on the room for them");
            claim(t, all == 0 || hf_topology_channel_at(topo, sw, port) != HF_NONE, "registers of a port that does not exist");
            for (size_t i = 0; i < some && i < 8; i++) {
                const bool is_within = reg[i].value.lo < topo->n_terminal && reg[i].value.hi < topo->n_terminal;
                claim(t, (is_register(&reg[i]) && is_within) || is_port_mask(topo, &reg[i]),
                      "a register without name or outside of the terminals");
            }
        }
    }
}

/* What it says of choices is what the relation says, and it says so of an outline. */
static void check_choices(const trial *t) {
    const hf_routing *routing = t->fx.rule.routing;
    hf_routing silent = *routing;
    hf_rule rule = t->fx.rule;
    rule.routing = &silent;
    hf_topology *outline;
    bool said, seen;
    if (!routing->chooses) {
        return;
    }
    silent.chooses = NULL;
    silent.traits |= HF_ROUTING_ADAPTIVE;
    fixture_ok(&t->fx, hf_rule_is_adaptive(t->fx.cx, t->fx.topo, &rule, &seen));
    fixture_ok(&t->fx, hf_topology_outline(t->fx.cx, t->fx.topo->spec, &outline));
    fixture_ok(&t->fx, routing->accepts ? routing->accepts(t->fx.cx, outline, &rule.args) : HF_OK);
    said = routing->chooses(outline, &rule.args);
    hf_topology_free(outline);
    claim(t, said == seen, "chooses() says what the relation says");
}

static void check_fault_free(trial *t) {
    hf_fault_set set;
    hf_plan plan;
    hf_verdict verdict;
    fixture_ok(&t->fx, hf_no_faults(t->fx.cx, t->fx.topo, &set));
    fixture_ok(&t->fx, hf_plan_make(t->fx.cx, &t->fx.rule, &set, &plan));
    begin(t, &plan);
    check_plan(t);
    check_choices(t);
    fixture_ok(&t->fx, hf_tolerance_judge(t->fx.cx, &plan, fixture_criterion(&t->fx, "all-pairs"), false, &verdict));
    claim(t, verdict.tolerated, "packets do not arrive without faults");
}

/* \param[in] first of the sets, where only a share of them is made */
static void check_random_sets(trial *t, uint32_t first) {
    for (uint32_t i = first; i < SETS; i += share_step()) {
        const hf_mark mark = hf_scratch_mark(t->fx.cx);
        hf_random random;
        hf_fault_set set;
        hf_plan plan;
        uint32_t component[F_MAX];
        const uint32_t m = t->fx.universe->n_component;
        t->seed = i;
        hf_random_init(&random, t->seed, HF_PURPOSE_TEST, 1);
        const uint32_t f = (uint32_t)hf_random_below(&random, (m < F_MAX ? m : F_MAX) + 1);
        hf_random_subset(&random, m, f, component);
        fixture_plan_set(&t->fx, component, f, &set, &plan);
        begin(t, &plan);
        check_plan(t);
        check_registers(t);
        check_order(t, component, f, &random);
        check_blind(t);
        check_judges(t, component, f);
        check_lanes(t, component, f, &random);
        check_chain(t, &random);
        hf_scratch_reset(t->fx.cx, mark);
    }
}

static void check_universe(trial *t, uint32_t u) {
    assert_true(hf_criterion_count() <= CRITERIA_MAX);
    for (size_t i = 0; i < hf_criterion_count(); i++) {
        const hf_criterion *criterion = fixture_criterion(&t->fx, hf_criterion_at(i)->name);
        fixture_ok(&t->fx, hf_judge_new(t->fx.cx, t->fx.universe, &t->fx.rule, criterion, &t->fast[i]));
        fixture_ok(&t->fx, hf_judge_new_relation(t->fx.cx, t->fx.universe, &t->fx.rule, criterion, &t->slow[i]));
    }
    check_random_sets(t, u % share_step());
    for (size_t i = 0; i < hf_criterion_count(); i++) {
        hf_judge_free(t->fast[i]);
        hf_judge_free(t->slow[i]);
    }
    hf_universe_free(t->fx.universe);
    t->fx.universe = NULL;
}

/* \return whether the rule takes the topology. */
static bool try_rule(const char *topo, const char *rule) {
    trial t = {.universe = "no faults"};
    fixture_open(&t.fx, topo, NULL, NULL);
    const bool is_accepted = hf_rule_init(t.fx.cx, rule, t.fx.topo, &t.fx.rule) == HF_OK;
    if (is_accepted) {
        check_fault_free(&t);
    }
    for (uint32_t u = 0; u < N_UNIVERSE && is_accepted; u++) {
        if (hf_universe_new(t.fx.cx, t.fx.topo, universes[u], NULL, &t.fx.universe) == HF_OK) {
            t.universe = universes[u];
            check_universe(&t, u);
        }
    }
    fixture_close(&t.fx);
    return is_accepted;
}

static void try_everywhere(const char *rule) {
    size_t accepted = 0;
    for (size_t i = 0; i < N_TOPOLOGY_SPEC; i++) {
        accepted += try_rule(topology_specs[i], rule);
    }
    if (accepted == 0 && !is_incomplete(rule)) {
        print_error("%s accepts no listed topology\n", rule);
        fail();
    }
}

static void routings_hold_what_they_claim(void **state) {
    const share_part *part = *state;
    static char rule[VARIANTS_MAX][SPEC_SIZE];
    for (size_t r = 0, i = 0; r < hf_routing_count(); r++) {
        for (size_t v = 0, n = list_variants(hf_routing_at(r), rule); v < n; v++, i++) {
            if (i % part->of == part->first) {
                try_everywhere(rule[v]);
            }
        }
    }
}

int main(int argc, char **argv) {
    share_part part;
    const struct CMUnitTest tests[] = {cmocka_unit_test_prestate(routings_hold_what_they_claim, &part)};
    return share_read(argc, argv, &part) ? cmocka_run_group_tests(tests, NULL, NULL) : 2;
}
