/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Lost pairs of leaf switches of a k-ary n-tree, by classes within classes.
 *
 *  A minimal path between leaf switches goes up by the digits of its nearest common ancestor. The paths whose first s digits are
 *  w meet the switches <s, X, w> of stage s: a *node* (s, w) stands for them. From each of these the next digit j is an up port,
 *  a *slot* of the node: the up channels and the down channels of the k^(n-1-s) links there, and behind them node (s+1, wj). A
 *  pair of blocks (A, B) of k^s leaf switches is lost at a node if it is lost by all its slots; by a slot if the up channel of A
 *  or the down channel of B has failed there, or if it is lost at the node behind it, where blocks are k times as large (two
 *  blocks that are one there meet at their switch and are not lost). The tree is cut if some pair is lost at the root (0, -).
 *
 *  So a node loses nothing while one of its slots is free of faults: with fewer faulty slots than k no look at pairs is needed,
 *  and what is kept is one bit a slot and a list of the failed channels. Where all slots are faulty, lost pairs are the
 *  intersection of k sets, each the union of a few *rectangles*, rows times columns: of a failed up channel a block times all
 *  others, of a failed down channel the reverse. Blocks are nested or disjoint, so the intersection of two rectangles is one. */
#include "src/routing/tree/classes.h"

#include <assert.h>

#include "src/core/grow.h"
#include "src/routing/tree/plan.h"

/* The pairs (a, b) of leaf switches with a in [row, row + rows), b in [col, col + cols), not both in one block of `apart`. */
typedef struct rect {
    uint32_t row, rows, col, cols, apart;
} rect;

/* A failed channel between switches. */
typedef struct entry {
    uint32_t slot, next; /* next: of the same slot, HF_NONE: none */
    uint32_t block;      /* first leaf switch below its lower switch */
    bool is_up;
} entry;

typedef struct frame {
    uint32_t component;
    uint32_t n_dead_end, n_gone;
} frame;

struct hf_tree_classes {
    const hf_universe *universe;
    hf_allocator allocator;
    hf_tree tree;
    uint64_t all; /* k ones */
    uint32_t n_node, node_base[HF_TREE_STAGES_MAX];
    uint8_t *stage;               /* per node */
    uint64_t *hit;                /* per node: its slots with faults, or behind which all slots are hit */
    uint32_t *parent, *child;     /* per node: the slot that it is behind; per slot: the node behind it; HF_NONE: none */
    uint32_t *head;               /* per slot: its last failed channel, HF_NONE: none */
    uint32_t *node_of, *n_failed; /* per slot: its node; channels on its list */
    uint32_t *slot_of, *block_of; /* per link between switches: its slot; the first leaf switch below its lower switch */
    uint64_t *mask;     /* per component: slots of the root below which it has channels; all ones with a terminal channel */
    uint32_t span;      /* most slots of the root that one component reaches, terminal channels left aside */
    uint32_t end_fatal; /* one above the last component that takes down a terminal channel */
    uint16_t *dead;     /* per channel: failed components that take it down */
    uint32_t n_dead_end, n_gone;
    uint32_t n_one_way; /* links between switches of which one channel has failed */
    entry *entry;       /* 2 a link between switches */
    uint32_t n_entry;
    frame *stack; /* n_component */
    uint32_t depth;
    rect *list; /* lost pairs of nodes: those of a node follow one another */
    size_t n_list, list_room;
    size_t *list_begin, *list_end; /* per node */
};

static bool is_full(const hf_tree_classes *t, uint32_t node) { return t->hit[node] == t->all; }

/* ---- slots ---- */

static void hit(hf_tree_classes *t, uint32_t slot) {
    while (slot != HF_NONE) {
        const uint32_t node = t->node_of[slot];
        const uint64_t bit = UINT64_C(1) << (slot - node * t->tree.k);
        if (t->hit[node] & bit) {
            return;
        }
        t->hit[node] |= bit;
        slot = is_full(t, node) ? t->parent[node] : HF_NONE;
    }
}

static void clear(hf_tree_classes *t, uint32_t slot) {
    while (slot != HF_NONE && t->head[slot] == HF_NONE && (t->child[slot] == HF_NONE || !is_full(t, t->child[slot]))) {
        const uint32_t node = t->node_of[slot];
        const uint32_t next = is_full(t, node) ? t->parent[node] : HF_NONE;
        t->hit[node] &= ~(UINT64_C(1) << (slot - node * t->tree.k));
        slot = next;
    }
}

