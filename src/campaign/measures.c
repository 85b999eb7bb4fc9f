/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the sums of a row say of the measures that its routing names. */
#include <holdfast/campaign.h>

#include <math.h>

hf_mean_estimate hf_row_mean(const hf_row *row, const hf_rule *rule, const hf_topology *topo, size_t i, double confidence) {
    const hf_sample sample = hf_tally_sample(&row->tally, i, hf_extra_most(&hf_measures_of(rule->routing)->notes[i], topo));
    hf_mean_estimate e = hf_estimate_mean(&sample, confidence);
    return row->is_exact ? (hf_mean_estimate){e.value, e.value, e.value, HF_INTERVAL_EXACT} : e;
}

bool hf_row_ratio(const hf_row *row, const hf_rule *rule, const hf_topology *topo, size_t i, hf_mean_estimate *out) {
    const hf_tally *t = &row->tally;
    const uint32_t over = hf_measures_of(rule->routing)->notes[i].over;
    if (t->sets == 0 || t->extra_sum[over] == 0) {
        return false;
    }
    const double value = (double)((long double)t->extra_sum[i] / (long double)t->extra_sum[over]);
    *out = (hf_mean_estimate){value, value, value, HF_INTERVAL_EXACT};
    if (!row->is_exact) {
        const hf_mean_estimate part = hf_row_mean(row, rule, topo, i, 0.975), whole = hf_row_mean(row, rule, topo, over, 0.975);
        out->low = part.low / whole.high;
        out->high = whole.low > 0 ? part.high / whole.low : INFINITY;
        out->method = part.method == whole.method ? part.method : HF_INTERVAL_BERNSTEIN_SEEN;
    }
    return true;
}
