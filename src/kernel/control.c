/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Control packets. They wait for their channel, hold one of its virtual channels while they are sent (or have a wire of their
 *  own beside it), and are stored and forwarded by the switches. With input queues a packet holds room in the buffer that it
 *  goes to, and gets to the switch when what was in that buffer before it has left; what comes behind it does not wait for it.
 *  A switch that takes in only so many at a time keeps the others in a box. Then it works on each for `manage_cycles`. */
#include <holdfast/core/bitset.h>

#include <string.h>

#include "src/core/grow.h"
#include "src/kernel/reconfigure.h"

typedef struct hf_control_packet {
    uint32_t layer, next;
    uint32_t resource; /* whose buffer it holds room of; HF_NONE: none */
    uint32_t ahead;    /* the last packet that was in that buffer when it came */
    uint64_t arrival;  /* cycle */
    hf_notice notice;
} message;

#define LATER UINT64_MAX

/* Control packets of one channel, or of one switch where they go one after the other: a queue; the first is being sent until a
 * cycle. */
typedef struct hf_control_line {
    uint32_t first, last, resource;
    uint64_t until; /* 0: none is being sent; LATER: one waits for the packet that leaves the output queue */
} line;

/* Those that have come to a switch and wait until it takes them in: a list. */
typedef struct hf_control_box {
    uint32_t first;
    uint64_t free_at;
} box;

/* ---- the pool ---- */

static hf_status new_message(hf_kernel_layers *r, uint32_t *out) {
    hf_controls *c = &r->controls;
    if (c->first_free == HF_NONE) {
        message *larger;
        const uint32_t old = c->n_packet, new = 2 * old + 64;
        HF_TRY(hf_scratch(r->k->cx, new, sizeof *larger, (void **)&larger));
        if (old) {
            memcpy(larger, c->packet, old * sizeof *larger);
        }
        for (uint32_t i = old; i < new; i++) {
            larger[i].next = i + 1 < new ? i + 1 : HF_NONE;
        }
        c->packet = larger;
        c->n_packet = new;
        c->first_free = old;
    }
    *out = c->first_free;
    c->first_free = c->packet[*out].next;
    return HF_OK;
}

static void free_message(hf_controls *c, uint32_t m) {
    c->packet[m].next = c->first_free;
    c->first_free = m;
}

/* ---- room in buffers ---- */

static bool has_place(const hf_kernel_layers *r, uint32_t q) {
    const bool is_exit = hf_topology_is_terminal(r->k->topo, r->k->topo->to[q / r->k->n_vc]);
    return !r->controls.held || is_exit || r->k->credit[q] >= r->o.message_length;
}

static void hold(hf_kernel_layers *r, uint32_t m, uint32_t q) {
    if (r->controls.held) {
        r->k->credit[q] -= r->o.message_length;
        r->controls.held[q] += r->o.message_length;
        r->controls.packet[m].resource = q;
    }
}

static void release(hf_kernel_layers *r, uint32_t m) {
    message *x = &r->controls.packet[m];
    if (x->resource != HF_NONE) {
        for (uint32_t i = 0; i < r->o.message_length; i++) {
            hf_kernel_add_credit(r->k, x->resource);
        }
        r->controls.held[x->resource] -= r->o.message_length;
        x->resource = HF_NONE;
    }
}

/* ---- over channels ---- */

/* The line that a channel's control packets wait in. */
static uint32_t line_of(const hf_kernel_layers *r, uint32_t channel) {
    return r->o.is_in_turn ? r->k->topo->from[channel] : channel;
}

/* The channel of the first packet of a line. */
static uint32_t first_channel(const hf_kernel_layers *r, const line *l) { return r->controls.packet[l->first].notice.in; }

hf_status hf_control_send(hf_kernel_layers *r, uint32_t channel, hf_notice notice) {
    hf_controls *c = &r->controls;
    const uint32_t i = line_of(r, channel);
    line *l = &c->line[i];
    uint32_t m;
    HF_TRY(new_message(r, &m));
    notice.at = r->k->topo->to[channel];
    notice.in = channel;
    c->packet[m] = (message){.layer = r->now, .next = HF_NONE, .resource = HF_NONE, .notice = notice};
    if (l->first == HF_NONE) {
        l->first = m;
        c->lines.item[c->lines.n++] = i;
    } else {
        c->packet[l->last].next = m;
    }
    l->last = m;
    return HF_OK;
}

bool hf_kernel_control_sends(const hf_kernel *k, uint32_t channel) {
    const hf_kernel_layers *r = k->layers;
    const line *l = &r->controls.line[line_of(r, channel)];
    return r->o.control != HF_CONTROL_APART && l->until > 0 && l->until != LATER && first_channel(r, l) == channel;
}

