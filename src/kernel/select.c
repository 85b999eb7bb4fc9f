/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Which hops are free for a header, and which of them it asks for: selection functions. Source: [gomez2010, 4.3]. */
#include "src/kernel/trains.h"

const char *const hf_selection_names[HF_SELECTIONS + 1] = {"cyclic", "first",     "credits",  "escape-last", "ssp",
                                                           "sdp",    "sop",       "sadp",     "adap-lin",    "random",
                                                           "ugal",   "unblocked", "balanced", NULL};

const char *hf_selection_name(hf_selection selection) { return hf_selection_names[selection]; }

/* Digit i of a number in base k, the least significant is 0. */
static uint32_t digit(uint32_t number, uint32_t i, uint32_t k) {
    for (; i > 0; i--) {
        number /= k;
    }
    return number % k;
}

/* The up port that the header in front of a lane at a switch prefers. */
static uint32_t preferred_port(const hf_kernel *k, uint32_t lane) {
    const hf_kary_tree *tree = &k->tree;
    const hf_packet *p = &k->packet[k->lane[lane].packet];
    const uint32_t node = hf_lane_node(k, lane), stage = node / tree->width;
    switch (k->o.selection) {
    case HF_SELECT_SSP:
        return tree->k + digit(node % tree->width, stage, tree->k);
    case HF_SELECT_SDP:
        return tree->k + digit(p->destination, 0, tree->k);
    case HF_SELECT_SOP:
        return tree->k + digit(p->source, 0, tree->k);
    case HF_SELECT_SADP:
        return tree->k + digit(p->destination, stage, tree->k);
    default:
        return tree->k + digit(p->source, stage, tree->k);
    }
}

/* Where the search starts: of a tree, at the first hop from the preferred port on. A switch whose headers choose once has one
 * place for `cyclic`, the port that was chosen last; else every buffer has its own. */
static uint32_t start_of(const hf_kernel *k, uint32_t lane, const hf_hop *hops) {
    const hf_lane *l = &k->lane[lane];
    const bool is_cyclic = k->o.selection == HF_SELECT_CYCLIC;
    if (l->n_hop == 1) {
        return 0;
    }
    if ((is_cyclic && !k->o.choose_once) || k->o.selection == HF_SELECT_RANDOM) {
        return l->turn < l->n_hop ? l->turn : 0;
    }
    const bool is_in_order = k->o.selection <= HF_SELECT_CREDITS || k->o.selection == HF_SELECT_BALANCED;
    if ((is_in_order && !is_cyclic) || lane >= k->n_resource) {
        return 0;
    }
    const uint32_t port = is_cyclic ? k->chosen[l->node] + 1 : preferred_port(k, lane);
    uint32_t i = 0;
    while (i < l->n_hop && k->topo->from_port[hops[i].channel] < port) {
        i++;
    }
    return i < l->n_hop ? i : 0;
}

/* Packets that a buffer must have room for beside the one that comes in. */
static uint32_t to_spare(const hf_kernel *k, uint32_t lane, uint32_t q) {
    const bool enters = k->ring && k->ring[q] != HF_NONE && hf_flow_control_keeps(k->plain, q / k->n_vc) &&
                        (lane >= k->n_resource || k->ring[lane] != k->ring[q]);
    const bool comes_in = k->o.injection_room > 1 && k->lane[lane].place == HF_LANE_INJECTION && k->lane[q].place != HF_LANE_SINK;
    return comes_in ? k->o.injection_room - 1 : enters;
}

uint32_t hf_kernel_need(const hf_kernel *k, uint32_t lane, uint32_t q) {
    return k->packet[k->lane[lane].packet].length + to_spare(k, lane, q) * k->o.packet_length;
}

bool hf_kernel_has_room(const hf_kernel *k, uint32_t lane, uint32_t q, uint32_t space) {
    if (k->o.switching == HF_SWITCHING_WORMHOLE) {
        return k->o.reuse_early ? space > 0 : space == hf_kernel_capacity(k, q);
    }
    return space >= hf_kernel_need(k, lane, q);
}

bool hf_kernel_is_free(const hf_kernel *k, uint32_t lane, uint32_t q) {
    return k->owner[q] == HF_NONE && hf_kernel_has_room(k, lane, q, k->queue || k->trains ? hf_kernel_room(k, q) : k->credit[q]);
}

static bool is_free(const hf_kernel *k, uint32_t lane, const hf_hop *hop) {
    return hf_kernel_is_free(k, lane, hop->channel * k->n_vc + hop->vc);
}

/* What a header that chooses once counts as free. */
static bool counts_as_free(const hf_kernel *k, uint32_t lane, const hf_hop *hop) {
    const uint32_t q = hop->channel * k->n_vc + hop->vc;
    const bool needs_credits = k->o.free == HF_FREE_CREDITS || k->o.free == HF_FREE_IDLE_CREDITS;
    return is_free(k, lane, hop) && (!needs_credits || hf_kernel_credits(k, q) >= k->packet[k->lane[lane].packet].length) &&
           (k->o.free < HF_FREE_IDLE || !k->queue || hf_kernel_queue_count(k, q) == 0);
}

