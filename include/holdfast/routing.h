/** \file
 *  Routings: the rule that turns (topology, fault set) into a plan; a plan is a routing relation.
 *
 *  Everything that asks "where may this packet go" reads hf_plan_read(), which holds what a rule says against its contract. A
 *  routing may add a judge, the incremental fast path of campaigns; a test compares it with the relation on random fault sets. */
#ifndef HOLDFAST_ROUTING_H
#define HOLDFAST_ROUTING_H

#include <holdfast/core/big.h>
#include <holdfast/core/interval.h>
#include <holdfast/core/text.h>
#include <holdfast/fault.h>
#include <holdfast/routing/classes.h>
#include <holdfast/routing/control.h>
#include <holdfast/routing/flows.h>
#include <holdfast/routing/given.h>
#include <holdfast/routing/likeness.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Traits that a routing claims; the conformance tests hold it to them. */
enum {
    HF_ROUTING_MINIMAL = 1u << 0,     /**< every path of every plan is a shortest path of the fault-free network */
    HF_ROUTING_ADAPTIVE = 1u << 1,    /**< more than one hop may be admissible */
    HF_ROUTING_MONOTONE = 1u << 2,    /**< a superset of a not tolerated set is not tolerated */
    HF_ROUTING_ORDER_FREE = 1u << 3,  /**< the plan does not depend on the order of insertion */
    HF_ROUTING_ACYCLIC = 1u << 4,     /**< acyclic channel dependency graph under every fault set */
    HF_ROUTING_FAULT_AWARE = 1u << 5, /**< no hop of a plan crosses a failed channel; a rule without it may offer such hops, and a
                                         path of its plan then meets a fault */
    HF_ROUTING_ALL_MINIMAL = 1u << 6, /**< the plan offers exactly the healthy shortest paths, so lost paths have a closed form */
    HF_ROUTING_REACHED = 1u << 7,     /**< no claim: the plan answers only for states that its packets reach, elsewhere nothing */
    HF_ROUTING_BLIND = 1u << 8,       /**< a plan does not depend on the faults: one relation, of which faults take channels */
    HF_ROUTING_SHORTEST = 1u << 9,    /**< the plan offers exactly the shortest paths of what the faults leave: it serves whom a
                                         healthy path connects, and loses a path with a channel of it, nothing else */
    HF_ROUTING_COMPLETE = 1u << 10, /**< where all terminals are connected all pairs are served, and no path meets a fault; where
                                       they are not, some pair is not served */
    HF_ROUTING_COMPLETE_BY_LINKS = 1u << 11, /**< the same of faults that take both channels of each link that they take */
    HF_ROUTING_COMMITS =
        1u << 12,                /**< a packet that is offered several hops chooses one when it comes, and waits for that alone */
    HF_ROUTING_UNEVEN = 1u << 13 /**< no claim: how many virtual channels its plans have follows from the faults, or some are for
                                    all further hops: more of them, `vcs`, need be no multiple; the first have a lane more */
};

/** A step of a packet: over a channel, on a virtual channel. As `in` of a plan, the step by which it arrived. */
typedef struct hf_hop {
    uint32_t channel; /**< channel to take, in [0, topo->n_channel); HF_NONE at injection */
    uint32_t vc;      /**< its virtual channel, in [0, n_vc) */
    uint32_t tag;     /**< header bits carried over it, below HF_TAG_END; 0 at injection */
} hf_hop;
#define HF_HOP_INJECTION ((hf_hop){HF_NONE, 0, 0})
#define HF_TAG_END 0x80000000u /**< tags of a rule stay below; the kernel has the bit */

/** Channels first .. first + n - 1. */
typedef struct hf_channel_run {
    uint32_t first, n;
} hf_channel_run;

typedef struct hf_routing hf_routing;
struct hf_marks; /**< include/holdfast/format.h */
struct hf_lanes; /**< below */

