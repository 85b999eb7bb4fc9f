/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/oracle/wiring.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

void wiring_check(const hf_topology *topo, wire (*want)(const hf_topology *topo, uint32_t sw, uint32_t port)) {
    uint32_t n_found = 0;
    for (uint32_t sw = 0; sw < topo->n_switch; sw++) {
        for (uint32_t port = 0; port < topo->n_port_max; port++) {
            const uint32_t c = hf_topology_channel_at(topo, sw, port);
            const wire have = c == HF_NONE ? NO_WIRE : (wire){topo->to[c], topo->to_port[c]}, wanted = want(topo, sw, port);
            n_found += c != HF_NONE;
            if (have.node != wanted.node || have.port != wanted.port) {
                fail_msg("%s: s%u:%u leads to node %u port %u, not node %u port %u", topo->spec, sw, port, have.node, have.port,
                         wanted.node, wanted.port);
            }
            assert_true(c == HF_NONE || topo->reverse[c] != HF_NONE);
        }
    }
    assert_int_equal(n_found, 2 * topo->n_switch_link + topo->n_terminal);
}

void places_check(const hf_topology *topo) {
    for (uint32_t a = 0; a < topo->n_node; a++) {
        const hf_position p = topo->kind->place(topo, a);
        for (uint32_t b = 0; b < a; b++) {
            const hf_position q = topo->kind->place(topo, b);
            if (hypot(p.x - q.x, p.y - q.y) < 0.2) {
                fail_msg("%s: nodes %u and %u stand in one place", topo->spec, a, b);
            }
        }
    }
}

void counts_check(const counts *want) {
    fixture fx;
    hf_topology_figures figures;
    fixture_open(&fx, want->spec, NULL, NULL);
    const hf_topology *topo = fx.topo;
    fixture_ok(&fx, hf_topology_measure(fx.cx, topo, &figures));
    assert_int_equal(topo->n_switch, want->n_switch);
    assert_int_equal(topo->n_terminal, want->n_terminal);
    assert_int_equal(topo->n_switch_link, want->n_switch_link);
    assert_int_equal(topo->n_link, want->n_switch_link + want->n_terminal);
    assert_int_equal(figures.degree_min, want->degree_min);
    assert_int_equal(figures.degree_max, want->degree_max);
    assert_int_equal(figures.diameter, want->diameter);
    assert_true(figures.is_strongly_connected && figures.is_bidirectional);
    if (topo->kind->diameter && topo->kind->diameter(topo) != HF_NONE) {
        assert_int_equal(topo->kind->diameter(topo), want->diameter);
    }
    if (topo->kind->mean_distance && !isnan(topo->kind->mean_distance(topo))) {
        assert_true(fabs(figures.mean_distance - topo->kind->mean_distance(topo)) < 1e-9);
    }
    if (topo->n_node < 1000) {
        places_check(topo);
    }
    fixture_close(&fx);
}

void refusals_check(const refusal *list, size_t n) {
    hf_context *cx = hf_context_new(NULL);
    for (size_t i = 0; i < n; i++) {
        hf_topology *topo = NULL;
        const hf_status status = hf_topology_new(cx, list[i].spec, &topo);
        if (status != list[i].status || !strstr(hf_context_message(cx), list[i].message)) {
            fail_msg("%s: %s: %s", list[i].spec, hf_status_text(status), hf_context_message(cx));
        }
        assert_null(topo);
    }
    hf_context_free(cx);
}
