/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Intervals and steadiness of series whose truth is known: an autoregressive process, drifts, a process that falls over, and a
 *  network that collapses slowly. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include <holdfast/core/random.h>

#include "src/kernel/measure.h"
#include "src/kernel/steady.h"
#include "tests/oracle/fixture.h"

enum { WINDOWS = 80, SERIES = 1000, SEED = 7 };

static double uniform(hf_random *r) { return ((double)hf_random_u32(r) + 0.5) / 4294967296.0; }

static double normal(hf_random *r) { return sqrt(-2 * log(uniform(r))) * cos(2 * 3.14159265358979323846 * uniform(r)); }

/* x[i] - 10 = r (x[i - 1] - 10) + noise, from its stationary distribution on. */
static void autoregress(hf_random *random, double r, double *x, uint32_t n) {
    double off = normal(random) / sqrt(1 - r * r);
    for (uint32_t i = 0; i < n; i++, off = r * off + normal(random)) {
        x[i] = 10 + off;
    }
}

/* How many of the intervals hold 10, and how many of the series pass as steady; those of the series that pass. */
static void try_many(double r, uint32_t n, uint32_t *held, uint32_t *steady) {
    hf_context *cx = hf_context_new(NULL);
    double x[512];
    *held = *steady = 0;
    for (uint32_t i = 0; i < SERIES; i++) {
        hf_random random;
        hf_batch_mean m;
        hf_random_init(&random, SEED, HF_PURPOSE_TEST, i);
        autoregress(&random, r, x, n);
        assert_int_equal(hf_series_mean(cx, (hf_series){x, NULL, n}, 1, &m), HF_OK);
        *held += fabs(m.mean - 10) <= m.half;
        *steady += hf_batch_is_steady(m);
    }
    hf_context_free(cx);
}

/* Intervals hold the mean as often as they say, however windows hang together; hardly a steady series is refused. */
static void intervals_cover(void **state) {
    (void)state;
    static const struct {
        double r;
        uint32_t n, held, steady; /* of 1000, at least */
    } row[] = {{0, 20, 935, 970},    {0, 80, 935, 970},    {-0.3, 80, 935, 970}, {0.3, 80, 930, 970},
               {0.5, 160, 930, 970}, {0.7, 256, 930, 970}, {0.9, 512, 920, 950}, {0.5, 80, 890, 950}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        uint32_t held, steady;
        try_many(row[i].r, row[i].n, &held, &steady);
        assert_true(held >= row[i].held && steady >= row[i].steady);
        assert_true(row[i].r < 0 || held <= 985); /* nor are they too wide */
    }
}

/* Two series that go up and down together, by `together`, each with noise of its own; and how far apart their means are, as a
 * difference and as a ratio. */
typedef struct beside {
    double together;
    uint32_t held, held_ratio, held_alone; /* intervals that hold the truth; alone: of series taken as independent */
    double width, width_alone;             /* on average */
} beside;

static void try_beside(beside *b) {
    enum { N = 80 };
    hf_context *cx = hf_context_new(NULL);
    for (uint32_t i = 0; i < SERIES; i++) {
        hf_random random;
        double x[N], y[N], count[N], sum[N];
        hf_sides reach, of_ratio;
        hf_batch_mean of_x, of_y;
        hf_random_init(&random, SEED, HF_PURPOSE_TEST, i);
        autoregress(&random, 0.3, x, N);
        for (uint32_t w = 0; w < N; w++) {
            y[w] = 10 + b->together * (x[w] - 10) + 0.3 * normal(&random);
            count[w] = 1 + floor(5 * uniform(&random));
            sum[w] = 2 * y[w] * count[w];
        }
        assert_int_equal(hf_series_mean(cx, (hf_series){x, NULL, N}, 1, &of_x), HF_OK);
        assert_int_equal(hf_series_mean(cx, (hf_series){y, NULL, N}, 1, &of_y), HF_OK);
        assert_int_equal(hf_series_apart(cx, (hf_series){x, NULL, N}, (hf_series){y, NULL, N}, 1, 1, &reach), HF_OK);
        const double apart = of_x.mean - of_y.mean, alone = hypot(of_x.half, of_y.half);
        b->held += apart - reach.down <= 0 && apart + reach.up >= 0;
        b->held_alone += fabs(apart) <= alone;
        b->width += (reach.down + reach.up) / 2 / SERIES;
        b->width_alone += alone / SERIES;
        assert_int_equal(hf_series_mean(cx, (hf_series){sum, count, N}, 1, &of_y), HF_OK); /* about 20 */
        const double ratio = of_y.mean / of_x.mean;
        assert_int_equal(hf_series_apart(cx, (hf_series){sum, count, N}, (hf_series){x, NULL, N}, ratio, 1, &of_ratio), HF_OK);
        b->held_ratio += ratio - of_ratio.down / of_x.mean <= 2 && ratio + of_ratio.up / of_x.mean >= 2;
    }
    hf_context_free(cx);
}