/** A plan: the relation for one fault set. Lives in the arena of the context that made it; read-only once made. */
typedef struct hf_plan {
    const hf_routing *routing;
    const hf_topology *topo;
    const hf_fault_set *faults;
    const hf_args *args;
    const void *data; /**< what the routing's open() made; NULL if it has none */
    uint32_t n_vc;
    uint32_t max_hops;    /**< no call of route writes more hops than this */
    const uint64_t *live; /**< n_terminal bits: terminals that the plan keeps in service; NULL: all */
    bool relays;          /**< terminals in service pass on what has no direct way */
    bool uses_order;      /**< components were inserted in the order of faults->component */
    const void *state;    /**< the routing's own */
    /** NULL, or the relation of route() in short, for who asks often: its channels in its order, in at most `max_runs` runs,
     *  with such beside them as have failed. So only where the way taken plays no part, nor do virtual channels and tags: n_vc
     *  is 1. */
    size_t (*runs)(const struct hf_plan *plan, uint32_t at, uint32_t destination, hf_channel_run *runs);
    uint32_t max_runs;
    /** NULL, or the channels of a way from one terminal to another, by arithmetic: all ways along runs() are as long. */
    uint32_t (*distance)(const struct hf_plan *plan, uint32_t source, uint32_t destination);
    const hf_likeness *likeness;    /**< NULL: as the routing says; or what is known of this plan alone */
    unsigned traits;                /**< further ones of this plan */
    const hf_flow_list *flows;      /**< NULL: all terminals send to all; borrowed from the rule */
    const hf_classes *classes;      /**< NULL: packets of one kind; borrowed from the rule */
    const struct hf_plan *of_class; /**< by class: the plan of its packets */
    const struct hf_lanes *lanes;   /**< NULL: the virtual channels are the rule's own; or they are lanes of those */
    const char *refusal;            /**< NULL, or why there is no plan for these faults: nobody is in service; in the arena */
} hf_plan;

/** More virtual channels than a rule has: each of its own is a class of several lanes, all alike. Where the rule offers a hop the
 *  packet may take any lane of its class. Lanes of a class follow one another. Two things keep to one lane: channels of
 *  terminals, on which a rule names one virtual channel, and a packet that goes on along a ring, so that each lane of a ring
 *  is a ring. */
typedef struct hf_lanes {
    hf_plan own;              /**< the rule's */
    uint32_t n_each, n_wider; /**< lanes of a class, and how many classes, from the first on, have one more */
    bool has_rings;
} hf_lanes;
/** The plan that the rule made; what only the rule itself understands is asked of this. */
static inline const hf_plan *hf_plan_own(const hf_plan *plan) { return plan->lanes ? &plan->lanes->own : plan; }

/** A register of an output port, for printing. */
typedef struct hf_register {
    const char *name; /**< "inclusion", "exclusion" */
    uint32_t index;   /**< which of several */
    hf_interval value;
} hf_register;

/** What a campaign measures on one fault set. Nothing is measured unless it is said to be. */
enum { HF_OUTCOMES = 8, HF_EXTRAS = 12, HF_NOTES = 4 };
typedef struct hf_measure {
    bool tolerated;
    bool has_victims, has_lost_paths; /**< measured; if not, the numbers mean nothing */
    uint8_t outcome;  /**< class of the set below HF_OUTCOMES, as the question asked names it; 0 where it has no classes */
    uint64_t victims; /**< (switch, output port, destination) triples that the plan excludes although a healthy minimal path goes
                         through them */
    uint64_t extra[HF_EXTRAS]; /**< what the routing's `extras` name */
    uint8_t noted;             /**< HF_NOTES bits: the campaign keeps the lowest set with each, as the question asked says */
    const uint64_t *quantity;  /**< where the question asked has quantities, one each, or HF_UNKNOWN; good until the next set */
    uint64_t lost_paths; /**< paths of the fault-free plan, over all ordered pairs of terminals, that this plan does not offer */
    uint32_t live;       /**< of a routing's own judge: terminals in service, see hf_plan_live() */
} hf_measure;

/** In the place of a quantity: it is not known. */
#define HF_UNKNOWN UINT64_MAX
/** In the place of a measure: the tolerated sets. */
#define HF_OVER_TOLERATED HF_NONE

/** What a further measure means. */
typedef struct hf_extra_note {
    const char *meaning; /**< one line for `holdfast describe`; what is counted on one fault set, with its unit */
    const char *ratio;   /**< NULL, or name of the sum of this measure over that of measure `over`, as a key of JSON */
    uint32_t over;       /**< of `ratio`: place in `extras`, or HF_OVER_TOLERATED for a measure that is 0 on other sets */
    /** The most that the measure can be on any fault set of a network, for intervals of sampled means; NULL: nothing is known. */
    double (*most)(const hf_topology *topo);
} hf_extra_note;
/** That bound; INFINITY where nothing is known. */
double hf_extra_most(const hf_extra_note *note, const hf_topology *topo);
/** Bounds that several measures share: terminals and switches of a network, their ordered pairs, hops of a shortest way between
 *  switches, and those summed over all ordered pairs (a chain has most), 1. */
double hf_most_terminals(const hf_topology *topo);
double hf_most_switches(const hf_topology *topo);
double hf_most_terminal_pairs(const hf_topology *topo);
double hf_most_switch_pairs(const hf_topology *topo);
double hf_most_hops(const hf_topology *topo);
double hf_most_hops_sum(const hf_topology *topo);
double hf_most_one(const hf_topology *topo);

