/** \file
 *  Reading the words of a command line. */
#ifndef HOLDFAST_SRC_CLI_OPTIONS_H
#define HOLDFAST_SRC_CLI_OPTIONS_H

#include "src/cli/cli.h"

enum { CLI_GROUPS_MOST = 32 };

/** Sort the words after the command into options and positional arguments. */
hf_status cli_read_words(cli *c, int n_word, char **word, bool *wants_help);
/** Do the names of files that are written say no other form than theirs? */
hf_status cli_check_forms(const cli *c);
/** What follows the name of the command, in the arena. */
hf_status cli_usage(hf_context *cx, const cli_command *command, const char **out);
/** "FLITS" of flits, "N" where a parameter has no unit, nothing for a flag; in brackets what can be left out. */
void cli_name_argument(const hf_param *param, char *out, size_t size);
/** The groups of its options, which `--help GROUP` prints one of, in their order. \param[out] group CLI_GROUPS_MOST \return how
 * many, 0: it has none to name */
size_t cli_help_groups(const cli_command *command, const char **group);
/** Usage and options. \param[in] only the options of this group alone, NULL: everything \return HF_ENOENT: no such group */
hf_status cli_print_help(hf_context *cx, const cli_command *command, const char *only, hf_text *out);

#endif
