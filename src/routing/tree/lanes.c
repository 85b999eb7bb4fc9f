/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Bit lanes for "every pair keeps a healthy minimal up/down path" on small k-ary n-trees.
 *
 *  A minimal path between leaf switches a and b with nearest common ancestors in stage t is an up path (a, t, w) and a down path
 *  (b, t, w) through the same ancestor w of the k^t. The alive up paths of (a, t) are a bit mask over w, the down paths of (b, t)
 *  another; the pair is served when their AND is not empty. The lowest digit of w is the up port taken at a (the class of the
 *  path); paths of different classes share no link, so by Menger the smallest number of channels that cut the pair is the number
 *  of classes with an alive path: its slack. A component touches at most `span` classes, so r more components cannot cut a pair
 *  whose slack exceeds r * span: such pairs need no look, and where all pairs are like that a whole subtree of fault sets is
 *  tolerated. The few critical pairs are judged for all ways to fail one or two more components at once: per path a table says
 *  which of the (pairs of) components cut it, one bit each, and the sets that cut the pair are the AND over its alive paths. */
#include "src/routing/tree/lanes.h"

#include <assert.h>
#include <string.h>

#include <holdfast/core/bitset.h>
#include <holdfast/core/combination.h>

#include "src/core/simd.h"

enum { BLOCK_WORDS = 8, TABLE_LIMIT_MIB = 64, WAYS = 2 /* up, down */ };

/* A 512-bit block of lanes; compilers split it where the machine has no such registers. */
typedef uint64_t block __attribute__((vector_size(64), may_alias));

typedef struct critical {
    uint32_t n_path;
    uint32_t first; /* index into path list */
} critical;

/* What is known of `depth` failed components, the last of which is `top` and the others the first of the present set, and r more;
 * HF_NONE: of none. */
typedef struct known {
    uint32_t r, depth, top;
    uint32_t slack; /* the least of all pairs */
    uint32_t n_pair;
} known;

struct hf_tree_lanes {
    const hf_universe *universe;
    hf_allocator allocator;
    hf_kary_tree shape;
    uint32_t power[8];
    uint32_t n_path;       /* up paths = down paths */
    uint32_t path_base[8]; /* first path of stage t; then a * k^t + w */
    uint32_t n_lane[3];    /* blocks a table row of r = 1, 2 */
    int max_r;             /* 2, or 1 when the table of pairs would be too large */
    uint32_t m;
    uint32_t span; /* most classes that one component touches */
    /* paths that component i cuts, per way: cut[way][begin[way][i] .. begin[way][i + 1]) */
    uint32_t *cut_begin[WAYS], *cut[WAYS];
    uint64_t *fatal;       /* components that take a terminal channel */
    block *table[WAYS][3]; /* [way][r]: n_path rows of n_lane[r] blocks; 1 = the lane's components cut the path */
    block *fatal_lane[3];
    void *memory[WAYS][3], *fatal_memory[3];
    /* the present set */
    uint16_t *kills[WAYS]; /* per path: pushed components that cut it */
    uint64_t *alive[WAYS]; /* [t * W + a]: mask over w */
    uint32_t n_fatal;
    uint32_t *stack, depth;
    bool is_symmetric; /* up and down tables are the same: ordered pairs need one look */
    known known[2];    /* with the pairs below, and without any */
    critical *pair;    /* those that so many components may cut */
    uint32_t *pair_path;
};

static uint32_t path_id(const hf_tree_lanes *l, uint32_t a, uint32_t t, uint32_t w) {
    return l->path_base[t] + a * l->power[t] + w;
}

/* ---- which paths a channel cuts ---- */

typedef struct cut_list {
    uint32_t *item; /* NULL: count only */
    uint32_t count;
} cut_list;

static void cut_by_link(const hf_tree_lanes *l, uint32_t link, cut_list *list) {
    const uint32_t k = l->shape.k, width = l->shape.width;
    const uint32_t s = link / k / width, o = link / k % width, j = link % k, size = l->power[s];
    const uint32_t first = o - o % size, low = j * size + o % size;
    for (uint32_t t = s + 1; t < l->shape.n; t++) {
        for (uint32_t a = first; a < first + size; a++) {
            for (uint32_t w = low; w < l->power[t]; w += l->power[s + 1]) {
                if (list->item) {
                    list->item[list->count] = path_id(l, a, t, w);
                }
                list->count++;
            }
        }
    }
}

