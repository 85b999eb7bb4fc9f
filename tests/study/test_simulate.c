/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Cells that simulate and claims about them: the figures are those of the kernel, threads and stops do not show. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/kernel.h>
#include <holdfast/study.h>

#include "tests/oracle/fixture.h"
#include "tests/support/folder.h"
#include "tests/support/studies.h"

static const char text[] =
    "schema: 1\nname: x\ntitle: t\nsource: s\ndefaults:\n  topology: kary-tree:k=2,n=3\n  routing: updown\n  traffic: uniform\n"
    "  router: \"packet-length=4,buffer=8,selection=sadp,output-queue=8,speedup=2\"\n  measure: "
    "\"window=500,batches=20,warm-up=8\"\n  "
    "universe: links\ncells:\n"
    "  - {label: accepted, ask: simulate, id: a, load: \"0.2\", column: accepted}\n"
    "  - {label: latency, id: l, ask: simulate, load: \"0.2,0.4\", column: latency}\n"
    "  - {label: throughput, ask: simulate peak=yes, column: accepted, id: t, load: \"0.2,0.4,1\"}\n"
    "  - {label: other seed, ask: simulate peak=yes, column: accepted, id: u, load: \"0.2,0.4,1\", seed: 3}\n"
    "  - {label: bound, ask: load, id: b, column: saturation}\n"
    "  - {label: degraded, ask: simulate peak=yes, column: accepted, faults: \"0..1\", runs: 4, load: \"0.4,1\"}\n"
    "  - {label: failed, ask: simulate, column: accepted, id: f, failed: \"s0:2-s4:0\", load: \"1\"}\n"
    "  - {label: search, ask: simulate saturation=yes, table: saturation, column: load, id: s, seed: 2}\n"
    "  - {label: bursts, ask: simulate, load: \"0.4\", burst: \"50,2\", column: latency}\n"
    "  - {label: more, kind: claim, of: t, against: a, holds: \"50%..\"}\n"
    "  - {label: less, kind: claim, of: t, against: a, holds: \"..50%\"}\n"
    "  - {label: between, kind: claim, of: t, against: t, show: ratio, holds: \"1..\"}\n"
    "  - {label: more than equal, kind: claim, of: t, against: t, holds: \"0%<..\"}\n"
    "  - {label: other, kind: claim, of: t, against: u, holds: \"0%<..\"}\n"
    "  - {label: lost, kind: combine, of: a, against: t, show: loss, published: \"78%\"}\n"
    "  - {label: value, kind: claim, of: b, show: value, holds: \"1..<1.5\"}\n"
    "  - {label: value of an interval, kind: claim, of: t, show: value, holds: \"0<..\"}\n"
    "  - {label: exact, kind: combine, id: e, of: b, against: b, show: product}\n"
    "  - {label: difference, kind: combine, id: d, of: t, against: a, show: difference}\n"
    "  - {label: product, kind: combine, of: d, against: b, show: product, published: \"0.7\"}\n"
    "  - {label: wide, kind: claim, of: d, against: e, holds: \"..-1%\"}\n"
    "  - {label: below, kind: claim, of: s, against: b, show: difference, holds: \"..0\"}\n"
    "  - {label: several, kind: claim, of: l, against: a, show: difference, holds: \"..0\"}\n";

static void run(hf_context *cx, hf_store *store, uint32_t threads, hf_study_outcome **out) {
    const hf_study_options options = {.store = store, .threads = threads};
    *out = study_run(cx, text, &options);
}

/* The kernel by itself. */
static hf_point measure(fixture *fx, const char *failed, hf_burst burst, double load) {
    hf_fault_set faults;
    hf_plan plan;
    hf_traffic *traffic;
    hf_point point;
    fixture_plan(fx, failed, &faults, &plan);
    hf_simulation s = {
        .plan = &plan, .kernel = hf_kernel_usual(), .seed = 1, .window = 500, .batches = 20, .warm_up_most = 8, .threads = 1};
    s.burst = burst;
    s.kernel.selection = HF_SELECT_SADP;
    s.kernel.output_queue = 8;
    s.kernel.speedup = 2;
    fixture_ok(fx, hf_traffic_new(fx->cx, fx->topo, "uniform", &traffic));
    s.traffic = traffic;
    fixture_ok(fx, hf_simulate(fx->cx, &s, &load, 1, &point));
    hf_traffic_free(traffic);
    return point;
}

static void expect_near(double have, double want) { assert_true(fabs(have - want) <= 1e-12 * fmax(1, fabs(want))); }

