/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Certificates of freedom from deadlock: numbers on resources. They are the only ones that do. Where they must rise, each is as
 *  high as those that follow it allow, the highest one is the last and the lowest is 0; where they must sink, each is as low as
 *  it can be. So a number that was changed is seen, also where it would still rise or sink. */
#include <string.h>

#include <holdfast/core/bitset.h>

#include "src/check/check.h"
#include "src/core/rows.h"

static void name_of(const check *c, hf_hop hop, char *text, size_t size) {
    hf_resource_name(c->net.topo, c->net.plan.n_vc, check_resource(c, hop), text, size);
}

void check_refute_step(check *c, hf_hop a, hf_hop b, uint32_t destination, const char *rule) {
    char from[HF_NAME_SIZE], to[HF_NAME_SIZE];
    name_of(c, a, from, sizeof from);
    name_of(c, b, to, sizeof to);
    check_refute(c, "a packet for t%u in %s (number %lld) may ask for %s (number %lld): %s", destination, from,
                 (long long)c->number[check_resource(c, a)], to, (long long)c->number[check_resource(c, b)], rule);
}

/* ---- numbers that rise along every dependency ---- */

/* The number of `to` is one more: that of `from` cannot be higher. */
void check_note_rise(const check *c, books *b, hf_hop from, hf_hop to) {
    const uint32_t r = check_resource(c, from), ring = check_ring(c, r);
    if (c->number[check_resource(c, to)] == c->number[r] + 1) {
        *(ring == HF_NONE ? &b->is_tight[r] : &b->has_tight[ring]) = true;
    }
}

/* Inside a ring packets only follow it: one successor, the same number. */
static void check_ring_step(check *c, const place *p, hf_hop hop, uint32_t destination, books *b) {
    const uint32_t r = check_resource(c, p->in), q = check_resource(c, hop);
    if (b->next[r] != HF_NONE && b->next[r] != q) {
        check_refute_step(c, p->in, hop, destination, "the ring forks");
    } else if (c->number[r] != c->number[q]) {
        check_refute_step(c, p->in, hop, destination, "the numbers of a ring must be one");
    }
    b->next[r] = q;
}

void check_rising(check *c, const place *p, uint32_t destination, books *b) {
    for (size_t h = 0; h < p->n_hop; h++) {
        const int64_t to = c->number[check_resource(c, p->hop[h])];
        b->is_used[check_resource(c, p->hop[h])] = true;
        if (to < 0) {
            check_refute_step(c, p->hop[h], p->hop[h], destination, "it has no number");
        }
        if (p->in.channel == HF_NONE) {
            continue;
        }
        const uint32_t ring = check_ring(c, check_resource(c, p->in));
        if (ring != HF_NONE && ring == check_ring(c, check_resource(c, p->hop[h]))) {
            check_ring_step(c, p, p->hop[h], destination, b);
        } else if (c->number[check_resource(c, p->in)] >= to) {
            check_refute_step(c, p->in, p->hop[h], destination, "numbers must rise");
        } else {
            check_note_rise(c, b, p->in, p->hop[h]);
        }
    }
}

/* ---- numbers of which each packet may lower its own ---- */

/* Along a ring the number may stay: what follows r there. */
static bool stays_on_ring(check *c, const place *p, hf_hop hop, uint32_t destination, books *b) {
    const uint32_t r = check_resource(c, p->in), q = check_resource(c, hop), ring = check_ring(c, r);
    if (ring == HF_NONE || check_ring(c, q) != ring) {
        return false;
    }
    if (b->next[r] != HF_NONE && b->next[r] != q) {
        check_refute_step(c, p->in, hop, destination, "the ring forks");
    }
    b->next[r] = q;
    return c->number[q] == c->number[r];
}

