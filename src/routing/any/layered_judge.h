/** \file
 *  What the judges of rules with one way a pair, on layers, have in common: the ways of each set beside those without faults. */
#ifndef HOLDFAST_SRC_ROUTING_ANY_LAYERED_JUDGE_H
#define HOLDFAST_SRC_ROUTING_ANY_LAYERED_JUDGE_H

#include "src/routing/any/layered_compare.h"

typedef struct hf_layered_judge hf_layered_judge;

/** How a rule makes the ways of a set, and what it knows of those that stay. */
typedef struct hf_layered_judging {
    size_t size; /**< of the rule's judge, which begins with an hf_layered_judge */
    /** What is known without faults, in the arena of the judge. \return HF_ENOTSUP: there is no plan */
    hf_status (*fill)(hf_layered_judge *judge);
    /** Find the ways of a set. \param[in] is_laid do layers matter? \param[out] now valid until undo(), or the scratch is reset
     */
    hf_status (*change)(hf_context *cx, hf_layered_judge *judge, const hf_fault_set *faults, bool is_laid,
                        const hf_layered **now);
    /** Add up what is lost, and who is served; the latter alone. \param[in] cuts is a channel of a terminal among the faults? */
    void (*read)(hf_layered_judge *judge, bool cuts, hf_layered_reading *reading);
    void (*serve)(hf_layered_judge *judge, bool cuts, hf_layered_reading *reading);
    void (*measure)(const hf_layered_judge *judge, hf_measure *out); /**< NULL: as the routing measures a plan */
    void (*undo)(hf_layered_judge *judge); /**< behind each set, also where change() failed; NULL: nothing is kept */
} hf_layered_judging;

struct hf_layered_judge {
    hf_judge base;
    const hf_layered_judging *how;
    hf_allocator allocator;
    hf_context *cx; /**< its arena holds what is known without faults */
    const hf_routing *routing;
    const hf_universe *universe;
    const hf_args *args;
    hf_fault_stack failed;
    hf_fault_set no_faults;
    uint32_t live; /**< without faults */
    hf_layered_compare compare;
    bool is_closed; /**< of the set that was read last */
};

hf_status hf_layered_judge_make(hf_context *cx, const hf_universe *universe, const hf_rule *rule, const hf_layered_judging *how,
                                hf_judge **out);
/** The plan of a set, without its ways. */
hf_plan hf_layered_judge_plan(const hf_layered_judge *judge, const hf_fault_set *faults);
/** Do the ways need more layers than there may be? */
bool hf_layered_judge_refuses(const hf_layered_judge *judge, const hf_layered *ways);
/** Hand a failure in the arena of the judge to the caller. \return `status` */
hf_status hf_layered_judge_pass(hf_context *cx, hf_layered_judge *judge, hf_status status);
/** Compare all rows; ask all rows whether they are served, up to the first that is not. */
void hf_layered_judge_read_all(const hf_layered_judge *judge, hf_layered_reading *reading);
void hf_layered_judge_serve_all(const hf_layered_judge *judge, hf_layered_reading *reading);

#endif
