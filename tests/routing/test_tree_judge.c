/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The judges of k-ary n-trees against the relation, set by set and many sets at once; verdicts of large trees against what the
 *  exclusion state says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/combination.h>
#include <holdfast/core/random.h>

#include "tests/oracle/fixture.h"

enum { STACK_MAX = 64 };

typedef struct judge_case {
    const char *topology, *universe, *rule;
} judge_case;

static const char *const criteria[] = {"all-pairs",        "surviving",          "connected",          "switches-connected",
                                       "all-pairs:live=3", "surviving:live=75%", "connected:live=50%", "surviving:live=2"};
enum { N_CRITERION = sizeof criteria / sizeof *criteria };

typedef struct bench {
    fixture fx;
    hf_judge *fast, *slow;
    const judge_case *c;
    const char *criterion;
    uint32_t stack[STACK_MAX], depth;
} bench;

static void open_bench(bench *b, const judge_case *c, const char *criterion) {
    *b = (bench){.c = c, .criterion = criterion};
    fixture_open(&b->fx, c->topology, c->universe, c->rule);
    const hf_criterion *asked = fixture_criterion(&b->fx, criterion);
    fixture_ok(&b->fx, hf_judge_new(b->fx.cx, b->fx.universe, &b->fx.rule, asked, &b->fast));
    fixture_ok(&b->fx, hf_judge_new_relation(b->fx.cx, b->fx.universe, &b->fx.rule, asked, &b->slow));
}

static void close_bench(bench *b) {
    hf_judge_free(b->fast);
    hf_judge_free(b->slow);
    fixture_close(&b->fx);
}

static void push(bench *b, uint32_t component) {
    fixture_ok(&b->fx, b->fast->ops->push(b->fx.cx, b->fast, component));
    fixture_ok(&b->fx, b->slow->ops->push(b->fx.cx, b->slow, component));
    b->stack[b->depth++] = component;
}

static void pop(bench *b) {
    b->fast->ops->pop(b->fast);
    b->slow->ops->pop(b->slow);
    b->depth--;
}

static bool holds(const bench *b, uint32_t component) {
    bool found = false;
    for (uint32_t i = 0; i < b->depth; i++) {
        found |= b->stack[i] == component;
    }
    return found;
}

static bool verdict_of(bench *b, hf_judge *judge) {
    hf_measure out = {0};
    fixture_ok(&b->fx,
               judge->ops->verdict ? judge->ops->verdict(b->fx.cx, judge, &out) : judge->ops->read(b->fx.cx, judge, &out));
    return out.tolerated;
}

/* Components come and go at the end of the stack, in any order. */
static void wander(bench *b, hf_random *random) {
    const uint32_t m = b->fx.universe->n_component, most = m < STACK_MAX ? m : STACK_MAX;
    for (uint64_t n = hf_random_below(random, 4); n > 0 && b->depth > 0; n--) {
        pop(b);
    }
    for (uint64_t n = hf_random_below(random, 5); n > 0 && b->depth < most; n--) {
        const uint32_t component = (uint32_t)hf_random_below(random, m);
        if (!holds(b, component)) {
            push(b, component);
        }
    }
    while (hf_random_below(random, 12) == 0 && b->depth > 0) {
        pop(b);
    }
}

#define EXPECT(b, seed, what, x, y)                                                                                              \
    do {                                                                                                                         \
        if ((x) != (y)) {                                                                                                        \
            fail_msg("%s, %s, %s, %s, seed %u: %s is %llu, the relation says %llu", (b)->c->topology, (b)->c->universe,          \
                     (b)->c->rule, (b)->criterion, (unsigned)(seed), what, (unsigned long long)(x), (unsigned long long)(y));    \
        }                                                                                                                        \
    } while (0)

static void compare_set(bench *b, uint32_t seed, uint32_t seen[2]) {
    hf_measure fast, slow;
    fixture_ok(&b->fx, b->slow->ops->read(b->fx.cx, b->slow, &slow));
    if (seed & 1) { /* some sets are never measured */
        EXPECT(b, seed, "the verdict", verdict_of(b, b->fast), slow.tolerated);
    } else {
        fixture_ok(&b->fx, b->fast->ops->read(b->fx.cx, b->fast, &fast));
        EXPECT(b, seed, "tolerated", fast.tolerated, slow.tolerated);
        EXPECT(b, seed, "victims", fast.victims, slow.victims);
        EXPECT(b, seed, "has_lost_paths", fast.has_lost_paths, slow.has_lost_paths);
        EXPECT(b, seed, "lost paths", fast.lost_paths, slow.lost_paths);
        EXPECT(b, seed, "the verdict after it", verdict_of(b, b->fast), slow.tolerated);
    }
    EXPECT(b, seed, "the slow verdict", verdict_of(b, b->slow), slow.tolerated);
    seen[slow.tolerated]++;
}

