/** \file
 *  Bodies of packets that move as trains, and headers that sleep: what networks have whose channels have one virtual channel
 * each, and whose packets find room for all of them. */
#ifndef HOLDFAST_SRC_KERNEL_TRAINS_H
#define HOLDFAST_SRC_KERNEL_TRAINS_H

#include "src/kernel/kernel.h"

/** The trains at a lane, by the cycle from which on they are over: up to then one flit, or one credit, moves in each cycle. What
 *  the lane and its queue count has moved from the start. */
struct hf_trains {
    uint64_t in, out;          /**< into its buffer; out of it */
    uint64_t queue, credit;    /**< out of the output queue before it; credits for it */
    uint32_t packet;           /**< of the train into its buffer */
    uint32_t left, queue_left; /**< flits of the packet whose head has left the buffer, the queue, that have not */
};

/** Cycles of a train that are still to come at the beginning of a cycle. */
static inline uint32_t hf_train_rest(uint64_t over, uint64_t cycle) { return over > cycle ? (uint32_t)(over - cycle) : 0; }

/** Places of the buffer of q that are free as far as is known where it is given away, in this cycle and before flits are sent. */
static inline uint32_t hf_kernel_credits(const hf_kernel *k, uint32_t q) {
    uint32_t n = k->credit[q];
    if (k->trains && !k->output[q].is_exit) {
        const uint64_t now = k->counts.cycle;
        const bool has_queue = hf_kernel_has_queue(k, q);
        const uint64_t sent = has_queue ? k->trains[q].queue : k->owner[q] < HF_LANE_CONTROL ? k->trains[k->owner[q]].out : 0;
        n += hf_train_rest(sent, now) - hf_train_rest(k->trains[q].credit, now + 1);
    }
    return n;
}

/** Flits in the queue of q, in this cycle and before flits are sent. */
static inline uint32_t hf_kernel_queue_count(const hf_kernel *k, uint32_t q) {
    uint32_t n = k->queue[q].count;
    if (k->trains) {
        const uint64_t now = k->counts.cycle, comes = k->owner[q] < HF_LANE_CONTROL ? k->trains[k->owner[q]].out : 0;
        n += hf_train_rest(k->trains[q].queue, now) - hf_train_rest(comes, now);
    }
    return n;
}

/** The flit in front of a lane that is not empty. Of the flits in buffers only heads are written down: of the packet whose head
 * has left the lane knows how many there still are. */
static inline uint32_t hf_train_front(const hf_kernel *k, uint32_t lane) {
    const uint32_t left = k->trains[lane].left;
    return left > 0 ? k->lane[lane].packet << HF_FLIT_SHIFT | (left == 1 ? HF_FLIT_TAIL : 0u) : hf_lane_flit(k, lane);
}

/** A flit has left that is alone: how many of its packet are left? */
static inline void hf_train_note(const hf_kernel *k, uint32_t flit, uint32_t *left) {
    *left = (flit & HF_FLIT_HEAD ? k->packet[flit >> HF_FLIT_SHIFT].length : *left) - 1;
}

/** Is a train on its way out of the queue of q, or is there no credit? Its channel is told when that is over. */
static inline bool hf_kernel_queue_sleeps(const hf_kernel *k, uint32_t q) {
    return k->trains[q].queue > k->counts.cycle || (k->train_end && k->credit[q] == 0 && !k->output[q].is_exit);
}

/* ---- trains.c ---- */
/** For networks whose channels have one virtual channel, and packets that find room for all of them; else nothing. */
hf_status hf_kernel_trains_new(hf_kernel *k);
/** So many cycles are to come: may there be trains in them? */
void hf_kernel_trains_begin(hf_kernel *k, uint64_t cycles);
/** Those cycles are over: what is left of trains goes flit by flit. */
void hf_kernel_trains_end(hf_kernel *k);
/** The i-th flit of a lane inside that has it, between runs. */
uint32_t hf_kernel_flit_in(const hf_kernel *k, uint32_t lane, uint32_t i);
/** Write down what is in the buffers, and have no trains any more, as faults are to come. */
void hf_kernel_trains_give_up(hf_kernel *k);
/** Trains of flits and credits that come in. */
void hf_kernel_trains_come_in(hf_kernel *k, hf_slot *s);
/** n credits for q have come, or do so in as many cycles from this one on; k->credit has them. */
void hf_kernel_credits_came(hf_kernel *k, uint32_t q, uint32_t n);
/** A lane that may send a flit of its port sends a train. \return false: it cannot */
bool hf_kernel_train_from_lane(hf_kernel *k, uint32_t lane);
/** The queue of q, whose front flit may leave, sends a train. \return false: it cannot */
bool hf_kernel_train_from_queue(hf_kernel *k, uint32_t q);

/* ---- asleep.c: where there are trains ---- */
/** Note that a lane, as 2 * lane, or the queue before it, as 2 * lane + 1, wakes at a cycle; earlier, if that is far. */
void hf_kernel_alarm(hf_kernel *k, uint32_t who, uint64_t cycle);
/** The header in front of a lane does not ask before a cycle. */
void hf_kernel_sleep_until(hf_kernel *k, uint32_t lane, uint64_t cycle);
/** Nor before its only hop may be free, which is not now. */
void hf_kernel_sleep(hf_kernel *k, uint32_t lane);
/** Nobody has q any more. */
void hf_kernel_wake(hf_kernel *k, uint32_t q);
/** Before flits are sent in cycle `from` there is one place more than `room` for what is given q, then one more in each cycle, n
 * in all. */
void hf_kernel_more_room(hf_kernel *k, uint32_t q, uint32_t room, uint64_t from, uint32_t n);
/** Who wakes in this cycle. */
void hf_kernel_ring(hf_kernel *k);
/** Nobody sleeps. */
void hf_kernel_wake_all(hf_kernel *k);

#endif
