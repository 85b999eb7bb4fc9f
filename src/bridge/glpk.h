/** \file
 *  Mixed-integer linear programs by GLPK: only src/bridge/glpk.c sees its header. */
#ifndef HOLDFAST_SRC_BRIDGE_GLPK_H
#define HOLDFAST_SRC_BRIDGE_GLPK_H

#include <holdfast/context.h>

/** A program: minimise the sum of cost * x over binary and real columns, subject to rows low <= sum <= high. Without binary
 *  columns it is a linear program. */
typedef struct hf_milp hf_milp;
typedef enum hf_milp_answer { HF_MILP_OPTIMAL, HF_MILP_INFEASIBLE, HF_MILP_UNDECIDED } hf_milp_answer;

hf_status hf_milp_new(hf_context *cx, hf_milp **out);
void hf_milp_free(hf_milp *milp);
/** A binary column. Columns count from 0 in the order of adding. */
hf_status hf_milp_add_column(hf_context *cx, hf_milp *milp, double cost);
/** A real column in [low, high]; each may be infinite. */
hf_status hf_milp_add_real(hf_context *cx, hf_milp *milp, double cost, double low, double high);
/** A row over `n` columns. low or high may be infinite. */
hf_status hf_milp_add_row(hf_context *cx, hf_milp *milp, double low, double high, uint32_t n, const uint32_t *column,
                          const double *value);
/** A row while it is built, from terms in room that the caller gives. */
typedef struct hf_milp_row {
    uint32_t n;
    uint32_t *column; /**< n of them */
    double *value;
} hf_milp_row;
/** An empty row with room for `room` terms in the arena. */
hf_status hf_milp_row_make(hf_context *cx, size_t room, hf_milp_row *row);
static inline void hf_milp_row_term(hf_milp_row *row, double value, uint32_t column) {
    row->column[row->n] = column;
    row->value[row->n++] = value;
}
/** Add the row: the sum of its terms is at least `low`. It is empty then. */
hf_status hf_milp_row_at_least(hf_context *cx, hf_milp *milp, hf_milp_row *row, double low);
/** Solve within limit_s seconds. \param[out] answer UNDECIDED when the time was over: then *has_solution says whether values are
 *  those of some feasible solution. \return HF_ENOMEM, or HF_EINVAL with GLPK's words where it gives up. */
hf_status hf_milp_solve(hf_context *cx, hf_milp *milp, double limit_s, hf_milp_answer *answer, bool *has_solution);
/** Value of a column in the solution, 0 or 1. */
bool hf_milp_value(const hf_milp *milp, uint32_t column);
/** Value of a real column in the solution. */
double hf_milp_real(const hf_milp *milp, uint32_t column);

#endif
