/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Clusters are kept by their members, in a table. Those of a set are found by adding its components one by one: a component
 * joins all clusters that it touches a switch of, and what they become may touch others. Clusters that touch no common switch
 * have regions and rings of their own, so that the set is covered if each cluster is; and delivers every message if each does
 *  (plain.h). A region at the boundary stays there, whatever else fails. */
#include "src/routing/solid/clusters.h"

#include <stdlib.h>
#include <string.h>

#include <holdfast/core/bitset.h>

#include "src/core/grow.h"
#include "src/core/index.h"

enum { TABLES_MIB = 64, CACHE_MIB = 16 };

typedef struct cluster {
    size_t member;     /* place of the first */
    uint32_t n, n_bad; /* members; switches out of service */
    bool is_hopeless;  /* no set with it is covered */
    bool is_covered, delivers;
} cluster;

/* The clusters of the first so many components of a set. */
typedef struct level {
    uint32_t component; /* the last of them */
    size_t begin, n;    /* in `held` */
    bool is_hopeless;
} level;

struct hf_solid_clusters {
    hf_allocator allocator;
    const hf_routing *routing;
    const hf_universe *universe;
    const hf_args *args;
    hf_solid_plain plain;
    size_t touched_words, dead_words; /* rows of bits of a cluster: switches that it touches, terminals out of service */
    cluster *cluster;
    size_t n_cluster, cluster_room;
    uint64_t *bits;
    size_t bits_room;
    uint32_t *member;
    size_t n_member, member_room;
    hf_index index;
    level *level;
    size_t n_level, level_room;
    uint32_t *held, *joined;
    size_t n_held, held_room, joined_room;
};

static uint64_t *touched_of(const hf_solid_clusters *x, size_t c) { return x->bits + c * (x->touched_words + x->dead_words); }
static uint64_t *dead_of(const hf_solid_clusters *x, size_t c) { return touched_of(x, c) + x->touched_words; }

/* ---- one cluster ---- */

static uint32_t hash_of(const uint32_t *member, size_t n) {
    uint32_t hash = (uint32_t)n;
    for (size_t i = 0; i < n; i++) {
        hash = hf_index_hash((uint64_t)hash << 32 | member[i]);
    }
    return hash;
}

static uint32_t find(const hf_solid_clusters *x, const uint32_t *member, size_t n, uint32_t hash) {
    uint32_t at = hash, i;
    while ((i = hf_index_next(&x->index, hash, &at)) != HF_NONE) {
        if (x->cluster[i].n == n && memcmp(x->member + x->cluster[i].member, member, n * sizeof *member) == 0) {
            return i;
        }
    }
    return HF_NONE;
}

/* Bits of one more cluster, and its members; cleared. */
static hf_status make_room(hf_context *cx, hf_solid_clusters *x, size_t n) {
    const size_t words = x->touched_words + x->dead_words;
    HF_GROW(cx, x->cluster, x->n_cluster, x->cluster_room);
    if ((x->n_cluster + 1) * words > x->bits_room) {
        const size_t room = 2 * (x->n_cluster + 1) * words;
        HF_TRY(hf_resize(cx, room, sizeof *x->bits, (void **)&x->bits));
        x->bits_room = room;
    }
    if (x->n_member + n > x->member_room) {
        const size_t room = 2 * (x->n_member + n);
        HF_TRY(hf_resize(cx, room, sizeof *x->member, (void **)&x->member));
        x->member_room = room;
    }
    memset(touched_of(x, x->n_cluster), 0, words * sizeof *x->bits);
    return HF_OK;
}

static void mark_dead(const hf_plan *plan, const hf_solid *s, uint64_t *dead) {
    const hf_topology *topo = plan->topo;
    for (uint32_t t = 0; t < topo->n_terminal; t++) {
        const uint32_t out = topo->out_list[topo->out_begin[topo->n_switch + t]];
        const uint32_t in = topo->in_list[topo->in_begin[topo->n_switch + t]];
        if (s->bad[topo->terminal_switch[t]] || hf_bit_test(plan->faults->channel_set, out) ||
            hf_bit_test(plan->faults->channel_set, in)) {
            hf_bit_set(dead, t);
        }
    }
}

