/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The judgement about an escape against the slow twin: rules of the registry, and random relations with random escapes, which
 *  are free of cycles at times as most escape hops go straight to the goal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include <holdfast/core/random.h>

#include "tests/oracle/escapes.h"
#include "tests/support/share.h"

static uint32_t n_yes, n_no;

static void compare(fixture *fx, const hf_plan *plan, const hf_escape *escape, const char *what) {
    const uint32_t n = plan->topo->n_channel * plan->n_vc;
    uint32_t *fast = calloc(n, sizeof *fast), *slow = calloc(n, sizeof *slow);
    bool ok;
    assert_true(fast && slow);
    const bool expected = escapes_check(plan, escape, slow);
    fixture_ok(fx, hf_escape_check(fx->cx, plan, escape, NULL, NULL, &ok, fast, NULL));
    if (ok != expected) {
        print_error("%s: %d, slowly %d\n", what, ok, expected);
        fail();
    }
    for (uint32_t r = 0; r < n && ok; r++) {
        if (fast[r] != slow[r]) {
            print_error("%s: resource %u has the number %u, slowly %u\n", what, r, fast[r], slow[r]);
            fail();
        }
    }
    n_yes += ok;
    n_no += !ok;
    free(fast);
    free(slow);
}

static const struct {
    const char *topo, *rule, *faults;
} rules[] = {{"mesh:dims=4x4", "duato", ""},
             {"mesh:dims=3x4,terminals=2", "duato:adaptive-vcs=2", ""},
             {"torus:dims=4x4", "duato", ""},
             {"torus:dims=5x3", "duato:classes=plain", ""},
             {"torus:dims=4x4", "adaptive-bubble", ""},
             {"hypercube:n=3", "duato", ""},
             {"mesh:dims=3x3", "duato", "s0:0"},
             {"mesh:dims=3x3", "minimal:vcs=2", ""},
             {"kary-tree:k=2,n=3", "updown:vcs=2", ""},
             {"torus:dims=3x4", "valiant", ""}};

static void judges_rules_as_the_slow_twin(void **state) {
    (void)state;
    n_yes = n_no = 0;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        fixture fx;
        hf_fault_set set;
        hf_plan plan;
        char what[160];
        fixture_open(&fx, rules[i].topo, NULL, rules[i].rule);
        fixture_plan(&fx, rules[i].faults, &set, &plan);
        for (uint64_t vcs = 0; vcs < 8; vcs++) {
            const hf_escape escape = {.is_declared = vcs == 0, .vcs = vcs};
            snprintf(what, sizeof what, "%s on %s, escape %u", rules[i].rule, rules[i].topo, (unsigned)vcs);
            if (vcs > 0 || plan.routing->escape) {
                compare(&fx, &plan, &escape, what);
            }
        }
        fixture_close(&fx);
    }
    assert_true(n_yes > 5 && n_no > 5);
}

/* ---- random relations ---- */

typedef struct dice {
    uint64_t seed;
    uint32_t odds, falls; /* one hop in so many; one escape hop in so many goes anywhere */
} dice;

static uint64_t mix(uint64_t x) {
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* Escape hops, VC 0, go straight to the switch of the destination, and at times anywhere; others, VC 1, go anywhere. */
static size_t dice_route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    const dice *d = plan->state;
    const hf_topology *topo = plan->topo;
    uint64_t x = mix(d->seed ^ mix(at * UINT64_C(1000003) + destination) ^ (uint64_t)in.channel << 32 ^ (uint64_t)in.tag << 20);
    size_t n = 0;
    for (uint32_t i = topo->out_begin[at]; i < topo->out_begin[at + 1]; i++) {
        const uint32_t c = topo->out_list[i], to = topo->to[c];
        x = mix(x + i);
        if (hf_topology_is_terminal(topo, at) || to == topo->n_switch + destination) {
            hops[n++] = (hf_hop){c, 0, 0};
        } else if (!hf_topology_is_terminal(topo, to)) {
            const bool is_straight = to == topo->terminal_switch[destination] && (d->seed % 4 > 0 || x % 50 > 0);
            if (is_straight || (x >> 8) % d->falls == 0) {
                hops[n++] = (hf_hop){c, 0, 0};
            }
            if ((x >> 16) % d->odds == 0) {
                hops[n++] = (hf_hop){c, 1, (uint32_t)(x >> 40) % 2};
            }
        }
    }
    return n;
}

static size_t dice_escape(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    size_t n = dice_route(plan, at, in, destination, hops), kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (hops[i].vc == 0) {
            hops[kept++] = hops[i];
        }
    }
    return kept;
}

static const char *const grids[] = {"complete:n=3", "complete:n=5", "complete:n=4,terminals=2", "ring:n=3",
                                    "complete:n=2,terminals=3"};

static void judges_random_relations_as_the_slow_twin(void **state) {
    (void)state;
    n_yes = n_no = 0;
    for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
        fixture fx;
        fixture_open(&fx, grids[i], "links", "minimal");
        for (uint64_t seed = 0; seed < 300; seed += share_step()) {
            const hf_mark mark = hf_scratch_mark(fx.cx);
            hf_random random;
            hf_fault_set set;
            hf_plan plan;
            char what[160];
            hf_random_init(&random, seed, HF_PURPOSE_TEST, 50 + i);
            fixture_plan(&fx, "", &set, &plan);
            const dice d = {mix(seed), 1 + (uint32_t)hf_random_below(&random, 5), 20 + (uint32_t)hf_random_below(&random, 2000)};
            hf_routing routing = *plan.routing;
            routing.route = dice_route;
            routing.escape = dice_escape;
            routing.likeness = NULL;
            plan.routing = &routing;
            plan.state = &d;
            plan.n_vc = 2;
            plan.max_hops = 64;
            for (uint64_t vcs = 0; vcs < 4; vcs++) {
                const hf_escape escape = {.is_declared = vcs == 0, .vcs = vcs};
                snprintf(what, sizeof what, "dice on %s, seed %u, escape %u", grids[i], (unsigned)seed, (unsigned)vcs);
                compare(&fx, &plan, &escape, what);
            }
            hf_scratch_reset(fx.cx, mark);
        }
        fixture_close(&fx);
    }
    assert_true(n_yes > 100 / share_step() && n_no > 100 / share_step());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(judges_rules_as_the_slow_twin),
        cmocka_unit_test(judges_random_relations_as_the_slow_twin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
