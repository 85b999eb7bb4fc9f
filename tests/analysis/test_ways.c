/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The judge of rules that look at no faults, from inside: flows of 64 and of 128 bits against sets of ways, on random stacks of
 *  components; the judge against the relation where the criteria's own test does not go: groups that overlap, ways that need a
 *  component twice, relations that let a packet go round, and judges that share. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/bitset.h>
#include <holdfast/core/random.h>

#include "src/analysis/tolerance/flows.h"
#include "src/analysis/tolerance/way_sets.h"
#include "src/analysis/tolerance/way_trees.h"
#include "tests/oracle/fixture.h"
#include "tests/support/folder.h"

typedef struct place {
    const char *topo, *universe, *rule;
} place;

/* GROUPS stands for random groups of links and switches, some of them in several. */
#define GROUPS "groups"
static const place places[] = {{"mesh:dims=3x4", "links", "dor"},
                               {"mesh:dims=3x4", GROUPS, "dor"},
                               {"mesh:dims=3x4", "switches", "dor"},
                               {"mesh:dims=3x3", "channels", "duato"},
                               {"mesh:dims=3x3", "switches", "duato"},
                               {"mesh:dims=3x3", "links+switches+terminal-links", "odd-even"},
                               {"mesh:dims=3x3", GROUPS, "west-first"},
                               {"mesh:dims=3x3", "links", "valiant"},
                               {"mesh:dims=3x3", "switches", "valiant"},
                               {"mesh:dims=3x3", GROUPS, "valiant"},
                               {"torus:dims=4x4", "links", "dor:vcs=2,dateline=yes"},
                               {"torus:dims=2x3,double=yes", "links", "duato"},
                               {"ring:n=2", "channels", "dor:vcs=2,dateline=yes"},
                               {"kary-tree:k=2,n=3", "links", "interval"},
                               {"kary-tree:k=2,n=3", GROUPS, "interval"},
                               {"kary-tree:k=3,n=2", "switches", "destro"},
                               {"dragonfly:p=2,a=3,h=1", "links", "dragonfly-valiant"},
                               {"dragonfly:p=2,a=3,h=1", GROUPS, "dragonfly-min"},
                               {"file:tests/fixtures/opensm/kary-2-3.ftree/ibnetdiscover.txt", "switches",
                                "table:tests/fixtures/opensm/kary-2-3.ftree/opensm-lfts.dump"},
                               {"mesh:dims=3x3", "switches", "lua:studies/examples/west-first.lua"}};
enum { N_PLACE = sizeof places / sizeof *places, STEPS = 400, DEEPEST = 6 };

static void add_group(const hf_universe *parts, hf_random *random, uint32_t i, char *text, size_t size) {
    uint32_t part[4];
    const uint32_t n = 1 + (uint32_t)hf_random_below(random, 4);
    size_t used = strlen(text);
    hf_random_subset(random, parts->n_component, n, part);
    used += (size_t)snprintf(text + used, size - used, "g%u:", i);
    for (uint32_t k = 0; k < n; k++) {
        char name[80];
        hf_universe_name(parts, part[k], name, sizeof name);
        used += (size_t)snprintf(text + used, size - used, " %s", name);
    }
    (void)snprintf(text + used, size - used, "\n");
}

static void open_groups(fixture *fx, uint64_t seed) {
    hf_universe *parts;
    hf_random random;
    char text[4096] = "";
    fixture_ok(fx, hf_universe_new(fx->cx, fx->topo, "links+switches+terminal-links", NULL, &parts));
    hf_random_init(&random, seed, HF_PURPOSE_TEST, 7);
    for (uint32_t i = 0; i < 9; i++) {
        add_group(parts, &random, i, text, sizeof text);
    }
    fixture_ok(fx, hf_universe_parse_groups(fx->cx, fx->topo, "groups", text, strlen(text), &fx->universe));
    hf_universe_free(parts);
}

