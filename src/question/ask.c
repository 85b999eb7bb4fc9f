/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Asking: what was said becomes the arguments of a question, and stands in its answer. */
#include "src/question/ask.h"
#include "src/core/registry.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

/* ---- reading ---- */

/* What was said of one parameter; given is false where nothing was. */
static hf_status read_arg(hf_context *cx, const hf_question *question, const char *what, const hf_param *p,
                          const hf_argument *arguments, size_t n, bool *given, hf_value *value) {
    const char *text = hf_asked_value(arguments, n, p->name);
    *given = text != NULL;
    if (!text) {
        return hf_asked_must_be_given(p) ? hf_asked_refuse_missing(cx, question, what, p->name) : HF_OK;
    }
    return hf_param_read(cx, what, question->name, p, text, value);
}

/* A group as in hf_group_read(). \return how many parameters it has */
static hf_status read_group(hf_context *cx, const hf_question *question, const hf_group *group, const char *what,
                            const hf_argument *arguments, size_t n, bool *given, void *object) {
    hf_value value;
    hf_group_defaults(group, object);
    if (group->base) {
        HF_TRY(read_arg(cx, question, what, group->params, arguments, n, given, &value));
        if (*given) {
            group->base(value.number, object);
        }
    }
    for (size_t i = 0; group->params[i].name; i++) {
        HF_TRY(read_arg(cx, question, what, &group->params[i], arguments, n, &given[i], &value));
        if (given[i]) {
            hf_param_store(&group->params[i], &value, object);
        }
    }
    if (group->settle) {
        group->settle(given, object);
    }
    return HF_OK;
}

static size_t count_params(const hf_group *group) {
    size_t n = 0;
    while (group->params[n].name) {
        n++;
    }
    return n;
}

hf_status hf_asked_read(hf_context *cx, const hf_question *question, const char *what, const hf_argument *arguments, size_t n,
                        bool *given, char *args) {
    for (const hf_question_part *part = question->parts; part->group; part++) {
        if (hf_asked_is_replaced(question, arguments, n) && !hf_asked_is_kept(question, part)) {
            hf_group_defaults(part->group, args + part->at);
        } else {
            HF_TRY(read_group(cx, question, part->group, what, arguments, n, given, args + part->at));
        }
        given += count_params(part->group);
    }
    return HF_OK;
}

bool hf_asked_given(const hf_asked *asked, const char *name) {
    size_t i = 0;
    for (const hf_question_part *part = asked->question->parts; part->group; part++) {
        for (const hf_param *p = part->group->params; p->name; p++, i++) {
            if (strcmp(p->name, name) == 0) {
                return asked->given[i];
            }
        }
    }
    return false;
}

/* \return what stands behind the name in a list of "NAME" and "NAME=PATH": a 0, or "=PATH"; NULL: it is not there */
static const char *find_listed(const char *const *list, const char *name) {
    const size_t n = strlen(name);
    for (; list && *list; list++) {
        if (strncmp(*list, name, n) == 0 && ((*list)[n] == 0 || (*list)[n] == '=')) {
            return *list + n;
        }
    }
    return NULL;
}

static bool is_listed(const char *const *list, const char *name) { return find_listed(list, name) != NULL; }

bool hf_asked_wants(const hf_asked *asked, const char *attachment) { return is_listed(asked->conduct->attachments, attachment); }

const char *hf_asked_path(const hf_asked *asked, const char *attachment) {
    const char *rest = find_listed(asked->conduct->attachments, attachment);
    return rest && rest[0] && rest[1] ? rest + 1 : NULL;
}

/* ---- the arguments of an answer ---- */

/* "whole-registers" is whole_registers in tables and JSON. */
static hf_status key_of(hf_context *cx, const hf_param *p, char **out) {
    HF_TRY(hf_scratch_print(cx, out, "%s", p->key ? p->key : p->name));
    for (char *c = *out; *c; c++) {
        *c = *c == '-' ? '_' : *c;
    }
    return HF_OK;
}

static hf_column_kind kind_of(const hf_param *p) {
    const bool is_big = p->high >= UINT64_C(1) << 53;
    return p->type == HF_PARAM_BOOL    ? HF_COLUMN_FLAG
           : p->type == HF_PARAM_REAL  ? HF_COLUMN_REAL
           : p->type == HF_PARAM_WORDS ? HF_COLUMN_NAMES
           : p->type == HF_PARAM_COUNT ? HF_COLUMN_COUNT
           : p->type != HF_PARAM_UINT  ? HF_COLUMN_WORD
           : is_big                    ? HF_COLUMN_BIG_COUNT
                                       : HF_COLUMN_COUNT;
}

