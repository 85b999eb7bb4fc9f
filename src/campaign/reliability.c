/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Rows of reliability out of the rows of a campaign. */
#include <inttypes.h>
#include <math.h>

#include <holdfast/campaign.h>

typedef struct gathering {
    hf_context *cx;
    const hf_reliability_class *class;
    size_t n_class;
    bool is_composed;
    uint32_t n_terminal;
    double confidence;
    hf_reliability_row *row;
    size_t n, capacity;
} gathering;

static hf_status check_row(hf_context *cx, const hf_row *row, size_t n_class, bool is_composed) {
    if (!row->is_whole || !row->is_complete) {
        HF_FAIL(cx, HF_EINVAL, "the row of %" PRIu32 " faults is a part or not finished; reliability needs whole rows", row->f);
    }
    if (n_class > 1 && !row->is_exact) {
        HF_FAIL(cx, HF_EINVAL,
                "the row of %" PRIu32 " faults is sampled; components with different rates or repairs need all sets of a size",
                row->f);
    }
    if (is_composed && row->tally.sets >> HF_RELIABILITY_LOST) {
        HF_FAIL(cx, HF_ERANGE, "the row of %" PRIu32 " faults has more than 2^%d sets", row->f, HF_RELIABILITY_LOST);
    }
    return HF_OK;
}

/* C(m, f) as a double, for shares. */
static double count_sets(uint32_t m, uint32_t f) {
    double n = 1;
    for (uint32_t i = 0; i < f; i++) {
        n = n * (m - i) / (i + 1);
    }
    return n;
}

/* A mean of values in [0, n_terminal], of which nothing but the sum is kept. */
static hf_bounded mean_lost(const gathering *g, const hf_row *row, double sum, double sets) {
    const double mean = sum / sets;
    if (row->is_exact) {
        return (hf_bounded){mean, mean, mean};
    }
    const hf_sample sample = {row->tally.sets, sum, INFINITY, g->n_terminal, g->n_terminal};
    const hf_mean_estimate e = hf_estimate_mean(&sample, g->confidence);
    return (hf_bounded){e.low, e.value, e.high};
}

static void add_counted(gathering *g, const hf_row *row) {
    const hf_reliability_count count = {row->f, row->tally.sets, row->tally.not_tolerated, row->is_exact};
    hf_reliability_row *out = &g->row[g->n++];
    *out = hf_reliability_row_of(&count, g->confidence);
    if (g->is_composed) {
        out->lost = mean_lost(g, row, (double)(row->tally.extra_sum[0] >> HF_RELIABILITY_LOST), (double)row->tally.sets);
    }
}

/* Every composition that there is of f failures: its own share and mean. */
static void add_composed(gathering *g, const hf_row *row) {
    uint32_t failed[HF_RELIABILITY_CLASSES];
    for (size_t i = 0; hf_reliability_composition(row->f, g->n_class, i, failed); i++) {
        const hf_u128 sum = row->tally.extra_sum[i];
        double sets = 1;
        for (size_t c = 0; c < g->n_class; c++) {
            sets *= failed[c] <= g->class[c].n_component ? count_sets(g->class[c].n_component, failed[c]) : 0;
        }
        if (sets == 0) {
            continue;
        }
        const double bad = (double)(sum & (((hf_u128)1 << HF_RELIABILITY_LOST) - 1)) / sets;
        hf_reliability_row *out = &g->row[g->n++];
        *out = (hf_reliability_row){.bad = {bad, bad, bad}};
        for (size_t c = 0; c < g->n_class; c++) {
            out->failed[c] = failed[c];
        }
        out->lost = mean_lost(g, row, (double)(sum >> HF_RELIABILITY_LOST), sets);
    }
}

hf_status hf_result_reliability(hf_context *cx, const hf_result *result, const hf_reliability_class *classes, size_t n_class,
                                bool is_composed, uint32_t n_terminal, hf_reliability_row **out, size_t *n_out) {
    gathering g = {.cx = cx, .class = classes, .n_class = n_class, .is_composed = is_composed, .n_terminal = n_terminal};
    size_t n_sampled = 0;
    for (size_t i = 0; i < result->n_row; i++) {
        HF_TRY(check_row(cx, &result->row[i], n_class, is_composed));
        n_sampled += !result->row[i].is_exact;
    }
    g.confidence = hf_reliability_confidence(n_sampled);
    HF_TRY(hf_scratch(cx, result->n_row * HF_EXTRAS, sizeof *g.row, (void **)&g.row));
    for (size_t i = 0; i < result->n_row; i++) {
        if (n_class == 1) {
            add_counted(&g, &result->row[i]);
        } else {
            add_composed(&g, &result->row[i]);
        }
    }
    *out = g.row;
    *n_out = g.n;
    return HF_OK;
}
