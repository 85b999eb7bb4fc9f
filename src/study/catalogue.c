/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The catalogue of all registries, and its JSON. */
#include <holdfast/study.h>
#include <inttypes.h>
#include <stdio.h>

#include "src/bridge/json.h"
#include "src/core/registry.h"
#include "src/study/catalogue.h"

const char *const hf_section_names[HF_SECTIONS + 1] = {"topologies", "routings", "universes", "criteria",
                                                       "traffic",    "studies",  "questions", NULL};

const hf_trait hf_traits[] = {
    {HF_ROUTING_MINIMAL, "minimal", "every path is a shortest path of the fault-free network"},
    {HF_ROUTING_ADAPTIVE, "adaptive", "more than one hop may be admissible"},
    {HF_ROUTING_MONOTONE, "monotone", "more faults never make a set tolerated again"},
    {HF_ROUTING_ORDER_FREE, "order-free", "the order in which components fail does not matter"},
    {HF_ROUTING_ACYCLIC, "acyclic", "the channel dependency graph is acyclic under every fault set"},
    {HF_ROUTING_FAULT_AWARE, "fault-aware", "no hop crosses a failed channel"},
    {HF_ROUTING_ALL_MINIMAL, "all-minimal", "exactly the healthy shortest paths are offered"},
    {HF_ROUTING_BLIND, "blind", "it looks at no faults: what it offers is the same under all"},
    {HF_ROUTING_COMMITS, "commits", "a packet chooses one of its hops when it comes, and waits for that alone"},
    {HF_ROUTING_SHORTEST, "shortest", "exactly the shortest paths of what the faults leave are offered"},
    {HF_ROUTING_COMPLETE, "complete", "all pairs are served where all terminals are connected, and nowhere else"},
    {HF_ROUTING_COMPLETE_BY_LINKS, "complete-by-links", "the same under faults that take links in both directions"},
    {0},
};

size_t hf_section_count(hf_section section) {
    switch (section) {
    case HF_SECTION_TOPOLOGIES:
        return hf_topology_count();
    case HF_SECTION_ROUTINGS:
        return hf_routing_count();
    case HF_SECTION_UNIVERSES:
        return hf_universe_kind_count();
    case HF_SECTION_CRITERIA:
        return hf_criterion_count();
    case HF_SECTION_TRAFFIC:
        return hf_traffic_count();
    case HF_SECTION_STUDIES:
        return hf_study_embedded_count();
    case HF_SECTION_QUESTIONS:
        return hf_question_count();
    case HF_SECTIONS:
        break;
    }
    return 0;
}

hf_entry hf_section_entry(hf_section section, size_t i) {
    switch (section) {
    case HF_SECTION_TOPOLOGIES: {
        const hf_topology_kind *k = hf_topology_kind_at(i);
        return (hf_entry){k->name, k->summary, k->source, k->claims, k->params, NULL, NULL};
    }
    case HF_SECTION_ROUTINGS: {
        const hf_routing *k = hf_routing_at(i);
        return (hf_entry){k->name, k->summary, k->source, NULL, k->params, k, NULL};
    }
    case HF_SECTION_UNIVERSES: {
        const hf_universe_kind *k = hf_universe_kind_at(i);
        return (hf_entry){k->name, k->summary, k->source, NULL, k->params, NULL, NULL};
    }
    case HF_SECTION_CRITERIA: {
        const hf_criterion_kind *k = hf_criterion_at(i);
        return (hf_entry){k->name, k->summary, k->source, NULL, k->params, NULL, NULL};
    }
    case HF_SECTION_TRAFFIC: {
        const hf_traffic_kind *k = hf_traffic_at(i);
        return (hf_entry){k->name, k->summary, k->source, NULL, k->params, NULL, NULL};
    }
    case HF_SECTION_QUESTIONS: {
        const hf_question *k = hf_question_at(i);
        return (hf_entry){k->name, k->summary, k->source, NULL, NULL, NULL, k};
    }
    default:
        return (hf_entry){hf_study_embedded_name(i), "", NULL, NULL, NULL, NULL, NULL};
    }
}

