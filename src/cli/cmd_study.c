/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  holdfast study: published values beside computed ones; holdfast explore: the front of a study. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include <holdfast/core/bitset.h>

#include "src/cli/commands.h"
#include "src/cli/keep.h"
#include "src/cli/report.h"
#include "src/core/registry.h"

enum { RESULTS_LIMIT = 64 << 20 };

typedef struct running {
    const cli *c;
    size_t first; /* of the words, the first study */
    cli_meter meter;
    char label[200];
} running;

static void tell(void *user, size_t cell, size_t n_cell, const char *label, const hf_progress *progress) {
    running *r = user;
    if (progress) {
        cli_meter_show(&r->meter, progress);
        return;
    }
    snprintf(r->label, sizeof r->label, "[%zu/%zu] %s", cell + 1, n_cell, label);
    r->meter.label = r->label;
    r->meter.last_s = 0;
    if (!r->meter.is_quiet && !r->meter.is_terminal) {
        fprintf(stderr, "%s\n", r->label);
    }
}

/* ---- files of --output-dir ---- */

static hf_status save(const cli *c, const char *folder, const char *name, const char *ending, const hf_text *text) {
    char *path;
    HF_TRY(hf_scratch_print(c->cx, &path, "%s/%s.%s", folder, name, ending));
    return hf_text_save(c->cx, text, path);
}

/* Where the figures come from; the other files hold nothing that depends on the run. */
static hf_status save_provenance(const cli *c, const char *folder, const hf_study *study, const hf_study_outcome *outcome) {
    char now[32] = "";
    const time_t seconds = time(NULL);
    struct tm parts;
    size_t stored = 0, accepted = 0;
    for (size_t i = 0; i < outcome->n_line; i++) {
        stored += outcome->line[i].from_store;
        accepted += outcome->line[i].is_accepted;
    }
    for (size_t i = 0; i < outcome->n_design; i++) {
        stored += outcome->design[i].from_store;
        accepted += outcome->design[i].is_accepted;
    }
    if (gmtime_r(&seconds, &parts)) {
        (void)strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", &parts);
    }
    hf_text text;
    hf_text_init(c->cx, &text);
    hf_text_print(&text, "study: %s\nprogram: holdfast %s\ncommit: %s\ncode: %s\ncompiler: %s\ninstructions: %s\n",
                  hf_study_name(study), hf_build_version(), hf_build_commit(), hf_build_code(), hf_build_compiler(),
                  hf_simd_name(hf_simd_level()));
    hf_text_print(&text, "written: %s\nlines: %zu, of which %zu from the results store\n", now,
                  outcome->n_line + outcome->n_design, stored);
    if (accepted > 0) {
        hf_text_print(&text, "accepted: %zu lines rest on what programs of code %s computed\n", accepted,
                      cli_value_or(c, "accept", ""));
    }
    const hf_status status = save(c, folder, hf_study_name(study), "provenance.txt", &text);
    hf_text_free(&text);
    return status;
}

static hf_status save_table(const cli *c, const char *folder, const hf_study *study, const hf_report *report, const char *table,
                            const char *ending) {
    const hf_report_style style = {.form = HF_FORM_CSV, .table = table};
    hf_text text;
    hf_text_init(c->cx, &text);
    hf_status status = hf_report_print(report, &style, &text);
    status = status == HF_OK ? save(c, folder, hf_study_name(study), ending, &text) : status;
    hf_text_free(&text);
    return status;
}

/* CSV and provenance: `study show` makes the other forms of them. */
static hf_status save_files(const cli *c, const hf_study *study, const hf_study_outcome *outcome, const hf_report *report) {
    const char *folder = cli_value(c, "output-dir");
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        HF_FAIL(c->cx, HF_EIO, "folder \"%s\" cannot be made: %s", folder, strerror(errno));
    }
    HF_TRY(save_table(c, folder, study, report, NULL, "csv"));
    const bool has_both = hf_study_has_front(study) && hf_study_has_lines(study); /* the first table is that of the designs */
    HF_TRY(has_both ? save_table(c, folder, study, report, "lines", "lines.csv") : HF_OK);
    return save_provenance(c, folder, study, outcome);
}

/* ---- drawings ---- */

