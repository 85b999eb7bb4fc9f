/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Orders of failure until the switches do not hang together any more, or have fewer than two terminals. Where links fail in both
 *  directions at once, backwards: the components come back one by one, and a union of sets counts the parts; the last
 *  fault without which there is one part is the first that parts the network. Else forwards, a search after each fault. */
#include <holdfast/analysis/effort.h>
#include <holdfast/analysis/tolerance.h>

#include <string.h>

#include "src/analysis/parting/parting.h"
#include "src/core/joined.h"

typedef struct failures {
    hf_judge base;
    hf_allocator allocator;
    const hf_universe *universe;
    bool is_backwards;
    uint32_t *order; /* n: those that have failed so far */
    uint32_t n_order;
    uint32_t *root; /* n_switch: sets of switches */
    uint32_t *down; /* n_link: channels of failed components */
    uint32_t *gone; /* n_switch */
    uint32_t parts;
    uint8_t *up;          /* n_link: of terminals, those that work */
    uint32_t *ways;       /* n_terminal: working links */
    uint32_t live, least; /* terminals in service; how many must be */
    uint8_t *whole;       /* n + 1: the network is whole after so many faults */
    uint64_t *parted;     /* n + 2: see hf_limit_judge_new() */
    uint32_t last;        /* the one that is known */
} failures;

/* The link of a terminal works again, if its switch does. */
static void attach(failures *o, uint32_t link) {
    const hf_topology *topo = o->universe->topo;
    const uint32_t a = topo->from[topo->forward[link]], b = topo->to[topo->forward[link]];
    const bool is_out = hf_topology_is_terminal(topo, a);
    if (!o->up[link] && o->down[link] == 0 && o->gone[is_out ? b : a] == 0) {
        o->up[link] = 1;
        o->live += o->ways[(is_out ? a : b) - topo->n_switch]++ == 0;
    }
}

static void join(failures *o, uint32_t link) {
    const hf_topology *topo = o->universe->topo;
    const uint32_t c = topo->forward[link], a = topo->from[c], b = topo->to[c];
    if (link >= topo->n_switch_link) {
        attach(o, link);
        return;
    }
    if (o->down[link] == 0 && o->gone[a] == 0 && o->gone[b] == 0) {
        o->parts -= hf_joined_join(o->root, a, b);
    }
}

static void step(uint32_t *count, bool fails) {
    if (fails) {
        ++*count;
    } else {
        --*count;
    }
}

/* A component fails, or comes back. */
static void count(failures *o, uint32_t component, bool fails) {
    const hf_universe *u = o->universe;
    for (uint32_t i = u->channel_begin[component]; i < u->channel_begin[component + 1]; i++) {
        step(&o->down[u->topo->link[u->channel[i]]], fails);
    }
    for (uint32_t i = u->switch_begin[component]; i < u->switch_begin[component + 1]; i++) {
        uint32_t *gone = &o->gone[u->switch_list[i]];
        step(gone, fails);
        o->parts += !fails && *gone == 0;
    }
}

static void come_back(failures *o, uint32_t component) {
    const hf_universe *u = o->universe;
    count(o, component, false);
    for (uint32_t i = u->channel_begin[component]; i < u->channel_begin[component + 1]; i++) {
        join(o, u->topo->link[u->channel[i]]);
    }
}

/* One part, with two terminals in service; in a network without, two switches. */
static bool is_whole(const failures *o, uint32_t switches) {
    const bool by_switches = o->universe->topo->n_terminal < 2;
    return o->parts <= 1 && (by_switches ? switches : o->live) >= o->least;
}

static uint32_t count_switches(const failures *o) {
    uint32_t n = 0;
    for (uint32_t v = 0; v < o->universe->topo->n_switch; v++) {
        n += o->gone[v] == 0;
    }
    return n;
}

/* All have failed; they come back. whole[i]: i faults leave one part with terminals to serve. */
static void play(failures *o) {
    const hf_topology *topo = o->universe->topo;
    const uint32_t n = o->universe->n_component;
    for (uint32_t i = 0; i < n; i++) {
        count(o, o->order[i], true);
    }
    o->parts = o->live = 0;
    memset(o->up, 0, topo->n_link * sizeof *o->up);
    memset(o->ways, 0, topo->n_terminal * sizeof *o->ways);
    hf_joined_start(o->root, topo->n_switch);
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        o->parts += o->gone[v] == 0;
    }
    for (uint32_t link = 0; link < topo->n_link; link++) {
        join(o, link);
    }
    o->whole[n] = is_whole(o, count_switches(o));
    for (uint32_t i = n; i-- > 0;) {
        come_back(o, o->order[i]);
        o->whole[i] = is_whole(o, topo->n_terminal < 2 ? count_switches(o) : 0);
    }
}

