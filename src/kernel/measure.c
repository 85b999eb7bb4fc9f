/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Measuring one load: windows until accepted traffic and latency hold still, then as many as were asked for, whatever they
 *  show. */
#include "src/kernel/measure.h"

#include <assert.h>
#include <math.h>

#include "src/bridge/gsl.h"
#include "src/core/jobs.h"
#include "src/kernel/kernel.h"
#include "src/kernel/steady.h"

enum { LOOK_BACK = 4, USUAL_WINDOW = 1000, USUAL_BATCHES = 20, USUAL_WARM_UP = 100 };
enum { PART_CHANNELS = 512 /* of a thread, at least */ };
enum { PARTS = 4 /* of a window that is measured */, LATENCIES = 4 /* of a batch */, LATENCIES_SHORT = 2 /* in short runs */ };
static_assert(PARTS * HF_STEADY_WINDOWS == HF_STEADY_BATCHES, "a part of a window is a batch at the least");
static const double steady_within = 0.05, accepted_at_least = 0.95, confidence = 0.95;

/** What a window, or a part of it, gives. */
typedef enum meter_row {
    CYCLES,
    FLITS,   /**< that arrived */
    PACKETS, /**< that arrived */
    LATENCY, /**< of those, summed up */
    NETWORK,
    THROUGH, /**< flits that arrived, were lost or refused */
    INSIDE,  /**< packets in the network and at the heads of source queues, at the end */
    AGED,    /**< cycles that the heads of all source queues have waited at the end */
    ROWS
} meter_row;

typedef struct meter {
    hf_context *cx;
    hf_kernel *k;
    hf_point *p;
    uint64_t window;
    uint32_t n_window, n_batch, n_terminal;
    hf_kernel_counts last; /* at the end of the window before */
    double *row[ROWS];     /* by window of the warm-up, or part of one that is measured */
    uint32_t packet_length;
} meter;

static double waited(const meter *m) {
    double sum = 0;
    for (uint32_t t = 0; t < m->n_terminal; t++) {
        sum += (double)hf_kernel_waited(m->k, t);
    }
    return sum;
}

/* Entry i of the rows is what these cycles gave. */
static hf_status run_cycles(meter *m, uint64_t cycles, uint32_t i) {
    HF_TRY(hf_kernel_run(m->k, cycles));
    const hf_kernel_counts *now = hf_kernel_read(m->k);
    const uint64_t gone = now->lost + now->refused - m->last.lost - m->last.refused;
    m->row[CYCLES][i] = (double)cycles;
    m->row[FLITS][i] = (double)(now->delivered_flits - m->last.delivered_flits);
    m->row[PACKETS][i] = (double)(now->delivered - m->last.delivered);
    m->row[LATENCY][i] = (double)(now->latency_sum - m->last.latency_sum);
    m->row[NETWORK][i] = (double)(now->network_latency_sum - m->last.network_latency_sum);
    m->row[THROUGH][i] = m->row[FLITS][i] + (double)gone * m->packet_length;
    m->row[INSIDE][i] = (double)hf_kernel_present(m->k);
    m->row[AGED][i] = waited(m);
    m->last = *now;
    return HF_OK;
}

/* One window in `parts`, as many as it has cycles for. \param[in,out] n parts so far */
static hf_status run_window(meter *m, uint32_t parts, uint32_t *n) {
    const uint32_t some = m->window < parts ? (uint32_t)m->window : parts;
    for (uint32_t i = 0; i < some; i++) {
        HF_TRY(run_cycles(m, m->window * (i + 1) / some - m->window * i / some, (*n)++));
    }
    HF_TRY(hf_kernel_deadlock(m->k, &m->p->blocked, &m->p->n_blocked));
    m->p->deadlock_cycle = m->p->n_blocked ? hf_kernel_read(m->k)->cycle : 0;
    return HF_OK;
}

hf_kernel_window hf_measure_window(const hf_kernel *k, const hf_kernel_counts *last, uint64_t begin, uint64_t end) {
    const hf_kernel_counts *now = hf_kernel_read(k);
    const double packets = (double)(now->delivered - last->delivered), cycles = (double)(end - begin);
    const double flits = (double)(now->delivered_flits - last->delivered_flits);
    return (hf_kernel_window){
        .cycle = end,
        .accepted = flits / cycles / k->topo->n_terminal,
        .latency = packets > 0 ? (double)(now->latency_sum - last->latency_sum) / packets : NAN,
        .network_latency = packets > 0 ? (double)(now->network_latency_sum - last->network_latency_sum) / packets : NAN,
        .hops = flits > 0 ? (double)(now->flit_hops - last->flit_hops) / flits : NAN,
        .packets = now->delivered - last->delivered,
        .lost = now->lost - last->lost,
        .refused = now->refused - last->refused,
        .deviated = now->deviated - last->deviated,
        .present = hf_kernel_present(k),
    };
}

static double sum_of(const double *value, uint32_t n) {
    double sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        sum += value[i];
    }
    return sum;
}

