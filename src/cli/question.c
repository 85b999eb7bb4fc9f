/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Questions as commands: their parameters are options, their answers are printed in any format. */
#include <string.h>

#include "src/cli/commands.h"
#include "src/cli/keep.h"
#include "src/cli/report.h"

/* What the command does beside asking. */
typedef struct asking {
    const cli *c;
    cli_asked asked;
    cli_meter meter;
    cli_keep keep;
    hf_report answer;
} asking;

hf_status cli_arguments(const cli *c, hf_argument **out, size_t *n) {
    const hf_param *p;
    *n = 0;
    for (size_t i = 0; hf_question_param(c->command->question, i); i++) {
        ++*n;
    }
    HF_TRY(hf_scratch(c->cx, *n, sizeof **out, (void **)out));
    *n = 0;
    for (size_t i = 0; (p = hf_question_param(c->command->question, i)) != NULL; i++) {
        const char *word = c->command->question->word, *text = cli_value(c, p->name);
        if (c->n_positional && strcmp(word, p->name) == 0) {
            if (text) {
                HF_FAIL(c->cx, HF_EINVAL, "\"%s\" and --%s say the same; need one of them", c->positional[0], word);
            }
            text = c->positional[0];
        }
        if (text) {
            (*out)[(*n)++] = (hf_argument){p->name, p->type == HF_PARAM_BOOL ? "yes" : !*text && p->bare ? p->bare : text};
        }
    }
    return HF_OK;
}

static hf_status refuse_same(const cli *c, const char *one, const char *other) {
    const char *path = cli_value(c, one);
    HF_FAIL(c->cx, HF_EINVAL, "--%s and --%s both go to \"%s\"; name two files", one, other, path);
}

static bool is_same_file(const cli *c, const char *one, const char *other) {
    const char *path = cli_value(c, one), *its = cli_takes(c, other) ? cli_value(c, other) : NULL;
    return path && its && *path && strcmp(path, its) == 0;
}

/* Two outputs in one file would leave the second alone. */
static hf_status check_apart(const cli *c) {
    static const char *const of_all[] = {"csv", "output"};
    const hf_param *list = c->command->question->attachments;
    HF_TRY(is_same_file(c, of_all[0], of_all[1]) ? refuse_same(c, of_all[0], of_all[1]) : HF_OK);
    for (const hf_param *p = list ? list : hf_no_params; p->name; p++) {
        for (size_t i = 0; i < 2; i++) {
            HF_TRY(is_same_file(c, p->name, of_all[i]) ? refuse_same(c, p->name, of_all[i]) : HF_OK);
        }
        for (const hf_param *q = p + 1; q->name; q++) {
            HF_TRY(is_same_file(c, p->name, q->name) ? refuse_same(c, p->name, q->name) : HF_OK);
        }
    }
    return HF_OK;
}

/* Those that are wanted; what can be shown below the tables goes with all columns, and is shown where no file is named. */
static hf_status list_attachments(const cli *c, cli_asked *out) {
    const hf_param *list = c->command->question->attachments;
    const char **name;
    HF_TRY(hf_scratch(c->cx, HF_REPORT_ATTACHMENTS + 1, sizeof *name, (void **)&name));
    out->attachments = name;
    for (const hf_param *p = list ? list : hf_no_params; p->name; p++) {
        const char *path = cli_value(c, p->name), *alone = cli_report_alone(c);
        if (path && *path) {
            char *both;
            HF_TRY(hf_scratch_print(c->cx, &both, "%s=%s", p->name, path));
            *name++ = both;
        } else if (path || alone == p->name) {
            *name++ = p->name;
        }
        if (path) {
            out->style.all |= p->bare != NULL;
            out->style.remarks |= !*path;
        }
    }
    return HF_OK;
}

