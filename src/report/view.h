/** \file
 *  A view: what is shown of a table. */
#ifndef HOLDFAST_SRC_REPORT_VIEW_H
#define HOLDFAST_SRC_REPORT_VIEW_H

#include <holdfast/report.h>

typedef struct hf_view_column {
    const hf_column *column; /* NULL: an argument */
    size_t at;               /* of the column, or of the argument */
} hf_view_column;
typedef struct hf_view {
    const hf_report *report;
    const hf_report_table *table;
    const hf_report_style *style;
    hf_view_column *column;
    size_t n, room;
} hf_view;

static inline size_t hf_view_rows(const hf_report_table *t) { return t->n_column ? t->n_cell / t->n_column : 0; }

static inline const hf_cell *hf_view_cell(const hf_view *v, size_t row, const hf_view_column *s) {
    return &v->table->cell[row * v->table->n_column + s->at];
}

/** A table of one row as one of two columns without headings: heading and cell. Cells are borrowed, lists are in the arena. */
hf_status hf_table_turn(hf_context *cx, const hf_table *table, hf_table *out);

/** Print it for people: as text, Markdown or LaTeX. \param[in] is_first nothing stands above it */
hf_status hf_view_put(hf_context *cx, const hf_view *v, bool is_first, hf_text *out);

#endif
