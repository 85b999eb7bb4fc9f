/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Criterion `switches-connected`: sets counted at once against a search for each of them, and counts of tori. And rules
 *  that serve whatever is connected. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/combination.h>
#include <holdfast/core/random.h>

#include "src/analysis/parting/parting.h"
#include "tests/support/folder.h"
#include "tests/support/rows.h"
#include "tests/support/share.h"

typedef struct place {
    const char *topo, *universe;
} place;

/* Trees, bridges, parallel links, parts, networks with switches that nothing hangs on. */
static const place places[] = {{"torus:dims=3x3", "links"},
                               {"mesh:dims=3x4", "links"},
                               {"mesh:dims=2x7", "links"},
                               {"ring:n=7", "links"},
                               {"torus:dims=2x4", "links"},
                               {"kary-tree:k=2,n=3", "links"},
                               {"kary-tree:k=2,n=2", "links"},
                               {"complete:n=6", "links"},
                               {"torus:dims=4x4x4", "links"},
                               {"random-regular:n=12,degree=3", "links"},
                               {"torus:dims=3x3", "switches"},
                               {"mesh:dims=3x4", "switches"},
                               {"mesh:dims=8", "switches"},
                               {"ring:n=7", "switches"},
                               {"kary-tree:k=2,n=3", "switches"},
                               {"complete:n=6", "switches"},
                               {"torus:dims=3x3x3", "switches"},
                               {"mesh:dims=1x6", "links"},
                               {"random-regular:n=12,degree=3", "switches"},
                               {"mesh:dims=1x9", "switches"}};

/* How few terminals a set may leave: two, and about half of them. */
static uint32_t least_of(const fixture *fx, uint64_t k) { return k % 2 ? (fx->topo->n_terminal + 1) / 2 : 2; }

/* Is the present set with `rest` further components, named by its index, one that parts the network? By a search from nothing. */
static bool is_parted(fixture *fx, uint32_t least, uint32_t *set, uint32_t depth, uint32_t r, uint64_t index) {
    const uint32_t from = depth ? set[depth - 1] + 1 : 0;
    uint32_t live;
    hf_fault_set faults;
    bool whole;
    hf_lex_unrank(fx->universe->n_component - from, r, index, set + depth);
    for (uint32_t i = 0; i < r; i++) {
        set[depth + i] += from;
    }
    const hf_mark mark = hf_scratch_mark(fx->cx);
    fixture_ok(fx, hf_fault_set_make(fx->cx, fx->universe, set, depth + r, &faults));
    fixture_ok(fx, hf_parting_is_whole(fx->cx, &faults, least, &whole, &live));
    hf_scratch_reset(fx->cx, mark);
    return !whole;
}

/* Count under a random prefix and a random range of indices, both ways. \return sets that part */
static uint64_t compare(fixture *fx, uint32_t least, hf_judge *judge, hf_random *random, uint64_t seed) {
    const uint32_t m = fx->universe->n_component, r = 1 + (uint32_t)hf_random_below(random, 2);
    const uint32_t deepest = hf_random_below(random, 2) && m < 20 ? 20 : 6;
    const uint32_t depth = (uint32_t)hf_random_below(random, m - r + 1 < deepest ? m - r + 1 : deepest);
    uint32_t set[32];
    uint64_t all, bad, first, want = 0, want_first = UINT64_MAX;
    if (depth > 0) {
        uint64_t prefixes;
        assert_true(hf_binomial(m - r, depth, &prefixes));
        hf_lex_unrank(m - r, depth, hf_random_below(random, prefixes), set);
    }
    for (uint32_t i = 0; i < depth; i++) {
        fixture_ok(fx, judge->ops->push(fx->cx, judge, set[i]));
    }
    assert_true(hf_binomial(m - (depth ? set[depth - 1] + 1 : 0), r, &all));
    const bool is_full = hf_random_below(random, 2);
    const uint64_t lo = is_full ? 0 : hf_random_below(random, all + 1),
                   hi = is_full ? all : lo + hf_random_below(random, all - lo + 1);
    fixture_ok(fx, judge->ops->count(fx->cx, judge, r, lo, hi, &bad, &first));
    for (uint64_t i = lo; i < hi; i++) {
        if (is_parted(fx, least, set, depth, r, i)) {
            want_first = want_first == UINT64_MAX ? i : want_first;
            want++;
        }
    }
    if (bad != want || first != want_first) {
        print_error("%s, %s, seed %" PRIu64 ": %" PRIu64 " from %" PRIu64 ", should be %" PRIu64 " from %" PRIu64 "\n",
                    fx->topo->spec, fx->universe->spec, seed, bad, first, want, want_first);
        fail();
    }
    for (uint32_t i = 0; i < depth; i++) {
        judge->ops->pop(judge);
    }
    return bad;
}

