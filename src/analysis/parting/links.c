/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Sets of links that part a network, counted by linear algebra over two elements: the cycle matroid's dual. A level of the stack
 *  holds every label reduced by the failed links' labels, in full, so that equal vectors are equal sums.
 *
 *  In large networks a label is hashed: every cycle has a random word, and a label is the sum of those of its cycles. What is
 *  zero or equal stays so, and what comes to be so by chance is found out: links that seem to part the network are looked at by a
 *  search, one for each of a class of equal labels. If one of them does not, all sets are searched. */
#include <string.h>

#include <holdfast/core/bitset.h>
#include <holdfast/core/combination.h>

#include "src/analysis/parting/parting.h"
#include "src/topology/search.h"

enum { FULL_LIMIT_KIB = 1024 };

typedef struct level {
    uint64_t *label;   /* n rows of `words` */
    bool is_dependent; /* the links that have failed part the network */
} level;

struct hf_parting_links {
    hf_allocator allocator;
    uint32_t n; /* components */
    size_t words;
    bool is_hashed;
    level *at; /* at[d]: d links have failed */
    uint32_t n_level, built;
    uint32_t *class_of;     /* n: number of the class of equal labels, HF_NONE: zero */
    uint32_t *slot, n_slot; /* hash: component + 1, 0: empty */
    uint32_t *after;        /* n: of a class, by its first member: members after the present one */
};

/* ---- labels ---- */

/* The link that component c is, if it is one link between switches and nothing else; else HF_NONE. */
static uint32_t single_link(const hf_universe *u, uint32_t c) {
    const hf_topology *topo = u->topo;
    const uint32_t i = u->channel_begin[c];
    if (u->switch_begin[c + 1] != u->switch_begin[c] || u->channel_begin[c + 1] - i != 2 ||
        topo->reverse[u->channel[i]] != u->channel[i + 1]) {
        return HF_NONE;
    }
    const uint32_t link = topo->link[u->channel[i]];
    return link < topo->n_switch_link ? link : HF_NONE;
}

typedef struct forest {
    const hf_topology *topo;
    uint32_t *parent, *via, *level; /* n_switch: switch and link to the root, steps from it */
    uint8_t *in_tree;               /* n_link */
    uint32_t n_seen;
} forest;

static hf_step enter(void *user, uint32_t from, uint32_t arc, uint32_t to) {
    forest *f = user;
    const uint32_t link = f->topo->link[arc];
    if (hf_topology_is_terminal(f->topo, to) || f->parent[to] != HF_NONE) {
        return HF_STEP_PASS;
    }
    f->parent[to] = from;
    f->via[to] = link;
    f->level[to] = f->level[from] + 1;
    f->in_tree[link] = 1;
    return HF_STEP_ENTER;
}

static hf_status grow(hf_context *cx, const hf_topology *topo, forest *f) {
    uint32_t *queue;
    *f = (forest){.topo = topo};
    HF_TRY(hf_scratch(cx, topo->n_switch, sizeof *f->parent, (void **)&f->parent));
    HF_TRY(hf_scratch(cx, topo->n_switch, sizeof *f->via, (void **)&f->via));
    HF_TRY(hf_scratch(cx, topo->n_switch, sizeof *f->level, (void **)&f->level));
    HF_TRY(hf_scratch(cx, topo->n_link, sizeof *f->in_tree, (void **)&f->in_tree));
    HF_TRY(hf_scratch(cx, topo->n_switch, sizeof *queue, (void **)&queue));
    memset(f->parent, 0xff, topo->n_switch * sizeof *f->parent); /* HF_NONE */
    f->parent[0] = queue[0] = 0;
    f->n_seen = hf_breadth_first(hf_channels(topo, false), queue, 1, enter, f);
    return HF_OK;
}

static uint64_t hash_words(const uint64_t *word, size_t n) {
    uint64_t h = 0;
    for (size_t i = 0; i < n; i++) {
        h = (h ^ word[i]) * UINT64_C(0x9e3779b97f4a7c15);
        h ^= h >> 29;
    }
    return h;
}

static void add_cycle(const hf_parting_links *links, uint32_t cycle, uint64_t *label) {
    if (links->is_hashed) {
        const uint64_t seed[] = {cycle + 1, cycle, 1};
        *label ^= hash_words(seed, 3);
    } else {
        hf_bit_set(label, cycle);
    }
}

