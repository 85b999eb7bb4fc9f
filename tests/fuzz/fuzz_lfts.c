/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  opensm-lfts.dump with files of service levels and lanes: refused with the file, or a relation whose hops exist. */
#include "tests/fuzz/table.h"

static const char lines[] = "Unicast lids [0x0-0x$n] of switch Lid $n guid 0x$n (a):\n"
                            "0x$n $n\n"
                            "0x$n $n : (Switch)\n"
                            "$n valid lids dumped\n"
                            "%\n"
                            "Channel Adapter 0x$n base LID $n\n"
                            "$n : $n\n"
                            "0x$n $n $n\n";
static const char words[] = "Unicast lids switch Lid guid (Switch) UNREACHABLE %";
const fuzz_grammar fuzz_format = {lines, words, ":()[]-", NULL};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_table(hf_read_lfts, hf_read_sl, hf_read_sl2vl, data, size);
    return 0;
}
