/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Lua states with our allocator, and the calls into them. Everything that may raise an error of Lua's runs below one protected
 *  call; errors come out as statuses with file and line. */
#include "src/bridge/lua_state.h"
#include "src/core/number.h"

#include <lua.h>
#include <string.h>

enum { LOAD_FACTOR = 1000, LOAD_SECONDS = 20, HOPS_MAX = 65536 };

/* ---- protected calls ---- */

/* The message of a failed call: "FILE, line 3: what". */
static hf_status fail_with(hf_context *cx, hf_lua *lua, int code) {
    const char *text = lua_type(lua->L, -1) == LUA_TSTRING ? lua_tostring(lua->L, -1) : "an error that is not a text";
    const char *file = lua->setup.file, *at = text;
    uint64_t line = 0;
    if (lua->failure != HF_OK && lua->failure != HF_ERANGE && lua->failure != HF_ENOTSUP) {
        if (lua->failure == HF_ESTOP) {
            HF_FAIL(cx, HF_ESTOP, "%s: stopped", file);
        }
        return lua->failure; /* one of our functions failed and wrote the message */
    }
    if (code == LUA_ERRMEM) {
        HF_FAIL(cx, lua->is_over_memory ? HF_ERANGE : HF_ENOMEM, "%s: %s %zu MiB of memory", file,
                lua->is_over_memory ? "the rule needs more than" : "out of memory; the rule may use",
                lua->setup.memory_bytes >> 20);
    }
    hf_slice rest = hf_slice_of(text);
    if (hf_take_text(&rest, "rule:") && hf_take_number(&rest, &line) && hf_take_text(&rest, ":")) {
        hf_take_text(&rest, " ");
        at = rest.text;
    }
    const hf_status status = lua->failure == HF_OK ? HF_EINVAL : lua->failure;
    if (line > 0 && at != text) {
        HF_FAIL(cx, status, "%s, line %" PRIu64 ": %s", file, line, at);
    }
    HF_FAIL(cx, status, "%s: %s", file, text);
}

static uint64_t load_instructions(const hf_lua *lua) {
    const uint64_t n = lua->setup.instructions;
    return n > UINT64_MAX / 2 / LOAD_FACTOR ? UINT64_MAX / 2 : n * LOAD_FACTOR;
}

/* Run `function`, which finds `argument` as a light userdata, and turn its errors into a status. \param[in] is_long with the
 * limits of loading and planning */
static hf_status protect(hf_context *cx, hf_lua *lua, lua_CFunction function, void *argument, bool is_long) {
    lua->cx = cx;
    lua->failure = HF_OK;
    lua->is_over_memory = lua->has_long_text = false;
    hf_lua_limit(lua, is_long ? load_instructions(lua) : lua->setup.instructions,
                 is_long ? LOAD_SECONDS * lua->setup.cpu_s : lua->setup.cpu_s);
    lua_settop(lua->L, 0);
    lua_pushcfunction(lua->L, function); /* a light function: takes no memory, the stack has room */
    lua_pushlightuserdata(lua->L, argument);
    const int code = lua_pcall(lua->L, 1, 0, 0);
    const hf_status status = code == LUA_OK ? HF_OK : fail_with(cx, lua, code);
    lua_settop(lua->L, 0);
    return status;
}

/* ---- making a state ---- */

static int load_rule(lua_State *L) {
    hf_lua *lua = lua_touserdata(L, 1);
    hf_lua_open_box(L);
    hf_lua_open_net(L, lua);
    if (hf_lua_read(L, lua) != LUA_OK) {
        return lua_error(L);
    }
    lua_rawgetp(L, LUA_REGISTRYINDEX, &hf_lua_key_proxy);
    (void)lua_setupvalue(L, -2, 1);
    hf_lua_start_hook(lua);
    lua_call(L, 0, 0);
    return 0;
}

