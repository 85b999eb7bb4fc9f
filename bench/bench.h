/** \file
 *  What all benchmarks need: the clocks, an end with a message where a call fails, and which cases are asked for. */
#ifndef HOLDFAST_BENCH_H
#define HOLDFAST_BENCH_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <holdfast/core/context.h>

static inline double seconds_of(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
/** Seconds on a clock that only goes forward. */
static inline double wall_now_s(void) { return seconds_of(CLOCK_MONOTONIC); }
/** Seconds that all threads of this process have worked: other work on the machine does not lengthen them much. */
static inline double cpu_now_s(void) { return seconds_of(CLOCK_PROCESS_CPUTIME_ID); }

/** End the benchmark unless the call succeeded. \param[in] what the case, for the message */
static inline void must_in(hf_context *cx, hf_status status, const char *what) {
    if (status != HF_OK) {
        fprintf(stderr, "bench: %s%s%s\n", what, *what ? ": " : "", hf_context_message(cx));
        exit(2);
    }
}
static inline void must(hf_context *cx, hf_status status) { must_in(cx, status, ""); }

/** Is the case asked for? \param[in] word words of the command line; those from `first` on are beginnings of names, none: all */
static inline bool is_asked(const char *name, int n_word, char *const *word, int first) {
    bool found = first >= n_word;
    for (int w = first; w < n_word; w++) {
        found |= strncmp(name, word[w], strlen(word[w])) == 0;
    }
    return found;
}

#endif
