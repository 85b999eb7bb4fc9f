/** \file
 *  Pure computations on plans: tolerance, deadlock, channel loads, cost, reliability. */
#ifndef HOLDFAST_ANALYSIS_H
#define HOLDFAST_ANALYSIS_H

#include <holdfast/analysis/cost.h>
#include <holdfast/analysis/deadlock.h>
#include <holdfast/analysis/effort.h>
#include <holdfast/analysis/load.h>
#include <holdfast/analysis/reliability.h>
#include <holdfast/analysis/tolerance.h>
#include <holdfast/analysis/weakest.h>

#endif
