/** \file
 *  Work with an end for the kernel: traces of messages and tasks with barriers; programs, whose messages wait for others, are in
 *  protocol.h. A message is cut into packets of at most the packet length, all generated in its cycle; it is delivered with the
 * last tail.
 *
 *  Where a plan does not let a message between two live terminals in, it goes by way of other live terminals, by as few as
 *  possible: the multi-hop protocol of [chong1992, 6]. Time in cycles, lengths in flits. */
#ifndef HOLDFAST_WORKLOAD_H
#define HOLDFAST_WORKLOAD_H

#include <holdfast/kernel.h>
#include <holdfast/text.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- traces ---- */

/** A message: from its cycle on the source has it to send. */
typedef struct hf_message {
    uint64_t cycle;
    uint32_t source, destination, flits;
} hf_message;

/** Messages by ascending cycle. */
typedef struct hf_messages {
    hf_message *item;
    size_t n, capacity;
    hf_allocator allocator;
} hf_messages;
void hf_messages_free(hf_messages *messages);

/** Read a trace held in memory (docs/kernel.md, "Traces"). \param[in] file for messages
 *  \return HF_EINVAL naming line and column. Free with hf_messages_free() after success. */
hf_status hf_messages_parse(hf_context *cx, const char *file, const char *data, size_t size, uint32_t n_terminal,
                            hf_messages *out);
/** Read a trace from a file of up to 4 GiB. \return also HF_ENOENT, HF_EIO, HF_ERANGE of hf_text_load() */
hf_status hf_messages_load(hf_context *cx, const char *path, uint32_t n_terminal, hf_messages *out);
/** Write a trace in the same format. */
hf_status hf_messages_print(hf_context *cx, const hf_messages *messages, hf_text *out);

/** What hf_kernel_offer() generates in the first `cycles` cycles, as a trace: the same cycles and destinations, a packet each.
 *  With `message_flits` messages of that length come in place of packets, cut into packets that are messages of their own. What
 *  is generated depends on the live terminals, not on the network between them. */
typedef struct hf_generation {
    const hf_plan *plan; /**< whose live terminals send */
    const hf_traffic *traffic;
    double load; /**< flits per cycle and terminal */
    hf_burst burst;
    uint32_t packet_length;
    uint32_t message_flits; /**< of what comes at once to one destination; 0: a packet */
    uint64_t seed, cycles;
} hf_generation;
/** \return HF_EINVAL for load or bursts out of range; HF_ESTOP. Free with hf_messages_free() after success. */
hf_status hf_messages_generate(hf_context *cx, const hf_generation *generation, hf_messages *out);

/* ---- playing ---- */

/** Where a workload is played, and for how long at the most. */
typedef struct hf_play {
    const hf_plan *plan;
    hf_kernel_options kernel;
    uint64_t cycle_limit; /**< stop there; 0: never */
} hf_play;

/** What came of it. */
typedef struct hf_play_result {
    bool is_complete; /**< all is delivered or lost */
    uint64_t cycles;  /**< until the last message was there or the last work was done; not complete: until the run ended */
    uint64_t messages, delivered, lost; /**< messages: whose cycle has come, without those to the own terminal; lost: no way */
    uint64_t relayed;                   /**< messages that other terminals passed on */
    uint64_t flits, packets, flit_hops; /**< flits: of delivered messages; packets: delivered, on every leg */
    /** Means over delivered messages, from their cycle and from the first header's leaving the source, to the last tail's
     *  arrival. NaN: none. */
    double latency, network_latency;
    uint64_t latency_max, network_latency_max;
    uint64_t histogram[65]; /**< messages by latency, as in hf_kernel_counts */
    uint32_t n_blocked;     /**< 0: no deadlock; else the run ended with it */
    hf_blocked *blocked;    /**< in the arena */
} hf_play_result;

/** Play a trace until all is delivered. Idle cycles cost nothing.
 *  \return as hf_kernel_new(); HF_EINVAL if a terminal does not exist; HF_ESTOP */
hf_status hf_play_messages(hf_context *cx, const hf_play *play, const hf_messages *messages, hf_play_result *out);

/** The task of [chong1992, 5]: every live terminal sends its messages to destinations of a pattern, then waits at the barrier
 *  until all messages of all are there. While fewer than `outstanding` of its messages are under way, a terminal is active and
 *  has a new one with probability 1 / interval in each cycle. */
typedef struct hf_barrier {
    uint32_t messages;    /**< of a terminal */
    uint32_t flits;       /**< of a message */
    uint32_t interval;    /**< mean active cycles to the next message, >= 1 */
    uint32_t outstanding; /**< messages under way at most, >= 1 */
    uint32_t tasks;       /**< one after the other, a barrier between */
    bool redistribute;    /**< live terminals do the messages of those that are not, as evenly as possible */
} hf_barrier;
/** 400 messages of 24 flits, interval 25, 4 outstanding, 10 tasks, redistributed: a flit is a byte. Source: [chong1992, 5]. */
hf_barrier hf_barrier_usual(void);
/** Read "messages=400,flits=24,interval=25,outstanding=4,tasks=10,redistribute=yes"; what is not said is usual.
 *  \param[out] canonical "barrier:messages=400,...", all fields; heap, free with hf_release()
 *  \return HF_EINVAL, HF_ERANGE naming value and range */
hf_status hf_barrier_parse(hf_context *cx, const char *text, hf_barrier *out, char **canonical);
/** \param[out] task_cycles of each task, barrier->tasks entries; NaN where it was not finished. \param[out] task their mean
 *  \return HF_EINVAL for a field out of range; as hf_play_messages() */
hf_status hf_play_barrier(hf_context *cx, const hf_play *play, const hf_traffic *traffic, const hf_barrier *barrier,
                          uint64_t seed, hf_play_result *out, double *task_cycles, hf_batch_mean *task);

#ifdef __cplusplus
}
#endif
#endif