/* The cycle of a link off the tree: itself and the tree links between its ends. */
static void mark_cycle(const hf_parting_links *links, const forest *f, uint32_t link, uint32_t cycle, uint64_t *label) {
    const hf_topology *topo = f->topo;
    uint32_t a = topo->from[topo->forward[link]], b = topo->to[topo->forward[link]];
    add_cycle(links, cycle, label + link * links->words);
    while (a != b) {
        uint32_t *const lower = f->level[a] >= f->level[b] ? &a : &b;
        add_cycle(links, cycle, label + f->via[*lower] * links->words);
        *lower = f->parent[*lower];
    }
}

static hf_status label_all(hf_context *cx, const hf_universe *u, hf_parting_links *links) {
    const hf_topology *topo = u->topo;
    forest f;
    uint64_t *label;
    uint32_t cycle = 0;
    HF_TRY(grow(cx, topo, &f));
    if (f.n_seen != topo->n_switch) {
        HF_FAIL(cx, HF_ENOTSUP, "\"%s\" is in parts without any fault", topo->spec);
    }
    HF_TRY(hf_scratch(cx, topo->n_switch_link * links->words, sizeof *label, (void **)&label));
    for (uint32_t link = 0; link < topo->n_switch_link; link++) {
        if (!f.in_tree[link]) {
            mark_cycle(links, &f, link, cycle++, label);
        }
    }
    HF_TRY(hf_allocate(cx, links->n * links->words, sizeof *label, (void **)&links->at[0].label));
    for (uint32_t c = 0; c < links->n; c++) {
        memcpy(links->at[0].label + c * links->words, label + single_link(u, c) * links->words, links->words * sizeof *label);
    }
    return HF_OK;
}

static bool is_two_way(const hf_topology *topo) {
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        if (topo->reverse[c] == HF_NONE) {
            return false;
        }
    }
    return true;
}

/* Is every component one link, and no link in two of them? */
static hf_status are_links(hf_context *cx, const hf_universe *u, bool *out) {
    const hf_mark mark = hf_scratch_mark(cx);
    uint64_t *seen;
    HF_TRY(hf_scratch(cx, hf_words(u->topo->n_link), sizeof *seen, (void **)&seen));
    *out = true;
    for (uint32_t c = 0; c < u->n_component && *out; c++) {
        const uint32_t link = single_link(u, c);
        *out = link != HF_NONE && !hf_bit_test(seen, link);
        if (*out) {
            hf_bit_set(seen, link);
        }
    }
    hf_scratch_reset(cx, mark);
    return HF_OK;
}

static hf_status check(hf_context *cx, const hf_universe *u) {
    bool fits = is_two_way(u->topo) && u->topo->n_switch > 0;
    if (fits) {
        HF_TRY(are_links(cx, u, &fits));
    }
    if (!fits) {
        HF_FAIL(cx, HF_ENOTSUP, "universe \"%s\" is not one of single two-way links", u->spec);
    }
    return HF_OK;
}

static hf_status fill(hf_context *cx, const hf_universe *u, hf_parting_links *links) {
    HF_TRY(hf_allocate(cx, 1, sizeof *links->at, (void **)&links->at));
    links->n_level = 1;
    for (links->n_slot = 4; links->n_slot < 2 * links->n;) {
        links->n_slot *= 2;
    }
    HF_TRY(hf_allocate(cx, links->n, sizeof *links->class_of, (void **)&links->class_of));
    HF_TRY(hf_allocate(cx, links->n, sizeof *links->after, (void **)&links->after));
    HF_TRY(hf_allocate(cx, links->n_slot, sizeof *links->slot, (void **)&links->slot));
    const hf_mark mark = hf_scratch_mark(cx);
    const hf_status status = label_all(cx, u, links);
    hf_scratch_reset(cx, mark);
    return status;
}

