/** \file
 *  A plan of a rule in Lua that is loaded. */
#ifndef HOLDFAST_SRC_ROUTING_LUA_LUA_H
#define HOLDFAST_SRC_ROUTING_LUA_LUA_H

#include "src/bridge/lua.h"
#include "src/routing/lua/net.h"
#include "src/routing/lua/relation.h"

/** Let the rule plan, and ask it about every state, as hf_lua_relation_make(). \param[in] net what `lua` was made with, with the
 *  faults of the plan  \param[in] file for messages  \param[out] plan n_vc, state, max_hops */
hf_status hf_lua_plan_make(hf_context *cx, hf_lua *lua, hf_lua_net *net, const char *file, hf_lua_order order, hf_plan *plan);

#endif
