/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Following the relation from all sources, one destination after the other, destinations shared by threads. Every thread keeps
 * its own situations; they are put together at the end, the lowest destination first, so threads do not show. */
#include "src/analysis/deadlock/dependency.h"
#include "src/core/jobs.h"

#include <stdatomic.h>
#include <string.h>

#include <holdfast/core/bitset.h>

/* What one thread has found. All on the heap: threads have no arena of their own here. */
typedef struct scout {
    const hf_dependency *d;
    const hf_allocator *allocator;
    hf_hop *hops;   /* hf_plan_room() */
    uint32_t *seen; /* n_resource: 1 + destination for which it was reached without a tag */
    hf_hop *queue;  /* states of one destination */
    uint32_t queue_room, tail;
    uint32_t *slot; /* open hash of queue places + 1, for states with tags; room is a power of 2 */
    uint32_t slot_room, tagged;
    uint32_t *head;                     /* n_resource: newest situation + 1 */
    uint32_t *next, *destination, *tag; /* of situations */
    uint64_t *mask;
    uint32_t count, room;
    uint64_t *scratch; /* words */
    uint32_t stuck_source, stuck_destination;
    hf_hop wrong_in; /* where a rule broke its contract, with the lowest destination; HF_NONE: nowhere */
    uint32_t wrong_at, wrong_destination;
    bool failed; /* out of memory */
} scout;

static bool get(const hf_allocator *a, void **block, size_t size) {
    void *more = a->resize(a->user, *block, size ? size : 1);
    if (!more) {
        return false;
    }
    *block = more;
    return true;
}

static bool get_zeroed(const hf_allocator *a, void **block, size_t size) {
    if (!get(a, block, size)) {
        return false;
    }
    memset(*block, 0, size);
    return true;
}

static bool scout_open(const hf_dependency *d, const hf_allocator *a, scout *s) {
    const size_t n = d->n_resource;
    *s = (scout){.d = d,
                 .allocator = a,
                 .stuck_source = HF_NONE,
                 .stuck_destination = HF_NONE,
                 .wrong_destination = HF_NONE,
                 .slot_room = 256};
    return get(a, (void **)&s->hops, hf_plan_room(d->plan) * sizeof *s->hops) &&
           get_zeroed(a, (void **)&s->seen, n * sizeof *s->seen) && get_zeroed(a, (void **)&s->head, n * sizeof *s->head) &&
           get(a, (void **)&s->scratch, d->words * sizeof *s->scratch) &&
           get_zeroed(a, (void **)&s->slot, s->slot_room * sizeof *s->slot);
}

static void scout_close(scout *s) {
    void *const blocks[] = {s->hops, s->seen, s->queue, s->slot, s->head, s->next, s->destination, s->tag, s->mask, s->scratch};
    for (size_t i = 0; s->allocator && i < sizeof blocks / sizeof *blocks; i++) {
        s->allocator->release(s->allocator->user, blocks[i]);
    }
}

/* ---- states of one destination ---- */

static uint32_t hash(hf_hop hop) {
    const uint64_t x = ((uint64_t)hop.channel << 8 ^ hop.vc ^ (uint64_t)hop.tag << 32) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(x >> 32);
}

static bool same(hf_hop a, hf_hop b) { return a.channel == b.channel && a.vc == b.vc && a.tag == b.tag; }

static bool rehash(scout *s) {
    s->slot_room *= 2;
    if (!get_zeroed(s->allocator, (void **)&s->slot, s->slot_room * sizeof *s->slot)) {
        return false;
    }
    for (uint32_t i = 0; i < s->tail; i++) {
        uint32_t at = hash(s->queue[i]) & (s->slot_room - 1);
        for (; s->queue[i].tag && s->slot[at]; at = (at + 1) & (s->slot_room - 1)) {
        }
        s->slot[at] = s->queue[i].tag ? i + 1 : s->slot[at];
    }
    return true;
}

/* Is a state with a tag new? Remembers it as the next one of the queue. */
static bool is_new_tagged(scout *s, hf_hop hop) {
    if (2 * (s->tagged + 1) > s->slot_room && !rehash(s)) {
        s->failed = true;
        return false;
    }
    uint32_t at = hash(hop) & (s->slot_room - 1);
    for (; s->slot[at]; at = (at + 1) & (s->slot_room - 1)) {
        if (same(s->queue[s->slot[at] - 1], hop)) {
            return false;
        }
    }
    s->slot[at] = s->tail + 1;
    s->tagged++;
    return true;
}

