/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  holdfast manual: the manual page of a command, made of its options and, of a question, its descriptor. The language is
 *  mdoc(7). */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "src/cli/commands.h"
#include "src/cli/options.h"

/* The day of the last change that a reader of the pages would notice. */
static const char date[] = "November 24, 2026";

/* Text of a line: what mdoc would read as its own is escaped. \param[in] is_start nothing stands before it on the line */
static void put_words(const char *text, size_t size, bool is_start, hf_text *out) {
    if (is_start && size && (*text == '.' || *text == '\'')) {
        hf_text_print(out, "\\&");
    }
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '\\') {
            hf_text_print(out, "\\e");
        } else {
            hf_text_append(out, text + i, 1);
        }
    }
}

/* How many bytes of the line are a sentence with its blank, as manuals begin each on a line of its own. */
static size_t sentence_size(const char *text, size_t size) {
    for (size_t i = 1; i + 1 < size; i++) {
        if (text[i] == ' ' && strchr(".:!?", text[i - 1]) && (text[i - 1] != ':' || isupper((unsigned char)text[i + 1]))) {
            return i + 1;
        }
    }
    return size;
}

/* A line of a page has 80 characters at most. */
static size_t line_size(const char *text, size_t size) {
    enum { WIDEST = 78 };
    size_t n = size < WIDEST ? size : WIDEST;
    while (n < size && n > 0 && text[n] != ' ') {
        n--;
    }
    return n ? n : size;
}

static void put_sentences(const char *text, size_t size, hf_text *out) {
    while (size > 0) {
        const size_t whole = sentence_size(text, size), shown = line_size(text, whole < size ? whole - 1 : whole);
        put_words(text, shown, true, out);
        hf_text_append(out, "\n", 1);
        text += shown;
        size -= shown;
        while (size > 0 && *text == ' ') {
            text++;
            size--;
        }
    }
}

/* Lines of the text as the command has it: an empty one is a paragraph, "Example: X" a line to type. */
static void put_about(const char *about, hf_text *out) {
    static const char example[] = "Example: ";
    while (*about) {
        const size_t size = strcspn(about, "\n");
        if (size == 0) {
            hf_text_print(out, ".Pp\n");
        } else if (strncmp(about, example, sizeof example - 1) == 0) {
            hf_text_print(out, ".Dl ");
            put_words(about + sizeof example - 1, size - (sizeof example - 1), false, out);
            hf_text_append(out, "\n", 1);
        } else {
            put_sentences(about, size, out);
        }
        about += size + (about[size] == '\n');
    }
}

/* ".It Fl -name Ar FILE", with what can be left out in brackets. */
static void put_option(const cli_listed *o, hf_text *out) {
    const hf_param *p = o->param;
    const size_t size = strlen(o->argument);
    hf_text_print(out, ".It Fl -%s", o->name);
    if (o->argument[0] == '[') {
        hf_text_print(out, " Ns Op = Ns Ar %.*s", (int)size - 2, o->argument + 1);
    } else if (size) {
        hf_text_print(out, " Ar %s", o->argument);
    }
    hf_text_append(out, "\n", 1);
    put_sentences(o->help, strlen(o->help), out);
    const bool has_range = p && p->type != HF_PARAM_BOOL && p->type != HF_PARAM_TEXT && p->type != HF_PARAM_WORD;
    if (has_range && p->type != HF_PARAM_WORDS) {
        char range[256];
        hf_param_range(p, range, sizeof range);
        hf_text_print(out, ".Po\n");
        put_words(range, strlen(range), true, out);
        if (o->fallback) {
            hf_text_print(out, "; default ");
            put_words(o->fallback, strlen(o->fallback), false, out);
        }
        hf_text_print(out, "\n.Pc\n");
    }
}

