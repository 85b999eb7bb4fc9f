/** \file
 *  Routers with random options, small enough that every queue runs full. */
#ifndef HOLDFAST_TESTS_ORACLE_ROUTER_H
#define HOLDFAST_TESTS_ORACLE_ROUTER_H

#include <holdfast/core/random.h>
#include <holdfast/kernel.h>

/** In [low, high]. */
uint32_t oracle_between(hf_random *r, uint32_t low, uint32_t high);
bool oracle_toss(hf_random *r);
/** Options that a kernel takes: switching, lengths, delays, allocators, output queues, reorder buffers, backoffs.
 *  \param[in] has_rings the relation declares rings and needs bubbles \param[in] is_tree of k-ary n-trees */
hf_kernel_options oracle_router_draw(hf_random *r, bool has_rings, bool is_tree);

#endif
