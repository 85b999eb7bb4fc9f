/* SPDX-License-Identifier: GPL-3.0-or-later */
/* holdfast simulate --fault-at: faults at given cycles, a series of windows, and what became of each fault. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "src/analysis/deadlock/blocked.h"
#include "src/cli/simulate.h"
#include "src/core/number.h"

enum { EVENTS_MOST = 1000, USUAL_WINDOWS = 40 };

/* ---- the request ---- */

static hf_status read_options(const simulate *s, hf_reconfiguration_options *o) {
    static const char *const costs[] = {"detection-cycles", "manage-cycles", "hop-cycles", "swap-cycles"};
    o->message_length = s->s.kernel.packet_length;
    HF_TRY(cli_group(s->c, &hf_reconfiguration_group, o));
    return cli_group_list(s->c, &hf_reconfiguration_group, "reconfiguration", costs, sizeof costs / sizeof *costs,
                          "the cycles of detection, of work on a control packet, of a hop of an emergency, and until plans are "
                          "swapped, such as 10,1,100,1000",
                          o);
}

/* ---- the events ---- */

typedef struct reader {
    const simulate *s;
    char *names; /* of all that has failed so far */
    hf_fault_set failed;
} reader;

static hf_status take_up(reader *r) {
    const cli *c = r->s->c;
    return hf_fault_set_parse(c->cx, r->s->net.topo, NULL, r->names, &r->failed);
}

static hf_status add_name(reader *r, const char *name, size_t size) {
    return hf_scratch_print(r->s->c->cx, &r->names, "%s%s%.*s", r->names, *r->names ? "," : "", (int)size, name);
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
static hf_status add_random(reader *r, uint64_t event, uint64_t count) {
    hf_context *cx = r->s->c->cx;
    const hf_universe *u = r->s->net.universe;
    uint32_t *left, *set, n = 0;
    char name[96];
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
    hf_fault_sample(r->s->s.seed, n, (uint32_t)count, event, set);
    for (uint64_t i = 0; i < count; i++) {
        hf_universe_name(u, left[set[i]], name, sizeof name);
        HF_TRY(add_name(r, name, strlen(name)));
    }
    return take_up(r);
}

/* CYCLE:NAMES or CYCLE:random=N */
static hf_status read_event(reader *r, uint64_t event, const char *text, size_t size, simulate_event *out) {
    hf_context *cx = r->s->c->cx;
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
        HF_TRY(add_random(r, event, count));
    } else {
        HF_TRY(add_name(r, at.text, at.size));
        HF_TRY(take_up(r));
    }
    out->names = r->names + before + (before ? 1 : 0);
    out->faults = r->failed;
    out->cycle = cycle;
    return HF_OK;
}

static hf_status read_events(simulate *s, simulate_faults *f) {
    hf_context *cx = s->c->cx;
    reader r = {.s = s, .names = ""};
    HF_TRY(add_name(&r, cli_value_or(s->c, "failed", ""), strlen(cli_value_or(s->c, "failed", ""))));
    HF_TRY(take_up(&r));
    HF_TRY(hf_scratch(cx, EVENTS_MOST, sizeof *f->event, (void **)&f->event));
    HF_TRY(hf_scratch(cx, EVENTS_MOST, sizeof *f->fault, (void **)&f->fault));
    for (const char *at = cli_value(s->c, "fault-at"); at;) {
        const size_t size = strcspn(at, ";");
        if (f->n == EVENTS_MOST) {
            HF_FAIL(cx, HF_EINVAL, "--fault-at: more than %d events", EVENTS_MOST);
        }
        simulate_event *e = &f->event[f->n];
        HF_TRY(read_event(&r, f->n, at, size, e));
        HF_TRY(hf_plan_make(cx, &s->net.rule, &e->faults, &e->plan));
        f->fault[f->n++] = (hf_kernel_fault){e->cycle, &e->faults, &e->plan};
        at = at[size] ? at + size + 1 : NULL;
    }
    return HF_OK;
}

