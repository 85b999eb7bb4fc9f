/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The sum of lost paths over a range of fault sets, without walking the sets. A rule that offers exactly the healthy shortest
 *  paths loses a path whenever the set meets the components on it. So the sum over sets of lost paths is the sum over paths of
 *  the sets that meet them, and of the sets below a rank those that avoid given components are counted prefix by prefix. */
#include <holdfast/analysis/tolerance.h>
#include <holdfast/core/combination.h>
#include <string.h>

#include "src/analysis/paths/walk.h"
#include "src/core/rows.h"
#include "src/routing/tree/plan.h"

enum { PATHS_MAX = 1 << 21, COMPONENTS_MAX = 1024 };

typedef struct linear {
    const hf_universe *universe;
    hf_tree tree;
    uint32_t m, f;
    uint64_t lo, hi, population;        /* ranks, C(m, f) */
    uint32_t *first, *last;             /* the sets of rank lo and hi, f components each */
    uint64_t *choose;                   /* C(i, j) at i * (f + 1) + j */
    hf_rows hits;                       /* per channel: components that take it down */
    uint32_t *n_group, *group, *member; /* per unit: terminals with equal components, one of each kind and how many */
    uint32_t on[COMPONENTS_MAX];        /* components on a path, ascending when settled */
    uint32_t n_on;
    uint32_t pair_ways; /* virtual channels of an up hop times those of a down hop: as many paths over the same channels */
    uint64_t ways;      /* of the present path */
    hf_u128 sum;        /* (path, set) pairs where the set meets the path */
} linear;

/* ---- counting sets ---- */

static hf_status fill_choose(hf_context *cx, linear *l) {
    const size_t row = (size_t)l->f + 1;
    void *memory;
    HF_TRY(hf_scratch(cx, ((size_t)l->m + 1) * row, sizeof(uint64_t), &memory));
    l->choose = memory;
    for (uint32_t i = 0; i <= l->m; i++) {
        for (uint32_t j = 0; j <= l->f; j++) {
            /* entries that do not fit are never read: what is read counts sets of the range */
            (void)hf_binomial(i, j, &l->choose[i * row + j]);
        }
    }
    return HF_OK;
}

static uint64_t choose(const linear *l, uint32_t from, uint32_t take) { return l->choose[(size_t)from * (l->f + 1) + take]; }

/* Sets with a rank below that of `end` (NULL: all sets) that avoid the components on the path. */
static uint64_t count_avoiding(const linear *l, const uint32_t *end) {
    if (!end) {
        return choose(l, l->m - l->n_on, l->f);
    }
    uint64_t sum = 0;
    uint32_t free_left = l->m - l->n_on; /* components above the prefix so far that are not on the path */
    for (uint32_t i = 0, a = 0; i < l->f; i++) {
        while (a < l->n_on && l->on[a] < end[i]) {
            a++;
        }
        /* the prefix ends with end[i-1]; the next component is below end[i], or it is end[i] and the prefix grows */
        const uint32_t from_here = l->m - end[i] - (l->n_on - a);
        sum += choose(l, free_left, l->f - i) - choose(l, from_here, l->f - i);
        if (a < l->n_on && l->on[a] == end[i]) {
            break;
        }
        free_left = from_here - 1;
    }
    return sum;
}

/* ---- the components on a path ---- */

static void put_channel(linear *l, uint32_t channel) {
    for (uint32_t i = l->hits.begin[channel]; i < l->hits.begin[channel + 1]; i++) {
        const uint32_t component = l->hits.item[i];
        uint32_t at = l->n_on;
        while (at > 0 && l->on[at - 1] > component) {
            at--;
        }
        if (at > 0 && l->on[at - 1] == component) {
            continue;
        }
        memmove(l->on + at + 1, l->on + at, (l->n_on - at) * sizeof *l->on);
        l->on[at] = component;
        l->n_on++;
    }
}