static void counts_equal_searches(void **state) {
    (void)state;
    for (size_t i = 0; i < 2 * sizeof places / sizeof *places; i++) {
        const size_t k = i / 2;
        fixture fx;
        hf_judge *judge;
        uint64_t bad = 0;
        fixture_open(&fx, places[k].topo, places[k].universe, NULL);
        const uint32_t least = least_of(&fx, i);
        fixture_ok(&fx, hf_parting_judge_new(fx.cx, fx.universe, least, false, &judge));
        assert_non_null(judge->ops->count);
        for (uint64_t seed = 0; seed < 100; seed += share_step()) {
            hf_random random;
            hf_random_init(&random, seed, HF_PURPOSE_TEST, k);
            bad += compare(&fx, least, judge, &random, seed);
        }
        assert_true(bad > 0 || strcmp(places[k].universe, "switches") == 0 || fx.topo->n_switch > 50);
        hf_judge_free(judge);
        fixture_close(&fx);
    }
}

/* Universes that nothing counts: a channel alone, links and switches together, links of a network in one-way channels. */
static void others_are_read(void **state) {
    (void)state;
    static const place row[] = {{"torus:dims=3x3", "channels"}, {"torus:dims=3x3", "links+switches"}, {"ruft:k=2,n=3", "links"}};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        fixture fx;
        hf_judge *judge;
        hf_measure measure;
        uint32_t set[8];
        uint64_t parted = 0;
        fixture_open(&fx, row[k].topo, row[k].universe, NULL);
        fixture_ok(&fx, hf_parting_judge_new(fx.cx, fx.universe, 2, false, &judge));
        assert_null(judge->ops->count);
        for (uint64_t i = 0; i < 500; i++) {
            hf_random random;
            uint64_t sets;
            hf_random_init(&random, i, HF_PURPOSE_TEST, k);
            const uint32_t f = 1 + (uint32_t)hf_random_below(&random, 8);
            assert_true(hf_binomial(fx.universe->n_component, f, &sets));
            hf_lex_unrank(fx.universe->n_component, f, hf_random_below(&random, sets), set);
            for (uint32_t c = 0; c < f; c++) {
                fixture_ok(&fx, judge->ops->push(fx.cx, judge, set[c]));
            }
            fixture_ok(&fx, judge->ops->read(fx.cx, judge, &measure));
            hf_fault_set faults;
            bool whole;
            uint32_t live;
            const hf_mark mark = hf_scratch_mark(fx.cx);
            fixture_ok(&fx, hf_fault_set_make(fx.cx, fx.universe, set, f, &faults));
            fixture_ok(&fx, hf_parting_is_whole(fx.cx, &faults, 2, &whole, &live));
            hf_scratch_reset(fx.cx, mark);
            assert_int_equal(measure.tolerated, whole);
            parted += !whole;
            for (uint32_t c = 0; c < f; c++) {
                judge->ops->pop(judge);
            }
        }
        assert_true(parted > 0);
        hf_judge_free(judge);
        fixture_close(&fx);
    }
}

