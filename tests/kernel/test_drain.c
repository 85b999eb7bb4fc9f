/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  A ring that is full: without a drain it stands for ever, with one every packet arrives, and the books add up all the way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "src/analysis/deadlock/decide.h"
#include "src/kernel/kernel.h"
#include "src/routing/immunet/immunet.h"
#include "tests/oracle/fixture.h"
#include "tests/support/kernel_books.h"

enum { STUCK_CYCLES = 2000, DRAIN_CYCLES = 30000 };

static const struct {
    const char *topo;
    uint32_t packets, output_queue; /* of a buffer; flits */
} networks[] = {{"torus:dims=3x3", 2, 0},
                {"mesh:dims=3x3", 3, 0},
                {"torus:dims=4x3", 2, 8},
                {"random-regular:n=8,degree=3", 2, 0},
                {"complete:n=5", 4, 0}};

typedef struct scene {
    fixture fx;
    hf_fault_set set;
    hf_plan plan;
    hf_kernel_options o;
    hf_blocked *blocked;
    uint32_t n;
} scene;

/* A packet that has come to resource q of the ring, and goes on. */
static bool find_packet(scene *x, uint32_t q, hf_blocked *out) {
    const hf_topology *topo = x->fx.topo;
    const uint32_t there = topo->to[q / x->plan.n_vc];
    for (uint32_t s = 0; s < topo->n_terminal; s++) {
        for (uint32_t d = 0; d < topo->n_terminal; d++) {
            const bool goes_on =
                s != d && topo->terminal_switch[d] != there && hf_plan_is_live(&x->plan, s) && hf_plan_is_live(&x->plan, d);
            *out = (hf_blocked){.source = s, .destination = d, .n_hold = 1};
            if (goes_on && hf_find_path(x->fx.cx, &x->plan, HF_NONE, q, 0, out) == HF_OK) {
                fixture_ok(&x->fx, hf_scratch(x->fx.cx, 1, sizeof *out->hold, (void **)&out->hold));
                out->hold[0] = q;
                return true;
            }
        }
    }
    return false;
}

/* The ring after a fault, with packets for each of its buffers, that go on behind it. \return false: a buffer leads to a leaf
 * that no packet passes */
static bool open_scene(scene *x, size_t i, uint32_t component) {
    *x = (scene){.o = hf_kernel_usual()};
    fixture_open(&x->fx, networks[i].topo, "links+switches", "immunet:safe=provisional,transfers=0");
    fixture_plan_set(&x->fx, &component, 1, &x->set, &x->plan);
    x->o.switching = HF_SWITCHING_VCT;
    x->o.bubble = true;
    x->o.buffer = networks[i].packets * x->o.packet_length;
    x->o.output_queue = networks[i].output_queue;
    x->o.speedup = networks[i].output_queue ? 2 : 1;
    const hf_immunet *s = x->plan.state;
    fixture_ok(&x->fx, hf_scratch(x->fx.cx, s->ways.n_way, sizeof *x->blocked, (void **)&x->blocked));
    bool is_full = true;
    for (uint32_t w = 0; w < s->ways.n_way; w++) {
        if (s->ring.next[w] != HF_NONE) {
            is_full = is_full && find_packet(x, s->ways.channel[w] * x->plan.n_vc + HF_IMMUNET_SAFE, &x->blocked[x->n++]);
        }
    }
    return is_full;
}

static hf_kernel *fill(scene *x, uint32_t drain_after) {
    hf_kernel *k;
    bool is_whole = false;
    x->o.drain_after = drain_after;
    fixture_ok(&x->fx, hf_kernel_new(x->fx.cx, &x->plan, &x->o, &k));
    fixture_ok(&x->fx, hf_kernel_place(k, x->blocked, x->n));
    k->counts.generated = hf_kernel_present(k); /* nobody has */
    fixture_ok(&x->fx, kernel_is_whole(k, &is_whole));
    assert_true(is_whole);
    return k;
}

static uint32_t in_deadlock(scene *x, hf_kernel *k) {
    hf_blocked *blocked;
    uint32_t count;
    fixture_ok(&x->fx, hf_kernel_deadlock(k, &blocked, &count));
    return count;
}

