/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Parameters that are said once, in a group: the command line and a study read each of them alike, to its limits and not beyond,
 *  and help, completion and manual name it. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/kernel.h>

#include "src/cli/options.h"
#include "src/protocol/messaged.h"
#include "src/question/ask.h"
#include "src/study/job.h"
#include "tests/oracle/fixture.h"

/** A group, the command that reads it, a cell that does, before and behind what is said of the group, and the parameter that
 * lists it; NULL: none. */
typedef struct place {
    const hf_group *group;
    const char *command, *before, *behind, *list;
} place;
#define NETWORK ", topology: \"kary-tree:k=2,n=2\", routing: updown, traffic: uniform, load: \"0.1\""
static const place places[] = {
    {&hf_router_group, "simulate", "ask: simulate, column: accepted" NETWORK ", router: \"", "\"", "router"},
    {&hf_measurement_group, "simulate", "ask: simulate, column: accepted" NETWORK ", measure: \"", "\"", "measure"},
    {&hf_reconfiguration_group, "simulate", "ask: simulate faults=1 fault-cycle=5 cycles=99 ", ", column: after" NETWORK, NULL},
    {&hf_messaged_group, "protocol", "ask: protocol benchmark=add ", ", column: sends", NULL},
};
enum { N_PLACE = sizeof places / sizeof *places };

static cli_command find_command(const char *name) {
    cli_command command;
    assert_true(cli_command_find(name, &command));
    return command;
}

/* What a question makes of a group. */
static hf_status write_group(hf_context *cx, const place *p, const hf_question *q, const char *what, const hf_argument *arguments,
                             size_t n, char **out) {
    const hf_question_part *part = q->parts;
    bool given[HF_ASKED_MAX] = {false};
    char *args;
    HF_TRY(hf_scratch(cx, q->args_size, 1, (void **)&args));
    HF_TRY(hf_asked_read(cx, q, what, arguments, n, given, args));
    while (part->group != p->group) {
        part++;
    }
    return hf_group_write(cx, p->group, args + part->at, out);
}

/* What the command line makes of some words, as canonical text. */
static hf_status by_words(hf_context *cx, const place *p, int n, char **word, char **out) {
    cli c = {.cx = cx, .made = find_command(p->command)};
    c.command = &c.made;
    hf_argument *read;
    size_t n_argument;
    bool wants_help;
    HF_TRY(cli_read_words(&c, n, word, &wants_help));
    HF_TRY(cli_arguments(&c, &read, &n_argument));
    const hf_argument *arguments = read;
    HF_TRY(hf_asked_unlist(cx, c.made.question, NULL, &arguments, &n_argument));
    return write_group(cx, p, c.made.question, NULL, arguments, n_argument, out);
}

/* Of one parameter; a flag is given or not. NULL: nothing is given. */
static hf_status by_command(hf_context *cx, const place *p, const hf_param *param, const char *value, char **out) {
    char said[128], *word[] = {said};
    const bool is_flag = param && param->type == HF_PARAM_BOOL;
    (void)snprintf(said, sizeof said, "--%s%s%s", param ? param->name : "", is_flag ? "" : "=", is_flag ? "" : value);
    return by_words(cx, p, !param ? 0 : is_flag ? strcmp(value, "yes") == 0 : 1, word, out);
}

/* Of the same in the list of its group. */
static hf_status by_list(hf_context *cx, const place *p, const hf_param *param, const char *value, char **out) {
    char said[128], *word[] = {said};
    (void)snprintf(said, sizeof said, "--%s=%s=%s", p->list, param ? param->name : "", value);
    return by_words(cx, p, param != NULL, word, out);
}

/* What a cell that has been read makes of it. */
static hf_status write_cell(hf_context *cx, const place *p, const hf_study_cell *cell, char **out) {
    hf_argument arguments[HF_STUDY_ARGUMENTS];
    size_t n;
    HF_TRY(hf_study_arguments(cx, cell, arguments, &n));
    return write_group(cx, p, cell->question, "study", arguments, n, out);
}

static hf_status by_study(hf_context *cx, const place *p, const hf_param *param, const char *value, char **out) {
    char yaml[1024], said[128] = "";
    hf_study *study;
    if (param) {
        (void)snprintf(said, sizeof said, "%s=%s", param->name, value);
    }
    (void)snprintf(yaml, sizeof yaml, "schema: 1\nname: x\ntitle: t\nsource: s\ncells:\n  - {label: x, %s%s%s}\n", p->before,
                   said, p->behind);
    HF_TRY(hf_study_parse(cx, "x.yaml", yaml, strlen(yaml), &study));
    const hf_status status = write_cell(cx, p, &study->cell[0], out);
    hf_study_free(study);
    return status;
}

/* Both take the value and make the same of it, which reads as itself. */
static void check_same(hf_context *cx, const place *p, const hf_param *param, const char *value) {
    char *command = NULL, *study = NULL, *again = NULL;
    union {
        hf_simulation simulation;
        hf_kernel_options kernel;
        hf_reconfiguration_options reconfiguration;
        hf_messaged messaged;
    } object = {0};
    assert_int_equal(by_command(cx, p, param, value, &command), HF_OK);
    assert_int_equal(by_study(cx, p, param, value, &study), HF_OK);
    assert_string_equal(command, study);
    if (p->list) {
        hf_release(hf_context_allocator(cx), study);
        assert_int_equal(by_list(cx, p, param, value, &study), HF_OK);
        assert_string_equal(command, study);
    }
    size_t name;
    assert_int_equal(hf_group_read(cx, p->group, hf_spec_split(command, &name), &object), HF_OK);
    assert_int_equal(hf_group_write(cx, p->group, &object, &again), HF_OK);
    assert_string_equal(command, again);
    const bool says_nothing = !param || strcmp(value, param->fallback) == 0 || param->size == 0;
    char said[96];
    (void)snprintf(said, sizeof said, "%s=%s", param ? param->name : "", value);
    assert_true(says_nothing || strstr(command, said));
    hf_release(hf_context_allocator(cx), command);
    hf_release(hf_context_allocator(cx), study);
    hf_release(hf_context_allocator(cx), again);
}

