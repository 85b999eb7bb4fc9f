/** \file
 *  Jobs that threads take as they come free, each thread with a context of its own. */
#ifndef HOLDFAST_SRC_CORE_JOBS_H
#define HOLDFAST_SRC_CORE_JOBS_H

#include <holdfast/core/context.h>

/** Do job i. \param[in] cx the thread's own; what the job takes from its arena is given back behind it */
typedef hf_status hf_job(hf_context *cx, void *user, size_t i);

/** Do the jobs 0 .. n-1. After a failure none is begun any more.
 *  \param[in] threads 0: one for each core; never more than jobs
 *  \param[out] failed the first job that fails, whatever the threads; n if none does
 *  \return the failure, with its message in `cx`, which also has the stop flag of all; HF_ENOMEM */
hf_status hf_jobs_do(hf_context *cx, size_t n, uint32_t threads, hf_job *job, void *user, size_t *failed);

/** Between rounds, alone. \param[in] part_cx of each part \param[out] goes_on false: it was the last round */
typedef hf_status hf_meeting(hf_context *cx, void *user, hf_context *const *part_cx, bool *goes_on);
/** A part's share of a round. */
typedef void hf_round(void *user, uint32_t part);
/** Work in rounds: all parts side by side, a thread for each where there are so many, then a meeting, which comes first too.
 *  Part 0 has the context of the caller. \return of the last meeting; HF_ENOMEM */
hf_status hf_jobs_rounds(hf_context *cx, uint32_t n_part, hf_meeting *meet, hf_round *round, void *user);

/** The number of the thread that asks, in a parallel region; 0 outside. */
uint32_t hf_jobs_thread(void);
/** Cores that threads may run on. */
uint32_t hf_jobs_cores(void);

#endif
