/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Tolerance from the routing relation alone, one destination after the other. Slow and obvious: the twin that every fast judge
 *  is compared with. */
#include <holdfast/analysis/tolerance.h>
#include <holdfast/core/bitset.h>
#include <string.h>

#include "src/analysis/parting/parting.h"
#include "src/analysis/paths/walk.h"
#include "src/core/machine.h"
#include "src/topology/search.h"

static const unsigned asks_network = HF_CRITERION_CONNECTED | HF_CRITERION_SWITCHES;

/* What the judging of one plan carries from destination to destination. */
typedef struct court {
    const hf_plan *plan;
    const hf_criterion *criterion;
    hf_walk walk;
    uint64_t *served, *unsafe; /* marks of the walk's states; of a source, those of its injection */
    uint32_t mark_room;
    size_t words;                    /* of a row of terminals */
    uint64_t *direct, *direct_risks; /* with relays: a row for each destination, sources that it serves, and those at risk */
    uint32_t *distance, *queue;      /* n_node: healthy channels to the destination */
    uint64_t *bad_pair;              /* or NULL */
    hf_verdict *verdict;
} court;

/* At least, for an ordered pair of terminals. */
static const double pair_s = 3e-8;

static hf_status open_court(hf_context *cx, court *c) {
    const hf_topology *topo = c->plan->topo;
    HF_TRY(
        hf_machine_lasts(cx, pair_s * topo->n_terminal * topo->n_terminal, "one fault set of \"%s\", pair by pair,", topo->spec));
    c->words = hf_words(topo->n_terminal);
    HF_TRY(hf_scratch(cx, topo->n_node, sizeof *c->distance, (void **)&c->distance));
    HF_TRY(hf_scratch(cx, topo->n_node, sizeof *c->queue, (void **)&c->queue));
    return hf_walk_init(cx, topo, &c->walk);
}

static hf_status clear_marks(hf_context *cx, court *c) {
    if (c->mark_room < c->walk.state_room) {
        HF_TRY(hf_scratch(cx, hf_words(c->walk.state_room), sizeof *c->served, (void **)&c->served));
        HF_TRY(hf_scratch(cx, hf_words(c->walk.state_room), sizeof *c->unsafe, (void **)&c->unsafe));
        c->mark_room = c->walk.state_room;
        return HF_OK;
    }
    memset(c->served, 0, hf_words(c->walk.n_state) * sizeof *c->served);
    memset(c->unsafe, 0, hf_words(c->walk.n_state) * sizeof *c->unsafe);
    return HF_OK;
}

static hf_status walk_relation(hf_context *cx, court *c, uint32_t destination) {
    HF_TRY(hf_walk_explore(cx, &c->walk, c->plan, destination));
    HF_TRY(hf_walk_turn(cx, &c->walk));
    HF_TRY(clear_marks(cx, c));
    hf_walk_served(&c->walk, c->served);
    hf_walk_unsafe(&c->walk, c->unsafe);
    return HF_OK;
}

/* ---- relays ---- */

static bool is_stopped(hf_context *cx, uint32_t destination, hf_status *status) {
    if (!hf_context_stopped(cx)) {
        return false;
    }
    *status = hf_context_fail(cx, HF_ESTOP, __FILE__, __LINE__, "stopped while judging a plan, at destination t%u", destination);
    return true;
}

/* Who serves whom without relays, all destinations. */
static hf_status find_direct(hf_context *cx, court *c) {
    const uint32_t n = c->plan->topo->n_terminal;
    hf_status status;
    HF_TRY(hf_scratch(cx, n * c->words, sizeof *c->direct, (void **)&c->direct));
    HF_TRY(hf_scratch(cx, n * c->words, sizeof *c->direct_risks, (void **)&c->direct_risks));
    for (uint32_t d = 0; d < n; d++) {
        if (is_stopped(cx, d, &status)) {
            return status;
        }
        HF_TRY(walk_relation(cx, c, d));
        for (uint32_t s = 0; s < n; s++) {
            const bool counts = hf_plan_sends(c->plan, s, d);
            if (counts && hf_bit_test(c->served, s)) {
                hf_bit_set(c->direct + d * c->words, s);
            }
            if (counts && hf_bit_test(c->unsafe, s)) {
                hf_bit_set(c->direct_risks + d * c->words, s);
            }
        }
    }
    return HF_OK;
}

