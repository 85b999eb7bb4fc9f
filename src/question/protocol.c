/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Programs with idempotent messaging over networks that drop packets: their times beside those on perfect networks, and those of
 *  all backoffs beside the best [brown2002, 4 and 6]. */
#include <holdfast/question.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/analysis/load/load.h"
#include "src/core/number.h"
#include "src/core/registry.h"
#include "src/protocol/messaged.h"

enum { CONSTANTS_MAX = 64, N_BACKOFF = HF_BACKOFF_EXPONENTIAL + 1 };

typedef struct protocol_args {
    hf_messaged each;
    hf_messaged_choice choice;
    const char *perfect_routing, *program, *constants, *backoff_table;
    bool search;
} protocol_args;

typedef struct asking {
    hf_context *cx;
    const protocol_args *args;
    hf_messaged each; /* with the network of the scene, if one is given */
    uint32_t n_node;  /* its terminals, else 0 */
    hf_report *answer;
    bool all_complete, all_right;
} asking;

/* A program, and where it is from. */
typedef struct source {
    const char *name;               /* of the benchmark or of the file */
    const hf_benchmark_options *of; /* NULL: of a file */
    const hf_program *program;
} source;

/* ---- the programs ---- */

static hf_status use_file(asking *a, hf_status (*use)(asking *a, const source *from)) {
    hf_program program;
    HF_TRY(hf_program_read_file(a->cx, a->args->program, &program));
    const hf_status status = use(a, &(source){a->args->program, NULL, &program});
    hf_program_free(&program);
    return status;
}

/* The file, or each benchmark that is chosen. */
static hf_status use_programs(asking *a, hf_status (*use)(asking *a, const source *from)) {
    hf_benchmark_options of[HF_BENCHMARKS];
    const size_t n = hf_messaged_programs(&a->each, &a->args->choice, a->n_node, of);
    hf_status status = HF_OK;
    if (a->args->program) {
        return use_file(a, use);
    }
    for (size_t i = 0; status == HF_OK && i < n; i++) {
        hf_program program;
        HF_TRY(hf_benchmark_program(a->cx, &of[i], &program));
        status = use(a, &(source){hf_benchmark_name(of[i].benchmark), &of[i], &program});
        hf_program_free(&program);
    }
    return status;
}

/* ---- times ---- */

static const hf_column columns[] = {{"benchmark", "benchmark", NULL, HF_COLUMN_WORD, 6, 0},
                                    {"network", "network", NULL, HF_COLUMN_WORD, 6, 0},
                                    {"nodes", "nodes", NULL, HF_COLUMN_COUNT, 6, 0},
                                    {"complete", "complete", NULL, HF_COLUMN_FLAG, 6, 0},
                                    {"buffered_cycles", "buffered cycles", "cycles", HF_COLUMN_COUNT, 6, 0},
                                    {"idempotent_cycles", "idempotent cycles", "cycles", HF_COLUMN_COUNT, 6, 0},
                                    {"slow_down", "slow-down", NULL, HF_COLUMN_EXACT, 4, 0},
                                    {"sends", "sends a message", NULL, HF_COLUMN_EXACT, 4, 0},
                                    {"lost_messages", "lost", NULL, HF_COLUMN_COUNT, 6, 0},
                                    {"acted_on_twice", "acted on twice", NULL, HF_COLUMN_COUNT, 6, 0},
                                    {"violations", "lost or acted on twice", NULL, HF_COLUMN_COUNT, 6, HF_COLUMN_ASKED},
                                    {"buffered_path_hops", "buffered path", "hops", HF_COLUMN_COUNT, 6, HF_COLUMN_ASKED},
                                    {"buffered_path_messages", "messages of it", NULL, HF_COLUMN_COUNT, 6, HF_COLUMN_ASKED},
                                    {"path_hops", "path", "hops", HF_COLUMN_COUNT, 6, HF_COLUMN_ASKED},
                                    {"path_messages", "messages of it", NULL, HF_COLUMN_COUNT, 6, HF_COLUMN_ASKED},
                                    {"messages", "messages", NULL, HF_COLUMN_COUNT, 6, HF_COLUMN_ASKED},
                                    {"packets", "packets", NULL, HF_COLUMN_COUNT, 6, HF_COLUMN_ASKED},
                                    {"buffered_packets", "buffered packets", NULL, HF_COLUMN_COUNT, 6, HF_COLUMN_ASKED},
                                    {"msg_packets", "MSG", NULL, HF_COLUMN_COUNT, 6, HF_COLUMN_ASKED},
                                    {"ack_packets", "ACK", NULL, HF_COLUMN_COUNT, 6, HF_COLUMN_ASKED},
                                    {"conf_packets", "CONF", NULL, HF_COLUMN_COUNT, 6, HF_COLUMN_ASKED},
                                    {"dropped_packets", "dropped", NULL, HF_COLUMN_COUNT, 6, HF_COLUMN_ASKED},
                                    {"damaged_packets", "damaged", NULL, HF_COLUMN_COUNT, 6, HF_COLUMN_ASKED},
                                    {"refused_messages", "refused", NULL, HF_COLUMN_COUNT, 6, HF_COLUMN_ASKED},
                                    {0}};

