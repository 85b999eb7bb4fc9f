/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The scenes that questions are asked of: opened from arguments. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "src/question/ask.h"

/* A part of the scene as it is asked for: what is said of it, or its default. */
typedef struct part_said {
    bool is_there; /* it is opened */
    const char *text, *only, *classes, *flows;
} part_said;

static bool is_walked(const hf_question *question, const hf_argument *arguments, size_t n) {
    return hf_asked_gives_any(hf_asked_walked_by(question), arguments, n);
}

/* The default of a part; NULL: it has none, or it depends. */
static const char *part_default(const hf_question *question, unsigned bit, const hf_argument *arguments, size_t n) {
    return bit == HF_SCENE_TRAFFIC     ? question->traffic
           : bit == HF_SCENE_UNIVERSE  ? hf_asked_universe(question, arguments, n)
           : bit == HF_SCENE_CRITERION ? "all-pairs"
           : bit == HF_SCENE_FAILED    ? ""
                                       : NULL;
}

static part_said say_part(const hf_question *question, unsigned bit, const char *name, const hf_argument *arguments, size_t n) {
    const char *text = hf_asked_value(arguments, n, name), *fallback = part_default(question, bit, arguments, n);
    const bool by_default = bit == HF_SCENE_TRAFFIC && ((question->scene | question->scene_maybe) & bit) && fallback,
               by_walk = (question->scene_maybe & bit & HF_SCENE_UNIVERSE) && is_walked(question, arguments, n);
    return (part_said){.is_there = text || (question->scene & bit) || by_walk || by_default,
                       .text = text ? text : fallback,
                       .only = bit == HF_SCENE_UNIVERSE ? hf_asked_value(arguments, n, "only") : NULL,
                       .classes = bit == HF_SCENE_ROUTING ? hf_asked_value(arguments, n, "classes") : NULL,
                       .flows = bit == HF_SCENE_ROUTING ? hf_asked_value(arguments, n, "flows") : NULL};
}

/* Is an outline of the network enough? */
static bool is_outlined(const hf_question *question, const hf_argument *arguments, size_t n) {
    const char *rule = hf_asked_value(arguments, n, "routing");
    size_t size = 0;
    bool is_enough = question->outlines && !hf_asked_value(arguments, n, "flows");
    for (unsigned bit = HF_SCENE_UNIVERSE; bit <= HF_SCENE_FAILED; bit <<= 1) {
        is_enough &= !say_part(question, bit, hf_asked_part_name(bit), arguments, n).is_there;
    }
    if (is_enough && rule) {
        (void)hf_spec_split(rule, &size);
        const hf_routing *routing = hf_routing_find(rule, size);
        is_enough = routing && routing->chooses;
    }
    return is_enough;
}

static hf_status open_rule(hf_context *cx, const hf_question *question, const part_said *p, hf_scene *out) {
    char *spec;
    if (p->flows && p->text && strstr(p->text, " for ")) {
        HF_FAIL(cx, HF_EINVAL, "routing \"%s\" and flows %s both say who sends to whom; need one of them", p->text, p->flows);
    }
    if (p->classes && p->text && (strstr(p->text, " for ") || strstr(p->text, " with "))) {
        HF_FAIL(cx, HF_EINVAL, "routing \"%s\" stands before its classes and flows; write it as RULE with %s for FILE", p->text,
                p->classes);
    }
    if (p->classes && p->classes[strspn(p->classes, HF_CLASSES_LETTERS)]) {
        HF_FAIL(cx, HF_EINVAL, "classes \"%s\": \"%s\" is not right; need names of letters, digits, - and _, as in request>reply",
                p->classes, p->classes + strspn(p->classes, HF_CLASSES_LETTERS));
    }
    HF_TRY(hf_scratch_print(cx, &spec, "%s%s%s%s%s", p->text, p->classes ? " with " : "", p->classes ? p->classes : "",
                            p->flows ? " for " : "", p->flows ? p->flows : ""));
    HF_TRY(hf_rule_init(cx, spec, out->topo, &out->rule));
    if (out->rule.flows && !question->knows_flows) {
        HF_FAIL(cx, HF_ENOTSUP, "routing \"%s\" has flows; question %s is asked of all pairs", out->rule.spec, question->name);
    }
    if (out->rule.classes && !question->knows_classes) {
        HF_FAIL(cx, HF_ENOTSUP, "routing \"%s\" has classes of messages; question %s is asked of packets of one kind",
                out->rule.spec, question->name);
    }
    return HF_OK;
}

