/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Faults at given cycles: a series of windows, and what became of each fault. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <holdfast/core/bitset.h>

#include "src/analysis/deadlock/blocked.h"
#include "src/core/lines.h"
#include "src/core/number.h"
#include "src/question/simulate.h"
#include "src/report/tree.h"

enum { EVENTS_MOST = 1000, USUAL_WINDOWS = 40 };

const hf_column hf_simulate_windows[] = {{"cycle", "cycle", "cycles", HF_COLUMN_COUNT, 6, 0},
                                         {"accepted", "accepted", "flits/cycle/terminal", HF_COLUMN_REAL, 4, 0},
                                         {"latency", "latency", "cycles", HF_COLUMN_REAL, 5, 0},
                                         {"network_latency", "network latency", "cycles", HF_COLUMN_REAL, 5, 0},
                                         {"hops", "hops", NULL, HF_COLUMN_REAL, 4, 0},
                                         {"packets", "packets", NULL, HF_COLUMN_COUNT, 6, 0},
                                         {"lost", "lost", NULL, HF_COLUMN_COUNT, 6, 0},
                                         {"deviated", "deviated", NULL, HF_COLUMN_COUNT, 6, 0},
                                         {"refused", "refused", NULL, HF_COLUMN_COUNT, 6, 0},
                                         {0}};

typedef struct faults {
    simulate *s;
    hf_simulate_events events;
    hf_history history;
} faults;

/* ---- the events ---- */

typedef struct reader {
    const simulate *s;
    char *names; /* of all that has failed so far */
    hf_fault_set failed;
} reader;

static hf_status take_up(reader *r) { return hf_fault_set_parse(r->s->cx, r->s->scene->topo, NULL, r->names, &r->failed); }

static hf_status add_name(reader *r, const char *name, size_t size) {
    return hf_scratch_print(r->s->cx, &r->names, "%s%s%.*s", r->names, *r->names ? "," : "", (int)size, name);
}

/* A component that has a channel which has not failed. */
static bool is_whole(const reader *r, const hf_universe *u, uint32_t component) {
    for (uint32_t i = u->channel_begin[component]; i < u->channel_begin[component + 1]; i++) {
        if (!hf_bit_test(r->failed.channel_set, u->channel[i])) {
            return true;
        }
    }
    return false;
}

/* Of what has not failed yet, the set that a campaign of this seed draws at the place of the event. */
static hf_status add_random(reader *r, uint64_t number, uint64_t count) {
    hf_context *cx = r->s->cx;
    const hf_universe *u = r->s->scene->universe;
    uint32_t *left, *set, n = 0;
    char name[HF_NAME_SIZE];
    HF_TRY(hf_scratch(cx, u->n_component, sizeof *left, (void **)&left));
    for (uint32_t k = 0; k < u->n_component; k++) {
        left[n] = k;
        n += is_whole(r, u, k);
    }
    if (count > n) {
        HF_FAIL(cx, HF_EINVAL,
                "--fault-at: random=%" PRIu64 " is more than the %" PRIu32 " components of \"%s\" that are left to fail", count,
                n, u->spec);
    }
    HF_TRY(hf_scratch(cx, count, sizeof *set, (void **)&set));
    hf_fault_sample(r->s->s.seed, n, (uint32_t)count, number, set);
    for (uint64_t i = 0; i < count; i++) {
        hf_universe_name(u, left[set[i]], name, sizeof name);
        HF_TRY(add_name(r, name, strlen(name)));
    }
    return take_up(r);
}

/* CYCLE:NAMES or CYCLE:random=N */
static hf_status read_event(reader *r, uint64_t number, const char *text, size_t size, hf_simulate_event *out) {
    hf_context *cx = r->s->cx;
    hf_slice at = {text, size};
    uint64_t cycle;
    if (!hf_take_number(&at, &cycle) || cycle > UINT32_MAX || !hf_take_text(&at, ":") || at.size == 0) {
        HF_FAIL(cx, HF_EINVAL,
                "--fault-at: \"%.*s\" is not right; need a cycle below 2^32 and components, such as 5000:s8:3-s18:0 or "
                "5000:random=2; events are separated by semicolons",
                (int)size, text);
    }
    const size_t before = strlen(r->names);
    hf_slice count_text = at;
    if (hf_take_text(&count_text, "random=") && count_text.size > 0) {
        uint64_t count;
        if (!hf_slice_number(count_text, 10, &count) || count == 0 || count > 100000) {
            HF_FAIL(cx, HF_EINVAL, "--fault-at: \"%.*s\" is not right; need a number, such as random=2", (int)size, text);
        }
        HF_TRY(add_random(r, number, count));
    } else {
        HF_TRY(add_name(r, at.text, at.size));
        HF_TRY(take_up(r));
    }
    out->names = r->names + before + (before ? 1 : 0);
    out->faults = r->failed;
    out->cycle = cycle;
    return HF_OK;
}

