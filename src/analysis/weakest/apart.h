/** \file
 *  How many components part each ordered pair of terminals, at least. */
#ifndef HOLDFAST_SRC_ANALYSIS_WEAKEST_APART_H
#define HOLDFAST_SRC_ANALYSIS_WEAKEST_APART_H

#include "src/analysis/weakest/menger.h"

enum { HF_APART_TERMINALS = 4096 };

typedef struct hf_apart {
    hf_menger flow;
    const hf_universe *universe;
    uint32_t n;     /**< terminals */
    uint8_t *bound; /**< n * n: no fewer part source * n + destination */
    uint32_t least; /**< the lowest of them */
    uint32_t most;  /**< no bound is above */
} hf_apart;

/** In the arena. \param[in] relays terminals pass on what reaches them
 *  \return HF_ENOTSUP where a component is more than a channel, link or switch, or there are more than 4096 terminals; HF_ESTOP.
 *  Time O(n^2 * least * channels) */
hf_status hf_apart_find(hf_context *cx, const hf_universe *universe, bool relays, hf_apart *out);
/** Components that part a pair, as many as its bound says. \return false: it takes more */
bool hf_apart_cut(hf_apart *apart, uint32_t source, uint32_t destination, uint32_t *component, uint32_t *n);

#endif
