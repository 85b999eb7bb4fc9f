/** \file
 *  Parts of the question whether a routing can deadlock. */
#ifndef HOLDFAST_SRC_QUESTION_VERIFY_H
#define HOLDFAST_SRC_QUESTION_VERIFY_H

#include <holdfast/analysis/deadlock.h>

#include "src/question/campaign.h"

typedef enum verify_repair { REPAIR_NONE, REPAIR_DEPENDENCIES, REPAIR_TURNS, REPAIR_ROUTES } verify_repair;
typedef struct verify_args {
    hf_campaign_params sets;
    hf_switching switching;
    hf_timing timing;
    const char *flow; /**< for hf_flow_control_read() */
    verify_repair repair;
    bool layers, require_connected;
    uint32_t time_limit_s;
} verify_args;

/** One row: a single plan with its decision, or a campaign's row with the decision of its lowest witness. */
typedef struct verify_row {
    uint32_t f;
    const hf_row *campaign;     /**< NULL: one plan */
    const hf_fault_set *faults; /**< of `deadlock`; NULL where there is none */
    hf_plan *plan;
    hf_deadlock *deadlock;
    hf_repair *repair; /**< NULL: not asked for */
    hf_reroute *reroute;
    hf_layers *layers;
    hf_lockstep *lockstep; /**< two, of a quick look; NULL: none */
} verify_row;

/** What is proved of ways that are proposed: the rule that their file is going to be, and its answer. */
typedef struct verify_proof {
    hf_text ways;
    hf_rule rule;
    hf_plan plan;
    hf_deadlock deadlock;
} verify_proof;

typedef struct verify {
    hf_context *cx;
    const hf_scene *scene;
    const verify_args *args;
    hf_deadlock_options options;
    hf_flow_control control;
    hf_inquiry inquiry;
    hf_asked_campaign run;
    bool wants_routes; /**< as a file */
    bool is_single;    /**< one plan: no faults, or the named ones */
    verify_row *row;   /**< n_row, in the arena */
    size_t n_row;
    verify_proof *proof; /**< NULL: the certificate is of the rule itself */
    char *how;           /**< by orbits: what it took; else "" or NULL */
    hf_report *answer;
} verify;

extern const hf_column hf_verify_columns[];
/** Sets of a row by class, HF_OUTCOME_COUNT of them; a single plan is one set. \return how many */
uint64_t hf_verify_counts(const verify_row *row, uint64_t *sets);
/** Is the lowest set of a class named? That with a deadlock, and those that are noted. */
bool hf_verify_names(uint32_t outcome);
/** The names of one. \param[out] names in the arena; NULL: there is none */
hf_status hf_verify_set(const verify *v, const verify_row *row, uint32_t outcome, const char *between, char **names);
/** Ways that are proposed in the place of others, as tables and as files; print nothing where there are none. */
hf_status hf_verify_routes(const verify *v);
hf_status hf_verify_print_paths(const void *user, hf_text *out);
hf_status hf_verify_print_table(const void *user, hf_text *out);
/** Decide about ways that --repair=routes proposes, as the file `path` is going to say them. To be freed whether or not it
 * succeeds. */
hf_status hf_verify_prove_ways(verify *v, const char *path);
void hf_verify_free_proof(verify *v);
/** The packets of deadlocks, and what goes with them. */
hf_status hf_verify_packets(const verify *v);
/** All tables. */
hf_status hf_verify_tables(const verify *v);

#endif
