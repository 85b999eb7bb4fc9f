/** \file
 *  What reconfiguration takes: messages and cycles after fault sets, bounds and models, over all sets of a size or a sample. And
 *  how many random faults a network bears until it falls apart. */
#ifndef HOLDFAST_EFFORT_H
#define HOLDFAST_EFFORT_H

#include <holdfast/campaign.h>

#ifdef __cplusplus
extern "C" {
#endif

/** One quantity of a routing over the sets that were looked at. */
typedef struct hf_effort_value {
    uint64_t sets; /**< that it is known for; 0: none */
    uint64_t lowest, highest;
    double mean;
} hf_effort_value;

/** The quantities over all or sampled fault sets of one size. */
typedef struct hf_effort_row {
    uint32_t f;
    bool is_exact; /**< all sets of size f */
    uint64_t sets;
    hf_effort_value *value; /**< one for each of the routing's efforts; owned by the result */
} hf_effort_row;

/** What is asked for: sets of f components for each f, exactly or by samples. */
typedef struct hf_effort_request {
    const hf_universe *universe; /**< borrowed */
    const hf_rule *rule;
    const uint32_t *f;
    size_t n_f;
    uint64_t samples; /**< sets a row where there are more than so many */
    uint64_t seed;
    uint64_t simulated; /**< the first so many sets of a row are simulated event by event too */
    hf_effort_costs costs;
    uint32_t threads;                                          /**< 0: all cores; the result does not depend on it */
    void (*progress)(void *user, const hf_progress *progress); /**< or NULL; one thread at a time */
    void *progress_user;
} hf_effort_request;

/** A row for each f, in the order asked for. */
typedef struct hf_effort_result {
    size_t n_effort, n_row;
    hf_effort_row *row;
    hf_allocator allocator;
} hf_effort_result;

/** Run. \return HF_ENOTSUP if the routing has no model of its reconfiguration; HF_EINVAL for more faults than components. Free
 * with hf_effort_free(). Samples are those of campaigns with the same seed. */
hf_status hf_effort_run(hf_context *cx, const hf_effort_request *request, hf_effort_result **out);
void hf_effort_free(hf_effort_result *result);
/** The published value of quantity i, NULL if there is none: of the first bound and of the models of its phase and quantity. */
const hf_effort_published *hf_effort_find_published(const hf_topology *topo, const hf_universe *universe,
                                                    const hf_routing *routing, size_t i, uint32_t f);

/** How many components fail, in random order, until the switches that are left do not hang together any more, or fewer than two
 *  terminals are in service at them (criterion switches-connected): the fault that does it is counted, and said to part the
 *  network. Switches without links that are left count as parts. */
typedef struct hf_limit {
    uint64_t orders;            /**< random orders */
    uint32_t n;                 /**< components */
    uint64_t *parted;           /**< n + 2: orders parted by fault number i; at n + 1: by none; owned by the result */
    uint64_t *below;            /**< n + 2: orders parted by fault number i or before */
    double mean;                /**< of the number of the fault that parts, of those that are parted */
    double mean_low, mean_high; /**< 95% interval from the range 1 .. n; see hf_estimate_mean() */
    hf_interval_method mean_interval;
    hf_allocator allocator;
} hf_limit;
/** What is asked for. */
typedef struct hf_limit_request {
    const hf_universe *universe; /**< borrowed */
    uint64_t orders, seed;
    uint32_t threads;                                          /**< 0: all cores; the result does not depend on it */
    void (*progress)(void *user, const hf_progress *progress); /**< or NULL; one thread at a time */
    void *progress_user;
} hf_limit_request;
/** Run through `orders` random orders; order i is a pure function of (seed, i), whatever the threads. The set of
 * faults that part a network only grows for links; with switches a network can grow together again when a part dies out: the
 * first parting counts. Time O(orders * components) where all links fail in both directions at once, else times the channels.
 * Free with hf_limit_free(). */
hf_status hf_limit_run(hf_context *cx, const hf_limit_request *request, hf_limit **out);
void hf_limit_free(hf_limit *limit);

#ifdef __cplusplus
}
#endif
#endif
