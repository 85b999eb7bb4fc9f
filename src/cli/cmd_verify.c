/* SPDX-License-Identifier: GPL-3.0-or-later */
/* holdfast verify: can a routing deadlock, without faults and under every combination of them? */
#include "src/cli/verify.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/cli/campaign.h"

enum { quick_terminals = 6, quick_states = 60000 };

/* ---- the request ---- */

static hf_status read_switching(verify *v) {
    const char *text = cli_switching(v->c), *flow = cli_value_or(v->c, "flow", "credit");
    for (int s = HF_SWITCHING_WORMHOLE; s <= HF_SWITCHING_SAF; s++) {
        if (strcmp(text, hf_switching_name((hf_switching)s)) == 0) {
            v->options.switching = (hf_switching)s;
            v->options.bubble = strcmp(flow, "bubble") == 0;
            if (!v->options.bubble && strcmp(flow, "credit") != 0) {
                HF_FAIL(v->c->cx, HF_EINVAL, "--flow=%s is not right; need credit or bubble", flow);
            }
            return hf_switching_check(v->c->cx, v->options.switching, v->options.bubble);
        }
    }
    HF_FAIL(v->c->cx, HF_EINVAL, "--switching=%s is not right; need wormhole, vct or saf", text);
}

static hf_status read_timing(verify *v) {
    const char *text = cli_value_or(v->c, "timing", "any");
    v->options.timing = strcmp(text, "lockstep") == 0 ? HF_TIMING_LOCKSTEP : HF_TIMING_ANY;
    if (v->options.timing == HF_TIMING_ANY && strcmp(text, "any") != 0) {
        HF_FAIL(v->c->cx, HF_EINVAL, "--timing=%s is not right; need any or lockstep", text);
    }
    if (v->options.timing == HF_TIMING_LOCKSTEP && (v->options.switching != HF_SWITCHING_WORMHOLE || v->options.bubble)) {
        HF_FAIL(v->c->cx, HF_EINVAL, "--timing=lockstep goes with --switching=wormhole and --flow=credit");
    }
    return HF_OK;
}

static hf_status read_campaign(verify *v) {
    const cli *c = v->c;
    const char *method = cli_value_or(c, "method", "exhaustive");
    uint64_t threads, limit;
    HF_TRY(cli_number(c, "threads", 1, 1024, 0, &threads));
    HF_TRY(cli_number(c, "time-limit", 1, 1000000, 60, &limit));
    HF_TRY(cli_number(c, "samples", 0, UINT64_MAX, 10000, &v->campaign.samples));
    HF_TRY(cli_number(c, "seed", 0, UINT64_MAX, 1, &v->campaign.seed));
    HF_TRY(cli_campaign_part(c, &v->campaign));
    v->campaign.method = strcmp(method, "sampled") == 0 ? HF_METHOD_SAMPLED : HF_METHOD_EXHAUSTIVE;
    if (v->campaign.method == HF_METHOD_EXHAUSTIVE && strcmp(method, "exhaustive") != 0) {
        HF_FAIL(c->cx, HF_EINVAL, "--method=%s is not right; need exhaustive or sampled", method);
    }
    if (v->campaign.method == HF_METHOD_EXHAUSTIVE && cli_has(c, "samples")) {
        HF_FAIL(c->cx, HF_EINVAL, "--samples goes with --method sampled");
    }
    v->campaign.threads = v->options.threads = (uint32_t)threads;
    v->options.time_limit_s = (double)limit;
    v->options.want_witness = true;
    HF_TRY(read_switching(v));
    return read_timing(v);
}

static hf_status check_repair(const verify *v) {
    const char *repair = cli_value_or(v->c, "repair", "dependencies");
    if (*repair && strcmp(repair, "dependencies") != 0 && strcmp(repair, "turns") != 0) {
        HF_FAIL(v->c->cx, HF_EINVAL, "--repair=%s is not right; need dependencies or turns", repair);
    }
    if (!v->is_single && (cli_has(v->c, "repair") || cli_has(v->c, "layers"))) {
        HF_FAIL(v->c->cx, HF_EINVAL, "--repair and --layers are for one plan; give --failed, or no --faults");
    }
    return HF_OK;
}