static void put_count(asking *a, uint64_t n) { hf_report_cell(a->answer, hf_cell_count(n)); }

static void put_ratio(asking *a, bool is_known, uint64_t p, uint64_t q) {
    char exact[80];
    hf_fraction_print(hf_fraction_of(p, q ? q : 1), exact);
    hf_report_cell(a->answer, is_known && q ? hf_cell_exact((double)p / (double)q, exact) : hf_cell_none());
}

/* A time that is not complete would look like one that is. */
static void put_time(asking *a, const hf_messaging_result *r) {
    hf_report_cell(a->answer, r->is_complete ? hf_cell_count(r->cycles) : hf_cell_none());
}

static uint64_t packets_of(const hf_messaging_result *r) {
    return r->n_packet[HF_PROTOCOL_MSG] + r->n_packet[HF_PROTOCOL_ACK] + r->n_packet[HF_PROTOCOL_CONF];
}

static void put_counts(asking *a, const hf_messaging_result *lossy, const hf_messaging_result *perfect) {
    const uint64_t count[] = {lossy->n_lost,
                              lossy->n_duplicate,
                              lossy->n_lost + lossy->n_duplicate,
                              perfect->path_hops,
                              perfect->path_messages,
                              lossy->path_hops,
                              lossy->path_messages,
                              lossy->n_message,
                              packets_of(lossy),
                              packets_of(perfect),
                              lossy->n_packet[HF_PROTOCOL_MSG],
                              lossy->n_packet[HF_PROTOCOL_ACK],
                              lossy->n_packet[HF_PROTOCOL_CONF],
                              lossy->n_dropped,
                              lossy->n_damaged,
                              lossy->n_refused};
    for (size_t i = 0; i < sizeof count / sizeof *count; i++) {
        put_count(a, count[i]);
    }
}

static void put_row(asking *a, const source *from, const hf_messaging *m, const hf_messaging_result *lossy,
                    const hf_messaging_result *perfect) {
    const bool is_complete = lossy->is_complete && perfect->is_complete;
    hf_report_cell(a->answer, hf_cell_word(from->name));
    hf_report_cell(a->answer, hf_cell_word(m->network.topology ? m->network.topology : hf_network_kind_name(m->network.kind)));
    put_count(a, from->program->n_node);
    hf_report_cell(a->answer, hf_cell_flag(is_complete));
    put_time(a, perfect);
    put_time(a, lossy);
    put_ratio(a, is_complete, lossy->cycles, perfect->cycles);
    put_ratio(a, true, lossy->n_packet[HF_PROTOCOL_MSG], lossy->n_message);
    put_counts(a, lossy, perfect);
    a->all_complete &= is_complete;
    a->all_right &= is_complete && lossy->n_lost + lossy->n_duplicate == 0;
}

static hf_status run_on(asking *a, const source *from, const hf_messaging *lossy) {
    const hf_mark mark = hf_scratch_mark(a->cx);
    hf_messaging_result of_lossy, of_perfect;
    hf_messaging perfect = *lossy;
    hf_network *network;
    perfect.is_buffered = true;
    perfect.flit_bits = perfect.clock_percent = 0;
    HF_TRY(hf_network_open(a->cx, &lossy->network, from->program->n_node, lossy->seed, &network));
    hf_status status = hf_messaging_run_on(a->cx, lossy, network, from->program, &of_lossy);
    status = status == HF_OK ? hf_messaging_run_on(a->cx, &perfect, network, from->program, &of_perfect) : status;
    hf_network_close(network);
    hf_scratch_reset(a->cx, mark);
    if (status == HF_OK) {
        put_row(a, from, lossy, &of_lossy, &of_perfect);
    }
    return status;
}

