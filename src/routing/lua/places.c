/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Open hashing with a step of one; a table is at most half full. */
#include "src/routing/lua/places.h"

#include <string.h>

#include "src/core/index.h"

enum { ROOM = 1024 };

static size_t find(const hf_places *p, uint64_t state) {
    size_t i = hf_index_hash(state) & (p->room - 1);
    while (p->state[i] && p->state[i] != state + 1) {
        i = (i + 1) & (p->room - 1);
    }
    return i;
}

static hf_status make_table(hf_context *cx, size_t room, hf_places *out) {
    *out = (hf_places){.room = room};
    HF_TRY(hf_allocate(cx, room, sizeof *out->state, (void **)&out->state));
    const hf_status status = hf_allocate(cx, room, sizeof *out->place, (void **)&out->place);
    if (status != HF_OK) {
        hf_release(hf_context_allocator(cx), out->state);
        *out = (hf_places){0};
    }
    return status;
}

hf_status hf_places_open(hf_context *cx, size_t n, bool is_dense, hf_places *out) {
    *out = (hf_places){.room = n};
    return is_dense ? hf_scratch(cx, n, sizeof *out->place, (void **)&out->place) : make_table(cx, ROOM, out);
}

uint32_t hf_places_get(const hf_places *places, uint64_t state) {
    return places->place[places->state ? find(places, state) : state];
}

static void enter(hf_places *p, uint64_t state, uint32_t place) {
    const size_t i = p->state ? find(p, state) : state;
    if (p->state) {
        p->state[i] = state + 1;
    }
    p->place[i] = place;
    p->used++;
}

static void enter_all(const hf_places *from, hf_places *to) {
    for (size_t i = 0; i < from->room; i++) {
        if (from->state[i]) {
            enter(to, from->state[i] - 1, from->place[i]);
        }
    }
}

static hf_status grow(hf_context *cx, hf_places *p) {
    hf_places more;
    HF_TRY(make_table(cx, 2 * p->room, &more));
    enter_all(p, &more);
    hf_places_drop(cx, p);
    *p = more;
    return HF_OK;
}

hf_status hf_places_put(hf_context *cx, hf_places *places, uint64_t state, uint32_t place_and_one) {
    if (places->state && 2 * (places->used + 1) > places->room) {
        HF_TRY(grow(cx, places));
    }
    enter(places, state, place_and_one);
    return HF_OK;
}

hf_status hf_places_settle(hf_context *cx, hf_places *places) {
    if (!places->state) {
        return HF_OK;
    }
    hf_places kept = {.room = places->room, .used = places->used};
    hf_status status = hf_scratch(cx, kept.room, sizeof *kept.state, (void **)&kept.state);
    status = status == HF_OK ? hf_scratch(cx, kept.room, sizeof *kept.place, (void **)&kept.place) : status;
    if (status == HF_OK) {
        memcpy(kept.state, places->state, kept.room * sizeof *kept.state);
        memcpy(kept.place, places->place, kept.room * sizeof *kept.place);
    }
    hf_places_drop(cx, places);
    *places = kept;
    return status;
}

void hf_places_drop(hf_context *cx, hf_places *places) {
    if (places->state) {
        hf_release(hf_context_allocator(cx), places->state);
        hf_release(hf_context_allocator(cx), places->place);
    }
    *places = (hf_places){0};
}
