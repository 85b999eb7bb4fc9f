/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Packets that come in: what is given and sent in every cycle is looked at, flit by flit. With the options nothing goes against
 *  them, without them much does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/kernel/kernel.h"
#include "tests/oracle/fixture.h"

enum { CYCLES = 4000 };

typedef struct run {
    fixture fx;
    hf_traffic *traffic;
    hf_fault_set none;
    hf_plan plan;
    hf_kernel *k;
    /* before the cycle */
    hf_lane *lane;
    uint32_t *owner, *credit;
} run;

static hf_kernel_options options_of(hf_switching switching, bool transit_first, uint32_t injection_room) {
    hf_kernel_options o = hf_kernel_usual();
    o.switching = switching;
    o.buffer = 12;
    o.selection = HF_SELECT_FIRST;
    o.transit_first = transit_first;
    o.injection_room = injection_room;
    return o;
}

static void open_run(run *r, const char *topo, const char *rule, const hf_kernel_options *o, double load) {
    fixture_open(&r->fx, topo, NULL, rule);
    fixture_plan(&r->fx, "", &r->none, &r->plan);
    fixture_ok(&r->fx, hf_traffic_new(r->fx.cx, r->fx.topo, "uniform", &r->traffic));
    fixture_ok(&r->fx, hf_kernel_new(r->fx.cx, &r->plan, o, &r->k));
    fixture_ok(&r->fx, hf_kernel_offer(r->k, r->traffic, load, 7));
    fixture_ok(&r->fx, hf_scratch(r->fx.cx, r->k->n_lane, sizeof *r->lane, (void **)&r->lane));
    fixture_ok(&r->fx, hf_scratch(r->fx.cx, r->k->n_resource, sizeof *r->owner, (void **)&r->owner));
    fixture_ok(&r->fx, hf_scratch(r->fx.cx, r->k->n_resource, sizeof *r->credit, (void **)&r->credit));
}

static void close_run(run *r) {
    hf_traffic_free(r->traffic);
    fixture_close(&r->fx);
}

static void step(run *r) {
    const hf_kernel *k = r->k;
    memcpy(r->lane, k->lane, k->n_lane * sizeof *r->lane);
    memcpy(r->owner, k->owner, k->n_resource * sizeof *r->owner);
    memcpy(r->credit, k->credit, k->n_resource * sizeof *r->credit);
    fixture_ok(&r->fx, hf_kernel_run(r->k, 1));
}

static bool comes_from_terminal(const run *r, uint32_t lane) {
    const hf_topology *topo = r->fx.topo;
    return lane < r->k->n_resource && hf_topology_is_terminal(topo, topo->from[lane / r->k->n_vc]);
}

/* Did a flit leave the lane in this cycle? */
static bool has_sent(const run *r, uint32_t lane) { return r->k->lane[lane].first != r->lane[lane].first; }

/* The lane to which q was given in this cycle, HF_NONE if to none. A packet is at least two flits long. */
static uint32_t given_to(const run *r, uint32_t q) { return r->k->owner[q] != r->owner[q] ? r->k->owner[q] : HF_NONE; }

/* ---- room ---- */

/* Room of the channels between switches in the moment in which they were given to packets of terminals. \return how many had less
 * than `least` flits */
static uint32_t given_with_less(const run *r, uint32_t least) {
    uint32_t count = 0;
    for (uint32_t q = 0; q < r->k->n_resource; q++) {
        const uint32_t lane = given_to(r, q);
        const bool is_between = r->fx.topo->to[q / r->k->n_vc] < r->fx.topo->n_switch;
        if (lane != HF_NONE && comes_from_terminal(r, lane) && is_between) {
            count += r->k->credit[q] + has_sent(r, lane) < least;
        }
    }
    return count;
}

static void room(void **state) {
    (void)state;
    static const char *const networks[][2] = {{"torus:dims=4x4", "dor:vcs=2,dateline=yes"}, {"mesh:dims=3x4", "duato"}};
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        for (hf_switching switching = HF_SWITCHING_VCT; switching <= HF_SWITCHING_SAF; switching++) {
            for (uint32_t packets = 1; packets <= 3; packets++) {
                const hf_kernel_options o = options_of(switching, false, packets);
                uint32_t with_less = 0, with_least = 0;
                run r;
                open_run(&r, networks[i][0], networks[i][1], &o, 1);
                for (int c = 0; c < CYCLES; c++) {
                    step(&r);
                    with_less += given_with_less(&r, packets * o.packet_length);
                    with_least += given_with_less(&r, packets * o.packet_length + 1);
                }
                assert_int_equal(with_less, 0);
                assert_true(with_least > 0); /* it does not ask for more than it needs, */
                assert_true(hf_kernel_read(r.k)->delivered > 1000);
                close_run(&r);
            }
        }
    }
}

