/** \file
 *  Rings for bubble flow control that a user declares, for a rule of a file. */
#ifndef HOLDFAST_SRC_ROUTING_RINGS_H
#define HOLDFAST_SRC_ROUTING_RINGS_H

#include <holdfast/core/spec.h>
#include <holdfast/topology.h>

#include "src/core/lines.h"

/** The parameter that names their file; "none" unless told. */
#define HF_RINGS_PARAM                                                                                                           \
    {                                                                                                                            \
        .name = "rings", .type = HF_PARAM_TEXT, .fallback = "none",                                                              \
        .help = "file with the rings on which bubble flow control keeps a free buffer, a line of nodes each"                     \
    }

/** Read the file of an argument, which becomes "PATH#hash": a ring a line, its nodes in order, s0 s1@1 s2:3; from the last one it
 *  goes on to the first. "none": no rings. \param[out] named the argument's text, NULL: none; freed with hf_release()
 *  \param[out] ring n_channel * n_vc numbers, HF_NONE: on none; NULL without rings; freed with hf_release(). Both are to be freed
 *  after a failure, too. */
hf_status hf_rings_take(hf_context *cx, const hf_topology *topo, uint32_t n_vc, hf_value *argument, char **named,
                        uint32_t **ring);
/** Read them from lines. \return HF_EINVAL, HF_ENOENT with the line */
hf_status hf_rings_read(hf_lines *r, const hf_topology *topo, uint32_t n_vc, uint32_t *ring);
/** Is what has a number one cycle that comes to a node once? \return HF_EINVAL with `file` and where it is not */
hf_status hf_rings_check(hf_context *cx, const char *file, const hf_topology *topo, uint32_t n_vc, const uint32_t *ring);

#endif
