/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Survival, time to failure, availability and loss of terminals from tallies and failure rates. */
#include <holdfast/analysis/reliability.h>
#include <holdfast/format.h>

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "src/core/hash.h"
#include "src/question/campaign.h"
#include "src/question/rates.h"
#include "src/question/tables.h"

enum { TALLY_LIMIT = 16 << 20 };

typedef struct reliability_args {
    hf_campaign_params campaign;
    const char *tally, *rate, *repair, *times;
    uint32_t crews; /* 0: all */
    bool terminals;
} reliability_args;

typedef struct asking {
    hf_context *cx;
    const hf_asked *asked;
    const reliability_args *args;
    const hf_scene *scene;
    const char *topology, *routing, *universe, *criterion; /* canonical */
    hf_asked_campaign run;
    hf_tally_file tally; /* instead of a campaign; n_row 0: none */
    hf_text file;        /* its bytes */
    hf_rated rated;
    bool is_composed; /* the campaign tells compositions or loss */
    bool is_monotone;
    uint32_t n_terminal; /* that can be lost; 0: nobody asked */
    size_t n_sampled;
    double *hours; /* n_time; in the arena */
    size_t n_time;
    hf_reliability_state *at; /* n_time */
    uint32_t f_known;         /* largest number of faults of which every set was counted, with a campaign */
    bool is_walked;           /* ways to sets of up to f_walked failures were counted one by one */
    uint32_t f_walked;
    hf_bounded mttf, integral;   /* hours to the first set that is not tolerated, and in tolerated sets */
    hf_reliability_state steady; /* with repair */
    hf_report *answer;
} asking;

/* What was asked for, or eleven from 0 to twice the mean time to failure. */
static hf_status find_times(asking *a) {
    const double end = isfinite(a->mttf.value) && a->mttf.value > 0 ? a->mttf.value : a->mttf.low;
    return hf_rates_times(a->cx, a->args->times, end, &a->hours, &a->n_time);
}

/* ---- where the shares of sets come from ---- */

/* By the name of the universe, as a tally holds no more. */
static bool may_fail_switches(const char *universe) {
    return strstr(universe, "switches") || strstr(universe, "chips") || strstr(universe, "groups");
}

/* What a rule claims with the arguments that stand behind its name. */
static unsigned claimed(const asking *a, const hf_routing *routing) {
    const char *text = a->routing + strlen(routing->name);
    hf_args args;
    const bool has_args =
        routing->claims && hf_args_parse(a->cx, "routing", routing->name, routing->params, text + (*text == ':'), &args) == HF_OK;
    return hf_routing_claims(routing, NULL, has_args ? &args : NULL);
}

/* Without the routing's file at hand nothing is claimed. */
static void find_monotone(asking *a) {
    hf_criterion criterion;
    if (hf_criterion_init(a->cx, a->tally.criterion, &criterion) != HF_OK) {
        return;
    }
    for (size_t i = 0; i < hf_routing_count(); i++) {
        const hf_routing *routing = hf_routing_at(i);
        const size_t size = strlen(routing->name);
        if (strncmp(routing->name, a->routing, size) == 0 && (a->routing[size] == ':' || !a->routing[size])) {
            a->is_monotone = hf_reliability_is_monotone(claimed(a, routing), &criterion, may_fail_switches(a->universe));
        }
    }
}

static hf_status rows_of_tally(asking *a, hf_reliability_row **row, size_t *n) {
    const hf_tally_file *t = &a->tally;
    find_monotone(a);
    for (size_t i = 0; i < t->n_row; i++) {
        a->n_sampled += !t->row[i].is_exact;
    }
    HF_TRY(hf_scratch(a->cx, t->n_row, sizeof **row, (void **)row));
    for (size_t i = 0; i < t->n_row; i++) {
        (*row)[i] = hf_reliability_row_of(&t->row[i], hf_reliability_confidence(a->n_sampled));
    }
    *n = t->n_row;
    return HF_OK;
}

static hf_status judge(hf_context *cx, void *user, const hf_universe *universe, const hf_rule *rule, hf_judge **out) {
    const asking *a = user;
    return hf_reliability_judge_new(cx, universe, rule, &a->scene->criterion, a->rated.class_of, a->rated.n_class,
                                    a->args->terminals, out);
}

