/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The ways of `dfsssp`, and those of `layered-shortest` in the whole network. Ways that are as short are told apart by what the
 *  ways to other goals put on their channels, over all goals by number: by the least sum of loads along the way, as DFSSSP does
 *  [domke2011], which keeps ways along dimensions where there are any. In a second round each goal's ways are taken out and put
 *  again, by the least sum of the loads' cubes, which keeps away from the fullest. */
#include <string.h>

#include <holdfast/core/big.h>

#include "src/core/rows.h"
#include "src/routing/any/layered.h"

typedef struct balance {
    hf_layered *ways;
    hf_rows members;              /* of a row: the terminals that it leads to */
    int64_t *load;                /* by channel: ways of terminals over it */
    hf_u128 *sum;                 /* by switch: of the channels along its way, what they count for; 2^36 ways and 2^16 hops fit */
    int64_t *from;                /* by switch: ways to the row's terminals that come through it */
    uint32_t *source;             /* by switch: terminals that send by it alone */
    uint32_t *several, n_several; /* terminals that send by one of several channels */
    bool by_cubes;
} balance;

static uint32_t out_degree(const hf_topology *topo, uint32_t node) { return topo->out_begin[node + 1] - topo->out_begin[node]; }

static hf_status prepare(hf_context *cx, hf_layered *ways, balance *b) {
    const hf_topology *topo = ways->goals.topo;
    *b = (balance){.ways = ways};
    HF_TRY(hf_scratch(cx, topo->n_channel, sizeof *b->load, (void **)&b->load));
    HF_TRY(hf_scratch(cx, topo->n_switch, sizeof *b->sum, (void **)&b->sum));
    HF_TRY(hf_scratch(cx, topo->n_switch, sizeof *b->from, (void **)&b->from));
    HF_TRY(hf_scratch(cx, topo->n_switch, sizeof *b->source, (void **)&b->source));
    HF_TRY(hf_scratch(cx, topo->n_terminal, sizeof *b->several, (void **)&b->several));
    for (uint32_t s = 0; s < topo->n_terminal; s++) {
        const uint32_t node = topo->n_switch + s;
        if (out_degree(topo, node) != 1) {
            b->several[b->n_several++] = s;
            continue;
        }
        const uint32_t c = topo->out_list[topo->out_begin[node]];
        if (topo->to[c] < topo->n_switch && !hf_goals_is_failed(&ways->goals, c)) {
            b->source[topo->to[c]]++;
        }
    }
    return hf_rows_of(cx, ways->goals.n_row, NULL, topo->n_terminal, ways->goals.row, &b->members);
}

/* ---- loads ---- */

/* Ways from terminal `s`, by the channel that it takes, are so many more. */
static void send(balance *b, uint32_t row, uint32_t s, int64_t more) {
    const hf_topology *topo = b->ways->goals.topo;
    const uint32_t first = hf_layered_first(b->ways, topo->n_switch + s, row);
    if (first != HF_NONE && topo->to[first] < topo->n_switch) {
        b->from[topo->to[first]] += more;
    }
}

/* Each terminal sends to all terminals of the row but itself. */
static void find_sources(balance *b, uint32_t row) {
    const uint32_t begin = b->members.begin[row], end = b->members.begin[row + 1];
    for (uint32_t v = 0; v < b->ways->goals.topo->n_switch; v++) {
        b->from[v] = (int64_t)b->source[v] * (end - begin);
    }
    for (uint32_t i = 0; i < b->n_several; i++) {
        send(b, row, b->several[i], end - begin);
    }
    for (uint32_t i = begin; i < end; i++) {
        send(b, row, b->members.item[i], -1);
    }
}

/* Put the ways of a row on their channels, or take them away. \param[in] n switches in the goals' queue, nearest first
 * \param[in] sign 1 or -1 */
static void add_loads(balance *b, uint32_t row, uint32_t n, int64_t sign) {
    const hf_topology *topo = b->ways->goals.topo;
    const uint32_t *next = b->ways->next + (size_t)row * topo->n_switch, *order = b->ways->goals.queue;
    find_sources(b, row);
    for (uint32_t i = n; i-- > 0;) {
        const uint32_t c = next[order[i]];
        if (c != HF_NONE) {
            b->load[c] += sign * b->from[order[i]];
            b->from[topo->to[c]] += b->from[order[i]];
        }
    }
}

/* ---- ways ---- */

static hf_u128 cost(const balance *b, uint32_t channel) {
    const hf_u128 load = (hf_u128)b->load[channel];
    return b->by_cubes ? load * load * load : load;
}

/* The lowest of several that are alike. */
static void choose(balance *b, uint32_t row, uint32_t v) {
    const hf_topology *topo = b->ways->goals.topo;
    const uint16_t *distance = b->ways->distance + (size_t)row * topo->n_switch;
    uint32_t *next = &b->ways->next[(size_t)row * topo->n_switch + v];
    *next = HF_NONE;
    b->sum[v] = 0;
    for (uint32_t i = topo->out_begin[v]; i < topo->out_begin[v + 1]; i++) {
        const uint32_t c = topo->out_list[i], to = topo->to[c];
        if (to >= topo->n_switch || distance[to] >= distance[v] || hf_goals_is_failed(&b->ways->goals, c)) {
            continue;
        }
        const hf_u128 sum = b->sum[to] + cost(b, c);
        if (*next == HF_NONE || sum < b->sum[v]) {
            *next = c;
            b->sum[v] = sum;
        }
    }
}

static hf_status balance_row(hf_context *cx, balance *b, uint32_t row) {
    const uint32_t n_switch = b->ways->goals.topo->n_switch;
    uint16_t *distance = b->ways->distance + (size_t)row * n_switch;
    uint32_t n = 0;
    HF_TRY(hf_goals_search(cx, &b->ways->goals, row, distance));
    for (uint32_t v = 0; v < n_switch; v++) {
        n += distance[v] != HF_FAR;
    }
    if (b->by_cubes) {
        add_loads(b, row, n, -1);
    }
    for (uint32_t i = 0; i < n; i++) {
        choose(b, row, b->ways->goals.queue[i]);
    }
    add_loads(b, row, n, 1);
    return HF_OK;
}

hf_status hf_layered_balance(hf_context *cx, hf_layered *ways, uint32_t rounds) {
    const hf_mark mark = hf_scratch_mark(cx);
    balance b;
    HF_TRY(prepare(cx, ways, &b));
    memset(ways->next, 0xff, (size_t)ways->goals.n_row * ways->goals.topo->n_switch * sizeof *ways->next); /* HF_NONE */
    for (uint32_t round = 0; round < rounds; round++) {
        b.by_cubes = round > 0;
        for (uint32_t row = 0; row < ways->goals.n_row; row++) {
            HF_TRY(balance_row(cx, &b, row));
        }
    }
    hf_scratch_reset(cx, mark);
    return HF_OK;
}
