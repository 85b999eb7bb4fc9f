/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Rules in Lua that look at faults: what is remembered from set to set, and the judge on it, against the rule opened anew for
 * each set. Random rules that avoid failed channels, look ahead, ask for switches and for distances, turn back, give up, or lead
 * into faults; rules that keep what they should not; rules that fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/random.h>

#include "src/routing/lua/lua.h"
#include "tests/oracle/fixture.h"
#include "tests/support/folder.h"

/* What a state does hangs on a hash of its arguments. */
static const char random_rule[] =
    "%s\n"
    "local seed = %u\n"
    "local function mix(a, b, c, d)\n"
    "  local x = (a * 73 + b * 151 + c * 31 + d * 17 + seed * 97) %% 1009\n"
    "  return (x * x + 7 * x) %% 1009\n"
    "end\n"
    "local function leads_on(net, sw, goal)\n"
    "  if sw == goal then return true end\n"
    "  for _, c in ipairs(net:channels(sw)) do\n"
    "    if net:distance(net:to(c), goal) < net:distance(sw, goal) and not net:failed(c) then return true end\n"
    "  end\n"
    "  return false\n"
    "end\n"
    "local function is_bad(net, c, h, goal)\n"
    "  local to = net:to(c)\n"
    "  if net:failed(c) then return true end\n"
    "  if h %% 4 == 1 then return net:switch_failed(to) end\n"
    "  if h %% 4 == 2 then return not leads_on(net, to, goal) end\n"
    "  if h %% 4 == 3 then return net:healthy_distance(to, goal) ~= net:distance(to, goal) end\n"
    "  return false\n"
    "end\n"
    "function route(net, at, in_channel, in_vc, destination, tag)\n"
    "  local goal = net:switch_of(destination)\n"
    "  if at == goal then return nil end\n"
    "  local h = mix(at, destination, in_channel %% 3, in_vc)\n"
    "  local near, side, far = {}, {}, net:distance(at, goal)\n"
    "  for _, c in ipairs(net:channels(at)) do\n"
    "    local bad = is_bad(net, c, h, goal)\n"
    "    if net:distance(net:to(c), goal) < far then\n"
    "      if not bad or (seed %% 3 == 0 and h %% 7 == 0) then near[#near + 1] = {c, h %% 2} end\n"
    "    elseif not bad then side[#side + 1] = {c, 1, tag and (tag + 1) %% tags or nil} end\n"
    "  end\n"
    "  if #near > 0 then return near end\n"
    "  if (seed %% 2 == 0 and h %% 5 == 0) or (seed %% 4 == 1 and h %% 4 == 3) then return {} end\n"
    "  return side\n"
    "end\n";

typedef struct place {
    const char *topo, *universe, *head;
} place;

static const place places[] = {
    {"mesh:dims=3x3", "links", "vcs = 2"},
    {"mesh:dims=3x3", "channels", "vcs = 2; tags = 3"},
    {"mesh:dims=2x3,terminals=2", "links+switches+terminal-links", "vcs = 2; depends = {'switch'}"},
    {"ring:n=5", "channels", "vcs = 2; depends = {'destination', 'source'}"},
    {"torus:dims=3x3", "links", "vcs = 2"},
    {"torus:dims=2x3,double=yes", "links+switches", "vcs = 2; tags = 2; depends = {'switch', 'tag'}"},
    {"kary-tree:k=2,n=2", "switches+terminal-links", "vcs = 2"},
    {"complete:n=1,terminals=3", "switches+terminal-links", "vcs = 2"},
};
enum { N_PLACE = sizeof places / sizeof *places, N_RULE = 4, STEPS = 40, DEEPEST = 4 };

typedef struct scene {
    fixture fx;
    char folder[256], path[512], spec[640], text[4096], about[256];
    uint32_t tolerated, not_tolerated, failed;
} scene;

static void claim(const scene *s, const uint32_t *set, uint32_t n, bool holds, const char *what) {
    if (!holds) {
        print_error("%s: %s, components", s->about, what);
        for (uint32_t i = 0; i < n; i++) {
            print_error(" %u", set[i]);
        }
        print_error("\n%s\n", s->text);
        fail();
    }
}