static void expect(const hf_study_line *line, hf_batch_mean m) {
    char computed[64], low[64], high[64];
    snprintf(computed, sizeof computed, "%.6g", m.mean);
    snprintf(low, sizeof low, "%.6g", m.mean - m.half);
    snprintf(high, sizeof high, "%.6g", m.mean + m.half);
    assert_string_equal(line->computed, computed);
    assert_string_equal(line->low, low);
    assert_string_equal(line->high, high);
}

static void lines_are_what_the_kernel_measures(void **state) {
    (void)state;
    fixture fx;
    hf_study_outcome *o = NULL;
    fixture_open(&fx, "kary-tree:k=2,n=3", "links", "updown");
    run(fx.cx, NULL, 1, &o);
    const hf_burst none = {0, 0, false};
    const hf_point low = measure(&fx, "", none, 0.2), middle = measure(&fx, "", none, 0.4), high = measure(&fx, "", none, 1);
    const hf_point bursts = measure(&fx, "", (hf_burst){50, 2, false}, 0.4);
    expect(study_find(o, "accepted"), low.accepted);
    expect(study_find(o, "latency, load=0.2"), low.latency);
    expect(study_find(o, "latency, load=0.4"), middle.latency);
    expect(study_find(o, "bursts"), bursts.latency);
    assert_true(bursts.latency.mean > middle.latency.mean);
    assert_true(high.accepted.mean > middle.accepted.mean);
    expect(study_find(o, "throughput"), high.accepted);
    expect(study_find(o, "degraded, f=0"), high.accepted);
    expect(study_find(o, "failed"), measure(&fx, "s0:2-s4:0", none, 1).accepted);
    assert_true(study_find(o, "failed")->verdict == HF_STUDY_NO_PUBLISHED);
    hf_study_outcome_free(o);
    fixture_close(&fx);
}

static void claims_are_judged(void **state) {
    (void)state;
    hf_context *cx = hf_context_new(NULL);
    hf_study_outcome *o = NULL;
    run(cx, NULL, 2, &o);
    assert_int_equal(study_find(o, "more")->verdict, HF_STUDY_HOLDS);
    assert_int_equal(study_find(o, "less")->verdict, HF_STUDY_DOES_NOT_HOLD);
    assert_int_equal(study_find(o, "between")->verdict, HF_STUDY_HOLDS); /* a run equals itself */
    assert_string_equal(study_find(o, "between")->method, "holds in 1.., equal runs");
    assert_string_equal(study_find(o, "between")->low, "");
    assert_int_equal(study_find(o, "more than equal")->verdict, HF_STUDY_DOES_NOT_HOLD);
    assert_string_equal(study_find(o, "more than equal")->method, "holds in 0%<.., equal runs");
    assert_int_equal(study_find(o, "other")->verdict, HF_STUDY_OPEN); /* another seed is another run */
    assert_string_not_equal(study_find(o, "other")->low, "");
    assert_string_equal(study_find(o, "lost")->method, "1 - A / B");
    assert_true(fabs(study_find(o, "lost")->value - 1 + study_find(o, "accepted")->value / study_find(o, "throughput")->value) <
                1e-12);
    assert_string_equal(study_find(o, "value")->computed, study_find(o, "bound")->computed);
    assert_string_equal(study_find(o, "value of an interval")->low, study_find(o, "throughput")->low);
    assert_int_equal(study_find(o, "value of an interval")->verdict, HF_STUDY_HOLDS);
    assert_int_equal(study_find(o, "below")->verdict, HF_STUDY_HOLDS);
    assert_int_equal(study_find(o, "several")->verdict, HF_STUDY_NOT_COMPUTABLE);
    assert_int_equal(o->holding, 6);
    assert_int_equal(o->not_holding, 2);
    assert_int_equal(o->open, 1);
    hf_study_outcome_free(o);
    hf_context_free(cx);
}

/* All four links: no sample, so the interval is that of the runs, which are independent: half of that of one. Three of them:
 * Student's t. */
