/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Anynet files: refused with the file, or a network that holds together. */
#include "tests/fuzz/draft.h"

static const char lines[] = "router $n node $n router $n $n\n"
                            "router $n router $n\n"
                            "router $n node $n\n"
                            "router $t node $t $n\n";
static const char words[] = "router node";
const fuzz_grammar fuzz_format = {lines, words, "", NULL};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_draft(hf_read_anynet, data, size);
    return 0;
}
