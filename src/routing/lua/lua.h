/** \file
 *  A rule in Lua, loaded for a fault set, or remembered. */
#ifndef HOLDFAST_SRC_ROUTING_LUA_LUA_H
#define HOLDFAST_SRC_ROUTING_LUA_LUA_H

#include "src/bridge/lua.h"
#include "src/core/source.h"
#include "src/routing/lua/memory.h"
#include "src/routing/lua/net.h"
#include "src/routing/lua/relation.h"

/** What a rule keeps open for its topology. */
typedef struct hf_lua_opened {
    hf_allocator allocator;
    const hf_topology *topo;
    hf_source source;
    hf_lua_pool *pool;
    uint32_t n_vc, *ring; /**< by resource, of ring(); NULL: the rule has no such function */
} hf_lua_opened;
/** A state with the rule loaded. \param[out] net in the arena  \param[out] lua to be freed */
hf_status hf_lua_load(hf_context *cx, const hf_lua_opened *r, const hf_args *args, const hf_fault_set *faults, hf_lua_net **net,
                      hf_lua **lua);

/** Let the rule plan, and ask it about every state, as hf_lua_relation_make(). \param[in] net what `lua` was made with, with the
 *  faults of the plan  \param[in] file for messages  \param[out] plan n_vc, state, max_hops */
hf_status hf_lua_plan_make(hf_context *cx, hf_lua *lua, hf_lua_net *net, const char *file, hf_lua_order order, hf_plan *plan);

/** A rule under one fault set; it is loaded when it is first asked. */
typedef struct hf_lua_asking {
    const void *data; /**< of the routing */
    const hf_args *args;
    const hf_fault_set *faults;
    hf_lua *lua; /**< NULL: not loaded */
    hf_lua_net *net;
} hf_lua_asking;
/** A memory of the rule, to be given back; NULL: it is not remembered. */
hf_status hf_lua_remember(hf_context *cx, const void *data, const hf_args *args, hf_lua_memory **out);
void hf_lua_give_back(const void *data, hf_lua_memory *memory);
/** The rule as it is remembered, asked under the faults of `asking`, zeroed but for its first three members.
 *  \param[in] net under those faults */
hf_lua_rule hf_lua_remembered(hf_lua_memory *memory, hf_lua_asking *asking, hf_lua_net *net);
void hf_lua_asking_close(hf_lua_asking *asking);

/** The judge of a rule that is remembered: verdicts alone. See judge.c. */
hf_status hf_lua_judge_new(hf_context *cx, const hf_universe *universe, const hf_rule *rule, hf_judge **out);

#endif
