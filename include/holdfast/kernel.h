/** \file
 *  The flit-level kernel: packets move flit by flit through the network that a plan routes. It asks nothing of a routing but
 *  hf_plan_read(), so what is simulated is what was analysed. Deterministic: same plan, options and seed, same bytes.
 *
 *  Model: docs/kernel.md. A switch is input-queued; each virtual channel of a channel has a buffer at its far end. A header that
 *  is first in its buffer is routed, then asks for one free virtual channel among the hops offered; flits then ask for the
 *  crossbar. Both allocations are separable and round-robin. Time is in cycles, lengths and buffers in flits. */
#ifndef HOLDFAST_KERNEL_H
#define HOLDFAST_KERNEL_H

#include <holdfast/analysis/deadlock.h>
#include <holdfast/analysis/load.h>
#include <holdfast/core/backoff.h>
#include <holdfast/core/progress.h>
#include <holdfast/core/spec.h>
#include <holdfast/core/text.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Which of the free hops a header asks for. All but CREDITS, ESCAPE_LAST and BALANCED start at a preferred one and go round from
 * there. Those of k-ary n-trees prefer up port k + x at stage s [gomez2010, 4.3]; downwards there is nothing to choose. */
typedef enum hf_selection {
    HF_SELECT_CYCLIC,      /**< the one after that taken last from this buffer */
    HF_SELECT_FIRST,       /**< FF: the first offered */
    HF_SELECT_CREDITS,     /**< MC: the one with most credits, the first of those */
    HF_SELECT_ESCAPE_LAST, /**< cyclic; hops of the routing's escape only where no other is free */
    HF_SELECT_SSP,         /**< x = digit s of the switch */
    HF_SELECT_SDP,         /**< x = digit 0 of the destination */
    HF_SELECT_SOP,         /**< x = digit 0 of the source */
    HF_SELECT_SADP,        /**< x = digit s of the destination */
    HF_SELECT_ADAP_LIN,    /**< x = digit s of the source */
    HF_SELECT_RANDOM,      /**< a channel drawn when the header is routed, free or not; on it as cyclic */
    HF_SELECT_UGAL,        /**< for rules that commit packets to a hop: the least queue times channels that are left; the first of
                              those [kim2008] */
    HF_SELECT_UNBLOCKED,   /**< without buffers: any that leads to a terminal or to a switch that has, in each direction of its
                              rule, a   healthy and free channel to one of those; where there is none any [chong1992, 3] */
    HF_SELECT_BALANCED, /**< the one whose channel was given fewest flits since the tables of its switch changed last, the first
                           of those; balance after a reconfiguration [gomez2010, 6.2] */
    HF_SELECTIONS
} hf_selection;
/** "cyclic", "first", "credits", "escape-last", "ssp", "sdp", "sop", "sadp", "adap-lin", "random", "ugal", "unblocked",
 * "balanced"; NULL behind the last. */
extern const char *const hf_selection_names[HF_SELECTIONS + 1];
/** One of them. */
const char *hf_selection_name(hf_selection selection);

/** What a header does that finds no free hop. */
typedef enum hf_contention {
    HF_CONTENTION_WAIT,    /**< wait in a buffer: wormhole, virtual cut-through, store and forward */
    HF_CONTENTION_DROP,    /**< the packet vanishes and is sent again; switches have no buffers */
    HF_CONTENTION_CIRCUIT, /**< the header alone reserves the way, and tries again; the data follow when it is open */
    HF_CONTENTION_LOSE,    /**< the packet is lost, and nobody tells its source; its channels are free at once */
    HF_CONTENTION_STORE /**< wait where each channel has room for a packet at its end; the oldest packet goes first. Packets are
                            moved as a whole, not flit by flit */
} hf_contention;

/** Virtual channels of the channels of terminals, of which the routing names one. */
typedef enum hf_terminal_vcs {
    HF_TERMINAL_VCS_ROUTED, /**< that one */
    HF_TERMINAL_VCS_ANY,    /**< all do */
    HF_TERMINAL_VCS_ONE     /**< at the source one is drawn in each cycle; a packet leaves by that of its last hop */
} hf_terminal_vcs;

/** What a hop needs to count as free, beside a virtual channel that nobody has. */
typedef enum hf_free {
    HF_FREE_ROOM,        /**< room for the packet, in the output queue where there is one, else in the buffer */
    HF_FREE_CREDITS,     /**< and credits for it at the far end, behind the output queue */
    HF_FREE_IDLE,        /**< and nothing in its output queue */
    HF_FREE_IDLE_CREDITS /**< both */
} hf_free;

