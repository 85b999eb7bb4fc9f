/** \file
 *  Traffic patterns, and the load that a routing puts on the channels under them.
 *
 *  Unit: every terminal injects one flit per cycle, or less where the pattern says so. Loads are exact fractions where the
 *  denominators allow it. */
#ifndef HOLDFAST_LOAD_H
#define HOLDFAST_LOAD_H

#include <holdfast/analysis/tolerance.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- traffic ---- */

typedef struct hf_traffic hf_traffic;

/** Descriptor of a pattern; one per line of src/analysis/traffic/traffic.def. */
typedef struct hf_traffic_kind {
    const char *name;    /**< token in specs */
    const char *summary; /**< one line */
    const char *source;
    const hf_param *params;
    /** Fill in a pattern whose args are set. What is left in the arena is dropped. */
    hf_status (*fill)(hf_context *cx, const hf_topology *topo, hf_traffic *traffic);
} hf_traffic_kind;
size_t hf_traffic_count(void);
const hf_traffic_kind *hf_traffic_at(size_t i);

/** A pattern on a topology. From terminal s to terminal d go weight / denominator flits per cycle; the weight is the sum of
 *  `base` (if s and d differ), `to_weight` (if to[s] is d), `hot_weight` (if `hot` is d) and the entry of the matrix. What a
 *  terminal sends to itself never enters the network. */
struct hf_traffic {
    const hf_traffic_kind *kind;
    hf_args args;
    char *spec; /**< canonical */
    hf_allocator allocator;
    uint32_t n_terminal;
    uint64_t denominator; /**< >= 1 */
    uint64_t base;
    uint32_t *to; /**< n_terminal destinations, HF_NONE where nothing is sent; or NULL */
    uint64_t to_weight;
    uint32_t hot;                 /**< or HF_NONE */
    uint64_t hot_weight, hot_own; /**< hot_own: more base for what the hot terminal itself sends */
    uint64_t *matrix;             /**< n_terminal rows, or NULL */
};

/** Build from a spec: "uniform", "hot-spot:percent=5,node=0", "matrix:PATH".
 *  \return HF_ENOENT unknown pattern; HF_EINVAL not for this number of terminals, or wrong content (file and line are named).
 *  Free with hf_traffic_free(). */
hf_status hf_traffic_new(hf_context *cx, const hf_topology *topo, const char *spec, hf_traffic **out);
void hf_traffic_free(hf_traffic *traffic);
/** Keep what is sent along flows; a terminal that sends most sends one flit per cycle. Where the flows have rates these take the
 *  place of uniform traffic. \return HF_EINVAL: rates beside another pattern, a terminal sends more than a flit per cycle, or
 *  nothing is left; HF_ERANGE: more than 4,096 terminals */
hf_status hf_traffic_keep(hf_context *cx, hf_traffic *traffic, const hf_flow_list *flows);
/** What s sends to d, times the denominator; 0 for s = d. */
static inline uint64_t hf_traffic_weight(const hf_traffic *t, uint32_t s, uint32_t d) {
    if (s == d) {
        return 0;
    }
    return t->base + (s == t->hot ? t->hot_own : 0) + (t->to && t->to[s] == d ? t->to_weight : 0) +
           (t->hot == d ? t->hot_weight : 0) + (t->matrix ? t->matrix[(size_t)s * t->n_terminal + d] : 0);
}

/** What s sends to all terminals, or to those in the bitset `live` if it is not NULL, times the denominator. Only a matrix is
 * walked. */
uint64_t hf_traffic_row(const hf_traffic *t, uint32_t s, const uint64_t *live);

/** A number for the content of a pattern's tables: two files that differ give different ones. 0 for patterns without tables. */
uint64_t hf_traffic_hash(const hf_traffic *traffic);

/* ---- load ---- */

/** How a packet chooses among the hops that the plan offers. */
typedef enum hf_split {
    HF_SPLIT_EVEN,   /**< each with the same share, at every state of the relation */
    HF_SPLIT_FIRST,  /**< the first one: the order of preference of the routing's selection */
    HF_SPLIT_OPTIMAL /**< the shares that make the largest load smallest, by linear programming */
} hf_split;
/** "even", "first", "optimal". */
const char *hf_split_name(hf_split split);
/** The parameter `split` of a question under `traffic`; it fills a hf_split. */
extern const hf_group hf_split_group;

/** p / q in lowest terms; q = 0: not known as a fraction. */
typedef struct hf_fraction {
    hf_u128 p, q;
} hf_fraction;
/** "p/q" into `text` of 80 bytes; "" if it is not known. */
void hf_fraction_print(hf_fraction a, char *text);

