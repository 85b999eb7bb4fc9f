/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The classes of fault sets and the measures that a routing names: as JSON, and as two tables. */
#include "src/cli/tolerance_measures.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static size_t count_names(const char *const *list) {
    size_t n = 0;
    while (list && list[n]) {
        n++;
    }
    return n;
}

static hf_mean_estimate mean_of(const cli_measured *m, const hf_tally *t, size_t i, double confidence) {
    const hf_sample sample = hf_tally_sample(t, i, hf_extra_most(&m->routing->extra_notes[i], m->topo));
    return hf_estimate_mean(&sample, confidence);
}

/* The sum of measure i over that of measure `over`. Its interval holds with 95% at least, as those of both means hold with
 * 97.5% each; the upper end is infinite if the lower one of the second is 0. \return false if nothing was counted */
static bool ratio_of(const cli_measured *m, const hf_row *row, size_t i, hf_mean_estimate *out) {
    const hf_tally *t = &row->tally;
    const uint32_t over = m->routing->extra_notes[i].over;
    if (t->sets == 0 || t->extra_sum[over] == 0) {
        return false;
    }
    const double value = (double)((long double)t->extra_sum[i] / (long double)t->extra_sum[over]);
    *out = (hf_mean_estimate){value, value, value, HF_INTERVAL_EXACT};
    if (!row->is_exact) {
        const hf_mean_estimate part = mean_of(m, t, i, 0.975), whole = mean_of(m, t, over, 0.975);
        out->low = part.low / whole.high;
        out->high = whole.low > 0 ? part.high / whole.low : INFINITY;
        out->method = part.method == whole.method ? part.method : HF_INTERVAL_BERNSTEIN_SEEN;
    }
    return true;
}

/* ---- JSON ---- */

static void set_real(hf_json *o, const char *name, const char *end, double value) {
    char key[96];
    snprintf(key, sizeof key, "%s%s", name, end);
    hf_json_set(o, key, hf_json_real(value));
}

static void json_estimate(hf_json *o, const char *name, const char *end, const hf_mean_estimate *e, bool is_exact) {
    char key[96];
    set_real(o, name, end, e->value);
    if (!is_exact) {
        set_real(o, name, "_low", e->low);
        set_real(o, name, "_high", e->high); /* null where it is infinite */
    }
    (void)snprintf(key, sizeof key, "%s_interval", name);
    hf_json_set(o, key, hf_json_text(hf_interval_method_name(is_exact ? HF_INTERVAL_EXACT : e->method)));
}

static void json_measure(const cli_measured *m, const hf_row *row, size_t i, hf_json *o) {
    const char *name = m->routing->extras[i];
    const hf_extra_note *note = &m->routing->extra_notes[i];
    char key[96];
    snprintf(key, sizeof key, "%s_sum", name);
    cli_json_decimal(o, key, row->tally.extra_sum[i]);
    const hf_mean_estimate mean = mean_of(m, &row->tally, i, 0.95);
    json_estimate(o, name, "_mean", &mean, row->is_exact);
    snprintf(key, sizeof key, "%s_max", name);
    hf_json_set(o, key, hf_json_integer((int64_t)row->tally.extra_max[i]));
    hf_mean_estimate ratio;
    if (note->ratio && ratio_of(m, row, i, &ratio)) {
        json_estimate(o, note->ratio, "", &ratio, row->is_exact);
    } else if (note->ratio) {
        hf_json_set(o, note->ratio, hf_json_null());
    }
}

void cli_measures_json(const cli_measured *m, const hf_row *row, hf_json *o) {
    const hf_routing *routing = m->routing;
    const hf_tally *t = &row->tally;
    const size_t n_class = count_names(routing->outcomes), n_measure = count_names(routing->extras);
    for (size_t i = 0; i < n_class; i++) {
        cli_json_decimal(o, routing->outcomes[i], t->outcome[i]);
    }
    if (n_class > 0) {
        set_real(o, routing->outcomes[0], "_fraction", t->sets ? (double)t->outcome[0] / (double)t->sets : 0);
    }
    for (size_t i = 0; i < n_measure; i++) {
        json_measure(m, row, i, o);
    }
}

