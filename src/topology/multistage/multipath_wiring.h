/** \file
 *  The wiring of a multipath network as text, line by line:
 *
 *      multipath-wiring maximal-fanout radix 2 dilation 2 stages 4
 *      s0: s8:0 s10:0 s12:0 s14:0
 *      t0: s0:0 s4:0
 *
 *  After the line with family and shape there is one line, in any order, for every router before the last stage and for every
 *  endpoint: its outputs in the order of ports, each as ROUTER:INPUT. Numbers of routers and ports are those of
 *  src/topology/multistage/multipath.h, and so are the links of the last stage, which the shape fixes. Lines that begin with #
 * say nothing.
 */
#ifndef HOLDFAST_SRC_TOPOLOGY_MULTISTAGE_MULTIPATH_WIRING_H
#define HOLDFAST_SRC_TOPOLOGY_MULTISTAGE_MULTIPATH_WIRING_H

#include "src/core/lines.h"
#include "src/topology/multistage/multipath.h"

typedef struct hf_wired {
    uint32_t router, input; /**< where an output leads */
} hf_wired;

typedef struct hf_wiring_file {
    hf_multipath net;
    uint64_t family;  /**< its number in the parameter "family" */
    uint32_t n_first; /**< routers before the last stage; rows of endpoints follow theirs */
    uint32_t n_row, stride;
    hf_wired *output; /**< n_row rows of `stride`, in the arena */
} hf_wiring_file;

/** Read a text. \return HF_EINVAL with file, line and value: a shape that cannot be, a node without its line or with two, an
 * output outside of the class that its direction leads to, an input that is taken */
hf_status hf_read_multipath_wiring(hf_context *cx, const char *file, const char *data, size_t size, hf_wiring_file *out);
/** Build what was read. \param[in] args of topology "multipath-wiring"; a shape in them has to be that of the file. */
hf_status hf_build_multipath_wiring(hf_context *cx, const char *file, const hf_wiring_file *wiring, const hf_args *args,
                                    hf_topology **out);

#endif
