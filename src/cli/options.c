/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options of a command, read against its table. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "src/cli/cli.h"
#include "src/cli/options.h"

enum { WITNESS_LIMIT = 16 << 20 };

static const cli_option help_option = {"help", NULL, "print this help"};

static size_t index_of(const cli_command *command, const char *name) {
    size_t i = 0;
    while (command->options[i].name && strcmp(command->options[i].name, name) != 0) {
        i++;
    }
    return i;
}

const char *cli_value(const cli *c, const char *name) {
    if (!c->command) {
        return NULL;
    }
    const size_t i = index_of(c->command, name);
    return c->command->options[i].name ? c->value[i] : NULL;
}

const char *cli_value_or(const cli *c, const char *name, const char *otherwise) {
    const char *value = cli_value(c, name);
    return value ? value : otherwise;
}

hf_status cli_require(const cli *c, const char *name, const char **out) {
    *out = cli_value(c, name);
    if (!*out) {
        HF_FAIL(c->cx, HF_EINVAL, "option --%s is missing; see `holdfast %s --help`", name, c->command->name);
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
    uint64_t value = 0;
    bool fits = *text != 0;
    for (const char *at = text; *at; at++) {
        const uint64_t digit = (uint64_t)(*at - '0');
        if (*at < '0' || *at > '9') {
            HF_FAIL(c->cx, HF_EINVAL, "--%s=%s is not right; need a whole number", name, text);
        }
        fits &= value <= (UINT64_MAX - digit) / 10;
        value = value * 10 + digit;
    }
    if (!fits || value < low || value > high) {
        HF_FAIL(c->cx, HF_ERANGE, "--%s=%s is out of range; need %" PRIu64 " to %" PRIu64, name, text, low, high);
    }
    *out = value;
    return HF_OK;
}

/* ---- reading the words ---- */

static hf_status refuse_option(cli *c, const char *name, size_t size) {
    const char *names[CLI_OPTION_MAX + 2] = {help_option.name};
    for (size_t i = 0; c->command->options[i].name; i++) {
        names[i + 1] = c->command->options[i].name;
    }
    const char *near = hf_spec_nearest(name, size, names);
    if (near) {
        HF_FAIL(c->cx, HF_EINVAL, "unknown option --%.*s; did you mean --%s?", (int)size, name, near);
    }
    HF_FAIL(c->cx, HF_EINVAL, "unknown option --%.*s; see `holdfast %s --help`", (int)size, name, c->command->name);
}

/* One option at word[*i]; may take the next word as its value. */
static hf_status read_option(cli *c, int n_word, char **word, int *i) {
    const char *name = word[*i] + 2, *equals = strchr(name, '=');
    const size_t size = equals ? (size_t)(equals - name) : strlen(name);
    for (size_t o = 0; c->command->options[o].name; o++) {
        const cli_option *option = &c->command->options[o];
        if (strlen(option->name) != size || memcmp(option->name, name, size) != 0) {
            continue;
        }
        if (c->value[o]) {
            HF_FAIL(c->cx, HF_EINVAL, "option --%s is given twice", option->name);
        }
        const bool is_optional = option->argument && option->argument[0] == '[';
        if (!option->argument && equals) {
            HF_FAIL(c->cx, HF_EINVAL, "option --%s takes no value", option->name);
        }
        if (!option->argument || (is_optional && !equals)) {
            c->value[o] = "";
            return HF_OK;
        }
        if (!equals && *i + 1 >= n_word) {
            HF_FAIL(c->cx, HF_EINVAL, "option --%s needs a value: --%s %s", option->name, option->name, option->argument);
        }
        c->value[o] = equals ? equals + 1 : word[++*i];
        if (!*c->value[o]) {
            HF_FAIL(c->cx, HF_EINVAL, "option --%s has an empty value; need %s", option->name, option->argument);
        }
        return HF_OK;
    }
    return refuse_option(c, name, size);
}

hf_status cli_read_words(cli *c, int n_word, char **word, bool *wants_help) {
    *wants_help = false;
    if (index_of(c->command, "") > CLI_OPTION_MAX) { /* no option has an empty name: their number */
        HF_FAIL(c->cx, HF_ERANGE, "holdfast %s has more than %d options; need a larger CLI_OPTION_MAX", c->command->name,
                CLI_OPTION_MAX);
    }
    for (int i = 0; i < n_word; i++) {
        if (strcmp(word[i], "--help") == 0 || strcmp(word[i], "-h") == 0) {
            *wants_help = true;
            return HF_OK;
        }
    }
    for (int i = 0; i < n_word; i++) {
        if (strncmp(word[i], "--", 2) == 0 && word[i][2]) {
            HF_TRY(read_option(c, n_word, word, &i));
        } else if (word[i][0] == '-' && word[i][1]) {
            HF_FAIL(c->cx, HF_EINVAL, "unknown option %s; options begin with two dashes, see `holdfast %s --help`", word[i],
                    c->command->name);
        } else if (c->n_positional == c->command->positional_max || c->n_positional == CLI_POSITIONAL_MAX) {
            HF_FAIL(c->cx, HF_EINVAL, "\"%s\" is one argument too many; usage: holdfast %s %s", word[i], c->command->name,
                    c->command->usage);
        } else {
            c->positional[c->n_positional++] = word[i];
        }
    }
    if (c->n_positional < c->command->positional_min) {
        HF_FAIL(c->cx, HF_EINVAL, "an argument is missing; usage: holdfast %s %s", c->command->name, c->command->usage);
    }
    return HF_OK;
}

static void print_option(const cli_option *o, hf_text *out) {
    char left[64];
    const bool is_optional = o->argument && o->argument[0] == '[';
    if (is_optional) {
        snprintf(left, sizeof left, "--%s[=%.*s]", o->name, (int)strlen(o->argument) - 2, o->argument + 1);
    } else {
        snprintf(left, sizeof left, "--%s%s%s", o->name, o->argument ? " " : "", o->argument ? o->argument : "");
    }
    hf_text_print(out, "  %-26s %s\n", left, o->help);
}

void cli_print_help(const cli_command *command, hf_text *out) {
    hf_text_print(out, "Usage: holdfast %s%s%s\n\n%s.\n\n%s\n\nOptions:\n", command->name, *command->usage ? " " : "",
                  command->usage, command->summary, command->about);
    for (size_t i = 0; command->options[i].name; i++) {
        print_option(&command->options[i], out);
    }
    print_option(&help_option, out);
}

hf_status cli_fault_names(const cli *c, const char *name, char **out) {
    const char *text = cli_value_or(c, name, "");
    if (text[0] != '@') {
        return hf_scratch_print(c->cx, out, "%s", text);
    }
    hf_text file;
    hf_text_init(c->cx, &file);
    hf_status status = hf_text_load(c->cx, text + 1, WITNESS_LIMIT, &file);
    const char *line = status == HF_OK ? file.data : "";
    while (*line == '#') {
        const char *newline = strchr(line, '\n');
        line = newline ? newline + 1 : line + strlen(line);
    }
    if (status == HF_OK) {
        status = hf_scratch_print(c->cx, out, "%.*s", (int)strcspn(line, "\n"), line);
    }
    hf_text_free(&file);
    return status;
}