static void add_paths(linear *l, uint64_t how_many) {
    const uint64_t below_lo = l->lo == 0 ? 0 : count_avoiding(l, l->lo == l->population ? NULL : l->first);
    const uint64_t below_hi = l->hi == 0 ? 0 : count_avoiding(l, l->hi == l->population ? NULL : l->last);
    l->sum += (hf_u128)how_many * (l->hi - l->lo - (below_hi - below_lo));
}

/* All terminal pairs of units a and b over the channels put so far. */
static void add_ends(linear *l, uint32_t a, uint32_t b) {
    const hf_tree *tree = &l->tree;
    uint32_t kept[COMPONENTS_MAX];
    const uint32_t n_kept = l->n_on;
    memcpy(kept, l->on, n_kept * sizeof *kept);
    for (uint32_t g = 0; g < l->n_group[a]; g++) {
        for (uint32_t h = 0; h < l->n_group[b]; h++) {
            const uint32_t x = a * tree->k + g, y = b * tree->k + h;
            const uint64_t pairs = (uint64_t)l->member[x] * (a == b && g == h ? l->member[y] - 1 : l->member[y]);
            put_channel(l, hf_tree_injection(tree, l->group[x]));
            put_channel(l, hf_tree_ejection(tree, l->group[y]));
            add_paths(l, pairs * l->ways);
            memcpy(l->on, kept, n_kept * sizeof *kept);
            l->n_on = n_kept;
        }
    }
}

/* The path from unit a to unit b that turns at stage t + 1 and takes the up ports that are the digits of `choice`. */
static void put_path(linear *l, uint32_t a, uint32_t b, uint32_t t, uint32_t choice) {
    const hf_tree *tree = &l->tree;
    l->n_on = 0;
    for (uint32_t s = 0; s <= t; s++) {
        const uint32_t block = tree->power[s], low = choice % block, port = hf_tree_digit(tree, choice, s);
        const uint32_t from = s * tree->width + a / block * block + low;
        const uint32_t to = s * tree->width + b / block * block + low;
        put_channel(l, hf_tree_up_channel(tree, from, port));
        put_channel(l, tree->n_link + hf_tree_up_channel(tree, to, port));
    }
}

static void add_units(linear *l, uint32_t a, uint32_t b) {
    const hf_tree *tree = &l->tree;
    l->ways = 1;
    if (a == b) {
        l->n_on = 0;
        add_ends(l, a, b);
        return;
    }
    uint32_t t = 0;
    while (a / tree->power[t + 1] != b / tree->power[t + 1]) {
        t++;
        l->ways *= l->pair_ways;
    }
    l->ways *= l->pair_ways;
    for (uint32_t choice = 0; choice < tree->power[t + 1]; choice++) {
        put_path(l, a, b, t, choice);
        add_ends(l, a, b);
    }
}

/* ---- preparing ---- */

static hf_status index_hits(hf_context *cx, linear *l) {
    const hf_universe *u = l->universe;
    const hf_rows channels = {.n = u->n_component, .begin = u->channel_begin, .item = u->channel};
    return hf_rows_turn(cx, &channels, u->topo->n_channel, &l->hits);
}

static bool same_hits(const linear *l, uint32_t c, uint32_t d) {
    const uint32_t n = l->hits.begin[c + 1] - l->hits.begin[c];
    return n == l->hits.begin[d + 1] - l->hits.begin[d] &&
           (n == 0 || memcmp(l->hits.item + l->hits.begin[c], l->hits.item + l->hits.begin[d], n * sizeof *l->hits.item) == 0);
}

static bool same_ends(const linear *l, uint32_t x, uint32_t y) {
    const hf_tree *tree = &l->tree;
    return same_hits(l, hf_tree_injection(tree, x), hf_tree_injection(tree, y)) &&
           same_hits(l, hf_tree_ejection(tree, x), hf_tree_ejection(tree, y));
}

