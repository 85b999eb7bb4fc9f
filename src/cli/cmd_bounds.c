/* SPDX-License-Identifier: GPL-3.0-or-later */
/* holdfast bounds: what reconfiguration takes, and how many faults part a network. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <holdfast/effort.h>

#include "src/cli/commands.h"

typedef struct request {
    const cli *c;
    cli_network net;
    hf_effort_request effort;
    uint32_t *f;
    uint64_t orders; /* 0: reconfiguration */
    hf_effort_result *result;
    hf_limit *limit;
    cli_meter meter;
} request;

/* Orders of failure go on until the network is parted, and nothing is reconfigured. */
static hf_status check_orders(const cli *c) {
    static const char *const others[] = {"routing", "faults", "samples", "simulate", "hop-cycles", "packet-cycles"};
    for (size_t i = 0; cli_has(c, "orders") && i < sizeof others / sizeof *others; i++) {
        if (cli_has(c, others[i])) {
            HF_FAIL(c->cx, HF_EINVAL, "--%s means nothing to --orders", others[i]);
        }
    }
    return HF_OK;
}

static hf_status open_all(request *r) {
    const cli *c = r->c;
    const char *topology, *routing = cli_value(c, "routing");
    uint64_t threads;
    HF_TRY(cli_require(c, "topology", &topology));
    HF_TRY(check_orders(c));
    HF_TRY(cli_number(c, "orders", 1, UINT64_MAX, 0, &r->orders));
    HF_TRY(cli_number(c, "samples", 1, UINT64_MAX, 1000, &r->effort.samples));
    HF_TRY(cli_number(c, "seed", 0, UINT64_MAX, 1, &r->effort.seed));
    HF_TRY(cli_number(c, "threads", 1, 1024, 0, &threads));
    r->effort.threads = (uint32_t)threads;
    HF_TRY(cli_number(c, "simulate", 0, UINT64_MAX, 1, &r->effort.simulated));
    HF_TRY(cli_number(c, "hop-cycles", 0, UINT32_MAX, 100, &r->effort.costs.hop_cycles));
    HF_TRY(cli_number(c, "packet-cycles", 0, UINT32_MAX, 1000, &r->effort.costs.packet_cycles));
    if (r->orders == 0) {
        HF_TRY(cli_require(c, "routing", &routing));
        HF_TRY(hf_campaign_parse_faults(c->cx, cli_value_or(c, "faults", "1"), &r->f, &r->effort.n_f));
    }
    HF_TRY(cli_network_open(c, topology, routing, cli_value_or(c, "universe", "links"), cli_value(c, "only"), &r->net));
    r->effort.universe = r->net.universe;
    r->effort.rule = &r->net.rule;
    r->effort.f = r->f;
    return HF_OK;
}

static void close_all(request *r) {
    hf_effort_free(r->result);
    hf_limit_free(r->limit);
    cli_network_free(&r->net);
    hf_release(hf_context_allocator(r->c->cx), r->f);
}

/* ---- reconfiguration ---- */

static hf_status value_cells(hf_context *cx, cli_table *t, const hf_effort_value *v) {
    if (v->sets == 0) {
        for (size_t i = 0; i < 3; i++) {
            HF_TRY(cli_table_cell(cx, t, "-"));
        }
        return HF_OK;
    }
    HF_TRY(cli_table_cell(cx, t, "%" PRIu64, v->lowest));
    HF_TRY(cli_table_cell(cx, t, "%.10g", v->mean));
    return cli_table_cell(cx, t, "%" PRIu64, v->highest);
}

