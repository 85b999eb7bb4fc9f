/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Explicit exploration of the protocol, breadth first, so that the first failure met has a shortest trace. */
#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "src/protocol/world.h"

#include "src/core/grow.h"

const char *hf_check_answer_name(hf_check_answer answer) {
    static const char *const name[] = {"safe", "acted on twice", "lost", "stuck", "unknown"};
    return name[answer];
}

enum { WORDS = sizeof(hf_world) / sizeof(uint64_t) };
_Static_assert(sizeof(hf_world) % sizeof(uint64_t) == 0, "worlds are compared by words");

/* A place of the hash table; the hash spares looking at most other worlds. */
typedef struct bucket {
    uint32_t world, hash; /* world: HF_NONE where it is free */
} bucket;

typedef struct explore {
    hf_context *cx;
    const hf_check *check;
    unsigned reduction;
    hf_check_result *result;
    hf_world *world;
    uint32_t *parent;  /* HF_NONE: the first world */
    uint64_t *edge_to; /* by world: where its edges end */
    uint32_t *edge;    /* worlds that one move leads to */
    bucket *bucket;
    size_t capacity, n_bucket, n_edge, edge_capacity;
    uint32_t n;
} explore;

/* ---- set of worlds ---- */

static uint64_t hash_of(const hf_world *w) {
    uint64_t word[WORDS], h = UINT64_C(0x9e3779b97f4a7c15);
    memcpy(word, w, sizeof word);
    for (size_t i = 0; i < WORDS; i++) {
        h = (h ^ word[i]) * UINT64_C(0xff51afd7ed558ccd);
        h ^= h >> 32;
    }
    return h;
}

static bool is_same_world(const hf_world *a, const hf_world *b) {
    uint64_t p[WORDS], q[WORDS], differing = 0;
    memcpy(p, a, sizeof p);
    memcpy(q, b, sizeof q);
    for (size_t i = 0; i < WORDS; i++) {
        differing |= p[i] ^ q[i];
    }
    return differing == 0;
}

/* The bucket of `w`, or the free one where it belongs. */
static bucket *find(const explore *x, const hf_world *w, uint64_t hash) {
    size_t b = (size_t)hash & (x->n_bucket - 1);
    const uint32_t high = (uint32_t)(hash >> 32);
    while (x->bucket[b].world != HF_NONE && (x->bucket[b].hash != high || !is_same_world(&x->world[x->bucket[b].world], w))) {
        b = (b + 1) & (x->n_bucket - 1);
    }
    return &x->bucket[b];
}

static hf_status grow(explore *x) {
    const size_t capacity = x->capacity ? 2 * x->capacity : 1024;
    HF_TRY(hf_resize(x->cx, capacity, sizeof *x->world, (void **)&x->world));
    HF_TRY(hf_resize(x->cx, capacity, sizeof *x->parent, (void **)&x->parent));
    HF_TRY(hf_resize(x->cx, capacity, sizeof *x->edge_to, (void **)&x->edge_to));
    HF_TRY(hf_resize(x->cx, 2 * capacity, sizeof *x->bucket, (void **)&x->bucket));
    x->capacity = capacity;
    x->n_bucket = 2 * capacity;
    memset(x->bucket, 0xff, x->n_bucket * sizeof *x->bucket);
    for (uint32_t i = 0; i < x->n; i++) {
        const uint64_t hash = hash_of(&x->world[i]);
        *find(x, &x->world[i], hash) = (bucket){i, (uint32_t)(hash >> 32)};
    }
    return HF_OK;
}

/* `to`: the world that stands for `w`. */
static hf_status add(explore *x, const hf_world *w, uint64_t hash, uint32_t parent, uint32_t *to) {
    if (x->n == x->capacity) {
        HF_TRY(grow(x));
    }
    bucket *b = find(x, w, hash);
    *to = b->world;
    if (b->world == HF_NONE) {
        *b = (bucket){x->n, (uint32_t)(hash >> 32)};
        *to = x->n;
        x->world[x->n] = *w;
        x->parent[x->n++] = parent;
    }
    return HF_OK;
}

static hf_status add_edge(explore *x, uint32_t to) {
    HF_GROW(x->cx, x->edge, x->n_edge, x->edge_capacity);
    x->edge[x->n_edge++] = to;
    return HF_OK;
}

