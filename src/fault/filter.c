/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Filters on topology attributes. */
#include "src/fault/filter.h"
#include "src/core/number.h"
#include "src/core/registry.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { ATTRIBUTE_MAX = 16 };

/* ---- one filter ---- */

hf_status hf_filter_attribute(hf_context *cx, const hf_topology *topo, hf_slice name, const hf_attribute **out) {
    const char *names[ATTRIBUTE_MAX + 1] = {NULL};
    for (size_t i = 0; i < topo->n_attribute && i < ATTRIBUTE_MAX; i++) {
        names[i] = topo->attribute[i].name;
    }
    if (!names[0]) {
        HF_FAIL(cx, HF_ENOENT, "topology \"%s\" has no attributes to filter by; \"%.*s\" is too much", topo->spec,
                HF_SLICE(name));
    }
    size_t i;
    if (hf_words_need(cx, "attribute", names, name, &i) != HF_OK) {
        hf_context_prefix(cx, "topology \"%s\": ", topo->spec);
        return HF_ENOENT;
    }
    *out = &topo->attribute[i];
    return HF_OK;
}

/** Decimal digits; what does not fit becomes HF_NONE. */
static bool read_number(hf_slice at, uint32_t *out) {
    uint64_t value;
    bool fits;
    const bool is_number = hf_take_digits(&at, 10, &value, &fits) && at.size == 0;
    *out = value < HF_NONE ? (uint32_t)value : HF_NONE;
    return is_number;
}

static void widen(const uint32_t *values, uint32_t n, uint32_t *low, uint32_t *high) {
    for (uint32_t i = 0; i < n; i++) {
        if (values[i] != HF_NONE) {
            *low = values[i] < *low ? values[i] : *low;
            *high = values[i] > *high ? values[i] : *high;
        }
    }
}

static hf_status check_value(hf_context *cx, const hf_topology *topo, hf_filter f, hf_slice text) {
    uint32_t low = HF_NONE, high = 0;
    widen(f.attribute->of_switch, topo->n_switch, &low, &high);
    widen(f.attribute->of_link, topo->n_link, &low, &high);
    if (f.value >= low && f.value <= high) {
        return HF_OK;
    }
    HF_FAIL(cx, HF_EINVAL, "filter \"%.*s\": no switch or link of \"%s\" has it; need %" PRIu32 " <= %s <= %" PRIu32,
            HF_SLICE(text), topo->spec, low, f.attribute->name, high);
}

static hf_status read_filter(hf_context *cx, const hf_topology *topo, hf_slice text, hf_filter *out) {
    const char *equals = memchr(text.text, '=', text.size);
    const hf_slice name = {text.text, equals ? (size_t)(equals - text.text) : text.size};
    HF_TRY(hf_filter_attribute(cx, topo, name, &out->attribute));
    if (!equals || !read_number((hf_slice){equals + 1, text.size - name.size - 1}, &out->value)) {
        HF_FAIL(cx, HF_EINVAL, "filter \"%.*s\" is not right; need %s=NUMBER", HF_SLICE(text), out->attribute->name);
    }
    return check_value(cx, topo, *out, text);
}

/* ---- lists ---- */

static int compare(const void *a, const void *b) {
    const hf_filter *x = a, *y = b;
    if (x->attribute != y->attribute) {
        return x->attribute < y->attribute ? -1 : 1; /* both in the array of the topology */
    }
    return (x->value > y->value) - (x->value < y->value);
}

static void sort_unique(hf_filter_list *list) {
    size_t n = 0;
    if (list->count > 1) {
        qsort(list->item, list->count, sizeof *list->item, compare);
    }
    for (size_t i = 0; i < list->count; i++) {
        if (n == 0 || compare(&list->item[n - 1], &list->item[i]) != 0) {
            list->item[n++] = list->item[i];
        }
    }
    list->count = n;
}

hf_status hf_filter_parse(hf_context *cx, const hf_topology *topo, const char *text, size_t size, hf_filter_list *out) {
    *out = (hf_filter_list){0};
    size_t room = 1;
    for (size_t i = 0; i < size; i++) {
        room += text[i] == ',';
    }
    HF_TRY(hf_scratch(cx, room, sizeof *out->item, (void **)&out->item));
    for (size_t at = 0; size && at <= size;) {
        const char *comma = memchr(text + at, ',', size - at);
        const size_t end = comma ? (size_t)(comma - text) : size;
        if (end == at) {
            HF_FAIL(cx, HF_EINVAL, "filter \"%.*s\": something is missing before or after a comma",
                    HF_SLICE(((hf_slice){text, size})));
        }
        HF_TRY(read_filter(cx, topo, (hf_slice){text + at, end - at}, &out->item[out->count]));
        out->count++;
        at = end + 1;
    }
    sort_unique(out);
    return HF_OK;
}

static bool has_attribute(const hf_filter_list *list, const hf_attribute *attribute) {
    for (size_t i = 0; i < list->count; i++) {
        if (list->item[i].attribute == attribute) {
            return true;
        }
    }
    return false;
}

static bool has_filter(const hf_filter_list *list, hf_filter f) {
    for (size_t i = 0; i < list->count; i++) {
        if (compare(&list->item[i], &f) == 0) {
            return true;
        }
    }
    return false;
}

/** Append what `from` asks and `other` does not forbid. */
static void append_common(const hf_filter_list *from, const hf_filter_list *other, hf_filter_list *out) {
    for (size_t i = 0; i < from->count; i++) {
        const hf_filter f = from->item[i];
        if (!has_attribute(other, f.attribute) || has_filter(other, f)) {
            out->item[out->count++] = f;
        }
    }
}

hf_status hf_filter_meet(hf_context *cx, const hf_filter_list *a, const hf_filter_list *b, hf_filter_list *out) {
    *out = (hf_filter_list){.is_never = a->is_never || b->is_never};
    HF_TRY(hf_scratch(cx, a->count + b->count, sizeof *out->item, (void **)&out->item));
    append_common(a, b, out);
    append_common(b, a, out);
    sort_unique(out);
    for (size_t i = 0; i < a->count; i++) {
        out->is_never |= !has_attribute(out, a->item[i].attribute); /* both name it, with no value in common */
    }
    return HF_OK;
}

/* ---- use ---- */

uint32_t hf_filter_value(const hf_attribute *attribute, const hf_topology *topo, hf_component c) {
    switch (c.type) {
    case HF_COMPONENT_SWITCH:
        return attribute->of_switch[c.id];
    case HF_COMPONENT_LINK:
        return attribute->of_link[c.id];
    case HF_COMPONENT_CHANNEL:
        return attribute->of_link[topo->link[c.id]];
    case HF_COMPONENT_GROUP:
        break;
    }
    return HF_NONE;
}

bool hf_filter_passes(const hf_filter_list *filters, const hf_topology *topo, hf_component component) {
    if (filters->is_never) {
        return false;
    }
    for (size_t i = 0; i < filters->count;) {
        const hf_attribute *attribute = filters->item[i].attribute;
        const uint32_t value = hf_filter_value(attribute, topo, component);
        bool any = false;
        for (; i < filters->count && filters->item[i].attribute == attribute; i++) {
            any |= filters->item[i].value == value;
        }
        if (!any) {
            return false;
        }
    }
    return true;
}

void hf_filter_print(const hf_filter_list *filters, char first, hf_text *out) {
    for (size_t i = 0; i < filters->count; i++) {
        hf_text_print(out, "%c%s=%" PRIu32, i ? ',' : first, filters->item[i].attribute->name, filters->item[i].value);
    }
}
