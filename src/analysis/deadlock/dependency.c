/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Blocks of destinations are shared by threads, each of which keeps its own situations; they are put together at the end, the
 *  lowest destination first, so threads do not show. */
#include "src/analysis/deadlock/dependency.h"

#include <stdatomic.h>
#include <string.h>

#include <holdfast/core/bitset.h>

#include "src/analysis/deadlock/flood.h"
#include "src/analysis/deadlock/scout.h"
#include "src/analysis/deadlock/stretch.h"
#include "src/core/jobs.h"

/* ---- what threads have found, together ---- */

/* Situations of all threads, one behind the other; masks are numbered as the first thread does. */
typedef struct finds {
    uint32_t n, *resource, *destination, *tag, *mask;
} finds;

static hf_status translate(hf_context *cx, hf_scout *first, const hf_scout *from, uint32_t **number) {
    HF_TRY(hf_scratch(cx, from->n_mask, sizeof **number, (void **)number));
    for (uint32_t m = 0; m < from->n_mask && !first->failed; m++) {
        (*number)[m] = hf_scout_mask(first, from->mask_node[m], from->mask + (size_t)m * first->d->words);
    }
    return HF_OK;
}

static hf_status count_all(hf_context *cx, const hf_scout *crew, uint32_t threads, uint32_t *out) {
    uint64_t n = 0;
    for (uint32_t i = 0; i < threads; i++) {
        n += crew[i].count;
    }
    if (n >= HF_NONE) {
        HF_FAIL(cx, HF_ERANGE, "%llu situations of packets are too many", (unsigned long long)n);
    }
    *out = (uint32_t)n;
    return HF_OK;
}

/* What a thread has is given back as soon as it is taken over. */
static hf_status collect(hf_context *cx, hf_scout *crew, uint32_t threads, uint32_t n, finds *all) {
    uint32_t **const array[] = {&all->resource, &all->destination, &all->tag, &all->mask};
    for (size_t i = 0; i < 4; i++) {
        HF_TRY(hf_scratch(cx, n, sizeof **array[i], (void **)array[i]));
    }
    for (uint32_t i = 0; i < threads; i++) {
        uint32_t *number;
        HF_TRY(translate(cx, &crew[0], &crew[i], &number));
        for (uint32_t k = 0; k < crew[i].count; k++, all->n++) {
            all->resource[all->n] = crew[i].resource[k];
            all->destination[all->n] = crew[i].destination[k];
            all->tag[all->n] = crew[i].tag[k];
            all->mask[all->n] = number[crew[i].mask_of[k]];
        }
        hf_scout_drop(&crew[i]);
    }
    return HF_OK;
}

/* Does situation a come behind b, which has the same resource? By the pair that brings them about. */
static bool is_later(const finds *all, const hf_scout *s, uint32_t a, uint32_t b) {
    if (all->destination[a] != all->destination[b]) {
        return all->destination[a] > all->destination[b];
    }
    if (all->tag[a] != all->tag[b]) {
        return all->tag[a] > all->tag[b];
    }
    const size_t words = s->d->words;
    return memcmp(s->mask + all->mask[a] * words, s->mask + all->mask[b] * words, words * sizeof *s->mask) > 0;
}

/* They are in the order of destinations but for ties. */
static void sort_situations(const finds *all, const hf_scout *s, uint32_t *item, uint32_t n) {
    for (uint32_t i = 1; i < n; i++) {
        const uint32_t k = item[i];
        uint32_t j = i;
        for (; j > 0 && is_later(all, s, item[j - 1], k); j--) {
            item[j] = item[j - 1];
        }
        item[j] = k;
    }
}

static hf_status open_situations(hf_context *cx, uint32_t n, hf_dependency *d) {
    const size_t words = d->words;
    HF_TRY(hf_scratch(cx, (size_t)d->n_resource + 1, sizeof *d->begin, (void **)&d->begin));
    HF_TRY(hf_scratch(cx, n, sizeof *d->resource, (void **)&d->resource));
    HF_TRY(hf_scratch(cx, n, sizeof *d->destination, (void **)&d->destination));
    HF_TRY(hf_scratch(cx, n, sizeof *d->tag, (void **)&d->tag));
    HF_TRY(hf_scratch(cx, n, sizeof *d->mask_of, (void **)&d->mask_of));
    HF_TRY(hf_scratch(cx, d->n_resource * words, sizeof *d->all, (void **)&d->all));
    return hf_scratch(cx, hf_words(d->n_resource), sizeof *d->used, (void **)&d->used);
}

/* The next situation of resource r, unless a thread with lower destinations had it too. */
static void lay_down(const finds *all, const hf_scout *s, uint32_t r, uint32_t k, uint32_t *newest, hf_dependency *d) {
    const uint32_t mask = all->mask[k], i = d->n_situation;
    if (newest[mask] > d->begin[r]) {
        return;
    }
    newest[mask] = i + 1;
    d->resource[i] = r;
    d->destination[i] = all->destination[k];
    d->tag[i] = all->tag[k];
    d->mask_of[i] = mask;
    d->n_situation++;
    (void)hf_bits_or(d->all + (size_t)r * d->words, s->mask + (size_t)mask * d->words, d->words);
}