/* Terminals of one unit on which the same components hang count together. */
static hf_status group_terminals(hf_context *cx, linear *l) {
    const hf_tree *tree = &l->tree;
    void *memory[3];
    for (size_t i = 0; i < 3; i++) {
        HF_TRY(hf_scratch(cx, tree->n_terminal, sizeof(uint32_t), &memory[i]));
    }
    l->n_group = memory[0];
    l->group = memory[1];
    l->member = memory[2];
    for (uint32_t x = 0; x < tree->n_terminal; x++) {
        const uint32_t unit = x / tree->k, begin = unit * tree->k;
        uint32_t g = 0;
        while (g < l->n_group[unit] && !same_ends(l, l->group[begin + g], x)) {
            g++;
        }
        if (g == l->n_group[unit]) {
            l->n_group[unit]++;
            l->group[begin + g] = x;
        }
        l->member[begin + g]++;
    }
    return HF_OK;
}

static hf_status check_size(hf_context *cx, const linear *l) {
    const hf_tree *tree = &l->tree;
    double paths = 1;
    for (uint32_t t = 0; t + 1 < tree->n; t++) {
        paths += (double)(tree->k - 1) * tree->power[t] * tree->power[t + 1];
    }
    uint32_t groups = 1, hits = 0;
    for (uint32_t unit = 0; unit < tree->width; unit++) {
        groups = l->n_group[unit] > groups ? l->n_group[unit] : groups;
    }
    for (uint32_t c = 0; c < l->universe->topo->n_channel; c++) {
        const uint32_t n = l->hits.begin[c + 1] - l->hits.begin[c];
        hits = n > hits ? n : hits;
    }
    paths *= (double)tree->width * groups * groups;
    if (paths > PATHS_MAX) {
        HF_FAIL(cx, HF_ENOTSUP, "lost paths of \"%s\" by linearity: %.3g paths between leaf switches, the limit is %d",
                l->universe->topo->spec, paths, PATHS_MAX);
    }
    if ((uint64_t)hits * 2 * tree->n > COMPONENTS_MAX) {
        HF_FAIL(cx, HF_ENOTSUP, "lost paths of \"%s\" by linearity: %u components take down one channel, the limit is %u",
                l->universe->topo->spec, hits, COMPONENTS_MAX / (2 * tree->n));
    }
    return HF_OK;
}

static hf_status unrank_ends(hf_context *cx, linear *l) {
    void *first, *last;
    HF_TRY(hf_scratch(cx, (size_t)l->f + 1, sizeof(uint32_t), &first));
    HF_TRY(hf_scratch(cx, (size_t)l->f + 1, sizeof(uint32_t), &last));
    l->first = first;
    l->last = last;
    if (l->lo < l->population) {
        hf_lex_unrank(l->m, l->f, l->lo, l->first);
    }
    if (l->hi < l->population) {
        hf_lex_unrank(l->m, l->f, l->hi, l->last);
    }
    return HF_OK;
}

/* ---- whole rows where all paths that turn in one stage meet as many components ---- */

/* Has every channel from .. from + n - 1 as many components, none or one of its own? */
static bool is_even(const linear *l, uint32_t from, uint32_t n, uint32_t *hits) {
    *hits = l->hits.begin[from + 1] - l->hits.begin[from];
    bool even = *hits <= 1;
    for (uint32_t c = from; c < from + n && even; c++) {
        even = l->hits.begin[c + 1] - l->hits.begin[c] == *hits;
    }
    return even;
}

static bool has_single_links(const hf_universe *u) {
    bool all = true;
    for (uint32_t i = 0; i < u->n_component && all; i++) {
        all = u->component[i].type == HF_COMPONENT_LINK || u->component[i].type == HF_COMPONENT_CHANNEL;
    }
    return all;
}

/* \param[in,out] sum of paths times sets that meet them \return whether it fits */
static bool add_stage(const linear *l, hf_u128 paths, uint32_t n_on, hf_u128 *sum) {
    const uint64_t met = l->population - (n_on <= l->m ? choose(l, l->m - n_on, l->f) : 0);
    hf_u128 more;
    return !__builtin_mul_overflow(paths, (hf_u128)met, &more) && !__builtin_add_overflow(*sum, more, sum);
}

