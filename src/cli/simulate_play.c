/* SPDX-License-Identifier: GPL-3.0-or-later */
/* holdfast simulate for work with an end: traces, tasks with barriers, programs. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/cli/simulate.h"

/** What is played, and what came of it. */
typedef struct playing {
    const simulate *s;
    hf_play_result result;
    hf_barrier barrier;
    double *task_cycles;
    hf_batch_mean task; /**< of a barrier */
    const char *what;   /**< in words */
} playing;

bool simulate_plays(const cli *c) { return cli_has(c, "trace") || cli_has(c, "barrier") || cli_has(c, "program"); }

/* ---- work ---- */

static hf_status play_trace(playing *p, const hf_play *play) {
    const cli *c = p->s->c;
    hf_messages messages;
    HF_TRY(hf_scratch_print(c->cx, (char **)&p->what, "trace %s", cli_value(c, "trace")));
    HF_TRY(hf_messages_load(c->cx, cli_value(c, "trace"), p->s->net.topo->n_terminal, &messages));
    const hf_status status = hf_play_messages(c->cx, play, &messages, &p->result);
    hf_messages_free(&messages);
    return status;
}

static hf_status read_barrier(const cli *c, hf_barrier *out, const char **what) {
    char *spec;
    HF_TRY(hf_barrier_parse(c->cx, cli_value(c, "barrier"), out, &spec));
    const hf_status status = hf_scratch_print(c->cx, (char **)what, "%s", spec);
    hf_release(hf_context_allocator(c->cx), spec);
    return status;
}

static hf_status play_barrier(playing *p, const hf_play *play) {
    const simulate *s = p->s;
    HF_TRY(read_barrier(s->c, &p->barrier, &p->what));
    HF_TRY(hf_scratch(s->c->cx, p->barrier.tasks, sizeof *p->task_cycles, (void **)&p->task_cycles));
    return hf_play_barrier(s->c->cx, play, s->traffic, &p->barrier, s->s.seed, &p->result, p->task_cycles, &p->task);
}

/* A published one, or one from a trace file. */
static hf_status find_program(const simulate *s, hf_program *out) {
    hf_context *cx = s->c->cx;
    const char *name = cli_value(s->c, "program");
    hf_benchmark_options options = {.n_node = s->net.topo->n_terminal, .seed = s->s.seed};
    if (hf_benchmark_find(cx, name, strlen(name), &options.benchmark) == HF_OK) {
        return hf_benchmark_program(cx, &options, out);
    }
    const hf_status status = hf_program_read_file(cx, name, out);
    if (status == HF_ENOENT) {
        HF_FAIL(cx, HF_EINVAL, "--program=%s is not right; need add, reverse, quicksort, nbody or a trace file", name);
    }
    return status;
}

static hf_status play_program(playing *p, const hf_play *play) {
    const simulate *s = p->s;
    hf_program program;
    HF_TRY(hf_scratch_print(s->c->cx, (char **)&p->what, "program %s", cli_value(s->c, "program")));
    HF_TRY(find_program(s, &program));
    const hf_status status = hf_play_program(s->c->cx, play, &program, &p->result);
    hf_program_free(&program);
    return status;
}

/* ---- output ---- */

static const char *state_of(const hf_play_result *r) { return r->is_complete ? "complete" : r->n_blocked ? "deadlock" : "limit"; }

static double accepted(const playing *p) {
    return p->result.cycles ? (double)p->result.flits / (double)p->result.cycles / p->s->net.topo->n_terminal : NAN;
}

static hf_status number_cell(hf_context *cx, cli_table *t, double value, int digits) {
    return isnan(value) ? cli_table_cell(cx, t, "-") : cli_table_cell(cx, t, "%.*f", digits, value);
}

static hf_status whole_cell(hf_context *cx, cli_table *t, uint64_t value) { return cli_table_cell(cx, t, "%" PRIu64, value); }

