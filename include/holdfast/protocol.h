/** \file
 *  Idempotent messaging [brown2002]: a MSG until an ACK comes, an ACK until a CONF comes, every ACK answered by a CONF.
 *  An endpoint is a pure state machine: a transition is a function of (state, event) to (state, what comes out). The same
 *  function runs in the simulation of networks and in the explicit-state check. */
#ifndef HOLDFAST_PROTOCOL_H
#define HOLDFAST_PROTOCOL_H

#include <holdfast/core/backoff.h>
#include <holdfast/core/text.h>
#include <holdfast/kernel.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A message, the receiver's acknowledgement, the sender's confirmation that it has forgotten [brown2002, 2.1]. */
typedef enum hf_protocol_kind { HF_PROTOCOL_MSG, HF_PROTOCOL_ACK, HF_PROTOCOL_CONF } hf_protocol_kind;
/** "MSG", "ACK", "CONF". */
const char *hf_protocol_kind_name(hf_protocol_kind kind);

/** Kinds of packets as flags: 1U << HF_PROTOCOL_MSG and so on, in words. */
enum { HF_ONCE_MSG = 1U << HF_PROTOCOL_MSG, HF_ONCE_ACK = 1U << HF_PROTOCOL_ACK, HF_ONCE_CONF = 1U << HF_PROTOCOL_CONF };
/** A retention that never ends. */
#define HF_RETENTION_FOREVER UINT64_MAX

/** Lines of a table of backoffs at most. */
enum { HF_BACKOFF_TABLE_MAX = 32 };

/** How an endpoint behaves. */
typedef struct hf_protocol {
    uint32_t send_capacity, receive_capacity; /**< entries of the tables, >= 1 */
    hf_backoff backoff;
    uint32_t backoff_constant; /**< C, cycles */
    /** With HF_BACKOFF_TABLE: cycles after attempt 1, 2 and so on; the last of the `n_backoff_table` >= 1 serves all later
     * ones. */
    uint32_t backoff_table[HF_BACKOFF_TABLE_MAX], n_backoff_table;
    uint32_t reply_size; /**< flits of an ACK or a CONF */
    uint64_t retention;  /**< cycles for which a message is remembered after its CONF; the cycle of the CONF counts as none */
    unsigned once;       /**< HF_ONCE_ flags of packets that are not sent again, against [brown2002, 2.1]; of CONF: only the ACK
                            that makes the sender forget its message is answered */
    uint64_t n_id;       /**< message ids before they start anew; 0: never. Active ones are skipped */
    bool has_secondary;  /**< a CONF names the place in the receive table instead of source and id [brown2002, 2.2] */
} hf_protocol;
/** The published choice: tables of 16 and 32, C n^2 with C = 3, replies of 4 flits, ids never reused, no retention. */
hf_protocol hf_protocol_default(void);

/** What one node sends to another. */
typedef struct hf_protocol_packet {
    hf_protocol_kind kind;
    uint32_t source, destination;
    uint32_t size;      /**< flits */
    uint32_t carried;   /**< of a MSG: flits that its ACK carries beside its own, the reply to the message; else 0 */
    uint32_t message;   /**< of a MSG: the payload's handle */
    uint32_t secondary; /**< of an ACK and a CONF with secondary ids; else 0 */
    uint64_t id;
} hf_protocol_packet;

/** Line of the send table: a message until its ACK. */
typedef struct hf_send_entry {
    uint64_t id, due; /**< due: cycle of the next attempt, UINT64_MAX: there is none */
    uint32_t message, destination, size, carried, distance, attempt;
} hf_send_entry;

/** Line of the receive table: a message until its CONF, and `retention` cycles longer. */
typedef struct hf_receive_entry {
    uint64_t id, due, forget; /**< due: as above; forget: first cycle at which it is forgotten, once confirmed */
    uint32_t source, secondary, carried, distance, attempt;
    bool is_confirmed;
} hf_receive_entry;

/** State of a node, sender and receiver. The caller lends the tables, as long as the protocol's capacities. */
typedef struct hf_endpoint {
    uint32_t node, n_sent, n_received;
    uint32_t congestion; /**< with HF_BACKOFF_CONGESTION: one more for each packet sent again, half as much for each answer */
    uint64_t next_id;
    hf_send_entry *sent;
    hf_receive_entry *received;
} hf_endpoint;

