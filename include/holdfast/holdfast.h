/** \file
 *  All of the public API of libholdfast. */
#ifndef HOLDFAST_HOLDFAST_H
#define HOLDFAST_HOLDFAST_H

#include <holdfast/analysis.h>
#include <holdfast/campaign.h>
#include <holdfast/core.h>
#include <holdfast/fault.h>
#include <holdfast/format.h>
#include <holdfast/kernel.h>
#include <holdfast/protocol.h>
#include <holdfast/question.h>
#include <holdfast/report.h>
#include <holdfast/routing.h>
#include <holdfast/store.h>
#include <holdfast/study.h>
#include <holdfast/topology.h>

#endif
