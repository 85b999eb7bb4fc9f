/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The numbers of states, from what the rule says that it depends on. */
#include "src/routing/lua/states.h"

#include <inttypes.h>

hf_lua_arrival hf_lua_arrival_of(const hf_lua_states *s, uint64_t state) {
    if (state < s->topo->n_terminal) {
        return (hf_lua_arrival){s->topo->n_switch + (uint32_t)state, (uint32_t)state, HF_HOP_INJECTION};
    }
    const uint64_t rest = state - s->topo->n_terminal;
    const uint32_t header = (uint32_t)(rest % s->n_header), r = (uint32_t)(rest / s->n_header);
    return (hf_lua_arrival){s->topo->to[r / s->n_vc], s->sees_source ? header / s->n_tag : HF_NONE,
                            (hf_hop){r / s->n_vc, r % s->n_vc, header % s->n_tag}};
}

/* The switches of destinations. */
static hf_status find_goals(hf_context *cx, hf_lua_states *s) {
    const hf_topology *topo = s->topo;
    HF_TRY(hf_scratch(cx, topo->n_terminal, sizeof *s->goal, (void **)&s->goal));
    HF_TRY(hf_scratch(cx, topo->n_switch, sizeof *s->lowest, (void **)&s->lowest));
    for (uint32_t t = topo->n_terminal; t-- > 0;) {
        const uint32_t v = topo->n_switch + t, c = topo->in_begin[v];
        const bool is_one = topo->in_begin[v + 1] - c == 1 && topo->from[topo->in_list[c]] < topo->n_switch;
        s->goal[t] = is_one ? topo->from[topo->in_list[c]] : HF_NONE;
        if (is_one) {
            s->lowest[s->goal[t]] = t;
        }
    }
    return HF_OK;
}

hf_status hf_lua_states_init(hf_context *cx, const char *file, const hf_topology *topo, uint32_t n_vc, uint32_t n_tag,
                             uint32_t depends, hf_lua_states *out) {
    hf_lua_states *s = out;
    *s = (hf_lua_states){.topo = topo, .n_vc = n_vc, .n_tag = n_tag};
    if (depends && !(depends & HF_RULE_ON_SWITCH) == !(depends & HF_RULE_ON_DESTINATION)) {
        HF_FAIL(cx, HF_EINVAL, "%s: depends names %s; need either \"switch\" (of the destination) or \"destination\"", file,
                depends & HF_RULE_ON_SWITCH ? "\"switch\" and \"destination\"" : "neither \"switch\" nor \"destination\"");
    }
    if (depends && !(depends & HF_RULE_ON_TAG) && n_tag > 1) {
        HF_FAIL(cx, HF_EINVAL, "%s: tags = %" PRIu32 ", but depends does not name \"tag\"", file, n_tag);
    }
    HF_TRY(depends & HF_RULE_ON_SWITCH ? find_goals(cx, s) : HF_OK);
    s->sees_source = depends & HF_RULE_ON_SOURCE;
    s->sees_tag = depends ? depends & HF_RULE_ON_TAG : n_tag > 1;
    const uint64_t n_header = (s->sees_source ? (uint64_t)topo->n_terminal : 1) * n_tag;
    if (n_header >= HF_TAG_END) {
        HF_FAIL(cx, HF_ERANGE,
                "%s: %" PRIu32 " tags of packets from %" PRIu32 " terminals are too many; need a product below 2^31", file, n_tag,
                topo->n_terminal);
    }
    s->n_header = n_header ? (uint32_t)n_header : 1;
    s->n_state = topo->n_terminal + (uint64_t)topo->n_channel * s->n_vc * s->n_header;
    return HF_OK;
}
