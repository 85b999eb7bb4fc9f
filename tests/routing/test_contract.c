/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  A rule in C that breaks the contract of route(), escape(), ring() or a reconfiguration is told so by everything that reads it:
 *  never a verdict, a lost packet or a write beyond an array. The sanitizers run this too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/big.h>
#include <holdfast/holdfast.h>

#include "tests/oracle/fixture.h"

/* What is wrong with what a function gives at one switch (of plans: everywhere), and what the message says of it. */
typedef enum fault_kind {
    NOTHING,
    VC_TOO_HIGH,
    VC_NONE,
    NO_CHANNEL,
    CHANNEL_NONE,
    OTHER_NODE,
    TWICE,
    TWICE_APART,
    HIGH_TAG,
    TOO_MANY,
    N_KIND
} fault_kind;
static const char *const said[N_KIND] = {"",
                                         "out of range; the plan has n_vc = ",
                                         "out of range; the plan has n_vc = ",
                                         "there is no such channel",
                                         "there is no such channel",
                                         "does not leave the node",
                                         "is the same as hop 1",
                                         "is the same as hop 1",
                                         "tag 2147483648 is out of range",
                                         "hops are too many; the plan has max_hops = "};

static fault_kind wrong; /* the one that is on trial */
static uint32_t place;   /* the switch */
static const hf_routing *inner;

static size_t spoil(const hf_plan *plan, uint32_t at, hf_hop *hops, size_t n) {
    const hf_topology *topo = plan->topo;
    if (at != place || n == 0) {
        return n;
    }
    hf_hop *last = &hops[n - 1];
    switch (wrong) {
    case VC_TOO_HIGH:
        last->vc = plan->n_vc;
        break;
    case VC_NONE:
        last->vc = HF_NONE;
        break;
    case NO_CHANNEL:
        last->channel = topo->n_channel;
        break;
    case CHANNEL_NONE:
        last->channel = HF_NONE;
        break;
    case OTHER_NODE:
        last->channel = topo->out_list[topo->out_begin[2]];
        break;
    case TWICE:
        hops[n++] = hops[0];
        break;
    case TWICE_APART:
        for (uint32_t i = topo->out_begin[at]; i < topo->out_begin[at + 1] && n == 1; i++) {
            const hf_hop other = {topo->out_list[i], hops[0].vc, 0};
            n += other.channel != hops[0].channel;
            hops[1] = other;
        }
        hops[n++] = hops[0];
        break;
    case HIGH_TAG:
        last->tag = HF_TAG_END;
        break;
    case TOO_MANY:
        for (; n < plan->max_hops + 10; n++) {
            hops[n] = hops[0];
        }
        break;
    default:
        break;
    }
    return n;
}

static size_t route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    return spoil(plan, at, hops, inner->route(plan, at, in, destination, hops));
}

static size_t escape(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    return spoil(plan, at, hops, inner->escape(plan, at, in, destination, hops));
}

static hf_status make_room(hf_context *cx, hf_plan *plan) { /* for hops that are there twice */
    const hf_status status = inner->plan(cx, plan);
    plan->max_hops += 2;
    return status;
}

/* ---- what reads ---- */

typedef struct scene {
    fixture fx;
    hf_fault_set set;
    hf_plan plan;
    hf_traffic *traffic;
    hf_routing rule;
} scene;

static void open_scene(scene *s, const char *topo, const char *rule) {
    fixture_open(&s->fx, topo, "links", rule);
    inner = s->fx.rule.routing;
    s->rule = *inner;
    s->rule.name = "on-trial";
    s->rule.plan = make_room;
    s->rule.judge = NULL;
    s->rule.traits &= ~(unsigned)HF_ROUTING_ALL_MINIMAL; /* no closed forms */
    s->fx.rule.routing = &s->rule;
    fixture_ok(&s->fx, hf_traffic_new(s->fx.cx, s->fx.topo, "uniform", &s->traffic));
    wrong = NOTHING;
    place = 1;
    fixture_plan(&s->fx, "", &s->set, &s->plan);
}

static void close_scene(scene *s) {
    hf_traffic_free(s->traffic);
    fixture_close(&s->fx);
}

static hf_status ask_judge(scene *s) {
    hf_verdict v;
    return hf_tolerance_judge(s->fx.cx, &s->plan, fixture_criterion(&s->fx, "all-pairs"), true, &v);
}

static hf_status ask_measure(scene *s) {
    hf_measure m;
    return hf_tolerance_measure(s->fx.cx, &s->fx.rule, &s->plan, fixture_criterion(&s->fx, "all-pairs"), &m);
}

