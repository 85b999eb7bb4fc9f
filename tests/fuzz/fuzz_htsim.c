/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Topology files of htsim: refused with the file, or a network that holds together. */
#include "tests/fuzz/draft.h"

static const char lines[] =
    "Nodes $n\nTiers 2\nPodsize $n\nTier 0\nRadix_Down $n\nRadix_Up $n\nTier 1\nRadix_Down $n\nBundle $n\n"
    "Nodes 8\nTiers 3\nPodsize 4\nTier 0\nRadix_Down 2\nRadix_Up 2\nTier 1\nRadix_Down 2\nRadix_Up $n\nTier 2\n"
    "Tier $n\nDownlink_speed_Gbps $n\nOversubscribed $n\nQueue_Up $n\nDownlink_Latency_ns $n\n";
static const char words[] = "0 1 2 4 8 tier TIERS Bundle Oversubscribed";
const fuzz_grammar fuzz_format = {lines, words, "", NULL};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (fuzz_has_small_numbers(data, size, 4)) {
        fuzz_draft(hf_read_htsim, data, size);
    }
    return 0;
}