/* Is the queue of q empty, or a packet in front of it that has not begun to leave? */
static bool is_between(const hf_kernel *k, uint32_t q) {
    return !k->queue || k->queue[q].count == 0 || (hf_kernel_queue_at(k, q, 0)->flit & HF_FLIT_HEAD);
}

void hf_kernel_control_granted(hf_kernel *k, uint32_t q) {
    hf_kernel_layers *r = k->layers;
    line *l = &r->controls.line[line_of(r, q / k->n_vc)];
    k->owner[q] = HF_LANE_CONTROL;
    l->resource = q;
    hold(r, l->first, q);
    l->until = is_between(k, q) ? k->counts.cycle + r->o.message_length : LATER;
}

static hf_status work_on(hf_kernel_layers *r, uint32_t m, uint64_t from) {
    const message *x = &r->controls.packet[m];
    const uint64_t at = from + r->o.manage_cycles;
    HF_TRY(hf_timers_add(r->k->cx, &r->timers, (hf_timer){at, 0, HF_TIMER_NOTICE, x->layer, x->notice}));
    free_message(&r->controls, m);
    return HF_OK;
}

/* The first packet of a line is through, or lost with the channel. */
static hf_status leave_line(hf_kernel_layers *r, line *l, bool is_lost) {
    hf_kernel *k = r->k;
    const uint32_t m = l->first;
    /* sent in the cycle before: there after the way of a flit */
    const uint64_t at = k->counts.cycle - 1 + k->output[first_channel(r, l)].delay;
    if (l->until > 0 && l->resource != HF_NONE) {
        k->owner[l->resource] = HF_NONE;
    }
    l->until = 0;
    l->resource = HF_NONE;
    l->first = r->controls.packet[m].next;
    if (is_lost) {
        r->layer[r->controls.packet[m].layer].pending--;
        release(r, m);
        free_message(&r->controls, m);
        return HF_OK;
    }
    const bool waits = r->controls.held || r->controls.box;
    return waits ? hf_timers_add(k->cx, &r->timers, (hf_timer){at, 0, HF_TIMER_ARRIVED, m, {0}}) : work_on(r, m, at);
}

static uint32_t free_resource(const hf_kernel_layers *r, uint32_t channel) {
    const hf_kernel *k = r->k;
    for (uint32_t q = channel * k->n_vc; q < (channel + 1) * k->n_vc; q++) {
        if (k->owner[q] == HF_NONE && has_place(r, q)) {
            return q;
        }
    }
    return HF_NONE;
}

static void ask(hf_kernel *k, uint32_t q) {
    const uint32_t from = k->topo->from[q / k->n_vc];
    const bool is_terminal = hf_topology_is_terminal(k->topo, from);
    const uint32_t degree = is_terminal ? 1 : k->topo->in_begin[from + 1] - k->topo->in_begin[from];
    hf_kernel_ask(hf_kernel_part(k, from), q, HF_LANE_CONTROL, degree * k->n_vc);
}

static void begin_to_send(hf_kernel_layers *r, line *l) {
    hf_kernel *k = r->k;
    if (r->o.control == HF_CONTROL_APART) {
        l->until = k->counts.cycle + r->o.message_length;
        return;
    }
    const uint32_t q = free_resource(r, first_channel(r, l));
    if (q != HF_NONE && (r->o.control == HF_CONTROL_PRIORITY || k->circuits)) { /* there who comes first is first served */
        hf_kernel_control_granted(k, q);
    } else if (q != HF_NONE) {
        ask(k, q);
    }
}

static hf_status work_on_line(hf_kernel_layers *r, line *l) {
    hf_kernel *k = r->k;
    while (l->first != HF_NONE && hf_bit_test(k->down, first_channel(r, l))) {
        HF_TRY(leave_line(r, l, true));
    }
    if (l->until == LATER && is_between(k, l->resource)) {
        l->until = k->counts.cycle + r->o.message_length;
    }
    if (l->until > 0 && l->until <= k->counts.cycle) {
        HF_TRY(leave_line(r, l, false));
    }
    if (l->first != HF_NONE && l->until == 0) {
        begin_to_send(r, l);
    }
    return HF_OK;
}

hf_status hf_control_send_on(hf_kernel_layers *r) {
    hf_active *lines = &r->controls.lines;
    uint32_t n = 0;
    for (uint32_t i = 0; i < lines->n; i++) {
        line *l = &r->controls.line[lines->item[i]];
        HF_TRY(work_on_line(r, l));
        if (l->first != HF_NONE) {
            lines->item[n++] = lines->item[i];
        }
    }
    lines->n = n;
    return HF_OK;
}

/* ---- at switches ---- */

/* Out of the buffer: to the switch, or into its box. */
static hf_status reach(hf_kernel_layers *r, uint32_t m) {
    hf_controls *c = &r->controls;
    message *x = &c->packet[m];
    release(r, m);
    if (!c->box) {
        return work_on(r, m, r->k->counts.cycle);
    }
    box *b = &c->box[x->notice.at];
    if (b->first == HF_NONE) {
        c->boxes.item[c->boxes.n++] = x->notice.at;
    }
    x->arrival = r->k->counts.cycle;
    x->next = b->first;
    b->first = m;
    return HF_OK;
}

