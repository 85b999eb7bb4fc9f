/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Campaigns as a whole: every judge gives the same rows, the stop flag, progress, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/rows.h"

static char *text_of(fixture *fx, const hf_campaign *c) {
    hf_result *result = rows_run(fx, c);
    char *text = rows_text(result);
    hf_result_free(result);
    return text;
}

/* Bit lanes count verdicts only; the judge of the relation reads one set after the other. */
static void judges_agree(void **state) {
    (void)state;
    static const uint32_t f[] = {0, 1, 2, 3, 17, 18};
    static const char *const criteria[] = {"all-pairs", "surviving", "connected"};
    for (size_t i = 0; i < 3; i++) {
        fixture fx;
        fixture_open(&fx, "kary-tree:k=3,n=2", "channels", "updown");
        hf_campaign c = rows_campaign(&fx, criteria[i], f, 6);
        char *lanes = text_of(&fx, &c);
        fixture_rule(&fx, "ft2ei:intervals=unlimited");
        char *intervals = text_of(&fx, &c);
        if (i == 0) {
            fixture_rule(&fx, "updown");
            c.use_relation = true;
        }
        char *relation = text_of(&fx, &c);
        assert_string_equal(relation, lanes);
        assert_string_equal(intervals, lanes);
        free(lanes);
        free(intervals);
        free(relation);
        fixture_close(&fx);
    }
}

/* Ranges of one set each: the rows of a campaign in parts are verdicts set by set. */
static void lanes_agree_set_by_set(void **state) {
    (void)state;
    static const uint32_t f[] = {1, 2, 3};
    for (size_t i = 0; i < 3; i++) {
        fixture fx;
        fixture_open(&fx, "kary-tree:k=2,n=3", "links", "updown");
        const hf_campaign base = rows_campaign(&fx, "all-pairs", f + i, 1);
        static const uint32_t sets[] = {16, 120, 560};
        for (uint32_t part = 1; part <= sets[i]; part++) {
            hf_campaign c = base;
            c.part = part;
            c.n_part = sets[i];
            char *lanes = text_of(&fx, &c);
            c.use_relation = true;
            rows_expect(&fx, &c, lanes);
            free(lanes);
        }
        fixture_close(&fx);
    }
}

typedef struct watch {
    uint64_t calls, done, all_done, all_total;
    uint32_t f;
    volatile sig_atomic_t *stop; /* raised at the stop_at-th call */
    uint64_t stop_at;
} watch;

static void see(void *user, const hf_progress *p) {
    watch *w = user;
    assert_true(p->f >= w->f && (p->f > w->f || p->done >= w->done || w->calls == 0));
    assert_true(p->done <= p->total && p->all_done <= p->all_total);
    assert_true(p->all_done >= w->all_done && p->elapsed_s >= 0 && p->sets_per_s >= 0);
    w->f = p->f;
    w->done = p->done;
    w->all_done = p->all_done;
    w->all_total = p->all_total;
    if (++w->calls == w->stop_at && w->stop) {
        __atomic_store_n(w->stop, 1, __ATOMIC_RELAXED);
    }
}

static void progress_is_monotone(void **state) {
    (void)state;
    static const uint32_t f[] = {1, 4, 6};
    fixture fx;
    fixture_open(&fx, "kary-tree:k=2,n=3", "channels", "ft2ei:intervals=1");
    watch w = {0};
    hf_campaign c = rows_campaign(&fx, "all-pairs", f, 3);
    c.threads = 2;
    c.progress = see;
    c.progress_user = &w;
    hf_result *result = rows_run(&fx, &c);
    assert_true(w.calls >= 3);
    assert_int_equal(w.all_done, 32 + 35960 + 906192);
    assert_int_equal(w.all_total, w.all_done);
    hf_result_free(result);
    fixture_close(&fx);
}

