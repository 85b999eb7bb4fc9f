/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  FT2EI over sampled fault sets that it tolerates: their components fail one after the other while packets are about; once every
 *  switch works by its new table, none of the packets that come in is lost, and one from every terminal to every other arrives
 *  there, by a shortest way. (The kernel counts a packet that ends at another terminal as lost.) Two faults at once, as the paper
 *  has it, can leave switches without the news. Before the news are there, emergency paths are two hops longer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/bitset.h>
#include <holdfast/core/random.h>

#include "src/analysis/paths/walk.h"
#include "src/kernel/kernel.h"
#include "src/topology/search.h"
#include "tests/oracle/fixture.h"
#include "tests/support/share.h"

enum { SETS = 300, F_MOST = 24, FAULT_AT = 300, EVERY = 150, PATIENCE = 20000, HOPS_MOST = 64 };

typedef struct network {
    const char *topo, *rule, *universe;
    uint32_t f_most;
    hf_switching switching;
} network;

static const network networks[] = {
    {"kary-tree:k=2,n=3", "ft2ei", "links", 4, HF_SWITCHING_VCT},
    {"kary-tree:k=2,n=4", "ft2ei:intervals=2,vcs=2", "links", 4, HF_SWITCHING_WORMHOLE},
    {"kary-tree:k=4,n=2", "ft2ei", "links", 5, HF_SWITCHING_VCT},
    {"kary-tree:k=3,n=3", "ft2ei:intervals=2", "links+switches:stage=2", 8, HF_SWITCHING_SAF},
    {"kary-tree:k=4,n=3", "ft2ei", "links", F_MOST, HF_SWITCHING_VCT},
};

/* A kernel, and a set that fails component by component. */
typedef struct run {
    fixture fx;
    hf_random random;
    hf_kernel *k;
    uint32_t component[F_MOST], f;
    hf_fault_set none, set[F_MOST];
    hf_plan start, plan[F_MOST];
    hf_kernel_fault fault[F_MOST];
    hf_kernel_reconfiguration repair[F_MOST];
} run;

static bool is_tolerated(run *r, const hf_plan *plan) {
    hf_verdict v;
    fixture_ok(&r->fx, hf_tolerance_judge(r->fx.cx, plan, fixture_criterion(&r->fx, "all-pairs"), false, &v));
    return v.tolerated;
}

static void draw_set(run *r, uint32_t f_most) {
    do {
        r->f = 1 + (uint32_t)hf_random_below(&r->random, f_most);
        hf_random_subset(&r->random, r->fx.universe->n_component, r->f, r->component);
        fixture_plan_set(&r->fx, r->component, r->f, &r->set[0], &r->plan[0]);
    } while (!is_tolerated(r, &r->plan[0]));
    for (uint32_t i = 0; i < r->f; i++) {
        fixture_plan_set(&r->fx, r->component, i + 1, &r->set[i], &r->plan[i]);
        r->fault[i] = (hf_kernel_fault){FAULT_AT + (uint64_t)i * EVERY, &r->set[i], &r->plan[i]};
    }
}

static void open_run(run *r, const network *n, uint64_t seed, const hf_reconfiguration_options *o) {
    *r = (run){0};
    fixture_open(&r->fx, n->topo, n->universe, n->rule);
    fixture_plan_set(&r->fx, NULL, 0, &r->none, &r->start);
    hf_random_init(&r->random, seed, HF_PURPOSE_TEST, 0);
    draw_set(r, n->f_most);
    hf_kernel_options options = hf_kernel_usual();
    options.switching = n->switching;
    fixture_ok(&r->fx, hf_kernel_new(r->fx.cx, &r->start, &options, &r->k));
    fixture_ok(&r->fx, hf_kernel_schedule(r->k, r->fault, r->f, o));
}

static void run_empty(run *r) {
    for (uint32_t i = 0; i < PATIENCE && hf_kernel_present(r->k) > 0; i++) {
        fixture_ok(&r->fx, hf_kernel_run(r->k, 1));
    }
    assert_int_equal(hf_kernel_present(r->k), 0);
}

