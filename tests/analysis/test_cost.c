/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Cost beside that of a fat-tree: table 5.3 of gomez2010 in all entries; parameters from a file; memory of switches. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/analysis/cost.h>

#include "tests/oracle/fixture.h"

static hf_cost cost_of(fixture *fx, const hf_cost_table *table, hf_cost_column column) {
    hf_topology *reference = NULL;
    hf_cost cost;
    fixture_ok(fx, hf_cost_reference(fx->cx, fx->topo, &reference));
    fixture_ok(fx, hf_cost_find(fx->cx, table, column, fx->topo, reference, &cost));
    hf_topology_free(reference);
    return cost;
}

static double relative(uint32_t k, uint32_t n, hf_cost_column column) {
    hf_cost_table table;
    fixture fx;
    char spec[64];
    hf_cost_defaults(&table);
    snprintf(spec, sizeof spec, "kary-tree:k=%u,n=%u", k, n);
    fixture_open(&fx, spec, NULL, NULL);
    const hf_fraction base = cost_of(&fx, &table, HF_COST_DETERMINISTIC).total;
    fixture_close(&fx);
    snprintf(spec, sizeof spec, "%s:k=%u,n=%u", column >= HF_COST_RUFT_IDEAL ? "ruft" : "kary-tree", k, n);
    fixture_open(&fx, spec, NULL, NULL);
    hf_fraction ratio;
    fixture_ok(&fx, hf_fraction_ratio(fx.cx, cost_of(&fx, &table, column).total, base, &ratio));
    fixture_close(&fx);
    return (double)ratio.p / (double)ratio.q;
}

static void table_5_3(void **state) {
    (void)state;
    static const struct {
        uint32_t k, n;
        const char *printed[HF_COST_RUFT_PLACED];
    } row[] = {{4, 2, {"1.04", "1.00", "0.53", "0.56"}},
               {4, 4, {"1.04", "1.00", "0.53", "0.55"}},
               {8, 2, {"1.02", "1.00", "0.52", "0.53"}},
               {8, 3, {"1.02", "1.00", "0.51", "0.53"}},
               {2, 7, {"1.06", "1.00", "0.54", "0.59"}}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        for (unsigned c = 0; c < HF_COST_RUFT_PLACED; c++) {
            char text[32];
            snprintf(text, sizeof text, "%.2f", relative(row[i].k, row[i].n, (hf_cost_column)c));
            assert_string_equal(text, row[i].printed[c]);
        }
    }
}

/* 3 n_p + 3 = 27, 3 n_p + 2 = 26, 1.5 n_p + 1.6 = 13.6; links 2, 2, 1 + d and 1.75 + d with d = 1/4. */
static void parts_of_cost(void **state) {
    (void)state;
    hf_cost_table table;
    fixture fx;
    char text[80];
    hf_cost_defaults(&table);
    fixture_open(&fx, "ruft:k=4,n=2", NULL, NULL);
    hf_fraction_print(cost_of(&fx, &table, HF_COST_RUFT_IDEAL).switches, text);
    assert_string_equal(text, "68/5");
    hf_fraction_print(cost_of(&fx, &table, HF_COST_RUFT_IDEAL).links, text);
    assert_string_equal(text, "5/4");
    hf_fraction_print(cost_of(&fx, &table, HF_COST_RUFT_WORST).links, text);
    assert_string_equal(text, "2/1");
    fixture_close(&fx);
}

static void parse_fails(const char *data, const char *words) {
    hf_context *cx = hf_context_new(NULL);
    hf_cost_table table;
    hf_cost_defaults(&table);
    assert_int_equal(hf_cost_parse(cx, "file", data, strlen(data), &table), HF_EINVAL);
    if (!strstr(hf_context_message(cx), words)) {
        fail_msg("\"%s\" does not contain \"%s\"", hf_context_message(cx), words);
    }
    hf_context_free(cx);
}