/** The router: how buffers are given away, in what order, and what a hop takes in cycles. */
typedef struct hf_kernel_options {
    hf_switching switching;
    hf_contention contention; /**< not WAIT: switching, buffer, credits and reuse do not count */
    bool bubble;              /**< with vct or saf: onto a declared ring only where two packets fit */
    const char *flow;         /**< NULL: as `bubble` says; or by link, for hf_flow_control_read() */
    /** Wormhole: give a virtual channel to the next packet as soon as the tail has been sent, not only when its buffer is empty.
     *  Then a buffer holds flits of several packets, which the analysis of wormhole does not cover. */
    bool reuse_early;
    hf_selection selection;
    /** On k-ary n-trees, not with ESCAPE_LAST: a header chooses when it is routed, and waits for that hop alone: the first that
     *  is free, from the preferred one on, or the preferred one where none is. Else it takes whatever is free, in any cycle.
     *  Source: [gomez2010, 4.3.1]. Rules that commit packets to a hop (HF_ROUTING_COMMITS) have it on every network. */
    bool choose_once;
    hf_free free; /**< with choose_once on k-ary n-trees: which hops count as free when a header chooses */
    /** Under wormhole and vct, with contention WAIT: a header is routed when it has come into a buffer, although others are in
     *  front of it, and chooses then, if it chooses once; else when it has come to the front. */
    bool route_early;
    uint32_t packet_length; /**< flits, >= 1 */
    uint32_t buffer;        /**< flits of each virtual channel, >= 1 */
    uint32_t routing_delay, crossbar_delay;
    uint32_t link_delay, fly_delay; /**< >= 1: links between switches, links of terminals */
    uint32_t credit_delay;          /**< >= 1 */
    /** A virtual channel given in a cycle serves from the next one on, and one that a tail leaves can be asked for in the next; a
     *  source chooses while the packet before leaves. */
    bool vc_stage;
    /** Outputs choose first, one of the inputs with a flit for them; then every input takes one of those (iSLIP, one iteration).
     *  Else inputs name one flit each, and outputs choose. */
    bool outputs_first;
    hf_terminal_vcs terminal_vcs;
    uint32_t exit_delay; /**< links from switches to terminals, where they are not like the others; 0: fly_delay */
    /** A switch routes one header at a time, first come, first served; else every buffer its own. */
    bool one_routing_unit;
    /** Packets that a terminal can keep for each other one until those sent earlier have come: delivery in order. 0: packets are
     *  delivered as they come. */
    uint32_t reorder;
    /** Flits of the queue that each virtual channel of a channel has at the switch that sends, behind the crossbar; 0: none, the
     *  switch is input-queued. Under vct and saf it holds a packet, with bubble two. Only with contention WAIT. */
    uint32_t output_queue;
    uint32_t speedup; /**< flits a cycle that the crossbar takes from an input, and gives to an output; 0 as 1 */
    /** Packets in transit go before those that come from a terminal: for virtual channels, and at outputs of the crossbar. Only
     *  with contention WAIT. */
    bool transit_first;
    /** A packet from a terminal goes onto a link between switches only where there is room for it and for so many packets less
     * one; 0 as 1: it needs room for itself. More than 1 only under vct and saf, where buffer and output queue hold as many. */
    uint32_t injection_room;
    /** With bubble: the packet in front of a buffer of a ring that has waited for so many cycles goes out to the interface of a
     *  terminal of its switch, and comes in again from there; 0: none does. A ring that a reconfiguration left full is drained so
     *  [puente2004, 4.2]. Packets may come twice over a channel then. */
    uint32_t drain_after;
    hf_backoff backoff; /**< of a source whose packet was blocked: hf_backoff_cycles(), and a random time up to as long */
    uint32_t backoff_cycles;
    uint32_t outstanding; /**< packets of a terminal that may be on their way at once; the others wait in its queue */
    /** Without buffers: a terminal whose packet was blocked so many times sends it to one drawn from those in service, which
     * passes it on in the same way; after as many further attempts one is drawn anew. 0: never. Source: [chong1992, 8]. */
    uint32_t forward_after;
    /** STORE: a head that has been blocked in so many cycles where it is is lost with its packet in the next one. 0: never. No
     * parameter of `simulate`, which has no heads alone. Source: [brown2002, 2.3; 6]. */
    uint32_t hold_cycles;
} hf_kernel_options;
/** The parameters of a router, of which every field has one: names, ranges, defaults and help of `holdfast simulate` and of
 *  `router` in a study. hf_group_read(cx, &hf_router_group, "switching=vct,buffer=16", &options) fills in hf_kernel_options. */