/* Plan for these components alone, and see what they do. */
static hf_status look(hf_context *cx, hf_solid_clusters *x, const uint32_t *member, size_t n, cluster *c) {
    uint64_t *touched = touched_of(x, x->n_cluster);
    hf_fault_set faults;
    HF_TRY(hf_fault_set_make(cx, x->universe, member, (uint32_t)n, &faults));
    hf_plan plan = {.routing = x->routing, .topo = faults.topo, .faults = &faults, .args = x->args};
    HF_TRY(x->routing->plan(cx, &plan));
    hf_solid_plan with_sides = *(const hf_solid_plan *)plan.state;
    with_sides.sides = x->plain.sides;
    const hf_solid *s = &with_sides.solid;
    c->is_hopeless = hf_solid_touch(s, touched) && !s->takes_chains;
    c->is_covered = with_sides.class == HF_SOLID_COVERED;
    c->delivers = c->is_covered && hf_solid_plain_passes(&x->plain, &with_sides, touched);
    for (uint32_t node = 0; node < s->topo->n_switch; node++) {
        c->n_bad += s->bad[node];
    }
    mark_dead(&plan, s, dead_of(x, x->n_cluster));
    return HF_OK;
}

static hf_status add(hf_context *cx, hf_solid_clusters *x, const uint32_t *member, size_t n, uint32_t hash, uint32_t *out) {
    const hf_mark mark = hf_scratch_mark(cx);
    cluster c = {.member = x->n_member, .n = (uint32_t)n};
    HF_TRY(make_room(cx, x, n));
    HF_TRY(look(cx, x, member, n, &c));
    hf_scratch_reset(cx, mark);
    memcpy(x->member + x->n_member, member, n * sizeof *member);
    if (!hf_index_add(&x->allocator, &x->index, hash, (uint32_t)x->n_cluster)) {
        HF_FAIL(cx, HF_ENOMEM, "out of memory for %zu clusters of faults", x->n_cluster);
    }
    x->n_member += n;
    *out = (uint32_t)x->n_cluster;
    x->cluster[x->n_cluster++] = c;
    return HF_OK;
}

static hf_status get(hf_context *cx, hf_solid_clusters *x, const uint32_t *member, size_t n, uint32_t *out) {
    const uint32_t hash = hash_of(member, n);
    *out = find(x, member, n, hash);
    return *out != HF_NONE ? HF_OK : add(cx, x, member, n, hash, out);
}

/* ---- the clusters of a set ---- */

static bool meet(const hf_solid_clusters *x, size_t a, size_t b) {
    const uint64_t *p = touched_of(x, a), *q = touched_of(x, b);
    bool meets = false;
    for (size_t w = 0; w < x->touched_words; w++) {
        meets |= (p[w] & q[w]) != 0;
    }
    return meets;
}