/* The least cuts of a torus isolate a switch; of five links, one more anywhere: 64 * 124. */
static void tori(void **state) {
    (void)state;
    static const uint32_t f[] = {0, 1, 2, 3, 4, 5};
    static const struct {
        const char *universe;
        uint64_t parted[6];
    } row[] = {{"links", {0, 0, 0, 0, 64, 7936}}, {"switches", {0, 0, 0, 0, 64, 3776}}};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        fixture fx;
        fixture_open(&fx, "torus:dims=8x8", row[k].universe, "immunet");
        hf_campaign c = rows_campaign(&fx, "switches-connected", f, sizeof f / sizeof *f);
        c.threads = 2;
        hf_result *result = rows_run(&fx, &c);
        for (size_t i = 0; i < result->n_row; i++) {
            assert_int_equal(result->row[i].tally.not_tolerated, row[k].parted[i]);
            assert_true(result->row[i].is_exact && !result->row[i].has_measures);
        }
        hf_result_free(result);
        fixture_close(&fx);
    }
}

/* Where the links are two-way and every switch has a terminal, these rules serve all pairs exactly while the switches hang
 * together. */
static void rules_that_follow(void **state) {
    (void)state;
    static const char *const rules[] = {"immunet", "updown-graph", "layered-shortest"};
    static const uint32_t f[] = {3, 4};
    for (size_t k = 0; k < sizeof rules / sizeof *rules; k++) {
        fixture fx;
        fixture_open(&fx, "mesh:dims=3x3", "links", rules[k]);
        hf_campaign c = rows_campaign(&fx, "all-pairs", f, 2), fast = rows_campaign(&fx, "switches-connected", f, 2);
        hf_result *result = rows_run(&fx, &c), *counted = rows_run(&fx, &fast);
        for (size_t i = 0; i < 2; i++) {
            assert_true(counted->row[i].tally.not_tolerated > 0);
            assert_int_equal(result->row[i].tally.not_tolerated, counted->row[i].tally.not_tolerated);
            assert_memory_equal(result->row[i].tally.witness, counted->row[i].tally.witness, f[i] * sizeof *f);
        }
        hf_result_free(result);
        hf_result_free(counted);
        fixture_close(&fx);
    }
}

/* A chain of switches, each with a terminal, and more links between any two; some terminals on further switches. */
static void write_network(const char *path, hf_random *random) {
    const uint32_t n = 2 + (uint32_t)hf_random_below(random, 3), more = (uint32_t)hf_random_below(random, 4);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fprintf(out, "{\"directed\": true, \"multigraph\": true, \"nodes\": [");
    for (uint32_t i = 0; i < n; i++) {
        fprintf(out, "%s{\"id\": \"s%u\", \"kind\": \"switch\"}, {\"id\": \"t%u\", \"kind\": \"terminal\"}", i ? ", " : "", i, i);
    }
    fprintf(out, "], \"links\": [");
    for (uint32_t i = 0; i < n; i++) {
        fprintf(out, "%s{\"source\": \"t%u\", \"target\": \"s%u\", \"both_ways\": true}", i ? ", " : "", i, i);
    }
    for (uint32_t i = 0; i + 1 < n + more; i++) {
        const uint32_t a = i + 1 < n ? i : (uint32_t)hf_random_below(random, n),
                       step = 1 + (uint32_t)hf_random_below(random, n - 1);
        fprintf(out, ", {\"source\": \"s%u\", \"target\": \"s%u\", \"both_ways\": true}", a, i + 1 < n ? i + 1 : (a + step) % n);
    }
    for (uint32_t t = 0; t < n; t++) {
        const uint32_t step = (uint32_t)hf_random_below(random, n);
        if (step > 0) {
            fprintf(out, ", {\"source\": \"t%u\", \"target\": \"s%u\", \"both_ways\": true}", t, (t + step) % n);
        }
    }
    fprintf(out, "]}\n");
    assert_int_equal(fclose(out), 0);
}