hf_status hf_lua_new(hf_context *cx, const hf_lua_setup *setup, hf_lua **out) {
    hf_lua *lua;
    HF_TRY(hf_allocate(cx, 1, sizeof *lua, (void **)&lua));
    lua->allocator = *hf_context_allocator(cx);
    lua->setup = *setup;
    lua->L = lua_newstate(hf_lua_resize, lua);
    if (!lua->L) {
        hf_release(&lua->allocator, lua);
        HF_FAIL(cx, HF_ENOMEM, "%s: out of memory; the rule may use %zu MiB", setup->file, setup->memory_bytes >> 20);
    }
    *(hf_lua **)lua_getextraspace(lua->L) = lua;
    const hf_status status = protect(cx, lua, load_rule, lua, true);
    if (status != HF_OK) {
        hf_lua_free(lua);
        return status;
    }
    *out = lua;
    return HF_OK;
}

void hf_lua_free(hf_lua *lua) {
    if (!lua) {
        return;
    }
    lua_close(lua->L);
    const hf_allocator allocator = lua->allocator;
    hf_release(&allocator, lua->hops);
    hf_release(&allocator, lua);
}

/* ---- globals of the rule ---- */

/* Push a global of the rule. */
static int push_global(lua_State *L, const char *name) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, &hf_lua_key_globals);
    lua_pushstring(L, name);
    const int type = lua_rawget(L, -2);
    lua_remove(L, -2);
    return type;
}

typedef struct global {
    const char *name;
    uint32_t low, high, value;
    bool is_there;
} global;

static int look_up_function(lua_State *L) {
    global *g = lua_touserdata(L, 1);
    const int type = push_global(L, g->name);
    g->is_there = type == LUA_TFUNCTION;
    if (type != LUA_TFUNCTION && type != LUA_TNIL) {
        return luaL_error(L, "%s is a %s; it must be a function", g->name, lua_typename(L, type));
    }
    return 0;
}

hf_status hf_lua_has(hf_context *cx, hf_lua *lua, const char *function, bool *out) {
    global g = {.name = function};
    HF_TRY(protect(cx, lua, look_up_function, &g, false));
    *out = g.is_there;
    return HF_OK;
}

static int look_up_number(lua_State *L) {
    global *g = lua_touserdata(L, 1);
    if (push_global(L, g->name) == LUA_TNIL) {
        return 0;
    }
    int is_whole = 0;
    const lua_Integer value = lua_type(L, -1) == LUA_TNUMBER ? lua_tointegerx(L, -1, &is_whole) : 0;
    if (!is_whole || value < (lua_Integer)g->low || value > (lua_Integer)g->high) {
        return luaL_error(L, "%s = %s; need a whole number from %I to %I", g->name, hf_lua_show(L, -1), (LUAI_UACINT)g->low,
                          (LUAI_UACINT)g->high);
    }
    g->value = (uint32_t)value;
    return 0;
}

hf_status hf_lua_number(hf_context *cx, hf_lua *lua, const char *name, uint32_t low, uint32_t high, uint32_t otherwise,
                        uint32_t *out) {
    global g = {name, low, high, otherwise, false};
    HF_TRY(protect(cx, lua, look_up_number, &g, false));
    *out = g.value;
    return HF_OK;
}

static int look_up_truth(lua_State *L) {
    global *g = lua_touserdata(L, 1);
    const int type = push_global(L, g->name);
    if (type != LUA_TNIL && type != LUA_TBOOLEAN) {
        return luaL_error(L, "%s = %s; need true or false", g->name, hf_lua_show(L, -1));
    }
    g->is_there = lua_toboolean(L, -1);
    return 0;
}

hf_status hf_lua_truth(hf_context *cx, hf_lua *lua, const char *name, bool *out) {
    global g = {.name = name};
    HF_TRY(protect(cx, lua, look_up_truth, &g, false));
    *out = g.is_there;
    return HF_OK;
}

typedef struct word_list {
    const char *name, *const *words;
    uint32_t bits;
} word_list;

/* The number of the word on top of the stack. */
static uint32_t find_word(lua_State *L, const word_list *list) {
    const char *text = hf_lua_show(L, -1);
    uint32_t i = 0;
    while (list->words[i] && strcmp(list->words[i], text) != 0) {
        i++;
    }
    if (!list->words[i]) {
        lua_pushstring(L, list->words[0]);
        for (uint32_t w = 1; list->words[w]; w++) {
            lua_pushfstring(L, ", %s", list->words[w]);
            lua_concat(L, 2);
        }
        (void)luaL_error(L, "%s names %s; need of %s", list->name, text, lua_tostring(L, -1));
    }
    lua_pop(L, 1);
    return i;
}