void check_sinking(check *c, const place *p, uint32_t destination, books *b) {
    const bool is_injected = p->in.channel == HF_NONE;
    const int64_t from = is_injected ? -1 : c->number[check_resource(c, p->in)];
    int64_t lowest = INT64_MAX;
    bool stays = false;
    for (size_t h = 0; h < p->n_hop; h++) {
        const uint32_t q = check_resource(c, p->hop[h]);
        b->is_used[q] = true;
        if (c->number[q] < 0) {
            check_refute_step(c, p->hop[h], p->hop[h], destination, "it has no number");
        }
        stays |= !is_injected && stays_on_ring(c, p, p->hop[h], destination, b);
        lowest = c->number[q] < lowest ? c->number[q] : lowest;
    }
    if (is_injected || p->n_hop == 0) {
        return;
    }
    if (lowest >= from && !stays) {
        check_refute_step(c, p->in, p->hop[0], destination, "and no hop of it has a lower number");
    }
    b->is_tight[check_resource(c, p->in)] |= lowest == from - 1;
}

/* ---- many destinations ---- */

/* The numbers of an offer, once: its hops are used and have one. */
static void know(check *c, service *o, uint32_t destination, books *b) {
    o->is_known = true;
    o->lowest = INT64_MAX;
    for (size_t h = 0; h < o->n; h++) {
        const uint32_t q = check_resource(c, o->hop[h]);
        b->is_used[q] = true;
        if (c->number[q] < 0) {
            check_refute_step(c, o->hop[h], o->hop[h], destination, "it has no number");
        }
        o->lowest = c->number[q] < o->lowest ? c->number[q] : o->lowest;
    }
}

/* Rings that it may come onto without a bubble. */
static void note_gaps(const check *c, const place *p) {
    for (size_t h = 0; h < p->n_hop; h++) {
        const uint32_t ring = check_ring(c, check_resource(c, p->hop[h]));
        const bool keeps = hf_flow_control_keeps(c->net.control.plain, p->hop[h].channel);
        if (ring != HF_NONE && ring != check_ring(c, check_resource(c, p->in)) && !keeps) {
            c->is_open[ring] = true;
        }
    }
}

/* A packet that came by `in` is offered this. Where the lowest number tells that all is well the hops are not looked at. */
static void check_offer(check *c, hf_hop in, service *o, uint32_t destination, books *b) {
    const place p = {.in = in, .n_hop = o->n, .hop = o->hop};
    if (b->looks) {
        note_gaps(c, &p);
        return;
    }
    const int64_t from = c->number[check_resource(c, in)];
    if (!o->is_known) {
        know(c, o, destination, b);
    }
    if (o->n == 0) {
        return;
    }
    if (c->is.method == HF_METHOD_FIXPOINT) {
        if (o->lowest < from - 1 && check_ring(c, check_resource(c, in)) == HF_NONE) {
            return;
        }
        check_sinking(c, &p, destination, b);
    } else if (c->net.control.bubble || o->lowest <= from) {
        check_rising(c, &p, destination, b);
    } else if (o->lowest == from + 1) {
        b->is_tight[check_resource(c, in)] = true;
    }
}

static void check_spot(check *c, const lane *lanes, crowd *all, const spot *s, books *b) {
    const uint64_t going = s->lanes & ~all->goal_lanes[s->at];
    if (!going || hf_topology_is_terminal(c->net.topo, s->at)) {
        return;
    }
    for (service *o = all->desk[s->desk].first; o && !check_is_refuted(c); o = o->next) {
        if (o->lanes & going) {
            check_offer(c, s->in, o, *lanes[__builtin_ctzll(o->lanes & going)].terminal, b);
        }
    }
}

/* A packet for terminal t at its switch. \return HF_OK with *ends: it is delivered next, whatever it takes */
static hf_status check_end(check *c, hf_hop in, uint32_t t, books *b, bool *ends) {
    const hf_topology *topo = c->net.topo;
    const hf_mark mark = hf_scratch_mark(c->cx);
    service o = {0};
    HF_TRY(hf_scratch(c->cx, c->net.plan.max_hops, sizeof *o.hop, (void **)&o.hop));
    HF_TRY(check_hops(c, topo->to[in.channel], in, t, o.hop, &o.n));
    check_offer(c, in, &o, t, b);
    for (size_t h = 0; h < o.n; h++) {
        *ends &= topo->to[o.hop[h].channel] == topo->n_switch + t;
    }
    hf_scratch_reset(c->cx, mark);
    return HF_OK;
}

