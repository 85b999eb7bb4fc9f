/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The fewest components that are not tolerated, against walks over all sets from the smallest on, judged from the relation: over
 *  every rule, every family of networks, all universes and all criteria. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/combination.h>
#include <holdfast/core/random.h>
#include <holdfast/core/text.h>
#include <holdfast/question.h>

#include "tests/conformance/specs.h"
#include "tests/oracle/fixture.h"
#include "tests/oracle/wheel.h"
#include "tests/support/folder.h"
#include "tests/support/share.h"

enum { M_MAX = 22, SETS_MOST = 800 };

static bool is_lost(fixture *fx, const hf_criterion *criterion, const uint32_t *component, uint32_t f) {
    const hf_mark mark = hf_scratch_mark(fx->cx);
    hf_fault_set set;
    hf_plan plan;
    hf_verdict verdict;
    fixture_ok(fx, hf_fault_set_make(fx->cx, fx->universe, component, f, &set));
    fixture_ok(fx, hf_plan_make(fx->cx, &fx->rule, &set, &plan));
    fixture_ok(fx, hf_tolerance_judge(fx->cx, &plan, criterion, false, &verdict));
    hf_scratch_reset(fx->cx, mark);
    return !verdict.tolerated;
}

/** The slow twin: the smallest size at which some set is lost, and how many are. \return false: that takes too many sets */
static bool slow(fixture *fx, const hf_criterion *criterion, uint32_t *f, uint64_t *lost) {
    uint32_t component[64], keep;
    const uint32_t m = fx->universe->n_component;
    *lost = 0;
    for (*f = 0; *f <= m; ++*f) {
        uint64_t sets;
        if (!hf_binomial(m, *f, &sets) || sets > SETS_MOST) {
            return false;
        }
        hf_lex_unrank(m, *f, 0, component);
        do {
            *lost += is_lost(fx, criterion, component, *f);
        } while (hf_lex_next(m, *f, component, &keep));
        if (*lost > 0) {
            return true;
        }
    }
    return true;
}

static void fail_case(const fixture *fx, const hf_criterion *criterion, const hf_weakest *w, const char *what) {
    fail_msg("%s, %s, %s, %s: %s; %s%u by %s", fx->topo->spec, fx->rule.spec, fx->universe->spec, criterion->spec, what,
             w->is_possible ? "" : "none of ", w->n, hf_weakest_proof_name(w->proof));
}

static hf_weakest find(fixture *fx, const hf_criterion *criterion, uint64_t sets_most) {
    const hf_weakest_request request = {.universe = fx->universe,
                                        .rule = &fx->rule,
                                        .criterion = criterion,
                                        .sets_most = sets_most,
                                        .limit_s = 60,
                                        .counts = true,
                                        .want_paths = true,
                                        .threads = 1};
    hf_weakest w;
    fixture_ok(fx, hf_weakest_find(fx->cx, &request, &w));
    return w;
}

/** \param[in] sets_most few: ways other than the walk are asked */
static void compare(fixture *fx, const hf_criterion *criterion, uint64_t sets_most, uint32_t f, uint64_t lost, uint32_t *by) {
    hf_weakest w = find(fx, criterion, sets_most);
    hf_u128 sets = 0;
    by[w.proof]++;
    if (w.is_exact ? w.is_possible != (lost > 0) || (w.is_possible && w.n != f) : w.least > f) {
        fail_case(fx, criterion, &w, "not the fewest");
    }
    if (w.is_possible && !is_lost(fx, criterion, w.component, w.n)) {
        fail_case(fx, criterion, &w, "the set is tolerated");
    }
    if (w.is_counted && (!hf_big_get_u128(w.sets, &sets) || sets != lost)) {
        fail_case(fx, criterion, &w, "not so many sets");
    }
    hf_weakest_free(&w);
}

static const char *const universes[] = {"links", "channels", "switches", "links+switches", "links+terminal-links"};
static const char *const criteria[] = {"all-pairs", "connected", "surviving", "switches-connected"};

/** \param[in] first, step of the criteria */
static void compare_all(fixture *fx, size_t first, size_t step, uint32_t *by) {
    for (size_t c = first; c < sizeof criteria / sizeof *criteria; c += step) {
        const hf_criterion *criterion = fixture_criterion(fx, criteria[c]);
        uint32_t f;
        uint64_t lost;
        if (slow(fx, criterion, &f, &lost)) {
            compare(fx, criterion, 1, f, lost, by);
            compare(fx, criterion, SETS_MOST, f, lost, by);
        }
    }
}

static bool accepts(fixture *fx, const hf_routing *routing) {
    hf_rule rule;
    const hf_status status = hf_rule_init(fx->cx, routing->name, fx->topo, &rule);
    if (status == HF_OK) {
        hf_rule_free(&rule);
    }
    hf_context_clear(fx->cx);
    return status == HF_OK;
}