static int look_up_words(lua_State *L) {
    word_list *list = lua_touserdata(L, 1);
    const int type = push_global(L, list->name);
    if (type != LUA_TNIL && type != LUA_TTABLE) {
        return luaL_error(L, "%s is %s; it must be a list of texts", list->name, hf_lua_show(L, -1));
    }
    const lua_Integer n = type == LUA_TTABLE ? (lua_Integer)lua_rawlen(L, -1) : 0;
    for (lua_Integer i = 1; i <= n; i++) {
        lua_rawgeti(L, -1, i);
        list->bits |= 1u << find_word(L, list);
        lua_pop(L, 1);
    }
    return 0;
}

hf_status hf_lua_words(hf_context *cx, hf_lua *lua, const char *name, const char *const *words, uint32_t *bits) {
    word_list list = {name, words, 0};
    HF_TRY(protect(cx, lua, look_up_words, &list, false));
    *bits = list.bits;
    return HF_OK;
}

/* ---- accepts and plan ---- */

static void push_net(lua_State *L) { lua_rawgetp(L, LUA_REGISTRYINDEX, &hf_lua_key_net); }

static int run_accepts(lua_State *L) {
    if (push_global(L, "accepts") == LUA_TNIL) {
        return 0;
    }
    push_net(L);
    lua_call(L, 1, 2);
    if (!lua_toboolean(L, -2)) {
        hf_lua_of(L)->failure = HF_ENOTSUP;
        const char *why = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "it gives no reason";
        lua_pushfstring(L, "the rule does not accept this network: %s", why);
        return lua_error(L);
    }
    return 0;
}

hf_status hf_lua_accepts(hf_context *cx, hf_lua *lua) { return protect(cx, lua, run_accepts, NULL, true); }

typedef struct faults {
    const uint32_t *channels, *switches;
    size_t n_channel, n_switch;
} faults;

static int run_plan(lua_State *L) {
    const faults *f = lua_touserdata(L, 1);
    if (push_global(L, "plan") == LUA_TNIL) {
        return 0;
    }
    push_net(L);
    lua_createtable(L, 0, 2);
    hf_lua_push_list(L, f->channels, f->n_channel);
    lua_setfield(L, -2, "channels");
    hf_lua_push_list(L, f->switches, f->n_switch);
    lua_setfield(L, -2, "switches");
    hf_lua_watch_faults(L);
    lua_call(L, 2, 0);
    return 0;
}

hf_status hf_lua_plan(hf_context *cx, hf_lua *lua, const uint32_t *channels, size_t n_channel, const uint32_t *switches,
                      size_t n_switch) {
    faults f = {channels, switches, n_channel, n_switch};
    HF_TRY(protect(cx, lua, run_plan, &f, true));
    lua->is_locked = true;
    return HF_OK;
}

bool hf_lua_has_read_faults(const hf_lua *lua) { return lua->has_read_faults; }

/* ---- hops ---- */

typedef struct request {
    const char *function;
    const uint32_t *arguments;
    size_t n_argument, n_hop;
    bool is_nil;
} request;

/* A number of a hop, by name or by place; `otherwise` where it is nil, -1: it must be there. */
static uint32_t hop_number(lua_State *L, int table, lua_Integer i, const char *name, int64_t otherwise) {
    lua_pushstring(L, name);
    if (lua_rawget(L, table) == LUA_TNIL) {
        lua_pop(L, 1);
        lua_rawgeti(L, table, i);
    }
    int is_whole = 0;
    const lua_Integer value = lua_isnil(L, -1) ? otherwise : lua_tointegerx(L, -1, &is_whole);
    const bool is_number = lua_isnil(L, -1) || (is_whole && lua_type(L, -1) == LUA_TNUMBER);
    if (!is_number || value < 0 || value >= HF_NONE + (lua_Integer)lua_isnil(L, -1)) {
        (void)luaL_error(L, "a hop has %s = %s; need a whole number, as in {channel = 3, vc = 0} or {3, 0}", name,
                         hf_lua_show(L, -1));
    }
    lua_pop(L, 1);
    return (uint32_t)value;
}