/** What can happen to an endpoint. */
typedef enum hf_protocol_event_kind {
    HF_EVENT_SUBMIT,      /**< the processor has a message: packet.message, destination, size, and distance */
    HF_EVENT_TRANSMIT,    /**< send the MSG of line `index` of the send table */
    HF_EVENT_ACKNOWLEDGE, /**< send the ACK of line `index` of the receive table, not yet confirmed */
    HF_EVENT_ARRIVE,      /**< `packet` came in, over `distance` hops */
    HF_EVENT_TIME         /**< it is `now`: forget what has been retained for long enough */
} hf_protocol_event_kind;

/** One of them, with what it needs; the rest is not looked at. */
typedef struct hf_protocol_event {
    hf_protocol_event_kind kind;
    uint32_t index, distance;
    uint32_t jitter; /**< TRANSMIT, ACKNOWLEDGE: cycles to wait on top of the backoff */
    uint64_t now;
    hf_protocol_packet packet;
} hf_protocol_event;

/** What an endpoint does about an event. */
typedef struct hf_protocol_output {
    bool has_packet;  /**< `packet` is to be sent */
    bool is_accepted; /**< SUBMIT: the send table had room; ARRIVE of a MSG: it is in the receive table now; of an ACK: its
                         message was in the send table */
    bool has_action;  /**< act on packet `message` of `source`: delivered for the first time, as far as the receiver can tell */
    uint32_t message, source; /**< of the action; ARRIVE of an ACK: `message` is forgotten, if `is_accepted` */
    hf_protocol_packet packet;
} hf_protocol_output;

/** One transition. Time O(entries). An ARRIVE must be for this node; `index` must be a line in use. */
hf_protocol_output hf_protocol_step(const hf_protocol *protocol, hf_endpoint *state, const hf_protocol_event *event);

/* ---- explicit-state check ---- */

/** The largest bound that the check takes, and the longest slip and retention in cycles. */
enum { HF_CHECK_MAX = 4, HF_CHECK_SLIP_MAX = 100 };

/** What need not be looked at twice, as flags. The verdict is the same with any of them.
 *  SYMMETRY: worlds that differ in the numbers of messages only. ORDER: losses are decided as a packet is sent, copies as
 *  it arrives, and where sender and receiver cannot disturb each other only one of them moves (ample sets, for channels that keep
 *  the order). */
enum { HF_REDUCE_SYMMETRY = 1U << 0, HF_REDUCE_ORDER = 1U << 1, HF_REDUCE_ALL = 3 };

/** One sender, one receiver, two channels. Bounds 1 to HF_CHECK_MAX each. */
typedef struct hf_check {
    hf_protocol protocol;         /**< capacities up to HF_CHECK_MAX; retention up to HF_CHECK_SLIP_MAX, or for ever; backoff
                                     plays no role */
    uint32_t n_message, capacity; /**< messages to send; packets in flight in a channel */
    bool has_loss;                /**< any packet in flight can be lost */
    bool has_duplication;         /**< any packet in flight can be doubled, where its channel has room */
    uint32_t slip; /**< T: a packet can be received up to T cycles after one that was sent later; 0: channels keep the order */
    uint64_t state_limit;
    unsigned reduction; /**< HF_REDUCE_ flags */
} hf_check;

/** Safe, the failure that was found first, or neither within the limit. */
typedef enum hf_check_answer {
    HF_CHECK_SAFE,
    HF_CHECK_DUPLICATE,
    HF_CHECK_LOST,
    HF_CHECK_STUCK,
    HF_CHECK_UNKNOWN
} hf_check_answer;
/** "safe", "acted on twice", "lost", "stuck", "unknown". */
const char *hf_check_answer_name(hf_check_answer answer);

/** The answer, and the way to a failure. */
typedef struct hf_check_result {
    hf_check_answer answer;
    uint32_t message;         /**< the one that is lost, stuck or acted on twice, from 0; HF_NONE: not known, see is_shortest */
    uint64_t n_state, n_move; /**< distinct states found; moves looked at */
    uint32_t n_step;          /**< of the way to the failure */
    char **step;              /**< its steps in words; in the arena */
    bool is_shortest;         /**< no shorter way leads to a failure; false only where state_limit kept from finding one */
} hf_check_result;

