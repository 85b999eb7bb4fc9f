/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random orders of failure until the switches do not hang together any more. Backwards: the components come back one by one, and
 * a union of sets counts the parts; the last fault without which there is one part is the first that parts the network. */
#include <holdfast/bounds.h>

#include <math.h>

#include <holdfast/bitset.h>
#include <holdfast/random.h>

typedef struct failures {
    const hf_universe *universe;
    uint32_t *order;  /* n */
    uint32_t *parent; /* n_switch: sets of switches */
    uint32_t *down;   /* n_link: channels of failed components */
    uint32_t *gone;   /* n_switch */
    uint32_t parts;
    uint8_t *whole; /* n + 1: the network is whole after so many faults */
} failures;

static uint32_t find(uint32_t *parent, uint32_t v) {
    while (parent[v] != v) {
        parent[v] = parent[parent[v]];
        v = parent[v];
    }
    return v;
}

static void join(failures *o, uint32_t link) {
    const hf_topology *topo = o->universe->topo;
    const uint32_t c = topo->forward[link], a = topo->from[c], b = topo->to[c];
    if (link >= topo->n_switch_link || o->down[link] > 0 || o->gone[a] > 0 || o->gone[b] > 0) {
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

/* All have failed; they come back. whole[i]: i faults leave one part, or nothing. */
static void play(failures *o) {
    const hf_topology *topo = o->universe->topo;
    const uint32_t n = o->universe->n_component;
    for (uint32_t i = 0; i < n; i++) {
        count(o, o->order[i], true);
    }
    o->parts = 0;
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        o->parent[v] = v;
        o->parts += o->gone[v] == 0;
    }
    for (uint32_t link = 0; link < topo->n_switch_link; link++) {
        join(o, link);
    }
    o->whole[n] = o->parts <= 1;
    for (uint32_t i = n; i-- > 0;) {
        come_back(o, o->order[i]);
        o->whole[i] = o->parts <= 1;
    }
}

static hf_status make_failures(hf_context *cx, const hf_universe *universe, failures *o) {
    *o = (failures){.universe = universe};
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
    const double k = (double)parted, quantile = 1.959963984540054;
    limit->mean /= parted > 0 ? k : 1;
    const double variance = parted > 1 ? (squares - k * limit->mean * limit->mean) / (k - 1) : 0;
    const double half = parted > 0 ? quantile * sqrt(fmax(variance, 0) / k) : 0;
    limit->mean_low = limit->mean - half;
    limit->mean_high = limit->mean + half;
}

static hf_status fill(hf_context *cx, const hf_universe *universe, uint64_t seed, hf_limit *limit) {
    failures o;
    HF_TRY(hf_allocate(cx, (size_t)limit->n + 2, sizeof *limit->parted, (void **)&limit->parted));
    HF_TRY(hf_allocate(cx, (size_t)limit->n + 2, sizeof *limit->below, (void **)&limit->below));
    HF_TRY(make_failures(cx, universe, &o));
    for (uint64_t i = 0; i < limit->orders; i++) {
        if (hf_context_stopped(cx)) {
            HF_FAIL(cx, HF_ESTOP, "stopped");
        }
        shuffle(universe, seed, i, o.order);
        play(&o);
        limit->parted[first_parted(&o)]++;
    }
    sum_up(limit);
    return HF_OK;
}

hf_status hf_limit_run(hf_context *cx, const hf_universe *universe, uint64_t orders, uint64_t seed, hf_limit **out) {
    hf_limit *limit;
    HF_TRY(hf_allocate(cx, 1, sizeof *limit, (void **)&limit));
    limit->allocator = *hf_context_allocator(cx);
    limit->orders = orders;
    limit->n = universe->n_component;
    const hf_mark mark = hf_scratch_mark(cx);
    const hf_status status = fill(cx, universe, seed, limit);
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
