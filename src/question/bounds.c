/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What reconfiguration takes, and how many faults part a network. */
#include <inttypes.h>

#include <holdfast/campaign.h>
#include <holdfast/question.h>

#include "src/core/print.h"

typedef struct bounds_args {
    hf_effort_request effort; /* what can be said of it */
    const char *faults;
    uint64_t orders; /* 0: reconfiguration */
} bounds_args;

/* ---- reconfiguration ---- */

enum { EFFORT_HEAD = 3 };

static const hf_column columns[] = {{"f", "f", NULL, HF_COLUMN_COUNT, 6, 0},
                                    {"sets", "sets", NULL, HF_COLUMN_COUNT, 6, 0},
                                    {"exact", "all sets", NULL, HF_COLUMN_FLAG, 6, 0},
                                    {"phase", "phase", NULL, HF_COLUMN_WORD, 6, 0},
                                    {"quantity", "quantity", NULL, HF_COLUMN_WORD, 6, 0},
                                    {"kind", "kind", NULL, HF_COLUMN_WORD, 6, 0},
                                    {"lowest", "lowest", NULL, HF_COLUMN_COUNT, 6, 0},
                                    {"mean", "mean", NULL, HF_COLUMN_REAL, 10, 0},
                                    {"highest", "highest", NULL, HF_COLUMN_COUNT, 6, 0},
                                    {"known", "known for", NULL, HF_COLUMN_COUNT, 6, 0},
                                    {"published", "published", NULL, HF_COLUMN_WORD, 6, HF_COLUMN_RIGHT},
                                    {"citation", "citation", NULL, HF_COLUMN_WORD, 6, HF_COLUMN_ASKED},
                                    {"assumption", "assumption", NULL, HF_COLUMN_WORD, 6, 0},
                                    {"sets", "sets", NULL, HF_COLUMN_COUNT, 6, HF_COLUMN_JSON},
                                    {0}};

static void add_effort(const hf_effort_row *row, const hf_effort *e, const hf_effort_value *v, const hf_effort_published *p,
                       hf_report *out) {
    const bool is_known = v->sets > 0;
    hf_report_cell(out, hf_cell_count(row->f));
    hf_report_cell(out, hf_cell_count(row->sets));
    hf_report_cell(out, hf_cell_flag(row->is_exact));
    hf_report_cell(out, hf_cell_word(e->phase));
    hf_report_cell(out, hf_cell_word(e->quantity));
    hf_report_cell(out, hf_cell_word(e->kind));
    hf_report_cell(out, is_known ? hf_cell_count(v->lowest) : hf_cell_none());
    hf_report_cell(out, is_known ? hf_cell_real(v->mean) : hf_cell_none());
    hf_report_cell(out, is_known ? hf_cell_count(v->highest) : hf_cell_none());
    hf_report_cell(out, hf_cell_count(v->sets));
    hf_report_cell(out, hf_cell_word(p ? p->value : NULL));
    hf_report_cell(out, hf_cell_word(p ? p->citation : NULL));
    hf_report_cell(out, hf_cell_word(e->assumption));
    hf_report_cell(out, hf_cell_count(v->sets));
}

static hf_status add_efforts(hf_context *cx, const hf_scene *scene, uint64_t seed, const hf_effort_result *result,
                             hf_report *out) {
    const hf_routing *routing = scene->rule.routing;
    bool is_exact = true;
    char *note;
    hf_report_group(out, EFFORT_HEAD, "quantities");
    for (size_t k = 0; k < result->n_row; k++) {
        const hf_effort_row *row = &result->row[k];
        is_exact &= row->is_exact;
        for (size_t i = 0; i < result->n_effort; i++) {
            add_effort(row, &routing->efforts->quantities[i], &row->value[i],
                       hf_effort_find_published(scene->topo, scene->universe, routing, i, row->f), out);
        }
    }
    if (!is_exact) {
        HF_TRY(hf_scratch_print(cx, &note, "Where not all sets of a size were looked at, they are a sample, seed %" PRIu64 ".",
                                seed));
        hf_report_note(out, note);
    }
    return HF_OK;
}

