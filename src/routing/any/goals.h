/** \file
 *  Rows of tables of distances, for rules on any topology. Terminals that hang on one switch alone share its row; a terminal on
 *  several has one of its own. */
#ifndef HOLDFAST_SRC_ROUTING_ANY_GOALS_H
#define HOLDFAST_SRC_ROUTING_ANY_GOALS_H

#include <holdfast/core/bitset.h>
#include <holdfast/routing.h>

enum { HF_FAR = UINT16_MAX /**< no way */ };

typedef struct hf_goals {
    const hf_topology *topo;
    const uint64_t *failed; /**< channels */
    uint32_t n_row;
    uint32_t *row;  /**< of terminal t */
    uint32_t *goal; /**< of a row: a switch, or the node of a terminal */
    uint32_t *queue;
} hf_goals;

/** What a table of distances is stopped at; see hf_context_go_on(). */
extern const char hf_goals_doing[];

/** Rows that a table has on this topology. */
uint32_t hf_goals_count(const hf_topology *topo);
/** Lay out the rows. \param[in] per_row bytes that the rule's table takes a row and switch; HF_ERANGE with the figure if the
 * tables would take more than 4 GiB */
hf_status hf_goals_init(hf_context *cx, const hf_plan *plan, size_t per_row, hf_goals *goals);
/** Switches with a healthy channel to the goal of a row, into goals->queue. A switch that is the goal counts whatever the channel
 * to its terminal. \return how many */
uint32_t hf_goals_seeds(const hf_goals *goals, uint32_t row);
/** Breadth first against the healthy channels. \param[out] distance n_switch: channels to a switch with a channel to the goal of
 * the row, or HF_FAR */
hf_status hf_goals_search(hf_context *cx, const hf_goals *goals, uint32_t row, uint16_t *distance);
/** The same of all rows, sixty-four at once. \param[out] distance by switch x n_row + row */
hf_status hf_goals_search_all(hf_context *cx, const hf_goals *goals, uint16_t *distance);
static inline bool hf_goals_is_failed(const hf_goals *goals, uint32_t channel) {
    return goals->failed && hf_bit_test(goals->failed, channel);
}
/** Does the one channel to the terminal fail? False for one with several. */
bool hf_goals_is_cut_off(const hf_goals *goals, uint32_t destination);
/** The most channels that leave a node. */
uint32_t hf_goals_degree(const hf_topology *topo);

#endif
