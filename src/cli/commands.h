/** \file
 *  The subcommands, one cmd_*.c each. */
#ifndef HOLDFAST_SRC_CLI_COMMANDS_H
#define HOLDFAST_SRC_CLI_COMMANDS_H

#include "src/cli/cli.h"

extern const cli_command cli_show, cli_study, cli_list, cli_describe, cli_store, cli_completion, cli_manual, cli_new_rule,
    cli_explore, cli_report, cli_plan, cli_submit;

/** The command that a question is. */
cli_command cli_command_of(const hf_question *question);
/** Is the next word a question, which it is told about? */
static inline bool cli_is_of_question(const cli_command *command) {
    return command->run == cli_plan.run || command->run == cli_submit.run;
}
/** Such a command of a question. \param[in,out] command its name in the arena */
hf_status cli_name_question(hf_context *cx, const hf_question *question, cli_command *command);

/** What was said to the question of a command, and how its answer is printed. */
typedef struct cli_asked {
    hf_argument *argument; /**< in the arena, with room for all parameters of the question */
    size_t n;
    const char *const *attachments; /**< those that are wanted, ends with NULL */
    hf_report_style style;
} cli_asked;
/** Read it. What can be told before the question is asked is right. */
hf_status cli_asked_read(const cli *c, cli_asked *out);

#endif