static hf_status print_plot(const cli *c, const hf_study *study, const hf_study_outcome *outcome, hf_plot_form form,
                            hf_text *out) {
    const size_t n = hf_study_plot_count(study);
    uint64_t which;
    bool any;
    HF_TRY(cli_number(c, "figure", 1, n ? n : 1, 1, &which));
    HF_TRY(hf_study_outcome_plot(c->cx, study, outcome, (size_t)which - 1, form, &any, out));
    if (!any) {
        HF_FAIL(c->cx, HF_EINVAL,
                hf_study_has_front(study) ? "study \"%s\" has no front to draw: it takes two columns that are least or most"
                                          : "study \"%s\" has no curves to draw: it describes no plot, no cell has the key "
                                            "\"curve\" or a share for several f",
                hf_study_name(study));
    }
    return HF_OK;
}

/* In each form that is asked for. \param[in] svg where, NULL: not as that */
static hf_status save_plots(const cli *c, const hf_study *study, const hf_study_outcome *outcome, const char *svg) {
    const struct {
        const char *path;
        hf_plot_form form;
        hf_status (*save)(const cli *c, const hf_text *text, const char *path);
    } as[] = {{svg, HF_PLOT_SVG, cli_save},
              {cli_value(c, "pgfplots"), HF_PLOT_TEX, cli_save},
              {cli_value(c, "pdf"), HF_PLOT_TEX, cli_save_pdf},
              {cli_value(c, "points"), HF_PLOT_JSON, cli_save}};
    hf_status status = HF_OK;
    for (size_t i = 0; i < sizeof as / sizeof *as && status == HF_OK; i++) {
        hf_text text;
        if (as[i].path) {
            hf_text_init(c->cx, &text);
            status = print_plot(c, study, outcome, as[i].form, &text);
            status = status == HF_OK ? as[i].save(c, &text, as[i].path) : status;
            hf_text_free(&text);
        }
    }
    return status;
}

/* ---- running and showing ---- */

static hf_status style_of(const cli *c, const hf_study *study, hf_report_style *out) {
    HF_TRY(cli_report_style(c, out));
    return cli_has(c, "turned") ? hf_study_turn(c->cx, study, out) : HF_OK;
}

static hf_status print_outcome(const cli *c, const hf_study *study, const hf_study_outcome *outcome) {
    hf_report report;
    hf_report_style style;
    HF_TRY(style_of(c, study, &style));
    HF_TRY(hf_study_outcome_report(c->cx, study, outcome, &report));
    if (cli_has(c, "output-dir")) {
        HF_TRY(save_files(c, study, outcome, &report));
    }
    HF_TRY(save_plots(c, study, outcome, cli_value(c, "svg")));
    return cli_report_put(c, &report, NULL, &style);
}

/* `explore`: people see the front, programs all designs; a drawing unless it is not wanted. */
static hf_status print_front(const cli *c, const hf_study *study, const hf_study_outcome *outcome) {
    hf_report report, front;
    hf_report_style style;
    char *path;
    HF_TRY(cli_report_style(c, &style));
    HF_TRY(hf_study_outcome_report(c->cx, study, outcome, &report));
    HF_TRY(hf_study_outcome_report_short(c->cx, study, outcome, &front));
    HF_TRY(hf_scratch_print(c->cx, &path, "%s.svg", hf_study_name(study)));
    const char *svg = cli_value_or(c, "svg", path);
    const bool is_drawn = strcmp(svg, "none") != 0;
    HF_TRY(save_plots(c, study, outcome, is_drawn ? svg : NULL));
    HF_TRY(cli_report_put(c, &report, cli_has(c, "all") ? NULL : &front, &style));
    if (is_drawn && !cli_has(c, "quiet")) {
        fprintf(stderr, "holdfast explore: the drawing is %s\n", svg);
    }
    return HF_OK;
}

