/** \file
 *  Translations of a torus that take faults to faults, and messages round the ones to messages round the others. */
#ifndef HOLDFAST_SRC_ROUTING_SOLID_SHIFTS_H
#define HOLDFAST_SRC_ROUTING_SOLID_SHIFTS_H

#include <holdfast/fault.h>

/** Those that take every component of a universe to a component, and leave the way that is taken half-way round a ring as it is.
 *  They are a group; number 0 moves nothing. On the heap. */
typedef struct hf_solid_shifts {
    uint32_t n, n_node, n_component;
    uint32_t *node;            /**< at shift * n_node + v: where the node v comes to */
    uint32_t *component;       /**< at shift * n_component + c */
    uint32_t *inverse;         /**< by shift */
    uint32_t *home, *homeward; /**< by component: the lowest that it comes to, and a shift that takes it there */
} hf_solid_shifts;

/** That of a mesh, of a universe with groups, and of what would take more than so many bytes moves nothing. Free with
 *  hf_solid_shifts_free(), after a failure, too. \return HF_ENOMEM */
hf_status hf_solid_shifts_init(hf_context *cx, const hf_universe *universe, size_t bytes_most, hf_solid_shifts *out);
void hf_solid_shifts_free(const hf_allocator *allocator, hf_solid_shifts *shifts);
/** One set for all that shifts take to one another. \param[in] member n of them, ascending  \param[out] out n of them, ascending,
 * and room for n more behind them  \return a shift that takes `member` to `out` */
uint32_t hf_solid_shifts_home(const hf_solid_shifts *shifts, const uint32_t *member, size_t n, uint32_t *out);

#endif