static hf_status check_combination(const verify *v) {
    if (cli_has(v->c, "failed") && cli_has(v->c, "faults")) {
        HF_FAIL(v->c->cx, HF_EINVAL, "--failed names one fault set and --faults asks for all of some sizes; give one of them");
    }
    if (!v->is_single && cli_has(v->c, "certificate")) {
        HF_FAIL(v->c->cx, HF_EINVAL, "--certificate is for one plan; give --failed, or no --faults");
    }
    return HF_OK;
}

static hf_status inquiry_judge(hf_context *cx, void *user, const hf_universe *universe, const hf_rule *rule, hf_judge **out) {
    return hf_deadlock_judge_new(cx, universe, rule, user, out);
}

static hf_status open_all(verify *v) {
    const cli *c = v->c;
    const char *topology, *routing, *faults = cli_value_or(c, "faults", "0");
    char *key;
    HF_TRY(cli_require(c, "topology", &topology));
    HF_TRY(cli_require(c, "routing", &routing));
    HF_TRY(cli_campaign_belong(c));
    HF_TRY(read_campaign(v));
    HF_TRY(hf_campaign_parse_faults(c->cx, faults, &v->f, &v->campaign.n_f));
    v->is_single = cli_has(c, "failed") || (v->campaign.n_f == 1 && v->f[0] == 0);
    HF_TRY(check_combination(v));
    HF_TRY(check_repair(v));
    const char *universe = cli_value(c, "universe");
    HF_TRY(cli_network_open(c, topology, routing, universe || v->is_single ? universe : "links", cli_value(c, "only"), &v->net));
    if (cli_has(c, "layers")) { /* they come last: tell before the rest is done */
        HF_TRY(hf_deadlock_layers_check(c->cx, v->net.topo));
    }
    if (v->is_single) {
        return HF_OK;
    }
    HF_TRY(hf_scratch_print(c->cx, &key, "verify:%s,%s%s", hf_switching_name(v->options.switching),
                            v->options.bubble ? "bubble" : "credit", v->options.timing == HF_TIMING_LOCKSTEP ? ",lockstep" : ""));
    v->inquiry = (hf_inquiry){.key = key, .user = &v->options, .judge = inquiry_judge};
    v->campaign.f = v->f;
    v->campaign.universe = v->net.universe;
    v->campaign.rule = &v->net.rule;
    v->campaign.inquiry = &v->inquiry;
    HF_TRY(hf_campaign_check(c->cx, &v->campaign));
    return cli_keep_campaign(c, &v->campaign, &v->keep);
}

static void close_all(verify *v) {
    hf_result_free(v->result);
    cli_keep_close(v->c, &v->keep);
    cli_network_free(&v->net);
    hf_release(hf_context_allocator(v->c->cx), v->f);
}

/* ---- work ---- */

/* Decide one fault set in full. */
static hf_status decide(verify *v, hf_fault_set *faults, verify_row *row) {
    hf_context *cx = v->c->cx;
    HF_TRY(hf_scratch(cx, 1, sizeof *row->plan, (void **)&row->plan));
    HF_TRY(hf_scratch(cx, 1, sizeof *row->deadlock, (void **)&row->deadlock));
    HF_TRY(hf_plan_make(cx, &v->net.rule, faults, row->plan));
    row->faults = faults;
    return hf_deadlock_decide(cx, row->plan, &v->options, row->deadlock);
}

/* Packets that go on as soon as they can: do they get into the deadlock at all? A quick look, by states and not by time. */
static hf_status look_in_lockstep(verify *v, verify_row *row) {
    hf_context *cx = v->c->cx;
    const bool applies = row->deadlock->answer == HF_DEADLOCK_FOUND && v->options.timing == HF_TIMING_ANY &&
                         v->options.switching == HF_SWITCHING_WORMHOLE && !v->options.bubble;
    if (!applies || row->plan->topo->n_terminal > quick_terminals) {
        return HF_OK;
    }
    hf_lockstep *l;
    HF_TRY(hf_scratch(cx, 2, sizeof *l, (void **)&l));
    for (int same_step = 0; same_step < 2; same_step++) {
        const hf_lockstep_options options = {.same_step = same_step, .state_limit = quick_states, .time_limit_s = 1e9};
        const hf_status status = hf_lockstep_search(cx, row->plan, &options, &l[same_step]);
        if (status == HF_ENOTSUP) {
            hf_context_clear(cx);
            return HF_OK;
        }
        HF_TRY(status);
    }
    row->lockstep = l;
    return HF_OK;
}