static void fail_link(hf_tree_classes *t, uint32_t link, bool is_up) {
    const uint32_t slot = t->slot_of[link];
    t->entry[t->n_entry] = (entry){slot, t->head[slot], t->block_of[link], is_up};
    t->head[slot] = t->n_entry++;
    t->n_failed[slot]++;
    hit(t, slot);
}

static void fail_channel(hf_tree_classes *t, uint32_t channel) {
    const hf_topology *topo = t->universe->topo;
    const uint32_t link = topo->link[channel];
    if (t->dead[channel] == 0 && link >= topo->n_switch_link) {
        t->n_dead_end++;
        t->n_gone += t->dead[topo->reverse[channel]] > 0;
    } else if (t->dead[channel] == 0) {
        fail_link(t, link, channel == topo->forward[link]);
        t->n_one_way += t->dead[topo->reverse[channel]] == 0 ? 1 : -1;
    }
    t->dead[channel]++;
}

static void mend_channel(hf_tree_classes *t, uint32_t channel) {
    const hf_topology *topo = t->universe->topo;
    if (--t->dead[channel] == 0 && topo->link[channel] < topo->n_switch_link) {
        t->n_one_way += t->dead[topo->reverse[channel]] == 0 ? -1 : 1;
        const entry *last = &t->entry[--t->n_entry];
        t->head[last->slot] = last->next;
        t->n_failed[last->slot]--;
        clear(t, last->slot);
    }
}

void hf_tree_classes_push(hf_tree_classes *t, uint32_t component) {
    t->stack[t->depth++] = (frame){component, t->n_dead_end, t->n_gone};
    for (uint32_t i = t->universe->channel_begin[component]; i < t->universe->channel_begin[component + 1]; i++) {
        fail_channel(t, t->universe->channel[i]);
    }
}

/* The last channel first: failed channels are kept in the order of their coming. */
void hf_tree_classes_pop(hf_tree_classes *t) {
    assert(t->depth > 0);
    const frame f = t->stack[--t->depth];
    for (uint32_t i = t->universe->channel_begin[f.component + 1]; i-- > t->universe->channel_begin[f.component];) {
        mend_channel(t, t->universe->channel[i]);
    }
    t->n_dead_end = f.n_dead_end;
    t->n_gone = f.n_gone;
}

/* ---- what needs no look at pairs ---- */

uint32_t hf_tree_classes_dead_ends(const hf_tree_classes *t) { return t->n_dead_end; }
uint32_t hf_tree_classes_live(const hf_tree_classes *t) { return t->tree.n_terminal - t->n_gone; }

/* Slots of the root without faults. A tree of one switch has no pairs: as if it had as many as nobody can hit. */
static uint64_t free_slots(const hf_tree_classes *t) { return t->n_node > 0 ? t->all & ~t->hit[0] : t->all; }

bool hf_tree_classes_clean(const hf_tree_classes *t) { return free_slots(t) != 0; }

static uint32_t count_bits(uint64_t x) {
    uint32_t n = 0;
    for (; x; x &= x - 1) {
        n++;
    }
    return n;
}

bool hf_tree_classes_safe(const hf_tree_classes *t, uint32_t r) {
    const uint32_t above = t->depth ? t->stack[t->depth - 1].component + 1 : 0;
    return t->n_dead_end == 0 && (r == 0 || above >= t->end_fatal) && count_bits(free_slots(t)) > (uint64_t)r * t->span;
}

uint32_t hf_tree_classes_next(const hf_tree_classes *t, uint32_t from, uint32_t end, uint32_t r) {
    const uint64_t open = free_slots(t);
    const uint32_t spare = (r - 1) * t->span;
    if (r > 1 && from + 1 < t->end_fatal) {
        return from;
    }
    if (spare == 0) {
        for (; from < end && (t->mask[from] & open) != open; from++) {
        }
        return from;
    }
    for (; from < end && count_bits(open & ~t->mask[from]) > spare; from++) {
    }
    return from;
}

/* ---- lost pairs ---- */

typedef struct search {
    hf_context *cx;
    hf_tree_classes *t;
    uint32_t node;    /* whose lost pairs are searched */
    uint8_t slot[64]; /* its slots in the order of looking at them, those with few choices first */
    bool is_half;     /* of a pair lost both ways round it is enough to find one: that whose first is below a failed channel */
    bool takes;       /* add all to the list, rather than stop at the first */
    bool is_shallow;  /* look at the node's own channels only */
    uint64_t left;    /* steps */
    hf_status status;
} search;

