/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Topology files of htsim: the fixture link by link, files of all shapes against the generator of the same network, refusals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/topology/multistage/draft.h"
#include "tests/oracle/fixture.h"

static uint32_t at_port(const hf_topology *topo, const char *name) {
    char type = 0;
    uint32_t id = HF_NONE;
    hf_context *cx = hf_context_new(NULL);
    assert_int_equal(hf_topology_parse_name(cx, topo, name, strlen(name), &type, &id), HF_OK);
    hf_context_free(cx);
    assert_int_equal(type, 'l');
    return id;
}

static void expect_link(const hf_topology *topo, const char *name, const char *a, const char *b, uint32_t rate, uint32_t delay) {
    const uint32_t l = at_port(topo, name);
    assert_string_equal(topo->label[topo->from[l]], a);
    assert_string_equal(topo->label[topo->to[l]], b);
    assert_int_equal(hf_topology_attribute(topo, "rate")->of_link[l], rate);
    assert_int_equal(hf_topology_attribute(topo, "delay")->of_link[l], delay);
}

/* Up port 1 of agg 3 (place 1 of pod 1), of a pair, leads to core 2 with up ports 0 and 1, to core 3 with the others. */
static void two_pods(void **state) {
    (void)state;
    fixture fx;
    hf_topology_figures f;
    fixture_open(&fx, "file:tests/fixtures/networks/htsim-two-pods.topo", NULL, NULL);
    assert_int_equal(fx.topo->n_switch, 4 + 4 + 4);
    assert_int_equal(fx.topo->n_terminal, 16);
    assert_int_equal(fx.topo->n_switch_link, 8 + 16);
    fixture_ok(&fx, hf_topology_measure(fx.cx, fx.topo, &f));
    assert_true(f.n_part == 1 && f.diameter == 6 && f.degree_min == 4 && f.degree_max == 6);
    expect_link(fx.topo, "tor3:3", "15", "tor3", 100000, 1000);
    expect_link(fx.topo, "tor3:5", "tor3", "agg3", 200000, 1500);
    expect_link(fx.topo, "agg3:0", "tor2", "agg3", 200000, 1500);
    expect_link(fx.topo, "agg3:3", "agg3", "core2", 400000, HF_NONE);
    expect_link(fx.topo, "agg3:4", "agg3", "core3", 400000, HF_NONE);
    expect_link(fx.topo, "core3:0", "agg1", "core3", 400000, HF_NONE);
    fixture_close(&fx);
}

/* ---- failures ---- */

/* What a line of a connection matrix names. \return the message, NULL: the link in `id` */
static const char *failure(fixture *fx, const char *line, uint32_t *id) {
    hf_fault_set set;
    char text[200];
    (void)snprintf(text, sizeof text, "\"%s\"", line);
    if (hf_fault_set_parse(fx->cx, fx->topo, NULL, text, &set) != HF_OK) {
        return hf_context_message(fx->cx);
    }
    assert_int_equal(set.n_channel, 2); /* one link, both ways */
    *id = fx->topo->link[set.channel[0]];
    return NULL;
}

static void failures(void **state) {
    (void)state;
    static const struct {
        const char *line, *name;
    } links[] = {{"failure switch_type TOR switch_id 3 link_id 1", "tor3:5"},
                 {"failure switch_type AGG switch_id 3 link_id 0", "agg3:2"},
                 {"failure switch_type AGG switch_id 3 link_id 1", "agg3:4"}, /* the first of the second pair */
                 {"failure link_id 1   switch_id 3 switch_type CORE", "core3:2"}};
    static const struct {
        const char *line, *message;
    } wrong[] = {
        {"failure switch_type AGG switch_id 3", "is not right; need failure switch_type TOR, AGG or CORE, switch_id N"},
        {"failure switch_type SPINE switch_id 3 link_id 1", "is not right"},
        {"failure switch_type AGG switch_id x link_id 1", "is not right"},
        {"failure switch_type AGG switch_id", "is not right"},
        {"failure switch_type AGG switch_id 4 link_id 1", "there is no switch agg4"},
        {"failure switch_type AGG switch_id 3 link_id 2", "agg3 has 2 links to core switches; need a link_id below that"}};
    fixture fx;
    uint32_t id = HF_NONE;
    fixture_open(&fx, "file:tests/fixtures/networks/htsim-two-pods.topo", NULL, NULL);
    for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
        const char *message = failure(&fx, links[i].line, &id);
        if (message) {
            fail_msg("%s: %s", links[i].line, message);
        }
        assert_int_equal(id, at_port(fx.topo, links[i].name));
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const char *message = failure(&fx, wrong[i].line, &id);
        if (!message || !strstr(message, wrong[i].message)) {
            fail_msg("%s: %s", wrong[i].line, message ? message : "taken");
        }
    }
    fixture_close(&fx);
}

/* ---- the generator ---- */

/* How many links join each two switches, sorted: the networks of one shape agree, however switches are numbered. */
static int compare(const void *x, const void *y) {
    const uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return (a > b) - (a < b);
}

static size_t spectrum(const hf_topology *topo, uint64_t *out) {
    for (uint32_t v = 0; v < topo->n_node; v++) {
        uint64_t near = 0, far = 0;
        for (uint32_t i = topo->out_begin[v]; i < topo->out_begin[v + 1]; i++) {
            const uint32_t w = topo->to[topo->out_list[i]];
            near++;
            for (uint32_t j = topo->out_begin[w]; j < topo->out_begin[w + 1]; j++) {
                far += topo->to[topo->out_list[j]] == v ? 1 : 1000;
            }
        }
        out[v] = near << 40 | far;
    }
    qsort(out, topo->n_node, sizeof *out, compare);
    return topo->n_node;
}

