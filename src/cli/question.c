/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Questions as commands: their parameters are options, their answers are printed in any format. */
#include "src/cli/commands.h"
#include "src/cli/report.h"

/* What was given, by name. */
static hf_status list_arguments(const cli *c, hf_argument **out, size_t *n) {
    const hf_param *p;
    *n = 0;
    for (size_t i = 0; hf_question_param(c->command->question, i); i++) {
        ++*n;
    }
    HF_TRY(hf_scratch(c->cx, *n, sizeof **out, (void **)out));
    *n = 0;
    for (size_t i = 0; (p = hf_question_param(c->command->question, i)) != NULL; i++) {
        const char *text = cli_value(c, p->name);
        if (text) {
            (*out)[(*n)++] = (hf_argument){p->name, p->type == HF_PARAM_BOOL ? "yes" : text};
        }
    }
    return HF_OK;
}

/* Before hours of work: is there all that the options want to see? Further tables are known when they are there. */
static hf_status check_style(const cli *c, const hf_report_style *style) {
    hf_report outline;
    HF_TRY(hf_question_outline(c->cx, c->command->question, &outline));
    return style->table ? HF_OK : cli_report_check(&outline, style);
}

static hf_status answer(const cli *c, hf_report *out) {
    hf_report_style style;
    hf_argument *arguments;
    size_t n;
    HF_TRY(cli_report_style(c, &style));
    HF_TRY(check_style(c, &style));
    HF_TRY(list_arguments(c, &arguments, &n));
    HF_TRY(hf_question_ask(c->cx, c->command->question, NULL, NULL, arguments, n, NULL, out));
    return cli_report_put(c, out, &style);
}

static int run(cli *c) {
    hf_report report = {.answer = HF_ANSWER_YES};
    cli_catch_signals(c->cx);
    const hf_status status = answer(c, &report);
    return status == HF_OK ? (int)report.answer : cli_exit(c, status, true);
}

static const cli_option options[] = {CLI_REPORT_OPTIONS, {0}};

cli_command cli_command_of(const hf_question *question) {
    return (cli_command){.name = question->name,
                         .summary = question->summary,
                         .about = question->about,
                         .options = options,
                         .question = question,
                         .run = run};
}
