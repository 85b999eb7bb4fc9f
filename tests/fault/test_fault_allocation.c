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

/** An allocator that fails its n-th request, once. */
typedef struct account {
    size_t requests, fail_at, live;
} account;

static void *resize(void *user, void *old, size_t size) {
    account *a = user;
    if (a->requests++ == a->fail_at) {
        return NULL;
    }
    void *block = realloc(old, size);
    a->live += block && !old;
    return block;
}

static void release(void *user, void *old) {
    account *a = user;
    a->live -= old != NULL;
    free(old);
}

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

static hf_status play_once(account *a, bool *has_context) {
    const hf_allocator allocator = {resize, release, a};
    hf_context *cx = hf_context_new(&allocator);
    *has_context = cx != NULL;
    if (!cx) {
        return HF_ENOMEM;
    }
    scene s = {0};
    hf_text_init(cx, &s.text);
    const hf_status status = play(cx, &s);
    if (status == HF_ENOMEM) {
        assert_non_null(strstr(hf_context_message(cx), "out of memory"));
    }
    hf_text_free(&s.text);
    hf_universe_free(s.groups);
    hf_universe_free(s.universe);
    hf_topology_free(s.topo);
    hf_context_free(cx);
    return status;
}

static void every_allocation_fails_once(void **state) {
    (void)state;
    size_t n_failed = 0;
    for (size_t fail_at = 0;; fail_at++) {
        account a = {.fail_at = fail_at};
        bool has_context;
        const hf_status status = play_once(&a, &has_context);
        assert_int_equal(a.live, 0);
        if (a.requests <= fail_at) {
            assert_int_equal(status, HF_OK);
            break;
        }
        if (status != HF_ENOMEM) {
            fail_msg("request %zu failed, and the answer was %s", fail_at, hf_status_text(status));
        }
        n_failed++;
    }
    assert_true(n_failed > 50);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation_fails_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