/** What some fault sets add up to. */
typedef struct hf_judge_sum {
    uint64_t not_tolerated;
    uint64_t first;           /**< index of the first that is not; UINT64_MAX: none */
    uint64_t lost_paths_sets; /**< sets whose lost paths are measured */
    uint64_t lost_paths_max;
    hf_u128 lost_paths;
    bool has_victims; /**< measured; else there are none */
    uint64_t victims, victims_max;
    uint64_t *victims_histogram; /**< as in hf_tally, to be added to where has_victims becomes true; NULL: never mind */
} hf_judge_sum;

/** An incremental judge of fault sets: a stack of components. One per thread; owns heap memory. */
typedef struct hf_judge hf_judge;
typedef struct hf_judge_ops {
    /** Add a component / take back the last one. Components are pushed in the order in which they fail. */
    hf_status (*push)(hf_context *cx, hf_judge *judge, uint32_t component);
    void (*pop)(hf_judge *judge);
    /** NULL: it gives verdicts alone, and the relation measures; or: measure the present set. `tolerated`: every pair of
     * terminals in service is served and no path meets a fault, however few they are; for the criterion to judge, with `live`. */
    hf_status (*read)(hf_context *cx, hf_judge *judge, hf_measure *out);
    /** NULL, or: what read() says in `tolerated` and `live` alone, sooner. Without read(), HF_ENOTSUP: of this set it does not
     *  know. */
    hf_status (*verdict)(hf_context *cx, hf_judge *judge, hf_measure *out);
    /** NULL, or: what verdict() would say in `tolerated` of n components on an empty stack, without pushing them. */
    bool (*tolerates)(const hf_judge *judge, const uint32_t *component, uint32_t n);
    /** NULL, or the bit-lane count: of all sets present + {r further components above the last pushed one, ascending}, r = 1
     *  or 2, those with lexicographic index in [lo, hi) among the C(s, r) sets: how many are not tolerated, and the index of
     *  the first of them (UINT64_MAX if none). Only verdicts. */
    hf_status (*count)(hf_context *cx, hf_judge *judge, uint32_t r, uint64_t lo, uint64_t hi, uint64_t *not_tolerated,
                       uint64_t *first);
    /** NULL, or: what the sets that count() speaks of add up to, r = 1 .. sum_most. Only where no set has a class but 0, or
     * further measures. \param[in,out] out first UINT64_MAX, and all else 0 but for the histogram's place */
    hf_status (*sum)(hf_context *cx, hf_judge *judge, uint32_t r, uint64_t lo, uint64_t hi, hf_judge_sum *out);
    uint32_t sum_most;
    /** NULL, or: can no r further components, whichever, make the present set not tolerated? A sound yes lets the campaign take
     * the whole subtree as tolerated. */
    bool (*safe)(hf_judge *judge, uint32_t r);
    /** NULL, or: is every pair of terminals that a healthy path still connects served, in the set that was read last? Without it,
     *  or where it returns HF_ENOTSUP, the relation is asked. */
    hf_status (*surviving)(hf_context *cx, hf_judge *judge, bool *out);
    bool sheds; /**< some plans take terminals out of service; the measures may depend on the verdict */
    /** NULL, or: another judge of the same, for another thread, of which only what both read is shared. */
    hf_status (*share)(hf_context *cx, const hf_judge *judge, hf_judge **out);
    void (*free)(hf_judge *judge);
} hf_judge_ops;
struct hf_judge {
    const hf_judge_ops *ops;
    uint64_t index; /**< of a campaign: the rank of the set that is read next, or the number of the sample */
    bool connects;  /**< whatever fails, the rule serves every pair of terminals that a healthy path connects */
};

/** One quantity of the reconfiguration after a fault set, under one assumption. */
typedef struct hf_effort {
    const char *phase;      /**< "emergency", "safe tables", "all" */
    const char *quantity;   /**< "messages", "cycles", "hops" */
    const char *kind;       /**< "lower bound", "model", "upper bound" */
    const char *assumption; /**< what it holds under, one line; "" if nothing more is to be said */
    bool is_simulated;      /**< takes an event-driven simulation of each fault set */
    bool by_numbers;        /**< hangs on numbers of switches or components, too; else on what `symmetric` of its routing says */
} hf_effort;
/** Words for newest_first, here and in hf_reconfiguration_options: "first", "newest". */
extern const char *const hf_control_order_names[];
typedef struct hf_effort_costs {
    uint64_t hop_cycles;    /**< to manage and pass on a notice of the emergency */
    uint64_t packet_cycles; /**< to manage and pass on a control packet */
    uint64_t control_every; /**< from one control packet that a switch takes in to the next, where it takes one at a time; 0:
                                 packet_cycles */
    bool newest_first;      /**< it takes in the one that came last; else first come, first served */
    bool simulates;         /**< fill the simulated quantities too */
} hf_effort_costs;