/** Explore breadth first. SAFE: no reachable state has a message acted on twice, or given up by the sender although it was never
 *  acted on and no copy is in flight; and from each state every message can still be acted on. STUCK: one cannot, and the way
 *  leads to the first state of which that is true; the two failures before go first. UNKNOWN: more than state_limit.
 *  A failure found with HF_REDUCE_ORDER is looked for again without, STUCK without any reduction, as that gives a shortest way
 *  and the message; counts are of both.
 *  The result is in the arena of `cx`. Time and space O(moves). \return HF_ERANGE for bounds, HF_ENOMEM, HF_ESTOP. */
hf_status hf_protocol_check(hf_context *cx, const hf_check *check, hf_check_result *out);

/* ---- programs: block-structured traces [brown2002, 3.2 to 3.4] ---- */

/** A message of a block, sent `offset` cycles after the block is activated. To the own node it needs no network. */
typedef struct hf_program_message {
    uint32_t destination, size; /**< size: flits, the checksum's included */
    uint32_t offset, next;      /**< next: of the same block, HF_NONE at the end */
    uint32_t target;            /**< block that its arrival signals, or HF_NONE */
} hf_program_message;

/** A part of a thread that waits for nothing. Activated when all messages that target it have arrived. */
typedef struct hf_program_block {
    uint32_t node, time; /**< time: cycles of work so far, the offset of the next message */
    uint32_t first, last;
    uint32_t n_signal; /**< messages that target it; 0: active from the start */
} hf_program_block;

/** A store that has not been waited for. */
typedef struct hf_program_pending {
    uint32_t reply; /**< message */
    const int64_t *word;
} hf_program_pending;

/** A program run as a single thread that writes down its blocks. The program runs in the functions below; a failed allocation is
 *  remembered in `status`, and what follows has no effect; so is a use that is not right (a node or a block that is not there, a
 *  message of 0 flits or more than HF_MESSAGE_SIZE_MAX, two Joins or two Syncs of a register, a block of more than 2^32 - 1
 *  cycles: HF_EINVAL, HF_ERANGE, told in the context). */
typedef struct hf_program {
    hf_context *cx;
    hf_status status;
    bool is_finished;             /**< by hf_program_finish() */
    uint32_t n_node, node, block; /**< node, block: of the thread that runs now */
    hf_program_block *blocks;
    hf_program_message *messages;
    hf_program_pending *stores; /**< not yet waited for; those of the running thread from first_store */
    uint32_t n_block, n_message, n_store, first_store;
    uint32_t block_capacity, message_capacity, store_capacity;
    uint32_t work_factor;              /**< hf_program_work() counts so many times; 1 unless set before the first block */
    uint32_t request_size, reply_size; /**< flits of a Load, Store, Fork or Join, and of a reply; may be set before the first */
} hf_program;

/** Usual flits of the library's messages. */
enum { HF_PROGRAM_REQUEST = 8, HF_PROGRAM_REPLY = 4 };

/** A thread, or the rest of one: it works, sends and waits by calls on the program. */
typedef void hf_thread(hf_program *program, void *user);

/** A register of a thread that another one writes. Zero it before its first use; it serves one Join and one Sync. */
typedef struct hf_join {
    bool is_written, is_awaited, is_synced;
    int64_t value;
    uint32_t place; /**< message that wrote it, or block that awaits it */
    hf_thread *then;
    void *user;
} hf_join;

/** A program on node 0 of `n_node` >= 1 nodes; on which networks it runs is hf_messaging_run()'s to say. Free with
 *  hf_program_free(), also after a failure. */
hf_status hf_program_init(hf_context *cx, uint32_t n_node, hf_program *out);
void hf_program_free(hf_program *program);
/** Let `cycles` of computation pass. */
void hf_program_work(hf_program *program, uint32_t cycles);
/** Send a message that signals `target` (HF_NONE: nobody); the block may come later, but before hf_program_finish(). `size`: 1 to
 *  HF_MESSAGE_SIZE_MAX flits, to the own node also 0. \return its index. */