/* Two counting sorts, by destination and then by resource, leave ties only. */
static hf_status order(hf_context *cx, hf_scout *crew, uint32_t threads, uint32_t n, hf_dependency *d) {
    finds all = {0};
    hf_rows by_destination, of;
    uint32_t *newest; /* by mask: its situation + 1, of the resource so far */
    HF_TRY(collect(cx, crew, threads, n, &all));
    const hf_scout *s = &crew[0];
    HF_TRY(hf_rows_of(cx, d->plan->topo->n_terminal, NULL, n, all.destination, &by_destination));
    HF_TRY(hf_rows_of(cx, d->n_resource, by_destination.item, n, all.resource, &of));
    HF_TRY(hf_scratch(cx, s->n_mask, sizeof *newest, (void **)&newest));
    for (uint32_t r = 0; r < d->n_resource; r++) {
        d->begin[r] = d->n_situation;
        sort_situations(&all, s, of.item + of.begin[r], of.begin[r + 1] - of.begin[r]);
        for (uint32_t i = of.begin[r]; i < of.begin[r + 1]; i++) {
            lay_down(&all, s, r, of.item[i], newest, d);
        }
    }
    d->begin[d->n_resource] = d->n_situation;
    return HF_OK;
}

/* In the place of situations: what may follow each resource, by all threads. */
static hf_status unite(hf_context *cx, const hf_scout *crew, uint32_t threads, hf_dependency *d) {
    const size_t size = (size_t)d->n_resource * d->words;
    HF_TRY(hf_scratch(cx, size, sizeof *d->all, (void **)&d->all));
    HF_TRY(hf_scratch(cx, hf_words(d->n_resource), sizeof *d->used, (void **)&d->used));
    for (uint32_t i = 0; i < threads; i++) {
        (void)hf_bits_or(d->all, crew[i].all, size);
        (void)hf_bits_or(d->used, crew[i].used, hf_words(d->n_resource));
    }
    return HF_OK;
}

static hf_status put_together(hf_context *cx, hf_scout *crew, uint32_t threads, hf_dependency *d) {
    uint32_t n;
    HF_TRY(count_all(cx, crew, threads, &n));
    HF_TRY(open_situations(cx, n, d));
    const hf_mark mark = hf_scratch_mark(cx);
    const hf_status status = order(cx, crew, threads, n, d);
    hf_scratch_reset(cx, mark);
    HF_TRY(status);
    const size_t size = (size_t)crew[0].n_mask * d->words;
    HF_TRY(hf_scratch(cx, size, sizeof *d->mask, (void **)&d->mask));
    if (size) {
        memcpy(d->mask, crew[0].mask, size * sizeof *d->mask);
    }
    return HF_OK;
}

