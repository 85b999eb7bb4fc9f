/* SPDX-License-Identifier: GPL-3.0-or-later */
/* holdfast cost: what a network costs beside a fat-tree, and what a delivered flit costs. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/cli/commands.h"
#include "src/cli/report.h"
#include "src/core/number.h"

enum { FILE_LIMIT = 1 << 20, RESULTS_LIMIT = 64 << 20, ROWS_MAX = HF_COST_COLUMNS };

typedef struct cost_row {
    const char *topology, *routing;
    hf_cost_column column;
    hf_cost cost;
    hf_fraction relative;
    double memory; /* bits a switch; below 0: unknown */
} cost_row;

typedef struct request {
    const cli *c;
    cli_network net;
    hf_topology *reference, *ruft;
    hf_cost_table table;
    cost_row row[ROWS_MAX];
    size_t n_row;
    double throughput; /* flits/cycle/terminal; 0: not asked for */
    double half;       /* half width of its 95% interval, of a simulation */
} request;

/* ---- the request ---- */

static hf_status read_parameters(request *r) {
    const char *path = cli_value(r->c, "parameters");
    hf_text text;
    hf_cost_defaults(&r->table);
    if (!path) {
        return HF_OK;
    }
    hf_text_init(r->c->cx, &text);
    hf_status status = hf_text_load(r->c->cx, path, FILE_LIMIT, &text);
    if (status == HF_OK) {
        status = hf_cost_parse(r->c->cx, path, text.data ? text.data : "", text.size, &r->table);
    }
    hf_text_free(&text);
    return status;
}

/* Which cables of RUFT: both unless one is asked for. */
static hf_status wants_cable(const request *r, const char *name, bool *out) {
    static const char *const names[] = {"ideal", "worst", NULL};
    const char *text = cli_value(r->c, "cable");
    if (text && strcmp(text, names[0]) != 0 && strcmp(text, names[1]) != 0) {
        return hf_spec_unknown(r->c->cx, "cable", text, strlen(text), names);
    }
    *out = !text || strcmp(text, name) == 0;
    return HF_OK;
}

/* The memory that the dissertation counts for the rule; below 0 where it does not. */
static double memory_of(const request *r, const hf_topology *topo, hf_cost_column column) {
    hf_kary_tree tree;
    const bool whole = cli_has(r->c, "whole-registers");
    if (topo != r->net.topo || !hf_kary_tree_shape(topo, &tree)) {
        return -1;
    }
    const hf_memory_kind kinds[] = {[HF_SWITCH_TABLE] = column == HF_COST_ADAPTIVE ? HF_MEMORY_ADAPTIVE_TABLE : HF_MEMORY_TABLE,
                                    [HF_SWITCH_INTERVALS] = HF_MEMORY_FT2EI,
                                    [HF_SWITCH_FIR] = HF_MEMORY_FIR};
    hf_switch_memory memory = {HF_SWITCH_TABLE, 0};
    if (r->net.has_rule && r->net.rule.routing->memory) {
        memory = r->net.rule.routing->memory(&r->net.rule.args);
    }
    return memory.intervals == HF_UNLIMITED
               ? -1
               : hf_memory_bits(kinds[memory.kind], topo->n_terminal, tree.k, (uint32_t)memory.intervals, whole);
}

static hf_status add_row(request *r, const hf_topology *topo, const char *routing, hf_cost_column column) {
    hf_cost base;
    cost_row *row = &r->row[r->n_row++];
    *row = (cost_row){.topology = topo->spec, .routing = routing, .column = column, .memory = memory_of(r, topo, column)};
    HF_TRY(hf_cost_find(r->c->cx, &r->table, HF_COST_DETERMINISTIC, r->reference, r->reference, &base));
    HF_TRY(hf_cost_find(r->c->cx, &r->table, column, topo, r->reference, &row->cost));
    if (!base.total.p) {
        HF_FAIL(r->c->cx, HF_EINVAL, "the parameters make \"%s\" free of cost; nothing can be compared with it",
                r->reference->spec);
    }
    row->relative = hf_fraction_ratio(row->cost.total, base.total);
    return HF_OK;
}

