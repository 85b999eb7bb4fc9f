/* SPDX-License-Identifier: GPL-3.0-or-later */
/* holdfast topology: figures and drawings of a network. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "src/cli/commands.h"
#include "src/cli/topology.h"
#include "src/core/print.h"

static hf_status print_drawing(const cli *c, const hf_topology *topo, const hf_marks *marks) {
    hf_text out;
    hf_text_init(c->cx, &out);
    const hf_status made = cli_has(c, "dot")       ? hf_format_dot_marked(c->cx, topo, marks, &out)
                           : cli_has(c, "graphml") ? hf_format_graphml(c->cx, topo, &out)
                           : cli_has(c, "wiring")  ? hf_format_wiring(c->cx, topo, &out)
                                                   : hf_format_svg(c->cx, topo, marks, &out);
    const hf_status status = made == HF_OK ? cli_put(c, &out) : made;
    hf_text_free(&out);
    return status;
}

static hf_status print_json(const cli *c, const hf_topology *topo, const hf_topology_figures *f) {
    hf_json *root = cli_json(c), *spec = hf_json_object(), *rows = hf_json_array(), *row = hf_json_object();
    hf_json_set(spec, "topology", hf_json_text(topo->spec));
    char apart[40];
    hf_print_decimal(f->n_pair_apart, apart);
    hf_json_set(root, "spec", spec);
    hf_json_set(row, "terminals", hf_json_integer(topo->n_terminal));
    hf_json_set(row, "switches", hf_json_integer(topo->n_switch));
    hf_json_set(row, "links", hf_json_integer(topo->n_link));
    hf_json_set(row, "switch_links", hf_json_integer(topo->n_switch_link));
    hf_json_set(row, "channels", hf_json_integer(topo->n_channel));
    hf_json_set(row, "degree_min", hf_json_integer(f->degree_min));
    hf_json_set(row, "degree_max", hf_json_integer(f->degree_max));
    hf_json_set(row, "diameter", f->is_strongly_connected ? hf_json_integer(f->diameter) : hf_json_null());
    hf_json_set(row, "mean_distance", hf_json_real(f->mean_distance)); /* null where it is not a number */
    hf_json_set(row, "parts", hf_json_integer(f->n_part));
    hf_json_set(row, "pairs_apart", hf_json_text(apart));
    hf_json_set(row, "bidirectional", hf_json_boolean(f->is_bidirectional));
    hf_json_set(row, "strongly_connected", hf_json_boolean(f->is_strongly_connected));
    hf_json *names = hf_json_array();
    for (uint32_t i = 0; i < topo->n_coord; i++) {
        hf_json_push(names, hf_json_text(topo->coord_name[i]));
    }
    hf_json_set(row, "coordinates", names);
    if (topo->header) {
        hf_json_set(row, "header", hf_json_text(topo->header));
    }
    hf_json_push(rows, row);
    hf_json_set(root, "rows", rows);
    return cli_put_json(c, root);
}

static void print_coordinates(const hf_topology *topo, hf_text *out) {
    hf_text_print(out, "\nswitch");
    for (size_t a = 0; a < topo->n_attribute; a++) {
        hf_text_print(out, "  %s", topo->attribute[a].name);
    }
    for (uint32_t i = 0; i < topo->n_coord; i++) {
        hf_text_print(out, "  %s", topo->coord_name[i]);
    }
    hf_text_print(out, "\n");
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        hf_text_print(out, "s%-5" PRIu32, v);
        for (size_t a = 0; a < topo->n_attribute; a++) {
            const uint32_t value = topo->attribute[a].of_switch[v];
            char text[16] = "-";
            if (value != HF_NONE) {
                snprintf(text, sizeof text, "%" PRIu32, value);
            }
            hf_text_print(out, "  %*s", (int)strlen(topo->attribute[a].name), text);
        }
        for (uint32_t i = 0; i < topo->n_coord; i++) {
            hf_text_print(out, "  %*" PRIu32, (int)strlen(topo->coord_name[i]), topo->coord[(size_t)v * topo->n_coord + i]);
        }
        hf_text_print(out, "\n");
    }
}