/* Packets between random terminals while the set fails and for some time after. */
static void fail_busily(run *r) {
    const uint32_t n = r->fx.topo->n_terminal;
    for (uint32_t cycle = 0; cycle < FAULT_AT + (r->f + 1) * EVERY; cycle++) {
        const uint32_t s = (uint32_t)hf_random_below(&r->random, n), d = (uint32_t)hf_random_below(&r->random, n);
        if (s != d && hf_kernel_waited(r->k, s) == 0 && hf_kernel_send(r->k, s, d) != HF_OK) {
            hf_context_clear(r->fx.cx); /* its last packet is not away yet */
        }
        fixture_ok(&r->fx, hf_kernel_run(r->k, 1));
    }
    run_empty(r);
    hf_kernel_reconfigurations(r->k, r->repair);
}

static uint64_t distances_to(run *r, uint32_t d, uint32_t by) {
    const hf_topology *topo = r->fx.topo;
    const uint32_t n = topo->n_terminal;
    uint32_t *queue, *distance;
    const hf_mark mark = hf_scratch_mark(r->fx.cx);
    fixture_ok(&r->fx, hf_scratch(r->fx.cx, topo->n_node, sizeof *queue, (void **)&queue));
    fixture_ok(&r->fx, hf_scratch(r->fx.cx, topo->n_node, sizeof *distance, (void **)&distance));
    hf_distances(topo, NULL, topo->n_switch + d, true, queue, distance);
    const uint64_t hops = distance[topo->n_switch + (d + n - by) % n];
    hf_scratch_reset(r->fx.cx, mark);
    return hops;
}

/* In each round every terminal sends to another, as far on as the number of the round. */
static void send_to_all(run *r) {
    const uint32_t n = r->fx.topo->n_terminal;
    for (uint32_t by = 1; by < n; by++) {
        const hf_kernel_counts before = *hf_kernel_read(r->k);
        uint64_t hops = 0;
        for (uint32_t s = 0; s < n; s++) {
            fixture_ok(&r->fx, hf_kernel_send(r->k, s, (s + by) % n));
            hops += distances_to(r, s, by);
        }
        run_empty(r);
        const hf_kernel_counts *now = hf_kernel_read(r->k);
        assert_int_equal(now->delivered - before.delivered, n);
        assert_int_equal(now->lost, before.lost);
        assert_int_equal(now->flit_hops - before.flit_hops, hops * hf_kernel_usual().packet_length);
    }
}

static void none_lost_or_misrouted(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        uint64_t hit = 0;
        for (uint64_t seed = 1; seed <= SETS; seed += share_step()) {
            hf_reconfiguration_options o = hf_reconfiguration_usual();
            run r;
            o.control = seed % 2 ? HF_CONTROL_PRIORITY : HF_CONTROL_EQUAL;
            o.is_in_turn = seed % 3 == 0;
            o.has_emergency_paths = seed % 5 == 0;
            open_run(&r, &networks[i], seed, &o);
            fail_busily(&r);
            for (uint32_t f = 0; f < r.f; f++) {
                hit += r.repair[f].hit;
                if (!r.repair[f].is_finished || r.repair[f].lost_late) {
                    fail_msg("%s, %s, seed %u, event %u: %s, %u lost late", networks[i].topo, networks[i].rule, (unsigned)seed, f,
                             r.repair[f].is_finished ? "finished" : "not finished", (unsigned)r.repair[f].lost_late);
                }
            }
            send_to_all(&r);
            fixture_close(&r.fx);
        }
        assert_true(hit > 0); /* the faults did meet traffic */
    }
}

/* ---- at once ---- */

static uint32_t stale_tables(fixture *fx, const hf_kernel *k, const hf_plan *plan) {
    const hf_hop *is = k->route_hops;
    hf_hop should[HOPS_MOST];
    uint32_t stale = 0;
    for (uint32_t sw = 0; sw < fx->topo->n_switch; sw++) {
        bool differs = false;
        for (uint32_t d = 0; d < fx->topo->n_terminal; d++) {
            size_t n;
            fixture_ok(fx, hf_kernel_route(k, sw, HF_HOP_INJECTION, d, &n));
            differs |= n != hf_plan_route(plan, sw, HF_HOP_INJECTION, d, should);
            for (size_t i = 0; i < n && !differs; i++) {
                differs = is[i].channel != should[i].channel;
            }
        }
        stale += differs;
    }
    return stale;
}

/* Link 0 of switch 14 and link 0 of switch 24 of the 2-ary 4-tree. At once, the news of 14 go up by 24 and stop there, so that
 * those under switch 16 do not hear of it, much as in [gomez2010, figure 3.8]. First that of 24, and when all know of it that of
 * 14: the news go by another switch, as in figure 3.9. */
