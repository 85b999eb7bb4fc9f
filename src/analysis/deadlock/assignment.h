/** \file
 *  The assignment problem: one column for each row, so that the sum of the weights is largest. */
#ifndef HOLDFAST_SRC_ANALYSIS_DEADLOCK_ASSIGNMENT_H
#define HOLDFAST_SRC_ANALYSIS_DEADLOCK_ASSIGNMENT_H

#include <holdfast/core/context.h>

/** Room for problems of n rows and columns, in the arena. */
typedef struct hf_assignment {
    uint32_t n;
    int64_t *row_price, *column_price, *slack; /* n + 1 each, from 1 */
    uint32_t *row_of, *before;
    bool *used;
} hf_assignment;
hf_status hf_assignment_init(hf_context *cx, uint32_t n, hf_assignment *out);
/** Hungarian algorithm, time O(n^3). \param[in] weight n rows of n, their sums below 2^62 \param[out] to column of each row
 *  \return the largest sum */
uint64_t hf_assignment_solve(hf_assignment *a, const uint64_t *weight, uint32_t *to);

#endif
