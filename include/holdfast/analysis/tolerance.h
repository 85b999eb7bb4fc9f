/** \file
 *  Analyses that read the routing relation: criteria of tolerance, path counts, the class bound with its certificate. */
#ifndef HOLDFAST_ANALYSIS_TOLERANCE_H
#define HOLDFAST_ANALYSIS_TOLERANCE_H

#include <holdfast/core/big.h>
#include <holdfast/routing.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A criterion of tolerance as it is listed; one per line of src/analysis/tolerance/criterion.def. */
typedef struct hf_criterion_kind {
    const char *name; /**< all-pairs, connected, surviving, switches-connected */
    const char *summary;
    const char *source;
    unsigned flags; /**< HF_CRITERION_* */
    const hf_param *params;
} hf_criterion_kind;
enum {
    HF_CRITERION_CONNECTED = 1u << 0, /**< asks only the healthy network */
    HF_CRITERION_SURVIVING = 1u << 1, /**< only pairs that a healthy path connects must be served */
    HF_CRITERION_SWITCHES = 1u << 2 /**< asks only the network between the switches that have not failed; verdicts, no measures */
};
size_t hf_criterion_count(void);
const hf_criterion_kind *hf_criterion_at(size_t i);

/** When is a fault set tolerated: a criterion with its argument. Plain values; nothing to free. */
typedef struct hf_criterion {
    const char *name;
    unsigned flags;
    uint64_t live;      /**< terminals that must be in service at least, or their share of all in thousandths of a percent */
    bool live_is_share; /**< `live` is a share; two terminals are needed in any case */
    char spec[64];      /**< canonical: "surviving", "all-pairs:live=50%" */
} hf_criterion;
/** Parse "surviving" or "all-pairs:live=50%". */
hf_status hf_criterion_init(hf_context *cx, const char *spec, hf_criterion *out);
/** Terminals of `topo` that a tolerated set leaves in service at least. In service are those that the plan keeps, but for
 *  terminals all of whose channels have failed; under switches-connected, those with a healthy channel to or from a switch that
 *  has not failed. Connected asks for all terminals anyway. A network of fewer than two terminals has no pairs and needs none;
 *  under switches-connected its switches count instead.
 *  \return HF_EINVAL if that is more than there are */
hf_status hf_criterion_least(hf_context *cx, const hf_criterion *criterion, const hf_topology *topo, uint32_t *out);

/** What the relation of one plan says of every ordered pair of distinct terminals. Slow and obvious: per destination, a walk over
 *  all (node, arrival) states that packets can reach. All sets live in the arena. */
typedef struct hf_verdict {
    bool tolerated;
    uint64_t pairs;    /**< ordered pairs that had to be served */
    uint64_t unserved; /**< of those: pairs for which the plan has no complete healthy path; with relays, no chain of them by way
                          of terminals in service */
    uint64_t unsafe; /**< pairs for which some path of the plan meets a fault: a hop over a failed channel, or a switch where the
                        packet is stuck although the plan sent it there */
    uint32_t live, least;     /**< terminals in service, and how many must be at least; see hf_criterion_least() */
    const uint64_t *bad_pair; /**< bit source * n_terminal + destination: pairs unserved or unsafe; NULL unless asked for */
} hf_verdict;
/** Judge one plan by `criterion` from the relation. Time O(N * states), scratch O(states). \param[in] want_pairs fill
 * bad_pair. */
hf_status hf_tolerance_judge(hf_context *cx, const hf_plan *plan, const hf_criterion *criterion, bool want_pairs,
                             hf_verdict *out);
/** Which terminals are cut off: one after the other, the one in most bad pairs, the lowest of several, as long as it loses more
 *  than half of the others that are left, as a sender or as a receiver. Where the network falls apart these are all terminals
 *  outside of its largest part. \param[in] n terminals \param[in] bad_pair n * n bits, as in hf_verdict \param[out] cut n bits,
 *  zeroed by the caller \param[out] count how many. Time O(n^2). */
