/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Rings that users declare, in a file beside a table or paths, and by a function in Lua: as those of a rule that is built in,
 *  under bubbles on any channels; and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/analysis/deadlock.h>
#include <holdfast/core/bitset.h>
#include <holdfast/core/text.h>

#include "tests/oracle/fixture.h"
#include "tests/support/folder.h"

typedef struct files {
    char folder[256], rings[300], ways[300], lua[300], spec[1024];
} files;

/* Dimension order with ties to the plus side, and its rings: as coordinates say, one for each line and direction. */
static const char rule_in_lua[] =
    "local function ahead(net, at, i, by)\n"
    "  local c, n = net:coord(at), net:size(i)\n"
    "  c[i] = (c[i] + by) % n\n"
    "  return net:switch_at(table.unpack(c))\n"
    "end\n"
    "function route(net, at, in_channel, in_vc, destination)\n"
    "  local goal = net:switch_of(destination)\n"
    "  for i = net.n_coord, 1, -1 do\n"
    "    local n = net:size(i)\n"
    "    local far = (net:coord(goal, i) - net:coord(at, i)) % n\n"
    "    if far > 0 then\n"
    "      return { net:channel_to(at, ahead(net, at, i, 2 * far <= n and 1 or n - 1)) }\n"
    "    end\n"
    "  end\n"
    "end\n"
    "function ring(net, channel, vc)\n"
    "  local from, to = net:from(channel), net:to(channel)\n"
    "  local a, b = net:coord(from), net:coord(to)\n"
    "  for i = 1, net.n_coord do\n"
    "    if a[i] ~= b[i] then\n"
    "      a[i] = 0\n"
    "      local forward = ahead(net, from, i, 1) == to\n"
    "      return (net:switch_at(table.unpack(a)) * net.n_coord + i - 1) * 2 + (forward and 0 or 1)\n"
    "    end\n"
    "  end\n"
    "end\n";

static void put_name(const hf_topology *topo, uint32_t node, hf_text *out) {
    hf_text_print(out, node < topo->n_switch ? "s%u" : "t%u", node < topo->n_switch ? node : node - topo->n_switch);
}

/* A line of switches for each ring, from its lowest resource on. */
static void print_rings(fixture *fx, const hf_plan *plan, hf_text *out) {
    const hf_topology *topo = fx->topo;
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        const uint32_t ring = plan->routing->ring(plan, c, 0);
        bool is_first = ring != HF_NONE;
        for (uint32_t b = 0; b < c; b++) {
            is_first &= plan->routing->ring(plan, b, 0) != ring;
        }
        for (uint32_t at = c, n = 0; is_first && (n == 0 || at != c); n++) {
            put_name(topo, topo->from[at], out);
            hf_text_print(out, ":%u ", topo->from_port[at]);
            for (uint32_t next = 0; next < topo->n_channel; next++) {
                if (topo->from[next] == topo->to[at] && plan->routing->ring(plan, next, 0) == ring) {
                    at = next;
                    break;
                }
            }
        }
        hf_text_print(out, "%s", is_first ? "\n" : "");
    }
}

/* A line for each pair, along the one way that the rule has. */
static void print_ways(fixture *fx, const hf_plan *plan, hf_text *out) {
    const hf_topology *topo = fx->topo;
    for (uint32_t pair = 0; pair < topo->n_terminal * topo->n_terminal; pair++) {
        const uint32_t source = pair / topo->n_terminal, goal = pair % topo->n_terminal;
        hf_hop in = HF_HOP_INJECTION, hops[16];
        for (uint32_t at = topo->n_switch + source; source != goal; at = topo->to[in.channel]) {
            size_t n = 0;
            put_name(topo, at, out);
            if (at == topo->n_switch + goal) {
                hf_text_print(out, "\n");
                break;
            }
            fixture_ok(fx, hf_plan_read(fx->cx, plan, at, in, goal, hops, &n));
            assert_int_equal(n, 1);
            in = hops[0];
            hf_text_print(out, ":%u ", topo->from_port[in.channel]);
        }
    }
}

static void write_files(fixture *fx, files *f) {
    hf_fault_set none;
    hf_plan plan;
    hf_text rings, ways;
    folder_open(f->folder, sizeof f->folder);
    fixture_plan(fx, "", &none, &plan);
    hf_text_init(fx->cx, &rings);
    hf_text_init(fx->cx, &ways);
    print_rings(fx, &plan, &rings);
    print_ways(fx, &plan, &ways);
    folder_write(folder_file(f->folder, "rings.txt", f->rings, sizeof f->rings), rings.data, rings.size);
    folder_write(folder_file(f->folder, "ways.txt", f->ways, sizeof f->ways), ways.data, ways.size);
    folder_write(folder_file(f->folder, "rule.lua", f->lua, sizeof f->lua), rule_in_lua, strlen(rule_in_lua));
    hf_text_free(&rings);
    hf_text_free(&ways);
}

static void decide(fixture *fx, bool bubble, const uint64_t *plain, hf_deadlock *out) {
    const hf_deadlock_options options = {.switching = HF_SWITCHING_VCT, .bubble = bubble, .plain = plain, .threads = 1};
    hf_fault_set none;
    hf_plan plan;
    fixture_plan(fx, "", &none, &plan);
    fixture_ok(fx, hf_deadlock_decide(fx->cx, &plan, &options, out));
}

