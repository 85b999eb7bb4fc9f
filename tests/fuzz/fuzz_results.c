/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results of simulations: refused with the name of the file, or a throughput above 0. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <holdfast/holdfast.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(int holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "broken: %s\n", what);
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    hf_context *cx = hf_context_new(NULL);
    double throughput = 0, half = -1;
    if (!cx) {
        abort();
    }
    const hf_status status =
        hf_results_throughput(cx, "input", (const char *)data, size, "kary-tree:k=2,n=2", NULL, &throughput, &half);
    expect(status == HF_OK || strstr(hf_context_message(cx), "input") != NULL, "a refusal names the file");
    expect(status != HF_OK || (throughput > 0 && isfinite(throughput) && half >= 0), "some traffic was accepted");
    hf_context_free(cx);
    return 0;
}