static hf_status ask_campaign(scene *s) {
    hf_result *result = NULL;
    uint32_t f[] = {0, 1};
    const hf_campaign campaign = {.universe = s->fx.universe,
                                  .rule = &s->fx.rule,
                                  .criterion = fixture_criterion(&s->fx, "all-pairs"),
                                  .method = HF_METHOD_EXHAUSTIVE,
                                  .f = f,
                                  .n_f = 2,
                                  .threads = 2};
    const hf_status status = hf_campaign_run(s->fx.cx, &campaign, &result);
    hf_result_free(result);
    return status;
}

static hf_status ask_paths(scene *s) {
    hf_big *count;
    HF_TRY(hf_big_new(s->fx.cx, &count));
    const hf_status status = hf_paths_count(s->fx.cx, &s->plan, count);
    hf_big_free(count);
    return status;
}

static hf_status ask_pair(scene *s) {
    hf_pair_paths paths;
    return hf_paths_of_pair(s->fx.cx, &s->plan, 0, s->fx.topo->n_terminal - 1, &paths);
}

static hf_status decide(scene *s, hf_switching switching, uint32_t threads) {
    hf_deadlock d;
    const hf_deadlock_options o = {.switching = switching, .threads = threads, .want_witness = true};
    return hf_deadlock_decide(s->fx.cx, &s->plan, &o, &d);
}
static hf_status ask_deadlock(scene *s) { return decide(s, HF_SWITCHING_WORMHOLE, 1); }
static hf_status ask_deadlock_threads(scene *s) { return decide(s, HF_SWITCHING_VCT, 2); }

static hf_status ask_repair(scene *s) {
    hf_repair repair;
    return hf_deadlock_repair(s->fx.cx, &s->plan, false, 1, &repair);
}

static hf_status ask_layers(scene *s) {
    hf_layers layers;
    return hf_deadlock_layers(s->fx.cx, &s->plan, false, &layers);
}

static hf_status ask_lockstep(scene *s) {
    const hf_lockstep_options o = {.state_limit = 1000, .time_limit_s = 10};
    hf_lockstep l;
    return hf_lockstep_search(s->fx.cx, &s->plan, &o, &l);
}

static hf_status ask_load(scene *s) {
    hf_load *load = NULL;
    const hf_status status = hf_load_find(s->fx.cx, &s->plan, s->traffic, HF_SPLIT_EVEN, &load);
    hf_load_free(load);
    return status;
}

static hf_status ask_worst(scene *s) {
    hf_worst worst;
    return hf_load_worst(s->fx.cx, &s->plan, HF_SPLIT_EVEN, &worst);
}

static hf_status ask_optimal(scene *s) {
    hf_load *load = NULL;
    const hf_status status = hf_load_find(s->fx.cx, &s->plan, s->traffic, HF_SPLIT_OPTIMAL, &load);
    hf_load_free(load);
    return status;
}

static hf_status simulate(scene *s, const hf_kernel_options *o, uint64_t cycles) {
    hf_kernel *k;
    HF_TRY(hf_kernel_new(s->fx.cx, &s->plan, o, &k));
    HF_TRY(hf_kernel_offer(k, s->traffic, 0.3, 1));
    return hf_kernel_run(k, cycles);
}

static hf_status ask_kernel(scene *s) {
    const hf_kernel_options o = hf_kernel_usual();
    return simulate(s, &o, 200);
}

static hf_status ask_circuits(scene *s) {
    hf_kernel_options o = hf_kernel_usual();
    o.contention = HF_CONTENTION_CIRCUIT;
    return simulate(s, &o, 200);
}

static hf_status ask_barrier(scene *s) {
    const hf_play play = {.plan = &s->plan, .kernel = hf_kernel_usual(), .cycle_limit = 20000};
    hf_barrier barrier = hf_barrier_usual();
    hf_play_result result;
    hf_batch_mean task;
    double cycles[1];
    barrier.tasks = 1;
    barrier.messages = 5;
    return hf_play_barrier(s->fx.cx, &play, s->traffic, &barrier, 1, &result, cycles, &task);
}

static const struct {
    const char *name;
    hf_status (*ask)(scene *s);
} readers[] = {{"tolerance", ask_judge},
               {"measures", ask_measure},
               {"campaign", ask_campaign},
               {"paths", ask_paths},
               {"paths of a pair", ask_pair},
               {"verify", ask_deadlock},
               {"verify, threads", ask_deadlock_threads},
               {"repair", ask_repair},
               {"layers", ask_layers},
               {"lockstep", ask_lockstep},
               {"load", ask_load},
               {"worst load", ask_worst},
               {"optimal load", ask_optimal},
               {"kernel", ask_kernel},
               {"circuits", ask_circuits},
               {"barrier", ask_barrier}};

