/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  add and reverse. Prefix addition is a tree of threads: forks go down, sums come up, prefixes go down, and ends come up. */
#include "src/protocol/benchmarks.h"

/* A thread of the tree over words first .. first + n - 1. */
typedef struct adder {
    const hf_prefix *job;
    uint32_t first, n, parent; /* parent: its node */
    int64_t total;             /* of all words; comes down with the prefix */
    hf_join sum, prefix, end;  /* sum and end: registers of the parent; prefix: own register */
    struct adder *child;       /* two */
} adder;

static uint32_t node_of(const adder *a) { return a->job->first_node + a->first; }

static void pass_down(hf_program *t, adder *child, int64_t before, int64_t total) {
    child->total = total;
    hf_program_join(t, node_of(child), &child->prefix, before);
}

/* The sum of all that is left of the words is known. Ends come up once the leaves are done. */
static void spread(hf_program *t, void *user) {
    adder *a = user;
    const int64_t before = a->prefix.value;
    hf_program_work(t, 1);
    if (a->n == 1) {
        a->job->leaf(t, a->first, before, a->total, a->job->user);
    } else {
        pass_down(t, &a->child[1], before + a->child[0].sum.value, a->total);
        pass_down(t, &a->child[0], before, a->total);
        hf_program_sync(t, &a->child[0].end);
        hf_program_sync(t, &a->child[1].end);
    }
    hf_program_join(t, a->parent, &a->end, 0);
}

static void add_thread(hf_program *t, void *user) {
    adder *a = user;
    int64_t sum = a->job->word[a->first];
    hf_program_work(t, a->n == 1 ? a->job->count_cycles : 1);
    if (a->n > 1) {
        for (uint32_t c = 2; c-- > 0;) {
            hf_program_fork(t, add_thread, node_of(&a->child[c]), &a->child[c]);
        }
        sum = hf_program_sync(t, &a->child[0].sum) + hf_program_sync(t, &a->child[1].sum);
    }
    hf_program_join(t, a->parent, &a->sum, sum);
    hf_program_sync_then(t, &a->prefix, spread, a);
}

/* Fill in the tree below `a` with places from `pool`. */
static adder *plant(adder *a, adder *pool) {
    if (a->n == 1) {
        return pool;
    }
    const uint32_t half = a->n / 2;
    a->child = pool;
    a->child[0] = (adder){.job = a->job, .first = a->first, .n = half, .parent = node_of(a)};
    a->child[1] = (adder){.job = a->job, .first = a->first + half, .n = a->n - half, .parent = node_of(a)};
    pool = plant(&a->child[0], pool + 2);
    return plant(&a->child[1], pool);
}

hf_status hf_bench_prefix(hf_program *t, const hf_prefix *prefix, int64_t *total) {
    adder *pool;
    HF_TRY(hf_scratch(t->cx, 2 * (size_t)prefix->n, sizeof *pool, (void **)&pool));
    pool[0] = (adder){.job = prefix, .n = prefix->n, .parent = t->node};
    plant(&pool[0], pool + 1);
    hf_program_fork(t, add_thread, prefix->first_node, &pool[0]);
    *total = hf_program_sync(t, &pool[0].sum);
    pass_down(t, &pool[0], 0, *total);
    hf_program_sync(t, &pool[0].end);
    return t->status;
}

static void put_sum(hf_program *t, uint32_t i, int64_t before, int64_t total, void *user) {
    int64_t *sum = user;
    (void)total;
    (void)t;
    sum[i] = before + i + 1;
}

hf_status hf_bench_add(hf_program *t) {
    const uint32_t n = t->n_node;
    int64_t *word, total;
    HF_TRY(hf_scratch(t->cx, 2 * (size_t)n, sizeof *word, (void **)&word));
    for (uint32_t i = 0; i < n; i++) {
        word[i] = i + 1;
    }
    const hf_prefix prefix = {.n = n, .word = word, .count_cycles = 1, .leaf = put_sum, .user = word + n};
    HF_TRY(hf_bench_prefix(t, &prefix, &total));
    bool is_right = true;
    for (uint32_t i = 0; i < n; i++) {
        is_right &= word[n + i] == (int64_t)(i + 1) * (i + 2) / 2;
    }
    return is_right ? HF_OK : HF_EINVAL;
}

/* ---- reverse ---- */

enum { REVERSE_WORDS = 16 };

typedef struct mover {
    const int64_t *from;
    int64_t *to;
    uint32_t first, n, parent;
    hf_join end;
    struct mover *child;
} mover;

static void move_words(hf_program *t, const mover *m) {
    const uint32_t all = t->n_node * REVERSE_WORDS;
    for (uint32_t w = 0; w < REVERSE_WORDS; w++) {
        const uint32_t at = m->first * REVERSE_WORDS + w, to = all - 1 - at;
        hf_program_store(t, to / REVERSE_WORDS, &m->to[to], m->from[at]);
    }
    hf_program_wait(t);
}

static void reverse_thread(hf_program *t, void *user) {
    mover *m = user;
    if (m->n == 1) {
        move_words(t, m);
    } else {
        hf_program_fork(t, reverse_thread, m->child[1].first, &m->child[1]);
        hf_program_fork(t, reverse_thread, m->child[0].first, &m->child[0]);
        hf_program_sync(t, &m->child[0].end);
        hf_program_sync(t, &m->child[1].end);
    }
    hf_program_join(t, m->parent, &m->end, 0);
}

static mover *plant_movers(mover *m, mover *pool) {
    if (m->n == 1) {
        return pool;
    }
    m->child = pool;
    for (uint32_t c = 0; c < 2; c++) {
        m->child[c] =
            (mover){.from = m->from, .to = m->to, .first = m->first + c * (m->n / 2), .n = m->n / 2, .parent = m->first};
    }
    pool = plant_movers(&m->child[0], pool + 2);
    return plant_movers(&m->child[1], pool);
}

hf_status hf_bench_reverse(hf_program *t) {
    const uint32_t n = t->n_node * REVERSE_WORDS;
    int64_t *word;
    mover *pool;
    HF_TRY(hf_scratch(t->cx, 2 * (size_t)n, sizeof *word, (void **)&word));
    HF_TRY(hf_scratch(t->cx, 2 * (size_t)t->n_node, sizeof *pool, (void **)&pool));
    for (uint32_t i = 0; i < n; i++) {
        word[i] = i;
    }
    pool[0] = (mover){.from = word, .to = word + n, .n = t->n_node};
    plant_movers(&pool[0], pool + 1);
    reverse_thread(t, &pool[0]);
    bool is_right = true;
    for (uint32_t i = 0; i < n; i++) {
        is_right &= word[n + i] == n - 1 - i;
    }
    return t->status != HF_OK ? t->status : is_right ? HF_OK : HF_EINVAL;
}
