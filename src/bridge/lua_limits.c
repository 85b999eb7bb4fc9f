/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What a rule may take: instructions, CPU time and memory of a call.
 *
 *  A hook runs every so many instructions; there it counts them, reads the clock and weighs the memory, and an error raised
 *  there has its line. What an instruction may cost is bounded for the rest: texts are short; the allocator, and functions of
 *  the box that move many values, look at the clock for every mebibyte, and when it is over they call the hook at the next
 *  instruction; the functions without any bound are not in the box (lua_box.c) or are ours (table.sort). Where instructions are
 *  dear all the same, as next() in a large table that was emptied, the hook comes sooner. Lua's allocator may not raise errors,
 *  and one that only fails loses the line: it goes over the limit, to twice as much, and leaves it to the hook, which collects
 *  garbage first. */
#include "src/bridge/lua_state.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

#include "src/core/clock.h"

enum { HOOK_STEP = 1000, TEXT_MOST = 1 << 20, LOOK_BYTES = 1 << 20, SORT_MOST = 1 << 18, SORT_LOOK = 256 };
static const double look_every_s = 1e-3, hook_slow_s = 1e-2, hook_fast_s = 1e-3;

/* ---- the clock ---- */

static double cpu_s(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void hf_lua_limit(hf_lua *lua, uint64_t instructions, double seconds) {
    lua->n_instruction = 0;
    lua->limit = instructions;
    lua->cpu_limit_s = seconds;
    lua->is_timed = lua->is_late = false;
    lua->hooked_s = 0;
}

/* Is the call's time over? The clock of CPU time takes a call of the system; as it is not faster than the other, that one tells
 * when to read it. A call's time begins with the first look, a thousand instructions at most after its begin. */
static bool is_over_time(hf_lua *lua, double now) {
    lua->n_byte = 0;
    if (lua->is_timed && now - lua->looked_s < look_every_s) {
        return lua->is_late; /* the hook that the allocator asked for comes at once */
    }
    const double cpu = cpu_s();
    lua->cpu_begin_s = lua->is_timed ? lua->cpu_begin_s : cpu;
    lua->cpu_passed_s = lua->is_timed ? cpu - lua->cpu_seen_s : 0;
    lua->cpu_seen_s = cpu;
    lua->is_timed = true;
    lua->looked_s = now;
    lua->is_late = cpu - lua->cpu_begin_s > lua->cpu_limit_s;
    return lua->is_late;
}

/* The place is that of the running function in a hook, level 0, of its caller in a function of ours, level 1, and of the caller
 * of that where it is ours, too, as pairs() is, which sorts. */
enum { IN_HOOK = 0, IN_FUNCTION = 1, LEVELS = 3 };

static void put_place(lua_State *L, int level) {
    luaL_where(L, level);
    while (lua_rawlen(L, -1) == 0 && ++level < LEVELS) {
        lua_pop(L, 1);
        luaL_where(L, level);
    }
}

static void fail(lua_State *L, int level, const char *format, double limit) {
    char text[160];
    hf_lua_of(L)->failure = HF_ERANGE;
    (void)snprintf(text, sizeof text, format, limit);
    put_place(L, level);
    (void)lua_pushstring(L, text);
    lua_concat(L, 2);
    (void)lua_error(L);
}

static const char too_long[] = "took more than %g s of CPU time";

static void check_time(lua_State *L, hf_lua *lua) {
    if (is_over_time(lua, hf_clock_s())) {
        fail(L, IN_FUNCTION, too_long, lua->cpu_limit_s);
    }
}

void hf_lua_spend(lua_State *L, size_t bytes) {
    hf_lua *lua = hf_lua_of(L);
    lua->n_byte += bytes;
    if (lua->n_byte >= LOOK_BYTES) {
        check_time(L, lua);
    }
}

/* ---- the hook ---- */

static void run_hook(lua_State *L, lua_Debug *about);

static void hook_every(hf_lua *lua, int step) {
    lua->hook_step = step;
    lua_sethook(lua->L, run_hook, LUA_MASKCOUNT, step);
}

void hf_lua_start_hook(hf_lua *lua) {
    lua->step = HOOK_STEP;
    hook_every(lua, HOOK_STEP);
}

/* May be called where no error may be raised. */
static void call_hook_soon(hf_lua *lua) {
    if (lua->hook_step > 1) {
        hook_every(lua, 1);
    }
}

static void weigh(lua_State *L, hf_lua *lua) {
    if (lua->has_long_text) {
        fail(L, IN_HOOK, "a text of more than %g MiB", (double)(TEXT_MOST >> 20));
    }
    if (lua->used > lua->setup.memory_bytes) {
        (void)lua_gc(L, LUA_GCCOLLECT);
    }
    if (lua->used > lua->setup.memory_bytes) {
        fail(L, IN_HOOK, "needs more than %g MiB of memory", (double)lua->setup.memory_bytes / (1 << 20));
    }
}

/* The next hook: sooner where the last instructions were dear, not where others had the processor: a new step costs time for
 * every function that is being called, of which there may be 200,000. */
static void set_step(hf_lua *lua, double now) {
    const double whole = lua->hooked_s > 0 ? now - lua->hooked_s : hook_fast_s;
    const double passed = whole > hook_slow_s ? fmin(whole, lua->cpu_passed_s) : whole;
    if (passed > hook_slow_s && lua->step == lua->hook_step) {
        lua->step = 1 + (int)(lua->step * (hook_fast_s / passed));
    } else if (passed < hook_fast_s && lua->step < HOOK_STEP) {
        lua->step = lua->step < HOOK_STEP / 2 ? 2 * lua->step : HOOK_STEP;
    }
    lua->hooked_s = now;
    if (lua->hook_step != lua->step) {
        hook_every(lua, lua->step);
        lua->cpu_seen_s = cpu_s(); /* the change is no instruction's, which would bring the next */
        lua->hooked_s = hf_clock_s();
    }
}

static void run_hook(lua_State *L, lua_Debug *about) {
    (void)about;
    hf_lua *lua = hf_lua_of(L);
    const double now = hf_clock_s();
    lua->n_instruction += (uint64_t)lua->hook_step;
    if (hf_context_stopped(lua->cx)) {
        lua->failure = HF_ESTOP;
        (void)luaL_error(L, "stopped");
    }
    if (lua->n_instruction > lua->limit) {
        fail(L, IN_HOOK, "more than %.0f instructions in one call", (double)lua->limit);
    }
    if (is_over_time(lua, now)) {
        fail(L, IN_HOOK, too_long, lua->cpu_limit_s);
    }
    weigh(L, lua);
    set_step(lua, now);
}

/* ---- memory ---- */

void hf_lua_hold(hf_lua *lua, size_t bytes) {
    lua->used += bytes;
    lua->n_byte += bytes;
    if (lua->used > lua->setup.memory_bytes || (lua->n_byte >= LOOK_BYTES && is_over_time(lua, hf_clock_s()))) {
        call_hook_soon(lua);
    }
}

void *hf_lua_resize(void *user, void *old, size_t old_size, size_t size) {
    hf_lua *lua = user;
    const size_t before = old ? old_size : 0; /* otherwise Lua tells a type */
    if (size == 0) {
        hf_release(&lua->allocator, old);
        lua->used -= before;
        return NULL;
    }
    if (size > before && lua->used - before + size > 2 * lua->setup.memory_bytes) {
        lua->is_over_memory = true;
        return NULL;
    }
    void *block = lua->allocator.resize(lua->allocator.user, old, size);
    if (!block) {
        return size <= before ? old : NULL; /* Lua counts on it that shrinking works */
    }
    if (!old && old_size == LUA_TSTRING && size > TEXT_MOST + sizeof(lua_Debug)) {
        lua->has_long_text = true;
        call_hook_soon(lua);
    }
    if (size <= before) {
        lua->used -= before - size;
    } else {
        hf_lua_hold(lua, size - before);
    }
    return block;
}

/* ---- reading a rule ---- */

typedef struct reading {
    hf_lua *lua;
    size_t at;
    int line;
} reading;

/* In small pieces: what Lua does with one may take long in a large rule. */
static const char *read_piece(lua_State *L, void *user, size_t *size) {
    enum { PIECE = 256 };
    reading *r = user;
    const hf_lua_setup *setup = &r->lua->setup;
    const char *piece = setup->data + r->at;
    *size = setup->size - r->at < PIECE ? setup->size - r->at : PIECE;
    if (is_over_time(r->lua, hf_clock_s())) {
        r->lua->failure = HF_ERANGE;
        (void)lua_pushfstring(L, "rule:%d: reading it took more than %d s of CPU time", r->line, (int)r->lua->cpu_limit_s);
        (void)lua_error(L);
    }
    for (size_t i = 0; i < *size; i++) {
        r->line += piece[i] == '\n';
    }
    r->at += *size;
    return *size > 0 ? piece : NULL;
}

int hf_lua_read(lua_State *L, hf_lua *lua) {
    reading r = {lua, 0, 1};
    return lua_load(L, read_piece, &r, "=rule", "t");
}

/* ---- table.sort ---- */

/* The list and as much room again lie on the stack, from LIST and from LIST + n on. */
enum { LIST = 3 };

/* Must the value at `b` come before that at `a`? */
static bool is_before(lua_State *L, int b, int a, unsigned *n_compared) {
    if (++*n_compared % SORT_LOOK == 0) {
        check_time(L, hf_lua_of(L));
    }
    if (lua_isnil(L, 2)) {
        return lua_compare(L, b, a, LUA_OPLT) != 0;
    }
    lua_pushvalue(L, 2);
    lua_pushvalue(L, b);
    lua_pushvalue(L, a);
    lua_call(L, 2, 1);
    const bool is_less = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return is_less;
}

/* Merge [lo, mid) and [mid, hi) of one half of the stack into the other. */
static void merge(lua_State *L, int from, int to, const int range[3], unsigned *n_compared) {
    int a = range[0], b = range[1];
    for (int i = range[0]; i < range[2]; i++) {
        const bool takes_b = a == range[1] || (b < range[2] && is_before(L, from + b, from + a, n_compared));
        lua_copy(L, from + (takes_b ? b++ : a++), to + i);
    }
}

/* A stable sort by merging, which takes n log n steps for every list and every order; that of Lua may take n^2, draws its pivots
 * by the clock, and leaves it to them in which order equal values come. */
int hf_lua_sort(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    if (!lua_isnoneornil(L, 2)) {
        luaL_checktype(L, 2, LUA_TFUNCTION);
    }
    lua_settop(L, 2);
    if (lua_rawlen(L, 1) > SORT_MOST) {
        put_place(L, IN_FUNCTION);
        lua_pushfstring(L, "a list of %I values to sort; at most %d make sense", (LUAI_UACINT)lua_rawlen(L, 1), SORT_MOST);
        lua_concat(L, 2);
        return lua_error(L);
    }
    const int n = (int)lua_rawlen(L, 1);
    int from = LIST, to = LIST + n;
    unsigned n_compared = 0;
    luaL_checkstack(L, 2 * n + 8, "a list is too long to sort");
    for (int i = 1; i <= n; i++) {
        lua_rawgeti(L, 1, i);
    }
    lua_settop(L, LIST + 2 * n - 1);
    for (int width = 1; width < n; width *= 2) {
        for (int lo = 0; lo < n; lo += 2 * width) {
            const int range[3] = {lo, lo + width < n ? lo + width : n, lo + 2 * width < n ? lo + 2 * width : n};
            merge(L, from, to, range, &n_compared);
        }
        const int other = from;
        from = to;
        to = other;
    }
    for (int i = 0; i < n; i++) {
        lua_pushvalue(L, from + i);
        lua_rawseti(L, 1, i + 1);
    }
    return 0;
}
