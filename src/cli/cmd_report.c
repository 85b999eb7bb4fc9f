/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  holdfast report: what studies gave, as a document for LaTeX and as a site. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "src/cli/commands.h"
#include "src/core/number.h"
#include "src/study/document/document.h"

enum { STUDIES_MOST = 512, FILE_LIMIT = 64 << 20 };

typedef struct reporting {
    const cli *c;
    const char *folder, *results;
    hf_study *study[STUDIES_MOST];
    hf_study_outcome *outcome[STUDIES_MOST];
    hf_document_study entry[STUDIES_MOST];
    size_t n;
    hf_text findings, references;
} reporting;

/* ---- files ---- */

static hf_status make_folder(const reporting *r, const char *name) {
    char *path;
    HF_TRY(hf_scratch_print(r->c->cx, &path, "%s%s", r->folder, name));
    if (mkdir(path, 0777) != 0 && errno != EEXIST) {
        HF_FAIL(r->c->cx, HF_EIO, "folder \"%s\" cannot be made: %s", path, strerror(errno));
    }
    return HF_OK;
}

static hf_status save(void *user, const char *name, const hf_text *text) {
    const reporting *r = user;
    char *path;
    HF_TRY(hf_scratch_print(r->c->cx, &path, "%s/%s", r->folder, name));
    return hf_text_save(r->c->cx, text, path);
}

static hf_status load_result(const reporting *r, const char *name, const char *ending, char **path, hf_text *out) {
    HF_TRY(hf_scratch_print(r->c->cx, path, "%s/%s.%s", r->results, name, ending));
    return hf_text_load(r->c->cx, *path, FILE_LIMIT, out);
}

/* ---- studies ---- */

/* Lines may leave a study for another; a run that made more than are left made these, too. */
static void tell_left(const char *provenance, const hf_study_outcome *outcome, hf_text *line) {
    static const char before[] = "\nlines: ";
    const char *at = provenance ? strstr(provenance, before) : NULL;
    hf_slice number = hf_slice_of(at ? at + strlen(before) : "");
    uint64_t made;
    if (outcome->n_design == 0 && hf_take_number(&number, &made) && made > outcome->n_line) {
        hf_text_print(line, "; left: %zu lines, as the study has no others", outcome->n_line);
    }
}

/* Where its figures come from, on one line; nothing where it is not known. */
static hf_status load_provenance(const reporting *r, const char *name, const hf_study_outcome *outcome, const char **out) {
    hf_text text, line;
    char *path, *copy = NULL;
    hf_text_init(r->c->cx, &text);
    hf_text_init(r->c->cx, &line);
    hf_status status = load_result(r, name, "provenance.txt", &path, &text);
    for (const char *at = text.data; at && *at; at += strspn(at, "\n")) {
        const size_t size = strcspn(at, "\n");
        hf_text_print(&line, "%s%.*s", line.size ? "; " : "", (int)size, at);
        at += size;
    }
    tell_left(text.data, outcome, &line);
    status = status == HF_OK ? hf_text_check(r->c->cx, &line) : status;
    status = status == HF_OK ? hf_scratch_print(r->c->cx, &copy, "%s", line.data ? line.data : "") : status;
    hf_text_free(&line);
    hf_text_free(&text);
    *out = copy;
    return status == HF_ENOENT ? HF_OK : status;
}

/* The lines that it gave, and a copy of them beside its page. */
static hf_status add_study(reporting *r, hf_study *study) {
    const char *name = hf_study_name(study);
    char *path;
    hf_text text;
    r->study[r->n] = study;
    r->outcome[r->n] = NULL;
    hf_document_study *entry = &r->entry[r->n++];
    hf_text_init(r->c->cx, &text);
    hf_status status = load_result(r, name, "csv", &path, &text);
    if (status == HF_OK) {
        status = hf_study_outcome_read(r->c->cx, study, path, text.data ? text.data : "", text.size, &r->outcome[r->n - 1]);
    }
    if (status == HF_OK) {
        HF_TRY(hf_scratch_print(r->c->cx, &path, "%s.csv", name));
        status = save(r, path, &text);
    }
    hf_text_free(&text);
    *entry = (hf_document_study){.study = study, .outcome = r->outcome[r->n - 1]};
    return status == HF_OK ? load_provenance(r, name, entry->outcome, &entry->provenance) : status;
}

