/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What would differ from run to run in Lua: addresses, and the order in which a rule goes through a table. Lua's own goes by
 *  hashes, which it draws by the clock and by addresses, so that a rule would offer its channels in another order in every run
 *  and on every thread. Ours goes by the keys: numbers, texts by their bytes, false and true. */
#include "src/bridge/lua_state.h"

#include <string.h>

const char hf_lua_key_faults = 0;

/* ---- addresses ---- */

const char *hf_lua_show(lua_State *L, int at) {
    const int type = lua_type(L, at);
    const bool has_text = type == LUA_TNIL || type == LUA_TBOOLEAN || type == LUA_TNUMBER || type == LUA_TSTRING;
    return has_text ? luaL_tolstring(L, at, NULL) : lua_pushfstring(L, "a %s", lua_typename(L, type));
}

int hf_lua_tostring(lua_State *L) {
    luaL_checkany(L, 1);
    (void)hf_lua_show(L, 1);
    return 1;
}

int hf_lua_format(lua_State *L) {
    size_t size;
    const char *at = luaL_checklstring(L, 1, &size), *const end = at + size;
    const int top = lua_gettop(L);
    for (int i = 1; at < end && (at = memchr(at, '%', (size_t)(end - at))) && ++at < end; at++) {
        at += strspn(at, "-+ #0.123456789");
        i += *at != '%';
        luaL_argcheck(L, *at != 'p', 1, "%p shows an address, which is another one in every run");
        if (*at == 's' && i <= top && lua_type(L, i) > LUA_TSTRING) {
            (void)hf_lua_show(L, i);
            lua_replace(L, i);
        }
    }
    return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

/* ---- order ---- */

/* Rank of a key's kind. Raises for a kind whose order would be that of addresses. */
static int rank(lua_State *L, int at) {
    switch (lua_type(L, at)) {
    case LUA_TNUMBER:
        return 0;
    case LUA_TSTRING:
        return 1;
    case LUA_TBOOLEAN:
        return 2;
    default:
        return luaL_error(
            L, "%s as a key has no order that is the same in every run; keys to go through are numbers, texts and truths",
            hf_lua_show(L, at));
    }
}

static bool is_text_before(lua_State *L, int a, int b) {
    size_t size_a, size_b;
    const char *of_a = lua_tolstring(L, a, &size_a), *of_b = lua_tolstring(L, b, &size_b);
    const int order = memcmp(of_a, of_b, size_a < size_b ? size_a : size_b);
    return order < 0 || (order == 0 && size_a < size_b);
}

static bool is_before(lua_State *L, int a, int b) {
    const int of_a = rank(L, a), of_b = rank(L, b);
    if (of_a != of_b) {
        return of_a < of_b;
    }
    switch (lua_type(L, a)) {
    case LUA_TNUMBER:
        return lua_compare(L, a, b, LUA_OPLT) != 0;
    case LUA_TSTRING:
        return is_text_before(L, a, b);
    default:
        return !lua_toboolean(L, a) && lua_toboolean(L, b);
    }
}

static int compare_keys(lua_State *L) {
    lua_pushboolean(L, is_before(L, 1, 2));
    return 1;
}

/* The first argument is a table, or the window on the faults, for which the table behind it is put. */
static void look_behind(lua_State *L) {
    const int top = lua_gettop(L);
    luaL_checktype(L, 1, LUA_TTABLE);
    if (lua_getmetatable(L, 1) && lua_rawgetp(L, -1, &hf_lua_key_faults) == LUA_TTABLE) {
        hf_lua_of(L)->has_read_faults = true;
        lua_replace(L, 1);
    }
    lua_settop(L, top);
}

/* A list of the keys of the table at 1, on top of the stack. \return whether they are in order */
static bool list_keys(lua_State *L) {
    enum { TABLE = 1, LIST = 2, KEY = 3 };
    bool is_sorted = true;
    lua_settop(L, TABLE);
    lua_newtable(L);
    lua_pushnil(L);
    for (lua_Integer n = 1; lua_next(L, TABLE); n++) {
        lua_pop(L, 1);
        hf_lua_spend(L, 16);
        (void)rank(L, KEY);
        if (is_sorted && n > 1) {
            lua_rawgeti(L, LIST, n - 1);
            is_sorted = is_before(L, -1, KEY);
            lua_pop(L, 1);
        }
        lua_pushvalue(L, KEY);
        lua_rawseti(L, LIST, n);
    }
    return is_sorted;
}

/* The next key that still has a value. The table, its keys and how many are through are the upvalues. */
static int step(lua_State *L) {
    lua_Integer i = lua_tointeger(L, lua_upvalueindex(3));
    do {
        lua_settop(L, 0);
        if (lua_rawgeti(L, lua_upvalueindex(2), ++i) == LUA_TNIL) {
            return 1;
        }
        lua_pushvalue(L, 1);
    } while (lua_rawget(L, lua_upvalueindex(1)) == LUA_TNIL);
    lua_pushinteger(L, i);
    lua_replace(L, lua_upvalueindex(3));
    return 2;
}

int hf_lua_pairs(lua_State *L) {
    lua_settop(L, 1);
    look_behind(L);
    if (!list_keys(L)) {
        lua_pushcfunction(L, hf_lua_sort);
        lua_pushvalue(L, 2);
        lua_pushcfunction(L, compare_keys);
        lua_call(L, 2, 0);
    }
    lua_pushinteger(L, 0);
    lua_pushcclosure(L, step, 3);
    return 1;
}

int hf_lua_next(lua_State *L) {
    enum { TABLE = 1, AFTER = 2, BEST = 3, KEY = 4 };
    lua_settop(L, AFTER);
    look_behind(L);
    lua_pushnil(L);
    lua_pushnil(L);
    while (lua_next(L, TABLE)) {
        lua_pop(L, 1);
        hf_lua_spend(L, 16);
        (void)rank(L, KEY);
        const bool is_after = lua_isnil(L, AFTER) || is_before(L, AFTER, KEY);
        if (is_after && (lua_isnil(L, BEST) || is_before(L, KEY, BEST))) {
            lua_pushvalue(L, KEY);
            lua_replace(L, BEST);
        }
    }
    lua_settop(L, BEST);
    if (lua_isnil(L, BEST)) {
        return 1;
    }
    lua_pushvalue(L, BEST);
    lua_rawget(L, TABLE);
    return 2;
}