/* What the study says of itself, in the arena. */
static hf_status ask_study(hf_context *cx, hf_entry *out) {
    hf_study *study;
    char *title, *source;
    HF_TRY(hf_study_open(cx, out->name, &study));
    hf_status status = hf_scratch_print(cx, &title, "%s", hf_study_title(study));
    status = status == HF_OK ? hf_scratch_print(cx, &source, "%s", hf_study_source(study)) : status;
    if (status == HF_OK) {
        out->summary = title;
        out->source = *source ? source : NULL;
    }
    hf_study_free(study);
    return status;
}

/* Those of a question in the arena, with the defaults of its scene. */
static hf_status params_of(hf_context *cx, const hf_question *question, const hf_param **out) {
    const hf_param *p;
    hf_param *list;
    size_t n = 0;
    while (hf_question_param(question, n)) {
        n++;
    }
    HF_TRY(hf_scratch(cx, n + 1, sizeof *list, (void **)&list));
    for (size_t i = 0; (p = hf_question_param(question, i)) != NULL; i++) {
        list[i] = *p;
        list[i].fallback = hf_question_fallback(question, i);
        list[i].flags = hf_question_requires(question, i) ? 0 : HF_PARAM_OPTIONAL;
    }
    *out = list;
    return HF_OK;
}

hf_status hf_section_whole(hf_context *cx, hf_section section, size_t i, hf_entry *out) {
    *out = hf_section_entry(section, i);
    if (section == HF_SECTION_STUDIES) {
        HF_TRY(ask_study(cx, out));
    }
    return out->question ? params_of(cx, out->question, &out->params) : HF_OK;
}

/* ---- in words ---- */

void hf_param_range(const hf_param *p, char *text, size_t size) {
    size_t used = 0;
    switch (p->type) {
    case HF_PARAM_BOOL:
        snprintf(text, size, "yes or no");
        break;
    case HF_PARAM_TEXT:
        snprintf(text, size, "text");
        break;
    case HF_PARAM_WORD:
    case HF_PARAM_WORDS:
        for (size_t i = 0; p->words[i] && used < size; i++) {
            used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "", p->words[i]);
        }
        break;
    default:
        used = (size_t)snprintf(text, size, "%" PRIu64 "..", p->low);
        if (p->high != UINT64_MAX) {
            used += (size_t)snprintf(text + used, size - used, "%" PRIu64, p->high);
        }
        snprintf(text + used, size - used, "%s",
                 p->type == HF_PARAM_COUNT    ? " or unlimited"
                 : p->type == HF_PARAM_DIMS   ? " joined by x"
                 : p->type == HF_PARAM_AMOUNT ? ", or a share such as 50%"
                 : p->type == HF_PARAM_REAL   ? ", a number"
                                              : "");
        break;
    }
}

const char *hf_measure_over(const hf_routing_measures *m, const hf_extra_note *note) {
    return note->over == HF_OVER_TOLERATED ? "tolerated sets" : m->extras[note->over];
}

/* ---- JSON ---- */

static void json_measures(const hf_routing *routing, hf_json *o) {
    const hf_routing_measures *m = hf_measures_of(routing);
    hf_json *classes = hf_json_array(), *measures = hf_json_array();
    for (size_t i = 0; m->outcomes && m->outcomes[i]; i++) {
        hf_json_push(classes, hf_json_text(m->outcomes[i]));
    }
    for (size_t i = 0; m->extras && m->extras[i]; i++) {
        const hf_extra_note *note = &m->notes[i];
        hf_json *measure = hf_json_object();
        hf_json_set(measure, "name", hf_json_text(m->extras[i]));
        hf_json_set(measure, "meaning", hf_json_text(note->meaning));
        hf_json_set(measure, "ratio", note->ratio ? hf_json_text(note->ratio) : hf_json_null());
        hf_json_set(measure, "over", note->ratio ? hf_json_text(hf_measure_over(m, note)) : hf_json_null());
        hf_json_push(measures, measure);
    }
    hf_json_set(o, "classes", classes);
    hf_json_set(o, "measures", measures);
}

/* How Python and others read a cell. */
static const char *kind_name(hf_column_kind kind) {
    static const char *const names[] = {"word",      "names", "tree",  "flag",     "count",
                                        "big count", "real",  "exact", "estimate", "range"};
    return names[kind];
}

