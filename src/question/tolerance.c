/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  How many fault sets of each size are tolerated. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <holdfast/format.h>

#include "src/core/print.h"
#include "src/question/tables.h"
#include "src/question/tolerance.h"

static const hf_column columns[] = {{"f", "f", NULL, HF_COLUMN_COUNT, 6, 0},
                                    {"sets", "sets", NULL, HF_COLUMN_BIG_COUNT, 6, 0},
                                    {"not_tolerated", "not tolerated", NULL, HF_COLUMN_BIG_COUNT, 6, 0},
                                    {"not_tolerated_percent", "%", "%", HF_COLUMN_ESTIMATE, 6, 0},
                                    {"tolerated_percent", "tolerated %", "%", HF_COLUMN_ESTIMATE, 6, HF_COLUMN_JSON},
                                    {"victims_mean", "victims mean", NULL, HF_COLUMN_REAL, 6, 0},
                                    {"victims_max", "victims max", NULL, HF_COLUMN_COUNT, 6, 0},
                                    {"lost_paths_mean", "lost paths mean", NULL, HF_COLUMN_REAL, 8, 0},
                                    {"witness", "lowest not tolerated set", NULL, HF_COLUMN_NAMES, 6, HF_COLUMN_ASKED},
                                    {"exact", "exact", NULL, HF_COLUMN_FLAG, 6, HF_COLUMN_JSON},
                                    {"complete", "complete", NULL, HF_COLUMN_FLAG, 6, HF_COLUMN_JSON},
                                    {"found_by", "found by", NULL, HF_COLUMN_WORD, 6, HF_COLUMN_JSON},
                                    {"population", "population", NULL, HF_COLUMN_WORD, 6, HF_COLUMN_JSON},
                                    {"fraction", "fraction", NULL, HF_COLUMN_REAL, 6, HF_COLUMN_JSON},
                                    {"low", "low", NULL, HF_COLUMN_REAL, 6, HF_COLUMN_JSON},
                                    {"high", "high", NULL, HF_COLUMN_REAL, 6, HF_COLUMN_JSON},
                                    {"interval", "interval", NULL, HF_COLUMN_WORD, 6, HF_COLUMN_JSON},
                                    {"victims_low", "low", NULL, HF_COLUMN_REAL, 6, HF_COLUMN_JSON},
                                    {"victims_high", "high", NULL, HF_COLUMN_REAL, 6, HF_COLUMN_JSON},
                                    {"victims_interval", "interval", NULL, HF_COLUMN_WORD, 6, HF_COLUMN_JSON},
                                    {"victims_sum", "victims", NULL, HF_COLUMN_BIG_COUNT, 6, HF_COLUMN_JSON},
                                    {"lost_paths_sum", "lost paths", NULL, HF_COLUMN_BIG_COUNT, 6, HF_COLUMN_JSON},
                                    {0}};

/* ---- the rows ---- */

/* A part may hold no set of a row: then people are told nothing of it. */
static void put_figures(const tolerance *a, const hf_row *row, const char *names, const char *word) {
    const hf_tally *t = &row->tally;
    const hf_estimate *e = &row->fraction;
    const bool has_sets = t->sets > 0, has_victims = has_sets && row->has_victims;
    hf_report *out = a->answer;
    hf_report_cell(out, hf_cell_count(row->f));
    hf_report_cell(out, hf_cell_count(t->sets));
    hf_report_cell(out, hf_cell_count(t->not_tolerated));
    hf_report_cell(out,
                   has_sets ? hf_cell_estimate(100 * e->value, 100 * e->low, 100 * e->high, e->method, word) : hf_cell_none());
    hf_report_cell(out, has_sets
                            ? hf_cell_estimate(100 * (1 - e->value), 100 * (1 - e->high), 100 * (1 - e->low), e->method, word)
                            : hf_cell_none());
    hf_report_cell(out, has_victims ? hf_cell_real(row->victims_mean) : hf_cell_none());
    hf_report_cell(out, has_victims ? hf_cell_count(t->victims_max) : hf_cell_none());
    hf_report_cell(out, has_sets && row->has_lost_paths ? hf_cell_real(row->lost_paths_mean) : hf_cell_none());
    hf_report_cell(out, t->has_witness ? hf_cell_word(names) : hf_cell_none());
}

