/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Results of simulations: refused with the name of the file, or a throughput above 0. */
#include <math.h>

#include <holdfast/holdfast.h>

#include "tests/fuzz/fuzz.h"

static const char lines[] = "\"$w\": $n,\n"
                            "\"$w\": \"$w\",\n";
static const char words[] = "null true false \"\" [] {} \"x\" simulate rows spec topology routing traffic accepted throughput "
                            "half half_width offered kary-tree:k=2,n=2";
const fuzz_grammar fuzz_format = {lines, words, "{}[],:\"", NULL};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    hf_context *cx = hf_context_new(NULL);
    double throughput = 0, half = -1;
    if (!cx) {
        abort();
    }
    const hf_status status =
        hf_results_throughput(cx, "input", (const char *)data, size, "kary-tree:k=2,n=2", NULL, &throughput, &half);
    if (status != HF_OK) {
        expect_refusal(cx);
    }
    expect(status != HF_OK || (throughput > 0 && isfinite(throughput) && half >= 0), "some traffic was accepted");
    hf_context_free(cx);
    return 0;
}
