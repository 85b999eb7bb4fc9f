/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Every operation on bit sets against loops over single bits. The instruction set is chosen once a process, so the program runs
 *  itself again for each that HOLDFAST_SIMD can name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <holdfast/core/bitset.h>
#include <holdfast/core/random.h>

enum { WORDS_MAX = 270, BITS_MAX = 64 * WORDS_MAX };

/* Around single words, and around the 64 words after which some loops look at what they found. */
static const size_t sizes[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 31, 63, 64, 65, 67, 127, 128, 129, 192, 193, 256, 260};
enum { N_SIZE = sizeof sizes / sizeof *sizes };

/** Words of which about one bit in 2^thin is set; words behind the size are all ones, which nobody may look at. */
static void fill_random(hf_random *r, uint64_t *set, size_t words, unsigned thin) {
    for (size_t i = 0; i < WORDS_MAX; i++) {
        set[i] = UINT64_MAX;
        for (unsigned t = 0; t < thin && i < words; t++) {
            set[i] &= hf_random_u64(r);
        }
    }
}

static void single_bits(void **state) {
    (void)state;
    for (size_t n = 0; n <= 200; n++) {
        assert_int_equal(hf_words(n), n / 64 + (n % 64 != 0));
    }
    uint64_t set[3] = {0};
    for (size_t i = 0; i < 192; i++) {
        hf_bit_set(set, i);
        for (size_t j = 0; j < 192; j++) {
            assert_int_equal(hf_bit_test(set, j), j == i);
        }
        assert_true(set[i / 64] == UINT64_C(1) << i % 64);
        hf_bit_set(set, i); /* twice is once */
        hf_bit_set(set, (i + 1) % 192);
        hf_bit_clear(set, i);
        assert_true(!hf_bit_test(set, i) && hf_bit_test(set, (i + 1) % 192));
        hf_bit_clear(set, (i + 1) % 192);
    }
    assert_true(set[0] == 0 && set[1] == 0 && set[2] == 0);
}

static void fill_ranges(void **state) {
    (void)state;
    for (size_t lo = 0; lo <= 200; lo++) {
        for (size_t hi = 0; hi <= 256; hi++) {
            uint64_t got[4] = {0, 0, 0x10, 0}, want[4] = {0, 0, 0x10, 0}; /* what was there stays */
            hf_bits_fill(got, lo, hi);
            for (size_t i = lo; i < hi; i++) {
                hf_bit_set(want, i);
            }
            assert_memory_equal(got, want, sizeof got);
        }
    }
}

static void counts(void **state) {
    (void)state;
    hf_random r;
    hf_random_init(&r, 1, HF_PURPOSE_TEST, 0);
    for (unsigned round = 0; round < 40 * N_SIZE; round++) {
        static uint64_t a[WORDS_MAX];
        const size_t words = sizes[round % N_SIZE];
        fill_random(&r, a, words, round / N_SIZE % 8);
        uint64_t n_a = 0;
        for (size_t i = 0; i < 64 * words; i++) {
            n_a += hf_bit_test(a, i);
        }
        assert_true(hf_bits_count(a, words) == n_a);
    }
}

/** One new bit is noticed wherever it stands. */
static void a_lone_bit(void **state) {
    (void)state;
    for (size_t s = 1; s < N_SIZE; s++) {
        static uint64_t a[WORDS_MAX], b[WORDS_MAX], before[WORDS_MAX];
        const size_t words = sizes[s];
        for (size_t bit = 0; bit<64 * words; bit += words> 20 ? 37 : 1) {
            for (size_t i = 0; i < WORDS_MAX; i++) {
                a[i] = i < words ? UINT64_C(0x5555555555555555) : UINT64_MAX;
            }
            hf_bit_set(a, bit);
            memcpy(before, a, sizeof a);
            hf_bit_clear(a, bit);
            memset(b, 0, words * sizeof *b);
            hf_bit_set(b, bit);
            assert_true(hf_bits_or(a, b, words)); /* it comes back */
            assert_memory_equal(a, before, sizeof a);
            assert_false(hf_bits_or(a, b, words)); /* it is there already */
            assert_memory_equal(a, before, sizeof a);
        }
    }
}

