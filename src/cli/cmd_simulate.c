/* SPDX-License-Identifier: GPL-3.0-or-later */
/* holdfast simulate: latency and accepted traffic flit by flit, and the replay of deadlocks. */
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/cli/simulate.h"
#include "src/core/number.h"

enum { LOADS_MOST = 1000, SWEEP = 20 };

/* ---- the request ---- */

static hf_status read_kernel(const cli *c, hf_kernel_options *o) {
    static const char *const delays[] = {"routing-delay", "crossbar-delay", "link-delay", "terminal-link-delay", "credit-delay"};
    HF_TRY(cli_group(c, &hf_router_group, o));
    o->exit_delay = cli_has(c, "delays") && !cli_has(c, "exit-delay") ? 0 : o->exit_delay;
    return cli_group_list(c, &hf_router_group, "delays", delays, sizeof delays / sizeof *delays,
                          "the cycles of routing, crossbar, link, terminal link and credit, up to 10000 each, the last three at "
                          "least 1, such as 1,1,1,1,1",
                          o);
}

static hf_status read_burst(const cli *c, hf_burst *out) {
    const char *text = cli_value(c, "burst");
    if (text && hf_burst_parse(c->cx, text, out) != HF_OK) {
        hf_context_prefix(c->cx, "--burst=");
        return HF_EINVAL;
    }
    return HF_OK;
}

static hf_status read_measurement(const cli *c, hf_simulation *s) {
    uint64_t threads;
    HF_TRY(cli_number(c, "seed", 0, UINT64_MAX, 1, &s->seed));
    HF_TRY(cli_group(c, &hf_measurement_group, s));
    HF_TRY(cli_number(c, "threads", 1, 1024, 0, &threads));
    s->threads = (uint32_t)threads;
    HF_TRY(read_burst(c, &s->burst));
    return read_kernel(c, &s->kernel);
}

static hf_status read_loads(simulate *s) {
    const cli *c = s->c;
    const char *text = cli_value(c, "load");
    HF_TRY(hf_scratch(c->cx, LOADS_MOST, sizeof *s->load, (void **)&s->load));
    const hf_list_form form = {.low = DBL_MIN, .high = s->s.kernel.packet_length};
    size_t n = 0;
    if (text && !hf_read_list(text, &form, LOADS_MOST, s->load, &n)) {
        HF_FAIL(c->cx, HF_EINVAL,
                "--load=%s is not right; need 1 to %d loads in flits per cycle and terminal, above 0 and at most the packet "
                "length, %u, such as 0.1,0.2,0.4 or 0.1..0.5/0.1",
                text, LOADS_MOST, s->s.kernel.packet_length);
    }
    s->n_point = (uint32_t)n;
    for (; !text && s->n_point < SWEEP; s->n_point++) {
        s->load[s->n_point] = (s->n_point + 1) / (double)SWEEP;
    }
    return HF_OK;
}

static hf_status open_all(simulate *s) {
    const cli *c = s->c;
    const char *topology, *routing;
    HF_TRY(cli_require(c, "topology", &topology));
    HF_TRY(cli_require(c, "routing", &routing));
    HF_TRY(read_loads(s));
    HF_TRY(cli_network_open(c, topology, routing, cli_has(c, "fault-at") ? cli_value_or(c, "universe", "links") : NULL, NULL,
                            &s->net));
    HF_TRY(hf_traffic_new(c->cx, s->net.topo, cli_value_or(c, "traffic", "uniform"), &s->traffic));
    HF_TRY(hf_fault_set_parse(c->cx, s->net.topo, NULL, cli_value_or(c, "failed", ""), &s->faults));
    HF_TRY(hf_plan_make(c->cx, &s->net.rule, &s->faults, &s->plan));
    s->s.plan = &s->plan;
    s->s.traffic = s->traffic;
    return HF_OK;
}

/* ---- work ---- */

static hf_status run_points(simulate *s) {
    hf_context *cx = s->c->cx;
    const bool searches = cli_has(s->c, "saturation");
    s->n_point = searches ? HF_SATURATION_POINTS : s->n_point;
    HF_TRY(hf_scratch(cx, s->n_point, sizeof *s->point, (void **)&s->point));
    HF_TRY(searches ? hf_simulate_saturation(cx, &s->s, s->point, &s->best)
                    : hf_simulate(cx, &s->s, s->load, s->n_point, s->point));
    if (cli_has(s->c, "certificate")) {
        HF_TRY(simulate_write_certificate(s, cli_value(s->c, "certificate")));
    }
    if (cli_has(s->c, "svg")) {
        HF_TRY(simulate_plot_svg(s, cli_value(s->c, "svg")));
    }
    return cli_has(s->c, "json") ? simulate_print_json(s) : cli_has(s->c, "csv") ? simulate_print_csv(s) : simulate_print_text(s);
}

