/** \file
 *  Inside of the simulation: events, blocks, and the two ways to carry messages. */
#ifndef HOLDFAST_SRC_PROTOCOL_RUN_H
#define HOLDFAST_SRC_PROTOCOL_RUN_H

#include <holdfast/core/random.h>

#include "src/kernel/agenda.h"
#include "src/protocol/network.h"

/** In the order in which they happen within a cycle. */
typedef enum hf_run_event_kind { HF_RUN_SEND, HF_RUN_ARRIVE, HF_RUN_WAKE } hf_run_event_kind;

typedef struct hf_run_event {
    uint32_t kind;
    uint32_t index; /**< message, packet or node */
} hf_run_event;

/** A packet that waits for injection or whose head is on its way. */
typedef struct hf_run_packet {
    hf_protocol_packet packet;
    hf_place place;
    uint32_t next;   /**< in a queue, or of the free ones */
    uint32_t n_held; /**< channels taken so far; the last ones stand in `held` */
    uint32_t held[HF_MESSAGE_SIZE_MAX];
    uint64_t until[HF_MESSAGE_SIZE_MAX];
    uint64_t entered;
} hf_run_packet;

typedef struct hf_run_queue {
    uint32_t first, last; /**< HF_NONE: empty */
} hf_run_queue;

typedef struct hf_run_node {
    hf_endpoint end;
    hf_run_queue pending; /**< messages that the send table has no room for; buffered: all that wait */
    hf_run_queue conf;    /**< packets */
    uint64_t wake;        /**< when it looks next, UINT64_MAX: never */
} hf_run_node;

/** What has become of a message. */
typedef enum hf_run_fate { HF_RUN_OPEN, HF_RUN_FORGOTTEN, HF_RUN_DELIVERED } hf_run_fate;

typedef struct hf_run {
    hf_context *cx;
    const hf_messaging *messaging;
    const hf_program *program;
    hf_messaging_result *result;
    hf_network net;
    hf_protocol protocol; /**< replies in flits of this network */
    uint8_t *is_failed;   /**< by channel */
    uint16_t *distance;   /**< of `net` */
    hf_random random;
    uint64_t now;
    uint32_t *missing;      /**< by block: signals still to come */
    uint32_t *source;       /**< by message: its node */
    uint32_t *next_message; /**< by message: in `pending` */
    uint64_t n_open;        /**< messages that have begun and were not acted on */
    uint8_t *fate;          /**< by message: hf_run_fate */
    uint64_t *free_at;      /**< by channel */
    hf_run_node *node;
    hf_send_entry *sent;
    hf_receive_entry *received;
    hf_agenda agenda;      /**< events of later cycles */
    hf_run_event *present; /**< those of this one, a heap */
    size_t n_present, present_capacity;
    hf_run_packet *packet;
    uint32_t n_packet, free_packet;
    size_t packet_capacity;
    uint32_t *active; /**< packets with their head on its way, oldest first */
    size_t n_active, active_capacity;
} hf_run;

/* run_events.c */
hf_status hf_run_push(hf_run *r, uint64_t time, hf_run_event_kind kind, uint32_t index);
/** Events that are left. */
size_t hf_run_n_event(const hf_run *r);
/** Go to the next cycle in which something happens, or to the next one if `is_step`. At least one event is left, or `is_step`. */
hf_status hf_run_advance(hf_run *r, bool is_step);
/** The next event of this cycle. \return false: none is left. */
bool hf_run_pop(hf_run *r, hf_run_event *out);
/** See to it that a node looks at `time` or before. */
hf_status hf_run_wake(hf_run *r, uint32_t node, uint64_t time);
hf_status hf_run_packet_new(hf_run *r, const hf_protocol_packet *packet, uint32_t *out);
void hf_run_packet_drop(hf_run *r, uint32_t packet);
hf_status hf_run_activate(hf_run *r, uint32_t packet);
/** A head goes on. `stays`: it is still on its way. */
typedef hf_status hf_run_step(hf_run *r, uint32_t packet, bool *stays);
/** Every head that entered before this cycle, oldest first. */
hf_status hf_run_move(hf_run *r, hf_run_step *advance);

/* run.c */
/** Flits of this network for so many of 32 bits. */
uint32_t hf_run_size(const hf_run *r, uint32_t size);
/** A message of the trace is delivered: its target is signalled. */
hf_status hf_run_deliver(hf_run *r, uint32_t message);
/** The sender has forgotten a message: it should be delivered. */
void hf_run_forget(hf_run *r, uint32_t message);

/* lossy.c, buffered.c: a message is to be sent; a packet came in whole; a node looks what it can send; heads move by one channel
 */
hf_status hf_lossy_send(hf_run *r, uint32_t message);
hf_status hf_lossy_arrive(hf_run *r, uint32_t packet);
hf_status hf_lossy_serve(hf_run *r, uint32_t node);
hf_status hf_lossy_move(hf_run *r);
hf_status hf_buffered_send(hf_run *r, uint32_t message);
hf_status hf_buffered_arrive(hf_run *r, uint32_t packet);
hf_status hf_buffered_serve(hf_run *r, uint32_t node);
hf_status hf_buffered_move(hf_run *r);

#endif
