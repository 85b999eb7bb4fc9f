/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Deadlocks, as `holdfast simulate --replay` puts them in place and runs them. */
#include "tests/fuzz/given.h"

static const char lines[] = "\"$w\": $n,\n"
                            "\"$w\": \"$w\",\n"
                            "\"$w\": null,\n"
                            "\"$w\": [$t],\n";
static const char words[] =
    "null true false \"\" [] {} spec topology routing universe failed switching wormhole vct saf flow bubble "
    "credit certificate verdict deadlock method source destination holds waits_for path t0 t1 t3 s0:0>s1:0 "
    "s1:1>s2:0 ring:n=4 mesh:dims=2x2 dor:vcs=1 minimal:vcs=1";
const fuzz_grammar fuzz_format = {lines, words, "{}[],:\"", NULL};

static const char *const topologies[] = {"ring:n=4", "mesh:dims=2x2", "mesh:dims=3x3", "torus:dims=3x4", NULL};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (fuzz_is_small(data, size, topologies)) {
        fuzz_give("simulate", "--replay", data, size);
    }
    return 0;
}
