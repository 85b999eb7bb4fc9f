/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/oracle/slow_kernel.h"

#include <holdfast/core/random.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HOPS = 256 };
typedef struct flit {
    uint32_t packet, index;
    uint64_t at; /* when it arrives, or may leave the queue */
} flit;

typedef struct list {
    flit *item;
    size_t n, room;
} list;

/* A packet is a message. */
typedef struct packet {
    uint32_t tag, entry_vc, number;
    uint64_t entered;
    bool tail_came; /* into the buffer in which the header is */
    uint64_t early; /* routed there behind others, from that cycle on; UINT64_MAX: not behind others */
    bool is_there;  /* it waits for its turn at its destination */
} packet;

/* What has one packet at its front: the buffer of a resource, or the head of a source. */
typedef struct lane {
    uint32_t packet; /* in front, HF_NONE */
    uint64_t ready;  /* when it may ask */
    bool is_routed;  /* ready is known */
    uint32_t out;    /* resource given, HF_NONE */
    uint32_t turn;   /* of the cyclic selection */
    bool draws;      /* the virtual channel of its only hop, in each cycle */
    uint32_t want;   /* in this cycle: index of the hop asked for, HF_NONE */
    hf_hop hops[HOPS];
    uint32_t n_hop;
} lane;

struct slow_kernel {
    const hf_plan *plan;
    const hf_topology *topo;
    hf_kernel_options o;
    const hf_messages *messages;
    uint64_t seed;
    uint32_t n_vc, n_resource, n_lane;
    packet *packet;
    lane *lane;          /* buffers, then sources */
    list *queue, *way;   /* by resource: behind the crossbar, on the channel */
    list *buffer, *back; /* by resource: at the far end; credits that are on their way, `at` when they count */
    uint32_t *owner;     /* by resource: packet */
    uint32_t *vc_pointer, *out_pointer, *in_pointer, *turn, *queue_turn;
    uint64_t *dealt;   /* by channel: flits of packets that were given one of its virtual channels */
    size_t *next;      /* by source: message to look at next */
    uint32_t *flit_at; /* by source: flits of its packet that have left */
    uint32_t *sent, *handed;
    hf_tempo tempo;
    double *due; /* by channel: the cycle in which it is done with its last flit */
    hf_kernel_counts counts;
};

static void *make(size_t n, size_t size) {
    void *p = calloc(n ? n : 1, size);
    if (!p) {
        (void)fprintf(stderr, "out of memory\n");
        abort();
    }
    return p;
}

/* ---- lists ---- */

static void put(list *l, flit f) {
    if (l->n == l->room) {
        flit *larger = make(2 * l->room + 8, sizeof *larger);
        if (l->n) {
            memcpy(larger, l->item, l->n * sizeof *larger);
        }
        free(l->item);
        l->item = larger;
        l->room = 2 * l->room + 8;
    }
    l->item[l->n++] = f;
}

static flit take(list *l) {
    const flit f = l->item[0];
    memmove(l->item, l->item + 1, --l->n * sizeof f);
    return f;
}

/* ---- where things are ---- */

static bool is_source(const slow_kernel *k, uint32_t l) { return l >= k->n_resource; }

static uint32_t node_of(const slow_kernel *k, uint32_t l) {
    return is_source(k, l) ? k->topo->n_switch + l - k->n_resource : k->topo->to[l / k->n_vc];
}

static bool is_sink(const slow_kernel *k, uint32_t q) { return hf_topology_is_terminal(k->topo, k->topo->to[q / k->n_vc]); }

static bool comes_from_terminal(const slow_kernel *k, uint32_t l) {
    return !is_source(k, l) && hf_topology_is_terminal(k->topo, k->topo->from[l / k->n_vc]);
}

static bool has_queue(const slow_kernel *k, uint32_t q) {
    return k->o.output_queue && k->topo->from[q / k->n_vc] < k->topo->n_switch;
}

static uint32_t length_of(const slow_kernel *k, uint32_t p) { return k->messages->item[p].flits; }

static bool is_tail(const slow_kernel *k, flit f) { return f.index + 1 == length_of(k, f.packet); }

