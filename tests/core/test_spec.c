/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Specs: every type of parameter, what is refused and in which words, canonical forms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/random.h>
#include <holdfast/core/spec.h>

static const char *const colours[] = {"red", "green", "blue", NULL};

/** One parameter of each type, as a descriptor has them. */
static const hf_param every_type[] = {
    {.name = "path", .type = HF_PARAM_TEXT, .fallback = "none", .flags = HF_PARAM_POSITIONAL, .help = "where it is"},
    {.name = "k", .type = HF_PARAM_UINT, .fallback = "4", .low = 2, .high = 64, .flags = HF_PARAM_SHOWN, .help = "arity"},
    {.name = "n", .type = HF_PARAM_UINT, .low = 1, .high = UINT64_MAX, .help = "stages"},
    {.name = "intervals", .type = HF_PARAM_COUNT, .fallback = "unlimited", .low = 1, .high = 1000, .help = "registers a port"},
    {.name = "wrap", .type = HF_PARAM_BOOL, .fallback = "no", .help = "whether the ends meet"},
    {.name = "colour", .type = HF_PARAM_WORD, .fallback = "green", .words = colours, .help = "a word"},
    {.name = "dims", .type = HF_PARAM_DIMS, .fallback = "8x8", .low = 1, .high = 512, .help = "sizes"},
    {0},
};

/** The same without what is positional or must be given. */
static const hf_param plain[] = {
    {.name = "k", .type = HF_PARAM_UINT, .fallback = "4", .low = 2, .high = 64, .flags = HF_PARAM_SHOWN, .help = "arity"},
    {.name = "limit", .type = HF_PARAM_COUNT, .fallback = "1", .low = 1, .high = UINT64_MAX, .help = "registers a port"},
    {0},
};

static hf_context *context(void) {
    hf_context *cx = hf_context_new(NULL);
    assert_non_null(cx);
    return cx;
}

static void values_of_every_type(void **state) {
    (void)state;
    hf_context *cx = context();
    hf_args args;
    assert_int_equal(hf_args_parse(cx, "thing", "t", every_type,
                                   "/a b:c,dims=4x5x512,colour=blue,wrap=yes,intervals=1000,n=18446744073709551614,k=2", &args),
                     HF_OK);
    assert_int_equal(args.count, 7);
    assert_string_equal(hf_args_get(&args, "path")->text, "/a b:c");
    assert_true(hf_args_get(&args, "k")->number == 2);
    assert_true(hf_args_get(&args, "n")->number == UINT64_MAX - 1);
    assert_true(hf_args_get(&args, "intervals")->number == 1000);
    assert_true(hf_args_get(&args, "wrap")->number == 1);
    assert_true(hf_args_get(&args, "colour")->number == 2);
    const hf_value *dims = hf_args_get(&args, "dims");
    assert_true(dims->number == 3 && dims->dims[0] == 4 && dims->dims[1] == 5 && dims->dims[2] == 512);
    hf_args_free(&args);
    hf_context_free(cx);
}

static void defaults(void **state) {
    (void)state;
    hf_context *cx = context();
    hf_args args;
    assert_int_equal(hf_args_parse(cx, "thing", "t", every_type, "n=3", &args), HF_OK);
    assert_string_equal(hf_args_get(&args, "path")->text, "none");
    assert_true(hf_args_get(&args, "k")->number == 4);
    assert_true(hf_args_get(&args, "intervals")->number == HF_UNLIMITED);
    assert_true(hf_args_get(&args, "wrap")->number == 0);
    assert_true(hf_args_get(&args, "colour")->number == 1);
    assert_true(hf_args_get(&args, "dims")->number == 2 && hf_args_get(&args, "dims")->dims[1] == 8);
    hf_args_free(&args);
    assert_int_equal(hf_args_parse(cx, "thing", "t", NULL, "", &args), HF_OK); /* no parameters at all */
    assert_int_equal(args.count, 0);
    hf_args_free(&args);
    hf_context_free(cx);
}

