/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Certificates: refused with the file, refuted or left open with a reason, or confirmed; and what is confirmed, the deciders do
 *  not contradict. Specs other than a few small ones are skipped: their readers have targets of their own, and large networks
 *  take long. */
#include <holdfast/holdfast.h>

#include "src/check/check.h"

#include "tests/fuzz/fuzz.h"

static const char lines[] = "\"$w\": $n,\n"
                            "\"$w\": \"$w\",\n"
                            "\"$w\": null,\n"
                            "[$n, $n, $n],\n"
                            "\"$w\": [$t],\n";
static const char words[] =
    "null true false \"\" [] {} \"x\" spec topology routing universe failed switching wormhole vct saf "
    "flow bubble credit certificate verdict deadlock-free deadlock method vcs escape order packets cycle "
    "channels holds waits_for places timing lockstep any weakest witness proof classes paths supports sets "
    "orbits program criterion all-pairs connected surviving ring:n=4 mesh:dims=2x2 dor:vcs=1";
const fuzz_grammar fuzz_format = {lines, words, "{}[],:\"", NULL};

static const char *const topologies[] = {"ring:n=4",       "mesh:dims=2x2", "mesh:dims=3x3",
                                         "torus:dims=3x4", "hypercube:n=2", "kary-tree:k=2,n=2"};
static const char *const routings[] = {"dor",           "dor:vcs=1",           "dor:vcs=2,dateline=yes", "minimal",
                                       "minimal:vcs=1", "updown-graph:root=0", "duato:adaptive-vcs=1",   "updown",
                                       "updown-graph",  "west-first",          "valiant:inner=dor",      "adaptive-bubble"};

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
               *failed = hf_json_string(hf_json_get(spec, "failed")), *universe = hf_json_string(hf_json_get(spec, "universe")),
               *timing = hf_json_string(hf_json_get(spec, "timing"));
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
    options.timing = timing && strcmp(timing, "lockstep") == 0 ? HF_TIMING_LOCKSTEP : HF_TIMING_ANY;
    options.bubble &= hf_plan_has_rings(&plan);
    expect(hf_deadlock_decide(cx, &plan, &options, &found) == HF_OK, "the plan is decided");
    hf_rule_free(&rule);
    hf_universe_free(components);
    hf_topology_free(topo);
    return found.answer;
}

/* The fewest components, by all ways that the program has; of the network that a certificate is about. */
static void confirmed_weakest(hf_context *cx, const hf_json *root) {
    const hf_json *spec = hf_json_get(root, "spec"), *witness = hf_json_get(hf_json_get(root, "certificate"), "witness");
    hf_topology *topo;
    hf_universe *universe;
    hf_rule rule;
    hf_criterion criterion;
    hf_weakest w;
    expect(hf_topology_new(cx, hf_json_string(hf_json_get(spec, "topology")), &topo) == HF_OK, "the topology is made again");
    expect(hf_rule_init(cx, hf_json_string(hf_json_get(spec, "routing")), topo, &rule) == HF_OK, "and the rule");
    expect(hf_universe_new(cx, topo, hf_json_string(hf_json_get(spec, "universe")), NULL, &universe) == HF_OK,
           "and the universe");
    expect(hf_criterion_init(cx, hf_json_string(hf_json_get(spec, "criterion")), &criterion) == HF_OK, "and the criterion");
    const hf_weakest_request request = {
        .universe = universe, .rule = &rule, .criterion = &criterion, .sets_most = 100000, .limit_s = 5, .threads = 1};
    expect(hf_weakest_find(cx, &request, &w) == HF_OK, "the fewest are found");
    expect(!w.is_exact || w.is_possible == !hf_json_is_null(witness), "whether some set is lost");
    expect(!w.is_exact || !w.is_possible || w.n == hf_json_count(witness), "and how few are");
    hf_weakest_free(&w);
    hf_rule_free(&rule);
    hf_universe_free(universe);
    hf_topology_free(topo);
}

static void confirmed(const check *c, hf_deadlock_answer answer) {
    const bool is_free = c->is.answer == HF_DEADLOCK_FREE;
    expect(is_free || c->is.answer == HF_DEADLOCK_FOUND, "a verdict is confirmed");
    expect(answer != (is_free ? HF_DEADLOCK_FOUND : HF_DEADLOCK_FREE), "the deciders agree with what is confirmed");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    hf_context *cx = hf_context_new(NULL);
    hf_json *root = NULL;
    expect(cx != NULL, "memory");
    check c = {.cx = cx, .file = "input", .version = "0.1.0"};
    const bool is_json = hf_json_parse(cx, "input", (const char *)data, size, &root) == HF_OK;
    const hf_json *spec = hf_json_get(root, "spec");
    if (!is_json || !hf_json_string(hf_json_get(spec, "topology")) || is_small(spec)) {
        hf_context_clear(cx);
        const hf_status status = check_certificate(&c, (const char *)data, size);
        if (status != HF_OK) {
            expect_sentence(cx);
        }
        expect(status != HF_OK || c.outcome == CHECK_CONFIRMED || *c.why, "an outcome without a reason");
        if (status == HF_OK && c.outcome == CHECK_CONFIRMED && hf_json_get(spec, "criterion")) {
            confirmed_weakest(cx, root);
        } else if (status == HF_OK && c.outcome == CHECK_CONFIRMED) {
            confirmed(&c, decide(cx, spec));
        }
    }
    hf_json_free(root);
    hf_context_free(cx);
    return 0;
}
