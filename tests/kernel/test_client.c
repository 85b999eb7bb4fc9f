/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What a kernel tells its client: every cycle once, every idle queue once, the end of every packet once and in its cycle; with
 *  buffers, where packets are dropped, and where circuits are made. What a client fails with ends the run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/random.h>

#include "src/kernel/kernel.h"
#include "tests/oracle/fixture.h"

enum { N_TERMINAL = 16, EACH = 40, LENGTH = 5 };

/* Terminals that send EACH packets one after the other, as soon as they may. */
typedef struct sender {
    fixture fx;
    hf_fault_set faults;
    hf_plan plan;
    hf_kernel *k;
    hf_random random;
    uint64_t cycle, latency_sum; /* cycles begun so far */
    uint32_t sent[N_TERMINAL], idle[N_TERMINAL];
    uint8_t is_gone[N_TERMINAL * EACH];
    uint32_t destination[N_TERMINAL * EACH];
    uint32_t n_gone, n_lost;
    uint64_t first_idle; /* cycle */
    hf_status fails;     /* what the end of a packet returns */
} sender;

static hf_status send_packet(sender *s, uint32_t t) {
    const uint32_t number = t * EACH + s->sent[t]++, by = 1 + (uint32_t)hf_random_below(&s->random, N_TERMINAL - 1);
    s->destination[number] = (t + by) % N_TERMINAL;
    return hf_kernel_put_at_head(s->k, &(hf_packet){.source = t,
                                                    .destination = s->destination[number],
                                                    .length = LENGTH,
                                                    .generated = s->k->counts.cycle,
                                                    .user = number});
}

static hf_status begin(hf_kernel *k, void *user) {
    sender *s = user;
    assert_int_equal(k->counts.cycle, s->cycle++);
    for (uint32_t t = 0; t < N_TERMINAL && k->counts.cycle == 0; t++) {
        HF_TRY(s->sent[t] == 0 ? send_packet(s, t) : HF_OK);
    }
    return HF_OK;
}

static hf_status idle(hf_kernel *k, void *user, uint32_t t) {
    sender *s = user;
    assert_int_equal(hf_kernel_waited(k, t), 0);
    assert_int_equal(++s->idle[t], s->sent[t]);
    s->first_idle = s->first_idle == UINT64_MAX ? k->counts.cycle : s->first_idle;
    return s->sent[t] < EACH ? send_packet(s, t) : HF_OK;
}

static hf_status gone(hf_kernel *k, void *user, const hf_packet *p) {
    sender *s = user;
    assert_in_range(p->user, p->source * EACH, p->source * EACH + s->sent[p->source] - 1);
    assert_int_equal(p->destination, s->destination[p->user]);
    assert_false(s->is_gone[p->user]++);
    s->n_gone++;
    s->n_lost += p->is_lost;
    s->latency_sum += p->is_lost ? 0 : k->counts.cycle - p->generated;
    return s->fails;
}

static const hf_client client = {.begin = begin, .idle = idle, .gone = gone};

static hf_kernel_options options(hf_contention contention) {
    hf_kernel_options o = hf_kernel_usual();
    o.contention = contention;
    o.packet_length = LENGTH;
    o.routing_delay = o.crossbar_delay = 0;
    o.outstanding = 1;
    o.backoff_cycles = 4;
    return o;
}

static void open_sender(sender *s, hf_contention contention) {
    const hf_kernel_options o = options(contention);
    *s = (sender){.first_idle = UINT64_MAX};
    fixture_open(&s->fx, "mesh:dims=4x4", "links", "dor");
    fixture_plan(&s->fx, "", &s->faults, &s->plan);
    fixture_ok(&s->fx, hf_kernel_new(s->fx.cx, &s->plan, &o, &s->k));
    hf_random_init(&s->random, 20020810, HF_PURPOSE_TEST, contention);
    fixture_ok(&s->fx, hf_kernel_attach(s->k, &client, s));
}

static const hf_contention contentions[] = {HF_CONTENTION_WAIT, HF_CONTENTION_DROP, HF_CONTENTION_CIRCUIT};
enum { N_CONTENTION = sizeof contentions / sizeof *contentions, ENOUGH = 100000 };