static void expect_refusal(const scene *s, hf_status status, const char *name, const char *function) {
    const char *message = hf_context_message(s->fx.cx);
    char where[32];
    (void)snprintf(where, sizeof where, " at s%u, ", place);
    if (status != HF_EINVAL || !strstr(message, "routing \"on-trial\", ") || !strstr(message, function) ||
        !strstr(message, said[wrong]) || !strstr(message, where)) {
        fail_msg("%s, kind %d: %s: %s", name, wrong, hf_status_text(status), message);
    }
    hf_context_clear(s->fx.cx);
}

static void every_reader_refuses(void **state) {
    (void)state;
    static const char *const rules[] = {"minimal", "dor", "minimal:vcs=2"};
    for (size_t r = 0; r < sizeof rules / sizeof *rules; r++) {
        scene s;
        open_scene(&s, "mesh:dims=2x3", rules[r]);
        s.rule.route = route;
        fixture_plan(&s.fx, "", &s.set, &s.plan);
        for (size_t i = 0; i < sizeof readers / sizeof *readers; i++) {
            const hf_mark mark = hf_scratch_mark(s.fx.cx);
            wrong = NOTHING;
            const hf_status status = readers[i].ask(&s); /* nothing is refused that is right */
            if (status == HF_ENOTSUP && readers[i].ask == ask_lockstep) {
                assert_string_not_equal(rules[r], "dor"); /* several ways for a pair */
                continue;
            }
            fixture_ok(&s.fx, status);
            for (wrong = NOTHING + 1; wrong < N_KIND; wrong++) {
                expect_refusal(&s, readers[i].ask(&s), readers[i].name, "route()");
            }
            hf_scratch_reset(s.fx.cx, mark);
        }
        close_scene(&s);
    }
}

/* ---- the other functions ---- */

static hf_status ask_escape_last(scene *s) {
    hf_kernel_options o = hf_kernel_usual();
    o.selection = HF_SELECT_ESCAPE_LAST;
    return simulate(s, &o, 1000);
}

static void escapes_are_held_to_it(void **state) {
    (void)state;
    scene s;
    open_scene(&s, "torus:dims=4x4", "duato");
    s.rule.escape = escape;
    fixture_plan(&s.fx, "", &s.set, &s.plan);
    fixture_ok(&s.fx, ask_deadlock(&s));
    fixture_ok(&s.fx, ask_escape_last(&s));
    for (wrong = NOTHING + 1; wrong < N_KIND; wrong++) {
        expect_refusal(&s, ask_deadlock(&s), "verify", "escape()");
        expect_refusal(&s, ask_escape_last(&s), "kernel", "escape()");
    }
    close_scene(&s);
}

static uint32_t ring(const hf_plan *plan, uint32_t channel, uint32_t vc) {
    const uint32_t number = inner->ring(plan, channel, vc);
    return wrong != NOTHING && number != HF_NONE ? plan->topo->n_channel * plan->n_vc : number;
}

static hf_status ask_rings(scene *s) {
    hf_deadlock d;
    const hf_deadlock_options o = {.switching = HF_SWITCHING_VCT, .threads = 1, .bubble = true};
    return hf_deadlock_decide(s->fx.cx, &s->plan, &o, &d);
}

static hf_status ask_bubbles(scene *s) {
    hf_kernel_options o = hf_kernel_usual();
    o.switching = HF_SWITCHING_VCT;
    o.bubble = true;
    return simulate(s, &o, 200);
}

static void rings_are_held_to_it(void **state) {
    (void)state;
    scene s;
    open_scene(&s, "torus:dims=4x4", "adaptive-bubble");
    s.rule.ring = ring;
    fixture_plan(&s.fx, "", &s.set, &s.plan);
    hf_status (*const ask[])(scene *) = {ask_rings, ask_bubbles};
    for (size_t i = 0; i < 2; i++) {
        wrong = NOTHING;
        fixture_ok(&s.fx, ask[i](&s));
        wrong = VC_TOO_HIGH;
        assert_int_equal(ask[i](&s), HF_EINVAL);
        assert_non_null(strstr(hf_context_message(s.fx.cx), "routing \"on-trial\", ring() of "));
    }
    close_scene(&s);
}

static hf_status spoil_plan(hf_context *cx, hf_plan *plan) {
    const hf_status status = inner->plan(cx, plan);
    plan->n_vc = wrong == VC_NONE ? 0 : wrong == VC_TOO_HIGH ? HF_NONE : plan->n_vc;
    plan->max_hops = wrong == TOO_MANY ? 0 : plan->max_hops;
    return status;
}

