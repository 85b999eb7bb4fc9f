/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The endpoint of idempotent messaging: the exchange of [brown2002, figure 1], full tables, ids, backoff, retention. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <holdfast/protocol.h>

typedef struct pair {
    hf_protocol protocol;
    hf_send_entry sent[2][4];
    hf_receive_entry received[2][4];
    hf_endpoint end[2];
} pair;

static void pair_init(pair *p) {
    *p = (pair){.protocol = hf_protocol_default()};
    p->protocol.send_capacity = 2;
    p->protocol.receive_capacity = 1;
    for (uint32_t i = 0; i < 2; i++) {
        p->end[i] = (hf_endpoint){.node = i, .sent = p->sent[i], .received = p->received[i]};
    }
}

static bool submit(pair *p, uint32_t message, uint64_t now) {
    const hf_protocol_event e = {
        .kind = HF_EVENT_SUBMIT, .distance = 5, .now = now, .packet = {.message = message, .destination = 1, .size = 8}};
    return hf_protocol_step(&p->protocol, &p->end[0], &e).is_accepted;
}

static hf_protocol_packet act(pair *p, uint32_t node, hf_protocol_event_kind kind, uint32_t index, uint64_t now) {
    const hf_protocol_event e = {.kind = kind, .index = index, .now = now};
    const hf_protocol_output out = hf_protocol_step(&p->protocol, &p->end[node], &e);
    assert_true(out.has_packet);
    return out.packet;
}

static hf_protocol_output arrive(pair *p, hf_protocol_packet packet, uint64_t now) {
    const hf_protocol_event e = {.kind = HF_EVENT_ARRIVE, .distance = 5, .now = now, .packet = packet};
    return hf_protocol_step(&p->protocol, &p->end[packet.destination], &e);
}

/** A lost MSG, a duplicate, a lost CONF: one action, empty tables in the end. */
static void figure_1(void **state) {
    (void)state;
    pair p;
    pair_init(&p);
    assert_true(submit(&p, 7, 0));
    act(&p, 0, HF_EVENT_TRANSMIT, 0, 0); /* lost */
    assert_int_equal(p.sent[0][0].due, 8 + 2 * 5 + 4 + 3);
    const hf_protocol_packet msg = act(&p, 0, HF_EVENT_TRANSMIT, 0, 25);
    assert_int_equal(p.sent[0][0].due, 25 + 8 + 2 * 5 + 4 + 3 * 4);
    const hf_protocol_output first = arrive(&p, msg, 30);
    assert_true(first.has_action);
    assert_int_equal(first.message, 7);
    assert_int_equal(first.source, 0);
    assert_false(arrive(&p, msg, 31).has_action);
    const hf_protocol_packet ack = act(&p, 1, HF_EVENT_ACKNOWLEDGE, 0, 32);
    assert_int_equal(p.received[1][0].due, 32 + 4 + 2 * 5 + 4 + 3);
    assert_int_equal(arrive(&p, ack, 40).packet.kind, HF_PROTOCOL_CONF); /* lost */
    assert_int_equal(p.end[0].n_sent, 0);
    const hf_protocol_output again = arrive(&p, act(&p, 1, HF_EVENT_ACKNOWLEDGE, 0, 60), 70);
    assert_true(again.has_packet);
    assert_false(arrive(&p, again.packet, 80).has_packet);
    assert_int_equal(p.end[1].n_received, 0);
}

static void full_tables(void **state) {
    (void)state;
    pair p;
    pair_init(&p);
    assert_true(submit(&p, 0, 0));
    assert_true(submit(&p, 1, 0));
    assert_false(submit(&p, 2, 0));
    const hf_protocol_packet a = act(&p, 0, HF_EVENT_TRANSMIT, 0, 0), b = act(&p, 0, HF_EVENT_TRANSMIT, 1, 0);
    assert_true(arrive(&p, a, 1).has_action);
    assert_false(arrive(&p, b, 2).has_action); /* dropped: no room, not remembered */
    arrive(&p, arrive(&p, act(&p, 1, HF_EVENT_ACKNOWLEDGE, 0, 3), 4).packet, 5);
    assert_true(arrive(&p, b, 6).has_action);
}

