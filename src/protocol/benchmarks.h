/** \file
 *  The programs behind hf_benchmark_program(). Each writes down its blocks and checks its own result. */
#ifndef HOLDFAST_SRC_PROTOCOL_BENCHMARKS_H
#define HOLDFAST_SRC_PROTOCOL_BENCHMARKS_H

#include <holdfast/protocol.h>

/** Parallel prefix over `n` words, word i on node first_node + i. */
typedef struct hf_prefix {
    uint32_t first_node, n;
    const int64_t *word;
    uint32_t count_cycles; /**< of each node before it has its word */
    /** At word i: the sum of the words before it, and of all. */
    void (*leaf)(hf_program *t, uint32_t i, int64_t before, int64_t total, void *user);
    void *user;
} hf_prefix;
/** Run it from the present node. Work in the arena. \return the total in `total`. */
hf_status hf_bench_prefix(hf_program *t, const hf_prefix *prefix, int64_t *total);
hf_status hf_bench_add(hf_program *t);
hf_status hf_bench_reverse(hf_program *t);
hf_status hf_bench_quicksort(hf_program *t, uint64_t seed);
hf_status hf_bench_nbody(hf_program *t, uint32_t iterations);

#endif
