/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  A user's rule in Lua. The rule is asked once per fault set, destination and state (switch, channel and VC of arrival) that
 *  packets can reach; what it answers is checked and kept, so that the plan is a table. See docs/lua.md. */
#include <string.h>

#include "src/core/source.h"
#include "src/routing/lua/lua.h"

enum { FILE_LIMIT = 16 << 20, MEBIBYTE_SHIFT = 20 };

static const hf_param params[] = {
    {.name = "path", .type = HF_PARAM_TEXT, .flags = HF_PARAM_POSITIONAL, .help = "the rule; PATH#HASH asks for a content"},
    {.name = "instructions",
     .type = HF_PARAM_UINT,
     .fallback = "1000000",
     .low = 1000,
     .high = UINT64_C(1000000000000),
     .help = "instructions that one call of route may take; loading and plan may take 1000 times as many"},
    {.name = "seconds",
     .type = HF_PARAM_UINT,
     .fallback = "1",
     .low = 1,
     .high = 86400,
     .help = "CPU time that one call of route may take; loading and plan may take 20 times as much"},
    {.name = "memory", .type = HF_PARAM_UINT, .fallback = "256", .low = 1, .high = 65536, .help = "memory of the rule, MiB"},
    {0},
};

typedef struct rule {
    hf_allocator allocator;
    const hf_topology *topo;
    hf_source source;
} rule;

static void close(void *data) {
    rule *r = data;
    const hf_allocator allocator = r->allocator;
    hf_source_free(&r->source);
    hf_release(&allocator, r);
}

/* A state with the rule loaded. \param[out] net in the arena */
static hf_status load(hf_context *cx, const rule *r, const hf_args *args, const hf_fault_set *faults, hf_lua_net **out_net,
                      hf_lua **out) {
    hf_lua_net *net;
    HF_TRY(hf_scratch(cx, 1, sizeof *net, (void **)&net));
    *out_net = net;
    HF_TRY(hf_lua_net_init(cx, r->topo, faults, net));
    const hf_lua_setup setup = {
        .file = r->source.path,
        .data = r->source.text.data,
        .size = r->source.text.size,
        .instructions = hf_args_get(args, "instructions")->number,
        .cpu_s = (double)hf_args_get(args, "seconds")->number,
        .memory_bytes = (size_t)hf_args_get(args, "memory")->number << MEBIBYTE_SHIFT,
        .fields = net->field,
        .methods = hf_lua_net_methods,
        .user = net,
    };
    return hf_lua_new(cx, &setup, out);
}

/* Does the rule have what it must, and does it take the network? */
static hf_status check(hf_context *cx, const rule *r, const hf_args *args) {
    hf_lua *lua;
    hf_lua_net *net;
    bool has_route = false;
    uint32_t n_vc;
    HF_TRY(load(cx, r, args, NULL, &net, &lua));
    hf_status status = hf_lua_has(cx, lua, "route", &has_route);
    if (status == HF_OK && !has_route) {
        status = hf_context_fail(cx, HF_EINVAL, __FILE__, __LINE__,
                                 "%s: there is no function route(net, at, in_channel, in_vc, destination) in it", r->source.path);
    }
    if (status == HF_OK) {
        status = hf_lua_number(cx, lua, "vcs", 1, HF_LUA_VC_MAX, 1, &n_vc);
    }
    if (status == HF_OK) {
        status = hf_lua_accepts(cx, lua);
    }
    hf_lua_free(lua);
    return status;
}

static hf_status open(hf_context *cx, const hf_topology *topo, hf_args *args, void **data) {
    rule *r;
    HF_TRY(hf_allocate(cx, 1, sizeof *r, (void **)&r));
    r->allocator = *hf_context_allocator(cx);
    r->topo = topo;
    const hf_mark mark = hf_scratch_mark(cx);
    hf_status status = hf_source_load(cx, args->value[0].text, FILE_LIMIT, &r->source);
    if (status == HF_OK) {
        status = check(cx, r, args);
    }
    hf_scratch_reset(cx, mark);
    if (status != HF_OK) {
        close(r);
        return status;
    }
    args->value[0].text = r->source.named;
    *data = r;
    return HF_OK;
}

/* A state of one plan. */
typedef struct asking {
    hf_lua *lua;
    hf_lua_net *net;
} asking;

static hf_status ask_for_hops(hf_context *cx, void *user, const char *function, const uint32_t *arguments, size_t n,
                              const hf_call_hop **hops, size_t *n_hop) {
    const asking *a = user;
    return hf_lua_hops(cx, a->lua, function, arguments, n, hops, n_hop);
}

static bool looks(const void *user) {
    const asking *a = user;
    return a->net->was_asked || hf_lua_has_read_faults(a->lua);
}

hf_status hf_lua_plan_make(hf_context *cx, hf_lua *lua, hf_lua_net *net, const char *file, hf_lua_order order, hf_plan *plan) {
    asking a = {lua, net};
    hf_lua_rule asked = {.file = file, .hops = ask_for_hops, .looks = looks, .user = &a};
    hf_lua_failed failed;
    HF_TRY(hf_lua_list_failed(cx, plan->faults, plan->topo, &failed));
    HF_TRY(hf_lua_number(cx, lua, "vcs", 1, HF_LUA_VC_MAX, 1, &plan->n_vc));
    HF_TRY(hf_lua_plan(cx, lua, failed.channels, failed.n_channel, failed.switches, failed.n_switch));
    HF_TRY(hf_lua_number(cx, lua, "tags", 1, HF_LUA_TAG_MAX, 1, &asked.n_tag));
    HF_TRY(hf_lua_words(cx, lua, "depends", hf_lua_dependencies, &asked.depends));
    HF_TRY(hf_lua_truth(cx, lua, "commits", &asked.commits));
    HF_TRY(hf_lua_has(cx, lua, "inject", &asked.has_inject));
    return hf_lua_relation_make(cx, &asked, order, plan);
}

static hf_status make_in_order(hf_context *cx, hf_lua_order order, hf_plan *plan) {
    const rule *r = plan->data;
    hf_lua *lua;
    hf_lua_net *net;
    HF_TRY(load(cx, r, plan->args, plan->faults, &net, &lua));
    const hf_status status = hf_lua_plan_make(cx, lua, net, r->source.path, order, plan);
    hf_lua_free(lua);
    return status;
}

static hf_status make(hf_context *cx, hf_plan *plan) {
    const rule *r = plan->data;
    if (plan->topo != r->topo) {
        HF_FAIL(cx, HF_EINVAL, "%s: the rule was opened for another topology than \"%s\"", r->source.path, plan->topo->spec);
    }
    return make_in_order(cx, HF_LUA_FORWARDS, plan);
}

static hf_status is_blind(hf_context *cx, const hf_plan *plan, bool *out) {
    return hf_lua_relation_is_blind(cx, plan, make_in_order, out);
}

const hf_routing hf_routing_lua = {
    .name = "lua",
    .summary = "the user's own rule, a function route() in a file of Lua 5.4; see docs/lua.md",
    .source = "the user's file",
    .traits = HF_ROUTING_ADAPTIVE | HF_ROUTING_ORDER_FREE | HF_ROUTING_REACHED,
    .params = params,
    .open = open,
    .close = close,
    .plan = make,
    .route = hf_lua_relation_route,
    .is_blind = is_blind,
    .escape = hf_lua_relation_escape,
};
