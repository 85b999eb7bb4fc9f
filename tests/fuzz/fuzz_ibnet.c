/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Output of ibnetdiscover: refused with the file, or a network that holds together. */
#include "tests/fuzz/draft.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_draft(hf_read_ibnet, data, size);
    return 0;
}