static void sets_that_are_all_are_no_sample(void **state) {
    (void)state;
    static const char cells[] =
        "schema: 1\nname: x\ntitle: t\nsource: s\ndefaults:\n  topology: kary-tree:k=2,n=2\n  routing: updown\n"
        "  traffic: uniform\n  universe: links\n  measure: \"window=500,batches=20,warm-up=8\"\ncells:\n"
        "  - {label: all, ask: simulate, faults: \"1\", runs: 4, load: \"1\", column: accepted}\n"
        "  - {label: drawn, ask: simulate, faults: \"1\", runs: 3, load: \"1\", column: accepted}\n"
        "  - {label: 0, ask: simulate, failed: \"s0:2-s2:0\", load: \"1\", column: accepted}\n"
        "  - {label: 1, ask: simulate, failed: \"s0:3-s3:0\", load: \"1\", column: accepted}\n"
        "  - {label: 2, ask: simulate, failed: \"s1:2-s2:1\", load: \"1\", column: accepted}\n"
        "  - {label: 3, ask: simulate, failed: \"s1:3-s3:1\", load: \"1\", column: accepted}\n";
    hf_context *cx = hf_context_new(NULL);
    const hf_study_options options = {.threads = 2};
    hf_study_outcome *o = study_run(cx, cells, &options);
    double mean = 0, half = 0;
    for (unsigned i = 0; i < 4; i++) {
        char label[2] = {(char)('0' + i), 0};
        const hf_study_line *one = study_find(o, label);
        mean += one->value / 4;
        half += (one->value_high - one->value) / 4;
    }
    const hf_study_line *all = study_find(o, "all"), *drawn = study_find(o, "drawn");
    assert_true(half > 0 && fabs(all->value - mean) < 2 * half && fabs((all->value_high - all->value) / half - 0.5) < 0.2);
    assert_string_equal(all->method, "simulate, exhaustive, 4 sets, 10000 cycles, batch-means, seed 1");
    assert_string_equal(drawn->method, "simulate, sampled, 3 sets, 10000 cycles, student-t, seed 1");
    hf_study_outcome_free(o);
    hf_context_free(cx);
}

/* What rests on a run that is not steady, or on runs of two lengths, is open, whatever the figures say: claims, published values,
 * what is combined of them, lines, throughputs of several loads. */
static void only_steady_runs_decide(void **state) {
    (void)state;
    static const char cells[] =
        "schema: 1\nname: x\ntitle: t\nsource: s\nx-axis: load\ny-axis: y\ndefaults:\n  topology: mesh:dims=4x4\n  routing: dor\n"
        "  traffic: uniform\n  measure: \"window=1000,batches=20,warm-up=8\"\ncells:\n"
        "  - {label: low, ask: simulate, id: l, load: \"0.1\", column: accepted, published: \"0.1\", curve: c, x: \"1\"}\n"
        "  - {label: middle, ask: simulate, id: m, load: \"0.2\", column: accepted, curve: c, x: \"2\"}\n"
        "  - {label: more, ask: simulate, id: o, load: \"0.3\", column: accepted, curve: c, x: \"3\"}\n"
        "  - {label: steady line, kind: line, of: c, holds: \"..50%\"}\n"
        "  - {label: full, ask: simulate, id: f, load: \"1\", column: accepted}\n"
        "  - {label: full latency, ask: simulate, id: w, load: \"1\", column: latency, published: \"1\"}\n"
        "  - {label: brief, ask: simulate, id: b, load: \"0.4\", column: accepted, measure: \"window=20,batches=20\", curve: c, "
        "x: \"4\"}\n"
        "  - {label: brief of several, ask: simulate peak=yes, column: accepted, id: s, load: \"0.1,0.4\", measure: "
        "\"window=20,batches=20\"}\n"
        "  - {label: longer, ask: simulate, id: g, load: \"0.2\", column: accepted, measure: \"window=1000,batches=21\"}\n"
        "  - {label: bound, ask: load, id: x, column: saturation}\n"
        "  - {label: holds, kind: claim, of: m, against: l, show: ratio, holds: \"1..\"}\n"
        "  - {label: does not, kind: claim, of: m, against: l, show: ratio, holds: \"..1\"}\n"
        "  - {label: full holds, kind: claim, of: f, against: l, show: ratio, holds: \"1..\"}\n"
        "  - {label: exact, kind: claim, of: l, against: x, show: ratio, holds: \"..1\"}\n"
        "  - {label: open of, kind: claim, of: b, against: l, show: ratio, holds: \"0..\"}\n"
        "  - {label: open against, kind: claim, of: m, against: b, show: ratio, holds: \"0..\"}\n"
        "  - {label: open throughput, kind: claim, of: m, against: s, show: ratio, holds: \"0..\"}\n"
        "  - {label: open latency, kind: claim, of: w, against: x, show: ratio, holds: \"0..\"}\n"
        "  - {label: open lengths, kind: claim, of: g, against: l, show: ratio, holds: \"0..\"}\n"
        "  - {label: product, kind: combine, id: p, of: b, against: x, show: product, published: \"1\"}\n"
        "  - {label: open product, kind: claim, of: p, against: x, show: ratio, holds: \"0..\"}\n"
        "  - {label: lengths, kind: combine, id: q, of: m, against: x, show: product}\n"
        "  - {label: open product lengths, kind: claim, of: g, against: q, show: ratio, holds: \"0..\"}\n"
        "  - {label: open line, kind: line, of: c, holds: \"..50%\"}\n";
    static const char *const unsteady[] = {"full latency", "product"};
    hf_context *cx = hf_context_new(NULL);
    const hf_study_options options = {.threads = 2};
    hf_study_outcome *o = study_run(cx, cells, &options);
    size_t n_open = 2;
    assert_int_equal(study_find(o, "low")->verdict, HF_STUDY_REPRODUCED);
    assert_int_equal(study_find(o, "holds")->verdict, HF_STUDY_HOLDS);
    assert_int_equal(study_find(o, "does not")->verdict, HF_STUDY_DOES_NOT_HOLD);
    assert_int_equal(study_find(o, "full holds")->verdict, HF_STUDY_HOLDS); /* its throughput is steady, its latency is not */
    assert_int_equal(study_find(o, "exact")->verdict, HF_STUDY_HOLDS);
    assert_int_equal(study_find(o, "steady line")->verdict, HF_STUDY_HOLDS);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(study_find(o, unsteady[i])->verdict, HF_STUDY_NOT_STEADY);
    }
    for (size_t i = 0; i < o->n_line; i++) {
        if (strncmp(o->line[i].label, "open ", 5) == 0) {
            assert_int_equal(o->line[i].verdict, HF_STUDY_NOT_STEADY);
            assert_non_null(strstr(o->line[i].method, "not steady"));
            n_open++;
        }
    }
    assert_string_equal(hf_study_verdict_name(HF_STUDY_NOT_STEADY), "open: not steady");
    assert_true(n_open == 10 && o->open == n_open && o->not_steady == n_open);
    hf_study_outcome_free(o);
    hf_context_free(cx);
}