hf_status simulate_run_faults(simulate *s, simulate_faults *f) {
    uint64_t cycles;
    HF_TRY(read_events(s, f));
    const uint64_t last = f->event[f->n - 1].cycle, usual = (last / s->s.window + USUAL_WINDOWS) * s->s.window;
    HF_TRY(cli_number(s->c, "cycles", s->s.window, UINT32_MAX, usual, &cycles));
    if (last >= cycles) {
        HF_FAIL(s->c->cx, HF_EINVAL, "--cycles=%" PRIu64 " ends before the fault of cycle %" PRIu64, cycles, last);
    }
    f->history = (hf_history){.simulation = &s->s, .load = s->load[0], .fault = f->fault, .n_fault = f->n, .cycles = cycles};
    HF_TRY(read_options(s, &f->history.options));
    return hf_history_run(s->c->cx, &f->history);
}

/* ---- output ---- */

static hf_status real_cell(hf_context *cx, cli_table *t, double value, int digits) {
    return isnan(value) ? cli_table_cell(cx, t, "-") : cli_table_cell(cx, t, "%.*f", digits, value);
}

static hf_status window_table(const simulate *s, const hf_history *h, cli_table *t) {
    static const char *const header[] = {"cycle",   "accepted", "latency",  "network_latency",
                                         "packets", "lost",     "deviated", "refused"};
    static const bool is_number[] = {true, true, true, true, true, true, true, true};
    hf_context *cx = s->c->cx;
    HF_TRY(cli_table_start(cx, t, header, is_number, sizeof is_number / sizeof *is_number, h->n_window));
    for (uint32_t i = 0; i < h->n_window; i++) {
        const hf_history_window *w = &h->window[i];
        HF_TRY(cli_table_cell(cx, t, "%" PRIu64, w->cycle));
        HF_TRY(real_cell(cx, t, w->accepted, 4));
        HF_TRY(real_cell(cx, t, w->latency, 2));
        HF_TRY(real_cell(cx, t, w->network_latency, 2));
        const uint64_t counts[] = {w->packets, w->lost, w->deviated, w->refused};
        for (size_t c = 0; c < 4; c++) {
            HF_TRY(cli_table_cell(cx, t, "%" PRIu64, counts[c]));
        }
    }
    return HF_OK;
}

static hf_status fault_table(const simulate *s, const simulate_faults *f, cli_table *t) {
    static const char *const header[] = {"cycle",    "failed",      "finished after", "switches changed",
                                         "messages", "packets hit", "lost afterwards"};
    static const bool is_number[] = {true, false, true, true, true, true, true};
    hf_context *cx = s->c->cx;
    HF_TRY(cli_table_start(cx, t, header, is_number, sizeof is_number / sizeof *is_number, f->n));
    for (uint32_t i = 0; i < f->n; i++) {
        const hf_kernel_reconfiguration *r = &f->history.reconfiguration[i];
        HF_TRY(cli_table_cell(cx, t, "%" PRIu64, f->event[i].cycle));
        HF_TRY(cli_table_cell(cx, t, "%s", f->event[i].names));
        if (r->is_finished) {
            HF_TRY(cli_table_cell(cx, t, "%" PRIu64, r->finished - f->event[i].cycle));
        } else {
            HF_TRY(cli_table_cell(cx, t, "not yet"));
        }
        const uint64_t counts[] = {r->changed, r->messages, r->hit, r->lost_late};
        for (size_t c = 0; c < 4; c++) {
            HF_TRY(cli_table_cell(cx, t, "%" PRIu64, counts[c]));
        }
    }
    return HF_OK;
}

static const char *const phases[] = {"before", "during", "after"};

static void print_phases(const hf_history *h, hf_text *out) {
    hf_text_print(out, "\n");
    for (int i = 0; i < 3; i++) {
        if (isnan(h->accepted[i].mean)) {
            hf_text_print(out, "%s: no window\n", phases[i]);
        } else if (isnan(h->latency[i].mean)) {
            hf_text_print(out, "%s: accepted %.4f, nothing arrived\n", phases[i], h->accepted[i].mean);
        } else {
            hf_text_print(out, "%s: accepted %.4f, latency %.2f\n", phases[i], h->accepted[i].mean, h->latency[i].mean);
        }
    }
    hf_text_print(out,
                  "packets: %" PRIu64 " generated, %" PRIu64 " delivered, %" PRIu64 " lost, %" PRIu64 " refused, %" PRIu64
                  " present at the end; %" PRIu64 " hops onto emergency paths\n",
                  h->generated, h->delivered, h->lost, h->refused, h->present, h->deviated);
    if (h->n_blocked) {
        hf_text_print(out, "at the end %" PRIu32 " packets wait for each other for ever, see below\n", h->n_blocked);
    }
}

