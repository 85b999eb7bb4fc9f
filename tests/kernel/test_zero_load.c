/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  A packet alone: its latency is the closed form of docs/kernel.md, exactly, for every pair, switching mode and delay tried; on
 *  every listed topology under every routing that it accepts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/kernel.h>

#include "src/analysis/paths/walk.h"
#include "src/topology/search.h"
#include "tests/conformance/specs.h"
#include "tests/oracle/fixture.h"
#include "tests/support/share.h"

typedef struct network {
    const char *topo, *rule;
    bool is_minimal;
} network;

static const network networks[] = {
    {"torus:dims=4x4", "dor:vcs=2,dateline=yes", true},
    {"torus:dims=5x3", "duato", true},
    {"mesh:dims=3x4x2", "dor", true},
    {"mesh:dims=4x4", "west-first", true},
    {"hypercube:n=4", "dor", true},
    {"ring:n=7", "dor", true},
    {"kary-tree:k=3,n=3", "updown", true},
    {"kary-tree:k=2,n=4", "ft2ei", true},
    {"ruft:k=2,n=3", "ruft", true},
    {"dragonfly:p=1,a=2,h=1", "dragonfly-min", false},
    {"torus:dims=4x4", "valiant", false},
    {"slimfly:q=5", "minimal", true},
};

/* In the order of --delays. */
#define DELAYS(routing, crossbar, link, fly, credit)                                                                             \
    .routing_delay = (routing), .crossbar_delay = (crossbar), .link_delay = (link), .fly_delay = (fly), .credit_delay = (credit)

static const hf_kernel_options variants[] = {
    {.packet_length = 1, .buffer = 8, DELAYS(1, 1, 1, 1, 1)},
    {.selection = HF_SELECT_FIRST, .packet_length = 5, .buffer = 16, DELAYS(0, 0, 1, 1, 1)},
    {.reuse_early = true, .selection = HF_SELECT_CREDITS, .packet_length = 24, .buffer = 10, DELAYS(3, 2, 4, 2, 2)},
    {.switching = HF_SWITCHING_VCT, .packet_length = 6, .buffer = 12, DELAYS(2, 1, 3, 7, 1)},
    {.switching = HF_SWITCHING_SAF, .packet_length = 6, .buffer = 6, DELAYS(2, 1, 3, 7, 4)},
    {.switching = HF_SWITCHING_SAF, .selection = HF_SELECT_FIRST, .packet_length = 1, .buffer = 1, DELAYS(0, 0, 1, 2, 1)},
    {.reuse_early = true,
     .packet_length = 4,
     .buffer = 8,
     DELAYS(0, 1, 2, 1, 3),
     .vc_stage = true,
     .outputs_first = true,
     .terminal_vcs = HF_TERMINAL_VCS_ANY},
    {.switching = HF_SWITCHING_SAF, .packet_length = 4, .buffer = 8, DELAYS(1, 1, 2, 3, 1), .vc_stage = true},
    {.switching = HF_SWITCHING_VCT,
     .packet_length = 8,
     .buffer = 16,
     DELAYS(20, 1, 8, 8, 1),
     .exit_delay = 29,
     .one_routing_unit = true},
    {.packet_length = 24, .buffer = 10, DELAYS(3, 2, 4, 2, 2), .output_queue = 3, .speedup = 2},
    {.packet_length = 5, .buffer = 16, DELAYS(0, 0, 1, 1, 1), .output_queue = 1},
    {.switching = HF_SWITCHING_VCT,
     .packet_length = 8,
     .buffer = 16,
     DELAYS(20, 1, 8, 8, 1),
     .exit_delay = 29,
     .output_queue = 16,
     .speedup = 2},
    {.switching = HF_SWITCHING_SAF, .packet_length = 6, .buffer = 6, DELAYS(2, 1, 3, 7, 4), .output_queue = 6, .speedup = 3},
    {.packet_length = 7, .buffer = 5, DELAYS(1, 2, 2, 1, 1), .transit_first = true},
    {.switching = HF_SWITCHING_VCT,
     .packet_length = 4,
     .buffer = 13,
     DELAYS(1, 1, 1, 1, 1),
     .transit_first = true,
     .injection_room = 3},
    {.switching = HF_SWITCHING_VCT, .bubble = true, .packet_length = 5, .buffer = 10, DELAYS(2, 3, 4, 1, 2)},
    {.switching = HF_SWITCHING_SAF,
     .bubble = true,
     .packet_length = 3,
     .buffer = 7,
     DELAYS(1, 0, 2, 2, 3),
     .output_queue = 6,
     .speedup = 2},
    {.reuse_early = true,
     .packet_length = 4,
     .buffer = 8,
     DELAYS(0, 1, 2, 1, 3),
     .vc_stage = true,
     .outputs_first = true,
     .terminal_vcs = HF_TERMINAL_VCS_ONE,
     .output_queue = 4,
     .speedup = 2},
    {.switching = HF_SWITCHING_VCT,
     .selection = HF_SELECT_SADP,
     .packet_length = 8,
     .buffer = 8,
     DELAYS(1, 1, 1, 1, 1),
     .reorder = 1},
    {.contention = HF_CONTENTION_DROP, .packet_length = 24, .buffer = 1, DELAYS(3, 2, 4, 2, 1), .outstanding = 1},
    {.contention = HF_CONTENTION_DROP, .packet_length = 1, .buffer = 1, DELAYS(0, 0, 1, 1, 1), .outstanding = 4},
    {.contention = HF_CONTENTION_CIRCUIT, .packet_length = 5, .buffer = 1, DELAYS(3, 2, 4, 2, 1), .outstanding = 1},
    {.contention = HF_CONTENTION_CIRCUIT, .packet_length = 1, .buffer = 1, DELAYS(0, 0, 1, 3, 1), .outstanding = 2},
};