/** All packets, from all terminals at once. */
static void everything_is_told_once(void **state) {
    (void)state;
    for (size_t i = 0; i < N_CONTENTION; i++) {
        sender s;
        open_sender(&s, contentions[i]);
        while (s.n_gone < N_TERMINAL * EACH && s.cycle < ENOUGH) {
            fixture_ok(&s.fx, hf_kernel_run(s.k, 1));
        }
        const hf_kernel_counts *n = hf_kernel_read(s.k);
        assert_int_equal(s.n_gone, N_TERMINAL * EACH);
        assert_int_equal(s.n_lost, 0);
        assert_int_equal(n->delivered, s.n_gone);
        assert_int_equal(n->latency_sum, s.latency_sum);
        assert_int_equal(hf_kernel_present(s.k), 0);
        for (uint32_t t = 0; t < N_TERMINAL; t++) {
            assert_int_equal(s.idle[t], EACH);
        }
        fixture_close(&s.fx);
    }
}

/** With buffers the queue is idle when the tail has left, without when the packet has its place among those on their way. */
static void a_queue_is_idle_in_its_cycle(void **state) {
    (void)state;
    static const uint64_t expected[] = {LENGTH - 1, 0, 0};
    for (size_t i = 0; i < N_CONTENTION; i++) {
        sender s;
        open_sender(&s, contentions[i]);
        for (uint32_t t = 0; t < N_TERMINAL; t++) {
            s.sent[t] = EACH; /* but one terminal sends, its last packet */
        }
        s.sent[5] = EACH - 1;
        s.idle[5] = EACH - 1;
        fixture_ok(&s.fx, send_packet(&s, 5));
        fixture_ok(&s.fx, hf_kernel_run(s.k, 60));
        assert_int_equal(s.first_idle, expected[i]);
        assert_int_equal(s.n_gone, 1);
        fixture_close(&s.fx);
    }
}

/** A packet that a fault breaks is gone too, and lost. */
static void losses_are_told(void **state) {
    (void)state;
    for (size_t i = 0; i < 2; i++) { /* a circuit that breaks is made again */
        sender s;
        hf_fault_set later;
        hf_plan plan;
        open_sender(&s, contentions[i]);
        fixture_plan(&s.fx, "s5:0,s9:0", &later, &plan);
        const hf_kernel_fault fault = {.cycle = 30, .faults = &later, .plan = &plan};
        const hf_reconfiguration_options o = hf_reconfiguration_usual();
        fixture_ok(&s.fx, hf_kernel_schedule(s.k, &fault, 1, &o));
        while (s.n_gone < N_TERMINAL * EACH && s.cycle < ENOUGH) {
            fixture_ok(&s.fx, hf_kernel_run(s.k, 1));
        }
        const hf_kernel_counts *n = hf_kernel_read(s.k);
        assert_int_equal(s.n_gone, N_TERMINAL * EACH);
        assert_true(s.n_lost > 0);
        assert_int_equal(s.n_lost, n->lost + n->refused);
        assert_int_equal(n->latency_sum, s.latency_sum);
        fixture_close(&s.fx);
    }
}

static void a_failure_ends_the_run(void **state) {
    (void)state;
    for (size_t i = 0; i < N_CONTENTION; i++) {
        sender s;
        open_sender(&s, contentions[i]);
        s.fails = HF_ENOTSUP;
        assert_int_equal(hf_kernel_run(s.k, ENOUGH), HF_ENOTSUP);
        assert_true(s.n_gone > 0 && s.n_gone <= N_TERMINAL);
        fixture_close(&s.fx);
    }
}

/** A kernel has one client, and what the client has begun nobody else goes on with. */
static void there_is_one_client(void **state) {
    (void)state;
    sender s;
    hf_traffic *traffic;
    open_sender(&s, HF_CONTENTION_WAIT);
    fixture_ok(&s.fx, hf_traffic_new(s.fx.cx, s.fx.topo, "uniform", &traffic));
    assert_int_equal(hf_kernel_attach(s.k, &client, &s), HF_EINVAL);
    assert_int_equal(hf_kernel_offer(s.k, traffic, 0.5, 1), HF_EINVAL);
    assert_int_equal(hf_kernel_send(s.k, 0, 1), HF_EINVAL);
    hf_traffic_free(traffic);
    fixture_close(&s.fx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(everything_is_told_once), cmocka_unit_test(a_queue_is_idle_in_its_cycle),
                                       cmocka_unit_test(losses_are_told), cmocka_unit_test(a_failure_ends_the_run),
                                       cmocka_unit_test(there_is_one_client)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
