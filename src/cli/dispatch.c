/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  holdfast: dispatches to the subcommands. */
#include <stdio.h>
#include <string.h>

#include "src/cli/commands.h"
#include "src/cli/options.h"

/* Those that are no question: what is done with answers, then what helps. */
static const cli_command *const own[] = {&cli_show,  &cli_plan,     &cli_submit, &cli_explore,  &cli_study,      &cli_report,
                                         &cli_store, &cli_new_rule, &cli_list,   &cli_describe, &cli_completion, &cli_manual};
enum { N_OWN = sizeof own / sizeof *own };

bool cli_command_at(size_t i, cli_command *out) {
    const size_t n = hf_question_count();
    if (i >= n + N_OWN) {
        return false;
    }
    *out = i < n ? cli_command_of(hf_question_at(i)) : *own[i - n];
    return true;
}

bool cli_command_find(const char *name, cli_command *out) {
    size_t i = 0;
    while (cli_command_at(i, out) && strcmp(out->name, name) != 0) {
        i++;
    }
    return cli_command_at(i, out);
}

static int print_overview(const cli *c) {
    hf_text out;
    hf_text_init(c->cx, &out);
    hf_text_print(&out, "Usage: holdfast COMMAND [ARGUMENTS] [OPTIONS]\n\n"
                        "How much failure an interconnection network survives: exactly where that is possible, by sound\n"
                        "sampling where not.\n\nThree things to try:\n"
                        "  holdfast tolerance --topology kary-tree:k=4,n=2 --routing updown --faults 0..3\n"
                        "  holdfast verify --topology torus:dims=4x4 --routing dor\n"
                        "  holdfast study run gomez2010-table-3.5\n\nQuestions:\n");
    cli_command command;
    for (size_t i = 0; cli_command_at(i, &command); i++) {
        hf_text_print(&out, "%s  %-15s %s\n", i == hf_question_count() ? "\nCommands:\n" : "", command.name, command.summary);
    }
    hf_text_print(&out, "\n`holdfast COMMAND --help` explains a command, `holdfast list` names what there is.\n\n"
                        "Exit status: 0 done, 1 the answer is no, 2 bad usage or input, 130 stopped.\n");
    const hf_status status = cli_print_folded(c, &out);
    hf_text_free(&out);
    return status == HF_OK ? CLI_DONE : cli_fail(c, status);
}

static int print_help(const cli *c) {
    hf_text out;
    hf_text_init(c->cx, &out);
    hf_status status = cli_print_help(c->cx, c->command, c->help_group, &out);
    status = status == HF_OK ? cli_print_folded(c, &out) : status;
    hf_text_free(&out);
    return status == HF_OK ? CLI_DONE : cli_fail(c, status);
}

static hf_status refuse_word(const cli *c, const char *word) {
    HF_FAIL(c->cx, HF_EINVAL, "\"%s\" is one argument too many; usage: holdfast --version", word);
}

static int print_version(const cli *c) {
    hf_text out;
    hf_text_init(c->cx, &out);
    hf_text_print(&out, "holdfast %s (commit %s, code %s, %s, %s)\n", hf_build_version(), hf_build_commit(), hf_build_code(),
                  hf_build_compiler(), hf_simd_name(hf_simd_level()));
    const hf_status status = cli_put(c, &out);
    hf_text_free(&out);
    return status == HF_OK ? CLI_DONE : cli_fail(c, status);
}

/* Commands that are said in two words, and what that stands for. */
static const struct {
    const char *first, *second, *command, *option[2];
    int n_option;
} said[] = {{"protocol", "run", "protocol", {NULL}, 0},
            {"protocol", "check", "check-protocol", {NULL}, 0},
            {"protocol", "backoff", "protocol", {"--search"}, 1},
            {"protocol", "trace", "protocol", {"--format", "trace"}, 2}};

/* The words with the two of a command written out. */
static hf_status write_out(hf_context *cx, int *argc, char ***argv) {
    size_t s = 0;
    while (s < sizeof said / sizeof *said &&
           !(*argc > 2 && strcmp((*argv)[1], said[s].first) == 0 && strcmp((*argv)[2], said[s].second) == 0)) {
        s++;
    }
    if (s == sizeof said / sizeof *said) {
        return HF_OK;
    }
    const char **word;
    int n = 0;
    HF_TRY(hf_scratch(cx, (size_t)*argc + 2, sizeof *word, (void **)&word));
    word[n++] = (*argv)[0];
    word[n++] = said[s].command;
    for (int i = 0; i < said[s].n_option; i++) {
        word[n++] = said[s].option[i];
    }
    for (int i = 3; i < *argc; i++) {
        word[n++] = (*argv)[i];
    }
    *argc = n;
    *argv = (char **)word;
    return HF_OK;
}

/* What is planned or submitted is a question, the next word. */
static hf_status settle_question(cli *c, const char *word, int *words) {
    const hf_question *question;
    if (!cli_is_of_question(&c->made) || !word || word[0] == '-') {
        return HF_OK;
    }
    ++*words;
    HF_TRY(hf_question_find(c->cx, word, &question));
    return cli_name_question(c->cx, question, &c->made);
}

static int dispatch(cli *c, int argc, char **argv) {
    if (write_out(c->cx, &argc, &argv) != HF_OK) {
        return cli_fail(c, HF_ENOMEM);
    }
    if (argc < 2) {
        print_overview(c);
        return CLI_BAD;
    }
    const bool asks_help = strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0;
    if (asks_help && argc == 2) {
        return print_overview(c);
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "version") == 0) {
        return argc > 2 ? cli_fail(c, refuse_word(c, argv[2])) : print_version(c);
    }
    const char *name = asks_help ? argv[2] : argv[1];
    bool wants_help = false;
    hf_status status = cli_command_need(c, name, &c->made);
    if (status != HF_OK) {
        return cli_fail(c, status);
    }
    c->command = &c->made;
    int words = 2 + asks_help;
    status = settle_question(c, words < argc ? argv[words] : NULL, &words);
    status = status == HF_OK ? cli_read_words(c, argc - words, argv + words, &wants_help) : status;
    if (asks_help || wants_help) {
        c->help_group = asks_help && words < argc ? argv[words] : c->help_group;
        return print_help(c);
    }
    status = status == HF_OK ? cli_check_forms(c) : status;
    if (cli_helps(c) && !(c->command->question && c->command->question->walks)) {
        return CLI_DONE;
    }
    return status == HF_OK ? c->command->run(c) : cli_fail(c, status);
}

int cli_main(int argc, char **argv) { return cli_main_in_team(argc, argv, NULL); }

int cli_main_in_team(int argc, char **argv, hf_team *team) {
    cli c = {.cx = hf_context_new(NULL), .command_at = cli_command_at, .team = team};
    if (!c.cx) {
        fprintf(stderr, "holdfast: out of memory\n");
        return CLI_BAD;
    }
    const int status = dispatch(&c, argc, argv);
    hf_context_free(c.cx);
    return status;
}
