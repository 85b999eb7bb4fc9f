/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What results/ holds, against studies/: the lines are those of the studies, what differs or does not hold has its remark,
 * nothing rests on a run that is not steady, and the counts that docs/findings.md and results/README.md print are those of the
 * lines. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/study/job.h"
#include "tests/support/folder.h"

enum { LABEL, PUBLISHED, COMPUTED, INTERVAL, METHOD, VERDICT, REMARK, SOURCE, COLUMNS };
enum { PAPERS_MOST = 16 };

/* ---- CSV, read in place ---- */

typedef struct line {
    char *field[COLUMNS];
} line;

typedef struct results {
    char *text;
    line *row;
    size_t n;
} results;

/* Cut one field off; returns what follows it, NULL at the end of the row. */
static char *take_field(char **at) {
    char *from = *at, *to = from, *out = from;
    const bool is_quoted = *to == '"';
    to += is_quoted;
    while (is_quoted ? !(*to == '"' && to[1] != '"') : *to && *to != ',' && *to != '\r') {
        to += is_quoted && *to == '"';
        *out++ = *to++;
    }
    to += is_quoted;
    to += *to == '\r'; /* rows end with CR LF */
    const char end = *to;
    *out = 0;
    *at = end ? to + 1 : to;
    return end == ',' ? *at : NULL;
}

static bool read_row(char **at, line *out, const char *path) {
    if (!**at) {
        return false;
    }
    for (size_t c = 0; c < COLUMNS; c++) {
        out->field[c] = *at;
        if (!take_field(at) != (c + 1 == COLUMNS)) {
            fail_msg("%s: a row does not have %d columns", path, COLUMNS);
        }
    }
    return true;
}

static void read_results(const char *name, results *out) {
    char path[300];
    size_t size, room = 16;
    line header = {0};
    snprintf(path, sizeof path, "results/%s.csv", name);
    *out = (results){.text = folder_read(path, &size), .row = malloc(room * sizeof *out->row)};
    out->text = realloc(out->text, size + 1);
    out->text[size] = 0;
    char *at = out->text;
    assert_true(read_row(&at, &header, path));
    assert_string_equal(header.field[VERDICT], "verdict");
    while (read_row(&at, &out->row[out->n], path)) {
        if (++out->n == room) {
            out->row = realloc(out->row, (room *= 2) * sizeof *out->row);
        }
    }
}

static void free_results(results *r) {
    free(r->row);
    free(r->text);
}

/* ---- counts ---- */

/* Published values, then claims. */
enum { REPRODUCED, DIFFERS, P_OPEN, P_NONE, HOLDS, NOT, C_OPEN, C_NONE, UNSTEADY, COUNTS };

typedef struct tally {
    char key[32]; /* of a paper */
    size_t n[COUNTS];
} tally;

static bool is_verdict(const line *l, hf_study_verdict verdict) {
    return strcmp(l->field[VERDICT], hf_study_verdict_name(verdict)) == 0;
}

static void count(const hf_study_cell *cell, const line *l, tally *t) {
    const bool is_claim = cell->claim.is_made, is_open = strncmp(l->field[VERDICT], "open", 4) == 0;
    if (!is_claim && !*cell->published) {
        return;
    }
    t->n[REPRODUCED] += is_verdict(l, HF_STUDY_REPRODUCED);
    t->n[DIFFERS] += is_verdict(l, HF_STUDY_DIFFERS);
    t->n[HOLDS] += is_verdict(l, HF_STUDY_HOLDS);
    t->n[NOT] += is_verdict(l, HF_STUDY_DOES_NOT_HOLD);
    t->n[is_claim ? C_OPEN : P_OPEN] += is_open;
    t->n[is_claim ? C_NONE : P_NONE] += is_verdict(l, HF_STUDY_NOT_COMPUTABLE);
    t->n[UNSTEADY] += strcmp(l->field[VERDICT], "open: not steady") == 0;
}

/* ---- a study against its results ---- */

static void complain(const hf_study *study, const hf_study_cell *cell, const line *l, const char *fault, size_t *n_fault) {
    print_error("%s, line %" PRIu32 ", \"%s\": %s\n", study->name, cell->line, l ? l->field[LABEL] : cell->label, fault);
    ++*n_fault;
}

static bool is_line_of(const hf_study_cell *cell, const line *l) {
    const size_t size = strlen(cell->label);
    return strncmp(l->field[LABEL], cell->label, size) == 0 && (!l->field[LABEL][size] || l->field[LABEL][size] == ',');
}

/* A line for each number of faults, each value that a program goes over, or each load. */
static size_t lines_of(const hf_study_cell *cell) {
    size_t n = cell->n_f > 1 ? cell->n_f : 1;
    for (const char *c = cell->over ? cell->over : ""; *c; c++) {
        n += *c == ',';
    }
    return cell->n_f == 0 && cell->simulation.n_load > 1 && cell->show != HF_SHOW_THROUGHPUT ? cell->simulation.n_load : n;
}

