/** \file
 *  The channel dependency graph of a plan, made the obvious way: all states that packets can reach, all pairs of (channel, VC)
 *  that follow each other. */
#ifndef HOLDFAST_TESTS_ORACLE_DEPENDENCIES_H
#define HOLDFAST_TESTS_ORACLE_DEPENDENCIES_H

#include "tests/oracle/fixture.h"

/** What a walk over a fault-free plan found. */
typedef struct dependencies {
    bool is_cyclic;    /**< among the (channel, VC)s */
    bool is_connected; /**< every pair delivered, no packet stuck */
    uint32_t n_hops_max;
    double hops_mean;   /**< hops offered at a switch before the goal, over the states */
    uint32_t n_vc_used; /**< 1 + the highest */
    uint32_t longest;   /**< channels of the longest way, HF_NONE if packets can go round */
} dependencies;

/** The plan without faults of rule on topo, both specs. */
void dependencies_find(const char *topo, const char *rule, dependencies *out);
/** Fail unless the graph is cyclic or not as said, and all is delivered. */
void dependencies_check(const char *topo, const char *rule, bool is_cyclic);

/** Is there a cycle? \param[in] next  n rows of n bits, one after the other: who follows whom */
bool dependencies_have_cycle(const uint64_t *next, uint32_t n);

#endif
