/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The frontier method: layers of states. A state is what has been decided so far tells the rest: which open vertices hang
 *  together, with or without a goal, which open components have failed, and how many items are there. It carries a polynomial:
 *  how many sets of each size lead to it. States from which no set is tolerated are dropped, and those that only sets above the
 *  size asked for lead to. Where the memory does not hold a layer, that size is lowered, which keeps all below it exact, as sets
 *  only grow. */
#include "src/campaign/counted_steps.h"

#include <string.h>

#include "src/core/hash.h"

enum { LABEL = 0x7f, GOAL = 0x80, ENDS = 3 }; /* bytes at the end of a key: closed, items */

/* States of one layer, found by their keys. */
typedef struct layer {
    uint32_t n, room, stride;
    uint8_t *key;         /* n x stride */
    uint32_t *low, *high; /* sizes of the sets that lead there */
    size_t *at;           /* of its polynomial, in words */
    uint64_t *word;
    uint32_t *slot; /* hash: index of a state + 1; 2 * room of them */
} layer;

typedef struct frontier {
    hf_context *cx;
    const hf_counted_net *net;
    hf_counted_steps steps;
    uint32_t words, limit; /* the largest size that is still exact */
    double memory;
    layer now, next;
    uint32_t *to; /* 2 x now.n: the next state without and with the failure, HF_NONE: dropped */
    hf_counted_work *work;
    uint8_t value[HF_COUNTED_OPEN_MOST]; /* of the state that is being worked on */
    bool is_closed;
    uint32_t items;
} frontier;

static void release(frontier *f, layer *l) {
    const hf_allocator *allocator = hf_context_allocator(f->cx);
    hf_release(allocator, l->key);
    hf_release(allocator, l->low);
    hf_release(allocator, l->high);
    hf_release(allocator, l->at);
    hf_release(allocator, l->word);
    hf_release(allocator, l->slot);
    *l = (layer){0};
}

static double bytes_a_state(uint32_t stride) { return stride + 2 * sizeof(uint32_t) + sizeof(size_t) + 2 * sizeof(uint32_t); }

