/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What each component of a universe takes down: a link its two channels, a switch all channels at it, a group what its members
 *  take down together. */
#include "src/fault/universe.h"

#include "src/core/grow.h"
#include "src/core/sort.h"

/** Ids that are appended; the array belongs to the universe. */
typedef struct ids {
    uint32_t **list;
    uint32_t count;
    size_t capacity;
} ids;

int hf_component_compare(const void *a, const void *b) {
    const hf_component *x = a, *y = b;
    return x->type != y->type ? (x->type > y->type) - (x->type < y->type) : (x->id > y->id) - (x->id < y->id);
}

static hf_status append(hf_context *cx, ids *to, uint32_t id) {
    HF_GROW(cx, *to->list, to->count, to->capacity);
    (*to->list)[to->count++] = id;
    return HF_OK;
}

/** Sort what was appended since `from` and drop repetitions. */
static void sort_unique(ids *to, uint32_t from) {
    uint32_t *list = *to->list, n = from;
    if (to->count - from > 1) {
        hf_sort_numbers(list + from, to->count - from);
    }
    for (uint32_t i = from; i < to->count; i++) {
        if (n == from || list[i] != list[n - 1]) {
            list[n++] = list[i];
        }
    }
    to->count = n;
}

static hf_status append_switch(hf_context *cx, const hf_topology *topo, uint32_t sw, ids *channels, ids *switches) {
    HF_TRY(append(cx, switches, sw));
    for (uint32_t i = topo->out_begin[sw]; i < topo->out_begin[sw + 1]; i++) {
        HF_TRY(append(cx, channels, topo->out_list[i]));
    }
    for (uint32_t i = topo->in_begin[sw]; i < topo->in_begin[sw + 1]; i++) {
        HF_TRY(append(cx, channels, topo->in_list[i]));
    }
    return HF_OK;
}

static hf_status append_plain(hf_context *cx, const hf_topology *topo, hf_component c, ids *channels, ids *switches) {
    switch (c.type) {
    case HF_COMPONENT_CHANNEL:
        return append(cx, channels, c.id);
    case HF_COMPONENT_LINK:
        HF_TRY(append(cx, channels, topo->forward[c.id]));
        return topo->backward[c.id] == HF_NONE ? HF_OK : append(cx, channels, topo->backward[c.id]);
    case HF_COMPONENT_SWITCH:
        return append_switch(cx, topo, c.id, channels, switches);
    case HF_COMPONENT_GROUP:
        break; /* groups do not hold groups */
    }
    return HF_OK;
}

static hf_status append_component(hf_context *cx, const hf_universe *u, uint32_t i, const hf_group_list *groups, ids *channels,
                                  ids *switches) {
    const hf_component c = u->component[i];
    if (c.type != HF_COMPONENT_GROUP) {
        return append_plain(cx, u->topo, c, channels, switches);
    }
    for (uint32_t m = groups->begin[c.id]; m < groups->begin[c.id + 1]; m++) {
        HF_TRY(append_plain(cx, u->topo, groups->member[m], channels, switches));
    }
    return HF_OK;
}

hf_status hf_universe_expand(hf_context *cx, hf_universe *universe, const hf_group_list *groups) {
    hf_universe *u = universe;
    HF_TRY(hf_allocate(cx, (size_t)u->n_component + 1, sizeof *u->channel_begin, (void **)&u->channel_begin));
    HF_TRY(hf_allocate(cx, (size_t)u->n_component + 1, sizeof *u->switch_begin, (void **)&u->switch_begin));
    ids channels = {.list = &u->channel}, switches = {.list = &u->switch_list};
    for (uint32_t i = 0; i < u->n_component; i++) {
        HF_TRY(append_component(cx, u, i, groups, &channels, &switches));
        sort_unique(&channels, u->channel_begin[i]);
        sort_unique(&switches, u->switch_begin[i]);
        u->channel_begin[i + 1] = channels.count;
        u->switch_begin[i + 1] = switches.count;
    }
    return HF_OK;
}
