/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The fewest components whose loss is not tolerated. */
#include <inttypes.h>
#include <string.h>

#include <holdfast/campaign.h>

#include "src/core/print.h"
#include "src/question/campaign.h"
#include "src/question/tables.h"
#include "src/report/tree.h"

enum { LIMIT_S = 600 /* for integer programs */ };

typedef struct weakest_args {
    uint64_t sets_most;
    bool count;
    uint32_t harm;
    hf_harm_kind by;
} weakest_args;

static const hf_column columns[] = {{"fewest", "fewest", NULL, HF_COLUMN_COUNT, 6, 0},
                                    {"figure", "figure", NULL, HF_COLUMN_WORD, 6, 0},
                                    {"tolerated_faults", "tolerated faults", NULL, HF_COLUMN_COUNT, 6, 0},
                                    {"at_least", "at least", NULL, HF_COLUMN_COUNT, 6, 0},
                                    {"at_most", "at most", NULL, HF_COLUMN_COUNT, 6, 0},
                                    {"components", "components", NULL, HF_COLUMN_COUNT, 6, 0},
                                    {"witness", "not tolerated", NULL, HF_COLUMN_NAMES, 6, 0},
                                    {"sets", "such sets", NULL, HF_COLUMN_BIG_COUNT, 6, 0},
                                    {"proof", "proof", NULL, HF_COLUMN_WORD, 6, 0},
                                    {"looked_at", "sets looked at", NULL, HF_COLUMN_BIG_COUNT, 6, 0},
                                    {0}};

static const hf_column columns_of_harm[] = {{"f", "f", NULL, HF_COLUMN_COUNT, 6, 0},
                                            {"by", "harm", NULL, HF_COLUMN_WORD, 6, 0},
                                            {"harm", "done at most", NULL, HF_COLUMN_COUNT, 6, 0},
                                            {"figure", "figure", NULL, HF_COLUMN_WORD, 6, 0},
                                            {"bound", "no set does more than", NULL, HF_COLUMN_COUNT, 6, 0},
                                            {"components", "components", NULL, HF_COLUMN_COUNT, 6, 0},
                                            {"witness", "by", NULL, HF_COLUMN_NAMES, 6, 0},
                                            {"sets", "such sets", NULL, HF_COLUMN_COUNT, 6, 0},
                                            {"looked_at", "sets looked at", NULL, HF_COLUMN_COUNT, 6, 0},
                                            {0}};

typedef struct asking {
    hf_context *cx;
    const hf_asked *asked;
    const hf_scene *scene;
    bool is_harm; /* the sets that do most harm are asked for */
    hf_weakest found;
    hf_report *answer;
} asking;

/* ---- the row ---- */

static hf_status put_sets(const asking *a, bool is_known, const hf_big *n) {
    if (is_known) {
        return hf_asked_big(a->cx, a->answer, n);
    }
    hf_report_cell(a->answer, hf_cell_none());
    return HF_OK;
}

/* Bounds say something where they differ, or there is no set at all. */
static void hide_bounds(const asking *a) {
    if (a->found.is_exact) {
        hf_report_hide(a->answer, "at_least");
        hf_report_hide(a->answer, "at_most");
    }
}

static hf_status put_row(const asking *a) {
    const hf_weakest *w = &a->found;
    const hf_universe *u = a->scene->universe;
    hf_report *out = a->answer;
    char *names = NULL;
    HF_TRY(w->is_possible ? hf_asked_campaign_names(a->cx, u, w->component, w->n, " ", &names) : HF_OK);
    const bool is_number = w->is_exact && w->is_possible;
    hf_report_cell(out, is_number ? hf_cell_count(w->n) : hf_cell_none());
    hf_report_cell(out, hf_cell_word(!w->is_exact ? "bounds" : w->is_possible ? "exact" : "no set is lost"));
    hf_report_cell(out, is_number && w->n > 0 ? hf_cell_count(w->n - 1) : hf_cell_none());
    hf_report_cell(out, w->is_exact && !w->is_possible ? hf_cell_none() : hf_cell_count(w->least));
    hf_report_cell(out, w->is_possible ? hf_cell_count(w->n) : hf_cell_none());
    hf_report_cell(out, hf_cell_count(u->n_component));
    hf_report_cell(out, hf_cell_word(names));
    HF_TRY(put_sets(a, w->is_counted, w->sets));
    hf_report_cell(out, hf_cell_word(w->proof == HF_WEAKEST_NONE ? NULL : hf_weakest_proof_name(w->proof)));
    HF_TRY(put_sets(a, true, w->looked));
    hide_bounds(a);
    return HF_OK;
}

