/* SPDX-License-Identifier: GPL-3.0-or-later */
/* holdfast tolerance: how many fault sets of each size are tolerated. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/cli/campaign.h"
#include "src/cli/commands.h"
#include "src/cli/tolerance_measures.h"
#include "src/core/print.h"

typedef struct request {
    const cli *c;
    cli_network net;
    hf_criterion criterion;
    cli_campaign run;
} request;

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
    return cli_campaign_open(c, &r->net, &r->run);
}

static void close_all(request *r) {
    cli_campaign_close(r->c, &r->run);
    cli_network_free(&r->net);
}

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

static hf_status table_row(const request *r, cli_table *t, const hf_row *row) {
    hf_context *cx = r->c->cx;
    const hf_estimate *e = &row->fraction;
    char *names;
    HF_TRY(witness_names(r, row, " ", &names));
    HF_TRY(cli_table_cell(cx, t, "%" PRIu32, row->f));
    HF_TRY(cli_table_cell(cx, t, "%" PRIu64, row->tally.sets));
    HF_TRY(cli_table_cell(cx, t, "%" PRIu64, row->tally.not_tolerated));
    HF_TRY(cli_table_cell(cx, t, "%.6g", 100 * e->value));
    if (row->is_exact) {
        HF_TRY(cli_table_cell(cx, t, "%s", row->is_complete ? "exact" : "incomplete"));
    } else {
        HF_TRY(cli_table_cell(cx, t, "%.6g to %.6g", 100 * e->low, 100 * e->high));
    }
    HF_TRY(row->has_victims ? cli_table_cell(cx, t, "%.6g", row->victims_mean) : cli_table_cell(cx, t, "-"));
    HF_TRY(row->has_victims ? cli_table_cell(cx, t, "%" PRIu64, row->tally.victims_max) : cli_table_cell(cx, t, "-"));
    HF_TRY(row->has_lost_paths ? cli_table_cell(cx, t, "%.8g", row->lost_paths_mean) : cli_table_cell(cx, t, "-"));
    return cli_table_cell(cx, t, "%s", row->tally.has_witness ? names : "-");
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

static hf_status print_table(const request *r, const hf_result *result) {
    static const char *const header[] = {"f",
                                         "sets",
                                         "not tolerated",
                                         "%",
                                         "95% interval",
                                         "victims mean",
                                         "victims max",
                                         "lost paths mean",
                                         "lowest not tolerated set"};
    static const bool is_number[] = {true, true, true, true, false, true, true, true, false};
    hf_context *cx = r->c->cx;
    cli_table t;
    HF_TRY(cli_table_start(cx, &t, header, is_number, sizeof header / sizeof *header, result->n_row));
    for (size_t i = 0; i < result->n_row; i++) {
        HF_TRY(table_row(r, &t, &result->row[i]));
    }
    char *title, *note = NULL;
    HF_TRY(hf_scratch_print(cx, &title, "%s, %s, faults among %" PRIu32 " %s, criterion %s%s%s\n", r->net.topo->spec,
                            r->net.rule.spec, r->net.universe->n_component, r->net.universe->spec,
                            r->run.campaign.criterion->spec, cli_has(r->c, "part") ? ", part " : "",
                            cli_value_or(r->c, "part", "")));
    if (r->run.campaign.method == HF_METHOD_SAMPLED) {
        HF_TRY(hf_scratch_print(cx, &note,
                                "Sampled: %" PRIu64 " sets a row, seed %" PRIu64
                                "; rows marked exact have no more sets than that. Intervals: Wilson; "
                                "Clopper-Pearson where fewer than 30 sets are on one side.",
                                r->run.campaign.samples, r->run.campaign.seed));
    }
    t.table.title = title;
    t.table.note = note;
    hf_text out;
    hf_text_init(cx, &out);
    hf_status status = hf_table_text(cx, &t.table, &out);
    if (status == HF_OK) {
        status = cli_measures_print(cx, &(cli_measured){r->net.rule.routing, r->net.topo}, result, &out);
    }
    if (status == HF_OK && cli_has(r->c, "witness") && !*cli_value(r->c, "witness")) {
        status = add_witnesses(r, result, false, &out);
    }
    if (status == HF_OK) {
        status = cli_put(r->c, &out);
    }
    hf_text_free(&out);
    return status;
}

static hf_status print_all(const request *r, const hf_result *result) {
    const char *witness = cli_value(r->c, "witness");
    if (witness && *witness) {
        HF_TRY(save_witnesses(r, result, witness));
    }
    return cli_has(r->c, "json") ? print_json(r, result) : print_table(r, result);
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
    {"witness", "[FILE]", "also print the lowest not tolerated set of each row for `holdfast show`"},
    CLI_KEEP_OPTIONS(""),
    {"require-tolerated", NULL, "exit with status 1 if any set is not tolerated"},
    {"quiet", NULL, "no progress on standard error"},
    {"json", NULL, "print JSON (docs/json.md)"},
    {"output", "FILE", "write the result to FILE instead of standard output"},
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
