/* SPDX-License-Identifier: GPL-3.0-or-later */
/* holdfast list and describe: what the registries hold. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "src/cli/commands.h"
#include "src/cli/registry.h"
#include "src/core/registry.h"

/* ---- one view of all descriptors ---- */

static const char *const section_name[CLI_SECTIONS + 1] = {"topologies", "routings", "universes", "criteria",
                                                           "traffic",    "studies",  "questions", NULL};

const char *cli_section_name(cli_section section) { return section_name[section]; }

size_t cli_section_count(cli_section section) {
    switch (section) {
    case CLI_TOPOLOGIES:
        return hf_topology_count();
    case CLI_ROUTINGS:
        return hf_routing_count();
    case CLI_UNIVERSES:
        return hf_universe_kind_count();
    case CLI_CRITERIA:
        return hf_criterion_count();
    case CLI_TRAFFIC:
        return hf_traffic_count();
    case CLI_STUDIES:
        return hf_study_embedded_count();
    case CLI_QUESTIONS:
        return hf_question_count();
    case CLI_SECTIONS:
        break;
    }
    return 0;
}

static const char *study_title(hf_context *cx, const char *name) {
    hf_study *study;
    char *title = "";
    if (hf_study_open(cx, name, &study) == HF_OK) {
        (void)hf_scratch_print(cx, &title, "%s", hf_study_title(study));
        hf_study_free(study);
    }
    return title;
}

cli_entry cli_section_entry(cli_section section, size_t i) {
    switch (section) {
    case CLI_TOPOLOGIES: {
        const hf_topology_kind *k = hf_topology_kind_at(i);
        return (cli_entry){k->name, k->summary, k->source, k->claims, k->params, 0};
    }
    case CLI_ROUTINGS: {
        const hf_routing *k = hf_routing_at(i);
        return (cli_entry){k->name, k->summary, k->source, NULL, k->params, k->traits};
    }
    case CLI_UNIVERSES: {
        const hf_universe_kind *k = hf_universe_kind_at(i);
        return (cli_entry){k->name, k->summary, k->source, NULL, k->params, 0};
    }
    case CLI_CRITERIA: {
        const hf_criterion_kind *k = hf_criterion_at(i);
        return (cli_entry){k->name, k->summary, k->source, NULL, k->params, 0};
    }
    case CLI_TRAFFIC: {
        const hf_traffic_kind *k = hf_traffic_at(i);
        return (cli_entry){k->name, k->summary, k->source, NULL, k->params, 0};
    }
    case CLI_QUESTIONS: {
        const hf_question *k = hf_question_at(i);
        return (cli_entry){k->name, k->summary, k->source, NULL, NULL, 0};
    }
    default: {
        const char *name = hf_study_embedded_name(i);
        return (cli_entry){name, "", NULL, NULL, NULL, 0};
    }
    }
}

/* Those of a question in the arena, with the defaults of its scene; NULL without memory. */
static const hf_param *params_of(hf_context *cx, const hf_question *question) {
    const hf_param *p;
    hf_param *list;
    size_t n = 0;
    while (hf_question_param(question, n)) {
        n++;
    }
    if (hf_scratch(cx, n + 1, sizeof *list, (void **)&list) != HF_OK) {
        return NULL;
    }
    for (size_t i = 0; (p = hf_question_param(question, i)) != NULL; i++) {
        list[i] = *p;
        list[i].fallback = hf_question_fallback(question, i);
        list[i].flags = hf_question_requires(question, i) ? 0 : HF_PARAM_OPTIONAL;
    }
    return list;
}

/* With the title of a study, for which its file must be read, and the parameters of a question. */
static cli_entry whole_entry(hf_context *cx, cli_section section, size_t i) {
    cli_entry e = cli_section_entry(section, i);
    e.summary = section == CLI_STUDIES ? study_title(cx, e.name) : e.summary;
    e.params = section == CLI_QUESTIONS ? params_of(cx, hf_question_at(i)) : e.params;
    return e;
}