extern const hf_group hf_router_group;
/** All at their defaults: wormhole, packets of 4 flits, buffers of 8, all delays 1. */
hf_kernel_options hf_kernel_usual(void);
/** The input-queued router of BookSim 2 with 4-flit packets: routing ahead, then one cycle for virtual channel, switch, crossbar
 *  and credit each, iSLIP, all virtual channels at terminals. A cycle of link takes two there, so does this. */
hf_kernel_options hf_kernel_booksim_iq(void);
/** "wormhole", "vct", "saf", "drop", "circuit", "lose", "store". */
const char *hf_kernel_switching_name(const hf_kernel_options *options);

typedef struct hf_kernel hf_kernel;

/** What has come about since the start. Latencies in cycles, from the generation of a packet and from its header's leaving the
 *  source to the arrival of its tail. */
typedef struct hf_kernel_counts {
    uint64_t cycle;
    uint64_t generated, injected, delivered; /**< packets; generated: those that stood first in their source queue so far */
    uint64_t refused;                        /**< packets that the plan does not let in */
    uint64_t retries;                        /**< attempts that were blocked, where packets are dropped or circuits made */
    uint64_t deviated;                       /**< hops onto emergency paths */
    uint64_t lost;                           /**< packets that came to where the plan offers no hop, or were hit by a fault */
    uint64_t drained;                        /**< times that a packet went out of a full ring through a terminal */
    uint64_t delivered_flits;
    uint64_t reordered; /**< packets that came before others of their pair sent earlier; counted with hf_kernel_options.reorder */
    uint64_t flit_hops; /**< flits sent over a channel */
    uint64_t latency_sum, network_latency_sum, network_latency_max;
    uint64_t histogram[65]; /**< packets by latency from generation: bin 0: 0; bin b: [2^(b-1), 2^b) */
} hf_kernel_counts;

/** Make a kernel. All of it lives in the arena of `cx`, as does the plan; use both with the same context.
 *  \return HF_EINVAL: packets do not fit the buffers under vct or saf, or bubble or injection_room with wormhole; HF_ENOTSUP:
 *  bubble without declared rings, or more than 64 virtual channels; HF_ERANGE; HF_ENOMEM */
hf_status hf_kernel_new(hf_context *cx, const hf_plan *plan, const hf_kernel_options *options, hf_kernel **out);
/** Let one packet of the usual length be generated now; its source queue must be idle. \return HF_EINVAL if it is not. */
hf_status hf_kernel_send(hf_kernel *k, uint32_t source, uint32_t destination);

/** Bursts: a Markov chain of two states for each terminal, stepped every cycle. In a burst a packet is generated with probability
 *  peak / packet length, between bursts none. A burst ends after a cycle with probability 1 / length; the pauses are as long as
 *  makes the load. The first state is drawn as it is in the long run, so no cycle is unlike another. */
typedef struct hf_burst {
    double length; /**< mean cycles of a burst, >= 1; 0: no bursts, every cycle is like the others (Bernoulli) */
    double peak;   /**< flits per cycle and terminal in a burst, at least the load, at most the packet length */
    bool together; /**< one chain for all terminals: bursts and pauses are those of the network */
} hf_burst;
/** Read "200", "200,0.5" or "200,0.5,together": length, peak where it is not 1, and whether all have their bursts together.
 * \return HF_EINVAL with what would be right */
hf_status hf_burst_parse(hf_context *cx, const char *text, hf_burst *out);
/** How the terminals generate, for hf_kernel_offer(). Without it, or with length 0: in each cycle with probability
 *  load / packet length. */
void hf_kernel_bursts(hf_kernel *k, hf_burst burst);
/** From now on every live terminal generates packets by itself, whose destination is drawn from the pattern; what a pattern does
 *  not send is not generated. Queues at the sources have no end.
 *  \param[in] load flits per cycle and terminal where the pattern sends all, in (0, packet length]
 *  \return HF_EINVAL for a load or bursts out of range, a second time, or while a packet stands at a source */
