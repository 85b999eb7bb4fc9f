/** \file
 *  Message classes: packets of several kinds, on virtual channels of their own or on shared ones, and which kind a terminal sends
 *  when it has taken a packet of another. */
#ifndef HOLDFAST_ROUTING_CLASSES_H
#define HOLDFAST_ROUTING_CLASSES_H

#include <holdfast/routing/flows.h>

#ifdef __cplusplus
extern "C" {
#endif

struct hf_plan; /**< include/holdfast/routing.h */
/** Classes at most. */
enum { HF_CLASSES = 16 };

/** A kind of packets. */
typedef struct hf_class {
    char *name;
    uint32_t set;        /**< the virtual channels of the rule, this many times over, lie below its own */
    bool is_answer;      /**< sent when another has been taken, and only then */
    hf_flow_list *flows; /**< NULL: all terminals send it to all */
} hf_class;

/** A terminal that takes a packet of class `of` has to send one of class `with` before it takes more. */
typedef struct hf_class_answer {
    uint32_t of, with;
    bool to_any; /**< to any terminal that it sends such packets to; else to where the packet came from */
} hf_class_answer;
/** All classes of a rule. */
typedef struct hf_classes {
    hf_allocator allocator;
    char *spec;
    uint32_t n, n_set, n_answer;
    hf_class of[HF_CLASSES];
    hf_class_answer answer[HF_CLASSES * HF_CLASSES];
} hf_classes;

/** What their text is made of. */
#define HF_CLASSES_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=>,"
/** Parse chains such as "request>reply" or "read>>forward>data,write=0>ack": `>` answers go back to the sender, those of `>>` to
 *  any terminal; `=N` names the set of virtual channels, in the place of one of the class's own.
 *  \param[in] flows NULL: all to all; else pairs of classes that are no answers, and of those that go to any terminal. Answers to
 *  the sender follow from what they answer. Borrowed while this runs.
 *  \param[out] out free with hf_classes_free(). \return HF_EINVAL that names the text and what would be right */
hf_status hf_classes_new(hf_context *cx, const char *text, const hf_flow_list *flows, hf_classes **out);
void hf_classes_free(hf_classes *classes);

/** Make a plan that of its classes: `plan->of_class` has one for each, on its own virtual channels of all that there are. Each is
 *  a plan like others; `plan` itself is that of the first, and who knows nothing of classes reads that. In the arena. */
hf_status hf_classes_plan(hf_context *cx, const hf_classes *classes, struct hf_plan *plan);

#ifdef __cplusplus
}
#endif
#endif
