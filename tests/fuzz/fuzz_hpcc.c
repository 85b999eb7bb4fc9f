/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Topology files of HPCC and SimAI: refused with the file, or a network that holds together; and telling them apart. */
#include "tests/fuzz/draft.h"

static const char lines[] = "$n $n $n\n"
                            "$n $n $n $n $n $t\n"
                            "$n $n 100Gbps 1us 0\n"
                            "$n $n $nMb/s $nns $n\n"
                            "3 1 2\n2\n0 2 25Gbps 1us 0\n1 2 25Gbps 1us 0\n";
static const char words[] = "0 1 2 Gbps MB/s bps ms us ns";
const fuzz_grammar fuzz_format = {lines, words, ".", NULL};

static void check_guess(const uint8_t *data, size_t size) {
    hf_context *cx = hf_context_new(NULL);
    hf_lines r;
    expect(cx != NULL, "memory");
    hf_lines_start(cx, "input", (const char *)data, size, &r);
    if (hf_lines_next_text(&r)) {
        (void)hf_is_hpcc(r);
    }
    hf_context_free(cx);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    check_guess(data, size);
    fuzz_draft(hf_read_hpcc, data, size);
    return 0;
}
