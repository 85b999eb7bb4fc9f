/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Stratified samples: strata, their shares and their samples against all sets looked at one by one; every set is as likely as
 * any other; the share is unbiased, varies as little as is said, and its interval holds; threads and parts change nothing. */
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/combination.h>

#include "tests/oracle/strata.h"
#include "tests/support/rows.h"

typedef struct network {
    const char *topo, *universe, *by;
    uint32_t n_class;
} network;

/* Classes of one component, of all but one, and of as many as there are components of a grid's lines. */
static const network networks[] = {{"kary-tree:k=2,n=3", "links", "stage", 2},
                                   {"kary-tree:k=2,n=3", "switches", "stage", 3},
                                   {"torus:dims=2x3", "links+switches", "class", 2},
                                   {"torus:dims=2x3", "links+switches", "dimension", 3},
                                   {"complete:n=3", "terminal-links+links+switches", "class", 3},
                                   {"mesh:dims=2x3", "channels", "dimension", 2},
                                   {"mesh:dims=2x2", "links+terminal-links", "dimension", 3}};
enum { NETWORKS = sizeof networks / sizeof *networks };

static const hf_strata *open_strata(fixture *fx, const network *n) {
    const hf_strata *s;
    fixture_open(fx, n->topo, n->universe, "minimal");
    fixture_ok(fx, hf_strata_new(fx->cx, fx->universe, n->by, &s));
    assert_int_equal(s->n_class, n->n_class);
    assert_string_equal(s->by, n->by);
    return s;
}

static void expect_classes(fixture *fx, const hf_strata *s) {
    assert_int_equal(s->begin[s->n_class], fx->universe->n_component);
    for (uint32_t c = 0; c < s->n_class; c++) {
        for (uint32_t i = s->begin[c]; i < s->begin[c + 1]; i++) {
            assert_int_equal(strata_class(fx, s, s->component[i]), c);
            assert_true(i == s->begin[c] || s->component[i - 1] < s->component[i]);
        }
    }
}

/* ---- sharing out ---- */

static void expect_quota(const hf_quota *q, const strata_counts *slow, uint64_t samples) {
    uint64_t left = 0, begin = 0;
    assert_int_equal(q->n, slow->n);
    assert_int_equal(q->samples, samples);
    assert_true(q->over[0] == 0);
    for (uint32_t h = 0; h < q->n; h++) {
        assert_memory_equal(q->of + (size_t)h * q->n_class, slow->word[h], q->n_class * sizeof *q->of);
        assert_true(fabs(q->share[h] - (double)slow->sets[h] / (double)slow->all) < 1e-12);
        left += samples * slow->sets[h] % slow->all;
        begin += samples * slow->sets[h] / slow->all;
        assert_int_equal(q->begin[h + 1], begin);
        assert_true(q->over[h + 1] == ((hf_u128)left << 64) / slow->all);
    }
    assert_true(q->over[q->n] == (hf_u128)(samples - begin) << 64);
}

static void shared_out(void **state) {
    (void)state;
    static const uint64_t samples[] = {1, 2, 7, 100, 12345};
    for (size_t i = 0; i < NETWORKS; i++) {
        fixture fx;
        const hf_strata *s = open_strata(&fx, &networks[i]);
        expect_classes(&fx, s);
        const uint32_t m = fx.universe->n_component;
        for (uint32_t f = 0; f <= m; f = f < 5 || f + 2 >= m ? f + 1 : m - 2) {
            static strata_counts slow;
            strata_count(&fx, s, f, &slow);
            for (size_t k = 0; k < sizeof samples / sizeof *samples; k++) {
                hf_quota q;
                fixture_ok(&fx, hf_quota_new(fx.cx, s, f, samples[k], &q));
                expect_quota(&q, &slow, samples[k]);
            }
        }
        fixture_close(&fx);
    }
}

/* ---- drawing ---- */

static uint64_t rank_of(uint32_t m, uint32_t f, const uint32_t *set) {
    uint64_t rank = 0, sets;
    for (uint32_t k = 0; k < f; k++) {
        for (uint32_t c = k ? set[k - 1] + 1 : 0; c < set[k]; c++) {
            assert_true(hf_binomial(m - c - 1, f - k - 1, &sets));
            rank += sets;
        }
    }
    return rank;
}

