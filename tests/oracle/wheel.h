/** \file
 *  Networks on which ways need as many layers as one likes. */
#ifndef HOLDFAST_TESTS_ORACLE_WHEEL_H
#define HOLDFAST_TESTS_ORACLE_WHEEL_H

#include <stdbool.h>
#include <stdint.h>

/** Write a network, node-link JSON: a ring of n switches s0, s1, ... with channels one way round and a terminal each, and `hub`,
 *  a switch without one that is joined with all of them, both ways. Without the hub the way from s(i) to s(i - 1) takes all
 *  dependencies of the ring but two, and each is left out by two such ways: no more than two are on a layer without a cycle, and
 *  all ways need n/2 layers or more. \param[in] has_hub false: it is left out */
void wheel_write(const char *path, uint32_t n, bool has_hub);

#endif
