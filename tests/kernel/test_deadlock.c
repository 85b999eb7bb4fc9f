/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What `verify` says of deadlock is what the kernel shows. Witnesses, put in place, cannot move, and without one of their
 *  packets they can; relations that are free never stop at three times the load that saturates them; their twins without the
 *  cure do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/kernel.h>

#include "tests/oracle/fixture.h"

typedef struct network {
    const char *topo, *rule;
    hf_switching switching;
    bool bubble;
    bool has_queues; /* output queues, and a crossbar twice as fast */
} network;

#define WORMHOLE HF_SWITCHING_WORMHOLE, false, false
#define WORMHOLE_QUEUES HF_SWITCHING_WORMHOLE, false, true
#define VCT HF_SWITCHING_VCT, false, false
#define VCT_QUEUES HF_SWITCHING_VCT, false, true
#define SAF HF_SWITCHING_SAF, false, false
#define SAF_QUEUES HF_SWITCHING_SAF, false, true
#define BUBBLE HF_SWITCHING_VCT, true, false
#define BUBBLE_QUEUES HF_SWITCHING_VCT, true, true

static hf_kernel_options options_for(const network *n) {
    hf_kernel_options o = hf_kernel_usual();
    o.switching = n->switching;
    o.bubble = n->bubble;
    o.buffer = n->bubble ? 2 * o.packet_length : o.packet_length;
    if (n->switching == HF_SWITCHING_WORMHOLE) { /* worms over several channels */
        o.packet_length = 16;
    }
    if (n->has_queues) { /* under vct and saf a packet may lie in both */
        o.output_queue = n->switching == HF_SWITCHING_WORMHOLE ? 3 : o.buffer + 2;
        o.speedup = 2;
    }
    return o;
}

static void open_plan(fixture *fx, const network *n, hf_fault_set *none, hf_plan *plan) {
    fixture_open(fx, n->topo, NULL, n->rule);
    fixture_plan(fx, "", none, plan);
}

/* ---- witnesses ---- */

static const network cyclic[] = {
    {"ring:n=4", "dor:ties=plus", WORMHOLE},
    {"ring:n=7", "dor", SAF},
    {"torus:dims=4x4", "dor", WORMHOLE},
    {"torus:dims=4x5", "dor", VCT},
    {"mesh:dims=3x3", "minimal", VCT},
    {"mesh:dims=3x3", "minimal", WORMHOLE},
    {"torus:dims=4x4", "minimal", SAF},
    {"torus:dims=4x4", "dor:vcs=2", VCT},
    {"hypercube:n=3", "minimal:vcs=2", WORMHOLE},
    {"slimfly:q=5", "minimal", WORMHOLE},
    {"torus:dims=4x4", "dor", WORMHOLE_QUEUES},
    {"torus:dims=4x5", "dor", VCT_QUEUES},
    {"torus:dims=4x4", "minimal", SAF_QUEUES},
    {"hypercube:n=3", "minimal:vcs=2", WORMHOLE_QUEUES},
};

static uint64_t moves_of(fixture *fx, const hf_plan *plan, const hf_kernel_options *o, const hf_blocked *b, uint32_t n) {
    hf_kernel *k;
    hf_blocked *found;
    uint32_t count;
    fixture_ok(fx, hf_kernel_new(fx->cx, plan, o, &k));
    fixture_ok(fx, hf_kernel_place(k, b, n));
    fixture_ok(fx, hf_kernel_run(k, 500));
    fixture_ok(fx, hf_kernel_deadlock(k, &found, &count));
    assert_int_equal(count > 0, hf_kernel_read(k)->flit_hops == 0);
    return hf_kernel_read(k)->flit_hops;
}

static void witnesses(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof cyclic / sizeof *cyclic; i++) {
        fixture fx;
        hf_fault_set none;
        hf_plan plan;
        hf_deadlock answer;
        open_plan(&fx, &cyclic[i], &none, &plan);
        const hf_kernel_options o = options_for(&cyclic[i]);
        const hf_deadlock_options how = {.switching = o.switching, .want_witness = true};
        fixture_ok(&fx, hf_deadlock_decide(fx.cx, &plan, &how, &answer));
        assert_int_equal(answer.answer, HF_DEADLOCK_FOUND);
        assert_int_equal(moves_of(&fx, &plan, &o, answer.blocked, answer.n_blocked), 0);
        if (answer.is_smallest) {
            assert_true(moves_of(&fx, &plan, &o, answer.blocked, answer.n_blocked - 1) > 0);
        }
        fixture_close(&fx);
    }
}