static void ids(void **state) {
    (void)state;
    pair p;
    pair_init(&p);
    p.protocol.n_id = 2;
    assert_true(submit(&p, 0, 0));
    assert_true(submit(&p, 1, 0));
    const hf_protocol_packet ack = {.kind = HF_PROTOCOL_ACK, .source = 1, .destination = 0, .id = 1};
    arrive(&p, ack, 1);
    assert_true(submit(&p, 2, 2)); /* id 0 is active and skipped */
    assert_int_equal(p.sent[0][1].id, 1);
    p.protocol.send_capacity = 3;
    assert_false(submit(&p, 3, 2)); /* no id left */
}

static void retention(void **state) {
    (void)state;
    pair p;
    pair_init(&p);
    p.protocol.retention = 3;
    submit(&p, 0, 0);
    const hf_protocol_packet msg = act(&p, 0, HF_EVENT_TRANSMIT, 0, 0);
    arrive(&p, msg, 1);
    arrive(&p, arrive(&p, act(&p, 1, HF_EVENT_ACKNOWLEDGE, 0, 3), 4).packet, 10);
    for (uint64_t now = 11; now <= 14; now++) {
        const hf_protocol_event e = {.kind = HF_EVENT_TIME, .now = now};
        hf_protocol_step(&p.protocol, &p.end[1], &e);
        assert_int_equal(arrive(&p, msg, now).has_action, now == 14);
    }
}

/** What is not sent again has no next attempt; of two ACKs only the one that finds its message is answered; what is remembered
 * for ever outlasts any time. */
static void without_sending_again(void **state) {
    (void)state;
    pair p;
    pair_init(&p);
    p.protocol.once = HF_ONCE_MSG | HF_ONCE_ACK | HF_ONCE_CONF;
    p.protocol.retention = HF_RETENTION_FOREVER;
    submit(&p, 0, 0);
    assert_int_equal(p.sent[0][0].due, 0);
    const hf_protocol_packet msg = act(&p, 0, HF_EVENT_TRANSMIT, 0, 0);
    assert_true(p.sent[0][0].due == UINT64_MAX);
    arrive(&p, msg, 1);
    assert_int_equal(p.received[1][0].due, 1);
    const hf_protocol_packet ack = act(&p, 1, HF_EVENT_ACKNOWLEDGE, 0, 1);
    assert_true(p.received[1][0].due == UINT64_MAX);
    const hf_protocol_output answer = arrive(&p, ack, 2);
    assert_true(answer.has_packet && answer.is_accepted);
    assert_false(arrive(&p, ack, 3).has_packet);
    arrive(&p, answer.packet, 4);
    const hf_protocol_event late = {.kind = HF_EVENT_TIME, .now = UINT64_MAX - 1};
    hf_protocol_step(&p.protocol, &p.end[1], &late);
    assert_int_equal(p.end[1].n_received, 1);
    assert_false(arrive(&p, msg, UINT64_MAX - 1).has_action);
}

static void backoff(void **state) {
    (void)state;
    assert_int_equal(hf_backoff_cycles(HF_BACKOFF_CONSTANT, 3, 5), 3);
    assert_int_equal(hf_backoff_cycles(HF_BACKOFF_LINEAR, 3, 5), 15);
    assert_int_equal(hf_backoff_cycles(HF_BACKOFF_QUADRATIC, 3, 5), 75);
    assert_int_equal(hf_backoff_cycles(HF_BACKOFF_EXPONENTIAL, 3, 5), 96);
    assert_true(hf_backoff_cycles(HF_BACKOFF_EXPONENTIAL, 3, 100) == UINT64_C(1) << 62);
    assert_true(hf_backoff_cycles(HF_BACKOFF_QUADRATIC, UINT32_MAX, UINT32_MAX) == UINT64_C(1) << 62);
}

