/** \file
 *  Mixed-integer linear programs by GLPK: only src/bridge/glpk.c sees its header. */
#ifndef HOLDFAST_SRC_BRIDGE_GLPK_H
#define HOLDFAST_SRC_BRIDGE_GLPK_H

#include <math.h>

#include <holdfast/core/context.h>

/** A program: minimise the sum of cost * x over binary and real columns, subject to rows low <= sum <= high. Without binary
 *  columns it is a linear program. */
typedef struct hf_milp hf_milp;
typedef enum hf_milp_answer { HF_MILP_OPTIMAL, HF_MILP_INFEASIBLE, HF_MILP_UNDECIDED } hf_milp_answer;

/** An empty program. \param[in] cx borrowed until it is freed; one thread */
hf_status hf_milp_new(hf_context *cx, hf_milp **out);
void hf_milp_free(hf_milp *milp);
/** A binary column. Columns count from 0 in the order of adding. \param[out] column its number; may be NULL */
hf_status hf_milp_add_binary(hf_milp *milp, double cost, uint32_t *column);
/** A real column in [low, high]; each may be infinite. */
hf_status hf_milp_add_real(hf_milp *milp, double cost, double low, double high, uint32_t *column);
uint32_t hf_milp_columns(const hf_milp *milp);
/** A term of the row that is being built; no two are of one column. What fails is told when the row is added. */
void hf_milp_term(hf_milp *milp, double value, uint32_t column);
/** Terms of the row that is being built, also one that failed. */
uint32_t hf_milp_terms(const hf_milp *milp);
/** Add the row of the terms since the last one: their sum is in [low, high], each of which may be infinite. \return HF_ENOMEM */
hf_status hf_milp_add_row(hf_milp *milp, double low, double high);
static inline hf_status hf_milp_at_least(hf_milp *milp, double low) { return hf_milp_add_row(milp, low, INFINITY); }
static inline hf_status hf_milp_at_most(hf_milp *milp, double high) { return hf_milp_add_row(milp, -INFINITY, high); }
/** Solve within limit_s seconds. \param[out] answer UNDECIDED when the time was over: then *has_solution says whether values are
 *  those of some feasible solution. \return HF_ENOMEM, or HF_EINVAL with GLPK's words where it gives up. */
hf_status hf_milp_solve(hf_milp *milp, double limit_s, hf_milp_answer *answer, bool *has_solution);
/** Value of a column in the solution, 0 or 1. */
bool hf_milp_value(const hf_milp *milp, uint32_t column);
/** Value of a real column in the solution. */
double hf_milp_real(const hf_milp *milp, uint32_t column);

#endif
