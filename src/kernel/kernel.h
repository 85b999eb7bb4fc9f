/** \file
 *  Inside of the kernel.
 *
 *  A lane is a queue of flits: lane r < n_resource is the buffer of virtual channel r % n_vc of channel r / n_vc, at the far
 *  end of the channel; lane n_resource + t is the head of the source queue of terminal t. A port is what sends one flit a
 *  cycle: port p < n_channel has the lanes of channel p, port n_channel + t has the one lane of source t. A flit is a word:
 *  packet * 4 + HEAD + TAIL. Where heads alone are moved (heads.c) there are no resources, and no ports.
 *
 *  A network may be cut into parts, each with its nodes, their lanes and ports, the channels that lead out of them and all that
 *  is given away at them. A part has a kernel of its own, a copy of the first but for what is its own; parts tell each other
 *  only what is on its way (parts.c). */
#ifndef HOLDFAST_SRC_KERNEL_KERNEL_H
#define HOLDFAST_SRC_KERNEL_KERNEL_H

#include <holdfast/core/random.h>
#include <holdfast/kernel.h>

#include "src/kernel/busy.h"
#include "src/kernel/timers.h"

enum { HF_FLIT_TAIL = 1, HF_FLIT_HEAD = 2, HF_FLIT_SHIFT = 2 };
/** lane.out of a packet that has nowhere to go. */
#define HF_LANE_DROP (HF_NONE - 1)
/** owner of a resource, and a request for it: a control packet. */
#define HF_LANE_CONTROL (HF_NONE - 2)
/** lane.slot of a header whose hops are a run of resources, one after the other. */
#define HF_SLOT_RUN (HF_NONE - 1)
/** In the tag of a hop: it is an emergency path. */
#define HF_TAG_DEVIATED HF_TAG_END

/** In the key of who asks: after all that are without. */
#define HF_LATER 0x80000000u

typedef struct hf_kernel_layers hf_kernel_layers;
typedef struct hf_circuits hf_circuits;
typedef struct hf_blockages hf_blockages;
typedef struct hf_heads hf_heads;
typedef struct hf_drain hf_drain;
typedef struct hf_trains hf_trains;

typedef struct hf_packet {
    uint32_t source, destination, length;
    uint32_t tag;               /**< of the header's last hop */
    uint8_t entry_vc;           /**< virtual channel by which the routing lets it in, whichever it took */
    bool is_lost, is_forwarded; /**< forwarded: a terminal has passed it on */
    union {
        uint32_t leg;    /**< without buffers: terminal that it is sent to, to be passed on if that is not its destination */
        uint32_t choice; /**< with early_lane: what it has chosen there, or HF_NONE */
    };
    uint64_t generated, entered;
    uint32_t number, behind; /**< of its pair; the next one that waits for its turn */
    uint32_t user;           /**< its client's number */
    uint32_t early_lane;     /**< with buffers: it is or will be routed behind others in this lane; HF_NONE: in none */
    uint64_t routed;         /**< with early_lane: when */
} hf_packet;
_Static_assert(sizeof(hf_packet) == 64, "packets are lines of a cache");

/** What sends packets into a kernel, and hears what becomes of them: a pattern (source.c), messages (player.h). It puts a packet
 *  into an idle source queue by hf_kernel_put_at_head(), in any of these calls. What fails ends hf_kernel_run(). */
typedef struct hf_client {
    /** A cycle begins, nothing has moved yet. */
    hf_status (*begin)(hf_kernel *k, void *user);
    /** The packet that stood at source t has left it whole; without buffers, it has begun its way: the queue is idle. */
    hf_status (*idle)(hf_kernel *k, void *user, uint32_t t);
    /** A packet has arrived in this cycle, or is lost. NULL: never mind. */
    hf_status (*gone)(hf_kernel *k, void *user, const hf_packet *packet);
    /** Give a part of a network its own share of what sends, which the calls above get for its terminals; for part 0 last, which
     *  keeps the rest. It lives in the arena of `k`. NULL: one thread sends for all. */
    hf_status (*share)(hf_kernel *k, void *user, uint32_t part, void **out);
} hf_client;

/** Delivery in order from one terminal to another. */
typedef struct hf_pair_order {
    uint32_t sent, next; /**< numbers: of the next packet to send, and to hand on */
    uint32_t waiting;    /**< packets that have come before their turn, by number */
} hf_pair_order;