/* ---- moves ---- */

/* `n_first`: so many are enough, if they lead to worlds not yet expanded. */
static uint32_t moves_of(const explore *x, const hf_world *w, hf_move *move, uint32_t *n_first) {
    if (x->reduction & HF_REDUCE_ORDER) {
        return hf_world_ordered_moves(x->check, w, move, n_first);
    }
    return *n_first = hf_world_moves(x->check, w, move);
}

static hf_world after(const explore *x, const hf_world *w, hf_move move) {
    hf_world next = hf_world_after(x->check, w, move);
    if (x->reduction & HF_REDUCE_SYMMETRY) {
        hf_world_make_canonical(x->check, &next);
    }
    return next;
}

/* ---- the trace ---- */

static hf_status write_step(const explore *x, const hf_world *w, hf_move move, char **out) {
    hf_text text;
    hf_text_init(x->cx, &text);
    hf_world_print_move(x->check, w, move, &text);
    hf_status status = hf_text_check(x->cx, &text);
    status = status == HF_OK ? hf_scratch_print(x->cx, out, "%s", text.data) : status;
    hf_text_free(&text);
    return status;
}

/* The move of `w`, with the messages as they were named at the start, that leads to a world for which `to` stands. */
static hf_move move_to(const explore *x, const hf_world *w, uint32_t to) {
    hf_move move[HF_MOVE_MOST];
    uint32_t n_first, i = 0;
    const uint32_t n = moves_of(x, w, move, &n_first);
    bool is_found = false;
    for (; !is_found && i < n; i++) {
        const hf_world next = after(x, w, move[i]);
        is_found = is_same_world(&next, &x->world[to]);
    }
    assert(is_found);
    return move[i - 1];
}

static hf_status write_trace(const explore *x, uint32_t state) {
    hf_check_result *r = x->result;
    uint32_t *way;
    hf_world w = {0};
    r->n_step = 0;
    for (uint32_t s = state; x->parent[s] != HF_NONE; s = x->parent[s]) {
        r->n_step++;
    }
    HF_TRY(hf_scratch(x->cx, r->n_step, sizeof *r->step, (void **)&r->step));
    HF_TRY(hf_scratch(x->cx, r->n_step, sizeof *way, (void **)&way));
    for (uint32_t i = r->n_step; i-- > 0; state = x->parent[state]) {
        way[i] = state;
    }
    for (uint32_t i = 0; i < r->n_step; i++) {
        const hf_move move = move_to(x, &w, way[i]);
        HF_TRY(write_step(x, &w, move, &r->step[i]));
        w = hf_world_after(x->check, &w, move);
    }
    if (r->answer != HF_CHECK_STUCK) {
        hf_world_judge(x->check, &w, &r->message);
    }
    return HF_OK;
}

/* ---- exploring ---- */

/* What some moves of one world lead to. */
typedef struct batch {
    uint32_t n;
    hf_world next[HF_MOVE_MOST];
    uint64_t hash[HF_MOVE_MOST];
} batch;

/* A world that is to be expanded. */
typedef struct expansion {
    uint32_t state, n, n_first;
    hf_world from;
    hf_move move[HF_MOVE_MOST];
    batch first; /* of the first n_first moves */
} expansion;

/* Worlds are prepared so far ahead of their turn that the lookups, each of which misses the cache, overlap. */
enum { AHEAD = 8 };

static void make_batch(const explore *x, const hf_world *from, const hf_move *move, uint32_t n, batch *out) {
    out->n = n;
    for (uint32_t i = 0; i < n; i++) {
        out->next[i] = after(x, from, move[i]);
        out->hash[i] = hash_of(&out->next[i]);
        __builtin_prefetch(&x->bucket[(size_t)out->hash[i] & (x->n_bucket - 1)]);
    }
}

static void prefetch_known(const explore *x, const batch *b) {
    for (uint32_t i = 0; i < b->n; i++) {
        const uint32_t known = x->bucket[(size_t)b->hash[i] & (x->n_bucket - 1)].world;
        if (known != HF_NONE) {
            __builtin_prefetch(&x->world[known]);
            __builtin_prefetch((const char *)&x->world[known] + sizeof *x->world - 1);
        }
    }
}