static hf_status make_table(const playing *p, const char *const *header, cli_table *t) {
    static const bool is_number[] = {true, true, true, true, true, true, true, true, true, true, true, true, true, false};
    const hf_play_result *r = &p->result;
    hf_context *cx = p->s->c->cx;
    HF_TRY(cli_table_start(cx, t, header, is_number, sizeof is_number / sizeof *is_number, 1));
    HF_TRY(whole_cell(cx, t, r->cycles));
    HF_TRY(whole_cell(cx, t, r->messages));
    HF_TRY(whole_cell(cx, t, r->delivered));
    HF_TRY(whole_cell(cx, t, r->lost));
    HF_TRY(whole_cell(cx, t, r->relayed));
    HF_TRY(whole_cell(cx, t, r->flits));
    HF_TRY(number_cell(cx, t, accepted(p), 4));
    HF_TRY(number_cell(cx, t, r->latency, 2));
    HF_TRY(whole_cell(cx, t, r->latency_max));
    HF_TRY(number_cell(cx, t, r->network_latency, 2));
    HF_TRY(whole_cell(cx, t, r->network_latency_max));
    HF_TRY(number_cell(cx, t, p->task_cycles ? p->task.mean : NAN, 1));
    HF_TRY(number_cell(cx, t, p->task_cycles ? p->task.half : NAN, 1));
    return cli_table_cell(cx, t, "%s", state_of(r));
}

static hf_status print_csv(const playing *p) {
    static const char *const header[] = {"cycles",
                                         "messages",
                                         "delivered",
                                         "lost",
                                         "relayed",
                                         "flits",
                                         "accepted",
                                         "latency",
                                         "latency_max",
                                         "network_latency",
                                         "network_latency_max",
                                         "task_cycles",
                                         "task_cycles_half",
                                         "state"};
    cli_table t;
    hf_text out;
    HF_TRY(make_table(p, header, &t));
    hf_text_init(p->s->c->cx, &out);
    hf_status status = hf_table_csv(p->s->c->cx, &t.table, &out);
    status = status == HF_OK ? cli_put(p->s->c, &out) : status;
    hf_text_free(&out);
    return status;
}

static void print_task(const playing *p, hf_text *out) {
    uint32_t finished = 0;
    for (uint32_t i = 0; i < p->barrier.tasks; i++) {
        finished += !isnan(p->task_cycles[i]);
    }
    if (finished == 0) {
        hf_text_print(out, "%-20s none was finished\n", "a task");
    } else if (isnan(p->task.half)) {
        hf_text_print(out, "%-20s %.1f cycles, too few for an interval\n", "a task", p->task.mean);
    } else {
        hf_text_print(out, "%-20s %.1f +- %.1f cycles (95%%), %" PRIu32 " task%s\n", "a task", p->task.mean, p->task.half,
                      finished, hf_plural(finished));
    }
}

static hf_status print_work(const playing *p, hf_text *out) {
    char *work = NULL;
    HF_TRY(hf_scratch_print(p->s->c->cx, &work, "%s%s%s", p->what, p->task_cycles ? ", traffic " : "",
                            p->task_cycles ? p->s->traffic->spec : ""));
    simulate_print_work(p->s, work, out);
    return HF_OK;
}

static hf_status print_text(const playing *p) {
    const hf_play_result *r = &p->result;
    hf_text out;
    hf_text_init(p->s->c->cx, &out);
    HF_TRY(print_work(p, &out));
    hf_text_print(&out, "%-20s %s after %" PRIu64 " cycle%s\n", "state", state_of(r), r->cycles, hf_plural(r->cycles));
    if (p->task_cycles) {
        print_task(p, &out);
    }
    hf_text_print(&out, "%-20s %" PRIu64 ", %" PRIu64 " delivered, %" PRIu64 " lost, %" PRIu64 " passed on by other terminals\n",
                  "messages", r->messages, r->delivered, r->lost, r->relayed);
    if (r->delivered > 0) {
        hf_text_print(&out, "%-20s %" PRIu64 " flits, %.4f flits/cycle/terminal\n", "accepted", r->flits, accepted(p));
        hf_text_print(&out, "%-20s mean %.2f, longest %" PRIu64 " cycles\n", "latency", r->latency, r->latency_max);
        hf_text_print(&out, "%-20s mean %.2f, longest %" PRIu64 " cycles\n", "network latency", r->network_latency,
                      r->network_latency_max);
    }
    if (cli_has(p->s->c, "histogram") && r->delivered > 0) {
        hf_text_print(&out, "\nmessages by latency\n");
        simulate_print_histogram(r->histogram, &out);
    }
    simulate_print_blocked(p->s, r->blocked, r->n_blocked, &out);
    const hf_status status = cli_put(p->s->c, &out);
    hf_text_free(&out);
    return status;
}

