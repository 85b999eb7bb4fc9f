/** \file
 *  Time that passes, for limits and figures. */
#ifndef HOLDFAST_SRC_CORE_CLOCK_H
#define HOLDFAST_SRC_CORE_CLOCK_H

/** Seconds on a clock that only goes forward; its zero is arbitrary. */
double hf_clock_s(void);
/** Seconds that this thread has computed. */
double hf_clock_cpu_s(void);
/** Let others work for some seconds. */
void hf_clock_wait(double seconds);

#endif
