/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "src/core/clock.h"

#include <time.h>

static double read_clock(clockid_t clock) {
    struct timespec now;
    (void)clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double hf_clock_s(void) { return read_clock(CLOCK_MONOTONIC); }

double hf_clock_cpu_s(void) { return read_clock(CLOCK_THREAD_CPUTIME_ID); }

void hf_clock_wait(double seconds) {
    const struct timespec rest = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
    (void)nanosleep(&rest, NULL);
}
