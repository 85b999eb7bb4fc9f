/** \file
 *  What threads keep of a rule in Lua from one fault set to the next, for rules that are functions of their arguments and of what
 *  they ask the network. */
#ifndef HOLDFAST_SRC_ROUTING_LUA_MEMORY_H
#define HOLDFAST_SRC_ROUTING_LUA_MEMORY_H

#include "src/routing/lua/ask.h"

/** Of one thread at a time. */
typedef struct hf_lua_memory {
    struct hf_lua_memory *next;
    hf_answers answers;
    hf_lua_rule rule; /**< what the rule says of itself; without functions */
    bool asks;        /**< some call asks the network about faults */
} hf_lua_memory;

/** Find out, by asking under no faults and under some, forwards and backwards, each time with a state of Lua's of its own: are
 *  calls with the same arguments and the same answers of the network alike? \param[in,out] memory empty; filled if so
 *  \param[out] is_sound  \return what the rule fails with under no faults */
typedef hf_status hf_lua_decide(hf_context *cx, void *user, hf_lua_memory *memory, bool *is_sound);

typedef struct hf_lua_pool hf_lua_pool;
hf_status hf_lua_pool_new(hf_context *cx, hf_lua_pool **out);
void hf_lua_pool_free(hf_lua_pool *pool);
/** One more plan is asked for: does it look as if there will be many? */
bool hf_lua_pool_is_busy(hf_lua_pool *pool);
/** A memory, from those that are not in use. The first call decides. \param[out] out NULL: the rule is not remembered */
hf_status hf_lua_pool_take(hf_context *cx, hf_lua_pool *pool, hf_lua_decide *decide, void *user, hf_lua_memory **out);
void hf_lua_pool_give(hf_lua_pool *pool, hf_lua_memory *memory);

#endif