uint32_t hf_program_send(hf_program *program, uint32_t destination, uint32_t size, uint32_t target);
/** A new block on a node. */
uint32_t hf_program_block_new(hf_program *program, uint32_t node);
/** Go on in `block` of the thread's node, once the present one is over and what else signals it has come. */
void hf_program_continue(hf_program *program, uint32_t block);
/** Load a word of `node`: request, reply, and the thread goes on with it. If this thread's own store to the word is not complete,
 *  the thread waits for its stores first [brown2002, 3.3]. */
int64_t hf_program_load(hf_program *program, uint32_t node, const int64_t *word);
/** Store a word to `node`; the thread goes on at once. */
void hf_program_store(hf_program *program, uint32_t node, int64_t *word, int64_t value);
/** Wait until all stores of this thread are complete. */
void hf_program_wait(hf_program *program);
/** Run `thread` on `node`, as a call. */
void hf_program_fork(hf_program *program, hf_thread *thread, uint32_t node, void *user);
/** Write a register of a thread on `node`. Runs what awaits it. */
void hf_program_join(hf_program *program, uint32_t node, hf_join *join, int64_t value);
/** Wait for the register, which is written already (by a child that ran to its end); HF_EINVAL in `status` if not. */
int64_t hf_program_sync(hf_program *program, hf_join *join);
/** The same for one that may be written later: `then` is the rest of the thread. Stores must have been waited for. */
void hf_program_sync_then(hf_program *program, hf_join *join, hf_thread *then, void *user);
/** Count the signals of each block. The program is complete, and can be run, or written to a file.
 *  \return `status`, the first thing that went wrong */
hf_status hf_program_finish(hf_program *program);

/** Write a finished program as text (docs/protocol.md, "Trace files"). */
hf_status hf_program_print(hf_context *cx, const hf_program *program, hf_text *out);
/** Read a finished trace held in memory. \param[in] file for messages. Free with hf_program_free().
 *  \return HF_EINVAL naming the line, HF_ENOMEM; then there is nothing to free */
hf_status hf_program_parse(hf_context *cx, const char *file, const char *data, size_t size, hf_program *out);
/** Read one from a file of up to 4 GiB. \return also HF_ENOENT, HF_EIO, HF_ERANGE of hf_text_load() */
hf_status hf_program_read_file(hf_context *cx, const char *path, hf_program *out);

/** Play a program in the kernel, without protocol: node i is terminal i. Messages to the own node take no time. A lost message
 * ends the run. \return HF_EINVAL if there are more nodes than terminals, or the program waits for a signal that nobody sends */
hf_status hf_play_program(hf_context *cx, const hf_play *play, const hf_program *program, hf_play_result *out);

/** The published programs. */
typedef enum hf_benchmark { HF_BENCHMARK_ADD, HF_BENCHMARK_REVERSE, HF_BENCHMARK_QUICKSORT, HF_BENCHMARK_NBODY } hf_benchmark;
/** "add", "reverse", "quicksort", "nbody". */
const char *hf_benchmark_name(hf_benchmark benchmark);
/** The one of that name, of `size` bytes. \return HF_ENOENT naming those that there are */
hf_status hf_benchmark_find(hf_context *cx, const char *name, size_t size, hf_benchmark *out);
/** Its published number of nodes: 4096, 1024, 1024, 256. */
uint32_t hf_benchmark_nodes(hf_benchmark benchmark);
/** A program to write down. */
typedef struct hf_benchmark_options {
    hf_benchmark benchmark;
    uint32_t n_node;                   /**< a power of 2 (nbody: of 4) from 4 to 2^16 */
    uint32_t request_size, reply_size; /**< flits, as in hf_program; 0: usual */
    uint32_t work_factor;              /**< computation takes so many times as long; 0: once. Load, Store, Fork and Join do not */
    uint32_t iterations;               /**< time steps of nbody; 0: 16 */
    uint64_t seed;                     /**< draws the permutation of quicksort */
} hf_benchmark_options;
/** Write it down. The program checks its own result. \return HF_EINVAL if that is wrong, HF_ERANGE for the number of nodes. */
hf_status hf_benchmark_program(hf_context *cx, const hf_benchmark_options *options, hf_program *out);

/* ---- applications ---- */

