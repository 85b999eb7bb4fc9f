/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Deadlocks of packets in lockstep: the packets are sent into the empty network, one flit a buffer, each once and as long as
 *  what it holds in the end. In each step every packet whose next channel is free goes on; of several that want one, the one goes
 *  that is said to hold it. When they are sent is looked for: first so that all come to where they end in the same step, then at
 *  random. One run that ends with all of them in place shows the deadlock; no such run shows nothing, as others may have been in
 *  the way. */
#include <string.h>

#include <holdfast/core/random.h>

#include "src/check/check.h"

enum { TRIES = 20000, WORK = 200000000 };

typedef struct worm {
    uint32_t *way; /* numbers of channels: to where it ends, then the one that it waits for */
    uint32_t n_way, length;
    uint32_t sent, head; /* step from which it may go in; channels that it has come into */
} worm;

typedef struct run {
    check *c;
    worm *worm;
    uint32_t n, longest;
    uint32_t n_channel, *index, *vc; /* those on a way; by channel of the topology: number + 1, and the virtual channel in use */
    uint32_t *holder;                /* by number: worm + 1 */
    bool *was_taken;                 /* by number, at the start of the step */
    bool *has_gone;                  /* by worm, in this step */
} run;

static uint32_t index_of(run *r, hf_hop hop) {
    if (r->index[hop.channel] == 0) {
        r->index[hop.channel] = ++r->n_channel;
        r->vc[hop.channel] = hop.vc;
    } else if (r->vc[hop.channel] != hop.vc) {
        check_leave_open(r->c, "lockstep is followed where a channel has one virtual channel in use; here one has several");
    }
    return r->index[hop.channel] - 1;
}

/* Its way, if the relation offers no other one. */
static hf_status read_worm(run *r, const hf_blocked *b, worm *w) {
    check *c = r->c;
    const uint32_t at_end = c->net.topo->n_switch + b->destination;
    hf_hop in = HF_HOP_INJECTION, *hops;
    uint32_t at = c->net.topo->n_switch + b->source;
    *w = (worm){.n_way = b->n_path + b->n_hold - 1, .length = b->n_hold};
    HF_TRY(hf_scratch(c->cx, c->net.plan.max_hops, sizeof *hops, (void **)&hops));
    HF_TRY(hf_scratch(c->cx, (size_t)w->n_way + 1, sizeof *w->way, (void **)&w->way));
    for (uint32_t i = 0; i <= w->n_way; i++) {
        size_t count = 0;
        HF_TRY(at == at_end ? HF_OK : check_hops(c, at, in, b->destination, hops, &count));
        if (count != 1) {
            check_leave_open(c, "lockstep is followed for rules with one way for each pair; a packet from t%u to t%u has several",
                             b->source, b->destination);
            return HF_OK;
        }
        in = hops[0];
        at = c->net.topo->to[in.channel];
        w->way[i] = index_of(r, in);
    }
    r->longest = w->n_way > r->longest ? w->n_way : r->longest;
    return HF_OK;
}

static bool is_in_place(const worm *w) { return w->head == w->n_way; }

/* Does it want to go on in step t, to a channel that it ends on or not, and can it? */
static bool can_go(const run *r, uint32_t i, uint32_t t, bool same_step, bool ends_there) {
    const worm *w = &r->worm[i];
    const uint32_t to = w->way[w->head];
    const bool ends = w->head + w->length >= w->n_way && !is_in_place(w);
    const bool is_free = r->holder[to] == 0 && (same_step || !r->was_taken[to]);
    return !r->has_gone[i] && (w->head > 0 || t >= w->sent) && ends == ends_there && is_free;
}

static void go(run *r, uint32_t i) {
    worm *w = &r->worm[i];
    r->holder[w->way[w->head++]] = i + 1;
    if (w->head > w->length) {
        r->holder[w->way[w->head - 1 - w->length]] = 0;
    }
    r->has_gone[i] = true;
}

/* One step. \return whether a packet that was in place has gone on */
static bool step(run *r, uint32_t t, bool same_step) {
    memset(r->has_gone, 0, r->n * sizeof *r->has_gone);
    for (uint32_t c = 0; c < r->n_channel; c++) {
        r->was_taken[c] = r->holder[c] != 0;
    }
    for (bool grew = true; grew;) {
        grew = false;
        for (uint32_t k = 0; k < 2 * r->n && !grew; k++) {
            const uint32_t i = k % r->n;
            if (can_go(r, i, t, same_step, k < r->n)) {
                if (is_in_place(&r->worm[i])) {
                    return true;
                }
                go(r, i);
                grew = true;
            }
        }
    }
    return false;
}

static uint32_t steps_of(const run *r) { return (r->n + 2) * (r->longest + 1); }

static bool try_run(run *r, bool same_step) {
    memset(r->holder, 0, r->n_channel * sizeof *r->holder);
    for (uint32_t i = 0; i < r->n; i++) {
        r->worm[i].head = 0;
    }
    for (uint32_t t = 0; t <= steps_of(r); t++) {
        if (step(r, t, same_step)) {
            return false;
        }
        bool all = true;
        for (uint32_t i = 0; i < r->n; i++) {
            all &= is_in_place(&r->worm[i]);
        }
        if (all) {
            return true;
        }
    }
    return false;
}

static bool find_run(run *r) {
    hf_random random;
    hf_random_init(&random, 1, HF_PURPOSE_SAMPLE, 0);
    const uint64_t work = (uint64_t)steps_of(r) * r->n_channel, tries = work * TRIES < WORK ? TRIES : WORK / work + 1;
    for (uint64_t k = 0; k < tries; k++) {
        for (uint32_t i = 0; i < r->n; i++) {
            worm *w = &r->worm[i];
            w->sent = k == 0 ? r->longest - w->n_way : (uint32_t)hf_random_below(&random, 2 * (uint64_t)r->longest + 1);
        }
        if (try_run(r, false) || try_run(r, true)) {
            return true;
        }
    }
    return false;
}

hf_status check_lockstep(check *c, const hf_blocked *packet, uint32_t n) {
    run r = {.c = c, .n = n};
    HF_TRY(hf_scratch(c->cx, n, sizeof *r.worm, (void **)&r.worm));
    HF_TRY(hf_scratch(c->cx, n, sizeof *r.has_gone, (void **)&r.has_gone));
    HF_TRY(hf_scratch(c->cx, c->net.topo->n_channel, sizeof *r.index, (void **)&r.index));
    HF_TRY(hf_scratch(c->cx, c->net.topo->n_channel, sizeof *r.vc, (void **)&r.vc));
    HF_TRY(hf_scratch(c->cx, c->net.topo->n_channel, sizeof *r.holder, (void **)&r.holder));
    HF_TRY(hf_scratch(c->cx, c->net.topo->n_channel, sizeof *r.was_taken, (void **)&r.was_taken));
    for (uint32_t i = 0; i < n; i++) {
        HF_TRY(read_worm(&r, &packet[i], &r.worm[i]));
    }
    if (c->outcome == CHECK_CONFIRMED && !find_run(&r)) {
        check_leave_open(c, "the packets are in a deadlock, and these alone, each sent once, were not seen to get into it in "
                            "lockstep; under --timing any it can be checked");
    }
    return HF_OK;
}
