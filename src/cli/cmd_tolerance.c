/* SPDX-License-Identifier: GPL-3.0-or-later */
/* holdfast tolerance: how many fault sets of each size are tolerated. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/cli/campaign.h"
#include "src/cli/commands.h"
#include "src/cli/report.h"
#include "src/cli/tolerance_measures.h"
#include "src/core/print.h"

typedef struct request {
    const cli *c;
    cli_network net;
    hf_criterion criterion;
    cli_campaign run;
    hf_report_style style;
} request;

/* ---- output ---- */

static hf_status witness_names(const request *r, const hf_row *row, const char *separator, char **out) {
    hf_text text;
    hf_text_init(r->c->cx, &text);
    for (uint32_t i = 0; i < row->f && row->tally.has_witness; i++) {
        char name[80];
        hf_universe_name(r->net.universe, row->tally.witness[i], name, sizeof name);
        hf_text_print(&text, "%s%s", i ? separator : "", name);
    }
    hf_text_append(&text, "", 0);
    hf_status status = hf_text_check(r->c->cx, &text);
    if (status == HF_OK) {
        status = hf_scratch_print(r->c->cx, out, "%s", text.data);
    }
    hf_text_free(&text);
    return status;
}

static hf_json *json_witness(const request *r, const hf_row *row) {
    if (!row->tally.has_witness) {
        return hf_json_null();
    }
    hf_json *list = hf_json_array();
    for (uint32_t i = 0; i < row->f; i++) {
        char name[80];
        hf_universe_name(r->net.universe, row->tally.witness[i], name, sizeof name);
        hf_json_push(list, hf_json_text(name));
    }
    return list;
}

static hf_json *json_histogram(const hf_tally *tally) {
    hf_json *list = hf_json_array();
    for (unsigned i = 0; i < HF_HISTOGRAM_BINS; i++) {
        if (tally->victims_histogram[i]) {
            char text[40];
            hf_json *bin = hf_json_object();
            hf_print_decimal(i ? (hf_u128)1 << (i - 1) : 0, text);
            hf_json_set(bin, "from", hf_json_text(text));
            hf_print_decimal(tally->victims_histogram[i], text);
            hf_json_set(bin, "sets", hf_json_text(text));
            hf_json_push(list, bin);
        }
    }
    return list;
}

static hf_json *json_row(const request *r, const hf_row *row) {
    const hf_tally *t = &row->tally;
    hf_json *o = hf_json_object();
    hf_json_set(o, "f", hf_json_integer(row->f));
    cli_json_decimal(o, "sets", t->sets);
    cli_json_decimal(o, "not_tolerated", t->not_tolerated);
    hf_json_set(o, "exact", hf_json_boolean(row->is_exact));
    hf_json_set(o, "complete", hf_json_boolean(row->is_complete));
    hf_json_set(o, "population", hf_json_text(row->population));
    hf_json_set(o, "fraction", hf_json_real(row->fraction.value));
    hf_json_set(o, "low", hf_json_real(row->fraction.low));
    hf_json_set(o, "high", hf_json_real(row->fraction.high));
    hf_json_set(o, "interval", hf_json_text(hf_interval_method_name(row->fraction.method)));
    if (row->has_victims) {
        cli_json_decimal(o, "victims_sum", t->victims_sum);
        hf_json_set(o, "victims_mean", hf_json_real(row->victims_mean));
        hf_json_set(o, "victims_max", hf_json_integer((int64_t)t->victims_max));
    } else {
        hf_json_set(o, "victims_sum", hf_json_null());
        hf_json_set(o, "victims_mean", hf_json_null());
        hf_json_set(o, "victims_max", hf_json_null());
    }
    hf_json_set(o, "victims_histogram", row->has_victims ? json_histogram(t) : hf_json_null());
    hf_json_set(o, "lost_paths_mean", row->has_lost_paths ? hf_json_real(row->lost_paths_mean) : hf_json_null());
    if (row->has_lost_paths) {
        cli_json_decimal(o, "lost_paths_sum", t->lost_paths_sum);
    } else {
        hf_json_set(o, "lost_paths_sum", hf_json_null());
    }
    if (row->has_measures) {
        cli_measures_json(&(cli_measured){r->net.rule.routing, r->net.topo}, row, o);
    }
    hf_json_set(o, "witness", json_witness(r, row));
    return o;
}

