/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Rules in Lua: the examples, what "net" tells, the checks on hops, the box and its limits, messages with the call. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/analysis/deadlock.h>

#include "tests/oracle/fixture.h"
#include "tests/support/failing.h"
#include "tests/support/folder.h"

typedef struct scene {
    fixture fx;
    char folder[256], path[512], spec[640];
    hf_fault_set set;
    hf_plan plan;
} scene;

/** Write a rule to a file. */
static void write_rule(scene *s, const char *topo, const char *text) {
    *s = (scene){.fx.cx = NULL};
    folder_open(s->folder, sizeof s->folder);
    folder_write(folder_file(s->folder, "rule.lua", s->path, sizeof s->path), text, strlen(text));
    (void)snprintf(s->spec, sizeof s->spec, "lua:%s", s->path);
    fixture_open(&s->fx, topo, NULL, NULL);
}

static void close_scene(scene *s) {
    fixture_close(&s->fx);
    folder_close(s->folder);
}

static void open_rule(scene *s, const char *topo, const char *text, const char *faults) {
    write_rule(s, topo, text);
    fixture_rule(&s->fx, s->spec);
    fixture_plan(&s->fx, faults, &s->set, &s->plan);
}

/** Open and plan, without faults. */
static hf_status try_rule(scene *s) {
    HF_TRY(hf_rule_init(s->fx.cx, s->spec, s->fx.topo, &s->fx.rule));
    HF_TRY(hf_fault_set_parse(s->fx.cx, s->fx.topo, NULL, "", &s->set));
    return hf_plan_make(s->fx.cx, &s->fx.rule, &s->set, &s->plan);
}

/* ---- the examples ---- */

static void examples_deliver(void **state) {
    (void)state;
    static const struct {
        const char *topo, *rule;
        uint32_t n_vc;
    } cases[] = {
        {"mesh:dims=4x4", "xy", 1},
        {"mesh:dims=3x2x3", "xy", 1},
        {"mesh:dims=4x4", "west-first", 1},
        {"torus:dims=5x4", "torus-dateline", 2},
        {"mesh:dims=4x3", "adaptive-escape", 2},
        {"mesh:dims=3x3", "deadlock", 1},
        {"mesh:dims=3x4", "valiant", 2},
        {"hypercube:n=3", "deadlock", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture fx;
        hf_fault_set set;
        hf_plan plan;
        hf_verdict verdict;
        char rule[160];
        (void)snprintf(rule, sizeof rule, "lua:studies/examples/%s.lua", cases[i].rule);
        fixture_open(&fx, cases[i].topo, NULL, rule);
        fixture_plan(&fx, "", &set, &plan);
        assert_int_equal(plan.n_vc, cases[i].n_vc);
        fixture_ok(&fx, hf_tolerance_judge(fx.cx, &plan, fixture_criterion(&fx, "all-pairs"), false, &verdict));
        assert_true(verdict.tolerated);
        fixture_close(&fx);
    }
}

/* What two plans offer at one state, as a set; `same_vc` false: of channels only. */
static bool offers_the_same(const hf_plan *a, const hf_plan *b, uint32_t at, hf_hop in, uint32_t goal, bool same_vc) {
    hf_hop mine[32], others[32];
    assert_true(a->max_hops <= 32 && b->max_hops <= 32);
    const size_t n = hf_plan_route(a, at, in, goal, mine), n_other = hf_plan_route(b, at, in, goal, others);
    size_t found = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n_other; j++) {
            found += mine[i].channel == others[j].channel &&
                     (!same_vc || (mine[i].vc == others[j].vc && mine[i].tag == others[j].tag));
        }
    }
    return found == n && n == n_other;
}

/* Walk one plan from a terminal, every hop that it offers, and compare it with the other at every state. */
static void compare_from(const hf_plan *a, const hf_plan *b, uint32_t at, hf_hop in, uint32_t goal, bool same_vc) {
    const hf_topology *topo = a->topo;
    hf_hop hops[32];
    if (at == topo->n_switch + goal) {
        return;
    }
    if (!offers_the_same(a, b, at, in, goal, same_vc)) {
        fail_msg("%s: %s and %s differ at node %u for t%u", topo->spec, a->routing->name, b->routing->name, at, goal);
    }
    const size_t n = hf_plan_route(a, at, in, goal, hops);
    for (size_t i = 0; i < n; i++) {
        compare_from(a, b, topo->to[hops[i].channel], hops[i], goal, same_vc);
    }
}

