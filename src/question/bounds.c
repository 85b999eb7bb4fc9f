/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What reconfiguration takes, and how many faults part a network. */
#include <inttypes.h>

#include "src/core/print.h"
#include "src/question/campaign.h"

typedef struct bounds_args {
    hf_campaign_params sets;
    hf_effort_costs costs;
    uint64_t simulated;
} bounds_args;

typedef struct asking {
    hf_context *cx;
    const hf_asked *asked;
    const hf_scene *scene;
    const bounds_args *args;
    hf_asked_campaign run;
    hf_report *answer;
    hf_effort_asked effort;
} asking;

/* ---- reconfiguration ---- */

enum { EFFORT_HEAD = 4 };

static const hf_column columns[] = {{"f", "f", NULL, HF_COLUMN_COUNT, 6, 0},
                                    {"sets", "sets", NULL, HF_COLUMN_COUNT, 6, 0},
                                    {"exact", "all sets", NULL, HF_COLUMN_FLAG, 6, 0},
                                    {"figures", "figures", NULL, HF_COLUMN_WORD, 6, 0},
                                    {"phase", "phase", NULL, HF_COLUMN_WORD, 6, 0},
                                    {"quantity", "quantity", NULL, HF_COLUMN_WORD, 6, 0},
                                    {"kind", "kind", NULL, HF_COLUMN_WORD, 6, 0},
                                    {"lowest", "lowest", NULL, HF_COLUMN_COUNT, 6, 0},
                                    {"mean", "mean", NULL, HF_COLUMN_REAL, 10, 0},
                                    {"highest", "highest", NULL, HF_COLUMN_COUNT, 6, 0},
                                    {"known", "known for", NULL, HF_COLUMN_COUNT, 6, 0},
                                    {"published", "published", NULL, HF_COLUMN_WORD, 6, HF_COLUMN_JSON},
                                    {"citation", "citation", NULL, HF_COLUMN_WORD, 6, HF_COLUMN_JSON},
                                    {"assumption", "assumption", NULL, HF_COLUMN_WORD, 6, 0},
                                    {"sets", "sets", NULL, HF_COLUMN_COUNT, 6, HF_COLUMN_JSON},
                                    {0}};

/* \param[in] word NULL, or which part they are of */
static void add_effort(const hf_row *row, const char *word, const hf_effort *e, const hf_quantity *q, hf_report *out) {
    const bool is_known = q->sets > 0;
    hf_report_cell(out, hf_cell_count(row->f));
    hf_report_cell(out, hf_cell_count(row->tally.sets));
    hf_report_cell(out, hf_cell_flag(row->is_exact));
    hf_report_cell(out, hf_cell_word(word));
    hf_report_cell(out, hf_cell_word(e->phase));
    hf_report_cell(out, hf_cell_word(e->quantity));
    hf_report_cell(out, hf_cell_word(e->kind));
    hf_report_cell(out, is_known ? hf_cell_count(q->lowest) : hf_cell_none());
    hf_report_cell(out, is_known ? hf_cell_real((double)q->sum / (double)q->sets) : hf_cell_none());
    hf_report_cell(out, is_known ? hf_cell_count(q->highest) : hf_cell_none());
    hf_report_cell(out, hf_cell_count(q->sets));
    hf_report_cell(out, hf_cell_none());
    hf_report_cell(out, hf_cell_none());
    hf_report_cell(out, hf_cell_word(e->assumption));
    hf_report_cell(out, hf_cell_count(q->sets));
}

/* By orbits: what it took, and what it does not tell. */
static hf_status add_how(const asking *a) {
    char *note;
    if (!*a->run.result->how) {
        return HF_OK;
    }
    HF_TRY(hf_scratch_print(a->cx, &note,
                            "%s Quantities without figures go by numbers of switches or are simulated, so that symmetries do not "
                            "keep them; --method exhaustive or sampled tells them.",
                            a->run.result->how));
    hf_report_note(a->answer, note);
    return HF_OK;
}

