/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Work with an end: traces, tasks with barriers, programs. Traces that a load makes. Packets that are put in place. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <holdfast/kernel.h>
#include <holdfast/protocol.h>

#include "src/analysis/deadlock/certificate.h"
#include "src/question/simulate.h"
#include "src/report/tree.h"

const hf_column hf_simulate_work[] = {{"work", "work", NULL, HF_COLUMN_WORD, 6, HF_COLUMN_ASKED},
                                      {"state", "state", NULL, HF_COLUMN_WORD, 6, 0},
                                      {"cycles", "cycles", "cycles", HF_COLUMN_BIG_COUNT, 6, 0},
                                      {"task", "a task", "cycles", HF_COLUMN_ESTIMATE, 5, 0},
                                      {"messages", "messages", NULL, HF_COLUMN_BIG_COUNT, 6, 0},
                                      {"delivered", "delivered", NULL, HF_COLUMN_BIG_COUNT, 6, 0},
                                      {"lost", "lost", NULL, HF_COLUMN_BIG_COUNT, 6, 0},
                                      {"relayed", "passed on", NULL, HF_COLUMN_BIG_COUNT, 6, 0},
                                      {"flits", "flits", NULL, HF_COLUMN_BIG_COUNT, 6, 0},
                                      {"packets", "packets", NULL, HF_COLUMN_BIG_COUNT, 6, HF_COLUMN_ASKED},
                                      {"flit_hops", "flit hops", NULL, HF_COLUMN_BIG_COUNT, 6, HF_COLUMN_ASKED},
                                      {"accepted", "accepted", "flits/cycle/terminal", HF_COLUMN_REAL, 4, 0},
                                      {"latency", "latency", "cycles", HF_COLUMN_REAL, 5, 0},
                                      {"latency_max", "longest", "cycles", HF_COLUMN_BIG_COUNT, 6, 0},
                                      {"network_latency", "network latency", "cycles", HF_COLUMN_REAL, 5, 0},
                                      {"network_latency_max", "longest in it", "cycles", HF_COLUMN_BIG_COUNT, 6, 0},
                                      {"latency_histogram", "histogram", NULL, HF_COLUMN_TREE, 6, HF_COLUMN_JSON},
                                      {"task_cycles", "cycles of each task", NULL, HF_COLUMN_TREE, 6, HF_COLUMN_JSON},
                                      {0}};
const hf_column hf_simulate_trace[] = {
    {"messages", "messages", NULL, HF_COLUMN_BIG_COUNT, 6, 0}, {"flits", "flits", NULL, HF_COLUMN_BIG_COUNT, 6, 0}, {0}};
const hf_column hf_simulate_replay[] = {{"packets", "packets put in place", NULL, HF_COLUMN_COUNT, 6, 0},
                                        {"cycles", "cycles", "cycles", HF_COLUMN_BIG_COUNT, 6, 0},
                                        {"flit_hops", "flits moved", NULL, HF_COLUMN_BIG_COUNT, 6, 0},
                                        {"blocked", "in deadlock afterwards", NULL, HF_COLUMN_COUNT, 6, 0},
                                        {"moved", "some can move", NULL, HF_COLUMN_FLAG, 6, 0},
                                        {0}};

/** What is played, and what came of it. */
typedef struct playing {
    simulate *s;
    hf_play play;
    hf_play_result result;
    hf_barrier barrier;
    double *task_cycles; /* barrier.tasks; NULL: there are no tasks */
    hf_batch_mean task;
    char *what; /* in words */
} playing;

/* ---- work ---- */

static hf_status play_trace(playing *p) {
    hf_context *cx = p->s->cx;
    const char *file = p->s->args->trace;
    hf_messages messages;
    HF_TRY(hf_scratch_print(cx, &p->what, "trace %s", file));
    HF_TRY(hf_messages_load(cx, file, p->s->scene->topo->n_terminal, &messages));
    const hf_status status = hf_play_messages(cx, &p->play, &messages, &p->result);
    hf_messages_free(&messages);
    return status;
}

static hf_status play_barrier(playing *p) {
    const simulate *s = p->s;
    char *spec;
    HF_TRY(hf_barrier_parse(s->cx, s->args->barrier, &p->barrier, &spec));
    const hf_status status = hf_scratch_print(s->cx, &p->what, "%s", spec);
    hf_release(hf_context_allocator(s->cx), spec);
    HF_TRY(status);
    HF_TRY(hf_scratch(s->cx, p->barrier.tasks, sizeof *p->task_cycles, (void **)&p->task_cycles));
    return hf_play_barrier(s->cx, &p->play, s->scene->traffic, &p->barrier, s->s.seed, &p->result, p->task_cycles, &p->task);
}