/* Lanes of a node by number: port by port, virtual channel by virtual channel. */
static uint32_t ports_of(const slow_kernel *k, uint32_t node) {
    return node >= k->topo->n_switch ? 1 : k->topo->in_begin[node + 1] - k->topo->in_begin[node];
}

static uint32_t lane_at(const slow_kernel *k, uint32_t node, uint32_t port, uint32_t vc) {
    if (node >= k->topo->n_switch) {
        return vc ? HF_NONE : k->n_resource + node - k->topo->n_switch;
    }
    return k->topo->in_list[k->topo->in_begin[node] + port] * k->n_vc + vc;
}

/* ---- room ---- */

/* Places of a buffer that the sender knows to be free. */
static uint32_t credits(const slow_kernel *k, uint32_t q) {
    return is_sink(k, q) ? k->o.buffer : k->o.buffer - (uint32_t)(k->way[q].n + k->buffer[q].n + k->back[q].n);
}

static uint32_t ring_of(const slow_kernel *k, uint32_t q) {
    return k->o.bubble ? k->plan->routing->ring(k->plan, q / k->n_vc, q % k->n_vc) : HF_NONE;
}

/* Packets that must fit. */
static uint32_t packets_to_fit(const slow_kernel *k, uint32_t l, uint32_t q) {
    const uint32_t ring = ring_of(k, q);
    if (k->o.injection_room > 1 && comes_from_terminal(k, l) && !is_sink(k, q)) {
        return k->o.injection_room;
    }
    return ring != HF_NONE && (is_source(k, l) || ring_of(k, l) != ring) ? 2 : 1;
}

static bool has_room(const slow_kernel *k, uint32_t l, uint32_t q) {
    const uint32_t queue = has_queue(k, q) ? k->o.output_queue - (uint32_t)k->queue[q].n : 0;
    if (k->o.switching != HF_SWITCHING_WORMHOLE) {
        const uint32_t need = length_of(k, k->lane[l].packet) + (packets_to_fit(k, l, q) - 1) * k->o.packet_length;
        return (has_queue(k, q) ? queue : credits(k, q)) >= need;
    }
    if (k->o.reuse_early || (has_queue(k, q) && is_sink(k, q))) {
        return (has_queue(k, q) ? queue : credits(k, q)) > 0;
    }
    return k->queue[q].n == 0 && credits(k, q) == k->o.buffer;
}

/* ---- headers ---- */

static void follow_route(slow_kernel *k, uint32_t l) {
    lane *x = &k->lane[l];
    packet *p = &k->packet[x->packet];
    const hf_message *m = &k->messages->item[x->packet];
    hf_hop in = HF_HOP_INJECTION;
    if (!is_source(k, l)) {
        in = (hf_hop){l / k->n_vc, k->o.terminal_vcs && comes_from_terminal(k, l) ? p->entry_vc : l % k->n_vc, p->tag};
    }
    x->n_hop = (uint32_t)hf_plan_route(k->plan, node_of(k, l), in, m->destination, x->hops);
    const hf_hop only = x->hops[0];
    if (k->o.terminal_vcs && x->n_hop == 1 && k->topo->link[only.channel] >= k->topo->n_switch_link) {
        p->entry_vc = is_source(k, l) ? only.vc : p->entry_vc;
        x->draws = is_source(k, l) && k->o.terminal_vcs == HF_TERMINAL_VCS_ONE;
        for (uint32_t vc = 0; k->o.terminal_vcs == HF_TERMINAL_VCS_ANY && vc < k->n_vc; vc++) {
            x->hops[vc] = (hf_hop){only.channel, vc, only.tag};
            x->n_hop = vc + 1;
        }
    }
}

/* The front of a buffer is a header, under saf with all that belongs to it: it is routed from cycle `from` on. */
static void look_at_front(slow_kernel *k, uint32_t l, uint64_t from) {
    lane *x = &k->lane[l];
    const list *b = &k->buffer[l];
    if (x->packet == HF_NONE && b->n) {
        x->packet = b->item[0].packet;
        x->is_routed = false;
    }
    if (x->packet == HF_NONE || x->is_routed) {
        return;
    }
    if (k->o.switching != HF_SWITCHING_SAF || k->packet[x->packet].tail_came) {
        x->is_routed = true;
        const uint64_t early = k->packet[x->packet].early;
        x->ready = early == UINT64_MAX ? from + k->o.routing_delay : early > from ? early : from;
        follow_route(k, l);
    }
}

