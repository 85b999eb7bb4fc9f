/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "src/core/clock.h"

#include <time.h>

double hf_clock_s(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void hf_clock_wait(double seconds) {
    const struct timespec rest = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
    (void)nanosleep(&rest, NULL);
}
