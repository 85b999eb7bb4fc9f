/** \file
 *  Destinations in service, those of one switch that are routed alike taken as one group; sixty-four groups are a block, which is
 *  followed at once, a bit for each. */
#ifndef HOLDFAST_SRC_ANALYSIS_DEADLOCK_DESTINATIONS_H
#define HOLDFAST_SRC_ANALYSIS_DEADLOCK_DESTINATIONS_H

#include <holdfast/routing.h>

#include "src/core/rows.h"

enum { HF_LANES = 64 };

typedef struct hf_destinations {
    uint32_t n_group, n_block; /**< the blocks may be of the first groups alone */
    hf_rows terminals; /**< of each group, ascending; groups in the order of their lowest, by number or in the rule's order */
    uint32_t *group;   /**< by terminal; HF_NONE: out of service */
    uint32_t *goal;    /**< by group: the switch of several terminals, HF_NONE where it is one terminal */
    uint32_t *place;   /**< by group: place of its lowest in the rule's order; NULL: groups go by number */
} hf_destinations;

/** In the arena. \param[in] by_likeness where the rule routes by switch, terminals of one switch are a group if their one channel
 *  from it is healthy, unless there are flows; and groups go in the order that the rule gives, if it does: more that it treats
 *  alike are in one block. Else each terminal is one, by number */
hf_status hf_destinations_make(hf_context *cx, const hf_plan *plan, bool by_likeness, hf_destinations *out);

/** Groups of the blocks. */
static inline uint32_t hf_destinations_groups(const hf_destinations *to) {
    const uint64_t most = (uint64_t)to->n_block * HF_LANES;
    return most < to->n_group ? (uint32_t)most : to->n_group;
}
static inline uint32_t hf_destinations_lowest(const hf_destinations *to, uint32_t group) {
    return to->terminals.item[to->terminals.begin[group]];
}
/** Groups of a block: lane l is group block * 64 + l. */
static inline uint32_t hf_destinations_lanes(const hf_destinations *to, uint32_t block) {
    const uint32_t left = to->n_group - block * HF_LANES;
    return left < HF_LANES ? left : HF_LANES;
}
static inline uint64_t hf_destinations_all(const hf_destinations *to, uint32_t block) {
    const uint32_t n = hf_destinations_lanes(to, block);
    return n < HF_LANES ? (UINT64_C(1) << n) - 1 : ~UINT64_C(0);
}
/** The bit of a terminal's group in a block; 0 if it is in another. */
static inline uint64_t hf_destinations_bit(const hf_destinations *to, uint32_t block, uint32_t terminal) {
    const uint32_t group = to->group[terminal];
    return group != HF_NONE && group / HF_LANES == block ? UINT64_C(1) << group % HF_LANES : 0;
}
/** The bits of the groups that a terminal in service sends to. */
uint64_t hf_destinations_from(const hf_destinations *to, uint32_t block, const hf_plan *plan, uint32_t source);

#endif
