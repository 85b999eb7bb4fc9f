/** \file
 *  Parts of holdfast load. */
#ifndef HOLDFAST_SRC_CLI_LOAD_H
#define HOLDFAST_SRC_CLI_LOAD_H

#include "src/cli/commands.h"

typedef struct load_request {
    const cli *c;
    cli_network net;
    hf_traffic *traffic;
    hf_split split;
    hf_load *load;
    hf_worst worst; /**< with --worst-case */
    double best;    /**< with --best */
} load_request;

/** The spec of --json. */
hf_json *load_json_spec(const load_request *r);
/** Loads of all fault sets of the sizes of --faults, and print them. */
hf_status load_campaign(const load_request *r);

#endif
