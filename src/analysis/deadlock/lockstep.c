/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Which deadlocks do packets in lockstep get into from the empty network? By search over the states of all flits, one flit a
 *  buffer, for relations with one way for each pair [schwiebert2001].
 *
 *  In each step every packet whose next channel is free goes on by one channel, its flits following; of several that want a
 *  channel any one gets it. Sources send when they like. The flits of a packet follow each other without a gap, so a state says
 *  which flit is in each channel and no more; how long a packet is shows when its source stops, so all lengths are covered. */
#include <string.h>

#include <holdfast/core/bitset.h>

#include "src/analysis/deadlock/decide.h"
#include "src/analysis/deadlock/lockstep.h"

enum { WORDS_MAX = 16, CLOCK_EVERY = 4096, PENDING_MAX = 64, TABLE_WORDS_MAX = 1 << 27, SUCCESSORS = 64 };

typedef struct field {
    uint32_t word, shift;
    uint64_t mask;
} field;

typedef struct search {
    hf_context *cx;
    const hf_flits *w;
    bool same_step; /* a channel may be taken in the step in which it becomes free */
    uint32_t words;
    field *field; /* by channel */
    /* all states, and the table of them */
    uint64_t *table; /* table_room states; zero: free, as the empty network is not kept there */
    uint64_t *open;  /* n_open states to look at, the newest first */
    size_t table_room, open_room, n_open, count, n_met, limit;
    /* successors of the present state, which are on their way from memory into the cache */
    uint64_t *pending, *pending_at;
    size_t n_pending;
    /* the present state, by channel */
    const hf_flit **flit;             /* NULL: empty */
    uint32_t *behind, *front, *rear;  /* channels of the same packet; HF_NONE: none, or empty */
    uint32_t *wanted_by, *also, *job; /* headers that want a channel, chained; channels where something can happen */
    uint32_t n_drain, n_job, n_new;   /* jobs that are packets being delivered; new headers that have not gone on */
    uint64_t to[WORDS_MAX];
    bool is_full;
    double end_s;
} search;

/* ---- states ---- */