/* What two series have in common is no part of the interval of their difference: it is narrow where they go together and wide
 * where they go against each other, and holds the truth as often as it says either way. */
static void series_beside_each_other(void **state) {
    (void)state;
    beside with = {.together = 1}, without = {.together = 0}, against = {.together = -1};
    try_beside(&with);
    try_beside(&without);
    try_beside(&against);
    const beside *const all[] = {&with, &without, &against};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        print_message(
            "together %g: of 1000 %u hold the difference and %u the ratio, %u taken as independent; widths %.3f, %.3f\n",
            all[i]->together, all[i]->held, all[i]->held_ratio, all[i]->held_alone, all[i]->width, all[i]->width_alone);
        assert_true(all[i]->held >= 930 && all[i]->held <= 985);
        assert_true(all[i]->held_ratio >= 925 && all[i]->held_ratio <= 985);
    }
    assert_true(with.width < with.width_alone / 4 && with.held_alone == SERIES);
    assert_true(fabs(without.width / without.width_alone - 1) < 0.1);
    assert_true(against.held_alone < 900);
}

static void series_beside_corners(void **state) {
    (void)state;
    hf_context *cx = hf_context_new(NULL);
    const double sum[] = {10, 60, 0, 30}, count[] = {1, 3, 0, 2}, none[] = {0, 0, 0, 5}, one[] = {0, 0, 0, 1};
    hf_sides reach;
    assert_int_equal(hf_series_apart(cx, (hf_series){sum, count, 4}, (hf_series){sum, count, 4}, 1, 1, &reach), HF_OK);
    assert_true(reach.down == 0 && reach.up == 0);
    assert_int_equal(hf_series_apart(cx, (hf_series){sum, count, 4}, (hf_series){none, one, 4}, 1, 1, &reach), HF_OK);
    assert_true(isnan(reach.down) && isnan(reach.up));
    assert_int_equal(hf_series_apart(cx, (hf_series){sum, count, 1}, (hf_series){sum, count, 1}, 1, 1, &reach), HF_OK);
    assert_true(isnan(reach.down) && isnan(reach.up));
    hf_context_free(cx);
}

/* A difference that comes of rare events, as order costs a packet in a thousand: intervals that stretch to the side of the skew
 * hold it nearly as often as they say, those that do not miss it above. */
static void rare_differences(void **state) {
    (void)state;
    enum { N = 40 };
    hf_context *cx = hf_context_new(NULL);
    uint32_t held = 0, held_even = 0, n_up = 0;
    for (uint32_t i = 0; i < SERIES; i++) {
        hf_random random;
        double x[N], y[N];
        hf_batch_mean of_x, of_y, even;
        hf_sides reach;
        hf_random_init(&random, SEED, HF_PURPOSE_TEST, i);
        autoregress(&random, 0.3, x, N);
        for (uint32_t w = 0; w < N; w++) {
            y[w] = x[w] + (uniform(&random) < 0.2 ? -log(uniform(&random)) : 0); /* 0.2 on average */
        }
        double apart[N];
        for (uint32_t w = 0; w < N; w++) {
            apart[w] = y[w] - x[w];
        }
        assert_int_equal(hf_series_mean(cx, (hf_series){x, NULL, N}, 1, &of_x), HF_OK);
        assert_int_equal(hf_series_mean(cx, (hf_series){y, NULL, N}, 1, &of_y), HF_OK);
        assert_int_equal(hf_series_mean(cx, (hf_series){apart, NULL, N}, 1, &even), HF_OK);
        assert_int_equal(hf_series_apart(cx, (hf_series){y, NULL, N}, (hf_series){x, NULL, N}, 1, 1, &reach), HF_OK);
        const double off = of_y.mean - of_x.mean - 0.2;
        held += off <= reach.down && -off <= reach.up;
        held_even += fabs(off) <= even.half;
        n_up += reach.up > reach.down;
    }
    print_message("of 1000 rare differences %u are held, %u by even intervals; %u reach further up\n", held, held_even, n_up);
    assert_true(held >= 930 && held <= 985 && held_even < 910 && n_up > 950);
    hf_context_free(cx);
}

