/** \file
 *  Can a plan deadlock? The dependency relation over (channel, virtual channel), the deciders, certificates and witnesses.
 *
 *  A resource is one virtual channel of one channel: number channel * n_vc + vc. Only what packets can really do counts: the
 *  relation is followed from every live source to every live destination. A packet at its destination's node is consumed.
 *  A deadlock is a set of packets, each of which holds resources along a way that the relation offers it, and each of which finds
 *  every hop that it may take held by one of the set. Packets may have any length, from what one buffer holds. */
#ifndef HOLDFAST_DEADLOCK_H
#define HOLDFAST_DEADLOCK_H

#include <holdfast/routing.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a packet holds while it waits. */
typedef enum hf_switching {
    HF_SWITCHING_WORMHOLE, /**< every channel that its flits lie in: a stretch of its way */
    HF_SWITCHING_VCT,      /**< one buffer (virtual cut-through) */
    HF_SWITCHING_SAF       /**< one buffer (store and forward) */
} hf_switching;
/** "wormhole", "vct", "saf". */
const char *hf_switching_name(hf_switching switching);
/** Flow control with bubbles counts buffers that hold a packet. \return HF_EINVAL with one sentence if `bubble` and wormhole */
hf_status hf_switching_check(hf_context *cx, hf_switching switching, bool bubble);

/** Proved free, a deadlock was found, or neither within the limits. */
typedef enum hf_deadlock_answer { HF_DEADLOCK_FREE, HF_DEADLOCK_FOUND, HF_DEADLOCK_UNKNOWN } hf_deadlock_answer;
/** "deadlock-free", "deadlock", "unknown". */
const char *hf_deadlock_answer_name(hf_deadlock_answer answer);

/** How the answer came about. */
typedef enum hf_deadlock_method {
    HF_METHOD_ACYCLIC,       /**< the dependency graph has no cycle [dally1987] */
    HF_METHOD_BUBBLE,        /**< no cycle but for declared rings with bubble flow control [puente2004] */
    HF_METHOD_ESCAPE,        /**< an escape subrelation without a cycle of extended dependencies [duato1995] */
    HF_METHOD_BUBBLE_ESCAPE, /**< an escape without a cycle of extended dependencies but declared rings with bubbles [puente2004]
                              */
    HF_METHOD_FIXPOINT,      /**< exact for packets that hold one buffer: the greatest set that waits for itself */
    HF_METHOD_WORMS,         /**< exact for wormhole: no configuration of worms, by integer programming */
    HF_METHOD_LOCKSTEP,      /**< exact for packets in lockstep: no deadlock among the states after the empty network */
    HF_METHOD_NONE           /**< time or memory was over */
} hf_deadlock_method;
const char *hf_deadlock_method_name(hf_deadlock_method method);

/** What is assumed about time. */
typedef enum hf_timing {
    HF_TIMING_ANY,     /**< nothing: a packet may be held up anywhere */
    HF_TIMING_LOCKSTEP /**< a packet goes on as soon as its next channel is free */
} hf_timing;
/** "any", "lockstep". */
const char *hf_timing_name(hf_timing timing);

/** Whom a plan serves, by hf_deadlock.serves: "some", "nobody". */
const char *hf_serves_name(bool serves);

/** Which subrelation serves as escape. */
typedef struct hf_escape {
    bool is_declared; /**< the routing's own */
    uint64_t vcs;     /**< else: hops on these virtual channels (bit v), and on terminal channels */
} hf_escape;

/** One packet of a deadlock. */
typedef struct hf_blocked {
    uint32_t source, destination; /**< terminals */
    /** Of a plan with classes: the packet's; and if it has arrived and waits until it can be answered, the class of the answer
     * and the terminal that it is for, else HF_NONE */
    uint32_t class, answer, answer_to;
    uint32_t n_hold, n_wait, n_path;
    uint32_t *hold; /**< resources, first to last; the header is at the end of the last */
    uint32_t *wait; /**< resources: all hops that it may take */
    hf_hop *path;   /**< hops from the source's first to that of the first resource held */
} hf_blocked;

/** How packets move, and how much work the answer is worth. */
typedef struct hf_deadlock_options {
    hf_switching switching;
    bool bubble;           /**< flow control with bubbles on the rings that the routing declares */
    const uint64_t *plain; /**< n_channel bits: channels that keep none all the same; NULL: none does */
    uint32_t threads;      /**< 0: all cores */
    double time_limit_s;   /**< for the exact search of worms and for the smallest witness; 0: 60 */
    hf_timing timing;      /**< lockstep: wormhole only */
    bool want_witness;     /**< make `blocked` smallest and trace its packets back to their sources */
} hf_deadlock_options;