/** Text after the colon, and its canonical form, which must parse to itself. */
static void canonical_forms(void **state) {
    (void)state;
    static const struct {
        const hf_param *params;
        const char *text, *want;
    } row[] = {
        {NULL, "", "t"},
        {plain, "", "t:k=4"}, /* SHOWN */
        {plain, "limit=1,k=5", "t:k=5"},
        {plain, "limit=07", "t:k=4,limit=7"},
        {plain, "limit=18446744073709551614", "t:k=4,limit=18446744073709551614"}, /* the largest */
        {plain, "limit=unlimited", "t:k=4,limit=unlimited"},
        {every_type, "n=1", "t:k=4,n=1"},
        {every_type, "intervals=unlimited,n=001,path=none", "t:k=4,n=1"},
        {every_type, "/x,n=1", "t:/x,k=4,n=1"}, /* positional: without its name */
        {every_type, "path=/x,n=1", "t:/x,k=4,n=1"},
        {every_type, "k,n=1", "t:k,k=4,n=1"},               /* no value, so this is a path */
        {every_type, "a=b,n=1", "t:a=b,k=4,n=1"},           /* "a" is no parameter, so this is a path */
        {every_type, "path=k=3,n=1", "t:path=k=3,k=4,n=1"}, /* without the name it would be read as k */
        {every_type, "dims=8x8,wrap=no,colour=green,n=2", "t:k=4,n=2"},
        {every_type, "colour=red,wrap=yes,dims=16,intervals=3,n=2", "t:k=4,n=2,intervals=3,wrap=yes,colour=red,dims=16"},
        {every_type, "n=2,dims=1x2x3x4x5x6x7x8x9x10x11x12x13x14x15x16", "t:k=4,n=2,dims=1x2x3x4x5x6x7x8x9x10x11x12x13x14x15x16"},
    };
    hf_context *cx = context();
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const char *text = row[i].text;
        for (int round = 0; round < 2; round++) { /* the second time the canonical form itself is parsed */
            hf_args args;
            char *canonical = NULL;
            size_t size;
            if (hf_args_parse(cx, "thing", "t", row[i].params, text, &args) != HF_OK) {
                fail_msg("%s: %s", text, hf_context_message(cx));
            }
            assert_int_equal(hf_args_canonical(cx, "t", &args, &canonical), HF_OK);
            assert_string_equal(canonical, row[i].want);
            hf_release(hf_context_allocator(cx), canonical);
            hf_args_free(&args);
            text = hf_spec_split(row[i].want, &size);
            assert_int_equal(size, 1);
        }
    }
    hf_context_free(cx);
}

static void refusals(void **state) {
    (void)state;
    static const struct {
        const hf_param *params;
        const char *text;
        hf_status status;
        const char *message;
    } row[] = {
        {plain, "k=1", HF_ERANGE, "thing \"t\": k=1 is out of range; need 2 <= k <= 64"},
        {plain, "k=65", HF_ERANGE, "thing \"t\": k=65 is out of range; need 2 <= k <= 64"},
        {plain, "k=99999999999999999999999", HF_ERANGE, "k=99999999999999999999999 is out of range; need 2 <= k <= 64"},
        {every_type, "n=0", HF_ERANGE, "thing \"t\": n=0 is out of range; need n >= 1"},
        {every_type, "n=18446744073709551615", HF_ERANGE,
         "n=18446744073709551615 is out of range; need 1 <= n <= 18446744073709551614"},
        {every_type, "n=18446744073709551616", HF_ERANGE, "n=18446744073709551616 is out of range"}, /* 2^64 is not 0 */
        {plain, "limit=184467440737095516160", HF_ERANGE,
         "limit=184467440737095516160 is out of range; need 1 <= limit <= 18446744073709551614 or unlimited"},
        {plain, "limit=0", HF_ERANGE, "thing \"t\": limit=0 is out of range; need limit >= 1 or unlimited"},
        {every_type, "n=1,intervals=1001", HF_ERANGE, "intervals=1001 is out of range; need 1 <= intervals <= 1000 or unlimited"},
        {every_type, "n=1,dims=4x0", HF_ERANGE, "dims=4x0 is out of range; need 1 <= dims <= 512"},
        {every_type, "n=1,dims=513", HF_ERANGE, "dims=513 is out of range; need 1 <= dims <= 512"},
        {plain, "k=", HF_EINVAL, "thing \"t\": k=\"\" is not right; need a whole number"},
        {plain, "k=-3", HF_EINVAL, "k=\"-3\" is not right; need a whole number"},
        {plain, "k=+3", HF_EINVAL, "k=\"+3\" is not right; need a whole number"},
        {plain, "k= 3", HF_EINVAL, "k=\" 3\" is not right; need a whole number"},
        {plain, "k=3.0", HF_EINVAL, "k=\"3.0\" is not right; need a whole number"},
        {plain, "k=unlimited", HF_EINVAL, "k=\"unlimited\" is not right; need a whole number"},
        {plain, "limit=all", HF_EINVAL, "limit=\"all\" is not right; need a whole number from 1, or unlimited"},
        {every_type, "n=1,wrap=true", HF_EINVAL, "wrap=\"true\" is not right; need one of no, yes"},
        {every_type, "n=1,colour=Red", HF_EINVAL, "colour=\"Red\" is not right; need one of red, green, blue"},
        {every_type, "n=1,dims=4x", HF_EINVAL, "dims=\"4x\" is not right; need sizes joined by x, such as 8x8"},
        {every_type, "n=1,dims=", HF_EINVAL, "dims=\"\" is not right; need sizes joined by x, such as 8x8"},
        {every_type, "n=1,dims=1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1", HF_EINVAL, "need at most 16 sizes"},
        {every_type, "path=,n=1", HF_EINVAL, "path=\"\" is not right; need some text"},
        {every_type, "k=3", HF_EINVAL, "thing \"t\": parameter n is missing (stages)"},
        {plain, "k=3,k=3", HF_EINVAL, "thing \"t\": parameter k is given twice"},
        {every_type, "x,path=y,n=1", HF_EINVAL, "thing \"t\": parameter path is given twice"},
        {plain, "k", HF_EINVAL, "thing \"t\": parameter k has no value; write k=..."},
        {plain, "lmit=3", HF_EINVAL, "thing \"t\": no parameter is called \"lmit\"; did you mean \"limit\"?"},
        {plain, "speed=3", HF_EINVAL, "thing \"t\": no parameter is called \"speed\"; there are: k, limit"},
        {every_type, "n=1,x", HF_EINVAL, "\"x\" has no name in front; need one as in path=x"},
        {plain, "=3", HF_EINVAL, "no parameter is called \"\""},
        {plain, ",k=3", HF_EINVAL, "a parameter is missing before or after a comma in \",k=3\""},
        {plain, "k=3,", HF_EINVAL, "a parameter is missing before or after a comma in \"k=3,\""},
        {plain, "k=3,,limit=1", HF_EINVAL, "a parameter is missing before or after a comma in \"k=3,,limit=1\""},
        {NULL, "k=3", HF_EINVAL, "thing \"t\" takes no parameters; \"k\" is too much"},
    };
    hf_context *cx = context();
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        hf_args args;
        hf_context_clear(cx);
        const hf_status status = hf_args_parse(cx, "thing", "t", row[i].params, row[i].text, &args);
        if (status != row[i].status || !strstr(hf_context_message(cx), row[i].message)) {
            fail_msg("%s: %s: %s", row[i].text, hf_status_text(status), hf_context_message(cx));
        }
        assert_null(args.storage);
    }
    hf_context_free(cx);
}