/* Half widths add up as squares, relative ones in products; a combination is judged by what is published. */
static void combinations_carry_intervals(void **state) {
    (void)state;
    hf_context *cx = hf_context_new(NULL);
    hf_study_outcome *o = NULL;
    run(cx, NULL, 2, &o);
    const hf_study_line *t = study_find(o, "throughput"), *a = study_find(o, "accepted"), *b = study_find(o, "bound"),
                        *e = study_find(o, "exact"), *d = study_find(o, "difference"), *p = study_find(o, "product");
    assert_true(e->value == b->value * b->value && e->value_low == e->value && !*e->low);
    const double half = hypot(t->value_high - t->value, a->value_high - a->value);
    assert_true(d->value == t->value - a->value && fabs(d->value_high - d->value - half) < 1e-12);
    assert_true(p->value == d->value * b->value && fabs(p->value_high - p->value - half * b->value) < 1e-12);
    assert_int_equal(d->verdict, HF_STUDY_NO_PUBLISHED);
    assert_int_equal(p->verdict, p->value_low <= 0.7 && p->value_high >= 0.7 ? HF_STUDY_REPRODUCED : HF_STUDY_DIFFERS);
    assert_string_equal(d->method, "A - B");
    assert_string_equal(p->method, "A B");
    assert_int_equal(study_find(o, "wide")->verdict, HF_STUDY_HOLDS);
    hf_study_outcome_free(o);
    hf_context_free(cx);
}

/* How far the interval of a difference of 20 windows goes, which are as many batches: Student's t, 2.093 for 19, bent by their
 * skewness, and what neighbours have in common. */
static void reach_of_20(const double *apart, double *down, double *up) {
    enum { N = 20 };
    double mean = 0, squares = 0, cubes = 0, products = 0;
    for (int i = 0; i < N; i++) {
        mean += apart[i] / N;
    }
    for (int i = 0; i < N; i++) {
        squares += pow(apart[i] - mean, 2);
        cubes += pow(apart[i] - mean, 3);
        products += i ? (apart[i] - mean) * (apart[i - 1] - mean) : 0;
    }
    const double r = fmax(products / squares, 0), variance = squares / (N - 1), t = 2.0930240544;
    const double error = sqrt(variance / N * (1 + r) / (1 - r));
    const double beta = N * cubes / ((N - 1) * (N - 2) * pow(variance, 1.5)) / (6 * sqrt(N));
    *down = (cbrt(1 + 6 * beta * (t - beta)) - 1) / (2 * beta) * error;
    *up = -(cbrt(1 + 6 * beta * (-t - beta)) - 1) / (2 * beta) * error;
}

/* How far each window has the difference from that of the whole: latencies weigh by their packets. */
static void windows_apart(const hf_point p[2], double r, bool is_latency, double *out) {
    double mean[2] = {0, 0}, count[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
        assert_int_equal(p[k].n_window, 20);
        for (int i = 0; i < 20; i++) {
            const hf_kernel_window *w = &p[k].window[i];
            count[k] += is_latency ? (double)w->packets / 20 : 1.0 / 20;
            mean[k] += is_latency ? w->network_latency * (double)w->packets : w->accepted;
        }
        mean[k] /= 20 * count[k];
    }
    for (int i = 0; i < 20; i++) {
        double off[2];
        for (int k = 0; k < 2; k++) {
            const hf_kernel_window *w = &p[k].window[i];
            off[k] = is_latency ? (w->network_latency - mean[k]) * (double)w->packets / count[k] : w->accepted - mean[k];
        }
        out[i] = off[0] - r * off[1];
    }
}

