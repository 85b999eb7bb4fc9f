/** \file
 *  State of the explicit check: one sender, one receiver, two channels, as bytes that compare whole.
 *  Lines of tables stand in the order of their ids, as their places mean nothing; what is unused is zero. */
#ifndef HOLDFAST_SRC_PROTOCOL_WORLD_H
#define HOLDFAST_SRC_PROTOCOL_WORLD_H

#include <holdfast/core/text.h>
#include <holdfast/protocol.h>

/** flight.wait of a packet that nothing has overtaken. */
enum { HF_WAIT_ANY = 255 };
/** Channels. */
enum { HF_TO_RECEIVER, HF_TO_SENDER };

typedef struct hf_flight {
    uint8_t kind, id, secondary, message;
    uint8_t wait; /**< cycles that are left for it to arrive */
} hf_flight;

typedef struct hf_sent_line {
    uint8_t id, message;
} hf_sent_line;

/** hf_received_line.forget beside cycles: not confirmed; not confirmed, and its ACK is not sent again; never forgotten. */
enum { HF_FORGET_OPEN = 0, HF_FORGET_ANSWERED = 254, HF_FORGET_NEVER = 255 };
_Static_assert(HF_CHECK_SLIP_MAX + 1 < HF_FORGET_ANSWERED, "cycles of retention are no other mark");

typedef struct hf_received_line {
    uint8_t id, secondary, forget; /**< forget: cycles until it is forgotten, or HF_FORGET_ */
} hf_received_line;

typedef struct hf_world {
    _Alignas(uint64_t) uint8_t n_new;
    uint8_t next_id, n_sent, n_received, n_flight[2];
    uint8_t acted[HF_CHECK_MAX];
    hf_sent_line sent[HF_CHECK_MAX];
    hf_received_line received[HF_CHECK_MAX];
    hf_flight flight[2][HF_CHECK_MAX]; /**< in the order of sending */
    uint8_t unused[2];                 /**< no padding: worlds are compared by bytes */
} hf_world;
_Static_assert(sizeof(hf_world) == 8 + 16 * HF_CHECK_MAX, "worlds are compared by bytes");

typedef enum hf_move_kind {
    HF_MOVE_NEW,         /**< the next message enters the send table, and its first MSG the channel */
    HF_MOVE_MESSAGE,     /**< a MSG again */
    HF_MOVE_ACKNOWLEDGE, /**< an ACK, first or again */
    HF_MOVE_ARRIVE,
    HF_MOVE_LOSE,
    HF_MOVE_DOUBLE,
    HF_MOVE_TIME /**< a cycle passes */
} hf_move_kind;

typedef struct hf_move {
    uint8_t kind, index, channel;
    uint8_t is_lost; /**< NEW, ACKNOWLEDGE, ARRIVE of an ACK: the network loses at once what is sent */
    uint8_t is_kept; /**< ARRIVE: of a copy; another one stays under way */
} hf_move;

enum { HF_MOVE_MOST = 3 + 2 * HF_CHECK_MAX + 8 * HF_CHECK_MAX };
/** All moves that `w` allows. \return their number, at most HF_MOVE_MOST. */
uint32_t hf_world_moves(const hf_check *check, const hf_world *w, hf_move *move);
/** The same where what the network loses is lost as it is sent, and what it doubles is doubled as it arrives: with
 *  HF_REDUCE_ORDER. The first *n_ample of them are enough to look at, unless they lead to worlds only that have been looked at
 *  before; *n_ample is the number of all if there is no such set. */
uint32_t hf_world_ordered_moves(const hf_check *check, const hf_world *w, hf_move *move, uint32_t *n_ample);
/** The one of all equal worlds that stands for them: messages are numbered by what becomes of them, ids count from the next
 * one. */
void hf_world_make_canonical(const hf_check *check, hf_world *w);
/** The world after a move. */
hf_world hf_world_after(const hf_check *check, const hf_world *w, hf_move move);
/** DUPLICATE, LOST (with the message) or SAFE, as for this world alone. */
hf_check_answer hf_world_judge(const hf_check *check, const hf_world *w, uint32_t *message);
/** Messages that were acted on, a bit each. */
unsigned hf_world_acted(const hf_check *check, const hf_world *w);
/** Say what a move does. */
void hf_world_print_move(const hf_check *check, const hf_world *w, hf_move move, hf_text *text);

#endif
