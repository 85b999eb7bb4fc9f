/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What questions take: parameters of the scene and their own, and what goes with what. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "src/core/registry.h"
#include "src/question/ask.h"

/* One for each bit of a scene; `only` belongs to the universe, `classes` and `flows` to the routing. */
static const struct {
    unsigned bit;
    hf_param param;
} of_scene[] = {
    {HF_SCENE_TOPOLOGY,
     {.name = "topology",
      .type = HF_PARAM_TEXT,
      .flags = HF_PARAM_OPTIONAL,
      .unit = "spec",
      .help = "the network, such as kary-tree:k=4,n=3 (see `holdfast list topologies`)"}},
    {HF_SCENE_ROUTING,
     {.name = "routing",
      .type = HF_PARAM_TEXT,
      .flags = HF_PARAM_OPTIONAL,
      .unit = "spec",
      .help = "the rule, such as updown or ft2ei:intervals=1 (see `holdfast list routings`)"}},
    {HF_SCENE_ROUTING,
     {.name = "classes",
      .type = HF_PARAM_TEXT,
      .flags = HF_PARAM_OPTIONAL,
      .unit = "chains",
      .help = "message classes, and what a terminal has to send when it takes one: \"request>reply\""}},
    {HF_SCENE_ROUTING,
     {.name = "flows",
      .type = HF_PARAM_TEXT,
      .flags = HF_PARAM_OPTIONAL,
      .unit = "file",
      .help = "who sends to whom: lines such as t0 t5, or CSV with rates; else all to all"}},
    {HF_SCENE_UNIVERSE,
     {.name = "universe",
      .type = HF_PARAM_TEXT,
      .flags = HF_PARAM_OPTIONAL,
      .unit = "spec",
      .help = "what can fail: channels, links, switches, links+switches, groups:FILE ..."}},
    {HF_SCENE_UNIVERSE,
     {.name = "only",
      .type = HF_PARAM_TEXT,
      .flags = HF_PARAM_OPTIONAL,
      .unit = "filter",
      .help = "keep components with these attributes only, such as stage=1"}},
    {HF_SCENE_CRITERION,
     {.name = "criterion",
      .type = HF_PARAM_TEXT,
      .flags = HF_PARAM_OPTIONAL,
      .unit = "spec",
      .help = "when a set is tolerated: all-pairs (default), surviving:live=50%, connected, switches-connected"}},
    {HF_SCENE_TRAFFIC,
     {.name = "traffic",
      .type = HF_PARAM_TEXT,
      .flags = HF_PARAM_OPTIONAL,
      .unit = "spec",
      .help = "the traffic pattern, such as uniform or complement (see `holdfast list traffic`)"}},
    {HF_SCENE_FAILED,
     {.name = "failed",
      .type = HF_PARAM_TEXT,
      .flags = HF_PARAM_OPTIONAL,
      .unit = "names",
      .help = "components that have failed, such as s8:3-s18:0,s5; on the command line also @FILE"}},
};
enum { N_OF_SCENE = sizeof of_scene / sizeof *of_scene };
static const unsigned with_default = HF_SCENE_UNIVERSE | HF_SCENE_CRITERION | HF_SCENE_FAILED;

static bool knows(const hf_question *question, const char *name) {
    return (question->knows_flows || strcmp(name, "flows") != 0) && (question->knows_classes || strcmp(name, "classes") != 0);
}

hf_asked_param hf_asked_param_at(const hf_question *question, size_t i) {
    for (size_t s = 0; s < N_OF_SCENE; s++) {
        const bool is_asked = (question->scene | question->scene_maybe) & of_scene[s].bit;
        if (is_asked && knows(question, of_scene[s].param.name) && i-- == 0) {
            return (hf_asked_param){&of_scene[s].param, of_scene[s].bit, NULL};
        }
    }
    for (const hf_question_part *part = question->parts; part->group; part++) {
        for (const hf_param *p = part->group->params; p->name; p++) {
            if (i-- == 0) {
                return (hf_asked_param){p, 0, part};
            }
        }
    }
    return (hf_asked_param){NULL, 0, NULL};
}

