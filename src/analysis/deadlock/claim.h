/** \file
 *  Certificates as JSON, as verify and simulate write them; certificate.h reads them. */
#ifndef HOLDFAST_SRC_ANALYSIS_DEADLOCK_CLAIM_H
#define HOLDFAST_SRC_ANALYSIS_DEADLOCK_CLAIM_H

#include <holdfast/analysis/deadlock.h>

/** What a certificate is about. */
typedef struct hf_claim {
    const char *command; /**< that makes it: "verify" */
    const hf_fault_set *faults;
    const char *topology, *routing, *universe; /**< canonical; universe may be NULL */
    const hf_topology *topo;
    const hf_classes *classes; /**< NULL: packets of one kind */
    hf_switching switching;
    const char *flow; /**< canonical, of hf_flow_control_read() */
    bool choose_once;
    hf_timing timing;
    const char *method;
    const hf_deadlock *found;      /**< answer, n_vc; what else there is */
    const hf_condition *condition; /**< HF_CONDITIONS of them; NULL: none */
} hf_claim;

/** Print it. Packets are put in the order of what they hold. */
hf_status hf_claim_print(hf_context *cx, const hf_claim *claim, hf_text *out);

#endif