static void expect_reach(const hf_study_line *line, double value, double down, double up) {
    assert_true(fabs(line->value - value) <= 1e-9 * fabs(value));
    assert_true(fabs(line->value_low - (value - down)) <= 1e-8 && fabs(line->value_high - (value + up)) <= 1e-8);
}

/* Runs that were measured in the same windows are compared window by window, whatever is shown; runs of windows, of a warm-up or
 * of traffic that differ are not, nor is what is no mean of the run. */
static void windows_are_compared_beside(void **state) {
    (void)state;
    static const char cells[] =
        "schema: 1\nname: x\ntitle: t\nsource: s\ndefaults:\n  ask: simulate\n  topology: kary-tree:k=2,n=3\n  routing: updown\n"
        "  traffic: uniform\n  router: \"packet-length=4,buffer=8,selection=sadp,output-queue=8,speedup=2\"\n"
        "  measure: \"window=500,batches=20,warm-up=8\"\ncells:\n"
        "  - {label: a, id: a, load: \"0.4\", column: accepted}\n"
        "  - {label: b, id: b, load: \"0.4\", column: accepted, failed: \"s0:2-s4:0\"}\n"
        "  - {label: la, id: la, load: \"0.4\", column: network_latency}\n"
        "  - {label: lb, id: lb, load: \"0.4\", column: network_latency, failed: \"s0:2-s4:0\"}\n"
        "  - {label: lw, id: lw, load: \"0.4\", column: network_latency, measure: \"window=250,batches=40,warm-up=8\"}\n"
        "  - {label: ls, id: ls, load: \"0.4\", column: network_latency, seed: 2}\n"
        "  - {label: l5, id: l5, load: \"0.5\", column: network_latency}\n"
        "  - {label: lt, id: lt, load: \"0.4\", column: network_latency, traffic: complement}\n"
        "  - {label: named, id: named, load: \"0.4\", table: loads, column: network_latency}\n"
        "  - {label: few, id: few, load: \"0.4\", column: accepted, measure: \"window=500,batches=19,warm-up=8\"}\n"
        "  - {label: longest, id: longest, load: \"0.4\", column: network_latency_max}\n"
        "  - {label: difference, kind: combine, show: difference, of: a, against: b}\n"
        "  - {label: ratio, kind: combine, show: ratio, of: lb, against: la}\n"
        "  - {label: gain, kind: combine, show: gain, of: lb, against: la}\n"
        "  - {label: loss, kind: combine, show: loss, of: la, against: lb}\n"
        "  - {label: product, kind: combine, show: product, of: la, against: lb}\n"
        "  - {label: warmed, kind: combine, show: ratio, of: lb, against: lw}\n"
        "  - {label: other seed, kind: combine, show: ratio, of: lb, against: ls}\n"
        "  - {label: other load, kind: combine, show: ratio, of: lb, against: l5}\n"
        "  - {label: other traffic, kind: combine, show: ratio, of: lb, against: lt}\n"
        "  - {label: named table, kind: combine, show: gain, of: lb, against: named}\n"
        "  - {label: fewer, kind: combine, show: ratio, of: few, against: few}\n"
        "  - {label: of the longest, kind: combine, show: ratio, of: longest, against: la}\n"
        "  - {label: claim, kind: claim, of: lb, against: la, holds: \"0%<..\"}\n";
    fixture fx;
    fixture_open(&fx, "kary-tree:k=2,n=3", "links", "updown");
    const hf_study_options options = {.threads = 2};
    hf_study_outcome *o = study_run(fx.cx, cells, &options);
    const hf_burst none = {0, 0, false};
    const hf_point whole = measure(&fx, "", none, 0.4), broken = measure(&fx, "s0:2-s4:0", none, 0.4);
    const hf_point there[2] = {whole, broken}, back[2] = {broken, whole};
    double apart[20], down, up, a = whole.network_latency.mean, b = broken.network_latency.mean;
    windows_apart(there, 1, false, apart);
    reach_of_20(apart, &down, &up);
    expect_reach(study_find(o, "difference"), whole.accepted.mean - broken.accepted.mean, down, up);
    windows_apart(back, b / a, true, apart);
    reach_of_20(apart, &down, &up);
    assert_true(fabs(down / up - 1) > 0.01);
    expect_reach(study_find(o, "ratio"), b / a, down / a, up / a);
    expect_reach(study_find(o, "gain"), b / a - 1, down / a, up / a);
    expect_reach(study_find(o, "claim"), b / a - 1, down / a, up / a);
    windows_apart(there, a / b, true, apart);
    reach_of_20(apart, &down, &up);
    expect_reach(study_find(o, "loss"), 1 - a / b, up / b, down / b);
    assert_string_equal(study_find(o, "gain")->method, "A / B - 1, 20 windows");
    assert_string_equal(study_find(o, "claim")->method, "holds in 0%<.., 20 windows");
    assert_string_equal(study_find(o, "product")->method, "A B");
    assert_string_equal(study_find(o, "warmed")->method, "A / B");
    assert_string_equal(study_find(o, "other seed")->method, "A / B");
    assert_string_equal(study_find(o, "other load")->method, "A / B");
    assert_string_equal(study_find(o, "other traffic")->method, "A / B");
    assert_true(study_find(o, "named table")->value_low == study_find(o, "gain")->value_low);
    assert_null(strstr(study_find(o, "fewer")->method, "windows"));
    assert_int_equal(study_find(o, "of the longest")->verdict, HF_STUDY_NO_PUBLISHED);
    assert_null(strstr(study_find(o, "of the longest")->method, "windows"));
    hf_study_outcome_free(o);
    fixture_close(&fx);
}

