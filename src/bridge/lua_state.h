/** \file
 *  A Lua state from inside: shared by lua.c and lua_box.c, and by nothing else. */
#ifndef HOLDFAST_SRC_BRIDGE_LUA_STATE_H
#define HOLDFAST_SRC_BRIDGE_LUA_STATE_H

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#include "src/bridge/lua.h"

struct hf_lua {
    lua_State *L;
    hf_allocator allocator;
    hf_lua_setup setup;
    hf_context *cx; /* of the present call */
    size_t used;    /* bytes */
    uint64_t n_instruction, limit;
    hf_status failure; /* what the present call ends with, unless it is the rule's own error */
    bool is_over_memory, is_locked;
    hf_lua_hop *hops;
    size_t hop_capacity;
};

/** Their addresses are keys of the registry. */
extern const char hf_lua_key_globals, hf_lua_key_proxy, hf_lua_key_net;

/** Run `function`, which finds `argument` as a light userdata, and turn its errors into a status. */
hf_status hf_lua_protect(hf_context *cx, hf_lua *lua, lua_CFunction function, void *argument, uint64_t limit);
/** Make the globals that a rule sees, and the proxy through which it writes them. May raise. */
void hf_lua_open_box(lua_State *L);
/** Make the table "net". May raise. */
void hf_lua_open_net(lua_State *L, hf_lua *lua);
void hf_lua_push_list(lua_State *L, const uint32_t *list, size_t n);

#endif
