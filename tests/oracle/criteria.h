/** \file
 *  The criteria of tolerance from their definitions, slow and obvious: every plan by itself, reachability by going over all
 *  channels until nothing changes, packets by a list of the states that they get into. */
#ifndef HOLDFAST_TESTS_ORACLE_CRITERIA_H
#define HOLDFAST_TESTS_ORACLE_CRITERIA_H

#include <holdfast/routing.h>

typedef enum criteria_name {
    CRITERIA_ALL_PAIRS,
    CRITERIA_CONNECTED,
    CRITERIA_SURVIVING,
    CRITERIA_SWITCHES,
    N_CRITERIA
} criteria_name;

/** Is the fault set of a plan tolerated? \param[in] least terminals in service that are asked for */
bool criteria_tolerates(const hf_plan *plan, criteria_name name, uint32_t least);
/** Terminals that "live" asks for, as a count or a share of all in percent (0: the count). */
uint32_t criteria_least(const hf_topology *topo, criteria_name name, uint32_t count, uint32_t percent);

#endif