/* Only as many compositions as a tally can tell apart. */
static hf_status check_compositions(const asking *a) {
    const hf_campaign *campaign = &a->run.campaign;
    uint32_t failed[HF_RELIABILITY_CLASSES];
    if (a->rated.n_class > 1 && campaign->method == HF_METHOD_SAMPLED) {
        HF_FAIL(a->cx, HF_EINVAL, "components with different rates or repairs need all sets of a size, not --method sampled");
    }
    for (size_t i = 0; i < campaign->n_f; i++) {
        if (a->rated.n_class > 1 && hf_reliability_composition(campaign->f[i], a->rated.n_class, HF_EXTRAS, failed)) {
            HF_FAIL(a->cx, HF_ERANGE,
                    "%" PRIu32 " faults among components of %zu rates have more than %d compositions; need fewer faults, "
                    "or one rate for all",
                    campaign->f[i], a->rated.n_class, HF_EXTRAS);
        }
    }
    return HF_OK;
}

/* Names the classes by their components: with the same classes the same work serves all rates. */
static hf_status make_key(const asking *a, const char **out) {
    uint64_t hash = HF_HASH_START;
    char *key;
    for (uint32_t i = 0; i < a->scene->universe->n_component; i++) {
        hash = hf_hash_number(hash, a->rated.class_of[i], sizeof a->rated.class_of[i]);
    }
    HF_TRY(hf_scratch_print(a->cx, &key, "reliability:%s,%zu#%016" PRIx64 "%s", a->criterion, a->rated.n_class, hash,
                            a->args->terminals ? ",terminals" : ""));
    *out = key;
    return HF_OK;
}

/* The plain campaign where it is enough: what `tolerance` has kept serves too. */
static hf_status run_campaign(asking *a, hf_inquiry *inquiry) {
    const hf_scene *scene = a->scene;
    const hf_universe *u = scene->universe;
    hf_campaign *campaign = &a->run.campaign;
    HF_TRY(hf_asked_campaign_init(a->cx, a->asked, &a->args->campaign, a->answer, &a->run));
    a->is_composed = a->rated.n_class > 1 || a->args->terminals;
    a->run.is_auto = a->run.is_auto && a->rated.n_class == 1; /* classes need all sets */
    a->is_monotone =
        hf_reliability_is_monotone(hf_rule_traits(&scene->rule), &scene->criterion, u->switch_begin[u->n_component] > 0);
    if (a->is_composed) {
        HF_TRY(make_key(a, &inquiry->key));
        campaign->inquiry = inquiry;
    } else {
        campaign->criterion = &scene->criterion;
        campaign->verdicts = true;
    }
    HF_TRY(hf_campaign_check(a->cx, campaign));
    HF_TRY(check_compositions(a));
    return hf_asked_campaign_run(a->cx, a->asked, &a->run);
}

static hf_status rows_of_campaign(asking *a, hf_reliability_row **row, size_t *n) {
    hf_inquiry inquiry = {.user = a, .judge = judge};
    HF_TRY(run_campaign(a, &inquiry));
    const hf_result *result = a->run.result;
    if (a->run.campaign.n_part > 1) {
        return HF_OK;
    }
    for (size_t i = 0; i < result->n_row; i++) {
        a->n_sampled += !result->row[i].is_exact;
        a->f_known = result->row[i].is_exact ? result->row[i].f : a->f_known;
    }
    return hf_result_reliability(a->cx, result, a->rated.class, a->rated.n_class, a->is_composed, a->n_terminal, row, n);
}

/* ---- figures ---- */

/* The ways to the sets that the campaign counted, where the shares of the sets leave the time to failure open. */
static hf_status walk(asking *a, hf_reliability *model) {
    const hf_reliability_sets sets = {
        .universe = a->scene->universe,
        .rule = &a->scene->rule,
        .criterion = &a->scene->criterion,
        .class_of = a->rated.class_of,
        .threads = a->run.campaign.threads,
        .progress = a->run.campaign.progress,
        .progress_user = a->run.campaign.progress_user,
    };
    HF_TRY(hf_reliability_walk(a->cx, model, &sets, a->f_known, &a->f_walked));
    a->is_walked = true;
    return hf_reliability_mttf(a->cx, model, &a->mttf);
}

