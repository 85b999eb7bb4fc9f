/** \file
 *  Method `counted`: the not tolerated sets of every size at once, as big integers, without looking at one of them. For failure
 *  that is connectivity of the healthy network, and for minimal paths of k-ary n-trees; docs/methods.md says how and why. */
#ifndef HOLDFAST_SRC_CAMPAIGN_COUNTED_H
#define HOLDFAST_SRC_CAMPAIGN_COUNTED_H

#include <holdfast/campaign.h>

/** Words that hold every number of sets of at most `f` of m components. */
uint32_t hf_counted_words(uint32_t m, uint32_t f);
/** to += from, both as `n` words; the sum fits. */
static inline void hf_counted_add(uint64_t *to, const uint64_t *from, size_t n) {
    uint64_t carry = 0;
    for (size_t i = 0; i < n; i++) {
        const hf_u128 sum = (hf_u128)to[i] + from[i] + carry;
        to[i] = (uint64_t)sum;
        carry = (uint64_t)(sum >> 64);
    }
}

/** What the components of a set leave connected: vertices, edges, and what can fail. An edge, a vertex or an item is there while
 *  none of its components has failed. All in the arena. */
typedef struct hf_counted_list {
    uint32_t *begin, *component; /**< those of i: component[begin[i]] to component[begin[i + 1] - 1] */
} hf_counted_list;
typedef struct hf_counted_net {
    uint32_t n_vertex, n_edge, n_item, n_component;
    uint32_t *a, *b;   /**< n_edge: the ends of an edge */
    bool *is_goal;     /**< n_vertex: has to be connected with all other goals that are there */
    uint32_t *item_at; /**< n_item: the vertex near which it is looked at */
    uint32_t least;    /**< items that have to be there */
    hf_counted_list edge, vertex, item;
} hf_counted_net;
/** The net of a universe under a criterion of connectivity. \return HF_ENOTSUP in one sentence where there is none */
hf_status hf_counted_net_make(hf_context *cx, const hf_universe *universe, const hf_criterion *criterion, hf_counted_net *out);

/** An order of the vertices in which few of them are open at once: the best of several searches, improved by moves.
 *  \param[out] order n_vertex, in the arena  \param[out] width vertices and components open at once */
hf_status hf_counted_order(hf_context *cx, const hf_counted_net *net, uint32_t *order, uint32_t *width);

/** What came out of a count. */
typedef struct hf_counted_work {
    uint32_t reach; /**< sizes 0 .. reach are exact */
    uint32_t width;
    uint64_t states;     /**< looked at in all */
    uint64_t most;       /**< kept at once */
    double memory_bytes; /**< taken at most */
} hf_counted_work;
/** Tolerated sets along an order of vertices, up to size `f_most` or as far as `memory` bytes go.
 *  \param[out] tolerated f_most + 1 numbers of `words` words */
hf_status hf_counted_frontier(hf_context *cx, const hf_counted_net *net, const uint32_t *order, uint32_t f_most, uint32_t words,
                              double memory, uint64_t *tolerated, hf_counted_work *work);

#endif