static void expect_stop(const char *rule, hf_method method, uint64_t stop_at) {
    static const uint32_t f[] = {2, 12, 13};
    volatile sig_atomic_t stop = stop_at == 0;
    fixture fx;
    fixture_open(&fx, "kary-tree:k=2,n=3", "channels", rule);
    watch w = {.stop = &stop, .stop_at = stop_at};
    hf_campaign c = rows_campaign(&fx, "all-pairs", f, 3);
    c.threads = 2;
    c.method = method;
    c.samples = UINT64_C(200000000);
    c.progress = see;
    c.progress_user = &w;
    hf_context_set_stop(fx.cx, &stop);
    hf_result *result = NULL;
    assert_int_equal(hf_campaign_run(fx.cx, &c, &result), HF_ESTOP);
    assert_non_null(result);
    assert_true(result->n_row < 3);
    const hf_row *last = &result->row[result->n_row - 1];
    assert_false(last->is_complete);
    assert_true(last->tally.sets < 225792840);
    assert_int_equal(result->n_row > 1, stop_at > 0);
    if (result->n_row > 1) {
        assert_true(result->row[0].is_complete);
        assert_int_equal(result->row[0].tally.not_tolerated, 32);
    }
    hf_result_free(result);
    fixture_close(&fx);
}

static void stop_flag_is_heeded(void **state) {
    (void)state;
    expect_stop("updown", HF_METHOD_EXHAUSTIVE, 0);
    expect_stop("updown", HF_METHOD_EXHAUSTIVE, 3);
    expect_stop("ft2ei:intervals=1", HF_METHOD_EXHAUSTIVE, 3);
    expect_stop("ft2ei:intervals=1", HF_METHOD_SAMPLED, 3);
}

/* `c` is refused with `code`, and the message holds all of the words, joined by |. */
static void expect_refusal(fixture *fx, const hf_campaign *c, hf_status code, const char *words) {
    hf_result *result = NULL;
    assert_int_equal(hf_campaign_check(fx->cx, c), code);
    assert_int_equal(hf_campaign_run(fx->cx, c, &result), code);
    assert_null(result);
    char copy[128], *at = copy;
    snprintf(copy, sizeof copy, "%s", words);
    for (char *word; (word = strtok_r(at, "|", &at)) != NULL;) {
        if (!strstr(hf_context_message(fx->cx), word)) {
            print_error("\"%s\" does not say \"%s\"\n", hf_context_message(fx->cx), word);
            fail();
        }
    }
}

static void refusals_name_the_figures(void **state) {
    (void)state;
    static const uint32_t fine[] = {2}, large[] = {1, 33}, half[] = {16};
    fixture fx;
    fixture_open(&fx, "kary-tree:k=2,n=3", "channels", "updown");
    hf_campaign c = rows_campaign(&fx, "all-pairs", large, 2);
    expect_refusal(&fx, &c, HF_EINVAL, "f=33|\"channels\"|32 components|kary-tree:k=2,n=3");
    c = rows_campaign(&fx, "all-pairs", fine, 1);
    c.method = HF_METHOD_SAMPLED;
    expect_refusal(&fx, &c, HF_EINVAL, "samples=0|at least 1");
    c.samples = UINT64_C(1) << 63;
    expect_refusal(&fx, &c, HF_EINVAL, "samples=9223372036854775808|2^63");
    c = rows_campaign(&fx, "all-pairs", fine, 1);
    c.n_part = 3;
    expect_refusal(&fx, &c, HF_EINVAL, "part 0/3|1/3|3/3");
    c.part = 4;
    expect_refusal(&fx, &c, HF_EINVAL, "part 4/3");
    c = rows_campaign(&fx, "all-pairs", fine, 1);
    c.threads = 1000000;
    expect_refusal(&fx, &c, HF_EINVAL, "threads=1000000");
    fixture_close(&fx);
    fixture_open(&fx, "kary-tree:k=4,n=3", "channels", "updown");
    c = rows_campaign(&fx, "all-pairs", half, 1);
    expect_refusal(&fx, &c, HF_ERANGE, "f=16|C(256, 16)|2^63|sampled");
    c.method = HF_METHOD_SAMPLED;
    c.samples = 100;
    hf_result_free(rows_run(&fx, &c));
    fixture_close(&fx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(judges_agree), cmocka_unit_test(lanes_agree_set_by_set),
                                       cmocka_unit_test(progress_is_monotone), cmocka_unit_test(stop_flag_is_heeded),
                                       cmocka_unit_test(refusals_name_the_figures)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
