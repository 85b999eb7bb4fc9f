/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Work with an end: traces, tasks with barriers, programs. Traces that a load makes. Packets that are put in place. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <holdfast/kernel.h>
#include <holdfast/protocol.h>

#include "src/analysis/deadlock/certificate.h"
#include "src/question/simulate.h"
#include "src/report/tree.h"

#define CYCLES_MOST UINT64_C(1000000000000) /* that a load generates for */

const hf_column hf_simulate_work[] = {{"work", "work", NULL, HF_COLUMN_WORD, 6, HF_COLUMN_ASKED},
                                      {"load", "load", "flits/cycle/terminal", HF_COLUMN_REAL, 6, 0},
                                      {"state", "state", NULL, HF_COLUMN_WORD, 6, 0},
                                      {"ended", "ended", NULL, HF_COLUMN_FLAG, 6, HF_COLUMN_ASKED},
                                      {"exact", "exact", NULL, HF_COLUMN_FLAG, 6, HF_COLUMN_ASKED},
                                      {"cycles", "cycles", "cycles", HF_COLUMN_BIG_COUNT, 6, 0},
                                      {"task", "a task", "cycles", HF_COLUMN_ESTIMATE, 5, 0},
                                      {"messages", "messages", NULL, HF_COLUMN_BIG_COUNT, 6, 0},
                                      {"delivered", "delivered", NULL, HF_COLUMN_BIG_COUNT, 6, 0},
                                      {"lost", "lost", NULL, HF_COLUMN_BIG_COUNT, 6, 0},
                                      {"relayed", "passed on", NULL, HF_COLUMN_BIG_COUNT, 6, 0},
                                      {"flits", "flits", NULL, HF_COLUMN_BIG_COUNT, 6, 0},
                                      {"packets", "packets", NULL, HF_COLUMN_BIG_COUNT, 6, HF_COLUMN_ASKED},
                                      {"flit_hops", "flit hops", NULL, HF_COLUMN_BIG_COUNT, 6, HF_COLUMN_ASKED},
                                      {"resent", "packets sent again", NULL, HF_COLUMN_BIG_COUNT, 6, HF_COLUMN_ASKED},
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

/* ---- work ---- */

static hf_status open_trace(simulate *s, hf_work *out) {
    HF_TRY(hf_scratch_print(s->cx, &out->what, "trace %s", s->args->trace));
    return hf_messages_load(s->cx, s->args->trace, s->scene->topo->n_terminal, &out->messages);
}

static hf_status open_barrier(simulate *s, hf_work *out) {
    char *spec;
    HF_TRY(hf_barrier_parse(s->cx, s->args->barrier, &out->barrier, &spec));
    const hf_status status = hf_scratch_print(s->cx, &out->what, "%s", spec);
    hf_release(hf_context_allocator(s->cx), spec);
    return status;
}

/* A published one, an application that is generated, or one from a trace file. */
static hf_status open_program(simulate *s, hf_work *out) {
    const char *name = s->args->program;
    hf_benchmark_options options = {.n_node = s->scene->topo->n_terminal, .seed = s->s.seed};
    hf_application application;
    HF_TRY(hf_scratch_print(s->cx, &out->what, "program %s", name));
    if (hf_benchmark_find(s->cx, name, strlen(name), &options.benchmark) == HF_OK) {
        return hf_benchmark_program(s->cx, &options, &out->program);
    }
    const hf_status found = hf_application_parse(s->cx, name, &application);
    if (found != HF_ENOENT) {
        HF_TRY(found);
        return hf_application_program(s->cx, &application, options.n_node, options.seed, &out->program);
    }
    const hf_status status = hf_program_read_file(s->cx, name, &out->program);
    if (status == HF_ENOENT) {
        HF_FAIL(s->cx, HF_EINVAL,
                "--program=%s is not right; need add, reverse, quicksort, nbody, fft, radix, lu or a trace file", name);
    }
    return status;
}

hf_status hf_work_open(simulate *s, hf_work *out) {
    *out = (hf_work){.s = s};
    return s->args->trace     ? open_trace(s, out)
           : s->args->barrier ? open_barrier(s, out)
           : s->args->program ? open_program(s, out)
                              : hf_scratch_print(s->cx, &out->what, "what is generated in %" PRIu64 " cycles", s->args->generate);
}

void hf_work_close(hf_work *work) {
    hf_messages_free(&work->messages);
    hf_program_free(&work->program);
}

static hf_status generate(hf_context *cx, const simulate *s, const hf_plan *plan, double load, uint64_t cycles,
                          hf_messages *out) {
    const hf_generation g = {.plan = plan,
                             .traffic = s->scene->traffic,
                             .load = load,
                             .burst = s->s.burst,
                             .packet_length = s->s.kernel.packet_length,
                             .message_flits = s->args->message ? s->args->message : s->s.kernel.packet_length,
                             .seed = s->s.seed,
                             .cycles = cycles};
    return hf_messages_generate(cx, &g, out);
}

static hf_status play_generated(hf_context *cx, const hf_work *work, const hf_play *play, double load, hf_play_result *out) {
    hf_messages messages;
    HF_TRY(generate(cx, work->s, play->plan, load, work->s->args->generate, &messages));
    const hf_status status = hf_play_messages(cx, play, &messages, out);
    hf_messages_free(&messages);
    return status;
}

hf_play hf_work_play(const hf_work *work, const hf_plan *plan) {
    const simulate_args *args = work->s->args;
    return (hf_play){.plan = plan,
                     .kernel = work->s->s.kernel,
                     .cycle_limit = args->cycles,
                     .options = args->reconfiguration,
                     .resend = args->resend,
                     .window = args->series};
}

hf_status hf_work_run(hf_context *cx, const hf_work *work, const hf_play *play, double load, hf_played *out) {
    const simulate *s = work->s;
    *out = (hf_played){.task.mean = NAN};
    if (s->args->trace) {
        return hf_play_messages(cx, play, &work->messages, &out->result);
    }
    if (s->args->program) {
        return hf_play_program(cx, play, &work->program, &out->result);
    }
    if (s->args->generate) {
        return play_generated(cx, work, play, load, &out->result);
    }
    HF_TRY(hf_scratch(cx, work->barrier.tasks, sizeof *out->task_cycles, (void **)&out->task_cycles));
    HF_TRY(hf_play_barrier(cx, play, s->scene->traffic, &work->barrier, s->s.seed, &out->result, out->task_cycles, &out->task));
    uint32_t finished = 0;
    for (uint32_t i = 0; i < work->barrier.tasks; i++) {
        finished += !isnan(out->task_cycles[i]);
    }
    out->task.mean = finished ? out->task.mean : NAN;
    return HF_OK;
}

/* ---- its answer ---- */

static hf_json *json_tasks(const hf_work *work, const hf_played *p) {
    hf_json *tasks = p->task_cycles ? hf_json_array() : hf_json_null();
    for (uint32_t i = 0; p->task_cycles && i < work->barrier.tasks; i++) {
        hf_json_push(tasks, hf_json_real(p->task_cycles[i]));
    }
    return tasks;
}

static void put_row(const hf_work *work, double load, const hf_played *p) {
    const hf_play_result *r = &p->result;
    const simulate *s = work->s;
    hf_report *out = s->answer;
    const uint64_t counts[] = {r->messages, r->delivered, r->lost, r->relayed, r->flits, r->packets, r->flit_hops, r->resent};
    hf_report_cell(out, hf_cell_word(work->what));
    hf_report_cell(out, hf_cell_real(load));
    hf_report_cell(out, hf_cell_word(r->is_complete ? "complete" : r->n_blocked ? "deadlock" : "limit"));
    hf_report_cell(out, hf_cell_flag(r->is_complete));
    hf_report_cell(out, hf_cell_flag(hf_simulate_is_given_work(s)));
    hf_report_cell(out, hf_cell_count(r->cycles));
    hf_simulate_value(out, p->task, HF_INTERVAL_BATCHES);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        hf_report_cell(out, hf_cell_count(counts[i]));
    }
    hf_report_cell(out, hf_cell_real(r->cycles ? (double)r->flits / (double)r->cycles / s->scene->topo->n_terminal : NAN));
    hf_report_cell(out, hf_cell_real(r->latency));
    hf_report_cell(out, hf_cell_count(r->latency_max));
    hf_report_cell(out, hf_cell_real(r->network_latency));
    hf_report_cell(out, hf_cell_count(r->network_latency_max));
    hf_report_tree(out, hf_simulate_bins(r->histogram));
    hf_report_tree(out, json_tasks(work, p));
}

