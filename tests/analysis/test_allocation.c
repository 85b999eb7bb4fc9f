/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Every allocation under plans, judges, path counts and bounds is made to fail in turn: each time the call says so, and nothing
 *  leaks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include <holdfast/analysis.h>

/* An allocator that fails from its n-th request on, once. */
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
    hf_context *cx;
    hf_topology *topo;
    hf_universe *universe;
    hf_rule rule;
    hf_judge *judge[2];
    hf_bound *bound;
    hf_big *big;
} scene;

static hf_status use_plan(scene *s, const uint32_t *component) {
    const hf_criterion *criterion;
    hf_fault_set set;
    hf_plan plan;
    hf_verdict verdict;
    hf_measure measure;
    bool connected;
    HF_TRY(hf_criterion_find(s->cx, "surviving", &criterion));
    HF_TRY(hf_fault_set_make(s->cx, s->universe, component, 6, &set));
    HF_TRY(hf_plan_make(s->cx, &s->rule, &set, &plan));
    HF_TRY(hf_tolerance_judge(s->cx, &plan, criterion, true, &verdict));
    HF_TRY(hf_tolerance_measure(s->cx, &s->rule, &plan, criterion, &measure));
    HF_TRY(hf_connectivity_all(s->cx, &set, &connected));
    return hf_paths_count(s->cx, &plan, s->big);
}

static hf_status use_judges(scene *s, const uint32_t *component) {
    static const char *const names[] = {"connected", "surviving"};
    for (size_t i = 0; i < 2; i++) {
        const hf_criterion *criterion;
        hf_measure measure;
        HF_TRY(hf_criterion_find(s->cx, names[i], &criterion));
        HF_TRY(hf_judge_new(s->cx, s->universe, &s->rule, criterion, &s->judge[i]));
        for (uint32_t c = 0; c < 6; c++) {
            HF_TRY(s->judge[i]->ops->push(s->cx, s->judge[i], component[c]));
        }
        HF_TRY(s->judge[i]->ops->read(s->cx, s->judge[i], &measure));
    }
    return HF_OK;
}

static hf_status play(scene *s, const char *rule) {
    static const uint32_t component[6] = {0, 3, 5, 17, 21, 30};
    bool ok;
    HF_TRY(hf_topology_new(s->cx, "kary-tree:k=2,n=3", &s->topo));
    HF_TRY(hf_universe_new(s->cx, s->topo, "channels", NULL, &s->universe));
    HF_TRY(hf_rule_init(s->cx, rule, s->topo, &s->rule));
    HF_TRY(use_plan(s, component));
    HF_TRY(use_judges(s, component));
    if (s->rule.routing->traits & HF_ROUTING_ALL_MINIMAL) {
        HF_TRY(hf_paths_lost_sum(s->cx, s->universe, &s->rule, 3, 11, 4711, s->big));
    }
    HF_TRY(hf_bound_make(s->cx, s->universe, &s->rule, &s->bound));
    HF_TRY(hf_bound_check(s->cx, s->universe, &s->rule, s->bound, &ok));
    assert_true(ok);
    return HF_OK;
}

static void clear(scene *s) {
    hf_bound_free(s->bound);
    hf_judge_free(s->judge[0]);
    hf_judge_free(s->judge[1]);
    hf_rule_free(&s->rule);
    hf_universe_free(s->universe);
    hf_topology_free(s->topo);
    hf_context_free(s->cx);
}

static void sweep(const char *rule) {
    hf_status status = HF_ENOMEM;
    for (size_t fail_at = 0; status != HF_OK; fail_at++) {
        account a = {.fail_at = fail_at};
        const hf_allocator allocator = {resize, release, &a};
        scene s = {.cx = hf_context_new(&allocator)};
        if (s.cx) {
            hf_context *plain = hf_context_new(NULL);
            assert_non_null(plain);
            assert_int_equal(hf_big_new(plain, &s.big), HF_OK);
            status = play(&s, rule);
            if (status != HF_OK && status != HF_ENOMEM) {
                print_error("%s, allocation %zu fails: %s\n", rule, fail_at, hf_context_message(s.cx));
            }
            assert_true(status == HF_OK || status == HF_ENOMEM);
            hf_big_free(s.big);
            hf_context_free(plain);
            clear(&s);
        }
        assert_int_equal(a.live, 0);
        assert_true(fail_at < 10000);
    }
}

static void nothing_leaks(void **state) {
    (void)state;
    sweep("updown");
    sweep("ft2ei:intervals=2");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_leaks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