/* The interval of their mean. */
static void put_victims(const tolerance *a, const hf_row *row) {
    hf_report *out = a->answer;
    const bool is_there = row->has_victims && row->tally.sets > 0;
    const hf_mean_estimate e =
        is_there ? hf_row_victims(row, a->scene->topo, 0.95) : (hf_mean_estimate){NAN, NAN, NAN, HF_INTERVAL_EXACT};
    hf_report_cell(out, hf_cell_real(e.low));
    hf_report_cell(out, hf_cell_real(e.high));
    hf_report_cell(out, hf_cell_word(is_there ? hf_interval_method_name(e.method) : NULL));
}

static void put_for_json(const tolerance *a, const hf_row *row) {
    const hf_tally *t = &row->tally;
    hf_report *out = a->answer;
    hf_report_cell(out, hf_cell_flag(row->is_exact));
    hf_report_cell(out, hf_cell_flag(row->is_complete));
    hf_report_cell(out, hf_cell_word(hf_method_name(row->method)));
    hf_report_cell(out, hf_cell_word(row->population));
    hf_report_cell(out, hf_cell_real(row->fraction.value));
    hf_report_cell(out, hf_cell_real(row->fraction.low));
    hf_report_cell(out, hf_cell_real(row->fraction.high));
    hf_report_cell(out, hf_cell_word(hf_interval_method_name(row->fraction.method)));
    put_victims(a, row);
    hf_report_cell(out, row->has_victims ? hf_cell_count(t->victims_sum) : hf_cell_none());
    hf_report_cell(out, row->has_lost_paths ? hf_cell_count(t->lost_paths_sum) : hf_cell_none());
}

/* A rule that excludes nothing of what is healthy says nothing by having no victims. */
static void hide_victims(const tolerance *a) {
    if (hf_rule_traits(&a->scene->rule) & (HF_ROUTING_BLIND | HF_ROUTING_ALL_MINIMAL | HF_ROUTING_SHORTEST)) {
        hf_report_hide(a->answer, "victims_mean");
        hf_report_hide(a->answer, "victims_max");
    }
}

/* Does each component fail a switch with terminals? */
static bool takes_terminals(const hf_universe *universe) {
    const hf_topology *topo = universe->topo;
    for (uint32_t c = 0; c < universe->n_component; c++) {
        bool any = false;
        for (uint32_t i = universe->switch_begin[c]; i < universe->switch_begin[c + 1]; i++) {
            const uint32_t sw = universe->switch_list[i];
            for (uint32_t k = topo->out_begin[sw]; k < topo->out_begin[sw + 1] && !any; k++) {
                any = topo->to[topo->out_list[k]] >= topo->n_switch;
            }
        }
        if (!any) {
            return false;
        }
    }
    return true;
}

/* Where no set is tolerated because it takes terminals along: who asks may have meant the others. */
static bool loses_own_terminals(const tolerance *a) {
    const hf_criterion *criterion = a->run.campaign.criterion;
    bool any = false;
    for (size_t i = 0; i < a->run.result->n_row; i++) {
        const hf_tally *t = &a->run.result->row[i].tally;
        const bool counts = a->run.result->row[i].f > 0 && t->sets > 0;
        if (counts && t->not_tolerated < t->sets) {
            return false;
        }
        any |= counts;
    }
    return any && criterion->flags == 0 && takes_terminals(a->scene->universe);
}