/** What one switch tells another after a fault. */
typedef struct hf_notice {
    uint32_t at;    /**< switch that it comes to */
    uint32_t in;    /**< channel that it comes by; HF_NONE: the switch begins by itself */
    uint32_t kind;  /**< the routing's own words: what, about whom, how much */
    uint32_t about; /**< ... */
    uint32_t value; /**< ... */
} hf_notice;
/** What a switch can do when it has a notice. */
typedef struct hf_outbox hf_outbox;
struct hf_outbox {
    /** Send a control packet over a channel: `at` and `in` are filled in. It waits for the channel as packets do. */
    hf_status (*send)(hf_outbox *out, uint32_t channel, hf_notice notice);
    /** Come back to switch notice.at after so many cycles; takes no channel. */
    hf_status (*later)(hf_outbox *out, uint64_t cycles, hf_notice notice);
    /** The switch works by the next tables: stage 1 .. final_stage. */
    void (*change)(hf_outbox *out, uint32_t sw, uint8_t stage);
};
/** A fault that is being worked on. */
typedef struct hf_transition {
    const hf_plan *before, *after; /**< plans for the faults before it, and with it */
    uint64_t hop_cycles;           /**< to manage and pass on a notice of an emergency */
    void *state;                   /**< the routing's own, made by begin() */
} hf_transition;
enum { HF_ROUTE_WAIT = 0x7fffffff }; /* hops of hf_reconfiguration.route: not now */
/** How a routing gets from the plan before a fault to the plan after it, switch by switch. */
typedef struct hf_reconfiguration {
    uint8_t final_stage; /**< of a switch that works by `after` alone; one that has not changed works by `before` */
    /** The fault has been detected. State lives in the arena. */
    hf_status (*begin)(hf_context *cx, hf_transition *transition, hf_outbox *out);
    hf_status (*receive)(const hf_transition *transition, const hf_notice *notice, hf_outbox *out);
    /** NULL, or hops at a stage in between, as those of route() of `after`; HF_ROUTE_WAIT: the header has to wait for the next
     *  stage. \param[in] stage >= 1 */
    size_t (*route)(const hf_transition *transition, uint8_t stage, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops);
    /** NULL, or emergency paths: hops for a packet that is offered none, as those of route() of `after`. They leave the way that
     *  the plan has for it. */
    size_t (*deviate)(const hf_transition *transition, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops);
    bool newest_only; /**< a switch that works on a later fault throws away what it hears of earlier ones */
} hf_reconfiguration;

/** What the switches of a rule keep to route by. */
typedef enum hf_switch_memory_kind {
    HF_SWITCH_TABLE,     /**< a table of destinations */
    HF_SWITCH_INTERVALS, /**< an inclusion interval and exclusion intervals for each output port */
    HF_SWITCH_FIR        /**< flexible interval registers */
} hf_switch_memory_kind;
/** How much of it. */
typedef struct hf_switch_memory {
    hf_switch_memory_kind kind;
    uint64_t intervals; /**< INTERVALS: exclusion intervals of an output port, or HF_UNLIMITED */
} hf_switch_memory;

typedef struct hf_rule hf_rule;

/** What the class bound of k-ary n-trees (`holdfast bound`) has to know of a rule. */
typedef struct hf_class_rule {
    bool has_registers; /**< a fault acts through registers, not only through the paths it breaks */
    bool own;           /**< a switch excludes what its own failed port led to */
} hf_class_rule;

/** What a rule for multipath networks does with endpoints that are cut off (`holdfast bound --fewest`). */
typedef struct hf_isolation {
    bool is_safe; /**< every fault set is tolerated */
    bool drops;   /**< isolated endpoints leave the network */
    bool relays;  /**< live endpoints pass messages on */
} hf_isolation;

/** How plans of a rule are shown. */
typedef struct hf_routing_drawing {
    /** NULL, or: write the plan's tables for `holdfast show --registers`, lines of text. \param[in] only_switch its tables only;
     *  HF_NONE: all */
    hf_status (*describe_plan)(hf_context *cx, const hf_plan *plan, uint32_t only_switch, hf_text *out);
    /** NULL, or: what the plan makes of the faults, lines of text that `holdfast show` always prints. */
    hf_status (*describe_faults)(hf_context *cx, const hf_plan *plan, hf_text *out);
    /** NULL, or: add to the marks of a drawing of the plan; arrays in the arena. */
    hf_status (*mark)(hf_context *cx, const hf_plan *plan, struct hf_marks *marks);
    /** Rows of a grid, dimension 1, are numbered from the north: a drawing has row 0 at its top. Else + of dimension 1 is north.
     */
    bool is_north_first;
} hf_routing_drawing;

