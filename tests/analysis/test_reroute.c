/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Other ways for some pairs, on random relations with one way for each pair: the ways are ways, close no cycle, and the fewest
 *  pairs that have to change are those of a search over all subsets. And layers, written and read back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "src/analysis/paths/walk.h"
#include "tests/oracle/fixture.h"
#include "tests/oracle/packets.h"

enum { RESOURCES = 128 };

/* Does something lead back to itself, over what is left of a matrix? By Warshall. */
static bool has_cycle(const bool *edge, uint32_t n) {
    bool reach[RESOURCES * RESOURCES];
    memcpy(reach, edge, (size_t)n * n);
    for (uint32_t k = 0; k < n; k++) {
        for (uint32_t i = 0; i < n; i++) {
            for (uint32_t j = 0; j < n && reach[i * n + k]; j++) {
                reach[i * n + j] |= reach[k * n + j];
            }
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        if (reach[i * n + i]) {
            return true;
        }
    }
    return false;
}

static bool closes_cycle(const hf_route *route, uint32_t n_route, uint64_t kept, uint32_t n) {
    bool edge[RESOURCES * RESOURCES] = {false};
    for (uint32_t p = 0; p < n_route; p++) {
        for (uint32_t i = 0; i + 1 < route[p].n && (kept >> p & 1); i++) {
            edge[route[p].resource[i] * n + route[p].resource[i + 1]] = true;
        }
    }
    return has_cycle(edge, n);
}

/* The fewest to leave out of the ways that there are. */
static uint32_t fewest(const hf_reroute *r, uint32_t n) {
    uint32_t best = HF_NONE;
    for (uint64_t kept = 0; kept < UINT64_C(1) << r->routes.n; kept++) {
        uint32_t out = 0;
        for (uint32_t p = 0; p < r->routes.n; p++) {
            out += !(kept >> p & 1) && r->old[p].n > 0;
        }
        best = out < best && !closes_cycle(r->old, r->routes.n, kept, n) ? out : best;
    }
    return best;
}

static bool is_way(const hf_topology *topo, uint32_t n_vc, const hf_route *route) {
    uint32_t at = topo->n_switch + route->source;
    for (uint32_t i = 0; i < route->n; i++) {
        const uint32_t c = route->resource[i] / n_vc;
        if (topo->from[c] != at || (i > 0 && at >= topo->n_switch)) {
            return false;
        }
        at = topo->to[c];
    }
    return at == topo->n_switch + route->destination;
}

static void check(fixture *fx, const hf_plan *plan, uint64_t seed, uint32_t *changed) {
    const uint32_t n = fx->topo->n_channel * plan->n_vc;
    hf_reroute r;
    fixture_ok(fx, hf_deadlock_reroute(fx->cx, plan, 60, &r));
    bool is_right = r.is_found && r.n_lost == 0 && r.n_changed >= r.lower_bound;
    uint32_t lost = 0;
    for (uint32_t p = 0; p < r.routes.n; p++) {
        const hf_route *now = &r.routes.of[p], *old = &r.old[p];
        is_right &= is_way(fx->topo, plan->n_vc, now);
        is_right &=
            now->is_new || (now->n == old->n && memcmp(now->resource, old->resource, now->n * sizeof *now->resource) == 0);
        lost += old->n == 0;
    }
    is_right &= !closes_cycle(r.routes.of, r.routes.n, UINT64_MAX, n);
    is_right &= r.routes.n > 12 || r.lower_bound == fewest(&r, n) + lost;
    is_right &= r.is_fewest == (r.n_changed == r.lower_bound);
    *changed += r.n_changed > lost;
    if (!is_right) {
        print_error("%s, seed %llu: %u changed, %u at least\n", fx->topo->spec, (unsigned long long)seed, r.n_changed,
                    r.lower_bound);
    }
    assert_true(is_right);
}

static void random_relations(void **state) {
    (void)state;
    static const struct {
        const char *topo;
        uint32_t n_vc, cases;
    } row[] = {{"ring:n=3", 1, 60},    {"mesh:dims=2x2", 1, 12}, {"ring:n=4", 1, 6},
               {"complete:n=4", 1, 4}, {"ring:n=3", 2, 20},      {"ring:n=6", 1, 20}};
    uint32_t changed = 0;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        fixture fx;
        hf_fault_set none;
        fixture_open(&fx, row[i].topo, NULL, NULL);
        fixture_ok(&fx, hf_no_faults(fx.cx, fx.topo, &none));
        for (uint64_t seed = 1; seed <= row[i].cases; seed++) {
            packets_relation relation;
            const hf_mark mark = hf_scratch_mark(fx.cx);
            packets_relation_make(fx.topo, row[i].n_vc, seed + 100 * i, 1, false, &relation);
            const hf_plan plan = packets_plan(&relation, &none);
            check(&fx, &plan, seed, &changed);
            packets_relation_free(&relation);
            hf_scratch_reset(fx.cx, mark);
        }
        fixture_close(&fx);
    }
    assert_true(changed > 20);
}

