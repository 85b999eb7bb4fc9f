/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Deadlocks: each packet could have come to where it is, and all that it may ask for is held. */
#include <string.h>

#include <holdfast/core/bitset.h>

#include "src/check/check.h"
#include "src/core/sort.h"

/* Where a packet may be, as far as its tag is concerned: what it holds says channel and virtual channel only. */
typedef struct stand {
    hf_hop *at;
    size_t n;
} stand;

typedef struct hearing {
    check *c;
    const hf_blocked *packet;
    uint32_t n;
    stand *stand; /* by packet: after all that it holds */
    uint64_t *held;
} hearing;

static void check_pair(check *c, const hf_blocked *b) {
    if (!hf_plan_sends(&c->net.plan, b->source, b->destination)) {
        check_refute(c, "no packet is sent from t%u to t%u", b->source, b->destination);
    }
}

/* The answer that a packet is said to wait for is one that its class has, to one that it may go to. */
static void check_answer(check *c, const hf_blocked *b) {
    const hf_classes *classes = c->whole.classes;
    bool is_one = b->answer == HF_NONE;
    for (uint32_t i = 0; i < (classes ? classes->n_answer : 0) && !is_one; i++) {
        const hf_class_answer *a = &classes->answer[i];
        const bool fits = a->of == b->class && a->with == b->answer;
        is_one = fits && (a->to_any ? hf_plan_sends(&c->whole.of_class[a->with], b->destination, b->answer_to)
                                    : b->answer_to == b->source);
    }
    if (!is_one) {
        check_refute(c, "the packet from t%u to t%u has no such answer for t%u", b->source, b->destination, b->answer_to);
    }
}

static uint32_t node_of(const check *c, const hf_blocked *b, hf_hop at) {
    return at.channel == HF_NONE ? c->net.topo->n_switch + b->source : c->net.topo->to[at.channel];
}

static bool is_known(const stand *s, hf_hop hop) {
    for (size_t i = 0; i < s->n; i++) {
        if (s->at[i].tag == hop.tag) {
            return true;
        }
    }
    return false;
}

/* Go on to resource r by all hops that are offered; a `tag` must fit if it is given. */
static hf_status step(check *c, const hf_blocked *b, uint32_t r, const uint32_t *tag, stand *s) {
    hf_hop *hops;
    stand to = {.n = 0};
    HF_TRY(hf_scratch(c->cx, c->net.plan.max_hops, sizeof *hops, (void **)&hops));
    HF_TRY(hf_scratch(c->cx, s->n * c->net.plan.max_hops, sizeof *to.at, (void **)&to.at));
    for (size_t k = 0; k < s->n; k++) {
        size_t count;
        HF_TRY(check_hops(c, node_of(c, b, s->at[k]), s->at[k], b->destination, hops, &count));
        for (size_t i = 0; i < count; i++) {
            if (check_resource(c, hops[i]) == r && (!tag || hops[i].tag == *tag) && !is_known(&to, hops[i])) {
                to.at[to.n++] = hops[i];
            }
        }
    }
    if (to.n == 0) {
        char name[HF_NAME_SIZE];
        hf_resource_name(c->net.topo, c->net.plan.n_vc, r, name, sizeof name);
        check_refute(c, "a packet from t%u to t%u is not offered %s where it is said to take it", b->source, b->destination,
                     name);
    }
    *s = to;
    return HF_OK;
}

/* Walk the path to the first resource held, then along what is held. */
static hf_status walk(check *c, const hf_blocked *b, stand *s) {
    HF_TRY(hf_scratch(c->cx, 1, sizeof *s->at, (void **)&s->at));
    s->at[0] = HF_HOP_INJECTION;
    s->n = 1;
    for (uint32_t i = 0; i < b->n_path && !check_is_refuted(c); i++) {
        HF_TRY(step(c, b, check_resource(c, b->path[i]), &b->path[i].tag, s));
    }
    if (b->hold[0] != check_resource(c, b->path[b->n_path - 1])) {
        check_refute(c, "the path of the packet from t%u to t%u does not end at what it holds", b->source, b->destination);
    }
    for (uint32_t i = 1; i < b->n_hold && !check_is_refuted(c); i++) {
        HF_TRY(step(c, b, b->hold[i], NULL, s));
    }
    return HF_OK;
}

