/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  One set for all that symmetries make alike against walking over every set, on random small networks and those of the
 *  registry; numbers of orbits against Burnside's count; and what rules claim, set by set. */
#include <inttypes.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/analysis/deadlock.h>
#include <holdfast/core/random.h>

#include "src/campaign/orbits.h"
#include "src/core/sort.h"
#include "tests/support/folder.h"
#include "tests/support/rows.h"
#include "tests/support/share.h"

enum { SETS_MOST = 200000 };

static uint64_t number(const hf_big *n) {
    hf_u128 out = 0;
    assert_true(hf_big_get_u128(n, &out) && out <= UINT64_MAX);
    return (uint64_t)out;
}

/* Sizes up to the largest for which all sets are no more than SETS_MOST. */
static uint32_t walked_to(uint32_t m) {
    uint64_t sets = 1;
    uint32_t f = 0;
    while (f < m && sets * (m - f) / (f + 1) <= SETS_MOST / 8) {
        sets = sets * (m - f) / (f + 1);
        f++;
    }
    return f;
}

/* \return whether there was a symmetry */
static bool expect_walk(fixture *fx, const char *criterion, uint64_t seed) {
    uint32_t f[64];
    const uint32_t most = walked_to(fx->universe->n_component);
    hf_counted *orbits = NULL;
    const hf_criterion *asked = fixture_criterion(fx, criterion);
    assert_in_range(most, 0, 63);
    uint32_t reach = most;
    if (fx->rule.routing->symmetric && !(asked->flags & (HF_CRITERION_CONNECTED | HF_CRITERION_SWITCHES))) {
        const hf_symmetric claim = fx->rule.routing->symmetric(fx->topo, &fx->rule.args);
        reach = claim.f_most < most ? claim.f_most : most;
    }
    const hf_status status = hf_orbits_run(fx->cx, fx->universe, &fx->rule, asked, reach, &orbits);
    if (status == HF_ENOTSUP) {
        assert_non_null(strstr(hf_context_message(fx->cx), "finds no symmetry"));
        return false;
    }
    fixture_ok(fx, status);
    for (uint32_t i = 0; i <= reach; i++) {
        f[i] = i;
    }
    const hf_campaign c = rows_campaign(fx, criterion, f, reach + 1);
    hf_result *walked = rows_run(fx, &c);
    for (uint32_t i = 0; i <= reach; i++) {
        if (number(orbits->not_tolerated[i]) != walked->row[i].tally.not_tolerated) {
            fail_msg("seed %" PRIu64 ", %s, %s, %s, %s, f=%" PRIu32 ": orbits %" PRIu64 ", walked %" PRIu64, seed, fx->topo->spec,
                     fx->rule.spec, fx->universe->spec, criterion, i, number(orbits->not_tolerated[i]),
                     walked->row[i].tally.not_tolerated);
        }
    }
    hf_counted_free(orbits);
    hf_result_free(walked);
    return true;
}

static const char *const universes[] = {"links", "channels", "switches", "terminal-links+switches", "links+switches"};

