/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Explicit exploration of the protocol, breadth first, so that the first failure met has a shortest trace. */
#include <inttypes.h>
#include <string.h>

#include "src/protocol/world.h"

const char *hf_check_answer_name(hf_check_answer answer) {
    static const char *const name[] = {"safe", "acted on twice", "lost", "stuck", "unknown"};
    return name[answer];
}

typedef struct explore {
    hf_context *cx;
    const hf_check *check;
    hf_check_result *result;
    hf_world *world;
    uint32_t *parent; /* HF_NONE: the first world */
    hf_move *move;    /* that led here */
    uint32_t *bucket; /* open addressing; HF_NONE: free */
    size_t capacity, n_bucket;
    uint32_t n;
} explore;

/* ---- set of worlds ---- */

static size_t hash(const hf_world *w, size_t n_bucket) {
    unsigned char bytes[(sizeof *w + 7) / 8 * 8] = {0};
    uint64_t h = UINT64_C(0x9e3779b97f4a7c15);
    memcpy(bytes, w, sizeof *w);
    for (size_t i = 0; i < sizeof bytes; i += 8) {
        uint64_t word;
        memcpy(&word, bytes + i, 8);
        h = (h ^ word) * UINT64_C(0xff51afd7ed558ccd);
        h ^= h >> 32;
    }
    return (size_t)h & (n_bucket - 1);
}

/* The bucket of `w`, or the free one where it belongs. */
static size_t find(const explore *x, const hf_world *w) {
    size_t b = hash(w, x->n_bucket);
    while (x->bucket[b] != HF_NONE && memcmp(&x->world[x->bucket[b]], w, sizeof *w) != 0) {
        b = (b + 1) & (x->n_bucket - 1);
    }
    return b;
}

static hf_status grow(explore *x) {
    const size_t capacity = x->capacity ? 2 * x->capacity : 1024;
    HF_TRY(hf_resize(x->cx, capacity, sizeof *x->world, (void **)&x->world));
    HF_TRY(hf_resize(x->cx, capacity, sizeof *x->parent, (void **)&x->parent));
    HF_TRY(hf_resize(x->cx, capacity, sizeof *x->move, (void **)&x->move));
    HF_TRY(hf_resize(x->cx, 2 * capacity, sizeof *x->bucket, (void **)&x->bucket));
    x->capacity = capacity;
    x->n_bucket = 2 * capacity;
    memset(x->bucket, 0xff, x->n_bucket * sizeof *x->bucket);
    for (uint32_t i = 0; i < x->n; i++) {
        x->bucket[find(x, &x->world[i])] = i;
    }
    return HF_OK;
}

static hf_status add(explore *x, const hf_world *w, uint32_t parent, hf_move move, bool *is_new) {
    if (x->n == x->capacity) {
        HF_TRY(grow(x));
    }
    const size_t b = find(x, w);
    *is_new = x->bucket[b] == HF_NONE;
    if (*is_new) {
        x->bucket[b] = x->n;
        x->world[x->n] = *w;
        x->parent[x->n] = parent;
        x->move[x->n++] = move;
    }
    return HF_OK;
}

/* ---- the trace ---- */

static hf_status write_step(const explore *x, uint32_t state, char **out) {
    hf_text text;
    hf_text_init(x->cx, &text);
    hf_world_print_move(x->check, &x->world[x->parent[state]], x->move[state], &text);
    hf_status status = hf_text_check(x->cx, &text);
    status = status == HF_OK ? hf_scratch_print(x->cx, out, "%s", text.data) : status;
    hf_text_free(&text);
    return status;
}

static hf_status write_trace(const explore *x, uint32_t state) {
    hf_check_result *r = x->result;
    for (uint32_t s = state; x->parent[s] != HF_NONE; s = x->parent[s]) {
        r->n_step++;
    }
    HF_TRY(hf_scratch(x->cx, r->n_step, sizeof *r->step, (void **)&r->step));
    for (uint32_t i = r->n_step; i-- > 0; state = x->parent[state]) {
        HF_TRY(write_step(x, state, &r->step[i]));
    }
    return HF_OK;
}

/* ---- exploring ---- */

