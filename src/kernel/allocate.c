/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Headers: they are routed, and given virtual channels. That is separable: each names one free virtual channel, then each of
 *  those takes one of the headers that ask, round-robin. */
#include <holdfast/core/bitset.h>

#include <string.h>

#include "src/kernel/trains.h"

static void wait(hf_kernel *k, const hf_lane *l) {
    k->port[l->port].waiting |= UINT64_C(1) << l->bit;
    hf_busy_mark(&k->busy_waiting, l->port);
}

/* What comes from terminals lets others go first. */
static uint32_t later(const hf_kernel *k, const hf_lane *l) {
    return k->o.transit_first && l->place == HF_LANE_INJECTION ? HF_LATER : 0;
}

/* When a header that has come to a switch is routed. */
static uint64_t routed_at(hf_kernel *k, uint32_t node) {
    const uint64_t now = k->counts.cycle;
    if (!k->routed) {
        return now + k->o.routing_delay;
    }
    uint64_t *free = &k->routed[node];
    *free = (*free > now ? *free : now) + k->o.routing_delay;
    return *free;
}

void hf_kernel_header(hf_kernel *k, uint32_t lane) {
    hf_lane *l = &k->lane[lane];
    const bool is_source = lane >= k->n_resource;
    l->out = l->slot = HF_NONE;
    l->packet = hf_lane_packet(k, lane);
    const hf_packet *p = &k->packet[l->packet];
    l->ready = is_source                     ? p->generated + k->o.vc_stage
               : p->early_lane != lane       ? routed_at(k, l->node)
               : p->routed > k->counts.cycle ? p->routed
                                             : k->counts.cycle;
    if (!is_source) {
        l->tag = p->tag;
    }
    wait(k, l);
}

/* How the packet in front of a lane came, as the routing sees it. */
static hf_hop arrival(const hf_kernel *k, uint32_t lane, const hf_packet *p) {
    if (lane >= k->n_resource) {
        return HF_HOP_INJECTION;
    }
    const hf_lane *l = &k->lane[lane];
    const bool is_free = k->o.terminal_vcs && l->place == HF_LANE_INJECTION;
    return (hf_hop){l->port, is_free ? p->entry_vc : l->bit, l->tag};
}

/* One hop over a channel of a terminal: all of its virtual channels do. Where it is one, a source draws it, draw_vc(). \return
 * how many hops there are, n before */
static size_t free_terminal(const hf_kernel *k, uint32_t lane, hf_packet *p, hf_hop *hops, size_t n) {
    if (!k->o.terminal_vcs || n != 1 || k->topo->link[hops[0].channel] < k->topo->n_switch_link) {
        return n;
    }
    p->entry_vc = lane < k->n_resource ? p->entry_vc : (uint8_t)hops[0].vc;
    if (k->o.terminal_vcs == HF_TERMINAL_VCS_ONE) {
        return n;
    }
    for (uint32_t vc = 0; vc < k->n_vc; vc++) {
        hops[vc] = (hf_hop){hops[0].channel, vc, hops[0].tag};
    }
    return k->n_vc;
}

/* Hops of the escape behind the others, in the order in which they are offered. */
static hf_status put_escape_last(hf_kernel *k, uint32_t lane, hf_hop in, uint32_t destination) {
    hf_lane *l = &k->lane[lane];
    hf_hop *hops = hf_lane_hops(k, lane);
    size_t n;
    HF_TRY(hf_kernel_escape(k, l->node, in, destination, &n));
    l->n_other = l->n_hop;
    for (size_t e = 0; e < n; e++) {
        for (uint32_t i = 0; i < l->n_other; i++) {
            const hf_hop hop = hops[i];
            if (hop.channel == k->escape_hops[e].channel && hop.vc == k->escape_hops[e].vc) {
                memmove(&hops[i], &hops[i + 1], (l->n_hop - i - 1) * sizeof *hops);
                hops[l->n_hop - 1] = hop;
                l->n_other--;
                break;
            }
        }
    }
    return HF_OK;
}

/* Until the tables of its node change. */
static void sleep_on(hf_kernel *k, uint32_t lane) {
    hf_kernel_slot_free(k, &k->lane[lane]);
    k->lane[lane].ready = UINT64_MAX;
}

void hf_kernel_reroute(hf_kernel *k, uint32_t node) {
    for (uint32_t i = 0; i < k->n_lane; i++) {
        hf_lane *l = &k->lane[i];
        const bool waits = k->port[l->port].waiting >> l->bit & 1;
        if (!waits || (node != HF_NONE && l->node != node)) {
            continue;
        }
        hf_kernel_slot_free(k, l);
        l->ready = l->ready == UINT64_MAX ? k->counts.cycle : l->ready;
    }
}

