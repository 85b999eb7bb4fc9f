/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Appendix A of [chalasani1996]: how many nodes its procedures sacrifice, which sets they leave invalid, and that the completed
 *  rule leaves none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/bitset.h>
#include <holdfast/core/combination.h>

#include "src/routing/solid/sacrifice.h"
#include "tests/oracle/fixture.h"

typedef struct sums {
    uint64_t sets, sacrificed, rounds, messages, of_class[5];
} sums;

static void add(fixture *fx, const hf_fault_set *set, bool is_completed, sums *out) {
    hf_solid s;
    hf_solid_class class;
    uint32_t rounds;
    uint64_t messages;
    fixture_ok(fx, hf_solid_init(fx->cx, set, &s));
    fixture_ok(fx, hf_solid_sacrifice_all(fx->cx, &s, is_completed, &rounds, &messages));
    hf_solid_find_regions(&s);
    fixture_ok(fx, hf_solid_classify(fx->cx, &s, &class));
    out->sets++;
    out->sacrificed += s.n_sacrificed;
    out->rounds += rounds;
    out->messages += messages;
    out->of_class[class]++;
}

static sums over_all(const char *topo, const char *universe, uint32_t f, bool is_completed) {
    fixture fx;
    uint32_t component[8];
    sums out = {0};
    fixture_open(&fx, topo, universe, NULL);
    const uint32_t m = fx.universe->n_component;
    hf_lex_unrank(m, f, 0, component);
    for (bool more = true; more; more = hf_lex_next(m, f, component, NULL)) {
        hf_fault_set set;
        const hf_mark mark = hf_scratch_mark(fx.cx);
        fixture_ok(&fx, hf_fault_set_make(fx.cx, fx.universe, component, f, &set));
        add(&fx, &set, is_completed, &out);
        hf_scratch_reset(fx.cx, mark);
    }
    fixture_close(&fx);
    return out;
}

/* Figures of the procedures as they stand; some two-link sets stay with overlapping rings. */
static void sacrificed_nodes(void **state) {
    (void)state;
    static const struct {
        const char *universe;
        uint32_t f;
        bool is_completed;
        uint64_t sacrificed, covered, overlap, disconnected, sets;
    } rows[] = {
        {"switches", 1, false, 64, 25, 0, 0, 25},     {"switches", 2, false, 1572, 300, 0, 0, 300},
        {"links", 1, false, 80, 40, 0, 0, 40},        {"links", 2, false, 3186, 724, 56, 0, 780},
        {"links", 2, true, 3482, 780, 0, 0, 780},     {"switches", 2, true, 1572, 300, 0, 0, 300},
        {"links", 3, true, 70050, 9870, 0, 10, 9880}, /* of ten sets nothing is left */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const sums found = over_all("mesh:dims=5x5", rows[i].universe, rows[i].f, rows[i].is_completed);
        assert_int_equal(found.sets, rows[i].sets);
        assert_int_equal(found.sacrificed, rows[i].sacrificed);
        assert_int_equal(found.of_class[HF_SOLID_COVERED], rows[i].covered);
        assert_int_equal(found.of_class[HF_SOLID_OVERLAP], rows[i].overlap);
        assert_int_equal(found.of_class[HF_SOLID_DISCONNECTED], rows[i].disconnected);
    }
}

/* Of the 56 nodes on sides of a 4x4x4 mesh, each takes the other 15 of a side with it; eight, on edges in the highest dimension,
 * make their corner pendant, whose side goes first (16), and then the eleven others of their own. Eight pairs leave nothing. */
static void three_dimensions(void **state) {
    (void)state;
    const sums one = over_all("mesh:dims=4x4x4", "switches", 1, false), two = over_all("mesh:dims=4x4x4", "switches", 2, true);
    const sums link = over_all("mesh:dims=4x4x4", "links", 1, false);
    assert_int_equal(one.of_class[HF_SOLID_COVERED], 64);
    assert_int_equal(one.sacrificed, 48 * 15 + 8 * 27);
    assert_int_equal(two.of_class[HF_SOLID_COVERED], 2008);
    assert_int_equal(two.of_class[HF_SOLID_DISCONNECTED], 8);
    assert_int_equal(link.of_class[HF_SOLID_COVERED], 144);
}

/* Nodes out of service after the repair, those that failed as F, others as x. */
static void repaired(const char *topo, const char *faults, bool is_completed, const char *picture) {
    fixture fx;
    hf_fault_set set;
    hf_solid s;
    uint32_t rounds;
    uint64_t messages;
    fixture_open(&fx, topo, NULL, NULL);
    fixture_ok(&fx, hf_fault_set_parse(fx.cx, fx.topo, NULL, faults, &set));
    fixture_ok(&fx, hf_solid_init(fx.cx, &set, &s));
    fixture_ok(&fx, hf_solid_sacrifice_all(fx.cx, &s, is_completed, &rounds, &messages));
    for (uint32_t v = 0; v < fx.topo->n_switch; v++) {
        const char now = hf_bit_test(set.switch_set, v) ? 'F' : s.bad[v] ? 'x' : '.';
        if (now != picture[v]) {
            print_error("%s, switch %u: %c, not %c\n", faults, v, now, picture[v]);
            fail();
        }
    }
    fixture_close(&fx);
}

static void single_repairs(void **state) {
    (void)state;
    /* a corner disables its row; an edge beside a corner its column, the corner being pendant */
    repaired("mesh:dims=3x3", "s0", false, "Fxx......");
    repaired("mesh:dims=4x4", "s4", false, "x...F...x...x...");
    /* a node of a side, a corner: the side of the highest dimension */
    repaired("mesh:dims=3x4x3", "s4", false, "xxxxFxxxxxxx........................");
    repaired("mesh:dims=3x4x3", "s0", false, "Fxxxxxxxxxxx........................");
    /* the inside of a U is between concave corners */
    repaired("mesh:dims=6x6", "s13,s16,s19,s20,s21,s22", false,
             "......"
             "......"
             ".FxxF."
             ".FFFF."
             "......"
             "......");
    /* faults in the same column, two rows apart, share a row of their rings */
    repaired("mesh:dims=5x5", "s6:0,s16:0", false, ".........................");
    repaired("mesh:dims=5x5", "s6:0,s16:0", true, "...........xx............");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sacrificed_nodes),
        cmocka_unit_test(single_repairs),
        cmocka_unit_test(three_dimensions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
