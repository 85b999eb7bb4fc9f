/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Clusters are kept by their members, in a table, one for all that translations take to one another. Those of a set are found by
 * adding its components one by one: a component joins all clusters that it touches a switch of, and what they become may touch
 * others. Clusters that touch no common switch have regions and rings of their own, so that the set is covered if each cluster
 * is; and delivers every message if each does (plain.h). A region at the boundary stays there, whatever else fails. */
#include "src/routing/solid/clusters.h"

#include <string.h>

#include <holdfast/core/bitset.h>

#include "src/core/grow.h"
#include "src/core/index.h"
#include "src/core/sort.h"
#include "src/routing/solid/shifts.h"

enum { TABLES_MIB = 64, SHIFTS_MIB = 32, CACHE_MIB = 16 };

typedef struct cluster {
    size_t member;     /* place of the first */
    uint32_t n, n_bad; /* members; switches out of service */
    bool is_hopeless;  /* no set with it is covered */
    bool is_covered, delivers;
} cluster;

/* A cluster where it is in a set, with a row of bits. */
typedef struct placed {
    uint32_t cluster;
    size_t member; /* place of the first of its own, as many as the cluster's */
} placed;

/* The clusters of the first so many components of a set. */
typedef struct level {
    uint32_t component;               /* the last of them */
    size_t begin, n;                  /* in `held` */
    size_t n_placed, n_placed_member; /* what there is up to here */
    bool is_hopeless;
} level;

typedef struct numbers {
    uint32_t *at;
    size_t n, room;
} numbers;

typedef struct rows {
    uint64_t *at;
    size_t room; /* words */
} rows;

struct hf_solid_clusters {
    hf_allocator allocator;
    const hf_routing *routing;
    const hf_universe *universe;
    const hf_args *args;
    hf_solid_plain plain;
    hf_solid_shifts shifts;
    size_t touched_words, dead_words; /* rows of bits of a cluster: switches that it touches, terminals out of service */
    cluster *cluster;
    size_t n_cluster, cluster_room;
    rows bits;
    numbers member;
    hf_index index;
    level *level;
    size_t n_level, level_room;
    placed *placed;
    size_t n_placed, placed_room;
    rows placed_bits;
    numbers placed_member;
    uint32_t *held, *joined;
    size_t n_held, held_room, joined_room;
    numbers key; /* scratch: members moved home */
};

/* ---- room ---- */

static size_t row_words(const hf_solid_clusters *x) { return x->touched_words + x->dead_words; }

/* Room for row i, cleared. */
static hf_status start_row(hf_context *cx, const hf_solid_clusters *x, rows *r, size_t i) {
    const size_t words = row_words(x);
    HF_RESERVE(cx, r->at, (i + 1) * words, r->room);
    memset(r->at + i * words, 0, words * sizeof *r->at);
    return HF_OK;
}

/* Switches that it touches, and behind them terminals out of service. */
static uint64_t *row_of(const hf_solid_clusters *x, const rows *r, size_t i) { return r->at + i * row_words(x); }

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
        if (x->cluster[i].n == n && memcmp(x->member.at + x->cluster[i].member, member, n * sizeof *member) == 0) {
            return i;
        }
    }
    return HF_NONE;
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
    uint64_t *touched = row_of(x, &x->bits, x->n_cluster);
    hf_fault_set faults;
    HF_TRY(hf_fault_set_make(cx, x->universe, member, (uint32_t)n, &faults));
    hf_plan plan = {.routing = x->routing, .topo = faults.topo, .faults = &faults, .args = x->args};
    HF_TRY(x->routing->plan(cx, &plan));
    hf_solid_plan with_sides = *(const hf_solid_plan *)plan.state;
    with_sides.sides = x->plain.sides;
    const hf_solid *s = &with_sides.solid;
    c->is_hopeless = hf_solid_touch(s, touched) && !s->takes_chains;
    c->is_covered = with_sides.class == HF_SOLID_COVERED;
    c->delivers = c->is_covered && !with_sides.exits && hf_solid_plain_passes(&x->plain, &with_sides, touched);
    for (uint32_t node = 0; node < s->topo->n_switch; node++) {
        c->n_bad += s->bad[node];
    }
    mark_dead(&plan, s, touched + x->touched_words);
    return HF_OK;
}

static hf_status add(hf_context *cx, hf_solid_clusters *x, const uint32_t *member, size_t n, uint32_t hash, uint32_t *out) {
    const hf_mark mark = hf_scratch_mark(cx);
    cluster c = {.member = x->member.n, .n = (uint32_t)n};
    HF_GROW(cx, x->cluster, x->n_cluster, x->cluster_room);
    HF_RESERVE(cx, x->member.at, x->member.n + n, x->member.room);
    HF_TRY(start_row(cx, x, &x->bits, x->n_cluster));
    HF_TRY(look(cx, x, member, n, &c));
    hf_scratch_reset(cx, mark);
    memcpy(x->member.at + x->member.n, member, n * sizeof *member);
    if (!hf_index_add(&x->allocator, &x->index, hash, (uint32_t)x->n_cluster)) {
        HF_FAIL(cx, HF_ENOMEM, "out of memory for %zu clusters of faults", x->n_cluster);
    }
    x->member.n += n;
    *out = (uint32_t)x->n_cluster;
    x->cluster[x->n_cluster++] = c;
    return HF_OK;
}

