/** \file
 *  Jobs that threads take as they come free, each thread with a context of its own. */
#ifndef HOLDFAST_SRC_CORE_JOBS_H
#define HOLDFAST_SRC_CORE_JOBS_H

#include <holdfast/core/context.h>

/** Do job i. \param[in] cx the thread's own; what the job takes from its arena is given back behind it */
typedef hf_status hf_job(hf_context *cx, void *user, size_t i);

/** Do the jobs 0 .. n-1. After a failure none is begun any more.
 *  \param[in] threads 0: one for each core; never more than jobs
 *  \param[out] failed the job that failed, n if none did
 *  \return the failure, with its message in `cx`, which also has the stop flag of all; HF_ENOMEM */
hf_status hf_jobs_do(hf_context *cx, size_t n, uint32_t threads, hf_job *job, void *user, size_t *failed);

/** The number of the thread that asks, in a parallel region; 0 outside. */
uint32_t hf_jobs_thread(void);
/** Cores that threads may run on. */
uint32_t hf_jobs_cores(void);

#endif