/* ---- traits and parameters in words ---- */

static const struct {
    unsigned bit;
    const char *name, *meaning;
} traits[] = {
    {HF_ROUTING_MINIMAL, "minimal", "every path is a shortest path of the fault-free network"},
    {HF_ROUTING_ADAPTIVE, "adaptive", "more than one hop may be admissible"},
    {HF_ROUTING_MONOTONE, "monotone", "more faults never make a set tolerated again"},
    {HF_ROUTING_ORDER_FREE, "order-free", "the order in which components fail does not matter"},
    {HF_ROUTING_ACYCLIC, "acyclic", "the channel dependency graph is acyclic under every fault set"},
    {HF_ROUTING_FAULT_AWARE, "fault-aware", "no hop crosses a failed channel"},
    {HF_ROUTING_ALL_MINIMAL, "all-minimal", "exactly the healthy shortest paths are offered"},
    {HF_ROUTING_BLIND, "blind", "it looks at no faults: what it offers is the same under all"},
};
enum { N_TRAIT = sizeof traits / sizeof *traits };

static void param_range(const hf_param *p, char *text, size_t size) {
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

/* Classes of fault sets and measures that a routing names. */
static void print_names(const char *what, const char *const *names, hf_text *out) {
    for (size_t i = 0; names && names[i]; i++) {
        hf_text_print(out, "%s%s", i ? ", " : what, names[i]);
    }
    hf_text_print(out, names && names[0] ? "\n" : "");
}

/* What a measure is taken over. */
static const char *over_what(const hf_routing_measures *m, const hf_extra_note *note) {
    return note->over == HF_OVER_TOLERATED ? "tolerated sets" : m->extras[note->over];
}

static void print_measures(const hf_routing *routing, hf_text *out) {
    const hf_routing_measures *m = hf_measures_of(routing);
    print_names("  classes of fault sets: ", m->outcomes, out);
    for (size_t i = 0; m->extras && m->extras[i]; i++) {
        const hf_extra_note *note = &m->notes[i];
        hf_text_print(out, "  measure %s: %s\n", m->extras[i], note->meaning);
        if (note->ratio) {
            hf_text_print(out, "  measure %s: %s over %s\n", note->ratio, m->extras[i], over_what(m, note));
        }
    }
}

/* Columns of its first tables. */
static void print_columns(const hf_question *question, hf_text *out) {
    const hf_question_form usual = {NULL, question->table, question->columns}, *form = &usual;
    do {
        hf_text_print(out, "  table %s%s%s:", form->table, form->given ? ", with " : "", form->given ? form->given : "");
        for (const hf_column *c = form->columns; c->key; c++) {
            hf_text_print(out, " %s", c->key);
        }
        hf_text_append(out, "\n", 1);
        form = form == &usual ? question->forms : form + 1;
    } while (form && form->given);
}

static const hf_question *question_of(const cli_entry *e, cli_section section) {
    size_t i = 0;
    while (section == CLI_QUESTIONS && strcmp(hf_question_at(i)->name, e->name) != 0) {
        i++;
    }
    return section == CLI_QUESTIONS ? hf_question_at(i) : NULL;
}

static const hf_routing *routing_of(const cli_entry *e, cli_section section) {
    return section == CLI_ROUTINGS ? hf_routing_find(e->name, strlen(e->name)) : NULL;
}

static const char rings_note[] =
    "  declares rings: it needs --switching vct --flow bubble (holdfast verify, simulate), or packets on them may wait for each\n"
    "  other for ever\n";

static void print_entry(const cli_entry *e, cli_section section, hf_text *out) {
    static const char *const singular[] = {"topology",        "routing", "fault universe", "criterion",
                                           "traffic pattern", "study",   "question"};
    hf_text_print(out, "%s (%s): %s\n", e->name, singular[section], e->summary);
    for (const hf_param *p = e->params; p && p->name; p++) {
        char range[256];
        param_range(p, range, sizeof range);
        hf_text_print(out, "  %-12s %s%s%s\n", p->name, range,
                      p->fallback                    ? "; default "
                      : p->flags & HF_PARAM_OPTIONAL ? ""
                                                     : "; required",
                      p->fallback ? p->fallback : "");
        hf_text_print(out, "  %-12s %s\n", "", p->help);
    }
    for (size_t i = 0; i < N_TRAIT; i++) {
        if (e->traits & traits[i].bit) {
            hf_text_print(out, "  claims %s: %s\n", traits[i].name, traits[i].meaning);
        }
    }
    if (e->claims) {
        hf_text_print(out, "  claims: %s\n", e->claims);
    }
    const hf_routing *routing = routing_of(e, section);
    if (routing) {
        hf_text_print(out, "%s", routing->ring ? rings_note : "");
        print_measures(routing, out);
    }
    if (question_of(e, section)) {
        print_columns(question_of(e, section), out);
    }
    if (e->source) {
        hf_text_print(out, "  source: %s\n", e->source);
    }
}

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
        hf_json_set(measure, "over", note->ratio ? hf_json_text(over_what(m, note)) : hf_json_null());
        hf_json_push(measures, measure);
    }
    hf_json_set(o, "classes", classes);
    hf_json_set(o, "measures", measures);
}

