/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What results/ holds, against studies/: the lines are those of the studies, what differs or does not hold has its remark,
 *  nothing rests on a run that is not steady, and the counts that docs/findings.md and results/README.md print are those of the
 *  lines. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "src/study/job.h"
#include "tests/support/folder.h"

enum { PAPERS_MOST = 16 };

/* What a study gave, as `study show` reads it. */
static hf_study_outcome *read_results(hf_context *cx, const hf_study *study) {
    char path[300];
    size_t size;
    hf_study_outcome *out = NULL;
    snprintf(path, sizeof path, "results/%s.csv", study->name);
    char *text = folder_read(path, &size);
    if (hf_study_outcome_read(cx, study, path, text, size, &out) != HF_OK) {
        print_error("%s\n", hf_context_message(cx));
    }
    free(text);
    return out;
}

/* ---- counts ---- */

/* Published values, then claims. */
enum { REPRODUCED, DIFFERS, P_OPEN, P_NONE, HOLDS, NOT, C_OPEN, C_NONE, UNSTEADY, COUNTS };

typedef struct tally {
    char key[32]; /* of a paper */
    size_t n[COUNTS];
} tally;

static void count(const hf_study_cell *cell, const hf_study_line *l, tally *t) {
    const bool is_claim = cell->claim.is_made, is_open = l->verdict >= HF_STUDY_OPEN;
    if (!is_claim && !*cell->published) {
        return;
    }
    t->n[REPRODUCED] += (l->verdict == HF_STUDY_REPRODUCED);
    t->n[DIFFERS] += (l->verdict == HF_STUDY_DIFFERS);
    t->n[HOLDS] += (l->verdict == HF_STUDY_HOLDS);
    t->n[NOT] += (l->verdict == HF_STUDY_DOES_NOT_HOLD);
    t->n[is_claim ? C_OPEN : P_OPEN] += is_open;
    t->n[is_claim ? C_NONE : P_NONE] += (l->verdict == HF_STUDY_NOT_COMPUTABLE);
    t->n[UNSTEADY] += (l->verdict == HF_STUDY_NOT_STEADY);
}

/* ---- a study against its results ---- */

static void complain(const hf_study *study, const hf_study_cell *cell, const hf_study_line *l, const char *fault,
                     size_t *n_fault) {
    print_error("%s, line %" PRIu32 ", \"%s\": %s\n", study->name, cell->line, l ? l->label : cell->label, fault);
    ++*n_fault;
}

static const char *fault_of(const hf_study_cell *cell, const hf_study_line *l) {
    char range[HF_STUDY_RANGE_SIZE], word[HF_STUDY_RANGE_SIZE + 16];
    const bool is_decided = (l->verdict == HF_STUDY_HOLDS) || (l->verdict == HF_STUDY_DOES_NOT_HOLD) ||
                            (l->verdict == HF_STUDY_REPRODUCED) || (l->verdict == HF_STUDY_DIFFERS);
    if (strcmp(l->published, cell->published) != 0 || strcmp(l->citation, cell->citation) != 0) {
        return "the study prints another published value, or another source";
    }
    if (!*l->remark && ((l->verdict == HF_STUDY_DOES_NOT_HOLD) || (l->verdict == HF_STUDY_DIFFERS))) {
        return "it differs or does not hold, and has no remark";
    }
    if (is_decided && strstr(l->method, "not steady")) {
        return "it rests on a run that is not steady";
    }
    if (cell->claim.is_made && !(l->verdict == HF_STUDY_NOT_COMPUTABLE)) {
        hf_study_print_range(cell, range, sizeof range);
        snprintf(word, sizeof word, "holds in %s", range);
        const char *at = strstr(l->method, word);
        return at && strchr(",", at[strlen(word)]) ? NULL : "the study claims another range";
    }
    return cell->not_computable && strcmp(cell->not_computable, l->remark) != 0 ? "the study gives another reason" : NULL;
}

/* Cell after cell, its lines. */
static size_t check_study(const hf_study *study, const hf_study_outcome *r, tally *t) {
    size_t at = 0, n_fault = 0;
    for (size_t c = 0; c < study->n_cell && n_fault < 10; c++) {
        const hf_study_cell *cell = &study->cell[c];
        for (size_t n = hf_study_lines_of(cell); n > 0; n--, at++) {
            if (at == r->n_line || r->line[at].cell != c) {
                complain(study, cell, NULL, "results/ has no such line here", &n_fault);
                return n_fault;
            }
            const char *fault = fault_of(cell, &r->line[at]);
            if (fault) {
                complain(study, cell, &r->line[at], fault, &n_fault);
            }
            count(cell, &r->line[at], t);
        }
    }
    if (at < r->n_line) {
        print_error("%s: the study has no line \"%s\"\n", study->name, r->line[at].label);
        n_fault++;
    }
    return n_fault;
}