/** Where a lane is: a buffer between switches, or the source's own; one of a switch for what a terminal sends; one of a terminal,
 *  which takes what comes. */
enum hf_lane_places { HF_LANE_INSIDE, HF_LANE_INJECTION, HF_LANE_SINK };

typedef struct hf_lane {
    uint32_t first, count; /**< flits: of all that came, or of the packet at a source, the next one, and how many */
    uint32_t out;          /**< resource given to the packet in front; HF_NONE: none yet */
    uint32_t way;          /**< channel of the first of a run of hops */
    uint32_t slot;         /**< hops of the waiting header; HF_NONE: not routed yet; HF_SLOT_RUN: resources from virtual channel
                              `vc` of `way` on, with tag `way_tag` */
    uint32_t n_hop, turn;  /**< turn: where the cyclic selection starts */
    uint32_t n_other;      /**< hops that are not of the escape; only where the escape comes last */
    uint32_t packet;       /**< whose header was noted last and whose tail has not left; of a source: at its head */
    uint32_t tag;          /**< of the packet in front, when its header came in */
    uint64_t ready;        /**< cycle at which the waiting header is routed */
    uint32_t port, node;   /**< where the lane is; fixed */
    uint8_t bit;           /**< of the lane in its port; fixed */
    uint8_t next;          /**< bit of the next lane of the port, round; fixed */
    uint8_t place;         /**< hf_lane_places; fixed */
    uint8_t vc;
    uint32_t way_tag;
} hf_lane;
_Static_assert(sizeof(hf_lane) == 64, "lanes are lines of a cache");

/** Lanes that take turns at sending, and where they stand. All that one looks at in a cycle, in one line of a cache. */
typedef struct hf_port {
    uint64_t waiting, moving; /**< lanes with a header that waits; with an output and a flit */
    uint64_t starved;         /**< of those that move: without a credit, as far as that has been looked at */
    uint32_t first;           /**< lane; the others follow it */
    uint8_t turn;             /**< round-robin over the lanes */
    bool drops;               /**< a lane had a packet that has nowhere to go */
    uint32_t node;
    uint32_t place, next;        /**< number of the port at its node, and that of the next one, round */
    uint32_t degree;             /**< ports that lead into its node, or 1 */
    uint32_t back;               /**< part that its credits go to */
    uint32_t lane, key, pointer; /**< with outputs first: whose output it accepts, or HF_NONE; its distance from the pointer */
} hf_port;
_Static_assert(sizeof(hf_port) == 64, "ports are lines of a cache");

/** What leaves a node: a channel. */
typedef struct hf_kernel_output {
    uint64_t best;        /**< lane that has it in this cycle, and above it its distance from the pointer; all bits: none */
    uint32_t pointer;     /**< round-robin */
    uint32_t place, next; /**< number of the channel at its node, and that of the next one, round */
    uint32_t delay;       /**< from the crossbar's choice to the far end */
    uint32_t part;        /**< of the far end */
    bool is_exit;         /**< it leads to a terminal, which takes what comes */
} hf_kernel_output;
_Static_assert(sizeof(hf_kernel_output) == 32, "two channels are a line of a cache");

/** Of a lane: the channel that the packet in front was given, HF_NONE if it has nowhere to go; and its port, fixed. */
typedef struct hf_aim {
    uint32_t channel, port;
} hf_aim;

/** The output queue of a resource: a ring of runs in `queue_run`. count: flits; room: for so many, 0 behind a terminal. */
typedef struct hf_output_queue {
    uint32_t first, n_run, count, room;
} hf_output_queue;

/** A flit in an output queue, or n of a body that came one a cycle. ready: when the first is over the crossbar, low 32 bits. */
typedef struct hf_queued {
    uint32_t ready, flit, n;
} hf_queued;

/** Something on its way: a flit to `lane`, or a credit. */
typedef struct hf_event {
    uint32_t lane, flit;
} hf_event;

/** Flits of the body of a packet that come to a lane, or credits for it, one in each of n cycles (trains.c). */
typedef struct hf_train {
    uint32_t lane, packet, n;
} hf_train;

/** Events of one future cycle. */
typedef struct hf_slot {
    hf_event *flits;
    uint32_t *credits;          /**< resources */
    hf_train *trains, *returns; /**< of flits, of credits, that begin in it; NULL: there are no trains */
    uint32_t n_flit, n_credit, n_train, n_return;
} hf_slot;