static hf_status open_traffic(hf_context *cx, const part_said *p, hf_scene *out) {
    HF_TRY(hf_traffic_new(cx, out->topo, p->text, &out->traffic));
    return out->rule.flows ? hf_traffic_keep(cx, out->traffic, out->rule.flows) : HF_OK;
}

/* Named, or "@FILE" with their names. */
static hf_status open_failed(hf_context *cx, const hf_universe *universe, const char *text, hf_scene *out) {
    char *names;
    HF_TRY(hf_fault_names_load(cx, text ? text : "", &names));
    return hf_fault_set_parse(cx, out->topo, universe, names, &out->failed);
}

static hf_status open_part(hf_context *cx, const hf_question *question, bool is_of_all, bool is_outline, unsigned bit,
                           const part_said *p, hf_scene *out) {
    switch (bit) {
    case HF_SCENE_TOPOLOGY:
        return is_outline ? hf_topology_outline(cx, p->text, &out->topo) : hf_topology_new(cx, p->text, &out->topo);
    case HF_SCENE_ROUTING:
        return open_rule(cx, question, p, out);
    case HF_SCENE_UNIVERSE:
        return hf_universe_new(cx, out->topo, p->text, p->only, &out->universe);
    case HF_SCENE_CRITERION:
        return hf_criterion_init(cx, p->text, &out->criterion);
    case HF_SCENE_TRAFFIC:
        return open_traffic(cx, p, out);
    default:
        return open_failed(cx, is_of_all ? NULL : out->universe, p->text, out);
    }
}

static hf_status open_parts(hf_context *cx, const hf_question *question, const char *what, const hf_argument *arguments, size_t n,
                            hf_scene *out) {
    for (unsigned bit = HF_SCENE_TOPOLOGY; bit <= HF_SCENE_FAILED; bit <<= 1) {
        const part_said p = say_part(question, bit, hf_asked_part_name(bit), arguments, n);
        if (!p.text && (hf_asked_parts(question) & bit)) {
            return hf_asked_refuse_missing(cx, question, what, hf_asked_part_name(bit));
        }
        if (p.is_there) {
            HF_TRY(open_part(cx, question, is_walked(question, arguments, n), is_outlined(question, arguments, n), bit, &p, out));
            out->has |= bit;
        }
    }
    return HF_OK;
}

hf_status hf_scene_key(hf_context *cx, const hf_question *question, const hf_argument *arguments, size_t n, char **out) {
    HF_TRY(hf_scratch_print(cx, out, "%s%s", is_walked(question, arguments, n) ? "walked" : "",
                            is_outlined(question, arguments, n) ? "outline" : ""));
    for (unsigned bit = HF_SCENE_TOPOLOGY; bit <= HF_SCENE_FAILED && !hf_asked_is_replaced(question, arguments, n); bit <<= 1) {
        const part_said p = say_part(question, bit, hf_asked_part_name(bit), arguments, n);
        if (p.is_there) {
            const char *more = p.only ? p.only : p.flows;
            HF_TRY(hf_scratch_print(cx, out, "%s|%s=%s%s%s", *out, hf_asked_part_name(bit), p.text ? p.text : "",
                                    p.only    ? "|only="
                                    : p.flows ? "|flows="
                                              : "",
                                    more ? more : ""));
        }
    }
    return HF_OK;
}

hf_status hf_scene_open(hf_context *cx, const hf_question *question, const char *what, const hf_argument *arguments, size_t n,
                        hf_scene *out) {
    *out = (hf_scene){0};
    const hf_status status =
        hf_asked_is_replaced(question, arguments, n) ? HF_OK : open_parts(cx, question, what, arguments, n, out);
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
