/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  How many of its like cases a test makes. */
#include <stdlib.h>

#include "tests/support/share.h"

uint32_t share_step(void) {
    const char *said = getenv("HOLDFAST_SHARE");
    const long step = said ? strtol(said, NULL, 10) : 1;
    return step > 1 ? (uint32_t)step : 1;
}