/** Channels of a cycle that are told, at most. */
enum { HF_ESCAPE_CYCLE = 32 };
/** Why the escape that a rule declares does not keep it free. */
typedef struct hf_escape_fault {
    bool is_missing;  /**< some packet is offered no escape where it can be */
    bool is_all;      /**< the escape is all that packets are offered, so it explains nothing */
    uint32_t n_cycle; /**< else: of a shortest cycle of its direct dependencies; 0: only extended ones have one, or it is long */
    uint32_t cycle[HF_ESCAPE_CYCLE]; /**< resources, in order */
} hf_escape_fault;

/** Where packets come onto a ring over a channel that keeps no bubbles, so that the ring can fill up. */
typedef struct hf_ring_gap {
    uint32_t ring;     /**< its number */
    uint32_t from, to; /**< resources: the lowest off the ring from which they come, and the one on the ring that they take */
} hf_ring_gap;

/** Answer for one plan. Arrays live in the arena. */
typedef struct hf_deadlock {
    hf_deadlock_answer answer;
    hf_deadlock_method method;
    bool is_time_over;                      /**< the answer is unknown as the time limit was passed */
    bool is_connected;                      /**< every packet of every pair can go on from wherever it can get, and arrives */
    bool serves;                            /**< some packet gets to a terminal, perhaps not of every pair */
    bool is_parted;                         /**< the healthy channels do not join all pairs that send: no rule could serve them */
    uint32_t lost_source, lost_destination; /**< a pair for which that fails; HF_NONE if connected */
    uint32_t n_vc, n_resource;
    uint64_t n_used;       /**< resources that packets can reach */
    uint64_t n_dependency; /**< pairs (held, requested) */
    /** Certificate, n_resource numbers; HF_NONE: not used. ACYCLIC, BUBBLE: rises along every dependency (but those inside a
     * ring). FIXPOINT: every packet that can sit at a resource may take a hop of a lower number, or one of the same number along
     * a ring with bubbles, or is delivered. ESCAPE: rises
     * along every extended dependency of the escape (BUBBLE_ESCAPE: but those inside a ring). */
    uint32_t *number;
    hf_escape escape;
    uint32_t n_blocked;
    hf_blocked *blocked;           /**< in the order of waiting where it is a single cycle */
    uint32_t girth;                /**< resources of the shortest cycle of the dependency graph; HF_NONE: not known */
    bool is_smallest;              /**< no deadlock holds fewer resources; proved */
    struct hf_lockstep *lockstep;  /**< two, by same_step; NULL: not asked, or not needed */
    hf_escape_fault *escape_fault; /**< of a declared escape that was tried, with want_witness; NULL: none */
    const uint32_t *ring_of; /**< by resource: rings that bubbles keep from filling up, HF_NONE: on none; NULL: there are none */
    uint32_t n_gap;          /**< where some channels keep bubbles and others do not: gaps of rings, ascending by `to` */
    hf_ring_gap *gap;
    /** What may follow each resource, for hf_deadlock_turns(). Lives in the arena, too, and refers to the plan: good for as long
     * as both are */
    const struct hf_dependency *dependency;
} hf_deadlock;

/** Decide. With lockstep timing, what can deadlock is searched for a deadlock that packets get into; the plan is free of
 *  deadlock if there is none for either value of `same_step`.
 *  \return HF_OK; HF_ENOTSUP where a bubble is asked of a routing that declares no rings; HF_ENOMEM, HF_ESTOP. */
hf_status hf_deadlock_decide(hf_context *cx, const hf_plan *plan, const hf_deadlock_options *options, hf_deadlock *out);

/** One of the conditions that a bubble escape rests on: it has been checked, or the flow control has to keep it. */
typedef struct hf_condition {
    bool is_assumed;
    const char *text; /**< "checked: ..." or "assumed: ..." */
} hf_condition;
enum { HF_CONDITIONS = 5 };
/** Those of a plan that HF_METHOD_BUBBLE_ESCAPE proved free. \param[in] ring_of of the answer \param[out] out HF_CONDITIONS of
 * them; texts live in the arena. Source: [puente2004] */
hf_status hf_deadlock_conditions(hf_context *cx, const hf_plan *plan, const uint32_t *ring_of, hf_condition *out);