/* The hop on top of the stack: {channel = c, vc = v}, {c, v} or c. */
static hf_call_hop read_hop(lua_State *L) {
    if (lua_isinteger(L, -1) && lua_tointeger(L, -1) >= 0 && lua_tointeger(L, -1) < HF_NONE) {
        return (hf_call_hop){(uint32_t)lua_tointeger(L, -1), 0, HF_NONE, false};
    }
    if (lua_type(L, -1) != LUA_TTABLE) {
        (void)luaL_error(L, "a hop is %s; need {channel = 3, vc = 0}, {3, 0} or 3", hf_lua_show(L, -1));
    }
    const int table = lua_gettop(L);
    hf_call_hop hop = {.channel = hop_number(L, table, 1, "channel", -1),
                       .vc = hop_number(L, table, 2, "vc", 0),
                       .tag = hop_number(L, table, 3, "tag", HF_NONE)};
    lua_pushstring(L, "escape");
    (void)lua_rawget(L, table);
    hop.is_escape = lua_toboolean(L, -1);
    lua_settop(L, table);
    return hop;
}

static void reserve_hops(lua_State *L, hf_lua *lua, size_t n) {
    if (n > HOPS_MAX) {
        (void)luaL_error(L, "a list of %I hops; at most %d make sense", (LUAI_UACINT)n, HOPS_MAX);
    }
    if (n > lua->hop_capacity) {
        const hf_status status = hf_resize(lua->cx, n + 16, sizeof *lua->hops, (void **)&lua->hops);
        if (status != HF_OK) {
            lua->failure = status;
            (void)luaL_error(L, "out of memory");
        }
        lua->hop_capacity = n + 16;
    }
}

/* What the function returns is on top of the stack then. */
static void call_function(lua_State *L, request *q) {
    (void)push_global(L, q->function);
    push_net(L);
    for (size_t i = 0; i < q->n_argument; i++) {
        if (q->arguments[i] == HF_NONE) {
            lua_pushnil(L);
        } else {
            lua_pushinteger(L, q->arguments[i]);
        }
    }
    lua_call(L, (int)q->n_argument + 1, 1);
    q->is_nil = lua_isnil(L, -1);
}

static int run_hops(lua_State *L) {
    request *q = lua_touserdata(L, 1);
    hf_lua *lua = hf_lua_of(L);
    call_function(L, q);
    if (q->is_nil) {
        return 0;
    }
    if (lua_type(L, -1) != LUA_TTABLE) {
        return luaL_error(L, "%s returned %s; need a list of hops or nil", q->function, hf_lua_show(L, -1));
    }
    q->n_hop = (size_t)lua_rawlen(L, -1);
    reserve_hops(L, lua, q->n_hop);
    for (size_t i = 0; i < q->n_hop; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        lua->hops[i] = read_hop(L);
        lua_pop(L, 1);
    }
    return 0;
}

static int run_value(lua_State *L) {
    request *q = lua_touserdata(L, 1);
    call_function(L, q);
    int is_whole = 0;
    const lua_Integer value = q->is_nil ? 0 : lua_tointegerx(L, -1, &is_whole);
    if (!q->is_nil && (!is_whole || lua_type(L, -1) != LUA_TNUMBER || value < 0 || value >= HF_NONE)) {
        return luaL_error(L, "%s returned %s; need a whole number or nil", q->function, hf_lua_show(L, -1));
    }
    q->n_hop = (size_t)value;
    return 0;
}

hf_status hf_lua_value(hf_context *cx, hf_lua *lua, const char *function, const uint32_t *arguments, size_t n_argument,
                       uint32_t *value) {
    request q = {function, arguments, n_argument, 0, false};
    HF_TRY(protect(cx, lua, run_value, &q, false));
    *value = q.is_nil ? HF_NONE : (uint32_t)q.n_hop;
    return HF_OK;
}

hf_status hf_lua_hops(hf_context *cx, hf_lua *lua, const char *function, const uint32_t *arguments, size_t n_argument,
                      const hf_call_hop **hops, size_t *n_hop) {
    static const hf_call_hop no_hops[1];
    request q = {function, arguments, n_argument, 0, false};
    HF_TRY(protect(cx, lua, run_hops, &q, false));
    *n_hop = q.n_hop;
    *hops = q.is_nil ? NULL : q.n_hop ? lua->hops : no_hops;
    return HF_OK;
}
