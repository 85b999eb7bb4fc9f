/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Deadlocks: each packet could have come to where it is, and all that it may ask for is held. */
#include <string.h>

#include <holdfast/bitset.h>

#include "src/check/check.h"

typedef struct packet {
    uint32_t source, destination;
    hf_hop at; /* its last hop so far */
    const hf_json *path, *holds, *waits;
} packet;

static hf_status malformed(const check *c, const char *need) {
    HF_FAIL(c->cx, HF_EINVAL, "%s is no certificate of holdfast verify; need %s", c->file, need);
}

static hf_status read_terminal(const check *c, const hf_json *value, uint32_t *out) {
    const char *name = hf_json_string(value);
    char type;
    if (!name) {
        return malformed(c, "source and destination of every blocked packet");
    }
    HF_TRY(hf_topology_parse_name(c->cx, c->topo, name, strlen(name), &type, out));
    return type == 't' ? HF_OK : malformed(c, "terminals as source and destination");
}

static hf_status read_resource(const check *c, const hf_json *value, hf_hop *out) {
    const char *name = hf_json_string(hf_json_get(value, "channel"));
    int64_t vc, tag = 0;
    char type;
    if (!name || !hf_json_whole(hf_json_get(value, "vc"), &vc) || vc < 0) {
        return malformed(c, "channel and vc of everything that is held, waited for, or on a path");
    }
    HF_TRY(hf_topology_parse_name(c->cx, c->topo, name, strlen(name), &type, &out->channel));
    (void)hf_json_whole(hf_json_get(value, "tag"), &tag);
    if (type != 'c' || vc >= c->plan.n_vc) {
        return malformed(c, "channels of the topology and virtual channels of the routing");
    }
    out->vc = (uint32_t)vc;
    out->tag = (uint32_t)tag;
    return HF_OK;
}

static uint32_t node_of(const check *c, const packet *p) {
    return p->at.channel == HF_NONE ? c->topo->n_switch + p->source : c->topo->to[p->at.channel];
}

static void check_pair(check *c, const packet *p) {
    if (p->source == p->destination || !hf_plan_is_live(&c->plan, p->source) || !hf_plan_is_live(&c->plan, p->destination)) {
        check_refute(c, "no packet is sent from t%u to t%u", p->source, p->destination);
    }
}

/* Go on by a hop that must be offered; with `any_tag`, the offered one of that resource. */
static hf_status step(check *c, packet *p, hf_hop hop, bool any_tag) {
    hf_hop *hops;
    HF_TRY(hf_scratch(c->cx, c->plan.max_hops, sizeof *hops, (void **)&hops));
    const size_t count = check_hops(c, node_of(c, p), p->at, p->destination, hops);
    for (size_t i = 0; i < count; i++) {
        if (hops[i].channel == hop.channel && hops[i].vc == hop.vc && (any_tag || hops[i].tag == hop.tag)) {
            p->at = hops[i];
            return HF_OK;
        }
    }
    char name[96];
    hf_resource_name(c->topo, c->plan.n_vc, check_resource(c, hop), name, sizeof name);
    check_refute(c, "a packet from t%u to t%u is not offered %s where it is said to take it", p->source, p->destination, name);
    return HF_OK;
}

/* Walk the path to the first resource held, then along what is held. */
static hf_status walk(check *c, packet *p) {
    hf_hop hop;
    const size_t n_path = hf_json_count(p->path), n_hold = hf_json_count(p->holds);
    p->at = HF_HOP_INJECTION;
    if (n_path == 0 || n_hold == 0) {
        return malformed(c, "a path and something held for every blocked packet");
    }
    for (size_t i = 0; i < n_path && !c->refuted; i++) {
        HF_TRY(read_resource(c, hf_json_at(p->path, i), &hop));
        HF_TRY(step(c, p, hop, false));
    }
    HF_TRY(read_resource(c, hf_json_at(p->holds, 0), &hop));
    if (hop.channel != p->at.channel || hop.vc != p->at.vc) {
        check_refute(c, "the path of the packet from t%u to t%u does not end at what it holds", p->source, p->destination);
    }
    for (size_t i = 1; i < n_hold && !c->refuted; i++) {
        HF_TRY(read_resource(c, hf_json_at(p->holds, i), &hop));
        HF_TRY(step(c, p, hop, true));
    }
    return HF_OK;
}