/* What is laid over noise of deviation 1. */
static double drift(double t) { return 6 * t; }
static double step(double t) { return t < 0.5 ? 3 : 0; }
static double warm_up(double t) { return -8 * exp(-10 * t); }
static double collapse(double t) { return t < 0.8 ? 0 : 30 * (0.8 - t); }
static double wave(double t) { return 3 * sin(2 * 3.14159265358979323846 * t); }

/* Share of series refused. */
static double refused(double (*shape)(double t)) {
    hf_context *cx = hf_context_new(NULL);
    double x[WINDOWS];
    uint32_t n = 0;
    for (uint32_t i = 0; i < SERIES; i++) {
        hf_random random;
        hf_batch_mean m;
        hf_random_init(&random, SEED, HF_PURPOSE_TEST, i);
        autoregress(&random, 0.2, x, WINDOWS);
        for (uint32_t w = 0; w < WINDOWS; w++) {
            x[w] += shape((w + 0.5) / WINDOWS);
        }
        assert_int_equal(hf_series_mean(cx, (hf_series){x, NULL, WINDOWS}, 1, &m), HF_OK);
        n += !hf_batch_is_steady(m);
    }
    hf_context_free(cx);
    return (double)n / SERIES;
}

static void drifts_are_flagged(void **state) {
    (void)state;
    double (*const shape[])(double t) = {drift, step, warm_up, collapse, wave};
    for (size_t i = 0; i < sizeof shape / sizeof *shape; i++) {
        const double share = refused(shape[i]);
        assert_true(share > 0.95);
    }
}

/* A process of two states that falls into the lower one once in about `stay` windows and does not come back: flagged whenever it
 * fell within the series and was in either state for a tenth of it. */
static void falls_are_flagged(void **state) {
    (void)state;
    hf_context *cx = hf_context_new(NULL);
    uint32_t n_fallen = 0, n_flagged = 0;
    for (uint32_t i = 0; i < SERIES; i++) {
        double x[WINDOWS];
        hf_random random;
        hf_batch_mean m;
        hf_random_init(&random, SEED, HF_PURPOSE_TEST, i);
        uint32_t high = 0;
        while (high < WINDOWS && uniform(&random) > 1.0 / WINDOWS) {
            high++;
        }
        for (uint32_t w = 0; w < WINDOWS; w++) {
            x[w] = (w < high ? 0.85 : 0.5) + 0.02 * normal(&random);
        }
        assert_int_equal(hf_series_mean(cx, (hf_series){x, NULL, WINDOWS}, 1, &m), HF_OK);
        const bool has_fallen = high >= WINDOWS / 10 && high <= WINDOWS - WINDOWS / 10;
        n_fallen += has_fallen;
        n_flagged += has_fallen && !hf_batch_is_steady(m);
    }
    assert_true(n_fallen > SERIES / 3);
    assert_int_equal(n_flagged, n_fallen);
    hf_context_free(cx);
}

