/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  holdfast list and describe: what the registries hold. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "src/cli/commands.h"
#include "src/core/lines.h"
#include "src/study/catalogue.h"

/* Classes of fault sets and measures that a routing names. */
static void print_names(const char *what, const char *const *names, hf_text *out) {
    for (size_t i = 0; names && names[i]; i++) {
        hf_text_print(out, "%s%s", i ? ", " : what, names[i]);
    }
    hf_text_print(out, names && names[0] ? "\n" : "");
}

static void print_measures(const hf_routing *routing, hf_text *out) {
    const hf_routing_measures *m = hf_measures_of(routing);
    print_names("  classes of fault sets: ", m->outcomes, out);
    for (size_t i = 0; m->extras && m->extras[i]; i++) {
        const hf_extra_note *note = &m->notes[i];
        hf_text_print(out, "  measure %s: %s\n", m->extras[i], note->meaning);
        if (note->ratio) {
            hf_text_print(out, "  measure %s: %s over %s\n", note->ratio, m->extras[i], hf_measure_over(m, note));
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

static const char rings_note[] =
    "  declares rings: it needs --switching vct --flow bubble (holdfast verify, simulate), or packets on them may wait for each\n"
    "  other for ever\n";

static void print_routing(const hf_routing *routing, hf_text *out) {
    for (const hf_trait *t = hf_traits; t->name; t++) {
        if (routing->traits & t->bit) {
            hf_text_print(out, "  claims %s: %s\n", t->name, t->meaning);
        }
    }
    hf_text_print(out, "%s", routing->ring ? rings_note : "");
    print_measures(routing, out);
}

static void print_entry(const hf_entry *e, hf_section section, hf_text *out) {
    static const char *const singular[] = {"topology",        "routing", "fault universe", "criterion",
                                           "traffic pattern", "study",   "question"};
    hf_text_print(out, "%s (%s): %s\n", e->name, singular[section], e->summary);
    for (const hf_param *p = e->params; p && p->name; p++) {
        char range[256];
        hf_param_range(p, range, sizeof range);
        hf_text_print(out, "  %-12s %s%s%s\n", p->name, range,
                      p->fallback                    ? "; default "
                      : p->flags & HF_PARAM_OPTIONAL ? ""
                                                     : "; required",
                      p->fallback ? p->fallback : "");
        hf_text_print(out, "  %-12s %s\n", "", p->help);
    }
    if (e->claims) {
        hf_text_print(out, "  claims: %s\n", e->claims);
    }
    if (e->routing) {
        print_routing(e->routing, out);
    }
    if (e->question) {
        print_columns(e->question, out);
    }
    if (e->source) {
        hf_text_print(out, "  source: %s\n", e->source);
    }
}

/* ---- list ---- */

static hf_status print_sections(hf_context *cx, const char *name, hf_text *out) {
    hf_section from, to;
    hf_entry e;
    HF_TRY(hf_section_find(cx, name, &from, &to));
    for (hf_section s = from; s < to; s++) {
        hf_text_print(out, "%s%s:\n", s > from ? "\n" : "", hf_section_names[s]);
        for (size_t i = 0; i < hf_section_count(s); i++) {
            HF_TRY(hf_section_whole(cx, s, i, &e));
            hf_text_print(out, "  %-24s %s\n", e.name, e.summary);
        }
    }
    return HF_OK;
}

static int run_list(cli *c) {
    const char *name = c->n_positional ? c->positional[0] : NULL;
    hf_text out;
    hf_text_init(c->cx, &out);
    hf_status status = cli_has(c, "json") ? hf_catalogue_print(c->cx, name, &out) : print_sections(c->cx, name, &out);
    if (status == HF_OK) { /* a line each for who reads it with grep */
        status = isatty(STDOUT_FILENO) && !cli_has(c, "json") ? cli_print_folded(c, &out) : cli_print(c, &out);
    }
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
    for (hf_section s = 0; s < HF_SECTIONS; s++) {
        for (size_t i = 0; i < hf_section_count(s) && n < 255; i++) {
            names[n++] = hf_section_entry(s, i).name;
        }
    }
    return hf_spec_unknown(c->cx, "topology, routing, fault universe, criterion, traffic pattern, study or question", name,
                           strlen(name), names);
}

/* \param[out] rows NULL: as text into `out` */
static hf_status describe(const cli *c, hf_slice name, hf_json *rows, hf_text *out) {
    size_t found = 0;
    for (hf_section s = 0; s < HF_SECTIONS; s++) {
        for (size_t i = 0; i < hf_section_count(s); i++) {
            hf_entry e;
            if (!hf_slice_is(name, hf_section_entry(s, i).name)) {
                continue;
            }
            HF_TRY(hf_section_whole(c->cx, s, i, &e));
            if (rows) {
                hf_json_push(rows, hf_entry_json(&e, s));
            } else {
                hf_text_append(out, "\n", found ? 1 : 0);
                print_entry(&e, s, out);
            }
            found++;
        }
    }
    return found ? HF_OK : refuse_name(c, c->positional[0]);
}

static int run_describe(cli *c) {
    hf_slice name = {.text = c->positional[0]};
    (void)hf_spec_split(name.text, &name.size);
    hf_text out;
    hf_text_init(c->cx, &out);
    hf_json *root = cli_has(c, "json") ? cli_json(c) : NULL, *rows = root ? hf_json_array() : NULL;
    if (root) {
        hf_json_set(root, "spec", hf_json_object());
        hf_json_set(root, "rows", rows);
    }
    hf_status status = describe(c, name, rows, &out);
    if (status == HF_OK) {
        status = root ? cli_put_json(c, root) : cli_print_folded(c, &out);
    } else {
        hf_json_free(root);
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