hf_status hf_cut_off(hf_context *cx, uint32_t n, const uint64_t *bad_pair, uint64_t *cut, uint32_t *count);
/** Victims and lost paths from the relation alone: compares it with the plan without faults; beside them what the routing itself
 *  measures. The slow twin of every judge. Lost paths are not measured where the relation lets a packet go round, or where they
 *  pass 64 bits. */
hf_status hf_tolerance_measure(hf_context *cx, const hf_rule *rule, const hf_plan *plan, const hf_criterion *criterion,
                               hf_measure *out);
/** Victim marks of a plan: (switch, port, destination) triples, see hf_measure. Calls `each` for every triple. Of a rule that
 *  answers only where packets get (HF_ROUTING_REACHED), states that packets reach under both plans are compared. */
hf_status hf_tolerance_victims(hf_context *cx, const hf_rule *rule, const hf_plan *plan,
                               void (*each)(void *user, uint32_t sw, uint32_t port, uint32_t destination), void *user);

/** Are all terminals mutually reachable over healthy channels, whatever the routing? */
hf_status hf_connectivity_all(hf_context *cx, const hf_fault_set *faults, bool *out);

/** The judge that a campaign uses for (rule, criterion). The criterion decides, whatever the routing: its own fast path answers
 *  where it can, beside it connectivity or the relation, else a judge made of the relation alone. Never HF_ENOTSUP. `rule`,
 *  `criterion` and `universe` are borrowed. */
hf_status hf_judge_new(hf_context *cx, const hf_universe *universe, const hf_rule *rule, const hf_criterion *criterion,
                       hf_judge **out);
/** The judge made of the relation, always; for tests and for `--judge relation`. */
hf_status hf_judge_new_relation(hf_context *cx, const hf_universe *universe, const hf_rule *rule, const hf_criterion *criterion,
                                hf_judge **out);
void hf_judge_free(hf_judge *judge);

/** Paths that the plan offers, over all ordered pairs of distinct terminals, complete and healthy; counted from the relation. */
hf_status hf_paths_count(hf_context *cx, const hf_plan *plan, hf_big *out);
/** The complete healthy paths that a plan offers from one terminal to another. */
typedef struct hf_pair_paths {
    const uint64_t *channel_set; /**< n_channel bits: channels on any of them, terminal channels included; in the arena */
    const uint64_t *node_set;    /**< n_node bits: nodes on any of them, both ends included; in the arena */
    uint32_t n_channel, n_switch;
    bool is_counted; /**< false: more than 128 bits, or the relation lets a packet go round */
    hf_u128 n_path;
} hf_pair_paths;
/** Find them from the relation. Without a path all is empty. \return HF_EINVAL if source is the destination. Time O(states of the
 *  destination), scratch O(states). */
hf_status hf_paths_of_pair(hf_context *cx, const hf_plan *plan, uint32_t source, uint32_t destination, hf_pair_paths *out);
/** What the wiring of a multipath network gives, stage by stage. */
enum { HF_EXPANSION_MAX = 3 };
typedef struct hf_wiring_stage {
    uint32_t class_size; /**< routers of a class */
    uint32_t most;       /**< the most routers of the stage that the paths of a pair can use: its tree of paths, or the class */
    uint32_t fanout_least, fanout_most;   /**< that they use, over all ordered pairs of an endpoint and a class */
    uint32_t expansion[HF_EXPANSION_MAX]; /**< k routers of a class (k from 1) lead, in one direction, to at least so many of the
                                             next stage; over all sets of k. 0: no such set, or the last stage */
} hf_wiring_stage;
typedef struct hf_wiring {
    bool is_connected; /**< every terminal reaches every other */
    uint32_t n_stage;  /**< 0: not a multipath network */
    uint32_t full_to;  /**< fanout is the whole tree of paths for every pair up to this stage; HF_NONE: not even in stage 0 */
    uint32_t can_to;   /**< and could be in a network of this shape */
    hf_wiring_stage *stage; /**< in the arena */
} hf_wiring;
/** Check a wiring: pairs, maximal fanout and expansion of small sets. Time O(n_terminal * n_channel + sets of three routers of a
 *  class). Source: [chong1992, 2]. */
