/** \file
 *  Strata of fault sets from their definition: every set is looked at, and its components counted by class. */
#ifndef HOLDFAST_TESTS_ORACLE_STRATA_H
#define HOLDFAST_TESTS_ORACLE_STRATA_H

#include <holdfast/campaign.h>

#include "tests/oracle/fixture.h"

enum { STRATA_CLASSES = 8, STRATA_WORDS = 200 };

/** How many sets there are of each stratum, those with none left out; words ascending. */
typedef struct strata_counts {
    uint32_t n;
    uint32_t word[STRATA_WORDS][STRATA_CLASSES];
    uint64_t sets[STRATA_WORDS], all;
} strata_counts;

/** Class of a component: that whose name, read as a universe, holds it. Fails the test unless there is exactly one. */
uint32_t strata_class(fixture *fx, const hf_strata *strata, uint32_t component);
/** How many components of each class a set has. */
void strata_word(fixture *fx, const hf_strata *strata, const uint32_t *set, uint32_t f, uint32_t *word);
/** All sets of f of the universe, which is small. */
void strata_count(fixture *fx, const hf_strata *strata, uint32_t f, strata_counts *out);

#endif