static bool is_near(double a, double b) { return fabs(a - b) <= steady_within * fmax(a, b); }

/* The last windows and those before them have nearly the same means. */
static bool holds_still(const meter *m, uint32_t n) {
    const uint32_t now = n - LOOK_BACK, before = now - LOOK_BACK;
    double flits[2], network[2];
    for (int i = 0; i < 2; i++) {
        const uint32_t from = i ? now : before;
        flits[i] = sum_of(m->row[FLITS] + from, LOOK_BACK);
        network[i] = sum_of(m->row[NETWORK] + from, LOOK_BACK) / sum_of(m->row[PACKETS] + from, LOOK_BACK);
    }
    return is_near(flits[0], flits[1]) && is_near(network[0], network[1]);
}

static hf_status warm_up(meter *m) {
    uint32_t n = 0;
    bool is_still = false;
    while (n < m->n_window && !m->p->n_blocked && !is_still) {
        HF_TRY(run_window(m, 1, &n));
        is_still = n >= (uint32_t)(2 * LOOK_BACK) && holds_still(m, n);
    }
    m->p->warm_up = hf_kernel_read(m->k)->cycle;
    return HF_OK;
}

hf_batch_mean hf_batch_summarize(const double *value, uint32_t n, double unit) {
    double sum = 0, squares = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < n; i++) {
        sum += isnan(value[i]) ? 0 : value[i];
        count += !isnan(value[i]);
    }
    const double mean = count ? sum / count : NAN;
    for (uint32_t i = 0; i < n; i++) {
        squares += isnan(value[i]) ? 0 : (value[i] - mean) * (value[i] - mean);
    }
    const double t = count > 1 ? hf_gsl_t_quantile(0.5 + confidence / 2, count - 1) : NAN;
    return (hf_batch_mean){.mean = mean * unit, .half = t * sqrt(squares / (count - 1.0) / count) * unit};
}

static void subtract(hf_point *p, const hf_kernel_counts *now, const hf_kernel_counts *before) {
    p->cycles = now->cycle - before->cycle;
    p->packets = now->delivered - before->delivered;
    p->lost = now->lost - before->lost;
    p->refused = now->refused - before->refused;
    p->retries = now->retries - before->retries;
    p->reordered = now->reordered - before->reordered;
    p->flit_hops = now->flit_hops - before->flit_hops;
    for (unsigned i = 0; i < sizeof p->histogram / sizeof *p->histogram; i++) {
        p->histogram[i] = now->histogram[i] - before->histogram[i];
    }
}

/* Less than 95% of the offered traffic comes through or has no way, that is no chance, and what does not stays behind at the
 * sources: there a queue that ages by a share of a cycle a cycle keeps that share of the load. */
static bool is_cut_back(const hf_point *p, hf_batch_mean through, double aged, uint32_t n_terminal) {
    const double most = through.mean + (isnan(through.half) ? 0 : through.half), missing = p->offered - through.mean;
    const double kept = aged / (double)p->cycles / n_terminal * p->load;
    return through.mean < accepted_at_least * p->offered && most < p->offered && kept > missing / 2;
}

/* A queue that ages by a cycle a cycle lets nothing off. \return by how much all queues together have aged */
static double look_at_queues(const meter *m, const uint64_t *waited, uint32_t n_terminal) {
    double least = 1, sum = 0;
    for (uint32_t t = 0; t < n_terminal; t++) {
        const double aged = (double)hf_kernel_waited(m->k, t) - (double)waited[t];
        least = fmin(least, 1 - aged / (double)m->p->cycles);
        sum += aged;
    }
    m->p->least_share = fmax(least, 0);
    return sum;
}

static hf_status mean_of(const meter *m, uint32_t n, meter_row sum, meter_row count, uint32_t least, hf_batch_mean *out) {
    return hf_series_mean(m->cx, (hf_series){m->row[sum], m->row[count], n}, least, out);
}

static hf_status hold(const meter *m, uint32_t n, meter_row state, uint32_t least, hf_batch_mean *out) {
    return hf_series_hold(m->cx, (hf_series){m->row[state], NULL, n}, least, out);
}

uint32_t hf_measure_windows(double latency, double window, uint32_t n) {
    const double least = ceil(LATENCIES_SHORT * latency / window), enough = ceil(LATENCIES * latency / window);
    const uint32_t share = n / HF_STEADY_BATCHES;
    const double windows = share >= least && share < enough ? share : enough;
    return !(windows > 1) ? 1 : windows < n ? (uint32_t)windows : n > 0 ? n : 1;
}

static void scale(hf_batch_mean *m, double by) {
    m->mean *= by;
    m->half *= by;
}

/* Parts that a batch needs to be long against a latency. */
static uint32_t parts_for(const meter *m, uint32_t n, meter_row latency) {
    const double packets = sum_of(m->row[PACKETS], n), length = sum_of(m->row[CYCLES], n) / n;
    return hf_measure_windows(packets > 0 ? sum_of(m->row[latency], n) / packets : 0, length, n);
}