static void hold(const hearing *court, const hf_blocked *b) {
    check *c = court->c;
    if (b->n_hold > 1 && c->is.switching != HF_SWITCHING_WORMHOLE) {
        check_refute(c, "the packet from t%u to t%u holds %u buffers; only wormhole packets hold several", b->source,
                     b->destination, b->n_hold);
    }
    for (uint32_t i = 0; i < b->n_hold; i++) {
        if (hf_bit_test(court->held, b->hold[i])) {
            char name[HF_NAME_SIZE];
            hf_resource_name(c->net.topo, c->net.plan.n_vc, b->hold[i], name, sizeof name);
            check_refute(c, "%s is held twice", name);
        }
        hf_bit_set(court->held, b->hold[i]);
    }
}

/* ---- waiting ---- */

/* What a packet may go on by; one that has arrived, what its answer may be injected on. */
static hf_status read_offer(check *c, const hf_blocked *b, hf_hop at, hf_hop *hops, size_t *count) {
    const uint32_t node = node_of(c, b, at);
    *count = 0;
    if (node != c->net.topo->n_switch + b->destination) {
        return b->answer == HF_NONE ? check_hops(c, node, at, b->destination, hops, count) : HF_OK;
    }
    if (b->answer == HF_NONE) {
        return HF_OK;
    }
    check_class(c, b->answer);
    const hf_status status = check_hops(c, node, HF_HOP_INJECTION, b->answer_to, hops, count);
    check_class(c, b->class);
    return status;
}

/* The resources that a packet may ask for, ascending, each once. */
static hf_status offers(check *c, const hf_blocked *b, hf_hop at, uint32_t **out, uint32_t *n) {
    hf_hop *hops;
    HF_TRY(hf_scratch(c->cx, c->net.plan.max_hops, sizeof *hops, (void **)&hops));
    HF_TRY(hf_scratch(c->cx, c->net.plan.max_hops, sizeof **out, (void **)out));
    size_t count = 0;
    HF_TRY(read_offer(c, b, at, hops, &count));
    for (size_t i = 0; i < count; i++) {
        (*out)[i] = check_resource(c, hops[i]);
    }
    hf_sort_numbers(*out, count);
    *n = 0;
    for (size_t i = 0; i < count; i++) {
        if (*n == 0 || (*out)[*n - 1] != (*out)[i]) {
            (*out)[(*n)++] = (*out)[i];
        }
    }
    return HF_OK;
}

/* What a packet waits for is all that it may ask for; with --choose once, and under rules that commit themselves, the one hop
 * that it chose. */
static bool is_all(const check *c, const hf_blocked *b, const uint32_t *offer, uint32_t n) {
    bool is_one = false;
    for (uint32_t i = 0; i < n; i++) {
        is_one |= offer[i] == b->wait[0];
    }
    return c->is.choose_once || (hf_plan_traits(&c->net.plan) & HF_ROUTING_COMMITS)
               ? b->n_wait == 1 && is_one
               : b->n_wait == n && memcmp(b->wait, offer, n * sizeof *offer) == 0;
}

/* At a place where it may be, a packet waits for what it is said to wait for, and all of it is held. */
static hf_status wait(const hearing *court, const hf_blocked *b, const stand *s) {
    check *c = court->c;
    bool fits = false;
    for (size_t k = 0; k < s->n && !fits; k++) {
        uint32_t *offer, n;
        HF_TRY(offers(c, b, s->at[k], &offer, &n));
        fits = n > 0 && is_all(c, b, offer, n);
    }
    if (!fits) {
        check_refute(
            c, "the packet from t%u to t%u does not wait for what it is said to wait for: all that it may ask for, ascending",
            b->source, b->destination);
    }
    for (uint32_t i = 0; i < b->n_wait; i++) {
        if (!hf_bit_test(court->held, b->wait[i])) {
            char name[HF_NAME_SIZE];
            hf_resource_name(c->net.topo, c->net.plan.n_vc, b->wait[i], name, sizeof name);
            check_refute(c, "the packet from t%u to t%u waits for %s, which nobody holds", b->source, b->destination, name);
        }
    }
    return HF_OK;
}

