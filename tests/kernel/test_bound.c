/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Saturation against the bound of the channels' loads: never above it, and at least a stated fraction of it. Only patterns that
 *  load all terminals' ways alike: elsewhere what is not cut back goes on beyond the bound. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/kernel.h>

#include "tests/oracle/fixture.h"
#include "tests/support/share.h"

typedef struct row {
    const char *topo, *rule, *pattern;
    double fraction; /* of the bound, at least */
} row;

static const row rows[] = {
    {"torus:dims=4x4", "dor:vcs=4,dateline=yes", "uniform", 0.6},
    {"torus:dims=8x8", "dor:vcs=4,dateline=yes", "tornado", 0.6},
    {"ring:n=8", "dor:vcs=4,dateline=yes", "tornado", 0.6},
    {"hypercube:n=4", "dor:vcs=4", "uniform", 0.6},
    {"kary-tree:k=4,n=2", "destro", "uniform", 0.55},
    {"kary-tree:k=2,n=4", "destro", "complement", 0.9},
    {"kary-tree:k=4,n=2", "destro", "complement", 0.9},
    {"ring:n=6", "dor:vcs=4,dateline=yes", "neighbour", 0.9},
};

static void check_row(const row *r) {
    fixture fx;
    hf_fault_set none;
    hf_plan plan;
    hf_load *load;
    hf_point points[HF_SATURATION_POINTS];
    uint32_t best;
    fixture_open(&fx, r->topo, NULL, r->rule);
    fixture_plan(&fx, "", &none, &plan);
    hf_simulation s = {.plan = &plan, .kernel = hf_kernel_usual(), .seed = 1, .window = 500, .batches = 10, .warm_up_most = 20};
    hf_traffic *traffic;
    fixture_ok(&fx, hf_traffic_new(fx.cx, fx.topo, r->pattern, &traffic));
    s.traffic = traffic;
    s.kernel.buffer = 16;
    s.kernel.reuse_early = true;
    s.kernel.routing_delay = 0;
    fixture_ok(&fx, hf_load_find(fx.cx, &plan, traffic, HF_SPLIT_EVEN, &load));
    fixture_ok(&fx, hf_simulate_saturation(fx.cx, &s, points, &best));
    assert_int_not_equal(best, HF_NONE);
    const hf_point *p = &points[best];
    if (p->accepted.mean - p->accepted.half > load->saturation || p->accepted.mean < r->fraction * load->saturation) {
        fail_msg("%s, %s, %s: %g flits/cycle/terminal are accepted, the bound is %g", r->topo, r->rule, r->pattern,
                 p->accepted.mean, load->saturation);
    }
    hf_load_free(load);
    hf_traffic_free(traffic);
    fixture_close(&fx);
}

static void saturation(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i += share_step()) {
        check_row(&rows[i]);
    }
}

/* Traffic that loads some ways more than others: in all, 95% can arrive although the busiest channel is full; from every terminal
 * it cannot. */
static void every_terminal_keeps_below(void **state) {
    (void)state;
    fixture fx;
    hf_fault_set none;
    hf_plan plan;
    hf_load *load;
    hf_traffic *traffic;
    hf_point points[HF_SATURATION_POINTS];
    uint32_t best;
    fixture_open(&fx, "torus:dims=4x4", NULL, "dor:vcs=4,dateline=yes");
    fixture_plan(&fx, "", &none, &plan);
    fixture_ok(&fx, hf_traffic_new(fx.cx, fx.topo, "transpose", &traffic));
    fixture_ok(&fx, hf_load_find(fx.cx, &plan, traffic, HF_SPLIT_EVEN, &load));
    hf_simulation s = {.plan = &plan,
                       .traffic = traffic,
                       .kernel = hf_kernel_usual(),
                       .seed = 1,
                       .window = 500,
                       .batches = 10,
                       .warm_up_most = 20,
                       .for_each = true};
    fixture_ok(&fx, hf_simulate_saturation(fx.cx, &s, points, &best));
    assert_int_not_equal(best, HF_NONE);
    for (uint32_t i = 0; i < HF_SATURATION_POINTS; i++) {
        const double least = points[i].load * points[i].least_share;
        assert_true(least <= load->saturation * 1.01);
        assert_true(i > best || points[i].least_share >= 0.95);
        assert_true(points[i].least_share > 0 && points[i].least_share <= 1);
    }
    assert_true(points[best].load >= 0.6 * load->saturation);
    hf_load_free(load);
    hf_traffic_free(traffic);
    fixture_close(&fx);
}