static hf_status table_rows(const request *r, const hf_effort_row *row, cli_table *t) {
    hf_context *cx = r->c->cx;
    const hf_routing *routing = r->net.rule.routing;
    for (size_t i = 0; i < r->result->n_effort; i++) {
        const hf_effort *e = &routing->efforts[i];
        const hf_effort_published *p = hf_effort_find_published(r->net.topo, r->net.universe, routing, i, row->f);
        HF_TRY(cli_table_cell(cx, t, "%s", e->phase));
        HF_TRY(cli_table_cell(cx, t, "%s", e->quantity));
        HF_TRY(cli_table_cell(cx, t, "%s", e->kind));
        HF_TRY(value_cells(cx, t, &row->value[i]));
        HF_TRY(cli_table_cell(cx, t, "%" PRIu64, row->value[i].sets));
        HF_TRY(cli_table_cell(cx, t, "%s", p ? p->value : "-"));
        HF_TRY(cli_table_cell(cx, t, "%s", e->assumption));
    }
    return HF_OK;
}

static hf_status print_row(const request *r, const hf_effort_row *row, hf_text *out) {
    static const char *const header[] = {"phase",   "quantity", "kind",      "lowest",    "mean",
                                         "highest", "sets",     "published", "assumption"};
    static const bool is_number[] = {false, false, false, true, true, true, true, true, false};
    cli_table t;
    HF_TRY(cli_table_start(r->c->cx, &t, header, is_number, sizeof header / sizeof *header, r->result->n_effort));
    HF_TRY(table_rows(r, row, &t));
    hf_text_print(out, "\nf=%" PRIu32 ", %s%" PRIu64 " fault sets\n\n", row->f, row->is_exact ? "all " : "a sample of ",
                  row->sets);
    return hf_table_text(r->c->cx, &t.table, out);
}

static hf_json *json_value(const hf_effort *e, const hf_effort_value *v, const hf_effort_published *p) {
    hf_json *o = hf_json_object();
    hf_json_set(o, "phase", hf_json_text(e->phase));
    hf_json_set(o, "quantity", hf_json_text(e->quantity));
    hf_json_set(o, "kind", hf_json_text(e->kind));
    hf_json_set(o, "assumption", hf_json_text(e->assumption));
    hf_json_set(o, "sets", hf_json_integer((int64_t)v->sets));
    hf_json_set(o, "lowest", v->sets ? hf_json_integer((int64_t)v->lowest) : hf_json_null());
    hf_json_set(o, "mean", v->sets ? hf_json_real(v->mean) : hf_json_null());
    hf_json_set(o, "highest", v->sets ? hf_json_integer((int64_t)v->highest) : hf_json_null());
    hf_json_set(o, "published", p ? hf_json_text(p->value) : hf_json_null());
    hf_json_set(o, "citation", p ? hf_json_text(p->citation) : hf_json_null());
    return o;
}

static hf_json *json_row(const request *r, const hf_effort_row *row) {
    const hf_routing *routing = r->net.rule.routing;
    hf_json *o = hf_json_object(), *list = hf_json_array();
    hf_json_set(o, "f", hf_json_integer(row->f));
    hf_json_set(o, "sets", hf_json_integer((int64_t)row->sets));
    hf_json_set(o, "exact", hf_json_boolean(row->is_exact));
    for (size_t i = 0; i < r->result->n_effort; i++) {
        hf_json_push(list, json_value(&routing->efforts[i], &row->value[i],
                                      hf_effort_find_published(r->net.topo, r->net.universe, routing, i, row->f)));
    }
    hf_json_set(o, "quantities", list);
    return o;
}

/* ---- the limit of connectivity ---- */

/* The lowest number of faults by which a share of the orders has been parted; n + 1: none. */
static uint32_t quantile(const hf_limit *l, double share) {
    uint32_t i = 0;
    while (i <= l->n && (double)l->below[i] < share * (double)l->orders) {
        i++;
    }
    return i;
}

