/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What [chalasani1996] says on its way to lemma 1, sentence by sentence, on every valid set of small meshes and every admissible
 *  way: who uses which channels, how often an f-ring is visited, what a node in service can meet; and one sentence that does not
 *  hold. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/analysis/deadlock.h>
#include <holdfast/core/combination.h>

#include "src/routing/solid/route.h"
#include "tests/oracle/fixture.h"
#include "tests/support/share.h"

enum { SIDE = 6, NODES = SIDE * SIDE, CHANNELS = NODES * 6, VCS = 4, TYPES = 4 };

/* All ways of one pair. */
typedef struct walk {
    const hf_solid_plan *p;
    uint32_t goal, visits[2][NODES]; /* as a row message, as a column message; by region */
    uint8_t (*types)[VCS];           /* by channel and virtual channel: types that have used it, a bit each */
    uint32_t west_most[NODES];       /* by region: column of its ring */
    uint32_t top[NODES][SIDE];       /* by region and column: row of the top-most node of its ring there; HF_NONE: none */
    uint32_t n_visit, n_misrouted, n_next;
} walk;

static uint32_t ring_of(const hf_solid_hop *hop) { return hop->right != HF_NONE ? hop->right : hop->left; }

/* Misrouted NS messages in clockwise orientation never use the west-most column of an f-ring (3.2). */
static void check_orientation(walk *w, uint32_t at, uint32_t type, const hf_solid_hop *hop) {
    const hf_solid *s = &w->p->solid;
    const uint32_t to = s->topo->to[hop->channel], column = hf_solid_digit(s, at, 0);
    const bool is_misrouted = column != hf_solid_digit(s, w->goal, 0) || to < at;
    if (type == 2 && is_misrouted && hop->right != HF_NONE) {
        w->n_misrouted++;
        assert_false(column == w->west_most[hop->right] && column == hf_solid_digit(s, to, 0));
    }
}

/* An NS message goes from one f-ring to another that lies lower in a column of both (3.2, the relation R). */
static void check_order(walk *w, uint32_t before, uint32_t ring) {
    bool is_above = false;
    for (uint32_t column = 0; column < SIDE; column++) {
        const uint32_t a = w->top[before][column], b = w->top[ring][column];
        is_above |= a != HF_NONE && b != HF_NONE && a < b;
    }
    assert_true(is_above);
    w->n_next++;
}

/* \param[in] ring, kind of the last hop: the region of its f-ring or HF_NONE, 1 as a column message; before: the last f-ring that
 * it has been on as an NS message, or HF_NONE */
static void follow(walk *w, uint32_t at, uint32_t port, uint32_t tag, uint32_t ring, uint32_t kind, uint32_t before) {
    const hf_topology *topo = w->p->solid.topo;
    hf_solid_choice choice[HF_SOLID_CHOICES];
    const size_t n = at == w->goal ? 0 : hf_solid_choose(w->p, at, port, tag, w->goal, choice);
    for (size_t i = 0; i < n; i++) {
        const hf_solid_hop *hop = choice[i].hop;
        const uint32_t type = (choice[i].tag - 1) % TYPES, its_ring = ring_of(hop), its_kind = type / 2;
        const bool is_visit = its_ring != HF_NONE && (its_ring != ring || its_kind != kind);
        for (uint32_t vc = 0; vc < VCS; vc++) {
            w->types[hop->channel][vc] |= (uint8_t)((choice[i].vcs >> vc & 1) << type);
        }
        check_orientation(w, at, type, hop);
        if (is_visit && type == 2 && before != HF_NONE) {
            check_order(w, before, its_ring);
        }
        if (is_visit) {
            w->n_visit++;
            assert_int_equal(++w->visits[its_kind][its_ring], 1); /* at most once of each kind (3.2) */
        }
        follow(w, topo->to[hop->channel], topo->from_port[hop->channel], choice[i].tag, its_ring, its_kind,
               type == 2 && its_ring != HF_NONE ? its_ring : before);
        if (is_visit) {
            w->visits[its_kind][its_ring]--;
        }
    }
}

static void note_node(walk *w, uint32_t region, uint32_t node) {
    const uint32_t column = hf_solid_digit(&w->p->solid, node, 0), row = hf_solid_digit(&w->p->solid, node, 1);
    w->west_most[region] = column < w->west_most[region] ? column : w->west_most[region];
    w->top[region][column] = row < w->top[region][column] ? row : w->top[region][column];
}

static void find_rings(walk *w) {
    memset(w->west_most, 0xff, sizeof w->west_most);
    memset(w->top, 0xff, sizeof w->top);
    for (uint32_t i = 0; i < w->p->solid.topo->n_switch * HF_COMPASS; i++) {
        const hf_solid_hop *hop = &w->p->hop[i];
        if (hop->is_good && hop->right != HF_NONE) {
            note_node(w, hop->right, i / HF_COMPASS);
        }
    }
}

