/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The report of studies: papers in the order in which their studies come, each with its studies. */
#include "src/study/document/document.h"

#include <stdio.h>
#include <string.h>

#include "src/study/document/parts.h"
#include "src/study/study.h"

enum { PAPERS_MOST = 64, KEY_SIZE = 64, VALUES_MOST = 24 };

typedef struct paper {
    char key[KEY_SIZE];
    hf_document_tally tally;
    hf_text studies; /* of the document that is being made */
} paper;

typedef struct maker {
    hf_context *cx;
    const hf_document *document;
    hf_status (*save)(void *user, const char *name, const hf_text *text);
    void *user;
    hf_document_form form;
    paper paper[PAPERS_MOST];
    size_t n_paper;
} maker;

/* Values of a template, each a text of its own until it is filled. */
typedef struct values {
    hf_text text[VALUES_MOST];
    hf_template_value value[VALUES_MOST];
    size_t n;
} values;

static hf_writer add_value(const maker *m, values *v, const char *name) {
    hf_text_init(m->cx, &v->text[v->n]);
    v->value[v->n] = (hf_template_value){name, NULL};
    return (hf_writer){m->cx, m->form, &v->text[v->n++]};
}

static void free_values(values *v) {
    for (size_t i = 0; i < v->n; i++) {
        hf_text_free(&v->text[i]);
    }
}

static hf_status fill(const maker *m, const char *name, values *v, hf_text *out) {
    for (size_t i = 0; i < v->n; i++) {
        HF_TRY(hf_text_check(m->cx, &v->text[i]));
        v->value[i].value = v->text[i].data;
    }
    return hf_template_fill(m->cx, name, v->value, v->n, out);
}

static hf_status fill_and_save(const maker *m, const char *name, values *v, const char *path) {
    hf_text out;
    hf_text_init(m->cx, &out);
    hf_status status = fill(m, name, v, &out);
    status = status == HF_OK ? m->save(m->user, path, &out) : status;
    hf_text_free(&out);
    return status;
}

/* ---- papers ---- */

/* Key of the paper of a study: its source up to a comma. */
static paper *paper_of(maker *m, const hf_study *study) {
    const size_t size = strcspn(study->source, ",");
    char key[KEY_SIZE];
    (void)snprintf(key, sizeof key, "%.*s", (int)size, size ? study->source : "study");
    for (size_t i = 0; i < m->n_paper; i++) {
        if (strcmp(m->paper[i].key, key) == 0) {
            return &m->paper[i];
        }
    }
    if (m->n_paper == PAPERS_MOST) {
        return &m->paper[PAPERS_MOST - 1];
    }
    paper *p = &m->paper[m->n_paper++];
    (void)snprintf(p->key, sizeof p->key, "%s", key);
    hf_text_init(m->cx, &p->studies);
    return p;
}

/* The row "| key | text |" of the references. \return size of the text, 0: there is none */
static size_t find_reference(const hf_document *d, const char *key, const char **text) {
    char head[KEY_SIZE + 8];
    (void)snprintf(head, sizeof head, "\n| %s | ", key);
    const char *row = strstr(d->references, head);
    *text = row ? row + strlen(head) : "";
    const size_t line = strcspn(*text, "\n");
    return line > 2 && (*text)[line - 1] == '|' ? line - 2 : line;
}

/* "KEY: Title", the title being what the reference has in asterisks; the key alone where there is none. */
static void write_heading(const hf_writer *w, const hf_document *d, const char *key) {
    const char *text, *title;
    const size_t size = find_reference(d, key, &text);
    hf_write_text(w, key);
    title = size ? memchr(text, '*', size) : NULL;
    if (title) {
        hf_text_print(w->out, ": ");
        hf_write_inline(w, title + 1, strcspn(title + 1, "*\n"));
    }
}

static void write_reference(const hf_writer *w, const hf_document *d, const char *key) {
    const char *text;
    const size_t size = find_reference(d, key, &text);
    if (size) {
        hf_write_inline(w, text, size);
    } else {
        hf_write_text(w, "No paper: the program against others, and against itself.");
    }
}

/* ---- a study ---- */