/* From one terminal of a switch to another. */
static hf_status check_neighbour(check *c, const lane *l, uint32_t source, uint32_t t, books *b, bool *ends) {
    const hf_topology *topo = c->net.topo;
    const hf_mark mark = hf_scratch_mark(c->cx);
    hf_hop *hops;
    size_t n;
    HF_TRY(hf_scratch(c->cx, c->net.plan.max_hops, sizeof *hops, (void **)&hops));
    HF_TRY(check_hops(c, topo->n_switch + source, HF_HOP_INJECTION, t, hops, &n));
    for (size_t h = 0; h < n; h++) {
        const bool is_there = topo->to[hops[h].channel] == l->goal;
        b->is_used[check_resource(c, hops[h])] = true;
        *ends &= is_there;
        HF_TRY(is_there ? check_end(c, hops[h], t, b, ends) : HF_OK);
    }
    hf_scratch_reset(c->cx, mark);
    return HF_OK;
}

/* The last hops of packets that have come to the switch of their lanes. */
static hf_status check_last(check *c, const lane *lanes, const crowd *all, const spot *s, books *b, bool *ends) {
    uint64_t left = hf_topology_is_terminal(c->net.topo, s->at) ? 0 : s->lanes & all->goal_lanes[s->at];
    for (; left; left &= left - 1) {
        const uint32_t l = (uint32_t)__builtin_ctzll(left);
        for (uint32_t k = 0; k < lanes[l].n; k++) {
            HF_TRY(check_end(c, s->in, lanes[l].terminal[k], b, &ends[l]));
        }
    }
    return HF_OK;
}

static hf_status check_neighbours(check *c, const lane *l, books *b, bool *ends) {
    for (uint32_t k = 0; k < l->n; k++) {
        for (uint32_t j = 0; j < l->n; j++) {
            HF_TRY(j == k ? HF_OK : check_neighbour(c, l, l->terminal[j], l->terminal[k], b, ends));
        }
    }
    return HF_OK;
}

/* \param[out] is_apart by terminal: its lane does not simply end at its switch, so it has to be followed alone */
static hf_status check_block(check *c, const lane *lanes, uint32_t n, books *b, bool *is_apart) {
    crowd all = {.is_asked = b->is_used};
    HF_TRY(check_crowd(c, lanes, n, &all));
    bool ends[64];
    memset(ends, true, sizeof ends);
    for (size_t i = 0; i < all.n_spot && !check_is_refuted(c); i++) {
        check_spot(c, lanes, &all, &all.spot[i], b);
        HF_TRY(check_last(c, lanes, &all, &all.spot[i], b, ends));
    }
    for (uint32_t l = 0; l < n && !check_is_refuted(c); l++) {
        HF_TRY(lanes[l].n > 1 ? check_neighbours(c, &lanes[l], b, &ends[l]) : HF_OK);
        for (uint32_t k = 0; k < lanes[l].n && !ends[l]; k++) {
            is_apart[lanes[l].terminal[k]] = true;
        }
    }
    return HF_OK;
}

static hf_status check_lanes(check *c, const lane *lanes, uint32_t n, books *b, bool *is_apart) {
    for (uint32_t first = 0; first < n && !check_is_refuted(c); first += 64) {
        const hf_mark mark = hf_scratch_mark(c->cx);
        HF_TRY(check_block(c, lanes + first, n - first < 64 ? n - first : 64, b, is_apart));
        hf_scratch_reset(c->cx, mark);
    }
    return HF_OK;
}

