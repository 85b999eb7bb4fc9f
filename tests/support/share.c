/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  How many of its like cases a test makes. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/share.h"

uint32_t share_step(void) {
    const char *said = getenv("HOLDFAST_SHARE");
    const long step = said ? strtol(said, NULL, 10) : 1;
    return step > 1 ? (uint32_t)step : 1;
}

bool share_read(int argc, char **argv, share_part *out) {
    unsigned part = 1, parts = 1;
    const bool is_right = argc < 2 || (sscanf(argv[1], "%u/%u", &part, &parts) == 2 && part > 0 && part <= parts);
    *out = (share_part){part - 1, parts};
    return is_right;
}
