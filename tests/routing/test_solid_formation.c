/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Formation of f-rings [chalasani1996, 2.3]: a slow twin that sends the facts of step 1 from node to node, finds each node's
 *  neighbours by the lines of table 1, and passes a shape-finding message from neighbour to neighbour; whether that message finds
 * out what is solid; and the removal of messages to faulty nodes (3.1). */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/combination.h>
#include <holdfast/core/random.h>

#include "src/routing/solid/formation.h"
#include "src/routing/solid/route.h"
#include "tests/oracle/fixture.h"

enum { NODES = 64, PAIRS = 16 };

/* ---- the twin ---- */

typedef struct node {
    bool faulty[HF_COMPASS];           /* its own links */
    bool told[HF_COMPASS][HF_COMPASS]; /* by the neighbour in one direction: that its link in another is faulty */
    unsigned pair[PAIRS][2], n_pair;   /* neighbours on rings */
    bool used[PAIRS];
} node;

typedef struct twin {
    const hf_solid *s;
    node at[NODES];
    uint64_t messages, hops;
    uint32_t longest, rings;
} twin;

static bool is_there(const hf_solid *s, uint32_t v, unsigned c) {
    return hf_solid_has(s, v, hf_solid_dim(s, 0, c), hf_solid_is_plus(c));
}

static bool is_good(const hf_solid *s, uint32_t v, unsigned c) {
    return hf_solid_is_good(s, v, hf_solid_dim(s, 0, c), hf_solid_is_plus(c));
}

static void tell_neighbours(twin *t) {
    for (uint32_t v = 0; v < t->s->topo->n_switch; v++) {
        for (unsigned c = 0; c < HF_COMPASS && !t->s->bad[v]; c++) {
            t->at[v].faulty[c] = is_there(t->s, v, c) && !is_good(t->s, v, c);
            for (unsigned to = (c + 1) % 2; to < HF_COMPASS && t->at[v].faulty[c]; to += 2) {
                if (is_good(t->s, v, to)) {
                    t->at[hf_solid_step(t->s, 0, v, to)].told[(to + 2) % HF_COMPASS][c] = true;
                    t->messages++;
                }
            }
        }
    }
}

static void add_pair(node *n, unsigned a, unsigned b) {
    assert_true(n->n_pair < PAIRS);
    n->pair[n->n_pair][0] = a;
    n->pair[n->n_pair++][1] = b;
}

/* Table 1. Its first six lines go by the node's own links, the others by what it was told. */
static void find_neighbours(node *n) {
    const bool row = n->faulty[HF_EAST] || n->faulty[HF_WEST], column = n->faulty[HF_NORTH] || n->faulty[HF_SOUTH];
    if (row && column) {
        add_pair(n, n->faulty[HF_NORTH] ? HF_SOUTH : HF_NORTH, n->faulty[HF_EAST] ? HF_WEST : HF_EAST);
    } else if (row) {
        add_pair(n, HF_NORTH, HF_SOUTH);
    } else if (column) {
        add_pair(n, HF_EAST, HF_WEST);
    }
    for (unsigned vertical = HF_SOUTH; vertical <= HF_NORTH; vertical += 2) {
        for (unsigned side = HF_EAST; side <= HF_WEST; side += 2) {
            if (!n->faulty[vertical] && !n->faulty[side] && (n->told[side][vertical] || n->told[vertical][side])) {
                add_pair(n, vertical, side);
            }
        }
    }
}

/* The pair of the node that the message came by and that is not used. \return whether there is one */
static bool pass_on(twin *t, uint32_t v, unsigned by, unsigned *to) {
    node *n = &t->at[v];
    for (unsigned i = 0; i < n->n_pair; i++) {
        for (unsigned end = 0; end < 2; end++) {
            if (!n->used[i] && n->pair[i][end] == by) {
                n->used[i] = true;
                *to = n->pair[i][1 - end];
                return true;
            }
        }
    }
    return false;
}

static void circulate(twin *t, uint32_t v, unsigned first) {
    uint32_t hops = 0;
    unsigned to = t->at[v].pair[first][0];
    t->at[v].used[first] = true;
    do {
        v = hf_solid_step(t->s, 0, v, to);
        hops++;
    } while (pass_on(t, v, (to + 2) % HF_COMPASS, &to));
    t->rings++;
    t->hops += hops;
    t->longest = hops > t->longest ? hops : t->longest;
}

static void form(const hf_solid *s, twin *t) {
    *t = (twin){.s = s};
    assert_true(s->topo->n_switch <= NODES);
    tell_neighbours(t);
    for (uint32_t v = 0; v < s->topo->n_switch; v++) {
        if (!s->bad[v]) {
            find_neighbours(&t->at[v]);
        }
    }
    for (uint32_t v = 0; v < s->topo->n_switch; v++) {
        for (unsigned i = 0; i < t->at[v].n_pair; i++) {
            if (!t->at[v].used[i]) {
                circulate(t, v, i);
            }
        }
    }
}

/* ---- tests ---- */

static hf_solid_class make(fixture *fx, const hf_fault_set *set, hf_solid *s) {
    hf_solid_class class;
    fixture_ok(fx, hf_solid_init(fx->cx, set, s));
    hf_solid_close_pendants(s);
    hf_solid_find_regions(s);
    fixture_ok(fx, hf_solid_classify(fx->cx, s, &class));
    return class;
}

typedef void (*check)(fixture *fx, const uint32_t *component, uint32_t f);

static void for_all_sets(const char *topo, const char *universe, const char *rule, uint32_t f, check function) {
    fixture fx;
    uint32_t component[8];
    fixture_open(&fx, topo, universe, rule);
    const uint32_t m = fx.universe->n_component;
    hf_lex_unrank(m, f, 0, component);
    for (bool more = true; more; more = hf_lex_next(m, f, component, NULL)) {
        const hf_mark mark = hf_scratch_mark(fx.cx);
        function(&fx, component, f);
        hf_scratch_reset(fx.cx, mark);
    }
    fixture_close(&fx);
}

