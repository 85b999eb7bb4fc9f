/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random orders of failure until the switches do not hang together any more, or have fewer than two terminals. Where links fail
 * in both directions at once, backwards: the components come back one by one, and a union of sets counts the parts; the last
 * fault without which there is one part is the first that parts the network. Else forwards, a search after each fault. */
#include <holdfast/campaign.h>

#include <string.h>

#include <holdfast/analysis/tolerance.h>
#include <holdfast/core/bitset.h>
#include <holdfast/core/random.h>
#include <holdfast/core/stats.h>

#include "src/analysis/parting/parting.h"

typedef struct failures {
    const hf_universe *universe;
    uint32_t *order;  /* n */
    uint32_t *parent; /* n_switch: sets of switches */
    uint32_t *down;   /* n_link: channels of failed components */
    uint32_t *gone;   /* n_switch */
    uint32_t parts;
    uint8_t *up;          /* n_link: of terminals, those that work */
    uint32_t *ways;       /* n_terminal: working links */
    uint32_t live, least; /* terminals in service; how many must be */
    uint8_t *whole;       /* n + 1: the network is whole after so many faults */
} failures;

static uint32_t find(uint32_t *parent, uint32_t v) {
    while (parent[v] != v) {
        parent[v] = parent[parent[v]];
        v = parent[v];
    }
    return v;
}

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
    if (o->down[link] > 0 || o->gone[a] > 0 || o->gone[b] > 0) {
        return;
    }
    const uint32_t x = find(o->parent, a), y = find(o->parent, b);
    if (x != y) {
        o->parent[x] = y;
        o->parts--;
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
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        o->parent[v] = v;
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

static hf_status make_failures(hf_context *cx, const hf_universe *universe, failures *o) {
    hf_criterion criterion;
    *o = (failures){.universe = universe};
    HF_TRY(hf_criterion_init(cx, "switches-connected", &criterion));
    HF_TRY(hf_criterion_least(cx, &criterion, universe->topo, &o->least));
    HF_TRY(hf_scratch(cx, universe->topo->n_link, sizeof *o->up, (void **)&o->up));
    HF_TRY(hf_scratch(cx, universe->topo->n_terminal, sizeof *o->ways, (void **)&o->ways));
    HF_TRY(hf_scratch(cx, universe->n_component, sizeof *o->order, (void **)&o->order));
    HF_TRY(hf_scratch(cx, universe->topo->n_switch, sizeof *o->parent, (void **)&o->parent));
    HF_TRY(hf_scratch(cx, universe->topo->n_link, sizeof *o->down, (void **)&o->down));
    HF_TRY(hf_scratch(cx, universe->topo->n_switch, sizeof *o->gone, (void **)&o->gone));
    return hf_scratch(cx, (size_t)universe->n_component + 1, sizeof *o->whole, (void **)&o->whole);
}

static void shuffle(const hf_universe *universe, uint64_t seed, uint64_t index, uint32_t *order) {
    hf_random random;
    for (uint32_t i = 0; i < universe->n_component; i++) {
        order[i] = i;
    }
    hf_random_init(&random, seed, HF_PURPOSE_ORDER, index);
    hf_random_shuffle(&random, order, universe->n_component);
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

/* ---- all orders ---- */

static void sum_up(hf_limit *limit) {
    uint64_t parted = 0;
    double squares = 0;
    for (uint32_t i = 0; i <= limit->n + 1; i++) {
        limit->below[i] = limit->parted[i] + (i > 0 ? limit->below[i - 1] : 0);
        if (i <= limit->n) {
            parted += limit->parted[i];
            limit->mean += (double)limit->parted[i] * i;
            squares += (double)limit->parted[i] * i * i;
        }
    }
    const hf_sample sample = {parted, limit->mean, squares, limit->n, limit->n};
    const hf_mean_estimate e = hf_estimate_mean(&sample, 0.95);
    limit->mean = e.value;
    limit->mean_low = e.low;
    limit->mean_high = e.high;
    limit->mean_interval = e.method;
}

typedef struct run {
    const hf_universe *universe;
    uint64_t seed;
    bool is_backwards;
} run;

static hf_status begin(hf_context *cx, void *user, void **state) {
    const run *r = user;
    failures *o;
    HF_TRY(hf_scratch(cx, 1, sizeof *o, (void **)&o));
    *state = o;
    return make_failures(cx, r->universe, o);
}

static hf_status look(hf_context *cx, void *user, void *state, uint64_t i, const uint32_t *set, void *tally) {
    (void)set;
    const run *r = user;
    failures *o = state;
    shuffle(r->universe, r->seed, i, o->order);
    if (r->is_backwards) {
        play(o);
    } else {
        HF_TRY(search_forwards(cx, o));
    }
    ((uint64_t *)tally)[first_parted(o)]++;
    return HF_OK;
}

static void merge(void *user, void *to, const void *from) {
    const run *r = user;
    for (size_t i = 0; i < (size_t)r->universe->n_component + 2; i++) {
        ((uint64_t *)to)[i] += ((const uint64_t *)from)[i];
    }
}

static hf_status fill(hf_context *cx, const hf_limit_request *request, hf_limit *limit) {
    run r = {request->universe, request->seed, fails_both_ways(request->universe)};
    const size_t n = (size_t)limit->n + 2;
    const hf_set_walk walk = {.sets = {.n = limit->orders}, /* an order each, no set */
                              .what = "orders",
                              .tally_size = n * sizeof *limit->parted,
                              .user = &r,
                              .begin = begin,
                              .look = look,
                              .merge = merge,
                              .threads = request->threads,
                              .progress = request->progress,
                              .progress_user = request->progress_user};
    HF_TRY(hf_allocate(cx, n, sizeof *limit->parted, (void **)&limit->parted));
    HF_TRY(hf_allocate(cx, n, sizeof *limit->below, (void **)&limit->below));
    HF_TRY(hf_set_walk_run(cx, &walk, limit->parted));
    sum_up(limit);
    return HF_OK;
}

hf_status hf_limit_run(hf_context *cx, const hf_limit_request *request, hf_limit **out) {
    hf_limit *limit;
    HF_TRY(hf_allocate(cx, 1, sizeof *limit, (void **)&limit));
    limit->allocator = *hf_context_allocator(cx);
    limit->orders = request->orders;
    limit->n = request->universe->n_component;
    const hf_mark mark = hf_scratch_mark(cx);
    const hf_status status = fill(cx, request, limit);
    hf_scratch_reset(cx, mark);
    if (status != HF_OK) {
        hf_limit_free(limit);
        return status;
    }
    *out = limit;
    return HF_OK;
}

void hf_limit_free(hf_limit *limit) {
    if (!limit) {
        return;
    }
    const hf_allocator allocator = limit->allocator;
    hf_release(&allocator, limit->parted);
    hf_release(&allocator, limit->below);
    hf_release(&allocator, limit);
}