static hf_status add_efforts(const asking *a) {
    const hf_scene *scene = a->scene;
    const hf_result *result = a->run.result;
    bool is_exact = true;
    char *note, *word;
    hf_report_group(a->answer, EFFORT_HEAD, "quantities");
    for (size_t k = 0; k < result->n_row; k++) {
        const hf_row *row = &result->row[k];
        is_exact &= row->is_exact;
        HF_TRY(hf_asked_campaign_word(a->cx, &a->run.campaign, row, &word));
        for (uint32_t i = 0; i < row->tally.n_quantity; i++) {
            add_effort(row, a->run.campaign.n_part > 1 ? word : NULL, &scene->rule.routing->efforts->quantities[i],
                       &row->tally.quantity[i], a->answer);
        }
    }
    if (!is_exact) {
        HF_TRY(hf_scratch_print(a->cx, &note, "Where not all sets of a size were looked at, they are a sample, seed %" PRIu64 ".",
                                a->run.campaign.seed));
        hf_report_note(a->answer, note);
    }
    return add_how(a);
}

static hf_status effort_judge(hf_context *cx, void *user, const hf_universe *universe, const hf_rule *rule, hf_judge **out) {
    return hf_effort_judge_new(cx, universe, rule, user, out);
}

static hf_status ask_effort(asking *a) {
    const bounds_args *args = a->args;
    const hf_scene *scene = a->scene;
    a->effort = (hf_effort_asked){.costs = args->costs, .simulated = args->simulated};
    hf_inquiry inquiry = {.user = &a->effort,
                          .n_quantity = hf_effort_count(scene->rule.routing),
                          .symmetric = HF_SYMMETRIC_EFFORT,
                          .judge = effort_judge};
    char *title, *key;
    hf_judge *judge;
    HF_TRY(effort_judge(a->cx, inquiry.user, scene->universe, &scene->rule, &judge)); /* refuse before anything is kept */
    hf_judge_free(judge);
    HF_TRY(hf_scratch_print(a->cx, &title,
                            "%s, %s, faults among %" PRIu32 " %s, %" PRIu64 " cycle%s a notice, %" PRIu64 " a control packet%s%s",
                            scene->topo->spec, scene->rule.spec, scene->universe->n_component, scene->universe->spec,
                            args->costs.hop_cycles, hf_plural(args->costs.hop_cycles), args->costs.packet_cycles,
                            args->sets.part ? ", part " : "", args->sets.part ? args->sets.part : ""));
    HF_TRY(hf_scratch_print(a->cx, &key, "effort:%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%d", args->costs.hop_cycles,
                            args->costs.packet_cycles, args->simulated, args->costs.control_every, args->costs.newest_first));
    a->answer->title = title;
    inquiry.key = key;
    a->run.campaign.inquiry = &inquiry;
    HF_TRY(hf_asked_campaign_settle(a->cx, a->asked, &a->run));
    a->effort.is_symmetric = a->run.campaign.method == HF_METHOD_ORBITS;
    HF_TRY(hf_asked_campaign_run(a->cx, a->asked, &a->run));
    return add_efforts(a);
}

/* ---- the limit of connectivity ---- */

enum { LIMIT_HEAD = 4 };

static const hf_column columns_of_limit[] = {{"orders", "orders", NULL, HF_COLUMN_COUNT, 6, 0},
                                             {"mean", "mean faults until parted", NULL, HF_COLUMN_ESTIMATE, 6, HF_COLUMN_ASKED},
                                             {"mean_interval", "interval of the mean", NULL, HF_COLUMN_WORD, 6, HF_COLUMN_JSON},
                                             {"median", "median", NULL, HF_COLUMN_COUNT, 6, HF_COLUMN_ASKED},
                                             {"faults", "faults", NULL, HF_COLUMN_COUNT, 6, 0},
                                             {"parted", "orders parted", NULL, HF_COLUMN_COUNT, 6, 0},
                                             {"parted_percent", "% parted so far", "%", HF_COLUMN_ESTIMATE, 6, 0},
                                             {"fraction", "fraction", NULL, HF_COLUMN_REAL, 6, HF_COLUMN_JSON},
                                             {"low", "low", NULL, HF_COLUMN_REAL, 6, HF_COLUMN_JSON},
                                             {"high", "high", NULL, HF_COLUMN_REAL, 6, HF_COLUMN_JSON},
                                             {"interval", "interval", NULL, HF_COLUMN_WORD, 6, HF_COLUMN_JSON},
                                             {0}};

/* The lowest number of faults by which half of the orders have been parted; n + 1: none. */
static uint32_t median(const hf_limit *l) {
    uint32_t i = 0;
    while (i <= l->n && 2 * l->below[i] < l->orders) {
        i++;
    }
    return i;
}