const hf_param *hf_question_param(const hf_question *question, size_t i) { return hf_asked_param_at(question, i).param; }

const char *hf_question_topic(const hf_question *question, size_t i) {
    const hf_asked_param at = hf_asked_param_at(question, i);
    const hf_param *p = at.param;
    while (at.part && !p->topic && p > at.part->group->params) {
        p--;
    }
    return !at.part ? "network" : p->topic ? p->topic : at.part->group->name;
}

bool hf_asked_must_be_given(const hf_param *p) { return !p->fallback && !(p->flags & HF_PARAM_OPTIONAL); }

const hf_param *hf_question_param_named(const hf_question *question, const char *name) {
    const hf_param *p;
    size_t i = 0;
    while ((p = hf_question_param(question, i)) != NULL && strcmp(p->name, name) != 0 && !(p->was && strcmp(p->was, name) == 0)) {
        i++;
    }
    return p;
}

const char *hf_asked_walked_by(const hf_question *question) { return question->walked ? question->walked : "faults"; }

const char *hf_asked_value(const hf_argument *arguments, size_t n, const char *name) {
    for (size_t i = 0; i < n; i++) {
        if (strcmp(arguments[i].name, name) == 0) {
            return arguments[i].value;
        }
    }
    return NULL;
}

const char *hf_asked_universe(const hf_question *question, const hf_argument *arguments, size_t n) {
    for (const hf_argument *u = question->universes; u && u->name; u++) {
        const char *flag = hf_asked_value(arguments, n, u->name);
        if (flag && strcmp(flag, "no") != 0) {
            return u->value;
        }
    }
    return question->universe ? question->universe : "channels";
}

const char *hf_question_fallback(const hf_question *question, size_t i) {
    const hf_asked_param f = hf_asked_param_at(question, i);
    return f.bit == HF_SCENE_UNIVERSE && strcmp(f.param->name, "universe") == 0 ? hf_asked_universe(question, NULL, 0)
           : f.bit == HF_SCENE_TRAFFIC                                          ? question->traffic
           : f.param                                                            ? f.param->fallback
                                                                                : NULL;
}

const char *hf_asked_part_name(unsigned bit) {
    size_t s = 0;
    while (of_scene[s].bit != bit) {
        s++;
    }
    return of_scene[s].param.name;
}

unsigned hf_asked_parts(const hf_question *question) {
    return question->scene & ~(with_default | (question->traffic ? HF_SCENE_TRAFFIC : 0));
}

bool hf_question_requires(const hf_question *question, size_t i) {
    const hf_asked_param f = hf_asked_param_at(question, i);
    return f.bit ? (hf_asked_parts(question) & f.bit) && strcmp(f.param->name, hf_asked_part_name(f.bit)) == 0
                 : f.param && hf_asked_must_be_given(f.param);
}

/* How messages write an argument: "--topology", or "study "fig-3": topology". */
hf_status hf_asked_refuse_missing(hf_context *cx, const hf_question *question, const char *what, const char *name) {
    const hf_param *p = hf_question_param_named(question, name);
    const char *help = p ? p->help : "it cannot be asked without";
    if (!what) {
        HF_FAIL(cx, HF_EINVAL, "option --%s is missing: %s; see `holdfast %s --help`", name, help, question->name);
    }
    HF_FAIL(cx, HF_EINVAL, "%s \"%s\": argument %s is missing: %s", what, question->name, name, help);
}

/* Is "method", or "method=sampled", among them? */
static bool is_given(hf_slice said, const hf_argument *arguments, size_t n) {
    const char *equals = memchr(said.text, '=', said.size);
    const hf_slice name = {said.text, equals ? (size_t)(equals - said.text) : said.size};
    const hf_slice value = {name.text + name.size + 1, equals ? said.size - name.size - 1 : 0};
    bool found = false;
    for (size_t a = 0; a < n && !found; a++) {
        found = arguments[a].value && hf_slice_is(name, arguments[a].name) && (!equals || hf_slice_is(value, arguments[a].value));
    }
    return found;
}