hf_status hf_parting_links_new(hf_context *cx, const hf_universe *universe, hf_parting_links **out) {
    const hf_topology *topo = universe->topo;
    const uint32_t cycles = topo->n_switch_link + 1 > topo->n_switch ? topo->n_switch_link + 1 - topo->n_switch : 1;
    const bool is_hashed = (uint64_t)topo->n_switch_link * hf_words(cycles) * sizeof(uint64_t) > FULL_LIMIT_KIB << 10;
    hf_parting_links *links;
    HF_TRY(check(cx, universe));
    HF_TRY(hf_allocate(cx, 1, sizeof *links, (void **)&links));
    *links = (hf_parting_links){.allocator = *hf_context_allocator(cx),
                                .n = universe->n_component,
                                .words = is_hashed ? 1 : hf_words(cycles),
                                .is_hashed = is_hashed};
    const hf_status status = fill(cx, universe, links);
    if (status != HF_OK) {
        hf_parting_links_free(links);
        return status;
    }
    *out = links;
    return HF_OK;
}

void hf_parting_links_free(hf_parting_links *links) {
    if (!links) {
        return;
    }
    const hf_allocator allocator = links->allocator;
    for (uint32_t i = 0; i < links->n_level; i++) {
        hf_release(&allocator, links->at[i].label);
    }
    void *const block[] = {links->at, links->class_of, links->slot, links->after, links};
    for (size_t i = 0; i < sizeof block / sizeof *block; i++) {
        hf_release(&allocator, block[i]);
    }
}

/* ---- levels ---- */

static bool is_zero(const uint64_t *label, size_t words) {
    uint64_t any = 0;
    for (size_t i = 0; i < words; i++) {
        any |= label[i];
    }
    return any == 0;
}

/* Add one link to what has failed: its label, by its lowest bit, is taken out of all labels. */
static void reduce(const level *from, uint32_t n, size_t words, uint32_t component, level *to) {
    const uint64_t *pivot = from->label + component * words;
    to->is_dependent = from->is_dependent || is_zero(pivot, words);
    memcpy(to->label, from->label, n * words * sizeof *to->label);
    if (to->is_dependent) {
        return;
    }
    const size_t bit = hf_bits_next(pivot, words * 64, 0);
    for (uint32_t c = 0; c < n; c++) {
        uint64_t *label = to->label + c * words;
        if (hf_bit_test(label, bit)) {
            for (size_t i = 0; i < words; i++) {
                label[i] ^= pivot[i];
            }
        }
    }
}

static hf_status build(hf_context *cx, hf_parting_links *links, const hf_parting *p) {
    while (links->n_level <= p->stack.depth) {
        HF_TRY(hf_resize(cx, links->n_level + 1, sizeof *links->at, (void **)&links->at));
        links->at[links->n_level] = (level){0};
        HF_TRY(hf_allocate(cx, links->n * links->words, sizeof(uint64_t), (void **)&links->at[links->n_level].label));
        links->n_level++;
    }
    for (; links->built < p->stack.depth; links->built++) {
        reduce(&links->at[links->built], links->n, links->words, p->stack.component[links->built], &links->at[links->built + 1]);
    }
    return HF_OK;
}

void hf_parting_links_pop(hf_parting_links *links, uint32_t depth) { links->built = links->built < depth ? links->built : depth; }

/* ---- counting ---- */

/* Number the classes of equal labels among the components from `from` on, by their first members. */
static void classify(hf_parting_links *links, const uint64_t *label, uint32_t from) {
    const size_t words = links->words;
    memset(links->slot, 0, links->n_slot * sizeof *links->slot);
    for (uint32_t c = from; c < links->n; c++) {
        const uint64_t *own = label + c * words;
        links->class_of[c] = HF_NONE;
        if (is_zero(own, words)) {
            continue;
        }
        size_t s = (size_t)hash_words(own, words) & (links->n_slot - 1);
        while (links->slot[s] && memcmp(label + (links->slot[s] - 1) * words, own, words * sizeof *own) != 0) {
            s = (s + 1) & (links->n_slot - 1);
        }
        links->slot[s] = links->slot[s] ? links->slot[s] : c + 1;
        links->class_of[c] = links->slot[s] - 1;
    }
}

typedef struct place {
    const hf_parting_links *links;
    uint32_t first, from; /* first component of two, or HF_NONE; component of index 0 */
} place;

static bool is_bad(const void *user, uint64_t i) {
    const place *at = user;
    const uint32_t second = at->links->class_of[at->from + i];
    return second == HF_NONE ||
           (at->first != HF_NONE && (at->links->class_of[at->first] == HF_NONE || at->links->class_of[at->first] == second));
}

static bool always(const void *user, uint64_t i) {
    (void)user;
    (void)i;
    return true;
}

