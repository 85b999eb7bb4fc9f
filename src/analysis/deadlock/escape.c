/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Escapes [duato1995]: a subrelation that every packet is offered wherever it can get, and whose extended dependencies have no
 *  cycle. A dependency leads from an escape resource that a packet holds to an escape hop that it asks for, directly or after
 *  hops that are not escape hops; whether the packet took the held one as escape (direct, indirect) or not (cross) makes no
 *  difference here. If numbers rise along all of these, a blocked packet waits for one whose last such number is higher, and so
 *  on: no set of packets can wait for itself.
 *
 *  Extended dependencies are many, up to the square of the channels, and are not listed: resources are taken out one level after
 *  the other, those first whose holders see no escape hop. A holder is done with when all escape hops in sight are out. Which
 *  ones see some that is still in is kept as words of bits for 64 destinations, by row (src/analysis/deadlock/court.h).
 *
 *  Escapes of bubble rings [puente2004]: packets move by virtual cut-through, so one that waits holds one buffer, and what it
 *  asks for later depends on what it holds then: direct dependencies do. Those inside a ring are left out, and every ring is
 *  taken as one. Flow control keeps a free buffer on a ring, so a ring whose packets want nothing but to go on moves, and a lap
 *  later they have been where they want to leave. That no packet goes round for ever is checked too. */
#include <string.h>

#include <holdfast/core/bitset.h>

#include "src/analysis/deadlock/court.h"

static const double explain_s = 5; /* for a shortest cycle */

/* A block at trial. */
typedef struct bench {
    hf_court court;
    hf_rows by_node, back, holds; /* rows of a node; rows with an arc that is no escape to a row; holds of a row */
    uint64_t *sees;               /* by row: lanes that see an escape hop which is still in */
    bool *is_done;                /* by hold */
    bool goes_round;              /* hops that are no escape hops have cycles */
} bench;

typedef struct trial {
    hf_context *cx;
    const hf_plan *plan;
    const uint32_t *ring_of; /* by resource; NULL: no rings with bubbles */
    hf_dependency shape;     /* resources and slots, nothing more */
    hf_destinations to;      /* of one class */
    uint32_t n_resource, n_block;
    bench *block;
    hf_rows answered;             /* by resource: those in which a packet may wait until its answer can take it */
    uint64_t *is_escape, *is_out; /* n_resource bits: offered as escape for some destination; taken out */
    uint32_t *level, *pending;    /* by resource: holds that are not done */
    uint32_t *queue, *changed;    /* rows */
    bool *is_queued, *has_changed;
    uint32_t n_queue, n_changed;
} trial;

/* ---- what is in sight ---- */

static uint64_t look(const trial *t, const bench *b, uint32_t row) {
    uint64_t lanes = 0;
    for (uint32_t i = b->court.begin[row]; i < b->court.begin[row + 1]; i++) {
        const hf_arc *arc = &b->court.arc[i];
        if (arc->is_escape) {
            lanes |= hf_bit_test(t->is_out, arc->resource) ? 0 : arc->lanes;
        } else if (arc->to != HF_NONE) {
            lanes |= b->sees[arc->to] & arc->lanes;
        }
    }
    return lanes;
}

static void enqueue(trial *t, uint32_t row) {
    if (!t->is_queued[row]) {
        t->is_queued[row] = true;
        t->queue[t->n_queue++] = row;
    }
}

static void note_change(trial *t, uint32_t row) {
    if (!t->has_changed[row]) {
        t->has_changed[row] = true;
        t->changed[t->n_changed++] = row;
    }
}

/* Until nothing changes: rows in the queue are looked at again, and those before a row that has changed. The queue is a ring of
 * as many places as there are rows. */
static void settle(trial *t, bench *b) {
    const uint32_t n = b->court.n_row;
    uint32_t head = 0, tail = t->n_queue % n;
    for (uint32_t left = t->n_queue; left > 0; left--) {
        const uint32_t row = t->queue[head];
        const uint64_t lanes = look(t, b, row);
        head = head + 1 == n ? 0 : head + 1;
        t->is_queued[row] = false;
        if (lanes == b->sees[row]) {
            continue;
        }
        b->sees[row] = lanes;
        note_change(t, row);
        for (uint32_t i = b->back.begin[row]; i < b->back.begin[row + 1]; i++) {
            const uint32_t before = b->back.item[i];
            if (!t->is_queued[before]) {
                t->is_queued[before] = true;
                t->queue[tail] = before;
                tail = tail + 1 == n ? 0 : tail + 1;
                left++;
            }
        }
    }
    t->n_queue = 0;
}

