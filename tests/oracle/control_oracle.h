/** \file
 *  Control packets of Immunet once more, slow and obvious: everything that is on its way is in one list without an order, and the
 *  list is looked at from end to end. Only the emergency tree is taken from the plan. Memory by malloc. */
#ifndef HOLDFAST_TESTS_ORACLE_CONTROL_ORACLE_H
#define HOLDFAST_TESTS_ORACLE_CONTROL_ORACLE_H

#include <holdfast/kernel.h>

#include "src/routing/immunet/flood.h"

/** The floods from the switches of one tree, as hf_flood_simulate(). */
hf_flood_run control_oracle_floods(const hf_immunet *s, uint32_t root, const hf_effort_costs *costs,
                                   const hf_flood_service *service);

typedef struct control_oracle_run {
    uint64_t messages; /* over channels */
    uint64_t finished; /* cycles from detection to the last change of a table */
} control_oracle_run;
/** A reconfiguration of the kernel that no traffic disturbs, cycle by cycle. Switches take in one packet at a time
 *  (o->control_every > 0). \param[in] delay of the channels between switches, cycles */
control_oracle_run control_oracle_reconfigure(const hf_immunet *s, const hf_reconfiguration_options *o, uint64_t delay);

#endif
