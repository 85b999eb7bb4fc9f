/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Programs are gathered here and handed to GLPK at once. GLPK aborts on its own failures; its hook jumps back instead, and what
 *  it held is given up together with its environment. */
#include "src/bridge/glpk.h"

#include <math.h>
#include <setjmp.h>
#include <string.h>

#include <glpk.h>

#include "src/core/clock.h"
#include "src/core/grow.h"

struct hf_milp {
    hf_context *cx;
    hf_allocator allocator;
    hf_status status; /* of the terms of the row that is being built */
    uint32_t n_column, n_binary, n_row;
    uint32_t next, row_start; /* places of the next term, of the first one of its row */
    size_t column_room, row_room, term_room;
    double *cost;        /* n_column */
    double *from, *upto; /* n_column: bounds of a real column; from > upto: a binary one */
    double *low, *high;  /* n_row */
    int *row, *column;   /* of the terms, from 1 as GLPK wants them */
    double *value;
    double *solution; /* n_column */
};

hf_status hf_milp_new(hf_context *cx, hf_milp **out) {
    HF_TRY(hf_allocate(cx, 1, sizeof **out, (void **)out));
    **out = (hf_milp){.cx = cx, .allocator = *hf_context_allocator(cx), .next = 1, .row_start = 1};
    return HF_OK;
}

void hf_milp_free(hf_milp *m) {
    if (m) {
        const hf_allocator a = m->allocator;
        void *const blocks[] = {m->cost, m->from, m->upto, m->low, m->high, m->row, m->column, m->value, m->solution, m};
        for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
            hf_release(&a, blocks[i]);
        }
    }
}

hf_status hf_milp_add_real(hf_milp *m, double cost, double low, double high, uint32_t *column) {
    size_t cost_room = m->column_room, from_room = m->column_room;
    HF_GROW(m->cx, m->cost, m->n_column, cost_room);
    HF_GROW(m->cx, m->from, m->n_column, from_room);
    HF_GROW(m->cx, m->upto, m->n_column, m->column_room);
    if (column) {
        *column = m->n_column;
    }
    m->from[m->n_column] = low;
    m->upto[m->n_column] = high;
    m->cost[m->n_column++] = cost;
    return HF_OK;
}

hf_status hf_milp_add_binary(hf_milp *m, double cost, uint32_t *column) {
    HF_TRY(hf_milp_add_real(m, cost, 1, 0, column));
    m->n_binary++;
    return HF_OK;
}

uint32_t hf_milp_columns(const hf_milp *m) { return m->n_column; }

static hf_status room_for_term(hf_milp *m) {
    size_t row_room = m->term_room, column_room = m->term_room;
    HF_GROW(m->cx, m->row, m->next, row_room);
    HF_GROW(m->cx, m->column, m->next, column_room);
    HF_GROW(m->cx, m->value, m->next, m->term_room);
    return HF_OK;
}

void hf_milp_term(hf_milp *m, double value, uint32_t column) {
    m->status = m->status == HF_OK ? room_for_term(m) : m->status;
    if (m->status == HF_OK) {
        m->row[m->next] = (int)m->n_row + 1;
        m->column[m->next] = (int)column + 1;
        m->value[m->next++] = value;
    }
}

uint32_t hf_milp_terms(const hf_milp *m) { return m->next - m->row_start + (m->status != HF_OK); }

hf_status hf_milp_add_row(hf_milp *m, double low, double high) {
    size_t low_room = m->row_room;
    HF_TRY(m->status);
    HF_GROW(m->cx, m->low, m->n_row, low_room);
    HF_GROW(m->cx, m->high, m->n_row, m->row_room);
    m->low[m->n_row] = low;
    m->high[m->n_row++] = high;
    m->row_start = m->next;
    return HF_OK;
}

/* ---- solving ---- */

static void jump_back(void *info) { longjmp(*(jmp_buf *)info, 1); }

static int bounds_of(double low, double high) {
    return isinf(low) ? isinf(high) ? GLP_FR : GLP_UP : isinf(high) ? GLP_LO : low == high ? GLP_FX : GLP_DB;
}

