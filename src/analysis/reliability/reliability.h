/** \file
 *  Inside of a reliability model: what reliability.c and first_passage.c share. */
#ifndef HOLDFAST_SRC_ANALYSIS_RELIABILITY_RELIABILITY_H
#define HOLDFAST_SRC_ANALYSIS_RELIABILITY_RELIABILITY_H

#include <holdfast/analysis/reliability.h>

/** A grid of states: state (i_1, i_2, ...) has i_c failed components of class c. */
struct hf_reliability {
    hf_allocator allocator;
    hf_reliability_class class[HF_RELIABILITY_CLASSES];
    size_t n_class;
    size_t step[HF_RELIABILITY_CLASSES]; /**< distance of states that differ by one failure of a class */
    size_t n_state;
    bool is_monotone;
    bool *is_covered; /**< by state */
    hf_bounded *bad;  /**< by state */
    hf_bounded *lost; /**< by state */
    double *chain; /**< by state: share of the ways to a set of the state that lead over tolerated sets alone, its own included;
                      below 0: not walked */
};

/** Failed components of class c. */
static inline uint32_t hf_reliability_failed(const hf_reliability *r, size_t state, size_t c) {
    return (uint32_t)(state / r->step[c] % ((size_t)r->class[c].n_component + 1));
}
/** Rate at which another component of class c fails. */
static inline double hf_reliability_next(const hf_reliability *r, size_t state, size_t c) {
    return (r->class[c].n_component - hf_reliability_failed(r, state, c)) * r->class[c].rate;
}
/** Rate of leaving the state; 0: nothing more fails. */
static inline double hf_reliability_leave(const hf_reliability *r, size_t state) {
    double leave = 0;
    for (size_t c = 0; c < r->n_class; c++) {
        leave += hf_reliability_next(r, state, c);
    }
    return leave;
}
/** Probabilities of coming to each state without repair. \param[out] out n_state entries in the arena */
hf_status hf_reliability_visits(hf_context *cx, const hf_reliability *r, double **out);

#endif
