/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What all answers of the question have: title, delays, notes, means, histograms, the packets of a deadlock. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "src/analysis/deadlock/certificate.h"
#include "src/analysis/deadlock/claim.h"
#include "src/core/print.h"
#include "src/question/simulate.h"

enum { BINS = 65, BAR = 50, BLOCKED_SHOWN = 16 };

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
        if (o->forward_after) {
            hf_text_print(out, ", forwarded after %" PRIu32 " attempt%s", o->forward_after, hf_plural(o->forward_after));
        }
        return;
    }
    hf_text_print(out, ", %s, packets of %" PRIu32 " flit%s, buffers of %" PRIu32 " flit%s", s->control.spec, o->packet_length,
                  hf_plural(o->packet_length), o->buffer, hf_plural(o->buffer));
    if (o->output_queue) {
        hf_text_print(out, ", output queues of %" PRIu32 " flit%s, speed-up %" PRIu32, o->output_queue,
                      hf_plural(o->output_queue), o->speedup);
    }
    hf_text_print(out, "%s", o->transit_first ? ", transit first" : "");
    if (o->injection_room > 1) {
        hf_text_print(out, ", injection where %" PRIu32 " packets fit", o->injection_room);
    }
    if (o->drain_after > 0) {
        hf_text_print(out, ", full rings drained after %" PRIu32 " cycle%s", o->drain_after, hf_plural(o->drain_after));
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
    if (!s->args->faults) {
        hf_report_argument_as(s->answer, "runs", NULL, HF_COLUMN_COUNT);
    }
    if (!s->args->fault_cycle) {
        hf_report_argument_as(s->answer, "fault_every", NULL, HF_COLUMN_COUNT);
    }
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

void hf_simulate_value(hf_report *answer, hf_batch_mean m, hf_interval_method by) {
    hf_report_cell(answer, isnan(m.mean) ? hf_cell_none() : hf_cell_around(m.mean, m.half, by));
}

void hf_simulate_mean(hf_report *answer, hf_batch_mean m, hf_interval_method by) {
    hf_simulate_value(answer, m, by);
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
                                   .flow = s->control.spec,
                                   .choose_once = o->choose_once,
                                   .timing = HF_TIMING_ANY,
                                   .method = hf_method_simulation,
                                   .found = &found}};
    return hf_asked_attach(s->asked, s->answer, "certificate", &c, print_claim);
}

/* With characters, below the tables. */
hf_status hf_simulate_add_plot(simulate *s, const hf_plot *plot) {
    hf_text text;
    hf_text_init(s->cx, &text);
    hf_text_print(&text, "\n");
    hf_status status = hf_format_plot(s->cx, plot, HF_PLOT_TEXT, &text);
    status = status == HF_OK ? hf_text_check(s->cx, &text) : status;
    if (status == HF_OK) {
        hf_report_remark(s->answer, text.data);
        s->answer->remark_is_asked = true;
    }
    hf_text_free(&text);
    return status;
}
