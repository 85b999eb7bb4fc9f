/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  A calendar queue. Source: [R. Brown, Calendar queues, CACM 31(10), 1988]; days are single cycles, so lists need no order, and
 *  what is beyond the year waits in a heap. It moves into the ring as soon as its cycle is in, so before any later event of that
 *  cycle is noted. */
#include "src/kernel/agenda.h"

#include <string.h>

#include <holdfast/core/context.h>

static hf_status make_room(hf_context *cx, hf_agenda *a) {
    const uint32_t old = a->room, room = old ? 2 * old : 256;
    hf_appointment *larger;
    HF_TRY(hf_scratch(cx, room, sizeof *larger, (void **)&larger));
    if (old) {
        memcpy(larger, a->event, old * sizeof *larger);
    }
    for (uint32_t i = room; i-- > (old ? old : 1);) {
        larger[i].next = a->free;
        a->free = i;
    }
    a->event = larger;
    a->room = room;
    return HF_OK;
}

hf_status hf_agenda_init(hf_context *cx, hf_agenda *a) { return make_room(cx, a); }

static hf_status add_near(hf_context *cx, hf_agenda *a, hf_appointment e) {
    const uint32_t day = (uint32_t)(e.at % HF_AGENDA_CYCLES);
    HF_TRY(a->free ? HF_OK : make_room(cx, a));
    const uint32_t i = a->free;
    a->free = a->event[i].next;
    e.number = hf_agenda_number(a);
    a->event[i] = e;
    *(a->first[day] ? &a->event[a->last[day]].next : &a->first[day]) = i;
    a->last[day] = i;
    a->n_near++;
    return HF_OK;
}

hf_status hf_agenda_add(hf_context *cx, hf_agenda *a, uint64_t at, uint32_t kind, uint32_t who) {
    if (at - a->now >= HF_AGENDA_CYCLES) {
        return hf_timers_add(cx, &a->far, (hf_timer){.at = at, .kind = kind, .who = who});
    }
    return add_near(cx, a, (hf_appointment){.at = at, .kind = kind, .who = who});
}

/* Go on to a later cycle; what has come near moves into the ring. */
static hf_status go_to(hf_context *cx, hf_agenda *a, uint64_t cycle) {
    a->now = cycle;
    while (hf_timers_due(&a->far, cycle + HF_AGENDA_CYCLES - 1)) {
        const hf_timer t = hf_timers_take(&a->far);
        HF_TRY(add_near(cx, a, (hf_appointment){.at = t.at, .kind = t.kind, .who = t.who}));
    }
    return HF_OK;
}

/* The next cycle at which there may be events, at most `cycle`. */
static uint64_t next_day(const hf_agenda *a, uint64_t cycle) {
    if (a->n_near > 0) {
        return a->now + 1;
    }
    return hf_timers_due(&a->far, cycle) ? a->far.heap[0].at : cycle;
}

hf_status hf_agenda_take(hf_context *cx, hf_agenda *a, uint64_t cycle, hf_appointment *out, bool *is_some) {
    while (!a->first[a->now % HF_AGENDA_CYCLES] && a->now < cycle) {
        HF_TRY(go_to(cx, a, next_day(a, cycle)));
    }
    const uint32_t day = (uint32_t)(a->now % HF_AGENDA_CYCLES), i = a->first[day];
    *is_some = i != 0;
    if (i) {
        *out = a->event[i];
        a->first[day] = out->next;
        a->event[i].next = a->free;
        a->free = i;
        a->n_near--;
    }
    return HF_OK;
}

uint64_t hf_agenda_next(const hf_agenda *a) {
    uint64_t cycle = a->now;
    if (a->n_near == 0) {
        return a->far.n ? a->far.heap[0].at : UINT64_MAX;
    }
    while (!a->first[cycle % HF_AGENDA_CYCLES]) {
        cycle++;
    }
    return cycle;
}
