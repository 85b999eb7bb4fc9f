/** \file
 *  The subcommands, one cmd_*.c each. */
#ifndef HOLDFAST_SRC_CLI_COMMANDS_H
#define HOLDFAST_SRC_CLI_COMMANDS_H

#include "src/cli/cli.h"

extern const cli_command cli_show, cli_study, cli_list, cli_describe, cli_store, cli_completion, cli_manual, cli_new_rule,
    cli_explore, cli_report, cli_plan;

/** The command that a question is. */
cli_command cli_command_of(const hf_question *question);
/** `holdfast plan` of a question. \param[out] out its name in the arena */
hf_status cli_plan_of(hf_context *cx, const hf_question *question, cli_command *out);

#endif
