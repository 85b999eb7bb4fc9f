/** \file
 *  OpenMP where there is one thread: its pragmas are not compiled. */
#ifndef HOLDFAST_PAGE_OMP_H
#define HOLDFAST_PAGE_OMP_H

static inline int omp_get_thread_num(void) { return 0; }
static inline int omp_get_num_threads(void) { return 1; }
static inline int omp_get_num_procs(void) { return 1; }
static inline int omp_get_max_threads(void) { return 1; }

#endif
