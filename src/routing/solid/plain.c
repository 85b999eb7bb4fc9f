/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What a message meets at a switch depends on the faulty links and rings at this switch alone. Where those of two groups of
 *  faults are at different switches, a message that meets one group after the other gets past each as if there were no other,
 *  provided that it comes to the next as a plain one; and it comes to its goal in the end if it has come nearer to it each time.
 */
#include "src/routing/solid/plain.h"

#include <holdfast/core/bitset.h>

/* While ways from one state are followed, and after: HF_NONE, or the farthest that a message leaves the touched switches. */
typedef struct hf_solid_place {
    uint32_t epoch, far;
} place;

static size_t states(const hf_solid_plain *x) { return (size_t)(x->n_port + 1) * x->n_tag; }

static uint64_t *row_at(const hf_solid_plain *x, uint32_t goal, uint32_t at) {
    return x->row + ((size_t)goal * x->n_switch + at) * x->words;
}

static uint32_t far_from(const hf_solid_plain *x, uint32_t goal, uint32_t at) { return x->far[(size_t)goal * x->n_switch + at]; }

static bool is_plain(const hf_solid_plain *x, uint32_t goal, uint32_t at, uint32_t port, uint32_t tag) {
    return hf_bit_test(row_at(x, goal, at), port * x->n_tag + tag);
}

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

/* Is there a switch that a message leaves by that port to come here? \param[out] from that switch */
static bool comes_from(const hf_solid *s, uint32_t at, uint32_t port, uint32_t *from) {
    const bool is_plus = port % 2 == 0;
    if (!hf_solid_has(s, at, port / 2, !is_plus)) {
        return false;
    }
    *from = hf_solid_next(s, at, port / 2, !is_plus);
    return true;
}

static void fill_row(hf_solid_plain *x, const hf_solid_plan *plan, uint32_t goal, uint32_t at) {
    uint64_t *row = row_at(x, goal, at);
    uint32_t from = HF_NONE;
    for (uint32_t port = 0; port < x->n_port; port++) {
        const bool is_nearer = comes_from(&plan->solid, at, port, &from) && far_from(x, goal, from) > far_from(x, goal, at);
        for (uint32_t tag = 1; is_nearer && tag < x->n_tag; tag++) {
            if (hf_solid_goes_on(plan, at, port, tag, goal)) {
                hf_bit_set(row, port * x->n_tag + tag);
            }
        }
    }
    if (hf_solid_goes_on(plan, at, HF_NONE, 0, goal)) {
        hf_bit_set(row, x->n_port * x->n_tag);
    }
}

/* Does every way on from a state lead to a plain one? */
static bool stays_plain(const hf_solid_plain *x, const hf_solid_plan *plan, uint32_t goal, uint32_t at, uint32_t state) {
    const hf_topology *topo = plan->solid.topo;
    const uint32_t port = state / x->n_tag;
    hf_solid_choice choice[HF_SOLID_CHOICES];
    const size_t n = hf_solid_choose(plan, at, port == x->n_port ? HF_NONE : port, state % x->n_tag, goal, choice);
    bool stays = n > 0;
    for (size_t k = 0; k < n && stays; k++) {
        const uint32_t channel = choice[k].hop->channel, to = topo->to[channel];
        stays = to == goal || is_plain(x, goal, to, topo->from_port[channel], choice[k].tag);
    }
    return stays;
}

/* Leave out states of which some way on is not plain: tags that no message has. \return whether there were any */
static bool thin_out(const hf_solid_plain *x, const hf_solid_plan *plan, uint32_t goal, uint32_t at) {
    uint64_t *row = row_at(x, goal, at);
    bool changes = false;
    for (size_t i = hf_bits_next(row, states(x), 0); i < states(x); i = hf_bits_next(row, states(x), i + 1)) {
        if (!stays_plain(x, plan, goal, at, (uint32_t)i)) {
            hf_bit_clear(row, i);
            changes = true;
        }
    }
    return changes;
}