static hf_status run_all(simulate *s, bool *is_good) {
    const cli *c = s->c;
    HF_TRY(simulate_check(c));
    HF_TRY(read_measurement(c, &s->s));
    if (cli_has(c, "replay")) {
        simulate_replay r;
        HF_TRY(simulate_read_and_replay(s, &r));
        *is_good = r.flit_hops == 0;
        return simulate_print_replay(s, &r);
    }
    HF_TRY(open_all(s));
    if (hf_plan_is_empty(&s->plan)) {
        *is_good = false;
        return simulate_print_uncovered(s);
    }
    if (cli_has(c, "fault-at")) {
        simulate_faults f = {0};
        HF_TRY(simulate_run_faults(s, &f));
        *is_good = f.history.n_blocked == 0 && !hf_plan_is_empty(&f.event[f.n - 1].plan);
        if (cli_has(c, "certificate")) {
            HF_TRY(simulate_write_faults_certificate(s, &f, cli_value(c, "certificate")));
        }
        return cli_has(c, "json") ? simulate_print_faults_json(s, &f) : simulate_print_faults(s, &f);
    }
    if (cli_has(c, "write-trace")) {
        return simulate_write_trace(s);
    }
    if (simulate_plays(c)) {
        return simulate_play(s, is_good);
    }
    HF_TRY(run_points(s));
    for (uint32_t i = 0; i < s->n_point; i++) {
        *is_good &= s->point[i].n_blocked == 0;
    }
    return HF_OK;
}

static int run(cli *c) {
    simulate s = {.c = c, .best = HF_NONE};
    bool is_good = true;
    cli_catch_signals(c->cx);
    const hf_status status = run_all(&s, &is_good);
    hf_traffic_free(s.traffic);
    cli_network_free(&s.net);
    return status != HF_OK ? cli_fail(c, status) : is_good ? CLI_DONE : CLI_NO;
}

static const cli_option options[] = {
    {"topology", "SPEC", "the network, such as torus:dims=8x8"},
    {"routing", "SPEC", "the rule, such as dor:vcs=2,dateline=yes"},
    {"traffic", "SPEC", "the pattern, such as uniform (default) or hot-spot:percent=5,node=0"},
    {"load", "LIST", "flits per cycle and terminal, such as 0.1,0.2,0.4 or 0.1..0.5/0.1"},
    {"burst", "LIST",
     "packets come in bursts: mean cycles, and flits per cycle and terminal in it, such as 200,1 or 200,1,together"},
    {"sweep", NULL, "all loads from 0.05 to 1 in steps of 0.05, with a plot of latency against accepted traffic"},
    {"trace", "FILE", "play the messages of a trace file until all are there"},
    {"barrier", "[SPEC]", "tasks with barriers, such as =messages=400,flits=24,interval=25,outstanding=4,tasks=10"},
    {"program", "NAME", "play the messages of a program: add, reverse, quicksort, nbody or a trace file, a node a terminal"},
    {"cycles", "N", "length of a series with faults (default 40 windows after the last); where a trace, tasks, a program stop"},
    {"write-trace", "FILE", "write what one --load generates in --cycles N as a trace, and do no more"},
    {"message", "FLITS", "with --write-trace: what comes at once to one destination, in packets (default a packet)"},
    {"saturation", NULL, "search for the largest load that is accepted"},
    {"failed", "NAMES", "run the plan for these failed components"},
    {"fault-at", "EVENTS", "faults at cycles after the warm-up, such as '2000:s8:3-s18:0;9000:random=2'; a series of windows"},
    {"universe", "SPEC", "what fails at random (default links)"},
    {"reconfiguration", "LIST", "cycles of detection, a control packet, a hop of an emergency, a swap (default 10,1,100,1000)"},
    {"delays", "LIST", "cycles of routing, crossbar, link, terminal link, credit (default 1,1,1,1,1)"},
    {"seed", "N", "seed of the traffic (default 1)"},
    {"threads", "T", "threads (default: all cores); the result does not depend on it"},
    {"replay", "FILE", "put the packets of a deadlock of holdfast verify in place and see whether one can move"},
    {"certificate", "FILE", "write the first deadlock as JSON, for holdfast-check and --replay"},
    {"svg", "FILE", "draw latency against accepted traffic"},
    {"histogram", NULL, "print below the table how many packets had which latency; JSON always has it"},
    {"json", NULL, "print JSON (docs/json.md)"},
    {"csv", NULL, "print CSV"},
    {"output", "FILE", "write the result to FILE instead of standard output"},
    {0},
};

static const cli_params params[] = {
    {&hf_measurement_group, NULL}, {&hf_router_group, NULL}, {&hf_reconfiguration_group, NULL}, {0}};

const cli_command cli_simulate = {
    .name = "simulate",
    .summary = "latency and accepted traffic of a plan, flit by flit; replays deadlocks",
    .usage = "--topology SPEC --routing SPEC --load LIST | --trace FILE | --replay FILE",
    .about = "Moves packets flit by flit through the network as the plan offers. Each load is warmed up, then measured for\n"
             "a number of windows; traffic is in flits per cycle and terminal, latency in cycles. With --fault-at, packets hit\n"
             "are those that a fault itself loses: flits on a failed channel, in a failed switch, or across one.\n"
             "See docs/kernel.md.\n\n"
             "Status 0: done, saturated or not. 1: packets came to wait for each other for ever, or the routing keeps no\n"
             "terminal in service. 2: bad usage or input. With --replay, 0: none of the packets can move; 1: some can.\n\n"
             "Example: holdfast simulate --topology torus:dims=8x8 --routing dor:vcs=2,dateline=yes --load 0.1,0.2,0.3",
    .options = options,
    .params = params,
    .run = run,
};