bool hf_asked_gives_any(const char *list, const hf_argument *arguments, size_t n) {
    bool gives = false;
    for (const char *at = list; *at && !gives; at += strspn(at, " ")) {
        const hf_slice name = {at, strcspn(at, " ")};
        gives = is_given(name, arguments, n);
        at += name.size;
    }
    return gives;
}

/* How many of the parameters of a list with blanks between are given. \param[out] names all of them, for a message */
static size_t count_given(const char *list, const char *dashes, const char *separator, const hf_argument *arguments, size_t n,
                          char *names, size_t size) {
    size_t count = 0, used = 0;
    for (const char *at = list; *at; at += strspn(at, " ")) {
        const hf_slice name = {at, strcspn(at, " ")};
        used += (size_t)snprintf(names + used, size - used, "%s%s%.*s", used ? separator : "", dashes, (int)name.size, at);
        assert(used < size);
        count += is_given(name, arguments, n);
        at += name.size;
    }
    return count;
}

/* The parameters that another one belongs to, blanks between. Of fault sets one knows only with them what can fail. */
static hf_status find_owners(hf_context *cx, const hf_question *question, const hf_asked_param *f, const char **out) {
    char *both;
    *out = f->param->with ? f->param->with : f->part ? f->part->with : NULL;
    if (*out && question->traffic && strcmp(*out, hf_asked_part_name(HF_SCENE_TRAFFIC)) == 0) {
        *out = NULL; /* it is there by itself */
    }
    if (!(question->scene_maybe & f->bit & HF_SCENE_UNIVERSE)) {
        return HF_OK;
    }
    HF_TRY(
        hf_scratch_print(cx, &both, "%s%s", hf_asked_walked_by(question), strcmp(f->param->name, "only") == 0 ? "" : " failed"));
    *out = both;
    return HF_OK;
}

enum { NAMES_SIZE = 160 };

/* A parameter that belongs to others is not asked for alone, and one that contradicts another not with it. */
static hf_status check_company(hf_context *cx, const hf_question *question, const hf_asked_param *f, const char *what,
                               const hf_argument *arguments, size_t n) {
    const hf_param *p = f->param;
    const char *dashes = what ? "" : "--", *owners;
    char names[NAMES_SIZE];
    HF_TRY(find_owners(cx, question, f, &owners));
    if (owners && count_given(owners, dashes, " or ", arguments, n, names, sizeof names) == 0) {
        HF_FAIL(cx, HF_EINVAL, "%s%s belongs to %s", dashes, p->name, names);
    }
    if (p->without && hf_asked_value(arguments, n, p->without)) {
        HF_FAIL(cx, HF_EINVAL, "%s%s and %s%s contradict each other; need one of them", dashes, p->without, dashes, p->name);
    }
    return HF_OK;
}

hf_status hf_asked_has_company(hf_context *cx, const hf_question *question, const char *name, const hf_argument *arguments,
                               size_t n, bool *out) {
    hf_asked_param f;
    const char *owners;
    char names[NAMES_SIZE];
    size_t i = 0;
    while ((f = hf_asked_param_at(question, i)).param && strcmp(f.param->name, name) != 0) {
        i++;
    }
    if (!f.param) {
        *out = true; /* whoever checks the arguments refuses it */
        return HF_OK;
    }
    HF_TRY(find_owners(cx, question, &f, &owners));
    *out = !owners || count_given(owners, "", " ", arguments, n, names, sizeof names) > 0;
    return HF_OK;
}

hf_status hf_asked_rename(hf_context *cx, const hf_question *question, const hf_argument **arguments, size_t n) {
    hf_argument *all;
    HF_TRY(hf_scratch(cx, n, sizeof *all, (void **)&all));
    for (size_t i = 0; i < n; i++) {
        const hf_param *p = hf_question_param_named(question, (*arguments)[i].name);
        all[i] = (hf_argument){p ? p->name : (*arguments)[i].name, (*arguments)[i].value};
    }
    *arguments = all;
    return HF_OK;
}