/* A node in service has at most two faulty links, not both of a dimension, which would give overlapping rings, and is on at most
 * two f-rings (2.2, 2.3). */
static void check_nodes(const hf_solid_plan *p) {
    const hf_solid *s = &p->solid;
    for (uint32_t node = 0; node < s->topo->n_switch; node++) {
        uint32_t faulty[2] = {0};
        for (unsigned port = 0; port < 4; port++) {
            faulty[port / 2] +=
                hf_solid_has(s, node, port / 2, port % 2 == 0) && !hf_solid_is_good(s, node, port / 2, port % 2 == 0);
        }
        assert_true(s->bad[node] || (faulty[0] < 2 && faulty[1] < 2));
        uint32_t rings = 0, face[HF_COMPASS];
        for (unsigned compass = 0; compass < HF_COMPASS; compass++) {
            face[compass] = hf_solid_beside(s, 0, node, compass, true);
            bool is_new = face[compass] != HF_NONE;
            for (unsigned k = 0; k < compass; k++) {
                is_new = is_new && face[k] != face[compass];
            }
            rings += is_new;
        }
        assert_true(rings <= 2);
    }
}

/* A virtual channel is one type's: on an f-ring by rule, off the rings as only one type of messages uses the link (3.2). */
static void check_types(const hf_solid_plan *p, uint8_t types[CHANNELS][VCS]) {
    for (uint32_t i = 0; i < p->solid.topo->n_switch * HF_COMPASS; i++) {
        const hf_solid_hop *hop = &p->hop[i];
        uint8_t all = 0;
        for (uint32_t vc = 0; vc < VCS && hop->channel != HF_NONE; vc++) {
            const uint8_t one = types[hop->channel][vc];
            assert_true((one & (one - 1)) == 0);

            all |= one;
        }
        assert_true(hop->is_on_ring || (all & (all - 1)) == 0);
    }
}

static void check_set(const hf_solid_plan *p, walk *w) {
    static uint8_t types[CHANNELS][VCS];
    memset(types, 0, sizeof types);
    w->p = p;
    w->types = types;
    find_rings(w);
    check_nodes(p);
    for (uint32_t i = 0; i < p->solid.topo->n_switch * p->solid.topo->n_switch; i++) {
        const uint32_t from = i / p->solid.topo->n_switch;
        w->goal = i % p->solid.topo->n_switch;
        if (!p->solid.bad[from] && !p->solid.bad[w->goal]) {
            follow(w, from, HF_NONE, 0, HF_NONE, 0, HF_NONE);
        }
    }
    check_types(p, types);
}

static void steps_of_lemma_1(void **state) {
    (void)state;
    static const struct {
        const char *topo, *universe, *rule;
        uint32_t f, step;
    } rows[] = {
        {"mesh:dims=5x5", "switches", "solid-fault", 3, 1},
        {"mesh:dims=5x5", "links", "solid-fault", 2, 1},
        {"mesh:dims=5x5", "links", "solid-fault:rule4=no-u-turn", 3, 7},
        {"mesh:dims=6x6", "switches", "solid-fault", 4, 31},
        {"mesh:dims=6x6", "links", "solid-fault", 3, 37},
    };
    walk w = {0};
    uint32_t n_set = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fixture fx;
        uint32_t component[4];
        uint64_t rank = 0;
        fixture_open(&fx, rows[i].topo, rows[i].universe, rows[i].rule);
        hf_lex_unrank(fx.universe->n_component, rows[i].f, 0, component);
        for (bool more = true; more; more = hf_lex_next(fx.universe->n_component, rows[i].f, component, NULL)) {
            hf_fault_set set;
            hf_plan plan;
            if (rank++ % (rows[i].step * share_step()) != 0) {
                continue;
            }
            const hf_mark mark = hf_scratch_mark(fx.cx);
            fixture_plan_set(&fx, component, rows[i].f, &set, &plan);
            if (!hf_plan_is_empty(&plan)) {
                check_set(plan.state, &w);
                n_set++;
            }
            hf_scratch_reset(fx.cx, mark);
        }
        fixture_close(&fx);
    }
    print_message("%u sets, %u visits of f-rings, %u hops of NS messages misrouted clockwise, %u ways from f-ring to f-ring\n",
                  n_set, w.n_visit, w.n_misrouted, w.n_next);
    assert_true(n_set > 300 / share_step() && w.n_misrouted > 1000 / share_step() && w.n_next > 1000 / share_step());
}

/* Rounds in which pendant nodes mark themselves, all at once. */
static uint32_t count_rounds(hf_solid *s) {
    uint32_t rounds = 0;
    for (bool changed = true; changed; rounds += changed) {
        bool is_pendant[NODES];
        changed = false;
        for (uint32_t node = 0; node < s->topo->n_switch; node++) {
            uint32_t good = 0;
            for (unsigned port = 0; port < 4; port++) {
                good += hf_solid_is_good(s, node, port / 2, port % 2 == 0);
            }
            is_pendant[node] = !s->bad[node] && good <= 1;
        }
        for (uint32_t node = 0; node < s->topo->n_switch; node++) {
            if (is_pendant[node]) {
                hf_solid_disable(s, node);
                changed = true;
            }
        }
    }
    return rounds;
}

