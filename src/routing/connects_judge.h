/** \file
 *  A judge that knows one thing of its rule: whatever fails, it serves every pair of terminals that a healthy path connects. So
 *  verdicts are connectivity; measures come from the plan of each set. */
#ifndef HOLDFAST_SRC_ROUTING_CONNECTS_JUDGE_H
#define HOLDFAST_SRC_ROUTING_CONNECTS_JUDGE_H

#include <holdfast/routing.h>

/** \param[out] out  freed by hf_judge_free() */
hf_status hf_connects_judge_new(hf_context *cx, hf_judge **out);
/** Have all links two channels, and do those of links between switches fail together? For rules that serve all then. */
bool hf_fails_two_way(const hf_universe *universe);

#endif
