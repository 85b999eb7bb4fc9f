/** \file
 *  What the tables of several questions have in common. */
#ifndef HOLDFAST_SRC_QUESTION_TABLES_H
#define HOLDFAST_SRC_QUESTION_TABLES_H

#include <holdfast/analysis/deadlock.h>
#include <holdfast/format.h>
#include <holdfast/question.h>

#include "src/bridge/json.h"

/** Begin a table with the columns of an array. */
#define HF_BEGIN(answer, name, columns) hf_report_table_begin(answer, name, columns, sizeof(columns) / sizeof *(columns))

/** One more line of a note in the arena, NULL before the first. */
__attribute__((format(printf, 3, 4))) hf_status hf_asked_note(hf_context *cx, char **note, const char *format, ...);

/** One cell: a big count. */
hf_status hf_asked_big(hf_context *cx, hf_report *answer, const hf_big *n);

/** Classes by component, run-length coded: [class, length, class, length, ...]. */
hf_json *hf_asked_classes(const hf_bound *bound);

/** Of a title: ", failed: s1,s5"; "" where nothing has. */
hf_status hf_asked_failed(hf_context *cx, const hf_fault_set *failed, char **out);

/** Make it and put it into the answer where it is wanted; what prints nothing is not there. */
hf_status hf_asked_attach(const hf_asked *asked, hf_report *answer, const char *name, const void *user,
                          hf_status (*print)(const void *user, hf_text *out));
/** Attach a plot in each form that is asked for: "svg", "pgfplots". */
hf_status hf_asked_attach_plot(const hf_asked *asked, hf_report *answer, const hf_plot *plot);

/** One cell: virtual channels by name. */
hf_status hf_asked_resources(hf_report *answer, const hf_topology *topo, uint32_t n_vc, const uint32_t *resource, uint32_t n);
/** Five cells: a packet of a deadlock. */
#define HF_BLOCKED_COLUMNS                                                                                                       \
    {"source", "from", NULL, HF_COLUMN_WORD, 6, 0}, {"destination", "to", NULL, HF_COLUMN_WORD, 6, 0},                           \
        {"holds", "holds", NULL, HF_COLUMN_WORD, 6, 0}, {"waits_for", "waits for", NULL, HF_COLUMN_WORD, 6, 0}, {                \
        "came_by", "came by", NULL, HF_COLUMN_WORD, 6, 0                                                                         \
    }
hf_status hf_asked_blocked(hf_report *answer, const hf_topology *topo, uint32_t n_vc, const hf_blocked *b);

#endif
