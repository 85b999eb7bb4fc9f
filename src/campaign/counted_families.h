/** \file
 *  Families of sets of middle switches that the leaf switches of a subtree reach. */
#ifndef HOLDFAST_SRC_CAMPAIGN_COUNTED_FAMILIES_H
#define HOLDFAST_SRC_CAMPAIGN_COUNTED_FAMILIES_H

#include <holdfast/core/context.h>

/** Families of the leaves of one subtree, each with the number of its link sets by size. Release with
 *  hf_counted_free_families(). */
typedef struct hf_counted_families {
    uint32_t n;
    size_t room, count_room;
    uint32_t *member; /**< bit r: the set r is one of the minimal ones */
    uint64_t *count;  /**< n x terms */
    uint32_t terms;
} hf_counted_families;
/** Does the set meet all members of a family? */
bool hf_counted_meets_all(uint32_t member, uint32_t set);
/** The index of a family; one that is not there is added without link sets. */
hf_status hf_counted_find_family(hf_context *cx, hf_counted_families *f, uint32_t member, uint32_t *out);
/** All families of k leaves over k middle switches. \param[in,out] f empty */
hf_status hf_counted_make_families(hf_context *cx, uint32_t k, hf_counted_families *f);
void hf_counted_free_families(hf_context *cx, hf_counted_families *f);

#endif