/* Why there are no fewer, in a sentence. */
static const char *why(hf_weakest_proof proof) {
    static const char *const texts[] = {
        [HF_WEAKEST_NONE] = "nothing more is proved: more sets may be looked at (--sets-most)",
        [HF_WEAKEST_CLASSES] = "fewer leave a class of components clean, and a clean class serves every pair",
        [HF_WEAKEST_PATHS] = "no fewer hit all the paths of some pair",
        [HF_WEAKEST_SUPPORTS] = "no fewer hit all supports: sets that serve alone, whatever else fails",
        [HF_WEAKEST_SETS] = "all smaller sets were looked at",
        [HF_WEAKEST_ORBITS] = "all smaller sets were looked at, one for all that symmetries make alike",
        [HF_WEAKEST_PROGRAM] = "flows and integer programs, one for each pair, find no fewer"};
    return texts[proof];
}

static hf_status put_note(const asking *a) {
    const hf_weakest *w = &a->found;
    char *note;
    if (!w->is_exact) {
        HF_TRY(hf_scratch_print(a->cx, &note, "every set of fewer than %" PRIu32 " is tolerated; %s", w->least, why(w->proof)));
    } else if (!w->is_possible) {
        HF_TRY(hf_scratch_print(a->cx, &note, "every set is tolerated: %s", why(w->proof)));
    } else if (w->n == 0) {
        HF_TRY(hf_scratch_print(a->cx, &note, "even without faults the criterion does not hold"));
    } else if (w->n == 1) {
        HF_TRY(hf_scratch_print(a->cx, &note, "not every single fault is tolerated"));
    } else {
        HF_TRY(hf_scratch_print(a->cx, &note, "every set of up to %" PRIu32 " fault%s is tolerated: %s", w->n - 1,
                                hf_plural(w->n - 1), why(w->proof)));
    }
    hf_report_note(a->answer, note);
    return HF_OK;
}

/* ---- the certificate ---- */

static hf_json *tree_of_lists(const hf_weakest_lists *lists) {
    hf_json *all = hf_json_array();
    for (uint32_t i = 0; i < lists->n; i++) {
        hf_json *one = hf_json_array();
        for (uint32_t k = lists->begin[i]; k < lists->begin[i + 1]; k++) {
            hf_json_push(one, hf_json_integer(lists->item[k]));
        }
        hf_json_push(all, one);
    }
    return all;
}

static hf_json *tree_of_spec(const hf_scene *scene) {
    hf_json *o = hf_json_object();
    hf_json_set(o, "topology", hf_json_text(scene->topo->spec));
    hf_json_set(o, "routing", hf_json_text(scene->rule.spec));
    hf_json_set(o, "universe", hf_json_text(scene->universe->spec));
    hf_json_set(o, "criterion", hf_json_text(scene->criterion.spec));
    return o;
}

static hf_json *tree_of_witness(const asking *a) {
    hf_json *names = a->found.is_possible ? hf_json_array() : hf_json_null();
    for (uint32_t i = 0; a->found.is_possible && i < a->found.n; i++) {
        char name[80];
        hf_universe_name(a->scene->universe, a->found.component[i], name, sizeof name);
        hf_json_push(names, hf_json_text(name));
    }
    return names;
}

static hf_json *tree_of_certificate(const asking *a) {
    const hf_weakest *w = &a->found;
    hf_json *o = hf_json_object();
    hf_json_set(o, "witness", tree_of_witness(a));
    hf_json_set(o, "proof", hf_json_text(hf_weakest_proof_name(w->proof)));
    hf_json_set(o, "classes", w->proof == HF_WEAKEST_CLASSES ? hf_asked_classes(w->bound) : hf_json_null());
    hf_json_set(o, "paths", w->proof == HF_WEAKEST_PATHS ? tree_of_lists(&w->path) : hf_json_null());
    hf_json_set(o, "supports", w->proof == HF_WEAKEST_SUPPORTS ? tree_of_lists(&w->support) : hf_json_null());
    return o;
}