static bool has_results(const reporting *r, const char *name) {
    char *path;
    struct stat about;
    return hf_scratch_print(r->c->cx, &path, "%s/%s.csv", r->results, name) == HF_OK && stat(path, &about) == 0;
}

/* Those that are named; else those that are built in and have results. */
static hf_status open_all(reporting *r) {
    const size_t n_named = r->c->n_positional, n = n_named ? n_named : hf_study_embedded_count();
    for (size_t i = 0; i < n && r->n < STUDIES_MOST; i++) {
        const char *name = n_named ? r->c->positional[i] : hf_study_embedded_name(i);
        hf_study *study;
        if (n_named || has_results(r, name)) {
            HF_TRY(hf_study_open(r->c->cx, name, &study));
            HF_TRY(add_study(r, study));
        }
    }
    if (r->n == 0) {
        HF_FAIL(r->c->cx, HF_ENOENT,
                "folder \"%s\" has results of no study; `holdfast study run NAME --output-dir %s` makes some", r->results,
                r->results);
    }
    return HF_OK;
}

/* ---- all ---- */

/* A file that an option names, else what is built in. */
static hf_status load_text(const cli *c, const char *option, const char *built_in, hf_text *out) {
    const char *path = cli_value(c, option), *text = hf_document_text(built_in);
    if (path) {
        return hf_text_load(c->cx, path, FILE_LIMIT, out);
    }
    hf_text_append(out, text, strlen(text));
    return hf_text_check(c->cx, out);
}

static hf_status make(reporting *r) {
    struct stat about;
    char *explorer;
    HF_TRY(make_folder(r, ""));
    HF_TRY(make_folder(r, "/figures"));
    HF_TRY(load_text(r->c, "findings", "findings.md", &r->findings));
    HF_TRY(load_text(r->c, "references", "references.md", &r->references));
    HF_TRY(open_all(r));
    HF_TRY(hf_scratch_print(r->c->cx, &explorer, "%s/explorer.html", r->folder));
    const hf_document document = {.study = r->entry,
                                  .n_study = r->n,
                                  .findings = r->findings.data,
                                  .references = r->references.data,
                                  .has_explorer = stat(explorer, &about) == 0};
    return hf_document_make(r->c->cx, &document, save, r);
}

static int run(cli *c) {
    reporting r = {.c = c, .folder = cli_value(c, "output-dir"), .results = cli_value_or(c, "results", "results")};
    hf_text_init(c->cx, &r.findings);
    hf_text_init(c->cx, &r.references);
    hf_status status = cli_require(c, "output-dir", &r.folder);
    status = status == HF_OK ? make(&r) : status;
    for (size_t i = 0; i < r.n; i++) {
        hf_study_outcome_free(r.outcome[i]);
        hf_study_free(r.study[i]);
    }
    hf_text_free(&r.findings);
    hf_text_free(&r.references);
    return status == HF_OK ? CLI_DONE : cli_fail(c, status);
}

static const cli_option options[] = {
    {"output-dir", "FOLDER", "where the report goes; -o FOLDER says the same"},
    {"results", "FOLDER", "where the results of the studies are (default results)"},
    {"findings", "FILE", "Markdown whose sections tell what differs and why, for the studies that they name (default: our own)"},
    {"references", "FILE", "Markdown with a row \"| key | text |\" for each paper (default: our own)"},
    {0},
};

const cli_command cli_report = {
    .name = "report",
    .summary = "what studies gave, as a document and as a site",
    .usage = "[STUDY...] --output-dir FOLDER",
    .about =
        "Writes report.tex, which latexmk -pdf compiles, and index.html with a page for each study: what was asked, its table\n"
        "and figures, verdicts, what differs and why, and where the figures come from. Computes nothing: the folder of results\n"
        "is what `holdfast study run --output-dir` leaves. A file explorer.html in the folder of the report is linked.\n\n"
        "Example: holdfast report gomez2010-table-3.1 gomez2010-figure-3.13 -o report",
    .positional_min = 0,
    .positional_max = CLI_POSITIONAL_MAX,
    .options = options,
    .run = run,
};
