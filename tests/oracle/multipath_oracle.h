/** \file
 *  Reconfiguration of multipath networks by the words of [chong1992, 6 and figure 7], slow and obvious: sets as arrays of
 *  bytes, reachability by search, blocked routers by going over all of them until nothing changes. Directions are told apart by
 *  what they lead to, not by port numbers. */
#ifndef HOLDFAST_TESTS_ORACLE_MULTIPATH_ORACLE_H
#define HOLDFAST_TESTS_ORACLE_MULTIPATH_ORACLE_H

#include <holdfast/routing.h>

typedef enum multipath_policy { POLICY_NONE, POLICY_IO_ISOLATION, POLICY_MULTI_HOP, POLICY_FAULT_PROPAGATION } multipath_policy;

/** \param[in] all_block a router is blocked if all its directions are; else if any is
 *  \param[in] once only failed routers block those in front of them
 *  \param[out] live n_terminal, blocked n_switch */
typedef struct multipath_answer {
    bool tolerated, joined; /**< joined: tolerated if live endpoints pass on */
    uint32_t lost, n_blocked, weak;
    uint32_t by_losses[4], unwarned; /**< terminals by lost channels, 4: or more; cut off on one side with two lost at most */
    uint8_t *live, *blocked;
} multipath_answer;
void multipath_oracle(const hf_fault_set *faults, multipath_policy policy, bool all_block, bool once, multipath_answer *out);

#endif