static hf_status print_json(const playing *p) {
    const hf_play_result *r = &p->result;
    const struct {
        const char *name;
        uint64_t value;
    } counts[] = {{"cycles", r->cycles},   {"messages", r->messages}, {"delivered", r->delivered}, {"lost", r->lost},
                  {"relayed", r->relayed}, {"flits", r->flits},       {"packets", r->packets},     {"flit_hops", r->flit_hops}};
    hf_json *root = cli_json(p->s->c), *rows = hf_json_array(), *row = hf_json_object();
    hf_json_set(root, "spec", simulate_json_spec(p->s));
    hf_json_set(row, "work", hf_json_text(p->what));
    hf_json_set(row, "state", hf_json_text(state_of(r)));
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        simulate_set_decimal(row, counts[i].name, counts[i].value);
    }
    hf_json_set(row, "accepted", hf_json_real(accepted(p)));
    hf_json_set(row, "latency", hf_json_real(r->latency));
    simulate_set_decimal(row, "latency_max", r->latency_max);
    hf_json_set(row, "network_latency", hf_json_real(r->network_latency));
    simulate_set_decimal(row, "network_latency_max", r->network_latency_max);
    hf_json_set(row, "latency_histogram", simulate_json_histogram(r->histogram));
    hf_json *tasks = p->task_cycles ? hf_json_array() : hf_json_null();
    for (uint32_t i = 0; p->task_cycles && i < p->barrier.tasks; i++) {
        hf_json_push(tasks, hf_json_real(p->task_cycles[i]));
    }
    hf_json_set(row, "task_cycles", tasks);
    hf_json_push(rows, row);
    hf_json_set(root, "rows", rows);
    return cli_put_json(p->s->c, root);
}

hf_status simulate_play(const simulate *s, bool *is_good) {
    const cli *c = s->c;
    playing p = {.s = s};
    hf_play play = {.plan = &s->plan, .kernel = s->s.kernel};
    HF_TRY(cli_number(c, "cycles", 1, UINT64_C(1000000000000000000), 0, &play.cycle_limit));
    HF_TRY(cli_has(c, "trace")     ? play_trace(&p, &play)
           : cli_has(c, "barrier") ? play_barrier(&p, &play)
                                   : play_program(&p, &play));
    *is_good = p.result.n_blocked == 0;
    return cli_has(c, "json") ? print_json(&p) : cli_has(c, "csv") ? print_csv(&p) : print_text(&p);
}

hf_status simulate_write_trace(const simulate *s) {
    const cli *c = s->c;
    hf_messages messages;
    hf_text text;
    uint64_t flits;
    hf_generation g = {.plan = &s->plan,
                       .traffic = s->traffic,
                       .load = s->load[0],
                       .burst = s->s.burst,
                       .packet_length = s->s.kernel.packet_length,
                       .seed = s->s.seed};
    if (s->n_point != 1 || !cli_has(c, "load") || !cli_has(c, "cycles")) {
        HF_FAIL(c->cx, HF_EINVAL, "--write-trace needs one --load and --cycles, for how long packets are generated");
    }
    HF_TRY(cli_number(c, "cycles", 1, UINT64_C(1000000000000), 0, &g.cycles));
    HF_TRY(cli_number(c, "message", 1, 1000000000, g.packet_length, &flits));
    g.message_flits = (uint32_t)flits;
    HF_TRY(hf_messages_generate(c->cx, &g, &messages));
    hf_text_init(c->cx, &text);
    hf_status status = hf_messages_print(c->cx, &messages, &text);
    status = status == HF_OK ? hf_text_save(c->cx, &text, cli_value(c, "write-trace")) : status;
    hf_text_free(&text);
    hf_messages_free(&messages);
    return status;
}
