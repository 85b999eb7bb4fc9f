/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Bursts: the load is the one asked for under every pattern, with and without them; waits, lengths and variance are those of the
 *  Markov chain stepped cycle by cycle. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/kernel/kernel.h"
#include "tests/oracle/chain.h"
#include "tests/oracle/fixture.h"

enum { PACKET = 4, GAPS = 40000 };

static const struct {
    double load, length, peak;
} chains[] = {{0.4, 10, 2}, {0.1, 100, 1}, {0.02, 37, 4}, {1, 20, 1.25}, {1.9, 50, 4}, {0.5, 1, 2}};
enum { N_CHAIN = sizeof chains / sizeof *chains };

static void draw_gaps(hf_context *cx, size_t chain, bool together, uint64_t seed, uint64_t *gap, size_t n) {
    hf_rhythm r;
    hf_generator s = {.next = 0};
    const hf_burst burst = {chains[chain].length, chains[chain].peak, together};
    assert_int_equal(hf_rhythm_make(cx, chains[chain].load, burst, PACKET, &r), HF_OK);
    assert_true(r.has_bursts);
    hf_random_init(&s.random, seed, HF_PURPOSE_TRAFFIC, 0);
    hf_random_init(&s.chain, seed, HF_PURPOSE_TRAFFIC, HF_KERNEL_CHAIN);
    hf_rhythm_start(&r, 0, &s);
    hf_rhythm_next(&r, &s);
    for (size_t i = 0; i < n; i++) {
        const uint64_t last = s.next;
        hf_rhythm_next(&r, &s);
        gap[i] = s.next - last;
    }
}

static int compare(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Largest distance of the two empirical distributions (Kolmogorov and Smirnov). */
static double distance(uint64_t *a, uint64_t *b, size_t n) {
    double most = 0;
    qsort(a, n, sizeof *a, compare);
    qsort(b, n, sizeof *b, compare);
    for (size_t i = 0, j = 0; i < n && j < n;) {
        const uint64_t x = a[i] < b[j] ? a[i] : b[j];
        while (i < n && a[i] == x) {
            i++;
        }
        while (j < n && b[j] == x) {
            j++;
        }
        most = fmax(most, fabs((double)i - (double)j) / (double)n);
    }
    return most;
}

/* The waits between packets are independent of each other; 2.8 sqrt(2 / n) is passed once in some millions. */
static void waits_are_the_chains(void **state) {
    (void)state;
    static uint64_t fast[GAPS], slow[GAPS];
    hf_context *cx = hf_context_new(NULL);
    for (size_t c = 0; c < N_CHAIN; c++) {
        draw_gaps(cx, c, c % 2 == 1, 5 + c, fast, GAPS);
        oracle_chain_gaps(chains[c].load / PACKET, chains[c].length, chains[c].peak / PACKET, 11 + c, slow, GAPS);
        const double d = distance(fast, slow, GAPS);
        if (d > 2.8 * sqrt(2.0 / GAPS)) {
            fail_msg("chain %zu: the distributions of waits differ by %g", c, d);
        }
    }
    hf_context_free(cx);
}

/* Packets of one terminal in each of `n` windows, from the start. */
static void count_windows(hf_context *cx, size_t chain, bool together, uint64_t seed, uint64_t window, double *count, size_t n) {
    hf_rhythm r;
    hf_generator s = {.next = 0};
    const hf_burst burst = {chains[chain].length, chains[chain].peak, together};
    assert_int_equal(hf_rhythm_make(cx, chains[chain].load, burst, PACKET, &r), HF_OK);
    hf_random_init(&s.random, seed, HF_PURPOSE_TRAFFIC, 0);
    hf_random_init(&s.chain, seed, HF_PURPOSE_TRAFFIC, HF_KERNEL_CHAIN);
    hf_rhythm_start(&r, 0, &s);
    memset(count, 0, n * sizeof *count);
    for (hf_rhythm_next(&r, &s); s.next <= n * window; hf_rhythm_next(&r, &s)) {
        count[(s.next - 1) / window]++;
    }
}

/* Many terminals, one window each: independent counts from the very first cycle. */
static void mean_and_variance(void **state) {
    (void)state;
    enum { TERMINALS = 20000, WINDOW = 150 };
    hf_context *cx = hf_context_new(NULL);
    for (size_t c = 0; c < N_CHAIN; c++) {
        double sum = 0, squares = 0;
        for (uint64_t t = 0; t < TERMINALS; t++) {
            double n;
            count_windows(cx, c, c % 2 == 1, 1000 + t, WINDOW, &n, 1);
            sum += n;
            squares += n * n;
        }
        const double load = chains[c].load / PACKET, expected = load * WINDOW, mean = sum / TERMINALS;
        const double variance = oracle_chain_variance(load, chains[c].length, chains[c].peak / PACKET, WINDOW);
        const double found = squares / TERMINALS - mean * mean;
        if (fabs(mean - expected) > 5 * sqrt(variance / TERMINALS) || fabs(found / variance - 1) > 0.1) {
            fail_msg("chain %zu: mean %g, should be %g; variance %g, should be %g", c, mean, expected, found, variance);
        }
    }
    hf_context_free(cx);
}

/* A packet in every cycle of a burst: runs of waits of 1 are bursts. */
static void lengths(void **state) {
    (void)state;
    static uint64_t gap[GAPS];
    hf_context *cx = hf_context_new(NULL);
    for (size_t c = 0; c < N_CHAIN; c++) {
        if (chains[c].peak == PACKET) {
            double pauses = 0, cycles = 0;
            draw_gaps(cx, c, c % 2 == 1, 3, gap, GAPS);
            for (size_t i = 0; i < GAPS; i++) {
                pauses += gap[i] > 1;
                cycles += gap[i] > 1 ? (double)gap[i] - 1 : 0;
            }
            const double share = chains[c].load / PACKET, pause = chains[c].length * (1 - share) / share;
            assert_true(fabs(GAPS / pauses / chains[c].length - 1) < 5 / sqrt(pauses));
            assert_true(fabs(cycles / pauses / pause - 1) < 5 / sqrt(pauses));
        }
    }
    hf_context_free(cx);
}

/* Every pattern, with and without bursts: what is accepted at low load is what was asked for. */
static void load_of_patterns(void **state) {
    (void)state;
    static const char *const patterns[] = {"uniform",      "complement", "digit-reversal:radix=4",
                                           "bit-reversal", "transpose",  "tornado",
                                           "shuffle",      "neighbour",  "hot-spot:percent=20,node=5"};
    static const hf_burst bursts[] = {{0, 0, false}, {60, 1, false}, {20, 4, false}};
    fixture fx;
    hf_fault_set none;
    hf_plan plan;
    fixture_open(&fx, "torus:dims=4x4", NULL, "dor:vcs=4,dateline=yes");
    fixture_plan(&fx, "", &none, &plan);
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        for (size_t b = 0; b < sizeof bursts / sizeof *bursts; b++) {
            const double load = 0.1;
            hf_traffic *traffic;
            hf_point p;
            fixture_ok(&fx, hf_traffic_new(fx.cx, fx.topo, patterns[i], &traffic));
            const hf_simulation s = {.plan = &plan,
                                     .traffic = traffic,
                                     .burst = bursts[b],
                                     .kernel = hf_kernel_usual(),
                                     .seed = 3,
                                     .window = 2000,
                                     .batches = 40,
                                     .threads = 1};
            fixture_ok(&fx, hf_simulate(fx.cx, &s, &load, 1, &p));
            if (!(fabs(p.accepted.mean - p.offered) <= 1.6 * p.accepted.half) || p.accepted.half > 0.1 * p.offered) {
                fail_msg("%s, bursts of %g: %g +- %g accepted, %g offered", patterns[i], bursts[b].length, p.accepted.mean,
                         p.accepted.half, p.offered);
            }
            hf_traffic_free(traffic);
        }
    }
    fixture_close(&fx);
}