static hf_status print_json(const request *r, const hf_result *result) {
    const hf_campaign *c = &r->run.campaign;
    hf_json *root = cli_json(r->c), *spec = hf_json_object(), *rows = hf_json_array();
    hf_json_set(spec, "topology", hf_json_text(r->net.topo->spec));
    hf_json_set(spec, "routing", hf_json_text(r->net.rule.spec));
    hf_json_set(spec, "universe", hf_json_text(r->net.universe->spec));
    hf_json_set(spec, "criterion", hf_json_text(c->criterion->spec));
    cli_campaign_json(r->c, c, spec);
    hf_json_set(spec, "order", hf_json_text(hf_order_name(c->order)));
    hf_json_set(spec, "components", hf_json_integer(r->net.universe->n_component));
    hf_json_set(root, "spec", spec);
    for (size_t i = 0; i < result->n_row; i++) {
        hf_json_push(rows, json_row(r, &result->row[i]));
    }
    hf_json_set(root, "rows", rows);
    return cli_put_json(r->c, root);
}

/* A line a row: names for `holdfast show --faults`; in the file with a comment before it. */
static hf_status add_witnesses(const request *r, const hf_result *result, bool for_file, hf_text *out) {
    for (size_t i = 0; i < result->n_row; i++) {
        const hf_row *row = &result->row[i];
        char *names;
        if (!row->tally.has_witness) {
            continue;
        }
        HF_TRY(witness_names(r, row, ",", &names));
        if (for_file) {
            hf_text_print(out, "# f=%" PRIu32 ", %s, %s, %s\n%s\n", row->f, r->net.topo->spec, r->net.rule.spec,
                          r->net.universe->spec, names);
        } else {
            hf_text_print(out, "holdfast show --topology %s --routing %s --universe %s --faults '%s'\n", r->net.topo->spec,
                          r->net.rule.spec, r->net.universe->spec, names);
        }
    }
    return HF_OK;
}

static hf_status save_witnesses(const request *r, const hf_result *result, const char *path) {
    hf_text out;
    hf_text_init(r->c->cx, &out);
    hf_status status = add_witnesses(r, result, true, &out);
    if (status == HF_OK && out.size == 0) {
        hf_text_print(&out, "# every set was tolerated\n");
    }
    status = status == HF_OK ? hf_text_save(r->c->cx, &out, path) : status;
    hf_text_free(&out);
    return status;
}

enum { N_COLUMN = 8 };
static const hf_column columns[N_COLUMN] = {{"f", "f", NULL, HF_COLUMN_COUNT, 6, 0},
                                            {"sets", "sets", NULL, HF_COLUMN_COUNT, 6, 0},
                                            {"not_tolerated", "not tolerated", NULL, HF_COLUMN_COUNT, 6, 0},
                                            {"not_tolerated_percent", "%", "%", HF_COLUMN_ESTIMATE, 6, 0},
                                            {"victims_mean", "victims mean", NULL, HF_COLUMN_REAL, 6, 0},
                                            {"victims_max", "victims max", NULL, HF_COLUMN_COUNT, 6, 0},
                                            {"lost_paths_mean", "lost paths mean", NULL, HF_COLUMN_REAL, 8, 0},
                                            {"witness", "lowest not tolerated set", NULL, HF_COLUMN_WORD, 6, HF_COLUMN_ASKED}};

/* What people read of an interval that is none: exact, of which part, or not yet. */
static hf_status exact_word(const request *r, const hf_row *row, char **out) {
    const hf_campaign *c = &r->run.campaign;
    *out = NULL;
    if (row->is_exact && row->is_complete && c->n_part > 1) {
        return hf_scratch_print(r->c->cx, out, "exact, part %" PRIu32 " of %" PRIu32, c->part, c->n_part);
    }
    return row->is_exact ? hf_scratch_print(r->c->cx, out, "%s", row->is_complete ? "exact" : "incomplete") : HF_OK;
}

