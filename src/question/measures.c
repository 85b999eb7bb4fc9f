/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The classes of fault sets and the measures that a routing names: as columns of JSON, and as two tables. */
#include "src/question/measures.h"

const char hf_mean_note[] =
    "Intervals of sampled means: empirical Bernstein and Hoeffding, from the range that the network allows; where no "
    "range is known, from the largest value seen.";

bool hf_measures_are_there(const hf_result *result) { return result->n_row > 0 && result->row[0].has_measures; }

static size_t count_names(const char *const *list) {
    size_t n = 0;
    while (list && list[n]) {
        n++;
    }
    return n;
}

/* ---- columns for JSON ---- */

static hf_status add_column(hf_report *out, const char *name, const char *end, hf_column_kind kind) {
    char *key;
    HF_TRY(hf_scratch_print(out->cx, &key, "%s%s", name, end));
    hf_report_add_column(out, (hf_column){key, key, NULL, kind, 6, HF_COLUMN_JSON});
    return HF_OK;
}

static hf_status add_estimate(hf_report *out, const char *name, const char *end) {
    HF_TRY(add_column(out, name, end, HF_COLUMN_REAL));
    HF_TRY(add_column(out, name, "_low", HF_COLUMN_REAL));
    HF_TRY(add_column(out, name, "_high", HF_COLUMN_REAL));
    return add_column(out, name, "_interval", HF_COLUMN_WORD);
}

hf_status hf_measures_columns(const hf_measured *m, hf_report *out) {
    const hf_routing *routing = m->rule->routing;
    for (size_t i = 0; i < count_names(hf_measures_of(routing)->outcomes); i++) {
        HF_TRY(add_column(out, hf_measures_of(routing)->outcomes[i], "", HF_COLUMN_BIG_COUNT));
    }
    if (count_names(hf_measures_of(routing)->outcomes) > 0) {
        HF_TRY(add_column(out, hf_measures_of(routing)->outcomes[0], "_fraction", HF_COLUMN_REAL));
    }
    for (size_t i = 0; i < count_names(hf_measures_of(routing)->extras); i++) {
        const char *ratio = hf_measures_of(routing)->notes[i].ratio;
        HF_TRY(add_column(out, hf_measures_of(routing)->extras[i], "_sum", HF_COLUMN_BIG_COUNT));
        HF_TRY(add_estimate(out, hf_measures_of(routing)->extras[i], "_mean"));
        HF_TRY(add_column(out, hf_measures_of(routing)->extras[i], "_max", HF_COLUMN_COUNT));
        if (ratio) {
            HF_TRY(add_estimate(out, ratio, ""));
        }
    }
    return HF_OK;
}

/* \param[in] e NULL: nothing was counted. Ends that are infinite are null. */
static void put_estimate(hf_report *out, const hf_mean_estimate *e) {
    hf_report_cell(out, e ? hf_cell_real(e->value) : hf_cell_none());
    hf_report_cell(out, e ? hf_cell_real(e->low) : hf_cell_none());
    hf_report_cell(out, e ? hf_cell_real(e->high) : hf_cell_none());
    hf_report_cell(out, hf_cell_word(e ? hf_interval_method_name(e->method) : NULL));
}

static double share_of_first(const hf_tally *t) { return t->sets ? (double)t->outcome[0] / (double)t->sets : 0; }

void hf_measures_cells(const hf_measured *m, const hf_row *row, hf_report *out) {
    const hf_routing *routing = m->rule->routing;
    const hf_tally *t = &row->tally;
    for (size_t i = 0; i < count_names(hf_measures_of(routing)->outcomes); i++) {
        hf_report_cell(out, hf_cell_count(t->outcome[i]));
    }
    if (count_names(hf_measures_of(routing)->outcomes) > 0) {
        hf_report_cell(out, hf_cell_real(share_of_first(t)));
    }
    for (size_t i = 0; i < count_names(hf_measures_of(routing)->extras); i++) {
        const hf_mean_estimate mean = hf_row_mean(row, m->rule, m->topo, i, 0.95);
        hf_mean_estimate ratio;
        hf_report_cell(out, hf_cell_count(t->extra_sum[i]));
        put_estimate(out, &mean);
        hf_report_cell(out, hf_cell_count(t->extra_max[i]));
        if (hf_measures_of(routing)->notes[i].ratio) {
            put_estimate(out, hf_row_ratio(row, m->rule, m->topo, i, &ratio) ? &ratio : NULL);
        }
    }
}

