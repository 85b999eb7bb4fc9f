/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Registry of the questions, and asking them. */
#include <holdfast/question.h>

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "src/core/registry.h"

/* A build of the tests adds to the list. */
#ifndef HF_QUESTION_LIST
#define HF_QUESTION_LIST "src/question/list.def"
#endif

#define X(name) extern const hf_question hf_question_##name;
#include HF_QUESTION_LIST
#undef X

static const void *const entries[] = {
#define X(name) &hf_question_##name,
#include HF_QUESTION_LIST
#undef X
};
static const hf_registry registry = HF_REGISTRY("question", entries);
enum { ARGUMENTS_MAX = 128 };

size_t hf_question_count(void) { return registry.n; }
const hf_question *hf_question_at(size_t i) { return hf_registry_at(&registry, i); }

hf_status hf_question_find(hf_context *cx, const char *name, const hf_question **out) {
    *out = hf_registry_need(cx, &registry, hf_slice_of(name));
    return *out ? HF_OK : HF_ENOENT;
}

/* ---- parameters ---- */

/* One for each bit of a scene; `only` belongs to the universe. */
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
      .help = "components that have failed, such as s8:3-s18:0,s5"}},
};
enum { N_OF_SCENE = sizeof of_scene / sizeof *of_scene };
static const unsigned with_default = HF_SCENE_UNIVERSE | HF_SCENE_CRITERION | HF_SCENE_FAILED;

/* The bit of the i-th parameter where it is of the scene; else 0. */
static const hf_param *find_param(const hf_question *question, size_t i, unsigned *bit) {
    for (size_t s = 0; s < N_OF_SCENE; s++) {
        if (((question->scene | question->scene_maybe) & of_scene[s].bit) && i-- == 0) {
            *bit = of_scene[s].bit;
            return &of_scene[s].param;
        }
    }
    *bit = 0;
    for (const hf_question_part *part = question->parts; part->group; part++) {
        for (const hf_param *p = part->group->params; p->name; p++) {
            if (i-- == 0) {
                return p;
            }
        }
    }
    return NULL;
}

const hf_param *hf_question_param(const hf_question *question, size_t i) {
    unsigned bit;
    return find_param(question, i, &bit);
}

static bool must_be_given(const hf_param *p) { return !p->fallback && !(p->flags & HF_PARAM_OPTIONAL); }

static const char *value_of(const hf_argument *arguments, size_t n, const char *name) {
    for (size_t i = 0; i < n; i++) {
        if (strcmp(arguments[i].name, name) == 0) {
            return arguments[i].value;
        }
    }
    return NULL;
}

static const char *universe_of(const hf_question *question, const hf_argument *arguments, size_t n) {
    for (const hf_argument *u = question->universes; u && u->name; u++) {
        const char *flag = value_of(arguments, n, u->name);
        if (flag && strcmp(flag, "no") != 0) {
            return u->value;
        }
    }
    return question->universe ? question->universe : "channels";
}

const char *hf_question_fallback(const hf_question *question, size_t i) {
    unsigned bit;
    const hf_param *p = find_param(question, i, &bit);
    return bit == HF_SCENE_UNIVERSE && strcmp(p->name, "universe") == 0 ? universe_of(question, NULL, 0) : p ? p->fallback : NULL;
}

bool hf_question_requires(const hf_question *question, size_t i) {
    unsigned bit;
    const hf_param *p = find_param(question, i, &bit);
    return bit ? question->scene & bit & ~with_default : p && must_be_given(p);
}

/* How messages write an argument: "--topology", or "study "fig-3": topology". */
static hf_status refuse_missing(hf_context *cx, const hf_question *question, const char *what, const char *name) {
    if (!what) {
        HF_FAIL(cx, HF_EINVAL, "option --%s is missing; see `holdfast %s --help`", name, question->name);
    }
    HF_FAIL(cx, HF_EINVAL, "%s \"%s\": argument %s is missing", what, question->name, name);
}

