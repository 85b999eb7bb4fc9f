/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The judge of every rule that looks at no faults, on the graphs of src/analysis/tolerance/ways.h.
 *
 *  Such a rule leads a packet into a failed channel wherever it leads it there without faults. So a pair is lost as soon as any
 *  hop of its relation fails, there are no victims, and lost paths are the ways over a failed edge. For the set that has been
 *  taken out of the graphs the judge knows, of each edge, how many ways are left over it; so the sets with one component more
 *  take a sum. The last component of the stack is taken out only when another comes on top of it. */
#include "src/analysis/tolerance/blind.h"

#include <string.h>

#include <holdfast/core/bitset.h>

#include "src/analysis/parting/parting.h"
#include "src/analysis/tolerance/flows.h"
#include "src/analysis/tolerance/way_sets.h"
#include "src/analysis/tolerance/way_trees.h"
#include "src/topology/search.h"

typedef struct blind {
    hf_judge base;
    hf_allocator allocator;
    hf_way_graphs *ways;
    hf_fault_stack failed;
    uint32_t n_needed; /* of the stack: components that some hop needs */
    /* terminals in service */
    uint64_t *ends;               /* components with a channel of a terminal */
    uint32_t live, *down, *links; /* n_channel: components of the stack that take it down; n_terminal: healthy channels */
    /* lost ways of the components from the bottom of the stack up to `depth`, by one of the two where they can be counted */
    uint32_t depth;
    hf_flows *flows;
    hf_way_stack ways_lost;
    hf_way_union *joined; /* beside flows, where every pair has one way: for sets that are read by themselves */
    uint64_t *sums;       /* n_component: scratch of the second */
    /* scratch of searches */
    uint64_t *failed_set, *reach, *is_known; /* n_channel bits; rows of terminals, one a destination, and which are made */
    uint32_t *distance, *queue;              /* n_node */
    uint32_t *seen, *stack, search;          /* n_vertex: number of the search that saw it last */
} blind;

/* ---- lost ways ---- */

static hf_status take_out(hf_context *cx, blind *j) {
    const uint32_t component = j->failed.component[j->depth];
    HF_TRY(j->flows ? hf_flows_push(cx, j->flows, component) : hf_way_stack_push(cx, &j->ways_lost, component));
    j->depth++;
    return HF_OK;
}

static void put_back(blind *j) {
    j->depth--;
    if (j->flows) {
        hf_flows_pop(j->flows);
    } else {
        hf_way_stack_pop(&j->ways_lost);
    }
}

static hf_status take_out_to(hf_context *cx, blind *j, uint32_t depth) {
    while (j->depth < depth) {
        HF_TRY(take_out(cx, j));
    }
    return HF_OK;
}

/* Lost ways of the components below `depth`, and one more. */
static hf_u128 lost_with(const blind *j, uint32_t component) {
    uint64_t lost;
    if (j->flows) {
        return hf_flows_lost_with(j->flows, component);
    }
    hf_way_stack_lost_with(&j->ways_lost, component, component + 1, &lost);
    return lost;
}

/* Lost ways of the present set. */
static hf_status count_lost(hf_context *cx, blind *j, hf_u128 *out) {
    const uint32_t n = j->failed.depth;
    if (j->joined) {
        uint64_t lost;
        HF_TRY(hf_way_union_lost(cx, j->joined, j->failed.component, n, &lost));
        *out = lost;
        return HF_OK;
    }
    HF_TRY(take_out_to(cx, j, n > 0 ? n - 1 : 0));
    const bool is_counted = j->depth < n && !(j->flows && hf_bit_test(j->ways->again, j->failed.component[j->depth]));
    if (is_counted) {
        *out = lost_with(j, j->failed.component[j->depth]);
        return HF_OK;
    }
    HF_TRY(take_out_to(cx, j, n));
    *out = j->flows ? hf_flows_lost(j->flows) : hf_way_stack_lost(&j->ways_lost);
    return HF_OK;
}

/* ---- the stack ---- */

