/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Selection functions on an empty network: the way taken is the preferred one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/kernel/kernel.h"
#include "tests/oracle/fixture.h"

enum { K = 3, N = 3, WIDTH = 9, TERMINALS = 27 };

static uint32_t power(uint32_t i) { return i == 0 ? 1 : K * power(i - 1); }
static uint32_t digit(uint32_t number, uint32_t i) { return number / power(i) % K; }

/* Up ports by stage that a packet alone takes, whether headers choose once or not; HF_NONE where it goes up no more. */
static void send_alone(fixture *fx, const hf_plan *plan, hf_selection selection, uint32_t s, uint32_t d, uint32_t *port) {
    hf_kernel *k;
    hf_kernel_options o = hf_kernel_usual();
    const hf_topology *topo = fx->topo;
    const hf_mark mark = hf_scratch_mark(fx->cx);
    o.selection = selection;
    o.choose_once = selection != HF_SELECT_ESCAPE_LAST && (s + d) % 2;
    memset(port, 0xff, N * sizeof *port);
    fixture_ok(fx, hf_kernel_new(fx->cx, plan, &o, &k));
    fixture_ok(fx, hf_kernel_send(k, s, d));
    while (hf_kernel_present(k) > 0) {
        fixture_ok(fx, hf_kernel_run(k, 1));
        for (uint32_t r = 0; r < k->n_resource; r++) {
            const uint32_t from = topo->from[r / k->n_vc];
            if (k->lane[r].count > 0 && from < topo->n_switch && topo->from_port[r / k->n_vc] >= K) {
                port[from / WIDTH] = topo->from_port[r / k->n_vc] - K;
            }
        }
    }
    hf_scratch_reset(fx->cx, mark);
}

/* The digit that each function prefers at a stage; the digits of the switch are those of the way so far. */
static uint32_t preferred(hf_selection selection, uint32_t stage, uint32_t s, uint32_t d, const uint32_t *port) {
    uint32_t o = s / K; /* of the leaf switch; each stage that was left has put its port in */
    for (uint32_t i = 0; i < stage; i++) {
        o = o - digit(o, i) * power(i) + port[i] * power(i);
    }
    return selection == HF_SELECT_SSP        ? digit(o, stage)
           : selection == HF_SELECT_SDP      ? digit(d, 0)
           : selection == HF_SELECT_SOP      ? digit(s, 0)
           : selection == HF_SELECT_SADP     ? digit(d, stage)
           : selection == HF_SELECT_ADAP_LIN ? digit(s, stage)
                                             : 0;
}

static void preferred_way(void **state) {
    (void)state;
    fixture fx;
    hf_fault_set none;
    hf_plan plan;
    fixture_open(&fx, "kary-tree:k=3,n=3", NULL, "updown");
    fixture_plan(&fx, "", &none, &plan);
    for (int selection = HF_SELECT_FIRST; selection <= HF_SELECT_ADAP_LIN; selection++) {
        for (uint32_t s = 0; s < TERMINALS; s++) {
            for (uint32_t d = 0; d < TERMINALS; d++) {
                uint32_t port[N];
                if (s == d) {
                    continue;
                }
                send_alone(&fx, &plan, (hf_selection)selection, s, d, port);
                for (uint32_t stage = 0; stage < N && port[stage] != HF_NONE; stage++) {
                    assert_int_equal(port[stage], preferred((hf_selection)selection, stage, s, d, port));
                }
                assert_int_equal(port[0] != HF_NONE, s / K != d / K);
            }
        }
    }
    fixture_close(&fx);
}

/* How often every up port of the leaf switches was drawn; each time the header waits for one channel, on any of its virtual
 * channels. */
