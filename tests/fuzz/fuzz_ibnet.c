/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Output of ibnetdiscover, nets of ibsim: refused with the file, or a network that holds together. */
#include "tests/fuzz/draft.h"

static const char lines[] = "Switch $n \"S-$t\" # \"$t\" base port 0 lid $n lmc $n\n"
                            "Ca $n \"H-$t\" # \"$t\"\n"
                            "Hca $n \"$t\"\n"
                            "[$n] \"$t\"\n"
                            "[$n] \"S-$t\"[$n] # \"$t\" lid $n 4xSDR\n"
                            "[$n]($t) \"S-$t\"[$n] # lid $n lmc $n \"$t\" lid $n 4xSDR\n"
                            "switchguid=0x$n($n)\n"
                            "caguid=0x$n\n";
static const char words[] = "Switch Ca Rt lid lmc switchguid= caguid= port base enhanced 4xSDR";
const fuzz_grammar fuzz_format = {lines, words, "[]()\"#=", NULL};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_draft(hf_read_ibnet, data, size);
    return 0;
}
