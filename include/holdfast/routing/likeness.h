/** \file
 *  What a rule says of packets that it treats alike, and of many destinations at once. */
#ifndef HOLDFAST_ROUTING_LIKENESS_H
#define HOLDFAST_ROUTING_LIKENESS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct hf_plan; /**< holdfast/routing.h */
struct hf_hop;  /**< holdfast/routing.h */

/** Which packets a rule treats alike, so that who reads the whole relation asks once for all of them. Alike: offered the same
 * hops, in whatever order, where both can be, and the same of them as escape. The conformance tests hold a rule to what it
 * claims. */
typedef struct hf_likeness {
    /** Packets for terminals of one switch are treated alike at all other switches and at the terminals of those. Of terminals
     *  with one channel to them alone, a healthy one. */
    bool by_switch;
    /** NULL: it may matter how a packet came; or a number below HF_NONE of an arrival at a switch: packets for one destination
     * that came to a switch by arrivals of one number are treated alike. */
    uint32_t (*arrival)(const struct hf_plan *plan, struct hf_hop in);
    /** NULL: nothing is known; or: at this place packets for the terminals destination .. result - 1 are treated alike.
     *  \return above destination; HF_NONE: for all from there on */
    uint32_t (*run)(const struct hf_plan *plan, uint32_t at, struct hf_hop in, uint32_t destination);
    /** NULL, or another order of the terminals, in which more that are treated alike stand together than by their numbers; those
     *  of one switch one behind the other, ascending. \param[out] terminals  n_terminal */
    void (*order)(const struct hf_plan *plan, uint32_t *terminals);
    /** With `order`, and only so: how many terminals from `destination` on, in that order, are treated alike at this place.
     *  \return 1 or more; HF_NONE: all from there on */
    uint32_t (*along)(const struct hf_plan *plan, uint32_t at, struct hf_hop in, uint32_t destination);
    /** NULL, or the relation in bits, where there is one virtual channel and no tag. Of the destinations with a healthy channel
     *  whose rows are in `block`, blocks have HF_OFFERED_ROWS each: for which of them does a packet take each channel that leaves
     *  `node`, if it came there by an arrival of that number; from a terminal the number is 0. To terminals, and at a switch with
     *  a healthy channel to the destination, packets take that one alone, and nothing is offered here; nor are failed channels.
     *  \param[out] rows for each channel, as topo->out_list has them, HF_OFFERED_WORDS, a bit for each row */
    void (*offered)(const struct hf_plan *plan, uint32_t node, uint32_t arrival, uint32_t block, uint64_t *rows);
    /** With `offered`: the row of a destination, ascending with the lowest terminal of each from 0 on; those of one switch
     *  share one; and how many numbers arrivals have. */
    uint32_t (*row)(const struct hf_plan *plan, uint32_t destination);
    uint32_t arrivals;
} hf_likeness;
enum { HF_OFFERED_WORDS = 8, HF_OFFERED_ROWS = 64 * HF_OFFERED_WORDS };

#ifdef __cplusplus
}
#endif

#endif