/* \return how many hops at a node are left of n */
static size_t leave_out_failed(const hf_kernel *k, uint32_t node, hf_hop *hops, size_t n) {
    size_t left = 0;
    while (left < n && !hf_bit_test(k->down, hops[left].channel)) {
        left++;
    }
    for (size_t i = left; i < n; i++) {
        hops[left] = hops[i];
        left += hf_kernel_is_chosen_from(k, node, hops[i].channel);
    }
    return left;
}

static bool may_have_failed(const hf_kernel *k) { return k->layers || (k->plan->faults && k->plan->faults->n_channel); }

/* The relation is a function of the plan, so what it says of a place is remembered where that is little: runs of hops without
 * tags, in a word, before free_terminal() had them. */
enum { KNOWN_VC = 6, KNOWN_N = 7, KNOWN_CHANNEL = 18 /* bits; the last one is set if all of a terminal's channel will do */ };

hf_status hf_kernel_known_new(hf_kernel *k) {
    const uint64_t n = (uint64_t)k->n_lane * k->topo->n_terminal;
    const bool fits = n <= UINT64_C(1) << KNOWN_CHANNEL;
    return k->has_runs && fits ? hf_scratch(k->cx, n, sizeof *k->known, (void **)&k->known) : HF_OK;
}

/* The word for the header in front of a lane; NULL: there is none. */
static inline uint32_t *known_hops(const hf_kernel *k, const hf_lane *l, uint32_t lane, const hf_packet *p) {
    if (!k->known || k->layers || l->tag != 0) {
        return NULL;
    }
    const bool is_free = k->o.terminal_vcs && l->place == HF_LANE_INJECTION;
    const size_t row = is_free ? lane - l->bit + p->entry_vc : lane;
    return &k->known[row * k->topo->n_terminal + p->destination];
}

static inline void take_run(hf_lane *l, hf_hop first, uint32_t n) {
    l->slot = HF_SLOT_RUN;
    l->n_hop = n;
    l->way = first.channel;
    l->vc = (uint8_t)first.vc;
    l->way_tag = first.tag;
}

/* Hops of consecutive resources, with one tag? */
static bool are_run(const hf_kernel *k, const hf_hop *hops, size_t n) {
    size_t i = 1;
    while (i < n && hops[i].channel * k->n_vc + hops[i].vc == hops->channel * k->n_vc + hops->vc + i &&
           hops[i].tag == hops->tag) {
        i++;
    }
    return i == n;
}

static void remember(const hf_kernel *k, uint32_t lane, const hf_hop *hops, size_t n) {
    const hf_lane *l = &k->lane[lane];
    uint32_t *known = known_hops(k, l, lane, &k->packet[l->packet]);
    if (known && n < 1u << KNOWN_N && are_run(k, hops, n) && hops->tag == 0) {
        const bool is_free = k->o.terminal_vcs && n == 1 && k->topo->link[hops->channel] >= k->topo->n_switch_link;
        *known = ((uint32_t)is_free << KNOWN_CHANNEL | hops->channel) << (KNOWN_VC + KNOWN_N) | hops->vc << KNOWN_N | (uint32_t)n;
    }
}

/* What offer() says, if it is remembered. */
static inline bool recall(hf_kernel *k, hf_lane *l, uint32_t lane) {
    hf_packet *p = &k->packet[l->packet];
    const uint32_t *at = known_hops(k, l, lane, p), known = at ? *at : 0;
    if (!known) {
        return false;
    }
    const uint32_t channel = known >> (KNOWN_VC + KNOWN_N) & ((1u << KNOWN_CHANNEL) - 1);
    uint32_t vc = known >> KNOWN_N & ((1u << KNOWN_VC) - 1), n = known & ((1u << KNOWN_N) - 1);
    if (known >> (KNOWN_CHANNEL + KNOWN_VC + KNOWN_N)) {
        p->entry_vc = lane < k->n_resource ? p->entry_vc : (uint8_t)vc;
        if (k->o.terminal_vcs == HF_TERMINAL_VCS_ANY) {
            vc = 0;
            n = k->n_vc;
        }
    }
    take_run(l, (hf_hop){channel, vc, 0}, n);
    return true;
}