/* Where hops that are no escape hops go round, what was in sight of each other would stay so: all is looked at anew. */
static void settle_anew(trial *t, bench *b) {
    memset(b->sees, 0, b->court.n_row * sizeof *b->sees);
    for (uint32_t row = 0; row < b->court.n_row; row++) {
        enqueue(t, row);
        note_change(t, row);
    }
    settle(t, b);
}

static void forget_changes(trial *t) {
    for (uint32_t i = 0; i < t->n_changed; i++) {
        t->has_changed[t->changed[i]] = false;
    }
    t->n_changed = 0;
}

/* With everything out nothing is in sight, unless rows see each other round a cycle. */
static void find_rounds(trial *t, bench *b) {
    memcpy(b->sees, b->court.lanes, b->court.n_row * sizeof *b->sees);
    memset(t->is_out, 0xff, hf_words(t->n_resource) * sizeof *t->is_out);
    for (uint32_t row = 0; row < b->court.n_row; row++) {
        enqueue(t, row);
    }
    if (b->court.n_row) {
        settle(t, b);
    }
    for (uint32_t row = 0; row < b->court.n_row; row++) {
        b->goes_round |= b->sees[row] != 0;
    }
    forget_changes(t);
    memset(t->is_out, 0, hf_words(t->n_resource) * sizeof *t->is_out);
    memcpy(b->sees, b->court.lanes, b->court.n_row * sizeof *b->sees);
}

/* ---- blocks ---- */

static hf_status index_rows(trial *t, bench *b) {
    const hf_court *court = &b->court;
    uint32_t *row_of_hold;
    HF_TRY(hf_rows_of(t->cx, t->plan->topo->n_node, NULL, court->n_row, court->node, &b->by_node));
    HF_TRY(hf_scratch(t->cx, court->n_hold, sizeof *row_of_hold, (void **)&row_of_hold));
    for (uint32_t i = 0; i < court->n_hold; i++) {
        row_of_hold[i] = court->hold[i].row;
    }
    HF_TRY(hf_rows_of(t->cx, court->n_row, NULL, court->n_hold, row_of_hold, &b->holds));
    HF_TRY(hf_rows_start(t->cx, court->n_row, &b->back));
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t row = 0; row < court->n_row; row++) {
            for (uint32_t i = court->begin[row]; i < court->begin[row + 1]; i++) {
                if (court->arc[i].is_escape || court->arc[i].to == HF_NONE) {
                    continue;
                }
                if (pass == 0) {
                    hf_rows_count(&b->back, court->arc[i].to);
                } else {
                    hf_rows_put(&b->back, court->arc[i].to, row);
                }
            }
        }
        HF_TRY(pass == 0 ? hf_rows_lay(t->cx, &b->back) : HF_OK);
    }
    HF_TRY(hf_scratch(t->cx, court->n_row, sizeof *b->sees, (void **)&b->sees));
    return hf_scratch(t->cx, court->n_hold, sizeof *b->is_done, (void **)&b->is_done);
}

static hf_status open_block(trial *t, hf_scout *s, uint32_t i, const hf_escape *escape, bool *ok) {
    bench *b = &t->block[t->n_block++];
    if (hf_context_stopped(t->cx)) {
        HF_FAIL(t->cx, HF_ESTOP, "stopped while looking at an escape");
    }
    HF_TRY(hf_court_make(t->cx, s, i, escape, &b->court, ok));
    for (uint32_t a = 0; *ok && a < b->court.begin[b->court.n_row]; a++) {
        if (b->court.arc[a].is_escape) {
            hf_bit_set(t->is_escape, b->court.arc[a].resource);
        }
    }
    /* Injection is by hops to escapes; their rows are not kept. */
    for (uint32_t h = 0; *ok && h < b->court.n_hold; h++) {
        const uint32_t channel = b->court.hold[h].resource / t->plan->n_vc;
        if (t->plan->topo->link[channel] >= t->plan->topo->n_switch_link) {
            hf_bit_set(t->is_escape, b->court.hold[h].resource);
        }
    }
    return *ok && !t->ring_of ? index_rows(t, b) : HF_OK;
}

