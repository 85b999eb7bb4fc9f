/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  holdfast completion: the scripts for the shells, made from the tables of commands and the registries. */
#include <string.h>

#include "src/cli/commands.h"
#include "src/cli/options.h"
#include "src/core/registry.h"
#include "src/study/catalogue.h"

/* ---- what all shells offer ---- */

/* Words that follow a command without an option. */
static const struct {
    const char *command, *words;
    hf_section section; /* names of it too; HF_SECTIONS: none */
} arguments[] = {
    {"list", "topologies routings universes criteria traffic studies questions", HF_SECTIONS},
    {"study", "run show list", HF_SECTION_STUDIES},
    {"store", "list export verify merge", HF_SECTIONS},
    {"topology", "", HF_SECTION_TOPOLOGIES},
    {"completion", "bash zsh fish", HF_SECTIONS},
};
enum { N_ARGUMENTS = sizeof arguments / sizeof *arguments };

/* Names of a section, with blanks between; a colon behind those that take parameters. */
static void put_names(hf_section section, hf_text *out) {
    for (size_t i = 0; i < hf_section_count(section); i++) {
        const hf_entry e = hf_section_entry(section, i);
        hf_text_print(out, "%s%s%s", i ? " " : "", e.name, e.params && e.params[0].name ? ":" : "");
    }
}

/* What can follow an option. */
typedef enum follows { NOTHING, ANYTHING, WORDS, NAMES, FORMS, FILES } follows;

/* \param[out] section of NAMES */
static follows what_follows(const cli_listed *o, hf_section *section) {
    static const char *const named[] = {"topology", "routing", "universe", "criterion", "traffic", NULL};
    static const hf_section sections[] = {HF_SECTION_TOPOLOGIES, HF_SECTION_ROUTINGS, HF_SECTION_UNIVERSES, HF_SECTION_CRITERIA,
                                          HF_SECTION_TRAFFIC};
    const size_t i = hf_words_find(named, hf_slice_of(o->name));
    if (!o->argument[0] || o->argument[0] == '[') {
        return NOTHING;
    }
    if (named[i]) {
        *section = sections[i];
        return NAMES;
    }
    if (strcmp(o->name, "format") == 0) {
        return FORMS;
    }
    if (o->param && (o->param->type == HF_PARAM_WORD || o->param->type == HF_PARAM_WORDS)) {
        return WORDS;
    }
    return strcmp(o->argument, "FILE") == 0 || strcmp(o->argument, "PATH") == 0 ? FILES : ANYTHING;
}

/* The words, with blanks between. */
static void put_following(const cli_listed *o, hf_text *out) {
    hf_section section = HF_SECTIONS;
    const follows kind = what_follows(o, &section);
    if (kind == NAMES) {
        put_names(section, out);
    }
    for (hf_form f = 0; kind == FORMS && f < HF_FORMS; f++) {
        hf_text_print(out, "%s%s", f ? " " : "", hf_form_name(f));
    }
    for (size_t w = 0; kind == WORDS && o->param->words[w]; w++) {
        hf_text_print(out, "%s%s", w ? " " : "", o->param->words[w]);
    }
}

/* Words that follow a command without an option, with blanks between. */
static void put_arguments(const cli *c, const cli_command *command, hf_text *out) {
    for (size_t a = 0; a < N_ARGUMENTS; a++) {
        if (strcmp(arguments[a].command, command->name) == 0) {
            hf_text_print(out, "%s%s", arguments[a].words, *arguments[a].words ? " " : "");
            if (arguments[a].section != HF_SECTIONS) {
                put_names(arguments[a].section, out);
            }
        }
    }
    for (size_t i = 0; cli_is_of_question(command) && i < hf_question_count(); i++) {
        const hf_question *q = hf_question_at(i);
        hf_text_print(out, "%s%s", q->walks ? q->name : "", q->walks ? " " : "");
    }
    cli_command other;
    for (size_t i = 0; strcmp(command->name, "manual") == 0 && c->command_at(i, &other); i++) {
        hf_text_print(out, "%s%s", i ? " " : "", other.name);
    }
    for (hf_section s = 0; strcmp(command->name, "describe") == 0 && s < HF_SECTIONS; s++) {
        for (size_t i = 0; i < hf_section_count(s); i++) {
            hf_text_print(out, "%s ", hf_section_entry(s, i).name);
        }
    }
}

/* The groups of its help, with blanks between. \return are there any? */
static bool put_groups(const cli_command *command, hf_text *out) {
    const char *group[CLI_GROUPS_MOST];
    const size_t n = cli_help_groups(command, group);
    for (size_t g = 0; g < n; g++) {
        hf_text_print(out, "%s%s", g ? " " : "", group[g]);
    }
    return n > 0;
}

/* Help between the quotes of a shell; what would end them is left out. */
static void put_help(const char *help, const char *without, hf_text *out) {
    for (; *help; help++) {
        if (!strchr(without, *help)) {
            hf_text_append(out, help, 1);
        }
    }
}