/* The rule as if nobody had asked it before. */
static hf_status judge_anew(scene *s, const hf_criterion *criterion, const uint32_t *set, uint32_t n, hf_measure *out) {
    hf_context *cx = s->fx.cx;
    hf_rule rule;
    hf_fault_set faults;
    hf_plan plan;
    HF_TRY(hf_rule_init(cx, s->spec, s->fx.topo, &rule));
    hf_status status = hf_fault_set_make(cx, s->fx.universe, set, n, &faults);
    status = status == HF_OK ? hf_plan_make(cx, &rule, &faults, &plan) : status;
    status = status == HF_OK ? hf_tolerance_measure(cx, &rule, &plan, criterion, out) : status;
    hf_rule_free(&rule);
    return status;
}

/* \param[in] pushed onto the judge, in the order of `set` */
static void compare(scene *s, const hf_criterion *criterion, hf_judge *judge, const uint32_t *set, uint32_t n) {
    hf_measure want = {0}, seen = {0}, quick = {0};
    char why[512] = "";
    const hf_status status = judge_anew(s, criterion, set, n, &want);
    (void)snprintf(why, sizeof why, "%s", status == HF_OK ? "" : hf_context_message(s->fx.cx));
    hf_context_clear(s->fx.cx);
    claim(s, set, n, judge->ops->read(s->fx.cx, judge, &seen) == status, "one fails, the other does not");
    if (status != HF_OK) {
        claim(s, set, n, strcmp(why, hf_context_message(s->fx.cx)) == 0, "it fails otherwise");
        hf_context_clear(s->fx.cx);
        s->failed++;
        return;
    }
    claim(s, set, n, seen.tolerated == want.tolerated, "verdicts from what is remembered differ");
    claim(s, set, n, seen.has_victims == want.has_victims && seen.victims == want.victims, "victims differ");
    claim(s, set, n, seen.has_lost_paths == want.has_lost_paths && seen.lost_paths == want.lost_paths, "lost paths differ");
    claim(s, set, n, judge->ops->verdict(s->fx.cx, judge, &quick) == HF_OK, "there is no verdict");
    claim(s, set, n, quick.tolerated == want.tolerated, "verdicts differ");
    s->tolerated += want.tolerated;
    s->not_tolerated += !want.tolerated;
}

static bool is_on(const uint32_t *stack, uint32_t depth, uint32_t c) {
    for (uint32_t i = 0; i < depth; i++) {
        if (stack[i] == c) {
            return true;
        }
    }
    return false;
}

/* Up and down a stack of components. */
static void walk(scene *s, const char *criterion, hf_random *random, uint32_t steps) {
    const hf_criterion *c = fixture_criterion(&s->fx, criterion);
    hf_judge *judge;
    uint32_t stack[DEEPEST], depth = 0;
    fixture_ok(&s->fx, hf_judge_new(s->fx.cx, s->fx.universe, &s->fx.rule, c, &judge));
    for (uint32_t step = 0; step < steps; step++) {
        const uint32_t next = (uint32_t)hf_random_below(random, s->fx.universe->n_component);
        if (depth < DEEPEST && !is_on(stack, depth, next) && hf_random_below(random, 5) < 3) {
            fixture_ok(&s->fx, judge->ops->push(s->fx.cx, judge, next));
            stack[depth++] = next;
        } else if (depth > 0) {
            judge->ops->pop(judge);
            depth--;
        }
        compare(s, c, judge, stack, depth);
    }
    hf_judge_free(judge);
}

static void open_scene(scene *s, const place *p, const char *text) {
    folder_open(s->folder, sizeof s->folder);
    folder_write(folder_file(s->folder, "rule.lua", s->path, sizeof s->path), text, strlen(text));
    (void)snprintf(s->spec, sizeof s->spec, "lua:%s", s->path);
    fixture_open(&s->fx, p->topo, p->universe, NULL);
    fixture_rule(&s->fx, s->spec);
}

static void close_scene(scene *s) {
    fixture_close(&s->fx);
    folder_close(s->folder);
}

static void random_rules_are_judged_as_if_anew(void **state) {
    (void)state;
    static const char *const criteria[] = {"all-pairs", "all-pairs", "surviving", "all-pairs:live=50%", "connected"};
    scene s = {.tolerated = 0};
    for (uint32_t i = 0; i < N_PLACE * N_RULE; i++) {
        const place *p = &places[i % N_PLACE];
        const char *criterion = criteria[i % 5];
        hf_random random;
        (void)snprintf(s.text, sizeof s.text, random_rule, p->head, i);
        (void)snprintf(s.about, sizeof s.about, "seed %u on %s, %s, %s", i, p->topo, p->universe, criterion);
        open_scene(&s, p, s.text);
        hf_random_init(&random, i, HF_PURPOSE_TEST, 0);
        walk(&s, criterion, &random, STEPS);
        close_scene(&s);
    }
    assert_true(s.tolerated > 200 && s.not_tolerated > 200);
}