static void registry(void **state) {
    (void)state;
    uint32_t symmetric = 0; /* a single link is not moved */
    static const struct {
        const char *topo, *rule;
    } cases[] = {{"torus:dims=2x2", "minimal"},
                 {"torus:dims=3", "minimal"},
                 {"torus:dims=2", "minimal"},
                 {"mesh:dims=3x3", "minimal"},
                 {"torus:dims=3x3", "minimal"},
                 {"mesh:dims=2", "minimal"},
                 {"complete:n=4", "minimal"},
                 {"kary-tree:k=2,n=2", "updown"},
                 {"kary-tree:k=2,n=3", "updown"},
                 {"kary-tree:k=3,n=2", "updown"},
                 {"kary-tree:k=2,n=2", "ft2ei:intervals=unlimited"},
                 {"kary-tree:k=2,n=3", "ft2ei:intervals=unlimited"},
                 {"kary-tree:k=3,n=2", "ft2ei:intervals=unlimited"},
                 {"kary-tree:k=2,n=3", "ft2ei:intervals=unlimited,own=yes"},
                 {"mesh:dims=2x3", "minimal"},
                 {"dragonfly:p=1,a=2,h=1", "dragonfly-min"},
                 {"dragonfly:p=2,a=1,h=3", "dragonfly-min"},
                 {"dragonfly:p=1,a=2,h=1,groups=2", "dragonfly-min:vcs=1"},
                 {"dragonfly:p=1,a=3,h=1,groups=2", "dragonfly-min"}};
    static const char *const criteria[] = {"all-pairs", "all-pairs:live=60%", "connected",
                                           "surviving", "switches-connected", "switches-connected:live=70%"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture fx;
        fixture_open(&fx, cases[i].topo, NULL, cases[i].rule);
        for (size_t u = 0; u < sizeof universes / sizeof *universes; u++) {
            fixture_ok(&fx, hf_universe_new(fx.cx, fx.topo, universes[u], NULL, &fx.universe));
            for (size_t k = (i + u) % share_step(); k < sizeof criteria / sizeof *criteria; k += share_step()) {
                symmetric += expect_walk(&fx, criteria[k], i);
            }
            hf_universe_free(fx.universe);
            fx.universe = NULL;
        }
        fixture_close(&fx);
    }
    assert_in_range(symmetric, 540 / share_step(), 569);
}

/* A rule that goes by the order of dimensions, where the criterion does not ask it. */
static void other_rules(void **state) {
    (void)state;
    fixture fx;
    fixture_open(&fx, "torus:dims=3x3", "links", "dor");
    assert_true(expect_walk(&fx, "connected", 0));
    assert_true(expect_walk(&fx, "switches-connected", 0));
    fixture_close(&fx);
}

/* A ring of parallel links or a star, with further links, as an edge list; groups of links that are named by a number. */
static void write_net(hf_random *r, const char *net, const char *groups) {
    char text[600], names[600];
    const uint32_t n = 3 + (uint32_t)hf_random_below(r, 3);
    const bool is_ring = hf_random_below(r, 2);
    int size = 0, named = 0;
    for (uint32_t v = 0; v < n; v++) {
        const uint32_t w = is_ring ? (v + 1) % n : 0;
        for (uint32_t twice = 1 + (uint32_t)hf_random_below(r, 2); twice > 0 && v != w; twice--) {
            size += snprintf(text + size, sizeof text - (size_t)size, "%" PRIu32 " %" PRIu32 "\n", v, w);
        }
    }
    for (uint32_t v = 0; v + 1 < n; v++) {
        named += snprintf(names + named, sizeof names - (size_t)named, "g%" PRIu32 ": s%" PRIu32 "%s%" PRIu32 "\n", v, v,
                          hf_random_below(r, 2) ? " t" : " s", v + 1);
    }
    folder_write(net, text, (size_t)size);
    folder_write(groups, names, (size_t)named);
}

static void random_networks(void **state) {
    (void)state;
    char folder[256], net[512], groups[512], spec[600], with_groups[600];
    uint32_t symmetric = 0;
    folder_open(folder, sizeof folder);
    folder_file(folder, "net", net, sizeof net);
    folder_file(folder, "groups", groups, sizeof groups);
    (void)snprintf(with_groups, sizeof with_groups, "groups:%s", groups);
    const char *const all[] = {"links", "channels", "links+switches", with_groups};
    for (uint64_t seed = 0; seed < 30; seed++) {
        hf_random r;
        fixture fx;
        hf_random_init(&r, seed, HF_PURPOSE_TEST, 0);
        write_net(&r, net, groups);
        (void)snprintf(spec, sizeof spec, "file:%s,terminals=%d", net, 1 + (int)hf_random_below(&r, 2));
        fixture_open(&fx, spec, NULL, "minimal");
        for (size_t u = 0; u < sizeof all / sizeof *all; u++) {
            fixture_ok(&fx, hf_universe_new(fx.cx, fx.topo, all[u], NULL, &fx.universe));
            symmetric += expect_walk(&fx, "all-pairs", seed);
            symmetric += expect_walk(&fx, "switches-connected", seed);
            hf_universe_free(fx.universe);
            fx.universe = NULL;
        }
        fixture_close(&fx);
    }
    assert_true(symmetric > 60);
    folder_close(folder);
}