/* What `study run` has left in a folder: the first table, or the lines beside a front. */
static hf_status read_back(const cli *c, const hf_study *study, const char *ending, hf_study_outcome **outcome) {
    char *path;
    hf_text text;
    HF_TRY(hf_scratch_print(c->cx, &path, "%s/%s.%s", cli_value_or(c, "results", "results"), hf_study_name(study), ending));
    hf_text_init(c->cx, &text);
    hf_status status = hf_text_load(c->cx, path, RESULTS_LIMIT, &text);
    if (status == HF_ENOENT) {
        HF_FAIL(c->cx, HF_ENOENT,
                "\"%s\" is not there; `holdfast study run %s --output-dir FOLDER` makes it, --results names the folder", path,
                hf_study_name(study));
    }
    const char *data = text.data ? text.data : "";
    if (status == HF_OK) {
        status = *outcome ? hf_study_outcome_read_lines(c->cx, study, path, data, text.size, *outcome)
                          : hf_study_outcome_read(c->cx, study, path, data, text.size, outcome);
    }
    hf_text_free(&text);
    return status;
}

static hf_status show_one(const cli *c, const hf_study *study) {
    hf_study_outcome *outcome = NULL;
    hf_status status = read_back(c, study, "csv", &outcome);
    if (status == HF_OK && hf_study_has_front(study) && hf_study_has_lines(study)) {
        status = read_back(c, study, "lines.csv", &outcome);
    }
    status = status == HF_OK ? print_outcome(c, study, outcome) : status;
    hf_study_outcome_free(outcome);
    return status;
}

typedef struct totals {
    size_t differing, not_holding;
} totals;

static hf_status run_one(running *r, const hf_study *study, hf_store *store, totals *sum) {
    const cli *c = r->c;
    uint32_t threads;
    HF_TRY(cli_threads(c, &threads));
    const hf_study_options options = {
        .store = store, .threads = threads, .again = cli_has(c, "again"), .tell = tell, .tell_user = r};
    hf_study_outcome *outcome = NULL;
    hf_status status = hf_study_run(c->cx, study, &options, &outcome);
    cli_meter_end(&r->meter);
    if (status == HF_OK) {
        sum->differing += outcome->differing;
        sum->not_holding += outcome->not_holding;
        status = r->first == 0 ? print_front(c, study, outcome) : print_outcome(c, study, outcome);
    }
    hf_study_outcome_free(outcome);
    return status;
}

/* What belongs to one verb only, and files that hold one answer. */
static hf_status check_options(const cli *c, bool shows) {
    static const char *const of_run[] = {"store", "again", "accept", "threads", "output-dir", "quiet"};
    static const char *const of_one[] = {"output", "csv", "svg", "pgfplots", "pdf", "points"};
    for (size_t i = 0; shows && i < sizeof of_run / sizeof *of_run; i++) {
        if (cli_has(c, of_run[i])) {
            HF_FAIL(c->cx, HF_EINVAL, "--%s goes with study run; study show computes nothing", of_run[i]);
        }
    }
    if (!shows && cli_has(c, "results")) {
        HF_FAIL(c->cx, HF_EINVAL, "--results goes with study show; study run takes --output-dir");
    }
    for (size_t i = 0; c->n_positional > 2 && i < sizeof of_one / sizeof *of_one; i++) {
        if (cli_has(c, of_one[i]) && *cli_value(c, of_one[i])) {
            HF_FAIL(c->cx, HF_EINVAL, "--%s takes what one study gives; %zu are named", of_one[i], c->n_positional - 1);
        }
    }
    return HF_OK;
}

/* All studies are read before the first runs, and what the options want to see is looked for: a mistake costs no time. */
static hf_status open_studies(const cli *c, size_t first, hf_study **study) {
    hf_report_style style;
    hf_report outline;
    HF_TRY(cli_report_style(c, &style)); /* a mistake in an option comes before one in a file */
    for (size_t i = first; i < c->n_positional; i++) {
        HF_TRY(hf_study_open(c->cx, c->positional[i], &study[i]));
    }
    HF_TRY(style_of(c, study[first], &style));
    HF_TRY(hf_study_outcome_report(c->cx, study[first], NULL, &outline));
    return cli_report_check(&outline, &style);
}

static hf_status open_named(const cli *c, bool shows, hf_study **study) {
    if (c->n_positional < 2) {
        HF_FAIL(c->cx, HF_EINVAL, "no study is named; usage: holdfast study %s STUDY...", shows ? "show" : "run");
    }
    HF_TRY(check_options(c, shows));
    return open_studies(c, 1, study);
}

