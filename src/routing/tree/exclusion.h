/** \file
 *  Exclusion state of a k-ary n-tree: a stack of failed channels with everything that up/down routing excludes because of them.
 *  The fast path under the judges of `updown` and `ft2ei`; their plans are the slow twins. */
#ifndef HOLDFAST_SRC_ROUTING_TREE_EXCLUSION_H
#define HOLDFAST_SRC_ROUTING_TREE_EXCLUSION_H

#include <holdfast/routing.h>

typedef struct hf_tree_exclusion hf_tree_exclusion;

/** Make the state for the components of `universe`.
 *  \param[in] intervals exclusion registers of an up port, >= 1, or HF_UNLIMITED for exact exclusion
 *  \param[in] own       also update the switch below a failed down channel (ft2ei's own=yes)
 *  \return HF_OK; HF_ENOTSUP when the topology is no k-ary tree or the masks would need more than 1 GiB; HF_ENOMEM.
 *  Free with hf_tree_exclusion_free(). Memory: 2 bits a (up port, leaf switch). */
hf_status hf_tree_exclusion_new(hf_context *cx, const hf_universe *universe, uint64_t intervals, bool own,
                                hf_tree_exclusion **out);
void hf_tree_exclusion_free(hf_tree_exclusion *tree);
/** Fail one more component. On failure the state is as before. Time O(ports that the rule updates). */
hf_status hf_tree_exclusion_push(hf_context *cx, hf_tree_exclusion *tree, uint32_t component);
/** Take back the last component. */
void hf_tree_exclusion_pop(hf_tree_exclusion *tree);
/** Measure under all-pairs. Time O(ports with an exclusion * (k^stage + n)). */
void hf_tree_exclusion_read(hf_tree_exclusion *tree, hf_measure *out);

/** Judges for the descriptors. HF_ENOTSUP: the campaign then judges from the relation. */
hf_status hf_updown_judge_new(hf_context *cx, const hf_universe *universe, const hf_args *args, hf_judge **out);
hf_status hf_ft2ei_judge_new(hf_context *cx, const hf_universe *universe, const hf_args *args, hf_judge **out);

#endif