static uint64_t hash_key(const uint8_t *key, uint32_t stride) {
    uint64_t hash = HF_HASH_START, part;
    for (uint32_t i = 0; i < stride; i += 8) {
        part = 0;
        memcpy(&part, key + i, stride - i < 8 ? stride - i : 8);
        hash = (hash ^ part) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    return hash;
}

static uint32_t *find_slot(const layer *l, const uint8_t *key) {
    const uint64_t mask = 2 * (uint64_t)l->room - 1;
    uint64_t i = hash_key(key, l->stride) & mask;
    while (l->slot[i] && memcmp(l->key + (size_t)(l->slot[i] - 1) * l->stride, key, l->stride) != 0) {
        i = (i + 1) & mask;
    }
    return &l->slot[i];
}

static hf_status set_room(frontier *f, layer *l, uint32_t room) {
    uint32_t *slot;
    HF_TRY(hf_resize(f->cx, (size_t)room * l->stride, 1, (void **)&l->key));
    HF_TRY(hf_resize(f->cx, room, sizeof *l->low, (void **)&l->low));
    HF_TRY(hf_resize(f->cx, room, sizeof *l->high, (void **)&l->high));
    HF_TRY(hf_allocate(f->cx, 2 * (size_t)room, sizeof *slot, (void **)&slot));
    hf_release(hf_context_allocator(f->cx), l->slot);
    l->slot = slot;
    l->room = room;
    for (uint32_t i = 0; i < l->n; i++) {
        *find_slot(l, l->key + (size_t)i * l->stride) = i + 1;
    }
    return HF_OK;
}

/* ---- one state ---- */

static bool all_are_there(const frontier *f, const hf_counted_op *op) {
    for (uint32_t i = 0; i < op->n_asked; i++) {
        if (f->value[op->asked[i]]) {
            return false;
        }
    }
    return true;
}

/* The open vertices are those with a label; places of components hold 0 and 1 and stand elsewhere, so what is open is told by
 * `is_vertex`. */
typedef struct open_set {
    uint8_t place[HF_COUNTED_OPEN_MOST];
    uint32_t n;
} open_set;

static void relabel(frontier *f, const open_set *open, uint8_t from, uint8_t to) {
    for (uint32_t i = 0; i < open->n; i++) {
        uint8_t *v = &f->value[open->place[i]];
        if ((*v & LABEL) == from || (*v & LABEL) == (to & LABEL)) {
            *v = to;
        }
    }
}

static uint8_t free_label(const frontier *f, const open_set *open) {
    bool is_used[LABEL + 1] = {true};
    uint8_t label = 1;
    for (uint32_t i = 0; i < open->n; i++) {
        is_used[f->value[open->place[i]] & LABEL] = true;
    }
    while (is_used[label]) {
        label++;
    }
    return label;
}

static bool meet(frontier *f, const hf_counted_op *op, open_set *open) {
    const bool is_there = all_are_there(f, op);
    f->value[op->at] = is_there ? (uint8_t)(free_label(f, open) | (op->is_goal ? GOAL : 0)) : 0;
    open->place[open->n++] = op->at;
    return !(is_there && op->is_goal && f->is_closed);
}

static void join(frontier *f, const hf_counted_op *op, const open_set *open) {
    const uint8_t a = f->value[op->at], b = f->value[op->other];
    if (a && b && (a & LABEL) != (b & LABEL) && all_are_there(f, op)) {
        relabel(f, open, a & LABEL, (uint8_t)((b & LABEL) | ((a | b) & GOAL)));
    }
}

/* \return false: a goal is cut off from another one */
static bool leave(frontier *f, const hf_counted_op *op, open_set *open) {
    const uint8_t v = f->value[op->at];
    bool has_mate = false, is_other_goal = false;
    uint32_t at = 0;
    for (uint32_t i = 0; i < open->n; i++) {
        const uint8_t u = f->value[open->place[i]];
        if (open->place[i] == op->at) {
            at = i;
        } else {
            has_mate |= u == v;
            is_other_goal |= u != v && (u & GOAL);
        }
    }
    open->place[at] = open->place[--open->n];
    if (!(v & GOAL) || has_mate) {
        return true;
    }
    if (is_other_goal || op->goals_after > 0 || f->is_closed) {
        return false;
    }
    f->is_closed = true;
    return true;
}

/* \return is there a tolerated set that the state leads to, as far as one can see */
static bool work_step(frontier *f, const hf_counted_step *step, open_set *open, bool has_failed) {
    for (uint32_t i = step->begin; i < step->end; i++) {
        const hf_counted_op *op = &f->steps.op[i];
        switch (op->kind) {
        case HF_COUNTED_OPEN:
            f->value[op->at] = has_failed;
            break;
        case HF_COUNTED_VERTEX:
            if (!meet(f, op, open)) {
                return false;
            }
            break;
        case HF_COUNTED_ITEM:
            f->items += f->items < f->net->least && all_are_there(f, op);
            break;
        case HF_COUNTED_JOIN:
            join(f, op, open);
            break;
        case HF_COUNTED_LEAVE:
            if (!leave(f, op, open)) {
                return false;
            }
            break;
        }
    }
    return true;
}

static void write_key(const frontier *f, const hf_counted_step *step, uint8_t *key) {
    uint8_t fresh[LABEL + 1] = {0}, n = 0;
    for (uint32_t i = 0; i < step->n_vertex; i++) {
        const uint8_t v = f->value[step->place[i]];
        if ((v & LABEL) && !fresh[v & LABEL]) {
            fresh[v & LABEL] = ++n;
        }
        key[i] = (uint8_t)(fresh[v & LABEL] | (v & GOAL));
    }
    for (uint32_t i = step->n_vertex; i < step->n_vertex + step->n_component; i++) {
        key[i] = f->value[step->place[i]];
    }
    uint8_t *end = key + step->n_vertex + step->n_component;
    end[0] = f->is_closed;
    end[1] = (uint8_t)f->items;
    end[2] = (uint8_t)(f->items >> 8);
}

static void read_key(frontier *f, const hf_counted_step *step, const uint8_t *key, open_set *open) {
    open->n = step->n_vertex;
    for (uint32_t i = 0; i < step->n_vertex + step->n_component; i++) {
        f->value[step->place[i]] = key[i];
        if (i < step->n_vertex) {
            open->place[i] = step->place[i];
        }
    }
    const uint8_t *end = key + step->n_vertex + step->n_component;
    f->is_closed = end[0];
    f->items = end[1] | (uint32_t)end[2] << 8;
}

/* ---- one layer ---- */

/* \param[out] full the memory does not hold one more state */
static hf_status offer(frontier *f, const uint8_t *key, uint32_t low, uint32_t high, uint32_t *out, bool *full) {
    layer *l = &f->next;
    uint32_t *slot = find_slot(l, key);
    if (!*slot) {
        if (l->n == l->room) {
            const double kept = (double)f->now.n * bytes_a_state(f->now.stride);
            if (2.0 * l->room * bytes_a_state(l->stride) + kept > f->memory / 2 || l->room > HF_NONE / 4) {
                *full = true;
                return HF_OK;
            }
            HF_TRY(set_room(f, l, 2 * l->room));
            slot = find_slot(l, key);
        }
        memcpy(l->key + (size_t)l->n * l->stride, key, l->stride);
        l->low[l->n] = low;
        l->high[l->n] = high;
        *slot = ++l->n;
    }
    const uint32_t i = *slot - 1;
    l->low[i] = low < l->low[i] ? low : l->low[i];
    l->high[i] = high > l->high[i] ? high : l->high[i];
    *out = i;
    return HF_OK;
}

static hf_status branch(frontier *f, uint32_t s, bool *full) {
    const hf_counted_step *step = &f->steps.step[s], *before = step - 1;
    uint8_t key[HF_COUNTED_OPEN_MOST + ENDS];
    open_set open = {.n = 0};
    f->next.stride = step->n_vertex + step->n_component + ENDS;
    f->next.n = 0;
    HF_TRY(set_room(f, &f->next, 64));
    for (uint32_t i = 0; i < f->now.n && !*full; i++) {
        if ((i & 0xfff) == 0) {
            HF_TRY(hf_context_go_on(f->cx, "counting"));
        }
        for (uint32_t failed = 0; failed < 2; failed++) {
            uint32_t *to = &f->to[2 * (size_t)i + failed];
            *to = HF_NONE;
            if (f->now.low[i] + failed > f->limit) {
                continue;
            }
            read_key(f, before, f->now.key + (size_t)i * f->now.stride, &open);
            if (work_step(f, step, &open, failed)) {
                const uint32_t high = f->now.high[i] + failed;
                write_key(f, step, key);
                HF_TRY(offer(f, key, f->now.low[i] + failed, high < f->limit ? high : f->limit, to, full));
            }
            if (*full) {
                break;
            }
        }
    }
    return HF_OK;
}

static uint32_t terms(const frontier *f, const layer *l, uint32_t i) {
    const uint32_t high = l->high[i] < f->limit ? l->high[i] : f->limit;
    return l->low[i] > high ? 0 : high - l->low[i] + 1;
}

static double words_needed(const frontier *f, const layer *l) {
    double sum = 0;
    for (uint32_t i = 0; i < l->n; i++) {
        sum += (double)terms(f, l, i) * f->words;
    }
    return sum;
}

static double memory_needed(const frontier *f) {
    const double states = (double)f->now.n * (bytes_a_state(f->now.stride) + 2 * sizeof *f->to) +
                          2.0 * f->next.room * bytes_a_state(f->next.stride);
    return states + sizeof(uint64_t) * (words_needed(f, &f->now) + words_needed(f, &f->next));
}

/* Rooms for the polynomials of the next layer, and the polynomials. */
static hf_status fill(frontier *f) {
    layer *to = &f->next;
    size_t n = 0;
    HF_TRY(hf_allocate(f->cx, to->n, sizeof *to->at, (void **)&to->at));
    for (uint32_t i = 0; i < to->n; i++) {
        to->at[i] = n;
        n += (size_t)terms(f, to, i) * f->words;
    }
    HF_TRY(hf_allocate(f->cx, n, sizeof *to->word, (void **)&to->word));
    for (uint32_t i = 0; i < f->now.n; i++) {
        for (uint32_t failed = 0; failed < 2; failed++) {
            const uint32_t k = f->to[2 * (size_t)i + failed], low = f->now.low[i] + failed;
            if (k == HF_NONE || low > f->limit || f->now.low[i] > f->now.high[i]) {
                continue;
            }
            const uint32_t room = f->limit - low + 1, have = f->now.high[i] - f->now.low[i] + 1;
            hf_counted_add(to->word + to->at[k] + (size_t)(low - to->low[k]) * f->words, f->now.word + f->now.at[i],
                           (size_t)(have < room ? have : room) * f->words);
        }
    }
    for (uint32_t i = 0; i < to->n; i++) {
        to->high[i] = to->high[i] < f->limit ? to->high[i] : f->limit;
    }
    return HF_OK;
}

/* The limit is lowered until the layer fits. */
static hf_status advance(frontier *f, uint32_t s) {
    bool full;
    HF_TRY(hf_resize(f->cx, 2 * (size_t)f->now.n + 2, sizeof *f->to, (void **)&f->to));
    do {
        full = false;
        HF_TRY(branch(f, s, &full));
        full |= memory_needed(f) > f->memory;
        if (full && f->limit == 0) {
            HF_FAIL(f->cx, HF_ERANGE, "method counted needs more than %.3g GiB of memory here; use --method sampled",
                    f->memory / (1 << 30));
        }
        f->limit -= full;
    } while (full);
    f->work->states += f->next.n;
    f->work->most = f->next.n > f->work->most ? f->next.n : f->work->most;
    f->work->memory_bytes = memory_needed(f) > f->work->memory_bytes ? memory_needed(f) : f->work->memory_bytes;
    HF_TRY(fill(f));
    release(f, &f->now);
    f->now = f->next;
    f->next = (layer){0};
    return HF_OK;
}

/* The state of nothing decided, behind the operations before the first decision. */
static hf_status begin(frontier *f) {
    const hf_counted_step *step = f->steps.step;
    uint8_t key[HF_COUNTED_OPEN_MOST + ENDS];
    open_set open = {.n = 0};
    uint32_t i;
    bool full = false;
    f->next.stride = step->n_vertex + step->n_component + ENDS;
    HF_TRY(set_room(f, &f->next, 64));
    if (work_step(f, step, &open, false)) {
        write_key(f, step, key);
        HF_TRY(offer(f, key, 0, 0, &i, &full));
    }
    HF_TRY(hf_allocate(f->cx, 1, sizeof *f->next.at, (void **)&f->next.at));
    HF_TRY(hf_allocate(f->cx, f->words, sizeof *f->next.word, (void **)&f->next.word));
    f->next.word[0] = 1;
    f->now = f->next;
    f->next = (layer){0};
    return HF_OK;
}

static void gather(const frontier *f, uint64_t *tolerated) {
    for (uint32_t i = 0; i < f->now.n; i++) {
        const uint8_t *end = f->now.key + (size_t)i * f->now.stride;
        const uint32_t items = end[1] | (uint32_t)end[2] << 8;
        if (items >= f->net->least) {
            hf_counted_add(tolerated + (size_t)f->now.low[i] * f->words, f->now.word + f->now.at[i],
                           (size_t)terms(f, &f->now, i) * f->words);
        }
    }
}

hf_status hf_counted_frontier(hf_context *cx, const hf_counted_net *net, const uint32_t *order, uint32_t f_most, uint32_t words,
                              double memory, uint64_t *tolerated, hf_counted_work *work) {
    frontier f = {.cx = cx, .net = net, .words = words, .limit = f_most, .memory = memory, .work = work};
    HF_TRY(hf_counted_steps_make(cx, net, order, &f.steps));
    hf_status status = begin(&f);
    for (uint32_t s = 1; s < f.steps.n_step && status == HF_OK; s++) {
        status = advance(&f, s);
    }
    if (status == HF_OK) {
        gather(&f, tolerated);
        work->reach = f.limit;
    }
    release(&f, &f.now);
    release(&f, &f.next);
    hf_release(hf_context_allocator(cx), f.to);
    return status;
}
