/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What a series of windows looks like: accepted traffic, or latency, over time, with what failed and when the tables were new.
 *  */
#include <inttypes.h>
#include <math.h>

#include "src/question/simulate.h"

enum { NAMED_MOST = 4, N_SERIES = 3 };

static double value_of(const hf_kernel_window *w, bool is_latency) { return is_latency ? w->latency : w->accepted; }

/* Where the drawn line is at a cycle: an event stands on it. NaN where it is broken, or ended. */
static double value_at(const hf_simulate_series *a, uint64_t cycle, bool is_latency) {
    for (size_t i = 0; i < a->n_window; i++) {
        const hf_kernel_window *w = &a->window[i], *before = i ? w - 1 : w;
        if (cycle <= w->cycle) {
            const double length = (double)(w->cycle - before->cycle), from = value_of(before, is_latency);
            return i ? from + (value_of(w, is_latency) - from) * (double)(cycle - before->cycle) / length : from;
        }
    }
    return NAN;
}

static hf_status fill_windows(hf_context *cx, const hf_simulate_series *a, bool is_latency, hf_plot_series *out) {
    hf_plot_point *point;
    HF_TRY(hf_scratch(cx, a->n_window, sizeof *point, (void **)&point));
    for (size_t i = 0; i < a->n_window; i++) {
        const double value = value_of(&a->window[i], is_latency);
        point[i] = (hf_plot_point){.x = (double)a->window[i].cycle, .y = value, .low = value, .high = value};
    }
    *out =
        (hf_plot_series){.name = is_latency ? "latency" : "accepted", .point = point, .n_point = a->n_window, .is_joined = true};
    return HF_OK;
}

/* Where something fails, named where names are few, and where the last table changed after it. */
static hf_status fill_events(hf_context *cx, const hf_simulate_series *a, bool is_latency, hf_plot_series *failed,
                             hf_plot_series *changed) {
    const uint32_t n = a->events->n;
    hf_plot_point *at[2];
    size_t n_failed = 0, n_changed = 0;
    for (int i = 0; i < 2; i++) {
        HF_TRY(hf_scratch(cx, n, sizeof *at[i], (void **)&at[i]));
    }
    for (uint32_t i = 0; i < n && a->reconfiguration[i].cycle != UINT64_MAX; i++) {
        const hf_kernel_reconfiguration *was = &a->reconfiguration[i];
        at[0][n_failed++] = (hf_plot_point){.x = (double)was->cycle,
                                            .y = value_at(a, was->cycle, is_latency),
                                            .label = n <= NAMED_MOST ? a->events->event[i].names : NULL};
        if (was->is_finished) {
            at[1][n_changed++] = (hf_plot_point){.x = (double)was->finished, .y = value_at(a, was->finished, is_latency)};
        }
    }
    *failed = (hf_plot_series){.name = "fault", .point = at[0], .n_point = n_failed};
    *changed = (hf_plot_series){.name = "last table changed", .point = at[1], .n_point = n_changed};
    return HF_OK;
}

hf_status hf_simulate_draw_series(simulate *s, const hf_simulate_series *a) {
    const hf_scene *scene = s->scene;
    const bool is_latency = s->args->draw == HF_SIMULATE_DRAW_LATENCY;
    hf_plot_series series[N_SERIES];
    char *title;
    HF_TRY(hf_scratch_print(s->cx, &title, "%s, %s, %s", scene->topo->spec, scene->rule.spec, a->what));
    HF_TRY(fill_windows(s->cx, a, is_latency, &series[0]));
    HF_TRY(fill_events(s->cx, a, is_latency, &series[1], &series[2]));
    const hf_plot plot = {.title = title,
                          .x = {.label = "cycle", .has_zero = true},
                          .y = {.label = is_latency ? "latency (cycles)" : "accepted (flits/cycle/terminal)",
                                .is_log = is_latency,
                                .has_zero = !is_latency},
                          .series = series,
                          .n_series = N_SERIES};
    HF_TRY(hf_asked_given(s->asked, "draw") ? hf_simulate_add_plot(s, &plot) : HF_OK);
    return hf_asked_attach_plot(s->asked, s->answer, &plot);
}
