/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Latency and accepted traffic of a plan, flit by flit: of loads, through faults, of work with an end; and the replay of
 *  deadlocks. */
#include "src/question/simulate.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/core/number.h"

enum { LOADS_MOST = 1000, SWEEP = 20 };
#define WORK "trace barrier program generate" /* with an end */

/* ---- what goes together ---- */

static bool has(const simulate *s, const char *name) { return hf_asked_given(s->asked, name); }

static bool is_named(const simulate *s, const char *const *names, size_t n, size_t *out) {
    for (*out = 0; *out < n; ++*out) {
        if (has(s, names[*out]) || hf_asked_wants(s->asked, names[*out])) {
            return true;
        }
    }
    return false;
}

/* No name of the list is given that belongs elsewhere: the first refuses. */
static hf_status refuse_any(const simulate *s, const char *const *names, size_t n, const char *why) {
    size_t i;
    if (is_named(s, names, n, &i)) {
        HF_FAIL(s->cx, HF_EINVAL, "--%s %s", names[i], why);
    }
    return HF_OK;
}

#define REFUSE(s, names, why) HF_TRY(refuse_any(s, names, sizeof names / sizeof *(names), why))

static hf_status check_sets(const simulate *s) {
    static const char *const of_one[] = {"fault-at",    "sweep", "histogram", "series",
                                         "certificate", "svg",   "pgfplots",  "write-trace"};
    REFUSE(s, of_one, "is of one network, and --faults asks for means over many");
    return HF_OK;
}

static hf_status check_work(const simulate *s) {
    static const char *const of_loads[] = {"certificate"}, *const bursts[] = {"burst"}, *const faults[] = {"fault-at"},
                             *const curves[] = {"svg", "pgfplots", "draw"}, *const of_results[] = {"fault-at", "certificate",
                                                                                                   "svg",      "histogram",
                                                                                                   "generate", "peak"},
                             *const of_search[] = {"for-each", "steady"};
    const simulate_args *args = s->args;
    const bool writes = hf_asked_wants(s->asked, "write-trace"), plays = hf_simulate_plays(s);
    if (args->cycles && !plays && !writes && !args->events && !args->fault_cycle) {
        HF_FAIL(
            s->cx, HF_EINVAL,
            "--cycles is for --fault-at, --fault-cycle, --trace, --barrier, --program, --generate and --write-trace; --window "
            "and --batches say how long a load is measured");
    }
    if (args->replay) {
        REFUSE(s, faults, "goes with loads and with work with an end");
    }
    if (plays || args->replay) {
        REFUSE(s, of_loads, "goes with --load, --sweep or --saturation");
    }
    if ((plays && !args->series) || args->replay) {
        REFUSE(s, curves, "goes with --load, --sweep or --saturation");
    }
    if ((plays && !args->generate) || args->replay) {
        REFUSE(s, bursts, "goes with --load, --sweep or --saturation");
    }
    if (args->peak && args->generate) {
        HF_FAIL(s->cx, HF_EINVAL, "--peak is of loads that are measured; --generate plays each of them");
    }
    if (args->histogram && ((args->events && !plays) || args->replay)) {
        HF_FAIL(s->cx, HF_EINVAL, "--histogram is of loads, or of work with an end");
    }
    if (args->message && !writes && !args->generate) {
        HF_FAIL(s->cx, HF_EINVAL, "--message belongs to --write-trace or --generate");
    }
    if (writes) {
        REFUSE(s, of_results, "has no place beside --write-trace, which writes a trace and does no more");
    }
    if (!args->saturation) {
        REFUSE(s, of_search, "belongs to --saturation");
    }
    if (args->s.steady_only && args->s.batches < HF_STEADY_WINDOWS) {
        HF_FAIL(s->cx, HF_EINVAL, "--steady: no load is steady in %" PRIu32 " windows; --batches has to be %d or more",
                args->s.batches, HF_STEADY_WINDOWS);
    }
    return args->faults ? check_sets(s) : HF_OK;
}