static hf_status add_rows(const tolerance *a) {
    const hf_result *result = a->run.result;
    char *note = NULL;
    hide_victims(a);
    if (hf_measures_are_there(result)) {
        HF_TRY(hf_measures_columns(&a->measured, a->answer));
    }
    for (size_t i = 0; i < result->n_row; i++) {
        const hf_row *row = &result->row[i];
        char *names, *word;
        HF_TRY(hf_asked_campaign_names(a->cx, a->scene->universe, row->tally.witness, row->tally.has_witness ? row->f : 0, " ",
                                       &names));
        HF_TRY(hf_asked_campaign_word(a->cx, &a->run.campaign, row, &word));
        put_figures(a, row, names, word);
        put_for_json(a, row);
        if (hf_measures_are_there(result)) {
            hf_measures_cells(&a->measured, row, a->answer);
        }
    }
    const hf_campaign *c = &a->run.campaign;
    if (c->method == HF_METHOD_SAMPLED) {
        HF_TRY(hf_asked_note(a->cx, &note,
                             "Sampled: %" PRIu64 " set%s a row, seed %" PRIu64 "%s%s"
                             "; rows marked exact have no more sets than that. Intervals: %s; "
                             "Clopper-Pearson where fewer than 30 sets are on one side.",
                             c->samples, hf_plural(c->samples), c->seed, c->strata ? ", stratified by " : "",
                             c->strata ? c->strata->by : "", c->strata ? "Korn and Graubard" : "Wilson"));
    }
    if (loses_own_terminals(a)) {
        HF_TRY(hf_asked_note(a->cx, &note, "Where terminals of failed switches should not count: --criterion surviving."));
    }
    if (a->requires && a->run.campaign.n_part > 1) {
        HF_TRY(hf_asked_note(a->cx, &note, "The status answers for part %" PRIu32 " of %" PRIu32 " alone.", a->run.campaign.part,
                             a->run.campaign.n_part));
    }
    hf_report_note(a->answer, note);
    return HF_OK;
}

/* How many sets have from so many to just below the next power of two victims. */
static void add_histogram(const tolerance *a) {
    static const hf_column of_bins[] = {{"f", "f", NULL, HF_COLUMN_COUNT, 6, 0},
                                        {"from", "victims from", NULL, HF_COLUMN_BIG_COUNT, 6, 0},
                                        {"sets", "sets", NULL, HF_COLUMN_BIG_COUNT, 6, 0}};
    hf_report_table_begin(a->answer, "victims_histogram", of_bins, 3);
    hf_report_nest(a->answer);
    for (size_t i = 0; i < a->run.result->n_row; i++) {
        const hf_row *row = &a->run.result->row[i];
        for (unsigned bin = 0; row->has_victims && bin < HF_HISTOGRAM_BINS; bin++) {
            if (row->tally.victims_histogram[bin]) {
                hf_report_cell(a->answer, hf_cell_count(row->f));
                hf_report_cell(a->answer, hf_cell_count(bin ? (hf_u128)1 << (bin - 1) : 0));
                hf_report_cell(a->answer, hf_cell_count(row->tally.victims_histogram[bin]));
            }
        }
    }
}

/* ---- witnesses ---- */

/* A line a row: in the file names for `holdfast show --failed`, below the table the command, where one can name the rule. */
static hf_status add_witness(const tolerance *a, const hf_row *row, hf_text *file, hf_text *below) {
    const char *topology = a->scene->topo->spec, *routing = a->scene->rule.spec, *universe = a->scene->universe->spec;
    char *names;
    if (!row->tally.has_witness) {
        return HF_OK;
    }
    HF_TRY(hf_asked_campaign_names(a->cx, a->scene->universe, row->tally.witness, row->f, ",", &names));
    hf_text_print(file, "# f=%" PRIu32 ", %s, %s, %s\n%s\n", row->f, topology, routing, universe, names);
    if (!a->scene->rule.routing->is_of_program) {
        const char *const value[] = {topology, routing, universe, names}, *const option[] = {"topology", "routing", "universe",
                                                                                             "failed"};
        hf_text_print(below, "holdfast show");
        for (size_t i = 0; i < sizeof value / sizeof *value; i++) {
            hf_text_print(below, " --%s ", option[i]);
            hf_text_shell(below, value[i]);
        }
        hf_text_print(below, "\n");
    }
    return HF_OK;
}

