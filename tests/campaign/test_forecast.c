/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What a campaign would take: how many sets are left, that random parts of all of them are looked at, and that it ends there.
 *  How good the times are is measured in bench/bench_forecast.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <holdfast/core/combination.h>
#include <holdfast/question.h>

#include "tests/support/rows.h"

static void ask(fixture *fx, hf_campaign *c, hf_forecast *forecast) {
    hf_result *result;
    *forecast = (hf_forecast){.seconds = 0.05};
    c->forecast = forecast;
    assert_int_equal(hf_campaign_run(fx->cx, c, &result), HF_ESTOP);
    assert_int_equal(result->n_row, c->n_f);
    for (size_t i = 0; i < result->n_row; i++) {
        assert_int_equal(result->row[i].tally.sets, 0);
        assert_false(result->row[i].is_complete);
    }
    hf_result_free(result);
}

static void sets(void **state) {
    (void)state;
    static const uint32_t f[] = {0, 1, 3, 4, 15, 16};
    static const struct {
        const char *topology, *routing;
        bool verdicts;
    } cases[] = {
        {"kary-tree:k=2,n=3", "updown", true}, {"kary-tree:k=2,n=3", "ft2ei", false}, {"torus:dims=3x3", "immunet", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture fx;
        hf_forecast forecast;
        fixture_open(&fx, cases[i].topology, "links", cases[i].routing);
        hf_campaign c = {.universe = fx.universe,
                         .rule = &fx.rule,
                         .criterion = fixture_criterion(&fx, "all-pairs"),
                         .f = f,
                         .n_f = sizeof f / sizeof *f,
                         .verdicts = cases[i].verdicts,
                         .threads = 2};
        ask(&fx, &c, &forecast);
        assert_int_equal(forecast.n_row, c.n_f);
        for (size_t r = 0; r < forecast.n_row; r++) {
            const hf_forecast_row *row = &forecast.row[r];
            uint64_t all;
            assert_true(hf_binomial(fx.universe->n_component, f[r], &all));
            assert_int_equal(row->f, f[r]);
            assert_true(row->left == (double)all && row->looked >= 1 && row->looked <= row->left);
            assert_true(row->core_s > 0 && row->bytes > 0 && row->threads >= 1 && row->is_shared);
        }
        fixture_close(&fx);
    }
}

/* A part is a part, and samples are samples. */
static void parts_and_samples(void **state) {
    (void)state;
    static const uint32_t f[] = {4, 9};
    fixture fx;
    hf_forecast forecast;
    fixture_open(&fx, "kary-tree:k=2,n=4", "links", "updown");
    hf_campaign c = {.universe = fx.universe,
                     .rule = &fx.rule,
                     .criterion = fixture_criterion(&fx, "all-pairs"),
                     .f = f,
                     .n_f = 1,
                     .part = 2,
                     .n_part = 4};
    ask(&fx, &c, &forecast);
    assert_true(forecast.row[0].left == 48645); /* C(48, 4) / 4 */
    c.part = c.n_part = 0;
    c.n_f = 2;
    c.method = HF_METHOD_SAMPLED;
    c.samples = 1000;
    ask(&fx, &c, &forecast);
    assert_string_equal(forecast.row[1].what, "samples");
    assert_true(forecast.row[1].left == 1000);
    fixture_close(&fx);
}

/* Smaller sizes are counted, up to all if they do not last. */
static void states(void **state) {
    (void)state;
    static const uint32_t f[] = {2, 20};
    fixture fx;
    hf_forecast forecast = {.seconds = 60};
    hf_counted *counted;
    fixture_open(&fx, "torus:dims=4x4", "links", "minimal");
    const hf_campaign c = {
        .universe = fx.universe, .rule = &fx.rule, .criterion = fixture_criterion(&fx, "connected"), .f = f, .n_f = 2};
    fixture_ok(&fx, hf_counted_forecast(fx.cx, &c, 1e9, &forecast));
    fixture_ok(&fx, hf_counted_run(fx.cx, fx.universe, &fx.rule, c.criterion, 20, 1e9, &counted));
    assert_true(forecast.row[0].left == counted->states && counted->states > 0);
    assert_true(forecast.row[0].bytes == counted->memory_bytes);
    hf_counted_free(counted);
    fixture_close(&fx);
}

/* What walks over no sets is refused. */
static void questions(void **state) {
    (void)state;
    static const hf_argument arguments[] = {{"topology", "torus:dims=4x4"}, {"routing", "immunet"}, {"faults", "2"}};
    static const hf_conduct conduct = {.threads = 1};
    hf_context *cx = hf_context_new(NULL);
    const hf_question *question;
    hf_report answer;
    assert_int_equal(hf_question_find(cx, "verify", &question), HF_OK);
    assert_int_equal(hf_question_forecast(cx, question, arguments, 3, &conduct, 3, 0.05, &answer), HF_OK);
    assert_int_equal(hf_report_rows(&answer, "plan"), 1);
    assert_int_equal(hf_question_forecast(cx, question, arguments, 2, &conduct, 3, 0.05, &answer), HF_EINVAL);
    assert_int_equal(hf_question_find(cx, "cost", &question), HF_OK);
    assert_int_equal(hf_question_forecast(cx, question, arguments, 1, &conduct, 1, 0.05, &answer), HF_EINVAL);
    hf_context_free(cx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sets), cmocka_unit_test(parts_and_samples), cmocka_unit_test(states),
                                       cmocka_unit_test(questions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
