/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Wirings of multipath networks as text: what is written comes back the same in everything but its name, rules and policies find
 *  the same on it, other wirings are taken too, and what is wrong is refused with line and value. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/format.h>

#include "tests/oracle/fixture.h"
#include "tests/support/failing.h"
#include "tests/support/folder.h"

typedef struct file {
    char folder[256], path[512], spec[640];
} file;

static void file_open(file *f, const char *text, size_t size) {
    folder_open(f->folder, sizeof f->folder);
    folder_write(folder_file(f->folder, "wiring", f->path, sizeof f->path), text, size);
    (void)snprintf(f->spec, sizeof f->spec, "multipath-wiring:%s", f->path);
}

/* ---- what is written comes back ---- */

#define SAME(a, b, member, n) assert_memory_equal((a)->member, (b)->member, (n) * sizeof *(a)->member)

static void same_attributes(const hf_topology *a, const hf_topology *b) {
    assert_int_equal(a->n_attribute, b->n_attribute);
    for (size_t i = 0; i < a->n_attribute; i++) {
        assert_string_equal(a->attribute[i].name, b->attribute[i].name);
        SAME(&a->attribute[i], &b->attribute[i], of_switch, a->n_switch);
        SAME(&a->attribute[i], &b->attribute[i], of_link, a->n_link);
    }
}

static void same_network(const hf_topology *a, const hf_topology *b) {
    assert_int_equal(a->n_switch, b->n_switch);
    assert_int_equal(a->n_terminal, b->n_terminal);
    assert_int_equal(a->n_switch_link, b->n_switch_link);
    assert_int_equal(a->n_channel, b->n_channel);
    SAME(a, b, from, a->n_channel);
    SAME(a, b, to, a->n_channel);
    SAME(a, b, from_port, a->n_channel);
    SAME(a, b, to_port, a->n_channel);
    SAME(a, b, link, a->n_channel);
    assert_int_equal(a->n_coord, b->n_coord);
    SAME(a, b, coord, (size_t)a->n_switch * a->n_coord);
    same_attributes(a, b);
    for (uint32_t v = 0; v < a->n_node; v++) {
        const hf_position p = a->kind->place(a, v), q = b->kind->place(b, v);
        assert_true(p.x == q.x && p.y == q.y);
    }
}

/** Under the same faults the rule has the same ways on both. */
static void same_routes(fixture *a, fixture *b, const char *rule, const char *faults) {
    hf_fault_set fault_a, fault_b;
    hf_plan plan_a, plan_b;
    hf_hop hop_a[16], hop_b[16];
    fixture_rule(a, rule);
    fixture_rule(b, rule);
    fixture_plan(a, faults, &fault_a, &plan_a);
    fixture_plan(b, faults, &fault_b, &plan_b);
    assert_memory_equal(plan_a.live, plan_b.live, (a->topo->n_terminal + 63) / 64 * sizeof *plan_a.live);
    for (uint32_t v = 0; v < a->topo->n_node; v++) {
        for (uint32_t t = 0; t < a->topo->n_terminal; t++) {
            const hf_hop in = {HF_NONE, 0, 0};
            const size_t n = plan_a.routing->route(&plan_a, v, in, t, hop_a);
            assert_int_equal(plan_b.routing->route(&plan_b, v, in, t, hop_b), n);
            for (size_t i = 0; i < n; i++) {
                assert_int_equal(hop_a[i].channel, hop_b[i].channel);
            }
        }
    }
}

static void wirings_come_back(void **state) {
    (void)state;
    static const char *const specs[] = {
        "multibutterfly:radix=2,stages=2",
        "multibutterfly:radix=2,stages=4,seed=7,inputs=clustered",
        "multibutterfly:radix=3,dilation=1,stages=3",
        "multibutterfly:radix=4,dilation=4,stages=3",
        "maximal-fanout:radix=2,stages=4",
        "maximal-fanout:radix=4,stages=3,wiring=random,inputs=random",
    };
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        fixture fx, back;
        hf_text text, again;
        file f;
        fixture_open(&fx, specs[i], NULL, NULL);
        hf_text_init(fx.cx, &text);
        hf_text_init(fx.cx, &again);
        fixture_ok(&fx, hf_format_wiring(fx.cx, fx.topo, &text));
        file_open(&f, text.data, text.size);
        fixture_open(&back, f.spec, NULL, NULL);
        same_network(fx.topo, back.topo);
        fixture_ok(&fx, hf_format_wiring(back.cx, back.topo, &again));
        assert_string_equal(text.data, again.data);
        same_routes(&fx, &back, "multipath", "");
        same_routes(&fx, &back, "multipath:live=io-isolation", "s0,s1");
        same_routes(&fx, &back, "multipath:live=fault-propagation", "s0,s3");
        fixture_close(&back);
        hf_text_free(&text);
        hf_text_free(&again);
        folder_close(f.folder);
        fixture_close(&fx);
    }
}

static void other_networks_have_none(void **state) {
    (void)state;
    fixture fx;
    hf_text text;
    fixture_open(&fx, "butterfly:k=2,n=3", NULL, NULL);
    hf_text_init(fx.cx, &text);
    assert_int_equal(hf_format_wiring(fx.cx, fx.topo, &text), HF_EINVAL);
    assert_non_null(strstr(hf_context_message(fx.cx), "no multipath network"));
    hf_text_free(&text);
    fixture_close(&fx);
}

/* ---- texts by hand ---- */

