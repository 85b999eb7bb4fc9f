/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Parameters of questions that are called alike are alike: type, range, unit, words and default. What is not stands here with
 *  its reason. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/question.h>

/* Names that may differ, and why. */
static const struct {
    const char *name, *why;
} differ[] = {
    {"faults", "bounds asks of one fault where none are given"},
    {"universe", "tables are of channels, as gomez2010's; what a running network or a drill loses is a cable, both channels"},
    {"traffic", "cost finds a throughput only where a pattern is named"},
    {"cycles", "simulate has no end of its own where loads are measured, a protocol gives up at last"},
    {"ids", "the explicit check counts its states: numbers are small, and those of the simulation are not"},
    {"retention", "the same"},
    {"send-table", "the same"},
    {"receive-table", "the same"},
    {"backoff", "each has that of its source"},
    {"program", "protocol has its built-in ones by another name, benchmark"},
};
enum { N_DIFFER = sizeof differ / sizeof *differ };

static bool same_text(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

/* One may know more words than the other, behind those of both. */
static bool same_words(const char *const *a, const char *const *b) {
    size_t i = 0;
    while (a && b && a[i] && b[i] && strcmp(a[i], b[i]) == 0) {
        i++;
    }
    return a == b || (a && b && (!a[i] || !b[i]));
}

static bool are_alike(const hf_param *a, const hf_param *b) {
    return a->type == b->type && a->low == b->low && a->high == b->high && same_text(a->fallback, b->fallback) &&
           same_text(a->unit, b->unit) && same_words(a->words, b->words);
}

static const char *fallback_of(const hf_question *q, const char *name) {
    const hf_param *p;
    size_t i = 0;
    while ((p = hf_question_param(q, i)) != NULL && strcmp(p->name, name) != 0) {
        i++;
    }
    return p ? hf_question_fallback(q, i) : NULL;
}

/* A file that the question writes. */
static bool attaches(const hf_question *q, const char *name) {
    const hf_param *a = q->attachments;
    while (a && a->name && strcmp(a->name, name) != 0) {
        a++;
    }
    return a && a->name;
}

/* \param[in] p of question number i  \param[out] other another question that calls something else the same */
static bool has_rival(size_t i, const hf_param *p, const hf_question **other) {
    const hf_question *its = hf_question_at(i);
    for (size_t k = 0; k < hf_question_count(); k++) {
        *other = hf_question_at(k);
        const hf_param *q = k > i ? hf_question_param_named(*other, p->name) : NULL;
        const bool is_same = q && same_text(q->name, p->name);
        if (attaches(*other, p->name) ||
            (is_same && (!are_alike(p, q) || !same_text(fallback_of(its, p->name), fallback_of(*other, p->name))))) {
            return true;
        }
    }
    return false;
}

static void called_alike_is_alike(void **state) {
    (void)state;
    bool is_met[N_DIFFER] = {false};
    uint32_t n_bad = 0;
    for (size_t i = 0; i < hf_question_count(); i++) {
        const hf_param *p;
        for (size_t k = 0; (p = hf_question_param(hf_question_at(i), k)) != NULL; k++) {
            const hf_question *other;
            size_t d = 0;
            while (d < N_DIFFER && strcmp(differ[d].name, p->name) != 0) {
                d++;
            }
            if (has_rival(i, p, &other) && d == N_DIFFER) {
                print_error("--%s of %s and of %s differ in type, range, unit, words or default\n", p->name,
                            hf_question_at(i)->name, other->name);
                n_bad++;
            } else if (d < N_DIFFER) {
                is_met[d] |= has_rival(i, p, &other);
            }
        }
    }
    for (size_t d = 0; d < N_DIFFER; d++) {
        if (!is_met[d]) {
            print_error("--%s is alike everywhere: strike it from the list\n", differ[d].name);
            n_bad++;
        }
    }
    assert_int_equal(n_bad, 0);
}

/* An older name is no name of today beside it, and means the same. */
static void older_names_are_understood(void **state) {
    (void)state;
    uint32_t n_older = 0;
    for (size_t i = 0; i < hf_question_count(); i++) {
        const hf_question *q = hf_question_at(i);
        const hf_param *p;
        for (size_t k = 0; (p = hf_question_param(q, k)) != NULL; k++) {
            if (p->was) {
                assert_ptr_equal(hf_question_param_named(q, p->was), p);
                n_older++;
            }
        }
    }
    assert_true(n_older > 0);
}

static void older_names_answer_alike(void **state) {
    (void)state;
    static const char *const names[] = {"switch-memory", "memory"};
    hf_context *cx = hf_context_new(NULL);
    hf_text text[2];
    for (size_t i = 0; i < 2; i++) {
        const hf_argument arguments[] = {{"topology", "kary-tree:k=2,n=3"}, {"routing", "updown"}, {names[i], "table"}};
        hf_report answer = {0};
        assert_int_equal(hf_ask(cx, "cost", arguments, 3, &answer), HF_OK);
        hf_text_init(cx, &text[i]);
        assert_int_equal(hf_report_print(&answer, &(hf_report_style){.form = HF_FORM_JSON}, &text[i]), HF_OK);
    }
    assert_string_equal(text[0].data, text[1].data);
    hf_text_free(&text[0]);
    hf_text_free(&text[1]);
    const hf_argument twice[] = {
        {"topology", "kary-tree:k=2,n=3"}, {"routing", "updown"}, {"memory", "rule"}, {"switch-memory", "rule"}};
    hf_report answer = {0};
    assert_int_equal(hf_ask(cx, "cost", twice, 4, &answer), HF_EINVAL);
    assert_non_null(strstr(hf_context_message(cx), "switch-memory is given twice"));
    hf_context_free(cx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(called_alike_is_alike), cmocka_unit_test(older_names_are_understood),
                                       cmocka_unit_test(older_names_answer_alike)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
