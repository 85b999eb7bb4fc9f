/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What a traffic pattern under a routing puts on the channels: of one plan, or of those of all fault sets of some sizes. */
#include <inttypes.h>

#include "src/question/campaign.h"
#include "src/question/measures.h"
#include "src/question/tables.h"
#include "src/report/tree.h"

typedef struct load_args {
    hf_campaign_params sets;
    hf_split split;
    bool worst_case, best, largest_set;
} load_args;

typedef struct asking {
    hf_context *cx;
    const hf_scene *scene;
    const load_args *args;
    hf_plan plan;
    hf_load *load; /* of one plan */
    hf_asked_campaign run;
    uint64_t reach; /* of a second walk: the largest load of the first */
    hf_report *answer;
} asking;

/* ---- the rows ---- */

enum {
    F,
    SETS,
    MAX_LOAD,
    MAX_LOAD_EXACT,
    MAX_LOAD_LARGEST,
    BUSIEST,
    TERMINAL_LOAD,
    SATURATION,
    SATURATION_EXACT,
    SATURATION_LEAST,
    LOST_PERCENT,
    SETS_WITH_LOSS,
    LARGEST_WITNESS,
    LOST_WITNESS,
    BEST_LOAD,
    POPULATION,
    EXACT,
    COMPLETE,
    MAX_LOAD_INTERVAL,
    SATURATION_INTERVAL,
    LOST,
    LOST_INTERVAL,
    LOST_LARGEST,
    CELLS, /* a structured value stands behind them */
    WORST_CASE = CELLS
};

static const hf_column columns[] = {
    [F] = {"f", "f", NULL, HF_COLUMN_COUNT, 6, 0},
    [SETS] = {"sets", "sets", NULL, HF_COLUMN_BIG_COUNT, 6, 0},
    [MAX_LOAD] = {"max_load", "max load", "flits/cycle", HF_COLUMN_ESTIMATE, 6, 0},
    [MAX_LOAD_EXACT] = {"max_load_exact", "max load, exact", NULL, HF_COLUMN_WORD, 6, HF_COLUMN_ASKED},
    [MAX_LOAD_LARGEST] = {"max_load_largest", "largest", "flits/cycle", HF_COLUMN_REAL, 6, 0},
    [BUSIEST] = {"busiest", "first on", NULL, HF_COLUMN_WORD, 6, 0},
    [TERMINAL_LOAD] = {"terminal_load", "terminals' load", "flits/cycle", HF_COLUMN_REAL, 6, 0},
    [SATURATION] = {"saturation", "saturation", "flits/cycle/terminal", HF_COLUMN_ESTIMATE, 6, 0},
    [SATURATION_EXACT] = {"saturation_exact", "saturation, exact", NULL, HF_COLUMN_WORD, 6, HF_COLUMN_ASKED},
    [SATURATION_LEAST] = {"saturation_least", "least", "flits/cycle/terminal", HF_COLUMN_REAL, 6, 0},
    [LOST_PERCENT] = {"lost_percent", "lost %", "%", HF_COLUMN_ESTIMATE, 6, 0},
    [SETS_WITH_LOSS] = {"sets_with_loss", "sets with loss", NULL, HF_COLUMN_BIG_COUNT, 6, 0},
    [LARGEST_WITNESS] = {"max_load_witness", "lowest set with the largest", NULL, HF_COLUMN_NAMES, 6, 0},
    [LOST_WITNESS] = {"lost_witness", "lowest set with loss", NULL, HF_COLUMN_NAMES, 6, HF_COLUMN_ASKED},
    [BEST_LOAD] = {"best_load", "best of any routing", "flits/cycle", HF_COLUMN_REAL, 6, 0},
    [POPULATION] = {"population", "population", NULL, HF_COLUMN_WORD, 6, HF_COLUMN_JSON},
    [EXACT] = {"exact", "exact", NULL, HF_COLUMN_FLAG, 6, HF_COLUMN_JSON},
    [COMPLETE] = {"complete", "complete", NULL, HF_COLUMN_FLAG, 6, HF_COLUMN_JSON},
    [MAX_LOAD_INTERVAL] = {"max_load_interval", "interval", NULL, HF_COLUMN_WORD, 6, HF_COLUMN_JSON},
    [SATURATION_INTERVAL] = {"saturation_interval", "interval", NULL, HF_COLUMN_WORD, 6, HF_COLUMN_JSON},
    [LOST] = {"lost", "lost", NULL, HF_COLUMN_ESTIMATE, 6, HF_COLUMN_JSON},
    [LOST_INTERVAL] = {"lost_interval", "interval", NULL, HF_COLUMN_WORD, 6, HF_COLUMN_JSON},
    [LOST_LARGEST] = {"lost_largest", "largest", NULL, HF_COLUMN_REAL, 6, HF_COLUMN_JSON},
    [WORST_CASE] = {"worst_case", "worst case", NULL, HF_COLUMN_TREE, 6, HF_COLUMN_JSON},
    {0}};