static void draw(fixture *fx, const hf_plan *plan, const hf_traffic *traffic, uint64_t seed, uint32_t *drawn) {
    hf_kernel *k;
    hf_kernel_options o = hf_kernel_usual();
    const hf_mark mark = hf_scratch_mark(fx->cx);
    o.selection = HF_SELECT_RANDOM;
    memset(drawn, 0, K * sizeof *drawn);
    bool *had = calloc(fx->topo->n_channel * plan->n_vc, sizeof *had);
    assert_non_null(had);
    fixture_ok(fx, hf_kernel_new(fx->cx, plan, &o, &k));
    fixture_ok(fx, hf_kernel_offer(k, traffic, 0.4, seed));
    for (uint32_t cycle = 0; cycle < 20000; cycle++) {
        fixture_ok(fx, hf_kernel_run(k, 1));
        for (uint32_t r = 0; r < k->n_resource; r++) {
            const hf_lane *l = &k->lane[r];
            const bool is_new = l->slot != HF_NONE && l->node < WIDTH && !had[r];
            for (uint32_t i = 0; l->slot != HF_NONE && i < l->n_hop; i++) {
                assert_int_equal(hf_lane_hop(k, r, i).channel, hf_lane_hop(k, r, 0).channel);
            }
            const uint32_t port = is_new ? fx->topo->from_port[hf_lane_hop(k, r, 0).channel] : 0;
            drawn[port >= K ? port - K : 0] += port >= K;
            had[r] = l->slot != HF_NONE;
        }
    }
    free(had);
    hf_scratch_reset(fx->cx, mark);
}

/* All up ports are drawn alike, within five standard deviations; the seed is the draw. */
static void random_ports(void **state) {
    (void)state;
    fixture fx;
    hf_fault_set none;
    hf_plan plan;
    hf_traffic *traffic;
    uint32_t drawn[K], again[K], other[K];
    fixture_open(&fx, "kary-tree:k=3,n=3", NULL, "updown:vcs=2");
    fixture_plan(&fx, "", &none, &plan);
    fixture_ok(&fx, hf_traffic_new(fx.cx, fx.topo, "complement", &traffic));
    draw(&fx, &plan, traffic, 1, drawn);
    draw(&fx, &plan, traffic, 1, again);
    draw(&fx, &plan, traffic, 2, other);
    const double mean = (drawn[0] + drawn[1] + drawn[2]) / 3.0;
    assert_true(mean > 300);
    for (uint32_t i = 0; i < K; i++) {
        assert_true((drawn[i] - mean) * (drawn[i] - mean) < 25 * mean);
    }
    assert_memory_equal(drawn, again, sizeof drawn);
    assert_memory_not_equal(drawn, other, sizeof drawn);
    hf_traffic_free(traffic);
    fixture_close(&fx);
}

static void elsewhere(void **state) {
    (void)state;
    fixture fx;
    hf_fault_set none;
    hf_plan plan;
    hf_kernel *k;
    hf_kernel_options o = hf_kernel_usual();
    o.selection = HF_SELECT_SADP;
    fixture_open(&fx, "mesh:dims=3x3", NULL, "dor");
    fixture_plan(&fx, "", &none, &plan);
    assert_int_equal(hf_kernel_new(fx.cx, &plan, &o, &k), HF_ENOTSUP);
    fixture_close(&fx);
}

/* Half-way round a ring both ways are drawn alike; with an escape to wait for nothing is drawn. */
static void random_ways(void **state) {
    (void)state;
    fixture fx;
    hf_fault_set none;
    hf_plan plan;
    hf_kernel *k;
    hf_kernel_options o = hf_kernel_usual();
    o.selection = HF_SELECT_RANDOM;
    fixture_open(&fx, "torus:dims=4x4", NULL, "duato");
    fixture_plan(&fx, "", &none, &plan);
    assert_int_equal(hf_kernel_new(fx.cx, &plan, &o, &k), HF_EINVAL);
    assert_non_null(strstr(hf_context_message(fx.cx), "does not wait for the escape"));
    fixture_close(&fx);
    fixture_open(&fx, "ring:n=4", NULL, "dor:vcs=2,dateline=yes,ties=both");
    fixture_plan(&fx, "", &none, &plan);
    fixture_ok(&fx, hf_kernel_new(fx.cx, &plan, &o, &k));
    uint32_t plus = 0;
    for (uint32_t i = 0; i < 400; i++) {
        const uint32_t s = i % 4, in = fx.topo->out_list[fx.topo->out_begin[fx.topo->n_switch + s]];
        fixture_ok(&fx, hf_kernel_send(k, s, (s + 2) % 4));
        fixture_ok(&fx, hf_kernel_run(k, 40));
        plus += fx.topo->from_port[k->aim[in * plan.n_vc].channel] == 0;
    }
    assert_in_range(plus, 150, 250); /* five standard deviations */
    fixture_close(&fx);
}