/* The closed form for a way over h switches. */
static uint64_t closed_form(const hf_kernel_options *o, uint32_t h) {
    const uint64_t last = o->exit_delay ? o->exit_delay : o->fly_delay;
    const uint64_t ways = o->fly_delay + last + (uint64_t)(h - 1) * o->link_delay;
    const uint64_t switches = (uint64_t)h * (o->routing_delay + o->crossbar_delay) + (h + 1) * (uint64_t)o->vc_stage;
    const uint64_t serial = (o->switching == HF_SWITCHING_SAF ? h + 1 : 1) * (uint64_t)(o->packet_length - 1);
    if (o->contention == HF_CONTENTION_CIRCUIT) { /* there, the answer back, and the data, which are not routed */
        return 3 * (ways + (uint64_t)h * o->crossbar_delay) + (uint64_t)h * o->routing_delay + serial;
    }
    return ways + switches + serial;
}

static void check_pair(fixture *fx, hf_kernel *k, const hf_kernel_options *o, const uint32_t *distance, uint32_t s, uint32_t d) {
    const hf_kernel_counts before = *hf_kernel_read(k), *now = hf_kernel_read(k);
    fixture_ok(fx, hf_kernel_send(k, s, d));
    for (int i = 0; i < 100000 && hf_kernel_present(k) > 0; i++) {
        fixture_ok(fx, hf_kernel_run(k, 1));
    }
    assert_int_equal(now->delivered, before.delivered + 1);
    const uint32_t hops = (uint32_t)((now->flit_hops - before.flit_hops) / o->packet_length);
    if (distance) {
        assert_int_equal(hops, distance[fx->topo->n_switch + s]);
    }
    const uint64_t latency = now->latency_sum - before.latency_sum;
    if (latency != closed_form(o, hops - 1)) {
        fail_msg("%s, %s, %s: t%u to t%u over %u switches takes %u cycles, the closed form says %u", fx->topo->spec,
                 fx->rule.spec, hf_kernel_switching_name(o), s, d, hops - 1, (unsigned)latency,
                 (unsigned)closed_form(o, hops - 1));
    }
    assert_int_equal(now->network_latency_sum - before.network_latency_sum, latency - o->vc_stage);
    fixture_ok(fx, hf_kernel_run(k, 60)); /* credits come home */
}

/* \return whether the kernel takes the options on the network */
static bool check_all(fixture *fx, const hf_plan *plan, const hf_kernel_options *o, bool is_minimal) {
    const hf_topology *topo = fx->topo;
    hf_kernel *k;
    uint32_t *queue, *distance;
    const hf_mark mark = hf_scratch_mark(fx->cx);
    if (hf_kernel_new(fx->cx, plan, o, &k) != HF_OK) { /* bubbles without rings, a selection of trees elsewhere */
        assert_true(o->bubble || o->selection >= HF_SELECT_SSP);
        hf_scratch_reset(fx->cx, mark);
        return false;
    }
    fixture_ok(fx, hf_scratch(fx->cx, topo->n_node, sizeof *queue, (void **)&queue));
    fixture_ok(fx, hf_scratch(fx->cx, topo->n_node, sizeof *distance, (void **)&distance));
    for (uint32_t d = 0; d < topo->n_terminal; d++) {
        hf_distances(topo, NULL, topo->n_switch + d, true, queue, distance);
        for (uint32_t s = 0; s < topo->n_terminal; s++) {
            if (s != d) {
                check_pair(fx, k, o, is_minimal ? distance : NULL, s, d);
            }
        }
    }
    hf_scratch_reset(fx->cx, mark);
    return true;
}

static void all_pairs(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        fixture fx;
        hf_fault_set none;
        hf_plan plan;
        fixture_open(&fx, networks[i].topo, NULL, networks[i].rule);
        fixture_plan(&fx, "", &none, &plan);
        for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
            (void)check_all(&fx, &plan, &variants[v], networks[i].is_minimal);
        }
        fixture_close(&fx);
    }
}

typedef struct tally {
    uint32_t relations, topologies;
    uint32_t by_variant[sizeof variants / sizeof *variants];
} tally;