/* The parameters that another one belongs to, blanks between. Of fault sets one knows only with them what can fail. */
static const char *owners_of(const hf_question *question, const hf_param *p, unsigned bit) {
    const bool is_maybe = question->scene_maybe & bit & HF_SCENE_UNIVERSE;
    return !is_maybe ? p->with : strcmp(p->name, "only") == 0 ? "faults" : "faults failed";
}

/* A parameter that belongs to others is not asked for alone, and one that contradicts another not with it. */
static hf_status check_company(hf_context *cx, const hf_param *p, const char *owners, const char *what,
                               const hf_argument *arguments, size_t n) {
    const char *dashes = what ? "" : "--", *at = owners ? owners : "";
    char list[96] = "";
    bool found = !owners;
    for (size_t used = 0; *at && !found; at += strspn(at, " ")) {
        const size_t size = strcspn(at, " ");
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s%.*s", used ? " or " : "", dashes, (int)size, at);
        assert(used < sizeof list);
        for (size_t a = 0; a < n && !found; a++) {
            found = arguments[a].value && hf_slice_is((hf_slice){at, size}, arguments[a].name);
        }
        at += size;
    }
    if (!found) {
        HF_FAIL(cx, HF_EINVAL, "%s%s belongs to %s", dashes, p->name, list);
    }
    if (p->without && value_of(arguments, n, p->without)) {
        HF_FAIL(cx, HF_EINVAL, "%s%s and %s%s contradict each other; need one of them", dashes, p->without, dashes, p->name);
    }
    return HF_OK;
}

static bool is_of(const hf_group *group, const char *name) {
    const hf_param *p = group->params;
    while (p->name && strcmp(p->name, name) != 0) {
        p++;
    }
    return p->name;
}

/* Is a parameter given that takes the place of what is not its own? */
static bool is_replaced(const hf_question *question, const hf_argument *arguments, size_t n) {
    return question->instead && value_of(arguments, n, question->instead);
}

/* Its own: of the part that has the parameter which takes the place of others. */
static bool is_own(const hf_question *question, const char *name) {
    const hf_question_part *part = question->parts;
    while (part->group && !(is_of(part->group, question->instead) && is_of(part->group, name))) {
        part++;
    }
    return part->group;
}

hf_status hf_question_check(hf_context *cx, const hf_question *question, const char *what, const hf_argument *arguments,
                            size_t n) {
    const char *names[ARGUMENTS_MAX + 1] = {NULL};
    const hf_param *p;
    for (size_t i = 0; (p = hf_question_param(question, i)) != NULL; i++) {
        names[i] = p->name;
    }
    for (size_t a = 0; a < n; a++) {
        size_t i;
        if (hf_words_need(cx, "argument", names, hf_slice_of(arguments[a].name), &i) != HF_OK) {
            hf_context_prefix(cx, "%s \"%s\": ", what ? what : "question", question->name);
            return HF_EINVAL;
        }
        if (value_of(arguments, a, names[i])) {
            HF_FAIL(cx, HF_EINVAL, "%s \"%s\": argument %s is given twice", what ? what : "question", question->name, names[i]);
        }
        if (is_replaced(question, arguments, n) && !is_own(question, names[i])) {
            HF_FAIL(cx, HF_EINVAL, "%s%s takes the place of %s%s; give one of them", what ? "" : "--", question->instead,
                    what ? "" : "--", names[i]);
        }
    }
    unsigned bit;
    for (size_t i = 0; (p = find_param(question, i, &bit)) != NULL; i++) {
        if (value_of(arguments, n, p->name)) {
            HF_TRY(check_company(cx, p, owners_of(question, p, bit), what, arguments, n));
        }
    }
    return HF_OK;
}

/* ---- the scene ---- */