hf_status hf_wiring_check(hf_context *cx, const hf_topology *topo, hf_wiring *out);
/** Exact sum of lost paths over the fault sets of size f with ranks in [lo, hi), for a routing that claims
 *  HF_ROUTING_ALL_MINIMAL on a k-ary n-tree: by linearity over paths, without walking the sets. HF_ENOTSUP otherwise. */
hf_status hf_paths_lost_sum(hf_context *cx, const hf_universe *universe, const hf_rule *rule, uint32_t f, uint64_t lo,
                            uint64_t hi, hf_big *out);

/** The class bound: components are parted into classes such that, whatever happens in the others, a class without a fault still
 *  serves every pair. With c classes every c - 1 faults are tolerated; a witness of c faults shows that the bound is sharp.
 *  Source: [gomez2010, 3.4.2] by the class argument (class of a channel = lowest digit of its switch of stage >= 1). */
typedef struct hf_bound {
    char *topology, *routing, *universe; /**< canonical specs */
    uint32_t n_class;
    uint32_t n_component;
    uint32_t *class_of; /**< n_component entries */
    uint32_t n_witness;
    uint32_t *witness; /**< components of a set of n_class faults that is not tolerated */
    hf_allocator allocator;
} hf_bound;
/** Build the certificate. \return HF_ENOTSUP if the topology or routing has no class structure. Free with hf_bound_free(). */
hf_status hf_bound_make(hf_context *cx, const hf_universe *universe, const hf_rule *rule, hf_bound **out);
/** Check a certificate without trusting how it was made:
 *  (1) every component has exactly one class below n_class; (2) for every class the network whose other classes have all failed
 *  still serves every pair by healthy minimal paths; (3) every single fault changes only registers that lead into its own
 *  class (so no merging elsewhere can touch a clean class); (4) the witness has n_class members and is not tolerated.
 *  \param[out] ok the verdict; when false the message of `cx` says which step fails. */
hf_status hf_bound_check(hf_context *cx, const hf_universe *universe, const hf_rule *rule, const hf_bound *bound, bool *ok);
void hf_bound_free(hf_bound *bound);

/** The components that end at one switch with terminals, the switch at which fewest do: the loss of all of them cuts it off.
 *  Switches that fail themselves are not among them. \param[out] set room for all components of the universe; ascending
 *  \param[out] n of them; 0: no component ends at such a switch. Time O(nodes + channels of components) */
hf_status hf_cut_find(hf_context *cx, const hf_universe *universe, uint32_t *set, uint32_t *n);

/* ---- the fewest components ---- */

enum { HF_FEWEST_TERMINALS = 64 }; /**< the most for hf_fewest_break() */

/** Such a set of components. */
typedef struct hf_fewest {
    bool is_possible; /**< false: no set does it; proved if is_exact */
    bool is_exact;    /**< false: time was over, and there may be a smaller set */
    uint32_t n;
    uint32_t *component;          /**< n, ascending; in the arena */
    uint32_t source, destination; /**< a pair that is not served; HF_NONE: fewer than two terminals stay in service; for an
                                     isolated endpoint both are that endpoint */
} hf_fewest;

/** The fewest components whose loss takes all channels out of, or all channels into, some terminal. By search: a channel must
 * be hit by one of the components that take it down. Any topology. Time O(n_terminal * components a channel ^ channels a
 * terminal). */
hf_status hf_fewest_isolate(hf_context *cx, const hf_universe *universe, hf_fewest *out);
/** The fewest components whose loss the rule, one of routing "multipath", does not tolerate. Integer programs, one for each
 * ordered pair that may be unserved: cut the pair, keep both live; under multi-hop, cut all that the source reaches by relays.
 * Then all smaller sets, which may leave fewer than two terminals in service; under fault-propagation only these. \param[in]
 * limit_s seconds for all programs together \return HF_ENOTSUP for another routing, blocked=all, spread=once, relays=yes, or more
 * than HF_FEWEST_TERMINALS terminals; HF_ESTOP */
hf_status hf_fewest_break(hf_context *cx, const hf_universe *universe, const hf_rule *rule, double limit_s, hf_fewest *out);

#ifdef __cplusplus
}
#endif
#endif
