/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The simulation's heap of events and its pool of packets. */
#include "src/protocol/run.h"

static bool is_before(const hf_run_event *a, const hf_run_event *b) {
    if (a->time != b->time) {
        return a->time < b->time;
    }
    return a->kind != b->kind ? a->kind < b->kind : a->index < b->index;
}

hf_status hf_run_push(hf_run *r, uint64_t time, hf_run_event_kind kind, uint32_t index) {
    if (r->n_event == r->event_capacity) {
        const size_t capacity = r->event_capacity ? 2 * r->event_capacity : 1024;
        HF_TRY(hf_resize(r->cx, capacity, sizeof *r->event, (void **)&r->event));
        r->event_capacity = capacity;
    }
    const hf_run_event e = {time, kind, index};
    size_t i = r->n_event++;
    for (; i > 0 && is_before(&e, &r->event[(i - 1) / 2]); i = (i - 1) / 2) {
        r->event[i] = r->event[(i - 1) / 2];
    }
    r->event[i] = e;
    return HF_OK;
}

hf_run_event hf_run_pop(hf_run *r) {
    const hf_run_event top = r->event[0], e = r->event[--r->n_event];
    size_t i = 0;
    for (size_t child = 1; child < r->n_event; child = 2 * i + 1) {
        child += child + 1 < r->n_event && is_before(&r->event[child + 1], &r->event[child]);
        if (!is_before(&r->event[child], &e)) {
            break;
        }
        r->event[i] = r->event[child];
        i = child;
    }
    r->event[i] = e;
    return top;
}

hf_status hf_run_wake(hf_run *r, uint32_t node, uint64_t time) {
    if (time >= r->node[node].wake) {
        return HF_OK;
    }
    r->node[node].wake = time;
    return hf_run_push(r, time, HF_RUN_WAKE, node);
}

hf_status hf_run_packet_new(hf_run *r, const hf_protocol_packet *packet, uint32_t *out) {
    if (r->free_packet == HF_NONE && r->n_packet == r->packet_capacity) {
        const uint32_t capacity = r->packet_capacity ? 2 * r->packet_capacity : 256;
        HF_TRY(hf_resize(r->cx, capacity, sizeof *r->packet, (void **)&r->packet));
        r->packet_capacity = capacity;
    }
    if (r->free_packet != HF_NONE) {
        *out = r->free_packet;
        r->free_packet = r->packet[*out].next;
    } else {
        *out = r->n_packet++;
    }
    hf_run_packet *p = &r->packet[*out];
    p->packet = *packet;
    p->place = (hf_place){.at = packet->source};
    p->next = HF_NONE;
    p->n_held = 0;
    return HF_OK;
}

void hf_run_packet_drop(hf_run *r, uint32_t packet) {
    r->packet[packet].next = r->free_packet;
    r->free_packet = packet;
}

hf_status hf_run_activate(hf_run *r, uint32_t packet) {
    if (r->n_active == r->active_capacity) {
        const size_t capacity = r->active_capacity ? 2 * r->active_capacity : 256;
        HF_TRY(hf_resize(r->cx, capacity, sizeof *r->active, (void **)&r->active));
        r->active_capacity = capacity;
    }
    r->packet[packet].entered = r->now;
    r->result->n_packet[r->packet[packet].packet.kind]++;
    r->active[r->n_active++] = packet;
    return HF_OK;
}
