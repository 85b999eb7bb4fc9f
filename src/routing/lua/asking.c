/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  A rule in Lua under one fault set: loaded, asked, remembered from set to set where it answers alike. */
#include <string.h>

#include "src/routing/lua/lua.h"

enum { MEBIBYTE_SHIFT = 20 };

hf_status hf_lua_load(hf_context *cx, const hf_lua_opened *r, const hf_args *args, const hf_fault_set *faults,
                      hf_lua_net **out_net, hf_lua **out) {
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

/* ---- asking it under a fault set ---- */

static hf_status plan_under(hf_context *cx, hf_lua *lua, const hf_fault_set *faults) {
    hf_lua_failed failed;
    HF_TRY(hf_lua_list_failed(cx, faults, faults->topo, &failed));
    return hf_lua_plan(cx, lua, failed.channels, failed.n_channel, failed.switches, failed.n_switch);
}

static hf_status load_and_plan(hf_context *cx, hf_lua_asking *a) {
    HF_TRY(hf_lua_load(cx, a->data, a->args, a->faults, &a->net, &a->lua));
    return plan_under(cx, a->lua, a->faults);
}

static hf_status ask_for_hops(hf_context *cx, void *user, const char *function, const uint32_t *arguments, size_t n,
                              const hf_call_hop **hops, size_t *n_hop, hf_lua_trace *trace) {
    hf_lua_asking *a = user;
    HF_TRY(a->lua ? HF_OK : load_and_plan(cx, a));
    a->net->trace = trace;
    HF_TRY(hf_lua_hops(cx, a->lua, function, arguments, n, hops, n_hop));
    if (trace) {
        trace->is_over |= hf_lua_has_read_faults(a->lua);
    }
    return HF_OK;
}

static bool looks(const void *user) {
    const hf_lua_asking *a = user;
    return a->lua && (a->net->was_asked || hf_lua_has_read_faults(a->lua));
}

void hf_lua_asking_close(hf_lua_asking *asking) {
    hf_lua_free(asking->lua);
    asking->lua = NULL;
}

/* What the rule says of itself, after it has planned. */
static hf_status read_globals(hf_context *cx, hf_lua_asking *a, const char *file, hf_lua_rule *out) {
    *out = (hf_lua_rule){.file = file, .hops = ask_for_hops, .looks = looks, .user = a};
    HF_TRY(hf_lua_number(cx, a->lua, "vcs", 1, HF_LUA_VC_MAX, 1, &out->n_vc));
    HF_TRY(hf_lua_number(cx, a->lua, "tags", 1, HF_LUA_TAG_MAX, 1, &out->n_tag));
    HF_TRY(hf_lua_words(cx, a->lua, "depends", hf_lua_dependencies, &out->depends));
    HF_TRY(hf_lua_truth(cx, a->lua, "commits", &out->commits));
    return hf_lua_has(cx, a->lua, "inject", &out->has_inject);
}

hf_status hf_lua_plan_make(hf_context *cx, hf_lua *lua, hf_lua_net *net, const char *file, hf_lua_order order, hf_plan *plan) {
    hf_lua_asking a = {.lua = lua, .net = net};
    hf_lua_rule asked;
    HF_TRY(plan_under(cx, lua, plan->faults));
    HF_TRY(read_globals(cx, &a, file, &asked));
    return hf_lua_relation_make(cx, &asked, order, plan, NULL);
}

/* ---- remembering it ---- */

/* Every fifth channel between switches: faults that a rule has much to say about. */
static hf_status make_trial(hf_context *cx, const hf_topology *topo, bool has_faults, hf_fault_set *out) {
    uint64_t *channel_set, *switch_set;
    uint32_t *list;
    *out = (hf_fault_set){.topo = topo};
    HF_TRY(hf_scratch(cx, hf_words(topo->n_channel), sizeof *channel_set, (void **)&channel_set));
    HF_TRY(hf_scratch(cx, hf_words(topo->n_switch), sizeof *switch_set, (void **)&switch_set));
    HF_TRY(hf_scratch(cx, topo->n_channel, sizeof *list, (void **)&list));
    for (uint32_t c = 0; c < topo->n_channel && has_faults; c += 5) {
        if (!hf_topology_is_terminal(topo, topo->from[c]) && !hf_topology_is_terminal(topo, topo->to[c])) {
            hf_bit_set(channel_set, c);
            list[out->n_channel++] = c;
        }
    }
    out->channel = list;
    out->channel_set = channel_set;
    out->switch_set = switch_set;
    return HF_OK;
}

/* Ask for everything once more, and compare. \param[out] is_alike the rule asks and answers as before, and sees faults by asking
 * alone */
static hf_status try_order(hf_context *cx, hf_lua_asking *a, hf_lua_order order, hf_lua_memory *memory, bool *is_alike) {
    const hf_lua_opened *r = a->data;
    hf_plan plan = {.topo = r->topo, .faults = a->faults, .args = a->args, .data = r};
    hf_lua_rule asked;
    bool differs = false;
    HF_TRY(load_and_plan(cx, a));
    const bool looks_first = looks(a);
    HF_TRY(read_globals(cx, a, r->source.path, &asked));
    asked.known = &memory->answers;
    asked.asks_again = true;
    HF_TRY(hf_lua_relation_make(cx, &asked, order, &plan, &differs));
    *is_alike = !looks_first && !differs && !hf_lua_has_read_faults(a->lua);
    memory->rule = asked;
    return HF_OK;
}

typedef struct deciding {
    const hf_lua_opened *r;
    const hf_args *args;
} deciding;

static hf_status decide(hf_context *cx, void *user, hf_lua_memory *memory, bool *is_sound) {
    const deciding *d = user;
    *is_sound = true;
    for (int i = 0; i < 4 && *is_sound; i++) {
        const bool has_faults = i >= 2;
        const hf_mark mark = hf_scratch_mark(cx);
        hf_fault_set faults;
        hf_lua_asking a = {.data = d->r, .args = d->args, .faults = &faults};
        hf_status status = make_trial(cx, d->r->topo, has_faults, &faults);
        if (status == HF_OK) {
            status = try_order(cx, &a, i % 2 ? HF_LUA_BACKWARDS : HF_LUA_FORWARDS, memory, is_sound);
        }
        hf_lua_asking_close(&a);
        hf_scratch_reset(cx, mark);
        if (has_faults && status != HF_OK && status != HF_ENOMEM && status != HF_ESTOP) {
            hf_context_clear(cx); /* it may fail under those: nobody has asked */
            break;
        }
        HF_TRY(status);
    }
    return HF_OK;
}

hf_status hf_lua_remember(hf_context *cx, const void *data, const hf_args *args, hf_lua_memory **out) {
    deciding d = {data, args};
    return hf_lua_pool_take(cx, d.r->pool, decide, &d, out);
}

void hf_lua_give_back(const void *data, hf_lua_memory *memory) { hf_lua_pool_give(((const hf_lua_opened *)data)->pool, memory); }

hf_lua_rule hf_lua_remembered(hf_lua_memory *memory, hf_lua_asking *asking, hf_lua_net *net) {
    hf_lua_rule asked = memory->rule;
    asked.hops = ask_for_hops;
    asked.looks = looks;
    asked.user = asking;
    asked.known = &memory->answers;
    asked.net = net;
    asked.asks_again = false;
    return asked;
}