hf_status hf_kernel_offer(hf_kernel *k, const hf_traffic *traffic, double load, uint64_t seed);
/** Flits per cycle that all terminals together generate in the mean. */
double hf_kernel_offered(const hf_kernel *k);
/** How many threads hf_kernel_run() may take for the network, in parts of it; say so before the first run. What comes of it is
 * the same to the byte. Takes one where a part cannot do without the others: with messages, a reorder buffer, one routing unit
 * for a switch, or without buffers. */
void hf_kernel_threads(hf_kernel *k, uint32_t threads);
/** Go on for so many cycles. \return HF_ENOMEM, HF_ESTOP, what a client returns; the kernel is then of no further use: it counts
 *  flits that have not moved yet. */
hf_status hf_kernel_run(hf_kernel *k, uint64_t cycles);
const hf_kernel_counts *hf_kernel_read(const hf_kernel *k);
/** Packets in the network and at the head of source queues. */
uint64_t hf_kernel_present(const hf_kernel *k);
/** Cycles since the generation of the oldest packet that stands at the head of the source queue of `terminal`; 0: none. */
uint64_t hf_kernel_waited(const hf_kernel *k, uint32_t terminal);

/** Packets in the network that can never move again, whatever the others do: a smallest closed set found from the first of them.
 *  Sound in any cycle; a deadlock is found at the latest when the flits around it have come to rest.
 *  \param[out] blocked in the arena; `path` is a way by which such a packet gets there. \param[out] count 0: no deadlock */
hf_status hf_kernel_deadlock(hf_kernel *k, hf_blocked **blocked, uint32_t *count);
/** Put packets in place in an empty network: every buffer that one holds is filled. A worm is as long as what it holds, under vct
 *  and saf a buffer gets as many packets as fit. \return HF_EINVAL where the plan does not offer the way, a buffer is held twice,
 *  or several are held under vct or saf */
hf_status hf_kernel_place(hf_kernel *k, const hf_blocked *blocked, uint32_t count);

/* ---- faults at given cycles ---- */

/** How control packets share channels with others. None ever breaks into a packet. */
typedef enum hf_control {
    HF_CONTROL_PRIORITY, /**< they go before others */
    HF_CONTROL_EQUAL,    /**< they take their turn with others */
    HF_CONTROL_APART     /**< they have wires of their own along each channel, one packet at a time: nobody waits for others */
} hf_control;

/** What reconfiguration costs in the kernel. */
typedef struct hf_reconfiguration_options {
    uint64_t detection_cycles; /**< from the fault until the switches at it know */
    uint64_t manage_cycles;    /**< that a switch needs for a control packet before it is passed on */
    uint64_t hop_cycles;       /**< of a notice of the emergency, for routings that have one */
    uint64_t swap_cycles;      /**< from detection to the new plan, for routings without a protocol of their own */
    uint32_t message_length;   /**< flits of a control packet, >= 1; in a history 0: those of a packet */
    hf_control control;        /**< how control packets share the channels */
    bool uses_input_queue;     /**< a control packet needs room in the buffer that it goes to, and waits there behind what came
                                    before it; else it has a place of its own at the switch */
    uint64_t control_every;    /**< cycles from one control packet that a switch takes in to the next; 0: as they come */
    bool newest_first;         /**< of those that wait for that it takes the one that came last; else the one that came first */
    bool is_in_turn;           /**< a switch sends control packets one after the other; else over all its channels at once */
    bool has_emergency_paths;  /**< for routings that know them */
    bool by_packets;           /**< hf_kernel_fault.cycle counts packets that have arrived; of networks with buffers, in work with
                                    an end */
} hf_reconfiguration_options;
/** The parameters of hf_reconfiguration_options, as hf_router_group. */
extern const hf_group hf_reconfiguration_group;
/** All at their defaults: 10 cycles of detection, 1 to manage, 100 a hop, 1000 to swap, priority, at once, no emergency paths;
 *  control packets of 4 flits. */
hf_reconfiguration_options hf_reconfiguration_usual(void);

/** One fault event. */
typedef struct hf_kernel_fault {
    uint64_t cycle;             /**< of the kernel, not before the present one */
    const hf_fault_set *faults; /**< all that have failed then, those of earlier events among them */
    const hf_plan *plan;        /**< for them; as many virtual channels as the plan of the kernel */
} hf_kernel_fault;
/** What became of it. */
typedef struct hf_kernel_reconfiguration {
    uint64_t cycle; /**< at which the fault came; UINT64_MAX: it has not */
    bool is_finished;
    uint64_t finished;  /**< cycle of the last change of a table */
    uint64_t messages;  /**< control packets sent over channels */
    uint64_t hit;       /**< packets that the fault broke */
    uint64_t lost_late; /**< packets that came in after `finished` and were lost before the next fault */
    uint64_t changed;   /**< switches that changed at least once */
} hf_kernel_reconfiguration;
/** Schedule faults, ascending by cycle; once, for all of them. Plans, sets and options are borrowed until the kernel is gone.
 *  Buffers of a failed channel are drained on; what is on it, or lies across it, is lost; without buffers not what has its header
 *  at its destination when faults are scheduled.
 *  \return HF_EINVAL: not ascending, or no superset of the faults before; HF_ENOTSUP: plans with other virtual channels */
