/** \file
 *  Counting by stages: minimal paths of k-ary n-trees. */
#ifndef HOLDFAST_SRC_CAMPAIGN_COUNTED_TREE_H
#define HOLDFAST_SRC_CAMPAIGN_COUNTED_TREE_H

#include <holdfast/fault.h>

/** The sets of links after which every pair of leaf switches keeps a healthy minimal path, by size.
 *  \param[out] tolerated n_component + 1 numbers of `words` words  \param[out] how a sentence
 *  \return HF_ENOTSUP for another universe than all links between switches, or a tree that is too large */
hf_status hf_counted_tree(hf_context *cx, const hf_universe *universe, uint32_t words, uint64_t *tolerated, char *how,
                          size_t size);

#endif
