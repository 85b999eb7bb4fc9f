/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Topology files of HPCC and SimAI: fixtures link by link, random files against the list that they were written from,
 *  refusals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/topology/multistage/draft.h"
#include "tests/oracle/fixture.h"
#include "tests/support/failing.h"
#include "tests/support/folder.h"

enum { NODES = 24, LINKS = 60 };

static void expect_link(const hf_topology *topo, uint32_t l, const char *a, const char *b, uint32_t rate, uint32_t delay) {
    assert_string_equal(topo->label[topo->from[l]], a);
    assert_string_equal(topo->label[topo->to[l]], b);
    assert_int_equal(hf_topology_attribute(topo, "rate")->of_link[l], rate);
    assert_int_equal(hf_topology_attribute(topo, "delay")->of_link[l], delay);
}

static void leaf_and_spine(void **state) {
    (void)state;
    fixture fx;
    fixture_open(&fx, "file:tests/fixtures/networks/hpcc-leaf-spine.txt", NULL, NULL);
    assert_int_equal(fx.topo->n_switch, 4);
    assert_int_equal(fx.topo->n_terminal, 4);
    assert_int_equal(fx.topo->n_switch_link, 4);
    expect_link(fx.topo, 0, "4", "6", 100000, 2000);
    expect_link(fx.topo, 3, "5", "7", 100000, 2000);
    expect_link(fx.topo, 4, "0", "4", 25000, 1000);
    expect_link(fx.topo, 7, "3", "5", 25000, 1000);
    fixture_close(&fx);
}

/* A host with two links is two terminals. */
static void servers(void **state) {
    (void)state;
    fixture fx;
    fixture_open(&fx, "file:tests/fixtures/networks/simai-two-servers.txt", NULL, NULL);
    assert_int_equal(fx.topo->n_switch, 5);
    assert_int_equal(fx.topo->n_terminal, 8);
    assert_int_equal(fx.topo->n_switch_link, 2);
    expect_link(fx.topo, 0, "6", "8", 400000, 500);
    expect_link(fx.topo, 2, "0/P1", "4", 2880000, 25);
    expect_link(fx.topo, 3, "0/P2", "6", 400000, 500);
    expect_link(fx.topo, 9, "3/P2", "7", 400000, 500);
    fixture_close(&fx);
}

/* ---- random files ---- */

typedef struct wire {
    unsigned a, b, gbps, ns;
} wire;

/* A file with hosts and switches in any order; links between switches may be parallel, hosts have one link or more. */
static unsigned write_file(char *text, bool *is_switch, wire *wires, unsigned *n_node) {
    unsigned n_switch = 0, n = 0;
    *n_node = 2 + (unsigned)rand() % (NODES - 2);
    for (unsigned v = 0; v < *n_node; v++) {
        is_switch[v] = v < 2 || rand() % 2;
        n_switch += is_switch[v];
    }
    for (unsigned v = 0; v < *n_node; v++) {
        for (unsigned i = 0; i < 1 + (unsigned)rand() % 2; i++) {
            wires[n++] = (wire){v, v == 1 ? 0 : 1, 1 + (unsigned)rand() % 400, (unsigned)rand() % 5000};
            if (rand() % 2) {
                wires[n - 1] = (wire){wires[n - 1].b, v, wires[n - 1].gbps, wires[n - 1].ns};
            }
        }
    }
    char *at = text + sprintf(text, "%u %u %u\n", *n_node, n_switch, n);
    for (unsigned v = *n_node; v-- > 0;) {
        at += is_switch[v] ? sprintf(at, rand() % 4 ? "%u " : "%u\n", v) : 0;
    }
    for (unsigned i = 0; i < n; i++) {
        at += sprintf(at, rand() % 2 ? "\n%u %u %uGbps %uns 0" : "\n%u %u %u000Mb/s %uns 0.0", wires[i].a, wires[i].b,
                      wires[i].gbps, wires[i].ns);
    }
    return n;
}

/* The file's number of a node, whichever terminal of a host it is. */
static unsigned number_of(const hf_topology *topo, uint32_t node) { return (unsigned)strtoul(topo->label[node], NULL, 10); }

static unsigned number_of_hosts(const bool *is_switch, unsigned n_node) {
    unsigned n = 0;
    for (unsigned v = 0; v < n_node; v++) {
        n += !is_switch[v];
    }
    return n;
}

/* Links between switches come first, then those of hosts by host; both keep the order of the file. */
static void expect_wires(const hf_topology *topo, const bool *is_switch, const wire *wires, unsigned n, unsigned n_node) {
    uint32_t l = 0;
    for (unsigned turn = 0; turn <= n_node; turn++) { /* 0: switches, else host turn - 1 */
        for (unsigned i = 0; i < n; i++) {
            const bool is_host = !is_switch[wires[i].a] || !is_switch[wires[i].b];
            const unsigned host = is_switch[wires[i].a] ? wires[i].b : wires[i].a;
            if (is_host ? turn != host + 1 : turn != 0) {
                continue;
            }
            assert_true(l < topo->n_link);
            const unsigned a = number_of(topo, topo->from[l]), b = number_of(topo, topo->to[l]);
            assert_int_equal(a + b, wires[i].a + wires[i].b);
            assert_true(a == wires[i].a || a == wires[i].b);
            assert_int_equal(hf_topology_attribute(topo, "rate")->of_link[l], wires[i].gbps * 1000);
            assert_int_equal(hf_topology_attribute(topo, "delay")->of_link[l], wires[i].ns);
            l++;
        }
    }
    const bool has_host = number_of_hosts(is_switch, n_node) > 0; /* else every switch gets a terminal */
    assert_int_equal(l, n);
    assert_int_equal(topo->n_link, n + (has_host ? 0 : n_node));
}

