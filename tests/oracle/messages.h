/** \file
 *  Slow, obvious exploration of idempotent messaging, with rules of its own: no shared state machine, no hashing, no reduction.
 */
#ifndef HOLDFAST_TESTS_ORACLE_MESSAGES_H
#define HOLDFAST_TESTS_ORACLE_MESSAGES_H

#include <holdfast/protocol.h>

enum { ORACLE_MESSAGE_STATES = 1500 };

typedef struct oracle_messages {
    hf_check_answer answer; /**< UNKNOWN: more than ORACLE_MESSAGE_STATES */
    uint32_t n_state, n_step;
} oracle_messages;

/** Explore `check` in full, breadth first. Time O(states^2). */
oracle_messages oracle_explore_messages(const hf_check *check);

#endif
