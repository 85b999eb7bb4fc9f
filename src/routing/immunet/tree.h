/** \file
 *  The emergency trees of Immunet: who becomes root and who parent after one or several faults, and the switch network that they
 *  live in. Source: [puente2004, 4.1]. */
#ifndef HOLDFAST_SRC_ROUTING_IMMUNET_TREE_H
#define HOLDFAST_SRC_ROUTING_IMMUNET_TREE_H

#include <holdfast/core/bitset.h>
#include <holdfast/routing.h>

#include "src/topology/search.h"

/** The switches with their ways: way w of switch v, begin[v] <= w < begin[v + 1], by ascending port, leads to another switch. */
typedef struct hf_ways {
    const hf_topology *topo;
    uint32_t n, n_way;
    uint32_t *begin;   /**< n + 1 */
    uint32_t *from;    /**< n_way */
    uint32_t *to;      /**< n_way */
    uint32_t *channel; /**< n_way: the channel that leaves */
    uint32_t *back;    /**< n_way: the same link from its other end */
    uint32_t *of;      /**< n_channel: way of a channel, HF_NONE */
} hf_ways;
/** Make them in the arena. Links with one channel are left out. */
hf_status hf_ways_make(hf_context *cx, const hf_topology *topo, hf_ways *out);
static inline hf_arcs hf_ways_arcs(const hf_ways *ways) { return (hf_arcs){.begin = ways->begin, .to = ways->to}; }
/** \param[in] dead n_link bits: links that have failed */
static inline bool hf_ways_is_alive(const hf_ways *ways, const uint64_t *dead, uint32_t way) {
    return !hf_bit_test(dead, ways->topo->link[ways->channel[way]]);
}
/** Hops over links that are alive, from the first `n_start` switches of the queue. \param[in,out] distance n entries: 0 for
 *  these, UINT16_MAX for all others \param[in] queue n entries */
void hf_ways_spread(const hf_ways *ways, const uint64_t *dead, uint32_t *queue, uint32_t n_start, uint16_t *distance);

/** Which of several neighbours of equal priority becomes the parent. */
typedef enum hf_ties { HF_TIES_PORT, HF_TIES_LAST_PORT, HF_TIES_LOW_ID, HF_TIES_HIGH_ID } hf_ties;
extern const char *const hf_ties_names[];

typedef struct hf_emergency_rule {
    hf_ties ties;
    bool is_printed; /**< the priority as printed, t N + x with t = emergencies met; else t = floor(priority / N) + 1 */
    uint64_t gap;    /**< hops from one fault to the next; 0: all at once, HF_UNLIMITED: one after the other */
} hf_emergency_rule;

/** What every switch knows when the emergency is over. */
typedef struct hf_emergency {
    uint64_t *priority; /**< n */
    uint32_t *times;    /**< n: emergencies met */
    uint32_t *parent;   /**< n: way to the parent, HF_NONE: root */
    uint32_t *root;     /**< n: HF_NONE: failed, or left without a tree */
    uint32_t *level;    /**< n: hops from the root; HF_NONE as in root */
    uint64_t steps;     /**< hops until nothing changes any more, from the last fault */
    uint64_t sent;      /**< notices that were sent over links, all faults together */
    bool is_boot;       /**< no fault touched a link between switches: trees of the start */
} hf_emergency;

/** Failed links between switches: a link of which one channel fails counts as failed. \param[out] dead n_link bits, zeroed */
void hf_emergency_dead(const hf_fault_set *faults, uint64_t *dead);
/** Room for the result. */
hf_status hf_emergency_room(hf_context *cx, const hf_ways *ways, hf_emergency *out);
/** All faults at once: each part of the network takes the tree of its highest detecting switch; a part in which nobody detects a
 *  fault that of its highest switch. \param[in] dead n_link bits \param[in] gone n_switch bits \param[in] queue 2 n entries
 *  Time O(links). */
void hf_emergency_at_once(const hf_ways *ways, const hf_emergency_rule *rule, const uint64_t *dead, const uint64_t *gone,
                          uint32_t *queue, hf_emergency *out);
/** Step by step: components fail in their order, rule->gap hops apart; a notice crosses a link in one step. With gap 0 it comes
 *  to the same as hf_emergency_at_once(), slowly. */
hf_status hf_emergency_walk(hf_context *cx, const hf_ways *ways, const hf_emergency_rule *rule, const hf_fault_set *faults,
                            hf_emergency *out);

#endif
