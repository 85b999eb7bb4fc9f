/* SPDX-License-Identifier: GPL-3.0-or-later */
/* opensm-lfts.dump with files of service levels and lanes: refused with the file, or a relation whose hops exist. */
#include "tests/fuzz/table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_table(hf_read_lfts, hf_read_sl, hf_read_sl2vl, data, size);
    return 0;
}
