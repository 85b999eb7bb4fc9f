/** \file
 *  Programs that a study has run with idempotent messaging; each is run once. */
#ifndef HOLDFAST_SRC_STUDY_MESSAGED_H
#define HOLDFAST_SRC_STUDY_MESSAGED_H

#include <holdfast/protocol.h>

#include "src/study/job.h"

typedef struct hf_study_messaged {
    hf_benchmark_options program;
    hf_messaging messaging;
    hf_messaging_result result;
    bool from_store, is_accepted;
} hf_study_messaged;

/** Keep a run in the results store, if there is one. \return as hf_store_note() */
hf_status hf_study_messaged_keep(const hf_study_job *job, const hf_study_messaged *of);
/** Take result and `from_store` of a run from the store, if it is there and may be taken. \return as hf_store_recall() */
hf_status hf_study_messaged_recall(const hf_study_job *job, hf_study_messaged *of);

/** The same work, whatever the backoff, the number of nodes and the limit of cycles, and whatever benchmark on whatever network.
 */
bool hf_study_is_alike(const hf_study_messaged *a, const hf_study_messaged *b);

/** How far the backoff of `of` is from the best that the study has run, over all programs and networks that it has run with it
 *  [brown2002, 4.3]; or, for HF_SHOW_LEAST_WORST and HF_SHOW_LEAST_MEAN, the backoff that is nearest. `of` names everything but
 *  the program and the network. */
hf_status hf_study_backoff_line(hf_study_job *job, hf_study_show show, const hf_study_messaged *of, const char *what);

#endif
