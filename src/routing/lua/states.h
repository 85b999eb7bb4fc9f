/** \file
 *  How the states of a rule's packets are numbered, and what the rule sees of them. A state is the terminal of an injection, or
 *  the channel, VC and header of an arrival. The header holds the packet's tag and, where the rule depends on it, its source:
 *  it is the tag of our hops. */
#ifndef HOLDFAST_SRC_ROUTING_LUA_STATES_H
#define HOLDFAST_SRC_ROUTING_LUA_STATES_H

#include <holdfast/routing.h>

typedef struct hf_lua_states {
    const hf_topology *topo;
    uint32_t n_vc, n_tag, n_header;
    uint64_t n_state; /**< of one destination: terminals, then channels times VCs times headers */
    bool sees_source, sees_tag;
    /* where the rule depends on the switch of a destination; else NULL */
    uint32_t *goal;   /**< by terminal: the switch that alone leads to it, over one channel; HF_NONE: there is none */
    uint32_t *lowest; /**< by switch: the lowest such terminal */
} hf_lua_states;

/** A state, taken apart. */
typedef struct hf_lua_arrival {
    uint32_t at, source; /**< node; terminal, HF_NONE: the rule does not see it */
    hf_hop in;           /**< the tag is that of the rule */
} hf_lua_arrival;

/** \param[in] file for messages  \param[in] depends HF_RULE_ON_...; 0: not said  \param[out] out its lists are in the arena */
hf_status hf_lua_states_init(hf_context *cx, const char *file, const hf_topology *topo, uint32_t n_vc, uint32_t n_tag,
                             uint32_t depends, hf_lua_states *out);
hf_lua_arrival hf_lua_arrival_of(const hf_lua_states *s, uint64_t state);

static inline uint64_t hf_lua_state_of(const hf_lua_states *s, uint32_t at, hf_hop in) {
    return in.channel == HF_NONE ? at - s->topo->n_switch
                                 : s->topo->n_terminal + ((uint64_t)in.channel * s->n_vc + in.vc) * s->n_header + in.tag;
}

/** For which destination the rule is asked at a node: where it depends on the switch alone, the lowest terminal there. */
static inline uint32_t hf_lua_asked_for(const hf_lua_states *s, uint32_t at, uint32_t destination) {
    const uint32_t sw = s->goal ? s->goal[destination] : HF_NONE;
    const bool is_there = at == sw || (at >= s->topo->n_switch && s->topo->terminal_switch[at - s->topo->n_switch] == sw);
    return sw == HF_NONE || is_there ? destination : s->lowest[sw];
}

#endif
