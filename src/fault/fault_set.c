/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fault sets: from component indices (campaigns) and from names (the command line). */
#include <stdlib.h>
#include <string.h>

#include <holdfast/bitset.h>
#include <holdfast/fault.h>

/* Add a channel once, in the order of insertion. */
static void fail_channel(uint64_t *set, uint32_t *list, uint32_t *count, uint32_t channel) {
    if (!hf_bit_test(set, channel)) {
        hf_bit_set(set, channel);
        list[(*count)++] = channel;
    }
}

static hf_status make_sets(hf_context *cx, const hf_topology *topo, size_t n_channel, uint32_t **channel, uint64_t **channels,
                           uint64_t **switches) {
    HF_TRY(hf_scratch(cx, n_channel, sizeof **channel, (void **)channel));
    HF_TRY(hf_scratch(cx, hf_words(topo->n_channel), sizeof **channels, (void **)channels));
    return hf_scratch(cx, hf_words(topo->n_switch), sizeof **switches, (void **)switches);
}

hf_status hf_fault_set_make(hf_context *cx, const hf_universe *u, const uint32_t *component, uint32_t f, hf_fault_set *out) {
    size_t room = 0;
    for (uint32_t i = 0; i < f; i++) {
        if (component[i] >= u->n_component) {
            HF_FAIL(cx, HF_EINVAL, "component %u is not in the universe \"%s\" of %u components", component[i], u->spec,
                    u->n_component);
        }
        room += u->channel_begin[component[i] + 1] - u->channel_begin[component[i]];
    }
    uint32_t *list, *channel, n_channel = 0;
    uint64_t *channels, *switches;
    HF_TRY(hf_scratch(cx, f, sizeof *list, (void **)&list));
    HF_TRY(make_sets(cx, u->topo, room, &channel, &channels, &switches));
    for (uint32_t i = 0; i < f; i++) {
        list[i] = component[i];
        for (uint32_t x = u->channel_begin[list[i]]; x < u->channel_begin[list[i] + 1]; x++) {
            fail_channel(channels, channel, &n_channel, u->channel[x]);
        }
        for (uint32_t x = u->switch_begin[list[i]]; x < u->switch_begin[list[i] + 1]; x++) {
            hf_bit_set(switches, u->switch_list[x]);
        }
    }
    *out = (hf_fault_set){u->topo, u, f, list, n_channel, channel, channels, switches};
    return HF_OK;
}

/* ---- from names ---- */

static int compare(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static bool is_separator(char c) { return c == ',' || c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/* The component of that name: a group's, or a plain one of the same type and id. */
static bool find_component(const hf_universe *u, const char *text, size_t size, bool is_named, char type, uint32_t id,
                           uint32_t *out) {
    for (uint32_t i = 0; i < u->n_component; i++) {
        const hf_component c = u->component[i];
        const bool is_group = c.type == HF_COMPONENT_GROUP;
        const char of = c.type == HF_COMPONENT_SWITCH ? 's' : c.type == HF_COMPONENT_LINK ? 'l' : 'c';
        if (is_group ? strlen(u->group_name[c.id]) == size && memcmp(u->group_name[c.id], text, size) == 0
                     : is_named && of == type && c.id == id) {
            *out = i;
            return true;
        }
    }
    return false;
}

static hf_status add_to_universe_set(hf_context *cx, const hf_topology *topo, const hf_universe *u, const char *text, size_t size,
                                     uint32_t *list, uint32_t *count) {
    char type = 0;
    uint32_t id = 0, component;
    const hf_status status = hf_topology_parse_name(cx, topo, text, size, &type, &id);
    if (!find_component(u, text, size, status == HF_OK, type, id, &component)) {
        if (status != HF_OK) {
            return status;
        }
        HF_FAIL(cx, HF_ENOENT, "\"%.*s\" is in \"%s\" but not in the fault universe \"%s\"", (int)size, text, topo->spec,
                u->spec);
    }
    hf_context_clear(cx);
    for (uint32_t i = 0; i < *count; i++) {
        if (list[i] == component) {
            HF_FAIL(cx, HF_EINVAL, "\"%.*s\" is named twice", (int)size, text);
        }
    }
    list[(*count)++] = component;
    return HF_OK;
}

typedef struct plain_set {
    uint64_t *channels, *switches;
} plain_set;

static hf_status add_plain(hf_context *cx, const hf_topology *topo, const char *text, size_t size, plain_set *set) {
    char type;
    uint32_t id;
    HF_TRY(hf_topology_parse_name(cx, topo, text, size, &type, &id));
    switch (type) {
    case 'c':
        hf_bit_set(set->channels, id);
        return HF_OK;
    case 'l':
        hf_bit_set(set->channels, topo->forward[id]);
        if (topo->backward[id] != HF_NONE) {
            hf_bit_set(set->channels, topo->backward[id]);
        }
        return HF_OK;
    case 's':
        hf_bit_set(set->switches, id);
        for (uint32_t i = topo->out_begin[id]; i < topo->out_begin[id + 1]; i++) {
            hf_bit_set(set->channels, topo->out_list[i]);
        }
        for (uint32_t i = topo->in_begin[id]; i < topo->in_begin[id + 1]; i++) {
            hf_bit_set(set->channels, topo->in_list[i]);
        }
        return HF_OK;
    default:
        HF_FAIL(cx, HF_EINVAL, "\"%.*s\" is a terminal; what can fail is a switch, a link or a channel", (int)size, text);
    }
}

hf_status hf_fault_set_parse(hf_context *cx, const hf_topology *topo, const hf_universe *universe, const char *text,
                             hf_fault_set *out) {
    const size_t size = strlen(text);
    uint32_t *list, *channel, count = 0, n_name = 0;
    plain_set set;
    HF_TRY(hf_scratch(cx, size + 1, sizeof *list, (void **)&list));
    HF_TRY(make_sets(cx, topo, topo->n_channel, &channel, &set.channels, &set.switches));
    for (size_t at = 0; at < size;) {
        const size_t start = at;
        while (at < size && !is_separator(text[at])) {
            at++;
        }
        if (at > start) {
            n_name++;
            HF_TRY(universe ? add_to_universe_set(cx, topo, universe, text + start, at - start, list, &count)
                            : add_plain(cx, topo, text + start, at - start, &set));
        }
        at++;
    }
    if (universe) {
        qsort(list, count, sizeof *list, compare);
        return hf_fault_set_make(cx, universe, list, count, out);
    }
    uint32_t n_channel = 0;
    for (size_t c = hf_bits_next(set.channels, topo->n_channel, 0); c < topo->n_channel;
         c = hf_bits_next(set.channels, topo->n_channel, c + 1)) {
        channel[n_channel++] = (uint32_t)c;
    }
    *out = (hf_fault_set){topo, NULL, n_name, NULL, n_channel, channel, set.channels, set.switches};
    return HF_OK;
}