static void json_columns(const hf_question *question, hf_json *o) {
    hf_json *columns = hf_json_array();
    for (const hf_column *c = question->columns; c->key; c++) {
        hf_json *column = hf_json_object();
        hf_json_set(column, "key", hf_json_text(c->key));
        hf_json_set(column, "heading", hf_json_text(c->heading));
        hf_json_set(column, "kind", hf_json_text(kind_name(c->kind)));
        hf_json_set(column, "unit", c->unit ? hf_json_text(c->unit) : hf_json_null());
        hf_json_push(columns, column);
    }
    hf_json_set(o, "columns", columns);
}

/* The words of a parameter that is one of some; of others null. */
static hf_json *json_words(const hf_param *p) {
    if (p->type != HF_PARAM_WORD && p->type != HF_PARAM_WORDS) {
        return hf_json_null();
    }
    hf_json *words = hf_json_array();
    for (size_t i = 0; p->words[i]; i++) {
        hf_json_push(words, hf_json_text(p->words[i]));
    }
    return words;
}

static hf_json *json_param(const hf_param *p) {
    static const char *const types[] = {"integer", "count", "flag", "word", "dims", "text", "real", "amount", "words"};
    char range[256];
    hf_json *param = hf_json_object();
    hf_param_range(p, range, sizeof range);
    hf_json_set(param, "name", hf_json_text(p->name));
    hf_json_set(param, "type", hf_json_text(types[p->type]));
    hf_json_set(param, "range", hf_json_text(range));
    hf_json_set(param, "words", json_words(p));
    hf_json_set(param, "unit", p->unit ? hf_json_text(p->unit) : hf_json_null());
    hf_json_set(param, "default", p->fallback ? hf_json_text(p->fallback) : hf_json_null());
    hf_json_set(param, "required", hf_json_boolean(!p->fallback && !(p->flags & HF_PARAM_OPTIONAL)));
    hf_json_set(param, "help", hf_json_text(p->help));
    return param;
}

static hf_json *json_claims(const hf_entry *e) {
    hf_json *claims = hf_json_array();
    for (const hf_trait *t = hf_traits; e->routing && t->name; t++) {
        if (e->routing->traits & t->bit) {
            hf_json_push(claims, hf_json_text(t->name));
        }
    }
    if (e->claims) {
        hf_json_push(claims, hf_json_text(e->claims));
    }
    return claims;
}

hf_json *hf_entry_json(const hf_entry *e, hf_section section) {
    hf_json *o = hf_json_object(), *params = hf_json_array();
    hf_json_set(o, "kind", hf_json_text(hf_section_names[section]));
    hf_json_set(o, "name", hf_json_text(e->name));
    hf_json_set(o, "summary", hf_json_text(e->summary));
    hf_json_set(o, "source", e->source ? hf_json_text(e->source) : hf_json_null());
    for (const hf_param *p = e->params; p && p->name; p++) {
        hf_json_push(params, json_param(p));
    }
    hf_json_set(o, "parameters", params);
    hf_json_set(o, "claims", json_claims(e));
    if (e->routing) {
        json_measures(e->routing, o);
    }
    if (e->question) {
        hf_json_set(o, "about", hf_json_text(e->question->about));
        json_columns(e->question, o);
    }
    return o;
}

hf_status hf_section_find(hf_context *cx, const char *name, hf_section *from, hf_section *to) {
    size_t i = 0;
    HF_TRY(name ? hf_words_need(cx, "list", hf_section_names, hf_slice_of(name), &i) : HF_OK);
    *from = (hf_section)i;
    *to = name ? *from + 1 : HF_SECTIONS;
    return HF_OK;
}

static hf_status push_section(hf_context *cx, hf_section section, hf_json *rows) {
    for (size_t i = 0; i < hf_section_count(section); i++) {
        hf_entry e;
        HF_TRY(hf_section_whole(cx, section, i, &e));
        hf_json_push(rows, hf_entry_json(&e, section));
    }
    return HF_OK;
}

hf_status hf_catalogue_print(hf_context *cx, const char *name, hf_text *out) {
    hf_section from, to;
    HF_TRY(hf_section_find(cx, name, &from, &to));
    hf_json *root = hf_json_frame("list"), *rows = hf_json_array();
    hf_json_set(root, "spec", hf_json_object());
    hf_json_set(root, "rows", rows);
    hf_status status = HF_OK;
    for (hf_section s = from; s < to && status == HF_OK; s++) {
        status = push_section(cx, s, rows);
    }
    status = status == HF_OK ? hf_json_print(cx, root, out) : status;
    hf_json_free(root);
    return status;
}
