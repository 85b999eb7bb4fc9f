/** \file
 *  How many ways are lost with the components of a stack, and with each further one: a bit for each way. For relations of few
 *  ways, such as those with one or two a pair. */
#ifndef HOLDFAST_SRC_ANALYSIS_TOLERANCE_WAY_SETS_H
#define HOLDFAST_SRC_ANALYSIS_TOLERANCE_WAY_SETS_H

#include "src/analysis/tolerance/ways.h"

/** Are sets of ways faster than flows, and do they fit HF_WAY_SETS_MIB? They are where ways are few, or where flows do not count
 *  for all components. The ways have their flows. */
enum { HF_WAY_SETS_MIB = 64, HF_WAY_SETS_FEW = 1 << 16, HF_WAY_SETS_MANY = 1 << 20 };
bool hf_way_sets_pay(const hf_way_graphs *ways);
/** \param[out] out in the arena of `cx`. Time O(ways * hops). */
hf_status hf_way_sets_make(hf_context *cx, const hf_way_graphs *ways, hf_way_sets *out);

/** Lost ways of a stack of components. {.sets} is that of none; release `lost` with the allocator of push's context. */
typedef struct hf_way_stack {
    const hf_way_sets *sets;
    uint64_t *lost; /**< a row for each component of the stack: with it and those below */
    size_t depth, room;
} hf_way_stack;
/** \return HF_ENOMEM, and the stack is as it was */
hf_status hf_way_stack_push(hf_context *cx, hf_way_stack *stack, uint32_t component);
static inline void hf_way_stack_pop(hf_way_stack *stack) { stack->depth--; }
uint64_t hf_way_stack_lost(const hf_way_stack *stack);
/** The same with each of the components lo .. hi - 1 on top. \param[out] lost hi - lo numbers */
void hf_way_stack_lost_with(const hf_way_stack *stack, uint32_t lo, uint32_t hi, uint64_t *lost);

#endif
