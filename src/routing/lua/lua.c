/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  A user's rule in Lua. The rule is asked once per fault set, destination and state (switch, channel and VC of arrival) that
 *  packets can reach; what it answers is checked and kept, so that the plan is a table. See docs/lua.md. */

#include "src/routing/lua/lua.h"
#include "src/routing/lanes.h"
#include "src/routing/rings.h"
#include <inttypes.h>

enum { FILE_LIMIT = 16 << 20 };

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
    HF_PARAM_LANES,
    {0},
};

static void close(void *data) {
    hf_lua_opened *r = data;
    const hf_allocator allocator = r->allocator;
    hf_source_free(&r->source);
    hf_lua_pool_free(r->pool);
    hf_release(&allocator, r->ring);
    hf_release(&allocator, r);
}

/* The rings that the rule declares, once and without faults. */
static hf_status ask_rings(hf_context *cx, hf_lua *lua, hf_lua_opened *r) {
    const hf_topology *topo = r->topo;
    const uint32_t n = topo->n_channel * r->n_vc;
    bool has_rings;
    HF_TRY(hf_lua_has(cx, lua, "ring", &has_rings));
    if (!has_rings) {
        return HF_OK;
    }
    HF_TRY(hf_allocate(cx, n, sizeof *r->ring, (void **)&r->ring));
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t arguments[] = {i / r->n_vc, i % r->n_vc};
        r->ring[i] = HF_NONE;
        if (topo->link[arguments[0]] < topo->n_switch_link) {
            HF_TRY(hf_lua_value(cx, lua, "ring", arguments, 2, &r->ring[i]));
        }
        if (r->ring[i] != HF_NONE && r->ring[i] >= n) {
            HF_FAIL(cx, HF_EINVAL,
                    "%s: ring(channel = %" PRIu32 ", vc = %" PRIu32 ") is %" PRIu32 "; need a number below %" PRIu32 " or nil",
                    r->source.path, arguments[0], arguments[1], r->ring[i], n);
        }
    }
    return hf_rings_check(cx, r->source.path, topo, r->n_vc, r->ring);
}

/* Does the rule have what it must, and does it take the network? */
static hf_status check(hf_context *cx, hf_lua_opened *r, const hf_args *args) {
    hf_lua *lua;
    hf_lua_net *net;
    bool has_route = false;
    HF_TRY(hf_lua_load(cx, r, args, NULL, &net, &lua));
    hf_status status = hf_lua_has(cx, lua, "route", &has_route);
    if (status == HF_OK && !has_route) {
        status = hf_context_fail(cx, HF_EINVAL, __FILE__, __LINE__,
                                 "%s: there is no function route(net, at, in_channel, in_vc, destination) in it", r->source.path);
    }
    if (status == HF_OK) {
        status = hf_lua_number(cx, lua, "vcs", 1, HF_LUA_VC_MAX, 1, &r->n_vc);
    }
    if (status == HF_OK) {
        status = hf_lua_accepts(cx, lua);
    }
    status = status == HF_OK ? ask_rings(cx, lua, r) : status;
    hf_lua_free(lua);
    return status;
}

static hf_status open(hf_context *cx, const hf_topology *topo, hf_args *args, void **data) {
    hf_lua_opened *r;
    HF_TRY(hf_allocate(cx, 1, sizeof *r, (void **)&r));
    r->allocator = *hf_context_allocator(cx);
    r->topo = topo;
    const hf_mark mark = hf_scratch_mark(cx);
    hf_status status = hf_source_load(cx, args->value[0].text, FILE_LIMIT, &r->source);
    if (status == HF_OK) {
        status = check(cx, r, args);
    }
    hf_scratch_reset(cx, mark);
    status = status == HF_OK ? hf_lua_pool_new(cx, &r->pool) : status;
    if (status != HF_OK) {
        close(r);
        return status;
    }
    args->value[0].text = r->source.named;
    *data = r;
    return HF_OK;
}

/* ---- the routing ---- */

static hf_status make_in_order(hf_context *cx, hf_lua_order order, hf_plan *plan) {
    const hf_lua_opened *r = plan->data;
    hf_lua *lua;
    hf_lua_net *net;
    HF_TRY(hf_lua_load(cx, r, plan->args, plan->faults, &net, &lua));
    const hf_status status = hf_lua_plan_make(cx, lua, net, r->source.path, order, plan);
    hf_lua_free(lua);
    return status;
}

static hf_status make_remembered(hf_context *cx, hf_lua_memory *memory, hf_plan *plan) {
    hf_lua_asking a = {.data = plan->data, .args = plan->args, .faults = plan->faults};
    hf_lua_net net;
    HF_TRY(hf_lua_net_init(cx, plan->topo, plan->faults, &net));
    const hf_lua_rule asked = hf_lua_remembered(memory, &a, &net);
    const hf_status status = hf_lua_relation_make(cx, &asked, HF_LUA_FORWARDS, plan, NULL);
    hf_lua_asking_close(&a);
    return status;
}

static hf_status make(hf_context *cx, hf_plan *plan) {
    const hf_lua_opened *r = plan->data;
    hf_lua_memory *memory = NULL;
    if (plan->topo != r->topo) {
        HF_FAIL(cx, HF_EINVAL, "%s: the rule was opened for another topology than \"%s\"", r->source.path, plan->topo->spec);
    }
    HF_TRY(hf_lua_pool_is_busy(r->pool) ? hf_lua_remember(cx, r, plan->args, &memory) : HF_OK);
    if (!memory) {
        return make_in_order(cx, HF_LUA_FORWARDS, plan);
    }
    const hf_status status = make_remembered(cx, memory, plan);
    hf_lua_give_back(r, memory);
    return status;
}

static hf_status is_blind(hf_context *cx, const hf_plan *plan, bool *out) {
    return hf_lua_relation_is_blind(cx, plan, make_in_order, out);
}

static uint32_t ring_of(const hf_plan *plan, uint32_t channel, uint32_t vc) {
    const hf_lua_opened *r = plan->data;
    return r->ring ? r->ring[channel * plan->n_vc + vc] : HF_NONE;
}

static bool has_rings(const hf_plan *plan) { return ((const hf_lua_opened *)plan->data)->ring != NULL; }

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
    .ring = ring_of,
    .has_rings = has_rings,
    .judge = hf_lua_judge_new,
};