/* The marks of the terminals: who reaches the destination by way of others. */
static void relay(court *c, uint32_t destination) {
    const uint32_t n = c->plan->topo->n_terminal;
    uint32_t tail = 0;
    memcpy(c->served, c->direct + destination * c->words, c->words * sizeof *c->served);
    memcpy(c->unsafe, c->direct_risks + destination * c->words, c->words * sizeof *c->unsafe);
    for (size_t s = hf_bits_next(c->served, n, 0); s < n; s = hf_bits_next(c->served, n, s + 1)) {
        c->queue[tail++] = (uint32_t)s;
    }
    for (uint32_t head = 0; head < tail; head++) {
        const uint64_t *row = c->direct + c->queue[head] * c->words;
        for (size_t s = hf_bits_next(row, n, 0); s < n; s = hf_bits_next(row, n, s + 1)) {
            if (s != destination && !hf_bit_test(c->served, s)) {
                hf_bit_set(c->served, s);
                c->queue[tail++] = (uint32_t)s;
            }
        }
    }
}

/* ---- all pairs ---- */

static void note_pair(court *c, uint32_t source, uint32_t destination, bool is_served, bool is_unsafe) {
    c->verdict->pairs++;
    c->verdict->unserved += !is_served;
    c->verdict->unsafe += is_unsafe;
    if (c->bad_pair && (!is_served || is_unsafe)) {
        hf_bit_set(c->bad_pair, (size_t)source * c->plan->topo->n_terminal + destination);
    }
}

static hf_status mark_sources(hf_context *cx, court *c, uint32_t destination) {
    if (!c->direct) {
        return walk_relation(cx, c, destination);
    }
    relay(c, destination);
    return HF_OK;
}

static hf_status judge_destination(hf_context *cx, court *c, uint32_t destination) {
    const hf_topology *topo = c->plan->topo;
    const bool is_connected = c->criterion->flags & asks_network;
    const bool is_surviving = c->criterion->flags & HF_CRITERION_SURVIVING;
    if (!is_connected) {
        HF_TRY(mark_sources(cx, c, destination));
    }
    if (is_connected || is_surviving) {
        hf_distances(topo, c->plan->faults->channel_set, topo->n_switch + destination, true, c->queue, c->distance);
    }
    for (uint32_t source = 0; source < topo->n_terminal; source++) {
        if (!hf_plan_has_flow(c->plan, source, destination) || (!is_connected && !hf_plan_is_live(c->plan, source))) {
            continue;
        }
        if (is_connected) {
            note_pair(c, source, destination, c->distance[topo->n_switch + source] != HF_NONE, false);
        } else if (!is_surviving || c->distance[topo->n_switch + source] != HF_NONE) {
            note_pair(c, source, destination, hf_bit_test(c->served, source), hf_bit_test(c->unsafe, source));
        }
    }
    return HF_OK;
}

static hf_status judge_all(hf_context *cx, court *c) {
    hf_status status;
    HF_TRY(open_court(cx, c));
    if (c->plan->relays && !(c->criterion->flags & asks_network)) {
        HF_TRY(find_direct(cx, c));
    }
    for (uint32_t destination = 0; destination < c->plan->topo->n_terminal; destination++) {
        if (is_stopped(cx, destination, &status)) {
            return status;
        }
        if ((c->criterion->flags & asks_network) || hf_plan_is_live(c->plan, destination)) {
            HF_TRY(judge_destination(cx, c, destination));
        }
    }
    return HF_OK;
}

hf_status hf_tolerance_judge(hf_context *cx, const hf_plan *plan, const hf_criterion *criterion, bool want_pairs,
                             hf_verdict *out) {
    const size_t n = plan->topo->n_terminal;
    hf_verdict verdict = {0};
    court c = {.plan = plan, .criterion = criterion, .verdict = &verdict};
    HF_TRY(hf_criterion_least(cx, criterion, plan->topo, &verdict.least));
    if (want_pairs) {
        HF_TRY(hf_scratch(cx, hf_words(n * n), sizeof *c.bad_pair, (void **)&c.bad_pair));
    }
    const hf_mark mark = hf_scratch_mark(cx);
    const hf_status status = judge_all(cx, &c);
    hf_scratch_reset(cx, mark);
    HF_TRY(status);
    const bool is_connected = criterion->flags & asks_network;
    const hf_plan network = {.topo = plan->topo, .faults = plan->faults}; /* who is in service does not hang on the rule */
    verdict.live = hf_plan_live(is_connected ? &network : plan);
    const bool is_covered = is_connected || !hf_plan_is_empty(plan);
    verdict.tolerated = is_covered && verdict.live >= verdict.least && verdict.unserved == 0 && verdict.unsafe == 0;
    if (criterion->flags & HF_CRITERION_SWITCHES) {
        HF_TRY(hf_parting_is_whole(cx, plan->faults, verdict.least, &verdict.tolerated, &verdict.live));
    }
    verdict.bad_pair = c.bad_pair;
    *out = verdict;
    return HF_OK;
}
