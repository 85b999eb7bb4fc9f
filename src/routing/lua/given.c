/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  A rule that the program has handed over, such as a function of Python. It is asked as one in Lua is, and sees the same
 *  network. Source: none; the user's program. */
#include <holdfast/routing/given.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "src/core/grow.h"
#include "src/routing/lanes.h"
#include "src/routing/lua/net.h"
#include "src/routing/lua/relation.h"

enum { WHY_SIZE = 512 };

static const hf_param params[] = {
    {.name = "name",
     .type = HF_PARAM_TEXT,
     .flags = HF_PARAM_POSITIONAL,
     .help = "what the rule is called; which it is, the program says (hf_context_give_rule(), in Python holdfast.rule())"},
    HF_PARAM_LANES,
    {0},
};

struct hf_rule_call {
    hf_context *cx;
    const hf_given_rule *rule;
    hf_lua_net net;
    hf_call method; /* the last one */
    hf_call_hop *hops;
    size_t n_hop, capacity;
    bool is_list, is_refused, has_failed;
    hf_status failure; /* of ours, with the message of the context */
    char why[WHY_SIZE];
};

/* ---- what the program says ---- */

void hf_rule_call_no_hop(hf_rule_call *call) { call->is_list = true; }

void hf_rule_call_fail(hf_rule_call *call, const char *text) {
    call->has_failed = true;
    (void)snprintf(call->why, sizeof call->why, "%s", text);
}

static hf_status add_hop(hf_rule_call *call, hf_call_hop hop) {
    HF_GROW(call->cx, call->hops, call->n_hop, call->capacity);
    call->hops[call->n_hop++] = hop;
    return HF_OK;
}

void hf_rule_call_hop(hf_rule_call *call, uint32_t channel, uint32_t vc, uint32_t tag, bool is_escape) {
    call->is_list = true;
    if (call->failure == HF_OK) {
        call->failure = add_hop(call, (hf_call_hop){channel, vc, tag, is_escape});
    }
}

void hf_rule_call_refuse(hf_rule_call *call, const char *reason) {
    call->is_refused = true;
    (void)snprintf(call->why, sizeof call->why, "%s", reason);
}

const char *hf_rule_call_net(hf_rule_call *call, const char *name, const hf_call_value *arguments, size_t n,
                             hf_call_value *result) {
    hf_call *m = &call->method;
    const hf_call_method *method = hf_lua_net_methods;
    hf_call_begin(m, "net.", name);
    for (const hf_call_field *f = call->net.field; f->name; f++) {
        if (strcmp(f->name, name) == 0) {
            hf_call_give(m, f->value);
            *result = m->result;
            return NULL;
        }
    }
    while (method->name && strcmp(method->name, name) != 0) {
        method++;
    }
    if (!method->name) {
        (void)snprintf(m->error, sizeof m->error, "net has nothing called %s", name);
        return m->error;
    }
    for (; m->n < n && m->n < HF_CALL_ARGUMENTS; m->n++) {
        m->argument[m->n] = arguments[m->n];
    }
    method->run(m, &call->net);
    *result = m->result;
    call->failure = m->failure != HF_OK ? m->failure : call->failure;
    return m->failure != HF_OK ? hf_context_message(call->cx) : m->error[0] ? m->error : NULL;
}

/* ---- asking it ---- */

static hf_status ask(hf_rule_call *call, const char *function, const uint32_t *arguments, size_t n) {
    call->n_hop = 0;
    call->is_list = call->is_refused = call->has_failed = false;
    call->failure = HF_OK;
    call->rule->call(call->rule->user, call, function, arguments, n);
    HF_TRY(call->failure);
    if (call->has_failed) {
        HF_FAIL(call->cx, HF_EINVAL, "%s: %s", call->rule->name, call->why);
    }
    return HF_OK;
}

/* Does something with the rule, from "begin" to "end". */
typedef hf_status with_rule(hf_rule_call *call, void *user);

static hf_status use(hf_context *cx, const hf_given_rule *rule, const hf_topology *topo, const hf_fault_set *faults,
                     with_rule *with, void *user) {
    hf_rule_call *call;
    HF_TRY(hf_scratch(cx, 1, sizeof *call, (void **)&call));
    call->cx = cx;
    call->rule = rule;
    HF_TRY(hf_lua_net_init(cx, topo, faults, &call->net));
    hf_status status = ask(call, "begin", NULL, 0);
    if (status == HF_OK) {
        status = with(call, user);
        rule->call(rule->user, call, "end", NULL, 0);
    }
    hf_release(hf_context_allocator(cx), call->hops);
    return status;
}

