/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Ways down lead to later switches, ways up to earlier ones. So two sweeps over the switches in their order know all distances
 *  of legal ways: from the last switch on of those that go down only, from the first on of the others. They are kept as bytes, a
 *  row of them for each node, for a block of goals at once. A hop is on a shortest way where it leads to what is nearer by one.
 *  Distances that a byte does not hold are found in further rounds, each of which goes on from where the last one ended. */
#include "src/routing/any/updown_sweep.h"

#include <string.h>

#include "src/core/rows.h"
#include "src/core/simd.h"

enum {
    LAST = 253,  /* the longest distance of a round */
    NEVER = 254, /* a distance that nothing has */
    FAR = 255,   /* no way is known */
    PER_WORD = 64,
    ROW = PER_WORD * HF_OFFERED_WORDS /* bytes of the widest row */
};

typedef struct sweep {
    const hf_topology *topo;
    const hf_updown_offers *out;
    hf_rows arcs;          /* places by node and way: 2 * node + way */
    const uint32_t *head;  /* of a place: where its channel leads to */
    const uint32_t *order; /* of the switches */
    uint32_t block;
    bool adds;            /* an earlier round has found some */
    uint8_t *distance[2]; /* rows by node: in this round, 0: before it; of ways that may go up first, and down only */
    bool is_full;         /* some way was as long as a round */
} sweep;

/* Bit b of byte i of a row of bits stands at place b * bytes + i of a row of distances, so that bits come together without
 * leaving their byte. */
static uint32_t place_of(uint32_t goal, uint32_t width) {
    const uint32_t byte = goal % PER_WORD / 8;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return goal % 8 * 8 * width + goal / PER_WORD * 8 + 7 - byte;
#else
    return goal % 8 * 8 * width + goal / PER_WORD * 8 + byte;
#endif
}

/* The goals for which two rows are equal. \param[in] adds they come to others */
HF_SIMD_BODY void find_equal(const uint8_t *a, const uint8_t *b, uint32_t width, bool adds, uint64_t *goals) {
    const uint32_t n = 8 * width;
    uint8_t bits[8 * HF_OFFERED_WORDS];
    for (uint32_t i = 0; i < n; i++) {
        uint8_t byte = 0;
        for (uint32_t k = 0; k < 8; k++) {
            byte |= (uint8_t)(a[k * n + i] == b[k * n + i] ? 1u << k : 0);
        }
        bits[i] = byte;
    }
    for (uint32_t i = 0; i < n && adds; i++) {
        bits[i] |= ((const uint8_t *)goals)[i];
    }
    memcpy(goals, bits, n);
}

HF_SIMD_BODY void take_nearer(uint8_t *row, const uint8_t *other, uint32_t width) {
    for (uint32_t i = 0; i < PER_WORD * width; i++) {
        row[i] = other[i] < row[i] ? other[i] : row[i];
    }
}

/* Distances from a node by its channels of one way. */
HF_SIMD_BODY void find_nearest(const sweep *s, uint32_t v, uint32_t way, uint32_t width, uint8_t *row) {
    uint8_t best[ROW];
    memset(best, FAR, PER_WORD * width);
    for (uint32_t k = s->arcs.begin[2 * v + way]; k < s->arcs.begin[2 * v + way + 1]; k++) {
        take_nearer(best, s->distance[way] + (size_t)s->head[s->arcs.item[k]] * PER_WORD * width, width);
    }
    for (uint32_t i = 0; i < PER_WORD * width; i++) {
        best[i] = best[i] >= LAST ? FAR : best[i] + 1;
    }
    take_nearer(row, best, width);
}

/* What a next node on a shortest way is away. */
HF_SIMD_BODY void find_next(const uint8_t *row, uint32_t width, uint8_t none, uint8_t *next) {
    for (uint32_t i = 0; i < PER_WORD * width; i++) {
        const uint8_t less = (uint8_t)(row[i] - 1);
        next[i] = less >= LAST ? none : less;
    }
}

HF_SIMD_BODY void offer(const sweep *s, uint32_t v, uint32_t way, uint32_t width, const uint8_t *next) {
    for (uint32_t k = s->arcs.begin[2 * v + way]; k < s->arcs.begin[2 * v + way + 1]; k++) {
        const uint32_t place = s->arcs.item[k];
        find_equal(s->distance[way] + (size_t)s->head[place] * PER_WORD * width, next, width, s->adds,
                   s->out->offer + hf_updown_offer_at(s->out, s->topo, s->block, place));
    }
}

/* A row gets its distances by one way. */
HF_SIMD_BODY void fill_row(const sweep *s, uint32_t v, uint32_t way, uint32_t width, uint8_t *next) {
    uint8_t *row = s->distance[way] + (size_t)v * PER_WORD * width;
    find_nearest(s, v, way, width, row);
    find_next(row, width, NEVER, next);
    offer(s, v, way, width, next);
}

HF_SIMD_BODY bool has_last(const uint8_t *row, uint32_t width) {
    uint8_t any = 0;
    for (uint32_t i = 0; i < PER_WORD * width; i++) {
        any |= row[i] == LAST;
    }
    return any;
}

HF_SIMD_BODY void sweep_up(sweep *s, uint32_t v, uint32_t width) {
    uint8_t next[ROW], falling[ROW];
    uint8_t *row = s->distance[HF_UP] + (size_t)v * PER_WORD * width;
    const uint8_t *down = s->distance[HF_DOWN] + (size_t)v * PER_WORD * width;
    take_nearer(row, down, width);
    fill_row(s, v, HF_UP, width, next);
    find_next(down, width, FAR, falling);
    find_equal(next, falling, width, s->adds, s->out->falls + hf_updown_falls_at(s->out, s->topo, s->block, v));
    s->is_full |= has_last(row, width) || has_last(down, width);
}