static hf_status add_witnesses(const tolerance *a) {
    hf_text file, below;
    hf_status status = HF_OK;
    hf_text_init(a->cx, &file);
    hf_text_init(a->cx, &below);
    for (size_t i = 0; i < a->run.result->n_row && status == HF_OK; i++) {
        status = add_witness(a, &a->run.result->row[i], &file, &below);
    }
    if (file.size == 0) {
        hf_text_print(&file, "# every set was tolerated\n");
    }
    status = status == HF_OK ? hf_text_check(a->cx, &file) : status;
    status = status == HF_OK ? hf_text_check(a->cx, &below) : status;
    if (status == HF_OK) {
        hf_report_attach(a->answer, "witness", file.data);
        hf_report_remark(a->answer, below.size ? below.data : NULL);
    }
    hf_text_free(&file);
    hf_text_free(&below);
    return status;
}

/* ---- the plot ---- */

static const hf_cell *cell_of(const hf_report_table *t, size_t row, const char *key) {
    const hf_column *column = hf_column_find(t->column, t->n_column, key, strlen(key));
    return &t->cell[row * t->n_column + (size_t)(column - t->column)];
}

/* The share of tolerated sets against their size, a bar where it is an estimate. */
static hf_status draw(const tolerance *a, const hf_asked *asked) {
    const hf_report_table *t = &a->answer->table[0];
    const size_t n = t->n_cell / t->n_column;
    hf_plot_point *point;
    if (!hf_asked_wants(asked, "svg") && !hf_asked_wants(asked, "pgfplots")) {
        return HF_OK;
    }
    HF_TRY(hf_scratch(a->cx, n + 1, sizeof *point, (void **)&point));
    for (size_t i = 0; i < n; i++) {
        const hf_cell *y = cell_of(t, i, "tolerated_percent");
        point[i] = (hf_plot_point){
            .x = (double)cell_of(t, i, "f")->count, .y = y->is_known ? y->value : NAN, .low = y->low, .high = y->high};
    }
    const hf_plot_series series = {.point = point, .n_point = n, .is_joined = true};
    const hf_plot plot = {.title = a->answer->title,
                          .x = {.label = "failed components f", .has_zero = true},
                          .y = {.label = "tolerated sets of f (%)", .has_zero = true},
                          .series = &series,
                          .n_series = 1};
    return hf_asked_attach_plot(asked, a->answer, &plot);
}

/* ---- the question ---- */

/* What asks for sets that are looked at. */
static bool asks_walk(const hf_asked *asked) {
    static const char *const of_walks[] = {"part", "order", "judge"};
    bool any = hf_asked_wants(asked, "witness");
    for (size_t i = 0; i < sizeof of_walks / sizeof *of_walks; i++) {
        any = any || hf_asked_given(asked, of_walks[i]);
    }
    return any;
}

static hf_status answer_rows(tolerance *a, const hf_asked *asked) {
    const tolerance_args *args = asked->args;
    const hf_scene *scene = a->scene;
    char *title;
    a->requires = args->require;
    HF_TRY(hf_asked_campaign_init(a->cx, asked, &args->campaign, a->answer, &a->run));
    a->run.campaign.criterion = &scene->criterion;
    HF_TRY(hf_scratch_print(a->cx, &title, "%s, %s, faults among %" PRIu32 " %s, criterion %s%s%s", scene->topo->spec,
                            scene->rule.spec, scene->universe->n_component, scene->universe->spec, scene->criterion.spec,
                            args->campaign.part ? ", part " : "", args->campaign.part ? args->campaign.part : ""));
    a->answer->title = title;
    if (args->memory_gib > 0 && args->campaign.method != HF_METHOD_COUNTED && args->campaign.method != HF_METHOD_AUTO) {
        HF_FAIL(a->cx, HF_EINVAL, "--memory goes with --method counted");
    }
    if (a->run.is_auto) {
        HF_TRY(hf_asked_campaign_choose(a->cx, asked, asks_walk(asked), hf_tolerance_memory(asked), &a->run, &a->choice));
    }
    const hf_method method = a->run.campaign.method;
    if (method == HF_METHOD_COUNTED || method == HF_METHOD_ORBITS) {
        return hf_tolerance_counted(a, asked);
    }
    if (method == HF_METHOD_SPECTRUM) {
        return hf_tolerance_spectrum(a, asked);
    }
    HF_TRY(hf_asked_campaign_run(a->cx, asked, &a->run));
    HF_TRY(add_rows(a));
    add_histogram(a);
    HF_TRY(a->run.campaign.strata ? hf_tolerance_strata(a) : HF_OK);
    if (hf_measures_are_there(a->run.result)) {
        HF_TRY(hf_measures_tables(&a->measured, a->run.result, a->answer));
    }
    for (size_t i = 0; i < a->run.result->n_row; i++) {
        const bool is_tolerated = a->run.result->row[i].tally.not_tolerated == 0;
        a->answer->answer = args->require && !is_tolerated ? HF_ANSWER_NO : a->answer->answer;
    }
    return add_witnesses(a);
}