static hf_status evaluate(asking *a, hf_reliability *model) {
    HF_TRY(hf_reliability_integral(a->cx, model, &a->integral));
    HF_TRY(hf_reliability_mttf(a->cx, model, &a->mttf));
    if (a->scene->topo && !a->is_monotone && !hf_bounded_is_one(&a->mttf)) {
        HF_TRY(walk(a, model));
    }
    HF_TRY(find_times(a));
    HF_TRY(hf_scratch(a->cx, a->n_time, sizeof *a->at, (void **)&a->at));
    for (size_t i = 0; i < a->n_time; i++) {
        HF_TRY(hf_reliability_at(a->cx, model, a->hours[i], &a->at[i]));
    }
    return a->args->repair ? hf_reliability_steady(a->cx, model, &a->steady) : HF_OK;
}

/* ---- the answer ---- */

#define STATE(good, good_heading, bad, bad_heading)                                                                              \
    {good, good_heading, NULL, HF_COLUMN_RANGE, 9, 0}, {bad, bad_heading, NULL, HF_COLUMN_RANGE, 5, 0},                          \
        {"failed_components", "failed components", NULL, HF_COLUMN_REAL, 6, 0},                                                  \
        {"lost_terminals", "lost terminals", NULL, HF_COLUMN_RANGE, 9, 0}, {                                                     \
        "covered", "covered", NULL, HF_COLUMN_REAL, 8, 0                                                                         \
    }
static const hf_column columns[] = {{"hours", "hours", "h", HF_COLUMN_REAL, 6, 0},
                                    STATE("reliability", "R", "failure", "1-R"),
                                    {"figures", "figures", NULL, HF_COLUMN_WORD, 6, 0},
                                    {0}};
static const hf_column of_steady[] = {STATE("availability", "availability", "unavailability", "unavailability")};
static const hf_column of_totals[] = {{"mttf_hours", "MTTF (h)", "h", HF_COLUMN_RANGE, 9, 0},
                                      {"mttf_infinite", "infinite", NULL, HF_COLUMN_FLAG, 6, HF_COLUMN_ASKED},
                                      {"mttf_by", "by", NULL, HF_COLUMN_WORD, 6, 0},
                                      {"ways_to", "ways to", NULL, HF_COLUMN_COUNT, 6, 0},
                                      {"integral_hours", "integral of R (h)", "h", HF_COLUMN_RANGE, 9, 0},
                                      {"integral_infinite", "infinite", NULL, HF_COLUMN_FLAG, 6, HF_COLUMN_ASKED},
                                      {"monotone", "monotone", NULL, HF_COLUMN_FLAG, 6, 0},
                                      {"sampled_rows", "sampled rows", NULL, HF_COLUMN_COUNT, 6, 0}};
static const hf_column of_classes[] = {{"components", "components", NULL, HF_COLUMN_COUNT, 6, 0},
                                       {"failures_per_hour", "failures per hour", "1/h", HF_COLUMN_REAL, 6, 0},
                                       {"repair_hours", "repair (h)", "h", HF_COLUMN_REAL, 6, 0},
                                       {"crews", "crews", NULL, HF_COLUMN_COUNT, 6, 0}};

static void put_range(hf_report *out, hf_bounded b) { hf_report_cell(out, hf_cell_range(b.low, b.value, b.high)); }

static void put_state(const asking *a, const hf_reliability_state *s) {
    put_range(a->answer, s->good);
    put_range(a->answer, s->bad);
    hf_report_cell(a->answer, hf_cell_real(s->failed));
    hf_report_cell(a->answer, a->n_terminal ? hf_cell_range(s->lost.low, s->lost.value, s->lost.high) : hf_cell_none());
    hf_report_cell(a->answer, hf_cell_real(s->covered));
}

static const char *note_of(const asking *a) {
    static const char bounds[] =
        "Numbers of faults that were not counted are bounded; covered: probability that the number was counted.";
    static const char sampled[] =
        "Sampled rows carry intervals that hold together with 95%; numbers of faults that were not counted are "
        "bounded.";
    static const char point[] =
        "A set may be tolerated again when more fails, as nothing claims that it may not: R is that of the set failed "
        "at that time, and tells nothing of the way to it.";
    return !a->is_monotone ? point : a->n_sampled ? sampled : bounds;
}