static hf_status ask_effort(hf_context *cx, const hf_asked *asked, hf_report *answer) {
    const bounds_args *args = asked->args;
    const hf_scene *scene = asked->scene;
    hf_effort_request request = args->effort;
    hf_effort_result *result = NULL;
    uint32_t *f;
    char *title;
    request.universe = scene->universe;
    request.rule = &scene->rule;
    request.threads = asked->conduct->threads;
    request.progress = asked->conduct->progress;
    request.progress_user = asked->conduct->progress_user;
    HF_TRY(hf_scratch_print(cx, &title,
                            "%s, %s, faults among %" PRIu32 " %s, %" PRIu64 " cycle%s a notice, %" PRIu64 " a control packet",
                            scene->topo->spec, scene->rule.spec, scene->universe->n_component, scene->universe->spec,
                            request.costs.hop_cycles, hf_plural(request.costs.hop_cycles), request.costs.packet_cycles));
    answer->title = title;
    HF_TRY(hf_campaign_parse_shares(cx, args->faults, scene->universe->n_component, &f, &request.n_f));
    request.f = f;
    hf_status status = hf_effort_run(cx, &request, &result);
    status = status == HF_OK ? add_efforts(cx, scene, request.seed, result, answer) : status;
    hf_effort_free(result);
    hf_release(hf_context_allocator(cx), f);
    return status;
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

static hf_status ask_limit(hf_context *cx, const hf_asked *asked, hf_report *answer) {
    const bounds_args *args = asked->args;
    const hf_scene *scene = asked->scene;
    const hf_conduct *conduct = asked->conduct;
    const hf_limit_request request = {.universe = scene->universe,
                                      .orders = args->orders,
                                      .seed = args->effort.seed,
                                      .threads = conduct->threads,
                                      .progress = conduct->progress,
                                      .progress_user = conduct->progress_user};
    hf_limit *limit;
    char *title;
    HF_TRY(hf_scratch_print(cx, &title, "%s, faults among %" PRIu32 " %s, %" PRIu64 " random orders of failure, seed %" PRIu64,
                            scene->topo->spec, scene->universe->n_component, scene->universe->spec, request.orders,
                            request.seed));
    answer->title = title;
    const char *faults = hf_asked_given(asked, "faults") ? args->faults : NULL;
    hf_report_argument(answer, "faults", faults);
    hf_report_argument(answer, "samples", NULL);
    hf_report_argument(answer, "simulate", NULL);
    HF_TRY(hf_limit_run(cx, &request, &limit));
    const hf_status status = add_limit(cx, limit, faults, answer);
    hf_limit_free(limit);
    return status;
}

/* ---- the question ---- */

static hf_status ask(hf_context *cx, const hf_asked *asked, hf_report *answer) {
    const bounds_args *args = asked->args;
    char *seed;
    HF_TRY(hf_scratch_print(cx, &seed, "%" PRIu64, args->effort.seed));
    hf_report_argument_as(answer, "seed", seed, HF_COLUMN_COUNT);
    return args->orders ? ask_limit(cx, asked, answer) : ask_effort(cx, asked, answer);
}

#define NUMBER(word, member) .name = word, .type = HF_PARAM_UINT, .unit = "n", HF_FIELD(bounds_args, member)

static const hf_param params[] = {
    {.name = "faults",
     .type = HF_PARAM_TEXT,
     .fallback = "1",
     .unit = "list",
     .help = "numbers of faults f, such as 0..4,8, or shares such as 0%..30%/5% (default 1; with --orders all that part)",
     HF_FIELD(bounds_args, faults)},
    {NUMBER("samples", effort.samples), .fallback = "1000", .low = 1, .high = INT64_MAX,
     .help = "fault sets a row where there are more than so many", .without = "orders"},
    {NUMBER("seed", effort.seed), .fallback = "1", .high = UINT64_MAX, .help = "seed of the samples and orders"},
    {NUMBER("simulate", effort.simulated), .fallback = "1", .high = INT64_MAX,
     .help = "simulate the first N sets of a row event by event", .without = "orders"},
    {NUMBER("hop-cycles", effort.costs.hop_cycles), .fallback = "100", .high = UINT32_MAX,
     .help = "cycles to manage and pass on a notice of the emergency", .without = "orders"},
    {NUMBER("packet-cycles", effort.costs.packet_cycles), .fallback = "1000", .high = UINT32_MAX,
     .help = "cycles to manage and pass on a control packet", .without = "orders"},
    {NUMBER("orders", orders), .low = 1, .high = INT64_MAX, .flags = HF_PARAM_OPTIONAL,
     .help = "instead: in N random orders of failure, how many faults part the network"},
    {0}};
static const hf_group group = {.name = "bounds", .params = params};
static const hf_question_part parts[] = {{.group = &group}, {0}};
static const hf_question_form forms[] = {{"orders", "orders", columns_of_limit}, {0}};

const hf_question hf_question_bounds = {
    .name = "bounds",
    .summary = "what reconfiguration takes: messages and cycles; faults until a network parts",
    .about =
        "Lower and upper bounds and models of the messages and cycles of each phase, lowest, mean and highest over all fault\n"
        "sets of a size, or a sample, with published values beside them. A model says what it assumes. The routing needs a\n"
        "model of its reconfiguration: immunet or ft2ei. With --orders: after how many faults the switches do not hang\n"
        "together.\n\n"
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
    .threads = true,
    .ask = ask,
};