/* Adaptive rules have no ways to be changed; rules without a cycle need no other ones. */
static void who_is_asked(void **state) {
    (void)state;
    fixture fx;
    hf_fault_set none;
    hf_plan plan;
    hf_reroute r;
    fixture_open(&fx, "mesh:dims=3x3", NULL, "minimal");
    fixture_plan(&fx, "", &none, &plan);
    assert_int_equal(hf_deadlock_reroute(fx.cx, &plan, 60, &r), HF_ENOTSUP);
    hf_context_clear(fx.cx);
    fixture_rule(&fx, "dor");
    fixture_plan(&fx, "s0:0", &none, &plan); /* pairs over this link have no way, and get one */
    fixture_ok(&fx, hf_deadlock_reroute(fx.cx, &plan, 60, &r));
    assert_true(r.is_found);
    assert_true(r.n_changed > 0);
    assert_int_equal(r.n_lost, 0);
    fixture_plan(&fx, "s0", &none, &plan);
    fixture_ok(&fx, hf_deadlock_reroute(fx.cx, &plan, 60, &r));
    assert_int_equal(r.n_lost, 16); /* to t0 and from it */
    fixture_close(&fx);
}

/* ---- layers, read back ---- */

static void read_back(fixture *fx, const char *kind, const hf_text *text) {
    char path[] = "/tmp/holdfast-routes-XXXXXX", spec[64];
    const int handle = mkstemp(path);
    hf_fault_set none;
    hf_plan plan;
    hf_deadlock d;
    assert_true(handle >= 0 && write(handle, text->data, text->size) == (ssize_t)text->size);
    close(handle);
    (void)snprintf(spec, sizeof spec, "%s:%s", kind, path);
    fixture_rule(fx, spec);
    unlink(path);
    fixture_plan(fx, "", &none, &plan);
    const hf_deadlock_options options = {.threads = 1};
    fixture_ok(fx, hf_deadlock_decide(fx->cx, &plan, &options, &d));
    assert_int_equal(d.answer, HF_DEADLOCK_FREE);
    assert_int_equal(d.method, HF_METHOD_ACYCLIC);
    assert_true(d.is_connected);
}

static void layers_read_back(void **state) {
    (void)state;
    static const char *const row[][2] = {{"torus:dims=4x4", "dor"}, {"ring:n=7", "dor"}, {"torus:dims=5x3", "dor:ties=plus"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        fixture fx;
        hf_fault_set none;
        hf_plan plan;
        hf_layers layers;
        fixture_open(&fx, row[i][0], NULL, row[i][1]);
        fixture_plan(&fx, "", &none, &plan);
        fixture_ok(&fx, hf_deadlock_layers(fx.cx, &plan, true, &layers));
        assert_int_equal(layers.routes.n, layers.n_path);
        assert_int_equal(layers.routes.n_vc, layers.upper);
        hf_text text;
        hf_text_init(fx.cx, &text);
        hf_routes_print_paths(fx.topo, &layers.routes, &text);
        read_back(&fx, "paths", &text);
        hf_text_free(&text);
        hf_text_init(fx.cx, &text);
        hf_routes_print_table(fx.topo, &layers.routes, &text);
        read_back(&fx, "table", &text);
        hf_text_free(&text);
        fixture_close(&fx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_relations),
        cmocka_unit_test(who_is_asked),
        cmocka_unit_test(layers_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