static void unions(void **state) {
    (void)state;
    hf_random r;
    hf_random_init(&r, 2, HF_PURPOSE_TEST, 0);
    for (unsigned round = 0; round < 20 * N_SIZE; round++) {
        static uint64_t to[WORDS_MAX], from[WORDS_MAX], want[WORDS_MAX];
        const size_t words = sizes[round % N_SIZE];
        fill_random(&r, to, words, round / N_SIZE % 4);
        fill_random(&r, from, words, 5 + round / N_SIZE % 5);
        memcpy(want, to, sizeof to);
        bool changed = false;
        for (size_t i = 0; i < 64 * words; i++) {
            if (hf_bit_test(from, i) && !hf_bit_test(want, i)) {
                hf_bit_set(want, i);
                changed = true;
            }
        }
        memset(from + words, 0xFF, (WORDS_MAX - words) * sizeof *from);
        memset(to + words, 0, (WORDS_MAX - words) * sizeof *to); /* these must stay clear */
        memset(want + words, 0, (WORDS_MAX - words) * sizeof *want);
        assert_int_equal(hf_bits_or(to, from, words), changed);
        assert_memory_equal(to, want, sizeof to);
    }
}

static size_t slow_next(const uint64_t *set, size_t n, size_t from, bool value) {
    size_t i = from;
    while (i < n && hf_bit_test(set, i) != value) {
        i++;
    }
    return i < n ? i : n;
}

static void searches(void **state) {
    (void)state;
    hf_random r;
    hf_random_init(&r, 3, HF_PURPOSE_TEST, 0);
    for (unsigned round = 0; round < 200; round++) {
        static uint64_t set[WORDS_MAX];
        const size_t n = round < 140 ? round * 2 : hf_random_below(&r, 1000);
        fill_random(&r, set, hf_words(n), round % 11); /* bits between n and the end of its word are set or not */
        for (size_t i = 0; round % 2 && i < WORDS_MAX; i++) {
            set[i] = ~set[i];
        }
        for (size_t from = 0; from < n + 3; from++) {
            assert_int_equal(hf_bits_next(set, n, from), slow_next(set, n, from, true));
            assert_int_equal(hf_bits_next_clear(set, n, from), slow_next(set, n, from, false));
        }
    }
}

/* ---- instruction sets ---- */

static void levels(void **state) {
    (void)state;
    static const char *const name[] = {"plain", "popcnt", "avx2", "avx512"};
    for (int level = HF_SIMD_PLAIN; level <= HF_SIMD_AVX512; level++) {
        assert_string_equal(hf_simd_name((hf_simd)level), name[level]);
    }
    const hf_simd level = hf_simd_level();
    const char *asked = getenv("HOLDFAST_SIMD"), *machine = getenv("HOLDFAST_TEST_MACHINE");
    assert_in_range(level, HF_SIMD_PLAIN, HF_SIMD_AVX512);
    for (int i = HF_SIMD_PLAIN; asked && machine && i <= HF_SIMD_AVX512; i++) { /* the lower of the two */
        if (strcmp(asked, name[i]) == 0) {
            assert_int_equal(level, i < atoi(machine) ? i : atoi(machine));
            return;
        }
    }
    if (machine) { /* another word asks for nothing */
        assert_int_equal(level, atoi(machine));
    }
}

/** Run this program again with HOLDFAST_SIMD set. \return its exit status. */
static int run_again(const char *program, const char *simd) {
    const pid_t child = fork();
    if (child == 0) {
        setenv("HOLDFAST_SIMD", simd, 1);
        execl(program, program, "once", (char *)NULL);
        _exit(127);
    }
    int status = -1;
    return child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status) ? 255 : WEXITSTATUS(status);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_bits), cmocka_unit_test(fill_ranges), cmocka_unit_test(counts), cmocka_unit_test(a_lone_bit),
        cmocka_unit_test(unions),      cmocka_unit_test(searches),    cmocka_unit_test(levels),
    };
    const bool is_again = argc > 1;
    if (!is_again) {
        char machine[16];
        unsetenv("HOLDFAST_SIMD");
        snprintf(machine, sizeof machine, "%d", (int)hf_simd_level());
        setenv("HOLDFAST_TEST_MACHINE", machine, 1);
    }
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    static const char *const names[] = {"plain", "popcnt", "avx2", "avx512", "mmx", ""};
    for (size_t i = 0; !is_again && i < sizeof names / sizeof *names; i++) {
        const int status = run_again(argv[0], names[i]);
        if (status != 0) {
            fprintf(stderr, "HOLDFAST_SIMD=\"%s\": exit status %d\n", names[i], status);
            failed++;
        }
    }
    return failed != 0;
}