static void reach(scout *s, hf_hop hop, uint32_t destination) {
    if (s->tail == s->queue_room) {
        const uint32_t room = 2 * s->queue_room + 1024;
        if (!get(s->allocator, (void **)&s->queue, room * sizeof *s->queue)) {
            s->failed = true;
            return;
        }
        s->queue_room = room;
    }
    const uint32_t r = hf_dependency_resource(s->d, hop);
    if (hop.tag == 0) {
        if (s->seen[r] == destination + 1) {
            return;
        }
        s->seen[r] = destination + 1;
    } else if (!is_new_tagged(s, hop)) {
        return;
    }
    s->queue[s->tail++] = hop;
}

/* ---- situations ---- */

static bool make_room(scout *s) {
    const uint32_t room = 2 * s->room + 1024;
    const hf_allocator *a = s->allocator;
    if (!get(a, (void **)&s->next, room * sizeof *s->next) || !get(a, (void **)&s->destination, room * sizeof *s->destination) ||
        !get(a, (void **)&s->tag, room * sizeof *s->tag) ||
        !get(a, (void **)&s->mask, (size_t)room * s->d->words * sizeof *s->mask)) {
        s->failed = true;
        return false;
    }
    s->room = room;
    return true;
}

static bool same_mask(const uint64_t *a, const uint64_t *b, uint32_t words) {
    return words == 1 ? *a == *b : memcmp(a, b, words * sizeof *a) == 0;
}

/* Keep the situation (r, mask), unless it is known: then with the lower pair. */
static void keep(scout *s, uint32_t r, const uint64_t *mask, uint32_t destination, uint32_t tag) {
    const uint32_t words = s->d->words;
    for (uint32_t i = s->head[r]; i; i = s->next[i - 1]) {
        const uint32_t k = i - 1;
        if (same_mask(s->mask + (size_t)k * words, mask, words)) {
            if (destination < s->destination[k] || (destination == s->destination[k] && tag < s->tag[k])) {
                s->destination[k] = destination;
                s->tag[k] = tag;
            }
            return;
        }
    }
    if (s->count == s->room && !make_room(s)) {
        return;
    }
    const uint32_t k = s->count++;
    memcpy(s->mask + (size_t)k * words, mask, words * sizeof *mask);
    s->destination[k] = destination;
    s->tag[k] = tag;
    s->next[k] = s->head[r];
    s->head[r] = s->count;
}

static void note_stuck(scout *s, uint32_t source, uint32_t destination) {
    if (destination < s->stuck_destination) {
        s->stuck_destination = destination;
        s->stuck_source = source;
    }
}

/* Hops from one state; those over failed channels do not exist. \return how many there are */
static size_t healthy_hops(scout *s, uint32_t at, hf_hop in, uint32_t destination) {
    const hf_plan *plan = s->d->plan;
    size_t count, kept = 0;
    if (hf_plan_read(NULL, plan, at, in, destination, s->hops, &count) != HF_OK) {
        s->wrong_at = at;
        s->wrong_in = in;
        s->wrong_destination = destination;
        return 0;
    }
    const uint64_t *failed = plan->faults->channel_set;
    while (kept < count && !hf_bit_test(failed, s->hops[kept].channel)) {
        kept++; /* mostly all of them */
    }
    for (size_t i = kept; i < count; i++) {
        if (!hf_bit_test(failed, s->hops[i].channel)) {
            s->hops[kept++] = s->hops[i];
        }
    }
    return kept;
}

static void follow(scout *s, hf_hop in, uint32_t destination) {
    const hf_dependency *d = s->d;
    const hf_topology *topo = d->plan->topo;
    const uint32_t at = topo->to[in.channel];
    if (at == topo->n_switch + destination) {
        return;
    }
    const size_t count = hf_topology_is_terminal(topo, at) ? 0 : healthy_hops(s, at, in, destination);
    if (count == 0) {
        note_stuck(s, HF_NONE, destination);
    }
    for (uint32_t w = 0; w < d->words; w++) {
        s->scratch[w] = 0;
    }
    for (size_t i = 0; i < count; i++) {
        hf_bit_set(s->scratch, hf_dependency_slot(d, s->hops[i]));
        reach(s, s->hops[i], destination);
    }
    keep(s, hf_dependency_resource(d, in), s->scratch, destination, in.tag);
}

static bool is_over(const scout *s) { return s->failed || s->wrong_destination != HF_NONE; }