/* The examples that bear the name of a rule are that rule, hop by hop. */
static void examples_are_what_they_say(void **state) {
    (void)state;
    static const struct {
        const char *topo, *example, *rule;
        bool same_vc;
    } cases[] = {
        {"mesh:dims=4x4", "xy", "dor", true},
        {"mesh:dims=2x5", "xy", "dor", true},
        {"mesh:dims=5x2,terminals=2", "xy", "dor", true},
        {"mesh:dims=3x2x4", "xy", "dor", true},
        {"mesh:dims=6", "xy", "dor", true},
        {"mesh:dims=4x4", "west-first", "west-first", true},
        {"mesh:dims=3x5", "west-first", "west-first", true},
        {"mesh:dims=4x2,terminals=2", "west-first", "west-first", true},
        {"mesh:dims=3x4", "deadlock", "minimal", true},
        {"mesh:dims=3x2x2", "adaptive-escape", "duato", true},
        {"mesh:dims=3x4", "adaptive-escape", "duato", true},
        {"mesh:dims=3x2", "valiant", "valiant", true},
        {"mesh:dims=2x3,terminals=2", "valiant", "valiant", true},
        {"torus:dims=5x4", "torus-dateline", "dor:ties=plus", false}, /* another VC over the channel that closes a ring */
        {"torus:dims=3x4x3", "torus-dateline", "dor:ties=plus", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture fx;
        hf_fault_set set;
        hf_plan plan, other;
        hf_rule rule;
        char example[160];
        (void)snprintf(example, sizeof example, "lua:studies/examples/%s.lua", cases[i].example);
        fixture_open(&fx, cases[i].topo, NULL, example);
        fixture_plan(&fx, "", &set, &plan);
        fixture_ok(&fx, hf_rule_init(fx.cx, cases[i].rule, fx.topo, &rule));
        fixture_ok(&fx, hf_plan_make(fx.cx, &rule, &set, &other));
        for (uint32_t s = 0; s < fx.topo->n_terminal; s++) {
            for (uint32_t d = 0; d < fx.topo->n_terminal; d++) {
                compare_from(&plan, &other, s == d ? fx.topo->n_switch + d : fx.topo->n_switch + s, HF_HOP_INJECTION, d,
                             cases[i].same_vc);
            }
        }
        hf_rule_free(&rule);
        fixture_close(&fx);
    }
}

/* ---- what a rule sees ---- */

/* A rule that asserts, in plan(), what net says. */
static void expect_plan(const char *topo, const char *faults, const char *body) {
    scene s;
    char text[4096];
    (void)snprintf(text, sizeof text, "function route(net, at, c, vc, d) return {} end\nfunction plan(net, faults)\n%s\nend\n",
                   body);
    open_rule(&s, topo, text, faults);
    close_scene(&s);
}

static void net_tells(void **state) {
    (void)state;
    expect_plan("mesh:dims=3x4", "",
                "assert(net.n_switch == 12 and net.n_terminal == 12 and net.n_link == 29 and net.n_channel == 58)\n"
                "assert(net.n_coord == 2 and net:size(1) == 3 and net:size(2) == 4 and net:family() == 'mesh')\n"
                "assert(net:coord(1, 1) == 0 and net:coord(1, 2) == 1 and net:switch_at(2, 1) == 9)\n"
                "for s = 0, net.n_switch - 1 do\n"
                "  local c = net:coord(s)\n"
                "  assert(#c == 2 and c[1] == net:coord(s, 1) and c[2] == net:coord(s, 2))\n"
                "  assert(net:switch_at(c[1], c[2]) == s)\n"
                "  local channels, neighbours = net:channels(s), net:neighbours(s)\n"
                "  assert(#channels == #neighbours)\n"
                "  for i, c in ipairs(channels) do\n"
                "    assert(net:from(c) == s and net:to(c) == neighbours[i])\n"
                "    assert(net:channel(s, net:from_port(c)) == c and net:channel_to(s, neighbours[i]) == c)\n"
                "    assert(net:reverse(net:reverse(c)) == c and net:to(net:reverse(c)) == s)\n"
                "    assert(net:to_port(c) == net:from_port(net:reverse(c)))\n"
                "    assert(net:distance(s, neighbours[i]) == 1 and not net:failed(c))\n"
                "  end\n"
                "  for _, t in ipairs(net:terminals(s)) do\n"
                "    assert(net:switch_of(t) == s and net:from(net:eject(t)) == s and net:to(net:eject(t)) == nil)\n"
                "    assert(net:to(net:inject(t)) == s and net:reverse(net:inject(t)) == net:eject(t))\n"
                "  end\n"
                "  assert(not net:switch_failed(s) and net:label(s) == nil)\n"
                "end\n"
                "assert(net:distance(0, 11) == 5 and net:channel_to(0, 11) == nil and net:switch_at(9, 9) == nil)\n"
                "assert(net:channel(0, 99) == nil and net:attribute('stage', 0) == nil)\n"
                "assert(#faults.channels == 0 and #faults.switches == 0)");
    expect_plan(
        "kary-tree:k=2,n=2", "",
        "assert(net:attribute('stage', 0) == 0 and net:attribute('stage', 2) == 1 and net:spec() == 'kary-tree:k=2,n=2')");
    expect_plan("file:tests/fixtures/opensm/kary-2-3.ftree/ibnetdiscover.txt", "", "assert(net:label(0) == 'S3')");
    expect_plan("mesh:dims=3", "s0:0>, s2",
                "assert(#faults.switches == 1 and faults.switches[1] == 2 and net:switch_failed(2))\n"
                "assert(net:failed(net:channel_to(0, 1)) and not net:failed(net:channel_to(1, 0)))\n"
                "assert(net:name(faults.channels[1]):sub(1, 1) == 's' or true)\n"
                "for i = 2, #faults.channels do assert(faults.channels[i - 1] < faults.channels[i]) end\n"
                "assert(net:healthy_distance(0, 1) == nil and net:healthy_distance(1, 0) == 1 and net:distance(0, 1) == 1)");
}

/* plan() runs once for each fault set, in a state of its own. */
static void states_are_apart(void **state) {
    (void)state;
    scene s;
    hf_plan other;
    hf_fault_set set;
    hf_hop hop;
    open_rule(&s, "ring:n=4",
              "vcs = 9\n"
              "function plan(net, faults) assert(n == nil); n = #faults.channels end\n"
              "function inject(net, terminal, destination) return {{net:inject(terminal), n}} end\n"
              "function route() end\n",
              "s0:0>");
    fixture_plan(&s.fx, "", &set, &other);
    const uint32_t at = s.fx.topo->n_switch;
    assert_int_equal(hf_plan_route(&s.plan, at, HF_HOP_INJECTION, 1, &hop), 1);
    assert_int_equal(hop.vc, 1);
    assert_int_equal(hf_plan_route(&other, at, HF_HOP_INJECTION, 1, &hop), 1);
    assert_int_equal(hop.vc, 0);
    close_scene(&s);
}

/* ---- header and source ---- */

/* Packets of t0 go round a ring of four one way, those of others the other; marks say how often a packet was passed on. */
static const char by_source[] = "tags = 4\ndepends = {'destination', 'source', 'tag'}\n"
                                "function route(net, at, c, vc, d, tag, source)\n"
                                "  if at == net:switch_of(d) then return nil end\n"
                                "  local step = source == 0 and 1 or 3\n"
                                "  return {{channel = net:channel_to(at, (at + step) % 4), tag = tag + 1}}\nend\n";

static void headers_and_sources(void **state) {
    (void)state;
    scene s;
    open_rule(&s, "ring:n=4", by_source, "");
    const hf_topology *topo = s.fx.topo;
    for (uint32_t source = 0; source < 4; source++) {
        hf_hop in = HF_HOP_INJECTION;
        const uint32_t d = (source + 3) % 4, length = source == 0 ? 5 : 3; /* channels, with the terminals' */
        uint32_t at = topo->n_switch + source, n = 0;
        for (; at != topo->n_switch + d && n < 9; n++) {
            assert_int_equal(hf_plan_route(&s.plan, at, in, d, &in), 1);
            at = topo->to[in.channel];
            assert_int_equal(in.tag, n < length - 1 ? source * 4 + n : 0); /* delivery has no header */
        }
        assert_int_equal(n, length);
    }
    close_scene(&s);
}

/* What a rule does not say that it depends on it does not see. */
static void hidden_is_hidden(void **state) {
    (void)state;
    static const char *const texts[] = {
        "function route(n, at, c, vc, d, tag, source) assert(tag == nil and source == nil) return {} end\n",
        "tags = 2 function route(n, at, c, vc, d, tag, source) assert(tag == 0 and source == nil) return {} end\n",
        "depends = {'destination', 'source'}\n"
        "function route(n, at, c, vc, d, tag, source) assert(tag == nil and source) return {} end\n",
        "depends = {'switch', 'tag'} function route(n, at, c, vc, d, tag, source) assert(tag == 0 and not source) return {} "
        "end\n",
        /* two terminals a switch: elsewhere and from there only the lower ones are seen */
        "depends = {'switch'} function route(n, at, c, vc, d) assert(n:switch_of(d) == at or d % 2 == 0) return {} end\n"
        "function inject(n, t, d) assert(n:switch_of(d) == n:switch_of(t) or d % 2 == 0) return {n:inject(t)} end\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        scene s;
        open_rule(&s, "ring:n=3,terminals=2", texts[i], "");
        close_scene(&s);
    }
}

/* Which channels hang on the switch alone: the same relation, whether the rule says so or not. */
static void depends_on_switch(void **state) {
    (void)state;
    static const char rule[] = "vcs = 2\nfunction route(net, at, c, vc, d)\n  local goal = net:switch_of(d)\n"
                               "  if at == goal then return {{net:eject(d), d % 2}} end\n  local hops = {}\n"
                               "  for _, c in ipairs(net:channels(at)) do\n"
                               "    if net:distance(net:to(c), goal) < net:distance(at, goal) then hops[#hops + 1] = c end\n"
                               "  end\n  return hops\nend\n";
    char text[2048];
    (void)snprintf(text, sizeof text, "depends = {'switch'}\n%s", rule);
    scene s, t;
    open_rule(&s, "torus:dims=2x3,terminals=3", rule, "");
    open_rule(&t, "torus:dims=2x3,terminals=3", text, "");
    assert_true(hf_likeness_of(&t.plan)->by_switch && !hf_likeness_of(&s.plan)->by_switch);
    for (uint32_t a = 0; a < s.fx.topo->n_terminal; a++) {
        for (uint32_t d = 0; d < s.fx.topo->n_terminal; d++) {
            compare_from(&t.plan, &s.plan, s.fx.topo->n_switch + a, HF_HOP_INJECTION, d, true);
        }
    }
    close_scene(&s);
    close_scene(&t);
}

/* Every nearer hop on a torus, as escape on a second virtual channel a way that closes no ring: free for packets that take what
 * is free, and not for those that wait for what they chose. */
static void commits(void **state) {
    (void)state;
    static const char rule[] =
        "%svcs = 2\nfunction route(net, at, c, vc, d)\n  local goal, hops = net:switch_of(d), {}\n"
        "  if at == goal then return nil end\n  for _, c in ipairs(net:channels(at)) do\n"
        "    if net:distance(net:to(c), goal) < net:distance(at, goal) then hops[#hops + 1] = c end\n  end\n"
        "  hops[#hops + 1] = {net:channel_to(at, at < goal and at + 1 or at - 1), 1}\n  return hops\nend\n";
    for (int i = 0; i < 2; i++) {
        char text[1024];
        scene s;
        hf_deadlock d;
        const hf_deadlock_options options = {.switching = HF_SWITCHING_SAF, .threads = 1};
        (void)snprintf(text, sizeof text, rule, i ? "commits = true\n" : "");
        open_rule(&s, "ring:n=6", text, "");
        fixture_ok(&s.fx, hf_deadlock_decide(s.fx.cx, &s.plan, &options, &d));
        assert_int_equal(d.answer, i ? HF_DEADLOCK_FOUND : HF_DEADLOCK_FREE);
        close_scene(&s);
    }
}

/* Clockwise round a ring of four, with a line before it and one in it. */
#define ROUND_A_RING(before, within)                                                                                             \
    before "\nfunction route(net, at, c, vc, d)\n" within                                                                        \
           "\nif at == net:switch_of(d) then return nil end return {net:channel_to(at, (at + 1) % 4)} end\n"

/* Who has looked at faults, or does not answer the same call in the same way, has a relation of its own for every fault set. */
static void faults_looked_at(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool is_blind;
    } cases[] = {
        {ROUND_A_RING("", ""), true},
        {ROUND_A_RING("", "assert(net:distance(at, at) == 0)"), true},
        {ROUND_A_RING("function plan(net, faults) n = 1 end", ""), true},
        {ROUND_A_RING("", "for k in pairs({1}) do assert(next({2}) == k) end"), true},
        {ROUND_A_RING("", "local is_bad = net:failed(0)"), false},
        {ROUND_A_RING("", "if d == 3 and at == 2 then local is_bad = net:switch_failed(1) end"), false},
        {ROUND_A_RING("", "local n = net:healthy_distance(0, at)"), false},
        {ROUND_A_RING("function plan(net, faults) assert(#faults.channels == 0) end", ""), false},
        {ROUND_A_RING("function plan(net, faults) for k, v in pairs(faults) do assert(#v == 0) end end", ""), false},
        {ROUND_A_RING("function plan(net, faults) assert(#faults[next(faults)] == 0) end", ""), false},
        {ROUND_A_RING("function plan(net, faults) f = faults end", "local n = #f.switches"), false},
        {ROUND_A_RING("function plan(net, faults) f = faults end", "local n = #f"), true},
        {ROUND_A_RING("vcs = 2 local n = 0", "n = n + 1 if at ~= net:switch_of(d) then\n"
                                             "return {{net:channel_to(at, (at + 1) % 4), n < 9 and 1 or 0}} end"),
         false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        scene s;
        bool is_blind;
        open_rule(&s, "ring:n=4", cases[i].text, "");
        fixture_ok(&s.fx, hf_plan_is_blind(s.fx.cx, &s.plan, &is_blind));
        if (is_blind != cases[i].is_blind) {
            print_error("case %zu: %s\n", i, cases[i].text);
            fail();
        }
        close_scene(&s);
    }
}

/* Lists of hops in all forms, in any order; nil at the destination's switch delivers, {} is stuck. */
static void forms_of_hops(void **state) {
    (void)state;
    scene s;
    hf_hop hops[3];
    open_rule(&s, "ring:n=3",
              "vcs = 3\n"
              "function route(net, at, c, vc, d)\n"
              "  if at == net:switch_of(d) then return nil end\n"
              "  local a, b = table.unpack(net:channels(at))\n"
              "  if d == 0 then return {{channel = b, vc = 2}, {a, 1}, a} end\n"
              "  return {}\n"
              "end\n",
              "");
    assert_int_equal(s.plan.n_vc, 3);
    assert_int_equal(s.plan.max_hops, 3);
    const hf_topology *topo = s.fx.topo;
    hf_hop in = {topo->forward[topo->n_switch_link + 1], 0, 0}; /* from t1 */
    assert_int_equal(hf_plan_route(&s.plan, 1, in, 0, hops), 3);
    for (size_t i = 1; i < 3; i++) {
        assert_true(hops[i - 1].channel < hops[i].channel || hops[i - 1].vc < hops[i].vc);
    }
    assert_int_equal(hf_plan_route(&s.plan, 1, in, 2, hops), 0);
    in = (hf_hop){topo->out_list[topo->out_begin[1]], 1, 0}; /* VC 1 is reached towards t0 alone */
    assert_int_equal(hf_plan_route(&s.plan, topo->to[in.channel], in, 2, hops), 0);
    close_scene(&s);
}

/* The hops marked as escape, with injection and delivery; all hops where none is marked. */
static void escapes(void **state) {
    (void)state;
    scene s;
    hf_hop hops[2], escape[2];
    open_rule(&s, "ring:n=3",
              "vcs = 2\n"
              "function route(net, at, c, vc, d)\n"
              "  if at == net:switch_of(d) then return nil end\n"
              "  local a = net:channel_to(at, net:switch_of(d))\n"
              "  return {{a, 0}, {channel = a, vc = 1, escape = true}}\n"
              "end\n",
              "");
    const hf_topology *topo = s.fx.topo;
    const hf_hop in = {topo->forward[topo->n_switch_link + 1], 0, 0}; /* from t1 */
    assert_int_equal(hf_plan_route(&s.plan, 1, in, 0, hops), 2);
    assert_int_equal(s.plan.routing->escape(&s.plan, 1, in, 0, escape), 1);
    assert_int_equal(escape[0].vc, 1);
    assert_int_equal(s.plan.routing->escape(&s.plan, 0, escape[0], 0, escape), 1);
    assert_int_equal(s.plan.routing->escape(&s.plan, topo->n_switch, HF_HOP_INJECTION, 1, escape), 1);
    close_scene(&s);
    open_rule(&s, "ring:n=3", "function route(net, at, c, vc, d) return nil end\n", "");
    assert_int_equal(s.plan.routing->escape(&s.plan, s.fx.topo->n_switch, HF_HOP_INJECTION, 1, escape), 1);
    close_scene(&s);
}

/* ---- refusals ---- */

static void refusals(void **state) {
    (void)state;
    static const char nothing[] = "function route() end\n";
    static const struct {
        const char *text;
        hf_status status;
        const char *message;
    } cases[] = {
        {"", HF_EINVAL, "rule.lua: there is no function route"},
        {"route = 3", HF_EINVAL, "rule.lua: route is a number; it must be a function"},
        {"\nfunction route(", HF_EINVAL, "rule.lua, line 2: <name> or '...' expected near <eof>"},
        {"\x1bLua", HF_EINVAL, "attempt to load a binary chunk"},
        {"vcs = 0 function route() end", HF_EINVAL, "vcs = 0; need a whole number from 1 to 64"},
        {"vcs = 1.5 function route() end", HF_EINVAL, "vcs = 1.5; need a whole number"},
        {"function route() end function accepts() return false, 'too small' end", HF_ENOTSUP, "network: too small"},
        {"function route() end function accepts() return nil end", HF_ENOTSUP, "network: it gives no reason"},
        {"function route() end\nfunction plan() error('no plan') end", HF_EINVAL, "rule.lua, line 2: no plan"},
        {"function route() error({}) end", HF_EINVAL, "an error that is not a text, in route(at = "},
        {"function route(net, at)\n\n return at.x.y end", HF_EINVAL, "rule.lua, line 3: attempt to index a number value"},
        {"function route(net, at, c, vc, d) return 7 end", HF_EINVAL,
         "route returned 7; need a list of hops or nil, in route(at"},
        {"function route() return {true} end", HF_EINVAL, "a hop is true; need {channel = 3"},
        {"function route(n) n:coord({}) end", HF_EINVAL, "net:coord(): a table is not a switch"},
        {"function route() return {{}} end", HF_EINVAL, "a hop has channel = nil; need"},
        {"function route() return {{channel = '1'}} end", HF_EINVAL, "a hop has channel = 1; need"},
        {"function route() return {{channel = 0, vc = {}}} end", HF_EINVAL, "a hop has vc = a table; need"},
        {"function route() return {999} end", HF_EINVAL, "the hop {channel = 999, vc = 0} does not exist; channels are 0 to 11"},
        {"function route(n, at) return {n:channels((at + 1) % 3)[1]} end", HF_EINVAL, "does not leave from here, it is s"},
        {"function route(n, at) return {{n:channels(at)[1], 1}} end", HF_EINVAL, "virtual channel that does not exist; vcs = 1"},
        {"function route(n, at) local c = n:channels(at)[1] return {c, {c}} end", HF_EINVAL, "is there twice, in route(at = "},
        {"function route(n, at, c, v, d) return {n:reverse(c)} end", HF_EINVAL, ", which does not forward, in route(at"},
        {"tags = 4 function route(n, at, c, v, d, t) return {{n:reverse(c), 0, t + 4}} end", HF_EINVAL,
         "has tag = 4, which is out of range; tags = 4, in route(at = "},
        {"tags = 2 depends = {'destination', 'source', 'tag'} function route(n) error('x') end", HF_EINVAL,
         ", tag = 0, source = 1)"},
        {"commits = 1 function route() end", HF_EINVAL, "commits = 1; need true or false"},
        {"depends = {'port'} function route() end", HF_EINVAL, "depends names port; need of switch, destination, source, tag"},
        {"depends = {'tag'} function route() end", HF_EINVAL, "depends names neither \"switch\" nor \"destination\""},
        {"depends = {'switch', 'destination'} function route() end", HF_EINVAL, "depends names \"switch\" and \"destination\""},
        {"tags = 3 depends = {'switch'} function route() end", HF_EINVAL, "tags = 3, but depends does not name \"tag\""},
        {"function inject() return {0} end function route() end", HF_EINVAL, "in inject(terminal = t"},
        {"function route(n) n:coord(99) end", HF_EINVAL,
         "line 1: net:coord(): 99 is not a switch; need a whole number from 0 to 2"},
        {"function route(n) n:coord('x') end", HF_EINVAL, "net:coord(): x is not a switch"},
        {"function route(n) n:distance(1) end", HF_EINVAL, "net:distance(): nothing is not a switch"},
        {"function route(n) n.coord(1) end", HF_EINVAL, "write net:coord(...), with a colon"},
        {"function route(n) n:attribute(1, 1) end", HF_EINVAL, "net:attribute(): need the name of an attribute, a text"},
        {"function route() x = 1 end", HF_EINVAL, "the global \"x\" is written after the plan is made"},
        {"while true do end", HF_ERANGE, "instructions in one call"},
        {"function route() while true do end end", HF_ERANGE, "more than 1000000 instructions in one call, in route(at = "},
        {"t = {} for i = 1, 1e9 do t[i] = i end", HF_ERANGE, "rule.lua, line 1: needs more than 256 MiB"},
        {"local s = 'x'\nwhile true do s = s .. s end", HF_ERANGE, "rule.lua, line 2: a text of more than 1 MiB"},
        {"local function f() return f() + 1 end f()", HF_EINVAL, "stack overflow"},
        {"io.open('x')", HF_EINVAL, "attempt to index a nil value (global 'io')"},
        {"string.find('x', 'x')", HF_EINVAL, "attempt to call a nil value (field 'find')"},
        {"local x = ('x'):rep(9)", HF_EINVAL, "attempt to call a nil value (method 'rep')"},
    };
    static const char *const missing[] = {
        "io",           "os",          "package",     "debug",        "load",           "loadfile",
        "dofile",       "require",     "_G",          "print",        "collectgarbage", "setmetatable",
        "getmetatable", "rawset",      "pcall",       "xpcall",       "coroutine",      "utf8",
        "loadstring",   "string.rep",  "string.find", "string.match", "string.gmatch",  "string.gsub",
        "string.pack",  "string.dump", "table.move",  "math.random"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        scene s;
        write_rule(&s, "ring:n=3", cases[i].text);
        const hf_status status = try_rule(&s);
        if (status != cases[i].status || !strstr(hf_context_message(s.fx.cx), cases[i].message) ||
            !strstr(hf_context_message(s.fx.cx), s.path)) {
            print_error("%s\nstatus %d, message \"%s\", wanted %d, \"%s\"\n", cases[i].text, (int)status,
                        hf_context_message(s.fx.cx), (int)cases[i].status, cases[i].message);
            fail();
        }
        close_scene(&s);
    }
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++) {
        scene s;
        char text[128];
        (void)snprintf(text, sizeof text, "assert(%s == nil)\n%s", missing[i], nothing);
        write_rule(&s, "ring:n=3", text);
        fixture_ok(&s.fx, try_rule(&s));
        close_scene(&s);
    }
}

