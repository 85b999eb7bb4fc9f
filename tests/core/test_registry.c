/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Registries and lists of words: what is found, what is refused and in which words, guesses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/spec.h>

#include "src/core/registry.h"

typedef struct fruit {
    const char *name;
    int weight_g;
} fruit;

static const void *const fruits[] = {&(const fruit){"apple", 100}, &(const fruit){"pear", 150}, &(const fruit){"app", 3}};
static const hf_registry registry = HF_REGISTRY("fruit", fruits);

static void by_place(void **state) {
    (void)state;
    assert_int_equal(registry.n, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_ptr_equal(hf_registry_at(&registry, i), fruits[i]);
    }
    assert_null(hf_registry_at(&registry, 3));
    assert_null(hf_registry_at(&registry, SIZE_MAX));
}

static void by_name(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t size;
        int weight_g; /* 0: none */
    } row[] = {{"apple", 5, 100},     {"apple", 3, 3}, {"appl", 4, 0}, {"apples", 6, 0},
               {"pear:ripe", 4, 150}, {"pear", 0, 0},  {"Pear", 4, 0}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const fruit *found = hf_registry_find(&registry, (hf_slice){row[i].text, row[i].size});
        assert_int_equal(found ? found->weight_g : 0, row[i].weight_g);
    }
}

static void by_spec(void **state) {
    (void)state;
    static const struct {
        const char *spec, *rest, *message; /* no rest: refused */
    } row[] = {
        {"pear", "", NULL},
        {"pear:", "", NULL},
        {"pear:ripe=yes,n=3", "ripe=yes,n=3", NULL},
        {"peer:ripe=yes", NULL, "no fruit is called \"peer\"; did you mean \"pear\"?"},
        {"zz:n=1", NULL, "no fruit is called \"zz\"; there are: apple, pear, app"},
        {"", NULL, "no fruit is called \"\"; there are: apple, pear, app"},
    };
    hf_context *cx = hf_context_new(NULL);
    assert_non_null(cx);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const char *rest;
        const fruit *found = hf_registry_of_spec(cx, &registry, row[i].spec, &rest);
        if (row[i].rest) {
            assert_ptr_equal(found, fruits[1]);
            assert_string_equal(rest, row[i].rest);
        } else {
            assert_null(found);
            assert_string_equal(hf_context_message(cx), row[i].message);
        }
    }
    hf_context_free(cx);
}

static void words(void **state) {
    (void)state;
    static const char *const colours[] = {"red", "green", "blue", NULL}, *const none[] = {NULL};
    hf_context *cx = hf_context_new(NULL);
    size_t i = 99;
    assert_non_null(cx);
    assert_int_equal(hf_words_find(colours, hf_slice_of("blue")), 2);
    assert_int_equal(hf_words_find(colours, hf_slice_of("re")), 3);
    assert_int_equal(hf_words_find(none, hf_slice_of("red")), 0);
    assert_int_equal(hf_words_need(cx, "colour", colours, (hf_slice){"greenish", 5}, &i), HF_OK);
    assert_int_equal(i, 1);
    assert_int_equal(hf_words_need(cx, "colour", colours, hf_slice_of("gren"), &i), HF_ENOENT);
    assert_string_equal(hf_context_message(cx), "no colour is called \"gren\"; did you mean \"green\"?");
    hf_context_free(cx);
}

static void guesses(void **state) {
    (void)state;
    static const char *const names[] = {"kary-tree", "torus", "mesh", "updown", "ft2ei", NULL};
    static const struct {
        const char *wrong, *near;
    } row[] = {
        {"kary-tre", "kary-tree"},
        {"kary_tree", "kary-tree"},
        {"karytree", "kary-tree"},
        {"tours", "torus"},
        {"toru", "torus"},
        {"mehs", "mesh"},
        {"up", "updown"}, /* what has been begun */
        {"fat", NULL},
        {"dragonfly", NULL},
        {"", NULL},
        {"zzzz", NULL},
        {"b", NULL},
        {"torus", "torus"},
        {"tori", "torus"},
        {"met", "mesh"},
        {"mex", "mesh"},
        {"mxy", NULL},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const char *got = hf_spec_nearest(row[i].wrong, strlen(row[i].wrong), names);
        if ((got == NULL) != (row[i].near == NULL) || (got && strcmp(got, row[i].near) != 0)) {
            fail_msg("%s: %s", row[i].wrong, got ? got : "nothing");
        }
    }
    assert_string_equal(hf_spec_nearest("torus:k=3", 5, names), "torus"); /* `size` bytes alone count */
}

static void unknown_names(void **state) {
    (void)state;
    static const char *const none[] = {NULL}, *const one[] = {"torus", NULL}, *const two[] = {"torus", "mesh", NULL};
    static const char *const many[] = {"aa", "bb", "cc", "dd", "ee", "ff", "gg", "hh", "ii", NULL};
    static const struct {
        const char *const *names;
        const char *wrong, *message;
    } row[] = {
        {two, "mash", "no topology is called \"mash\"; did you mean \"mesh\"?"},
        {none, "zz", "no topology is called \"zz\"; there are none"},
        {one, "zz", "no topology is called \"zz\"; there is: torus"},
        {two, "zz", "no topology is called \"zz\"; there are: torus, mesh"},
        {many, "zz", "no topology is called \"zz\"; there are: aa, bb, cc, dd, ee, ff, gg, hh, ..."},
    };
    hf_context *cx = hf_context_new(NULL);
    assert_non_null(cx);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        assert_int_equal(hf_spec_unknown(cx, "topology", row[i].wrong, strlen(row[i].wrong), row[i].names), HF_ENOENT);
        assert_string_equal(hf_context_message(cx), row[i].message);
    }
    hf_context_free(cx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_place), cmocka_unit_test(by_name), cmocka_unit_test(by_spec),
        cmocka_unit_test(words),    cmocka_unit_test(guesses), cmocka_unit_test(unknown_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
