/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Latency and accepted traffic of a plan, flit by flit: of loads, through faults, of work with an end; and the replay of
 * deadlocks. */
#include "src/question/simulate.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/analysis/deadlock/certificate.h"
#include "src/analysis/deadlock/claim.h"
#include "src/core/number.h"
#include "src/core/print.h"

enum { LOADS_MOST = 1000, SWEEP = 20, BINS = 65, BAR = 50, BLOCKED_SHOWN = 16 };

/* ---- what goes together ---- */

static bool has(const simulate *s, const char *name) { return hf_asked_given(s->asked, name); }

static bool plays(const simulate *s) { return s->args->trace || s->args->barrier || s->args->program; }

static bool is_named(const simulate *s, const char *const *names, size_t n, size_t *out) {
    for (*out = 0; *out < n; ++*out) {
        if (has(s, names[*out]) || hf_asked_wants(s->asked, names[*out])) {
            return true;
        }
    }
    return false;
}

static hf_status check_work(const simulate *s) {
    static const char *const of_loads[] = {"burst", "certificate", "fault-at", "svg"}, *const of_curves[] = {"svg"},
                             *const of_results[] = {"fault-at", "certificate", "svg", "histogram"};
    const bool writes = hf_asked_wants(s->asked, "write-trace"), has_faults = s->args->faults, replays = s->args->replay;
    size_t i;
    if (s->args->cycles && !plays(s) && !writes && !has_faults) {
        HF_FAIL(s->cx, HF_EINVAL,
                "--cycles is for --fault-at, --trace, --barrier, --program and --write-trace; --window and --batches say how "
                "long a load is measured");
    }
    if ((plays(s) || replays) && is_named(s, of_loads, sizeof of_loads / sizeof *of_loads, &i)) {
        HF_FAIL(s->cx, HF_EINVAL, "--%s goes with --load, --sweep or --saturation", of_loads[i]);
    }
    if (has_faults && is_named(s, of_curves, 1, &i)) {
        HF_FAIL(s->cx, HF_EINVAL, "--svg draws a curve over loads; need --load, --sweep or --saturation, without --fault-at");
    }
    if (s->args->histogram && (has_faults || replays)) {
        HF_FAIL(s->cx, HF_EINVAL, "--histogram is of loads, or of work with an end");
    }
    if (s->args->message && !writes) {
        HF_FAIL(s->cx, HF_EINVAL, "--message belongs to --write-trace");
    }
    if (writes && is_named(s, of_results, sizeof of_results / sizeof *of_results, &i)) {
        HF_FAIL(s->cx, HF_EINVAL, "--write-trace writes a trace and does no more; --%s has no place beside it", of_results[i]);
    }
    return HF_OK;
}

