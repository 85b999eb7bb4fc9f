/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Cyclic intervals and register files against sets of elements: a set of a circle of n <= 9 is a mask, and an interval is looked
 *  up by its mask. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <holdfast/core/interval.h>
#include <holdfast/core/random.h>

enum { N_MAX = 9, ALL_MAX = N_MAX * (N_MAX - 1) + 1, STEPS_MAX = 12 };

/** Every interval of a circle of n, each once: the full circle is {0, n-1} alone. */
static uint32_t all_intervals(uint32_t n, hf_interval *out) {
    uint32_t count = 0;
    for (uint32_t lo = 0; lo < n; lo++) {
        for (uint32_t hi = 0; hi < n; hi++) {
            if ((hi + 1) % n != lo || lo == 0) {
                out[count++] = (hf_interval){lo, hi};
            }
        }
    }
    return count;
}

static unsigned mask_of(hf_interval a, uint32_t n) {
    unsigned mask = 1U << a.lo;
    for (uint32_t x = a.lo; x != a.hi;) {
        x = (x + 1) % n;
        mask |= 1U << x;
    }
    return mask;
}

static unsigned size_of(unsigned mask) { return (unsigned)__builtin_popcount(mask); }

static bool is_cyclic(hf_interval a) { return a.lo > a.hi; }

/** The one interval of these elements. */
static hf_interval interval_of(unsigned mask, uint32_t n) {
    hf_interval all[ALL_MAX];
    for (uint32_t i = 0, count = all_intervals(n, all); i < count; i++) {
        if (mask_of(all[i], n) == mask) {
            return all[i];
        }
    }
    fail_msg("the elements %x are no interval of a circle of %" PRIu32, mask, n);
    return (hf_interval){0, 0};
}

/** The smallest interval that holds two disjoint ones; of two, the one that begins at the smaller lower bound. That is the plain
 *  one when neither argument is cyclic. */
static hf_interval slow_enclose(hf_interval a, hf_interval b, uint32_t n) {
    hf_interval all[ALL_MAX], best = {0, n - 1};
    const unsigned need = mask_of(a, n) | mask_of(b, n);
    const uint32_t first = a.lo < b.lo ? a.lo : b.lo;
    for (uint32_t i = 0, count = all_intervals(n, all); i < count; i++) {
        const unsigned mask = mask_of(all[i], n), size = size_of(mask), best_size = size_of(mask_of(best, n));
        const bool is_first = is_cyclic(a) || is_cyclic(b) ? all[i].lo == first : !is_cyclic(all[i]);
        if ((mask & need) == need && (size < best_size || (size == best_size && is_first))) {
            best = all[i];
        }
    }
    return best;
}

static void expect_interval(hf_interval got, hf_interval want, hf_interval a, hf_interval b, uint32_t n) {
    if (got.lo != want.lo || got.hi != want.hi) {
        fail_msg("n=%u, [%u..%u] with [%u..%u]: [%u..%u], not [%u..%u]", n, a.lo, a.hi, b.lo, b.hi, got.lo, got.hi, want.lo,
                 want.hi);
    }
}

static void check_pair(hf_interval a, hf_interval b, uint32_t n) {
    const unsigned in_a = mask_of(a, n), in_b = mask_of(b, n);
    assert_int_equal(hf_interval_meets(a, b), (in_a & in_b) != 0);
    assert_int_equal(hf_interval_covers(a, b, n), (in_a & in_b) == in_b);
    if (in_a & in_b) {
        expect_interval(hf_interval_unite(a, b, n), interval_of(in_a | in_b, n), a, b, n);
    } else {
        expect_interval(hf_interval_enclose(a, b, n), slow_enclose(a, b, n), a, b, n);
    }
}

static void all_pairs(void **state) {
    (void)state;
    for (uint32_t n = 1; n <= N_MAX; n++) {
        hf_interval all[ALL_MAX];
        const uint32_t count = all_intervals(n, all);
        assert_int_equal(count, n * (n - 1) + 1);
        for (uint32_t i = 0; i < count; i++) {
            const unsigned mask = mask_of(all[i], n);
            assert_int_equal(hf_interval_size(all[i], n), size_of(mask));
            for (uint32_t x = 0; x < n; x++) {
                assert_int_equal(hf_interval_has(all[i], x), mask >> x & 1);
            }
            for (uint32_t j = 0; j < count; j++) {
                check_pair(all[i], all[j], n);
            }
        }
    }
}

