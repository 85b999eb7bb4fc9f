/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  JSON of nodes and links: refused with the file, or a network that holds together. */
#include "tests/fuzz/draft.h"

static const char lines[] =
    "{\"directed\": true, \"nodes\": [{\"id\": $n}, {\"id\": \"$t\", \"kind\": \"terminal\"}], \"links\": [\n"
    "{\"source\": $n, \"target\": \"$t\", \"source_port\": $n, \"target_port\": $n},\n"
    "{\"source\": [$n, $n], \"target\": $n, \"rate\": $n, \"delay\": $n, \"latency\": $n}]}\n"
    "{\"nodes\": [{\"id\": [$n, $n]}, {\"id\": $n, \"type\": \"host\"}], \"edges\": []}\n";
static const char words[] = "nodes links edges directed id kind terminal switch source target both_ways true false null";
const fuzz_grammar fuzz_format = {lines, words, "{}[]\":,", NULL};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_draft(hf_read_node_link, data, size);
    return 0;
}
