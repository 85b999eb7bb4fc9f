/** \file
 *  All states that packets of a rule get to without faults, for all destinations, and the hops between them. States that they get
 *  to under faults alone are added as they are met. */
#ifndef HOLDFAST_SRC_ROUTING_LUA_GRAPH_H
#define HOLDFAST_SRC_ROUTING_LUA_GRAPH_H

#include "src/core/rows.h"
#include "src/routing/lua/ask.h"

/** In the place of a vertex: the destination itself. */
#define HF_LUA_GOAL HF_NONE

/** A state of packets to one destination. */
typedef struct hf_lua_vertex {
    hf_lua_branch root; /**< 0: never asked, or not kept */
    uint32_t list;      /**< hops without faults; 0: no packet gets here then */
    uint32_t destination;
    uint32_t edge;   /**< without faults: of the first hop, in `next` */
    uint32_t parent; /**< a vertex from which packets come without faults; HF_NONE: they are injected here */
    uint32_t down;   /**< where a shortest way leads on without faults; HF_LUA_GOAL: delivery */
    uint32_t rank;   /**< its hops to there; HF_NONE: of those that are met under faults */
    uint64_t state;
} hf_lua_vertex;

typedef struct hf_lua_graph {
    hf_lua_vertex *vertex;
    size_t n_vertex, vertex_room;
    hf_index index;
    uint32_t *next; /**< by edge: vertex; HF_LUA_GOAL */
    size_t n_edge, edge_room;
    /* in the arena: vertices before a vertex; and those whose hops change, or fail, with a channel, with a switch, or with the
     * healthy distance to switch b from switch a, row b * n_switch + a; no rows where no call asks for any */
    hf_rows before, by_channel, by_switch, by_pair;
    uint32_t n_switch;
} hf_lua_graph;

/** The graph without faults. \param[in] asker asks under no faults \param[in] cx its arena holds what the graph says it does
 *  \return HF_ENOTSUP if there are too many states, or some packet is not delivered on some way; what the rule fails with.
 *  Free with hf_lua_graph_free(), after a failure, too. */
hf_status hf_lua_graph_make(hf_context *cx, hf_lua_asker *asker, hf_lua_graph *out);
void hf_lua_graph_free(hf_context *cx, hf_lua_graph *graph);
/** The vertex behind a hop of packets to a destination, met for the first time or not. */
hf_status hf_lua_graph_behind(hf_context *cx, hf_lua_graph *graph, const hf_lua_asker *asker, uint32_t destination,
                              const hf_lua_hop *hop, uint32_t *out);
/** Its key among the answers, and the destination that the rule is asked for. */
uint64_t hf_lua_graph_key(const hf_lua_graph *graph, const hf_lua_asker *asker, uint32_t vertex, uint32_t *asked);

#endif