/* Open one part; `text` NULL: its default, where it has one. */
static hf_status open_part(hf_context *cx, const char *universe, unsigned bit, const char *text, const char *only,
                           hf_scene *out) {
    switch (bit) {
    case HF_SCENE_TOPOLOGY:
        return hf_topology_new(cx, text, &out->topo);
    case HF_SCENE_ROUTING:
        return hf_rule_init(cx, text, out->topo, &out->rule);
    case HF_SCENE_UNIVERSE:
        return hf_universe_new(cx, out->topo, text ? text : universe, only, &out->universe);
    case HF_SCENE_CRITERION:
        return hf_criterion_init(cx, text ? text : "all-pairs", &out->criterion);
    case HF_SCENE_TRAFFIC:
        return hf_traffic_new(cx, out->topo, text, &out->traffic);
    default:
        return hf_fault_set_parse(cx, out->topo, out->universe, text ? text : "", &out->failed);
    }
}

static hf_status open_parts(hf_context *cx, const hf_question *question, const char *what, const hf_argument *arguments, size_t n,
                            hf_scene *out) {
    for (unsigned bit = HF_SCENE_TOPOLOGY; bit <= HF_SCENE_FAILED; bit <<= 1) {
        size_t s = 0;
        while (of_scene[s].bit != bit) {
            s++;
        }
        const char *text = value_of(arguments, n, of_scene[s].param.name);
        const bool is_walked = (question->scene_maybe & bit & HF_SCENE_UNIVERSE) && value_of(arguments, n, "faults");
        const bool is_needed = (question->scene & bit) || is_walked;
        if (!text && is_needed && !(bit & with_default)) {
            return refuse_missing(cx, question, what, of_scene[s].param.name);
        }
        if (text || is_needed) {
            HF_TRY(open_part(cx, universe_of(question, arguments, n), bit, text, value_of(arguments, n, "only"), out));
            out->has |= bit;
        }
    }
    return HF_OK;
}

hf_status hf_scene_open(hf_context *cx, const hf_question *question, const char *what, const hf_argument *arguments, size_t n,
                        hf_scene *out) {
    *out = (hf_scene){0};
    const hf_status status = is_replaced(question, arguments, n) ? HF_OK : open_parts(cx, question, what, arguments, n, out);
    if (status != HF_OK) {
        hf_scene_close(out);
    }
    return status;
}

void hf_scene_close(hf_scene *scene) {
    hf_traffic_free(scene->traffic);
    hf_universe_free(scene->universe);
    hf_rule_free(&scene->rule);
    hf_topology_free(scene->topo);
    *scene = (hf_scene){0};
}

/* ---- asking ---- */

