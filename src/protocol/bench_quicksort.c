/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  quicksort: 32 keys a node, a permutation by the seed. A range is sorted by a thread on the node of its first key, which is
 *  the pivot: a prefix tree over the range's nodes counts smaller keys, every key is stored at its place, and both sides are
 *  sorted at once. A range within a node costs m ceil(log2 m) comparisons. */
#include "src/protocol/benchmarks.h"

#include <holdfast/core/random.h>

enum { KEYS = 32, COUNT_CYCLES = 2, COMPARE_CYCLES = 4 };

typedef struct sorter {
    int64_t *from, *to, *sorted; /* from: keys of this round, to: of the next */
    int64_t *smaller;            /* by node of the range */
    uint32_t low, high, parent;
    hf_join end;
    hf_status status;
} sorter;

static uint32_t larger_of(uint32_t a, uint32_t b) { return a > b ? a : b; }
static uint32_t lesser_of(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* Keys of the range on its i-th node: [*low, *high). The pivot, the first key of all, is not among them. */
static void keys_of(const sorter *s, uint32_t i, uint32_t *low, uint32_t *high) {
    const uint32_t node = s->low / KEYS + i;
    *low = larger_of(s->low + 1, node * KEYS);
    *high = lesser_of(s->high, (node + 1) * KEYS);
}

static void store_keys(hf_program *t, uint32_t i, int64_t before, int64_t total, void *user) {
    const sorter *s = user;
    const int64_t pivot = s->from[s->low];
    uint32_t low, high;
    keys_of(s, i, &low, &high);
    uint32_t less = s->low + (uint32_t)before;
    uint32_t more = s->low + 1 + (uint32_t)total + (low - s->low - 1 - (uint32_t)before);
    for (uint32_t k = low; k < high; k++) {
        const uint32_t place = s->from[k] < pivot ? less++ : more++;
        hf_program_store(t, place / KEYS, &s->to[place], s->from[k]);
    }
    if (i == 0) {
        const uint32_t place = s->low + (uint32_t)total;
        hf_program_store(t, place / KEYS, &s->sorted[place], pivot);
    }
    hf_program_wait(t);
}

static void sort_within_node(hf_program *t, const sorter *s) {
    const uint32_t m = s->high - s->low;
    uint32_t log = 0;
    while ((1U << log) < m) {
        log++;
    }
    for (uint32_t k = s->low; k < s->high; k++) {
        uint32_t place = k;
        for (; place > s->low && s->sorted[place - 1] > s->from[k]; place--) {
            s->sorted[place] = s->sorted[place - 1];
        }
        s->sorted[place] = s->from[k];
    }
    hf_program_work(t, COMPARE_CYCLES * m * log);
}

static void sort_thread(hf_program *t, void *user);

/* Both sides at once, the farther one first. */
static hf_status sort_sides(hf_program *t, const sorter *s, uint32_t middle) {
    sorter left = {s->to, s->from, s->sorted, NULL, s->low, middle, t->node, {0}, HF_OK}, right = left;
    right.low = middle + 1;
    right.high = s->high;
    if (right.low < right.high) {
        hf_program_fork(t, sort_thread, right.low / KEYS, &right);
    }
    if (left.low < left.high) {
        hf_program_fork(t, sort_thread, left.low / KEYS, &left);
        hf_program_sync(t, &left.end);
    }
    if (right.low < right.high) {
        hf_program_sync(t, &right.end);
    }
    return left.status != HF_OK ? left.status : right.status;
}

static hf_status sort_over_nodes(hf_program *t, sorter *s) {
    const uint32_t first = s->low / KEYS, n = (s->high - 1) / KEYS - first + 1;
    int64_t total;
    HF_TRY(hf_scratch(t->cx, n, sizeof *s->smaller, (void **)&s->smaller));
    for (uint32_t i = 0; i < n; i++) {
        uint32_t low, high;
        keys_of(s, i, &low, &high);
        for (uint32_t k = low; k < high; k++) {
            s->smaller[i] += s->from[k] < s->from[s->low];
        }
    }
    const hf_prefix prefix = {
        .first_node = first, .n = n, .word = s->smaller, .count_cycles = COUNT_CYCLES * KEYS, .leaf = store_keys, .user = s};
    HF_TRY(hf_bench_prefix(t, &prefix, &total));
    return sort_sides(t, s, s->low + (uint32_t)total);
}

static void sort_thread(hf_program *t, void *user) {
    sorter *s = user;
    if (s->low / KEYS == (s->high - 1) / KEYS) {
        sort_within_node(t, s);
    } else {
        s->status = sort_over_nodes(t, s);
    }
    hf_program_join(t, s->parent, &s->end, 0);
}

hf_status hf_bench_quicksort(hf_program *t, uint64_t seed) {
    const uint32_t n = t->n_node * KEYS;
    uint32_t *key;
    int64_t *word;
    hf_random random;
    HF_TRY(hf_scratch(t->cx, n, sizeof *key, (void **)&key));
    HF_TRY(hf_scratch(t->cx, 3 * (size_t)n, sizeof *word, (void **)&word));
    for (uint32_t i = 0; i < n; i++) {
        key[i] = i;
    }
    hf_random_init(&random, seed, HF_PURPOSE_TRAFFIC, 1);
    hf_random_shuffle(&random, key, n);
    for (uint32_t i = 0; i < n; i++) {
        word[i] = key[i];
    }
    sorter all = {.from = word, .to = word + n, .sorted = word + 2 * (size_t)n, .high = n};
    sort_thread(t, &all);
    bool is_right = true;
    for (uint32_t i = 0; i < n; i++) {
        is_right &= all.sorted[i] == i;
    }
    return t->status != HF_OK ? t->status : all.status != HF_OK ? all.status : is_right ? HF_OK : HF_EINVAL;
}