static hf_status open_scratch(trial *t) {
    uint32_t rows = 1;
    for (uint32_t i = 0; i < t->n_block; i++) {
        rows = t->block[i].court.n_row > rows ? t->block[i].court.n_row : rows;
    }
    HF_TRY(hf_scratch(t->cx, rows, sizeof *t->queue, (void **)&t->queue));
    HF_TRY(hf_scratch(t->cx, rows, sizeof *t->changed, (void **)&t->changed));
    HF_TRY(hf_scratch(t->cx, rows, sizeof *t->is_queued, (void **)&t->is_queued));
    HF_TRY(hf_scratch(t->cx, rows, sizeof *t->has_changed, (void **)&t->has_changed));
    HF_TRY(hf_scratch(t->cx, hf_words(t->n_resource), sizeof *t->is_out, (void **)&t->is_out));
    return hf_scratch(t->cx, t->n_resource, sizeof *t->pending, (void **)&t->pending);
}

/* ---- extended dependencies, level by level ---- */

static void count_holds(trial *t) {
    for (uint32_t i = 0; i < t->n_block; i++) {
        for (uint32_t h = 0; h < t->block[i].court.n_hold; h++) {
            t->pending[t->block[i].court.hold[h].resource]++;
        }
    }
    for (uint32_t i = 0; t->answered.begin && i < t->answered.begin[t->n_resource]; i++) {
        t->pending[t->answered.item[i]]++;
    }
}

/* Holds of rows that have changed and see nothing more are done; the last one of a resource lets it out. */
static void free_holds(trial *t, bench *b, uint32_t *next, uint32_t *n_next) {
    for (uint32_t i = 0; i < t->n_changed; i++) {
        const uint32_t row = t->changed[i];
        for (uint32_t k = b->holds.begin[row]; k < b->holds.begin[row + 1]; k++) {
            const uint32_t h = b->holds.item[k], r = b->court.hold[h].resource;
            if (b->is_done[h] || (b->sees[row] & b->court.hold[h].lanes)) {
                continue;
            }
            b->is_done[h] = true;
            if (--t->pending[r] == 0 && hf_bit_test(t->is_escape, r)) {
                next[(*n_next)++] = r;
            }
        }
    }
    forget_changes(t);
}

/* The resources of `now` are out. */
static void take_out(trial *t, bench *b, const uint32_t *now, uint32_t n_now, uint32_t *next, uint32_t *n_next) {
    for (uint32_t i = 0; i < n_now; i++) {
        const uint32_t node = t->plan->topo->from[now[i] / t->plan->n_vc];
        for (uint32_t k = b->by_node.begin[node]; k < b->by_node.begin[node + 1]; k++) {
            enqueue(t, b->by_node.item[k]);
        }
    }
    if (t->n_queue == 0) {
        return;
    }
    if (b->goes_round) {
        settle_anew(t, b);
    } else {
        settle(t, b);
    }
    free_holds(t, b, next, n_next);
}

/* Packets that wait for resource q to answer them may go on. */
static void let_answer(trial *t, uint32_t q, uint32_t *next, uint32_t *n_next) {
    for (uint32_t i = t->answered.begin[q]; i < t->answered.begin[q + 1]; i++) {
        const uint32_t r = t->answered.item[i];
        if (--t->pending[r] == 0 && hf_bit_test(t->is_escape, r)) {
            next[(*n_next)++] = r;
        }
    }
}