/* "This can be repeated several times, bounded by the diameter of the network" (2.1): not so. Links that leave of three rows of a
 * 5x5 mesh, whose diameter is 8, a way to and fro let 15 nodes mark themselves one after the other. */
static void pendants_take_more_than_the_diameter(void **state) {
    (void)state;
    static const struct {
        const char *topo, *faults;
        uint32_t rounds, left, diameter;
    } rows[] = {
        {"mesh:dims=3x3", "s0:2,s1:2,s4:2,s5:2", 5, 0, 4},
        {"mesh:dims=5x5", "s0:2,s1:2,s2:2,s3:2,s6:2,s7:2,s8:2,s9:2,s10:2,s11:2,s12:2,s13:2", 15, 10, 8},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fixture fx;
        hf_fault_set set;
        hf_solid slow, fast;
        fixture_open(&fx, rows[i].topo, NULL, NULL);
        fixture_ok(&fx, hf_fault_set_parse(fx.cx, fx.topo, NULL, rows[i].faults, &set));
        fixture_ok(&fx, hf_solid_init(fx.cx, &set, &slow));
        fixture_ok(&fx, hf_solid_init(fx.cx, &set, &fast));
        hf_solid_close_pendants(&fast);
        assert_int_equal(count_rounds(&slow), rows[i].rounds);
        assert_memory_equal(slow.bad, fast.bad, fx.topo->n_switch);
        assert_int_equal(fx.topo->n_switch - slow.n_sacrificed, rows[i].left);
        assert_true(rows[i].rounds > rows[i].diameter);
        fixture_close(&fx);
    }
}

/* Shapes of section 5, and faults of three dimensions: what they are under the rule and under the older model, and that those
 * which are covered are delivered without a deadlock. */
static void shapes(void **state) {
    (void)state;
    static const struct {
        const char *topo, *rule, *faults;
        hf_solid_class class;
    } rows[] = {
        {"mesh:dims=7x7", "solid-fault", "s17,s23,s24,s25,s31", HF_SOLID_COVERED},                                 /* + */
        {"mesh:dims=7x7", "solid-fault", "s16,s17,s18,s24,s31", HF_SOLID_COVERED},                                 /* T */
        {"mesh:dims=7x7", "solid-fault", "s16,s23,s30,s31,s32", HF_SOLID_COVERED},                                 /* L */
        {"mesh:dims=7x7", "solid-fault", "s10,s16,s17,s18,s22,s23,s24,s25,s26,s30,s31,s32,s38", HF_SOLID_COVERED}, /* a diamond */
        {"mesh:dims=7x7", "block-fault", "s16,s23,s30,s31,s32", HF_SOLID_NOT_SOLID},
        {"mesh:dims=7x7", "block-fault", "s16,s17,s23,s24", HF_SOLID_COVERED},
        {"mesh:dims=7x7", "solid-fault", "s15,s18,s22,s23,s24,s25", HF_SOLID_NOT_SOLID}, /* a U */
        /* of one connected fault with a gap in a line, all cross sections are solid (3.3 says only the converse) */
        {"mesh:dims=4x4x6", "solid-fault", "s31,s55,s61,s62,s63,s64,s40,s34", HF_SOLID_COVERED},
        {"mesh:dims=4x4x6", "solid-fault-adaptive", "s31,s55,s61,s62,s63,s64,s40,s34", HF_SOLID_COVERED},
        /* one solid fault, whose cross section has two parts with rings that share a link */
        {"mesh:dims=4x5x6", "solid-fault", "s37,s45,s67,s68,s69,s75", HF_SOLID_OVERLAP},
        {"mesh:dims=4x5x6", "solid-fault:rings=overlapping", "s37,s45,s67,s68,s69,s75", HF_SOLID_COVERED},
    };
    static const hf_deadlock_options options = {.threads = 1};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fixture fx;
        hf_fault_set set;
        hf_plan plan;
        hf_deadlock found;
        fixture_open(&fx, rows[i].topo, NULL, rows[i].rule);
        fixture_plan(&fx, rows[i].faults, &set, &plan);
        assert_int_equal(((const hf_solid_plan *)plan.state)->class, rows[i].class);
        if (rows[i].class == HF_SOLID_COVERED) {
            fixture_ok(&fx, hf_deadlock_decide(fx.cx, &plan, &options, &found));
            assert_int_equal(found.answer, HF_DEADLOCK_FREE);
            assert_true(found.is_connected);
        }
        fixture_close(&fx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_of_lemma_1),
        cmocka_unit_test(pendants_take_more_than_the_diameter),
        cmocka_unit_test(shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