/* ---- tables ---- */

/* One column a class, and the share of the first, which is the good one. */
static hf_status add_classes(const hf_measured *m, const hf_result *result, hf_report *out) {
    const char *const *names = hf_measures_of(m->rule->routing)->outcomes;
    const size_t n = count_names(names);
    char *share, *key;
    static const hf_column first = {"f", "f", NULL, HF_COLUMN_COUNT, 6, 0};
    if (n == 0) {
        return HF_OK;
    }
    HF_TRY(hf_scratch_print(out->cx, &share, "%s %%", names[0]));
    HF_TRY(hf_scratch_print(out->cx, &key, "%s_percent", names[0]));
    hf_report_table_begin(out, "classes", &first, 1);
    for (size_t i = 0; i < n; i++) {
        hf_report_add_column(out, (hf_column){names[i], names[i], NULL, HF_COLUMN_COUNT, 6, 0});
    }
    hf_report_add_column(out, (hf_column){key, share, "%", HF_COLUMN_REAL, 6, 0});
    for (size_t k = 0; k < result->n_row; k++) {
        const hf_tally *tally = &result->row[k].tally;
        hf_report_cell(out, hf_cell_count(result->row[k].f));
        for (size_t i = 0; i < n; i++) {
            hf_report_cell(out, hf_cell_count(tally->outcome[i]));
        }
        hf_report_cell(out, hf_cell_real(100 * share_of_first(tally)));
    }
    return HF_OK;
}

static void add_line(hf_report *out, const char *name, const hf_row *row, const hf_mean_estimate *e, hf_cell largest) {
    hf_report_cell(out, hf_cell_word(name));
    hf_report_cell(out, hf_cell_count(row->f));
    hf_report_cell(out, e ? hf_cell_estimate(e->value, e->low, e->high, e->method,
                                             !row->is_exact ? NULL
                                             : row->is_part ? "exact, of a part"
                                                            : "exact")
                          : hf_cell_none());
    hf_report_cell(out, largest);
}

static void add_measures(const hf_measured *m, const hf_result *result, hf_report *out) {
    static const hf_column columns[] = {{"measure", "measure", NULL, HF_COLUMN_WORD, 6, 0},
                                        {"f", "f", NULL, HF_COLUMN_COUNT, 6, 0},
                                        {"mean", "mean", NULL, HF_COLUMN_ESTIMATE, 8, 0},
                                        {"largest", "largest", NULL, HF_COLUMN_COUNT, 6, 0}};
    const hf_routing *routing = m->rule->routing;
    const size_t n = count_names(hf_measures_of(routing)->extras);
    bool is_sampled = false;
    if (n == 0) {
        return;
    }
    hf_report_table_begin(out, "measures", columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < result->n_row; k++) {
            const hf_row *row = &result->row[k];
            const hf_mean_estimate mean = hf_row_mean(row, m->rule, m->topo, i, 0.95);
            is_sampled |= !row->is_exact;
            add_line(out, hf_measures_of(routing)->extras[i], row, &mean, hf_cell_count(row->tally.extra_max[i]));
        }
        for (size_t k = 0; hf_measures_of(routing)->notes[i].ratio && k < result->n_row; k++) {
            hf_mean_estimate ratio;
            const bool is_known = hf_row_ratio(&result->row[k], m->rule, m->topo, i, &ratio);
            add_line(out, hf_measures_of(routing)->notes[i].ratio, &result->row[k], is_known ? &ratio : NULL, hf_cell_none());
        }
    }
    hf_report_note(out, is_sampled ? hf_mean_note : NULL);
}

hf_status hf_measures_tables(const hf_measured *m, const hf_result *result, hf_report *out) {
    HF_TRY(add_classes(m, result, out));
    add_measures(m, result, out);
    return HF_OK;
}