static void parameters_from_files(void **state) {
    (void)state;
    static const char good[] = "# all\n* c_b 2.5\nruft-worst l_l 1 # shorter\n\nadaptive n_p 0.5\n";
    hf_context *cx = hf_context_new(NULL);
    hf_cost_table table;
    hf_cost_defaults(&table);
    assert_int_equal(hf_cost_parse(cx, "file", good, sizeof good - 1, &table), HF_OK);
    assert_int_equal(table.value[HF_COST_RUFT_IDEAL][HF_COST_C_B], 2500000);
    assert_int_equal(table.value[HF_COST_RUFT_WORST][HF_COST_L_L], 1000000);
    assert_int_equal(table.value[HF_COST_ADAPTIVE][HF_COST_N_P], 500000);
    hf_context_free(cx);
    parse_fails("* c_b 1\nadaptiv c_b 1\n", "file, line 2: no column is called \"adaptiv\"; did you mean \"adaptive\"?");
    parse_fails("* c_x 1\n", "no parameter is called \"c_x\"");
    parse_fails("* c_b\n", "file, line 1: \"\" is not right");
    parse_fails("* c_b 1.1234567\n", "is not right");
    parse_fails("* c_b 1e3\n", "is not right");
    parse_fails("* c_b 1 2\n", "\"2\" is too much");
}

/* 1024 terminals, 2k = 64 ports; FIR beats a table of a network from 394 terminals on, as whole bits or not. */
static void memory(void **state) {
    (void)state;
    assert_true(hf_memory_bits(HF_MEMORY_TABLE, 1024, 32, 0, false) == 1024.0 * 16);
    assert_true(hf_memory_bits(HF_MEMORY_ADAPTIVE_TABLE, 1024, 32, 0, false) == 1024.0 * (10 + 32 * 6));
    assert_true(hf_memory_bits(HF_MEMORY_FT2EI, 1024, 32, 2, false) == 64.0 * 4 * 10);
    assert_true(hf_memory_bits(HF_MEMORY_FIR, 1024, 32, 0, false) == 64.0 * (30 + 64));
    assert_true(hf_memory_bits(HF_MEMORY_FIR, 1000, 32, 0, true) == 64.0 * (30 + 64));
    assert_true(hf_memory_bits(HF_MEMORY_FIR, 393, 32, 0, false) > hf_memory_bits(HF_MEMORY_TABLE, 393, 32, 0, false));
    assert_true(hf_memory_bits(HF_MEMORY_FIR, 394, 32, 0, false) < hf_memory_bits(HF_MEMORY_TABLE, 394, 32, 0, false));
}

static void other_families(void **state) {
    (void)state;
    fixture fx;
    hf_topology *reference = NULL;
    fixture_open(&fx, "torus:dims=4x4", NULL, NULL);
    assert_int_equal(hf_cost_reference(fx.cx, fx.topo, &reference), HF_ENOTSUP);
    fixture_close(&fx);
}

static hf_fraction links_of(hf_context *cx, hf_cost_column column, const char *spec, const char *reference) {
    hf_cost_table table;
    hf_topology *topo = NULL, *tree = NULL;
    hf_cost cost;
    hf_cost_defaults(&table);
    assert_int_equal(hf_topology_outline(cx, spec, &topo), HF_OK);
    assert_int_equal(hf_topology_outline(cx, reference, &tree), HF_OK);
    table.placed = (hf_fraction){2, 3};
    assert_int_equal(hf_cost_find(cx, &table, column, topo, tree, &cost), HF_OK);
    hf_topology_free(topo);
    hf_topology_free(tree);
    return cost.links;
}