#define UNITS "Loads in flits/cycle where every terminal injects one, saturation in flits/cycle/terminal"

/* What a cycle is. */
static hf_status note_units(const asking *a, const char *more, const char *note) {
    const hf_tempo tempo = hf_topology_tempo(a->scene->topo);
    char *text;
    if (tempo.rate) {
        HF_TRY(hf_scratch_print(a->cx, &text,
                                UNITS "%s. A cycle is what a flit takes on the fastest links, %.6g Gbit/s; a load counts the "
                                      "cycles that flits take on the link.%s%s",
                                more, tempo.fastest / 1e3, *note ? " " : "", note));
    } else {
        HF_TRY(hf_scratch_print(a->cx, &text, UNITS "%s.%s%s", more, *note ? " " : "", note));
    }
    hf_report_note(a->answer, text);
    return HF_OK;
}

/* \param[in] worst taken over */
static void put_row(const asking *a, const hf_cell *cell, hf_json *worst) {
    for (size_t i = 0; i < CELLS; i++) {
        hf_report_cell(a->answer, cell[i]);
    }
    hf_report_tree(a->answer, worst);
}

/* ---- one plan ---- */

/* NULL: not known as a fraction. */
static hf_status fraction(hf_context *cx, hf_fraction x, char **out) {
    char text[80];
    *out = NULL;
    hf_fraction_print(x, text);
    return x.q ? hf_scratch_print(cx, out, "%s", text) : HF_OK;
}

/* A figure of one plan: nothing was sampled, and people read beside it the fraction that it is. */
static hf_status put_figure(hf_context *cx, double value, hf_fraction x, hf_cell *out, hf_cell *exact, hf_cell *interval) {
    char *text, *word;
    HF_TRY(fraction(cx, x, &text));
    HF_TRY(hf_scratch_print(cx, &word, x.q > 1 ? "exact, %s" : x.q ? "exact" : "rounded", text));
    *out = hf_cell_estimate(value, value, value, HF_INTERVAL_EXACT, word);
    *exact = hf_cell_word(text);
    *interval = hf_cell_word(out->by);
    return HF_OK;
}

static hf_status channel_name(const asking *a, uint32_t channel, char **out) {
    char name[HF_NAME_SIZE];
    *out = NULL;
    if (channel == HF_NONE) {
        return HF_OK;
    }
    hf_topology_channel_name(a->scene->topo, channel, name, sizeof name);
    return hf_scratch_print(a->cx, out, "%s", name);
}

/* How many components have failed; of names without a universe nobody counts them. */
static hf_cell count_failed(const hf_fault_set *failed) {
    return failed->universe || failed->n_channel == 0 ? hf_cell_count(failed->n_component) : hf_cell_none();
}

