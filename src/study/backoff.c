/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The criteria of [brown2002, 4.3]: the time of a backoff over the best time seen for the same program on the same network, in
 * the worst case and on average. What has been seen are the runs of the cells before. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "src/study/messaged.h"

/* One backoff over all programs and networks. */
typedef struct criteria {
    double worst, sum;
    uint32_t n, n_incomplete;
} criteria;

static bool is_same_backoff(const hf_protocol *a, const hf_protocol *b) {
    return a->backoff == b->backoff && a->backoff_constant == b->backoff_constant;
}

static bool is_same_case(const hf_study_messaged *a, const hf_study_messaged *b) {
    return hf_study_is_alike(a, b) && a->program.benchmark == b->program.benchmark && a->program.n_node == b->program.n_node &&
           a->messaging.network.kind == b->messaging.network.kind;
}

/* The best time of a program on a network, with any backoff or with that of `of`; infinite: none is complete. */
static double best_of(const hf_study_job *job, const hf_study_messaged *of, bool any_backoff) {
    double best = (double)INFINITY;
    for (size_t i = 0; i < job->n_messaged; i++) {
        const hf_study_messaged *m = &job->messaged[i];
        if (m->result.is_complete && is_same_case(m, of) &&
            (any_backoff || is_same_backoff(&m->messaging.protocol, &of->messaging.protocol))) {
            best = fmin(best, (double)m->result.cycles);
        }
    }
    return best;
}

/* The i-th run is the first of its program, network and backoff; others may differ in the limit of cycles. */
static bool is_first(const hf_study_job *job, size_t i) {
    const hf_study_messaged *m = &job->messaged[i];
    size_t j = 0;
    while (!is_same_case(&job->messaged[j], m) ||
           !is_same_backoff(&job->messaged[j].messaging.protocol, &m->messaging.protocol)) {
        j++;
    }
    return j == i;
}

static criteria judge(const hf_study_job *job, const hf_study_messaged *of) {
    criteria c = {0};
    for (size_t i = 0; i < job->n_messaged; i++) {
        const hf_study_messaged *m = &job->messaged[i];
        if (hf_study_is_alike(m, of) && is_same_backoff(&m->messaging.protocol, &of->messaging.protocol) && is_first(job, i)) {
            const double time = best_of(job, m, false);
            const double ratio = isfinite(time) ? time / best_of(job, m, true) : (double)INFINITY;
            c.worst = fmax(c.worst, ratio);
            c.sum += ratio;
            c.n++;
            c.n_incomplete += !isfinite(time);
        }
    }
    return c;
}

static double measure(hf_study_show show, const criteria *c) {
    const bool is_worst = show == HF_SHOW_WORST_OVER_BEST || show == HF_SHOW_LEAST_WORST;
    return is_worst ? c->worst : c->sum / c->n;
}

/* The backoff nearest to the best, of those that as many runs were made with as with the one asked for. */
static const hf_study_messaged *nearest(const hf_study_job *job, hf_study_show show, const hf_study_messaged *of, uint32_t n) {
    const hf_study_messaged *best = of;
    double least = (double)INFINITY;
    for (size_t i = 0; i < job->n_messaged; i++) {
        if (hf_study_is_alike(&job->messaged[i], of)) {
            const criteria c = judge(job, &job->messaged[i]);
            if (c.n == n && measure(show, &c) < least) {
                least = measure(show, &c);
                best = &job->messaged[i];
            }
        }
    }
    return best;
}

hf_status hf_study_backoff_line(hf_study_job *job, hf_study_show show, const hf_study_messaged *of, const char *what) {
    const bool is_least = show == HF_SHOW_LEAST_WORST || show == HF_SHOW_LEAST_MEAN;
    criteria c = judge(job, of);
    if (c.n == 0) {
        return hf_study_add_line(job, HF_NONE, NULL, "no cell before it runs a program with this backoff");
    }
    const hf_study_messaged *found = is_least ? nearest(job, show, of, c.n) : of;
    const hf_protocol *p = &found->messaging.protocol;
    c = judge(job, found);
    if (c.n_incomplete > 0) {
        char *why;
        HF_TRY(hf_scratch_print(job->cx, &why, "%" PRIu32 " of %" PRIu32 " runs not complete%s%s", c.n_incomplete, c.n,
                                what ? ", " : "", what ? what : ""));
        return hf_study_add_line(job, HF_NONE, NULL, why);
    }
    hf_study_value value = {.is_real = true, .is_exact = true, .real = measure(show, &c)};
    value.low = value.high = value.real;
    snprintf(value.method, sizeof value.method, "%" PRIu32 " runs, seed %" PRIu64, c.n, of->messaging.seed);
    snprintf(value.what, sizeof value.what, "%s", what ? what : "");
    if (is_least) {
        snprintf(value.what, sizeof value.what, "%s, C = %" PRIu32, hf_backoff_name(p->backoff), p->backoff_constant);
    }
    return hf_study_add_line(job, HF_NONE, &value, NULL);
}
