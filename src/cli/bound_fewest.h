/** \file
 *  holdfast bound --fewest. */
#ifndef HOLDFAST_SRC_CLI_BOUND_FEWEST_H
#define HOLDFAST_SRC_CLI_BOUND_FEWEST_H

#include "src/cli/cli.h"

/** Find and print the fewest components that isolate a terminal, and that the routing does not tolerate. */
hf_status bound_fewest(const cli *c);

#endif