static hf_status put_load(const asking *a, hf_cell *cell) {
    const hf_load *load = a->load;
    char *busiest;
    HF_TRY(channel_name(a, load->busiest, &busiest));
    HF_TRY(put_figure(a->cx, load->max_load, load->max_exact, &cell[MAX_LOAD], &cell[MAX_LOAD_EXACT], &cell[MAX_LOAD_INTERVAL]));
    if (load->saturation > 0) {
        HF_TRY(put_figure(a->cx, load->saturation, load->saturation_exact, &cell[SATURATION], &cell[SATURATION_EXACT],
                          &cell[SATURATION_INTERVAL]));
    }
    const double lost = load->lost;
    const char *word = load->max_exact.q ? "exact" : "rounded";
    cell[F] = count_failed(&a->scene->failed);
    cell[BUSIEST] = hf_cell_word(busiest);
    cell[TERMINAL_LOAD] = hf_cell_real(load->terminal_load);
    cell[LOST_PERCENT] = hf_cell_estimate(100 * lost, 100 * lost, 100 * lost, HF_INTERVAL_EXACT, word);
    cell[LOST] = hf_cell_estimate(lost, lost, lost, HF_INTERVAL_EXACT, word);
    cell[LOST_INTERVAL] = hf_cell_word(cell[LOST].by);
    return HF_OK;
}

static const char *direction_of(const hf_load_bin *bin) {
    return bin->is_terminal ? bin->is_forward ? "injection" : "ejection" : bin->is_forward ? "forward" : "backward";
}

static hf_cell stage_of(const hf_load_bin *bin) { return bin->stage == HF_NONE ? hf_cell_none() : hf_cell_count(bin->stage); }

static hf_status add_histogram(const asking *a, const hf_load_bin *bin, size_t n) {
    static const hf_column of_bins[] = {{"f", "f", NULL, HF_COLUMN_COUNT, 6, 0},
                                        {"stage", "stage", NULL, HF_COLUMN_COUNT, 6, 0},
                                        {"direction", "direction", NULL, HF_COLUMN_WORD, 6, 0},
                                        {"load", "load", "flits/cycle", HF_COLUMN_EXACT, 6, 0},
                                        {"channels", "channels", NULL, HF_COLUMN_COUNT, 6, 0}};
    hf_report_table_begin(a->answer, "histogram", of_bins, sizeof of_bins / sizeof *of_bins);
    hf_report_nest(a->answer);
    for (size_t i = 0; i < n; i++) {
        char *text;
        HF_TRY(fraction(a->cx, bin[i].exact, &text));
        hf_report_cell(a->answer, count_failed(&a->scene->failed));
        hf_report_cell(a->answer, stage_of(&bin[i]));
        hf_report_cell(a->answer, hf_cell_word(direction_of(&bin[i])));
        hf_report_cell(a->answer, hf_cell_exact(bin[i].load, text));
        hf_report_cell(a->answer, hf_cell_count(bin[i].n_channel));
    }
    return HF_OK;
}

/* Channels of one stage and direction: how many, and the least, mean and largest load. */
static void add_stage(const asking *a, const hf_load_bin *bin, size_t n) {
    double sum = 0;
    uint32_t channels = 0;
    for (size_t i = 0; i < n; i++) {
        sum += bin[i].load * bin[i].n_channel;
        channels += bin[i].n_channel;
    }
    hf_report_cell(a->answer, stage_of(bin));
    hf_report_cell(a->answer, hf_cell_word(direction_of(bin)));
    hf_report_cell(a->answer, hf_cell_count(channels));
    hf_report_cell(a->answer, hf_cell_real(bin->load));
    hf_report_cell(a->answer, hf_cell_real(sum / channels));
    hf_report_cell(a->answer, hf_cell_real(bin[n - 1].load));
    hf_report_cell(a->answer, hf_cell_count(n));
}

