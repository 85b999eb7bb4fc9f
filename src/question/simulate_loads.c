/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Loads: latency and accepted traffic of each, the curve, and the search for saturation. */
#include <inttypes.h>
#include <math.h>

#include <holdfast/format.h>

#include "src/analysis/deadlock/blocked.h"
#include "src/question/simulate.h"
#include "src/report/tree.h"

static const char of_traffic[] = "flits/cycle/terminal";

const hf_column hf_simulate_loads[] = {
    {"load", "load", of_traffic, HF_COLUMN_REAL, 6, 0},
    {"offered", "offered", of_traffic, HF_COLUMN_REAL, 4, 0},
    HF_SIMULATE_MEAN("accepted", "accepted", of_traffic, 4),
    HF_SIMULATE_MEAN("latency", "latency", "cycles", 5),
    HF_SIMULATE_MEAN("network_latency", "network latency", "cycles", 5),
    {"network_latency_max", "longest", "cycles", HF_COLUMN_BIG_COUNT, 6, HF_COLUMN_ASKED},
    {"packets", "packets", NULL, HF_COLUMN_BIG_COUNT, 6, 0},
    {"lost", "lost", NULL, HF_COLUMN_BIG_COUNT, 6, 0},
    {"refused", "refused", NULL, HF_COLUMN_BIG_COUNT, 6, 0},
    {"reordered", "reordered", NULL, HF_COLUMN_BIG_COUNT, 6, 0},
    {"retries", "retries", NULL, HF_COLUMN_BIG_COUNT, 6, 0},
    {"state", "state", "steady|not steady|saturated|saturated, not steady|deadlock", HF_COLUMN_WORD, 6, 0},
    {"best", "best", NULL, HF_COLUMN_FLAG, 6, 0},
    {"steady", "steady", NULL, HF_COLUMN_FLAG, 6, HF_COLUMN_ASKED},
    {"saturated", "saturated", NULL, HF_COLUMN_FLAG, 6, HF_COLUMN_ASKED},
    {"warm_up_cycles", "warm-up", "cycles", HF_COLUMN_BIG_COUNT, 6, HF_COLUMN_ASKED},
    {"cycles", "cycles", "cycles", HF_COLUMN_BIG_COUNT, 6, HF_COLUMN_ASKED},
    {"flit_hops", "flit hops", NULL, HF_COLUMN_BIG_COUNT, 6, HF_COLUMN_ASKED},
    {"latency_histogram", "histogram", NULL, HF_COLUMN_TREE, 6, HF_COLUMN_JSON},
    {"deadlock", "deadlock", NULL, HF_COLUMN_TREE, 6, HF_COLUMN_JSON},
    {0}};

typedef struct points {
    simulate *s;
    hf_point *point; /* s->n_load */
    uint32_t best;   /* of a search */
} points;

/* ---- rows ---- */

/* Of what is asked to be steady. */
static const char *state_of(const simulate *s, const hf_point *p) {
    const bool is_steady = p->is_saturated || s->args->s.steady_only ? hf_batch_is_steady(p->accepted) : p->is_steady;
    return p->n_blocked                    ? "deadlock"
           : p->is_saturated && !is_steady ? "saturated, not steady"
           : p->is_saturated               ? "saturated"
           : is_steady                     ? "steady"
                                           : "not steady";
}

static hf_json *json_deadlock(const simulate *s, const hf_point *p) {
    if (p->n_blocked == 0) {
        return hf_json_null();
    }
    hf_json *o = hf_json_object();
    hf_json_set(o, "cycle", hf_simulate_decimal(p->deadlock_cycle));
    hf_json_set(o, "blocked", hf_blocked_json(s->scene->topo, s->plan.n_vc, NULL, p->blocked, p->n_blocked));
    return o;
}

static void put_point(const points *of, const hf_point *p) {
    hf_report *r = of->s->answer;
    const uint64_t counts[] = {p->packets, p->lost, p->refused, p->reordered, p->retries};
    hf_report_cell(r, hf_cell_real(p->load));
    hf_report_cell(r, hf_cell_real(p->offered));
    hf_simulate_mean(r, p->accepted, HF_INTERVAL_BATCHES);
    hf_simulate_mean(r, p->latency, HF_INTERVAL_BATCHES);
    hf_simulate_mean(r, p->network_latency, HF_INTERVAL_BATCHES);
    hf_report_cell(r, hf_cell_count(p->network_latency_max));
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        hf_report_cell(r, hf_cell_count(counts[i]));
    }
    hf_report_cell(r, hf_cell_word(state_of(of->s, p)));
    hf_report_cell(r, of->s->args->saturation ? hf_cell_flag(p == of->point + of->best) : hf_cell_none());
    hf_report_cell(r, hf_cell_flag(p->is_steady));
    hf_report_cell(r, hf_cell_flag(p->is_saturated));
    hf_report_cell(r, hf_cell_count(p->warm_up));
    hf_report_cell(r, hf_cell_count(p->cycles));
    hf_report_cell(r, hf_cell_count(p->flit_hops));
    hf_report_tree(r, hf_simulate_bins(p->histogram));
    hf_report_tree(r, json_deadlock(of->s, p));
}