/* Resources with situations, and those that these lead to (the last channel to a destination has none). */
static void mark_used(hf_dependency *d) {
    for (uint32_t r = 0; r < d->n_resource; r++) {
        if (d->begin && d->begin[r] < d->begin[r + 1]) {
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

/* ---- all destinations ---- */

/* Behind a breach only blocks with lower destinations count, which may come where groups do not go by number. */
static bool may_matter(const hf_scout *s, uint32_t block) {
    return s->to->place || hf_destinations_lowest(s->to, block * HF_LANES) <= s->breach.destination;
}

/* A thread takes the next stretch as soon as it is done with one; which thread had it does not show. */
static void scout_all(hf_scout *s, hf_context *cx, const hf_stretches *x, atomic_uint *next) {
    uint32_t i;
    while ((i = atomic_fetch_add(next, 1)) < hf_stretches_count(x) && !s->failed && !hf_context_stopped(cx) &&
           may_matter(s, i * x->n_block)) {
        hf_scout_stretch(s, x, i);
    }
}

static void find_stuck(const hf_scout *crew, uint32_t threads, hf_dependency *d) {
    d->stuck = (hf_stuck){HF_NONE, HF_NONE};
    for (uint32_t i = 0; i < threads; i++) {
        hf_stuck_note(&d->stuck, crew[i].stuck.source, crew[i].stuck.destination);
    }
    d->is_stuck = d->stuck.destination != HF_NONE;
}

/* A breach is read once more, for the sentence. */
static hf_status tell_breach(hf_context *cx, const hf_plan *plan, const hf_scout *crew, uint32_t threads) {
    const hf_breach *first = &crew[0].breach;
    size_t count;
    for (uint32_t i = 1; i < threads; i++) {
        first = crew[i].breach.destination < first->destination ? &crew[i].breach : first;
    }
    return first->destination == HF_NONE ? HF_OK
                                         : hf_plan_read(cx, plan, first->at, first->in, first->destination, crew[0].hops, &count);
}

static hf_status scout_with(hf_context *cx, hf_dependency *d, const hf_stretches *x, bool situations, hf_scout *crew,
                            uint32_t threads) {
    const hf_allocator *a = hf_context_allocator(cx);
    atomic_uint next = 0;
    bool ok = true;
    for (uint32_t i = 0; i < threads && ok; i++) {
        ok = hf_scout_open(d, x->to, situations, a, &crew[i]);
    }
    if (ok) {
#pragma omp parallel num_threads((int)threads)
        scout_all(&crew[hf_jobs_thread()], cx, x, &next);
        for (uint32_t i = 0; i < threads; i++) {
            ok &= !crew[i].failed;
        }
    }
    if (!ok) {
        HF_FAIL(cx, HF_ENOMEM, "out of memory for the dependencies of %u resources", d->n_resource);
    }
    HF_TRY(tell_breach(cx, d->plan, crew, threads));
    if (hf_context_stopped(cx)) {
        HF_FAIL(cx, HF_ESTOP, "stopped while following the relation");
    }
    find_stuck(crew, threads, d);
    HF_TRY(situations ? put_together(cx, crew, threads, d) : unite(cx, crew, threads, d));
    if (crew[0].failed) {
        HF_FAIL(cx, HF_ENOMEM, "out of memory for the dependencies of %u resources", d->n_resource);
    }
    return HF_OK;
}

/* All cores, unless that is work of a millisecond, which waking them takes too. */
static uint32_t choose_threads(const hf_dependency *d, const hf_destinations *to, uint32_t asked) {
    const bool is_small = (uint64_t)to->n_group * d->n_resource < 1u << 17;
    return asked ? asked : is_small ? 1 : hf_jobs_cores();
}

hf_status hf_dependency_shape(hf_context *cx, const hf_plan *plan, hf_dependency *out) {
    const uint64_t resources = (uint64_t)plan->topo->n_channel * plan->n_vc;
    *out = (hf_dependency){.plan = plan, .n_vc = plan->n_vc, .n_resource = (uint32_t)resources};
    if (resources >= HF_NONE) {
        HF_FAIL(cx, HF_ERANGE, "%u channels with %u virtual channels each are too many", plan->topo->n_channel, plan->n_vc);
    }
    return number_places(cx, out);
}

static hf_status scout_in(hf_context *cx, const hf_destinations *to, bool situations, uint32_t threads, hf_dependency *out) {
    hf_scout *crew;
    hf_stretches x;
    HF_TRY(hf_stretches_make(cx, out->plan, to, &x));
    const uint32_t most = hf_stretches_count(&x);
    threads = threads < most ? threads : most + (most == 0);
    HF_TRY(hf_allocate(cx, threads, sizeof *crew, (void **)&crew));
    const hf_status status = scout_with(cx, out, &x, situations, crew, threads);
    for (uint32_t i = 0; i < threads; i++) {
        hf_scout_close(&crew[i]);
    }
    hf_release(hf_context_allocator(cx), crew);
    return status;
}

/* Of all destinations in `to`. */
static hf_status make_of(hf_context *cx, const hf_destinations *to, bool situations, uint32_t threads, hf_dependency *out) {
    threads = choose_threads(out, to, threads);
    HF_TRY(!situations && hf_flood_applies(out->plan, to) ? hf_flood_unions(cx, to, threads, out)
                                                          : scout_in(cx, to, situations, threads, out));
    mark_used(out);
    return HF_OK;
}

static hf_status make_of_all(hf_context *cx, const hf_plan *plan, bool situations, uint32_t threads, hf_dependency *out) {
    hf_destinations to;
    HF_TRY(hf_dependency_shape(cx, plan, out));
    HF_TRY(hf_destinations_make(cx, plan, true, &to));
    return make_of(cx, &to, situations, threads, out);
}

hf_status hf_dependency_make(hf_context *cx, const hf_plan *plan, uint32_t threads, hf_dependency *out) {
    return make_of_all(cx, plan, true, threads, out);
}

hf_status hf_dependency_unions(hf_context *cx, const hf_plan *plan, uint32_t threads, hf_dependency *out) {
    return make_of_all(cx, plan, false, threads, out);
}

hf_status hf_dependency_first_unions(hf_context *cx, const hf_plan *plan, uint32_t threads, hf_dependency *out, bool *any) {
    enum { SHARE = 32 };
    hf_destinations to;
    *any = false;
    if (plan->topo->n_terminal < SHARE * HF_LANES) {
        return HF_OK;
    }
    HF_TRY(hf_destinations_make(cx, plan, true, &to));
    to.n_block /= SHARE;
    *any = to.n_block > 0;
    if (!*any) {
        return HF_OK;
    }
    HF_TRY(hf_dependency_shape(cx, plan, out));
    return make_of(cx, &to, false, threads, out);
}

uint32_t hf_dependency_next(const hf_dependency *d, uint32_t r, const uint64_t *mask, uint32_t *slot) {
    const size_t i = hf_bits_next(mask, (size_t)d->words * 64, *slot);
    if (i == (size_t)d->words * 64) {
        return HF_NONE;
    }
    *slot = (uint32_t)i + 1;
    return hf_dependency_target(d, r, (uint32_t)i);
}
