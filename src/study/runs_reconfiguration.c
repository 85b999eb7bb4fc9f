/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs through faults: all components of a set at once, or one after the other in a random order. */
#include "src/study/runs.h"

#include <math.h>
#include <string.h>

#include <holdfast/core/random.h>

/* A plan for each number of components that have failed. */
static hf_status plan_events(hf_context *cx, const hf_study_scene *scene, const hf_study_sim *run, hf_kernel_fault *event) {
    const hf_study_reconfiguration *r = &scene->cell->simulation.reconfiguration;
    uint32_t *order;
    hf_fault_set *failed;
    hf_plan *plan;
    hf_random random;
    HF_TRY(hf_scratch(cx, run->n_set, sizeof *order, (void **)&order));
    HF_TRY(hf_scratch(cx, run->n_set, sizeof *failed, (void **)&failed));
    HF_TRY(hf_scratch(cx, run->n_set, sizeof *plan, (void **)&plan));
    memcpy(order, run->set, run->n_set * sizeof *order);
    hf_random_init(&random, scene->cell->seed, HF_PURPOSE_ORDER, run->n_set);
    hf_random_shuffle(&random, order, run->n_set);
    for (uint32_t i = 0; i < run->n_set; i++) {
        HF_TRY(hf_fault_set_make(cx, scene->universe, order, i + 1, &failed[i]));
        HF_TRY(hf_plan_make(cx, &scene->rule, &failed[i], &plan[i]));
        event[i] = (hf_kernel_fault){.cycle = r->fault + i * r->every, .faults = &failed[i], .plan = &plan[i]};
    }
    return HF_OK;
}

static hf_status plan_at_once(hf_context *cx, const hf_study_scene *scene, const hf_fault_set *faults, hf_kernel_fault *event) {
    hf_plan *plan;
    HF_TRY(hf_scratch(cx, 1, sizeof *plan, (void **)&plan));
    *event = (hf_kernel_fault){.cycle = scene->cell->simulation.reconfiguration.fault, .faults = faults, .plan = plan};
    return hf_plan_make(cx, &scene->rule, faults, plan);
}

hf_status hf_study_run_reconfiguration(hf_context *cx, const hf_study_scene *scene, const hf_simulation *s,
                                       const hf_fault_set *faults, const hf_study_sim *run, hf_history *out) {
    const hf_study_reconfiguration *r = &scene->cell->simulation.reconfiguration;
    const uint32_t n = r->every ? run->n_set : 1;
    hf_kernel_fault *event;
    HF_TRY(hf_scratch(cx, n, sizeof *event, (void **)&event));
    HF_TRY(r->every ? plan_events(cx, scene, run, event) : plan_at_once(cx, scene, faults, event));
    *out = (hf_history){
        .simulation = s, .load = run->load, .fault = event, .n_fault = n, .options = r->options, .cycles = r->cycles};
    out->options.message_length = s->kernel.packet_length;
    return hf_history_run(cx, out);
}

/* Cycles from the detection of the first fault to the last change of a table; NaN: it did not end. */
static double cycles_of(const hf_history *h) {
    const double known = (double)h->fault[0].cycle + (double)h->options.detection_cycles;
    double last = known;
    for (uint32_t i = 0; i < h->n_fault; i++) {
        last = h->reconfiguration[i].is_finished ? fmax(last, (double)h->reconfiguration[i].finished) : NAN;
        if (isnan(last)) {
            break;
        }
    }
    return last - known;
}

void hf_study_take_reconfiguration(const hf_history *h, hf_study_point *out) {
    double late = 0, hit = 0, messages = 0;
    for (uint32_t i = 0; i < h->n_fault; i++) {
        late += (double)h->reconfiguration[i].lost_late;
        hit += (double)h->reconfiguration[i].hit;
        messages += (double)h->reconfiguration[i].messages;
    }
    const double shown[] = {h->accepted[0].mean, h->accepted[1].mean,   h->accepted[2].mean,
                            cycles_of(h),        (double)h->lost,       late,
                            (double)h->deviated, (double)h->lost - hit, messages};
    _Static_assert(sizeof shown == sizeof out->reconfiguration, "as many as there are shows of a reconfiguration");
    out->cycles = 0;
    out->phase[0] = h->accepted[0];
    out->phase[1] = h->accepted[2];
    memcpy(out->reconfiguration, shown, sizeof shown);
    out->is_blocked = h->n_blocked > 0;
}