static uint32_t resource_of(const slow_kernel *k, hf_hop hop) { return hop.channel * k->n_vc + hop.vc; }

static bool is_free(const slow_kernel *k, uint32_t l, hf_hop hop) {
    const uint32_t q = resource_of(k, hop);
    return k->owner[q] == HF_NONE && has_room(k, l, q);
}

static bool is_better(const slow_kernel *k, hf_hop a, hf_hop b) {
    return k->o.selection == HF_SELECT_CREDITS
               ? credits(k, resource_of(k, a)) > credits(k, resource_of(k, b))
               : k->o.selection == HF_SELECT_BALANCED && k->dealt[a.channel] < k->dealt[b.channel];
}

static uint32_t choose(const slow_kernel *k, uint32_t l) {
    const lane *x = &k->lane[l];
    uint32_t start = k->o.selection == HF_SELECT_CYCLIC && x->turn < x->n_hop ? x->turn : 0, best = HF_NONE;
    for (uint32_t i = 0; i < x->n_hop; i++) {
        const uint32_t h = (start + i) % x->n_hop;
        best = is_free(k, l, x->hops[h]) && (best == HF_NONE || is_better(k, x->hops[h], x->hops[best])) ? h : best;
    }
    return best;
}

static size_t pair_of(const slow_kernel *k, uint32_t p) {
    const hf_message *m = &k->messages->item[p];
    return (size_t)m->source * k->topo->n_terminal + m->destination;
}

static bool may_go(const slow_kernel *k, uint32_t p) {
    return !k->o.reorder || k->sent[pair_of(k, p)] - k->handed[pair_of(k, p)] < k->o.reorder;
}

static void give(slow_kernel *k, uint32_t l) {
    lane *x = &k->lane[l];
    const hf_hop hop = x->hops[x->want];
    const uint32_t q = resource_of(k, hop);
    x->out = q;
    x->turn = x->want + 1;
    k->owner[q] = x->packet;
    k->dealt[hop.channel] += length_of(k, x->packet);
    k->packet[x->packet].tag = hop.tag;
    if (is_source(k, l)) {
        k->packet[x->packet].number = k->sent[pair_of(k, x->packet)]++;
    }
}

static void draw_vc(slow_kernel *k, uint32_t l) {
    hf_random random;
    hf_random_init(&random, k->seed, HF_PURPOSE_SELECTION, k->counts.cycle * k->n_lane + l);
    k->lane[l].hops[0].vc = (uint32_t)hf_random_below(&random, k->n_vc);
}

static void ask(slow_kernel *k) {
    for (uint32_t l = 0; l < k->n_lane; l++) {
        lane *x = &k->lane[l];
        x->want = HF_NONE;
        const bool asks = x->packet != HF_NONE && x->out == HF_NONE && x->is_routed && x->ready <= k->counts.cycle;
        if (!asks || (is_source(k, l) && !may_go(k, x->packet))) {
            continue;
        }
        if (x->draws) {
            draw_vc(k, l);
        }
        x->want = choose(k, l);
        if (x->want != HF_NONE) {
            x->turn = x->want;
        }
        if (x->want != HF_NONE && is_source(k, l) && k->o.vc_stage) {
            give(k, l);
            x->want = HF_NONE;
        }
    }
}

/* Who asks for q gets it, from the pointer on; what comes from terminals last, where it is so. */
static void give_one(slow_kernel *k, uint32_t q) {
    const uint32_t node = k->topo->from[q / k->n_vc], n = ports_of(k, node) * k->n_vc;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t number = (k->vc_pointer[q] + i) % n, l = lane_at(k, node, number / k->n_vc, number % k->n_vc);
            const lane *x = l == HF_NONE ? NULL : &k->lane[l];
            const bool is_later = x && k->o.transit_first && comes_from_terminal(k, l);
            if (x && is_later == pass && x->want != HF_NONE && resource_of(k, x->hops[x->want]) == q) {
                give(k, l);
                k->vc_pointer[q] = (number + 1) % n;
                return;
            }
        }
    }
}

static void give_all(slow_kernel *k) {
    for (uint32_t q = 0; q < k->n_resource; q++) {
        give_one(k, q);
    }
}

