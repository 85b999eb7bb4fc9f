/** \file
 *  Which leaf switches of a k-ary n-tree have lost each other, kept along a stack of failed components in memory and time that do
 *  not grow with the pairs of leaf switches: verdicts for trees of any size. */
#ifndef HOLDFAST_SRC_ROUTING_TREE_CLASSES_H
#define HOLDFAST_SRC_ROUTING_TREE_CLASSES_H

#include <holdfast/routing.h>

typedef struct hf_tree_classes hf_tree_classes;

/** \return HF_OK; HF_ENOTSUP where the topology is no k-ary n-tree; HF_ENOMEM. Free with hf_tree_classes_free(). Memory: some 24
 *  bytes a channel and 20 a component. */
hf_status hf_tree_classes_new(hf_context *cx, const hf_universe *universe, hf_tree_classes **out);
void hf_tree_classes_free(hf_tree_classes *classes);
/** Fail one more component, one that is not in the stack. Time O(channels of the component * n). */
void hf_tree_classes_push(hf_tree_classes *classes, uint32_t component);
void hf_tree_classes_pop(hf_tree_classes *classes);
/** Failed terminal channels, and terminals that have another one left. Time O(1). */
uint32_t hf_tree_classes_dead_ends(const hf_tree_classes *classes);
uint32_t hf_tree_classes_live(const hf_tree_classes *classes);
/** Is some class left clean, so that it serves every pair of leaf switches? A class is clean if no fault is at its links of leaf
 *  switches, and in the network above them some class is clean again. What holds for exact exclusion holds for registers, too: a
 *  fault reaches the ports below it only where all ports of a switch exclude something. Time O(1). */
bool hf_tree_classes_clean(const hf_tree_classes *classes);
/** See hf_judge_ops.safe; for exact exclusion and for registers. Time O(1). */
bool hf_tree_classes_safe(const hf_tree_classes *classes, uint32_t r);
/** Of the components in [from, end): the lowest that, with any r - 1 more above it, may take the last clean class or a terminal
 *  channel; `end` if none. */
uint32_t hf_tree_classes_next(const hf_tree_classes *classes, uint32_t from, uint32_t end, uint32_t r);

typedef enum hf_tree_cut { HF_TREE_WHOLE, HF_TREE_CUT, HF_TREE_TOO_LONG } hf_tree_cut;
/** Exact: has some pair of leaf switches no healthy minimal path? \param[in] limit steps to take at most, each O(1) where faults
 *  are few \return HF_ENOMEM */
hf_status hf_tree_classes_cut(hf_context *cx, hf_tree_classes *classes, uint64_t limit, hf_tree_cut *out);

#endif
