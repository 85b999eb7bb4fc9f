/** \file
 *  Campaigns: topology x routing x universe x criterion x range of f x method, run to a tally.
 *
 *  A fault set of size f is its lexicographic rank in [0, C(m, f)) (or its sample index in [0, samples)); work is a range of
 *  ranks. Threads take ranges of it as batches, large ones first; a batch that lasts long is handed in piece by piece. Partial
 *  tallies merge by commutative operations, so every schedule gives the same bytes. A journal keeps what is finished, as any
 *  disjoint ranges, for resuming. The allocator of the caller's context serves all threads. */
#ifndef HOLDFAST_CAMPAIGN_H
#define HOLDFAST_CAMPAIGN_H

#include <holdfast/analysis/effort.h>
#include <holdfast/analysis/reliability.h>
#include <holdfast/analysis/tolerance.h>
#include <holdfast/analysis/weakest.h>
#include <holdfast/core/progress.h>
#include <holdfast/core/stats.h>
#include <holdfast/core/team.h>

#ifdef __cplusplus
extern "C" {
#endif

/** All sets of a row, random ones, the number of sets of every size without looking at one (hf_counted_run()), one set for all
 * that symmetries of the network take to one another (hf_orbits_run()), or random orders of failure for all sizes together
 * (hf_spectrum_prepare()); or the one that hf_campaign_choose() takes. Their names are "exhaustive", "sampled", "counted",
 * "orbits", "spectrum" and "auto". */
typedef enum hf_method {
    HF_METHOD_EXHAUSTIVE,
    HF_METHOD_SAMPLED,
    HF_METHOD_AUTO,
    HF_METHOD_ORBITS,
    HF_METHOD_COUNTED,
    HF_METHOD_SPECTRUM
} hf_method;
/** A set of methods: bit hf_method_bit(m) for each. */
static inline unsigned hf_method_bit(hf_method method) { return 1u << method; }
const char *hf_method_name(hf_method method);
/** Order in which the components of a set fail: ascending, or a random order that is a pure function of (seed, set). */
typedef enum hf_order { HF_ORDER_COMPONENT, HF_ORDER_RANDOM } hf_order;
const char *hf_order_name(hf_order order);

enum { HF_HISTOGRAM_BINS = 65 }; /**< bin 0: value 0; bin b: values in [2^(b-1), 2^b) */

/** What a quantity added up to over a range of sets. */
typedef struct hf_quantity {
    uint64_t sets; /**< that it is known of */
    uint64_t lowest, highest;
    hf_u128 sum;
} hf_quantity;

/** What a range of sets added up to. Merges are commutative and associative. */
typedef struct hf_tally {
    uint64_t sets, not_tolerated;
    hf_u128 victims_sum, lost_paths_sum;
    uint64_t victims_max, lost_paths_max;          /**< lost_paths_max only over sets whose lost paths were counted one by one */
    uint64_t lost_paths_sets;                      /**< sets that lost_paths_sum covers; bit lanes leave them out */
    uint64_t victims_histogram[HF_HISTOGRAM_BINS]; /**< of the sets whose victims were measured */
    uint64_t outcome[HF_OUTCOMES];                 /**< sets by class; only where each set is judged by itself */
    hf_u128 extra_sum[HF_EXTRAS];                  /**< of the routing's further measures */
    hf_u128 extra_squares[HF_EXTRAS];              /**< sums of squares; stay at the largest value where they would pass it */
    uint64_t extra_max[HF_EXTRAS];
    bool has_witness;
    uint32_t
        *witness; /**< f components, ascending: the lexicographically lowest not tolerated set; owned by whoever made the tally */
    uint8_t has_noted;     /**< HF_NOTES bits */
    uint32_t *noted;       /**< NULL: not kept; or, f for each bit of hf_measure.noted, the same of those with it, in the block of
                              `witness` */
    hf_quantity *quantity; /**< n_quantity, of hf_measure.quantity, or one a stratum: 1 for a set that is not tolerated, else 0;
                              owned by whoever made the tally */
    uint32_t n_quantity;   /**< hf_campaign_quantities(); 0: not kept */
} hf_tally;
/** Merge `from` (of the same f) into `to`; `to->witness` has room for f. */
void hf_tally_merge(hf_tally *to, const hf_tally *from, uint32_t f);
/** Were the victims of all its sets measured? */
bool hf_tally_has_victims(const hf_tally *tally);

/** Measure i of a tally as a sample of values of at most `most`. */
hf_sample hf_tally_sample(const hf_tally *tally, size_t i, double most);

/** One line of the table. */
typedef struct hf_row {
    uint32_t f;
    uint64_t lo, hi;  /**< the range: ranks of fault sets or indices of samples; a part's share of [0, total) */
    bool is_exact;    /**< every set of the range was looked at: figures are exact for that range */
    bool is_part;     /**< the range is one of several parts */
    bool is_complete; /**< false: stopped before the range was done */
    bool is_whole;    /**< the range is all of [0, C(m, f)) (or all samples) */
    hf_method method; /**< exhaustive also where `samples` was not below C(m, f) */
    char *population; /**< C(m, f), decimal; owned */
    hf_tally tally;
    hf_estimate fraction; /**< not tolerated / sets. Exhaustive and incomplete: low and high bound the value of the whole range */
    bool has_measures;    /**< false: the criterion asks for verdicts only; victims, classes and further measures mean nothing */
    bool has_victims;     /**< measured */
    double victims_mean;
    bool has_lost_paths; /**< false: not measured (by the routing's own judge, or a relation that lets packets go round; by bit
                            lanes, and incomplete or without a closed form) */
    double lost_paths_mean;
    uint64_t resumed_sets;  /**< taken from the journal */
    uint64_t accepted_sets; /**< of these, what a program of other code computed */
    uint64_t total;         /**< sets of the whole row, all parts together: C(m, f) or samples */
    double wall_s;          /**< this run's time for the row */
} hf_row;

/** Takes a finished batch: its range of ranks and its tally. \param[in] is_accepted a program of other code computed it */
typedef hf_status hf_journal_take(hf_context *cx, void *taker, uint64_t lo, uint64_t hi, const hf_tally *tally, bool is_accepted);

/** Where finished batches are kept. All calls come from one thread at a time. Any callback may be NULL. */
typedef struct hf_journal {
    void *user;
    /** For each finished batch of row f call `take`. The ranges are disjoint, in any order; those that are not wholly inside the
     *  part that is asked for are passed over. */
    hf_status (*load)(hf_context *cx, void *user, uint32_t f, hf_journal_take *take, void *taker);
    /** Sets of row f are going to be looked at; its size is known, its figures are not. */
    hf_status (*start)(hf_context *cx, void *user, const hf_row *row);
    /** Keep a finished batch, or a piece of one. What is kept already need not be kept again. */
    hf_status (*save)(hf_context *cx, void *user, uint32_t f, uint64_t lo, uint64_t hi, const hf_tally *tally);
    /** A row has ended, complete or not, with these figures. */
    hf_status (*finish)(hf_context *cx, void *user, const hf_row *row);
    /** Called about every second and at the end of a row: make durable what was saved. */
    hf_status (*flush)(hf_context *cx, void *user);
} hf_journal;

/** What a campaign asks of every fault set where it does not ask about tolerance. */
typedef struct hf_inquiry {
    const char *key; /**< names the inquiry with all its options in the store: two that differ have different keys */
    void *user;
    uint32_t n_quantity; /**< its judge tells so many of each set, see hf_measure.quantity */
    unsigned symmetric;  /**< HF_SYMMETRIC_*: what it asks is the same for sets that symmetries take to one another where the rule
                            claims one of these; 0: never. For method orbits, which takes classes and no quantities */
    bool orders;         /**< in the place of sets it looks at random orders of all components: f is their number, order i of
                            `samples` a pure function of (seed, i), and the judge is told the components in that order */
    /** A judge for one thread; "not tolerated" is what the campaign counts and shows the lowest witness of. */
    hf_status (*judge)(hf_context *cx, void *user, const hf_universe *universe, const hf_rule *rule, hf_judge **out);
} hf_inquiry;

/* ---- stratified samples ---- */

enum { HF_STRATA_CLASSES = 64, HF_STRATA = 4096 }; /**< classes of components at most, and strata of a row */

/** Classes of components. A stratum are the sets with so many components of each class. */
typedef struct hf_strata {
    const hf_universe *universe; /**< borrowed */
    const char *by;              /**< canonical: "class", "stage" */
    uint32_t n_class;
    const char *name[HF_STRATA_CLASSES];   /**< "links:stage=1" */
    uint32_t begin[HF_STRATA_CLASSES + 1]; /**< components of class c: component[begin[c] .. begin[c + 1] - 1], ascending */
    uint32_t *component;                   /**< every component of the universe once */
} hf_strata;
/** Components of different kinds, or with another value of the attribute, are in different classes. \param[in] by an attribute of
 *  the topology, or "class": by kind (and the attribute of that name, if there is one)
 *  \param[out] out lives in the arena
 *  \return HF_ENOENT with what would be right; HF_EINVAL: more classes than that, or one alone */
hf_status hf_strata_new(hf_context *cx, const hf_universe *universe, const char *by, const hf_strata **out);

/** The strata of one row, and how many of its samples are drawn from each: its share of all samples, rounded down. Those that are
 * left then are drawn from what rounding has left over of all strata, so that every sample has the same weight. */
typedef struct hf_quota {
    uint32_t f, n_class, n; /**< faults, classes, strata */
    uint64_t samples;
    const uint32_t *of;    /**< n x n_class: components of each class; ascending as words */
    const double *share;   /**< n: of all sets of f */
    const uint64_t *begin; /**< n + 1: begin[h + 1] - begin[h] samples of stratum h; the rest is from begin[n] on */
    const hf_u128 *over; /**< n + 1: ascending, over[0] = 0; over[h + 1] - over[h]: what is left over of stratum h, in 2^-64 of a
                            sample, rounded */
} hf_quota;
/** \param[out] out lives in the arena \return HF_EINVAL: more strata than HF_STRATA. Time O(n) products of big integers. */
hf_status hf_quota_new(hf_context *cx, const hf_strata *strata, uint32_t f, uint64_t samples, hf_quota *out);
/** Sample i of a seed: a pure function; samples of different strata come in random order, so that a part of them is as good as
 * any other. \param[out] set f entries, ascending   \return its stratum */
uint32_t hf_quota_draw(const hf_strata *strata, const hf_quota *quota, uint64_t seed, uint64_t i, uint32_t *set);
/** The sum of p (1 - p) over all samples, estimated: shares of strata with few samples are drawn towards that of all, so that a
 * stratum of which all are alike says something of its own only with many.
 *  \param[in] quantity of each stratum the samples (`sets`) and those not tolerated (`sum`) */
double hf_quota_variance(const hf_quota *quota, const hf_quantity *quantity);

/** What is left of a row, and what it would take. */
typedef struct hf_forecast_row {
    uint32_t f; /**< HF_NONE: of all rows together */
    hf_method method;
    const char *what;       /**< "sets", "samples", "orders", "orbits" (sets that are decided for all alike), "states" */
    double left, looked;    /**< so many are left; that were looked at for it */
    double core_s, start_s; /**< seconds of a core for all of them, and before the first */
    double bytes;           /**< of memory where nothing is walked, else that the store gets */
    uint32_t threads;       /**< that share the work here */
    bool is_shared;         /**< nodes can share it, too */
} hf_forecast_row;
/** What a campaign would take, from random parts of it. */
typedef struct hf_forecast {
    double seconds; /**< about so many are spent on it, not counted what comes before the first set */
    hf_forecast_row *row;
    size_t n_row, room; /**< in the arena */
} hf_forecast;

/** What is asked for: a row for each f, over the fault sets of a universe under a rule. */
typedef struct hf_campaign {
    const hf_universe *universe;   /**< borrowed, and with it the topology */
    const hf_rule *rule;           /**< NULL with an inquiry that asks of the network alone */
    const hf_criterion *criterion; /**< NULL with an inquiry */
    const hf_inquiry *inquiry;     /**< NULL: tolerance */
    const uint32_t *f;
    size_t n_f;
    hf_method method;
    uint64_t samples; /**< >= 1 when sampled */
    uint64_t seed;
    const hf_strata *strata; /**< of sampled rows of a campaign over tolerance; NULL: all sets alike */
    hf_order order;
    uint32_t threads;      /**< 0: all cores */
    uint32_t part, n_part; /**< part 1..n_part; 0, 0 or 1, 1: everything */
    bool verdicts;         /**< ask only which sets are tolerated: nothing is measured */
    bool use_relation;     /**< judge from the relation even where a fast path exists */
    bool until_lost;       /**< a row ends at a set that is not tolerated: it tells whether there is one, its figures hang on the
                              threads */
    hf_team *team;         /**< NULL: this program alone; rank 0 has the journal */
    hf_forecast *forecast; /**< NULL, or: random parts alone are looked at, what is left is told there, and the campaign ends with
                      HF_ESTOP */
    const hf_journal *journal;                                 /**< or NULL */
    void (*progress)(void *user, const hf_progress *progress); /**< or NULL; about ten times a second, one thread at a time */
    void *progress_user;
} hf_campaign;

/** Quantities that its tallies keep. */
uint32_t hf_campaign_quantities(const hf_campaign *campaign);
/** How what is exact came about: HF_INTERVAL_EXACT, or of a part. */
static inline hf_interval_method hf_row_exact(const hf_row *row) { return row->is_part ? HF_INTERVAL_PART : HF_INTERVAL_EXACT; }
/** The mean of measure i of the routing, with an interval that holds with that confidence; of an exact row the mean itself. */
hf_mean_estimate hf_row_mean(const hf_row *row, const hf_rule *rule, const hf_topology *topo, size_t i, double confidence);
/** How many components fail, in random order, until the network is parted; see hf_limit_judge_new(). */
typedef struct hf_limit {
    uint64_t orders;            /**< that were looked at */
    uint32_t n;                 /**< components */
    uint64_t *parted;           /**< n + 2: orders parted by fault number i; at n + 1: by none; in the arena, as `below` */
    uint64_t *below;            /**< n + 2: orders parted by fault number i or before */
    double mean;                /**< of the number of the fault that parts, of those that are parted */
    double mean_low, mean_high; /**< 95% interval from the range 1 .. n; see hf_estimate_mean() */
    hf_interval_method mean_interval;
} hf_limit;
/** Read it out of the tally of a campaign over orders. */
hf_status hf_limit_of_tally(hf_context *cx, const hf_tally *tally, hf_limit *out);
/** The mean number of victims, with an interval where sets were sampled. \param[in] row has_victims, of at least one set */
hf_mean_estimate hf_row_victims(const hf_row *row, const hf_topology *topo, double confidence);
/** The sum of measure i over that of the measure that its note names, or over the tolerated sets (hf_extra_note.over). Its
 * interval holds with 95% at least, as those of both means hold with 97.5% each; the upper end is infinite if the lower one of
 * the second is 0. \return false if nothing was counted */
bool hf_row_ratio(const hf_row *row, const hf_rule *rule, const hf_topology *topo, size_t i, hf_mean_estimate *out);

/** What a campaign is told as texts and words; the parameters of hf_campaign_group and hf_some_faults_group. */
typedef struct hf_campaign_params {
    const char *faults; /**< hf_campaign_parse_shares() reads it */
    const char *part;   /**< "r/m", or NULL */
    const char *strata; /**< hf_strata_new() reads it; NULL: all sets alike */
    hf_method method;
    uint64_t samples, seed;
    hf_order order;
    bool use_relation, verdicts;
    uint64_t orders; /**< in the place of sets: so many random orders of failure, see hf_inquiry; 0: none */
} hf_campaign_params;
extern const hf_group hf_campaign_group;
/** The same of who asks of one plan where no `faults` are given (NULL), and of all sets in the order of components otherwise. */
extern const hf_group hf_some_faults_group;
/** The same of who asks for classes of sets, by orbits, too. */
extern const hf_group hf_some_classes_group;
/** The same of who judges as usual, with the components of a set in ascending order. */
extern const hf_group hf_whole_rows_group;
/** The same of who may ask of `orders`, too, and else of one fault where no `faults` are given. */
extern const hf_group hf_sets_or_orders_group;
/** "1/4". \return HF_EINVAL with what would be right */
hf_status hf_campaign_read_part(hf_context *cx, const char *text, uint32_t *part, uint32_t *n_part);

/** A row for each f, in the order asked for. Free with hf_result_free(). */
typedef struct hf_result {
    size_t n_row;
    hf_row *row;
    uint32_t threads;
    char how[320]; /**< by orbits: what it took, in a sentence; else "" */
    hf_allocator allocator;
} hf_result;

/** What hf_campaign_run() checks before it does anything: f against the universe, samples, part, threads, sizes of rows. */
hf_status hf_campaign_check(hf_context *cx, const hf_campaign *campaign);
/** Of that, f against the universe alone. */
hf_status hf_campaign_check_faults(hf_context *cx, const hf_campaign *campaign);
/** Run. \param[out] out rows so far, also when stopped (is_complete tells). Free with hf_result_free().
 *  \return HF_OK; HF_EINVAL (f larger than the universe, samples 0, bad part); HF_ERANGE (exhaustive and C(m, f) over 2^63:
 *  says so and proposes sampling); HF_ESTOP when the stop flag of `cx` was raised: *out is then valid; others as the parts
 *  fail. Memory does not grow with the number of sets. */
hf_status hf_campaign_run(hf_context *cx, const hf_campaign *campaign, hf_result **out);
void hf_result_free(hf_result *result);

/** Rows for hf_reliability_new() from the rows of a result; they live in the arena. From a campaign over tolerance there is one
 * class and no loss; from one with hf_reliability_judge_new() there are `n_class` and the loss if it was counted. Intervals of
 * sampled rows hold together with 95%. \param[in] is_composed the campaign had that judge  \return HF_EINVAL for rows that are
 * parts or not finished, or, with several classes, sampled; HF_ERANGE above 2^40 sets */
hf_status hf_result_reliability(hf_context *cx, const hf_result *result, const hf_reliability_class *classes, size_t n_class,
                                bool is_composed, uint32_t n_terminal, hf_reliability_row **out, size_t *n_out);

/** What hf_counted_run() or hf_orbits_run() found. */
typedef struct hf_counted {
    uint32_t m;                  /**< components */
    uint32_t reach;              /**< exact for all sizes up to it; the largest asked for, or as far as the memory goes */
    hf_big **not_tolerated;      /**< reach + 1 numbers of sets; NULL where hf_counted_few() did not look */
    uint64_t kept;               /**< by hf_orbits_run(): orbits of sets below `reach` */
    double states, memory_bytes; /**< by hf_counted_run(): what it took */
    char how[320];               /**< the way it was counted and what it took, in a sentence */
    hf_allocator allocator;
} hf_counted;
/** The not tolerated sets of every size up to `f_most`, counted together, where what fails is connectivity (of the terminals, or
 *  of the switches) or the minimal paths of a k-ary n-tree.
 *  \param[in] memory bytes to take at most  \return HF_ENOTSUP in one sentence where a rule, criterion or universe is another;
 *  HF_ERANGE where the memory does not hold even the smallest sizes; HF_ESTOP. Free with hf_counted_free(). */
hf_status hf_counted_run(hf_context *cx, const hf_universe *universe, const hf_rule *rule, const hf_criterion *criterion,
                         uint32_t f_most, double memory, hf_counted **out);
void hf_counted_free(hf_counted *counted);
static inline bool hf_counted_knows(const hf_counted *c, uint32_t f) { return f <= c->reach && c->not_tolerated[f]; }
/** The same by looking at every set of the sizes that have no more than `most`: from 0 to the first that has more, and those of
 * the campaign's rows. */
hf_status hf_counted_few(hf_context *cx, const hf_campaign *tolerance, uint64_t most, hf_counted **out);
/** The same by one verdict for all sets that symmetries take to one another, up to f C(m, f) of 2^128. The symmetries are those
 * of the network that keep terminals, switches and what each component takes down. \return HF_ENOTSUP in one sentence where the
 * rule goes by more than the network (hf_routing.symmetric) and the criterion asks it, or there is no symmetry; HF_ERANGE;
 * HF_ESTOP. Memory 4 m (m + 2 f) bytes. Source: [mckay1998iso] */
hf_status hf_orbits_run(hf_context *cx, const hf_universe *universe, const hf_rule *rule, const hf_criterion *criterion,
                        uint32_t f_most, hf_counted **out);

/** What hf_orbits_run() of a campaign's rows, or a campaign by method orbits, would take: orbits are counted below some sets of
 * every size, on one core, and some are decided. The row of all sizes is added to the forecast. */
hf_status hf_orbits_forecast(hf_context *cx, const hf_campaign *campaign, hf_forecast *forecast);
/** What hf_counted_run() of a campaign's rows would take: smaller sizes are counted while time is left, and grow on as they
 * did. */
hf_status hf_counted_forecast(hf_context *cx, const hf_campaign *campaign, double memory, hf_forecast *forecast);
hf_status hf_forecast_add(hf_context *cx, hf_forecast *forecast, hf_forecast_row row);

/** Method `spectrum`: random orders of failure, each of which informs every size. A campaign over them, and what it needs. */
typedef struct hf_spectrum_job {
    hf_campaign campaign; /**< to be run: one row, of orders; it goes by the rest of this */
    hf_inquiry inquiry;
    const hf_criterion *criterion;
    bool use_relation;
    bool is_monotone;  /**< failure never mends: an order is known by the first size that is not tolerated */
    uint32_t m;        /**< components */
    const uint32_t *f; /**< n_f, borrowed: sizes that are looked at where failure may mend */
    size_t n_f;
    char key[128];
} hf_spectrum_job;
/** Does the order of failing not matter, or is it asked for at random? Make it of a campaign over tolerance, whose rows are what
will be asked of it. \param[out] out keeps its address
 *
eturn HF_ENOTSUP where the rule goes by the order of failing and the campaign does not have random ones. Time of an order:
 *  to shuffle, and some log2(m) verdicts, where failure may mend one a row. */
bool hf_spectrum_fits(const hf_campaign *tolerance);
hf_status hf_spectrum_prepare(hf_context *cx, const hf_campaign *tolerance, uint64_t orders, hf_spectrum_job *out);
/** What the orders say. */
typedef struct hf_spectrum {
    uint64_t orders;
    bool is_monotone;
    uint64_t *lost;            /**< m + 1: orders whose first f components are not tolerated; in the arena */
    double verdicts, failures; /**< of an order, in the mean: verdicts asked for, components that failed for them */
    uint32_t joined;           /**< monotone: the share of this size is known, see `exact_share`; HF_NONE: of none */
    double exact_share;        /**< orders that are tolerated at `joined` say what comes behind it */
} hf_spectrum;
hf_status hf_spectrum_of_tally(hf_context *cx, const hf_spectrum_job *job, const hf_tally *tally, hf_spectrum *out);
/** The share of sets of f components that are not tolerated, with its interval (Clopper-Pearson, of the share behind `joined`).
 *  \param[in] f above `joined`; where failure may mend one of the job's */
hf_estimate hf_spectrum_share(const hf_spectrum *s, uint32_t f, double confidence);
/** How many times as large the variance would be if the sets of each of `rows` rows, `failures` components in a set of each,
 * were drawn by themselves, with as many verdicts or as many failures of components, whichever gives them more. NAN: nothing
 * varied. */
double hf_spectrum_gain(const hf_spectrum *s, uint32_t f, uint32_t rows, uint64_t failures);

/** A method, and why it. */
typedef struct hf_choice {
    hf_method method;
    hf_counted *counted; /**< NULL, or what was counted: all of it (method counted), or small sizes (method spectrum). Free with
                            hf_counted_free() */
    char why[160];       /**< no sentence: "2517 sets" */
} hf_choice;
/** Take a method: exhaustive while the sets are few, else counted, else orbits, else exhaustive up to 10^10 sets, else spectrum
 * (several rows, failure that never mends) or sampled. Few are 10^7 sets, of an inquiry without quantities 1000.
 * \param[in] may methods besides exhaustive and sampled that there are, hf_method_bit() of each; those that count all sets at
 * once serve campaigns over tolerance alone  \param[in] memory bytes that counting may take. Time: counting, and some 20,000
 * steps of orbits, where the sets are many.  \return HF_ESTOP; never for want of a method */
hf_status hf_campaign_choose(hf_context *cx, const hf_campaign *campaign, unsigned may, double memory, hf_choice *out);

/** The sets of f of m components that a row looks at: all, or where they are more than `samples` those that campaigns of the same
 * seed draw. Whoever looks at fault sets goes by a campaign or by this. */
typedef struct hf_sets {
    uint32_t m, f;
    uint64_t n; /**< sets */
    uint64_t seed;
    bool is_all;
} hf_sets;
hf_sets hf_sets_of(uint32_t m, uint32_t f, uint64_t samples, uint64_t seed);
/** Set i < n, ascending. \param[out] set f entries */
void hf_sets_get(const hf_sets *sets, uint64_t i, uint32_t *set);

/* ---- how many faults are tolerated ---- */

/** How a number of tolerated faults is known. */
typedef enum hf_tolerated_proof {
    HF_TOLERATED_EXACT,  /**< every set up to it was looked at, or a certificate says so; and some larger set is not tolerated */
    HF_TOLERATED_PROVED, /**< at least: every set up to it was looked at, or a certificate says so */
    HF_TOLERATED_SAMPLED /**< none of the sampled sets up to it was lost; the least and the most are proved */
} hf_tolerated_proof;
/** "exact", "proved", "sampled". */
const char *hf_tolerated_proof_name(hf_tolerated_proof proof);

/** The largest number of faults of which every set is tolerated. */
typedef struct hf_tolerated {
    uint32_t faults;      /**< as far as was looked */
    uint32_t least, most; /**< proved */
    hf_tolerated_proof proof;
} hf_tolerated;
typedef struct hf_tolerated_request {
    const hf_universe *universe;
    const hf_rule *rule;
    const hf_criterion *criterion;
    uint32_t faults_most; /**< more are not looked at */
    uint64_t samples;     /**< sets of a size to look at: those of campaigns; all where there are no more */
    uint64_t seed;
    uint32_t threads;                                          /**< 0: all cores */
    void (*progress)(void *user, const hf_progress *progress); /**< or NULL */
    void *progress_user;
} hf_tolerated_request;
/** Find it: the class bound (hf_bound_make()) proves a number and its witness that there is no more; the loss of all components
 * at one switch (hf_cut_find()) is a most; and sets of 1, 2, ... components are judged from the relation, up to the first that is
 * not tolerated.
eturn HF_EINVAL: not even the empty set is tolerated; HF_ESTOP */
hf_status hf_tolerated_find(hf_context *cx, const hf_tolerated_request *request, hf_tolerated *out);

/* ---- the fewest that are not ---- */

/** What the fewest components are asked of, and how much may be taken to find them. */
typedef struct hf_weakest_request {
    const hf_universe *universe;
    const hf_rule *rule;
    const hf_criterion *criterion;
    uint64_t sets_most; /**< sets of one size that are looked at one by one, at most */
    double limit_s;     /**< seconds for integer programs */
    bool counts;        /**< count the smallest sets also where that takes a walk, of no more than `sets_most` */
    bool want_paths;    /**< keep the paths of a proof by them */
    uint32_t threads;   /**< 0: all cores */
    void (*progress)(void *user, const hf_progress *progress); /**< or NULL */
    void *progress_user;
} hf_weakest_request;
/** Find them, by the first of these that decides: the class bound; cuts, where connectivity is asked for; all sets of small
 *  sizes; hitting sets, where more faults never mend; integer programs, for routing multipath; all sets of larger sizes, one
 *  for all that symmetries make alike where there are too many. No other rule than the judge of campaigns says what is
 *  tolerated.
 *  \param[out] out free with hf_weakest_free(), also after a failure; lists live in the arena
 *  \return HF_ESTOP; others as the parts fail */
hf_status hf_weakest_find(hf_context *cx, const hf_weakest_request *request, hf_weakest *out);

/* ---- the sets that do most harm ---- */

/** What counts as harm: ordered pairs that are not served or at risk, victims, lost paths. */
typedef enum hf_harm_kind { HF_HARM_PAIRS, HF_HARM_VICTIMS, HF_HARM_LOST_PATHS } hf_harm_kind;
/** "pairs", "victims", "lost-paths". */
const char *hf_harm_name(hf_harm_kind kind);
typedef struct hf_harm_request {
    const hf_universe *universe;
    const hf_rule *rule;
    const hf_criterion *criterion; /**< which pairs have to be served */
    hf_harm_kind kind;
    uint32_t f;           /**< components of a set, at least 1 */
    uint64_t sets_most;   /**< all sets are looked at if they are no more; else a search looks at so many at most, and at fewer
                             where   each is judged pair by pair in a large network */
    const uint32_t *seed; /**< n_seed components from which a search climbs, too, such as the fewest that are not tolerated */
    uint32_t n_seed;
    uint32_t threads;                                          /**< 0: all cores */
    void (*progress)(void *user, const hf_progress *progress); /**< or NULL */
    void *progress_user;
} hf_harm_request;
/** What a set of that size does at most. */
typedef struct hf_harm {
    bool is_known;       /**< harm of that kind is measured under the rule */
    bool has_set;        /**< a set was found */
    bool is_exact;       /**< none does more */
    bool is_counted;     /**< `sets` is known */
    uint64_t most;       /**< what the set that was found does */
    uint64_t bound;      /**< no set does more; HF_UNKNOWN: nothing is proved */
    uint32_t *component; /**< f, ascending; in the arena. Where all sets were looked at, the lowest */
    uint64_t sets;       /**< that do as much */
    uint64_t looked;     /**< sets that were looked at */
} hf_harm;
/** Find it: all sets; or, where the harm of a set is no more than that of its components together (a rule with HF_ROUTING_BLIND;
 *  lost paths under HF_ROUTING_ALL_MINIMAL), a search that leaves out what cannot do more; or climbing, with a bound that is all
 *  there is to lose.  \return HF_EINVAL for f; HF_ESTOP */
hf_status hf_harm_find(hf_context *cx, const hf_harm_request *request, hf_harm *out);

/** The order in which the components of the ascending set c[0..f-1] fail. In place. */
void hf_campaign_order(hf_order order, uint64_t seed, uint32_t f, uint32_t *c);
/** "0..4,8" to a list. \param[out] f heap, free with hf_release(). \return HF_EINVAL with the text. Ascending, no repetition; at
 * most 4096 entries. */
hf_status hf_campaign_parse_faults(hf_context *cx, const char *text, uint32_t **f, size_t *n_f);
/** The same, or shares of a universe of n_component components, rounded to the nearest: "15%", "0%..30%/5%" (in steps of 5%; 1%
 * unless told), joined by commas, ascending. */
hf_status hf_campaign_parse_shares(hf_context *cx, const char *text, uint32_t n_component, uint32_t **f, size_t *n_f);

/** What `holdfast tolerance --json` wrote, for reliability. Everything lives in the arena. */
typedef struct hf_tally_file {
    const char *topology, *routing, *universe, *criterion;
    uint32_t n_component;
    hf_reliability_count *row; /**< n_row, ascending f */
    size_t n_row;
} hf_tally_file;
/** \param[in] file for messages  \return HF_EINVAL with file and place: not such a file, a part, rows that are not finished or
 *  contradict themselves */
hf_status hf_tally_parse(hf_context *cx, const char *file, const char *data, size_t size, hf_tally_file *out);

#ifdef __cplusplus
}
#endif
#endif