/* The switch whose terminals a rule by switches treats alike, for those with one healthy channel from it; HF_NONE: none */
static uint32_t switch_of(const check *c, uint32_t terminal) {
    const hf_topology *topo = c->net.topo;
    const uint32_t v = topo->n_switch + terminal, in = topo->in_list[topo->in_begin[v]];
    const bool is_alike = hf_likeness_of(&c->net.plan)->by_switch && !c->net.plan.flows;
    const bool is_one = is_alike && topo->in_begin[v + 1] - topo->in_begin[v] == 1 &&
                        !hf_topology_is_terminal(topo, topo->from[in]) && !hf_bit_test(c->net.faults.channel_set, in);
    return is_one ? topo->from[in] : HF_NONE;
}

/* Live terminals as lanes: those of a switch together, or each alone. */
static hf_status make_lanes(check *c, lane **lanes, uint32_t *n) {
    const hf_topology *topo = c->net.topo;
    uint32_t *of_switch, *lane_of;
    hf_rows rows;
    *n = 0;
    HF_TRY(hf_scratch(c->cx, topo->n_switch, sizeof *of_switch, (void **)&of_switch));
    HF_TRY(hf_scratch(c->cx, topo->n_terminal, sizeof *lane_of, (void **)&lane_of));
    HF_TRY(hf_scratch(c->cx, topo->n_terminal, sizeof **lanes, (void **)lanes));
    for (uint32_t t = 0; t < topo->n_terminal; t++) {
        const uint32_t sw = hf_plan_is_live(&c->net.plan, t) ? switch_of(c, t) : HF_NONE;
        const bool is_known = sw != HF_NONE && of_switch[sw] > 0;
        lane_of[t] = !hf_plan_is_live(&c->net.plan, t) ? HF_NONE : is_known ? of_switch[sw] - 1 : (*n)++;
        if (sw != HF_NONE) {
            of_switch[sw] = lane_of[t] + 1;
            (*lanes)[lane_of[t]].goal = sw;
        }
    }
    HF_TRY(hf_rows_of(c->cx, *n, NULL, topo->n_terminal, lane_of, &rows));
    for (uint32_t l = 0; l < *n; l++) {
        (*lanes)[l].terminal = rows.item + rows.begin[l];
        (*lanes)[l].n = rows.begin[l + 1] - rows.begin[l];
    }
    return HF_OK;
}

static hf_status check_all(check *c, books *b) {
    lane *lanes;
    uint32_t n, apart = 0;
    bool *is_apart;
    HF_TRY(make_lanes(c, &lanes, &n));
    HF_TRY(hf_scratch(c->cx, c->net.topo->n_terminal, sizeof *is_apart, (void **)&is_apart));
    HF_TRY(check_lanes(c, lanes, n, b, is_apart));
    uint32_t *alone;
    HF_TRY(hf_scratch(c->cx, c->net.topo->n_terminal, sizeof *alone, (void **)&alone));
    for (uint32_t t = 0; t < c->net.topo->n_terminal; t++) {
        if (is_apart[t]) {
            alone[apart] = t;
            lanes[apart] = (lane){.n = 1, .terminal = &alone[apart]};
            apart++;
        }
    }
    return check_lanes(c, lanes, apart, b, is_apart);
}

/* The number of r, or of one that follows it on its ring and has the same number, could not be lower. */
static bool is_tight_along(const check *c, const books *b, uint32_t r) {
    uint32_t at = r;
    do {
        if (b->is_tight[at]) {
            return true;
        }
        at = b->next[at];
    } while (at != HF_NONE && at != r && c->number[at] == c->number[r]);
    return false;
}

/* Could the number of r be another one? */
static bool is_loose(const check *c, const books *b, uint32_t r, int64_t highest) {
    const uint32_t ring = check_ring(c, r);
    const bool is_tight = c->is.method == HF_METHOD_FIXPOINT ? is_tight_along(c, b, r)
                          : ring == HF_NONE                  ? b->is_tight[r]
                                                             : b->has_tight[ring];
    return !is_tight && c->number[r] != (c->is.method == HF_METHOD_FIXPOINT ? 0 : highest);
}

