/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What the report says of one study. */
#include "src/study/document/parts.h"

#include <stdio.h>
#include <string.h>

#include "src/report/said.h"
#include "src/study/job.h"

/* ---- counts ---- */

void hf_document_count(const hf_study *study, const hf_study_outcome *outcome, hf_document_tally *t) {
    for (size_t i = 0; i < outcome->n_line; i++) {
        const hf_study_verdict v = outcome->line[i].verdict;
        const hf_study_cell *cell = &study->cell[outcome->line[i].cell];
        const bool is_claim = cell->claim.is_made, is_printed = !is_claim && *cell->published;
        const bool is_open = v == HF_STUDY_OPEN || v == HF_STUDY_NOT_STEADY;
        t->reproduced += v == HF_STUDY_REPRODUCED;
        t->differing += v == HF_STUDY_DIFFERS;
        t->holding += v == HF_STUDY_HOLDS;
        t->not_holding += v == HF_STUDY_DOES_NOT_HOLD;
        t->open += is_printed && is_open;
        t->claims_open += is_claim && is_open;
        t->not_computable += is_printed && v == HF_STUDY_NOT_COMPUTABLE;
        t->claims_not_computable += is_claim && v == HF_STUDY_NOT_COMPUTABLE;
    }
}

/* "12 printed numbers: 10 reproduced, 1 differs, 1 open." \param[in] words of one, and of several */
static void put_counts(const hf_writer *w, const char *what, const size_t n[4], const char *const words[4][2]) {
    size_t all = 0;
    bool is_first = true;
    for (int i = 0; i < 4; i++) {
        all += n[i];
    }
    if (all == 0) {
        return;
    }
    hf_text_print(w->out, "%zu %s%s: ", all, what, all == 1 ? "" : "s");
    for (int i = 0; i < 4; i++) {
        if (n[i] > 0) {
            hf_text_print(w->out, "%s%zu %s", is_first ? "" : ", ", n[i], words[i][n[i] > 1]);
            is_first = false;
        }
    }
    hf_text_print(w->out, ". ");
}

void hf_part_verdicts(const hf_writer *w, const hf_document_tally *t) {
    static const char open[] = "open", left[] = "not computable here";
    static const char *const of_numbers[][2] = {{"reproduced", "reproduced"}, {"differs", "differ"}, {open, open}, {left, left}};
    static const char *const of_claims[][2] = {{"holds", "hold"}, {"does not hold", "do not hold"}, {open, open}, {left, left}};
    const size_t before = w->out->size;
    put_counts(w, "printed number", (size_t[]){t->reproduced, t->differing, t->open, t->not_computable}, of_numbers);
    put_counts(w, "claim", (size_t[]){t->holding, t->not_holding, t->claims_open, t->claims_not_computable}, of_claims);
    if (w->out->size == before) {
        hf_text_print(w->out, "The paper prints no numbers to compare with.");
    }
}

/* ---- set-up ---- */

enum { VALUES_MOST = 6, COMMON_LEAST = 60, KEPT = 4 }; /* lines that end a long table together */

/* How much all values begin with, up to a comma or a blank; 0: too little to be said once for all. */
static size_t common_start(const char *const *value, size_t n) {
    size_t size = n > 1 ? strlen(value[0]) : 0;
    for (size_t k = 1; k < n; k++) {
        size_t same = 0;
        while (same < size && value[k][same] == value[0][same]) {
            same++;
        }
        const bool is_whole =
            (!value[k][same] || strchr(", ", value[k][same])) && (!value[0][same] || strchr(", ", value[0][same]));
        while (!is_whole && same > 0 && !strchr(", ", value[0][same])) {
            same--;
        }
        size = same;
    }
    return size >= COMMON_LEAST ? size : 0;
}

static void put_code(const hf_writer *w, const char *text, size_t size) {
    char code[600];
    while (size > 0 && text[size - 1] == ' ') {
        size--;
    }
    (void)snprintf(code, sizeof code, "`%.*s`", (int)size, text);
    hf_write_inline(w, code, strlen(code));
}

