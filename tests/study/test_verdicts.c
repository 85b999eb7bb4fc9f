/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Are the claims of the studies fair? A claim must be able to fail, what is published must be cited, and what a paper calls
 *  alike has one range. tests/study/test_results.c holds what came out against them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "src/study/study.h"
#include "tests/support/studies.h"

/* Where the two sides are equal: NaN where a comparison has no such place. */
static double neutral_of(const hf_study_cell *cell) {
    switch (cell->show) {
    case HF_SHOW_GAIN:
    case HF_SHOW_LOSS:
    case HF_SHOW_DIFFERENCE:
        return 0;
    case HF_SHOW_RATIO:
    case HF_SHOW_PRODUCT:
        return 1;
    default:
        return NAN;
    }
}

static bool is_two_sided(const hf_study_claim *c) { return isfinite(c->low) && isfinite(c->high); }

/* Does a label say that one side is more, or less? */
static bool says_order(const char *label) {
    static const char *const words[] = {" higher ",    " lower ", " more ",   " less ",   " worse ",  " better ",      " longer ",
                                        " larger ",    " fewer ", " steeper", " slower",  " faster",  " outperforms ", " above ",
                                        " costs more", " falls",  " grows ",  " raises ", " doubles", " slightly "};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strstr(label, words[i])) {
            return true;
        }
    }
    return false;
}

/* What no value of such a comparison can miss: ratios and products of figures are above 0, a gain above -100%. */
static bool holds_everything(const hf_study_cell *cell) {
    const hf_study_claim *c = &cell->claim;
    switch (cell->show) {
    case HF_SHOW_RATIO:
    case HF_SHOW_PRODUCT:
        return c->low <= 0 && (isinf(c->high) || isfinite(c->low));
    case HF_SHOW_GAIN:
        return c->low <= -1 && (isinf(c->high) || isfinite(c->low));
    case HF_SHOW_LOSS:
        return c->high >= 1 && (isinf(c->low) || isfinite(c->high));
    case HF_SHOW_DEVIATION:
        return c->low <= 0 && isinf(c->high);
    default:
        return false;
    }
}

/* The texts of two cells, whatever they are called: do both ask for the same? */
static bool ask_the_same(const hf_study *study, size_t a, size_t b) {
    static const hf_study_key names[] = {HF_KEY_LABEL,  HF_KEY_ID,    HF_KEY_PUBLISHED, HF_KEY_CITATION,
                                         HF_KEY_REMARK, HF_KEY_CURVE, HF_KEY_CURVE_X};
    const hf_study_texts *x = &study->document.cell[a], *y = &study->document.cell[b];
    for (uint32_t key = 0; key < HF_KEY_COUNT; key++) {
        bool is_name = false;
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            is_name |= names[i] == (hf_study_key)key;
        }
        const char *p = x->value[key] ? x->value[key] : "", *q = y->value[key] ? y->value[key] : "";
        if (!is_name && strcmp(p, q) != 0) {
            return false;
        }
    }
    return true;
}

/* The time that a generated trace takes is that of the trace, for every network that keeps up. */
static bool is_time_of_trace(const hf_study *study, size_t cell) {
    const hf_study_cell *c = &study->cell[cell];
    return c->kind == HF_STUDY_ASK && strcmp(c->column, "cycles") == 0 && strstr(c->ask, "generate=");
}

static const char *fault_of_sides(const hf_study *study, const hf_study_cell *cell) {
    const char *fault = NULL;
    for (size_t i = 0; cell->kind == HF_STUDY_CLAIM && cell->show != HF_SHOW_VALUE && i < cell->n_pair; i++) {
        const hf_study_pair c = cell->pair[i];
        if (c.of == c.against || ask_the_same(study, c.of, c.against)) {
            fault = "both sides are the same";
        } else if (is_time_of_trace(study, c.of) && is_time_of_trace(study, c.against) && is_two_sided(&cell->claim)) {
            fault = "it holds by construction: the trace sets the time";
        }
    }
    return fault;
}

/* "within 3% of the 31.63": is that the range, as far as the figure has digits? */
static bool is_range_of_label(const hf_study_cell *cell) {
    static const double digits = 1.5e-3; /* half of the last of three digits */
    const char *at = strstr(cell->label, "within ");
    double percent, figure;
    if (!at || sscanf(at, "within %lf%% of the %lf", &percent, &figure) != 2) {
        return true;
    }
    const double low = figure * (1 - percent / 100), high = figure * (1 + percent / 100);
    return fabs(cell->claim.low - low) <= digits * low && fabs(cell->claim.high - high) <= digits * high;
}

