/** \file
 *  How far a run is, for whoever waits for it. */
#ifndef HOLDFAST_CORE_PROGRESS_H
#define HOLDFAST_CORE_PROGRESS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What is done of a run, told about ten times a second by one thread at a time. */
typedef struct hf_progress {
    uint32_t f;
    const char *what;             /**< is counted, in one row: "runs"; NULL: sets of f */
    uint64_t done, total;         /**< of this row; done includes what was resumed */
    uint64_t all_done, all_total; /**< over all rows; all_total saturates */
    double elapsed_s;
    double sets_per_s; /**< of this run alone */
} hf_progress;

#ifdef __cplusplus
}
#endif
#endif
