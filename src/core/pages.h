/** \file
 *  Large pages for large memory. */
#ifndef HOLDFAST_SRC_CORE_PAGES_H
#define HOLDFAST_SRC_CORE_PAGES_H

#include <stddef.h>

/** Asks the system for large pages for `size` bytes at `start` that nothing has touched yet, where they are many. No more than a
 *  wish. A network of thousands of nodes has many small queues far apart, and finds each of them on a page of its own else. */
void hf_pages_large(void *start, size_t size);

#endif
