/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Fault sets from components and from names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/bitset.h>
#include <holdfast/core/random.h>

#include "tests/oracle/fixture.h"

/** The sets and the list must say the same: the channels that the components take down, each once, as first met. */
static void check_set(const hf_universe *u, const hf_fault_set *set, const uint32_t *component, uint32_t f) {
    const hf_topology *topo = u->topo;
    bool *seen = calloc(topo->n_channel, 1), *down = calloc(topo->n_switch, 1);
    uint32_t n = 0;
    assert_true(seen && down);
    assert_int_equal(set->n_component, f);
    assert_ptr_equal(set->topo, topo);
    assert_ptr_equal(set->universe, u);
    for (uint32_t i = 0; i < f; i++) {
        assert_int_equal(set->component[i], component[i]);
        for (uint32_t c = u->channel_begin[component[i]]; c < u->channel_begin[component[i] + 1]; c++) {
            if (!seen[u->channel[c]]) {
                seen[u->channel[c]] = true;
                assert_true(n < set->n_channel);
                assert_int_equal(set->channel[n++], u->channel[c]);
            }
        }
        for (uint32_t s = u->switch_begin[component[i]]; s < u->switch_begin[component[i] + 1]; s++) {
            down[u->switch_list[s]] = true;
        }
    }
    assert_int_equal(n, set->n_channel);
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        assert_int_equal(hf_bit_test(set->channel_set, c), seen[c]);
    }
    for (uint32_t s = 0; s < topo->n_switch; s++) {
        assert_int_equal(hf_bit_test(set->switch_set, s), down[s]);
    }
    free(seen);
    free(down);
}

static void from_components(void **state) {
    (void)state;
    fixture fx;
    fixture_open(&fx, "kary-tree:k=3,n=3", "links+switches+terminal-links", NULL);
    const hf_mark mark = hf_scratch_mark(fx.cx);
    for (uint64_t seed = 1; seed <= 200; seed++) {
        hf_random r;
        uint32_t component[12];
        const uint32_t f = (uint32_t)(seed % 13);
        hf_random_init(&r, seed, HF_PURPOSE_TEST, 0);
        hf_random_subset(&r, fx.universe->n_component, f, component);
        hf_random_shuffle(&r, component, f); /* the order given is the order of insertion */
        hf_fault_set set;
        fixture_ok(&fx, hf_fault_set_make(fx.cx, fx.universe, component, f, &set));
        check_set(fx.universe, &set, component, f);
        hf_scratch_reset(fx.cx, mark);
    }
    fixture_close(&fx);
}

static void not_a_component(void **state) {
    (void)state;
    fixture fx;
    fixture_open(&fx, "kary-tree:k=2,n=3", "links", NULL);
    hf_fault_set set;
    assert_int_equal(hf_fault_set_make(fx.cx, fx.universe, (uint32_t[]){3, 16}, 2, &set), HF_EINVAL);
    assert_non_null(
        strstr(hf_context_message(fx.cx), "component 16 is not in the fault universe \"links\"; need a number below 16"));
    fixture_close(&fx);
}

/* ---- from names ---- */

static void names_in_a_universe(void **state) {
    (void)state;
    fixture fx;
    fixture_open(&fx, "kary-tree:k=2,n=3", "channels+switches", NULL);
    hf_fault_set set;
    fixture_ok(&fx, hf_fault_set_parse(fx.cx, fx.topo, fx.universe, " s4:0>s0:2,s11  s0:2>s4:0\n", &set));
    check_set(fx.universe, &set, (uint32_t[]){0, 16, 43}, 3); /* ascending, however they were written */
    fixture_ok(&fx, hf_fault_set_parse(fx.cx, fx.topo, fx.universe, "s0:2>", &set));
    check_set(fx.universe, &set, (uint32_t[]){0}, 1);
    fixture_ok(&fx, hf_fault_set_parse(fx.cx, fx.topo, fx.universe, " , ", &set));
    check_set(fx.universe, &set, NULL, 0);
    fixture_close(&fx);
}

static void every_component_by_its_name(void **state) {
    (void)state;
    fixture fx;
    fixture_open(&fx, "kary-tree:k=2,n=3", "channels+links+switches+terminal-links", NULL);
    for (uint32_t i = 0; i < fx.universe->n_component; i++) {
        char name[64];
        hf_fault_set set;
        hf_universe_name(fx.universe, i, name, sizeof name);
        fixture_ok(&fx, hf_fault_set_parse(fx.cx, fx.topo, fx.universe, name, &set));
        check_set(fx.universe, &set, &i, 1);
    }
    fixture_close(&fx);
}

