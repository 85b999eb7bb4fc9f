/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs are gathered here and handed to GLPK at once. GLPK aborts on its own failures; its hook jumps back instead, and what
 * it held is given up together with its environment. */
#include "src/bridge/glpk.h"

#include <math.h>
#include <setjmp.h>
#include <string.h>

#include <glpk.h>

#include "src/core/grow.h"

struct hf_milp {
    hf_allocator allocator;
    uint32_t n_column, n_row, n_value, value_room;
    size_t column_room, row_room;
    uint32_t n_binary;
    double *cost;        /* n_column */
    double *from, *upto; /* n_column: bounds of a real column; from > upto: a binary one */
    double *low, *high;  /* n_row */
    uint32_t *row_begin; /* n_row */
    int *row, *column;   /* n_value + 1, from 1 as GLPK wants them */
    double *value;
    double *solution; /* n_column */
};

hf_status hf_milp_new(hf_context *cx, hf_milp **out) {
    HF_TRY(hf_allocate(cx, 1, sizeof **out, (void **)out));
    (*out)->allocator = *hf_context_allocator(cx);
    return HF_OK;
}

void hf_milp_free(hf_milp *m) {
    if (m) {
        const hf_allocator a = m->allocator;
        void *const blocks[] = {m->cost, m->from,   m->upto,  m->low,      m->high, m->row_begin,
                                m->row,  m->column, m->value, m->solution, m};
        for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
            hf_release(&a, blocks[i]);
        }
    }
}

hf_status hf_milp_add_real(hf_context *cx, hf_milp *m, double cost, double low, double high) {
    size_t cost_room = m->column_room, from_room = m->column_room;
    HF_GROW(cx, m->cost, m->n_column, cost_room);
    HF_GROW(cx, m->from, m->n_column, from_room);
    HF_GROW(cx, m->upto, m->n_column, m->column_room);
    m->from[m->n_column] = low;
    m->upto[m->n_column] = high;
    m->cost[m->n_column++] = cost;
    return HF_OK;
}

hf_status hf_milp_add_column(hf_context *cx, hf_milp *m, double cost) {
    HF_TRY(hf_milp_add_real(cx, m, cost, 1, 0));
    m->n_binary++;
    return HF_OK;
}

static hf_status room_for_row(hf_context *cx, hf_milp *m) {
    size_t low_room = m->row_room;
    HF_GROW(cx, m->low, m->n_row, low_room);
    HF_GROW(cx, m->high, m->n_row, m->row_room);
    return HF_OK;
}

static hf_status room_for_values(hf_context *cx, hf_milp *m, uint32_t n) {
    if ((uint64_t)m->n_value + n + 1 > m->value_room) {
        const uint32_t room = 2 * (m->value_room + n) + 256;
        HF_TRY(hf_resize(cx, room, sizeof *m->row, (void **)&m->row));
        HF_TRY(hf_resize(cx, room, sizeof *m->column, (void **)&m->column));
        HF_TRY(hf_resize(cx, room, sizeof *m->value, (void **)&m->value));
        m->value_room = room;
    }
    return HF_OK;
}

hf_status hf_milp_add_row(hf_context *cx, hf_milp *m, double low, double high, uint32_t n, const uint32_t *column,
                          const double *value) {
    HF_TRY(room_for_row(cx, m));
    HF_TRY(room_for_values(cx, m, n));
    m->low[m->n_row] = low;
    m->high[m->n_row++] = high;
    for (uint32_t i = 0; i < n; i++) {
        m->n_value++;
        m->row[m->n_value] = (int)m->n_row;
        m->column[m->n_value] = (int)column[i] + 1;
        m->value[m->n_value] = value[i];
    }
    return HF_OK;
}

hf_status hf_milp_row_make(hf_context *cx, size_t room, hf_milp_row *row) {
    row->n = 0;
    HF_TRY(hf_scratch(cx, room, sizeof *row->column, (void **)&row->column));
    return hf_scratch(cx, room, sizeof *row->value, (void **)&row->value);
}

hf_status hf_milp_row_at_least(hf_context *cx, hf_milp *m, hf_milp_row *row, double low) {
    const uint32_t n = row->n;
    row->n = 0;
    return hf_milp_add_row(cx, m, low, INFINITY, n, row->column, row->value);
}

/* ---- solving ---- */

static void jump_back(void *info) { longjmp(*(jmp_buf *)info, 1); }

static int bounds_of(double low, double high) {
    return isinf(low) ? isinf(high) ? GLP_FR : GLP_UP : isinf(high) ? GLP_LO : low == high ? GLP_FX : GLP_DB;
}

static glp_prob *hand_over(const hf_milp *m) {
    glp_prob *p = glp_create_prob();
    glp_set_obj_dir(p, GLP_MIN);
    glp_add_cols(p, (int)m->n_column);
    for (uint32_t i = 0; i < m->n_column; i++) {
        if (m->from[i] > m->upto[i]) {
            glp_set_col_kind(p, (int)i + 1, GLP_BV);
        } else {
            glp_set_col_bnds(p, (int)i + 1, bounds_of(m->from[i], m->upto[i]), m->from[i], m->upto[i]);
        }
        glp_set_obj_coef(p, (int)i + 1, m->cost[i]);
    }
    glp_add_rows(p, (int)m->n_row);
    for (uint32_t i = 0; i < m->n_row; i++) {
        glp_set_row_bnds(p, (int)i + 1, bounds_of(m->low[i], m->high[i]), m->low[i], m->high[i]);
    }
    glp_load_matrix(p, (int)m->n_value, m->row, m->column, m->value);
    return p;
}

static int milliseconds(double limit_s) { return limit_s < 2e6 ? (int)(limit_s * 1000) : 2000000000; }

/* \return GLPK's status of the solution, GLP_UNDEF where it found none in time */
static int solve_linear(const hf_milp *m, double limit_s) {
    glp_prob *p = hand_over(m);
    glp_smcp control;
    glp_init_smcp(&control);
    control.presolve = GLP_ON;
    control.msg_lev = GLP_MSG_OFF;
    control.tm_lim = milliseconds(limit_s);
    const int code = glp_simplex(p, &control);
    const int status = code == GLP_ENOPFS ? GLP_NOFEAS : code == 0 ? glp_get_status(p) : GLP_UNDEF;
    for (uint32_t i = 0; i < m->n_column && status == GLP_OPT; i++) {
        m->solution[i] = glp_get_col_prim(p, (int)i + 1);
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

hf_status hf_milp_solve(hf_context *cx, hf_milp *m, double limit_s, hf_milp_answer *answer, bool *has_solution) {
    jmp_buf back;
    HF_TRY(hf_resize(cx, m->n_column, sizeof *m->solution, (void **)&m->solution));
    memset(m->solution, 0, m->n_column * sizeof *m->solution);
    glp_term_out(GLP_OFF);
    if (setjmp(back) != 0) {
        glp_error_hook(NULL, NULL);
        glp_free_env();
        HF_FAIL(cx, HF_EINVAL, "GLPK gave up on a program of %u rows and %u columns", m->n_row, m->n_column);
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
