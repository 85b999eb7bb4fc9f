/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Topology files of htsim: refused with the file, or a network that holds together. */
#include "tests/fuzz/draft.h"

static const char lines[] =
    "Nodes $n\nTiers 2\nPodsize $n\nTier 0\nRadix_Down $n\nRadix_Up $n\nTier 1\nRadix_Down $n\nBundle $n\n"
    "Nodes 8\nTiers 3\nPodsize 4\nTier 0\nRadix_Down 2\nRadix_Up 2\nTier 1\nRadix_Down 2\nRadix_Up $n\nTier 2\n"
    "Tier $n\nDownlink_speed_Gbps $n\nOversubscribed $n\nQueue_Up $n\nDownlink_Latency_ns $n\n";
static const char words[] = "0 1 2 4 8 tier TIERS Bundle Oversubscribed";
const fuzz_grammar fuzz_format = {lines, words, "", NULL};

/* Few digits say a large network: four in a row are enough. */
static bool is_small(const uint8_t *data, size_t size) {
    size_t row = 0;
    for (size_t i = 0; i < size && row < 4; i++) {
        row = data[i] >= '0' && data[i] <= '9' ? row + 1 : 0;
    }
    return row < 4;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (is_small(data, size)) {
        fuzz_draft(hf_read_htsim, data, size);
    }
    return 0;
}
