/** \file
 *  The fewest components whose loss is not tolerated, with what proves that fewer are not enough. */
#ifndef HOLDFAST_ANALYSIS_WEAKEST_H
#define HOLDFAST_ANALYSIS_WEAKEST_H

#include <holdfast/analysis/tolerance.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Why no smaller set is lost; docs/weakest.md says why each is a proof. */
typedef enum hf_weakest_proof {
    HF_WEAKEST_NONE,     /**< nothing is proved, or less than the number that was found */
    HF_WEAKEST_CLASSES,  /**< the class bound: fewer faults leave a class clean, which serves every pair */
    HF_WEAKEST_PATHS,    /**< paths between terminals that cannot all be hit by fewer */
    HF_WEAKEST_SUPPORTS, /**< sets of components each of which alone serves all; they cannot all be hit by fewer */
    HF_WEAKEST_SETS,     /**< every smaller set was looked at */
    HF_WEAKEST_ORBITS,   /**< the same, one set for all that symmetries make alike */
    HF_WEAKEST_PROGRAM   /**< the word of a solver of integer programs */
} hf_weakest_proof;
/** "none", "classes", "paths", "supports", "sets", "orbits", "program". */
const char *hf_weakest_proof_name(hf_weakest_proof proof);

/** Lists of numbers one behind the other: list i is item[begin[i]] .. item[begin[i + 1] - 1]; in the arena. */
typedef struct hf_weakest_lists {
    uint32_t n, n_item;
    uint32_t *begin; /**< n + 1; NULL where n is 0 and nothing was ever added */
    uint32_t *item;
    size_t begin_room, item_room;
} hf_weakest_lists;
/** Add an item to the list that is being built / end that list. \return HF_ENOMEM */
hf_status hf_weakest_list_item(hf_context *cx, hf_weakest_lists *lists, uint32_t item);
hf_status hf_weakest_list_end(hf_context *cx, hf_weakest_lists *lists);

/** What was found. Arrays live in the arena. */
typedef struct hf_weakest {
    bool is_possible;    /**< a set was found that is not tolerated */
    bool is_exact;       /**< no smaller one is lost; without `is_possible`: no set is */
    uint32_t least;      /**< every set of fewer components is tolerated; proved */
    uint32_t n;          /**< components of the set found */
    uint32_t *component; /**< n, ascending */
    hf_weakest_proof proof;
    bool is_counted;          /**< `sets` is known */
    hf_big *sets;             /**< sets of n components that are not tolerated; NULL: not known. Free with hf_weakest_free() */
    hf_big *looked;           /**< sets judged one by one */
    hf_bound *bound;          /**< of a proof by classes */
    hf_weakest_lists path;    /**< of a proof by paths: from and to, nodes; then the channels. Those of a pair stand together */
    hf_weakest_lists support; /**< of a proof by supports: components */
} hf_weakest;
void hf_weakest_free(hf_weakest *weakest);

/** Do more faults never mend, as far as rule, criterion and universe say? */
bool hf_weakest_is_monotone(const hf_universe *universe, const hf_rule *rule, const hf_criterion *criterion);

/** Is it connectivity that is asked for: of all terminals, or of all switches where no switch fails? */
bool hf_weakest_asks_cut(const hf_universe *universe, const hf_rule *rule, const hf_criterion *criterion);
/** Do paths from each terminal (switch) to the next, in a ring, say that all are connected? Where terminals are left elsewhere
 *  than they are entered, all ordered pairs are asked for. */
bool hf_weakest_is_ring(const hf_topology *topo, const hf_criterion *criterion);
/** Nodes that have to be connected: the first of them, and how many. */
void hf_weakest_ends(const hf_topology *topo, const hf_criterion *criterion, uint32_t *first, uint32_t *n);

/** The fewest components that part the network, where connectivity is asked for: by flows where every component is one channel,
 *  link or switch, else by hitting sets of paths that are made on the way. \param[in] limit_s seconds for the programs
 *  \param[in] want_paths keep the paths. Time O(pairs * n * channels) of flows; most pairs end near where they begin.
 *  Source: Menger's theorem; augmenting paths [ford1956] */
hf_status hf_weakest_cut(hf_context *cx, const hf_universe *universe, const hf_criterion *criterion, double limit_s,
                         bool want_paths, hf_weakest *out);

/** The fewest components, where more faults never mend. A program asks for the smallest set that has one of each support found
 *  so far; a tolerated one is grown until nothing can be added, and what is left is a new support. \param[in] limit_s seconds,
 *  looked at between supports and in programs. Each turn reads some n_component verdicts for every support. \return HF_ENOTSUP
 *  unless hf_weakest_is_monotone(); HF_ESTOP. Source: implicit hitting sets [chandrasekaran2011] */
hf_status hf_weakest_hit(hf_context *cx, const hf_universe *universe, const hf_rule *rule, const hf_criterion *criterion,
                         double limit_s, hf_weakest *out);

/** Components that cut off a region of the network with as many terminals as a greedy search finds, up to half of them.
 *  \param[in] f components at most \param[out] set room for f \param[out] n of them; 0: no region is cut off by so few */
hf_status hf_weakest_region(hf_context *cx, const hf_universe *universe, uint32_t f, uint32_t *set, uint32_t *n);

#ifdef __cplusplus
}
#endif
#endif
