/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The keys of a front: what is least, what is most, and within which limits; and its designs. */
#include <string.h>

#include "src/core/number.h"
#include "src/study/read.h"

hf_status hf_study_read_front(const hf_study_reader *r) {
    hf_study_front *front = &r->study->front;
    front->is_there = r->texts->line[HF_KEY_FRONT] > 0;
    return hf_study_at_key(r, HF_KEY_LIMITS, hf_limits_read(r->cx, r->texts->value[HF_KEY_LIMITS], &front->limits));
}

/* What a design says besides its question and how it is called. */
static hf_status refuse_others(const hf_study_reader *r) {
    static const hf_study_key others[] = {HF_KEY_TABLE, HF_KEY_ROW, HF_KEY_ID, HF_KEY_PUBLISHED, HF_KEY_CURVE, HF_KEY_CURVE_X};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (hf_study_says(r->texts, others[i])) {
            HF_STUDY_FAIL_AT(r, others[i], "it goes with a column; without one the cell is a design of the front");
        }
    }
    return HF_OK;
}

hf_status hf_study_read_design(const hf_study_reader *r, const hf_column *columns) {
    hf_study_front *front = &r->study->front;
    HF_TRY(refuse_others(r));
    if (front->column && front->column != columns) {
        HF_STUDY_FAIL_AT(r, HF_KEY_ASK, "it gives other columns than the designs before; all designs of a front ask the same");
    }
    front->column = columns;
    for (front->n_column = 0; columns[front->n_column].key;) {
        front->n_column++;
    }
    return HF_OK;
}

static hf_status add_axis(hf_context *cx, hf_study_front *front, hf_slice key, bool is_most) {
    const hf_column *column = hf_column_find(front->column, front->n_column, key.text, key.size);
    if (front->n_axis == HF_FRONT_AXES) {
        HF_FAIL(cx, HF_EINVAL, "more than %d columns", HF_FRONT_AXES);
    }
    if (!column || !hf_column_is_number(column)) {
        HF_FAIL(cx, HF_EINVAL, "\"%.*s\" is no column with numbers of what the designs ask", HF_SLICE(key));
    }
    for (size_t i = 0; i < front->n_axis; i++) {
        if (front->axis[i].column == (size_t)(column - front->column)) {
            HF_FAIL(cx, HF_EINVAL, "column \"%s\" stands in the front twice", column->key);
        }
    }
    front->axis[front->n_axis++] = (hf_front_axis){(size_t)(column - front->column), is_most};
    return HF_OK;
}

/* "cost, links" */
static hf_status read_axes(hf_context *cx, hf_study_front *front, const char *text, bool is_most) {
    for (const char *at = text + strspn(text, ", "); *at; at += strspn(at, ", ")) {
        const size_t size = strcspn(at, ", ");
        HF_TRY(add_axis(cx, front, (hf_slice){at, size}, is_most));
        at += size;
    }
    return HF_OK;
}

hf_status hf_study_check_front(const hf_study_reader *r) {
    hf_study_front *front = &r->study->front;
    const char *least = r->texts->value[HF_KEY_LEAST], *most = r->texts->value[HF_KEY_MOST];
    if (!front->is_there) {
        return HF_OK;
    }
    if (!front->column) {
        HF_STUDY_FAIL_AT(r, HF_KEY_FRONT, "the study has no designs: cells that ask without a column");
    }
    HF_TRY(hf_study_at_key(r, HF_KEY_LEAST, least ? read_axes(r->cx, front, least, false) : HF_OK));
    HF_TRY(hf_study_at_key(r, HF_KEY_MOST, most ? read_axes(r->cx, front, most, true) : HF_OK));
    if (front->n_axis == 0) {
        HF_STUDY_FAIL_AT(r, HF_KEY_FRONT, "need columns of which the least or the most is looked for, as in {least: cost}");
    }
    return hf_study_at_key(r, HF_KEY_LIMITS, hf_limits_check(r->cx, &front->limits, front->column, front->n_column));
}
