/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Minimal paths of k-ary n-trees, n = 2 or 3, with failed links, stage by stage.
 *
 *  A leaf switch is the set of middle switches that it still reaches; the leaves of a subtree are a family of such sets, of which
 *  only the minimal ones matter, and any two leaves must share a middle switch. With two stages that is all. With three, index i
 *  of the middle switches has k roots of its own, and they join some pairs of subtrees: a graph H_i on the subtrees, independent
 *  for every i. Two subtrees a and b with families A and B are served exactly if every x of A and y of B have an i in common
 *  whose H_i joins a and b: a monotone function of the set of those i. So the functions of all pairs of subtrees are what is left
 *  to decide, index by index; those that only differ by the names of subtrees and of indices have the same number of ways.
 *  Families are multiplied out last, one product for each multiset of their kinds. */
#include "src/campaign/counted_tree.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "src/campaign/counted.h"
#include "src/campaign/counted_families.h"
#include "src/core/grow.h"

enum { K_MOST = 4, K_MOST_TWO = 5, PAIRS = K_MOST * (K_MOST - 1) / 2, PERMS = 24, GRAPHS = 1 << PAIRS, LEVELS = K_MOST };

typedef struct memo {
    uint32_t n;
    size_t room, word_room;
    uint64_t *key;
    uint64_t *word;          /* n x terms x words */
    uint64_t *raw;           /* hash of keys as they come: key + 1 */
    uint32_t *raw_at, n_raw; /* index + 1 */
    size_t raw_room;
} memo;

typedef struct counter {
    hf_context *cx;
    uint32_t k, words, n_pair, n_perm, n_graph, n_class;
    uint8_t perm[PERMS][K_MOST];
    uint8_t pair[K_MOST][K_MOST];
    uint8_t pair_to[PERMS][PAIRS];       /* under a permutation of the subtrees */
    uint8_t class_of[GRAPHS];            /* of a graph on the subtrees */
    uint64_t *ways;                      /* n_class polynomials of k * k + 1 terms: of one graph of the class */
    uint8_t mask_to[LEVELS][PERMS][256]; /* functions of v variables under a permutation of these */
    uint32_t mask_perms[LEVELS];
    memo level[LEVELS];
    uint64_t *sum[LEVELS]; /* n_class polynomials, for the level above */
    uint64_t *product;
} counter;

static hf_status refuse(hf_context *cx, const hf_universe *universe) {
    HF_FAIL(cx, HF_ENOTSUP,
            "method counted knows minimal paths of k-ary n-trees with all links as components, n = 2 and k <= %d or n = 3 and k "
            "<= %d; "
            "\"%s\" with universe \"%s\" is none",
            K_MOST_TWO, K_MOST, universe->topo->spec, universe->spec);
}

static bool has_all_links(const hf_universe *u) {
    bool all = u->n_component == u->topo->n_switch_link;
    for (uint32_t c = 0; c < u->n_component && all; c++) {
        all = u->component[c].type == HF_COMPONENT_LINK && u->component[c].id < u->topo->n_switch_link;
    }
    return all;
}

/* ---- permutations ---- */

static uint32_t make_perms(uint32_t n, uint8_t perm[PERMS][K_MOST]) {
    uint32_t count = 0;
    for (uint32_t code = 0; code < 1u << (2 * n); code++) {
        uint32_t seen = 0;
        for (uint32_t i = 0; i < n; i++) {
            seen |= 1u << ((code >> (2 * i)) & 3);
        }
        if (seen == (1u << n) - 1) {
            for (uint32_t i = 0; i < n; i++) {
                perm[count][i] = (uint8_t)((code >> (2 * i)) & 3);
            }
            count++;
        }
    }
    return count;
}

static uint32_t permute_set(const uint8_t *perm, uint32_t n, uint32_t set) {
    uint32_t out = 0;
    for (uint32_t i = 0; i < n; i++) {
        out |= ((set >> i) & 1) << perm[i];
    }
    return out;
}

static uint32_t permute_function(const uint8_t *perm, uint32_t n, uint32_t function) {
    uint32_t out = 0;
    for (uint32_t set = 0; set < 1u << n; set++) {
        out |= ((function >> set) & 1) << permute_set(perm, n, set);
    }
    return out;
}