static void add_stages(const asking *a, const char *attribute, const hf_load_bin *bin, size_t n) {
    size_t end;
    hf_report_table_begin(a->answer, "stages", NULL, 0);
    hf_report_flatten(a->answer);
    hf_report_add_column(a->answer, (hf_column){"stage", attribute ? attribute : "stage", NULL, HF_COLUMN_COUNT, 6, 0});
    hf_report_add_column(a->answer, (hf_column){"direction", "direction", NULL, HF_COLUMN_WORD, 6, 0});
    hf_report_add_column(a->answer, (hf_column){"channels", "channels", NULL, HF_COLUMN_COUNT, 6, 0});
    hf_report_add_column(a->answer, (hf_column){"least", "least", "flits/cycle", HF_COLUMN_REAL, 6, 0});
    hf_report_add_column(a->answer, (hf_column){"mean", "mean", "flits/cycle", HF_COLUMN_REAL, 6, 0});
    hf_report_add_column(a->answer, (hf_column){"largest", "largest", "flits/cycle", HF_COLUMN_REAL, 6, 0});
    hf_report_add_column(a->answer, (hf_column){"values", "values", NULL, HF_COLUMN_COUNT, 6, 0});
    for (size_t i = 0; i < n; i = end) {
        end = i + 1;
        while (end < n && bin[end].stage == bin[i].stage && bin[end].is_forward == bin[i].is_forward &&
               bin[end].is_terminal == bin[i].is_terminal) {
            end++;
        }
        add_stage(a, &bin[i], end - i);
    }
}

/* ---- the worst permutation ---- */

typedef struct worst {
    hf_worst found;
    char *channel, *exact;
} worst;

static hf_status find_worst(const asking *a, worst *out) {
    HF_TRY(hf_load_worst(a->cx, &a->plan, a->args->split, &out->found));
    HF_TRY(channel_name(a, out->found.channel, &out->channel));
    return fraction(a->cx, out->found.exact, &out->exact);
}

static hf_json *json_word(const char *text) { return text ? hf_json_text(text) : hf_json_null(); }

static hf_json *json_worst(const asking *a, const worst *w) {
    hf_json *o = hf_json_object(), *to = hf_json_array();
    hf_json_set(o, "load", hf_json_real(w->found.load));
    hf_json_set(o, "load_exact", json_word(w->exact));
    hf_json_set(o, "channel", json_word(w->channel));
    for (uint32_t t = 0; t < a->scene->topo->n_terminal; t++) {
        hf_json_push(to, hf_json_integer(w->found.to[t]));
    }
    hf_json_set(o, "permutation", to);
    return o;
}

static hf_status add_worst(const asking *a, const worst *w) {
    static const hf_column flat[] = {{"load", "worst load", "flits/cycle", HF_COLUMN_REAL, 6, 0},
                                     {"load_exact", "exact", NULL, HF_COLUMN_WORD, 6, 0},
                                     {"channel", "on", NULL, HF_COLUMN_WORD, 6, 0},
                                     {"permutation", "by the permutation", NULL, HF_COLUMN_NAMES, 6, 0}};
    hf_text to;
    hf_text_init(a->cx, &to);
    for (uint32_t t = 0; t < a->scene->topo->n_terminal; t++) {
        hf_text_print(&to, "%s%" PRIu32, t ? " " : "", w->found.to[t]);
    }
    const hf_status status = hf_text_check(a->cx, &to);
    if (status == HF_OK) {
        hf_report_table_begin(a->answer, "worst_permutation", flat, sizeof flat / sizeof *flat);
        hf_report_flatten(a->answer);
        hf_report_cell(a->answer, hf_cell_real(w->found.load));
        hf_report_cell(a->answer, hf_cell_word(w->exact));
        hf_report_cell(a->answer, hf_cell_word(w->channel));
        hf_report_cell(a->answer, hf_cell_word(to.data));
    }
    hf_text_free(&to);
    return status;
}

