/** \file
 *  Exact minima on multipath networks: the fewest components whose loss isolates an endpoint, and the fewest whose loss a policy
 * of reconfiguration does not tolerate. */
#ifndef HOLDFAST_FEWEST_H
#define HOLDFAST_FEWEST_H

#include <holdfast/analysis.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { HF_FEWEST_TERMINALS = 64 }; /**< the most for hf_fewest_break() */

/** Such a set of components. */
typedef struct hf_fewest {
    bool is_possible; /**< false: no set does it; proved if is_exact */
    bool is_exact;    /**< false: time was over, and there may be a smaller set */
    uint32_t n;
    uint32_t *component;          /**< n, ascending; in the arena */
    uint32_t source, destination; /**< a pair that is not served; HF_NONE: fewer than two terminals stay in service; for an
                                     isolated endpoint both are that endpoint */
} hf_fewest;

/** The fewest components whose loss takes all channels out of, or all channels into, some terminal. By search: a channel must be
 * hit by one of the components that take it down. Any topology. Time O(n_terminal * components a channel ^ channels a terminal).
 */
hf_status hf_fewest_isolate(hf_context *cx, const hf_universe *universe, hf_fewest *out);
/** The fewest components whose loss the rule, one of routing "multipath", does not tolerate. Integer programs, one for each
 * ordered pair that may be unserved: cut the pair, keep both live; under multi-hop, cut all that the source reaches by relays.
 * Then all smaller sets, which may leave fewer than two terminals in service; under fault-propagation only these. \param[in]
 * limit_s seconds for all programs together \return HF_ENOTSUP for another routing, blocked=all, spread=once, relays=yes, or more
 * than HF_FEWEST_TERMINALS terminals; HF_ESTOP */
hf_status hf_fewest_break(hf_context *cx, const hf_universe *universe, const hf_rule *rule, double limit_s, hf_fewest *out);

#ifdef __cplusplus
}
#endif
#endif