/* GLPK takes programs without columns or rows, but is not to be told to add none. */
static glp_prob *hand_over(const hf_milp *m) {
    glp_prob *p = glp_create_prob();
    glp_set_obj_dir(p, GLP_MIN);
    if (m->n_column) {
        glp_add_cols(p, (int)m->n_column);
    }
    for (uint32_t i = 0; i < m->n_column; i++) {
        if (m->from[i] > m->upto[i]) {
            glp_set_col_kind(p, (int)i + 1, GLP_BV);
        } else {
            glp_set_col_bnds(p, (int)i + 1, bounds_of(m->from[i], m->upto[i]), m->from[i], m->upto[i]);
        }
        glp_set_obj_coef(p, (int)i + 1, m->cost[i]);
    }
    if (m->n_row) {
        glp_add_rows(p, (int)m->n_row);
    }
    for (uint32_t i = 0; i < m->n_row; i++) {
        glp_set_row_bnds(p, (int)i + 1, bounds_of(m->low[i], m->high[i]), m->low[i], m->high[i]);
    }
    glp_load_matrix(p, (int)m->next - 1, m->row, m->column, m->value);
    return p;
}

static int milliseconds(double limit_s) { return limit_s < 2e6 ? (int)(limit_s * 1000) : 2000000000; }

static void take_values(const hf_milp *m, glp_prob *p) {
    for (uint32_t i = 0; i < m->n_column; i++) {
        m->solution[i] = glp_get_col_prim(p, (int)i + 1);
    }
}

/* From the basis of the simplex, in fractions: values are rounded once, when they are read. Those of the simplex stay where that
 * does not come to an end in what is left of the time, or there are no rows, of which it takes no program. */
static void make_exact(const hf_milp *m, glp_prob *p, glp_smcp *control, double left_s) {
    control->tm_lim = milliseconds(left_s);
    if (m->n_row && left_s > 0 && glp_exact(p, control) == 0 && glp_get_status(p) == GLP_OPT) {
        take_values(m, p);
    }
}

/* \return GLPK's status of the solution, GLP_UNDEF where it found none in time */
static int solve_linear(const hf_milp *m, double limit_s) {
    const double end_s = hf_clock_s() + limit_s;
    glp_prob *p = hand_over(m);
    glp_smcp control;
    glp_init_smcp(&control);
    control.presolve = GLP_ON;
    control.msg_lev = GLP_MSG_OFF;
    control.tm_lim = milliseconds(limit_s);
    const int code = glp_simplex(p, &control);
    const int status = code == GLP_ENOPFS ? GLP_NOFEAS : code == 0 ? glp_get_status(p) : GLP_UNDEF;
    if (status == GLP_OPT) {
        take_values(m, p);
        make_exact(m, p, &control, end_s - hf_clock_s());
    }
    glp_delete_prob(p);
    return status == GLP_FEAS ? GLP_UNDEF : status;
}

/* \return GLPK's status of the integer solution, or GLP_UNDEF where it found none in time */
static int solve(const hf_milp *m, double limit_s) {
    glp_prob *p = hand_over(m);
    glp_iocp control;
    glp_init_iocp(&control);
    control.presolve = GLP_ON;
    control.msg_lev = GLP_MSG_OFF;
    control.tm_lim = milliseconds(limit_s);
    control.cov_cuts = control.clq_cuts = GLP_ON;
    const int code = glp_intopt(p, &control);
    int status = glp_mip_status(p);
    if (code == GLP_ENOPFS) {
        status = GLP_NOFEAS;
    } else if (code != 0 && status == GLP_OPT) {
        status = GLP_FEAS;
    }
    for (uint32_t i = 0; i < m->n_column && (status == GLP_OPT || status == GLP_FEAS); i++) {
        m->solution[i] = glp_mip_col_val(p, (int)i + 1);
    }
    glp_delete_prob(p);
    return status;
}

hf_status hf_milp_solve(hf_milp *m, double limit_s, hf_milp_answer *answer, bool *has_solution) {
    jmp_buf back;
    HF_TRY(hf_resize(m->cx, m->n_column, sizeof *m->solution, (void **)&m->solution));
    memset(m->solution, 0, m->n_column * sizeof *m->solution);
    glp_term_out(GLP_OFF);
    if (setjmp(back) != 0) {
        glp_error_hook(NULL, NULL);
        glp_free_env();
        HF_FAIL(m->cx, HF_EINVAL, "GLPK gave up on a program of %u rows and %u columns", m->n_row, m->n_column);
    }
    glp_error_hook(jump_back, &back);
    const int status = m->n_binary ? solve(m, limit_s) : solve_linear(m, limit_s);
    glp_error_hook(NULL, NULL);
    *has_solution = status == GLP_OPT || status == GLP_FEAS;
    *answer = status == GLP_OPT ? HF_MILP_OPTIMAL : status == GLP_NOFEAS ? HF_MILP_INFEASIBLE : HF_MILP_UNDECIDED;
    return HF_OK;
}

bool hf_milp_value(const hf_milp *m, uint32_t column) { return m->solution[column] > 0.5; }

double hf_milp_real(const hf_milp *m, uint32_t column) { return m->solution[column]; }