/* ---- flits ---- */

/* The channel of q is done with its last flit. Cycles that flits take here are sums of few powers of two, hence exact. */
static bool is_done(const slow_kernel *k, uint32_t q) { return k->due[q / k->n_vc] <= (double)k->counts.cycle; }

static bool can_send(const slow_kernel *k, uint32_t l) {
    const lane *x = &k->lane[l];
    if (x->packet == HF_NONE || x->out == HF_NONE || (!is_source(k, l) && k->buffer[l].n == 0)) {
        return false;
    }
    if (has_queue(k, x->out)) {
        return k->queue[x->out].n < k->o.output_queue;
    }
    return is_done(k, x->out) && (is_sink(k, x->out) || credits(k, x->out) > 0);
}

static uint64_t delay_of(const slow_kernel *k, uint32_t q) {
    const uint32_t c = q / k->n_vc;
    const bool is_switch = k->topo->link[c] < k->topo->n_switch_link;
    return is_switch ? k->o.link_delay : is_sink(k, q) && k->o.exit_delay ? k->o.exit_delay : k->o.fly_delay;
}

static void leave(slow_kernel *k, uint32_t q, flit f, uint64_t from) {
    f.at = from + delay_of(k, q);
    put(&k->way[q], f);
    k->counts.flit_hops++;
    if (k->tempo.rate) { /* it began when the one before was done, unless that is a cycle ago */
        double *due = &k->due[q / k->n_vc];
        *due = (*due > (double)k->counts.cycle - 1 ? *due : (double)k->counts.cycle) + hf_tempo_cycles(&k->tempo, q / k->n_vc);
    }
}

static void send(slow_kernel *k, uint32_t l) {
    lane *x = &k->lane[l];
    const uint64_t now = k->counts.cycle;
    const uint32_t q = x->out;
    flit f;
    if (is_source(k, l)) {
        f = (flit){x->packet, k->flit_at[l - k->n_resource]++, 0};
        if (f.index == 0) {
            k->packet[f.packet].entered = now;
            k->counts.injected++;
        }
    } else {
        f = take(&k->buffer[l]);
        put(&k->back[l], (flit){0, 0, now + k->o.credit_delay});
    }
    const uint64_t crossed = now + (is_source(k, l) ? 0 : k->o.crossbar_delay);
    if (has_queue(k, q)) {
        f.at = crossed;
        put(&k->queue[q], f);
    } else {
        leave(k, q, f, crossed);
    }
    if (is_tail(k, f)) {
        k->owner[q] = HF_NONE;
        x->packet = x->out = HF_NONE;
    }
}

/* The lane that an input sends from to `channel`; HF_NONE. Inputs that name one flit name the first that can go. */
static uint32_t offer_of(const slow_kernel *k, uint32_t node, uint32_t port, uint32_t channel) {
    for (uint32_t i = 0; i < k->n_vc; i++) {
        const uint32_t first = lane_at(k, node, port, 0);
        const uint32_t turn = k->turn[first], l = lane_at(k, node, port, (turn + i) % k->n_vc);
        if (l != HF_NONE && can_send(k, l)) {
            if (k->lane[l].out / k->n_vc == channel) {
                return l;
            }
            if (!k->o.outputs_first) {
                return HF_NONE;
            }
        }
    }
    return HF_NONE;
}

/* The lane that an output takes. */
static uint32_t choice_of(const slow_kernel *k, uint32_t channel, bool is_first) {
    const uint32_t node = k->topo->from[channel], n = ports_of(k, node);
    for (int pass = 0; pass < 2 && (is_first || node < k->topo->n_switch); pass++) {
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t port = (k->out_pointer[channel] + i) % n, l = offer_of(k, node, port, channel);
            const bool is_later = l != HF_NONE && k->o.transit_first && comes_from_terminal(k, l);
            if (l != HF_NONE && is_later == pass) {
                return l;
            }
        }
    }
    return HF_NONE;
}

static uint32_t port_number(const slow_kernel *k, uint32_t node, uint32_t l) {
    uint32_t port = 0;
    while (lane_at(k, node, port, 0) / k->n_vc != l / k->n_vc && !is_source(k, l)) {
        port++;
    }
    return port;
}

