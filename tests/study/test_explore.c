/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Explorations: braces expand to what they say, the front is what no other beats, tolerance agrees with every fault set judged
 * one by one, and a run out of the store gives the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/combination.h>
#include <holdfast/core/random.h>

#include "src/study/explore.h"
#include "tests/oracle/fixture.h"
#include "tests/support/folder.h"
#include "tests/support/rows.h"

static hf_status join(hf_context *cx, void *user, const char *text) {
    (void)cx;
    strcat(user, text);
    strcat(user, ";");
    return HF_OK;
}

static void braces(void **state) {
    static const struct {
        const char *text, *want; /* NULL: refused */
    } cases[] = {{"plain:k=2", "plain:k=2;"},
                 {"a{1..3}b", "a1b;a2b;a3b;"},
                 {"{x|y,z}={2|5}", "x=2;x=5;y,z=2;y,z=5;"},
                 {"{8..8}", "8;"},
                 {"{1.5|2}", "1.5;2;"},
                 {"{3..1}", NULL},
                 {"{a||b}", NULL},
                 {"{}", NULL},
                 {"{a", NULL},
                 {"a}", NULL},
                 {"{a{b}}", NULL},
                 {"}{", NULL}};
    hf_context *cx = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char all[256] = "";
        const hf_status status = hf_explore_expand(cx, cases[i].text, join, all);
        assert_int_equal(status, cases[i].want ? HF_OK : HF_EINVAL);
        if (cases[i].want) {
            assert_string_equal(all, cases[i].want);
        }
    }
}

/** A design is on the front exactly if it is kept and no kept one is at least as good everywhere and better somewhere. */
static void front(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        enum { N = 12 };
        hf_random random;
        hf_design d[N];
        hf_random_init(&random, seed, HF_PURPOSE_TEST, 0);
        for (size_t i = 0; i < N; i++) {
            d[i] = (hf_design){.cost = (double)hf_random_below(&random, 4),
                               .throughput = (double)hf_random_below(&random, 4),
                               .tolerance = (uint32_t)hf_random_below(&random, 3),
                               .verdict = hf_random_below(&random, 4) ? HF_DESIGN_KEPT : HF_DESIGN_COST};
        }
        hf_designs_mark_front(d, N);
        for (size_t i = 0; i < N; i++) {
            bool want = d[i].verdict == HF_DESIGN_KEPT;
            for (size_t k = 0; k < N; k++) {
                const int better =
                    (d[k].cost < d[i].cost) + (d[k].throughput > d[i].throughput) + (d[k].tolerance > d[i].tolerance);
                const int worse =
                    (d[k].cost > d[i].cost) + (d[k].throughput < d[i].throughput) + (d[k].tolerance < d[i].tolerance);
                want &= !(d[k].verdict == HF_DESIGN_KEPT && better && !worse);
            }
            if (want != d[i].on_front) {
                fail_msg("seed %d, design %d", (int)seed, (int)i);
            }
        }
    }
}

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

static void tolerance(void **state) {
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
            const hf_exploration e = {
                .criterion = *fixture_criterion(&fx, "all-pairs"), .sets = sets[k], .seed = 1, .faults_most = 8};
            hf_design d = {0};
            fixture_ok(&fx, hf_design_tolerance(fx.cx, &e, &fx.rule, fx.universe, &d));
            if (d.least > want || d.most < want || d.tolerance < d.least || d.tolerance > d.most ||
                (d.proof == HF_TOLERANCE_EXACT && d.tolerance != want) || (k == 2 && d.proof == HF_TOLERANCE_SAMPLED)) {
                fail_msg("%s, %s, %s: %u in [%u, %u] by %s, want %u", cases[i].topo, cases[i].rule, cases[i].universe,
                         d.tolerance, d.least, d.most, hf_tolerance_proof_name(d.proof), want);
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
    noting judge = {.base = {&note_ops}, .seen = seen};
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

/* An exploration that looks at the first n of them knows what they show; so do walks. */
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
            bool all_tolerated, is_whole;
            const hf_exploration e = {.criterion = *fixture_criterion(&fx, "all-pairs"), .sets = sets, .seed = seed};
            fixture_ok(&fx, hf_design_look(fx.cx, &e, &fx.rule, fx.universe, f, &all_tolerated, &is_whole));
            if (is_whole || all_tolerated != (sets <= first_bad)) {
                fail_msg("seed %d, %u sets: the first that is not tolerated is number %u", (int)seed, sets, first_bad);
            }
        }
    }
    assert_true(n_telling > 6);
    fixture_close(&fx);
}

