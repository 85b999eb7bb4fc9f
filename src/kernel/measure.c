/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Measuring one load: windows until accepted traffic and latency hold still, then batches. */
#include "src/kernel/measure.h"

#include <math.h>

#include "src/bridge/gsl.h"

enum { LOOK_BACK = 4, USUAL_WINDOW = 1000, USUAL_BATCHES = 20, USUAL_WARM_UP = 100 };
static const double steady_within = 0.05, accepted_at_least = 0.95, confidence = 0.95;

typedef struct meter {
    hf_context *cx;
    hf_kernel *k;
    hf_point *p;
    uint64_t window;
    uint32_t n_window, n_batch;
    hf_kernel_counts last;                /* at the end of the window before */
    double *accepted, *latency, *network; /* by window or batch; NaN where no packet arrived */
    double *through;                      /* accepted, and what was lost or refused */
    uint32_t packet_length;
} meter;

/* Run one window; entry i of the series is what it gave. */
static hf_status run_window(meter *m, uint32_t i) {
    HF_TRY(hf_kernel_run(m->k, m->window));
    const hf_kernel_counts *now = hf_kernel_read(m->k);
    const double packets = (double)(now->delivered - m->last.delivered);
    m->accepted[i] = (double)(now->delivered_flits - m->last.delivered_flits) / (double)m->window;
    m->latency[i] = packets > 0 ? (double)(now->latency_sum - m->last.latency_sum) / packets : NAN;
    m->network[i] = packets > 0 ? (double)(now->network_latency_sum - m->last.network_latency_sum) / packets : NAN;
    const uint64_t gone = now->lost + now->refused - m->last.lost - m->last.refused;
    m->through[i] = m->accepted[i] + (double)gone * m->packet_length / (double)m->window;
    m->last = *now;
    HF_TRY(hf_kernel_deadlock(m->k, &m->p->blocked, &m->p->n_blocked));
    m->p->deadlock_cycle = m->p->n_blocked ? now->cycle : 0;
    return HF_OK;
}

static double mean_of(const double *value, uint32_t n) {
    double sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        sum += value[i];
    }
    return sum / n;
}

/* The last windows and those before them have nearly the same mean. */
static bool holds_still(const double *value, uint32_t n) {
    const double now = mean_of(value + n - LOOK_BACK, LOOK_BACK);
    const double before = mean_of(value + n - (uint32_t)(2 * LOOK_BACK), LOOK_BACK);
    return fabs(now - before) <= steady_within * fmax(now, before);
}

static hf_status warm_up(meter *m) {
    uint32_t n = 0;
    while (n < m->n_window && !m->p->n_blocked && !m->p->is_steady) {
        HF_TRY(run_window(m, n++));
        m->p->is_steady = n >= (uint32_t)(2 * LOOK_BACK) && holds_still(m->accepted, n) && holds_still(m->network, n);
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
    return (hf_batch_mean){mean * unit, t * sqrt(squares / (count - 1.0) / count) * unit};
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
 * sources. */
static bool is_cut_back(const hf_point *p, hf_batch_mean through, double aged) {
    const double most = through.mean + (isnan(through.half) ? 0 : through.half);
    return through.mean < accepted_at_least * p->offered && most < p->offered && aged > 0;
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

static hf_status measure(meter *m, uint32_t n_terminal, bool for_each) {
    const hf_kernel_counts before = *hf_kernel_read(m->k);
    uint32_t n = 0;
    uint64_t *waited;
    HF_TRY(hf_scratch(m->cx, n_terminal, sizeof *waited, (void **)&waited));
    for (uint32_t t = 0; t < n_terminal; t++) {
        waited[t] = hf_kernel_waited(m->k, t);
    }
    while (n < m->n_batch && !m->p->n_blocked) {
        HF_TRY(run_window(m, n++));
    }
    subtract(m->p, hf_kernel_read(m->k), &before);
    m->p->network_latency_max = hf_kernel_read(m->k)->network_latency_max;
    m->p->accepted = hf_batch_summarize(m->accepted, n, 1.0 / n_terminal);
    m->p->latency = hf_batch_summarize(m->latency, n, 1);
    m->p->network_latency = hf_batch_summarize(m->network, n, 1);
    const double aged = look_at_queues(m, waited, n_terminal);
    const hf_batch_mean through = hf_batch_summarize(m->through, n, 1.0 / n_terminal);
    m->p->is_saturated =
        m->p->n_blocked > 0 || is_cut_back(m->p, through, aged) || (for_each && m->p->least_share < accepted_at_least);
    return HF_OK;
}

/* Make the kernel, let it generate, and warm it up. */
static hf_status start(hf_context *cx, const hf_simulation *s, hf_point *out, meter *m) {
    *m = (meter){.cx = cx,
                 .p = out,
                 .packet_length = s->kernel.packet_length,
                 .window = s->window ? s->window : USUAL_WINDOW,
                 .n_window = s->warm_up_most ? s->warm_up_most : USUAL_WARM_UP,
                 .n_batch = s->batches ? s->batches : USUAL_BATCHES};
    const size_t room = m->n_window > m->n_batch ? m->n_window : m->n_batch;
    *out = (hf_point){.load = out->load};
    HF_TRY(hf_scratch(cx, room, sizeof *m->accepted, (void **)&m->accepted));
    HF_TRY(hf_scratch(cx, room, sizeof *m->latency, (void **)&m->latency));
    HF_TRY(hf_scratch(cx, room, sizeof *m->network, (void **)&m->network));
    HF_TRY(hf_scratch(cx, room, sizeof *m->through, (void **)&m->through));
    HF_TRY(hf_kernel_new(cx, s->plan, &s->kernel, &m->k));
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
    return measure(&m, s->plan->topo->n_terminal, s->for_each);
}
