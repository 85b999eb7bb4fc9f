/** \file
 *  What a rule has answered, kept from one fault set to the next. Of every state, a tree of what the rule asked about the faults:
 *  a node is one question, with an answer to compare with; a leaf is the list of hops. So a call is known as soon as a call with
 *  the same arguments was answered the same by the network. Lists that are equal are one. */
#ifndef HOLDFAST_SRC_ROUTING_LUA_ANSWERS_H
#define HOLDFAST_SRC_ROUTING_LUA_ANSWERS_H

#include <holdfast/core/bitset.h>

#include "src/core/index.h"
#include "src/routing/lua/net.h"

/** A hop, or before the hops of a list their number. */
typedef struct hf_lua_hop {
    uint32_t channel; /**< of the number: how many */
    uint16_t vc, is_escape;
    uint32_t header;
} hf_lua_hop;

/** A place in a tree: 0 is nothing yet, HF_LUA_LEAF a list, else a node. */
typedef uint32_t hf_lua_branch;
#define HF_LUA_LEAF 0x80000000u

typedef struct hf_lua_node {
    hf_lua_query query;
    uint32_t value;
    hf_lua_branch other, same; /**< where the answer is another, and where it is that */
} hf_lua_node;

typedef struct hf_lua_root {
    uint64_t key; /**< destination that the rule is asked for * n_state + state */
    hf_lua_branch branch;
} hf_lua_root;

/** Zeroed but for the allocator: nothing. One thread at a time. */
typedef struct hf_answers {
    hf_allocator allocator;
    hf_lua_hop *list; /**< the lists, one after the other, each behind its number; place 0 is not used */
    size_t n_list, list_room;
    hf_index lists; /**< their places */
    hf_lua_node *node;
    size_t n_node, node_room; /**< place 0 is not used */
    hf_lua_root *root;
    size_t n_root, root_room;
    hf_index roots;
} hf_answers;

/** Does any call ask the network about faults? */
static inline bool hf_answers_has_questions(const hf_answers *answers) { return answers->n_node > 1; }

void hf_answers_free(hf_answers *answers);
/** Is there room for so many nodes more within the limit of memory, 256 MiB? */
bool hf_answers_have_room(const hf_answers *answers, size_t nodes);
/** The list of these hops. \return HF_ERANGE beyond 2^31 hops in all, without a message */
hf_status hf_answers_list(hf_context *cx, hf_answers *answers, const hf_lua_hop *hops, uint32_t n, uint32_t *list);
/** The tree of a state; 0: none. */
hf_lua_branch hf_answers_root(const hf_answers *answers, uint64_t key);
/** Keep an answer: what the network was asked and said, and the list. What does not fit into the memory is not kept.
 *  \param[out] differs a call before had the same arguments and answers of the network, and did or answered something else: the
 *  rule is no function of its arguments */
hf_status hf_answers_keep(hf_context *cx, hf_answers *answers, uint64_t key, const hf_lua_trace *trace, uint32_t list,
                          bool *differs);

/** Follow a tree under the faults of the net. \return the list; 0: not known */
static inline uint32_t hf_answers_follow(const hf_answers *answers, hf_lua_branch b, hf_lua_net *net) {
    while (b && !(b & HF_LUA_LEAF)) {
        const hf_lua_node *n = &answers->node[b];
        b = hf_lua_net_answer(net, n->query) == n->value ? n->same : n->other;
    }
    return b & ~HF_LUA_LEAF;
}

#endif