/* \param size leaf switches of a block at the stage of the channel */
static rect rect_of(const hf_tree_classes *t, const entry *e, uint32_t size) {
    const uint32_t width = t->tree.width;
    return e->is_up ? (rect){e->block, size, 0, width, size} : (rect){0, width, e->block, size, size};
}

static bool is_inside(uint32_t lo, uint32_t n, uint32_t outer, uint32_t n_outer) { return n <= n_outer && lo - outer < n_outer; }

/* \return whether they have a pair in common */
static bool meet(const rect *a, const rect *b, rect *out) {
    const bool by_row = a->rows <= b->rows, by_col = a->cols <= b->cols;
    const rect *row = by_row ? a : b, *rows = by_row ? b : a, *col = by_col ? a : b, *cols = by_col ? b : a;
    if (row->row - rows->row >= rows->rows || col->col - cols->col >= cols->cols) {
        return false;
    }
    const uint32_t apart = a->apart > b->apart ? a->apart : b->apart;
    *out = (rect){row->row, row->rows, col->col, col->cols, apart};
    return out->rows > apart || out->cols > apart || out->row / apart != out->col / apart;
}

static bool has(const rect *outer, const rect *inner) {
    return is_inside(inner->row, inner->rows, outer->row, outer->rows) &&
           is_inside(inner->col, inner->cols, outer->col, outer->cols) && outer->apart <= inner->apart;
}

/* Does one failed channel of the slot, or one rectangle behind it, lose all of r? */
static bool loses_all(const search *s, uint32_t j, const rect *r) {
    const hf_tree_classes *t = s->t;
    const uint32_t stage = t->stage[s->node], size = t->tree.power[stage];
    const uint32_t first = stage * t->tree.width + (s->node - t->node_base[stage]); /* <stage, 0, w> */
    const uint32_t child = t->child[s->node * t->tree.k + j];
    if ((r->rows == size && t->dead[hf_tree_up_channel(&t->tree, first + r->row, j)]) ||
        (r->cols == size && t->dead[t->tree.n_link + hf_tree_up_channel(&t->tree, first + r->col, j)])) {
        return true;
    }
    if (s->is_shallow || child == HF_NONE || !is_full(t, child)) {
        return false;
    }
    for (size_t i = t->list_begin[child]; i < t->list_end[child]; i++) {
        if (has(&t->list[i], r)) {
            return true;
        }
    }
    return false;
}

/* A pair that all slots lose. \return whether to stop */
static bool take(search *s, const rect *r) {
    hf_tree_classes *t = s->t;
    if (!s->takes) {
        return true;
    }
    for (size_t i = t->list_begin[s->node]; i < t->n_list; i++) {
        if (has(&t->list[i], r)) {
            return false;
        }
    }
    s->left -= s->left < t->n_list - t->list_begin[s->node] ? s->left : t->n_list - t->list_begin[s->node];
    s->status = hf_reserve_heap(s->cx, t->n_list + 1, sizeof *t->list, (void **)&t->list, &t->list_room);
    if (s->status == HF_OK) {
        t->list[t->n_list++] = *r;
    }
    return s->status != HF_OK;
}

/* Of the pairs in r, which the first i slots lose: those that the others lose, too. \return whether to stop: found, no steps left
 * or no memory */
static bool spread(search *s, uint32_t i, const rect *r) { /* NOLINT(misc-no-recursion): k deep at most */
    const hf_tree_classes *t = s->t;
    rect both;
    if (s->left == 0 || s->status != HF_OK) {
        return true;
    }
    s->left--;
    if (i == t->tree.k) {
        return take(s, r);
    }
    if (loses_all(s, s->slot[i], r)) {
        return spread(s, i + 1, r);
    }
    const uint32_t slot = s->node * t->tree.k + s->slot[i];
    const uint32_t size = t->tree.power[t->stage[s->node]];
    const bool ups_alone = i == 0 && s->is_half;
    for (uint32_t e = t->head[slot]; e != HF_NONE; e = t->entry[e].next) {
        const rect of = rect_of(t, &t->entry[e], size);
        if ((t->entry[e].is_up || !ups_alone) && meet(r, &of, &both) && spread(s, i + 1, &both)) {
            return true;
        }
    }
    const uint32_t child = s->is_shallow ? HF_NONE : t->child[slot];
    const size_t end = child != HF_NONE && is_full(t, child) ? t->list_end[child] : 0;
    for (size_t at = end ? t->list_begin[child] : 0; at < end; at++) {
        const rect of = t->list[at]; /* the list may move */
        if (meet(r, &of, &both) && spread(s, i + 1, &both)) {
            return true;
        }
    }
    return false;
}

