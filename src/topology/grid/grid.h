/** \file
 *  Grids of switches: what mesh, torus, ring, hypercube and HyperX share.
 *
 *  Convention: of dims=AxBxC the first number is the size of the most significant coordinate, so the switch <a,b,c> has the
 *  number (a B + b) C + c. Dimensions are counted from the least significant: dimension 0, called x, is the one written last.
 *  Dimension 1 is y, 2 is z. Links are ordered by (dimension, switch that they leave in + direction), forward is +. */
#ifndef HOLDFAST_SRC_TOPOLOGY_GRID_GRID_H
#define HOLDFAST_SRC_TOPOLOGY_GRID_GRID_H

#include <holdfast/core/big.h>

#include "src/topology/uniform.h"

/** The parameter of grids that are given by their sizes. */
#define HF_GRID_PARAM_DIMS                                                                                                       \
    {                                                                                                                            \
        .name = "dims", .type = HF_PARAM_DIMS, .low = 1, .high = HF_GRID_SIZE_MAX,                                               \
        .help = "switches in each dimension, the most significant first: 4x8 has 8 in x"                                         \
    }

enum { HF_GRID_DIMS_MAX = 24, HF_GRID_SIZE_MAX = 1 << 24 };

typedef struct hf_grid {
    uint32_t n;                           /**< dimensions */
    uint32_t size[HF_GRID_DIMS_MAX];      /**< of dimension d, 0 the fastest */
    uint32_t stride[HF_GRID_DIMS_MAX];    /**< product of the sizes below d */
    uint64_t inverse[HF_GRID_DIMS_MAX];   /**< 2^64 / (stride * size), rounded up, modulo 2^64 */
    bool wraps[HF_GRID_DIMS_MAX];         /**< a ring: the last switch has a + neighbour too */
    bool has_ring;                        /**< some dimension wraps */
    bool is_cube;                         /**< one port a dimension, not two */
    bool is_complete;                     /**< HyperX: all switches of a line are joined */
    uint64_t n_switch, terminals, n_link; /**< UINT64_MAX: too many */
} hf_grid;

/** For families, see hf_topology_kind.grid: the sizes of "dims"; and lines that are closed to rings. \param[in] is_doubled of two
 *  switches, too: they have two links */
void hf_grid_take_dims(const hf_args *args, hf_grid *grid);
void hf_grid_wrap(hf_grid *grid, bool is_doubled);
/** The grid that `kind` builds of `args`. \return false if it is no family of grids */
bool hf_grid_shape(const hf_topology_kind *kind, const hf_args *args, hf_grid *grid);
static inline bool hf_grid_of(const hf_topology *topo, hf_grid *grid) { return hf_grid_shape(topo->kind, &topo->args, grid); }

/** Coordinate of a switch in dimension d, sw / stride % size, without a division: the product modulo 2^64 is the part of sw /
 *  (stride * size) behind the point, too large by less than 2^-32, where the next coordinate is 1 / (stride * size) away or
 *  more. */
static inline uint32_t hf_grid_digit(const hf_grid *grid, uint32_t sw, uint32_t d) {
    return (uint32_t)((hf_u128)(grid->inverse[d] * sw) * grid->size[d] >> 64);
}
/** The switch at `digit` of dimension d, else where `sw` is. */
static inline uint32_t hf_grid_move(const hf_grid *grid, uint32_t sw, uint32_t d, uint32_t digit) {
    return sw + (digit - hf_grid_digit(grid, sw, d)) * grid->stride[d];
}
/** The neighbour in + or - direction of dimension d; HF_NONE if there is none. */
uint32_t hf_grid_neighbour(const hf_grid *grid, uint32_t sw, uint32_t d, bool is_plus);
/** Port in that direction: 2d is +, 2d+1 is -; in a hypercube port d is both. */
static inline uint32_t hf_grid_port(const hf_grid *grid, uint32_t d, bool is_plus) {
    return grid->is_cube ? d : 2 * d + !is_plus;
}
/** HyperX: the port that leads to `digit` of dimension d. Dimension by dimension, in ascending order of digits. */
uint32_t hf_grid_line_port(const hf_grid *grid, uint32_t sw, uint32_t d, uint32_t digit);
/** First port that leads to a terminal. */
uint32_t hf_grid_terminal_port(const hf_grid *grid);
/** Letter of dimension d: x, y, z, w, v, ... */
char hf_grid_letter(uint32_t d);

/** Build of all families of grids. */
hf_status hf_grid_build(hf_context *cx, const hf_topology_kind *kind, const hf_args *args, hf_topology **out);
/** Drawing: dimension 0 to the right, dimension 1 upwards, the planes of the others beside and above each other. */
hf_position hf_grid_place(const hf_topology *topo, uint32_t node);
uint32_t hf_grid_diameter(const hf_topology *topo);
double hf_grid_mean_distance(const hf_topology *topo);

#endif
