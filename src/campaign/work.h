/** \file
 *  Inside of campaigns: one worker's walk over a range of ranks. */
#ifndef HOLDFAST_SRC_CAMPAIGN_WORK_H
#define HOLDFAST_SRC_CAMPAIGN_WORK_H

#include <holdfast/campaign.h>

/** What one thread owns for the length of a campaign. */
typedef struct hf_worker {
    hf_context *cx;
    hf_judge *judge;
    uint32_t *set;    /**< the present fault set, room for the largest f */
    uint32_t *pushed; /**< the same in the order of failing */
    hf_tally tally;   /**< of the present batch; witness has room for the largest f */
} hf_worker;

/** What all threads share for one row. */
typedef struct hf_row_job {
    const hf_campaign *campaign;
    uint32_t f, m;
    bool exhaustive;
    bool counts;        /**< use the judge's bit lanes: verdicts only */
    uint64_t total;     /**< sets of the whole row: C(m, f) or samples */
    uint64_t *binomial; /**< (m + 1) x (f + 1): C(x, r) at x * (f + 1) + r, saturated */
    volatile int halt;  /**< raised when another worker failed */
} hf_row_job;

/** Work through ranks [lo, hi); adds to worker->tally. \return HF_ESTOP when stopped: the tally is then of no use. */
hf_status hf_work_exhaustive(hf_worker *worker, const hf_row_job *job, uint64_t lo, uint64_t hi);
/** Work through sample indices [lo, hi). */
hf_status hf_work_sampled(hf_worker *worker, const hf_row_job *job, uint64_t lo, uint64_t hi);

/** Add one judged set to a tally. */
void hf_tally_add(hf_tally *tally, const hf_measure *measure, const uint32_t *set, uint32_t f);
/** Back to nothing; the witness buffer stays. */
void hf_tally_clear(hf_tally *tally);

static inline bool hf_work_halted(const hf_worker *worker, const hf_row_job *job) {
    return job->halt || hf_context_stopped(worker->cx);
}

#endif
