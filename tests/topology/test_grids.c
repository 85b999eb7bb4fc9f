/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Mesh, torus, ring, hypercube and HyperX: counts worked out by hand, closed forms against the search, and every link read
 *  from the coordinates. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/oracle/wiring.h"

static const counts forms[] = {
    /* spec, switches, terminals, links between switches, degrees, diameter */
    {"mesh:dims=1", 1, 1, 0, 1, 1, 0},
    {"mesh:dims=1,terminals=3", 1, 3, 0, 3, 3, 2},
    {"mesh:dims=5", 5, 5, 4, 2, 3, 6},
    {"mesh:dims=4x4", 16, 16, 24, 3, 5, 8},
    {"mesh:dims=2x3,terminals=2", 6, 12, 7, 4, 5, 5},
    {"mesh:dims=8x8", 64, 64, 112, 3, 5, 16},
    {"mesh:dims=3x4x5", 60, 60, 133, 4, 7, 11},
    {"mesh:dims=1x4x1", 4, 4, 3, 2, 3, 5},
    {"mesh:dims=2x2x2x2", 16, 16, 32, 5, 5, 6},
    {"torus:dims=4x4", 16, 16, 32, 5, 5, 6},
    {"torus:dims=3x5,terminals=2", 15, 30, 30, 6, 6, 5},
    {"torus:dims=2x4", 8, 8, 12, 4, 4, 5},
    {"torus:dims=2x4,double=yes", 8, 8, 16, 5, 5, 5},
    {"torus:dims=1x5", 5, 5, 5, 3, 3, 4},
    {"torus:dims=4x3x2x1", 24, 24, 60, 6, 6, 6},
    {"torus:dims=8x8x8", 512, 512, 1536, 7, 7, 14},
    {"ring:n=1", 1, 1, 0, 1, 1, 0},
    {"ring:n=2", 2, 2, 1, 2, 2, 3},
    {"ring:n=7,terminals=3", 7, 21, 7, 5, 5, 5},
    {"ring:n=8", 8, 8, 8, 3, 3, 6},
    {"hypercube:n=1", 2, 2, 1, 2, 2, 3},
    {"hypercube:n=4,terminals=2", 16, 32, 32, 6, 6, 6},
    {"hypercube:n=10", 1024, 1024, 5120, 11, 11, 12},
    {"hyperx:dims=5", 5, 5, 10, 5, 5, 3},
    {"hyperx:dims=3x4,terminals=2", 12, 24, 30, 7, 7, 4},
    {"hyperx:dims=2x1x3", 6, 6, 9, 4, 4, 4},
    {"hyperx:dims=4x4x4,terminals=4", 64, 256, 288, 13, 13, 5},
};

static void closed_forms(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        counts_check(&forms[i]);
    }
}

/* ---- wiring ---- */

static uint32_t size_of(const hf_topology *topo, uint32_t d) {
    const hf_value *dims = hf_args_get(&topo->args, "dims");
    return (uint32_t)dims->dims[dims->number - 1 - d];
}

/* The number of a switch from its coordinates, with that of dimension d replaced. */
static uint32_t with_digit(const hf_topology *topo, uint32_t sw, uint32_t d, uint32_t digit) {
    uint32_t number = 0;
    for (uint32_t i = 0; i < topo->n_coord; i++) {
        const uint32_t e = topo->n_coord - 1 - i;
        number = number * size_of(topo, e) + (e == d ? digit : topo->coord[sw * topo->n_coord + i]);
    }
    return number;
}

static uint32_t digit_of(const hf_topology *topo, uint32_t sw, uint32_t d) {
    return topo->coord[sw * topo->n_coord + topo->n_coord - 1 - d];
}

static wire terminal_wire(const hf_topology *topo, uint32_t sw, uint32_t i) {
    const uint32_t each = topo->n_terminal / topo->n_switch;
    return i < each ? (wire){topo->n_switch + sw * each + i, 0} : NO_WIRE;
}

static wire mesh_wire(const hf_topology *topo, uint32_t sw, uint32_t port) {
    const uint32_t d = port / 2;
    if (d >= topo->n_coord) {
        return terminal_wire(topo, sw, port - 2 * topo->n_coord);
    }
    const uint32_t at = digit_of(topo, sw, d);
    if (port % 2 == 0) {
        return at + 1 < size_of(topo, d) ? (wire){with_digit(topo, sw, d, at + 1), port + 1} : NO_WIRE;
    }
    return at > 0 ? (wire){with_digit(topo, sw, d, at - 1), port - 1} : NO_WIRE;
}

static void wired(const char *spec, wire (*want)(const hf_topology *topo, uint32_t sw, uint32_t port)) {
    fixture fx;
    fixture_open(&fx, spec, NULL, NULL);
    wiring_check(fx.topo, want);
    for (uint32_t sw = 0; sw < fx.topo->n_switch; sw++) {
        assert_int_equal(with_digit(fx.topo, sw, HF_NONE, 0), sw);
    }
    fixture_close(&fx);
}

static void meshes(void **state) {
    (void)state;
    wired("mesh:dims=4x5", mesh_wire);
    wired("mesh:dims=3x2x4,terminals=2", mesh_wire);
    wired("mesh:dims=1x3x1", mesh_wire);
}

static wire torus_wire(const hf_topology *topo, uint32_t sw, uint32_t port) {
    const uint32_t d = port / 2;
    if (d >= topo->n_coord) {
        return terminal_wire(topo, sw, port - 2 * topo->n_coord);
    }
    const uint32_t k = size_of(topo, d), at = digit_of(topo, sw, d);
    if (k == 1) {
        return NO_WIRE;
    }
    if (k == 2 && !hf_args_get(&topo->args, "double")->number) {
        return mesh_wire(topo, sw, port);
    }
    return (wire){with_digit(topo, sw, d, (at + (port % 2 ? k - 1 : 1)) % k), port ^ 1};
}