static void count_one(hf_parting_links *links, uint32_t from, hf_parting_sum *sum) {
    const place at = {links, HF_NONE, from};
    uint64_t bad = 0;
    for (uint32_t c = from; c < links->n; c++) {
        bad += links->class_of[c] == HF_NONE;
    }
    hf_parting_take(sum, links->n - from, bad, is_bad, &at);
}

/* A row for each first component, in ascending order; links->after[k] members of class k are left after it. */
static void count_two(hf_parting_links *links, uint32_t from, hf_parting_sum *sum) {
    uint32_t zeros = 0;
    for (uint32_t c = from; c < links->n; c++) {
        links->after[c] = 0;
        zeros += links->class_of[c] == HF_NONE;
        if (links->class_of[c] != HF_NONE) {
            links->after[links->class_of[c]]++;
        }
    }
    for (uint32_t c = from; c < links->n; c++) {
        const uint32_t class_of = links->class_of[c], left = links->n - c - 1;
        const place at = {links, c, c + 1};
        zeros -= class_of == HF_NONE;
        const uint64_t bad = class_of == HF_NONE ? left : zeros + --links->after[class_of];
        hf_parting_take(sum, left, bad, is_bad, &at);
    }
}

/* ---- hashed labels ---- */

/* Do these links, beside what has failed, part the network? */
static hf_status search_with(hf_context *cx, hf_parting *p, const uint32_t *link, uint32_t n, bool *parts) {
    hf_status status = HF_OK;
    uint32_t pushed = 0;
    while (pushed < n && status == HF_OK) {
        status = hf_parting_push(cx, p, link[pushed]);
        pushed += status == HF_OK;
    }
    *parts = status == HF_OK && !hf_parting_read(p);
    while (pushed-- > 0) {
        hf_parting_pop(p);
    }
    return status;
}

/* Is every zero a bridge, and every member of a class parted together with its first? Then this is so of all its pairs. */
static hf_status are_classes_true(hf_context *cx, const hf_parting_links *links, hf_parting *p, uint32_t from, bool *out) {
    *out = true;
    for (uint32_t c = from; c < links->n && *out; c++) {
        const uint32_t class_of = links->class_of[c], link[2] = {c, class_of};
        if (class_of != c) {
            HF_TRY(hf_context_go_on(cx, "searching parts of a network"));
            HF_TRY(search_with(cx, p, link, class_of == HF_NONE ? 1 : 2, out));
        }
    }
    return HF_OK;
}

/* Labels said too much: set by set. */
static hf_status count_by_search(hf_context *cx, const hf_parting_links *links, hf_parting *p, uint32_t from, uint32_t r,
                                 hf_parting_sum *sum) {
    for (uint64_t i = sum->lo; i < sum->hi; i++) {
        uint32_t link[2];
        bool parts;
        hf_lex_unrank(links->n - from, r, i, link);
        link[0] += from;
        link[1] += r > 1 ? from : 0;
        HF_TRY(hf_context_go_on(cx, "searching parts of a network"));
        HF_TRY(search_with(cx, p, link, r, &parts));
        sum->first = parts && sum->bad == 0 ? i : sum->first;
        sum->bad += parts;
    }
    return HF_OK;
}

hf_status hf_parting_links_count(hf_context *cx, hf_parting_links *links, hf_parting *p, uint32_t r, hf_parting_sum *sum) {
    HF_TRY(build(cx, links, p));
    const level *now = &links->at[p->stack.depth];
    const uint32_t from = p->stack.depth ? p->stack.component[p->stack.depth - 1] + 1 : 0;
    bool is_true = !links->is_hashed || !now->is_dependent || !hf_parting_read(p);
    if (now->is_dependent && is_true) {
        const uint64_t left = links->n - from, size = r == 1 ? left : left * (left - 1) / 2;
        hf_parting_take(sum, size, size, always, NULL);
        return HF_OK;
    }
    classify(links, now->label, from);
    if (links->is_hashed && is_true) {
        HF_TRY(are_classes_true(cx, links, p, from, &is_true));
    }
    if (!is_true) {
        return count_by_search(cx, links, p, from, r, sum);
    }
    if (r == 1) {
        count_one(links, from, sum);
    } else {
        count_two(links, from, sum);
    }
    return HF_OK;
}
