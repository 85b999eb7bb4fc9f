/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  opensm.fdbs: refused with the file, or a relation whose hops exist. */
#include "tests/fuzz/table.h"

static const char lines[] = "dump_ucast_routes: Switch 0x$n\n"
                            "0x$n : $n : $n : $n\n"
                            "0x$n : UNREACHABLE\n"
                            "LID : Port : Hops : Optimal\n"
                            "Switch 0x$n (0x$n)\n";
static const char words[] = "dump_ucast_routes: Switch UNREACHABLE LID Port yes no";
const fuzz_grammar fuzz_format = {lines, words, ":", NULL};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_table(hf_read_fdbs, NULL, NULL, data, size);
    return 0;
}
