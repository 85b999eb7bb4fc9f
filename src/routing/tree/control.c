/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  FT2EI at run time: the control packets that tell the switches of the stage below a failed down link what to exclude, and the
 *  emergency paths. A switch that gets the packet takes up all that the plan with the fault has for it; so faults that come one
 *  after the other end as the plan says, and a switch that fails as one, with several links, changes with the first packet.
 *  What a switch that loses destinations passes on to the stage below is sent when it changes.
 *  Source: [gomez2010, 3.3]. */
#include <holdfast/core/bitset.h>

#include "src/routing/tree/control.h"

/* hf_notice.kind: spread the news of the fault at switch `about`; or exclude what the switch `about` cannot reach any more. */
enum { SPREAD, EXCLUDE };

static const hf_tree *tree_of(const hf_transition *t) { return &((const hf_ft2ei *)t->after->state)->tree; }

/* Exclusion registers of the up ports of a switch, NULL: all empty. */
static const hf_interval_list *excluded_by(const hf_plan *plan, uint32_t sw) { return ((const hf_ft2ei *)plan->state)->port[sw]; }

static bool is_healthy(const hf_transition *t, uint32_t channel) { return !hf_bit_test(t->after->faults->channel_set, channel); }

hf_port_range hf_tree_news_ports(const hf_tree *tree, const uint64_t *failed, const hf_interval_list *excluded, uint32_t sw) {
    uint32_t end = 0;
    for (uint32_t j = 0; j < tree->k; j++) {
        if (!hf_bit_test(failed, hf_tree_up_channel(tree, sw, j)) && (!excluded || excluded[j].count == 0)) {
            return (hf_port_range){j, j + 1};
        }
    }
    for (uint32_t d = 0; d < tree->n_terminal && end < tree->k; d++) {
        uint32_t j = 0; /* the first port that serves d */
        while (j < tree->k && (hf_bit_test(failed, hf_tree_up_channel(tree, sw, j)) || hf_interval_list_has(&excluded[j], d))) {
            j++;
        }
        const uint32_t needed = j < tree->k ? j + 1 : tree->k;
        end = needed > end && !hf_tree_is_below(tree, sw, d) ? needed : end;
    }
    return (hf_port_range){0, end};
}

/* By what the switch knew before the fault. */
static hf_status send_up(const hf_transition *t, const hf_tree *tree, const hf_notice *n, hf_outbox *out) {
    const hf_port_range ports = hf_tree_news_ports(tree, t->after->faults->channel_set, excluded_by(t->before, n->at), n->at);
    for (uint32_t j = ports.begin; j < ports.end; j++) {
        const uint32_t channel = hf_tree_up_channel(tree, n->at, j);
        HF_TRY(is_healthy(t, channel) ? out->send(out, channel, *n) : HF_OK);
    }
    return HF_OK;
}

static hf_status send_down(const hf_transition *t, const hf_tree *tree, const hf_notice *n, hf_outbox *out) {
    for (uint32_t l = 0; l < tree->k; l++) {
        const uint32_t channel = hf_tree_down_channel(tree, n->at, l);
        HF_TRY(is_healthy(t, channel) ? out->send(out, channel, *n) : HF_OK);
    }
    return HF_OK;
}

static bool is_same(const hf_interval_list *a, const hf_interval_list *b) {
    bool same = a->count == b->count;
    for (uint32_t i = 0; same && i < a->count; i++) {
        same = a->item[i].lo == b->item[i].lo && a->item[i].hi == b->item[i].hi;
    }
    return same;
}

/* Does the port of `lower` that leads to `sw` exclude something, and not what it did? */
static bool hears_of(const hf_transition *t, const hf_tree *tree, uint32_t lower, uint32_t sw) {
    static const hf_interval_list none = {NULL, 0, 0};
    const uint32_t port = hf_tree_digit(tree, sw % tree->width, hf_tree_stage(tree, sw) - 1);
    const hf_interval_list *was = excluded_by(t->before, lower), *is = excluded_by(t->after, lower);
    return is && is[port].count > 0 && !is_same(was ? &was[port] : &none, &is[port]);
}

static hf_status take_up(const hf_transition *t, const hf_tree *tree, uint32_t sw, hf_outbox *out) {
    out->change(out, sw, 1);
    for (uint32_t l = 0; hf_tree_stage(tree, sw) > 0 && l < tree->k; l++) {
        const uint32_t channel = hf_tree_down_channel(tree, sw, l);
        if (is_healthy(t, channel) && hears_of(t, tree, hf_tree_under(tree, sw, l), sw)) {
            HF_TRY(out->send(out, channel, (hf_notice){.kind = EXCLUDE, .about = sw}));
        }
    }
    return HF_OK;
}

/* The two ends of every channel that has failed know; the upper end spreads the news. */
static hf_status begin(hf_context *cx, hf_transition *t, hf_outbox *out) {
    (void)cx;
    const hf_topology *topo = t->after->topo;
    const hf_tree *tree = tree_of(t);
    for (uint32_t i = 0; i < t->after->faults->n_channel; i++) {
        const uint32_t channel = t->after->faults->channel[i], from = topo->from[channel], to = topo->to[channel];
        const bool is_old = hf_bit_test(t->before->faults->channel_set, channel);
        if (is_old || hf_topology_is_terminal(topo, from) || hf_bit_test(t->after->faults->switch_set, from)) {
            continue;
        }
        if (hf_topology_is_terminal(topo, to) || from < to) {
            HF_TRY(take_up(t, tree, from, out));
        } else {
            out->change(out, from, 1);
            HF_TRY(out->later(out, 1, (hf_notice){.at = from, .kind = SPREAD, .about = from}));
        }
    }
    return HF_OK;
}

static hf_status receive(const hf_transition *t, const hf_notice *n, hf_outbox *out) {
    const hf_tree *tree = tree_of(t);
    const uint32_t stage = hf_tree_stage(tree, n->at), fault_stage = hf_tree_stage(tree, n->about);
    const bool goes_up = n->in == HF_NONE || hf_tree_stage(tree, t->after->topo->from[n->in]) < stage;
    if (n->kind == EXCLUDE || (!goes_up && stage + 1 == fault_stage)) {
        return take_up(t, tree, n->at, out);
    }
    return goes_up && stage + 1 < tree->n ? send_up(t, tree, n, out) : send_down(t, tree, n, out);
}

/* Down by another healthy link: the switch there sends the packet up again [3.3.4]. */
static size_t deviate(const hf_transition *t, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    (void)in;
    const hf_tree *tree = tree_of(t);
    size_t count = 0;
    if (hf_tree_stage(tree, at) == 0 || !hf_tree_is_below(tree, at, destination)) {
        return 0;
    }
    for (uint32_t l = 0; l < tree->k; l++) {
        const uint32_t channel = hf_tree_down_channel(tree, at, l);
        if (is_healthy(t, channel)) {
            hops[count++] = (hf_hop){channel, 0, 0};
        }
    }
    return hf_route_on_all_vcs(t->after, hops, count);
}

const hf_reconfiguration hf_tree_reconfiguration = {
    .final_stage = 1,
    .begin = begin,
    .receive = receive,
    .deviate = deviate,
};
