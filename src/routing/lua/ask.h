/** \file
 *  Asking a rule for the hops of a state, under one fault set: what it says is checked, sorted and kept. */
#ifndef HOLDFAST_SRC_ROUTING_LUA_ASK_H
#define HOLDFAST_SRC_ROUTING_LUA_ASK_H

#include "src/routing/lua/answers.h"
#include "src/routing/lua/states.h"

enum { HF_LUA_VC_MAX = 64, HF_LUA_TAG_MAX = 1 << 24 };
/** The words of `depends`, in the order of their bits HF_RULE_ON_...; ends with NULL. */
extern const char *const hf_lua_dependencies[];

/** A rule that is asked: one in Lua, or one that the program has handed over. */
typedef struct hf_lua_rule {
    const char *file; /**< for messages */
    uint32_t n_vc, n_tag, depends;
    bool commits, has_inject;
    /** As hf_lua_hops(). \param[out] trace NULL, or what the call asked of the network; n is HF_NONE where it looked at faults in
     *  another way */
    hf_status (*hops)(hf_context *cx, void *user, const char *function, const uint32_t *arguments, size_t n,
                      const hf_call_hop **hops, size_t *n_hop, hf_lua_trace *trace);
    /** Has it looked at what faults have a say in? */
    bool (*looks)(const void *user);
    void *user;
    /* NULL, or what it has answered under other faults, and a network under those of now, for a rule that is a function of its
     * arguments and of what it asks */
    hf_answers *known;
    hf_lua_net *net;
    bool asks_again; /**< also what is known, to compare */
} hf_lua_rule;

typedef struct hf_lua_asker {
    hf_context *cx;
    const hf_lua_rule *rule;
    hf_lua_states states;
    hf_answers *answers, own; /**< own: where the rule has none */
    hf_lua_hop *hops;         /**< scratch of one call */
    size_t room;
    hf_lua_trace *trace; /**< NULL: of a rule whose answers are not kept */
    bool differs;        /**< some call answered or asked something else than before */
} hf_lua_asker;

/** \param[in] rule borrowed. Release with hf_lua_asker_close(), which is right after a failure, too. */
hf_status hf_lua_asker_open(hf_context *cx, const hf_topology *topo, const hf_lua_rule *rule, hf_lua_asker *out);
void hf_lua_asker_close(hf_lua_asker *asker);
/** The list of hops of a state, in asker->answers. \param[in] destination the one that the rule is asked for
 *  \return HF_EINVAL for a wrong hop, with the arguments of the call; what the rule fails with */
hf_status hf_lua_ask(hf_lua_asker *asker, uint64_t state, uint32_t destination, uint32_t *list);

#endif
