/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Descriptors of meshes: refused with the file, or a network that holds together. */
#include "tests/fuzz/draft.h"

static const char lines[] =
    "mesh_descriptors { name: \"$t\" device_topology { dims: [ $n, $n ] dim_types: [ RING, LINE ] } channels { "
    "count: $n } }\n"
    "express_connections { src: $n dst: $n }\n"
    "graph_descriptors { name: \"$t\" instances { mesh { mesh_descriptor: \"$t\" mesh_id: $n } } }\n"
    "connections { nodes { mesh { mesh_id: $n device_id: $n } } nodes { mesh { mesh_id: $n device_id: $n } } }\n"
    "top_level_instance { mesh { mesh_descriptor: \"$t\" mesh_id: $n } }\n";
static const char words[] = "0 1 2 3 RING LINE dims { } [ ] : ,";
const fuzz_grammar fuzz_format = {lines, words, "{}[]:,", NULL};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (fuzz_has_small_numbers(data, size, 3)) {
        fuzz_draft(hf_read_meshes, data, size);
    }
    return 0;
}
