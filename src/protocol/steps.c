/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What happens in a run: events, packets, messages that are delivered, blocks that begin. */
#include <holdfast/core/bitset.h>

#include "src/core/grow.h"
#include "src/core/heap.h"
#include "src/protocol/run.h"

/* ---- events ---- */

static bool is_before(const void *user, const hf_run_event *a, const hf_run_event *b) {
    (void)user;
    return a->kind != b->kind ? a->kind < b->kind : a->index < b->index;
}

HF_HEAP_DEFINE(events, hf_run_event, const void *, is_before);

static hf_status push_present(hf_run *r, uint32_t kind, uint32_t index) {
    HF_GROW(r->cx, r->present, r->n_present, r->present_room);
    events_push(NULL, r->present, r->n_present++, (hf_run_event){kind, index});
    return HF_OK;
}

hf_status hf_run_push(hf_run *r, uint64_t time, hf_run_event_kind kind, uint32_t index) {
    if (time > r->now) {
        return hf_agenda_add(r->cx, &r->agenda, time, kind, index);
    }
    if (kind != HF_RUN_WAKE) {
        return push_present(r, kind, index);
    }
    hf_bit_set(r->waking, index);
    return HF_OK;
}

hf_status hf_run_wake(hf_run *r, uint32_t node, uint64_t time) {
    if (time >= r->node[node].wake) {
        return HF_OK;
    }
    r->node[node].wake = time;
    return hf_run_push(r, time, HF_RUN_WAKE, node);
}

hf_run_event hf_run_take(hf_run *r) { return events_pop(NULL, r->present, r->n_present--); }

/* ---- packets ---- */

bool hf_run_is_busy(const hf_run *r, uint32_t node) { return r->kernel->lane[r->kernel->n_resource + node].packet != HF_NONE; }

hf_status hf_run_packet_new(hf_run *r, const hf_protocol_packet *packet, uint32_t distance, uint32_t *out) {
    if (r->free_packet != HF_NONE) {
        *out = r->free_packet;
        r->free_packet = r->packet[*out].next;
    } else {
        HF_GROW(r->cx, r->packet, r->n_packet, r->packet_room);
        *out = r->n_packet++;
    }
    r->packet[*out] = (hf_run_packet){.packet = *packet, .distance = distance, .next = HF_NONE};
    return HF_OK;
}

void hf_run_packet_drop(hf_run *r, uint32_t packet) {
    r->packet[packet].next = r->free_packet;
    r->free_packet = packet;
}

hf_status hf_run_inject(hf_run *r, uint32_t packet) {
    const hf_protocol_packet *p = &r->packet[packet].packet;
    r->result->n_packet[p->kind]++;
    return hf_kernel_put_at_head(
        r->kernel,
        &(hf_packet){.source = p->source, .destination = p->destination, .length = p->size, .generated = r->now, .user = packet});
}

/* ---- units ---- */

enum { TRACE_FLIT_BITS = 32 };

uint32_t hf_run_size(const hf_run *r, uint32_t size) {
    const uint32_t bits = r->messaging->flit_bits ? r->messaging->flit_bits : TRACE_FLIT_BITS;
    return (size * TRACE_FLIT_BITS + bits - 1) / bits;
}

/* Cycles of the network in which processors do `cycles`, rounded up. */
static uint64_t network_cycles(const hf_run *r, uint64_t cycles) {
    const uint64_t percent = r->messaging->clock_percent ? r->messaging->clock_percent : 100;
    return (cycles * percent + 99) / 100;
}

/* ---- blocks ---- */

/* The program goes on until `end`, after these messages. */
static void note_end(hf_run *r, uint64_t end, hf_run_path path) {
    hf_messaging_result *out = r->result;
    if (end > out->cycles || (end == out->cycles && path.hops > out->path_hops)) {
        out->cycles = end;
        out->path_hops = path.hops;
        out->path_messages = path.messages;
    }
}

hf_status hf_run_activate(hf_run *r, uint32_t block) {
    const hf_program_block *b = &r->program->blocks[block];
    note_end(r, r->now + network_cycles(r, b->time), r->path[block]);
    for (uint32_t m = b->first; m != HF_NONE; m = r->program->messages[m].next) {
        HF_TRY(hf_run_push(r, r->now + network_cycles(r, r->program->messages[m].offset), HF_RUN_SEND, m));
    }
    return HF_OK;
}

/* Channels between switches, and one message more. */
static hf_status lengthen(hf_run *r, uint32_t message, hf_run_path *path) {
    const uint32_t to = r->program->messages[message].destination;
    uint32_t distance;
    *path = r->path[r->block_of[message]];
    if (r->source[message] != to) {
        HF_TRY(hf_network_distance(r->cx, r->net, r->source[message], to, &distance));
        path->hops += distance > 0 ? distance - 1 : 0;
        path->messages++;
    }
    return HF_OK;
}

hf_status hf_run_deliver(hf_run *r, uint32_t message) {
    const uint32_t target = r->program->messages[message].target;
    if (r->fate[message] == HF_RUN_DELIVERED) {
        r->result->n_duplicate++;
        return HF_OK;
    }
    r->result->n_lost -= r->fate[message] == HF_RUN_FORGOTTEN; /* a late copy */
    r->fate[message] = HF_RUN_DELIVERED;
    r->result->n_waiting--;
    r->n_open--;
    const bool is_last = target != HF_NONE && --r->missing[target] == 0;
    hf_run_path path;
    if (!is_last && r->now < r->result->cycles) {
        return HF_OK;
    }
    HF_TRY(lengthen(r, message, &path));
    note_end(r, r->now, path);
    if (is_last) {
        r->path[target] = path;
    }
    return is_last ? hf_run_activate(r, target) : HF_OK;
}

void hf_run_forget(hf_run *r, uint32_t message) {
    if (r->fate[message] == HF_RUN_OPEN) {
        r->fate[message] = HF_RUN_FORGOTTEN;
        r->result->n_lost++;
    }
}

/* A request activates a block that does nothing but answer at once. */
uint32_t hf_run_reply(const hf_run *r, uint32_t message) {
    const hf_program *t = r->program;
    const hf_program_message *m = &t->messages[message];
    if (!r->messaging->piggybacks || r->messaging->is_buffered || m->target == HF_NONE || m->destination == r->source[message]) {
        return HF_NONE;
    }
    const hf_program_block *b = &t->blocks[m->target];
    const hf_program_message *reply = b->first != HF_NONE ? &t->messages[b->first] : NULL;
    const bool is_one = reply && b->n_signal == 1 && reply->next == HF_NONE && reply->offset == 0;
    return is_one && b->node == m->destination && reply->destination == r->source[message] ? b->first : HF_NONE;
}