/* Both lists of a component. \return whether it takes a terminal channel. */
static bool cut_by_component(const hf_tree_lanes *l, uint32_t component, cut_list list[WAYS]) {
    const hf_universe *u = l->universe;
    bool is_fatal = false;
    for (uint32_t i = u->channel_begin[component]; i < u->channel_begin[component + 1]; i++) {
        const uint32_t channel = u->channel[i], link = u->topo->link[channel];
        if (link >= u->topo->n_switch_link) {
            is_fatal = true;
        } else {
            cut_by_link(l, link, &list[channel == u->topo->forward[link] ? 0 : 1]);
        }
    }
    return is_fatal;
}

/* Classes that a component touches: lowest digits of the switches of stage >= 1 at its channels. */
static uint32_t classes_of(const hf_tree_lanes *l, uint32_t component) {
    const hf_universe *u = l->universe;
    uint64_t classes = 0;
    for (uint32_t i = u->channel_begin[component]; i < u->channel_begin[component + 1]; i++) {
        const uint32_t link = u->topo->link[u->channel[i]];
        if (link < u->topo->n_switch_link) {
            const uint32_t lower = link / l->shape.k,
                           upper_class = lower < l->shape.width ? link % l->shape.k : lower % l->shape.k;
            classes |= UINT64_C(1) << upper_class;
        }
    }
    return (uint32_t)__builtin_popcountll(classes);
}

static hf_status find_cuts(hf_context *cx, hf_tree_lanes *l) {
    for (int way = 0; way < WAYS; way++) {
        HF_TRY(hf_allocate(cx, (size_t)l->m + 1, sizeof *l->cut_begin[way], (void **)&l->cut_begin[way]));
    }
    for (int pass = 0; pass < 2; pass++) {
        cut_list list[WAYS] = {{pass ? l->cut[0] : NULL, 0}, {pass ? l->cut[1] : NULL, 0}};
        for (uint32_t i = 0; i < l->m; i++) {
            if (cut_by_component(l, i, list)) {
                hf_bit_set(l->fatal, i);
            }
            l->cut_begin[0][i + 1] = list[0].count;
            l->cut_begin[1][i + 1] = list[1].count;
            const uint32_t span = classes_of(l, i);
            l->span = span > l->span ? span : l->span;
        }
        for (int way = 0; way < WAYS && pass == 0; way++) {
            HF_TRY(hf_allocate(cx, list[way].count, sizeof *l->cut[way], (void **)&l->cut[way]));
        }
    }
    return HF_OK;
}

/* ---- the tables ---- */

/* Index of the pair (i, j), i < j, among the C(m, 2) pairs in lexicographic order. */
static uint64_t pair_index(uint64_t m, uint64_t i, uint64_t j) { return i * (2 * m - i - 1) / 2 + (j - i - 1); }

static hf_status table_allocate(hf_context *cx, uint64_t blocks, void **memory, block **aligned) {
    HF_TRY(hf_allocate(cx, blocks + 1, sizeof(block), memory));
    *aligned = (block *)(((uintptr_t)*memory + sizeof(block) - 1) & ~(uintptr_t)(sizeof(block) - 1));
    return HF_OK;
}

/* Spread the one-component bits of a row over all pairs: the pair (i, j) has the bit of i or of j. */
static void row_of_pairs(uint32_t m, const uint64_t *one, uint64_t *two) {
    for (size_t i = hf_bits_next(one, m, 0); i < m; i = hf_bits_next(one, m, i + 1)) {
        for (uint64_t h = 0; h < i; h++) {
            hf_bit_set(two, pair_index(m, h, i));
        }
        if (i + 1 < m) {
            hf_bits_fill(two, pair_index(m, i, i + 1), pair_index(m, i, m - 1) + 1);
        }
    }
}

