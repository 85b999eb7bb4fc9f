/* SPDX-License-Identifier: GPL-3.0-or-later */
/* holdfast load --faults: loads of all fault sets of some sizes, or of samples of them. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "src/cli/campaign.h"
#include "src/cli/load.h"
#include "src/question/measures.h"

static hf_status judge(hf_context *cx, void *user, const hf_universe *universe, const hf_rule *rule, hf_judge **out) {
    const load_request *r = user;
    return hf_load_judge_new(cx, universe, rule, r->traffic, r->split, out);
}

/* ---- output ---- */

static double mean(const hf_tally *t, unsigned extra) {
    return t->sets ? (double)t->extra_sum[extra] / (double)t->sets * HF_LOAD_EXTRA_UNIT : 0;
}

/* The 95% interval of a sampled mean. */
static hf_mean_estimate interval_of(const load_request *r, const hf_tally *t, unsigned extra) {
    const double most = hf_load_most(r->net.topo, &r->net.rule, r->traffic, extra);
    const hf_sample sample = hf_tally_sample(t, extra, most);
    hf_mean_estimate e = hf_estimate_mean(&sample, 0.95);
    e.low *= HF_LOAD_EXTRA_UNIT;
    e.high *= HF_LOAD_EXTRA_UNIT;
    return e;
}

static void json_mean(const load_request *r, hf_json *o, const char *name, const hf_row *row, unsigned extra) {
    const double value = mean(&row->tally, extra);
    const hf_mean_estimate e = interval_of(r, &row->tally, extra);
    const hf_interval_method method = row->is_exact ? HF_INTERVAL_EXACT : e.method;
    char key[40];
    hf_json_set(o, name, hf_json_real(value));
    snprintf(key, sizeof key, "%s_low", name);
    hf_json_set(o, key, hf_json_real(row->is_exact ? value : e.low));
    snprintf(key, sizeof key, "%s_high", name);
    hf_json_set(o, key, hf_json_real(row->is_exact ? value : e.high));
    snprintf(key, sizeof key, "%s_interval", name);
    hf_json_set(o, key, hf_json_text(hf_interval_method_name(method)));
}

static double largest(const hf_tally *t, unsigned extra) { return (double)t->extra_max[extra] * HF_LOAD_EXTRA_UNIT; }

static hf_json *json_row(const load_request *r, const hf_row *row) {
    const hf_tally *t = &row->tally;
    hf_json *o = hf_json_object();
    hf_json_set(o, "f", hf_json_integer(row->f));
    cli_json_decimal(o, "sets", t->sets);
    hf_json_set(o, "population", hf_json_text(row->population));
    hf_json_set(o, "exact", hf_json_boolean(row->is_exact));
    hf_json_set(o, "complete", hf_json_boolean(row->is_complete));
    cli_json_decimal(o, "sets_with_loss", t->not_tolerated);
    json_mean(r, o, "max_load", row, HF_LOAD_MAX);
    hf_json_set(o, "max_load_exact", hf_json_null());
    hf_json_set(o, "max_load_largest", hf_json_real(largest(t, HF_LOAD_MAX)));
    json_mean(r, o, "saturation", row, HF_LOAD_SATURATION);
    const double full = largest(t, HF_LOAD_ALL);
    hf_json_set(o, "saturation_least", full > 0 ? hf_json_real(1 / full) : hf_json_null());
    json_mean(r, o, "lost", row, HF_LOAD_LOST);
    hf_json_set(o, "lost_largest", hf_json_real(largest(t, HF_LOAD_LOST)));
    return o;
}

static hf_status print_json(const load_request *r, const hf_campaign *campaign, const hf_result *result) {
    hf_json *root = cli_json(r->c), *spec = load_json_spec(r), *rows = hf_json_array();
    hf_json_set(spec, "universe", hf_json_text(r->net.universe->spec));
    cli_campaign_json(r->c, campaign, spec);
    hf_json_set(root, "spec", spec);
    for (size_t i = 0; i < result->n_row; i++) {
        hf_json_push(rows, json_row(r, &result->row[i]));
    }
    hf_json_set(root, "rows", rows);
    return cli_put_json(r->c, root);
}

/* A mean, and its interval beside it. */
static hf_status mean_cells(const load_request *r, cli_table *t, const hf_row *row, unsigned extra) {
    hf_context *cx = r->c->cx;
    const hf_mean_estimate e = interval_of(r, &row->tally, extra);
    const char *note = e.method == HF_INTERVAL_BERNSTEIN_SEEN ? " (range not known)" : "";
    HF_TRY(cli_table_cell(cx, t, "%.6g", mean(&row->tally, extra)));
    return row->is_exact ? cli_table_cell(cx, t, "exact") : cli_table_cell(cx, t, "%.6g to %.6g%s", e.low, e.high, note);
}

