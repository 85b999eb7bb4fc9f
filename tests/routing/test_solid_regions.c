/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Regions and rings of solid faults: the sets of figure 1 of [chalasani1996], all lines of its Table 1, numbers of valid sets,
 *  and the oracle made of the words of the paper. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/bitset.h>
#include <holdfast/core/combination.h>
#include <holdfast/core/random.h>

#include "src/routing/solid/regions.h"
#include "tests/oracle/fixture.h"
#include "tests/oracle/solid_oracle.h"

static hf_solid_class classify(fixture *fx, const hf_fault_set *set, bool is_convex_only, hf_solid *s) {
    hf_solid_class class;
    fixture_ok(fx, hf_solid_init(fx->cx, set, s));
    s->is_convex_only = is_convex_only;
    hf_solid_close_pendants(s);
    hf_solid_find_regions(s);
    fixture_ok(fx, hf_solid_classify(fx->cx, s, &class));
    return class;
}

/* Does the class agree with the oracle where f-chains, or overlapping rings, are taken? What is left may be in parts then, and
 * where it is less than two nodes nothing else is asked. */
static bool agrees_with(fixture *fx, const hf_fault_set *set, bool chains, bool overlaps) {
    hf_solid s;
    hf_solid_class class;
    uint32_t live = 0;
    fixture_ok(fx, hf_solid_init(fx->cx, set, &s));
    s.takes_chains = chains;
    s.takes_overlaps = overlaps;
    hf_solid_close_pendants(&s);
    hf_solid_find_regions(&s);
    fixture_ok(fx, hf_solid_classify(fx->cx, &s, &class));
    for (uint32_t node = 0; node < fx->topo->n_switch; node++) {
        live += !s.bad[node];
    }
    if (live < 2) {
        return class == HF_SOLID_DISCONNECTED;
    }
    return solid_oracle_is_valid(set, chains, overlaps) == (class == HF_SOLID_COVERED || class == HF_SOLID_DISCONNECTED);
}

static hf_solid_class class_of(fixture *fx, const char *faults, bool is_convex_only, hf_solid *s) {
    hf_fault_set set;
    fixture_ok(fx, hf_fault_set_parse(fx->cx, fx->topo, NULL, faults, &set));
    return classify(fx, &set, is_convex_only, s);
}

/* Figure 1, a 6x6 mesh: (a1, a0) is switch 6 a1 + a0; port 0 leads east, 1 west, 2 south, 3 north. */
#define F1 "s6:0,s1:2"
#define F2 "s4:0,s10:0"
#define F3 "s14:0,s20,s25"
#define F4 "s28"

static void figure_1(void **state) {
    (void)state;
    static const struct {
        const char *faults;
        hf_solid_class solid, convex;
    } sets[] = {
        {F1, HF_SOLID_COVERED, HF_SOLID_NOT_SOLID},
        {F2, HF_SOLID_BOUNDARY, HF_SOLID_BOUNDARY},
        {F3, HF_SOLID_COVERED, HF_SOLID_NOT_SOLID},
        {F4, HF_SOLID_COVERED, HF_SOLID_COVERED},
        {F3 "," F4, HF_SOLID_OVERLAP, HF_SOLID_NOT_SOLID},
        {F1 "," F3, HF_SOLID_COVERED, HF_SOLID_NOT_SOLID},
        {"s13,s16,s19,s20,s21,s22", HF_SOLID_NOT_SOLID, HF_SOLID_NOT_SOLID}, /* a U */
        {"", HF_SOLID_COVERED, HF_SOLID_COVERED},
    };
    fixture fx;
    fixture_open(&fx, "mesh:dims=6x6", NULL, NULL);
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        hf_solid s;
        assert_int_equal(class_of(&fx, sets[i].faults, false, &s), sets[i].solid);
        assert_int_equal(class_of(&fx, sets[i].faults, true, &s), sets[i].convex);
    }
    fixture_close(&fx);
}

/* Nodes of a ring in the order of one orientation, from the given one, as text "7 8 14 ...". */
static void go_round(const hf_solid *s, uint32_t start, uint32_t region, bool is_clockwise, char *text, size_t size) {
    uint32_t node = start;
    size_t used = 0;
    do {
        used += (size_t)snprintf(text + used, size - used, "%s%u", used ? " " : "", node);
        const unsigned compass = hf_solid_turn(s, 0, node, region, is_clockwise);
        assert_true(compass < HF_COMPASS && used < size - 8);
        node = hf_solid_step(s, 0, node, compass);
    } while (node != start);
}