static hf_status make_tables(hf_context *cx, hf_tree_lanes *l) {
    for (int r = 1; r <= l->max_r; r++) {
        HF_TRY(table_allocate(cx, l->n_lane[r], &l->fatal_memory[r], &l->fatal_lane[r]));
        for (int way = 0; way < WAYS; way++) {
            HF_TRY(table_allocate(cx, (uint64_t)l->n_path * l->n_lane[r], &l->memory[way][r], &l->table[way][r]));
        }
    }
    memcpy(l->fatal_lane[1], l->fatal, hf_words(l->m) * sizeof *l->fatal);
    if (l->max_r == 2) {
        row_of_pairs(l->m, l->fatal, (uint64_t *)l->fatal_lane[2]);
    }
    for (int way = 0; way < WAYS; way++) {
        for (uint32_t i = 0; i < l->m; i++) {
            for (uint32_t x = l->cut_begin[way][i]; x < l->cut_begin[way][i + 1]; x++) {
                hf_bit_set((uint64_t *)(l->table[way][1] + (size_t)l->cut[way][x] * l->n_lane[1]), i);
            }
        }
        for (uint32_t p = 0; p < l->n_path && l->max_r == 2; p++) {
            row_of_pairs(l->m, (const uint64_t *)(l->table[way][1] + (size_t)p * l->n_lane[1]),
                         (uint64_t *)(l->table[way][2] + (size_t)p * l->n_lane[2]));
        }
    }
    l->is_symmetric = memcmp(l->table[0][1], l->table[1][1], (size_t)l->n_path * l->n_lane[1] * sizeof(block)) == 0;
    return HF_OK;
}

/* ---- the present set ---- */

static void cut_path(hf_tree_lanes *l, int way, uint32_t path, bool restore) {
    const bool changes = restore ? --l->kills[way][path] == 0 : l->kills[way][path]++ == 0;
    if (!changes) {
        return;
    }
    uint32_t t = 1;
    while (t + 1 < l->shape.n && path >= l->path_base[t + 1]) {
        t++;
    }
    const uint32_t at = path - l->path_base[t], a = at / l->power[t], w = at % l->power[t];
    l->alive[way][t * l->shape.width + a] ^= UINT64_C(1) << w;
}

static void apply(hf_tree_lanes *l, uint32_t component, bool restore) {
    for (int way = 0; way < WAYS; way++) {
        for (uint32_t x = l->cut_begin[way][component]; x < l->cut_begin[way][component + 1]; x++) {
            cut_path(l, way, l->cut[way][x], restore);
        }
    }
}

hf_status hf_tree_lanes_push(hf_context *cx, hf_tree_lanes *l, uint32_t component) {
    if (l->depth == l->m) {
        HF_FAIL(cx, HF_EINVAL, "%u components failed, the universe has no more", l->m);
    }
    l->stack[l->depth++] = component;
    l->n_fatal += hf_bit_test(l->fatal, component);
    apply(l, component, false);
    return HF_OK;
}

void hf_tree_lanes_pop(hf_tree_lanes *l) {
    assert(l->depth > 0);
    const uint32_t component = l->stack[--l->depth];
    l->n_fatal -= hf_bit_test(l->fatal, component);
    apply(l, component, true);
    for (int i = 0; i < 2; i++) {
        l->known[i].r = l->depth + 1 < l->known[i].depth ? HF_NONE : l->known[i].r;
    }
}

/* ---- slack ---- */

/* Classes (values of the lowest digit) among the paths of `mask` of stage t: OR the groups of k bits into the lowest. */
HF_SIMD_BODY uint32_t slack_of(const hf_tree_lanes *l, uint32_t t, uint64_t mask) {
    for (uint32_t s = t - 1; s > 0; s--) {
        const uint32_t shift = l->power[s];
        uint64_t folded = 0;
        for (uint32_t i = 0; i < l->shape.k; i++) {
            folded |= mask >> (i * shift);
        }
        mask = shift >= 64 ? folded : folded & ((UINT64_C(1) << shift) - 1);
    }
    return (uint32_t)__builtin_popcountll(mask);
}