static void add_rows(const asking *a) {
    for (size_t i = 0; i < a->n_time; i++) {
        hf_report_cell(a->answer, hf_cell_real(a->hours[i]));
        put_state(a, &a->at[i]);
        hf_report_cell(a->answer, hf_cell_word(hf_reliability_is_one(&a->at[i]) ? "exact" : a->n_sampled ? "95%" : "bounds"));
    }
    hf_report_note(a->answer, note_of(a));
}

static void add_totals(const asking *a) {
    hf_report *out = a->answer;
    hf_report_table_begin(out, "totals", of_totals, sizeof of_totals / sizeof *of_totals);
    hf_report_place(out, NULL, true);
    hf_report_note(out, "MTTF: mean time to the first set that is not tolerated. Integral of R: mean time in tolerated sets. "
                        "Both are without repair.");
    put_range(out, a->mttf);
    hf_report_cell(out, hf_cell_flag(isinf(a->mttf.low)));
    hf_report_cell(out, hf_cell_word(a->is_monotone ? "monotone" : a->is_walked ? "ways" : "shares"));
    hf_report_cell(out, a->is_walked ? hf_cell_count(a->f_walked) : hf_cell_none());
    put_range(out, a->integral);
    hf_report_cell(out, hf_cell_flag(isinf(a->integral.low)));
    hf_report_cell(out, hf_cell_flag(a->is_monotone));
    hf_report_cell(out, hf_cell_count(a->n_sampled));
    hf_report_table_begin(out, "steady", of_steady, sizeof of_steady / sizeof *of_steady);
    hf_report_place(out, "totals", true);
    if (a->args->repair) {
        hf_report_note(out, "In the long run, with repair.");
        put_state(a, &a->steady);
    }
}

static void add_classes(const asking *a) {
    hf_report_table_begin(a->answer, "classes", of_classes, sizeof of_classes / sizeof *of_classes);
    hf_report_place(a->answer, "spec", false);
    for (size_t i = 0; i < a->rated.n_class; i++) {
        const hf_reliability_class *class = &a->rated.class[i];
        hf_report_cell(a->answer, hf_cell_count(class->n_component));
        hf_report_cell(a->answer, hf_cell_real(class->rate));
        hf_report_cell(a->answer, a->args->repair ? hf_cell_real(class->mttr_h) : hf_cell_none());
        hf_report_cell(a->answer, class->crews ? hf_cell_count(class->crews) : hf_cell_none());
    }
}

static hf_status draw(const asking *a) {
    hf_plot_point *low, *high;
    char *title;
    bool is_exact = true;
    HF_TRY(hf_scratch(a->cx, a->n_time, sizeof *low, (void **)&low));
    HF_TRY(hf_scratch(a->cx, a->n_time, sizeof *high, (void **)&high));
    HF_TRY(hf_scratch_print(a->cx, &title, "Reliability of %s, %s, faults among %s", a->topology, a->routing, a->universe));
    for (size_t i = 0; i < a->n_time; i++) {
        low[i] = (hf_plot_point){.x = a->hours[i], .y = a->at[i].good.low};
        high[i] = (hf_plot_point){.x = a->hours[i], .y = a->at[i].good.high};
        is_exact &= hf_reliability_is_one(&a->at[i]);
    }
    const hf_plot_series series[] = {
        {.name = is_exact ? NULL : "at least", .point = low, .n_point = a->n_time, .is_joined = true},
        {.name = "at most", .point = high, .n_point = a->n_time, .is_joined = true}};
    const hf_plot plot = {.title = title,
                          .x = {.label = "time without repair (hours)", .has_zero = true},
                          .y = {.label = "R, probability that the failed set is tolerated"},
                          .series = series,
                          .n_series = is_exact ? 1 : 2};
    return hf_asked_attach_plot(a->asked, a->answer, &plot);
}

/* ---- the question ---- */