/* What has failed before the first of them. */
static hf_status begin(reader *r) {
    hf_text failed;
    hf_text_init(r->s->cx, &failed);
    hf_fault_set_names(&r->s->scene->failed, &failed);
    hf_status status = hf_text_check(r->s->cx, &failed);
    status = status == HF_OK && failed.size > 0 ? add_name(r, failed.data, failed.size) : status;
    hf_text_free(&failed);
    HF_TRY(status);
    return take_up(r);
}

hf_status hf_simulate_read_events(const simulate *s, hf_simulate_events *out) {
    hf_context *cx = s->cx;
    reader r = {.s = s, .names = ""};
    *out = (hf_simulate_events){0};
    HF_TRY(begin(&r));
    HF_TRY(hf_scratch(cx, EVENTS_MOST, sizeof *out->event, (void **)&out->event));
    HF_TRY(hf_scratch(cx, EVENTS_MOST, sizeof *out->fault, (void **)&out->fault));
    for (const char *at = s->args->events; at;) {
        const size_t size = strcspn(at, ";");
        if (out->n == EVENTS_MOST) {
            HF_FAIL(cx, HF_EINVAL, "--fault-at: more than %d events", EVENTS_MOST);
        }
        hf_simulate_event *e = &out->event[out->n];
        HF_TRY(read_event(&r, out->n, at, size, e));
        HF_TRY(hf_plan_make(cx, &s->scene->rule, &e->faults, &e->plan));
        out->fault[out->n++] = (hf_kernel_fault){e->cycle, &e->faults, &e->plan};
        at = at[size] ? at + size + 1 : NULL;
    }
    return HF_OK;
}

hf_status hf_simulate_check_cycles(const simulate *s, uint64_t cycles) {
    if (cycles < s->s.window || cycles > UINT32_MAX) {
        HF_FAIL(s->cx, HF_ERANGE, "--cycles=%" PRIu64 " is out of range; need %" PRIu64 " to %" PRIu32, cycles, s->s.window,
                UINT32_MAX);
    }
    return HF_OK;
}

static hf_status run(faults *f) {
    simulate *s = f->s;
    HF_TRY(hf_simulate_read_events(s, &f->events));
    const uint64_t last = f->events.event[f->events.n - 1].cycle, usual = (last / s->s.window + USUAL_WINDOWS) * s->s.window;
    const uint64_t cycles = s->args->cycles ? s->args->cycles : usual;
    HF_TRY(hf_simulate_check_cycles(s, cycles));
    if (last >= cycles) {
        HF_FAIL(s->cx, HF_EINVAL, "--cycles=%" PRIu64 " ends before the fault of cycle %" PRIu64, cycles, last);
    }
    f->history = (hf_history){.simulation = &s->s,
                              .load = s->load[0],
                              .fault = f->events.fault,
                              .n_fault = f->events.n,
                              .options = s->args->reconfiguration,
                              .cycles = cycles};
    return hf_history_run(s->cx, &f->history);
}

/* ---- the answer ---- */

static void put_window(hf_report *r, const hf_kernel_window *w) {
    const uint64_t counts[] = {w->packets, w->lost, w->deviated, w->refused};
    hf_report_cell(r, hf_cell_count(w->cycle));
    hf_report_cell(r, hf_cell_real(w->accepted));
    hf_report_cell(r, hf_cell_real(w->latency));
    hf_report_cell(r, hf_cell_real(w->network_latency));
    hf_report_cell(r, hf_cell_real(w->hops));
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        hf_report_cell(r, hf_cell_count(counts[i]));
    }
}

void hf_simulate_begin_windows(hf_report *answer, bool by_load) {
    static const hf_column load = {"load", "load", "flits/cycle/terminal", HF_COLUMN_REAL, 6, 0};
    hf_report_table_begin(answer, "windows", &load, by_load);
    hf_report_await(answer);
    for (const hf_column *c = hf_simulate_windows; c->key; c++) {
        hf_report_add_column(answer, *c);
    }
}