/* A published one, or one from a trace file. */
static hf_status find_program(const simulate *s, hf_program *out) {
    const char *name = s->args->program;
    hf_benchmark_options options = {.n_node = s->scene->topo->n_terminal, .seed = s->s.seed};
    if (hf_benchmark_find(s->cx, name, strlen(name), &options.benchmark) == HF_OK) {
        return hf_benchmark_program(s->cx, &options, out);
    }
    const hf_status status = hf_program_read_file(s->cx, name, out);
    if (status == HF_ENOENT) {
        HF_FAIL(s->cx, HF_EINVAL, "--program=%s is not right; need add, reverse, quicksort, nbody or a trace file", name);
    }
    return status;
}

static hf_status play_program(playing *p) {
    hf_program program;
    HF_TRY(hf_scratch_print(p->s->cx, &p->what, "program %s", p->s->args->program));
    HF_TRY(find_program(p->s, &program));
    const hf_status status = hf_play_program(p->s->cx, &p->play, &program, &p->result);
    hf_program_free(&program);
    return status;
}

/* ---- its answer ---- */

static void put_task(const playing *p) {
    uint32_t finished = 0;
    for (uint32_t i = 0; p->task_cycles && i < p->barrier.tasks; i++) {
        finished += !isnan(p->task_cycles[i]);
    }
    hf_simulate_value(p->s->answer, finished ? p->task : (hf_batch_mean){.mean = NAN}, 1);
}

static hf_json *json_tasks(const playing *p) {
    hf_json *tasks = p->task_cycles ? hf_json_array() : hf_json_null();
    for (uint32_t i = 0; p->task_cycles && i < p->barrier.tasks; i++) {
        hf_json_push(tasks, hf_json_real(p->task_cycles[i]));
    }
    return tasks;
}

static void put_row(const playing *p) {
    const hf_play_result *r = &p->result;
    hf_report *out = p->s->answer;
    const uint64_t counts[] = {r->messages, r->delivered, r->lost, r->relayed, r->flits, r->packets, r->flit_hops};
    const double cycles = (double)r->cycles;
    hf_report_cell(out, hf_cell_word(p->what));
    hf_report_cell(out, hf_cell_word(r->is_complete ? "complete" : r->n_blocked ? "deadlock" : "limit"));
    hf_report_cell(out, hf_cell_count(r->cycles));
    put_task(p);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        hf_report_cell(out, hf_cell_count(counts[i]));
    }
    hf_report_cell(out, hf_cell_real(r->cycles ? (double)r->flits / cycles / p->s->scene->topo->n_terminal : NAN));
    hf_report_cell(out, hf_cell_real(r->latency));
    hf_report_cell(out, hf_cell_count(r->latency_max));
    hf_report_cell(out, hf_cell_real(r->network_latency));
    hf_report_cell(out, hf_cell_count(r->network_latency_max));
    hf_report_tree(out, hf_simulate_bins(r->histogram));
    hf_report_tree(out, json_tasks(p));
}

static hf_status add_tables(playing *p) {
    simulate *s = p->s;
    char *work;
    put_row(p);
    HF_TRY(hf_simulate_end_note(s, NULL));
    HF_TRY(hf_scratch_print(s->cx, &work, "%s%s%s", p->what, p->task_cycles ? ", traffic " : "",
                            p->task_cycles ? s->scene->traffic->spec : ""));
    HF_TRY(hf_simulate_head(s, work));
    if (s->args->histogram && p->result.delivered > 0) {
        hf_simulate_begin_histogram(s);
        hf_simulate_put_histogram(s, NAN, p->result.histogram);
    }
    s->answer->answer = p->result.n_blocked ? HF_ANSWER_NO : HF_ANSWER_YES;
    return p->result.n_blocked ? hf_simulate_add_blocked(s, p->result.blocked, p->result.n_blocked) : HF_OK;
}

hf_status hf_simulate_ask_work(simulate *s) {
    playing p = {.s = s, .play = {.plan = &s->plan, .kernel = s->s.kernel, .cycle_limit = s->args->cycles}};
    HF_TRY(s->args->trace ? play_trace(&p) : s->args->barrier ? play_barrier(&p) : play_program(&p));
    return add_tables(&p);
}

/* ---- a trace ---- */

typedef struct made {
    hf_context *cx;
    hf_messages messages;
} made;

static hf_status print_messages(const void *user, hf_text *out) {
    const made *m = user;
    return hf_messages_print(m->cx, &m->messages, out);
}

