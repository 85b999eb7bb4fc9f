/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Can a routing deadlock, under one plan or under those of all fault sets of some sizes? */
#include "src/question/verify.h"
#include "src/question/tables.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <holdfast/core/bitset.h>
#include <holdfast/format.h>

#include "src/analysis/deadlock/claim.h"
#include "src/core/print.h"

enum { quick_terminals = 6, quick_states = 60000 };

/* ---- what does not go together ---- */

static hf_status check_timing(const verify *v) {
    const verify_args *args = v->args;
    HF_TRY(hf_switching_check(v->cx, args->switching, v->options.bubble));
    if (args->timing == HF_TIMING_LOCKSTEP && (args->switching != HF_SWITCHING_WORMHOLE || v->options.bubble)) {
        HF_FAIL(v->cx, HF_EINVAL, "--timing=lockstep goes with --switching=wormhole and --flow=credit");
    }
    return HF_OK;
}

static hf_status check_of_one(const verify *v, const hf_asked *asked) {
    if (!v->is_single && (v->args->repair || v->args->layers)) {
        HF_FAIL(v->cx, HF_EINVAL, "--repair and --layers are for one plan; give --failed, or no --faults");
    }
    if (v->scene->rule.classes && (v->args->repair || v->args->layers)) {
        HF_FAIL(v->cx, HF_EINVAL, "--repair and --layers are for packets of one kind; leave --classes out");
    }
    if (!v->is_single && hf_asked_wants(asked, "certificate")) {
        HF_FAIL(v->cx, HF_EINVAL, "--certificate is for one plan; give --failed, or no --faults");
    }
    if (v->is_single && hf_asked_wants(asked, "witness")) {
        HF_FAIL(v->cx, HF_EINVAL, "--witness names the lowest sets of several; give --faults");
    }
    if (v->wants_routes && !v->args->layers && v->args->repair != REPAIR_ROUTES) {
        HF_FAIL(v->cx, HF_EINVAL,
                "--write-paths and --write-table write ways that are proposed; give --repair=routes or --layers");
    }
    if (v->args->layers && v->args->repair == REPAIR_ROUTES) {
        HF_FAIL(v->cx, HF_EINVAL, "--layers keeps the ways and --repair=routes the virtual channels; give one of them");
    }
    /* They come last: tell before the rest is done. */
    return v->args->layers ? hf_deadlock_layers_check(v->cx, v->scene->topo) : HF_OK;
}

/* ---- one plan ---- */

/* Decide one fault set in full. */
static hf_status decide(const verify *v, const hf_fault_set *faults, verify_row *row) {
    HF_TRY(hf_scratch(v->cx, 1, sizeof *row->plan, (void **)&row->plan));
    HF_TRY(hf_scratch(v->cx, 1, sizeof *row->deadlock, (void **)&row->deadlock));
    HF_TRY(hf_plan_make(v->cx, &v->scene->rule, faults, row->plan));
    row->faults = faults;
    return hf_deadlock_decide(v->cx, row->plan, &v->options, row->deadlock);
}

/* Packets that go on as soon as they can: do they get into the deadlock at all? A quick look, by states and not by time. */
static hf_status look_in_lockstep(const verify *v, verify_row *row) {
    const bool applies = row->deadlock->answer == HF_DEADLOCK_FOUND && v->options.timing == HF_TIMING_ANY &&
                         v->options.switching == HF_SWITCHING_WORMHOLE && !v->options.bubble;
    if (!applies || row->plan->classes || row->plan->topo->n_terminal > quick_terminals) {
        return HF_OK;
    }
    hf_lockstep *l;
    HF_TRY(hf_scratch(v->cx, 2, sizeof *l, (void **)&l));
    for (int same_step = 0; same_step < 2; same_step++) {
        const hf_lockstep_options options = {.same_step = same_step, .state_limit = quick_states, .time_limit_s = 1e9};
        const hf_status status = hf_lockstep_search(v->cx, row->plan, &options, &l[same_step]);
        if (status == HF_ENOTSUP) {
            hf_context_clear(v->cx);
            return HF_OK;
        }
        HF_TRY(status);
    }
    row->lockstep = l;
    return HF_OK;
}

/* Other ways help where packets wait for each other, and where some have none. */
static bool needs_ways(const hf_deadlock *d) { return d->answer != HF_DEADLOCK_FREE || !d->is_connected; }