/* Flits that the up ports of a switch were dealt, that to s32 first. \return all of them */
static uint64_t look_up(const hf_kernel *k, uint32_t node, uint64_t *flits) {
    const hf_topology *topo = k->topo;
    uint64_t sum = 0;
    for (uint32_t i = topo->out_begin[node]; i < topo->out_begin[node + 1]; i++) {
        const uint32_t c = topo->out_list[i];
        if (topo->from_port[c] >= 4) {
            flits[topo->from_port[c] - 4] = k->dealt[c];
            sum += k->dealt[c];
        }
    }
    return sum;
}

/* The way down from s32 to s16 fails. A third of what then comes up through s20, s24 or s28 must not go to s32: where ports are
 * drawn alike the way there carries 1/6 of it and each other way 5/18; balanced, each a quarter. */
static void balance_after_a_fault(hf_selection selection, uint64_t least, uint64_t most) {
    fixture fx;
    hf_fault_set none, failed;
    hf_plan start, plan;
    hf_traffic *traffic;
    hf_kernel *k;
    hf_kernel_options o = hf_kernel_usual();
    const hf_reconfiguration_options usual = hf_reconfiguration_usual();
    uint64_t before[3], flits[4];
    o.switching = HF_SWITCHING_VCT;
    o.selection = selection;
    fixture_open(&fx, "kary-tree:k=4,n=3", NULL, "ft2ei");
    fixture_plan(&fx, "", &none, &start);
    fixture_plan(&fx, "s32:0>s16:4", &failed, &plan);
    const hf_kernel_fault fault = {2000, &failed, &plan};
    fixture_ok(&fx, hf_traffic_new(fx.cx, fx.topo, "uniform", &traffic));
    fixture_ok(&fx, hf_kernel_new(fx.cx, &start, &o, &k));
    if (!k->dealt) { /* it is counted here, for other selections too */
        fixture_ok(&fx, hf_scratch(fx.cx, fx.topo->n_channel, sizeof *k->dealt, (void **)&k->dealt));
    }
    fixture_ok(&fx, hf_kernel_schedule(k, &fault, 1, &usual));
    fixture_ok(&fx, hf_kernel_offer(k, traffic, 0.3, 1));
    fixture_ok(&fx, hf_kernel_run(k, 2000));
    for (uint32_t i = 0; i < 3; i++) {
        before[i] = look_up(k, 20 + 4 * i, flits);
    }
    fixture_ok(&fx, hf_kernel_run(k, 500));
    for (uint32_t i = 0; i < 3; i++) { /* the tables have changed, and with them the count has begun anew */
        assert_true(look_up(k, 20 + 4 * i, flits) < before[i] / 2);
    }
    fixture_ok(&fx, hf_kernel_run(k, 20000));
    for (uint32_t i = 0; i < 3; i++) {
        const uint64_t sum = look_up(k, 20 + 4 * i, flits);
        assert_in_range(1000 * flits[0] / sum, least, most);
        for (uint32_t port = 1; port < 4; port++) {
            assert_in_range(1000 * 3 * flits[port] / sum, 1000 - most - 10, 1000 - least + 10);
        }
    }
    hf_traffic_free(traffic);
    fixture_close(&fx);
}

static void balance(void **state) {
    (void)state;
    balance_after_a_fault(HF_SELECT_RANDOM, 117, 217);
    balance_after_a_fault(HF_SELECT_BALANCED, 247, 252);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(preferred_way), cmocka_unit_test(random_ports),
                                       cmocka_unit_test(elsewhere), cmocka_unit_test(random_ways), cmocka_unit_test(balance)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
