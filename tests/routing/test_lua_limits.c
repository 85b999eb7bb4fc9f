/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Rules in Lua that take long or much: whatever they do, an error with its line comes soon after the limit. And what is in an
 *  order of ours: sorted lists, and tables that are gone through. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include <holdfast/core/context.h>

#include "src/bridge/lua.h"

/* Loading takes 20 times as much; what comes after the limit is bounded by what a thousand instructions may cost. */
static const double call_s = 0.01, late_s = 8;
enum { MEMORY_MIB = 64 };

static double cpu_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Load and call f(), where there is one. The number of instructions is as good as unlimited. */
static hf_status run(hf_context *cx, const char *text, size_t size, double seconds) {
    static const hf_call_field fields[] = {{0}};
    static const hf_call_method methods[] = {{0}};
    const hf_lua_setup setup = {.file = "rule.lua",
                                .data = text,
                                .size = size,
                                .instructions = UINT64_C(1000000000000),
                                .cpu_s = seconds / 20,
                                .memory_bytes = (size_t)MEMORY_MIB << 20,
                                .fields = fields,
                                .methods = methods};
    hf_lua *lua;
    bool has_function = false;
    const hf_call_hop *hops;
    size_t n_hop;
    HF_TRY(hf_lua_new(cx, &setup, &lua));
    hf_status status = hf_lua_has(cx, lua, "f", &has_function);
    if (status == HF_OK && has_function) {
        status = hf_lua_hops(cx, lua, "f", NULL, 0, &hops, &n_hop);
    }
    hf_lua_free(lua);
    return status;
}

static void expect(hf_context *cx, const char *text, size_t size, hf_status status, const char *message, double limit_s) {
    hf_context_clear(cx);
    const double before = cpu_s();
    const hf_status got = run(cx, text, size, limit_s);
    const double took = cpu_s() - before;
    if (got != status || !strstr(hf_context_message(cx), message) || took > limit_s + late_s) {
        print_error("%.300s\nstatus %d after %.2f s of CPU time, \"%s\"; wanted status %d, \"%s\"\n", text, (int)got, took,
                    hf_context_message(cx), (int)status, message);
        fail();
    }
}

static const char too_long[] = "of CPU time";

/* A text of half a mebibyte, and another like it. */
#define BIG "local s = 'x' for i = 1, 18 do s = s .. s end\nlocal r = s .. 'y' s = s .. 'y'\n"

