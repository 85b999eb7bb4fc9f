/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  How many faults are tolerated agrees with every fault set judged one by one; walks that may end early draw the sets of
 *  campaigns and end at the first that decides. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/combination.h>
#include <holdfast/question.h>

#include "tests/oracle/fixture.h"
#include "tests/support/rows.h"

/** The largest f up to which every set is tolerated, set by set. */
static uint32_t slow_tolerance(fixture *fx) {
    uint32_t set[64];
    for (uint32_t f = 1; f <= fx->universe->n_component; f++) {
        uint64_t sets;
        assert_true(hf_binomial(fx->universe->n_component, f, &sets));
        for (uint64_t i = 0; i < sets; i++) {
            const hf_mark mark = hf_scratch_mark(fx->cx);
            hf_fault_set faults;
            hf_plan plan;
            hf_verdict v;
            hf_lex_unrank(fx->universe->n_component, f, i, set);
            fixture_plan_set(fx, set, f, &faults, &plan);
            fixture_ok(fx, hf_tolerance_judge(fx->cx, &plan, fixture_criterion(fx, "all-pairs"), false, &v));
            hf_scratch_reset(fx->cx, mark);
            if (!v.tolerated) {
                return f - 1;
            }
        }
    }
    return fx->universe->n_component;
}

static hf_tolerated find(fixture *fx, uint32_t faults_most, uint64_t samples, uint64_t seed, uint32_t threads) {
    const hf_tolerated_request request = {.universe = fx->universe,
                                          .rule = &fx->rule,
                                          .criterion = fixture_criterion(fx, "all-pairs"),
                                          .faults_most = faults_most,
                                          .samples = samples,
                                          .seed = seed,
                                          .threads = threads};
    hf_tolerated out;
    fixture_ok(fx, hf_tolerated_find(fx->cx, &request, &out));
    return out;
}

