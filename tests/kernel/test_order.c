/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Delivery in order: what waits is what came before its turn, never more than the buffer holds; where packets cannot overtake
 *  each other nothing changes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/kernel/kernel.h"
#include "tests/oracle/fixture.h"
#include "tests/support/kernel_books.h"

typedef struct run {
    fixture fx;
    hf_traffic *traffic;
    hf_fault_set none;
    hf_plan plan;
    hf_kernel *k;
} run;

static void open_run(run *r, const char *topo, const char *rule, uint32_t reorder, double load) {
    hf_kernel_options o = hf_kernel_usual();
    o.switching = HF_SWITCHING_VCT;
    o.reorder = reorder;
    fixture_open(&r->fx, topo, NULL, rule);
    fixture_plan(&r->fx, "", &r->none, &r->plan);
    fixture_ok(&r->fx, hf_traffic_new(r->fx.cx, r->fx.topo, "complement", &r->traffic));
    fixture_ok(&r->fx, hf_kernel_new(r->fx.cx, &r->plan, &o, &r->k));
    fixture_ok(&r->fx, hf_kernel_offer(r->k, r->traffic, load, 3));
}

static void close_run(run *r) {
    hf_traffic_free(r->traffic);
    fixture_close(&r->fx);
}

/* Numbers of what waits ascend, lie behind the next one, and fit the buffer. \return packets that wait */
static uint64_t check_waiting(const run *r, uint32_t reorder) {
    const uint32_t n = r->fx.topo->n_terminal;
    uint64_t count = 0;
    for (uint32_t i = 0; i < n * n; i++) {
        const hf_pair_order *o = &r->k->order[i];
        uint32_t last = o->next;
        assert_true(o->sent - o->next <= reorder);
        for (uint32_t p = o->waiting; p != HF_NONE; p = r->k->packet[p].behind) {
            const uint32_t number = r->k->packet[p].number;
            assert_true(number > last && number < o->sent);
            assert_int_equal(r->k->packet[p].source * n + r->k->packet[p].destination, i);
            last = number;
            count++;
        }
    }
    return count;
}

static void books(void **state) {
    (void)state;
    static const uint32_t sizes[] = {1, 2, 20, 200};
    uint64_t delivered = 0, most = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        run r;
        open_run(&r, "kary-tree:k=4,n=3", "updown", sizes[i], 0.9);
        for (int step = 0; step < 3000; step++) {
            bool is_whole;
            fixture_ok(&r.fx, hf_kernel_run(r.k, 1));
            const uint64_t waiting = check_waiting(&r, sizes[i]);
            most = waiting > most ? waiting : most;
            fixture_ok(&r.fx, kernel_is_whole(r.k, &is_whole));
            assert_true(is_whole);
        }
        assert_true(sizes[i] >= 20 ? hf_kernel_read(r.k)->reordered > 0 : sizes[i] > 1 || hf_kernel_read(r.k)->reordered == 0);
        assert_true(hf_kernel_read(r.k)->delivered >= delivered); /* a larger buffer does not deliver less */
        delivered = hf_kernel_read(r.k)->delivered;
        close_run(&r);
    }
    assert_true(most > 0);
}

/* One path a pair: no packet comes before its turn, and a buffer that is never full changes nothing. */
static void one_path(void **state) {
    (void)state;
    hf_kernel_counts counts[2];
    for (int has_order = 0; has_order < 2; has_order++) {
        run r;
        open_run(&r, "kary-tree:k=4,n=2", "destro", has_order ? 100000 : 0, 0.8);
        fixture_ok(&r.fx, hf_kernel_run(r.k, 5000));
        counts[has_order] = *hf_kernel_read(r.k);
        close_run(&r);
    }
    assert_int_equal(counts[1].reordered, 0);
    assert_memory_equal(&counts[0], &counts[1], sizeof counts[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(books), cmocka_unit_test(one_path)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
