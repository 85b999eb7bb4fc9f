/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  A rule that a program hands over answers as the built-in rule that it repeats, under every pair of failed links, and fails
 *  cleanly. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/question.h>
#include <holdfast/routing.h>

#include "src/analysis/paths/walk.h"
#include "tests/oracle/fixture.h"
#include "tests/support/failing.h"

#define MESH "mesh:dims=3x4"

/* What a method of the network gives for one or two numbers. */
static hf_call_value ask(hf_rule_call *call, const char *name, uint32_t a, uint32_t b, size_t n) {
    const hf_call_value arguments[] = {{.kind = HF_CALL_NUMBER, .number = a}, {.kind = HF_CALL_NUMBER, .number = b}};
    hf_call_value result = {0};
    const char *wrong = hf_rule_call_net(call, name, arguments, n, &result);
    if (wrong) {
        hf_rule_call_fail(call, wrong);
    }
    return result;
}

/* The healthy hops that lead nearer to the destination under the faults: `minimal`. */
static void go_nearer(void *user, hf_rule_call *call, const char *function, const uint32_t *arguments, size_t n) {
    atomic_uint *n_call = user;
    ++*n_call;
    if (strcmp(function, "route") != 0) {
        return;
    }
    assert_int_equal(n, 6);
    const uint32_t at = arguments[0], goal = (uint32_t)ask(call, "switch_of", arguments[3], 0, 1).number;
    const hf_call_value way = ask(call, "healthy_distance", at, goal, 2), list = ask(call, "channels", at, 0, 1);
    if (at == goal) {
        return;
    }
    uint32_t channels[8];
    memcpy(channels, list.list, list.n * sizeof *channels);
    hf_rule_call_no_hop(call);
    for (size_t i = 0; way.kind == HF_CALL_NUMBER && i < list.n; i++) {
        const bool is_failed = ask(call, "failed", channels[i], 0, 1).number;
        const uint32_t to = (uint32_t)ask(call, "to", channels[i], 0, 1).number;
        const hf_call_value left = ask(call, "healthy_distance", to, goal, 2);
        if (!is_failed && left.kind == HF_CALL_NUMBER && left.number + 1 == way.number) {
            hf_rule_call_hop(call, channels[i], 0, HF_NONE, false);
        }
    }
}

static void get_nowhere(void *user, hf_rule_call *call, const char *function, const uint32_t *arguments, size_t n) {
    (void)user, (void)function, (void)arguments, (void)n;
    ask(call, "nowhere", 0, 0, 0);
}

static hf_status plan_once(hf_context *cx, void *user) {
    fixture *fx = user;
    atomic_uint n_call = 0;
    const hf_given_rule given = {.name = "nearer", .vcs = 1, .tags = 1, .call = go_nearer, .user = &n_call};
    hf_rule rule = {0};
    hf_plan plan;
    hf_fault_set set;
    hf_context_give_rule(cx, &given);
    hf_status status = hf_rule_init(cx, "given:x", fx->topo, &rule);
    if (status == HF_OK) {
        status = hf_no_faults(cx, fx->topo, &set);
    }
    if (status == HF_OK) {
        status = hf_plan_make(cx, &rule, &set, &plan);
    }
    hf_rule_free(&rule);
    return status;
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    fixture fx;
    fixture_open(&fx, MESH, NULL, NULL);
    assert_true(failing_sweep("given", plan_once, &fx) > 10);
    fixture_close(&fx);
}

/* The tally of all sets of up to two links, as CSV. */
static hf_status tally(hf_context *cx, const char *routing, hf_text *out) {
    const hf_argument arguments[] = {{"topology", MESH}, {"routing", routing}, {"universe", "links"}, {"faults", "0..2"}};
    hf_report answer = {0};
    hf_text_init(cx, out);
    HF_TRY(hf_ask(cx, "tolerance", arguments, sizeof arguments / sizeof *arguments, &answer));
    return hf_report_print(&answer, &(hf_report_style){.form = HF_FORM_CSV, .columns = "f,sets,not_tolerated"}, out);
}

static void says_what_minimal_says(void **state) {
    (void)state;
    atomic_uint n_call = 0;
    const hf_given_rule given = {.name = "nearer", .vcs = 1, .tags = 1, .call = go_nearer, .user = &n_call};
    hf_context *cx = hf_context_new(NULL);
    hf_text mine, theirs;
    hf_context_give_rule(cx, &given);
    assert_int_equal(tally(cx, "given:nearer", &mine), HF_OK);
    assert_int_equal(tally(cx, "minimal", &theirs), HF_OK);
    assert_string_equal(mine.data, theirs.data);
    assert_true(n_call > 1000);
    hf_text_free(&mine);
    hf_text_free(&theirs);
    hf_context_free(cx);
}

static void refuses(const hf_given_rule *given, const char *said) {
    hf_context *cx = hf_context_new(NULL);
    hf_text out;
    hf_context_give_rule(cx, given);
    assert_int_not_equal(tally(cx, "given:x", &out), HF_OK);
    if (!strstr(hf_context_message(cx), said)) {
        print_error("\"%s\" says nothing of \"%s\"\n", hf_context_message(cx), said);
        fail();
    }
    hf_text_free(&out);
    hf_context_free(cx);
}

static void errors_name_the_rule(void **state) {
    (void)state;
    refuses(NULL, "no rule is given");
    refuses(&(hf_given_rule){.name = "mine", .vcs = 65, .tags = 1, .call = get_nowhere}, "mine: vcs = 65 is out of range");
    refuses(&(hf_given_rule){.name = "mine", .vcs = 1, .tags = 0, .call = get_nowhere}, "mine: tags = 0 is out of range");
    refuses(&(hf_given_rule){.name = "mine", .vcs = 1, .tags = 1, .call = get_nowhere}, "mine: net has nothing called nowhere");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(says_what_minimal_says),
        cmocka_unit_test(errors_name_the_rule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