/* The first of the lane's n_other hops that is free, cyclic; else of the escape, which stands behind them. */
static uint32_t select_escape_last(const hf_kernel *k, uint32_t lane, const hf_hop *hops) {
    const hf_lane *l = &k->lane[lane];
    for (uint32_t tried = 0; tried < l->n_other; tried++) {
        const uint32_t i = (l->turn + tried) % l->n_other;
        if (is_free(k, lane, &hops[i])) {
            return i;
        }
    }
    for (uint32_t i = l->n_other; i < l->n_hop; i++) {
        if (is_free(k, lane, &hops[i])) {
            return i;
        }
    }
    return HF_NONE;
}

void hf_kernel_draw_channel(hf_kernel *k, uint32_t lane, hf_hop *hops) {
    hf_lane *l = &k->lane[lane];
    uint32_t first = 0, seen = 0, kept = 0;
    hf_random random;
    hf_random_init(&random, k->seed, HF_PURPOSE_SELECTION, k->counts.cycle * k->n_lane + lane);
    for (uint32_t i = 0; i < l->n_hop; i++) {
        const bool is_new = i == 0 || hops[i].channel != hops[i - 1].channel;
        first = is_new && hf_random_below(&random, ++seen) == 0 ? i : first;
    }
    const uint32_t channel = hops[first].channel;
    for (uint32_t i = first; i < l->n_hop && hops[i].channel == channel; i++) {
        hops[kept++] = hops[i];
    }
    l->n_hop = kept;
}

typedef bool suits(const hf_kernel *k, uint32_t lane, const hf_hop *hop);

/* What tells hops that suit apart: the most is best. */
static uint64_t merit(const hf_kernel *k, const hf_hop *hop) {
    return k->o.selection == HF_SELECT_BALANCED  ? UINT64_MAX - k->dealt[hop->channel]
           : k->o.selection == HF_SELECT_CREDITS ? hf_kernel_credits(k, hop->channel * k->n_vc + hop->vc)
                                                 : 0;
}

/* The first hop that suits, from the preferred one on; where some have more merit than others, the first of the best. */
static uint32_t search(const hf_kernel *k, uint32_t lane, const hf_hop *hops, suits *it_suits) {
    const uint32_t n = k->lane[lane].n_hop;
    const bool is_first = k->o.selection != HF_SELECT_CREDITS && k->o.selection != HF_SELECT_BALANCED;
    uint32_t i = start_of(k, lane, hops), best = HF_NONE;
    uint64_t most = 0;
    for (uint32_t tried = 0; tried < n; tried++) {
        const uint64_t now = is_first ? 0 : merit(k, &hops[i]);
        if (it_suits(k, lane, &hops[i]) && (best == HF_NONE || now > most)) {
            best = i;
            most = now;
            if (is_first) {
                break;
            }
        }
        i = i + 1 < n ? i + 1 : 0;
    }
    return best;
}

uint32_t hf_kernel_select(const hf_kernel *k, uint32_t lane) {
    const hf_hop *hops = hf_lane_hops(k, lane);
    return k->o.selection == HF_SELECT_ESCAPE_LAST ? select_escape_last(k, lane, hops) : search(k, lane, hops, is_free);
}

static bool is_any(const hf_kernel *k, uint32_t lane, const hf_hop *hop) {
    (void)k, (void)lane, (void)hop;
    return true;
}

/* Flits that wait for a hop, one more where a packet has its virtual channel, times the channels that are left. */
static uint64_t product(const hf_kernel *k, uint32_t lane, const hf_hop *hop) {
    const uint32_t q = hop->channel * k->n_vc + hop->vc, destination = k->packet[k->lane[lane].packet].destination;
    const uint64_t waiting = hf_kernel_capacity(k, q) - hf_kernel_room(k, q) + (k->owner[q] != HF_NONE);
    return waiting * hf_plan_length(k->plan, *hop, destination);
}

static uint32_t find_least(const hf_kernel *k, uint32_t lane, const hf_hop *hops) {
    uint32_t best = 0;
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < k->lane[lane].n_hop; i++) {
        const uint64_t now = product(k, lane, &hops[i]);
        best = now < least ? i : best;
        least = now < least ? now : least;
    }
    return best;
}

/* The rotating search of gomez2010, 4.3.1: where nothing is free it comes back to where it started. */
uint32_t hf_kernel_choose(hf_kernel *k, uint32_t lane, const hf_hop *hops) {
    if (k->o.selection == HF_SELECT_UGAL) {
        return find_least(k, lane, hops);
    }
    const uint32_t free = search(k, lane, hops, counts_as_free);
    const uint32_t i = free != HF_NONE ? free : search(k, lane, hops, is_any);
    if (k->chosen) {
        k->chosen[k->lane[lane].node] = k->topo->from_port[hops[i].channel];
    }
    return i;
}

void hf_kernel_deal(hf_kernel *k, uint32_t lane, uint32_t channel) {
    if (k->dealt) {
        k->dealt[channel] += k->packet[k->lane[lane].packet].length;
    }
}

void hf_kernel_deal_anew(hf_kernel *k, uint32_t node) {
    for (uint32_t i = k->topo->out_begin[node]; k->dealt && i < k->topo->out_begin[node + 1]; i++) {
        k->dealt[k->topo->out_list[i]] = 0;
    }
}