static uint32_t permute_graph(const counter *c, uint32_t p, uint32_t graph) {
    uint32_t out = 0;
    for (uint32_t i = 0; i < c->n_pair; i++) {
        out |= ((graph >> i) & 1) << c->pair_to[p][i];
    }
    return out;
}

static void make_tables(counter *c) {
    uint8_t perm[PERMS][K_MOST];
    c->n_perm = make_perms(c->k, c->perm);
    for (uint32_t b = 1; b < c->k; b++) {
        for (uint32_t a = 0; a < b; a++) {
            c->pair[a][b] = c->pair[b][a] = (uint8_t)c->n_pair++;
        }
    }
    for (uint32_t p = 0; p < c->n_perm; p++) {
        for (uint32_t b = 1; b < c->k; b++) {
            for (uint32_t a = 0; a < b; a++) {
                c->pair_to[p][c->pair[a][b]] = c->pair[c->perm[p][a]][c->perm[p][b]];
            }
        }
    }
    for (uint32_t v = 1; v < c->k; v++) {
        c->mask_perms[v] = make_perms(v, perm);
        for (uint32_t p = 0; p < c->mask_perms[v]; p++) {
            for (uint32_t function = 0; function < 1u << (1u << v); function++) {
                c->mask_to[v][p][function] = (uint8_t)permute_function(perm[p], v, function);
            }
        }
    }
}

/* ---- graphs ---- */

/* Links of one root that are there: a subset of the subtrees, all pairs of which it joins. */
static uint32_t joined_by(const counter *c, uint32_t subtrees) {
    uint32_t graph = 0;
    for (uint32_t b = 1; b < c->k; b++) {
        for (uint32_t a = 0; a < b; a++) {
            graph |= ((subtrees >> a) & (subtrees >> b) & 1) << c->pair[a][b];
        }
    }
    return graph;
}

static hf_status make_graphs(counter *c) {
    const uint32_t terms = c->k * c->k + 1;
    uint64_t *now, *next;
    c->n_graph = 1u << c->n_pair;
    HF_TRY(hf_scratch(c->cx, (size_t)c->n_graph * terms, sizeof *now, (void **)&now));
    HF_TRY(hf_scratch(c->cx, (size_t)c->n_graph * terms, sizeof *now, (void **)&next));
    now[0] = 1;
    for (uint32_t root = 0; root < c->k; root++) {
        memset(next, 0, (size_t)c->n_graph * terms * sizeof *next);
        for (uint32_t set = 0; set < 1u << c->k; set++) {
            const uint32_t failed = c->k - (uint32_t)__builtin_popcount(set), joins = joined_by(c, set);
            for (uint32_t g = 0; g < c->n_graph; g++) {
                for (uint32_t t = 0; t + failed < terms; t++) {
                    next[(g | joins) * terms + t + failed] += now[g * terms + t];
                }
            }
        }
        uint64_t *const swap = now;
        now = next;
        next = swap;
    }
    HF_TRY(hf_scratch(c->cx, (size_t)c->n_graph * terms, c->words * sizeof *now, (void **)&c->ways));
    for (uint32_t g = 0; g < c->n_graph; g++) {
        uint32_t least = g;
        for (uint32_t p = 0; p < c->n_perm; p++) {
            const uint32_t other = permute_graph(c, p, g);
            least = other < least ? other : least;
        }
        if (least < g) {
            c->class_of[g] = c->class_of[least];
            continue;
        }
        for (uint32_t t = 0; t < terms; t++) {
            c->ways[((size_t)c->n_class * terms + t) * c->words] = now[g * terms + t];
        }
        c->class_of[g] = (uint8_t)c->n_class++;
    }
    return HF_OK;
}

/* ---- functions, index by index ---- */

static uint32_t terms_of(const counter *c, uint32_t v) { return v * c->k * c->k + 1; }

/* Functions of v variables, one for each pair, packed into bytes: the least of those with other names. */
static uint64_t canonical(const counter *c, uint32_t v, uint64_t key) {
    uint64_t least = UINT64_MAX;
    for (uint32_t q = 0; q < c->mask_perms[v]; q++) {
        uint64_t function[PAIRS];
        for (uint32_t i = 0; i < c->n_pair; i++) {
            function[i] = c->mask_to[v][q][(key >> (8 * i)) & 255];
        }
        for (uint32_t p = 0; p < c->n_perm; p++) {
            uint64_t other = 0;
            for (uint32_t i = 0; i < c->n_pair; i++) {
                other |= function[i] << (8 * c->pair_to[p][i]);
            }
            least = other < least ? other : least;
        }
    }
    return least;
}