/* Different values of a key, in the order of the cells: some, and how many more there are. */
static void put_values(const hf_writer *w, const hf_study *study, hf_study_key key, const char *what) {
    const char *found[256];
    size_t n = 0;
    for (size_t i = 0; i < study->n_cell; i++) {
        const char *value = study->cell[i].kind == HF_STUDY_ASK ? study->document.cell[i].value[key] : NULL;
        size_t k = 0;
        while (value && k < n && strcmp(found[k], value) != 0) {
            k++;
        }
        if (value && k == n && n < sizeof found / sizeof *found) {
            found[n++] = value;
        }
    }
    if (n == 0) {
        return;
    }
    const bool is_tex = w->form == HF_DOCUMENT_TEX;
    hf_text_print(w->out, is_tex ? "\\item[%s] " : "<dt>%s</dt><dd>", what);
    const size_t common = common_start(found, n);
    if (common) {
        put_code(w, found[0], common);
        hf_text_print(w->out, "; besides ");
    }
    for (size_t k = 0; k < n && k < VALUES_MOST; k++) {
        const char *own = found[k] + common + (common && found[k][common] != 0);
        hf_text_print(w->out, "%s%s", k ? "; " : "", *own ? "" : "nothing");
        if (*own) {
            put_code(w, own, strlen(own));
        }
    }
    if (n > VALUES_MOST) {
        hf_text_print(w->out, " and %zu more", n - VALUES_MOST);
    }
    hf_text_print(w->out, is_tex ? "\n" : "</dd>\n");
}

hf_status hf_part_setup(const hf_writer *w, const hf_study *study) {
    static const struct {
        hf_study_key key;
        const char *what;
    } keys[] = {{HF_KEY_ASK, "Asked"},           {HF_KEY_COLUMN, "Shown"},        {HF_KEY_TOPOLOGY, "Networks"},
                {HF_KEY_ROUTING, "Rules"},       {HF_KEY_UNIVERSE, "What fails"}, {HF_KEY_FAULTS, "Faults"},
                {HF_KEY_CRITERION, "Criterion"}, {HF_KEY_METHOD, "Method"},       {HF_KEY_TRAFFIC, "Traffic"},
                {HF_KEY_LOAD, "Load"},           {HF_KEY_ROUTER, "Router"},       {HF_KEY_MEASURE, "Measurement"}};
    const size_t before = w->out->size;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        put_values(w, study, keys[i].key, keys[i].what);
    }
    if (w->out->size == before) { /* a list must have an item */
        hf_text_print(w->out, w->form == HF_DOCUMENT_TEX ? "\\item[Asked] nothing\n" : "<dt>Asked</dt><dd>nothing</dd>\n");
    }
    return hf_text_check(w->cx, w->out);
}

/* ---- tables ---- */

static hf_status put_report(const hf_writer *w, const hf_document_study *s, const hf_study_outcome *outcome, const char *suffix,
                            const char *title, hf_report_style style) {
    hf_report report;
    char *reference, *whole, *caption;
    const hf_mark mark = hf_scratch_mark(w->cx);
    style.form = w->form == HF_DOCUMENT_TEX ? HF_FORM_LATEX : HF_FORM_HTML;
    HF_TRY(hf_study_outcome_report(w->cx, s->study, outcome, &report));
    HF_TRY(hf_scratch_print(w->cx, &reference, "%s%s", s->study->name, suffix));
    HF_TRY(hf_scratch_print(w->cx, &whole, "%s%s", s->study->title, title));
    HF_TRY(hf_study_caption(w->cx, s->study, s->study->title, title, &caption));
    report.title = whole;
    report.caption = caption;
    report.reference = reference;
    report.table[0].note = NULL; /* the study says it above */
    const hf_status status = hf_report_print(&report, &style, w->out);
    hf_scratch_reset(w->cx, mark);
    return status;
}

hf_status hf_part_pivot(const hf_writer *w, const hf_document_study *s) {
    hf_report_style style = {0};
    if (!s->study->document.top.value[HF_KEY_ROWS]) {
        return HF_OK;
    }
    HF_TRY(hf_study_turn(w->cx, s->study, &style));
    return put_report(w, s, s->outcome, "", "", style);
}

static bool is_different(const hf_study_line *line) {
    return line->verdict == HF_STUDY_DIFFERS || line->verdict == HF_STUDY_DOES_NOT_HOLD;
}

