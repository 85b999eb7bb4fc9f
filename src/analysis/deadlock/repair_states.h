/** \file
 *  Repairs: the relation as one graph of states over all destinations, what is left of it when dependencies are forbidden, and
 *  the ways to a proposal that share it: the exact program in repair.c, the guess in repair_guess.c. */
#ifndef HOLDFAST_SRC_ANALYSIS_DEADLOCK_REPAIR_STATES_H
#define HOLDFAST_SRC_ANALYSIS_DEADLOCK_REPAIR_STATES_H

#include "src/analysis/deadlock/decide.h"
#include "src/analysis/paths/walk.h"
#include "src/bridge/glpk.h"

/** Where a hop ends at its destination. A hop that ends at another terminal leads to state 0, which has no hops. */
#define HF_REPAIR_DELIVERED HF_NONE

/** The states of all destinations, each an arrival (or an injection), and their hops over healthy channels. */
typedef struct hf_repair_states {
    uint32_t n, n_hop;
    uint32_t *first;        /**< n_terminal + 1: states of a destination; state 0 belongs to none */
    hf_hop *in;             /**< n; channel HF_NONE: injection */
    uint32_t *begin;        /**< n + 1: hops of a state */
    uint32_t *to;           /**< n_hop: state, or HF_REPAIR_DELIVERED */
    uint32_t *edge;         /**< n_hop: its dependency in `g`; HF_NONE: an injection's, which cannot be forbidden */
    hf_rows back;           /**< hops by the state that they lead to */
    uint32_t *of;           /**< n_hop: the state that a hop leaves */
    uint32_t *root, n_root; /**< injections of live pairs */
} hf_repair_states;

typedef struct hf_repair_work {
    hf_context *cx;
    const hf_plan *plan;
    hf_dependency d;
    hf_digraph g;
    uint32_t *level; /**< by resource; HF_NONE: a cycle can be reached from there */
    hf_repair_states s;
    bool looks_ahead;    /**< a hop is not offered where no way to the destination is left behind it */
    uint32_t *column_of; /**< by edge of g; HF_NONE: never forbidden */
    uint32_t n_column;
    uint32_t *first_edge; /**< by column: one edge of it */
    uint64_t *forbidden;  /**< n_column bits */
    /* what is left, of hf_repair_look() */
    uint64_t *is_good;      /**< n bits: a way to the destination is left */
    uint32_t *on;           /**< n: the hop of a way with the fewest columns; is_good states */
    uint32_t *cost, *ahead; /**< n: columns on the way to a state, and from it on */
    uint32_t *by;           /**< n: the hop by which it is reached, HF_NONE: not reached; roots: HF_NONE - 1 */
    uint32_t *user;  /**< by edge of g: a hop that is reached and uses it, the one with the fewest columns; HF_NONE: none */
    uint32_t *queue; /**< 2 (2 n + n_hop) + 2: it grows both ways from the middle */
    /* rows */
    uint32_t *row;
    uint64_t *in_row; /**< n_column bits */
    /* cycles */
    uint32_t *parent_edge, *stamp, *stack, n_stamp;
    uint64_t *is_shut; /**< n_edge bits: dependencies that hf_repair_has_way() passes over */
    hf_milp *milp;
    double limit_s, end_s;
} hf_repair_work;

/** Gather the states. \return HF_ERANGE where they need more than 1 GiB */
hf_status hf_repair_states_make(hf_repair_work *r);
/** The dependency of a hop on how its packet came; HF_NONE: it came by injection, or there is none */
uint32_t hf_repair_edge(const hf_repair_work *r, hf_hop in, hf_hop hop);
/** What is left under r->forbidden: fills is_good, on, by, cost, user. Time O(hops) */
void hf_repair_look(hf_repair_work *r);
static inline bool hf_repair_is_forbidden(const hf_repair_work *r, uint32_t e) {
    return e != HF_NONE && r->column_of[e] != HF_NONE && hf_bit_test(r->forbidden, r->column_of[e]);
}
/** Is a hop offered, in what hf_repair_look() saw? */
bool hf_repair_is_offered(const hf_repair_work *r, uint32_t hop);
/** Does a reached state have hops? */
bool hf_repair_has_hops(const hf_repair_work *r, uint32_t state);

/** The resource that a dependency leaves. Time O(log resources) */
uint32_t hf_repair_tail(const hf_repair_work *r, uint32_t e);
/** Shut the dependencies that nobody uses, and no others, in what hf_repair_look() saw. */
void hf_repair_shut_unused(hf_repair_work *r);
/** A shortest way from a resource to another, or back to itself, over dependencies that are not shut: parent_edge leads back
 * along it. Time O(dependencies) */
bool hf_repair_has_way(hf_repair_work *r, uint32_t from, uint32_t to);

/** A repair that is good but not proved the best, or none before the time is over. \param[out] out is_found, n_forbidden; the
 *  columns in r->forbidden */
hf_status hf_repair_guess(hf_repair_work *r, hf_repair *out);

/** Apply what is forbidden to the relation, and decide about it as holdfast verify does: no cycle, no packet stuck, every pair
 *  connected. \param[out] out the hops that are withheld, where packets look ahead */
hf_status hf_repair_apply(hf_repair_work *r, bool *is_right, hf_repair *out);

#endif