/* The message names all arguments of the call. */
static void messages_name_the_call(void **state) {
    (void)state;
    scene s;
    write_rule(&s, "mesh:dims=2", "function route(net, at, c, vc, d)\n  if d == 1 and at == 0 then error('here') end\nend\n");
    assert_int_equal(try_rule(&s), HF_EINVAL);
    const char *end = strstr(hf_context_message(s.fx.cx), "rule.lua, line 2: here, in route(at = 0, in_channel = ");
    assert_non_null(end);
    assert_non_null(strstr(end, "(t0:0>s0:"));
    assert_non_null(strstr(end, "in_vc = 0, destination = 1)"));
    close_scene(&s);
}

static void parameters(void **state) {
    (void)state;
    scene s;
    write_rule(&s, "ring:n=3", "for i = 1, 3000000 do end\nfunction route() end\n");
    strcat(s.spec, ",instructions=1000,memory=1");
    assert_int_equal(try_rule(&s), HF_ERANGE);
    close_scene(&s);
    write_rule(&s, "ring:n=3", "local t = {} for i = 1, 300000 do t[i] = i end\nfunction route() end\n");
    strcat(s.spec, ",memory=1");
    assert_int_equal(try_rule(&s), HF_ERANGE);
    close_scene(&s);
    write_rule(&s, "ring:n=3", "function route() end\n");
    hf_rule again;
    fixture_ok(&s.fx, try_rule(&s));
    assert_non_null(strchr(s.fx.rule.spec, '#'));
    folder_write(s.path, "function route() return nil end\n", 32);
    assert_int_equal(hf_rule_init(s.fx.cx, s.fx.rule.spec, s.fx.topo, &again), HF_EINVAL);
    close_scene(&s);
}