static void put_options(const cli_command *command, hf_text *out) {
    cli_listed option[CLI_OPTION_MAX];
    const char *topic = NULL;
    const size_t n = cli_list_grouped(command, option);
    hf_text_print(out, ".Sh OPTIONS\n");
    for (size_t i = 0; i < n; i++) {
        const char *of = option[i].topic;
        if (!topic || strcmp(topic, of) != 0) {
            hf_text_print(out, "%s.Ss %c%s\n.Bl -tag -width Ds\n", topic ? ".El\n" : "", toupper((unsigned char)*of), of + 1);
        }
        topic = of;
        put_option(&option[i], out);
    }
    hf_text_print(out, "%s", topic ? "" : ".Bl -tag -width Ds\n");
    hf_text_print(out, ".It Fl -help\nprint the help of the command\n.El\n");
}

static void put_columns(const hf_column *columns, const char *table, const char *given, hf_text *out) {
    hf_text_print(out, ".Ss Table %s%s%s\n.Bl -tag -width Ds\n", table, given ? ", with --" : "", given ? given : "");
    for (const hf_column *c = columns; c->key; c++) {
        hf_text_print(out, ".It Cm %s\n%s%s%s\n", c->key, c->heading, c->unit ? ", " : "", c->unit ? c->unit : "");
    }
    hf_text_print(out, ".El\n");
}

static void put_question(const hf_question *q, hf_text *out) {
    hf_text_print(out, ".Sh COLUMNS\nThe keys of\n.Fl -columns ,\nCSV and JSON.\n");
    put_columns(q->columns, q->table, NULL, out);
    for (const hf_question_form *f = q->forms; f && f->given; f++) {
        put_columns(f->columns, f->table, f->given, out);
    }
    if (q->source) {
        char source[512];
        (void)snprintf(source, sizeof source, "%s; see", q->source);
        hf_text_print(out, ".Sh SOURCE\n");
        put_sentences(source, strlen(source), out);
        hf_text_print(out, ".Pa docs/references.md .\n");
    }
}

static hf_status put_page(hf_context *cx, const cli_command *command, hf_text *out) {
    const char *usage;
    HF_TRY(cli_usage(cx, command, &usage));
    hf_text_print(out, ".\\\" Made by holdfast manual %s; do not edit.\n.Dd %s\n.Dt HOLDFAST-", command->name, date);
    for (const char *c = command->name; *c; c++) {
        hf_text_print(out, "%c", toupper((unsigned char)*c));
    }
    hf_text_print(out, " 1\n.Os\n.Sh NAME\n.Nm holdfast-%s\n.Nd ", command->name);
    put_words(command->summary, strlen(command->summary), true, out);
    hf_text_print(out, "\n.Sh SYNOPSIS\n.Nm holdfast %s\n", command->name);
    put_words(usage, strlen(usage), true, out);
    hf_text_print(out, "%s.Sh DESCRIPTION\n", *usage ? "\n" : "");
    put_about(command->about, out);
    put_options(command, out);
    if (command->question) {
        put_question(command->question, out);
    }
    hf_text_print(out, ".Sh SEE ALSO\n.Xr holdfast 1\n");
    return HF_OK;
}

static int run(cli *c) {
    cli_command command;
    hf_text out;
    hf_text_init(c->cx, &out);
    hf_status status = cli_command_need(c, c->positional[0], &command);
    status = status == HF_OK ? put_page(c->cx, &command, &out) : status;
    status = status == HF_OK ? cli_put(c, &out) : status;
    hf_text_free(&out);
    return status == HF_OK ? CLI_DONE : cli_fail(c, status);
}

static const cli_option options[] = {{0}};
const cli_command cli_manual = {
    .name = "manual",
    .summary = "print the manual page of a command",
    .usage = "COMMAND",
    .about = "The page is made of the command's own tables; installed, `man holdfast-COMMAND` shows it.\n\n"
             "Example: holdfast manual tolerance | man -l -",
    .positional_min = 1,
    .positional_max = 1,
    .options = options,
    .run = run,
};