static hf_status answer_plan(asking *a) {
    const hf_fault_set *failed = &a->scene->failed;
    hf_cell cell[CELLS] = {{0}};
    const char *attribute;
    worst w;
    hf_load_bin *bin;
    size_t n;
    HF_TRY(hf_plan_make_plain(a->cx, &a->scene->rule, failed, &a->plan));
    HF_TRY(hf_load_find(a->cx, &a->plan, a->scene->traffic, a->args->split, &a->load));
    HF_TRY(hf_load_histogram(a->cx, a->load, &attribute, &bin, &n));
    HF_TRY(put_load(a, cell));
    if (a->args->worst_case) {
        HF_TRY(find_worst(a, &w));
    }
    if (a->args->best) {
        double best;
        HF_TRY(hf_load_best(a->cx, a->scene->topo, failed, a->scene->traffic, &best));
        cell[BEST_LOAD] = hf_cell_real(best);
    }
    hf_report_argument(a->answer, "method", NULL);
    hf_report_argument(a->answer, "samples", NULL);
    put_row(a, cell, a->args->worst_case ? json_worst(a, &w) : hf_json_null());
    HF_TRY(note_units(a, "", ""));
    HF_TRY(a->args->worst_case ? add_worst(a, &w) : HF_OK);
    add_stages(a, attribute, bin, n);
    return add_histogram(a, bin, n);
}

/* ---- fault sets ---- */

static hf_status judge(hf_context *cx, void *user, const hf_universe *universe, const hf_rule *rule, hf_judge **out) {
    const asking *a = user;
    return hf_load_judge_new(cx, universe, rule, a->scene->traffic, a->args->split, a->reach, out);
}

/* Names all that determines the loads: files of traffic by their content. */
static hf_status make_key(const asking *a, char **out) {
    const hf_traffic *traffic = a->scene->traffic;
    const uint64_t hash = hf_traffic_hash(traffic);
    char *content;
    HF_TRY(hf_scratch_print(a->cx, &content, "#%016" PRIx64, hash));
    return hf_scratch_print(a->cx, out, "load:%s%s,%s", traffic->spec, hash ? content : "", hf_split_name(a->args->split));
}

/* The mean of a measure over the sets of a row, in units of `unit`; none where a part has no set. */
static hf_cell mean_of(const asking *a, const hf_row *row, unsigned extra, double unit, const char *word) {
    const hf_tally *t = &row->tally;
    const hf_sample sample = hf_tally_sample(t, extra, hf_load_most(a->scene->topo, &a->scene->rule, a->scene->traffic, extra));
    const hf_mean_estimate e = hf_estimate_mean(&sample, 0.95);
    if (t->sets == 0) {
        return hf_cell_none();
    }
    const double value = (double)t->extra_sum[extra] / (double)t->sets * HF_LOAD_EXTRA_UNIT * unit;
    return row->is_exact
               ? hf_cell_estimate(value, value, value, hf_row_exact(row), word)
               : hf_cell_estimate(value, e.low * HF_LOAD_EXTRA_UNIT * unit, e.high * HF_LOAD_EXTRA_UNIT * unit, e.method, word);
}

static hf_cell largest(const hf_tally *t, unsigned extra) {
    return t->sets ? hf_cell_real((double)t->extra_max[extra] * HF_LOAD_EXTRA_UNIT) : hf_cell_none();
}

/* Walk the row once more, and ask which sets reach its largest load. Nothing is kept. */
static hf_status find_largest(const asking *a, const hf_row *row, char **names) {
    asking again = *a;
    const hf_inquiry inquiry = {.key = "largest load", .user = &again, .judge = judge};
    hf_campaign campaign = a->run.campaign;
    hf_result *result;
    again.reach = row->tally.extra_max[HF_LOAD_MAX];
    campaign.inquiry = &inquiry;
    campaign.f = &row->f;
    campaign.n_f = 1;
    campaign.journal = NULL;
    campaign.team = NULL;
    HF_TRY(hf_campaign_run(a->cx, &campaign, &result));
    const hf_tally *t = &result->row[0].tally;
    const hf_status status =
        hf_asked_campaign_names(a->cx, a->scene->universe, t->witness, t->has_witness ? row->f : 0, " ", names);
    hf_result_free(result);
    return status;
}

