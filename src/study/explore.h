/** \file
 *  An exploration once its texts have been read, and the parts of running one. */
#ifndef HOLDFAST_SRC_STUDY_EXPLORE_H
#define HOLDFAST_SRC_STUDY_EXPLORE_H

#include <holdfast/study.h>

#include "src/study/read.h"

/** A design of the grids, before it is built. */
typedef struct hf_planned {
    char *topology, *routing; /**< owned */
    uint32_t line;            /**< of the file */
} hf_planned;

struct hf_exploration {
    hf_study frame; /**< file, name, title and document, as those of a study; no cells */
    const char *universe, *traffic, *reference;
    hf_criterion criterion;
    uint32_t terminals_least, terminals_most, tolerance_least, faults_most;
    uint64_t sets, seed;
    double cost_most;      /**< HUGE_VAL: no limit */
    bool allows_deadlocks; /**< designs are kept whatever is known of their deadlocks */
    hf_planned *planned;
    size_t n_planned;
    hf_cost_table costs;
    double reference_cost; /**< a terminal */
};

/** Expand the braces of `text`, "{a|b}" and "{2..5}": each of the results is given to `take`.
 *  \return HF_EINVAL for braces that do not close, an empty alternative or a range that descends; as `take` does */
hf_status hf_explore_expand(hf_context *cx, const char *text, hf_status (*take)(hf_context *cx, void *user, const char *text),
                            void *user);

/** Evaluate one design. `out` has its specs; on failure nothing else is owned. */
hf_status hf_design_evaluate(hf_context *cx, const hf_exploration *e, const hf_planned *planned, hf_design *out);
/** Look at the sets of f components: all of them if they are not more than asked for, else the samples of campaigns, up to the
 *  first that is not tolerated. \param[out] is_whole every set was asked for */
hf_status hf_design_look(hf_context *cx, const hf_exploration *e, const hf_rule *rule, const hf_universe *universe, uint32_t f,
                         bool *all_tolerated, bool *is_whole);
/** Tolerance of a rule: fills tolerance, least, most and proof. */
hf_status hf_design_tolerance(hf_context *cx, const hf_exploration *e, const hf_rule *rule, const hf_universe *universe,
                              hf_design *out);

#endif