/* A part may hold no set of a row: then there is nothing to tell of it. */
static hf_status add_row(const request *r, const hf_row *row, hf_report *out) {
    const hf_estimate *e = &row->fraction;
    const bool has_sets = row->tally.sets > 0, has_victims = has_sets && row->has_victims;
    char *names, *word;
    HF_TRY(witness_names(r, row, " ", &names));
    HF_TRY(exact_word(r, row, &word));
    hf_report_cell(out, hf_cell_count(row->f));
    hf_report_cell(out, hf_cell_count(row->tally.sets));
    hf_report_cell(out, hf_cell_count(row->tally.not_tolerated));
    hf_report_cell(out,
                   has_sets ? hf_cell_estimate(100 * e->value, 100 * e->low, 100 * e->high, e->method, word) : hf_cell_none());
    hf_report_cell(out, has_victims ? hf_cell_real(row->victims_mean) : hf_cell_none());
    hf_report_cell(out, has_victims ? hf_cell_count(row->tally.victims_max) : hf_cell_none());
    hf_report_cell(out, has_sets && row->has_lost_paths ? hf_cell_real(row->lost_paths_mean) : hf_cell_none());
    hf_report_cell(out, row->tally.has_witness ? hf_cell_word(names) : hf_cell_none());
    return HF_OK;
}

static hf_status add_arguments(const request *r, hf_report *out) {
    const hf_campaign *c = &r->run.campaign;
    const bool is_sampled = c->method == HF_METHOD_SAMPLED;
    char *samples, *seed, *part;
    HF_TRY(hf_scratch_print(r->c->cx, &samples, "%" PRIu64, c->samples));
    HF_TRY(hf_scratch_print(r->c->cx, &seed, "%" PRIu64, c->seed));
    HF_TRY(hf_scratch_print(r->c->cx, &part, "%" PRIu32 "/%" PRIu32, c->part, c->n_part));
    hf_report_argument(out, "topology", r->net.topo->spec);
    hf_report_argument(out, "routing", r->net.rule.spec);
    hf_report_argument(out, "universe", r->net.universe->spec);
    hf_report_argument(out, "criterion", c->criterion->spec);
    hf_report_argument(out, "method", is_sampled ? "sampled" : "exhaustive");
    hf_report_argument(out, "samples", is_sampled ? samples : "");
    hf_report_argument(out, "seed", seed);
    hf_report_argument(out, "order", hf_order_name(c->order));
    hf_report_argument(out, "part", c->n_part > 1 ? part : "1/1");
    return HF_OK;
}

/* \param[in] result NULL: none yet; the tables are there, without rows */
static hf_status make_report(const request *r, const hf_result *result, hf_report *out) {
    hf_context *cx = r->c->cx;
    char *title, *note;
    HF_TRY(hf_scratch_print(cx, &title, "%s, %s, faults among %" PRIu32 " %s, criterion %s%s%s", r->net.topo->spec,
                            r->net.rule.spec, r->net.universe->n_component, r->net.universe->spec,
                            r->run.campaign.criterion->spec, cli_has(r->c, "part") ? ", part " : "",
                            cli_value_or(r->c, "part", "")));
    hf_report_begin(cx, title, "tolerance", out);
    HF_TRY(add_arguments(r, out));
    hf_report_table_begin(out, "sets", columns, N_COLUMN);
    for (size_t i = 0; result && i < result->n_row; i++) {
        HF_TRY(add_row(r, &result->row[i], out));
    }
    if (r->run.campaign.method == HF_METHOD_SAMPLED) {
        HF_TRY(hf_scratch_print(cx, &note,
                                "Sampled: %" PRIu64 " set%s a row, seed %" PRIu64
                                "; rows marked exact have no more sets than that. Intervals: Wilson; "
                                "Clopper-Pearson where fewer than 30 sets are on one side.",
                                r->run.campaign.samples, hf_plural(r->run.campaign.samples), r->run.campaign.seed));
        hf_report_note(out, note);
    }
    return cli_measures_report(&(cli_measured){r->net.rule.routing, r->net.topo}, result, out);
}

static hf_status print_report(const request *r, const hf_result *result) {
    const char *witness = cli_value(r->c, "witness");
    hf_report report;
    hf_text out;
    HF_TRY(make_report(r, result, &report));
    hf_text_init(r->c->cx, &out);
    hf_status status = hf_report_print(&report, &r->style, &out);
    if (status == HF_OK && r->style.form == HF_FORM_TEXT && witness && !*witness) {
        status = add_witnesses(r, result, false, &out);
    }
    status = status == HF_OK ? cli_put(r->c, &out) : status;
    hf_text_free(&out);
    return status;
}

static hf_status print_all(const request *r, const hf_result *result) {
    const char *witness = cli_value(r->c, "witness");
    if (witness && *witness) {
        HF_TRY(save_witnesses(r, result, witness));
    }
    return r->style.form == HF_FORM_JSON ? print_json(r, result) : print_report(r, result);
}