/* The bits of a row that stands at home, moved. */
static void move_row(const hf_solid_clusters *x, uint32_t shift, const uint64_t *home, uint64_t *out) {
    const uint32_t *node = x->shifts.node + (size_t)shift * x->shifts.n_node, n_switch = x->universe->topo->n_switch;
    const size_t n_terminal = x->universe->topo->n_terminal;
    const uint64_t *dead = home + x->touched_words;
    for (size_t at = hf_bits_next(home, n_switch, 0); at < n_switch; at = hf_bits_next(home, n_switch, at + 1)) {
        hf_bit_set(out, node[at]);
    }
    for (size_t t = hf_bits_next(dead, n_terminal, 0); t < n_terminal; t = hf_bits_next(dead, n_terminal, t + 1)) {
        hf_bit_set(out + x->touched_words, node[n_switch + t] - n_switch);
    }
}

/* The cluster of these components, as the next one that is placed. */
static hf_status place(hf_context *cx, hf_solid_clusters *x, const uint32_t *member, size_t n) {
    uint32_t c;
    HF_RESERVE(cx, x->key.at, x->key.n + 2 * n, x->key.room);
    const uint32_t shift = hf_solid_shifts_home(&x->shifts, member, n, x->key.at), hash = hash_of(x->key.at, n);
    c = find(x, x->key.at, n, hash);
    if (c == HF_NONE) {
        HF_TRY(add(cx, x, x->key.at, n, hash, &c));
    }
    HF_GROW(cx, x->placed, x->n_placed, x->placed_room);
    HF_RESERVE(cx, x->placed_member.at, x->placed_member.n + n, x->placed_member.room);
    HF_TRY(start_row(cx, x, &x->placed_bits, x->n_placed));
    uint64_t *row = row_of(x, &x->placed_bits, x->n_placed);
    const uint64_t *home = row_of(x, &x->bits, c);
    if (shift == 0) {
        memcpy(row, home, row_words(x) * sizeof *row);
    } else {
        move_row(x, x->shifts.inverse[shift], home, row);
    }
    x->placed[x->n_placed++] = (placed){c, x->placed_member.n};
    memcpy(x->placed_member.at + x->placed_member.n, member, n * sizeof *member);
    x->placed_member.n += n;
    return HF_OK;
}

/* ---- the clusters of a set ---- */

static const cluster *cluster_of(const hf_solid_clusters *x, size_t i) { return &x->cluster[x->placed[i].cluster]; }

static bool meet(const hf_solid_clusters *x, size_t a, size_t b) {
    const uint64_t *p = row_of(x, &x->placed_bits, a), *q = row_of(x, &x->placed_bits, b);
    bool meets = false;
    for (size_t w = 0; w < x->touched_words; w++) {
        meets |= (p[w] & q[w]) != 0;
    }
    return meets;
}

/* Take out of the last level those that the last cluster that was placed touches. \param[in,out] n members in `joined`
 * \param[out] joins were there any? */
static hf_status join(hf_context *cx, hf_solid_clusters *x, level *l, size_t *n, bool *joins) {
    size_t kept = 0;
    *joins = false;
    for (size_t i = 0; i < l->n; i++) {
        const uint32_t other = x->held[l->begin + i];
        if (!meet(x, x->n_placed - 1, other)) {
            x->held[l->begin + kept++] = other;
            continue;
        }
        *joins = true;
        for (uint32_t k = 0; k < cluster_of(x, other)->n; k++) {
            HF_GROW(cx, x->joined, *n, x->joined_room);
            x->joined[(*n)++] = x->placed_member.at[x->placed[other].member + k];
        }
    }
    l->n = kept;
    hf_sort_numbers(x->joined, *n);
    return HF_OK;
}

/* The clusters with one component more, behind those of the level before. */
static hf_status add_level(hf_context *cx, hf_solid_clusters *x, uint32_t component) {
    const level before = x->n_level ? x->level[x->n_level - 1] : (level){.n = 0};
    level l = {.component = component, .begin = before.begin + before.n, .n = before.n, .is_hopeless = before.is_hopeless};
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
        HF_TRY(place(cx, x, x->joined, n));
        l.is_hopeless = cluster_of(x, x->n_placed - 1)->is_hopeless;
        HF_TRY(join(cx, x, &l, &n, &joins));
        x->held[l.begin + l.n] = (uint32_t)x->n_placed - 1;
    }
    l.n++;
    l.n_placed = x->n_placed;
    l.n_placed_member = x->placed_member.n;
    HF_GROW(cx, x->level, x->n_level, x->level_room);
    x->level[x->n_level++] = l;
    return HF_OK;
}

/* What was found is forgotten when it takes too much room. */
static void forget(hf_solid_clusters *x) {
    const size_t bytes = sizeof *x->cluster + row_words(x) * sizeof *x->bits.at + 2 * sizeof *x->index.slot;
    if (x->n_cluster * bytes + x->member.n * sizeof *x->member.at > (size_t)CACHE_MIB << 20) {
        x->n_cluster = x->member.n = x->n_level = 0;
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
    x->n_placed = x->n_level ? x->level[x->n_level - 1].n_placed : 0;
    x->placed_member.n = x->n_level ? x->level[x->n_level - 1].n_placed_member : 0;
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
            word |= row_of(x, &x->placed_bits, x->held[l->begin + i])[x->touched_words + w];
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
        const cluster *c = cluster_of(x, x->held[l->begin + i]);
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
        void *const block[] = {x->cluster,        x->bits.at,          x->member.at, x->level,  x->placed,
                               x->placed_bits.at, x->placed_member.at, x->held,      x->joined, x->key.at};
        for (size_t i = 0; i < sizeof block / sizeof *block; i++) {
            hf_release(&a, block[i]);
        }
        hf_solid_plain_free(&a, &x->plain);
        hf_solid_shifts_free(&a, &x->shifts);
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
    return *is_useful ? hf_solid_shifts_init(cx, x->universe, (size_t)SHIFTS_MIB << 20, &x->shifts) : HF_OK;
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