/* An id is that of one cell, whatever its kind. */
static void ids_name_one_cell(void **state) {
    (void)state;
    static const char *const second[] = {"ask: load, topology: ring:n=4, routing: dor, traffic: uniform, column: saturation",
                                         "kind: combine, show: difference, of: a, against: a", "not-computable: why",
                                         "kind: claim, show: value, of: a, holds: \"0..\""};
    for (size_t i = 0; i < sizeof second / sizeof *second; i++) {
        char yaml[600];
        hf_context *cx = hf_context_new(NULL);
        hf_study *study = NULL;
        const int size = snprintf(yaml, sizeof yaml,
                                  "schema: 1\nname: x\ntitle: t\nsource: s\ncells:\n  - {label: a, id: a, ask: load, topology: "
                                  "ring:n=4, routing: dor, traffic: uniform, column: saturation}\n  - {label: b, id: a, %s}\n",
                                  second[i]);
        assert_int_equal(hf_study_parse(cx, "in.yaml", yaml, (size_t)size, &study), HF_EINVAL);
        assert_non_null(strstr(hf_context_message(cx), "in.yaml, line 7, key \"id\": \"a\" is the id of the cell in line 6 too"));
        hf_context_free(cx);
    }
}

/* An interval of a small share is longer above than below, and so is that of its difference from an exact one, which has its
 * ends; what is taken off turns them round. */
static void sides_stay_apart(void **state) {
    (void)state;
    static const char shares[] = "schema: 1\nname: x\ntitle: t\nsource: s\ndefaults:\n  ask: tolerance\n  column: "
                                 "not_tolerated_percent\n  topology: \"kary-tree:k=4,n=3\"\n"
                                 "  routing: ft2ei:intervals=2\n  universe: channels\ncells:\n"
                                 "  - {label: s, id: s, faults: 11, samples: 200}\n"
                                 "  - {label: q, id: q, faults: 16, samples: 200, seed: 2}\n"
                                 "  - {label: e, id: e, topology: \"kary-tree:k=2,n=3\", faults: 2, method: exhaustive}\n"
                                 "  - {label: less, kind: combine, show: difference, of: s, against: e}\n"
                                 "  - {label: from, kind: combine, show: difference, of: e, against: s}\n"
                                 "  - {label: two, kind: combine, show: difference, of: q, against: s}\n"
                                 "  - {label: over, kind: combine, show: ratio, of: q, against: e}\n"
                                 "  - {label: loss, kind: combine, show: loss, of: q, against: e}\n"
                                 "  - {label: both, kind: combine, show: product, of: q, against: e}\n";
    hf_context *cx = hf_context_new(NULL);
    const hf_study_options options = {.threads = 1};
    hf_study_outcome *o = study_run(cx, shares, &options);
    const hf_study_line *s = study_find(o, "s"), *q = study_find(o, "q"), *t = study_find(o, "two");
    const double e = study_find(o, "e")->value;
    assert_true(s->value_high - s->value > 1.2 * (s->value - s->value_low) && q->value > 0);
    expect_near(study_find(o, "less")->value_low, s->value_low - e);
    expect_near(study_find(o, "less")->value_high, s->value_high - e);
    expect_near(study_find(o, "from")->value_low, e - s->value_high);
    expect_near(study_find(o, "from")->value_high, e - s->value_low);
    expect_near(t->value_low, t->value - hypot(q->value - q->value_low, s->value_high - s->value));
    expect_near(t->value_high, t->value + hypot(q->value_high - q->value, s->value - s->value_low));
    expect_near(study_find(o, "over")->value_low, q->value_low / e);
    expect_near(study_find(o, "over")->value_high, q->value_high / e);
    expect_near(study_find(o, "loss")->value_low, 1 - q->value_high / e);
    expect_near(study_find(o, "loss")->value_high, 1 - q->value_low / e);
    expect_near(study_find(o, "both")->value_low, q->value_low * e);
    expect_near(study_find(o, "both")->value_high, q->value_high * e);
    hf_study_outcome_free(o);
    hf_context_free(cx);
}

