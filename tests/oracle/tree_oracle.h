/** \file
 *  A slow, obvious k-ary n-tree of at most 64 terminals: every path is written out digit by digit and every register is a mask
 *  of destinations. Shares nothing with src/routing but the rules of the paper. Memory by malloc; a failure aborts the test. */
#ifndef HOLDFAST_TESTS_ORACLE_TREE_ORACLE_H
#define HOLDFAST_TESTS_ORACLE_TREE_ORACLE_H

#include <holdfast/topology.h>

typedef enum oracle_kind { ORACLE_UPDOWN, ORACLE_INTERVAL, ORACLE_FT2EI } oracle_kind;

typedef struct oracle_rule {
    const char *spec; /**< the same rule in the library */
    oracle_kind kind;
    uint32_t intervals; /**< ft2ei: registers a port, 0: unlimited */
    bool propagate, own;
} oracle_rule;

/** The rules that are compared, `oracle_rule_count` of them. */
extern const oracle_rule oracle_rules[];
extern const size_t oracle_rule_count;

typedef struct oracle oracle;

/** What walking every packet shows. */
typedef struct oracle_pair {
    uint64_t complete; /**< paths that arrive */
    bool is_unsafe;    /**< some packet meets a failed channel or gets stuck at a switch */
} oracle_pair;

typedef struct oracle_measure {
    bool all_pairs, connected, surviving; /**< tolerated under the criterion */
    uint64_t victims, lost_paths;
} oracle_measure;

oracle *oracle_new(const hf_topology *topo, uint32_t k, uint32_t n);
void oracle_free(oracle *o);
/** Fail these channels, in this order, and set the registers of `rule`. */
void oracle_fail(oracle *o, const oracle_rule *rule, const uint32_t *channel, size_t count);
/** Destinations that the registers of up port k + j exclude; register i of it. */
uint64_t oracle_excluded(const oracle *o, uint32_t sw, uint32_t j);
uint32_t oracle_register_count(const oracle *o, uint32_t sw, uint32_t j);
uint64_t oracle_register(const oracle *o, uint32_t sw, uint32_t j, uint32_t i);
oracle_pair oracle_walk(const oracle *o, uint32_t source, uint32_t destination);
/** Does a healthy path of any length connect the two terminals? */
bool oracle_reaches(const oracle *o, uint32_t source, uint32_t destination);
oracle_measure oracle_measure_all(oracle *o);

#endif