static void check_formation(fixture *fx, const uint32_t *component, uint32_t f) {
    hf_fault_set set;
    hf_solid s;
    hf_solid_formation found;
    twin t;
    fixture_ok(fx, hf_fault_set_make(fx->cx, fx->universe, component, f, &set));
    if (make(fx, &set, &s) != HF_SOLID_COVERED) {
        return;
    }
    fixture_ok(fx, hf_solid_form(fx->cx, &s, &found));
    form(&s, &t);
    assert_int_equal(found.messages, t.messages);
    assert_int_equal(found.n_ring, t.rings);
    assert_int_equal(found.shape_messages, t.hops);
    assert_int_equal(found.shape_steps, t.longest);
    assert_true(found.finds_solid);
}

static void formation_agrees_with_table_1(void **state) {
    (void)state;
    for (uint32_t f = 1; f <= 3; f++) {
        for_all_sets("mesh:dims=5x5", "switches", NULL, f, check_formation);
        for_all_sets("torus:dims=5x5", "switches", NULL, f, check_formation);
    }
    for_all_sets("mesh:dims=6x6", "links+switches", NULL, 2, check_formation);
    for_all_sets("torus:dims=4x6", "links", NULL, 2, check_formation);
}

/* Of random sets of nodes inside the boundary of a mesh: the shape-finding messages find out whether all regions are solid. */
static void shapes_are_found(void **state) {
    (void)state;
    fixture fx;
    hf_random random;
    uint32_t solid = 0, other = 0;
    fixture_open(&fx, "mesh:dims=7x7", "switches", NULL);
    hf_random_init(&random, 3, HF_PURPOSE_TEST, 16);
    for (uint32_t i = 0; i < 3000; i++) {
        uint32_t c[9];
        hf_fault_set set;
        hf_solid s;
        hf_solid_formation found;
        const hf_mark mark = hf_scratch_mark(fx.cx);
        const uint32_t f = 3 + (uint32_t)hf_random_below(&random, 7);
        hf_random_subset(&random, 25, f, c);
        for (uint32_t k = 0; k < f; k++) {
            c[k] = (c[k] / 5 + 1) * 7 + c[k] % 5 + 1;
        }
        fixture_ok(&fx, hf_fault_set_make(fx.cx, fx.universe, c, f, &set));
        fixture_ok(&fx, hf_solid_init(fx.cx, &set, &s));
        s.takes_chains = s.takes_overlaps = true;
        hf_solid_class class;
        hf_solid_close_pendants(&s);
        hf_solid_find_regions(&s);
        fixture_ok(&fx, hf_solid_classify(fx.cx, &s, &class));
        bool is_inside = class != HF_SOLID_DISCONNECTED;
        for (uint32_t k = 0; k < s.n_cut; k++) {
            const uint32_t across = hf_solid_digit(&s, s.cut_node[k], 1 - s.cut_dim[k]);
            is_inside &= across > 0 && across < 6;
        }
        fixture_ok(&fx, hf_solid_form(fx.cx, &s, &found));
        if (is_inside && found.finds_solid != (class != HF_SOLID_NOT_SOLID)) {
            print_error("set %u of seed 3\n", i);
            fail();
        }
        solid += is_inside && class != HF_SOLID_NOT_SOLID;
        other += is_inside && class == HF_SOLID_NOT_SOLID;
        hf_scratch_reset(fx.cx, mark);
    }
    fixture_close(&fx);
    print_message("%u sets solid, %u not\n", solid, other);
    assert_true(solid > 200 && other > 100);
}

static void check_removal(fixture *fx, const uint32_t *component, uint32_t f) {
    hf_fault_set set;
    hf_plan plan;
    hf_solid_removals found;
    fixture_plan_set(fx, component, f, &set, &plan);
    fixture_ok(fx, hf_solid_find_removals(fx->cx, &plan, &found));
    assert_int_equal(found.removed, found.pairs);
    assert_int_equal(found.wrong, 0);
}

static void messages_to_faulty_nodes_are_removed(void **state) {
    (void)state;
    static const char *const rules[] = {"solid-fault", "solid-fault-adaptive"};
    for (size_t i = 0; i < 2; i++) {
        for (uint32_t f = 1; f <= 3; f++) {
            for_all_sets("mesh:dims=5x5", "switches", rules[i], f, check_removal);
        }
        for_all_sets("torus:dims=5x5", "switches", rules[i], 2, check_removal);
        for_all_sets("mesh:dims=4x4x4", "switches", rules[i], 1, check_removal);
    }
    static const char *const chains[] = {"solid-fault:rings=any", "solid-fault:rings=any,sidesteps=yes",
                                         "solid-fault-adaptive:rings=any,sidesteps=yes"};
    for (size_t i = 0; i < 3; i++) {
        for (uint32_t f = 1; f <= 2; f++) {
            for_all_sets("mesh:dims=5x5", "switches", chains[i], f, check_removal);
            for_all_sets("mesh:dims=3x3x3", "switches", chains[i], f, check_removal);
        }
        for_all_sets("mesh:dims=3x3x3", "links", chains[i], 1, check_removal);
    }
    for_all_sets("mesh:dims=5x5", "switches", chains[0], 3, check_removal);
    for_all_sets("mesh:dims=3x3x3", "switches", chains[1], 3, check_removal);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formation_agrees_with_table_1),
        cmocka_unit_test(shapes_are_found),
        cmocka_unit_test(messages_to_faulty_nodes_are_removed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