/* \return whether the topology takes the rule */
static bool check_rule(fixture *fx, const char *rule, tally *t) {
    hf_fault_set none;
    hf_plan plan;
    if (hf_rule_init(fx->cx, rule, fx->topo, &fx->rule) != HF_OK) {
        return false;
    }
    const hf_mark mark = hf_scratch_mark(fx->cx);
    fixture_plan(fx, "", &none, &plan);
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
        hf_kernel_options o = variants[v];
        if (plan.routing->escape) { /* a packet that goes round the ring of immunet meets itself */
            o.selection = o.contention == HF_CONTENTION_WAIT ? HF_SELECT_ESCAPE_LAST : HF_SELECT_FIRST;
        }
        t->by_variant[v] += check_all(fx, &plan, &o, false);
    }
    hf_scratch_reset(fx->cx, mark);
    hf_rule_free(&fx->rule);
    t->relations++;
    return true;
}

static void every_topology(void **state) {
    (void)state;
    tally t = {0};
    const uint32_t step = share_step();
    for (size_t i = 0; i < N_TOPOLOGY_SPEC; i++) {
        fixture fx = {0};
        bool is_taken = false;
        fixture_open(&fx, topology_specs[i], NULL, NULL);
        for (size_t r = i % step; r < hf_routing_count() && fx.topo->n_terminal > 1; r += step) {
            is_taken |= check_rule(&fx, hf_routing_at(r)->name, &t);
        }
        for (size_t r = i % step; r < N_RULE_SPEC && fx.topo->n_terminal > 1; r += step) {
            is_taken |= check_rule(&fx, rule_specs[r], &t);
        }
        assert_true(is_taken || step > 1 || fx.topo->n_terminal == 1);
        t.topologies += is_taken;
        fixture_close(&fx);
    }
    print_message("%u relations on %u networks\n", t.relations, t.topologies);
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
        assert_true(t.by_variant[v] > 10 / step);
    }
}

static void bubbles(void **state) {
    (void)state;
    hf_kernel_options o = hf_kernel_usual();
    o.switching = HF_SWITCHING_VCT;
    o.bubble = true;
    fixture fx;
    hf_fault_set none;
    hf_plan plan;
    fixture_open(&fx, "torus:dims=4x5", NULL, "dor");
    fixture_plan(&fx, "", &none, &plan);
    assert_true(check_all(&fx, &plan, &o, true));
    fixture_close(&fx);
}

/* A failed link: the way is longer, the form the same. */
static void with_faults(void **state) {
    (void)state;
    const hf_kernel_options o = hf_kernel_usual();
    fixture fx;
    hf_fault_set set;
    hf_plan plan;
    fixture_open(&fx, "mesh:dims=3x3", NULL, "updown-graph");
    fixture_plan(&fx, "s0:0", &set, &plan);
    assert_true(check_all(&fx, &plan, &o, false));
    fixture_close(&fx);
}

static void refusals(void **state) {
    (void)state;
    fixture fx;
    hf_fault_set none;
    hf_plan plan;
    hf_kernel *k;
    fixture_open(&fx, "mesh:dims=3x3", NULL, "minimal");
    fixture_plan(&fx, "", &none, &plan);
    hf_kernel_options o = hf_kernel_usual();
    o.bubble = true;
    assert_int_equal(hf_kernel_new(fx.cx, &plan, &o, &k), HF_EINVAL);
    o.switching = HF_SWITCHING_VCT;
    assert_int_equal(hf_kernel_new(fx.cx, &plan, &o, &k), HF_ENOTSUP);
    o.bubble = false;
    o.packet_length = 9;
    assert_int_equal(hf_kernel_new(fx.cx, &plan, &o, &k), HF_EINVAL);
    o = hf_kernel_usual();
    o.credit_delay = 0;
    assert_int_equal(hf_kernel_new(fx.cx, &plan, &o, &k), HF_EINVAL);
    o = hf_kernel_usual();
    o.speedup = 2; /* of a crossbar without output queues */
    assert_int_equal(hf_kernel_new(fx.cx, &plan, &o, &k), HF_EINVAL);
    o.output_queue = 1;
    fixture_ok(&fx, hf_kernel_new(fx.cx, &plan, &o, &k));
    o.switching = HF_SWITCHING_SAF; /* a queue that holds no packet */
    assert_int_equal(hf_kernel_new(fx.cx, &plan, &o, &k), HF_EINVAL);
    o = hf_kernel_usual();
    o.output_queue = 8;
    o.contention = HF_CONTENTION_DROP;
    assert_int_equal(hf_kernel_new(fx.cx, &plan, &o, &k), HF_EINVAL);
    o = hf_kernel_usual();
    fixture_ok(&fx, hf_kernel_new(fx.cx, &plan, &o, &k));
    assert_int_equal(hf_kernel_send(k, 3, 3), HF_EINVAL);
    fixture_ok(&fx, hf_kernel_send(k, 3, 4));
    assert_int_equal(hf_kernel_send(k, 3, 4), HF_EINVAL);
    fixture_close(&fx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_pairs),   cmocka_unit_test(every_topology), cmocka_unit_test(bubbles),
        cmocka_unit_test(with_faults), cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
