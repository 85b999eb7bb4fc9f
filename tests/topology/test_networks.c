/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Networks written and read back: every family as JSON of nodes and links, and for BookSim. Nets of ibsim, links side by side
 *  and of a node with itself, refusals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/format.h>

#include "src/topology/multistage/draft.h"
#include "tests/conformance/specs.h"
#include "tests/oracle/fixture.h"
#include "tests/support/failing.h"

static void expect_column(const hf_topology *a, const hf_topology *b, const char *name) {
    const hf_attribute *x = hf_topology_attribute(a, name), *y = hf_topology_attribute(b, name);
    for (uint32_t l = 0; l < a->n_link; l++) {
        assert_int_equal(x ? x->of_link[l] : HF_NONE, y ? y->of_link[l] : HF_NONE);
    }
}

/* ---- JSON ---- */

static void expect_same(const hf_topology *a, const hf_topology *b) {
    const size_t bytes = a->n_channel * sizeof *a->from;
    assert_int_equal(a->n_switch, b->n_switch);
    assert_int_equal(a->n_node, b->n_node);
    assert_int_equal(a->n_channel, b->n_channel);
    assert_memory_equal(a->from, b->from, bytes);
    assert_memory_equal(a->to, b->to, bytes);
    assert_memory_equal(a->from_port, b->from_port, bytes);
    assert_memory_equal(a->to_port, b->to_port, bytes);
    expect_column(a, b, "rate");
    expect_column(a, b, "delay");
    expect_column(a, b, "latency");
}

/* A terminal of a file has both directions at one link. */
static bool is_file_like(const hf_topology *topo) {
    for (uint32_t l = topo->n_switch_link; l < topo->n_link; l++) {
        if (topo->backward[l] == HF_NONE) {
            return false;
        }
    }
    return true;
}

static void json_comes_back(const char *spec) {
    fixture fx;
    hf_text text;
    fixture_open(&fx, spec, NULL, NULL);
    hf_text_init(fx.cx, &text);
    fixture_ok(&fx, hf_format_node_link(fx.cx, fx.topo, &text));
    if (is_file_like(fx.topo)) {
        hf_topology *back = fixture_read_network(fx.cx, hf_read_node_link, text.data);
        expect_same(fx.topo, back);
        hf_topology_free(back);
    }
    hf_text_free(&text);
    fixture_close(&fx);
}

static void all_as_json(void **state) {
    (void)state;
    for (size_t i = 0; i < N_TOPOLOGY_SPEC; i++) {
        json_comes_back(topology_specs[i]);
    }
    json_comes_back("file:tests/fixtures/networks/hpcc-leaf-spine.txt");
}

/* What networkx writes: ids of any kind, "edges" for "links", parallel links with keys, a digraph. */
static void networkx(void **state) {
    (void)state;
    hf_context *cx = hf_context_new(NULL);
    hf_topology *topo =
        fixture_read_network(cx, hf_read_node_link,
                             "{\"directed\": false, \"multigraph\": true, \"graph\": {}, \"nodes\": [{\"id\": [0, 1]}, "
                             "{\"color\": \"red\", \"id\": 7}, {\"id\": \"h\", \"type\": \"host\"}], \"edges\": [{\"source\": "
                             "[0, 1], \"target\": 7, \"key\": 0}, {\"source\": 7, \"target\": [0, 1], \"key\": 1, \"rate\": "
                             "400000}, {\"source\": \"h\", \"target\": 7, \"key\": 0}, {\"source\": 7, \"target\": 7}]}");
    assert_int_equal(topo->n_switch, 2);
    assert_int_equal(topo->n_terminal, 1);
    assert_int_equal(topo->n_switch_link, 2);
    assert_int_equal(topo->n_self_loop, 1);
    assert_string_equal(topo->label[0], "(0, 1)");
    assert_string_equal(topo->label[1], "7");
    assert_string_equal(topo->label[2], "h");
    assert_int_equal(hf_topology_attribute(topo, "rate")->of_link[1], 400000);
    assert_int_equal(hf_topology_attribute(topo, "rate")->of_link[0], HF_NONE);
    hf_topology_free(topo);
    topo = fixture_read_network(
        cx, hf_read_node_link,
        "{\"directed\": true, \"nodes\": [{\"id\": \"a\"}, {\"id\": \"b\"}, {\"id\": \"c\"}], \"links\": [{\"source\": "
        "\"a\", \"target\": \"b\"}, {\"source\": \"b\", \"target\": \"a\"}, {\"source\": \"b\", \"target\": \"c\"}]}");
    assert_int_equal(topo->n_switch_link, 2);
    assert_int_not_equal(topo->backward[0], HF_NONE);
    assert_int_equal(topo->backward[1], HF_NONE);
    hf_topology_free(topo);
    hf_context_free(cx);
}