/* A MSG of 8 flits over 5 hops and an ACK of 4 take 8 + 10 + 4 cycles; then what the table says, its last line from then on. */
static void table(void **state) {
    (void)state;
    static const uint64_t wait[] = {7, 0, 30, 30};
    pair p;
    pair_init(&p);
    p.protocol.backoff = HF_BACKOFF_TABLE;
    p.protocol.backoff_table[0] = 7;
    p.protocol.backoff_table[2] = 30;
    p.protocol.n_backoff_table = 3;
    submit(&p, 0, 0);
    for (uint64_t i = 0; i < 4; i++) {
        act(&p, 0, HF_EVENT_TRANSMIT, 0, 1000 * i);
        assert_int_equal(p.sent[0][0].due, 1000 * i + 22 + wait[i]);
    }
}

/* C n (1 + level): a packet that is sent again raises the level of its node, an answer halves it, at either end. */
static void congestion(void **state) {
    (void)state;
    pair p;
    pair_init(&p);
    p.protocol.backoff = HF_BACKOFF_CONGESTION;
    submit(&p, 0, 0);
    submit(&p, 1, 0);
    for (uint64_t n = 1; n <= 4; n++) {
        act(&p, 0, HF_EVENT_TRANSMIT, 0, 0);
        assert_int_equal(p.end[0].congestion, n - 1);
        assert_int_equal(p.sent[0][0].due, 22 + 3 * n * n);
    }
    const hf_protocol_packet msg = act(&p, 0, HF_EVENT_TRANSMIT, 1, 0);
    assert_int_equal(p.sent[0][1].due, 22 + 3 * 4);
    arrive(&p, msg, 50);
    act(&p, 1, HF_EVENT_ACKNOWLEDGE, 0, 50);
    const hf_protocol_packet ack = act(&p, 1, HF_EVENT_ACKNOWLEDGE, 0, 90);
    assert_int_equal(p.end[1].congestion, 1);
    const hf_protocol_output conf = arrive(&p, ack, 100);
    assert_int_equal(p.end[0].congestion, 1);
    arrive(&p, ack, 101); /* no news */
    assert_int_equal(p.end[0].congestion, 1);
    arrive(&p, conf.packet, 110);
    assert_int_equal(p.end[1].congestion, 0);
}

/* An ACK that carries a reply is longer, and so is the wait for it and for its CONF. */
static void carried(void **state) {
    (void)state;
    pair p;
    pair_init(&p);
    const hf_protocol_event e = {
        .kind = HF_EVENT_SUBMIT, .distance = 5, .packet = {.message = 3, .destination = 1, .size = 8, .carried = 6}};
    assert_true(hf_protocol_step(&p.protocol, &p.end[0], &e).is_accepted);
    const hf_protocol_packet msg = act(&p, 0, HF_EVENT_TRANSMIT, 0, 0);
    assert_int_equal(p.sent[0][0].due, 22 + 6 + 3);
    assert_true(arrive(&p, msg, 20).has_action);
    const uint32_t distance = p.received[1][0].distance;
    const hf_protocol_packet ack = act(&p, 1, HF_EVENT_ACKNOWLEDGE, 0, 20);
    assert_int_equal(ack.size, 4 + 6);
    assert_int_equal(p.received[1][0].due, 20 + 10 + 2 * distance + 4 + 3);
    const hf_protocol_output answer = arrive(&p, ack, 40);
    assert_true(answer.is_accepted && answer.message == 3 && answer.packet.size == 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table),     cmocka_unit_test(congestion),  cmocka_unit_test(carried),
        cmocka_unit_test(figure_1),  cmocka_unit_test(full_tables), cmocka_unit_test(ids),
        cmocka_unit_test(retention), cmocka_unit_test(backoff),     cmocka_unit_test(without_sending_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