/* Fails unless a campaign counts what the relation says. \return sets that are not tolerated */
static uint64_t compare_with_relation(fixture *fx, const char *rule, const char *criterion, bool verdicts) {
    enum { F = 4 };
    static const uint32_t f[F] = {1, 2, 3, 4};
    const uint32_t m = fx->universe->n_component;
    uint64_t bad = 0;
    hf_campaign c = rows_campaign(fx, criterion, f, m < F ? m : F);
    c.verdicts = verdicts;
    hf_result *fast = rows_run(fx, &c);
    c.use_relation = true;
    hf_result *slow = rows_run(fx, &c);
    for (size_t i = 0; i < c.n_f; i++) {
        const hf_tally *have = &fast->row[i].tally, *want = &slow->row[i].tally;
        if (have->not_tolerated != want->not_tolerated ||
            (want->not_tolerated > 0 && memcmp(have->witness, want->witness, f[i] * sizeof *f) != 0)) {
            print_error("%s, %s, f=%u%s: %" PRIu64 " not tolerated; the relation says %" PRIu64 "\n", rule, criterion, f[i],
                        verdicts ? ", verdicts" : "", have->not_tolerated, want->not_tolerated);
            fail();
        }
        bad += want->not_tolerated;
    }
    hf_result_free(fast);
    hf_result_free(slow);
    return bad;
}

/* A terminal on several switches stays where links part the first of them from the others. */
static void terminals_on_several_switches(void **state) {
    (void)state;
    enum { NETWORKS = 30 };
    static const char *const rules[] = {"minimal", "updown-graph", "layered-shortest", "dfsssp", "nue"},
                             *const criteria[] = {"all-pairs", "connected", "surviving", "connected:live=50%"};
    char folder[256], path[512], spec[640];
    uint64_t bad = 0;
    folder_open(folder, sizeof folder);
    (void)snprintf(spec, sizeof spec, "file:%s", folder_file(folder, "net.json", path, sizeof path));
    for (uint64_t seed = 0; seed < NETWORKS; seed += share_step()) {
        hf_random random;
        hf_random_init(&random, seed, HF_PURPOSE_TEST, 3);
        write_network(path, &random);
        for (size_t r = 0; r < sizeof rules / sizeof *rules; r++) {
            fixture fx;
            fixture_open(&fx, spec, seed % 3 == 2 ? "channels" : "links", rules[r]);
            for (size_t i = 0; i < 2 * sizeof criteria / sizeof *criteria; i++) {
                bad += compare_with_relation(&fx, rules[r], criteria[i / 2], i % 2);
            }
            fixture_close(&fx);
        }
    }
    assert_true(bad > 0);
    folder_close(folder);
}

/* Labels of so large a network are hashed. What parts it: both links of a corner; with one link more, all links of another node
 * of the boundary, or those of a corner and its neighbour to others. */
static void large_networks(void **state) {
    (void)state;
    static const uint32_t f[] = {1, 2, 3};
    static const uint64_t want[] = {0, 4, 4 * (4900 - 2) + 4 * 48 + 4 * 2};
    fixture fx;
    fixture_open(&fx, "mesh:dims=50x50", "links", "dor");
    const hf_campaign c = rows_campaign(&fx, "switches-connected", f, 3);
    hf_result *result = rows_run(&fx, &c);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(result->row[i].tally.not_tolerated, want[i]);
    }
    hf_result_free(result);
    fixture_close(&fx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(counts_equal_searches),
                                       cmocka_unit_test(others_are_read),
                                       cmocka_unit_test(tori),
                                       cmocka_unit_test(rules_that_follow),
                                       cmocka_unit_test(terminals_on_several_switches),
                                       cmocka_unit_test(large_networks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