/* Proposals for a plan that deadlocks. */
static hf_status propose(verify *v, verify_row *row) {
    hf_context *cx = v->c->cx;
    if (cli_has(v->c, "repair") && row->deadlock->answer == HF_DEADLOCK_FOUND) {
        HF_TRY(hf_scratch(cx, 1, sizeof *row->repair, (void **)&row->repair));
        HF_TRY(hf_deadlock_repair(cx, row->plan, strcmp(cli_value(v->c, "repair"), "turns") == 0, v->options.time_limit_s,
                                  row->repair));
    }
    if (cli_has(v->c, "layers")) {
        HF_TRY(hf_scratch(cx, 1, sizeof *row->layers, (void **)&row->layers));
        HF_TRY(hf_deadlock_layers(cx, row->plan, row->layers));
    }
    return HF_OK;
}

static hf_status verify_one(verify *v) {
    hf_context *cx = v->c->cx;
    hf_fault_set *faults;
    HF_TRY(hf_scratch(cx, 1, sizeof *faults, (void **)&faults));
    HF_TRY(hf_scratch(cx, 1, sizeof *v->row, (void **)&v->row));
    HF_TRY(hf_fault_set_parse(cx, v->net.topo, v->net.universe, cli_value_or(v->c, "failed", ""), faults));
    v->n_row = 1;
    HF_TRY(decide(v, faults, v->row));
    v->row->f = v->net.universe ? faults->n_component : 0;
    HF_TRY(look_in_lockstep(v, v->row));
    return propose(v, v->row);
}

static hf_status verify_rows(verify *v) {
    hf_context *cx = v->c->cx;
    HF_TRY(hf_campaign_run(cx, &v->campaign, &v->result));
    v->n_row = v->result->n_row;
    HF_TRY(hf_scratch(cx, v->n_row, sizeof *v->row, (void **)&v->row));
    for (size_t i = 0; i < v->n_row; i++) {
        const hf_row *row = &v->result->row[i];
        v->row[i] = (verify_row){.f = row->f, .campaign = row};
        if (row->tally.has_witness || row->f == 0) {
            hf_fault_set *faults;
            HF_TRY(hf_scratch(cx, 1, sizeof *faults, (void **)&faults));
            HF_TRY(hf_fault_set_make(cx, v->net.universe, row->tally.witness, row->f, faults));
            HF_TRY(decide(v, faults, &v->row[i]));
        }
    }
    return HF_OK;
}

/* The row that has something to show: the first one with a decision, a deadlock before others. */
static const verify_row *row_to_show(const verify *v) {
    const verify_row *any = NULL;
    for (size_t i = 0; i < v->n_row; i++) {
        if (v->row[i].deadlock && v->row[i].deadlock->answer == HF_DEADLOCK_FOUND) {
            return &v->row[i];
        }
        any = any || !v->row[i].deadlock ? any : &v->row[i];
    }
    return any;
}

static hf_status write_certificate(const verify *v) {
    const verify_row *row = v->row;
    const hf_deadlock *d = row->deadlock;
    hf_condition condition[HF_CONDITIONS];
    const bool has_conditions = d->method == HF_METHOD_BUBBLE_ESCAPE;
    if (has_conditions) {
        HF_TRY(hf_deadlock_conditions(v->c->cx, row->plan, condition));
    }
    const hf_claim claim = {.command = v->c->command->name,
                            .faults = row->faults,
                            .topology = v->net.topo->spec,
                            .routing = v->net.rule.spec,
                            .universe = v->net.universe ? v->net.universe->spec : NULL,
                            .topo = v->net.topo,
                            .switching = v->options.switching,
                            .bubble = v->options.bubble,
                            .timing = v->options.timing,
                            .method = hf_deadlock_method_name(d->method),
                            .found = d,
                            .condition = has_conditions ? condition : NULL};
    return cli_save_claim(v->c, &claim, cli_value(v->c, "certificate"));
}

static hf_status print_all(const verify *v) {
    const verify_row *shown = row_to_show(v);
    if (cli_has(v->c, "certificate")) {
        HF_TRY(write_certificate(v));
    }
    if (cli_has(v->c, "svg") && shown) {
        HF_TRY(verify_draw(v, shown, cli_value(v->c, "svg")));
    }
    return cli_has(v->c, "json") ? verify_print_json(v) : verify_print_text(v);
}

/* Yes: no deadlock, nothing undecided, and packets arrive: in some set of every row, with --require-connected in all that are
 * covered. A row of no sets says nothing. */
