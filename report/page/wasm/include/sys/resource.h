/** \file
 *  Limits of a process where there is none: WebAssembly knows only the size of its memory. */
#ifndef HOLDFAST_PAGE_RESOURCE_H
#define HOLDFAST_PAGE_RESOURCE_H

typedef unsigned long long rlim_t;
struct rlimit {
    rlim_t rlim_cur, rlim_max;
};
#define RLIM_INFINITY (~0ULL)
enum { RLIMIT_AS, RLIMIT_DATA };

static inline int getrlimit(int what, struct rlimit *out) { return (void)what, (void)out, -1; }

#endif
