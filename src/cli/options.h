/** \file
 *  Reading the words of a command line. */
#ifndef HOLDFAST_SRC_CLI_OPTIONS_H
#define HOLDFAST_SRC_CLI_OPTIONS_H

#include "src/cli/cli.h"

/** Sort the words after the command into options and positional arguments. */
hf_status cli_read_words(cli *c, int n_word, char **word, bool *wants_help);
/** Do the names of files that are written say no other form than theirs? */
hf_status cli_check_forms(const cli *c);
/** What follows the name of the command, in the arena. */
hf_status cli_usage(hf_context *cx, const cli_command *command, const char **out);
hf_status cli_print_help(hf_context *cx, const cli_command *command, hf_text *out);

#endif