static hf_status write_plots(const maker *m, const hf_document_study *s, const hf_writer *w) {
    hf_status status = HF_OK;
    for (size_t i = 0; i < hf_study_plot_count(s->study) && status == HF_OK; i++) {
        const bool is_tex = m->form == HF_DOCUMENT_TEX;
        const char *title = s->study->plot[i].title ? s->study->plot[i].title : s->study->title;
        char path[200], *caption;
        hf_text plot;
        bool any;
        HF_TRY(hf_study_caption(m->cx, s->study, title, "", &caption));
        hf_text_init(m->cx, &plot);
        status = hf_study_outcome_plot(m->cx, s->study, s->outcome, i, is_tex ? HF_PLOT_TEX : HF_PLOT_SVG, &any, &plot);
        if (status == HF_OK && any) {
            (void)snprintf(path, sizeof path, "figures/%s-%zu.%s", s->study->name, i + 1, is_tex ? "tex" : "svg");
            status = m->save(m->user, path, &plot);
            hf_text_print(w->out,
                          is_tex ? "\\begin{figure}\\centering\\holdfastfit{\\input{%s}}\\caption{"
                                 : "<figure><img src=\"%s\" alt=\"",
                          path);
            hf_write_text(w, is_tex ? caption : title);
            if (is_tex) {
                hf_text_print(w->out, "}\\label{fig:%s-%zu}\\end{figure}\n", s->study->name, i + 1);
            } else {
                hf_text_print(w->out, "\"><figcaption>");
                hf_write_text(w, title);
                hf_text_print(w->out, " <a href=\"figures/%s-%zu.tex\">pgfplots</a></figcaption></figure>\n", s->study->name,
                              i + 1);
            }
        }
        hf_text_free(&plot);
    }
    return status;
}

/* What the study says of itself; the file of findings is the text below here. */
static hf_status write_about(const hf_writer *w, const char *about) {
    static const char file[] = "docs/findings.md";
    for (const char *at; (at = strstr(about, file)) != NULL; about = at + sizeof file - 1) {
        const bool begins = at - about < 2 || at[-2] == '.';
        char *before;
        HF_TRY(
            hf_scratch_print(w->cx, &before, "%.*s%s", (int)(at - about), about, begins ? "The text below" : "the text below"));
        hf_write_text(w, before);
    }
    hf_write_text(w, about);
    return HF_OK;
}

static hf_status write_study(const maker *m, const hf_document_study *s, values *v) {
    hf_document_tally tally = {0};
    hf_document_count(s->study, s->outcome, &tally);
    hf_writer w = add_value(m, v, "name");
    hf_write_text(&w, s->study->name);
    w = add_value(m, v, "title");
    hf_write_text(&w, s->study->title);
    w = add_value(m, v, "source");
    hf_write_text(&w, s->study->source);
    w = add_value(m, v, "about");
    HF_TRY(write_about(&w, s->study->about ? s->study->about : ""));
    w = add_value(m, v, "setup");
    HF_TRY(hf_part_setup(&w, s->study));
    w = add_value(m, v, "verdicts");
    hf_part_verdicts(&w, &tally);
    w = add_value(m, v, "pivot");
    HF_TRY(hf_part_pivot(&w, s));
    w = add_value(m, v, "figures");
    HF_TRY(write_plots(m, s, &w));
    w = add_value(m, v, "differences");
    HF_TRY(hf_part_differences(&w, s));
    w = add_value(m, v, "findings");
    hf_part_findings(&w, m->document, s->study->name);
    w = add_value(m, v, "lines");
    HF_TRY(m->form == HF_DOCUMENT_HTML ? hf_part_lines(&w, s) : HF_OK);
    w = add_value(m, v, "provenance");
    hf_write_text(&w, s->provenance ? s->provenance : "not known");
    w = add_value(m, v, "explorer");
    hf_text_print(w.out, "%s", m->document->has_explorer ? " <a href=\"explorer.html\">explorer</a>" : "");
    return HF_OK;
}

/* Into the section of its paper; of a site, onto a page of its own, and one line there. */
static hf_status add_study(maker *m, const hf_document_study *s) {
    paper *p = paper_of(m, s->study);
    values v = {.n = 0};
    char path[200];
    hf_status status = write_study(m, s, &v);
    if (status == HF_OK && m->form == HF_DOCUMENT_TEX) {
        status = fill(m, "study.tex", &v, &p->studies);
    } else if (status == HF_OK) {
        (void)snprintf(path, sizeof path, "%s.html", s->study->name);
        status = fill_and_save(m, "study.html", &v, path);
        status = status == HF_OK ? fill(m, "row.html", &v, &p->studies) : status;
    }
    hf_document_count(s->study, s->outcome, &p->tally);
    free_values(&v);
    return status;
}

/* ---- the whole ---- */

