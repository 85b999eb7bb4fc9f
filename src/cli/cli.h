/** \file
 *  The command line: tables of commands and options, parsing, output. Only here is anything printed. */
#ifndef HOLDFAST_SRC_CLI_CLI_H
#define HOLDFAST_SRC_CLI_CLI_H

#include <holdfast/holdfast.h>

#include "src/bridge/json.h"
#include "src/core/print.h"

/** Exit statuses. */
enum { CLI_DONE = 0, CLI_NO = 1, CLI_BAD = 2, CLI_OPEN = 3, CLI_STOPPED = 130 }; /* open: cannot be decided */
enum { CLI_OPTION_MAX = 128, CLI_POSITIONAL_MAX = 1024, CLI_ARGUMENT_SIZE = 24 };

typedef struct cli_option {
    const char *name;     /**< without the dashes */
    const char *argument; /**< NULL: a flag; "[X]": optional */
    const char *help;     /**< one line */
} cli_option;

/** An older name of an option, which is still understood and shown nowhere. */
typedef struct cli_older {
    const char *was, *name;
} cli_older;

/** An option of a command, one of its own or made of a parameter. */
typedef struct cli_listed {
    const char *name, *help;
    const char *was;                  /**< its older name; NULL: none */
    const char *topic;                /**< its heading, without a capital */
    const hf_param *param;            /**< NULL: none */
    const char *fallback;             /**< its default; NULL: none */
    char argument[CLI_ARGUMENT_SIZE]; /**< "" for a flag */
} cli_listed;

typedef struct cli cli;

typedef struct cli_command {
    const char *name, *summary;
    const char *usage; /**< what follows the name; of a question made of its parameters, see cli_usage() */
    const char *about; /**< some sentences and an example */
    size_t positional_min, positional_max;
    const cli_option *options;   /**< ends with {0} */
    const cli_older *older;      /**< of those; ends with {0}; NULL: none */
    const hf_question *question; /**< before them are its parameters; NULL: none, the command is one of its own */
    int (*run)(cli *c);
} cli_command;

struct cli {
    hf_context *cx;
    bool (*command_at)(size_t i, cli_command *out); /**< cli_command_at(), for those that the list has */
    const cli_command *command;                     /**< NULL, or this one: */
    cli_command made;
    cli_listed option[CLI_OPTION_MAX]; /**< those of the command */
    size_t n_option;
    const char *value[CLI_OPTION_MAX]; /**< by option; "" for a flag that is given, NULL if not given */
    const char *positional[CLI_POSITIONAL_MAX];
    size_t n_positional;
    const char *help_group; /**< of which help is wanted; NULL: all */
    hf_team *team;          /**< NULL: this program alone */
};
/** Does it help rank 0 with its walks, and nothing else? */
static inline bool cli_helps(const cli *c) { return c->team && c->team->rank > 0; }

/** The i-th command: every question is one. \return false: there are no more */
bool cli_command_at(size_t i, cli_command *out);
/** \return false: none is called so */
bool cli_command_find(const char *name, cli_command *out);
/** The same. \return HF_ENOENT with the nearest name */
hf_status cli_command_need(const cli *c, const char *name, cli_command *out);

/** The i-th option of a command, with those that are parameters. \return false: there are no more */
bool cli_list_option(const cli_command *command, size_t i, cli_listed *out);
/** All of them by groups, as help and manual show them. \param[out] out room for CLI_OPTION_MAX \return how many */
size_t cli_list_grouped(const cli_command *command, cli_listed *out);

/** The program: run the command that the words name. \return the exit status */
int cli_main(int argc, char **argv);
/** The same by several programs together. */
int cli_main_in_team(int argc, char **argv, hf_team *team);