static void bad_witnesses(void **state) {
    (void)state;
    fixture fx;
    hf_fault_set none;
    hf_plan plan;
    hf_deadlock answer;
    hf_kernel *k;
    open_plan(&fx, &cyclic[0], &none, &plan);
    const hf_kernel_options o = options_for(&cyclic[0]);
    const hf_deadlock_options how = {.switching = o.switching, .want_witness = true};
    fixture_ok(&fx, hf_deadlock_decide(fx.cx, &plan, &how, &answer));
    fixture_ok(&fx, hf_kernel_new(fx.cx, &plan, &o, &k));
    answer.blocked[0].destination = answer.blocked[0].source;
    assert_int_equal(hf_kernel_place(k, answer.blocked, answer.n_blocked), HF_EINVAL);
    fixture_ok(&fx, hf_kernel_new(fx.cx, &plan, &o, &k));
    answer.blocked[2] = answer.blocked[1];
    assert_int_equal(hf_kernel_place(k, answer.blocked + 1, 2), HF_EINVAL);
    fixture_close(&fx);
}

/* ---- pairs with and without the cure ---- */

/* Run far beyond saturation. \return packets of the deadlock that comes about, 0 if all goes on */
static uint32_t overload(const network *n, uint64_t cycles) {
    fixture fx;
    hf_fault_set none;
    hf_plan plan;
    hf_kernel *k;
    hf_traffic *traffic;
    hf_blocked *blocked;
    uint32_t count = 0;
    open_plan(&fx, n, &none, &plan);
    const hf_kernel_options o = options_for(n);
    fixture_ok(&fx, hf_traffic_new(fx.cx, fx.topo, "uniform", &traffic));
    fixture_ok(&fx, hf_kernel_new(fx.cx, &plan, &o, &k));
    fixture_ok(&fx, hf_kernel_offer(k, traffic, 3, 1));
    uint64_t delivered = 0;
    for (uint64_t done = 0; done < cycles && count == 0; done += 1000) {
        fixture_ok(&fx, hf_kernel_run(k, 1000));
        fixture_ok(&fx, hf_kernel_deadlock(k, &blocked, &count));
        if (count == 0 && hf_kernel_read(k)->delivered == delivered) {
            fail_msg("%s, %s, %s: no packet arrives, but no deadlock is found", n->topo, n->rule,
                     hf_switching_name(n->switching));
        }
        delivered = hf_kernel_read(k)->delivered;
    }
    if (count > 0) { /* what was found can be put in place again */
        assert_int_equal(moves_of(&fx, &plan, &o, blocked, count), 0);
    }
    hf_traffic_free(traffic);
    fixture_close(&fx);
    return count;
}

static const network pairs[][2] = {
    {{"ring:n=8", "dor", WORMHOLE}, {"ring:n=8", "dor:vcs=2,dateline=yes", WORMHOLE}},
    {{"torus:dims=6x6", "dor:vcs=2", WORMHOLE}, {"torus:dims=6x6", "dor:vcs=2,dateline=yes", WORMHOLE}},
    {{"torus:dims=6x6", "dor", VCT}, {"torus:dims=6x6", "dor:vcs=2,dateline=yes", VCT}},
    {{"torus:dims=6x6", "dor", SAF}, {"torus:dims=6x6", "dor:vcs=2,dateline=yes", SAF}},
    {{"torus:dims=6x6", "dor", VCT}, {"torus:dims=6x6", "dor", BUBBLE}},
    {{"ring:n=9", "dor", VCT}, {"ring:n=9", "dor", BUBBLE}},
    {{"mesh:dims=7x7", "minimal", WORMHOLE}, {"mesh:dims=7x7", "duato", WORMHOLE}},
    {{"torus:dims=5x5", "minimal", WORMHOLE}, {"torus:dims=5x5", "duato", WORMHOLE}},
    {{"mesh:dims=4x4", "minimal", VCT}, {"mesh:dims=4x4", "west-first", VCT}},
    {{"mesh:dims=4x4", "minimal", WORMHOLE}, {"mesh:dims=4x4", "odd-even", WORMHOLE}},
    {{"hypercube:n=4", "minimal", WORMHOLE}, {"hypercube:n=4", "dor", WORMHOLE}},
    {{"ring:n=8", "dor", WORMHOLE_QUEUES}, {"ring:n=8", "dor:vcs=2,dateline=yes", WORMHOLE_QUEUES}},
    {{"torus:dims=6x6", "dor", VCT_QUEUES}, {"torus:dims=6x6", "dor:vcs=2,dateline=yes", VCT_QUEUES}},
    {{"torus:dims=6x6", "dor", SAF_QUEUES}, {"torus:dims=6x6", "dor:vcs=2,dateline=yes", SAF_QUEUES}},
    {{"torus:dims=6x6", "dor", VCT_QUEUES}, {"torus:dims=6x6", "dor", BUBBLE_QUEUES}},
    {{"mesh:dims=7x7", "minimal", WORMHOLE_QUEUES}, {"mesh:dims=7x7", "duato", WORMHOLE_QUEUES}},
};

static void cures(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const network *without = &pairs[i][0], *with = &pairs[i][1];
        if (overload(without, 200000) == 0) {
            fail_msg("%s, %s, %s: no deadlock came about", without->topo, without->rule, hf_switching_name(without->switching));
        }
        if (overload(with, 20000) > 0) {
            fail_msg("%s, %s, %s: stopped", with->topo, with->rule, hf_switching_name(with->switching));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(witnesses),
        cmocka_unit_test(bad_witnesses),
        cmocka_unit_test(cures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