/* Rings of figure 1 as drawn there. */
static void rings_of_figure_1(void **state) {
    (void)state;
    fixture fx;
    hf_solid s;
    char text[256];
    fixture_open(&fx, "mesh:dims=6x6", NULL, NULL);
    (void)class_of(&fx, F1, false, &s);
    go_round(&s, 0, s.face[0], true, text, sizeof text);
    assert_string_equal(text, "0 1 2 8 7 13 12 6");
    go_round(&s, 0, s.face[0], false, text, sizeof text);
    assert_string_equal(text, "0 6 12 13 7 8 2 1");
    (void)class_of(&fx, F3, false, &s);
    go_round(&s, 8, s.face[8], true, text, sizeof text);
    assert_string_equal(text, "8 9 15 21 27 26 32 31 30 24 18 19 13 14");
    (void)class_of(&fx, F4, false, &s);
    go_round(&s, 21, s.face[21], true, text, sizeof text);
    assert_string_equal(text, "21 22 23 29 35 34 33 27");
    assert_int_equal(hf_solid_turn(&s, 0, 0, s.face[21], true), HF_COMPASS);
    fixture_close(&fx);
}

/* Table 1: around node 14 of a 5x5 mesh's middle, the two neighbours on the ring, for faulty links named by their ports. */
static void table_1(void **state) {
    (void)state;
    static const struct {
        const char *faults;
        unsigned a, b; /* neighbours, in ascending order of the compass */
    } lines[] = {
        {"s12:0,s12:2", HF_WEST, HF_NORTH}, {"s12:0,s12:3", HF_SOUTH, HF_WEST}, {"s12:1,s12:2", HF_EAST, HF_NORTH},
        {"s12:1,s12:3", HF_EAST, HF_SOUTH}, {"s12:0", HF_SOUTH, HF_NORTH},      {"s12:1", HF_SOUTH, HF_NORTH},
        {"s12:3", HF_EAST, HF_WEST},        {"s12:2", HF_EAST, HF_WEST},        {"s13:3", HF_EAST, HF_NORTH},
        {"s7:0", HF_EAST, HF_NORTH},        {"s13:2", HF_EAST, HF_SOUTH},       {"s17:0", HF_EAST, HF_SOUTH},
        {"s11:3", HF_WEST, HF_NORTH},       {"s7:1", HF_WEST, HF_NORTH},        {"s11:2", HF_SOUTH, HF_WEST},
        {"s17:1", HF_SOUTH, HF_WEST},
    };
    fixture fx;
    fixture_open(&fx, "mesh:dims=5x5", NULL, NULL);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        hf_solid s;
        assert_int_equal(class_of(&fx, lines[i].faults, false, &s), HF_SOLID_COVERED);
        uint32_t region = HF_NONE;
        for (uint32_t f = 0; f < 25 && region == HF_NONE; f++) {
            region = s.face[f];
        }
        const unsigned one = hf_solid_turn(&s, 0, 12, region, true), other = hf_solid_turn(&s, 0, 12, region, false);
        assert_int_equal(one < other ? one : other, lines[i].a);
        assert_int_equal(one < other ? other : one, lines[i].b);
    }
    fixture_close(&fx);
}

/* All sets of a size: how many are valid. */
static uint64_t count_valid(const char *topo, const char *universe, uint32_t f, uint64_t *sets) {
    fixture fx;
    uint32_t component[8];
    uint64_t valid = 0;
    fixture_open(&fx, topo, universe, NULL);
    *sets = 0;
    const uint32_t m = fx.universe->n_component;
    hf_lex_unrank(m, f, 0, component);
    for (bool more = true; more; more = hf_lex_next(m, f, component, NULL)) {
        hf_fault_set set;
        hf_solid s;
        const hf_mark mark = hf_scratch_mark(fx.cx);
        fixture_ok(&fx, hf_fault_set_make(fx.cx, fx.universe, component, f, &set));
        valid += classify(&fx, &set, false, &s) == HF_SOLID_COVERED;
        ++*sets;
        hf_scratch_reset(fx.cx, mark);
    }
    fixture_close(&fx);
    return valid;
}

