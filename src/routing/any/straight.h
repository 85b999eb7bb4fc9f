/** \file
 *  Shortest ways by arithmetic, where the numbers of a topology tell them: grids, and generalised fat-trees. They take no table
 *  of distances, which grows with the square of the network. */
#ifndef HOLDFAST_SRC_ROUTING_ANY_STRAIGHT_H
#define HOLDFAST_SRC_ROUTING_ANY_STRAIGHT_H

#include "src/topology/grid/grid.h"
#include "src/topology/tree/tree.h"

#include <holdfast/routing.h>

/** Most runs at a node: both directions of every dimension of a grid. */
enum { HF_STRAIGHT_RUNS = 2 * HF_GRID_DIMS_MAX };

/** A level of a tree: its switches, and what a child and a parent are apart. */
typedef struct hf_straight_level {
    uint32_t below;     /**< terminals below a child */
    uint32_t down, up;  /**< links side by side down to a child; links up */
    uint32_t next_down; /**< from the channels down to one child to those to the next */
} hf_straight_level;

/** A switch of a tree. */
typedef struct hf_straight_switch {
    uint32_t level;
    uint32_t first, n; /**< terminals below it */
    uint32_t down, up; /**< its first channels down, and up */
} hf_straight_switch;

typedef struct hf_straight hf_straight;
struct hf_straight {
    const hf_topology *topo;
    size_t (*runs)(const hf_straight *s, uint32_t at, uint32_t destination, hf_channel_run *run); /**< see hf_straight_runs() */
    hf_grid grid;                                                                                 /**< of no tree */
    uint32_t n_port;          /**< of a grid: those that lead to switches */
    uint32_t *channel;        /**< of a grid: n_switch rows of n_port; HF_NONE: the edge */
    hf_straight_switch *node; /**< of a tree: n_switch; else NULL */
    uint32_t n_level;         /**< of a tree, from 1 on */
    hf_straight_level level[HF_TREE_LEVELS_MAX + 1];
};

/** Do the shortest ways of the network that these faults leave follow from numbers? So it is without faults on grids but for
 *  HyperX, and on generalised fat-trees; with faults where nodes have one parent, links alone fail and none of the bundles
 *  between two nodes wholly: then all ways are left over the links that are left. \param[out] out in the arena; NULL: no */
hf_status hf_straight_new(hf_context *cx, const hf_topology *topo, const hf_fault_set *faults, hf_straight **out);
/** The channels from a node on shortest ways to a terminal, those that have failed among them, by port. `at` is not the
 *  destination. \param[out] run room for HF_STRAIGHT_RUNS \return runs written */
static inline size_t hf_straight_runs(const hf_straight *s, uint32_t at, uint32_t destination, hf_channel_run *run) {
    return s->runs(s, at, destination, run);
}
/** Channels of the shortest ways from one terminal to another. */
uint32_t hf_straight_distance(const hf_straight *s, uint32_t source, uint32_t destination);

#endif