static void random_files(void **state) {
    (void)state;
    for (unsigned seed = 1; seed <= 200; seed++) {
        char folder[256], path[512], spec[640], text[8192];
        bool is_switch[NODES] = {false};
        wire wires[LINKS] = {{0}};
        unsigned n_node;
        fixture fx;
        srand(seed);
        print_message("seed %u\n", seed); /* the last one of a failure is its own */
        const unsigned n = write_file(text, is_switch, wires, &n_node);
        folder_open(folder, sizeof folder);
        folder_write(folder_file(folder, "net", path, sizeof path), text, strlen(text));
        (void)snprintf(spec, sizeof spec, "file:%s", path);
        fixture_open(&fx, spec, NULL, NULL);
        expect_wires(fx.topo, is_switch, wires, n, n_node);
        fixture_close(&fx);
        folder_close(folder);
    }
}

/* ---- what is none ---- */

static void refusals(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"2 1\n", "line 1: \"2 1\" does not count"},
        {"x 1 1\n", "line 1: \"x\" is not the number of nodes"},
        {"2 3 1\n", "line 1: 3 of 2 nodes are switches"},
        {"2 0 1\n", "line 1: 0 of 2 nodes are switches"},
        {"9 2 3\n0 1\n", "line 1: 7 hosts have 3 links"},
        {"4000000000 1 4000000000\n", "do not fit a file of"},
        {"2 1 1\n1\n0 1\n", "the file ends where a data rate is expected"},
        {"2 1 1\n2\n0 1 1Gbps 1us 0\n", "line 2: \"2\" is not the number of a switch"},
        {"3 2 1\n1 1\n", "line 2: switch 1 is listed twice"},
        {"2 1 1\n1\n0 1 1Gbpm 1us 0\n", "line 3: \"1Gbpm\" is not a data rate"},
        {"2 1 1\n1\n0 1 1bps 1us 0\n", "line 3: \"1bps\" is not a data rate"},
        {"2 1 1\n1\n0 1 1Gbps 1day 0\n", "line 3: \"1day\" is not a delay"},
        {"2 1 1\n1\n0 1 1Gbps 1us -1\n", "line 3: \"-1\" is not an error rate"},
        {"2 1 1\n1\n0 1 1Gbps 1us 0\n0 1 1Gbps 1us 0\n", "line 4: \"0 1 1Gbps 1us 0\" stands behind the last of 1 links"},
        {"3 1 2\n2\n0 2 1Gbps 1us 0\n0 1 1Gbps 1us 0\n", "line 4: the link from \"0/P2\" to \"1\" joins two terminals"},
        {"3 1 2\n2\n0 2 1Gbps 1us 0\n0 2 1Gbps 1us 0\n", "terminal \"1\" hangs on no switch"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture_refuses_file("file", cases[i].text, ",format=hpcc", cases[i].message);
    }
}

/* A unit that there is not makes no edge list of it. */
static void bad_unit_is_told(void **state) {
    (void)state;
    fixture_refuses_file("file", "2 1 1\n1\n0 1 25Gbs 1us 0\n", "", "line 3: \"25Gbs\" is not a data rate");
}

/* Weighted edge lists begin with three numbers too. */
static void edge_lists_stay(void **state) {
    (void)state;
    static const char *const texts[] = {"0 1 1\n1 2 1\n2 0 1\n", "3 1 2\n2\n", "2 1 1\n1 0\n0 1 5\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        hf_context *cx = hf_context_new(NULL);
        hf_lines r;
        hf_lines_start(cx, "net", texts[i], strlen(texts[i]), &r);
        assert_true(hf_lines_next(&r));
        assert_false(hf_is_hpcc(r));
        hf_context_free(cx);
    }
}

static hf_status build_and_free(hf_context *cx, void *spec) {
    hf_topology *topo = NULL;
    const hf_status status = hf_topology_new(cx, spec, &topo);
    hf_topology_free(topo);
    return status;
}

static void allocations_fail(void **state) {
    (void)state;
    char spec[] = "file:tests/fixtures/networks/simai-two-servers.txt";
    assert_true(failing_sweep("simai", build_and_free, spec) > 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leaf_and_spine),   cmocka_unit_test(servers),          cmocka_unit_test(random_files),
        cmocka_unit_test(refusals),         cmocka_unit_test(bad_unit_is_told), cmocka_unit_test(edge_lists_stay),
        cmocka_unit_test(allocations_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
