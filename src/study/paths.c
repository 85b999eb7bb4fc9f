/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cells that count paths: the closed form and a count of the plan must agree. */
#include <stdio.h>
#include <string.h>

#include "src/study/job.h"

/* Paths of the plan for these failed components (of `universe`; none: NULL). */
static hf_status count_paths(hf_context *cx, const hf_study_scene *scene, const hf_universe *universe, const uint32_t *component,
                             uint32_t f, hf_big *out) {
    const hf_mark mark = hf_scratch_mark(cx);
    hf_fault_set set;
    hf_plan plan;
    hf_status status = hf_fault_set_make(cx, universe, component, f, &set);
    status = status == HF_OK ? hf_plan_make(cx, &scene->rule, &set, &plan) : status;
    status = status == HF_OK ? hf_paths_count(cx, &plan, out) : status;
    hf_scratch_reset(cx, mark);
    return status;
}

static hf_status disagree(hf_context *cx, const char *what, const hf_big *formula, const hf_big *counted) {
    char *a = NULL, *b = NULL;
    hf_status status = hf_big_text(cx, formula, &a);
    status = status == HF_OK ? hf_big_text(cx, counted, &b) : status;
    if (status == HF_OK) {
        status =
            hf_context_fail(cx, HF_EINVAL, __FILE__, __LINE__, "%s: the closed form gives %s, counting gives %s", what, a, b);
    }
    hf_release(hf_context_allocator(cx), a);
    hf_release(hf_context_allocator(cx), b);
    return status;
}

static hf_status must_agree(hf_context *cx, const char *what, const hf_big *formula, const hf_big *counted) {
    return hf_big_compare(formula, counted) == 0 ? HF_OK : disagree(cx, what, formula, counted);
}

static hf_status take_value(hf_context *cx, const hf_big *num, const hf_big *den, hf_study_value *value) {
    *value = hf_study_exact(0, 1);
    if (!hf_big_get_u128(num, &value->num) || (den && !hf_big_get_u128(den, &value->den))) {
        HF_FAIL(cx, HF_ERANGE, "the number of paths is over 2^128");
    }
    snprintf(value->method, sizeof value->method, "closed form and counting");
    return HF_OK;
}

/* ---- all paths ---- */

typedef struct numbers {
    hf_universe *channels;
    hf_big *all, *formula, *rest;
} numbers;

static void numbers_free(numbers *n) {
    hf_universe_free(n->channels);
    hf_big_free(n->all);
    hf_big_free(n->formula);
    hf_big_free(n->rest);
}

static hf_status numbers_new(hf_context *cx, const hf_study_scene *scene, numbers *out) {
    HF_TRY(hf_universe_new(cx, scene->topo, "channels", NULL, &out->channels));
    HF_TRY(hf_big_new(cx, &out->all));
    HF_TRY(hf_big_new(cx, &out->formula));
    return hf_big_new(cx, &out->rest);
}

static hf_status need_tree(hf_context *cx, const hf_study_scene *scene, hf_kary_tree *tree) {
    if (!hf_kary_tree_shape(scene->topo, tree)) {
        HF_FAIL(cx, HF_ENOTSUP, "topology \"%s\" has no closed form for paths; need a kary-tree", scene->topo->spec);
    }
    return HF_OK;
}

static hf_status count_all(hf_context *cx, const hf_study_scene *scene, numbers *n) {
    hf_kary_tree tree;
    HF_TRY(need_tree(cx, scene, &tree));
    HF_TRY(hf_kary_tree_paths(cx, tree.k, tree.n, n->formula));
    HF_TRY(count_paths(cx, scene, n->channels, NULL, 0, n->all));
    return must_agree(cx, "paths without faults", n->formula, n->all);
}

hf_status hf_study_do_paths(hf_study_job *job, const hf_study_scene *scene) {
    numbers n = {0};
    hf_study_value value;
    hf_status status;
    HF_TRY_DONE(numbers_new(job->cx, scene, &n));
    HF_TRY_DONE(count_all(job->cx, scene, &n));
    HF_TRY_DONE(take_value(job->cx, n.all, NULL, &value));
    status = hf_study_add_line(job, HF_NONE, &value, NULL);
done:
    numbers_free(&n);
    return status;
}

/* ---- paths lost by one channel ---- */

static uint32_t component_of(const hf_universe *channels, uint32_t channel) {
    for (uint32_t i = 0; i < channels->n_component; i++) {
        if (channels->component[i].id == channel) {
            return i;
        }
    }
    return HF_NONE;
}

/* The first link above `stage`; hf_kary_tree_lost_paths() has checked that there is one. */
static uint32_t link_above(const hf_topology *topo, uint32_t stage) {
    const hf_attribute *stages = hf_topology_attribute(topo, "stage");
    for (uint32_t link = 0; stages && link < topo->n_switch_link; link++) {
        if (stages->of_link[link] == stage) {
            return link;
        }
    }
    return HF_NONE;
}

/* Without one channel, all = formula + rest. */
static hf_status check_channel(hf_context *cx, const hf_study_scene *scene, const numbers *n, uint32_t channel) {
    const uint32_t component = component_of(n->channels, channel);
    char what[96], name[64];
    hf_topology_channel_name(scene->topo, channel, name, sizeof name);
    snprintf(what, sizeof what, "paths lost by channel %s", name);
    HF_TRY(count_paths(cx, scene, n->channels, &component, 1, n->rest));
    hf_big *lost;
    HF_TRY(hf_big_new(cx, &lost));
    hf_big_copy(lost, n->all);
    hf_big_sub(lost, n->rest);
    const hf_status status = must_agree(cx, what, n->formula, lost);
    hf_big_free(lost);
    return status;
}

static hf_status count_lost(hf_context *cx, const hf_study_scene *scene, numbers *n) {
    hf_kary_tree tree;
    HF_TRY(count_all(cx, scene, n));
    HF_TRY(need_tree(cx, scene, &tree));
    HF_TRY(hf_kary_tree_lost_paths(cx, tree.k, tree.n, scene->cell->stage, n->formula));
    const uint32_t link = link_above(scene->topo, scene->cell->stage);
    HF_TRY(check_channel(cx, scene, n, scene->topo->forward[link]));
    return check_channel(cx, scene, n, scene->topo->backward[link]);
}

hf_status hf_study_do_lost_paths(hf_study_job *job, const hf_study_scene *scene) {
    numbers n = {0};
    hf_study_value value;
    hf_status status;
    HF_TRY_DONE(numbers_new(job->cx, scene, &n));
    HF_TRY_DONE(count_lost(job->cx, scene, &n));
    HF_TRY_DONE(take_value(job->cx, n.formula, scene->cell->show == HF_SHOW_PERCENT_LOST ? n.all : NULL, &value));
    status = hf_study_add_line(job, HF_NONE, &value, NULL);
done:
    numbers_free(&n);
    return status;
}