/* The samples of one seed: each in its stratum, and of each stratum its share of them. \param[out] drawn by rank, added to */
static void draw_all(fixture *fx, const hf_strata *s, const hf_quota *q, uint64_t seed, uint64_t *drawn) {
    uint64_t of[STRATA_WORDS] = {0};
    uint32_t set[64], word[STRATA_CLASSES];
    for (uint64_t i = 0; i < q->samples; i++) {
        const uint32_t h = hf_quota_draw(s, q, seed, i, set);
        for (uint32_t k = 1; k < q->f; k++) {
            assert_true(set[k - 1] < set[k]);
        }
        if (seed == 1) {
            strata_word(fx, s, set, q->f, word);
            assert_memory_equal(word, q->of + (size_t)h * q->n_class, q->n_class * sizeof *word);
        }
        of[h]++;
        drawn[rank_of(fx->universe->n_component, q->f, set)]++;
    }
    for (uint32_t h = 0; h < q->n; h++) {
        const uint64_t own = q->begin[h + 1] - q->begin[h], first = (uint64_t)(q->over[h] >> 64);
        const uint64_t last = (uint64_t)((q->over[h + 1] + ~UINT64_C(0)) >> 64);
        assert_in_range(of[h], own, own + (last - first));
    }
}

/* Over many seeds, as Pearson has it: what is drawn varies less than plain samples do, never more. */
static void every_set_alike(void **state) {
    (void)state;
    enum { SEEDS = 2000, SETS = 2000 };
    for (size_t i = 0; i < NETWORKS; i++) {
        for (uint32_t f = 1; f < 4; f++) {
            static uint64_t drawn[SETS];
            uint64_t all;
            double sum = 0;
            fixture fx;
            hf_quota q;
            const hf_strata *s = open_strata(&fx, &networks[i]);
            assert_true(hf_binomial(fx.universe->n_component, f, &all) && all <= SETS);
            fixture_ok(&fx, hf_quota_new(fx.cx, s, f, 11 + f, &q));
            memset(drawn, 0, sizeof drawn);
            for (uint64_t seed = 1; seed <= SEEDS; seed++) {
                draw_all(&fx, s, &q, seed, drawn);
            }
            const double mean = SEEDS * (double)q.samples / (double)all;
            for (uint64_t r = 0; r < all; r++) {
                sum += ((double)drawn[r] - mean) * ((double)drawn[r] - mean) / mean;
            }
            if (sum > (double)all + 6 * sqrt(2 * (double)all)) {
                fail_msg("%s, %s by %s, f=%" PRIu32 ", seeds 1..%d: chi squared %g of %" PRIu64 " sets", networks[i].topo,
                         networks[i].universe, networks[i].by, f, SEEDS, sum, all);
            }
            fixture_close(&fx);
        }
    }
}

static void places(void **state) {
    (void)state;
    enum { MOST = 300 };
    for (uint64_t n = 1; n <= MOST; n++) {
        bool taken[MOST] = {false};
        for (uint64_t i = 0; i < n; i++) {
            const uint64_t place = hf_random_place(n, HF_PURPOSE_TEST, n, i);
            assert_true(place < n && !taken[place]);
            taken[place] = true;
        }
    }
    assert_true(hf_random_place(1, HF_PURPOSE_TEST, UINT64_C(1) << 62, (UINT64_C(1) << 62) - 1) < UINT64_C(1) << 62);
}

/* ---- campaigns ---- */

typedef struct seen {
    double mean, squares, expected; /**< of the share over all seeds; the variance that is claimed */
    unsigned held, runs;
} seen;

static seen see(fixture *fx, const hf_strata *s, uint32_t f, uint64_t samples, unsigned runs, double exact) {
    seen out = {.runs = runs};
    hf_campaign c = rows_campaign(fx, "all-pairs", &f, 1);
    c.method = HF_METHOD_SAMPLED;
    c.samples = samples;
    c.strata = s;
    c.verdicts = true;
    for (unsigned run = 0; run < runs; run++) {
        c.seed = run;
        hf_result *result = rows_run(fx, &c);
        const hf_row *row = &result->row[0];
        hf_quota q;
        fixture_ok(fx, hf_quota_new(fx->cx, s, f, samples, &q));
        out.mean += row->fraction.value / runs;
        out.squares += (row->fraction.value - exact) * (row->fraction.value - exact) / runs;
        out.expected += hf_quota_variance(&q, row->tally.quantity) / (double)samples / (double)samples / runs;
        out.held += row->fraction.low <= exact && exact <= row->fraction.high;
        assert_true(row->fraction.low <= row->fraction.value && row->fraction.value <= row->fraction.high);
        hf_result_free(result);
    }
    return out;
}

static double share_of_all(fixture *fx, uint32_t f) {
    const hf_campaign c = rows_campaign(fx, "all-pairs", &f, 1);
    hf_result *result = rows_run(fx, &c);
    const double share = result->row[0].fraction.value;
    hf_result_free(result);
    return share;
}