/** Programs of SPLASH-2 [woo1995] as traces that are generated from how they share data: which cache lines a node takes from
 *  which, and where all wait for all. FFT: three transpositions of a square, all to all. Radix: two passes over keys with digits
 *  of 1024 values, prefix sums over a tree, and a permutation, two nodes to a line. LU: blocks of 16 x 16, dealt out in two
 *  dimensions. An access is a command to the line's home, one more to its owner if that is another node, and the line. */
typedef enum hf_application_kind { HF_APPLICATION_FFT, HF_APPLICATION_RADIX, HF_APPLICATION_LU } hf_application_kind;
typedef struct hf_application {
    hf_application_kind kind;
    uint32_t size;          /**< points, a power of 4; keys, a power of 2; rows of the matrix, a multiple of 16 */
    uint32_t work;          /**< cycles of a butterfly, of a key, of 16 multiplications with addition */
    uint32_t memory;        /**< cycles that a home or an owner takes for its answer */
    uint32_t outstanding;   /**< accesses of a node that wait for their line at once, >= 1 */
    uint32_t command, line; /**< flits of a command, and of what brings a line of 64 bytes */
} hf_application;
/** Read "fft", "radix:size=524288,work=20", "lu:memory=40,outstanding=8,command=3,line=19"; what is not said is as in
 *  [puente2004, 6.2], or usual. \return HF_ENOENT for another name; HF_EINVAL, HF_ERANGE naming value and range */
hf_status hf_application_parse(hf_context *cx, const char *text, hf_application *out);
/** Write it down for a power of 2 of nodes from 4 to 4096, free with hf_program_free(). \param[in] seed draws the order of keys
 *  \return HF_ERANGE for the number of nodes, or a size that does not fit it */
hf_status hf_application_program(hf_context *cx, const hf_application *application, uint32_t n_node, uint64_t seed,
                                 hf_program *out);

/* ---- simulation ---- */

/** The networks of [brown2002, 4.2]: grids of two and three dimensions, and a tree that is wider further up. */
typedef enum hf_network_kind { HF_NETWORK_GRID_2D, HF_NETWORK_GRID_3D, HF_NETWORK_FAT_TREE } hf_network_kind;
/** "grid2d", "grid3d", "fat-tree". */
const char *hf_network_kind_name(hf_network_kind kind);

/** A network. Grids are meshes whose sides differ by a factor of 2 at most. The tree (xgft) has four children at each switch; a
 *  node's switch has `leaf_width` channels each way to the next, and a bundle is `growth` times as wide as those below it.
 *  Packets may be dropped on every shortest way (minimal); on a perfect grid they go in dimension order (dor). */
typedef struct hf_network_spec {
    hf_network_kind kind;
    uint32_t leaf_width, growth;
    const char *topology;        /**< any other one: the spec of its topology; NULL: `kind` */
    const char *routing;         /**< spec of the routing over it; NULL: minimal */
    const char *perfect_routing; /**< spec of the routing of the perfect network; NULL: as `routing`, or as above */
    uint32_t n_failed; /**< links between switches that have failed for good, drawn by the seed so that none of them cuts off a
                          node. The plan is made for them: grids route by the shortest ways that are left */
} hf_network_spec;

enum { HF_MESSAGE_SIZE_MAX = 32 /**< flits */ };

/** A network, the protocol over it, and what goes wrong there. */
typedef struct hf_messaging {
    hf_network_spec network;
    hf_protocol protocol;
    bool piggybacks;  /**< the reply to a load or store goes in the ACK of its request, which is as much longer as the reply is
                         without its  header and checksum [brown2002, 6] */
    bool is_buffered; /**< the perfect network of 4.5 instead: a packet of storage a channel, no checksum, no protocol */
    /** The hybrid of [brown2002, 6]: each channel has room for a packet, in which one that is blocked waits for so many cycles
     * before it is dropped; 0: it is dropped at once. Packets can then slip by as much at each hop, so with a protocol that
     * retains nothing messages are retained for as long as the longest way takes [brown2002, 2.3]; a rule whose ways may be
     * longer than shortest needs to be told. */
    uint32_t hold_cycles;
    double loss;     /**< probability that a packet that gets through is damaged, and thrown away */
    uint32_t jitter; /**< each wait is longer by 0 to so many cycles, at random; 0: as published, where nodes can collide in step
                        for ever */
    uint64_t seed;
    uint64_t cycle_limit;
    uint32_t flit_bits;     /**< of this network; sizes of a program are flits of 32 bits. 0: 32 [brown2002, table 2b: 40] */
    uint32_t clock_percent; /**< cycles of this network while processors do 100; 0: 100 [brown2002, table 2b: 160] */
} hf_messaging;
/** Nothing fails, nothing is damaged; the published protocol, a leaf of one channel and bundles that double; at most 10^7
 * cycles. */