/** The largest circle: every id but HF_NONE. */
static void large_circle(void **state) {
    (void)state;
    const uint32_t n = UINT32_MAX, last = n - 1;
    const hf_interval full = {0, last}, low = {0, 1U << 31}, high = {1U << 31, last}, seam = {last, 0}, one = {7, 7};
    assert_int_equal(hf_interval_size(full, n), n);
    assert_int_equal(hf_interval_size(seam, n), 2);
    assert_int_equal(hf_interval_size(one, n), 1);
    assert_true(hf_interval_meets(low, high) && hf_interval_meets(seam, low) && !hf_interval_meets(seam, one));
    assert_true(hf_interval_covers(full, seam, n) && hf_interval_covers(low, one, n) && !hf_interval_covers(low, seam, n));
    expect_interval(hf_interval_unite(low, high, n), full, low, high, n);
    expect_interval(hf_interval_unite(seam, low, n), (hf_interval){last, 1U << 31}, seam, low, n);
    expect_interval(hf_interval_enclose(seam, one, n), (hf_interval){last, 7}, seam, one, n);
}

/* ---- register files ---- */

/** A register file of sets, by the words of the declaration. */
typedef struct slow_list {
    unsigned item[STEPS_MAX];
    uint32_t count;
} slow_list;

static unsigned slow_union(const slow_list *list) {
    unsigned mask = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        mask |= list->item[i];
    }
    return mask;
}

/** Unite `mask` with all stored sets that it meets, in the lowest of their registers. \return whether it met one. */
static bool slow_unite(slow_list *list, unsigned mask) {
    uint32_t kept = 0, lowest = UINT32_MAX;
    unsigned result = mask;
    slow_list after = {{0}, 0};
    for (uint32_t i = 0; i < list->count; i++) {
        if (!(list->item[i] & mask)) {
            after.item[kept++] = list->item[i];
        } else if (lowest == UINT32_MAX) {
            lowest = kept++;
            result |= list->item[i];
        } else {
            result |= list->item[i];
        }
    }
    if (lowest == UINT32_MAX) {
        return false;
    }
    after.item[lowest] = result;
    after.count = kept;
    *list = after;
    return true;
}

static void slow_insert(slow_list *list, uint32_t n, uint32_t limit, hf_interval add) {
    if (slow_unite(list, mask_of(add, n))) {
        return;
    }
    if (list->count < limit) {
        list->item[list->count++] = mask_of(add, n);
        return;
    }
    unsigned best_cost = UINT32_MAX, best = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        const unsigned hull = mask_of(slow_enclose(interval_of(list->item[i], n), add, n), n);
        if (size_of(hull) - size_of(list->item[i]) < best_cost) {
            best_cost = size_of(hull) - size_of(list->item[i]);
            best = hull;
        }
    }
    assert_true(slow_unite(list, best));
}

static bool is_same(const hf_interval_list *list, const slow_list *slow, uint32_t n) {
    bool same = list->count == slow->count;
    for (uint32_t i = 0; same && i < list->count; i++) {
        const hf_interval want = interval_of(slow->item[i], n);
        same = list->item[i].lo == want.lo && list->item[i].hi == want.hi;
    }
    for (uint32_t x = 0; same && x < n; x++) {
        same = hf_interval_list_has(list, x) == (slow_union(slow) >> x & 1);
    }
    return same;
}

/** Insert one after the other into both, and compare after every step. */
static void check_steps(hf_context *cx, uint32_t n, uint32_t limit, const hf_interval *add, uint32_t steps, uint64_t seed) {
    const hf_mark mark = hf_scratch_mark(cx);
    hf_interval_list list = {0};
    slow_list slow = {{0}, 0};
    for (uint32_t i = 0; i < steps; i++) {
        const unsigned before = slow_union(&slow);
        bool changed = false;
        assert_int_equal(hf_interval_list_insert(cx, &list, n, limit, add[i], i % 2 ? NULL : &changed), HF_OK);
        slow_insert(&slow, n, limit, add[i]);
        if (!is_same(&list, &slow, n) || (i % 2 == 0 && changed != (slow_union(&slow) != before))) {
            fail_msg("n=%u, limit %u, seed %" PRIu64 ", step %u: [%u..%u] after [%u..%u]", n, limit, seed, i, add[i].lo,
                     add[i].hi, add[i ? i - 1 : 0].lo, add[i ? i - 1 : 0].hi);
        }
    }
    hf_scratch_reset(cx, mark);
}

static const uint32_t limits[] = {1, 2, 3, HF_NONE};

/** All sequences of three on circles of up to six. */
static void all_short_sequences(void **state) {
    (void)state;
    hf_context *cx = hf_context_new(NULL);
    for (uint32_t n = 1; n <= 6; n++) {
        hf_interval all[ALL_MAX];
        const uint32_t count = all_intervals(n, all);
        for (uint32_t i = 0; i < count * count * count; i++) {
            const hf_interval add[] = {all[i % count], all[i / count % count], all[i / count / count]};
            for (size_t l = 0; l < sizeof limits / sizeof *limits; l++) {
                check_steps(cx, n, limits[l], add, 3, 0);
            }
        }
    }
    hf_context_free(cx);
}

