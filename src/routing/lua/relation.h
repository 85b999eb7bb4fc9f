/** \file
 *  The relation of a rule in Lua, as a table. */
#ifndef HOLDFAST_SRC_ROUTING_LUA_RELATION_H
#define HOLDFAST_SRC_ROUTING_LUA_RELATION_H

#include "src/routing/lua/ask.h"

/** In which order it is asked: a rule's answers do not depend on it. */
typedef enum hf_lua_order { HF_LUA_FORWARDS, HF_LUA_BACKWARDS } hf_lua_order;

/** Ask the rule about every state that packets can reach, from every terminal to every other. \param[in,out] plan
 *  n_vc, state and max_hops become known. The rule has been planned.  \param[out] differs NULL, or as in hf_lua_asker
 *  \return HF_EINVAL for a wrong hop, with the arguments of the call; HF_ERANGE if the table would be too large; what the rule
 *  fails with. Time O(states * hops) calls, memory O(n_terminal * n_channel * n_vc) words. */
hf_status hf_lua_relation_make(hf_context *cx, const hf_lua_rule *rule, hf_lua_order order, hf_plan *plan, bool *differs);
/** Make the whole plan, asking in that order. */
typedef hf_status hf_lua_make(hf_context *cx, hf_lua_order order, hf_plan *plan);
/** hf_routing.is_blind of it. A rule that has not looked at faults anywhere, where there were none, has no chance to where there
 *  are some: it is asked about fewer states then. That is so if a call has the same answer whatever was asked before; so it is
 *  asked once more, in another order. */
hf_status hf_lua_relation_is_blind(hf_context *cx, const hf_plan *plan, hf_lua_make *make, bool *out);
/** hf_routing.route of it. */
size_t hf_lua_relation_route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops);
/** hf_routing.escape of it: the hops that the rule marks, with injection and delivery; all hops if it marks none. */
size_t hf_lua_relation_escape(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops);

#endif
