/** \file
 *  Method `orbits`: one fault set of each kind that the symmetries of the network take to one another; docs/methods.md. */
#ifndef HOLDFAST_SRC_CAMPAIGN_ORBITS_H
#define HOLDFAST_SRC_CAMPAIGN_ORBITS_H

#include <holdfast/campaign.h>

#include "src/bridge/igraph.h"

/** A graph without directions and multiple edges, whose automorphisms that keep colours are those of a network with its universe:
 *  of terminals, switches, channels, and what each component takes down. */
typedef struct hf_orbits_graph {
    hf_igraph *graph;
    uint32_t n_node;
    uint32_t n_colour; /**< colours are below */
    uint32_t *colour;  /**< n_node, in the arena; nodes 0 .. n_component - 1 are the components */
} hf_orbits_graph;
/** \param[in] claim which automorphisms: fixes_terminals, keeps  \param[out] out graph: free with hf_igraph_free() */
hf_status hf_orbits_graph_make(hf_context *cx, const hf_universe *universe, const hf_symmetric *claim, hf_orbits_graph *out);
/** Is what is asked the same for sets that symmetries take to one another, and can they be counted? \param[in] criterion NULL: an
 * inquiry asks  \param[in] needs HF_SYMMETRIC_*, any of them does  \param[out] out what the rule claims
 * \return HF_ENOTSUP, HF_ERANGE */
hf_status hf_orbits_claim(hf_context *cx, const hf_universe *universe, const hf_rule *rule, const hf_criterion *criterion,
                          unsigned needs, uint32_t f_most, hf_symmetric *out);
/** About how many verdicts a campaign by method orbits would ask for: counted as long as they are few, then below some of every
 * size, the same ones always. \param[in] verdicts_most it need not be known how many more there are  \return as that does */
hf_status hf_orbits_estimate(hf_context *cx, const hf_campaign *campaign, double verdicts_most, double *verdicts);
/** A campaign by method orbits, of an inquiry: classes and quantities of sets, one of each orbit. */
hf_status hf_orbits_campaign(hf_context *cx, const hf_campaign *campaign, hf_result *result);

#endif
