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
        cmocka_unit_test_prestate(bounds, cx),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    hf_context_free(cx);
    return failed;
}