static void open_place(fixture *fx, const place *p, uint64_t seed) {
    const bool has_groups = strcmp(p->universe, GROUPS) == 0;
    fixture_open(fx, p->topo, has_groups ? NULL : p->universe, p->rule);
    if (has_groups) {
        open_groups(fx, seed);
    }
}

static void claim(const place *p, uint32_t step, bool holds, const char *what) {
    if (!holds) {
        print_error("%s on %s, %s, step %u: %s\n", p->rule, p->topo, p->universe, step, what);
        fail();
    }
}

/* A component that is not on the stack, or HF_NONE. */
static uint32_t draw(const fixture *fx, hf_random *random, const uint32_t *stack, uint32_t depth) {
    const uint32_t c = (uint32_t)hf_random_below(random, fx->universe->n_component);
    for (uint32_t i = 0; i < depth; i++) {
        if (stack[i] == c) {
            return HF_NONE;
        }
    }
    return c;
}

/* ---- flows and sets of ways ---- */

typedef struct trio {
    hf_way_stack sets;
    hf_flows *narrow, *wide;
    hf_way_union *joined; /* NULL: a pair has several ways */
} trio;

static void open_trio(fixture *fx, hf_way_graphs *ways, trio *t) {
    const hf_u128 n = ways->n_way;
    *t = (trio){.sets = {.sets = &ways->sets}};
    if (!ways->sets.needs) {
        fixture_ok(fx, hf_way_sets_make(ways->cx, ways, &ways->sets));
    }
    fixture_ok(fx, hf_flows_new(fx->cx, ways, &t->narrow));
    ways->n_way = (hf_u128)1 << 64;
    fixture_ok(fx, hf_flows_new(fx->cx, ways, &t->wide));
    ways->n_way = n;
    assert_true(!t->narrow->is_wide && t->wide->is_wide);
    if (hf_way_trees_fit(ways)) {
        fixture_ok(fx, hf_way_trees_make(fx->cx, ways, &ways->span));
        fixture_ok(fx, hf_way_union_new(fx->cx, ways, &t->joined));
    }
}

static void compare_trio(const place *p, const hf_way_graphs *ways, const trio *t, uint32_t step, uint32_t c) {
    const uint64_t lost = hf_way_stack_lost(&t->sets);
    claim(p, step, hf_flows_lost(t->narrow) == lost, "flows of 64 bits differ from sets");
    claim(p, step, hf_flows_lost(t->wide) == lost, "flows of 128 bits differ from sets");
    if (c != HF_NONE && !hf_bit_test(ways->again, c)) {
        uint64_t with;
        hf_way_stack_lost_with(&t->sets, c, c + 1, &with);
        claim(p, step, hf_flows_lost_with(t->narrow, c) == with, "flows of 64 bits differ with one more");
        claim(p, step, hf_flows_lost_with(t->wide, c) == with, "flows of 128 bits differ with one more");
    }
}

static void compare_joined(const place *p, fixture *fx, const trio *t, uint32_t step, const uint32_t *stack, uint32_t depth) {
    uint64_t joined;
    if (t->joined) {
        fixture_ok(fx, hf_way_union_lost(fx->cx, t->joined, stack, depth, &joined));
        claim(p, step, joined == hf_way_stack_lost(&t->sets), "unions of intervals differ from sets");
    }
}

static void walk_trio(const place *p, fixture *fx, const hf_way_graphs *ways, trio *t, hf_random *random) {
    uint32_t stack[DEEPEST], depth = 0;
    for (uint32_t step = 0; step < STEPS; step++) {
        const uint32_t c = draw(fx, random, stack, depth);
        compare_trio(p, ways, t, step, c);
        compare_joined(p, fx, t, step, stack, depth);
        if (depth < DEEPEST && c != HF_NONE && hf_random_below(random, 2)) {
            stack[depth++] = c;
            fixture_ok(fx, hf_way_stack_push(fx->cx, &t->sets, c));
            fixture_ok(fx, hf_flows_push(fx->cx, t->narrow, c));
            fixture_ok(fx, hf_flows_push(fx->cx, t->wide, c));
        } else if (depth > 0) {
            depth--;
            hf_way_stack_pop(&t->sets);
            hf_flows_pop(t->narrow);
            hf_flows_pop(t->wide);
        }
    }
}