static hf_status answer_all(tolerance *a, const hf_asked *asked) {
    HF_TRY(answer_rows(a, asked));
    HF_TRY(hf_asked_campaign_explain(a->cx, &a->run));
    const char *probability = ((const tolerance_args *)asked->args)->probability;
    HF_TRY(probability ? hf_tolerance_unreliability(a, probability) : HF_OK);
    return draw(a, asked);
}

static hf_status ask(hf_context *cx, const hf_asked *asked, hf_report *answer) {
    tolerance a = {.cx = cx, .scene = asked->scene, .measured = {&asked->scene->rule, asked->scene->topo}, .answer = answer};
    const hf_status status = answer_all(&a, asked);
    hf_counted_free(a.choice.counted);
    hf_asked_campaign_free(&a.run);
    return status;
}

static const hf_param params[] = {
    {.name = "require-tolerated",
     .type = HF_PARAM_BOOL,
     .fallback = "no",
     .help = "exit with status 1 if any set is not tolerated",
     HF_FIELD(tolerance_args, require)},
    {.name = "memory",
     .type = HF_PARAM_REAL,
     .flags = HF_PARAM_OPTIONAL | HF_PARAM_ABOVE,
     .high = 1000000,
     .unit = "GiB",
     .help = "what counting may take; else half of what this machine has, and less unless --method counted asks for it",
     HF_FIELD(tolerance_args, memory_gib)},
    {.name = "probability",
     .type = HF_PARAM_TEXT,
     .flags = HF_PARAM_OPTIONAL,
     .unit = "list",
     .help = "also the unreliability where every component fails with that probability, such as 0.01,1e-6",
     HF_FIELD(tolerance_args, probability)},
    {0}};
static const hf_group group = {.name = "tolerance", .params = params};
static const hf_question_part parts[] = {
    {.group = &hf_campaign_group, .at = offsetof(tolerance_args, campaign)}, {.group = &group}, {0}};
static const hf_param attachments[] = {
    {.name = "witness",
     .unit = "file",
     .bare = "",
     .help = "also show the lowest not tolerated set of each row, and the command that shows it drawn"},
    {.name = "svg", .unit = "file", .help = "also draw the share of tolerated sets against f"},
    {.name = "pgfplots", .unit = "file", .help = "the same for LaTeX"},
    {0}};
static const char *const tables[] = {"victims_histogram", "classes", "measures", "unreliability", NULL};

const hf_question hf_question_tolerance = {
    .name = "tolerance",
    .summary = "count the fault sets of each size that are tolerated",
    .about = "For every number of faults f: the fault sets looked at, how many are not tolerated, the exact percentage\n"
             "or an estimate with its 95% interval (Wilson; Clopper-Pearson where fewer than 30 are on one side), victims\n"
             "(destinations that an up port excludes although it could reach them), lost paths, and the first set that is\n"
             "not tolerated. Finished work is kept in the store: a run that was stopped goes on where it was.\n\n"
             "Example: holdfast tolerance --topology kary-tree:k=2,n=3 --routing ft2ei:intervals=1 --faults 0..4",
    .knows_flows = true,
    .scene = HF_SCENE_TOPOLOGY | HF_SCENE_ROUTING | HF_SCENE_UNIVERSE | HF_SCENE_CRITERION,
    .parts = parts,
    .args_size = sizeof(tolerance_args),
    .table = "sets",
    .columns = columns,
    .tables = tables,
    .attachments = attachments,
    .walks = true,
    .ask = ask,
};
