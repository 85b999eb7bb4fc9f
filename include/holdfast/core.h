/** \file
 *  What all rooms stand on: contexts, texts, specs, statistics, sets of bits, combinations, random numbers. */
#ifndef HOLDFAST_CORE_H
#define HOLDFAST_CORE_H

#include <holdfast/core/backoff.h>
#include <holdfast/core/big.h>
#include <holdfast/core/bitset.h>
#include <holdfast/core/build.h>
#include <holdfast/core/combination.h>
#include <holdfast/core/context.h>
#include <holdfast/core/interval.h>
#include <holdfast/core/progress.h>
#include <holdfast/core/random.h>
#include <holdfast/core/spec.h>
#include <holdfast/core/stats.h>
#include <holdfast/core/status.h>
#include <holdfast/core/team.h>
#include <holdfast/core/text.h>

#endif