static void two_at_once(void **state) {
    (void)state;
    const hf_reconfiguration_options o = hf_reconfiguration_usual();
    for (int at_once = 0; at_once < 2; at_once++) {
        fixture fx;
        hf_fault_set none, first, both;
        hf_plan start, plan[2];
        hf_kernel *k;
        const hf_kernel_options options = hf_kernel_usual();
        hf_kernel_reconfiguration report[2];
        fixture_open(&fx, "kary-tree:k=2,n=4", NULL, "ft2ei");
        fixture_plan(&fx, "", &none, &start);
        fixture_plan(&fx, "s16:2-s24:0", &first, &plan[0]);
        fixture_plan(&fx, "s16:2-s24:0,s6:2-s14:0", &both, &plan[1]);
        const hf_kernel_fault fault[] = {{10, &first, &plan[0]}, {200, &both, &plan[1]}}, together = {10, &both, &plan[1]};
        fixture_ok(&fx, hf_kernel_new(fx.cx, &start, &options, &k));
        fixture_ok(&fx, hf_kernel_schedule(k, at_once ? &together : fault, at_once ? 1 : 2, &o));
        fixture_ok(&fx, hf_kernel_run(k, 500));
        hf_kernel_reconfigurations(k, report);
        assert_true(report[at_once ? 0 : 1].is_finished);
        assert_int_equal(stale_tables(&fx, k, &plan[1]), at_once ? 4 : 0);
        fixture_close(&fx);
    }
}

/* ---- emergency paths ---- */

/* Follow every hop offered. \return the longest way; each is as long as the shortest one, or, where it deviates, two hops
 * longer */
static void follow(run *r, uint32_t at, hf_hop in, uint32_t d, uint32_t gone, uint32_t shortest, bool deviates,
                   uint64_t *deviated) {
    hf_hop hops[HOPS_MOST];
    const hf_topology *topo = r->fx.topo;
    if (at == topo->n_switch + d) {
        assert_int_equal(gone, shortest + (deviates ? 2 : 0));
        *deviated += deviates;
        return;
    }
    assert_true(gone < shortest + 2);
    size_t n;
    fixture_ok(&r->fx, hf_kernel_route(r->k, at, in, d, &n));
    memcpy(hops, r->k->route_hops, n * sizeof *hops);
    bool is_offered = false;
    for (size_t i = 0; i < n; i++) {
        if (hf_bit_test(r->set[0].channel_set, hops[i].channel)) {
            continue;
        }
        const bool now = hops[i].tag & HF_TAG_DEVIATED;
        is_offered = true;
        hops[i].tag &= ~HF_TAG_DEVIATED;
        follow(r, topo->to[hops[i].channel], hops[i], d, gone + 1, shortest, deviates || now, deviated);
    }
    assert_true(is_offered);
}

/* One link has failed, and no switch but the two at it has heard of it. */
static void emergency_is_two_hops(void **state) {
    (void)state;
    static const network trees[] = {{"kary-tree:k=2,n=3", "ft2ei", "links", 1, HF_SWITCHING_VCT},
                                    {"kary-tree:k=3,n=3", "ft2ei", "links:stage=1", 1, HF_SWITCHING_VCT},
                                    {"kary-tree:k=4,n=2", "ft2ei", "links", 1, HF_SWITCHING_VCT}};
    for (size_t i = 0; i < sizeof trees / sizeof *trees; i++) {
        for (uint64_t seed = 1; seed <= 8; seed++) {
            hf_reconfiguration_options o = hf_reconfiguration_usual();
            run r;
            uint64_t deviated = 0;
            o.has_emergency_paths = true;
            open_run(&r, &trees[i], seed, &o);
            fixture_ok(&r.fx, hf_kernel_run(r.k, FAULT_AT + 5));
            const uint32_t n = r.fx.topo->n_terminal;
            for (uint32_t d = 0; d < n; d++) {
                for (uint32_t by = 1; by < n; by++) {
                    const uint32_t s = r.fx.topo->n_switch + (d + n - by) % n;
                    follow(&r, s, HF_HOP_INJECTION, d, 0, (uint32_t)distances_to(&r, d, by), false, &deviated);
                }
            }
            assert_true(deviated > 0);
            fixture_close(&r.fx);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(none_lost_or_misrouted), cmocka_unit_test(two_at_once),
                                       cmocka_unit_test(emergency_is_two_hops)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