static hf_status add_ruft(request *r, const hf_topology *topo, const char *routing) {
    bool ideal = false, worst = false;
    HF_TRY(wants_cable(r, "ideal", &ideal));
    HF_TRY(wants_cable(r, "worst", &worst));
    if (ideal) {
        HF_TRY(add_row(r, topo, routing, HF_COST_RUFT_IDEAL));
    }
    return worst ? add_row(r, topo, routing, HF_COST_RUFT_WORST) : HF_OK;
}

/* A row for the network; without a routing, the row of table 5.3 for a tree. */
static hf_status add_rows(request *r) {
    const hf_topology *topo = r->net.topo;
    hf_kary_tree tree;
    char *spec;
    if (topo->kind->is_reduced_tree) {
        return add_ruft(r, topo, r->net.has_rule ? r->net.rule.spec : NULL);
    }
    if (r->net.has_rule) {
        hf_cost_column column;
        HF_TRY(hf_cost_column_of(r->c->cx, topo, &r->net.rule, false, &column));
        return add_row(r, topo, r->net.rule.spec, column);
    }
    if (!hf_kary_tree_shape(topo, &tree)) {
        HF_FAIL(r->c->cx, HF_EINVAL, "option --routing is missing; only the cost of a kary-tree or ruft is known without it");
    }
    HF_TRY(add_row(r, topo, NULL, HF_COST_ADAPTIVE));
    HF_TRY(add_row(r, topo, NULL, HF_COST_DETERMINISTIC));
    HF_TRY(hf_scratch_print(r->c->cx, &spec, "ruft:k=%" PRIu32 ",n=%" PRIu32, tree.k, tree.n));
    HF_TRY(hf_topology_new(r->c->cx, spec, &r->ruft));
    return add_ruft(r, r->ruft, NULL);
}

/* The ideal saturation under a pattern. */
static hf_status bound_throughput(request *r, const char *pattern) {
    hf_context *cx = r->c->cx;
    hf_traffic *traffic = NULL;
    hf_load *load = NULL;
    hf_split split;
    hf_fault_set faults;
    hf_plan plan;
    hf_status status;
    if (!r->net.has_rule) {
        HF_FAIL(cx, HF_EINVAL, "--traffic needs a --routing, whose load bounds the throughput");
    }
    HF_TRY(hf_split_find(cx, cli_value_or(r->c, "split", "even"), &split));
    HF_TRY(hf_traffic_new(cx, r->net.topo, pattern, &traffic));
    HF_TRY_DONE(hf_fault_set_parse(cx, r->net.topo, NULL, "", &faults));
    HF_TRY_DONE(hf_plan_make(cx, &r->net.rule, &faults, &plan));
    HF_TRY_DONE(hf_load_find(cx, &plan, traffic, split, &load));
    r->throughput = load->saturation;
done:
    hf_load_free(load);
    hf_traffic_free(traffic);
    return status;
}

/* The most that a simulation delivered. */
static hf_status measured_throughput(request *r, const char *path) {
    hf_text text;
    if (!r->net.has_rule) {
        HF_FAIL(r->c->cx, HF_EINVAL, "--results needs the --routing that was simulated");
    }
    hf_text_init(r->c->cx, &text);
    hf_status status = hf_text_load(r->c->cx, path, RESULTS_LIMIT, &text);
    if (status == HF_OK) {
        status = hf_results_throughput(r->c->cx, path, text.data ? text.data : "", text.size, r->net.topo->spec, r->net.rule.spec,
                                       &r->throughput, &r->half);
    }
    hf_text_free(&text);
    return status;
}

static hf_status read_throughput(request *r) {
    const char *text = cli_value(r->c, "throughput"), *pattern = cli_value(r->c, "traffic"),
               *results = cli_value(r->c, "results");
    if ((text != NULL) + (pattern != NULL) + (results != NULL) > 1) {
        HF_FAIL(r->c->cx, HF_EINVAL,
                "--throughput gives the throughput, --traffic bounds it and --results has measured it; give one of them");
    }
    if (results) {
        return measured_throughput(r, results);
    }
    if (pattern) {
        return bound_throughput(r, pattern);
    }
    r->throughput = 0;
    if (text && (!hf_read_real(text, &r->throughput) || !(r->throughput > 0 && r->throughput <= 1e6))) {
        HF_FAIL(r->c->cx, HF_EINVAL, "--throughput=%s is not right; need flits per cycle and terminal, above 0", text);
    }
    return HF_OK;
}