static const char *fault_of_range(const hf_study_cell *cell) {
    const hf_study_claim *c = &cell->claim;
    if (c->is_made && !is_range_of_label(cell)) {
        return "the range is not what the label says";
    }
    const double equal = neutral_of(cell);
    if (holds_everything(cell)) {
        return "every value is in the range";
    }
    if ((c->low == equal && isinf(c->high) && !c->excludes_low) || (c->high == equal && isinf(c->low) && !c->excludes_high)) {
        return "the range accepts that both sides are equal; need LOW<.. or ..<HIGH";
    }
    if (says_order(cell->label) && c->low <= equal && equal <= c->high && !(c->low == equal && c->excludes_low) &&
        !(c->high == equal && c->excludes_high)) {
        return "the label says more or less, and the range accepts that both sides are equal";
    }
    return NULL;
}

/* What is wrong with a cell, or NULL. */
static const char *fault_of(const hf_study *study, const hf_study_cell *cell) {
    const bool is_judged = cell->claim.is_made || *cell->published;
    if (is_judged && !strstr(cell->citation, ", ") && strcmp(study->source, "holdfast") != 0) {
        return "no place in the source is cited";
    }
    if (cell->claim.is_made && *cell->published) {
        return "a claim is not judged by a published value; need a cell of kind combine";
    }
    if (!cell->claim.is_made) {
        return NULL;
    }
    const char *fault = fault_of_sides(study, cell);
    return fault ? fault : fault_of_range(cell);
}

/* ---- all studies ---- */

static void every_claim_can_fail(void **state) {
    hf_context *cx = hf_context_new(NULL);
    size_t n_claim = 0, n_fault = 0;
    (void)state;
    for (size_t i = 0; i < hf_study_embedded_count(); i++) {
        hf_study *study;
        assert_int_equal(hf_study_open(cx, hf_study_embedded_name(i), &study), HF_OK);
        for (size_t k = 0; k < study->n_cell; k++) {
            const char *fault = fault_of(study, &study->cell[k]);
            n_claim += study->cell[k].claim.is_made;
            n_fault += fault != NULL;
            if (fault) {
                print_error("%s, line %u, \"%s\": %s\n", study->name, study->cell[k].line, study->cell[k].label, fault);
            }
        }
        hf_study_free(study);
    }
    assert_true(n_claim > 400);
    assert_int_equal(n_fault, 0);
    hf_context_free(cx);
}

enum { PAPERS_MOST = 16 };

/* How far from equal a claim of likeness reaches; 0: it is none. */
static double tolerance_of(const hf_study_cell *cell) {
    const hf_study_claim *c = &cell->claim;
    const double equal = neutral_of(cell);
    if (!c->is_made || cell->show == HF_SHOW_DIFFERENCE || !is_two_sided(c) || !(c->low < equal && equal < c->high)) {
        return 0;
    }
    assert_true(fabs(c->low + c->high - 2 * equal) < 1e-9); /* as far either way */
    return c->high - equal;
}

static void alike_has_one_range_a_paper(void **state) {
    hf_context *cx = hf_context_new(NULL);
    struct {
        char key[32];
        double tolerance;
    } paper[PAPERS_MOST] = {0};
    size_t n = 0;
    (void)state;
    for (size_t i = 0; i < hf_study_embedded_count(); i++) {
        hf_study *study;
        assert_int_equal(hf_study_open(cx, hf_study_embedded_name(i), &study), HF_OK);
        const size_t size = strcspn(study->source, ",");
        for (size_t k = 0; k < study->n_cell; k++) {
            const double tolerance = tolerance_of(&study->cell[k]);
            size_t p = 0;
            while (p < n && !(strlen(paper[p].key) == size && strncmp(paper[p].key, study->source, size) == 0)) {
                p++;
            }
            if (tolerance > 0 && p == n) {
                assert_true(n < PAPERS_MOST && size < sizeof paper->key);
                memcpy(paper[n].key, study->source, size);
                paper[n++].tolerance = tolerance;
            }
            if (tolerance > 0 && fabs(paper[p].tolerance - tolerance) > 1e-9) {
                fail_msg("%s, line %u: alike is within %g, elsewhere in %s within %g", study->name, study->cell[k].line,
                         tolerance, paper[p].key, paper[p].tolerance);
            }
        }
        hf_study_free(study);
    }
    assert_true(n >= 2);
    hf_context_free(cx);
}