/* Its channels fail, or come back; only those of terminals count. */
static void change_channels(blind *j, uint32_t component, bool is_failed) {
    const hf_universe *universe = j->ways->universe;
    if (!hf_bit_test(j->ends, component)) {
        return;
    }
    const hf_topology *topo = universe->topo;
    for (uint32_t i = universe->channel_begin[component]; i < universe->channel_begin[component + 1]; i++) {
        const uint32_t c = universe->channel[i], from = topo->from[c], to = topo->to[c];
        const uint32_t end = hf_topology_is_terminal(topo, from) ? from : to;
        const bool changes = is_failed ? j->down[c]++ == 0 : --j->down[c] == 0;
        if (changes && hf_topology_is_terminal(topo, end)) {
            uint32_t *links = &j->links[end - topo->n_switch];
            j->live -= is_failed && *links == 1;
            j->live += !is_failed && *links == 0;
            *links += is_failed ? UINT32_MAX : 1;
        }
    }
}

static hf_status push(hf_context *cx, hf_judge *base, uint32_t component) {
    blind *j = (blind *)base;
    HF_TRY(hf_fault_stack_push(cx, &j->failed, component));
    j->n_needed += hf_bit_test(j->ways->used, component);
    change_channels(j, component, true);
    return HF_OK;
}

static void pop(hf_judge *base) {
    blind *j = (blind *)base;
    if (j->depth == j->failed.depth) {
        put_back(j);
    }
    const uint32_t component = hf_fault_stack_pop(&j->failed);
    j->n_needed -= hf_bit_test(j->ways->used, component);
    change_channels(j, component, false);
}

static bool is_lost(const blind *j) { return !j->ways->serves_all || j->n_needed > 0; }

static hf_status verdict(hf_context *cx, hf_judge *base, hf_measure *out) {
    (void)cx;
    const blind *j = (const blind *)base;
    *out = (hf_measure){.tolerated = !is_lost(j), .has_victims = true, .live = j->live};
    return HF_OK;
}

static bool tolerates(const hf_judge *base, const uint32_t *component, uint32_t n) {
    const hf_way_graphs *ways = ((const blind *)base)->ways;
    bool is_needed = false;
    for (uint32_t i = 0; i < n; i++) {
        is_needed |= hf_bit_test(ways->used, component[i]);
    }
    return ways->serves_all && !is_needed;
}

static hf_status read(hf_context *cx, hf_judge *base, hf_measure *out) {
    blind *j = (blind *)base;
    HF_TRY(verdict(cx, base, out));
    if (j->ways->has_counts) {
        hf_u128 lost;
        HF_TRY(count_lost(cx, j, &lost));
        out->has_lost_paths = lost <= UINT64_MAX;
        out->lost_paths = out->has_lost_paths ? (uint64_t)lost : 0;
    }
    return HF_OK;
}

/* ---- many sets at once ---- */

/* Sets that differ in the last component. */
typedef struct last_ones {
    const uint64_t *used; /* components that some hop needs */
    uint32_t from;        /* the first of them */
    bool is_lost;         /* pairs are lost by the others already */
} last_ones;

static bool is_bad_last(const void *user, uint64_t i) {
    const last_ones *l = user;
    return l->is_lost || hf_bit_test(l->used, l->from + i);
}

static uint32_t first_above(const blind *j) { return j->failed.depth > 0 ? j->failed.component[j->failed.depth - 1] + 1 : 0; }