static void json_columns(const hf_question *question, hf_json *o) {
    hf_json *columns = hf_json_array();
    for (const hf_column *c = question->columns; c->key; c++) {
        hf_json *column = hf_json_object();
        hf_json_set(column, "key", hf_json_text(c->key));
        hf_json_set(column, "heading", hf_json_text(c->heading));
        hf_json_set(column, "unit", c->unit ? hf_json_text(c->unit) : hf_json_null());
        hf_json_push(columns, column);
    }
    hf_json_set(o, "columns", columns);
}

static hf_json *json_entry(const cli_entry *e, cli_section section) {
    hf_json *o = hf_json_object(), *params = hf_json_array(), *claims = hf_json_array();
    hf_json_set(o, "kind", hf_json_text(section_name[section]));
    hf_json_set(o, "name", hf_json_text(e->name));
    hf_json_set(o, "summary", hf_json_text(e->summary));
    hf_json_set(o, "source", e->source ? hf_json_text(e->source) : hf_json_null());
    for (const hf_param *p = e->params; p && p->name; p++) {
        char range[256];
        hf_json *param = hf_json_object();
        param_range(p, range, sizeof range);
        hf_json_set(param, "name", hf_json_text(p->name));
        hf_json_set(param, "range", hf_json_text(range));
        hf_json_set(param, "default", p->fallback ? hf_json_text(p->fallback) : hf_json_null());
        hf_json_set(param, "help", hf_json_text(p->help));
        hf_json_push(params, param);
    }
    for (size_t i = 0; i < N_TRAIT; i++) {
        if (e->traits & traits[i].bit) {
            hf_json_push(claims, hf_json_text(traits[i].name));
        }
    }
    if (e->claims) {
        hf_json_push(claims, hf_json_text(e->claims));
    }
    hf_json_set(o, "parameters", params);
    hf_json_set(o, "claims", claims);
    if (routing_of(e, section)) {
        json_measures(routing_of(e, section), o);
    }
    if (question_of(e, section)) {
        json_columns(question_of(e, section), o);
    }
    return o;
}

/* ---- list ---- */

static hf_status find_section(const cli *c, int *from, int *to) {
    *from = 0;
    *to = CLI_SECTIONS;
    if (c->n_positional) {
        size_t i;
        HF_TRY(hf_words_need(c->cx, "list", section_name, hf_slice_of(c->positional[0]), &i));
        *from = (int)i;
        *to = *from + 1;
    }
    return HF_OK;
}