/* ---- rules that are no functions of what they ask ---- */

#define NEARER                                                                                                                   \
    "local function nearer(net, at, goal, skips)\n"                                                                              \
    "  local hops = {}\n"                                                                                                        \
    "  for _, c in ipairs(net:channels(at)) do\n"                                                                                \
    "    if net:distance(net:to(c), goal) < net:distance(at, goal) and not skips(c) then hops[#hops + 1] = c end\n"              \
    "  end\n"                                                                                                                    \
    "  return hops\n"                                                                                                            \
    "end\n"

static const char *const strange_rules[] = {
    /* looks at the faults in plan() */
    NEARER "local gone = {}\n"
           "function plan(net, faults) for _, c in ipairs(faults.channels) do gone[c] = true end end\n"
           "function route(net, at, in_channel, in_vc, destination)\n"
           "  local goal = net:switch_of(destination)\n"
           "  if at ~= goal then return nearer(net, at, goal, function(c) return gone[c] end) end\n"
           "end\n",
    /* keeps what plan() is given, and looks at it where something has failed */
    NEARER "local kept\n"
           "function plan(net, faults) kept = faults end\n"
           "function route(net, at, in_channel, in_vc, destination)\n"
           "  local goal = net:switch_of(destination)\n"
           "  if at == goal then return nil end\n"
           "  return nearer(net, at, goal, function(c) return net:failed(c) and kept.channels[1] == c end)\n"
           "end\n",
    /* asks once for each channel, whoever comes first */
    NEARER "local seen = {}\n"
           "function route(net, at, in_channel, in_vc, destination)\n"
           "  local goal = net:switch_of(destination)\n"
           "  if at == goal then return nil end\n"
           "  return nearer(net, at, goal, function(c)\n"
           "    if seen[c] == nil then seen[c] = net:failed(c) end\n"
           "    return seen[c]\n"
           "  end)\n"
           "end\n",
    /* fails where a channel has */
    NEARER "function route(net, at, in_channel, in_vc, destination)\n"
           "  local goal = net:switch_of(destination)\n"
           "  if at == goal then return nil end\n"
           "  return nearer(net, at, goal, function(c)\n"
           "    if net:failed(c) and at == 3 then error('no way at ' .. at) end\n"
           "    return net:failed(c)\n"
           "  end)\n"
           "end\n",
};

static void strange_rules_are_asked_each_time(void **state) {
    (void)state;
    static const place p = {"mesh:dims=3x3", "links", ""};
    scene s = {.tolerated = 0};
    for (uint32_t i = 0; i < sizeof strange_rules / sizeof *strange_rules; i++) {
        hf_random random;
        (void)snprintf(s.text, sizeof s.text, "%s", strange_rules[i]);
        (void)snprintf(s.about, sizeof s.about, "strange rule %u", i);
        open_scene(&s, &p, s.text);
        hf_random_init(&random, i, HF_PURPOSE_TEST, 1);
        walk(&s, "all-pairs", &random, 60);
        close_scene(&s);
    }
    assert_true(s.tolerated > 20 && s.not_tolerated > 20 && s.failed > 5);
}

/* ---- who is remembered ---- */

static void only_functions_are_remembered(void **state) {
    (void)state;
    static const place p = {"mesh:dims=3x3", "links", ""};
    static const bool is_function[] = {false, false, false, true};
    scene s = {.tolerated = 0};
    for (uint32_t i = 0; i <= sizeof strange_rules / sizeof *strange_rules; i++) {
        hf_judge *judge = NULL, *other = NULL;
        const bool is_random = i == sizeof strange_rules / sizeof *strange_rules;
        (void)snprintf(s.text, sizeof s.text, is_random ? random_rule : "%s", is_random ? "vcs = 2" : strange_rules[i], 5u);
        open_scene(&s, &p, s.text);
        const hf_status status = hf_lua_judge_new(s.fx.cx, s.fx.universe, &s.fx.rule, &judge);
        assert_int_equal(status, is_random || is_function[i] ? HF_OK : HF_ENOTSUP);
        assert_int_equal(hf_lua_judge_new(s.fx.cx, s.fx.universe, &s.fx.rule, &other), status); /* of another thread */
        hf_judge_free(judge);
        hf_judge_free(other);
        close_scene(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_rules_are_judged_as_if_anew),
        cmocka_unit_test(strange_rules_are_asked_each_time),
        cmocka_unit_test(only_functions_are_remembered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
