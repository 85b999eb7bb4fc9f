/** \file
 *  Slow, obvious exploration of idempotent messaging, with rules of its own: no shared state machine, no packing, no
 *  reduction. */
#ifndef HOLDFAST_TESTS_ORACLE_MESSAGES_H
#define HOLDFAST_TESTS_ORACLE_MESSAGES_H

#include <holdfast/protocol.h>

typedef struct oracle_messages {
    hf_check_answer answer; /**< UNKNOWN: as many states as `most`, or more */
    uint32_t n_state, n_step;
} oracle_messages;

/** Explore `check` in full, breadth first, up to `most` states. Its reduction and state_limit play no role. */
oracle_messages oracle_explore_messages(const hf_check *check, uint32_t most);

#endif