static void cross(slow_kernel *k, uint32_t channel, uint32_t l) {
    const uint32_t node = k->topo->from[channel], port = port_number(k, node, l);
    k->out_pointer[channel] = (port + 1) % ports_of(k, node);
    k->turn[lane_at(k, node, port, 0)] = is_source(k, l) ? 0 : (l % k->n_vc + 1) % k->n_vc;
    send(k, l);
}

/* Every input takes the first output that chose it, from its pointer on. */
static void accept(slow_kernel *k, uint32_t node, const uint32_t *choice) {
    const uint32_t begin = k->topo->out_begin[node], n = k->topo->out_begin[node + 1] - begin;
    for (uint32_t port = 0; port < ports_of(k, node); port++) {
        const uint32_t first = lane_at(k, node, port, 0), pointer = k->in_pointer[first];
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t out = (pointer + i) % n, channel = k->topo->out_list[begin + out];
            if (choice[channel] != HF_NONE && port_number(k, node, choice[channel]) == port) {
                k->in_pointer[first] = (out + 1) % n;
                cross(k, channel, choice[channel]);
                break;
            }
        }
    }
}

static void send_round(slow_kernel *k, bool is_first) {
    const uint32_t n = k->topo->n_channel;
    uint32_t *choice = make(n, sizeof *choice);
    for (uint32_t c = 0; c < n; c++) {
        choice[c] = choice_of(k, c, is_first);
    }
    for (uint32_t v = 0; v < k->topo->n_node && k->o.outputs_first; v++) {
        accept(k, v, choice);
    }
    for (uint32_t c = 0; c < n && !k->o.outputs_first; c++) {
        if (choice[c] != HF_NONE) {
            cross(k, c, choice[c]);
        }
    }
    free(choice);
}

static void empty_queue(slow_kernel *k, uint32_t channel) {
    for (uint32_t i = 0; i < k->n_vc; i++) {
        const uint32_t vc = (k->queue_turn[channel] + i) % k->n_vc, q = channel * k->n_vc + vc;
        const bool has_place = is_done(k, q) && (is_sink(k, q) || credits(k, q) > 0);
        if (k->queue[q].n && k->queue[q].item[0].at <= k->counts.cycle && has_place) {
            k->queue_turn[channel] = (vc + 1) % k->n_vc;
            leave(k, q, take(&k->queue[q]), k->counts.cycle);
            return;
        }
    }
}

static void send_all(slow_kernel *k) {
    for (uint32_t round = 0; round < (k->o.speedup ? k->o.speedup : 1); round++) {
        send_round(k, round == 0);
    }
    for (uint32_t c = 0; c < k->topo->n_channel; c++) {
        empty_queue(k, c);
    }
}

/* ---- the beginning of a cycle ---- */

static void hand_on(slow_kernel *k, uint32_t p) {
    const uint64_t latency = k->counts.cycle - k->messages->item[p].cycle, network = k->counts.cycle - k->packet[p].entered;
    k->counts.delivered++;
    k->counts.latency_sum += latency;
    k->counts.network_latency_sum += network;
    k->counts.network_latency_max = network > k->counts.network_latency_max ? network : k->counts.network_latency_max;
    k->counts.histogram[latency ? 64 - __builtin_clzll(latency) : 0]++;
}

/* A packet is there: it and those behind it that wait for their turn. */
static void deliver(slow_kernel *k, uint32_t p) {
    if (!k->o.reorder) {
        hand_on(k, p);
        return;
    }
    const size_t pair = pair_of(k, p);
    k->counts.reordered += k->packet[p].number != k->handed[pair];
    k->packet[p].is_there = true;
    for (uint32_t i = 0; i < k->messages->n; i++) {
        if (pair_of(k, i) == pair && k->packet[i].is_there && k->packet[i].number == k->handed[pair]) {
            k->handed[pair]++;
            k->packet[i].is_there = false;
            hand_on(k, i);
        }
    }
}

