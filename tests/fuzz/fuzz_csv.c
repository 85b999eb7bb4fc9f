/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Tables of our own: refused with the file, or a relation whose hops exist. */
#include "tests/fuzz/table.h"

static const char lines[] = "switch,in-port,in-vc,destination,out-port,out-vc\n"
                            "a,$n,$n,t$n,$n,$n\n"
                            "s$n,*,*,t$n,$n,$n\n"
                            "t$n,*,*,t$n,$n,$n\n"
                            "b,*,*,$t,$n,$n\n"
                            "switch,in-port,in-vc,destination,out-port,out-vc,source,in-tag,out-tag\n"
                            "s$n,*,*,t$n,$n,$n,t$n,$n,$n\n"
                            "switch,destination,next-hop\n"
                            "s$n,t$n,s$n\n"
                            "\"$t\",b,a\n";
static const char words[] = "* s0 s1 t0 t1 a b x y switch destination next-hop source in-tag out-tag";
const fuzz_grammar fuzz_format = {lines, words, ",", NULL};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_table(hf_read_csv, NULL, NULL, data, size);
    return 0;
}