hf_status hf_simulate_ask_trace(simulate *s) {
    const hf_generation g = {.plan = &s->plan,
                             .traffic = s->scene->traffic,
                             .load = s->load[0],
                             .burst = s->s.burst,
                             .packet_length = s->s.kernel.packet_length,
                             .message_flits = s->args->message ? s->args->message : s->s.kernel.packet_length,
                             .seed = s->s.seed,
                             .cycles = s->args->cycles};
    made m = {.cx = s->cx};
    uint64_t flits = 0;
    if (g.cycles > UINT64_C(1000000000000)) {
        HF_FAIL(s->cx, HF_ERANGE, "--cycles=%" PRIu64 " is out of range; need 1 to 1000000000000", g.cycles);
    }
    HF_TRY(hf_messages_generate(s->cx, &g, &m.messages));
    for (size_t i = 0; i < m.messages.n; i++) {
        flits += m.messages.item[i].flits;
    }
    hf_report_cell(s->answer, hf_cell_count(m.messages.n));
    hf_report_cell(s->answer, hf_cell_count(flits));
    hf_status status = hf_simulate_head(s, NULL);
    status = status == HF_OK ? hf_asked_attach(s->asked, s->answer, "write-trace", &m, print_messages) : status;
    hf_messages_free(&m.messages);
    return status;
}

/* ---- packets put in place ---- */

enum { FILE_LIMIT = 1 << 30 };

static hf_status put_in_place(simulate *s, const hf_certificate *c, const hf_certificate_net *net) {
    hf_context *cx = s->cx;
    const uint32_t n = (uint32_t)hf_json_count(c->blocked);
    hf_kernel *k;
    hf_blocked *blocked, *found;
    uint32_t n_found;
    HF_TRY(hf_scratch(cx, n, sizeof *blocked, (void **)&blocked));
    for (uint32_t i = 0; i < n; i++) {
        HF_TRY(hf_certificate_packet(c, net, i, &blocked[i]));
    }
    s->s.kernel.switching = c->switching;
    HF_TRY(hf_kernel_new(cx, &net->plan, &s->s.kernel, &k));
    HF_TRY(hf_kernel_place(k, blocked, n));
    HF_TRY(hf_kernel_run(k, s->s.window));
    const uint64_t moved = hf_kernel_read(k)->flit_hops;
    HF_TRY(hf_kernel_deadlock(k, &found, &n_found));
    hf_report_cell(s->answer, hf_cell_count(n));
    hf_report_cell(s->answer, hf_cell_count(s->s.window));
    hf_report_cell(s->answer, hf_cell_count(moved));
    hf_report_cell(s->answer, hf_cell_count(n_found));
    hf_report_cell(s->answer, hf_cell_flag(moved > 0));
    s->answer->answer = moved ? HF_ANSWER_NO : HF_ANSWER_YES;
    return HF_OK;
}

static hf_status replay(simulate *s, const hf_certificate *c, hf_certificate_net *net) {
    char *title;
    HF_TRY(hf_certificate_open(c, net));
    HF_TRY(put_in_place(s, c, net));
    HF_TRY(hf_scratch_print(s->cx, &title, "%s, %s, %s", net->topo->spec, net->rule.spec, hf_switching_name(c->switching)));
    s->answer->title = title;
    hf_report_argument(s->answer, "topology", net->topo->spec);
    hf_report_argument(s->answer, "routing", net->rule.spec);
    hf_report_argument(s->answer, "switching", hf_switching_name(c->switching));
    return hf_simulate_head(s, NULL);
}

static hf_status read_certificate(simulate *s, const hf_json *root) {
    hf_certificate c;
    hf_certificate_net net = {0};
    HF_TRY(hf_certificate_read(s->cx, s->args->replay, root, &c));
    if (c.answer != HF_DEADLOCK_FOUND) {
        HF_FAIL(s->cx, HF_EINVAL, "%s holds no deadlock; need the verdict \"deadlock\", not \"%s\"", c.file,
                hf_deadlock_answer_name(c.answer));
    }
    const hf_status status = replay(s, &c, &net);
    hf_certificate_net_free(&net);
    return status;
}

hf_status hf_simulate_ask_replay(simulate *s) {
    const char *file = s->args->replay;
    hf_json *root = NULL;
    hf_text text;
    hf_text_init(s->cx, &text);
    hf_status status = hf_text_load(s->cx, file, FILE_LIMIT, &text);
    status = status == HF_OK ? hf_json_parse(s->cx, file, text.data ? text.data : "", text.size, &root) : status;
    status = status == HF_OK ? read_certificate(s, root) : status;
    hf_json_free(root);
    hf_text_free(&text);
    return status;
}
