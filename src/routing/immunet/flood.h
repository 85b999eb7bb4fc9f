/** \file
 *  The floods that rebuild the adaptive tables of Immunet, counted and simulated. Source: [puente2004, 4.3 and 6]. */
#ifndef HOLDFAST_SRC_ROUTING_IMMUNET_FLOOD_H
#define HOLDFAST_SRC_ROUTING_IMMUNET_FLOOD_H

#include "src/routing/immunet/immunet.h"

/** Every switch floods its distance. All figures over one part of the network, that of a root. */
typedef struct hf_flood_effort {
    uint64_t switches, links; /**< N and L */
    uint64_t once;            /**< messages if every switch passes on each flood once: N (2 L - (N - 1)), the least */
    uint64_t equal_too;       /**< the least if it passes on copies of equal distance too; saturates */
    uint64_t improving;       /**< the most if it passes on strict improvements, whatever the delays; saturates */
    uint64_t diameter;        /**< hops */
    uint64_t updated_cycles;  /**< last change of a table, if the flood of v starts level * hop_cycles after the fault */
    uint64_t arrived_cycles;  /**< last arrival, discarded copies too */
} hf_flood_effort;
/** Time O(N L). */
hf_status hf_flood_count(hf_context *cx, const hf_immunet *s, uint32_t root, const hf_effort_costs *costs, hf_flood_effort *out);

/** What an event-driven simulation saw. */
typedef struct hf_flood_run {
    uint64_t messages;       /**< over links */
    uint64_t updated_cycles; /**< the last change of a table */
    uint64_t arrived_cycles; /**< the last arrival, discarded ones too */
} hf_flood_run;
/** How a switch takes in the control packets that come to it, its own start among them. */
typedef struct hf_flood_service {
    uint64_t every;    /**< cycles from one to the next; 0: any number side by side */
    bool newest_first; /**< of those that wait the one that came last; else that which came first. Ties by the way. */
} hf_flood_service;
/** Simulate: the flood of switch v starts when the emergency has reached it, level * hop_cycles. A packet takes packet_cycles a
 *  hop, from when it is taken in.  Time O(messages log messages). */
hf_status hf_flood_simulate(hf_context *cx, const hf_immunet *s, uint32_t root, const hf_effort_costs *costs,
                            const hf_flood_service *service, hf_flood_run *out);

#endif
