/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "src/core/pages.h"

#include <stdint.h>
#include <sys/mman.h>

enum { LARGE_PAGE = 1 << 21, WORTH_IT = 4 * LARGE_PAGE };

void hf_pages_large(void *start, size_t size) {
#ifdef MADV_HUGEPAGE
    if (size >= WORTH_IT) {
        const size_t before = (LARGE_PAGE - (uintptr_t)start % LARGE_PAGE) % LARGE_PAGE;
        (void)madvise((char *)start + before, (size - before) / LARGE_PAGE * LARGE_PAGE, MADV_HUGEPAGE);
    }
#else
    (void)start, (void)size;
#endif
}
