/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cells that judge fault sets: shares of them, mean victims, and how many faults are always tolerated. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/core/registry.h"
#include "src/study/job.h"

/* ---- rows of a campaign ---- */

/* The 95% interval of the mean number of victims. The tally keeps no sum of squares; its histogram bounds it from above, so the
 * interval is somewhat wide, never too narrow. At most every channel of a switch is a victim for every terminal. */
static hf_mean_estimate bound_victims(const hf_tally *t, const hf_topology *topo) {
    double squares = 0;
    for (int b = 1; b < HF_HISTOGRAM_BINS; b++) {
        const double edge = ldexp(1, b) - 1, top = edge < (double)t->victims_max ? edge : (double)t->victims_max;
        squares += (double)t->victims_histogram[b] * top * top;
    }
    const hf_sample sample = {.n = t->sets,
                              .sum = (double)t->victims_sum,
                              .squares = squares,
                              .largest = (double)t->victims_max,
                              .most = (double)topo->n_channel * topo->n_terminal};
    return hf_estimate_mean(&sample, 0.95);
}

static void take_mean(const hf_mean_estimate *e, hf_u128 sum, uint64_t n, hf_study_value *value) {
    value->num = sum;
    value->den = n ? n : 1;
    value->low = e->low;
    value->high = e->high;
    if (!value->is_exact) {
        (void)snprintf(value->method + strlen(value->method), sizeof value->method - strlen(value->method), ", %s",
                       hf_interval_method_name(e->method));
    }
}

static bool shows_class(const hf_study_cell *cell) {
    return cell->show == HF_SHOW_CLASS_COUNT || cell->show == HF_SHOW_CLASS_PERCENT;
}

/* Does the routing name the class or measure that is to be shown? */
static hf_status check_shown(hf_context *cx, const hf_study_cell *cell, const hf_routing *routing) {
    const char *const *list = shows_class(cell) ? hf_measures_of(routing)->outcomes : hf_measures_of(routing)->extras;
    size_t i;
    if (!cell->shown) {
        return HF_OK;
    }
    if (!list) {
        HF_FAIL(cx, HF_EINVAL, "routing \"%s\" names no %s", routing->name, shows_class(cell) ? "classes" : "measures");
    }
    return hf_words_need(cx, shows_class(cell) ? "class" : "measure", list, hf_slice_of(cell->shown), &i);
}

static bool is_mean(hf_study_show show) { return show == HF_SHOW_MEASURE_MEAN || show == HF_SHOW_MEASURE_TOLERATED; }

/* What the routing itself names. A mean over tolerated sets is one of a measure that counts nothing in the others. */
static void value_of_own(const hf_study_cell *cell, const hf_study_scene *scene, const hf_row *row, hf_study_value *value) {
    const hf_tally *t = &row->tally;
    const hf_routing *routing = scene->rule.routing;
    const size_t i = hf_words_find(shows_class(cell) ? hf_measures_of(routing)->outcomes : hf_measures_of(routing)->extras,
                                   hf_slice_of(cell->shown));
    if (is_mean(cell->show)) {
        const uint64_t n = cell->show == HF_SHOW_MEASURE_TOLERATED ? t->sets - t->not_tolerated : t->sets;
        hf_sample sample = hf_tally_sample(t, i, hf_extra_most(&hf_measures_of(routing)->notes[i], scene->topo));
        sample.n = n;
        const hf_mean_estimate e = hf_estimate_mean(&sample, 0.95);
        take_mean(&e, t->extra_sum[i], n, value);
        return;
    }
    value->den = cell->show == HF_SHOW_CLASS_PERCENT ? t->sets : 1;
    value->num = shows_class(cell) ? t->outcome[i] : cell->show == HF_SHOW_MEASURE_MAX ? t->extra_max[i] : t->extra_sum[i];
    if (!row->is_exact) {
        const hf_estimate e = hf_estimate_proportion(t->outcome[i], t->sets, 0.95);
        const double scale = cell->show == HF_SHOW_CLASS_COUNT ? (double)t->sets : 1;
        value->low = e.low * scale;
        value->high = e.high * scale;
    }
}

static void value_of_row(const hf_study_cell *cell, const hf_study_scene *scene, const hf_row *row, hf_study_value *value) {
    const hf_tally *t = &row->tally;
    hf_mean_estimate victims;
    *value = hf_study_exact(t->not_tolerated, t->sets);
    value->is_exact = row->is_exact;
    value->low = row->fraction.low;
    value->high = row->fraction.high;
    value->from_store = row->resumed_sets == t->sets;
    value->is_accepted = row->accepted_sets > 0;
    if (row->is_exact) {
        snprintf(value->method, sizeof value->method, "exhaustive, %" PRIu64 " sets", t->sets);
    } else {
        snprintf(value->method, sizeof value->method, "sampled, %" PRIu64 " sets, seed %" PRIu64, t->sets, cell->seed);
    }
    switch (cell->show) {
    case HF_SHOW_PERCENT_TOLERATED:
        value->num = t->sets - t->not_tolerated;
        value->low = 1 - row->fraction.high;
        value->high = 1 - row->fraction.low;
        break;
    case HF_SHOW_COUNT_NOT_TOLERATED:
        value->den = 1;
        value->low = row->fraction.low * (double)t->sets;
        value->high = row->fraction.high * (double)t->sets;
        break;
    case HF_SHOW_VICTIMS_MEAN:
        victims = bound_victims(t, scene->topo);
        take_mean(&victims, t->victims_sum, t->sets, value);
        break;
    default:
        if (cell->shown) {
            value_of_own(cell, scene, row, value);
        }
        break;
    }
}