static hf_status print_limit(const request *r, hf_text *out) {
    static const char *const header[] = {"faults", "orders parted", "% parted so far", "95% interval", "interval by"};
    static const bool is_number[] = {true, true, true, false, false};
    hf_context *cx = r->c->cx;
    const hf_limit *l = r->limit;
    cli_table t;
    hf_text_print(out, "\n%" PRIu64 " random orders of failure, seed %" PRIu64 "\n", l->orders, r->effort.seed);
    if (l->below[l->n] == 0) {
        hf_text_print(out, "the switches hang together after any number of faults of every order\n");
        return HF_OK;
    }
    hf_text_print(out,
                  "faults until the switches do not hang together: mean %.6g (95%%: %.6g to %.6g, %s), median %" PRIu32 "\n\n",
                  l->mean, l->mean_low, l->mean_high, hf_interval_method_name(l->mean_interval), quantile(l, 0.5));
    HF_TRY(cli_table_start(cx, &t, header, is_number, sizeof header / sizeof *header, l->n + 2));
    for (uint32_t i = 0; i <= l->n; i++) {
        if (l->parted[i] == 0) {
            continue;
        }
        const hf_estimate e = hf_estimate_proportion(l->below[i], l->orders, 0.95);
        HF_TRY(cli_table_cell(cx, &t, "%" PRIu32, i));
        HF_TRY(cli_table_cell(cx, &t, "%" PRIu64, l->parted[i]));
        HF_TRY(cli_table_cell(cx, &t, "%.6g", 100 * e.value));
        HF_TRY(cli_table_cell(cx, &t, "%.6g to %.6g", 100 * e.low, 100 * e.high));
        HF_TRY(cli_table_cell(cx, &t, "%s", hf_interval_method_name(e.method)));
    }
    return hf_table_text(cx, &t.table, out);
}

static hf_json *json_limit(const request *r) {
    const hf_limit *l = r->limit;
    hf_json *o = hf_json_object(), *list = hf_json_array();
    hf_json_set(o, "orders", hf_json_integer((int64_t)l->orders));
    const bool is_parted = l->below[l->n] > 0;
    hf_json_set(o, "mean", is_parted ? hf_json_real(l->mean) : hf_json_null());
    hf_json_set(o, "mean_low", is_parted ? hf_json_real(l->mean_low) : hf_json_null());
    hf_json_set(o, "mean_high", is_parted ? hf_json_real(l->mean_high) : hf_json_null());
    hf_json_set(o, "mean_interval", hf_json_text(hf_interval_method_name(l->mean_interval)));
    hf_json_set(o, "median", hf_json_integer(quantile(l, 0.5)));
    for (uint32_t i = 0; i <= l->n; i++) {
        if (l->parted[i] > 0) {
            const hf_estimate e = hf_estimate_proportion(l->below[i], l->orders, 0.95);
            hf_json *bin = hf_json_object();
            hf_json_set(bin, "faults", hf_json_integer(i));
            hf_json_set(bin, "parted", hf_json_integer((int64_t)l->parted[i]));
            hf_json_set(bin, "fraction", hf_json_real(e.value));
            hf_json_set(bin, "low", hf_json_real(e.low));
            hf_json_set(bin, "high", hf_json_real(e.high));
            hf_json_set(bin, "interval", hf_json_text(hf_interval_method_name(e.method)));
            hf_json_push(list, bin);
        }
    }
    hf_json_set(o, "distribution", list);
    return o;
}

/* ---- all together ---- */

static hf_status print_text(const request *r) {
    hf_text out;
    hf_text_init(r->c->cx, &out);
    hf_text_print(&out, "%s%s%s, faults among %" PRIu32 " %s", r->net.topo->spec, r->net.has_rule ? ", " : "",
                  r->net.has_rule ? r->net.rule.spec : "", r->net.universe->n_component, r->net.universe->spec);
    hf_status status = HF_OK;
    if (r->limit) {
        hf_text_print(&out, "\n");
        status = print_limit(r, &out);
    } else {
        hf_text_print(&out, ", %" PRIu64 " cycle%s a notice, %" PRIu64 " a control packet\n", r->effort.costs.hop_cycles,
                      hf_plural(r->effort.costs.hop_cycles), r->effort.costs.packet_cycles);
    }
    for (size_t i = 0; r->result && i < r->result->n_row && status == HF_OK; i++) {
        status = print_row(r, &r->result->row[i], &out);
    }
    status = status == HF_OK ? cli_put(r->c, &out) : status;
    hf_text_free(&out);
    return status;
}

