/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/oracle/situations.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <holdfast/core/bitset.h>

/* States and situations of one channel and virtual channel are chained, the last one first: `last` is its number + 1. */
typedef struct walker {
    const hf_plan *plan;
    situations *out;
    hf_hop *state;
    size_t n_state, room;
    uint32_t *state_before, *item_before;
    uint32_t *last_state, *last_item; /* n_channel * n_vc */
    size_t item_room;
} walker;

static void *grown(void *array, size_t n, size_t size) {
    void *out = realloc(array, n * size);
    assert_non_null(out);
    return out;
}

static void add_state(walker *w, hf_hop hop) {
    uint32_t *last = &w->last_state[(size_t)hop.channel * w->plan->n_vc + hop.vc];
    for (uint32_t i = *last; i; i = w->state_before[i - 1]) {
        if (w->state[i - 1].tag == hop.tag) {
            return;
        }
    }
    if (w->n_state == w->room) {
        w->room = 2 * w->room + 64;
        w->state = grown(w->state, w->room, sizeof *w->state);
        w->state_before = grown(w->state_before, w->room, sizeof *w->state_before);
    }
    w->state_before[w->n_state] = *last;
    w->state[w->n_state++] = hop;
    *last = (uint32_t)w->n_state;
}

static void note_stuck(situations *out, uint32_t source, uint32_t destination) {
    if (!out->is_stuck || (out->stuck_destination == destination && source < out->stuck_source)) {
        out->is_stuck = true;
        out->stuck_source = source;
        out->stuck_destination = destination;
    }
}

static void note(walker *w, uint32_t resource, uint64_t mask, uint32_t destination, uint32_t tag) {
    situations *out = w->out;
    for (uint32_t i = w->last_item[resource]; i; i = w->item_before[i - 1]) {
        situation *s = &out->item[i - 1];
        if (s->mask == mask) {
            s->tag = destination == s->destination && tag < s->tag ? tag : s->tag;
            return;
        }
    }
    if (out->n == w->item_room) {
        w->item_room = 2 * w->item_room + 64;
        out->item = grown(out->item, w->item_room, sizeof *out->item);
        w->item_before = grown(w->item_before, w->item_room, sizeof *w->item_before);
    }
    w->item_before[out->n] = w->last_item[resource];
    out->item[out->n++] = (situation){resource, destination, tag, mask};
    w->last_item[resource] = out->n;
}

static uint32_t place_of(const hf_topology *topo, uint32_t channel) {
    uint32_t place = 0;
    while (topo->out_list[topo->out_begin[topo->from[channel]] + place] != channel) {
        place++;
    }
    return place;
}

/* Hops over healthy channels, as slots, and the states that they lead to. */
static uint64_t follow(walker *w, uint32_t at, hf_hop in, uint32_t destination) {
    const hf_plan *plan = w->plan;
    hf_hop *hops = calloc(hf_plan_room(plan), sizeof *hops);
    uint64_t mask = 0;
    assert_non_null(hops);
    const size_t n = hf_plan_route(plan, at, in, destination, hops);
    for (size_t i = 0; i < n; i++) {
        if (!hf_bit_test(plan->faults->channel_set, hops[i].channel)) {
            mask |= UINT64_C(1) << (place_of(plan->topo, hops[i].channel) * plan->n_vc + hops[i].vc);
            add_state(w, hops[i]);
        }
    }
    free(hops);
    return mask;
}

static void follow_all(walker *w, uint32_t destination) {
    const hf_topology *topo = w->plan->topo;
    w->n_state = 0;
    memset(w->last_state, 0, (size_t)topo->n_channel * w->plan->n_vc * sizeof *w->last_state);
    for (uint32_t source = 0; source < topo->n_terminal; source++) {
        if (hf_plan_sends(w->plan, source, destination) &&
            follow(w, topo->n_switch + source, HF_HOP_INJECTION, destination) == 0) {
            note_stuck(w->out, source, destination);
        }
    }
    for (size_t i = 0; i < w->n_state; i++) {
        const hf_hop in = w->state[i];
        const uint32_t at = topo->to[in.channel];
        if (at == topo->n_switch + destination) {
            continue;
        }
        const uint64_t mask = hf_topology_is_terminal(topo, at) ? 0 : follow(w, at, in, destination);
        if (mask == 0) {
            note_stuck(w->out, HF_NONE, destination);
        }
        const bool commits = (hf_plan_traits(w->plan) & HF_ROUTING_COMMITS) && mask;
        for (uint64_t left = mask; commits && left; left &= left - 1) { /* a packet that waits for this hop alone */
            note(w, in.channel * w->plan->n_vc + in.vc, left & (~left + 1), destination, in.tag);
        }
        if (!commits) {
            note(w, in.channel * w->plan->n_vc + in.vc, mask, destination, in.tag);
        }
    }
}