static void plans_are_held_to_it(void **state) {
    (void)state;
    static const struct {
        fault_kind kind;
        hf_status status;
        const char *said;
    } known[] = {
        {VC_NONE, HF_EINVAL, "n_vc = 0"}, {VC_TOO_HIGH, HF_ERANGE, "n_vc = 4294967295"}, {TOO_MANY, HF_EINVAL, "max_hops = 0"}};
    scene s;
    open_scene(&s, "mesh:dims=3x3", "minimal");
    s.rule.plan = spoil_plan;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        wrong = known[i].kind;
        assert_int_equal(hf_plan_make(s.fx.cx, &s.fx.rule, &s.set, &s.plan), known[i].status);
        assert_non_null(strstr(hf_context_message(s.fx.cx), "routing \"on-trial\", plan(): "));
        assert_non_null(strstr(hf_context_message(s.fx.cx), known[i].said));
    }
    close_scene(&s);
}

/* ---- reconfigurations ---- */

static size_t route_between(const hf_transition *t, uint8_t stage, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    const size_t n = inner->reconfiguration->route(t, stage, at, in, destination, hops);
    return n == HF_ROUTE_WAIT ? n : spoil(t->after, at, hops, n);
}

static size_t deviate(const hf_transition *t, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    return spoil(t->after, at, hops, inner->reconfiguration->deviate(t, at, in, destination, hops));
}

/* A run through the fault of `link`. */
static hf_status run_through(scene *s, uint32_t link, bool bubble, bool has_emergency_paths) {
    hf_kernel *k;
    hf_fault_set failed;
    hf_plan after;
    hf_kernel_options o = hf_kernel_usual();
    hf_reconfiguration_options repair = hf_reconfiguration_usual();
    repair.has_emergency_paths = has_emergency_paths;
    o.switching = HF_SWITCHING_VCT;
    o.bubble = bubble;
    HF_TRY(hf_fault_set_make(s->fx.cx, s->fx.universe, &link, 1, &failed));
    HF_TRY(hf_plan_make(s->fx.cx, &s->fx.rule, &failed, &after));
    const hf_kernel_fault fault = {50, &failed, &after};
    HF_TRY(hf_kernel_new(s->fx.cx, &s->plan, &o, &k));
    HF_TRY(hf_kernel_offer(k, s->traffic, 0.5, 1));
    HF_TRY(hf_kernel_schedule(k, &fault, 1, &repair));
    return hf_kernel_run(k, 1000);
}

/* Some fault brings packets to the switch by the function on trial, and that is where they are refused; no other goes wrong. */
static void try_all_links(scene *s, bool bubble, bool has_emergency_paths, const char *function) {
    uint32_t refused = 0;
    for (uint32_t link = 0; link < s->fx.universe->n_component; link++) {
        const hf_mark mark = hf_scratch_mark(s->fx.cx);
        const hf_status status = run_through(s, link, bubble, has_emergency_paths);
        if (status != HF_OK) {
            expect_refusal(s, status, "run through a fault", function);
            refused++;
        }
        hf_scratch_reset(s->fx.cx, mark);
    }
    assert_int_equal(refused > 0, wrong != NOTHING);
}

static void reconfigurations_are_held_to_it(void **state) {
    (void)state;
    scene s;
    open_scene(&s, "torus:dims=3x3", "immunet");
    hf_reconfiguration changed = *inner->reconfiguration;
    changed.route = route_between;
    s.rule.reconfiguration = &changed;
    fixture_plan(&s.fx, "", &s.set, &s.plan);
    for (wrong = NOTHING; wrong < N_KIND; wrong++) {
        try_all_links(&s, true, false, "reconfiguration.route()");
    }
    close_scene(&s);
    open_scene(&s, "kary-tree:k=3,n=2", "ft2ei");
    place = 3; /* a root */
    changed = *inner->reconfiguration;
    changed.deviate = deviate;
    s.rule.reconfiguration = &changed;
    fixture_plan(&s.fx, "", &s.set, &s.plan);
    for (wrong = NOTHING; wrong < N_KIND; wrong++) {
        try_all_links(&s, false, true, "reconfiguration.deviate()");
    }
    close_scene(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_reader_refuses), cmocka_unit_test(escapes_are_held_to_it),
                                       cmocka_unit_test(rings_are_held_to_it), cmocka_unit_test(plans_are_held_to_it),
                                       cmocka_unit_test(reconfigurations_are_held_to_it)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
