/** \file
 *  An allocator that fails at its n-th request, once, and keeps account of the blocks that are out. */
#ifndef HOLDFAST_TESTS_SUPPORT_FAILING_H
#define HOLDFAST_TESTS_SUPPORT_FAILING_H

#include <pthread.h>

#include <holdfast/core/context.h>

typedef struct failing {
    size_t requests; /**< so far */
    size_t fail_at;  /**< the request that fails, from 0; SIZE_MAX: none */
    size_t live;     /**< blocks that were not released */
    bool has_failed;
    pthread_mutex_t lock; /**< campaigns allocate from several threads */
} failing;

/** \return an allocator that uses `account`, which must outlive it. */
hf_allocator failing_allocator(failing *account, size_t fail_at);

/** Play `scene` on a fresh context again and again; each time one allocation later fails, until one run is undisturbed (not each
 * of a large number, unless HOLDFAST_SWEEP=whole). `scene` leaves nothing behind whatever happens and returns the first failure.
 * Fails the test if a run with a failed allocation ends otherwise than with HF_OK or HF_ENOMEM, has no message, leaks, or if the
 * run after it does not succeed. \return the number of allocations of an undisturbed run */
size_t failing_sweep(const char *name, hf_status (*scene)(hf_context *cx, void *user), void *user);

/** The arena takes blocks of 64 KiB, so that few of its pieces ask for memory. Sweep with `step` bytes left of the first block,
 *  with twice as many, and so on: the next block is asked for at another piece each time. At a step of 64 and with
 *  HOLDFAST_SWEEP=whole, every piece has its turn. Fails the test if the scene asks for nothing beside the arena's second
 *  block. */
void failing_sweep_pieces(const char *name, size_t step, hf_status (*scene)(hf_context *cx, void *user), void *user);

#endif