/* With a packet in every cycle of a burst all terminals generate in the same cycles; with fewer, in the same bursts. */
static void bursts_of_all(void **state) {
    (void)state;
    enum { TERMINALS = 16, CYCLES = 200000 };
    static uint8_t in_burst[CYCLES], sent[CYCLES];
    static const double peaks[] = {PACKET, 1};
    fixture fx;
    hf_fault_set none;
    hf_plan plan;
    hf_traffic *traffic;
    fixture_open(&fx, "torus:dims=4x4", NULL, "dor:vcs=2,dateline=yes");
    fixture_plan(&fx, "", &none, &plan);
    fixture_ok(&fx, hf_traffic_new(fx.cx, fx.topo, "uniform", &traffic));
    for (size_t i = 0; i < 2; i++) {
        hf_rhythm r;
        uint32_t n_sent = 0;
        memset(sent, 0, sizeof sent);
        assert_int_equal(hf_rhythm_make(fx.cx, 0.05 * peaks[i], (hf_burst){100, peaks[i], true}, PACKET, &r), HF_OK);
        for (uint32_t t = 0; t < TERMINALS; t++) {
            hf_generator s;
            assert_true(hf_source_start(&plan, traffic, &r, 7, 0, t, &s));
            for (; s.next < CYCLES; hf_generator_next(&plan, traffic, &r, t, &s)) {
                sent[s.next]++;
                n_sent++;
                assert_true(i == 0 || in_burst[s.next]);
            }
        }
        for (uint32_t c = 0; c < CYCLES && i == 0; c++) {
            assert_true(sent[c] == 0 || sent[c] == TERMINALS);
            in_burst[c] = sent[c] > 0;
        }
        assert_true(n_sent > 1000);
    }
    hf_traffic_free(traffic);
    fixture_close(&fx);
}

static void refusals(void **state) {
    (void)state;
    static const struct {
        double load;
        hf_burst burst;
        const char *text;
    } bad[] = {
        {0, {0, 0, false}, "load 0 is out of range"},
        {4.5, {0, 0, false}, "load 4.5 is out of range"},
        {0.5, {0.5, 1, false}, "bursts of 0.5 cycles with 1 flits per cycle are out of range"},
        {0.5, {10, 0, false}, "bursts of 10 cycles with 0 flits per cycle are out of range"},
        {0.5, {10, 5, false}, "bursts of 10 cycles with 5 flits per cycle are out of range"},
        {1.5, {10, 1, false}, "load 1.5 is more than the 1 flits per cycle of a burst"},
        {0.95, {10, 1, false}, "leave pauses below a cycle"},
    };
    hf_context *cx = hf_context_new(NULL);
    hf_rhythm r;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(hf_rhythm_make(cx, bad[i].load, bad[i].burst, PACKET, &r), HF_EINVAL);
        assert_non_null(strstr(hf_context_message(cx), bad[i].text));
    }
    assert_int_equal(hf_rhythm_make(cx, 1, (hf_burst){10, 1, false}, PACKET, &r), HF_OK);
    assert_false(r.has_bursts); /* one burst for ever */
    hf_context_free(cx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waits_are_the_chains), cmocka_unit_test(mean_and_variance), cmocka_unit_test(lengths),
        cmocka_unit_test(load_of_patterns),     cmocka_unit_test(bursts_of_all),     cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