/** Requests for a resource: the best of them. */
typedef struct hf_request {
    uint32_t by;      /**< lane with the best key; HF_NONE: none */
    uint32_t key;     /**< its distance from the pointer */
    uint32_t pointer; /**< round-robin */
} hf_request;

/** Things asked for in a cycle. */
typedef struct hf_kernel_asked {
    uint32_t *item, n;
} hf_kernel_asked;

enum { HF_MANY_LANES = 1 << 14 }; /**< so many are not in the caches at all times: what is used soon is asked for */
enum { HF_ALARMS = 1 << 10 };     /**< cycles; trains are shorter */

#define HF_NEVER (UINT64_C(1) << 62)

/** Stream of the bursts that all terminals have together; those of the terminals are below. */
#define HF_KERNEL_CHAIN (UINT64_C(1) << 32)

/** The packets that a terminal will generate. */
typedef struct hf_generator {
    hf_random random;
    hf_random chain; /**< of its bursts, where they are those of all */
    uint64_t next;   /**< cycle of the next packet */
    uint64_t end;    /**< first cycle after the present burst */
    uint32_t destination;
} hf_generator;

/** When terminals generate: the logs of the probabilities that nothing happens in a cycle. */
typedef struct hf_rhythm {
    bool has_bursts, together;
    double no_packet;        /**< in a burst, or always */
    double no_end, no_start; /**< of a burst */
    double share;            /**< of the cycles in bursts */
} hf_rhythm;

struct hf_kernel {
    const hf_plan *plan;
    const hf_topology *topo;
    hf_kernel_options o;
    uint32_t n_vc, n_resource, n_lane, n_port;
    hf_lane *lane;
    hf_aim *aim; /* by lane */
    hf_port *port;
    hf_kernel_output *output; /* by channel */
    uint32_t *flit;           /* n_resource rings of ring_mask + 1, a power of 2 that holds o.buffer */
    uint32_t ring_bits, ring_mask, queue_stride;
    uint32_t *credit;      /* by resource */
    uint32_t *owner;       /* by resource: lane whose packet has it, HF_NONE */
    uint32_t *ring;        /* by resource; NULL: no bubble */
    const uint64_t *plain; /* channels that keep no bubbles; NULL: all do */
    hf_kary_tree tree;     /* for the selections that need one */
    uint64_t *routed;      /* by node: when its routing unit is free; NULL: one for each buffer */
    hf_request *vcs;       /* by resource, of lanes */
    uint64_t seed;         /* of what the kernel draws itself */
    uint32_t *chosen;      /* by node: port that was chosen last; only where headers choose once */
    uint64_t *dealt;       /* by channel: flits of the headers that took it; NULL: the selection does not ask */
    uint32_t max_hops;     /* of a waiting header */
    bool commits;          /* headers choose where they are routed, by the rule or by the router */
    bool has_runs;         /* HF_SLOT_RUN may be */
    uint32_t *known;       /* by lane and destination: hops that a header has been offered; NULL: not kept (allocate.c) */
    uint32_t n_slot;       /* of the wheels */
    hf_packet *packet;     /* n_packet: a pool, with lists of what is free */
    uint32_t n_packet;
    double offered;          /* by a pattern: flits per cycle */
    hf_burst burst;          /* of the pattern to come */
    hf_pair_order *order;    /* by pair; NULL: as they come */
    const hf_client *client; /* NULL: hf_kernel_send() alone */
    /* output queues; NULL: none */
    hf_output_queue *queue; /* by resource */
    hf_queued *queue_run;   /* n_resource rings of o.output_queue, queue_stride apart */
    uint64_t *queued;       /* by channel: its virtual channels with a flit in the queue */
    uint32_t *queue_turn;   /* by channel: round-robin */
    /* trains */
    hf_trains *trains;     /* by lane; NULL: there are none */
    uint64_t train_end;    /* cycle before which trains are over where they leave; 0: none begin */
    uint32_t *asleep;      /* by resource: the first of the headers that sleep until it is free; each is 2 * lane */
    uint32_t *next_asleep; /* in such a list, or in one of alarms, which have 2 * lane + 1 for the queue before a lane, too */
    /* rates */
    hf_tempo tempo;
    uint64_t *due; /* by channel: when it takes the next flit, in units of 1 / tempo.unit cycles; NULL: one in each cycle */
    /* faults */
    uint64_t *down;           /* n_channel bits: failed */
    uint64_t *gone;           /* n_terminal bits: cut off by faults; NULL: none yet */
    hf_kernel_layers *layers; /* NULL: no faults to come */
    hf_circuits *circuits;    /* NULL: packets neither drop nor make circuits */
    hf_blockages *blockages;  /* NULL: the selection does not ask who is blocked */
    uint64_t *direct;         /* n_terminal rows of bits: pairs that the plan lets in; NULL: not asked yet */
    hf_heads *heads;          /* NULL: there are flits, or circuits */
    hf_drain *drain;          /* NULL: full rings are left alone */
    hf_event *early;          /* lane and packet of headers that will be routed behind others; NULL: none will, or
                                 they choose in front */
    uint32_t n_early;
    /* parts */
    uint32_t threads; /* to have a part each, where that can be */
    uint32_t n_part;
    hf_kernel **part;   /* the first is the kernel that its user has */
    uint32_t *part_of;  /* by node; NULL: there is one */
    uint32_t lookahead; /* cycles that what goes from one part to another is on its way, at least */