/* Numbers on what is used and nothing else, and none that could be another one. */
static void check_numbers(check *c, const books *b) {
    int64_t lowest = INT64_MAX, highest = -1;
    for (uint32_t r = 0; r < c->n_resource; r++) {
        highest = c->number[r] > highest ? c->number[r] : highest;
        lowest = c->number[r] >= 0 && c->number[r] < lowest ? c->number[r] : lowest;
    }
    for (uint32_t r = 0; r < c->n_resource; r++) {
        char name[HF_NAME_SIZE];
        hf_resource_name(c->net.topo, c->net.plan.n_vc, r, name, sizeof name);
        if (b->is_used[r] != (c->number[r] >= 0)) {
            check_refute(c, "%s has the number %lld, and packets %s", name, (long long)c->number[r],
                         b->is_used[r] ? "use it" : "have no use for it");
        } else if (b->is_used[r] && is_loose(c, b, r, highest)) {
            check_refute(c, "%s has the number %lld, which is not the one next to what follows it", name,
                         (long long)c->number[r]);
        }
    }
    if (highest >= 0 && lowest > 0) {
        check_refute(c, "the lowest number is %lld and not 0", (long long)lowest);
    }
}

/* Does a packet get to a terminal, as the file says? */
static void check_serves(check *c, const books *b) {
    const hf_topology *topo = c->net.topo;
    bool serves = false;
    for (uint32_t r = 0; r < c->n_resource; r++) {
        serves |= b->is_used[r] && hf_topology_is_terminal(topo, topo->to[r / c->net.plan.n_vc]);
    }
    if (serves != c->is.serves) {
        check_refute(c, "the file says that the routing serves %s, and %s", hf_serves_name(c->is.serves),
                     serves ? "packets arrive" : "no packet arrives");
    }
}

static hf_status open_books(check *c, books *b) {
    HF_TRY(hf_scratch(c->cx, c->n_resource, sizeof *b->next, (void **)&b->next));
    memset(b->next, 0xff, c->n_resource * sizeof *b->next); /* HF_NONE */
    HF_TRY(hf_scratch(c->cx, c->n_resource, sizeof *b->is_used, (void **)&b->is_used));
    HF_TRY(hf_scratch(c->cx, c->n_resource, sizeof *b->is_tight, (void **)&b->is_tight));
    return hf_scratch(c->cx, c->n_resource, sizeof *b->has_tight, (void **)&b->has_tight);
}

hf_status check_find_gaps(check *c) {
    books b = {.looks = true};
    bool *is_open;
    if (!c->net.control.plain) {
        return HF_OK;
    }
    HF_TRY(hf_scratch(c->cx, c->n_resource, sizeof *is_open, (void **)&is_open));
    HF_TRY(open_books(c, &b));
    c->is_open = is_open;
    return check_all(c, &b);
}

hf_status check_free(check *c) {
    const bool is_about_escape = c->is.method == HF_METHOD_ESCAPE || c->is.method == HF_METHOD_BUBBLE_ESCAPE;
    books b = {.looks = false};
    if ((hf_plan_traits(&c->net.plan) & HF_ROUTING_COMMITS) && (is_about_escape || c->is.method == HF_METHOD_FIXPOINT)) {
        check_refute(c, "packets commit themselves to a hop; only dependencies without a cycle prove that they cannot deadlock");
    }
    HF_TRY(open_books(c, &b));
    for (uint32_t i = 0; i < check_n_class(c) && !check_is_refuted(c); i++) {
        check_class(c, i);
        HF_TRY(is_about_escape ? check_escapes(c, &b) : check_all(c, &b));
    }
    HF_TRY(c->whole.classes && !check_is_refuted(c) ? check_consumers(c, &b) : HF_OK);
    check_numbers(c, &b);
    check_serves(c, &b);
    return HF_OK;
}
