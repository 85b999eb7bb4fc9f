/** \file
 *  Parameters and fields of the descriptor that solid-fault and solid-fault-adaptive share, and some that block-fault has, too.
 */
#ifndef HOLDFAST_SRC_ROUTING_SOLID_PARAMS_H
#define HOLDFAST_SRC_ROUTING_SOLID_PARAMS_H

#include "src/routing/solid/route.h"

#define HF_SOLID_SACRIFICE_PARAM                                                                                                 \
    {                                                                                                                            \
        .name = "repair", .type = HF_PARAM_WORD, .fallback = "none", .words = hf_solid_sacrifices, .flags = HF_PARAM_SHOWN,      \
        .help = "who makes a set valid by disabling nodes: nobody, the rules of appendix A, or these completed (meshes)"         \
    }
#define HF_SOLID_RULE4_PARAM                                                                                                     \
    {                                                                                                                            \
        .name = "rule4", .type = HF_PARAM_WORD, .fallback = "last-hop", .words = hf_solid_rules4,                                \
        .help = "how rule 4 is read: orientation of the last hop, the same without turning back, or the first one kept"          \
    }
#define HF_SOLID_RESET_PARAM                                                                                                     \
    {                                                                                                                            \
        .name = "reset", .type = HF_PARAM_BOOL, .fallback = "no",                                                                \
        .help = "a message that becomes a column message has not traversed on its f-ring yet"                                    \
    }

#define HF_SOLID_RINGS_PARAM                                                                                                     \
    {                                                                                                                            \
        .name = "rings", .type = HF_PARAM_WORD, .fallback = "apart", .words = hf_solid_ring_words,                               \
        .help = "f-rings that are taken: closed and sharing no link, also f-chains at the boundary, also sharing links, or both" \
    }
#define HF_SOLID_TURNED_PARAM                                                                                                    \
    {                                                                                                                            \
        .name = "turned-vcs", .type = HF_PARAM_BOOL, .fallback = "yes",                                                          \
        .help = "messages that have turned at the end of an f-chain have four virtual channels of their own"                     \
    }
#define HF_SOLID_SIDESTEPS_PARAM                                                                                                 \
    {                                                                                                                            \
        .name = "sidesteps", .type = HF_PARAM_BOOL, .fallback = "no",                                                            \
        .help = "with f-chains, in meshes of three and more dimensions: a message that cannot get on in its cross section "      \
                "leaves it first, by a virtual channel of its own"                                                               \
    }

/* Both rules read, draw, count and claim alike: their descriptors say so by these fields. */
#define HF_SOLID_FIELDS                                                                                                          \
    .traits = HF_ROUTING_ADAPTIVE | HF_ROUTING_ORDER_FREE | HF_ROUTING_FAULT_AWARE, .route = hf_solid_route,                     \
    .claim = hf_solid_claim, .drawing = &hf_solid_drawing, .measures = &hf_solid_measures

extern const char *const hf_solid_sacrifices[], *const hf_solid_rules4[], *const hf_solid_ring_words[];
/** Refuse other topologies, and f-chains on tori. */
hf_status hf_solid_accepts_rings(hf_context *cx, const hf_topology *topo, const char *rule, const hf_args *args);
/** The same, and sacrifices on tori. */
hf_status hf_solid_accepts_args(hf_context *cx, const hf_topology *topo, const char *rule, const hf_args *args);
/** The options that the shared parameters give. */
hf_solid_options hf_solid_options_of(const hf_args *args);

#endif