/* A mean of packets weighs windows by their packets; windows without any do not count, and too few windows say nothing. */
static void ratios_and_corners(void **state) {
    (void)state;
    hf_context *cx = hf_context_new(NULL);
    const double sum[] = {10, 60, 0, 30}, count[] = {1, 3, 0, 2},
                 same[24] = {3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3};
    hf_batch_mean m;
    assert_int_equal(hf_series_mean(cx, (hf_series){sum, count, 4}, 1, &m), HF_OK);
    assert_true(fabs(m.mean - 100.0 / 6) < 1e-12 && m.half > 0 && m.steady == 0);
    assert_int_equal(hf_series_mean(cx, (hf_series){sum, count, 1}, 1, &m), HF_OK);
    assert_true(m.mean == 10 && isnan(m.half) && m.steady == 0);
    assert_int_equal(hf_series_mean(cx, (hf_series){sum, count, 0}, 1, &m), HF_OK);
    assert_true(isnan(m.mean) && isnan(m.half) && m.steady == 0);
    assert_int_equal(hf_series_mean(cx, (hf_series){same, NULL, 24}, 1, &m), HF_OK);
    assert_true(m.mean == 3 && m.half == 0 && m.steady == 1);
    assert_int_equal(hf_series_mean(cx, (hf_series){same, NULL, 24}, 2, &m), HF_OK); /* twelve batches are too few */
    assert_true(m.mean == 3 && m.half == 0 && m.steady == 0);
    hf_context_free(cx);
}

static hf_point measure(const char *topo, const char *rule, const char *pattern, double load, const hf_simulation *like) {
    fixture fx;
    hf_fault_set none;
    hf_plan plan;
    hf_point point;
    hf_traffic *traffic;
    hf_simulation s = *like;
    fixture_open(&fx, topo, NULL, rule);
    fixture_plan(&fx, "", &none, &plan);
    fixture_ok(&fx, hf_traffic_new(fx.cx, fx.topo, pattern, &traffic));
    s.plan = &plan;
    s.traffic = traffic;
    s.threads = 1;
    fixture_ok(&fx, hf_simulate(fx.cx, &s, &load, 1, &point));
    hf_traffic_free(traffic);
    fixture_close(&fx);
    return point;
}

/* The switches of gomez2010, section 4.3.2, with the first free port: under complement the tree fills slowly, long before less
 * arrives. */
static void slow_collapse(void **state) {
    (void)state;
    hf_simulation s = {.kernel = hf_kernel_usual(), .seed = 1, .window = 1000, .batches = 24, .warm_up_most = 8};
    s.kernel.switching = HF_SWITCHING_VCT;
    s.kernel.packet_length = 256;
    s.kernel.buffer = s.kernel.output_queue = 512;
    s.kernel.link_delay = s.kernel.fly_delay = 8;
    s.kernel.routing_delay = 20;
    s.kernel.one_routing_unit = s.kernel.choose_once = true;
    s.kernel.selection = HF_SELECT_FIRST;
    const hf_point p = measure("kary-tree:k=4,n=4", "updown", "complement", 1, &s);
    assert_true(p.is_saturated && p.accepted.mean > 0.85); /* it is 0.5 in the end */
    assert_false(hf_batch_is_steady(p.accepted) || hf_batch_is_steady(p.network_latency) || hf_batch_is_steady(p.latency));
}

/* Beyond saturation throughput may be steady, latency from generation never is; batches shorter than latencies tell nothing. */
static void each_figure_by_itself(void **state) {
    (void)state;
    hf_simulation s = {.kernel = hf_kernel_usual(), .seed = 2, .window = 2000, .batches = 30};
    const hf_point full = measure("mesh:dims=4x4", "dor", "uniform", 1, &s),
                   low = measure("mesh:dims=4x4", "dor", "uniform", 0.2, &s);
    assert_true(full.is_saturated && hf_batch_is_steady(full.accepted) && hf_batch_is_steady(full.network_latency));
    assert_true(full.latency.steady == 0 && !full.is_steady);
    assert_true(low.is_steady && !low.is_saturated);
    s.window = 20;
    const hf_point brief = measure("mesh:dims=4x4", "dor", "uniform", 0.2, &s);
    assert_true(brief.accepted.steady == 0 && brief.latency.steady == 0 && !brief.is_steady);
    assert_true(brief.cycles == 600);
}