    /* ---- of a part ---- */
    hf_context *cx;
    uint32_t number;                          /* of the part */
    hf_busy busy_waiting, busy_moving;        /* ports with lanes that wait, that move, and maybe others */
    hf_busy busy_queues;                      /* channels with a flit in a queue */
    hf_kernel_asked asked_vcs, asked_outputs; /* resources, channels */
    uint32_t *can_send, *accepting;           /* scratch: lanes, ports */
    hf_hop *route_hops, *escape_hops;         /* scratch: hf_plan_room() of any of the plans */
    uint32_t now;                             /* slot of the present cycle */
    hf_slot **wheel;                          /* by part: what is on its way there, n_slot cycles */
    uint32_t *alarm;                          /* HF_ALARMS, by cycle, round: the first that wakes in it */
    uint32_t *free_packet, n_free_packet;
    /* hops of waiting headers: a pool; with several parts slot i is that of lane i */
    hf_hop *hops;
    uint32_t *free_slot, n_free_slot, n_hop_slot;
    uint64_t present; /* packets; of several parts the sum counts */
    hf_kernel_counts counts;
    void *user;         /* of the client */
    hf_status failed;   /* of a client that could not go on */
    uint32_t failed_at; /* port, where the rule broke its contract */
};

/** The part that a node belongs to. */
static inline hf_kernel *hf_kernel_part(const hf_kernel *k, uint32_t node) { return k->part[k->part_of ? k->part_of[node] : 0]; }
static inline uint32_t hf_lane_node(const hf_kernel *k, uint32_t lane) { return k->lane[lane].node; }
/** Hops of the header that waits in front of a lane; not of one with HF_SLOT_RUN. */
static inline hf_hop *hf_lane_hops(const hf_kernel *k, uint32_t lane) {
    return k->hops + (size_t)k->lane[lane].slot * k->max_hops;
}
/** The i-th hop of the header that waits in front of a lane. */
static inline hf_hop hf_lane_hop(const hf_kernel *k, uint32_t lane, uint32_t i) {
    const hf_lane *l = &k->lane[lane];
    if (l->slot != HF_SLOT_RUN) {
        return hf_lane_hops(k, lane)[i];
    }
    const uint32_t vc = l->vc + i;
    return vc < k->n_vc ? (hf_hop){l->way, vc, l->way_tag} : (hf_hop){l->way + vc / k->n_vc, vc % k->n_vc, l->way_tag};
}
/** The i-th place of a buffer from its first flit on. */
static inline uint32_t *hf_lane_place(const hf_kernel *k, uint32_t lane, uint32_t i) {
    return &k->flit[((size_t)lane << k->ring_bits) + ((k->lane[lane].first + i) & k->ring_mask)];
}
static inline uint32_t hf_lane_flit(const hf_kernel *k, uint32_t lane) { return *hf_lane_place(k, lane, 0); }
/** Packet in front of a lane that is not empty. Where there are trains, these two are for a head in front. */
static inline uint32_t hf_lane_packet(const hf_kernel *k, uint32_t lane) {
    return lane < k->n_resource ? hf_lane_flit(k, lane) >> HF_FLIT_SHIFT : k->lane[lane].packet;
}

/** Flits that the buffer of q and the queue before it hold. */
static inline uint32_t hf_kernel_capacity(const hf_kernel *k, uint32_t q) {
    return k->o.buffer + (k->queue ? k->queue[q].room : 0);
}