/* What was said of one parameter; given is false where nothing was. */
static hf_status read_arg(hf_context *cx, const hf_question *question, const char *what, const hf_param *p,
                          const hf_argument *arguments, size_t n, bool *given, hf_value *value) {
    const char *text = value_of(arguments, n, p->name);
    *given = text != NULL;
    if (!text) {
        return must_be_given(p) ? refuse_missing(cx, question, what, p->name) : HF_OK;
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

static hf_status read_args(hf_context *cx, const hf_question *question, const char *what, const hf_argument *arguments, size_t n,
                           bool *given, char *args) {
    for (const hf_question_part *part = question->parts; part->group; part++) {
        if (is_replaced(question, arguments, n) && !is_of(part->group, question->instead)) {
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

bool hf_asked_wants(const hf_asked *asked, const char *attachment) {
    const char *const *name = asked->conduct->attachments;
    while (name && *name && strcmp(*name, attachment) != 0) {
        name++;
    }
    return name && *name;
}

/* ---- the arguments of an answer ---- */

/* "whole-registers" is whole_registers in tables and JSON. */
static hf_status key_of(hf_context *cx, const hf_param *p, char **out) {
    HF_TRY(hf_scratch_print(cx, out, "%s", p->name));
    for (char *c = *out; *c; c++) {
        *c = *c == '-' ? '_' : *c;
    }
    return HF_OK;
}

static hf_column_kind kind_of(const hf_param *p) {
    const bool is_big = p->high >= UINT64_C(1) << 53;
    return p->type == HF_PARAM_BOOL   ? HF_COLUMN_FLAG
           : p->type == HF_PARAM_REAL ? HF_COLUMN_REAL
           : p->type != HF_PARAM_UINT ? HF_COLUMN_WORD
           : is_big                   ? HF_COLUMN_BIG_COUNT
                                      : HF_COLUMN_COUNT;
}

static hf_status put_argument(hf_context *cx, const hf_param *p, const char *value, hf_report *out) {
    char *key;
    HF_TRY(key_of(cx, p, &key));
    hf_report_argument_as(out, key, value, kind_of(p));
    return HF_OK;
}

hf_status hf_question_outline(hf_context *cx, const hf_question *question, hf_report *out) {
    const hf_param *p;
    size_t n = 0;
    hf_report_begin(cx, question->summary, question->name, out);
    for (size_t i = 0; (p = hf_question_param(question, i)) != NULL; i++) {
        HF_TRY(put_argument(cx, p, NULL, out));
    }
    while (question->columns[n].key) {
        n++;
    }
    hf_report_table_begin(out, question->table, question->columns, n);
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
    return written;
}

static hf_status put_arguments(hf_context *cx, const hf_question *question, const hf_scene *scene, const hf_argument *arguments,
                               size_t n, const bool *given, const char *args, hf_report *out) {
    const hf_param *p;
    unsigned bit;
    for (size_t i = 0; (p = find_param(question, i, &bit)) != NULL && bit; i++) {
        HF_TRY(put_argument(cx, p, spec_of(scene, p->name, value_of(arguments, n, p->name)), out));
    }
    for (const hf_question_part *part = question->parts; part->group; part++) {
        const bool says = !is_replaced(question, arguments, n) || is_of(part->group, question->instead);
        for (p = part->group->params; p->name; p++, given++) {
            hf_value value;
            char *text = NULL;
            hf_param_load(p, args + part->at, &value);
            if (*given || (says && !(p->flags & HF_PARAM_OPTIONAL))) {
                HF_TRY(hf_param_text(cx, p, &value, &text));
            }
            HF_TRY(put_argument(cx, p, text, out));
        }
    }
    return HF_OK;
}

static hf_status ask_of(hf_context *cx, const hf_question *question, const char *what, const hf_scene *scene,
                        const hf_argument *arguments, size_t n, const hf_conduct *conduct, hf_report *answer) {
    bool given[ARGUMENTS_MAX] = {false};
    char *args;
    HF_TRY(hf_scratch(cx, question->args_size, 1, (void **)&args));
    HF_TRY(read_args(cx, question, what, arguments, n, given, args));
    HF_TRY(hf_question_outline(cx, question, answer));
    HF_TRY(put_arguments(cx, question, scene, arguments, n, given, args, answer));
    const hf_asked asked = {question, scene, args, given, conduct};
    return question->ask(cx, &asked, answer);
}

hf_status hf_question_ask(hf_context *cx, const hf_question *question, const char *what, const hf_scene *scene,
                          const hf_argument *arguments, size_t n, const hf_conduct *conduct, hf_report *answer) {
    static const hf_conduct alone = {0};
    hf_scene opened = {0};
    HF_TRY(hf_question_check(cx, question, what, arguments, n));
    if (!scene) {
        HF_TRY(hf_scene_open(cx, question, what, arguments, n, &opened));
    }
    const hf_status status =
        ask_of(cx, question, what, scene ? scene : &opened, arguments, n, conduct ? conduct : &alone, answer);
    hf_scene_close(&opened);
    return status;
}

hf_status hf_question_check_file(hf_context *cx, const hf_question *question, const char *file, hf_report *answer) {
    HF_TRY(hf_question_outline(cx, question, answer));
    return question->check(cx, file, answer);
}

hf_status hf_ask(hf_context *cx, const char *question, const hf_argument *arguments, size_t n, hf_report *answer) {
    const hf_question *found;
    HF_TRY(hf_question_find(cx, question, &found));
    return hf_question_ask(cx, found, "question", NULL, arguments, n, NULL, answer);
}
