/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Certificates of bounds, as `holdfast bound --check` takes them. */
#include "tests/fuzz/given.h"

static const char lines[] = "\"$w\": $n,\n"
                            "\"$w\": \"$w\",\n"
                            "[$n, $n, $n, $n],\n"
                            "\"$w\": [\"$w\", \"$w\"],\n";
static const char words[] =
    "null true \"\" [] {} schema command bound program name version spec topology routing universe rows "
    "tolerated_faults components classes class_runs witness updown ft2ei:intervals=1 links channels switches "
    "kary-tree:k=2,n=2 s0:2-s2:0 s0:3-s3:0 s0:2>s2:0 s2";
const fuzz_grammar fuzz_format = {lines, words, "{}[],:\"", NULL};

static const char *const topologies[] = {"kary-tree:k=2,n=2", "kary-tree:k=2,n=3", "kary-tree:k=3,n=2", "ring:n=4", NULL};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (fuzz_is_small(data, size, topologies)) {
        fuzz_give("bound", "--check", data, size);
    }
    return 0;
}
