/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The contract of a rule, held where its relation is read: what a rule in C gets wrong is one sentence that names the rule, the
 *  place and the hop, and neither a wrong answer nor a write beyond an array. */
#include <holdfast/routing.h>

#include <stdio.h>
#include <string.h>

#include <holdfast/core/bitset.h>

#include "src/core/index.h"

/* Where the rule was asked: "s3, in by s1:2>s3:0 vc 0, for t5". */
static void name_place(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, char *text, size_t size) {
    char node[HF_NAME_SIZE], way[HF_NAME_SIZE], goal[HF_NAME_SIZE];
    hf_topology_node_name(plan->topo, at, node, sizeof node);
    hf_topology_terminal_name(plan->topo, destination, goal, sizeof goal);
    if (in.channel >= plan->topo->n_channel) {
        snprintf(text, size, "%s, for %s", node, goal);
        return;
    }
    hf_topology_channel_name(plan->topo, in.channel, way, sizeof way);
    snprintf(text, size, "%s, in by %s vc %u, for %s", node, way, in.vc, goal);
}

static void name_hop(const hf_topology *topo, hf_hop hop, char *text, size_t size) {
    char way[HF_NAME_SIZE];
    if (hop.channel >= topo->n_channel) {
        snprintf(text, size, "channel %u vc %u", hop.channel, hop.vc);
        return;
    }
    hf_topology_channel_name(topo, hop.channel, way, sizeof way);
    snprintf(text, size, "%s vc %u", way, hop.vc);
}

/* What is wrong with hop i; "" if nothing is. */
static void find_fault(const hf_plan *plan, uint32_t at, const hf_hop *hops, size_t i, char *text, size_t size) {
    const hf_topology *topo = plan->topo;
    const hf_hop h = hops[i];
    *text = '\0';
    if (h.channel >= topo->n_channel) {
        snprintf(text, size, "there is no such channel; need one below %u", topo->n_channel);
    } else if (topo->from[h.channel] != at) {
        snprintf(text, size, "it does not leave the node");
    } else if (h.vc >= plan->n_vc) {
        snprintf(text, size, "the virtual channel is out of range; the plan has n_vc = %u", plan->n_vc);
    } else if (h.tag >= HF_TAG_END) {
        snprintf(text, size, "tag %u is out of range; need one below %u", h.tag, HF_TAG_END);
    }
    for (size_t j = 0; j < i && !*text; j++) {
        if (hf_hop_is(hops[j], h)) {
            snprintf(text, size, "it is the same as hop %zu", j + 1);
        }
    }
}

/* Hops with different hashes differ; of the others, which are few among 16 n bits, some that do differ are compared, too. */
bool hf_plan_hops_are_right(const hf_plan *plan, uint32_t at, const hf_hop *hops, size_t n) {
    enum { LEAST = 6, MOST = 12 }; /* of the bits, as powers of two */
    uint64_t seen[1 << (MOST - 6)];
    unsigned power = LEAST;
    while (power < MOST && (size_t)1 << power < 16 * n) {
        power++;
    }
    memset(seen, 0, ((size_t)1 << power) / 8);
    for (size_t i = 0; i < n; i++) {
        if (!hf_plan_hop_is_right(plan, at, &hops[i])) {
            return false;
        }
        const size_t place = hf_index_hash(hf_hop_key(hops[i])) >> (32 - power);
        if (hf_bit_test(seen, place) && hf_hops_hold(hops, i, hops[i])) {
            return false;
        }
        hf_bit_set(seen, place);
    }
    return n <= plan->max_hops;
}

hf_status hf_plan_refuse(hf_context *cx, const hf_plan *plan, const char *function, uint32_t at, hf_hop in, uint32_t destination,
                         const hf_hop *hops, size_t n) {
    char place[3 * HF_NAME_SIZE + 32], hop[HF_NAME_SIZE + 32], fault[128] = "";
    size_t i = 0;
    if (!cx) {
        return HF_EINVAL;
    }
    name_place(plan, at, in, destination, place, sizeof place);
    if (n > plan->max_hops) {
        HF_FAIL(cx, HF_EINVAL, "routing \"%s\", %s() at %s: %zu hops are too many; the plan has max_hops = %u",
                plan->routing->name, function, place, n, plan->max_hops);
    }
    for (; i < n && !*fault; i++) {
        find_fault(plan, at, hops, i, fault, sizeof fault);
    }
    name_hop(plan->topo, hops[i - 1], hop, sizeof hop);
    HF_FAIL(cx, HF_EINVAL, "routing \"%s\", %s() at %s: hop %zu of %zu is %s: %s", plan->routing->name, function, place, i, n,
            hop, fault);
}

hf_status hf_lanes_read(hf_context *cx, const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops,
                        size_t *n) {
    HF_TRY(hf_plan_read(cx, hf_plan_own(plan), at, hf_lanes_own_hop(plan, in), destination, hops, n));
    *n = hf_lanes_spread(plan, in, hops, *n);
    return HF_OK;
}

hf_status hf_plan_read_escape(hf_context *cx, const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops,
                              size_t *n) {
    const hf_plan *own = hf_plan_own(plan);
    const hf_hop came = hf_lanes_own_hop(plan, in);
    *n = own->routing->escape ? own->routing->escape(own, at, came, destination, hops) : 0;
    if (!hf_plan_hops_are_right(own, at, hops, *n)) {
        return hf_plan_refuse(cx, own, "escape", at, came, destination, hops, *n);
    }
    *n = hf_lanes_spread(plan, in, hops, *n);
    return HF_OK;
}

hf_status hf_plan_read_rings(hf_context *cx, const hf_plan *plan, uint32_t *ring) {
    const uint32_t n = plan->topo->n_channel * plan->n_vc;
    HF_TRY(hf_plan_need_rings(cx, plan));
    HF_TRY(plan->lanes ? hf_plan_read_rings(cx, hf_plan_own(plan), ring) : HF_OK);
    for (uint32_t r = 0; r < n; r++) {
        ring[r] = hf_plan_ring(plan, r / plan->n_vc, r % plan->n_vc);
        if (ring[r] != HF_NONE && ring[r] >= n) {
            char hop[HF_NAME_SIZE + 32];
            name_hop(plan->topo, (hf_hop){r / plan->n_vc, r % plan->n_vc, 0}, hop, sizeof hop);
            HF_FAIL(cx, HF_EINVAL, "routing \"%s\", ring() of %s: %u is out of range; need a number below %u, or HF_NONE",
                    plan->routing->name, hop, ring[r], n);
        }
    }
    return HF_OK;
}
