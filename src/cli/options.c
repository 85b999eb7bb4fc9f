/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Options of a command, read against its table. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "src/cli/cli.h"
#include "src/cli/options.h"
#include "src/core/number.h"
#include "src/core/registry.h"

/* ---- the table ---- */

void cli_name_argument(const hf_param *param, char *out, size_t size) {
    const char *unit = param->type == HF_PARAM_BOOL ? "" : param->unit ? param->unit : "n";
    (void)snprintf(out, size, param->bare ? "[%s]" : "%s", unit);
    for (char *c = out; *c; c++) {
        *c = *c >= 'a' && *c <= 'z' ? (char)(*c - 'a' + 'A') : *c;
    }
}

/* The i-th option that the command's question makes: its parameters, then what its answer can have for a file. \return false, and
 * `i` counts on behind them */
static bool list_asked(const cli_command *command, size_t *i, cli_listed *out) {
    const hf_question *q = command->question;
    const hf_param *p = q ? hf_question_param(q, *i) : NULL;
    size_t n = 0;
    if (p) {
        *out = (cli_listed){.name = p->name,
                            .help = p->help,
                            .was = p->was,
                            .topic = hf_question_topic(q, *i),
                            .param = p,
                            .fallback = hf_question_fallback(q, *i)};
        cli_name_argument(p, out->argument, sizeof out->argument);
        return true;
    }
    while (q && hf_question_param(q, n)) {
        n++;
    }
    *i -= n;
    for (p = q && q->attachments ? q->attachments : hf_no_params; p->name; p++) {
        if ((*i)-- == 0) {
            *out = (cli_listed){.name = p->name, .help = p->help, .was = p->was, .topic = "files"};
            const char *bare = p->type == HF_PARAM_BOOL ? "" : p->bare;
            cli_name_argument(&(hf_param){.type = HF_PARAM_TEXT, .unit = p->unit ? p->unit : "file", .bare = bare}, out->argument,
                              sizeof out->argument);
            return true;
        }
    }
    if (q && q->check && (*i)-- == 0) {
        *out =
            (cli_listed){.name = "check",
                         .argument = "FILE",
                         .topic = "files",
                         .help = "check such a file again: status 0 confirmed, 1 refuted, 2 no such file, 3 of another version"};
        return true;
    }
    return false;
}

/* What a question's command has beside the question says how it runs or what it prints. */
static const char *topic_of(const cli_command *command, const cli_option *option) {
    static const char *const running[] = {"threads", "store", "again", "accept", "quiet",  "machines",
                                          "seconds", "slurm", "parts", "ranks",  "sbatch", NULL};
    const bool runs = option->name && running[hf_words_find(running, hf_slice_of(option->name))];
    return !command->question ? "options" : runs ? "running" : "output";
}

static const char *was_of(const cli_command *command, const cli_option *option) {
    const cli_older *older = command->older;
    while (older && older->was && !(option->name && strcmp(older->name, option->name) == 0)) {
        older++;
    }
    return older ? older->was : NULL;
}

bool cli_list_option(const cli_command *command, size_t i, cli_listed *out) {
    size_t n = 0;
    if (list_asked(command, &i, out)) {
        return true;
    }
    while (n < i && command->options[n].name) {
        n++;
    }
    const cli_option *o = &command->options[n];
    *out = (cli_listed){.name = o->name, .help = o->help, .was = was_of(command, o), .topic = topic_of(command, o)};
    if (o->argument) {
        (void)snprintf(out->argument, sizeof out->argument, "%s", o->argument);
    }
    return out->name;
}

static bool is_called(const cli_listed *option, hf_slice name) {
    return hf_slice_is(name, option->name) || (option->was && hf_slice_is(name, option->was));
}

/* Where the option stands; the number of options where there is none. */
static size_t index_of(const cli *c, hf_slice name) {
    size_t i = 0;
    while (i < c->n_option && !is_called(&c->option[i], name)) {
        i++;
    }
    return i;
}

const char *cli_value(const cli *c, const char *name) {
    const size_t i = index_of(c, hf_slice_of(name));
    return i < c->n_option ? c->value[i] : NULL;
}

bool cli_takes(const cli *c, const char *name) { return index_of(c, hf_slice_of(name)) < c->n_option; }

const char *cli_value_or(const cli *c, const char *name, const char *otherwise) {
    const char *value = cli_value(c, name);
    return value ? value : otherwise;
}

