/** \file
 *  The books of a kernel. */
#ifndef HOLDFAST_TESTS_SUPPORT_KERNEL_BOOKS_H
#define HOLDFAST_TESTS_SUPPORT_KERNEL_BOOKS_H

#include <holdfast/kernel.h>

/** Do packets, flits, credits and owners add up? \return HF_ENOMEM */
hf_status kernel_is_whole(const hf_kernel *k, bool *out);

#endif