static hf_status open_all(request *r) {
    const cli *c = r->c;
    const char *topology, *reference = cli_value(c, "reference");
    HF_TRY(cli_require(c, "topology", &topology));
    HF_TRY(read_parameters(r));
    HF_TRY(cli_network_open(c, topology, cli_value(c, "routing"), NULL, NULL, &r->net));
    HF_TRY(reference ? hf_topology_new(c->cx, reference, &r->reference) : hf_cost_reference(c->cx, r->net.topo, &r->reference));
    HF_TRY(add_rows(r));
    return read_throughput(r);
}

/* ---- output ---- */

static double real(hf_fraction a) { return (double)a.p / (double)a.q; }

static hf_json *json_row(const request *r, const cost_row *row) {
    hf_json *o = hf_json_object();
    char text[80];
    hf_json_set(o, "topology", hf_json_text(row->topology));
    hf_json_set(o, "routing", row->routing ? hf_json_text(row->routing) : hf_json_null());
    hf_json_set(o, "column", hf_json_text(hf_cost_column_name(row->column)));
    hf_json_set(o, "switches", hf_json_real(real(row->cost.switches)));
    hf_json_set(o, "links", hf_json_real(real(row->cost.links)));
    hf_json_set(o, "cost", hf_json_real(real(row->cost.total)));
    hf_json_set(o, "relative", hf_json_real(real(row->relative)));
    hf_fraction_print(row->relative, text);
    hf_json_set(o, "relative_exact", hf_json_text(text));
    hf_json_set(o, "memory_bits", row->memory >= 0 ? hf_json_real(row->memory) : hf_json_null());
    hf_json_set(o, "throughput", r->throughput > 0 ? hf_json_real(r->throughput) : hf_json_null());
    hf_json_set(o, "throughput_half", r->half > 0 ? hf_json_real(r->half) : hf_json_null());
    hf_json_set(o, "cost_per_flit", r->throughput > 0 ? hf_json_real(real(row->relative) / r->throughput) : hf_json_null());
    return o;
}

static hf_status print_json(const request *r) {
    hf_json *root = cli_json(r->c), *spec = hf_json_object(), *rows = hf_json_array();
    const char *pattern = cli_value(r->c, "traffic");
    hf_json_set(spec, "reference", hf_json_text(r->reference->spec));
    hf_json_set(spec, "results", cli_has(r->c, "results") ? hf_json_text(cli_value(r->c, "results")) : hf_json_null());
    hf_json_set(spec, "traffic", pattern ? hf_json_text(pattern) : hf_json_null());
    hf_json_set(root, "spec", spec);
    for (size_t i = 0; i < r->n_row; i++) {
        hf_json_push(rows, json_row(r, &r->row[i]));
    }
    hf_json_set(root, "rows", rows);
    return cli_put_json(r->c, root);
}

static const hf_column columns[] = {{"topology", "topology", NULL, HF_COLUMN_WORD, 6, 0},
                                    {"routing", "routing", NULL, HF_COLUMN_WORD, 6, 0},
                                    {"column", "column", NULL, HF_COLUMN_WORD, 6, 0},
                                    {"switches", "switches", NULL, HF_COLUMN_REAL, 6, 0},
                                    {"links", "links", NULL, HF_COLUMN_REAL, 6, 0},
                                    {"cost", "cost", NULL, HF_COLUMN_REAL, 6, 0},
                                    {"relative", "relative", NULL, HF_COLUMN_REAL, 5, 0},
                                    {"relative_exact", "relative, exact", NULL, HF_COLUMN_WORD, 6, HF_COLUMN_ASKED},
                                    {"memory_bits", "memory bits", "bits", HF_COLUMN_REAL, 6, 0},
                                    {"throughput", "throughput", "flits/cycle/terminal", HF_COLUMN_REAL, 6, HF_COLUMN_ASKED},
                                    {"throughput_half", "half width", "flits/cycle/terminal", HF_COLUMN_REAL, 6, HF_COLUMN_ASKED},
                                    {"cost_per_flit", "cost per flit", NULL, HF_COLUMN_REAL, 5, 0}};