static void flows_equal_sets(void **state) {
    (void)state;
    uint32_t again = 0, trees = 0;
    for (uint64_t i = 0; i < N_PLACE; i++) {
        fixture fx;
        hf_way_graphs *ways;
        trio t;
        hf_random random;
        open_place(&fx, &places[i], i);
        hf_random_init(&random, i, HF_PURPOSE_TEST, 1);
        fixture_ok(&fx, hf_ways_new(fx.cx, fx.universe, &fx.rule, &ways));
        assert_true(ways->has_counts && ways->serves_all);
        again += hf_bits_next(ways->again, fx.universe->n_component, 0) < fx.universe->n_component;
        open_trio(&fx, ways, &t);
        trees += t.joined != NULL;
        walk_trio(&places[i], &fx, ways, &t, &random);
        hf_way_union_free(t.joined);
        hf_release(hf_context_allocator(fx.cx), t.sets.lost);
        hf_flows_free(t.narrow);
        hf_flows_free(t.wide);
        hf_ways_release(ways);
        fixture_close(&fx);
    }
    assert_true(again >= 3 && again < N_PLACE);
    print_message("%u of %u with one way a pair\n", trees, (unsigned)N_PLACE);
    assert_true(trees >= 4 && trees < N_PLACE);
}

/* ---- the judge ---- */

static void compare_judges(const place *p, fixture *fx, const char *criterion, uint32_t steps, hf_random *random) {
    const hf_criterion *c = fixture_criterion(fx, criterion);
    hf_judge *judge[3];
    fixture_ok(fx, hf_judge_new(fx->cx, fx->universe, &fx->rule, c, &judge[0]));
    assert_non_null(judge[0]->ops->share);
    fixture_ok(fx, judge[0]->ops->share(fx->cx, judge[0], &judge[1]));
    fixture_ok(fx, hf_judge_new_relation(fx->cx, fx->universe, &fx->rule, c, &judge[2]));
    uint32_t stack[DEEPEST] = {0}, depth = 0;
    for (uint32_t step = 0; step < steps; step++) {
        hf_measure m[3];
        for (size_t i = 0; i < 3; i++) {
            fixture_ok(fx, judge[i]->ops->read(fx->cx, judge[i], &m[i]));
        }
        for (size_t i = 0; i < 2; i++) {
            claim(p, step, m[i].tolerated == m[2].tolerated, criterion);
            claim(p, step, m[i].has_victims && m[i].victims == m[2].victims, "victims differ");
            claim(p, step, m[i].has_lost_paths == m[2].has_lost_paths && m[i].lost_paths == m[2].lost_paths, "lost paths differ");
        }
        const uint32_t next = draw(fx, random, stack, depth);
        const bool goes_on = depth < DEEPEST && next != HF_NONE && hf_random_below(random, 3);
        for (size_t i = 0; i < 3; i++) {
            if (goes_on) {
                fixture_ok(fx, judge[i]->ops->push(fx->cx, judge[i], next));
            } else if (depth > 0) {
                judge[i]->ops->pop(judge[i]);
            }
        }
        stack[goes_on ? depth : 0] = goes_on ? next : stack[0];
        depth += goes_on ? 1 : depth > 0 ? UINT32_MAX : 0;
    }
    for (size_t i = 0; i < 3; i++) {
        hf_judge_free(judge[i]); /* the first goes first, the second keeps what they share */
    }
}

