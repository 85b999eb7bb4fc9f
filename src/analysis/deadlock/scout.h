/** \file
 *  Following a relation, sixty-four groups of destinations at once. What a rule says is read once for each arrival and group, or
 *  once for all arrivals that the rule says it routes alike; lists of hops, and situations, are kept once. */
#ifndef HOLDFAST_SRC_ANALYSIS_DEADLOCK_SCOUT_H
#define HOLDFAST_SRC_ANALYSIS_DEADLOCK_SCOUT_H

#include "src/analysis/deadlock/dependency.h"
#include "src/analysis/deadlock/destinations.h"
#include "src/core/index.h"

/** Different hops that a rule offers somewhere. */
typedef struct hf_offer {
    uint32_t begin, n; /**< in the pool */
    uint32_t mask;
    hf_hop first; /**< the first of them; of none: {node, 0, 0} */
} hf_offer;
/** Lanes of a row that are offered the same. */
typedef struct hf_part {
    uint64_t lanes;
    uint32_t offer, next; /**< the next part of the row + 1 */
} hf_part;
/** What a rule offers to the block's lanes at a place, or to the destinations of a stretch. */
typedef struct hf_row_of_lanes {
    uint64_t known, spread; /**< lanes that were read; that went on */
    union {
        uint32_t part, span; /**< of a block, of a stretch: the first + 1 */
    };
    uint32_t node, arrival; /**< arrivals with this number, HF_NONE: one alone */
} hf_row_of_lanes;
/** What has come to a state: of a block its lanes, of a stretch the first of its spans + 1. */
typedef union hf_brought {
    uint64_t lanes;
    uint32_t span;
} hf_brought;

/** Destinations that stand one behind the other in the rule's order. */
typedef struct hf_span {
    uint32_t lo, hi;     /**< places lo .. hi - 1 */
    uint32_t what, next; /**< an offer; the next span of the list + 1 */
} hf_span;

enum { HF_NEAR = 4 };

/** Where a rule broke its contract, with the lowest destination; HF_NONE: nowhere. */
typedef struct hf_breach {
    uint32_t at, destination;
    hf_hop in;
} hf_breach;

/** What one thread has found, on the heap: threads have no arena of their own here. A state is a resource, or from n_resource on
 *  a resource with a tag. */
typedef struct hf_scout {
    const hf_dependency *d;
    const hf_destinations *to;
    const hf_likeness *like;
    const hf_allocator *allocator;
    bool has_faults, commits, loses; /**< of the hops that were read last: packets commit themselves to some that have failed */
    uint32_t block;
    hf_hop *hops; /* hf_plan_room() */
    /* offers, and masks with the slots of one */
    hf_hop *pool;
    hf_offer *offer;
    uint64_t *mask;                              /* n_mask x words */
    uint32_t *mask_node, *mask_place, *masks_at; /* by mask: node, and place among those of the node; by node: how many */
    uint64_t *scratch;
    uint32_t n_pool, n_offer, n_mask, pool_room, offer_room, mask_room;
    uint32_t *recent;                 /* by resource: the offer that began with it last + 1 */
    uint32_t *lone_offer, *lone_mask; /* by resource: the offer, the mask, of it alone + 1 */
    hf_index offers, masks;
    /* rows of the block */
    hf_row_of_lanes *row;
    hf_part *part;
    uint32_t n_row, n_part, row_room, part_room;
    hf_index rows;
    /* states of the block, and those with tags of blocks before it */
    hf_brought *brought;
    uint64_t *todo; /* lanes that wait to go on; of a stretch: does the state? */
    hf_span *span;
    uint32_t n_span, span_room;
    uint32_t *row_of, *stamp;
    hf_hop *tagged;                     /* by state - n_resource */
    uint32_t n_state, state_room, next; /* what may be looked for next, in `tagged` */
    hf_index tags;
    uint32_t *reached, n_reached, *now, n_now, *then, n_then;
    /* groups with several terminals: by node, lane + 1; states at that node */
    uint8_t *lane_at;
    uint32_t *visit_state, *visit_next, visit_of[HF_LANES], n_visit, visit_room;
    uint32_t *trail, n_trail, trail_room, walk;
    /* situations */
    uint32_t *resource, *destination, *tag, *mask_of, count, room;
    uint64_t *seen; /* by resource: the first masks of its node that lanes have brought */
    hf_index situations;
    /* where groups go in the rule's order */
    uint32_t *near;               /* by resource: HF_NEAR situations + 1, by the place of their mask; NULL: they go by number */
    uint32_t ascending[HF_LANES]; /* lowest terminals of the block's groups */
    uint64_t first_lanes[HF_LANES + 1]; /* lanes of so many of them */
    uint64_t *all, *used; /* in their place, as in hf_dependency: what may follow each resource; NULL: situations are kept */
    hf_stuck stuck;
    hf_breach breach;
    bool is_wrong; /* a breach was met in the block */
    bool failed;   /* out of memory */
} hf_scout;

/** \param[in] situations keep them, else their unions alone. \return false: no memory */
bool hf_scout_open(const hf_dependency *d, const hf_destinations *to, bool situations, const hf_allocator *a, hf_scout *s);
void hf_scout_close(hf_scout *s);
/** Give back what it takes to find situations, and them; masks stay. */
void hf_scout_drop(hf_scout *s);
/** All destinations of a block, from all live sources. Blocks come in ascending order. */
void hf_scout_block(hf_scout *s, uint32_t block);
/** The states of a block, and rows of what they are offered, but at the switches of groups with several terminals; and no
 *  situations. They are there until hf_scout_leave(). */
void hf_scout_follow(hf_scout *s, uint32_t block);
void hf_scout_leave(hf_scout *s);
/** The arrival that a state is; the state of an arrival, as it was or new; the lowest terminal of the first of some lanes. */
hf_hop hf_scout_hop(const hf_scout *s, uint32_t state);
uint32_t hf_scout_state(hf_scout *s, hf_hop hop);
uint32_t hf_scout_lowest(const hf_scout *s, uint64_t lanes);
/** Those of some lanes that the rule treats as the lowest of them. */
uint64_t hf_scout_run(const hf_scout *s, uint32_t node, hf_hop in, uint64_t lanes);
/** A situation, or its union, unless it is known with a lower pair. */
void hf_scout_keep(hf_scout *s, uint32_t r, uint32_t mask, uint32_t destination, uint32_t tag);
/** Number of the mask of a node, as it was or new. */
uint32_t hf_scout_mask(hf_scout *s, uint32_t node, const uint64_t *bits);

#endif
