/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cells about what a reconfiguration takes, and about faults until a network parts. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <holdfast/campaign.h>

#include "src/study/job.h"

/* ---- reconfiguration ---- */

/* Takes "TEXT/" off the front of *rest. */
static bool take_word(const char **rest, const char *text) {
    const size_t size = strlen(text);
    const bool is_there = strncmp(*rest, text, size) == 0 && (*rest)[size] == '/';
    *rest += is_there ? size + 1 : 0;
    return is_there;
}

/* The quantity whose assumption is as shown, else the first that begins so. */
static hf_status find_effort(hf_context *cx, const hf_study_scene *scene, size_t *out) {
    const hf_routing *routing = scene->rule.routing;
    *out = SIZE_MAX;
    for (size_t i = 0; routing->efforts && routing->efforts->quantities[i].phase; i++) {
        const hf_effort *e = &routing->efforts->quantities[i];
        const char *rest = scene->cell->shown;
        const bool is_kind = take_word(&rest, e->phase) && take_word(&rest, e->quantity);
        if (is_kind && strcmp(e->assumption, rest) == 0) {
            *out = i;
            return HF_OK;
        }
        if (is_kind && *out == SIZE_MAX && strncmp(e->assumption, rest, strlen(rest)) == 0) {
            *out = i;
        }
    }
    if (*out != SIZE_MAX) {
        return HF_OK;
    }
    HF_FAIL(cx, HF_ENOENT, "routing \"%s\" has no quantity \"%s\"", routing->name, scene->cell->shown);
}

static hf_status add_row(hf_study_job *job, const hf_study_scene *scene, const hf_effort_row *row, size_t i) {
    const hf_study_cell *cell = scene->cell;
    const hf_effort_value *v = &row->value[i];
    hf_study_value value = hf_study_exact(cell->show == HF_SHOW_LEAST ? v->lowest : v->highest, 1);
    const uint32_t f = cell->n_f > 1 ? row->f : HF_NONE;
    if (v->sets == 0) {
        return hf_study_add_line(job, f, NULL, "not known under these faults");
    }
    snprintf(value.method, sizeof value.method, "%s, %" PRIu64 " sets%s", row->is_exact ? "exhaustive" : "sampled", v->sets,
             v->sets < row->sets ? " simulated" : "");
    return hf_study_add_line(job, f, &value, NULL);
}

hf_status hf_study_do_effort(hf_study_job *job, const hf_study_scene *scene) {
    const hf_study_cell *cell = scene->cell;
    size_t i;
    HF_TRY(find_effort(job->cx, scene, &i));
    const hf_effort_request request = {.universe = scene->universe,
                                       .rule = &scene->rule,
                                       .f = cell->f,
                                       .n_f = cell->n_f,
                                       .samples = cell->samples,
                                       .seed = cell->seed,
                                       .simulated = scene->rule.routing->efforts->quantities[i].is_simulated,
                                       .costs = {.hop_cycles = 100, .packet_cycles = 1000},
                                       .threads = job->options->threads};
    hf_effort_result *result;
    HF_TRY(hf_effort_run(job->cx, &request, &result));
    hf_status status = HF_OK;
    for (size_t k = 0; k < result->n_row && status == HF_OK; k++) {
        status = add_row(job, scene, &result->row[k], i);
    }
    hf_effort_free(result);
    return status;
}

/* ---- the limit of connectivity ---- */

static void name_orders(const hf_study_cell *cell, hf_study_value *value) {
    value->is_exact = false;
    snprintf(value->method, sizeof value->method, "%" PRIu64 " random orders, seed %" PRIu64, cell->samples, cell->seed);
}

static hf_status add_mean(hf_study_job *job, const hf_study_cell *cell, const hf_limit *limit) {
    hf_u128 sum = 0;
    uint64_t parted = 0;
    for (uint32_t i = 0; i <= limit->n; i++) {
        sum += (hf_u128)limit->parted[i] * i;
        parted += limit->parted[i];
    }
    hf_study_value value = hf_study_exact(sum, parted > 0 ? parted : 1);
    value.low = limit->mean_low;
    value.high = limit->mean_high;
    name_orders(cell, &value);
    (void)snprintf(value.method + strlen(value.method), sizeof value.method - strlen(value.method), ", %s",
                   hf_interval_method_name(limit->mean_interval));
    return hf_study_add_line(job, HF_NONE, &value, NULL);
}

static hf_status add_share(hf_study_job *job, const hf_study_cell *cell, const hf_limit *limit, uint32_t f) {
    const uint64_t parted = limit->below[f < limit->n ? f : limit->n];
    const hf_estimate e = hf_estimate_proportion(parted, limit->orders, 0.95);
    hf_study_value value = hf_study_exact(parted, limit->orders);
    value.low = e.low;
    value.high = e.high;
    name_orders(cell, &value);
    return hf_study_add_line(job, cell->n_f > 1 ? f : HF_NONE, &value, NULL);
}

hf_status hf_study_do_limit(hf_study_job *job, const hf_study_scene *scene) {
    const hf_study_cell *cell = scene->cell;
    hf_limit *limit;
    if ((cell->show == HF_SHOW_PERCENT_PARTED) != (cell->n_f > 0)) {
        HF_FAIL(job->cx, HF_EINVAL, "percent-parted goes with f, mean-parted without");
    }
    HF_TRY(hf_limit_run(
        job->cx, &(hf_limit_request){scene->universe, cell->samples, cell->seed, job->options->threads, NULL, NULL}, &limit));
    hf_status status = cell->show == HF_SHOW_MEAN_PARTED ? add_mean(job, cell, limit) : HF_OK;
    for (size_t i = 0; i < cell->n_f && status == HF_OK; i++) {
        status = add_share(job, cell, limit, cell->f[i]);
    }
    hf_limit_free(limit);
    return status;
}