/* The hops that the header in front may take. */
static hf_status offer(hf_kernel *k, uint32_t lane) {
    hf_lane *l = &k->lane[lane];
    hf_packet *p = &k->packet[l->packet];
    const hf_hop in = arrival(k, lane, p);
    const bool is_gone = lane >= k->n_resource && k->gone && hf_bit_test(k->gone, p->destination);
    size_t n = 0;
    HF_TRY(is_gone ? HF_OK : hf_kernel_route(k, hf_lane_node(k, lane), in, p->destination, &n));
    if (n == HF_ROUTE_WAIT) {
        sleep_on(k, lane);
        return HF_OK;
    }
    n = may_have_failed(k) ? leave_out_failed(k, l->node, k->route_hops, n) : n;
    remember(k, lane, k->route_hops, n);
    n = free_terminal(k, lane, p, k->route_hops, n);
    l->n_hop = (uint32_t)n;
    if (k->has_runs && are_run(k, k->route_hops, n)) {
        take_run(l, k->route_hops[0], (uint32_t)n);
        return HF_OK;
    }
    HF_TRY(hf_kernel_slot_new(k, lane));
    hf_hop *hops = hf_lane_hops(k, lane);
    memcpy(hops, k->route_hops, n * sizeof *hops);
    if (k->o.selection == HF_SELECT_ESCAPE_LAST) {
        HF_TRY(put_escape_last(k, lane, in, p->destination));
    }
    if (k->o.selection == HF_SELECT_RANDOM && l->n_hop > 1) {
        hf_kernel_draw_channel(k, lane, hops);
    }
    return HF_OK;
}

/* ---- headers that are routed early ---- */

void hf_kernel_header_behind(hf_kernel *k, uint32_t lane, uint32_t packet) {
    hf_packet *p = &k->packet[packet];
    p->early_lane = lane;
    p->choice = HF_NONE;
    p->routed = routed_at(k, k->lane[lane].node);
    if (k->early) {
        k->early[k->n_early++] = (hf_event){lane, packet};
    }
}

/* By the hops and the state of this cycle, as if it were in front. */
static hf_status choose_behind(hf_kernel *k, uint32_t lane, uint32_t packet) {
    hf_lane *l = &k->lane[lane];
    const hf_lane front = *l;
    hf_packet *p = &k->packet[packet];
    hf_hop *hops = k->route_hops;
    size_t n;
    l->packet = packet;
    l->tag = p->tag;
    const hf_status status = hf_kernel_route(k, l->node, arrival(k, lane, p), p->destination, &n);
    const bool is_offered = status == HF_OK && n != HF_ROUTE_WAIT;
    l->n_hop = is_offered ? (uint32_t)leave_out_failed(k, l->node, hops, n) : 0;
    if (l->n_hop > 1) {
        const hf_hop *hop = &hops[hf_kernel_choose(k, lane, hops)];
        p->choice = hop->channel * k->n_vc + hop->vc;
        hf_kernel_deal(k, lane, hop->channel);
    }
    *l = front;
    return status;
}

/* Those of this cycle, in the order in which they came; who has come to the front meanwhile chooses there. */
static hf_status choose_early(hf_kernel *k) {
    uint32_t left = 0;
    for (uint32_t i = 0; i < k->n_early; i++) {
        const hf_event e = k->early[i];
        const hf_packet *p = &k->packet[e.flit];
        if (p->early_lane != e.lane || k->lane[e.lane].packet == e.flit) {
            continue;
        }
        if (p->routed > k->counts.cycle) {
            k->early[left++] = e;
        } else {
            HF_TRY(choose_behind(k, e.lane, e.flit));
        }
    }
    k->n_early = left;
    return HF_OK;
}

/* The hop that a header in front has chosen before, if it is offered still; HF_NONE: none. */
static uint32_t chosen_before(const hf_kernel *k, uint32_t lane, const hf_hop *hops) {
    const hf_lane *l = &k->lane[lane];
    const hf_packet *p = &k->packet[l->packet];
    for (uint32_t i = 0; p->early_lane == lane && p->choice != HF_NONE && i < l->n_hop; i++) {
        if (hops[i].channel * k->n_vc + hops[i].vc == p->choice) {
            return i;
        }
    }
    return HF_NONE;
}

/* ---- headers in front ---- */

