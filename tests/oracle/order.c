/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Reading what a rule says of an order. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "tests/oracle/order.h"

uint32_t *order_places(fixture *fx, const hf_plan *plan) {
    const hf_topology *topo = plan->topo;
    uint32_t *terminals, *place;
    if (!hf_likeness_of(plan)->order) {
        return NULL;
    }
    fixture_ok(fx, hf_scratch(fx->cx, topo->n_terminal, sizeof *terminals, (void **)&terminals));
    fixture_ok(fx, hf_scratch(fx->cx, topo->n_terminal, sizeof *place, (void **)&place));
    memset(place, 0xff, topo->n_terminal * sizeof *place); /* HF_NONE */
    hf_likeness_of(plan)->order(plan, terminals);
    for (uint32_t i = 0; i < topo->n_terminal; i++) {
        assert_true(terminals[i] < topo->n_terminal);
        assert_int_equal(place[terminals[i]], HF_NONE);
        place[terminals[i]] = i;
    }
    for (uint32_t t = 1; t < topo->n_terminal; t++) {
        assert_true(topo->terminal_switch[t] != topo->terminal_switch[t - 1] || place[t] == place[t - 1] + 1);
    }
    return place;
}

bool order_joins(const hf_plan *plan, const uint32_t *place, uint32_t at, hf_hop in, uint32_t d, uint32_t other) {
    const uint32_t first = place[d] < place[other] ? d : other, last = d + other - first;
    const uint32_t count = hf_likeness_of(plan)->along(plan, at, in, first);
    assert_true(count > 0);
    return count > place[last] - place[first];
}