/* ---- anynet ---- */

/* Routers and nodes have the same links, in another order of ports. */
static void expect_links(const hf_topology *a, const hf_topology *b) {
    assert_int_equal(a->n_switch, b->n_switch);
    assert_int_equal(a->n_terminal, b->n_terminal);
    assert_int_equal(a->n_link, b->n_link);
    uint32_t *n = calloc((size_t)a->n_node * a->n_node, sizeof *n);
    assert_non_null(n);
    for (uint32_t c = 0; c < a->n_channel; c++) {
        n[(size_t)a->from[c] * a->n_node + a->to[c]]++;
        n[(size_t)b->from[c] * a->n_node + b->to[c]]--;
    }
    for (size_t i = 0; i < (size_t)a->n_node * a->n_node; i++) {
        assert_int_equal(n[i], 0);
    }
    free(n);
}

static void all_for_booksim(void **state) {
    (void)state;
    uint32_t n_written = 0;
    for (size_t i = 0; i < N_TOPOLOGY_SPEC; i++) {
        fixture fx;
        hf_text text;
        fixture_open(&fx, topology_specs[i], NULL, NULL);
        hf_text_init(fx.cx, &text);
        const hf_status status = hf_format_anynet(fx.cx, fx.topo, &text);
        if (status == HF_OK && fx.topo->n_switch > 1) {
            hf_topology *back = fixture_read_network(fx.cx, hf_read_anynet, text.data);
            expect_links(fx.topo, back);
            hf_topology_free(back);
            n_written++;
        }
        assert_true(status == HF_OK || strstr(hf_context_message(fx.cx), "one direction") ||
                    strstr(hf_context_message(fx.cx), "several links"));
        hf_text_free(&text);
        fixture_close(&fx);
    }
    assert_true(n_written > 20);
}

static void latencies_come_back(void **state) {
    (void)state;
    hf_context *cx = hf_context_new(NULL);
    hf_text text;
    hf_topology *topo = fixture_read_network(cx, hf_read_anynet,
                                             "router 0 node 0 2 router 1 15 router 1 router 2 7\nrouter 1 node 1 router 0\n"),
                *back;
    assert_int_equal(topo->n_switch_link, 3); /* two between 0 and 1, one of them told from both ends */
    hf_text_init(cx, &text);
    assert_int_equal(hf_format_anynet(cx, topo, &text), HF_OK);
    assert_string_equal(text.data, "router 0 node 0 2 router 1 15 router 1 router 2 7\nrouter 1 node 1\n");
    hf_text_free(&text);
    hf_topology_free(topo);
    topo = fixture_read_network(cx, hf_read_anynet, "router 0 router 1 router 0 router 1 router 1\nrouter 1 router 0 router 0\n");
    assert_int_equal(topo->n_switch_link, 3);
    assert_int_equal(topo->n_self_loop, 1);
    assert_int_equal(topo->self_loop, 1);
    hf_text_init(cx, &text);
    assert_int_equal(hf_format_anynet(cx, topo, &text), HF_OK);
    back = fixture_read_network(cx, hf_read_anynet, text.data);
    expect_links(topo, back);
    hf_topology_free(back);
    hf_text_free(&text);
    hf_topology_free(topo);
    hf_context_free(cx);
}