/* The verdict of the relation on a set, as the judge of a campaign has it. */
static bool verdict(fixture *fx, hf_judge *judge, const uint32_t *set, uint32_t f) {
    hf_measure measure;
    for (uint32_t i = 0; i < f; i++) {
        fixture_ok(fx, judge->ops->push(fx->cx, judge, set[i]));
    }
    fixture_ok(fx, judge->ops->read(fx->cx, judge, &measure));
    for (uint32_t i = 0; i < f; i++) {
        judge->ops->pop(judge);
    }
    return measure.tolerated;
}

/* Random sets and their images under random products of generators. \return sets that are not tolerated */
static uint32_t expect_alike(fixture *fx, const char *criterion, uint64_t seed) {
    hf_orbits_graph net;
    uint32_t *generator, set[8], image[8], lost = 0;
    const hf_symmetric claim = fx->rule.routing->symmetric(fx->topo, &fx->rule.args);
    size_t n;
    hf_judge *judge;
    hf_random r;
    fixture_ok(fx, hf_orbits_graph_make(fx->cx, fx->universe, &claim, &net));
    fixture_ok(fx, hf_igraph_automorphisms(fx->cx, net.graph, net.colour, &generator, &n, NULL));
    fixture_ok(fx, hf_judge_new_relation(fx->cx, fx->universe, &fx->rule, fixture_criterion(fx, criterion), &judge));
    hf_random_init(&r, seed, HF_PURPOSE_TEST, 0);
    for (uint32_t i = 0; i < 150; i += share_step()) {
        const uint32_t m = fx->universe->n_component, top = m < 8 ? m : 8, most = claim.f_most < top ? claim.f_most : top,
                       f = 1 + (uint32_t)hf_random_below(&r, most);
        hf_fault_sample(seed, m, f, i, set);
        memcpy(image, set, sizeof set);
        for (uint32_t times = 0; times < 12; times++) {
            const uint32_t *to = generator + hf_random_below(&r, n) * net.n_node;
            for (uint32_t j = 0; j < f; j++) {
                image[j] = to[image[j]];
            }
        }
        hf_sort_numbers(image, f);
        const bool is_good = verdict(fx, judge, set, f);
        lost += !is_good;
        if (verdict(fx, judge, image, f) != is_good) {
            fail_msg("seed %" PRIu64 ", %s, %s, %s, %s: set %" PRIu32 " of %" PRIu32 " and its image differ", seed,
                     fx->topo->spec, fx->rule.spec, fx->universe->spec, criterion, i, f);
        }
    }
    hf_judge_free(judge);
    hf_igraph_free(net.graph);
    return lost;
}

static hf_status deadlock_judge(hf_context *cx, void *user, const hf_universe *universe, const hf_rule *rule, hf_judge **out) {
    return hf_deadlock_judge_new(cx, universe, rule, user, out);
}