HF_SIMD_BODY bool go_round(sweep *s, uint32_t width) {
    uint8_t next[ROW];
    s->is_full = false;
    for (uint32_t k = s->topo->n_switch; k-- > 0;) {
        fill_row(s, s->order[k], HF_DOWN, width, next);
    }
    for (uint32_t k = 0; k < s->topo->n_switch; k++) {
        sweep_up(s, s->order[k], width);
    }
    for (uint32_t v = s->topo->n_switch; v < s->topo->n_node; v++) {
        fill_row(s, v, HF_UP, width, next);
    }
    return s->is_full;
}

HF_SIMD_BODY bool find_round_any(sweep *s) { return s->out->width == 1 ? go_round(s, 1) : go_round(s, HF_OFFERED_WORDS); }
/* \return are there ways that are longer? */
HF_SIMD_CHOICE(bool, find_round, (sweep * s), (s))

static size_t rows_of(const sweep *s, uint32_t way) { return way == HF_UP ? s->topo->n_node : s->topo->n_switch; }

/* What is known is nearer than all that the next round finds. */
static void begin_anew(const sweep *s) {
    for (uint32_t way = HF_UP; way <= HF_DOWN; way++) {
        uint8_t *row = s->distance[way];
        for (size_t i = 0; i < rows_of(s, way) * PER_WORD * s->out->width; i++) {
            row[i] = row[i] == FAR ? FAR : 0;
        }
    }
}

/* Goals at the switches that have a channel to them. */
static void seed(const sweep *s, const hf_goals *goals) {
    const uint32_t width = s->out->width, first = s->block * PER_WORD * width;
    for (uint32_t way = HF_UP; way <= HF_DOWN; way++) {
        memset(s->distance[way], FAR, rows_of(s, way) * PER_WORD * width);
    }
    for (uint32_t g = first; g < goals->n_row && g < first + PER_WORD * width; g++) {
        const uint32_t n = hf_goals_seeds(goals, g);
        for (uint32_t i = 0; i < n; i++) {
            const size_t at = (size_t)goals->queue[i] * PER_WORD * width + place_of(g - first, width);
            s->distance[HF_UP][at] = s->distance[HF_DOWN][at] = 0;
        }
    }
}

static hf_status sweep_all(hf_context *cx, const hf_goals *goals, uint32_t n_block, sweep *s) {
    for (uint32_t way = HF_UP; way <= HF_DOWN; way++) {
        HF_TRY(hf_scratch(cx, rows_of(s, way) * PER_WORD * s->out->width, 1, (void **)&s->distance[way]));
    }
    for (s->block = 0; s->block < n_block; s->block++) {
        HF_TRY(hf_context_go_on(cx, hf_goals_doing));
        seed(s, goals);
        s->adds = false;
        while (find_round(s)) {
            begin_anew(s);
            s->adds = true;
        }
    }
    return HF_OK;
}

static hf_status list_arcs(hf_context *cx, const hf_goals *goals, const uint32_t *level, const hf_updown_offers *out, sweep *s) {
    const hf_topology *topo = goals->topo;
    uint32_t *head, *row;
    HF_TRY(hf_scratch(cx, topo->n_channel, sizeof *head, (void **)&head));
    HF_TRY(hf_scratch(cx, topo->n_channel, sizeof *row, (void **)&row));
    for (uint32_t i = 0; i < topo->n_channel; i++) {
        const uint32_t c = topo->out_list[i], from = topo->from[c];
        const bool is_on = !hf_topology_is_terminal(topo, topo->to[c]) && !hf_goals_is_failed(goals, c);
        const bool is_up = is_on && (hf_topology_is_terminal(topo, from) || hf_updown_is_up(topo, level, c));
        out->way[i] = is_on ? (is_up ? HF_UP : HF_DOWN) : HF_NO_WAY;
        row[i] = is_on ? 2 * from + out->way[i] : HF_NONE;
        head[i] = topo->to[c];
    }
    s->head = head;
    return hf_rows_of(cx, 2 * (size_t)topo->n_node, NULL, topo->n_channel, row, &s->arcs);
}

static hf_status find(hf_context *cx, const hf_goals *goals, const uint32_t *level, uint32_t n_block, hf_updown_offers *out) {
    sweep s = {.topo = goals->topo, .out = out};
    hf_rows by_level;
    HF_TRY(list_arcs(cx, goals, level, out, &s));
    HF_TRY(hf_rows_of(cx, (size_t)goals->topo->n_switch + 1, NULL, goals->topo->n_switch, level, &by_level));
    s.order = by_level.item;
    return sweep_all(cx, goals, n_block, &s);
}

hf_status hf_updown_find_offers(hf_context *cx, const hf_goals *goals, const uint32_t *level, hf_updown_offers *out) {
    const hf_topology *topo = goals->topo;
    out->width = goals->n_row > PER_WORD ? HF_OFFERED_WORDS : 1;
    const uint32_t n_block = (goals->n_row + PER_WORD * out->width - 1) / (PER_WORD * out->width);
    HF_TRY(hf_scratch(cx, hf_updown_offer_at(out, topo, n_block, 0), sizeof *out->offer, (void **)&out->offer));
    HF_TRY(hf_scratch(cx, hf_updown_falls_at(out, topo, n_block, 0), sizeof *out->falls, (void **)&out->falls));
    HF_TRY(hf_scratch(cx, topo->n_channel, sizeof *out->way, (void **)&out->way));
    const hf_mark mark = hf_scratch_mark(cx);
    const hf_status status = find(cx, goals, level, n_block, out);
    hf_scratch_reset(cx, mark);
    return status;
}
