/** \file
 *  What families share in which every switch carries the same number of terminals: their links, the mean distance from the
 *  distances of switches, places in drawings. */
#ifndef HOLDFAST_SRC_TOPOLOGY_UNIFORM_H
#define HOLDFAST_SRC_TOPOLOGY_UNIFORM_H

#include "src/topology/topology.h"

enum { HF_TERMINALS_MAX = 4096, HF_MBIT_OF_GBIT = 1000 };

/** The parameter "terminals" of a family. */
#define HF_PARAM_TERMINALS                                                                                                       \
    {                                                                                                                            \
        .name = "terminals", .type = HF_PARAM_UINT, .fallback = "1", .low = 1, .high = HF_TERMINALS_MAX,                         \
        .help = "terminals on each switch"                                                                                       \
    }

/** The parameter "rates" of a family: one for each kind of its links, the last for all further ones. */
#define HF_PARAM_RATES(what)                                                                                                     \
    { .name = "rates", .type = HF_PARAM_DIMS, .fallback = "0", .low = 0, .high = 1000000, .unit = "Gbit/s", .help = what }
/** The rate of links of a kind in Mbit/s, 0 where none is said. */
static inline uint32_t hf_rate_of(const hf_args *args, size_t kind) {
    const hf_value *v = hf_args_get(args, "rates");
    return (uint32_t)(v->dims[kind < v->number ? kind : v->number - 1] * HF_MBIT_OF_GBIT);
}

/** a * b and a + b; UINT64_MAX if they do not fit. */
static inline uint64_t hf_times(uint64_t a, uint64_t b) { return b && a > UINT64_MAX / b ? UINT64_MAX : a * b; }
static inline uint64_t hf_plus(uint64_t a, uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }

/** Terminals a switch. */
static inline uint32_t hf_uniform_terminals(const hf_topology *topo) { return topo->n_terminal / topo->n_switch; }
/** Hang the terminals on: terminal t on switch t / terminals, at port first_port + t % terminals. */
void hf_uniform_add_terminals(hf_topology *topo, uint32_t first_port);
/** The same with `each` on the first switches only. */
void hf_uniform_hang(hf_topology *topo, uint32_t each, uint32_t first_port);
/** Mean distance of terminals. \param[in] sum of the distances over ordered pairs of switches, channels */
double hf_uniform_mean(const hf_topology *topo, double sum);
/** Diameter from that of the switches; 0 if there is one terminal alone. */
uint32_t hf_uniform_diameter(const hf_topology *topo, uint32_t between_switches);

/** Grid units that a switch and its terminals take in a row of a drawing. */
double hf_uniform_width(const hf_topology *topo);
/** Place of a terminal whose switch stands at `at`: in a row below it. */
hf_position hf_uniform_below(const hf_topology *topo, uint32_t terminal, hf_position at);
/** Place i of n on a circle with neighbours `step` grid units apart, from the top clockwise. */
hf_position hf_circle_place(uint32_t i, uint32_t n, double step);
/** Place of a node where the switches stand on one circle: terminals outside, in a fan. */
hf_position hf_uniform_on_circle(const hf_topology *topo, uint32_t node);

#endif
