/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two cells that ran over the same fault sets, compared set by set: what a bad set does to both does not widen the interval. A
 * ratio is that of the means, with the interval of the residuals a - r b [Cochran, Sampling techniques, 3rd ed., 6.3]. */
#include <math.h>
#include <string.h>

#include "src/bridge/gsl.h"
#include "src/study/runs.h"

enum { SETS_LEAST = 3 };
static const double confidence = 0.95;

/* A run for each set: one number of faults, one load. */
static bool has_sets(const hf_study_cell *cell) {
    return hf_study_is_simulated(cell->kind) && !cell->not_computable && cell->n_f == 1 && cell->simulation.n_load <= 1;
}

static bool is_drawn_alike(const hf_study_cell *a, const hf_study_cell *b) {
    return has_sets(a) && has_sets(b) && a->f[0] == b->f[0] && a->seed == b->seed && strcmp(a->universe, b->universe) == 0;
}

static const hf_study_sim *run_of(const hf_study_runs *all, size_t ask) { return &all->run[all->ask[ask].run]; }

static bool is_same_set(const hf_study_sim *a, const hf_study_sim *b) {
    return a->n_set == b->n_set && (a->n_set == 0 || memcmp(a->set, b->set, a->n_set * sizeof *a->set) == 0);
}

/* Sets of both cells, in the order in which both were drawn. */
static size_t match(const hf_study_job *job, const size_t cell[2], double *a, double *b) {
    const hf_study_runs *all = job->runs;
    const hf_study_show show[2] = {job->study->cell[cell[0]].show, job->study->cell[cell[1]].show};
    size_t n = 0, k = all->first[cell[1]];
    for (size_t i = all->first[cell[0]]; i < all->first[cell[0] + 1]; i++) {
        size_t at = k;
        while (at < all->first[cell[1] + 1] && !is_same_set(run_of(all, i), run_of(all, at))) {
            at++;
        }
        if (at < all->first[cell[1] + 1]) {
            a[n] = hf_study_figure(show[0], &run_of(all, i)->point).mean;
            b[n++] = hf_study_figure(show[1], &run_of(all, at)->point).mean;
            k = at + 1;
        }
    }
    return n;
}

static double mean_of(const double *x, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += x[i];
    }
    return sum / (double)n;
}

/* Half of the interval of the mean of a - r b, whose mean is `mean`. */
static double half_of(const double *a, const double *b, double r, double mean, size_t n) {
    double squares = 0;
    for (size_t i = 0; i < n; i++) {
        const double off = a[i] - r * b[i] - mean;
        squares += off * off;
    }
    return hf_gsl_t_quantile(0.5 + confidence / 2, (double)(n - 1)) * sqrt(squares / (double)(n - 1) / (double)n);
}

hf_status hf_study_compare_sets(hf_study_job *job, const hf_study_cell *cell, hf_study_value *out, size_t *n) {
    const size_t pair[2] = {cell->claim.of, cell->claim.against};
    const hf_study_runs *all = job->runs;
    double *a, *b;
    *n = 0;
    if (cell->show == HF_SHOW_PRODUCT || !is_drawn_alike(&job->study->cell[pair[0]], &job->study->cell[pair[1]])) {
        return HF_OK;
    }
    const size_t most = all->first[pair[0] + 1] - all->first[pair[0]];
    HF_TRY(hf_scratch(job->cx, most, sizeof *a, (void **)&a));
    HF_TRY(hf_scratch(job->cx, most, sizeof *b, (void **)&b));
    *n = match(job, pair, a, b);
    if (*n < SETS_LEAST) {
        *n = 0;
        return HF_OK;
    }
    const bool subtracts = cell->show == HF_SHOW_DIFFERENCE;
    const double x = mean_of(a, *n), y = mean_of(b, *n), r = subtracts ? 1 : x / y;
    const double half = half_of(a, b, r, x - r * y, *n) / (subtracts ? 1 : fabs(y));
    const double value = subtracts ? x - y : cell->show == HF_SHOW_GAIN ? r - 1 : cell->show == HF_SHOW_LOSS ? 1 - r : r;
    *out = (hf_study_value){.is_real = true, .real = value, .low = value - half, .high = value + half};
    return HF_OK;
}