static void dear_instructions(void **state) {
    static const struct {
        const char *text, *line;
    } cases[] = {
        {"local s = 'x'\nwhile true do\ns = s .. 3 end", "line 3: took more than 0.2 s"},
        {"while true do end", "line 1: took"},
        {"::a::\ngoto a", "line 2: took"},
        {"local function g(n)\nif n > 0 then g(n - 1) g(n - 1) end end g(99)", "line "},
        {BIG "while true do local t = s == r end", "line 3: took"},
        {BIG "while true do local t = s < r end", "line 3: took"},
        {BIG "while true do local t = s:lower() end", "line 3: took"},
        {BIG "while true do local t = ('%s%s'):format(s, s):sub(1, 9) end", "line 3: "},
        {BIG "while true do local t = s:byte(1, 100000) end", "line 3: took"},
        {BIG "while true do local t = tonumber(s, 36) end", "line 3: took"},
        {"local t = {}\nfor i = 1, 3e5 do t[i] = 0 end\nwhile true do table.insert(t, 1, 0) end", "line 3: took"},
        {"local t = {}\nfor i = 1, 3e5 do t[i] = 0 end\nwhile true do table.insert(t, 1, 0) table.remove(t, 1) end",
         "line 3: took"},
        {"local t = {}\nfor i = 1, 3e5 do t[i] = '' end\nwhile true do local s = table.concat(t) end", "line 3: took"},
        {"local t = {}\nfor i = 1, 1e5 do t[i] = i end\nwhile true do local s = select('#', table.unpack(t)) end",
         "line 3: took"},
        {"local t = {}\nfor i = 1, 3e5 do t[-i] = 0 end\nfor i = 1, 3e5 do t[-i] = nil end\nwhile true do next(t) end",
         "line 4: took"},
        {"local t = {}\nfor i = 1, 3e5 do t[-i] = 0 end\nlocal k for i = 1, 3e5 do k = next(t, k) end", "line 3: took"},
        {"local t = {}\nfor i = 1, 1e5 do t[-i] = 0 end\nwhile true do for k in pairs(t) do end end", "line 3: took"},
        {"local t, n = {}, 2^17\nfor i = 1, n do t[-i] = 0 end\nlocal i = 1\nwhile true do t[-i] = nil t[-i - n] = 0 i = i + 1 "
         "end",
         "line 4: took"},
        {BIG "local t = {}\nfor i = 1, 2e5 do t[i] = i % 2 == 0 and s or r end\ntable.sort(t)", "line 5: took"},
        {"local t = {}\nfor i = 1, 2e5 do t[i] = i end\nwhile true do table.sort(t, function() return true end) end",
         "line 3: took"},
        {"local t = {}\nwhile true do t = {t, {}, {}} end", "line 2: "},
        {"function f()\nwhile true do end end", "line 2: took more than 0.01 s"},
        {"function f()\nlocal s = 'x' while true do s = s .. 3 end end", "line 2: took more than 0.01 s"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char message[80];
        (void)snprintf(message, sizeof message, "rule.lua, %s", cases[i].line);
        expect(*state, cases[i].text, strlen(cases[i].text), HF_ERANGE, message, 20 * call_s);
    }
}

/* What the compiler of Lua does in a time that grows with the square of the text. */
static void dear_texts(void **state) {
    enum { FUNCTIONS = 4, LABELS = 32000, SIZE = 16 };
    char *text = malloc((size_t)FUNCTIONS * (LABELS + 2) * SIZE + 1);
    size_t size = 0;
    for (int i = 0; i < FUNCTIONS * LABELS; i++) {
        const char *before = i % LABELS == 0 ? "function g()\n" : "", *after = (i + 1) % LABELS == 0 ? "end\n" : "";
        size += (size_t)sprintf(text + size, "%s::a%d::x=1\n%s", before, i % LABELS, after);
    }
    expect(*state, text, size, HF_ERANGE, too_long, 20 * call_s);
    assert_non_null(strstr(hf_context_message(*state), "rule.lua, line "));
    free(text);
}

static void memory(void **state) {
    static const struct {
        const char *text;
        hf_status status;
        const char *message;
    } cases[] = {
        {"local t = {}\nfor i = 1, 1e9 do t[i] = i end", HF_ERANGE, "rule.lua, line 2: needs more than 64 MiB of memory"},
        {"local t = {}\nfor i = 1, 1e9 do t[i] = {} end", HF_ERANGE, "rule.lua, line 2: needs more than 64 MiB of memory"},
        {"local s = 'x'\nwhile true do s = s .. s end", HF_ERANGE, "rule.lua, line 2: a text of more than 1 MiB"},
        {"local s, t = 'x', {} for i = 1, 20 do s = s .. s end\nfor i = 1, 1e5 do t[i] = s end local u = table.concat(t)",
         HF_ERANGE, "MiB"},
        {"local t = {} for i = 1, 3e5 do t[i] = i end\ntable.sort(t)", HF_EINVAL, "line 2: a list of 300000 values to sort"},
        {"local function g()\nreturn g() + 1 end g()", HF_ERANGE, "rule.lua, line 2: "},
        {"error({})", HF_EINVAL, "an error that is not a text"},
        /* garbage is no memory that is needed: 200 MiB of it */
        {"for i = 1, 1000 do local t = {} for k = 1, 50 do t[k] = {k, k, k} end local s = ('x'):upper() .. i end", HF_OK, ""},
        {"local s = 'x' for i = 1, 19 do s = s .. s end for i = 1, 400 do local t = s .. i end", HF_OK, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        expect(*state, cases[i].text, strlen(cases[i].text), cases[i].status, cases[i].message, 20);
    }
}

/* table.sort puts in order, keeps the order of equals, and takes any relation for one. */
static void sorts(void **state) {
    static const char text[] = "local x = 1\n"
                               "local function draw(n) x = (x * 1103515245 + 12345) % 2147483648 return x // 65536 % n end\n"
                               "for n = 0, 70 do\n"
                               "  local a, b, c = {}, {}, {}\n"
                               "  for i = 1, n do a[i] = draw(20) b[i] = {key = a[i], at = i} c[i] = tostring(a[i]) end\n"
                               "  table.sort(a)\n"
                               "  table.sort(b, function(p, q) return p.key > q.key end)\n"
                               "  table.sort(c)\n"
                               "  for i = 2, n do\n"
                               "    assert(a[i - 1] <= a[i] and c[i - 1] <= c[i])\n"
                               "    assert(b[i - 1].key > b[i].key or (b[i - 1].key == b[i].key and b[i - 1].at < b[i].at))\n"
                               "    assert(b[n + 1 - i].key == a[i])\n"
                               "  end\n"
                               "  assert(#a == n and #b == n and #c == n)\n"
                               "  table.sort(a, function() return true end)\n"
                               "  table.sort(a, function() return draw(2) == 0 end)\n"
                               "end\n"
                               "function f() return nil end\n";
    expect(*state, text, sizeof text - 1, HF_OK, "", 20);
    expect(*state, "\ntable.sort({1, 'x'})", 21, HF_EINVAL, "attempt to compare", 20);
    expect(*state, "\ntable.sort(3)", 14, HF_EINVAL, "table expected", 20);
    expect(*state, "\ntable.sort({2, 1}, 3)", 22, HF_EINVAL, "function expected", 20);
}

/* Tables are gone through by their keys, in every run alike; Lua's own order is another one in each. */
static void keys_in_order(void **state) {
    static const char text[] =
        "local function walk(t)\n"
        "  local by_pairs, by_next, k, v = '', '', next(t)\n"
        "  for a, b in pairs(t) do by_pairs = by_pairs .. tostring(a) .. '=' .. tostring(b) .. ' ' end\n"
        "  while k ~= nil do by_next = by_next .. tostring(k) .. '=' .. tostring(v) .. ' ' k, v = next(t, k) end\n"
        "  assert(by_pairs == by_next)\n"
        "  return by_pairs\n"
        "end\n"
        "local t, n = {[true] = 1, [false] = 2, z = 3, [''] = 4, ['a\\0b'] = 5, ['a\\0'] = 6, a = 7, [-1.5] = 8}, 200\n"
        "t[2], t[1], t[-7], t[1e9], t.f = 'two', 'one', {}, nil, walk\n"
        "assert(walk({}) == '' and walk({5, 6, nil, 7}) == '1=5 2=6 4=7 ' and walk({[3] = 1}) == '3=1 ')\n"
        "assert(walk(t) == '-7=a table -1.5=8 1=one 2=two =4 a=7 a\\0=6 a\\0b=5 f=a function z=3 false=2 true=1 ')\n"
        "local x, names, list, wanted, left = 1, {}, {}, '', 0\n"
        "for i = 1, n do x = x * 1103515245 % 2147483648 list[i] = 'n' .. x names[list[i]] = i end\n"
        "table.sort(list)\n"
        "for i = 1, n do wanted = wanted .. list[i] .. '=' .. names[list[i]] .. ' ' end\n"
        "assert(walk(names) == wanted)\n"
        "for k in pairs(names) do left = left + 2 names[k] = nil names[list[left]] = nil end\n"
        "assert(left == n and next(names) == nil)\n"
        "assert(('%s %5.1f %% %d %s %q'):format({}, 2, 3, walk, 'p') == 'a table   2.0 % 3 a function \"p\"')\n"
        "assert(('%%p\\0 %s'):format(nil) == '%p\\0 nil')\n";
    static const struct {
        const char *text, *message;
    } refused[] = {
        {"for k in pairs({[{}] = 1}) do end", "a table as a key has no order that is the same in every run"},
        {"local k = next({[1] = 1, [next] = 2})", "a function as a key has no order"},
        {"\nlocal t = {} for i = 1, 3e5 do t[-i] = 0 end for k in pairs(t) do end",
         "line 2: a list of 300000 values to sort; at most 262144 make sense"},
        {"for k in pairs(nil) do end", "bad argument #1 to 'pairs' (table expected, got nil)"},
        {"local s = ('\\0%-5p'):format({})", "%p shows an address"},
        {"local s = ('%d'):format({})", "number expected, got table"},
        {"local s = ('x %5'):format(1)", "invalid conversion '%5' to 'format'"},
        {"local s = tostring()", "bad argument #1 to 'tostring' (value expected)"},
    };
    expect(*state, text, sizeof text - 1, HF_OK, "", 20);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        expect(*state, refused[i].text, strlen(refused[i].text), HF_EINVAL, refused[i].message, 20);
    }
}

static int open_context(void **state) {
    *state = hf_context_new(NULL);
    return *state ? 0 : -1;
}

static int close_context(void **state) {
    hf_context_free(*state);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(dear_instructions), cmocka_unit_test(dear_texts),
                                       cmocka_unit_test(memory), cmocka_unit_test(sorts), cmocka_unit_test(keys_in_order)};
    return cmocka_run_group_tests(tests, open_context, close_context);
}