static void claims(void **state) {
    (void)state;
    static const char *const topologies[] = {"kary-tree:k=3,n=3", "kary-tree:k=2,n=4", "torus:dims=4x3", "complete:n=6"};
    static const char *const dragonflies[] = {"dragonfly:p=2,a=3,h=1", "dragonfly:p=1,a=2,h=2"};
    static const char *const arguments[] = {"", ":intervals=unlimited"};
    uint32_t lost = 0, claimed = 0;
    for (size_t i = 0; i < hf_routing_count() * 4; i++) {
        const hf_routing *routing = hf_routing_at(i / 4);
        char spec[80];
        fixture fx;
        const bool is_ft2ei = strcmp(routing->name, "ft2ei") == 0;
        (void)snprintf(spec, sizeof spec, "%s%s", routing->name, arguments[is_ft2ei]);
        const bool is_for_trees = i % 4 < 2;
        const bool is_for_any = !routing->accepts || strcmp(routing->name, "immunet") == 0;
        if (!routing->symmetric || (is_for_any ? routing->accepts && is_for_trees : !is_for_trees)) {
            continue;
        }
        const bool is_for_dragonflies = strncmp(routing->name, "dragonfly", 9) == 0;
        fixture_open(&fx, is_for_dragonflies ? dragonflies[i % 2] : topologies[i % 4], NULL, spec);
        assert_true(routing->symmetric(fx.topo, &fx.rule.args).of & HF_SYMMETRIC_TOLERANCE);
        for (size_t u = 0; u < sizeof universes / sizeof *universes; u++) {
            fixture_ok(&fx, hf_universe_new(fx.cx, fx.topo, universes[u], NULL, &fx.universe));
            lost += expect_alike(&fx, "all-pairs", i);
            lost += expect_alike(&fx, "surviving", i + 1000);
            hf_universe_free(fx.universe);
            fx.universe = NULL;
        }
        claimed++;
        fixture_close(&fx);
    }
    assert_true(claimed >= 8 && lost > 500 / share_step());
}

/* Few registers merge by the order of faults and terminals: under symmetries that fix every terminal, and up to 2 k - 1
 * faults. */
static void few_registers(void **state) {
    (void)state;
    static const char *const trees[] = {"kary-tree:k=2,n=2", "kary-tree:k=2,n=3", "kary-tree:k=3,n=2",
                                        "kary-tree:k=2,n=4", "kary-tree:k=3,n=3", "kary-tree:k=4,n=2"},
                             *const rules[] = {"ft2ei:intervals=1", "ft2ei:intervals=2", "ft2ei:intervals=1,own=yes"};
    uint32_t symmetric = 0, lost = 0;
    for (size_t i = 0; i < sizeof trees / sizeof *trees; i++) {
        for (size_t k = 0; k < sizeof rules / sizeof *rules; k++) {
            for (size_t u = 0; u < 2; u++) {
                fixture fx;
                fixture_open(&fx, trees[i], universes[u], rules[k]);
                symmetric += expect_walk(&fx, "all-pairs", i);
                lost += expect_alike(&fx, "all-pairs", i);
                fixture_close(&fx);
            }
        }
    }
    assert_true(symmetric == 36 && lost > 200 / share_step());
}

/* Seven links of which the order decides: ports 0 and 1 of s14 are gone, 2 excludes s12 and s13, and 3 what s0, s5 and s10 were
 * merged to, which is s0 to s10 in this order, and s10 to s5 in others. Sets are judged in it, whichever order they are found in;
 * components in another are refused. */
static void order_of_few(void **state) {
    (void)state;
    static const char *const right = "a: s0:7-s19:0\nb: s5:7-s23:1\nc: s10:7-s27:2\nd: s12:6-s30:0\ne: s13:6-s30:1\n"
                                     "f: s14:4-s28:2\ng: s14:5-s29:2\n",
                             *const wrong = "b: s5:7-s23:1\na: s0:7-s19:0\n";
    char folder[256], path[512], universe[600];
    fixture fx;
    hf_counted *found;
    folder_open(folder, sizeof folder);
    (void)snprintf(universe, sizeof universe, "groups:%s", folder_file(folder, "groups", path, sizeof path));
    folder_write(path, right, strlen(right));
    fixture_open(&fx, "kary-tree:k=4,n=3", universe, "ft2ei:intervals=1");
    assert_true(expect_walk(&fx, "all-pairs", 0));
    fixture_close(&fx);
    folder_write(path, wrong, strlen(wrong));
    fixture_open(&fx, "kary-tree:k=4,n=3", universe, "ft2ei:intervals=1");
    assert_int_equal(hf_orbits_run(fx.cx, fx.universe, &fx.rule, fixture_criterion(&fx, "all-pairs"), 1, &found), HF_ENOTSUP);
    assert_non_null(strstr(hf_context_message(fx.cx), "in the order of these"));
    fixture_close(&fx);
    folder_close(folder);
}

