/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The classes of fault sets and the measures that a routing names, as holdfast tolerance prints them. */
#ifndef HF_CLI_TOLERANCE_MEASURES_H
#define HF_CLI_TOLERANCE_MEASURES_H

#include "src/cli/campaign.h"

/** What measures: their names, and the network that bounds them. */
typedef struct cli_measured {
    const hf_routing *routing;
    const hf_topology *topo;
} cli_measured;

/** Add those of one row to its JSON object. */
void cli_measures_json(const cli_measured *m, const hf_row *row, hf_json *o);

/** Add their tables to a report. \param[in] result NULL: none yet, the tables stay empty */
hf_status cli_measures_report(const cli_measured *m, const hf_result *result, hf_report *out);

#endif