/** Long sequences, of short intervals mostly, so that registers run out before all is one. */
static void random_sequences(void **state) {
    (void)state;
    hf_context *cx = hf_context_new(NULL);
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        hf_random r;
        hf_interval add[STEPS_MAX];
        hf_random_init(&r, seed, HF_PURPOSE_TEST, 0);
        const uint32_t n = 7 + (uint32_t)hf_random_below(&r, 3);
        for (uint32_t i = 0; i < STEPS_MAX; i++) {
            const uint32_t lo = (uint32_t)hf_random_below(&r, n), more = (uint32_t)hf_random_below(&r, 1 + i % 3);
            add[i] = (hf_interval){lo, (lo + more) % n};
        }
        check_steps(cx, n, limits[seed % 4], add, STEPS_MAX, seed);
    }
    hf_context_free(cx);
}

/** By hand, on a circle of 12: which register is taken, and where the result stands. */
static void registers_by_hand(void **state) {
    (void)state;
    static const struct {
        uint32_t limit, n_add;
        hf_interval add[5];
        uint32_t count;
        hf_interval want[3];
    } row[] = {
        {3, 3, {{4, 4}, {8, 8}, {0, 0}}, 3, {{4, 4}, {8, 8}, {0, 0}}},   /* one node each: 4..4 is not the circle */
        {3, 4, {{4, 4}, {8, 8}, {0, 0}, {7, 0}}, 2, {{4, 4}, {7, 0}}},   /* meets the last two */
        {3, 4, {{4, 4}, {8, 8}, {0, 0}, {11, 4}}, 2, {{11, 4}, {8, 8}}}, /* meets the first and the last */
        {2, 3, {{1, 1}, {5, 5}, {3, 3}}, 2, {{1, 3}, {5, 5}}},           /* 2 more either way: the lower register */
        {2, 3, {{5, 5}, {1, 1}, {3, 3}}, 2, {{3, 5}, {1, 1}}},           /* the same the other way round */
        {2, 3, {{1, 6}, {8, 8}, {10, 10}}, 2, {{1, 6}, {8, 10}}},        /* 2 more at 8..8, 3 more at 1..6 */
        {1, 2, {{0, 0}, {6, 6}}, 1, {{0, 6}}},                           /* a tie: not cyclic */
        {1, 2, {{11, 0}, {5, 6}}, 1, {{5, 0}}},                          /* a tie: the smaller lower bound */
        {1, 3, {{10, 10}, {2, 2}, {5, 5}}, 1, {{10, 5}}},                /* through the seam */
        {2, 4, {{0, 0}, {6, 6}, {3, 3}, {9, 9}}, 2, {{9, 3}, {6, 6}}},   /* twice 3 more either way */
        {2, 3, {{0, 3}, {6, 9}, {4, 5}}, 2, {{0, 5}, {6, 9}}},           /* neighbours do not meet */
        {2, 3, {{0, 0}, {6, 9}, {3, 5}}, 2, {{0, 0}, {3, 9}}},           /* 3 more at 6..9, 5 more at 0..0 */
        {3, 1, {{3, 2}}, 1, {{0, 11}}},                                  /* the circle in another form */
    };
    hf_context *cx = hf_context_new(NULL);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        hf_interval_list list = {0};
        for (uint32_t j = 0; j < row[i].n_add; j++) {
            assert_int_equal(hf_interval_list_insert(cx, &list, 12, row[i].limit, row[i].add[j], NULL), HF_OK);
        }
        assert_int_equal(list.count, row[i].count);
        for (uint32_t j = 0; j < list.count; j++) {
            expect_interval(list.item[j], row[i].want[j], row[i].add[0], row[i].add[1], 12);
        }
    }
    hf_context_free(cx);
}

/** Without a limit the list grows past its first room and keeps what it held. */
static void unlimited_list_grows(void **state) {
    (void)state;
    hf_context *cx = hf_context_new(NULL);
    hf_interval_list list = {0};
    for (uint32_t i = 0; i < 100; i++) {
        bool changed = false;
        assert_int_equal(hf_interval_list_insert(cx, &list, 200, HF_NONE, (hf_interval){2 * i, 2 * i}, &changed), HF_OK);
        assert_true(changed);
        assert_int_equal(list.count, i + 1);
    }
    for (uint32_t x = 0; x < 200; x++) {
        assert_int_equal(hf_interval_list_has(&list, x), x % 2 == 0);
    }
    hf_context_free(cx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_pairs),        cmocka_unit_test(large_circle),      cmocka_unit_test(all_short_sequences),
        cmocka_unit_test(random_sequences), cmocka_unit_test(registers_by_hand), cmocka_unit_test(unlimited_list_grows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