/* The packet that came last into a buffer and still is in it; HF_NONE: it is empty. */
static uint32_t last_in(const hf_kernel *k, uint32_t q) {
    const hf_lane *l = &k->lane[q];
    return l->count == 0 ? HF_NONE : *hf_lane_place(k, q, l->count - 1) >> HF_FLIT_SHIFT;
}

static bool is_in(const hf_kernel *k, uint32_t q, uint32_t packet) {
    const hf_lane *l = &k->lane[q];
    for (uint32_t i = 0; i < l->count; i++) {
        if (*hf_lane_place(k, q, i) >> HF_FLIT_SHIFT == packet) {
            return true;
        }
    }
    return false;
}

hf_status hf_control_arrived(hf_kernel_layers *r, uint32_t m) {
    message *x = &r->controls.packet[m];
    x->ahead = x->resource == HF_NONE ? HF_NONE : last_in(r->k, x->resource);
    if (x->ahead == HF_NONE) {
        return reach(r, m);
    }
    x->next = r->controls.first_behind;
    r->controls.first_behind = m;
    return HF_OK;
}

static hf_status come_forward(hf_kernel_layers *r) {
    hf_controls *c = &r->controls;
    for (uint32_t m, *at = &c->first_behind; (m = *at) != HF_NONE;) {
        if (is_in(r->k, c->packet[m].resource, c->packet[m].ahead)) {
            at = &c->packet[m].next;
        } else {
            *at = c->packet[m].next;
            HF_TRY(reach(r, m));
        }
    }
    return HF_OK;
}

/* The first or the newest of a box, of one cycle by the channel; its place in the list. */
static uint32_t *choose(const hf_kernel_layers *r, box *b) {
    message *pool = r->controls.packet;
    uint32_t *best = &b->first;
    for (uint32_t *at = &b->first; *at != HF_NONE; at = &pool[*at].next) {
        const message *x = &pool[*at], *y = &pool[*best];
        const bool is_older = x->arrival != y->arrival ? x->arrival < y->arrival : x->notice.in < y->notice.in;
        best = is_older != r->o.newest_first ? at : best;
    }
    return best;
}

hf_status hf_control_take_in(hf_kernel_layers *r) {
    hf_controls *c = &r->controls;
    uint32_t n = 0;
    HF_TRY(come_forward(r));
    for (uint32_t i = 0; i < c->boxes.n; i++) {
        box *b = &c->box[c->boxes.item[i]];
        if (b->free_at <= r->k->counts.cycle) {
            uint32_t *place = choose(r, b);
            const uint32_t m = *place;
            *place = c->packet[m].next;
            b->free_at = r->k->counts.cycle + r->o.control_every;
            HF_TRY(work_on(r, m, r->k->counts.cycle));
        }
        if (b->first != HF_NONE) {
            c->boxes.item[n++] = c->boxes.item[i];
        }
    }
    c->boxes.n = n;
    return HF_OK;
}

/* ---- the start ---- */

static hf_status make_boxes(hf_kernel_layers *r) {
    hf_controls *c = &r->controls;
    const uint32_t n = r->k->topo->n_switch;
    HF_TRY(hf_scratch(r->k->cx, n, sizeof *c->box, (void **)&c->box));
    HF_TRY(hf_scratch(r->k->cx, n, sizeof *c->boxes.item, (void **)&c->boxes.item));
    for (uint32_t v = 0; v < n; v++) {
        c->box[v] = (box){HF_NONE, 0};
    }
    return HF_OK;
}

hf_status hf_control_new(hf_kernel_layers *r) {
    const hf_kernel *k = r->k;
    hf_controls *c = &r->controls;
    const uint32_t n_line = r->o.is_in_turn ? k->topo->n_node : k->topo->n_channel;
    *c = (hf_controls){.first_free = HF_NONE, .first_behind = HF_NONE};
    HF_TRY(hf_scratch(k->cx, n_line, sizeof *c->line, (void **)&c->line));
    HF_TRY(hf_scratch(k->cx, n_line, sizeof *c->lines.item, (void **)&c->lines.item));
    for (uint32_t i = 0; i < n_line; i++) {
        c->line[i] = (line){HF_NONE, HF_NONE, HF_NONE, 0};
    }
    if (r->o.uses_input_queue && r->o.control != HF_CONTROL_APART) {
        HF_TRY(hf_scratch(k->cx, k->n_resource, sizeof *c->held, (void **)&c->held));
        memset(c->held, 0, k->n_resource * sizeof *c->held);
    }
    return r->o.control_every > 0 ? make_boxes(r) : HF_OK;
}
