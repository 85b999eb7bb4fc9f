/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  FT2EI at run time: the control packets that tell the switches of the stage below a failed down link what to exclude, and the
 *  emergency paths. A switch that gets the packet takes up all that the plan with the fault has for it; so faults that come one
 *  after the other end as the plan says, and a switch that fails as one, with several links, changes with the first packet.
 *  What a switch that loses destinations passes on to the stage below is sent when it changes.
 *  Source: [gomez2010, 3.3]. */
#include <holdfast/bitset.h>

#include "src/routing/tree_control.h"

/* hf_notice.kind: spread the news of the fault at switch `about`; or exclude what the switch `about` cannot reach any more. */
enum { SPREAD, EXCLUDE };

static void tree_of(const hf_transition *t, hf_tree *tree) { (void)hf_tree_of(t->after->topo, tree); }

static bool is_healthy(const hf_transition *t, uint32_t channel) { return !hf_bit_test(t->after->faults->channel_set, channel); }

/* Does the up port exclude anything? */
static size_t exclusions(const hf_plan *plan, uint32_t sw, uint32_t port) {
    return plan->routing->registers(plan, sw, port, NULL, 0);
}

/* An up port that excludes nothing leads to every switch that has to hear of a fault below. Faults that come at once count too,
 * as if each had been heard of: the text has one fault at a time. */
static bool leads_everywhere(const hf_transition *t, uint32_t sw, uint32_t port) {
    return exclusions(t->before, sw, port) == 1 && exclusions(t->after, sw, port) == 1;
}

/* Up by one healthy port that excludes nothing; if there is none, by every healthy one [3.3.3]. */
static hf_status send_up(const hf_transition *t, const hf_tree *tree, const hf_notice *n, hf_outbox *out) {
    for (uint32_t j = 0; j < tree->k; j++) {
        const uint32_t channel = hf_tree_up_channel(tree, n->at, j);
        if (is_healthy(t, channel) && leads_everywhere(t, n->at, tree->k + j)) {
            return out->send(out, channel, *n);
        }
    }
    for (uint32_t j = 0; j < tree->k; j++) {
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

/* Do the registers of a port of `sw` differ? Of a port with more of them than are looked at, yes. */
static bool differ(const hf_transition *t, uint32_t sw, uint32_t port) {
    enum { LOOKED_AT = 64 };
    hf_register was[LOOKED_AT], is[LOOKED_AT];
    const size_t before = t->before->routing->registers(t->before, sw, port, was, LOOKED_AT);
    const size_t after = t->after->routing->registers(t->after, sw, port, is, LOOKED_AT);
    bool is_same = before == after && after <= LOOKED_AT;
    for (size_t i = 0; is_same && i < after; i++) {
        is_same = was[i].value.lo == is[i].value.lo && was[i].value.hi == is[i].value.hi;
    }
    return !is_same;
}

/* Does the port of `lower` that leads to `sw` exclude something, and not what it did? */
static bool hears_of(const hf_transition *t, const hf_tree *tree, uint32_t lower, uint32_t sw) {
    const uint32_t port = tree->k + hf_tree_digit(tree, sw % tree->width, hf_tree_stage(tree, sw) - 1);
    return exclusions(t->after, lower, port) > 1 && differ(t, lower, port);
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
    hf_tree tree;
    tree_of(t, &tree);
    for (uint32_t i = 0; i < t->after->faults->n_channel; i++) {
        const uint32_t channel = t->after->faults->channel[i], from = topo->from[channel], to = topo->to[channel];
        const bool is_old = hf_bit_test(t->before->faults->channel_set, channel);
        if (is_old || hf_topology_is_terminal(topo, from) || hf_bit_test(t->after->faults->switch_set, from)) {
            continue;
        }
        if (hf_topology_is_terminal(topo, to) || from < to) {
            HF_TRY(take_up(t, &tree, from, out));
        } else {
            out->change(out, from, 1);
            HF_TRY(out->later(out, 1, (hf_notice){.at = from, .kind = SPREAD, .about = from}));
        }
    }
    return HF_OK;
}

static hf_status receive(const hf_transition *t, const hf_notice *n, hf_outbox *out) {
    hf_tree tree;
    tree_of(t, &tree);
    const uint32_t stage = hf_tree_stage(&tree, n->at), fault_stage = hf_tree_stage(&tree, n->about);
    const bool goes_up = n->in == HF_NONE || hf_tree_stage(&tree, t->after->topo->from[n->in]) < stage;
    if (n->kind == EXCLUDE || (!goes_up && stage + 1 == fault_stage)) {
        return take_up(t, &tree, n->at, out);
    }
    return goes_up && stage + 1 < tree.n ? send_up(t, &tree, n, out) : send_down(t, &tree, n, out);
}

/* Down by another healthy link: the switch there sends the packet up again [3.3.4]. */
static size_t deviate(const hf_transition *t, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    (void)in;
    hf_tree tree;
    size_t count = 0;
    tree_of(t, &tree);
    if (hf_tree_stage(&tree, at) == 0 || !hf_tree_is_below(&tree, at, destination)) {
        return 0;
    }
    for (uint32_t l = 0; l < tree.k; l++) {
        const uint32_t channel = hf_tree_down_channel(&tree, at, l);
        if (is_healthy(t, channel)) {
            hops[count++] = (hf_hop){channel, 0, 0};
        }
    }
    return count;
}

const hf_reconfiguration hf_tree_reconfiguration = {
    .final_stage = 1,
    .begin = begin,
    .receive = receive,
    .deviate = deviate,
};