/** Bytes of a course, and turns that are told. */
enum { HF_COURSE_SIZE = 24, HF_TURNS = 16 };
/** A turn of packets in a deadlock, by courses of channels. */
typedef struct hf_turn {
    char from[HF_COURSE_SIZE], to[HF_COURSE_SIZE];
    uint32_t n;        /**< how often the deadlock has it */
    bool leaves_cycle; /**< dependencies have a cycle where nobody turns so, too */
} hf_turn;
/** The course of a channel: "east" in a grid, "local" or "global" between groups, "up" or "down" between stages. \return false
 * where the network has none */
bool hf_channel_course(const hf_topology *topo, uint32_t channel, char *text, size_t size);
/** The turns of a deadlock, in the order of its packets. \param[in] found from hf_deadlock_decide() of this plan: a deadlock that
 *  came about otherwise has no `dependency`  \param[out] out HF_TURNS \param[out] n 0 where channels have no course
 *  Time O(dependencies) for each turn */
hf_status hf_deadlock_turns(hf_context *cx, const hf_plan *plan, const hf_deadlock *found, hf_turn *out, uint32_t *n);

/** What a rule with rings needs where there are no bubbles, to be said behind its name; NULL: it has none, or there are. */
const char *hf_rings_remark(const hf_plan *plan, bool has_bubbles);

/** Answer for packets in lockstep. */
typedef struct hf_lockstep {
    hf_deadlock_answer answer;
    uint64_t n_state;    /**< looked at */
    const char *reason;  /**< why the answer is unknown; NULL otherwise */
    uint32_t n_blocked;  /**< packets of the deadlock, in the order of waiting */
    hf_blocked *blocked; /**< in the arena */
} hf_lockstep;

/** What counts as a state, and how many of them are searched. */
typedef struct hf_lockstep_options {
    bool same_step; /**< a channel may be taken in the step in which the last flit of a packet leaves it; else only when it has
                       been empty for a step */
    size_t state_limit; /**< most states; the table of them also stays below 1 GiB */
    double time_limit_s;
    const hf_blocked *only; /**< only packets of these pairs are sent; NULL: of all pairs */
    uint32_t n_only;
} hf_lockstep_options;

/** Search all states of flits that packets of any length get into from the empty network, in lockstep: in each step every packet
 *  whose next channel is free goes on by one channel, one flit a buffer; of several that want a channel any one gets it. For
 *  wormhole switching and relations with one way for each pair on one virtual channel a channel.
 *  \return HF_OK; HF_ENOTSUP for other relations; HF_ENOMEM, HF_ESTOP. Time and memory grow with the states, exponential in the
 *  packets that are under way. Source: [schwiebert2001] for the model */
hf_status hf_lockstep_search(hf_context *cx, const hf_plan *plan, const hf_lockstep_options *options, hf_lockstep *out);

/** A hop that packets for one destination are not offered, as no way is left behind it. */
typedef struct hf_withheld {
    uint32_t from, to;    /**< resources; from HF_NONE: at injection */
    uint32_t destination; /**< terminal */
} hf_withheld;

/** What to forbid so that a cyclic routing cannot deadlock. A set of dependencies is a repair if, where no packet is offered a
 * hop that is one of them: the dependencies that packets still bring about have no cycle; no packet gets to where it is offered
 * no hop; every pair of live terminals is connected. */
typedef struct hf_repair {
    bool by_turns;      /**< turns of a grid: every dependency from one direction to another at once */
    bool is_found;      /**< a repair: it was applied, and verified */
    bool is_fewest;     /**< proved: no repair forbids fewer */
    bool is_impossible; /**< proved: there is no repair */
    uint32_t n_forbidden;
    uint32_t lower_bound; /**< of every repair */
    uint32_t *from, *to;  /**< n_forbidden: resources of a dependency, or of one of the turn; in the arena */
    /** NULL where a repair is found; else the same for packets that look ahead: a hop is also withheld from packets of a
     * destination to which no way is left behind it. */
    struct hf_repair *ahead;
    uint32_t n_withheld;
    hf_withheld *withheld; /**< where packets look ahead: those hops, of places that packets get to; in the arena */
} hf_repair;
/** The fewest dependencies or turns to forbid, exact by integer programming within limit_s seconds, for each of the two.
 *  \return HF_ENOTSUP: turns, and no grid; HF_ERANGE: too large */
hf_status hf_deadlock_repair(hf_context *cx, const hf_plan *plan, bool by_turns, double limit_s, hf_repair *out);