static size_t raw_slot(const memo *m, uint64_t key) {
    uint64_t i = (key * UINT64_C(0x9e3779b97f4a7c15)) >> 20;
    for (i &= m->raw_room - 1; m->raw[i] && m->raw[i] != key + 1;) {
        i = (i + 1) & (m->raw_room - 1);
    }
    return (size_t)i;
}

static hf_status grow_raw(hf_context *cx, memo *m) {
    memo old = *m;
    m->raw_room = old.raw_room ? 2 * old.raw_room : 1024;
    m->raw = NULL;
    m->raw_at = NULL;
    hf_status status = hf_allocate(cx, m->raw_room, sizeof *m->raw, (void **)&m->raw);
    if (status == HF_OK) {
        status = hf_allocate(cx, m->raw_room, sizeof *m->raw_at, (void **)&m->raw_at);
    }
    if (status != HF_OK) {
        hf_release(hf_context_allocator(cx), m->raw);
        m->raw = old.raw;
        m->raw_at = old.raw_at;
        m->raw_room = old.raw_room;
        return status;
    }
    for (size_t i = 0; i < old.raw_room; i++) {
        if (old.raw[i]) {
            const size_t at = raw_slot(m, old.raw[i] - 1);
            m->raw[at] = old.raw[i];
            m->raw_at[at] = old.raw_at[i];
        }
    }
    hf_release(hf_context_allocator(cx), old.raw);
    hf_release(hf_context_allocator(cx), old.raw_at);
    return HF_OK;
}

static hf_status keep_raw(counter *c, uint32_t v, uint64_t key, uint32_t index) {
    memo *m = &c->level[v];
    if (2 * ((size_t)m->n_raw + 1) > m->raw_room) {
        HF_TRY(grow_raw(c->cx, m));
    }
    const size_t at = raw_slot(m, key);
    m->n_raw += m->raw[at] == 0;
    m->raw[at] = key + 1;
    m->raw_at[at] = index + 1;
    return HF_OK;
}

static const uint64_t *value_of(const counter *c, uint32_t v, uint32_t index) {
    return c->level[v].word + (size_t)index * terms_of(c, v) * c->words;
}

/* What is left of functions of v + 1 variables once the graph of the last one is known. \return false: a pair is not served */
static bool restrict_to(const counter *c, uint32_t v, const uint32_t *function, uint32_t graph, uint64_t *key) {
    const uint32_t half = 1u << v, low = (1u << half) - 1;
    *key = 0;
    for (uint32_t i = 0; i < c->n_pair; i++) {
        const uint32_t rest = (graph >> i) & 1 ? function[i] >> half : function[i] & low;
        if (!rest) {
            return false;
        }
        *key |= (uint64_t)rest << (8 * i);
    }
    return true;
}

static hf_status find_value(counter *c, uint32_t v, uint64_t key, uint32_t *out);

/* Sums over the graphs of each class of what is left: n_class polynomials of v variables, added `times` times. */
static hf_status add_graphs(counter *c, uint32_t v, const uint32_t *function, uint64_t times, uint64_t *sum) {
    const size_t size = (size_t)terms_of(c, v) * c->words;
    for (uint32_t graph = 0; graph < c->n_graph; graph++) {
        uint64_t key;
        uint32_t at;
        if (!restrict_to(c, v, function, graph, &key)) {
            continue;
        }
        HF_TRY(find_value(c, v, key, &at));
        const uint64_t *from = value_of(c, v, at);
        uint64_t *to = sum + c->class_of[graph] * size, carry = 0;
        for (size_t i = 0; i < size; i++) {
            const hf_u128 now = (hf_u128)from[i] * times + to[i] + carry;
            to[i] = (uint64_t)now;
            carry = (uint64_t)(now >> 64);
        }
    }
    return HF_OK;
}

