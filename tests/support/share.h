/** \file
 *  How many of its like cases a test makes. Sanitizers slow a test down by a factor of three to ten, and find in an eleventh of
 *  its cases what they find in all: a fault of memory does not hide in one set of hundreds, nor does a race. For the other
 *  compiler an eleventh does, too. The release makes all of them. A prime, so that what goes by seed % 2, 3 or 4 still varies.
 */
#ifndef HOLDFAST_TESTS_SUPPORT_SHARE_H
#define HOLDFAST_TESTS_SUPPORT_SHARE_H

#include <stdint.h>

/** One in so many cases is made: $HOLDFAST_SHARE, which tests/CMakeLists.txt and run-tests set; 1 where nobody says. */
uint32_t share_step(void);

#endif