/* A path never takes a link twice. \return whether the universe and the range are of this kind, and the sum fits */
static bool sum_by_stages(linear *l) {
    const hf_tree *tree = &l->tree;
    const uint32_t row = tree->width * tree->k;
    uint32_t up, down, in, out;
    hf_u128 ways = 1;
    l->sum = 0;
    bool fits = l->lo == 0 && l->hi == l->population && has_single_links(l->universe) &&
                is_even(l, hf_tree_injection(tree, 0), tree->n_terminal, &in) &&
                is_even(l, hf_tree_ejection(tree, 0), tree->n_terminal, &out);
    uint32_t n_on = fits ? in + out : 0;
    fits = fits && add_stage(l, (hf_u128)tree->n_terminal * (tree->k - 1), n_on, &l->sum);
    for (uint32_t s = 0; s + 1 < tree->n && fits; s++) {
        const uint64_t goals = (uint64_t)(tree->power[s + 1] - tree->power[s]) * tree->k;
        fits = is_even(l, s * row, row, &up) && is_even(l, tree->n_link + s * row, row, &down) &&
               !__builtin_mul_overflow(ways, (hf_u128)l->pair_ways * tree->k, &ways);
        n_on += fits ? up + down : 0;
        hf_u128 paths;
        fits = fits && !__builtin_mul_overflow(ways, (hf_u128)tree->n_terminal * goals, &paths) &&
               add_stage(l, paths, n_on, &l->sum);
    }
    return fits;
}

static hf_status sum_up(hf_context *cx, linear *l, hf_big *out) {
    HF_TRY(index_hits(cx, l));
    HF_TRY(fill_choose(cx, l));
    if (sum_by_stages(l)) {
        hf_big_set(out, l->sum);
        return HF_OK;
    }
    l->sum = 0;
    HF_TRY(group_terminals(cx, l));
    HF_TRY(check_size(cx, l));
    HF_TRY(unrank_ends(cx, l));
    for (uint32_t a = 0; a < l->tree.width; a++) {
        for (uint32_t b = 0; b < l->tree.width; b++) {
            add_units(l, a, b);
        }
    }
    hf_big_set(out, l->sum);
    return HF_OK;
}

hf_status hf_paths_lost_sum(hf_context *cx, const hf_universe *universe, const hf_rule *rule, uint32_t f, uint64_t lo,
                            uint64_t hi, hf_big *out) {
    linear l = {.universe = universe, .m = universe->n_component, .f = f, .lo = lo, .hi = hi};
    if (!(hf_rule_traits(rule) & HF_ROUTING_ALL_MINIMAL) || !hf_tree_of(universe->topo, &l.tree)) {
        HF_FAIL(cx, HF_ENOTSUP, "lost paths by linearity need a rule that offers every healthy minimal path of a k-ary n-tree");
    }
    if (!hf_binomial(l.m, f, &l.population) || lo > hi || hi > l.population) {
        HF_FAIL(cx, HF_ERANGE, "ranks [%llu, %llu) of the %u-sets of %u components: need lo <= hi <= C(%u, %u) < 2^64",
                (unsigned long long)lo, (unsigned long long)hi, f, l.m, l.m, f);
    }
    if (f > l.m) {
        hf_big_set(out, 0);
        return HF_OK;
    }
    const hf_mark mark = hf_scratch_mark(cx);
    hf_fault_set none;
    hf_plan plan;
    hf_status status = hf_no_faults(cx, universe->topo, &none);
    status = status == HF_OK ? hf_plan_make_plain(cx, rule, &none, &plan) : status;
    if (status == HF_OK) {
        l.pair_ways = plan.n_vc * plan.n_vc;
        status = sum_up(cx, &l, out);
    }
    hf_scratch_reset(cx, mark);
    return status;
}
