/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Forms: which one a report is printed in, and names of files that say another one than what comes into them, which are
 *  refused. */
#include "src/cli/report.h"

#include <string.h>
#include <strings.h>

#include "src/cli/options.h"

/* ---- endings ---- */

typedef struct form {
    const char *name, *endings; /* as in a list with blanks around each */
} form;

static const form text = {"text", " txt "}, svg = {"SVG", " svg "}, csv = {"CSV", " csv "}, dot = {"DOT", " dot gv "},
                  json = {"JSON", " json "}, pdf = {"PDF", " pdf "}, graphml = {"GraphML", " graphml xml "};
/* Of reports, by hf_form. */
static const form of_report[HF_FORMS] = {[HF_FORM_TEXT] = {"text", " txt "},
                                         [HF_FORM_CSV] = {"CSV", " csv "},
                                         [HF_FORM_JSONL] = {"JSON Lines", " jsonl ndjson "},
                                         [HF_FORM_MARKDOWN] = {"Markdown", " md "},
                                         [HF_FORM_LATEX] = {"LaTeX", " tex "},
                                         [HF_FORM_HTML] = {"HTML", " html htm "},
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

static hf_form form_of_ending(const char *path) {
    const char *ending = ending_of(path);
    int f = 0;
    while (f < HF_FORMS && !(*ending && fits(&of_report[f], ending))) {
        f++;
    }
    return f < HF_FORMS ? (hf_form)f : HF_FORM_TEXT;
}

/* ---- reports ---- */

/* Given without a file: it says a form. */
static bool has_flag(const cli *c, const char *name) {
    const char *value = cli_value(c, name);
    return value && !*value;
}

static bool is_called(const hf_param *p, const char *name) {
    return strcmp(p->name, name) == 0 || (p->was && strcmp(p->was, name) == 0);
}

const char *cli_report_alone(const cli *c) {
    const char *name = cli_value(c, "format");
    const hf_param *list = c->command->question ? c->command->question->attachments : NULL, *p = list ? list : hf_no_params;
    for (const hf_param *flag = p; flag->name; flag++) {
        if (flag->type == HF_PARAM_BOOL && has_flag(c, flag->name)) {
            return flag->name;
        }
    }
    for (int f = 0; name && f < HF_FORMS; f++) {
        name = strcmp(name, hf_form_name((hf_form)f)) == 0 ? NULL : name;
    }
    while (name && p->name && !is_called(p, name)) {
        p++;
    }
    return name ? p->name : NULL;
}

/* What is no table has no columns, and is one thing. */
static hf_status refuse_others(const cli *c, const char *alone) {
    static const char *const others[] = {"json", "columns", "table", "digits", "rows", "across", "cell", "label"};
    const char *format = cli_value(c, "format");
    bool is_named = false;
    for (const hf_param *p = c->command->question->attachments; format && p->name; p++) {
        is_named |= p->name == alone && is_called(p, format);
    }
    const char *other = format && !is_named ? "format" : NULL;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        other = cli_has(c, others[i]) ? others[i] : other;
    }
    for (const hf_param *p = c->command->question->attachments; p->name; p++) {
        other = p->name != alone && p->type == HF_PARAM_BOOL && has_flag(c, p->name) ? p->name : other;
    }
    if (other) {
        HF_FAIL(c->cx, HF_EINVAL, "--%s%s and --%s contradict each other; need one of them", is_named ? "format=" : "", alone,
                other);
    }
    return HF_OK;
}

static hf_status find_form(const cli *c, hf_form *out) {
    static const hf_form of_flag[] = {HF_FORM_JSON, HF_FORM_CSV};
    const char *name = cli_value(c, "format"), *path = cli_value(c, "output"), *flag = NULL;
    *out = HF_FORM_TEXT;
    HF_TRY(name ? hf_form_find(c->cx, name, out) : HF_OK);
    for (size_t i = 0; i < sizeof of_flag / sizeof *of_flag; i++) {
        const char *other = hf_form_name(of_flag[i]);
        if (has_flag(c, other) && (name || flag) && *out != of_flag[i]) {
            HF_FAIL(c->cx, HF_EINVAL, "--%s%s and --%s contradict each other; need one of them", name ? "format=" : "",
                    name ? name : flag, other);
        }
        if (has_flag(c, other)) {
            flag = other;
            *out = of_flag[i];
        }
    }
    if (!name && !flag && path) {
        *out = form_of_ending(path);
    }
    return HF_OK;
}