/* The one that is to be explored. */
static hf_status open_front(const cli *c, hf_study **study) {
    HF_TRY(open_studies(c, 0, study));
    if (!hf_study_has_front(study[0])) {
        HF_FAIL(c->cx, HF_EINVAL, "study \"%s\" has no front (docs/explore.md); `holdfast study run` runs it",
                hf_study_name(study[0]));
    }
    return HF_OK;
}

static int show_studies(cli *c) {
    hf_study *study[CLI_POSITIONAL_MAX] = {NULL};
    hf_status status = open_named(c, true, study);
    for (size_t i = 1; i < c->n_positional; i++) {
        const hf_mark mark = hf_scratch_mark(c->cx);
        status = status == HF_OK ? show_one(c, study[i]) : status;
        hf_scratch_reset(c->cx, mark);
        hf_study_free(study[i]);
    }
    return status == HF_OK ? CLI_DONE : cli_fail(c, status);
}

/* \param[in] first of the words: 1 behind `study run`, 0 behind `explore` */
static int run_studies(cli *c, size_t first) {
    hf_study *study[CLI_POSITIONAL_MAX] = {NULL};
    cli_keep keep = {0};
    totals sum = {0, 0};
    running r = {.c = c, .first = first};
    cli_meter_init(&r.meter, cli_has(c, "quiet"), "");
    hf_status status = first == 0 ? open_front(c, study) : open_named(c, false, study);
    status = status == HF_OK ? cli_keep_open(c, &keep) : status;
    cli_catch_signals(c->cx);
    for (size_t i = first; i < c->n_positional && status == HF_OK; i++) {
        const hf_mark mark = hf_scratch_mark(c->cx);
        status = run_one(&r, study[i], keep.store, &sum);
        hf_scratch_reset(c->cx, mark);
    }
    if (status == HF_ESTOP) {
        cli_keep_stopped(c, &keep);
    }
    cli_keep_close(c, &keep);
    for (size_t i = first; i < c->n_positional; i++) {
        hf_study_free(study[i]);
    }
    return cli_exit(c, status, !cli_has(c, "require-reproduced") || sum.differing + sum.not_holding == 0);
}

/* The cells of the studies that are named. */
static hf_status list_cells(const cli *c) {
    hf_text out;
    hf_status status = HF_OK;
    if (cli_has(c, "json")) {
        HF_FAIL(c->cx, HF_EINVAL, "--json goes with study list alone; the cells of a study are listed as text");
    }
    hf_text_init(c->cx, &out);
    for (size_t i = 1; i < c->n_positional && status == HF_OK; i++) {
        hf_study *study;
        status = hf_study_open(c->cx, c->positional[i], &study);
        if (status == HF_OK) {
            hf_study_cells_print(study, &out);
            hf_study_free(study);
        }
    }
    status = status == HF_OK ? cli_put(c, &out) : status;
    hf_text_free(&out);
    return status;
}

static hf_status list_studies(const cli *c) {
    static const char *const known[] = {"json", "output", "quiet", NULL};
    for (size_t i = 0; i < c->n_option; i++) {
        if (c->value[i] && !known[hf_words_find(known, hf_slice_of(c->option[i].name))]) {
            HF_FAIL(c->cx, HF_EINVAL, "--%s goes with study run or show; study list takes --json and --output",
                    c->option[i].name);
        }
    }
    if (c->n_positional > 1) {
        return list_cells(c);
    }
    hf_text out;
    hf_text_init(c->cx, &out);
    hf_json *rows = cli_has(c, "json") ? hf_json_array() : NULL;
    hf_status status = HF_OK;
    for (size_t i = 0; i < hf_study_embedded_count() && status == HF_OK; i++) {
        hf_study *study;
        status = hf_study_open(c->cx, hf_study_embedded_name(i), &study);
        if (status != HF_OK) {
            break;
        }
        hf_text_print(&out, "%-28s %3zu cells  %s\n", hf_study_name(study), hf_study_cell_count(study), hf_study_title(study));
        if (rows) {
            hf_json *o = hf_json_object();
            hf_json_set(o, "name", hf_json_text(hf_study_name(study)));
            hf_json_set(o, "title", hf_json_text(hf_study_title(study)));
            hf_json_set(o, "cells", hf_json_integer((int64_t)hf_study_cell_count(study)));
            hf_json_push(rows, o);
        }
        hf_study_free(study);
    }
    if (status == HF_OK && rows) {
        hf_json *root = cli_json(c);
        hf_json_set(root, "spec", hf_json_object());
        hf_json_set(root, "rows", rows);
        status = cli_put_json(c, root);
    } else if (status == HF_OK) {
        status = cli_put(c, &out);
    }
    hf_text_free(&out);
    return status;
}