static void tori(void **state) {
    (void)state;
    wired("torus:dims=4x5", torus_wire);
    wired("torus:dims=3x2x1x4,terminals=2", torus_wire);
    wired("torus:dims=2x3x2,double=yes", torus_wire);
}

/* Coordinates are found without divisions. */
static void coordinates(void **state) {
    (void)state;
    static const char *const spec[] = {"mesh:dims=3x7x5x2x11", "mesh:dims=97x41x31", "torus:dims=499x211", "mesh:dims=1x65537"};
    for (size_t i = 0; i < sizeof spec / sizeof *spec; i++) {
        fixture fx;
        fixture_open(&fx, spec[i], NULL, NULL);
        for (uint32_t sw = 0; sw < fx.topo->n_switch; sw++) {
            assert_int_equal(with_digit(fx.topo, sw, HF_NONE, 0), sw);
            for (uint32_t d = 0; d < fx.topo->n_coord; d++) {
                assert_in_range(digit_of(fx.topo, sw, d), 0, size_of(fx.topo, d) - 1);
            }
        }
        fixture_close(&fx);
    }
}

static wire ring_wire(const hf_topology *topo, uint32_t sw, uint32_t port) {
    const uint32_t n = topo->n_switch;
    if (port > 1) {
        return terminal_wire(topo, sw, port - 2);
    }
    if (n <= 2) {
        return n == 2 && sw == port ? (wire){1 - sw, 1 - port} : NO_WIRE;
    }
    return (wire){(sw + (port ? n - 1 : 1)) % n, 1 - port};
}

static wire cube_wire(const hf_topology *topo, uint32_t sw, uint32_t port) {
    return port < topo->n_coord ? (wire){sw ^ 1u << port, port} : terminal_wire(topo, sw, port - topo->n_coord);
}

static wire hyperx_wire(const hf_topology *topo, uint32_t sw, uint32_t port) {
    uint32_t first = 0;
    for (uint32_t d = 0; d < topo->n_coord; d++) {
        const uint32_t k = size_of(topo, d), at = digit_of(topo, sw, d), i = port - first;
        if (i < k - 1) {
            const uint32_t to = i < at ? i : i + 1;
            return (wire){with_digit(topo, sw, d, to), first + (at < to ? at : at - 1)};
        }
        first += k - 1;
    }
    return terminal_wire(topo, sw, port - first);
}

static void other_grids(void **state) {
    (void)state;
    static const struct {
        const char *spec;
        wire (*want)(const hf_topology *topo, uint32_t sw, uint32_t port);
    } list[] = {{"ring:n=1", ring_wire},
                {"ring:n=2,terminals=2", ring_wire},
                {"ring:n=7", ring_wire},
                {"hypercube:n=1", cube_wire},
                {"hypercube:n=5,terminals=3", cube_wire}};
    wired("hyperx:dims=3x4,terminals=2", hyperx_wire);
    wired("hyperx:dims=2x1x5", hyperx_wire);
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        fixture fx;
        fixture_open(&fx, list[i].spec, NULL, NULL);
        wiring_check(fx.topo, list[i].want);
        fixture_close(&fx);
    }
}

/** The links of dimension d follow each other, by the switch that they leave in + direction. */
static void order_of_links(void **state) {
    (void)state;
    fixture fx;
    fixture_open(&fx, "mesh:dims=2x3x4", NULL, NULL);
    const hf_topology *topo = fx.topo;
    const uint32_t *dimension = hf_topology_attribute(topo, "dimension")->of_link;
    for (uint32_t l = 0; l < topo->n_link; l++) {
        if (l >= topo->n_switch_link) {
            assert_int_equal(dimension[l], HF_NONE);
            continue;
        }
        assert_int_equal(topo->from_port[l], 2 * dimension[l]);
        if (l > 0) {
            assert_true(dimension[l - 1] < dimension[l] ||
                        (dimension[l - 1] == dimension[l] && topo->from[l - 1] < topo->from[l]));
        }
    }
    assert_string_equal(topo->coord_name[0], "z");
    assert_string_equal(topo->coord_name[2], "x");
    assert_memory_equal(topo->coord + 23 * 3, ((uint32_t[]){1, 2, 3}), 12);
    fixture_close(&fx);
}

static void refused(void **state) {
    (void)state;
    static const refusal bad[] = {
        {"mesh", HF_EINVAL, "parameter dims is missing"},
        {"mesh:dims=0x4", HF_ERANGE, "out of range"},
        {"mesh:dims=4x", HF_EINVAL, "8x8"},
        {"mesh:dims=4x4,terminals=0", HF_ERANGE, "1 <= terminals"},
        {"mesh:dims=10000x10000", HF_ERANGE, "GiB of memory; the limit is 4 GiB"},
        {"hypercube:n=24", HF_ERANGE, "GiB of memory; the limit is 4 GiB"},
        {"hypercube:n=0", HF_ERANGE, "1 <= n <= 24"},
        {"ring:n=0", HF_ERANGE, "n=0"},
        {"torus:dims=4x4,double=maybe", HF_EINVAL, "no, yes"},
        {"hyperx:dims=16777216x16777216", HF_ERANGE, "GiB"},
        {"mesh:dims=16777216x16777216x16777216x16777216", HF_ERANGE, "with 2^64 nodes or links at least"},
    };
    refusals_check(bad, sizeof bad / sizeof *bad);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_forms),   cmocka_unit_test(meshes),  cmocka_unit_test(tori),        cmocka_unit_test(other_grids),
        cmocka_unit_test(order_of_links), cmocka_unit_test(refused), cmocka_unit_test(coordinates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