static const char *fault_of(const hf_study_cell *cell, const line *l) {
    char range[HF_STUDY_RANGE_SIZE], word[HF_STUDY_RANGE_SIZE + 16];
    const bool is_decided = is_verdict(l, HF_STUDY_HOLDS) || is_verdict(l, HF_STUDY_DOES_NOT_HOLD) ||
                            is_verdict(l, HF_STUDY_REPRODUCED) || is_verdict(l, HF_STUDY_DIFFERS);
    if (strcmp(l->field[PUBLISHED], cell->published) != 0 || strcmp(l->field[SOURCE], cell->citation) != 0) {
        return "the study prints another published value, or another source";
    }
    if (!*l->field[REMARK] && (is_verdict(l, HF_STUDY_DOES_NOT_HOLD) || is_verdict(l, HF_STUDY_DIFFERS))) {
        return "it differs or does not hold, and has no remark";
    }
    if (is_decided && strstr(l->field[METHOD], "not steady")) {
        return "it rests on a run that is not steady";
    }
    if (cell->claim.is_made && !is_verdict(l, HF_STUDY_NOT_COMPUTABLE)) {
        hf_study_print_range(cell, range, sizeof range);
        snprintf(word, sizeof word, "holds in %s", range);
        const char *at = strstr(l->field[METHOD], word);
        return at && strchr(",", at[strlen(word)]) ? NULL : "the study claims another range";
    }
    return cell->not_computable && strcmp(cell->not_computable, l->field[REMARK]) != 0 ? "the study gives another reason" : NULL;
}

/* Cell after cell, its lines. */
static size_t check_study(const hf_study *study, const results *r, tally *t) {
    size_t at = 0, n_fault = 0;
    for (size_t c = 0; c < study->n_cell && n_fault < 10; c++) {
        const hf_study_cell *cell = &study->cell[c];
        for (size_t n = lines_of(cell); n > 0; n--, at++) {
            if (at == r->n || !is_line_of(cell, &r->row[at])) {
                complain(study, cell, NULL, "results/ has no such line here", &n_fault);
                return n_fault;
            }
            const char *fault = fault_of(cell, &r->row[at]);
            if (fault) {
                complain(study, cell, &r->row[at], fault, &n_fault);
            }
            count(cell, &r->row[at], t);
        }
    }
    if (at < r->n) {
        print_error("%s: the study has no line \"%s\"\n", study->name, r->row[at].field[LABEL]);
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

/* results/README.md says of a study that its lines are older than the study: they are not compared, and not counted. */
static bool is_marked_old(const hf_study *study, const char *readme) {
    char link[200];
    snprintf(link, sizeof link, "| [%s](%s.md) |", study->name, study->name);
    const char *row = strstr(readme, link), *mark = row ? strstr(row, "| to be made anew |") : NULL;
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
    char counts[200], link[200];
    describe(t, counts, sizeof counts);
    snprintf(link, sizeof link, "| [%s](%s.md) |", study->name, study->name);
    const char *row = strstr(readme, link), *end = row ? strchr(row, '\n') : NULL;
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
        results r;
        tally own = {0};
        assert_int_equal(hf_study_open(cx, hf_study_embedded_name(i), &study), HF_OK);
        read_results(study->name, &r);
        tally *t = paper_of(study, paper, &n_paper);
        if (is_marked_old(study, readme)) {
            n_fault += check_named(study, findings);
        } else {
            n_fault += check_study(study, &r, &own);
            n_fault += check_readme(study, &own, readme);
        }
        for (size_t k = 0; k < COUNTS; k++) {
            t->n[k] += own.n[k];
        }
        free_results(&r);
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
    static const char text[] = "schema: 1\nname: x\ntitle: t\nsource: s, page 1\ndefaults:\n  topology: kary-tree:k=2,n=2\n  "
                               "routing: updown\n  traffic: uniform\n"
                               "cells:\n  - {label: a, kind: simulate, id: a, load: \"1\", published: \"0.5\"}\n  - {label: b, "
                               "kind: simulate, id: b, load: "
                               "\"1\", seed: 2}\n  - {label: c, kind: claim, of: a, against: b, holds: \"0%<..5%\"}\n";
    static const struct {
        size_t cell;
        const char *published, *method, *verdict, *remark, *source, *fault;
    } row[] = {
        {0, "0.5", "20 batches", "reproduced", "", "s, page 1", NULL},
        {0, "0.6", "20 batches", "reproduced", "", "s, page 1", "another published value"},
        {0, "0.5", "20 batches", "reproduced", "", "s, page 2", "another source"},
        {0, "0.5", "20 batches", "differs", "", "s, page 1", "no remark"},
        {0, "0.5", "20 batches", "differs", "why", "s, page 1", NULL},
        {0, "0.5", "20 batches, not steady", "reproduced", "", "s, page 1", "not steady"},
        {0, "0.5", "20 batches, not steady", "open: not steady", "", "s, page 1", NULL},
        {1, "", "20 batches, not steady", "no published value", "", "s, page 1", NULL},
        {2, "", "holds in 0%<..5%", "holds", "", "s, page 1", NULL},
        {2, "", "holds in 0%<..5%, equal runs", "does not hold", "why", "s, page 1", NULL},
        {2, "", "holds in 0%<..5%", "does not hold", "", "s, page 1", "no remark"},
        {2, "", "holds in 0%..5%", "holds", "", "s, page 1", "another range"},
        {2, "", "holds in 0%<..50%", "holds", "", "s, page 1", "another range"},
        {2, "", "holds in 0%<..5%, not steady", "holds", "", "s, page 1", "not steady"},
    };
    hf_context *cx = hf_context_new(NULL);
    hf_study *study;
    (void)state;
    assert_int_equal(hf_study_parse(cx, "in.yaml", text, sizeof text - 1, &study), HF_OK);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const line l = {.field = {"x", (char *)row[i].published, "1", "", (char *)row[i].method, (char *)row[i].verdict,
                                  (char *)row[i].remark, (char *)row[i].source}};
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