static tally *paper_of(const hf_study *study, tally *paper, size_t *n) {
    const size_t size = strcspn(study->source, ",");
    for (size_t p = 0; p < *n; p++) {
        if (strlen(paper[p].key) == size && strncmp(paper[p].key, study->source, size) == 0) {
            return &paper[p];
        }
    }
    assert_true(*n < PAPERS_MOST && size < sizeof paper->key);
    memcpy(paper[*n].key, study->source, size);
    return &paper[(*n)++];
}

/* "20 reproduced, 1 differs; 3 hold, 1 open": what results/README.md prints of a study. */
static void describe(const tally *t, char *out, size_t size) {
    static const char *const words[COUNTS] = {[REPRODUCED] = "reproduced", [DIFFERS] = "differ",       [P_OPEN] = "open",
                                              [P_NONE] = "not computable", [HOLDS] = "hold",           [NOT] = "do not hold",
                                              [C_OPEN] = "open",           [C_NONE] = "not computable"};
    size_t used = 0;
    bool has_part = false;
    *out = 0;
    for (size_t i = 0; i < UNSTEADY; i++) {
        has_part &= i != HOLDS;
        if (t->n[i] > 0) {
            used += (size_t)snprintf(out + used, size - used, "%s%zu %s", has_part ? ", " : used ? "; " : "", t->n[i], words[i]);
            has_part = true;
        }
    }
    snprintf(out + used, size - used, "%s", used ? "" : "-");
}

/* The row of a study begins with a link to its results, where there are some. */
static const char *find_row(const hf_study *study, const char *readme) {
    char path[200], begin[200];
    snprintf(path, sizeof path, "results/%s.csv", study->name);
    snprintf(begin, sizeof begin, access(path, F_OK) == 0 ? "| [%s](%s.csv) |" : "| %s |", study->name, study->name);
    return strstr(readme, begin);
}

/* results/README.md says of a study that its lines are older than the study: they are not compared, and not counted. */
static bool is_marked_old(const hf_study *study, const char *readme) {
    const char *row = find_row(study, readme), *mark = row ? strstr(row, "| to be made anew |") : NULL;
    return mark && mark < strchr(row, '\n');
}

/* Then the summary of docs/findings.md names it. */
static size_t check_named(const hf_study *study, const char *findings) {
    const char *at = strstr(findings, "\nTo be made anew:"), *end = at ? strstr(at, "\n\n") : NULL;
    const char *name = at ? strstr(at, study->name) : NULL;
    if (!name || (end && name > end)) {
        print_error("docs/findings.md: the paragraph \"To be made anew:\" should name %s\n", study->name);
        return 1;
    }
    return 0;
}

static size_t check_readme(const hf_study *study, const tally *t, const char *readme) {
    char counts[200];
    describe(t, counts, sizeof counts);
    const char *row = find_row(study, readme), *end = row ? strchr(row, '\n') : NULL;
    char cell[220];
    snprintf(cell, sizeof cell, " | %s | ", counts);
    const char *found = row ? strstr(row, cell) : NULL;
    if (!row || !found || found > end) {
        print_error("results/README.md: the row of %s should print \"%s\"\n", study->name, counts);
        return 1;
    }
    return 0;
}

static char *read_text(const char *path) {
    size_t size;
    char *text = folder_read(path, &size);
    text = realloc(text, size + 1);
    text[size] = 0;
    return text;
}

/* "| gomez2010 | 1 | 2 | ...": the row of a paper in the summary. */
static size_t check_findings(const tally *t, const char *findings) {
    char row[300];
    size_t used = (size_t)snprintf(row, sizeof row, "\n| %s |", t->key);
    for (size_t i = 0; i < COUNTS; i++) {
        used += (size_t)snprintf(row + used, sizeof row - used, " %zu |", t->n[i]);
    }
    if (!strstr(findings, row)) {
        print_error("docs/findings.md: the summary should have the row%s\n", row);
        return 1;
    }
    return 0;
}