/** The load of every channel, in flits per cycle when every terminal injects as the pattern says. Where links have different
 * rates (hf_topology_tempo()) a cycle is what a flit takes on the fastest, and the load of a channel is the cycles that its flits
 * take. */
typedef struct hf_load {
    const hf_topology *topo;
    hf_allocator allocator;
    double *load;          /**< n_channel */
    hf_u128 *part;         /**< n_channel: the load times `denominator`; NULL if it is not known exactly */
    hf_u128 denominator;   /**< of `part` */
    double lost;           /**< share of the flits that meet a fault or are refused */
    uint32_t busiest;      /**< the first busiest channel between switches, HF_NONE if none carries anything */
    double max_load;       /**< its load */
    hf_fraction max_exact; /**< its load */
    double terminal_load;  /**< the largest load of a terminal's channel */
    double saturation;     /**< flits per cycle and terminal at which the busiest channel of all is full */
    hf_fraction saturation_exact;
} hf_load;
/** Load of `traffic` under a plan. Time: a walk over the relation for each destination. For trees with every minimal path and
 *  no fault the sums of the traffic between subtrees do. Free with hf_load_free().
 *  \return HF_ENOTSUP the relation lets a packet go round; HF_ERANGE too large for the linear program. */
hf_status hf_load_find(hf_context *cx, const hf_plan *plan, const hf_traffic *traffic, hf_split split, hf_load **out);
/** The same from the relation only. */
hf_status hf_load_walk(hf_context *cx, const hf_plan *plan, const hf_traffic *traffic, hf_split split, hf_load **out);
void hf_load_free(hf_load *load);
/** The load of a channel as a fraction. */
hf_fraction hf_load_exact(const hf_load *load, uint32_t channel);

/** Channels of one stage and direction with one load. */
typedef struct hf_load_bin {
    uint32_t stage;  /**< of the link, or its dimension; HF_NONE where the topology has neither, and for terminals' links */
    bool is_forward; /**< as the topology says: up in trees */
    bool is_terminal;
    double load;
    hf_fraction exact;
    uint32_t n_channel;
} hf_load_bin;
/** Histogram of the loads by stage: links of switches first, by stage, forward first, then those of terminals; ascending loads.
 *  Lives in the arena. \param[out] attribute "stage", "dimension" or NULL */
hf_status hf_load_histogram(hf_context *cx, const hf_load *load, const char **attribute, hf_load_bin **out, size_t *n);

/** The permutation that loads a channel between switches most. */
typedef struct hf_worst {
    double load;
    hf_fraction exact; /**< q = 0: shares were rounded to 2^-40 */
    uint32_t channel;  /**< the first such channel; HF_NONE if no pair uses one */
    uint32_t *to;      /**< n_terminal; lives in the arena. A terminal that is sent to itself sends nothing */
} hf_worst;
/** For each channel an assignment problem over the shares of all pairs. Splits even and first only: they do not depend on the
 *  traffic. Time O(channels N^3) at worst, 12 bytes a pair and channel it uses. Source: Towles and Dally, as in [dally2004, 3.2
 *  and 9]. \return HF_ERANGE the shares fit no memory, or it takes more than a day; HF_ENOTSUP for HF_SPLIT_OPTIMAL, or a
 *  packet can go round */
hf_status hf_load_worst(hf_context *cx, const hf_plan *plan, hf_split split, hf_worst *out);
/** The least largest load that any routing could do for this traffic over healthy channels: maximum concurrent flow by linear
 *  programming. \return HF_ERANGE too large; HF_ENOTSUP a terminal with several links, or traffic without a way */
hf_status hf_load_best(hf_context *cx, const hf_topology *topo, const hf_fault_set *faults, const hf_traffic *traffic,
                       double *out);

/** What the judge of loads measures, as hf_measure.extra: loads and shares in units of 1e-9, rounded. A set is tolerated when
 *  nothing is lost. */
enum { HF_LOAD_MAX, HF_LOAD_ALL, HF_LOAD_SATURATION, HF_LOAD_LOST, HF_LOAD_EXTRAS };
#define HF_LOAD_EXTRA_UNIT 1e-9
/** The most that such a measure can be on any fault set, in the same units; INFINITY where nothing is known: a way of a rule that
 * is not minimal may pass a channel more than once. */
double hf_load_most(const hf_topology *topo, const hf_rule *rule, const hf_traffic *traffic, unsigned extra);
/** A judge for campaigns that finds the load of each fault set. \param[in] traffic borrowed  \param[in] reach 0: a set is
 *  tolerated when nothing is lost; else when HF_LOAD_MAX stays below it */
hf_status hf_load_judge_new(hf_context *cx, const hf_universe *universe, const hf_rule *rule, const hf_traffic *traffic,
                            hf_split split, uint64_t reach, hf_judge **out);

#ifdef __cplusplus
}
#endif
#endif