static hf_status route(hf_kernel *k, uint32_t lane) {
    hf_lane *l = &k->lane[lane];
    HF_TRY(offer(k, lane));
    if (k->commits && l->slot != HF_NONE && l->n_hop > 0) {
        hf_hop *hops = hf_lane_hops(k, lane);
        const uint32_t before = chosen_before(k, lane, hops), i = before != HF_NONE ? before
                                                                  : l->n_hop > 1    ? hf_kernel_choose(k, lane, hops)
                                                                                    : 0;
        hops[0] = hops[i];
        l->n_hop = 1;
        if (before == HF_NONE) {
            hf_kernel_deal(k, lane, hops[0].channel);
        }
        l->n_hop = !hf_bit_test(k->down, hops[0].channel);
    }
    return HF_OK;
}

hf_status hf_kernel_commit(hf_kernel *k, uint32_t lane, uint32_t q) {
    hf_lane *l = &k->lane[lane];
    HF_TRY(offer(k, lane));
    for (uint32_t i = 0; l->slot != HF_NONE && i < l->n_hop; i++) {
        hf_hop *hops = hf_lane_hops(k, lane);
        if (hops[i].channel * k->n_vc + hops[i].vc == q) {
            hops[0] = hops[i];
            l->n_hop = 1;
        }
    }
    return HF_OK;
}

/* It has q, or HF_LANE_DROP. */
static inline void waits_no_more(hf_kernel *k, uint32_t lane, uint32_t q, uint32_t channel) {
    hf_lane *l = &k->lane[lane];
    hf_port *p = &k->port[l->port];
    const uint64_t bit = UINT64_C(1) << l->bit;
    if (l->slot == HF_SLOT_RUN) {
        l->slot = HF_NONE;
    } else {
        hf_kernel_slot_free(k, l);
    }
    l->out = q;
    k->aim[lane].channel = channel;
    p->drops |= q == HF_LANE_DROP;
    p->moving |= bit;
    p->waiting &= ~bit;
    hf_busy_mark(&k->busy_moving, l->port);
    if (!p->waiting) {
        hf_busy_clear(&k->busy_waiting, l->port);
    }
}

static void give_to_control(hf_kernel *k, uint32_t q) {
    k->vcs[q].pointer = 0;
    k->vcs[q].by = HF_NONE;
    hf_kernel_control_granted(k, q);
}

static inline void give_to(hf_kernel *k, uint32_t lane, uint32_t q) {
    hf_lane *l = &k->lane[lane];
    hf_packet *packet = &k->packet[l->packet];
    const hf_port *p = &k->port[l->port];
    const uint32_t of = p->degree * k->n_vc + 1, next = p->place * k->n_vc + l->bit + 1;
    k->vcs[q].pointer = next < of ? next : 0;
    k->vcs[q].by = HF_NONE;
    const hf_hop hop = hf_lane_hop(k, lane, l->turn);
    k->counts.deviated += hop.tag >= HF_TAG_DEVIATED;
    packet->tag = hop.tag & ~HF_TAG_DEVIATED;
    packet->early_lane = HF_NONE;
    if (k->order && lane >= k->n_resource) {
        hf_kernel_number(k, packet);
    }
    l->turn++;
    k->owner[q] = lane;
    if (k->dealt && !k->commits) {
        hf_kernel_deal(k, lane, hop.channel);
    }
    waits_no_more(k, lane, q, hop.channel);
}

/* A packet at its source asks for one virtual channel that it draws, for another one in the next cycle. */
static void draw_vc(hf_kernel *k, uint32_t lane) {
    hf_random random;
    if (lane >= k->n_resource && k->o.terminal_vcs == HF_TERMINAL_VCS_ONE && k->lane[lane].n_hop == 1) {
        hf_random_init(&random, k->seed, HF_PURPOSE_SELECTION, k->counts.cycle * k->n_lane + lane);
        const uint32_t vc = (uint32_t)hf_random_below(&random, k->n_vc);
        if (k->lane[lane].slot == HF_SLOT_RUN) {
            k->lane[lane].vc = (uint8_t)vc;
        } else {
            hf_lane_hops(k, lane)->vc = vc;
        }
    }
}

/* What the allocation of virtual channels has to look at, known where the functions below are put together, as in crossbar.c. */
typedef struct vc_allocator {
    bool is_plain;  /* wormhole and hops in runs; no order, no output queues, no trains, no priority of transit, nothing drawn */
    uint32_t least; /* credits of a free virtual channel */
} vc_allocator;

static inline bool is_free(const hf_kernel *k, vc_allocator shape, uint32_t lane, uint32_t q) {
    return shape.is_plain ? k->owner[q] == HF_NONE && k->credit[q] >= shape.least : hf_kernel_is_free(k, lane, q);
}

