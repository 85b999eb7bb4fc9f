/** \file
 *  Fully adaptive minimal routing on grids over an escape of dimension order: every minimal hop on the adaptive VCs, and as an
 *  escape the hop of dimension-order routing on the VCs below them. */
#ifndef HOLDFAST_SRC_ROUTING_GRID_ESCAPE_H
#define HOLDFAST_SRC_ROUTING_GRID_ESCAPE_H

#include "src/routing/grid/route.h"

extern const char *const hf_grid_escape_ties[];
extern const hf_likeness hf_grid_escape_likeness;

/** Parameter of such rules. */
#define HF_GRID_ESCAPE_TIES                                                                                                      \
    {                                                                                                                            \
        .name = "ties", .type = HF_PARAM_WORD, .fallback = "balanced", .words = hf_grid_escape_ties,                             \
        .help = "escape half-way round a ring: balanced, by the parity of the sum of the destination's coordinates, or plus"     \
    }

/** Plan with n_escape VCs, and of the rule's parameter adaptive-vcs as many above them.
 *  \param[in] n_escape hf_grid_dor_vcs(), for dateline classes; or 1
 *  \param[in] classes which packets use which; HF_GRID_CLASSES_NONE where there is one */
hf_status hf_grid_escape_plan(hf_context *cx, hf_plan *plan, uint32_t n_escape, hf_grid_classes classes);
/** `escape` and `route` of such a rule. */
size_t hf_grid_escape(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops);
size_t hf_grid_escape_route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops);

#endif