static void check_refused(hf_context *cx, const place *p, const hf_param *param, const char *value) {
    char *text;
    assert_int_not_equal(by_command(cx, p, param, value, &text), HF_OK);
    assert_non_null(strstr(hf_context_message(cx), param->name));
    assert_int_not_equal(by_study(cx, p, param, value, &text), HF_OK);
    assert_non_null(strstr(hf_context_message(cx), param->name));
    if (p->list) {
        assert_int_not_equal(by_list(cx, p, param, value, &text), HF_OK);
        assert_non_null(strstr(hf_context_message(cx), p->list));
        assert_non_null(strstr(hf_context_message(cx), param->name));
    }
}

static void check_number(hf_context *cx, const place *p, const hf_param *param) {
    const uint64_t good[] = {param->low, param->low + 1, param->high}, bad[] = {param->low - 1, param->high + 1};
    char value[24];
    for (size_t i = 0; i < 3; i++) {
        (void)snprintf(value, sizeof value, "%" PRIu64, good[i]);
        check_same(cx, p, param, value);
    }
    for (size_t i = param->low == 0; i < 2; i++) {
        (void)snprintf(value, sizeof value, "%" PRIu64, bad[i]);
        check_refused(cx, p, param, value);
    }
    check_refused(cx, p, param, "1x");
}

static bool is_option(const place *p, const hf_param *param) {
    const cli_command command = find_command(p->command);
    cli_listed option;
    size_t i = 0;
    while (cli_list_option(&command, i, &option) && option.param != param) {
        i++;
    }
    return option.param == param;
}

static void values_mean_the_same(void **state) {
    (void)state;
    static const char *const yes_no[] = {"no", "yes", NULL};
    for (size_t g = 0; g < N_PLACE; g++) {
        hf_context *cx = hf_context_new(NULL);
        check_same(cx, &places[g], NULL, "");
        for (const hf_param *p = places[g].group->params; p->name; p++) {
            const char *const *word = p->type == HF_PARAM_BOOL ? yes_no : p->words;
            for (; is_option(&places[g], p) && word && *word; word++) {
                check_same(cx, &places[g], p, *word);
            }
            if (p->type == HF_PARAM_UINT || p->type == HF_PARAM_COUNT) {
                check_number(cx, &places[g], p);
            } else if ((p->type == HF_PARAM_WORD || p->type == HF_PARAM_WORDS) && is_option(&places[g], p)) {
                check_refused(cx, &places[g], p, "nonsense");
            }
        }
        hf_context_free(cx);
    }
}

/* No two parameters go to one field, and what is no field only comes first. */
static void fields_are_apart(void **state) {
    (void)state;
    for (size_t g = 0; g < N_PLACE; g++) {
        const hf_param *first = places[g].group->params;
        for (const hf_param *p = first; p->name; p++) {
            assert_non_null(p->fallback);
            assert_true(p->size > 0 || p->type == HF_PARAM_TEXT || (p == first && places[g].group->base));
            for (const hf_param *q = first; q < p; q++) {
                assert_string_not_equal(p->name, q->name);
                assert_true(p->offset + p->size <= q->offset || q->offset + q->size <= p->offset);
            }
        }
    }
}

/* What the program prints; nothing where the tests are run without it. */
static void read_completion(hf_context *cx, hf_text *out) {
    char command[4096], line[4096];
    const char *program = getenv("HOLDFAST");
    hf_text_init(cx, out);
    (void)snprintf(command, sizeof command, "'%s' completion bash", program ? program : "");
    FILE *pipe = program ? popen(command, "r") : NULL;
    while (pipe && fgets(line, sizeof line, pipe)) {
        hf_text_print(out, "%s", line);
    }
    assert_true(!pipe || (pclose(pipe) == 0 && out->size > 0));
}

static void documents_name_them(void **state) {
    (void)state;
    hf_context *cx = hf_context_new(NULL);
    hf_text completion, help;
    read_completion(cx, &completion);
    for (size_t g = 0; g < N_PLACE; g++) {
        hf_text_init(cx, &help);
        const cli_command command = find_command(places[g].command);
        assert_int_equal(cli_print_help(cx, &command, NULL, &help), HF_OK);
        for (const hf_param *p = places[g].group->params; p->name; p++) {
            char name[80];
            (void)snprintf(name, sizeof name, "--%s%s", p->name, p->bare ? "[=" : " ");
            assert_non_null(strstr(help.data, name));
            (void)snprintf(name, sizeof name, "--%s ", p->name);
            assert_true(completion.size == 0 || strstr(completion.data, name));
            assert_true(p->type != HF_PARAM_WORD || (strstr(p->help, p->fallback) && strstr(p->help, "default)")));
            assert_true(p->type != HF_PARAM_UINT || p->unit);
        }
        hf_text_free(&help);
    }
    hf_text_free(&completion);
    hf_context_free(cx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_mean_the_same),
        cmocka_unit_test(fields_are_apart),
        cmocka_unit_test(documents_name_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
