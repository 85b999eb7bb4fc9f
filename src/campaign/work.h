/** \file
 *  Inside of campaigns: one worker's walk over a range of ranks. */
#ifndef HOLDFAST_SRC_CAMPAIGN_WORK_H
#define HOLDFAST_SRC_CAMPAIGN_WORK_H

#include <stdatomic.h>

#include <holdfast/campaign.h>

/** When a worker looks up from its sets: at the clock, the stop flag and its mates. The stride in steps follows the speed, so
 *  that a look comes about every millisecond. */
typedef struct hf_pace {
    uint32_t left, stride;
    double looked_s, until_s; /**< last look; when to hand in what is done */
    uint64_t told;            /**< sets of this piece that hf_row_job.done already holds */
} hf_pace;

/** What one thread owns for the length of a campaign. */
typedef struct hf_worker {
    hf_context *cx;
    hf_judge *judge;
    uint32_t *set;    /**< the present fault set, room for the largest f */
    uint32_t *pushed; /**< the same in the order of failing */
    uint32_t stratum; /**< of the present set, where there are strata */
    hf_tally tally;   /**< of the present piece; witness has room for the largest f */
    hf_pace pace;
} hf_worker;

/** What all threads share for one row. */
typedef struct hf_row_job {
    const hf_campaign *campaign;
    uint32_t f, m;
    bool exhaustive;
    bool counts;             /**< use the judge's bit lanes: verdicts only */
    bool sums;               /**< let it add up the sets that share all but the last components */
    bool until_lost;         /**< see hf_campaign */
    bool in_order;           /**< components fail in ascending order, or the order does not show */
    const hf_quota *quota;   /**< sampled: strata of the row; NULL: all sets alike */
    uint64_t total;          /**< sets of the whole row: C(m, f) or samples */
    uint64_t *choose;        /**< exhaustive: (f + 1) x (m - f + 1): C(x, r) at r * (m - f + 1) + (x - r) */
    atomic_bool halts;       /**< raised when another worker failed */
    _Atomic uint64_t done;   /**< sets looked at, for progress */
    void (*look)(void *run); /**< called at every look */
    void *run;
} hf_row_job;

/** Does it count victims, lost paths and further measures? */
bool hf_campaign_measures(const hf_campaign *campaign);
/** Is the verdict one of switches alone? */
bool hf_campaign_asks_switches(const hf_campaign *campaign);
/** Start a piece that lasts about `seconds`: clears the tally. */
void hf_work_begin(hf_worker *worker, double seconds);
/** Tell the job what the piece has done since it last told. */
void hf_work_tell(hf_worker *worker, hf_row_job *job);
/** A look: see hf_pace. */
bool hf_work_look(hf_worker *worker, hf_row_job *job);
/** Called before every step. \return whether the piece ends here: stopped, halted, or its time is over. */
static inline bool hf_work_ends(hf_worker *worker, hf_row_job *job) {
    return --worker->pace.left == 0 && hf_work_look(worker, job);
}
static inline bool hf_work_stopped(const hf_worker *worker, const hf_row_job *job) {
    return atomic_load_explicit(&job->halts, memory_order_relaxed) || hf_context_stopped(worker->cx);
}

/** Fill job->choose. */
hf_status hf_work_fill_choose(hf_context *cx, hf_row_job *job);
/** Work through ranks [lo, hi) until done or the piece ends. \param[out] end ranks [lo, end) are in worker->tally, whatever the
 *  status. */
hf_status hf_work_exhaustive(hf_worker *worker, hf_row_job *job, uint64_t lo, uint64_t hi, uint64_t *end);
/** Work through sample indices [lo, hi) likewise. */
hf_status hf_work_sampled(hf_worker *worker, hf_row_job *job, uint64_t lo, uint64_t hi, uint64_t *end);
/** Read the judge's present set: all that it measures, or the verdict alone where no more is asked. */
hf_status hf_work_read(hf_worker *worker, const hf_row_job *job, hf_measure *measure);
/** Push worker->set in the order of the campaign onto the empty judge, read, pop, add to the tally. \param[in] index its rank, or
 * the number of the sample */
hf_status hf_work_read_alone(hf_worker *worker, hf_row_job *job, uint64_t index);

/** Add the set that was judged to the worker's tally. */
void hf_work_add(hf_worker *worker, hf_row_job *job, const hf_measure *measure);
/** Of one judged set keep what it is the lowest of. \param[in] set ascending */
void hf_tally_offer(hf_tally *tally, const hf_measure *measure, const uint32_t *set, uint32_t f);
/** Add one judged set to a tally. */
void hf_tally_add(hf_tally *tally, const hf_measure *measure, const uint32_t *set, uint32_t f);
/** Quantities alone, of so many sets that are alike. */
void hf_tally_add_quantities(hf_tally *tally, const hf_measure *measure, uint64_t sets);
/** That it was of this stratum. */
void hf_tally_add_stratum(hf_tally *tally, uint32_t stratum, const hf_measure *measure);
/** Add sets that a judge has added up. \param[in] set the first that is not tolerated, where there is one */
void hf_tally_add_sum(hf_tally *tally, const hf_judge_sum *sum, uint64_t sets, const uint32_t *set, uint32_t f);
/** Room for what a campaign keeps of sets of up to f. Free with hf_tally_free(), also after a failure. */
hf_status hf_tally_init(hf_context *cx, const hf_campaign *campaign, uint32_t f, hf_tally *out);
void hf_tally_free(const hf_allocator *allocator, hf_tally *tally);
/** Back to nothing; the room stays. */
void hf_tally_clear(hf_tally *tally);

#endif