static const judge_case cases[] = {
    {"kary-tree:k=2,n=3", "links", "updown"},
    {"kary-tree:k=2,n=3", "channels+terminal-links", "updown"},
    {"kary-tree:k=3,n=2", "links+switches", "updown"},
    {"kary-tree:k=2,n=4", "links+channels", "updown"},
    {"kary-tree:k=2,n=3", "switches", "updown:vcs=2"},
    {"kary-tree:k=3,n=2", "channels+switches+terminal-links", "updown:vcs=3,selection=SOP"},
    {"kary-tree:k=4,n=1", "terminal-links", "updown"},
    {"kary-tree:k=2,n=3", "links", "ft2ei:intervals=1"},
    {"kary-tree:k=3,n=2", "channels+terminal-links", "ft2ei:intervals=1,vcs=2"},
    {"kary-tree:k=2,n=4", "channels", "ft2ei:intervals=1,own=yes"},
    {"kary-tree:k=2,n=3", "links+switches", "ft2ei:intervals=2"},
    {"kary-tree:k=2,n=3", "channels+switches", "ft2ei:intervals=unlimited"},
    {"kary-tree:k=2,n=3", "channels", "ft2ei:intervals=unlimited,vcs=2"},
};

static void sets_as_the_relation(void **state) {
    (void)state;
    uint32_t seen[2] = {0, 0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (size_t c = 0; c < N_CRITERION; c++) {
            bench b;
            hf_random random;
            open_bench(&b, &cases[i], criteria[c]);
            hf_random_init(&random, i, HF_PURPOSE_TEST, c);
            for (uint32_t step = 0; step < 60; step++) {
                wander(&b, &random);
                compare_set(&b, step, seen);
            }
            close_bench(&b);
        }
    }
    assert_true(seen[0] > 1000 && seen[1] > 1000);
}

/* Sets of a size at which pairs are lost behind several slots of the root, with links that fail both ways and one way. */
static void random_sets_of_three_stages(void **state) {
    (void)state;
    static const judge_case deep[] = {{"kary-tree:k=3,n=3", "links", "updown"},
                                      {"kary-tree:k=3,n=3", "links+channels", "updown"}};
    for (size_t i = 0; i < 2; i++) {
        bench b;
        hf_random random;
        uint32_t seen[2] = {0, 0};
        open_bench(&b, &deep[i], "all-pairs");
        hf_random_init(&random, i, HF_PURPOSE_TEST, 200);
        for (uint32_t step = 0; step < 700; step++) {
            uint32_t set[STACK_MAX];
            const uint32_t f = 6 + (uint32_t)hf_random_below(&random, 9);
            hf_fault_sample(i, b.fx.universe->n_component, f, step, set);
            for (uint32_t k = 0; k < f; k++) {
                push(&b, set[k]);
            }
            const bool slow = verdict_of(&b, b.slow);
            EXPECT(&b, step, "the verdict", verdict_of(&b, b.fast), slow);
            seen[slow]++;
            while (b.depth > 0) {
                pop(&b);
            }
        }
        assert_true(seen[0] > 100 && seen[1] > 100);
        close_bench(&b);
    }
}

/* Set i of those with r components above `from`. */
static bool slow_verdict(bench *b, hf_judge *judge, uint32_t from, uint32_t r, uint64_t i) {
    uint32_t more[2];
    hf_lex_unrank(b->fx.universe->n_component - from, r, i, more);
    for (uint32_t k = 0; k < r; k++) {
        fixture_ok(&b->fx, judge->ops->push(b->fx.cx, judge, from + more[k]));
    }
    hf_measure out;
    fixture_ok(&b->fx, judge->ops->read(b->fx.cx, judge, &out));
    for (uint32_t k = 0; k < r; k++) {
        judge->ops->pop(judge);
    }
    return out.tolerated;
}

/* \param[in] twin that reads set by set */
static void compare_count(bench *b, hf_judge *twin, uint32_t seed, uint32_t r, hf_random *random) {
    const uint32_t from = b->depth ? b->stack[b->depth - 1] + 1 : 0, left = b->fx.universe->n_component - from;
    const uint64_t all = r == 1 ? left : (uint64_t)left * (left - 1) / 2;
    const uint64_t lo = hf_random_below(random, all + 1), most = all - lo < 40 ? all - lo : 40;
    const uint64_t hi = lo + hf_random_below(random, most + 1);
    uint64_t bad = 0, first = UINT64_MAX, count = 0, at = 0;
    for (uint64_t i = lo; i < hi; i++) {
        if (!slow_verdict(b, twin, from, r, i)) {
            first = bad++ == 0 ? i : first;
        }
    }
    fixture_ok(&b->fx, b->fast->ops->count(b->fx.cx, b->fast, r, lo, hi, &count, &at));
    EXPECT(b, seed, "the count", count, bad);
    EXPECT(b, seed, "the first", at, first);
    if (b->fast->ops->safe && b->fast->ops->safe(b->fast, r)) {
        EXPECT(b, seed, "not tolerated of safe ones", bad, 0);
    }
}