/* A row of the first page. */
static void write_summary_row(const hf_writer *w, const paper *p) {
    const hf_document_tally *t = &p->tally;
    const size_t n[] = {t->reproduced, t->differing,   t->open,        t->not_computable,
                        t->holding,    t->not_holding, t->claims_open, t->claims_not_computable};
    const bool is_tex = w->form == HF_DOCUMENT_TEX;
    hf_text_print(w->out, is_tex ? "  \\hyperref[paper:%s]{%s}" : "<tr><td><a href=\"#%s\">%s</a></td>", p->key, p->key);
    for (size_t i = 0; i < sizeof n / sizeof *n; i++) {
        hf_text_print(w->out, is_tex ? " & %zu" : "<td class=\"number\">%zu</td>", n[i]);
    }
    hf_text_print(w->out, is_tex ? " \\\\\n" : "</tr>\n");
}

static hf_status write_papers(maker *m, const hf_writer *w) {
    for (size_t i = 0; i < m->n_paper; i++) {
        values v = {.n = 0};
        hf_writer one = add_value(m, &v, "key");
        hf_write_text(&one, m->paper[i].key);
        one = add_value(m, &v, "heading");
        write_heading(&one, m->document, m->paper[i].key);
        one = add_value(m, &v, "reference");
        write_reference(&one, m->document, m->paper[i].key);
        const char *text;
        one = add_value(m, &v, "cite");
        if (m->form == HF_DOCUMENT_TEX && find_reference(m->document, m->paper[i].key, &text)) {
            hf_text_print(one.out, "~\\cite{%s}", m->paper[i].key);
        }
        one = add_value(m, &v, "verdicts");
        hf_part_verdicts(&one, &m->paper[i].tally);
        one = add_value(m, &v, "studies");
        hf_text_append(one.out, m->paper[i].studies.data, m->paper[i].studies.size);
        const hf_status status = fill(m, m->form == HF_DOCUMENT_TEX ? "paper.tex" : "paper.html", &v, w->out);
        free_values(&v);
        HF_TRY(status);
    }
    return HF_OK;
}

static hf_status write_whole(maker *m, values *v) {
    hf_writer w = add_value(m, v, "summary");
    for (size_t i = 0; i < m->n_paper; i++) {
        write_summary_row(&w, &m->paper[i]);
    }
    w = add_value(m, v, "papers");
    HF_TRY(write_papers(m, &w));
    w = add_value(m, v, "references");
    for (size_t i = 0; i < m->n_paper; i++) {
        const char *text;
        if (m->form == HF_DOCUMENT_TEX && find_reference(m->document, m->paper[i].key, &text)) {
            hf_text_print(w.out, "\\bibitem{%s} ", m->paper[i].key);
            write_reference(&w, m->document, m->paper[i].key);
            hf_text_print(w.out, ".\n");
        }
    }
    w = add_value(m, v, "version");
    hf_text_print(w.out, "%s", hf_build_version());
    w = add_value(m, v, "explorer");
    hf_text_print(w.out, "%s", m->document->has_explorer ? " <a href=\"explorer.html\">explorer</a>" : "");
    return HF_OK;
}

static hf_status make_form(maker *m) {
    hf_status status = HF_OK;
    values v = {.n = 0};
    for (size_t i = 0; i < m->document->n_study && status == HF_OK; i++) {
        status = add_study(m, &m->document->study[i]);
    }
    status = status == HF_OK ? write_whole(m, &v) : status;
    if (status == HF_OK) {
        const bool is_tex = m->form == HF_DOCUMENT_TEX;
        status = fill_and_save(m, is_tex ? "report.tex" : "index.html", &v, is_tex ? "report.tex" : "index.html");
    }
    free_values(&v);
    for (size_t i = 0; i < m->n_paper; i++) {
        hf_text_free(&m->paper[i].studies);
    }
    return status;
}

static hf_status save_style(hf_context *cx, hf_status (*save)(void *user, const char *name, const hf_text *text), void *user) {
    hf_text style;
    hf_text_init(cx, &style);
    hf_status status = hf_template_fill(cx, "style.css", NULL, 0, &style);
    status = status == HF_OK ? save(user, "style.css", &style) : status;
    hf_text_free(&style);
    return status;
}

hf_status hf_document_make(hf_context *cx, const hf_document *document,
                           hf_status (*save)(void *user, const char *name, const hf_text *text), void *user) {
    static const hf_document_form forms[] = {HF_DOCUMENT_TEX, HF_DOCUMENT_HTML};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        maker *m;
        const hf_mark mark = hf_scratch_mark(cx);
        HF_TRY(hf_scratch(cx, 1, sizeof *m, (void **)&m));
        *m = (maker){.cx = cx, .document = document, .save = save, .user = user, .form = forms[i]};
        const hf_status status = make_form(m);
        hf_scratch_reset(cx, mark);
        HF_TRY(status);
    }
    return save_style(cx, save, user);
}
