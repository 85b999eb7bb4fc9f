/** \file
 *  Wormhole deadlocks of tiny networks by trying all sets of disjoint worms: the slow, obvious twin of the deciders for wormhole
 *  switching. Relations must not use tags, and need at most 64 resources. */
#ifndef HOLDFAST_TESTS_ORACLE_WORMS_H
#define HOLDFAST_TESTS_ORACLE_WORMS_H

#include <holdfast/analysis/deadlock.h>

typedef struct worms_answer {
    bool is_known;  /**< not given up after `limit` steps */
    uint32_t least; /**< fewest resources held in a deadlock; 0: there is none */
} worms_answer;

/** Every stretch of every way, with its header where a packet for some destination can be, is a worm; sets of worms that share no
 *  resource and hold every hop that each header may take are deadlocks. */
worms_answer worms_search(const hf_plan *plan, size_t limit);

/** Are these packets a deadlock: ways offered, nothing held twice, all that each may ask for held? \return what is wrong, or
 * NULL */
const char *worms_refute(const hf_plan *plan, const hf_blocked *blocked, uint32_t count);
/** Resources that they hold together. */
uint32_t worms_held(const hf_blocked *blocked, uint32_t count);

#endif