void hf_simulate_put_windows(hf_report *answer, const double *load, const hf_kernel_window *w, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (load) {
            hf_report_cell(answer, hf_cell_real(*load));
        }
        put_window(answer, &w[i]);
    }
}

hf_status hf_simulate_add_faults(const simulate *s, const hf_simulate_events *events, const hf_kernel_reconfiguration *was) {
    static const hf_column columns[] = {{"cycle", "cycle", NULL, HF_COLUMN_COUNT, 6, 0},
                                        {"failed", "failed", NULL, HF_COLUMN_WORD, 6, 0},
                                        {"finished", "finished", NULL, HF_COLUMN_COUNT, 6, 0},
                                        {"finished_after", "after", "cycles", HF_COLUMN_COUNT, 6, 0},
                                        {"switches_changed", "switches changed", NULL, HF_COLUMN_COUNT, 6, 0},
                                        {"messages", "messages", NULL, HF_COLUMN_COUNT, 6, 0},
                                        {"packets_hit", "packets hit", NULL, HF_COLUMN_COUNT, 6, 0},
                                        {"lost_afterwards", "lost afterwards", NULL, HF_COLUMN_COUNT, 6, 0},
                                        {"covered", "covered", NULL, HF_COLUMN_FLAG, 6, 0}};
    hf_report *r = s->answer;
    char *note = NULL;
    HF_BEGIN(r, "faults", columns);
    for (uint32_t i = 0; i < events->n; i++, was++) {
        const uint64_t counts[] = {was->changed, was->messages, was->hit, was->lost_late};
        const bool has_come = was->cycle != UINT64_MAX;
        const bool is_covered = !hf_plan_is_empty(&events->event[i].plan);
        hf_report_cell(r, has_come ? hf_cell_count(was->cycle) : hf_cell_none());
        hf_report_cell(r, hf_cell_word(events->event[i].names));
        hf_report_cell(r, was->is_finished ? hf_cell_count(was->finished) : hf_cell_none());
        hf_report_cell(r, was->is_finished ? hf_cell_count(was->finished - was->cycle) : hf_cell_none());
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            hf_report_cell(r, hf_cell_count(counts[c]));
        }
        hf_report_cell(r, hf_cell_flag(is_covered));
        HF_TRY(is_covered
                   ? HF_OK
                   : hf_asked_note(s->cx, &note,
                                   "not covered: the routing keeps no terminal in service after the fault of cycle %" PRIu64,
                                   was->cycle));
    }
    HF_TRY(hf_asked_note(s->cx, &note,
                         "finished: cycle of the last change of a table; packets hit: lost by the fault itself, with flits on a\n"
                         "failed channel, in a failed switch, or across one; lost afterwards: came in after the last table had\n"
                         "changed, and lost before the next fault"));
    hf_report_note(r, note);
    return HF_OK;
}

/* ---- before, during and after ---- */

static const char *const phases[] = {"before", "during", "after"};

/* Of JSON the phases are entries by name, else rows. */
static void add_phases(const faults *f) {
    static const hf_column rows[] = {{"phase", "phase", NULL, HF_COLUMN_WORD, 6, 0},
                                     HF_SIMULATE_MEAN("accepted", "accepted", "flits/cycle/terminal", 4),
                                     HF_SIMULATE_MEAN("latency", "latency", "cycles", 5)},
                           entries[] = {{"before", "before", NULL, HF_COLUMN_TREE, 6, HF_COLUMN_JSON},
                                        {"during", "during", NULL, HF_COLUMN_TREE, 6, HF_COLUMN_JSON},
                                        {"after", "after", NULL, HF_COLUMN_TREE, 6, HF_COLUMN_JSON}};
    const hf_history *h = &f->history;
    hf_report *r = f->s->answer;
    HF_BEGIN(r, "phases", rows);
    hf_report_flatten(r);
    for (int i = 0; i < 3; i++) {
        hf_report_cell(r, hf_cell_word(phases[i]));
        hf_simulate_mean(r, h->accepted[i], HF_INTERVAL_BATCHES);
        hf_simulate_mean(r, h->latency[i], HF_INTERVAL_BATCHES);
    }
    HF_BEGIN(r, "phases", entries);
    hf_report_place(r, NULL, true);
    for (int i = 0; i < 3; i++) {
        hf_json *phase = hf_json_object();
        hf_json_set(phase, "accepted", hf_json_real(h->accepted[i].mean));
        hf_json_set(phase, "accepted_half", hf_json_real(h->accepted[i].half));
        hf_json_set(phase, "latency", hf_json_real(h->latency[i].mean));
        hf_json_set(phase, "latency_half", hf_json_real(h->latency[i].half));
        hf_report_tree(r, phase);
    }
}

