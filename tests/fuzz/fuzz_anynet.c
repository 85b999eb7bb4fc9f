/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Anynet files: refused with the file, or a network that holds together. */
#include "tests/fuzz/draft.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_draft(hf_read_anynet, data, size);
    return 0;
}
