/** \file
 *  All of the public API of libholdfast. */
#ifndef HOLDFAST_HOLDFAST_H
#define HOLDFAST_HOLDFAST_H
#include <holdfast/analysis.h>
#include <holdfast/big.h>
#include <holdfast/bitset.h>
#include <holdfast/campaign.h>
#include <holdfast/combination.h>
#include <holdfast/context.h>
#include <holdfast/cost.h>
#include <holdfast/deadlock.h>
#include <holdfast/fault.h>
#include <holdfast/format.h>
#include <holdfast/interval.h>
#include <holdfast/kernel.h>
#include <holdfast/load.h>
#include <holdfast/protocol.h>
#include <holdfast/random.h>
#include <holdfast/routing.h>
#include <holdfast/spec.h>
#include <holdfast/stats.h>
#include <holdfast/status.h>
#include <holdfast/store.h>
#include <holdfast/study.h>
#include <holdfast/text.h>
#include <holdfast/topology.h>
#endif
