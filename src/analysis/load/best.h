/** \file
 *  Linear programs that make the largest load of a channel between switches as small as can be. */
#ifndef HOLDFAST_SRC_ANALYSIS_LOAD_BEST_H
#define HOLDFAST_SRC_ANALYSIS_LOAD_BEST_H

#include <holdfast/analysis/load.h>

#include "src/bridge/glpk.h"

/** A program whose column 0 is the largest load. Flows are columns that load a channel each, in weights of the traffic: whole
 * numbers, which are not rounded before it is solved. */
typedef struct hf_channel_lp {
    const hf_topology *topo;
    hf_milp *milp;
    uint32_t *channel; /**< by column: that it loads, HF_NONE for none */
} hf_channel_lp;

/** More columns would take too long. */
enum { HF_CHANNEL_LP_MAX = 60000 };

hf_status hf_channel_lp_start(hf_context *cx, const hf_topology *topo, hf_channel_lp *p);
void hf_channel_lp_free(hf_channel_lp *p);
/** A flow that is not negative. \return HF_ERANGE if there are too many */
hf_status hf_channel_lp_flow(hf_context *cx, hf_channel_lp *p, uint32_t channel, uint32_t *column);
/** The sum of the terms since the last row is `value`; no row where there are none. */
hf_status hf_channel_lp_row(hf_channel_lp *p, double value);
/** Bound the channels between switches, and solve. \param[in] denominator of the traffic  \param[out] largest, load the largest
 * load and n_channel of them, 0 before: flits a cycle */
hf_status hf_channel_lp_solve(hf_context *cx, hf_channel_lp *p, uint64_t denominator, double *largest, double *load);

/** The loads of HF_SPLIT_OPTIMAL. \param[in,out] load n_channel of them, 0 before \param[out] lost share of the flits */
hf_status hf_load_optimal(hf_context *cx, const hf_plan *plan, const hf_traffic *traffic, double *load, double *lost);

#endif
