/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Judges of rules that look at faults against the relation, along random stacks of components: networks with
 *  parallel links, of more than 64 switches, with terminals that are left elsewhere than they are entered, and components that
 *  overlap. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include <holdfast/core/random.h>

#include "tests/oracle/fixture.h"

typedef struct place {
    const char *topo, *universe, *rule;
    uint32_t steps;
} place;

static const place places[] = {
    {"mesh:dims=3x4", "links", "updown-graph", 300},
    {"mesh:dims=3x4", "channels", "updown-graph:root=5", 300},
    {"random-regular:n=14,degree=3", "links", "updown-graph:root=3", 300},
    {"random-regular:n=14,degree=3", "links+switches+terminal-links", "updown-graph", 300},
    {"torus:dims=2x3,double=yes", "links+switches", "updown-graph", 200},
    {"ring:n=2", "links+switches+terminal-links", "updown-graph", 100},
    {"kary-tree:k=2,n=3", "switches", "updown-graph", 200},
    {"complete:n=1,terminals=3", "switches+terminal-links", "updown-graph", 50},
    {"complete:n=1,terminals=3", "switches+terminal-links", "layered-shortest", 50},
    {"complete:n=1,terminals=3", "switches+terminal-links", "minimal", 50},
    {"dragonfly:p=2,a=3,h=1", "links", "updown-graph:root=7", 150},
    {"random-regular:n=70,degree=3", "links", "updown-graph", 25},
    {"random-regular:n=70,degree=3", "channels", "updown-graph", 15},
    {"mesh:dims=3x4", "links+switches+terminal-links", "minimal", 200},
    {"random-regular:n=14,degree=3", "channels", "minimal:vcs=2", 200},
    {"omega:k=2,n=3", "links", "minimal", 150},
    {"benes:k=2,n=2", "links+terminal-links", "minimal", 150},
    {"multibutterfly:radix=2,dilation=2,stages=3", "switches", "minimal", 100},
    {"mesh:dims=3x4", "links", "layered-shortest", 200},
    {"mesh:dims=3x4", "channels+terminal-links", "layered-shortest", 200},
    {"torus:dims=3x4", "links+switches+terminal-links", "layered-shortest", 200},
    {"torus:dims=2x3,double=yes", "channels", "layered-shortest", 200},
    {"kary-tree:k=2,n=3", "links", "layered-shortest", 200},
    {"omega:k=2,n=3", "links+terminal-links", "layered-shortest", 150},
    {"multibutterfly:radix=2,dilation=2,stages=3", "channels", "layered-shortest", 100},
    {"rails:hosts=3", "links+terminal-links", "layered-shortest", 100},
    {"ring:n=8", "links+terminal-links", "layered-shortest:vcs=2", 150},
    {"random-regular:n=20,degree=3", "channels", "layered-shortest:vcs=2", 150},
    {"random-regular:n=70,degree=3", "links+terminal-links", "layered-shortest", 15},
    {"mesh:dims=3x4", "links+switches+terminal-links", "dfsssp", 100},
    {"torus:dims=2x3,double=yes", "channels", "dfsssp", 100},
    {"omega:k=2,n=3", "links+terminal-links", "dfsssp", 100},
    {"rails:hosts=3", "links+terminal-links", "dfsssp", 100},
    {"ring:n=8", "links+terminal-links", "dfsssp:vcs=2", 100},
    {"random-regular:n=20,degree=3", "channels", "dfsssp:vcs=3", 60},
    {"kary-tree:k=2,n=3", "channels", "destro-ft", 300},
    {"kary-tree:k=3,n=2", "links+switches+terminal-links", "destro-ft", 300},
    {"kary-tree:k=2,n=4", "links+terminal-links", "destro-ft", 100},
    {"kary-tree:k=3,n=3", "channels", "destro-ft", 40},
    {"kary-tree:k=4,n=1", "switches+terminal-links", "destro-ft", 50},
};
enum { N_PLACE = sizeof places / sizeof *places, DEEPEST = 7 };

typedef struct tally {
    uint32_t tolerated, not_tolerated, victims;
} tally;