static hf_status run(asking *a, const source *from) {
    hf_messaging network[HF_NETWORKS];
    const size_t n = hf_messaged_networks(&a->each, &a->args->choice, network);
    for (size_t k = 0; k < n; k++) {
        HF_TRY(run_on(a, from, &network[k]));
    }
    return HF_OK;
}

static hf_status run_all(asking *a) {
    a->answer->title = "time with idempotent messaging, and on a perfect network";
    a->all_complete = a->all_right = true;
    HF_TRY(use_programs(a, run));
    if (a->all_complete) {
        hf_report_hide(a->answer, "complete");
    }
    a->answer->answer = a->all_right ? HF_ANSWER_YES : HF_ANSWER_NO;
    return HF_OK;
}

/* ---- all backoffs ---- */

static const hf_column search_columns[] = {{"backoff", "backoff", NULL, HF_COLUMN_WORD, 6, 0},
                                           {"constant_cycles", "C", "cycles", HF_COLUMN_COUNT, 6, 0},
                                           {"worst", "worst", NULL, HF_COLUMN_REAL, 4, 0},
                                           {"least_worst", "least worst", NULL, HF_COLUMN_FLAG, 6, 0},
                                           {"mean", "mean", NULL, HF_COLUMN_REAL, 4, 0},
                                           {"least_mean", "least mean", NULL, HF_COLUMN_FLAG, 6, 0},
                                           {"not_complete", "not complete", NULL, HF_COLUMN_COUNT, 6, 0},
                                           {0}};

/* Each constant with all four functions. */
static hf_status read_tries(asking *a, hf_backoff_try *tries, size_t *n) {
    const hf_list_form form = {.high = 1000000, .is_whole = true};
    double constant[CONSTANTS_MAX];
    size_t n_constant;
    if (!hf_read_list(a->args->constants, &form, CONSTANTS_MAX, constant, &n_constant)) {
        HF_FAIL(a->cx, HF_EINVAL, "--constants=%s is not right; need up to %d whole numbers from 0 to 1000000, such as 1,2,4",
                a->args->constants, CONSTANTS_MAX);
    }
    *n = 0;
    for (int b = 0; b < N_BACKOFF; b++) {
        for (size_t i = 0; i < n_constant; i++) {
            tries[(*n)++] = (hf_backoff_try){.backoff = (hf_backoff)b, .constant = (uint32_t)constant[i]};
        }
    }
    return HF_OK;
}

static hf_cell ratio_of(double x) { return isfinite(x) ? hf_cell_real(x) : hf_cell_none(); }

static void put_tries(asking *a, const hf_backoff_try *tries, size_t n) {
    const hf_backoff_try *worst = tries, *mean = tries;
    for (size_t i = 1; i < n; i++) {
        worst = tries[i].worst < worst->worst ? &tries[i] : worst;
        mean = tries[i].mean < mean->mean ? &tries[i] : mean;
    }
    a->answer->answer = isfinite(worst->worst) ? HF_ANSWER_YES : HF_ANSWER_NO;
    for (const hf_backoff_try *t = tries; t < tries + n; t++) {
        hf_report_cell(a->answer, hf_cell_word(hf_backoff_name(t->backoff)));
        put_count(a, t->constant);
        hf_report_cell(a->answer, ratio_of(t->worst));
        hf_report_cell(a->answer, hf_cell_flag(t == worst && isfinite(t->worst)));
        hf_report_cell(a->answer, ratio_of(t->mean));
        hf_report_cell(a->answer, hf_cell_flag(t == mean && isfinite(t->mean)));
        put_count(a, t->n_incomplete);
    }
}

static hf_status search(asking *a) {
    hf_benchmark_options program[HF_BENCHMARKS];
    hf_messaging network[HF_NETWORKS];
    hf_backoff_try tries[CONSTANTS_MAX * N_BACKOFF];
    size_t n;
    const size_t n_program = hf_messaged_programs(&a->each, &a->args->choice, a->n_node, program),
                 n_network = hf_messaged_networks(&a->each, &a->args->choice, network);
    a->answer->title = "time with each backoff over the best time: in the worst case, and on average";
    HF_TRY(read_tries(a, tries, &n));
    HF_TRY(hf_backoff_search(a->cx, program, n_program, network, n_network, tries, n));
    put_tries(a, tries, n);
    return HF_OK;
}

