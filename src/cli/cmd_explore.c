/* SPDX-License-Identifier: GPL-3.0-or-later */
/* holdfast explore: designs that no other beats in cost, throughput and tolerance. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "src/cli/commands.h"
#include "src/cli/keep.h"

typedef struct request {
    const cli *c;
    hf_exploration *e;
    cli_keep keep;
    hf_designs *designs;
    bool is_quiet;
} request;

static void tell(void *user, size_t done, size_t count, const hf_design *design) {
    const request *r = user;
    if (!r->is_quiet) {
        fprintf(stderr, "[%zu/%zu] %s, %s\n", done, count, design->topology, design->routing);
    }
}

/* ---- output ---- */

static hf_json *json_design(const hf_design *d) {
    const bool is_known = d->proof != HF_TOLERANCE_UNKNOWN;
    hf_json *o = hf_json_object();
    hf_json_set(o, "topology", hf_json_text(d->topology));
    hf_json_set(o, "routing", hf_json_text(d->routing));
    hf_json_set(o, "front", hf_json_boolean(d->on_front));
    hf_json_set(o, "verdict", hf_json_text(hf_design_verdict_name(d->verdict)));
    hf_json_set(o, "terminals", hf_json_integer(d->n_terminal));
    hf_json_set(o, "switches", hf_json_integer(d->n_switch));
    hf_json_set(o, "links", hf_json_integer(d->n_link));
    hf_json_set(o, "cost", hf_json_real(d->cost));
    hf_json_set(o, "throughput", is_known ? hf_json_real(d->throughput) : hf_json_null());
    hf_json_set(o, "tolerance", is_known ? hf_json_integer(d->tolerance) : hf_json_null());
    hf_json_set(o, "tolerance_known_by", hf_json_text(hf_tolerance_proof_name(d->proof)));
    hf_json_set(o, "tolerance_least", is_known ? hf_json_integer(d->least) : hf_json_null());
    hf_json_set(o, "tolerance_most", is_known && d->most != HF_NONE ? hf_json_integer(d->most) : hf_json_null());
    hf_json_set(o, "deadlock",
                is_known || d->verdict == HF_DESIGN_DEADLOCK ? hf_json_text(hf_deadlock_answer_name(d->deadlock))
                                                             : hf_json_null());
    hf_json_set(o, "bubbles", hf_json_boolean(d->needs_bubbles));
    return o;
}

static hf_status print_json(const request *r) {
    hf_json *root = cli_json(r->c), *spec = hf_json_object(), *rows = hf_json_array();
    hf_json_set(spec, "exploration", hf_json_text(hf_exploration_name(r->e)));
    hf_json_set(spec, "title", hf_json_text(hf_exploration_title(r->e)));
    hf_json_set(root, "spec", spec);
    for (size_t i = 0; i < r->designs->n; i++) {
        hf_json_push(rows, json_design(&r->designs->design[i]));
    }
    hf_json_set(root, "rows", rows);
    return cli_put_json(r->c, root);
}

static hf_status save(const request *r, const char *path, const hf_table *table) {
    hf_text out;
    hf_text_init(r->c->cx, &out);
    hf_status status = table ? hf_table_csv(r->c->cx, table, &out) : hf_designs_plot(r->c->cx, r->e, r->designs, &out);
    status = status == HF_OK ? hf_text_save(r->c->cx, &out, path) : status;
    hf_text_free(&out);
    return status;
}

static hf_status print_table(const request *r) {
    hf_table table;
    size_t n_front = 0, n_kept = 0;
    hf_text out;
    HF_TRY(hf_designs_table(r->c->cx, r->e, r->designs, cli_has(r->c, "all"), &table));
    for (size_t i = 0; i < r->designs->n; i++) {
        n_front += r->designs->design[i].on_front;
        n_kept += r->designs->design[i].verdict == HF_DESIGN_KEPT;
    }
    hf_text_init(r->c->cx, &out);
    hf_status status = hf_table_text(r->c->cx, &table, &out);
    hf_text_print(&out, "%zu designs, %zu within the constraints, %zu on the front.\n", r->designs->n, n_kept, n_front);
    hf_text_print(
        &out, "Cost: of a terminal, relative to the reference; throughput: ideal, flits/cycle/terminal; tolerance: faults.\n");
    status = status == HF_OK ? cli_put(r->c, &out) : status;
    hf_text_free(&out);
    return status;
}

static hf_status print_all(const request *r) {
    const cli *c = r->c;
    hf_table table;
    char *drawing;
    HF_TRY(hf_designs_table(c->cx, r->e, r->designs, true, &table));
    HF_TRY(hf_scratch_print(c->cx, &drawing, "%s.svg", hf_exploration_name(r->e)));
    if (cli_has(c, "csv")) {
        HF_TRY(save(r, cli_value(c, "csv"), &table));
    }
    const char *svg = cli_value_or(c, "svg", drawing);
    if (strcmp(svg, "none") != 0) {
        HF_TRY(save(r, svg, NULL));
    }
    HF_TRY(cli_has(c, "json") ? print_json(r) : print_table(r));
    if (strcmp(svg, "none") != 0 && !r->is_quiet) {
        fprintf(stderr, "holdfast explore: the drawing is %s\n", svg);
    }
    return HF_OK;
}

/* ---- work ---- */

static hf_status work(request *r) {
    const cli *c = r->c;
    uint64_t threads;
    r->is_quiet = cli_has(c, "quiet");
    HF_TRY(cli_number(c, "threads", 1, 1024, 0, &threads));
    HF_TRY(hf_exploration_load(c->cx, c->positional[0], &r->e));
    HF_TRY(cli_keep_open(c, &r->keep));
    cli_catch_signals(c->cx);
    const hf_exploration_options options = {
        .store = r->keep.store, .threads = (uint32_t)threads, .again = cli_has(c, "again"), .tell = tell, .tell_user = r};
    HF_TRY(hf_exploration_run(c->cx, r->e, &options, &r->designs));
    return print_all(r);
}

static int run(cli *c) {
    request r = {.c = c};
    const hf_status status = work(&r);
    if (status == HF_ESTOP) {
        cli_keep_stopped(c, &r.keep);
    }
    hf_designs_free(r.designs);
    cli_keep_close(c, &r.keep);
    hf_exploration_free(r.e);
    return cli_exit(c, status, true);
}

static const cli_option options[] = {
    {"all", NULL, "show all designs, not only the front"},
    {"csv", "FILE", "also write all designs as CSV"},
    {"svg", "FILE", "where to draw cost against throughput (default NAME.svg), or none"},
    {"threads", "T", "threads (default: all cores); the result does not depend on it"},
    CLI_KEEP_OPTIONS(""),
    {"quiet", NULL, "no progress on standard error"},
    {"json", NULL, "print JSON (docs/json.md)"},
    {0},
};

const cli_command cli_explore = {
    .name = "explore",
    .summary = "explore designs: cost, throughput and tolerance, and the best of them",
    .usage = "FILE [OPTIONS]",
    .about = "The file (docs/explore.md) lists topologies and routings, with grids in braces, and constraints. Each design gets\n"
             "its cost a terminal, its ideal throughput and the number of faults it tolerates. Printed and drawn is the Pareto\n"
             "front: the designs that no other beats. What the store holds is not evaluated again.\n\n"
             "Example: holdfast explore studies/examples/explore-1024.yaml",
    .positional_min = 1,
    .positional_max = 1,
    .options = options,
    .run = run,
};
