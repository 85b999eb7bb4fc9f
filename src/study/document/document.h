/** \file
 *  The report of studies: a document for LaTeX and a site of HTML pages, made of templates (report/) and of what studies gave. */
#ifndef HOLDFAST_SRC_STUDY_DOCUMENT_DOCUMENT_H
#define HOLDFAST_SRC_STUDY_DOCUMENT_DOCUMENT_H

#include <holdfast/study.h>

/** A study with what it gave. */
typedef struct hf_document_study {
    const hf_study *study;
    const hf_study_outcome *outcome;
    const char *provenance; /**< NULL: not known */
} hf_document_study;

typedef struct hf_document {
    const hf_document_study *study; /**< n_study */
    size_t n_study;
    const char *findings;   /**< Markdown: a section belongs to each study that it names in backquotes */
    const char *references; /**< Markdown: rows "| key | text |" */
    bool has_explorer;      /**< explorer.html is beside the pages, and linked */
} hf_document;

/** What a paper or a study comes to. */
typedef struct hf_document_tally {
    size_t reproduced, differing, open, not_computable; /**< numbers that are printed */
    size_t holding, not_holding, claims_open, claims_not_computable;
} hf_document_tally;
/** Count the lines of a study in. */
void hf_document_count(const hf_study *study, const hf_study_outcome *outcome, hf_document_tally *tally);

/** Make all files: report.tex and figures for it; index.html, a page for each study, and its figures and lines.
 *  \param[in] save takes a file by its name in the folder of the report, "figures/NAME-1.tex" */
hf_status hf_document_make(hf_context *cx, const hf_document *document,
                           hf_status (*save)(void *user, const char *name, const hf_text *text), void *user);

/* ---- parts ---- */

typedef enum hf_document_form { HF_DOCUMENT_TEX, HF_DOCUMENT_HTML } hf_document_form;

/** Where text goes, and as what. */
typedef struct hf_writer {
    hf_context *cx;
    hf_document_form form;
    hf_text *out;
} hf_writer;

/** Plain text, escaped. */
void hf_write_text(const hf_writer *w, const char *text);
/** Text whose Markdown within a line counts: `code`, **strong**, *emphasis*, links by their text. */
void hf_write_inline(const hf_writer *w, const char *text, size_t size);
/** Paragraphs, lists, tables, blocks of code and headings of Markdown. Headings begin below those of a study. */
void hf_write_markdown(const hf_writer *w, const char *text, size_t size);

/** A name of a template and what stands there, in the form of the template already. */
typedef struct hf_template_value {
    const char *name;
    const char *value; /**< NULL: nothing */
} hf_template_value;
/** Fill a template of report/: {{name}} becomes its value. \return HF_EINVAL: it names a value that is not there */
hf_status hf_template_fill(hf_context *cx, const char *name, const hf_template_value *value, size_t n, hf_text *out);

/** The text of a file that is built in by its name: "study.html", "findings.md". \return NULL: there is none */
const char *hf_document_text(const char *name);

#endif