/* What the columns say, and faults after which nobody sends. */
static void print_notes(const simulate_faults *f, hf_text *out) {
    hf_text_print(out,
                  "\npackets hit: lost by the fault itself, with flits on a failed channel, in a failed switch, or across one; "
                  "lost afterwards:\ncame in after the last table had changed, and lost before the next fault\n");
    for (uint32_t i = 0; i < f->n; i++) {
        if (hf_plan_is_empty(&f->event[i].plan)) {
            hf_text_print(out, "not covered: the routing keeps no terminal in service after the fault of cycle %" PRIu64 "\n",
                          f->event[i].cycle);
        }
    }
}

static void print_blocked_at_end(const simulate *s, const hf_history *h, hf_text *out) {
    if (h->n_blocked) {
        hf_text_print(out, "\nat the end %" PRIu32 " packets wait for each other for ever\n", h->n_blocked);
        simulate_print_blocked(s, h->blocked, h->n_blocked, out);
    }
}

hf_status simulate_print_faults(const simulate *s, const simulate_faults *f) {
    cli_table faults, windows;
    hf_text out;
    const bool is_csv = cli_has(s->c, "csv");
    HF_TRY(window_table(s, &f->history, &windows));
    HF_TRY(fault_table(s, f, &faults));
    hf_text_init(s->c->cx, &out);
    hf_status status = HF_OK;
    if (!is_csv) {
        simulate_print_head(s, &out);
        status = hf_table_text(s->c->cx, &faults.table, &out);
        print_notes(f, &out);
        print_phases(&f->history, &out);
        hf_text_print(&out, "\n");
    }
    status = status != HF_OK ? status
             : is_csv        ? hf_table_csv(s->c->cx, &windows.table, &out)
                             : hf_table_text(s->c->cx, &windows.table, &out);
    if (!is_csv) {
        print_blocked_at_end(s, &f->history, &out);
    }
    status = status == HF_OK ? cli_put(s->c, &out) : status;
    hf_text_free(&out);
    return status;
}

/* ---- JSON ---- */

static hf_json *json_faults(const simulate_faults *f) {
    hf_json *list = hf_json_array();
    for (uint32_t i = 0; i < f->n; i++) {
        const hf_kernel_reconfiguration *r = &f->history.reconfiguration[i];
        hf_json *o = hf_json_object();
        hf_json_set(o, "cycle", hf_json_integer((int64_t)f->event[i].cycle));
        hf_json_set(o, "failed", hf_json_text(f->event[i].names));
        hf_json_set(o, "finished", r->is_finished ? hf_json_integer((int64_t)r->finished) : hf_json_null());
        hf_json_set(o, "switches_changed", hf_json_integer((int64_t)r->changed));
        hf_json_set(o, "messages", hf_json_integer((int64_t)r->messages));
        hf_json_set(o, "packets_hit", hf_json_integer((int64_t)r->hit));
        hf_json_set(o, "lost_afterwards", hf_json_integer((int64_t)r->lost_late));
        hf_json_set(o, "covered", hf_json_boolean(!hf_plan_is_empty(&f->event[i].plan)));
        hf_json_push(list, o);
    }
    return list;
}

static hf_json *json_phases(const hf_history *h) {
    hf_json *o = hf_json_object();
    for (int i = 0; i < 3; i++) {
        hf_json *phase = hf_json_object();
        hf_json_set(phase, "accepted", hf_json_real(h->accepted[i].mean));
        hf_json_set(phase, "accepted_half", hf_json_real(h->accepted[i].half));
        hf_json_set(phase, "latency", hf_json_real(h->latency[i].mean));
        hf_json_set(phase, "latency_half", hf_json_real(h->latency[i].half));
        hf_json_set(o, phases[i], phase);
    }
    return o;
}