/* ---- the check itself ---- */

#define RUN(id, more) "  - {label: r, ask: simulate, column: accepted, id: " id ", load: \"1\"" more "}\n"
#define TWO RUN("a", "") RUN("b", ", seed: 2")
#define TRACE(id, more) "  - {label: r, ask: simulate generate=9, id: " id ", column: cycles, load: \"1\"" more "}\n"

static void what_cannot_fail_is_refused(void **state) {
    static const struct {
        const char *cells, *fault;
    } row[] = {
        {TWO "  - {label: x, kind: claim, of: a, against: b, holds: \"0%<..\"}\n", NULL},
        {TWO "  - {label: x, kind: claim, of: a, against: b, holds: \"-5%..5%\"}\n", NULL},
        {TWO "  - {label: x, kind: claim, of: a, against: b, holds: \"0%..\"}\n", "equal"},
        {TWO "  - {label: x, kind: claim, of: a, against: b, show: loss, holds: \"..0%\"}\n", "equal"},
        {TWO "  - {label: x, kind: claim, of: a, against: b, show: ratio, holds: \"..1\"}\n", "equal"},
        {TWO "  - {label: x, kind: claim, of: a, against: b, show: difference, holds: \"0..\"}\n", "equal"},
        {TWO "  - {label: a slightly higher one, kind: claim, of: a, against: b, holds: \"0%..5%\"}\n", "more or less"},
        {TWO "  - {label: a is better than b, kind: claim, of: a, against: b, holds: \"-5%..\"}\n", "more or less"},
        {TWO "  - {label: x, kind: claim, of: a, against: b, show: ratio, holds: \"0..2\"}\n", "every value"},
        {TWO "  - {label: x, kind: claim, of: a, against: b, show: ratio, holds: \"0..\"}\n", "every value"},
        {TWO "  - {label: x, kind: claim, of: a, against: b, holds: \"-100%..\"}\n", "every value"},
        {TWO "  - {label: x, kind: claim, of: a, against: b, show: loss, holds: \"..100%\"}\n", "every value"},
        {TWO "  - {label: x, kind: claim, of: a, against: a, holds: \"-5%..5%\"}\n", "the same"},
        {RUN("a", "") RUN("b", "") "  - {label: x, kind: claim, of: a, against: b, holds: \"-5%..5%\"}\n", "the same"},
        {TRACE("a", "")
             TRACE("b", ", router: \"packet-length=8\"") "  - {label: x, kind: claim, of: a, against: b, holds: \"-5%..5%\"}\n",
         "by construction"},
        {TWO "  - {label: x, kind: claim, of: a, against: b, holds: \"1%..\", published: \"2%\"}\n", "published"},
        {TWO "  - {label: \"within 3% of the 0.5\", kind: claim, of: a, show: value, holds: \"0.485..0.515\"}\n", NULL},
        {TWO "  - {label: \"within 3% of the 0.5\", kind: claim, of: a, show: value, holds: \"0.485..0.525\"}\n", "the label"},
        {TWO "  - {label: x, kind: claim, of: a, against: b, holds: \"0%<..\", citation: paper}\n", "cited"},
        {TWO "  - {label: x, kind: combine, of: a, against: b, published: \"2%\", citation: paper}\n", "cited"},
    };
    hf_context *cx = hf_context_new(NULL);
    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char text[2000];
        hf_study *study;
        snprintf(
            text, sizeof text,
            "schema: 1\nname: x\ntitle: t\nsource: paper, page 1\ndefaults:\n  topology: kary-tree:k=2,n=2\n  routing: updown\n"
            "  traffic: uniform\ncells:\n%s",
            row[i].cells);
        if (hf_study_parse(cx, "in.yaml", text, strlen(text), &study) != HF_OK) {
            fail_msg("row %zu: %s", i, hf_context_message(cx));
        }
        const char *fault = fault_of(study, &study->cell[study->n_cell - 1]);
        if (!fault != !row[i].fault || (fault && !strstr(fault, row[i].fault))) {
            fail_msg("row %zu: \"%s\", expected \"%s\"", i, fault ? fault : "", row[i].fault ? row[i].fault : "");
        }
        hf_study_free(study);
    }
    hf_context_free(cx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_claim_can_fail), cmocka_unit_test(alike_has_one_range_a_paper),
                                       cmocka_unit_test(what_cannot_fail_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
