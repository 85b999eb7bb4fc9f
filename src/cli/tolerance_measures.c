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

/* ---- tables ---- */

static hf_status print_classes(hf_context *cx, const hf_routing *routing, const hf_result *result, hf_text *out) {
    const char *header[2 + HF_OUTCOMES] = {"f"};
    static const bool is_number[2 + HF_OUTCOMES] = {true, true, true, true, true, true, true, true, true, true};
    const size_t n = count_names(routing->outcomes);
    if (n == 0) {
        return HF_OK;
    }
    for (size_t i = 0; i < n; i++) {
        header[1 + i] = routing->outcomes[i];
    }
    char *share; /* the first class is the good one */
    HF_TRY(hf_scratch_print(cx, &share, "%s %%", routing->outcomes[0]));
    header[1 + n] = share;
    cli_table t;
    HF_TRY(cli_table_start(cx, &t, header, is_number, 2 + n, result->n_row));
    for (size_t k = 0; k < result->n_row; k++) {
        const hf_tally *tally = &result->row[k].tally;
        HF_TRY(cli_table_cell(cx, &t, "%" PRIu32, result->row[k].f));
        for (size_t i = 0; i < n; i++) {
            HF_TRY(cli_table_cell(cx, &t, "%" PRIu64, tally->outcome[i]));
        }
        HF_TRY(cli_table_cell(cx, &t, "%.6g", tally->sets ? 100 * (double)tally->outcome[0] / (double)tally->sets : 0));
    }
    hf_text_print(out, "\n");
    return hf_table_text(cx, &t.table, out);
}

static hf_status estimate_cells(hf_context *cx, cli_table *t, const hf_mean_estimate *e, bool is_exact) {
    const char *note = e->method == HF_INTERVAL_BERNSTEIN_SEEN ? " (range not known)" : "";
    HF_TRY(cli_table_cell(cx, t, "%.8g", e->value));
    if (is_exact || isinf(e->high)) {
        return is_exact ? cli_table_cell(cx, t, "exact") : cli_table_cell(cx, t, "at least %.6g%s", e->low, note);
    }
    return cli_table_cell(cx, t, "%.6g to %.6g%s", e->low, e->high, note);
}

static hf_status mean_line(hf_context *cx, cli_table *t, const cli_measured *m, const hf_row *row, size_t i) {
    const hf_mean_estimate mean = mean_of(m, &row->tally, i, 0.95);
    HF_TRY(cli_table_cell(cx, t, "%s", m->routing->extras[i]));
    HF_TRY(cli_table_cell(cx, t, "%" PRIu32, row->f));
    HF_TRY(estimate_cells(cx, t, &mean, row->is_exact));
    return cli_table_cell(cx, t, "%" PRIu64, row->tally.extra_max[i]);
}

static hf_status ratio_line(hf_context *cx, cli_table *t, const cli_measured *m, const hf_row *row, size_t i) {
    hf_mean_estimate ratio;
    HF_TRY(cli_table_cell(cx, t, "%s", m->routing->extra_notes[i].ratio));
    HF_TRY(cli_table_cell(cx, t, "%" PRIu32, row->f));
    if (ratio_of(m, row, i, &ratio)) {
        HF_TRY(estimate_cells(cx, t, &ratio, row->is_exact));
    } else {
        HF_TRY(cli_table_cell(cx, t, "-"));
        HF_TRY(cli_table_cell(cx, t, "-"));
    }
    return cli_table_cell(cx, t, "-");
}

static hf_status print_measures(hf_context *cx, const cli_measured *m, const hf_result *result, hf_text *out) {
    const hf_routing *routing = m->routing;
    bool is_sampled = false;
    static const char *const header[] = {"measure", "f", "mean", "95% interval", "largest"};
    static const bool is_number[] = {false, true, true, false, true};
    const size_t n = count_names(routing->extras);
    cli_table t;
    if (n == 0) {
        return HF_OK;
    }
    HF_TRY(cli_table_start(cx, &t, header, is_number, sizeof header / sizeof *header, 2 * n * result->n_row));
    for (size_t i = 0; i < n; i++) {
        const hf_extra_note *note = &routing->extra_notes[i];
        for (size_t k = 0; k < result->n_row; k++) {
            is_sampled |= !result->row[k].is_exact;
            HF_TRY(mean_line(cx, &t, m, &result->row[k], i));
        }
        for (size_t k = 0; note->ratio && k < result->n_row; k++) {
            HF_TRY(ratio_line(cx, &t, m, &result->row[k], i));
        }
    }
    t.table.note = is_sampled ? cli_mean_note : NULL;
    hf_text_print(out, "\n");
    return hf_table_text(cx, &t.table, out);
}

hf_status cli_measures_print(hf_context *cx, const cli_measured *m, const hf_result *result, hf_text *out) {
    if (result->n_row == 0 || !result->row[0].has_measures) {
        return HF_OK;
    }
    HF_TRY(print_classes(cx, m->routing, result, out));
    return print_measures(cx, m, result, out);
}