static uint64_t hash_of(const search *s, const uint64_t *words) {
    uint64_t hash = 0;
    for (uint32_t i = 0; i < s->words; i++) {
        hash = (hash ^ words[i]) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    return hash;
}

static bool is_zero(const search *s, const uint64_t *words) {
    uint64_t any = 0;
    for (uint32_t i = 0; i < s->words; i++) {
        any |= words[i];
    }
    return any == 0;
}

static bool is_same(const search *s, const uint64_t *a, const uint64_t *b) {
    uint64_t differ = 0;
    for (uint32_t i = 0; i < s->words; i++) {
        differ |= a[i] ^ b[i];
    }
    return differ == 0;
}

/* Where a state is in the table, or the free place for it. */
static uint64_t *find(const search *s, const uint64_t *words, uint64_t hash) {
    for (size_t at = hash & (s->table_room - 1);; at = (at + 1) & (s->table_room - 1)) {
        uint64_t *place = s->table + at * s->words;
        if (is_same(s, place, words) || is_zero(s, place)) {
            return place;
        }
    }
}

static hf_status grow_table(search *s) {
    uint64_t *old = s->table;
    const size_t old_room = s->table_room, room = old_room ? 2 * old_room : 4096, size = s->words * sizeof *old;
    s->table = NULL;
    const hf_status status = hf_allocate(s->cx, room, size, (void **)&s->table);
    s->table_room = status == HF_OK ? room : 0;
    for (size_t i = 0; i < old_room && status == HF_OK; i++) {
        const uint64_t *words = old + i * s->words;
        if (!is_zero(s, words)) {
            memcpy(find(s, words, hash_of(s, words)), words, size);
        }
    }
    hf_release(hf_context_allocator(s->cx), old);
    return status;
}

static hf_status visit(search *s, const uint64_t *words, uint64_t hash) {
    const size_t size = s->words * sizeof *words;
    uint64_t *place = find(s, words, hash);
    if (is_zero(s, words) || !is_zero(s, place)) {
        return HF_OK;
    }
    if (s->count == s->limit) {
        s->is_full = true;
        return HF_OK;
    }
    if (s->n_open == s->open_room) {
        HF_TRY(hf_resize(s->cx, 2 * s->open_room + 1024, size, (void **)&s->open));
        s->open_room = 2 * s->open_room + 1024;
    }
    memcpy(place, words, size);
    memcpy(s->open + s->n_open++ * s->words, words, size);
    return ++s->count > s->table_room / 2 ? grow_table(s) : HF_OK;
}

static hf_status visit_pending(search *s) {
    for (size_t i = 0; i < s->n_pending; i++) {
        HF_TRY(visit(s, s->pending + i * s->words, s->pending_at[i]));
    }
    s->n_pending = 0;
    return HF_OK;
}

static bool is_over(const search *s) { return hf_clock_s() > s->end_s || hf_context_stopped(s->cx); }

/* The table is much larger than the cache: states wait for each other's places to come. */
static hf_status meet(search *s) {
    const uint64_t hash = hash_of(s, s->to);
    s->is_full |= s->n_met++ > SUCCESSORS * s->limit || (s->n_met % CLOCK_EVERY == 0 && is_over(s));
    __builtin_prefetch(s->table + (hash & (s->table_room - 1)) * s->words);
    memcpy(s->pending + s->n_pending * s->words, s->to, s->words * sizeof *s->to);
    s->pending_at[s->n_pending++] = hash;
    return s->n_pending == PENDING_MAX ? visit_pending(s) : HF_OK;
}

static void put(search *s, uint32_t channel, uint32_t code) {
    const field f = s->field[channel];
    s->to[f.word] = (s->to[f.word] & ~(f.mask << f.shift)) | (uint64_t)code << f.shift;
}

/* ---- one step ---- */

static hf_status go_on(search *s, uint32_t job);

/* The packet with its front in `front` moves; what comes into the next channel is there already. */
static hf_status leave(search *s, uint32_t front, const hf_flit *head, uint32_t job) {
    const uint32_t rear = s->rear[front], n_job = s->n_job;
    const hf_flit *body = head->next == HF_NONE ? head : &s->w->flit[head->body], *last = rear == front ? body : s->flit[rear];
    put(s, front, body->code);
    put(s, rear, 0);
    if (s->same_step) {
        s->job[s->n_job++] = rear;
    }
    HF_TRY(go_on(s, job));
    s->n_job = n_job;
    put(s, rear, last->code);
    if (last->is_open) {
        HF_TRY(go_on(s, job));
    }
    put(s, rear, s->flit[rear]->code);
    put(s, front, s->flit[front]->code);
    return HF_OK;
}

/* A new header is gone from its channel: more of its packet follows, or not. */
static hf_status leave_new(search *s, const hf_flit *head, uint32_t job) {
    put(s, head->channel, 0);
    s->job[s->n_job] = head->channel;
    s->n_job += s->same_step;
    HF_TRY(go_on(s, job));
    s->n_job -= s->same_step;
    put(s, head->channel, s->w->flit[head->body].code);
    return go_on(s, job);
}

/* A new header goes on to c. */
static hf_status start(search *s, uint32_t c, const hf_flit *head, uint32_t job) {
    const hf_flits *w = s->w;
    const hf_flit *present = s->flit[head->channel];
    if (!present || !present->is_new) {
        return HF_OK;
    }
    s->flit[head->channel] = NULL; /* gone, once */
    s->n_new--;
    hf_status status = HF_OK;
    for (uint32_t k = 0; k < head->n_child && status == HF_OK; k++) {
        put(s, c, w->flit[w->child[head->first_child + k]].code);
        status = leave_new(s, head, job);
    }
    s->n_new++;
    s->flit[head->channel] = present;
    put(s, head->channel, present->code);
    return status;
}

/* Jobs: packets that are being delivered, then channels that are free: each is given to one of the headers that want it, or to a
 * new one. New headers that do not go on at once are not looked at.
 * Full networks are made last, and so looked at first: deadlocks come soon. */
static hf_status go_on(search *s, uint32_t job) {
    if (s->is_full) {
        return HF_OK;
    }
    if (job == s->n_job) {
        return s->n_new ? HF_OK : meet(s);
    }
    const hf_flits *w = s->w;
    const uint32_t c = s->job[job];
    if (job < s->n_drain) {
        return leave(s, c, s->flit[c], job + 1);
    }
    if (s->wanted_by[c] == HF_NONE) {
        HF_TRY(go_on(s, job + 1));
    }
    for (uint32_t h = s->wanted_by[c]; h != HF_NONE; h = s->also[h]) {
        for (uint32_t k = 0; k < s->flit[h]->n_child; k++) {
            put(s, c, w->flit[w->child[s->flit[h]->first_child + k]].code);
            HF_TRY(leave(s, h, s->flit[h], job + 1));
        }
    }
    for (uint32_t i = w->start.begin[c]; i < w->start.begin[c + 1]; i++) {
        HF_TRY(start(s, c, &w->flit[w->start.item[i]], job + 1));
    }
    for (uint32_t e = w->entry.begin[c]; e < w->entry.begin[c + 1]; e++) {
        put(s, c, w->flit[w->entry.item[e]].code);
        HF_TRY(go_on(s, job + 1));
    }
    put(s, c, 0);
    return HF_OK;
}

static void load(search *s, const uint64_t *words) {
    const hf_flits *w = s->w;
    const uint32_t n = w->n_channel;
    memcpy(s->to, words, s->words * sizeof *words);
    memset(s->behind, 0xff, n * sizeof *s->behind);
    memset(s->wanted_by, 0xff, n * sizeof *s->wanted_by);
    memset(s->front, 0xff, n * sizeof *s->front);
    for (uint32_t c = 0; c < n; c++) {
        const field f = s->field[c];
        const uint64_t code = words[f.word] >> f.shift & f.mask;
        s->flit[c] = code ? &w->flit[w->flit_of[w->code_base[c] + code]] : NULL;
        if (code && s->flit[c]->is_head) {
            s->also[c] = s->wanted_by[s->flit[c]->next];
            s->wanted_by[s->flit[c]->next] = c;
        } else if (code && s->flit[c]->next != HF_NONE) {
            s->behind[s->flit[c]->next] = c;
        }
    }
}

static void find_packets_and_jobs(search *s) {
    const hf_flits *w = s->w;
    s->n_job = s->n_drain = s->n_new = 0;
    for (uint32_t c = 0; c < w->n_channel; c++) {
        const hf_flit *f = s->flit[c];
        s->n_new += f && f->is_new;
        if (!f || f->is_new || (!f->is_head && f->next != HF_NONE)) {
            continue;
        }
        s->front[c] = s->rear[c] = c;
        for (uint32_t b = s->behind[c]; b != HF_NONE; b = s->behind[b]) {
            s->front[b] = c;
            s->rear[c] = b;
        }
        if (!f->is_head) {
            s->job[s->n_job++] = c;
        }
    }
    s->n_drain = s->n_job;
    for (uint32_t c = 0; c < w->n_channel; c++) {
        if (!s->flit[c] && (s->wanted_by[c] != HF_NONE || w->entry.begin[c] < w->entry.begin[c + 1] ||
                            w->start.begin[c] < w->start.begin[c + 1])) {
            s->job[s->n_job++] = c;
        }
    }
}

/* ---- deadlock ---- */

/* The header that the header in c waits for, or HF_NONE: there is none, or it is being delivered. */
static uint32_t waits_for(const search *s, uint32_t c) {
    const uint32_t front = s->front[s->flit[c]->next];
    return front == HF_NONE || !s->flit[front]->is_head ? HF_NONE : front;
}

/* A header in a cycle of waiting, or HF_NONE. */
static uint32_t find_deadlock(const search *s) {
    for (uint32_t c = 0; c < s->w->n_channel; c++) {
        if (!s->flit[c] || !s->flit[c]->is_head) {
            continue;
        }
        uint32_t at = waits_for(s, c), steps = 0;
        for (; at != HF_NONE && at != c && steps < s->w->n_channel; steps++) {
            at = waits_for(s, at);
        }
        if (at == c) {
            return c;
        }
    }
    return HF_NONE;
}

static hf_status make_packet(search *s, const hf_plan *plan, uint32_t front, hf_blocked *b) {
    const hf_flits *w = s->w;
    uint32_t n = 1;
    for (uint32_t c = front; c != s->rear[front]; c = s->behind[c]) {
        n++;
    }
    *b = (hf_blocked){.source = HF_NONE,
                      .destination = w->destination[__builtin_ctzll(s->flit[front]->destinations)],
                      .n_hold = n,
                      .n_wait = 1};
    HF_TRY(hf_scratch(s->cx, n, sizeof *b->hold, (void **)&b->hold));
    HF_TRY(hf_scratch(s->cx, 1, sizeof *b->wait, (void **)&b->wait));
    for (uint32_t c = front; n-- > 0; c = s->behind[c]) {
        b->hold[n] = w->channel[c] * plan->n_vc + w->vc[c];
    }
    b->wait[0] = w->channel[s->flit[front]->next] * plan->n_vc + w->vc[s->flit[front]->next];
    return hf_find_path(s->cx, plan, HF_NONE, b->hold[0], s->flit[s->rear[front]]->tag, b);
}

static hf_status show_deadlock(search *s, const hf_plan *plan, uint32_t first, hf_lockstep *out) {
    uint32_t c = first;
    do {
        out->n_blocked++;
        c = waits_for(s, c);
    } while (c != first);
    HF_TRY(hf_scratch(s->cx, out->n_blocked, sizeof *out->blocked, (void **)&out->blocked));
    for (uint32_t i = 0; i < out->n_blocked; i++, c = waits_for(s, c)) {
        HF_TRY(make_packet(s, plan, c, &out->blocked[i]));
    }
    return HF_OK;
}

/* ---- all together ---- */

static hf_status open_search(search *s) {
    const uint32_t n = s->w->n_channel;
    enum { ARRAYS = 5 };
    uint32_t **const array[ARRAYS] = {&s->behind, &s->front, &s->rear, &s->wanted_by, &s->also};
    for (size_t i = 0; i < ARRAYS; i++) {
        HF_TRY(hf_scratch(s->cx, n, sizeof(uint32_t), (void **)array[i]));
    }
    HF_TRY(hf_scratch(s->cx, 2 * (size_t)n, sizeof *s->job, (void **)&s->job));
    HF_TRY(hf_scratch(s->cx, n, sizeof *s->flit, (void **)&s->flit));
    HF_TRY(hf_scratch(s->cx, n, sizeof *s->field, (void **)&s->field));
    uint32_t shift = 0;
    for (uint32_t c = 0; c < n; c++) {
        const uint32_t bits = 64 - (uint32_t)__builtin_clzll(s->w->n_code[c] | 1u);
        if (shift + bits > 64) {
            s->words++;
            shift = 0;
        }
        s->field[c] = (field){s->words, shift, (UINT64_C(1) << bits) - 1};
        shift += bits;
    }
    s->words++;
    HF_TRY(hf_scratch(s->cx, (size_t)PENDING_MAX * s->words, sizeof *s->pending, (void **)&s->pending));
    HF_TRY(hf_scratch(s->cx, PENDING_MAX, sizeof *s->pending_at, (void **)&s->pending_at));
    const size_t room = TABLE_WORDS_MAX / 4 / s->words; /* the table doubles when it is half full */
    s->limit = s->limit < room ? s->limit : room;
    return HF_OK;
}

static hf_status explore(search *s, const hf_plan *plan, double limit_s, hf_lockstep *out) {
    const uint64_t empty[WORDS_MAX] = {0};
    bool is_first = true;
    s->end_s = hf_clock_s() + limit_s;
    HF_TRY(grow_table(s));
    s->count = 1;
    do {
        load(s, is_first ? empty : s->open + --s->n_open * s->words);
        is_first = false;
        find_packets_and_jobs(s);
        const uint32_t stuck = find_deadlock(s);
        if (stuck != HF_NONE) {
            out->answer = HF_DEADLOCK_FOUND;
            return show_deadlock(s, plan, stuck, out);
        }
        HF_TRY(go_on(s, 0));
        HF_TRY(visit_pending(s));
    } while (s->n_open > 0 && !s->is_full);
    if (hf_context_stopped(s->cx)) {
        HF_FAIL(s->cx, HF_ESTOP, "stopped while looking at packets in lockstep");
    }
    out->answer = s->is_full ? HF_DEADLOCK_UNKNOWN : HF_DEADLOCK_FREE;
    out->reason = s->is_full ? "the limit of states or time is passed" : NULL;
    return HF_OK;
}

hf_status hf_lockstep_search(hf_context *cx, const hf_plan *plan, const hf_lockstep_options *options, hf_lockstep *out) {
    hf_flits ways;
    *out = (hf_lockstep){.answer = HF_DEADLOCK_UNKNOWN};
    HF_TRY(hf_flits_make(cx, plan, options->only, options->n_only, &ways));
    out->reason = ways.reason;
    search s = {.cx = cx, .w = &ways, .same_step = options->same_step, .limit = options->state_limit};
    if (!ways.reason) {
        HF_TRY(open_search(&s));
        out->reason = s.words > WORDS_MAX ? "the network is too large" : NULL;
    }
    if (out->reason) {
        return HF_OK;
    }
    const hf_status status = explore(&s, plan, options->time_limit_s, out);
    out->n_state = s.count;
    hf_release(hf_context_allocator(cx), s.table);
    hf_release(hf_context_allocator(cx), s.open);
    return status;
}