/** \return i + 1, or 0 behind the last of n; without a branch, as nobody can foretell it */
static inline uint32_t hf_next_of(uint32_t i, uint32_t n) { return (i + 1) & -(uint32_t)(i + 1 < n); }
/** Who comes first from a pointer on, round, has the least. Below HF_LATER. */
static inline uint32_t hf_distance(uint32_t place, uint32_t pointer) { return (place - pointer) & (HF_LATER - 1); }

static inline uint32_t hf_kernel_slot_in(const hf_kernel *k, uint32_t cycles) {
    const uint32_t at = k->now + cycles;
    return at < k->n_slot ? at : at - k->n_slot;
}

/** A flit goes onto a channel, whose rate says when the next may. What is left of a cycle is not lost. */
static inline void hf_kernel_pace(hf_kernel *k, uint32_t channel) {
    const uint64_t now = k->counts.cycle * k->tempo.unit;
    k->due[channel] = (k->due[channel] + k->tempo.unit > now ? k->due[channel] : now) + hf_tempo_weight(&k->tempo, channel);
}
static inline bool hf_kernel_is_due(const hf_kernel *k, uint32_t channel) {
    return !k->due || k->due[channel] <= k->counts.cycle * k->tempo.unit;
}

/** A flit will arrive in q in `delay` cycles. */
static inline void hf_kernel_set_out(hf_kernel *k, const hf_kernel_output *to, uint32_t q, uint32_t flit, uint32_t delay) {
    hf_slot *s = &k->wheel[to->part][hf_kernel_slot_in(k, delay)];
    s->flits[s->n_flit++] = (hf_event){q, flit};
}

/** A flit goes onto the channel of q, and arrives `delay` cycles later. */
static inline void hf_kernel_onto_channel(hf_kernel *k, const hf_kernel_output *to, uint32_t q, uint32_t flit, uint32_t delay) {
    hf_kernel_set_out(k, to, q, flit, delay);
    k->counts.flit_hops++;
    k->credit[q] -= !to->is_exit;
    if (k->due) {
        hf_kernel_pace(k, k->lane[q].port);
    }
}

/** A place of q is free again; who has it may have waited for that. */
static inline void hf_kernel_add_credit(hf_kernel *k, uint32_t q) {
    if (k->credit[q]++ == 0 && k->owner[q] < HF_LANE_CONTROL) {
        const hf_lane *l = &k->lane[k->owner[q]];
        k->port[l->port].starved &= ~(UINT64_C(1) << l->bit);
    }
}

/** Ask for a resource: the smallest distance from its pointer wins. `number` is who asks, by place, and HF_LATER. */
static inline void hf_kernel_ask(hf_kernel *k, uint32_t q, uint32_t by, uint32_t number) {
    hf_request *r = &k->vcs[q];
    const uint32_t key = hf_distance(number, r->pointer) | (number & HF_LATER);
    if (r->by == HF_NONE) {
        k->asked_vcs.item[k->asked_vcs.n++] = q;
    } else if (r->key <= key) {
        return;
    }
    r->by = by;
    r->key = key;
}

/** What fails is told at the end of the cycle. */
static inline void hf_kernel_keep_failure(hf_kernel *k, hf_status status) { k->failed = k->failed == HF_OK ? status : k->failed; }

/** Is there an output queue behind the channel of a lane? */
static inline bool hf_kernel_has_queue(const hf_kernel *k, size_t q) { return k->queue && k->queue[q].room; }

/** The i-th run of the queue of q. */
static inline hf_queued *hf_kernel_queue_at(const hf_kernel *k, uint32_t q, uint32_t i) {
    const uint32_t at = k->queue[q].first + i, size = k->o.output_queue;
    return &k->queue_run[(size_t)q * k->queue_stride + (at < size ? at : at - size)];
}

