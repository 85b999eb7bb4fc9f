/** \file
 *  A Lua state from inside: shared by lua.c, lua_limits.c, lua_box.c and lua_stable.c, and by nothing else. */
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
    /* of the present call: CPU time that it may take, when it began, when we last looked and last were in the hook */
    double cpu_limit_s, cpu_begin_s, looked_s, hooked_s;
    double cpu_seen_s, cpu_passed_s; /* at the last look at the clock; from the look before to that one */
    size_t n_byte;                   /* allocated or moved since we last looked at the clock */
    int step, hook_step;             /* instructions between two hooks: mostly; now */
    hf_status failure;               /* what the present call ends with, unless it is the rule's own error */
    bool is_timed, is_late, is_over_memory, has_long_text, is_locked;
    bool has_read_faults; /* the rule has looked into the second argument of plan() */
    hf_call_hop *hops;
    size_t hop_capacity;
};

static inline hf_lua *hf_lua_of(lua_State *L) { return *(hf_lua **)lua_getextraspace(L); }

/** Their addresses are keys of the registry. */
extern const char hf_lua_key_globals, hf_lua_key_proxy, hf_lua_key_net, hf_lua_key_faults;

/** Limits of the call that begins. */
void hf_lua_limit(hf_lua *lua, uint64_t instructions, double seconds);
/** Count instructions from now on. */
void hf_lua_start_hook(hf_lua *lua);
/** Lua's allocator; `user` is the state. */
void *hf_lua_resize(void *user, void *old, size_t old_size, size_t size);
/** Memory that the rule made us take elsewhere. Raises no error. */
void hf_lua_hold(hf_lua *lua, size_t bytes);
/** So many bytes are going to be moved. May raise. */
void hf_lua_spend(lua_State *L, size_t bytes);
/** Load the rule as a function, like lua_load(). */
int hf_lua_read(lua_State *L, hf_lua *lua);
/** table.sort */
int hf_lua_sort(lua_State *L);
/** pairs(table) and next(table, key), in the order of the keys. */
int hf_lua_pairs(lua_State *L);
int hf_lua_next(lua_State *L);
/** tostring(value) */
int hf_lua_tostring(lua_State *L);
/** string.format(format, ...), which is the upvalue. Of a table or a function %s shows what tostring() says; %p is refused. */
int hf_lua_format(lua_State *L);
/** Make the globals that a rule sees, and the proxy through which it writes them. May raise. */
void hf_lua_open_box(lua_State *L);
/** Make the table "net". May raise. */
void hf_lua_open_net(lua_State *L, hf_lua *lua);
/** Put a window on the table on top of the stack, that of the faults, in its place: who looks through it is noted. May raise. */
void hf_lua_watch_faults(lua_State *L);
/** What is at a place of the stack, for a message: the same text in every run, so of a table or a function no address. It is
 * pushed. May raise. */
const char *hf_lua_show(lua_State *L, int at);
/** A new table on top of the stack. May raise. */
void hf_lua_push_list(lua_State *L, const uint32_t *list, size_t n);

#endif