/* Simulations over fault sets run under the first of them that are tolerated. */
static void simulations_draw_what_campaigns_draw(void **state) {
    (void)state;
    static const hf_argument arguments[] = {{"topology", "mesh:dims=4x4"},
                                            {"routing", "updown-graph"},
                                            {"faults", "5"},
                                            {"samples", "20"},
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

static const char small[] = "schema: 1\nname: small\ntitle: Small\nreference: kary-tree:k=2,n=2\nterminals: 4..9\ncost: 3\n"
                            "designs:\n  - topology: \"kary-tree:k={2|3},n=2\"\n    routing: \"{updown|destro}\"\n"
                            "  - topology: \"ring:n={3..10}\"\n    routing: updown-graph\n";

static char *as_csv(hf_context *cx, const hf_exploration *e, const hf_exploration_options *options, size_t *from_store) {
    hf_designs *designs;
    hf_table table;
    hf_text text;
    assert_int_equal(hf_exploration_run(cx, e, options, &designs), HF_OK);
    assert_int_equal(designs->n, 12);
    *from_store = 0;
    for (size_t i = 0; i < designs->n; i++) {
        *from_store += designs->design[i].from_store;
    }
    assert_int_equal(hf_designs_table(cx, e, designs, true, &table), HF_OK);
    hf_text_init(cx, &text);
    assert_int_equal(hf_table_csv(cx, &table, &text), HF_OK);
    hf_designs_free(designs);
    return text.data;
}

static void threads_and_store(void **state) {
    hf_context *cx = *state;
    hf_exploration *e;
    hf_store *store;
    char folder[256], file[300];
    size_t stored;
    folder_open(folder, sizeof folder);
    folder_file(folder, "store.db", file, sizeof file);
    assert_int_equal(hf_exploration_parse(cx, "small", small, sizeof small - 1, &e), HF_OK);
    assert_int_equal(hf_store_open(cx, file, HF_STORE_WRITE, &store), HF_OK);
    char *first = as_csv(cx, e, &(hf_exploration_options){.threads = 1}, &stored);
    char *second = as_csv(cx, e, &(hf_exploration_options){.threads = 3, .store = store}, &stored);
    assert_int_equal(stored, 0);
    char *third = as_csv(cx, e, &(hf_exploration_options){.threads = 2, .store = store}, &stored);
    assert_int_equal(stored, 12);
    assert_string_equal(first, second);
    assert_string_equal(first, third);
    hf_release(hf_context_allocator(cx), first);
    hf_release(hf_context_allocator(cx), second);
    hf_release(hf_context_allocator(cx), third);
    hf_store_close(store);
    hf_exploration_free(e);
    folder_close(folder);
}

static int start(void **state) {
    *state = hf_context_new(NULL);
    return *state == NULL;
}
static int stop(void **state) {
    hf_context_free(*state);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(braces),
                                       cmocka_unit_test(front),
                                       cmocka_unit_test(tolerance),
                                       cmocka_unit_test(draws_what_campaigns_draw),
                                       cmocka_unit_test(simulations_draw_what_campaigns_draw),
                                       cmocka_unit_test(threads_and_store)};
    return cmocka_run_group_tests(tests, start, stop);
}
