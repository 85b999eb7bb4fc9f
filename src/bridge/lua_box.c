/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The box around a rule: which functions of Lua it sees, who may write globals, and its window on the network.
 *
 *  What is left out: files, programs and modules (io, os, package, debug, load, require); pcall and coroutines, which would
 *  catch or escape the limits; metatables; patterns, rep and move, which can take long in one instruction; random numbers and
 *  addresses, as a plan must be the same each time. table.sort (lua_limits.c), pairs and next (lua_stable.c) are ours, and
 *  functions that walk a list say how long it is. Writes to globals go through a proxy, which refuses them once the plan is made.
 */
#include "src/bridge/lua_state.h"

#include <string.h>

const char hf_lua_key_globals = 0, hf_lua_key_proxy = 0, hf_lua_key_net = 0;

/* ---- functions of Lua ---- */

static const char *const base_functions[] = {"assert", "error", "ipairs", "select", "tonumber", "type", NULL};
static const char *const string_functions[] = {"byte", "char", "format", "len", "lower", "reverse", "sub", "upper", NULL};
static const char *const table_functions[] = {"concat", "insert", "pack", "remove", "unpack", NULL};
static const char *const math_functions[] = {"abs", "ceil", "exp",  "floor", "fmod",       "huge",       "log",
                                             "max", "min",  "modf", "pi",    "maxinteger", "mininteger", "sin",
                                             "cos", "sqrt", "type", "ult",   "tointeger",  NULL};

/* A new table, on top of the stack, with some functions of the library below it, which goes. */
static void pick(lua_State *L, const char *const *names) {
    lua_newtable(L);
    for (; *names; names++) {
        lua_getfield(L, -2, *names);
        lua_setfield(L, -2, *names);
    }
    lua_remove(L, -2);
}

/* A function of the table library, the upvalue, that takes time in proportion to the list: but for insert(list, value) and
 * remove(list), which change its end. */
