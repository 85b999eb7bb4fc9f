/** \file
 *  Turned tables. */
#ifndef HOLDFAST_SRC_REPORT_PIVOT_H
#define HOLDFAST_SRC_REPORT_PIVOT_H

#include <holdfast/report.h>

#include "src/core/lines.h"

/** The table turned by style->rows, across and cell: a row for each combination of values of `rows`, and of each combination of
 *  `across` one column for each of `cell`, in the order in which they come. A place that no row has is not known.
 *  \param[out] out in the arena, that table alone, with the title and arguments of the report
 *  \return HF_EINVAL that names a column that is not there, or a place that several rows have */
hf_status hf_report_pivot(const hf_report *report, const hf_report_table *table, const hf_report_style *style, hf_report *out);

#endif
