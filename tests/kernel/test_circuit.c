/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Networks without buffers, where blocked packets are dropped or circuits refused: books, fairness of nothing held for ever,
 *  what two packets that meet do, and the limits that a source with few packets on their way cannot pass. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/kernel/kernel.h"
#include "tests/oracle/fixture.h"

typedef struct run {
    fixture fx;
    hf_traffic *traffic;
    hf_fault_set faults;
    hf_plan plan;
    hf_kernel *k;
} run;

static hf_kernel_options options_of(hf_contention contention) {
    hf_kernel_options o = hf_kernel_usual();
    o.contention = contention;
    return o;
}

static void open_run(run *r, const char *topo, const char *rule, const char *faults, const hf_kernel_options *o) {
    fixture_open(&r->fx, topo, NULL, rule);
    fixture_plan(&r->fx, faults, &r->faults, &r->plan);
    fixture_ok(&r->fx, hf_kernel_new(r->fx.cx, &r->plan, o, &r->k));
    r->traffic = NULL;
}

static void offer(run *r, const char *pattern, double load) {
    fixture_ok(&r->fx, hf_traffic_new(r->fx.cx, r->fx.topo, pattern, &r->traffic));
    fixture_ok(&r->fx, hf_kernel_offer(r->k, r->traffic, load, 5));
}

static void close_run(run *r) {
    hf_traffic_free(r->traffic);
    fixture_close(&r->fx);
}

/* Rules that would deadlock with buffers go on for ever here; packets neither vanish nor double. */
static void goes_on(void **state) {
    (void)state;
    static const char *const networks[][3] = {{"torus:dims=4x4", "dor", ""},
                                              {"ring:n=8", "minimal", ""},
                                              {"kary-tree:k=4,n=2", "updown", "s0:4-s4:0"},
                                              {"multibutterfly:radix=2,stages=3", "multipath", ""}};
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        for (int contention = HF_CONTENTION_DROP; contention <= HF_CONTENTION_CIRCUIT; contention++) {
            hf_kernel_options o = options_of((hf_contention)contention);
            o.outstanding = 3;
            o.backoff = (hf_backoff)(i % 4);
            run r;
            uint64_t delivered = 0;
            open_run(&r, networks[i][0], networks[i][1], networks[i][2], &o);
            offer(&r, "uniform", 3);
            for (int step = 0; step < 20; step++) {
                bool is_whole;
                fixture_ok(&r.fx, hf_kernel_run(r.k, 1000));
                fixture_ok(&r.fx, hf_kernel_is_whole(r.k, &is_whole));
                assert_true(is_whole);
                assert_true(hf_kernel_read(r.k)->delivered > delivered);
                delivered = hf_kernel_read(r.k)->delivered;
            }
            assert_true(hf_kernel_read(r.k)->retries > 0);
            assert_int_equal(hf_kernel_read(r.k)->lost, 0);
            close_run(&r);
        }
    }
}

/* Cycles until both packets are there. */
static uint64_t drain(run *r) {
    while (hf_kernel_present(r->k) > 0) {
        fixture_ok(&r->fx, hf_kernel_run(r->k, 1));
        assert_true(hf_kernel_read(r->k)->cycle < 10000);
    }
    return hf_kernel_read(r->k)->cycle;
}

/* Terminals 0 and 1 send to 3 over a line of four switches in the same cycle: t0's header comes to s1 after t1's has left it. */
static void two_meet(void **state) {
    (void)state;
    for (int contention = HF_CONTENTION_DROP; contention <= HF_CONTENTION_CIRCUIT; contention++) {
        const hf_kernel_options o = options_of((hf_contention)contention);
        run r;
        open_run(&r, "mesh:dims=4", "dor", "", &o);
        fixture_ok(&r.fx, hf_kernel_send(r.k, 0, 3));
        fixture_ok(&r.fx, hf_kernel_send(r.k, 1, 3));
        (void)drain(&r);
        const hf_kernel_counts *n = hf_kernel_read(r.k);
        assert_int_equal(n->delivered, 2);
        /* t0's leaves s0 in cycle 2 and asks at s1 in cycle 5; t1's left s1 in cycle 2: its 4 flits pass until cycle 6, or its
         * circuit stands until much later. So t0's is blocked at least once. */
        assert_true(n->retries >= 1);
        close_run(&r);
    }
}

/* One packet on its way a terminal: at most one in its zero-load time, which a neighbour's is exactly. */
static void outstanding(void **state) {
    (void)state;
    const hf_kernel_options o = options_of(HF_CONTENTION_DROP);
    run r;
    open_run(&r, "ring:n=8", "dor", "", &o);
    offer(&r, "neighbour", 4);
    fixture_ok(&r.fx, hf_kernel_run(r.k, 10001));
    const hf_kernel_counts *n = hf_kernel_read(r.k);
    /* two switches: 2 ways of terminals, 1 link, 2 routings, 2 crossbars, 3 flits behind the header: 10 cycles */
    assert_int_equal(n->retries, 0);
    assert_true(n->delivered <= 8 * 1000 && n->delivered >= 8 * 990);
    close_run(&r);
}

static void same_bytes(void **state) {
    (void)state;
    hf_kernel_counts counts[2];
    for (int i = 0; i < 2; i++) {
        hf_kernel_options o = options_of(HF_CONTENTION_CIRCUIT);
        o.outstanding = 4;
        run r;
        open_run(&r, "kary-tree:k=4,n=2", "updown", "", &o);
        offer(&r, "uniform", 0.5);
        for (int step = 0; step < 5000; step += i ? 1000 : 1) {
            fixture_ok(&r.fx, hf_kernel_run(r.k, i ? 1000 : 1));
        }
        counts[i] = *hf_kernel_read(r.k);
        close_run(&r);
    }
    assert_memory_equal(&counts[0], &counts[1], sizeof counts[0]);
}

static void refusals(void **state) {
    (void)state;
    fixture fx;
    hf_fault_set none;
    hf_plan plan;
    hf_kernel *k;
    hf_kernel_options o = options_of(HF_CONTENTION_DROP);
    fixture_open(&fx, "kary-tree:k=4,n=2", NULL, "updown");
    fixture_plan(&fx, "", &none, &plan);
    o.outstanding = 0;
    assert_int_equal(hf_kernel_new(fx.cx, &plan, &o, &k), HF_EINVAL);
    o.outstanding = 1;
    o.reorder = 20;
    assert_int_equal(hf_kernel_new(fx.cx, &plan, &o, &k), HF_EINVAL);
    o.reorder = 0;
    o.selection = HF_SELECT_SADP;
    assert_int_equal(hf_kernel_new(fx.cx, &plan, &o, &k), HF_EINVAL);
    o.selection = HF_SELECT_FIRST;
    fixture_ok(&fx, hf_kernel_new(fx.cx, &plan, &o, &k));
    const hf_kernel_fault fault = {10, &none, &plan};
    const hf_repair_options usual = hf_repair_usual();
    assert_int_equal(hf_kernel_schedule(k, &fault, 1, &usual), HF_ENOTSUP);
    fixture_close(&fx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(goes_on),    cmocka_unit_test(two_meet), cmocka_unit_test(outstanding),
        cmocka_unit_test(same_bytes), cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
