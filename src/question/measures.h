/** \file
 *  The classes of fault sets and the measures that a routing names, as tables of an answer. */
#ifndef HOLDFAST_SRC_QUESTION_MEASURES_H
#define HOLDFAST_SRC_QUESTION_MEASURES_H

#include <holdfast/question.h>

/** What measures: the rule that names them, and the network that bounds them. */
typedef struct hf_measured {
    const hf_rule *rule;
    const hf_topology *topo;
} hf_measured;
/** Has the result any? */
bool hf_measures_are_there(const hf_result *result);
/** Columns for JSON behind those of the table, which has no cells yet. */
hf_status hf_measures_columns(const hf_measured *m, hf_report *out);
/** The cells of one row in these columns. */
void hf_measures_cells(const hf_measured *m, const hf_row *row, hf_report *out);
/** The tables `classes` and `measures`. */
hf_status hf_measures_tables(const hf_measured *m, const hf_result *result, hf_report *out);
/** How the intervals of sampled means came about, for a note under a table. */
extern const char hf_mean_note[];

#endif