/* Proposals for a plan that deadlocks. */
static hf_status propose(const verify *v, verify_row *row) {
    if (v->args->repair == REPAIR_ROUTES && needs_ways(row->deadlock)) {
        HF_TRY(hf_scratch(v->cx, 1, sizeof *row->reroute, (void **)&row->reroute));
        HF_TRY(hf_deadlock_reroute(v->cx, hf_plan_own(row->plan), v->options.time_limit_s, row->reroute));
    } else if (v->args->repair && v->args->repair != REPAIR_ROUTES && row->deadlock->answer == HF_DEADLOCK_FOUND) {
        HF_TRY(hf_scratch(v->cx, 1, sizeof *row->repair, (void **)&row->repair));
        HF_TRY(hf_deadlock_repair(v->cx, row->plan, v->args->repair == REPAIR_TURNS, v->options.time_limit_s, row->repair));
    }
    if (v->args->layers) {
        HF_TRY(hf_scratch(v->cx, 1, sizeof *row->layers, (void **)&row->layers));
        HF_TRY(hf_deadlock_layers(v->cx, hf_plan_own(row->plan), v->wants_routes, row->layers));
    }
    return HF_OK;
}

static hf_status verify_one(verify *v) {
    const hf_fault_set *failed = &v->scene->failed;
    HF_TRY(hf_scratch(v->cx, 1, sizeof *v->row, (void **)&v->row));
    v->n_row = 1;
    v->row->f = v->scene->universe ? failed->n_component : 0;
    HF_TRY(decide(v, failed, v->row));
    HF_TRY(look_in_lockstep(v, v->row));
    return propose(v, v->row);
}

/* ---- fault sets ---- */

static hf_status inquiry_judge(hf_context *cx, void *user, const hf_universe *universe, const hf_rule *rule, hf_judge **out) {
    return hf_deadlock_judge_new(cx, universe, rule, user, out);
}

static hf_status run_campaign(verify *v, const hf_asked *asked) {
    char *key;
    HF_TRY(hf_scratch_print(v->cx, &key, "verify:%s,%s%s", hf_switching_name(v->options.switching), v->control.spec,
                            v->options.timing == HF_TIMING_LOCKSTEP ? ",lockstep" : ""));
    /* What time decides in lockstep may hang on numbers. */
    const unsigned alike = v->options.plain    ? 0
                           : v->options.bubble ? HF_SYMMETRIC_BUBBLES | HF_SYMMETRIC_RELATION
                                               : HF_SYMMETRIC_RELATION;
    v->inquiry = (hf_inquiry){
        .key = key, .user = &v->options, .symmetric = v->options.timing == HF_TIMING_ANY ? alike : 0, .judge = inquiry_judge};
    v->run.campaign.inquiry = &v->inquiry;
    return hf_asked_campaign_run(v->cx, asked, &v->run);
}

static hf_status verify_rows(verify *v, const hf_asked *asked) {
    HF_TRY(run_campaign(v, asked));
    HF_TRY(hf_scratch_print(v->cx, &v->how, "%s", v->run.result->how));
    v->n_row = v->run.result->n_row;
    HF_TRY(hf_scratch(v->cx, v->n_row, sizeof *v->row, (void **)&v->row));
    for (size_t i = 0; i < v->n_row; i++) {
        const hf_row *row = &v->run.result->row[i];
        v->row[i] = (verify_row){.f = row->f, .campaign = row};
        if (row->tally.has_witness || row->f == 0) {
            hf_fault_set *faults;
            HF_TRY(hf_scratch(v->cx, 1, sizeof *faults, (void **)&faults));
            HF_TRY(hf_fault_set_make(v->cx, v->scene->universe, row->tally.witness, row->f, faults));
            HF_TRY(decide(v, faults, &v->row[i]));
        }
    }
    return HF_OK;
}

/* ---- attachments ---- */

/* A line for each set, behind one that says what it is the lowest of. */
static hf_status print_witnesses(const void *user, hf_text *out) {
    static const char *const what[HF_OUTCOME_COUNT] = {[HF_OUTCOME_DEADLOCK] = "deadlock",
                                                       [HF_OUTCOME_DISCONNECTED] = "disconnected",
                                                       [HF_OUTCOME_LOST] = "lost",
                                                       [HF_OUTCOME_NOT_COVERED] = "not covered",
                                                       [HF_OUTCOME_IDLE] = "serves nobody"};
    const verify *v = user;
    for (size_t i = 0; i < v->n_row; i++) {
        for (uint32_t outcome = 0; outcome < HF_OUTCOME_COUNT; outcome++) {
            char *names = NULL;
            HF_TRY(hf_verify_names(outcome) ? hf_verify_set(v, &v->row[i], outcome, ",", &names) : HF_OK);
            if (names && *names) {
                hf_text_print(out, "# f=%" PRIu32 ", %s, %s, %s, %s\n%s\n", v->row[i].f, what[outcome], v->scene->topo->spec,
                              v->scene->rule.spec, v->scene->universe->spec, names);
            }
        }
    }
    if (out->size == 0) {
        hf_text_print(out,
                      "# no set with a deadlock, none disconnected, none with loss, none not covered, none that serves nobody\n");
    }
    return HF_OK;
}