/* Links of a RUFT over those of the tree of its k and n are the same whatever both are compared with. */
static void other_references(void **state) {
    (void)state;
    static const struct {
        const char *ruft, *tree;
    } own[] = {
        {"ruft:k=2,n=2", "kary-tree:k=2,n=2"}, {"ruft:k=4,n=3", "kary-tree:k=4,n=3"}, {"ruft:k=3,n=1", "kary-tree:k=3,n=1"}};
    static const char *const reference[] = {"kary-tree:k=4,n=3", "kary-tree:k=2,n=5", "torus:dims=4x4"};
    hf_context *cx = hf_context_new(NULL);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        for (size_t r = 0; r < sizeof reference / sizeof *reference; r++) {
            const hf_fraction tree = links_of(cx, HF_COST_DETERMINISTIC, own[i].tree, reference[r]);
            for (unsigned c = HF_COST_RUFT_IDEAL; c < HF_COST_COLUMNS; c++) {
                const hf_fraction at_home = links_of(cx, (hf_cost_column)c, own[i].ruft, own[i].tree),
                                  here = links_of(cx, (hf_cost_column)c, own[i].ruft, reference[r]);
                hf_fraction ratio;
                assert_int_equal(hf_fraction_ratio(cx, here, tree, &ratio), HF_OK);
                assert_true(ratio.p * at_home.q * 2 == at_home.p * ratio.q);
            }
        }
    }
    hf_context_free(cx);
}

static void no_reference(void **state) {
    (void)state;
    hf_context *cx = hf_context_new(NULL);
    hf_cost_table table;
    hf_topology *topo = NULL;
    hf_cost cost;
    hf_cost_defaults(&table);
    assert_int_equal(hf_topology_outline(cx, "ruft:k=2,n=2", &topo), HF_OK);
    assert_int_equal(hf_cost_find(cx, &table, HF_COST_RUFT_WORST, topo, topo, &cost), HF_EINVAL);
    assert_non_null(strstr(hf_context_message(cx), "reference \"ruft:k=2,n=2\" has cables of a RUFT"));
    hf_topology_free(topo);
    hf_context_free(cx);
}

/* Numbers that 128 bits hold in the least terms alone, and some that they do not. */
static void large_numbers(void **state) {
    (void)state;
    static const char parameters[] = "* l_l 999999.999999\n* c_ml 999983.999979\n* c_cn 999961.999877\n";
    hf_context *cx = hf_context_new(NULL);
    hf_cost_table table;
    hf_topology *topo = NULL, *tree = NULL;
    hf_cost cost;
    hf_fraction ratio;
    hf_cost_defaults(&table);
    assert_int_equal(hf_cost_parse(cx, "", parameters, sizeof parameters - 1, &table), HF_OK);
    assert_int_equal(hf_topology_outline(cx, "ruft:k=2,n=22", &topo), HF_OK);
    assert_int_equal(hf_topology_outline(cx, "kary-tree:k=5,n=9", &tree), HF_OK);
    assert_int_equal(hf_cost_find(cx, &table, HF_COST_RUFT_WORST, topo, tree, &cost), HF_OK);
    assert_true(fabs((double)cost.links.p / (double)cost.links.q / 5249323226204.447 - 1) < 1e-14);
    table.value[HF_COST_RUFT_PLACED][HF_COST_L_L] = HF_COST_COUNTED;
    table.placed = (hf_fraction){((hf_u128)1 << 120) + 1, 3};
    assert_int_equal(hf_cost_find(cx, &table, HF_COST_RUFT_PLACED, topo, tree, &cost), HF_ERANGE);
    assert_non_null(strstr(hf_context_message(cx), "\"ruft:k=2,n=22\" beside \"kary-tree:k=5,n=9\" needs more than 128 bits"));
    hf_context_clear(cx);
    assert_int_equal(hf_fraction_ratio(cx, table.placed, (hf_fraction){7, ((hf_u128)1 << 120) - 1}, &ratio), HF_ERANGE);
    hf_topology_free(topo);
    hf_topology_free(tree);
    hf_context_free(cx);
}

/* A rule is adaptive where a packet has a choice of channels on this network with these arguments, whatever it may do on
 * others. */