/** What a rule counts of fault sets beside what all rules have. */
typedef struct hf_routing_measures {
    /** NULL, or names of the classes of fault sets (hf_measure.outcome), as keys of JSON; ends with NULL. */
    const char *const *outcomes;
    /** NULL, or names of further measures (hf_measure.extra), as keys of JSON with their unit; ends with NULL. */
    const char *const *extras;
    const hf_extra_note *notes; /**< one for each of them */
    /** NULL, or: fill outcome and extra of a plan. Needed with outcomes or extras. */
    hf_status (*measure)(hf_context *cx, const hf_plan *plan, hf_measure *out);
    /** NULL, or: the criterion has decided about `tolerated`; fill the extras that depend on it. */
    void (*settle)(const hf_topology *topo, hf_measure *out);
} hf_routing_measures;

/** How far what a rule does hangs on the network's graph, its terminals and the faults alone, so that sets which a symmetry of
 * the network takes to one another are alike. */
enum {
    HF_SYMMETRIC_TOLERANCE = 1u << 0, /**< whether a set is tolerated */
    HF_SYMMETRIC_BUBBLES = 1u << 1,   /**< what `verify` says of it under bubble flow control */
    HF_SYMMETRIC_RELATION = 1u << 2,  /**< the relation itself, and so all that follows from it alone */
    HF_SYMMETRIC_EFFORT = 1u << 3     /**< quantities of its reconfiguration but those marked `by_numbers` */
};
typedef struct hf_symmetric {
    unsigned of;          /**< HF_SYMMETRIC_* */
    bool fixes_terminals; /**< only for symmetries that leave every terminal in its place */
    bool by_links;      /**< only for components that are one link or channel between switches, in the order of those, and fail in
                           it: another order may say something else */
    uint32_t f_most;    /**< of sets of up to so many components */
    const char *beyond; /**< why not of more, where it is not UINT32_MAX: "its registers merge by the order of faults" */
    const char *keeps;  /**< NULL, or only for symmetries that keep the value of this attribute of every link */
} hf_symmetric;

/** What reconfiguration takes. */
typedef struct hf_routing_efforts {
    const hf_effort *quantities; /**< ends with {0} */
    /** Their values for a plan, one for each, HF_UNKNOWN: not known or not asked for. */
    hf_status (*effort)(hf_context *cx, const hf_plan *plan, const hf_effort_costs *costs, uint64_t *value);
    /** How far those not marked `by_numbers` are alike for sets that symmetries take to one another: HF_SYMMETRIC_EFFORT, or 0.
     */
    hf_symmetric (*symmetric)(const hf_topology *topo, const hf_args *args);
} hf_routing_efforts;

/** For `arrival` of rules to which it makes no difference how a packet came. \return 0 */
uint32_t hf_arrival_any(const hf_plan *plan, hf_hop in);

/** For `symmetric` of rules whose relation takes part in all symmetries, whatever their arguments. */
hf_symmetric hf_always_symmetric(const hf_topology *topo, const hf_args *args);

/** For `chooses` of rules that never do. */
bool hf_routing_never_chooses(const hf_topology *topo, const hf_args *args);