static void splitting(void **state) {
    (void)state;
    static const struct {
        const char *spec, *rest;
        size_t size;
    } row[] = {{"a", "", 1}, {"a:", "", 1}, {"ab:c", "c", 2}, {"ab:c:d", "c:d", 2}, {"", "", 0}, {":x", "x", 0}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        size_t size = 99;
        assert_string_equal(hf_spec_split(row[i].spec, &size), row[i].rest);
        assert_int_equal(size, row[i].size);
    }
}

/** Any text is parsed or refused with a message; what is parsed has a canonical form that stands for itself. */
static void random_texts(void **state) {
    (void)state;
    static const char *const piece[] = {"k=4", "n=2", "path=", "dims=2x",    "=",         ",",
                                        ",",   "x",   "12",    "intervals=", "unlimited", ":"};
    hf_context *cx = context();
    unsigned n_good = 0;
    for (uint64_t seed = 1; seed <= 20000; seed++) {
        char text[256] = "n=3,", *canonical, *again;
        size_t used = seed % 2 ? strlen(text) : 0, size;
        text[used] = 0;
        hf_random r;
        hf_random_init(&r, seed, HF_PURPOSE_TEST, 0);
        for (uint64_t left = hf_random_below(&r, 8); left > 0; left--) {
            const char *add = piece[hf_random_below(&r, sizeof piece / sizeof *piece)];
            used += (size_t)snprintf(text + used, sizeof text - used, "%s", add);
        }
        hf_args args;
        hf_context_clear(cx);
        if (hf_args_parse(cx, "thing", "t", every_type, text, &args) != HF_OK) {
            assert_non_null(strstr(hf_context_message(cx), "thing \"t\""));
            continue;
        }
        n_good++;
        assert_int_equal(hf_args_canonical(cx, "t", &args, &canonical), HF_OK);
        hf_args_free(&args);
        if (hf_args_parse(cx, "thing", "t", every_type, hf_spec_split(canonical, &size), &args) != HF_OK) {
            fail_msg("seed %d: %s gives %s: %s", (int)seed, text, canonical, hf_context_message(cx));
        }
        assert_int_equal(hf_args_canonical(cx, "t", &args, &again), HF_OK);
        assert_string_equal(again, canonical);
        hf_args_free(&args);
        hf_release(hf_context_allocator(cx), canonical);
        hf_release(hf_context_allocator(cx), again);
    }
    assert_true(n_good > 500);
    hf_context_free(cx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_of_every_type),
        cmocka_unit_test(defaults),
        cmocka_unit_test(canonical_forms),
        cmocka_unit_test(refusals),
        cmocka_unit_test(splitting),
        cmocka_unit_test(random_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