static void columns(void **state) {
    (void)state;
    static const struct {
        const char *topo, *rule;
        bool is_adaptive;
    } cases[] = {
        {"mesh:dims=3x3", "dor", false},
        {"mesh:dims=3x3", "dor:order=yx,vcs=4", false}, /* lanes of one channel */
        {"torus:dims=4x4", "dor:vcs=2,dateline=yes", false},
        {"torus:dims=3x3", "adaptive-bubble", true},
        {"mesh:dims=3x3", "o1turn", false}, /* chosen once, by the virtual channel */
        {"mesh:dims=3x3", "west-first", true},
        {"mesh:dims=5", "west-first", false},
        {"mesh:dims=3x3", "minimal", true},
        {"ring:n=5", "minimal", false},
        {"ring:n=4", "minimal", true}, /* half-way round */
        {"mesh:dims=4", "updown-graph", false},
        {"kary-tree:k=2,n=2", "updown", true},
        {"kary-tree:k=2,n=1", "updown", false},
        {"kary-tree:k=2,n=2", "destro", false},
        {"mesh:dims=3x3", "lua:studies/examples/xy.lua", false},
        {"mesh:dims=3x3", "lua:studies/examples/deadlock.lua", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture fx;
        hf_cost_column column;
        fixture_open(&fx, cases[i].topo, NULL, cases[i].rule);
        fixture_ok(&fx, hf_cost_column_of(fx.cx, fx.topo, &fx.rule, false, &column));
        if (column != (cases[i].is_adaptive ? HF_COST_ADAPTIVE : HF_COST_DETERMINISTIC)) {
            fail_msg("%s on %s: %s", cases[i].rule, cases[i].topo, hf_cost_column_name(column));
        }
        fixture_close(&fx);
    }
}

/* Length of all channels of a network whose racks have places, by its links. */
static uint64_t length_of(const char *family, uint32_t k, uint32_t n, uint32_t side) {
    fixture fx;
    char spec[64];
    uint64_t sum = 0;
    snprintf(spec, sizeof spec, "%s:k=%u,n=%u", family, k, n);
    fixture_open(&fx, spec, NULL, NULL);
    const hf_topology *t = fx.topo;
    for (uint32_t c = 0; c < t->n_channel; c++) {
        int rack[2];
        const uint32_t end[] = {t->from[c], t->to[c]}, width = t->n_switch / n;
        for (int i = 0; i < 2; i++) {
            rack[i] = (int)(end[i] < t->n_switch ? end[i] % width : (end[i] - t->n_switch) / k);
        }
        const int s = (int)side, x = rack[0] % s - rack[1] % s, y = rack[0] / s - rack[1] / s;
        sum += (uint64_t)(1 + (x < 0 ? -x : x) + (y < 0 ? -y : y));
    }
    fixture_close(&fx);
    return sum;
}

/* Cables by place, against the sum over the links of both networks; a row is no shorter than a square. */
static void cables_by_place(void **state) {
    (void)state;
    static const uint32_t shape[][2] = {{2, 1}, {2, 3}, {3, 3}, {4, 2}, {2, 7}, {8, 3}};
    hf_context *cx = hf_context_new(NULL);
    for (size_t i = 0; i < sizeof shape / sizeof *shape; i++) {
        const uint32_t k = shape[i][0], n = shape[i][1];
        uint32_t width = 1, square = 1;
        for (uint32_t s = 1; s < n; s++) {
            width *= k;
        }
        while (square * square < width) {
            square++;
        }
        for (int floor = 0; floor < 2; floor++) {
            const uint32_t side = floor ? square : width;
            const uint64_t ruft = length_of("ruft", k, n, side), tree = length_of("kary-tree", k, n, side);
            hf_fraction ratio;
            assert_int_equal(hf_cost_place(cx, k, n, floor ? HF_COST_SQUARE : HF_COST_ROW, &ratio), HF_OK);
            assert_true(ratio.p * tree == ratio.q * ruft);
        }
    }
    hf_fraction ratio;
    assert_int_equal(hf_cost_place(cx, 2, 31, HF_COST_ROW, &ratio), HF_ERANGE);
    hf_context_free(cx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_5_3),       cmocka_unit_test(parts_of_cost),    cmocka_unit_test(parameters_from_files),
        cmocka_unit_test(memory),          cmocka_unit_test(other_references), cmocka_unit_test(no_reference),
        cmocka_unit_test(large_numbers),   cmocka_unit_test(other_families),   cmocka_unit_test(columns),
        cmocka_unit_test(cables_by_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
