/** \file
 *  The plan of Immunet, and what its judge and its description share with it. */
#ifndef HOLDFAST_SRC_ROUTING_IMMUNET_IMMUNET_H
#define HOLDFAST_SRC_ROUTING_IMMUNET_IMMUNET_H

#include "src/routing/grid/route.h"
#include "src/routing/immunet/ring.h"

/** Virtual channels, and the measures of a fault set in the order of hf_routing_measures.extras. */
enum { HF_IMMUNET_ADAPTIVE, HF_IMMUNET_SAFE, HF_IMMUNET_VCS };
enum {
    HF_IMMUNET_RING,
    HF_IMMUNET_PAIRS,
    HF_IMMUNET_PROVISIONAL_SUM,
    HF_IMMUNET_PROVISIONAL_LONGEST,
    HF_IMMUNET_OPTIMISED_SUM,
    HF_IMMUNET_OPTIMISED_LONGEST,
    HF_IMMUNET_ADAPTIVE_SUM,
    HF_IMMUNET_ADAPTIVE_LONGEST
};
/** Classes of fault sets: do the switches that are left hang together? */
enum { HF_IMMUNET_CONNECTED, HF_IMMUNET_DISCONNECTED };
extern const char *const hf_immunet_outcomes[], *const hf_immunet_extras[];
extern const hf_extra_note hf_immunet_extra_notes[];

typedef struct hf_immunet_options {
    hf_emergency_rule rule;
    bool has_bubble, is_provisional;
    bool has_spare;     /**< the safe VCs that are not on the ring are adaptive */
    uint32_t transfers; /**< times that a packet may leave the ring for the adaptive network */
} hf_immunet_options;
hf_immunet_options hf_immunet_options_of(const hf_args *args);
/** Has every connected part one tree whatever the numbers: safe priorities, and all notices at once? */
bool hf_immunet_goes_by_parts(const hf_args *args);

typedef struct hf_immunet {
    hf_immunet_options options;
    hf_ways ways;
    uint64_t *dead; /**< links between switches, n_link bits */
    hf_emergency emergency;
    bool is_grid; /**< no fault, and a grid: the safe network is dimension order, on a torus over rings */
    hf_grid grid;
    hf_ring ring;
    uint32_t *row;      /**< n_switch: row of a switch with terminals, HF_NONE */
    uint16_t *distance; /**< rows of n_switch: hops over live links to it; UINT16_MAX: none */
} hf_immunet;

/** How the safe network goes without faults on a grid: half-way round a ring +; all its channels are alike. */
extern const hf_grid_line hf_immunet_line;
/** Is it a mesh, torus, ring or hypercube? */
bool hf_immunet_is_grid(const hf_topology *topo);
/** Refuse measures, two tables of a bit for each pair of switches, that do not fit. */
hf_status hf_immunet_measure_fits(hf_context *cx, const hf_topology *topo);
/** Outcome and measures of a fault set. \return HF_ESTOP. \param[in] has_dor the safe network is dimension order: no ring, and
 * distances as in the adaptive network \param[in] next scratch of n entries \param[in] reach, reach_next scratch of n rows of
 * hf_words(n) words Time O(links * n / 64 * diameter + pairs). */
hf_status hf_immunet_measure(hf_context *cx, const hf_ways *ways, const uint64_t *dead, const uint64_t *gone, bool has_dor,
                             const hf_ring *ring, uint32_t *next, uint64_t *reach, uint64_t *reach_next, hf_measure *out);

/** What the rule declares, see hf_routing. */
hf_status hf_immunet_plan(hf_context *cx, hf_plan *plan);
size_t hf_immunet_route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops);
size_t hf_immunet_escape(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops);
uint32_t hf_immunet_ring(const hf_plan *plan, uint32_t channel, uint32_t vc);
/** The relation with safe tables in one state and the adaptive ones of another plan, over links that `plan` has. */
size_t hf_immunet_hops(const hf_plan *plan, const hf_plan *adaptive, bool is_provisional, uint32_t at, hf_hop in,
                       uint32_t destination, hf_hop *hops);

hf_status hf_immunet_judge_new(hf_context *cx, const hf_universe *universe, const hf_rule *rule, hf_judge **out);

#endif