/* The sets that a row is remembered by. */
static hf_status add_witnesses(const asking *a, const hf_row *row, hf_cell *cell) {
    const hf_tally *t = &row->tally;
    char *names;
    if (a->args->largest_set && row->f > 0 && t->extra_max[HF_LOAD_MAX] > 0) {
        HF_TRY(find_largest(a, row, &names));
        cell[LARGEST_WITNESS] = hf_cell_word(names);
    }
    if (row->f > 0 && t->has_witness) {
        HF_TRY(hf_asked_campaign_names(a->cx, a->scene->universe, t->witness, row->f, " ", &names));
        cell[LOST_WITNESS] = hf_cell_word(names);
    }
    return HF_OK;
}

static hf_status add_row(const asking *a, const hf_row *row) {
    const hf_tally *t = &row->tally;
    const double full = largest(t, HF_LOAD_ALL).value;
    hf_cell cell[CELLS] = {{0}};
    char *word;
    HF_TRY(hf_asked_campaign_word(a->cx, &a->run.campaign, row, &word));
    cell[F] = hf_cell_count(row->f);
    cell[SETS] = hf_cell_count(t->sets);
    cell[MAX_LOAD] = mean_of(a, row, HF_LOAD_MAX, 1, word);
    cell[MAX_LOAD_LARGEST] = largest(t, HF_LOAD_MAX);
    cell[SATURATION] = mean_of(a, row, HF_LOAD_SATURATION, 1, word);
    cell[SATURATION_LEAST] = full > 0 ? hf_cell_real(1 / full) : hf_cell_none();
    cell[LOST_PERCENT] = mean_of(a, row, HF_LOAD_LOST, 100, word);
    cell[SETS_WITH_LOSS] = hf_cell_count(t->not_tolerated);
    cell[POPULATION] = hf_cell_word(row->population);
    cell[EXACT] = hf_cell_flag(row->is_exact);
    cell[COMPLETE] = hf_cell_flag(row->is_complete);
    cell[LOST] = mean_of(a, row, HF_LOAD_LOST, 1, word);
    cell[LOST_LARGEST] = largest(t, HF_LOAD_LOST);
    cell[MAX_LOAD_INTERVAL] = hf_cell_word(cell[MAX_LOAD].by);
    cell[SATURATION_INTERVAL] = hf_cell_word(cell[SATURATION].by);
    cell[LOST_INTERVAL] = hf_cell_word(cell[LOST].by);
    HF_TRY(add_witnesses(a, row, cell));
    put_row(a, cell, hf_json_null());
    return HF_OK;
}

static hf_status answer_sets(asking *a, const hf_asked *asked) {
    hf_campaign *campaign = &a->run.campaign;
    char *key;
    HF_TRY(make_key(a, &key));
    const hf_inquiry inquiry = {.key = key, .user = a, .judge = judge};
    HF_TRY(hf_asked_campaign_init(a->cx, asked, &a->args->sets, a->answer, &a->run));
    campaign->inquiry = &inquiry;
    campaign->threads = a->args->split == HF_SPLIT_OPTIMAL ? 1 : campaign->threads; /* GLPK works for one thread at a time */
    HF_TRY(hf_asked_campaign_run(a->cx, asked, &a->run));
    for (size_t i = 0; i < a->run.result->n_row; i++) {
        HF_TRY(add_row(a, &a->run.result->row[i]));
    }
    const bool is_sampled = campaign->method == HF_METHOD_SAMPLED;
    HF_TRY(note_units(a, "; means over the fault sets, of figures to 1e-9, the largest load and least saturation of any",
                      is_sampled ? hf_mean_note : ""));
    return hf_asked_campaign_explain(a->cx, &a->run);
}