/** All that the registries have. */
static void like_all_sets(void **state) {
    (void)state;
    uint32_t by[HF_WEAKEST_PROGRAM + 1] = {0}, pairs = 0;
    for (size_t t = 0; t < N_TOPOLOGY_SPEC; t++) {
        for (size_t u = 0; u < sizeof universes / sizeof *universes; u++) {
            fixture fx;
            hf_topology *topo;
            fixture_open(&fx, topology_specs[t], NULL, NULL);
            const hf_status status = hf_universe_new(fx.cx, fx.topo, universes[u], NULL, &fx.universe);
            hf_context_clear(fx.cx);
            const bool is_small = status == HF_OK && fx.universe->n_component <= M_MAX && fx.topo->n_terminal <= 20;
            topo = fx.topo;
            for (size_t r = 0; r < hf_routing_count() && is_small; r++) {
                if (accepts(&fx, hf_routing_at(r)) && pairs++ % share_step() == 0) {
                    fixture_ok(&fx, hf_rule_init(fx.cx, hf_routing_at(r)->name, topo, &fx.rule));
                    compare_all(&fx, (t + u + r) % 2, 2, by);
                    hf_rule_free(&fx.rule);
                    fx.rule = (hf_rule){0};
                }
            }
            fixture_close(&fx);
        }
    }
    for (int i = 0; i <= HF_WEAKEST_PROGRAM; i++) {
        print_message("%s %u\n", hf_weakest_proof_name((hf_weakest_proof)i), by[i]);
    }
    assert_true((by[HF_WEAKEST_CLASSES] || share_step() > 1) && by[HF_WEAKEST_PATHS] && by[HF_WEAKEST_SUPPORTS] &&
                by[HF_WEAKEST_SETS]);
}

/** Groups take channels at random: more than a link, fewer, the same twice. */
static void like_all_sets_of_groups(void **state) {
    (void)state;
    uint32_t by[HF_WEAKEST_PROGRAM + 1] = {0};
    char folder[128], path[256], spec[288], name[80];
    folder_open(folder, sizeof folder);

    static const char *const nets[] = {"mesh:dims=3x3", "ring:n=5", "torus:dims=3x3", "kary-tree:k=2,n=2", "omega:k=2,n=2"};
    static const char *const rules[] = {"minimal", "dor", "immunet", "updown", "layered-shortest"};
    for (uint64_t seed = 0; seed < 60; seed++) {
        fixture fx;
        hf_random random;
        hf_text text;
        const char *net = nets[seed % 5], *rule = rules[seed / 5 % 5];
        (void)snprintf(name, sizeof name, "seed-%u", (unsigned)seed); /* messages name it */
        (void)snprintf(spec, sizeof spec, "groups:%s", folder_file(folder, name, path, sizeof path));
        hf_random_init(&random, seed, HF_PURPOSE_TEST, 0);
        fixture_open(&fx, net, NULL, NULL);
        hf_text_init(fx.cx, &text);
        for (uint32_t g = 0; g < 6 + seed % 6; g++) {
            hf_text_print(&text, "g%u:", g);
            for (uint32_t k = 0; k <= hf_random_below(&random, 4); k++) {
                hf_topology_channel_name(fx.topo, (uint32_t)hf_random_below(&random, fx.topo->n_channel), name, sizeof name);
                hf_text_print(&text, " %s", name);
            }
            hf_text_print(&text, "\n");
        }
        folder_write(path, text.data, text.size);
        hf_text_free(&text);
        const hf_status status = hf_universe_new(fx.cx, fx.topo, spec, NULL, &fx.universe);
        if (status == HF_OK && hf_rule_init(fx.cx, rule, fx.topo, &fx.rule) == HF_OK) {
            compare_all(&fx, 0, 1, by);
        } else {
            fx.rule = (hf_rule){0};
        }
        fixture_close(&fx);
    }
    folder_close(folder);
    assert_true(by[HF_WEAKEST_PATHS] && by[HF_WEAKEST_SETS] && by[HF_WEAKEST_SUPPORTS]);
}

/* ---- fault sets whose ways need more layers than there are ---- */

static void compare_rule(const char *topo, const char *universe, const char *rule, uint32_t *by, uint32_t *n) {
    fixture fx;
    fixture_open(&fx, topo, universe, NULL);
    if (hf_rule_init(fx.cx, rule, fx.topo, &fx.rule) == HF_OK) { /* else they are too few without faults */
        compare_all(&fx, 0, 1, by);
        ++*n;
    } else {
        hf_context_clear(fx.cx);
        fx.rule = (hf_rule){0};
    }
    fixture_close(&fx);
}