static void names_of_groups(void **state) {
    (void)state;
    fixture fx;
    static const char text[] = "rack: s1 s2\ns4: s5\n"; /* a group may be called like a switch: the group is meant */
    fixture_open(&fx, "kary-tree:k=2,n=3", NULL, NULL);
    fixture_ok(&fx, hf_universe_parse_groups(fx.cx, fx.topo, "racks", text, strlen(text), &fx.universe));
    hf_fault_set set;
    fixture_ok(&fx, hf_fault_set_parse(fx.cx, fx.topo, fx.universe, "s4,rack", &set));
    check_set(fx.universe, &set, (uint32_t[]){0, 1}, 2);
    assert_true(hf_bit_test(set.switch_set, 5) && !hf_bit_test(set.switch_set, 4));
    fixture_close(&fx);
}

static void names_without_a_universe(void **state) {
    (void)state;
    fixture fx;
    fixture_open(&fx, "kary-tree:k=2,n=3", NULL, NULL);
    hf_fault_set set;
    fixture_ok(&fx, hf_fault_set_parse(fx.cx, fx.topo, NULL, "s11 s4:0> s0:3 s7:3", &set));
    assert_null(set.universe);
    assert_int_equal(set.n_component, 0);
    assert_int_equal(set.n_channel, 7); /* 4 at s11, among them both of s7:3; 1; 2 */
    for (uint32_t i = 0; i < set.n_channel; i++) {
        assert_true(i == 0 || set.channel[i - 1] < set.channel[i]);
        assert_true(hf_bit_test(set.channel_set, set.channel[i]));
    }
    assert_int_equal(hf_bits_count(set.channel_set, hf_words(fx.topo->n_channel)), 7);
    assert_int_equal(hf_bits_count(set.switch_set, hf_words(fx.topo->n_switch)), 1);
    assert_true(hf_bit_test(set.switch_set, 11));
    fixture_ok(&fx, hf_fault_set_parse(fx.cx, fx.topo, NULL, "", &set));
    assert_int_equal(set.n_channel, 0);
    fixture_close(&fx);
}

static void refusals(void **state) {
    (void)state;
    static const struct {
        const char *universe, *text;
        hf_status status;
        const char *message;
    } bad[] = {
        {"channels", "s0:2-s4:0", HF_ENOENT,
         "\"s0:2-s4:0\" is not in the fault universe \"channels\" of \"kary-tree:k=2,n=3\"; "
         "write a component of it, such as s0:2>s4:0"},
        {"links", "s3:2>", HF_ENOENT, "such as s3:2-s6:1"},
        {"links", "s3", HF_ENOENT, "such as s0:2-s4:0"},
        {"links", "t3", HF_ENOENT, "not in the fault universe"},
        {"links:stage=0", "s4:2", HF_ENOENT, "links:stage=0"},
        {"links", "s0:2 s4:0", HF_EINVAL, "\"s4:0\" is in the fault set twice"},
        {"links", "s99", HF_ENOENT, "its switches are s0..s11"},
        {"links", "s0:2;s0:3", HF_EINVAL, "is not a name"},
        {NULL, "s0:2;s0:3", HF_EINVAL, "is not a name"},
        {NULL, "t3", HF_EINVAL, "\"t3\" is a terminal; what can fail is its link, t3:0-s1:1"},
        {NULL, "rack", HF_EINVAL, "is not a name"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        fixture fx;
        hf_fault_set set;
        fixture_open(&fx, "kary-tree:k=2,n=3", bad[i].universe, NULL);
        const hf_status status = hf_fault_set_parse(fx.cx, fx.topo, fx.universe, bad[i].text, &set);
        if (status != bad[i].status || !strstr(hf_context_message(fx.cx), bad[i].message)) {
            fail_msg("%s: %s: %s", bad[i].text, hf_status_text(status), hf_context_message(fx.cx));
        }
        fixture_close(&fx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(from_components),
        cmocka_unit_test(not_a_component),
        cmocka_unit_test(names_in_a_universe),
        cmocka_unit_test(every_component_by_its_name),
        cmocka_unit_test(names_of_groups),
        cmocka_unit_test(names_without_a_universe),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
