/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables and drawing of an exploration. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/study/explore.h"

enum { COLUMNS = 12, SERIES = 6 };

/* ---- the table ---- */

static int by_cost(const void *a, const void *b) {
    const hf_design *const *x = a, *const *y = b;
    if ((*x)->cost != (*y)->cost) {
        return (*x)->cost < (*y)->cost ? -1 : 1;
    }
    return *x < *y ? -1 : *x > *y; /* the order of the file */
}

/* How a tolerance is known, in words. */
static hf_status say_proof(hf_context *cx, const hf_exploration *e, const hf_design *d, char **out) {
    if (d->proof != HF_TOLERANCE_SAMPLED) {
        return hf_scratch_print(cx, out, "%s",
                                d->proof == HF_TOLERANCE_PROVED ? "proved, at least" : hf_tolerance_proof_name(d->proof));
    }
    return hf_scratch_print(cx, out, "%" PRIu64 " samples; proved %" PRIu32 " to %" PRIu32, e->sets, d->least, d->most);
}

#define CELL(...)                                                                                                                \
    do {                                                                                                                         \
        char *cell_;                                                                                                             \
        HF_TRY(hf_scratch_print(cx, &cell_, __VA_ARGS__));                                                                       \
        *cell++ = cell_;                                                                                                         \
    } while (0)

static hf_status fill_row(hf_context *cx, const hf_exploration *e, const hf_design *d, const char **cell) {
    const bool is_known = d->proof != HF_TOLERANCE_UNKNOWN;
    char *proof;
    CELL("%s", d->on_front ? "front" : d->verdict == HF_DESIGN_KEPT ? "beaten" : "out");
    CELL("%s", d->topology);
    CELL("%s", d->routing);
    CELL("%" PRIu32, d->n_terminal);
    CELL("%" PRIu32, d->n_switch);
    CELL("%" PRIu32, d->n_link);
    CELL("%.4f", d->cost);
    CELL(is_known ? "%.4f" : "-", d->throughput);
    CELL(is_known ? "%" PRIu32 : "-", d->tolerance);
    HF_TRY(say_proof(cx, e, d, &proof));
    *cell++ = proof;
    CELL("%s%s", is_known || d->verdict == HF_DESIGN_DEADLOCK ? hf_deadlock_answer_name(d->deadlock) : "-",
         d->needs_bubbles ? " with bubbles" : "");
    CELL("%s", d->verdict == HF_DESIGN_KEPT ? "" : hf_design_verdict_name(d->verdict));
    return HF_OK;
}

hf_status hf_designs_table(hf_context *cx, const hf_exploration *e, const hf_designs *designs, bool all, hf_table *out) {
    static const char *const header[COLUMNS] = {"verdict", "topology",   "routing",   "terminals", "switches", "links",
                                                "cost",    "throughput", "tolerance", "known by",  "deadlock", "out by"};
    static const bool is_number[COLUMNS] = {false, false, false, true, true, true, true, true, true, false, false, false};
    const hf_design **shown;
    const char **cell;
    size_t n = 0;
    HF_TRY(hf_scratch(cx, designs->n, sizeof *shown, (void **)&shown));
    for (size_t i = 0; i < designs->n; i++) {
        if (all || designs->design[i].on_front) {
            shown[n++] = &designs->design[i];
        }
    }
    qsort(shown, n, sizeof *shown, by_cost);
    HF_TRY(hf_scratch(cx, n * COLUMNS + 1, sizeof *cell, (void **)&cell));
    for (size_t i = 0; i < n; i++) {
        HF_TRY(fill_row(cx, e, shown[i], cell + i * COLUMNS));
    }
    *out = (hf_table){
        .title = e->frame.title, .n_column = COLUMNS, .n_row = n, .header = header, .cell = cell, .is_number = is_number};
    return HF_OK;
}

/* ---- the drawing ---- */

/* Designs that are beaten come first, then the front by tolerance: 0, 1, ... and all above the last. */
static bool belongs(const hf_design *d, size_t series) {
    if (series == 0) {
        return d->verdict == HF_DESIGN_KEPT && !d->on_front;
    }
    return d->on_front && (d->tolerance == series - 1 || (series == SERIES - 1 && d->tolerance >= series));
}

static hf_status fill_series(hf_context *cx, const hf_designs *designs, size_t which, hf_plot_series *out) {
    hf_plot_point *point;
    HF_TRY(hf_scratch(cx, designs->n + 1, sizeof *point, (void **)&point));
    for (size_t i = 0; i < designs->n; i++) {
        const hf_design *d = &designs->design[i];
        if (belongs(d, which)) {
            point[out->n_point++] = (hf_plot_point){.x = d->cost, .y = d->throughput, .label = which ? d->topology : NULL};
        }
    }
    out->point = point;
    char *name;
    HF_TRY(which == 0
               ? hf_scratch_print(cx, &name, "beaten by a design of the front")
               : hf_scratch_print(cx, &name, "front, tolerates %zu%s faults", which - 1, which == SERIES - 1 ? " or more" : ""));
    out->name = out->n_point ? name : NULL;
    out->is_pale = which == 0;
    return HF_OK;
}

hf_status hf_designs_plot(hf_context *cx, const hf_exploration *e, const hf_designs *designs, hf_text *out) {
    hf_plot_series series[SERIES] = {{0}};
    char *y;
    const hf_mark mark = hf_scratch_mark(cx);
    for (size_t i = 0; i < SERIES; i++) {
        HF_TRY(fill_series(cx, designs, i, &series[i]));
    }
    HF_TRY(hf_scratch_print(cx, &y, "ideal throughput, %s (flits/cycle/terminal)", e->traffic));
    const hf_plot plot = {.title = e->frame.title,
                          .x = {.label = "cost of a terminal, relative to the reference", .has_zero = true},
                          .y = {.label = y, .has_zero = true},
                          .series = series,
                          .n_series = SERIES};
    const hf_status status = hf_format_plot(cx, &plot, out);
    hf_scratch_reset(cx, mark);
    return status;
}
