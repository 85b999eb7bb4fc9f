/** \file
 *  What is left of a multipath network under faults, and which endpoints a policy of reconfiguration keeps [chong1992, 6; 7]. */
#ifndef HOLDFAST_SRC_ROUTING_MULTIPATH_LIVE_H
#define HOLDFAST_SRC_ROUTING_MULTIPATH_LIVE_H

#include <holdfast/routing.h>

#include "src/topology/multistage/multipath.h"

typedef enum hf_live { HF_LIVE_NONE, HF_LIVE_IO_ISOLATION, HF_LIVE_MULTI_HOP, HF_LIVE_FAULT_PROPAGATION } hf_live;
typedef enum hf_blocked_rule { HF_BLOCKED_ANY, HF_BLOCKED_ALL } hf_blocked_rule;
typedef enum hf_spread { HF_SPREAD_FULL, HF_SPREAD_ONCE } hf_spread;

/** Channels that a terminal has lost, as they are told apart. */
enum { HF_LIVE_LOSSES = 4 };
/** Places of the measures in hf_measure.extra. */
enum {
    HF_LIVE_LOST,
    HF_LIVE_LOST_TOLERATED,
    HF_LIVE_LOST_OR_ALL,
    HF_LIVE_BLOCKED,
    HF_LIVE_WEAK,
    HF_LIVE_ANY,
    HF_LIVE_LOST_CHANNELS, /**< four: terminals that have lost 1, 2, 3, and 4 or more of their channels */
    HF_LIVE_UNWARNED = HF_LIVE_LOST_CHANNELS + HF_LIVE_LOSSES
};
extern const char *const hf_live_extras[];
extern const hf_extra_note hf_live_extra_notes[];

/** One network under one set of failed channels at a time.
 *
 *  Outputs are counted in slots of a byte: slot sw * stride + j holds direction j of a router, slot first_end + t the first
 *  channels of endpoint t. A slot's count falls when one of its channels fails, and, while blocked routers are looked for, when a
 *  healthy one leads to a blocked router: a slot at 0 does not work. */
typedef struct hf_remains {
    const hf_topology *topo;
    hf_multipath net;
    hf_live policy;
    hf_blocked_rule rule;
    hf_spread spread;
    bool relays;                            /**< live endpoints pass on */
    uint32_t words;                         /**< of a set of endpoints */
    uint32_t unit[HF_MULTIPATH_STAGES_MAX]; /**< per stage: endpoints behind a direction, so that of t is t / unit % radix */
    uint32_t stride, first_end;             /**< 8 or 16 slots a router; the slot of endpoint 0 */
    uint64_t *failed;                       /**< channels */
    uint32_t *slot;                         /**< per channel: where it counts as an output */
    uint8_t *intact;                        /**< per slot: channels */
    uint8_t *healthy;                       /**< per slot: healthy channels */
    uint8_t *working;                       /**< per slot: those that do not lead to a blocked router */
    uint16_t *ways_in;                      /**< per node: healthy channels that lead there */
    uint8_t *needed;                        /**< 2 n_terminal: 0x80 for a live endpoint, 0 for another; behind them scratch */
    uint64_t *live;                         /**< endpoints that the policy keeps */
    uint8_t *blocked;                       /**< routers */
    uint64_t *reach;                        /**< per router: endpoints that it leads to */
    uint64_t *row, *seen;                   /**< per endpoint: endpoints that it reaches directly; scratch of a search */
} hf_remains;

/** Lay out memory, from `take` (hf_allocate or hf_scratch); nothing has failed. On failure what was taken stays in `out`. */
hf_status hf_remains_init(hf_context *cx, const hf_topology *topo, const hf_args *args,
                          hf_status (*take)(hf_context *cx, size_t count, size_t size, void **out), hf_remains *out);
/** Blocks that hf_remains_init() took, to be released. \param[out] block room for HF_REMAINS_BLOCKS */
enum { HF_REMAINS_BLOCKS = 12 };
void hf_remains_blocks(const hf_remains *r, void **block);
/** A channel as an output. */
typedef struct hf_output {
    uint32_t channel, slot, to;
} hf_output;
hf_output hf_remains_output(const hf_remains *r, uint32_t channel);
/** n channels fail; those that have failed already stay so. */
void hf_remains_fail(hf_remains *r, const hf_output *output, uint32_t n);
/** All channels work again. */
void hf_remains_mend_all(hf_remains *r);
/** Find live endpoints and blocked routers. */
void hf_remains_find_live(hf_remains *r);
/** Find what each router leads to. */
void hf_remains_find_reach(hf_remains *r);
/** What does the policy cost? All but what depends on whether the set is tolerated. After hf_remains_find_live(). */
void hf_remains_measure(hf_remains *r, hf_measure *out);
/** hf_routing_measures.settle: the measures that depend on it. */
void hf_remains_settle(const hf_topology *topo, hf_measure *out);
/** Does every live endpoint reach every other, directly or, with relays, by way of others? After hf_remains_find_live(). */
bool hf_remains_serves(hf_remains *r);
/** Live endpoints with some healthy channel. After hf_remains_find_live(). */
uint32_t hf_remains_live(const hf_remains *r);

static inline bool hf_remains_leads_to(const hf_remains *r, uint32_t sw, uint32_t destination) {
    return (r->reach[(size_t)sw * r->words + (destination >> 6)] >> (destination & 63)) & 1;
}

#endif