/* ---- priority ---- */

/* Headers in transit that had been routed before this cycle, that want q alone and did not get it. Room for who got it was room
 * for them. */
static uint32_t passed_over(const run *r, uint32_t q) {
    const hf_kernel *k = r->k;
    const uint32_t node = r->fx.topo->from[q / k->n_vc];
    uint32_t count = 0;
    for (uint32_t lane = 0; lane < k->n_resource; lane++) {
        const hf_lane *was = &r->lane[lane], *l = &k->lane[lane];
        if (l->node != node || comes_from_terminal(r, lane) || was->slot == HF_NONE || l->slot == HF_NONE ||
            l->packet != was->packet || l->n_hop != 1) {
            continue;
        }
        const hf_hop hop = hf_lane_hop(k, lane, 0);
        count += hop.channel * k->n_vc + hop.vc == q;
    }
    return count;
}

static uint32_t headers_passed_over(const run *r) {
    uint32_t count = 0;
    for (uint32_t q = 0; q < r->k->n_resource; q++) {
        const uint32_t lane = given_to(r, q);
        count += lane != HF_NONE && comes_from_terminal(r, lane) ? passed_over(r, q) : 0;
    }
    return count;
}

/* Could a packet in transit have sent a flit over the channel in this cycle, as its whole input did nothing? */
static bool is_kept_waiting(const run *r, uint32_t channel) {
    const hf_kernel *k = r->k;
    for (uint32_t q = channel * k->n_vc; q < (channel + 1) * k->n_vc; q++) {
        const uint32_t lane = r->owner[q];
        if (lane >= k->n_resource || comes_from_terminal(r, lane) || r->lane[lane].count == 0 || r->credit[q] == 0) {
            continue;
        }
        bool is_idle = true; /* no other lane of the input has an output */
        for (uint32_t other = lane / k->n_vc * k->n_vc; other < (lane / k->n_vc + 1) * k->n_vc; other++) {
            is_idle &= !has_sent(r, other) && (other == lane || k->lane[other].out == HF_NONE);
        }
        if (is_idle) {
            return true;
        }
    }
    return false;
}

static uint32_t flits_passed_over(const run *r) {
    const hf_kernel *k = r->k;
    uint32_t count = 0;
    for (uint32_t lane = 0; lane < k->n_resource; lane++) {
        if (comes_from_terminal(r, lane) && has_sent(r, lane)) {
            const uint32_t q = r->lane[lane].out != HF_NONE ? r->lane[lane].out : k->lane[lane].out;
            count += q < k->n_resource && is_kept_waiting(r, q / k->n_vc);
        }
    }
    return count;
}

static void priority(void **state) {
    (void)state;
    static const char *const networks[][2] = {{"torus:dims=4x4", "dor:vcs=2,dateline=yes"}, {"kary-tree:k=3,n=3", "destro"}};
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        for (hf_switching switching = HF_SWITCHING_WORMHOLE; switching <= HF_SWITCHING_SAF; switching++) {
            for (int first = 0; first < 2; first++) {
                const hf_kernel_options o = options_of(switching, first, 1);
                uint32_t headers = 0, flits = 0;
                run r;
                open_run(&r, networks[i][0], networks[i][1], &o, 0.6);
                for (int c = 0; c < CYCLES; c++) {
                    step(&r);
                    headers += headers_passed_over(&r);
                    flits += flits_passed_over(&r);
                }
                assert_true(first ? headers == 0 && flits == 0 : headers > 0);
                assert_true(first || r.k->n_vc == 1 || flits > 0);
                assert_true(hf_kernel_read(r.k)->delivered > 1000);
                close_run(&r);
            }
        }
    }
}

/* ---- deadlock ---- */

