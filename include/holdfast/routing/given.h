/** \file
 *  A routing rule that a program hands over as functions of its own, in the place of a file of Lua. What its functions are asked,
 *  and what they see of the network, is as docs/lua.md says. */
#ifndef HOLDFAST_ROUTING_GIVEN_H
#define HOLDFAST_ROUTING_GIVEN_H

#include <holdfast/core/call.h>
#include <holdfast/core/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a rule's answers depend on, as `depends` says in Lua. */
enum { HF_RULE_ON_SWITCH = 1, HF_RULE_ON_DESTINATION = 2, HF_RULE_ON_SOURCE = 4, HF_RULE_ON_TAG = 8 };

/** The rule on one network, or as it is asked for one plan. */
typedef struct hf_rule_call hf_rule_call;

/** A rule, for hf_context_give_rule(). It is borrowed for as long as anything is asked of it. */
typedef struct hf_given_rule {
    const char *name;   /**< for messages; the routing's spec is given:NAME */
    uint32_t vcs, tags; /**< 1 to 64, 1 to 2^24 */
    uint32_t depends;   /**< HF_RULE_ON_...; 0: not said */
    bool commits, has_accepts, has_inject;
    /** A function of the rule. Each `call` is one network or plan: first "begin" is called and at last "end", without arguments;
     *  between them, of a network "accepts", and of a plan "route" (at, in_channel, in_vc, destination, tag, source; HF_NONE: the
     *  rule does not see it) and "inject" (terminal, destination). The answer is given by hf_rule_call_hop() and its neighbours;
     *  without any, holdfast injects or delivers the packet. Several threads call at a time, each for plans of its own. */
    void (*call)(void *user, hf_rule_call *call, const char *function, const uint32_t *arguments, size_t n);
    void *user;
} hf_given_rule;

/** The answer is a list of hops, to which one is added, or which may be empty. \param[in] tag HF_NONE: as it was */
void hf_rule_call_hop(hf_rule_call *call, uint32_t channel, uint32_t vc, uint32_t tag, bool is_escape);
void hf_rule_call_no_hop(hf_rule_call *call);
/** The rule does not take the network. \param[in] reason copied */
void hf_rule_call_refuse(hf_rule_call *call, const char *reason);
/** The rule has an error. \param[in] text copied */
void hf_rule_call_fail(hf_rule_call *call, const char *text);
/** What the network knows: a number such as n_switch, or what a method such as coord gives.
 *  \param[out] result borrowed until the next call  \return NULL, or what is wrong with the arguments, borrowed as well */
const char *hf_rule_call_net(hf_rule_call *call, const char *name, const hf_call_value *arguments, size_t n,
                             hf_call_value *result);

#ifdef __cplusplus
}
#endif
#endif