/* Counts that are 0 in every row. */
static void hide_counts(const points *of) {
    uint64_t lost = 0, refused = 0, reordered = 0, retries = 0;
    for (size_t i = 0; i < of->s->n_load; i++) {
        lost += of->point[i].lost;
        refused += of->point[i].refused;
        reordered += of->point[i].reordered;
        retries += of->point[i].retries;
    }
    const struct {
        const char *key;
        uint64_t sum;
    } counts[] = {{"lost", lost}, {"refused", refused}, {"reordered", reordered}, {"retries", retries}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        if (counts[i].sum == 0) {
            hf_report_hide(of->s->answer, counts[i].key);
        }
    }
}

static const hf_point *first_deadlock(const points *of) {
    for (size_t i = 0; i < of->s->n_load; i++) {
        if (of->point[i].n_blocked) {
            return &of->point[i];
        }
    }
    return NULL;
}

static bool some_are_accepted(const points *of) {
    bool some = false;
    for (size_t i = 0; i < of->s->n_load; i++) {
        some |= !of->point[i].is_saturated && of->point[i].n_blocked == 0;
    }
    return some;
}

static hf_status add_note(const points *of) {
    const simulate *s = of->s;
    const hf_point *best = of->point + of->best, *stuck = first_deadlock(of);
    char *note = NULL;
    if (s->args->saturation && of->best == HF_NONE) {
        HF_TRY(hf_asked_note(s->cx, &note,
                             some_are_accepted(of) ? "steady at no load that is accepted" : "saturated at every load"));
    } else if (s->args->saturation) {
        HF_TRY(hf_asked_note(s->cx, &note, "saturation: %.4f %s accepted at load %.6g", best->accepted.mean, of_traffic,
                             best->load));
    }
    if (stuck) {
        HF_TRY(hf_asked_note(s->cx, &note, "load %.6g: %" PRIu32 " packets wait for each other for ever, found in cycle %" PRIu64,
                             stuck->load, stuck->n_blocked, stuck->deadlock_cycle));
    }
    return hf_simulate_end_note(s, note);
}

/* ---- the curve ---- */

typedef struct curve {
    hf_plot plot;
    hf_plot_series series[2];
} curve;

static hf_status fill(const points *of, bool is_network, hf_plot_series *out) {
    hf_plot_point *point;
    const size_t n = of->s->n_load;
    HF_TRY(hf_scratch(of->s->cx, n, sizeof *point, (void **)&point));
    for (size_t i = 0; i < n; i++) {
        const hf_point *p = &of->point[i];
        const hf_batch_mean m = is_network ? p->network_latency : p->latency;
        point[i] = (hf_plot_point){.x = p->accepted.mean, .y = m.mean, .low = m.mean - m.half, .high = m.mean + m.half};
    }
    *out = (hf_plot_series){.name = is_network ? "in the network, from the header's leaving the source" : "from generation",
                            .point = point,
                            .n_point = n,
                            .is_joined = true};
    return HF_OK;
}

static hf_status make_curve(const points *of, curve *out) {
    const hf_scene *scene = of->s->scene;
    char *title;
    HF_TRY(hf_scratch_print(of->s->cx, &title, "%s, %s, traffic %s", scene->topo->spec, scene->rule.spec, scene->traffic->spec));
    HF_TRY(fill(of, false, &out->series[0]));
    HF_TRY(fill(of, true, &out->series[1]));
    out->plot = (hf_plot){.title = title,
                          .x = {.label = "accepted traffic (flits/cycle/terminal)", .has_zero = true},
                          .y = {.label = "latency (cycles)", .is_log = true},
                          .series = out->series,
                          .n_series = 2};
    return HF_OK;
}

static hf_status draw(const points *of) {
    curve c;
    HF_TRY(make_curve(of, &c));
    HF_TRY(of->s->args->sweep ? hf_simulate_add_plot(of->s, &c.plot) : HF_OK);
    return hf_asked_attach_plot(of->s->asked, of->s->answer, &c.plot);
}

/* ---- a search ---- */