/* ---- the program itself ---- */

static const hf_column trace_columns[] = {{"benchmark", "benchmark", NULL, HF_COLUMN_WORD, 6, 0},
                                          {"nodes", "nodes", NULL, HF_COLUMN_COUNT, 6, 0},
                                          {"blocks", "blocks", NULL, HF_COLUMN_COUNT, 6, 0},
                                          {"messages", "messages", NULL, HF_COLUMN_COUNT, 6, 0},
                                          {0}};

static hf_status trace(asking *a, const source *from) {
    hf_text text;
    a->answer->title = "the program, as a trace file";
    hf_report_cell(a->answer, hf_cell_word(from->name));
    put_count(a, from->program->n_node);
    put_count(a, from->program->n_block);
    put_count(a, from->program->n_message);
    hf_text_init(a->cx, &text);
    const hf_status status = hf_program_print(a->cx, from->program, &text);
    if (status == HF_OK) {
        hf_report_attach(a->answer, "write-trace", text.data);
    }
    hf_text_free(&text);
    return status;
}

/* ---- the question ---- */

/* A trace is of one program, whatever it runs on. */
static hf_status check_trace(hf_context *cx, const hf_asked *asked) {
    static const char *const of_program[] = {"benchmark", "program", "nodes", "work", "iterations",
                                             "request",   "reply",   "seed",  NULL};
    const protocol_args *args = asked->args;
    const hf_param *p;
    for (size_t i = 0; (p = hf_question_param(asked->question, i)) != NULL; i++) {
        const bool is_of_scene = (asked->scene->topo && strcmp(p->name, "topology") == 0) ||
                                 (asked->scene->rule.spec && strcmp(p->name, "routing") == 0);
        if ((is_of_scene || hf_asked_given(asked, p->name)) && !of_program[hf_words_find(of_program, hf_slice_of(p->name))]) {
            HF_FAIL(cx, HF_EINVAL, "--%s means nothing to a trace; leave it out", p->name);
        }
    }
    if (!args->program && args->choice.benchmark == HF_BENCHMARKS) {
        HF_FAIL(cx, HF_EINVAL, "a trace is of one program; need --benchmark add, reverse, quicksort or nbody");
    }
    return HF_OK;
}

/* A trace file says all about its program. */
static hf_status check_program(hf_context *cx, const hf_asked *asked) {
    static const char *const others[] = {"nodes", "work", "iterations", "request", "reply"};
    const protocol_args *args = asked->args;
    for (size_t i = 0; args->program && i < sizeof others / sizeof *others; i++) {
        if (hf_asked_given(asked, others[i])) {
            HF_FAIL(cx, HF_EINVAL, "--program and --%s contradict each other: the file says what its program is", others[i]);
        }
    }
    return hf_asked_wants(asked, "write-trace") ? check_trace(cx, asked) : HF_OK;
}

static hf_status read_table(asking *a) {
    const hf_list_form form = {.high = 1000000000, .is_whole = true};
    const char *text = a->args->backoff_table;
    double cycles[HF_BACKOFF_TABLE_MAX];
    hf_protocol *p = &a->each.messaging.protocol;
    size_t n = 0;
    if ((p->backoff == HF_BACKOFF_TABLE) != (text != NULL)) {
        HF_FAIL(a->cx, HF_EINVAL, "--backoff=table and --backoff-table belong together; need both or neither");
    }
    if (text && !hf_read_list(text, &form, HF_BACKOFF_TABLE_MAX, cycles, &n)) {
        HF_FAIL(a->cx, HF_EINVAL, "--backoff-table=%s is not right; need 1 to %d whole numbers up to 1000000000, such as 3,12,27",
                text, HF_BACKOFF_TABLE_MAX);
    }
    for (size_t i = 0; i < n; i++) {
        p->backoff_table[i] = (uint32_t)cycles[i];
    }
    p->n_backoff_table = (uint32_t)n;
    return HF_OK;
}

/* The network of the scene in the place of the named ones. */
static hf_status take_scene(asking *a, const hf_scene *scene) {
    hf_network_spec *network = &a->each.messaging.network;
    if (scene->has & HF_SCENE_TOPOLOGY) {
        network->topology = scene->topo->spec;
        network->routing = scene->rule.spec;
        network->perfect_routing = a->args->perfect_routing;
        a->n_node = scene->topo->n_terminal;
    } else if (scene->has & HF_SCENE_ROUTING) {
        HF_FAIL(a->cx, HF_EINVAL, "--routing needs --topology: the named networks have their own");
    }
    return HF_OK;
}