#define HEAD "multipath-wiring multibutterfly radix 2 dilation 1 stages 2\n"
#define ROUTERS "s0: s2:0 s3:0\ns1: s2:1 s3:1\n"
#define ENDPOINTS "t3: s1:1\nt2: s1:0\n# the other router\n\nt1: s0:1\nt0: s0:0\n"

static void a_text_by_hand(void **state) {
    (void)state;
    fixture fx;
    file f;
    char canonical[800];
    file_open(&f, HEAD ENDPOINTS ROUTERS, strlen(HEAD ENDPOINTS ROUTERS));
    fixture_open(&fx, f.spec, NULL, NULL);
    assert_int_equal(fx.topo->n_switch, 4);
    assert_int_equal(fx.topo->n_terminal, 4);
    assert_int_equal(fx.topo->terminal_switch[3], 1);
    const uint32_t c = hf_topology_channel_at(fx.topo, 1, 3); /* inputs are ports 0 and 1 */
    assert_int_equal(fx.topo->to[c], 3);
    assert_int_equal(fx.topo->to_port[c], 1);
    (void)snprintf(canonical, sizeof canonical, "%s", fx.topo->spec);
    assert_non_null(strstr(canonical, ",family=multibutterfly,radix=2,dilation=1,stages=2"));
    fixture_close(&fx);
    fixture_open(&fx, canonical, NULL, NULL); /* what it is called builds it again */
    assert_string_equal(fx.topo->spec, canonical);
    fixture_close(&fx);
    folder_close(f.folder);
}

static void refusals(void **state) {
    (void)state;
    static const struct {
        const char *text, *more, *message;
    } cases[] = {
        {"", "", "there is nothing in it"},
        {"# nothing\n", "", "line 1: there is nothing in it"},
        {"wiring x\n", "", "line 1: \"wiring\" where \"multipath-wiring\" is expected"},
        {"multipath-wiring omega radix 2\n", "", "line 1: \"omega\" is no family"},
        {"multipath-wiring multibutterfly\n", "", "line 1: \"\" where \"radix\" is expected"},
        {"multipath-wiring multibutterfly radix 17 dilation 1 stages 2\n", "", "\"17\" is not radix"},
        {"multipath-wiring multibutterfly radix 2 dilation 3 stages 2\n", "", "\"3\" is not dilation"},
        {"multipath-wiring multibutterfly radix 3 dilation 2 stages 2\n", "", "dilation 2 does not divide radix 3"},
        {"multipath-wiring multibutterfly radix 2 dilation 1 stages 1\n", "", "\"1\" is not stages"},
        {"multipath-wiring multibutterfly radix 16 dilation 16 stages 16\n", "", "18446744073709551615 endpoints need a line"},
        {"multipath-wiring multibutterfly radix 2 dilation 1 stages 2 x\n", "", "line 1: \"x\" is too much"},
        {HEAD "s0 s2:0 s3:0\n", "", "line 2: \"s0\" begins no line"},
        {HEAD "s2: s2:0 s3:0\n", "", "line 2: \"s2:\" begins no line"},
        {HEAD "t4: s0:0\n", "", "line 2: \"t4:\" begins no line"},
        {HEAD "s0: s2:0\n", "", "line 2: the line ends where output 1 is expected, ROUTER:INPUT such as s3:0"},
        {HEAD "s0: s2:0 s3:0 s3:1\n", "", "line 2: \"s3:1\" is too much"},
        {HEAD "s0: s3:0 s2:0\n", "", "line 2: output 0 leads to \"s3:0\"; need a router from s2 to s2 and an input from 0 to 1"},
        {HEAD "s0: s2:2 s3:0\n", "", "output 0 leads to \"s2:2\""},
        {HEAD "s0: s2:0 s3\n", "", "output 1 leads to \"s3\""},
        {HEAD "s0: s2: s3:0\n", "", "output 0 leads to \"s2:\""},
        {HEAD "t0: s2:0\n", "", "output 0 leads to \"s2:0\"; need a router from s0 to s1"},
        {HEAD "s0: s2:0 s3:0\ns1: s2:0 s3:1\n", "", "line 3: output 0 leads to \"s2:0\", which an output of line 2 has taken"},
        {HEAD "s0: s2:0 s3:0\ns0: s2:1 s3:1\n", "", "line 3: \"s0:\" has its outputs on line 2 already"},
        {HEAD ROUTERS "t0: s0:0\nt1: s0:1\nt2: s1:0\n", "", "the file ends without the outputs of t3"},
        {HEAD ENDPOINTS "s1: s2:1 s3:1\n", "", "the file ends without the outputs of s0"},
        {HEAD ROUTERS ENDPOINTS, ",radix=4", "the spec says radix=4, the wiring in the file has 2"},
        {HEAD ROUTERS ENDPOINTS, ",family=maximal-fanout", "family=maximal-fanout, the wiring in the file has multibutterfly"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture_refuses_file("multipath-wiring", cases[i].text, cases[i].more, cases[i].message);
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
    file f;
    file_open(&f, HEAD ROUTERS ENDPOINTS, strlen(HEAD ROUTERS ENDPOINTS));
    assert_true(failing_sweep("wiring", build_and_free, f.spec) > 10);
    folder_close(f.folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wirings_come_back), cmocka_unit_test(other_networks_have_none), cmocka_unit_test(a_text_by_hand),
        cmocka_unit_test(refusals),          cmocka_unit_test(allocations_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