hf_status hf_kernel_schedule(hf_kernel *k, const hf_kernel_fault *fault, uint32_t n, const hf_reconfiguration_options *options);
/** \param[out] out `n` of hf_kernel_schedule() */
void hf_kernel_reconfigurations(const hf_kernel *k, hf_kernel_reconfiguration *out);

/* ---- measurement ---- */

/** Windows that are measured: of fewer nothing is steady. */
enum { HF_STEADY_WINDOWS = 5 };

/** A network under traffic, and how long it is measured. */
typedef struct hf_simulation {
    const hf_plan *plan;
    const hf_traffic *traffic;
    hf_burst burst; /**< zero: none */
    hf_kernel_options kernel;
    uint64_t seed;
    uint64_t window;       /**< cycles of a window; 0: 1000 */
    uint32_t batches;      /**< windows to measure, 2 or more; 0: 20 */
    bool for_each;         /**< a point is saturated too where one terminal alone gets less than 95% of its packets off */
    bool steady_only;      /**< a search for saturation passes over loads at which accepted traffic is not steady */
    uint32_t warm_up_most; /**< windows; 0: 100. At least 8 are run */
    uint32_t threads;      /**< 0: all cores; results do not depend on it */
    void (*progress)(void *user, const hf_progress *progress); /**< or NULL; of several points, one thread at a time */
    void *progress_user;
} hf_simulation;

/** The parameters of a measurement in hf_simulation: window, batches and warm-up, as hf_router_group. */
extern const hf_group hf_measurement_group;

/** A mean, half of its 95% interval, and whether it may be taken for one in the long run. Windows are joined to batches until
 * these look independent; see docs/kernel.md, "Steadiness". */
typedef struct hf_batch_mean {
    double mean, half;
    double steady; /**< probability that a steady run looks less steady by the tests; 0: not known, or too short for them */
} hf_batch_mean;
/** Below this `steady` a run is not: one of a hundred steady ones looks so. */
#define HF_STEADY_LEVEL 0.01
static inline bool hf_batch_is_steady(hf_batch_mean m) { return m.steady >= HF_STEADY_LEVEL; }

/** A window of a run. Traffic in flits per cycle and terminal, latencies in cycles, NaN where no packet arrived. */
typedef struct hf_kernel_window {
    uint64_t cycle; /**< at its end; from the end of the warm-up, of a play from its start */
    double accepted, latency, network_latency;
    double hops; /**< channels that flits went over, those of terminals too, for each flit that arrived; NaN where none did */
    uint64_t packets, lost, refused, deviated;
    uint64_t present; /**< packets in the network and at the heads of source queues, at its end */
} hf_kernel_window;

/** One load. Traffic in flits per cycle and terminal, latencies in cycles. */
typedef struct hf_point {
    double load, offered;     /**< offered: what the pattern makes of the load */
    uint64_t warm_up, cycles; /**< cycles before and while measuring */
    bool is_steady;           /**< accepted traffic and both latencies are */
    bool is_saturated;        /**< less than 95% of what is offered is accepted, its interval ends below what is offered, and the
                                   packets that wait at the sources are older than before */
    hf_batch_mean accepted;   /**< what arrives; steady only if what is in the network holds still too */
    double least_share;       /**< of its packets that the terminal served worst got off: 1 less what its queue aged a cycle */
    hf_batch_mean latency;    /**< from generation; steady only below saturation, if the queues at the sources hold still too */
    hf_batch_mean network_latency; /**< from the header's leaving the source; steady as `accepted` */
    uint64_t network_latency_max;
    uint64_t packets, lost, refused, reordered, retries, flit_hops; /**< while measuring */
    uint64_t histogram[65];                                         /**< as in hf_kernel_counts */
    uint32_t n_blocked;                                             /**< 0: no deadlock; else the run ended with it */
    hf_blocked *blocked;                                            /**< in the arena of the caller */
    uint64_t deadlock_cycle;                                        /**< at which it was found */
    uint32_t n_window;                                              /**< measured: `batches`, fewer after a deadlock */
    hf_kernel_window *window;                                       /**< in the arena of the caller */
} hf_point;

