/* SPDX-License-Identifier: GPL-3.0-or-later */
/* holdfast: dispatches to the subcommands. */
#include <stdio.h>
#include <string.h>

#include "src/cli/commands.h"
#include "src/cli/options.h"

const cli_command *const cli_commands[] = {&cli_tolerance,   &cli_show,           &cli_bound,    &cli_bounds,     &cli_verify,
                                           &cli_protocol,    &cli_check_protocol, &cli_load,     &cli_simulate,   &cli_cost,
                                           &cli_reliability, &cli_explore,        &cli_new_rule, &cli_study,      &cli_topology,
                                           &cli_list,        &cli_describe,       &cli_store,    &cli_completion, NULL};

static int print_overview(const cli *c) {
    hf_text out;
    hf_text_init(c->cx, &out);
    hf_text_print(&out, "Usage: holdfast COMMAND [ARGUMENTS] [OPTIONS]\n\n"
                        "How much failure an interconnection network survives: exactly where that is possible, by sound\n"
                        "sampling where not.\n\nCommands:\n");
    for (size_t i = 0; cli_commands[i]; i++) {
        hf_text_print(&out, "  %-14s %s\n", cli_commands[i]->name, cli_commands[i]->summary);
    }
    hf_text_print(&out, "\n`holdfast COMMAND --help` explains a command, `holdfast list` names what there is.\n"
                        "Exit status: 0 done, 1 the answer is no, 2 bad usage or input, 130 stopped.\n");
    const hf_status status = cli_put(c, &out);
    hf_text_free(&out);
    return status == HF_OK ? CLI_DONE : cli_fail(c, status);
}

static int print_help(const cli *c) {
    hf_text out;
    hf_text_init(c->cx, &out);
    cli_print_help(c->command, &out);
    hf_status status = hf_text_check(c->cx, &out);
    if (status == HF_OK && (fwrite(out.data, 1, out.size, stdout) != out.size || fflush(stdout) != 0)) {
        status = HF_EIO;
    }
    hf_text_free(&out);
    return status == HF_OK ? CLI_DONE : cli_fail(c, status);
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

static int unknown_command(const cli *c, const char *name) {
    const char *names[32] = {NULL};
    for (size_t i = 0; cli_commands[i]; i++) {
        names[i] = cli_commands[i]->name;
    }
    const hf_status status = hf_spec_unknown(c->cx, "command", name, strlen(name), names);
    return cli_fail(c, status);
}

static int dispatch(cli *c, int argc, char **argv) {
    if (argc < 2) {
        print_overview(c);
        return CLI_BAD;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || (strcmp(argv[1], "help") == 0 && argc == 2)) {
        return print_overview(c);
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "version") == 0) {
        return print_version(c);
    }
    const bool asks_help = strcmp(argv[1], "help") == 0;
    const char *name = asks_help ? argv[2] : argv[1];
    for (size_t i = 0; cli_commands[i]; i++) {
        if (strcmp(cli_commands[i]->name, name) != 0) {
            continue;
        }
        c->command = cli_commands[i];
        bool wants_help;
        hf_status status = cli_read_words(c, argc - 2, argv + 2, &wants_help);
        if (asks_help || wants_help) {
            return print_help(c);
        }
        status = status == HF_OK ? cli_check_forms(c) : status;
        return status == HF_OK ? c->command->run(c) : cli_fail(c, status);
    }
    return unknown_command(c, name);
}

int cli_main(int argc, char **argv) {
    cli c = {.cx = hf_context_new(NULL)};
    if (!c.cx) {
        fprintf(stderr, "holdfast: out of memory\n");
        return CLI_BAD;
    }
    const int status = dispatch(&c, argc, argv);
    hf_context_free(c.cx);
    return status;
}