static void scout_destination(scout *s, uint32_t destination) {
    const hf_plan *plan = s->d->plan;
    const hf_topology *topo = plan->topo;
    s->tail = 0;
    if (s->tagged) {
        memset(s->slot, 0, s->slot_room * sizeof *s->slot);
        s->tagged = 0;
    }
    for (uint32_t source = 0; source < topo->n_terminal && !is_over(s); source++) {
        if (source == destination || !hf_plan_is_live(plan, source)) {
            continue;
        }
        const size_t count = healthy_hops(s, topo->n_switch + source, HF_HOP_INJECTION, destination);
        if (count == 0) {
            note_stuck(s, source, destination);
        }
        for (size_t i = 0; i < count; i++) {
            reach(s, s->hops[i], destination);
        }
    }
    for (uint32_t i = 0; i < s->tail && !is_over(s); i++) {
        follow(s, s->queue[i], destination);
    }
}

/* ---- all destinations ---- */

/* A thread takes the next destination as soon as it is done with one; which thread had it does not show. */
static void scout_all(scout *s, hf_context *cx, atomic_uint *next) {
    const hf_plan *plan = s->d->plan;
    uint32_t destination;
    while ((destination = atomic_fetch_add(next, 1)) < plan->topo->n_terminal && !is_over(s) && !hf_context_stopped(cx)) {
        if (hf_plan_is_live(plan, destination)) {
            scout_destination(s, destination);
        }
    }
}

static void absorb(scout *to, const scout *from) {
    for (uint32_t r = 0; r < to->d->n_resource; r++) {
        for (uint32_t i = from->head[r]; i && !to->failed; i = from->next[i - 1]) {
            keep(to, r, from->mask + (size_t)(i - 1) * to->d->words, from->destination[i - 1], from->tag[i - 1]);
        }
    }
    if (from->stuck_destination < to->stuck_destination) {
        to->stuck_destination = from->stuck_destination;
        to->stuck_source = from->stuck_source;
    }
    if (from->wrong_destination < to->wrong_destination) {
        to->wrong_at = from->wrong_at;
        to->wrong_in = from->wrong_in;
        to->wrong_destination = from->wrong_destination;
    }
    to->failed |= from->failed;
}

/* Situations of a resource in the order of the pair that brings them about. */
static void sort_situations(hf_dependency *d, uint32_t *order, const scout *s, uint32_t lo, uint32_t hi) {
    for (uint32_t i = lo + 1; i < hi; i++) {
        const uint32_t k = order[i];
        uint32_t j = i;
        for (; j > lo; j--) {
            const uint32_t b = order[j - 1];
            const bool later = s->destination[b] > s->destination[k] ||
                               (s->destination[b] == s->destination[k] &&
                                (s->tag[b] > s->tag[k] ||
                                 (s->tag[b] == s->tag[k] && memcmp(s->mask + (size_t)b * d->words, s->mask + (size_t)k * d->words,
                                                                   d->words * sizeof(uint64_t)) > 0)));
            if (!later) {
                break;
            }
            order[j] = b;
        }
        order[j] = k;
    }
}

static hf_status put_together(hf_context *cx, const scout *s, hf_dependency *d) {
    const size_t n = s->count, words = d->words;
    uint32_t *order;
    d->n_situation = s->count;
    HF_TRY(hf_scratch(cx, (size_t)d->n_resource + 1, sizeof *d->begin, (void **)&d->begin));
    HF_TRY(hf_scratch(cx, n, sizeof *d->resource, (void **)&d->resource));
    HF_TRY(hf_scratch(cx, n, sizeof *d->destination, (void **)&d->destination));
    HF_TRY(hf_scratch(cx, n, sizeof *d->tag, (void **)&d->tag));
    HF_TRY(hf_scratch(cx, n * words, sizeof *d->mask, (void **)&d->mask));
    HF_TRY(hf_scratch(cx, d->n_resource * words, sizeof *d->all, (void **)&d->all));
    HF_TRY(hf_scratch(cx, hf_words(d->n_resource), sizeof *d->used, (void **)&d->used));
    HF_TRY(hf_scratch(cx, n, sizeof *order, (void **)&order));
    uint32_t at = 0;
    for (uint32_t r = 0; r < d->n_resource; r++) {
        d->begin[r] = at;
        for (uint32_t i = s->head[r]; i; i = s->next[i - 1]) {
            order[at++] = i - 1;
        }
        sort_situations(d, order, s, d->begin[r], at);
        for (uint32_t i = d->begin[r]; i < at; i++) {
            const uint32_t k = order[i];
            d->resource[i] = r;
            d->destination[i] = s->destination[k];
            d->tag[i] = s->tag[k];
            memcpy(d->mask + i * words, s->mask + k * words, words * sizeof *d->mask);
            (void)hf_bits_or(d->all + r * words, s->mask + k * words, words);
        }
    }
    d->begin[d->n_resource] = at;
    d->is_stuck = s->stuck_destination != HF_NONE;
    d->stuck_source = s->stuck_source;
    d->stuck_destination = s->stuck_destination;
    return HF_OK;
}

