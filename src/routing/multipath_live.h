/** \file
 *  What is left of a multipath network under faults, and which endpoints a policy of reconfiguration keeps [chong1992, 6; 7]. */
#ifndef HOLDFAST_SRC_ROUTING_MULTIPATH_LIVE_H
#define HOLDFAST_SRC_ROUTING_MULTIPATH_LIVE_H

#include <holdfast/routing.h>

#include "src/topology/multipath.h"

typedef enum hf_live { HF_LIVE_NONE, HF_LIVE_IO_ISOLATION, HF_LIVE_MULTI_HOP, HF_LIVE_FAULT_PROPAGATION } hf_live;
typedef enum hf_blocked_rule { HF_BLOCKED_ANY, HF_BLOCKED_ALL } hf_blocked_rule;

/** Places of the measures in hf_measure.extra. */
enum { HF_LIVE_LOST, HF_LIVE_LOST_TOLERATED, HF_LIVE_LOST_OR_ALL, HF_LIVE_BLOCKED, HF_LIVE_WEAK };
extern const char *const hf_live_extras[];

/** One network under one set of failed channels at a time. */
typedef struct hf_remains {
    const hf_topology *topo;
    hf_multipath net;
    hf_live policy;
    hf_blocked_rule rule;
    uint32_t words;         /**< of a set of endpoints */
    const uint64_t *failed; /**< channels */
    uint64_t *live;         /**< endpoints that the policy keeps */
    uint32_t *live_below;   /**< n_terminal + 1: live endpoints with a lower number */
    uint8_t *blocked;       /**< routers */
    uint64_t *reach;        /**< per router: endpoints that it leads to */
    uint64_t *row, *seen;   /**< per endpoint: endpoints that it reaches directly; scratch of a search */
} hf_remains;

/** Lay out memory, from `take` (hf_allocate or hf_scratch). On failure what was taken stays in `out`. */
hf_status hf_remains_init(hf_context *cx, const hf_topology *topo, const hf_args *args,
                          hf_status (*take)(hf_context *cx, size_t count, size_t size, void **out), hf_remains *out);
/** Find live endpoints and blocked routers. */
void hf_remains_find_live(hf_remains *r);
/** Find what each router leads to. */
void hf_remains_find_reach(hf_remains *r);
/** Does the policy tolerate what has failed, and what does it cost? After hf_remains_find_live(). */
void hf_remains_measure(hf_remains *r, hf_measure *out);

static inline bool hf_remains_leads_to(const hf_remains *r, uint32_t sw, uint32_t destination) {
    return (r->reach[(size_t)sw * r->words + (destination >> 6)] >> (destination & 63)) & 1;
}

#endif
