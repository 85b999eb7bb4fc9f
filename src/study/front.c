/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The front of a study: which of its designs are within the limits, and which of these no other beats. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <holdfast/format.h>

#include "src/report/note.h"
#include "src/study/job.h"

/* ---- running ---- */

const char hf_front_no_verdict[] = "not computable";

hf_status hf_study_add_design(hf_study_job *job) {
    hf_study_outcome *o = job->outcome;
    const hf_study_cell *cell = &job->study->cell[job->cell];
    const hf_study_answer *a = &job->answer[job->answer_of[job->cell]];
    HF_TRY(hf_resize(job->cx, o->n_design + 1, sizeof *o->design, (void **)&o->design));
    hf_study_design *d = &o->design[o->n_design++];
    *d = (hf_study_design){.cell = job->cell, .from_store = a->from_store, .is_accepted = a->is_accepted};
    HF_TRY(a->note ? hf_duplicate(job->cx, a->note, &d->note) : HF_OK);
    return hf_study_remark(job->cx, job->options->store, a->why ? a->why : cell->remark, a->is_accepted, &d->remark);
}

/* ---- the front ---- */

static bool beats(const double *a, const double *b, size_t n_axis) {
    bool is_better = false;
    for (size_t i = 0; i < n_axis; i++) {
        if (a[i] > b[i]) {
            return false;
        }
        is_better |= a[i] < b[i];
    }
    return is_better;
}

void hf_front_mark(const double *value, size_t n, size_t n_axis, const bool *is_kept, bool *on_front) {
    for (size_t i = 0; i < n; i++) {
        on_front[i] = is_kept[i];
        for (size_t k = 0; k < n && on_front[i]; k++) {
            on_front[i] = !is_kept[k] || !beats(&value[k * n_axis], &value[i * n_axis], n_axis);
        }
    }
}

/* A design with what it is worth. */
typedef struct point {
    const hf_study_design *design;
    const hf_cell *cell; /* by column of the front */
    const char *verdict; /* "kept", or a column */
    const double *value; /* by axis; less is better */
    bool is_kept, on_front;
} point;

static hf_status take_cells(hf_context *cx, const hf_study_front *front, const hf_study_design *design, point *out) {
    hf_cell *cell;
    hf_report answer;
    bool is_whole = false;
    out->design = design;
    HF_TRY(hf_scratch(cx, front->n_column, sizeof *cell, (void **)&cell));
    HF_TRY(design->note ? hf_report_of_note(cx, design->note, &answer, &is_whole) : HF_OK);
    for (size_t c = 0; c < front->n_column && is_whole && answer.table[0].n_cell > 0; c++) {
        const hf_cell *known = hf_study_table_value(&answer.table[0], 0, front->column[c].key);
        cell[c] = known ? *known : hf_cell_none();
    }
    out->cell = cell;
    return HF_OK;
}

/* The first column beyond its limit, or the first axis without a value. */
static const char *judge(const hf_study_front *front, const point *p) {
    for (size_t c = 0; c < front->n_column; c++) {
        if (!hf_limits_keep(&front->limits, &front->column[c], &p->cell[c])) {
            return front->column[c].key;
        }
    }
    for (size_t a = 0; a < front->n_axis; a++) {
        if (!p->cell[front->axis[a].column].is_known) {
            return front->column[front->axis[a].column].key;
        }
    }
    return NULL;
}

static hf_status make_point(hf_context *cx, const hf_study_front *front, const hf_study_design *design, double *value,
                            point *out) {
    HF_TRY(take_cells(cx, front, design, out));
    const char *broken = judge(front, out);
    out->is_kept = !broken;
    out->verdict = !design->note ? hf_front_no_verdict : broken ? broken : "kept";
    for (size_t a = 0; a < front->n_axis && out->is_kept; a++) {
        const hf_front_axis *axis = &front->axis[a];
        const double x = hf_cell_number(&front->column[axis->column], &out->cell[axis->column]);
        value[a] = axis->is_most ? -x : x;
    }
    out->value = value;
    return HF_OK;
}

