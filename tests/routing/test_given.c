/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  A rule that a program hands over answers as the built-in rule that it repeats, under every pair of failed links, and fails
 *  cleanly. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/question.h>
#include <holdfast/routing.h>

#include "src/analysis/paths/walk.h"
#include "tests/oracle/fixture.h"
#include "tests/support/failing.h"
#include "tests/support/given.h"

#define MESH "mesh:dims=3x4"

static void get_nowhere(void *user, hf_rule_call *call, const char *function, const uint32_t *arguments, size_t n) {
    (void)user, (void)function, (void)arguments, (void)n;
    hf_call_value result;
    hf_rule_call_fail(call, hf_rule_call_net(call, "nowhere", NULL, 0, &result));
}

static hf_status plan_once(hf_context *cx, void *user) {
    fixture *fx = user;
    hf_rule rule = {0};
    hf_plan plan;
    hf_fault_set set;
    hf_context_give_rule(cx, &given_nearer);
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
    hf_context *cx = hf_context_new(NULL);
    hf_text mine, theirs;
    hf_context_give_rule(cx, &given_nearer);
    assert_int_equal(tally(cx, "given:nearer", &mine), HF_OK);
    assert_int_equal(tally(cx, "minimal", &theirs), HF_OK);
    assert_string_equal(mine.data, theirs.data);
    assert_true(given_calls() > 1000);
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