static void claim(const place *p, const char *criterion, uint32_t step, bool holds, const char *what) {
    if (!holds) {
        print_error("%s on %s, %s, %s, step %u: %s\n", p->rule, p->topo, p->universe, criterion, step, what);
        fail();
    }
}

static void compare(const place *p, const char *criterion, uint32_t step, const hf_measure *m, const hf_routing *routing) {
    claim(p, criterion, step, m[0].tolerated == m[1].tolerated, "verdicts differ");
    claim(p, criterion, step, m[0].has_victims && m[0].victims == m[1].victims, "victims differ");
    claim(p, criterion, step, m[0].has_lost_paths == m[1].has_lost_paths, "one measures lost paths, the other does not");
    claim(p, criterion, step, m[0].lost_paths == m[1].lost_paths, "lost paths differ");
    for (size_t i = 0; hf_measures_of(routing)->extras && hf_measures_of(routing)->extras[i]; i++) {
        claim(p, criterion, step, m[0].extra[i] == m[1].extra[i], hf_measures_of(routing)->extras[i]);
    }
}

static bool is_on(const uint32_t *stack, uint32_t depth, uint32_t c) {
    for (uint32_t i = 0; i < depth; i++) {
        if (stack[i] == c) {
            return true;
        }
    }
    return false;
}

/* Up and down a stack of components. */
static void walk(const place *p, fixture *fx, const char *criterion, hf_random *random, tally *seen) {
    const hf_criterion *c = fixture_criterion(fx, criterion);
    hf_judge *judge[2];
    uint32_t stack[DEEPEST], depth = 0;
    fixture_ok(fx, hf_judge_new(fx->cx, fx->universe, &fx->rule, c, &judge[0]));
    fixture_ok(fx, hf_judge_new_relation(fx->cx, fx->universe, &fx->rule, c, &judge[1]));
    for (uint32_t step = 0; step < p->steps; step++) {
        hf_measure m[2];
        const uint32_t next = (uint32_t)hf_random_below(random, fx->universe->n_component);
        const bool goes_on = depth < DEEPEST && !is_on(stack, depth, next) && hf_random_below(random, 5) < 3;
        for (size_t i = 0; i < 2; i++) {
            if (goes_on) {
                fixture_ok(fx, judge[i]->ops->push(fx->cx, judge[i], next));
            } else if (depth > 0) {
                judge[i]->ops->pop(judge[i]);
            }
            fixture_ok(fx, judge[i]->ops->read(fx->cx, judge[i], &m[i]));
        }
        if (goes_on) {
            stack[depth++] = next;
        } else if (depth > 0) {
            depth--;
        }
        compare(p, criterion, step, m, fx->rule.routing);
        hf_measure alone = m[0];
        fixture_ok(fx, judge[0]->ops->verdict ? judge[0]->ops->verdict(fx->cx, judge[0], &alone) : HF_OK);
        claim(p, criterion, step, alone.tolerated == m[0].tolerated, "the verdict alone differs from the one measured");
        seen->tolerated += m[1].tolerated;
        seen->not_tolerated += !m[1].tolerated;
        seen->victims += m[1].victims > 0;
    }
    hf_judge_free(judge[0]);
    hf_judge_free(judge[1]);
}

static void judges_equal_relations(void **state) {
    (void)state;
    static const char *const criteria[] = {"all-pairs", "surviving", "all-pairs:live=50%", "connected"};
    tally seen = {0};
    for (uint64_t i = 0; i < N_PLACE; i++) {
        for (size_t k = 0; k < sizeof criteria / sizeof *criteria; k++) {
            fixture fx;
            hf_random random;
            fixture_open(&fx, places[i].topo, places[i].universe, places[i].rule);
            hf_random_init(&random, i, HF_PURPOSE_TEST, k);
            walk(&places[i], &fx, criteria[k], &random, &seen);
            fixture_close(&fx);
        }
    }
    assert_true(seen.tolerated > 1000 && seen.not_tolerated > 1000 && seen.victims > 500);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(judges_equal_relations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