/* ---- queue.c ---- */
hf_status hf_kernel_queues_new(hf_kernel *k);
/** Free places of q for hf_kernel_has_room(): of its buffer, of its queue, or of both where q is given on when empty. */
uint32_t hf_kernel_room(const hf_kernel *k, uint32_t q);
/** n flits go into the queue of q, which has room; they may leave at cycle `ready` and those behind it. */
void hf_kernel_queue_put(hf_kernel *k, uint32_t q, uint32_t flit, uint32_t n, uint64_t ready);
/** Take n flits out of the queue of q, no more than its first run has. */
void hf_kernel_queue_take(hf_kernel *k, uint32_t q, uint32_t n);
/** The queue of q has its first `n_run` runs left, with `count` flits. */
void hf_kernel_queue_cut(hf_kernel *k, uint32_t q, uint32_t n_run, uint32_t count);
/** Is there a place for a flit that is given q: in its queue, or at the far end of a channel without control packets? */
bool hf_kernel_can_send(const hf_kernel *k, uint32_t q);
/** The channel of q looks at its queues again, if there is something in that of q. */
void hf_kernel_queue_wake(hf_kernel *k, uint32_t q);
/* ---- output.c ---- */
/** Every channel takes a flit out of its queues. */
void hf_kernel_send_queued(hf_kernel *k);

/* ---- pools.c ---- */
hf_status hf_kernel_packet_new(hf_kernel *k, const hf_packet *packet, uint32_t *out);
void hf_kernel_packet_free(hf_kernel *k, uint32_t packet);
/** A place for the hops of the header in front of a lane. */
hf_status hf_kernel_slot_new(hf_kernel *k, uint32_t lane);
void hf_kernel_slot_free(hf_kernel *k, hf_lane *l);
/** The packet at the head of source t has left. */
void hf_kernel_source_done(hf_kernel *k, uint32_t t);
/** Make what a part has of its own, but for wheels and pools. */
hf_status hf_kernel_lists_new(hf_kernel *k);
/** Make the wheels of all parts, with nothing in them. */
hf_status hf_kernel_wheels_new(hf_kernel *k);

/* ---- cycle.c ---- */
/** What arrives in this cycle at a part. */
void hf_kernel_come_in(hf_kernel *k);
/** The rest of a cycle of a part, but for faults. \return what failed, k->failed_at where */
hf_status hf_kernel_go_on(hf_kernel *k);

/* ---- parts.c ---- */
/** Cut the network into parts, where it can be and a thread each is wanted; once, before anything is on its way. */
hf_status hf_kernel_divide(hf_kernel *k);
/** Let every part have as many free packets as it may need until all meet again. */
hf_status hf_kernel_provide_packets(hf_kernel *k);
/** What the parts have counted, into the first. */
void hf_kernel_add_up(hf_kernel *k);
/** As hf_kernel_run(), with parts. */
hf_status hf_kernel_run_parts(hf_kernel *k, uint64_t cycles);

/* ---- allocate.c ---- */
/** Make what keeps the hops that have been offered, where that is a MiB at most. */
hf_status hf_kernel_known_new(hf_kernel *k);
/** Note that a header is now in front of `lane`. */
void hf_kernel_header(hf_kernel *k, uint32_t lane);
/** A header has come into `lane` behind others, of a network that routes early. */
void hf_kernel_header_behind(hf_kernel *k, uint32_t lane, uint32_t packet);
/** That header chooses the hop onto resource q, of those that it is offered; as of packets that are put in place. \return as the
 * routing fails */
hf_status hf_kernel_commit(hf_kernel *k, uint32_t lane, uint32_t q);
/** Route what is ready; what waits asks for virtual channels. */
hf_status hf_kernel_ask_channels(hf_kernel *k);
/** Give virtual channels to some that ask. */
void hf_kernel_give_channels(hf_kernel *k);

/* ---- crossbar.c ---- */
/** Choose a flit for each port and each channel, and send it. */
void hf_kernel_send_flits(hf_kernel *k);
bool hf_kernel_sends_plainly(const hf_kernel *k); /**< credit and turn alone say who can send */

/* ---- select.c ---- */
/** A header takes a hop over a channel. */
void hf_kernel_deal(hf_kernel *k, uint32_t lane, uint32_t channel);
/** The tables of a switch have changed. */
void hf_kernel_deal_anew(hf_kernel *k, uint32_t node);

/* ---- allocate.c ---- */
/** What waits is routed anew; at one node, or everywhere with HF_NONE. */
void hf_kernel_reroute(hf_kernel *k, uint32_t node);

/* ---- fault.c ---- */
/** Channels fail: what is on them or lies across them is lost. \return packets hit */
hf_status hf_kernel_break(hf_kernel *k, const hf_fault_set *faults, uint64_t *hit);

/** The packet in front of a buffer is out, its flits are: what it had asked for is free, the next one comes to the front. */
void hf_kernel_front_is_out(hf_kernel *k, uint32_t lane);