/* All designs, marked. \param[out] out in the arena */
static hf_status make_points(hf_context *cx, const hf_study *study, const hf_study_outcome *outcome, point **out) {
    const hf_study_front *front = &study->front;
    const size_t n = outcome->n_design;
    double *value;
    bool *kept, *on_front;
    HF_TRY(hf_scratch(cx, n + 1, sizeof **out, (void **)out));
    HF_TRY(hf_scratch(cx, n * front->n_axis + 1, sizeof *value, (void **)&value));
    HF_TRY(hf_scratch(cx, n + 1, sizeof *kept, (void **)&kept));
    HF_TRY(hf_scratch(cx, n + 1, sizeof *on_front, (void **)&on_front));
    for (size_t i = 0; i < n; i++) {
        HF_TRY(make_point(cx, front, &outcome->design[i], &value[i * front->n_axis], &(*out)[i]));
        kept[i] = (*out)[i].is_kept;
    }
    hf_front_mark(value, n, front->n_axis, kept, on_front);
    for (size_t i = 0; i < n; i++) {
        (*out)[i].on_front = on_front[i];
    }
    return HF_OK;
}

/* ---- the table ---- */

static const hf_column own_columns[] = {{"design", "design", NULL, HF_COLUMN_WORD, 6, 0},
                                        {"front", "front", NULL, HF_COLUMN_FLAG, 6, 0},
                                        {"verdict", "verdict", NULL, HF_COLUMN_WORD, 6, 0},
                                        {"remark", "remark", NULL, HF_COLUMN_WORD, 6, 0}};
enum { DESIGN, FRONT, VERDICT, REMARK, OWN };

/* What a row of the answer says that the front does not say itself; structured values stay behind. */
static bool is_shown(const hf_column *column) {
    const size_t size = strlen(column->key);
    return column->kind != HF_COLUMN_TREE && !(column->flags & HF_COLUMN_JSON) &&
           !hf_column_find(own_columns, OWN, column->key, size);
}

/* By the first axis; what is equal there as in the file. */
static int by_first(const void *a, const void *b) {
    const point *x = a, *y = b;
    if (x->value[0] != y->value[0]) {
        return x->value[0] < y->value[0] ? -1 : 1;
    }
    return x->design < y->design ? -1 : x->design > y->design;
}

static void add_columns(const hf_study_front *front, hf_report *out) {
    const bool is_named = hf_column_find(front->column, front->n_column, "topology", strlen("topology"));
    hf_column design = own_columns[DESIGN];
    design.flags = is_named ? HF_COLUMN_ASKED : 0; /* a label says no more than topology and routing */
    hf_report_table_begin(out, "designs", NULL, 0);
    hf_report_add_column(out, own_columns[FRONT]);
    hf_report_add_column(out, design);
    for (size_t c = 0; c < front->n_column; c++) {
        if (is_shown(&front->column[c])) {
            hf_report_add_column(out, front->column[c]);
        }
    }
    hf_report_add_column(out, own_columns[VERDICT]);
    hf_report_add_column(out, own_columns[REMARK]);
}

static void add_point(const hf_study *study, const point *p, hf_report *out) {
    hf_report_cell(out, hf_cell_flag(p->on_front));
    hf_report_cell(out, hf_cell_word(study->cell[p->design->cell].label));
    for (size_t c = 0; c < study->front.n_column; c++) {
        if (is_shown(&study->front.column[c])) {
            hf_report_cell(out, p->cell[c]);
        }
    }
    hf_report_cell(out, hf_cell_word(p->verdict));
    hf_report_cell(out, hf_cell_word(*p->design->remark ? p->design->remark : NULL));
}