/* Far beyond saturation. \return packets of the deadlock that comes about */
static uint32_t overload(const char *topo, const char *rule, const hf_kernel_options *o, int cycles) {
    hf_blocked *blocked;
    uint32_t count = 0;
    uint64_t delivered = 0;
    run r;
    open_run(&r, topo, rule, o, 3);
    for (int done = 0; done < cycles && count == 0; done += 1000) {
        fixture_ok(&r.fx, hf_kernel_run(r.k, 1000));
        fixture_ok(&r.fx, hf_kernel_deadlock(r.k, &blocked, &count));
        assert_true(count > 0 || hf_kernel_read(r.k)->delivered > delivered);
        delivered = hf_kernel_read(r.k)->delivered;
    }
    close_run(&r);
    return count;
}

/* On one ring, room for two packets is what bubble flow control asks of those that enter; elsewhere neither option is a cure. */
static void deadlocks(void **state) {
    (void)state;
    hf_kernel_options o = options_of(HF_SWITCHING_VCT, false, 1);
    o.buffer = 8;
    assert_true(overload("ring:n=9", "dor", &o, 200000) > 0);
    o.transit_first = true;
    assert_true(overload("torus:dims=6x6", "minimal", &o, 200000) > 0);
    o.transit_first = false;
    o.injection_room = 2;
    assert_int_equal(overload("ring:n=9", "dor", &o, 20000), 0);
    assert_true(overload("torus:dims=6x6", "dor", &o, 200000) > 0);
    o.transit_first = o.bubble = true;
    o.selection = HF_SELECT_ESCAPE_LAST;
    assert_int_equal(overload("torus:dims=6x6", "immunet:transfers=64", &o, 20000), 0);
    assert_int_equal(overload("torus:dims=4x4", "adaptive-bubble", &o, 20000), 0);
    o.output_queue = 8;
    o.speedup = 2;
    assert_int_equal(overload("torus:dims=6x6", "immunet:transfers=64", &o, 20000), 0);
    o = options_of(HF_SWITCHING_WORMHOLE, true, 1);
    assert_int_equal(overload("torus:dims=5x5", "duato", &o, 20000), 0);
}

/* ---- the rest ---- */

static void threads_do_not_show(void **state) {
    (void)state;
    static const double loads[] = {0.2, 0.6, 1};
    hf_point p[2][3];
    run r;
    const hf_kernel_options o = options_of(HF_SWITCHING_VCT, true, 2);
    open_run(&r, "torus:dims=4x4", "dor:vcs=2,dateline=yes", &o, 1);
    for (uint32_t i = 0; i < 2; i++) {
        const hf_simulation s = {.plan = &r.plan,
                                 .traffic = r.traffic,
                                 .kernel = o,
                                 .seed = 5,
                                 .window = 200,
                                 .batches = 4,
                                 .warm_up_most = 8,
                                 .threads = 1 + 2 * i};
        fixture_ok(&r.fx, hf_simulate(r.fx.cx, &s, loads, 3, p[i]));
    }
    for (int i = 0; i < 3; i++) {
        assert_true(p[0][i].flit_hops == p[1][i].flit_hops && p[0][i].latency.mean == p[1][i].latency.mean);
    }
    close_run(&r);
}

static void refusals(void **state) {
    (void)state;
    run r;
    hf_kernel *k;
    hf_kernel_options o = options_of(HF_SWITCHING_VCT, true, 3);
    open_run(&r, "mesh:dims=3x3", "dor", &o, 1);
    o.injection_room = 4; /* 16 flits */
    assert_int_equal(hf_kernel_new(r.fx.cx, &r.plan, &o, &k), HF_EINVAL);
    o.buffer = 16;
    fixture_ok(&r.fx, hf_kernel_new(r.fx.cx, &r.plan, &o, &k));
    o.output_queue = 15;
    assert_int_equal(hf_kernel_new(r.fx.cx, &r.plan, &o, &k), HF_EINVAL);
    o = options_of(HF_SWITCHING_WORMHOLE, true, 2);
    assert_int_equal(hf_kernel_new(r.fx.cx, &r.plan, &o, &k), HF_EINVAL);
    o.injection_room = 1;
    fixture_ok(&r.fx, hf_kernel_new(r.fx.cx, &r.plan, &o, &k));
    o.contention = HF_CONTENTION_DROP;
    assert_int_equal(hf_kernel_new(r.fx.cx, &r.plan, &o, &k), HF_EINVAL);
    close_run(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(room),      cmocka_unit_test(priority), cmocka_unit_test(threads_do_not_show),
        cmocka_unit_test(deadlocks), cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
