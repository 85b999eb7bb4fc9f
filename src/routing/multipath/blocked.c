/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Live endpoints and blocked routers of a multipath network, all directions of a router in a word or two.
 *  Source: [chong1992, 3; figure 7]. */
#include <assert.h>
#include <string.h>

#include <holdfast/core/bitset.h>

#include "src/routing/multipath/live.h"

#define LOW7 UINT64_C(0x7f7f7f7f7f7f7f7f)
enum { NEEDED = 0x80 };

/** The highest bit of every byte that is 0. */
static uint64_t zero_bytes(uint64_t x) { return ~(((x & LOW7) + LOW7) | x | LOW7); }

static uint64_t word_at(const uint8_t *bytes, size_t n) {
    uint64_t word = 0;
    memcpy(&word, bytes, n);
    return word;
}

/** Endpoints with a healthy channel in and one out, or all. */
static void keep_joined(hf_remains *r) {
    const uint8_t *first = r->healthy + r->first_end;
    const uint16_t *last = r->ways_in + r->topo->n_switch;
    uint8_t *needed = r->needed;
    if (r->policy == HF_LIVE_NONE) {
        memset(needed, NEEDED, r->topo->n_terminal);
        return;
    }
    for (uint32_t t = 0; t < r->topo->n_terminal; t++) {
        needed[t] = (uint8_t)(((first[t] != 0) & (last[t] != 0)) << 7);
    }
}

/** A blocked router is no better than none to those that lead to it; if blockages spread once, to endpoints only. */
static void shut(hf_remains *r, uint32_t sw) {
    const hf_topology *topo = r->topo;
    const uint32_t *in = topo->in_list, *slot = r->slot, end = topo->in_begin[sw + 1];
    const uint64_t *failed = r->failed;
    uint8_t *working = r->working;
    r->blocked[sw] = 1;
    const bool tells = r->ways_in[sw] > 0 && (r->spread == HF_SPREAD_FULL || sw < r->net.width);
    for (uint32_t i = tells ? topo->in_begin[sw] : end; i < end; i++) {
        uint8_t *count = &working[slot[in[i]]];
        *count = (uint8_t)(*count - !hf_bit_test(failed, in[i]));
    }
}

/** One class of routers. `needed` marks the directions with live endpoints; the others need not work. A router with nothing but
 *  such is not blocked. */
static void shut_class(hf_remains *r, uint32_t first, uint32_t size, const uint64_t needed[2]) {
    const bool is_any = r->rule == HF_BLOCKED_ANY;
    if ((needed[0] | needed[1]) == 0) {
        return;
    }
    for (uint32_t sw = first; sw < first + size; sw++) {
        const uint8_t *working = r->working + (size_t)sw * r->stride;
        const uint64_t low = zero_bytes(word_at(working, 8)) & needed[0];
        const uint64_t high = r->stride > 8 ? zero_bytes(word_at(working + 8, 8)) & needed[1] : 0;
        if (is_any ? (low | high) != 0 : low == needed[0] && high == needed[1]) {
            shut(r, sw);
        }
    }
}

/** What is needed of a stage: groups of radix directions of the stage behind it. \param[in] n groups */
static void gather_needed(uint8_t *to, const uint8_t *from, uint32_t n, uint32_t radix) {
    for (uint32_t i = 0; i < n; i++) {
        to[i] = 0;
        for (uint32_t j = 0; j < radix; j++) {
            to[i] |= from[(size_t)i * radix + j];
        }
    }
}

/** From the last stage to the first, so that one pass is enough. */
static void find_blocked(hf_remains *r) {
    const hf_multipath *net = &r->net;
    const uint32_t radix = net->radix, n_low = radix < 8 ? radix : 8;
    uint8_t *needed = r->needed; /* of this stage: a byte a direction of a class */
    uint32_t n_class = r->topo->n_terminal;
    memcpy(r->working, r->healthy, r->first_end + r->topo->n_terminal);
    memset(r->blocked, 0, r->topo->n_switch);
    for (uint32_t stage = net->n_stage; stage-- > 0;) {
        const uint32_t n = stage + 1 == net->n_stage ? net->width * net->dilation : net->width;
        assert(radix > 0 && n_class >= radix);
        n_class /= radix;
        for (uint32_t class = 0; class < n_class; class ++) {
            const uint8_t *own = needed + (size_t) class * radix;
            const uint64_t word[2] = {word_at(own, n_low), word_at(own + n_low, radix - n_low)};
            shut_class(r, stage * net->width + class * (n / n_class), n / n_class, word);
        }
        gather_needed(needed + (size_t)n_class * radix, needed, n_class, radix);
        needed += (size_t)n_class * radix;
    }
}

/** Drop endpoints all of whose first routers are blocked. */
static void drop_blocked(hf_remains *r) {
    const uint8_t *first = r->working + r->first_end;
    uint8_t *needed = r->needed;
    for (uint32_t t = 0; t < r->topo->n_terminal; t++) {
        needed[t] = first[t] ? needed[t] : 0;
    }
}

static void pack_live(hf_remains *r) {
    memset(r->live, 0, r->words * sizeof *r->live);
    for (uint32_t t = 0; t < r->topo->n_terminal; t++) {
        r->live[t >> 6] |= (uint64_t)(r->needed[t] >> 7) << (t & 63);
    }
}

void hf_remains_find_live(hf_remains *r) {
    keep_joined(r);
    if (r->policy == HF_LIVE_FAULT_PROPAGATION) {
        find_blocked(r);
        drop_blocked(r);
    }
    pack_live(r);
}
