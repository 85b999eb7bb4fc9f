/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  How many paths a plan offers, and how many of those without faults are lost. */
#include <holdfast/question.h>

static const hf_column columns[] = {{"pairs", "pairs", NULL, HF_COLUMN_BIG_COUNT, 6, 0},
                                    {"paths", "paths", NULL, HF_COLUMN_BIG_COUNT, 6, 0},
                                    {"paths_a_pair", "paths a pair", NULL, HF_COLUMN_REAL, 6, 0},
                                    {"paths_without_faults", "paths without faults", NULL, HF_COLUMN_BIG_COUNT, 6, 0},
                                    {"lost", "lost", NULL, HF_COLUMN_BIG_COUNT, 6, 0},
                                    {"lost_percent", "lost %", "%", HF_COLUMN_REAL, 6, 0},
                                    {0}};

static hf_status count(hf_context *cx, const hf_plan *plan, hf_u128 *out) {
    hf_big *all;
    HF_TRY(hf_big_new(cx, &all));
    const hf_status status = hf_paths_count(cx, plan, all);
    const bool fits = status != HF_OK || hf_big_get_u128(all, out);
    hf_big_free(all);
    if (!fits) {
        HF_FAIL(cx, HF_ERANGE, "the paths are more than 2^128");
    }
    return status;
}

static hf_status ask(hf_context *cx, const hf_asked *asked, hf_report *out) {
    const hf_scene *scene = asked->scene;
    const hf_u128 pairs = (hf_u128)scene->topo->n_terminal * (scene->topo->n_terminal - 1);
    hf_fault_set none;
    hf_plan before, plan;
    hf_criterion criterion;
    hf_measure measure;
    hf_u128 all, paths;
    char *title;
    HF_TRY(hf_fault_set_parse(cx, scene->topo, NULL, "", &none));
    HF_TRY(hf_plan_make_plain(cx, &scene->rule, &none, &before));
    HF_TRY(hf_plan_make_plain(cx, &scene->rule, &scene->failed, &plan));
    HF_TRY(count(cx, &before, &all));
    HF_TRY(count(cx, &plan, &paths));
    HF_TRY(hf_criterion_init(cx, "all-pairs", &criterion)); /* what is lost does not depend on it */
    HF_TRY(hf_tolerance_measure(cx, &scene->rule, &plan, &criterion, &measure));
    HF_TRY(hf_scratch_print(cx, &title, "%s, %s: paths of all ordered pairs of terminals", scene->topo->spec, scene->rule.spec));
    out->title = title;
    hf_report_cell(out, hf_cell_count(pairs));
    hf_report_cell(out, hf_cell_count(paths));
    hf_report_cell(out, pairs ? hf_cell_real((double)paths / (double)pairs) : hf_cell_none());
    hf_report_cell(out, hf_cell_count(all));
    hf_report_cell(out, measure.has_lost_paths ? hf_cell_count(measure.lost_paths) : hf_cell_none());
    hf_report_cell(out,
                   measure.has_lost_paths && all ? hf_cell_real(100 * (double)measure.lost_paths / (double)all) : hf_cell_none());
    return HF_OK;
}

static const hf_question_part parts[] = {{0}};

const hf_question hf_question_paths = {
    .name = "paths",
    .summary = "count the paths that a routing offers, and those that failures take",
    .about = "Paths from terminal to terminal over all ordered pairs, counted exactly from the routing relation: those that\n"
             "the plan under --failed offers complete and healthy, and those of the plan without faults that it has lost.\n\n"
             "Example: holdfast paths --topology kary-tree:k=4,n=3 --routing updown --failed s0:4-s16:0",
    .source = "gomez2010, table 3.5",
    .scene = HF_SCENE_TOPOLOGY | HF_SCENE_ROUTING | HF_SCENE_FAILED,
    .parts = parts,
    .args_size = 1,
    .table = "paths",
    .columns = columns,
    .ask = ask,
};