static void print_distances(const hf_topology *topo, const hf_topology_figures *f, hf_text *out) {
    if (f->n_part > 1) {
        hf_text_print(out, "  not connected  %" PRIu32 " parts that no link joins\n", f->n_part);
    }
    if (f->is_strongly_connected) {
        hf_text_print(out, "  diameter       %" PRIu32 " channels between terminals\n", f->diameter);
        hf_text_print(out, "  mean distance  %.6g channels over ordered pairs of terminals\n", f->mean_distance);
        return;
    }
    hf_text_print(out,
                  "  diameter       none: %" PRIu64 " of %" PRIu64 " ordered pairs of terminals have no path\n"
                  "  mean distance  none\n",
                  f->n_pair_apart, topo->n_terminal * (topo->n_terminal - UINT64_C(1)));
}

static hf_status print_figures(const cli *c, const hf_topology *topo, const hf_topology_figures *f) {
    hf_text out;
    hf_text_init(c->cx, &out);
    hf_text_print(&out, "%s: %s\n", topo->spec, topo->kind->summary);
    if (topo->header) {
        hf_text_print(&out, "  header         \"%s\" names columns (with header=no it is a link)\n", topo->header);
    }
    hf_text_print(&out, "  terminals      %" PRIu32 "\n  switches       %" PRIu32 "\n", topo->n_terminal, topo->n_switch);
    hf_text_print(&out, "  links          %" PRIu32 " (%" PRIu32 " between switches, %" PRIu32 " to terminals)\n", topo->n_link,
                  topo->n_switch_link, topo->n_link - topo->n_switch_link);
    hf_text_print(&out, "  channels       %" PRIu32 " (%s)\n", topo->n_channel,
                  f->is_bidirectional ? "two a link" : "some links have one");
    if (f->degree_min == f->degree_max) {
        hf_text_print(&out, "  degree         %" PRIu32 " port%s in use a switch\n", f->degree_max, hf_plural(f->degree_max));
    } else {
        hf_text_print(&out, "  degree         %" PRIu32 " to %" PRIu32 " ports in use a switch\n", f->degree_min, f->degree_max);
    }
    print_distances(topo, f, &out);
    hf_text_print(&out, "  coordinates    ");
    for (uint32_t i = 0; i < topo->n_coord; i++) {
        hf_text_print(&out, "%s%s", i ? ", " : "", topo->coord_name[i]);
    }
    hf_text_print(&out, "%s\n", topo->n_coord ? "" : "none");
    for (size_t a = 0; a < topo->n_attribute; a++) {
        hf_text_print(&out, "  attribute      %s: %s\n", topo->attribute[a].name, topo->attribute[a].help);
    }
    if (cli_has(c, "coordinates")) {
        print_coordinates(topo, &out);
    }
    const hf_status status = cli_put(c, &out);
    hf_text_free(&out);
    return status;
}

/* What is asked about a pair of terminals or about failures. */
static hf_status work_marked(const cli *c, const cli_network *net) {
    topology_pair p;
    HF_TRY(topology_pair_find(c, net, &p));
    if (cli_has(c, "dot") || cli_has(c, "svg")) {
        return print_drawing(c, net->topo, &p.marks);
    }
    return cli_has(c, "json") ? topology_pair_json(c, net, &p) : topology_pair_print(c, net, &p);
}

static hf_status work(const cli *c, const cli_network *net, bool *ok) {
    const hf_topology *topo = net->topo;
    if (cli_has(c, "check")) {
        return topology_check(c, topo, ok);
    }
    if (cli_has(c, "pair") || cli_has(c, "faults")) {
        return work_marked(c, net);
    }
    if (cli_has(c, "dot") || cli_has(c, "graphml") || cli_has(c, "svg") || cli_has(c, "wiring")) {
        return print_drawing(c, topo, NULL);
    }
    hf_topology_figures figures;
    HF_TRY(hf_topology_measure(c->cx, topo, &figures));
    return cli_has(c, "json") ? print_json(c, topo, &figures) : print_figures(c, topo, &figures);
}

