/** \file
 *  What the rules on grids share: which way is nearer in a dimension, and the channel that goes there. */
#ifndef HOLDFAST_SRC_ROUTING_GRID_ROUTE_H
#define HOLDFAST_SRC_ROUTING_GRID_ROUTE_H

#include "src/routing/ends.h"
#include "src/topology/grid/grid.h"

/** What a rule can be used on. */
enum {
    HF_ON_MESH = 1u << 0 /**< no line is a ring: mesh, hypercube */,
    HF_ON_TORUS = 1u << 1,
    HF_ON_PLANE = 1u << 2 /**< 2D */,
    HF_ON_HYPERX = 1u << 3
};

/** Refuse other topologies, in words that name the rule. */
hf_status hf_grid_accepts(hf_context *cx, const hf_topology *topo, const char *rule, unsigned on);
/** The grid of plan->topo in the arena; sets max_hops to two hops a dimension and the state. */
hf_status hf_grid_plan(hf_context *cx, hf_plan *plan, size_t state_size, hf_grid **grid);

/** Half-way round a ring, where both ways are as short. */
typedef enum hf_grid_ties {
    HF_GRID_TIES_BALANCED, /**< + where the coordinates of the goal have an even sum, - where it is odd: both carry the same load
                            */
    HF_GRID_TIES_PLUS,     /**< always + */
    HF_GRID_TIES_BOTH      /**< both are admissible */
} hf_grid_ties;
extern const char *const hf_grid_ties_names[];

/** Which packets use which of the two dateline classes of virtual channels. Whoever closes a ring does it as the last channel of
 *  a class, or in a class in which some channel of each ring is never used, so no class has a cycle. */
typedef enum hf_grid_classes {
    HF_GRID_CLASSES_BALANCED, /**< 0 until the ring is closed, then 1; both for who does not close it, from 0 to 1 at any hop */
    HF_GRID_CLASSES_PLAIN,    /**< 0 until the ring is closed, then 1; so 0 for who does not close it */
    HF_GRID_CLASSES_CROSSING, /**< 1 all along a ring for who closes it, 0 for who does not */
    HF_GRID_CLASSES_NONE      /**< all are alike */
} hf_grid_classes;
extern const char *const hf_grid_classes_names[];

/** How dimension order goes along a line. */
typedef struct hf_grid_line {
    hf_grid_ties ties;
    hf_grid_classes classes;
    uint32_t lanes; /**< virtual channels of a class */
} hf_grid_line;

/** Which way to go in dimension d from `at` towards `goal`: 1 is +, -1 is -, 0 is arrived. Half-way round a ring +. */
int hf_grid_way(const hf_grid *grid, uint32_t at, uint32_t goal, uint32_t d);
/** The same, half-way round a ring as `ties` says, + for both. */
int hf_grid_way_round(const hf_grid *grid, hf_grid_ties ties, uint32_t at, uint32_t goal, uint32_t d);
/** Do all messages take the same directions, ties balanced, when switches and goals are moved by so much in each dimension?
 *  \param[in] by less than the size of a ring; 0 where there is none */
bool hf_grid_keeps_ties(const hf_grid *grid, const uint32_t *by);
/** The channel that leaves `at` in that direction. */
static inline uint32_t hf_grid_channel(const hf_topology *topo, const hf_grid *grid, uint32_t at, uint32_t d, int way) {
    return hf_topology_channel_at(topo, at, hf_grid_port(grid, d, way > 0));
}
/** Dimension of a channel between switches. */
static inline uint32_t hf_grid_dimension(const hf_topology *topo, const hf_grid *grid, uint32_t channel) {
    return topo->from_port[channel] / (grid->is_cube ? 1 : 2);
}
/** Does the channel close a ring? */
static inline bool hf_grid_is_wrap(const hf_topology *topo, const hf_grid *grid, uint32_t channel) {
    const uint32_t d = hf_grid_dimension(topo, grid, channel), from = hf_grid_digit(grid, topo->from[channel], d);
    return grid->wraps[d] && from == (topo->from_port[channel] % 2 ? 0 : grid->size[d] - 1);
}
/** For hf_likeness.run of rules on grids that order ways by dimensions or look at the nearer ones only: switches of one line in x
 *  are alike where they lie on one side of `at`, of half-way round, and of what the dateline classes tell apart. */
uint32_t hf_grid_run_to(const hf_topology *topo, const hf_grid *grid, uint32_t at, uint32_t destination);
/** It is that, of a plan whose state begins with its hf_grid. */
uint32_t hf_grid_run(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination);
/** For hf_likeness.order and .along of rules that take one dimension of `order` after the other: terminals by the digits of their
 *  switches, in the dimension taken first the slowest, in the last the even ones before the odd ones. What lies behind a
 *  dimension that is not done makes no difference, but that balanced ties look at the sum of all digits. */
void hf_grid_order(const hf_topology *topo, const hf_grid *grid, const uint32_t *order, uint32_t *terminals);
uint32_t hf_grid_along(const hf_topology *topo, const hf_grid *grid, const uint32_t *order, uint32_t at, uint32_t destination);
/** For hf_likeness.arrival of rules that go along lines on the virtual channels from 0 on: what hf_grid_line_hops() looks at. A
 *  packet that has not closed the ring goes on as one that enters the dimension, unless classes are `crossing`. */
uint32_t hf_grid_line_arrival(const hf_topology *topo, const hf_grid *grid, const hf_grid_line *line, hf_hop in);
/** Dimension order along dimension d, in which `at` and `goal` differ: the hops on the virtual channels from `first` on, each
 * class with its lanes, for a packet that came by `in`. \return hops written, up to 4 lanes */
size_t hf_grid_line_hops(const hf_topology *topo, const hf_grid *grid, const hf_grid_line *line, uint32_t at, hf_hop in,
                         uint32_t goal, uint32_t d, uint32_t first, hf_hop *hops);
/** The hop of dimension-order routing, x first, for packets that come from anywhere: on VC 0, or on that of its dateline class
 *  where the grid has rings. The class depends on place and goal alone: 0 while the way has still to close the ring, then 1;
 *  balanced classes have 0 for goals that nobody comes to who closed the ring, too. Neither ties are both nor classes
 *  crossing. */
hf_hop hf_grid_dor_hop(const hf_topology *topo, const hf_grid *grid, const hf_grid_line *line, uint32_t at, uint32_t goal);
/** VCs that it takes: 1, 2 where the grid has rings. */
uint32_t hf_grid_dor_vcs(const hf_grid *grid);
/** All minimal hops from a switch, each on VCs first .. first + n_vc - 1: in every dimension the nearer way, half-way round a
 * ring both. \return hops written; 0 at the goal */
size_t hf_grid_minimal_hops(const hf_topology *topo, const hf_grid *grid, uint32_t at, uint32_t goal, uint32_t first,
                            uint32_t n_vc, hf_hop *hops);
/** The lowest dimension that is not done; grid->n if all are. */
uint32_t hf_grid_first_open(const hf_grid *grid, uint32_t at, uint32_t goal);
/** The ring that a channel is on, one direction of a closed line, called by the channel that leaves its first switch; HF_NONE if
 *  it is on none. */
uint32_t hf_grid_ring(const hf_topology *topo, const hf_grid *grid, uint32_t channel);

#endif