/* With other packets coming in or without. */
static void drain(scene *x, bool has_traffic, uint64_t seed) {
    hf_kernel *k = fill(x, 50);
    hf_traffic *pattern;
    const uint64_t placed = hf_kernel_present(k);
    assert_true(placed >= 2 * (uint64_t)x->n);
    fixture_ok(&x->fx, hf_traffic_new(x->fx.cx, x->fx.topo, "uniform", &pattern));
    fixture_ok(&x->fx, has_traffic ? hf_kernel_offer(k, pattern, 0.05, seed) : HF_OK);
    for (int step = 0; step < DRAIN_CYCLES / 20 && (has_traffic || hf_kernel_present(k) > 0); step++) {
        bool is_whole = false;
        fixture_ok(&x->fx, hf_kernel_run(k, 20));
        fixture_ok(&x->fx, kernel_is_whole(k, &is_whole));
        assert_true(is_whole);
        assert_int_equal(in_deadlock(x, k), 0);
    }
    const hf_kernel_counts *n = hf_kernel_read(k);
    assert_true(n->drained > 0 && n->lost == 0);
    if (has_traffic) {
        assert_true(n->delivered > placed && hf_kernel_present(k) < placed);
    } else {
        assert_int_equal(n->delivered, placed);
    }
    hf_traffic_free(pattern);
}

static void every_packet_arrives(void **state) {
    (void)state;
    uint32_t full = 0;
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        for (uint32_t component = 0; component < 15; component += 2) {
            scene x;
            if (open_scene(&x, i, component)) {
                hf_kernel *stuck = fill(&x, 0);
                fixture_ok(&x.fx, hf_kernel_run(stuck, STUCK_CYCLES));
                assert_true(in_deadlock(&x, stuck) > 0);
                assert_int_equal(hf_kernel_read(stuck)->delivered, 0);
                drain(&x, false, component);
                drain(&x, true, component);
                full++;
            }
            fixture_close(&x.fx);
        }
    }
    print_message("%u full rings\n", (unsigned)full);
    assert_true(full > 5);
}

/* A terminal fails while packets are at its interface: they are lost with it, and nothing stays kept for them. */
static void a_terminal_takes_them_along(void **state) {
    (void)state;
    scene x;
    uint32_t packet = 0, all;
    hf_fault_set more;
    hf_plan after;
    char names[120], old[80];
    assert_true(open_scene(&x, 0, 0));
    hf_kernel *k = fill(&x, 50);
    fixture_ok(&x.fx, hf_kernel_run(k, 110));
    all = (uint32_t)hf_kernel_present(k);
    assert_true(hf_kernel_parked(k, 0, &packet) > 0);
    hf_universe_name(x.fx.universe, 0, old, sizeof old);
    snprintf(names, sizeof names, "%s,s4", old);
    fixture_plan(&x.fx, names, &more, &after);
    const hf_kernel_fault fault = {hf_kernel_read(k)->cycle, &more, &after};
    const hf_reconfiguration_options costs = hf_reconfiguration_usual();
    fixture_ok(&x.fx, hf_kernel_schedule(k, &fault, 1, &costs));
    for (int step = 0; step < DRAIN_CYCLES / 20; step++) {
        bool is_whole = false;
        fixture_ok(&x.fx, hf_kernel_run(k, 20));
        fixture_ok(&x.fx, kernel_is_whole(k, &is_whole));
        assert_true(is_whole);
    }
    const hf_kernel_counts *n = hf_kernel_read(k);
    assert_true(n->lost > 0 && hf_kernel_present(k) == 0);
    assert_int_equal(n->delivered + n->lost + n->refused, all);
    for (uint32_t q = 0; q < k->n_resource; q++) {
        assert_true(k->owner[q] == HF_NONE);
    }
    fixture_close(&x.fx);
}

static void only_rings_are_drained(void **state) {
    (void)state;
    scene x;
    hf_kernel *k;
    assert_true(open_scene(&x, 0, 0));
    x.o.drain_after = 10;
    x.o.bubble = false;
    assert_int_equal(hf_kernel_new(x.fx.cx, &x.plan, &x.o, &k), HF_EINVAL);
    fixture_close(&x.fx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_packet_arrives),
        cmocka_unit_test(a_terminal_takes_them_along),
        cmocka_unit_test(only_rings_are_drained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