static void stops(void **state) {
    (void)state;
    scene s;
    const volatile sig_atomic_t flag = 1;
    write_rule(&s, "ring:n=3", "while true do end");
    hf_context_set_stop(s.fx.cx, &flag);
    assert_int_equal(try_rule(&s), HF_ESTOP);
    hf_context_set_stop(s.fx.cx, NULL);
    close_scene(&s);
}

static hf_status plan_and_free(hf_context *cx, void *rule_spec) {
    hf_topology *topo = NULL;
    hf_rule rule = {0};
    hf_fault_set set;
    hf_plan plan;
    hf_status status = hf_topology_new(cx, "mesh:dims=2x2", &topo);
    if (status == HF_OK) {
        status = hf_rule_init(cx, rule_spec, topo, &rule);
    }
    if (status == HF_OK) {
        status = hf_fault_set_parse(cx, topo, NULL, "", &set);
    }
    if (status == HF_OK) {
        status = hf_plan_make(cx, &rule, &set, &plan);
    }
    hf_rule_free(&rule);
    hf_topology_free(topo);
    return status;
}

static void allocations_fail(void **state) {
    (void)state;
    assert_true(failing_sweep("lua", plan_and_free, "lua:studies/examples/xy.lua") > 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(examples_deliver),
        cmocka_unit_test(examples_are_what_they_say),
        cmocka_unit_test(net_tells),
        cmocka_unit_test(states_are_apart),
        cmocka_unit_test(headers_and_sources),
        cmocka_unit_test(hidden_is_hidden),
        cmocka_unit_test(depends_on_switch),
        cmocka_unit_test(commits),
        cmocka_unit_test(faults_looked_at),
        cmocka_unit_test(forms_of_hops),
        cmocka_unit_test(escapes),
        cmocka_unit_test(refusals),
        cmocka_unit_test(messages_name_the_call),
        cmocka_unit_test(parameters),
        cmocka_unit_test(stops),
        cmocka_unit_test(allocations_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