static hf_status save_attachments(const asking *a) {
    const hf_param *list = a->c->command->question->attachments;
    for (const hf_param *p = list ? list : hf_no_params; p->name; p++) {
        const char *path = cli_value(a->c, p->name), *text = hf_report_attachment(&a->answer, p->name);
        if (path && *path && text) {
            hf_text out;
            hf_text_init(a->c->cx, &out);
            hf_text_append(&out, text, strlen(text));
            const hf_status status = cli_save(a->c, &out, path);
            hf_text_free(&out);
            HF_TRY(status);
        }
    }
    return HF_OK;
}

/* Before hours of work: is there all that the options want to see? Of further tables only the names are known. */
static hf_status check_style(const cli *c, const cli_asked *asked) {
    const hf_question *q = c->command->question;
    const char *table = asked->style.table;
    hf_report outline;
    HF_TRY(hf_question_outline(c->cx, q, asked->argument, asked->n, asked->attachments, &outline));
    for (const char *const *name = q->tables; table && name && *name; name++) {
        if (strcmp(*name, table) == 0) {
            return HF_OK;
        }
    }
    return cli_report_check(&outline, &asked->style);
}

hf_status cli_asked_read(const cli *c, cli_asked *out) {
    HF_TRY(cli_report_style(c, &out->style));
    HF_TRY(list_attachments(c, out));
    HF_TRY(check_apart(c));
    HF_TRY(cli_arguments(c, &out->argument, &out->n));
    return check_style(c, out);
}

/* What takes the place of fault sets leaves nothing to walk or keep. */
static hf_status check_replaced(const cli *c) {
    static const char *const others[] = {"threads", "store", "again", "accept"};
    const char *instead = c->command->question->instead;
    for (size_t i = 0; instead && cli_has(c, instead) && i < sizeof others / sizeof *others; i++) {
        if (cli_has(c, others[i])) {
            HF_FAIL(c->cx, HF_EINVAL, "--%s takes the place of --%s; give one of them", instead, others[i]);
        }
    }
    return HF_OK;
}

static hf_status keep(hf_context *cx, void *user, hf_campaign *campaign) {
    (void)cx;
    asking *a = user;
    campaign->team = a->c->team;
    return cli_helps(a->c) ? HF_OK : cli_keep_campaign(a->c, campaign, &a->keep);
}

static hf_status ask(asking *a) {
    const cli *c = a->c;
    hf_conduct conduct = {.progress = cli_meter_show, .progress_user = &a->meter, .keep = keep, .keep_user = a};
    HF_TRY(cli_asked_read(c, &a->asked));
    HF_TRY(check_replaced(c));
    HF_TRY(cli_threads(c, &conduct.threads));
    conduct.attachments = a->asked.attachments;
    conduct.are_alone = cli_report_alone(c) && !cli_has(c, "csv");
    HF_TRY(hf_question_ask(c->cx, c->command->question, NULL, NULL, a->asked.argument, a->asked.n, &conduct, &a->answer));
    if (cli_has(c, "accept")) {
        hf_report_argument(&a->answer, "accept", cli_value(c, "accept"));
    }
    return HF_OK;
}

/* A file brings what was asked with it. */
static hf_status check_file(asking *a) {
    const cli *c = a->c;
    const hf_param *list = c->command->question->attachments;
    hf_argument *arguments;
    size_t n;
    HF_TRY(cli_arguments(c, &arguments, &n));
    for (; list->name; list++) {
        n += cli_has(c, list->name);
    }
    if (n) {
        HF_FAIL(c->cx, HF_EINVAL, "--check takes everything from the file; leave the other options out");
    }
    HF_TRY(cli_report_style(c, &a->asked.style));
    return hf_question_check_file(c->cx, c->command->question, cli_value(c, "check"), &a->answer);
}

static int run(cli *c) {
    asking a = {.c = c};
    cli_catch_signals(c->cx);
    cli_meter_init(&a.meter, cli_has(c, "quiet"), "");
    hf_status status = c->command->question->check && cli_has(c, "check") ? check_file(&a) : ask(&a);
    cli_meter_end(&a.meter);
    if (cli_helps(c)) {
        return CLI_DONE;
    }
    if (status == HF_ESTOP && c->command->question->walks) {
        cli_keep_stopped(c, &a.keep);
    }
    status = status == HF_OK ? save_attachments(&a) : status;
    status = status == HF_OK ? cli_report_put(c, &a.answer, NULL, &a.asked.style) : status;
    cli_keep_close(c, &a.keep);
    const bool is_told = status == HF_ESTOP && c->command->question->walks;
    return status == HF_OK ? (int)a.answer.answer : is_told ? CLI_STOPPED : cli_fail(c, status);
}

