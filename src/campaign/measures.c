/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What the sums of a row say of the measures that its routing names. */
#include <holdfast/campaign.h>

#include <math.h>

static hf_mean_estimate mean_of(const hf_row *row, const hf_sample *sample, double confidence) {
    const hf_mean_estimate e = hf_estimate_mean(sample, confidence);
    return row->is_exact ? (hf_mean_estimate){e.value, e.value, e.value, hf_row_exact(row)} : e;
}

static hf_sample sample_of(const hf_row *row, const hf_rule *rule, const hf_topology *topo, size_t i) {
    return hf_tally_sample(&row->tally, i, hf_extra_most(&hf_measures_of(rule->routing)->notes[i], topo));
}

hf_mean_estimate hf_row_mean(const hf_row *row, const hf_rule *rule, const hf_topology *topo, size_t i, double confidence) {
    const hf_sample sample = sample_of(row, rule, topo, i);
    return mean_of(row, &sample, confidence);
}

/* The tally keeps no sum of squares; its histogram bounds it from above, so the interval is somewhat wide, never too narrow. At
 * most every channel of a switch is a victim for every terminal. */
hf_mean_estimate hf_row_victims(const hf_row *row, const hf_topology *topo, double confidence) {
    const hf_tally *t = &row->tally;
    double squares = 0;
    for (int b = 1; b < HF_HISTOGRAM_BINS; b++) {
        const double edge = ldexp(1, b) - 1, top = edge < (double)t->victims_max ? edge : (double)t->victims_max;
        squares += (double)t->victims_histogram[b] * top * top;
    }
    const hf_sample sample = {.n = t->sets,
                              .sum = (double)t->victims_sum,
                              .squares = squares,
                              .largest = (double)t->victims_max,
                              .most = (double)topo->n_channel * topo->n_terminal};
    return mean_of(row, &sample, confidence);
}

/* The sets that are tolerated, drawn as the others are, are a sample of their own. */
static bool mean_over_tolerated(const hf_row *row, const hf_rule *rule, const hf_topology *topo, size_t i,
                                hf_mean_estimate *out) {
    hf_sample sample = sample_of(row, rule, topo, i);
    sample.n = row->tally.sets - row->tally.not_tolerated;
    if (sample.n > 0) {
        *out = mean_of(row, &sample, 0.95);
    }
    return sample.n > 0;
}

bool hf_row_ratio(const hf_row *row, const hf_rule *rule, const hf_topology *topo, size_t i, hf_mean_estimate *out) {
    const hf_tally *t = &row->tally;
    const uint32_t over = hf_measures_of(rule->routing)->notes[i].over;
    if (over == HF_OVER_TOLERATED) {
        return mean_over_tolerated(row, rule, topo, i, out);
    }
    if (t->sets == 0 || t->extra_sum[over] == 0) {
        return false;
    }
    const double value = (double)((long double)t->extra_sum[i] / (long double)t->extra_sum[over]);
    *out = (hf_mean_estimate){value, value, value, hf_row_exact(row)};
    if (!row->is_exact) {
        const hf_mean_estimate part = hf_row_mean(row, rule, topo, i, 0.975), whole = hf_row_mean(row, rule, topo, over, 0.975);
        out->low = part.low / whole.high;
        out->high = whole.low > 0 ? part.high / whole.low : INFINITY;
        out->method = part.method == whole.method ? part.method : HF_INTERVAL_BERNSTEIN_SEEN;
    }
    return true;
}

hf_status hf_limit_of_tally(hf_context *cx, const hf_tally *tally, hf_limit *out) {
    const uint32_t n = tally->n_quantity - 2;
    hf_sample sample = {.largest = n, .most = n};
    *out = (hf_limit){.orders = tally->sets, .n = n};
    HF_TRY(hf_scratch(cx, (size_t)n + 2, sizeof *out->parted, (void **)&out->parted));
    HF_TRY(hf_scratch(cx, (size_t)n + 2, sizeof *out->below, (void **)&out->below));
    for (uint32_t i = 0; i < n + 2; i++) {
        out->parted[i] = tally->quantity[i].sets;
        out->below[i] = out->parted[i] + (i > 0 ? out->below[i - 1] : 0);
        if (i <= n) {
            sample.n += out->parted[i];
            sample.sum += (double)out->parted[i] * i;
            sample.squares += (double)out->parted[i] * i * i;
        }
    }
    const hf_mean_estimate e = hf_estimate_mean(&sample, 0.95);
    out->mean = e.value;
    out->mean_low = e.low;
    out->mean_high = e.high;
    out->mean_interval = e.method;
    return HF_OK;
}
