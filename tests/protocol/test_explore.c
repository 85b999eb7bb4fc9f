/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The explicit check: safe with its safeguards, and each known failure [brown2002, figures 3 to 5] with a shortest trace once a
 *  safeguard is gone. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/random.h>
#include <holdfast/protocol.h>

#include "tests/oracle/messages.h"

static hf_check plain(void) {
    hf_check check = {.protocol = hf_protocol_default(), .n_message = 2, .capacity = 2, .has_loss = true, .state_limit = 1000000};
    check.protocol.send_capacity = check.protocol.receive_capacity = 2;
    return check;
}

static hf_check_result look(hf_context *cx, const hf_check *check) {
    hf_check_result result;
    assert_int_equal(hf_protocol_check(cx, check, &result), HF_OK);
    return result;
}

static bool has_step(const hf_check_result *r, const char *part) {
    for (uint32_t i = 0; i < r->n_step; i++) {
        if (strstr(r->step[i], part)) {
            return true;
        }
    }
    return false;
}

static void safe_with_unbounded_ids(void **state) {
    hf_check check = plain();
    const hf_check_result r = look(*state, &check);
    assert_int_equal(r.answer, HF_CHECK_SAFE);
    assert_int_equal(r.n_state, 807);
    for (uint32_t tables = 1; tables <= 3; tables++) {
        check.n_message = 3;
        check.protocol.send_capacity = check.protocol.receive_capacity = tables;
        assert_int_equal(look(*state, &check).answer, HF_CHECK_SAFE);
    }
}

/** Figure 3: an old ACK meets a new message of the same id. */
static void short_ids_lose(void **state) {
    hf_check check = plain();
    check.protocol.n_id = 1;
    const hf_check_result r = look(*state, &check);
    assert_int_equal(r.answer, HF_CHECK_LOST);
    assert_int_equal(r.message, 1);
    assert_int_equal(r.n_step, 8);
    assert_true(has_step(&r, "network loses MSG of message 2"));
    check.n_message = 3;
    check.protocol.n_id = 2;
    assert_int_equal(look(*state, &check).answer, HF_CHECK_LOST);
    check.protocol.n_id = 3; /* as many as messages: none is used again */
    assert_int_equal(look(*state, &check).answer, HF_CHECK_SAFE);
}

/** Figure 4: an old CONF meets a new message of the same secondary id. Nothing has to be lost. */
static void secondary_ids_duplicate(void **state) {
    hf_check check = plain();
    check.protocol.has_secondary = true;
    for (int loss = 0; loss < 2; loss++) {
        check.has_loss = loss;
        const hf_check_result r = look(*state, &check);
        assert_int_equal(r.answer, HF_CHECK_DUPLICATE);
        assert_int_equal(r.message, 1);
        assert_int_equal(r.n_step, 12);
        assert_false(has_step(&r, "loses"));
    }
}

/** Figure 5, and its cure: retention tau is safe exactly when tau >= T. */
static void retention_against_slip(void **state) {
    hf_check check = plain();
    check.n_message = 1;
    for (check.slip = 0; check.slip <= 4; check.slip++) {
        for (uint32_t tau = 0; tau <= 5; tau++) {
            check.protocol.retention = tau;
            const hf_check_result r = look(*state, &check);
            assert_int_equal(r.answer, tau >= check.slip ? HF_CHECK_SAFE : HF_CHECK_DUPLICATE);
            assert_int_equal(r.n_step, tau >= check.slip ? 0 : tau == 0 ? 7 : 8 + tau);
        }
    }
    check.n_message = 2;
    check.slip = 2;
    check.protocol.retention = 2;
    assert_int_equal(look(*state, &check).answer, HF_CHECK_SAFE);
}