static void expect_same(const hf_study_outcome *a, const hf_study_outcome *b) {
    assert_int_equal(a->n_line, b->n_line);
    for (size_t i = 0; i < a->n_line; i++) {
        assert_string_equal(a->line[i].label, b->line[i].label);
        assert_string_equal(a->line[i].computed, b->line[i].computed);
        assert_string_equal(a->line[i].low, b->line[i].low);
        assert_string_equal(a->line[i].high, b->line[i].high);
    }
}

static void threads_and_the_store_do_not_show(void **state) {
    (void)state;
    hf_context *cx = hf_context_new(NULL);
    char folder[256], path[512];
    hf_store *store;
    hf_study_outcome *one = NULL, *three = NULL, *again = NULL;
    folder_open(folder, sizeof folder);
    assert_int_equal(hf_store_open(cx, folder_file(folder, "s.sqlite", path, sizeof path), HF_STORE_WRITE, &store), HF_OK);
    run(cx, NULL, 1, &one);
    run(cx, store, 3, &three);
    run(cx, store, 1, &again);
    expect_same(one, three);
    expect_same(one, again);
    assert_false(study_find(three, "accepted")->from_store);
    assert_true(study_find(again, "accepted")->from_store);
    assert_true(study_find(again, "degraded, f=1")->from_store);
    hf_study_outcome_free(one);
    hf_study_outcome_free(three);
    hf_study_outcome_free(again);
    hf_store_close(store);
    folder_close(folder);
    hf_context_free(cx);
}

/* A fault of FT2EI below stage 2 of 4, with hardly any traffic: 3 hops of L + crossbar + link - 1 + control = 18 cycles, and one,
 * behind 10 of detection; 6 control packets. */
static void repairs_are_histories(void **state) {
    (void)state;
    static const char repair[] =
        "schema: 1\nname: x\ntitle: t\nsource: s\ndefaults:\n  topology: kary-tree:k=2,n=4\n  routing: ft2ei\n  traffic: "
        "uniform\n"
        "  router: \"switching=vct,packet-length=16,buffer=80\"\n  measure: \"window=500,warm-up=8\"\n  load: \"0.001\"\n"
        "cells:\n"
        "  - {label: cycles, ask: \"simulate fault-at=1000:s16:0>s8:2 cycles=4000\", table: faults, column: finished_after}\n"
        "  - {label: messages, ask: \"simulate fault-at=1000:s16:0>s8:2 cycles=4000\", table: faults, column: messages}\n"
        "  - {label: lost, ask: simulate fault-cycle=1000 cycles=4000, universe: links, faults: \"1\", runs: 3, column: "
        "lost_afterwards}\n"
        "  - {label: at once, ask: simulate fault-cycle=1000 cycles=8000 swap-cycles=300, topology: \"mesh:dims=3x3\", routing: "
        "updown-graph, universe: links, faults: \"3\", "
        "runs: "
        "3, column: reconfiguration_cycles}\n"
        "  - {label: in turn, ask: simulate fault-cycle=1000 fault-every=2000 cycles=8000 swap-cycles=300, topology: "
        "\"mesh:dims=3x3\", routing: updown-graph, universe: links, faults: \"3\", "
        "runs: "
        "3, column: reconfiguration_cycles}\n"
        "  - {label: nested, ask: simulate fault-cycle=1000 fault-every=20 cycles=8000 swap-cycles=300, topology: "
        "\"mesh:dims=3x3\", routing: updown-graph, universe: links, faults: \"3\", "
        "runs: "
        "3, column: reconfiguration_cycles}\n";
    hf_context *cx = hf_context_new(NULL);
    const hf_study_options options = {.threads = 2};
    hf_study *study = NULL;
    hf_study_outcome *o = NULL;
    if (hf_study_parse(cx, "in.yaml", repair, sizeof repair - 1, &study) != HF_OK ||
        hf_study_run(cx, study, &options, &o) != HF_OK) {
        fail_msg("%s", hf_context_message(cx));
    }
    assert_string_equal(study_find(o, "cycles")->computed, "65");
    assert_string_equal(study_find(o, "messages")->computed, "6");
    assert_string_equal(study_find(o, "lost")->computed, "0");
    assert_string_equal(study_find(o, "at once")->computed, "300");
    assert_string_equal(study_find(o, "in turn")->computed, "4300");
    assert_string_equal(study_find(o, "nested")->computed, "340");
    hf_study_outcome_free(o);
    hf_study_free(study);
    hf_context_free(cx);
}

