/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What reconfigurations take, by orbits: every set and its images under generators of the symmetries, quantity by quantity; sums
 *  over one set of each orbit against walking over every set; and that what is refused, or has no figures, really is unlike. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/combination.h>

#include "src/campaign/orbits.h"
#include "tests/support/rows.h"
#include "tests/support/share.h"

enum { QUANTITIES = 24, FAULTS = 4 };
static const hf_effort_costs costs = {.hop_cycles = 7, .packet_cycles = 31};

static hf_symmetric claim_of(const fixture *fx) { return fx->rule.routing->efforts->symmetric(fx->topo, &fx->rule.args); }
static const hf_effort *quantity(const fixture *fx, uint32_t i) { return &fx->rule.routing->efforts->quantities[i]; }

/* ---- images ---- */

typedef struct images {
    fixture *fx;
    hf_symmetric claim;
    hf_orbits_graph net;
    uint32_t *generator;
    size_t n_generator;
    uint32_t m, f, n; /* components, faults, quantities */
    bool is_unlike[QUANTITIES];
} images;

static void look_at(const images *a, const uint32_t *set, uint64_t *value) {
    hf_fault_set faults;
    hf_plan plan;
    hf_effort_costs all = costs;
    const hf_mark mark = hf_scratch_mark(a->fx->cx);
    all.simulates = true;
    fixture_plan_set(a->fx, set, a->f, &faults, &plan);
    fixture_ok(a->fx, plan.routing->efforts->effort(a->fx->cx, &plan, &all, value));
    hf_scratch_reset(a->fx->cx, mark);
}

/* The rank of the image of a set. */
static uint64_t moved(const images *a, size_t g, const uint32_t *set) {
    uint32_t image[FAULTS] = {0};
    for (uint32_t i = 0; i < a->f; i++) {
        const uint32_t c = a->generator[g * a->net.n_node + set[i]];
        uint32_t at = i;
        for (; at > 0 && image[at - 1] > c; at--) {
            image[at] = image[at - 1];
        }
        image[at] = c;
    }
    return hf_lex_rank(a->m, a->f, image);
}

/* All sets of f under all generators: so under every symmetry. */
static void look_at_all(images *a) {
    uint64_t sets;
    uint32_t set[FAULTS] = {0};
    assert_true(hf_binomial(a->m, a->f, &sets) && sets < 70000);
    uint64_t *value = calloc(sets * a->n, sizeof *value);
    assert_non_null(value);
    for (uint64_t r = 0; r < sets; r++) {
        hf_lex_unrank(a->m, a->f, r, set);
        look_at(a, set, value + r * a->n);
    }
    for (uint64_t r = 0; r < sets; r++) {
        hf_lex_unrank(a->m, a->f, r, set);
        for (size_t g = 0; g < a->n_generator; g++) {
            const uint64_t *image = value + moved(a, g, set) * a->n;
            for (uint32_t q = 0; q < a->n; q++) {
                a->is_unlike[q] = a->is_unlike[q] || value[r * a->n + q] != image[q];
            }
        }
    }
    free(value);
}

/* Which quantities are unlike for sets of f and their images? \param[in,out] is_unlike those that were before */
static void find_unlike(const char *topo, const char *universe, const char *rule, uint32_t f, bool *is_unlike) {
    fixture fx;
    fixture_open(&fx, topo, universe, rule);
    images a = {.fx = &fx, .claim = claim_of(&fx), .m = fx.universe->n_component, .f = f};
    a.n = hf_effort_count(fx.rule.routing);
    assert_in_range(a.n, 1, QUANTITIES);
    fixture_ok(&fx, hf_orbits_graph_make(fx.cx, fx.universe, &a.claim, &a.net));
    fixture_ok(&fx, hf_igraph_automorphisms(fx.cx, a.net.graph, a.net.colour, &a.generator, &a.n_generator, NULL));
    assert_true(a.n_generator > 0);
    look_at_all(&a);
    for (uint32_t q = 0; q < a.n; q++) {
        is_unlike[q] = is_unlike[q] || a.is_unlike[q];
    }
    hf_igraph_free(a.net.graph);
    fixture_close(&fx);
}

typedef struct row_of_images {
    const char *topo, *universe;
    uint32_t f; /* and fewer */
} row_of_images;