static void counts_as_the_relation(void **state) {
    (void)state;
    static const judge_case more[] = {{"kary-tree:k=3,n=3", "links", "updown"}, {"kary-tree:k=3,n=3", "links", "ft2ei"}};
    uint32_t n = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases + 2; i++) {
        for (size_t c = 0; c < N_CRITERION; c++) {
            bench b;
            hf_random random;
            open_bench(&b, i < 2 ? &more[i] : &cases[i - 2], criteria[c]);
            const uint32_t m = b.fx.universe->n_component;
            hf_random_init(&random, i, HF_PURPOSE_TEST, 100 + c);
            for (uint32_t step = 0; step < 12 && b.fast->ops->count; step++, n++) {
                const uint32_t f = (uint32_t)hf_random_below(&random, 5);
                uint32_t set[5];
                hf_random_subset(&random, m - 3, f < m - 3 ? f : m - 3, set);
                for (uint32_t k = 0; k < f && k < m - 3; k++) {
                    push(&b, set[k]);
                }
                compare_count(&b, b.slow, step, 1, &random);
                compare_count(&b, b.slow, step, 2, &random);
                while (b.depth > 0) {
                    pop(&b);
                }
            }
            close_bench(&b);
        }
    }
    assert_true(n > 500);
}

/* Faults where they hurt: up ports of few leaf switches, and now and then any link. */
static uint32_t draw(hf_random *random, uint32_t k, uint32_t width, uint32_t m) {
    const uint32_t leaf = (uint32_t)hf_random_below(random, 2) * (width / 2), j = (uint32_t)hf_random_below(random, k);
    return hf_random_below(random, 5) == 0 ? (uint32_t)hf_random_below(random, m) : leaf * k + j;
}

/* Three ways to a verdict agree: classes, the exclusion state, and counting the sets of one component more. */
static void large_trees(void **state) {
    (void)state;
    static const struct {
        judge_case c;
        uint32_t k, width;
    } trees[] = {
        {{"kary-tree:k=3,n=5", "links", "updown"}, 3, 81},         {{"kary-tree:k=2,n=8", "channels", "updown"}, 2, 128},
        {{"kary-tree:k=9,n=3", "links", "updown"}, 9, 81},         {{"kary-tree:k=3,n=5", "channels", "ft2ei"}, 3, 81},
        {{"kary-tree:k=2,n=8", "links", "ft2ei:own=yes"}, 2, 128}, {{"kary-tree:k=4,n=4", "channels", "updown"}, 4, 64},
    };
    for (size_t i = 0; i < sizeof trees / sizeof *trees; i++) {
        bench b;
        hf_random random;
        hf_measure out;
        uint32_t seen[2] = {0, 0};
        open_bench(&b, &trees[i].c, "all-pairs");
        hf_random_init(&random, i, HF_PURPOSE_TEST, 200);
        for (uint32_t step = 0; step < 600; step++) {
            const uint32_t m = b.fx.universe->n_component;
            for (uint32_t n = (uint32_t)hf_random_below(&random, 4 * trees[i].k + 6); n > 0; n--) {
                const uint32_t c = draw(&random, trees[i].k, trees[i].width, m);
                const bool is_next = step % 8 > 0 || b.depth == 0 || c > b.stack[b.depth - 1];
                if (!holds(&b, c) && is_next) {
                    push(&b, c);
                }
            }
            const bool fast = verdict_of(&b, b.fast);
            fixture_ok(&b.fx, b.fast->ops->read(b.fx.cx, b.fast, &out));
            EXPECT(&b, step, "the verdict", fast, out.tolerated);
            seen[fast]++;
            if (step % 8 == 0) {
                compare_count(&b, b.fast, step, 1 + step / 8 % 2, &random);
            }
            while (b.depth > 0) {
                pop(&b);
            }
        }
        assert_true(seen[0] > 20 && seen[1] > 20);
        close_bench(&b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_as_the_relation),
        cmocka_unit_test(random_sets_of_three_stages),
        cmocka_unit_test(counts_as_the_relation),
        cmocka_unit_test(large_trees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
