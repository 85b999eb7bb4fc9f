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

/** A table of the classes, a line a row, and one of the measures, a line for each measure and row; nothing where the routing
 *  names none or the criterion takes no measures. */
hf_status cli_measures_print(hf_context *cx, const cli_measured *m, const hf_result *result, hf_text *out);

#endif
