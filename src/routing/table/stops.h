/** \file
 *  Ways and rings as a user writes them: a line of nodes. */
#ifndef HOLDFAST_SRC_ROUTING_TABLE_STOPS_H
#define HOLDFAST_SRC_ROUTING_TABLE_STOPS_H

#include <holdfast/topology.h>

#include "src/core/lines.h"

enum { HF_STOP_VC_MAX = 255 };

/** A node of a line: "s3", "s3:2" (it leaves by port 2), "s3@1" (it came on virtual channel 1), "s3:2@1". */
typedef struct hf_stop {
    uint32_t node, port, vc; /**< port: HF_NONE unless told */
} hf_stop;

hf_status hf_stop_read(hf_lines *r, const hf_topology *topo, hf_slice word, hf_stop *out);
/** The channel from one to the next. \return HF_EINVAL, HF_ENOENT with the line unless there is just one */
hf_status hf_stop_channel(hf_lines *r, const hf_topology *topo, const hf_stop *from, const hf_stop *to, uint32_t *out);

#endif