static hf_status add_line(const request *r, const cost_row *row, hf_report *out) {
    const bool has_throughput = r->throughput > 0;
    char text[80], *exact;
    hf_fraction_print(row->relative, text);
    HF_TRY(hf_scratch_print(r->c->cx, &exact, "%s", text));
    hf_report_cell(out, hf_cell_word(row->topology));
    hf_report_cell(out, hf_cell_word(row->routing));
    hf_report_cell(out, hf_cell_word(hf_cost_column_name(row->column)));
    hf_report_cell(out, hf_cell_real(real(row->cost.switches)));
    hf_report_cell(out, hf_cell_real(real(row->cost.links)));
    hf_report_cell(out, hf_cell_real(real(row->cost.total)));
    hf_report_cell(out, hf_cell_real(real(row->relative)));
    hf_report_cell(out, hf_cell_word(exact));
    hf_report_cell(out, row->memory >= 0 ? hf_cell_real(row->memory) : hf_cell_none());
    hf_report_cell(out, has_throughput ? hf_cell_real(r->throughput) : hf_cell_none());
    hf_report_cell(out, r->half > 0 ? hf_cell_real(r->half) : hf_cell_none());
    hf_report_cell(out, has_throughput ? hf_cell_real(real(row->relative) / r->throughput) : hf_cell_none());
    return HF_OK;
}

static hf_status make_report(const request *r, hf_report *out) {
    char *title;
    HF_TRY(hf_scratch_print(r->c->cx, &title, "cost relative to %s with deterministic routing", r->reference->spec));
    hf_report_begin(r->c->cx, title, "cost", out);
    hf_report_argument(out, "reference", r->reference->spec);
    hf_report_argument(out, "traffic", cli_value_or(r->c, "traffic", ""));
    hf_report_argument(out, "results", cli_value_or(r->c, "results", ""));
    hf_report_table_begin(out, "costs", columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < r->n_row; i++) {
        HF_TRY(add_line(r, &r->row[i], out));
    }
    return HF_OK;
}

static hf_status print_all(const request *r) {
    hf_report_style style;
    hf_report report;
    HF_TRY(cli_report_style(r->c, &style));
    if (style.form == HF_FORM_JSON) {
        return print_json(r);
    }
    HF_TRY(make_report(r, &report));
    return cli_report_put(r->c, &report, &style);
}

static int run(cli *c) {
    static const char *const of_traffic[] = {"split"};
    request r = {.c = c};
    cli_catch_signals(c->cx);
    hf_status status = cli_belong(c, of_traffic, 1, "traffic", NULL);
    status = status == HF_OK ? open_all(&r) : status;
    if (status == HF_OK) {
        status = print_all(&r);
    }
    hf_topology_free(r.reference);
    hf_topology_free(r.ruft);
    cli_network_free(&r.net);
    return status == HF_OK ? CLI_DONE : cli_fail(c, status);
}

static const cli_option options[] = {
    {"topology", "SPEC", "the network, such as kary-tree:k=4,n=2 or ruft:k=4,n=2"},
    {"routing", "SPEC", "the rule; one that offers a choice of channels on this network costs a selection function"},
    {"reference", "SPEC", "the tree to compare with (default: of the same k and n)"},
    {"cable", "HOW", "RUFT's cables to the terminals: ideal or worst (default both)"},
    {"parameters", "FILE", "lines COLUMN PARAMETER VALUE that replace those of table 5.1"},
    {"traffic", "SPEC", "cost per flit at the throughput that the load allows"},
    {"split", "HOW", "of --traffic: even, first or optimal (default even)"},
    {"throughput", "X", "cost per flit at this throughput, flits/cycle/terminal"},
    {"results", "FILE", "cost per flit at the most that `holdfast simulate --json` saw accepted"},
    {"whole-registers", NULL, "round logarithms up in the memory of a switch"},
    CLI_REPORT_OPTIONS,
    {0},
};

const cli_command cli_cost = {
    .name = "cost",
    .summary = "compare the cost of a network with that of a fat-tree",
    .usage = "--topology SPEC [--routing SPEC] [OPTIONS]",
    .about = "Cost of a switch, n_p (c_b + c_cr + c_po) + c_r + c_sf + c_clo, and of the links, n_l c_cn + l_l c_ml; the second\n"
             "is 2 for the reference tree. Relative cost 1 is the reference with deterministic routing. Without --routing all\n"
             "columns of a tree are shown. Memory is what a switch needs for its routing.\n\n"
             "Example: holdfast cost --topology kary-tree:k=4,n=2",
    .options = options,
    .run = run,
};