/* ---- ibsim ---- */

/* As ibsim takes it: links told from one end, the port 1 where it is left out, names of any kind. */
static void told_from_one_end(void **state) {
    (void)state;
    fixture fx;
    fixture_open(&fx, "file:tests/fixtures/networks/ibsim-two-leaves.net", NULL, NULL);
    const hf_topology *topo = fx.topo;
    assert_int_equal(topo->n_switch, 3);
    assert_int_equal(topo->n_terminal, 4);
    assert_int_equal(topo->n_switch_link, 4);
    assert_int_equal(topo->n_self_loop, 1);
    assert_string_equal(topo->label[0], "leaf 1");
    assert_string_equal(topo->label[2], "spine");
    assert_string_equal(topo->label[3], "h1/P1");
    assert_string_equal(topo->label[4], "h1/P2");
    assert_int_equal(topo->from_port[topo->forward[0]], 7);
    assert_int_equal(topo->to_port[topo->forward[0]], 7);
    assert_int_equal(topo->terminal_switch[1], 1); /* the port 1 of leaf 2 */
    fixture_close(&fx);
}

/* The nets that OpenSM's fixtures were simulated from are the fabrics that ibnetdiscover saw, but for the order of nodes. */
static void nets_of_fabrics(void **state) {
    (void)state;
    static const char *const pairs[][2] = {
        {"kary-2-3.net", "kary-2-3.ftree"}, {"mesh-8x8.net", "mesh-8x8.dor"}, {"torus-4x4.net", "torus-4x4.lash"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        fixture net, seen;
        char spec[160], name[160], type;
        (void)snprintf(spec, sizeof spec, "file:tests/fixtures/opensm/%s", pairs[i][0]);
        fixture_open(&net, spec, NULL, NULL);
        (void)snprintf(spec, sizeof spec, "file:tests/fixtures/opensm/%s/ibnetdiscover.txt", pairs[i][1]);
        fixture_open(&seen, spec, NULL, NULL);
        assert_int_equal(net.topo->n_link, seen.topo->n_link);
        for (uint32_t c = 0; c < net.topo->n_channel; c++) {
            uint32_t id;
            (void)snprintf(name, sizeof name, "%s:%u>%s:%u", net.topo->label[net.topo->from[c]], net.topo->from_port[c],
                           net.topo->label[net.topo->to[c]], net.topo->to_port[c]);
            fixture_ok(&seen, hf_topology_parse_name(seen.cx, seen.topo, name, strlen(name), &type, &id));
            assert_int_equal(type, 'c');
        }
        fixture_close(&seen);
        fixture_close(&net);
    }
}

/* ---- what is left out, what is refused ---- */

static void self_loops(void **state) {
    (void)state;
    hf_context *cx = hf_context_new(NULL);
    static const struct {
        fixture_reader read;
        const char *text;
        uint32_t n_switch, n_link, n_self, line;
    } cases[] = {
        {hf_read_edges, "a b\nb b\na a\n", 2, 1, 2, 2},
        {hf_read_anynet, "router 0 router 1\nrouter 2 router 2\n", 3, 1, 1, 2},
        {hf_read_hpcc, "3 2 3\n1 2\n1 1 1Gbps 1us 0\n0 1 1Gbps 1us 0\n0 0 1Gbps 1us 0\n", 2, 0, 2, 3},
        {hf_read_node_link, "{\"nodes\": [{\"id\": 1}], \"links\": [{\"source\": 1, \"target\": 1}]}", 1, 0, 1, 0},
        {hf_read_graphml,
         "<graphml><graph edgedefault=\"undirected\"><node id=\"a\"/><edge source=\"a\" target=\"a\"/></graph></graphml>", 1, 0,
         1, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hf_topology *topo = fixture_read_network(cx, cases[i].read, cases[i].text);
        assert_int_equal(topo->n_switch, cases[i].n_switch);
        assert_int_equal(topo->n_switch_link, cases[i].n_link);
        assert_int_equal(topo->n_self_loop, cases[i].n_self);
        assert_int_equal(topo->self_loop, cases[i].line);
        hf_topology_free(topo);
    }
    hf_context_free(cx);
}

#define DIRECTLY(links) "{\"nodes\": [{\"id\": \"a\"}, {\"id\": \"b\"}], \"links\": [" links "]}"

static void refusals(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"{\"nodes\": [", "line 1, column "},
        {"{\"adjacency\": []}", "need an object with the lists \"nodes\" and \"links\" or \"edges\""},
        {"{\"nodes\": [{\"name\": \"a\"}], \"links\": []}", "nodes[0] has no \"id\" that is a text or a whole number"},
        {"{\"nodes\": [{\"id\": 1}, {\"id\": \"1\"}], \"links\": []}", "two nodes have the id \"1\""},
        {"{\"nodes\": [{\"id\": 1.5}], \"edges\": []}", "nodes[0] has no \"id\""},
        {"{\"nodes\": [{\"id\": \"a\", \"kind\": \"hub\"}], \"links\": []}", "node \"a\" is of kind \"hub\""},
        {"{\"nodes\": [], \"links\": []}", "there is no switch in it"},
        {DIRECTLY("{\"source\": \"a\"}"), "links[0] has no \"target\""},
        {DIRECTLY("{\"source\": \"a\", \"target\": \"c\"}"), "links[0] has the target \"c\", which is not the id of a node"},
        {DIRECTLY("{\"source\": \"a\", \"target\": \"b\", \"source_port\": -1}"),
         "the link from \"a\" to \"b\" has a source_port that is no whole number from 0 to 65535"},
        {DIRECTLY("{\"source\": \"a\", \"target\": \"b\", \"rate\": \"fast\"}"), "has a rate that is no whole number"},
        {"Hca 1 \"h\"\n[1] \"s\"[2]\n", "line 2: port 1 leads to port 2 of \"s\", but nothing leads back"},
        {"Hca 1 \"h\"\n[1] \"s\"[9]\nSwitch 8 \"s\"\n", "line 2: port 1 leads to port 9 of \"s\", but nothing leads back"},
        {"Hca 1 \"h\"\n[1] \"s\"[0]\nSwitch 8 \"s\"\n", "line 2: \"[1] \"s\"[0]\" is not of ibnetdiscover or ibsim"},
        {"Hca 1 \"h\"\n[1] \"s\"[2]\nHca 1 \"i\"\n[1] \"s\"[2]\nSwitch 8 \"s\"\n", "line 4: port 1 leads to port 2 of \"s\""},
        {"switchguid=1\nSwitch 8 \"S-1\"\n[1] \"S-1\"\n", "line 3: the name of the peer has no port"},
        {"Hca 1 \"h\"\ninclude \"more\"\n", "line 2: \"include \"more\"\" is not of ibnetdiscover or ibsim"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture_refuses_file("file", cases[i].text, "", cases[i].message);
    }
}

static hf_status read_and_write(hf_context *cx, void *spec) {
    hf_topology *topo = NULL;
    hf_text text;
    hf_text_init(cx, &text);
    hf_status status = hf_topology_new(cx, spec, &topo);
    status = status == HF_OK ? hf_format_node_link(cx, topo, &text) : status;
    hf_text_free(&text);
    hf_topology_free(topo);
    return status;
}

static void allocations_fail(void **state) {
    (void)state;
    char net[] = "file:tests/fixtures/networks/ibsim-two-leaves.net", json[] = "file:tests/fixtures/networks/networkx.json";
    assert_true(failing_sweep("ibsim", read_and_write, net) > 10);
    assert_true(failing_sweep("node-link", read_and_write, json) > 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_as_json),         cmocka_unit_test(networkx),          cmocka_unit_test(all_for_booksim),
        cmocka_unit_test(latencies_come_back), cmocka_unit_test(told_from_one_end), cmocka_unit_test(nets_of_fabrics),
        cmocka_unit_test(self_loops),          cmocka_unit_test(refusals),          cmocka_unit_test(allocations_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
