/** \file
 *  Parts of holdfast reliability: kinds of components with their rates, times, output. */
#ifndef HOLDFAST_SRC_CLI_RELIABILITY_H
#define HOLDFAST_SRC_CLI_RELIABILITY_H

#include "src/cli/campaign.h"

enum { RELIABILITY_KINDS = 6, RELIABILITY_TIMES = 1001 };

typedef struct reliability {
    const cli *c;
    cli_network net;
    cli_campaign run;
    hf_criterion criterion; /**< of a campaign */
    hf_tally_file tally;    /**< with --tally; n_row 0: a campaign */
    hf_text file;           /**< its bytes */
    hf_reliability_class class[HF_RELIABILITY_CLASSES];
    size_t n_class;
    uint8_t *class_of; /**< by component; in the arena */
    bool is_composed;  /**< the campaign tells compositions or loss */
    bool is_monotone, has_repair;
    size_t n_sampled;
    double *hours; /**< n_time; in the arena */
    size_t n_time;
    hf_reliability_state *at; /**< n_time */
    uint32_t f_known;         /**< largest number of faults of which every set was counted, with a campaign */
    bool is_walked;           /**< ways to sets of up to f_walked failures were counted one by one */
    uint32_t f_walked;
    hf_bounded mttf, integral;   /**< hours to the first set that is not tolerated, and in tolerated sets */
    hf_reliability_state steady; /**< with has_repair */
} reliability;

/** Rates, repairs and crews of --rate, --repair and --crews into classes; kinds that fail and are repaired alike share one.
 *  With --tally there is one class. */
hf_status reliability_classes(reliability *r);
/** --times, or eleven from 0 to twice the mean time to failure. */
hf_status reliability_times(reliability *r);
/** What --terminals counts: terminals in all, 0 without it. */
uint32_t reliability_terminals(const reliability *r);
/** Are both ends the same but for rounding? */
bool reliability_is_one(const hf_bounded *b);
/** Table or JSON on standard output, and the files of --csv and --svg. */
hf_status reliability_print(const reliability *r);

#endif