static hf_status hold(check *c, const packet *p, uint64_t *held) {
    const size_t count = hf_json_count(p->holds);
    const char *switching = hf_json_string(hf_json_get(c->spec, "switching"));
    if (count > 1 && (!switching || strcmp(switching, "wormhole") != 0)) {
        check_refute(c, "the packet from t%u to t%u holds %zu buffers; only wormhole packets hold several", p->source,
                     p->destination, count);
    }
    for (size_t i = 0; i < count; i++) {
        hf_hop hop;
        HF_TRY(read_resource(c, hf_json_at(p->holds, i), &hop));
        const uint32_t r = check_resource(c, hop);
        if (hf_bit_test(held, r)) {
            char name[96];
            hf_resource_name(c->topo, c->plan.n_vc, r, name, sizeof name);
            check_refute(c, "%s is held twice", name);
        }
        hf_bit_set(held, r);
    }
    return HF_OK;
}

/* Every hop that the packet may take is held. */
static hf_status wait(check *c, const packet *p, const uint64_t *held) {
    hf_hop *hops;
    HF_TRY(hf_scratch(c->cx, c->plan.max_hops, sizeof *hops, (void **)&hops));
    const size_t count = check_hops(c, node_of(c, p), p->at, p->destination, hops);
    if (node_of(c, p) == c->topo->n_switch + p->destination || count == 0) {
        check_refute(c, "the packet from t%u to t%u has arrived, or has nowhere to go", p->source, p->destination);
    }
    for (size_t i = 0; i < count; i++) {
        if (!hf_bit_test(held, check_resource(c, hops[i]))) {
            char name[96];
            hf_resource_name(c->topo, c->plan.n_vc, check_resource(c, hops[i]), name, sizeof name);
            check_refute(c, "the packet from t%u to t%u may go on over %s, which nobody holds", p->source, p->destination, name);
        }
    }
    return HF_OK;
}

static bool has_rings(const check *c) {
    for (uint32_t r = 0; c->plan.routing->ring && r < c->n_resource; r++) {
        if (c->plan.routing->ring(&c->plan, r / c->plan.n_vc, r % c->plan.n_vc) != HF_NONE) {
            return true;
        }
    }
    return false;
}

hf_status check_deadlock(check *c) {
    const hf_json *blocked = hf_json_get(c->certificate, "blocked");
    const size_t count = hf_json_count(blocked);
    const char *flow = hf_json_string(hf_json_get(c->spec, "flow"));
    uint64_t *held;
    packet *packets;
    if (count == 0) {
        return malformed(c, "blocked packets for the verdict \"deadlock\"");
    }
    if (flow && strcmp(flow, "bubble") == 0 && has_rings(c)) {
        check_refute(c, "packets that wait for credits prove nothing about rings with bubbles");
    }
    HF_TRY(hf_scratch(c->cx, hf_words(c->n_resource), sizeof *held, (void **)&held));
    HF_TRY(hf_scratch(c->cx, count, sizeof *packets, (void **)&packets));
    for (size_t i = 0; i < count && !c->refuted; i++) {
        const hf_json *b = hf_json_at(blocked, i);
        packet *p = &packets[i];
        HF_TRY(read_terminal(c, hf_json_get(b, "source"), &p->source));
        HF_TRY(read_terminal(c, hf_json_get(b, "destination"), &p->destination));
        p->path = hf_json_get(b, "path");
        p->holds = hf_json_get(b, "holds");
        check_pair(c, p);
        HF_TRY(c->refuted ? HF_OK : walk(c, p));
        HF_TRY(c->refuted ? HF_OK : hold(c, p, held));
    }
    for (size_t i = 0; i < count && !c->refuted; i++) {
        HF_TRY(wait(c, &packets[i], held));
    }
    return HF_OK;
}
