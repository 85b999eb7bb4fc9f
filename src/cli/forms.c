/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of files that are written: one that says another form than what comes into it is refused. */
#include <string.h>
#include <strings.h>

#include "src/cli/options.h"
#include "src/cli/report.h"

typedef struct form {
    const char *name, *endings; /* as in a list with blanks around each */
} form;

static const form text = {"text", " txt "}, svg = {"SVG", " svg "}, csv = {"CSV", " csv "}, dot = {"DOT", " dot gv "},
                  json = {"JSON", " json "}, graphml = {"GraphML", " graphml xml "};
/* Of reports, by hf_form. */
static const form of_report[HF_FORMS] = {[HF_FORM_TEXT] = {"text", " txt "},
                                         [HF_FORM_CSV] = {"CSV", " csv "},
                                         [HF_FORM_JSONL] = {"JSON Lines", " jsonl ndjson "},
                                         [HF_FORM_MARKDOWN] = {"Markdown", " md "},
                                         [HF_FORM_LATEX] = {"LaTeX", " tex "},
                                         [HF_FORM_JSON] = {"JSON", " json "}};

/* Endings that say a form; others, and names without any, fit all. */
static const char *const telling[] = {"svg",    "json", "csv", "dot",    "gv",   "graphml", "xml", "png", "pdf",
                                      "jpg",    "jpeg", "gif", "eps",    "ps",   "webp",    "bmp", "tif", "tiff",
                                      "html",   "htm",  "tsv", "sqlite", "yaml", "yml",     "tex", "md",  "jsonl",
                                      "ndjson", "txt",  "xls", "xlsx",   "ods",  "zip",     "gz",  NULL};

static const char *ending_of(const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *point = strrchr(name, '.');
    return point && point > name ? point + 1 : "";
}

static bool tells_form(const char *ending) {
    size_t i = 0;
    while (telling[i] && strcasecmp(ending, telling[i]) != 0) {
        i++;
    }
    return telling[i] != NULL;
}

static bool fits(const form *f, const char *ending) {
    const size_t size = strlen(ending);
    for (const char *at = f->endings; *at; at++) {
        if (at[0] == ' ' && strncasecmp(at + 1, ending, size) == 0 && at[1 + size] == ' ') {
            return true;
        }
    }
    return false;
}

hf_form cli_form_of_ending(const char *path) {
    const char *ending = ending_of(path);
    int f = 0;
    while (f < HF_FORMS && !(*ending && fits(&of_report[f], ending))) {
        f++;
    }
    return f < HF_FORMS ? (hf_form)f : HF_FORM_TEXT;
}

/* What --output holds: the form that --format or a flag asks for; of a report without them, what its ending says. */
static const form *form_of_output(const cli *c) {
    static const struct {
        const char *flag;
        const form *form;
    } of[] = {{"json", &json}, {"csv", &csv}, {"dot", &dot}, {"graphml", &graphml}, {"svg", &svg}};
    cli_listed option;
    for (size_t o = 0; cli_list_option(c->command, o, &option); o++) {
        for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
            if (!option.argument[0] && c->value[o] && strcmp(option.name, of[i].flag) == 0) {
                return of[i].form;
            }
        }
    }
    hf_report_style style;
    if (cli_takes(c, "format") && cli_report_style(c, &style) == HF_OK) {
        return &of_report[style.form];
    }
    const bool is_export = c->n_positional > 0 && strcmp(c->positional[0], "export") == 0;
    return is_export ? &csv : &text;
}

static const form *form_of(const cli *c, const cli_listed *option) {
    return !option->argument[0]                       ? NULL
           : strcmp(option->name, "svg") == 0         ? &svg
           : strcmp(option->name, "csv") == 0         ? &csv
           : strcmp(option->name, "certificate") == 0 ? &json
           : strcmp(option->name, "output") == 0      ? form_of_output(c)
                                                      : NULL;
}

hf_status cli_check_forms(const cli *c) {
    cli_listed option;
    for (size_t o = 0; cli_list_option(c->command, o, &option); o++) {
        const form *f = c->value[o] ? form_of(c, &option) : NULL;
        const char *ending = f ? ending_of(c->value[o]) : "";
        if (f && tells_form(ending) && !fits(f, ending)) {
            HF_FAIL(c->cx, HF_EINVAL, "--%s=%s is not right: what is written is %s; need a name that does not end in .%s",
                    option.name, c->value[o], f->name, ending);
        }
    }
    return HF_OK;
}