/** Run one point for each load; points in parallel. \param[out] points `n` entries
 *  \return as hf_kernel_new() and hf_kernel_offer(); HF_ESTOP */
hf_status hf_simulate(hf_context *cx, const hf_simulation *simulation, const double *load, size_t n, hf_point *points);

/** Points of that search: five rounds of three. */
enum { HF_SATURATION_POINTS = 15 };
/** Search for the largest load in (0, 1] that is accepted, to 1/1024, by points of their own. With simulation->steady_only a load
 *  that is not steady is passed over, and a round of such loads alone ends the search above them; then to 1/64 or finer.
 *  \param[out] points HF_SATURATION_POINTS entries, ascending by load. \param[out] best index of the highest of them that is
 * neither saturated nor in deadlock and has none such below it, and is steady where simulation->steady_only; HF_NONE if there is
 * none */
hf_status hf_simulate_saturation(hf_context *cx, const hf_simulation *simulation, hf_point *points, uint32_t *best);

/* ---- before, during and after faults ---- */

/** A run through faults. Cycles count from the end of the warm-up. */
typedef struct hf_history {
    const hf_simulation *simulation; /**< `window` is that of the history too; batches do not count */
    double load;
    const hf_kernel_fault *fault; /**< n_fault */
    uint32_t n_fault;
    hf_reconfiguration_options options;
    uint64_t cycles; /**< of the history */
    /* what came of it */
    hf_point start;                             /**< the warm-up */
    uint32_t n_window;                          /**< cycles / window */
    hf_kernel_window *window;                   /**< in the arena */
    hf_kernel_reconfiguration *reconfiguration; /**< n_fault, in the arena; `finished` from the end of the warm-up */
    hf_batch_mean accepted[3]; /**< windows before the first fault, those until the last change after the last fault, those after
                                    that; NaN: there is none */
    hf_batch_mean latency[3];  /**< from generation; the second phase is no steady one */
    uint64_t generated, delivered, lost, refused, deviated, drained, present; /**< packets since the start of the kernel */
    uint32_t n_blocked;                                                       /**< 0: no deadlock at the end */
    hf_blocked *blocked;                                                      /**< in the arena */
} hf_history;
/** Fill in what came of it. \return as hf_kernel_new(), hf_kernel_offer(), hf_kernel_schedule(); HF_ESTOP */
hf_status hf_history_run(hf_context *cx, hf_history *h);

/** The largest accepted traffic in what `holdfast simulate --json` wrote, flits per cycle and terminal.
 *  \param[in] topology, routing canonical specs that the file must be about; routing NULL: any. \param[out] half half width of
 *  its 95% interval \return HF_EINVAL with file and place: not such a file, another network, no row with accepted traffic above
 *  0 */
hf_status hf_results_throughput(hf_context *cx, const char *file, const char *data, size_t size, const char *topology,
                                const char *routing, double *out, double *half);

/* ---- work with an end ---- */

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

/** Where a workload is played, for how long at the most, and through which faults. */
typedef struct hf_play {
    const hf_plan *plan;
    hf_kernel_options kernel;
    uint64_t cycle_limit;         /**< stop there; 0: never */
    const hf_kernel_fault *fault; /**< n_fault, as of hf_kernel_schedule() */
    uint32_t n_fault;
    hf_reconfiguration_options options; /**< of the faults; message_length 0: that of packets */
    uint64_t resend; /**< cycles from the loss of a packet, by a fault or before the network is reconfigured, until its source has
                          it to send again; 0: never. Where a terminal is cut off it is lost for good */
    uint64_t window; /**< cycles of a window of the series; 0: none is kept */
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
    uint64_t resent;        /**< packets that were sent again */
    /** The series, of packets, from the start to the end of the run, where the last window may be shorter; in the arena. */
    hf_kernel_window *window;
    size_t n_window;
    hf_kernel_reconfiguration *reconfiguration; /**< n_fault of the play, in the arena */
} hf_play_result;

/** Play a trace until all is delivered. Idle cycles cost nothing.
 *  \return as hf_kernel_new() and hf_kernel_schedule(); HF_EINVAL if a terminal does not exist; HF_ERANGE for a series of more
 *  than a million windows; HF_ESTOP */
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
