/** \file
 *  Criterion `switches-connected`: do the switches that have not failed hang together, and are enough terminals in service at
 *  them? Verdicts only, the last one or two
 *  components counted at once where every component is one link, or one switch, of a network of two-way links. */
#ifndef HOLDFAST_SRC_ANALYSIS_PARTING_PARTING_H
#define HOLDFAST_SRC_ANALYSIS_PARTING_PARTING_H

#include <holdfast/routing.h>

/** What has failed so far: a stack of components. */
typedef struct hf_parting {
    const hf_universe *universe;
    uint32_t least; /**< terminals in service that are asked for: see hf_criterion_least() */
    hf_fault_stack stack;
    uint32_t *down;  /**< n_channel: components of the stack that take it down */
    uint32_t *gone;  /**< n_switch: likewise */
    uint32_t *queue; /**< n_switch */
    uint64_t *seen;  /**< n_switch bits */
} hf_parting;

/** The judge. \param[in] is_slow without the counting of many sets at once: for tests and `--judge relation` */
hf_status hf_parting_judge_new(hf_context *cx, const hf_universe *universe, uint32_t least, bool is_slow, hf_judge **out);
/** The same question of one fault set, searched from nothing. \param[out] live terminals in service. Time O(channels). */
hf_status hf_parting_is_whole(hf_context *cx, const hf_fault_set *faults, uint32_t least, bool *out, uint32_t *live);

/** Add a component to the stack / take back the last one. */
hf_status hf_parting_push(hf_context *cx, hf_parting *p, uint32_t component);
void hf_parting_pop(hf_parting *p);
/** Two searches, forth and back. */
bool hf_parting_read(hf_parting *p);
/** Terminals in service: with a healthy channel to or from a switch that has not failed. In a network of fewer than two
 *  terminals, switches that have not failed. Stops counting at `enough`. */
uint32_t hf_parting_live(const hf_parting *p, uint32_t enough);

/** Sets of one or two further components are counted as hf_judge_ops.count says, from rows: a row is one component, or the first
 * of two, and says how many of those after it part the network with it. */
typedef struct hf_parting_sum {
    uint64_t lo, hi; /**< indices asked for */
    uint64_t index;  /**< of the first set of the next row */
    uint64_t bad, first;
} hf_parting_sum;
/** Take the next row, of `size` sets. \param[in] bad how many of them part the network \param[in] is_bad is set i of the row one
 * of them? Asked only where the row is not wholly asked for, and for the first of all. */
void hf_parting_take(hf_parting_sum *sum, uint64_t size, uint64_t bad, bool (*is_bad)(const void *user, uint64_t i),
                     const void *user);

/* ---- every component is one link between switches ---- */

/** Cuts of a connected network are the link sets whose labels add up to nothing: the label of a link is the set of cycles of a
 *  basis, one for each link off a spanning tree, that go through it. So a set of links parts the network exactly if some of
 *  their labels add up to zero. Reduced by the labels of the links that have failed, a bridge has label zero, and two links that
 *  part together have the same. */
typedef struct hf_parting_links hf_parting_links;
/** \return HF_ENOTSUP where the universe is another, or the network has no single part. */
hf_status hf_parting_links_new(hf_context *cx, const hf_universe *universe, hf_parting_links **out);
void hf_parting_links_free(hf_parting_links *links);
/** The last component was taken back from a stack of `depth`. */
void hf_parting_links_pop(hf_parting_links *links, uint32_t depth);
/** hf_judge_ops.count; components of `p` are pushed, and it is left as it was. */
hf_status hf_parting_links_count(hf_context *cx, hf_parting_links *links, hf_parting *p, uint32_t r, hf_parting_sum *sum);

/* ---- every component is one switch ---- */

/** Switches whose failure parts the network, from one depth-first search for each state. */
typedef struct hf_parting_switches hf_parting_switches;
/** \return HF_ENOTSUP where the universe is another. */
hf_status hf_parting_switches_new(hf_context *cx, const hf_universe *universe, hf_parting_switches **out);
void hf_parting_switches_free(hf_parting_switches *switches);
hf_status hf_parting_switches_count(hf_context *cx, hf_parting_switches *switches, hf_parting *p, uint32_t r,
                                    hf_parting_sum *sum);

#endif
