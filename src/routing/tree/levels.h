/** \file
 *  Trees whose levels differ, and the bidirectional MIN: one way up and down by arithmetic on the destination.
 *
 *  A destination goes up from a level by its number divided by the parents of all levels below, modulo the links up, so that the
 *  destinations below a switch are dealt out over its links, and each comes down from one switch of a level alone. That is DESTRO
 *  on a k-ary n-tree, and D-mod-K on generalised ones. Source: [gomez2010, 4.2], [zahavi2012]. */
#ifndef HOLDFAST_SRC_ROUTING_TREE_LEVELS_H
#define HOLDFAST_SRC_ROUTING_TREE_LEVELS_H

#include "src/routing/tree/route.h"

enum { HF_LEVELS_MAX = 32 };

/** n / by % of. */
typedef struct hf_level_part {
    uint64_t by, of;
} hf_level_part;

/** A level of switches. A destination is below switch o of it if their parts of `below_of` and `own` agree. */
typedef struct hf_level {
    uint32_t first;              /**< its first switch; of the level behind the last: the number of switches */
    hf_level_part own, below_of; /**< of a switch in its level; of a destination */
    hf_level_part down, up;      /**< of a destination: its child, its way up among parents * links */
    uint32_t parents, links;     /**< links: to each parent, side by side */
    uint32_t below;              /**< links to each child */
    uint32_t n_down;             /**< ports that lead down; those that lead up follow */
} hf_level;

typedef struct hf_levels {
    uint32_t n;
    hf_level level[HF_LEVELS_MAX + 1];
} hf_levels;

/** Fill in from an xgft, clos or bmin. \return false for another family */
bool hf_levels_of(const hf_topology *topo, hf_levels *out);
/** The level of a switch. */
uint32_t hf_levels_at(const hf_levels *t, uint32_t sw);
bool hf_levels_is_below(const hf_levels *t, uint32_t l, uint32_t sw, uint32_t destination);
/** Ports towards a destination. */
uint32_t hf_levels_down_port(const hf_levels *t, uint32_t l, uint32_t destination);
uint32_t hf_levels_up_port(const hf_levels *t, uint32_t l, uint32_t destination);

#endif