hf_status cli_require(const cli *c, const char *name, const char **out) {
    const size_t i = index_of(c, hf_slice_of(name));
    *out = cli_value(c, name);
    if (!*out) {
        HF_FAIL(c->cx, HF_EINVAL, "option --%s is missing: %s; see `holdfast %s --help`", name, c->option[i].help,
                c->command->name);
    }
    return HF_OK;
}

hf_status cli_belong(const cli *c, const char *const *options, size_t n, const char *to, const char *or_to) {
    for (size_t i = 0; i < n && !cli_has(c, to) && !(or_to && cli_has(c, or_to)); i++) {
        if (cli_has(c, options[i])) {
            HF_FAIL(c->cx, HF_EINVAL, "--%s belongs to --%s%s%s", options[i], to, or_to ? " or --" : "", or_to ? or_to : "");
        }
    }
    return HF_OK;
}

hf_status cli_number(const cli *c, const char *name, uint64_t low, uint64_t high, uint64_t otherwise, uint64_t *out) {
    const char *text = cli_value(c, name);
    if (!text) {
        *out = otherwise;
        return HF_OK;
    }
    hf_slice at = hf_slice_of(text);
    uint64_t value;
    bool fits;
    if (!hf_take_digits(&at, 10, &value, &fits) || at.size > 0) {
        HF_FAIL(c->cx, HF_EINVAL, "--%s=%s is not right; need a whole number from %" PRIu64 " to %" PRIu64, name, text, low,
                high);
    }
    if (!fits || value < low || value > high) {
        HF_FAIL(c->cx, HF_ERANGE, "--%s=%s is out of range; need %" PRIu64 " to %" PRIu64, name, text, low, high);
    }
    *out = value;
    return HF_OK;
}

hf_status cli_threads(const cli *c, uint32_t *out) {
    uint64_t threads;
    HF_TRY(cli_number(c, "threads", 1, HF_THREADS_MOST, 0, &threads));
    *out = (uint32_t)threads;
    return HF_OK;
}

/* ---- usage ---- */

hf_status cli_usage(hf_context *cx, const cli_command *command, const char **out) {
    hf_text text;
    char argument[CLI_ARGUMENT_SIZE], *made = NULL;
    const hf_param *p;
    *out = command->usage;
    if (!command->question) {
        return HF_OK;
    }
    hf_text_init(cx, &text);
    for (size_t i = 0; (p = hf_question_param(command->question, i)) != NULL; i++) {
        if (hf_question_requires(command->question, i)) {
            const bool is_word = command->question->word && strcmp(command->question->word, p->name) == 0;
            cli_name_argument(p, argument, sizeof argument);
            hf_text_print(&text, is_word ? "%s%s " : "--%s %s ", is_word ? "" : p->name, argument);
        }
    }
    hf_text_print(&text, "[OPTIONS]%s", command->question->check ? " | --check FILE" : "");
    hf_status status = hf_text_check(cx, &text);
    status = status == HF_OK ? hf_scratch_print(cx, &made, "%s", text.data) : status;
    hf_text_free(&text);
    *out = made;
    return status;
}

/* ---- commands ---- */

hf_status cli_command_need(const cli *c, const char *name, cli_command *out) {
    const char *names[64] = {NULL};
    cli_command command;
    size_t n = 0;
    for (size_t i = 0; c->command_at(i, out); i++) {
        if (strcmp(out->name, name) == 0) {
            return HF_OK;
        }
    }
    for (; n + 1 < sizeof names / sizeof *names && c->command_at(n, &command); n++) {
        names[n] = command.name;
    }
    return hf_spec_unknown(c->cx, "command", name, strlen(name), names);
}

/* ---- reading the words ---- */

static hf_status refuse_option(cli *c, const char *name, size_t size) {
    const char *names[CLI_OPTION_MAX + 2] = {"help"};
    for (size_t i = 0; i < c->n_option; i++) {
        names[i + 1] = c->option[i].name;
    }
    const char *near = hf_spec_nearest(name, size, names);
    if (near) {
        HF_FAIL(c->cx, HF_EINVAL, "unknown option --%.*s; did you mean --%s?", (int)size, name, near);
    }
    HF_FAIL(c->cx, HF_EINVAL, "unknown option --%.*s; see `holdfast %s --help`", (int)size, name, c->command->name);
}

/* -o is where the answer goes, as usual elsewhere: a folder or a file. */
static const char *name_of(const cli *c, const char *word) {
    return strcmp(word, "-o") != 0 ? word + 2 : cli_takes(c, "output-dir") ? "output-dir" : "output";
}

