/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/oracle/fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "src/topology/multistage/draft.h"
#include "tests/support/folder.h"
#include "tests/support/given.h"

void fixture_ok_at(const fixture *fx, hf_status status, const char *file, int line) {
    if (status != HF_OK) {
        print_error("%s:%d: %s: %s\n", file, line, hf_status_text(status), hf_context_message(fx->cx));
        fail();
    }
}

void fixture_open(fixture *fx, const char *topo, const char *universe, const char *rule) {
    memset(fx, 0, sizeof *fx);
    fx->cx = hf_context_new(NULL);
    assert_non_null(fx->cx);
    hf_context_give_rule(fx->cx, &given_nearer);
    fixture_ok(fx, hf_topology_new(fx->cx, topo, &fx->topo));
    if (universe) {
        fixture_ok(fx, hf_universe_new(fx->cx, fx->topo, universe, NULL, &fx->universe));
    }
    if (rule) {
        fixture_ok(fx, hf_rule_init(fx->cx, rule, fx->topo, &fx->rule));
    }
}

void fixture_close(fixture *fx) {
    hf_rule_free(&fx->rule);
    hf_universe_free(fx->universe);
    hf_topology_free(fx->topo);
    hf_context_free(fx->cx);
}

void fixture_rule(fixture *fx, const char *rule) {
    hf_rule_free(&fx->rule);
    fixture_ok(fx, hf_rule_init(fx->cx, rule, fx->topo, &fx->rule));
}

void fixture_plan(fixture *fx, const char *faults, hf_fault_set *set, hf_plan *plan) {
    fixture_ok(fx, hf_fault_set_parse(fx->cx, fx->topo, fx->universe, faults, set));
    fixture_ok(fx, hf_plan_make(fx->cx, &fx->rule, set, plan));
}

void fixture_plan_set(fixture *fx, const uint32_t *component, uint32_t f, hf_fault_set *set, hf_plan *plan) {
    fixture_ok(fx, hf_fault_set_make(fx->cx, fx->universe, component, f, set));
    fixture_ok(fx, hf_plan_make(fx->cx, &fx->rule, set, plan));
}

void fixture_plan_drawn(fixture *fx, uint64_t seed, uint64_t stream, uint32_t f, hf_fault_set *set, hf_plan *plan) {
    const uint32_t m = fx->universe->n_component;
    hf_random random;
    uint32_t *component;
    f = f < m ? f : m;
    fixture_ok(fx, hf_scratch(fx->cx, m, sizeof *component, (void **)&component));
    hf_random_init(&random, seed, HF_PURPOSE_TEST, stream);
    hf_random_subset(&random, m, f, component);
    fixture_plan_set(fx, component, f, set, plan);
}

const hf_criterion *fixture_criterion(fixture *fx, const char *spec) {
    hf_criterion wanted;
    size_t i = 0;
    fixture_ok(fx, hf_criterion_init(fx->cx, spec, &wanted));
    for (; fx->criterion[i].name && strcmp(fx->criterion[i].spec, wanted.spec) != 0; i++) {
        assert_true(i + 1 < sizeof fx->criterion / sizeof *fx->criterion);
    }
    fx->criterion[i] = wanted;
    return &fx->criterion[i];
}

void fixture_refuses(const char *topo, const char *rule, const char *message) {
    fixture fx;
    fixture_open(&fx, topo, NULL, NULL);
    const hf_status status = hf_rule_init(fx.cx, rule, fx.topo, &fx.rule);
    if (status != HF_EINVAL || !strstr(hf_context_message(fx.cx), message)) {
        fail_msg("%s: %s: %s", rule, hf_status_text(status), hf_context_message(fx.cx));
    }
    fixture_close(&fx);
}

void fixture_refuses_file(const char *kind, const char *text, const char *more, const char *message) {
    char folder[256], path[512], spec[800];
    hf_topology *topo = NULL;
    hf_context *cx = hf_context_new(NULL);
    assert_non_null(cx);
    folder_open(folder, sizeof folder);
    folder_write(folder_file(folder, "net", path, sizeof path), text, strlen(text));
    (void)snprintf(spec, sizeof spec, "%s:%s%s", kind, path, more);
    const hf_status status = hf_topology_new(cx, spec, &topo);
    if (status != HF_EINVAL || !strstr(hf_context_message(cx), message) || !strstr(hf_context_message(cx), path)) {
        fail_msg("\"%s\": %s: \"%s\", wanted \"%s\"", text, hf_status_text(status), hf_context_message(cx), message);
    }
    hf_context_free(cx);
    folder_close(folder);
}

void fixture_refuses_network(fixture_reader read, const char *text, const char *message) {
    hf_context *cx = hf_context_new(NULL);
    hf_draft draft;
    hf_draft_init(cx, "input", &draft);
    const hf_status status = read(cx, text, strlen(text), &draft);
    if (status == HF_OK || !strstr(hf_context_message(cx), message) || !strstr(hf_context_message(cx), "input")) {
        fail_msg("%s: %s: %s", text, hf_status_text(status), hf_context_message(cx));
    }
    hf_draft_free(&draft);
    hf_context_free(cx);
}

hf_topology *fixture_read_network(hf_context *cx, fixture_reader read, const char *text) {
    hf_draft draft;
    hf_args args;
    hf_topology *topo = NULL;
    hf_draft_init(cx, "net", &draft);
    assert_int_equal(hf_args_parse(cx, "topology", "file", hf_topology_file.params, "net", &args), HF_OK);
    hf_status status = read(cx, text, strlen(text), &draft);
    status = status == HF_OK ? hf_draft_add_terminals(cx, &draft, 1) : status;
    status = status == HF_OK ? hf_draft_build(cx, &draft, &hf_topology_file, &args, &topo) : status;
    if (status != HF_OK) {
        fail_msg("%s\n%s", hf_context_message(cx), text);
    }
    hf_draft_free(&draft);
    hf_args_free(&args);
    return topo;
}

hf_flow_list *fixture_flows(fixture *fx, hf_random *random, uint32_t count) {
    const uint32_t n = fx->topo->n_terminal;
    uint32_t source[FIXTURE_FLOWS_MAX], destination[FIXTURE_FLOWS_MAX];
    hf_flow_list *flows;
    assert_true(count <= FIXTURE_FLOWS_MAX);
    for (uint32_t i = 0; i < count; i++) {
        source[i] = (uint32_t)hf_random_below(random, n);
        destination[i] = (source[i] + 1 + (uint32_t)hf_random_below(random, n - 1)) % n;
    }
    fixture_ok(fx, hf_flow_list_of(fx->cx, n, source, destination, count, &flows));
    return flows;
}
