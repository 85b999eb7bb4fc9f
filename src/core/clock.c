/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "src/core/clock.h"

#include <time.h>

double hf_clock_s(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
