/** \file
 *  Inside of the simulation: events, blocks, and the two ways to carry messages. The network is the kernel's, of which a run is a
 *  client. */
#ifndef HOLDFAST_SRC_PROTOCOL_RUN_H
#define HOLDFAST_SRC_PROTOCOL_RUN_H

#include <holdfast/core/random.h>

#include "src/kernel/agenda.h"
#include "src/kernel/kernel.h"
#include "src/protocol/network.h"

/** In the order in which they happen within a cycle. */
typedef enum hf_run_event_kind { HF_RUN_SEND, HF_RUN_ARRIVE, HF_RUN_WAKE } hf_run_event_kind;

typedef struct hf_run_event {
    uint32_t kind;
    uint32_t index; /**< message, packet or node */
} hf_run_event;

/** A packet that waits at its interface, or is in the kernel. */
typedef struct hf_run_packet {
    hf_protocol_packet packet;
    uint32_t distance; /**< of its way, as the protocol counts */
    uint32_t next;     /**< in a queue, or of the free ones */
} hf_run_packet;

typedef struct hf_run_queue {
    uint32_t first, last; /**< HF_NONE: empty */
} hf_run_queue;

typedef struct hf_run_node {
    hf_endpoint end;
    hf_run_queue pending; /**< messages that the send table has no room for; on the perfect network: all that wait */
    hf_run_queue conf;    /**< packets */
    uint64_t wake;        /**< when it looks next, UINT64_MAX: never */
} hf_run_node;

/** What has become of a message. */
typedef enum hf_run_fate { HF_RUN_OPEN, HF_RUN_FORGOTTEN, HF_RUN_DELIVERED } hf_run_fate;

typedef struct hf_run_interface hf_run_interface;

/** The last part of a program's critical path, up to a block. */
typedef struct hf_run_path {
    uint64_t hops, messages;
} hf_run_path;

typedef struct hf_run {
    hf_context *cx;
    const hf_messaging *messaging;
    const hf_program *program;
    hf_messaging_result *result;
    const hf_network *net;
    const hf_run_interface *interface;
    hf_kernel *kernel;
    hf_protocol protocol; /**< replies in flits of this network */
    hf_random random;
    uint64_t now;
    uint32_t *missing;      /**< by block: signals still to come */
    uint32_t *source;       /**< by message: its node */
    uint32_t *block_of;     /**< by message: the block that sends it */
    uint64_t *carried;      /**< bits of messages: replies that go in the ACK of their request */
    hf_run_path *path;      /**< by block: of the messages up to its activation */
    uint32_t *next_message; /**< by message: in `pending` */
    uint64_t n_open;        /**< messages that have begun and were not acted on */
    uint8_t *fate;          /**< by message: hf_run_fate */
    hf_run_node *node;
    hf_send_entry *sent; /**< the tables of all nodes, on the heap and not cleared; NULL: the interface has none */
    hf_receive_entry *received;
    hf_agenda agenda;      /**< events of later cycles */
    hf_run_event *present; /**< those of this one but for nodes that wake, a heap */
    uint64_t *waking;      /**< bits of nodes that wake in this cycle */
    size_t n_present, present_room;
    hf_run_packet *packet;
    uint32_t n_packet, free_packet;
    size_t packet_room;
} hf_run;

/* steps.c */
/** Of this cycle, or of a later one. */
hf_status hf_run_push(hf_run *r, uint64_t time, hf_run_event_kind kind, uint32_t index);
/** The first event of this cycle but for nodes that wake; there is one. */
hf_run_event hf_run_take(hf_run *r);
/** A block begins: it sends its messages. */
hf_status hf_run_activate(hf_run *r, uint32_t block);
/** See to it that a node looks at `time` or before. */
hf_status hf_run_wake(hf_run *r, uint32_t node, uint64_t time);
/** Does the interface of a node still send a packet? */
bool hf_run_is_busy(const hf_run *r, uint32_t node);
hf_status hf_run_packet_new(hf_run *r, const hf_protocol_packet *packet, uint32_t distance, uint32_t *out);
void hf_run_packet_drop(hf_run *r, uint32_t packet);
/** Give a packet to the kernel, at a node that is not busy. */
hf_status hf_run_inject(hf_run *r, uint32_t packet);
/** The reply to a message that goes in its ACK; HF_NONE: none does. */
uint32_t hf_run_reply(const hf_run *r, uint32_t message);
/** Flits of this network for so many of 32 bits. */
uint32_t hf_run_size(const hf_run *r, uint32_t size);
/** A message of the trace is delivered: its target is signalled. */
hf_status hf_run_deliver(hf_run *r, uint32_t message);
/** The sender has forgotten a message: it should be delivered. */
void hf_run_forget(hf_run *r, uint32_t message);

/** An interface: how messages become packets. */
struct hf_run_interface {
    hf_status (*send)(hf_run *r, uint32_t message);  /**< a message is to be sent */
    hf_status (*arrive)(hf_run *r, uint32_t packet); /**< a packet came in whole */
    hf_status (*serve)(hf_run *r, uint32_t node);    /**< a node looks what it can send */
};
/** That of the protocol, and one that sends each message once, without its checksum. interface.c */
extern const hf_run_interface hf_run_idempotent, hf_run_plain;

#endif
