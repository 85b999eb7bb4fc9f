/** \file
 *  Unidirectional multistage networks of k x k switches: terminals send into stage 0 and receive from the last stage.
 *
 *  A stage has k^n lines; switch i of a stage takes its lines k i .. k i + k-1, at ports 0..k-1 in and k..2k-1 out. A family is
 *  the permutation of lines before, between and behind the stages. A terminal has port 0 out and port 1 in. */
#ifndef HOLDFAST_SRC_TOPOLOGY_MULTISTAGE_FLY_H
#define HOLDFAST_SRC_TOPOLOGY_MULTISTAGE_FLY_H

#include "src/topology/multistage/stages.h"

typedef struct hf_fly {
    uint32_t k, n;
    uint32_t n_stage;
    uint32_t n_line; /**< k^n, as many terminals */
} hf_fly;

/** From line `y` behind stage s-1 (s=0: from terminal y) to the line before stage s (s=n_stage: the terminal). */
typedef uint32_t hf_fly_wire(const hf_fly *fly, uint32_t s, uint32_t y);

/** The parameters k and n of these families, and the end of the list. */
extern const hf_param hf_fly_params[];

/** Digit i of `x` in base k, 0 the least significant. */
static inline uint32_t hf_fly_digit(const hf_fly *fly, uint32_t x, uint32_t i) { return x / hf_power(fly->k, i) % fly->k; }
/** The shape of any topology of these families. \return false for another one */
bool hf_fly_of(const hf_topology *topo, hf_fly *fly);
/** `counts` of one with that many stages. */
void hf_fly_count(const hf_args *args, uint64_t n_stage, hf_topology_counts *out);
/** Build one. */
hf_status hf_fly_build(hf_context *cx, const hf_topology_kind *kind, const hf_args *args, uint64_t n_stage, hf_fly_wire *wire,
                       hf_topology **out);
hf_position hf_fly_place(const hf_topology *topo, uint32_t node);
/** Every way crosses all stages. */
uint32_t hf_fly_diameter(const hf_topology *topo);
double hf_fly_mean_distance(const hf_topology *topo);

/** What the descriptors of these families share; and the claims of those with one way a pair, over n stages. */
#define HF_FLY_FIGURES                                                                                                           \
    .params = hf_fly_params, .place = hf_fly_place, .diameter = hf_fly_diameter, .mean_distance = hf_fly_mean_distance
#define HF_FLY_CLAIMS "k^n terminals; n k^(n-1) switches; (n+1) k^n one-way links; every path crosses n+1 channels"

#endif