static hf_topology *read(hf_context *cx, const char *text) {
    hf_draft draft;
    hf_args args = {0};
    hf_topology *topo = NULL;
    hf_draft_init(cx, "input", &draft);
    if (hf_read_htsim(cx, text, strlen(text), &draft) != HF_OK ||
        hf_draft_build(cx, &draft, &hf_topology_file, &args, &topo) != HF_OK) {
        fail_msg("%s\n%s", hf_context_message(cx), text);
    }
    hf_draft_free(&draft);
    return topo;
}

static void as_the_generator(void **state) {
    (void)state;
    static const struct {
        const char *clos, *file;
    } list[] = {
        {"clos:tiers=2,radix=8", "nodes 32\ntiers 2\npodsize 32\ntier 0\nradix_down 4\nradix_up 4\ntier 1\nradix_down 8\n"},
        {"clos:tiers=2,radix=8,bundle=2",
         "Nodes 16\nTiers 2\nPodsize 16\nTier 0\nRadix_Down 4\nRadix_Up 4\nTier 1\nRadix_Down 8\nBundle 2\n"},
        {"clos:tiers=2,radix=8,oversubscription=3",
         "Nodes 48\nTiers 2\nPodsize 48\nTier 0\nRadix_Down 6\nRadix_Up 2\nOversubscribed 3\nTier 1\nRadix_Down 8\n"},
        {"clos:tiers=3,radix=8", "Nodes 128\nTiers 3\nPodsize 16\nTier 0\nRadix_Down 4\nRadix_Up 4\nTier 1\nRadix_Down "
                                 "4\nRadix_Up 4\nTier 2\nRadix_Down 8\n"},
        {"clos:tiers=3,radix=12,oversubscription=2x1,bundle=1x2",
         "Nodes 288\nTiers 3\nPodsize 48\nTier 0\nRadix_Down 8\nRadix_Up 4\nOversubscribed 2\nTier 1\nRadix_Down 6\nRadix_Up 6\n"
         "Tier 2\nRadix_Down 12\nBundle 2\n"},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        fixture fx;
        hf_topology_figures a, b;
        fixture_open(&fx, list[i].clos, NULL, NULL);
        hf_topology *topo = read(fx.cx, list[i].file);
        uint64_t x[1024], y[1024];
        fixture_ok(&fx, hf_topology_measure(fx.cx, fx.topo, &a));
        fixture_ok(&fx, hf_topology_measure(fx.cx, topo, &b));
        if (topo->n_switch != fx.topo->n_switch || topo->n_link != fx.topo->n_link || a.diameter != b.diameter ||
            a.mean_distance != b.mean_distance) {
            fail_msg("%s: %u switches, %u links, diameter %u", list[i].clos, topo->n_switch, topo->n_link, b.diameter);
        }
        assert_true(spectrum(topo, x) == spectrum(fx.topo, y));
        assert_memory_equal(x, y, topo->n_node * sizeof *x);
        hf_topology_free(topo);
        fixture_close(&fx);
    }
}

static void refusals(void **state) {
    (void)state;
#define TOR8 "Nodes 32\nTiers 2\nPodsize 32\nTier 0\nRadix_Down 8\n"
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"Nodes 0\n", "line 1"},
        {"Nodes 32 hosts\n", "line 1"},
        {"Hosts 32\n", "line 1: \"Hosts\" stands before the first tier"},
        {"Nodes 32\nTiers 4\n", "line 2"},
        {TOR8 "Tier 0\n", "line 6: tier 0 stands twice"},
        {TOR8 "Colour 3\n", "line 6: \"Colour\" is not of htsim"},
        {TOR8, "tier 0 has no Radix_Up"},
        {TOR8 "Radix_Up 2\n", "tier 1 has no lines"},
        {TOR8 "Radix_Up 2\nTier 1\n", "tier 1 has no Radix_Down"},
        {TOR8 "Radix_Up 2\nTier 1\nRadix_Down 5\n", "Radix_Down of tier 1 of 5 does not fit"},
        {TOR8 "Radix_Up 2\nOversubscribed 3\nTier 1\nRadix_Down 4\n",
         "Oversubscribed of 3 does not fit a Radix_Down over Radix_Up of 4"},
        {TOR8 "Radix_Up 3\nTier 1\nRadix_Down 8\nBundle 2\n", "Bundle of 2 does not fit a Radix_Up below of 3"},
        {TOR8 "Radix_Up 3\nBundle 2\nTier 1\nRadix_Down 4\n", "Bundle of tier 0 of 2"},
        {"Nodes 32\nTiers 2\nPodsize 16\nTier 0\nRadix_Down 8\nRadix_Up 2\nTier 1\nRadix_Down 2\n",
         "Podsize of 16 does not fit two tiers"},
        {"Nodes 32\nTiers 2\nPodsize 32\nTier 0\nRadix_Down 7\nRadix_Up 2\nTier 1\nRadix_Down 2\n",
         "Podsize of 32 does not fit a Radix_Down of 7"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        fixture_refuses_network(hf_read_htsim, bad[i].text, bad[i].message);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_pods),
        cmocka_unit_test(failures),
        cmocka_unit_test(as_the_generator),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
