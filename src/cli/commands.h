/** \file
 *  The subcommands, one cmd_*.c each. */
#ifndef HOLDFAST_SRC_CLI_COMMANDS_H
#define HOLDFAST_SRC_CLI_COMMANDS_H

#include "src/cli/cli.h"

extern const cli_command cli_show, cli_study, cli_list, cli_describe, cli_store, cli_completion, cli_manual, cli_new_rule,
    cli_explore, cli_report;

/** The command that a question is. */
cli_command cli_command_of(const hf_question *question);

#endif
