/** \file
 *  Messages in the kernel: their queues at the terminals, those of later cycles, and what their end sets off. A
 *  player is the kernel's client; what it plays is up to its driver. */
#ifndef HOLDFAST_SRC_KERNEL_PLAYER_H
#define HOLDFAST_SRC_KERNEL_PLAYER_H

#include <holdfast/kernel.h>

#include "src/kernel/kernel.h"

/** A message on its way; numbered from 1, 0 is none. */
typedef struct hf_post {
    hf_message message;
    uint32_t user;              /**< the driver's number */
    uint32_t at;                /**< terminal that has it: the source, or one that passes it on */
    uint32_t leg;               /**< destination of the present leg */
    uint32_t unsent, open;      /**< of the leg: flits not yet cut into packets, flits not yet arrived */
    uint32_t next;              /**< in the queue of a terminal, or of the free ones */
    uint64_t entered;           /**< cycle at which its first header left the source; UINT64_MAX: not yet */
    bool is_lost, is_forwarded; /**< forwarded: a terminal has passed a packet of it on after its retries */
} hf_post;

typedef enum hf_post_end { HF_POST_STARTED, HF_POST_DELIVERED, HF_POST_LOST } hf_post_end;

typedef struct hf_post_time {
    uint64_t cycle, number; /**< number: order of those of one cycle */
    uint32_t post;
    uint32_t again; /**< flits to be sent again; 0: it is the cycle of the message */
} hf_post_time;

typedef struct hf_player {
    const hf_play *play;
    hf_kernel *k;
    hf_play_result *result;
    uint64_t latency_sum, network_latency_sum, cycle_limit;
    hf_post *post;
    uint32_t n_post, free_post, n_open; /**< n_open: in use */
    uint32_t *first, *last;             /**< by terminal: its queue; 0: empty */
    hf_post_time *time;                 /**< of later cycles, a heap */
    size_t n_time, time_capacity;
    uint64_t number;
    /** Its cycle has come; it is there; it is lost. May post more. */
    hf_status (*happens)(struct hf_player *player, void *driver, uint32_t user, hf_post_end end);
    void *driver;
    bool has_ended; /**< the driver wants no more */
    /* the series */
    uint64_t window_begin;
    hf_kernel_counts begun; /**< as they stood then */
    size_t window_capacity;
} hf_player;

/* ---- player.c ---- */
/** Make a kernel with a player; `play` is borrowed. Both live in the arena; so does all that grows. */
hf_status hf_player_new(hf_context *cx, const hf_play *play, hf_play_result *result, hf_player **out);
/** A message for its cycle, this one or a later one. To the own terminal it is delivered when its cycle has come. */
hf_status hf_player_post(hf_player *p, const hf_message *message, uint32_t user);
/** Run until nothing is left, the driver wants no more, or the limit. Then the result is complete. */
hf_status hf_player_run(hf_player *p);

#endif
