/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Rules in Lua: refused with the file, or a relation whose hops exist. The limits are low, so that no rule takes long. */
#include <holdfast/holdfast.h>

#include "src/routing/lua/lua.h"

#include "tests/fuzz/fuzz.h"

static const char lines[] = "vcs = $n\n"
                            "tag = {}\n"
                            "function route(net, at, packet) return {} end\n"
                            "return { { $n, $n } }\n"
                            "for i = 1, $n do local x = i .. $w end\n"
                            "if $w then return { $t } end\n"
                            "local x = net:$w($n, $n)\n"
                            "error($w)\n";
static const char words[] = "local function end if then return for while do net at packet packet.destination packet.channel nil "
                            "true route escape plan vcs accepts string.rep #x .. {} ...";
const fuzz_grammar fuzz_format = {lines, words, "(){}[],.:=+-*/<>~#\"'", NULL};

static hf_status make_plan(hf_context *cx, hf_lua *lua, hf_lua_net *net, hf_plan *plan) {
    bool has_route = false;
    HF_TRY(hf_lua_has(cx, lua, "route", &has_route));
    if (!has_route) {
        HF_FAIL(cx, HF_EINVAL, "input: no route");
    }
    HF_TRY(hf_lua_accepts(cx, lua));
    return hf_lua_plan_make(cx, lua, net, "input", HF_LUA_FORWARDS, plan);
}

static void check(hf_context *cx, const hf_plan *plan) {
    hf_hop *hops;
    const hf_topology *topo = plan->topo;
    if (hf_scratch(cx, plan->max_hops, sizeof *hops, (void **)&hops) != HF_OK) {
        abort();
    }
    for (uint32_t d = 0; d < topo->n_terminal; d++) {
        for (uint32_t c = 0; c < topo->n_channel; c++) {
            const hf_hop in = {c, plan->n_vc - 1, 0};
            const size_t n = hf_lua_relation_route(plan, topo->to[c], in, d, hops);
            expect(n <= plan->max_hops, "there is room for the hops");
            for (size_t i = 0; i < n; i++) {
                expect(topo->from[hops[i].channel] == topo->to[c] && hops[i].vc < plan->n_vc, "hops leave from here on a VC");
            }
            expect(hf_lua_relation_escape(plan, topo->to[c], in, d, hops) <= n, "an escape is part of the hops");
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    hf_context *cx = hf_context_new(NULL);
    hf_topology *topo = NULL;
    hf_lua *lua = NULL;
    hf_lua_net net;
    hf_fault_set set;
    if (!cx || hf_topology_new(cx, "mesh:dims=2x2", &topo) != HF_OK ||
        hf_fault_set_parse(cx, topo, NULL, "s0:0>", &set) != HF_OK || hf_lua_net_init(cx, topo, &set, &net) != HF_OK) {
        abort();
    }
    const hf_lua_setup setup = {.file = "input",
                                .data = (const char *)data,
                                .size = size,
                                .instructions = 100,
                                .cpu_s = 0.05,
                                .memory_bytes = 1 << 20,
                                .fields = net.field,
                                .methods = hf_lua_net_methods,
                                .user = &net};
    hf_plan plan = {.topo = topo, .faults = &set, .n_vc = 1, .max_hops = 1};
    hf_status status = hf_lua_new(cx, &setup, &lua);
    if (status == HF_OK) {
        status = make_plan(cx, lua, &net, &plan);
    }
    if (status == HF_OK) {
        check(cx, &plan);
    } else {
        expect_refusal(cx);
    }
    hf_lua_free(lua);
    hf_topology_free(topo);
    hf_context_free(cx);
    return 0;
}