/* The sums times the ways to get a graph of their class. \param[out] to terms of v + 1 variables; something is there already */
static void multiply_classes(counter *c, uint32_t v, const uint64_t *sum, uint64_t *to) {
    const size_t size = (size_t)terms_of(c, v) * c->words, ways = (size_t)terms_of(c, 1) * c->words;
    for (uint32_t i = 0; i < c->n_class; i++) {
        hf_words_multiply(c->product, sum + i * size, size, c->ways + i * ways, ways);
        hf_counted_add(to, c->product, (size_t)terms_of(c, v + 1) * c->words);
    }
}

static hf_status add_value(counter *c, uint32_t v, uint64_t key, uint32_t *out) {
    memo *m = &c->level[v];
    const size_t size = (size_t)terms_of(c, v) * c->words;
    uint32_t function[PAIRS];
    for (uint32_t i = 0; i < c->n_pair; i++) {
        function[i] = (key >> (8 * i)) & 255;
    }
    if (v > 0) {
        memset(c->sum[v - 1], 0, (size_t)terms_of(c, v - 1) * c->words * c->n_class * sizeof *m->word);
        HF_TRY(add_graphs(c, v - 1, function, 1, c->sum[v - 1]));
    }
    HF_GROW(c->cx, m->key, m->n, m->room);
    if (m->word_room < m->room) {
        HF_TRY(hf_resize(c->cx, m->room * size, sizeof *m->word, (void **)&m->word));
        m->word_room = m->room;
    }
    uint64_t *value = m->word + m->n * size;
    memset(value, 0, size * sizeof *value);
    if (v == 0) {
        value[0] = 1;
    } else {
        multiply_classes(c, v - 1, c->sum[v - 1], value);
    }
    m->key[m->n] = key;
    *out = m->n++;
    return keep_raw(c, v, key, *out);
}

static hf_status find_value(counter *c, uint32_t v, uint64_t key, uint32_t *out) {
    const memo *m = &c->level[v];
    size_t at = m->raw_room ? raw_slot(m, key) : 0;
    if (m->raw_room && m->raw[at]) {
        *out = m->raw_at[at] - 1;
        return HF_OK;
    }
    const uint64_t least = v > 0 ? canonical(c, v, key) : key;
    at = m->raw_room ? raw_slot(m, least) : 0;
    if (m->raw_room && m->raw[at]) {
        *out = m->raw_at[at] - 1;
    } else {
        HF_TRY(add_value(c, v, least, out));
    }
    return least == key ? HF_OK : keep_raw(c, v, key, *out);
}

/* ---- three stages ---- */

/* Families of all subtrees, as a multiset, up to the names of the indices. */
typedef struct top {
    counter c;
    hf_counted_families f;
    uint32_t *kind;     /* of a family: the least one that differs by names of indices only */
    uint32_t *moved;    /* n_perm x n: a family under a permutation of the indices */
    uint32_t *function; /* n x n: of a pair of hf_counted_families */
    uint32_t at[K_MOST];
    uint64_t done;
    /* multisets of kinds, with their sums */
    uint32_t n_type;
    size_t type_room, sum_room;
    uint64_t *type;
    uint64_t *sum;
} top;

static uint32_t pair_function(uint32_t k, uint32_t a, uint32_t b) {
    uint32_t out = 0;
    for (uint32_t h = 0; h < 1u << k; h++) {
        bool all = true;
        for (uint32_t x = a; x && all; x &= x - 1) {
            all = hf_counted_meets_all(b, (uint32_t)__builtin_ctz(x) & h);
        }
        out |= (uint32_t)all << h;
    }
    return out;
}

static hf_status prepare_families(top *t) {
    hf_context *cx = t->c.cx;
    const uint32_t k = t->c.k, n = t->f.n;
    HF_TRY(hf_scratch(cx, n, sizeof *t->kind, (void **)&t->kind));
    HF_TRY(hf_scratch(cx, (size_t)n * t->c.n_perm, sizeof *t->moved, (void **)&t->moved));
    HF_TRY(hf_scratch(cx, (size_t)n * n, sizeof *t->function, (void **)&t->function));
    for (uint32_t i = 0; i < n; i++) {
        t->kind[i] = i;
        for (uint32_t p = 0; p < t->c.n_perm; p++) {
            uint32_t *to = &t->moved[(size_t)p * n + i];
            HF_TRY(hf_counted_find_family(cx, &t->f, permute_function(t->c.perm[p], k, t->f.member[i]), to));
            t->kind[i] = *to < t->kind[i] ? *to : t->kind[i];
        }
        for (uint32_t j = 0; j < n; j++) {
            t->function[(size_t)i * n + j] = pair_function(k, t->f.member[i], t->f.member[j]);
        }
    }
    return HF_OK;
}

