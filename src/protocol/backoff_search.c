/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The backoff that comes closest to the best, in the worst case and on average over programs and networks. Source: [brown2002,
 *  4.3], where "optimal" is the best time seen for a program on a network. */
#include <math.h>

#include <holdfast/protocol.h>

/* Times of all tries for one program on one network; infinite where it is not complete. */
static hf_status run_tries(hf_context *cx, const hf_program *program, hf_messaging m, const hf_backoff_try *tries, size_t n,
                           double *time) {
    const hf_mark mark = hf_scratch_mark(cx);
    hf_network *network;
    hf_status status = HF_OK;
    HF_TRY(hf_network_open(cx, &m.network, program->n_node, m.seed, &network));
    for (size_t i = 0; status == HF_OK && i < n; i++) {
        hf_messaging_result r;
        m.protocol.backoff = tries[i].backoff;
        m.protocol.backoff_constant = tries[i].constant;
        status = hf_messaging_run_on(cx, &m, network, program, &r);
        time[i] = r.is_complete ? (double)r.cycles : (double)INFINITY;
    }
    hf_network_close(network);
    hf_scratch_reset(cx, mark);
    return status;
}

static void add_ratios(const double *time, hf_backoff_try *tries, size_t n) {
    double best = (double)INFINITY;
    for (size_t i = 0; i < n; i++) {
        best = time[i] < best ? time[i] : best;
    }
    for (size_t i = 0; i < n; i++) {
        const double ratio = isfinite(time[i]) ? time[i] / best : (double)INFINITY;
        tries[i].worst = ratio > tries[i].worst ? ratio : tries[i].worst;
        tries[i].mean += ratio;
        tries[i].n_incomplete += !isfinite(time[i]);
    }
}

static hf_status search_program(hf_context *cx, const hf_benchmark_options *options, const hf_messaging *network,
                                size_t n_network, hf_backoff_try *tries, size_t n, double *time) {
    hf_program program;
    hf_status status = HF_OK;
    HF_TRY(hf_benchmark_program(cx, options, &program));
    for (size_t k = 0; status == HF_OK && k < n_network; k++) {
        status = run_tries(cx, &program, network[k], tries, n, time);
        if (status == HF_OK) {
            add_ratios(time, tries, n);
        }
    }
    hf_program_free(&program);
    return status;
}

hf_status hf_backoff_search(hf_context *cx, const hf_benchmark_options *options, size_t n_program, const hf_messaging *network,
                            size_t n_network, hf_backoff_try *tries, size_t n) {
    const hf_mark mark = hf_scratch_mark(cx);
    double *time;
    hf_status status = HF_OK;
    for (size_t i = 0; i < n; i++) {
        tries[i].worst = tries[i].mean = 0;
        tries[i].n_incomplete = 0;
    }
    HF_TRY(hf_scratch(cx, n, sizeof *time, (void **)&time));
    for (size_t p = 0; status == HF_OK && p < n_program; p++) {
        status = search_program(cx, &options[p], network, n_network, tries, n, time);
    }
    for (size_t i = 0; i < n; i++) {
        tries[i].mean /= (double)(n_program * n_network);
    }
    hf_scratch_reset(cx, mark);
    return status;
}
