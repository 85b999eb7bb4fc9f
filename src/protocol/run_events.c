/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The simulation's events and its pool of packets. */
#include "src/protocol/run.h"

#include "src/core/grow.h"
#include "src/core/heap.h"

static bool is_before(const void *user, const hf_run_event *a, const hf_run_event *b) {
    (void)user;
    return a->kind != b->kind ? a->kind < b->kind : a->index < b->index;
}

HF_HEAP_DEFINE(events, hf_run_event, const void *, is_before);

static hf_status push_present(hf_run *r, uint32_t kind, uint32_t index) {
    HF_GROW(r->cx, r->present, r->n_present, r->present_capacity);
    events_push(NULL, r->present, r->n_present++, (hf_run_event){kind, index});
    return HF_OK;
}

hf_status hf_run_push(hf_run *r, uint64_t time, hf_run_event_kind kind, uint32_t index) {
    return time > r->now ? hf_agenda_add(r->cx, &r->agenda, time, kind, index) : push_present(r, kind, index);
}

size_t hf_run_n_event(const hf_run *r) { return r->n_present + hf_agenda_count(&r->agenda); }

hf_status hf_run_advance(hf_run *r, bool is_step) {
    bool is_some = true;
    r->now = is_step ? r->now + 1 : r->n_present > 0 ? r->now : hf_agenda_next(&r->agenda);
    while (is_some) {
        hf_appointment e;
        HF_TRY(hf_agenda_take(r->cx, &r->agenda, r->now, &e, &is_some));
        HF_TRY(is_some ? push_present(r, e.kind, e.who) : HF_OK);
    }
    return HF_OK;
}

bool hf_run_pop(hf_run *r, hf_run_event *out) {
    if (r->n_present == 0) {
        return false;
    }
    *out = events_pop(NULL, r->present, r->n_present--);
    return true;
}

hf_status hf_run_wake(hf_run *r, uint32_t node, uint64_t time) {
    if (time >= r->node[node].wake) {
        return HF_OK;
    }
    r->node[node].wake = time;
    return hf_run_push(r, time, HF_RUN_WAKE, node);
}

hf_status hf_run_packet_new(hf_run *r, const hf_protocol_packet *packet, uint32_t *out) {
    if (r->free_packet != HF_NONE) {
        *out = r->free_packet;
        r->free_packet = r->packet[*out].next;
    } else {
        HF_GROW(r->cx, r->packet, r->n_packet, r->packet_capacity);
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
    HF_GROW(r->cx, r->active, r->n_active, r->active_capacity);
    r->packet[packet].entered = r->now;
    r->result->n_packet[r->packet[packet].packet.kind]++;
    r->active[r->n_active++] = packet;
    return HF_OK;
}

hf_status hf_run_move(hf_run *r, hf_run_step *advance) {
    size_t n = 0;
    for (size_t i = 0; i < r->n_active; i++) {
        const uint32_t packet = r->active[i];
        bool stays = true;
        if (r->packet[packet].entered < r->now) {
            HF_TRY(advance(r, packet, &stays));
        }
        if (stays) {
            r->active[n++] = packet;
        }
    }
    r->n_active = n;
    return HF_OK;
}