static hf_status put_argument(hf_context *cx, const hf_param *p, const char *value, hf_report *out) {
    char *key;
    HF_TRY(key_of(cx, p, &key));
    hf_report_argument_as(out, key, value, kind_of(p));
    out->argument_word[hf_report_find_argument(out, key, strlen(key))] = p->name;
    return HF_OK;
}

/* Given, and not as a flag that is not set. */
static bool is_said(const hf_argument *arguments, size_t n, const char *name) {
    const char *value = hf_asked_value(arguments, n, name);
    return value && strcmp(value, "no") != 0;
}

const hf_column *hf_question_columns(const hf_question *question, const hf_argument *arguments, size_t n,
                                     const char *const *attachments, const char **table) {
    const hf_question_form *form = question->forms;
    while (form && form->given && !is_said(arguments, n, form->given) && !is_listed(attachments, form->given)) {
        form++;
    }
    const bool is_form = form && form->given;
    if (table) {
        *table = is_form ? form->table : question->table;
    }
    return is_form ? form->columns : question->columns;
}

hf_status hf_question_outline(hf_context *cx, const hf_question *question, const hf_argument *arguments, size_t n,
                              const char *const *attachments, hf_report *out) {
    const char *table;
    const hf_column *columns = hf_question_columns(question, arguments, n, attachments, &table);
    const hf_param *p;
    size_t n_column = 0;
    hf_report_begin(cx, question->summary, question->name, out);
    for (size_t i = 0; (p = hf_question_param(question, i)) != NULL; i++) {
        HF_TRY(hf_asked_is_list(p) ? HF_OK : put_argument(cx, p, NULL, out));
    }
    while (columns[n_column].key) {
        n_column++;
    }
    hf_report_table_begin(out, table, columns, n_column);
    return HF_OK;
}

/* The canonical texts of what was opened; what the network was told has failed, and what was not opened, as it was written. */
static const char *spec_of(const hf_scene *scene, const char *name, const char *written) {
    const struct {
        const char *name, *spec;
        unsigned bit;
    } opened[] = {{"topology", scene->topo ? scene->topo->spec : NULL, HF_SCENE_TOPOLOGY},
                  {"routing", scene->rule.spec, HF_SCENE_ROUTING},
                  {"universe", scene->universe ? scene->universe->spec : NULL, HF_SCENE_UNIVERSE},
                  {"criterion", scene->criterion.spec, HF_SCENE_CRITERION},
                  {"traffic", scene->traffic ? scene->traffic->spec : NULL, HF_SCENE_TRAFFIC}};
    for (size_t i = 0; i < sizeof opened / sizeof *opened; i++) {
        if ((scene->has & opened[i].bit) && strcmp(opened[i].name, name) == 0) {
            return opened[i].spec;
        }
    }
    const bool is_of_rule = strcmp(name, "flows") == 0 || strcmp(name, "classes") == 0;
    return (scene->has & HF_SCENE_ROUTING) && is_of_rule ? NULL : written; /* the routing has it */
}

/* As it was written, but of a file of failed components the names in it. */
static hf_status read_written(hf_context *cx, unsigned bit, const char *written, const char **out) {
    char *names = NULL;
    if (bit == HF_SCENE_FAILED && written && written[0] == '@') {
        HF_TRY(hf_fault_names_load(cx, written, &names));
    }
    *out = names ? names : written;
    return HF_OK;
}

static hf_status print_field(hf_context *cx, const hf_param *p, const void *object, const char **out) {
    hf_value value;
    char *text;
    hf_param_load(p, object, &value);
    HF_TRY(hf_param_text(cx, p, &value, &text));
    *out = text;
    return HF_OK;
}

static hf_status put_arguments(hf_context *cx, const hf_question *question, const hf_scene *scene, const hf_argument *arguments,
                               size_t n, const bool *given, const char *args, hf_report *out) {
    hf_asked_param f;
    for (size_t i = 0; (f = hf_asked_param_at(question, i)).bit; i++) {
        const char *written;
        HF_TRY(read_written(cx, f.bit, hf_asked_value(arguments, n, f.param->name), &written));
        HF_TRY(put_argument(cx, f.param, spec_of(scene, f.param->name, written), out));
    }
    for (const hf_question_part *part = question->parts; part->group; part++) {
        const bool is_with = !part->with || hf_asked_gives_any(part->with, arguments, n);
        const bool says = is_with && (!hf_asked_is_replaced(question, arguments, n) || hf_asked_is_kept(question, part));
        for (const hf_param *p = part->group->params; p->name; p++, given++) {
            const char *text = *given && p->size == 0 ? hf_asked_value(arguments, n, p->name) : NULL;
            if (!hf_asked_is_list(p)) {
                HF_TRY(text || !(*given || (says && !(p->flags & HF_PARAM_OPTIONAL)))
                           ? HF_OK
                           : print_field(cx, p, args + part->at, &text));
                HF_TRY(put_argument(cx, p, text, out));
            }
        }
    }
    return HF_OK;
}

