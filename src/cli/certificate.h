/** \file
 *  Certificates as JSON, as verify and simulate write them; src/analysis/deadlock/certificate.h reads them. */
#ifndef HOLDFAST_SRC_CLI_CERTIFICATE_H
#define HOLDFAST_SRC_CLI_CERTIFICATE_H

#include "src/cli/cli.h"

/** What a certificate is about. */
typedef struct cli_claim {
    const hf_fault_set *faults;
    const char *topology, *routing, *universe; /**< canonical; universe may be NULL */
    const hf_topology *topo;
    hf_switching switching;
    bool bubble, choose_once;
    hf_timing timing;
    const char *method;
    const hf_deadlock *found; /**< answer, n_vc; what else there is */
    hf_json *conditions;      /**< taken over; NULL: none */
} cli_claim;

/** Write it to a file. Packets are put in the order of what they hold. */
hf_status cli_write_certificate(const cli *c, const cli_claim *claim, const char *path);

#endif