/* All moves from one world. */
static hf_status expand(explore *x, uint32_t state) {
    hf_move move[HF_MOVE_MOST];
    const hf_world from = x->world[state];
    const uint32_t n = hf_world_moves(x->check, &from, move);
    for (uint32_t i = 0; i < n && x->result->answer == HF_CHECK_SAFE; i++) {
        bool is_new;
        const hf_world next = hf_world_after(x->check, &from, move[i]);
        HF_TRY(add(x, &next, state, move[i], &is_new));
        x->result->n_move++;
        if (is_new) {
            x->result->answer = hf_world_judge(x->check, &next, &x->result->message);
        }
    }
    return HF_OK;
}

static hf_status walk(explore *x) {
    const hf_world first = {0};
    bool is_new;
    HF_TRY(add(x, &first, HF_NONE, (hf_move){0}, &is_new));
    for (uint32_t s = 0; s < x->n && x->result->answer == HF_CHECK_SAFE; s++) {
        if (x->n > x->check->state_limit || x->n >= HF_NONE / 2) {
            x->result->answer = HF_CHECK_UNKNOWN;
        } else if (s % 4096 == 0 && hf_context_stopped(x->cx)) {
            HF_FAIL(x->cx, HF_ESTOP, "stopped after %" PRIu32 " states", s);
        } else {
            HF_TRY(expand(x, s));
        }
    }
    x->result->n_state = x->n;
    if (x->result->answer == HF_CHECK_DUPLICATE || x->result->answer == HF_CHECK_LOST) {
        return write_trace(x, x->n - 1);
    }
    return HF_OK;
}

/* ---- delivery stays possible ---- */

static bool leads_to_good(const explore *x, const uint8_t *is_good, uint32_t state) {
    hf_move move[HF_MOVE_MOST];
    const uint32_t n = hf_world_moves(x->check, &x->world[state], move);
    for (uint32_t i = 0; i < n; i++) {
        const hf_world next = hf_world_after(x->check, &x->world[state], move[i]);
        if (is_good[x->bucket[find(x, &next)]]) {
            return true;
        }
    }
    return false;
}

/* Good worlds are those from which all messages can be delivered: backwards until nothing changes. */
static void spread_good(const explore *x, uint8_t *is_good) {
    for (bool has_changed = true; has_changed;) {
        has_changed = false;
        for (uint32_t s = x->n; s-- > 0;) {
            if (!is_good[s] && (hf_world_is_done(x->check, &x->world[s]) || leads_to_good(x, is_good, s))) {
                is_good[s] = 1;
                has_changed = true;
            }
        }
    }
}

static hf_status check_delivery(explore *x) {
    uint8_t *is_good;
    hf_status status = HF_OK;
    HF_TRY(hf_allocate(x->cx, x->n, 1, (void **)&is_good));
    spread_good(x, is_good);
    const uint8_t *stuck = memchr(is_good, 0, x->n);
    if (stuck) {
        x->result->answer = HF_CHECK_STUCK;
        status = write_trace(x, (uint32_t)(stuck - is_good));
    }
    hf_release(hf_context_allocator(x->cx), is_good);
    return status;
}

static hf_status check_bounds(hf_context *cx, const hf_check *c) {
    const struct {
        const char *name;
        uint64_t value, low, high;
    } bound[] = {
        {"messages", c->n_message, 1, HF_CHECK_MAX},
        {"capacity of channels", c->capacity, 1, HF_CHECK_MAX},
        {"entries of the send table", c->protocol.send_capacity, 1, HF_CHECK_MAX},
        {"entries of the receive table", c->protocol.receive_capacity, 1, HF_CHECK_MAX},
        {"message ids", c->protocol.n_id, 0, HF_CHECK_SLIP_MAX},
        {"retention", c->protocol.retention, 0, HF_CHECK_SLIP_MAX},
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
    explore x = {.cx = cx, .check = check, .result = out};
    HF_TRY(check_bounds(cx, check));
    *out = (hf_check_result){.answer = HF_CHECK_SAFE};
    hf_status status = walk(&x);
    if (status == HF_OK && out->answer == HF_CHECK_SAFE) {
        status = check_delivery(&x);
    }
    const hf_allocator *allocator = hf_context_allocator(cx);
    hf_release(allocator, x.world);
    hf_release(allocator, x.parent);
    hf_release(allocator, x.move);
    hf_release(allocator, x.bucket);
    return status;
}