static void prepare(const explore *x, uint32_t state, expansion *out) {
    out->state = state;
    out->from = x->world[state];
    out->n = moves_of(x, &out->from, out->move, &out->n_first);
    make_batch(x, &out->from, out->move, out->n_first, &out->first);
}

/* `is_open`: some world that they lead to has not been expanded. */
static hf_status add_batch(explore *x, uint32_t state, const batch *b, bool *is_open) {
    for (uint32_t i = 0; i < b->n && x->result->answer == HF_CHECK_SAFE; i++) {
        const uint32_t n = x->n;
        uint32_t to;
        HF_TRY(add(x, &b->next[i], b->hash[i], state, &to));
        HF_TRY(add_edge(x, to));
        x->result->n_move++;
        *is_open |= to > state;
        if (x->n > n) {
            x->result->answer = hf_world_judge(x->check, &b->next[i], &x->result->message);
        }
    }
    return HF_OK;
}

/* All moves from one world; the first ones only, if that leads on. Worlds are expanded in their order, so what those moves leave
 * out is looked at behind the world that they lead to, or further on. */
static hf_status expand(explore *x, const expansion *e) {
    bool is_open = false;
    HF_TRY(add_batch(x, e->state, &e->first, &is_open));
    if (!is_open) {
        batch rest;
        make_batch(x, &e->from, e->move + e->n_first, e->n - e->n_first, &rest);
        HF_TRY(add_batch(x, e->state, &rest, &is_open));
    }
    x->edge_to[e->state] = x->n_edge;
    return HF_OK;
}

static hf_status expand_all(explore *x) {
    expansion ahead[AHEAD] = {0};
    uint32_t ready = 0;
    for (uint32_t s = 0; s < x->n && x->result->answer == HF_CHECK_SAFE; s++) {
        if (x->n > x->check->state_limit || x->n >= HF_NONE / 2) {
            x->result->answer = HF_CHECK_UNKNOWN;
            break;
        }
        if (s % 4096 == 0 && hf_context_stopped(x->cx)) {
            HF_FAIL(x->cx, HF_ESTOP, "stopped after %" PRIu32 " states", s);
        }
        for (; ready < x->n && ready < s + AHEAD; ready++) {
            prepare(x, ready, &ahead[ready % AHEAD]);
        }
        if (s + AHEAD / 2 < ready) {
            prefetch_known(x, &ahead[(s + AHEAD / 2) % AHEAD].first);
        }
        HF_TRY(expand(x, &ahead[s % AHEAD]));
    }
    return HF_OK;
}

static hf_status walk(explore *x) {
    const hf_world first = {0};
    uint32_t to;
    HF_TRY(add(x, &first, hash_of(&first), HF_NONE, &to));
    HF_TRY(expand_all(x));
    x->result->n_state += x->n;
    if (x->result->answer == HF_CHECK_DUPLICATE || x->result->answer == HF_CHECK_LOST) {
        return write_trace(x, x->n - 1);
    }
    return HF_OK;
}

/* ---- delivery stays possible ----
 *  Each world has a bit for each message that can be acted on behind it. Where worlds stand for others, which message is which
 *  changes from world to world, so there is one bit for all: if each message can be acted on from each world, so can all. */

static unsigned goals(const explore *x, unsigned acted) {
    const unsigned all = (1U << x->check->n_message) - 1;
    return x->reduction & HF_REDUCE_SYMMETRY ? acted == all : acted;
}

/* Backwards until nothing changes. */
static hf_status spread_goals(const explore *x, uint8_t *reached) {
    for (bool has_changed = true; has_changed;) {
        has_changed = false;
        if (hf_context_stopped(x->cx)) {
            HF_FAIL(x->cx, HF_ESTOP, "stopped after %" PRIu32 " states", x->n);
        }
        for (uint32_t s = x->n; s-- > 0;) {
            unsigned now = reached[s] | goals(x, hf_world_acted(x->check, &x->world[s]));
            for (uint64_t e = s ? x->edge_to[s - 1] : 0; e < x->edge_to[s]; e++) {
                now |= reached[x->edge[e]];
            }
            has_changed |= now != reached[s];
            reached[s] = (uint8_t)now;
        }
    }
    return HF_OK;
}

