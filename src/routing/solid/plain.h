/** \file
 *  Plain states: those in which a message goes on as one that no fault has held up, and what has to hold of a few faults that are
 *  far from all others so that every message gets past them. */
#ifndef HOLDFAST_SRC_ROUTING_SOLID_PLAIN_H
#define HOLDFAST_SRC_ROUTING_SOLID_PLAIN_H

#include "src/routing/solid/route.h"

/** Tables over goals and switches, at goal * n_switch + at, and scratch for one thread. On the heap. */
typedef struct hf_solid_plain {
    uint32_t n_switch, n_port, n_tag;
    bool holds;                   /**< every way on from a plain state is plain, and leads nearer */
    uint64_t *sides;              /**< as in hf_solid_plan */
    uint32_t *far;                /**< how far the goal is: dimension 0 first, which counts more than all behind it together */
    struct hf_solid_place *place; /**< scratch: n_switch * (n_port + 1) * n_tag */
    uint32_t epoch;
    uint32_t *around, n_around; /**< scratch: touched switches and their neighbours */
    uint32_t *seen, seen_room;  /**< scratch: goals that were looked at, by what their switches around are like; a power of two */
} hf_solid_plain;

/** Bytes of the tables. */
double hf_solid_plain_bytes(const hf_solid_plan *plan);
/** \param[in] plan without faults. Free with hf_solid_plain_free(), after a failure, too. \return HF_ENOMEM */
hf_status hf_solid_plain_init(hf_context *cx, const hf_solid_plan *plan, hf_solid_plain *out);
void hf_solid_plain_free(const hf_allocator *allocator, hf_solid_plain *plain);
/** Does every message that comes to the touched switches in a plain state, or begins there, get to its goal there or leave them,
 *  on whichever way, in a plain state and nearer to its goal than it came? \param[in] plan some faults, with `sides` of the
 *  tables  \param[in] touched hf_solid_touch() of it */
bool hf_solid_plain_passes(hf_solid_plain *plain, const hf_solid_plan *plan, const uint64_t *touched);

#endif