/* ---- bash ---- */

static void bash_command(const cli *c, const cli_command *command, hf_text *out) {
    hf_section section;
    cli_listed o;
    hf_text_print(out, "    %s)\n        options='", command->name);
    for (size_t i = 0; cli_list_option(command, i, &o); i++) {
        hf_text_print(out, "--%s ", o.name);
    }
    hf_text_print(out, "--help' words='");
    put_arguments(c, command, out);
    hf_text_print(out, "'\n        case $before in\n");
    for (size_t i = 0; cli_list_option(command, i, &o); i++) {
        const follows kind = what_follows(&o, &section);
        if (kind == NOTHING) {
            continue;
        }
        hf_text_print(out, "        --%s) options='' words='", o.name);
        put_following(&o, out);
        hf_text_print(out, "'%s ;;\n", kind == FILES ? " files=-f" : "");
    }
    hf_text_print(out, "        --help) options='' words='");
    put_groups(command, out);
    hf_text_print(out, "' ;;\n");
    hf_text_print(out, "        esac ;;\n");
}

/* Behind the colon: the parameters of each name. */
static void bash_parameters(hf_text *out) {
    static const hf_section sections[] = {HF_SECTION_TOPOLOGIES, HF_SECTION_ROUTINGS, HF_SECTION_TRAFFIC};
    hf_text_print(out, "    case $name in\n");
    for (size_t s = 0; s < sizeof sections / sizeof *sections; s++) {
        for (size_t i = 0; i < hf_section_count(sections[s]); i++) {
            const hf_entry e = hf_section_entry(sections[s], i);
            if (!e.params || !e.params[0].name) {
                continue;
            }
            hf_text_print(out, "    %s) parameters='", e.name);
            for (const hf_param *p = e.params; p->name; p++) {
                hf_text_print(out, "%s%s=", p == e.params ? "" : " ", p->name);
            }
            hf_text_print(out, "' ;;\n");
        }
    }
    hf_text_print(out, "    esac\n");
}

static void print_bash(const cli *c, hf_text *out) {
    cli_command command;
    hf_text_print(out, "# bash completion of holdfast, printed by `holdfast completion bash`\n_holdfast() {\n"
                       "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
                       "    local options='' words='' files='' parameters='' name\n    COMPREPLY=()\n"
                       "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        COMPREPLY=($(compgen -W '");
    for (size_t i = 0; c->command_at(i, &command); i++) {
        hf_text_print(out, "%s ", command.name);
    }
    hf_text_print(out, "--help --version' -- \"$word\"))\n        return\n    fi\n");
    /* The shell splits words at ':' and '=': the name of a spec stands before the colon. */
    hf_text_print(out, "    if [ \"$before\" = : ] || [ \"$word\" = : ]; then\n"
                       "        name=${COMP_WORDS[COMP_CWORD-2]}\n        [ \"$word\" = : ] && { name=$before; word=''; }\n");
    bash_parameters(out);
    hf_text_print(out, "        COMPREPLY=($(compgen -W \"$parameters\" -- \"${word##*,}\"))\n        return\n    fi\n"
                       "    [ \"$before\" = = ] && before=${COMP_WORDS[COMP_CWORD-2]}\n"
                       "    [ \"$word\" = = ] && word=''\n"
                       "    case ${COMP_WORDS[1]} in\n");
    for (size_t i = 0; c->command_at(i, &command); i++) {
        bash_command(c, &command, out);
    }
    hf_text_print(out, "    esac\n    if [[ $word == -* ]]; then words=''; elif [ -n \"$words\" ]; then options=''; fi\n"
                       "    COMPREPLY=($(compgen $files -W \"$options $words\" -- \"$word\"))\n"
                       "    [[ ${COMPREPLY[0]-} == *[:=] ]] && compopt -o nospace\n}\n"
                       "complete -F _holdfast holdfast\n");
}

/* ---- zsh ---- */

/* Words of an action, in which a colon would end it. */
static void zsh_words(const hf_text *words, hf_text *out) {
    for (const char *c = words->data; c && *c; c++) {
        hf_text_print(out, "%s%c", *c == ':' ? "\\" : "", *c);
    }
    out->failed |= words->failed;
}

/* What can follow an option; behind the name of a spec, which may go on, comes no blank. */
static void zsh_following(const cli *c, const cli_listed *o, follows kind, hf_text *out) {
    hf_text words;
    hf_text_init(c->cx, &words);
    put_following(o, &words);
    hf_text_print(out, ":%s:%s", o->argument,
                  kind == FILES      ? "_files"
                  : kind == NAMES    ? " compadd -S \"\" - "
                  : kind == ANYTHING ? " "
                                     : "(");
    zsh_words(&words, out);
    hf_text_print(out, "%s", kind == WORDS || kind == FORMS ? ")" : "");
    hf_text_free(&words);
}