hf_status hf_study_do_tolerance(hf_study_job *job, const hf_study_scene *scene) {
    const hf_study_cell *cell = scene->cell;
    const hf_result *result;
    HF_TRY(check_shown(job->cx, cell, scene->rule.routing));
    HF_TRY(hf_study_campaign(job, scene, cell->method, cell->f, cell->n_f, &result));
    for (size_t i = 0; i < result->n_row; i++) {
        hf_study_value value;
        if (cell->show == HF_SHOW_VICTIMS_MEAN && !result->row[i].has_victims) {
            HF_FAIL(job->cx, HF_EINVAL, "victims are not measured for \"%s\"; need another value in \"show\"", scene->rule.spec);
        }
        value_of_row(cell, scene, &result->row[i], &value);
        HF_TRY(hf_study_add_line(job, cell->n_f > 1 ? result->row[i].f : HF_NONE, &value, NULL));
    }
    return HF_OK;
}

/* ---- the number of faults that is always tolerated ---- */

/* The bound's witness, for a row that would be long to enumerate. NULL where there is no class bound. */
static hf_status try_bound(hf_context *cx, const hf_study_scene *scene, hf_bound **out) {
    *out = NULL;
    const hf_status status = hf_bound_make(cx, scene->universe, &scene->rule, out);
    if (status == HF_ENOTSUP) {
        hf_context_clear(cx);
        return HF_OK;
    }
    return status;
}

static hf_status judge_witness(hf_context *cx, const hf_study_scene *scene, const hf_bound *bound, bool *tolerated) {
    const hf_mark mark = hf_scratch_mark(cx);
    hf_fault_set set;
    hf_plan plan;
    hf_verdict verdict = {0};
    hf_status status = hf_fault_set_make(cx, scene->universe, bound->witness, bound->n_witness, &set);
    status = status == HF_OK ? hf_plan_make(cx, &scene->rule, &set, &plan) : status;
    status = status == HF_OK ? hf_tolerance_judge(cx, &plan, &scene->cell->criterion, false, &verdict) : status;
    *tolerated = verdict.tolerated;
    hf_scratch_reset(cx, mark);
    return status;
}

static hf_status row_is_tolerated(hf_study_job *job, const hf_study_scene *scene, uint32_t f, bool *out, hf_study_value *value) {
    const hf_result *result;
    HF_TRY(hf_study_campaign(job, scene, HF_METHOD_EXHAUSTIVE, &f, 1, &result));
    *out = result->row[0].tally.not_tolerated == 0;
    value->from_store &= result->row[0].resumed_sets == result->row[0].tally.sets;
    value->is_accepted |= result->row[0].accepted_sets > 0;
    return HF_OK;
}

/* Rows are enumerated one after the other until one holds a set that is not tolerated. */
static hf_status enumerate(hf_study_job *job, const hf_study_scene *scene, const hf_bound *bound, hf_study_value *value) {
    bool tolerated = true, by_witness = false;
    uint32_t f = 0;
    value->from_store = true;
    for (; tolerated && f <= scene->universe->n_component; f++) {
        if (bound && f == bound->n_witness) {
            HF_TRY(judge_witness(job->cx, scene, bound, &tolerated));
            by_witness = !tolerated;
        }
        if (tolerated) {
            HF_TRY(row_is_tolerated(job, scene, f, &tolerated, value));
        }
    }
    if (!tolerated && f == 1) {
        HF_FAIL(job->cx, HF_EINVAL, "even without faults not every pair is served");
    }
    value->num = tolerated ? f - 1 : f - 2;
    if (by_witness) {
        snprintf(value->method, sizeof value->method, "exhaustive to f=%" PRIu32 ", witness of %" PRIu32 " faults", f - 2, f - 1);
    } else {
        snprintf(value->method, sizeof value->method, "exhaustive to f=%" PRIu32, f - 1);
    }
    return HF_OK;
}

static hf_status add_certified(hf_study_job *job, const hf_study_scene *scene) {
    hf_context *cx = job->cx;
    hf_bound *bound = NULL;
    bool ok = false;
    hf_status status = hf_bound_make(cx, scene->universe, &scene->rule, &bound);
    status = status == HF_OK ? hf_bound_check(cx, scene->universe, &scene->rule, bound, &ok) : status;
    if (status == HF_OK && ok) {
        hf_study_value value = hf_study_exact(bound->n_class - 1, 1);
        snprintf(value.method, sizeof value.method, "certified, %" PRIu32 " classes, witness of %" PRIu32 " faults",
                 bound->n_class, bound->n_witness);
        status = hf_study_add_line(job, HF_NONE, &value, NULL);
    } else if (status == HF_ENOTSUP || status == HF_OK) {
        status = hf_study_add_line(job, HF_NONE, NULL, hf_context_message(cx));
        hf_context_clear(cx);
    }
    hf_bound_free(bound);
    return status;
}

hf_status hf_study_do_tolerated_faults(hf_study_job *job, const hf_study_scene *scene) {
    if (scene->cell->by_certificate) {
        return add_certified(job, scene);
    }
    hf_bound *bound;
    hf_study_value value = hf_study_exact(0, 1);
    HF_TRY(try_bound(job->cx, scene, &bound));
    hf_status status = enumerate(job, scene, bound, &value);
    status = status == HF_OK ? hf_study_add_line(job, HF_NONE, &value, NULL) : status;
    hf_bound_free(bound);
    return status;
}
