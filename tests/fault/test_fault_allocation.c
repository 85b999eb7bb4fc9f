/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Every allocation under topologies, universes, groups, fault sets and drawings is made to fail in turn: each time the call says
 *  so, nothing leaks, and the next try works. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/format.h>

#include "tests/support/failing.h"

typedef struct scene {
    hf_topology *topo;
    hf_universe *universe, *groups;
    hf_text text;
} scene;

static hf_status play(hf_context *cx, scene *s) {
    static const char groups[] = "a: s1 s2 s3:2\nb: s4:0> t1\nc: s9\nd: s10\ne: s11\n";
    hf_fault_set set;
    hf_topology_figures figures;
    char type;
    uint32_t id;
    HF_TRY(hf_topology_new(cx, "kary-tree:k=2,n=3", &s->topo));
    HF_TRY(hf_topology_measure(cx, s->topo, &figures));
    HF_TRY(hf_topology_parse_name(cx, s->topo, "s4:2", 4, &type, &id));
    HF_TRY(hf_universe_new(cx, s->topo, "channels:stage=0+links+switches", "stage=0,stage=1", &s->universe));
    HF_TRY(hf_universe_parse_groups(cx, s->topo, "groups", groups, strlen(groups), &s->groups));
    HF_TRY(hf_fault_set_parse(cx, s->topo, NULL, "s0 s4:2", &set));
    HF_TRY(hf_fault_set_parse(cx, s->topo, s->universe, "s0:2> s1", &set));
    HF_TRY(hf_fault_set_make(cx, s->groups, (uint32_t[]){0, 2}, 2, &set));
    HF_TRY(hf_format_svg(cx, s->topo, &(hf_marks){.faults = &set}, &s->text));
    HF_TRY(hf_format_dot(cx, s->topo, &s->text));
    return hf_format_graphml(cx, s->topo, &s->text);
}

static hf_status play_and_clear(hf_context *cx, void *user) {
    (void)user;
    scene s = {0};
    hf_text_init(cx, &s.text);
    const hf_status status = play(cx, &s);
    hf_text_free(&s.text);
    hf_universe_free(s.groups);
    hf_universe_free(s.universe);
    hf_topology_free(s.topo);
    return status;
}

static void every_allocation_fails_once(void **state) {
    (void)state;
    assert_true(failing_sweep("topologies and fault sets", play_and_clear, NULL) > 50);
}

/* A full stack whose growth fails keeps what it holds, and grows at the next push. */
static hf_status fill_a_stack(hf_context *cx, void *user) {
    (void)user;
    hf_fault_stack stack = {0};
    hf_status status = HF_OK;
    uint32_t n = 0;
    for (; n < 1000 && status == HF_OK; n += status == HF_OK) {
        status = hf_fault_stack_push(cx, &stack, 7 * n);
    }
    assert_int_equal(stack.depth, n);
    if (status == HF_ENOMEM) {
        assert_int_equal(hf_fault_stack_push(cx, &stack, 7 * n++), HF_OK);
    }
    while (n-- > 0) {
        assert_int_equal(hf_fault_stack_pop(&stack), 7 * n);
    }
    assert_int_equal(stack.depth, 0);
    hf_release(hf_context_allocator(cx), stack.component);
    return status;
}

static void a_stack_outlives_a_failed_push(void **state) {
    (void)state;
    assert_true(failing_sweep("a stack", fill_a_stack, NULL) > 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation_fails_once),
                                       cmocka_unit_test(a_stack_outlives_a_failed_push)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
