/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Intervals for proportions: Wilson (JASA 1927) and Clopper-Pearson (Biometrika
 * 1934). */
#include <holdfast/stats.h>

#include <math.h>

#include "src/bridge/gsl.h"

enum { FEW = 30 /* below this count the exact interval is used */ };

const char *hf_interval_method_name(hf_interval_method method) {
    static const char *const name[] = {"exact", "wilson", "clopper-pearson"};
    return name[method];
}

hf_estimate hf_estimate_wilson(uint64_t count, uint64_t trials, double confidence) {
    const double n = (double)trials, p = (double)count / n, z = hf_gsl_normal_quantile(0.5 + confidence / 2);
    const double centre = (p + z * z / (2 * n)) / (1 + z * z / n);
    const double half = z / (1 + z * z / n) * sqrt(p * (1 - p) / n + z * z / (4 * n * n));
    return (hf_estimate){p, count == 0 ? 0 : fmax(0, centre - half), count == trials ? 1 : fmin(1, centre + half),
                         HF_INTERVAL_WILSON};
}

hf_estimate hf_estimate_clopper_pearson(uint64_t count, uint64_t trials, double confidence) {
    const double tail = (1 - confidence) / 2, x = (double)count, n = (double)trials;
    const double low = count == 0 ? 0 : hf_gsl_beta_quantile(tail, x, n - x + 1);
    const double high = count == trials ? 1 : hf_gsl_beta_quantile(1 - tail, x + 1, n - x);
    return (hf_estimate){x / n, low, high, HF_INTERVAL_CLOPPER_PEARSON};
}

hf_estimate hf_estimate_proportion(uint64_t count, uint64_t trials, double confidence) {
    return count < FEW ? hf_estimate_clopper_pearson(count, trials, confidence) : hf_estimate_wilson(count, trials, confidence);
}

hf_mean_estimate hf_estimate_mean(hf_u128 sum, hf_u128 squares, uint64_t n, double confidence) {
    const long double count = (long double)n, mean = (long double)sum / count;
    const long double spread = n > 1 ? ((long double)squares - (long double)sum * mean) / (count - 1) : 0;
    const double half = hf_gsl_normal_quantile(0.5 + confidence / 2) * sqrt(fmax((double)(spread / count), 0));
    return (hf_mean_estimate){(double)mean, fmax((double)mean - half, 0), (double)mean + half};
}