/* \param[in] rules NULL-terminated  \param[in] has_unlike every quantity that goes by numbers is unlike somewhere */
static void expect_images(const row_of_images *rows, size_t n_row, const char *const *rules, bool has_unlike) {
    bool is_unlike[QUANTITIES] = {false};
    for (size_t i = 0; i < n_row; i++) {
        for (size_t k = 0; rules[k]; k++) {
            for (uint32_t f = 1; f <= rows[i].f; f++) {
                find_unlike(rows[i].topo, rows[i].universe, rules[k], f, is_unlike);
            }
        }
    }
    fixture fx;
    fixture_open(&fx, rows->topo, NULL, rules[0]);
    for (uint32_t q = 0; q < hf_effort_count(fx.rule.routing); q++) {
        const hf_effort *e = quantity(&fx, q);
        if (is_unlike[q] && !e->by_numbers) {
            fail_msg("%s, %s, %s goes by numbers", fx.rule.spec, e->phase, e->assumption);
        }
        if (has_unlike && !is_unlike[q] && e->by_numbers) {
            fail_msg("%s, %s, %s was alike everywhere", fx.rule.spec, e->phase, e->assumption);
        }
    }
    fixture_close(&fx);
}

static void images_of_trees(void **state) {
    (void)state;
    static const char *const rules[] = {"ft2ei:intervals=1", "ft2ei:intervals=2,own=yes", "ft2ei:intervals=unlimited",
                                        "ft2ei:intervals=1,propagate=no", NULL};
    static const row_of_images rows[] = {
        {"kary-tree:k=2,n=2", "links", 2},    {"kary-tree:k=2,n=3", "links", 2},    {"kary-tree:k=2,n=4", "links", 2},
        {"kary-tree:k=3,n=2", "links", 3},    {"kary-tree:k=3,n=3", "links", 2},    {"kary-tree:k=2,n=2", "channels", 2},
        {"kary-tree:k=2,n=3", "channels", 2}, {"kary-tree:k=2,n=4", "channels", 2}, {"kary-tree:k=3,n=2", "channels", 3}};
    expect_images(rows, sizeof rows / sizeof *rows, rules, true);
    const row_of_images dear = {"kary-tree:k=3,n=3", "links", 3};
    expect_images(&dear, share_step() == 1, &rules[1], false);
}

static void images_of_grids(void **state) {
    (void)state;
    static const char *const rules[] = {"immunet", "immunet:ties=port,bubble=no", NULL};
    static const row_of_images rows[] = {{"torus:dims=3x3", "links", 3},    {"torus:dims=4x2", "links", 2},
                                         {"mesh:dims=3x3", "channels", 2},  {"complete:n=5", "links", 3},
                                         {"torus:dims=3x3", "switches", 3}, {"mesh:dims=3x2", "terminal-links+switches", 3}};
    expect_images(rows, sizeof rows / sizeof *rows, rules, true);
}

/* ---- why no more is taken ---- */

/* With k + 1 links every up port of some switch excludes something, and with switches that fail k ports do at once. */
static void beyond_the_claim(void **state) {
    (void)state;
    static const row_of_images rows[] = {{"kary-tree:k=2,n=3", "links", 3}, {"kary-tree:k=2,n=3", "links+switches", 2}};
    for (size_t i = 0; i < 2; i++) {
        bool is_unlike[QUANTITIES] = {false};
        find_unlike(rows[i].topo, rows[i].universe, "ft2ei:intervals=unlimited", rows[i].f, is_unlike);
        assert_true(is_unlike[2]); /* cascades */
        assert_true(is_unlike[5]); /* hops of all */
    }
}

static hf_status effort_judge(hf_context *cx, void *user, const hf_universe *universe, const hf_rule *rule, hf_judge **out) {
    return hf_effort_judge_new(cx, universe, rule, user, out);
}

/* \param[out] out kept by the caller */
static hf_status run(fixture *fx, const uint32_t *f, size_t n_f, hf_method method, hf_result **out) {
    hf_effort_asked asked = {.costs = costs, .is_symmetric = true};
    const hf_inquiry inquiry = {
        .user = &asked, .n_quantity = hf_effort_count(fx->rule.routing), .symmetric = HF_SYMMETRIC_EFFORT, .judge = effort_judge};
    hf_campaign c = rows_campaign(fx, "all-pairs", f, n_f);
    c.criterion = NULL;
    c.inquiry = &inquiry;
    c.method = method;
    return hf_campaign_run(fx->cx, &c, out);
}