/* Where nobody asks for lost ways, a set is lost by the components alone. */
static hf_status count(hf_context *cx, hf_judge *base, uint32_t r, uint64_t lo, uint64_t hi, uint64_t *not_tolerated,
                       uint64_t *first) {
    (void)cx;
    const blind *j = (const blind *)base;
    const uint32_t m = j->ways->universe->n_component;
    hf_parting_sum sum = {.lo = lo, .hi = hi, .first = UINT64_MAX};
    last_ones l = {j->ways->used, first_above(j), is_lost(j)};
    uint32_t left = 0; /* needed ones from there on */
    for (uint32_t c = l.from; c < m; c++) {
        left += hf_bit_test(l.used, c);
    }
    if (r == 1) {
        hf_parting_take(&sum, m - l.from, l.is_lost ? m - l.from : left, is_bad_last, &l);
    }
    for (uint32_t c = l.from; r == 2 && c + 1 < m && sum.index < hi; c++) {
        const bool is_needed = hf_bit_test(l.used, c);
        const last_ones with = {l.used, c + 1, l.is_lost || is_needed};
        left -= is_needed;
        hf_parting_take(&sum, m - 1 - c, with.is_lost ? m - 1 - c : left, is_bad_last, &with);
    }
    *not_tolerated = sum.bad;
    *first = sum.first;
    return HF_OK;
}

static void sum_verdicts(const blind *j, uint32_t lo, uint32_t hi, hf_judge_sum *out) {
    for (uint32_t c = hi; c-- > lo;) {
        const bool is_bad = is_lost(j) || hf_bit_test(j->ways->used, c);
        out->not_tolerated += is_bad;
        out->first = is_bad ? c - first_above(j) : out->first;
    }
}

static void sum_ways(const blind *j, uint32_t lo, uint32_t hi, hf_judge_sum *out) {
    hf_way_stack_lost_with(&j->ways_lost, lo, hi, j->sums);
    for (uint32_t i = 0; i < hi - lo; i++) {
        out->lost_paths += j->sums[i];
        out->lost_paths_max = j->sums[i] > out->lost_paths_max ? j->sums[i] : out->lost_paths_max;
    }
    out->lost_paths_sets = hi - lo;
}

/* With a component that ways may need twice. */
static hf_status lost_with_again(hf_context *cx, blind *j, uint32_t component, hf_u128 *out) {
    HF_TRY(hf_flows_push(cx, j->flows, component));
    *out = hf_flows_lost(j->flows);
    hf_flows_pop(j->flows);
    return HF_OK;
}

static hf_status sum_flows(hf_context *cx, blind *j, uint32_t lo, uint32_t hi, hf_judge_sum *out) {
    for (uint32_t c = lo; c < hi; c++) {
        hf_u128 lost;
        if (hf_bit_test(j->ways->again, c)) {
            HF_TRY(lost_with_again(cx, j, c, &lost));
        } else {
            lost = hf_flows_lost_with(j->flows, c);
        }
        if (lost <= UINT64_MAX) {
            out->lost_paths_sets++;
            out->lost_paths += lost;
            out->lost_paths_max = lost > out->lost_paths_max ? (uint64_t)lost : out->lost_paths_max;
        }
    }
    return HF_OK;
}

static hf_status sum(hf_context *cx, hf_judge *base, uint32_t r, uint64_t lo_index, uint64_t hi_index, hf_judge_sum *out) {
    blind *j = (blind *)base;
    const uint32_t lo = first_above(j) + (uint32_t)lo_index, hi = first_above(j) + (uint32_t)hi_index;
    (void)r;
    sum_verdicts(j, lo, hi, out);
    if (!j->ways->has_counts) {
        return HF_OK;
    }
    HF_TRY(take_out_to(cx, j, j->failed.depth));
    if (j->flows) {
        return sum_flows(cx, j, lo, hi, out);
    }
    sum_ways(j, lo, hi, out);
    return HF_OK;
}

/* ---- pairs that a healthy path connects ---- */

/* Terminals from which a healthy path leads to the destination, at the first question. */
static const uint64_t *reach_of(blind *j, uint32_t destination) {
    const hf_topology *topo = j->ways->universe->topo;
    uint64_t *row = j->reach + destination * j->ways->words;
    if (hf_bit_test(j->is_known, destination)) {
        return row;
    }
    hf_bit_set(j->is_known, destination);
    hf_distances(topo, j->failed_set, topo->n_switch + destination, true, j->queue, j->distance);
    memset(row, 0, j->ways->words * sizeof *row);
    for (uint32_t s = 0; s < topo->n_terminal; s++) {
        if (s != destination && j->distance[topo->n_switch + s] != HF_NONE) {
            hf_bit_set(row, s);
        }
    }
    return row;
}

