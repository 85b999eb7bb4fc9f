/** \file
 *  Shape of a dragonfly, for the family itself and the rules for it. */
#ifndef HOLDFAST_SRC_TOPOLOGY_DRAGONFLY_H
#define HOLDFAST_SRC_TOPOLOGY_DRAGONFLY_H

#include "src/topology/uniform.h"

typedef struct hf_dragonfly {
    uint32_t p, a, h; /**< terminals a switch, switches a group, global ports a switch */
    uint32_t groups;  /**< 1 .. a h + 1 */
    uint32_t rounds;  /**< links between two groups */
    bool is_palmtree; /**< else canonical */
} hf_dragonfly;

/** \return false for any other family. */
bool hf_dragonfly_of(const hf_topology *topo, hf_dragonfly *shape);

/** A global port: q = 0 .. a h - 1 of a group is port q % h of its switch q / h. */
typedef struct hf_dragonfly_end {
    uint32_t group, q;
} hf_dragonfly_end;
/** The other end of a global link; group HF_NONE if the port is not used. */
hf_dragonfly_end hf_dragonfly_across(const hf_dragonfly *shape, hf_dragonfly_end end);
/** The global port of `group` that leads to `other` in round 0 .. rounds - 1. */
uint32_t hf_dragonfly_port_to(const hf_dragonfly *shape, uint32_t group, uint32_t other, uint32_t round);

/** Port of a switch: local ones 0 .. a-2 in ascending order of switches, then the global ones, then terminals. */
static inline uint32_t hf_dragonfly_local_port(uint32_t i, uint32_t other) { return other < i ? other : other - 1; }
static inline uint32_t hf_dragonfly_global_port(const hf_dragonfly *shape, uint32_t q) { return shape->a - 1 + q % shape->h; }

#endif
