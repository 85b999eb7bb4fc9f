/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Tallies as JSON: refused with the name of the file, or rows whose numbers fit together, from which reliability follows. */
#include <math.h>

#include <holdfast/holdfast.h>

#include "tests/fuzz/fuzz.h"

static const char lines[] = "\"$w\": $n,\n"
                            "\"$w\": \"$n\",\n"
                            "{ \"f\": $n, \"sets\": \"$n\", \"not_tolerated\": \"$n\", \"exact\": true, \"complete\": true },\n";
static const char words[] = "null true false \"\" [] {} \"x\" schema command tolerance program spec components rows f sets "
                            "not_tolerated exact complete population sampled exhaustive method";
const fuzz_grammar fuzz_format = {lines, words, "{}[],:\"", NULL};

static void check_reliability(hf_context *cx, const hf_tally_file *t) {
    hf_reliability_row row[16];
    const size_t n = t->n_row < 16 ? t->n_row : 16;
    const hf_reliability_class class = {.n_component = t->n_component, .rate = 1e-3};
    hf_reliability *r;
    hf_reliability_state at;
    for (size_t i = 0; i < n; i++) {
        row[i] = hf_reliability_row_of(&t->row[i], 0.95);
    }
    if (hf_reliability_new(cx, &class, 1, row, n, true, 0, &r) == HF_OK) {
        expect(hf_reliability_at(cx, r, 10, &at) == HF_OK, "every time has a state");
        expect(0 <= at.bad.low && at.bad.low <= at.bad.value && at.bad.value <= at.bad.high && at.bad.high <= 1,
               "bounds in order");
        hf_reliability_free(r);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    hf_context *cx = hf_context_new(NULL);
    hf_tally_file tally;
    if (!cx) {
        abort();
    }
    const hf_status status = hf_tally_parse(cx, "input", (const char *)data, size, &tally);
    if (status != HF_OK) {
        expect_refusal(cx);
    }
    if (status == HF_OK) {
        for (size_t i = 0; i < tally.n_row; i++) {
            const hf_reliability_count *row = &tally.row[i];
            expect(row->f <= tally.n_component && row->sets > 0 && row->not_tolerated <= row->sets, "rows fit together");
            expect(i == 0 || row->f > row[-1].f, "rows ascend");
        }
        if (tally.n_component <= 100000) {
            check_reliability(cx, &tally);
        }
    }
    hf_context_free(cx);
    return 0;
}
