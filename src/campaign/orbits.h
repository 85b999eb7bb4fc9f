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
/** \param[in] fixes_terminals only automorphisms that leave every terminal in its place  \param[out] out graph: free with
 * hf_igraph_free() */
hf_status hf_orbits_graph_make(hf_context *cx, const hf_universe *universe, bool fixes_terminals, hf_orbits_graph *out);
/** About how many verdicts hf_orbits_run() would ask for: counted as long as they are few, then as they grew last. \return as
 * that does */
hf_status hf_orbits_estimate(hf_context *cx, const hf_universe *universe, const hf_rule *rule, const hf_criterion *criterion,
                             uint32_t f_most, double *verdicts);
/** A campaign by method orbits, of an inquiry: classes and quantities of sets, one of each orbit. */
hf_status hf_orbits_campaign(hf_context *cx, const hf_campaign *campaign, hf_result *result);

#endif