static hf_status check_switching(const simulate *s) {
    static const char *const without_buffers[] = {"backoff", "backoff-cycles", "outstanding", "forward-after"},
                             *const with_buffers[] = {"buffer", "flow", "reuse"};
    const hf_kernel_options *o = &s->s.kernel;
    const bool has_buffers = o->contention == HF_CONTENTION_WAIT;
    const char *switching = hf_kernel_switching_name(o);
    size_t i;
    if (s->args->replay) {
        if (has(s, "switching")) {
            HF_FAIL(s->cx, HF_EINVAL, "--replay takes topology, routing, failed components and switching from its file");
        }
        return HF_OK;
    }
    if (has_buffers && is_named(s, without_buffers, 4, &i)) {
        HF_FAIL(s->cx, HF_EINVAL, "--%s belongs to --switching drop and circuit", without_buffers[i]);
    }
    if (!has_buffers && is_named(s, with_buffers, 3, &i)) {
        HF_FAIL(s->cx, HF_EINVAL, "--%s is for networks with buffers; --switching %s has none", with_buffers[i], switching);
    }
    if (has(s, "reuse") && o->switching != HF_SWITCHING_WORMHOLE) {
        HF_FAIL(s->cx, HF_EINVAL, "--reuse belongs to --switching wormhole; under %s a virtual channel takes what has room",
                switching);
    }
    return HF_OK;
}

static hf_status read_loads(simulate *s) {
    const char *text = s->args->load;
    const hf_list_form form = {.low = DBL_MIN, .high = s->s.kernel.packet_length};
    HF_TRY(hf_scratch(s->cx, LOADS_MOST, sizeof *s->load, (void **)&s->load));
    if (text && !hf_read_list(text, &form, LOADS_MOST, s->load, &s->n_load)) {
        HF_FAIL(s->cx, HF_EINVAL,
                "--load=%s is not right; need 1 to %d loads in flits per cycle and terminal, above 0 and at most the packet "
                "length, %u, such as 0.1,0.2,0.4 or 0.1..0.5/0.1",
                text, LOADS_MOST, s->s.kernel.packet_length);
    }
    for (; s->args->sweep && s->n_load < SWEEP; s->n_load++) {
        s->load[s->n_load] = ((double)s->n_load + 1) / SWEEP;
    }
    const bool is_given = hf_simulate_plays(s) && !s->args->generate; /* work that is no load's */
    if ((s->args->events || s->args->series) && !is_given && (!text || s->n_load != 1)) {
        HF_FAIL(s->cx, HF_EINVAL, "--%s needs --load with one load", s->args->events ? "fault-at" : "series");
    }
    if (hf_asked_wants(s->asked, "write-trace") && (!text || s->n_load != 1 || !s->args->cycles)) {
        HF_FAIL(s->cx, HF_EINVAL, "--write-trace needs one --load and --cycles, for how long packets are generated");
    }
    return HF_OK;
}

/* ---- the question ---- */

/* The plan keeps no terminal in service: nothing is simulated. */
static hf_status ask_uncovered(simulate *s) {
    static const hf_column columns[] = {{"not_covered", "not covered", NULL, HF_COLUMN_FLAG, 6, 0}};
    HF_TRY(hf_simulate_head(s, NULL));
    HF_BEGIN(s->answer, "coverage", columns);
    hf_report_place(s->answer, "", true);
    hf_report_cell(s->answer, hf_cell_flag(true));
    hf_report_note(s->answer,
                   "not covered: the routing keeps no terminal in service under these faults, so nothing is simulated");
    s->answer->answer = HF_ANSWER_NO;
    return HF_OK;
}

static hf_status ask(hf_context *cx, const hf_asked *asked, hf_report *answer) {
    const simulate_args *args = asked->args;
    simulate s = {.cx = cx, .asked = asked, .args = args, .scene = asked->scene, .s = args->s, .answer = answer};
    s.s.threads = asked->conduct->threads;
    s.s.progress = asked->conduct->progress;
    s.s.progress_user = asked->conduct->progress_user;
    HF_TRY(check_work(&s));
    HF_TRY(check_switching(&s));
    HF_TRY(args->burst ? hf_burst_parse(cx, args->burst, &s.s.burst) : HF_OK);
    if (args->replay) {
        return hf_simulate_ask_replay(&s);
    }
    HF_TRY(read_loads(&s));
    HF_TRY(hf_flow_control_read(cx, s.scene->topo, s.s.kernel.flow, &s.control));
    HF_TRY(hf_plan_make(cx, &s.scene->rule, &s.scene->failed, &s.plan));
    s.s.plan = &s.plan;
    s.s.traffic = s.scene->traffic;
    return hf_plan_is_empty(&s.plan)              ? ask_uncovered(&s)
           : hf_asked_wants(asked, "write-trace") ? hf_simulate_ask_trace(&s)
           : args->faults                         ? hf_simulate_ask_sets(&s)
           : hf_simulate_plays(&s)                ? hf_simulate_ask_work(&s)
           : args->events                         ? hf_simulate_ask_faults(&s)
                                                  : hf_simulate_ask_loads(&s);
}