/* \param[out] highest level; \return resources with a level */
static hf_status find_levels(trial *t, uint32_t *highest, uint32_t *count) {
    uint32_t *now, *next, n_now = 0, n_next = 0;
    HF_TRY(hf_scratch(t->cx, t->n_resource, sizeof *now, (void **)&now));
    HF_TRY(hf_scratch(t->cx, t->n_resource, sizeof *next, (void **)&next));
    for (uint32_t r = 0; r < t->n_resource; r++) {
        if (hf_bit_test(t->is_escape, r) && t->pending[r] == 0) {
            next[n_next++] = r;
        }
    }
    for (uint32_t level = 0; n_next > 0; level++) {
        uint32_t *const swap = now;
        now = next;
        next = swap;
        n_now = n_next;
        n_next = 0;
        for (uint32_t i = 0; i < n_now; i++) {
            t->level[now[i]] = *highest = level;
            hf_bit_set(t->is_out, now[i]);
        }
        *count += n_now;
        if (hf_context_stopped(t->cx)) {
            HF_FAIL(t->cx, HF_ESTOP, "stopped while looking at an escape");
        }
        for (uint32_t i = 0; i < t->n_block; i++) {
            take_out(t, &t->block[i], now, n_now, next, &n_next);
        }
        for (uint32_t i = 0; t->answered.begin && i < n_now; i++) {
            let_answer(t, now[i], next, &n_next);
        }
    }
    return HF_OK;
}

static hf_status try_levels(trial *t, uint32_t *highest, bool *ok) {
    uint32_t count = 0;
    HF_TRY(open_scratch(t));
    for (uint32_t i = 0; i < t->n_block; i++) {
        find_rounds(t, &t->block[i]);
    }
    count_holds(t);
    HF_TRY(find_levels(t, highest, &count));
    *ok = count == hf_bits_count(t->is_escape, hf_words(t->n_resource));
    return HF_OK;
}

/* ---- rings with bubbles: direct dependencies, listed ---- */

static bool in_one_ring(const trial *t, uint32_t a, uint32_t b) {
    return t->ring_of && t->ring_of[a] != HF_NONE && t->ring_of[a] == t->ring_of[b];
}

/* A packet on a ring goes on to one resource of it, if it stays. \return false if there are two */
static bool follow_rings(const trial *t, uint32_t *after) {
    for (uint32_t k = 0; k < t->n_block; k++) {
        const hf_court *court = &t->block[k].court;
        for (uint32_t h = 0; h < court->n_hold; h++) {
            const hf_hold *hold = &court->hold[h];
            for (uint32_t i = court->begin[hold->row]; i < court->begin[hold->row + 1]; i++) {
                const uint32_t next = court->arc[i].resource;
                if (!(court->arc[i].lanes & hold->lanes) || !in_one_ring(t, hold->resource, next)) {
                    continue;
                }
                if (after[hold->resource] != HF_NONE && after[hold->resource] != next) {
                    return false;
                }
                after[hold->resource] = next;
            }
        }
    }
    return true;
}

/* Can no packet go round for ever? By taking out lanes of rows from which all arcs lead on to such, until nothing changes. */
static bool is_bounded(const hf_court *court, uint64_t *left) {
    bool grew = true;
    uint64_t any = 0;
    memcpy(left, court->lanes, court->n_row * sizeof *left);
    while (grew) {
        grew = false;
        any = 0;
        for (uint32_t row = court->n_row; row-- > 0;) {
            uint64_t lanes = 0;
            for (uint32_t i = court->begin[row]; i < court->begin[row + 1]; i++) {
                lanes |= court->arc[i].to == HF_NONE ? 0 : court->arc[i].lanes & left[court->arc[i].to];
            }
            grew |= lanes != left[row];
            left[row] = lanes;
            any |= lanes;
        }
    }
    return any == 0;
}

/* The first escape resource of each ring stands for all of it. */
static hf_status represent(trial *t, uint32_t **out) {
    uint32_t *first;
    HF_TRY(hf_scratch(t->cx, t->n_resource, sizeof **out, (void **)out));
    HF_TRY(hf_scratch(t->cx, t->n_resource, sizeof *first, (void **)&first));
    memset(first, 0xff, t->n_resource * sizeof *first); /* HF_NONE */
    for (uint32_t r = 0; r < t->n_resource; r++) {
        const uint32_t ring = t->ring_of && hf_bit_test(t->is_escape, r) ? t->ring_of[r] : HF_NONE;
        if (ring != HF_NONE && first[ring] == HF_NONE) {
            first[ring] = r;
        }
        (*out)[r] = ring == HF_NONE ? r : first[ring];
    }
    return HF_OK;
}