hf_messaging hf_messaging_default(hf_network_kind kind);

/** What came of a program. */
typedef struct hf_messaging_result {
    bool is_complete;   /**< all messages were delivered before the limit */
    uint64_t cycles;    /**< of the processors, until the last block of the program was over */
    uint64_t n_message; /**< of the program that are sent over the network */
    /** The critical path: back from the last block or message to the message that activated its block, the last of those that it
     * waited for, and so on: channels between switches, as the shortest ways have them, and messages over the network. */
    uint64_t path_hops, path_messages;
    uint64_t n_packet[3]; /**< MSG, ACK, CONF that entered the network */
    uint64_t n_dropped;   /**< where channels were busy */
    uint64_t n_damaged;   /**< by `loss` */
    uint64_t n_refused;   /**< MSG that came to a full receive table */
    uint64_t n_duplicate; /**< messages acted on again: 0, if the protocol is right */
    uint64_t n_lost;      /**< messages that the sender forgot and nobody ever acted on: 0, if the protocol is right */
    uint64_t n_waiting;   /**< messages of the program that were not acted on; 0: complete */
} hf_messaging_result;

/** A network that is opened once for several runs. */
typedef struct hf_network hf_network;
/** Open it for programs on `n_node` nodes: node i is terminal i. \param[in] seed draws the links that have failed
 *  \param[out] out lives in the arena, close it with hf_network_close() before that is reset
 *  \return HF_ERANGE for a network that cannot have that many nodes or lose that many links; HF_EINVAL where it has too few
 *  terminals; as hf_topology_new(), hf_rule_init() and hf_plan_make() */
hf_status hf_network_open(hf_context *cx, const hf_network_spec *spec, uint32_t n_node, uint64_t seed, hf_network **out);
void hf_network_close(hf_network *network);
/** Borrowed. */
const hf_topology *hf_network_topology(const hf_network *network);

/** Run a program; the kernel moves its packets. Deterministic. Time O(packets x hops + blocked heads x cycles).
 *  \return as hf_network_open(); HF_EINVAL for a program that is not finished, or that waits for a signal that nobody sends,
 *  HF_ERANGE for a message of more than HF_MESSAGE_SIZE_MAX flits, HF_ENOTSUP for a perfect network with failed links, HF_ENOMEM,
 *  HF_ESTOP. */
hf_status hf_messaging_run(hf_context *cx, const hf_messaging *messaging, const hf_program *program, hf_messaging_result *out);
/** The same on an open network; messaging->network is not looked at, and on a perfect network nothing has failed. */
hf_status hf_messaging_run_on(hf_context *cx, const hf_messaging *messaging, const hf_network *network, const hf_program *program,
                              hf_messaging_result *out);

/** A backoff to try, and how far it is from the best. */
typedef struct hf_backoff_try {
    hf_backoff backoff;
    uint32_t constant;     /**< C, cycles */
    double worst, mean;    /**< time over the best time of any try, over programs and networks; infinite if one is not complete */
    uint32_t n_incomplete; /**< runs that did not end within the limit */
} hf_backoff_try;

/** Run every program on every network with every backoff in `tries`, and fill in the rest of `tries` [brown2002, 4.3].
 *  \param[in] network n_network networks with their protocol; its backoff is replaced
 *  Time n_program x n_network x n runs. \return as hf_benchmark_program() and hf_messaging_run() */
hf_status hf_backoff_search(hf_context *cx, const hf_benchmark_options *options, size_t n_program, const hf_messaging *network,
                            size_t n_network, hf_backoff_try *tries, size_t n);

#ifdef __cplusplus
}
#endif
#endif