static void results_are_those_of_the_studies(void **state) {
    hf_context *cx = hf_context_new(NULL);
    tally paper[PAPERS_MOST] = {0};
    size_t n_paper = 0, n_fault = 0;
    char *readme = read_text("results/README.md"), *findings = read_text("docs/findings.md");
    (void)state;
    for (size_t i = 0; i < hf_study_embedded_count(); i++) {
        hf_study *study;
        tally own = {0};
        assert_int_equal(hf_study_open(cx, hf_study_embedded_name(i), &study), HF_OK);
        tally *t = paper_of(study, paper, &n_paper);
        if (is_marked_old(study, readme)) {
            n_fault += check_named(study, findings);
        } else {
            hf_study_outcome *r = read_results(cx, study);
            n_fault += r ? check_study(study, r, &own) : 1;
            hf_study_outcome_free(r);
            n_fault += check_readme(study, &own, readme);
        }
        for (size_t k = 0; k < COUNTS; k++) {
            t->n[k] += own.n[k];
        }
        hf_study_free(study);
    }
    for (size_t p = 0; p < n_paper; p++) {
        n_fault += check_findings(&paper[p], findings);
    }
    free(readme);
    free(findings);
    hf_context_free(cx);
    assert_int_equal(n_fault, 0);
}

/* ---- the check itself ---- */

static void faults_are_seen(void **state) {
    static const char text[] =
        "schema: 1\nname: x\ntitle: t\nsource: s, page 1\ndefaults:\n  topology: kary-tree:k=2,n=2\n  "
        "routing: updown\n  traffic: uniform\n"
        "cells:\n  - {label: a, ask: simulate, column: accepted, id: a, load: \"1\", published: \"0.5\"}\n  - {label: b, "
        "ask: simulate, column: accepted, id: b, load: "
        "\"1\", seed: 2}\n  - {label: c, kind: claim, of: a, against: b, holds: \"0%<..5%\"}\n";
    static const struct {
        size_t cell;
        const char *published, *method;
        hf_study_verdict verdict;
        const char *remark, *source, *fault;
    } row[] = {
        {0, "0.5", "20 batches", HF_STUDY_REPRODUCED, "", "s, page 1", NULL},
        {0, "0.6", "20 batches", HF_STUDY_REPRODUCED, "", "s, page 1", "another published value"},
        {0, "0.5", "20 batches", HF_STUDY_REPRODUCED, "", "s, page 2", "another source"},
        {0, "0.5", "20 batches", HF_STUDY_DIFFERS, "", "s, page 1", "no remark"},
        {0, "0.5", "20 batches", HF_STUDY_DIFFERS, "why", "s, page 1", NULL},
        {0, "0.5", "20 batches, not steady", HF_STUDY_REPRODUCED, "", "s, page 1", "not steady"},
        {0, "0.5", "20 batches, not steady", HF_STUDY_NOT_STEADY, "", "s, page 1", NULL},
        {1, "", "20 batches, not steady", HF_STUDY_NO_PUBLISHED, "", "s, page 1", NULL},
        {2, "", "holds in 0%<..5%", HF_STUDY_HOLDS, "", "s, page 1", NULL},
        {2, "", "holds in 0%<..5%, equal runs", HF_STUDY_DOES_NOT_HOLD, "why", "s, page 1", NULL},
        {2, "", "holds in 0%<..5%", HF_STUDY_DOES_NOT_HOLD, "", "s, page 1", "no remark"},
        {2, "", "holds in 0%..5%", HF_STUDY_HOLDS, "", "s, page 1", "another range"},
        {2, "", "holds in 0%<..50%", HF_STUDY_HOLDS, "", "s, page 1", "another range"},
        {2, "", "holds in 0%<..5%, not steady", HF_STUDY_HOLDS, "", "s, page 1", "not steady"},
    };
    hf_context *cx = hf_context_new(NULL);
    hf_study *study;
    (void)state;
    assert_int_equal(hf_study_parse(cx, "in.yaml", text, sizeof text - 1, &study), HF_OK);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const hf_study_line l = {.label = "x",
                                 .published = (char *)row[i].published,
                                 .method = (char *)row[i].method,
                                 .verdict = row[i].verdict,
                                 .remark = (char *)row[i].remark,
                                 .citation = (char *)row[i].source};
        const char *fault = fault_of(&study->cell[row[i].cell], &l);
        if (!fault != !row[i].fault || (fault && !strstr(fault, row[i].fault))) {
            fail_msg("row %zu: \"%s\", expected \"%s\"", i, fault ? fault : "", row[i].fault ? row[i].fault : "");
        }
    }
    hf_study_free(study);
    hf_context_free(cx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(results_are_those_of_the_studies), cmocka_unit_test(faults_are_seen)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