void hf_simulate_take_saturation(const hf_point *point, uint32_t best, hf_batch_mean *at, hf_batch_mean *to_each) {
    *at = (hf_batch_mean){point[0].load / 2, point[0].load / 2, 1};
    *to_each = (hf_batch_mean){NAN, NAN, 1};
    if (best != HF_NONE) {
        const hf_point *p = &point[best];
        const double above = best + 1 < HF_SATURATION_POINTS ? p[1].load : 1, share = p->load * p->least_share;
        *at = (hf_batch_mean){(p->load + above) / 2, (above - p->load) / 2, p->accepted.steady};
        *to_each = (hf_batch_mean){share, share * p->accepted.half / p->accepted.mean, p->accepted.steady};
    }
}

/* What is published as a saturation point is the highest load that is accepted, so that stands for the interval. */
static void add_saturation(const points *of) {
    static const hf_column columns[] = {{"load", "highest load accepted", of_traffic, HF_COLUMN_ESTIMATE, 6, 0},
                                        {"load_half", "load +-", of_traffic, HF_COLUMN_REAL, 6, HF_COLUMN_ASKED},
                                        {"load_steady", "load is steady", NULL, HF_COLUMN_FLAG, 6, HF_COLUMN_ASKED},
                                        {"above", "lowest seen that is not", of_traffic, HF_COLUMN_REAL, 6, 0},
                                        HF_SIMULATE_MEAN("served_to_each", "served to each", of_traffic, 4),
                                        {"cycles", "cycles", "cycles", HF_COLUMN_BIG_COUNT, 6, HF_COLUMN_ASKED}};
    hf_report *r = of->s->answer;
    hf_batch_mean at, to_each;
    hf_simulate_take_saturation(of->point, of->best, &at, &to_each);
    HF_BEGIN(r, "saturation", columns);
    hf_report_place(r, NULL, true);
    hf_report_await(r);
    hf_report_cell(r, hf_cell_estimate(at.mean - at.half, at.mean - at.half, at.mean + at.half, HF_INTERVAL_BATCHES, NULL));
    hf_report_cell(r, hf_cell_real(at.half));
    hf_report_cell(r, hf_cell_flag(hf_batch_is_steady(at)));
    hf_report_cell(r, hf_cell_real(at.mean + at.half));
    hf_simulate_mean(r, to_each, HF_INTERVAL_BATCHES);
    hf_report_cell(r, of->best == HF_NONE ? hf_cell_none() : hf_cell_count(of->point[of->best].cycles));
}

/* ---- the answer ---- */

/* Of several loads that of which most is accepted. It rests on all of them: steady if each is at its share of the level
 * [Bonferroni]. */
static void keep_peak(points *of) {
    const size_t n = of->s->n_load;
    hf_point *best = of->point;
    double least = INFINITY;
    for (size_t i = 0; i < n; i++) {
        least = fmin(least, of->point[i].accepted.steady);
        best = of->point[i].accepted.mean > best->accepted.mean ? &of->point[i] : best;
    }
    best->accepted.steady = least * (double)n;
    best->is_steady &= hf_batch_is_steady(best->accepted);
    of->point = best;
    of->s->n_load = 1;
}

static hf_status add_tables(const points *of) {
    simulate *s = of->s;
    const hf_point *stuck = first_deadlock(of);
    for (size_t i = 0; i < s->n_load; i++) {
        put_point(of, &of->point[i]);
    }
    hide_counts(of);
    HF_TRY(add_note(of));
    HF_TRY(hf_simulate_head(s, NULL));
    if (s->args->saturation) {
        add_saturation(of);
    }
    hf_simulate_begin_windows(s->answer, true);
    for (size_t i = 0; i < s->n_load; i++) {
        hf_simulate_put_windows(s->answer, &of->point[i].load, of->point[i].window, of->point[i].n_window);
    }
    if (s->args->histogram) {
        hf_simulate_begin_histogram(s);
        for (size_t i = 0; i < s->n_load; i++) {
            hf_simulate_put_histogram(s, of->point[i].load, of->point[i].histogram);
        }
    }
    if (stuck) {
        HF_TRY(hf_simulate_add_blocked(s, stuck->blocked, stuck->n_blocked));
        HF_TRY(hf_simulate_attach_deadlock(s, stuck->blocked, stuck->n_blocked, &s->scene->failed));
    }
    s->answer->answer = stuck ? HF_ANSWER_NO : HF_ANSWER_YES;
    return draw(of);
}

hf_status hf_simulate_ask_loads(simulate *s) {
    points of = {.s = s, .best = HF_NONE};
    s->n_load = s->args->saturation ? HF_SATURATION_POINTS : s->n_load;
    HF_TRY(hf_scratch(s->cx, s->n_load, sizeof *of.point, (void **)&of.point));
    HF_TRY(s->args->saturation ? hf_simulate_saturation(s->cx, &s->s, of.point, &of.best)
                               : hf_simulate(s->cx, &s->s, s->load, s->n_load, of.point));
    if (s->args->peak) {
        keep_peak(&of);
    }
    return add_tables(&of);
}