/* Before hours of work: is there all that the options want to see? */
static hf_status check_style(request *r) {
    hf_report empty;
    HF_TRY(cli_report_style(r->c, &r->style));
    r->style.all = cli_has(r->c, "witness");
    HF_TRY(make_report(r, NULL, &empty));
    return r->style.form == HF_FORM_JSON ? HF_OK : cli_report_check(&empty, &r->style);
}

static hf_status open_all(request *r) {
    const cli *c = r->c;
    const char *topology, *routing, *faults;
    HF_TRY(cli_require(c, "topology", &topology));
    HF_TRY(cli_require(c, "routing", &routing));
    HF_TRY(cli_require(c, "faults", &faults));
    HF_TRY(cli_campaign_read(c, &r->run));
    HF_TRY(hf_criterion_init(c->cx, cli_value_or(c, "criterion", "all-pairs"), &r->criterion));
    r->run.campaign.criterion = &r->criterion;
    HF_TRY(cli_network_open(c, topology, routing, cli_value_or(c, "universe", "channels"), cli_value(c, "only"), &r->net));
    HF_TRY(check_style(r));
    return cli_campaign_open(c, &r->net, &r->run);
}

static void close_all(request *r) {
    cli_campaign_close(r->c, &r->run);
    cli_network_free(&r->net);
}

static int run(cli *c) {
    request r = {.c = c};
    hf_result *result = NULL;
    bool is_no = false;
    hf_status status = open_all(&r);
    status = status == HF_OK ? cli_campaign_run(c, &r.run, &result) : status;
    status = status == HF_OK ? print_all(&r, result) : status;
    for (size_t i = 0; result && i < result->n_row; i++) {
        is_no |= cli_has(c, "require-tolerated") && result->row[i].tally.not_tolerated > 0;
    }
    hf_result_free(result);
    close_all(&r);
    return cli_exit(c, status, !is_no);
}

static const cli_option options[] = {
    {"topology", "SPEC", "the network, such as kary-tree:k=4,n=3 (see `holdfast list topologies`)"},
    {"routing", "SPEC", "the rule, such as updown or ft2ei:intervals=1"},
    {"universe", "SPEC", "what can fail: channels (default), links, switches, links+switches, groups:FILE ..."},
    {"only", "FILTER", "keep components with these attributes only, such as stage=1"},
    {"faults", "LIST", "numbers of faults f, such as 0..4,8, or shares such as 0%..30%/5%"},
    {"criterion", "SPEC", "when a set is tolerated: all-pairs (default), surviving:live=50%, connected, switches-connected"},
    {"method", "NAME", "exhaustive (default) or sampled"},
    {"samples", "N", "fault sets a row when sampled (default 10000)"},
    {"seed", "N", "seed of the samples and of --order random (default 1)"},
    {"threads", "T", "threads (default: all cores); the result does not depend on it"},
    {"part", "r/m", "work on the r-th of m equal parts of every row only, r from 1"},
    {"order", "NAME", "order in which the components of a set fail: component (default) or random"},
    {"judge", "NAME", "fast (default) or relation: judge every set from the routing relation, slowly"},
    {"witness", "[FILE]", "also show the lowest not tolerated set of each row, and the command that shows it drawn"},
    CLI_KEEP_OPTIONS(""),
    {"require-tolerated", NULL, "exit with status 1 if any set is not tolerated"},
    {"quiet", NULL, "no progress on standard error"},
    CLI_REPORT_OPTIONS,
    {0},
};

const cli_command cli_tolerance = {
    .name = "tolerance",
    .summary = "count the fault sets of each size that are tolerated",
    .usage = "--topology SPEC --routing SPEC --faults LIST",
    .about = "For every number of faults f: the fault sets looked at, how many are not tolerated, the exact percentage\n"
             "or an estimate with its 95% interval (Wilson; Clopper-Pearson where fewer than 30 are on one side), victims\n"
             "(destinations that an up port excludes although it could reach them), lost paths, and the first set that is\n"
             "not tolerated. Finished work is kept in the store: a run that was stopped goes on where it was.\n\n"
             "Example: holdfast tolerance --topology kary-tree:k=2,n=3 --routing ft2ei:intervals=1 --faults 0..4",
    .options = options,
    .run = run,
};
