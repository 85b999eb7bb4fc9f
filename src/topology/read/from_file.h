/** \file
 *  What families that are read from a file share. Their first parameter is HF_SOURCE_PARAM. */
#ifndef HOLDFAST_SRC_TOPOLOGY_READ_FROM_FILE_H
#define HOLDFAST_SRC_TOPOLOGY_READ_FROM_FILE_H

#include "src/core/source.h"
#include "src/topology/topology.h"

/** \param[in] named the arguments, the path with the hash of the content */
typedef hf_status hf_topology_reader(hf_context *cx, const hf_args *named, const hf_source *source, hf_topology **out);
/** Read the file, up to 256 MiB, and build from it. What is left in the arena is dropped. */
hf_status hf_topology_from_file(hf_context *cx, const hf_args *args, hf_topology_reader *read, hf_topology **out);

#endif
