/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  GraphML: refused with the file, or a network that holds together and that comes back from what is written of it. */
#include "tests/fuzz/draft.h"

static const char lines[] = "<node id=\"$n\"/>\n"
                            "<edge source=\"$t\" target=\"$t\"/>\n"
                            "<data key=\"$t\">$n</data>\n"
                            "<key id=\"$t\" for=\"$w\" attr.name=\"$w\" attr.type=\"$w\"/>\n"
                            "<edge source=\"$n\" target=\"$n\"><data key=\"$t\">$n</data></edge>\n";
static const char words[] = "graphml graph node edge key data default edgedefault directed undirected source target source_port "
                            "target_port kind both_ways terminal switch int long string boolean true false all port id";
const fuzz_grammar fuzz_format = {lines, words, "<>=\"/", NULL};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_draft(hf_read_graphml, data, size);
    return 0;
}