/* ---- drain.c ---- */
hf_status hf_kernel_drain_new(hf_kernel *k);
/** Packets that have stood in full rings go out, others come in again. */
hf_status hf_kernel_drain(hf_kernel *k);
/** May the packet in front of a lane go out, if it stands there for long? */
bool hf_kernel_may_drain(const hf_kernel *k, uint32_t lane);
/** Packets at interfaces. \param[out] packet the i-th, if there are as many \return how many */
size_t hf_kernel_parked(const hf_kernel *k, size_t i, uint32_t *packet);

/* ---- place.c ---- */
/** Flits into the buffer of r, and the output queue before it when that is full. */
void hf_kernel_put_flits(hf_kernel *k, uint32_t r, uint32_t packet, uint32_t n, bool has_head, bool has_tail);

/* ---- route.c ---- */
/** Hops at a node by the tables of this cycle, over whatever channels, into k->route_hops. \param[out] n how many, at most
 *  k->max_hops; HF_ROUTE_WAIT: none now, later \return HF_EINVAL where the rule breaks its contract */
hf_status hf_kernel_route(const hf_kernel *k, uint32_t at, hf_hop in, uint32_t destination, size_t *n);
/** Is an offered channel one that packets at a node choose from? Healthy ones are; and where packets commit themselves to a hop,
 *  those that the node's tables offer though they were made for their failure: who chooses one is lost. */
bool hf_kernel_is_chosen_from(const hf_kernel *k, uint32_t at, uint32_t channel);
/** Hops of the escape at a node, by the plan that is in force there, into k->escape_hops. \param[out] n 0 if it has none
 *  \return as hf_kernel_route() */
hf_status hf_kernel_escape(const hf_kernel *k, uint32_t at, hf_hop in, uint32_t destination, size_t *n);
/** A way by which such a packet gets to resource r with the tag: by the plan for all faults so far, else by one of those before;
 *  none, where it came by tables of several. \return as hf_find_path(); HF_ENOMEM */
hf_status hf_kernel_find_path(const hf_kernel *k, uint32_t r, uint32_t tag, hf_blocked *blocked);

/* ---- struck.c ---- */
/** With faults scheduled: the cycle at which a channel fails, and by which of them; UINT64_MAX: never. */
uint64_t hf_kernel_fails_at(const hf_kernel *k, uint32_t channel, uint32_t *fault);
/** With faults scheduled: has a switch failed by now, and by which of them? */
bool hf_kernel_switch_failed(const hf_kernel *k, uint32_t node, uint32_t *fault);
/** A fault has broken a packet. */
void hf_kernel_count_hit(hf_kernel *k, uint32_t fault);
/** Did a packet that left its source then come in after all faults so far had been dealt with? */
bool hf_kernel_came_late(const hf_kernel *k, uint64_t entered);
/** Is a reconfiguration on its way? */
bool hf_kernel_is_changing(const hf_kernel *k);
/** A packet is lost that came in at cycle `entered`. */
void hf_kernel_count_lost(hf_kernel *k, uint64_t entered);

/* ---- control.c ---- */
/** A control packet has been given resource q. */
void hf_kernel_control_granted(hf_kernel *k, uint32_t q);
/** Is a control packet on the channel in this cycle? */
bool hf_kernel_control_sends(const hf_kernel *k, uint32_t channel);

/* ---- reconfigure.c ---- */
/** The cycle from which on hf_kernel_reconfigure() has something to do. */
uint64_t hf_kernel_next_change(const hf_kernel *k);
/** Faults, notices and control packets of this cycle. */
hf_status hf_kernel_reconfigure(hf_kernel *k);

/* ---- circuit.c ---- */
hf_status hf_kernel_circuits_new(hf_kernel *k);
void hf_kernel_circuit_seed(hf_kernel *k, uint64_t seed);
/** A packet is at the head of source t. */
hf_status hf_kernel_circuit_start(hf_kernel *k, uint32_t t);
/** Faults have been scheduled: what waits at a source asks the plan anew, whichever of its channels comes free. */
void hf_kernel_circuit_ask_anew(hf_kernel *k);
/** Headers and ends of this cycle. */
hf_status hf_kernel_circuit_step(hf_kernel *k);

/* ---- blockages.c ---- */
/** For selection `unblocked`; else nothing. After the channels that are down are known. \return HF_ENOTSUP for a rule without
 * directions */