static inline uint64_t full_mask(const hf_tree_lanes *l, uint32_t t) {
    return l->power[t] >= 64 ? UINT64_MAX : (UINT64_C(1) << l->power[t]) - 1;
}

/* Visit the pairs with slack at most `limit`; each is put into l->pair with its alive paths. \return the least slack met, or
 * k. */
HF_SIMD_BODY uint32_t find_critical_any(hf_tree_lanes *l, uint32_t limit, bool keep, uint32_t *n_pair) {
    const uint32_t width = l->shape.width;
    uint32_t least = l->shape.k, n_path = 0;
    *n_pair = 0;
    for (uint32_t t = 1; t < l->shape.n; t++) {
        const uint64_t *up = l->alive[0] + (size_t)t * width, *down = l->alive[1] + (size_t)t * width, full = full_mask(l, t);
        for (uint32_t a = 0; a < width; a++) {
            const uint32_t outer = a - a % l->power[t], inner = a - a % l->power[t - 1];
            for (uint32_t b = l->is_symmetric ? a + 1 : outer; b < outer + l->power[t]; b++) {
                const uint64_t mask = up[a] & down[b];
                if ((mask == full && l->shape.k > limit) || b - inner < l->power[t - 1]) {
                    continue;
                }
                const uint32_t slack = slack_of(l, t, mask);
                least = slack < least ? slack : least;
                if (slack > limit || !keep) {
                    continue;
                }
                critical *c = &l->pair[(*n_pair)++];
                *c = (critical){0, n_path};
                for (uint64_t left = mask; left; left &= left - 1) {
                    const uint32_t w = (uint32_t)__builtin_ctzll(left);
                    l->pair_path[2 * n_path] = path_id(l, a, t, w);
                    l->pair_path[2 * n_path + 1] = path_id(l, b, t, w);
                    n_path++;
                    c->n_path++;
                }
            }
        }
    }
    return least;
}

HF_SIMD_CHOICE(uint32_t, find_critical, (hf_tree_lanes * l, uint32_t limit, bool keep, uint32_t *n_pair),
               (l, limit, keep, n_pair))

/* The pairs that r more components may cut, found once for all calls about the present set, and kept while its last component is
 * popped and pushed. \return what is known of them */
static const known *find_pairs(hf_tree_lanes *l, uint32_t r) {
    const bool keep = r <= (uint32_t)l->max_r;
    const uint32_t top = l->depth ? l->stack[l->depth - 1] : HF_NONE;
    known *k = &l->known[!keep];
    if (k->r != r || k->depth != l->depth || k->top != top) {
        *k = (known){.r = r, .depth = l->depth, .top = top};
        k->slack = find_critical(l, r * l->span, keep, &k->n_pair);
    }
    return k;
}

static uint32_t next_component(const hf_tree_lanes *l) { return l->depth ? l->stack[l->depth - 1] + 1 : 0; }

/* Is there a fatal component above the last pushed one? */
static bool fatal_ahead(const hf_tree_lanes *l) { return hf_bits_next(l->fatal, l->m, next_component(l)) < l->m; }

/* Can no r more components cut a pair? */
static bool is_safe(hf_tree_lanes *l, uint32_t r) {
    return l->n_fatal == 0 && (r == 0 || !fatal_ahead(l)) && find_pairs(l, r)->slack > (uint64_t)r * l->span;
}

/* ---- counting ---- */

typedef struct lane_range {
    uint64_t lo, hi; /* lanes [lo, hi) of the row */
    uint32_t r, n_pair;
} lane_range;

/* The sets of lanes x*512 .. x*512+511 that are not tolerated. Force-inlined into each target's copy below. */
HF_SIMD_BODY void judge_block(const hf_tree_lanes *l, const lane_range *range, uint64_t x, block *out) {
    const uint32_t n = l->n_lane[range->r];
    const block *up = l->table[0][range->r], *down = l->table[1][range->r];
    block bad = l->fatal_lane[range->r][x];
    for (uint32_t i = 0; i < range->n_pair; i++) {
        const uint32_t *path = l->pair_path + 2 * (size_t)l->pair[i].first;
        block all = ~(block){0};
        for (uint32_t y = 0; y < l->pair[i].n_path; y++) {
            all &= up[(size_t)path[2 * y] * n + x] | down[(size_t)path[2 * y + 1] * n + x];
        }
        bad |= all;
    }
    *out = bad;
}