/* The first world from which some message cannot be acted on. */
static hf_status find_stuck(explore *x, const uint8_t *reached) {
    const unsigned all = goals(x, (1U << x->check->n_message) - 1);
    uint32_t s = 0;
    while (s < x->n && reached[s] == all) {
        s++;
    }
    if (s == x->n) {
        return HF_OK;
    }
    x->result->answer = HF_CHECK_STUCK;
    x->result->message = x->reduction & HF_REDUCE_SYMMETRY ? HF_NONE : (uint32_t)__builtin_ctz(all & ~reached[s]);
    return write_trace(x, s);
}

static hf_status check_delivery(explore *x) {
    uint8_t *reached;
    HF_TRY(hf_allocate(x->cx, x->n, 1, (void **)&reached));
    hf_status status = spread_goals(x, reached);
    if (status == HF_OK) {
        status = find_stuck(x, reached);
    }
    hf_release(hf_context_allocator(x->cx), reached);
    return status;
}

static hf_status explore_all(hf_context *cx, const hf_check *check, unsigned reduction, hf_check_result *result) {
    explore x = {.cx = cx, .check = check, .reduction = reduction, .result = result};
    result->answer = HF_CHECK_SAFE;
    hf_status status = walk(&x);
    if (status == HF_OK && result->answer == HF_CHECK_SAFE) {
        status = check_delivery(&x);
    }
    const hf_allocator *allocator = hf_context_allocator(cx);
    hf_release(allocator, x.world);
    hf_release(allocator, x.parent);
    hf_release(allocator, x.edge_to);
    hf_release(allocator, x.edge);
    hf_release(allocator, x.bucket);
    return status;
}

/* What could have made the trace to a failure longer. The message that is stuck has to keep its number. */
static unsigned lengthening(hf_check_answer answer) {
    if (answer == HF_CHECK_STUCK) {
        return HF_REDUCE_ALL;
    }
    return answer == HF_CHECK_DUPLICATE || answer == HF_CHECK_LOST ? HF_REDUCE_ORDER : 0;
}

/* The same failure once more, without that. */
static hf_status shorten(hf_context *cx, const hf_check *check, hf_check_result *result) {
    hf_check_result again = *result;
    HF_TRY(explore_all(cx, check, check->reduction & ~lengthening(result->answer), &again));
    if (again.answer == HF_CHECK_UNKNOWN) {
        result->is_shortest = false;
        result->n_state = again.n_state;
        result->n_move = again.n_move;
    } else {
        *result = again;
    }
    return HF_OK;
}

static hf_status check_bounds(hf_context *cx, const hf_check *c) {
    const bool is_forever = c->protocol.retention == HF_RETENTION_FOREVER;
    const struct {
        const char *name;
        uint64_t value, low, high;
    } bound[] = {
        {"messages", c->n_message, 1, HF_CHECK_MAX},
        {"capacity of channels", c->capacity, 1, HF_CHECK_MAX},
        {"entries of the send table", c->protocol.send_capacity, 1, HF_CHECK_MAX},
        {"entries of the receive table", c->protocol.receive_capacity, 1, HF_CHECK_MAX},
        {"message ids", c->protocol.n_id, 0, HF_CHECK_SLIP_MAX},
        {"retention", is_forever ? 0 : c->protocol.retention, 0, HF_CHECK_SLIP_MAX},
        {"slip", c->slip, 0, HF_CHECK_SLIP_MAX},
    };
    for (size_t i = 0; i < sizeof bound / sizeof *bound; i++) {
        if (bound[i].value < bound[i].low || bound[i].value > bound[i].high) {
            HF_FAIL(cx, HF_ERANGE, "check of the protocol: %s=%" PRIu64 " is out of range; need %" PRIu64 " to %" PRIu64,
                    bound[i].name, bound[i].value, bound[i].low, bound[i].high);
        }
    }
    return HF_OK;
}

hf_status hf_protocol_check(hf_context *cx, const hf_check *check, hf_check_result *out) {
    HF_TRY(check_bounds(cx, check));
    *out = (hf_check_result){.is_shortest = true};
    HF_TRY(explore_all(cx, check, check->reduction, out));
    return check->reduction & lengthening(out->answer) ? shorten(cx, check, out) : HF_OK;
}
