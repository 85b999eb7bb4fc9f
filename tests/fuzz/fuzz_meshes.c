/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Descriptors of meshes: refused with the file, or a network that holds together. */
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

/* Few digits say a large network. */
static bool is_small(const uint8_t *data, size_t size) {
    size_t row = 0;
    for (size_t i = 0; i < size && row < 3; i++) {
        row = data[i] >= '0' && data[i] <= '9' ? row + 1 : 0;
    }
    return row < 3;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (is_small(data, size)) {
        fuzz_draft(hf_read_meshes, data, size);
    }
    return 0;
}