/* ---- all together ---- */

/* What the file says about how it was found follows from the packets. */
static void check_method(const hearing *court) {
    check *c = court->c;
    bool has_worms = false;
    for (uint32_t i = 0; i < court->n; i++) {
        has_worms |= court->packet[i].n_hold > 1;
        if (i > 0 && court->packet[i].hold[0] <= court->packet[i - 1].hold[0]) {
            check_refute(c, "packets are not in the order of the first virtual channel that each holds");
        }
    }
    if (c->is.is_simulation) {
        return;
    }
    const hf_deadlock_method need = c->is.timing == HF_TIMING_LOCKSTEP ? HF_METHOD_LOCKSTEP
                                    : has_worms                        ? HF_METHOD_WORMS
                                                                       : HF_METHOD_FIXPOINT;
    if (c->is.method != need) {
        check_refute(c, "the method \"%s\" does not find such packets; \"%s\" does", hf_deadlock_method_name(c->is.method),
                     hf_deadlock_method_name(need));
    }
}

/* Is there a packet in a ring that does not wait to go on along it? */
static bool has_apart(const hearing *court, uint32_t ring) {
    const check *c = court->c;
    for (uint32_t i = 0; i < court->n; i++) {
        const hf_blocked *b = &court->packet[i];
        bool is_along = check_ring(c, b->hold[0]) != ring;
        for (uint32_t k = 0; k < b->n_wait && !is_along; k++) {
            is_along = check_ring(c, b->wait[k]) == ring;
        }
        if (!is_along) {
            return true;
        }
    }
    return false;
}

/* A ring with bubbles keeps a free buffer, so it stands only where that is of no use to the packet before it. */
static void check_rings(const hearing *court) {
    check *c = court->c;
    for (uint32_t i = 0; i < court->n && !check_is_refuted(c); i++) {
        const uint32_t ring = check_ring(c, court->packet[i].hold[0]);
        if (ring != HF_NONE && !has_apart(court, ring)) {
            check_refute(c, "the packet from t%u to t%u is on a ring with bubbles all packets of which wait to go on along it",
                         court->packet[i].source, court->packet[i].destination);
        }
    }
}

static hf_status check_packets(hearing *court) {
    check *c = court->c;
    for (uint32_t i = 0; i < court->n && !check_is_refuted(c); i++) {
        check_class(c, court->packet[i].class);
        check_pair(c, &court->packet[i]);
        check_answer(c, &court->packet[i]);
        HF_TRY(check_is_refuted(c) ? HF_OK : walk(c, &court->packet[i], &court->stand[i]));
        hold(court, &court->packet[i]);
    }
    for (uint32_t i = 0; i < court->n && !check_is_refuted(c); i++) {
        check_class(c, court->packet[i].class);
        HF_TRY(wait(court, &court->packet[i], &court->stand[i]));
    }
    check_rings(court);
    check_method(court);
    return HF_OK;
}

hf_status check_deadlock(check *c) {
    hf_blocked *packet;
    hearing court = {.c = c, .n = (uint32_t)hf_json_count(c->is.blocked)};
    HF_TRY(hf_scratch(c->cx, court.n, sizeof *packet, (void **)&packet));
    HF_TRY(hf_scratch(c->cx, court.n, sizeof *court.stand, (void **)&court.stand));
    HF_TRY(hf_scratch(c->cx, hf_words(c->n_resource), sizeof *court.held, (void **)&court.held));
    for (uint32_t i = 0; i < court.n; i++) {
        HF_TRY(hf_certificate_packet(&c->is, &c->net, i, &packet[i]));
    }
    court.packet = packet;
    HF_TRY(check_packets(&court));
    if (check_is_refuted(c)) {
        return HF_OK;
    }
    return c->is.timing == HF_TIMING_LOCKSTEP ? check_lockstep(c, packet, court.n) : HF_OK;
}
