/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The classes of fault sets and the measures that a routing names, as holdfast tolerance prints them. */
#ifndef HF_CLI_TOLERANCE_MEASURES_H
#define HF_CLI_TOLERANCE_MEASURES_H

#include "src/cli/campaign.h"

/** Add those of one row to its JSON object. */
void cli_measures_json(const hf_routing *routing, const hf_row *row, hf_json *o);

/** A table of the classes, a line a row, and one of the measures, a line for each measure and row; nothing where the routing
 *  names none or the criterion takes no measures. */
hf_status cli_measures_print(hf_context *cx, const hf_routing *routing, const hf_result *result, hf_text *out);

#endif
