/** \file
 *  A judge that looks at every fault set on its own: the stack is all that it keeps from one set to the next. Its plans may take
 *  terminals out of service. */
#ifndef HOLDFAST_SRC_ROUTING_SET_JUDGE_H
#define HOLDFAST_SRC_ROUTING_SET_JUDGE_H

#include <holdfast/routing.h>

typedef struct hf_set_judge hf_set_judge;
/** Measure one fault set. What it leaves in the arena is dropped after it. */
typedef hf_status hf_set_measure(hf_context *cx, const hf_set_judge *judge, const hf_fault_set *faults, hf_measure *out);

/** The first member of a judge's own struct, whose other members are borrowed. */
struct hf_set_judge {
    hf_judge base;
    hf_allocator allocator;
    const hf_universe *universe;
    hf_set_measure *measure;
    hf_set_measure *decide; /**< NULL, or: what measure says in `tolerated` and `live` alone, sooner */
    /** NULL, or what decide says, from the components alone. \param[out] knows false: decide is to be asked */
    hf_status (*recall)(hf_context *cx, const hf_set_judge *judge, bool *knows, hf_measure *out);
    void (*drop)(hf_set_judge *judge); /**< NULL, or: release what the judge's own struct holds */
    hf_fault_stack failed;
};

/** \param[in] size bytes of the judge's own struct; what stands behind the first member is for the caller to fill
 *  \param[out] out  freed by hf_judge_free() */
hf_status hf_set_judge_new(hf_context *cx, const hf_universe *universe, hf_set_measure *measure, size_t size, void **out);

#endif
