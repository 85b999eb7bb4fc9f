/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Quantiles by GSL. Its error handler is one for the whole program and aborts by default: it is put aside for the length of a
 *  call and put back after, one thread at a time. */
#include "src/bridge/gsl.h"

#include <pthread.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>

enum { STEPS = 1200 /* halvings from 1 to the smallest double */ };

/* Bisection on the distribution function: gsl_cdf_beta_Pinv loses digits far in the tails, the function itself does not. */
static double bisect(double p, double a, double b) {
    double low = 0, high = 1;
    for (int i = 0; i < STEPS; i++) {
        const double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high) {
            break;
        }
        if (gsl_cdf_beta_P(middle, a, b) < p) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low + (high - low) / 2;
}

double hf_gsl_beta_quantile(double p, double a, double b) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    gsl_error_handler_t *const before = gsl_set_error_handler_off();
    const double x = bisect(p, a, b);
    gsl_set_error_handler(before);
    pthread_mutex_unlock(&lock);
    return x;
}

double hf_gsl_normal_quantile(double p) { return gsl_cdf_ugaussian_Pinv(p); }

double hf_gsl_t_quantile(double p, double freedom) { return gsl_cdf_tdist_Pinv(p, freedom); }

double hf_gsl_normal_below(double x) { return gsl_cdf_ugaussian_P(x); }

double hf_gsl_t_below(double x, double freedom) { return gsl_cdf_tdist_P(x, freedom); }
