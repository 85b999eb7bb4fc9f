/** \file
 *  The order of up* / down*, and its legal shortest ways for all destinations at once: a bit for each switch with terminals. */
#ifndef HOLDFAST_SRC_ROUTING_ANY_UPDOWN_H
#define HOLDFAST_SRC_ROUTING_ANY_UPDOWN_H

#include <holdfast/core/bitset.h>
#include <holdfast/routing.h>

/** What a packet may still do: go up and down, or down only. */
enum { HF_UP = 0, HF_DOWN = 1 };

/** Levels of a breadth-first search of the healthy links from the root; a part that it does not reach is searched from its
 *  lowest switch. \param[in] failed n_channel bits, or NULL \param[in] root HF_NONE: it has failed
 *  \param[out] level n_switch \param[in] queue scratch of n_switch entries */
void hf_updown_levels(const hf_topology *topo, const uint64_t *failed, uint32_t root, uint32_t *queue, uint32_t *level);
/** Levels for a plan: a hop to a lower level goes up. \param[in] queue scratch of n_switch entries \param[out] level n_switch */
typedef hf_status hf_updown_levels_of(hf_context *cx, hf_plan *plan, uint32_t *queue, uint32_t *level);
/** hf_routing.plan of a rule with such levels, its route and its likeness; it needs terminals with links of two directions. */
hf_status hf_updown_plan(hf_context *cx, hf_plan *plan, hf_updown_levels_of *find_levels);
size_t hf_updown_route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops);
extern const hf_likeness hf_updown_likeness;
/** A judge for a rule whose levels faults do not change; no two switches of one level are linked. Verdicts alone: O(channels *
 *  switches / 64) each. HF_ENOTSUP for terminals on several switches. */
hf_status hf_updown_fixed_judge_new(hf_context *cx, const hf_universe *universe, hf_updown_levels_of *find_levels,
                                    hf_judge **out);
hf_status hf_updown_accepts(hf_context *cx, const hf_topology *topo, const char *rule);
/** Does a channel between switches lead to an earlier one? */
static inline bool hf_updown_is_up(const hf_topology *topo, const uint32_t *level, uint32_t channel) {
    const uint32_t from = topo->from[channel], to = topo->to[channel];
    return level[to] != level[from] ? level[to] < level[from] : to < from;
}

/** A channel from one switch to another. */
typedef struct hf_updown_arc {
    uint32_t channel, to;
} hf_updown_arc;

/** A hop that is offered for a goal. Places are 2 * switch + phase. */
typedef struct hf_updown_hop {
    uint32_t channel, tail, head;
} hf_updown_hop;

/** What the order makes of the channels of one fault set. Rows of `words` words have a bit for each goal, which is a switch with
 *  terminals. */
typedef struct hf_updown_ways {
    uint8_t *phase;     /**< n_channel: of a packet that came by it, whether it has failed or not */
    uint64_t *seen[2];  /**< n_switch rows: goals that a packet of that phase can go to */
    uint64_t *offer[2]; /**< n_channel rows: goals for which a packet of that phase takes the channel */
} hf_updown_ways;

/** All that fault sets share. Memory lives in a context of its own. */
typedef struct hf_updown_table {
    hf_context *cx;
    hf_allocator allocator;
    const hf_topology *topo;
    uint32_t root, n_goal;
    size_t words;
    uint32_t *goal;                   /**< n_goal switches */
    uint32_t *goal_at;                /**< n_switch: number of the goal, HF_NONE: no terminals */
    uint32_t *member;                 /**< n_goal: terminals there */
    uint64_t *all;                    /**< a row of all goals */
    uint32_t *arc_begin, *back_begin; /**< n_switch + 1 */
    hf_updown_arc *arc;               /**< channels between switches, by their beginning */
    hf_updown_arc *back;              /**< by their end; `to` is where they begin */
    hf_updown_ways free;              /**< without faults */
    uint32_t *level, *parents;        /**< n_switch, without faults: channels from a lower level */
    uint64_t *start;                  /**< n_switch rows: goals of the packets that begin there */
    uint64_t *reached;                /**< n_channel rows: goals of the packets that come by it without faults */
    uint64_t *near;                   /**< n_channel rows: goals to which it is a shortest hop, legal or not */
    uint32_t *hop_begin;              /**< n_goal + 1 */
    hf_updown_hop *hop;               /**< hops of each goal, by the distance of their tails, those of one tail together */
    uint64_t *n_way;                  /**< n_goal: ways of all ordered pairs */
    uint64_t *through;                /**< n_channel rows of n_goal: ways over a channel */
    uint64_t *through_all;            /**< n_channel */
    bool serves_all;
    /* scratch of searches */
    uint64_t *now[2], *next[2]; /* n_switch rows */
    uint32_t *queue;
} hf_updown_table;

/** \return HF_ENOTSUP where a terminal has not exactly one link of two directions, the tables take more than 1 GiB, or 64 bits do
 *  not count the ways. */
hf_status hf_updown_table_new(hf_context *cx, const hf_topology *topo, uint32_t root, hf_updown_table **out);
void hf_updown_table_free(hf_updown_table *table);
/** Room for the ways of one fault set. */
hf_status hf_updown_ways_init(const hf_updown_table *table, hf_updown_ways *ways);
void hf_updown_find_phases(const hf_updown_table *table, const uint32_t *level, hf_updown_ways *ways);
/** The legal shortest ways; phases are known. \param[in] failed n_channel bits
 *  \param[in] fill NULL, or for each goal the place in table->hop where its next hop goes */
void hf_updown_search(hf_updown_table *table, const uint64_t *failed, hf_updown_ways *ways, uint32_t *fill);

/** The judge of campaigns. */
hf_status hf_updown_graph_judge_new(hf_context *cx, const hf_universe *universe, const hf_rule *rule, hf_judge **out);

#endif
