/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GraphML and edge lists, as the content says: refused with the file, or a network that holds together. */
#include "tests/fuzz/draft.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_draft(size > 0 && data[0] == '<' ? hf_read_graphml : hf_read_edges, data, size);
    return 0;
}