static void add_packets(const faults *f) {
    static const hf_column columns[] = {{"generated", "generated", NULL, HF_COLUMN_COUNT, 6, 0},
                                        {"delivered", "delivered", NULL, HF_COLUMN_COUNT, 6, 0},
                                        {"lost", "lost", NULL, HF_COLUMN_COUNT, 6, 0},
                                        {"refused", "refused", NULL, HF_COLUMN_COUNT, 6, 0},
                                        {"present", "present at the end", NULL, HF_COLUMN_COUNT, 6, 0},
                                        {"deviated", "hops onto emergency paths", NULL, HF_COLUMN_COUNT, 6, 0},
                                        {"drained", "drained out of full rings", NULL, HF_COLUMN_COUNT, 6, 0}};
    const hf_history *h = &f->history;
    const uint64_t counts[] = {h->generated, h->delivered, h->lost, h->refused, h->present, h->deviated, h->drained};
    hf_report *r = f->s->answer;
    HF_BEGIN(r, "packets", columns);
    hf_report_place(r, NULL, true);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        hf_report_cell(r, hf_cell_count(counts[i]));
    }
}

static hf_status add_end(const faults *f) {
    static const hf_column columns[] = {{"blocked", "in deadlock at the end", NULL, HF_COLUMN_COUNT, 6, 0},
                                        {"deadlock", "deadlock", NULL, HF_COLUMN_TREE, 6, HF_COLUMN_JSON}};
    const hf_history *h = &f->history;
    simulate *s = f->s;
    HF_BEGIN(s->answer, "end", columns);
    hf_report_place(s->answer, "", true);
    hf_report_cell(s->answer, hf_cell_count(h->n_blocked));
    hf_report_tree(s->answer,
                   h->n_blocked ? hf_blocked_json(s->scene->topo, s->plan.n_vc, NULL, h->blocked, h->n_blocked) : hf_json_null());
    return h->n_blocked ? hf_simulate_add_blocked(s, h->blocked, h->n_blocked) : HF_OK;
}

/* The deadlock at the end, where its packets got there by the plan for all faults. */
static hf_status attach(const faults *f) {
    const hf_history *h = &f->history;
    bool is_of_plan = h->n_blocked > 0;
    for (uint32_t i = 0; i < f->events.n; i++) {
        is_of_plan &= h->reconfiguration[i].is_finished;
    }
    for (uint32_t i = 0; i < h->n_blocked; i++) {
        is_of_plan &= h->blocked[i].n_path > 0;
    }
    return is_of_plan ? hf_simulate_attach_deadlock(f->s, h->blocked, h->n_blocked, &f->events.event[f->events.n - 1].faults)
                      : HF_OK;
}

static hf_status draw(const faults *f) {
    const hf_history *h = &f->history;
    char *what;
    HF_TRY(hf_scratch_print(f->s->cx, &what, "traffic %s, load %.6g", f->s->scene->traffic->spec, h->load));
    return hf_simulate_draw_series(f->s, &(hf_simulate_series){what, h->n_window, h->window, &f->events, h->reconfiguration});
}

hf_status hf_simulate_ask_faults(simulate *s) {
    faults f = {.s = s};
    char *cycles, *load;
    HF_TRY(run(&f));
    for (uint32_t i = 0; i < f.history.n_window; i++) {
        put_window(s->answer, &f.history.window[i]);
    }
    HF_TRY(hf_simulate_end_note(s, NULL));
    HF_TRY(hf_simulate_head(s, NULL));
    HF_TRY(hf_scratch_print(s->cx, &cycles, "%" PRIu64, f.history.cycles));
    HF_TRY(hf_scratch_print(s->cx, &load, "%.15g", f.history.load));
    hf_report_argument_as(s->answer, "cycles", cycles, HF_COLUMN_COUNT);
    hf_report_argument_as(s->answer, "load", load, HF_COLUMN_REAL);
    HF_TRY(hf_simulate_add_faults(s, &f.events, f.history.reconfiguration));
    add_phases(&f);
    add_packets(&f);
    HF_TRY(add_end(&f));
    HF_TRY(draw(&f));
    const bool is_good = f.history.n_blocked == 0 && !hf_plan_is_empty(&f.events.event[f.events.n - 1].plan);
    s->answer->answer = is_good ? HF_ANSWER_YES : HF_ANSWER_NO;
    return attach(&f);
}