/** Connected, and yet not served: with few layers on small networks, and with all 64 on a wheel that loses its hub. */
static void bounded_layers(void **state) {
    (void)state;
    static const char *const rules[] = {"layered-shortest", "dfsssp"}, *const nets[] = {"ring:n=5", "ring:n=6", "torus:dims=3x3"};
    uint32_t by[HF_WEAKEST_PROGRAM + 1] = {0}, n = 0;
    char folder[128], path[256], wheel[288], groups[288], rule[64];
    folder_open(folder, sizeof folder);
    folder_write(folder_file(folder, "groups.txt", path, sizeof path), "hub: hub\n", 9);
    (void)snprintf(groups, sizeof groups, "groups:%s", path);
    (void)snprintf(wheel, sizeof wheel, "file:%s", folder_file(folder, "wheel.json", path, sizeof path));
    for (size_t r = 0; r < 2; r++) {
        wheel_write(path, 6, true);
        for (uint32_t vcs = 1; vcs <= 6; vcs++) {
            (void)snprintf(rule, sizeof rule, "%s:vcs=%u", rules[r], vcs);
            for (size_t t = 0; t < 3; t++) {
                compare_rule(nets[t], "links", rule, by, &n);
            }
            compare_rule(nets[0], "channels", rule, by, &n);
            compare_rule(wheel, "switches", rule, by, &n);
            compare_rule(wheel, groups, rule, by, &n);
        }
        wheel_write(path, 130, true);
        fixture fx;
        fixture_open(&fx, wheel, groups, rules[r]);
        compare(&fx, fixture_criterion(&fx, "all-pairs"), 1000, 1, 1, by);
        fixture_close(&fx);
    }
    folder_close(folder);
    print_message("%u cases\n", n);
    assert_true(n > 40 && by[HF_WEAKEST_PATHS] && by[HF_WEAKEST_SETS]);
}

/** Networks that are too large to walk, and what is known of them. */
static void closed_forms(void **state) {
    (void)state;
    static const struct {
        const char *topo, *rule, *universe, *criterion, *sets;
        uint32_t n;
        hf_weakest_proof proof;
    } cases[] = {
        {"kary-tree:k=8,n=4", "ft2ei", "links", "all-pairs", NULL, 8, HF_WEAKEST_CLASSES},
        {"kary-tree:k=8,n=5", "ft2ei", "channels", "all-pairs", NULL, 8, HF_WEAKEST_CLASSES},
        {"kary-tree:k=4,n=3", "updown", "links", "all-pairs", "1696", 4, HF_WEAKEST_CLASSES},
        {"kary-tree:k=4,n=3", "updown", "links", "connected", NULL, 4, HF_WEAKEST_PATHS},
        {"torus:dims=8x8x8", "minimal", "links", "all-pairs", NULL, 6, HF_WEAKEST_PATHS},
        {"torus:dims=6x6", "immunet", "links", "all-pairs", "36", 4, HF_WEAKEST_PATHS},
        {"torus:dims=4x4", "updown-graph", "links", "all-pairs", "16", 4, HF_WEAKEST_PATHS},
        {"torus:dims=8x8", "updown-graph", "links", "all-pairs", "64", 4, HF_WEAKEST_PATHS},
        {"mesh:dims=9x9", "minimal", "channels", "all-pairs", NULL, 2, HF_WEAKEST_PATHS},
        {"hypercube:n=6", "layered-shortest", "channels", "all-pairs", NULL, 6, HF_WEAKEST_PATHS},
        {"dragonfly:p=2,a=4,h=2", "minimal", "links", "all-pairs", "36", 5, HF_WEAKEST_PATHS},
        {"dragonfly:p=2,a=4,h=2", "dragonfly-min", "links", "all-pairs", "90", 1, HF_WEAKEST_SETS},
        {"slimfly:q=5", "minimal", "links", "switches-connected", NULL, 7, HF_WEAKEST_PATHS},
        {"torus:dims=8x8", "minimal", "links+terminal-links", "all-pairs", "64", 1, HF_WEAKEST_PATHS},
        {"multibutterfly:radix=2,stages=3", "multipath:live=none", "links", "connected", NULL, HF_NONE, HF_WEAKEST_PATHS},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture fx;
        char *sets = NULL;
        fixture_open(&fx, cases[i].topo, cases[i].universe, cases[i].rule);
        hf_weakest w = find(&fx, fixture_criterion(&fx, cases[i].criterion), 1000000);
        if (!w.is_exact || !w.is_possible || w.proof != cases[i].proof || (cases[i].n != HF_NONE && w.n != cases[i].n)) {
            fail_case(&fx, fixture_criterion(&fx, cases[i].criterion), &w, "not the closed form");
        }
        if (cases[i].sets) {
            assert_true(w.is_counted);
            fixture_ok(&fx, hf_big_text(fx.cx, w.sets, &sets));
            assert_string_equal(sets, cases[i].sets);
            hf_release(hf_context_allocator(fx.cx), sets);
        }
        hf_weakest_free(&w);
        fixture_close(&fx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(like_all_sets), cmocka_unit_test(like_all_sets_of_groups),
                                       cmocka_unit_test(bounded_layers), cmocka_unit_test(closed_forms)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