static hf_status open_tally(asking *a) {
    const char *path = a->args->tally;
    if (a->args->terminals) {
        HF_FAIL(a->cx, HF_EINVAL, "--tally gives the tally and --terminals belongs to a campaign; give one of them");
    }
    HF_TRY(hf_text_load(a->cx, path, TALLY_LIMIT, &a->file));
    HF_TRY(hf_tally_parse(a->cx, path, a->file.data ? a->file.data : "", a->file.size, &a->tally));
    a->topology = a->tally.topology;
    a->routing = a->tally.routing;
    a->universe = a->tally.universe;
    a->criterion = a->tally.criterion;
    a->rated = (hf_rated){.spec = a->universe, .n_component = a->tally.n_component};
    return HF_OK;
}

static hf_status open_either(asking *a) {
    const hf_scene *scene = a->scene;
    if (a->args->crews && !a->args->repair) {
        HF_FAIL(a->cx, HF_EINVAL, "--crews goes with --mttr");
    }
    if (a->args->tally) {
        return open_tally(a);
    }
    a->topology = scene->topo->spec;
    a->routing = scene->rule.spec;
    a->universe = scene->universe->spec;
    a->criterion = scene->criterion.spec;
    a->rated = (hf_rated){.universe = scene->universe, .spec = a->universe, .n_component = scene->universe->n_component};
    a->n_terminal = a->args->terminals ? scene->topo->n_terminal : 0;
    return HF_OK;
}

static hf_status put_head(const asking *a) {
    char *title;
    HF_TRY(hf_scratch_print(a->cx, &title, "%s, %s, faults among %s, criterion %s", a->topology, a->routing, a->universe,
                            a->criterion));
    a->answer->title = title;
    hf_report_argument(a->answer, "topology", a->topology);
    hf_report_argument(a->answer, "routing", a->routing);
    hf_report_argument(a->answer, "universe", a->universe);
    hf_report_argument(a->answer, "criterion", a->criterion);
    return HF_OK;
}

/* A part tells no share of all sets: it is kept, and the figures follow when all are. */
static hf_status answer_part(asking *a) {
    static const hf_column of_part[] = {{"f", "f", NULL, HF_COLUMN_COUNT, 6, 0},
                                        {"sets", "sets", NULL, HF_COLUMN_BIG_COUNT, 6, 0},
                                        {"not_tolerated", "not tolerated", NULL, HF_COLUMN_BIG_COUNT, 6, 0}};
    const hf_campaign *campaign = &a->run.campaign;
    char *note;
    HF_TRY(put_head(a));
    HF_TRY(hf_scratch_print(
        a->cx, &note, "Part %" PRIu32 " of %" PRIu32 ". The figures need all parts: ask without one when the store has them.",
        campaign->part, campaign->n_part));
    HF_BEGIN(a->answer, "part", of_part);
    hf_report_note(a->answer, note);
    for (size_t i = 0; i < a->run.result->n_row; i++) {
        const hf_row *row = &a->run.result->row[i];
        hf_report_cell(a->answer, hf_cell_count(row->f));
        hf_report_cell(a->answer, hf_cell_count(row->tally.sets));
        hf_report_cell(a->answer, hf_cell_count(row->tally.not_tolerated));
    }
    return HF_OK;
}

static hf_status answer_all(asking *a) {
    hf_reliability_row *row = NULL;
    hf_reliability *model;
    size_t n = 0;
    if (a->args->campaign.part && (hf_asked_wants(a->asked, "svg") || hf_asked_wants(a->asked, "pgfplots"))) {
        HF_FAIL(a->cx, HF_EINVAL, "part %s has no figures to write to a file; they need all parts", a->args->campaign.part);
    }
    HF_TRY(open_either(a));
    HF_TRY(hf_rates_classes(a->cx, &(hf_rates){a->args->rate, a->args->repair, a->args->crews}, &a->rated));
    HF_TRY(a->args->tally ? rows_of_tally(a, &row, &n) : rows_of_campaign(a, &row, &n));
    if (a->run.campaign.n_part > 1) {
        return answer_part(a);
    }
    HF_TRY(hf_reliability_new(a->cx, a->rated.class, a->rated.n_class, row, n, a->is_monotone, a->n_terminal, &model));
    const hf_status status = evaluate(a, model);
    hf_reliability_free(model);
    HF_TRY(status);
    HF_TRY(put_head(a));
    add_rows(a);
    HF_TRY(a->run.answer ? hf_asked_campaign_explain(a->cx, &a->run) : HF_OK);
    add_totals(a);
    add_classes(a);
    return draw(a);
}

