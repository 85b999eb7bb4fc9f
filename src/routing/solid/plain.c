/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What a message meets at a switch depends on the faulty links and rings at this switch alone. Where those of two groups of
 *  faults are at different switches, a message that meets one group after the other gets past each as if there were no other,
 *  provided that it comes to the next as a plain one; and it comes to its goal in the end if it has come nearer to it each time.
 *  A hop from a switch without faults is on no ring, so that a plain message which comes by one is told by its tag alone.
 */
#include "src/routing/solid/plain.h"

#include <string.h>

#include <holdfast/core/bitset.h>

#include "src/core/index.h"

/* While ways from one state are followed, and after: HF_NONE, or the farthest that a message leaves the touched switches. */
typedef struct hf_solid_place {
    uint32_t epoch, far;
} place;

static size_t states(const hf_solid_plain *x) { return (size_t)(x->n_port + 1) * x->n_tag; }

static uint32_t far_from(const hf_solid_plain *x, uint32_t goal, uint32_t at) { return x->far[(size_t)goal * x->n_switch + at]; }

/* ---- tables ---- */

static uint32_t find_far(const hf_solid *s, uint32_t at, uint32_t goal) {
    uint32_t far = 0;
    for (uint32_t d = 0; d < s->grid.n; d++) {
        const uint32_t a = hf_solid_digit(s, at, d), b = hf_solid_digit(s, goal, d), along = a > b ? a - b : b - a;
        const uint32_t round = s->grid.size[d] - along;
        far = far * s->grid.size[d] + (s->grid.wraps[d] && round < along ? round : along);
    }
    return far;
}

/* Does every way on from a state of a message that came over no ring lead to the goal, or to a plain one, and nearer? */
static bool stays_plain(const hf_solid_plain *x, const hf_solid_plan *plan, uint32_t goal, uint32_t at, uint32_t tag) {
    const hf_topology *topo = plan->solid.topo;
    hf_solid_choice choice[HF_SOLID_CHOICES];
    const size_t n = hf_solid_choose(plan, at, HF_NONE, tag, goal, choice);
    bool stays = n > 0;
    for (size_t k = 0; k < n && stays; k++) {
        const uint32_t channel = choice[k].hop->channel, to = topo->to[channel];
        stays = far_from(x, goal, to) < far_from(x, goal, at) &&
                (to == goal || hf_solid_goes_on(plan, to, topo->from_port[channel], choice[k].tag, goal));
    }
    return stays;
}

static bool stay_plain(const hf_solid_plain *x, const hf_solid_plan *plan, uint32_t goal, uint32_t at) {
    uint32_t tag[HF_SOLID_PLAIN_TAGS];
    const size_t n = at == goal ? 0 : hf_solid_plain_tags(plan, at, goal, tag);
    bool stays = at == goal || n > 0;
    for (size_t i = 0; i < n && stays; i++) {
        stays = stays_plain(x, plan, goal, at, tag[i]);
    }
    return stays;
}

/* Tables by goal and switch. */
static void fill(hf_solid_plain *x, hf_solid_plan *plan) {
    const uint32_t n = x->n_switch;
    for (uint32_t i = 0; i < n * n; i++) {
        x->far[i] = find_far(&plan->solid, i % n, i / n);
        x->sides[i] = hf_solid_sides_of(plan, i % n, i / n);
    }
    plan->sides = x->sides;
    x->holds = plan->class == HF_SOLID_COVERED;
    for (uint32_t i = 0; i < n * n && x->holds; i++) {
        x->holds = stay_plain(x, plan, i / n, i % n);
    }
}

static hf_solid_plain sized(const hf_solid_plan *plan) {
    return (hf_solid_plain){
        .n_switch = plan->solid.topo->n_switch, .n_port = 2 * plan->solid.grid.n, .n_tag = hf_solid_tags(plan)};
}

double hf_solid_plain_bytes(const hf_solid_plan *plan) {
    const hf_solid_plain x = sized(plan);
    return (double)x.n_switch * x.n_switch * (double)(sizeof *x.sides + sizeof *x.far);
}

hf_status hf_solid_plain_init(hf_context *cx, const hf_solid_plan *plan, hf_solid_plain *out) {
    *out = sized(plan);
    const size_t n = (size_t)out->n_switch * out->n_switch;
    hf_solid_plan with_sides = *plan;
    for (out->seen_room = 1; out->seen_room < 2 * out->n_switch;) {
        out->seen_room *= 2;
    }
    HF_TRY(hf_allocate(cx, n, sizeof *out->sides, (void **)&out->sides));
    HF_TRY(hf_allocate(cx, n, sizeof *out->far, (void **)&out->far));
    HF_TRY(hf_allocate(cx, out->n_switch * states(out), sizeof *out->place, (void **)&out->place));
    HF_TRY(hf_allocate(cx, out->n_switch, sizeof *out->around, (void **)&out->around));
    HF_TRY(hf_allocate(cx, out->seen_room, sizeof *out->seen, (void **)&out->seen));
    fill(out, &with_sides);
    return HF_OK;
}

void hf_solid_plain_free(const hf_allocator *allocator, hf_solid_plain *plain) {
    void *const block[] = {plain->sides, plain->far, plain->place, plain->around, plain->seen};
    for (size_t i = 0; i < sizeof block / sizeof *block; i++) {
        hf_release(allocator, block[i]);
    }
}