/* A search over all loads, and one of steady loads alone. */
typedef struct searches {
    fixture fx;
    hf_fault_set none;
    hf_plan plan;
    hf_traffic *traffic;
    hf_point points[2][HF_SATURATION_POINTS];
    uint32_t best[2];
} searches;

static void search_both(searches *o, const char *topo, const char *rule, const char *pattern, hf_simulation *s) {
    fixture_open(&o->fx, topo, NULL, rule);
    fixture_plan(&o->fx, "", &o->none, &o->plan);
    fixture_ok(&o->fx, hf_traffic_new(o->fx.cx, o->fx.topo, pattern, &o->traffic));
    s->plan = &o->plan;
    s->traffic = o->traffic;
    for (int i = 0; i < 2; i++) {
        s->steady_only = i;
        fixture_ok(&o->fx, hf_simulate_saturation(o->fx.cx, s, o->points[i], &o->best[i]));
        assert_int_not_equal(o->best[i], HF_NONE);
    }
}

static void close_both(searches *o) {
    hf_traffic_free(o->traffic);
    fixture_close(&o->fx);
}

/* A tree that carries all of a permutation: up to a load of 1 hardly a packet is left behind, but there the queues at the sources
 * are not steady. The search for a steady load ends a little below. */
static void steady_loads(void **state) {
    (void)state;
    searches o;
    hf_simulation s = {.kernel = hf_kernel_usual(), .seed = 1, .batches = 24, .warm_up_most = 8};
    s.kernel.routing_delay = 0;
    s.kernel.buffer = 16;
    s.kernel.reuse_early = true;
    search_both(&o, "kary-tree:k=2,n=3", "destro", "digit-reversal", &s);
    const hf_point *all = &o.points[0][o.best[0]], *steady = &o.points[1][o.best[1]];
    assert_true(all->load > 0.99 && !hf_batch_is_steady(all->accepted));
    assert_true(steady->load > 0.9 && hf_batch_is_steady(steady->accepted));
    for (const hf_point *p = steady + 1; p < o.points[1] + HF_SATURATION_POINTS; p++) {
        assert_true(p->is_saturated || !hf_batch_is_steady(p->accepted));
    }
    close_both(&o);
}

/* With this seed half a flit a cycle is called not steady, loads above are not, and saturation is beyond these. Too few windows
 * are never steady. */
static void chance_hides_nothing(void **state) {
    (void)state;
    searches o;
    uint32_t n_hidden = 0;
    hf_simulation s = {.kernel = hf_kernel_usual(), .seed = 7, .batches = HF_STEADY_WINDOWS};
    search_both(&o, "ring:n=4", "dor:vcs=2,dateline=yes", "uniform", &s);
    for (uint32_t i = 0; i < o.best[1]; i++) {
        n_hidden += !hf_batch_is_steady(o.points[1][i].accepted);
    }
    assert_true(n_hidden > 0 && o.points[1][o.best[1]].load > 0.9 * o.points[0][o.best[0]].load);
    for (uint32_t i = 1; i < HF_SATURATION_POINTS; i++) {
        assert_true(o.points[1][i - 1].load < o.points[1][i].load);
    }
    s.batches = HF_STEADY_WINDOWS - 1;
    fixture_ok(&o.fx, hf_simulate_saturation(o.fx.cx, &s, o.points[1], &o.best[1]));
    assert_int_equal(o.best[1], HF_NONE);
    close_both(&o);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(saturation), cmocka_unit_test(every_terminal_keeps_below),
                                       cmocka_unit_test(steady_loads), cmocka_unit_test(chance_hides_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