static bool is_yes_to_all(const verify *v) {
    for (size_t i = 0; i < v->n_row; i++) {
        uint64_t sets[HF_OUTCOME_COUNT];
        const uint64_t n = verify_counts(&v->row[i], sets),
                       bad = sets[HF_OUTCOME_DEADLOCK] + sets[HF_OUTCOME_UNKNOWN] + sets[HF_OUTCOME_TIME_LIMIT];
        const bool is_cut = cli_has(v->c, "require-connected") && sets[HF_OUTCOME_DISCONNECTED] > 0;
        if (bad > 0 || is_cut || (n > 0 && sets[HF_OUTCOME_FREE] == 0)) {
            return false;
        }
    }
    return true;
}

static int run(cli *c) {
    verify v = {.c = c};
    cli_meter meter;
    cli_meter_init(&meter, cli_has(c, "quiet"), "");
    hf_status status = open_all(&v);
    if (status == HF_OK) {
        cli_catch_signals(c->cx);
        v.campaign.progress = cli_meter_show;
        v.campaign.progress_user = &meter;
        status = v.is_single ? verify_one(&v) : verify_rows(&v);
        cli_meter_end(&meter);
        status = status == HF_OK ? print_all(&v) : status;
    }
    if (status == HF_ESTOP) {
        cli_keep_stopped(c, &v.keep);
    }
    const bool is_yes = status == HF_OK && is_yes_to_all(&v);
    close_all(&v);
    return cli_exit(c, status, is_yes);
}

static const cli_option options[] = {
    {"topology", "SPEC", "the network, such as torus:dims=8x8"},
    {"routing", "SPEC", "the rule, such as dor:vcs=2,dateline=yes, lua:my-rule.lua or table:FILE"},
    {"switching", "NAME", "what a packet holds while it waits: wormhole (default), vct (default with --flow bubble) or saf"},
    {"flow", "NAME", "flow control: credit (default), or bubble on the rings that the routing declares"},
    {"timing", "NAME", "any (default): packets may be held up anywhere; or lockstep: they go on as soon as they can"},
    {"failed", "NAMES", "verify the plan for these failed components"},
    {"faults", "LIST", "verify the plans of all fault sets of these sizes, such as 0..2"},
    {"universe", "SPEC", "what can fail: links (default), channels, switches ..."},
    {"only", "FILTER", "keep components with these attributes only, such as dimension=0"},
    {"method", "NAME", "exhaustive (default) or sampled"},
    {"samples", "N", "fault sets a row when sampled (default 10000)"},
    {"seed", "N", "seed of the samples (default 1)"},
    {"threads", "T", "threads (default: all cores); the result does not depend on it"},
    {"part", "r/m", "work on the r-th of m equal parts of every row only, r from 1"},
    {"time-limit", "SECONDS", "for searches that may take long (default 60): afterwards the answer is unknown"},
    {"repair", "[KIND]", "propose the fewest dependencies (default) or turns to forbid: no cycle is left, packets arrive"},
    {"layers", NULL, "bounds on the virtual channels with which the paths can be layered"},
    {"require-connected", NULL, "exit with status 1 if in any set some packet cannot arrive"},
    {"certificate", "FILE", "write the certificate or the deadlock as JSON, for holdfast-check"},
    {"svg", "FILE", "draw the network with the channels of the deadlock"},
    CLI_KEEP_OPTIONS(""),
    {"quiet", NULL, "no progress on standard error"},
    {"json", NULL, "print JSON (docs/json.md)"},
    {"output", "FILE", "write the result to FILE instead of standard output"},
    {0},
};

const cli_command cli_verify = {
    .name = "verify",
    .summary = "can a routing deadlock? with a certificate, or the deadlock",
    .usage = "--topology SPEC --routing SPEC [--faults LIST | --failed NAMES]",
    .about = "Follows the relation from every source to every destination, and decides: no cycle of dependencies, an escape,\n"
             "an exact fixpoint, or a deadlock, shown as the packets that wait for each other. With --faults the plan of every\n"
             "fault set of these sizes is verified. Status 0: deadlock-free, and packets arrive; 1: a deadlock, unknown, or\n"
             "there are packets that do not arrive (of several sets: in all of one size).\n\n"
             "Example: holdfast verify --topology torus:dims=4x4 --routing dor",
    .options = options,
    .run = run,
};
