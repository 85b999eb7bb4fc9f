/* SPDX-License-Identifier: GPL-3.0-or-later */
/* holdfast completion: the script for the shell, made from the tables of commands and the registries. */
#include <string.h>

#include "src/cli/commands.h"
#include "src/study/catalogue.h"

static void print_commands(hf_text *out) {
    hf_text_print(out, "    local commands='");
    cli_command command;
    for (size_t i = 0; cli_command_at(i, &command); i++) {
        hf_text_print(out, "%s%s", i ? " " : "", command.name);
    }
    hf_text_print(out, "'\n");
}

static void print_options(hf_text *out) {
    hf_text_print(out, "    case ${COMP_WORDS[1]} in\n");
    cli_command command;
    for (size_t i = 0; cli_command_at(i, &command); i++) {
        hf_text_print(out, "    %s) options='", command.name);
        cli_listed option;
        for (size_t o = 0; cli_list_option(&command, o, &option); o++) {
            hf_text_print(out, "--%s ", option.name);
        }
        hf_text_print(out, "--help' ;;\n");
    }
    hf_text_print(out, "    esac\n");
}

/* "name name: ..." of a section; a colon after those that take parameters. */
static void print_names(hf_section section, const char *variable, hf_text *out) {
    hf_text_print(out, "    local %s='", variable);
    for (size_t i = 0; i < hf_section_count(section); i++) {
        const hf_entry e = hf_section_entry(section, i);
        hf_text_print(out, "%s%s%s", i ? " " : "", e.name, e.params && e.params[0].name ? ":" : "");
    }
    hf_text_print(out, "'\n");
}

/* Behind the colon: the parameters of each name. */
static void print_parameters(hf_text *out) {
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

static void print_bash(hf_text *out) {
    hf_text_print(out,
                  "# bash completion of holdfast, printed by `holdfast completion bash`\n_holdfast() {\n"
                  "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} options='' parameters='' name\n");
    print_commands(out);
    print_names(HF_SECTION_TOPOLOGIES, "topologies", out);
    print_names(HF_SECTION_ROUTINGS, "routings", out);
    print_names(HF_SECTION_UNIVERSES, "universes", out);
    print_names(HF_SECTION_CRITERIA, "criteria", out);
    print_names(HF_SECTION_TRAFFIC, "traffic", out);
    print_names(HF_SECTION_STUDIES, "studies", out);
    hf_text_print(out, "    COMPREPLY=()\n"
                       "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
                       "        COMPREPLY=($(compgen -W \"$commands --help --version\" -- \"$word\"))\n        return\n    fi\n");
    print_options(out);
    /* The shell splits words at ':' and '=': the name of a spec stands before the colon. */
    hf_text_print(out, "    if [ \"$before\" = : ] || [ \"$word\" = : ]; then\n"
                       "        name=${COMP_WORDS[COMP_CWORD-2]}\n        [ \"$word\" = : ] && { name=$before; word=''; }\n");
    print_parameters(out);
    hf_text_print(out,
                  "        COMPREPLY=($(compgen -W \"$parameters\" -- \"${word##*,}\"))\n        return\n    fi\n"
                  "    case $before in\n"
                  "    --topology | topology) COMPREPLY=($(compgen -W \"$topologies\" -- \"$word\")) ;;\n"
                  "    --routing) COMPREPLY=($(compgen -W \"$routings\" -- \"$word\")) ;;\n"
                  "    --universe) COMPREPLY=($(compgen -W \"$universes\" -- \"$word\")) ;;\n"
                  "    --criterion) COMPREPLY=($(compgen -W \"$criteria\" -- \"$word\")) ;;\n"
                  "    --traffic) COMPREPLY=($(compgen -W \"$traffic\" -- \"$word\")) ;;\n"
                  "    --split) COMPREPLY=($(compgen -W 'even first optimal' -- \"$word\")) ;;\n"
                  "    --method) COMPREPLY=($(compgen -W 'exhaustive sampled' -- \"$word\")) ;;\n"
                  "    --order) COMPREPLY=($(compgen -W 'component random' -- \"$word\")) ;;\n"
                  "    list) COMPREPLY=($(compgen -W 'topologies routings universes criteria traffic studies' -- \"$word\")) ;;\n"
                  "    describe) COMPREPLY=($(compgen -W \"${topologies//:/} ${routings//:/} ${universes//:/} $criteria "
                  "${traffic//:/} $studies\""
                  " -- \"$word\")) ;;\n"
                  "    run) COMPREPLY=($(compgen -f -W \"$studies\" -- \"$word\")) ;;\n"
                  "    study) COMPREPLY=($(compgen -W 'run list' -- \"$word\")) ;;\n"
                  "    store) COMPREPLY=($(compgen -W 'list export verify merge' -- \"$word\")) ;;\n"
                  "    --store | --output | --svg | --certificate | --check) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n"
                  "    *) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n    esac\n"
                  "    [[ ${COMPREPLY[0]-} == *[:=] ]] && compopt -o nospace\n}\n"
                  "complete -F _holdfast holdfast\n");
}

static int run(cli *c) {
    hf_status status;
    hf_text out;
    hf_text_init(c->cx, &out);
    if (strcmp(c->positional[0], "bash") != 0) {
        status = hf_context_fail(c->cx, HF_EINVAL, __FILE__, __LINE__, "completion for \"%s\" is not there; need bash",
                                 c->positional[0]);
    } else {
        print_bash(&out);
        status = cli_put(c, &out);
    }
    hf_text_free(&out);
    return status == HF_OK ? CLI_DONE : cli_fail(c, status);
}

static const cli_option options[] = {{0}};
const cli_command cli_completion = {
    .name = "completion",
    .summary = "print the shell completion script",
    .usage = "bash",
    .about =
        "Made from the descriptors, so that it knows every spec and parameter.\n\nExample: source <(holdfast completion bash)",
    .positional_min = 1,
    .positional_max = 1,
    .options = options,
    .run = run,
};
