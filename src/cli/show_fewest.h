/** \file
 *  The part of holdfast show that compares with the fewest nodes to sacrifice. */
#ifndef HOLDFAST_SRC_CLI_SHOW_FEWEST_H
#define HOLDFAST_SRC_CLI_SHOW_FEWEST_H

#include "src/analysis/tolerance/sacrifice.h"
#include "src/cli/cli.h"

hf_status show_fewest_find(const cli *c, const hf_fault_set *faults, hf_sacrifice *out);
void show_fewest_print(const hf_fault_set *faults, const hf_sacrifice *found, hf_text *out);
/** Free with hf_json_free(), or hand over. */
hf_json *show_fewest_json(const hf_fault_set *faults, const hf_sacrifice *found);

#endif