/* Of the 16 links of the 2-ary 3-tree, by Burnside's count over the eight symmetries that fix every terminal: 1, 6 and 39 orbits
 * of sets of 0, 1 and 2. */
static void burnside_of_few(void **state) {
    (void)state;
    static const uint64_t kept[] = {0, 1, 7, 46};
    fixture fx;
    fixture_open(&fx, "kary-tree:k=2,n=3", "links", "ft2ei:intervals=1");
    for (uint32_t f = 1; f < 4; f++) {
        hf_counted *found;
        fixture_ok(&fx, hf_orbits_run(fx.cx, fx.universe, &fx.rule, fixture_criterion(&fx, "all-pairs"), f, &found));
        assert_int_equal(found->kept, kept[f]);
        assert_non_null(strstr(found->how, " 8 symmetries that fix every terminal"));
        hf_counted_free(found);
    }
    fixture_close(&fx);
}

/* Is the lowest set of each kind the same? */
static bool same_lowest(const hf_tally *x, const hf_tally *y, uint32_t f) {
    bool same = x->has_witness == y->has_witness && x->has_noted == y->has_noted;
    same = same && (!x->has_witness || memcmp(x->witness, y->witness, f * sizeof *x->witness) == 0);
    for (uint32_t i = 0; i < HF_NOTES && same; i++) {
        const size_t at = (size_t)i * f;
        same = !(x->has_noted >> i & 1) || memcmp(x->noted + at, y->noted + at, f * sizeof *x->noted) == 0;
    }
    return same;
}