static int call_with_list(lua_State *L) {
    const bool is_end = lua_gettop(L) == (int)lua_tointeger(L, lua_upvalueindex(2));
    if (!is_end) {
        hf_lua_spend(L, 16 * (size_t)lua_rawlen(L, 1));
    }
    return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

/* For the table on top of the stack. \param[in] n_end arguments with which it looks at the end alone, -1: never */
static void watch(lua_State *L, const char *name, int n_end) {
    lua_getfield(L, -1, name);
    lua_pushinteger(L, n_end);
    lua_pushcclosure(L, call_with_list, 2);
    lua_setfield(L, -2, name);
}

/* A function of ours in the table on top of the stack. */
static void put(lua_State *L, const char *name, lua_CFunction function) {
    lua_pushcfunction(L, function);
    lua_setfield(L, -2, name);
}

/* A library with some of its functions, on top of the stack. */
static void open_library(lua_State *L, const char *name, lua_CFunction open, const char *const *names) {
    luaL_requiref(L, name, open, 0);
    pick(L, names);
}

/* "s:len()" looks in the metatable of texts: put our table there. */
static void narrow_texts(lua_State *L) {
    lua_pushliteral(L, "");
    if (lua_getmetatable(L, -1)) {
        lua_pushvalue(L, -3);
        lua_setfield(L, -2, "__index");
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

/* ---- faults ---- */

/* window[key]; the faults are the upvalue */
static int index_faults(lua_State *L) {
    hf_lua_of(L)->has_read_faults = true;
    lua_settop(L, 2);
    lua_gettable(L, lua_upvalueindex(1));
    return 1;
}

void hf_lua_watch_faults(lua_State *L) {
    lua_newtable(L);
    lua_newtable(L);
    lua_pushvalue(L, -3);
    lua_rawsetp(L, -2, &hf_lua_key_faults);
    lua_pushvalue(L, -3);
    lua_pushcclosure(L, index_faults, 1);
    lua_setfield(L, -2, "__index");
    (void)lua_setmetatable(L, -2);
    lua_remove(L, -2);
}

/* ---- globals ---- */

/* proxy[name] = value */
static int write_global(lua_State *L) {
    if (hf_lua_of(L)->is_locked) {
        return luaL_error(L, "the global \"%s\" is written after the plan is made; make it local, or write it in plan()",
                          hf_lua_show(L, 2));
    }
    lua_rawgetp(L, LUA_REGISTRYINDEX, &hf_lua_key_globals);
    lua_pushvalue(L, 2);
    lua_pushvalue(L, 3);
    lua_rawset(L, -3);
    return 0;
}

static void open_proxy(lua_State *L) {
    lua_newtable(L);
    lua_newtable(L);
    lua_rawgetp(L, LUA_REGISTRYINDEX, &hf_lua_key_globals);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, write_global);
    lua_setfield(L, -2, "__newindex");
    (void)lua_setmetatable(L, -2);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &hf_lua_key_proxy);
}

void hf_lua_open_box(lua_State *L) {
    open_library(L, "_G", luaopen_base, base_functions);
    put(L, "next", hf_lua_next);
    put(L, "pairs", hf_lua_pairs);
    put(L, "tostring", hf_lua_tostring);
    open_library(L, LUA_STRLIBNAME, luaopen_string, string_functions);
    lua_getfield(L, -1, "format");
    lua_pushcclosure(L, hf_lua_format, 1);
    lua_setfield(L, -2, "format");
    narrow_texts(L);
    lua_setfield(L, -2, "string");
    open_library(L, LUA_TABLIBNAME, luaopen_table, table_functions);
    watch(L, "concat", -1);
    watch(L, "insert", 2);
    watch(L, "remove", 1);
    put(L, "sort", hf_lua_sort);
    lua_setfield(L, -2, "table");
    open_library(L, LUA_MATHLIBNAME, luaopen_math, math_functions);
    lua_setfield(L, -2, "math");
    lua_rawsetp(L, LUA_REGISTRYINDEX, &hf_lua_key_globals);
    open_proxy(L);
}

/* ---- the network ---- */

void hf_lua_push_list(lua_State *L, const uint32_t *list, size_t n) {
    lua_createtable(L, (int)n, 0);
    for (size_t i = 0; i < n; i++) {
        lua_pushinteger(L, list[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

/* The argument at a place of the stack; of what is no number and no text, how it is shown, which then is on top. */
static hf_call_value read_argument(lua_State *L, int at) {
    int is_whole = 0;
    const lua_Integer number = lua_type(L, at) == LUA_TNUMBER ? lua_tointegerx(L, at, &is_whole) : 0;
    if (is_whole) {
        return (hf_call_value){.kind = HF_CALL_NUMBER, .number = number};
    }
    const bool is_text = lua_type(L, at) == LUA_TSTRING;
    return (hf_call_value){.kind = is_text ? HF_CALL_TEXT : HF_CALL_OTHER,
                           .text = is_text ? lua_tostring(L, at) : hf_lua_show(L, at)};
}

static int push_result(lua_State *L, const hf_call_value *v) {
    switch (v->kind) {
    case HF_CALL_NUMBER:
        lua_pushinteger(L, v->number);
        return 1;
    case HF_CALL_TRUTH:
        lua_pushboolean(L, v->number != 0);
        return 1;
    case HF_CALL_TEXT:
        (void)lua_pushstring(L, v->text);
        return 1;
    case HF_CALL_LIST:
        hf_lua_push_list(L, v->list, v->n);
        return 1;
    default:
        return 0;
    }
}

/* net:NAME(...), with the method as upvalue */
static int call_method(lua_State *L) {
    const hf_call_method *method = lua_touserdata(L, lua_upvalueindex(1));
    const int top = lua_gettop(L);
    hf_lua *lua = hf_lua_of(L);
    hf_call call;
    if (top < 1 || lua_type(L, 1) != LUA_TTABLE) {
        return luaL_error(L, "write net:%s(...), with a colon", method->name);
    }
    luaL_checkstack(L, HF_CALL_ARGUMENTS + 8, "too many arguments");
    hf_call_begin(&call, "net:", method->name);
    for (int at = 2; at <= top && call.n < HF_CALL_ARGUMENTS; at++) {
        call.argument[call.n++] = read_argument(L, at);
    }
    method->run(&call, lua->setup.user);
    hf_lua_hold(lua, call.held);
    if (call.failure != HF_OK) {
        lua->failure = call.failure;
        return luaL_error(L, "failed");
    }
    return call.error[0] ? luaL_error(L, "%s", call.error) : push_result(L, &call.result);
}

void hf_lua_open_net(lua_State *L, hf_lua *lua) {
    lua_newtable(L);
    for (const hf_call_field *f = lua->setup.fields; f->name; f++) {
        lua_pushinteger(L, f->value);
        lua_setfield(L, -2, f->name);
    }
    for (const hf_call_method *m = lua->setup.methods; m->name; m++) {
        lua_pushlightuserdata(L, (void *)m);
        lua_pushcclosure(L, call_method, 1);
        lua_setfield(L, -2, m->name);
    }
    lua_rawsetp(L, LUA_REGISTRYINDEX, &hf_lua_key_net);
}
