/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Edge lists: refused with the file, or a network that holds together and that comes back from GraphML. */
#include "tests/fuzz/draft.h"

static const char lines[] = "$n $n\n"
                            "$n,$n,$n\n"
                            "$w;$w\n"
                            "$t,$t\n"
                            "\"$t\",\"$w x\"\n"
                            "# $t\n"
                            "from,to\n"
                            "id,source_node,target_node\n";
static const char words[] = "source target from to node1 node2 src dst a b switch_a switch_b";
const fuzz_grammar fuzz_format = {lines, words, ",;\"", NULL};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_draft(hf_read_edges, data, size);
    return 0;
}
