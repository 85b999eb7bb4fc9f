/* SPDX-License-Identifier: GPL-3.0-or-later */
/* holdfast load --faults: loads of all fault sets of some sizes, or of samples of them. */
#include <inttypes.h>
#include <string.h>

#include "src/cli/load.h"
#include "src/store/batch_text.h"

static hf_status judge(hf_context *cx, void *user, const hf_universe *universe, const hf_rule *rule, hf_judge **out) {
    const load_request *r = user;
    return hf_load_judge_new(cx, universe, rule, r->traffic, r->split, out);
}

static hf_status read_options(const load_request *r, hf_campaign *campaign) {
    const cli *c = r->c;
    static const char *const methods[] = {"exhaustive", "sampled", NULL};
    const char *method = cli_value_or(c, "method", methods[0]);
    uint64_t threads;
    if (strcmp(method, methods[0]) != 0 && strcmp(method, methods[1]) != 0) {
        return hf_spec_unknown(c->cx, "method", method, strlen(method), methods);
    }
    campaign->method = strcmp(method, methods[1]) == 0 ? HF_METHOD_SAMPLED : HF_METHOD_EXHAUSTIVE;
    if (campaign->method == HF_METHOD_EXHAUSTIVE && cli_has(c, "samples")) {
        HF_FAIL(c->cx, HF_EINVAL, "--samples goes with --method sampled");
    }
    HF_TRY(cli_number(c, "samples", 1, UINT64_MAX, 10000, &campaign->samples));
    HF_TRY(cli_number(c, "seed", 0, UINT64_MAX, 1, &campaign->seed));
    HF_TRY(cli_number(c, "threads", 1, 1024, 0, &threads));
    campaign->threads = r->split == HF_SPLIT_OPTIMAL ? 1 : (uint32_t)threads; /* GLPK works for one thread at a time */
    return HF_OK;
}

/* ---- output ---- */

static double mean(const hf_tally *t, unsigned extra) {
    return t->sets ? (double)t->extra_sum[extra] / (double)t->sets * HF_LOAD_EXTRA_UNIT : 0;
}

static double largest(const hf_tally *t, unsigned extra) { return (double)t->extra_max[extra] * HF_LOAD_EXTRA_UNIT; }

static void set_decimal(hf_json *object, const char *key, hf_u128 value) {
    char text[40];
    hf_batch_decimal(value, text);
    hf_json_set(object, key, hf_json_text(text));
}

static hf_json *json_row(const hf_row *row) {
    const hf_tally *t = &row->tally;
    hf_json *o = hf_json_object();
    hf_json_set(o, "f", hf_json_integer(row->f));
    set_decimal(o, "sets", t->sets);
    hf_json_set(o, "population", hf_json_text(row->population));
    hf_json_set(o, "exact", hf_json_boolean(row->is_exact));
    hf_json_set(o, "complete", hf_json_boolean(row->is_complete));
    set_decimal(o, "sets_with_loss", t->not_tolerated);
    hf_json_set(o, "max_load", hf_json_real(mean(t, HF_LOAD_MAX)));
    hf_json_set(o, "max_load_exact", hf_json_null());
    hf_json_set(o, "max_load_largest", hf_json_real(largest(t, HF_LOAD_MAX)));
    hf_json_set(o, "saturation", hf_json_real(mean(t, HF_LOAD_SATURATION)));
    const double full = largest(t, HF_LOAD_ALL);
    hf_json_set(o, "saturation_least", full > 0 ? hf_json_real(1 / full) : hf_json_null());
    hf_json_set(o, "lost", hf_json_real(mean(t, HF_LOAD_LOST)));
    hf_json_set(o, "lost_largest", hf_json_real(largest(t, HF_LOAD_LOST)));
    return o;
}

static hf_status print_json(const load_request *r, const hf_campaign *campaign, const hf_result *result) {
    hf_json *root = cli_json(r->c), *spec = load_json_spec(r), *rows = hf_json_array();
    hf_json_set(spec, "universe", hf_json_text(r->net.universe->spec));
    hf_json_set(spec, "method", hf_json_text(hf_method_name(campaign->method)));
    hf_json_set(spec, "samples",
                campaign->method == HF_METHOD_SAMPLED ? hf_json_integer((int64_t)campaign->samples) : hf_json_null());
    set_decimal(spec, "seed", campaign->seed);
    hf_json_set(root, "spec", spec);
    for (size_t i = 0; i < result->n_row; i++) {
        hf_json_push(rows, json_row(&result->row[i]));
    }
    hf_json_set(root, "rows", rows);
    return cli_put_json(r->c, root);
}

