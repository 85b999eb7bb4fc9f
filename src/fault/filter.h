/** \file
 *  Filters on topology attributes: "stage=0,stage=1" keeps what has one of the values named for every attribute named. */
#ifndef HOLDFAST_SRC_FAULT_FILTER_H
#define HOLDFAST_SRC_FAULT_FILTER_H

#include <holdfast/core/text.h>
#include <holdfast/fault.h>

#include "src/core/lines.h"

typedef struct hf_filter {
    const hf_attribute *attribute;
    uint32_t value;
} hf_filter;

/** In order of attributes and values, none twice; lives in the arena. */
typedef struct hf_filter_list {
    hf_filter *item;
    size_t count;
    bool is_never; /**< two filters contradict each other: nothing passes */
} hf_filter_list;

/** Parse "stage=0,stage=1"; "" gives no filter. \return HF_EINVAL malformed or a value that does not occur, HF_ENOENT unknown
 *  attribute. */
hf_status hf_filter_parse(hf_context *cx, const hf_topology *topo, const char *text, size_t size, hf_filter_list *out);
/** What passes both. */
hf_status hf_filter_meet(hf_context *cx, const hf_filter_list *a, const hf_filter_list *b, hf_filter_list *out);
/** Does a component pass? Channels count as their links, and groups do not occur here. */
bool hf_filter_passes(const hf_filter_list *filters, const hf_topology *topo, hf_component component);
/** The attribute of that name. \return HF_ENOENT with the nearest name, or that there are none */
hf_status hf_filter_attribute(hf_context *cx, const hf_topology *topo, hf_slice name, const hf_attribute **out);
/** Its value for a component; HF_NONE where it has none: groups, and what the attribute does not go by. */
uint32_t hf_filter_value(const hf_attribute *attribute, const hf_topology *topo, hf_component c);
/** Append ":stage=0,stage=1", beginning with `first` where there is any. */
void hf_filter_print(const hf_filter_list *filters, char first, hf_text *out);

#endif