/* ---- the question ---- */

/* What it is asked of; behind it what has failed, or what can fail. */
static hf_status make_title(asking *a) {
    const hf_scene *scene = a->scene;
    char *title;
    HF_TRY(hf_scratch_print(a->cx, &title, "%s, %s, traffic %s, split %s", scene->topo->spec, scene->rule.spec,
                            scene->traffic->spec, hf_split_name(a->args->split)));
    if (a->args->sets.faults) {
        const char *part = a->args->sets.part;
        HF_TRY(hf_scratch_print(a->cx, &title, "%s, faults among %" PRIu32 " %s%s%s", title, scene->universe->n_component,
                                scene->universe->spec, part ? ", part " : "", part ? part : ""));
    } else {
        char *failed;
        HF_TRY(hf_asked_failed(a->cx, &scene->failed, &failed));
        HF_TRY(hf_scratch_print(a->cx, &title, "%s%s", title, failed));
    }
    a->answer->title = title;
    return HF_OK;
}

static hf_status ask(hf_context *cx, const hf_asked *asked, hf_report *answer) {
    asking a = {
        .cx = cx, .scene = asked->scene, .args = asked->args, .run = {.allocator = *hf_context_allocator(cx)}, .answer = answer};
    hf_status status = make_title(&a);
    if (status == HF_OK) {
        status = a.args->sets.faults ? answer_sets(&a, asked) : answer_plan(&a);
    }
    hf_load_free(a.load);
    hf_asked_campaign_free(&a.run);
    return status;
}

static const hf_param params[] = {{.name = "worst-case",
                                   .type = HF_PARAM_BOOL,
                                   .fallback = "no",
                                   .help = "the permutation that loads a channel most, whatever the traffic",
                                   .without = "faults",
                                   HF_FIELD(load_args, worst_case)},
                                  {.name = "best",
                                   .type = HF_PARAM_BOOL,
                                   .fallback = "no",
                                   .help = "the least maximum load that any routing could do (small networks)",
                                   .without = "faults",
                                   HF_FIELD(load_args, best)},
                                  {.name = "largest-set",
                                   .type = HF_PARAM_BOOL,
                                   .fallback = "no",
                                   .help = "also the lowest set with the largest load of each row; walks the sets once more",
                                   .with = "faults",
                                   HF_FIELD(load_args, largest_set)},
                                  {0}};
static const hf_group group = {.name = "load", .params = params};
static const hf_question_part parts[] = {{.group = &hf_split_group, .at = offsetof(load_args, split)},
                                         {.group = &hf_some_faults_group, .at = offsetof(load_args, sets)},
                                         {.group = &group},
                                         {0}};
static const char *const tables[] = {"worst_permutation", "stages", "histogram", NULL};

const hf_question hf_question_load = {
    .name = "load",
    .summary = "find the load of the channels and the ideal throughput",
    .about = "Every terminal injects one flit per cycle and sends it as the traffic pattern says; a packet that is offered\n"
             "several hops takes each with the same share, the preferred one, or the best shares there are. Shows the load of\n"
             "the busiest channel between switches, as an exact fraction where it is one, and the throughput at which the\n"
             "busiest channel of all is full. With --faults, means over the plans of all fault sets of these sizes.\n\n"
             "Example: holdfast load --topology kary-tree:k=4,n=3 --routing updown --traffic uniform",
    .source = "dally2004, sections 3.2 and 9",
    .knows_flows = true,
    .scene = HF_SCENE_TOPOLOGY | HF_SCENE_ROUTING | HF_SCENE_TRAFFIC | HF_SCENE_FAILED,
    .scene_maybe = HF_SCENE_UNIVERSE,
    .traffic = "uniform",
    .parts = parts,
    .args_size = sizeof(load_args),
    .table = "loads",
    .columns = columns,
    .tables = tables,
    .walks = true,
    .ask = ask,
};