static void zsh_command(const cli *c, const cli_command *command, hf_text *out) {
    hf_section section;
    hf_text words;
    cli_listed o;
    hf_text_print(out, "    %s) _arguments", command->name);
    for (size_t i = 0; cli_list_option(command, i, &o); i++) {
        const follows kind = what_follows(&o, &section);
        hf_text_print(out, " \\\n        '--%s%s[", o.name, kind == NOTHING ? "" : "=");
        put_help(o.help, "'[]\\", out);
        hf_text_print(out, "]");
        if (kind != NOTHING) {
            zsh_following(c, &o, kind, out);
        }
        hf_text_print(out, "'");
    }
    hf_text_print(out, " \\\n        '--help[print the help]%s", command->question ? "::group:(" : "");
    hf_text_print(out, "%s' '*:argument:(", put_groups(command, out) ? ")" : "");
    hf_text_init(c->cx, &words);
    put_arguments(c, command, &words);
    zsh_words(&words, out);
    hf_text_free(&words);
    hf_text_print(out, ")' ;;\n");
}

static void print_zsh(const cli *c, hf_text *out) {
    cli_command command;
    hf_text_print(out, "#compdef holdfast\n# zsh completion of holdfast, printed by `holdfast completion zsh`\n_holdfast() {\n"
                       "    if (( CURRENT == 2 )); then\n        local -a commands=(");
    for (size_t i = 0; c->command_at(i, &command); i++) {
        hf_text_print(out, "\n            '%s:", command.name);
        put_help(command.summary, "'", out);
        hf_text_print(out, "'");
    }
    hf_text_print(out, ")\n        _describe command commands\n        return\n    fi\n"
                       "    local command=$words[2]\n    shift words\n    (( CURRENT-- ))\n    case $command in\n");
    for (size_t i = 0; c->command_at(i, &command); i++) {
        zsh_command(c, &command, out);
    }
    /* As a file of fpath it is the body of the function at its first call; sourced it is told to the shell. */
    hf_text_print(
        out, "    esac\n}\nif [ \"$funcstack[1]\" = _holdfast ]; then _holdfast \"$@\"; else compdef _holdfast holdfast; fi\n");
}

/* ---- fish ---- */

static void fish_command(const cli *c, const cli_command *command, hf_text *out) {
    hf_section section;
    cli_listed o;
    hf_text_print(out, "complete -c holdfast -n __fish_use_subcommand -a %s -d '", command->name);
    put_help(command->summary, "'\\", out);
    hf_text_print(out, "'\ncomplete -c holdfast -n '__fish_seen_subcommand_from %s' -a '", command->name);
    put_arguments(c, command, out);
    hf_text_print(out, "'\n");
    for (size_t i = 0; cli_list_option(command, i, &o); i++) {
        const follows kind = what_follows(&o, &section);
        hf_text_print(out, "complete -c holdfast -n '__fish_seen_subcommand_from %s' -l %s%s -d '", command->name, o.name,
                      kind == NOTHING ? ""
                      : kind == FILES ? " -rF"
                                      : " -x");
        put_help(o.help, "'\\", out);
        hf_text_print(out, "'");
        if (kind == WORDS || kind == NAMES || kind == FORMS) {
            hf_text_print(out, " -a '");
            put_following(&o, out);
            hf_text_print(out, "'");
        }
        hf_text_print(out, "\n");
    }
    hf_text_print(out, "complete -c holdfast -n '__fish_seen_subcommand_from %s' -l help -d 'print the help'%s", command->name,
                  command->question ? " -x -a '" : "");
    hf_text_print(out, "%s\n", put_groups(command, out) ? "'" : "");
}

static void print_fish(const cli *c, hf_text *out) {
    cli_command command;
    hf_text_print(out, "# fish completion of holdfast, printed by `holdfast completion fish`\ncomplete -c holdfast -f\n");
    for (size_t i = 0; c->command_at(i, &command); i++) {
        fish_command(c, &command, out);
    }
}

/* ---- the command ---- */

static int run(cli *c) {
    static const char *const shells[] = {"bash", "zsh", "fish", NULL};
    static void (*const print[])(const cli *, hf_text *) = {print_bash, print_zsh, print_fish};
    hf_text out;
    size_t shell = 0;
    hf_text_init(c->cx, &out);
    hf_status status = hf_words_need(c->cx, "shell", shells, hf_slice_of(c->positional[0]), &shell);
    if (status == HF_OK) {
        print[shell](c, &out);
        status = cli_put(c, &out);
    }
    hf_text_free(&out);
    return status == HF_OK ? CLI_DONE : cli_fail(c, status);
}

static const cli_option options[] = {{0}};
const cli_command cli_completion = {
    .name = "completion",
    .summary = "print the completion script of a shell",
    .usage = "bash|zsh|fish",
    .about = "Made from the descriptors, so that it knows every spec and parameter.\n\n"
             "Example: source <(holdfast completion bash)\n"
             "Example: source <(holdfast completion zsh)\n"
             "Example: holdfast completion fish | source",
    .positional_min = 1,
    .positional_max = 1,
    .options = options,
    .run = run,
};
