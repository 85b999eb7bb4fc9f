/** \file
 *  Structured values in reports. */
#ifndef HOLDFAST_SRC_REPORT_TREE_H
#define HOLDFAST_SRC_REPORT_TREE_H

#include <holdfast/report.h>

#include "src/bridge/json.h"

/** The next cell, of a column of HF_COLUMN_TREE. \param[in] tree taken over; null: there is none */
void hf_report_tree(hf_report *report, hf_json *tree);

#endif