static hf_status accept_burst(hf_context *cx, const char *name, const char *text) {
    hf_burst burst;
    if (hf_burst_parse(cx, text, &burst) != HF_OK) {
        hf_context_prefix(cx, "%s=", name);
        return HF_EINVAL;
    }
    return HF_OK;
}

/* How large it can be the packet length says, see read_loads(). */
static hf_status accept_load(hf_context *cx, const char *name, const char *text) {
    const hf_list_form form = {.low = DBL_MIN, .high = DBL_MAX};
    double list[LOADS_MOST];
    size_t n;
    if (!hf_read_list(text, &form, LOADS_MOST, list, &n)) {
        HF_FAIL(cx, HF_EINVAL,
                "%s=%s is not right; need 1 to %d loads in flits per cycle and terminal, above 0, such as 0.1,0.2,0.4 or "
                "0.1..0.5/0.1",
                name, text, LOADS_MOST);
    }
    return HF_OK;
}

static hf_status accept_barrier(hf_context *cx, const char *name, const char *text) {
    (void)name; /* the message has it */
    hf_barrier barrier;
    char *spec;
    HF_TRY(hf_barrier_parse(cx, text, &barrier, &spec));
    hf_release(hf_context_allocator(cx), spec);
    return HF_OK;
}

static hf_status accept_faults(hf_context *cx, const char *name, const char *text) {
    (void)name; /* the message has it */
    uint32_t *f;
    size_t n;
    if (strchr(text, '%')) {
        return HF_OK; /* shares are of a universe */
    }
    HF_TRY(hf_campaign_parse_faults(cx, text, &f, &n));
    hf_release(hf_context_allocator(cx), f);
    return HF_OK;
}

/* In the order of HF_SIMULATE_DRAW_*. */
static const char *const drawn[] = {"accepted", "latency", NULL};
static const char *const delays[] = {"routing-delay", "crossbar-delay", "link-delay", "terminal-link-delay",
                                     "credit-delay",  "exit-delay",     NULL},
                         *const costs[] = {"detection-cycles", "manage-cycles", "hop-cycles", "swap-cycles", NULL};