static void refusals(void **state) {
    (void)state;
    static const struct {
        const char *topo, *universe, *rule;
        uint32_t f;
        const char *message;
    } cases[] = {{"kary-tree:k=2,n=3", "links", "ft2ei", 3, "up to f=2, as beyond up ports that serve all"},
                 {"kary-tree:k=2,n=3", "switches", "ft2ei", 1, "in the order of these, not universe \"switches\""},
                 {"torus:dims=3x3", "links", "immunet:gap=1", 1, "goes by numbers"},
                 {"torus:dims=3x3", "links", "immunet:epl=printed", 1, "goes by numbers"},
                 {"kary-tree:k=2,n=3", "links", "updown", 1, "goes by numbers"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture fx;
        hf_result *result = NULL;
        fixture_open(&fx, cases[i].topo, cases[i].universe, cases[i].rule);
        assert_int_equal(run(&fx, &cases[i].f, 1, HF_METHOD_ORBITS, &result), HF_ENOTSUP);
        if (!strstr(hf_context_message(fx.cx), cases[i].message)) {
            fail_msg("%s", hf_context_message(fx.cx));
        }
        fixture_close(&fx);
    }
}

/* ---- sums ---- */

static void expect_same(const fixture *fx, const hf_row *orbits, const hf_row *walked) {
    assert_int_equal(orbits->tally.sets, walked->tally.sets);
    for (uint32_t q = 0; q < hf_effort_count(fx->rule.routing); q++) {
        const hf_quantity *a = &orbits->tally.quantity[q], *b = &walked->tally.quantity[q];
        if (a->sets != b->sets || a->lowest != b->lowest || a->highest != b->highest || a->sum != b->sum) {
            fail_msg("%s, %s, %s, f=%" PRIu32 ", %s: %" PRIu64 " to %" PRIu64 " of %" PRIu64 ", walked %" PRIu64 " to %" PRIu64
                     " of %" PRIu64,
                     fx->topo->spec, fx->universe->spec, fx->rule.spec, orbits->f, quantity(fx, q)->assumption, a->lowest,
                     a->highest, a->sets, b->lowest, b->highest, b->sets);
        }
    }
}

static void expect_walk(const char *topo, const char *universe, const char *rule, uint32_t f_most) {
    uint32_t f[FAULTS + 1];
    fixture fx;
    hf_result *orbits, *walked;
    fixture_open(&fx, topo, universe, rule);
    const uint32_t reach = claim_of(&fx).f_most, most = f_most < reach ? f_most : reach;
    for (uint32_t i = 0; i <= most; i++) {
        f[i] = i;
    }
    fixture_ok(&fx, run(&fx, f, most + 1, HF_METHOD_ORBITS, &orbits));
    fixture_ok(&fx, run(&fx, f, most + 1, HF_METHOD_EXHAUSTIVE, &walked));
    for (uint32_t i = 0; i <= most; i++) {
        expect_same(&fx, &orbits->row[i], &walked->row[i]);
    }
    assert_non_null(strstr(orbits->how, "symmetries"));
    hf_result_free(orbits);
    hf_result_free(walked);
    fixture_close(&fx);
}

static void sums(void **state) {
    (void)state;
    static const char *const trees[] = {"kary-tree:k=2,n=2", "kary-tree:k=2,n=3", "kary-tree:k=2,n=4", "kary-tree:k=2,n=5",
                                        "kary-tree:k=3,n=2", "kary-tree:k=3,n=3", "kary-tree:k=4,n=2", "kary-tree:k=5,n=2"},
                             *const rules[] = {"ft2ei:intervals=1", "ft2ei:intervals=2,own=yes", "ft2ei:intervals=unlimited"},
                             *const universes[] = {"links", "channels"};
    for (size_t i = 0; i < 8 * 3 * 2; i += share_step()) {
        expect_walk(trees[i % 8], universes[i / 8 % 2], rules[i / 16], 3);
    }
    static const char *const nets[] = {"torus:dims=3x3", "torus:dims=4x3", "mesh:dims=3x3", "complete:n=5", "ring:n=7"},
                             *const others[] = {"links", "channels", "switches", "links+switches", "terminal-links"};
    for (size_t i = 0; i < 5 * 5; i += share_step()) {
        expect_walk(nets[i % 5], others[i / 5], "immunet", 2);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(images_of_trees), cmocka_unit_test(images_of_grids),
                                       cmocka_unit_test(beyond_the_claim), cmocka_unit_test(refusals), cmocka_unit_test(sums)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