/* A label of LaTeX, and an id of HTML. */
static hf_status check_label(const cli *c, const hf_report_style *style) {
    static const char good[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.:-";
    const char *label = style->label;
    if (label && style->form != HF_FORM_LATEX && style->form != HF_FORM_HTML) {
        HF_FAIL(c->cx, HF_EINVAL, "--label goes with --format latex or html; %s has none", hf_form_name(style->form));
    }
    if (label && label[strspn(label, good)]) {
        HF_FAIL(c->cx, HF_EINVAL, "--label=%s is not right; need letters, digits, \".\", \":\" and \"-\"", label);
    }
    return HF_OK;
}

hf_status cli_report_style(const cli *c, hf_report_style *out) {
    uint64_t digits = 0;
    *out = (hf_report_style){.columns = cli_value(c, "columns"),
                             .table = cli_value(c, "table"),
                             .rows = cli_value(c, "rows"),
                             .across = cli_value(c, "across"),
                             .cell = cli_value(c, "cell"),
                             .label = cli_value(c, "label")};
    const char *alone = cli_report_alone(c);
    if (alone) {
        return refuse_others(c, alone);
    }
    HF_TRY(find_form(c, &out->form));
    if (cli_has(c, "digits")) {
        HF_TRY(cli_number(c, "digits", 1, 17, 1, &digits));
    }
    out->digits = (int)digits;
    return check_label(c, out);
}

static hf_status print(const cli *c, const hf_report *report, const hf_report_style *style) {
    hf_text out;
    hf_text_init(report->cx, &out);
    hf_status status = hf_report_print(report, style, &out);
    status = status == HF_OK && c ? cli_put(c, &out) : status;
    hf_text_free(&out);
    return status;
}

/* An attachment that is asked for alone. */
static hf_status put_alone(const cli *c, const hf_report *report, const char *name) {
    const char *content = hf_report_attachment(report, name);
    hf_text out;
    if (!content) {
        HF_FAIL(c->cx, HF_EINVAL, "--format=%s is not right: this answer has none", name);
    }
    hf_text_init(report->cx, &out);
    hf_text_append(&out, content, strlen(content));
    const hf_status status = cli_put(c, &out);
    hf_text_free(&out);
    return status;
}

/* The same columns, in a file of their own. */
static hf_status save_csv(const cli *c, const hf_report *report, const hf_report_style *style) {
    const char *path = cli_value(c, "csv");
    hf_report_style its = *style;
    hf_text out;
    if (!path || !*path) {
        return HF_OK;
    }
    its.form = HF_FORM_CSV;
    hf_text_init(report->cx, &out);
    hf_status status = hf_report_print(report, &its, &out);
    status = status == HF_OK ? cli_save(c, &out, path) : status;
    hf_text_free(&out);
    return status;
}

hf_status cli_report_put(const cli *c, const hf_report *report, const hf_report *brief, const hf_report_style *style) {
    const char *alone = cli_report_alone(c);
    const bool is_read = style->form != HF_FORM_CSV && style->form != HF_FORM_JSON && style->form != HF_FORM_JSONL;
    HF_TRY(save_csv(c, report, style));
    return alone ? put_alone(c, report, alone) : print(c, brief && is_read ? brief : report, style);
}

hf_status cli_report_check(const hf_report *report, const hf_report_style *style) { return print(NULL, report, style); }

/* ---- files that are written ---- */

/* NULL: any. */
static const form *form_of_name(const char *name) {
    static const struct {
        const char *name;
        const form *form;
    } of[] = {
        {"json", &json}, {"csv", &csv},          {"dot", &dot},
        {"svg", &svg},   {"certificate", &json}, {"pgfplots", &of_report[HF_FORM_LATEX]},
        {"pdf", &pdf},
#define X(function, name, form, flags, help) {name, &form},
#include "src/format/networks.def"
#undef X
    };
    size_t i = 0;
    while (i < sizeof of / sizeof *of && strcmp(name, of[i].name) != 0) {
        i++;
    }
    return i < sizeof of / sizeof *of ? of[i].form : NULL;
}

/* What --output holds: the form that --format or a flag asks for; of a report without them, what its ending says. */
static const form *form_of_output(const cli *c) {
    const char *alone = cli_report_alone(c);
    cli_listed option;
    if (alone) {
        return form_of_name(alone);
    }
    for (size_t o = 0; cli_list_option(c->command, o, &option); o++) {
        if (!option.argument[0] && c->value[o] && form_of_name(option.name)) {
            return form_of_name(option.name);
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
    return !option->argument[0] ? NULL : strcmp(option->name, "output") == 0 ? form_of_output(c) : form_of_name(option->name);
}

/* Is it the name of a file that is written? */
static bool is_written(const cli *c, const cli_listed *option) {
    const hf_param *p = c->command->question ? c->command->question->attachments : NULL;
    while (p && p->name && strcmp(p->name, option->name) != 0) {
        p++;
    }
    return option->argument[0] && ((p && p->name) || strcmp(option->name, "output") == 0 || form_of_name(option->name));
}

/* "-" is standard output, which holds one thing. */
static hf_status check_standard_output(const cli *c) {
    const char *path = cli_value_or(c, "output", "-"), *there = strcmp(path, "-") == 0 ? "output" : NULL;
    cli_listed option;
    for (size_t o = 0; cli_list_option(c->command, o, &option); o++) {
        if (!c->value[o] || strcmp(c->value[o], "-") != 0 || strcmp(option.name, "output") == 0 || !is_written(c, &option)) {
            continue;
        }
        if (there) {
            const bool is_answer = strcmp(there, "output") == 0;
            HF_FAIL(c->cx, HF_EINVAL, "--%s=- would stand among %s on standard output; need a file%s", option.name,
                    is_answer ? "the answer" : "other things", is_answer ? ", or --output FILE for the answer" : "");
        }
        there = option.name;
    }
    return HF_OK;
}

hf_status cli_check_forms(const cli *c) {
    cli_listed option;
    HF_TRY(check_standard_output(c));
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