static void numbers_of_valid_sets(void **state) {
    (void)state;
    static const struct {
        const char *topo, *universe;
        uint32_t f;
        uint64_t valid, sets;
    } rows[] = {
        {"mesh:dims=5x5", "switches", 1, 9, 25},      {"mesh:dims=5x5", "switches", 2, 22, 300},
        {"mesh:dims=5x5", "switches", 3, 48, 2300},   {"mesh:dims=5x5", "switches", 4, 85, 12650},
        {"mesh:dims=5x5", "links", 1, 24, 40},        {"mesh:dims=5x5", "links", 2, 178, 780},
        {"mesh:dims=5x5", "links", 3, 672, 9880},     {"mesh:dims=6x6", "switches", 1, 16, 36},
        {"mesh:dims=6x6", "switches", 2, 80, 630},    {"mesh:dims=6x6", "switches", 3, 236, 7140},
        {"mesh:dims=6x6", "switches", 4, 568, 58905}, {"mesh:dims=6x6", "links", 1, 40, 60},
        {"mesh:dims=6x6", "links", 2, 584, 1770},     {"mesh:dims=6x6", "links", 3, 4404, 34220},
        {"torus:dims=5x5", "switches", 1, 25, 25},    {"torus:dims=5x5", "switches", 2, 150, 300},
        {"torus:dims=5x5", "switches", 3, 650, 2300}, {"torus:dims=5x5", "links", 1, 50, 50},
        {"torus:dims=5x5", "links", 2, 825, 1225},    {"torus:dims=5x5", "links", 3, 6350, 19600},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t sets;
        assert_int_equal(count_valid(rows[i].topo, rows[i].universe, rows[i].f, &sets), rows[i].valid);
        assert_int_equal(sets, rows[i].sets);
    }
}

static void agrees_with_the_oracle(void **state) {
    (void)state;
    static const char *const topos[] = {"mesh:dims=5x5",  "mesh:dims=4x7",  "mesh:dims=8x8",  "mesh:dims=3x3",  "mesh:dims=2x5",
                                        "torus:dims=5x5", "torus:dims=3x3", "torus:dims=4x6", "torus:dims=2x5", "torus:dims=8x4"};
    for (size_t i = 0; i < sizeof topos / sizeof *topos; i++) {
        fixture fx;
        hf_random random;
        fixture_open(&fx, topos[i], "links+switches", NULL);
        hf_random_init(&random, 1, HF_PURPOSE_TEST, i);
        for (int trial = 0; trial < 1500; trial++) {
            uint32_t component[8];
            const uint32_t f = 1 + (uint32_t)hf_random_below(&random, 6);
            hf_fault_set set;
            const hf_mark mark = hf_scratch_mark(fx.cx);
            hf_random_subset(&random, fx.universe->n_component, f, component);
            fixture_ok(&fx, hf_fault_set_make(fx.cx, fx.universe, component, f, &set));
            for (int taken = 0; taken < 4; taken++) {
                if (!agrees_with(&fx, &set, taken & 1, taken & 2)) {
                    print_error("%s, trial %d of stream %zu, seed 1, taken %d\n", topos[i], trial, i, taken);
                    fail();
                }
            }
            hf_scratch_reset(fx.cx, mark);
        }
        fixture_close(&fx);
    }
}

/* A fault inside of a 4x4x4 mesh is in three planes; on a side of the mesh it is on the boundary of some. */
static void three_dimensions(void **state) {
    (void)state;
    uint64_t sets;
    assert_int_equal(count_valid("mesh:dims=4x4x4", "switches", 1, &sets), 8);
    assert_int_equal(count_valid("mesh:dims=4x4x4", "links", 1, &sets), 36); /* 3 dimensions x 3 places x 2 x 2 lines */
}

/* A 2D cross section: dimensions d and e > d vary, the others are those of switch `base`. */
typedef struct plane {
    const hf_grid *grid;
    uint32_t d, e, base;
    fixture *mesh; /* size[e] rows of size[d] */
} plane;

static uint32_t place_in(const plane *p, uint32_t sw) {
    for (uint32_t i = 0; i < p->grid->n; i++) {
        if (i != p->d && i != p->e && hf_grid_digit(p->grid, sw, i) != hf_grid_digit(p->grid, p->base, i)) {
            return HF_NONE;
        }
    }
    return hf_grid_digit(p->grid, sw, p->e) * p->grid->size[p->d] + hf_grid_digit(p->grid, sw, p->d);
}

/* What the faults are in the plane, judged by the oracle of meshes of two dimensions. */
static bool is_plane_valid(const plane *p, const hf_fault_set *faults) {
    const hf_topology *topo = faults->topo, *flat = p->mesh->topo;
    uint32_t channel[512];
    uint64_t switch_set[1] = {0};
    hf_fault_set in_plane = {.topo = flat, .channel = channel, .switch_set = switch_set};
    for (uint32_t i = 0; i < faults->n_channel; i++) {
        const uint32_t from = topo->from[faults->channel[i]], to = topo->to[faults->channel[i]];
        const bool inside = from < topo->n_switch && to < topo->n_switch;
        const uint32_t a = inside ? place_in(p, from) : HF_NONE, b = inside ? place_in(p, to) : HF_NONE;
        for (uint32_t c = 0; c < flat->n_channel && a != HF_NONE && b != HF_NONE; c++) {
            if (flat->from[c] == a && flat->to[c] == b) {
                channel[in_plane.n_channel++] = c;
            }
        }
    }
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        if (hf_bit_test(faults->switch_set, v) && place_in(p, v) != HF_NONE) {
            hf_bit_set(switch_set, place_in(p, v));
        }
    }
    return solid_oracle_is_valid(&in_plane, false, false);
}