/* Is there a connected pair that is not served even without faults? */
static bool has_bad_pair(blind *j) {
    const hf_way_graphs *ways = j->ways;
    for (uint32_t d = 0; d < ways->universe->topo->n_terminal && !ways->serves_all; d++) {
        const uint64_t *bad = ways->bad + d * ways->words;
        if (hf_bits_next(bad, ways->words * 64, 0) == ways->words * 64) {
            continue;
        }
        const uint64_t *reach = reach_of(j, d);
        for (size_t w = 0; w < ways->words; w++) {
            if (bad[w] & reach[w]) {
                return true;
            }
        }
    }
    return false;
}

static bool has_source(const hf_way_graphs *ways, uint32_t vertex, const uint64_t *reach) {
    const uint32_t n = ways->universe->topo->n_terminal;
    for (uint32_t i = ways->source.begin[vertex]; i < ways->source.begin[vertex + 1]; i++) {
        if (hf_bit_test(reach, ways->source.item[i] % n)) {
            return true;
        }
    }
    return false;
}

/* Does a connected source of the vertex's destination come by it? */
static bool is_passed(blind *j, uint32_t vertex) {
    const hf_way_graphs *ways = j->ways;
    const uint64_t *reach = reach_of(j, ways->goal[vertex]);
    uint32_t n = 0;
    if (j->seen[vertex] == j->search) {
        return false;
    }
    j->seen[vertex] = j->search;
    j->stack[n++] = vertex;
    while (n > 0) {
        const uint32_t v = j->stack[--n];
        if (has_source(ways, v, reach)) {
            return true;
        }
        for (uint32_t i = ways->in_begin[v]; i < ways->in_begin[v + 1]; i++) {
            const uint32_t tail = ways->in[i].tail;
            if (j->seen[tail] != j->search) {
                j->seen[tail] = j->search;
                j->stack[n++] = tail;
            }
        }
    }
    return false;
}

static bool breaks_connected(blind *j, uint32_t component) {
    const hf_rows *edges = &j->ways->edge_of;
    for (uint32_t i = edges->begin[component]; i < edges->begin[component + 1]; i++) {
        if (is_passed(j, j->ways->edge[edges->item[i]].tail)) {
            return true;
        }
    }
    return false;
}

static void mark_failed(blind *j, bool is_failed) {
    const hf_universe *universe = j->ways->universe;
    for (uint32_t i = 0; i < j->failed.depth; i++) {
        const uint32_t k = j->failed.component[i];
        for (uint32_t c = universe->channel_begin[k]; c < universe->channel_begin[k + 1]; c++) {
            if (is_failed) {
                hf_bit_set(j->failed_set, universe->channel[c]);
            } else {
                hf_bit_clear(j->failed_set, universe->channel[c]);
            }
        }
    }
}

static bool serves_connected(blind *j) {
    bool is_served = !has_bad_pair(j);
    for (uint32_t i = 0; i < j->failed.depth && is_served; i++) {
        is_served = !breaks_connected(j, j->failed.component[i]);
    }
    return is_served;
}

static hf_status surviving(hf_context *cx, hf_judge *base, bool *out) {
    (void)cx;
    blind *j = (blind *)base;
    memset(j->is_known, 0, j->ways->words * sizeof *j->is_known);
    if (++j->search == 0) {
        memset(j->seen, 0, j->ways->n_vertex * sizeof *j->seen);
        j->search = 1;
    }
    mark_failed(j, true);
    const bool is_served = serves_connected(j);
    mark_failed(j, false);
    *out = is_served;
    return HF_OK;
}

/* ---- making ---- */

static void release(hf_judge *base) {
    blind *j = (blind *)base;
    const hf_allocator allocator = j->allocator;
    void *const block[] = {
        j->failed.component, j->ends,     j->down,  j->links, j->ways_lost.lost, j->sums, j->failed_set, j->reach,
        j->is_known,         j->distance, j->queue, j->seen,  j->stack};
    for (size_t i = 0; i < sizeof block / sizeof *block; i++) {
        hf_release(&allocator, block[i]);
    }
    hf_flows_free(j->flows);
    hf_way_union_free(j->joined);
    hf_ways_release(j->ways);
    hf_release(&allocator, j);
}