static void compare_criteria(const place *p, fixture *fx, uint64_t seed) {
    static const char *const criteria[] = {"all-pairs", "surviving", "connected", "surviving:live=50%"};
    hf_random random;
    hf_random_init(&random, seed, HF_PURPOSE_TEST, 2);
    for (size_t i = 0; i < sizeof criteria / sizeof *criteria; i++) {
        compare_judges(p, fx, criteria[i], 40, &random);
    }
}

static void judge_equals_relation(void **state) {
    (void)state;
    for (uint64_t i = 0; i < N_PLACE; i++) {
        fixture fx;
        open_place(&fx, &places[i], i);
        compare_criteria(&places[i], &fx, i);
        fixture_close(&fx);
    }
}

/* Rules of their own: packets that go round; terminals that are not served, or get into a dead end, without faults. */
static void unsound_relations(void **state) {
    (void)state;
    static const char *const rules[] = {
        "function route(net, at, c, vc, d) if at == net:switch_of(d) then return nil end return net:channels(at) end",
        "function route(net, at, c, vc, d) if at == net:switch_of(d) then return nil end\n"
        "return {net:channel_to(at, (at + 1) % 5), d == 2 and at == 3 and net:channel_to(3, 2) or nil} end",
        "function route(net, at, c, vc, d) if at == net:switch_of(d) then return nil end\n"
        "if at == 4 then return {} end return {net:channel_to(at, at + 1)} end",
        "function route(net, at, c, vc, d) if at == net:switch_of(d) then return nil end return {} end",
    };
    static const char *const universes[] = {"links", "switches", "channels"};
    char folder[256], path[300], spec[320];
    folder_open(folder, sizeof folder);
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        folder_write(folder_file(folder, "rule.lua", path, sizeof path), rules[i], strlen(rules[i]));
        (void)snprintf(spec, sizeof spec, "lua:%s", path);
        for (size_t u = 0; u < sizeof universes / sizeof *universes; u++) {
            const place p = {"ring:n=5", universes[u], spec};
            fixture fx;
            open_place(&fx, &p, i);
            compare_criteria(&p, &fx, i);
            fixture_close(&fx);
        }
    }
    folder_close(folder);
}

/* More ways than 64 bits count, and than 128 do: lost paths are left out as the relation leaves them out. */
static void many_ways(void **state) {
    (void)state;
    static const place wide = {"mesh:dims=16", "links", "dor:vcs=30"}, wider = {"mesh:dims=24", "links", "dor:vcs=64"};
    const place *const list[] = {&wide, &wider};
    for (size_t i = 0; i < 2; i++) {
        fixture fx;
        hf_way_graphs *ways;
        hf_random random;
        open_place(&fx, list[i], i);
        fixture_ok(&fx, hf_ways_new(fx.cx, fx.universe, &fx.rule, &ways));
        assert_int_equal(ways->has_counts, i == 0);
        assert_true(i > 0 || ways->n_way > UINT64_MAX);
        hf_ways_release(ways);
        hf_random_init(&random, i, HF_PURPOSE_TEST, 3);
        compare_judges(list[i], &fx, "all-pairs", 6, &random);
        fixture_close(&fx);
    }
}

/* Rules that look at faults keep the judge that plans set by set. */
static void others_are_refused(void **state) {
    (void)state;
    static const char *const rules[] = {"updown-graph", "lua:studies/examples/adaptive-escape.lua"};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        fixture fx;
        hf_way_graphs *ways;
        fixture_open(&fx, "mesh:dims=3x3", "links", rules[i]);
        assert_int_equal(hf_ways_new(fx.cx, fx.universe, &fx.rule, &ways), HF_ENOTSUP);
        hf_context_clear(fx.cx);
        fixture_close(&fx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(flows_equal_sets), cmocka_unit_test(judge_equals_relation),
                                       cmocka_unit_test(unsound_relations), cmocka_unit_test(many_ways),
                                       cmocka_unit_test(others_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
