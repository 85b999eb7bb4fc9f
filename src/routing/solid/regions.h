/** \file
 *  Solid faults of a mesh or torus: f-regions, f-rings, and whether a fault set is valid. Source: [chalasani1996, 2 and 5].
 *
 *  Regions are found by faces: a face is a unit square between four nodes of a plane, named by its node of lowest coordinates.
 *  A faulty link borders one or two faces of a plane; its faces belong to one region, so two faulty links are adjacent exactly
 *  when they border a common face. The f-ring of a region is the boundary of the union of its faces.
 *
 *  Planes of an n-dimensional mesh: those of the types A_i, of dimensions i and i+1 modulo n (3.3). A plane has axes u and v;
 *  East is +u, South is +v, so that rows are numbered from the north. A type stands for all its planes: a node is in one of
 *  them.
 *
 *  A line of a torus is closed, so what lies between two faulty links of a region is so on one side or the other: the region is
 *  solid if its links in a line are one run, all nodes within it faulty, and if it leaves a column and a row of faces free, so
 *  that it does not go round the torus and has one ring. */
#ifndef HOLDFAST_SRC_ROUTING_SOLID_REGIONS_H
#define HOLDFAST_SRC_ROUTING_SOLID_REGIONS_H

#include "src/topology/grid/grid.h"
#include <holdfast/fault.h>

/** What a fault set is, in the order of test. */
typedef enum hf_solid_class {
    HF_SOLID_COVERED, /**< valid: every region is solid, none touches the boundary, no two rings overlap */
    HF_SOLID_NOT_SOLID,
    HF_SOLID_BOUNDARY, /**< an f-chain, not an f-ring */
    HF_SOLID_OVERLAP,
    HF_SOLID_DISCONNECTED, /**< some nodes in service cannot reach each other, or there are fewer than two */
    HF_SOLID_PARTED        /**< some message cannot get on in its cross section (sections.h) */
} hf_solid_class;

enum { HF_EAST, HF_SOUTH, HF_WEST, HF_NORTH, HF_COMPASS };

/** Nodes and links out of service. All arrays live in the arena. */
typedef struct hf_solid {
    const hf_topology *topo;
    hf_grid grid;
    bool is_convex_only;                                    /**< regions must be rectangles: the older model */
    bool takes_chains, takes_overlaps;                      /**< on the boundary; rings that share links */
    uint32_t n_plane;                                       /**< types of planes */
    uint32_t u[HF_GRID_DIMS_MAX], v[HF_GRID_DIMS_MAX];      /**< axes of a type */
    uint32_t low[HF_GRID_DIMS_MAX], high[HF_GRID_DIMS_MAX]; /**< the mesh in service: first and last digit of a dimension; where
                                                                 that is a ring, all of it */
    uint8_t *bad;                                           /**< n_switch: failed or deactivated */
    uint8_t *cut;                                           /**< grid.n rows of n_switch: the link in + direction is faulty */
    uint32_t n_cut, *cut_node, *cut_dim;                    /**< faulty links in the order of their coming */
    uint32_t *face;                                         /**< n_plane rows of n_switch: region of a face, HF_NONE: none */
    uint32_t n_sacrificed;                                  /**< deactivated nodes that had not failed */
} hf_solid;

/** Refuse what is no mesh or torus of two or more dimensions, in words that name the rule. */
hf_status hf_solid_accepts(hf_context *cx, const hf_topology *topo, const char *rule);
/** Take the failed nodes and links of a fault set; a link with one failed channel is faulty. */
hf_status hf_solid_init(hf_context *cx, const hf_fault_set *faults, hf_solid *out);
/** Take a node out of service, and its links with it. Counts as sacrificed. */
void hf_solid_disable(hf_solid *s, uint32_t node);
/** Pendant closure: a node with at most one good link in a plane marks itself faulty, until there is none. */
void hf_solid_close_pendants(hf_solid *s);
/** Find the regions: fills `face`. Time about that of the faulty links. */
void hf_solid_find_regions(hf_solid *s);
/** Are two nodes in service, or more? */
bool hf_solid_has_two(const hf_solid *s);
/** Class of the present faults, after hf_solid_find_regions(). */
hf_status hf_solid_classify(hf_context *cx, hf_solid *s, hf_solid_class *out);

/** The switches at a faulty link or at a face of a region, after hf_solid_find_regions(): n_switch bits. \return whether a region
 *  touches the boundary */
bool hf_solid_touch(const hf_solid *s, uint64_t *switches);

/** Coordinate in dimension d. */
static inline uint32_t hf_solid_digit(const hf_solid *s, uint32_t node, uint32_t d) {
    return s->topo->coord[(size_t)node * s->grid.n + s->grid.n - 1 - d];
}
/** Is there something behind a node in + or - direction of dimension d, in the mesh in service? */
static inline bool hf_solid_has(const hf_solid *s, uint32_t node, uint32_t d, bool is_plus) {
    return s->grid.wraps[d] || (is_plus ? hf_solid_digit(s, node, d) < s->high[d] : hf_solid_digit(s, node, d) > s->low[d]);
}
/** The neighbour there; there must be one. */
static inline uint32_t hf_solid_next(const hf_solid *s, uint32_t node, uint32_t d, bool is_plus) {
    const uint32_t stride = s->grid.stride[d], digit = hf_solid_digit(s, node, d), last = s->grid.size[d] - 1;
    return is_plus ? (digit < last ? node + stride : node - last * stride) : digit > 0 ? node - stride : node + last * stride;
}
/** Is the node inside the mesh in service? */
bool hf_solid_is_inside(const hf_solid *s, uint32_t node);
/** Is there a good link in + or - direction of dimension d? */
bool hf_solid_is_good(const hf_solid *s, uint32_t node, uint32_t d, bool is_plus);
/** Region of the face that lies to the right (or left) of a hop from `node`; HF_NONE if none. A healthy hop with region r to its
 *  right is a clockwise hop of the f-ring of r, to its left a counter-clockwise one: with this all lines of Table 1 come out. */
uint32_t hf_solid_beside(const hf_solid *s, uint32_t plane, uint32_t node, unsigned compass, bool is_right);
/** Dimension of a direction of a plane. */
static inline uint32_t hf_solid_dim(const hf_solid *s, uint32_t plane, unsigned compass) {
    return compass == HF_EAST || compass == HF_WEST ? s->u[plane] : s->v[plane];
}
static inline bool hf_solid_is_plus(unsigned compass) { return compass == HF_EAST || compass == HF_SOUTH; }
/** The node behind a hop; there must be one. */
static inline uint32_t hf_solid_step(const hf_solid *s, uint32_t plane, uint32_t node, unsigned compass) {
    return hf_solid_next(s, node, hf_solid_dim(s, plane, compass), hf_solid_is_plus(compass));
}
/** Next hop of the f-ring of region r from `node`, which is on it, in one of the two orientations. \return HF_COMPASS if the node
 * is not on the ring */
unsigned hf_solid_turn(const hf_solid *s, uint32_t plane, uint32_t node, uint32_t r, bool is_clockwise);

#endif