static void sort_small(uint32_t *list, uint32_t n) {
    for (uint32_t i = 1; i < n; i++) {
        for (uint32_t j = i; j > 0 && list[j - 1] > list[j]; j--) {
            const uint32_t swap = list[j];
            list[j] = list[j - 1];
            list[j - 1] = swap;
        }
    }
}

static uint64_t pack(const uint32_t *list, uint32_t n) {
    uint64_t out = 0;
    for (uint32_t i = 0; i < n; i++) {
        out = out << 16 | list[i];
    }
    return out;
}

/* How many ordered choices of families are this multiset under some permutation of the indices; 0: a lower one stands for it. */
static uint64_t times_of(const top *t) {
    const uint32_t k = t->c.k;
    const uint64_t own = pack(t->at, k);
    uint32_t same = 0, orders = 1, run = 1;
    for (uint32_t p = 0; p < t->c.n_perm; p++) {
        uint32_t list[K_MOST];
        for (uint32_t i = 0; i < k; i++) {
            list[i] = t->moved[(size_t)p * t->f.n + t->at[i]];
        }
        sort_small(list, k);
        const uint64_t other = pack(list, k);
        if (other < own) {
            return 0;
        }
        same += other == own;
    }
    for (uint32_t i = 1; i < k; i++) {
        run = t->at[i] == t->at[i - 1] ? run + 1 : 1;
        orders = orders * (i + 1) / run;
    }
    return (uint64_t)t->c.n_perm / (same ? same : 1) * orders; /* the identity is one of them */
}

static hf_status find_type(top *t, size_t size, uint32_t *out) {
    uint32_t kind[K_MOST];
    for (uint32_t i = 0; i < t->c.k; i++) {
        kind[i] = t->kind[t->at[i]];
    }
    sort_small(kind, t->c.k);
    const uint64_t type = pack(kind, t->c.k);
    for (*out = 0; *out < t->n_type && t->type[*out] != type; (*out)++) {
    }
    if (*out < t->n_type) {
        return HF_OK;
    }
    HF_GROW(t->c.cx, t->type, t->n_type, t->type_room);
    if (t->sum_room < t->type_room) {
        HF_TRY(hf_resize(t->c.cx, t->type_room * size, sizeof *t->sum, (void **)&t->sum));
        t->sum_room = t->type_room;
    }
    memset(t->sum + t->n_type * size, 0, size * sizeof *t->sum);
    t->type[t->n_type++] = type;
    return HF_OK;
}

static hf_status take_families(top *t) {
    counter *c = &t->c;
    const uint32_t v = c->k - 1;
    const size_t size = (size_t)terms_of(c, v) * c->words * c->n_class;
    const uint64_t times = times_of(t);
    uint32_t function[PAIRS], type;
    if (times == 0) {
        return HF_OK;
    }
    for (uint32_t b = 1; b < c->k; b++) {
        for (uint32_t a = 0; a < b; a++) {
            function[c->pair[a][b]] = t->function[(size_t)t->at[a] * t->f.n + t->at[b]];
            if (!function[c->pair[a][b]]) {
                return HF_OK;
            }
        }
    }
    t->done++;
    HF_TRY(find_type(t, size, &type));
    return add_graphs(c, v, function, times, t->sum + type * size);
}

static hf_status walk_families(top *t) {
    const uint32_t k = t->c.k;
    for (;;) {
        HF_TRY(take_families(t));
        uint32_t i = k;
        while (i > 0 && t->at[i - 1] == t->f.n - 1) {
            i--;
        }
        if (i == 0) {
            return HF_OK;
        }
        const uint32_t next = t->at[i - 1] + 1;
        for (; i <= k; i++) {
            t->at[i - 1] = next;
        }
        if (t->at[k - 1] == t->f.n - 1) {
            HF_TRY(hf_context_go_on(t->c.cx, "counting"));
        }
    }
}

