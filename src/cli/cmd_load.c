/* SPDX-License-Identifier: GPL-3.0-or-later */
/* holdfast load: what a traffic pattern under a routing puts on the channels. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "src/cli/campaign.h"
#include "src/cli/load.h"

/* ---- output ---- */

static hf_json *json_fraction(hf_fraction a) {
    char text[80];
    hf_fraction_print(a, text);
    return a.q ? hf_json_text(text) : hf_json_null();
}

static const char *direction_of(const hf_load_bin *bin) {
    return bin->is_terminal ? bin->is_forward ? "injection" : "ejection" : bin->is_forward ? "forward" : "backward";
}

static hf_json *json_bin(const hf_load_bin *bin) {
    hf_json *o = hf_json_object();
    hf_json_set(o, "stage", bin->stage == HF_NONE ? hf_json_null() : hf_json_integer(bin->stage));
    hf_json_set(o, "direction", hf_json_text(direction_of(bin)));
    hf_json_set(o, "load", hf_json_real(bin->load));
    hf_json_set(o, "load_exact", json_fraction(bin->exact));
    hf_json_set(o, "channels", hf_json_integer(bin->n_channel));
    return o;
}

static hf_status json_histogram(const load_request *r, hf_json *row) {
    const char *attribute;
    hf_load_bin *bin;
    size_t n;
    HF_TRY(hf_load_histogram(r->c->cx, r->load, &attribute, &bin, &n));
    hf_json *list = hf_json_array();
    for (size_t i = 0; i < n; i++) {
        hf_json_push(list, json_bin(&bin[i]));
    }
    hf_json_set(row, "histogram", list);
    return HF_OK;
}

hf_json *load_json_spec(const load_request *r) {
    const char *failed = cli_value(r->c, "failed");
    hf_json *spec = hf_json_object();
    hf_json_set(spec, "topology", hf_json_text(r->net.topo->spec));
    hf_json_set(spec, "routing", hf_json_text(r->net.rule.spec));
    hf_json_set(spec, "traffic", hf_json_text(r->traffic->spec));
    hf_json_set(spec, "split", hf_json_text(hf_split_name(r->split)));
    hf_json_set(spec, "failed", failed ? hf_json_text(failed) : hf_json_null());
    return spec;
}

static void json_load(const load_request *r, hf_json *row) {
    const hf_load *load = r->load;
    char name[80] = "";
    hf_json_set(row, "max_load", hf_json_real(load->max_load));
    hf_json_set(row, "max_load_exact", json_fraction(load->max_exact));
    if (load->busiest != HF_NONE) {
        hf_topology_channel_name(load->topo, load->busiest, name, sizeof name);
    }
    hf_json_set(row, "busiest", load->busiest == HF_NONE ? hf_json_null() : hf_json_text(name));
    hf_json_set(row, "terminal_load", hf_json_real(load->terminal_load));
    hf_json_set(row, "saturation", load->saturation > 0 ? hf_json_real(load->saturation) : hf_json_null());
    hf_json_set(row, "saturation_exact", json_fraction(load->saturation_exact));
    hf_json_set(row, "lost", hf_json_real(load->lost));
}

static hf_json *json_worst(const load_request *r) {
    hf_json *o = hf_json_object(), *pairs = hf_json_array();
    char name[80] = "";
    if (r->worst.channel != HF_NONE) {
        hf_topology_channel_name(r->net.topo, r->worst.channel, name, sizeof name);
    }
    hf_json_set(o, "load", hf_json_real(r->worst.load));
    hf_json_set(o, "load_exact", json_fraction(r->worst.exact));
    hf_json_set(o, "channel", r->worst.channel == HF_NONE ? hf_json_null() : hf_json_text(name));
    for (uint32_t t = 0; t < r->net.topo->n_terminal; t++) {
        hf_json_push(pairs, hf_json_integer(r->worst.to[t]));
    }
    hf_json_set(o, "permutation", pairs);
    return o;
}

static hf_status print_json(const load_request *r) {
    hf_json *root = cli_json(r->c), *rows = hf_json_array(), *row = hf_json_object();
    hf_json_set(root, "spec", load_json_spec(r));
    json_load(r, row);
    hf_json_set(row, "worst_case", cli_has(r->c, "worst-case") ? json_worst(r) : hf_json_null());
    hf_json_set(row, "best_load", cli_has(r->c, "best") ? hf_json_real(r->best) : hf_json_null());
    const hf_status status = json_histogram(r, row);
    hf_json_push(rows, row);
    hf_json_set(root, "rows", rows);
    if (status != HF_OK) {
        hf_json_free(root);
        return status;
    }
    return cli_put_json(r->c, root);
}