/* What is accepted before and after a repair is a steady state, and needs windows enough; cycles and losses do not. */
static void phases_of_repairs(void **state) {
    (void)state;
    static const char cells[] =
        "schema: 1\nname: x\ntitle: t\nsource: s\ndefaults:\n  topology: mesh:dims=3x3\n  routing: updown-graph\n  traffic: "
        "uniform\n  load: \"0.2\"\n  universe: links\n  runs: 3\ncells:\n"
        "  - {label: before, ask: simulate fault-cycle=8000 cycles=20000, faults: \"1\", measure: \"window=100\", column: "
        "before, "
        "published: \"0.2\"}\n"
        "  - {label: after, ask: simulate fault-cycle=8000 cycles=20000, faults: \"1\", measure: \"window=100\", column: after, "
        "published: "
        "\"0.2\"}\n"
        "  - {label: brief, ask: simulate fault-cycle=8000 cycles=20000, faults: \"1\", measure: \"window=1000\", column: "
        "before, "
        "published: \"0.2\"}\n"
        "  - {label: cycles, ask: simulate fault-cycle=8000 cycles=20000, faults: \"1\", measure: \"window=1000\", column: "
        "reconfiguration_cycles, "
        "published: \"1000\"}\n";
    hf_context *cx = hf_context_new(NULL);
    const hf_study_options options = {.threads = 2};
    hf_study_outcome *o = study_run(cx, cells, &options);
    assert_int_equal(study_find(o, "before")->verdict, HF_STUDY_REPRODUCED);
    assert_int_equal(study_find(o, "after")->verdict, HF_STUDY_REPRODUCED);
    assert_int_equal(study_find(o, "brief")->verdict, HF_STUDY_NOT_STEADY);
    assert_int_equal(study_find(o, "cycles")->verdict, HF_STUDY_REPRODUCED);
    assert_true(study_find(o, "before")->value_low < study_find(o, "before")->value); /* traffic differs from set to set */
    hf_study_outcome_free(o);
    hf_context_free(cx);
}

static void bad_turns(void **state) {
    (void)state;
    static const char *const bad[][3] = {
        {"1", "fault-every=10", "fault-every belongs to fault-cycle"},
        {"2,4", "fault-cycle=1000 fault-every=3000 cycles=9000", "faults=4, the first in cycle 1000 and one every 3000"},
        {"0", "fault-cycle=1000 fault-every=10 cycles=9000", "faults=0, the first"},
        {"1", "fault-cycle=1000", "fault-cycle needs cycles"},
        {"1", "failed=s0", "contradict each other"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char yaml[1000];
        hf_context *cx = hf_context_new(NULL);
        hf_study *study = NULL;
        hf_study_outcome *o;
        const hf_study_options options = {.threads = 1};
        const int size =
            snprintf(yaml, sizeof yaml,
                     "schema: 1\nname: x\ntitle: t\nsource: s\ncells:\n  - {label: a, ask: \"simulate %s\", faults: \"%s\", "
                     "topology: \"mesh:dims=3x3\", routing: updown-graph, traffic: uniform, load: \"0.1\", column: after}\n",
                     bad[i][1], bad[i][0]);
        hf_status status = hf_study_parse(cx, "in.yaml", yaml, (size_t)size, &study);
        status = status == HF_OK ? hf_study_run(cx, study, &options, &o) : status;
        assert_int_equal(status, HF_EINVAL);
        if (!strstr(hf_context_message(cx), bad[i][2])) {
            fail_msg("\"%s\" lacks \"%s\"", hf_context_message(cx), bad[i][2]);
        }
        hf_study_free(study);
        hf_context_free(cx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lines_are_what_the_kernel_measures),
                                       cmocka_unit_test(claims_are_judged),
                                       cmocka_unit_test(sets_that_are_all_are_no_sample),
                                       cmocka_unit_test(only_steady_runs_decide),
                                       cmocka_unit_test(sides_stay_apart),
                                       cmocka_unit_test(combinations_carry_intervals),
                                       cmocka_unit_test(windows_are_compared_beside),
                                       cmocka_unit_test(ids_name_one_cell),
                                       cmocka_unit_test(threads_and_the_store_do_not_show),
                                       cmocka_unit_test(repairs_are_histories),
                                       cmocka_unit_test(phases_of_repairs),
                                       cmocka_unit_test(bad_turns)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