/** Descriptor of a routing; one per file in src/routing, listed in list.def. */
struct hf_routing {
    const char *name;    /**< token in specs: [a-z0-9-]+, never reused */
    const char *summary; /**< one line for `holdfast list` */
    const char *source;  /**< key of the paper, with section */
    unsigned traits;     /**< HF_ROUTING_* claims; conformance tests hold it to them */
    bool is_of_program;  /**< a program hands it over, so no command can name it */
    const hf_param *params;
    /** NULL, or further traits that it has with these arguments on `topo`; NULL: on any topology. */
    unsigned (*claims)(const hf_topology *topo, const hf_args *args);
    /** Can it route this topology? NULL: any. A failure says why, in the words of the paper. */
    hf_status (*accepts)(hf_context *cx, const hf_topology *topo, const hf_args *args);
    /** NULL, or: read the files that the arguments name, once per rule, for `topo`. May put "PATH#hash" in the place of a path
     *  in `args`, as text owned by `data`. \param[out] data read-only from then on, used by many threads; free with close(). */
    hf_status (*open)(hf_context *cx, const hf_topology *topo, hf_args *args, void **data);
    void (*close)(void *data);
    /** NULL: it routes all pairs; or, of one that was opened for a topology: those that it has ways for. \param[out] out the
     *  rule's, which frees it */
    hf_status (*flows)(hf_context *cx, const void *data, hf_flow_list **out);
    /** Prepare one fault set. \param[in,out] plan routing, topo, faults, args, data are set; fill in the rest. State lives in
     * cx's arena. */
    hf_status (*plan)(hf_context *cx, hf_plan *plan);
    /** Admissible next hops; pure. Each is over a channel that leaves `at`, on a virtual channel below plan->n_vc, with a tag
     *  below HF_TAG_END; no two are the same; no more than plan->max_hops. hf_plan_read() refuses others.
     *  \param[in] at node id: the source terminal at injection, else the switch
     *  \param[in] in channel, VC and tag of arrival, HF_HOP_INJECTION at injection
     *  \param[in] destination terminal id
     *  \param[out] hops room for plan->max_hops at least
     *  \return hops written, 0 = stuck. A packet is delivered when it is at its destination's node. */
    size_t (*route)(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops);
    /** NULL, or, of a hop that route() offers: channels of the longest way on from its node, the hop's own included. For
     *  selections that weigh queues by it. */
    uint32_t (*length)(const hf_plan *plan, hf_hop hop, uint32_t destination);
    /** NULL, or the direction in which a channel leaves its switch: ways to a destination take any channel of one direction. The
     *  ways have no cycles. \return from 0, below the channels of a switch; HF_NONE: nobody in service is behind it */
    uint32_t (*direction)(const hf_plan *plan, uint32_t channel);
    /** NULL: as HF_ROUTING_BLIND says; or, of a plan without faults: would the rule say the same under all others? */
    hf_status (*is_blind)(hf_context *cx, const hf_plan *plan, bool *out);
    /** NULL: nothing is known; or what symmetries of the network keep. */
    hf_symmetric (*symmetric)(const hf_topology *topo, const hf_args *args);
    /** NULL, or the escape that keeps a fully adaptive rule free of deadlock: those of route's hops that belong to it. Under the
     *  contract of route(); what route() does not offer counts for nothing. */
    size_t (*escape)(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops);
    /** NULL, or the ring on which bubble flow control keeps a free packet buffer: a number for each of them, HF_NONE for a
     *  virtual channel on none; below n_channel * n_vc. The resources of a ring follow one another in one cycle. */
    uint32_t (*ring)(const hf_plan *plan, uint32_t channel, uint32_t vc);
    /** NULL: wherever there is `ring`; or: can plans of this network, arguments and data declare a ring, under some faults? */
    bool (*has_rings)(const hf_plan *plan);
    /** NULL, or the registers of an output port. \return how many there are; at most `max` are written. */
    size_t (*registers)(const hf_plan *plan, uint32_t sw, uint32_t port, hf_register *out, size_t max);
    /** NULL, or what the source claims of every fault set that the plan covers, for `holdfast verify` to prove or refute:
     *  "lemma 1 of chalasani1996: ...". */
    const char *claim;
    /** NULL: its switches hold tables; or what they hold. */
    hf_switch_memory (*memory)(const hf_args *args);
    /** NULL: it is read off the relation; or: is a packet offered several channels anywhere in the network without faults? Like
     *  accepts() and memory() of a rule that has it, it reads no more of the topology than an outline has. */
    bool (*chooses)(const hf_topology *topo, const hf_args *args);
    /** NULL: the class bound is not known to hold, unless the rule offers all minimal paths; or: does it hold, and by what? */
    bool (*class_rule)(const hf_args *args, hf_class_rule *out);
    /** NULL, or its policy on multipath networks. \return HF_ENOTSUP, with the reason, where the fewest components are not
     * known */
    hf_status (*isolation)(hf_context *cx, const hf_rule *rule, hf_isolation *out);
    const hf_likeness *likeness;         /**< NULL: no two packets are known to be treated alike */
    const hf_routing_drawing *drawing;   /**< NULL: its plans have nothing to show of their own */
    const hf_routing_measures *measures; /**< NULL: it has none */
    const hf_routing_efforts *efforts;   /**< NULL: what its reconfiguration takes is not known */
    /** NULL: the kernel changes from plan to plan everywhere at once, after a stated delay. */
    const hf_reconfiguration *reconfiguration;
    /** NULL, or the fast path. HF_ENOTSUP: not for this universe or size; the campaign then plans set by set. */
    hf_status (*judge)(hf_context *cx, const hf_universe *universe, const hf_rule *rule, hf_judge **out);
};

/** Without any function or name. */
extern const hf_likeness hf_no_likeness;
extern const hf_routing_drawing hf_no_drawing;
extern const hf_routing_measures hf_no_measures;
/** The optional interfaces of a routing, or these. */
static inline const hf_likeness *hf_likeness_of(const hf_plan *plan) {
    const hf_likeness *like = plan->likeness ? plan->likeness : plan->routing->likeness;
    return like ? like : &hf_no_likeness;
}
static inline const hf_routing_drawing *hf_drawing_of(const hf_routing *routing) {
    return routing->drawing ? routing->drawing : &hf_no_drawing;
}
/** Add to the marks of a drawing what the plan's rule has to show, and where its north is; arrays in the arena. */
hf_status hf_plan_mark(hf_context *cx, const hf_plan *plan, struct hf_marks *marks);
static inline const hf_routing_measures *hf_measures_of(const hf_routing *routing) {
    return routing->measures ? routing->measures : &hf_no_measures;
}