static hf_status head(const hf_work *work) {
    simulate *s = work->s;
    const bool has_traffic = s->args->barrier || s->args->generate;
    char *what;
    HF_TRY(hf_simulate_end_note(s, NULL));
    HF_TRY(hf_scratch_print(s->cx, &what, "%s%s%s", work->what, has_traffic ? ", traffic " : "",
                            has_traffic ? s->scene->traffic->spec : ""));
    return hf_simulate_head(s, what);
}

/* What came about in time, and of what failed meanwhile. */
static hf_status add_course(const hf_work *work, const hf_simulate_events *events, const hf_play_result *r) {
    simulate *s = work->s;
    if (s->args->series) {
        hf_simulate_begin_windows(s->answer, false);
        hf_simulate_put_windows(s->answer, NULL, r->window, r->n_window);
        HF_TRY(hf_simulate_draw_series(s, &(hf_simulate_series){work->what, r->n_window, r->window, events, r->reconfiguration}));
    }
    return events->n ? hf_simulate_add_faults(s, events, r->reconfiguration) : HF_OK;
}

static hf_status add_tables(const hf_work *work, const hf_simulate_events *events, const hf_played *p, size_t n) {
    simulate *s = work->s;
    const hf_played *stuck = NULL;
    for (size_t i = 0; i < n; i++) {
        put_row(work, s->args->generate ? s->load[i] : NAN, &p[i]);
        stuck = stuck || p[i].result.n_blocked == 0 ? stuck : &p[i];
    }
    HF_TRY(head(work));
    HF_TRY(add_course(work, events, &p->result));
    if (s->args->histogram) {
        hf_simulate_begin_histogram(s);
        for (size_t i = 0; i < n; i++) {
            hf_simulate_put_histogram(s, s->args->generate ? s->load[i] : NAN, p[i].result.histogram);
        }
    }
    s->answer->answer = stuck ? HF_ANSWER_NO : HF_ANSWER_YES;
    return stuck ? hf_simulate_add_blocked(s, stuck->result.blocked, stuck->result.n_blocked) : HF_OK;
}