/* ---- reports ---- */

/* One column a class, and the share of the first, which is the good one. */
static hf_status add_classes(const cli_measured *m, const hf_result *result, hf_report *out) {
    const hf_routing *routing = m->routing;
    const size_t n = count_names(routing->outcomes);
    hf_column *column;
    char *share, *key;
    if (n == 0) {
        return HF_OK;
    }
    HF_TRY(hf_scratch(out->cx, n + 2, sizeof *column, (void **)&column));
    HF_TRY(hf_scratch_print(out->cx, &share, "%s %%", routing->outcomes[0]));
    HF_TRY(hf_scratch_print(out->cx, &key, "%s_percent", routing->outcomes[0]));
    column[0] = (hf_column){"f", "f", NULL, HF_COLUMN_COUNT, 6, 0};
    for (size_t i = 0; i < n; i++) {
        column[1 + i] = (hf_column){routing->outcomes[i], routing->outcomes[i], NULL, HF_COLUMN_COUNT, 6, 0};
    }
    column[1 + n] = (hf_column){key, share, "%", HF_COLUMN_REAL, 6, 0};
    hf_report_table_begin(out, "classes", column, n + 2);
    for (size_t k = 0; result && k < result->n_row; k++) {
        const hf_tally *tally = &result->row[k].tally;
        hf_report_cell(out, hf_cell_count(result->row[k].f));
        for (size_t i = 0; i < n; i++) {
            hf_report_cell(out, hf_cell_count(tally->outcome[i]));
        }
        hf_report_cell(out, hf_cell_real(tally->sets ? 100 * (double)tally->outcome[0] / (double)tally->sets : 0));
    }
    return HF_OK;
}

static void add_line(hf_report *out, const char *name, const hf_row *row, const hf_mean_estimate *e, hf_cell largest) {
    hf_report_cell(out, hf_cell_word(name));
    hf_report_cell(out, hf_cell_count(row->f));
    hf_report_cell(out, e ? hf_cell_estimate(e->value, e->low, e->high, row->is_exact ? HF_INTERVAL_EXACT : e->method,
                                             row->is_exact ? "exact" : NULL)
                          : hf_cell_none());
    hf_report_cell(out, largest);
}

static void add_measures(const cli_measured *m, const hf_result *result, hf_report *out) {
    static const hf_column columns[] = {{"measure", "measure", NULL, HF_COLUMN_WORD, 6, 0},
                                        {"f", "f", NULL, HF_COLUMN_COUNT, 6, 0},
                                        {"mean", "mean", NULL, HF_COLUMN_ESTIMATE, 8, 0},
                                        {"largest", "largest", NULL, HF_COLUMN_COUNT, 6, 0}};
    const hf_routing *routing = m->routing;
    const size_t n = count_names(routing->extras), n_row = result ? result->n_row : 0;
    bool is_sampled = false;
    if (n == 0) {
        return;
    }
    hf_report_table_begin(out, "measures", columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < n; i++) {
        const hf_extra_note *note = &routing->extra_notes[i];
        for (size_t k = 0; k < n_row; k++) {
            const hf_row *row = &result->row[k];
            const hf_mean_estimate mean = mean_of(m, &row->tally, i, 0.95);
            is_sampled |= !row->is_exact;
            add_line(out, routing->extras[i], row, &mean, hf_cell_count(row->tally.extra_max[i]));
        }
        for (size_t k = 0; note->ratio && k < n_row; k++) {
            hf_mean_estimate ratio;
            const bool is_known = ratio_of(m, &result->row[k], i, &ratio);
            add_line(out, note->ratio, &result->row[k], is_known ? &ratio : NULL, hf_cell_none());
        }
    }
    hf_report_note(out, is_sampled ? cli_mean_note : NULL);
}

hf_status cli_measures_report(const cli_measured *m, const hf_result *result, hf_report *out) {
    if (result && (result->n_row == 0 || !result->row[0].has_measures)) {
        return HF_OK;
    }
    HF_TRY(add_classes(m, result, out));
    add_measures(m, result, out);
    return HF_OK;
}