/* The first hop of a run that is free, cyclic. */
static inline uint32_t search_run(const hf_kernel *k, vc_allocator shape, const hf_lane *l, uint32_t lane) {
    const uint32_t n = l->n_hop, first = l->way * k->n_vc + l->vc;
    uint32_t i = l->turn < n ? l->turn : 0;
    for (uint32_t tried = 0; tried < n; tried++) {
        if (is_free(k, shape, lane, first + i)) {
            return i;
        }
        i = i + 1 < n ? i + 1 : 0;
    }
    return HF_NONE;
}

static inline hf_status ask_for_channel(hf_kernel *k, vc_allocator shape, uint32_t lane) {
    hf_lane *l = &k->lane[lane];
    const bool may_ask = shape.is_plain || lane < k->n_resource || !k->order || hf_kernel_may_send(k, &k->packet[l->packet]);
    if (l->ready > k->counts.cycle || !may_ask) {
        if (!shape.is_plain && k->train_end && l->ready > k->counts.cycle) {
            hf_kernel_sleep_until(k, lane, l->ready);
        }
        return HF_OK;
    }
    if (l->slot == HF_NONE && !recall(k, l, lane)) {
        HF_TRY(route(k, lane));
        if (l->slot == HF_NONE) {
            return HF_OK;
        }
    }
    if (l->n_hop == 0) {
        waits_no_more(k, lane, HF_LANE_DROP, HF_NONE);
        return HF_OK;
    }
    if (!shape.is_plain) {
        draw_vc(k, lane);
    }
    const uint32_t i = l->slot == HF_SLOT_RUN ? search_run(k, shape, l, lane) : hf_kernel_select(k, lane);
    if (i != HF_NONE) {
        const hf_hop hop = hf_lane_hop(k, lane, i);
        const uint32_t q = hop.channel * k->n_vc + hop.vc;
        l->turn = i;
        if (k->o.vc_stage && lane >= k->n_resource) { /* nobody else asks for it */
            give_to(k, lane, q);
        } else {
            hf_kernel_ask(k, q, lane, (k->port[l->port].place * k->n_vc + l->bit) | (shape.is_plain ? 0 : later(k, l)));
        }
    } else if (!shape.is_plain && k->train_end && l->n_hop == 1) {
        hf_kernel_sleep(k, lane);
    }
    return HF_OK;
}

/* All headers of a port. */
static inline hf_status ask_for_port(hf_kernel *k, vc_allocator shape, uint32_t port) {
    const hf_port *p = &k->port[port];
    k->failed_at = port;
    for (uint64_t bits = p->waiting; bits; bits &= bits - 1) {
        HF_TRY(ask_for_channel(k, shape, p->first + (uint32_t)__builtin_ctzll(bits)));
    }
    if (!p->waiting) {
        hf_busy_clear(&k->busy_waiting, port);
    }
    return HF_OK;
}

static inline __attribute__((always_inline)) hf_status ask_for_all(hf_kernel *k, vc_allocator shape) {
    const hf_busy *busy = &k->busy_waiting;
    for (size_t w = hf_busy_next(busy, 0); w < busy->n_word; w = hf_busy_next(busy, w + 1)) {
        for (uint64_t ports = busy->word[w]; ports; ports &= ports - 1) {
            HF_TRY(ask_for_port(k, shape, (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(ports)));
        }
    }
    return HF_OK;
}

static hf_status ask_plain(hf_kernel *k) { return ask_for_all(k, (vc_allocator){true, k->o.reuse_early ? 1 : k->o.buffer}); }

hf_status hf_kernel_ask_channels(hf_kernel *k) {
    const hf_kernel_options *o = &k->o;
    HF_TRY(k->early ? choose_early(k) : HF_OK);
    const bool is_plain = o->switching == HF_SWITCHING_WORMHOLE && k->has_runs && !k->order && !k->queue && !k->trains &&
                          !o->transit_first && o->terminal_vcs != HF_TERMINAL_VCS_ONE;
    return is_plain ? ask_plain(k) : ask_for_all(k, (vc_allocator){.is_plain = false});
}

void hf_kernel_give_channels(hf_kernel *k) {
    for (uint32_t i = 0; i < k->asked_vcs.n; i++) {
        const uint32_t q = k->asked_vcs.item[i], lane = k->vcs[q].by;
        if (lane == HF_LANE_CONTROL) {
            give_to_control(k, q);
        } else {
            give_to(k, lane, q);
        }
    }
    k->asked_vcs.n = 0;
}