/* What `n` parts of windows say. What has come to a deadlock was no steady run. */
static hf_status sum_up(meter *m, uint32_t n, hf_batch_mean *through) {
    hf_point *p = m->p;
    const double each = 1.0 / m->n_terminal;
    const uint32_t least = parts_for(m, n, NETWORK), longest = parts_for(m, n, LATENCY);
    HF_TRY(mean_of(m, n, FLITS, CYCLES, least, &p->accepted));
    HF_TRY(hold(m, n, INSIDE, least, &p->accepted));
    HF_TRY(mean_of(m, n, NETWORK, PACKETS, least, &p->network_latency));
    HF_TRY(hold(m, n, INSIDE, least, &p->network_latency));
    HF_TRY(mean_of(m, n, LATENCY, PACKETS, longest, &p->latency));
    HF_TRY(hold(m, n, INSIDE, least, &p->latency));
    HF_TRY(hold(m, n, AGED, least, &p->latency));
    HF_TRY(mean_of(m, n, THROUGH, CYCLES, least, through));
    scale(&p->accepted, each);
    scale(through, each);
    if (p->n_blocked) {
        p->accepted.steady = p->network_latency.steady = p->latency.steady = 0;
    }
    return HF_OK;
}

static hf_status measure(meter *m, bool for_each) {
    const hf_kernel_counts before = *hf_kernel_read(m->k);
    hf_point *p = m->p;
    hf_batch_mean through;
    uint32_t n = 0;
    uint64_t *waited;
    HF_TRY(hf_scratch(m->cx, m->n_terminal, sizeof *waited, (void **)&waited));
    for (uint32_t t = 0; t < m->n_terminal; t++) {
        waited[t] = hf_kernel_waited(m->k, t);
    }
    HF_TRY(hf_scratch(m->cx, m->n_batch, sizeof *p->window, (void **)&p->window));
    while (p->n_window < m->n_batch && !p->n_blocked) {
        const hf_kernel_counts last = m->last;
        HF_TRY(run_window(m, PARTS, &n));
        p->window[p->n_window++] = hf_measure_window(m->k, &last, last.cycle - p->warm_up, m->last.cycle - p->warm_up);
    }
    subtract(p, hf_kernel_read(m->k), &before);
    p->network_latency_max = hf_kernel_read(m->k)->network_latency_max;
    HF_TRY(sum_up(m, n, &through));
    const double aged = look_at_queues(m, waited, m->n_terminal);
    p->is_saturated =
        p->n_blocked > 0 || is_cut_back(p, through, aged, m->n_terminal) || (for_each && p->least_share < accepted_at_least);
    p->latency.steady = p->is_saturated ? 0 : p->latency.steady;
    p->is_steady = hf_batch_is_steady(p->accepted) && hf_batch_is_steady(p->latency) && hf_batch_is_steady(p->network_latency);
    return HF_OK;
}

/* Threads for one run. They meet every few cycles, so each has to have enough to do. */
static uint32_t threads_for(const hf_simulation *s) {
    const uint32_t most = s->plan->topo->n_channel / PART_CHANNELS, threads = s->threads ? s->threads : hf_jobs_cores();
    return threads < most ? threads : most;
}

/* Make the kernel, let it generate, and warm it up. */
static hf_status start(hf_context *cx, const hf_simulation *s, hf_point *out, meter *m) {
    *m = (meter){.cx = cx,
                 .p = out,
                 .packet_length = s->kernel.packet_length,
                 .n_terminal = s->plan->topo->n_terminal,
                 .window = s->window ? s->window : USUAL_WINDOW,
                 .n_window = s->warm_up_most ? s->warm_up_most : USUAL_WARM_UP,
                 .n_batch = s->batches ? s->batches : USUAL_BATCHES};
    const size_t parts = (size_t)PARTS * m->n_batch, room = m->n_window > parts ? m->n_window : parts;
    *out = (hf_point){.load = out->load};
    for (int row = 0; row < ROWS; row++) {
        HF_TRY(hf_scratch(cx, room, sizeof *m->row[row], (void **)&m->row[row]));
    }
    HF_TRY(hf_kernel_new(cx, s->plan, &s->kernel, &m->k));
    hf_kernel_threads(m->k, threads_for(s));
    hf_kernel_bursts(m->k, s->burst);
    HF_TRY(hf_kernel_offer(m->k, s->traffic, out->load, s->seed));
    out->offered = hf_kernel_offered(m->k) / s->plan->topo->n_terminal;
    return warm_up(m);
}

hf_status hf_measure_warm(hf_context *cx, const hf_simulation *s, hf_point *out, hf_kernel **k) {
    meter m;
    HF_TRY(start(cx, s, out, &m));
    *k = m.k;
    return HF_OK;
}

hf_status hf_measure_point(hf_context *cx, const hf_simulation *s, hf_point *out) {
    meter m;
    HF_TRY(start(cx, s, out, &m));
    return measure(&m, s->for_each);
}