static hf_status put_json_rows(const cli *c, hf_json *rows) {
    hf_json *root = cli_json(c);
    hf_json_set(root, "spec", hf_json_object());
    hf_json_set(root, "rows", rows);
    return cli_put_json(c, root);
}

static int run_list(cli *c) {
    int from, to;
    hf_status status = find_section(c, &from, &to);
    if (status != HF_OK) {
        return cli_fail(c, status);
    }
    hf_text out;
    hf_text_init(c->cx, &out);
    hf_json *rows = cli_has(c, "json") ? hf_json_array() : NULL;
    for (int s = from; s < to && s < CLI_SECTIONS; s++) {
        if (!rows) {
            hf_text_print(&out, "%s%s:\n", s > from ? "\n" : "", section_name[s]);
        }
        for (size_t i = 0; i < cli_section_count((cli_section)s); i++) {
            const cli_entry e = whole_entry(c->cx, (cli_section)s, i);
            if (rows) {
                hf_json_push(rows, json_entry(&e, (cli_section)s));
            } else {
                hf_text_print(&out, "  %-24s %s\n", e.name, e.summary);
            }
        }
    }
    status = rows ? put_json_rows(c, rows) : cli_put(c, &out);
    hf_text_free(&out);
    return status == HF_OK ? CLI_DONE : cli_fail(c, status);
}

static const cli_option list_options[] = {{"json", NULL, "print JSON (docs/json.md)"}, {0}};
const cli_command cli_list = {
    .name = "list",
    .summary = "list topologies, routings, fault universes, criteria, traffic patterns, studies and questions",
    .usage = "[topologies|routings|universes|criteria|traffic|studies|questions]",
    .about = "Names what specs can be made of. `holdfast describe NAME` says more.\n\nExample: holdfast list routings",
    .positional_max = 1,
    .options = list_options,
    .run = run_list,
};

/* ---- describe ---- */

static hf_status refuse_name(const cli *c, const char *name) {
    const char *names[256] = {NULL};
    size_t n = 0;
    for (int s = 0; s < CLI_SECTIONS; s++) {
        for (size_t i = 0; i < cli_section_count((cli_section)s) && n < 255; i++) {
            names[n++] = cli_section_entry((cli_section)s, i).name;
        }
    }
    return hf_spec_unknown(c->cx, "topology, routing, fault universe, criterion, traffic pattern, study or question", name,
                           strlen(name), names);
}

static int run_describe(cli *c) {
    hf_slice name = {.text = c->positional[0]};
    (void)hf_spec_split(name.text, &name.size);
    hf_text out;
    hf_text_init(c->cx, &out);
    hf_json *rows = cli_has(c, "json") ? hf_json_array() : NULL;
    size_t found = 0;
    for (int s = 0; s < CLI_SECTIONS; s++) {
        for (size_t i = 0; i < cli_section_count((cli_section)s); i++) {
            if (!hf_slice_is(name, cli_section_entry((cli_section)s, i).name)) {
                continue;
            }
            const cli_entry e = whole_entry(c->cx, (cli_section)s, i);
            if (rows) {
                hf_json_push(rows, json_entry(&e, (cli_section)s));
            } else {
                hf_text_append(&out, "\n", found ? 1 : 0);
                print_entry(&e, (cli_section)s, &out);
            }
            found++;
        }
    }
    hf_status status;
    if (!found) {
        hf_json_free(rows);
        status = refuse_name(c, c->positional[0]);
    } else {
        status = rows ? put_json_rows(c, rows) : cli_put(c, &out);
    }
    hf_text_free(&out);
    return status == HF_OK ? CLI_DONE : cli_fail(c, status);
}

const cli_command cli_describe = {
    .name = "describe",
    .summary = "explain a topology, routing, fault universe, criterion, traffic pattern, study or question",
    .usage = "NAME",
    .about = "Prints summary, parameters with ranges and defaults, claims and the source.\n\nExample: holdfast describe ft2ei",
    .positional_min = 1,
    .positional_max = 1,
    .options = list_options,
    .run = run_describe,
};
