/** \file
 *  Repairs by trying all: which sets of dependencies (or of classes of them) leave a relation without a cycle, without packets
 *  that are stuck, and connected. For small relations without tags. */
#ifndef HOLDFAST_TESTS_ORACLE_REPAIRS_H
#define HOLDFAST_TESTS_ORACLE_REPAIRS_H

#include <holdfast/analysis/deadlock.h>

enum { REPAIRS_DEPENDENCIES = 160, REPAIRS_STATES = 128, REPAIRS_TERMINALS = 9, REPAIRS_HOPS = 12 };

typedef struct repairs_hop {
    uint32_t to;         /* resource */
    uint32_t dependency; /* HF_NONE: of an injection */
    bool is_end;         /* of the way: at the destination */
    bool is_withheld;
} repairs_hop;

typedef struct repairs {
    const hf_plan *plan;
    uint32_t n_resource, n_dependency;
    uint32_t from[REPAIRS_DEPENDENCIES], to[REPAIRS_DEPENDENCIES];
    uint32_t class_of[REPAIRS_DEPENDENCIES],
        n_class; /* class: what is forbidden at once; HF_NONE: never. At first each its own */
    uint32_t n_hop[REPAIRS_TERMINALS][REPAIRS_STATES]; /* by destination, and resource or n_resource + source */
    repairs_hop hop[REPAIRS_TERMINALS][REPAIRS_STATES][REPAIRS_HOPS];
} repairs;

/** \return false: too large */
bool repairs_make(const hf_plan *plan, repairs *out);
/** Is it a repair to forbid these classes (n_class flags)? \param[in] ahead packets look ahead */
bool repairs_hold(const repairs *r, const bool *is_forbidden, bool ahead);
/** The fewest classes of a repair. \param[in] tries give up after so many sets \param[out] is_known false: given up; the result
 * is then a lower bound \return HF_NONE: there is no repair */
uint32_t repairs_fewest(const repairs *r, bool ahead, size_t tries, bool *is_known);
/** Class of a dependency, HF_NONE if packets do not bring it about. */
uint32_t repairs_class(const repairs *r, uint32_t from, uint32_t to);

#endif
