/** \file
 *  A network whose components fail one after the other, each at a rate of its own, as an explicit Markov chain over all subsets:
 *  subset `set` has component i failed where bit i is set. Slow and obvious. */
#ifndef HOLDFAST_TESTS_ORACLE_LIVES_H
#define HOLDFAST_TESTS_ORACLE_LIVES_H

#include <stdbool.h>
#include <stdint.h>

/** Mean time to the first subset on the way that is bad. \param[in] bad 2^m entries \param[in] rate m entries; infinite if the
 * last subset can be reached over good ones, itself good. */
double lives_to_first_bad(uint32_t m, const bool *bad, const double *rate);
/** Mean time in good subsets. */
double lives_in_good(uint32_t m, const bool *bad, const double *rate);

#endif