static void print_value(hf_text *out, double value, hf_fraction exact) {
    char text[80];
    hf_fraction_print(exact, text);
    hf_text_print(out, "%.6g", value);
    if (exact.q > 1) {
        hf_text_print(out, " (%s)", text);
    }
}

static void print_worst(const load_request *r, hf_text *out) {
    char name[80] = "-";
    if (r->worst.channel != HF_NONE) {
        hf_topology_channel_name(r->net.topo, r->worst.channel, name, sizeof name);
    }
    hf_text_print(out, "worst case       ");
    print_value(out, r->worst.load, r->worst.exact);
    hf_text_print(out, " flits/cycle, on %s, by the permutation", name);
    for (uint32_t t = 0; t < r->net.topo->n_terminal; t++) {
        hf_text_print(out, " %" PRIu32, r->worst.to[t]);
    }
    hf_text_print(out, "\n");
}

static void print_figures(const load_request *r, hf_text *out) {
    const hf_load *load = r->load;
    char name[80];
    hf_text_print(out, "%s, %s, traffic %s, split %s\n\nmaximum load     ", r->net.topo->spec, r->net.rule.spec, r->traffic->spec,
                  hf_split_name(r->split));
    print_value(out, load->max_load, load->max_exact);
    hf_text_print(out, " flits/cycle");
    if (load->busiest != HF_NONE) {
        hf_topology_channel_name(load->topo, load->busiest, name, sizeof name);
        hf_text_print(out, ", first on %s", name);
    }
    hf_text_print(out, "\nterminals' load  %.6g flits/cycle\n", load->terminal_load);
    if (load->saturation > 0) {
        hf_text_print(out, "saturation       ");
        print_value(out, load->saturation, load->saturation_exact);
        hf_text_print(out, " flits/cycle/terminal\n");
    }
    if (load->lost > 0) {
        hf_text_print(out, "lost             %.6g%% of the flits\n", 100 * load->lost);
    }
    if (cli_has(r->c, "worst-case")) {
        print_worst(r, out);
    }
    if (cli_has(r->c, "best")) {
        hf_text_print(out, "best possible    %.6g flits/cycle, with any routing\n", r->best);
    }
}

/* A line for each stage and direction: channels, and the least, mean and largest load. */
static hf_status stage_row(const load_request *r, cli_table *t, const hf_load_bin *bin, size_t n) {
    hf_context *cx = r->c->cx;
    double sum = 0;
    uint32_t channels = 0;
    for (size_t i = 0; i < n; i++) {
        sum += bin[i].load * bin[i].n_channel;
        channels += bin[i].n_channel;
    }
    char stage[16];
    snprintf(stage, sizeof stage, "%" PRIu32, bin->stage);
    HF_TRY(cli_table_cell(cx, t, "%s", bin->stage == HF_NONE ? "-" : stage));
    HF_TRY(cli_table_cell(cx, t, "%s", direction_of(bin)));
    HF_TRY(cli_table_cell(cx, t, "%" PRIu32, channels));
    HF_TRY(cli_table_cell(cx, t, "%.6g", bin->load));
    HF_TRY(cli_table_cell(cx, t, "%.6g", sum / channels));
    HF_TRY(cli_table_cell(cx, t, "%.6g", bin[n - 1].load));
    return cli_table_cell(cx, t, "%zu", n);
}

static hf_status print_stages(const load_request *r, hf_text *out) {
    hf_load_bin *bin;
    const char *attribute;
    size_t n, end;
    cli_table t;
    HF_TRY(hf_load_histogram(r->c->cx, r->load, &attribute, &bin, &n));
    const char *const header[] = {attribute ? attribute : "stage", "direction", "channels", "least", "mean", "largest", "values"};
    static const bool is_number[] = {true, false, true, true, true, true, true};
    HF_TRY(cli_table_start(r->c->cx, &t, header, is_number, 7, n));
    for (size_t i = 0; i < n; i = end) {
        end = i + 1;
        while (end < n && bin[end].stage == bin[i].stage && bin[end].is_forward == bin[i].is_forward &&
               bin[end].is_terminal == bin[i].is_terminal) {
            end++;
        }
        HF_TRY(stage_row(r, &t, &bin[i], end - i));
    }
    hf_text_print(out, "\n");
    return hf_table_text(r->c->cx, &t.table, out);
}

