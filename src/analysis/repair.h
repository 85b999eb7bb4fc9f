/** \file
 *  What the two ways to a repair share: the program in repair.c and the guess in repair_guess.c. */
#ifndef HOLDFAST_SRC_ANALYSIS_REPAIR_H
#define HOLDFAST_SRC_ANALYSIS_REPAIR_H

#include "src/analysis/decide.h"
#include "src/analysis/walk.h"
#include "src/bridge/glpk.h"

typedef struct hf_repair_work {
    hf_context *cx;
    const hf_plan *plan;
    hf_dependency d;
    hf_digraph g;
    uint32_t *column_of; /* by edge of g; HF_NONE: on no cycle, free */
    uint32_t n_column;
    uint32_t *first_edge; /* by column: one edge of it */
    uint64_t *forbidden;  /* n_column bits */
    uint64_t *used;       /* n_edge bits: edges of cycles already in the present packing */
    uint32_t *parent_edge, *stamp, *queue, n_stamp;
    uint32_t *row; /* columns of a row */
    uint64_t *in_row;
    double *value;
    hf_milp *milp;
    double limit_s, end_s;
    hf_walk walk;
    hf_hop *hops;
} hf_repair_work;

/** Number of the dependency between two resources, HF_NONE if there is none. */
uint32_t hf_repair_edge(const hf_repair_work *r, uint32_t from, uint32_t to);

/** Where the exact way is too long: dependencies to forbid so that no cycle is left and every pair keeps a path, none of which
 *  could be allowed again. \param[out] out is_found, and the columns in r->forbidden with their number, or not found before
 *  r->end_s. Time O(pairs * states + dependencies^2) */
hf_status hf_repair_guess(hf_repair_work *r, hf_repair *out);

#endif