static hf_status ask(hf_context *cx, const hf_asked *asked, hf_report *answer) {
    asking a = {.cx = cx, .args = asked->args, .answer = answer};
    char seed[24];
    a.each = a.args->each;
    (void)snprintf(seed, sizeof seed, "%" PRIu64, a.each.messaging.seed);
    hf_report_argument_as(answer, "seed", seed, HF_COLUMN_COUNT);
    HF_TRY(check_program(cx, asked));
    HF_TRY(read_table(&a));
    HF_TRY(take_scene(&a, asked->scene));
    return hf_asked_wants(asked, "write-trace") ? use_programs(&a, trace) : a.args->search ? search(&a) : run_all(&a);
}

static const hf_param params[] = {
    {.name = "program",
     .type = HF_PARAM_TEXT,
     .flags = HF_PARAM_OPTIONAL,
     .without = "search",
     .unit = "file",
     .help = "the program of a trace file (docs/protocol.md) instead of a benchmark",
     HF_FIELD(protocol_args, program)},
    {.name = "perfect-routing",
     .type = HF_PARAM_TEXT,
     .flags = HF_PARAM_OPTIONAL,
     .with = "topology",
     .unit = "spec",
     .help = "the rule on the perfect network, where it must not deadlock (default the same)",
     HF_FIELD(protocol_args, perfect_routing)},
    {.name = "search",
     .type = HF_PARAM_BOOL,
     .fallback = "no",
     .help = "try all backoffs with each of --constants: time over the best, worst case and mean",
     HF_FIELD(protocol_args, search)},
    {.name = "constants",
     .type = HF_PARAM_TEXT,
     .fallback = "1,2,3,4,6,8,12,16,24,32",
     .with = "search",
     .unit = "list",
     .help = "constants of the backoff to try, cycles",
     HF_FIELD(protocol_args, constants)},
    {.name = "backoff-table",
     .type = HF_PARAM_TEXT,
     .flags = HF_PARAM_OPTIONAL,
     .without = "search",
     .unit = "list",
     .help = "--backoff table: cycles after attempt 1, 2 and so on, such as 3,12,27,48; the last from then on",
     HF_FIELD(protocol_args, backoff_table)},
    {0}};
static const hf_group group = {.name = "protocol", .params = params};
static const hf_question_part parts[] = {{.group = &hf_messaged_choice_group, .at = offsetof(protocol_args, choice)},
                                         {.group = &group},
                                         {.group = &hf_messaged_group, .at = offsetof(protocol_args, each)},
                                         {0}};
static const hf_param attachments[] = {{.name = "write-trace",
                                        .was = "trace",
                                        .unit = "file",
                                        .help = "write the program as a trace file, and how large it is, instead of running it"},
                                       {0}};
static const hf_question_form forms[] = {{"write-trace", "programs", trace_columns}, {"search", "backoffs", search_columns}, {0}};

const hf_question hf_question_protocol = {
    .name = "protocol",
    .summary = "idempotent messaging over networks that lose packets: what it costs",
    .about = "Simulates programs over a network that drops packets on contention, and over a perfect one.\n"
             "Status 1: not complete within --cycles, or a message lost or acted on twice. With --search status 1\n"
             "means that no backoff completes every run. Whether the protocol is safe tells `holdfast check-protocol`.\n"
             "`protocol run` says the same, `protocol backoff` is --search, `protocol trace` is --format trace, and\n"
             "`protocol check` is check-protocol.\n\n"
             "With --topology the programs run on that network, a node a terminal, by --routing (default minimal).\n\n"
             "Example: holdfast protocol --benchmark add --network grid2d\n"
             "Example: holdfast protocol --benchmark reverse --topology torus:dims=8x8 --routing minimal --perfect-routing "
             "dor:vcs=2,dateline=yes",
    .source = "brown2002, sections 4 and 6",
    .scene_maybe = HF_SCENE_TOPOLOGY | HF_SCENE_ROUTING,
    .parts = parts,
    .args_size = sizeof(protocol_args),
    .attachments = attachments,
    .table = "runs",
    .columns = columns,
    .forms = forms,
    .ask = ask,
};