static size_t count_choices(const search *s, uint32_t j) {
    const hf_tree_classes *t = s->t;
    const uint32_t slot = s->node * t->tree.k + j, child = s->is_shallow ? HF_NONE : t->child[slot];
    return t->n_failed[slot] + (child != HF_NONE && is_full(t, child) ? t->list_end[child] - t->list_begin[child] : 0);
}

static void order_slots(search *s) {
    size_t choices[64];
    for (uint32_t j = 0; j < s->t->tree.k; j++) {
        const size_t n = count_choices(s, j);
        uint32_t at = j;
        for (; at > 0 && choices[at - 1] > n; at--) {
            choices[at] = choices[at - 1];
            s->slot[at] = s->slot[at - 1];
        }
        choices[at] = n;
        s->slot[at] = (uint8_t)j;
    }
}

static bool start(search *s, uint32_t node, bool takes) {
    const hf_tree *tree = &s->t->tree;
    const rect all = {0, tree->width, 0, tree->width, tree->power[s->t->stage[node]]};
    s->node = node;
    s->takes = takes;
    s->is_half = !takes && s->t->n_one_way == 0;
    order_slots(s);
    return spread(s, 0, &all);
}

/* Lists of the lost pairs of all nodes behind `node`, those behind them first. */
static void list_behind(search *s, uint32_t node) { /* NOLINT(misc-no-recursion): n deep at most */
    hf_tree_classes *t = s->t;
    for (uint32_t j = 0; j < t->tree.k; j++) {
        const uint32_t child = t->child[node * t->tree.k + j];
        if (child != HF_NONE && is_full(t, child)) {
            list_behind(s, child);
            t->list_begin[child] = t->list_end[child] = t->n_list;
            (void)start(s, child, true);
            t->list_end[child] = t->n_list;
        }
    }
}

/* The channels of leaf switches alone say most: a tree that they cut is cut. */
hf_status hf_tree_classes_cut(hf_context *cx, hf_tree_classes *t, uint64_t limit, hf_tree_cut *out) {
    search s = {.cx = cx, .t = t, .is_shallow = true, .left = limit, .status = HF_OK};
    *out = HF_TREE_WHOLE;
    if (hf_tree_classes_clean(t)) {
        return HF_OK;
    }
    bool found = start(&s, 0, false);
    if (!found) {
        s.is_shallow = false;
        t->n_list = 0;
        list_behind(&s, 0);
        found = start(&s, 0, false);
    }
    if (found) {
        *out = s.left > 0 ? HF_TREE_CUT : HF_TREE_TOO_LONG;
    }
    return s.status;
}

/* ---- making ---- */

static hf_status allocate(hf_context *cx, hf_tree_classes *t) {
    const hf_topology *topo = t->universe->topo;
    const size_t n_slot = (size_t)t->n_node * t->tree.k;
    HF_TRY(hf_allocate(cx, t->n_node, sizeof *t->stage, (void **)&t->stage));
    HF_TRY(hf_allocate(cx, t->n_node, sizeof *t->hit, (void **)&t->hit));
    HF_TRY(hf_allocate(cx, t->n_node, sizeof *t->parent, (void **)&t->parent));
    HF_TRY(hf_allocate(cx, t->n_node, sizeof *t->list_begin, (void **)&t->list_begin));
    HF_TRY(hf_allocate(cx, t->n_node, sizeof *t->list_end, (void **)&t->list_end));
    HF_TRY(hf_allocate(cx, n_slot, sizeof *t->child, (void **)&t->child));
    HF_TRY(hf_allocate(cx, n_slot, sizeof *t->head, (void **)&t->head));
    HF_TRY(hf_allocate(cx, n_slot, sizeof *t->node_of, (void **)&t->node_of));
    HF_TRY(hf_allocate(cx, n_slot, sizeof *t->n_failed, (void **)&t->n_failed));
    HF_TRY(hf_allocate(cx, topo->n_switch_link, sizeof *t->slot_of, (void **)&t->slot_of));
    HF_TRY(hf_allocate(cx, topo->n_switch_link, sizeof *t->block_of, (void **)&t->block_of));
    HF_TRY(hf_allocate(cx, t->universe->n_component, sizeof *t->mask, (void **)&t->mask));
    HF_TRY(hf_allocate(cx, t->universe->n_component, sizeof *t->stack, (void **)&t->stack));
    HF_TRY(hf_allocate(cx, 2 * (size_t)topo->n_switch_link, sizeof *t->entry, (void **)&t->entry));
    return hf_allocate(cx, topo->n_channel, sizeof *t->dead, (void **)&t->dead);
}

