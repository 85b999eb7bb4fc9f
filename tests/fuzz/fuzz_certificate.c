/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Certificates: refused with the file, refuted with a reason, or confirmed; and what is confirmed, the deciders do not
 * contradict. Specs other than a few small ones are skipped: their readers have targets of their own, and large networks take
 * long. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <holdfast/holdfast.h>

#include "src/check/check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(int holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "broken: %s\n", what);
        abort();
    }
}

static const char *const topologies[] = {"ring:n=4",       "mesh:dims=2x2", "mesh:dims=3x3",
                                         "torus:dims=3x4", "hypercube:n=2", "kary-tree:k=2,n=2"};
static const char *const routings[] = {"dor",           "dor:vcs=1",           "dor:vcs=2,dateline=yes", "minimal",
                                       "minimal:vcs=1", "updown-graph:root=0", "duato:adaptive-vcs=1",   "updown",
                                       "updown-graph",  "west-first",          "valiant:inner=dor"};

static bool is_one_of(const char *text, const char *const *list, size_t count) {
    for (size_t i = 0; text && i < count; i++) {
        if (strcmp(text, list[i]) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_small(const hf_json *spec) {
    const char *universe = hf_json_string(hf_json_get(spec, "universe"));
    static const char *const universes[] = {"links", "channels", "switches"};
    return is_one_of(hf_json_string(hf_json_get(spec, "topology")), topologies, sizeof topologies / sizeof *topologies) &&
           is_one_of(hf_json_string(hf_json_get(spec, "routing")), routings, sizeof routings / sizeof *routings) &&
           (!universe || is_one_of(universe, universes, 3));
}

/* What the deciders say of the plan that the certificate is about. */
static hf_deadlock_answer decide(hf_context *cx, const hf_json *spec) {
    const char *switching = hf_json_string(hf_json_get(spec, "switching")), *flow = hf_json_string(hf_json_get(spec, "flow")),
               *failed = hf_json_string(hf_json_get(spec, "failed")), *universe = hf_json_string(hf_json_get(spec, "universe"));
    hf_deadlock_options options = {.threads = 1, .time_limit_s = 5, .bubble = flow && strcmp(flow, "bubble") == 0};
    hf_topology *topo;
    hf_universe *components = NULL;
    hf_rule rule;
    hf_fault_set faults;
    hf_plan plan;
    hf_deadlock found;
    options.switching = !switching || strcmp(switching, "wormhole") == 0 ? HF_SWITCHING_WORMHOLE : HF_SWITCHING_VCT;
    expect(hf_topology_new(cx, hf_json_string(hf_json_get(spec, "topology")), &topo) == HF_OK, "the topology is made again");
    expect(hf_rule_init(cx, hf_json_string(hf_json_get(spec, "routing")), topo, &rule) == HF_OK, "and the rule");
    expect(!universe || hf_universe_new(cx, topo, universe, NULL, &components) == HF_OK, "and the universe");
    expect(hf_fault_set_parse(cx, topo, components, failed ? failed : "", &faults) == HF_OK, "and the fault set");
    expect(hf_plan_make(cx, &rule, &faults, &plan) == HF_OK, "and the plan");
    options.bubble &= rule.routing->ring != NULL;
    expect(hf_deadlock_decide(cx, &plan, &options, &found) == HF_OK, "the plan is decided");
    hf_rule_free(&rule);
    hf_universe_free(components);
    hf_topology_free(topo);
    return found.answer;
}

static void confirmed(const check *c, hf_deadlock_answer answer) {
    const bool is_free = strcmp(c->verdict, "deadlock-free") == 0;
    expect(is_free || strcmp(c->verdict, "deadlock") == 0, "a verdict is confirmed");
    expect(answer != (is_free ? HF_DEADLOCK_FOUND : HF_DEADLOCK_FREE), "the deciders agree with what is confirmed");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    hf_context *cx = hf_context_new(NULL);
    hf_json *root = NULL;
    expect(cx != NULL, "memory");
    check c = {.cx = cx, .file = "input"};
    const bool is_json = hf_json_parse(cx, "input", (const char *)data, size, &root) == HF_OK;
    const hf_json *spec = hf_json_get(root, "spec");
    if (!is_json || !hf_json_string(hf_json_get(spec, "topology")) || is_small(spec)) {
        hf_context_clear(cx);
        const hf_status status = check_certificate(&c, (const char *)data, size);
        expect(status == HF_OK || *hf_context_message(cx), "a failure without a message");
        expect(status != HF_OK || !c.refuted || *c.why, "a refutation without a reason");
        if (status == HF_OK && !c.refuted) {
            confirmed(&c, decide(cx, spec));
        }
    }
    hf_json_free(root);
    hf_context_free(cx);
    return 0;
}