/* Every type: the sums over graphs, times the families of the subtrees. */
static hf_status multiply_out(top *t, uint64_t *tolerated) {
    counter *c = &t->c;
    const uint32_t v = c->k - 1, per = t->f.terms;
    const size_t one = (size_t)per * c->words, most = (size_t)terms_of(c, 2 * c->k) * c->words + one;
    const size_t size = (size_t)terms_of(c, v) * c->words * c->n_class;
    uint64_t *value[2], *family;
    for (unsigned i = 0; i < 2; i++) {
        HF_TRY(hf_scratch(c->cx, most, sizeof *family, (void **)&value[i]));
    }
    HF_TRY(hf_scratch(c->cx, one, sizeof *family, (void **)&family));
    for (uint32_t i = 0; i < t->n_type; i++) {
        memset(value[0], 0, most * sizeof *family);
        multiply_classes(c, v, t->sum + i * size, value[0]);
        for (uint32_t s = 0; s < c->k; s++) {
            const uint32_t a = (t->type[i] >> (16 * s)) & 0xffff;
            for (uint32_t j = 0; j < per; j++) {
                family[j * c->words] = t->f.count[(size_t)a * per + j];
            }
            hf_words_multiply(value[1], value[0], (size_t)terms_of(c, c->k + s) * c->words, family, one);
            uint64_t *const swap = value[0];
            value[0] = value[1];
            value[1] = swap;
        }
        hf_counted_add(tolerated, value[0], (size_t)terms_of(c, 2 * c->k) * c->words);
    }
    return HF_OK;
}

static hf_status count_three(top *t, uint64_t *tolerated) {
    counter *c = &t->c;
    make_tables(c);
    HF_TRY(make_graphs(c));
    for (uint32_t v = 0; v < c->k; v++) {
        HF_TRY(hf_scratch(c->cx, (size_t)terms_of(c, v) * c->words * c->n_class, sizeof *c->sum[v], (void **)&c->sum[v]));
    }
    HF_TRY(hf_scratch(c->cx, (size_t)terms_of(c, c->k + 1) * c->words, sizeof *c->product, (void **)&c->product));
    HF_TRY(prepare_families(t));
    HF_TRY(walk_families(t));
    return multiply_out(t, tolerated);
}

static void free_top(top *t) {
    const hf_allocator *allocator = hf_context_allocator(t->c.cx);
    for (uint32_t v = 0; v < LEVELS; v++) {
        const memo *m = &t->c.level[v];
        void *const block[] = {m->key, m->word, m->raw, m->raw_at};
        for (size_t i = 0; i < sizeof block / sizeof *block; i++) {
            hf_release(allocator, block[i]);
        }
    }
    hf_counted_free_families(t->c.cx, &t->f);
    hf_release(allocator, t->type);
    hf_release(allocator, t->sum);
}

/* With two stages the families are all. */
static void count_two(const hf_counted_families *f, uint32_t words, uint64_t *tolerated) {
    for (uint32_t i = 0; i < f->n; i++) {
        for (uint32_t j = 0; j < f->terms; j++) {
            hf_counted_add(tolerated + (size_t)j * words, f->count + (size_t)i * f->terms + j, 1);
        }
    }
}

hf_status hf_counted_tree(hf_context *cx, const hf_universe *universe, uint32_t words, uint64_t *tolerated, char *how,
                          size_t size) {
    hf_kary_tree shape;
    if (!hf_kary_tree_shape(universe->topo, &shape) || !has_all_links(universe) ||
        !((shape.n == 2 && shape.k <= K_MOST_TWO) || (shape.n == 3 && shape.k <= K_MOST))) {
        return refuse(cx, universe);
    }
    top t = {.c = {.cx = cx, .k = shape.k, .words = words}};
    hf_status status = hf_counted_make_families(cx, shape.k, &t.f);
    if (status == HF_OK && shape.n == 2) {
        count_two(&t.f, words, tolerated);
        (void)snprintf(how, size, "Counted, not walked: stage by stage, %" PRIu32 " families of leaf switches.", t.f.n);
    } else if (status == HF_OK) {
        status = count_three(&t, tolerated);
        (void)snprintf(how, size,
                       "Counted, not walked: stage by stage, %" PRIu32 " families of leaf switches, %" PRIu64
                       " choices of them, %" PRIu32 " functions of pairs of subtrees.",
                       t.f.n, t.done, t.c.level[shape.k - 1].n);
    }
    free_top(&t);
    return status;
}
