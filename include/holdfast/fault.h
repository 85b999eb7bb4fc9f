/** \file
 *  Fault universes and fault sets.
 *
 *  A universe is an ordered list of components, each of which fails as one: a channel, a link, a switch or a user's group.
 *  Spec: terms joined by "+": "channels", "links", "switches", "terminal-links", "groups:PATH" (a path without , and +); a term
 *  may carry filters on topology attributes, "links:stage=1" (repeatable: stage=0,stage=1 keeps both; different attributes must
 *  all hold), "groups:PATH,stage=1" (all members must pass).
 *  Orders: channels by channel id (all forward by link, then all backward), links by id, switches by id, groups as in the file.
 *  "channels" and "links" are those between switches; "terminal-links" are the others. No component may be named twice. */
#ifndef HOLDFAST_FAULT_H
#define HOLDFAST_FAULT_H

#include <holdfast/core/text.h>
#include <holdfast/topology.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What fails as one. */
typedef enum hf_component_type {
    HF_COMPONENT_CHANNEL,
    HF_COMPONENT_LINK,
    HF_COMPONENT_SWITCH,
    HF_COMPONENT_GROUP
} hf_component_type;

/** One thing that can fail. */
typedef struct hf_component {
    hf_component_type type;
    uint32_t id; /**< channel, link, switch, or index of the group */
} hf_component;

/** The ordered list of all that can fail in a topology; read-only once made. Free with hf_universe_free(). */
typedef struct hf_universe {
    const hf_topology *topo; /**< borrowed */
    char *spec; /**< canonical: filters sorted, terms without components left out, a groups file as PATH#hash of its content */
    hf_allocator allocator;
    uint32_t n_component;
    hf_component *component;
    /* channels that component i takes down, in channel order: channel[channel_begin[i] .. channel_begin[i+1]-1]. A switch takes
     * all its channels, terminal channels included. */
    uint32_t *channel_begin, *channel;
    /* switches that it takes down */
    uint32_t *switch_begin, *switch_list;
    char **group_name; /**< by group index */
    uint32_t n_group;
} hf_universe;

/** Descriptor of a term; for `holdfast list universes` and `describe`. */
typedef struct hf_universe_kind {
    const char *name, *summary, *source;
    const hf_param *params;
} hf_universe_kind;
size_t hf_universe_kind_count(void);
const hf_universe_kind *hf_universe_kind_at(size_t i);

/** Build the universe of `spec` on `topo`.
 *  \param[in] only extra filter "stage=1" that must hold too, in every term (the --only option), or NULL
 *  \return HF_OK; HF_ENOENT unknown term, attribute or group member; HF_EINVAL malformed or repeated component, empty universe;
 *  HF_EIO. A message about a groups file names file and line. Free with hf_universe_free(). */
hf_status hf_universe_new(hf_context *cx, const hf_topology *topo, const char *spec, const char *only, hf_universe **out);
void hf_universe_free(hf_universe *universe);
/** Parse a groups file held in memory: a line a group, "NAME: member member ...", members are topology names (a terminal
 *  stands for its links), # starts a comment.
 *  Used by hf_universe_new() and the fuzz target. `file` is for messages. */
hf_status hf_universe_parse_groups(hf_context *cx, const hf_topology *topo, const char *file, const char *data, size_t size,
                                   hf_universe **out);
/** Name of a component: the topology's name of it, or the group's. 64 bytes are enough but for groups, whose names are cut. */
void hf_universe_name(const hf_universe *universe, uint32_t component, char *text, size_t size);
/** What kind of component it is: "channels", "links" (between switches), "terminal-links", "switches", "chips" or "groups". */
const char *hf_universe_kind_name(const hf_universe *universe, uint32_t component);

/** Some failed components: what a plan is made for. */
typedef struct hf_fault_set {
    const hf_topology *topo;
    const hf_universe *universe; /**< NULL when made from names without one: then n_component is 0 */
    uint32_t n_component;        /**< f */
    const uint32_t *component;   /**< in the order of insertion */
    uint32_t n_channel;          /**< failed channels, without repetition */
    const uint32_t *channel;     /**< in the order of insertion: component by component, each in channel order */
    const uint64_t *channel_set; /**< n_channel bits of the topology */
    const uint64_t *switch_set;  /**< n_switch bits */
} hf_fault_set;

/** Make a fault set from component indices. Order of insertion = order given (campaigns: ascending). Lives in the arena of
 * `cx`. */
hf_status hf_fault_set_make(hf_context *cx, const hf_universe *universe, const uint32_t *component, uint32_t f,
                            hf_fault_set *out);
/** The one without faults, of no universe. */
hf_status hf_no_faults(hf_context *cx, const hf_topology *topo, hf_fault_set *out);
/** Sample i of the sets of f of m components under a seed, ascending: a pure function, the one that all that draws fault sets
 *  one by one draws with. \param[out] set f entries; f <= m */
void hf_fault_sample(uint64_t seed, uint32_t m, uint32_t f, uint64_t i, uint32_t *set);
/** Make one from names: "s8:3>s18:0, s5" (commas or blanks), or such a line of htsim in quotes. The members must be in `universe`
 * if it is given; otherwise any switch, link or channel of the topology may be named. Sorted ascending by component (or in
 * channel order). */
hf_status hf_fault_set_parse(hf_context *cx, const hf_topology *topo, const hf_universe *universe, const char *text,
                             hf_fault_set *out);

/** Names as they are written for people: themselves, or @FILE, the first line of a file that is no comment; of a connection
 * matrix of htsim its lines "failure switch_type AGG switch_id 2 link_id 3". \param[out] out lives in the arena */
hf_status hf_fault_names_load(hf_context *cx, const char *text, char **out);
/** The names that make this set again, in one order: components of the universe; without one failed switches, then the links and
 *  channels between others. Nothing for an empty set. */
void hf_fault_set_names(const hf_fault_set *faults, hf_text *out);

/** Failed components, the last one on top: what a judge of fault sets keeps. {0} is an empty one. */
typedef struct hf_fault_stack {
    uint32_t *component; /**< depth of them, in the order in which they failed; release it with the allocator of push's context */
    uint32_t depth;
    size_t capacity;
} hf_fault_stack;
/** Room for one more component at least. \return HF_OK; HF_ENOMEM, and the stack is as it was */
hf_status hf_fault_stack_grow(hf_context *cx, hf_fault_stack *stack);
/** \return HF_OK; HF_ENOMEM, and the stack is as it was */
static inline hf_status hf_fault_stack_push(hf_context *cx, hf_fault_stack *stack, uint32_t component) {
    if (stack->depth == stack->capacity) {
        HF_TRY(hf_fault_stack_grow(cx, stack));
    }
    stack->component[stack->depth++] = component;
    return HF_OK;
}
/** The last component, taken back. The stack is not empty. */
static inline uint32_t hf_fault_stack_pop(hf_fault_stack *stack) { return stack->component[--stack->depth]; }

#ifdef __cplusplus
}
#endif
#endif
