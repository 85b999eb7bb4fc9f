/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Blocked routers while packets are on their way: one that lacks, in some direction, a healthy and free output to a terminal
 *  or to a router that is not blocked. Each direction counts its outputs of that kind, and what changes is handed on at once to
 *  those in front. Source: [chong1992, 3]: the flow control of its routers, "unused, operational output port in each logical
 *  direction which leads to a router which is not blocked". */
#include <string.h>

#include <holdfast/core/bitset.h>

#include "src/kernel/kernel.h"

struct hf_blockages {
    const hf_topology *topo;
    uint32_t *slot;  /* by channel: place of its direction in `count`; HF_NONE: it does not count */
    uint32_t *count; /* of a direction: outputs that can be taken and lead on */
    uint32_t *shut;  /* by switch: directions without one */
    bool *is_open;   /* by channel: healthy and free */
};

static bool leads_on(const hf_blockages *b, uint32_t channel) {
    const uint32_t to = b->topo->to[channel];
    return b->is_open[channel] && (hf_topology_is_terminal(b->topo, to) || b->shut[to] == 0);
}

/* An output of a direction comes or goes. \return whether its switch has now become blocked, or is no longer */
static bool change(hf_blockages *b, uint32_t channel, bool comes) {
    if (b->slot[channel] == HF_NONE) {
        return false;
    }
    uint32_t *count = &b->count[b->slot[channel]], *shut = &b->shut[b->topo->from[channel]];
    *count += comes ? 1 : UINT32_MAX;
    if (*count != (comes ? 1 : 0)) {
        return false;
    }
    *shut += comes ? UINT32_MAX : 1;
    return *shut == (comes ? 0 : 1);
}

/* Ways of such rules have no cycles, so this ends. */
static void hand_on(hf_blockages *b, uint32_t channel, bool comes) { // NOLINT(misc-no-recursion)
    const hf_topology *topo = b->topo;
    if (!change(b, channel, comes)) {
        return;
    }
    const uint32_t sw = topo->from[channel];
    for (uint32_t i = topo->in_begin[sw]; i < topo->in_begin[sw + 1]; i++) {
        if (b->is_open[topo->in_list[i]]) {
            hand_on(b, topo->in_list[i], comes);
        }
    }
}

void hf_kernel_blockage(hf_kernel *k, uint32_t channel, bool is_free) {
    hf_blockages *b = k->blockages;
    const uint32_t to = k->topo->to[channel];
    b->is_open[channel] = is_free;
    if (hf_topology_is_terminal(k->topo, to) || b->shut[to] == 0) {
        hand_on(b, channel, is_free);
    }
}

bool hf_kernel_is_unblocked(const hf_kernel *k, uint32_t channel) { return leads_on(k->blockages, channel); }

/* Directions get places in the order of channels. A direction without a healthy output has none from the start. */
static hf_status number_directions(hf_kernel *k, hf_blockages *b) {
    const hf_topology *topo = k->topo;
    uint32_t n = 0, *first; /* by direction of one switch */
    HF_TRY(hf_scratch(k->cx, topo->n_channel, sizeof *first, (void **)&first));
    for (uint32_t v = 0; v < topo->n_node; v++) {
        const uint32_t begin = topo->out_begin[v], end = topo->out_begin[v + 1];
        memset(first, 0xff, (end - begin) * sizeof *first);
        for (uint32_t i = begin; i < end; i++) {
            const uint32_t c = topo->out_list[i],
                           d = v < topo->n_switch ? k->plan->routing->direction(hf_plan_own(k->plan), c) : HF_NONE;
            if (d == HF_NONE) {
                b->slot[c] = HF_NONE;
                continue;
            }
            b->shut[v] += first[d] == HF_NONE;
            first[d] = first[d] == HF_NONE ? n++ : first[d];
            b->slot[c] = first[d];
        }
    }
    return hf_scratch(k->cx, n, sizeof *b->count, (void **)&b->count);
}

hf_status hf_kernel_blockages_new(hf_kernel *k) {
    hf_blockages *b;
    if (k->o.selection != HF_SELECT_UNBLOCKED) {
        return HF_OK;
    }
    if (!k->plan->routing->direction || k->n_vc > 1) {
        HF_FAIL(k->cx, HF_ENOTSUP, "selection unblocked is for rules that know the directions of a switch, not for \"%s\"",
                k->plan->routing->name);
    }
    HF_TRY(hf_scratch(k->cx, 1, sizeof *b, (void **)&b));
    b->topo = k->topo;
    HF_TRY(hf_scratch(k->cx, k->topo->n_channel, sizeof *b->slot, (void **)&b->slot));
    HF_TRY(hf_scratch(k->cx, k->topo->n_node, sizeof *b->shut, (void **)&b->shut));
    HF_TRY(hf_scratch(k->cx, k->topo->n_channel, sizeof *b->is_open, (void **)&b->is_open));
    HF_TRY(number_directions(k, b));
    k->blockages = b;
    for (uint32_t c = 0; c < k->topo->n_channel; c++) {
        if (!hf_bit_test(k->down, c)) {
            hf_kernel_blockage(k, c, true);
        }
    }
    return HF_OK;
}