/* Can a word without dashes still be an argument of its own? Not where an option says the same. */
static bool has_room(const cli *c, int n_word, char *const *word) {
    const char *own = c->command->question ? c->command->question->word : NULL;
    const size_t size = own ? strlen(own) : 0;
    bool is_said = false;
    for (int i = 0; own && i < n_word; i++) {
        is_said |= strncmp(word[i], "--", 2) == 0 && strncmp(word[i] + 2, own, size) == 0 && strchr("=", word[i][2 + size]);
    }
    return !is_said && c->n_positional < c->command->positional_max;
}

/* One option at word[*i]; may take the next word as its value, also one that can be left out where the word can be nothing else.
 */
static hf_status read_option(cli *c, int n_word, char **word, int *i) {
    const char *name = name_of(c, word[*i]), *equals = strchr(name, '=');
    const size_t size = equals ? (size_t)(equals - name) : strlen(name);
    const size_t o = index_of(c, (hf_slice){name, size});
    const cli_listed *option = &c->option[o];
    if (o == c->n_option) {
        return refuse_option(c, name, size);
    }
    if (c->value[o]) {
        HF_FAIL(c->cx, HF_EINVAL, "option --%s is given twice", option->name);
    }
    const bool is_flag = !option->argument[0], is_optional = option->argument[0] == '[';
    if (is_flag && equals) {
        HF_FAIL(c->cx, HF_EINVAL, "option --%s takes no value", option->name);
    }
    const bool is_followed = !equals && *i + 1 < n_word && strncmp(word[*i + 1], "--", 2) == 0; /* by an option */
    const bool is_last = *i + 1 >= n_word || is_followed || has_room(c, n_word, word);
    if (is_flag || (is_optional && !equals && is_last)) {
        c->value[o] = "";
        return HF_OK;
    }
    if (is_followed || (!equals && *i + 1 >= n_word)) {
        HF_FAIL(c->cx, HF_EINVAL, "option --%s needs a value: --%s %s", option->name, option->name, option->argument);
    }
    c->value[o] = equals ? equals + 1 : word[++*i];
    if (!*c->value[o]) {
        HF_FAIL(c->cx, HF_EINVAL, "option --%s has an empty value; need %s", option->name, option->argument);
    }
    return HF_OK;
}

hf_status cli_read_words(cli *c, int n_word, char **word, bool *wants_help) {
    cli_listed beyond;
    const char *usage;
    *wants_help = false;
    while (c->n_option < CLI_OPTION_MAX && cli_list_option(c->command, c->n_option, &c->option[c->n_option])) {
        c->n_option++;
    }
    if (c->n_option == CLI_OPTION_MAX && cli_list_option(c->command, CLI_OPTION_MAX, &beyond)) {
        HF_FAIL(c->cx, HF_ERANGE, "holdfast %s has more than %d options; need a larger CLI_OPTION_MAX", c->command->name,
                CLI_OPTION_MAX);
    }
    for (int i = 0; i < n_word; i++) {
        if (strcmp(word[i], "--help") == 0 || strcmp(word[i], "-h") == 0) {
            *wants_help = true;
            c->help_group = i + 1 < n_word && word[i + 1][0] != '-' ? word[i + 1] : NULL;
            return HF_OK;
        }
    }
    for (int i = 0; i < n_word; i++) {
        const bool is_short = strcmp(word[i], "-o") == 0 && cli_takes(c, name_of(c, word[i]));
        if (is_short || (strncmp(word[i], "--", 2) == 0 && word[i][2])) {
            HF_TRY(read_option(c, n_word, word, &i));
        } else if (word[i][0] == '-' && word[i][1]) {
            HF_FAIL(c->cx, HF_EINVAL, "unknown option %s; options begin with two dashes, see `holdfast %s --help`", word[i],
                    c->command->name);
        } else if (c->n_positional == c->command->positional_max || c->n_positional == CLI_POSITIONAL_MAX) {
            HF_TRY(cli_usage(c->cx, c->command, &usage));
            HF_FAIL(c->cx, HF_EINVAL, "\"%s\" is one argument too many; usage: holdfast %s %s", word[i], c->command->name, usage);
        } else {
            c->positional[c->n_positional++] = word[i];
        }
    }
    if (c->n_positional < c->command->positional_min) {
        HF_TRY(cli_usage(c->cx, c->command, &usage));
        HF_FAIL(c->cx, HF_EINVAL, "an argument is missing; usage: holdfast %s %s", c->command->name, usage);
    }
    return HF_OK;
}

hf_status cli_fault_names(const cli *c, const char *name, char **out) {
    return hf_fault_names_load(c->cx, cli_value_or(c, name, ""), out);
}