static int by_number(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Take out of the last level those that a cluster touches. \param[in,out] n members in `joined`  \return were there any? */
static hf_status join(hf_context *cx, hf_solid_clusters *x, level *l, uint32_t c, size_t *n, bool *joins) {
    size_t kept = 0;
    *joins = false;
    for (size_t i = 0; i < l->n; i++) {
        const uint32_t other = x->held[l->begin + i];
        if (!meet(x, c, other)) {
            x->held[l->begin + kept++] = other;
            continue;
        }
        *joins = true;
        for (uint32_t k = 0; k < x->cluster[other].n; k++) {
            HF_GROW(cx, x->joined, *n, x->joined_room);
            x->joined[(*n)++] = x->member[x->cluster[other].member + k];
        }
    }
    l->n = kept;
    qsort(x->joined, *n, sizeof *x->joined, by_number);
    return HF_OK;
}

/* The clusters with one component more, behind those of the level before. */
static hf_status add_level(hf_context *cx, hf_solid_clusters *x, uint32_t component) {
    const level before = x->n_level ? x->level[x->n_level - 1] : (level){.n = 0};
    level l = {component, before.begin + before.n, before.n, before.is_hopeless};
    x->n_held = l.begin;
    for (size_t i = 0; i <= before.n; i++) {
        HF_GROW(cx, x->held, x->n_held, x->held_room);
        x->held[x->n_held++] = i < before.n ? x->held[before.begin + i] : HF_NONE;
    }
    size_t n = 0;
    HF_GROW(cx, x->joined, n, x->joined_room);
    x->joined[n++] = component;
    bool joins = !l.is_hopeless;
    while (joins && !l.is_hopeless) {
        uint32_t c;
        HF_TRY(get(cx, x, x->joined, n, &c));
        l.is_hopeless = x->cluster[c].is_hopeless;
        HF_TRY(join(cx, x, &l, c, &n, &joins));
        x->held[l.begin + l.n] = c;
    }
    l.n++;
    HF_GROW(cx, x->level, x->n_level, x->level_room);
    x->level[x->n_level++] = l;
    return HF_OK;
}

/* What was found is forgotten when it takes too much room. */
static void forget(hf_solid_clusters *x) {
    const size_t bytes = sizeof *x->cluster + (x->touched_words + x->dead_words) * sizeof *x->bits + 2 * sizeof *x->index.slot;
    if (x->n_cluster * bytes + x->n_member * sizeof *x->member > (size_t)CACHE_MIB << 20) {
        x->n_cluster = x->n_member = x->n_level = 0;
        hf_index_clear(&x->index);
    }
}

static hf_status find_levels(hf_context *cx, hf_solid_clusters *x, const hf_fault_stack *failed) {
    size_t n = 0;
    while (n < x->n_level && n < failed->depth && x->level[n].component == failed->component[n]) {
        n++;
    }
    x->n_level = n;
    forget(x);
    while (x->n_level < failed->depth && !(x->n_level && x->level[x->n_level - 1].is_hopeless)) {
        HF_TRY(add_level(cx, x, failed->component[x->n_level]));
    }
    return HF_OK;
}

static uint32_t count_live(const hf_solid_clusters *x, const level *l) {
    uint32_t dead = 0;
    for (size_t w = 0; w < x->dead_words; w++) {
        uint64_t word = 0;
        for (size_t i = 0; i < l->n; i++) {
            word |= dead_of(x, x->held[l->begin + i])[w];
        }
        dead += (uint32_t)__builtin_popcountll(word);
    }
    return x->universe->topo->n_terminal - dead;
}

hf_status hf_solid_clusters_decide(hf_context *cx, hf_solid_clusters *x, const hf_fault_stack *failed, bool *knows,
                                   hf_measure *out) {
    HF_TRY(find_levels(cx, x, failed));
    *out = (hf_measure){0};
    *knows = x->n_level > 0;
    if (!*knows) {
        return HF_OK;
    }
    const level *l = &x->level[x->n_level - 1];
    bool is_covered = !l->is_hopeless, delivers = true;
    uint32_t n_bad = 0;
    for (size_t i = 0; i < l->n && is_covered; i++) {
        const cluster *c = &x->cluster[x->held[l->begin + i]];
        is_covered = c->is_covered;
        delivers &= c->delivers;
        n_bad += c->n_bad;
    }
    is_covered = is_covered && x->universe->topo->n_switch - n_bad >= 2;
    *knows = !is_covered || delivers;
    out->tolerated = is_covered && delivers;
    out->live = out->tolerated ? count_live(x, l) : 0;
    return HF_OK;
}

/* ---- making ---- */

void hf_solid_clusters_free(hf_solid_clusters *x) {
    if (x) {
        const hf_allocator a = x->allocator;
        void *const block[] = {x->cluster, x->bits, x->member, x->level, x->held, x->joined};
        for (size_t i = 0; i < sizeof block / sizeof *block; i++) {
            hf_release(&a, block[i]);
        }
        hf_solid_plain_free(&a, &x->plain);
        hf_index_close(&a, &x->index);
        hf_release(&a, x);
    }
}

static hf_status fill(hf_context *cx, hf_solid_clusters *x, bool *is_useful) {
    const hf_topology *topo = x->universe->topo;
    hf_fault_set none;
    HF_TRY(hf_fault_set_make(cx, x->universe, NULL, 0, &none));
    hf_plan plan = {.routing = x->routing, .topo = topo, .faults = &none, .args = x->args};
    HF_TRY(x->routing->plan(cx, &plan));
    const hf_solid_plan *p = plan.state;
    *is_useful = p->options.sacrifice == HF_SACRIFICE_NONE && p->class == HF_SOLID_COVERED &&
                 hf_solid_plain_bytes(p) <= (double)((size_t)TABLES_MIB << 20);
    if (*is_useful) {
        HF_TRY(hf_solid_plain_init(cx, p, &x->plain));
        *is_useful = x->plain.holds;
    }
    return HF_OK;
}

hf_status hf_solid_clusters_new(hf_context *cx, const hf_routing *routing, const hf_universe *universe, const hf_args *args,
                                hf_solid_clusters **out) {
    const hf_mark mark = hf_scratch_mark(cx);
    hf_solid_clusters *x;
    bool is_useful = false;
    *out = NULL;
    HF_TRY(hf_allocate(cx, 1, sizeof *x, (void **)&x));
    *x = (hf_solid_clusters){.allocator = *hf_context_allocator(cx),
                             .routing = routing,
                             .universe = universe,
                             .args = args,
                             .touched_words = hf_words(universe->topo->n_switch),
                             .dead_words = hf_words(universe->topo->n_terminal)};
    const hf_status status = fill(cx, x, &is_useful);
    hf_scratch_reset(cx, mark);
    if (status != HF_OK || !is_useful) {
        hf_solid_clusters_free(x);
        return status;
    }
    *out = x;
    return HF_OK;
}
