/** \file
 *  What packets can hold and ask for, over all destinations: the dependency relation over resources (channel, virtual channel).
 *
 *  Destinations share most of it. A packet that sits at resource r may go on in few different ways, however many destinations
 *  there are; a situation is one of these ways, kept once, with one destination that brings it about. */
#ifndef HOLDFAST_SRC_ANALYSIS_DEADLOCK_DEPENDENCY_H
#define HOLDFAST_SRC_ANALYSIS_DEADLOCK_DEPENDENCY_H

#include <holdfast/analysis/deadlock.h>

/** The lowest destination, and of its sources the lowest, of which a packet has no healthy hop, or may commit itself to a failed
 *  one; the source HF_NONE: on its way; the destination HF_NONE: nowhere. */
typedef struct hf_stuck {
    uint32_t source, destination;
} hf_stuck;
static inline void hf_stuck_note(hf_stuck *lowest, uint32_t source, uint32_t destination) {
    if (destination < lowest->destination || (destination == lowest->destination && source < lowest->source)) {
        *lowest = (hf_stuck){source, destination};
    }
}

/** Slots of a resource: the hops that can follow it, slot = (place of the channel among those that leave its node) * n_vc +
 * vc. */
typedef struct hf_dependency {
    const hf_plan *plan;
    uint32_t n_vc, n_resource;
    uint32_t words;  /**< of a mask of slots */
    uint32_t *place; /**< n_channel: place among the channels that leave the same node */
    uint32_t n_situation;
    uint32_t *begin;             /**< n_resource + 1: situations of a resource; NULL: unions alone */
    uint32_t *resource;          /**< n_situation */
    uint32_t *destination, *tag; /**< n_situation: the lowest pair that brings it about */
    /** NULL where packets are of one kind; else by situation: the class; of a packet at a terminal that has to answer it, where
     * it came from, the class of the answer and whom it is for, HF_NONE: it is no such packet */
    uint32_t *class_of, *asker, *answer, *answer_to;
    uint32_t *mask_of; /**< n_situation: number of its mask; a node has each mask once */
    uint64_t *mask;    /**< by number x words: hops that may follow */
    uint64_t *all;     /**< n_resource x words: union of the masks */
    uint64_t *used;    /**< n_resource bits: packets can get there */
    bool is_stuck;     /**< some packet has no healthy hop */
    hf_stuck stuck;
} hf_dependency;

/** Follow the relation from every live source to every live destination. Hops over failed channels are left out. Time
 *  O(G * (reads + states * different answers / 64)), shared by `threads`: of G groups of destinations that the rule routes alike,
 *  64 are followed at once, and a rule is asked once for each group and arrival, or arrivals that it routes alike. Where
 *  the rule gives an order, once for each run that it treats alike in it, however long. Memory O(resources + situations). */
hf_status hf_dependency_make(hf_context *cx, const hf_plan *plan, uint32_t threads, hf_dependency *out);

/** The same without situations: what may follow each resource whoever the packet is for (`all`), `used` and the lost pair. It
 *  takes a fraction of the time and O(resources) memory, and is all that a graph without a cycle needs. */
hf_status hf_dependency_unions(hf_context *cx, const hf_plan *plan, uint32_t threads, hf_dependency *out);

/** The same of one destination in thirty-two: those that are followed first. \param[out] any there are so many that some were */
hf_status hf_dependency_first_unions(hf_context *cx, const hf_plan *plan, uint32_t threads, hf_dependency *out, bool *any);

/** The same of a plan with classes: what packets of each bring about, and those that wait at their destination until the answer
 *  can be sent: a situation for each different choice of virtual channels that an answer has, of those that can be had where the
 *  packet came in. Further time O(G * states * different choices). */
hf_status hf_dependency_of_classes(hf_context *cx, const hf_plan *plan, uint32_t threads, hf_dependency *out);

/** Resources and slots alone, for who follows the relation in another way. */
hf_status hf_dependency_shape(hf_context *cx, const hf_plan *plan, hf_dependency *out);

/** Resource that slot `slot` of resource `r` stands for. */
static inline uint32_t hf_dependency_target(const hf_dependency *d, uint32_t r, uint32_t slot) {
    const hf_topology *topo = d->plan->topo;
    const uint32_t node = topo->to[r / d->n_vc];
    return topo->out_list[topo->out_begin[node] + slot / d->n_vc] * d->n_vc + slot % d->n_vc;
}
/** The resource that a hop leads to. */
static inline uint32_t hf_dependency_resource(const hf_dependency *d, hf_hop hop) { return hop.channel * d->n_vc + hop.vc; }
static inline uint32_t hf_dependency_slot(const hf_dependency *d, hf_hop hop) { return d->place[hop.channel] * d->n_vc + hop.vc; }
static inline const uint64_t *hf_dependency_mask(const hf_dependency *d, uint32_t situation) {
    return d->mask + (size_t)d->mask_of[situation] * d->words;
}

/** Iterate over the targets of a mask: for (i = 0; (q = hf_dependency_next(d, r, mask, &i)) != HF_NONE;) */
uint32_t hf_dependency_next(const hf_dependency *d, uint32_t r, const uint64_t *mask, uint32_t *slot);

#endif
