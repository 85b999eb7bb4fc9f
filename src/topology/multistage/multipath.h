/** \file
 *  Multipath networks of dilated routers [chong1992, 2]: every way is sorted, stage by stage, into ever smaller classes of
 *  routers.
 *
 *  Routers have `radix` directions with `dilation` outputs each, and as many inputs; there are radix^stages endpoints. Stage i
 *  has radix^i classes, by the highest i digits of the destination. The routers of the last stage have dilation 1, so a class
 *  has `dilation` of them there, each with an output to every endpoint of the class; as many of them as dilation share a chip,
 *  copy x of each class on its own. Ports of a router: inputs from 0, then output x of direction j at inputs + j dilation + x.
 *  An endpoint sends at ports 0 .. dilation-1 and receives at dilation .. 2 dilation-1. */
#ifndef HOLDFAST_SRC_TOPOLOGY_MULTISTAGE_MULTIPATH_H
#define HOLDFAST_SRC_TOPOLOGY_MULTISTAGE_MULTIPATH_H

#include <holdfast/core/random.h>

#include "src/topology/topology.h"

enum { HF_MULTIPATH_RADIX_MAX = 16, HF_MULTIPATH_STAGES_MAX = 16 };

typedef struct hf_multipath {
    uint32_t radix, dilation, n_stage;
    uint32_t width;    /**< routers of a stage, but of the last: dilation times as many */
    uint32_t n_switch; /**< logical routers */
} hf_multipath;

typedef struct hf_multipath_bundle {
    uint32_t stage;
    uint32_t routers; /**< of the class; `to` of the next class */
    uint32_t to, inputs;
    uint32_t *line; /**< of output x of router u, at u * dilation + x: router of the next class * inputs + input */
} hf_multipath_bundle;

/** How the outputs of a class towards one direction are wired to the next class: fill in `line`, a permutation. */
typedef void hf_multipath_wire(const hf_multipath *net, const hf_args *args, hf_random *random, hf_multipath_bundle *bundle);

/** The parameters that both families share. */
#define HF_MULTIPATH_SHAPE                                                                                                       \
    {.name = "radix",                                                                                                            \
     .type = HF_PARAM_UINT,                                                                                                      \
     .fallback = "4",                                                                                                            \
     .low = 2,                                                                                                                   \
     .high = HF_MULTIPATH_RADIX_MAX,                                                                                             \
     .flags = HF_PARAM_SHOWN,                                                                                                    \
     .help = "directions of a router"},                                                                                          \
        {.name = "dilation",                                                                                                     \
         .type = HF_PARAM_UINT,                                                                                                  \
         .fallback = "2",                                                                                                        \
         .low = 1,                                                                                                               \
         .high = 16,                                                                                                             \
         .flags = HF_PARAM_SHOWN,                                                                                                \
         .help = "outputs of a router in each direction, and of an endpoint; at most the radix"},                                \
    {                                                                                                                            \
        .name = "stages", .type = HF_PARAM_UINT, .fallback = "5", .low = 2, .high = HF_MULTIPATH_STAGES_MAX,                     \
        .flags = HF_PARAM_SHOWN, .help = "stages of routers: radix^stages endpoints"                                             \
    }

#define HF_MULTIPATH_SEED                                                                                                        \
    {                                                                                                                            \
        .name = "seed", .type = HF_PARAM_UINT, .fallback = "1", .high = UINT64_MAX, .flags = HF_PARAM_SHOWN,                     \
        .help = "seed of the random numbers; a seed means one wiring"                                                            \
    }

extern const char *const hf_multipath_inputs[];
#define HF_MULTIPATH_INPUTS(usual)                                                                                               \
    {                                                                                                                            \
        .name = "inputs", .type = HF_PARAM_WORD, .fallback = (usual), .words = hf_multipath_inputs,                              \
        .help = "the endpoints' outputs: clustered (groups of radix x dilation endpoints share their routers) or random"         \
    }

/** The shape of these families, or of a wiring from a file. \return false for another one */
bool hf_multipath_of(const hf_topology *topo, hf_multipath *net);
/** \param[in] are_apart the outputs of an endpoint lead to different parts of stage 0, where `inputs` are at random */
hf_status hf_multipath_build(hf_context *cx, const hf_topology_kind *kind, const hf_args *args, hf_multipath_wire *wire,
                             bool are_apart, hf_topology **out);
/** Add the links of all routers before the last stage, in the order of routers and ports, then those of the endpoints'
 * outputs. */
typedef hf_status hf_multipath_links(hf_context *cx, hf_topology *topo, const hf_multipath *net, const void *how);
/** The same with links of any kind; those of the last stage are fixed by the shape. \param[in] how handed to `links` */
hf_status hf_multipath_build_links(hf_context *cx, const hf_topology_kind *kind, const hf_args *args, hf_multipath_links *links,
                                   const void *how, hf_topology **out);
uint32_t hf_multipath_stage(const hf_multipath *net, uint32_t sw);
/** Outputs of a router in each direction. */
uint32_t hf_multipath_dilation(const hf_multipath *net, uint32_t stage);
/** Inputs of a router of a stage. */
uint32_t hf_multipath_n_input(const hf_multipath *net, uint32_t stage);
/** Routers of a class. */
uint32_t hf_multipath_class_size(const hf_multipath *net, uint32_t stage);
/** Lines in a random order, then exchanged at random until the outputs of a router towards one direction lead to different
 *  routers. */
void hf_multipath_shuffle(const hf_multipath *net, hf_random *random, hf_multipath_bundle *bundle);
hf_position hf_multipath_place(const hf_topology *topo, uint32_t node);
uint32_t hf_multipath_diameter(const hf_topology *topo);
double hf_multipath_mean_distance(const hf_topology *topo);

/** What the descriptors of these families share. */
#define HF_MULTIPATH_FIGURES                                                                                                     \
    .claims =                                                                                                                    \
        "radix^stages endpoints; (stages - 1 + dilation) radix^(stages-1) routers; every path crosses stages + 1 channels",      \
    .place = hf_multipath_place, .diameter = hf_multipath_diameter, .mean_distance = hf_multipath_mean_distance

#endif
