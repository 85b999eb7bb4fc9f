/** \file
 *  The paths of a pair of terminals and checks of wirings, for `holdfast topology`. */
#ifndef HOLDFAST_SRC_CLI_TOPOLOGY_H
#define HOLDFAST_SRC_CLI_TOPOLOGY_H

#include "src/cli/cli.h"

typedef struct topology_pair {
    uint32_t source, destination; /**< terminals; HF_NONE without --pair */
    hf_fault_set faults;
    hf_pair_paths paths;
    hf_marks marks;
} topology_pair;

/** Read --pair and --faults, and find the paths by the rule of the network. Everything lives in the arena. */
hf_status topology_pair_find(const cli *c, const cli_network *net, topology_pair *out);
hf_status topology_pair_print(const cli *c, const cli_network *net, const topology_pair *p);
hf_status topology_pair_json(const cli *c, const cli_network *net, const topology_pair *p);

/** Print what --check finds. \param[out] ok every pair is connected */
hf_status topology_check(const cli *c, const hf_topology *topo, bool *ok);

#endif
