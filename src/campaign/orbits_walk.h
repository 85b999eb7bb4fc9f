/** \file
 *  Inside of method `orbits`: the walk over one set of each orbit. */
#ifndef HOLDFAST_SRC_CAMPAIGN_ORBITS_WALK_H
#define HOLDFAST_SRC_CAMPAIGN_ORBITS_WALK_H

#include "src/campaign/orbits.h"

typedef struct hf_orbits_walk {
    hf_context *cx;
    hf_judge *judge;             /**< NULL: verdicts are counted and not asked for */
    const hf_campaign *campaign; /**< NULL, or: of each orbit of the sizes asked for one set is measured */
    hf_tally **tally;            /**< f_most + 1, with a campaign: NULL where a size is not asked for */
    hf_progress progress;
    double told_s, progress_from_s;
    hf_symmetric claim;
    hf_orbits_graph net;
    uint32_t m, f_most;
    uint32_t *pair;   /**< m x m: a number of the orbit of each ordered pair of components */
    uint32_t *root;   /**< f_most + 1 times m: of the set of each size, the lowest component of each orbit of its stabiliser */
    uint32_t *size;   /**< likewise: components of the orbit with that lowest one, outside the set */
    uint32_t *set;    /**< f_most + 1 */
    uint32_t *sorted; /**< f_most + 1: the same, ascending */
    uint32_t *colour; /**< of net, with the set marked */
    uint32_t *label;
    uint64_t *value;        /**< 2 (f_most + 1) */
    hf_u128 *stood_for;     /**< by size: of the sets that were kept */
    hf_u128 *not_tolerated; /**< by size, each set as many times as it has components */
    uint64_t kept, verdicts;
    const double
        *share;    /**< NULL, or f_most + 1: of the sets of a size so many, evenly spread, are extended, and stand for all */
    double *due;   /**< f_most + 1, with `share`: sets of a size that should have been extended */
    double weight; /**< of the present set: how many it stands for */
    double estimated, skipped, core_s; /**< verdicts, those that need none, and seconds for them, with what was left out */
    double until_s;                    /**< 0, or when to stop */
    uint64_t *form;                    /**< with a campaign: of the orbits that are not tolerated or noted; heap */
    size_t n_form, form_room;
    unsigned *kinds; /**< f_most + 1: HF_NOTES bits of what there is of a size, and one for not tolerated */
} hf_orbits_walk;

/** A number spread over 64 bits, for sums that do not hang on an order. */
static inline uint64_t hf_orbits_mix(uint64_t x) {
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/** Find the orbits of components under the stabiliser of the first k of the set: row k of `root`; for k = 0 those of pairs, too.
 * \param[out] order NULL, or how many symmetries there are, in decimal; heap */
hf_status hf_orbits_find(hf_orbits_walk *w, uint32_t k, char **order);
/** The same of the stabiliser of each of them; of pairs nothing. */
hf_status hf_orbits_find_each(hf_orbits_walk *w, uint32_t k);
/** Is the last of the k components the canonical one? If so, the orbits under the stabiliser of the set are found, too. */
hf_status hf_orbits_is_kept(hf_orbits_walk *w, uint32_t k, bool *out);

/** The set of k stands for an orbit that was measured: remember it, if its lowest set is to be found. */
hf_status hf_orbits_remember(hf_orbits_walk *w, uint32_t k, const hf_measure *measure);
/** Put the lowest set of each kind into the tallies. Time: about as many canonical labels as there are orbits, and a verdict for
 * each kind and size. */
hf_status hf_orbits_find_lowest(hf_orbits_walk *w);

#endif