static hf_status put_numbers(const hf_writer *w, const char *text) {
    const char *grouped;
    HF_TRY(hf_said_grouped(w->cx, text, &grouped));
    hf_write_text(w, grouped);
    return HF_OK;
}

/* "0%<..5%" as people write it. */
static hf_status put_range(const hf_writer *w, const char *range) {
    const char *middle = strstr(range, "..");
    const size_t low = middle ? (size_t)(middle - range) : 0;
    const bool excludes_low = low > 0 && range[low - 1] == '<', excludes_high = middle && middle[2] == '<';
    const char *high = middle ? middle + 2 + excludes_high : "";
    char from[HF_STUDY_RANGE_SIZE];
    (void)snprintf(from, sizeof from, "%.*s", (int)(low - excludes_low), range);
    const bool is_one = strcmp(from, high) == 0, has_both = *from && *high && !is_one;
    const bool is_plain = is_one || (has_both && !excludes_low && !excludes_high);
    if (*from) {
        hf_text_print(w->out, "%s", is_plain ? "" : excludes_low ? "$>$ " : "$\\geq$ ");
        HF_TRY(put_numbers(w, from));
        hf_text_print(w->out, "%s", !has_both ? "" : is_plain ? " to " : ", ");
    }
    if (*high && !is_one) {
        hf_text_print(w->out, "%s", is_plain ? "" : excludes_high ? "$<$ " : "$\\leq$ ");
        HF_TRY(put_numbers(w, high));
    }
    return HF_OK;
}

/* An interval "14 to 14" that says no more than its value. */
static bool is_point(const char *interval, const char *value) {
    const size_t size = strlen(value);
    return strncmp(interval, value, size) == 0 && strncmp(interval + size, " to ", 4) == 0 &&
           strcmp(interval + size + 4, value) == 0;
}

/* A line: what the paper says, or the range of a claim, beside what is computed. \param[in] is_kept on a page with the next */
static hf_status put_difference(const hf_writer *w, const hf_study *study, const hf_study_line *line, bool is_kept) {
    const hf_study_cell *cell = &study->cell[line->cell];
    char range[HF_STUDY_RANGE_SIZE], *computed, *interval;
    HF_TRY(hf_study_say(w->cx, cell, line, &computed, &interval));
    hf_write_text(w, line->label);
    hf_text_print(w->out, " & ");
    if (cell->claim.is_made) {
        hf_study_print_range(cell, range, sizeof range);
        HF_TRY(put_range(w, range));
    } else {
        HF_TRY(put_numbers(w, line->published));
    }
    hf_text_print(w->out, " & ");
    HF_TRY(put_numbers(w, computed));
    if (interval && !is_point(interval, computed)) {
        hf_text_print(w->out, " (");
        HF_TRY(put_numbers(w, interval));
        hf_text_print(w->out, ")");
    }
    hf_text_print(w->out, " & %s \\\\%s\n", hf_study_verdict_name(line->verdict), is_kept ? "*" : "");
    return HF_OK;
}

/* A table over pages, in which lines of one remark stand below it. \param[in] some lines that differ */
static hf_status put_long_table(const hf_writer *w, const hf_document_study *s, const hf_study_outcome *some) {
    const char *remark = "";
    char *caption;
    hf_text_print(
        w->out,
        "{\\footnotesize\\begin{longtable}{@{}>{\\raggedright\\arraybackslash}p{0.46\\linewidth}>{"
        "\\raggedright\\arraybackslash}p{0.12\\linewidth}>{\\raggedright\\arraybackslash}p{0.23\\linewidth}l@{}}\n\\caption{");
    HF_TRY(hf_study_caption(w->cx, s->study, s->study->title, ": what differs", &caption));
    hf_write_text(w, caption);
    hf_text_print(
        w->out,
        "}\\label{tab:%s-differences}\\\\\n\\toprule\nvalue or claim & published, claimed & computed (95\\%% interval) & "
        "verdict \\\\\n\\midrule\n\\endfirsthead\n\\toprule\nvalue or claim & published, claimed & computed & verdict "
        "\\\\\n\\midrule\n\\endhead\n"
        "\\bottomrule\n\\endlastfoot\n",
        s->study->name);
    for (size_t i = 0; i < some->n_line; i++) {
        const hf_study_line *line = &some->line[i];
        const size_t left = some->n_line - 1 - i;
        if (strcmp(remark, line->remark) != 0) {
            hf_text_print(w->out, "\\multicolumn{4}{@{}p{\\linewidth}@{}}{\\emph{");
            hf_write_text(w, line->remark);
            hf_text_print(w->out, "}} \\\\*\n");
            remark = line->remark;
        }
        HF_TRY(put_difference(w, s->study, line, left < KEPT && left > 0));
    }
    hf_text_print(w->out, "\\end{longtable}}\n");
    return HF_OK;
}