static int run(cli *c) {
    static const char *const verbs[] = {"run", "show", "list", NULL};
    size_t verb;
    hf_status status = hf_words_need(c->cx, "study command", verbs, hf_slice_of(c->positional[0]), &verb);
    if (status == HF_OK && verb < 2) {
        return verb == 0 ? run_studies(c, 1) : show_studies(c);
    }
    status = status == HF_OK ? list_studies(c) : status;
    return status == HF_OK ? CLI_DONE : cli_fail(c, status);
}

static const cli_option options[] = {
    CLI_KEEP_OPTIONS(""),
    {"threads", "T", "threads (default: all cores); the result does not depend on it"},
    {"output-dir", "FOLDER", "run: also write NAME.csv and NAME.provenance.txt for each study"},
    {"results", "FOLDER", "show: where NAME.csv is (default results)"},
    {"svg", "FILE", "also draw the curves of the study"},
    {"pgfplots", "FILE", "the same for LaTeX, with its data"},
    {"pdf", "FILE", "the same as PDF; takes pdflatex with pgfplots"},
    {"points", "FILE", "the same as data, in JSON"},
    {"figure", "N", "which of its plots is drawn (default 1)"},
    {"require-reproduced", NULL, "exit with status 1 if a published value differs or a claim does not hold"},
    {"turned", NULL, "turn the table as the study says, in the shape of the published one"},
    CLI_REPORT_OPTIONS,
    {0},
};

const cli_command cli_study = {
    .name = "study",
    .summary = "run studies: published values beside computed ones",
    .usage = "run STUDY... | show STUDY... | list [STUDY...]",
    .about = "A study is a YAML file (docs/studies.md) that lists analyses with the published value of each. The studies of\n"
             "`holdfast study list` are built in and can be named without a path. What the store holds is not computed again.\n"
             "Verdicts: reproduced (equal as printed, or inside the interval), differs, not computable here. show prints what a\n"
             "run has left in a folder, in any format; list STUDY the cells that its grids come to.\n\n"
             "Example: holdfast study run gomez2010-table-3.1 --output-dir results\n"
             "Example: holdfast study show gomez2010-table-3.1 --format latex",
    .positional_min = 1,
    .positional_max = CLI_POSITIONAL_MAX,
    .options = options,
    .run = run,
};

static int explore(cli *c) { return run_studies(c, 0); }

static const cli_option options_of_explore[] = {
    {"all", NULL, "show all designs, not only the front"},
    {"svg", "FILE", "where to draw the front (default NAME.svg), or none"},
    {"pgfplots", "FILE", "the same for LaTeX, with its data"},
    {"pdf", "FILE", "the same as PDF; takes pdflatex with pgfplots"},
    {"points", "FILE", "the same as data, in JSON"},
    {"threads", "T", "threads (default: all cores); the result does not depend on it"},
    CLI_KEEP_OPTIONS(""),
    CLI_REPORT_OPTIONS,
    {0},
};

const cli_command cli_explore = {
    .name = "explore",
    .summary = "explore designs: cost, throughput and tolerance, and the best of them",
    .usage = "FILE [OPTIONS]",
    .about = "The file is a study with a front (docs/explore.md): designs by grids, limits, and what is least or most. Each\n"
             "design is asked what it is worth, as `holdfast design` is. Printed and drawn is the Pareto front: the designs\n"
             "that no other beats; csv and json give all. What the store holds is not computed again.\n\n"
             "Example: holdfast explore studies/examples/explore-1024.yaml",
    .positional_min = 1,
    .positional_max = 1,
    .options = options_of_explore,
    .run = explore,
};
