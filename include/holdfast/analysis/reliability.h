/** \file
 *  Reliability: from shares of tolerated fault sets and failure rates to survival, time to failure, availability and loss.
 *
 *  Components fail independently at constant rates. Those of one class have the same rate, so that after i failures every set
 *  of i is equally likely: the share of sets that are not tolerated is the probability of not being tolerated. What was not
 *  counted is bounded, not guessed. Times are in hours.
 *
 *  Two times are told apart. The time to failure ends with the first set on the way that is not tolerated: failures arrive one
 *  after the other, and components stay failed. R(t) is the probability that the set at time t is tolerated; its integral is
 *  the time spent in tolerated sets. Where a set that is not tolerated may be tolerated again when more fails, the time to
 *  failure is the shorter one, and a set says nothing of the way to it; elsewhere both are the same. Source: [gomez2010, 2.1.7,
 *  equations 2.4 to 2.6]; birth-death chains as in Trivedi, Probability and Statistics with Reliability, Queuing, and Computer
 *  Science Applications, chapter 8. */
#ifndef HOLDFAST_RELIABILITY_H
#define HOLDFAST_RELIABILITY_H

#include <holdfast/analysis/tolerance.h>
#include <holdfast/core/progress.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Most classes of components in one model. */
enum { HF_RELIABILITY_CLASSES = 4 };

/** Components that fail and are repaired alike. */
typedef struct hf_reliability_class {
    uint32_t n_component;
    double rate;    /**< failures of one component per hour, >= 0 */
    double mttr_h;  /**< mean time to repair one, hours; 0: never */
    uint32_t crews; /**< components that are repaired at the same time; 0: all */
} hf_reliability_class;

/** A quantity with sound bounds. low <= value <= high; all equal: exact. */
typedef struct hf_bounded {
    double low, value, high;
} hf_bounded;

/** Are both ends the same but for rounding? */
bool hf_bounded_is_one(const hf_bounded *b);

/** What is known of the fault sets with failed[c] components of class c. */
typedef struct hf_reliability_row {
    uint32_t failed[HF_RELIABILITY_CLASSES];
    hf_bounded bad;  /**< share of the sets that are not tolerated */
    hf_bounded lost; /**< mean number of terminals lost */
} hf_reliability_row;

/** A row of a tally. */
typedef struct hf_reliability_count {
    uint32_t f;
    uint64_t sets, not_tolerated; /**< looked at, and not tolerated; sets > 0 */
    bool is_exact;                /**< every set of f components was looked at */
} hf_reliability_count;
/** The row of one class for a count. A sampled share carries the Clopper-Pearson interval at the given confidence. */
hf_reliability_row hf_reliability_row_of(const hf_reliability_count *count, double confidence);
/** Confidence of each of n_sampled intervals, so that all hold together with 95%. */
static inline double hf_reliability_confidence(size_t n_sampled) { return 1 - 0.05 / (n_sampled ? (double)n_sampled : 1.0); }

typedef struct hf_reliability hf_reliability;

/** Take classes and rows. States that no row covers are bounded: by 0 and 1, or, where tolerance is monotone, by the rows below
 *  and above them (the share of sets that are not tolerated grows with the set). `value` takes the lower bound of `bad` there.
 *  \param[in] n_terminal most terminals that can be lost; 0: no loss is known
 *  \return HF_EINVAL without a rate above 0, or a row outside of the classes; HF_ERANGE above 2^22 states. Free with
 *  hf_reliability_free(). */
hf_status hf_reliability_new(hf_context *cx, const hf_reliability_class *classes, size_t n_class, const hf_reliability_row *row,
                             size_t n_row, bool is_monotone, uint32_t n_terminal, hf_reliability **out);
void hf_reliability_free(hf_reliability *r);

/** The network at one time, or in the long run. */
typedef struct hf_reliability_state {
    hf_bounded bad;  /**< probability that the failed set is not tolerated: 1 - R(t), or 1 - availability in the long run */
    hf_bounded good; /**< the probability that it is, with its digits where it is small: R(t), or the availability */
    hf_bounded lost; /**< expected number of lost terminals */
    double failed;   /**< expected number of failed components */
    double covered;  /**< probability of a number of failures that some row covers */
} hf_reliability_state;
/** Is each of its ranges one value? */
bool hf_reliability_is_one(const hf_reliability_state *s);
/** After `hours` >= 0 without repair. */
hf_status hf_reliability_at(hf_context *cx, const hf_reliability *r, double hours, hf_reliability_state *out);
/** In the long run with repair: a birth-death chain for each class. \return HF_EINVAL if a class that fails is never repaired */
hf_status hf_reliability_steady(hf_context *cx, const hf_reliability *r, hf_reliability_state *out);
/** Mean hours in tolerated sets without repair: the integral of R. Infinite where the last set is tolerated; an infinite high end
 *  where nothing bounds it. */
hf_status hf_reliability_integral(hf_context *cx, const hf_reliability *r, hf_bounded *out);
/** Mean hours to the first set on the way that is not tolerated, without repair. Exact where tolerance is monotone, and as far
 *  as hf_reliability_walk() went; bounded from there by the shares of sets: a way over tolerated sets ends in one, and of the
 *  ways that are still good no more are lost at a state than its sets that are not tolerated. */
hf_status hf_reliability_mttf(hf_context *cx, const hf_reliability *r, hf_bounded *out);
/** What the walk over ways needs. */
typedef struct hf_reliability_sets {
    const hf_universe *universe;
    const hf_rule *rule;
    const hf_criterion *criterion;
    const uint8_t *class_of;                                   /**< n_component classes */
    uint32_t threads;                                          /**< 0: all cores */
    void (*progress)(void *user, const hf_progress *progress); /**< or NULL; one thread at a time */
    void *progress_user;
} hf_reliability_sets;
/** Judge every set up to f_most failures, and find for each the share of the ways to it that lead over tolerated sets alone: by
 *  those of the sets with one component less. Stops before the size with which the sets would be more than 2^20 in all.
 *  \param[out] f_done sizes up to this were walked  \return as judges do */
hf_status hf_reliability_walk(hf_context *cx, hf_reliability *r, const hf_reliability_sets *sets, uint32_t f_most,
                              uint32_t *f_done);

/** A judge for campaigns over classes of components: wraps the judge of tolerance, tells failures by their composition and
 *  counts lost terminals. A terminal is lost when it is out of service, or when the plan lets it exchange packets both ways
 *  with fewer than half of the others. extra[i] of composition i is 1 if the set is not tolerated, plus lost terminals <<
 *  HF_RELIABILITY_LOST. \param[in] class_of n_component classes, borrowed */
enum { HF_RELIABILITY_LOST = 40 };
hf_status hf_reliability_judge_new(hf_context *cx, const hf_universe *universe, const hf_rule *rule,
                                   const hf_criterion *criterion, const uint8_t *class_of, size_t n_class, bool want_lost,
                                   hf_judge **out);
/** Compositions of f failures over n_class classes, in the order of the judge: failed[] of number `i`.
 *  \return false past the last one */
bool hf_reliability_composition(uint32_t f, size_t n_class, size_t i, uint32_t *failed);
/** Is a superset of a not tolerated set never tolerated? By what the routing claims of itself and what the criterion asks.
 *  \param[in] traits hf_rule_traits()  \param[in] fails_switches some component takes switches down: without them the switches
 * that are left may be connected again */
bool hf_reliability_is_monotone(unsigned traits, const hf_criterion *criterion, bool fails_switches);

#ifdef __cplusplus
}
#endif
#endif