/* ---- goals that are alike ---- */

static void find_around(hf_solid_plain *x, const hf_solid *s, const uint64_t *touched) {
    x->n_around = 0;
    for (uint32_t at = 0; at < x->n_switch; at++) {
        bool is_around = hf_bit_test(touched, at);
        for (uint32_t port = 0; port < x->n_port && !is_around; port++) {
            is_around = hf_solid_has(s, at, port / 2, port % 2 == 0) &&
                        hf_bit_test(touched, hf_solid_next(s, at, port / 2, port % 2 == 0));
        }
        x->around[x->n_around] = at;
        x->n_around += is_around;
    }
}

/* Do messages to two goals do the same at the touched switches, and next to them? Sides are the same there, and one place is as
 * much nearer than another. */
static bool are_alike(const hf_solid_plain *x, uint32_t a, uint32_t b) {
    const size_t p = (size_t)a * x->n_switch, q = (size_t)b * x->n_switch, first = x->around[0];
    bool alike = true;
    for (uint32_t i = 0; i < x->n_around && alike; i++) {
        const uint32_t at = x->around[i];
        alike = x->sides[p + at] == x->sides[q + at] && x->far[p + at] - x->far[p + first] == x->far[q + at] - x->far[q + first];
    }
    return alike;
}

static uint32_t hash_of(const hf_solid_plain *x, uint32_t goal) {
    const size_t row = (size_t)goal * x->n_switch;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < x->n_around; i++) {
        sum = (sum ^ x->sides[row + x->around[i]]) * UINT64_C(0x9e3779b97f4a7c15);
    }
    return hf_index_hash(sum);
}

/* \return whether one like it was seen before; else it is noted */
static bool was_seen(hf_solid_plain *x, uint32_t goal) {
    uint32_t i = hash_of(x, goal) & (x->seen_room - 1);
    while (x->seen[i] != HF_NONE && !are_alike(x, x->seen[i], goal)) {
        i = (i + 1) & (x->seen_room - 1);
    }
    const bool seen = x->seen[i] != HF_NONE;
    x->seen[i] = seen ? x->seen[i] : goal;
    return seen;
}

/* ---- past some faults ---- */

typedef struct passage {
    hf_solid_plain *x;
    const hf_solid_plan *plan;
    const uint64_t *touched;
    uint32_t goal;
} passage;

/* \return how far from the goal it leaves the touched switches at most; HF_NONE: not at all on some way, or not as a plain one */
static uint32_t follow(const passage *p, uint32_t at, uint32_t port, uint32_t tag) {
    const hf_topology *topo = p->plan->solid.topo;
    const hf_solid_plain *x = p->x;
    hf_solid_choice choice[HF_SOLID_CHOICES];
    if (at == p->goal) {
        return 0;
    }
    if (!hf_bit_test(p->touched, at)) {
        return hf_solid_goes_on(p->plan, at, port, tag, p->goal) ? far_from(x, p->goal, at) : HF_NONE;
    }
    place *here = &x->place[((size_t)at * (x->n_port + 1) + (port == HF_NONE ? x->n_port : port)) * x->n_tag + tag];
    if (here->epoch == x->epoch) {
        return here->far;
    }
    *here = (place){x->epoch, HF_NONE};
    const size_t n = hf_solid_choose(p->plan, at, port, tag, p->goal, choice);
    uint32_t most = n ? 0 : HF_NONE;
    for (size_t i = 0; i < n && most != HF_NONE; i++) {
        const uint32_t channel = choice[i].hop->channel,
                       far = follow(p, topo->to[channel], topo->from_port[channel], choice[i].tag);
        most = far > most ? far : most; /* HF_NONE is the farthest */
    }
    here->far = most;
    return most;
}

/* Messages to the goal that come to a touched switch from one that is not, or begin there. */
static bool gets_past(const passage *p, uint32_t at) {
    uint32_t tag[HF_SOLID_PLAIN_TAGS];
    const size_t n = hf_solid_plain_tags(p->plan, at, p->goal, tag);
    bool passes = true;
    for (size_t i = 0; i < n && passes; i++) {
        passes = follow(p, at, HF_NONE, tag[i]) < far_from(p->x, p->goal, at);
    }
    return passes;
}

static bool reaches(passage *p, uint32_t goal) {
    p->goal = goal;
    p->x->epoch++;
    bool passes = true;
    for (uint32_t i = 0; i < p->x->n_around && passes; i++) {
        const uint32_t at = p->x->around[i];
        passes = at == goal || !hf_bit_test(p->touched, at) || p->plan->solid.bad[at] || gets_past(p, at);
    }
    return passes;
}

bool hf_solid_plain_passes(hf_solid_plain *plain, const hf_solid_plan *plan, const uint64_t *touched) {
    passage p = {.x = plain, .plan = plan, .touched = touched};
    bool passes = true;
    find_around(plain, &plan->solid, touched);
    memset(plain->seen, 0xff, plain->seen_room * sizeof *plain->seen);
    for (uint32_t goal = 0; goal < plain->n_switch && passes; goal++) {
        passes = plan->solid.bad[goal] || was_seen(plain, goal) || reaches(&p, goal);
    }
    return passes;
}