static bool are_planes_valid(const hf_grid *grid, fixture *flat, const hf_fault_set *faults) {
    for (uint32_t d = 0; d < grid->n; d++) {
        for (uint32_t e = d + 1; e < grid->n; e++) {
            for (uint32_t base = 0; base < faults->topo->n_switch; base++) {
                const plane p = {grid, d, e, base, &flat[d * grid->n + e]};
                if (hf_grid_digit(grid, base, d) == 0 && hf_grid_digit(grid, base, e) == 0 && !is_plane_valid(&p, faults)) {
                    return false;
                }
            }
        }
    }
    return true;
}

static void open_planes(const hf_grid *grid, fixture *flat) {
    for (uint32_t d = 0; d < grid->n; d++) {
        for (uint32_t e = d + 1; e < grid->n; e++) {
            char spec[40];
            hf_grid two;
            snprintf(spec, sizeof spec, "mesh:dims=%ux%u", grid->size[e], grid->size[d]);
            fixture_open(&flat[d * grid->n + e], spec, NULL, NULL);
            assert_true(hf_grid_of(flat[d * grid->n + e].topo, &two) && two.size[0] == grid->size[d]);
        }
    }
}

static void close_planes(const hf_grid *grid, fixture *flat) {
    for (uint32_t d = 0; d < grid->n; d++) {
        for (uint32_t e = d + 1; e < grid->n; e++) {
            fixture_close(&flat[d * grid->n + e]);
        }
    }
}

/* All sets of one and two faults: valid where all their cross sections are. */
static void planes_agree_with_the_oracle(void **state) {
    (void)state;
    static const struct {
        const char *topo, *universe;
        uint64_t valid; /* sets of one and two */
    } cases[] = {{"mesh:dims=3x3x3", "switches", 1 + 0},
                 {"mesh:dims=4x4x3", "switches", 4 + 6},
                 {"mesh:dims=4x4x3", "links", 20 + 130},
                 {"mesh:dims=3x4x5", "links", 0},
                 {"mesh:dims=3x3x3x3", "switches", 1 + 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture fx, flat[16];
        hf_grid grid;
        hf_solid s;
        uint64_t valid = 0;
        fixture_open(&fx, cases[i].topo, cases[i].universe, NULL);
        assert_true(hf_grid_of(fx.topo, &grid));
        open_planes(&grid, flat);
        for (uint32_t a = 0; a < fx.universe->n_component; a++) {
            for (uint32_t b = a; b < fx.universe->n_component; b++) {
                const uint32_t component[] = {a, b};
                hf_fault_set set;
                const hf_mark mark = hf_scratch_mark(fx.cx);
                fixture_ok(&fx, hf_fault_set_make(fx.cx, fx.universe, component, a == b ? 1 : 2, &set));
                const bool is_valid = classify(&fx, &set, false, &s) == HF_SOLID_COVERED;
                valid += is_valid;
                if (is_valid != are_planes_valid(&grid, flat, &set)) {
                    print_error("%s, %s: components %u and %u\n", cases[i].topo, cases[i].universe, a, b);
                    fail();
                }
                hf_scratch_reset(fx.cx, mark);
            }
        }
        if (cases[i].valid > 0) {
            assert_int_equal(valid, cases[i].valid);
        }
        close_planes(&grid, flat);
        fixture_close(&fx);
    }
}

static void others_are_refused(void **state) {
    (void)state;
    static const char *const topos[] = {"torus:dims=4", "ring:n=5", "hypercube:n=3", "mesh:dims=4", "complete:n=4"};
    for (size_t i = 0; i < sizeof topos / sizeof *topos; i++) {
        fixture fx;
        fixture_open(&fx, topos[i], NULL, NULL);
        assert_int_equal(hf_solid_accepts(fx.cx, fx.topo, "solid-fault"), HF_EINVAL);
        assert_non_null(strstr(hf_context_message(fx.cx), "fault rings"));
        fixture_close(&fx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figure_1),
        cmocka_unit_test(rings_of_figure_1),
        cmocka_unit_test(table_1),
        cmocka_unit_test(numbers_of_valid_sets),
        cmocka_unit_test(agrees_with_the_oracle),
        cmocka_unit_test(three_dimensions),
        cmocka_unit_test(planes_agree_with_the_oracle),
        cmocka_unit_test(others_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