static void join_slots(hf_tree_classes *t, uint32_t s, uint32_t low) {
    const hf_tree *tree = &t->tree;
    const uint32_t node = t->node_base[s] + low;
    t->stage[node] = (uint8_t)s;
    for (uint32_t j = 0; j < tree->k; j++) {
        const uint32_t slot = node * tree->k + j;
        t->head[slot] = t->child[slot] = HF_NONE;
        t->node_of[slot] = node;
        if (s + 2 < tree->n) {
            t->child[slot] = t->node_base[s + 1] + low + j * tree->power[s];
            t->parent[t->child[slot]] = slot;
        }
    }
}

static void join_nodes(hf_tree_classes *t) {
    const hf_tree *tree = &t->tree;
    for (uint32_t s = 0; s + 1 < tree->n; s++) {
        for (uint32_t low = 0; low < tree->power[s]; low++) {
            join_slots(t, s, low);
        }
        for (uint32_t o = 0, low = 0; o < tree->width; o++, low = low + 1 == tree->power[s] ? 0 : low + 1) {
            for (uint32_t j = 0; j < tree->k; j++) {
                const uint32_t link = (s * tree->width + o) * tree->k + j;
                t->slot_of[link] = (t->node_base[s] + low) * tree->k + j;
                t->block_of[link] = o - low;
            }
        }
    }
    if (t->n_node > 0) {
        t->parent[0] = HF_NONE;
    }
}

static void mask_components(hf_tree_classes *t) {
    const hf_universe *u = t->universe;
    for (uint32_t i = 0; i < u->n_component; i++) {
        bool is_fatal = false;
        for (uint32_t c = u->channel_begin[i]; c < u->channel_begin[i + 1]; c++) {
            const uint32_t class = hf_tree_class(&t->tree, u->channel[c]);
            is_fatal |= class == HF_NONE;
            t->mask[i] |= class == HF_NONE ? 0 : UINT64_C(1) << class;
        }
        const uint32_t span = count_bits(t->mask[i]);
        t->span = span > t->span ? span : t->span;
        t->mask[i] = is_fatal ? UINT64_MAX : t->mask[i];
        t->end_fatal = is_fatal ? i + 1 : t->end_fatal;
    }
}

hf_status hf_tree_classes_new(hf_context *cx, const hf_universe *universe, hf_tree_classes **out) {
    hf_tree tree;
    hf_tree_classes *t;
    if (!hf_tree_of(universe->topo, &tree) || tree.k > 64) {
        HF_FAIL(cx, HF_ENOTSUP, "topology \"%s\" is not a k-ary n-tree", universe->topo->spec);
    }
    HF_TRY(hf_allocate(cx, 1, sizeof *t, (void **)&t));
    t->universe = universe;
    t->allocator = *hf_context_allocator(cx);
    t->tree = tree;
    t->all = tree.k == 64 ? UINT64_MAX : (UINT64_C(1) << tree.k) - 1;
    for (uint32_t s = 0; s + 1 < tree.n; s++) {
        t->node_base[s] = t->n_node;
        t->n_node += tree.power[s];
    }
    const hf_status status = allocate(cx, t);
    if (status != HF_OK) {
        hf_tree_classes_free(t);
        return status;
    }
    join_nodes(t);
    mask_components(t);
    *out = t;
    return HF_OK;
}

void hf_tree_classes_free(hf_tree_classes *t) {
    if (!t) {
        return;
    }
    const hf_allocator allocator = t->allocator;
    void *const block[] = {t->stage,   t->hit,      t->parent,  t->list_begin, t->list_end, t->child, t->head,
                           t->slot_of, t->block_of, t->node_of, t->n_failed,   t->mask,     t->dead,  t->entry,
                           t->stack,   t->list,     t};
    for (size_t i = 0; i < sizeof block / sizeof *block; i++) {
        hf_release(&allocator, block[i]);
    }
}