static hf_status ask(hf_context *cx, const hf_asked *asked, hf_report *answer) {
    asking a = {.cx = cx, .asked = asked, .args = asked->args, .scene = asked->scene, .answer = answer};
    hf_text_init(cx, &a.file);
    const hf_status status = answer_all(&a);
    hf_asked_campaign_free(&a.run);
    hf_text_free(&a.file);
    return status;
}

static const hf_param params[] = {
    {.name = "tally",
     .type = HF_PARAM_TEXT,
     .flags = HF_PARAM_OPTIONAL,
     .unit = "file",
     .help = "instead of a network and a campaign: what `holdfast tolerance --json` wrote",
     HF_FIELD(reliability_args, tally)},
    {.name = "rate",
     .type = HF_PARAM_TEXT,
     .unit = "list",
     .help = "failures of a component: 100FIT (in 1e9 h), 1e-7/h, 0.1/year; or links=...,switches=...",
     HF_FIELD(reliability_args, rate)},
    {.name = "mttr",
     .was = "repair",
     .key = "repair",
     .type = HF_PARAM_TEXT,
     .flags = HF_PARAM_OPTIONAL,
     .unit = "list",
     .help = "mean time to repair a component: 24h, 30min, 2d; or links=...,switches=...",
     HF_FIELD(reliability_args, repair)},
    {.name = "crews",
     .type = HF_PARAM_UINT,
     .low = 1,
     .high = 1000000,
     .flags = HF_PARAM_OPTIONAL,
     .unit = "n",
     .help = "components of a rate that are repaired at the same time (default: all)",
     HF_FIELD(reliability_args, crews)},
    {.name = "times",
     .type = HF_PARAM_TEXT,
     .flags = HF_PARAM_OPTIONAL,
     .unit = "list",
     .help = "times without repair, such as 0..10y/1y or 100h,1000h (default: about the MTTF)",
     HF_FIELD(reliability_args, times)},
    {.name = "terminals",
     .type = HF_PARAM_BOOL,
     .fallback = "no",
     .help = "also find how many terminals are lost (slow: reads the relation)",
     HF_FIELD(reliability_args, terminals)},
    {0}};
static const hf_group group = {.name = "reliability", .params = params};
static const hf_question_part parts[] = {
    {.group = &hf_whole_rows_group, .at = offsetof(reliability_args, campaign)}, {.group = &group}, {0}};
static const hf_param attachments[] = {{.name = "svg", .unit = "file", .help = "also draw R(t)"},
                                       {.name = "pgfplots", .unit = "file", .help = "the same for LaTeX"},
                                       {0}};
static const char *const tables[] = {"totals", "steady", "classes", "part", NULL};

const hf_question hf_question_reliability = {
    .name = "reliability",
    .summary = "survival, time to failure and availability from failure rates",
    .about =
        "Components fail independently at constant rates. The probability that the network still does its duty follows\n"
        "from the share of tolerated fault sets of each size. Sizes that were not counted are bounded, so every figure\n"
        "is a range; the range is one value where all that matters was counted exactly. Sampled tallies give ranges that\n"
        "hold together with 95%. The mean time to failure ends with the first set on the way that is not tolerated; R(t) is the\n"
        "probability that the set at time t is tolerated, and its integral the mean time in tolerated sets. They differ where a\n"
        "set may be tolerated again when more fails. Both are without repair; the availability is that of the long run with "
        "it.\n"
        "With --tally and --rate, a tally takes the place of topology, routing and faults.\n\n"
        "Example: holdfast reliability --topology kary-tree:k=4,n=3 --routing updown --universe links --faults 0..4 "
        "--rate 500FIT --mttr 24h",
    .source = "gomez2010, section 2.1.7",
    .scene = HF_SCENE_TOPOLOGY | HF_SCENE_ROUTING | HF_SCENE_UNIVERSE | HF_SCENE_CRITERION,
    .parts = parts,
    .args_size = sizeof(reliability_args),
    .instead = "tally",
    .table = "times",
    .columns = columns,
    .tables = tables,
    .attachments = attachments,
    .walks = true,
    .ask = ask,
};