static hf_status table_row(const load_request *r, cli_table *t, const hf_row *row) {
    hf_context *cx = r->c->cx;
    const hf_tally *tally = &row->tally;
    const double full = largest(tally, HF_LOAD_ALL);
    HF_TRY(cli_table_cell(cx, t, "%" PRIu32, row->f));
    HF_TRY(cli_table_cell(cx, t, "%" PRIu64, tally->sets));
    HF_TRY(cli_table_cell(cx, t, "%s", !row->is_complete ? "incomplete" : row->is_exact ? "exact" : "sampled"));
    HF_TRY(mean_cells(r, t, row, HF_LOAD_MAX));
    HF_TRY(cli_table_cell(cx, t, "%.6g", largest(tally, HF_LOAD_MAX)));
    HF_TRY(mean_cells(r, t, row, HF_LOAD_SATURATION));
    HF_TRY(full > 0 ? cli_table_cell(cx, t, "%.6g", 1 / full) : cli_table_cell(cx, t, "-"));
    HF_TRY(cli_table_cell(cx, t, "%.6g", 100 * mean(tally, HF_LOAD_LOST)));
    return cli_table_cell(cx, t, "%" PRIu64, tally->not_tolerated);
}

static hf_status print_table(const load_request *r, const hf_campaign *k, const hf_result *result) {
    static const char *const header[] = {
        "f",     "sets",         "figures",       "max load, mean", "95% interval", "largest", "saturation, mean", "95% interval",
        "least", "lost %, mean", "sets with loss"};
    static const bool is_number[] = {true, true, false, true, false, true, true, false, true, true, true};
    hf_context *cx = r->c->cx;
    cli_table t;
    char *title;
    hf_text out;
    HF_TRY(cli_table_start(cx, &t, header, is_number, sizeof header / sizeof *header, result->n_row));
    for (size_t i = 0; i < result->n_row; i++) {
        HF_TRY(table_row(r, &t, &result->row[i]));
    }
    HF_TRY(hf_scratch_print(cx, &title, "%s, %s, traffic %s, split %s, faults among %" PRIu32 " %s\n", r->net.topo->spec,
                            r->net.rule.spec, r->traffic->spec, hf_split_name(r->split), r->net.universe->n_component,
                            r->net.universe->spec));
    t.table.title = title;
    t.table.note = k->method == HF_METHOD_SAMPLED ? hf_mean_note : NULL;
    hf_text_init(cx, &out);
    hf_status status = hf_table_text(cx, &t.table, &out);
    if (status == HF_OK) {
        status = cli_put(r->c, &out);
    }
    hf_text_free(&out);
    return status;
}

/* ---- work ---- */

/* Names all that determines the loads: files of traffic by their content. */
static hf_status make_key(const load_request *r, const char **out) {
    const uint64_t hash = hf_traffic_hash(r->traffic);
    char *content, *key;
    HF_TRY(hf_scratch_print(r->c->cx, &content, "#%016" PRIx64, hash));
    HF_TRY(hf_scratch_print(r->c->cx, &key, "load:%s%s,%s", r->traffic->spec, hash ? content : "", hf_split_name(r->split)));
    *out = key;
    return HF_OK;
}

static hf_status run(const load_request *r, cli_campaign *k) {
    hf_result *result = NULL;
    hf_status status = cli_campaign_run(r->c, k, &result);
    if (status == HF_OK) {
        status = cli_has(r->c, "json") ? print_json(r, &k->campaign, result) : print_table(r, &k->campaign, result);
    }
    hf_result_free(result);
    return status;
}

hf_status load_campaign(const load_request *r) {
    const cli *c = r->c;
    load_request shared = *r;
    hf_inquiry inquiry = {.user = &shared, .judge = judge};
    cli_campaign k = {.campaign = {.inquiry = &inquiry}};
    if (cli_has(c, "failed") || cli_has(c, "worst-case") || cli_has(c, "best")) {
        HF_FAIL(c->cx, HF_EINVAL,
                "--failed, --worst-case and --best are for one fault set and --faults asks for all of some sizes; "
                "give one of them");
    }
    HF_TRY(make_key(r, &inquiry.key));
    HF_TRY(cli_campaign_read(c, &k));
    if (r->split == HF_SPLIT_OPTIMAL) {
        k.campaign.threads = 1; /* GLPK works for one thread at a time */
    }
    hf_status status = cli_campaign_open(c, &r->net, &k);
    status = status == HF_OK ? run(r, &k) : status;
    cli_campaign_close(c, &k);
    return status;
}