HF_SIMD_BODY uint64_t count_lanes_any(const hf_tree_lanes *l, const lane_range *range, uint64_t *first) {
    uint64_t sum = 0;
    for (uint64_t x = range->lo / 512; x * 512 < range->hi; x++) {
        block bad;
        judge_block(l, range, x, &bad);
        for (uint32_t i = 0; i < BLOCK_WORDS; i++) {
            const uint64_t lane = x * 512 + i * 64;
            uint64_t word = bad[i];
            word &= lane >= range->lo ? UINT64_MAX : lane + 64 <= range->lo ? 0 : UINT64_MAX << (range->lo - lane);
            word &= lane + 64 <= range->hi ? UINT64_MAX : lane >= range->hi ? 0 : UINT64_MAX >> (lane + 64 - range->hi);
            if (word && *first == UINT64_MAX) {
                *first = lane + (uint64_t)__builtin_ctzll(word) - range->lo;
            }
            sum += (uint64_t)__builtin_popcountll(word);
        }
    }
    return sum;
}

HF_SIMD_CHOICE(uint64_t, count_lanes, (const hf_tree_lanes *l, const lane_range *range, uint64_t *first), (l, range, first))

static uint64_t count_range(hf_tree_lanes *l, uint32_t r, uint64_t lo, uint64_t hi, uint64_t *first) {
    *first = UINT64_MAX;
    if (lo >= hi || is_safe(l, r)) {
        return 0;
    }
    if (l->n_fatal > 0 || find_pairs(l, r)->slack == 0) {
        *first = lo;
        return hi - lo;
    }
    /* The lanes above the last pushed component are the last ones of the row. */
    const uint64_t from = next_component(l), start = r == 1 ? from : from * (2 * (uint64_t)l->m - from - 1) / 2;
    const lane_range range = {start + lo, start + hi, r, find_pairs(l, r)->n_pair};
    const uint64_t sum = count_lanes(l, &range, first);
    *first += *first == UINT64_MAX ? 0 : lo;
    return sum;
}

/* Without a table of pairs: push the lower component of each pair and count the higher ones. */
static hf_status count_pairs_singly(hf_context *cx, hf_tree_lanes *l, uint64_t lo, uint64_t hi, uint64_t *not_tolerated,
                                    uint64_t *first) {
    uint64_t begin = 0;
    for (uint32_t i = next_component(l); i < l->m && begin < hi; i++) {
        const uint64_t size = l->m - 1 - i, from = lo > begin ? lo - begin : 0, to = hi - begin < size ? hi - begin : size;
        if (from < to) {
            HF_TRY(hf_tree_lanes_push(cx, l, i));
            uint64_t at;
            *not_tolerated += count_range(l, 1, from, to, &at);
            hf_tree_lanes_pop(l);
            *first = *first == UINT64_MAX && at != UINT64_MAX ? begin + at : *first;
        }
        begin += size;
    }
    return HF_OK;
}

hf_status hf_tree_lanes_count(hf_context *cx, hf_tree_lanes *l, uint32_t r, uint64_t lo, uint64_t hi, uint64_t *not_tolerated,
                              uint64_t *first) {
    *not_tolerated = 0;
    *first = UINT64_MAX;
    if (r > (uint32_t)l->max_r && !is_safe(l, r)) {
        return count_pairs_singly(cx, l, lo, hi, not_tolerated, first);
    }
    *not_tolerated = count_range(l, r, lo, hi, first);
    return HF_OK;
}

/* ---- making ---- */

