/** \file
 *  Exclusion state of a k-ary n-tree: a stack of failed channels with everything that up/down routing excludes because of them.
 *  The fast path under the judges of `updown` and `ft2ei`; their plans are the slow twins. */
#ifndef HOLDFAST_SRC_ROUTING_TREE_EXCLUSION_H
#define HOLDFAST_SRC_ROUTING_TREE_EXCLUSION_H

#include <holdfast/routing.h>

typedef struct hf_tree_exclusion hf_tree_exclusion;

/** What a rule keeps of what it excludes. */
typedef struct hf_tree_registers {
    uint64_t limit; /**< exclusion registers of an up port, >= 1, or HF_UNLIMITED */
    bool own;       /**< also update the switch below a failed down channel (ft2ei's own=yes) */
    uint32_t n_vc;  /**< virtual channels of each channel between switches: ways over different ones are different paths */
} hf_tree_registers;
/** Are there so many registers that none can be missing, so that the exclusion is exact? */
bool hf_tree_exclusion_is_exact(const hf_topology *topo, const hf_tree_registers *registers);
/** Do the masks fit, 1 GiB at most, on a k-ary n-tree? */
bool hf_tree_exclusion_fits(const hf_topology *topo, const hf_tree_registers *registers);

/** Make the state for the components of `universe`.
 *  \return HF_OK; HF_ENOTSUP when the topology is no k-ary tree or the masks do not fit; HF_ENOMEM.
 *  Free with hf_tree_exclusion_free(). Memory: 2 bits a (up port, leaf switch). */
hf_status hf_tree_exclusion_new(hf_context *cx, const hf_universe *universe, const hf_tree_registers *registers,
                                hf_tree_exclusion **out);
void hf_tree_exclusion_free(hf_tree_exclusion *tree);
/** Fail one more component. On failure the state is as before. Time O(ports that the rule updates). */
hf_status hf_tree_exclusion_push(hf_context *cx, hf_tree_exclusion *tree, uint32_t component);
/** Take back the last component. */
void hf_tree_exclusion_pop(hf_tree_exclusion *tree);
/** Does some leaf switch exclude another on all its up ports? With components that fail later it will, too. Time O(1). */
bool hf_tree_exclusion_is_cut(const hf_tree_exclusion *tree);
/** Measure under all-pairs; lost paths where they do not pass 64 bits. Time O(ports with an exclusion * (k^stage + n)). */
void hf_tree_exclusion_read(hf_tree_exclusion *tree, hf_measure *out);

/** Does every terminal exclude no other one that a healthy path, however long, leads to? \param[in] queue, seen scratch of
 * n_switch entries, n_switch bits. Time O(leaf switches * k * words), and O(channels) for each that excludes a live one. */
bool hf_tree_exclusion_serves_reached(hf_tree_exclusion *tree, uint32_t *queue, uint64_t *seen);

/** Judges for the descriptors. HF_ENOTSUP: the campaign then judges from the relation. */
hf_status hf_minimal_tree_judge_new(hf_context *cx, const hf_universe *universe, uint32_t n_vc, hf_judge **out);
hf_status hf_updown_judge_new(hf_context *cx, const hf_universe *universe, const hf_rule *rule, hf_judge **out);
hf_status hf_ft2ei_judge_new(hf_context *cx, const hf_universe *universe, const hf_rule *rule, hf_judge **out);

#endif