static hf_status check_switching(const simulate *s) {
    static const char *const without_buffers[] = {"backoff", "backoff-cycles", "outstanding"}, *const with_buffers[] = {
                                                                                                   "buffer", "flow", "reuse"};
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
    if (has_buffers && is_named(s, without_buffers, 3, &i)) {
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
    if (s->args->faults && (!text || s->n_load != 1)) {
        HF_FAIL(s->cx, HF_EINVAL, "--fault-at needs --load with one load");
    }
    if (hf_asked_wants(s->asked, "write-trace") && (!text || s->n_load != 1 || !s->args->cycles)) {
        HF_FAIL(s->cx, HF_EINVAL, "--write-trace needs one --load and --cycles, for how long packets are generated");
    }
    return HF_OK;
}

/* ---- what all answers have ---- */

static void print_options(const simulate *s, hf_text *out) {
    const hf_kernel_options *o = &s->s.kernel;
    if (s->s.burst.length > 0) {
        hf_text_print(out, ", bursts of %g cycles with %g flits/cycle%s", s->s.burst.length, s->s.burst.peak,
                      s->s.burst.together ? ", of all together" : "");
    }
    hf_text_print(out, ", %s", hf_kernel_switching_name(o));
    if (o->contention != HF_CONTENTION_WAIT) {
        hf_text_print(out, ", packets of %" PRIu32 " flit%s, %s backoff of %" PRIu32 " cycle%s, %" PRIu32 " outstanding",
                      o->packet_length, hf_plural(o->packet_length), hf_backoff_name(o->backoff), o->backoff_cycles,
                      hf_plural(o->backoff_cycles), o->outstanding);
        return;
    }
    hf_text_print(out, ", %s, packets of %" PRIu32 " flit%s, buffers of %" PRIu32 " flit%s", o->bubble ? "bubble" : "credit",
                  o->packet_length, hf_plural(o->packet_length), o->buffer, hf_plural(o->buffer));
    if (o->output_queue) {
        hf_text_print(out, ", output queues of %" PRIu32 " flit%s, speed-up %" PRIu32, o->output_queue,
                      hf_plural(o->output_queue), o->speedup);
    }
    hf_text_print(out, "%s", o->transit_first ? ", transit first" : "");
    if (o->injection_room > 1) {
        hf_text_print(out, ", injection where %" PRIu32 " packets fit", o->injection_room);
    }
}

static hf_status make_title(simulate *s, const char *work) {
    const hf_scene *scene = s->scene;
    hf_text text;
    char *title, *failed;
    HF_TRY(hf_asked_failed(s->cx, &scene->failed, &failed));
    hf_text_init(s->cx, &text);
    hf_text_print(&text, "%s, %s, %s%s%s", scene->topo->spec, scene->rule.spec, work ? work : "traffic ",
                  work ? "" : scene->traffic->spec, failed);
    print_options(s, &text);
    hf_status status = hf_text_check(s->cx, &text);
    status = status == HF_OK ? hf_scratch_print(s->cx, &title, "%s", text.data) : status;
    hf_text_free(&text);
    HF_TRY(status);
    s->answer->title = title;
    return HF_OK;
}

/* Delays and bursts as structured values. */
static void add_spec(const simulate *s) {
    static const hf_column of_delays[] = {{"routing", "routing", "cycles", HF_COLUMN_COUNT, 6, HF_COLUMN_JSON},
                                          {"crossbar", "crossbar", "cycles", HF_COLUMN_COUNT, 6, HF_COLUMN_JSON},
                                          {"link", "link", "cycles", HF_COLUMN_COUNT, 6, HF_COLUMN_JSON},
                                          {"terminal_link", "terminal link", "cycles", HF_COLUMN_COUNT, 6, HF_COLUMN_JSON},
                                          {"exit", "exit", "cycles", HF_COLUMN_COUNT, 6, HF_COLUMN_JSON},
                                          {"credit", "credit", "cycles", HF_COLUMN_COUNT, 6, HF_COLUMN_JSON}},
                           of_burst[] = {{"cycles", "cycles", "cycles", HF_COLUMN_REAL, 6, HF_COLUMN_JSON},
                                         {"peak", "peak", "flits/cycle", HF_COLUMN_REAL, 6, HF_COLUMN_JSON},
                                         {"together", "together", NULL, HF_COLUMN_FLAG, 6, HF_COLUMN_JSON}};
    const hf_kernel_options *o = &s->s.kernel;
    const uint32_t delays[] = {
        o->routing_delay, o->crossbar_delay, o->link_delay, o->fly_delay, o->exit_delay ? o->exit_delay : o->fly_delay,
        o->credit_delay};
    HF_BEGIN(s->answer, "delays", of_delays);
    hf_report_place(s->answer, "spec", true);
    for (size_t i = 0; i < sizeof delays / sizeof *delays; i++) {
        hf_report_cell(s->answer, hf_cell_count(delays[i]));
    }
    HF_BEGIN(s->answer, "burst", of_burst);
    hf_report_place(s->answer, "spec", true);
    if (s->s.burst.length > 0) {
        hf_report_cell(s->answer, hf_cell_real(s->s.burst.length));
        hf_report_cell(s->answer, hf_cell_real(s->s.burst.peak));
        hf_report_cell(s->answer, hf_cell_flag(s->s.burst.together));
    }
}

hf_status hf_simulate_head(simulate *s, const char *work) {
    char *warm_up;
    HF_TRY(s->args->replay ? HF_OK : make_title(s, work));
    HF_TRY(hf_scratch_print(s->cx, &warm_up, "%" PRIu32, s->s.warm_up_most));
    hf_report_argument_as(s->answer, "warm_up_most", warm_up, HF_COLUMN_COUNT);
    add_spec(s);
    return HF_OK;
}

hf_status hf_simulate_end_note(const simulate *s, char *note) {
    const char *remark = hf_rings_remark(&s->plan, s->s.kernel.bubble);
    if (remark && s->s.kernel.contention == HF_CONTENTION_WAIT) {
        HF_TRY(hf_asked_note(s->cx, &note, "remark: %s %s", s->plan.routing->name, remark));
    }
    HF_TRY(hf_asked_note(s->cx, &note,
                         "Traffic in flits per cycle and terminal; latency in cycles from generation to the arrival of the tail, "
                         "network\nlatency from the header's leaving the source."));
    hf_report_note(s->answer, note);
    return HF_OK;
}

void hf_simulate_value(hf_report *answer, hf_batch_mean m, int decimals) {
    char half[40];
    if (isnan(m.mean)) {
        hf_report_cell(answer, hf_cell_none());
        return;
    }
    (void)snprintf(half, sizeof half, "+- %.*f", decimals, m.half);
    hf_report_cell(answer,
                   hf_cell_estimate(m.mean, m.mean - m.half, m.mean + m.half, HF_INTERVAL_BATCHES, isnan(m.half) ? NULL : half));
}

void hf_simulate_mean(hf_report *answer, hf_batch_mean m, int decimals) {
    hf_simulate_value(answer, m, decimals);
    hf_report_cell(answer, hf_cell_real(m.half));
    hf_report_cell(answer, hf_cell_flag(hf_batch_is_steady(m)));
}

hf_json *hf_simulate_decimal(uint64_t value) {
    char text[40];
    hf_print_decimal(value, text);
    return hf_json_text(text);
}

static uint64_t bin_from(unsigned bin) { return bin ? UINT64_C(1) << (bin - 1) : 0; }

hf_json *hf_simulate_bins(const uint64_t *histogram) {
    hf_json *list = hf_json_array();
    for (unsigned i = 0; i < BINS; i++) {
        if (histogram[i]) {
            hf_json *bin = hf_json_object();
            hf_json_set(bin, "from", hf_simulate_decimal(bin_from(i)));
            hf_json_set(bin, "packets", hf_simulate_decimal(histogram[i]));
            hf_json_push(list, bin);
        }
    }
    return list;
}

void hf_simulate_begin_histogram(simulate *s) {
    static const hf_column columns[] = {{"load", "load", NULL, HF_COLUMN_REAL, 6, 0},
                                        {"from", "cycles from", "cycles", HF_COLUMN_BIG_COUNT, 6, 0},
                                        {"to", "to", "cycles", HF_COLUMN_BIG_COUNT, 6, 0},
                                        {"number", "number", NULL, HF_COLUMN_BIG_COUNT, 6, 0},
                                        {"bar", "by latency from generation", NULL, HF_COLUMN_WORD, 6, HF_COLUMN_PEOPLE}};
    HF_BEGIN(s->answer, "histogram", columns);
    hf_report_flatten(s->answer);
}

void hf_simulate_put_histogram(simulate *s, double load, const uint64_t *histogram) {
    uint64_t most = 1;
    for (unsigned i = 0; i < BINS; i++) {
        most = histogram[i] > most ? histogram[i] : most;
    }
    for (unsigned i = 0; i < BINS; i++) {
        char bar[BAR + 1] = "";
        if (histogram[i]) {
            memset(bar, '#', (size_t)((double)histogram[i] / (double)most * BAR + 0.5));
            hf_report_cell(s->answer, hf_cell_real(load));
            hf_report_cell(s->answer, hf_cell_count(bin_from(i)));
            hf_report_cell(s->answer, hf_cell_count(i ? bin_from(i) - 1 + bin_from(i) : 0));
            hf_report_cell(s->answer, hf_cell_count(histogram[i]));
            hf_report_cell(s->answer, hf_cell_word(bar));
        }
    }
}

/* ---- the deadlock ---- */

hf_status hf_simulate_add_blocked(simulate *s, const hf_blocked *blocked, uint32_t n) {
    static const hf_column columns[] = {HF_BLOCKED_COLUMNS};
    HF_BEGIN(s->answer, "blocked", columns);
    hf_report_flatten(s->answer);
    if (n > BLOCKED_SHOWN) {
        hf_report_await(s->answer);
    }
    for (uint32_t i = 0; i < n; i++) {
        HF_TRY(hf_asked_blocked(s->answer, s->scene->topo, s->plan.n_vc, &blocked[i]));
    }
    return HF_OK;
}

typedef struct certified {
    hf_context *cx;
    hf_claim claim;
} certified;

static hf_status print_claim(const void *user, hf_text *out) {
    const certified *c = user;
    return hf_claim_print(c->cx, &c->claim, out);
}

hf_status hf_simulate_attach_deadlock(const simulate *s, const hf_blocked *blocked, uint32_t n, const hf_fault_set *faults) {
    const hf_kernel_options *o = &s->s.kernel;
    const hf_deadlock found = {.answer = HF_DEADLOCK_FOUND,
                               .method = HF_METHOD_NONE,
                               .n_vc = s->plan.n_vc,
                               .n_blocked = n,
                               .blocked = (hf_blocked *)blocked};
    const certified c = {.cx = s->cx,
                         .claim = {.command = s->answer->label,
                                   .faults = faults,
                                   .topology = s->scene->topo->spec,
                                   .routing = s->scene->rule.spec,
                                   .topo = s->scene->topo,
                                   .switching = o->switching,
                                   .bubble = o->bubble,
                                   .choose_once = o->choose_once,
                                   .timing = HF_TIMING_ANY,
                                   .method = hf_method_simulation,
                                   .found = &found}};
    return hf_asked_attach(s->asked, s->answer, "certificate", &c, print_claim);
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
    HF_TRY(check_work(&s));
    HF_TRY(check_switching(&s));
    if (args->burst && hf_burst_parse(cx, args->burst, &s.s.burst) != HF_OK) {
        hf_context_prefix(cx, "--burst=");
        return HF_EINVAL;
    }
    if (args->replay) {
        return hf_simulate_ask_replay(&s);
    }
    HF_TRY(read_loads(&s));
    HF_TRY(hf_plan_make(cx, &s.scene->rule, &s.scene->failed, &s.plan));
    s.s.plan = &s.plan;
    s.s.traffic = s.scene->traffic;
    return hf_plan_is_empty(&s.plan)              ? ask_uncovered(&s)
           : hf_asked_wants(asked, "write-trace") ? hf_simulate_ask_trace(&s)
           : args->faults                         ? hf_simulate_ask_faults(&s)
           : plays(&s)                            ? hf_simulate_ask_work(&s)
                                                  : hf_simulate_ask_loads(&s);
}

static const char *const delays[] = {"routing-delay", "crossbar-delay", "link-delay", "terminal-link-delay",
                                     "credit-delay",  "exit-delay",     NULL},
                         *const costs[] = {"detection-cycles", "manage-cycles", "hop-cycles", "swap-cycles", NULL};

static const hf_param params[] = {
    {.name = "load",
     .type = HF_PARAM_TEXT,
     .flags = HF_PARAM_OPTIONAL,
     .unit = "list",
     .help = "flits per cycle and terminal, such as 0.1,0.2,0.4 or 0.1..0.5/0.1",
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
     .help = "tasks with barriers, such as =messages=400,flits=24,interval=25,outstanding=4,tasks=10",
     HF_FIELD(simulate_args, barrier)},
    {.name = "program",
     .type = HF_PARAM_TEXT,
     .flags = HF_PARAM_OPTIONAL,
     .unit = "name",
     .help = "play the messages of a program: add, reverse, quicksort, nbody or a trace file, a node a terminal",
     HF_FIELD(simulate_args, program)},
    {.name = "replay",
     .type = HF_PARAM_TEXT,
     .flags = HF_PARAM_OPTIONAL,
     .unit = "file",
     .help = "put the packets of a deadlock of verify or simulate in place and see whether one can move",
     HF_FIELD(simulate_args, replay)},
    {.name = "fault-at",
     .type = HF_PARAM_TEXT,
     .flags = HF_PARAM_OPTIONAL,
     .unit = "events",
     .help = "faults at cycles after the warm-up, such as '2000:s8:3-s18:0;9000:random=2'; a series of windows",
     HF_FIELD(simulate_args, faults)},
    {.name = "cycles",
     .type = HF_PARAM_UINT,
     .flags = HF_PARAM_OPTIONAL,
     .low = 1,
     .high = UINT64_C(1000000000000000000),
     .unit = "n",
     .help = "length of a series with faults (default 40 windows after the last); where a trace, tasks, a program stop",
     HF_FIELD(simulate_args, cycles)},
    {.name = "message",
     .type = HF_PARAM_UINT,
     .flags = HF_PARAM_OPTIONAL,
     .low = 1,
     .high = 1000000000,
     .unit = "flits",
     .help = "with write-trace: what comes at once to one destination, in packets (default a packet)",
     HF_FIELD(simulate_args, message)},
    {.name = "burst",
     .type = HF_PARAM_TEXT,
     .flags = HF_PARAM_OPTIONAL,
     .unit = "list",
     .help = "packets come in bursts: mean cycles, and flits per cycle and terminal in it, such as 200,1 or 200,1,together",
     HF_FIELD(simulate_args, burst)},
    {.name = "histogram",
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
     .with = "fault-at",
     .each = costs},
    {.name = "seed",
     .type = HF_PARAM_UINT,
     .fallback = "1",
     .high = UINT64_MAX,
     .unit = "n",
     .help = "seed of the traffic",
     HF_FIELD(simulate_args, s.seed)},
    {0}};
static const hf_group group = {.name = "simulate", .params = params};

static const hf_question_part parts[] = {
    {.group = &group},
    {.group = &hf_measurement_group, .at = offsetof(simulate_args, s), .beside = true},
    {.group = &hf_router_group, .at = offsetof(simulate_args, s.kernel), .beside = true},
    {.group = &hf_reconfiguration_group, .at = offsetof(simulate_args, reconfiguration), .with = "fault-at"},
    {0}};
static const hf_param attachments[] = {{.name = "write-trace",
                                        .with = "cycles",
                                        .unit = "file",
                                        .help = "write what one load generates in --cycles as a trace, and do no more"},
                                       {.name = "certificate",
                                        .unit = "file",
                                        .flags = HF_PARAM_OPTIONAL,
                                        .help = "write the first deadlock as JSON, for holdfast-check and --replay"},
                                       {.name = "svg", .unit = "file", .help = "draw latency against accepted traffic"},
                                       {0}};
static const hf_question_form forms[] = {{"replay", "replay", hf_simulate_replay},
                                         {"write-trace", "trace", hf_simulate_trace},
                                         {"fault-at", "windows", hf_simulate_windows},
                                         {"trace", "work", hf_simulate_work},
                                         {"barrier", "work", hf_simulate_work},
                                         {"program", "work", hf_simulate_work},
                                         {0}};
static const char *const tables[] = {"histogram", "blocked", "faults", "phases", "packets", "end", "coverage", NULL};

const hf_question hf_question_simulate = {
    .name = "simulate",
    .summary = "latency and accepted traffic of a plan, flit by flit; replays deadlocks",
    .about = "Moves packets flit by flit through the network as the plan offers. Each load is warmed up, then measured for\n"
             "a number of windows; traffic is in flits per cycle and terminal, latency in cycles. With --fault-at, packets hit\n"
             "are those that a fault itself loses: flits on a failed channel, in a failed switch, or across one.\n"
             "See docs/kernel.md.\n\n"
             "Status 0: done, saturated or not. 1: packets came to wait for each other for ever, or the routing keeps no\n"
             "terminal in service. 2: bad usage or input. With --replay, 0: none of the packets can move; 1: some can.\n\n"
             "Example: holdfast simulate --topology torus:dims=8x8 --routing dor:vcs=2,dateline=yes --load 0.1,0.2,0.3",
    .source = "dally2004, chapters 23 and 24",
    .scene = HF_SCENE_TOPOLOGY | HF_SCENE_ROUTING | HF_SCENE_TRAFFIC | HF_SCENE_FAILED,
    .scene_maybe = HF_SCENE_UNIVERSE,
    .universe = "links",
    .traffic = "uniform",
    .walked = "fault-at",
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