static hf_status print_table(const load_request *r) {
    hf_text out;
    hf_text_init(r->c->cx, &out);
    print_figures(r, &out);
    hf_status status = print_stages(r, &out);
    if (status == HF_OK) {
        status = cli_put(r->c, &out);
    }
    hf_text_free(&out);
    return status;
}

/* ---- the request ---- */

static hf_status open_all(load_request *r) {
    const cli *c = r->c;
    const char *topology, *routing, *traffic;
    HF_TRY(cli_require(c, "topology", &topology));
    HF_TRY(cli_require(c, "routing", &routing));
    HF_TRY(cli_require(c, "traffic", &traffic));
    HF_TRY(cli_campaign_belong(c));
    HF_TRY(hf_split_find(c->cx, cli_value_or(c, "split", "even"), &r->split));
    HF_TRY(cli_network_open(c, topology, routing, cli_value_or(c, "universe", "channels"), cli_value(c, "only"), &r->net));
    return hf_traffic_new(c->cx, r->net.topo, traffic, &r->traffic);
}

static hf_status find_load(load_request *r) {
    hf_fault_set faults;
    hf_plan plan;
    const cli *c = r->c;
    const hf_universe *universe = cli_has(c, "universe") ? r->net.universe : NULL;
    HF_TRY(hf_fault_set_parse(c->cx, r->net.topo, universe, cli_value_or(c, "failed", ""), &faults));
    HF_TRY(hf_plan_make(c->cx, &r->net.rule, &faults, &plan));
    HF_TRY(hf_load_find(c->cx, &plan, r->traffic, r->split, &r->load));
    if (cli_has(c, "worst-case")) {
        HF_TRY(hf_load_worst(c->cx, &plan, r->split, &r->worst));
    }
    if (cli_has(c, "best")) {
        HF_TRY(hf_load_best(c->cx, r->net.topo, &faults, r->traffic, &r->best));
    }
    return cli_has(c, "json") ? print_json(r) : print_table(r);
}

static int run(cli *c) {
    load_request r = {.c = c};
    cli_catch_signals(c->cx);
    hf_status status = open_all(&r);
    if (status == HF_OK) {
        status = cli_has(c, "faults") ? load_campaign(&r) : find_load(&r);
    }
    hf_load_free(r.load);
    hf_traffic_free(r.traffic);
    cli_network_free(&r.net);
    return cli_exit(c, status, true);
}

static const cli_option options[] = {
    {"topology", "SPEC", "the network, such as kary-tree:k=4,n=3"},
    {"routing", "SPEC", "the rule, such as updown"},
    {"traffic", "SPEC", "the pattern, such as uniform or hot-spot:percent=5,node=0"},
    {"split", "HOW", "how packets choose among hops: even, first (preferred) or optimal"},
    {"failed", "NAMES", "components that have failed, such as s0:4>s4:0"},
    {"faults", "LIST", "means over all fault sets of these sizes, such as 0..2 or 0%..10%/2%"},
    {"universe", "SPEC", "what can fail (default channels)"},
    {"only", "FILTER", "keep components with these attributes only, such as stage=1"},
    {"method", "NAME", "of --faults: exhaustive (default) or sampled"},
    {"samples", "N", "fault sets a row when sampled (default 10000)"},
    {"seed", "N", "seed of the samples (default 1)"},
    {"threads", "T", "threads (default: all cores); the result does not depend on it"},
    {"part", "r/m", "of --faults: work on the r-th of m equal parts of every row only, r from 1"},
    CLI_KEEP_OPTIONS("of --faults: "),
    {"quiet", NULL, "no progress on standard error"},
    {"worst-case", NULL, "the permutation that loads a channel most, whatever the traffic"},
    {"best", NULL, "the least maximum load that any routing could do (small networks)"},
    {"json", NULL, "print JSON (docs/json.md)"},
    {0},
};

const cli_command cli_load = {
    .name = "load",
    .summary = "find the load of the channels and the ideal throughput",
    .usage = "--topology SPEC --routing SPEC --traffic SPEC [OPTIONS]",
    .about = "Every terminal injects one flit per cycle and sends it as the traffic pattern says; a packet that is offered\n"
             "several hops takes each with the same share, the preferred one, or the best shares there are. Prints the load\n"
             "of the busiest channel between switches, as an exact fraction where it is one, and the throughput at which the\n"
             "busiest channel of all is full. `holdfast list traffic` names the patterns.\n\n"
             "Example: holdfast load --topology kary-tree:k=4,n=3 --routing updown --traffic uniform",
    .options = options,
    .run = run,
};