static hf_json *json_window(const hf_history_window *w) {
    hf_json *o = hf_json_object();
    hf_json_set(o, "cycle", hf_json_integer((int64_t)w->cycle));
    hf_json_set(o, "accepted", hf_json_real(w->accepted));
    hf_json_set(o, "latency", hf_json_real(w->latency));
    hf_json_set(o, "network_latency", hf_json_real(w->network_latency));
    hf_json_set(o, "packets", hf_json_integer((int64_t)w->packets));
    hf_json_set(o, "lost", hf_json_integer((int64_t)w->lost));
    hf_json_set(o, "deviated", hf_json_integer((int64_t)w->deviated));
    hf_json_set(o, "refused", hf_json_integer((int64_t)w->refused));
    return o;
}

static hf_json *json_packets(const hf_history *h) {
    hf_json *o = hf_json_object();
    hf_json_set(o, "generated", hf_json_integer((int64_t)h->generated));
    hf_json_set(o, "delivered", hf_json_integer((int64_t)h->delivered));
    hf_json_set(o, "lost", hf_json_integer((int64_t)h->lost));
    hf_json_set(o, "refused", hf_json_integer((int64_t)h->refused));
    hf_json_set(o, "present", hf_json_integer((int64_t)h->present));
    hf_json_set(o, "deviated", hf_json_integer((int64_t)h->deviated));
    return o;
}

hf_status simulate_print_faults_json(const simulate *s, const simulate_faults *f) {
    const hf_history *h = &f->history;
    hf_json *root = cli_json(s->c), *rows = hf_json_array(), *spec = simulate_json_spec(s);
    const hf_reconfiguration_options *o = &h->options;
    hf_json_set(spec, "load", hf_json_real(h->load));
    hf_json_set(spec, "cycles", hf_json_integer((int64_t)h->cycles));
    hf_json_set(spec, "detection_cycles", hf_json_integer((int64_t)o->detection_cycles));
    hf_json_set(spec, "manage_cycles", hf_json_integer((int64_t)o->manage_cycles));
    hf_json_set(spec, "hop_cycles", hf_json_integer((int64_t)o->hop_cycles));
    hf_json_set(spec, "swap_cycles", hf_json_integer((int64_t)o->swap_cycles));
    hf_json_set(spec, "control", hf_json_text(o->has_priority ? "priority" : "equal"));
    hf_json_set(spec, "control_in_turn", hf_json_boolean(o->is_in_turn));
    hf_json_set(spec, "emergency_paths", hf_json_boolean(o->has_emergency_paths));
    hf_json_set(root, "spec", spec);
    hf_json_set(root, "faults", json_faults(f));
    hf_json_set(root, "phases", json_phases(h));
    hf_json_set(root, "packets", json_packets(h));
    hf_json_set(root, "blocked", hf_json_integer(h->n_blocked));
    hf_json_set(root, "deadlock",
                h->n_blocked ? hf_blocked_json(s->net.topo, s->plan.n_vc, h->blocked, h->n_blocked) : hf_json_null());
    for (uint32_t i = 0; i < h->n_window; i++) {
        hf_json_push(rows, json_window(&h->window[i]));
    }
    hf_json_set(root, "rows", rows);
    return cli_put_json(s->c, root);
}

hf_status simulate_write_faults_certificate(const simulate *s, const simulate_faults *f, const char *path) {
    const hf_history *h = &f->history;
    bool is_of_plan = h->n_blocked > 0;
    for (uint32_t i = 0; i < f->n; i++) {
        is_of_plan &= h->reconfiguration[i].is_finished;
    }
    for (uint32_t i = 0; i < h->n_blocked; i++) {
        is_of_plan &= h->blocked[i].n_path > 0;
    }
    return is_of_plan ? simulate_save_blocked(s, h->blocked, h->n_blocked, &f->event[f->n - 1].faults, path) : HF_OK;
}
