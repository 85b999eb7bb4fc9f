/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Certificates held in memory: what they are about, and which check they ask for. */
#include <string.h>

#include "src/check/check.h"

static hf_status malformed(const check *c, const char *need) {
    HF_FAIL(c->cx, HF_EINVAL, "%s is no certificate of holdfast verify; need %s", c->file, need);
}

static hf_status read_numbers(check *c) {
    const hf_json *runs = hf_json_get(c->certificate, "numbers");
    uint32_t at = 0;
    for (size_t i = 0; i + 1 < hf_json_count(runs); i += 2) {
        int64_t number, length;
        if (!hf_json_whole(hf_json_at(runs, i), &number) || !hf_json_whole(hf_json_at(runs, i + 1), &length) || number < -1 ||
            length < 1 || length > (int64_t)c->n_resource - at) {
            return malformed(c, "\"numbers\" with pairs of number and length");
        }
        for (int64_t k = 0; k < length; k++) {
            c->number[at++] = number;
        }
    }
    return at == c->n_resource ? HF_OK : malformed(c, "a number for every virtual channel");
}

static hf_status read_escape(check *c) {
    const hf_json *escape = hf_json_get(c->certificate, "escape");
    const char *word = hf_json_string(escape);
    c->escape_declared = word && strcmp(word, "declared") == 0;
    if (c->escape_declared && !c->plan.routing->escape) {
        return malformed(c, "a routing that declares an escape");
    }
    for (size_t i = 0; i < hf_json_count(escape); i++) {
        int64_t vc;
        if (!hf_json_whole(hf_json_at(escape, i), &vc) || vc < 0 || vc >= 64) {
            return malformed(c, "virtual channels in \"escape\"");
        }
        c->escape_vcs |= UINT64_C(1) << vc;
    }
    return HF_OK;
}

static hf_status make_plan(check *c) {
    const char *topology = hf_json_string(hf_json_get(c->spec, "topology")),
               *routing = hf_json_string(hf_json_get(c->spec, "routing")),
               *universe = hf_json_string(hf_json_get(c->spec, "universe")),
               *failed = hf_json_string(hf_json_get(c->spec, "failed"));
    if (!topology || !routing) {
        return malformed(c, "\"spec\" with topology and routing");
    }
    HF_TRY(hf_topology_new(c->cx, topology, &c->topo));
    HF_TRY(hf_rule_init(c->cx, routing, c->topo, &c->rule));
    c->has_rule = true;
    if (universe) {
        HF_TRY(hf_universe_new(c->cx, c->topo, universe, NULL, &c->universe));
    }
    HF_TRY(hf_fault_set_parse(c->cx, c->topo, c->universe, failed ? failed : "", &c->faults));
    return hf_plan_make(c->cx, &c->rule, &c->faults, &c->plan);
}

/* Does the method prove anything under the switching and flow control that were asked for? */
static void check_method(check *c) {
    static const char *const known[] = {"acyclic dependency graph", "bubble rings", "escape", "bubble escape", "fixpoint"};
    const char *switching = hf_json_string(hf_json_get(c->spec, "switching")),
               *flow = hf_json_string(hf_json_get(c->spec, "flow"));
    bool is_known = false;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        is_known |= strcmp(c->method, known[i]) == 0;
    }
    if (!is_known) {
        check_refute(c, "the method \"%s\" leaves no certificate", c->method);
    } else if (strcmp(c->method, "fixpoint") == 0 && (!switching || strcmp(switching, "wormhole") == 0)) {
        check_refute(c, "a fixpoint proves nothing about wormhole switching");
    } else if (strncmp(c->method, "bubble", 6) == 0 && (!flow || strcmp(flow, "bubble") != 0)) {
        check_refute(c, "the method \"%s\" proves nothing about the flow control \"%s\"", c->method, flow ? flow : "credit");
    }
}

static hf_status check_root(check *c, const hf_json *root) {
    int64_t vcs;
    c->spec = hf_json_get(root, "spec");
    c->certificate = hf_json_get(root, "certificate");
    c->verdict = hf_json_string(hf_json_get(c->certificate, "verdict"));
    c->method = hf_json_string(hf_json_get(c->certificate, "method"));
    if (!c->verdict || !c->method || !hf_json_whole(hf_json_get(c->certificate, "vcs"), &vcs)) {
        return malformed(c, "\"certificate\" with verdict, method and vcs");
    }
    HF_TRY(make_plan(c));
    if (vcs != c->plan.n_vc) {
        return malformed(c, "as many virtual channels as the routing has");
    }
    c->n_resource = c->topo->n_channel * c->plan.n_vc;
    if (strcmp(c->verdict, "deadlock") == 0) {
        return check_deadlock(c);
    }
    if (strcmp(c->verdict, "deadlock-free") != 0) {
        check_refute(c, "the verdict is \"%s\": there is nothing to confirm", c->verdict);
        return HF_OK;
    }
    check_method(c);
    HF_TRY(hf_scratch(c->cx, c->n_resource, sizeof *c->number, (void **)&c->number));
    HF_TRY(read_numbers(c));
    HF_TRY(read_escape(c));
    return c->refuted ? HF_OK : check_free(c);
}

hf_status check_certificate(check *c, const char *data, size_t size) {
    hf_json *root = NULL;
    HF_TRY(hf_json_parse(c->cx, c->file, data, size, &root));
    const hf_status status = check_root(c, root);
    c->verdict = c->verdict && strcmp(c->verdict, "deadlock") == 0 ? "deadlock" : "deadlock-free";
    c->method = NULL;
    c->spec = c->certificate = NULL;
    hf_universe_free(c->universe);
    c->universe = NULL;
    if (c->has_rule) {
        hf_rule_free(&c->rule);
        c->has_rule = false;
    }
    hf_topology_free(c->topo);
    c->topo = NULL;
    hf_json_free(root);
    return status;
}