/** What keeps a message from its receiver for ever, and a shortest trace to it. */
static void stuck_without_a_safeguard(void **state) {
    static const struct {
        uint32_t messages, send, receive;
        unsigned once;
        uint64_t retention;
        uint32_t n_step, message; /* n_step 0: safe */
        const char *last;
    } cases[] = {
        {1, 1, 1, HF_ONCE_MSG, 0, 2, 0, "network loses MSG of message 1"},
        {2, 2, 1, HF_ONCE_ACK, 0, 4, 1, "network loses ACK id 0"},
        {2, 1, 2, HF_ONCE_ACK, 0, 4, 1, "network loses ACK id 0"},
        {2, 2, 2, HF_ONCE_ACK, 0, 0, 0, NULL},
        {3, 2, 2, HF_ONCE_ACK, 0, 8, 2, "network loses ACK id 1"},
        {2, 2, 1, HF_ONCE_CONF, 0, 5, 1, "network loses CONF id 0"},
        {2, 2, 2, HF_ONCE_CONF, 0, 0, 0, NULL},
        {2, 2, 1, 0, HF_RETENTION_FOREVER, 2, 1, "receiver takes MSG of message 1"},
        {3, 3, 2, 0, HF_RETENTION_FOREVER, 4, 2, "acts on it"},
        {2, 2, 2, 0, HF_RETENTION_FOREVER, 0, 0, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hf_check check = plain();
        check.n_message = cases[i].messages;
        check.protocol.send_capacity = cases[i].send;
        check.protocol.receive_capacity = cases[i].receive;
        check.protocol.once = cases[i].once;
        check.protocol.retention = cases[i].retention;
        for (check.reduction = 0; check.reduction <= HF_REDUCE_ALL; check.reduction++) {
            const hf_check_result r = look(*state, &check);
            assert_int_equal(r.answer, cases[i].n_step ? HF_CHECK_STUCK : HF_CHECK_SAFE);
            assert_int_equal(r.n_step, cases[i].n_step);
            assert_true(r.is_shortest);
            if (r.answer == HF_CHECK_STUCK) {
                assert_int_equal(r.message, cases[i].message);
                assert_non_null(strstr(r.step[r.n_step - 1], cases[i].last));
            }
        }
        check.has_loss = cases[i].retention != 0; /* what is not lost need not be sent again */
        assert_int_equal(look(*state, &check).answer == HF_CHECK_STUCK, check.has_loss && cases[i].n_step > 0);
    }
}

/** Where the limit keeps from the search that names the message. */
static void stuck_without_a_name(void **state) {
    hf_check check = plain();
    check.protocol.receive_capacity = 1;
    check.protocol.retention = HF_RETENTION_FOREVER;
    check.reduction = HF_REDUCE_ALL;
    check.state_limit = 150;
    const hf_check_result r = look(*state, &check);
    assert_int_equal(r.answer, HF_CHECK_STUCK);
    assert_true(r.message == HF_NONE && !r.is_shortest);
}

/** A full channel without loss: MSG before the ACK that wants an answer. */
static void without_loss(void **state) {
    hf_check check = plain();
    check.has_loss = false;
    const uint64_t with_loss = 807, n_state = look(*state, &check).n_state;
    assert_true(n_state < with_loss);
    assert_int_equal(look(*state, &check).answer, HF_CHECK_SAFE);
}

static uint32_t draw(hf_random *random, uint32_t low, uint32_t high) {
    return low + (uint32_t)hf_random_below(random, high - low + 1);
}

/* Small bounds of all kinds, with and without each safeguard. */
static hf_check drawn(hf_random *random) {
    hf_check check = plain();
    hf_protocol *p = &check.protocol;
    check.n_message = draw(random, 1, 3);
    check.capacity = draw(random, 1, draw(random, 2, 3));
    check.has_loss = draw(random, 0, 1);
    check.has_duplication = draw(random, 0, 1);
    check.slip = draw(random, 0, 3) == 0 ? draw(random, 1, 2) : 0;
    p->send_capacity = draw(random, 1, 3);
    p->receive_capacity = draw(random, 1, 3);
    p->once = draw(random, 0, 2) == 0 ? draw(random, 1, 7) : 0;
    p->n_id = draw(random, 0, 1) ? draw(random, 1, 4) : 0;
    p->has_secondary = draw(random, 0, 3) == 0;
    p->retention = draw(random, 0, 5) == 0 ? HF_RETENTION_FOREVER : draw(random, 0, 2);
    return check;
}

/* The twin's states one by one without reduction; with each, the twin's verdict after as many steps. */
static bool is_as_twin(hf_context *cx, hf_check check, const oracle_messages *twin) {
    bool is_right = true;
    for (check.reduction = 0; twin->answer != HF_CHECK_UNKNOWN && check.reduction <= HF_REDUCE_ALL; check.reduction++) {
        const hf_mark mark = hf_scratch_mark(cx);
        const hf_check_result r = look(cx, &check);
        if (r.answer != twin->answer || r.n_step != twin->n_step || !r.is_shortest ||
            (!check.reduction && r.n_state != twin->n_state)) {
            const hf_protocol *p = &check.protocol;
            print_message(
                "%u messages, capacity %u, tables %u %u, loss %d, doubles %d, slip %u, ids %u, secondary %d, retention %u, "
                "once %u, reduction %u: %s after %u, twin: %s after %u\n",
                check.n_message, check.capacity, p->send_capacity, p->receive_capacity, check.has_loss, check.has_duplication,
                check.slip, (unsigned)p->n_id, p->has_secondary, (unsigned)p->retention, p->once, check.reduction,
                hf_check_answer_name(r.answer), r.n_step, hf_check_answer_name(twin->answer), twin->n_step);
            is_right = false;
        }
        hf_scratch_reset(cx, mark);
    }
    return is_right;
}

/* Only what is not sent again or never forgotten can be stuck. */
static bool can_be_stuck(const hf_check *check) {
    return check->protocol.once || check->protocol.retention == HF_RETENTION_FOREVER;
}

/* A number from the environment, for longer runs by hand. */
static uint32_t number_or(const char *name, uint32_t otherwise) {
    const char *text = getenv(name);
    return text ? (uint32_t)strtoul(text, NULL, 10) : otherwise;
}

static void print_seen(const uint32_t seen[HF_CHECK_UNKNOWN + 1]) {
    print_message("twin: safe %u, twice %u, lost %u, stuck %u, unknown %u\n", seen[0], seen[1], seen[2], seen[3], seen[4]);
}

/** HOLDFAST_DRAWS and HOLDFAST_DRAWN_STATES: as many draws, as many states each. */
static void reductions_against_twin(void **state) {
    const uint32_t n = number_or("HOLDFAST_DRAWS", 400), most = number_or("HOLDFAST_DRAWN_STATES", 1500);
    uint32_t seen[HF_CHECK_UNKNOWN + 1] = {0};
    bool is_right = true;
    hf_random random;
    hf_random_init(&random, 20020810, HF_PURPOSE_TEST, 0);
    for (uint32_t i = 0; i < n; i++) {
        const hf_check check = drawn(&random);
        const oracle_messages twin = oracle_explore_messages(&check, most);
        seen[twin.answer]++;
        is_right &= twin.answer != HF_CHECK_STUCK || can_be_stuck(&check);
        is_right &= is_as_twin(*state, check, &twin);
    }
    print_seen(seen);
    assert_true(is_right);
    assert_true(seen[HF_CHECK_SAFE] > 20 && seen[HF_CHECK_DUPLICATE] > 20 && seen[HF_CHECK_LOST] > 20 &&
                seen[HF_CHECK_STUCK] > 20);
}

/* The i-th of all combinations of safeguards and channels at the smallest bounds that can fail. */
static hf_check combined(uint32_t i) {
    static const uint64_t retention[] = {0, 1, HF_RETENTION_FOREVER};
    hf_check check = plain();
    hf_protocol *p = &check.protocol;
    const uint32_t base[] = {2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 8};
    uint32_t digit[sizeof base / sizeof *base];
    for (size_t d = 0; d < sizeof base / sizeof *base; d++, i /= base[d - 1]) {
        digit[d] = i % base[d];
    }
    check.n_message = 1 + digit[0];
    check.capacity = 1 + digit[1];
    check.has_loss = digit[2];
    check.has_duplication = digit[3];
    check.slip = digit[4];
    p->has_secondary = digit[5];
    p->send_capacity = 1 + digit[6];
    p->receive_capacity = 1 + digit[7];
    p->n_id = digit[8];
    p->retention = retention[digit[9]];
    p->once = digit[10];
    return check;
}
enum { N_COMBINED = 256 * 3 * 3 * 8 };

/** All combinations in turn; HOLDFAST_COMBINATION_STEP=1: each, else every so many-th. */
static void combinations_against_twin(void **state) {
    uint32_t seen[HF_CHECK_UNKNOWN + 1] = {0};
    bool is_right = true;
    for (uint32_t i = 0; i < N_COMBINED; i += number_or("HOLDFAST_COMBINATION_STEP", 37)) {
        const hf_check check = combined(i);
        const oracle_messages twin = oracle_explore_messages(&check, 60000);
        seen[twin.answer]++;
        is_right &= twin.answer != HF_CHECK_STUCK || can_be_stuck(&check);
        is_right &= is_as_twin(*state, check, &twin);
    }
    print_seen(seen);
    assert_true(is_right && seen[HF_CHECK_UNKNOWN] == 0);
}

/** Bounds at which the exploration in full takes long. */
static void reductions_reduce(void **state) {
    hf_check check = plain();
    uint64_t n_state[HF_REDUCE_ALL + 1], n_move[HF_REDUCE_ALL + 1];
    check.n_message = 3;
    for (check.reduction = 0; check.reduction <= HF_REDUCE_ALL; check.reduction++) {
        const hf_check_result r = look(*state, &check);
        assert_int_equal(r.answer, HF_CHECK_SAFE);
        n_state[check.reduction] = r.n_state;
        n_move[check.reduction] = r.n_move;
    }
    assert_true(n_state[HF_REDUCE_SYMMETRY] * 7 < n_state[0] * 2);
    assert_true(n_state[HF_REDUCE_ORDER] < n_state[0] && n_move[HF_REDUCE_ORDER] * 2 < n_move[0]);
    assert_true(n_state[HF_REDUCE_ALL] < n_state[HF_REDUCE_SYMMETRY] && n_move[HF_REDUCE_ALL] * 9 < n_move[0]);
    check.n_message = check.protocol.send_capacity = check.protocol.receive_capacity = 4;
    check.reduction = HF_REDUCE_ALL;
    assert_int_equal(look(*state, &check).answer, HF_CHECK_SAFE);
}

/** Where the limit keeps from looking for the shortest trace, the one that was found is told. */
static void not_the_shortest(void **state) {
    hf_check check = plain();
    check.protocol.n_id = 1;
    check.reduction = HF_REDUCE_ALL;
    check.state_limit = 40;
    const hf_check_result r = look(*state, &check);
    assert_int_equal(r.answer, HF_CHECK_LOST);
    assert_false(r.is_shortest);
    assert_true(r.n_step >= 8 && has_step(&r, "sends MSG of message 2 id 0, which is lost"));
}

static void bounds(void **state) {
    hf_check_result result;
    hf_check check = plain();
    check.state_limit = 100;
    assert_int_equal(look(*state, &check).answer, HF_CHECK_UNKNOWN);
    check.capacity = HF_CHECK_MAX + 1;
    assert_int_equal(hf_protocol_check(*state, &check, &result), HF_ERANGE);
    assert_non_null(strstr(hf_context_message(*state), "capacity of channels=5"));
}

/** A wish to stop ends the exploration with a sentence. */
static void stopped(void **state) {
    const volatile sig_atomic_t stop = 1;
    const hf_check check = plain();
    hf_check_result result;
    hf_context_set_stop(*state, &stop);
    assert_int_equal(hf_protocol_check(*state, &check, &result), HF_ESTOP);
    assert_non_null(strstr(hf_context_message(*state), "stopped after 0 states"));
    hf_context_set_stop(*state, NULL);
}

int main(void) {
    hf_context *cx = hf_context_new(NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(safe_with_unbounded_ids, cx),
        cmocka_unit_test_prestate(short_ids_lose, cx),
        cmocka_unit_test_prestate(secondary_ids_duplicate, cx),
        cmocka_unit_test_prestate(retention_against_slip, cx),
        cmocka_unit_test_prestate(stuck_without_a_safeguard, cx),
        cmocka_unit_test_prestate(stuck_without_a_name, cx),
        cmocka_unit_test_prestate(without_loss, cx),
        cmocka_unit_test_prestate(reductions_against_twin, cx),
        cmocka_unit_test_prestate(combinations_against_twin, cx),
        cmocka_unit_test_prestate(reductions_reduce, cx),
        cmocka_unit_test_prestate(not_the_shortest, cx),
        cmocka_unit_test_prestate(bounds, cx),
        cmocka_unit_test_prestate(stopped, cx),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    hf_context_free(cx);
    return failed;
}