static hf_status print_claim(const void *user, hf_text *out) {
    const verify *v = user;
    const verify_row *row = v->row;
    const hf_rule *rule = v->proof ? &v->proof->rule : &v->scene->rule;
    const hf_deadlock *found = v->proof ? &v->proof->deadlock : row->deadlock;
    hf_condition condition[HF_CONDITIONS];
    const bool has_conditions = found->method == HF_METHOD_BUBBLE_ESCAPE;
    if (has_conditions) {
        HF_TRY(hf_deadlock_conditions(v->cx, row->plan, row->deadlock->ring_of, condition));
    }
    const hf_claim claim = {.command = v->answer->label,
                            .faults = row->faults,
                            .topology = v->scene->topo->spec,
                            .routing = rule->spec,
                            .universe = v->scene->universe ? v->scene->universe->spec : NULL,
                            .topo = v->scene->topo,
                            .classes = rule->classes,
                            .switching = v->options.switching,
                            .flow = v->control.spec,
                            .timing = v->options.timing,
                            .method = hf_deadlock_method_name(found->method),
                            .found = found,
                            .condition = has_conditions ? condition : NULL};
    return hf_claim_print(v->cx, &claim, out);
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

/* What a drawing shows of the packets. */
typedef struct picture {
    uint64_t *held, *way, *node; /* channels that are held; channels and nodes on the ways behind */
    const char **note;           /* by channel: who holds it */
} picture;

/* "t0 to t6", with the virtual channel where there are several. */
static hf_status note_holder(const verify *v, const hf_deadlock *d, const hf_blocked *b, uint32_t resource, picture *out) {
    const uint32_t channel = resource / d->n_vc;
    char from[HF_NAME_SIZE] = "?", to[HF_NAME_SIZE], vc[24] = "", *text;
    if (b->source != HF_NONE) {
        hf_topology_terminal_name(v->scene->topo, b->source, from, sizeof from);
    }
    hf_topology_terminal_name(v->scene->topo, b->destination, to, sizeof to);
    if (d->n_vc > 1) {
        (void)snprintf(vc, sizeof vc, ", vc %" PRIu32, resource % d->n_vc);
    }
    const char *before = out->note[channel];
    HF_TRY(hf_scratch_print(v->cx, &text, "%s%s%s to %s%s", before ? before : "", before ? "; " : "", from, to, vc));
    out->note[channel] = text;
    hf_bit_set(out->held, channel);
    return HF_OK;
}

static hf_status picture_packet(const verify *v, const hf_deadlock *d, const hf_blocked *b, picture *out) {
    const hf_topology *topo = v->scene->topo;
    for (uint32_t k = 0; k < b->n_hold; k++) {
        HF_TRY(note_holder(v, d, b, b->hold[k], out));
    }
    for (uint32_t k = 0; k < b->n_path; k++) {
        hf_bit_set(out->way, b->path[k].channel);
        hf_bit_set(out->node, topo->from[b->path[k].channel]);
        hf_bit_set(out->node, topo->to[b->path[k].channel]);
    }
    return HF_OK;
}

static hf_status print_drawing(const void *user, hf_text *out) {
    const verify *v = user;
    const hf_topology *topo = v->scene->topo;
    const verify_row *row = row_to_show(v);
    const hf_deadlock *d = row ? row->deadlock : NULL;
    picture p;
    char *title;
    if (!d) {
        return HF_OK;
    }
    HF_TRY(hf_scratch(v->cx, hf_words(topo->n_channel), sizeof *p.held, (void **)&p.held));
    HF_TRY(hf_scratch(v->cx, hf_words(topo->n_channel), sizeof *p.way, (void **)&p.way));
    HF_TRY(hf_scratch(v->cx, hf_words(topo->n_node), sizeof *p.node, (void **)&p.node));
    HF_TRY(hf_scratch(v->cx, topo->n_channel, sizeof *p.note, (void **)&p.note));
    for (uint32_t i = 0; i < d->n_blocked; i++) {
        HF_TRY(picture_packet(v, d, &d->blocked[i], &p));
    }
    HF_TRY(hf_scratch_print(v->cx, &title, "%s, %s: %s", topo->spec, v->scene->rule.spec, hf_deadlock_answer_name(d->answer)));
    const hf_marks marks = {
        .faults = row->faults, .title = title, .held = p.held, .path_channel = p.way, .path_node = p.node, .note = p.note};
    return hf_format_svg(v->cx, topo, &marks, out);
}

/* ---- the question ---- */

/* Yes: no deadlock, nothing undecided, and packets arrive: in some set of every row, with require-connected in all that are
 * covered. A row of no sets says nothing. */
static bool is_yes_to_all(const verify *v) {
    for (size_t i = 0; i < v->n_row; i++) {
        uint64_t sets[HF_OUTCOME_COUNT];
        const uint64_t n = hf_verify_counts(&v->row[i], sets),
                       bad = sets[HF_OUTCOME_DEADLOCK] + sets[HF_OUTCOME_UNKNOWN] + sets[HF_OUTCOME_TIME_LIMIT];
        const uint64_t cut = sets[HF_OUTCOME_DISCONNECTED] + sets[HF_OUTCOME_LOST] + sets[HF_OUTCOME_IDLE];
        if (bad > 0 || (v->args->require_connected && cut > 0) || (n > 0 && sets[HF_OUTCOME_FREE] == 0)) {
            return false;
        }
    }
    return true;
}

static hf_status read_sets(verify *v, const hf_asked *asked) {
    v->is_single = !v->args->sets.faults;
    if (v->is_single) {
        hf_report_argument(v->answer, "method", NULL);
        hf_report_argument(v->answer, "samples", NULL);
        return HF_OK;
    }
    HF_TRY(hf_asked_campaign_init(v->cx, asked, &v->args->sets, v->answer, &v->run));
    v->is_single = v->run.campaign.n_f == 1 && v->run.f[0] == 0;
    return HF_OK;
}

static hf_status read_control(verify *v) {
    HF_TRY(hf_flow_control_read(v->cx, v->scene->topo, v->args->flow, &v->control));
    v->options.bubble = v->control.bubble;
    v->options.plain = v->control.plain;
    return HF_OK;
}

static hf_status answer_all(verify *v, const hf_asked *asked) {
    HF_TRY(read_control(v));
    HF_TRY(check_timing(v));
    HF_TRY(read_sets(v, asked));
    v->wants_routes = hf_asked_wants(asked, "write-paths") || hf_asked_wants(asked, "write-table");
    HF_TRY(check_of_one(v, asked));
    HF_TRY(v->is_single ? verify_one(v) : verify_rows(v, asked));
    if (v->is_single && hf_asked_wants(asked, "certificate")) {
        HF_TRY(hf_verify_prove_ways(v, hf_asked_path(asked, "write-paths")));
    }
    HF_TRY(hf_verify_tables(v));
    HF_TRY(v->is_single ? HF_OK : hf_asked_campaign_explain(v->cx, &v->run));
    HF_TRY(hf_asked_attach(asked, v->answer, "witness", v, print_witnesses));
    HF_TRY(hf_asked_attach(asked, v->answer, "certificate", v, print_claim));
    HF_TRY(hf_asked_attach(asked, v->answer, "svg", v, print_drawing));
    HF_TRY(hf_asked_attach(asked, v->answer, "write-paths", v, hf_verify_print_paths));
    HF_TRY(hf_asked_attach(asked, v->answer, "write-table", v, hf_verify_print_table));
    v->answer->answer = is_yes_to_all(v) ? HF_ANSWER_YES : HF_ANSWER_NO;
    return HF_OK;
}

static hf_status ask(hf_context *cx, const hf_asked *asked, hf_report *answer) {
    const verify_args *args = asked->args;
    verify v = {.cx = cx,
                .scene = asked->scene,
                .args = args,
                .options = {.switching = args->switching,
                            .timing = args->timing,
                            .threads = asked->conduct->threads,
                            .time_limit_s = args->time_limit_s,
                            .want_witness = true},
                .run = {.allocator = *hf_context_allocator(cx)},
                .answer = answer};
    const hf_status status = answer_all(&v, asked);
    hf_verify_free_proof(&v);
    hf_asked_campaign_free(&v.run);
    return status;
}

static const char *const switchings[] = {"wormhole", "vct", "saf", NULL}, *const timings[] = {"any", "lockstep", NULL},
                         *const repairs[] = {"none", "dependencies", "turns", "routes", NULL};

static const hf_param params[] = {
    {.name = "switching",
     .type = HF_PARAM_WORD,
     .fallback = "wormhole",
     .words = switchings,
     .unit = "name",
     .help = "what a packet holds while it waits: wormhole (default), vct (default with bubble) or saf",
     HF_FIELD(verify_args, switching)},
    {.name = "flow",
     .type = HF_PARAM_TEXT,
     .fallback = "credit",
     .unit = "control",
     .help = HF_FLOW_CONTROL_HELP,
     HF_FIELD(verify_args, flow)},
    {.name = "timing",
     .type = HF_PARAM_WORD,
     .fallback = "any",
     .words = timings,
     .unit = "name",
     .help = "any (default): packets may be held up anywhere; or lockstep: they go on as soon as they can",
     HF_FIELD(verify_args, timing)},
    {.name = "time-limit",
     .type = HF_PARAM_UINT,
     .fallback = "60",
     .low = 1,
     .high = 1000000,
     .unit = "seconds",
     .help = "for searches that may take long; afterwards the answer is unknown",
     HF_FIELD(verify_args, time_limit_s)},
    {.name = "repair",
     .type = HF_PARAM_WORD,
     .fallback = "none",
     .bare = "dependencies",
     .words = repairs,
     .unit = "kind",
     .help = "propose the fewest dependencies (default) or turns to forbid, or routes to lead another way: no cycle is left",
     HF_FIELD(verify_args, repair)},
    {.name = "layers",
     .type = HF_PARAM_BOOL,
     .fallback = "no",
     .help = "bounds on the virtual channels with which the paths can be layered",
     HF_FIELD(verify_args, layers)},
    {.name = "require-connected",
     .type = HF_PARAM_BOOL,
     .fallback = "no",
     .help = "exit with status 1 if in any covered set some packet cannot arrive, or nobody is served",
     HF_FIELD(verify_args, require_connected)},
    {0}};

/* A bubble counts buffers that hold a packet. */
static void settle(const bool *given, void *object) {
    verify_args *args = object;
    if (!given[0] && hf_flow_control_may_bubble(args->flow)) {
        args->switching = HF_SWITCHING_VCT;
    }
}

static const hf_group group = {.name = "verify", .params = params, .settle = settle};
static const hf_question_part parts[] = {
    {.group = &hf_some_classes_group, .at = offsetof(verify_args, sets)}, {.group = &group}, {0}};
static const hf_param attachments[] = {
    {.name = "witness",
     .with = "faults",
     .unit = "file",
     .bare = "",
     .help =
         "also show the lowest set of each row with a deadlock, disconnected, with loss, not covered, and that serves nobody"},
    {.name = "certificate",
     .unit = "file",
     .help = "write the certificate or the deadlock as JSON, for holdfast-check; with --write-paths and --repair=routes of those "
             "ways"},
    {.name = "svg", .unit = "file", .help = "draw the network with the packets of the deadlock and the ways behind them"},
    {.name = "write-paths",
     .with = "layers",
     .unit = "file",
     .help = "with --repair=routes or --layers: the ways of all pairs, for routing paths:"},
    {.name = "write-table",
     .with = "layers",
     .unit = "file",
     .help = "with --repair=routes or --layers: the ways as a table, for routing table:"},
    {0}};
static const char *const tables[] = {"packets",   "gaps",     "lockstep", "conditions", "repair",
                                     "forbidden", "rerouted", "routes",   "layers",     NULL};

const hf_question hf_question_verify = {
    .name = "verify",
    .summary = "can a routing deadlock? with a certificate, or the deadlock",
    .about = "Follows the relation from every source to every destination, and decides: no cycle of dependencies, an escape,\n"
             "an exact fixpoint, or a deadlock, shown as the packets that wait for each other. With --faults the plan of every\n"
             "fault set of these sizes is verified. Status 0: deadlock-free, and packets arrive; 1: a deadlock, unknown, or\n"
             "there are packets that do not arrive, or none at all (of several sets: in all of one size).\n\n"
             "Example: holdfast verify --topology torus:dims=4x4 --routing dor",
    .knows_flows = true,
    .knows_classes = true,
    .scene = HF_SCENE_TOPOLOGY | HF_SCENE_ROUTING | HF_SCENE_FAILED,
    .scene_maybe = HF_SCENE_UNIVERSE,
    .universe = "links",
    .parts = parts,
    .args_size = sizeof(verify_args),
    .table = "verdicts",
    .columns = hf_verify_columns,
    .tables = tables,
    .attachments = attachments,
    .walks = true,
    .ask = ask,
};