/* Nothing where the number is not proved. */
static hf_status print_certificate(const void *user, hf_text *out) {
    const asking *a = user;
    if (!a->found.is_exact) {
        return HF_OK;
    }
    hf_json *root = hf_json_frame(a->answer->label);
    hf_json_set(root, "spec", tree_of_spec(a->scene));
    hf_json_set(root, "certificate", tree_of_certificate(a));
    const hf_status status =
        a->found.proof == HF_WEAKEST_PATHS ? hf_json_print_line(a->cx, root, out) : hf_json_print(a->cx, root, out);
    hf_json_free(root);
    return status;
}

/* ---- the sets that do most harm ---- */

static hf_status put_harm(const asking *a, const hf_harm_request *request, const hf_harm *h) {
    hf_report *out = a->answer;
    char *names = NULL;
    const bool has_set = h->is_known && h->has_set;
    HF_TRY(has_set ? hf_asked_campaign_names(a->cx, request->universe, h->component, request->f, " ", &names) : HF_OK);
    hf_report_cell(out, hf_cell_count(request->f));
    hf_report_cell(out, hf_cell_word(hf_harm_name(request->kind)));
    hf_report_cell(out, has_set || h->is_exact ? hf_cell_count(h->most) : hf_cell_none());
    hf_report_cell(out, hf_cell_word(!h->is_known ? "not measured" : h->is_exact ? "exact" : "at least"));
    hf_report_cell(out, h->is_known && h->bound != HF_UNKNOWN ? hf_cell_count(h->bound) : hf_cell_none());
    hf_report_cell(out, hf_cell_count(request->universe->n_component));
    hf_report_cell(out, hf_cell_word(names));
    hf_report_cell(out, h->is_counted ? hf_cell_count(h->sets) : hf_cell_none());
    hf_report_cell(out, hf_cell_count(h->looked));
    if (h->is_exact) {
        hf_report_hide(out, "bound");
    }
    return HF_OK;
}

/* Where every set of that size is tolerated no pair is lost; else the fewest that are not are a place to start from. */
static hf_status find_harm(asking *a) {
    const weakest_args *args = a->asked->args;
    const hf_weakest *w = &a->found;
    const hf_harm_request request = {.universe = a->scene->universe,
                                     .rule = &a->scene->rule,
                                     .criterion = &a->scene->criterion,
                                     .kind = args->by,
                                     .f = args->harm,
                                     .sets_most = args->sets_most,
                                     .seed = w->component,
                                     .n_seed = w->is_possible ? w->n : 0,
                                     .threads = a->asked->conduct->threads,
                                     .progress = a->asked->conduct->progress,
                                     .progress_user = a->asked->conduct->progress_user};
    hf_harm harm = {.is_known = true, .is_exact = true};
    const bool is_safe =
        args->by == HF_HARM_PAIRS && args->harm >= 1 && args->harm <= a->scene->universe->n_component && args->harm < w->least;
    HF_TRY(is_safe ? HF_OK : hf_harm_find(a->cx, &request, &harm));
    return put_harm(a, &request, &harm);
}

/* ---- the question ---- */

static hf_status find(asking *a) {
    const weakest_args *args = a->asked->args;
    const hf_conduct *conduct = a->asked->conduct;
    const hf_weakest_request request = {.universe = a->scene->universe,
                                        .rule = &a->scene->rule,
                                        .criterion = &a->scene->criterion,
                                        .sets_most = a->is_harm ? 1 : args->sets_most,
                                        .limit_s = LIMIT_S,
                                        .counts = args->count,
                                        .want_paths = hf_asked_wants(a->asked, "certificate"),
                                        .threads = conduct->threads,
                                        .progress = conduct->progress,
                                        .progress_user = conduct->progress_user};
    return hf_weakest_find(a->cx, &request, &a->found);
}

