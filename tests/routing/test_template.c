/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The routing to start from works, though it is not listed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <holdfast/core/random.h>

#include "tests/oracle/fixture.h"

extern const hf_routing hf_routing_template;

static void use_template(fixture *fx, const char *args) {
    hf_rule_free(&fx->rule);
    fx->rule.routing = &hf_routing_template;
    fixture_ok(fx, hf_args_parse(fx->cx, "routing", "template", hf_routing_template.params, args, &fx->rule.args));
    fixture_ok(fx, hf_args_canonical(fx->cx, "template", &fx->rule.args, &fx->rule.spec));
}

static void is_not_listed(void **state) {
    (void)state;
    assert_null(hf_routing_find("template", 8));
}

/* With any slack it serves exactly the pairs that some healthy path connects; without, those that a minimal one does. */
static void serves_what_can_be_served(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        fixture fx;
        hf_random random;
        hf_fault_set set;
        hf_plan plan;
        hf_verdict wide, narrow, ideal;
        uint32_t component[9];
        fixture_open(&fx, "kary-tree:k=2,n=3", "channels", "updown");
        hf_random_init(&random, seed, HF_PURPOSE_TEST, 0);
        hf_random_subset(&random, fx.universe->n_component, 9, component);
        fixture_plan_set(&fx, component, 9, &set, &plan);
        const hf_criterion *all = fixture_criterion(&fx, "all-pairs");
        fixture_ok(&fx, hf_tolerance_judge(fx.cx, &plan, all, false, &ideal));
        use_template(&fx, "");
        fixture_plan_set(&fx, component, 9, &set, &plan);
        fixture_ok(&fx, hf_tolerance_judge(fx.cx, &plan, all, false, &narrow));
        use_template(&fx, "slack=1000");
        fixture_plan_set(&fx, component, 9, &set, &plan);
        fixture_ok(&fx, hf_tolerance_judge(fx.cx, &plan, fixture_criterion(&fx, "surviving"), false, &wide));
        if (narrow.unserved != ideal.unserved || narrow.unsafe != 0 || !wide.tolerated) {
            print_error("seed %llu: %llu unserved, want %llu\n", (unsigned long long)seed, (unsigned long long)narrow.unserved,
                        (unsigned long long)ideal.unserved);
            fail();
        }
        fixture_close(&fx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_not_listed),
        cmocka_unit_test(serves_what_can_be_served),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