static void add_head(const hf_limit *l, hf_report *out) {
    hf_report_cell(out, hf_cell_count(l->orders));
    hf_report_cell(out, l->below[l->n] ? hf_cell_estimate(l->mean, l->mean_low, l->mean_high, l->mean_interval, NULL)
                                       : hf_cell_none());
    hf_report_cell(out, hf_cell_word(hf_interval_method_name(l->mean_interval)));
    hf_report_cell(out, hf_cell_count(median(l)));
}

static void add_parted(const hf_limit *l, uint32_t i, hf_report *out) {
    const hf_estimate e = hf_estimate_proportion(l->below[i], l->orders, 0.95);
    add_head(l, out);
    hf_report_cell(out, hf_cell_count(i));
    hf_report_cell(out, hf_cell_count(l->parted[i]));
    hf_report_cell(out, hf_cell_estimate(100 * e.value, 100 * e.low, 100 * e.high, e.method, NULL));
    hf_report_cell(out, hf_cell_real(e.value));
    hf_report_cell(out, hf_cell_real(e.low));
    hf_report_cell(out, hf_cell_real(e.high));
    hf_report_cell(out, hf_cell_word(hf_interval_method_name(e.method)));
}

/* Every number of faults that parts an order, or those that were asked for. */
static hf_status add_rows_of_limit(hf_context *cx, const hf_limit *l, const char *faults, hf_report *out) {
    uint32_t *f;
    size_t n;
    if (!faults) {
        for (uint32_t i = 0; i <= l->n; i++) {
            if (l->parted[i]) {
                add_parted(l, i, out);
            }
        }
        return HF_OK;
    }
    HF_TRY(hf_campaign_parse_shares(cx, faults, l->n, &f, &n));
    hf_status status = HF_OK;
    for (size_t i = 0; i < n && status == HF_OK; i++) {
        if (f[i] > l->n) {
            status = hf_context_fail(cx, HF_EINVAL, __FILE__, __LINE__,
                                     "f=%" PRIu32 ", but the universe has %" PRIu32 " components", f[i], l->n);
        } else {
            add_parted(l, f[i], out);
        }
    }
    hf_release(hf_context_allocator(cx), f);
    return status;
}

/* \param[in] faults NULL: all that part an order */
static hf_status add_limit(hf_context *cx, const hf_limit *l, const char *faults, hf_report *out) {
    char *note;
    hf_report_group(out, LIMIT_HEAD, "distribution");
    HF_TRY(add_rows_of_limit(cx, l, faults, out));
    if (l->orders == 0) {
        return HF_OK; /* of a part */
    }
    if (l->below[l->n] == 0) {
        if (!faults) {
            add_head(l, out);
        }
        for (size_t c = LIMIT_HEAD; columns_of_limit[c].key && !faults; c++) {
            hf_report_cell(out, hf_cell_none());
        }
        hf_report_note(out, "The switches hang together after any number of faults of every order.");
        return HF_OK;
    }
    HF_TRY(hf_scratch_print(cx, &note,
                            "Faults until the switches do not hang together: mean %.6g (95%%: %.6g to %.6g, %s), median %" PRIu32
                            ". Intervals of shares: Wilson; Clopper-Pearson where fewer than 30 orders are on one side.",
                            l->mean, l->mean_low, l->mean_high, hf_interval_method_name(l->mean_interval), median(l)));
    hf_report_note(out, note);
    return HF_OK;
}

static hf_status limit_judge(hf_context *cx, void *user, const hf_universe *universe, const hf_rule *rule, hf_judge **out) {
    (void)user;
    (void)rule;
    return hf_limit_judge_new(cx, universe, out);
}