/** The way of one pair, source to destination; or of none, n 0. */
typedef struct hf_route {
    uint32_t source, destination, n;
    uint32_t *resource; /**< n: channel * n_vc + vc */
    bool is_new;        /**< another way than the rule has for the pair */
} hf_route;
/** One way for each pair, in the order of sources and destinations. In the arena. */
typedef struct hf_routes {
    uint32_t n_vc, n;
    hf_route *of;
} hf_routes;
/** Write them as a file that routing `paths:` reads. */
void hf_routes_print_paths(const hf_topology *topo, const hf_routes *routes, hf_text *out);
/** The spec of the rule that such a file is. \param[out] spec in the arena */
hf_status hf_routes_spec(hf_context *cx, const char *path, char **spec);
/** Write them as a file that routing `table:` reads: a row for each hop. */
void hf_routes_print_table(const hf_topology *topo, const hf_routes *routes, hf_text *out);

/** Other ways for some pairs, so that no cycle of dependencies is left. */
typedef struct hf_reroute {
    bool is_found;                    /**< the ways close no cycle; checked */
    bool is_fewest;                   /**< proved: at least so many pairs need another way */
    bool one_more_vc;                 /**< with one virtual channel more the same pairs could keep their ways on it */
    uint32_t n_changed;               /**< pairs with another way */
    uint32_t n_lost;                  /**< pairs that no way is left for */
    uint32_t lower_bound;             /**< pairs that need another way, whatever is chosen */
    uint32_t load_before, load_after; /**< routes over the busiest channel between switches */
    hf_routes routes;
    const hf_route *old; /**< by route: the way that the rule has */
} hf_reroute;
/** For rules with one way for each pair: the fewest pairs first, then no busier channels than there are, then short ways; on the
 *  virtual channels that the rule has. `limit_s` seconds for the choice of pairs and for giving ways back.
 *  \return HF_ENOTSUP: packets are offered several hops; HF_ERANGE: too large. Time O(dependencies * resources / 64) and that of
 *  integer programs, memory O(resources^2 / 8) */
hf_status hf_deadlock_reroute(hf_context *cx, const hf_plan *plan, double limit_s, hf_reroute *out);

/** Virtual channels with which paths can be layered so that no layer has a cycle; one path a pair. */
typedef struct hf_layers {
    uint64_t n_path;
    uint32_t lower, upper; /**< upper: layers that were found to do; HF_NONE: more than 64 */
    hf_routes routes;      /**< with want_routes: the paths, each on the virtual channels of its layer */
} hf_layers;
/** Layer the paths that take the first hop offered everywhere. Source: [skeie2002]. */
hf_status hf_deadlock_layers(hf_context *cx, const hf_plan *plan, bool want_routes, hf_layers *out);
/** Would it fit this machine and a day? \return HF_ERANGE with the estimate unless it would */
hf_status hf_deadlock_layers_check(hf_context *cx, const hf_topology *topo);

/** Name of a resource as "s0:1>s4:0 vc 1". */
void hf_resource_name(const hf_topology *topo, uint32_t n_vc, uint32_t resource, char *text, size_t size);

/** Classes of hf_measure.outcome under the judge of deadlocks. NOT_COVERED: the plan keeps no terminal in service. TIME_LIMIT:
 * not decided in time; UNKNOWN: not decided for another reason. DISCONNECTED: some packet cannot arrive, as the network is
 * parted; LOST: though it is not. IDLE: no packet is lost, as no terminal in service sends to another one. */
enum {
    HF_OUTCOME_FREE,
    HF_OUTCOME_DEADLOCK,
    HF_OUTCOME_DISCONNECTED,
    HF_OUTCOME_LOST,
    HF_OUTCOME_UNKNOWN,
    HF_OUTCOME_NOT_COVERED,
    HF_OUTCOME_TIME_LIMIT,
    HF_OUTCOME_IDLE,
    HF_OUTCOME_COUNT
};
/** The class of an answer for a plan that covers its faults. */
uint8_t hf_deadlock_outcome(const hf_deadlock *answer);
/** The bit of hf_measure.noted that sets of a class have: of those disconnected, with loss, not covered, or idle; HF_NONE: they
 *  are not noted. */
uint32_t hf_deadlock_note(uint32_t outcome);
/** A judge that decides every fault set: tolerated unless the answer is a deadlock. `options` is copied. */
hf_status hf_deadlock_judge_new(hf_context *cx, const hf_universe *universe, const hf_rule *rule,
                                const hf_deadlock_options *options, hf_judge **out);

#ifdef __cplusplus
}
#endif
#endif