static hf_status allocate(hf_context *cx, blind *j) {
    const hf_way_graphs *ways = j->ways;
    const hf_topology *topo = ways->universe->topo;
    const struct {
        void *out;
        size_t n, size;
    } list[] = {
        {&j->ends, hf_words(ways->universe->n_component), sizeof *j->ends},
        {&j->down, topo->n_channel, sizeof *j->down},
        {&j->links, topo->n_terminal, sizeof *j->links},
        {&j->sums, ways->universe->n_component, sizeof *j->sums},
        {&j->failed_set, hf_words(topo->n_channel), sizeof *j->failed_set},
        {&j->reach, topo->n_terminal * ways->words, sizeof *j->reach},
        {&j->is_known, ways->words, sizeof *j->is_known},
        {&j->distance, topo->n_node, sizeof *j->distance},
        {&j->queue, topo->n_node, sizeof *j->queue},
        {&j->seen, ways->n_vertex, sizeof *j->seen},
        {&j->stack, ways->vertex_most, sizeof *j->stack},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        HF_TRY(hf_allocate(cx, list[i].n, list[i].size, list[i].out));
    }
    j->ways_lost.sets = &ways->sets;
    HF_TRY(ways->span ? hf_way_union_new(cx, ways, &j->joined) : HF_OK);
    return ways->has_counts && !ways->sets.needs ? hf_flows_new(cx, ways, &j->flows) : HF_OK;
}

static void find_ends(blind *j) {
    const hf_universe *universe = j->ways->universe;
    for (uint32_t k = 0; k < universe->n_component; k++) {
        for (uint32_t i = universe->channel_begin[k]; i < universe->channel_begin[k + 1]; i++) {
            if (universe->topo->link[universe->channel[i]] >= universe->topo->n_switch_link) {
                hf_bit_set(j->ends, k);
            }
        }
    }
}

static void count_links(blind *j) {
    const hf_topology *topo = j->ways->universe->topo;
    for (uint32_t t = 0; t < topo->n_terminal; t++) {
        const uint32_t v = topo->n_switch + t;
        j->links[t] = topo->out_begin[v + 1] - topo->out_begin[v] + topo->in_begin[v + 1] - topo->in_begin[v];
        j->live += j->links[t] > 0;
    }
}

/* \param[in] ways ours from now on */
static hf_status new_judge(hf_context *cx, hf_way_graphs *ways, const hf_judge_ops *ops, hf_judge **out) {
    blind *j;
    hf_status status = hf_allocate(cx, 1, sizeof *j, (void **)&j);
    if (status != HF_OK) {
        hf_ways_release(ways);
        return status;
    }
    *j = (blind){.base = {.ops = ops}, .allocator = *hf_context_allocator(cx), .ways = ways};
    status = allocate(cx, j);
    if (status != HF_OK) {
        release(&j->base);
        return status;
    }
    find_ends(j);
    count_links(j);
    *out = &j->base;
    return HF_OK;
}

static hf_status share(hf_context *cx, const hf_judge *base, hf_judge **out) {
    return new_judge(cx, hf_ways_share(((const blind *)base)->ways), base->ops, out);
}

static const hf_judge_ops ops = {.push = push,
                                 .pop = pop,
                                 .read = read,
                                 .verdict = verdict,
                                 .tolerates = tolerates,
                                 .count = count,
                                 .sum = sum,
                                 .sum_most = 1,
                                 .surviving = surviving,
                                 .share = share,
                                 .free = release};

hf_status hf_blind_judge_new(hf_context *cx, const hf_universe *universe, const hf_rule *rule, hf_judge **out) {
    hf_way_graphs *ways;
    HF_TRY(hf_ways_new(cx, universe, rule, &ways));
    return new_judge(cx, ways, &ops, out);
}