static hf_status answer_all(asking *a) {
    const hf_scene *s = a->scene;
    char *title;
    HF_TRY(hf_scratch_print(a->cx, &title, "%s, %s, criterion %s: %s of %" PRIu32 " %s", s->topo->spec, s->rule.spec,
                            s->criterion.spec, a->is_harm ? "most harm" : "the fewest", s->universe->n_component,
                            s->universe->spec));
    a->answer->title = title;
    HF_TRY(find(a));
    if (a->is_harm) {
        return find_harm(a);
    }
    hf_report_argument(a->answer, "harm", NULL);
    hf_report_argument(a->answer, "by", NULL);
    HF_TRY(put_row(a));
    HF_TRY(put_note(a));
    return hf_asked_attach(a->asked, a->answer, "certificate", a, print_certificate);
}

static hf_status ask(hf_context *cx, const hf_asked *asked, hf_report *answer) {
    asking a = {.cx = cx, .asked = asked, .scene = asked->scene, .is_harm = hf_asked_given(asked, "harm"), .answer = answer};
    if (a.is_harm && hf_asked_wants(asked, "certificate")) {
        HF_FAIL(cx, HF_EINVAL, "--harm writes no certificate; leave --certificate out");
    }
    const hf_status status = answer_all(&a);
    hf_weakest_free(&a.found);
    return status;
}

static const char *const kinds[] = {"pairs", "victims", "lost-paths", NULL};

static const hf_param params[] = {
    {.name = "sets-most",
     .type = HF_PARAM_UINT,
     .fallback = "10000000",
     .low = 1,
     .high = UINT64_C(1) << 40,
     .unit = "sets",
     .help = "sets of one size that are looked at one by one, at most; where that is not enough the answer is two bounds",
     HF_FIELD(weakest_args, sets_most)},
    {.name = "count",
     .type = HF_PARAM_BOOL,
     .fallback = "no",
     .help = "count the sets of that size which are not tolerated, also where it takes a walk over --sets-most sets",
     HF_FIELD(weakest_args, count)},
    {.name = "harm",
     .type = HF_PARAM_UINT,
     .fallback = "1",
     .low = 1,
     .high = UINT32_MAX - 1,
     .unit = "faults",
     .help = "instead, the sets of so many components that do most harm",
     HF_FIELD(weakest_args, harm)},
    {.name = "by",
     .type = HF_PARAM_WORD,
     .fallback = "pairs",
     .unit = "measure",
     .words = kinds,
     .with = "harm",
     .help = "what counts as harm: ordered pairs that are not served, or at risk; victims; lost paths",
     HF_FIELD(weakest_args, by)},
    {0}};
static const hf_group group = {.name = "weakest", .params = params};
static const hf_question_part parts[] = {{.group = &group}, {0}};
static const hf_question_form forms[] = {{"harm", "harm", columns_of_harm}, {0}};
static const hf_param attachments[] = {
    {.name = "certificate",
     .unit = "file",
     .flags = HF_PARAM_OPTIONAL,
     .help = "write the proof to a file (JSON, docs/json.md), which `holdfast-check` confirms"},
    {0}};

const hf_question hf_question_weakest = {
    .name = "weakest",
    .summary = "find the fewest components whose loss is not tolerated, and prove that fewer always are",
    .about =
        "The smallest fault sets that are not tolerated: one of them, how many there are, and why no smaller one is lost. Taken\n"
        "is the first way that decides: classes of components, cuts of the network, all sets of small sizes, hitting sets of\n"
        "what serves alone, integer programs, all sets of larger sizes. docs/weakest.md explains each, and when it is taken.\n\n"
        "Where no way decides, the answer is two bounds. With --certificate the proof goes to a file for `holdfast-check`.\n"
        "With --harm F the answer is instead the set of F components that does most harm, and a bound on what any does.\n\n"
        "Example: holdfast weakest --topology torus:dims=16x16 --routing minimal --universe links --certificate torus.json",
    .source = "Menger's theorem; chandrasekaran2011; gomez2010, section 3.4.2, by classes; chong1992",
    .scene = HF_SCENE_TOPOLOGY | HF_SCENE_ROUTING | HF_SCENE_UNIVERSE | HF_SCENE_CRITERION,
    .forms = forms,
    .threads = true,
    .parts = parts,
    .args_size = sizeof(weakest_args),
    .attachments = attachments,
    .table = "weakest",
    .columns = columns,
    .ask = ask,
};