/** The routings that are built in, by name; hf_routing_find(): NULL if none is called like the `size` bytes of `name`. */
size_t hf_routing_count(void);
const hf_routing *hf_routing_at(size_t i);
const hf_routing *hf_routing_find(const char *name, size_t size);

/** A routing with its parsed arguments and canonical spec. */
struct hf_rule {
    const hf_routing *routing;
    hf_args args;
    char *spec;
    void *data;          /**< what the routing's open() made */
    unsigned claims;     /**< of the routing with these arguments, on the topology that it was made for */
    hf_flow_list *flows; /**< NULL: all terminals send to all */
    hf_classes *classes; /**< NULL: packets of one kind */
};
/** Parse "ft2ei:intervals=2", or "ft2ei:intervals=2 with CLASSES for FILE" with one or both of them: the classes of messages
 * (hf_classes_new()), and the flows that there are; and check that it accepts `topo` (NULL: not checked, and no file is read;
 * such a rule makes no plans if its routing reads files). Release with hf_rule_free(). */
hf_status hf_rule_init(hf_context *cx, const char *spec, const hf_topology *topo, hf_rule *out);
void hf_rule_free(hf_rule *rule);

/** Make the plan of a fault set. Where the rule would need more virtual channels for these faults than it is given, the plan
 * keeps nobody in service. \param[out] plan state in the arena of cx; `faults` and `rule` are borrowed. */
hf_status hf_plan_make(hf_context *cx, const hf_rule *rule, const hf_fault_set *faults, hf_plan *plan);
/** The same without lanes: for who asks which ways there are. Lanes are not told apart there. */
hf_status hf_plan_make_plain(hf_context *cx, const hf_rule *rule, const hf_fault_set *faults, hf_plan *plan);
/** Of a plan without faults: is it the plan of every fault set, of which the faults take channels? */
hf_status hf_plan_is_blind(hf_context *cx, const hf_plan *plan, bool *out);
/** How a packet came, as the rule sees it. */
hf_hop hf_lanes_own_hop(const hf_plan *plan, hf_hop in);
/** Hops of the rule on all lanes that may be taken. \param[in,out] hops room for hf_plan_room() \return how many there are now */
size_t hf_lanes_spread(const hf_plan *plan, hf_hop in, hf_hop *hops, size_t n);
/** What the rule says, unchecked: for hops that hf_plan_read() has read before. */
static inline size_t hf_plan_route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    if (!plan->lanes) {
        return plan->routing->route(plan, at, in, destination, hops);
    }
    const size_t n = plan->routing->route(hf_plan_own(plan), at, hf_lanes_own_hop(plan, in), destination, hops);
    return hf_lanes_spread(plan, in, hops, n);
}
/** Hops that there must be room for where the relation is read: all different ones that a node has, and more, so that a rule
 *  that writes more than its max_hops is told so. */
static inline size_t hf_plan_room(const hf_plan *plan) {
    const size_t most = (size_t)plan->topo->n_port_max * plan->n_vc;
    return 64 + (plan->max_hops > most ? plan->max_hops : most);
}
/** Refuse hops that break the contract of route(). \param[in] function which of the rule's functions gave them
 *  \param[in] cx NULL: no message, for threads without a context \return HF_EINVAL, with rule, place and hop in the message */
__attribute__((cold)) hf_status hf_plan_refuse(hf_context *cx, const hf_plan *plan, const char *function, uint32_t at, hf_hop in,
                                               uint32_t destination, const hf_hop *hops, size_t n);
/** Is a hop in range, and out of `at`? */
static inline bool hf_plan_hop_is_right(const hf_plan *plan, uint32_t at, const hf_hop *hop) {
    const hf_topology *topo = plan->topo;
    return hop->channel < topo->n_channel && topo->from[hop->channel] == at && hop->vc < plan->n_vc && hop->tag < HF_TAG_END;
}
static inline bool hf_hop_is(hf_hop a, hf_hop b) { return a.channel == b.channel && a.vc == b.vc && a.tag == b.tag; }
/** What a hop is hashed by: hops differ in it unless some tag is 2^24 or more, or some virtual channel 2^8. */
static inline uint64_t hf_hop_key(hf_hop hop) { return (uint64_t)hop.channel << 32 ^ (uint64_t)hop.vc << 24 ^ hop.tag; }
static inline bool hf_hops_hold(const hf_hop *hops, size_t n, hf_hop hop) {
    for (size_t i = 0; i < n; i++) {
        if (hf_hop_is(hops[i], hop)) {
            return true;
        }
    }
    return false;
}
/** Are they virtual channels one after the other of one channel, with one tag? */
static inline bool hf_hops_are_run(const hf_hop *hops, size_t n) {
    size_t i = 1;
    while (i < n && hops[i].channel == hops->channel && hops[i].vc == hops->vc + i && hops[i].tag == hops->tag) {
        i++;
    }
    return i == n;
}
/** Are all hops right, no two the same, and no more than max_hops? Time O(n), and O(n) more for each hop with the hash of
 *  one before: few of up to 256 hops, most where there are far more than 4,096. */