/* ---- asking ---- */

static hf_status check_threads(hf_context *cx, uint32_t threads) {
    if (threads > HF_THREADS_MOST) {
        HF_FAIL(cx, HF_EINVAL, "threads=%" PRIu32 " is not right; need 0 (all cores) to %d", threads, HF_THREADS_MOST);
    }
    return HF_OK;
}

/* Every attachment that is wanted is one of the question. */
static hf_status check_wanted(hf_context *cx, const hf_question *question, const char *const *wanted) {
    const char *names[HF_ASKED_MAX + 1] = {NULL};
    size_t n = 0;
    for (const hf_param *p = question->attachments; p && p->name; p++) {
        assert(n < HF_ASKED_MAX);
        names[n++] = p->name;
    }
    for (; wanted && *wanted; wanted++) {
        size_t i;
        HF_TRY(hf_words_need(cx, "attachment of the question", names, (hf_slice){*wanted, strcspn(*wanted, "=")}, &i));
    }
    return HF_OK;
}

static hf_status ask_of(hf_context *cx, const hf_question *question, const char *what, const hf_scene *scene,
                        const hf_argument *arguments, size_t n, const hf_conduct *conduct, hf_report *answer) {
    bool given[HF_ASKED_MAX] = {false};
    char *args;
    HF_TRY(check_threads(cx, conduct->threads));
    HF_TRY(check_wanted(cx, question, conduct->attachments));
    HF_TRY(hf_scratch(cx, question->args_size, 1, (void **)&args));
    HF_TRY(hf_asked_read(cx, question, what, arguments, n, given, args));
    HF_TRY(hf_question_outline(cx, question, arguments, n, conduct->attachments, answer));
    HF_TRY(put_arguments(cx, question, scene, arguments, n, given, args, answer));
    const hf_asked asked = {question, scene, args, given, conduct};
    return question->ask(cx, &asked, answer);
}

/* Questions speak of options; a study and a call of C have no dashes before the names of parameters. */
static hf_status without_dashes(hf_context *cx, const hf_question *question, hf_status status) {
    hf_text out;
    hf_text_init(cx, &out);
    for (const char *at = hf_context_message(cx); *at;) {
        char name[64] = "";
        const size_t size = strncmp(at, "--", 2) == 0 ? strspn(at + 2, "abcdefghijklmnopqrstuvwxyz0123456789-") : 0;
        if (size > 0 && size < sizeof name) {
            memcpy(name, at + 2, size);
            at += hf_question_param_named(question, name) ? 2 : 0;
        }
        hf_text_append(&out, at, size ? size : 1);
        at += size ? size : 1;
    }
    if (out.size > 0 && hf_text_check(cx, &out) == HF_OK) {
        hf_context_fail(cx, status, __FILE__, __LINE__, "%s", out.data);
    }
    hf_text_free(&out);
    return status;
}

hf_status hf_question_ask(hf_context *cx, const hf_question *question, const char *what, const hf_scene *scene,
                          const hf_argument *arguments, size_t n, const hf_conduct *conduct, hf_report *answer) {
    static const hf_conduct alone = {0};
    hf_scene opened = {0};
    HF_TRY(hf_asked_rename(cx, question, &arguments, n));
    HF_TRY(hf_asked_unlist(cx, question, what, &arguments, &n));
    HF_TRY(hf_question_check(cx, question, what, arguments, n));
    HF_TRY(hf_asked_imply(cx, question, &arguments, &n));
    HF_TRY(hf_asked_spread(cx, question, what, &arguments, &n));
    if (!scene) {
        HF_TRY(hf_scene_open(cx, question, what, arguments, n, &opened));
    }
    const hf_status status =
        ask_of(cx, question, what, scene ? scene : &opened, arguments, n, conduct ? conduct : &alone, answer);
    hf_scene_close(&opened);
    return status == HF_OK || !what ? status : without_dashes(cx, question, status);
}

hf_status hf_question_check_file(hf_context *cx, const hf_question *question, const char *file, hf_report *answer) {
    HF_TRY(hf_question_outline(cx, question, NULL, 0, NULL, answer));
    return question->check(cx, file, answer);
}
