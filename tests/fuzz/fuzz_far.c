/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  ibdiagnet2.far: refused with the file, or a relation whose hops exist. */
#include "tests/fuzz/table.h"

static const char lines[] = "File version: $n\n"
                            "Switch 0x$n\n"
                            "Groups Definition:\n$n $n $n $n,$n,\n"
                            "LFT Definition:\nPLFT_NUM: $n, top: 0x$n\n"
                            "0x$n $n Free $n\n"
                            "0x$n $n Static $n\n"
                            "0x$n 255 HBF $n\n";
static const char words[] = "Switch 0xa 0xb 0x3 0x4 Groups Definition: LFT PLFT_NUM: Static Free HBF Bounded 1 2 3";
const fuzz_grammar fuzz_format = {lines, words, ":,", NULL};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_table(hf_read_far, NULL, NULL, data, size);
    return 0;
}