/** Value of an option of the command, NULL if not given. */
const char *cli_value(const cli *c, const char *name);
const char *cli_value_or(const cli *c, const char *name, const char *otherwise);
/** Has the command this option, given or not? */
bool cli_takes(const cli *c, const char *name);
/** What was given of the parameters of the command's question, by name. \param[out] out in the arena */
hf_status cli_arguments(const cli *c, hf_argument **out, size_t *n);
static inline bool cli_has(const cli *c, const char *name) { return cli_value(c, name) != NULL; }
/** The value of a required option. \return HF_EINVAL that names it if it is missing. */
hf_status cli_require(const cli *c, const char *name, const char **out);
/** \return HF_EINVAL if one of `n` options is given and neither option `to` nor, where it is not NULL, option `or_to` */
hf_status cli_belong(const cli *c, const char *const *options, size_t n, const char *to, const char *or_to);
/** A whole number in [low, high]; `otherwise` when not given. */
hf_status cli_number(const cli *c, const char *name, uint64_t low, uint64_t high, uint64_t otherwise, uint64_t *out);
/** The option `threads`. \param[out] out 0 when not given: all cores */
hf_status cli_threads(const cli *c, uint32_t *out);

/** The names of failed components that an option gives: as they stand there, or the first line of @FILE that is no comment.
 *  \param[out] out text in the arena, "" when not given */
hf_status cli_fault_names(const cli *c, const char *name, char **out);

/** Print the failure of the context on standard error. \return the exit status for it. */
int cli_fail(const cli *c, hf_status status);
/** How a command ends that can be stopped, and has said so. \return CLI_STOPPED, what cli_fail() returns, CLI_DONE, or CLI_NO
 *  where the answer is no */
int cli_exit(const cli *c, hf_status status, bool is_yes);
/** Write a text to standard output. That who reads it has gone, as `head` does, is no failure. */
hf_status cli_print(const cli *c, const hf_text *text);
/** Lay a text of help out for so many columns. Paragraphs are filled; an entry, which begins with blanks, goes on under its text,
 * the column behind the first blanks that are more than one; "Example: COMMAND", and an entry that is a command, is broken so
 * that it can be copied. */
void cli_fold(const char *text, size_t width, hf_text *out);
/** Write a text of help to standard output: as wide as COLUMNS or the terminal says, else 80 columns. */
hf_status cli_print_folded(const cli *c, const hf_text *text);
/** Write a text to standard output, or to the file of --output where the command has that option. */
hf_status cli_put(const cli *c, const hf_text *text);
/** Into a file; "-" is standard output. */
hf_status cli_save(const cli *c, const hf_text *text, const char *path);
/** Compile a picture of LaTeX that stands for itself (HF_PLOT_TEX) with pdflatex, in a folder of its own. \return HF_ENOTSUP:
 * there is no pdflatex; HF_EINVAL: it fails, with what it says */
hf_status cli_save_pdf(const cli *c, const hf_text *tex, const char *path);
/** Draw a network into a file of its own. */
hf_status cli_save_svg(const cli *c, const hf_topology *topo, const hf_marks *marks, const char *path);

/** The frame of every --json: schema, command, program. Add "spec" and "rows". */
hf_json *cli_json(const cli *c);
/** Print and free. */
hf_status cli_put_json(const cli *c, hf_json *root);

/** Topology, universe and rule of the usual options; unset ones stay NULL. Release with cli_network_free(). */
typedef struct cli_network {
    hf_topology *topo;
    hf_universe *universe;
    hf_rule rule;
    bool has_rule;
} cli_network;
hf_status cli_network_open(const cli *c, const char *topology, const char *routing, const char *universe, const char *only,
                           cli_network *out);
void cli_network_free(cli_network *n);

/** A table whose cells are printed into the arena, row by row; rows count once they are full. */
typedef struct cli_table {
    hf_table table;
    const char **cell;
    size_t filled, capacity;
} cli_table;
/** \param[in] n_row rows there can be at most */
hf_status cli_table_start(hf_context *cx, cli_table *t, const char *const *header, const bool *is_number, size_t n_column,
                          size_t n_row);
__attribute__((format(printf, 3, 4))) hf_status cli_table_cell(hf_context *cx, cli_table *t, const char *format, ...);

/** Progress on standard error: a bar on a terminal, plain lines every few seconds otherwise. */
typedef struct cli_meter {
    bool is_quiet, is_terminal, is_dirty;
    double last_s;
    const char *label;
} cli_meter;
void cli_meter_init(cli_meter *m, bool quiet, const char *label);
void cli_meter_show(void *meter, const hf_progress *p);
void cli_meter_end(cli_meter *m);

/** Stop cleanly on Ctrl-C and SIGTERM: for commands that run long. A second one ends the program at once. */
void cli_catch_signals(hf_context *cx);

#endif
