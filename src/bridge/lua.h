/** \file
 *  A user's rule in Lua 5.4, in a box: no files, no other programs, no foreign code, limits on instructions, CPU time and
 *  memory. Only the files of src/bridge that include lua_state.h see Lua's headers. A state belongs to one thread. */
#ifndef HOLDFAST_SRC_BRIDGE_LUA_H
#define HOLDFAST_SRC_BRIDGE_LUA_H

#include <holdfast/core/context.h>

#include "src/core/call.h"

typedef struct hf_lua hf_lua;

/** What a state is made of; all borrowed until hf_lua_free() but for `data`. */
typedef struct hf_lua_setup {
    const char *file; /**< for messages */
    const char *data; /**< the rule's text */
    size_t size;
    uint64_t instructions; /**< that one call may take; loading the rule and plan() may take 1000 times as many */
    double cpu_s;          /**< CPU time that one call may take; loading and plan() may take 20 times as much */
    size_t memory_bytes;
    const hf_call_field *fields;   /**< numbers "net.NAME" */
    const hf_call_method *methods; /**< functions "net:NAME(...)" */
    void *user;                    /**< handed to methods */
} hf_lua_setup;

/** Load a rule. \return HF_EINVAL with file and line for what is wrong in it, HF_ERANGE for a limit, HF_ENOMEM, HF_ESTOP: so do
 *  all calls below. Free with hf_lua_free(). */
hf_status hf_lua_new(hf_context *cx, const hf_lua_setup *setup, hf_lua **out);
void hf_lua_free(hf_lua *lua);
/** Does the rule define a function of this name? HF_EINVAL if the name stands for something else. */
hf_status hf_lua_has(hf_context *cx, hf_lua *lua, const char *function, bool *out);
/** A global number in [low, high], `otherwise` where the rule has none. */
hf_status hf_lua_number(hf_context *cx, hf_lua *lua, const char *name, uint32_t low, uint32_t high, uint32_t otherwise,
                        uint32_t *out);
/** A global truth value; false where the rule has none. */
hf_status hf_lua_truth(hf_context *cx, hf_lua *lua, const char *name, bool *out);
/** accepts(net): true, or false and a reason. \return HF_ENOTSUP with the reason */
hf_status hf_lua_accepts(hf_context *cx, hf_lua *lua);
/** plan(net, {channels = {...}, switches = {...}}) if there is one. From then on the rule's globals cannot be written. */
hf_status hf_lua_plan(hf_context *cx, hf_lua *lua, const uint32_t *channels, size_t n_channel, const uint32_t *switches,
                      size_t n_switch);
/** Has the rule looked at the faults that plan() is given, then or later? */
bool hf_lua_has_read_faults(const hf_lua *lua);
/** A global list of words, as a bit for each of those that are allowed. \param[in] words ends with NULL, 32 at most
 *  \param[out] bits 0 where the rule has no such list */
hf_status hf_lua_words(hf_context *cx, hf_lua *lua, const char *name, const char *const *words, uint32_t *bits);
/** FUNCTION(net, argument, ...), which returns a whole number below 2^32 - 1 or nil. \param[in] arguments as hf_lua_hops()
 *  \param[out] value HF_NONE: nil */
hf_status hf_lua_value(hf_context *cx, hf_lua *lua, const char *function, const uint32_t *arguments, size_t n_argument,
                       uint32_t *value);
/** FUNCTION(net, argument, ...), which returns a list of hops. \param[in] arguments six at most; HF_NONE is handed over as nil
 *  \param[out] hops borrowed until the next call; NULL if the function returned nil */
hf_status hf_lua_hops(hf_context *cx, hf_lua *lua, const char *function, const uint32_t *arguments, size_t n_argument,
                      const hf_call_hop **hops, size_t *n_hop);

#endif