static const hf_param params[] = {
    {.name = "load",
     .topic = "traffic",
     .type = HF_PARAM_TEXT,
     .flags = HF_PARAM_OPTIONAL,
     .unit = "list",
     .help = "flits per cycle and terminal, such as 0.1,0.2,0.4 or 0.1..0.5/0.1",
     .accepts = accept_load,
     HF_FIELD(simulate_args, load)},
    {.name = "sweep",
     .type = HF_PARAM_BOOL,
     .fallback = "no",
     .help = "all loads from 0.05 to 1 in steps of 0.05, with a plot of latency against accepted traffic",
     HF_FIELD(simulate_args, sweep)},
    {.name = "saturation",
     .type = HF_PARAM_BOOL,
     .fallback = "no",
     .help = "search for the largest load that is accepted",
     HF_FIELD(simulate_args, saturation)},
    {.name = "trace",
     .topic = "work",
     .type = HF_PARAM_TEXT,
     .flags = HF_PARAM_OPTIONAL,
     .unit = "file",
     .help = "play the messages of a trace file until all are there",
     HF_FIELD(simulate_args, trace)},
    {.name = "barrier",
     .type = HF_PARAM_TEXT,
     .flags = HF_PARAM_OPTIONAL,
     .unit = "spec",
     .bare = "messages=400",
     .help = "tasks with barriers, such as =messages=400,flits=24,tasks=10; also interval and outstanding",
     .accepts = accept_barrier,
     HF_FIELD(simulate_args, barrier)},
    {.name = "program",
     .type = HF_PARAM_TEXT,
     .flags = HF_PARAM_OPTIONAL,
     .unit = "name",
     .help = "play the messages of a program: add, reverse, quicksort, nbody, fft, radix, lu or a trace file, a node a terminal",
     HF_FIELD(simulate_args, program)},
    {.name = "replay",
     .type = HF_PARAM_TEXT,
     .flags = HF_PARAM_OPTIONAL,
     .unit = "file",
     .help = "put the packets of a deadlock of verify or simulate in place and see whether one can move",
     HF_FIELD(simulate_args, replay)},
    {.name = "generate",
     .type = HF_PARAM_UINT,
     .flags = HF_PARAM_OPTIONAL,
     .low = 1,
     .high = UINT64_C(1000000000000),
     .unit = "cycles",
     .with = "load",
     .help = "play what the load generates in so many cycles, until all is there",
     HF_FIELD(simulate_args, generate)},
    {.name = "draw",
     .type = HF_PARAM_WORD,
     .fallback = "accepted",
     .words = drawn,
     .unit = "what",
     .with = "fault-at series",
     .help = "of a series what is drawn over time: accepted (default) or latency; given, with characters, too",
     HF_FIELD(simulate_args, draw)},
    {.name = "cycles",
     .type = HF_PARAM_UINT,
     .flags = HF_PARAM_OPTIONAL,
     .low = 1,
     .high = UINT64_C(1000000000000000000),
     .unit = "cycles",
     .help = "length of a series with faults (default 40 windows after the last); where work with an end stops",
     HF_FIELD(simulate_args, cycles)},
    {.name = "series",
     .type = HF_PARAM_UINT,
     .flags = HF_PARAM_OPTIONAL,
     .low = 1,
     .high = UINT64_C(1000000000000000000),
     .unit = "cycles",
     .with = WORK,
     .help = "work with an end: a table of windows of so many cycles (--table windows)",
     HF_FIELD(simulate_args, series)},
    {.name = "resend",
     .type = HF_PARAM_UINT,
     .flags = HF_PARAM_OPTIONAL,
     .low = 1,
     .high = 1000000000,
     .unit = "cycles",
     .with = WORK,
     .help = "work with an end: what faults make lost is sent again so many cycles later; else it is lost for good",
     HF_FIELD(simulate_args, resend)},
    {.name = "message",
     .type = HF_PARAM_UINT,
     .flags = HF_PARAM_OPTIONAL,
     .low = 1,
     .high = 1000000000,
     .unit = "flits",
     .help = "with write-trace, generate: what comes at once to one destination, in packets (default a packet)",
     HF_FIELD(simulate_args, message)},
    {.name = "burst",
     .type = HF_PARAM_TEXT,
     .flags = HF_PARAM_OPTIONAL,
     .unit = "list",
     .help = "packets come in bursts: mean cycles, and flits per cycle and terminal in it, such as 200,1 or 200,1,together",
     .accepts = accept_burst,
     HF_FIELD(simulate_args, burst)},
    {.name = "fault-at",
     .topic = "faults",
     .type = HF_PARAM_TEXT,
     .flags = HF_PARAM_OPTIONAL,
     .unit = "events",
     .help = "faults at cycles after the warm-up, such as '2000:s8:3-s18:0;9000:random=2'; a series of windows",
     HF_FIELD(simulate_args, events)},
    {.name = "faults",
     .type = HF_PARAM_TEXT,
     .flags = HF_PARAM_OPTIONAL,
     .unit = "list",
     .help = "means over random fault sets that are tolerated, for numbers of faults such as 0..4,8 or shares such as 5%",
     .accepts = accept_faults,
     HF_FIELD(simulate_args, faults)},
    {.name = "runs",
     .type = HF_PARAM_UINT,
     .fallback = "20",
     .low = 1,
     .high = 100000,
     .unit = "n",
     .with = "faults",
     .help = "tolerated sets to run for each number of faults; all of them where there are no more",
     HF_FIELD(simulate_args, runs)},
    {.name = "fault-cycle",
     .type = HF_PARAM_UINT,
     .flags = HF_PARAM_OPTIONAL,
     .low = 1,
     .high = 1000000000,
     .unit = "cycles",
     .with = "faults",
     .help = "the sets fail in that cycle after the warm-up, while packets flow: what is before, during and after",
     HF_FIELD(simulate_args, fault_cycle)},
    {.name = "fault-every",
     .type = HF_PARAM_UINT,
     .fallback = "0",
     .high = 1000000000,
     .unit = "cycles",
     .with = "fault-cycle",
     .help = "from one component of a set to the next, in random order; 0: all at once",
     HF_FIELD(simulate_args, fault_every)},
    {.name = "peak",
     .type = HF_PARAM_BOOL,
     .fallback = "no",
     .with = "load sweep",
     .help = "of several loads only that of which most is accepted; it is steady where all of them are",
     HF_FIELD(simulate_args, peak)},
    {.name = "for-each",
     .type = HF_PARAM_BOOL,
     .fallback = "no",
     .with = "saturation",
     .help = "a load is too high too where one terminal alone gets less than 95% of its packets off",
     HF_FIELD(simulate_args, s.for_each)},
    {.name = "steady",
     .type = HF_PARAM_BOOL,
     .fallback = "no",
     .with = "saturation",
     .help = "passes over loads at which accepted traffic is not steady",
     HF_FIELD(simulate_args, s.steady_only)},
    {.name = "histogram",
     .topic = "more",
     .type = HF_PARAM_BOOL,
     .fallback = "no",
     .help = "a table of how many packets had which latency; JSON always has it",
     HF_FIELD(simulate_args, histogram)},
    {.name = "delays",
     .type = HF_PARAM_TEXT,
     .flags = HF_PARAM_OPTIONAL,
     .low = 5,
     .high = 5,
     .unit = "list",
     .help = "the cycles of routing, crossbar, link, terminal link and credit, such as 1,1,1,1,1",
     .each = delays},
    {.name = "reconfiguration",
     .type = HF_PARAM_TEXT,
     .flags = HF_PARAM_OPTIONAL,
     .low = 4,
     .high = 4,
     .unit = "list",
     .help = "cycles of detection, a control packet, a hop of an emergency, a swap of plans, such as 10,1,100,1000",
     .with = "fault-at fault-cycle",
     .each = costs},
    {.name = "seed",
     .type = HF_PARAM_UINT,
     .fallback = "1",
     .high = UINT64_MAX - 1,
     .unit = "n",
     .help = "seed of the traffic",
     HF_FIELD(simulate_args, s.seed)},
    {.name = "measure",
     .topic = "measure",
     .type = HF_PARAM_TEXT,
     .flags = HF_PARAM_OPTIONAL,
     .lists = true,
     .unit = "list",
     .help = "parameters of the measurement, such as window=500,batches=40"},
    {0}};
