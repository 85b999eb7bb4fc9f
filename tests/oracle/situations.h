/** \file
 *  The dependency relation of a plan, followed the obvious way: every source to every destination, one state after the other. */
#ifndef HOLDFAST_TESTS_ORACLE_SITUATIONS_H
#define HOLDFAST_TESTS_ORACLE_SITUATIONS_H

#include "src/analysis/deadlock/dependency.h"
#include "tests/oracle/fixture.h"

/** What packets in a resource may go on by, with the lowest destination and tag that brings it about. */
typedef struct situation {
    uint32_t resource, destination, tag;
    uint64_t mask; /**< slots as in hf_dependency */
} situation;

typedef struct situations {
    situation *item; /**< by resource, destination, tag and mask; free with free() */
    uint32_t n;
    bool is_stuck;
    uint32_t stuck_source, stuck_destination;
} situations;

/** Of a plan with at most 64 slots a node. */
void situations_find(const hf_plan *plan, situations *out);
/** Fail, naming `what`, unless both say the same. */
void situations_compare(const situations *slow, const hf_dependency *d, const char *what);
/** The same for hf_dependency_unions(). */
void situations_compare_unions(const situations *slow, const hf_dependency *d, const char *what);

#endif