static bool set_sizes(hf_tree_lanes *l) {
    l->power[0] = 1;
    for (uint32_t t = 1; t < l->shape.n; t++) {
        l->power[t] = l->power[t - 1] * l->shape.k;
        l->path_base[t] = l->n_path;
        l->n_path += l->shape.width * l->power[t];
    }
    const uint64_t m = l->m, pairs = m * (m - 1) / 2, rows = WAYS * (uint64_t)l->n_path + 1;
    const uint64_t one = (m + 511) / 512, two = (pairs + 511) / 512, limit = ((uint64_t)TABLE_LIMIT_MIB << 20) / sizeof(block);
    if (m == 0 || m >= 1u << 16 || one * rows > limit) {
        return false;
    }
    l->max_r = (one + two) * rows <= limit ? 2 : 1;
    l->n_lane[1] = (uint32_t)one;
    l->n_lane[2] = (uint32_t)two;
    return true;
}

static hf_status allocate_state(hf_context *cx, hf_tree_lanes *l) {
    const size_t pairs = (size_t)l->shape.width * l->shape.width;
    HF_TRY(hf_allocate(cx, hf_words(l->m), sizeof *l->fatal, (void **)&l->fatal));
    HF_TRY(hf_allocate(cx, l->m, sizeof *l->stack, (void **)&l->stack));
    HF_TRY(hf_allocate(cx, pairs, sizeof *l->pair, (void **)&l->pair));
    HF_TRY(hf_allocate(cx, 2 * pairs * l->shape.width, sizeof *l->pair_path, (void **)&l->pair_path));
    for (int way = 0; way < WAYS; way++) {
        HF_TRY(hf_allocate(cx, l->n_path, sizeof *l->kills[way], (void **)&l->kills[way]));
        HF_TRY(hf_allocate(cx, (size_t)l->shape.n * l->shape.width, sizeof *l->alive[way], (void **)&l->alive[way]));
        for (uint32_t t = 1; t < l->shape.n; t++) {
            for (uint32_t a = 0; a < l->shape.width; a++) {
                l->alive[way][t * l->shape.width + a] = full_mask(l, t);
            }
        }
    }
    HF_TRY(find_cuts(cx, l));
    return make_tables(cx, l);
}

hf_status hf_tree_lanes_new(hf_context *cx, const hf_universe *universe, hf_tree_lanes **out) {
    hf_kary_tree shape;
    if (!hf_kary_tree_shape(universe->topo, &shape) || shape.width > 64) {
        HF_FAIL(cx, HF_ENOTSUP, "bit lanes need a k-ary n-tree of at most 64 leaf switches; \"%s\" is not", universe->topo->spec);
    }
    hf_tree_lanes *l;
    HF_TRY(hf_allocate(cx, 1, sizeof *l, (void **)&l));
    l->universe = universe;
    l->allocator = *hf_context_allocator(cx);
    l->shape = shape;
    l->m = universe->n_component;
    l->known[0].r = l->known[1].r = HF_NONE;
    hf_status status = HF_ENOTSUP;
    if (set_sizes(l)) {
        status = allocate_state(cx, l);
    }
    if (status != HF_OK) {
        hf_tree_lanes_free(l);
        if (status == HF_ENOTSUP) {
            HF_FAIL(cx, HF_ENOTSUP, "bit lanes of \"%s\" need more than %d MiB", universe->topo->spec, TABLE_LIMIT_MIB);
        }
        return status;
    }
    *out = l;
    return HF_OK;
}

void hf_tree_lanes_free(hf_tree_lanes *l) {
    if (!l) {
        return;
    }
    const hf_allocator allocator = l->allocator;
    for (int way = 0; way < WAYS; way++) {
        void *const block_of[] = {l->cut_begin[way], l->cut[way],       l->kills[way],
                                  l->alive[way],     l->memory[way][1], l->memory[way][2]};
        for (size_t i = 0; i < sizeof block_of / sizeof *block_of; i++) {
            hf_release(&allocator, block_of[i]);
        }
    }
    void *const block_of[] = {l->fatal, l->fatal_memory[1], l->fatal_memory[2], l->stack, l->pair, l->pair_path, l};
    for (size_t i = 0; i < sizeof block_of / sizeof *block_of; i++) {
        hf_release(&allocator, block_of[i]);
    }
}