static uint32_t first_parted(const failures *o) {
    uint32_t i = 1;
    while (i <= o->universe->n_component && o->whole[i]) {
        i++;
    }
    return i;
}

/* ---- links that work in one direction ---- */

static bool takes(const hf_universe *u, uint32_t component, uint32_t channel) {
    for (uint32_t i = u->channel_begin[component]; i < u->channel_begin[component + 1]; i++) {
        if (u->channel[i] == channel) {
            return true;
        }
    }
    return false;
}

static bool fails_both_ways(const hf_universe *u) {
    for (uint32_t c = 0; c < u->topo->n_channel; c++) {
        if (u->topo->reverse[c] == HF_NONE) {
            return false;
        }
    }
    for (uint32_t component = 0; component < u->n_component; component++) {
        for (uint32_t i = u->channel_begin[component]; i < u->channel_begin[component + 1]; i++) {
            if (!takes(u, component, u->topo->reverse[u->channel[i]])) {
                return false;
            }
        }
    }
    return true;
}

static hf_status search_after(hf_context *cx, const failures *o, uint32_t f, bool *is_whole) {
    hf_fault_set faults;
    uint32_t live;
    const hf_mark mark = hf_scratch_mark(cx);
    HF_TRY(hf_fault_set_make(cx, o->universe, o->order, f, &faults));
    HF_TRY(hf_parting_is_whole(cx, &faults, o->least, is_whole, &live));
    hf_scratch_reset(cx, mark);
    return HF_OK;
}

static hf_status search_forwards(hf_context *cx, failures *o) {
    bool is_whole = true;
    for (uint32_t f = 1; f <= o->universe->n_component && is_whole; f++) {
        HF_TRY(search_after(cx, o, f, &is_whole));
        o->whole[f] = is_whole;
    }
    return HF_OK;
}

/* ---- the judge ---- */

static hf_status push(hf_context *cx, hf_judge *base, uint32_t component) {
    (void)cx;
    failures *o = (failures *)base;
    o->order[o->n_order++] = component;
    return HF_OK;
}

static void pop(hf_judge *base) { ((failures *)base)->n_order--; }

static hf_status read(hf_context *cx, hf_judge *base, hf_measure *out) {
    failures *o = (failures *)base;
    if (o->is_backwards) {
        play(o);
    } else {
        HF_TRY(search_forwards(cx, o));
    }
    o->parted[o->last] = HF_UNKNOWN;
    o->last = first_parted(o);
    o->parted[o->last] = 1;
    *out = (hf_measure){.tolerated = true, .quantity = o->parted};
    return HF_OK;
}

static void release(hf_judge *base) {
    failures *o = (failures *)base;
    const hf_allocator allocator = o->allocator;
    hf_release(&allocator, o->parted);
    hf_release(&allocator, o->order);
    hf_release(&allocator, o->up);
    hf_release(&allocator, o);
}

static const hf_judge_ops ops = {.push = push, .pop = pop, .read = read, .free = release};

/* Numbers of one size stand in one block, each list behind the one before it. */
static hf_status make_lists(hf_context *cx, failures *o) {
    const hf_topology *topo = o->universe->topo;
    const size_t n = o->universe->n_component;
    HF_TRY(hf_allocate(cx, n + 2, sizeof *o->parted, (void **)&o->parted));
    HF_TRY(
        hf_allocate(cx, n + 2 * (size_t)topo->n_switch + topo->n_link + topo->n_terminal, sizeof *o->order, (void **)&o->order));
    HF_TRY(hf_allocate(cx, topo->n_link + n + 1, sizeof *o->up, (void **)&o->up));
    o->root = o->order + n;
    o->gone = o->root + topo->n_switch;
    o->down = o->gone + topo->n_switch;
    o->ways = o->down + topo->n_link;
    o->whole = o->up + topo->n_link;
    for (size_t i = 0; i < n + 2; i++) {
        o->parted[i] = HF_UNKNOWN;
    }
    return HF_OK;
}

hf_status hf_limit_judge_new(hf_context *cx, const hf_universe *universe, hf_judge **out) {
    hf_criterion criterion;
    failures *o;
    uint32_t least;
    HF_TRY(hf_criterion_init(cx, "switches-connected", &criterion));
    HF_TRY(hf_criterion_least(cx, &criterion, universe->topo, &least));
    HF_TRY(hf_allocate(cx, 1, sizeof *o, (void **)&o));
    *o = (failures){.base = {.ops = &ops},
                    .allocator = *hf_context_allocator(cx),
                    .universe = universe,
                    .least = least,
                    .is_backwards = fails_both_ways(universe)};
    const hf_status status = make_lists(cx, o);
    if (status != HF_OK) {
        release(&o->base);
        return status;
    }
    *out = &o->base;
    return HF_OK;
}