static hf_status check_options(const cli *c) {
    const bool draws = cli_has(c, "dot") || cli_has(c, "svg"), asks_pair = cli_has(c, "pair");
    const bool exports = cli_has(c, "graphml") || cli_has(c, "wiring");
    if (draws + (cli_has(c, "dot") && cli_has(c, "svg")) + cli_has(c, "graphml") + cli_has(c, "wiring") + cli_has(c, "json") >
        1) {
        HF_FAIL(c->cx, HF_EINVAL, "choose one of --dot, --graphml, --wiring, --svg and --json");
    }
    if (cli_has(c, "check") && (draws || asks_pair || cli_has(c, "faults") || exports || cli_has(c, "coordinates"))) {
        HF_FAIL(c->cx, HF_EINVAL, "--check goes with --json only");
    }
    if (cli_has(c, "coordinates") && (draws || exports)) {
        HF_FAIL(c->cx, HF_EINVAL, "--coordinates lists them in text and with --json; drawings go without");
    }
    if (cli_has(c, "routing") && !asks_pair) {
        HF_FAIL(c->cx, HF_EINVAL, "--routing says which paths of a pair are meant; it needs --pair A,B");
    }
    if (cli_has(c, "faults") && !asks_pair && !draws) {
        HF_FAIL(c->cx, HF_EINVAL, "--faults needs --pair, --svg or --dot; `holdfast show` tells what a fault set does");
    }
    if ((cli_has(c, "faults") || asks_pair) && (exports || cli_has(c, "coordinates"))) {
        HF_FAIL(c->cx, HF_EINVAL,
                "--pair and --faults do not go with --graphml, --wiring or --coordinates; use --svg, --dot or --json");
    }
    return HF_OK;
}

static int run(cli *c) {
    cli_network net;
    bool ok = true;
    hf_status status = check_options(c);
    if (status != HF_OK) {
        return cli_fail(c, status);
    }
    const char *otherwise = cli_has(c, "pair") ? "minimal" : NULL;
    status = cli_network_open(c, c->positional[0], cli_value_or(c, "routing", otherwise), NULL, NULL, &net);
    if (status == HF_OK) {
        status = work(c, &net, &ok);
        cli_network_free(&net);
    }
    return status != HF_OK ? cli_fail(c, status) : ok ? CLI_DONE : CLI_NO;
}

static const cli_option options[] = {
    {"coordinates", NULL, "list every switch with its coordinates"},
    {"pair", "A,B", "the paths from terminal A to terminal B, such as 6,16 or t6,t16: bold in a drawing, else counted by stage"},
    {"routing", "SPEC", "of --pair: the paths of this rule (default: every shortest path)"},
    {"faults", "NAMES", "what has failed, marked in drawings: names separated by commas, or @FILE as written by --witness"},
    {"check", NULL,
     "is every pair connected; of multipath networks fanout and expansion of small sets; status 1 if a pair is not"},
    {"dot", NULL, "print the network for Graphviz"},
    {"graphml", NULL, "print the network as GraphML"},
    {"wiring", NULL, "print the wiring of a multipath network as text; topology multipath-wiring reads it back"},
    {"svg", NULL, "draw the network"},
    {"json", NULL, "print JSON (docs/json.md)"},
    {"output", "FILE", "write to FILE instead of standard output"},
    {0},
};

const cli_command cli_topology = {
    .name = "topology",
    .summary = "figures and drawings of a network",
    .usage = "SPEC",
    .about =
        "Prints counts, degree, diameter, mean distance and coordinates, or the network as DOT, GraphML or SVG.\n"
        "Terminals count from 0. A pair that names the number of terminals itself, 6,16 of 16, counts from 1, as the figures\n"
        "of chong1992 do.\n\n"
        "Examples:\n"
        "  holdfast topology kary-tree:k=4,n=3 --svg --output tree.svg\n"
        "  holdfast topology multibutterfly:radix=2,dilation=2,stages=4 --pair 6,16 --svg --output figure-1.svg",
    .positional_min = 1,
    .positional_max = 1,
    .options = options,
    .run = run,
};