/* Tables by goal and switch: far first, as rows read it. */
static void fill(hf_solid_plain *x, hf_solid_plan *plan) {
    const uint32_t n = x->n_switch;
    for (uint32_t i = 0; i < n * n; i++) {
        x->far[i] = find_far(&plan->solid, i % n, i / n);
        x->sides[i] = hf_solid_sides_of(plan, i % n, i / n);
    }
    plan->sides = x->sides;
    for (uint32_t i = 0; i < n * n; i++) {
        fill_row(x, plan, i / n, i % n);
    }
    for (bool changes = plan->class == HF_SOLID_COVERED; changes;) {
        changes = false;
        for (uint32_t i = 0; i < n * n; i++) {
            changes |= i / n != i % n && thin_out(x, plan, i / n, i % n);
        }
    }
    x->holds = plan->class == HF_SOLID_COVERED;
    for (uint32_t i = 0; i < n * n && x->holds; i++) {
        x->holds = i / n == i % n || is_plain(x, i / n, i % n, x->n_port, 0);
    }
}

static hf_solid_plain sized(const hf_solid_plan *plan) {
    hf_solid_plain x = {.n_switch = plan->solid.topo->n_switch, .n_port = 2 * plan->solid.grid.n, .n_tag = hf_solid_tags(plan)};
    x.words = hf_words(states(&x));
    return x;
}

double hf_solid_plain_bytes(const hf_solid_plan *plan) {
    const hf_solid_plain x = sized(plan);
    return (double)x.n_switch * x.n_switch * (double)((x.words + 1) * sizeof *x.row + sizeof *x.far);
}

hf_status hf_solid_plain_init(hf_context *cx, const hf_solid_plan *plan, hf_solid_plain *out) {
    *out = sized(plan);
    const size_t n = (size_t)out->n_switch * out->n_switch;
    hf_solid_plan with_sides = *plan;
    HF_TRY(hf_allocate(cx, n, sizeof *out->sides, (void **)&out->sides));
    HF_TRY(hf_allocate(cx, n, sizeof *out->far, (void **)&out->far));
    HF_TRY(hf_allocate(cx, n * out->words, sizeof *out->row, (void **)&out->row));
    HF_TRY(hf_allocate(cx, out->n_switch * states(out), sizeof *out->place, (void **)&out->place));
    fill(out, &with_sides);
    return HF_OK;
}

void hf_solid_plain_free(const hf_allocator *allocator, hf_solid_plain *plain) {
    void *const block[] = {plain->sides, plain->far, plain->row, plain->place};
    for (size_t i = 0; i < sizeof block / sizeof *block; i++) {
        hf_release(allocator, block[i]);
    }
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
        return is_plain(x, p->goal, at, port, tag) ? far_from(x, p->goal, at) : HF_NONE;
    }
    place *here = &x->place[((size_t)at * (x->n_port + 1) + port) * x->n_tag + tag];
    if (here->epoch == x->epoch) {
        return here->far;
    }
    *here = (place){x->epoch, HF_NONE};
    const size_t n = hf_solid_choose(p->plan, at, port == x->n_port ? HF_NONE : port, tag, p->goal, choice);
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
    const hf_solid_plain *x = p->x;
    const uint64_t *row = row_at(x, p->goal, at);
    uint32_t from = HF_NONE;
    for (size_t i = hf_bits_next(row, states(x), 0); i < states(x); i = hf_bits_next(row, states(x), i + 1)) {
        const uint32_t port = (uint32_t)i / x->n_tag;
        const bool is_inner = port < x->n_port && comes_from(&p->plan->solid, at, port, &from) && hf_bit_test(p->touched, from);
        if (!is_inner && follow(p, at, port, (uint32_t)i % x->n_tag) >= far_from(x, p->goal, at)) {
            return false;
        }
    }
    return true;
}

static bool reaches(passage *p, uint32_t goal) {
    const uint32_t n = p->x->n_switch;
    p->goal = goal;
    p->x->epoch++;
    for (size_t at = hf_bits_next(p->touched, n, 0); at < n; at = hf_bits_next(p->touched, n, at + 1)) {
        if (at != goal && !p->plan->solid.bad[at] && !gets_past(p, (uint32_t)at)) {
            return false;
        }
    }
    return true;
}

bool hf_solid_plain_passes(hf_solid_plain *plain, const hf_solid_plan *plan, const uint64_t *touched) {
    passage p = {.x = plain, .plan = plan, .touched = touched};
    for (uint32_t goal = 0; goal < plain->n_switch; goal++) {
        if (!plan->solid.bad[goal] && !reaches(&p, goal)) {
            return false;
        }
    }
    return true;
}
