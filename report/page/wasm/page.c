/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What the page calls. Words come in as C strings, one after the other, in memory that page_room() gave; answers go to standard
 *  output and failures to standard error, which the page reads: JSON by docs/json.md, and the sentences of the library. The
 *  status is that of the command (docs/json.md): 0, 1 the answer is no, 2 bad input, 3 cannot be decided. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/check/check.h"
#include "src/cli/commands.h"
#include "src/cli/options.h"

#define EXPORT(name) __attribute__((export_name(#name))) name

enum { WORDS_MAX = 128 };

char *EXPORT(page_room)(size_t size);
void EXPORT(page_free)(char *room);
int EXPORT(page_ask)(char *words, size_t size);
int EXPORT(page_show)(char *words, size_t size);
int EXPORT(page_check)(char *words, size_t size);
int EXPORT(page_confirm)(char *words, size_t size);

char *page_room(size_t size) { return malloc(size); }
void page_free(char *room) { free(room); }

static size_t split(char *words, size_t size, char **word) {
    size_t n = 0;
    for (char *at = words; at < words + size && n < WORDS_MAX; at += strlen(at) + 1) {
        word[n++] = at;
    }
    return n;
}

/* holdfast show, with the command's own options. */
int page_show(char *words, size_t size) {
    char *word[WORDS_MAX];
    bool wants_help;
    cli c = {.cx = hf_context_new(NULL), .made = cli_show};
    if (!c.cx) {
        return CLI_BAD;
    }
    c.command = &c.made;
    const hf_status status = cli_read_words(&c, (int)split(words, size, word), word, &wants_help);
    const int result = status == HF_OK ? cli_show.run(&c) : cli_fail(&c, status);
    hf_context_free(c.cx);
    return result;
}

static hf_status print(hf_context *cx, const hf_report *answer, const char *form) {
    hf_text out;
    hf_report_style style = {0};
    HF_TRY(hf_form_find(cx, form, &style.form));
    hf_text_init(cx, &out);
    hf_status status = hf_report_print(answer, &style, &out);
    if (status == HF_OK && fwrite(out.data, 1, out.size, stdout) != out.size) {
        status = HF_EIO;
    }
    hf_text_free(&out);
    return status;
}

/* The form, the question, what it shall attach ("" nothing) and then names and values, as hf_ask() has them. */
static hf_status ask(hf_context *cx, char *const *word, size_t n, int *result) {
    const hf_report *answer;
    hf_argument argument[WORDS_MAX];
    const char *const wanted[] = {word[2], NULL};
    const hf_conduct conduct = {.threads = 1, .attachments = *word[2] ? wanted : NULL};
    const size_t n_argument = (n - 3) / 2;
    for (size_t i = 0; i < n_argument; i++) {
        argument[i] = (hf_argument){word[3 + 2 * i], word[4 + 2 * i]};
    }
    HF_TRY(hf_ask_new(cx, word[1], argument, n_argument, &conduct, &answer));
    *result = (int)hf_report_answer(answer);
    const char *attached = *word[2] ? hf_report_attachment(answer, word[2]) : NULL;
    if (attached) {
        return fputs(attached, stdout) < 0 ? HF_EIO : HF_OK;
    }
    return print(cx, answer, word[0]);
}

/* The form, the question, and a file that it can check. */
static hf_status check_again(hf_context *cx, char *const *word, size_t n, int *result) {
    const hf_question *question;
    hf_report answer;
    HF_TRY(hf_question_find(cx, word[1], &question));
    if (n != 3 || !question->check) {
        HF_FAIL(cx, HF_EINVAL, "%s checks no file again", word[1]);
    }
    HF_TRY(hf_question_check_file(cx, question, word[2], &answer));
    *result = (int)answer.answer;
    return print(cx, &answer, word[0]);
}

static int run(char *words, size_t size, hf_status (*work)(hf_context *cx, char *const *word, size_t n, int *result)) {
    char *word[WORDS_MAX];
    int result = CLI_BAD;
    const size_t n = split(words, size, word);
    cli c = {.cx = hf_context_new(NULL)};
    if (!c.cx || n < 3) {
        return CLI_BAD;
    }
    const hf_status status = work(c.cx, word, n, &result);
    result = status == HF_OK ? result : cli_fail(&c, status);
    fflush(stdout);
    hf_context_free(c.cx);
    return result;
}

int page_ask(char *words, size_t size) { return run(words, size, ask); }
int page_check(char *words, size_t size) { return run(words, size, check_again); }

/* holdfast-check, of one file. */
int page_confirm(char *words, size_t size) {
    check c = {.cx = hf_context_new(NULL), .file = words};
    (void)size;
    if (!c.cx) {
        return CHECK_EXIT_BAD;
    }
    const int status = check_file(&c);
    fflush(stdout);
    hf_context_free(c.cx);
    return status;
}
