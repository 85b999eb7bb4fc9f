/** \file
 *  What reconfigurations take, and how many faults part a network: judges of campaigns that tell quantities of each set. */
#ifndef HOLDFAST_ANALYSIS_EFFORT_H
#define HOLDFAST_ANALYSIS_EFFORT_H

#include <holdfast/routing.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How many quantities a routing knows of its reconfiguration; 0: it has no model of it. */
uint32_t hf_effort_count(const hf_routing *routing);
/** Which of them a judge tells. */
typedef struct hf_effort_asked {
    hf_effort_costs costs;
    uint64_t simulated; /**< the sets with an index below are simulated event by event too */
    bool is_symmetric;  /**< only those that do not go by numbers; none is simulated */
} hf_effort_asked;
/** A judge whose quantities are those of the routing, for the plan under each set.
 *  \return HF_ENOTSUP if the routing has no model of its reconfiguration */
hf_status hf_effort_judge_new(hf_context *cx, const hf_universe *universe, const hf_rule *rule, const hf_effort_asked *asked,
                              hf_judge **out);

/** A judge of orders of failure: quantity i of n + 2 is known, and 1, where fault number i parts the network of n components; the
 * last, where none does. Parted: the switches that are left do not hang together any more, or fewer than two terminals are in
 * service at them (criterion switches-connected). Switches without links that are left count as parts. With switches a network
 * can grow together again when a part dies out: the first parting counts. Time O(components) an order where all links fail in
 * both directions at once, else times the channels. */
hf_status hf_limit_judge_new(hf_context *cx, const hf_universe *universe, hf_judge **out);

#ifdef __cplusplus
}
#endif
#endif