/* A remark without the file where it is told at length: the report has that below. */
static hf_status cut_remark(hf_context *cx, const char *remark, char **out) {
    static const char *const ends[] = {"; docs/findings.md", "; see docs/findings.md"};
    size_t size = strlen(remark);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const size_t end = strlen(ends[i]);
        size -= size > end && strcmp(remark + size - end, ends[i]) == 0 ? end : 0;
    }
    return hf_scratch_print(cx, out, "%.*s", (int)size, remark);
}

hf_status hf_part_differences(const hf_writer *w, const hf_document_study *s) {
    hf_study_outcome some = *s->outcome;
    const hf_mark mark = hf_scratch_mark(w->cx);
    HF_TRY(hf_scratch(w->cx, some.n_line + 1, sizeof *some.line, (void **)&some.line));
    some.n_line = 0;
    for (size_t i = 0; i < s->outcome->n_line; i++) {
        if (is_different(&s->outcome->line[i])) {
            some.line[some.n_line] = s->outcome->line[i];
            HF_TRY(cut_remark(w->cx, some.line[some.n_line].remark, &some.line[some.n_line].remark));
            some.n_line++;
        }
    }
    hf_status status = HF_OK;
    if (some.n_line > 0 && w->form == HF_DOCUMENT_TEX) {
        status = put_long_table(w, s, &some);
    } else if (some.n_line > 0) {
        const hf_report_style style = {.table = "lines", .columns = "cell,published,computed,interval,method,verdict,remark"};
        status = put_report(w, s, &some, "-differences", ": what differs", style);
    }
    hf_scratch_reset(w->cx, mark);
    return status;
}

hf_status hf_part_lines(const hf_writer *w, const hf_document_study *s) {
    return put_report(w, s, s->outcome, "-lines", ": all lines", (hf_report_style){0});
}

/* ---- findings ---- */

/* Does a section name the study, in backquotes? */
static bool is_named(const char *from, const char *end, const char *name) {
    const size_t size = strlen(name);
    for (const char *at = from; at && at < end; at++) {
        at = memchr(at, '`', (size_t)(end - at));
        if (!at) {
            return false;
        }
        if ((size_t)(end - at) > size + 1 && memcmp(at + 1, name, size) == 0 && at[1 + size] == '`') {
            return true;
        }
    }
    return false;
}

/* The first study that a section names: there it stands in a document, where other studies only point. */
static const hf_study *first_named(const hf_document *d, const char *from, const char *end) {
    size_t i = 0;
    while (i < d->n_study && !is_named(from, end, d->study[i].study->name)) {
        i++;
    }
    return i < d->n_study ? d->study[i].study : NULL;
}

static void put_pointer(const hf_writer *w, const char *head, const hf_study *study) {
    hf_text_print(w->out, "\\paragraph{");
    hf_write_inline(w, head, strcspn(head, "\n"));
    hf_text_print(w->out, "} In section~\\ref{study:%s}, page~\\pageref{study:%s}.\n\n", study->name, study->name);
}

void hf_part_findings(const hf_writer *w, const hf_document *document, const char *name) {
    static const char head[] = "\n## ";
    for (const char *at = strstr(document->findings, head), *next; at; at = next) {
        next = strstr(at + 1, head);
        const char *end = next ? next : at + strlen(at);
        if (!is_named(at, end, name)) {
            continue;
        }
        const hf_study *first = w->form == HF_DOCUMENT_TEX ? first_named(document, at, end) : NULL;
        if (first && strcmp(first->name, name) != 0) {
            put_pointer(w, at + sizeof head - 1, first);
        } else {
            hf_write_markdown(w, at + 1, (size_t)(end - at) - 1);
        }
    }
}