static hf_status print_json(const request *r) {
    hf_json *root = cli_json(r->c), *spec = hf_json_object(), *rows = hf_json_array();
    hf_json_set(spec, "topology", hf_json_text(r->net.topo->spec));
    hf_json_set(spec, "routing", r->net.has_rule ? hf_json_text(r->net.rule.spec) : hf_json_null());
    hf_json_set(spec, "universe", hf_json_text(r->net.universe->spec));
    hf_json_set(spec, "seed", hf_json_integer((int64_t)r->effort.seed));
    hf_json_set(spec, "hop_cycles", hf_json_integer((int64_t)r->effort.costs.hop_cycles));
    hf_json_set(spec, "packet_cycles", hf_json_integer((int64_t)r->effort.costs.packet_cycles));
    hf_json_set(root, "spec", spec);
    for (size_t i = 0; r->result && i < r->result->n_row; i++) {
        hf_json_push(rows, json_row(r, &r->result->row[i]));
    }
    if (r->limit) {
        hf_json_push(rows, json_limit(r));
    }
    hf_json_set(root, "rows", rows);
    return cli_put_json(r->c, root);
}

static int run(cli *c) {
    request r = {.c = c};
    hf_status status = open_all(&r);
    cli_catch_signals(c->cx);
    cli_meter_init(&r.meter, cli_has(c, "quiet"), "");
    r.effort.progress = cli_meter_show;
    r.effort.progress_user = &r.meter;
    if (status == HF_OK) {
        status = r.orders ? hf_limit_run(c->cx, r.net.universe, r.orders, r.effort.seed, r.effort.threads, &r.limit)
                          : hf_effort_run(c->cx, &r.effort, &r.result);
        cli_meter_end(&r.meter);
    }
    if (status == HF_OK) {
        status = cli_has(c, "json") ? print_json(&r) : print_text(&r);
    }
    close_all(&r);
    return cli_exit(c, status, true);
}

static const cli_option options[] = {
    {"topology", "SPEC", "the network, such as torus:dims=8x8"},
    {"routing", "SPEC", "a rule with a model of its reconfiguration: immunet or ft2ei"},
    {"universe", "SPEC", "what can fail (default links)"},
    {"only", "FILTER", "keep components with these attributes only, such as stage=1"},
    {"faults", "LIST", "numbers of faults (default 1)"},
    {"samples", "N", "fault sets a row where there are more than so many (default 1000)"},
    {"seed", "N", "seed of the samples and orders (default 1)"},
    {"simulate", "N", "simulate the first N sets of a row event by event (default 1)"},
    {"hop-cycles", "N", "cycles to manage and pass on a notice of the emergency (default 100)"},
    {"packet-cycles", "N", "cycles to manage and pass on a control packet (default 1000)"},
    {"orders", "N", "instead: in N random orders of failure, how many faults part the network"},
    {"threads", "T", "threads (default: all cores); the result does not depend on it"},
    {"quiet", NULL, "no progress on standard error"},
    {"json", NULL, "print JSON (docs/json.md)"},
    {"output", "FILE", "write the result to FILE instead of standard output"},
    {0},
};

const cli_command cli_bounds = {
    .name = "bounds",
    .summary = "what reconfiguration takes: messages and cycles; faults until a network parts",
    .usage = "--topology SPEC --routing SPEC [--faults LIST] | --topology SPEC --orders N",
    .about =
        "Lower and upper bounds and models of the messages and cycles of each phase, lowest, mean and highest over all fault\n"
        "sets of a size, or a sample, with published values beside them. A model says what it assumes.\n\n"
        "Example: holdfast bounds --topology torus:dims=8x8 --routing immunet --universe links --faults 1",
    .options = options,
    .run = run,
};
