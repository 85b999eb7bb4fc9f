/** \file
 *  How many of its like cases a test makes. Sanitizers slow a test down by a factor of three to ten, and find in an eleventh of
 *  its cases what they find in all: a fault of memory does not hide in one set of hundreds, nor does a race. For the other
 *  compiler an eleventh does, too. The release makes all of them. A prime, so that what goes by seed % 2, 3 or 4 still varies.
 */
#ifndef HOLDFAST_TESTS_SUPPORT_SHARE_H
#define HOLDFAST_TESTS_SUPPORT_SHARE_H

#include <stdbool.h>
#include <stdint.h>

/** One in so many cases is made: $HOLDFAST_SHARE, which tests/CMakeLists.txt and run-tests set; 1 where nobody says. */
uint32_t share_step(void);

/** Of the variants that a program goes through, one in `of`, from number `first` on: argument "2/4" of its command line is 1 and
 *  4; without one all. */
typedef struct share_part {
    uint32_t first, of;
} share_part;
/** \return false: there is an argument, and it is not PART/PARTS */
bool share_read(int argc, char **argv, share_part *out);

#endif