bool hf_plan_hops_are_right(const hf_plan *plan, uint32_t at, const hf_hop *hops, size_t n);
/** hf_plan_read() of a plan with lanes. */
hf_status hf_lanes_read(hf_context *cx, const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops,
                        size_t *n);
/** What all who follow the relation read: the hops of route(), checked. \param[out] hops room for hf_plan_room()
 *  \param[out] n hops written, 0 = stuck \return as hf_plan_refuse() where they break the contract */
static inline hf_status hf_plan_read(hf_context *cx, const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination,
                                     hf_hop *hops, size_t *n) {
    if (plan->lanes) {
        return hf_lanes_read(cx, plan, at, in, destination, hops, n);
    }
    *n = plan->routing->route(plan, at, in, destination, hops);
    const bool is_right = hf_hops_are_run(hops, *n)
                              ? hf_plan_hop_is_right(plan, at, hops) && hops[*n - 1].vc < plan->n_vc && *n <= plan->max_hops
                              : hf_plan_hops_are_right(plan, at, hops, *n);
    return is_right ? HF_OK : hf_plan_refuse(cx, plan, "route", at, in, destination, hops, *n);
}
/** The same for the escape; a rule without one: no hops. */
hf_status hf_plan_read_escape(hf_context *cx, const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops,
                              size_t *n);
/** What the plan says of the hop `in`: hf_likeness.arrival, .run and .along, hf_routing.length and .ring, each of a rule that has
 * it. */
uint32_t hf_plan_arrival(const hf_plan *plan, hf_hop in);
uint32_t hf_plan_run(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination);
uint32_t hf_plan_along(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination);
uint32_t hf_plan_length(const hf_plan *plan, hf_hop hop, uint32_t destination);
uint32_t hf_plan_ring(const hf_plan *plan, uint32_t channel, uint32_t vc);
/** The ring of each resource (channel * n_vc + vc), HF_NONE: on none. \param[out] ring n_channel * n_vc numbers
 *  \return HF_ENOTSUP where the rule declares no rings; HF_EINVAL with rule and place where a number is out of range */
hf_status hf_plan_read_rings(hf_context *cx, const hf_plan *plan, uint32_t *ring);
/** Can plans of this rule for this network declare a ring for bubble flow control, under some faults? */
bool hf_plan_has_rings(const hf_plan *plan);
/** \return HF_ENOTSUP that says so where they cannot */
hf_status hf_plan_need_rings(hf_context *cx, const hf_plan *plan);
/** Does the plan keep no terminal in service? Such a fault set is not covered. */
bool hf_plan_is_empty(const hf_plan *plan);
/** Terminals in service: those that the plan keeps, but for terminals all of whose channels have failed. */
uint32_t hf_plan_live(const hf_plan *plan);
static inline bool hf_plan_is_live(const hf_plan *plan, uint32_t terminal) {
    return !plan->live || ((plan->live[terminal >> 6] >> (terminal & 63)) & 1);
}
/** Is there a flow from one terminal to another, whether or not they are in service? */
static inline bool hf_plan_has_flow(const hf_plan *plan, uint32_t source, uint32_t destination) {
    return source != destination && (!plan->flows || hf_flow_list_find(plan->flows, source, destination) != HF_NONE);
}
/** And are both in service? */
static inline bool hf_plan_sends(const hf_plan *plan, uint32_t source, uint32_t destination) {
    return hf_plan_is_live(plan, source) && hf_plan_is_live(plan, destination) && hf_plan_has_flow(plan, source, destination);
}
/** What a routing claims of a relation of all pairs with these arguments. \param[in] topo NULL: on any topology
 *  \param[in] args NULL: with any */
unsigned hf_routing_claims(const hf_routing *routing, const hf_topology *topo, const hf_args *args);
/** What a rule claims: those of its traits that hold for its topology, arguments and flows. */
unsigned hf_rule_traits(const hf_rule *rule);
unsigned hf_plan_traits(const hf_plan *plan);

#ifdef __cplusplus
}
#endif
#endif