hf_status hf_study_front_table(hf_context *cx, const hf_study *study, const hf_study_outcome *outcome, bool is_short,
                               hf_report *out) {
    size_t n_kept = 0, n = 0;
    point *p;
    char *note;
    add_columns(&study->front, out);
    if (!outcome) {
        return HF_OK;
    }
    HF_TRY(make_points(cx, study, outcome, &p));
    for (size_t i = 0; i < outcome->n_design; i++) {
        n_kept += p[i].is_kept;
        n += p[i].on_front;
    }
    HF_TRY(hf_scratch_print(cx, &note, "%zu designs, %zu within the limits, %zu on the front.", outcome->n_design, n_kept, n));
    if (is_short) {
        n = 0;
        for (size_t i = 0; i < outcome->n_design; i++) {
            p[n] = p[i];
            n += p[i].on_front;
        }
        qsort(p, n, sizeof *p, by_first);
    }
    for (size_t i = 0; i < (is_short ? n : outcome->n_design); i++) {
        add_point(study, &p[i], out);
    }
    hf_report_note(out, note);
    return HF_OK;
}

/* ---- the drawing ---- */

enum { SERIES = 6 };

static double number_of(const hf_study_front *front, const point *p, size_t axis) {
    return front->axis[axis].is_most ? -p->value[axis] : p->value[axis];
}

/* Is the front told apart by a third axis, of whole numbers? */
static bool has_third(const hf_study_front *front) {
    return front->n_axis > 2 && front->column[front->axis[2].column].kind == HF_COLUMN_COUNT;
}

/* Designs that are beaten come first, then the front: by the third axis 0, 1, ... and all above the last. */
static bool belongs(const hf_study_front *front, const point *p, size_t series) {
    if (series == 0) {
        return p->is_kept && !p->on_front;
    }
    const double third = has_third(front) ? number_of(front, p, 2) : 0;
    return p->on_front && (third == (double)(series - 1) || (series == SERIES - 1 && third >= SERIES - 1));
}

static hf_status fill_series(hf_context *cx, const hf_study *study, const point *p, size_t n, size_t which, hf_plot_series *out) {
    const hf_study_front *front = &study->front;
    const hf_column *third = has_third(front) ? &front->column[front->axis[2].column] : NULL;
    hf_plot_point *points;
    char *name;
    HF_TRY(hf_scratch(cx, n + 1, sizeof *points, (void **)&points));
    for (size_t i = 0; i < n; i++) {
        if (belongs(front, &p[i], which)) {
            const char *label = study->cell[p[i].design->cell].label;
            points[out->n_point++] =
                (hf_plot_point){.x = number_of(front, &p[i], 0), .y = number_of(front, &p[i], 1), .label = which ? label : NULL};
        }
    }
    HF_TRY(which == 0 ? hf_scratch_print(cx, &name, "beaten by a design of the front")
           : third
               ? hf_scratch_print(cx, &name, "front, %s %zu%s", third->heading, which - 1, which == SERIES - 1 ? " or more" : "")
               : hf_scratch_print(cx, &name, "front"));
    out->point = points;
    out->name = out->n_point ? name : NULL;
    out->is_pale = which == 0;
    return HF_OK;
}

static hf_status name_axis(hf_context *cx, const hf_study_front *front, size_t axis, hf_plot_axis *out) {
    const hf_column *column = &front->column[front->axis[axis].column];
    char *label;
    HF_TRY(hf_scratch_print(cx, &label, "%s%s%s%s", column->heading, column->unit ? " (" : "", column->unit ? column->unit : "",
                            column->unit ? ")" : ""));
    *out = (hf_plot_axis){.label = label, .has_zero = true};
    return HF_OK;
}

hf_status hf_study_front_plot(hf_context *cx, const hf_study *study, const hf_study_outcome *outcome, hf_plot *out) {
    hf_plot_series *series;
    point *p;
    HF_TRY(hf_scratch(cx, SERIES, sizeof *series, (void **)&series));
    HF_TRY(make_points(cx, study, outcome, &p));
    for (size_t i = 0; i < SERIES; i++) {
        HF_TRY(fill_series(cx, study, p, outcome->n_design, i, &series[i]));
    }
    *out = (hf_plot){.title = study->title, .series = series, .n_series = SERIES};
    HF_TRY(name_axis(cx, &study->front, 0, &out->x));
    return name_axis(cx, &study->front, 1, &out->y);
}