/* Resources with situations, and those that these lead to (the last channel to a destination has none). */
static void mark_used(hf_dependency *d) {
    for (uint32_t r = 0; r < d->n_resource; r++) {
        if (d->begin[r] < d->begin[r + 1]) {
            hf_bit_set(d->used, r);
        }
        uint32_t i = 0, q;
        while ((q = hf_dependency_next(d, r, d->all + (size_t)r * d->words, &i)) != HF_NONE) {
            hf_bit_set(d->used, q);
        }
    }
}

static hf_status number_places(hf_context *cx, hf_dependency *d) {
    const hf_topology *topo = d->plan->topo;
    uint32_t most = 1;
    HF_TRY(hf_scratch(cx, topo->n_channel, sizeof *d->place, (void **)&d->place));
    for (uint32_t v = 0; v < topo->n_node; v++) {
        const uint32_t degree = topo->out_begin[v + 1] - topo->out_begin[v];
        most = degree > most ? degree : most;
        for (uint32_t i = 0; i < degree; i++) {
            d->place[topo->out_list[topo->out_begin[v] + i]] = i;
        }
    }
    d->words = (uint32_t)hf_words((size_t)most * d->n_vc);
    return HF_OK;
}

static hf_status scout_with(hf_context *cx, hf_dependency *d, scout *crew, uint32_t threads) {
    const hf_allocator *a = hf_context_allocator(cx);
    atomic_uint next = 0;
    bool ok = true;
    for (uint32_t i = 0; i < threads && ok; i++) {
        ok = scout_open(d, a, &crew[i]);
    }
    if (ok) {
#pragma omp parallel num_threads((int)threads)
        scout_all(&crew[hf_jobs_thread()], cx, &next);
        for (uint32_t i = 1; i < threads; i++) {
            absorb(&crew[0], &crew[i]);
        }
        ok = !crew[0].failed;
    }
    if (!ok) {
        HF_FAIL(cx, HF_ENOMEM, "out of memory for the dependencies of %u resources", d->n_resource);
    }
    const scout *s = &crew[0];
    if (s->wrong_destination != HF_NONE) { /* once more, for the sentence */
        size_t count;
        HF_TRY(hf_plan_read(cx, d->plan, s->wrong_at, s->wrong_in, s->wrong_destination, s->hops, &count));
    }
    if (hf_context_stopped(cx)) {
        HF_FAIL(cx, HF_ESTOP, "stopped while following the relation");
    }
    return put_together(cx, &crew[0], d);
}

/* All cores, unless that is work of a millisecond, which waking them takes too. */
static uint32_t choose_threads(const hf_dependency *d, uint32_t asked) {
    const uint32_t n_terminal = d->plan->topo->n_terminal, most = n_terminal / 8 + 1;
    const bool is_small = (uint64_t)n_terminal * d->n_resource < 1u << 17;
    const uint32_t threads = asked ? asked : is_small ? 1 : hf_jobs_cores();
    return threads > most ? most : threads;
}

hf_status hf_dependency_make(hf_context *cx, const hf_plan *plan, uint32_t threads, hf_dependency *out) {
    const uint64_t resources = (uint64_t)plan->topo->n_channel * plan->n_vc;
    *out = (hf_dependency){.plan = plan, .n_vc = plan->n_vc, .n_resource = (uint32_t)resources};
    if (resources >= HF_NONE) {
        HF_FAIL(cx, HF_ERANGE, "%u channels with %u virtual channels each are too many", plan->topo->n_channel, plan->n_vc);
    }
    HF_TRY(number_places(cx, out));
    threads = choose_threads(out, threads);
    scout *crew;
    HF_TRY(hf_allocate(cx, threads, sizeof *crew, (void **)&crew));
    const hf_status status = scout_with(cx, out, crew, threads);
    for (uint32_t i = 0; i < threads; i++) {
        scout_close(&crew[i]);
    }
    hf_release(hf_context_allocator(cx), crew);
    HF_TRY(status);
    mark_used(out);
    return HF_OK;
}

uint32_t hf_dependency_next(const hf_dependency *d, uint32_t r, const uint64_t *mask, uint32_t *slot) {
    const size_t i = hf_bits_next(mask, (size_t)d->words * 64, *slot);
    if (i == (size_t)d->words * 64) {
        return HF_NONE;
    }
    *slot = (uint32_t)i + 1;
    return hf_dependency_target(d, r, (uint32_t)i);
}