static void same_answers(const char *topo, const char *spec, uint32_t *deadlocks, uint32_t *freed) {
    fixture builtin, own;
    fixture_open(&builtin, topo, NULL, "dor:ties=plus");
    fixture_open(&own, topo, NULL, spec);
    for (uint32_t trial = 0; trial < 40; trial++) {
        uint64_t plain[8] = {0};
        hf_random random;
        hf_deadlock a, b;
        hf_random_init(&random, trial, HF_PURPOSE_TEST, 5);
        assert_true(builtin.topo->n_channel <= 64 * 8);
        for (uint32_t c = 0; c < builtin.topo->n_channel && trial > 1; c++) {
            if (hf_random_below(&random, 40) < trial) {
                hf_bit_set(plain, c);
            }
        }
        decide(&builtin, trial > 0, trial > 1 ? plain : NULL, &a);
        decide(&own, trial > 0, trial > 1 ? plain : NULL, &b);
        if (a.answer != b.answer || a.method != b.method || a.n_dependency != b.n_dependency) {
            print_error("%s, %s, seed %u\n", topo, spec, trial);
        }
        assert_int_equal(a.answer, b.answer);
        assert_int_equal(a.method, b.method);
        assert_int_equal(a.n_dependency, b.n_dependency);
        *deadlocks += a.answer == HF_DEADLOCK_FOUND;
        *freed += a.answer == HF_DEADLOCK_FREE;
    }
    fixture_close(&own);
    fixture_close(&builtin);
}

static void as_built_in(void **state) {
    (void)state;
    static const char *const networks[] = {"ring:n=5", "torus:dims=4x3", "torus:dims=3x3x3"};
    uint32_t deadlocks = 0, freed = 0;
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        fixture fx;
        files f;
        fixture_open(&fx, networks[i], NULL, "dor:ties=plus");
        write_files(&fx, &f);
        fixture_close(&fx);
        (void)snprintf(f.spec, sizeof f.spec, "paths:%s,rings=%s", f.ways, f.rings);
        same_answers(networks[i], f.spec, &deadlocks, &freed);
        (void)snprintf(f.spec, sizeof f.spec, "lua:%s", f.lua);
        same_answers(networks[i], f.spec, &deadlocks, &freed);
        folder_close(f.folder);
    }
    assert_true(deadlocks > 40 && freed > 10);
}

/* A table for one way round a ring of three, with its ring or without. */
static const char table_round[] = "switch,in-port,in-vc,destination,out-port,out-vc\n"
                                  "s0,*,*,t1,0,0\ns0,*,*,t2,0,0\ns1,*,*,t2,0,0\ns1,*,*,t0,0,0\ns2,*,*,t0,0,0\ns2,*,*,t1,0,0\n";

static void of_a_table(void **state) {
    (void)state;
    char folder[256], table[300], rings[300], spec[700];
    hf_deadlock d;
    fixture fx;
    folder_open(folder, sizeof folder);
    folder_write(folder_file(folder, "table.csv", table, sizeof table), table_round, strlen(table_round));
    folder_write(folder_file(folder, "rings.txt", rings, sizeof rings), "# one\ns0,s1,s2\n", 15);
    (void)snprintf(spec, sizeof spec, "table:%s,rings=%s", table, rings);
    fixture_open(&fx, "ring:n=3", NULL, spec);
    decide(&fx, false, NULL, &d);
    assert_int_equal(d.answer, HF_DEADLOCK_FOUND);
    decide(&fx, true, NULL, &d);
    assert_int_equal(d.answer, HF_DEADLOCK_FREE);
    assert_int_equal(d.method, HF_METHOD_BUBBLE);
    assert_non_null(strstr(fx.rule.spec, "rings.txt#")); /* known by its content */
    fixture_close(&fx);
    folder_close(folder);
}

static void refused(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } row[] = {{"s0 s1 s2\ns0 s1 s2\n", "line 2: virtual channel 0 of s0:0>s1:1 is on a ring already"},
               {"s0 s1\ns0 s2 s1\n", "line 2: virtual channel 0 of s1:1>s0:0 is on a ring already"},
               {"s0 s1 s2@1\n", "line 1: virtual channel 1 is out of range; the routing has 1"},
               {"s0\n", "line 1: a ring of 1 node; need its switches in order"},
               {"s0 s1 t1\n", "terminal t1 is on no ring; need switches alone"},
               {"s0 s1 s0 s2\n", "ring 0 is not one cycle at "},
               {"# none\n", "no ring in it; write lines of switches, as s0 s1 s2"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char folder[256], table[300], rings[300], spec[700];
        folder_open(folder, sizeof folder);
        folder_write(folder_file(folder, "table.csv", table, sizeof table), table_round, strlen(table_round));
        folder_write(folder_file(folder, "rings.txt", rings, sizeof rings), row[i].text, strlen(row[i].text));
        (void)snprintf(spec, sizeof spec, "table:%s,rings=%s", table, rings);
        fixture_refuses("ring:n=3", spec, row[i].message);
        folder_close(folder);
    }
}

static void refused_in_lua(void **state) {
    (void)state;
    static const char *const row[][2] = {
        {"function ring() return 1 end", "ring 1 is not one cycle at "},
        {"function ring(net, channel) return channel end", "is not one cycle at s0:0>s1:1, virtual channel 0"},
        {"function ring() return 1.5 end", "ring returned 1.5; need a whole number or nil"},
        {"function ring() return 99 end", "ring(channel = 0, vc = 0) is 99; need a number below 12 or nil"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char folder[256], path[300], spec[400], text[300];
        folder_open(folder, sizeof folder);
        (void)snprintf(text, sizeof text, "function route() return {} end\n%s\n", row[i][0]);
        folder_write(folder_file(folder, "rule.lua", path, sizeof path), text, strlen(text));
        (void)snprintf(spec, sizeof spec, "lua:%s", path);
        fixture_refuses("ring:n=3", spec, row[i][1]);
        folder_close(folder);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_built_in), cmocka_unit_test(of_a_table), cmocka_unit_test(refused),
                                       cmocka_unit_test(refused_in_lua)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
