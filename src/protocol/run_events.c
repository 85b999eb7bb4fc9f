/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The simulation's calendar of events and its pool of packets. */
#include "src/protocol/run.h"

#include "src/core/grow.h"
#include "src/core/heap.h"

static bool is_before(const void *user, const hf_run_event *a, const hf_run_event *b) {
    (void)user;
    if (a->time != b->time) {
        return a->time < b->time;
    }
    return a->kind != b->kind ? a->kind < b->kind : a->index < b->index;
}

HF_HEAP_DEFINE(events, hf_run_event, const void *, is_before);

static hf_status heap_push(hf_context *cx, hf_run_heap *h, hf_run_event e) {
    HF_GROW(cx, h->event, h->n, h->capacity);
    events_push(NULL, h->event, h->n++, e);
    return HF_OK;
}

static hf_run_event heap_pop(hf_run_heap *h) { return events_pop(NULL, h->event, h->n--); }

void hf_run_calendar_init(hf_run_calendar *c) {
    c->free_note = HF_NONE;
    for (uint32_t i = 0; i < HF_RUN_WHEEL; i++) {
        c->first[i] = HF_NONE;
    }
}

static hf_status list_push(hf_run *r, hf_run_event e) {
    hf_run_calendar *c = &r->calendar;
    const uint32_t slot = (uint32_t)(e.time % HF_RUN_WHEEL);
    uint32_t note = c->free_note;
    if (note == HF_NONE) {
        HF_GROW(r->cx, c->note, c->n_note, c->note_capacity);
        note = c->n_note++;
    } else {
        c->free_note = c->note[note].next;
    }
    c->note[note] = (struct hf_run_note){e.kind, e.index, c->first[slot]};
    c->first[slot] = note;
    c->is_used[slot / 64] |= UINT64_C(1) << slot % 64;
    return HF_OK;
}

static hf_status put(hf_run *r, hf_run_event e) {
    if (e.time <= r->now) {
        return heap_push(r->cx, &r->calendar.present, e);
    }
    return e.time - r->now < HF_RUN_WHEEL ? list_push(r, e) : heap_push(r->cx, &r->calendar.far, e);
}

hf_status hf_run_push(hf_run *r, uint64_t time, hf_run_event_kind kind, uint32_t index) {
    r->calendar.n++;
    return put(r, (hf_run_event){time, kind, index});
}

/* The first cycle after this one whose list is not empty; UINT64_MAX: none. */
static uint64_t first_listed(const hf_run *r) {
    const hf_run_calendar *c = &r->calendar;
    for (uint64_t time = r->now + 1; time < r->now + HF_RUN_WHEEL;) {
        const uint32_t slot = (uint32_t)(time % HF_RUN_WHEEL);
        const uint64_t word = c->is_used[slot / 64] >> slot % 64;
        if (word) {
            return time + (uint64_t)__builtin_ctzll(word);
        }
        time += 64 - slot % 64;
    }
    return UINT64_MAX;
}

static uint64_t next_time(const hf_run *r) {
    if (r->calendar.present.n > 0) {
        return r->now;
    }
    const uint64_t listed = first_listed(r), far = r->calendar.far.n ? r->calendar.far.event[0].time : UINT64_MAX;
    return listed < far ? listed : far;
}

hf_status hf_run_advance(hf_run *r, bool is_step) {
    hf_run_calendar *c = &r->calendar;
    r->now = is_step ? r->now + 1 : next_time(r);
    const uint32_t slot = (uint32_t)(r->now % HF_RUN_WHEEL);
    while (c->far.n > 0 && c->far.event[0].time - r->now < HF_RUN_WHEEL) {
        HF_TRY(put(r, heap_pop(&c->far)));
    }
    while (c->first[slot] != HF_NONE) {
        const uint32_t note = c->first[slot];
        HF_TRY(heap_push(r->cx, &c->present, (hf_run_event){r->now, c->note[note].kind, c->note[note].index}));
        c->first[slot] = c->note[note].next;
        c->note[note].next = c->free_note;
        c->free_note = note;
    }
    c->is_used[slot / 64] &= ~(UINT64_C(1) << slot % 64);
    return HF_OK;
}

bool hf_run_pop(hf_run *r, hf_run_event *out) {
    if (r->calendar.present.n == 0) {
        return false;
    }
    r->calendar.n--;
    *out = heap_pop(&r->calendar.present);
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
