/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  A run through faults: a series of windows, and the means before, during and after. */
#include "src/kernel/measure.h"
#include "src/kernel/steady.h"

enum { BEFORE, DURING, AFTER, PHASES, USUAL_WINDOW = 1000 };

/* Of the window that ends at `end`. */
static int phase_of(const hf_history *h, uint64_t end, uint64_t length) {
    uint64_t finished = 0;
    for (uint32_t i = 0; i < h->n_fault; i++) {
        const uint64_t last = h->reconfiguration[i].is_finished ? h->reconfiguration[i].finished : UINT64_MAX;
        finished = last > finished ? last : finished;
    }
    return end <= h->fault[0].cycle ? BEFORE : end - length < finished ? DURING : AFTER;
}

/* The windows of a phase, and what a batch of them must be long against. */
typedef struct stretch {
    double *accepted, *packets, *latency, *network, *inside;
    uint32_t n;
    uint64_t length;
} stretch;

static void add_window(stretch *s, const hf_kernel_window *w) {
    const double packets = (double)w->packets;
    s->accepted[s->n] = w->accepted;
    s->packets[s->n] = packets;
    s->latency[s->n] = packets > 0 ? w->latency * packets : 0;
    s->network[s->n] = packets > 0 ? w->network_latency * packets : 0;
    s->inside[s->n++] = (double)w->present;
}

static hf_status sum_up_phase(hf_context *cx, hf_history *h, const stretch *s, int phase) {
    double network = 0, packets = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        network += s->network[i];
        packets += s->packets[i];
    }
    const uint32_t least = hf_measure_windows(packets > 0 ? network / packets : 0, (double)s->length, s->n);
    HF_TRY(hf_series_mean(cx, (hf_series){s->accepted, NULL, s->n}, least, &h->accepted[phase]));
    HF_TRY(hf_series_hold(cx, (hf_series){s->inside, NULL, s->n}, least, &h->accepted[phase]));
    HF_TRY(hf_series_mean(cx, (hf_series){s->latency, s->packets, s->n}, least, &h->latency[phase]));
    return HF_OK;
}

static hf_status sum_up(hf_context *cx, hf_history *h, uint64_t length) {
    stretch s = {.length = length};
    double **const row[] = {&s.accepted, &s.packets, &s.latency, &s.network, &s.inside};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        HF_TRY(hf_scratch(cx, h->n_window, sizeof **row[i], (void **)row[i]));
    }
    for (int phase = BEFORE; phase < PHASES; phase++) {
        s.n = 0;
        for (uint32_t i = 0; i < h->n_window; i++) {
            if (phase_of(h, h->window[i].cycle, length) == phase) {
                add_window(&s, &h->window[i]);
            }
        }
        HF_TRY(sum_up_phase(cx, h, &s, phase));
    }
    return HF_OK;
}

static hf_status schedule(hf_context *cx, hf_history *h, hf_kernel *k, uint64_t zero) {
    hf_kernel_fault *fault;
    if (h->options.message_length == 0) {
        h->options.message_length = h->simulation->kernel.packet_length;
    }
    HF_TRY(hf_scratch(cx, h->n_fault, sizeof *fault, (void **)&fault));
    for (uint32_t i = 0; i < h->n_fault; i++) {
        fault[i] = h->fault[i];
        fault[i].cycle += zero;
    }
    return hf_kernel_schedule(k, fault, h->n_fault, &h->options);
}

static hf_status run_windows(hf_history *h, hf_kernel *k, uint64_t zero, uint64_t length) {
    hf_kernel_counts last = *hf_kernel_read(k);
    for (uint32_t i = 0; i < h->n_window; i++) {
        HF_TRY(hf_kernel_run(k, length));
        const uint64_t end = hf_kernel_read(k)->cycle - zero;
        h->window[i] = hf_measure_window(k, &last, end - length, end);
        last = *hf_kernel_read(k);
    }
    return HF_OK;
}

static void read_end(hf_history *h, const hf_kernel *k, uint64_t zero) {
    const hf_kernel_counts *n = hf_kernel_read(k);
    h->generated = n->generated;
    h->delivered = n->delivered;
    h->lost = n->lost;
    h->refused = n->refused;
    h->deviated = n->deviated;
    h->drained = n->drained;
    h->present = hf_kernel_present(k);
    hf_kernel_reconfigurations(k, h->reconfiguration);
    for (uint32_t i = 0; i < h->n_fault; i++) {
        h->reconfiguration[i].cycle -= h->reconfiguration[i].cycle != UINT64_MAX ? zero : 0;
        h->reconfiguration[i].finished -= h->reconfiguration[i].finished >= zero ? zero : h->reconfiguration[i].finished;
    }
}

hf_status hf_history_run(hf_context *cx, hf_history *h) {
    const uint64_t length = h->simulation->window ? h->simulation->window : USUAL_WINDOW;
    hf_kernel *k;
    if (h->options.by_packets) {
        HF_FAIL(cx, HF_ENOTSUP, "faults that come with packets are for work with an end; need cycles");
    }
    if (h->n_fault == 0 || h->cycles < length || h->cycles / length > UINT32_MAX / 2) {
        HF_FAIL(cx, HF_EINVAL, "a history of %llu cycles with %u faults is not right; need a fault, and a window of %llu cycles",
                (unsigned long long)h->cycles, h->n_fault, (unsigned long long)length);
    }
    for (uint32_t i = 1; i < h->n_fault; i++) {
        if (h->fault[i].cycle < h->fault[i - 1].cycle) {
            HF_FAIL(cx, HF_EINVAL, "fault %u comes in cycle %llu, before fault %u of cycle %llu; need cycles that ascend", i + 1,
                    (unsigned long long)h->fault[i].cycle, i, (unsigned long long)h->fault[i - 1].cycle);
        }
    }
    h->n_window = (uint32_t)(h->cycles / length);
    h->start = (hf_point){.load = h->load};
    HF_TRY(hf_scratch(cx, h->n_window, sizeof *h->window, (void **)&h->window));
    HF_TRY(hf_scratch(cx, h->n_fault, sizeof *h->reconfiguration, (void **)&h->reconfiguration));
    HF_TRY(hf_measure_warm(cx, h->simulation, &h->start, &k));
    const uint64_t zero = hf_kernel_read(k)->cycle;
    HF_TRY(schedule(cx, h, k, zero));
    HF_TRY(run_windows(h, k, zero, length));
    read_end(h, k, zero);
    HF_TRY(sum_up(cx, h, length));
    return hf_kernel_deadlock(k, &h->blocked, &h->n_blocked);
}
