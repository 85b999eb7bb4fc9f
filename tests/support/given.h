/** \file
 *  A rule that a program hands over. */
#ifndef HOLDFAST_TESTS_SUPPORT_GIVEN_H
#define HOLDFAST_TESTS_SUPPORT_GIVEN_H

#include <holdfast/routing.h>

/** Every healthy hop that leads nearer under the faults, as `minimal` has it; asked one by one. */
extern const hf_given_rule given_nearer;
/** How often it was called, by all threads. */
unsigned given_calls(void);

#endif