static hf_status table_row(hf_context *cx, cli_table *t, const hf_row *row) {
    const hf_tally *tally = &row->tally;
    const double full = largest(tally, HF_LOAD_ALL);
    HF_TRY(cli_table_cell(cx, t, "%" PRIu32, row->f));
    HF_TRY(cli_table_cell(cx, t, "%" PRIu64, tally->sets));
    HF_TRY(cli_table_cell(cx, t, "%s", !row->is_complete ? "incomplete" : row->is_exact ? "exact" : "sampled"));
    HF_TRY(cli_table_cell(cx, t, "%.6g", mean(tally, HF_LOAD_MAX)));
    HF_TRY(cli_table_cell(cx, t, "%.6g", largest(tally, HF_LOAD_MAX)));
    HF_TRY(cli_table_cell(cx, t, "%.6g", mean(tally, HF_LOAD_SATURATION)));
    HF_TRY(full > 0 ? cli_table_cell(cx, t, "%.6g", 1 / full) : cli_table_cell(cx, t, "-"));
    HF_TRY(cli_table_cell(cx, t, "%.6g", 100 * mean(tally, HF_LOAD_LOST)));
    return cli_table_cell(cx, t, "%" PRIu64, tally->not_tolerated);
}

static hf_status print_table(const load_request *r, const hf_result *result) {
    static const char *const header[] = {
        "f", "sets", "figures", "max load, mean", "largest", "saturation, mean", "least", "lost %, mean", "sets with loss"};
    static const bool is_number[] = {true, true, false, true, true, true, true, true, true};
    hf_context *cx = r->c->cx;
    cli_table t;
    char *title;
    hf_text out;
    HF_TRY(cli_table_start(cx, &t, header, is_number, sizeof header / sizeof *header, result->n_row));
    for (size_t i = 0; i < result->n_row; i++) {
        HF_TRY(table_row(cx, &t, &result->row[i]));
    }
    HF_TRY(hf_scratch_print(cx, &title, "%s, %s, traffic %s, split %s, faults among %" PRIu32 " %s\n", r->net.topo->spec,
                            r->net.rule.spec, r->traffic->spec, hf_split_name(r->split), r->net.universe->n_component,
                            r->net.universe->spec));
    t.table.title = title;
    hf_text_init(cx, &out);
    hf_status status = hf_table_text(cx, &t.table, &out);
    if (status == HF_OK) {
        status = cli_put(r->c, &out);
    }
    hf_text_free(&out);
    return status;
}

/* ---- work ---- */

static hf_status run(const load_request *r, hf_campaign *campaign) {
    cli_meter meter;
    hf_result *result = NULL;
    cli_meter_init(&meter, cli_has(r->c, "quiet"), "");
    campaign->progress = cli_meter_show;
    campaign->progress_user = &meter;
    hf_status status = hf_campaign_run(r->c->cx, campaign, &result);
    cli_meter_end(&meter);
    if (status == HF_OK) {
        status = cli_has(r->c, "json") ? print_json(r, campaign, result) : print_table(r, result);
    }
    hf_result_free(result);
    return status;
}

hf_status load_campaign(const load_request *r) {
    const cli *c = r->c;
    uint32_t *f = NULL;
    load_request shared = *r;
    const hf_question question = {.key = "load", .user = &shared, .judge = judge};
    hf_campaign campaign = {.universe = r->net.universe, .rule = &r->net.rule, .question = &question};
    if (cli_has(c, "failed") || cli_has(c, "worst-case") || cli_has(c, "best")) {
        HF_FAIL(c->cx, HF_EINVAL,
                "--failed, --worst-case and --best are for one fault set and --faults asks for all of some sizes; "
                "give one of them");
    }
    HF_TRY(read_options(r, &campaign));
    HF_TRY(hf_campaign_parse_faults(c->cx, cli_value(c, "faults"), &f, &campaign.n_f));
    campaign.f = f;
    hf_status status = hf_campaign_check(c->cx, &campaign);
    if (status == HF_OK) {
        status = run(r, &campaign);
    }
    hf_release(hf_context_allocator(c->cx), f);
    return status;
}