static int compare(const void *a, const void *b) {
    const situation *x = a, *y = b;
    const uint64_t left[] = {x->resource, x->destination, x->tag}, right[] = {y->resource, y->destination, y->tag};
    for (int i = 0; i < 3; i++) {
        if (left[i] != right[i]) {
            return left[i] > right[i] ? 1 : -1;
        }
    }
    return memcmp(&x->mask, &y->mask, sizeof x->mask);
}

void situations_find(const hf_plan *plan, situations *out) {
    *out = (situations){.stuck_source = HF_NONE, .stuck_destination = HF_NONE};
    const size_t n_resource = (size_t)plan->topo->n_channel * plan->n_vc + 1;
    walker w = {.plan = plan,
                .out = out,
                .last_state = calloc(n_resource, sizeof *w.last_state),
                .last_item = calloc(n_resource, sizeof *w.last_item)};
    assert_non_null(w.last_state);
    assert_non_null(w.last_item);
    for (uint32_t d = 0; d < plan->topo->n_terminal; d++) {
        if (hf_plan_is_live(plan, d)) {
            follow_all(&w, d);
        }
    }
    if (out->n) {
        qsort(out->item, out->n, sizeof *out->item, compare);
    }
    void *const block[] = {w.state, w.state_before, w.item_before, w.last_state, w.last_item};
    for (size_t i = 0; i < sizeof block / sizeof *block; i++) {
        free(block[i]);
    }
}

static bool agree(const situations *slow, const hf_dependency *d) {
    bool same_all = d->n_situation == slow->n && d->is_stuck == slow->is_stuck && d->stuck.source == slow->stuck_source &&
                    d->stuck.destination == slow->stuck_destination && d->words == 1;
    for (uint32_t i = 0; i < slow->n && same_all; i++) {
        const situation *s = &slow->item[i];
        same_all = d->resource[i] == s->resource && d->destination[i] == s->destination && d->tag[i] == s->tag &&
                   *hf_dependency_mask(d, i) == s->mask && (d->all[s->resource] & s->mask) == s->mask &&
                   d->begin[s->resource] <= i && i < d->begin[s->resource + 1];
    }
    return same_all;
}

static bool agree_on_unions(const situations *slow, const hf_dependency *d) {
    bool same_all = d->is_stuck == slow->is_stuck && d->stuck.source == slow->stuck_source &&
                    d->stuck.destination == slow->stuck_destination && d->words == 1 && !d->begin;
    for (uint32_t r = 0, i = 0; r < d->n_resource && same_all; r++) {
        uint64_t all = 0;
        for (; i < slow->n && slow->item[i].resource == r; i++) {
            all |= slow->item[i].mask;
            same_all &= hf_bit_test(d->used, r);
        }
        same_all &= d->all[r] == all;
    }
    return same_all;
}

void situations_compare_unions(const situations *slow, const hf_dependency *d, const char *what) {
    if (!agree_on_unions(slow, d)) {
        fail_msg("%s: the unions of situations differ; stuck from %u to %u, slowly from %u to %u", what, d->stuck.source,
                 d->stuck.destination, slow->stuck_source, slow->stuck_destination);
    }
}

void situations_compare(const situations *slow, const hf_dependency *d, const char *what) {
    if (!agree(slow, d)) {
        print_error("%s: %u situations, slowly %u; stuck from %u to %u, slowly from %u to %u\n", what, d->n_situation, slow->n,
                    d->stuck.source, d->stuck.destination, slow->stuck_source, slow->stuck_destination);
        fail();
    }
}