/* What verify says of all sets, and of one of each orbit; and the lowest set of each kind. */
static void outcomes(void **state) {
    (void)state;
    static const struct {
        const char *topo, *universe, *rule;
        hf_switching switching;
        bool bubble;
    } cases[] = {{"torus:dims=3x3", "links", "immunet", HF_SWITCHING_VCT, true},
                 {"torus:dims=4x2", "links", "immunet", HF_SWITCHING_VCT, true},
                 {"mesh:dims=3x2", "links", "immunet", HF_SWITCHING_VCT, true},
                 {"mesh:dims=3x3", "switches", "immunet", HF_SWITCHING_VCT, true},
                 {"complete:n=4", "channels", "immunet", HF_SWITCHING_VCT, true},
                 {"torus:dims=2x2", "links+switches", "immunet", HF_SWITCHING_VCT, true},
                 {"torus:dims=4", "links", "immunet", HF_SWITCHING_VCT, true},
                 {"torus:dims=3x3", "links", "immunet:ties=port,transfers=3,spare=no", HF_SWITCHING_VCT, true},
                 {"torus:dims=3x3", "links", "immunet:safe=provisional", HF_SWITCHING_VCT, true},
                 {"torus:dims=3x3", "links", "minimal", HF_SWITCHING_WORMHOLE, false},
                 {"mesh:dims=3x2", "channels", "minimal", HF_SWITCHING_VCT, false},
                 {"torus:dims=5", "links", "minimal:vcs=2", HF_SWITCHING_WORMHOLE, false},
                 {"dragonfly:p=1,a=2,h=1", "links+switches", "dragonfly-min:vcs=1", HF_SWITCHING_WORMHOLE, false},
                 {"dragonfly:p=1,a=3,h=1", "channels", "dragonfly-min:vcs=1", HF_SWITCHING_WORMHOLE, false},
                 {"kary-tree:k=2,n=2", "links+switches", "updown", HF_SWITCHING_WORMHOLE, false},
                 {"torus:dims=3x3", "links+switches", "minimal", HF_SWITCHING_WORMHOLE, false},
                 {"hypercube:n=3", "links", "minimal:vcs=2", HF_SWITCHING_WORMHOLE, false},
                 {"complete:n=5", "links", "minimal", HF_SWITCHING_WORMHOLE, false},
                 {"kary-tree:k=2,n=3", "links", "ft2ei:intervals=unlimited", HF_SWITCHING_WORMHOLE, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture fx;
        hf_deadlock_options options = {.switching = cases[i].switching, .bubble = cases[i].bubble, .time_limit_s = 60};
        hf_inquiry inquiry = {.key = "verify", .user = &options, .judge = deadlock_judge};
        inquiry.symmetric = cases[i].bubble ? HF_SYMMETRIC_BUBBLES : HF_SYMMETRIC_RELATION;
        fixture_open(&fx, cases[i].topo, cases[i].universe, cases[i].rule);
        uint32_t f[8], n = 0, m = fx.universe->n_component;
        for (uint32_t k = 0; k <= m && k < 8 && (k < 3 || m < 9); k++) {
            f[n++] = k;
        }
        hf_campaign c = rows_campaign(&fx, "all-pairs", f, n);
        c.criterion = NULL;
        c.inquiry = &inquiry;
        hf_result *all = rows_run(&fx, &c);
        c.method = HF_METHOD_ORBITS;
        hf_result *orbits = rows_run(&fx, &c);
        for (uint32_t k = 0; k < n; k++) {
            const hf_tally *x = &all->row[k].tally, *y = &orbits->row[k].tally;
            const bool same = x->sets == y->sets && memcmp(x->outcome, y->outcome, sizeof x->outcome) == 0;
            if (!same || !same_lowest(x, y, f[k])) {
                fail_msg("%s, %s, %s, f=%" PRIu32 ": orbits of %" PRIu64 " sets, all %" PRIu64
                         ", or other classes or lowest sets",
                         fx.topo->spec, fx.universe->spec, fx.rule.spec, f[k], y->sets, x->sets);
            }
        }
        assert_non_null(strstr(orbits->how, "symmetries"));
        hf_result_free(all);
        hf_result_free(orbits);
        fixture_close(&fx);
    }
}

static double verdicts_of(const hf_counted *counted) {
    unsigned long long taken = 0;
    const char *at = strrchr(counted->how, ',');
    assert_true(at && sscanf(at, ", %llu", &taken) == 1);
    return (double)taken;
}

/* The estimate before a campaign is what it then takes without verdicts that make others certain, or about that; the forecast is
 * what it takes with them. */
static void estimates(void **state) {
    (void)state;
    fixture fx;
    hf_counted *found;
    fixture_open(&fx, "kary-tree:k=3,n=3", "links", "updown");
    const hf_criterion *criterion = fixture_criterion(&fx, "all-pairs");
    for (uint32_t f = 1; f <= 7; f++) {
        double verdicts;
        hf_campaign c = {.universe = fx.universe, .rule = &fx.rule, .criterion = criterion, .f = &f, .n_f = 1};
        hf_forecast forecast = {.seconds = 60};
        fixture_ok(&fx, hf_orbits_estimate(fx.cx, &c, 1e12, &verdicts));
        fixture_ok(&fx, hf_orbits_forecast(fx.cx, &c, &forecast));
        fixture_ok(&fx, hf_orbits_run(fx.cx, fx.universe, &fx.rule, criterion, f, &found));
        const double taken = verdicts_of(found);
        assert_true(verdicts >= 0.5 * taken);
        assert_int_equal(forecast.n_row, 1);
        assert_true(forecast.row[0].left >= 0.5 * taken && forecast.row[0].left <= 2 * taken);
        hf_counted_free(found);
    }
    fixture_close(&fx);
}

/* Orbits of sets of 0, 1, ... links of k-ary 3-trees, by Burnside's count with the cycle index of two wreath products; and of
 * all sets. */
static void burnside(void **state) {
    (void)state;
    static const struct {
        const char *topo;
        uint32_t n;
        uint64_t orbits[11];
    } cases[] = {{"kary-tree:k=2,n=3", 11, {1, 2, 14, 34, 101, 182, 324, 406, 477, 406, 324}},
                 {"kary-tree:k=3,n=3", 6, {1, 2, 14, 72, 358, 1652}},
                 {"kary-tree:k=4,n=3", 5, {1, 2, 14, 72, 467}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture fx;
        uint64_t sum = 0;
        fixture_open(&fx, cases[i].topo, "links", "updown");
        for (uint32_t f = 0; f < cases[i].n; f++) {
            hf_counted *found = NULL;
            sum += cases[i].orbits[f];
            fixture_ok(&fx, hf_orbits_run(fx.cx, fx.universe, &fx.rule, fixture_criterion(&fx, "all-pairs"), f + 1, &found));
            assert_int_equal(found->kept, sum);
            hf_counted_free(found);
        }
        fixture_close(&fx);
    }
}

static void known_numbers(void **state) {
    (void)state;
    static const uint64_t of_tree[] = {1696, 199744, 11663456};
    fixture fx;
    hf_counted *found = NULL;
    fixture_open(&fx, "kary-tree:k=4,n=3", "links", "ft2ei:intervals=unlimited");
    fixture_ok(&fx, hf_orbits_run(fx.cx, fx.universe, &fx.rule, fixture_criterion(&fx, "all-pairs"), 6, &found));
    for (uint32_t f = 4; f <= 6; f++) {
        assert_int_equal(number(found->not_tolerated[f]), of_tree[f - 4]);
    }
    assert_non_null(strstr(found->how, "63403380965376 symmetries"));
    hf_counted_free(found);
    fixture_close(&fx);
}

static void refusals(void **state) {
    (void)state;
    static const struct {
        const char *topo, *universe, *rule;
        uint32_t f;
        hf_status status;
        const char *message;
    } cases[] = {{"torus:dims=3x3", "links", "dor", 1, HF_ENOTSUP, "goes by the network alone"},
                 {"kary-tree:k=2,n=2", "links", "ft2ei:intervals=1", 4, HF_ENOTSUP, "up to f=3"},
                 {"kary-tree:k=2,n=2", "switches", "ft2ei:intervals=1", 1, HF_ENOTSUP, "not universe \"switches\""},
                 {"torus:dims=3x3", "links", "immunet:gap=1", 1, HF_ENOTSUP, "goes by the network alone"},
                 {"kary-tree:k=2,n=2", "links", "ft2ei:intervals=unlimited,propagate=no", 1, HF_ENOTSUP, "network alone"},
                 {"mesh:dims=2", "links", "minimal", 1, HF_ENOTSUP, "finds no symmetry"},
                 {"torus:dims=20x20", "links", "minimal", 200, HF_ERANGE, "counts up to 2^128"},
                 {"torus:dims=50x50", "links", "minimal", 1, HF_ENOTSUP, "at most 4096 components"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture fx;
        hf_counted *found = NULL;
        fixture_open(&fx, cases[i].topo, cases[i].universe, cases[i].rule);
        const hf_status status =
            hf_orbits_run(fx.cx, fx.universe, &fx.rule, fixture_criterion(&fx, "all-pairs"), cases[i].f, &found);
        assert_int_equal(status, cases[i].status);
        assert_non_null(strstr(hf_context_message(fx.cx), cases[i].message));
        fixture_close(&fx);
    }
}

static void stopped(void **state) {
    (void)state;
    volatile sig_atomic_t stop = 1;
    fixture fx;
    hf_counted *found = NULL;
    fixture_open(&fx, "torus:dims=3x3", "links", "minimal");
    const hf_criterion *criterion = fixture_criterion(&fx, "all-pairs");
    hf_context_set_stop(fx.cx, &stop);
    assert_int_equal(hf_orbits_run(fx.cx, fx.universe, &fx.rule, criterion, 4, &found), HF_ESTOP);
    hf_context_set_stop(fx.cx, NULL);
    assert_null(found);
    fixture_close(&fx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(registry),        cmocka_unit_test(other_rules),     cmocka_unit_test(claims),
        cmocka_unit_test(random_networks), cmocka_unit_test(burnside),        cmocka_unit_test(few_registers),
        cmocka_unit_test(order_of_few),    cmocka_unit_test(burnside_of_few), cmocka_unit_test(outcomes),
        cmocka_unit_test(estimates),       cmocka_unit_test(known_numbers),   cmocka_unit_test(refusals),
        cmocka_unit_test(stopped)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
