/** \file
 *  Idempotent messaging [brown2002]: a MSG until an ACK comes, an ACK until a CONF comes, every ACK answered by a CONF.
 *  An endpoint is a pure state machine: a transition is a function of (state, event) to (state, what comes out). The same
 *  function runs in the simulation of networks and in the explicit-state check. */
#ifndef HOLDFAST_PROTOCOL_H
#define HOLDFAST_PROTOCOL_H

#include <holdfast/context.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum hf_protocol_kind { HF_PROTOCOL_MSG, HF_PROTOCOL_ACK, HF_PROTOCOL_CONF } hf_protocol_kind;
/** "MSG", "ACK", "CONF". */
const char *hf_protocol_kind_name(hf_protocol_kind kind);

/** Growth of the wait with the number n of attempts, n from 1: C, C n, C n^2, C 2^n [brown2002, 4.3]. */
typedef enum hf_backoff { HF_BACKOFF_CONSTANT, HF_BACKOFF_LINEAR, HF_BACKOFF_QUADRATIC, HF_BACKOFF_EXPONENTIAL } hf_backoff;
/** "constant", "linear", "quadratic", "exponential". */
const char *hf_backoff_name(hf_backoff backoff);
/** Cycles to wait after attempt n >= 1; stays at 2^62 where it would be more. */
uint64_t hf_backoff_cycles(hf_backoff backoff, uint32_t constant, uint32_t n);

/** How an endpoint behaves. */
typedef struct hf_protocol {
    uint32_t send_capacity, receive_capacity; /**< entries of the tables, >= 1 */
    hf_backoff backoff;
    uint32_t backoff_constant; /**< C, cycles */
    uint32_t reply_size;       /**< flits of an ACK or a CONF */
    uint64_t retention; /**< cycles for which a message is remembered after its CONF; the cycle of the CONF counts as none */
    uint64_t n_id;      /**< message ids before they start anew; 0: never. Active ones are skipped */
    bool has_secondary; /**< a CONF names the place in the receive table instead of source and id [brown2002, 2.2] */
} hf_protocol;
/** The published choice: tables of 16 and 32, C n^2 with C = 3, replies of 4 flits, ids never reused, no retention. */
hf_protocol hf_protocol_default(void);

typedef struct hf_protocol_packet {
    hf_protocol_kind kind;
    uint32_t source, destination;
    uint32_t size;      /**< flits */
    uint32_t message;   /**< of a MSG: the payload's handle */
    uint32_t secondary; /**< of an ACK and a CONF with secondary ids; else 0 */
    uint64_t id;
} hf_protocol_packet;

/** Line of the send table: a message until its ACK. */
typedef struct hf_send_entry {
    uint64_t id, due; /**< due: cycle of the next attempt */
    uint32_t message, destination, size, distance, attempt;
} hf_send_entry;

/** Line of the receive table: a message until its CONF, and `retention` cycles longer. */
typedef struct hf_receive_entry {
    uint64_t id, due, forget; /**< forget: first cycle at which it is forgotten, once confirmed */
    uint32_t source, secondary, distance, attempt;
    bool is_confirmed;
} hf_receive_entry;

/** State of a node, sender and receiver. The caller lends the tables, as long as the protocol's capacities. */
typedef struct hf_endpoint {
    uint32_t node, n_sent, n_received;
    uint64_t next_id;
    hf_send_entry *sent;
    hf_receive_entry *received;
} hf_endpoint;

typedef enum hf_protocol_event_kind {
    HF_EVENT_SUBMIT,      /**< the processor has a message: packet.message, destination, size, and distance */
    HF_EVENT_TRANSMIT,    /**< send the MSG of line `index` of the send table */
    HF_EVENT_ACKNOWLEDGE, /**< send the ACK of line `index` of the receive table, not yet confirmed */
    HF_EVENT_ARRIVE,      /**< `packet` came in, over `distance` hops */
    HF_EVENT_TIME         /**< it is `now`: forget what has been retained for long enough */
} hf_protocol_event_kind;

typedef struct hf_protocol_event {
    hf_protocol_event_kind kind;
    uint32_t index, distance;
    uint64_t now;
    hf_protocol_packet packet;
} hf_protocol_event;

typedef struct hf_protocol_output {
    bool has_packet;  /**< `packet` is to be sent */
    bool is_accepted; /**< SUBMIT: the send table had room; ARRIVE of a MSG: it is in the receive table now */
    bool has_action;  /**< act on packet `message` of `source`: delivered for the first time, as far as the receiver can tell */
    uint32_t message, source;
    hf_protocol_packet packet;
} hf_protocol_output;

/** One transition. Time O(entries). An ARRIVE must be for this node; `index` must be a line in use. */
hf_protocol_output hf_protocol_step(const hf_protocol *protocol, hf_endpoint *state, const hf_protocol_event *event);

/* ---- explicit-state check ---- */

enum { HF_CHECK_MAX = 4, HF_CHECK_SLIP_MAX = 100 };

/** One sender, one receiver, two channels. Bounds 1 to HF_CHECK_MAX each. */
typedef struct hf_check {
    hf_protocol protocol;         /**< capacities up to HF_CHECK_MAX; retention up to HF_CHECK_SLIP_MAX; backoff plays no role */
    uint32_t n_message, capacity; /**< messages to send; packets in flight in a channel */
    bool has_loss;                /**< any packet in flight can be lost */
    uint32_t slip; /**< T: a packet can be received up to T cycles after one that was sent later; 0: channels keep the order */
    uint64_t state_limit;
} hf_check;

typedef enum hf_check_answer {
    HF_CHECK_SAFE,
    HF_CHECK_DUPLICATE,
    HF_CHECK_LOST,
    HF_CHECK_STUCK,
    HF_CHECK_UNKNOWN
} hf_check_answer;
/** "safe", "acted on twice", "lost", "stuck", "unknown". */
const char *hf_check_answer_name(hf_check_answer answer);

typedef struct hf_check_result {
    hf_check_answer answer;
    uint32_t message;         /**< the one that is lost or acted on twice, from 0 */
    uint64_t n_state, n_move; /**< distinct states found; moves looked at */
    uint32_t n_step;          /**< of the shortest trace to the failure */
    char **step;              /**< its steps in words; in the arena */
} hf_check_result;

/** Explore breadth first. SAFE: no reachable state has a message acted on twice, or given up by the sender although it was never
 *  acted on and no copy is in flight; and from each state all messages can still be delivered. UNKNOWN: more than state_limit.
 *  The result is in the arena of `cx`. \return HF_ERANGE for bounds, HF_ENOMEM, HF_ESTOP. */
hf_status hf_protocol_check(hf_context *cx, const hf_check *check, hf_check_result *out);

#ifdef __cplusplus
}
#endif
#endif