hf_status hf_kernel_blockages_new(hf_kernel *k);
/** A healthy channel is taken, or comes free. */
void hf_kernel_blockage(hf_kernel *k, uint32_t channel, bool is_free);
/** Is a free one, and leads to a terminal or a router that is not blocked? */
bool hf_kernel_is_unblocked(const hf_kernel *k, uint32_t channel);

/* ---- relay.c ---- */
/** Where to send what terminal `at` has for `destination`: there, or to the next of the fewest terminals that pass it on; the
 *  destination also where there is no way at all. */
hf_status hf_kernel_leg(hf_kernel *k, uint32_t at, uint32_t destination, uint32_t *out);

/* ---- heads.c ---- */
/** \return HF_EINVAL for options that mean nothing there */
hf_status hf_kernel_heads_check(const hf_kernel *k);
/** Of a kernel without resources or ports: its lanes are those of sources alone. */
hf_status hf_kernel_heads_new(hf_kernel *k);
/** A packet is at the head of source t. */
hf_status hf_kernel_heads_start(hf_kernel *k, uint32_t t);
/** What has arrived by this cycle, and the sources that are idle from it on; before anybody sends. */
hf_status hf_kernel_heads_come_in(hf_kernel *k);
/** Heads of this cycle. */
hf_status hf_kernel_heads_step(hf_kernel *k);
/** The next cycle, from the present one on, in which something happens unless a packet is sent; UINT64_MAX: none */
uint64_t hf_kernel_heads_next(const hf_kernel *k);

/* ---- order.c ---- */
/** A packet is at its destination, or lost: count it, in its turn. */
void hf_kernel_end_packet(hf_kernel *k, uint32_t packet, bool is_lost);
/** Has the destination room for one more packet of this source? */
bool hf_kernel_may_send(const hf_kernel *k, const hf_packet *p);
/** A packet leaves its source. */
void hf_kernel_number(hf_kernel *k, hf_packet *p);
hf_status hf_kernel_order_new(hf_kernel *k);

/* ---- select.c ---- */
/** Free flits of q that the packet in front of `lane` needs under vct and saf. */
uint32_t hf_kernel_need(const hf_kernel *k, uint32_t lane, uint32_t q);
/** Would `space` free flits of q do for the packet in front of `lane`? */
bool hf_kernel_has_room(const hf_kernel *k, uint32_t lane, uint32_t q, uint32_t space);
/** May the packet in front of `lane` be given resource q now? */
bool hf_kernel_is_free(const hf_kernel *k, uint32_t lane, uint32_t q);
/** Index of the hop that the header in front of `lane` asks for, HF_NONE if none is free; not of one with HF_SLOT_RUN. */
uint32_t hf_kernel_select(const hf_kernel *k, uint32_t lane);
/** Leave of the hops of a lane those over one channel, drawn. */
void hf_kernel_draw_channel(hf_kernel *k, uint32_t lane, hf_hop *hops);
/** Index of the hop that the header in front of `lane` waits for from now on, where headers choose once. */
uint32_t hf_kernel_choose(hf_kernel *k, uint32_t lane, const hf_hop *hops);

/* ---- rhythm.c ---- */
/** \return HF_EINVAL for a load or bursts out of range */
hf_status hf_rhythm_make(hf_context *cx, double load, hf_burst burst, uint32_t packet_length, hf_rhythm *out);
/** Where a terminal is in cycle `now`, before it generates anything. */
void hf_rhythm_start(const hf_rhythm *rhythm, uint64_t now, hf_generator *source);
/** Go to the next packet: next is later by at least 1; 2^62 or more: never. */
void hf_rhythm_next(const hf_rhythm *rhythm, hf_generator *source);

/* ---- source.c ---- */
/** Before the first packet of terminal t. \return whether it sends anything */
bool hf_source_start(const hf_plan *plan, const hf_traffic *traffic, const hf_rhythm *rhythm, uint64_t seed, uint64_t now,
                     uint32_t t, hf_generator *out);
/** Go to the next packet of terminal t; 2^62 or later: none. */
void hf_generator_next(const hf_plan *plan, const hf_traffic *traffic, const hf_rhythm *rhythm, uint32_t t, hf_generator *source);
/** Who sends from now on; once, to a kernel whose sources are idle. \return HF_EINVAL if they are not */
hf_status hf_kernel_attach(hf_kernel *k, const hf_client *client, void *user);
/** Put a packet at the head of the source queue of its source, which is idle. */
hf_status hf_kernel_put_at_head(hf_kernel *k, const hf_packet *p);

#endif