static hf_status run_all(const hf_work *work) {
    const simulate *s = work->s;
    const size_t n = s->args->generate ? s->n_load : 1;
    hf_simulate_events events;
    hf_played *played;
    hf_play play = hf_work_play(work, &s->plan);
    HF_TRY(hf_simulate_read_events(s, &events));
    play.fault = events.fault;
    play.n_fault = events.n;
    HF_TRY(hf_scratch(s->cx, n, sizeof *played, (void **)&played));
    for (size_t i = 0; i < n; i++) {
        HF_TRY(hf_work_run(s->cx, work, &play, s->args->generate ? s->load[i] : 0, &played[i]));
    }
    return add_tables(work, &events, played, n);
}

hf_status hf_simulate_ask_work(simulate *s) {
    hf_work work;
    hf_status status = hf_work_open(s, &work);
    status = status == HF_OK ? run_all(&work) : status;
    hf_work_close(&work);
    return status;
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
    made m = {.cx = s->cx};
    uint64_t flits = 0;
    if (s->args->cycles > CYCLES_MOST) {
        HF_FAIL(s->cx, HF_ERANGE, "--cycles=%" PRIu64 " is out of range; need 1 to %" PRIu64, s->args->cycles, CYCLES_MOST);
    }
    HF_TRY(generate(s->cx, s, &s->plan, s->load[0], s->args->cycles, &m.messages));
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
    s->s.kernel.bubble = net->control.bubble;
    s->s.kernel.flow = net->control.spec;
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
    if (net->plan.classes) {
        HF_FAIL(s->cx, HF_ENOTSUP, "%s has classes of messages; --replay puts packets of one kind in place", c->file);
    }
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