static void come_in(slow_kernel *k, uint32_t q) {
    while (k->way[q].n && k->way[q].item[0].at <= k->counts.cycle) {
        const flit f = take(&k->way[q]);
        if (is_sink(k, q)) {
            k->counts.delivered_flits++;
            if (is_tail(k, f)) {
                deliver(k, f.packet);
            }
            continue;
        }
        if (f.index == 0) {
            const bool is_behind = k->o.route_early && k->buffer[q].n > 0;
            k->packet[f.packet].early = is_behind ? k->counts.cycle + k->o.routing_delay : UINT64_MAX;
        }
        put(&k->buffer[q], f);
        k->packet[f.packet].tail_came = is_tail(k, f);
    }
    while (k->back[q].n && k->back[q].item[0].at <= k->counts.cycle) {
        (void)take(&k->back[q]);
    }
}

static void generate(slow_kernel *k, uint32_t t) {
    lane *x = &k->lane[k->n_resource + t];
    const hf_messages *m = k->messages;
    while (k->next[t] < m->n && m->item[k->next[t]].source != t) {
        k->next[t]++;
    }
    if (x->packet == HF_NONE && k->next[t] < m->n && m->item[k->next[t]].cycle <= k->counts.cycle) {
        x->packet = (uint32_t)k->next[t]++;
        x->ready = m->item[x->packet].cycle + k->o.vc_stage;
        x->is_routed = true;
        k->flit_at[t] = 0;
        follow_route(k, k->n_resource + t);
    }
}

void slow_kernel_step(slow_kernel *k) {
    for (uint32_t q = 0; q < k->n_resource; q++) {
        come_in(k, q);
    }
    for (uint32_t q = 0; q < k->n_resource; q++) {
        look_at_front(k, q, k->counts.cycle);
    }
    for (uint32_t t = 0; t < k->topo->n_terminal; t++) {
        generate(k, t);
    }
    ask(k);
    if (k->o.vc_stage) {
        send_all(k);
        give_all(k);
    } else {
        give_all(k);
        send_all(k);
    }
    k->counts.cycle++;
}

hf_kernel_counts slow_kernel_read(const slow_kernel *k) { return k->counts; }

/* ---- life ---- */

slow_kernel *slow_kernel_new(const hf_plan *plan, const hf_kernel_options *options, const hf_messages *messages, uint64_t seed) {
    slow_kernel *k = make(1, sizeof *k);
    k->seed = seed;
    k->plan = plan;
    k->topo = plan->topo;
    k->o = *options;
    k->messages = messages;
    k->n_vc = plan->n_vc;
    k->n_resource = plan->topo->n_channel * plan->n_vc;
    k->n_lane = k->n_resource + plan->topo->n_terminal;
    if (plan->max_hops > HOPS || plan->n_vc > HOPS) {
        abort();
    }
    k->packet = make(messages->n, sizeof *k->packet);
    k->lane = make(k->n_lane, sizeof *k->lane);
    list **const lists[] = {&k->queue, &k->way, &k->buffer, &k->back};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        *lists[i] = make(k->n_resource, sizeof(list));
    }
    uint32_t **const words[] = {&k->owner, &k->vc_pointer, &k->out_pointer, &k->in_pointer,
                                &k->turn,  &k->queue_turn, &k->flit_at};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        *words[i] = make(k->n_lane, sizeof(uint32_t));
    }
    k->tempo = hf_topology_tempo(plan->topo);
    k->due = make(plan->topo->n_channel, sizeof *k->due);
    k->next = make(k->topo->n_terminal, sizeof *k->next);
    k->dealt = make(k->topo->n_channel, sizeof *k->dealt);
    k->sent = make((size_t)k->topo->n_terminal * k->topo->n_terminal, sizeof *k->sent);
    k->handed = make((size_t)k->topo->n_terminal * k->topo->n_terminal, sizeof *k->handed);
    for (uint32_t l = 0; l < k->n_lane; l++) {
        k->lane[l].packet = k->lane[l].out = k->owner[l] = HF_NONE;
    }
    return k;
}

void slow_kernel_free(slow_kernel *k) {
    list *const lists[] = {k->queue, k->way, k->buffer, k->back};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        for (uint32_t q = 0; q < k->n_resource; q++) {
            free(lists[i][q].item);
        }
        free(lists[i]);
    }
    void *const blocks[] = {k->packet,  k->lane, k->owner, k->vc_pointer, k->out_pointer, k->in_pointer, k->turn, k->queue_turn,
                            k->flit_at, k->next, k->sent,  k->handed,     k->due,         k->dealt,      k};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        free(blocks[i]);
    }
}
