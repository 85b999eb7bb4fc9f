/** \file
 *  The fast path of campaigns over multipath networks. */
#ifndef HOLDFAST_SRC_ROUTING_MULTIPATH_JUDGE_H
#define HOLDFAST_SRC_ROUTING_MULTIPATH_JUDGE_H

#include "src/routing/multipath/live.h"

hf_status hf_multipath_judge_new(hf_context *cx, const hf_universe *universe, const hf_rule *rule, hf_judge **out);

#endif
