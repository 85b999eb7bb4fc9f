/** \file
 *  Parts of holdfast verify. */
#ifndef HOLDFAST_SRC_CLI_VERIFY_H
#define HOLDFAST_SRC_CLI_VERIFY_H

#include "src/cli/commands.h"
#include "src/cli/keep.h"

/** One row: a single plan with its decision, or a campaign's row with the decision of its lowest witness. */
typedef struct verify_row {
    uint32_t f;
    const hf_row *campaign;     /**< NULL: one plan */
    const hf_fault_set *faults; /**< of `deadlock`; NULL where there is none */
    hf_plan *plan;
    hf_deadlock *deadlock;
    hf_repair *repair; /**< NULL: not asked for */
    hf_layers *layers;
    hf_lockstep *lockstep; /**< two, of a quick look; NULL: none */
} verify_row;

typedef struct verify {
    const cli *c;
    cli_network net;
    hf_deadlock_options options;
    hf_campaign campaign;
    hf_inquiry inquiry;
    uint32_t *f;
    bool is_single; /**< one plan: no faults, or the named ones */
    cli_keep keep;
    verify_row *row; /**< n_row, in the arena */
    size_t n_row;
    hf_result *result;
} verify;

/** What becomes of packets in lockstep: nothing, or null, where it was not looked at. */
void verify_print_lockstep(const verify_row *row, hf_text *out);
hf_json *verify_json_lockstep(const verify_row *row);
/** Verdict of a row in one word: the worst of its sets. */
const char *verify_verdict(const verify_row *row);
bool verify_connected(const verify_row *row);
/** Sets of a row by class, HF_OUTCOME_COUNT of them; a single plan is one set. \return how many */
uint64_t verify_counts(const verify_row *row, uint64_t *sets);
hf_status verify_print_text(const verify *v);
hf_status verify_print_json(const verify *v);
hf_status verify_draw(const verify *v, const verify_row *row, const char *path);

#endif