hf_status hf_asked_imply(hf_context *cx, const hf_question *question, const hf_argument **arguments, size_t *n) {
    hf_argument *all;
    size_t n_all = *n;
    HF_TRY(hf_scratch(cx, HF_ASKED_MAX, sizeof *all, (void **)&all));
    memcpy(all, *arguments, n_all * sizeof *all);
    for (size_t i = 0; i < *n; i++) {
        const hf_param *p = hf_question_param_named(question, all[i].name);
        const char *equals = p && p->with && all[i].value ? strchr(p->with, '=') : NULL;
        char *owner;
        if (equals && n_all < HF_ASKED_MAX) {
            HF_TRY(hf_scratch_print(cx, &owner, "%.*s", (int)(equals - p->with), p->with));
            if (!hf_asked_value(all, n_all, owner)) {
                all[n_all++] = (hf_argument){owner, equals + 1};
            }
        }
    }
    *arguments = all;
    *n = n_all;
    return HF_OK;
}

static bool is_of(const hf_group *group, const char *name) {
    const hf_param *p = group->params;
    while (p->name && strcmp(p->name, name) != 0) {
        p++;
    }
    return p->name;
}

bool hf_asked_is_replaced(const hf_question *question, const hf_argument *arguments, size_t n) {
    return question->instead && hf_asked_value(arguments, n, question->instead);
}

bool hf_asked_is_kept(const hf_question *question, const hf_question_part *part) {
    return part->beside || is_of(part->group, question->instead);
}

static bool is_own(const hf_question *question, const char *name) {
    const hf_question_part *part = question->parts;
    while (part->group && !(hf_asked_is_kept(question, part) && is_of(part->group, name))) {
        part++;
    }
    return part->group;
}

static hf_status check_one_of(hf_context *cx, const hf_question *question, const char *what, const hf_argument *arguments,
                              size_t n) {
    char names[NAMES_SIZE];
    if (!question->one_of || hf_asked_is_replaced(question, arguments, n)) {
        return HF_OK;
    }
    const size_t given = count_given(question->one_of, what ? "" : "--", ", ", arguments, n, names, sizeof names);
    if (given != 1) {
        const bool has_more = question->instead;
        HF_FAIL(cx, HF_EINVAL, "need one of %s%s%s%s; %s", names, has_more ? " and " : "", has_more && !what ? "--" : "",
                has_more ? question->instead : "", given ? "several are given" : "none is given");
    }
    return HF_OK;
}

hf_status hf_question_check(hf_context *cx, const hf_question *question, const char *what, const hf_argument *arguments,
                            size_t n) {
    const char *names[HF_ASKED_MAX + 1] = {NULL};
    const hf_param *p;
    HF_TRY(hf_asked_rename(cx, question, &arguments, n));
    for (size_t i = 0; (p = hf_question_param(question, i)) != NULL; i++) {
        names[i] = p->name;
    }
    for (size_t a = 0; a < n; a++) {
        size_t i;
        if (hf_words_need(cx, "argument", names, hf_slice_of(arguments[a].name), &i) != HF_OK) {
            hf_context_prefix(cx, "%s \"%s\": ", what ? what : "question", question->name);
            return HF_EINVAL;
        }
        if (hf_asked_value(arguments, a, names[i])) {
            HF_FAIL(cx, HF_EINVAL, "%s \"%s\": argument %s is given twice", what ? what : "question", question->name, names[i]);
        }
        if (hf_asked_is_replaced(question, arguments, n) && !is_own(question, names[i])) {
            HF_FAIL(cx, HF_EINVAL, "%s%s takes the place of %s%s; give one of them", what ? "" : "--", question->instead,
                    what ? "" : "--", names[i]);
        }
    }
    HF_TRY(hf_asked_imply(cx, question, &arguments, &n));
    for (size_t i = 0; (p = hf_question_param(question, i)) != NULL; i++) {
        const hf_asked_param f = hf_asked_param_at(question, i);
        if (hf_asked_value(arguments, n, p->name)) {
            HF_TRY(check_company(cx, question, &f, what, arguments, n));
        }
    }
    return check_one_of(cx, question, what, arguments, n);
}