static bool holds_escape(const trial *t, const hf_hold *hold, const hf_arc *arc) {
    return arc->is_escape && (arc->lanes & hold->lanes) && hf_bit_test(t->is_escape, hold->resource) &&
           !in_one_ring(t, hold->resource, arc->resource);
}

/* Direct dependencies between representatives, each as often as it is met. \return how many; `from` NULL: they are counted */
static uint64_t list_direct(const trial *t, const uint32_t *stands, uint32_t *from, uint32_t *to) {
    uint64_t n = 0;
    for (uint32_t k = 0; k < t->n_block; k++) {
        const hf_court *court = &t->block[k].court;
        for (uint32_t h = 0; h < court->n_hold; h++) {
            const hf_hold *hold = &court->hold[h];
            for (uint32_t i = court->begin[hold->row]; i < court->begin[hold->row + 1]; i++) {
                if (!holds_escape(t, hold, &court->arc[i])) {
                    continue;
                }
                if (from) {
                    from[n] = stands[hold->resource];
                    to[n] = stands[court->arc[i].resource];
                }
                n++;
            }
        }
    }
    return n;
}

/* Their graph. */
static hf_status graph_direct(const trial *t, const uint32_t *stands, hf_digraph *g) {
    uint32_t *from, *to;
    const uint64_t n = list_direct(t, stands, NULL, NULL);
    if (n >= HF_NONE) {
        HF_FAIL(t->cx, HF_ERANGE, "%llu direct dependencies of an escape are too many", (unsigned long long)n);
    }
    HF_TRY(hf_scratch(t->cx, n, sizeof *from, (void **)&from));
    HF_TRY(hf_scratch(t->cx, n, sizeof *to, (void **)&to));
    (void)list_direct(t, stands, from, to);
    return hf_digraph_of_edges(t->cx, t->n_resource, (uint32_t)n, from, to, g);
}

static hf_status number_rings(trial *t, uint32_t *highest, bool *ok) {
    uint32_t *stands, levelled;
    hf_digraph g;
    HF_TRY(represent(t, &stands));
    HF_TRY(graph_direct(t, stands, &g));
    HF_TRY(hf_digraph_levels(t->cx, &g, t->level, &levelled));
    *ok = levelled == t->n_resource;
    for (uint32_t r = 0; r < t->n_resource && *ok; r++) {
        t->level[r] = t->level[stands[r]];
        *highest = hf_bit_test(t->is_escape, r) && t->level[r] > *highest ? t->level[r] : *highest;
    }
    return HF_OK;
}

static hf_status try_rings(trial *t, uint32_t *highest, bool *ok) {
    uint64_t *left;
    uint32_t *after, rows = 1;
    for (uint32_t i = 0; i < t->n_block; i++) {
        rows = t->block[i].court.n_row > rows ? t->block[i].court.n_row : rows;
    }
    HF_TRY(hf_scratch(t->cx, rows, sizeof *left, (void **)&left));
    HF_TRY(hf_scratch(t->cx, t->n_resource, sizeof *after, (void **)&after));
    memset(after, 0xff, t->n_resource * sizeof *after); /* HF_NONE */
    for (uint32_t i = 0; i < t->n_block && *ok; i++) {
        *ok = is_bounded(&t->block[i].court, left);
    }
    *ok = *ok && follow_rings(t, after);
    return *ok ? number_rings(t, highest, ok) : HF_OK;
}

/* ---- the verdict ---- */

/* The blocks of a plan, behind those of other classes. */
static hf_status open_blocks(trial *t, const hf_plan *plan, const hf_escape *escape, bool *ok) {
    hf_scout s;
    hf_status status = HF_OK;
    HF_TRY(hf_dependency_shape(t->cx, plan, &t->shape));
    HF_TRY(hf_destinations_make(t->cx, plan, false, &t->to));
    if (!hf_scout_open(&t->shape, &t->to, true, hf_context_allocator(t->cx), &s)) {
        hf_scout_close(&s);
        HF_FAIL(t->cx, HF_ENOMEM, "out of memory for the states of an escape");
    }
    for (uint32_t i = 0; i < t->to.n_block && *ok && status == HF_OK; i++) {
        status = open_block(t, &s, i, escape, ok);
    }
    hf_scout_close(&s);
    return status;
}