/* `most`: the variance over that of plain samples, which it stays below. */
static void unbiased(void **state) {
    (void)state;
    static const struct {
        const char *topo, *universe, *rule, *by;
        uint32_t f;
        uint64_t samples;
        double most;
    } cases[] = {{"kary-tree:k=2,n=3", "links", "updown", "stage", 3, 200, 0.9},
                 {"kary-tree:k=2,n=3", "links+switches", "updown", "class", 2, 150, 1},
                 {"kary-tree:k=2,n=3", "links+switches", "updown", "stage", 3, 150, 0.65},
                 {"kary-tree:k=3,n=2", "links+switches", "updown", "stage", 3, 40, 0.65},
                 {"torus:dims=3x3", "links+terminal-links", "minimal", "class", 4, 300, 0.05},
                 {"kary-tree:k=2,n=3", "links", "updown", "stage", 5, 60, 1}};
    enum { RUNS = 400 };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture fx;
        const hf_strata *s;
        fixture_open(&fx, cases[i].topo, cases[i].universe, cases[i].rule);
        fixture_ok(&fx, hf_strata_new(fx.cx, fx.universe, cases[i].by, &s));
        const double exact = share_of_all(&fx, cases[i].f), plain = exact * (1 - exact) / (double)cases[i].samples;
        const seen a = see(&fx, s, cases[i].f, cases[i].samples, RUNS, exact);
        const bool is_right = fabs(a.mean - exact) < 5 * sqrt(a.squares / RUNS) && a.squares < cases[i].most * plain &&
                              a.squares < 1.3 * a.expected && a.held >= 0.925 * RUNS;
        if (!is_right) {
            fail_msg("%s, %s by %s, f=%" PRIu32 ", seeds 0..%d: share %g, in the mean %g; variance %g, claimed %g, plain %g; %u "
                     "intervals hold",
                     cases[i].topo, cases[i].universe, cases[i].by, cases[i].f, RUNS - 1, exact, a.mean, a.squares, a.expected,
                     plain, a.held);
        }
        fixture_close(&fx);
    }
}

static void threads_and_parts(void **state) {
    (void)state;
    fixture fx;
    const hf_strata *s;
    const uint32_t f[] = {1, 4};
    fixture_open(&fx, "kary-tree:k=3,n=3", "links", "updown");
    fixture_ok(&fx, hf_strata_new(fx.cx, fx.universe, "stage", &s));
    hf_campaign c = rows_campaign(&fx, "all-pairs", f, 2);
    c.method = HF_METHOD_SAMPLED;
    c.samples = 1001;
    c.strata = s;
    hf_result *whole = rows_run(&fx, &c);
    char *text = rows_text(whole);
    c.threads = 3;
    rows_expect(&fx, &c, text);
    free(text);
    assert_true(whole->row[0].is_exact && whole->row[0].method == HF_METHOD_EXHAUSTIVE);
    uint64_t sets[HF_STRATA] = {0}, bad = 0;
    c.n_part = 3;
    for (c.part = 1; c.part <= c.n_part; c.part++) {
        hf_result *part = rows_run(&fx, &c);
        const hf_tally *t = &part->row[1].tally;
        bad += t->not_tolerated;
        for (uint32_t h = 0; h < HF_STRATA; h++) {
            sets[h] += t->quantity[h].sets;
        }
        assert_true(part->row[1].fraction.method != HF_INTERVAL_KORN_GRAUBARD);
        hf_result_free(part);
    }
    assert_int_equal(bad, whole->row[1].tally.not_tolerated);
    for (uint32_t h = 0; h < HF_STRATA; h++) {
        assert_int_equal(sets[h], whole->row[1].tally.quantity[h].sets);
    }
    hf_result_free(whole);
    fixture_close(&fx);
}

static void refused(void **state) {
    (void)state;
    static const struct {
        const char *topo, *universe, *by, *said;
        hf_status status;
    } cases[] = {{"kary-tree:k=2,n=3", "links", "class", "one class", HF_EINVAL},
                 {"kary-tree:k=2,n=3", "links", "stag", "stage", HF_ENOENT},
                 {"complete:n=4", "links", "stage", "no attributes", HF_ENOENT}};
    fixture fx;
    const hf_strata *s;
    hf_quota q;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture_open(&fx, cases[i].topo, cases[i].universe, "minimal");
        assert_int_equal(hf_strata_new(fx.cx, fx.universe, cases[i].by, &s), cases[i].status);
        assert_non_null(strstr(hf_context_message(fx.cx), cases[i].said));
        fixture_close(&fx);
    }
    fixture_open(&fx, "kary-tree:k=3,n=5", "links", "updown");
    fixture_ok(&fx, hf_strata_new(fx.cx, fx.universe, "stage", &s));
    fixture_ok(&fx, hf_quota_new(fx.cx, s, 27, 100, &q));
    assert_int_equal(q.n, 30 * 29 * 28 / 6);
    assert_int_equal(hf_quota_new(fx.cx, s, 40, 100, &q), HF_EINVAL);
    assert_non_null(strstr(hf_context_message(fx.cx), "more than 4096 ways"));
    fixture_close(&fx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shared_out), cmocka_unit_test(every_set_alike),   cmocka_unit_test(places),
        cmocka_unit_test(unbiased),   cmocka_unit_test(threads_and_parts), cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