/* Batches of four latencies; in runs too short for twenty of those twenty, of two latencies at the least. */
static void batches_are_long(void **state) {
    (void)state;
    static const struct {
        double latency, window;
        uint32_t n, windows;
    } row[] = {{100, 100, 160, 4}, {100, 100, 80, 4}, {100, 100, 79, 3},    {100, 100, 40, 2}, {100, 100, 39, 4},
               {100, 100, 3, 3},   {10, 100, 160, 1}, {10, 100, 1, 1},      {90, 100, 160, 4}, {90, 100, 59, 2},
               {0, 100, 40, 1},    {100, 100, 0, 1},  {6000, 250, 1120, 56}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        assert_int_equal(hf_measure_windows(row[i].latency, row[i].window, row[i].n), row[i].windows);
    }
}

/* Two hundred short runs of a full network, of some fifty latencies each: few are refused, and intervals hold the mean of a long
 * run. */
static void short_runs_pass(void **state) {
    (void)state;
    enum { RUNS = 200 };
    hf_simulation s = {.kernel = hf_kernel_usual(), .seed = RUNS + 1, .window = 36, .batches = 2000};
    const hf_point all = measure("mesh:dims=4x4", "dor", "uniform", 1, &s);
    uint32_t n = 0, n_steady = 0, n_held[2] = {0, 0};
    s.batches = 40;
    for (uint64_t i = 1; i <= RUNS; i++) {
        s.seed = i;
        const hf_point p = measure("mesh:dims=4x4", "dor", "uniform", 1, &s);
        n++;
        n_steady += hf_batch_is_steady(p.accepted) && hf_batch_is_steady(p.network_latency);
        n_held[0] += fabs(p.accepted.mean - all.accepted.mean) <= p.accepted.half;
        n_held[1] += fabs(p.network_latency.mean - all.network_latency.mean) <= p.network_latency.half;
    }
    assert_true(hf_batch_is_steady(all.accepted) && hf_batch_is_steady(all.network_latency));
    assert_true(n_steady >= 0.95 * n && n_held[0] >= 0.9 * n && n_held[1] >= 0.9 * n);
}

/* A figure and a state beside it share the level of one: together they are refused about as often as either alone, not twice as
 * often; and a state that drifts refuses a figure that does not. */
static void states_share_the_level(void **state) {
    (void)state;
    hf_context *cx = hf_context_new(NULL);
    double x[2][WINDOWS];
    uint32_t n_alone = 0, n_both = 0, n_drifting = 0;
    for (uint32_t i = 0; i < SERIES; i++) {
        hf_random random;
        hf_batch_mean m[2], both, drifting;
        hf_random_init(&random, SEED, HF_PURPOSE_TEST, i);
        for (int k = 0; k < 2; k++) {
            autoregress(&random, 0.2, x[k], WINDOWS);
            assert_int_equal(hf_series_mean(cx, (hf_series){x[k], NULL, WINDOWS}, 1, &m[k]), HF_OK);
            n_alone += !hf_batch_is_steady(m[k]);
        }
        both = drifting = m[0];
        assert_int_equal(hf_series_hold(cx, (hf_series){x[1], NULL, WINDOWS}, 1, &both), HF_OK);
        assert_true(both.mean == m[0].mean && both.half == m[0].half);
        n_both += !hf_batch_is_steady(both);
        for (uint32_t w = 0; w < WINDOWS; w++) {
            x[1][w] += drift((w + 0.5) / WINDOWS);
        }
        assert_int_equal(hf_series_hold(cx, (hf_series){x[1], NULL, WINDOWS}, 1, &drifting), HF_OK);
        n_drifting += !hf_batch_is_steady(drifting);
    }
    print_message("refused of %d: %g alone, %u with a state, %u with one that drifts\n", SERIES, n_alone / 2.0, n_both,
                  n_drifting);
    assert_true(n_both < 0.75 * n_alone && n_drifting > 0.95 * SERIES);
    hf_context_free(cx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_cover),       cmocka_unit_test(series_beside_each_other),
        cmocka_unit_test(series_beside_corners), cmocka_unit_test(rare_differences),
        cmocka_unit_test(drifts_are_flagged),    cmocka_unit_test(falls_are_flagged),
        cmocka_unit_test(ratios_and_corners),    cmocka_unit_test(slow_collapse),
        cmocka_unit_test(each_figure_by_itself), cmocka_unit_test(batches_are_long),
        cmocka_unit_test(short_runs_pass),       cmocka_unit_test(states_share_the_level),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
