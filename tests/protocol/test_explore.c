/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The explicit check: safe with its safeguards, and each known failure [brown2002, figures 3 to 5] with a shortest trace once a
 *  safeguard is gone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/protocol.h>
#include <holdfast/random.h>

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
    check.capacity = draw(random, 1, 2);
    check.has_loss = draw(random, 0, 1);
    check.has_duplication = draw(random, 0, 1);
    check.slip = draw(random, 0, 3) == 0 ? draw(random, 1, 2) : 0;
    p->send_capacity = draw(random, 1, 2);
    p->receive_capacity = draw(random, 1, 2);
    p->n_id = draw(random, 0, 1) ? draw(random, 1, 4) : 0;
    p->has_secondary = draw(random, 0, 3) == 0;
    p->retention = draw(random, 0, 2);
    return check;
}

/** Without reduction, the twin's states one by one; with each reduction, the twin's verdict after as many steps. */
static void reductions_against_twin(void **state) {
    uint32_t seen[HF_CHECK_UNKNOWN + 1] = {0};
    hf_random random;
    hf_random_init(&random, 20020810, HF_PURPOSE_TEST, 0);
    for (uint32_t i = 0; i < 300; i++) {
        hf_check check = drawn(&random);
        const oracle_messages twin = oracle_explore_messages(&check);
        seen[twin.answer]++;
        for (check.reduction = 0; twin.answer != HF_CHECK_UNKNOWN && check.reduction <= HF_REDUCE_ALL; check.reduction++) {
            const hf_check_result r = look(*state, &check);
            if (r.answer != twin.answer || r.n_step != twin.n_step || (!check.reduction && r.n_state != twin.n_state)) {
                print_message("draw %u, reduction %u: %s after %u, twin: %s after %u\n", i, check.reduction,
                              hf_check_answer_name(r.answer), r.n_step, hf_check_answer_name(twin.answer), twin.n_step);
            }
            assert_true(r.answer == twin.answer && r.n_step == twin.n_step && r.is_shortest);
            assert_true(check.reduction || r.n_state == twin.n_state);
        }
    }
    print_message("twin: safe %u, twice %u, lost %u, stuck %u, unknown %u\n", seen[0], seen[1], seen[2], seen[3], seen[4]);
    assert_true(seen[HF_CHECK_SAFE] > 20 && seen[HF_CHECK_DUPLICATE] > 20 && seen[HF_CHECK_LOST] > 20);
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

int main(void) {
    hf_context *cx = hf_context_new(NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(safe_with_unbounded_ids, cx),
        cmocka_unit_test_prestate(short_ids_lose, cx),
        cmocka_unit_test_prestate(secondary_ids_duplicate, cx),
        cmocka_unit_test_prestate(retention_against_slip, cx),
        cmocka_unit_test_prestate(without_loss, cx),
        cmocka_unit_test_prestate(reductions_against_twin, cx),
        cmocka_unit_test_prestate(reductions_reduce, cx),
        cmocka_unit_test_prestate(not_the_shortest, cx),
        cmocka_unit_test_prestate(bounds, cx),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    hf_context_free(cx);
    return failed;
}
