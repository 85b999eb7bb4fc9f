/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What `--help` prints: usage, and the options by groups, all or one of them. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "src/cli/options.h"

enum { MANY = 40, LEFT = 27 }; /* with more options the groups are named first; columns of what stands before the help */
static const char rare[] = "more";

/* ---- groups ---- */

/* The group that comes before what every question has: there rare options go. */
static bool is_common(const char *topic) {
    return strcmp(topic, "files") == 0 || strcmp(topic, "running") == 0 || strcmp(topic, "output") == 0;
}

/* The names of groups in their order, rare ones last of the command's own. \return how many */
static size_t list_groups(const cli_listed *option, size_t n, const char **group) {
    size_t n_group = 0;
    for (int pass = 0; pass < 3; pass++) {
        for (size_t i = 0; i < n; i++) {
            const int when = is_common(option[i].topic) ? 2 : strcmp(option[i].topic, rare) == 0;
            size_t known = 0;
            while (known < n_group && strcmp(group[known], option[i].topic) != 0) {
                known++;
            }
            if (when == pass && known == n_group && n_group < CLI_GROUPS_MOST) {
                group[n_group++] = option[i].topic;
            }
        }
    }
    return n_group;
}

static size_t list_options(const cli_command *command, cli_listed *out) {
    size_t n = 0;
    while (n < CLI_OPTION_MAX && cli_list_option(command, n, &out[n])) {
        n++;
    }
    return n;
}

size_t cli_help_groups(const cli_command *command, const char **group) {
    cli_listed option[CLI_OPTION_MAX];
    return command->question ? list_groups(option, list_options(command, option), group) : 0;
}

size_t cli_list_grouped(const cli_command *command, cli_listed *out) {
    const char *group[CLI_GROUPS_MOST];
    cli_listed all[CLI_OPTION_MAX];
    const size_t n = list_options(command, all), n_group = list_groups(all, n, group);
    size_t n_out = 0;
    for (size_t g = 0; g < n_group; g++) {
        for (size_t i = 0; i < n; i++) {
            if (strcmp(all[i].topic, group[g]) == 0) {
                out[n_out++] = all[i];
            }
        }
    }
    return n_out;
}

/* ---- printing ---- */

static void print_option(const char *name, const char *argument, const char *help, const char *otherwise, hf_text *out) {
    char left[64];
    if (argument[0] == '[') {
        (void)snprintf(left, sizeof left, "--%s[=%.*s]", name, (int)strlen(argument) - 2, argument + 1);
    } else {
        (void)snprintf(left, sizeof left, "--%s%s%s", name, argument[0] ? " " : "", argument);
    }
    hf_text_print(out, "  %-*s", LEFT, left);
    if (strlen(left) + 1 >= LEFT) { /* the help begins a line of its own */
        hf_text_print(out, "\n  %*s", LEFT, "");
    }
    hf_text_print(out, "%s", help);
    hf_text_print(out, otherwise ? " (default %s)\n" : "\n", otherwise);
}

/* A default that is no word stands behind the help. */
static void print_listed(const cli_listed *listed, hf_text *out) {
    const hf_param *p = listed->param;
    const bool adds = p && p->type != HF_PARAM_BOOL && p->type != HF_PARAM_WORD;
    print_option(listed->name, listed->argument, listed->help, adds ? listed->fallback : NULL, out);
}

static void print_heading(const char *topic, bool is_first, hf_text *out) {
    hf_text_print(out, "%s%c%s:\n", is_first ? "" : "\n", toupper((unsigned char)*topic), topic + 1);
}

/* Which groups there are, where there are many options. */
static void print_groups(const cli_command *command, const char *const *group, size_t n_group, hf_text *out) {
    hf_text_print(out, "Options are in groups:");
    for (size_t g = 0; g < n_group; g++) {
        hf_text_print(out, "%s %s", g ? "," : "", group[g]);
    }
    hf_text_print(out, ".\n`holdfast %s --help %s` prints one of them.\n\n", command->name, group[n_group > 1]);
}

hf_status cli_print_help(hf_context *cx, const cli_command *command, const char *only, hf_text *out) {
    const char *usage, *group[CLI_GROUPS_MOST + 1] = {NULL}, *topic = NULL;
    cli_listed option[CLI_OPTION_MAX];
    const size_t n = cli_list_grouped(command, option), n_group = list_groups(option, n, group);
    only = command->question ? only : NULL;
    if (!only) {
        HF_TRY(cli_usage(cx, command, &usage));
        hf_text_print(out, "Usage: holdfast %s%s%s\n\n%s.\n\n%s\n\n", command->name, *usage ? " " : "", usage, command->summary,
                      command->about);
        if (n > MANY) {
            print_groups(command, group, n_group, out);
        }
    }
    for (size_t i = 0; i < n; i++) {
        if (only && strcmp(only, option[i].topic) != 0) {
            continue;
        }
        if (!topic || strcmp(topic, option[i].topic) != 0) {
            print_heading(option[i].topic, !topic, out);
        }
        topic = option[i].topic;
        print_listed(&option[i], out);
    }
    if (only) {
        return topic ? HF_OK : hf_spec_unknown(cx, "group of options", only, strlen(only), group);
    }
    hf_text_print(out, topic ? "" : "Options:\n");
    print_option(command->question ? "help [GROUP]" : "help", "",
                 command->question ? "print this help, or one group of it" : "print this help", NULL, out);
    return HF_OK;
}