/* Who waits to be answered, by what the answers may take. */
static hf_status index_answers(trial *t, const hf_dependency *d) {
    HF_TRY(hf_rows_start(t->cx, t->n_resource, &t->answered));
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < d->n_situation; i++) {
            uint32_t slot = 0, q;
            while (d->asker[i] != HF_NONE &&
                   (q = hf_dependency_next(d, d->resource[i], hf_dependency_mask(d, i), &slot)) != HF_NONE) {
                if (pass == 0) {
                    hf_rows_count(&t->answered, q);
                } else {
                    hf_rows_put(&t->answered, q, d->resource[i]);
                }
            }
        }
        HF_TRY(pass == 0 ? hf_rows_lay(t->cx, &t->answered) : HF_OK);
    }
    return HF_OK;
}

static bool is_all(const trial *t) {
    for (uint32_t k = 0; k < t->n_block; k++) {
        const hf_court *court = &t->block[k].court;
        for (uint32_t i = 0; i < court->begin[court->n_row]; i++) {
            if (!court->arc[i].is_escape) {
                return false;
            }
        }
    }
    return true;
}

/* A shortest cycle of direct dependencies, rings taken as one. */
static hf_status explain(trial *t, hf_escape_fault *why) {
    uint32_t *stands, *cycle, n;
    hf_digraph g;
    why->is_all = is_all(t);
    HF_TRY(represent(t, &stands));
    HF_TRY(graph_direct(t, stands, &g));
    HF_TRY(hf_digraph_shortest_cycle(t->cx, &g, NULL, explain_s, &cycle, &n));
    for (uint32_t i = 0; n <= HF_ESCAPE_CYCLE && i < n; i++) {
        why->cycle[why->n_cycle++] = cycle[i];
    }
    return HF_OK;
}

static hf_status check(trial *t, const hf_escape *escape, const hf_dependency *d, bool *ok, uint32_t *number,
                       hf_escape_fault *why) {
    uint32_t highest = 0;
    const uint32_t n_plan = t->plan->classes ? t->plan->classes->n : 1;
    const size_t most = (t->plan->topo->n_terminal + HF_LANES - 1) / HF_LANES;
    HF_TRY(hf_scratch(t->cx, n_plan * most, sizeof *t->block, (void **)&t->block));
    HF_TRY(hf_scratch(t->cx, hf_words(t->n_resource), sizeof *t->is_escape, (void **)&t->is_escape));
    HF_TRY(hf_scratch(t->cx, t->n_resource, sizeof *t->level, (void **)&t->level));
    for (uint32_t c = 0; c < n_plan && *ok; c++) {
        HF_TRY(open_blocks(t, t->plan->classes ? &t->plan->of_class[c] : t->plan, escape, ok));
    }
    HF_TRY(t->plan->classes ? index_answers(t, d) : HF_OK);
    const bool is_offered = *ok;
    if (*ok) {
        HF_TRY(t->ring_of ? try_rings(t, &highest, ok) : try_levels(t, &highest, ok));
    }
    for (uint32_t r = 0; r < t->n_resource && *ok; r++) {
        number[r] = hf_bit_test(t->is_escape, r) ? highest - t->level[r] : HF_NONE;
    }
    if (why) {
        *why = (hf_escape_fault){.is_missing = !is_offered};
    }
    return why && is_offered && !*ok ? explain(t, why) : HF_OK;
}

hf_status hf_escape_check(hf_context *cx, const hf_plan *plan, const hf_escape *escape, const uint32_t *ring_of,
                          const hf_dependency *d, bool *ok, uint32_t *number, hf_escape_fault *why) {
    trial t = {.cx = cx, .plan = plan, .ring_of = ring_of, .n_resource = plan->topo->n_channel * plan->n_vc};
    const hf_mark mark = hf_scratch_mark(cx);
    *ok = true;
    const hf_status status = check(&t, escape, d, ok, number, why);
    hf_scratch_reset(cx, mark);
    return status;
}