static const cli_option options[] = {CLI_REPORT_OPTIONS, {0}};
#define THREADS                                                                                                                  \
    { "threads", "T", "threads (default: all cores); the result does not depend on it" }
static const cli_option options_of_threads[] = {THREADS, CLI_REPORT_OPTIONS, {0}};
static const cli_option options_of_walks[] = {
    THREADS,
    CLI_KEEP_OPTIONS(""),
    CLI_REPORT_OPTIONS,
    {0},
};

/* ---- plans ---- */

static hf_status plan(asking *a) {
    const cli *c = a->c;
    hf_conduct conduct = {0};
    uint64_t nodes, seconds;
    if (!c->command->question) {
        HF_FAIL(c->cx, HF_EINVAL, "a question is missing; need one that walks over fault sets, such as tolerance");
    }
    HF_TRY(cli_report_style(c, &a->asked.style));
    HF_TRY(list_attachments(c, &a->asked));
    HF_TRY(cli_arguments(c, &a->asked.argument, &a->asked.n));
    HF_TRY(cli_threads(c, &conduct.threads));
    HF_TRY(cli_number(c, "machines", 1, 1000000, 1, &nodes));
    HF_TRY(cli_number(c, "seconds", 1, 3600, 2, &seconds));
    conduct.attachments = a->asked.attachments;
    return hf_question_forecast(c->cx, c->command->question, a->asked.argument, a->asked.n, &conduct, (uint32_t)nodes,
                                (double)seconds, &a->answer);
}

static int run_plan(cli *c) {
    asking a = {.c = c};
    if (cli_helps(c)) {
        return CLI_DONE;
    }
    cli_catch_signals(c->cx);
    hf_status status = plan(&a);
    status = status == HF_OK ? cli_report_put(c, &a.answer, NULL, &a.asked.style) : status;
    return status == HF_OK ? CLI_DONE : cli_fail(c, status);
}

static const cli_option options_of_plans[] = {
    {"machines", "N", "machines like this one that share the work (default 1)"},
    {"seconds", "N", "how long to measure (default 2)"},
    THREADS,
    CLI_REPORT_OPTIONS,
    {0},
};

static const cli_older older_of_plans[] = {{"nodes", "machines"}, {0}};

const cli_command cli_plan = {
    .name = "plan",
    .summary = "what a question would take: sets, core hours, bytes, from two seconds of it",
    .usage = "QUESTION ARGUMENTS...",
    .about =
        "Nothing is answered or kept: for each number of faults the sets, orbits or states that the question would look at,\n"
        "how many a core of this machine does in a second, measured at random places, core hours, seconds on this machine\n"
        "and on N like it, and bytes.\n\n"
        "Example: holdfast plan tolerance --topology kary-tree:k=4,n=3 --routing ft2ei --faults 5 --machines 16",
    .options = options_of_plans,
    .older = older_of_plans,
    .run = run_plan,
};

hf_status cli_name_question(hf_context *cx, const hf_question *question, cli_command *command) {
    char *name;
    HF_TRY(hf_scratch_print(cx, &name, "%s %s", command->name, question->name));
    command->name = name;
    command->question = question;
    command->positional_max = question->word ? 1 : 0;
    return HF_OK;
}

/* ---- answers ---- */

cli_command cli_command_of(const hf_question *question) {
    return (cli_command){.name = question->name,
                         .summary = question->summary,
                         .about = question->about,
                         .options = question->walks     ? options_of_walks
                                    : question->threads ? options_of_threads
                                                        : options,
                         .positional_max = question->word ? 1 : 0,
                         .question = question,
                         .run = run};
}