static const hf_group group = {.name = "simulate", .params = params};

static const hf_question_part parts[] = {
    {.group = &group},
    {.group = &hf_measurement_group, .at = offsetof(simulate_args, s), .beside = true},
    {.group = &hf_router_group, .at = offsetof(simulate_args, s.kernel), .beside = true},
    {.group = &hf_reconfiguration_group, .at = offsetof(simulate_args, reconfiguration), .with = "fault-at fault-cycle"},
    {0}};
static const hf_param attachments[] = {
    {.name = "write-trace",
     .with = "cycles",
     .unit = "file",
     .help = "write what one load generates in --cycles as a trace, and do no more"},
    {.name = "certificate",
     .unit = "file",
     .flags = HF_PARAM_OPTIONAL,
     .help = "write the first deadlock as JSON, for holdfast-check and --replay"},
    {.name = "svg",
     .unit = "file",
     .help = "draw latency against accepted traffic; with --fault-at or --series what is accepted over time"},
    {.name = "pgfplots", .unit = "file", .help = "the same for LaTeX"},
    {0}};
static const hf_question_form forms[] = {
    {"replay", "replay", hf_simulate_replay}, {"write-trace", "trace", hf_simulate_trace},  {"faults", "sets", hf_simulate_sets},
    {"generate", "work", hf_simulate_work},   {"trace", "work", hf_simulate_work},          {"barrier", "work", hf_simulate_work},
    {"program", "work", hf_simulate_work},    {"fault-at", "windows", hf_simulate_windows}, {0}};
static const char *const tables[] = {"saturation", "windows", "runs", "histogram", "blocked", "faults",
                                     "phases",     "packets", "end",  "coverage",  NULL};

const hf_question hf_question_simulate = {
    .name = "simulate",
    .summary = "latency and accepted traffic of a plan, flit by flit; replays deadlocks",
    .about = "Moves packets flit by flit through the network as the plan offers. Each load is warmed up, then measured for\n"
             "a number of windows; traffic is in flits per cycle and terminal, latency in cycles. With --fault-at, packets hit\n"
             "are those that a fault itself loses: flits on a failed channel, in a failed switch, or across one. With --faults,\n"
             "means over random sets of so many failed components that the routing tolerates, each with traffic of its own.\n"
             "See docs/kernel.md.\n\n"
             "Status 0: done, saturated or not. 1: packets came to wait for each other for ever, or the routing keeps no\n"
             "terminal in service. 2: bad usage or input. With --replay, 0: none of the packets can move; 1: some can.\n\n"
             "Example: holdfast simulate --topology torus:dims=8x8 --routing dor:vcs=2,dateline=yes --load 0.1,0.2,0.3",
    .source = "dally2004, chapters 23 and 24",
    .knows_flows = true,
    .scene = HF_SCENE_TOPOLOGY | HF_SCENE_ROUTING | HF_SCENE_TRAFFIC | HF_SCENE_FAILED,
    .scene_maybe = HF_SCENE_UNIVERSE | HF_SCENE_CRITERION,
    .universe = "links",
    .traffic = "uniform",
    .walked = "faults fault-at",
    .parts = parts,
    .args_size = sizeof(simulate_args),
    .one_of = "load sweep saturation trace barrier program",
    .instead = "replay",
    .table = "loads",
    .columns = hf_simulate_loads,
    .forms = forms,
    .tables = tables,
    .attachments = attachments,
    .threads = true,
    .ask = ask,
};