static hf_status ask_whether(hf_rule_call *call, void *user) {
    const hf_topology *topo = user;
    HF_TRY(call->rule->has_accepts ? ask(call, "accepts", NULL, 0) : HF_OK);
    if (call->is_refused) {
        HF_FAIL(call->cx, HF_ENOTSUP, "%s does not take \"%s\": %s", call->rule->name, topo->spec, call->why);
    }
    return HF_OK;
}

static hf_status ask_for_hops(hf_context *cx, void *user, const char *function, const uint32_t *arguments, size_t n,
                              const hf_call_hop **hops, size_t *n_hop, hf_lua_trace *trace) {
    static const hf_call_hop no_hops[1];
    hf_rule_call *call = user;
    (void)cx;
    (void)trace;
    HF_TRY(ask(call, function, arguments, n));
    *hops = !call->is_list ? NULL : call->hops ? call->hops : no_hops;
    *n_hop = call->n_hop;
    return HF_OK;
}

static bool looks(const void *user) { return ((const hf_rule_call *)user)->net.was_asked; }

typedef struct making {
    hf_lua_order order;
    hf_plan *plan;
} making;

static hf_status make_relation(hf_rule_call *call, void *user) {
    const making *m = user;
    const hf_given_rule *r = call->rule;
    const hf_lua_rule asked = {.file = r->name,
                               .n_vc = r->vcs,
                               .n_tag = r->tags,
                               .depends = r->depends,
                               .commits = r->commits,
                               .has_inject = r->has_inject,
                               .hops = ask_for_hops,
                               .looks = looks,
                               .user = call};
    return hf_lua_relation_make(call->cx, &asked, m->order, m->plan, NULL);
}

/* ---- the routing ---- */

static hf_status check(hf_context *cx, const hf_given_rule *r) {
    if (!r) {
        HF_FAIL(cx, HF_ENOTSUP,
                "no rule is given; a program hands one over, by hf_context_give_rule() or in Python by holdfast.rule()");
    }
    if (r->vcs < 1 || r->vcs > HF_LUA_VC_MAX) {
        HF_FAIL(cx, HF_ERANGE, "%s: vcs = %" PRIu32 " is out of range; need 1 to %d", r->name, r->vcs, HF_LUA_VC_MAX);
    }
    if (r->tags < 1 || r->tags > HF_LUA_TAG_MAX) {
        HF_FAIL(cx, HF_ERANGE, "%s: tags = %" PRIu32 " is out of range; need 1 to %d", r->name, r->tags, HF_LUA_TAG_MAX);
    }
    return HF_OK;
}

static hf_status open(hf_context *cx, const hf_topology *topo, hf_args *args, void **data) {
    const hf_given_rule *r = hf_context_given_rule(cx);
    const hf_mark mark = hf_scratch_mark(cx);
    HF_TRY(check(cx, r));
    const hf_status status = use(cx, r, topo, NULL, ask_whether, (void *)topo);
    hf_scratch_reset(cx, mark);
    HF_TRY(status);
    args->value[0].text = r->name;
    *data = (void *)r;
    return HF_OK;
}

/* It stays the program's. */
static void close(void *data) { (void)data; }

static hf_status make_in_order(hf_context *cx, hf_lua_order order, hf_plan *plan) {
    making m = {order, plan};
    return use(cx, plan->data, plan->topo, plan->faults, make_relation, &m);
}

static hf_status make(hf_context *cx, hf_plan *plan) { return make_in_order(cx, HF_LUA_FORWARDS, plan); }

static hf_status is_blind(hf_context *cx, const hf_plan *plan, bool *out) {
    return hf_lua_relation_is_blind(cx, plan, make_in_order, out);
}

const hf_routing hf_routing_given = {
    .name = "given",
    .summary = "the user's own rule, a function of a program that uses the library, as in Python; see docs/python.md",
    .source = "the user's program",
    .traits = HF_ROUTING_ADAPTIVE | HF_ROUTING_ORDER_FREE | HF_ROUTING_REACHED,
    .is_of_program = true,
    .params = params,
    .open = open,
    .close = close,
    .plan = make,
    .route = hf_lua_relation_route,
    .is_blind = is_blind,
    .escape = hf_lua_relation_escape,
};