static hf_status ask_limit(asking *a) {
    static const char *const not_asked[] = {"method", "simulate"};
    const hf_scene *scene = a->scene;
    const hf_campaign_params *sets = &a->args->sets;
    const hf_inquiry inquiry = {
        .key = "limit", .n_quantity = scene->universe->n_component + 2, .orders = true, .judge = limit_judge};
    const char *faults = hf_asked_given(a->asked, "faults") ? sets->faults : NULL;
    hf_limit limit;
    char *title;
    HF_TRY(hf_scratch_print(a->cx, &title,
                            "%s, faults among %" PRIu32 " %s, %" PRIu64 " random orders of failure, seed %" PRIu64 "%s%s",
                            scene->topo->spec, scene->universe->n_component, scene->universe->spec, sets->orders, sets->seed,
                            sets->part ? ", part " : "", sets->part ? sets->part : ""));
    a->answer->title = title;
    hf_report_argument(a->answer, "faults", faults);
    for (size_t i = 0; i < sizeof not_asked / sizeof *not_asked; i++) {
        hf_report_argument(a->answer, not_asked[i], NULL);
    }
    a->run.campaign.rule = NULL;
    a->run.campaign.inquiry = &inquiry;
    HF_TRY(hf_asked_campaign_run(a->cx, a->asked, &a->run));
    HF_TRY(hf_limit_of_tally(a->cx, &a->run.result->row[0].tally, &limit));
    return add_limit(a->cx, &limit, faults, a->answer);
}

/* ---- the question ---- */

static hf_status ask(hf_context *cx, const hf_asked *asked, hf_report *answer) {
    asking a = {.cx = cx, .asked = asked, .scene = asked->scene, .args = asked->args, .answer = answer};
    char *seed;
    HF_TRY(hf_scratch_print(cx, &seed, "%" PRIu64, a.args->sets.seed));
    hf_report_argument_as(answer, "seed", seed, HF_COLUMN_COUNT);
    hf_status status = hf_asked_campaign_init(cx, asked, &a.args->sets, answer, &a.run);
    if (status == HF_OK) {
        status = a.args->sets.orders ? ask_limit(&a) : ask_effort(&a);
    }
    status = status == HF_OK ? hf_asked_campaign_explain(cx, &a.run) : status;
    hf_asked_campaign_free(&a.run);
    return status;
}

#define NUMBER(word, member, what)                                                                                               \
    .name = word, .type = HF_PARAM_UINT, .unit = what, .without = "orders", HF_FIELD(bounds_args, member)

static const hf_param params[] = {{NUMBER("simulate", simulated, "n"), .fallback = "1", .high = INT64_MAX,
                                   .help = "simulate the first N sets of a row event by event"},
                                  {NUMBER("hop-cycles", costs.hop_cycles, "cycles"), .fallback = "100", .high = 1000000000,
                                   .help = "cycles to manage and pass on a notice of the emergency"},
                                  {NUMBER("packet-cycles", costs.packet_cycles, "cycles"), .fallback = "1000", .high = 1000000000,
                                   .help = "cycles to manage and pass on a control packet"},
                                  {NUMBER("control-every", costs.control_every, "cycles"), .fallback = "0", .high = 1000000000,
                                   .help =
                                       "a switch takes in one control packet in so many cycles, where it takes one at a time; "
                                       "0: packet-cycles"},
                                  {.name = "control-order",
                                   .type = HF_PARAM_WORD,
                                   .fallback = "first",
                                   .words = hf_control_order_names,
                                   .unit = "which",
                                   .without = "orders",
                                   .help = "which of the control packets that wait: that which came first (default), or newest",
                                   HF_FIELD(bounds_args, costs.newest_first)},
                                  {0}};
static const hf_group group = {.name = "bounds", .params = params};
static const hf_question_part parts[] = {
    {.group = &hf_sets_or_orders_group, .at = offsetof(bounds_args, sets)}, {.group = &group}, {0}};
static const hf_question_form forms[] = {{"orders", "orders", columns_of_limit}, {0}};

const hf_question hf_question_bounds = {
    .name = "bounds",
    .summary = "what reconfiguration takes: messages and cycles; faults until a network parts",
    .about =
        "Lower and upper bounds and models of the messages and cycles of each phase, lowest, mean and highest over all fault\n"
        "sets of a size, or a sample. A model says what it assumes. The routing needs a model of its reconfiguration: immunet\n"
        "or ft2ei. With --orders: after how many faults the switches do not hang together.\n\n"
        "Example: holdfast bounds --topology torus:dims=8x8 --routing immunet --universe links --faults 1",
    .scene = HF_SCENE_TOPOLOGY | HF_SCENE_UNIVERSE,
    .scene_maybe = HF_SCENE_ROUTING,
    .universe = "links",
    .one_of = "routing orders",
    .parts = parts,
    .args_size = sizeof(bounds_args),
    .table = "quantities",
    .columns = columns,
    .forms = forms,
    .walks = true,
    .ask = ask,
};