static void what_every_set_says(void **state) {
    (void)state;
    static const struct {
        const char *topo, *rule, *universe;
    } cases[] = {{"kary-tree:k=3,n=2", "updown", "links"},          {"kary-tree:k=2,n=2", "destro", "channels"},
                 {"torus:dims=3x3", "updown-graph", "links"},       {"mesh:dims=2x3", "dor", "links"},
                 {"complete:n=5", "updown-graph", "links"},         {"hyperx:dims=3x3", "minimal", "links"},
                 {"kary-tree:k=2,n=2", "updown", "links+switches"}, {"ruft:k=2,n=2", "ruft", "links"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture fx;
        fixture_open(&fx, cases[i].topo, cases[i].universe, cases[i].rule);
        const uint32_t want = slow_tolerance(&fx);
        static const uint64_t sets[] = {1, 5, 100000};
        for (size_t k = 0; k < 3; k++) {
            const hf_tolerated t = find(&fx, 8, sets[k], 1, (uint32_t)(1 + k));
            if (t.least > want || t.most < want || t.faults < t.least || t.faults > t.most ||
                (t.proof == HF_TOLERATED_EXACT && t.faults != want) || (k == 2 && t.proof == HF_TOLERATED_SAMPLED)) {
                fail_msg("%s, %s, %s: %u in [%u, %u] by %s, want %u", cases[i].topo, cases[i].rule, cases[i].universe, t.faults,
                         t.least, t.most, hf_tolerated_proof_name(t.proof), want);
            }
        }
        fixture_close(&fx);
    }
}

/* ---- the samples are those of campaigns ---- */

enum { SAMPLES = 40 };

/* A judge that notes every set that a campaign reads, and takes it as tolerated. */
typedef struct noting {
    hf_judge base;
    uint32_t set[8], depth;
    uint32_t (*seen)[8]; /* the sets in the order in which they are read */
    uint32_t n_seen;
} noting;

static hf_status note_push(hf_context *cx, hf_judge *base, uint32_t component) {
    (void)cx;
    noting *j = (noting *)base;
    j->set[j->depth++] = component;
    return HF_OK;
}
static void note_pop(hf_judge *base) { ((noting *)base)->depth--; }
static hf_status note_read(hf_context *cx, hf_judge *base, hf_measure *out) {
    (void)cx;
    noting *j = (noting *)base;
    assert_true(j->n_seen < SAMPLES);
    memcpy(j->seen[j->n_seen++], j->set, sizeof j->set);
    *out = (hf_measure){.tolerated = true};
    return HF_OK;
}
static void note_free(hf_judge *base) { (void)base; }
static const hf_judge_ops note_ops = {.push = note_push, .pop = note_pop, .read = note_read, .free = note_free};

static hf_status note_judge(hf_context *cx, void *user, const hf_universe *universe, const hf_rule *rule, hf_judge **out) {
    (void)cx;
    (void)universe;
    (void)rule;
    *out = user;
    return HF_OK;
}

static bool is_tolerated(fixture *fx, const uint32_t *set, uint32_t f) {
    const hf_mark mark = hf_scratch_mark(fx->cx);
    hf_fault_set faults;
    hf_plan plan;
    hf_verdict v;
    fixture_plan_set(fx, set, f, &faults, &plan);
    fixture_ok(fx, hf_tolerance_judge(fx->cx, &plan, fixture_criterion(fx, "all-pairs"), false, &v));
    hf_scratch_reset(fx->cx, mark);
    return v.tolerated;
}

/* The sets of a sampled campaign, one after the other. */
static void see_campaign(fixture *fx, uint32_t f, uint64_t seed, uint32_t (*seen)[8]) {
    noting judge = {.base = {.ops = &note_ops}, .seen = seen};
    const hf_inquiry inquiry = {.key = "test", .user = &judge, .judge = note_judge};
    hf_campaign c = rows_campaign(fx, "all-pairs", &f, 1);
    c.criterion = NULL;
    c.inquiry = &inquiry;
    c.method = HF_METHOD_SAMPLED;
    c.samples = SAMPLES;
    c.seed = seed;
    hf_result_free(rows_run(fx, &c));
    assert_int_equal(judge.n_seen, SAMPLES);
}

/* A campaign that ends at a lost set. */
static hf_row ends_at(fixture *fx, const hf_sets *sets, uint32_t threads) {
    hf_result *result;
    const hf_campaign c = {.universe = fx->universe,
                           .rule = &fx->rule,
                           .criterion = fixture_criterion(fx, "all-pairs"),
                           .f = &sets->f,
                           .n_f = 1,
                           .method = HF_METHOD_SAMPLED,
                           .samples = sets->n,
                           .seed = sets->seed,
                           .threads = threads,
                           .use_relation = true,
                           .until_lost = true};
    fixture_ok(fx, hf_campaign_run(fx->cx, &c, &result));
    const hf_row row = result->row[0];
    hf_result_free(result);
    return row;
}

/* A walk over the first n of them knows what they show. */
static void draws_what_campaigns_draw(void **state) {
    (void)state;
    fixture fx;
    uint32_t seen[SAMPLES][8] = {{0}}, n_telling = 0;
    fixture_open(&fx, "mesh:dims=4x4", "links", "updown-graph");
    for (uint64_t seed = 0; seed < 12; seed++) {
        uint32_t f = 3, first_bad = 0;
        see_campaign(&fx, f, seed, seen);
        const hf_sets sets_of_seed = hf_sets_of(fx.universe->n_component, f, SAMPLES, seed);
        assert_true(!sets_of_seed.is_all && sets_of_seed.n == SAMPLES);
        for (uint32_t i = 0; i < SAMPLES; i++) {
            uint32_t set[3];
            hf_sets_get(&sets_of_seed, i, set);
            assert_memory_equal(set, seen[i], sizeof set);
        }
        while (first_bad < SAMPLES && is_tolerated(&fx, seen[first_bad], f)) {
            first_bad++;
        }
        n_telling += first_bad > 0 && first_bad < SAMPLES;
        for (uint32_t sets = 1; sets <= SAMPLES; sets++) {
            const hf_sets few = hf_sets_of(fx.universe->n_component, f, sets, seed);
            const bool all_tolerated = ends_at(&fx, &few, 1 + sets % 3).tally.not_tolerated == 0;
            if (all_tolerated != (sets <= first_bad)) {
                fail_msg("seed %d, %u sets: the first that is not tolerated is number %u", (int)seed, sets, first_bad);
            }
        }
    }
    assert_true(n_telling > 6);
    fixture_close(&fx);
}

/* In one thread no set is looked at behind the first that decides. */
static void ends_at_the_first(void **state) {
    (void)state;
    fixture fx;
    uint32_t seen[SAMPLES][8] = {{0}}, first_bad = 0;
    fixture_open(&fx, "mesh:dims=4x4", "links", "updown-graph");
    see_campaign(&fx, 3, 7, seen);
    while (first_bad < SAMPLES && is_tolerated(&fx, seen[first_bad], 3)) {
        first_bad++;
    }
    const hf_sets sets = hf_sets_of(fx.universe->n_component, 3, SAMPLES, 7);
    const hf_tally found = ends_at(&fx, &sets, 1).tally;
    assert_int_equal(found.not_tolerated, first_bad < SAMPLES);
    assert_int_equal(found.sets, first_bad < SAMPLES ? first_bad + 1 : SAMPLES);
    fixture_close(&fx);
}

/* The components at a switch with terminals, where fewest end: counted one by one, and their loss is not tolerated. */
static void cuts(void **state) {
    (void)state;
    static const struct {
        const char *topo, *rule, *universe;
        uint32_t n;
    } cases[] = {{"torus:dims=4x4", "updown-graph", "links", 4},
                 {"torus:dims=4x4", "updown-graph", "channels", 8},
                 {"mesh:dims=3x3", "dor", "links", 2},
                 {"kary-tree:k=3,n=2", "updown", "links", 3},
                 {"ring:n=2", "dor", "links", 0},
                 {"complete:n=5", "updown-graph", "links", 4},
                 {"kary-tree:k=2,n=2", "updown", "switches", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture fx;
        uint32_t set[64], n;
        fixture_open(&fx, cases[i].topo, cases[i].universe, cases[i].rule);
        fixture_ok(&fx, hf_cut_find(fx.cx, fx.universe, set, &n));
        if (cases[i].n > 0 && n != cases[i].n) {
            fail_msg("%s, %s: %u components, want %u", cases[i].topo, cases[i].universe, n, cases[i].n);
        }
        for (uint32_t k = 1; k < n; k++) {
            assert_true(set[k - 1] < set[k]);
        }
        assert_true(n == 0 || !is_tolerated(&fx, set, n));
        fixture_close(&fx);
    }
}

/* Simulations over fault sets run under the first of them that are tolerated. */
static void simulations_draw_what_campaigns_draw(void **state) {
    (void)state;
    static const hf_argument arguments[] = {{"topology", "mesh:dims=4x4"},
                                            {"routing", "updown-graph"},
                                            {"faults", "5"},
                                            {"runs", "20"},
                                            {"seed", "5"},
                                            {"load", "0.1"},
                                            {"window", "10"},
                                            {"batches", "2"},
                                            {"warm-up", "8"}};
    fixture fx;
    uint32_t seen[SAMPLES][8] = {{0}}, at = 0;
    hf_report answer;
    fixture_open(&fx, "mesh:dims=4x4", "links", "updown-graph");
    see_campaign(&fx, 5, 5, seen);
    fixture_ok(&fx, hf_ask(fx.cx, "simulate", arguments, sizeof arguments / sizeof *arguments, &answer));
    assert_int_equal(hf_report_value(&answer, "sets", 0, "sets")->count, 20);
    for (size_t i = 0; i < 20; i++) {
        char names[512] = "";
        while (at < SAMPLES && !is_tolerated(&fx, seen[at], 5)) {
            at++;
        }
        for (size_t k = 0, size = 0; k < 5; k++) {
            size += (size_t)snprintf(names + size, sizeof names - size, "%s", k ? "," : "");
            hf_universe_name(fx.universe, seen[at][k], names + size, sizeof names - size);
            size += strlen(names + size);
        }
        assert_string_equal(hf_report_value(&answer, "runs", i, "set")->word, names);
        at++;
    }
    assert_true(at > 20 && at <= SAMPLES);
    assert_int_equal(hf_report_value(&answer, "sets", 0, "looked_at")->count, at);
    fixture_close(&fx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_every_set_says), cmocka_unit_test(draws_what_campaigns_draw),
                                       cmocka_unit_test(ends_at_the_first), cmocka_unit_test(cuts),
                                       cmocka_unit_test(simulations_draw_what_campaigns_draw)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
